/* Predicates from a tree that is no derivation, from its leaves upwards. What a node derives from what its children are
 * known to be, and what the rest of the tree needs of it, have nothing in common; a formula between the two
 * (engine/separate.h) is what is known of the node from then on, and stands for all that is below it. Its conjuncts are
 * predicates, with which the same tree is not found again. Of constraints only the conjuncts count that the solver
 * needed.
 *
 * Subtrees that are derivations give atoms that can be derived: a formula that holds of them too is tried first, for it
 * may hold of all. */
#include "engine/cegar/trees/counterexample.h"
#include "engine/separate.h"
#include "term/evaluate.h"

/* Of each relation so many derivable atoms are kept; of trees of more nodes none are looked for. */
enum { MOST_POINTS = 16, MOST_NODES_FOR_POINTS = 60 };

typedef struct refining {
  counterexample *c;
  term_vector summary; /* of each node that is done: what is known of it, over its relation's parameters */
  VECTOR(bool) is_done;
  bool
      uses_all; /* a summary was found with more of the constraints than the proof needs: then the others need all, too */
  size_t added;
} refining;

static const clause *clause_of(const counterexample *c, uint32_t node) {
  return &c->a->all->clauses.at[c->nodes.at[node].clause];
}

/* ---- atoms that can be derived ---- */

/* The nodes below a node and itself; they are in ascending order. */
static void subtree_of(const counterexample *c, uint32_t node, index_vector *out) {
  VECTOR_PUSH(*out, node);
  for (size_t i = out->count - 1; i < out->count; i++)
    for (size_t j = 0; j < c->nodes.at[out->at[i]].children.count; j++)
      VECTOR_PUSH(*out, c->nodes.at[out->at[i]].children.at[j]);
}

static void keep_point(counterexample *c, solver *s, uint32_t node) {
  const derivation_node *n = &c->nodes.at[node];
  const clause *of = clause_of(c, node);
  abstract_relation *r = &c->a->relations.at[of->head];
  number_vector values = {0}, point = {0};
  for (size_t i = 0; i < variable_count(c->a->ts); i++) VECTOR_PUSH(values, number_of(0));
  for (size_t i = 0; i < of->variables.count; i++)
    values.at[of->variables.at[i].x] = solver_value(s, n->variables.at[i]);
  for (size_t i = 0; i < of->head_arguments.count; i++)
    VECTOR_PUSH(point, term_evaluate(c->a->ts, of->head_arguments.at[i], values.at));
  bool is_known = r->points.count >= MOST_POINTS;
  for (size_t i = 0; i < r->points.count && !is_known; i++) {
    is_known = true;
    for (size_t j = 0; j < point.count; j++) is_known &= number_equal(r->points.at[i].at[j], point.at[j]);
  }
  VECTOR_FREE(values);
  if (is_known)
    VECTOR_FREE(point);
  else
    VECTOR_PUSH(r->points, point);
}

/* True if the subtree is a derivation: then its nodes have given points. */
static bool take_points(counterexample *c, uint32_t node) {
  index_vector nodes = {0};
  solver *s = solver_new(c->a->ts, c->a->env->budget);
  subtree_of(c, node, &nodes);
  for (size_t i = 0; i < nodes.count; i++) {
    solver_assert(s, derivation_node_constraint(c, nodes.at[i], false));
    if (nodes.at[i] != node) solver_assert(s, derivation_node_link(c, nodes.at[i], false));
  }
  bool found = answer_is_yes(solver_check(s, 0));
  c->questions++;
  for (size_t i = 0; i < nodes.count && found; i++) keep_point(c, s, nodes.at[i]);
  solver_free(s);
  VECTOR_FREE(nodes);
  return found;
}

static void find_points(counterexample *c) {
  index_vector open = {0};
  if (c->nodes.count > MOST_NODES_FOR_POINTS) return;
  VECTOR_PUSH(open, 0);
  while (open.count && !budget_spent(c->a->env->budget)) {
    uint32_t node = VECTOR_POP(open);
    if (node && take_points(c, node)) continue;
    for (size_t i = 0; i < c->nodes.at[node].children.count; i++) VECTOR_PUSH(open, c->nodes.at[node].children.at[i]);
  }
  VECTOR_FREE(open);
}

