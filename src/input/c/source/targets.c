/* What a part of the program may change, by name. If something may be changed that is not named there, as through a
 * pointer, nothing is known. */
#include "input/c/source/source.h"

typedef struct targets {
  c_lowering *l;
  map *seen; /* functions and variables */
  c_nodes written;
  bool are_known;
} targets;

static uint64_t key(const void *p) { return (uint64_t)(uintptr_t)p; }

/* ---- what is written ---- */

/* The name of the variable that the place is in; NULL if it is behind a pointer. */
static const c_node *variable_of(const c_node *n) {
  for (;;) {
    n = c_without_parens(n);
    bool is_inside = (n->kind == C_MEMBER && !n->is_arrow) || n->kind == C_SUBSCRIPT ||
                     (n->kind == C_IMPLICIT_CAST && !strcmp(n->cast, "ArrayToPointerDecay"));
    if (!is_inside || !n->count) return n->kind == C_NAME ? n : NULL;
    n = n->inner[0];
  }
}

static void add_written(targets *t, const c_node *to) {
  const c_node *name = variable_of(to);
  if (!name)
    t->are_known = false;
  else if (name->reference_kind != C_FUNCTION && !map_get(t->seen, name->reference, NULL)) {
    map_set(t->seen, name->reference, 1);
    VECTOR_PUSH(t->written, name);
  }
}

static void survey(targets *t, const c_node *n);

/* A function that is not here changes what it gets a pointer to. */
static void survey_call(targets *t, const c_node *call) {
  const c_node *callee = c_callee_of(call), *function = callee ? c_function_named(t->l, callee->reference_name) : NULL;
  if (!callee) t->are_known = false;
  for (size_t i = 1; i < call->count && !function; i++) {
    const c_type *of = c_type_of(&t->l->types, call->inner[i]->type);
    if (of->kind != TYPE_INTEGER || of->is_address || of->is_function) t->are_known = false;
  }
}

static void survey(targets *t, const c_node *n) {
  bool writes =
      (n->kind == C_BINARY && !strcmp(n->opcode, "=")) || n->kind == C_COMPOUND_ASSIGN ||
      (n->kind == C_UNARY && (!strcmp(n->opcode, "++") || !strcmp(n->opcode, "--") || !strcmp(n->opcode, "&")));
  if (writes && n->count) add_written(t, n->inner[0]);
  if (n->kind == C_CALL) survey_call(t, n);
  if (n->kind == C_NAME && n->reference_kind == C_FUNCTION) {
    const c_node *function = c_function_named(t->l, n->reference_name);
    bool is_new = function && !map_get(t->seen, key(function), NULL);
    if (is_new) map_set(t->seen, key(function), 1);
    if (is_new) survey(t, function);
  }
  for (size_t i = 0; i < n->count; i++) survey(t, n->inner[i]);
}

/* ---- how it is called ---- */

static const c_node *find_by_id(const c_nodes *in, uint64_t id) {
  for (size_t i = 0; i < in->count; i++)
    if (in->at[i]->id == id) return in->at[i];
  return NULL;
}

static bool has_name(const c_nodes *in, const char *name) {
  for (size_t i = 0; i < in->count; i++)
    if (!strcmp(in->at[i]->name, name)) return true;
  return false;
}

static source_target target_of(c_lowering *l, const c_node *variable) {
  source_target made = {.expression = model_string(l->model, variable->name)};
  const c_type *t = c_type_of(&l->types, variable->type);
  for (const c_type *at = t; at->kind == TYPE_ARRAY; at = at->element) made.dimensions++;
  uint64_t *lengths = arena_alloc(model_arena(l->model), (made.dimensions + 1) * sizeof *lengths);
  for (size_t i = 0; i < made.dimensions; i++, t = t->element) lengths[i] = t->length ? 0 : t->count;
  made.lengths = lengths;
  return made;
}

/* The variable by that name, where the `local` ones are in scope. NULL: it is inside, or, if `are_known` becomes false, it
 * has no name there. */
static const c_node *variable_in_scope(targets *t, const c_node *name, const c_nodes *local) {
  uint64_t known;
  const c_node *found = find_by_id(local, name->reference);
  if (found) return found;
  if (map_get(t->l->global_ids, name->reference, &known)) {
    t->are_known &= !has_name(local, name->reference_name);
    return (const c_node *)(uintptr_t)known;
  }
  bool is_variable = map_get(t->l->variables, name->reference, &known);
  if (is_variable && !strcmp(((const c_node *)(uintptr_t)known)->storage, "static")) t->are_known = false;
  return NULL;
}

static source_targets targets_of(c_lowering *l, const c_node *n, const c_nodes *local) {
  targets t = {.l = l, .seen = map_new(), .are_known = true};
  map_set(t.seen, key(n), 1);
  survey(&t, n);
  source_target *all = arena_alloc(model_arena(l->model), (t.written.count + 1) * sizeof *all);
  size_t count = 0;
  for (size_t i = 0; i < t.written.count; i++) {
    const c_node *variable = variable_in_scope(&t, t.written.at[i], local);
    if (variable) all[count++] = target_of(l, variable);
  }
  map_free(t.seen);
  VECTOR_FREE(t.written);
  return (source_targets){t.are_known, all, count};
}

static void add_parameters(const c_node *function, c_nodes *out) {
  for (size_t i = 0; i < function->count; i++)
    if (function->inner[i]->kind == C_PARAMETER) VECTOR_PUSH(*out, function->inner[i]);
}

source_targets c_targets_of_loop(c_lowering *l, const c_node *loop, const c_node *function) {
  c_nodes local = {0};
  const c_nodes *visible = c_visible_at(l, loop);
  const c_node *first = loop->kind == C_FOR && loop->count ? loop->inner[0] : NULL;
  add_parameters(function, &local);
  for (size_t i = 0; i < visible->count; i++) VECTOR_PUSH(local, visible->at[i]);
  for (size_t i = 0; first && i < first->count; i++)
    if (first->inner[i]->kind == C_VARIABLE) VECTOR_PUSH(local, first->inner[i]);
  source_targets result = targets_of(l, loop, &local);
  VECTOR_FREE(local);
  return result;
}

source_targets c_targets_of_function(c_lowering *l, const c_node *function) {
  static const c_nodes none = {0};
  c_nodes parameters = {0};
  source_targets result = targets_of(l, function, &none);
  add_parameters(function, &parameters);
  for (size_t i = 0; i < result.count; i++) result.are_known &= !has_name(&parameters, result.at[i].expression);
  VECTOR_FREE(parameters);
  return result;
}
