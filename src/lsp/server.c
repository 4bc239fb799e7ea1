/* The loop of the language server, its messages, and who answers them. Everything that a client can ask for is in one table. */
#include "lsp/server.h"

#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- parameters ---- */

json_t *member(const json_t *object, const char *key) { return json_object_get(object, key); }

const char *member_string(const json_t *object, const char *key) {
  const char *string = json_string_value(json_object_get(object, key));
  return string ? string : "";
}

int64_t member_number(const json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

/* ---- messages ---- */

static json_writer begin_message(text *out) {
  json_writer w = json_object_to(out);
  json_field_string(&w, "jsonrpc", "2.0");
  return w;
}

static void send_message(server *s, json_writer *w, text *message) {
  json_end_object(w);
  framing_send(&s->framing, message);
  text_clear(message);
}

void server_reply(server *s, const char *id, const text *result) {
  text message = {0};
  json_writer w = begin_message(&message);
  json_key(&w, "id");
  json_add_number(&w, id);
  json_key(&w, "result");
  json_add_number(&w, text_string(result));
  send_message(s, &w, &message);
}

void server_refuse(server *s, const char *id, int code, const char *words) {
  text message = {0};
  json_writer w = begin_message(&message);
  json_key(&w, "id");
  json_add_number(&w, id);
  json_field_object(&w, "error");
  json_key(&w, "code");
  json_add_integer(&w, code);
  json_field_string(&w, "message", words);
  json_end_object(&w);
  send_message(s, &w, &message);
}

void server_notify(server *s, const char *method, const text *params) {
  text message = {0};
  json_writer w = begin_message(&message);
  json_field_string(&w, "method", method);
  json_key(&w, "params");
  json_add_number(&w, text_string(params));
  send_message(s, &w, &message);
}

void server_ask(server *s, const char *method, const text *params) {
  text message = {0};
  json_writer w = begin_message(&message);
  json_key(&w, "id");
  char *id = text_format("\"whet-%llu\"", (unsigned long long)++s->next_id);
  json_add_number(&w, id);
  memory_free(id);
  json_field_string(&w, "method", method);
  bool has_some = strcmp(text_string(params), "null");
  if (has_some) {
    json_key(&w, "params");
    json_add_number(&w, text_string(params));
  }
  send_message(s, &w, &message);
}

/* ---- the beginning and the end ---- */

static bool client_can(const json_t *params, const char *part, const char *key, const char *inner) {
  const json_t *found = member(member(member(params, "capabilities"), part), key);
  return json_is_true(inner ? member(found, inner) : found);
}

static bool offers_bytes(const json_t *params) {
  const json_t *word;
  size_t i;
  json_array_foreach(member(member(member(params, "capabilities"), "general"), "positionEncodings"), i, word) {
    if (json_is_string(word) && !strcmp(json_string_value(word), "utf-8")) return true;
  }
  return false;
}

static void write_capabilities(const server *s, json_writer *w) {
  json_field_object(w, "capabilities");
  json_field_string(w, "positionEncoding", s->in_bytes ? "utf-8" : "utf-16");
  json_field_object(w, "textDocumentSync");
  json_field_bool(w, "openClose", true);
  json_field_count(w, "change", 2);
  json_end_object(w);
  static const char *const plain[] = {
      "hoverProvider",          "definitionProvider",        "referencesProvider",
      "documentSymbolProvider", "documentHighlightProvider", "documentFormattingProvider"};
  for (size_t i = 0; i < ARRAY_LENGTH(plain); i++) json_field_bool(w, plain[i], true);
  json_field_object(w, "renameProvider");
  json_field_bool(w, "prepareProvider", true);
  json_end_object(w);
  json_field_object(w, "completionProvider");
  json_field_array(w, "triggerCharacters");
  json_add_string(w, ".");
  json_end_array(w);
  json_end_object(w);
  json_field_object(w, "codeLensProvider");
  json_end_object(w);
  json_field_object(w, "executeCommandProvider");
  json_field_bool(w, "workDoneProgress", true);
  json_field_array(w, "commands");
  json_add_string(w, "whet.verify");
  json_add_string(w, "whet.stop");
  json_end_array(w);
  json_end_object(w);
  json_end_object(w);
}

static void initialize(server *s, const char *id, const json_t *params) {
  text result = {0};
  s->is_initialized = true;
  s->in_bytes = offers_bytes(params);
  s->refreshes_lenses = client_can(params, "workspace", "codeLens", "refreshSupport");
  s->shows_progress = client_can(params, "window", "workDoneProgress", NULL);
  json_writer w = json_object_to(&result);
  write_capabilities(s, &w);
  json_field_object(&w, "serverInfo");
  json_field_string(&w, "name", "whet");
  json_field_string(&w, "version", s->settings->version);
  json_end_object(&w);
  json_end_object(&w);
  server_reply(s, id, &result);
  text_clear(&result);
}

/* ---- requests about texts ---- */

static const struct {
  const char *method;
  answer *answer;
} answers[] = {
    {"textDocument/hover", answer_hover},
    {"textDocument/definition", answer_definition},
    {"textDocument/references", answer_references},
    {"textDocument/documentHighlight", answer_highlight},
    {"textDocument/prepareRename", answer_prepare_rename},
    {"textDocument/rename", answer_rename},
    {"textDocument/documentSymbol", answer_symbols},
    {"textDocument/completion", answer_completion},
    {"textDocument/codeLens", answer_lenses},
    {"textDocument/formatting", answer_formatting},
};

static answer *find_answer(const char *method) {
  for (size_t i = 0; i < ARRAY_LENGTH(answers); i++)
    if (!strcmp(answers[i].method, method)) return answers[i].answer;
  return NULL;
}

/* As JSON; freed by memory_free. NULL: the message has none. */
static char *id_of(const json_t *message) {
  const json_t *id = member(message, "id");
  if (!json_is_string(id) && !json_is_integer(id)) return NULL;
  char *dumped = json_dumps(id, JSON_ENCODE_ANY | JSON_ENSURE_ASCII),
       *copy = dumped ? memory_copy_string(dumped) : NULL;
  free(dumped);
  return copy;
}

static void answer_now(server *s, document *d, const json_t *message) {
  char *id = id_of(message);
  text result = {0};
  json_writer w = json_writer_to(&result);
  answer *give = find_answer(member_string(message, "method"));
  const char *why = d->outline ? give(s, d, member(message, "params"), &w) : NULL;
  if (!d->outline) json_add_null(&w);
  if (why)
    server_refuse(s, id, ERROR_FAILED, why);
  else
    server_reply(s, id, &result);
  text_clear(&result);
  memory_free(id);
}

static void ask_about_text(server *s, const char *id, json_t *message) {
  document *d = document_find(s, member_string(member(member(message, "params"), "textDocument"), "uri"));
  if (!d)
    server_refuse(s, id, ERROR_PARAMS, "this text is not open");
  else if (d->analysed == d->serial)
    answer_now(s, d, message);
  else if (s->waiting.count >= MOST_WAITING)
    server_refuse(s, id, ERROR_FAILED, "too many requests wait for an answer");
  else
    VECTOR_PUSH(s->waiting, (waiting){json_incref(message), d});
}

static void answer_waiting(server *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->waiting.count; i++) {
    waiting w = s->waiting.at[i];
    if (w.document->analysed != w.document->serial) {
      s->waiting.at[kept++] = w;
      continue;
    }
    answer_now(s, w.document, w.message);
    json_decref(w.message);
  }
  s->waiting.count = kept;
}

