/* Reads a trace from JSON in the Informal Trace Format, in one pass; docs/certificates.md describes it.
 *
 * Keys may come in any order and unknown ones are skipped. A state must give every state variable a value, and every
 * state but the first the action that led to it. */
#include "base/json_reader.h"
#include "base/map.h"
#include "proof/certificate.h"
#include "proof/format/formats.h"

typedef struct given_input {
  variable var;
  number value;
} given_input;

/* How a state was reached, as far as it has been read. */
typedef struct action {
  bool has_name, has_transition;
  uint32_t by_name, transition;
  VECTOR(given_input) inputs;
} action;

typedef struct trace_reader {
  const model *model;
  terms *ts;
  json_reader json;
  names *positions;   /* state variable -> position */
  names *transitions; /* name -> first transition of that name */
  bool *shared_name;  /* for each transition: another one has its name */
  names **values;     /* variable -> names of its values; made when first needed */
  size_t *seen;       /* position -> number of the last state that gave it a value, from 1 */
  action action;
  bool is_run_alone; /* it need not break a property */
  bool has_version, has_property, has_states, has_fault;
  size_t property;
  evidence *evidence;
} trace_reader;

static bool fail(trace_reader *r, char *error) { return json_fail(&r->json, error); }
static const char *last_string(const trace_reader *r) { return text_string(&r->json.string); }

/* ---- values ---- */

static bool read_name(trace_reader *r, variable v, number *out) {
  const type *t = variable_type(r->ts, v);
  if (!json_read_string(&r->json)) return false;
  if (!r->values[v.x]) {
    r->values[v.x] = names_new();
    for (size_t i = 0; i < t->name_count; i++) names_set(r->values[v.x], t->names[i], i);
  }
  uint64_t index;
  if (!names_get(r->values[v.x], last_string(r), &index))
    return fail(r, text_format("%s has no value called %s", variable_shown(r->ts, v), last_string(r)));
  *out = number_of((int64_t)index);
  return true;
}

/* The fraction in the string that was read last. */
static bool read_fraction(trace_reader *r, number *out) {
  enum { MOST_DIGITS = 100000 };
  const text *s = &r->json.string;
  return (s->count <= MOST_DIGITS && number_parse_fraction(s->at, s->count, out)) ||
         fail(r, text_format("expected a fraction in \"#unserializable\""));
}

/* {"#bigint": "-12"}, and of a real {"#unserializable": "-7/2"} */
static bool read_bigint(trace_reader *r, bool is_real, number *out) {
  bool first = true;
  json_enter(&r->json, '{');
  bool has_key = json_next_key(&r->json, &first);
  if (has_key && is_real && !strcmp(last_string(r), "#unserializable")) {
    if (!json_read_string(&r->json) || !read_fraction(r, out)) return false;
    if (json_next_key(&r->json, &first)) return fail(r, text_format("expected `}`"));
    return !r->json.error;
  }
  if (!has_key || strcmp(last_string(r), "#bigint")) return fail(r, text_format("expected \"#bigint\""));
  if (!json_read_string(&r->json)) return false;
  json_reader digits = json_open(r->json.string.at, r->json.string.count);
  bool fine = json_read_integer(&digits, out) && json_at_end(&digits);
  json_close(&digits);
  if (!fine) return fail(r, text_format("expected an integer in \"#bigint\""));
  if (json_next_key(&r->json, &first)) return fail(r, text_format("expected `}`"));
  return !r->json.error;
}

static bool read_value(trace_reader *r, variable v, number *out) {
  const type *t = variable_type(r->ts, v);
  char c = json_peek(&r->json);
  if (t->sort == SORT_BOOL) {
    bool b = false;
    if (!json_read_bool(&r->json, &b)) return false;
    *out = number_of(b);
    return true;
  }
  if (c == '"' && t->names) return read_name(r, v, out);
  if (c == '{') return read_bigint(r, t->sort == SORT_REAL, out);
  return json_read_integer(&r->json, out);
}

