#include "oracle/small_graph.h"

#include <string.h>

static uint8_t random_set(random_source *r, unsigned nodes, unsigned one_in) {
  uint8_t set = 0;
  for (unsigned i = 0; i < nodes; i++)
    if (!random_below(r, one_in)) set |= (uint8_t)(1u << i);
  return set;
}

small_graph small_graph_random(random_source *r, unsigned most_nodes) {
  small_graph g = {.nodes = (unsigned)random_between(r, 1, most_nodes),
                   .actions = (unsigned)random_between(r, 1, MOST_ACTIONS)};
  unsigned thin = (unsigned)random_between(r, 2, 6);
  for (unsigned a = 0; a < g.actions; a++)
    for (unsigned n = 0; n < g.nodes; n++) g.after[a][n] = random_set(r, g.nodes, thin);
  g.initial = (uint8_t)(1u << random_below(r, g.nodes));
  if (random_below(r, 2)) g.initial |= random_set(r, g.nodes, 3);
  for (unsigned p = 0; p < PROPOSITIONS; p++) g.truth[p] = random_set(r, g.nodes, 2);
  g.fair_count = (unsigned)random_below(r, MOST_FAIR + 1);
  for (unsigned i = 0; i < g.fair_count; i++)
    g.fair[i] = (small_fairness){.kind = (fairness_kind)random_below(r, 3),
                                 .group = (unsigned)random_between(r, 1, (1 << g.actions) - 1),
                                 .state = random_set(r, g.nodes, 2)};
  return g;
}

/* Worked out by hand: bit 0 is for neither, 1 for the first alone, 2 for the second alone, 3 for both. */
const struct small_fair_form small_fair_forms[SMALL_FAIR_FORMS] = {
    {13, "fair streett (a, b)"},          {4, "fair rabin (a, b)"},
    {9, "fair when inf(a) <=> inf(b)"},   {11, "fair when inf(a) || !inf(b)"},
    {7, "fair when !(inf(a) && inf(b))"}, {6, "fair rabin (a, b), (b, a)"},
    {9, "fair streett (a, b), (b, a)"},   {5, "fair when !inf(a)"},
    {8, "fair when inf(a) && inf(b)"},
};

void small_graph_add_formulas(random_source *r, small_graph *g, unsigned most) {
  if (g->fair_count > most) g->fair_count = most;
  if (!g->fair_count) g->fair_count = 1;
  for (unsigned i = 0; i < g->fair_count; i++) {
    small_fairness *f = &g->fair[i];
    if (i && random_below(r, 2)) continue;
    *f = (small_fairness){.kind = FAIR_FORMULA, .form = (unsigned)random_below(r, SMALL_FAIR_FORMS)};
    for (unsigned k = 0; k < 2; k++) {
      f->often[k].is_of_steps = random_below(r, 2);
      f->often[k].states = random_set(r, g->nodes, 2);
      bool is_of_ends = !random_below(r, 3); /* it depends on where a step ends alone */
      for (unsigned n = 0; n < g->nodes; n++)
        f->often[k].steps[n] = is_of_ends ? f->often[k].states : random_set(r, g->nodes, 2);
    }
  }
}

uint8_t small_graph_after(const small_graph *g, unsigned n, bool with_idling) {
  uint8_t all = 0;
  for (unsigned a = 0; a < g->actions; a++) all |= g->after[a][n];
  return all || !with_idling ? all : (uint8_t)(1u << n);
}

static uint8_t before(const small_graph *g, uint8_t target, bool with_idling) {
  uint8_t set = 0;
  for (unsigned n = 0; n < g->nodes; n++)
    if (small_graph_after(g, n, with_idling) & target) set |= (uint8_t)(1u << n);
  return set;
}

uint8_t small_graph_reachable(const small_graph *g) {
  uint8_t set = g->initial;
  for (unsigned i = 0; i < g->nodes; i++)
    for (unsigned n = 0; n < g->nodes; n++)
      if (set >> n & 1) set |= small_graph_after(g, n, false);
  return set;
}

