/* Reads the texts of types: `unsigned int`, `const T *`, `int (*)[4]`, `struct s[3]`. Clang resolves typedefs at the
 * outermost level only; below, a table of all typedefs does. */
#include "input/c/types.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/text.h"

/* ---- names ---- */

/* What two declarations of one name disagree about is nobody's. */
static void declare(names *in, const char *name, const c_node *n) {
  uint64_t before;
  if (!names_get(in, name, &before)) {
    names_set(in, name, (uint64_t)(uintptr_t)n);
    return;
  }
  const c_node *other = (const c_node *)(uintptr_t)before;
  if (!other || (n->kind != C_TYPEDEF && !n->count)) return;
  bool same = n->kind == C_TYPEDEF ? !strcmp(other->type, n->type) : !other->count;
  names_set(in, name, same && n->kind != C_TYPEDEF ? (uint64_t)(uintptr_t)n : same ? before : 0);
}

static void forget(c_types *ts, const char *name) {
  names_set(ts->records, name, 0);
  names_set(ts->enums, name, 0);
}

static void declare_tag(c_types *ts, const c_node *n) {
  declare(n->kind == C_RECORD ? ts->records : ts->enums, n->name, n);
  if (names_get(ts->by_typedef, n->name, NULL)) forget(ts, n->name);
}

/* `typedef struct {..} T`: clang calls it T, which another struct, enumeration or typedef must not be called. */
static void declare_by_typedef(c_types *ts, const char *name, const c_node *unnamed) {
  names *in = unnamed->kind == C_RECORD ? ts->records : ts->enums;
  bool is_known = names_get(ts->records, name, NULL) || names_get(ts->enums, name, NULL);
  names_set(ts->by_typedef, name, 1);
  if (names_get(ts->typedefs, name, NULL)) names_set(ts->typedefs, name, 0);
  if (is_known)
    forget(ts, name);
  else
    declare(in, name, unnamed);
}

static bool has_attribute(const c_node *n, const char *kind) {
  for (size_t i = 0; i < n->count; i++)
    if (!strcmp(n->inner[i]->kind_name, kind)) return true;
  return false;
}

/* The struct without a name stands before its typedef. */
static void collect(c_types *ts, const c_node *n) {
  const c_node *unnamed = NULL;
  for (size_t i = 0; i < n->count; i++) {
    const c_node *child = n->inner[i];
    if (child->kind == C_RECORD || child->kind == C_ENUM) {
      if (*child->name)
        declare_tag(ts, child);
      else
        unnamed = child;
    } else if (child->kind == C_TYPEDEF && strcmp(child->type, child->name)) {
      declare(ts->typedefs, child->name, child);
      if (names_get(ts->by_typedef, child->name, NULL)) names_set(ts->typedefs, child->name, 0);
    } else if (child->kind == C_TYPEDEF && unnamed) {
      declare_by_typedef(ts, child->name, unnamed);
    }
    if (child->kind == C_TYPEDEF && !child->is_of_system)
      ts->has_aligned_typedef |= has_attribute(child, "AlignedAttr");
    collect(ts, child);
  }
}

void c_types_open(c_types *ts, arena *a, bool is_32, const c_node *tree) {
  *ts = (c_types){.arena = a,
                  .is_32 = is_32,
                  .typedefs = names_new(),
                  .records = names_new(),
                  .enums = names_new(),
                  .by_typedef = names_new(),
                  .known = names_new(),
                  .in_memory = names_new()};
  collect(ts, tree);
}

void c_types_close(c_types *ts) {
  for (size_t i = 0; i < ts->structs.count; i++) VECTOR_FREE(ts->structs.at[i]->fields);
  VECTOR_FREE(ts->structs);
  names_free(ts->typedefs);
  names_free(ts->records);
  names_free(ts->enums);
  names_free(ts->by_typedef);
  names_free(ts->known);
  names_free(ts->in_memory);
}

/* ---- integers ---- */

number number_power_of_two(unsigned exponent) {
  number result = number_of(1);
  for (unsigned i = 0; i < exponent; i++) result = number_mul(result, number_of(2));
  return result;
}

static void make_integer(c_type *t, unsigned bits, bool is_signed) {
  t->kind = TYPE_INTEGER;
  t->bits = bits;
  t->is_signed = is_signed;
  t->low = is_signed ? number_negate(number_power_of_two(bits - 1)) : number_of(0);
  t->high = number_sub(number_power_of_two(is_signed ? bits - 1 : bits), number_of(1));
  t->cells = 1;
  t->bytes = t->alignment = bits / 8;
}