/* ---- actions ---- */

static bool read_index(trace_reader *r, size_t limit, const char *what, uint32_t *out) {
  number n;
  int64_t small;
  if (!json_read_integer(&r->json, &n)) return false;
  if (!number_to_int64(n, &small) || small < 0 || (uint64_t)small >= limit)
    return fail(r, text_format("no such %s", what));
  *out = (uint32_t)small;
  return true;
}

static bool read_action_name(trace_reader *r) {
  uint64_t index;
  if (!json_read_string(&r->json)) return false;
  if (!names_get(r->transitions, last_string(r), &index))
    return fail(r, text_format("%s has no action called %s", r->model->name, last_string(r)));
  r->action.by_name = (uint32_t)index;
  r->action.has_name = true;
  return true;
}

static bool read_inputs(trace_reader *r) {
  bool first = true;
  VECTOR_CLEAR(r->action.inputs);
  json_enter(&r->json, '{');
  while (json_next_key(&r->json, &first)) {
    given_input g;
    if (!variable_find(r->ts, last_string(r), &g.var))
      return fail(r, text_format("no input called %s", last_string(r)));
    if (!read_value(r, g.var, &g.value)) return false;
    VECTOR_PUSH(r->action.inputs, g);
  }
  return !r->json.error;
}

static void start_action(trace_reader *r) {
  VECTOR_CLEAR(r->action.inputs);
  r->action.has_name = r->action.has_transition = false;
}

/* A key that belongs to an action; `*is_one` says whether it did. */
static bool read_action_key(trace_reader *r, bool *is_one) {
  const char *key = last_string(r);
  *is_one = true;
  if (!strcmp(key, "action")) return read_action_name(r);
  if (!strcmp(key, "inputs")) return read_inputs(r);
  if (!strcmp(key, "transition")) {
    r->action.has_transition = true;
    return read_index(r, r->model->transitions.count, "transition", &r->action.transition);
  }
  *is_one = false;
  return true;
}

/* Which transition was meant. */
static bool settle_transition(trace_reader *r, uint32_t *out) {
  const action *a = &r->action;
  if (!a->has_name && !a->has_transition) return fail(r, text_format("expected an action"));
  *out = a->has_transition ? a->transition : a->by_name;
  if (a->has_transition) {
    if (a->has_name && strcmp(r->model->transitions.at[a->transition].name, r->model->transitions.at[a->by_name].name))
      return fail(
          r, text_format("transition %u is not called %s", a->transition, r->model->transitions.at[a->by_name].name));
    return true;
  }
  if (!r->shared_name[*out]) return true;
  return fail(r, text_format("several transitions are called %s: expected \"transition\"",
                             r->model->transitions.at[*out].name));
}

/* The value given for `v` alone; false if there is none or more than one. */
static bool input_given(const action *a, variable v, number *out) {
  size_t found = 0;
  for (size_t i = 0; i < a->inputs.count; i++) {
    if (!variable_same(a->inputs.at[i].var, v)) continue;
    *out = a->inputs.at[i].value;
    found++;
  }
  return found == 1;
}

/* Adds the inputs in the order of transition `index`. */
static bool settle_inputs(trace_reader *r, uint32_t index, number_vector *out) {
  const transition *t = &r->model->transitions.at[index];
  if (r->action.inputs.count != t->inputs.count)
    return fail(r, text_format("%s has %zu inputs", t->name, t->inputs.count));
  for (size_t i = 0; i < t->inputs.count; i++) {
    number value;
    if (!input_given(&r->action, t->inputs.at[i], &value))
      return fail(r, text_format("expected input %s once", variable_shown(r->ts, t->inputs.at[i])));
    VECTOR_PUSH(*out, value);
  }
  return true;
}

/* ---- states ---- */

