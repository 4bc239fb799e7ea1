/* Writes a trace as JSON in the Informal Trace Format; docs/certificates.md describes it. One line a state. */
#include "base/map.h"
#include "proof/certificate.h"
#include "proof/format/formats.h"

/* Integers up to this size are plain JSON numbers; others are {"#bigint": ".."}, and fractions what the format has for
 * all that it does not know, {"#unserializable": "7/2"}. */
#define PLAIN_LIMIT (INT64_C(1) << 53)

typedef struct trace_writer {
  const model *model;
  json_writer json;
  bool *shared_name;   /* for each transition: another one has its name */
  VECTOR(char *) keys; /* for each state variable: its name, as the format wants it */
} trace_writer;

static void add_value(json_writer *json, const type *t, number n) {
  int64_t small;
  bool fits = number_to_int64(n, &small);
  if (t->sort == SORT_BOOL && fits && (small == 0 || small == 1)) {
    json_add_bool(json, small);
  } else if (t->names && fits && small >= 0 && (uint64_t)small < t->name_count) {
    json_add_string(json, t->names[small]);
  } else if (fits && small > -PLAIN_LIMIT && small < PLAIN_LIMIT) {
    json_add_integer(json, small);
  } else {
    text digits = {0};
    number_print(&digits, n);
    json_begin_object(json);
    json_field_string(json, number_is_integer(n) ? "#bigint" : "#unserializable", text_string(&digits));
    json_end_object(json);
    text_clear(&digits);
  }
}

/* `"action":"..","transition":3,"inputs":{..}`; the number only if the name does not determine it. */
static void add_action(trace_writer *w, uint32_t index, size_t count, const number *inputs) {
  const model *m = w->model;
  const transition *t = &m->transitions.at[index];
  json_field_string(&w->json, "action", t->name);
  if (w->shared_name[index]) json_field_count(&w->json, "transition", index);
  if (!count) return;
  json_field_object(&w->json, "inputs");
  for (size_t i = 0; i < count; i++) {
    json_key(&w->json, variable_name(m->terms, t->inputs.at[i]));
    add_value(&w->json, variable_type(m->terms, t->inputs.at[i]), inputs[i]);
  }
  json_end_object(&w->json);
}

/* The nodes in the order in which they were made: what node variables and pointers number, from 1; 0 is null. `value` is
 * that of all data (term/heap/node_layout.h). */
static void add_heap(json_writer *json, const node_layout *l, const heap_cells *heap) {
  json_field_array(json, "heap");
  for (size_t i = 0; i < heap->count; i++) {
    json_begin_object(json);
    json_field_count(json, "value", heap->at[i].value);
    json_field_array(json, "pointers");
    for (size_t f = 0; f < l->pointer_count; f++) json_add_count(json, heap->at[i].next[f]);
    json_end_array(json);
    json_end_object(json);
  }
  json_end_array(json);
}

static void add_state(trace_writer *w, const trace_step *s, size_t index) {
  const model *m = w->model;
  json_space(&w->json, "\n");
  json_begin_object(&w->json);
  json_field_object(&w->json, "#meta");
  json_field_count(&w->json, "index", index);
  if (s->round) {
    json_field_count(&w->json, "round", s->round);
    json_key(&w->json, "times");
    add_value(&w->json, &(type){.sort = SORT_INT}, s->times);
  } else if (index) {
    add_action(w, s->transition, s->inputs.count, s->inputs.at);
  }
  if (m->has_heap) add_heap(&w->json, m->nodes, &s->heap);
  json_end_object(&w->json);
  for (size_t i = 0; i < m->variables.count; i++) {
    json_key(&w->json, w->keys.at[i]);
    add_value(&w->json, variable_type(m->terms, m->variables.at[i].var), s->values.at[i]);
  }
  json_end_object(&w->json);
}

static void add_fault(trace_writer *w, const evidence *e) {
  const fault *f = &w->model->transitions.at[e->fault_transition].faults.at[e->fault];
  json_space(&w->json, "\n  ");
  json_field_object(&w->json, "fault");
  add_action(w, e->fault_transition, e->fault_inputs.count, e->fault_inputs.at);
  json_field_count(&w->json, "fault", e->fault);
  json_field_string(&w->json, "what", f->what);
  json_end_object(&w->json);
}

