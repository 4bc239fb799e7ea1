/* Clang's syntax tree from JSON. Clang writes the file and the line of a place only if they differ from those of the
 * place written before, so the tree is walked in the order of the text; jansson keeps that order. */
#include "input/c/tree.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/text.h"
#include "base/vector.h"

#define THE_FILE "<stdin>"

typedef struct tree_reader {
  arena *arena;
  names *kinds;
  bool is_here;      /* the place written last was in the file itself */
  bool is_of_system; /* it was in a header of the system */
} tree_reader;

typedef struct spot {
  bool known, is_here, is_of_system;
  uint32_t start, end;
} spot;

static const char *const kind_names[] = {
    [C_ABSENT] = "",
#define KIND(CONSTANT, NAME, LEAST) [CONSTANT] = NAME,
#include "input/c/kinds.def"
#undef KIND
};

static const char *string_of(tree_reader *r, const json_t *object, const char *key) {
  const char *found = json_string_value(json_object_get(object, key));
  return found ? arena_copy_string(r->arena, found) : "";
}

static uint64_t id_of(const json_t *object, const char *key) {
  const char *found = json_string_value(json_object_get(object, key));
  return found ? strtoull(found, NULL, 16) : 0;
}

/* ---- places ---- */

static bool is_path_of_system(const char *file) {
  return !strncmp(file, "/usr/", strlen("/usr/")) || strstr(file, "/lib/clang/");
}

static spot read_bare_spot(tree_reader *r, const json_t *at) {
  const char *file = json_string_value(json_object_get(at, "file"));
  if (file) {
    r->is_here = !strcmp(file, THE_FILE);
    r->is_of_system = is_path_of_system(file);
  }
  const json_t *offset = json_object_get(at, "offset");
  if (!json_is_integer(offset)) return (spot){0};
  uint32_t start = (uint32_t)json_integer_value(offset);
  uint32_t length = (uint32_t)json_integer_value(json_object_get(at, "tokLen"));
  return (spot){true, r->is_here, r->is_of_system, start, start + length};
}

/* Of a place in a macro, where the macro is used. */
static spot read_spot(tree_reader *r, const json_t *at) {
  const char *key;
  json_t *value;
  spot result = {0};
  if (!json_object_get(at, "expansionLoc")) return read_bare_spot(r, at);
  json_object_foreach((json_t *)at, key, value) {
    spot here = read_bare_spot(r, value);
    if (!strcmp(key, "expansionLoc")) result = here;
  }
  return result;
}

static void read_range(tree_reader *r, const json_t *range, c_node *out) {
  spot begin = read_spot(r, json_object_get(range, "begin"));
  spot end = read_spot(r, json_object_get(range, "end"));
  if (!begin.known) return;
  out->is_here = begin.is_here;
  out->is_of_system = begin.is_of_system;
  out->start = begin.start;
  out->end = end.known && end.is_here == begin.is_here && end.end > begin.start ? end.end : begin.end;
}

/* ---- nodes ---- */

static c_kind kind_of(const tree_reader *r, const char *name) {
  uint64_t found;
  return names_get(r->kinds, name, &found) ? (c_kind)found : C_OTHER;
}

static const char *type_of(tree_reader *r, const json_t *node, const char *key) {
  const json_t *type = json_object_get(node, key);
  const char *resolved = string_of(r, type, "desugaredQualType");
  return *resolved ? resolved : string_of(r, type, "qualType");
}

static bool has_length(tree_reader *r, const json_t *node) {
  const char *written = string_of(r, json_object_get(node, "type"), "qualType");
  return *written && written[strlen(written) - 1] == ']';
}

static void read_reference(tree_reader *r, const json_t *node, c_node *out) {
  static const char *const keys[] = {"targetLabelDeclId", "declId", "referencedMemberDecl"};
  const json_t *named = json_object_get(node, "referencedDecl");
  out->reference_name = "";
  for (size_t i = 0; i < ARRAY_LENGTH(keys) && !out->reference; i++) out->reference = id_of(node, keys[i]);
  if (!named) return;
  out->reference = id_of(named, "id");
  out->reference_name = string_of(r, named, "name");
  const char *kind = json_string_value(json_object_get(named, "kind"));
  out->reference_kind = kind_of(r, kind ? kind : "");
}

static const char *value_of(tree_reader *r, const json_t *node) {
  const json_t *value = json_object_get(node, "value");
  if (!json_is_integer(value)) return string_of(r, node, "value");
  char *digits = text_format("%lld", (long long)json_integer_value(value));
  const char *kept = arena_copy_string(r->arena, digits);
  memory_free(digits);
  return kept;
}

static c_node *read_node(tree_reader *r, const json_t *node);

/* Clang puts a comment of documentation, with a tree of its own, behind the parts of what it is about. */
static bool is_comment(const c_node *n) { return !strcmp(n->kind_name, "FullComment"); }

static void read_children(tree_reader *r, const json_t *list, c_node *out) {
  size_t all = json_array_size(list);
  out->count = 0;
  out->inner = arena_alloc(r->arena, (all + 1) * sizeof *out->inner);
  for (size_t i = 0; i < all; i++) {
    c_node *part = read_node(r, json_array_get(list, i));
    if (!is_comment(part)) out->inner[out->count++] = part;
  }
}

static bool is_attribute(const c_node *n) {
  size_t length = strlen(n->kind_name), ending = strlen("Attr");
  return length > ending && !strcmp(n->kind_name + length - ending, "Attr");
}

