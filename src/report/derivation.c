/* What a step derives is computed from the clause and the values of its variables, which is all that evidence holds. */
#include "report/derivation.h"

#include "base/escape.h"
#include "proof/certificate.h"
#include "proof/replay/clause_replay.h"
#include "report/trace.h"
#include "term/evaluate.h"

GIVE char *parameter_label(const model *m, uint32_t predicate, size_t i) {
  const clause_predicate *p = &m->clauses->predicates.at[predicate];
  return memory_copy_string(variable_name(m->terms, p->parameters.at[i]) + strlen(p->name) + 1);
}

void derivation_values(const model *m, const derivation_step *s, number_vector *out) {
  const clause *c = &m->clauses->clauses.at[s->clause];
  number_vector assignment = {0};
  for (size_t i = 0; i < variable_count(m->terms); i++) VECTOR_PUSH(assignment, number_of(0));
  for (size_t i = 0; i < c->variables.count; i++) assignment.at[c->variables.at[i].x] = s->values.at[i];
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < c->head_arguments.count; i++)
    VECTOR_PUSH(*out, term_evaluate(m->terms, c->head_arguments.at[i], assignment.at));
  VECTOR_FREE(assignment);
}

uint32_t derivation_last_clause(const evidence *e) {
  REQUIRE(e->run.count || e->derivation.count, "evidence that has steps");
  return e->kind == EVIDENCE_CLAUSE_RUN ? VECTOR_LAST(e->run).clause : VECTOR_LAST(e->derivation).clause;
}

bool derivation_of_run(const model *m, const evidence *run, size_t most, evidence *out) {
  clause_replay *r = clause_replay_new(m->terms, m->clauses);
  bool is_whole = true;
  out->kind = EVIDENCE_DERIVATION;
  for (size_t i = 0; i < run->run.count && is_whole; i++)
    for (uint64_t j = 0; j < run->run.at[i].times && is_whole; j++) {
      const clause_run_step *s = &run->run.at[i];
      derivation_step made = {.clause = s->clause};
      size_t done = out->derivation.count;
      is_whole = done < most && clause_replay_step(r, s->clause, &s->choices) == REPLAY_FINE;
      if (!is_whole) break;
      for (size_t l = 0; l < m->clauses->clauses.at[s->clause].variables.count; l++)
        VECTOR_PUSH(made.values, clause_replay_value(r, s->clause, l));
      if (done) VECTOR_PUSH(made.premises, (uint32_t)done - 1);
      VECTOR_PUSH(out->derivation, made);
    }
  clause_replay_free(r);
  return is_whole;
}

static void print_state(const model *m, const derivation_step *s, text *out) {
  const clause *c = &m->clauses->clauses.at[s->clause];
  number_vector values = {0};
  derivation_values(m, s, &values);
  for (size_t i = 0; i < values.count; i++) {
    char *label = parameter_label(m, c->head, i);
    text_add(out, "%s%s = ", i ? ", " : "", label);
    value_print(m->terms, variable_type(m->terms, m->clauses->predicates.at[c->head].parameters.at[i]), values.at[i],
                out);
    memory_free(label);
  }
  VECTOR_FREE(values);
}

bool derivation_goes_on(const evidence *e, size_t i) {
  const index_vector *premises = &e->derivation.at[i].premises;
  return i ? premises->count == 1 && premises->at[0] + 1 == i : !premises->count;
}

static void print_premises(const evidence *e, size_t i, text *out) {
  const index_vector *premises = &e->derivation.at[i].premises;
  if (derivation_goes_on(e, i)) return;
  for (size_t j = 0; j < premises->count; j++) text_add(out, j ? ", %u" : "    from %u", premises->at[j]);
}

static void print_steps(const model *m, const evidence *e, text *out) {
  VECTOR(char *) atoms = {0};
  size_t widest = 0;
  for (size_t i = 0; i < e->derivation.count; i++) {
    const derivation_step *s = &e->derivation.at[i];
    text words = {0}, shown = {0};
    bool is_state = !m->clauses->is_horn && m->clauses->clauses.at[s->clause].head != NO_PREDICATE;
    if (is_state)
      print_state(m, s, &words);
    else
      derivation_write_atom(m, s, &words);
    text_add_shown(&shown, text_string(&words));
    text_clear(&words);
    if (shown.count > widest) widest = shown.count;
    VECTOR_PUSH(atoms, text_give(&shown));
  }
  for (size_t i = 0; i < atoms.count; i++) {
    bool is_last = m->clauses->clauses.at[e->derivation.at[i].clause].head == NO_PREDICATE;
    place at = m->clauses->clauses.at[e->derivation.at[i].clause].place;
    if (is_last)
      text_add(out, "        !  ");
    else
      text_add(out, "    %5zu  ", i);
    text_add(out, "%-*s    line %u", (int)(widest < 60 ? widest : 60), atoms.at[i], at.line);
    print_premises(e, i, out);
    text_add_char(out, '\n');
    memory_free(atoms.at[i]);
  }
  VECTOR_FREE(atoms);
}

void derivation_print(const model *m, const evidence *e, text *out) {
  evidence first = {0};
  if (e->kind != EVIDENCE_CLAUSE_RUN) {
    print_steps(m, e, out);
    return;
  }
  bool is_whole = derivation_of_run(m, e, MOST_STEPS_SHOWN, &first);
  print_steps(m, &first, out);
  if (!is_whole) text_add(out, "    .. and so on; the run is in the certificate\n");
  evidence_clear(&first);
}
