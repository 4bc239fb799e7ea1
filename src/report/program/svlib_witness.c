/* A correctness witness says what holds at loops and labels with tags. A violation witness lists the values that were
 * free: of constants, of global variables, and step by step of variables of procedures, `havoc` and `choice`. */
#include "report/program/svlib_witness.h"

#include "report/derivation.h"
#include "report/program_run.h"
#include "term/print.h"

enum { MOST_EVENTS = 100000 };

/* ---- what holds ---- */

static void add_conjunction(text *out, const loop_invariant *known) {
  const char *all = text_string(&known->c);
  size_t lines = 0;
  for (const char *at = all; *at; at++) lines += *at == '\n';
  if (!known->is_reached || !lines) {
    text_add(out, known->is_reached ? " true" : " false");
    return;
  }
  if (lines > 1) text_add(out, " (and");
  for (const char *at = all; *at; at += strcspn(at, "\n") + 1) text_add(out, " %.*s", (int)strcspn(at, "\n"), at);
  if (lines > 1) text_add(out, ")");
}

/* A tag can have several heads: it says what holds at one of them. */
static void add_invariant(text *out, const model *m, const outcome *o, size_t first) {
  const source_loop *loops = m->source->loops;
  text all = {0};
  size_t heads = 0;
  for (size_t i = 0; i < m->source->loop_count; i++) {
    if (strcmp(loops[i].function, loops[first].function)) continue;
    if (i < first || !o->loops.at[i].is_known) {
      text_clear(&all);
      return;
    }
    add_conjunction(&all, &o->loops.at[i]);
    heads++;
  }
  text_add(out, "(annotate-tag |%s| :invariant%s%s%s)\n", loops[first].function, heads > 1 ? " (or" : "",
           text_string(&all), heads > 1 ? ")" : "");
  text_clear(&all);
}

/* ---- a run ---- */

typedef struct trace_text {
  const model *model;
  text constants, globals, steps;
  bool is_open; /* the last step is not closed */
} trace_text;

static void open_step(trace_text *t, const char *words, const char *name) {
  if (t->is_open) text_add(&t->steps, ")");
  text_add(&t->steps, name ? "\n  (%s |%s|" : "\n  (%s", words, name);
  t->is_open = true;
}

static void add_value(text *out, sort of, number value) {
  if (of == SORT_BOOL)
    text_add(out, number_sign(value) ? "true" : "false");
  else
    number_print_smtlib(value, out);
}

static void add_pair(text *out, const source_choice *c, sort of, number value) {
  text_add(out, " (|%s| ", c->name);
  add_value(out, of, value);
  text_add(out, ")");
}

static void add_choice(trace_text *t, const source_choice *c, number value) {
  sort of = variable_type(t->model->terms, c->var)->sort;
  switch (c->kind) {
    case CHOICE_CONSTANT:
      text_add(&t->constants, "\n  (define-fun |%s| () %s ", c->name, of == SORT_BOOL ? "Bool" : "Int");
      add_value(&t->constants, of, value);
      text_add(&t->constants, ")");
      return;
    case CHOICE_GLOBAL: add_pair(&t->globals, c, of, value); return;
    case CHOICE_FIRST_VALUE: add_pair(&t->steps, c, of, value); return;
    case CHOICE_HAVOC:
      if (c->is_first) open_step(t, "havoc", NULL);
      add_pair(&t->steps, c, of, value);
      return;
    case CHOICE_BRANCH:
      open_step(t, "choice ", NULL);
      number_print_smtlib(value, &t->steps);
      return;
  }
}

static void hear(void *context, const program_event *e) {
  trace_text *t = context;
  const program_source *s = t->model->source;
  const clauses *all = t->model->clauses;
  if (e->kind == EVENT_CALL)
    open_step(t, "init-proc-vars", all->predicates.at[all->clauses.at[e->by->clause].head].name);
  for (size_t i = 0; e->kind == EVENT_INPUT && i < s->choice_count; i++)
    if (variable_same(s->choices[i].var, e->input)) {
      add_choice(t, &s->choices[i], e->value);
      return;
    }
}

/* The annotation that the last clause says is broken. */
static const source_check *broken(const model *m, const evidence *e) {
  const clause *last = &m->clauses->clauses.at[derivation_last_clause(e)];
  for (size_t i = 0; i < m->source->check_count; i++)
    if (m->source->checks[i].at.line == last->place.line && m->source->checks[i].at.column == last->place.column)
      return &m->source->checks[i];
  return NULL;
}

static bool add_run(const model *m, const evidence *e, text *out) {
  trace_text t = {.model = m};
  if (!evidence_is_shown_as(e->kind, SHOWN_AS_DERIVATION) || !(e->derivation.count || e->run.count)) return false;
  open_step(&t, "init-proc-vars", m->source->svlib_entry);
  const source_check *check = broken(m, e);
  bool fine = program_run_report(m, e, MOST_EVENTS, hear, &t) && check && *check->tag;
  if (fine) {
    text_add(out, "(select-trace\n (model%s)\n (init-global-vars%s)\n", text_string(&t.constants),
             text_string(&t.globals));
    text_add(out, " (entry-proc |%s|)\n (steps%s))\n (incorrect-annotation |%s| :%s %s))\n", m->source->svlib_entry,
             text_string(&t.steps), check->tag, check->keyword, check->term);
  }
  text_clear(&t.constants);
  text_clear(&t.globals);
  text_clear(&t.steps);
  return fine;
}

/* ---- all of it ---- */

bool svlib_witness_print(const char *path, const char *version, const model *m, const outcome *o, text *out) {
  const char *slash = strrchr(path, '/');
  bool is_safe = o->verdict == VERDICT_SAFE, fine = is_safe || o->verdict == VERDICT_UNSAFE;
  text content = {0};
  for (size_t i = 0; is_safe && i < m->source->loop_count && i < o->loops.count; i++) add_invariant(&content, m, o, i);
  if (fine && !is_safe) fine = add_run(m, &o->evidence, &content);
  if (fine) {
    text_add(out, "((set-info :producer \"whet %s\")\n(set-info :input-files \"", version);
    for (const char *at = slash ? slash + 1 : path; *at; at++) text_add(out, *at == '"' ? "\"\"" : "%c", *at);
    text_add(out, "\")\n%s)\n", text_string(&content));
  }
  text_clear(&content);
  return fine;
}