/* ---- the two sides of a node ---- */

/* What is known of a child, said of the atom of the body. Over the clause's variables. */
static term known_of_child(const refining *r, uint32_t child) {
  const counterexample *c = r->c;
  const derivation_node *n = &c->nodes.at[child];
  substitution *to = clause_atom_substitution(c->a->ts, c->a->all, clause_of(c, n->parent), n->atom);
  term result = substitution_apply(to, r->summary.at[child]);
  substitution_free(to);
  return result;
}

/* What the node derives: over its clause's variables and the parameters. */
static separated_side below(const refining *r, uint32_t node) {
  const counterexample *c = r->c;
  const derivation_node *n = &c->nodes.at[node];
  const clause *of = clause_of(c, node);
  separated_side made = {0};
  term_vector parts = {0};
  for (size_t i = 0; i < n->conjuncts.count; i++)
    if (r->uses_all || n->is_needed.at[i]) VECTOR_PUSH(parts, n->conjuncts.at[i]);
  for (size_t i = 0; i < n->children.count; i++) VECTOR_PUSH(parts, known_of_child(r, n->children.at[i]));
  term all = term_and_all(c->a->ts, parts.count, parts.at);
  made.formula = clause_atom_with_parameters(c->a->ts, c->a->all, of, HEAD_ATOM, all);
  VECTOR_COPY(made.others, of->variables);
  VECTOR_FREE(parts);
  return made;
}

/* The parameters are what the parent's body says of the node. */
static void add_atom_above(const refining *r, uint32_t node, term_vector *parts) {
  const counterexample *c = r->c;
  const derivation_node *n = &c->nodes.at[node], *above = &c->nodes.at[n->parent];
  const clause_atom *atom = &clause_of(c, n->parent)->body.at[n->atom];
  const variable_vector *parameters = &c->a->all->predicates.at[atom->predicate].parameters;
  for (size_t i = 0; i < parameters->count; i++)
    VECTOR_PUSH(*parts, term_eq(c->a->ts, term_of_variable(c->a->ts, parameters->at[i]),
                                substitution_apply(above->to_own, atom->arguments.at[i])));
}

/* What the rest of the tree needs of the node: nodes that are not done, as they are; of those that are, the ones that
 * stand below one that is not, by what is known of them. */
