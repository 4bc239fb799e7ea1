/* Texts that are open in the editor, and their outlines, which a child makes a moment after each change. */
#include <jansson.h>
#include <stdlib.h>

#include "lsp/server.h"

/* Seconds from a change to the outline of the text, and for making it. */
#define PAUSE 0.12
#define OUTLINE_SECONDS 20.0

document *document_find(server *s, const char *uri) {
  for (size_t i = 0; i < s->documents.count; i++)
    if (!strcmp(s->documents.at[i]->uri, uri)) return s->documents.at[i];
  return NULL;
}

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The folder of file:///a/b%20c/m.whet; NULL of other addresses. */
static char *folder_of(const char *uri) {
  static const char scheme[] = "file://";
  text path = {0};
  if (strncmp(uri, scheme, sizeof scheme - 1)) return NULL;
  for (const char *at = uri + sizeof scheme - 1; *at; at++) {
    int high = *at == '%' ? hex(at[1]) : -1, low = high >= 0 ? hex(at[2]) : -1;
    if (low >= 0) {
      text_add_char(&path, (char)(16 * high + low));
      at += 2;
    } else {
      text_add_char(&path, *at);
    }
  }
  char *whole = text_give(&path), *slash = strrchr(whole, '/');
  if (slash && slash > whole) *slash = 0;
  if (*whole == '/') return whole;
  memory_free(whole);
  return NULL;
}

static void forget_outline(document *d) {
  job_free(d->analysis);
  d->analysis = NULL;
  json_decref(d->outline);
  d->outline = NULL;
  memory_free(d->trouble);
  d->trouble = NULL;
}

/* The text is another one now. */
static void changed(server *s, document *d, double pause) {
  verifications_stop(s, d, "the text was changed");
  forget_outline(d);
  d->serial = ++s->next_serial;
  d->due = job_clock() + pause;
}

static void document_free(server *s, document *d) {
  verifications_stop(s, d, "the text was closed");
  forget_outline(d);
  json_decref(d->known);
  results_clear(d);
  VECTOR_FREE(d->results);
  lined_text_clear(&d->text);
  memory_free(d->uri);
  memory_free(d->folder);
  memory_free(d);
}

void documents_clear(server *s) {
  for (size_t i = 0; i < s->documents.count; i++) document_free(s, s->documents.at[i]);
  VECTOR_FREE(s->documents);
}

/* True if it fits; else the document is empty, and says why. */
static bool fits(document *d, size_t length) {
  d->is_too_large = length > MOST_DOCUMENT_BYTES;
  if (!d->is_too_large) return true;
  memory_free(d->trouble);
  lined_text_set(&d->text, "", 0);
  d->trouble = text_format("the text is larger than %d MB; `whet verify` reads it", MOST_DOCUMENT_BYTES >> 20);
  d->due = 0;
  d->analysed = d->serial;
  return false;
}

static void set_text(server *s, document *d, const json_t *content, double pause) {
  changed(s, d, pause);
  if (!json_is_string(content)) return;
  if (fits(d, json_string_length(content)))
    lined_text_set(&d->text, json_string_value(content), json_string_length(content));
}

void document_opened(server *s, const json_t *params) {
  const json_t *item = member(params, "textDocument");
  const char *uri = member_string(item, "uri");
  document *d = document_find(s, uri);
  if (!d && s->documents.count >= MOST_DOCUMENTS) return;
  if (!d) {
    d = MEMORY_NEW(document);
    d->uri = memory_copy_string(uri);
    d->folder = folder_of(uri);
    VECTOR_PUSH(s->documents, d);
  }
  d->version = member_number(item, "version");
  set_text(s, d, member(item, "text"), 0);
  if (d->trouble) document_publish(s, d);
}

static size_t offset_at(const server *s, const document *d, const json_t *place) {
  int64_t line = member_number(place, "line"), column = member_number(place, "character");
  position p = {.line = line < 0 ? 0 : (uint64_t)line, .column = column < 0 ? 0 : (uint64_t)column};
  return position_offset(&d->text, p, s->in_bytes);
}

size_t document_offset(const server *s, const document *d, const json_t *params) {
  return offset_at(s, d, member(params, "position"));
}

/* Of a text that is not kept, parts say nothing. */
static void replace_part(server *s, document *d, const json_t *range, const json_t *content) {
  if (d->is_too_large && !fits(d, SIZE_MAX)) return;
  size_t from = offset_at(s, d, member(range, "start")), to = offset_at(s, d, member(range, "end"));
  if (to < from || !json_is_string(content)) return;
  size_t length = json_string_length(content);
  if (fits(d, d->text.text.count - (to - from) + length))
    lined_text_replace(&d->text, from, to, json_string_value(content), length);
}

void document_changed(server *s, const json_t *params) {
  document *d = document_find(s, member_string(member(params, "textDocument"), "uri"));
  const json_t *change;
  size_t i;
  if (!d) return;
  d->version = member_number(member(params, "textDocument"), "version");
  changed(s, d, PAUSE);
  json_array_foreach(member(params, "contentChanges"), i, change) {
    if (member(change, "range"))
      replace_part(s, d, member(change, "range"), member(change, "text"));
    else
      set_text(s, d, member(change, "text"), PAUSE);
  }
  if (d->trouble) document_publish(s, d);
}

