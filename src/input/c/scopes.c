/* A look at the whole tree before anything is lowered: what there is, what is in scope where, what gets in whose way. */
#include <ctype.h>

#include "input/c/lower.h"

static uint64_t key(const void *p) { return (uint64_t)(uintptr_t)p; }

/* ---- what there is ---- */

static bool has_body(const c_node *function) {
  return function->count && function->inner[function->count - 1]->kind == C_COMPOUND;
}

static void survey_enumerators(c_lowering *l, const c_node *n) {
  number next = number_of(0), given;
  for (size_t i = 0; i < n->count; i++) {
    const c_node *constant = n->inner[i];
    if (constant->kind != C_ENUM_CONSTANT) continue;
    const char *value = constant->count ? constant->inner[0]->value : "";
    if (*value && number_parse(value, strlen(value), &given)) next = given;
    map_set(l->constants, constant->id, l->constant_values.count);
    VECTOR_PUSH(l->constant_values, next);
    next = number_add(next, number_of(1));
  }
}

static void survey_assigned(c_lowering *l, const c_node *n) {
  bool assigns =
      (n->kind == C_BINARY && !strcmp(n->opcode, "=")) || n->kind == C_COMPOUND_ASSIGN ||
      (n->kind == C_UNARY && (!strcmp(n->opcode, "++") || !strcmp(n->opcode, "--") || !strcmp(n->opcode, "&")));
  if (!assigns || !n->count) return;
  const c_node *to = c_without_parens(n->inner[0]);
  if (to->kind == C_NAME) map_set(l->assigned, to->reference, 1);
}

static bool is_error_call(const char *name) {
  return !strcmp(name, "reach_error") || !strcmp(name, "__VERIFIER_error");
}

static void survey_node(c_lowering *l, const c_node *n, bool is_top) {
  uint64_t known;
  if (n->kind == C_FUNCTION && (has_body(n) || !names_get(l->functions, n->name, &known)))
    names_set(l->functions, n->name, key(n));
  if (n->kind == C_VARIABLE && (is_top || !strcmp(n->storage, "extern"))) {
    map_set(l->global_ids, n->id, key(n));
    names_set(l->global_nodes, n->name, key(n));
  }
  if (n->kind == C_VARIABLE && !is_top && strcmp(n->storage, "extern")) map_set(l->variables, n->id, key(n));
  if (n->kind == C_ENUM) survey_enumerators(l, n);
  if (n->kind == C_GOTO) map_set(l->targets, n->reference, 1);
  if (n->kind == C_LABEL) map_set(l->labels, n->reference, key(n));
  if (n->kind == C_NAME && n->reference_kind == C_FUNCTION && is_error_call(n->reference_name))
    l->has_error_call = true;
  survey_assigned(l, n);
  for (size_t i = 0; i < n->count; i++) survey_node(l, n->inner[i], n->kind == C_TRANSLATION_UNIT);
}

/* ---- what is in scope where ---- */

static void note_visible(c_lowering *l, const c_node *n, const c_nodes *in_scope) {
  c_nodes *kept = arena_alloc(l->arena, sizeof *kept);
  kept->at = arena_alloc(l->arena, (in_scope->count + 1) * sizeof *kept->at);
  kept->count = in_scope->count;
  for (size_t i = 0; i < in_scope->count; i++) kept->at[i] = in_scope->at[i];
  map_set(l->visible, key(n), key(kept));
}

static void survey_scopes(c_lowering *l, const c_node *n, c_nodes *in_scope) {
  size_t before = in_scope->count;
  bool is_jump =
      n->kind == C_LABEL || n->kind == C_GOTO || n->kind == C_CASE || n->kind == C_DEFAULT || n->kind == C_SWITCH;
  bool is_loop = n->kind == C_WHILE || n->kind == C_DO || n->kind == C_FOR;
  if (is_jump || is_loop) note_visible(l, n, in_scope);
  if (n->kind == C_VARIABLE && strcmp(n->storage, "static") && strcmp(n->storage, "extern")) VECTOR_PUSH(*in_scope, n);
  for (size_t i = 0; i < n->count; i++) survey_scopes(l, n->inner[i], in_scope);
  bool is_scope = n->kind != C_VARIABLE && n->kind != C_DECLARATION && n->kind != C_LABEL && n->kind != C_CASE &&
                  n->kind != C_DEFAULT;
  if (is_scope) in_scope->count = before;
}

