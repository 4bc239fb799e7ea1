/* Runs of a small graph on which an LTL formula is true, whose state formulas may be any.
 *
 * A position is a node with a guess for each operator, whether it is true there. Steps are those of the graph between guesses that
 * agree. What is said of infinitely often is made of events: of positions, or of steps. Some events must not happen again and again,
 * which is tried in all ways: without them what can be reached from each other is one set, and a run can do all of it for ever. */
#include <string.h>

#include "base/vector.h"
#include "oracle/small_graph.h"

enum { MOST_OPERATORS = 5, MOST_POSITIONS = MOST_NODES << MOST_OPERATORS };

typedef struct star_step {
  uint16_t from, to;
  uint8_t action;
} star_step;

typedef struct star {
  const small_graph *g;
  const temporal *operators[MOST_OPERATORS];
  unsigned count, positions;
  const temporal *states[MOST_FORMULA]; /* state formulas, and where they hold */
  uint8_t meaning[MOST_FORMULA];
  unsigned state_count;
  VECTOR(star_step) steps;
  bool reaches[MOST_POSITIONS][MOST_POSITIONS]; /* by one step or more, without what is missed */
} star;

static bool is_operator(const temporal *t) { return t->kind >= TEMPORAL_X && t->kind <= TEMPORAL_W; }

static void collect(star *s, const small_formula *f, const temporal *t) {
  if (temporal_is_of_states(t)) {
    s->states[s->state_count] = t;
    s->meaning[s->state_count++] = small_meaning(s->g, f, t);
    return;
  }
  if (is_operator(t)) {
    REQUIRE(s->count < MOST_OPERATORS, "few operators");
    s->operators[s->count++] = t;
  }
  collect(s, f, t->left);
  if (t->right) collect(s, f, t->right);
}

unsigned small_star_operators(const temporal *t) {
  if (t->kind == TEMPORAL_STATE) return 0;
  unsigned l = small_star_operators(t->left), r = t->right ? small_star_operators(t->right) : 0;
  if (t->kind == TEMPORAL_A || t->kind == TEMPORAL_E) return l; /* the most of those below it */
  return is_operator(t) ? l + r + 1 : l + r;
}

/* Its value at a position. */
static bool value(const star *s, const temporal *t, unsigned position) {
  unsigned n = position >> s->count;
  for (unsigned i = 0; i < s->state_count; i++)
    if (s->states[i] == t) return s->meaning[i] >> n & 1;
  for (unsigned i = 0; i < s->count; i++)
    if (s->operators[i] == t) return position >> i & 1;
  bool l = value(s, t->left, position), r = t->right && value(s, t->right, position);
  return t->kind == TEMPORAL_NOT       ? !l
         : t->kind == TEMPORAL_AND     ? l && r
         : t->kind == TEMPORAL_OR      ? l || r
         : t->kind == TEMPORAL_IMPLIES ? !l || r
                                       : l == r;
}

/* The law of each operator between a position and the next one. */
static bool agrees(const star *s, unsigned i, unsigned now, unsigned next) {
  const temporal *t = s->operators[i];
  bool l = value(s, t->left, now), r = t->right && value(s, t->right, now), later = next >> i & 1;
  bool law = t->kind == TEMPORAL_X   ? value(s, t->left, next)
             : t->kind == TEMPORAL_F ? l || later
             : t->kind == TEMPORAL_G ? l && later
             : t->kind == TEMPORAL_R ? r && (l || later)
                                     : r || (l && later);
  return law == (now >> i & 1);
}

static void add_steps(star *s, unsigned from, unsigned action, unsigned to_node) {
  for (unsigned guess = 0; guess < 1u << s->count; guess++) {
    unsigned to = to_node << s->count | guess;
    bool fine = true;
    for (unsigned i = 0; i < s->count && fine; i++) fine = agrees(s, i, from, to);
    if (fine) VECTOR_PUSH(s->steps, (star_step){(uint16_t)from, (uint16_t)to, (uint8_t)action});
  }
}

static void add_all_steps(star *s) {
  for (unsigned p = 0; p < s->positions; p++) {
    unsigned n = p >> s->count;
    for (unsigned a = 0; a < s->g->actions; a++)
      for (unsigned to = 0; to < s->g->nodes; to++)
        if (s->g->after[a][n] >> to & 1) add_steps(s, p, a, to);
    if (!small_graph_after(s->g, n, false)) add_steps(s, p, MOST_ACTIONS, n);
  }
}

