/* Loops of a path: steps that are repeated, one after the other or in words of a few, by the same literals.
 *
 * One round is the conjunction of these literals, each read at its own time; the states from which any number of rounds
 * leads into a goal are found with its transitive closure (engine/loop_round.h). */
#include "base/map.h"
#include "engine/loop_round.h"
#include "engine/pdr/path.h"
#include "term/substitute.h"

/* Longer words are not looked for; closures over more variables take too long. */
enum { LONGEST_WORD = 3, MOST_VARIABLES = 10, MOST_OPERATIONS = 200 * 1000 };

static bool same_step(const path *p, size_t one, size_t other) {
  const term_vector *x = &p->groups.at[one + 1], *y = &p->groups.at[other + 1];
  if (p->transitions.at[one] != p->transitions.at[other] || x->count != y->count) return false;
  for (size_t i = 0; i < x->count; i++)
    if (!term_same(x->at[i], y->at[i])) return false;
  return true;
}

/* How many steps before `place` are the last `word` of them, repeated. */
static size_t repeated_steps(const path *p, size_t place, size_t word) {
  size_t count = word;
  while (count < place && same_step(p, place - 1 - count, place - 1 - count + word)) count++;
  return count - count % word;
}

bool path_loop_to(const path *p, size_t place, path_loop *out) {
  for (size_t word = 1; word <= LONGEST_WORD && 2 * word <= place; word++) {
    size_t count = repeated_steps(p, place, word);
    *out = (path_loop){place - count, place, word};
    if (count >= 2 * word) return true;
  }
  return false;
}

/* ---- one round ---- */

typedef struct round_maker {
  const path *p;
  loop_round round;
  term_vector literals; /* each read at its time */
  size_t word;
} round_maker;

/* What stands for the variable after so many steps of the round. */
static term at_time(const round_maker *r, variable v, size_t time) {
  bool is_last = time == r->word && !variable_same(v, unrolling_variable(r->p->unrolling, v, 1));
  return term_of_variable(r->p->b->ts,
                          is_last ? variable_next(r->p->b->ts, v) : unrolling_variable(r->p->unrolling, v, time));
}

/* The literals of a step say what they do of times 0 and 1. */
static void add_step(round_maker *r, size_t step, size_t time) {
  const model *m = r->p->b->model;
  const transition *t = &m->transitions.at[r->p->transitions.at[step]];
  substitution *by = substitution_new(r->p->b->ts);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var, after = unrolling_variable(r->p->unrolling, v, 1);
    substitution_set(by, v, at_time(r, v, time));
    if (!variable_same(v, after)) substitution_set(by, after, at_time(r, v, time + 1));
  }
  for (size_t i = 0; i < t->inputs.count; i++)
    substitution_set(by, t->inputs.at[i],
                     term_of_variable(r->p->b->ts, unrolling_variable(r->p->unrolling, t->inputs.at[i], time)));
  const term_vector *literals = &r->p->groups.at[step + 1];
  for (size_t i = 0; i < literals->count; i++) VECTOR_PUSH(r->literals, substitution_apply(by, literals->at[i]));
  substitution_free(by);
}

/* State variables of the literals and of the goal are data; what is neither that nor such a variable after the round is
 * hidden. */
static void sort_variables(round_maker *r, term goal) {
  const model *m = r->p->b->model;
  terms *ts = r->p->b->ts;
  variable_vector inside = {0};
  VECTOR_PUSH(r->literals, goal);
  term_variables(ts, r->literals.count, r->literals.at, &inside);
  r->literals.count--;
  map *there = map_new();
  for (size_t i = 0; i < inside.count; i++) map_set(there, inside.at[i].x, 0);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var, next = variable_next(ts, v);
    if (!map_get(there, v.x, NULL) && !map_get(there, next.x, NULL)) continue;
    VECTOR_PUSH(r->round.data, v);
    if (variable_same(v, unrolling_variable(r->p->unrolling, v, 1)))
      VECTOR_PUSH(r->literals, term_eq(ts, term_of_variable(ts, v), term_of_variable(ts, next)));
    map_set(there, v.x, 1);
    map_set(there, next.x, 1);
  }
  uint64_t is_data;
  for (size_t i = 0; i < inside.count; i++)
    if (map_get(there, inside.at[i].x, &is_data) && !is_data) VECTOR_PUSH(r->round.hidden, inside.at[i]);
  map_free(there);
  VECTOR_FREE(inside);
}

static term round_step(round_maker *r) {
  terms *ts = r->p->b->ts;
  for (size_t i = 0; i < r->round.data.count; i++) VECTOR_PUSH(r->literals, variable_in_type(ts, r->round.data.at[i]));
  for (size_t i = 0; i < r->round.hidden.count; i++)
    VECTOR_PUSH(r->literals, variable_in_type(ts, r->round.hidden.at[i]));
  return term_and_all(ts, r->literals.count, r->literals.at);
}

bool path_loop_before(const path *p, const path_loop *loop, term goal, bool keep_divisions, term *out) {
  round_maker r = {.p = p, .word = loop->word, .round.sets = presburger_new(p->b->ts, MOST_OPERATIONS)};
  for (size_t i = 0; i < loop->word; i++) add_step(&r, loop->from + i, i);
  sort_variables(&r, goal);
  r.round.step = round_step(&r);
  bool fine = r.round.data.count <= MOST_VARIABLES && presburger_can(p->b->ts, r.round.step) &&
              presburger_can(p->b->ts, goal) && loop_round_before(&r.round, goal, keep_divisions, out);
  presburger_free(r.round.sets);
  loop_round_clear(&r.round);
  VECTOR_FREE(r.literals);
  return fine;
}
