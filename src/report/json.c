/* The only file of this room that sees jansson. */
#include "report/json.h"

#include <jansson.h>
#include <stdlib.h>

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
static json_t *json_text(const char *words) {
  json_t *result = json_string(words);
  if (result) return result;
  char *copy = memory_copy_string(words);
  for (char *c = copy; *c; c++)
    if (*c & 0x80) *c = '?';
  result = json_string(copy);
  memory_free(copy);
  return result;
}

static json_t *json_holds(verdict v) {
  if (v == VERDICT_UNKNOWN) return json_null();
  return json_boolean(v == VERDICT_SAFE || v == VERDICT_HOLDS);
}

static json_t *json_count(uint64_t n) {
  if (n >> MOST_EXACT_BITS == 0) return json_integer((json_int_t)n);
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
  return json_text(digits);
}

/* Whole numbers that a double cannot hold exactly are strings: so many readers of JSON know nothing else. */
static json_t *json_value(const type *t, number n) {
  int64_t word, most = INT64_C(1) << MOST_EXACT_BITS;
  text out = {0};
  if (t->sort == SORT_BOOL) return json_boolean(!number_is(n, 0));
  if (!t->names && number_to_int64(n, &word) && word > -most && word < most) return json_integer(word);
  value_print(t, n, &out);
  json_t *result = json_text(out.at);
  text_clear(&out);
  return result;
}

static json_t *json_state(const model *m, const trace_step *s) {
  json_t *state = json_object();
  for (size_t i = 0; i < m->variables.count && i < s->values.count; i++) {
    variable v = m->variables.at[i].var;
    if (variable_type(m->terms, v)->sort == SORT_NODE) {
      text list = {0};
      list_print(s, i, &list);
      json_object_set_new(state, variable_name(m->terms, v), json_text(list.at));
      text_clear(&list);
      continue;
    }
    json_object_set_new(state, variable_name(m->terms, v), json_value(variable_type(m->terms, v), s->values.at[i]));
  }
  return state;
}

/* In the form of the graphs that prove properties (json_graphs): every node stands for itself. */
static json_t *json_heap(const model *m, const trace_step *s) {
  json_t *heap = json_object(), *at = json_object(), *nodes = json_array();
  for (size_t i = 0; i < m->variables.count && i < s->values.count; i++) {
    variable v = m->variables.at[i].var;
    int64_t node;
    if (variable_type(m->terms, v)->sort != SORT_NODE || !number_to_int64(s->values.at[i], &node)) continue;
    json_object_set_new(at, variable_name(m->terms, v), json_integer(node));
  }
  for (size_t n = 0; n < s->heap.count; n++) {
    const heap_cell *c = &s->heap.at[n];
    json_array_append_new(nodes, json_pack("{s:[i],s:[i],s:b,s:b}", "data", (int)c->data, "next", (int)c->next,
                                           "summary", 0, "shared", 0));
  }
  json_object_set_new(heap, "variables", at);
  json_object_set_new(heap, "nodes", nodes);
  return heap;
}

static json_t *json_inputs(const model *m, const transition *t, size_t count, const number *values) {
  json_t *inputs = json_object();
  for (size_t i = 0; i < count && i < t->inputs.count; i++) {
    variable v = t->inputs.at[i];
    json_object_set_new(inputs, variable_name(m->terms, v), json_value(variable_type(m->terms, v), values[i]));
  }
  return inputs;
}

static json_t *json_trace(const model *m, const evidence *e) {
  json_t *trace = json_array();
  for (size_t i = 0; i < e->steps.count; i++) {
    const trace_step *s = &e->steps.at[i];
    json_t *step = json_object();
    const transition *t = i ? &m->transitions.at[s->transition] : NULL;
    json_object_set_new(step, "action", t ? json_text(t->name) : json_null());
    if (t && t->inputs.count) json_object_set_new(step, "inputs", json_inputs(m, t, s->inputs.count, s->inputs.at));
    json_object_set_new(step, "state", json_state(m, s));
    if (m->has_heap) json_object_set_new(step, "heap", json_heap(m, s));
    json_array_append_new(trace, step);
  }
  return trace;
}

