/* `if (whet_witness(..), 0) ; else` may stand before any statement, and whet_witness(..); before any declaration. What is
 * about a loop stands at the start of its body, where the variables of a `for` are known. */
#include "input/witness/insert.h"

#include <stdlib.h>

/* ---- statements ---- */

typedef struct search {
  const source *source;
  place at;
  bool wants_loop;
  const c_node *found;
} search;

static bool is_loop(const c_node *n) { return n->kind == C_WHILE || n->kind == C_DO || n->kind == C_FOR; }

static void look(search *s, const c_node *n);

static void look_below(search *s, const c_node *n) {
  size_t last = n->count - 1;
  if (!n->count) return;
  switch (n->kind) {
    case C_COMPOUND:
      for (size_t i = 0; i < n->count; i++) look(s, n->inner[i]);
      break;
    case C_IF:
      for (size_t i = 1; i < n->count; i++) look(s, n->inner[i]);
      break;
    case C_DO: look(s, n->inner[0]); break;
    case C_WHILE:
    case C_FOR:
    case C_SWITCH:
    case C_CASE:
    case C_DEFAULT:
    case C_LABEL:
    case C_ATTRIBUTED: look(s, n->inner[last]); break;
    default: break;
  }
}

static void look(search *s, const c_node *n) {
  if (s->found || n->kind == C_ABSENT) return;
  place here = n->is_here ? source_place(s->source, n->start) : (place){0};
  bool is_it = here.line == s->at.line && (!s->at.column || here.column == s->at.column);
  if (is_it && (!s->wants_loop || is_loop(n)))
    s->found = n;
  else
    look_below(s, n);
}

/* The statement that begins there, or the loop. */
static const c_node *find_statement(const source *s, const c_node *tree, place at, bool wants_loop) {
  search x = {s, at, wants_loop, NULL};
  for (size_t i = 0; i < tree->count; i++) {
    const c_node *n = tree->inner[i];
    if (n->kind == C_FUNCTION && n->count && n->inner[n->count - 1]->kind == C_COMPOUND)
      look_below(&x, n->inner[n->count - 1]);
  }
  return x.found;
}

/* ---- putting in ---- */

static const c_node *body_of(const c_node *loop) { return loop->inner[loop->kind == C_DO ? 0 : loop->count - 1]; }

static bool find_offset(const source *s, const c_node *tree, const witness_point *p, witness_insertion *out) {
  bool is_of_loop = p->kind == POINT_LOOP_INVARIANT;
  const c_node *n = find_statement(s, tree, p->at, is_of_loop);
  if (n && is_of_loop) n = body_of(n);
  if (!n || !n->is_here || n->kind == C_ABSENT) return false;
  bool is_inside = is_of_loop && n->kind == C_COMPOUND;
  bool is_statement = n->kind != C_DECLARATION && !is_inside;
  out->offset = n->start + is_inside;
  out->before = is_statement ? "if (" : " ";
  out->after = is_statement ? ", 0) ; else " : "; ";
  return s->text[n->start] == '{' || !is_inside;
}

static int by_offset(const void *a, const void *b) {
  const witness_insertion *x = a, *y = b;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return x->point < y->point ? -1 : x->point > y->point;
}

static void write_text(const c_witness *w, const source *s, witness_text *out) {
  uint32_t copied = 0;
  for (size_t i = 0; i < out->made.count; i++) {
    witness_insertion *in = &out->made.at[i];
    text_add_bytes(&out->changed, s->text + copied, in->offset - copied);
    copied = in->offset;
    uint32_t from = (uint32_t)out->changed.count;
    text_add(&out->changed, "%s", in->before);
    in->start = (uint32_t)out->changed.count;
    text_add(&out->changed, WITNESS_CALL "(%zu, (%s))", in->point, w->points.at[in->point].value);
    in->end = (uint32_t)out->changed.count;
    text_add(&out->changed, "%s", in->after);
    in->length = (uint32_t)out->changed.count - from;
  }
  text_add_bytes(&out->changed, s->text + copied, s->length - copied);
}

