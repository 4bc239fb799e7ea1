/* The results of a run as one JSON document; docs/json.md and docs/whet.schema.json describe it. */
#include "report/json.h"

#include "base/escape.h"
#include "proof/certificate.h"
#include "report/derivation.h"
#include "report/trace.h"
#include "term/print.h"

enum { MOST_GRAPHS_SHOWN = 1000, LONGEST_CERTIFICATE_SHOWN = 1 << 20, MOST_EXACT_BITS = 53 };

const char *verdict_word(verdict v) {
  static const char *const words[] = {[VERDICT_UNKNOWN] = "unknown",
                                      [VERDICT_SAFE] = "safe",
                                      [VERDICT_UNSAFE] = "unsafe",
                                      [VERDICT_HOLDS] = "holds",
                                      [VERDICT_FAILS] = "fails"};
  return words[v];
}

/* Names of files and words of other programs need not be UTF-8; what is not ASCII is then shown as question marks. */
static void add_words(json_writer *w, const char *words) {
  if (string_is_utf8(words)) {
    json_add_string(w, words);
    return;
  }
  char *copy = memory_copy_string(words);
  for (char *c = copy; *c; c++)
    if (*c & 0x80) *c = '?';
  json_add_string(w, copy);
  memory_free(copy);
}

static void field_words_or_null(json_writer *w, const char *key, const char *words) {
  json_key(w, key);
  if (words)
    add_words(w, words);
  else
    json_add_null(w);
}

static void field_words(json_writer *w, const char *key, const char *words) {
  json_key(w, key);
  add_words(w, words);
}

/* Whole numbers that a double cannot hold exactly are strings: so many readers of JSON know nothing else. */
static void add_count(json_writer *w, uint64_t n) {
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
  if (n >> MOST_EXACT_BITS == 0)
    json_add_count(w, n);
  else
    json_add_string(w, digits);
}

static void add_value(json_writer *w, const terms *ts, const type *t, number n) {
  int64_t word, most = INT64_C(1) << MOST_EXACT_BITS;
  if (t->sort == SORT_BOOL) {
    json_add_bool(w, !number_is(n, 0));
  } else if (t->sort != SORT_ARRAY && !t->names && number_to_int64(n, &word) && word > -most && word < most) {
    json_add_integer(w, word);
  } else {
    text out = {0};
    value_print(ts, t, n, &out);
    add_words(w, out.at);
    text_clear(&out);
  }
}

/* ---- runs ---- */

static void add_state(json_writer *w, const model *m, const trace_step *s) {
  json_begin_object(w);
  for (size_t i = 0; i < m->variables.count && i < s->values.count; i++) {
    variable v = m->variables.at[i].var;
    json_key(w, variable_name(m->terms, v));
    if (variable_type(m->terms, v)->sort == SORT_NODE) {
      text list = {0};
      list_print(m, s, i, &list);
      add_words(w, list.at);
      text_clear(&list);
    } else {
      add_value(w, m->terms, variable_type(m->terms, v), s->values.at[i]);
    }
  }
  json_end_object(w);
}

static void field_numbers(json_writer *w, const char *key, node_set set, size_t count) {
  json_field_array(w, key);
  for (size_t n = 0; n <= count; n++)
    if (set & NODE(n)) json_add_count(w, n);
  json_end_array(w);
}

/* A node: numbers for truth values, else words. `next` is all that it may lead to; of several pointers each is listed. */
static void add_node(json_writer *w, const model *m, const heap_node *n, size_t count) {
  const node_layout *l = m->nodes;
  node_set all = 0;
  json_begin_object(w);
  json_field_array(w, "data");
  for (unsigned v = 0; v <= NODE_FREED; v++) {
    text word = {0};
    if (!(n->data & NODE_VALUE(v))) continue;
    heap_values_print(l, NODE_VALUE(v), "", &word);
    if (l == &node_layout_default && v < 2)
      json_add_count(w, v);
    else
      add_words(w, text_string(&word));
    text_clear(&word);
  }
  json_end_array(w);
  for (size_t f = 0; f < l->pointer_count; f++) all |= n->next[f];
  field_numbers(w, "next", all, count);
  if (l->pointer_count > 1) {
    json_field_object(w, "pointers");
    for (size_t f = 0; f < l->pointer_count; f++) field_numbers(w, l->pointers[f], n->next[f], count);
    json_end_object(w);
  }
  json_field_bool(w, "summary", n->is_summary);
  json_field_bool(w, "shared", n->shared);
  json_end_object(w);
}