bool small_graph_enabled(const small_graph *g, unsigned group, unsigned n) {
  for (unsigned a = 0; a < g->actions; a++)
    if (group >> a & 1 && g->after[a][n]) return true;
  return false;
}

/* Steps of node `n` that are none of the atoms in `missed`: a bit for each of two atoms of each constraint. */
static uint8_t after_without(const small_graph *g, unsigned n, unsigned missed) {
  uint8_t after = small_graph_after(g, n, true);
  if (!small_graph_after(g, n, false)) return after; /* idling is no step */
  for (unsigned i = 0; i < 2 * g->fair_count; i++)
    if (missed >> i & 1) after &= (uint8_t)~g->fair[i / 2].often[i % 2].steps[n];
  return after;
}

static bool is_connected(const small_graph *g, uint8_t set, unsigned missed) {
  for (unsigned n = 0; n < g->nodes; n++) {
    if (!(set >> n & 1)) continue;
    uint8_t reached = after_without(g, n, missed) & set; /* by one step or more */
    for (unsigned i = 0; i < g->nodes; i++)
      for (unsigned k = 0; k < g->nodes; k++)
        if (reached >> k & 1) reached |= after_without(g, k, missed) & set;
    if (reached != set) return false;
  }
  return set != 0;
}

static bool has_step(const small_graph *g, unsigned group, uint8_t set, unsigned missed) {
  for (unsigned a = 0; a < g->actions; a++)
    for (unsigned n = 0; n < g->nodes; n++)
      if (group >> a & 1 && set >> n & 1 && g->after[a][n] & after_without(g, n, missed) & set) return true;
  return false;
}

/* Does an atom happen again and again on a run that takes all steps within `set` but those that are missed? */
static bool happens(const small_graph *g, const small_fairness *f, unsigned k, uint8_t set, unsigned missed) {
  if (!f->often[k].is_of_steps) return f->often[k].states & set;
  for (unsigned n = 0; n < g->nodes; n++)
    if (set >> n & 1 && small_graph_after(g, n, false) & after_without(g, n, missed) & set & f->often[k].steps[n])
      return true;
  return false;
}

static bool meets(const small_graph *g, const small_fairness *f, uint8_t set, unsigned missed) {
  if (f->kind == FAIR_FORMULA) {
    unsigned which = (unsigned)happens(g, f, 0, set, missed) + 2u * happens(g, f, 1, set, missed);
    return small_fair_forms[f->form].truth >> which & 1;
  }
  bool some_enabled = false, some_disabled = false;
  for (unsigned n = 0; n < g->nodes; n++) {
    if (!(set >> n & 1)) continue;
    bool enabled = small_graph_enabled(g, f->group, n);
    some_enabled |= enabled;
    some_disabled |= !enabled;
  }
  if (f->kind == FAIR_STATE) return f->state & set;
  bool taken = has_step(g, f->group, set, missed);
  return taken || (f->kind == FAIR_WEAK ? some_disabled : !some_enabled);
}

/* Some atoms of steps are missed: those that are such. */
static unsigned most_missed(const small_graph *g) {
  unsigned all = 0;
  for (unsigned i = 0; i < 2 * g->fair_count; i++)
    if (g->fair[i / 2].kind == FAIR_FORMULA && g->fair[i / 2].often[i % 2].is_of_steps) all |= 1u << i;
  return all;
}

uint8_t small_graph_fair(const small_graph *g, uint8_t within) {
  uint8_t good = 0;
  unsigned may_miss = most_missed(g);
  for (unsigned missed = 0; missed <= may_miss; missed++) {
    if (missed & ~may_miss) continue;
    for (unsigned set = 1; set <= small_graph_all(g); set++) {
      if ((set & ~within & 0xff) || !is_connected(g, (uint8_t)set, missed)) continue;
      bool fair = true;
      for (unsigned i = 0; i < g->fair_count && fair; i++) fair = meets(g, &g->fair[i], (uint8_t)set, missed);
      if (fair) good |= (uint8_t)set;
    }
  }
  for (unsigned i = 0; i < g->nodes; i++) good |= before(g, good, true) & within;
  return good;
}