static void complain(const c_witness *w, const witness_point *p, diagnostics *d, const char *why) {
  char *where = text_format("%s:%u:%u", w->path, p->said.line, p->said.column);
  report_file_error(d, where, "%s", why);
  memory_free(where);
}

bool witness_insert(const c_witness *w, const source *s, const c_node *tree, witness_text *out, diagnostics *d) {
  *out = (witness_text){.original = s};
  for (size_t i = 0; i < w->points.count; i++) {
    const witness_point *p = &w->points.at[i];
    witness_insertion made = {.point = i};
    if (p->kind == POINT_TARGET) {
      const c_node *n = find_statement(s, tree, p->at, false);
      out->last_line = n && n->end > n->start && n->is_here ? source_place(s, n->end - 1).line : p->at.line;
    }
    if (!p->value) continue;
    if (find_offset(s, tree, p, &made)) {
      VECTOR_PUSH(out->made, made);
      continue;
    }
    complain(w, p, d,
             p->kind == POINT_LOOP_INVARIANT ? "no loop of the program begins there"
                                             : "no statement of the program begins there");
    return false;
  }
  if (out->made.count) qsort(out->made.at, out->made.count, sizeof *out->made.at, by_offset);
  write_text(w, s, out);
  return true;
}

void witness_text_clear(witness_text *t) {
  text_clear(&t->changed);
  VECTOR_FREE(t->made);
}

/* ---- what clang made of it ---- */

static bool is_without_effect(const c_node *n) {
  static const c_kind plain[] = {C_INTEGER,   C_CHARACTER, C_CONSTANT, C_PAREN,       C_NAME,          C_MEMBER,
                                 C_SUBSCRIPT, C_UNARY,     C_BINARY,   C_CONDITIONAL, C_IMPLICIT_CAST, C_CAST};
  bool fine = false;
  for (size_t i = 0; i < ARRAY_LENGTH(plain); i++) fine |= n->kind == plain[i];
  if (n->kind == C_UNARY)
    fine = !strcmp(n->opcode, "-") || !strcmp(n->opcode, "+") || !strcmp(n->opcode, "!") || !strcmp(n->opcode, "~") ||
           !strcmp(n->opcode, "*");
  if (n->kind == C_BINARY) fine = strcmp(n->opcode, "=") && strcmp(n->opcode, ",");
  for (size_t i = 0; i < n->count && fine; i++) fine = is_without_effect(n->inner[i]);
  return fine;
}

static bool names_function(const c_node *n, const char *name) {
  while (n->kind == C_IMPLICIT_CAST && n->count) n = n->inner[0];
  return n->kind == C_NAME && !strcmp(n->reference_name, name);
}

typedef struct look_at_calls {
  const witness_text *text;
  size_t plain, others; /* calls, and other uses of the name */
} look_at_calls;

static void look_at(look_at_calls *c, const c_node *n) {
  if (n->kind == C_NAME && !strcmp(n->reference_name, WITNESS_CALL)) c->others++;
  if (n->kind == C_CALL && n->count == 3 && n->is_here && names_function(n->inner[0], WITNESS_CALL) &&
      is_without_effect(n->inner[2]))
    for (size_t i = 0; i < c->text->made.count; i++)
      c->plain += c->text->made.at[i].start == n->start && c->text->made.at[i].end == n->end;
  for (size_t i = 0; i < n->count; i++) look_at(c, n->inner[i]);
}

bool witness_is_plain(const c_witness *w, const witness_text *t, const c_node *tree, diagnostics *d) {
  look_at_calls c = {.text = t};
  for (size_t i = 0; i < tree->count; i++) look_at(&c, tree->inner[i]);
  if (c.plain == t->made.count && c.others == t->made.count) return true;
  report_file_error(d, w->path, "an expression of the witness is more than a condition on variables of the program");
  return false;
}

place witness_place(const witness_text *t, uint32_t offset) {
  uint32_t before = 0;
  for (size_t i = 0; i < t->made.count; i++) {
    const witness_insertion *in = &t->made.at[i];
    if (offset >= in->offset + before + in->length) before += in->length;
  }
  return source_place(t->original, offset - before);
}
