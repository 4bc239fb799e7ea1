/* Counterexamples. LTL: a fair loop of the product with the tableau. CTL: what an existential claim promises is walked, one operator
 * after the other; a claim about the last state of a path makes the path longer, any other starts a branch of its own. CTL*: the same,
 * and below a path quantifier a loop as for LTL. If paths cannot show it all, they show how far they can: to the states from which
 * something cannot be done, or around a loop of them. */
#include "temporal/temporal_inside.h"

void finite_witness_clear(finite_witness *w) {
  for (size_t i = 0; i < w->count; i++) {
    VECTOR_FREE(w->at[i].states);
    VECTOR_FREE(w->at[i].actions);
  }
  VECTOR_FREE(*w);
  w->is_partial = false;
}

static obdd bad_start(temporal_checker *c, obdd satisfying) {
  obdd start = obdd_and(c->d, c->system->initial, c->graph.states);
  return fair_graph_pick(&c->graph, obdd_minus(c->d, start, satisfying));
}

static bool is_found(temporal_checker *c, bool shown, finite_witness *out) {
  if (shown && !temporal_trouble(c)) return true;
  finite_witness_clear(out);
  return false;
}

/* ---- LTL ---- */

static bool is_same_position(const finite_branch *b, size_t bits, size_t x, size_t y) {
  return b->actions.at[x] == b->actions.at[y] &&
         (!bits || !memcmp(b->states.at + x * bits, b->states.at + y * bits, bits * sizeof *b->states.at));
}

/* What the tableau distinguishes need not be different in the system: a loop that is a shorter one several times over
 * becomes that one, and a path that ends like the loop enters it earlier, but not before position `first`. The run stays the same. */
static void shorten_loop(finite_branch *b, size_t bits, size_t first) {
  size_t end = b->actions.count, length = end - b->loop, period = 1;
  for (; period < length; period++) {
    bool repeats = length % period == 0;
    for (size_t i = b->loop; i + period < end && repeats; i++) repeats = is_same_position(b, bits, i, i + period);
    if (repeats) break;
  }
  end = b->loop + period;
  while (b->loop > first && is_same_position(b, bits, b->loop - 1, end - 1)) {
    b->loop--;
    end--;
  }
  b->actions.count = end;
  b->states.count = (end + 1) * (bits ? bits : 1);
}

/* The conjunct that fails in an initial state. */
static const temporal *failing_conjunct(temporal_checker *c, const temporal_question *q) {
  const temporal *f = q->formula;
  while (f->kind == TEMPORAL_AND) {
    size_t mark = obdds_mark(c->d);
    obdd start = obdd_and(c->d, c->system->initial, c->graph.states);
    bool left_fails = obdd_minus(c->d, start, temporal_states_ltl(c, q, f->left)).node != 0;
    obdds_release(c->d, mark, 0, NULL);
    f = left_fails ? f->left : f->right;
  }
  return f;
}

static bool counterexample_ltl(temporal_checker *c, const temporal_question *q, finite_witness *out) {
  tableau t;
  tableau_init(&t, c, q, failing_conjunct(c, q));
  obdd fair = fair_graph_fair_forever(&t.graph, t.graph.states);
  obdd start = obdd_and(c->d, obdd_and(c->d, t.violating, fair), c->system->initial);
  obdd state = fair_graph_pick(&t.graph, start);
  if (state.node) {
    finite_branch b = {.parent = TEMPORAL_NO_PARENT, .loop = TEMPORAL_NO_LOOP};
    branch_add(&b, &t.graph, c->graph.bits, state, 0);
    branch_loop(&b, &t.graph, c->graph.bits, state, t.graph.states);
    if (!t.graph.is_stopped && !obdds_trouble(c->d)) shorten_loop(&b, c->graph.bits, 0);
    VECTOR_PUSH(*out, b);
  }
  c->graph.is_stopped |= t.graph.is_stopped;
  tableau_clear(&t);
  return state.node != 0;
}

/* ---- CTL ---- */

typedef struct showing {
  temporal_checker *c;
  const temporal_question *q;
  finite_witness *out;
  bool is_lenient; /* what paths cannot show is left out */
} showing;

typedef struct spot {
  uint32_t branch;
  size_t position;
  obdd state;
} spot;