/* ---- all messages ---- */

static void cancel(server *s, const json_t *params) {
  char *id = id_of(params);
  if (!id || verification_cancel(s, id, NULL)) {
    memory_free(id);
    return;
  }
  for (size_t i = 0; i < s->waiting.count; i++) {
    char *other = id_of(s->waiting.at[i].message);
    bool is_meant = !strcmp(id, other);
    memory_free(other);
    if (!is_meant) continue;
    server_refuse(s, id, ERROR_CANCELLED, "cancelled");
    json_decref(s->waiting.at[i].message);
    memmove(s->waiting.at + i, s->waiting.at + i + 1, (s->waiting.count - i - 1) * sizeof *s->waiting.at);
    s->waiting.count--;
    break;
  }
  memory_free(id);
}

static void cancel_progress(server *s, const json_t *params) {
  char *token = json_dumps(member(params, "token"), JSON_ENCODE_ANY);
  if (token) verification_cancel(s, NULL, token);
  free(token);
}

static void take_notification(server *s, const char *method, const json_t *params) {
  if (!strcmp(method, "exit"))
    s->is_over = true;
  else if (!s->is_initialized || s->is_shut_down)
    return;
  else if (!strcmp(method, "textDocument/didOpen"))
    document_opened(s, params);
  else if (!strcmp(method, "textDocument/didChange"))
    document_changed(s, params);
  else if (!strcmp(method, "textDocument/didClose"))
    document_closed(s, params);
  else if (!strcmp(method, "$/cancelRequest"))
    cancel(s, params);
  else if (!strcmp(method, "window/workDoneProgress/cancel"))
    cancel_progress(s, params);
}

static void take_request(server *s, const char *id, const char *method, json_t *message) {
  text none = {0};
  text_add(&none, "null");
  if (!strcmp(method, "initialize") && !s->is_initialized) {
    initialize(s, id, member(message, "params"));
  } else if (!s->is_initialized) {
    server_refuse(s, id, ERROR_NOT_INITIALIZED, "the first request is `initialize`");
  } else if (s->is_shut_down || !strcmp(method, "initialize")) {
    server_refuse(s, id, ERROR_INVALID, s->is_shut_down ? "the server was shut down" : "`initialize` comes once");
  } else if (!strcmp(method, "shutdown")) {
    s->is_shut_down = true;
    server_reply(s, id, &none);
  } else if (!strcmp(method, "workspace/executeCommand")) {
    verification_asked(s, id, member(message, "params"));
  } else if (find_answer(method)) {
    ask_about_text(s, id, message);
  } else {
    server_refuse(s, id, ERROR_NO_METHOD, "there is no such request here");
  }
  text_clear(&none);
}