/* Runs may have more nodes than graphs. */
static void add_cell(json_writer *w, const model *m, const heap_cell *c) {
  const node_layout *l = m->nodes;
  text word = {0};
  json_begin_object(w);
  json_field_array(w, "data");
  heap_values_print(l, NODE_VALUE(c->value), "", &word);
  if (l == &node_layout_default && c->value < 2)
    json_add_count(w, c->value);
  else
    add_words(w, text_string(&word));
  text_clear(&word);
  json_end_array(w);
  json_field_array(w, "next");
  for (size_t f = 0; f < l->pointer_count; f++)
    if (!f || c->next[f]) json_add_count(w, c->next[f]);
  json_end_array(w);
  json_field_bool(w, "summary", false);
  json_field_bool(w, "shared", false);
  json_end_object(w);
}

/* In the form of the graphs that prove properties (add_graphs): every node stands for itself. */
static void add_heap(json_writer *w, const model *m, const trace_step *s) {
  json_begin_object(w);
  json_field_object(w, "variables");
  for (size_t i = 0; i < m->variables.count && i < s->values.count; i++) {
    variable v = m->variables.at[i].var;
    int64_t node;
    if (variable_type(m->terms, v)->sort != SORT_NODE || !number_to_int64(s->values.at[i], &node)) continue;
    json_key(w, variable_name(m->terms, v));
    json_add_integer(w, node);
  }
  json_end_object(w);
  json_field_array(w, "nodes");
  for (size_t n = 0; n < s->heap.count; n++) add_cell(w, m, &s->heap.at[n]);
  json_end_array(w);
  json_end_object(w);
}

static void field_inputs(json_writer *w, const model *m, const transition *t, const number_vector *values) {
  if (!t->inputs.count) return;
  json_field_object(w, "inputs");
  for (size_t i = 0; i < values->count && i < t->inputs.count; i++) {
    variable v = t->inputs.at[i];
    json_key(w, variable_name(m->terms, v));
    add_value(w, m->terms, variable_type(m->terms, v), values->at[i]);
  }
  json_end_object(w);
}

static void field_statement(json_writer *w, const model *m, const transition *t) {
  if (!t->statement) return;
  text words = {0};
  step_name_print(m, t, &words);
  field_words(w, "statement", text_string(&words));
  text_clear(&words);
}

/* Of an included file. */
static void field_file(json_writer *w, const model *m, place at) {
  const char *file = model_file(m, at);
  if (file) field_words(w, "file", file);
}

/* The last `round` steps `times` more times. */
static void field_rounds(json_writer *w, const terms *ts, const trace_step *s) {
  json_field_count(w, "round", s->round);
  json_key(w, "times");
  add_value(w, ts, &(type){.sort = SORT_INT}, s->times);
}

static void field_trace(json_writer *w, const model *m, const evidence *e) {
  json_field_array(w, "trace");
  for (size_t i = 0; i < e->steps.count; i++) {
    const trace_step *s = &e->steps.at[i];
    const transition *t = i ? &m->transitions.at[s->transition] : NULL;
    json_begin_object(w);
    field_words_or_null(w, "action", t ? t->name : NULL);
    if (s->round) field_rounds(w, m->terms, s);
    if (t && t->place.line) json_field_count(w, "line", t->place.line);
    if (t) field_file(w, m, t->place);
    if (t) field_statement(w, m, t);
    if (t) field_inputs(w, m, t, &s->inputs);
    json_key(w, "state");
    add_state(w, m, s);
    if (m->has_heap) {
      json_key(w, "heap");
      add_heap(w, m, s);
    }
    json_end_object(w);
  }
  json_end_array(w);
}

static void field_premises(json_writer *w, const derivation_step *s) {
  json_field_array(w, "premises");
  for (size_t i = 0; i < s->premises.count; i++) json_add_count(w, s->premises.at[i]);
  json_end_array(w);
}

/* As text: "[0: 1, else 2]". */
static void add_array(json_writer *w, const model *m, const type *of, number value) {
  text words = {0};
  clause_value_write(m, of, value, true, &words);
  json_add_string(w, text_string(&words));
  text_clear(&words);
}

static void field_derived(json_writer *w, const model *m, const derivation_step *s) {
  const clause *c = &m->clauses->clauses.at[s->clause];
  number_vector values = {0};
  derivation_values(m, s, &values);
  json_field_object(w, "state");
  for (size_t i = 0; i < values.count; i++) {
    char *label = parameter_label(m, c->head, i);
    json_key(w, label);
    const type *of = variable_type(m->terms, m->clauses->predicates.at[c->head].parameters.at[i]);
    if (of->sort == SORT_ARRAY)
      add_array(w, m, of, values.at[i]);
    else
      add_value(w, m->terms, of, values.at[i]);
    memory_free(label);
  }
  json_end_object(w);
  VECTOR_FREE(values);
}

