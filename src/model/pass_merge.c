/* Variables that were proved to be equal, or to have one value, become one, or that value: whatever reads them reads the
 * other. Conjuncts of guards that were proved to hold anyway go. */
#include "model/control.h"
#include "model/pass.h"
#include "term/bounds.h"

/* What a variable was found to be: another one, or its negation, or nothing more. Following `of` ends at the one that
 * stands for all of its class. */
typedef struct link {
  size_t of;
  bool is_negated;
} link;

typedef struct merging {
  const model *m;
  budget *budget;
  VECTOR(link) links;       /* by position */
  VECTOR(bool) is_fixed;    /* by position of one that stands for its class */
  number_vector values;     /* of those */
  VECTOR(size_t) narrowest; /* by position of one that stands for its class: the member that stays */
  pass_result out;
} merging;

static link find_class(const merging *g, size_t position) {
  link l = {position, false};
  while (g->links.at[l.of].of != l.of) l = (link){g->links.at[l.of].of, l.is_negated != g->links.at[l.of].is_negated};
  return l;
}

/* Places stay: engines and readers want them. */
static bool may_go(const merging *g, variable v, size_t *position) {
  *position = model_position(g->m, v);
  return *position != SIZE_MAX && g->m->variables.at[*position].role != ROLE_LOCATION;
}

static void fix(merging *g, variable v, number value) {
  size_t at;
  if (!may_go(g, v, &at)) return;
  link l = find_class(g, at);
  if (g->is_fixed.at[l.of]) return;
  g->is_fixed.at[l.of] = true;
  g->values.at[l.of] = l.is_negated ? number_of(number_is(value, 0)) : value;
}

static void join(merging *g, variable a, variable b, bool differ) {
  size_t at_a, at_b;
  if (!may_go(g, a, &at_a) || !may_go(g, b, &at_b)) return;
  link x = find_class(g, at_a), y = find_class(g, at_b);
  bool is_negated = (x.is_negated != y.is_negated) != differ;
  if (x.of == y.of) return;
  if (g->is_fixed.at[x.of]) {
    link swapped = x;
    x = y;
    y = swapped;
  }
  if (g->is_fixed.at[x.of]) return; /* both have values already */
  g->links.at[x.of] = (link){y.of, is_negated};
}

static void read_sum(merging *g, linear l) {
  const terms *ts = g->m->terms;
  for (size_t i = 0; i < l.count; i++)
    if (term_kind_of(ts, l.leaves[i]) != TERM_INT_VARIABLE) return;
  if (l.count == 1 && number_is(l.coefficients[0], 1))
    fix(g, term_variable(ts, l.leaves[0]), number_negate(l.constant));
  if (l.count == 2 && number_is(l.constant, 0) && number_is(l.coefficients[0], 1) && number_is(l.coefficients[1], -1))
    join(g, term_variable(ts, l.leaves[0]), term_variable(ts, l.leaves[1]), false);
}

/* Other formulas are facts, but nothing is merged because of them. */
static void read_equality(merging *g, term t) {
  const terms *ts = g->m->terms;
  term_kind kind = term_kind_of(ts, t);
  if (kind == TERM_BOOL_VARIABLE) fix(g, term_variable(ts, t), number_of(!term_is_negated(t)));
  if (kind == TERM_EQ && !term_is_negated(t)) read_sum(g, term_linear(ts, term_argument(ts, t, 0)));
  if (kind != TERM_IFF) return;
  term a = term_argument(ts, t, 0), b = term_argument(ts, t, 1);
  if (term_kind_of(ts, a) == TERM_BOOL_VARIABLE && term_kind_of(ts, b) == TERM_BOOL_VARIABLE)
    join(g, term_variable(ts, a), term_variable(ts, b), term_is_negated(t));
}

/* Of two equal variables the one with fewer values, so that its type says most. */
static bool is_narrower(const type *a, const type *b) {
  if (type_is_finite(a) != type_is_finite(b)) return type_is_finite(a);
  if (type_is_finite(a)) return type_size(a, UINT64_MAX) < type_size(b, UINT64_MAX);
  return a->has_low + a->has_high > b->has_low + b->has_high;
}

/* The first one of those that are alike. */
static void find_narrowest(merging *g) {
  const model *m = g->m;
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(g->narrowest, SIZE_MAX);
  for (size_t i = 0; i < m->variables.count; i++) {
    size_t *best = &g->narrowest.at[find_class(g, i).of];
    const type *t = variable_type(m->terms, m->variables.at[i].var);
    if (*best == SIZE_MAX || is_narrower(t, variable_type(m->terms, m->variables.at[*best].var))) *best = i;
  }
}

