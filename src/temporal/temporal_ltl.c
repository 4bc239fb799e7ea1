/* LTL by the tableau of Clarke, Grumberg and Hamaguchi: a variable for every X f and for every f U g ("f U g holds
 * next"), a step wherever these variables say of the next state what is true there, and for every f U g the constraint
 * that infinitely often g holds or f U g does not. A fair run of the product on which the formula is false at first is
 * a counterexample. In CTL* a part that is true or false of states is a known set. */
#include "temporal/temporal_inside.h"

/* A variable and what it says of the next state, both over `now`. */
typedef struct promise {
  obdd variable, kept;
} promise;

typedef struct known_truth {
  const temporal *formula;
  obdd truth;
} known_truth;

typedef struct builder {
  temporal_checker *c;
  const temporal_question *q;
  VECTOR(uint32_t) now, next; /* of the system, then those added */
  VECTOR(promise) promises;
  VECTOR(known_truth) known; /* those seen so far */
  VECTOR(obdd) goals;        /* states infinitely often */
} builder;

static bool same_formula(const temporal *f, const temporal *g) {
  if (f == g) return true;
  if (!f || !g || f->kind != g->kind) return false;
  if (f->kind == TEMPORAL_STATE) return term_same(f->state, g->state);
  return same_formula(f->left, g->left) && same_formula(f->right, g->right);
}

static obdd add_variable(builder *b) {
  size_t first = obdds_extend(b->c->d, 2);
  VECTOR_PUSH(b->now, (uint32_t)first);
  VECTOR_PUSH(b->next, (uint32_t)(first + 1));
  return obdd_variable(b->c->d, first);
}

/* f U g, where f and g are given by where they hold. */
static obdd until(builder *b, obdd f, obdd g) {
  obdds *d = b->c->d;
  promise p = {.variable = add_variable(b)};
  p.kept = obdd_or(d, g, obdd_and(d, f, p.variable));
  VECTOR_PUSH(b->promises, p);
  VECTOR_PUSH(b->goals, obdd_or(d, obdd_not(d, p.kept), g));
  return p.kept;
}

static obdd next(builder *b, obdd operand) {
  promise p = {add_variable(b), operand};
  VECTOR_PUSH(b->promises, p);
  return p.variable;
}

static obdd truth(builder *b, const temporal *f);

static obdd truth_of_operator(builder *b, const temporal *f) {
  obdds *d = b->c->d;
  obdd left = truth(b, f->left), right = f->right ? truth(b, f->right) : OBDD_FALSE;
  switch (f->kind) {
    case TEMPORAL_NOT: return obdd_not(d, left);
    case TEMPORAL_AND: return obdd_and(d, left, right);
    case TEMPORAL_OR: return obdd_or(d, left, right);
    case TEMPORAL_IMPLIES: return obdd_or(d, obdd_not(d, left), right);
    case TEMPORAL_IFF: return obdd_iff(d, left, right);
    case TEMPORAL_X: return next(b, left);
    case TEMPORAL_F: return until(b, OBDD_TRUE, left);
    case TEMPORAL_G: return obdd_not(d, until(b, OBDD_TRUE, obdd_not(d, left)));
    case TEMPORAL_U: return until(b, left, right);
    case TEMPORAL_R: return obdd_not(d, until(b, obdd_not(d, left), obdd_not(d, right)));
    case TEMPORAL_W: { /* not (!g U !(f or g)) */
      obdd either = obdd_or(d, left, right);
      return obdd_not(d, until(b, obdd_not(d, right), obdd_not(d, either)));
    }
    default: REQUIRE(false, "a formula of LTL"); return OBDD_FALSE;
  }
}

/* The states where `f` holds, if it is about runs, over the system's variables and those of the tableau. Equal subformulas share their
 * variables. */
static obdd truth(builder *b, const temporal *f) {
  if (f->kind == TEMPORAL_STATE) return b->q->read(b->q->context, f->state);
  if (b->q->logic == PROPERTY_CTLSTAR && temporal_is_of_states(f)) return temporal_states_ctl(b->c, b->q, f);
  for (size_t i = 0; i < b->known.count; i++)
    if (same_formula(b->known.at[i].formula, f)) return b->known.at[i].truth;
  known_truth made = {f, truth_of_operator(b, f)};
  VECTOR_PUSH(b->known, made);
  return made.truth;
}

static obdd keeps_promises(builder *b, fair_graph *g) {
  obdds *d = b->c->d;
  obdd all = OBDD_TRUE;
  for (size_t i = 0; i < b->promises.count; i++) {
    obdd kept = obdd_rename(d, b->promises.at[i].kept, g->to_next);
    all = obdd_and(d, all, obdd_iff(d, b->promises.at[i].variable, kept));
  }
  return all;
}

void tableau_init(tableau *t, temporal_checker *c, const temporal_question *q, const temporal *f) {
  builder b = {.c = c, .q = q};
  for (size_t i = 0; i < c->graph.bits; i++) {
    VECTOR_PUSH(b.now, c->graph.now[i]);
    VECTOR_PUSH(b.next, c->graph.next[i]);
  }
  obdd holds = truth(&b, f);
  fair_graph *g = &t->graph;
  fair_graph_init(g, c->d, c->graph.budget, b.now.count, b.now.at, b.next.at);
  g->states = c->graph.states;
  t->violating = obdd_minus(c->d, g->states, holds);
  t->added_cube = obdd_cube(c->d, b.now.count - c->graph.bits, b.now.at + c->graph.bits);
  obdd promised = keeps_promises(&b, g);
  for (size_t i = 0; i < c->graph.steps.count; i++)
    VECTOR_PUSH(g->steps, obdd_and(c->d, c->graph.steps.at[i], promised));
  for (size_t i = 0; i < c->graph.constraints.count; i++) VECTOR_PUSH(g->constraints, c->graph.constraints.at[i]);
  g->cases = c->graph.cases;
  for (size_t i = 0; i < b.goals.count; i++) VECTOR_PUSH(g->constraints, (fair_constraint){.seen = b.goals.at[i]});
  VECTOR_FREE(b.now);
  VECTOR_FREE(b.next);
  VECTOR_FREE(b.promises);
  VECTOR_FREE(b.known);
  VECTOR_FREE(b.goals);
}

void tableau_clear(tableau *t) { fair_graph_clear(&t->graph); }