/* Does event `k` of a constraint happen in the step? Weak: the group cannot be taken, or is; strong: it can, or is. */
static bool happens(const star *s, const small_fairness *f, unsigned k, const star_step *step) {
  unsigned n = step->from >> s->count, to = step->to >> s->count;
  bool can = small_graph_enabled(s->g, f->group, n), is_real = step->action < MOST_ACTIONS;
  switch (f->kind) {
    case FAIR_STATE: return f->state >> n & 1;
    case FAIR_WEAK:
    case FAIR_STRONG: return k ? is_real && f->group >> step->action & 1 : can == (f->kind == FAIR_STRONG);
    default: return f->often[k].is_of_steps ? is_real && f->often[k].steps[n] >> to & 1 : f->often[k].states >> n & 1;
  }
}

static bool is_met(const small_fairness *f, const bool *seen) {
  switch (f->kind) {
    case FAIR_STATE: return seen[0];
    case FAIR_WEAK: return seen[0] || seen[1];
    case FAIR_STRONG: return !seen[0] || seen[1];
    default: return small_fair_forms[f->form].truth >> (seen[0] + 2 * seen[1]) & 1;
  }
}

static bool is_missed(const star *s, unsigned missed, const star_step *step) {
  for (unsigned i = 0; i < 2 * s->g->fair_count; i++)
    if (missed >> i & 1 && happens(s, &s->g->fair[i / 2], i % 2, step)) return true;
  return false;
}

static void reach(star *s, unsigned missed) {
  memset(s->reaches, 0, sizeof s->reaches);
  for (unsigned i = 0; i < s->steps.count; i++)
    if (!is_missed(s, missed, &s->steps.at[i])) s->reaches[s->steps.at[i].from][s->steps.at[i].to] = true;
  for (unsigned k = 0; k < s->positions; k++)
    for (unsigned i = 0; i < s->positions; i++)
      for (unsigned j = 0; s->reaches[i][k] && j < s->positions; j++) s->reaches[i][j] |= s->reaches[k][j];
}

/* Once in a while what an operator promises is kept. */
static bool is_kept(const star *s, unsigned i, unsigned p) {
  const temporal *t = s->operators[i];
  bool is_true = p >> i & 1, l = value(s, t->left, p), r = t->right && value(s, t->right, p);
  switch (t->kind) {
    case TEMPORAL_F: return !is_true || l;
    case TEMPORAL_U: return !is_true || r;
    case TEMPORAL_G: return is_true || !l;
    case TEMPORAL_R: return is_true || !r;
    case TEMPORAL_W: return is_true || !(l || r);
    default: return true;
  }
}

/* Everything between what reaches the position and is reached from it, done for ever. */
static bool is_good(const star *s, unsigned missed, unsigned p) {
  bool seen[2 * MOST_FAIR] = {false}, kept[MOST_OPERATORS] = {false}, fine = s->reaches[p][p];
  for (unsigned i = 0; i < s->steps.count && fine; i++) {
    const star_step *step = &s->steps.at[i];
    if (!s->reaches[p][step->from] || !s->reaches[step->to][p] || is_missed(s, missed, step)) continue;
    for (unsigned k = 0; k < 2 * s->g->fair_count; k++) seen[k] |= happens(s, &s->g->fair[k / 2], k % 2, step);
    for (unsigned k = 0; k < s->count; k++) kept[k] |= is_kept(s, k, step->from);
  }
  for (unsigned k = 0; k < s->g->fair_count && fine; k++) fine = is_met(&s->g->fair[k], seen + 2 * k);
  for (unsigned k = 0; k < s->count && fine; k++) fine = kept[k];
  return fine;
}

/* Events whose absence can be of use. */
static unsigned most_missed(const small_graph *g) {
  unsigned all = 0;
  for (unsigned i = 0; i < g->fair_count; i++) {
    if (g->fair[i].kind == FAIR_STRONG) all |= 1u << 2 * i;
    if (g->fair[i].kind == FAIR_FORMULA) all |= 3u << 2 * i;
  }
  return all;
}

uint8_t small_star_some(const small_graph *g, const small_formula *f, const temporal *t) {
  star *s = MEMORY_NEW(star);
  uint8_t found = 0;
  bool good[MOST_POSITIONS] = {false};
  s->g = g;
  collect(s, f, t);
  s->positions = g->nodes << s->count;
  add_all_steps(s);
  unsigned may_miss = most_missed(g);
  for (unsigned missed = 0; missed <= may_miss; missed++) {
    if (missed & ~may_miss) continue;
    reach(s, missed);
    for (unsigned p = 0; p < s->positions; p++) good[p] |= is_good(s, missed, p);
  }
  reach(s, 0);
  for (unsigned p = 0; p < s->positions; p++)
    for (unsigned end = 0; end < s->positions; end++)
      if (good[end] && (end == p || s->reaches[p][end]) && value(s, t, p)) found |= (uint8_t)(1u << (p >> s->count));
  VECTOR_FREE(s->steps);
  memory_free(s);
  return found;
}
