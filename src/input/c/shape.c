/* What the reader takes for granted about clang's syntax tree. Another clang than those it was written for, or something else in
 * its place, could write others: they are refused as a whole. */
#include "base/text.h"
#include "input/c/tree.h"

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