/* After some warnings clang writes `bool` for _Bool, if there is a macro of that name, as C has one in a header. */
static bool is_bool(const c_types *ts, const char *word) {
  if (strcmp(word, "bool")) return !strcmp(word, "_Bool");
  return !names_get(ts->typedefs, word, NULL) && !names_get(ts->by_typedef, word, NULL) &&
         !names_get(ts->records, word, NULL) && !names_get(ts->enums, word, NULL);
}

static bool make_builtin(const c_types *ts, c_type *t, const char *word) {
  static const struct {
    const char *word;
    unsigned bits, bits_32;
    bool is_signed;
  } all[] = {
      {"char", 8, 8, true},
      {"signed char", 8, 8, true},
      {"unsigned char", 8, 8, false},
      {"short", 16, 16, true},
      {"unsigned short", 16, 16, false},
      {"int", 32, 32, true},
      {"unsigned int", 32, 32, false},
      {"long", 64, 32, true},
      {"unsigned long", 64, 32, false},
      {"long long", 64, 64, true},
      {"unsigned long long", 64, 64, false},
      {"__int128", 128, 128, true},
      {"unsigned __int128", 128, 128, false},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
    if (!strcmp(word, all[i].word)) {
      make_integer(t, ts->is_32 ? all[i].bits_32 : all[i].bits, all[i].is_signed);
      if (t->bits == 64 && ts->is_32) t->alignment = 4;
      return true;
    }
  if (!is_bool(ts, word)) return false;
  make_integer(t, 8, false);
  t->is_bool = true;
  t->high = number_of(1);
  return true;
}

/* ---- structs and enumerations ---- */

static void refuse(c_type *t, const char *what) {
  t->kind = TYPE_OTHER;
  t->refusal = what;
}

static uint64_t round_up(uint64_t n, uint64_t to) { return to ? (n + to - 1) / to * to : n; }

/* No attribute, or one that says nothing about where members are, or what alignment_asked knows. */
static bool is_harmless(const c_node *n) {
  static const char *const all[] = {"AlignedAttr", "UnusedAttr", "DeprecatedAttr", "VisibilityAttr"};
  size_t length = strlen(n->kind_name), ending = strlen("Attr");
  if (length < ending || strcmp(n->kind_name + length - ending, "Attr")) return true;
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
    if (!strcmp(n->kind_name, all[i])) return true;
  return false;
}

static bool are_harmless(const c_node *n) {
  for (size_t i = 0; i < n->count; i++)
    if (!is_harmless(n->inner[i])) return false;
  return true;
}

/* What is aligned to so many bytes at least: 0 if nothing is said, UINT64_MAX if it is not known to how many. */
static uint64_t alignment_asked(const c_node *n) {
  uint64_t most = 0;
  for (size_t i = 0; i < n->count; i++) {
    const c_node *a = n->inner[i];
    if (strcmp(a->kind_name, "AlignedAttr")) continue;
    const char *value = a->count ? a->inner[0]->value : "";
    char *end;
    unsigned long long bytes = strtoull(value, &end, 10);
    if (end == value || *end || !bytes || bytes > UINT32_MAX) return UINT64_MAX;
    if (bytes > most) most = bytes;
  }
  return most;
}

static void add_field(c_types *ts, c_type *t, const c_node *f) {
  const c_type *of = c_type_of(ts, f->type);
  uint64_t alignment = alignment_asked(f);
  if (f->is_bit_field) refuse(t, "bit-fields");
  if (of->kind == TYPE_OTHER) refuse(t, of->refusal);
  if (of->is_volatile && of->kind != TYPE_POINTER && !of->is_address) refuse(t, "volatile members");
  if (of->length) refuse(t, "structs without a constant size");
  if (alignment == UINT64_MAX) refuse(t, "alignment without a constant");
  if (of->alignment > alignment) alignment = of->alignment;
  VECTOR_PUSH(t->fields, (c_field){f->id, f->name, of, t->cells});
  t->cells += of->cells;
  t->bytes = round_up(t->bytes, alignment) + of->bytes;
  if (alignment > t->alignment) t->alignment = alignment;
}

static void make_struct(c_types *ts, c_type *t, const c_node *n) {
  t->kind = TYPE_STRUCT;
  t->alignment = 1;
  VECTOR_PUSH(ts->structs, t);
  if (ts->has_aligned_typedef) refuse(t, "structs in a program with aligned typedefs");
  for (size_t i = 0; i < n->count; i++) {
    const c_node *f = n->inner[i];
    if (f->kind == C_RECORD && !*f->name) refuse(t, "unnamed structs and unions");
    if (!is_harmless(f) || (f->kind == C_FIELD && !are_harmless(f))) refuse(t, "packed structs");
    if (f->kind == C_FIELD) add_field(ts, t, f);
  }
  uint64_t alignment = alignment_asked(n);
  if (alignment == UINT64_MAX) refuse(t, "alignment without a constant");
  if (alignment > t->alignment) t->alignment = alignment;
  t->bytes = ts->has_aligned_typedef ? 0 : round_up(t->bytes, t->alignment);
}

static bool has_negative(const c_node *n) {
  for (size_t i = 0; i < n->count; i++) {
    const c_node *constant = n->inner[i];
    if (constant->kind == C_ENUM_CONSTANT && constant->count && *constant->inner[0]->value == '-') return true;
  }
  return false;
}

/* An enumeration is as wide as int, unless it is packed or has larger values. */
static void make_enumeration(c_type *t, const c_node *n) {
  make_integer(t, 32, has_negative(n));
  for (size_t i = 0; i < n->count; i++) {
    const c_node *part = n->inner[i];
    number value;
    bool is_large = part->kind == C_ENUM_CONSTANT && part->count &&
                    number_parse(part->inner[0]->value, strlen(part->inner[0]->value), &value) &&
                    number_bits(value) > 31;
    if (is_large || !strcmp(part->kind_name, "PackedAttr"))
      refuse(t, "packed enumerations and those with large values");
  }
}

static void make_tagged(c_types *ts, c_type *t, const char *word) {
  uint64_t found = 0;
  if (!strncmp(word, "union ", 6)) {
    refuse(t, "unions");
  } else if (!strncmp(word, "enum ", 5) && names_get(ts->enums, word + 5, &found) && found) {
    make_enumeration(t, (const c_node *)(uintptr_t)found);
  } else if (!strncmp(word, "struct ", 7) && names_get(ts->records, word + 7, &found) && found) {
    make_struct(ts, t, (const c_node *)(uintptr_t)found);
  } else {
    refuse(t, "structs and enumerations without a name");
  }
}

static bool is_tag(const char *word) {
  return !strncmp(word, "struct ", 7) || !strncmp(word, "union ", 6) || !strncmp(word, "enum ", 5);
}

static const char *refusal_of(const char *word) {
  if (strstr(word, "float") || strstr(word, "double")) return "floating point";
  if (strstr(word, "_Atomic")) return "atomic types";
  return "this type";
}

/* ---- texts ---- */

/* Without qualifiers and surrounding blanks. */
static char *plain(const char *text, size_t length, bool *is_volatile) {
  static const char *const dropped[] = {"const", "restrict", "__restrict", "volatile"};
  VECTOR(char) out = {0};
  for (size_t i = 0; i < length;) {
    size_t n = 0;
    while (i + n < length && (isalnum((unsigned char)text[i + n]) || text[i + n] == '_')) n++;
    bool drop = false;
    for (size_t j = 0; j < ARRAY_LENGTH(dropped); j++)
      if (n == strlen(dropped[j]) && !strncmp(text + i, dropped[j], n)) {
        drop = true;
        if (j + 1 == ARRAY_LENGTH(dropped)) *is_volatile = true;
      }
    if (!n) n = 1;
    bool blank = n == 1 && text[i] == ' ' && (!out.count || VECTOR_LAST(out) == ' ');
    for (size_t j = 0; j < n && !drop && !blank; j++) VECTOR_PUSH(out, text[i + j]);
    i += n;
  }
  while (out.count && VECTOR_LAST(out) == ' ') out.count--;
  VECTOR_PUSH(out, 0);
  return out.at;
}

static void make_word(c_types *ts, c_type *t, const char *word) {
  uint64_t found = 0;
  if (!strcmp(word, "void")) {
    t->kind = TYPE_VOID;
  } else if (make_builtin(ts, t, word)) {
  } else if (is_tag(word)) {
    make_tagged(ts, t, word);
  } else if (names_get(ts->typedefs, word, &found)) {
    if (!found) {
      refuse(t, "a typedef with two meanings");
      return;
    }
    const char *text = t->text;
    bool is_volatile = t->is_volatile;
    const c_type *of = c_type_of(ts, ((const c_node *)(uintptr_t)found)->type);
    *t = *of;
    t->text = text;
    t->is_volatile |= is_volatile;
  } else if (names_get(ts->records, word, &found) && found) {
    make_struct(ts, t, (const c_node *)(uintptr_t)found);
  } else if (names_get(ts->enums, word, &found) && found) {
    make_enumeration(t, (const c_node *)(uintptr_t)found);
  } else {
    refuse(t, refusal_of(word));
  }
}

static void make_open_array(c_types *ts, c_type *t, const char *text, const char *bracket, const char *close) {
  char *element = text_format("%.*s%s", (int)(bracket - text), text, close + 1);
  t->kind = TYPE_ARRAY;
  t->element = c_type_of(ts, element);
  t->length = arena_copy_bytes(ts->arena, bracket + 1, (size_t)(close - bracket - 1));
  t->is_volatile |= t->element->is_volatile;
  t->alignment = t->element->alignment;
  memory_free(element);
  if (t->element->kind == TYPE_OTHER)
    refuse(t, t->element->refusal);
  else if (t->element->length)
    refuse(t, "arrays of arrays without a constant size");
}

/* The bracket that closes this one. */
static const char *closing(const char *bracket) {
  size_t depth = 0;
  for (; *bracket; bracket++) {
    depth += *bracket == '[';
    if (*bracket == ']' && !--depth) break;
  }
  return bracket;
}

static void make_array(c_types *ts, c_type *t, const char *text, const char *bracket) {
  char *end;
  unsigned long long count = strtoull(bracket + 1, &end, 10);
  bool is_constant = end != bracket + 1 && *end == ']';
  const char *close = closing(bracket);
  if (close == bracket + 1 || !*close || (is_constant && count > UINT32_MAX)) {
    refuse(t, "arrays without a size");
    return;
  }
  if (!is_constant) {
    make_open_array(ts, t, text, bracket, close);
    return;
  }
  char *element = text_format("%.*s%s", (int)(bracket - text), text, end + 1);
  t->kind = TYPE_ARRAY;
  t->element = c_type_of(ts, element);
  t->count = (size_t)count;
  memory_free(element);
  if (t->element->kind == TYPE_OTHER) {
    refuse(t, t->element->refusal);
    return;
  }
  if (t->element->length) {
    refuse(t, "arrays of arrays without a constant size");
    return;
  }
  t->is_volatile |= t->element->is_volatile;
  t->cells = t->element->cells > UINT32_MAX ? SIZE_MAX : t->element->cells * t->count;
  t->bytes = t->element->bytes * t->count;
  t->alignment = t->element->alignment;
}

/* An address is a number without bounds, but for those that say that it is one. */
static void make_pointer(c_types *ts, c_type *t, const char *target) {
  if (names_get(ts->in_memory, c_type_key(ts, target), NULL)) {
    make_integer(t, ts->is_32 ? 32 : 64, false);
    t->low = number_negate(number_power_of_two(126));
    t->high = number_power_of_two(126);
    t->is_address = true;
  }
  if (!t->is_address) t->kind = TYPE_POINTER;
  t->target = target;
  t->cells = 1;
  t->bytes = t->alignment = ts->is_32 ? 4 : 8;
}

/* `int (*)(int)`: `star` is at the parenthesis before it. */
static void make_function_pointer(c_types *ts, c_type *t, const char *text, const char *star) {
  char *target = text_format("%.*s%s", (int)(star - text), text, star + 3);
  make_integer(t, ts->is_32 ? 32 : 64, false);
  t->is_function = true;
  t->target = arena_copy_string(ts->arena, target);
  memory_free(target);
}

/* `int (*[3])(int)` is an array of `int (*)(int)`. */
static bool make_function_array(c_types *ts, c_type *t, const char *text, const char *star) {
  const char *end = strchr(star, ']');
  if (star[2] != '[' || !end || end[1] != ')' || end[2] != '(') return false;
  char *element = text_format("%.*s%s", (int)(star + 2 - text), text, end + 1), *rest;
  unsigned long long count = strtoull(star + 3, &rest, 10);
  if (rest != end || rest == star + 3 || count > UINT32_MAX) {
    refuse(t, "arrays without a constant size");
  } else {
    t->kind = TYPE_ARRAY;
    t->element = c_type_of(ts, element);
    t->count = t->cells = (size_t)count;
    t->bytes = t->element->bytes * t->count;
    t->alignment = t->element->alignment;
  }
  memory_free(element);
  return true;
}

static void make(c_types *ts, c_type *t, const char *text) {
  size_t n = strlen(text);
  const char *star = strstr(text, "(*"), *bracket = strchr(text, '[');
  if (strstr(text, "(unnamed") || strstr(text, "(anonymous")) {
    refuse(t, "structs and enumerations without a name");
  } else if (star && star[2] == '*' && star[1 + strspn(star + 1, "*")] != ')') {
    refuse(t, "this type");
  } else if (star && star[2] == '*') { /* a pointer to what has one star less */
    char *target = text_format("%.*s%s", (int)(star + 1 - text), text, star + 2);
    make_pointer(ts, t, arena_copy_string(ts->arena, target));
    memory_free(target);
  } else if (star && star[2] == ')' && star[3] == '(' && !memchr(text, '(', (size_t)(star - text))) {
    make_function_pointer(ts, t, text, star);
  } else if (star && !memchr(text, '(', (size_t)(star - text)) && make_function_array(ts, t, text, star)) {
  } else if (star) {
    const char *close = strchr(star, ')');
    bool is_array = close && close == star + 2 && close[1] == '[';
    char *target = is_array ? text_format("%.*s%s", (int)(star - text), text, close + 1) : text_format("function ()");
    make_pointer(ts, t, arena_copy_string(ts->arena, target));
    memory_free(target);
  } else if (n && (text[n - 1] == ')' || strstr(text, "__attribute__"))) {
    t->kind = TYPE_FUNCTION;
  } else if (bracket && text[n - 1] == ']') {
    make_array(ts, t, text, bracket);
  } else if (n && text[n - 1] == '*') {
    make_pointer(ts, t, arena_copy_bytes(ts->arena, text, n - 1));
  } else {
    make_word(ts, t, text);
  }
}

const c_type *c_type_of(c_types *ts, const char *text) {
  uint64_t found;
  if (names_get(ts->known, text, &found)) return (const c_type *)(uintptr_t)found;
  c_type *t = arena_alloc(ts->arena, sizeof *t);
  t->text = arena_copy_string(ts->arena, text);
  refuse(t, "a type that contains itself");
  names_set(ts->known, text, (uint64_t)(uintptr_t)t);
  bool is_volatile = false;
  char *bare = plain(text, strlen(text), &is_volatile);
  *t = (c_type){.text = t->text, .is_volatile = is_volatile};
  make(ts, t, bare);
  memory_free(bare);
  return t;
}

/* ---- keys ---- */

/* Of a word that is neither a pointer nor an array. */
static const char *key_of_word(c_types *ts, const char *word) {
  uint64_t found = 0;
  c_type t = {0};
  char *key;
  if (names_get(ts->typedefs, word, &found) && found) return c_type_key(ts, ((const c_node *)(uintptr_t)found)->type);
  if (make_builtin(ts, &t, word))
    key = text_format("%c%u", t.is_bool ? 'b' : t.is_signed ? 'i' : 'u', t.bits);
  else if (!strncmp(word, "enum ", 5) && names_get(ts->enums, word + 5, &found) && found)
    key = text_format("%c32", has_negative((const c_node *)(uintptr_t)found) ? 'i' : 'u');
  else if (!is_tag(word) && names_get(ts->records, word, &found) && found)
    key = text_format("struct %s", word);
  else
    key = memory_copy_string(word);
  const char *kept = arena_copy_string(ts->arena, key);
  memory_free(key);
  return kept;
}

const char *c_type_key(c_types *ts, const char *text) {
  bool is_volatile = false;
  char *bare = plain(text, strlen(text), &is_volatile);
  size_t n = strlen(bare);
  const char *key;
  if (n && bare[n - 1] == '*' && !strchr(bare, '(') && !strchr(bare, '[')) {
    bare[n - 1] = 0;
    char *joined = text_format("%s*", c_type_key(ts, bare));
    key = arena_copy_string(ts->arena, joined);
    memory_free(joined);
  } else {
    key = key_of_word(ts, bare);
  }
  memory_free(bare);
  return key;
}

void c_types_move_to_memory(c_types *ts) {
  names_free(ts->known);
  ts->known = names_new();
}

const c_type *c_type_target(c_types *ts, const c_type *pointer) { return c_type_of(ts, pointer->target); }

const c_type *c_type_signed(c_types *ts, unsigned bits) {
  return c_type_of(ts, bits == 64 ? "long long" : bits == 128 ? "__int128" : "int");
}
