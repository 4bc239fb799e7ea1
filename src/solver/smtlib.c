/* Any SMT-LIB 2 solver as a child process.
 *
 * Commands that print nothing are collected and sent with the next question. Before and after each question an `echo`
 * asks for a mark, and exactly one expression between the two is an answer; anything else (an error about an assertion,
 * a warning, two answers, noise) makes the process untrustworthy: it is killed, the check is unsure, and the next check
 * starts a new one. A command that fails several times in a row is not started again.
 *
 * No word of the model reaches the process: variables are v0, v1, .., and marks are random, so that nothing that was
 * written before the question could print them. */
#include <errno.h>
#include <sys/random.h>

#include "process/command.h"
#include "solver/backend.h"
#include "solver/sexpr.h"
#include "term/print.h"

#define SECONDS_TO_START 20.0
enum { FAILURES_IN_A_ROW = 3, LONGEST_REPLY = 256 * 1024 * 1024, LONGEST_QUOTE = 160, MARK_BYTES = 16 };

typedef struct mark {
  char word[2 * MARK_BYTES + sizeof "whet-"];
} mark;

typedef struct smtlib {
  backend base;
  char *command;
  uint64_t memory;
  external_command *process; /* NULL until the first question */
  bool cores;                /* the process knows, or will know, that cores are wanted */
  unsigned failures;
  mark before, after; /* of the last question */
  text commands;      /* not sent yet */
  text received;
  sexpr reply;
} smtlib;

static smtlib *smtlib_of(backend *b) { return (smtlib *)b; }

static void forget(smtlib *z) {
  command_free(z->process);
  z->process = NULL;
  text_reset(&z->commands);
  text_reset(&z->received);
  sexpr_next(&z->reply);
  z->reply.position = 0;
}

static void lose(smtlib *z, const char *reason) {
  z->base.lost = reason;
  forget(z);
}

PRINTF_LIKE(2, 3) static void fail(smtlib *z, const char *format, ...) {
  text message = {0};
  va_list list;
  va_start(list, format);
  text_add(&message, "solver process: ");
  text_add_list(&message, format, list);
  va_end(list);
  z->failures++;
  lose(z, backend_reason(&z->base, text_string(&message)));
  text_clear(&message);
}

static void lose_at_limit(smtlib *z, const limits *l) {
  const char *reason = limits_reached(l, false);
  lose(z, reason ? reason : "interrupted");
}

static void fail_ended(smtlib *z) {
  text epitaph = {0};
  command_epitaph(z->process, &epitaph);
  fail(z, "%s", text_string(&epitaph));
  text_clear(&epitaph);
}

/* What the process said, short enough for a message and in plain characters. */
static void fail_reply(smtlib *z, const char *what) {
  char quote[LONGEST_QUOTE + 1];
  size_t length = 0;
  const sexpr_node *n = z->reply.nodes.count ? &z->reply.nodes.at[0] : NULL;
  for (size_t i = n ? n->at : 0; i < z->reply.position && length < LONGEST_QUOTE; i++) {
    char c = z->received.at[i];
    quote[length++] = c >= ' ' && c <= '~' ? c : ' ';
  }
  quote[length] = 0;
  fail(z, "%s: %s", what, quote);
}

/* Talking. */

static void drop_what_was_read(smtlib *z) {
  size_t rest = z->received.count - z->reply.position;
  if (rest) memmove(z->received.at, z->received.at + z->reply.position, rest);
  z->received.count = rest;
  z->reply.position = 0;
  sexpr_next(&z->reply);
}

/* Reads the next expression into `reply`. */
static bool read_reply(smtlib *z, const limits *l) {
  sexpr_next(&z->reply);
  for (;;) {
    switch (sexpr_read(&z->reply, &z->received)) {
      case SEXPR_WHOLE: return true;
      case SEXPR_BAD: fail_reply(z, "answer that makes no sense"); return false;
      case SEXPR_MORE: break;
    }
    if (z->received.count > LONGEST_REPLY) {
      fail(z, "an answer without end");
      return false;
    }
    switch (command_receive(z->process, l, &z->received)) {
      case COMMAND_RECEIVED: break;
      case COMMAND_ENDED: fail_ended(z); return false;
      case COMMAND_LIMIT: lose_at_limit(z, l); return false;
    }
  }
}