static bool read_pointers(trace_reader *r, heap_cell *out) {
  bool first = true;
  size_t count = 0;
  if (!json_enter(&r->json, '[')) return false;
  while (json_next_element(&r->json, &first)) {
    if (count == r->model->nodes->pointer_count) return fail(r, text_format("a node has %zu pointers", count));
    if (!read_index(r, UINT32_MAX, "node", &out->next[count++])) return false;
  }
  return !r->json.error;
}

static bool read_cell(trace_reader *r, heap_cell *out) {
  bool first = true, fine = true;
  uint32_t value = 0;
  if (!json_enter(&r->json, '{')) return false;
  while (fine && json_next_key(&r->json, &first))
    fine = !strcmp(last_string(r), "value")      ? read_index(r, NODE_FREED + 1, "value", &value)
           : !strcmp(last_string(r), "pointers") ? read_pointers(r, out)
                                                 : fail(r, text_format("a node has a value and pointers"));
  out->value = (uint8_t)value;
  return fine && !r->json.error;
}

static bool read_heap(trace_reader *r) {
  heap_cells *heap = &VECTOR_LAST(r->evidence->steps).heap;
  bool first = true;
  VECTOR_CLEAR(*heap);
  if (!json_enter(&r->json, '[')) return false;
  while (json_next_element(&r->json, &first)) {
    heap_cell cell = {0};
    if (!read_cell(r, &cell)) return false;
    VECTOR_PUSH(*heap, cell);
  }
  return !r->json.error;
}

/* Of a state that many rounds lead to; `*is_one` says whether the key belongs to that. */
static bool read_rounds_key(trace_reader *r, bool *is_one) {
  trace_step *s = &VECTOR_LAST(r->evidence->steps);
  *is_one = true;
  if (!strcmp(last_string(r), "round")) return read_index(r, UINT32_MAX, "round", &s->round);
  *is_one = !strcmp(last_string(r), "times");
  if (!*is_one) return true;
  return json_peek(&r->json) == '{' ? read_bigint(r, false, &s->times) : json_read_integer(&r->json, &s->times);
}

/* The last step of the round, which stands before it. */
static void settle_round(trace_reader *r) {
  trace_step *s = &VECTOR_LAST(r->evidence->steps);
  const trace_step *last = s - 1;
  s->transition = last->transition;
  for (size_t i = 0; i < last->inputs.count; i++) VECTOR_PUSH(s->inputs, last->inputs.at[i]);
}

static bool read_state_meta(trace_reader *r) {
  bool first = true, is_action;
  uint32_t index = 0;
  if (!json_enter(&r->json, '{')) return false;
  while (json_next_key(&r->json, &first)) {
    if (!read_action_key(r, &is_action)) return false;
    if (is_action) continue;
    if (!read_rounds_key(r, &is_action)) return false;
    if (is_action) continue;
    if (r->model->has_heap && !strcmp(last_string(r), "heap")) {
      if (!read_heap(r)) return false;
    } else if (strcmp(last_string(r), "index")) {
      if (!json_skip(&r->json)) return false;
    } else if (!read_index(r, UINT32_MAX, "index", &index)) {
      return false;
    } else if (index + 1 != r->evidence->steps.count) {
      return fail(r, text_format("this is state %zu", r->evidence->steps.count - 1));
    }
  }
  return !r->json.error;
}

/* Files keep the order of the variables, mostly: `*guess` is where to look first. */
static bool read_variable(trace_reader *r, trace_step *s, size_t *guess) {
  const model *m = r->model;
  const char *name = last_string(r);
  uint64_t at = *guess;
  if (!strncmp(name, "##", 2)) name++; /* trace_write marks names that start with # */
  if (at >= m->variables.count || strcmp(variable_name(r->ts, m->variables.at[at].var), name))
    if (!names_get(r->positions, name, &at)) return fail(r, text_format("%s has no variable called %s", m->name, name));
  *guess = at + 1;
  if (r->seen[at] == r->evidence->steps.count) return fail(r, text_format("%s twice", last_string(r)));
  r->seen[at] = r->evidence->steps.count;
  return read_value(r, m->variables.at[at].var, &s->values.at[at]);
}