/* ---- formulas ---- */

void small_formula_init(small_formula *f) {
  type boolean = {.sort = SORT_BOOL};
  *f = (small_formula){.ts = terms_new()};
  f->proposition[0] = term_of_variable(f->ts, variable_new(f->ts, "p", &boolean));
  f->proposition[1] = term_of_variable(f->ts, variable_new(f->ts, "q", &boolean));
}

void small_formula_free(small_formula *f) { terms_free(f->ts); }

static temporal *make(small_formula *f, temporal_kind kind, temporal *left, temporal *right) {
  temporal *t = &f->nodes[f->count++];
  *t = (temporal){.kind = kind, .state = TERM_TRUE, .left = left, .right = right};
  return t;
}

static temporal *make_state(small_formula *f, random_source *r) {
  temporal *t = make(f, TEMPORAL_STATE, NULL, NULL);
  t->state = f->proposition[random_below(r, PROPOSITIONS)];
  if (random_below(r, 3) == 0) t->state = term_not(t->state);
  if (random_below(r, 12) == 0) t->state = TERM_TRUE;
  return t;
}

static bool takes_two(temporal_kind k) {
  return k == TEMPORAL_AND || k == TEMPORAL_OR || k == TEMPORAL_IMPLIES || k == TEMPORAL_IFF || k == TEMPORAL_AU ||
         k == TEMPORAL_EU || k == TEMPORAL_U || k == TEMPORAL_R || k == TEMPORAL_W;
}

static temporal *random_formula(small_formula *f, random_source *r, property_kind logic, unsigned depth,
                                unsigned bound) {
  static const temporal_kind ctl[] = {TEMPORAL_AX, TEMPORAL_EX, TEMPORAL_AF, TEMPORAL_EF,
                                      TEMPORAL_AG, TEMPORAL_EG, TEMPORAL_AU, TEMPORAL_EU};
  static const temporal_kind ltl[] = {TEMPORAL_X, TEMPORAL_F, TEMPORAL_G, TEMPORAL_U, TEMPORAL_R, TEMPORAL_W};
  static const temporal_kind mu[] = {TEMPORAL_MU, TEMPORAL_NU, TEMPORAL_DIAMOND, TEMPORAL_BOX};
  static const char *const names[] = {"X0", "X1", "X2", "X3", "X4", "X5"};
  if (logic == PROPERTY_MU && bound && !random_below(r, depth ? 5 : 2)) {
    temporal *t = make(f, TEMPORAL_FIXPOINT_VARIABLE, NULL, NULL);
    t->name = names[random_below(r, bound)];
    return t;
  }
  if (!depth) return make_state(f, r);
  temporal_kind kind;
  if (!random_below(r, 3)) { /* within fixpoints nothing that negates */
    static const temporal_kind connectives[] = {TEMPORAL_AND, TEMPORAL_OR, TEMPORAL_NOT, TEMPORAL_IMPLIES,
                                                TEMPORAL_IFF};
    kind = connectives[random_below(r, bound ? 2 : 5)];
  } else {
    kind = logic == PROPERTY_CTL   ? ctl[random_below(r, 8)]
           : logic == PROPERTY_LTL ? ltl[random_below(r, 6)]
                                   : mu[random_below(r, 4)];
  }
  bool binds = kind == TEMPORAL_MU || kind == TEMPORAL_NU;
  temporal *left = random_formula(f, r, logic, depth - 1, bound + binds);
  temporal *right = takes_two(kind) ? random_formula(f, r, logic, (unsigned)random_below(r, depth), bound) : NULL;
  temporal *t = make(f, kind, left, right);
  if (binds) t->name = names[bound];
  return t;
}

