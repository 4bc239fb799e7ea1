/* The comments are put in before what they are about; no line of the program moves. */
#include "report/program/annotate.h"

#include <stdlib.h>

typedef struct comment {
  size_t offset;
  char *words;
} comment;

typedef struct annotation {
  const model *model;
  size_t count;
  const outcome *const *outcomes;
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

/* ---- loops ---- */

static bool is_same_loop(const source_loop *a, const source_loop *b) {
  return a->at.line == b->at.line && a->at.column == b->at.column;
}

static bool is_first_of_its_loop(const program_source *s, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (is_same_loop(&s->loops[j], &s->loops[i])) return false;
  return true;
}

/* What `o` says at one head of the loop, as one formula. False if nothing. */
static bool say_head(const loop_invariant *known, text *out) {
  if (!known->is_known || (known->is_reached && !known->acsl.count)) return false;
  if (!known->is_reached) text_add(out, "\\false");
  for (const char *at = text_string(&known->acsl); *at && known->is_reached; at += strcspn(at, "\n") + 1)
    text_add(out, "%s(%.*s)", at == text_string(&known->acsl) ? "" : " && ", (int)strcspn(at, "\n"), at);
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
    fine = say_head(&o->loops.at[i], &one);
    if (fine) text_add(&all, "%s(%s)", all.count ? " || " : "", text_string(&one));
    text_clear(&one);
  }
  if (fine) text_add(out, " loop invariant %s;", text_string(&all));
  text_clear(&all);
}

static void say_alone(const loop_invariant *known, text *out) {
  if (known->is_known && !known->is_reached) text_add(out, " loop invariant \\false;");
  for (const char *at = text_string(&known->acsl); *at && known->is_reached; at += strcspn(at, "\n") + 1) {
    char *clause = text_format(" loop invariant %.*s;", (int)strcspn(at, "\n"), at);
    if (!out->count || !strstr(text_string(out), clause)) text_add(out, "%s", clause);
    memory_free(clause);
  }
}

static void annotate_loop(annotation *a, size_t i) {
  const program_source *s = a->model->source;
  size_t heads = 0;
  text clauses = {0};
  for (size_t j = i; j < s->loop_count; j++) heads += is_same_loop(&s->loops[i], &s->loops[j]);
  for (size_t j = 0; j < a->count; j++) {
    const outcome *o = a->outcomes[j];
    if (o->verdict != VERDICT_SAFE || !o->loops.count) continue;
    if (heads == 1)
      say_alone(&o->loops.at[i], &clauses);
    else
      say_together(a, o, i, &clauses);
  }
  if (clauses.count) add_comment(a, s->loops[i].at, text_format("/*@%s */ ", text_string(&clauses)));
  text_clear(&clauses);
}

/* ---- functions ---- */

static bool is_proved(const annotation *a, const char *property) {
  for (size_t i = 0; i < a->count; i++)
    if (a->outcomes[i]->verdict == VERDICT_SAFE &&
        !strcmp(a->model->properties.at[a->outcomes[i]->property].name, property))
      return true;
  return false;
}

static void annotate_function(annotation *a, const source_function *f) {
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

void annotate_print(const model *m, size_t count, const outcome *const *outcomes, const char *content, size_t length,
                    text *out) {
  annotation a = {.model = m, .count = count, .outcomes = outcomes, .content = content, .length = length};
  const program_source *s = m->source;
  for (size_t i = 0; s && i < s->loop_count; i++)
    if (is_first_of_its_loop(s, i)) annotate_loop(&a, i);
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