void c_survey(c_lowering *l, const c_node *tree) {
  survey_node(l, tree, false);
  c_survey_addressed(l, tree);
  for (size_t i = 0; i < tree->count; i++) {
    c_nodes in_scope = {0};
    if (tree->inner[i]->kind == C_FUNCTION && has_body(tree->inner[i])) survey_scopes(l, tree->inner[i], &in_scope);
    VECTOR_FREE(in_scope);
  }
}

const c_nodes *c_visible_at(const c_lowering *l, const c_node *n) {
  static const c_nodes none = {0};
  uint64_t found;
  return map_get(l->visible, key(n), &found) ? (const c_nodes *)(uintptr_t)found : &none;
}

/* The name of the variable stands in `n`, at or after `from`; NULL: anywhere. */
static const c_node *find_use(const c_node *n, const c_node *variable, const c_node *from) {
  if (n->kind == C_NAME && n->reference == variable->id && (!from || !n->is_here || n->start >= from->start)) return n;
  const c_node *found = NULL;
  for (size_t i = 0; i < n->count && !found; i++) found = find_use(n->inner[i], variable, from);
  return found;
}

/* In `n`, something other than `to` that is in the scope of the variable may lead back. */
static bool leads_back(const c_lowering *l, const c_node *n, const c_node *variable, const c_node *to) {
  bool is_loop = n->kind == C_WHILE || n->kind == C_DO || n->kind == C_FOR;
  bool is_target = n->kind == C_LABEL && n != to && map_get(l->targets, n->reference, NULL);
  const c_nodes *in_scope = c_visible_at(l, n);
  for (size_t i = 0; i < in_scope->count && (is_loop || is_target); i++)
    if (in_scope->at[i] == variable) return true;
  for (size_t i = 0; i < n->count; i++)
    if (leads_back(l, n->inner[i], variable, to)) return true;
  return false;
}

/* A pointer that is named after the jump would have no value. */
static void jump_over_pointer(c_lowering *l, const c_node *variable, const c_node *to) {
  const c_node *function = l->frame->function;
  bool goes_back = !to->is_here || leads_back(l, function, variable, to);
  const c_node *use = find_use(function, variable, goes_back ? NULL : to);
  if (use)
    c_refuse(l, use, "a jump over the declaration of the pointer `%s` may lead here; one declared before it is read",
             variable->name);
}

void c_jump_into(c_lowering *l, c_path *p, const c_node *from, const c_node *to) {
  const c_nodes *before = c_visible_at(l, from), *after = c_visible_at(l, to);
  for (size_t i = 0; i < after->count && !l->refused; i++) {
    bool was_visible = false;
    for (size_t j = 0; j < before->count; j++) was_visible |= before->at[j] == after->at[i];
    if (was_visible) continue;
    if (c_type_of(&l->types, after->at[i]->type)->kind == TYPE_POINTER)
      jump_over_pointer(l, after->at[i], to);
    else
      c_object_clear(l, p, c_object_declare(l, after->at[i]), false);
  }
}

/* ---- globals ---- */

static void survey_used(c_lowering *l, const c_node *n, map *seen, c_nodes *out);

static void survey_used_function(c_lowering *l, const char *name, map *seen, c_nodes *out) {
  uint64_t known;
  if (!names_get(l->functions, name, &known) || map_get(seen, known, NULL)) return;
  map_set(seen, known, 1);
  survey_used(l, (const c_node *)(uintptr_t)known, seen, out);
}

static void survey_used_global(c_lowering *l, uint64_t global, map *seen, c_nodes *out) {
  const c_node *variable = (const c_node *)(uintptr_t)global;
  if (map_get(seen, global, NULL)) return;
  map_set(seen, global, 1);
  VECTOR_PUSH(*out, variable);
  survey_used(l, variable, seen, out);
}