static bool is_mark(const smtlib *z, const mark *m) {
  return z->reply.nodes.count && sexpr_says(&z->reply, &z->received, 0, m->word);
}

static bool draw_mark(mark *m) {
  unsigned char bytes[MARK_BYTES];
  ssize_t got;
  do got = getrandom(bytes, sizeof bytes, 0);
  while (got < 0 && errno == EINTR);
  if (got != (ssize_t)sizeof bytes) return false;
  size_t at = (size_t)snprintf(m->word, sizeof m->word, "whet-");
  for (size_t i = 0; i < sizeof bytes; i++) at += (size_t)snprintf(m->word + at, sizeof m->word - at, "%02x", bytes[i]);
  return true;
}

static bool send_with_marks(smtlib *z, const char *question) {
  if (!draw_mark(&z->before) || !draw_mark(&z->after)) {
    fail(z, "the system gives no random numbers");
    return false;
  }
  text_add(&z->commands, "(echo \"%s\")\n%s(echo \"%s\")\n", z->before.word, question, z->after.word);
  command_send(z->process, z->commands.at, z->commands.count);
  text_reset(&z->commands);
  return true;
}

static bool starts_with(const smtlib *z, const char *word) {
  return z->reply.nodes.count > 1 && z->reply.nodes.at[0].is_list && sexpr_is(&z->reply, &z->received, 1, word);
}

/* Options that a solver does not know do no harm; all else it says before the mark does. */
static bool greet(smtlib *z, const limits *l) {
  limits first = *l;
  if (clock_seconds() + SECONDS_TO_START < l->deadline) {
    first.deadline = clock_seconds() + SECONDS_TO_START;
    first.deadline_reason = "solver process: it does not answer";
  }
  for (;;) {
    if (!read_reply(z, &first)) return false;
    if (is_mark(z, &z->after)) break;
    if (is_mark(z, &z->before)) continue;
    if (sexpr_is(&z->reply, &z->received, 0, "success") || sexpr_is(&z->reply, &z->received, 0, "unsupported"))
      continue;
    fail_reply(z, "unexpected greeting");
    return false;
  }
  drop_what_was_read(z);
  return true;
}

static bool start(smtlib *z, const limits *l) {
  z->process = command_start(z->command, z->memory);
  if (!z->process) {
    fail(z, "cannot be started");
    return false;
  }
  text body = z->commands;
  z->commands = (text){0};
  text_add(&z->commands, "(set-option :print-success false)\n(set-option :produce-models true)\n");
  if (z->cores) text_add(&z->commands, "(set-option :produce-unsat-cores true)\n");
  bool started = send_with_marks(z, "(set-logic ALL)\n") && greet(z, l);
  text_clear(&z->commands);
  z->commands = body;
  return started;
}

static bool fail_error(smtlib *z) {
  if (starts_with(z, "error")) fail_reply(z, "it reports");
  return z->process;
}

/* The mark before the answer: whatever else comes first is about the commands before the question. */
static bool read_first_mark(smtlib *z, const limits *l) {
  if (!read_reply(z, l) || !fail_error(z)) return false;
  if (!is_mark(z, &z->before)) fail_reply(z, "it answers what was not asked");
  return z->process;
}

/* The mark after the answer; `reply` is the answer again. */
static bool read_last_mark(smtlib *z, const limits *l) {
  sexpr answered = z->reply;
  z->reply = (sexpr){.position = answered.position};
  bool complete = read_reply(z, l);
  if (complete && !is_mark(z, &z->after)) {
    fail_reply(z, "more than one answer");
    complete = false;
  }
  size_t position = z->reply.position;
  sexpr_clear(&z->reply);
  z->reply = answered;
  z->reply.position = position;
  return complete;
}

/* True if `reply` is the one answer to `question`; it can be looked at until the next one. */
static bool ask(smtlib *z, const limits *l, const char *question) {
  if (!z->process && !start(z, l)) return false;
  drop_what_was_read(z);
  if (!send_with_marks(z, question) || !read_first_mark(z, l) || !read_reply(z, l) || !fail_error(z)) return false;
  if (is_mark(z, &z->after)) {
    fail(z, "a question was not answered");
    return false;
  }
  return read_last_mark(z, l);
}

