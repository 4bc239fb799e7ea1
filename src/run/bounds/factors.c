/* The factors are unknowns of a solver. */
#include "run/bounds/factors.h"

struct factors {
  terms *ts; /* its own: no variables of the model */
  variable_vector unknowns;
  solver *solver;
};

static void assert_within(factors *f, term unknown, int64_t most) {
  solver_assert(f->solver, term_le(f->ts, unknown, term_int(f->ts, most)));
  solver_assert(f->solver, term_le(f->ts, term_int(f->ts, -most), unknown));
}

factors *factors_new(budget *b, size_t count, const factor_room *room) {
  factors *f = MEMORY_NEW(factors);
  f->ts = terms_new();
  f->solver = solver_new(f->ts, b);
  term used = term_int(f->ts, 0);
  for (size_t i = 0; i < count; i++) {
    VECTOR_PUSH(f->unknowns,
                variable_fresh(f->ts, "factor", &(type){.sort = room->has_fractions ? SORT_REAL : SORT_INT}));
    term unknown = term_of_variable(f->ts, f->unknowns.at[i]), none = term_int(f->ts, 0);
    assert_within(f, unknown, i ? room->largest : room->constant);
    if (i && room->most < count)
      used = term_add(f->ts, used, term_ite(f->ts, term_eq(f->ts, unknown, none), none, term_int(f->ts, 1)));
  }
  if (room->most < count) solver_assert(f->solver, term_le(f->ts, used, term_int(f->ts, (int64_t)room->most)));
  return f;
}

void factors_free(factors *f) {
  if (!f) return;
  solver_free(f->solver);
  VECTOR_FREE(f->unknowns);
  terms_free(f->ts);
  memory_free(f);
}

void factors_require(factors *f, const factor_row *row) {
  term sum = term_int(f->ts, 0);
  for (size_t i = 0; i < f->unknowns.count; i++)
    sum = term_add(f->ts, sum, term_scale(f->ts, row->values.at[i], term_of_variable(f->ts, f->unknowns.at[i])));
  solver_assert(f->solver, term_ge(f->ts, sum, term_number(f->ts, row->least)));
}

answer factors_find(factors *f, number_vector *out) {
  answer a = solver_check(f->solver, 0);
  VECTOR_CLEAR(*out);
  for (size_t i = 0; answer_is_yes(a) && i < f->unknowns.count; i++)
    VECTOR_PUSH(*out, solver_value(f->solver, f->unknowns.at[i]));
  return a;
}
