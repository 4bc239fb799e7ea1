/* Guesses of factors (factors.h), which steps of the model refute: each such step is one more example. */
#include "run/bounds/potential.h"

#include "run/bounds/factors.h"

/* Guesses with the same room, at most; values of a type that are told apart, at most; and how far it may fall by one step. */
enum { MOST_GUESSES = 60, MOST_VALUES = 64, FEW_VALUES = 8, MOST_FALL = 16 };
/* Constants are as good as any up to this. */
#define MOST_CONSTANT (INT64_C(1) << 40)
#define MOST_CAREFUL_CONSTANT (INT64_C(1) << 28)

typedef struct step_example {
  uint32_t transition;
  number_vector before, after;
} step_example;

struct potential_search {
  step_questions *q;
  bool is_careful;
  term_vector features; /* the first is 1 */
  VECTOR(step_example) examples;
};

/* ---- features ---- */

static void add_values(model *m, variable v, term_vector *out) {
  terms *ts = m->terms;
  type of = *variable_type(ts, v);
  int64_t low, high;
  if (!number_to_int64(of.low, &low) || !number_to_int64(of.high, &high)) return;
  for (int64_t i = low; i <= high; i++) {
    term is_it = term_eq(ts, term_of_variable(ts, v), term_int(ts, i));
    VECTOR_PUSH(*out, term_ite(ts, is_it, term_int(ts, 1), term_int(ts, 0)));
  }
}

/* Numbers, and tests for the values of what has few. */
static void find_features(model *m, term_vector *out) {
  terms *ts = m->terms;
  VECTOR_PUSH(*out, term_int(ts, 1));
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    const type *of = variable_type(ts, v);
    bool is_place = of->sort == SORT_INT && of->name_count > 0;
    uint64_t values = type_is_finite(of) ? type_size(of, MOST_VALUES + 1) : MOST_VALUES + 1;
    bool has_few = of->sort == SORT_INT && values <= (is_place ? MOST_VALUES : FEW_VALUES);
    if (of->sort == SORT_BOOL)
      VECTOR_PUSH(*out, term_ite(ts, term_of_variable(ts, v), term_int(ts, 1), term_int(ts, 0)));
    else if (of->sort == SORT_INT && !is_place)
      VECTOR_PUSH(*out, term_of_variable(ts, v));
    if (has_few) add_values(m, v, out);
  }
}

potential_search *potential_search_new(step_questions *q, bool is_careful) {
  potential_search *p = MEMORY_NEW(potential_search);
  p->q = q;
  p->is_careful = is_careful;
  find_features(q->m, &p->features);
  return p;
}

void potential_search_free(potential_search *p) {
  if (!p) return;
  for (size_t i = 0; i < p->examples.count; i++) {
    VECTOR_FREE(p->examples.at[i].before);
    VECTOR_FREE(p->examples.at[i].after);
  }
  VECTOR_FREE(p->examples);
  VECTOR_FREE(p->features);
  memory_free(p);
}

/* ---- what a potential must be ---- */

answer potential_grows(step_questions *q, uint32_t t, term potential, term also) {
  terms *ts = q->m->terms;
  term after = step_questions_after(q, t, potential), none = term_int(ts, 0);
  term grows = term_and(ts, term_lt(ts, potential, after), term_lt(ts, none, after));
  return step_questions_ask(q, t, term_and(ts, grows, also), NULL, NULL, NULL);
}

/* Over states and inputs: a step of this transition is against the potential. */
static term is_against(const potential_search *p, uint32_t t, step_role role, term potential) {
  terms *ts = p->q->m->terms;
  term after = step_questions_after(p->q, t, potential), none = term_int(ts, 0);
  if (role == STEP_FALLS) return term_not(term_and(ts, term_lt(ts, after, potential), term_lt(ts, none, potential)));
  return term_and(ts, term_lt(ts, potential, after), term_lt(ts, none, after));
}

/* Yes: there is a step against it, and it became an example. */
static answer refute(potential_search *p, const step_role *roles, term potential) {
  for (uint32_t t = 0; t < p->q->m->transitions.count; t++) {
    step_example x = {.transition = t};
    if (roles[t] == STEP_FREE) continue;
    answer a = step_questions_ask(p->q, t, is_against(p, t, roles[t], potential), &p->features, &x.before, &x.after);
    if (answer_is_yes(a)) VECTOR_PUSH(p->examples, x);
    if (!answer_is_no(a)) return a;
  }
  return answer_no();
}

bool potential_is(potential_search *p, const step_role *roles, term potential) {
  return answer_is_no(refute(p, roles, potential));
}

/* ---- guesses ---- */

static GIVE factor_row row_of(const number_vector *plus, const number_vector *minus, int64_t least) {
  factor_row row = {.least = number_of(least)};
  for (size_t i = 0; i < plus->count; i++)
    VECTOR_PUSH(row.values, minus ? number_sub(plus->at[i], minus->at[i]) : plus->at[i]);
  return row;
}

