/* Facts, breadth first: each new one is used with those before it, at every atom that it fits. */
#include "engine/cegar/trees/clause_abstraction.h"

void clause_abstraction_open(clause_abstraction *a, engine_environment *env, const clauses *all) {
  *a = (clause_abstraction){.env = env, .ts = env->model->terms, .all = all};
  for (size_t i = 0; i < all->predicates.count; i++) VECTOR_PUSH(a->relations, (abstract_relation){0});
  for (size_t i = 0; i < all->clauses.count; i++) VECTOR_PUSH(a->posts, NULL);
}

static void clear_fact(abstract_fact *f) {
  VECTOR_FREE(f->holds);
  VECTOR_FREE(f->premises);
}

void clause_abstraction_restart(clause_abstraction *a) {
  for (size_t i = 0; i < a->facts.count; i++) clear_fact(&a->facts.at[i]);
  for (size_t i = 0; i < a->relations.count; i++) VECTOR_CLEAR(a->relations.at[i].facts);
  clear_fact(&a->query);
  VECTOR_CLEAR(a->facts);
  a->looked_at = 0;
  a->has_begun = false;
}

void clause_abstraction_close(clause_abstraction *a) {
  clause_abstraction_restart(a);
  for (size_t i = 0; i < a->relations.count; i++) {
    abstract_relation *r = &a->relations.at[i];
    for (size_t j = 0; j < r->points.count; j++) VECTOR_FREE(r->points.at[j]);
    VECTOR_FREE(r->points);
    VECTOR_FREE(r->predicates);
    VECTOR_FREE(r->facts);
  }
  for (size_t i = 0; i < a->posts.count; i++) clause_post_free(a->posts.at[i]);
  VECTOR_FREE(a->relations);
  VECTOR_FREE(a->facts);
  VECTOR_FREE(a->posts);
}

bool clause_abstraction_add(clause_abstraction *a, uint32_t relation, term predicate) {
  term_vector *known = &a->relations.at[relation].predicates;
  if (term_is_true(predicate) || term_is_false(predicate)) return false;
  for (size_t i = 0; i < known->count; i++)
    if (term_same(known->at[i], predicate)) return false;
  VECTOR_PUSH(*known, predicate);
  return true;
}

size_t clause_abstraction_predicates(const clause_abstraction *a) {
  size_t count = 0;
  for (size_t i = 0; i < a->relations.count; i++) count += a->relations.at[i].predicates.count;
  return count;
}

/* ---- facts ---- */

static bool is_within(const index_vector *small, const index_vector *large) {
  size_t j = 0;
  for (size_t i = 0; i < small->count; i++, j++) {
    while (j < large->count && large->at[j] < small->at[i]) j++;
    if (j == large->count || large->at[j] != small->at[i]) return false;
  }
  return true;
}

/* Takes the fact, unless one that there is covers it. */
static void add_fact(clause_abstraction *a, TAKE abstract_fact *made) {
  index_vector *facts = &a->relations.at[made->relation].facts;
  for (size_t i = 0; i < facts->count; i++) {
    if (!is_within(&a->facts.at[facts->at[i]].holds, &made->holds)) continue;
    clear_fact(made);
    return;
  }
  size_t kept = 0;
  for (size_t i = 0; i < facts->count; i++) {
    abstract_fact *f = &a->facts.at[facts->at[i]];
    f->is_covered = is_within(&made->holds, &f->holds);
    if (!f->is_covered) facts->at[kept++] = facts->at[i];
  }
  facts->count = kept;
  VECTOR_PUSH(*facts, (uint32_t)a->facts.count);
  VECTOR_PUSH(a->facts, *made);
}

/* Uses the clause with these facts. */
static explore_end use(clause_abstraction *a, uint32_t clause, const index_vector *premises) {
  const struct clause *c = &a->all->clauses.at[clause];
  const index_vector **body = MEMORY_ARRAY(const index_vector *, premises->count + 1);
  abstract_fact made = {.relation = c->head, .clause = clause};
  for (size_t i = 0; i < premises->count; i++) body[i] = &a->facts.at[premises->at[i]].holds;
  answer found = clause_post_ask(a, clause, body, &made.holds);
  memory_free(body);
  if (!answer_is_yes(found)) {
    clear_fact(&made);
    if (answer_is_unsure(found)) a->trouble = found.reason ? found.reason : "a question could not be decided";
    return answer_is_unsure(found) ? EXPLORE_TROUBLE : EXPLORE_GOES_ON;
  }
  VECTOR_COPY(made.premises, *premises);
  if (c->head != NO_PREDICATE) {
    add_fact(a, &made);
    return EXPLORE_GOES_ON;
  }
  a->query = made;
  return EXPLORE_QUERY;
}