static void add_meta(trace_writer *w, const property *p, const evidence *e) {
  json_field_object(&w->json, "#meta");
  json_field_string(&w->json, "format", "ITF");
  json_field_string(&w->json, "format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html");
  json_space(&w->json, "\n  ");
  json_field_count(&w->json, "whet-certificate", CERTIFICATE_VERSION);
  json_field_string(&w->json, "model", w->model->name);
  if (p) json_field_string(&w->json, "property", p->name);
  if (p && p->kind == PROPERTY_NO_FAULT) add_fault(w, e);
  json_end_object(&w->json);
}

static void add_names(trace_writer *w) {
  const model *m = w->model;
  json_space(&w->json, "\n ");
  json_field_array(&w->json, "params");
  json_end_array(&w->json);
  json_field_array(&w->json, "vars");
  for (size_t i = 0; i < m->variables.count; i++) {
    const char *name = variable_name(m->terms, m->variables.at[i].var);
    VECTOR_PUSH(w->keys, text_format("%s%s", *name == '#' ? "#" : "", name)); /* one # is the format's own */
    json_add_string(&w->json, VECTOR_LAST(w->keys));
  }
  json_end_array(&w->json);
}

static void add_states(trace_writer *w, const evidence *e) {
  json_space(&w->json, "\n ");
  json_field_array(&w->json, "states");
  for (size_t i = 0; i < e->steps.count; i++) add_state(w, &e->steps.at[i], i);
  text_add_char(w->json.out, '\n');
  json_end_array(&w->json);
}

static void find_shared_names(trace_writer *w) {
  const model *m = w->model;
  names *seen = names_new();
  for (size_t i = 0; i < m->transitions.count; i++) {
    uint64_t other;
    if (names_get(seen, m->transitions.at[i].name, &other))
      w->shared_name[i] = w->shared_name[other] = true;
    else
      names_set(seen, m->transitions.at[i].name, i);
  }
  names_free(seen);
}

/* What could not be looked up while writing: an engine's mistake, which the checker would have found. */
static void require_form(const model *m, const property *p, const evidence *e) {
  for (size_t i = 0; i < e->steps.count; i++) {
    const trace_step *s = &e->steps.at[i];
    REQUIRE(s->values.count == m->variables.count, "a value for every variable");
    if (i == 0 || s->round) continue;
    REQUIRE(s->transition < m->transitions.count, "a transition of the model");
    REQUIRE(s->inputs.count == m->transitions.at[s->transition].inputs.count, "a value for every input");
  }
  if (!p || p->kind != PROPERTY_NO_FAULT) return;
  REQUIRE(e->fault_transition < m->transitions.count, "a transition of the model");
  const transition *t = &m->transitions.at[e->fault_transition];
  REQUIRE(e->fault < t->faults.count && e->fault_inputs.count == t->inputs.count, "a fault of the transition");
}

/* `p` may be NULL: then it is a run that breaks no property. */
static void write_file(const model *m, const property *p, const evidence *e, text *out) {
  require_form(m, p, e);
  trace_writer w = {.model = m, .shared_name = MEMORY_ARRAY(bool, m->transitions.count + 1)};
  find_shared_names(&w);
  w.json = json_object_to(out);
  add_meta(&w, p, e);
  add_names(&w);
  add_states(&w, e);
  json_space(&w.json, "\n ");
  if (e->has_loop) json_field_count(&w.json, "loop", e->loop);
  if (e->kind == EVIDENCE_QUOTIENT) {
    json_space(&w.json, "\n ");
    json_key(&w.json, "quotient");
    quotient_write(m, e, &w.json);
  }
  json_end_object(&w.json);
  text_add_char(out, '\n');
  for (size_t i = 0; i < w.keys.count; i++) memory_free(w.keys.at[i]);
  VECTOR_FREE(w.keys);
  memory_free(w.shared_name);
}

void trace_write(const model *m, size_t property, const evidence *e, text *out) {
  write_file(m, &m->properties.at[property], e, out);
}

void run_write(const model *m, const evidence *e, text *out) { write_file(m, NULL, e, out); }
