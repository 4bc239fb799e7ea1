/* Comments are put in before what they are about, the clauses of CBMC before the body of a loop or function; no line of the
 * program moves. */
#include "report/program/annotate.h"

#include <ctype.h>
#include <stdlib.h>

/* How something is said: with an expression in it, which is that of falsehood if a place is not reached. */
typedef struct dialect_words {
  const char *invariant, *requires, *ensures, *falsehood;
  const char *loop_assigns, *assigns, *nothing;
} dialect_words;

static const dialect_words words_of[] = {
    [ANNOTATE_ACSL] = {" loop invariant %.*s;", " requires %.*s;", " ensures %.*s;", "\\false", " loop assigns %s;",
                       " assigns %s;", "\\nothing"},
    [ANNOTATE_CBMC] = {"__CPROVER_loop_invariant(%.*s) ", "__CPROVER_requires(%.*s) ", "__CPROVER_ensures(%.*s) ", "0",
                       "__CPROVER_assigns(%s) ", "__CPROVER_assigns(%s) ", ""},
};

typedef struct comment {
  size_t offset;
  char *words;
} comment;

typedef struct annotation {
  const model *model;
  size_t count;
  const outcome *const *outcomes;
  annotate_dialect dialect;
  const dialect_words *words;
  const char *content;
  size_t length;
  VECTOR(comment) comments;
} annotation;

/* Columns count characters: bytes that go on with one are not counted. SIZE_MAX if there is no such place. */
static size_t offset_of(const annotation *a, place at) {
  size_t offset = 0;
  for (uint32_t line = 1; line < at.line; line++) {
    const char *end = memchr(a->content + offset, '\n', a->length - offset);
    if (!end) return SIZE_MAX;
    offset = (size_t)(end - a->content) + 1;
  }
  for (uint32_t column = 1; column < at.column && offset < a->length; column++) {
    offset++;
    while (offset < a->length && ((unsigned char)a->content[offset] & 0xc0) == 0x80) offset++;
  }
  return at.line && offset < a->length ? offset : SIZE_MAX;
}

static void add_comment(annotation *a, place at, TAKE char *words) {
  comment made = {offset_of(a, at), words};
  if (made.offset == SIZE_MAX)
    memory_free(words);
  else
    VECTOR_PUSH(a->comments, made);
}

/* The words before it end in `)`, or in `do`: it is where it seems to be, and not in a macro. */
static bool is_body(const annotation *a, place at) {
  size_t i = offset_of(a, at);
  if (i == SIZE_MAX) return false;
  while (i && isspace((unsigned char)a->content[i - 1])) i--;
  bool is_do = i >= 2 && !memcmp(a->content + i - 2, "do", 2) && (i == 2 || !isalnum((unsigned char)a->content[i - 3]));
  return is_do || (i && a->content[i - 1] == ')');
}

/* `clauses` about what begins at `at` and has its body at `body`. */
static void add_clauses(annotation *a, place at, place body, const text *clauses) {
  if (!clauses->count) return;
  if (a->dialect == ANNOTATE_ACSL)
    add_comment(a, at, text_format("/*@%s */ ", text_string(clauses)));
  else if (is_body(a, body))
    add_comment(a, body, memory_copy_string(text_string(clauses)));
}

/* ---- what is said ---- */

static const char *expressions_of(const annotation *a, const loop_invariant *known) {
  return text_string(a->dialect == ANNOTATE_ACSL ? &known->acsl : &known->cbmc);
}

/* `format` with each of the expressions, but for those that were said. */
static void say_each(const annotation *a, const loop_invariant *known, const char *format, text *out) {
  const char *all = known->is_reached ? expressions_of(a, known) : a->words->falsehood;
  for (const char *at = all; known->is_known && *at;) {
    size_t n = strcspn(at, "\n");
    char *clause = text_format(format, (int)n, at);
    if (!strstr(text_string(out), clause)) text_add(out, "%s", clause);
    memory_free(clause);
    at += n + (at[n] == '\n');
  }
}

static void say_target(const annotation *a, const source_target *t, text *out) {
  bool is_acsl = a->dialect == ANNOTATE_ACSL;
  text_add(out, t->dimensions && !is_acsl ? "__CPROVER_object_whole(%s)" : "%s", t->expression);
  for (size_t i = 0; i < t->dimensions && is_acsl; i++)
    if (t->lengths[i])
      text_add(out, "[0 .. %llu]", (unsigned long long)t->lengths[i] - 1);
    else
      text_add(out, "[..]");
}

static void say_targets(const annotation *a, const source_targets *all, const char *format, text *out) {
  text list = {0};
  if (!all->are_known) return;
  for (size_t i = 0; i < all->count; i++) {
    text_add(&list, "%s", i ? ", " : "");
    say_target(a, &all->at[i], &list);
  }
  text_add(out, format, all->count ? text_string(&list) : a->words->nothing);
  text_clear(&list);
}

static bool has_invariants(const outcome *o) { return o->verdict == VERDICT_SAFE && o->loops.count; }

/* ---- loops ---- */

static bool is_same_loop(const source_loop *a, const source_loop *b) {
  return a->at.line == b->at.line && a->at.column == b->at.column;
}

static bool is_first_of_its_loop(const program_source *s, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (is_same_loop(&s->loops[j], &s->loops[i])) return false;
  return true;
}

