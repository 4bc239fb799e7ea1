/* What the parts of the server share. Only server.c and its parts server_*.c see jansson, which reads messages and outlines. */
#ifndef WHET_LSP_SERVER_H
#define WHET_LSP_SERVER_H

#include "base/json_writer.h"
#include "base/vector.h"
#include "lsp/framing.h"
#include "lsp/job.h"
#include "lsp/lsp.h"
#include "lsp/position.h"

typedef struct json_t json_t;

/* What is refused, so that no client makes the server grow without end. */
enum {
  MOST_DOCUMENTS = 500,
  MOST_DOCUMENT_BYTES = 8 << 20,
  MOST_WAITING = 1000,
  MOST_OUTLINES = 4,
  MOST_RUNS = 2,
  MOST_LOCATIONS = 20000,
  MOST_PROPERTIES = 2000
};

/* Codes of JSON-RPC and of the protocol. */
enum {
  ERROR_PARSE = -32700,
  ERROR_INVALID = -32600,
  ERROR_NO_METHOD = -32601,
  ERROR_PARAMS = -32602,
  ERROR_NOT_INITIALIZED = -32002,
  ERROR_FAILED = -32803,
  ERROR_CANCELLED = -32800,
};

/* What a run has found out about a property. */
typedef struct property_result {
  char *property, *verdict, *engine;
  char *why;       /* undecided: the reason, and what to try; or "" */
  char *run;       /* that breaks it, a line a step; or "" */
  char *invariant; /* that proves it, a line a formula; or "" */
  double seconds;
  uint64_t serial; /* of the text */
} property_result;

typedef struct document {
  char *uri, *folder; /* NULL: it is in no folder */
  lined_text text;
  int64_t version;
  uint64_t serial;   /* counts the changes, from 1 */
  uint64_t analysed; /* the text that `outline` is about */
  double due;        /* when its outline is to be asked for; 0: it was */
  job *analysis;     /* about the text as it is now */
  json_t *outline;   /* of the text as it is now; NULL: there is none yet, or it could not be made */
  json_t *known;     /* the last one of a well-formed text */
  char *trouble;     /* why there is no outline; NULL: nothing is wrong */
  bool is_too_large; /* the text is not kept */
  VECTOR(property_result) results;
} document;

/* A run that the editor has asked for. */
typedef struct verification {
  job *job;
  document *document;
  uint64_t serial;
  char *property; /* NULL: all */
  char *id;       /* of the request, as JSON */
  char *token;    /* of the progress that is shown, as JSON; NULL: none is */
} verification;

/* A request that waits for the outline of a text. */
typedef struct waiting {
  json_t *message;
  document *document;
} waiting;

typedef struct server {
  const lsp_settings *settings;
  framing framing;
  bool is_initialized, is_shut_down, is_over;
  bool in_bytes;         /* columns are bytes: the client said that it can */
  bool refreshes_lenses; /* and shows progress: likewise */
  bool shows_progress;
  VECTOR(document *) documents;
  VECTOR(verification *) runs;
  VECTOR(waiting) waiting;
  uint64_t next_id, next_serial;
} server;

/* ---- messages (server.c) ---- */

/* An answer to the request `id`, which is JSON; `result` is a whole value. */
void server_reply(server *s, const char *id, const text *result);
void server_refuse(server *s, const char *id, int code, const char *message);
/* `params` is a whole value. */
void server_notify(server *s, const char *method, const text *params);
void server_ask(server *s, const char *method, const text *params);
/* Of a parameter; "" and 0 if it is not there. */
KEEP const char *member_string(const json_t *object, const char *key);
int64_t member_number(const json_t *object, const char *key);
KEEP json_t *member(const json_t *object, const char *key);

/* ---- texts (server_document.c) ---- */

KEEP document *document_find(server *s, const char *uri);
void document_opened(server *s, const json_t *params);
void document_changed(server *s, const json_t *params);
void document_closed(server *s, const json_t *params);
void documents_clear(server *s);
/* Starts what is due, goes on with what has begun. */
void documents_go_on(server *s);
/* Errors of the text, and results of runs about it. */
void document_publish(server *s, const document *d);
/* Where a request points: an offset in the text. */
size_t document_offset(const server *s, const document *d, const json_t *params);

/* ---- outlines (server_outline.c) ---- */

/* A name of the outline; strings are "" if it has none. */
typedef struct outlined {
  const char *name, *kind, *of, *declared, *first, *text, *type, *range, *value;
  size_t start, end, from, to;
  const char *file; /* that the text includes, if the name is declared there; else empty. Places are in it */
  uint64_t line, column;
  bool is_elsewhere; /* an included file uses it */
} outlined;

size_t outline_count(const json_t *outline); /* of names */
outlined outline_name(const json_t *outline, size_t i);
/* The name that stands at `offset`, by its declaration; `*start` and `*end`: where it stands. */
bool outline_at(const json_t *outline, size_t offset, size_t *name, size_t *start, size_t *end);
/* All places of the name, the declaration first. */
typedef VECTOR(size_t) places; /* start and end in turn */
void outline_places(const json_t *outline, size_t name, bool with_declaration, places *out);
bool outline_flag(const json_t *outline, const char *key);
/* Words that mean something in the language. */
size_t outline_word_count(const json_t *outline);
KEEP const char *outline_word(const json_t *outline, size_t i);
/* Lines are from 1; 0: it stands nowhere. */
size_t outline_property_count(const json_t *outline);
KEEP const char *outline_property(const json_t *outline, size_t i, uint64_t *line);

void write_position(const server *s, const document *d, json_writer *w, size_t offset);
void write_range(const server *s, const document *d, json_writer *w, const char *key, size_t start, size_t end);

/* ---- answers: they write a value, or return why there is none ---- */

typedef const char *answer(server *s, document *d, const json_t *params, json_writer *w);
answer answer_hover, answer_definition, answer_references, answer_highlight, answer_prepare_rename, answer_rename,
    answer_symbols, answer_completion, answer_lenses, answer_formatting;

/* ---- runs (server_verify.c) ---- */

/* `workspace/executeCommand`: it is answered when the run is over. */
void verification_asked(server *s, const char *id, const json_t *params);
/* The result about the text as it is, or (if `also_old`) about an earlier one; NULL: there is none. */
KEEP const property_result *result_of(const document *d, const char *property, bool also_old);
bool result_holds(const property_result *r);
/* Ends the run whose request has this id (JSON), or whose progress has this token. */
bool verification_cancel(server *s, const char *id, const char *token);
/* Ends all runs about the text. */
void verifications_stop(server *s, const document *d, const char *why);
void verifications_go_on(server *s);
void results_clear(document *d);

#endif
