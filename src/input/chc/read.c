/* Commands, Z3's parser, clauses, a model. */
#include "input/chc/read.h"

#include "input/chc/form.h"
#include "input/chc/lower.h"
#include "input/smtlib/parse.h"

#define PROPERTY_NAME "query"

static void make_parameters(model *m, const commands *c) {
  VECTOR(sort) sorts = {0};
  VECTOR(size_t) counts = {0};
  for (size_t i = 0; i < c->declarations.count; i++) {
    const declaration *d = &c->declarations.at[i];
    if (d->kind != DECLARED_PREDICATE) continue;
    VECTOR_PUSH(counts, d->sorts.count);
    for (size_t j = 0; j < d->sorts.count; j++) VECTOR_PUSH(sorts, (sort)d->sorts.at[j]);
  }
  clauses_make_parameters(m, sorts.at, counts.at);
  VECTOR_FREE(sorts);
  VECTOR_FREE(counts);
}

static bool form_clauses(model *m, const commands *c, const nodes *n, source *s, reporter *r) {
  former f;
  former_open(&f, m, n, c, s, r);
  bool fine = true;
  for (size_t i = 0; i < n->roots.count && !reporter_is_full(r); i++)
    if (c->assertions.at[i].kind == ASSERT_CLAUSE) fine &= former_add(&f, n->roots.at[i], c->assertions.at[i].at);
  former_close(&f);
  if (fine) make_parameters(m, c);
  return fine;
}

static GIVE model *read_clauses(source *s, const commands *c, const nodes *n, reporter *r, diagnostics *d) {
  model *m = model_new(terms_new(), source_name(s));
  m->clauses = horn_clauses_new();
  m->clauses->is_horn = true;
  if (form_clauses(m, c, n, s, r)) {
    model_add_property(m, PROPERTY_NAME, PROPERTY_SAFE, (place){0});
    chc_lower(m);
  }
  if (!d->errors) return m;
  model_free(m);
  return NULL;
}

GIVE model *chc_read(source *s, diagnostics *d) {
  commands c = {0};
  nodes n = {0};
  reporter r;
  arena *names = arena_new();
  model *m = NULL;
  reporter_open(&r, s, d);
  bool fine = commands_read(s, false, names, &c, &r);
  if (fine && !c.count) {
    report_file_error(d, s->path, "the file has no clauses");
    fine = false;
  }
  if (fine && smtlib_parse(&c, &n, &r)) m = read_clauses(s, &c, &n, &r, d);
  nodes_free(&n);
  commands_free(&c);
  arena_free(names);
  reporter_close(&r);
  return m;
}
