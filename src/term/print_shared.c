/* Which parts of terms are worth a name: those that stand in several places of a text that is much longer than the terms
 * are. Terms are taken apart as the printer does, so that what is counted is what would be printed. */
#include "term/print_inside.h"

typedef struct shared_part {
  term term;
  uint64_t size; /* pieces of its text as a tree, at most UINT64_MAX */
  size_t uses;
  bool is_done;
} shared_part;

typedef struct sharing {
  printer printer;
  map *index; /* term, polarity included -> position in `parts` */
  VECTOR(shared_part) parts;
  VECTOR(size_t) order; /* of parts: those inside first */
  term_vector stack;
} sharing;

/* ---- names ---- */

static bool has_prefix(const char *name, const char *prefix) {
  size_t n = strlen(prefix);
  return !strncmp(name, prefix, n) && name[n] >= '0' && name[n] <= '9';
}

static bool is_taken(const terms *ts, const char *prefix) {
  for (uint32_t i = 0; i < variable_count(ts); i++) {
    const type *t = variable_type(ts, (variable){i});
    if (has_prefix(variable_name(ts, (variable){i}), prefix)) return true;
    for (size_t j = 0; t->names && j < t->name_count; j++)
      if (has_prefix(t->names[j], prefix)) return true;
  }
  return false;
}

GIVE term_names *term_names_new(const terms *ts, const char *prefix, const term_names *outer) {
  term_names *n = MEMORY_NEW(term_names);
  *n = (term_names){.index = map_new(), .prefix = memory_copy_string(prefix), .outer = outer};
  while (is_taken(ts, n->prefix)) {
    char *longer = text_format("%s_", n->prefix);
    memory_free(n->prefix);
    n->prefix = longer;
  }
  return n;
}

void term_names_free(term_names *n) {
  if (!n) return;
  map_free(n->index);
  memory_free(n->prefix);
  memory_free(n);
}

const char *term_names_prefix(const term_names *n) { return n->prefix; }

const term_names *term_names_find(const term_names *n, term t, uint64_t *number) {
  while (n && !map_get(n->index, t.x, number)) n = n->outer;
  return n;
}

void term_names_add(term_names *n, term t) { map_set(n->index, t.x, map_count(n->index) + 1); }

/* ---- sharing ---- */

/* Printed as one word. */
static bool is_leaf(const sharing *s, term t) {
  const terms *ts = s->printer.ts;
  term_kind kind = term_kind_of(ts, t);
  uint64_t number;
  return term_names_find(s->printer.names, t, &number) || kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE ||
         kind == TERM_REAL_VARIABLE || kind == TERM_NODE_VARIABLE || kind == TERM_ARRAY_VARIABLE ||
         term_is_true(term_positive(t)) || term_is_number(ts, t, NULL);
}

static void add(shared_part *to, uint64_t pieces) {
  to->size = to->size > UINT64_MAX - pieces ? UINT64_MAX : to->size + pieces;
}

static KEEP shared_part *part_of(sharing *s, term t, bool *is_new) {
  uint64_t at;
  *is_new = !map_get(s->index, t.x, &at);
  if (*is_new) {
    at = s->parts.count;
    map_set(s->index, t.x, at);
    VECTOR_PUSH(s->parts, (shared_part){.term = t});
  }
  return &s->parts.at[at];
}

/* All parts inside are done. */
static void finish(sharing *s, size_t which) {
  shared_part whole = s->parts.at[which];
  bool is_new;
  for (size_t i = 0; i < s->printer.line.count; i++) {
    const piece *p = &s->printer.line.at[i];
    add(&whole, 1);
    if (p->literal || p->is_number || is_leaf(s, p->term)) continue;
    shared_part *inside = part_of(s, p->term, &is_new);
    inside->uses++;
    add(&whole, inside->size);
  }
  whole.is_done = true;
  s->parts.at[which] = whole;
  VECTOR_PUSH(s->order, which);
}

/* The top of the stack: pushes what is inside at the first visit, finishes at the second. */
static void visit(sharing *s) {
  bool is_new;
  term t = VECTOR_LAST(s->stack);
  size_t which = (size_t)(part_of(s, t, &is_new) - s->parts.at);
  if (s->parts.at[which].is_done) {
    s->stack.count--;
    return;
  }
  VECTOR_CLEAR(s->printer.line);
  printer_say_parts(&s->printer, t);
  if (!is_new) {
    s->stack.count--;
    finish(s, which);
    return;
  }
  for (size_t i = 0; i < s->printer.line.count; i++) {
    const piece *p = &s->printer.line.at[i];
    if (!p->literal && !p->is_number && !is_leaf(s, p->term)) VECTOR_PUSH(s->stack, p->term);
  }
}

static void look_at(sharing *s, term root, shared_part *all) {
  bool is_new;
  if (is_leaf(s, root)) return;
  VECTOR_PUSH(s->stack, root);
  while (s->stack.count) visit(s);
  shared_part *part = part_of(s, root, &is_new);
  part->uses++;
  add(all, part->size);
}

void terms_shared(const terms *ts, size_t count, const term *roots, const term_names *known, may_be_named *may,
                  void *context, term_vector *out) {
  enum { SMALL = 20000, SHORTEST = 4 };
  sharing s = {.printer = {.ts = ts, .names = known}, .index = map_new()};
  shared_part all = {0};
  for (size_t i = 0; i < count; i++) look_at(&s, roots[i], &all);
  uint64_t stored = 0;
  for (size_t i = 0; i < s.parts.count; i++) stored += s.parts.at[i].uses + 1;
  for (size_t i = 0; i < s.order.count && all.size > SMALL && all.size / 2 > stored; i++) {
    const shared_part *p = &s.parts.at[s.order.at[i]];
    if (p->uses > 1 && p->size >= SHORTEST && (!may || may(context, p->term))) VECTOR_PUSH(*out, p->term);
  }
  map_free(s.index);
  VECTOR_FREE(s.parts);
  VECTOR_FREE(s.order);
  VECTOR_FREE(s.stack);
  VECTOR_FREE(s.printer.line);
}
