/* From an error back through the clauses that led to it: Refine of Gulavani, Rajamani 2006, for trees.
 *
 * A node is a set of atoms of one predicate that the run reached at some step. If none of them comes from what the step was made of, its
 * widening introduced them, and the step is to blame. Else a clause derives some of them from sets of the step before, and one atom of its
 * body after the other is a node below: the others are held to what the run reached or, once their nodes are shown to be real, to what those
 * derive exactly. So where a path has one pre-image at each step, a tree has one for each branch, given the branches before it. */
#include "engine/widen/trees/clause_confirm.h"
#include "engine/widen/trees/clause_domain.h"

enum { MOST_NODES = 2000 };
#define NO_NODE UINT32_MAX

typedef enum trace_end { TRACE_REAL, TRACE_BLAMED, TRACE_STUCK } trace_end;

typedef struct traced_node {
  uint32_t head, path;
  size_t step;
  index_vector below; /* by source; NO_NODE for the entry */
  bool was_widened;
} traced_node;

typedef struct tree_tracing {
  clause_domain *d;
  const run *run;
  VECTOR(traced_node) nodes; /* those below a node come before it */
  refinement *out;
} tree_tracing;

static const component_run *component_run_of(const tree_tracing *t, uint32_t head, size_t *slot) {
  uint32_t c = t->d->graph.cuts.component_of.at[head];
  const component *at = &t->d->graph.cuts.components.at[c];
  *slot = 0;
  while (at->heads.at[*slot] != head) ++*slot;
  return &t->run->components[c];
}

static bool meets(const element *e, const polyhedron *p) {
  for (size_t i = 0; i < powerset_count(element_set(e)); i++)
    if (polyhedron_meets(powerset_at(element_set(e), i), p)) return true;
  return false;
}

/* The first step at which the head has one of the atoms; SIZE_MAX: none. */
static size_t first_step(const tree_tracing *t, uint32_t head, const polyhedron *atoms) {
  size_t slot;
  const component_run *r = component_run_of(t, head, &slot);
  for (size_t i = 0; i < r->steps.count; i++)
    if (meets(r->steps.at[i][slot].reached, atoms)) return i;
  return SIZE_MAX;
}

/* ---- blame ---- */

static bool connect_avoids(const tree_tracing *t, uint32_t head, const head_step *s, const polyhedron *atoms) {
  const domain *d = &t->d->domain;
  if (s->operator!= OPERATOR_WIDEN || d->precedes(s->before, s->with_images)) return false;
  element *connected = d->connect(d->context, head, s->before, s->with_images);
  bool avoids = !meets(connected, atoms);
  d->release(connected);
  return avoids;
}

static bool is_widened(const tree_tracing *t, const head_step *s) {
  return !s->is_quiet && s->operator!= OPERATOR_UNION && !t->d->domain.within(s->reached, s->with_images);
}

static void blame(const tree_tracing *t, uint32_t head, size_t step, bool connect_helps) {
  t->out->kind = REFINE_HINT;
  t->out->component = t->d->graph.cuts.component_of.at[head];
  t->out->step = step;
  t->out->connect_helps = connect_helps;
  VECTOR_PUSH(t->out->heads, head);
}

/* ---- below a node ---- */

/* What the sources of a path had when step `step` of its end was made. */
static const element *source_at(const tree_tracing *t, uint32_t end, uint32_t source, size_t step) {
  const cut_graph *cuts = &t->d->graph.cuts;
  size_t slot;
  if (cuts->component_of.at[source] != cuts->component_of.at[end]) return run_final(t->run, source);
  return component_run_of(t, source, &slot)->steps.at[step - 1][slot].reached;
}

static bool take_first(void *context, polyhedron *instances) {
  *(polyhedron **)context = polyhedron_copy(instances);
  return true;
}

static uint32_t source_of(const cut_path *p, size_t i) { return i ? p->beside.at[i - 1] : p->from; }

/* Instances of the path that derive one of the atoms at this step; NULL: there are none. */
static polyhedron *instances_of(const tree_tracing *t, uint32_t path, size_t step, const polyhedron *atoms) {
  const cut_path *p = &t->d->graph.cuts.paths.at[path];
  VECTOR(const powerset *) sources = {0};
  polyhedron *found = NULL;
  for (size_t i = 0; i <= p->beside.count; i++)
    VECTOR_PUSH(sources, element_set(source_at(t, p->to, source_of(p, i), step)));
  clause_instances(t->d, path, atoms, sources.at, take_first, &found);
  VECTOR_FREE(sources);
  return found;
}

/* A path to the head with instances that derive one of the atoms. */
static polyhedron *choose_path(const tree_tracing *t, uint32_t head, size_t step, const polyhedron *atoms,
                               uint32_t *path) {
  const cut_graph *cuts = &t->d->graph.cuts;
  const component *c = &cuts->components.at[cuts->component_of.at[head]];
  polyhedron *found = NULL;
  for (size_t i = 0; i < c->entering.count && !found; i++) {
    *path = c->entering.at[i];
    if (cuts->paths.at[*path].to == head) found = instances_of(t, *path, step, atoms);
  }
  for (size_t i = 0; step && i < c->inner.count && !found; i++) {
    *path = c->inner.at[i];
    if (cuts->paths.at[*path].to == head) found = instances_of(t, *path, step, atoms);
  }
  return found;
}

static trace_end trace_atoms(tree_tracing *t, uint32_t head, polyhedron *atoms, uint32_t *node);