/* That it grows up to 0 is allowed, but not asked for: without alternatives factors are soon found. */
static void require_example(factors *f, const step_example *x, step_role role) {
  if (role == STEP_FREE) return;
  factor_row falls = row_of(&x->before, &x->after, role == STEP_FALLS), is_some = row_of(&x->before, NULL, 1);
  factors_require(f, &falls);
  if (role == STEP_FALLS) factors_require(f, &is_some);
  VECTOR_FREE(falls.values);
  VECTOR_FREE(is_some.values);
}

/* Of fractions, that multiple that has none. */
static term sum_of(const potential_search *p, number_vector *factors) {
  terms *ts = p->q->m->terms;
  number all = number_of(1);
  for (size_t i = 0; i < factors->count; i++)
    all = number_mul(all, number_denominator(number_mul(all, factors->at[i])));
  for (size_t i = 0; i < factors->count; i++) factors->at[i] = number_mul(all, factors->at[i]);
  return term_sum(ts, number_of(0), p->features.count, p->features.at, factors->at);
}

/* No: there are no such factors. */
static answer find_within(potential_search *p, const step_role *roles, const factor_room *room, term *out) {
  factors *f = factors_new(p->q->budget, p->features.count, room);
  number_vector found = {0};
  answer fine = answer_unsure("too many guesses");
  size_t used = 0;
  for (size_t i = 0; i < MOST_GUESSES && !budget_spent(p->q->budget); i++) {
    for (; used < p->examples.count; used++)
      require_example(f, &p->examples.at[used], roles[p->examples.at[used].transition]);
    answer some = factors_find(f, &found);
    if (answer_is_no(some)) fine = some;
    if (!answer_is_yes(some)) break;
    *out = sum_of(p, &found);
    answer a = refute(p, roles, *out);
    if (answer_is_no(a)) fine = answer_yes();
    if (!answer_is_yes(a)) break;
  }
  VECTOR_FREE(found);
  factors_free(f);
  return fine;
}

/* A smaller constant is as good. */
static void lower_constant(potential_search *p, const step_role *roles, term *potential) {
  terms *ts = p->q->m->terms;
  bool grows = true;
  for (int64_t by = 1; by > 0 && by < MOST_CONSTANT; by = grows ? by * 2 : by / 2) {
    term lower = term_sub(ts, *potential, term_int(ts, by));
    bool fine = potential_is(p, roles, lower);
    if (fine) *potential = lower;
    grows &= fine;
  }
}

bool potential_find(potential_search *p, const step_role *roles, term *out) {
  int64_t any = p->is_careful ? MOST_CAREFUL_CONSTANT : MOST_CONSTANT;
  const factor_room rooms[] = {{1, 0, 1, false},        {1, 1, 2, false},   {1, 1, 3, false},
                               {1, 2, SIZE_MAX, false}, {2, any, 2, false}, {4, any, SIZE_MAX, false}};
  const factor_room widest = {.largest = 4, .constant = any, .most = SIZE_MAX, .has_fractions = true};
  if (answer_is_no(find_within(p, roles, &widest, out)))
    return false; /* examples that no factors do for are soon found so */
  for (size_t i = 0; i < ARRAY_LENGTH(rooms); i++) {
    if (!answer_is_yes(find_within(p, roles, &rooms[i], out))) continue;
    lower_constant(p, roles, out);
    return true;
  }
  return false;
}

/* ---- larger steps ---- */

/* Whether each step of those transitions that make it fall has this, over states before and after: falls by `by` from `from` on. */
static bool falls_by(potential_search *p, const step_role *roles, term potential, int64_t by, int64_t from) {
  terms *ts = p->q->m->terms;
  for (uint32_t t = 0; t < p->q->m->transitions.count; t++) {
    if (roles[t] != STEP_FALLS) continue;
    term after = step_questions_after(p->q, t, potential);
    term fine = term_and(ts, term_le(ts, term_add(ts, after, term_int(ts, by)), potential),
                         term_le(ts, term_int(ts, from), potential));
    if (!answer_is_no(step_questions_ask(p->q, t, term_not(fine), NULL, NULL, NULL))) return false;
  }
  return true;
}

int64_t potential_step(potential_search *p, const step_role *roles, term *potential) {
  terms *ts = p->q->m->terms;
  int64_t by = 1, more = 0;
  while (by < MOST_FALL && falls_by(p, roles, *potential, by + 1, 1)) by++;
  if (by == 1 || by == MOST_FALL) return 1; /* the latter if there is no step at all */
  while (more < by && !falls_by(p, roles, *potential, by, by - more)) more++;
  term larger = term_add(ts, *potential, term_int(ts, more));
  if (more == by || (more && !potential_is(p, roles, larger))) return 1;
  *potential = larger;
  return by;
}
