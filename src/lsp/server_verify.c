/* Runs that the editor asks for, and what they found out. */
#include <jansson.h>

#include "lsp/server.h"

#define USUAL_SECONDS 60.0
enum { MOST_RUN_LINES = 60 };

/* ---- results ---- */

static void result_clear(property_result *r) {
  memory_free(r->property);
  memory_free(r->verdict);
  memory_free(r->engine);
  memory_free(r->why);
  memory_free(r->run);
  memory_free(r->invariant);
}

void results_clear(document *d) {
  for (size_t i = 0; i < d->results.count; i++) result_clear(&d->results.at[i]);
  VECTOR_CLEAR(d->results);
}

const property_result *result_of(const document *d, const char *property, bool also_old) {
  for (size_t i = 0; i < d->results.count; i++) {
    const property_result *r = &d->results.at[i];
    if (!strcmp(r->property, property) && (also_old || r->serial == d->serial)) return r;
  }
  return NULL;
}

bool result_holds(const property_result *r) { return !strcmp(r->verdict, "safe") || !strcmp(r->verdict, "holds"); }

static void keep_result(document *d, property_result made) {
  for (size_t i = 0; i < d->results.count; i++) {
    if (strcmp(d->results.at[i].property, made.property)) continue;
    result_clear(&d->results.at[i]);
    d->results.at[i] = made;
    return;
  }
  if (d->results.count < MOST_PROPERTIES)
    VECTOR_PUSH(d->results, made);
  else
    result_clear(&made);
}

/* The indented lines behind `NAME: ..` of what the program printed: the run. */
static char *run_of(const char *printed, const char *property) {
  text out = {0};
  size_t length = strlen(property), lines = 0;
  bool is_inside = false;
  for (const char *at = printed; *at;) {
    size_t count = strcspn(at, "\n");
    if (*at != ' ')
      is_inside = count > length && !memcmp(at, property, length) && at[length] == ':';
    else if (is_inside && lines++ < MOST_RUN_LINES)
      text_add(&out, "%.*s\n", (int)count, at);
    at += count + (at[count] == '\n');
  }
  if (lines > MOST_RUN_LINES) text_add(&out, "  .. (%zu lines more)\n", lines - MOST_RUN_LINES);
  return text_give(&out);
}

/* The reason, and lines `NAME: try: ..` of standard error. */
static char *why_of(const json_t *p, const char *complaints, const char *property) {
  text out = {0}, mark = {0};
  text_add(&out, "%s", member_string(p, "reason"));
  text_add(&mark, "%s: try: ", property);
  for (const char *at = complaints; *at;) {
    size_t count = strcspn(at, "\n");
    if (!strncmp(at, text_string(&mark), mark.count))
      text_add(&out, "\ntry: %.*s", (int)(count - mark.count), at + mark.count);
    at += count + (at[count] == '\n');
  }
  if (json_is_true(member(p, "vacuous"))) text_add(&out, "%svacuous: it says nothing", out.count ? "\n" : "");
  text_clear(&mark);
  return text_give(&out);
}

static char *lines_of(const json_t *list) {
  text out = {0};
  const json_t *line;
  size_t i;
  if (json_is_string(list)) text_add(&out, "%s", json_string_value(list));
  json_array_foreach(list, i, line) if (json_is_string(line)) text_add(&out, "%s\n", json_string_value(line));
  return text_give(&out);
}

static void keep_results(document *d, const json_t *document_of_run, const job *j) {
  const json_t *p;
  size_t i;
  json_array_foreach(json_object_get(document_of_run, "properties"), i, p) {
    const char *name = member_string(p, "name");
    property_result made = {.property = memory_copy_string(name),
                            .verdict = memory_copy_string(member_string(p, "verdict")),
                            .engine = memory_copy_string(member_string(p, "engine")),
                            .why = why_of(p, text_string(&j->output[1]), name),
                            .run = run_of(text_string(&j->output[0]), name),
                            .invariant = lines_of(member(p, "invariant")),
                            .seconds = json_number_value(member(p, "seconds")),
                            .serial = d->serial};
    keep_result(d, made);
  }
}

/* ---- progress ---- */

static void tell_progress(server *s, const char *token, const char *kind, const char *title, bool can_be_ended) {
  text message = {0};
  if (!token) return;
  json_writer w = json_object_to(&message);
  json_key(&w, "token");
  json_add_number(&w, token);
  json_field_object(&w, "value");
  json_field_string(&w, "kind", kind);
  if (title) json_field_string(&w, "title", title);
  if (can_be_ended) json_field_bool(&w, "cancellable", true);
  json_end_object(&w);
  json_end_object(&w);
  server_notify(s, "$/progress", &message);
  text_clear(&message);
}

