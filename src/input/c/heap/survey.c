/* Which types are in memory (heap.h): a look at all that `main` can reach, before anything is lowered. */
#include "input/c/heap/heap.h"

static uint64_t key_of(const void *p) { return (uint64_t)(uintptr_t)p; }

typedef void visitor(c_lowering *l, const c_node *n, const c_node *function);

typedef struct walk {
  c_lowering *l;
  visitor *visit;
  map *seen;
} walk;

static void walk_tree(walk *w, const c_node *n, const c_node *function);

static void walk_function(walk *w, const char *name) {
  const c_node *function = c_function_named(w->l, name);
  if (!function || map_get(w->seen, key_of(function), NULL)) return;
  map_set(w->seen, key_of(function), 1);
  walk_tree(w, function, function);
}

static void walk_tree(walk *w, const c_node *n, const c_node *function) {
  c_lowering *l = w->l;
  uint64_t known;
  w->visit(l, n, function);
  if (n->kind == C_NAME && n->reference_kind == C_FUNCTION) walk_function(w, n->reference_name);
  for (size_t i = 0; i < l->addressed.count && n->kind == C_CALL && !c_callee_of(n); i++)
    walk_function(w, l->addressed.at[i]);
  if (n->kind == C_NAME && map_get(l->global_ids, n->reference, &known) && !map_get(w->seen, known, NULL)) {
    map_set(w->seen, known, 1);
    walk_tree(w, (const c_node *)(uintptr_t)known, NULL);
  }
  for (size_t i = 0; i < n->count; i++) walk_tree(w, n->inner[i], function);
}

static void walk_program(c_lowering *l, const c_node *start, visitor *visit) {
  walk w = {l, visit, map_new()};
  map_set(w.seen, key_of(start), 1);
  walk_tree(&w, start, start);
  map_free(w.seen);
}

/* ---- types ---- */

static c_space *space_with_key(const c_lowering *l, const char *key) {
  for (size_t i = 0; i < l->spaces.count; i++)
    if (!strcmp(l->spaces.at[i]->key, key)) return l->spaces.at[i];
  return NULL;
}

c_space *c_space_of(c_lowering *l, const c_type *pointer) {
  return space_with_key(l, c_type_key(&l->types, pointer->target));
}

/* Pointers to what `pointer` points to are addresses. */
static void move_to_memory(c_lowering *l, const char *pointer) {
  const c_type *t = c_type_of(&l->types, pointer);
  if (t->kind != TYPE_POINTER) return;
  const char *key = c_type_key(&l->types, t->target);
  if (!strcmp(key, "void") || strpbrk(key, "[(") || space_with_key(l, key)) return;
  c_space *made = arena_alloc(l->arena, sizeof *made);
  *made = (c_space){.key = key, .text = t->target, .next = C_NO_CELL, .last_variable = C_NO_CELL, .gone = C_NO_CELL};
  names_set(l->types.in_memory, key, 1);
  VECTOR_PUSH(l->spaces, made);
}

/* ---- pointers that are more than names ---- */

static bool is_value_of_one(const c_lowering *l, const c_node *name) {
  uint64_t known;
  if (map_get(l->assigned, name->reference, NULL)) return false;
  if (name->reference_kind == C_PARAMETER) return true;
  if (map_get(l->global_ids, name->reference, NULL) || !map_get(l->variables, name->reference, &known)) return false;
  const c_node *variable = (const c_node *)(uintptr_t)known;
  return variable->count && strcmp(variable->storage, "static");
}

static void visit_call(c_lowering *l, const c_node *n) {
  const c_node *callee = c_callee_of(n), *function = callee ? c_function_named(l, callee->reference_name) : NULL;
  if (callee && !function && !c_is_known_function(callee->reference_name)) move_to_memory(l, n->type);
  if (!function || !c_is_recursive(l, function)) return;
  move_to_memory(l, n->type);
  for (size_t i = 0; i < function->count; i++)
    if (function->inner[i]->kind == C_PARAMETER) move_to_memory(l, function->inner[i]->type);
}

const c_node *c_allocation_in(const c_lowering *l, const c_node *n) {
  n = c_without_parens(n);
  while ((n->kind == C_IMPLICIT_CAST || n->kind == C_CAST) && n->count &&
         (!strcmp(n->cast, "BitCast") || !strcmp(n->cast, "NoOp")))
    n = c_without_parens(n->inner[n->count - 1]);
  return c_is_allocation(l, n) ? n : NULL;
}

