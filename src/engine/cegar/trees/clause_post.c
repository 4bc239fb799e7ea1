/* What a clause derives from abstract facts, by questions to a solver of its own: its constraint is asserted once, and so
 * is each predicate of an atom, as an implication from a variable that stands for it.
 *
 * What was found out is kept: of the same facts only predicates that are new are asked for. That a predicate of the head
 * holds, or that there is no head at all, follows from some predicates of the body (the solver names them), and then
 * from all facts that have those. */
#include "base/map.h"
#include "engine/cegar/trees/clause_abstraction.h"
#include "term/evaluate.h"

/* A predicate of an atom of the body: the atom above, its number below. Lists are ascending. */
typedef VECTOR(uint64_t) reason;
typedef VECTOR(reason) reason_vector;

static uint64_t key_of(size_t atom, uint32_t predicate) { return (uint64_t)atom << 32 | predicate; }

typedef struct post_atom {
  substitution *to_arguments;
  map *proxies; /* predicate -> what stands for it; of the head, for its negation */
} post_atom;

/* What is known about one choice of facts. */
typedef struct post_entry {
  reason body;
  bool is_possible;
  index_vector holds; /* of the first `asked` predicates */
  size_t asked;
  uint64_t next; /* with the same hash, or NO_ENTRY */
} post_entry;
#define NO_ENTRY UINT64_MAX

struct clause_post {
  const clause *clause;
  solver *solver;
  post_atom head, *body;
  reason_vector conflicts;
  VECTOR(reason_vector) implied; /* by predicate of the head */
  VECTOR(post_entry) entries;
  map *by_hash;
  term_vector assumed;
  number_vector values;
};

static GIVE clause_post *post_new(clause_abstraction *a, uint32_t clause) {
  clause_post *q = MEMORY_NEW(clause_post);
  q->clause = &a->all->clauses.at[clause];
  q->solver = solver_new_for_assumptions(a->ts, a->env->budget);
  q->by_hash = map_new();
  q->head = (post_atom){clause_atom_substitution(a->ts, a->all, q->clause, HEAD_ATOM), map_new()};
  q->body = MEMORY_ARRAY(post_atom, q->clause->body.count + 1);
  for (size_t i = 0; i < q->clause->body.count; i++)
    q->body[i] = (post_atom){clause_atom_substitution(a->ts, a->all, q->clause, i), map_new()};
  solver_assert(q->solver, q->clause->constraint);
  return q;
}

static void free_side(post_atom *s) {
  substitution_free(s->to_arguments);
  map_free(s->proxies);
}

static void free_reasons(reason_vector *v) {
  for (size_t i = 0; i < v->count; i++) VECTOR_FREE(v->at[i]);
  VECTOR_FREE(*v);
}

void clause_post_free(clause_post *q) {
  if (!q) return;
  solver_free(q->solver);
  free_side(&q->head);
  for (size_t i = 0; i < q->clause->body.count; i++) free_side(&q->body[i]);
  free_reasons(&q->conflicts);
  for (size_t i = 0; i < q->implied.count; i++) free_reasons(&q->implied.at[i]);
  for (size_t i = 0; i < q->entries.count; i++) {
    VECTOR_FREE(q->entries.at[i].body);
    VECTOR_FREE(q->entries.at[i].holds);
  }
  VECTOR_FREE(q->implied);
  VECTOR_FREE(q->entries);
  VECTOR_FREE(q->assumed);
  VECTOR_FREE(q->values);
  map_free(q->by_hash);
  memory_free(q->body);
  memory_free(q);
}

/* ---- what is known ---- */

static bool reason_is_within(const reason *small, const reason *large) {
  size_t j = 0;
  for (size_t i = 0; i < small->count; i++, j++) {
    while (j < large->count && large->at[j] < small->at[i]) j++;
    if (j == large->count || large->at[j] != small->at[i]) return false;
  }
  return true;
}

static bool follows(const reason_vector *known, const reason *body) {
  for (size_t i = 0; i < known->count; i++)
    if (reason_is_within(&known->at[i], body)) return true;
  return false;
}

static bool same_reason(const reason *one, const reason *other) {
  return one->count == other->count && reason_is_within(one, other);
}

/* The entry of these predicates; a new one if there is none. */
static uint64_t entry_of(clause_post *q, TAKE reason body, bool *is_new) {
  uint64_t hash = hash_bytes(body.at, body.count * sizeof *body.at, 0), first = NO_ENTRY;
  map_get(q->by_hash, hash, &first);
  *is_new = false;
  for (uint64_t i = first; i != NO_ENTRY; i = q->entries.at[i].next) {
    if (!same_reason(&q->entries.at[i].body, &body)) continue;
    VECTOR_FREE(body);
    return i;
  }
  *is_new = true;
  map_set(q->by_hash, hash, q->entries.count);
  VECTOR_PUSH(q->entries, (post_entry){.body = body, .next = first});
  return q->entries.count - 1;
}

/* ---- questions ---- */

static term predicate_of(const clause_abstraction *a, uint32_t relation, uint32_t number) {
  return a->relations.at[relation].predicates.at[number];
}

static term proxy_of(clause_abstraction *a, clause_post *q, post_atom *s, uint32_t number, term formula) {
  static const type truth = {.sort = SORT_BOOL};
  uint64_t known;
  if (map_get(s->proxies, number, &known)) return (term){(uint32_t)known};
  term proxy = term_of_variable(a->ts, variable_fresh(a->ts, "holds", &truth));
  map_set(s->proxies, number, proxy.x);
  solver_assert(q->solver, term_implies(a->ts, proxy, substitution_apply(s->to_arguments, formula)));
  return proxy;
}