void document_closed(server *s, const json_t *params) {
  const char *uri = member_string(member(params, "textDocument"), "uri");
  text message = {0};
  for (size_t i = 0; i < s->waiting.count;) {
    if (strcmp(s->waiting.at[i].document->uri, uri)) {
      i++;
      continue;
    }
    json_decref(s->waiting.at[i].message);
    s->waiting.at[i] = VECTOR_LAST(s->waiting);
    s->waiting.count--;
  }
  for (size_t i = 0; i < s->documents.count; i++) {
    document *d = s->documents.at[i];
    if (strcmp(d->uri, uri)) continue;
    json_writer w = json_object_to(&message);
    json_field_string(&w, "uri", uri);
    json_field_array(&w, "diagnostics");
    json_end_array(&w);
    json_end_object(&w);
    server_notify(s, "textDocument/publishDiagnostics", &message);
    document_free(s, d);
    memmove(s->documents.at + i, s->documents.at + i + 1, (s->documents.count - i - 1) * sizeof *s->documents.at);
    s->documents.count--;
    break;
  }
  text_clear(&message);
}

/* ---- what is shown at the text ---- */

static void write_diagnostic(const server *s, const document *d, json_writer *w, size_t start, size_t end, int severity,
                             const char *message) {
  json_begin_object(w);
  write_range(s, d, w, "range", start, end);
  json_field_count(w, "severity", (uint64_t)severity);
  json_field_string(w, "source", "whet");
  json_field_string(w, "message", message);
  json_end_object(w);
}

static void write_errors(const server *s, const document *d, json_writer *w) {
  const json_t *error;
  size_t i;
  json_array_foreach(json_object_get(d->outline, "errors"), i, error) {
    text message = {0};
    const char *hints = member_string(error, "hints");
    text_add(&message, "%s%s%.*s", member_string(error, "message"), *hints ? "\nhint: " : "", (int)strcspn(hints, "\n"),
             hints);
    write_diagnostic(s, d, w, (size_t)member_number(error, "start"), (size_t)member_number(error, "end"), 1,
                     text_string(&message));
    text_clear(&message);
  }
}

/* Violated properties are errors, undecided ones are warnings. */
static void write_results(const server *s, const document *d, json_writer *w) {
  for (size_t i = 0; i < outline_property_count(d->outline) && i < MOST_PROPERTIES; i++) {
    uint64_t line;
    const property_result *r = result_of(d, outline_property(d->outline, i, &line), false);
    if (!r || result_holds(r)) continue;
    text message = {0};
    size_t start = position_offset(&d->text, (position){.line = line ? line - 1 : 0}, true);
    size_t end = position_offset(&d->text, (position){.line = line ? line - 1 : 0, .column = UINT64_MAX}, true);
    bool is_open = !strcmp(r->verdict, "unknown");
    text_add(&message, "%s: %s\n%s", r->property, r->verdict, is_open ? r->why : r->run);
    write_diagnostic(s, d, w, start, end, is_open ? 2 : 1, text_string(&message));
    text_clear(&message);
  }
}

void document_publish(server *s, const document *d) {
  text message = {0};
  json_writer w = json_object_to(&message);
  json_field_string(&w, "uri", d->uri);
  json_key(&w, "version");
  json_add_integer(&w, d->version);
  json_field_array(&w, "diagnostics");
  if (d->trouble) write_diagnostic(s, d, &w, 0, 0, 2, d->trouble);
  write_errors(s, d, &w);
  write_results(s, d, &w);
  json_end_array(&w);
  json_end_object(&w);
  server_notify(s, "textDocument/publishDiagnostics", &message);
  text_clear(&message);
}

/* ---- outlines ---- */

static void start_outline(document *d) {
  static const char *const words[] = {"whet", "outline", "-", NULL};
  d->due = 0;
  d->analysis = job_start(words, text_string(&d->text.text), d->text.text.count, d->folder, OUTLINE_SECONDS);
  if (d->analysis) return;
  d->trouble = memory_copy_string("there is no room for another process");
  d->analysed = d->serial;
}

static void finish_outline(server *s, document *d) {
  job *j = d->analysis;
  d->analysis = NULL;
  d->analysed = d->serial;
  json_error_t error;
  if (!j->status) d->outline = json_loadb(text_string(&j->output[0]), j->output[0].count, 0, &error);
  if (!d->outline)
    d->trouble = j->is_late ? text_format("the text was not understood within %g s", OUTLINE_SECONDS)
                            : text_format("the text was not understood: %s",
                                          j->output[1].count ? text_string(&j->output[1]) : "whet failed");
  job_free(j);
  if (outline_flag(d->outline, "well_formed")) {
    json_decref(d->known);
    d->known = json_incref(d->outline);
  }
  document_publish(s, d);
}

void documents_go_on(server *s) {
  size_t busy = 0;
  for (size_t i = 0; i < s->documents.count; i++) busy += s->documents.at[i]->analysis != NULL;
  for (size_t i = 0; i < s->documents.count; i++) {
    document *d = s->documents.at[i];
    bool starts = d->due && d->due <= job_clock() && busy < MOST_OUTLINES;
    busy += starts;
    if (starts) start_outline(d);
    if (d->analysis && job_go_on(d->analysis)) finish_outline(s, d);
  }
}