/* A derivation in the form of a run: the clauses are the actions, the arguments of what is derived the state. */
static json_t *json_derivation(const model *m, const evidence *e) {
  json_t *trace = json_array();
  for (size_t i = 0; i < e->derivation.count; i++) {
    const derivation_step *s = &e->derivation.at[i];
    const clause *c = &m->clauses->clauses.at[s->clause];
    json_t *step = json_object(), *state = json_object();
    char *action = c->statements ? memory_copy_string(c->statements)
                                 : text_format("clause %u, line %u", s->clause + 1, c->place.line);
    number_vector values = {0};
    derivation_values(m, s, &values);
    json_object_set_new(step, "action", json_text(action));
    const char *derived = c->head == NO_PREDICATE ? "false" : m->clauses->predicates.at[c->head].name;
    json_object_set_new(step, "derives", json_text(derived));
    if (!derivation_goes_on(e, i)) {
      json_t *premises = json_array();
      for (size_t j = 0; j < s->premises.count; j++) json_array_append_new(premises, json_integer(s->premises.at[j]));
      json_object_set_new(step, "premises", premises);
    }
    for (size_t j = 0; j < values.count; j++) {
      variable v = m->clauses->predicates.at[c->head].parameters.at[j];
      char *label = parameter_label(m, c->head, j);
      json_object_set_new(state, label, json_value(variable_type(m->terms, v), values.at[j]));
      memory_free(label);
    }
    json_object_set_new(step, "state", state);
    json_array_append_new(trace, step);
    memory_free(action);
    VECTOR_FREE(values);
  }
  return trace;
}

static json_t *json_fault(const model *m, const evidence *e) {
  const transition *t = &m->transitions.at[e->fault_transition];
  const fault *f = &t->faults.at[e->fault];
  json_t *object = json_object();
  json_object_set_new(object, "action", json_text(t->name));
  if (t->inputs.count)
    json_object_set_new(object, "inputs", json_inputs(m, t, e->fault_inputs.count, e->fault_inputs.at));
  json_object_set_new(object, "what", json_text(f->what));
  json_object_set_new(object, "line", json_integer(f->place.line));
  return object;
}

static json_t *json_iterations(const string_vector *lines) {
  json_t *iterations = json_array();
  for (size_t i = 0; i < lines->count; i++) {
    json_t *object = json_loads(lines->at[i], JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(object))
      json_array_append_new(iterations, object);
    else
      json_decref(object);
  }
  return iterations;
}

static json_t *json_strings(const string_vector *lines) {
  json_t *strings = json_array();
  for (size_t i = 0; i < lines->count; i++) json_array_append_new(strings, json_text(lines->at[i]));
  return strings;
}

static json_t *json_lines(const char *text) {
  json_t *lines = json_array();
  for (const char *end; (end = strchr(text, '\n')); text = end + 1)
    json_array_append_new(lines, json_stringn_nocheck(text, (size_t)(end - text)));
  return lines;
}

static json_t *json_statistics(const statistics *s) {
  json_t *object = json_object();
  for (size_t i = 0; i < statistics_count(); i++)
    json_object_set_new(object, statistics_key(i), json_count(statistics_value(s, i)));
  return object;
}

static json_t *json_numbers(node_set set, size_t count) {
  json_t *numbers = json_array();
  for (size_t n = 0; n <= count; n++)
    if (set & NODE(n)) json_array_append_new(numbers, json_integer((json_int_t)n));
  return numbers;
}

static json_t *json_graph(const heap_graph *g, const model *m, const variable_vector *variables) {
  json_t *graph = json_object(), *at = json_object(), *nodes = json_array();
  for (size_t i = 0; i < g->variables; i++)
    json_object_set_new(at, variable_name(m->terms, variables->at[i]), json_integer(g->at[i]));
  for (size_t n = 1; n <= g->count; n++) {
    json_t *node = json_object();
    json_object_set_new(node, "data", json_numbers(g->nodes[n].data, 1));
    json_object_set_new(node, "next", json_numbers(g->nodes[n].next, g->count));
    json_object_set_new(node, "summary", json_boolean(g->nodes[n].is_summary));
    json_object_set_new(node, "shared", json_boolean(g->nodes[n].is_shared));
    json_array_append_new(nodes, node);
  }
  json_object_set_new(graph, "variables", at);
  json_object_set_new(graph, "nodes", nodes);
  return graph;
}

/* What the evidence of a model with lists says: a formula, and the graph of the heap that goes with it. */
static json_t *json_graphs(const model *m, const evidence *e) {
  json_t *graphs = json_array();
  variable_vector variables = {0};
  heap_variables(m, &variables);
  for (size_t i = 0; i < e->parts.count && i < MOST_GRAPHS_SHOWN; i++) {
    const invariant_part *p = &e->parts.at[i];
    if (!p->graph) continue;
    text where = {0};
    json_t *graph = json_graph(p->graph, m, &variables);
    term_print(m->terms, part_formula(m->terms, p), &where);
    json_object_set_new(graph, "where", json_text(text_string(&where)));
    json_array_append_new(graphs, graph);
    text_clear(&where);
  }
  VECTOR_FREE(variables);
  return graphs;
}