/* A derivation in the form of a run: the clauses are the actions, the arguments of what is derived the state. */
static void field_derivation(json_writer *w, const model *m, const evidence *e) {
  json_field_array(w, "trace");
  for (size_t i = 0; i < e->derivation.count; i++) {
    const derivation_step *s = &e->derivation.at[i];
    const clause *c = &m->clauses->clauses.at[s->clause];
    char *action = c->statements ? memory_copy_string(c->statements)
                                 : text_format("clause %u, line %u", s->clause + 1, c->place.line);
    json_begin_object(w);
    field_words(w, "action", action);
    field_words(w, "derives", c->head == NO_PREDICATE ? "false" : m->clauses->predicates.at[c->head].name);
    if (c->place.line) json_field_count(w, "line", c->place.line);
    if (!derivation_goes_on(e, i)) field_premises(w, s);
    field_derived(w, m, s);
    json_end_object(w);
    memory_free(action);
  }
  json_end_array(w);
}

/* The first steps; all of it is in the certificate. */
static void field_clause_run(json_writer *w, const model *m, const evidence *e) {
  evidence first = {0};
  derivation_of_run(m, e, MOST_STEPS_SHOWN, &first);
  field_derivation(w, m, &first);
  evidence_clear(&first);
}

static void field_fault(json_writer *w, const model *m, const evidence *e) {
  const transition *t = &m->transitions.at[e->fault_transition];
  const fault *f = &t->faults.at[e->fault];
  json_field_object(w, "fault");
  field_words(w, "action", t->name);
  field_statement(w, m, t);
  field_inputs(w, m, t, &e->fault_inputs);
  field_words(w, "what", f->what);
  json_field_count(w, "line", f->place.line);
  field_file(w, m, f->place);
  json_end_object(w);
}

/* ---- lists ---- */

/* They come from other processes: what is not JSON is left out. */
static void field_iterations(json_writer *w, const string_vector *lines) {
  json_field_array(w, "iterations");
  for (size_t i = 0; i < lines->count; i++) json_add_copy(w, lines->at[i]);
  json_end_array(w);
}

static void field_strings(json_writer *w, const char *key, size_t count, const char *const *strings) {
  json_field_array(w, key);
  for (size_t i = 0; i < count; i++) add_words(w, strings[i]);
  json_end_array(w);
}

static void field_lines(json_writer *w, const char *key, const char *words) {
  json_field_array(w, key);
  for (const char *end; (end = strchr(words, '\n')); words = end + 1) {
    char *line = memory_copy_bytes(words, (size_t)(end - words));
    add_words(w, line);
    memory_free(line);
  }
  json_end_array(w);
}

static void field_statistics(json_writer *w, const statistics *s) {
  json_field_object(w, "statistics");
  for (size_t i = 0; i < statistics_count(); i++) {
    json_key(w, statistics_key(i));
    add_count(w, statistics_value(s, i));
  }
  json_end_object(w);
}

/* ---- graphs ---- */

static void add_graph(json_writer *w, const heap_graph *g, const model *m, const variable_vector *variables) {
  json_field_object(w, "variables");
  for (size_t i = 0; i < g->variables; i++) json_field_count(w, variable_name(m->terms, variables->at[i]), g->at[i]);
  json_end_object(w);
  json_field_array(w, "nodes");
  for (size_t n = 1; n <= g->count; n++) add_node(w, m, &g->nodes[n], g->count);
  json_end_array(w);
}

/* What the evidence of a model with lists says: a formula, and the graph of the heap that goes with it. */
static void field_graphs(json_writer *w, const model *m, const evidence *e) {
  variable_vector variables = {0};
  heap_variables(m, &variables);
  json_field_array(w, "graphs");
  for (size_t i = 0; i < e->parts.count && i < MOST_GRAPHS_SHOWN; i++) {
    const invariant_part *p = &e->parts.at[i];
    if (!p->graph) continue;
    text where = {0};
    json_begin_object(w);
    add_graph(w, p->graph, m, &variables);
    term_print(m->terms, part_formula(m->terms, p), &where);
    field_words(w, "where", text_string(&where));
    json_end_object(w);
    text_clear(&where);
  }
  json_end_array(w);
  VECTOR_FREE(variables);
}

/* ---- results ---- */

static void field_certificate(json_writer *w, const outcome *o) {
  size_t bytes = strlen(o->certificate);
  json_field_object(w, "certificate");
  field_words(w, "format", evidence_row_of(o->kind)->format);
  json_key(w, "obligations");
  add_count(w, o->statistics.obligations);
  json_key(w, "bytes");
  add_count(w, bytes);
  if (bytes <= LONGEST_CERTIFICATE_SHOWN) field_words(w, "text", o->certificate);
  json_end_object(w);
}

static void field_facts(json_writer *w, const outcome *o) {
  json_field_array(w, "facts");
  for (size_t i = 0; i < o->facts.count; i++) {
    json_begin_object(w);
    field_words(w, "formula", o->facts.at[i].formula);
    field_words(w, "engine", o->facts.at[i].prover);
    json_end_object(w);
  }
  json_end_array(w);
}