/* CTL*: of runs, or of states. */
static temporal *random_star(small_formula *f, random_source *r, bool is_of_runs, unsigned depth) {
  static const temporal_kind connectives[] = {TEMPORAL_AND, TEMPORAL_OR, TEMPORAL_NOT, TEMPORAL_IMPLIES, TEMPORAL_IFF};
  static const temporal_kind ctl[] = {TEMPORAL_AX, TEMPORAL_EX, TEMPORAL_AF, TEMPORAL_EF,
                                      TEMPORAL_AG, TEMPORAL_EG, TEMPORAL_AU, TEMPORAL_EU};
  static const temporal_kind runs[] = {TEMPORAL_X, TEMPORAL_F, TEMPORAL_G, TEMPORAL_U, TEMPORAL_R, TEMPORAL_W};
  if (!depth) return make_state(f, r);
  if (is_of_runs && !random_below(r, 3)) return random_star(f, r, false, depth - 1);
  bool connects = !random_below(r, 3);
  if (!is_of_runs && !connects && random_below(r, 4))
    return make(f, random_below(r, 2) ? TEMPORAL_A : TEMPORAL_E, random_star(f, r, true, depth), NULL);
  temporal_kind kind = connects     ? connectives[random_below(r, 5)]
                       : is_of_runs ? runs[random_below(r, 6)]
                                    : ctl[random_below(r, 8)];
  temporal *left = random_star(f, r, is_of_runs, depth - 1);
  return make(f, kind, left, takes_two(kind) ? random_star(f, r, is_of_runs, (unsigned)random_below(r, depth)) : NULL);
}

static temporal *random_small_star(small_formula *f, random_source *r, unsigned depth) {
  for (;;) {
    f->count = 0;
    temporal *made = random_star(f, r, false, depth);
    if (small_star_operators(made) <= 4) return made;
  }
}

temporal *small_formula_random(small_formula *f, random_source *r, property_kind logic, unsigned depth) {
  if (logic == PROPERTY_CTLSTAR) return random_small_star(f, r, depth);
  f->count = 0;
  return random_formula(f, r, logic, depth, 0);
}

uint8_t small_truth(const small_graph *g, const small_formula *f, term t) {
  uint8_t set = small_graph_all(g);
  for (unsigned p = 0; p < PROPOSITIONS; p++)
    if (term_same(term_positive(t), f->proposition[p])) set = g->truth[p];
  return term_is_negated(t) ? (uint8_t)(~set & small_graph_all(g)) : set;
}

typedef struct small_binding {
  const char *name;
  uint8_t value;
  struct small_binding *outer;
} small_binding;