/* A token of the request, or one of the server's own. */
static char *begin_progress(server *s, const json_t *params, const char *title) {
  const json_t *given = member(params, "workDoneToken");
  char *token = NULL;
  if (json_is_string(given) || json_is_integer(given)) {
    char *dumped = json_dumps(given, JSON_ENCODE_ANY);
    token = dumped ? memory_copy_string(dumped) : NULL;
    free(dumped);
  } else if (s->shows_progress) {
    token = text_format("\"whet-%llu\"", (unsigned long long)++s->next_id);
    text message = {0};
    json_writer w = json_object_to(&message);
    json_key(&w, "token");
    json_add_number(&w, token);
    json_end_object(&w);
    server_ask(s, "window/workDoneProgress/create", &message);
    text_clear(&message);
  }
  tell_progress(s, token, "begin", title, true);
  return token;
}

/* ---- runs ---- */

static void refresh_lenses(server *s) {
  text none = {0};
  text_add(&none, "null");
  if (s->refreshes_lenses) server_ask(s, "workspace/codeLens/refresh", &none);
  text_clear(&none);
}

static void verification_free(server *s, verification *v) {
  tell_progress(s, v->token, "end", NULL, false);
  job_free(v->job);
  memory_free(v->property);
  memory_free(v->id);
  memory_free(v->token);
  memory_free(v);
}

static void take_out(server *s, size_t i) {
  memmove(s->runs.at + i, s->runs.at + i + 1, (s->runs.count - i - 1) * sizeof *s->runs.at);
  s->runs.count--;
}

bool verification_cancel(server *s, const char *id, const char *token) {
  for (size_t i = 0; i < s->runs.count; i++) {
    verification *v = s->runs.at[i];
    bool is_meant = (id && !strcmp(v->id, id)) || (token && v->token && !strcmp(v->token, token));
    if (!is_meant) continue;
    take_out(s, i);
    server_refuse(s, v->id, ERROR_CANCELLED, "the run was stopped");
    verification_free(s, v);
    refresh_lenses(s);
    return true;
  }
  return false;
}

void verifications_stop(server *s, const document *d, const char *why) {
  for (size_t i = 0; i < s->runs.count;) {
    verification *v = s->runs.at[i];
    if (v->document != d) {
      i++;
      continue;
    }
    take_out(s, i);
    server_refuse(s, v->id, ERROR_CANCELLED, why);
    verification_free(s, v);
  }
}

static void stop_asked(server *s, const char *id, const json_t *arguments) {
  document *d = document_find(
      s, json_is_string(json_array_get(arguments, 0)) ? json_string_value(json_array_get(arguments, 0)) : "");
  text none = {0};
  if (d) verifications_stop(s, d, "the run was stopped");
  refresh_lenses(s);
  text_add(&none, "null");
  server_reply(s, id, &none);
  text_clear(&none);
}

static job *start_run(server *s, const document *d, const char *property) {
  double seconds = s->settings->seconds > 0 ? s->settings->seconds : USUAL_SECONDS;
  char limit[32], memory[32];
  snprintf(limit, sizeof limit, "--timeout=%.3f", seconds);
  snprintf(memory, sizeof memory, "--memory=%llu", (unsigned long long)s->settings->megabytes);
  const char *words[12] = {"whet", "verify", limit, memory, "--verbose", "--json", "/dev/fd/3"};
  size_t count = 7;
  char *named = property ? text_format("--property=%s", property) : NULL;
  if (named) words[count++] = named;
  words[count++] = "-";
  words[count] = NULL;
  job *j = job_start(words, text_string(&d->text.text), d->text.text.count, d->folder, seconds + 5 + seconds / 10);
  memory_free(named);
  return j;
}

void verification_asked(server *s, const char *id, const json_t *params) {
  const char *command = member_string(params, "command");
  const json_t *arguments = member(params, "arguments"), *uri = json_array_get(arguments, 0),
               *property = json_array_get(arguments, 1);
  if (!strcmp(command, "whet.stop")) {
    stop_asked(s, id, arguments);
    return;
  }
  document *d = json_is_string(uri) ? document_find(s, json_string_value(uri)) : NULL;
  const char *name = json_is_string(property) ? json_string_value(property) : NULL;
  if (strcmp(command, "whet.verify") || !d) {
    server_refuse(s, id, ERROR_PARAMS,
                  d ? "there are the commands whet.verify and whet.stop" : "this text is not open");
    return;
  }
  if (s->runs.count >= MOST_RUNS || d->is_too_large) {
    server_refuse(s, id, ERROR_FAILED, d->is_too_large ? d->trouble : "two runs are at work; wait for one, or stop it");
    return;
  }
  job *j = start_run(s, d, name);
  if (!j) {
    server_refuse(s, id, ERROR_FAILED, "there is no room for another process");
    return;
  }
  verification *v = MEMORY_NEW(verification);
  *v = (verification){.job = j, .document = d, .serial = d->serial, .id = memory_copy_string(id)};
  if (name) v->property = memory_copy_string(name);
  v->token = begin_progress(s, params, name ? name : "all properties");
  VECTOR_PUSH(s->runs, v);
  refresh_lenses(s);
}