/* The methods. */

static void smtlib_restart(backend *b, bool cores) {
  smtlib *z = smtlib_of(b);
  z->cores = cores;
  if (z->failures < FAILURES_IN_A_ROW) b->lost = NULL;
}

static void smtlib_free(backend *b) {
  smtlib *z = smtlib_of(b);
  forget(z);
  memory_free(z->command);
  text_clear(&z->commands);
  text_clear(&z->received);
  sexpr_clear(&z->reply);
  memory_free(z);
}

static void smtlib_push(backend *b) { text_add(&smtlib_of(b)->commands, "(push 1)\n"); }
static void smtlib_pop(backend *b) { text_add(&smtlib_of(b)->commands, "(pop 1)\n"); }

static void add_bound(text *out, variable v, number bound, bool is_low) {
  text_add(out, "(assert (%s ", is_low ? ">=" : "<=");
  variable_print_numbered(v, out);
  text_add_char(out, ' ');
  number_print_smtlib(bound, out);
  text_add(out, "))\n");
}

static void smtlib_declare(backend *b, variable v, bool within_type) {
  text *out = &smtlib_of(b)->commands;
  const type *t = variable_type(b->ts, v);
  text_add(out, "(declare-fun ");
  variable_print_numbered(v, out);
  text_add(out, " () %s)\n", type_smtlib_sort(t));
  if (!within_type || t->sort != SORT_INT) return;
  if (t->has_low) add_bound(out, v, t->low, true);
  if (t->has_high) add_bound(out, v, t->high, false);
}

static void smtlib_assert_term(backend *b, term t) {
  text *out = &smtlib_of(b)->commands;
  text_add(out, "(assert ");
  term_print_numbered(b->ts, t, out);
  text_add(out, ")\n");
}

static void smtlib_assert_labelled(backend *b, term t, uint32_t label) {
  smtlib *z = smtlib_of(b);
  if (!z->cores && z->process) {
    lose(z, "solver process: it was started without cores");
    return;
  }
  z->cores = true;
  text_add(&z->commands, "(assert (! ");
  term_print_numbered(b->ts, t, &z->commands);
  text_add(&z->commands, " :named whet-core!%u))\n", label);
}

static answer unknown(smtlib *z, const limits *l) {
  if (!ask(z, l, "(get-info :reason-unknown)\n")) return answer_unsure(z->base.lost);
  const sexpr *e = &z->reply;
  text message = {0};
  text_add(&message, "solver process: unknown");
  if (e->nodes.count == 3 && !e->nodes.at[2].is_list)
    text_add(&message, " (%.*s)", (int)e->nodes.at[2].length, z->received.at + e->nodes.at[2].at);
  const char *reason = backend_reason(&z->base, text_string(&message));
  text_clear(&message);
  return answer_unsure(reason);
}

static answer smtlib_check(backend *b, const limits *l) {
  smtlib *z = smtlib_of(b);
  if (!ask(z, l, "(check-sat)\n")) return answer_unsure(b->lost);
  bool yes = sexpr_is(&z->reply, &z->received, 0, "sat"), no = sexpr_is(&z->reply, &z->received, 0, "unsat");
  bool open = sexpr_is(&z->reply, &z->received, 0, "unknown") || sexpr_is(&z->reply, &z->received, 0, "timeout");
  if (!yes && !no && !open) {
    fail_reply(z, "answer that makes no sense");
    return answer_unsure(b->lost);
  }
  z->failures = 0;
  if (open) return unknown(z, l);
  return yes ? answer_yes() : answer_no();
}

