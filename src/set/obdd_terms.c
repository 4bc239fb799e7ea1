/* A fold over the connectives: each becomes the operation on diagrams. */
#include "set/obdd_terms.h"

#include "term/fold.h"

typedef struct translation {
  obdds *d;
  obdd_leaf *leaf;
  void *context;
} translation;

static obdd value_of(const term_fold *f, term t) {
  const translation *x = f->context;
  obdd value = FOLD_VALUE(obdd, f, t);
  return term_is_negated(t) ? obdd_not(x->d, value) : value;
}

static obdd argument(const term_fold *f, term t, size_t i) { return value_of(f, term_argument(f->ts, t, i)); }

static obdd translate_and(const term_fold *f, term t) {
  const translation *x = f->context;
  obdd all = OBDD_TRUE;
  for (size_t i = 0; i < term_arguments(f->ts, t); i++) all = obdd_and(x->d, all, argument(f, t, i));
  return all;
}

static void translate(const term_fold *f, term t, void *out) {
  const translation *x = f->context;
  obdd *made = out;
  if (term_sort(f->ts, t) != SORT_BOOL) return;
  switch (term_kind_of(f->ts, t)) {
    case TERM_CONSTANT_TRUE: *made = OBDD_TRUE; break;
    case TERM_AND: *made = translate_and(f, t); break;
    case TERM_IFF: *made = obdd_iff(x->d, argument(f, t, 0), argument(f, t, 1)); break;
    case TERM_BOOL_ITE: *made = obdd_ite(x->d, argument(f, t, 0), argument(f, t, 1), argument(f, t, 2)); break;
    default: *made = x->leaf(x->context, t);
  }
}

obdd obdd_of_term(obdds *d, const terms *ts, term t, obdd_leaf *leaf, void *context) {
  translation x = {d, leaf, context};
  term_fold f = {.ts = ts, .size = sizeof(obdd), .rule = translate, .context = &x};
  term_fold_value(&f, t);
  obdd result = value_of(&f, t);
  term_fold_close(&f);
  return result;
}