/* The tree has lengths of arrays only as texts in types: names in these may be global variables. */
static void survey_length(c_lowering *l, const char *type, map *seen, c_nodes *out) {
  const char *at = strchr(type, '[');
  while (at && *at) {
    size_t n = 0;
    uint64_t known;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
    char *name = text_format("%.*s", (int)n, at);
    if (n && names_get(l->global_nodes, name, &known)) survey_used_global(l, known, seen, out);
    memory_free(name);
    at += n ? n : 1;
  }
}

static void survey_used(c_lowering *l, const c_node *n, map *seen, c_nodes *out) {
  uint64_t known;
  if (n->kind == C_VARIABLE && n->has_length_in_type) survey_length(l, n->type, seen, out);
  for (size_t i = 0; i < l->addressed.count && n->kind == C_CALL && !c_callee_of(n); i++)
    survey_used_function(l, l->addressed.at[i], seen, out);
  if (n->kind == C_VARIABLE && !strcmp(n->storage, "static") && !map_get(seen, key(n), &known)) {
    map_set(seen, key(n), 1);
    VECTOR_PUSH(*out, n);
  }
  if (n->kind == C_NAME && n->reference_kind == C_FUNCTION) survey_used_function(l, n->reference_name, seen, out);
  if (n->kind == C_NAME && map_get(l->global_ids, n->reference, &known)) survey_used_global(l, known, seen, out);
  for (size_t i = 0; i < n->count; i++) survey_used(l, n->inner[i], seen, out);
}

void c_survey_globals(c_lowering *l, const c_node *function, c_nodes *out) {
  map *seen = map_new();
  map_set(seen, key(function), 1);
  survey_used(l, function, seen, out);
  map_free(seen);
}

/* ---- what is written ---- */

static const c_node *base_of(const c_node *n) {
  n = c_without_parens(n);
  while ((n->kind == C_SUBSCRIPT || n->kind == C_MEMBER || n->kind == C_IMPLICIT_CAST) && n->count)
    n = c_without_parens(n->inner[0]);
  return n;
}

static void survey_written(c_lowering *l, const c_node *n, map *seen, map *out);

static void survey_written_by(c_lowering *l, const char *name, map *seen, map *out) {
  uint64_t known;
  if (!names_get(l->functions, name, &known) || map_get(seen, known, NULL)) return;
  map_set(seen, known, 1);
  survey_written(l, (const c_node *)(uintptr_t)known, seen, out);
}

static void survey_written(c_lowering *l, const c_node *n, map *seen, map *out) {
  for (size_t i = 0; i < l->addressed.count && n->kind == C_CALL && !c_callee_of(n); i++)
    survey_written_by(l, l->addressed.at[i], seen, out);
  bool writes =
      (n->kind == C_BINARY && !strcmp(n->opcode, "=")) || n->kind == C_COMPOUND_ASSIGN ||
      (n->kind == C_UNARY && (!strcmp(n->opcode, "++") || !strcmp(n->opcode, "--") || !strcmp(n->opcode, "&")));
  if (writes && n->count && base_of(n->inner[0])->kind == C_NAME) map_set(out, base_of(n->inner[0])->reference, 1);
  if (n->kind == C_NAME && n->reference_kind == C_FUNCTION) survey_written_by(l, n->reference_name, seen, out);
  for (size_t i = 0; i < n->count; i++) survey_written(l, n->inner[i], seen, out);
}

void c_survey_written(c_lowering *l, const c_node *function, map *out) {
  map *seen = map_new();
  map_set(seen, key(function), 1);
  survey_written(l, function, seen, out);
  map_free(seen);
}

/* ---- order ---- */

/* A variable or member that is used; of an array, one element if the index is constant. */
typedef struct c_use {
  uint64_t what;
  bool has_index;
  number index;
} c_use;

typedef struct effects {
  VECTOR(c_use) reads, writes;
} effects;

