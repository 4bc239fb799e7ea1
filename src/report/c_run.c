/* A step of the model is a way through several statements, which its name lists: "5: n = f(); 7: [n > 0]". The values are
 * known at the end of the step, so a value stands behind the last statement that assigns the variable. */
#include "report/c_run.h"

#include <ctype.h>

#include "base/escape.h"
#include "report/repeated_steps.h"
#include "report/trace.h"

enum { STATEMENT_WIDTH = 36 };

typedef struct statement_line {
  const char *words; /* "5: n = f()" */
  size_t length;
  text notes;
} statement_line;

typedef VECTOR(statement_line) statement_lines;

typedef struct c_printer {
  const model *model;
  const evidence *run;
  text *out;
} c_printer;

/* ---- statements ---- */

/* Whether a statement begins there: a number and a colon. */
static bool is_start(const char *at) {
  size_t digits = strspn(at, "0123456789");
  return digits && at[digits] == ':' && at[digits + 1] == ' ';
}

static void split(const char *words, statement_lines *out) {
  const char *start = words;
  for (const char *at = words;; at++) {
    bool is_end = !*at || (at[0] == ';' && at[1] == ' ' && is_start(at + 2));
    if (!is_end) continue;
    VECTOR_PUSH(*out, (statement_line){.words = start, .length = (size_t)(at - start)});
    if (!*at) return;
    start = at + 2;
  }
}

static bool is_name_character(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* "5: x = ..", "5: x++", "5: x += ..", but no "5: x == ..". */
static bool assigns(const statement_line *l, const char *name) {
  const char *at = strstr(l->words, ": "), *end = l->words + l->length;
  size_t length = strlen(name);
  if (!at || (at += 2) + length >= end || strncmp(at, name, length)) return false;
  for (at += length; at < end && *at == ' '; at++) {
  }
  if (at + 1 >= end || is_name_character(*at)) return false;
  bool is_compared = *at == '=' && at[1] == '=';
  return (*at == '=' && !is_compared) || at[1] == '=' || (strchr("+-", *at) && at[1] == *at) ||
         (at + 2 < end && at[2] == '=' && strchr("<>", *at) && at[1] == *at);
}

static bool calls(const statement_line *l, const char *name) {
  size_t length = strlen(name);
  for (const char *at = l->words; at + length < l->words + l->length; at++)
    if (!strncmp(at, name, length) && at[length] == '(') return true;
  return false;
}

/* ---- notes ---- */

static void add_note(const c_printer *p, statement_line *l, const char *name, variable v, number n) {
  if (l->notes.count) text_add(&l->notes, ", ");
  text_add_shown(&l->notes, name);
  text_add(&l->notes, " = ");
  value_print(p->model->terms, variable_type(p->model->terms, v), n, &l->notes);
}

/* Inputs are called like the functions that give them, and come in the order of the calls. */
static void add_inputs(const c_printer *p, const trace_step *s, statement_lines *lines) {
  const transition *t = &p->model->transitions.at[s->transition];
  size_t from = 0;
  for (size_t i = 0; i < s->inputs.count; i++) {
    char *name = clause_variable_name(p->model->terms, t->inputs.at[i]);
    size_t at = from;
    while (at < lines->count && !calls(&lines->at[at], name)) at++;
    bool is_call = at < lines->count;
    char *shown = text_format(is_call ? "%s()" : "%s", name);
    add_note(p, &lines->at[is_call ? at : from], shown, t->inputs.at[i], s->inputs.at[i]);
    from = is_call ? at : from;
    memory_free(shown);
    memory_free(name);
  }
}

static void add_values(const c_printer *p, const trace_step *before, const trace_step *now, statement_lines *lines) {
  const model *m = p->model;
  for (size_t v = 0; v < m->variables.count && v < now->values.count; v++) {
    variable var = m->variables.at[v].var;
    if (variable_type(m->terms, var)->is_location || number_equal(before->values.at[v], now->values.at[v])) continue;
    size_t at = lines->count;
    while (at > 0 && !assigns(&lines->at[at - 1], variable_name(m->terms, var))) at--;
    add_note(p, at ? &lines->at[at - 1] : &VECTOR_LAST(*lines), variable_name(m->terms, var), var, now->values.at[v]);
  }
}

/* ---- the run ---- */

/* What `before` holds was shown last. Of many rounds the last step is shown, with what it and the others lead to. */
static void print_step(const c_printer *p, const trace_step *before, const trace_step *now) {
  statement_lines lines = {0};
  split(p->model->transitions.at[now->transition].name, &lines);
  if (now->round) {
    char *times = number_string(now->times);
    if (now->round == 1)
      text_add(p->out, "    .. the same %s times more; the last time:\n", times);
    else
      text_add(p->out, "    .. the last %u steps %s times more; the end of the last time:\n", (unsigned)now->round,
               times);
    memory_free(times);
  }
  add_inputs(p, now, &lines);
  add_values(p, before, now, &lines);
  for (size_t i = 0; i < lines.count; i++) {
    char *words = memory_copy_bytes(lines.at[i].words, lines.at[i].length);
    text shown = {0};
    text_add_shown(&shown, words);
    if (lines.at[i].notes.count)
      text_add(p->out, "    %-*s  %s\n", STATEMENT_WIDTH, text_string(&shown), lines.at[i].notes.at);
    else
      text_add(p->out, "    %s\n", text_string(&shown));
    text_clear(&shown);
    text_clear(&lines.at[i].notes);
    memory_free(words);
  }
  VECTOR_FREE(lines);
}

static void print_steps(const c_printer *p, size_t first, size_t count) {
  for (size_t i = first; i < first + count; i++) print_step(p, &p->run->steps.at[i - 1], &p->run->steps.at[i]);
}

void c_run_print(const model *m, const evidence *e, text *out) {
  c_printer p = {m, e, out};
  for (size_t i = 1; i < e->steps.count;) {
    repeated_steps r;
    if (!repeated_steps_at(e, i, &r)) {
      print_steps(&p, i++, 1);
      continue;
    }
    print_steps(&p, i, r.length);
    text_add(out, "    .. the same %zu times more, then once again:\n", r.times - 2);
    i += r.length * r.times;
    print_steps(&p, i - r.length, r.length);
  }
}
