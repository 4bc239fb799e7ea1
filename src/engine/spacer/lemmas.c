/* Facts of others as covers, and covers that hold always as lemmas for others.
 *
 * Facts are about states. Of clauses, atoms stand for states and the other way round (model/clauses.h): a fact becomes
 * an interpretation of the predicates, as an invariant does; a formula about a predicate is said of the states of its
 * images. */
#include "engine/own_lemmas.h"
#include "engine/spacer/spacer.h"
#include "proof/clause_evidence.h"
#include "proof/formulas.h"
#include "term/print.h"
#include "term/substitute.h"

enum { LONGEST_LEMMAS = 20000, MOST_LEMMAS = 200 };

/* Spacer makes no use of covers with remainders and the like: these go into the bodies of rules. */
static void add_to_bodies(spacer *s, uint32_t relation, term formula) {
  const variable_vector *parameters = &s->problem.relations.at[relation].parameters;
  substitution *by = substitution_new(s->ts);
  for (size_t i = 0; i < s->problem.rules.count; i++) {
    horn_rule *r = &s->problem.rules.at[i];
    for (size_t j = 0; j < r->body.count; j++) {
      if (r->body.at[j].relation != relation) continue;
      substitution_clear(by);
      for (size_t k = 0; k < parameters->count; k++)
        substitution_set(by, parameters->at[k], r->body.at[j].arguments.at[k]);
      r->constraint = term_and(s->ts, r->constraint, substitution_apply(by, formula));
    }
  }
  substitution_free(by);
}

static void add_known(spacer *s, uint32_t relation, term formula) {
  if (term_is_true(formula)) return;
  VECTOR_PUSH(s->known, (horn_cover){.relation = relation, .level = HORN_ALWAYS, .formula = formula});
  term_vector parts = {0};
  term_conjuncts(s->ts, formula, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (!term_is_linear(s->ts, parts.at[i])) add_to_bodies(s, relation, parts.at[i]);
  VECTOR_FREE(parts);
}

static void add_to_predicates(spacer *s, term facts) {
  evidence e = {.kind = EVIDENCE_INVARIANT};
  evidence_add_part(s->ts, &e, facts);
  const clauses *rewritten = s->env->model->clauses->rewritten;
  clause_interpretation(s->env->model, &e);
  for (uint32_t i = 0; i < problem_relations(s) && i < e.interpretation.count; i++)
    if (!rewritten || rewritten->treatments.at[i] == PREDICATE_KEPT) add_known(s, i, e.interpretation.at[i]);
  evidence_clear(&e);
}

static void add_to_places(spacer *s, term facts) {
  substitution *here = substitution_new(s->ts);
  for (uint32_t i = 0; i < problem_relations(s); i++) {
    substitution_clear(here);
    if (s->has_places) substitution_set(here, s->location, term_int(s->ts, s->first_place + i));
    add_known(s, i, substitution_apply(here, facts));
  }
  substitution_free(here);
}

void spacer_lemmas_take_facts(spacer *s) {
  const term_vector *facts = &s->env->facts;
  if (s->facts_taken == facts->count) return;
  term fresh = term_and_all(s->ts, facts->count - s->facts_taken, facts->at + s->facts_taken);
  s->facts_taken = facts->count;
  s->env->used_facts = true;
  if (s->is_of_clauses)
    add_to_predicates(s, fresh);
  else
    add_to_places(s, fresh);
}

bool spacer_lemmas_wait(spacer *s) {
  const engine_environment *env = s->env;
  const char *lines;
  bool found = false;
  uint64_t known;
  while (!found && env->facts_waiting && (lines = env->facts_waiting(env, s->waiting_seen))) {
    for (const char *end; !found && (end = strchr(lines, '\n')); lines = end + 1) {
      char *line = memory_copy_bytes(lines, (size_t)(end - lines));
      found = !names_get(s->own, line, &known);
      memory_free(line);
    }
    s->waiting_seen++;
  }
  return found;
}

/* ---- out ---- */

static void say_of_states(const spacer *s, const horn_cover *c, term_vector *out) {
  if (!s->is_of_clauses) {
    VECTOR_PUSH(*out, term_implies(s->ts, problem_place(s, c->relation), c->formula));
    return;
  }
  const clauses *all = clauses_lowered(s->env->model->clauses);
  substitution *by = substitution_new(s->ts);
  for (size_t i = 0; i < all->images.count; i++) {
    const clause_image *image = &all->images.at[i];
    if (image->predicate != c->relation) continue;
    const variable_vector *parameters = &all->predicates.at[image->predicate].parameters;
    substitution_clear(by);
    for (size_t j = 0; j < parameters->count; j++) substitution_set(by, parameters->at[j], image->arguments.at[j]);
    VECTOR_PUSH(*out, term_implies(s->ts, image->at, substitution_apply(by, c->formula)));
  }
  substitution_free(by);
}

static bool was_sent(const spacer *s, term t) {
  for (size_t i = 0; i < s->sent.count; i++)
    if (term_same(s->sent.at[i], t)) return true;
  for (size_t i = 0; i < s->env->facts.count; i++)
    if (term_same(s->env->facts.at[i], t)) return true;
  return term_is_true(t);
}

/* The conjuncts of covers, as formulas about states. Those of one look are inductive together, with what was sent
 * before. */
static void collect(spacer *s, const horn_covers *covers, term_vector *out) {
  term_vector parts = {0};
  for (size_t i = 0; i < covers->count; i++) {
    if (covers->at[i].level != HORN_ALWAYS || covers->at[i].relation >= problem_relations(s)) continue;
    VECTOR_CLEAR(parts);
    term_conjuncts(s->ts, covers->at[i].formula, &parts);
    for (size_t j = 0; j < parts.count; j++)
      say_of_states(s, &(horn_cover){covers->at[i].relation, HORN_ALWAYS, parts.at[j]}, out);
  }
  VECTOR_FREE(parts);
}

static void remember_sent(spacer *s, term t) {
  text line = {0};
  formulas_add(s->ts, t, &line);
  line.at[line.count - 1] = 0; /* the newline */
  names_set(s->own, line.at, 1);
  text_clear(&line);
  VECTOR_PUSH(s->sent, t);
}

/* That they are few and short enough for others to use. */
static bool are_short(const spacer *s, const term_vector *lemmas) {
  text shown = {0};
  for (size_t i = 0; i < lemmas->count && shown.count <= LONGEST_LEMMAS; i++)
    formulas_add(s->ts, lemmas->at[i], &shown);
  bool are = lemmas->count <= MOST_LEMMAS && shown.count <= LONGEST_LEMMAS;
  text_clear(&shown);
  return are;
}

void spacer_lemmas_send(spacer *s, const horn_covers *covers) {
  term_vector all = {0};
  bool any_new = false;
  if (!s->env->events) return;
  collect(s, covers, &all);
  for (size_t i = 0; i < all.count; i++) any_new |= !was_sent(s, all.at[i]);
  if (any_new && are_short(s, &all) && own_lemmas_are_inductive(s->env, &all))
    events_lemmas(s->env->events, s->ts, &all);
  for (size_t i = 0; i < all.count; i++)
    if (!was_sent(s, all.at[i])) remember_sent(s, all.at[i]);
  VECTOR_FREE(all);
}