static void take_message(server *s, const char *bytes, size_t count) {
  json_error_t error;
  json_t *message = json_loadb(bytes, count, JSON_ALLOW_NUL, &error);
  char *id = message ? id_of(message) : NULL;
  const json_t *method = member(message, "method");
  if (!message)
    server_refuse(s, "null", ERROR_PARSE, "this is no JSON");
  else if (json_is_string(method) && id)
    take_request(s, id, json_string_value(method), message);
  else if (json_is_string(method) && !member(message, "id"))
    take_notification(s, json_string_value(method), member(message, "params"));
  else if (!id ||
           (!member(message, "result") && !member(message, "error"))) /* else the answer to a request of the server */
    server_refuse(s, "null", ERROR_INVALID, "this is no message of JSON-RPC 2.0");
  memory_free(id);
  json_decref(message);
}

static void take_all(server *s) {
  const char *bytes;
  size_t count;
  for (frame_kind kind; !s->is_over && (kind = framing_next(&s->framing, &bytes, &count)) != FRAME_NONE;) {
    if (kind == FRAME_MESSAGE)
      take_message(s, bytes, count);
    else
      server_refuse(s, "null", ERROR_INVALID,
                    kind == FRAME_TOO_LONG ? "the message is too long" : "the header has no Content-Length");
    if (kind == FRAME_BROKEN) s->is_over = true;
  }
}

/* ---- the loop ---- */

typedef VECTOR(struct pollfd) polled;

static void poll_job(polled *list, const job *j) {
  if (j->to >= 0) VECTOR_PUSH(*list, (struct pollfd){j->to, POLLOUT, 0});
  for (int i = 0; i < JOB_OUTPUTS; i++)
    if (j->from[i] >= 0) VECTOR_PUSH(*list, (struct pollfd){j->from[i], POLLIN, 0});
}

/* Waits until there is something to do. */
static void wait_for_news(const server *s, polled *list) {
  double next = job_clock() + 3600;
  size_t busy = 0;
  VECTOR_CLEAR(*list);
  VECTOR_PUSH(*list, (struct pollfd){STDIN_FILENO, POLLIN, 0});
  if (framing_has_to_write(&s->framing)) VECTOR_PUSH(*list, (struct pollfd){STDOUT_FILENO, POLLOUT, 0});
  for (size_t i = 0; i < s->runs.count; i++) {
    poll_job(list, s->runs.at[i]->job);
    if (s->runs.at[i]->job->deadline < next) next = s->runs.at[i]->job->deadline;
  }
  for (size_t i = 0; i < s->documents.count; i++) {
    const document *d = s->documents.at[i];
    busy += d->analysis != NULL;
    if (d->analysis) poll_job(list, d->analysis);
    if (d->analysis && d->analysis->deadline < next) next = d->analysis->deadline;
  }
  for (size_t i = 0; i < s->documents.count && busy < MOST_OUTLINES; i++)
    if (s->documents.at[i]->due && s->documents.at[i]->due < next) next = s->documents.at[i]->due;
  double left = next - job_clock();
  poll(list->at, (nfds_t)list->count, left <= 0 ? 0 : (int)(left * 1000) + 1);
}

static void finish(server *s) {
  double deadline = job_clock() + 1;
  for (size_t i = 0; i < s->waiting.count; i++) json_decref(s->waiting.at[i].message);
  VECTOR_FREE(s->waiting);
  documents_clear(s);
  VECTOR_FREE(s->runs);
  while (framing_has_to_write(&s->framing) && !s->framing.is_at_end && job_clock() < deadline) {
    poll(&(struct pollfd){STDOUT_FILENO, POLLOUT, 0}, 1, 100);
    framing_flush(&s->framing);
  }
  framing_clear(&s->framing);
}

int lsp_serve(const lsp_settings *settings) {
  server s = {.settings = settings};
  polled list = {0};
  signal(SIGPIPE, SIG_IGN);
  framing_open(&s.framing);
  while (!s.is_over && !s.framing.is_at_end) {
    framing_read(&s.framing);
    take_all(&s);
    verifications_go_on(&s);
    documents_go_on(&s);
    answer_waiting(&s);
    framing_flush(&s.framing);
    if (!s.is_over && !s.framing.is_at_end) wait_for_news(&s, &list);
  }
  finish(&s);
  VECTOR_FREE(list);
  return s.is_shut_down ? 0 : 1;
}
