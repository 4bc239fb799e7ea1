/* CTL under fairness by its existential operators, and the mu-calculus by iteration. Formulas are as deep as their
 * text. */
#include "temporal/temporal_inside.h"

static obdd complement(temporal_checker *c, obdd set) { return obdd_minus(c->d, c->graph.states, set); }
static obdd fairly(temporal_checker *c, obdd set) { return obdd_and(c->d, set, temporal_fair_states(c)); }

static obdd some_next(temporal_checker *c, obdd f) { return fair_graph_before(&c->graph, fairly(c, f)); }
static obdd some_until(temporal_checker *c, obdd f, obdd g) { return fair_graph_until(&c->graph, f, fairly(c, g)); }
static obdd some_always(temporal_checker *c, obdd f) { return fair_graph_fair_forever(&c->graph, f); }

/* A[f U g] = not (E[!g U !f & !g] or EG !g) */
static obdd all_until(temporal_checker *c, obdd f, obdd g) {
  obdd not_g = complement(c, g), neither = obdd_minus(c->d, not_g, f);
  return complement(c, obdd_or(c->d, some_until(c, not_g, neither), some_always(c, not_g)));
}

static obdd proposition(temporal_checker *c, const temporal_question *q, term t) {
  return obdd_and(c->d, q->read(q->context, t), c->graph.states);
}

/* What the connectives make of their operands; `g` is unused if there is one operand. */
static obdd connect(temporal_checker *c, temporal_kind kind, obdd f, obdd g) {
  switch (kind) {
    case TEMPORAL_NOT: return complement(c, f);
    case TEMPORAL_AND: return obdd_and(c->d, f, g);
    case TEMPORAL_OR: return obdd_or(c->d, f, g);
    case TEMPORAL_IMPLIES: return obdd_or(c->d, complement(c, f), g);
    case TEMPORAL_IFF: return obdd_and(c->d, obdd_iff(c->d, f, g), c->graph.states);
    default: REQUIRE(false, "a connective"); return OBDD_FALSE;
  }
}

static obdd quantify(temporal_checker *c, temporal_kind kind, obdd f, obdd g) {
  obdd all = c->graph.states;
  switch (kind) {
    case TEMPORAL_EX: return some_next(c, f);
    case TEMPORAL_AX: return complement(c, some_next(c, complement(c, f)));
    case TEMPORAL_EF: return some_until(c, all, f);
    case TEMPORAL_AG: return complement(c, some_until(c, all, complement(c, f)));
    case TEMPORAL_EG: return some_always(c, f);
    case TEMPORAL_AF: return complement(c, some_always(c, complement(c, f)));
    case TEMPORAL_EU: return some_until(c, f, g);
    case TEMPORAL_AU: return all_until(c, f, g);
    default: return connect(c, kind, f, g);
  }
}

obdd temporal_states_ctl(temporal_checker *c, const temporal_question *q, const temporal *f) {
  if (f->kind == TEMPORAL_STATE) return proposition(c, q, f->state);
  if (f->kind == TEMPORAL_A || f->kind == TEMPORAL_E) return temporal_states_quantified(c, f);
  size_t mark = obdds_mark(c->d);
  temporal_fair_states(c);
  obdd left = temporal_states_ctl(c, q, f->left);
  obdd right = f->right ? temporal_states_ctl(c, q, f->right) : OBDD_FALSE;
  obdd result = quantify(c, f->kind, left, right);
  obdds_release(c->d, mark, 2, (obdd[]){c->fair, result});
  return result;
}

/* ---- the mu-calculus ---- */

typedef struct binding {
  const char *name;
  obdd value;
  const struct binding *outer;
} binding;

/* The steps there are: the last one is idling, which the calculus does not know. */
static obdd real_before(temporal_checker *c, obdd target) {
  return obdd_minus(c->d, fair_graph_before(&c->graph, target), c->deadlocks);
}

static obdd states_mu(temporal_checker *c, const temporal_question *q, const temporal *f, const binding *bound);

static obdd fixpoint(temporal_checker *c, const temporal_question *q, const temporal *f, const binding *bound) {
  binding own = {f->name, f->kind == TEMPORAL_MU ? OBDD_FALSE : c->graph.states, bound};
  size_t mark = obdds_mark(c->d);
  for (bool stable = false; !stable && !fair_graph_must_stop(&c->graph);) {
    obdd next = states_mu(c, q, f->left, &own);
    stable = obdd_same(next, own.value);
    own.value = next;
    obdds_release(c->d, mark, 1, &own.value);
  }
  return own.value;
}

static obdd states_mu(temporal_checker *c, const temporal_question *q, const temporal *f, const binding *bound) {
  size_t mark = obdds_mark(c->d);
  obdd result;
  switch (f->kind) {
    case TEMPORAL_STATE: return proposition(c, q, f->state);
    case TEMPORAL_FIXPOINT_VARIABLE:
      while (bound && strcmp(bound->name, f->name)) bound = bound->outer;
      REQUIRE(bound, "a bound variable");
      return bound->value;
    case TEMPORAL_MU:
    case TEMPORAL_NU: return fixpoint(c, q, f, bound);
    case TEMPORAL_DIAMOND: result = real_before(c, states_mu(c, q, f->left, bound)); break;
    case TEMPORAL_BOX: result = complement(c, real_before(c, complement(c, states_mu(c, q, f->left, bound)))); break;
    default: {
      obdd left = states_mu(c, q, f->left, bound);
      result = connect(c, f->kind, left, f->right ? states_mu(c, q, f->right, bound) : OBDD_FALSE);
    }
  }
  obdds_release(c->d, mark, 1, &result);
  return result;
}

obdd temporal_states_mu(temporal_checker *c, const temporal_question *q, const temporal *f) {
  return states_mu(c, q, f, NULL);
}
