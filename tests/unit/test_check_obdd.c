/* Decision diagrams that are damaged are noticed to be. */
#include "set/obdd.c"
#include "unit/damage.h"

static obdds *some_diagrams(void) {
  obdds *d = obdds_new(6, 0);
  obdd f = OBDD_TRUE;
  for (size_t i = 0; i < 6; i += 2) f = obdd_and(d, f, obdd_iff(d, obdd_variable(d, i), obdd_variable(d, i + 1)));
  obdds_renaming(d, 1, &(uint32_t){0}, &(uint32_t){2});
  return d;
}

TEST(diagrams_that_were_only_used_are_whole) {
  obdds *d = some_diagrams();
  CHECK_TEXT(said(obdds_check(d)), WHOLE);
  obdds_release(d, 0, 0, NULL);
  CHECK_TEXT(said(obdds_check(d)), WHOLE);
  obdds_free(d);
}

TEST(what_is_kept_is_no_node) {
  obdds *d = some_diagrams();
  int first = d->kept.at[0];
  d->kept.at[0] = 1;
  CHECK_TEXT(said(obdds_check(d)), "leaves need not be kept");
  d->kept.at[0] = FIRST_NODES - 5; /* free */
  CHECK_TEXT(said(obdds_check(d)), "what is kept are nodes of the table");
  d->kept.at[0] = 1 << 28;
  CHECK_TEXT(said(obdds_check(d)), "what is kept are nodes of the table");
  d->kept.at[0] = first;
  CHECK_TEXT(said(obdds_check(d)), WHOLE);
  CHECK(!obdds_trouble(d));
  obdds_free(d);
}

TEST(variables_and_renamings_that_are_not_there) {
  obdds *d = some_diagrams();
  d->variables = 99;
  CHECK_TEXT(said(obdds_check(d)), "the table has all variables");
  d->variables = 6;
  bddPair *pair = d->renamings.at[0]->pair;
  d->renamings.at[0]->pair = NULL;
  CHECK_TEXT(said(obdds_check(d)), "renamings are there");
  d->renamings.at[0]->pair = pair;
  obdds_free(d);
}

TEST_MAIN