static json_t *json_certificate(const outcome *o) {
  json_t *object = json_object();
  size_t bytes = strlen(o->certificate);
  json_object_set_new(object, "format", json_text(evidence_row_of(o->kind)->format));
  json_object_set_new(object, "obligations", json_count(o->statistics.obligations));
  json_object_set_new(object, "bytes", json_count(bytes));
  if (bytes <= LONGEST_CERTIFICATE_SHOWN) json_object_set_new(object, "text", json_text(o->certificate));
  return object;
}

static json_t *json_facts(const outcome *o) {
  json_t *facts = json_array();
  for (size_t i = 0; i < o->facts.count; i++) {
    json_t *object = json_object();
    json_object_set_new(object, "formula", json_text(o->facts.at[i].formula));
    json_object_set_new(object, "engine", json_text(o->facts.at[i].prover));
    json_array_append_new(facts, object);
  }
  return facts;
}

static json_t *json_outcome(const model *m, const outcome *o) {
  const property *p = &m->properties.at[o->property];
  json_t *object = json_object();
  json_object_set_new(object, "name", json_text(p->name));
  json_object_set_new(object, "verdict", json_text(verdict_word(o->verdict)));
  json_object_set_new(object, "holds", json_holds(o->verdict));
  json_object_set_new(object, "engine", o->engine ? json_text(o->engine->name) : json_null());
  json_object_set_new(object, "checked", json_boolean(o->checked));
  json_object_set_new(object, "seconds", json_real(o->seconds));
  json_object_set_new(object, "iterations", json_iterations(&o->iterations));
  json_object_set_new(object, "predicates", json_strings(&o->predicates));
  if (o->evidence.steps.count) {
    json_object_set_new(object, "trace", json_trace(m, &o->evidence));
    if (o->evidence.has_loop) json_object_set_new(object, "loop", json_count(o->evidence.loop));
    if (p->kind == PROPERTY_NO_FAULT) json_object_set_new(object, "fault", json_fault(m, &o->evidence));
  }
  if (evidence_is_shown_as(o->evidence.kind, SHOWN_AS_DERIVATION))
    json_object_set_new(object, "trace", json_derivation(m, &o->evidence));
  if (o->certificate && evidence_row_of(o->kind)->format) {
    json_object_set_new(object, "certificate", json_certificate(o));
    if (evidence_is_shown_as(o->evidence.kind, SHOWN_AS_GRAPHS))
      json_object_set_new(object, "graphs", json_graphs(m, &o->evidence));
  }
  if (o->invariant) json_object_set_new(object, "invariant", json_lines(o->invariant));
  if (o->facts.count) json_object_set_new(object, "facts", json_facts(o));
  if (o->is_vacuous) json_object_set_new(object, "vacuous", json_true());
  if (o->why_vacuous) json_object_set_new(object, "reason", json_text(o->why_vacuous));
  if (o->never_enabled.count) json_object_set_new(object, "never_enabled", json_strings(&o->never_enabled));
  if (o->reason) json_object_set_new(object, "reason", json_text(o->reason));
  if (o->reason && o->lemmas) json_object_set_new(object, "lemmas", json_lines(o->lemmas));
  json_object_set_new(object, "statistics", json_statistics(&o->statistics));
  return object;
}

static json_t *json_failed_lemmas(const model *m, const failed_lemmas *all) {
  json_t *list = json_array();
  for (size_t i = 0; i < all->count; i++) {
    const failed_lemma *f = &all->at[i];
    const char *action = failed_lemma_action(m, f);
    json_t *object = json_object();
    json_object_set_new(object, "lemma", json_text(f->formula));
    json_object_set_new(object, "action", action ? json_text(action) : json_null());
    json_object_set_new(object, "trace", json_trace(m, &f->run));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *json_notes(const model *m) {
  json_t *notes = json_array();
  for (size_t i = 0; i < m->notes.count; i++) json_array_append_new(notes, json_text(m->notes.at[i]));
  return notes;
}

char *json_document(const model *m, size_t count, const outcome *const *outcomes, const failed_lemmas *lemmas) {
  json_t *document = json_object(), *properties = json_array();
  json_object_set_new(document, "whet", json_text(WHET_VERSION));
  json_object_set_new(document, "model", json_text(m->name));
  json_object_set_new(document, "properties", properties);
  for (size_t i = 0; i < count; i++) json_array_append_new(properties, json_outcome(m, outcomes[i]));
  if (m->notes.count) json_object_set_new(document, "notes", json_notes(m));
  if (lemmas->count) json_object_set_new(document, "failed_lemmas", json_failed_lemmas(m, lemmas));
  char *dumped = json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
  if (!dumped) memory_exhausted();
  char *result = text_format("%s\n", dumped);
  free(dumped);
  json_decref(document);
  return result;
}