/* `a[3]`, where `a` is an array and no pointer. */
static bool is_element(const c_node *n, c_use *out) {
  if (n->kind != C_SUBSCRIPT || n->count != 2) return false;
  const c_node *array = c_without_parens(n->inner[0]), *index = c_without_parens(n->inner[1]);
  if (array->kind != C_IMPLICIT_CAST || strcmp(array->cast, "ArrayToPointerDecay") || !array->count) return false;
  const c_node *name = c_without_parens(array->inner[0]);
  while (index->kind == C_IMPLICIT_CAST && index->count) index = c_without_parens(index->inner[0]);
  if (name->kind != C_NAME || index->kind != C_INTEGER) return false;
  *out = (c_use){.what = name->reference, .has_index = true};
  return number_parse(index->value, strlen(index->value), &out->index);
}

/* What is assigned: the members on the way to it, and the variable, unless it is behind a pointer of a member. */
static void find_written(const c_node *to, effects *out) {
  c_use one;
  for (to = c_without_parens(to); to->count && !is_element(to, &one); to = c_without_parens(to->inner[0])) {
    bool is_member = to->kind == C_MEMBER;
    if (!is_member && to->kind != C_SUBSCRIPT && to->kind != C_IMPLICIT_CAST && to->kind != C_UNARY) return;
    if (is_member) VECTOR_PUSH(out->writes, (c_use){.what = to->reference});
    if (is_member && to->is_arrow) return;
  }
  if (is_element(to, &one))
    VECTOR_PUSH(out->writes, one);
  else if (to->kind == C_NAME)
    VECTOR_PUSH(out->writes, (c_use){.what = to->reference});
}

/* What happens inside a function that is called is in some order with the rest; only its arguments count. From the address
 * of an element others can be reached. */
static void find_effects(const c_node *n, bool is_address, effects *out) {
  bool writes = (n->kind == C_BINARY && !strcmp(n->opcode, "=")) || n->kind == C_COMPOUND_ASSIGN ||
                (n->kind == C_UNARY && (!strcmp(n->opcode, "++") || !strcmp(n->opcode, "--")));
  c_use one;
  if (n->kind == C_SIZEOF) return;
  if (writes && n->count) find_written(n->inner[0], out);
  if (n->kind == C_CALL && n->count && c_is_overflow_call(n)) {
    const c_node *to = c_without_parens(n->inner[n->count - 1]);
    if (to->kind == C_UNARY && !strcmp(to->opcode, "&") && to->count) find_written(to->inner[0], out);
  }
  if (!is_address && is_element(n, &one)) {
    VECTOR_PUSH(out->reads, one);
    return;
  }
  if (n->kind == C_MEMBER || (n->kind == C_NAME && n->reference_kind != C_FUNCTION))
    VECTOR_PUSH(out->reads, (c_use){.what = n->reference});
  is_address |= n->kind == C_UNARY && !strcmp(n->opcode, "&");
  for (size_t i = 0; i < n->count; i++) find_effects(n->inner[i], is_address, out);
}

static bool meet(const effects *writer, const effects *reader) {
  for (size_t i = 0; i < writer->writes.count; i++)
    for (size_t j = 0; j < reader->reads.count; j++) {
      const c_use *w = &writer->writes.at[i], *r = &reader->reads.at[j];
      bool are_apart = w->has_index && r->has_index && !number_equal(w->index, r->index);
      if (w->what == r->what && !are_apart) return true;
    }
  return false;
}

void c_check_unsequenced(c_lowering *l, const c_node *a, const c_node *b) {
  effects first = {0}, second = {0};
  find_effects(a, false, &first);
  find_effects(b, false, &second);
  if (meet(&first, &second) || meet(&second, &first))
    c_refuse(l, a,
             "a variable is changed here and used elsewhere in the same expression, in an order that C does not fix; "
             "two statements would be read");
  VECTOR_FREE(first.reads);
  VECTOR_FREE(first.writes);
  VECTOR_FREE(second.reads);
  VECTOR_FREE(second.writes);
}
