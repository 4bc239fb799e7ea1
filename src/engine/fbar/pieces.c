/* What acceleration works on: steps without alternatives, and bounds that make them so.
 *
 * A closure is rarely exact if a transition does one thing here and another there. Its relation is therefore cut
 * into the conjunctions it consists of, and if it divides by a constant, by the value of the quotient if that has
 * only a few: x := (x + 1) % 1000 is x + 1 up to 998, then 0. */
#include "engine/fbar/problem.h"
#include "term/bounds.h"

/* Quotients that are tried, and as many pieces of one transition at most. */
enum { LEAST_QUOTIENT = -1, MOST_QUOTIENT = 2, MOST_PIECES = 8 };

/* ---- bounds of variables ---- */

/* All that transitions assign to the variable is between the results; false on a side that is not bounded.
 */
static interval assigned(const problem *p, variable v) {
  interval all = {.has_low = true, .has_high = true};
  bool some = false;
  for (size_t i = 0; i < p->model->transitions.count; i++) {
    term value = transition_value_after(p->model, &p->model->transitions.at[i], v);
    if (term_same(value, term_of_variable(p->ts, v))) continue;
    interval one = term_interval(p->ts, value);
    all.has_low &= one.has_low;
    all.has_high &= one.has_high;
    if (all.has_low && (!some || number_compare(one.low, all.low) < 0)) all.low = one.low;
    if (all.has_high && (!some || number_compare(one.high, all.high) > 0)) all.high = one.high;
    some = true;
  }
  return some ? all : (interval){0};
}

static bool holds_initially(problem *p, term t) {
  region *against =
      region_of_term(p->sets, p->frame, term_and_all(p->ts, 3, (term[]){p->known, p->model->init, term_not(t)}));
  bool holds = answer_is_yes(region_is_empty(against));
  region_free(against);
  return holds;
}

term problem_bounds(problem *p) {
  term all = TERM_TRUE;
  for (size_t i = 0; i < p->model->variables.count; i++) {
    variable v = p->model->variables.at[i].var;
    const type *of = variable_type(p->ts, v);
    if (of->sort != SORT_INT || (of->has_low && of->has_high)) continue;
    interval range = assigned(p, v);
    term self = term_of_variable(p->ts, v);
    term low = range.has_low ? term_ge(p->ts, self, term_number(p->ts, range.low)) : TERM_TRUE;
    term high = range.has_high ? term_le(p->ts, self, term_number(p->ts, range.high)) : TERM_TRUE;
    if (!of->has_low && holds_initially(p, low)) all = term_and(p->ts, all, low);
    if (!of->has_high && holds_initially(p, high)) all = term_and(p->ts, all, high);
  }
  return all;
}

/* ---- pieces ---- */

typedef struct cutting {
  problem *p;
  const transition *of;
  term step;
  term_vector cases;
} cutting;

static relation *relation_where(const cutting *c, term where) {
  return relation_of_term(c->p->sets, c->p->frame, c->of->inputs.count, c->of->inputs.at,
                          term_and(c->p->ts, c->step, where));
}

static bool is_impossible(const cutting *c, term where) {
  relation *r = relation_where(c, where);
  bool empty = answer_is_yes(relation_is_empty(r));
  relation_free(r);
  return empty;
}

/* The cases, each cut by the value of the quotient; as they are if it has many values. */
static void cut_by_quotient(cutting *c, term dividend, number divisor) {
  terms *ts = c->p->ts;
  term low = term_scale(ts, divisor, term_int(ts, LEAST_QUOTIENT)),
       high = term_scale(ts, divisor, term_int(ts, MOST_QUOTIENT + 1));
  if (!is_impossible(c, term_lt(ts, dividend, low)) || !is_impossible(c, term_ge(ts, dividend, high))) return;
  term_vector cut = {0};
  for (size_t i = 0; i < c->cases.count; i++)
    for (int64_t k = LEAST_QUOTIENT; k <= MOST_QUOTIENT; k++) {
      term from = term_scale(ts, divisor, term_int(ts, k)), to = term_scale(ts, divisor, term_int(ts, k + 1));
      term one = term_and_all(ts, 3, (term[]){c->cases.at[i], term_le(ts, from, dividend), term_lt(ts, dividend, to)});
      if (!is_impossible(c, one)) VECTOR_PUSH(cut, one);
    }
  if (cut.count <= MOST_PIECES) {
    VECTOR_FREE(c->cases);
    c->cases = cut;
  } else {
    VECTOR_FREE(cut);
  }
}

static void cut_by_quotients(cutting *c) {
  const terms *ts = c->p->ts;
  index_vector cone = {0};
  terms_cone(ts, 1, &c->step, &cone);
  for (size_t i = 0; i < cone.count && c->cases.count < MOST_PIECES; i++) {
    term t = {2 * cone.at[i]};
    term_kind kind = term_kind_of(ts, t);
    number divisor;
    if ((kind == TERM_DIV || kind == TERM_MOD) && term_is_number(ts, term_argument(ts, t, 1), &divisor) &&
        number_sign(divisor) > 0)
      cut_by_quotient(c, term_argument(ts, t, 0), divisor);
  }
  VECTOR_FREE(cone);
}

void problem_pieces(problem *p, uint32_t t, relation_vector *out) {
  cutting c = {.p = p, .of = &p->model->transitions.at[t], .step = problem_step(p, &p->model->transitions.at[t])};
  size_t before = out->count;
  VECTOR_PUSH(c.cases, TERM_TRUE);
  cut_by_quotients(&c);
  bool fine = true;
  for (size_t i = 0; i < c.cases.count && fine; i++) {
    relation *one = relation_where(&c, c.cases.at[i]);
    fine = relation_split(one, out) && out->count - before <= MOST_PIECES;
    relation_free(one);
  }
  VECTOR_FREE(c.cases);
  if (fine) return;
  while (out->count > before) relation_free(VECTOR_POP(*out));
}