/* What the variable at `position` becomes; false if it stays. */
static bool becomes(merging *g, size_t position, term *out) {
  terms *ts = g->m->terms;
  link l = find_class(g, position);
  size_t into = g->narrowest.at[l.of];
  number *first = &g->out.first.at[position];
  if (g->is_fixed.at[l.of]) {
    number value = g->values.at[l.of];
    *first = l.is_negated ? number_of(number_is(value, 0)) : value;
    bool is_bool = variable_type(ts, g->m->variables.at[position].var)->sort == SORT_BOOL;
    *out = is_bool ? term_of_bool(!number_is(*first, 0)) : term_number(ts, *first);
    return true;
  }
  if (into == position) return false;
  bool is_negated = l.is_negated != find_class(g, into).is_negated;
  term t = term_of_variable(ts, g->m->variables.at[into].var);
  *out = is_negated ? term_not(t) : t;
  VECTOR_PUSH(g->out.merged, (merged_variable){position, into, is_negated});
  return true;
}

static void choose_what_goes(merging *g) {
  const model *m = g->m;
  g->out.by = substitution_new(m->terms);
  for (size_t i = 0; i < m->variables.count; i++) {
    term t;
    VECTOR_PUSH(g->out.first, number_of(0));
    if (becomes(g, i, &t))
      substitution_set(g->out.by, m->variables.at[i].var, t);
    else
      VECTOR_PUSH(g->out.kept, i);
  }
}

static bool is_redundant(const known_invariants *known, uint32_t transition, size_t conjunct, size_t *from) {
  for (; *from < known->redundant.count; ++*from) {
    const conjunct_place *c = &known->redundant.at[*from];
    if (c->transition == transition && c->conjunct == conjunct) return true;
    if (c->transition > transition || (c->transition == transition && c->conjunct > conjunct)) return false;
  }
  return false;
}

static term merge_guard(merging *g, uint32_t index, const known_invariants *known, size_t *from) {
  terms *ts = g->m->terms;
  term_vector parts = {0}, kept = {0};
  term_conjuncts(ts, g->m->transitions.at[index].guard, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (!is_redundant(known, index, i, from)) VECTOR_PUSH(kept, substitution_apply(g->out.by, parts.at[i]));
  term guard = term_simplify_in_types(ts, term_and_all(ts, kept.count, kept.at));
  VECTOR_FREE(parts);
  VECTOR_FREE(kept);
  return guard;
}

static void merge_transition(merging *g, uint32_t index, term guard) {
  const transition *t = &g->m->transitions.at[index];
  transition *made = model_add_transition(g->out.model, t->name, t->process, guard, t->place);
  VECTOR_PUSH(g->out.transitions, index);
  for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(made->inputs, t->inputs.at[i]);
  for (size_t i = 0; i < t->faults.count; i++) {
    const fault *f = &t->faults.at[i];
    VECTOR_PUSH(made->faults, (fault){substitution_apply(g->out.by, f->when), f->what, f->place});
  }
  for (size_t i = 0; i < t->updates.count; i++) {
    const update *u = &t->updates.at[i];
    if (model_is_state_variable(g->out.model, u->var))
      transition_add_update(made, u->var, substitution_apply(g->out.by, u->value));
  }
}

static void merge_formulas(merging *g, const term_vector *from, term_vector *to) {
  for (size_t i = 0; i < from->count; i++) VECTOR_PUSH(*to, substitution_apply(g->out.by, from->at[i]));
}

static void merge_model(merging *g, size_t property, const known_invariants *known) {
  const model *m = g->m;
  terms *ts = m->terms;
  size_t from = 0;
  g->out.model = model_derive(m);
  pass_copy_frame(&g->out, m, property);
  g->out.model->init = substitution_apply(g->out.by, m->init);
  for (uint32_t i = 0; i < m->transitions.count && !budget_spent(g->budget); i++)
    merge_transition(g, i, merge_guard(g, i, known, &from));
  g->out.model->properties.at[0].bad = substitution_apply(g->out.by, m->properties.at[property].bad);
  merge_formulas(g, &m->predicates, &g->out.model->predicates);
  merge_formulas(g, &m->lemmas, &g->out.model->lemmas);
  merge_formulas(g, &m->domain, &g->out.model->domain);
  control_follow(m, g->out.model);
  g->out.facts = term_and_all(ts, known->formulas.count, known->formulas.at);
}

pass_result pass_merge(const model *m, size_t property, const known_invariants *known, budget *b) {
  merging g = {.m = m, .budget = b, .out = {.facts = TERM_TRUE}};
  bool is_treated = !property_is_temporal(&m->properties.at[property]) && !m->fairness.count && !m->has_heap;
  if (!is_treated || (!known->formulas.count && !known->redundant.count)) return g.out;
  for (size_t i = 0; i < m->variables.count; i++) {
    VECTOR_PUSH(g.links, (link){i, false});
    VECTOR_PUSH(g.is_fixed, false);
    VECTOR_PUSH(g.values, number_of(0));
  }
  for (size_t i = 0; i < known->formulas.count && !budget_spent(b); i++) read_equality(&g, known->formulas.at[i]);
  find_narrowest(&g);
  choose_what_goes(&g);
  merge_model(&g, property, known);
  VECTOR_FREE(g.links);
  VECTOR_FREE(g.is_fixed);
  VECTOR_FREE(g.values);
  VECTOR_FREE(g.narrowest);
  return g.out;
}