static uint8_t meaning(const small_graph *g, const small_formula *f, const temporal *t, small_binding *bound) {
  uint8_t all = small_graph_all(g), fair = small_graph_fair(g, all);
  if (t->kind == TEMPORAL_STATE) return small_truth(g, f, t->state);
  if (t->kind == TEMPORAL_E) return small_star_some(g, f, t->left);
  if (t->kind == TEMPORAL_A) {
    temporal opposite = {.kind = TEMPORAL_NOT, .state = TERM_TRUE, .left = t->left};
    return (uint8_t)(~small_star_some(g, f, &opposite) & all);
  }
  if (t->kind == TEMPORAL_FIXPOINT_VARIABLE) {
    while (strcmp(bound->name, t->name)) bound = bound->outer;
    return bound->value;
  }
  if (t->kind == TEMPORAL_MU || t->kind == TEMPORAL_NU) {
    small_binding own = {t->name, t->kind == TEMPORAL_MU ? 0 : all, bound};
    for (unsigned i = 0; i <= MOST_NODES; i++) own.value = meaning(g, f, t->left, &own);
    return own.value;
  }
  uint8_t l = meaning(g, f, t->left, bound), r = t->right ? meaning(g, f, t->right, bound) : 0, result;
  uint8_t not_l = (uint8_t)(~l & all), not_r = (uint8_t)(~r & all);
  switch (t->kind) {
    case TEMPORAL_NOT: return not_l;
    case TEMPORAL_AND: return l & r;
    case TEMPORAL_OR: return l | r;
    case TEMPORAL_IMPLIES: return not_l | r;
    case TEMPORAL_IFF: return (l & r) | (not_l & not_r);
    case TEMPORAL_DIAMOND: return before(g, l, false);
    case TEMPORAL_BOX: return (uint8_t)(~before(g, not_l, false) & all);
    case TEMPORAL_EX: return before(g, l & fair, true);
    case TEMPORAL_AX: return (uint8_t)(~before(g, not_l & fair, true) & all);
    case TEMPORAL_EG: return small_graph_fair(g, l);
    case TEMPORAL_AF: return (uint8_t)(~small_graph_fair(g, not_l) & all);
    case TEMPORAL_EF:
    case TEMPORAL_EU:
      result = (t->kind == TEMPORAL_EF ? l : r) & fair;
      for (unsigned i = 0; i < g->nodes; i++) result |= before(g, result, true) & (t->kind == TEMPORAL_EF ? all : l);
      return result;
    case TEMPORAL_AG:
      result = not_l & fair;
      for (unsigned i = 0; i < g->nodes; i++) result |= before(g, result, true);
      return (uint8_t)(~result & all);
    case TEMPORAL_AU: /* some fair run on which r never holds, or on which l ends before r comes */
      result = not_r & not_l & fair;
      for (unsigned i = 0; i < g->nodes; i++) result |= before(g, result, true) & not_r;
      return (uint8_t)(~(result | small_graph_fair(g, not_r)) & all);
    default: REQUIRE(false, "CTL or mu"); return 0;
  }
}

uint8_t small_meaning(const small_graph *g, const small_formula *f, const temporal *t) {
  return meaning(g, f, t, NULL);
}

/* ---- runs ---- */

static unsigned following(const small_run *r, unsigned i) { return i + 1 < r->length ? i + 1 : r->loop; }

bool small_run_is_real(const small_graph *g, const small_run *r) {
  for (unsigned i = 0; i < r->length; i++) {
    unsigned n = r->nodes[i], to = r->nodes[following(r, i)];
    if (r->actions[i] == MOST_ACTIONS ? small_graph_after(g, n, false) || to != n
                                      : !(g->after[r->actions[i]][n] >> to & 1))
      return false;
  }
  return true;
}

static bool happens_on(const small_fairness *f, const small_run *r, unsigned k) {
  for (unsigned i = r->loop; i < r->length; i++) {
    unsigned n = r->nodes[i], to = r->nodes[following(r, i)];
    if (f->often[k].is_of_steps ? r->actions[i] < MOST_ACTIONS && f->often[k].steps[n] >> to & 1
                                : f->often[k].states >> n & 1)
      return true;
  }
  return false;
}

bool small_run_is_fair(const small_graph *g, const small_run *r) {
  for (unsigned k = 0; k < g->fair_count; k++) {
    const small_fairness *f = &g->fair[k];
    if (f->kind == FAIR_FORMULA) {
      unsigned which = (unsigned)happens_on(f, r, 0) + 2u * happens_on(f, r, 1);
      if (!(small_fair_forms[f->form].truth >> which & 1)) return false;
      continue;
    }
    bool state = false, taken = false, enabled = false, disabled = false;
    for (unsigned i = r->loop; i < r->length; i++) {
      unsigned n = r->nodes[i];
      bool e = small_graph_enabled(g, f->group, n);
      state |= f->state >> n & 1;
      taken |= r->actions[i] < MOST_ACTIONS && f->group >> r->actions[i] & 1;
      enabled |= e;
      disabled |= !e;
    }
    if (f->kind == FAIR_STATE ? !state : f->kind == FAIR_WEAK ? !(taken || disabled) : enabled && !taken) return false;
  }
  return true;
}

