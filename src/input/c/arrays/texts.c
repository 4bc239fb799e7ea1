/* Texts in quotes: their characters as numbers, and what pointers into them find. Nothing changes them, so they need no
 * cells: a character at an index that is not constant is a choice between numbers. */
#include <string.h>

#include "input/c/lower.h"

/* The most characters that such an index may choose from. */
enum { MOST_CHOICES = 1024 };

/* One character of a text as clang writes it: itself, an escape of one letter, or three octal digits. -1 if it is none. */
static int read_character(const char **at) {
  static const char letters[] = "abfnrtv\\\"'?", meant[] = "\a\b\f\n\r\t\v\\\"'?";
  const char *c = *at;
  if (*c != '\\') {
    *at = c + 1;
    return (unsigned char)*c;
  }
  if (strspn(c + 1, "01234567") >= 3 && c[1] < '4') {
    *at = c + 4;
    return (c[1] - '0') * 64 + (c[2] - '0') * 8 + (c[3] - '0');
  }
  const char *letter = c[1] ? strchr(letters, c[1]) : NULL;
  *at = c + 2;
  return letter ? (unsigned char)meant[letter - letters] : -1;
}

const number *c_text_characters(c_lowering *l, const c_node *n, const c_type *element, size_t count) {
  size_t length = strlen(n->value), found = 0;
  bool is_plain = n->kind == C_STRING && length >= 2 && n->value[0] == '"' && n->value[length - 1] == '"';
  if (!is_plain || !c_type_is_integer(element) || element->bits != 8 || element->is_bool) return NULL;
  number *out = arena_alloc(l->arena, (count + 1) * sizeof *out);
  for (size_t i = 0; i < count; i++) out[i] = number_of(0);
  for (const char *at = n->value + 1; at < n->value + length - 1; found++) {
    int value = read_character(&at);
    if (value < 0 || at > n->value + length - 1) return NULL;
    if (found < count) out[found] = number_of(element->is_signed && value > 127 ? value - 256 : value);
  }
  return out;
}

const c_object *c_object_of_text(c_lowering *l, const c_node *n) {
  uint64_t known;
  if (map_get(l->objects, n->id, &known)) return (const c_object *)(uintptr_t)known;
  const c_type *t = c_type_of(&l->types, n->type);
  c_object *o = arena_alloc(l->arena, sizeof *o);
  *o = (c_object){.name = "text", .any = "any text", .type = t, .first = l->cells.count, .text = n};
  if (t->kind == TYPE_ARRAY && !t->length) o->characters = c_text_characters(l, n, t->element, t->count);
  map_set(l->objects, n->id, (uint64_t)(uintptr_t)o);
  return o;
}

c_operand c_text_read(c_lowering *l, const c_path *p, const c_operand *where, const c_node *at) {
  const c_object *o = where->object;
  term index = c_place_start(l, where);
  number first = number_of(0), last = number_of((int64_t)o->type->count - 1);
  c_path_bounds(l, p, index, &first, &last);
  if (number_compare(first, last) > 0 || !o->characters) return c_value_number(l, where->type, number_of(0));
  if (last.small - first.small >= MOST_CHOICES) {
    c_refuse(l, at, "an index chooses from more than %d characters of a text; an array would be read", MOST_CHOICES);
    last = first;
  }
  number rest = o->characters[last.small], low = rest, high = rest;
  term value = term_number(l->ts, rest);
  for (int64_t i = last.small - 1; i >= first.small; i--) {
    number one = o->characters[i];
    if (number_equal(one, rest)) continue; /* what is left is that */
    value = term_ite(l->ts, term_eq(l->ts, index, term_int(l->ts, i)), term_number(l->ts, one), value);
    if (number_compare(one, low) < 0) low = one;
    if (number_compare(one, high) > 0) high = one;
  }
  return (c_operand){.type = where->type, .value = value, .low = low, .high = high};
}
