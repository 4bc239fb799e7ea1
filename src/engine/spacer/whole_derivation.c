/* All steps of a derivation at once: Z3 gives which relations were derived from which others, but not always with what
 * values (of arrays it may give terms that are none). One question has them all: for each step a rule is chosen, and
 * what it derives is what those that rest on it use. */
#include "engine/spacer/spacer.h"
#include "term/substitute.h"

/* A rule that may have derived a node: whether it has, and its variables, those of this step alone. Z3 changes the order
 * of atoms in bodies of rules with arrays, so that the premises of each have to be found. */
typedef struct candidate {
  uint32_t rule;
  index_vector premises; /* one for each atom of the body */
  variable is_used;
  variable_vector variables;
} candidate;

typedef struct derived_node {
  variable_vector atom; /* its arguments */
  VECTOR(candidate) candidates;
} derived_node;

typedef struct whole {
  spacer *s;
  terms *ts;
  const horn_derivation *derivation;
  VECTOR(derived_node) nodes;
  substitution *copy;
} whole;

/* The first premise of that relation, or from the end the last one, that is not among `taken`. */
static bool find_premise(const whole *w, const horn_node *n, uint32_t relation, bool from_end, bool *taken,
                         uint32_t *out) {
  for (size_t k = 0; k < n->premises.count; k++) {
    size_t i = from_end ? n->premises.count - 1 - k : k;
    if (taken[i] || w->derivation->at[n->premises.at[i]].relation != relation) continue;
    taken[i] = true;
    *out = n->premises.at[i];
    return true;
  }
  return false;
}

/* A premise for each atom of the body; those of one relation in their order, or in the opposite one. */
static bool match_premises(const whole *w, const horn_rule *r, const horn_node *n, bool from_end, index_vector *out) {
  if (r->head.relation != n->relation || r->body.count != n->premises.count) return false;
  bool *taken = MEMORY_ARRAY(bool, n->premises.count + 1), found = true;
  for (size_t i = 0; i < r->body.count && found; i++) {
    uint32_t premise = 0;
    found = find_premise(w, n, r->body.at[i].relation, from_end, taken, &premise);
    VECTOR_PUSH(*out, premise);
  }
  memory_free(taken);
  return found;
}

static bool are_same(const index_vector *a, const index_vector *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++) same = a->at[i] == b->at[i];
  return same;
}

static variable copy_of(whole *w, variable v) {
  type of = *variable_type(w->ts, v);
  return variable_fresh(w->ts, "step!", &of);
}

/* The atom, with the variables of the candidate, is what this node derives. */
static term atom_is(whole *w, const horn_atom *a, const derived_node *n) {
  term all = TERM_TRUE;
  for (size_t i = 0; i < a->arguments.count; i++) {
    term argument = substitution_apply(w->copy, a->arguments.at[i]);
    all = term_and(w->ts, all, term_eq(w->ts, argument, term_of_variable(w->ts, n->atom.at[i])));
  }
  return all;
}

/* What holds if the rule derives the node from these premises. */
static term step_of(whole *w, uint32_t rule, index_vector premises, const derived_node *made, candidate *out) {
  const horn_rule *r = &w->s->problem.rules.at[rule];
  *out = (candidate){.rule = rule, .premises = premises};
  out->is_used = variable_fresh(w->ts, "used!", &(type){.sort = SORT_BOOL});
  substitution_clear(w->copy);
  for (size_t i = 0; i < r->variables.count; i++) {
    VECTOR_PUSH(out->variables, copy_of(w, r->variables.at[i]));
    substitution_set(w->copy, r->variables.at[i], term_of_variable(w->ts, VECTOR_LAST(out->variables)));
  }
  term all = term_and(w->ts, substitution_apply(w->copy, r->constraint), atom_is(w, &r->head, made));
  for (size_t i = 0; i < r->body.count; i++)
    all = term_and(w->ts, all, atom_is(w, &r->body.at[i], &w->nodes.at[premises.at[i]]));
  return all;
}