static obdd states_of(showing *t, const temporal *f, bool wanted) {
  obdd s = temporal_states_ctl(t->c, t->q, f);
  return wanted ? s : obdd_minus(t->c->d, t->c->graph.states, s);
}

/* The branch that a path from `at` goes on: its own, or a new one. */
static uint32_t branch_from(showing *t, const spot *at) {
  if (at->branch != TEMPORAL_NO_PARENT) {
    const finite_branch *old = &t->out->at[at->branch];
    if (at->position == old->actions.count && old->loop == TEMPORAL_NO_LOOP) return at->branch;
  }
  finite_branch made = {.parent = at->branch, .position = at->position, .loop = TEMPORAL_NO_LOOP};
  branch_add(&made, &t->c->graph, t->c->graph.bits, at->state, 0);
  VECTOR_PUSH(*t->out, made);
  return (uint32_t)t->out->count - 1;
}

static bool show(showing *t, const temporal *f, bool wanted, const spot *at);

static obdd state_at(showing *t, uint32_t branch, size_t position) {
  fair_graph *g = &t->c->graph;
  obdd state = OBDD_TRUE;
  for (size_t i = 0; i < g->bits; i++) {
    obdd v = obdd_variable(g->d, g->now[i]);
    bool value = t->out->at[branch].states.at[position * g->bits + i];
    state = obdd_and(g->d, state, value ? v : obdd_not(g->d, v));
  }
  return state;
}

/* `f` in the states from `first` to before `last` of a branch. */
static bool show_along(showing *t, const temporal *f, bool wanted, uint32_t branch, size_t first, size_t last) {
  if (temporal_is_propositional(f)) return true;
  for (size_t i = first; i < last; i++)
    if (!show(t, f, wanted, &(spot){branch, i, state_at(t, branch, i)})) return false;
  return true;
}

/* A path through `through` (where `f` is as wanted) to `target`, where the caller goes on. */
static spot walk(showing *t, const spot *at, obdd through, obdd target) {
  fair_graph *g = &t->c->graph;
  uint32_t branch = branch_from(t, at);
  obdd goal = obdd_and(g->d, target, temporal_fair_states(t->c));
  obdd state = branch_walk(&t->out->at[branch], g, g->bits, at->state, through, goal);
  return (spot){branch, t->out->at[branch].actions.count, state};
}

static bool show_next(showing *t, const temporal *f, bool wanted, const spot *at) {
  fair_graph *g = &t->c->graph;
  uint32_t branch = branch_from(t, at);
  obdd goal = obdd_and(g->d, states_of(t, f, wanted), temporal_fair_states(t->c));
  obdd state = branch_step(&t->out->at[branch], g, g->bits, at->state, NULL, goal);
  return show(t, f, wanted, &(spot){branch, t->out->at[branch].actions.count, state});
}

/* The position at which a path from `at` starts on `branch`. */
static size_t first_on(const spot *at, uint32_t branch) { return branch == at->branch ? at->position : 0; }

/* E[f U g]; `f` NULL stands for true. */
static bool show_until(showing *t, const temporal *f, const temporal *g, const spot *at) {
  obdd through = f ? states_of(t, f, true) : t->c->graph.states;
  spot end = walk(t, at, through, states_of(t, g, true));
  size_t first = first_on(at, end.branch);
  return show(t, g, true, &end) && (!f || show_along(t, f, true, end.branch, first, end.position));
}

/* EF !f */
static bool show_reached_false(showing *t, const temporal *f, const spot *at) {
  spot end = walk(t, at, t->c->graph.states, states_of(t, f, false));
  return show(t, f, false, &end);
}

/* EG f, or EG !f */
static bool show_always(showing *t, const temporal *f, bool wanted, const spot *at) {
  uint32_t branch = branch_from(t, at);
  size_t first = first_on(at, branch);
  branch_loop(&t->out->at[branch], &t->c->graph, t->c->graph.bits, at->state, states_of(t, f, wanted));
  return show_along(t, f, wanted, branch, first, t->out->at[branch].actions.count);
}