static void write_result(json_writer *w, const property_result *r) {
  json_begin_object(w);
  json_field_string(w, "property", r->property);
  json_field_string(w, "verdict", r->verdict);
  json_field_string(w, "engine", r->engine);
  json_key(w, "seconds");
  json_add_real(w, r->seconds, 3);
  json_field_string(w, "why", r->why);
  json_field_string(w, "run", r->run);
  json_end_object(w);
}

static void finish(server *s, const verification *v) {
  const job *j = v->job;
  document *d = v->document;
  json_error_t error;
  json_t *of_run = json_loadb(text_string(&j->output[2]), j->output[2].count, 0, &error);
  if (!of_run) {
    size_t first = strcspn(text_string(&j->output[1]), "\n");
    char *why = j->is_late ? text_format("the run did not end in time")
                           : text_format("whet verify: %.*s", (int)first, text_string(&j->output[1]));
    server_refuse(s, v->id, ERROR_FAILED, why);
    memory_free(why);
    return;
  }
  keep_results(d, of_run, j);
  json_decref(of_run);
  text result = {0};
  json_writer w = json_writer_to(&result);
  json_begin_array(&w);
  for (size_t i = 0; i < d->results.count; i++)
    if (d->results.at[i].serial == d->serial && (!v->property || !strcmp(v->property, d->results.at[i].property)))
      write_result(&w, &d->results.at[i]);
  json_end_array(&w);
  server_reply(s, v->id, &result);
  text_clear(&result);
  document_publish(s, d);
}

void verifications_go_on(server *s) {
  for (size_t i = 0; i < s->runs.count;) {
    verification *v = s->runs.at[i];
    if (!job_go_on(v->job)) {
      i++;
      continue;
    }
    take_out(s, i);
    finish(s, v);
    verification_free(s, v);
    refresh_lenses(s);
  }
}

/* ---- lenses ---- */

static bool is_running(const server *s, const document *d, const char *property) {
  for (size_t i = 0; i < s->runs.count; i++) {
    const verification *v = s->runs.at[i];
    if (v->document == d && (!v->property || (property && !strcmp(v->property, property)))) return true;
  }
  return false;
}

/* NULL for `property`: all of them. */
static void write_lens(const server *s, const document *d, json_writer *w, size_t offset, const char *title,
                       const char *command, const char *property) {
  json_begin_object(w);
  write_range(s, d, w, "range", offset, offset);
  json_field_object(w, "command");
  json_field_string(w, "title", title);
  json_field_string(w, "command", command);
  json_field_array(w, "arguments");
  json_add_string(w, d->uri);
  if (property) json_add_string(w, property);
  json_end_array(w);
  json_end_object(w);
  json_end_object(w);
}

static void add_verdict(const property_result *r, text *out) {
  static const struct {
    const char *verdict, *shown;
  } list[] = {{"safe", "SAFE"}, {"unsafe", "UNSAFE"}, {"holds", "HOLDS"}, {"fails", "FAILS"}, {"unknown", "UNKNOWN"}};
  const char *shown = r->verdict;
  for (size_t i = 0; i < ARRAY_LENGTH(list); i++)
    if (!strcmp(list[i].verdict, r->verdict)) shown = list[i].shown;
  text_add(out, "%s", shown);
}

static void write_property_lens(const server *s, const document *d, json_writer *w, const char *property,
                                uint64_t line) {
  size_t offset = position_offset(&d->text, (position){.line = line ? line - 1 : 0}, true);
  const property_result *now = result_of(d, property, false), *old = result_of(d, property, true);
  text title = {0};
  if (is_running(s, d, property)) {
    text_add(&title, "%s: at work .. (stop)", property);
    write_lens(s, d, w, offset, text_string(&title), "whet.stop", NULL);
    text_clear(&title);
    return;
  }
  text_add(&title, "%s: ", property);
  if (now) {
    add_verdict(now, &title);
    text_add(&title, " (%s, %.3g s)", now->engine, now->seconds);
  } else if (old) {
    text_add(&title, "verify (");
    add_verdict(old, &title);
    text_add(&title, " before the text was changed)");
  } else {
    text_add(&title, "verify");
  }
  write_lens(s, d, w, offset, text_string(&title), "whet.verify", property);
  text_clear(&title);
}

const char *answer_lenses(server *s, document *d, const json_t *params, json_writer *w) {
  (void)params;
  size_t count = outline_property_count(d->outline);
  json_begin_array(w);
  for (size_t i = 0; i < count && i < MOST_PROPERTIES; i++) {
    uint64_t line;
    const char *name = outline_property(d->outline, i, &line);
    write_property_lens(s, d, w, name, line);
  }
  if (count > 1) write_lens(s, d, w, 0, is_running(s, d, NULL) ? "all: at work .." : "verify all", "whet.verify", NULL);
  json_end_array(w);
  return NULL;
}