static separated_side above(const refining *r, uint32_t node, bool with_all) {
  const counterexample *c = r->c;
  separated_side made = {0};
  term_vector parts = {0};
  for (uint32_t i = 0; i < c->nodes.count; i++) {
    const derivation_node *n = &c->nodes.at[i];
    bool has_parent = n->parent != NO_NODE;
    if (i == node || (r->is_done.at[i] && has_parent && r->is_done.at[n->parent])) continue;
    if (has_parent && n->parent == node) continue;
    if (r->is_done.at[i]) {
      VECTOR_PUSH(parts, substitution_apply(c->nodes.at[n->parent].to_own, known_of_child(r, i)));
      continue;
    }
    VECTOR_PUSH(parts, derivation_node_constraint(c, i, !with_all));
    VECTOR_PUSH(parts, derivation_node_link(c, i, !with_all));
    for (size_t j = 0; j < n->variables.count; j++) VECTOR_PUSH(made.others, n->variables.at[j]);
  }
  add_atom_above(r, node, &parts);
  made.formula = term_and_all(c->a->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return made;
}

/* ---- one node ---- */

/* A node that the proof does not need, with nothing below that it needs. */
static bool is_needed(const refining *r, uint32_t node) {
  const derivation_node *n = &r->c->nodes.at[node];
  bool needed = false;
  for (size_t i = 0; i < n->is_needed.count; i++) needed |= n->is_needed.at[i];
  for (size_t i = 0; i < n->children.count; i++) needed |= !term_is_true(r->summary.at[n->children.at[i]]);
  return needed || r->uses_all;
}

static void add_predicates(refining *r, uint32_t relation, term formula) {
  term_vector parts = {0};
  term_conjuncts(r->c->a->ts, formula, &parts);
  for (size_t i = 0; i < parts.count; i++) r->added += clause_abstraction_add(r->c->a, relation, parts.at[i]);
  VECTOR_FREE(parts);
}

/* ---- what clauses keep ---- */

typedef struct keeping {
  counterexample *c;
  uint32_t relation;
} keeping;

static solver *keeper_of(counterexample *c, uint32_t clause) {
  solver **s = &c->keepers.at[clause];
  if (*s) return *s;
  *s = solver_new(c->a->ts, c->a->env->budget);
  solver_assert(*s, c->a->all->clauses.at[clause].constraint);
  return *s;
}

/* Whether the clause derives from atoms of which the formula holds, as far as they are of the same relation, only such
 * atoms. */
static bool clause_keeps(const keeping *k, uint32_t clause, term formula) {
  clause_abstraction *a = k->c->a;
  const struct clause *of = &a->all->clauses.at[clause];
  term_vector parts = {0};
  bool is_recursive = false;
  for (size_t i = 0; i <= of->body.count; i++) {
    size_t atom = i == of->body.count ? HEAD_ATOM : i;
    if (atom != HEAD_ATOM && of->body.at[i].predicate != k->relation) continue;
    substitution *to = clause_atom_substitution(a->ts, a->all, of, atom);
    term here = substitution_apply(to, formula);
    VECTOR_PUSH(parts, atom == HEAD_ATOM ? term_not(here) : here);
    is_recursive |= atom != HEAD_ATOM;
    substitution_free(to);
  }
  term all = term_and_all(a->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  if (!is_recursive) return true;
  k->c->questions++;
  return answer_is_no(solver_satisfiable(keeper_of(k->c, clause), all));
}

/* A half-space that all clauses keep is likely to do for trees of any height. */
static bool clauses_keep(void *context, term half_space) {
  const keeping *k = context;
  const clauses *all = k->c->a->all;
  bool kept = true;
  for (uint32_t i = 0; i < all->clauses.count && kept; i++)
    if (all->clauses.at[i].head == k->relation) kept = clause_keeps(k, i, half_space);
  return kept;
}

/* First what the proof needs of the rest of the tree is looked at. If that gives no half-space that clauses keep, all of
 * the rest may. */
static bool separate_node(refining *r, uint32_t node, separation *s) {
  term other, *summary = &r->summary.at[node];
  s->inside = below(r, node);
  s->outside = above(r, node, r->uses_all);
  bool found = separate(s, summary);
  if (!r->uses_all && (!found || !s->is_liked)) {
    VECTOR_FREE(s->outside.others);
    s->outside = above(r, node, true);
    s->only_liked = true;
    r->uses_all = separate(s, &other);
    if (r->uses_all) *summary = other;
    found |= r->uses_all;
  }
  VECTOR_FREE(s->inside.others);
  VECTOR_FREE(s->outside.others);
  return found;
}

static bool summarise(refining *r, uint32_t node) {
  clause_abstraction *a = r->c->a;
  uint32_t relation = clause_of(r->c, node)->head;
  r->summary.at[node] = TERM_TRUE;
  if (!is_needed(r, node)) return true;
  const struct abstract_relation *of = &a->relations.at[relation];
  keeping k = {.c = r->c, .relation = relation};
  half_space_wish wish = {clauses_keep, &k, false};
  separation s = {
      .ts = a->ts, .budget = a->env->budget, .wanted = of->points.at, .wanted_count = of->points.count, .wish = &wish};
  VECTOR_COPY(s.shared, a->all->predicates.at[relation].parameters);
  bool found = separate_node(r, node, &s);
  if (found) add_predicates(r, relation, r->summary.at[node]);
  r->c->questions += s.questions;
  VECTOR_FREE(s.shared);
  return found;
}

size_t counterexample_refine(counterexample *c) {
  refining r = {.c = c};
  find_points(c);
  for (size_t i = 0; i < c->nodes.count; i++) {
    VECTOR_PUSH(r.summary, TERM_TRUE);
    VECTOR_PUSH(r.is_done, false);
  }
  bool fine = true;
  /* Each node comes after its parent. */
  for (uint32_t i = (uint32_t)c->nodes.count; i-- > 1 && fine;) {
    fine = !budget_spent(c->a->env->budget) && summarise(&r, i);
    r.is_done.at[i] = true;
  }
  VECTOR_FREE(r.summary);
  VECTOR_FREE(r.is_done);
  return r.added;
}