static void visit_pointer(c_lowering *l, const c_node *n, const c_node *function) {
  (void)function;
  bool is_variable = n->kind == C_NAME && (n->reference_kind == C_VARIABLE || n->reference_kind == C_PARAMETER);
  bool is_place =
      n->kind == C_MEMBER || n->kind == C_SUBSCRIPT || (n->kind == C_UNARY && !strcmp(n->opcode, "*") && n->count);
  bool is_cast = n->kind == C_IMPLICIT_CAST || n->kind == C_CAST;
  if (is_place || (is_variable && !is_value_of_one(l, n)) || (is_cast && c_allocation_in(l, n)))
    move_to_memory(l, n->type);
  if (n->kind == C_CALL) visit_call(l, n);
}

/* ---- what is in memory, and what goes ---- */

static bool has_label(const c_node *n) {
  bool found = n->kind == C_LABEL;
  for (size_t i = 0; i < n->count && !found; i++) found = has_label(n->inner[i]);
  return found;
}

/* It is there as long as the call is, and declared once: no jump goes back. */
static bool is_in_outer_block(const c_node *function, uint64_t variable) {
  if (has_label(function)) return false;
  const c_node *body = function->inner[function->count - 1];
  for (size_t i = 0; i < function->count; i++)
    if (function->inner[i]->kind == C_PARAMETER && function->inner[i]->id == variable) return true;
  for (size_t i = 0; i < body->count; i++)
    for (size_t j = 0; body->inner[i]->kind == C_DECLARATION && j < body->inner[i]->count; j++)
      if (body->inner[i]->inner[j]->id == variable) return true;
  return false;
}

static void visit_address(c_lowering *l, const c_node *n, const c_node *function) {
  const c_node *of = n->kind == C_UNARY && !strcmp(n->opcode, "&") && n->count ? c_without_parens(n->inner[0]) : NULL;
  const c_type *t = of ? c_type_of(&l->types, n->type) : NULL;
  uint64_t known;
  if (!of || !t->is_address || of->kind != C_NAME) return;
  bool is_static =
      map_get(l->global_ids, of->reference, NULL) ||
      (map_get(l->variables, of->reference, &known) && !strcmp(((const c_node *)(uintptr_t)known)->storage, "static"));
  if (!is_static && !(function && is_in_outer_block(function, of->reference))) {
    c_refuse(l, n,
             "a pointer with several values gets the address of `%s`, which is declared in an inner block, or in a "
             "function with labels; that of a variable of the outermost block is read",
             of->reference_name);
    return;
  }
  c_space *s = c_space_of(l, t);
  s->has_variables = true;
  s->loses_some |= !is_static && (strcmp(function->name, "main") || c_is_recursive(l, function));
  if (map_get(l->global_ids, of->reference, NULL))
    names_set(l->globals_in_memory, of->reference_name, 1);
  else
    map_set(l->in_memory, of->reference, 1);
}

static bool has_address(const c_type *t) {
  if (t->kind == TYPE_ARRAY) return has_address(t->element);
  for (size_t i = 0; i < t->fields.count; i++)
    if (has_address(t->fields.at[i].type)) return true;
  return t->is_address || t->kind == TYPE_POINTER;
}

/* What is reached from variables that are still there at the end is not lost. */
static void visit_root(c_lowering *l, const c_node *n, const c_node *function) {
  uint64_t known;
  (void)function;
  bool is_exit = n->kind == C_NAME && n->reference_kind == C_FUNCTION && strstr(n->reference_name, "xit") &&
                 c_is_known_function(n->reference_name);
  if (is_exit) l->untracked = "the program may end by a call of `exit`";
  if (n->kind != C_NAME || n->reference_kind != C_VARIABLE) return;
  bool is_global = map_get(l->global_ids, n->reference, NULL);
  bool is_static =
      map_get(l->variables, n->reference, &known) && !strcmp(((const c_node *)(uintptr_t)known)->storage, "static");
  if ((is_global || is_static) && has_address(c_type_of(&l->types, n->type)))
    l->untracked = "global or static variables hold pointers";
}

static void visit_free(c_lowering *l, const c_node *n, const c_node *function) {
  (void)function;
  const c_node *callee = n->kind == C_CALL ? c_callee_of(n) : NULL;
  if (callee && c_allocation_in(l, n) == n) l->allocates = true;
  if (!callee || strcmp(callee->reference_name, "free") || n->count != 2) return;
  l->allocates = true;
  const c_type *t = c_type_of(&l->types, c_freed(n->inner[1])->type);
  if (t->is_address) c_space_of(l, t)->loses_some = true;
}

void c_heap_survey(c_lowering *l, const c_node *start) {
  if (l->has_memory) walk_program(l, start, visit_pointer);
  if (l->spaces.count) c_types_move_to_memory(&l->types);
  if (l->spaces.count) walk_program(l, start, visit_address);
  walk_program(l, start, visit_free);
  walk_program(l, start, visit_root);
}