static bool state_is_complete(trace_reader *r) {
  const model *m = r->model;
  for (size_t i = 0; i < m->variables.count; i++)
    if (r->seen[i] != r->evidence->steps.count)
      return fail(r, text_format("no value for %s", variable_shown(r->ts, m->variables.at[i].var)));
  return true;
}

static bool read_state(trace_reader *r) {
  bool first = true;
  size_t guess = 0, count = r->model->variables.count;
  VECTOR_PUSH(r->evidence->steps, (trace_step){0});
  trace_step *s = &VECTOR_LAST(r->evidence->steps);
  VECTOR_RESERVE(s->values, count);
  s->values.count = count;
  start_action(r);
  if (!json_enter(&r->json, '{')) return false;
  while (json_next_key(&r->json, &first)) {
    bool is_meta = !strcmp(last_string(r), "#meta");
    if (!(is_meta ? read_state_meta(r) : read_variable(r, s, &guess))) return false;
  }
  if (r->json.error || !state_is_complete(r)) return false;
  if (r->evidence->steps.count == 1) return !s->round || fail(r, text_format("no round before the first state"));
  if (s->round && !r->action.has_name && !r->action.has_transition) {
    settle_round(r);
    return true;
  }
  if (s->round) return fail(r, text_format("a round has no action of its own"));
  return settle_transition(r, &s->transition) && settle_inputs(r, s->transition, &s->inputs);
}

static bool read_states(trace_reader *r) {
  bool first = true;
  if (r->has_states) return fail(r, text_format("\"states\" twice"));
  r->has_states = true;
  json_enter(&r->json, '[');
  while (json_next_element(&r->json, &first))
    if (!read_state(r)) return false;
  return !r->json.error;
}

/* ---- the head ---- */

static bool read_fault(trace_reader *r) {
  bool first = true, is_action, has_index = false;
  evidence *e = r->evidence;
  start_action(r);
  json_enter(&r->json, '{');
  while (json_next_key(&r->json, &first)) {
    if (!read_action_key(r, &is_action)) return false;
    if (is_action) continue;
    has_index |= !strcmp(last_string(r), "fault");
    if (!(strcmp(last_string(r), "fault") ? json_skip(&r->json) : read_index(r, UINT32_MAX, "fault", &e->fault)))
      return false;
  }
  if (r->json.error || !settle_transition(r, &e->fault_transition)) return false;
  if (!has_index || e->fault >= r->model->transitions.at[e->fault_transition].faults.count)
    return fail(r, text_format("%s has no such fault", r->model->transitions.at[e->fault_transition].name));
  VECTOR_CLEAR(e->fault_inputs);
  r->has_fault = true;
  return settle_inputs(r, e->fault_transition, &e->fault_inputs);
}

static bool read_version(trace_reader *r) {
  number n;
  if (!json_read_integer(&r->json, &n)) return false;
  r->has_version = true;
  if (number_is(n, CERTIFICATE_VERSION)) return true;
  char *version = number_string(n);
  fail(r, text_format("this is a certificate of version %s; only version %d is known", version, CERTIFICATE_VERSION));
  memory_free(version);
  return false;
}

static bool read_property(trace_reader *r) {
  char *error = NULL;
  if (!json_read_string(&r->json)) return false;
  if (r->is_run_alone) return true;
  r->has_property = property_named(r->model, last_string(r), &r->property, &error);
  return r->has_property || fail(r, error);
}

static bool read_meta(trace_reader *r) {
  bool first = true, fine = true;
  json_enter(&r->json, '{');
  while (fine && json_next_key(&r->json, &first)) {
    const char *key = last_string(r);
    if (!strcmp(key, "whet-certificate"))
      fine = read_version(r);
    else if (!strcmp(key, "property"))
      fine = read_property(r);
    else if (!strcmp(key, "fault"))
      fine = read_fault(r);
    else
      fine = json_skip(&r->json);
  }
  return !r->json.error;
}