/* The sources of the path, one after the other; `instances` is then what they derive exactly. */
static trace_end trace_sources(tree_tracing *t, traced_node *n, polyhedron *instances) {
  const cut_path *p = &t->d->graph.cuts.paths.at[n->path];
  const graph_rule *rule = &t->d->graph.rules.at[n->path];
  const clause_steps *steps = &t->d->system->steps.at[rule->clause];
  for (size_t i = 0; i < rule->sources.count; i++) {
    uint32_t below = NO_NODE;
    if (rule->sources.at[i] != NO_BLOCK) {
      polyhedron *atoms = polyhedron_copy(instances);
      clause_project(t->d, n->path, rule->sources.at[i], atoms);
      trace_end end = trace_atoms(t, source_of(p, i), atoms, &below);
      if (end == TRACE_REAL) clause_restrict(instances, &steps->blocks.at[rule->sources.at[i]], atoms);
      polyhedron_free(atoms);
      if (end != TRACE_REAL) return end;
    }
    VECTOR_PUSH(n->below, below);
  }
  return polyhedron_has_point(instances) ? TRACE_REAL : TRACE_STUCK;
}

/* Some of the atoms, which the run reached: TRACE_REAL if the tree below derives some, as far as polyhedra show; `atoms` then are those. */
static trace_end trace_atoms(tree_tracing *t, uint32_t head, polyhedron *atoms, uint32_t *node) {
  traced_node n = {.head = head, .step = first_step(t, head, atoms)};
  size_t slot;
  if (n.step == SIZE_MAX || t->nodes.count >= MOST_NODES || t->d->domain.failure(t->d)) return TRACE_STUCK;
  const head_step *s = &component_run_of(t, head, &slot)->steps.at[n.step][slot];
  n.was_widened = n.step && is_widened(t, s);
  if (n.step && !meets(s->with_images, atoms)) {
    blame(t, head, n.step, connect_avoids(t, head, s, atoms));
    return TRACE_BLAMED;
  }
  polyhedron *instances = choose_path(t, head, n.step, atoms, &n.path);
  if (!instances) return TRACE_STUCK;
  trace_end end = trace_sources(t, &n, instances);
  if (end == TRACE_REAL) {
    clause_project(t->d, n.path, t->d->graph.rules.at[n.path].target, instances);
    polyhedron_replace(atoms, instances);
  } else {
    polyhedron_free(instances);
  }
  *node = (uint32_t)t->nodes.count;
  VECTOR_PUSH(t->nodes, n);
  return end;
}

/* ---- the end ---- */

/* The tree without what says only that atoms are asked for. */
static void shape_tree(const tree_tracing *t, tree_shapes *out) {
  uint32_t *place = MEMORY_ARRAY(uint32_t, t->nodes.count + 1);
  for (size_t i = 0; i < t->nodes.count; i++) {
    const traced_node *n = &t->nodes.at[i];
    const graph_rule *rule = &t->d->graph.rules.at[n->path];
    if (t->d->graph.heads.at[n->head].is_call) continue;
    tree_shape made = {.clause = rule->clause};
    for (size_t j = 0; j < n->below.count; j++)
      if (rule->sources.at[j] != NO_BLOCK && rule->sources.at[j] != 0)
        VECTOR_PUSH(made.premises, place[n->below.at[j]]);
    place[i] = (uint32_t)out->count;
    VECTOR_PUSH(*out, made);
  }
  memory_free(place);
}

/* The first step of all that lost anything. */
static void blame_any(const tree_tracing *t) {
  const cut_graph *cuts = &t->d->graph.cuts;
  for (size_t c = 0; c < cuts->components.count; c++) {
    const component_run *r = &t->run->components[c];
    for (size_t step = 1; step < r->steps.count; step++)
      for (size_t k = 0; k < cuts->components.at[c].heads.count; k++)
        if (is_widened(t, &r->steps.at[step][k])) {
          blame(t, cuts->components.at[c].heads.at[k], step, false);
          return;
        }
  }
}

/* A tree that polyhedra allow and the numbers do not: the first step of it that lost anything is made exact; if none did, which one does not
 * matter. */
static void blame_first(const tree_tracing *t) {
  for (size_t i = 0; i < t->nodes.count; i++) {
    if (!t->nodes.at[i].was_widened) continue;
    blame(t, t->nodes.at[i].head, t->nodes.at[i].step, false);
    return;
  }
  blame_any(t);
}

static void confirm(const tree_tracing *t) {
  tree_shapes tree = {0};
  shape_tree(t, &tree);
  answer a = clause_confirm(t->d->system, &tree, &t->d->derivation);
  if (answer_is_yes(a)) t->out->kind = REFINE_REAL;
  if (answer_is_no(a)) blame_first(t);
  for (size_t i = 0; i < tree.count; i++) VECTOR_FREE(tree.at[i].premises);
  VECTOR_FREE(tree);
}

void clause_refine(void *context, const run *r, refinement *out) {
  tree_tracing t = {.d = context, .run = r, .out = out};
  const cut_graph *cuts = &t.d->graph.cuts;
  uint32_t query = 0, node = NO_NODE;
  for (uint32_t i = 1; i < cuts->heads; i++)
    if (t.d->graph.heads.at[i].predicate == clause_query(t.d->system)) query = i;
  polyhedron *atoms = polyhedron_universe(t.d->system->space, 0);
  out->kind = REFINE_STUCK;
  trace_end end = trace_atoms(&t, query, atoms, &node);
  if (!t.d->domain.failure(context)) {
    if (end == TRACE_REAL) confirm(&t);
    if (end == TRACE_STUCK) blame_first(&t);
  }
  polyhedron_free(atoms);
  for (size_t i = 0; i < t.nodes.count; i++) VECTOR_FREE(t.nodes.at[i].below);
  VECTOR_FREE(t.nodes);
}