/* Candidates from states that engines saw. */
static void field_likely(json_writer *w, const likely_outcome *l) {
  json_field_object(w, "likely");
  field_strings(w, "offered", l->offered.count, (const char *const *)l->offered.at);
  field_strings(w, "inductive", l->inductive.count, (const char *const *)l->inductive.at);
  json_end_object(w);
}

static void fields_verdict(json_writer *w, const property *p, const outcome *o) {
  field_words(w, "name", p->name);
  field_words(w, "verdict", verdict_word(o->verdict));
  json_key(w, "holds");
  if (o->verdict == VERDICT_UNKNOWN)
    json_add_null(w);
  else
    json_add_bool(w, o->verdict == VERDICT_SAFE || o->verdict == VERDICT_HOLDS);
  field_words_or_null(w, "engine", o->engine ? o->engine->name : NULL);
  json_field_bool(w, "checked", o->checked);
  json_key(w, "seconds");
  json_add_real(w, o->seconds, 6);
  field_iterations(w, &o->iterations);
  field_strings(w, "predicates", o->predicates.count, (const char *const *)o->predicates.at);
}

static void fields_evidence(json_writer *w, const model *m, const property *p, const outcome *o) {
  const evidence *e = &o->evidence;
  if (e->steps.count) {
    field_trace(w, m, e);
    if (e->has_loop) json_field_count(w, "loop", e->loop);
    if (p->kind == PROPERTY_NO_FAULT) field_fault(w, m, e);
  }
  if (e->kind == EVIDENCE_DERIVATION) field_derivation(w, m, e);
  if (e->kind == EVIDENCE_CLAUSE_RUN) field_clause_run(w, m, e);
  if (!o->certificate || !evidence_row_of(o->kind)->format) return;
  field_certificate(w, o);
  if (evidence_is_shown_as(e->kind, SHOWN_AS_GRAPHS)) field_graphs(w, m, e);
}

/* What is proved at the heads of loops of a C program. */
static void field_loops(json_writer *w, const model *m, const loop_invariants *known) {
  json_field_array(w, "loops");
  for (size_t i = 0; i < known->count && i < m->source->loop_count; i++) {
    const source_loop *l = &m->source->loops[i];
    if (!known->at[i].is_known) continue;
    json_begin_object(w);
    json_field_count(w, "line", l->at.line);
    field_words(w, "function", l->function);
    json_field_bool(w, "reached", known->at[i].is_reached);
    field_lines(w, "invariant", text_string(&known->at[i].acsl));
    json_end_object(w);
  }
  json_end_array(w);
}

static void add_outcome(json_writer *w, const model *m, const outcome *o) {
  const property *p = &m->properties.at[o->property];
  const char *reason = o->reason ? o->reason : o->why_vacuous;
  json_begin_object(w);
  fields_verdict(w, p, o);
  fields_evidence(w, m, p, o);
  if (o->invariant) field_lines(w, "invariant", o->invariant);
  if (o->loops.count && m->source) field_loops(w, m, &o->loops);
  if (o->facts.count) field_facts(w, o);
  if (o->likely.offered.count) field_likely(w, &o->likely);
  if (o->is_vacuous) json_field_bool(w, "vacuous", true);
  if (reason) field_words(w, "reason", reason);
  if (o->never_enabled.count)
    field_strings(w, "never_enabled", o->never_enabled.count, (const char *const *)o->never_enabled.at);
  if (o->reason && o->lemmas) field_lines(w, "lemmas", o->lemmas);
  field_statistics(w, &o->statistics);
  json_end_object(w);
}

static void field_failed_lemmas(json_writer *w, const model *m, const failed_lemmas *all) {
  json_field_array(w, "failed_lemmas");
  for (size_t i = 0; i < all->count; i++) {
    const failed_lemma *f = &all->at[i];
    json_begin_object(w);
    field_words(w, "lemma", f->formula);
    field_words_or_null(w, "action", failed_lemma_action(m, f));
    field_trace(w, m, &f->run);
    json_end_object(w);
  }
  json_end_array(w);
}

char *json_document(const model *m, size_t count, const outcome *const *outcomes, const failed_lemmas *lemmas) {
  text document = {0};
  json_writer w = json_writer_indented(&document);
  json_begin_object(&w);
  field_words(&w, "whet", WHET_VERSION);
  field_words(&w, "model", m->name);
  json_field_array(&w, "properties");
  for (size_t i = 0; i < count; i++) add_outcome(&w, m, outcomes[i]);
  json_end_array(&w);
  if (m->notes.count) field_strings(&w, "notes", m->notes.count, m->notes.at);
  if (lemmas->count) field_failed_lemmas(&w, m, lemmas);
  json_end_object(&w);
  text_add_char(&document, '\n');
  return text_give(&document);
}