/* What is known at one head, as one formula. False if nothing. */
static bool say_head(const annotation *a, const loop_invariant *known, text *out) {
  const char *all = expressions_of(a, known);
  if (!known->is_known || (known->is_reached && !*all)) return false;
  if (!known->is_reached) text_add(out, "%s", a->words->falsehood);
  for (const char *at = all; *at && known->is_reached; at += strcspn(at, "\n") + 1)
    text_add(out, "%s(%.*s)", at == all ? "" : " && ", (int)strcspn(at, "\n"), at);
  return true;
}

/* At one of several heads, what is known there. */
static void say_together(const annotation *a, const outcome *o, size_t first, text *out) {
  const program_source *s = a->model->source;
  text all = {0};
  bool fine = true;
  for (size_t i = first; i < s->loop_count && fine; i++) {
    if (!is_same_loop(&s->loops[first], &s->loops[i])) continue;
    text one = {0};
    fine = say_head(a, &o->loops.at[i], &one);
    if (fine) text_add(&all, "%s(%s)", all.count ? " || " : "", text_string(&one));
    text_clear(&one);
  }
  if (fine) text_add(out, a->words->invariant, (int)all.count, text_string(&all));
  text_clear(&all);
}

static void say_invariants(const annotation *a, size_t i, text *out) {
  const program_source *s = a->model->source;
  size_t heads = 0;
  for (size_t j = i; j < s->loop_count; j++) heads += is_same_loop(&s->loops[i], &s->loops[j]);
  for (size_t j = 0; j < a->count; j++) {
    const outcome *o = a->outcomes[j];
    if (!has_invariants(o)) continue;
    if (heads == 1)
      say_each(a, &o->loops.at[i], a->words->invariant, out);
    else
      say_together(a, o, i, out);
  }
}

/* CBMC wants what is assigned first, ACSL takes any order. */
static void annotate_loop(annotation *a, size_t i) {
  const source_loop *loop = &a->model->source->loops[i];
  text invariants = {0}, targets = {0}, all = {0};
  say_invariants(a, i, &invariants);
  if (invariants.count) say_targets(a, &loop->targets, a->words->loop_assigns, &targets);
  bool is_acsl = a->dialect == ANNOTATE_ACSL;
  text_add(&all, "%s%s", text_string(is_acsl ? &invariants : &targets), text_string(is_acsl ? &targets : &invariants));
  add_clauses(a, loop->at, loop->body, &all);
  text_clear(&invariants);
  text_clear(&targets);
  text_clear(&all);
}

/* ---- functions ---- */

static bool is_proved(const annotation *a, const char *property) {
  for (size_t i = 0; i < a->count; i++)
    if (a->outcomes[i]->verdict == VERDICT_SAFE &&
        !strcmp(a->model->properties.at[a->outcomes[i]->property].name, property))
      return true;
  return false;
}

/* A function that is a procedure: what it is called with, what it may change, what its calls give back. */
static void annotate_procedure(annotation *a, size_t i) {
  const program_source *s = a->model->source;
  text all = {0};
  bool is_any = false;
  for (size_t j = 0; j < a->count; j++) is_any |= has_invariants(a->outcomes[j]);
  for (size_t j = 0; j < a->count; j++)
    if (has_invariants(a->outcomes[j]))
      say_each(a, &a->outcomes[j]->loops.at[loop_invariants_entry(s, i)], a->words->requires, &all);
  if (is_any) say_targets(a, &s->procedures[i].targets, a->words->assigns, &all);
  for (size_t j = 0; j < a->count; j++)
    if (has_invariants(a->outcomes[j]))
      say_each(a, &a->outcomes[j]->loops.at[loop_invariants_exit(s, i)], a->words->ensures, &all);
  add_clauses(a, s->procedures[i].at, s->procedures[i].body, &all);
  text_clear(&all);
}

/* CBMC takes a function without a body to change nothing, as whet does. */
static void annotate_function(annotation *a, const source_function *f) {
  if (a->dialect == ANNOTATE_CBMC) return;
  if (!f->is_error)
    add_comment(a, f->at, text_format("/*@ assigns \\nothing; */ "));
  else if (is_proved(a, "unreach-call"))
    add_comment(a, f->at, text_format("/*@ requires \\false; assigns \\nothing; */ "));
}

/* ---- all of it ---- */

static int by_offset(const void *a, const void *b) {
  const comment *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void annotate_print(const model *m, size_t count, const outcome *const *outcomes, annotate_dialect dialect,
                    const char *content, size_t length, text *out) {
  annotation a = {.model = m,
                  .count = count,
                  .outcomes = outcomes,
                  .dialect = dialect,
                  .words = &words_of[dialect],
                  .content = content,
                  .length = length};
  const program_source *s = m->source;
  for (size_t i = 0; s && i < s->loop_count; i++)
    if (is_first_of_its_loop(s, i)) annotate_loop(&a, i);
  for (size_t i = 0; s && i < s->procedure_count; i++) annotate_procedure(&a, i);
  for (size_t i = 0; s && i < s->function_count; i++) annotate_function(&a, &s->functions[i]);
  if (a.comments.count) qsort(a.comments.at, a.comments.count, sizeof *a.comments.at, by_offset);
  size_t copied = 0;
  for (size_t i = 0; i < a.comments.count; i++) {
    text_add_bytes(out, content + copied, a.comments.at[i].offset - copied);
    text_add(out, "%s", a.comments.at[i].words);
    copied = a.comments.at[i].offset;
    memory_free(a.comments.at[i].words);
  }
  text_add_bytes(out, content + copied, length - copied);
  VECTOR_FREE(a.comments);
}