/* The ways in which the rule may derive the node. */
static void add_candidates(whole *w, uint32_t rule, const horn_node *n, derived_node *made, term_vector *used,
                           solver *to) {
  for (int from_end = 0; from_end < 2; from_end++) {
    index_vector premises = {0};
    candidate c;
    bool fits = match_premises(w, &w->s->problem.rules.at[rule], n, from_end, &premises);
    bool is_known = from_end && made->candidates.count && VECTOR_LAST(made->candidates).rule == rule &&
                    are_same(&VECTOR_LAST(made->candidates).premises, &premises);
    if (!fits || is_known) {
      VECTOR_FREE(premises);
      continue;
    }
    term step = step_of(w, rule, premises, made, &c), is_used = term_of_variable(w->ts, c.is_used);
    VECTOR_PUSH(made->candidates, c);
    VECTOR_PUSH(*used, is_used);
    solver_assert(to, term_implies(w->ts, is_used, step));
  }
}

/* Asserts that a rule derives the node. */
static void add_node(whole *w, const horn_node *n, solver *to) {
  derived_node made = {0};
  term_vector used = {0};
  const variable_vector *parameters = &w->s->problem.relations.at[n->relation].parameters;
  for (size_t i = 0; i < parameters->count; i++) VECTOR_PUSH(made.atom, copy_of(w, parameters->at[i]));
  for (uint32_t i = 0; i < w->s->problem.rules.count; i++) add_candidates(w, i, n, &made, &used, to);
  solver_assert(to, term_or_all(w->ts, used.count, used.at));
  VECTOR_FREE(used);
  VECTOR_PUSH(w->nodes, made);
}

static void take_values(const whole *w, solver *from, size_t i, horn_derivation *out, rule_instances *by) {
  const horn_node *n = &w->derivation->at[i];
  const derived_node *d = &w->nodes.at[i];
  horn_node made = {.relation = n->relation};
  rule_instance found = {0};
  for (size_t j = 0; j < d->atom.count; j++) VECTOR_PUSH(made.values, solver_value(from, d->atom.at[j]));
  for (size_t j = 0; j < d->candidates.count; j++) {
    const candidate *c = &d->candidates.at[j];
    if (!number_is(solver_value(from, c->is_used), 1)) continue;
    found.rule = c->rule;
    for (size_t k = 0; k < c->premises.count; k++) VECTOR_PUSH(made.premises, c->premises.at[k]);
    for (size_t k = 0; k < c->variables.count; k++) VECTOR_PUSH(found.values, solver_value(from, c->variables.at[k]));
    break;
  }
  VECTOR_PUSH(*out, made);
  VECTOR_PUSH(*by, found);
}

static void whole_clear(whole *w) {
  for (size_t i = 0; i < w->nodes.count; i++) {
    derived_node *n = &w->nodes.at[i];
    for (size_t j = 0; j < n->candidates.count; j++) {
      VECTOR_FREE(n->candidates.at[j].variables);
      VECTOR_FREE(n->candidates.at[j].premises);
    }
    VECTOR_FREE(n->candidates);
    VECTOR_FREE(n->atom);
  }
  VECTOR_FREE(w->nodes);
  substitution_free(w->copy);
}

bool derivation_solve(spacer *s, const horn_derivation *printed, horn_derivation *out, rule_instances *by,
                      const char **reason) {
  whole w = {.s = s, .ts = s->ts, .derivation = printed, .copy = substitution_new(s->ts)};
  solver *asked = solver_new(s->ts, s->env->budget);
  *reason = NULL;
  for (size_t i = 0; i < printed->count && !*reason; i++) {
    add_node(&w, &printed->at[i], asked);
    *reason = budget_spent(s->env->budget);
  }
  answer found = *reason ? answer_unsure(*reason) : solver_check(asked, 0);
  if (answer_is_unsure(found)) *reason = found.reason;
  if (answer_is_no(found)) *reason = "Z3's derivation is none of the rules";
  for (size_t i = 0; i < printed->count && answer_is_yes(found); i++) take_values(&w, asked, i, out, by);
  whole_clear(&w);
  solver_free(asked);
  return answer_is_yes(found);
}