/* A number, `(- n)`, `(/ n m)`, true or false, at node `i`. */
static bool value_of_node(const smtlib *z, size_t i, number *out) {
  const sexpr *e = &z->reply;
  const sexpr_node *n = &e->nodes.at[i];
  if (n->is_list && n->end > i + 2 && sexpr_is(e, &z->received, i + 1, "/")) {
    number above, below;
    size_t second = e->nodes.at[i + 2].end;
    bool has_two = second < n->end && e->nodes.at[second].end == n->end;
    if (!has_two || !value_of_node(z, i + 2, &above) || !value_of_node(z, second, &below) || !number_sign(below))
      return false;
    *out = number_quotient(above, below);
    return true;
  }
  if (n->is_list) {
    bool negative = n->end > i + 2 && sexpr_is(e, &z->received, i + 1, "-") && e->nodes.at[i + 2].end == n->end;
    if (!negative || !value_of_node(z, i + 2, out)) return false;
    *out = number_negate(*out);
    return true;
  }
  if (sexpr_is(e, &z->received, i, "true") || sexpr_is(e, &z->received, i, "false")) {
    *out = number_of(sexpr_is(e, &z->received, i, "true"));
    return true;
  }
  return number_parse_fraction(z->received.at + n->at, n->length, out);
}

static bool smtlib_model(backend *b, const limits *l, size_t count, const variable *variables, number *out) {
  smtlib *z = smtlib_of(b);
  if (!count) return true;
  for (size_t i = 0; i < count; i++) /* programs write them in many ways */
    if (variable_type(b->ts, variables[i])->sort == SORT_ARRAY) return false;
  text question = {0};
  text_add(&question, "(get-value (");
  for (size_t i = 0; i < count; i++) {
    if (i) text_add_char(&question, ' ');
    variable_print_numbered(variables[i], &question);
  }
  text_add(&question, "))\n");
  bool answered = ask(z, l, text_string(&question));
  text_clear(&question);
  if (!answered) return false;
  const sexpr *e = &z->reply;
  size_t i = 1, done = 0;
  if (!e->nodes.at[0].is_list) return false;
  for (; done < count && i < e->nodes.count; i = e->nodes.at[i].end, done++) {
    size_t pair_end = e->nodes.at[i].end, name = i + 1;
    if (!e->nodes.at[i].is_list || name >= pair_end) return false;
    size_t value = e->nodes.at[name].end;
    if (value >= pair_end || e->nodes.at[value].end != pair_end || !value_of_node(z, value, &out[done])) return false;
  }
  return done == count && i == e->nodes.count;
}

static bool smtlib_core(backend *b, const limits *l, core_names *labels) {
  smtlib *z = smtlib_of(b);
  if (!ask(z, l, "(get-unsat-core)\n")) return false;
  const sexpr *e = &z->reply;
  if (!e->nodes.at[0].is_list) return false;
  for (size_t i = 1; i < e->nodes.count; i++) {
    char word[32] = {0};
    unsigned label;
    size_t length = e->nodes.at[i].length;
    if (e->nodes.at[i].is_list || length >= sizeof word) return false;
    memcpy(word, z->received.at + e->nodes.at[i].at, length);
    if (sscanf(word, "whet-core!%u", &label) != 1 && sscanf(word, "|whet-core!%u|", &label) != 1) return false;
    VECTOR_PUSH(*labels, label);
  }
  return true;
}

static const backend_methods methods = {
    .free = smtlib_free,
    .restart = smtlib_restart,
    .push = smtlib_push,
    .pop = smtlib_pop,
    .declare = smtlib_declare,
    .assert_term = smtlib_assert_term,
    .assert_labelled = smtlib_assert_labelled,
    .check = smtlib_check,
    .model = smtlib_model,
    .core = smtlib_core,
    .model_is_checked = true,
};

/* A well-known solver that is named alone gets what it needs to talk to us. */
static GIVE char *whole_command(const char *command) {
  static const struct { const char *program, *words; } known[] = {{"cvc5", " --incremental"}, {"z3", " -in"}};
  const char *slash = strrchr(command, '/'), *name = slash ? slash + 1 : command;
  const char *words = "";
  for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
    if (!strcmp(name, known[i].program)) words = known[i].words;
  return text_format("%s%s", command, words);
}

backend *smtlib_backend(terms *ts, const budget *b, const char *command) {
  smtlib *z = MEMORY_NEW(smtlib);
  z->base.methods = &methods;
  z->base.ts = ts;
  z->command = whole_command(command);
  z->memory = b->memory;
  return &z->base;
}
