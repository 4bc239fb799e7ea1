/* Writes a trace as JSON in the Informal Trace Format; docs/certificates.md describes it. One line a state. */
#include "base/escape.h"
#include "base/map.h"
#include "proof/format/formats.h"

/* Integers up to this size are plain JSON numbers; others are {"#bigint": ".."}. */
#define PLAIN_LIMIT (INT64_C(1) << 53)

typedef struct trace_writer {
  const model *model;
  text *out;
  bool *shared_name;   /* for each transition: another one has its name */
  VECTOR(char *) keys; /* for each state variable: `,"name":` */
} trace_writer;

static void add_text(text *out, const char *s) { text_add_bytes(out, s, strlen(s)); }

static void add_small(text *out, int64_t n) {
  char digits[24], *at = digits + sizeof digits;
  uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
  do *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (n < 0) *--at = '-';
  text_add_bytes(out, at, (size_t)(digits + sizeof digits - at));
}

static void add_value(text *out, const type *t, number n) {
  int64_t small;
  bool fits = number_to_int64(n, &small);
  if (t->sort == SORT_BOOL && fits && (small == 0 || small == 1)) {
    add_text(out, small ? "true" : "false");
  } else if (t->names && fits && small >= 0 && (uint64_t)small < t->name_count) {
    text_add_json(out, t->names[small]);
  } else if (fits && small > -PLAIN_LIMIT && small < PLAIN_LIMIT) {
    add_small(out, small);
  } else {
    add_text(out, "{\"#bigint\":\"");
    number_print(out, n);
    add_text(out, "\"}");
  }
}

/* `"action":"..","transition":3,"inputs":{..}`; the number only if the name does not determine it. */
static void add_action(const trace_writer *w, uint32_t index, size_t count, const number *inputs) {
  const model *m = w->model;
  const transition *t = &m->transitions.at[index];
  add_text(w->out, "\"action\":");
  text_add_json(w->out, t->name);
  if (w->shared_name[index]) text_add(w->out, ",\"transition\":%u", index);
  if (!count) return;
  add_text(w->out, ",\"inputs\":{");
  for (size_t i = 0; i < count; i++) {
    if (i) text_add_char(w->out, ',');
    text_add_json(w->out, variable_name(m->terms, t->inputs.at[i]));
    text_add_char(w->out, ':');
    add_value(w->out, variable_type(m->terms, t->inputs.at[i]), inputs[i]);
  }
  text_add_char(w->out, '}');
}

/* The nodes in the order in which they were made: what node variables and "next" number, from 1; 0 is null. */
static void add_heap(const trace_writer *w, const heap_cells *heap) {
  add_text(w->out, ",\"heap\":[");
  for (size_t i = 0; i < heap->count; i++)
    text_add(w->out, "%s{\"data\":%s,\"next\":%u}", i ? "," : "", heap->at[i].data ? "true" : "false",
             heap->at[i].next);
  text_add_char(w->out, ']');
}

static void add_state(const trace_writer *w, const trace_step *s, size_t index) {
  const model *m = w->model;
  add_text(w->out, "{\"#meta\":{\"index\":");
  add_small(w->out, (int64_t)index);
  if (index) {
    text_add_char(w->out, ',');
    add_action(w, s->transition, s->inputs.count, s->inputs.at);
  }
  if (m->has_heap) add_heap(w, &s->heap);
  text_add_char(w->out, '}');
  for (size_t i = 0; i < m->variables.count; i++) {
    add_text(w->out, w->keys.at[i]);
    add_value(w->out, variable_type(m->terms, m->variables.at[i].var), s->values.at[i]);
  }
  text_add_char(w->out, '}');
}

static void add_fault(const trace_writer *w, const evidence *e) {
  const fault *f = &w->model->transitions.at[e->fault_transition].faults.at[e->fault];
  add_text(w->out, ",\n  \"fault\":{");
  add_action(w, e->fault_transition, e->fault_inputs.count, e->fault_inputs.at);
  text_add(w->out, ",\"fault\":%u,\"what\":", e->fault);
  text_add_json(w->out, f->what);
  text_add_char(w->out, '}');
}

static void add_meta(const trace_writer *w, const property *p, const evidence *e) {
  add_text(w->out,
           "{\"#meta\":{\"format\":\"ITF\",\"format-description\":\"https://apalache-mc.org/docs/adr/"
           "015adr-trace.html\",\n");
  text_add(w->out, "  \"whet-certificate\":%d,\"model\":", CERTIFICATE_VERSION);
  text_add_json(w->out, w->model->name);
  add_text(w->out, ",\"property\":");
  text_add_json(w->out, p->name);
  if (p->kind == PROPERTY_NO_FAULT) add_fault(w, e);
  add_text(w->out, "},\n");
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
    if (i == 0) continue;
    REQUIRE(s->transition < m->transitions.count, "a transition of the model");
    REQUIRE(s->inputs.count == m->transitions.at[s->transition].inputs.count, "a value for every input");
  }
  if (p->kind != PROPERTY_NO_FAULT) return;
  REQUIRE(e->fault_transition < m->transitions.count, "a transition of the model");
  const transition *t = &m->transitions.at[e->fault_transition];
  REQUIRE(e->fault < t->faults.count && e->fault_inputs.count == t->inputs.count, "a fault of the transition");
}

void trace_write(const model *m, size_t property, const evidence *e, text *out) {
  const struct property *p = &m->properties.at[property];
  require_form(m, p, e);
  trace_writer w = {.model = m, .out = out, .shared_name = MEMORY_ARRAY(bool, m->transitions.count + 1)};
  find_shared_names(&w);
  add_meta(&w, p, e);
  add_text(out, " \"params\":[],\"vars\":[");
  for (size_t i = 0; i < m->variables.count; i++) {
    text key = {0}, marked = {0};
    const char *name = variable_name(m->terms, m->variables.at[i].var);
    text_add(&marked, "%s%s", *name == '#' ? "#" : "", name); /* one # is the format's own */
    text_add_char(&key, ',');
    text_add_json(&key, text_string(&marked));
    text_clear(&marked);
    text_add_bytes(out, key.at + !i, key.count - !i);
    text_add_char(&key, ':');
    VECTOR_PUSH(w.keys, text_give(&key));
  }
  add_text(out, "],\n \"states\":[\n");
  for (size_t i = 0; i < e->steps.count; i++) {
    if (i) add_text(out, ",\n");
    add_state(&w, &e->steps.at[i], i);
  }
  add_text(out, "\n]");
  if (e->has_loop) text_add(out, ",\n \"loop\":%zu", e->loop);
  if (e->kind == EVIDENCE_QUOTIENT) {
    add_text(out, ",\n \"quotient\":");
    quotient_write(m, e, out);
  }
  add_text(out, "}\n");
  for (size_t i = 0; i < w.keys.count; i++) memory_free(w.keys.at[i]);
  VECTOR_FREE(w.keys);
  memory_free(w.shared_name);
}