/* not A[f U g]: EG !g, or E[!g U !f & !g] */
static bool show_not_all_until(showing *t, const temporal *f, const temporal *g, const spot *at) {
  obdds *d = t->c->d;
  obdd not_g = states_of(t, g, false), neither = obdd_and(d, not_g, states_of(t, f, false));
  if (obdd_and(d, at->state, fair_graph_fair_forever(&t->c->graph, not_g)).node) return show_always(t, g, false, at);
  spot end = walk(t, at, not_g, neither);
  size_t first = first_on(at, end.branch);
  return show(t, f, false, &end) && show_along(t, g, false, end.branch, first, end.position + 1);
}

static bool show_both(showing *t, const temporal *f, bool f_wanted, const temporal *g, bool g_wanted, const spot *at) {
  return show(t, f, f_wanted, at) && show(t, g, g_wanted, at);
}

/* One of two suffices. The first that is so is tried, and the other if the first shows nothing at all. */
static bool show_either(showing *t, const temporal *f, bool f_wanted, const temporal *g, bool g_wanted,
                        const spot *at) {
  size_t branches = t->out->count, steps = t->out->at[at->branch].actions.count;
  if (obdd_and(t->c->d, at->state, states_of(t, f, f_wanted)).node) {
    if (show(t, f, f_wanted, at)) return true;
    if (t->out->count != branches || t->out->at[at->branch].actions.count != steps) return false;
  }
  return obdd_and(t->c->d, at->state, states_of(t, g, g_wanted)).node && show(t, g, g_wanted, at);
}

static bool show_same(showing *t, const temporal *f, bool wanted, const spot *at) {
  bool left = obdd_and(t->c->d, at->state, states_of(t, f->left, true)).node != 0;
  return show_both(t, f->left, left, f->right, left == wanted, at);
}

/* What paths cannot show. */
static bool leave_out(showing *t) {
  t->out->is_partial = true;
  return t->is_lenient;
}

/* Only what is written of single states is in `f`, besides operators about runs. */
static bool is_about_one_run(const temporal *f) {
  if (temporal_is_of_states(f)) return temporal_is_propositional(f);
  return is_about_one_run(f->left) && (!f->right || is_about_one_run(f->right));
}

/* A fair run from there on which `f` is as wanted: a loop of the product with the tableau. */
static bool show_run(showing *t, const temporal *f, bool wanted, const spot *at) {
  temporal_checker *c = t->c;
  temporal opposite = {.kind = TEMPORAL_NOT, .state = TERM_TRUE, .left = (temporal *)f};
  if (!is_about_one_run(f) && !leave_out(t)) return false;
  tableau made;
  tableau_init(&made, c, t->q, wanted ? &opposite : f);
  fair_graph *g = &made.graph;
  obdd fair = fair_graph_fair_forever(g, g->states);
  obdd state = fair_graph_pick(g, obdd_and(c->d, obdd_and(c->d, made.violating, fair), at->state));
  if (state.node) {
    uint32_t branch = branch_from(t, at);
    size_t first = first_on(at, branch);
    branch_loop(&t->out->at[branch], g, c->graph.bits, state, g->states);
    if (!g->is_stopped && !obdds_trouble(c->d)) shorten_loop(&t->out->at[branch], c->graph.bits, first);
  }
  c->graph.is_stopped |= g->is_stopped;
  tableau_clear(&made);
  return state.node != 0;
}

/* Something with E that holds, or with A that fails. */
static bool is_claim_of_a_run(const temporal *f, bool wanted) {
  temporal_kind k = f->kind;
  bool is_all = k == TEMPORAL_AX || k == TEMPORAL_AF || k == TEMPORAL_AG || k == TEMPORAL_AU || k == TEMPORAL_A;
  return is_all != wanted;
}

static bool show_claim(showing *t, const temporal *f, bool wanted, const spot *at) {
  const temporal *l = f->left, *r = f->right;
  switch (f->kind) {
    case TEMPORAL_EX:
    case TEMPORAL_AX: return show_next(t, l, wanted, at);
    case TEMPORAL_EF: return show_until(t, NULL, l, at);
    case TEMPORAL_AG: return show_reached_false(t, l, at);
    case TEMPORAL_EG:
    case TEMPORAL_AF: return show_always(t, l, wanted, at);
    case TEMPORAL_EU: return show_until(t, l, r, at);
    case TEMPORAL_AU: return show_not_all_until(t, l, r, at);
    case TEMPORAL_E:
    case TEMPORAL_A: return show_run(t, l, wanted, at);
    default: REQUIRE(false, "an operator of CTL or a path quantifier"); return false;
  }
}