static bool is_asked_for(const clause_abstraction *a, const clause *c) {
  return c->head != NO_PREDICATE || c->property == a->env->property;
}

/* ---- combinations ---- */

/* The facts for each atom of a body that has `fact` at atom `at`: before that atom only older ones, so that none comes
 * twice. */
typedef struct premise_choice {
  VECTOR(index_vector) choices;
  index_vector chosen; /* numbers of choices */
} premise_choice;

static bool choices_of(const clause_abstraction *a, const clause *c, size_t at, uint32_t fact, premise_choice *out) {
  bool all = true;
  for (size_t i = 0; i < c->body.count; i++) {
    const index_vector *known = &a->relations.at[c->body.at[i].predicate].facts;
    index_vector choices = {0};
    for (size_t j = 0; j < known->count && i != at; j++)
      if (known->at[j] < fact || (known->at[j] == fact && i > at)) VECTOR_PUSH(choices, known->at[j]);
    if (i == at) VECTOR_PUSH(choices, fact);
    all &= choices.count > 0;
    VECTOR_PUSH(out->choices, choices);
    VECTOR_PUSH(out->chosen, 0);
  }
  return all;
}

static void clear_combination(premise_choice *c) {
  for (size_t i = 0; i < c->choices.count; i++) VECTOR_FREE(c->choices.at[i]);
  VECTOR_FREE(c->choices);
  VECTOR_FREE(c->chosen);
}

static bool next_combination(premise_choice *c) {
  for (size_t i = c->choices.count; i-- > 0;) {
    if (++c->chosen.at[i] < c->choices.at[i].count) return true;
    c->chosen.at[i] = 0;
  }
  return false;
}

static explore_end use_combinations(clause_abstraction *a, uint32_t clause, size_t at, uint32_t fact) {
  premise_choice c = {0};
  index_vector premises = {0};
  explore_end end = EXPLORE_GOES_ON;
  bool more = choices_of(a, &a->all->clauses.at[clause], at, fact, &c);
  while (more && end == EXPLORE_GOES_ON && !a->facts.at[fact].is_covered) {
    bool is_live = true;
    VECTOR_CLEAR(premises);
    for (size_t i = 0; i < c.choices.count; i++) {
      uint32_t one = c.choices.at[i].at[c.chosen.at[i]];
      is_live &= !a->facts.at[one].is_covered;
      VECTOR_PUSH(premises, one);
    }
    if (is_live) end = use(a, clause, &premises);
    a->trouble = end == EXPLORE_GOES_ON ? budget_spent(a->env->budget) : a->trouble;
    if (a->trouble) end = EXPLORE_TROUBLE;
    more = next_combination(&c);
  }
  clear_combination(&c);
  VECTOR_FREE(premises);
  return end;
}

/* ---- one more fact ---- */

static explore_end use_clauses_without_body(clause_abstraction *a) {
  explore_end end = EXPLORE_GOES_ON;
  const index_vector none = {0};
  for (uint32_t i = 0; i < a->all->clauses.count && end == EXPLORE_GOES_ON; i++) {
    const clause *c = &a->all->clauses.at[i];
    if (!c->body.count && is_asked_for(a, c)) end = use(a, i, &none);
  }
  a->has_begun = true;
  return end;
}

explore_end clause_abstraction_explore(clause_abstraction *a) {
  if (!a->has_begun) return use_clauses_without_body(a);
  while (a->looked_at < a->facts.count && a->facts.at[a->looked_at].is_covered) a->looked_at++;
  if (a->looked_at == a->facts.count) return EXPLORE_CLOSED;
  uint32_t fact = (uint32_t)a->looked_at++;
  explore_end end = EXPLORE_GOES_ON;
  for (uint32_t i = 0; i < a->all->clauses.count; i++) {
    const clause *c = &a->all->clauses.at[i];
    for (size_t j = 0; j < c->body.count && is_asked_for(a, c) && end == EXPLORE_GOES_ON; j++)
      if (c->body.at[j].predicate == a->facts.at[fact].relation) end = use_combinations(a, i, j, fact);
  }
  return end;
}

term clause_abstraction_formula(const clause_abstraction *a, uint32_t relation) {
  const struct abstract_relation *r = &a->relations.at[relation];
  term_vector facts = {0}, parts = {0};
  for (size_t i = 0; i < r->facts.count; i++) {
    const index_vector *holds = &a->facts.at[r->facts.at[i]].holds;
    VECTOR_CLEAR(parts);
    for (size_t j = 0; j < holds->count; j++) VECTOR_PUSH(parts, r->predicates.at[holds->at[j]]);
    VECTOR_PUSH(facts, term_and_all(a->ts, parts.count, parts.at));
  }
  term result = term_or_all(a->ts, facts.count, facts.at);
  VECTOR_FREE(facts);
  VECTOR_FREE(parts);
  return result;
}
