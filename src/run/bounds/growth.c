/* Guesses of factors (factors.h), which steps refute. */
#include "run/bounds/growth.h"

#include "run/bounds/factors.h"

enum { MOST_GUESSES = 40 };
#define MOST_CONSTANT (INT64_C(1) << 40)
#define MOST_CAREFUL_CONSTANT (INT64_C(1) << 28)

typedef struct growing {
  step_questions *q;
  const index_vector *transitions;
  term potential;
  term_vector values; /* the first is 1 */
  VECTOR(factor_row) examples;
} growing;

static term not_negative(terms *ts, term a) { return term_max(ts, a, term_int(ts, 0)); }

/* What it grows by, over states and inputs. */
static term growth_by(const growing *g, uint32_t t) {
  return term_sub(g->q->m->terms, step_questions_after(g->q, t, g->potential),
                  not_negative(g->q->m->terms, g->potential));
}

/* A step by which it grows more is one more example. */
static answer refute(growing *g, term guess) {
  terms *ts = g->q->m->terms;
  term_vector of = {0};
  VECTOR_COPY(of, g->values);
  VECTOR_PUSH(of, g->potential);
  answer a = answer_no();
  for (size_t i = 0; i < g->transitions->count && answer_is_no(a); i++) {
    uint32_t t = g->transitions->at[i];
    number_vector before = {0}, after = {0};
    term more = term_lt(ts, not_negative(ts, guess), growth_by(g, t));
    a = step_questions_ask(g->q, t, more, &of, &before, &after);
    if (answer_is_yes(a)) {
      number was = VECTOR_POP(before), is = VECTOR_LAST(after);
      if (number_compare(was, number_of(0)) < 0) was = number_of(0);
      VECTOR_PUSH(g->examples, (factor_row){before, number_sub(is, was)});
    }
    VECTOR_FREE(after);
  }
  VECTOR_FREE(of);
  return a;
}

static bool find_within(growing *g, const factor_room *room, term *out) {
  factors *f = factors_new(g->q->budget, g->values.count, room);
  number_vector found = {0};
  bool fine = false;
  size_t used = 0;
  for (size_t i = 0; i < MOST_GUESSES && !budget_spent(g->q->budget); i++) {
    for (; used < g->examples.count; used++) factors_require(f, &g->examples.at[used]);
    if (!answer_is_yes(factors_find(f, &found))) break;
    *out = term_sum(g->q->m->terms, number_of(0), g->values.count, g->values.at, found.at);
    answer a = refute(g, *out);
    fine = answer_is_no(a);
    if (!answer_is_yes(a)) break;
  }
  VECTOR_FREE(found);
  factors_free(f);
  return fine;
}

static void lower_constant(growing *g, term *bound) {
  terms *ts = g->q->m->terms;
  bool grows = true;
  for (int64_t by = 1; by > 0 && by < MOST_CONSTANT; by = grows ? by * 2 : by / 2) {
    term lower = term_sub(ts, *bound, term_int(ts, by));
    number is;
    bool is_none = term_is_number(ts, lower, &is) && number_compare(is, number_of(0)) < 0;
    bool fine = !is_none && answer_is_no(refute(g, lower));
    if (fine) *bound = lower;
    grows &= fine;
  }
}

bool growth_find(step_questions *q, const frozen_model *f, const index_vector *transitions, term potential,
                 bool is_careful, term *out) {
  growing g = {.q = q, .transitions = transitions, .potential = potential};
  int64_t any = is_careful ? MOST_CAREFUL_CONSTANT : MOST_CONSTANT;
  const factor_room rooms[] = {{0, 2, 0, false},   {1, 1, 1, false},   {1, 2, 2, false},         {1, 4, 3, false},
                               {0, any, 0, false}, {2, any, 2, false}, {4, any, SIZE_MAX, false}};
  bool found = false;
  VECTOR_PUSH(g.values, term_int(q->m->terms, 1));
  for (size_t i = 0; i < f->values.count; i++) VECTOR_PUSH(g.values, f->values.at[i]);
  for (size_t i = 0; i < ARRAY_LENGTH(rooms) && !found; i++) found = find_within(&g, &rooms[i], out);
  if (found) lower_constant(&g, out);
  for (size_t i = 0; i < g.examples.count; i++) VECTOR_FREE(g.examples.at[i].values);
  VECTOR_FREE(g.examples);
  VECTOR_FREE(g.values);
  return found;
}