/* Clang writes the attributes of a function after its body, and those of a variable after its value; here both are last. */
static void put_attributes_first(const c_node *n) {
  size_t first = 0;
  for (size_t i = 0; i < n->count; i++) {
    if (!is_attribute(n->inner[i])) continue;
    c_node *moved = n->inner[i];
    for (size_t j = i; j > first; j--) n->inner[j] = n->inner[j - 1];
    n->inner[first++] = moved;
  }
}

/* The parts that have places, in the order in which they stand. */
static void read_parts(tree_reader *r, const json_t *node, c_node *out) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)node, key, value) {
    if (!strcmp(key, "loc")) {
      spot at = read_spot(r, value);
      if (at.known) out->is_here = at.is_here, out->start = at.start, out->end = at.end;
    } else if (!strcmp(key, "range")) {
      uint32_t name = out->start;
      bool has_name = out->kind == C_VARIABLE && out->is_here;
      read_range(r, value, out);
      if (has_name && out->is_here && name < out->end) out->start = name; /* `n = 0` of `int i, n = 0` */
    } else if (!strcmp(key, "array_filler")) {
      out->has_filler = true;
      read_children(r, value, out);
    } else if (!strcmp(key, "inner")) {
      read_children(r, value, out);
    }
  }
}

static c_node *read_node(tree_reader *r, const json_t *node) {
  c_node *out = arena_alloc(r->arena, sizeof *out);
  const char *kind = json_string_value(json_object_get(node, "kind"));
  out->kind_name = kind ? arena_copy_string(r->arena, kind) : "";
  out->kind = kind ? kind_of(r, kind) : C_ABSENT;
  out->name = string_of(r, node, "name");
  out->opcode = string_of(r, node, "opcode");
  out->value = value_of(r, node);
  out->cast = string_of(r, node, "castKind");
  out->storage = string_of(r, node, "storageClass");
  out->type = type_of(r, node, "type");
  out->has_length_in_type = has_length(r, node);
  out->argument_type = type_of(r, node, "argType");
  out->compute_type = type_of(r, node, "computeResultType");
  out->id = id_of(node, "id");
  out->is_postfix = json_is_true(json_object_get(node, "isPostfix"));
  out->is_arrow = json_is_true(json_object_get(node, "isArrow"));
  out->is_bit_field = json_is_true(json_object_get(node, "isBitfield"));
  out->has_else = json_is_true(json_object_get(node, "hasElse"));
  read_reference(r, node, out);
  read_parts(r, node, out);
  if (out->kind == C_FUNCTION || out->kind == C_VARIABLE) put_attributes_first(out);
  if (out->kind == C_CHOSEN) out->count = 0; /* of `a ?: b`, the value of `a`, which stands before it */
  out->has_label = out->kind == C_LABEL || out->kind == C_CASE || out->kind == C_DEFAULT;
  for (size_t i = 0; i < out->count; i++) out->has_label |= out->inner[i]->has_label;
  return out;
}

c_node *c_tree_read(arena *a, const char *json, size_t length, char **error) {
  json_error_t wrong;
  json_t *root = json_loadb(json, length, 0, &wrong);
  *error = NULL;
  if (!root) {
    *error = text_format("clang's syntax tree cannot be read: %s", wrong.text);
    return NULL;
  }
  tree_reader r = {.arena = a, .kinds = names_new()};
  for (size_t i = 1; i < ARRAY_LENGTH(kind_names); i++) names_set(r.kinds, kind_names[i], i);
  c_node *tree = read_node(&r, root);
  names_free(r.kinds);
  json_decref(root);
  return tree;
}

/* ---- what the reader takes for granted ---- */

/* Another clang than those it was written for could write other trees: they are refused as a whole. */
static const size_t least_parts[] = {
    [C_ABSENT] = 0,
#define KIND(CONSTANT, NAME, LEAST) [CONSTANT] = (LEAST),
#include "input/c/kinds.def"
#undef KIND
    [C_OTHER] = 0,
};

static bool is_one_of(const char *opcode, size_t count, const char *const *all) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(opcode, all[i])) return true;
  return false;
}

static bool has_known_operator(const c_node *n) {
  static const char *const binary[] = {"+", "-",  "*", "/",  "%",  "&",  "|",  "^",  "<<", ">>",
                                       "<", "<=", ">", ">=", "==", "!=", "&&", "||", "=",  ","};
  static const char *const compound[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  if (n->kind == C_BINARY) return is_one_of(n->opcode, ARRAY_LENGTH(binary), binary);
  if (n->kind == C_COMPOUND_ASSIGN) return is_one_of(n->opcode, ARRAY_LENGTH(compound), compound);
  return n->kind != C_UNARY || *n->opcode;
}

GIVE char *c_tree_mistake(const c_node *tree) {
  if (tree->count < least_parts[tree->kind])
    return text_format("clang's syntax tree has a node %s with %zu parts; %zu are expected", tree->kind_name,
                       tree->count, least_parts[tree->kind]);
  if (!has_known_operator(tree))
    return text_format("clang's syntax tree has the operator `%s`, which is not known", tree->opcode);
  for (size_t i = 0; i < tree->count; i++) {
    char *mistake = c_tree_mistake(tree->inner[i]);
    if (mistake) return mistake;
  }
  return NULL;
}