static bool read_loop(trace_reader *r) {
  uint32_t loop = 0;
  if (!read_index(r, UINT32_MAX, "state", &loop)) return false;
  r->evidence->has_loop = true;
  r->evidence->loop = loop;
  return true;
}

static bool read_quotient(trace_reader *r) {
  if (r->evidence->kind == EVIDENCE_QUOTIENT) return fail(r, text_format("\"quotient\" twice"));
  return quotient_read(r->model, &r->json, r->evidence);
}

static bool read_file(trace_reader *r) {
  bool first = true, fine = true;
  json_enter(&r->json, '{');
  while (fine && json_next_key(&r->json, &first)) {
    if (!strcmp(last_string(r), "#meta"))
      fine = read_meta(r);
    else if (!strcmp(last_string(r), "states"))
      fine = read_states(r);
    else if (!strcmp(last_string(r), "loop"))
      fine = read_loop(r);
    else if (!strcmp(last_string(r), "quotient"))
      fine = read_quotient(r);
    else
      fine = json_skip(&r->json);
  }
  if (r->json.error || !json_at_end(&r->json)) return false;
  if (!r->has_version) return fail(r, text_format("no \"whet-certificate\" in \"#meta\": not a certificate of whet"));
  if (r->is_run_alone) return (r->has_states && r->evidence->steps.count) || fail(r, text_format("no \"states\""));
  if (!r->has_property) return fail(r, text_format("no \"property\" in \"#meta\""));
  if (!r->has_states && r->evidence->kind != EVIDENCE_QUOTIENT) return fail(r, text_format("no \"states\""));
  if (r->model->properties.at[r->property].kind == PROPERTY_NO_FAULT && !r->has_fault)
    return fail(r, text_format("no \"fault\" in \"#meta\""));
  return true;
}

static void set_up(trace_reader *r) {
  const model *m = r->model;
  r->positions = names_new();
  r->transitions = names_new();
  for (size_t i = 0; i < m->variables.count; i++)
    names_set(r->positions, variable_name(r->ts, m->variables.at[i].var), i);
  r->shared_name = MEMORY_ARRAY(bool, m->transitions.count + 1);
  for (size_t i = 0; i < m->transitions.count; i++) {
    uint64_t other;
    if (names_get(r->transitions, m->transitions.at[i].name, &other))
      r->shared_name[other] = r->shared_name[i] = true;
    else
      names_set(r->transitions, m->transitions.at[i].name, i);
  }
  r->values = MEMORY_ARRAY(names *, variable_count(r->ts) + 1);
  r->seen = MEMORY_ARRAY(size_t, m->variables.count + 1);
}

static void tear_down(trace_reader *r) {
  for (size_t i = 0; i < variable_count(r->ts); i++) names_free(r->values[i]);
  names_free(r->positions);
  names_free(r->transitions);
  memory_free(r->shared_name);
  memory_free(r->values);
  memory_free(r->seen);
  VECTOR_FREE(r->action.inputs);
  json_close(&r->json);
}

static bool read_with(trace_reader *r, const char *content, size_t length, char **error) {
  r->json = json_open(content, length);
  r->evidence->kind = EVIDENCE_TRACE;
  set_up(r);
  bool fine = read_file(r);
  if (!fine) {
    *error = error_at(content, length, r->json.error_place, r->json.error);
    r->json.error = NULL;
  }
  tear_down(r);
  return fine;
}

bool trace_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  trace_reader r = {.model = m, .ts = m->terms, .evidence = e};
  bool fine = read_with(&r, content, length, error);
  *property = r.property;
  return fine;
}

bool run_read(model *m, const char *content, size_t length, evidence *e, char **error) {
  *e = (evidence){0};
  trace_reader r = {.model = m, .ts = m->terms, .evidence = e, .is_run_alone = true};
  bool fine = read_with(&r, content, length, error);
  if (!fine) evidence_clear(e);
  return fine;
}
