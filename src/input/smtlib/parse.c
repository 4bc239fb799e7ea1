/* Z3's parser takes a time that grows with the square of some texts, and a stack that grows with others. It therefore
 * works in a worker (process/worker.h) with limits of its own and without a right to touch anything (confine.h), which
 * sends the table of nodes; what happens to the worker is a message and nothing worse. */
#include "input/smtlib/parse.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "input/smtlib/confine.h"
#include "input/smtlib/z3_nodes.h"
#include "process/child.h"
#include "process/worker.h"

enum { SECONDS_LIMIT = 60, VECTORS_OF_TABLE = 5 };

/* ---- in the worker ---- */

/* The vectors of the table, a MESSAGE_TEXT each; or Z3's words as MESSAGE_REJECTED; or as MESSAGE_UNSURE the number of
 * the definition that refers to itself. */
#define SEND(DESCRIPTOR, V) \
  channel_send(DESCRIPTOR, MESSAGE_TEXT, (V).at ? (const char *)(V).at : "", (V).count * sizeof *(V).at)

static void send_table(int descriptor, const nodes *made) {
  SEND(descriptor, made->nodes);
  SEND(descriptor, made->arguments);
  SEND(descriptor, made->bound);
  SEND(descriptor, made->roots);
  SEND(descriptor, made->strings);
}

static void parse_in_worker(worker_inside *inside, void *context) {
  const smtlib_commands *c = context;
  child_limit(RLIMIT_CORE, 0);
  int descriptor = confine(inside->pipe); /* what is wrong is reported by the parent */
  nodes made = {0};
  text words = {0};
  size_t bad;
  bool *is_definition = MEMORY_ARRAY(bool, c->assertions.count + 1);
  for (size_t i = 0; i < c->assertions.count; i++) is_definition[i] = c->assertions.at[i].kind == ASSERT_DEFINITION;
  if (z3_parse(text_string(&c->made), c->assertions.count, is_definition, &made, &words, &bad)) {
    send_table(descriptor, &made);
  } else if (bad != SIZE_MAX) {
    text_reset(&words);
    text_add(&words, "%zu", bad);
    channel_send(descriptor, MESSAGE_UNSURE, words.at, words.count);
  } else {
    channel_send(descriptor, MESSAGE_REJECTED, text_string(&words), words.count);
  }
}

/* ---- messages ---- */

/* Z3's words are `(error "line 3 column 7: what")`, one after another, or something without a place. */
static void report_z3(const smtlib_commands *c, reporter *r, const char *words) {
  bool some = false;
  for (const char *at = words; (at = strstr(at, "line "));) {
    unsigned long line, column;
    int used = 0;
    if (sscanf(at, "line %lu column %lu: %n", &line, &column, &used) != 2 || !used) {
      at++;
      continue;
    }
    at += used;
    size_t length = strcspn(at, "\"\n");
    while (length && at[length - 1] == ' ') length--;
    report_error(r, commands_offset(c, line, column), "%.*s", (int)length, at);
    some = true;
  }
  if (!some) report_error(r, 0, "Z3's parser refuses this text: %s", words);
}

static void report_end(const worker *w, reporter *r) {
  if (worker_state(w) == WORKER_OUT_OF_TIME)
    report_error(r, 0, "this text is too large for Z3's parser: it takes longer than %d s", SECONDS_LIMIT);
  else if (worker_state(w) == WORKER_OUT_OF_MEMORY)
    report_error(r, 0, "this text is too large for Z3's parser: it has not enough memory");
  else if (!strncmp(worker_reason(w), "cannot start", strlen("cannot start")))
    report_error(r, 0, "Z3's parser: %s", worker_reason(w));
  else
    report_error(r, 0, "this text is too large or too deep for Z3's parser: it crashed");
}

/* ---- what comes back ---- */

typedef struct reply {
  const smtlib_commands *commands;
  reporter *reporter;
  nodes *out;
  size_t vectors; /* of the table, received so far */
  bool reported;  /* what is wrong */
} reply;

#define RECEIVE(V, M)                                   \
  do {                                                  \
    size_t count = (M)->count / sizeof *(V).at;         \
    VECTOR_RESERVE(V, count + 1);                       \
    memcpy((V).at, (M)->bytes, count * sizeof *(V).at); \
    (V).count = count;                                  \
  } while (0)

static void receive_vector(reply *p, const message *m) {
  switch (p->vectors++) {
    case 0: RECEIVE(p->out->nodes, m); break;
    case 1: RECEIVE(p->out->arguments, m); break;
    case 2: RECEIVE(p->out->bound, m); break;
    case 3: RECEIVE(p->out->roots, m); break;
    case 4: RECEIVE(p->out->strings, m); break;
    default: break;
  }
}

static void report_definition(reply *p, const char *digits) {
  unsigned long long number = strtoull(digits, NULL, 10);
  if (number >= p->commands->assertions.count) return;
  report_error(p->reporter, p->commands->assertions.at[number].at.start, "this definition refers to itself");
  p->reported = true;
}

static void listen(void *context, const message *m) {
  reply *p = context;
  if (!m || p->reported) return;
  if (m->kind == MESSAGE_TEXT) receive_vector(p, m);
  if (m->kind == MESSAGE_UNSURE) report_definition(p, m->bytes);
  if (m->kind != MESSAGE_REJECTED) return;
  report_z3(p->commands, p->reporter, m->bytes);
  p->reported = true;
}

bool smtlib_parse(const smtlib_commands *c, nodes *out, reporter *r) {
  reply p = {.commands = c, .reporter = r, .out = out};
  worker *w = worker_start(parse_in_worker, (void *)c, &(worker_limits){.processor_seconds = SECONDS_LIMIT});
  worker_attend(w, NULL, listen, &p);
  bool fine = worker_state(w) == WORKER_RETURNED && p.vectors == VECTORS_OF_TABLE && !p.reported;
  if (!fine && !p.reported) report_end(w, r);
  worker_free(w);
  return fine;
}
