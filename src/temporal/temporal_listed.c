/* Numbers as bits, most significant first, now and next in turn. A relation is made from its sorted rows by halving:
 * what comes before and after the first row with the next bit set are the two branches of a node. */
#include "temporal/temporal_listed.h"

#include <stdlib.h>

#include "base/map.h"

void listed_system_clear(listed_system *s) {
  VECTOR_FREE(s->codes);
  VECTOR_FREE(s->initial);
  VECTOR_FREE(s->transitions);
  VECTOR_FREE(s->steps);
}

void listed_path_clear(listed_path *p) {
  VECTOR_FREE(p->states);
  VECTOR_FREE(p->actions);
}

typedef struct coding {
  const model *m;
  const listed_system *listed;
  listed_truth *truth;
  void *context;
  obdds *d;
  map *states; /* code -> state, if there are codes */
  size_t bits;
  uint32_t now[32], next[32];
  VECTOR(uint64_t) rows;
  budget *budget;
} coding;

static uint32_t code_of(const coding *c, uint32_t state) {
  return c->listed->codes.count ? c->listed->codes.at[state] : state;
}

static uint32_t state_of(const coding *c, uint32_t code) {
  uint64_t state = code;
  if (c->states) map_get(c->states, code, &state);
  return (uint32_t)state;
}

/* ---- sets of rows ---- */

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The rows agree on all bits above `width`. `stride` is 1 for pairs, 2 if only the variables `now` are used. */
static obdd rows_diagram(coding *c, size_t count, const uint64_t *rows, size_t width, unsigned stride, size_t total) {
  if (!count) return OBDD_FALSE;
  if (!width) return OBDD_TRUE;
  size_t high = 0, end = count;
  uint64_t bit = UINT64_C(1) << (width - 1);
  while (high < end) {
    size_t middle = (high + end) / 2;
    if (rows[middle] & bit)
      end = middle;
    else
      high = middle + 1;
  }
  size_t mark = obdds_mark(c->d);
  obdd no = rows_diagram(c, high, rows, width - 1, stride, total),
       yes = rows_diagram(c, count - high, rows + high, width - 1, stride, total);
  obdd result = obdd_ite(c->d, obdd_variable(c->d, (total - width) * stride), yes, no);
  obdds_release(c->d, mark, 1, &result);
  return result;
}

static obdd make_set(coding *c) {
  if (c->rows.count) qsort(c->rows.at, c->rows.count, sizeof *c->rows.at, by_value);
  obdd set = rows_diagram(c, c->rows.count, c->rows.at, c->bits, 2, c->bits);
  VECTOR_CLEAR(c->rows);
  return set;
}

static uint64_t interleave(uint32_t from, uint32_t to, size_t bits) {
  uint64_t row = 0;
  for (size_t i = bits; i-- > 0;) row = row << 2 | (uint64_t)(from >> i & 1) << 1 | (to >> i & 1);
  return row;
}

static obdd make_relation(coding *c) {
  if (c->rows.count) qsort(c->rows.at, c->rows.count, sizeof *c->rows.at, by_value);
  obdd set = rows_diagram(c, c->rows.count, c->rows.at, 2 * c->bits, 1, 2 * c->bits);
  VECTOR_CLEAR(c->rows);
  return set;
}

/* ---- the system ---- */

static int by_action(const void *a, const void *b) {
  const listed_step *x = a, *y = b;
  return (x->action > y->action) - (x->action < y->action);
}

static void add_actions(coding *c, finite_system *s) {
  size_t count = c->listed->steps.count, at = 0;
  listed_step *steps = MEMORY_ARRAY(listed_step, count + 1);
  if (count) memcpy(steps, c->listed->steps.at, count * sizeof *steps);
  qsort(steps, count, sizeof *steps, by_action);
  for (size_t a = 0; a < c->listed->transitions.count; a++) {
    for (; at < count && steps[at].action == a; at++)
      VECTOR_PUSH(c->rows, interleave(code_of(c, steps[at].from), code_of(c, steps[at].to), c->bits));
    finite_action made = {c->m->transitions.at[c->listed->transitions.at[a]].name, make_relation(c)};
    VECTOR_PUSH(s->actions, made);
  }
  memory_free(steps);
}

/* Which actions are of a transition in the group. */
static bool *actions_of(const coding *c, const fairness *f) {
  bool *in_group = MEMORY_ARRAY(bool, c->m->transitions.count + 1),
       *result = MEMORY_ARRAY(bool, c->listed->transitions.count + 1);
  for (size_t i = 0; i < f->transitions.count; i++) in_group[f->transitions.at[i]] = true;
  for (size_t a = 0; a < c->listed->transitions.count; a++) result[a] = in_group[c->listed->transitions.at[a]];
  memory_free(in_group);
  return result;
}