static void assume_body(clause_abstraction *a, clause_post *q, const reason *body) {
  VECTOR_CLEAR(q->assumed);
  for (size_t i = 0; i < body->count; i++) {
    size_t atom = body->at[i] >> 32;
    uint32_t number = (uint32_t)body->at[i];
    term formula = predicate_of(a, q->clause->body.at[atom].predicate, number);
    term proxy = proxy_of(a, q, &q->body[atom], number, formula);
    VECTOR_PUSH(q->assumed, proxy);
  }
}

/* Those predicates of the body that the last answer has used. */
static reason read_reason(clause_post *q, const reason *body) {
  core_names core = {0};
  reason made = {0};
  solver_core_assumed(q->solver, &core);
  for (size_t i = 0; i < core.count; i++)
    if (core.at[i] < body->count) VECTOR_PUSH(made, body->at[core.at[i]]);
  VECTOR_FREE(core);
  return made;
}

static answer check(clause_abstraction *a, clause_post *q) {
  answer found = solver_check_assuming(q->solver, q->assumed.count, q->assumed.at, 0);
  a->checks++;
  a->unsure += answer_is_unsure(found);
  return found;
}

/* Predicates of the head, from number `from` on, that do not hold in the instance that was found are not implied. */
static void exclude_by_instance(clause_abstraction *a, clause_post *q, size_t from, bool *may_hold) {
  const variable_vector *read = &q->clause->variables;
  const term_vector *predicates = &a->relations.at[q->clause->head].predicates;
  number *found = MEMORY_ARRAY(number, read->count + 1);
  while (q->values.count < variable_count(a->ts)) VECTOR_PUSH(q->values, number_of(0));
  bool fine = solver_values(q->solver, read->count, read->at, found);
  for (size_t i = 0; i < read->count && fine; i++) q->values.at[read->at[i].x] = found[i];
  for (size_t i = from; i < predicates->count && fine; i++) {
    if (!may_hold[i]) continue;
    term here = substitution_apply(q->head.to_arguments, predicates->at[i]);
    may_hold[i] = !number_is(term_evaluate(a->ts, here, q->values.at), 0);
  }
  memory_free(found);
}

/* Whether the predicate of the head follows; what cannot be decided does not. */
static bool ask_head(clause_abstraction *a, clause_post *q, uint64_t entry, uint32_t number, bool *may_hold) {
  const reason *body = &q->entries.at[entry].body;
  while (q->implied.count <= number) VECTOR_PUSH(q->implied, (reason_vector){0});
  if (follows(&q->implied.at[number], body)) {
    a->known++;
    return true;
  }
  term formula = term_not(predicate_of(a, q->clause->head, number));
  VECTOR_PUSH(q->assumed, proxy_of(a, q, &q->head, number, formula));
  answer found = check(a, q);
  q->assumed.count--;
  if (answer_is_no(found)) VECTOR_PUSH(q->implied.at[number], read_reason(q, body));
  if (answer_is_yes(found)) exclude_by_instance(a, q, number, may_hold);
  return answer_is_no(found);
}

static void ask_heads(clause_abstraction *a, clause_post *q, uint64_t entry, bool has_instance) {
  size_t count = a->relations.at[q->clause->head].predicates.count, from = q->entries.at[entry].asked;
  bool *may_hold = MEMORY_ARRAY(bool, count + 1);
  for (size_t i = from; i < count; i++) may_hold[i] = true;
  if (has_instance) exclude_by_instance(a, q, from, may_hold);
  for (size_t i = from; i < count; i++)
    if (may_hold[i] && ask_head(a, q, entry, (uint32_t)i, may_hold))
      VECTOR_PUSH(q->entries.at[entry].holds, (uint32_t)i);
  q->entries.at[entry].asked = count;
  memory_free(may_hold);
}

static reason reason_of(const index_vector *const *body, size_t atoms) {
  reason made = {0};
  for (size_t i = 0; i < atoms; i++)
    for (size_t j = 0; j < body[i]->count; j++) VECTOR_PUSH(made, key_of(i, body[i]->at[j]));
  return made;
}

/* Whether the facts allow an instance of the clause. */
static answer ask_instance(clause_abstraction *a, clause_post *q, uint64_t entry) {
  const reason *body = &q->entries.at[entry].body;
  if (follows(&q->conflicts, body)) {
    a->known++;
    return answer_no();
  }
  answer found = check(a, q);
  if (answer_is_no(found)) VECTOR_PUSH(q->conflicts, read_reason(q, body));
  return found;
}

answer clause_post_ask(clause_abstraction *a, uint32_t clause, const index_vector *const *body, index_vector *out) {
  if (!a->posts.at[clause]) a->posts.at[clause] = post_new(a, clause);
  clause_post *q = a->posts.at[clause];
  bool is_new;
  uint64_t entry = entry_of(q, reason_of(body, q->clause->body.count), &is_new);
  assume_body(a, q, &q->entries.at[entry].body);
  a->known += !is_new;
  if (is_new) {
    answer found = ask_instance(a, q, entry);
    /* What is not known counts as possible. */
    q->entries.at[entry].is_possible = !answer_is_no(found);
    if (answer_is_unsure(found)) return found;
  }
  if (!q->entries.at[entry].is_possible) return answer_no();
  if (q->clause->head == NO_PREDICATE) return answer_yes();
  ask_heads(a, q, entry, is_new);
  VECTOR_COPY(*out, q->entries.at[entry].holds);
  return answer_yes();
}
