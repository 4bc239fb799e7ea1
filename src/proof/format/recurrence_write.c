/* Writes a recurrence as SMT-LIB 2, with its obligations (check/check_recurrence.c) spelt out; docs/certificates.md describes the file. Every
 * check-sat is to answer unsat. The run is a string, in the format of runs. */
#include "model/transform.h"
#include "proof/format/formats.h"
#include "proof/format/invariant_writer.h"
#include "proof/recurrence.h"
#include "proof/type_and_input_conditions.h"
#include "term/print.h"

static void write_run(const invariant_writer *w, size_t property, const evidence *e) {
  text run = {0};
  trace_write(w->model, property, e, &run);
  writer_text(w, "(set-info :whet-run \"");
  for (const char *at = text_string(&run); *at; at++) {
    if (*at == '"') text_add_char(w->out, '"');
    text_add_char(w->out, *at);
  }
  writer_text(w, "\")\n");
  text_clear(&run);
}

/* The number of a transition, and the values of its inputs. */
static void write_choice(const invariant_writer *w, const trace_step *c) {
  text_add(w->out, "(set-info :whet-choice \"%u", c->transition);
  for (size_t i = 0; i < c->inputs.count; i++) {
    text_add_char(w->out, ' ');
    number_print(w->out, c->inputs.at[i]);
  }
  writer_text(w, "\")\n");
}

static void refute(const invariant_writer *w, const char *what, const term *known, size_t count, term violation) {
  writer_open_obligation(w, what, "");
  for (size_t i = 0; i < count; i++) writer_assert(w, known[i]);
  writer_assert_any(w, violation);
  writer_close_obligation(w);
}

/* The variables have the values of that state. */
static term state_at(const model *m, const trace_step *s) {
  term_vector parts = {0};
  for (size_t i = 0; i < m->variables.count; i++)
    VECTOR_PUSH(parts, fixed_term(m->terms, m->variables.at[i].var, s->values.at[i]));
  term result = term_and_all(m->terms, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

static void write_step(const invariant_writer *w, const evidence *e, size_t position) {
  const model *m = w->model;
  const trace_step *next = &e->steps.at[position];
  const transition *t = &m->transitions.at[next->transition];
  term inputs = TERM_TRUE,
       step = term_and(m->terms, transition_enabled(m, t), transform_after(m, t, state_at(m, next)));
  writer_open_obligation(w, "a step of the run: ", t->name);
  for (size_t i = 0; i < t->inputs.count; i++) {
    writer_declare(w, t->inputs.at[i]);
    inputs = term_and(m->terms, inputs, fixed_term(m->terms, t->inputs.at[i], next->inputs.at[i]));
  }
  writer_assert(w, state_at(m, &e->steps.at[position - 1]));
  writer_assert(w, inputs);
  writer_assert_any(w, term_not(term_and(m->terms, step, condition_input_types(m, t))));
  writer_close_obligation(w);
}

/* What is wrong in none of these states of the run. */
static void refute_states(const invariant_writer *w, const evidence *e, size_t first, const char *what,
                          term violation) {
  for (size_t i = first; i < e->steps.count; i++) {
    term state = state_at(w->model, &e->steps.at[i]);
    char *of = text_format("%s, in its state %zu", what, i);
    refute(w, of, &state, 1, violation);
    memory_free(of);
  }
}

/* If it was made nowhere, the first obligation does not hold. */
static void write_open_promise(const invariant_writer *w, const temporal_promise *p, const evidence *e) {
  size_t made = 0;
  recurrence_made_at(w->model, p, e, &made);
  term state = state_at(w->model, &e->steps.at[made]);
  refute(w, "the promise is made on the run", &state, 1, term_not(p->asks));
  refute_states(w, e, made, "the promise stays open on the run", p->gives);
}

static void write_obligations(const invariant_writer *w, const temporal_promise *p, const evidence *e) {
  const model *m = w->model;
  term types = condition_types(m), first = state_at(m, &e->steps.at[0]), last = state_at(m, &VECTOR_LAST(e->steps));
  for (size_t i = 0; i < m->variables.count; i++) writer_declare(w, m->variables.at[i].var);
  refute(w, "the run begins in an initial state", &first, 1, term_not(m->init));
  refute_states(w, e, 0, "the run is within the types", term_not(types));
  for (size_t i = 1; i < e->steps.count; i++) write_step(w, e, i);
  write_open_promise(w, p, e);
  refute(w, "the run ends in the region", &last, 1, term_not(e->region));
  refute(w, "the promise is open in the region", (term[]){types, e->region}, 2, p->gives);
  refute(w, "a choice stays in the region", &types, 1, recurrence_leaves(m, e));
}

void recurrence_write(const model *m, size_t property, const evidence *e, text *out) {
  invariant_writer w = {.model = m, .property = &m->properties.at[property], .ts = m->terms, .out = out};
  temporal_promise promise;
  text_add(out, "%s%d\n", evidence_row_of(EVIDENCE_RECURRENCE)->first_words, CERTIFICATE_VERSION);
  writer_text(
      &w,
      "; A run to a region that can be stayed in for ever, and what must be shown: each check-sat answers unsat.\n");
  writer_info(&w, "whet-model", m->name);
  writer_info(&w, "whet-property", w.property->name);
  write_run(&w, property, e);
  for (size_t i = 0; i < e->choices.count; i++) write_choice(&w, &e->choices.at[i]);
  writer_types(&w, e);
  writer_define(&w, "region", "Bool", e->region);
  if (!recurrence_open(m, w.property, &promise) && e->steps.count) write_obligations(&w, &promise, e);
}