/* `f` is as `wanted` in the state; false if paths cannot show it. */
static bool show(showing *t, const temporal *f, bool wanted, const spot *at) {
  if (fair_graph_must_stop(&t->c->graph) || !at->state.node) return false;
  if (temporal_is_propositional(f)) return true;
  const temporal *l = f->left, *r = f->right;
  switch (f->kind) {
    case TEMPORAL_NOT: return show(t, l, !wanted, at);
    case TEMPORAL_AND: return wanted ? show_both(t, l, true, r, true, at) : show_either(t, l, false, r, false, at);
    case TEMPORAL_OR: return wanted ? show_either(t, l, true, r, true, at) : show_both(t, l, false, r, false, at);
    case TEMPORAL_IMPLIES: return wanted ? show_either(t, l, false, r, true, at) : show_both(t, l, true, r, false, at);
    case TEMPORAL_IFF: return show_same(t, f, wanted, at);
    default: return is_claim_of_a_run(f, wanted) ? show_claim(t, f, wanted, at) : leave_out(t);
  }
}

/* If there is fairness, paths that just end go on to a fair loop; but a formula without path quantifier can fail
 * if no run is fair. */
static void close_branches(showing *t) {
  temporal_checker *c = t->c;
  for (uint32_t i = 0; i < t->out->count && fair_graph_is_constrained(&c->graph); i++) {
    if (t->out->at[i].loop != TEMPORAL_NO_LOOP) continue;
    obdd last = state_at(t, i, t->out->at[i].actions.count);
    if (!obdd_and(c->d, last, temporal_fair_states(c)).node) continue;
    branch_loop(&t->out->at[i], &c->graph, c->graph.bits, last, temporal_fair_states(c));
  }
}

static bool show_so(showing *t, bool wanted, obdd start) {
  spot root = {TEMPORAL_NO_PARENT, 0, start};
  root.branch = branch_from(t, &root);
  return show(t, t->q->formula, wanted, &root);
}

/* A state alone shows nothing. */
static bool shows_steps(const finite_witness *w) { return w->count > 1 || (w->count && w->at[0].actions.count); }

static bool show_ctl(temporal_checker *c, const temporal_question *q, bool wanted, bool is_lenient, obdd start,
                     finite_witness *out) {
  showing t = {c, q, out, false};
  if (!start.node) return false;
  bool shown = show_so(&t, wanted, start);
  if (shown) {
    out->is_partial = false;
  } else if (is_lenient) {
    finite_witness_clear(out);
    t.is_lenient = true;
    shown = show_so(&t, wanted, start) && shows_steps(out);
  }
  if (shown) close_branches(&t);
  return shown;
}

bool temporal_counterexample(temporal_checker *c, const temporal_question *q, finite_witness *out) {
  if (q->logic == PROPERTY_MU) return false;
  if (q->logic == PROPERTY_CTLSTAR) temporal_find_quantified(c, q, q->formula);
  size_t mark = obdds_mark(c->d);
  temporal_fair_states(c);
  bool shown = q->logic == PROPERTY_LTL
                   ? counterexample_ltl(c, q, out)
                   : show_ctl(c, q, false, true, bad_start(c, temporal_states_ctl(c, q, q->formula)), out);
  obdds_release(c->d, mark, 1, &c->fair);
  return is_found(c, shown, out);
}

bool temporal_example(temporal_checker *c, const temporal_question *q, finite_witness *out) {
  if (q->logic != PROPERTY_CTL && q->logic != PROPERTY_CTLSTAR) return false;
  if (q->logic == PROPERTY_CTLSTAR) temporal_find_quantified(c, q, q->formula);
  size_t mark = obdds_mark(c->d);
  obdd good = obdd_and(c->d, temporal_states_ctl(c, q, q->formula), c->system->initial);
  bool shown = show_ctl(c, q, true, false, fair_graph_pick(&c->graph, good), out);
  obdds_release(c->d, mark, 1, &c->fair);
  return is_found(c, shown, out);
}
