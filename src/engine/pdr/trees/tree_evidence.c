/* A derivation from sets of derivable atoms: for an atom of a set, a solver finds the instance of the set's clause with
 * atoms of the premises' sets; those are treated in the same way, each atom of a set once. */
#include "base/map.h"
#include "engine/pdr/trees/trees.h"
#include "term/evaluate.h"

typedef struct tree_node {
  uint32_t set;
  number_vector atom;
  number_vector values;  /* of the clause's variables */
  index_vector premises; /* nodes */
  uint64_t next;         /* with the same hash, or NO_NODE */
} tree_node;
#define NO_NODE UINT64_MAX

typedef struct tree_building {
  tree_frames *f;
  solver *solver;
  VECTOR(tree_node) nodes;
  map *by_hash;
} tree_building;

static uint32_t node_of(tree_building *b, uint32_t set, TAKE number_vector atom) {
  uint64_t hash = hash_mix(set), first = NO_NODE;
  for (size_t i = 0; i < atom.count; i++) hash = hash_mix(hash ^ number_hash(atom.at[i]));
  map_get(b->by_hash, hash, &first);
  for (uint64_t i = first; i != NO_NODE; i = b->nodes.at[i].next) {
    const tree_node *n = &b->nodes.at[i];
    bool same = n->set == set;
    for (size_t j = 0; same && j < atom.count; j++) same = number_equal(n->atom.at[j], atom.at[j]);
    if (!same) continue;
    VECTOR_FREE(atom);
    return (uint32_t)i;
  }
  map_set(b->by_hash, hash, b->nodes.count);
  VECTOR_PUSH(b->nodes, (tree_node){.set = set, .atom = atom, .next = first});
  return (uint32_t)(b->nodes.count - 1);
}

static term value_term(terms *ts, term like, number n) {
  return term_sort(ts, like) == SORT_BOOL ? term_of_bool(!number_is(n, 0)) : term_number(ts, n);
}

/* The clause's constraint, the atom as its head, and premises from their sets. */
static term instance_formula(const tree_building *b, const tree_node *n) {
  tree_frames *f = b->f;
  const reached_set *r = &f->reached.at[n->set];
  const clause *c = &f->all->clauses.at[r->clause];
  term_vector parts = {0};
  VECTOR_PUSH(parts, c->constraint);
  for (size_t i = 0; i < n->atom.count; i++)
    VECTOR_PUSH(parts,
                term_eq(f->ts, c->head_arguments.at[i], value_term(f->ts, c->head_arguments.at[i], n->atom.at[i])));
  for (size_t i = 0; i < r->premises.count; i++)
    VECTOR_PUSH(parts, tree_cube_at(f, r->clause, i, &f->reached.at[r->premises.at[i]].cube));
  term all = term_and_all(f->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

static void read_instance(tree_building *b, uint32_t node) {
  tree_frames *f = b->f;
  const reached_set *r = &f->reached.at[b->nodes.at[node].set];
  const clause *c = &f->all->clauses.at[r->clause];
  for (size_t i = 0; i < c->variables.count; i++) {
    number n = solver_value(b->solver, c->variables.at[i]);
    f->values.at[c->variables.at[i].x] = n;
    VECTOR_PUSH(b->nodes.at[node].values, n);
  }
  for (size_t i = 0; i < c->body.count; i++) {
    number_vector atom = {0};
    for (size_t j = 0; j < c->body.at[i].arguments.count; j++)
      VECTOR_PUSH(atom, term_evaluate(f->ts, c->body.at[i].arguments.at[j], f->values.at));
    uint32_t premise = node_of(b, r->premises.at[i], atom);
    VECTOR_PUSH(b->nodes.at[node].premises, premise);
  }
}

static const char *find_instance(tree_building *b, uint32_t node) {
  term formula = instance_formula(b, &b->nodes.at[node]);
  while (b->f->values.count < variable_count(b->f->ts)) VECTOR_PUSH(b->f->values, number_of(0));
  solver_push(b->solver);
  solver_assert(b->solver, formula);
  answer a = solver_check(b->solver, 0);
  if (answer_is_yes(a)) read_instance(b, node);
  solver_pop(b->solver);
  return answer_is_yes(a) ? NULL : answer_is_unsure(a) ? a.reason : "an atom that was reached has no derivation";
}

/* Premises are of earlier sets: sorted by sets, each node comes after those it needs. */
static void write(const tree_building *b, evidence *e) {
  uint32_t *place = MEMORY_ARRAY(uint32_t, b->nodes.count + 1);
  e->kind = EVIDENCE_DERIVATION;
  index_vector *of_set = MEMORY_ARRAY(index_vector, b->f->reached.count + 1);
  for (uint32_t i = 0; i < b->nodes.count; i++) VECTOR_PUSH(of_set[b->nodes.at[i].set], i);
  for (size_t s = 0; s < b->f->reached.count; s++) {
    for (size_t i = 0; i < of_set[s].count; i++) {
      const tree_node *n = &b->nodes.at[of_set[s].at[i]];
      derivation_step made = {.clause = b->f->reached.at[s].clause};
      place[of_set[s].at[i]] = (uint32_t)e->derivation.count;
      for (size_t j = 0; j < n->premises.count; j++) VECTOR_PUSH(made.premises, place[n->premises.at[j]]);
      for (size_t j = 0; j < n->values.count; j++) VECTOR_PUSH(made.values, n->values.at[j]);
      VECTOR_PUSH(e->derivation, made);
    }
    VECTOR_FREE(of_set[s]);
  }
  memory_free(of_set);
  memory_free(place);
}

const char *tree_derivation(tree_frames *f, evidence *out) {
  tree_building b = {.f = f, .solver = solver_new(f->ts, f->env->budget), .by_hash = map_new()};
  const char *trouble = NULL;
  node_of(&b, (uint32_t)(f->reached.count - 1), (number_vector){0});
  for (uint32_t i = 0; i < b.nodes.count && !trouble; i++) trouble = find_instance(&b, i);
  if (!trouble) write(&b, out);
  for (size_t i = 0; i < b.nodes.count; i++) {
    VECTOR_FREE(b.nodes.at[i].atom);
    VECTOR_FREE(b.nodes.at[i].values);
    VECTOR_FREE(b.nodes.at[i].premises);
  }
  VECTOR_FREE(b.nodes);
  map_free(b.by_hash);
  solver_free(b.solver);
  const char *spent = budget_spent(f->env->budget);
  return !trouble ? NULL : spent ? spent : "a derivation could not be written out";
}

void tree_interpretation(const tree_frames *f, size_t level, evidence *out) {
  out->kind = EVIDENCE_INTERPRETATION;
  for (uint32_t i = 0; i < f->all->predicates.count; i++)
    VECTOR_PUSH(out->interpretation, tree_frames_formula(f, i, level));
}