/* From the definition, position by position; unfolding a loop of length n twice over shows all of it. */
static bool at(const small_graph *g, const small_formula *f, const small_run *r, const temporal *t, unsigned i) {
  unsigned steps = 2 * r->length, k = i;
  switch (t->kind) {
    case TEMPORAL_STATE: return small_truth(g, f, t->state) >> r->nodes[i] & 1;
    case TEMPORAL_NOT: return !at(g, f, r, t->left, i);
    case TEMPORAL_AND: return at(g, f, r, t->left, i) && at(g, f, r, t->right, i);
    case TEMPORAL_OR: return at(g, f, r, t->left, i) || at(g, f, r, t->right, i);
    case TEMPORAL_IMPLIES: return !at(g, f, r, t->left, i) || at(g, f, r, t->right, i);
    case TEMPORAL_IFF: return at(g, f, r, t->left, i) == at(g, f, r, t->right, i);
    case TEMPORAL_X: return at(g, f, r, t->left, following(r, i));
    case TEMPORAL_F:
      for (unsigned s = 0; s <= steps; s++, k = following(r, k))
        if (at(g, f, r, t->left, k)) return true;
      return false;
    case TEMPORAL_G:
      for (unsigned s = 0; s <= steps; s++, k = following(r, k))
        if (!at(g, f, r, t->left, k)) return false;
      return true;
    case TEMPORAL_U:
    case TEMPORAL_W:
      for (unsigned s = 0; s <= steps; s++, k = following(r, k)) {
        if (at(g, f, r, t->right, k)) return true;
        if (!at(g, f, r, t->left, k)) return false;
      }
      return t->kind == TEMPORAL_W;
    case TEMPORAL_R: /* the right one up to and including where the left one holds */
      for (unsigned s = 0; s <= steps; s++, k = following(r, k)) {
        if (!at(g, f, r, t->right, k)) return false;
        if (at(g, f, r, t->left, k)) return true;
      }
      return true;
    default: REQUIRE(false, "LTL"); return false;
  }
}

bool small_run_satisfies(const small_graph *g, const small_formula *f, const small_run *r, const temporal *t) {
  return at(g, f, r, t, 0);
}

static bool extend(const small_graph *g, const small_formula *f, const temporal *t, unsigned most, small_run *r) {
  unsigned n = r->nodes[r->length - 1];
  for (unsigned a = 0; a <= MOST_ACTIONS; a++) {
    bool idles = a == MOST_ACTIONS && !small_graph_after(g, n, false);
    uint8_t after = a < g->actions ? g->after[a][n] : idles ? (uint8_t)(1u << n) : 0;
    r->actions[r->length - 1] = (uint8_t)a;
    for (unsigned to = 0; to < g->nodes; to++) {
      if (!(after >> to & 1)) continue;
      for (r->loop = 0; r->loop < r->length; r->loop++)
        if (r->nodes[r->loop] == to && small_run_is_fair(g, r) && !small_run_satisfies(g, f, r, t)) return true;
      if (r->length == most) continue;
      r->nodes[r->length++] = (uint8_t)to;
      if (extend(g, f, t, most, r)) return true;
      r->length--;
    }
  }
  return false;
}

bool small_run_search(const small_graph *g, const small_formula *f, const temporal *t, unsigned start, unsigned most,
                      small_run *out) {
  *out = (small_run){.length = 1, .nodes = {(uint8_t)start}};
  return extend(g, f, t, most, out);
}

bool small_holds(const small_graph *g, const small_formula *f, const temporal *t, property_kind logic, unsigned most) {
  if (logic != PROPERTY_LTL) return !(g->initial & ~small_meaning(g, f, t));
  for (unsigned n = 0; n < g->nodes; n++) {
    small_run run;
    if (g->initial >> n & 1 && small_run_search(g, f, t, n, most, &run)) return false;
  }
  return true;
}