static obdd set_where(coding *c, term t) {
  for (uint32_t n = 0; n < c->listed->states; n++)
    if (c->truth(c->context, n, t)) VECTOR_PUSH(c->rows, code_of(c, n));
  return make_set(c);
}

static obdd read_proposition(void *context, term t) { return set_where(context, t); }

static void add_fairness(coding *c, finite_system *s) {
  for (size_t i = 0; i < c->m->fairness.count; i++) {
    const fairness *f = &c->m->fairness.at[i];
    finite_fairness made = {.kind = f->kind};
    if (f->kind == FAIR_STATE) {
      made.state = set_where(c, f->state);
    } else if (f->kind == FAIR_FORMULA) {
      bool fits = finite_fairness_of(c->d, f->formula, read_proposition, c, &made);
      REQUIRE(fits, "as many cases as a model may have");
    } else {
      bool *is_in = actions_of(c, f);
      for (uint32_t a = 0; a < c->listed->transitions.count; a++)
        if (is_in[a]) VECTOR_PUSH(made.group, a);
      for (size_t k = 0; k < c->listed->steps.count; k++)
        if (is_in[c->listed->steps.at[k].action]) VECTOR_PUSH(c->rows, code_of(c, c->listed->steps.at[k].from));
      made.enabled = make_set(c);
      memory_free(is_in);
    }
    VECTOR_PUSH(s->fairness, made);
  }
}

static void make_system(coding *c, finite_system *s) {
  *s = (finite_system){.diagrams = c->d, .bits = c->bits, .now = c->now, .next = c->next};
  for (uint32_t n = 0; n < c->listed->states; n++) VECTOR_PUSH(c->rows, code_of(c, n));
  s->domain = make_set(c);
  for (size_t i = 0; i < c->listed->initial.count; i++) VECTOR_PUSH(c->rows, code_of(c, c->listed->initial.at[i]));
  s->initial = make_set(c);
  add_actions(c, s);
  add_fairness(c, s);
}

/* ---- asking ---- */

static uint32_t number_at(const coding *c, const finite_branch *b, size_t position) {
  uint32_t n = 0;
  for (size_t i = 0; i < c->bits; i++) n = n << 1 | b->states.at[position * c->bits + i];
  return state_of(c, n);
}

/* The path of a counterexample with one branch; of others the first branch. */
static void take_path(coding *c, const finite_witness *w, listed_answer *out) {
  const finite_branch *b = &w->at[0];
  out->has_path = true;
  out->is_whole = w->count == 1 && !w->is_partial;
  out->path.loop = b->loop;
  for (size_t i = 0; i < finite_branch_length(b); i++) VECTOR_PUSH(out->path.states, number_at(c, b, i));
  for (size_t i = 0; i < b->actions.count; i++) VECTOR_PUSH(out->path.actions, b->actions.at[i]);
}

static void ask(coding *c, const property *p, listed_answer *out) {
  finite_system system;
  make_system(c, &system);
  temporal_checker *checker = temporal_checker_new(&system, c->budget);
  temporal_question q = {p->kind, p->formula, read_proposition, c};
  out->holds = temporal_check(checker, &q).holds;
  out->deadlocks = obdd_count(c->d, temporal_deadlocks(checker), c->bits, c->now);
  out->has_fair_run = obdd_and(c->d, system.initial, temporal_fair_states(checker)).node != 0;
  finite_witness w = {0};
  if (answer_is_no(out->holds) && temporal_counterexample(checker, &q, &w)) take_path(c, &w, out);
  finite_witness_clear(&w);
  temporal_checker_free(checker);
  finite_system_clear(&system);
}

listed_answer listed_check(const model *m, const property *p, const listed_system *s, listed_truth *truth,
                           void *context, size_t node_limit, budget *b) {
  coding c = {.m = m, .listed = s, .truth = truth, .context = context, .bits = 1, .budget = b};
  uint64_t largest = s->states ? s->states - 1 : 0;
  if (s->codes.count) c.states = map_new();
  for (uint32_t n = 0; n < s->codes.count; n++) {
    map_set(c.states, s->codes.at[n], n);
    if (!n || s->codes.at[n] > largest) largest = s->codes.at[n];
  }
  while (largest >> c.bits) c.bits++;
  REQUIRE(c.bits < 32, "codes of 31 bits");
  for (size_t i = 0; i < c.bits; i++) {
    c.now[i] = (uint32_t)(2 * i);
    c.next[i] = (uint32_t)(2 * i + 1);
  }
  c.d = obdds_new(2 * c.bits, node_limit);
  obdds_watch(c.d, b);
  listed_answer out = {0};
  ask(&c, p, &out);
  obdds_free(c.d);
  map_free(c.states);
  VECTOR_FREE(c.rows);
  return out;
}
