/* Unfolds abstract facts into a tree, and asks for values of its variables. */
#include "engine/cegar/trees/counterexample.h"

/* Larger trees are not unfolded. */
enum { MOST_NODES = 3000 };

void counterexample_open(counterexample *c, clause_abstraction *a) {
  *c = (counterexample){.a = a};
  for (size_t i = 0; i < a->all->clauses.count; i++) {
    VECTOR_PUSH(c->of_clause, (instance_variables){0});
    VECTOR_PUSH(c->keepers, NULL);
  }
}

static void clear_nodes(counterexample *c) {
  for (size_t i = 0; i < c->nodes.count; i++) {
    derivation_node *n = &c->nodes.at[i];
    VECTOR_FREE(n->children);
    VECTOR_FREE(n->variables);
    VECTOR_FREE(n->conjuncts);
    VECTOR_FREE(n->is_needed);
    substitution_free(n->to_own);
  }
  VECTOR_CLEAR(c->nodes);
  for (size_t i = 0; i < c->of_clause.count; i++) c->of_clause.at[i].used = 0;
}

void counterexample_close(counterexample *c) {
  clear_nodes(c);
  VECTOR_FREE(c->nodes);
  for (size_t i = 0; i < c->of_clause.count; i++) {
    instance_variables *v = &c->of_clause.at[i];
    for (size_t j = 0; j < v->of_instance.count; j++) VECTOR_FREE(v->of_instance.at[j]);
    VECTOR_FREE(v->of_instance);
    if (c->keepers.at[i]) solver_free(c->keepers.at[i]);
  }
  VECTOR_FREE(c->keepers);
  VECTOR_FREE(c->of_clause);
}

/* ---- unfolding ---- */

static const variable_vector *next_variables(counterexample *c, uint32_t clause) {
  terms *ts = c->a->ts;
  instance_variables *v = &c->of_clause.at[clause];
  const variable_vector *own = &c->a->all->clauses.at[clause].variables;
  if (v->used == v->of_instance.count) {
    variable_vector made = {0};
    for (size_t i = 0; i < own->count; i++) {
      type of = *variable_type(ts, own->at[i]);
      VECTOR_PUSH(made, variable_fresh(ts, "instance", &of));
    }
    VECTOR_PUSH(v->of_instance, made);
  }
  return &v->of_instance.at[v->used++];
}

static void add_node(counterexample *c, uint32_t clause, uint32_t parent, size_t atom) {
  terms *ts = c->a->ts;
  const struct clause *of = &c->a->all->clauses.at[clause];
  derivation_node made = {.clause = clause, .parent = parent, .atom = atom, .to_own = substitution_new(ts)};
  VECTOR_COPY(made.variables, *next_variables(c, clause));
  for (size_t i = 0; i < of->variables.count; i++)
    substitution_set(made.to_own, of->variables.at[i], term_of_variable(ts, made.variables.at[i]));
  term_conjuncts(ts, of->constraint, &made.conjuncts);
  for (size_t i = 0; i <= made.conjuncts.count; i++) VECTOR_PUSH(made.is_needed, false);
  if (parent != NO_NODE) VECTOR_PUSH(c->nodes.at[parent].children, (uint32_t)c->nodes.count);
  VECTOR_PUSH(c->nodes, made);
}

bool counterexample_unfold(counterexample *c) {
  const clause_abstraction *a = c->a;
  VECTOR(const abstract_fact *) of_node = {0};
  clear_nodes(c);
  add_node(c, a->query.clause, NO_NODE, 0);
  VECTOR_PUSH(of_node, &a->query);
  for (uint32_t i = 0; i < c->nodes.count && c->nodes.count <= MOST_NODES; i++) {
    const index_vector *premises = &of_node.at[i]->premises;
    for (size_t j = 0; j < premises->count; j++) {
      const abstract_fact *f = &a->facts.at[premises->at[j]];
      add_node(c, f->clause, i, j);
      VECTOR_PUSH(of_node, f);
    }
  }
  VECTOR_FREE(of_node);
  return c->nodes.count <= MOST_NODES;
}

/* ---- formulas ---- */

term derivation_node_constraint(const counterexample *c, uint32_t node, bool only_needed) {
  const derivation_node *n = &c->nodes.at[node];
  term_vector parts = {0};
  for (size_t i = 0; i < n->conjuncts.count; i++)
    if (!only_needed || n->is_needed.at[i]) VECTOR_PUSH(parts, substitution_apply(n->to_own, n->conjuncts.at[i]));
  term result = term_and_all(c->a->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

term derivation_node_link(const counterexample *c, uint32_t node, bool only_needed) {
  const derivation_node *n = &c->nodes.at[node], *above = n->parent == NO_NODE ? NULL : &c->nodes.at[n->parent];
  if (!above || (only_needed && !VECTOR_LAST(n->is_needed))) return TERM_TRUE;
  const clauses *all = c->a->all;
  const term_vector *head = &all->clauses.at[n->clause].head_arguments;
  const term_vector *atom = &all->clauses.at[above->clause].body.at[n->atom].arguments;
  term_vector parts = {0};
  for (size_t i = 0; i < head->count; i++)
    VECTOR_PUSH(parts, term_eq(c->a->ts, substitution_apply(n->to_own, head->at[i]),
                               substitution_apply(above->to_own, atom->at[i])));
  term result = term_and_all(c->a->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

/* ---- is it one of the clauses? ---- */

/* Steps in the reverse order of nodes: each comes after its premises. */
static void read_derivation(const counterexample *c, solver *s, evidence *out) {
  size_t count = c->nodes.count;
  out->kind = EVIDENCE_DERIVATION;
  for (size_t i = count; i-- > 0;) {
    const derivation_node *n = &c->nodes.at[i];
    derivation_step made = {.clause = n->clause};
    for (size_t j = 0; j < n->children.count; j++)
      VECTOR_PUSH(made.premises, (uint32_t)(count - 1 - n->children.at[j]));
    for (size_t j = 0; j < n->variables.count; j++) VECTOR_PUSH(made.values, solver_value(s, n->variables.at[j]));
    VECTOR_PUSH(out->derivation, made);
  }
}

/* Conjuncts are named by their number among those of all nodes; the link of a node is one more. */
static void read_needed(counterexample *c, solver *s) {
  core_names core = {0};
  size_t at = 0, first = 0;
  solver_core(s, &core);
  for (size_t i = 0; i < c->nodes.count; i++) {
    derivation_node *n = &c->nodes.at[i];
    for (; at < core.count && core.at[at] < first + n->is_needed.count; at++)
      n->is_needed.at[core.at[at] - first] = true;
    first += n->is_needed.count;
  }
  VECTOR_FREE(core);
}

answer counterexample_check(counterexample *c, evidence *out) {
  solver *s = solver_new(c->a->ts, c->a->env->budget);
  uint32_t name = 0;
  for (uint32_t i = 0; i < c->nodes.count; i++) {
    const derivation_node *n = &c->nodes.at[i];
    for (size_t j = 0; j < n->conjuncts.count; j++)
      solver_assert_named(s, substitution_apply(n->to_own, n->conjuncts.at[j]), name++);
    solver_assert_named(s, derivation_node_link(c, i, false), name++);
  }
  answer found = solver_check(s, 0);
  c->questions++;
  if (answer_is_yes(found)) read_derivation(c, s, out);
  if (answer_is_no(found)) read_needed(c, s);
  if (answer_is_unsure(found))
    found.reason = solver_is_spent(s) ? "time or work limit reached" : "a derivation tree could not be decided";
  solver_free(s);
  return found;
}
