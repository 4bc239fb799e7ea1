/* A correctness witness has the invariants at the heads of loops, a violation witness the results of the calls that give a
 * run its inputs, in their order, and where it comes to the error. */
#include "report/program/witness.h"

#include <time.h>

#include "base/digest/digest.h"
#include "report/derivation.h"
#include "report/program_run.h"

enum { MOST_EVENTS = 100000 };

typedef struct witness {
  const witness_task *task;
  const model *model;
  const outcome *outcome;
  const char *file; /* its name */
  text *out;
} witness;

/* ---- words ---- */

/* Between double quotes, where YAML knows the escapes of JSON. */
static void add_quoted(text *out, const char *words) {
  text_add_char(out, '"');
  for (const char *at = words; *at; at++)
    if (*at == '"' || *at == '\\')
      text_add(out, "\\%c", *at);
    else if ((unsigned char)*at < ' ' || *at == 127)
      text_add(out, "\\x%02x", (unsigned char)*at);
    else
      text_add_char(out, *at);
  text_add_char(out, '"');
}

static void add_field(text *out, size_t indent, const char *key, const char *value) {
  text_add(out, "%*s%s: ", (int)indent, "", key);
  add_quoted(out, value);
  text_add_char(out, '\n');
}

static const char *specification_of(const char *property) {
  static const char *const all[][2] = {
      {"unreach-call", "CHECK( init(main()), LTL(G ! call(reach_error())) )"},
      {"no-overflow", "CHECK( init(main()), LTL(G ! overflow) )"},
      {"valid-deref", "CHECK( init(main()), LTL(G valid-deref) )"},
      {"valid-free", "CHECK( init(main()), LTL(G valid-free) )"},
      {"valid-memtrack", "CHECK( init(main()), LTL(G valid-memtrack) )"},
      {"valid-memcleanup", "CHECK( init(main()), LTL(G valid-memcleanup) )"},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
    if (!strcmp(all[i][0], property)) return all[i][1];
  return NULL;
}

static void add_location(const witness *w, size_t indent, place at, const char *function) {
  text_add(w->out, "%*slocation:\n", (int)indent, "");
  add_field(w->out, indent + 2, "file_name", w->file);
  text_add(w->out, "%*sline: %u\n%*scolumn: %u\n", (int)indent + 2, "", at.line, (int)indent + 2, "", at.column);
  if (function) add_field(w->out, indent + 2, "function", function);
}

/* ---- invariants ---- */

static bool is_same_loop(const source_loop *a, const source_loop *b) {
  return a->at.line == b->at.line && a->at.column == b->at.column;
}

static void add_conjunction(text *out, const text *lines) {
  size_t count = 0;
  for (size_t i = 0; i < lines->count; i++) count += lines->at[i] == '\n';
  for (const char *at = text_string(lines); *at; at += strcspn(at, "\n") + 1) {
    int n = (int)strcspn(at, "\n");
    text_add(out, count > 1 ? "%s(%.*s)" : "%s%.*s", at == text_string(lines) ? "" : " && ", n, at);
  }
}

/* A loop that the model has several times is at one of its heads. False if nothing is known of some. */
static bool say_invariant(const witness *w, size_t first, text *out) {
  const program_source *s = w->model->source;
  const loop_invariants *known = &w->outcome->loops;
  size_t said = 0;
  for (size_t i = first; i < s->loop_count; i++) {
    if (!is_same_loop(&s->loops[first], &s->loops[i])) continue;
    if (!known->at[i].is_known) return false;
    if (!known->at[i].is_reached) continue;
    if (!known->at[i].c.count) return false;
    text_add(out, "%s", said++ ? " || (" : "(");
    add_conjunction(out, &known->at[i].c);
    text_add(out, ")");
  }
  if (!said) text_add(out, "0");
  return true;
}

static bool is_first_of_its_loop(const program_source *s, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (is_same_loop(&s->loops[j], &s->loops[i])) return false;
  return true;
}

static void add_invariants(const witness *w) {
  const program_source *s = w->model->source;
  size_t count = w->outcome->loops.count ? s->loop_count : 0, before = w->out->count;
  for (size_t i = 0; i < count; i++) {
    text value = {0};
    if (s->loops[i].at.line && is_first_of_its_loop(s, i) && say_invariant(w, i, &value)) {
      text_add(w->out, "%s    - invariant:\n        type: \"loop_invariant\"\n",
               w->out->count == before ? "  content:\n" : "");
      add_location(w, 8, s->loops[i].at, s->loops[i].function);
      add_field(w->out, 8, "value", text_string(&value));
      add_field(w->out, 8, "format", "c_expression");
    }
    text_clear(&value);
  }
  if (w->out->count == before) text_add(w->out, "  content: []\n");
}

/* ---- runs ---- */

static void add_waypoint(const witness *w, const char *type, place at) {
  text_add(w->out, "    - segment:\n        - waypoint:\n");
  add_field(w->out, 12, "type", type);
  add_field(w->out, 12, "action", "follow");
  add_location(w, 12, at, NULL);
}

static void add_input(void *context, variable v, number value) {
  const witness *w = context;
  const program_source *s = w->model->source;
  for (size_t i = 0; i < s->input_count; i++) {
    if (!variable_same(s->inputs[i].var, v)) continue;
    char *digits = number_string(value), *words = text_format("\\result == %s", digits);
    add_waypoint(w, "function_return", s->inputs[i].at);
    text_add(w->out, "            constraint:\n");
    add_field(w->out, 14, "value", words);
    add_field(w->out, 14, "format", "acsl_expression");
    memory_free(words);
    memory_free(digits);
    return;
  }
}

static void hear(void *context, const program_event *e) {
  if (e->kind == EVENT_INPUT) add_input(context, e->input, e->value);
}

static bool add_run(witness *w) {
  const evidence *e = &w->outcome->evidence;
  const model *m = w->model;
  place end = {0};
  text_add(w->out, "  content:\n");
  if (!trace_hear_inputs(m, &e->steps, MOST_EVENTS, add_input, w)) return false;
  if (e->steps.count > 1) end = m->transitions.at[VECTOR_LAST(e->steps).transition].place;
  if (evidence_is_shown_as(e->kind, SHOWN_AS_DERIVATION)) {
    if (!program_run_report(m, e, MOST_EVENTS, hear, w)) return false;
    end = m->clauses->clauses.at[derivation_last_clause(e)].place;
  }
  if (end.line) add_waypoint(w, "target", end);
  return end.line;
}

/* ---- all of it ---- */

/* Made from what it is about, so that the same run makes the same witness. */
static void add_identity(const witness *w, const char *content) {
  uint8_t d[DIGEST_BYTES];
  char *all = text_format("%s\n%s", w->task->content, content);
  digest_bytes(all, strlen(all), d);
  memory_free(all);
  char *uuid =
      text_format("%02x%02x%02x%02x-%02x%02x-5%x%02x-%x%x%02x-%02x%02x%02x%02x%02x%02x", d[0], d[1], d[2], d[3], d[4],
                  d[5], d[6] & 15, d[7], 8 | (d[8] & 3), d[8] >> 4, d[9], d[10], d[11], d[12], d[13], d[14], d[15]);
  add_field(w->out, 4, "uuid", uuid);
  memory_free(uuid);
  char when[32] = "";
  time_t seconds = (time_t)w->task->time;
  struct tm parts;
  if (gmtime_r(&seconds, &parts)) strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
  add_field(w->out, 4, "creation_time", when);
}

static void add_task(const witness *w, const char *specification) {
  char digits[DIGEST_DIGITS + 1];
  digest_digits(w->task->content, w->task->length, digits);
  text_add(w->out, "    producer:\n");
  add_field(w->out, 6, "name", "whet");
  add_field(w->out, 6, "version", w->task->version);
  text_add(w->out, "    task:\n      input_files:\n        - ");
  add_quoted(w->out, w->file);
  text_add(w->out, "\n      input_file_hashes:\n        ");
  add_quoted(w->out, w->file);
  text_add(w->out, ": \"%s\"\n", digits);
  add_field(w->out, 6, "specification", specification);
  add_field(w->out, 6, "data_model", w->task->is_32 ? "ILP32" : "LP64");
  add_field(w->out, 6, "language", "C");
}

bool witness_print(const witness_task *task, const model *m, const outcome *o, text *out) {
  const char *specification = specification_of(m->properties.at[o->property].name), *slash = strrchr(task->path, '/');
  bool is_safe = o->verdict == VERDICT_SAFE;
  if (!m->source || !specification || (!is_safe && o->verdict != VERDICT_UNSAFE)) return false;
  text content = {0};
  witness w = {task, m, o, slash ? slash + 1 : task->path, &content};
  bool fine = true;
  if (is_safe)
    add_invariants(&w);
  else
    fine = add_run(&w);
  w.out = out;
  if (fine) {
    text_add(out, "- entry_type: \"%s\"\n  metadata:\n", is_safe ? "invariant_set" : "violation_sequence");
    add_field(out, 4, "format_version", "2.0");
    add_identity(&w, text_string(&content));
    add_task(&w, specification);
    text_add(out, "%s", text_string(&content));
  }
  text_clear(&content);
  return fine;
}
