/* The targets of a pointer variable. A program is run symbolically once, so what a variable can point to must be known
 * when it is used, also if it is assigned later (in a loop, or through a label). Such an assignment is remembered, and
 * the program is read again. */
#include "input/c/pointers/targets.h"

size_t c_target_of(const c_targets *targets, const c_operand *value, bool has_outer) {
  for (size_t i = 0; i < targets->count; i++) {
    const c_target *t = &targets->at[i];
    if (t->object == value->object && t->count == value->count && t->leaf == value->leaf &&
        (!has_outer || term_same(t->outer, value->outer)))
      return i;
  }
  return C_NO_TARGET;
}

/* Parameters of procedures have no declaration, and objects in memory have addresses. */
static bool can_be_one_of_several(const c_object *o) { return (o->declared || o->text) && !o->space && !o->lives_in; }

bool c_target_add(c_lowering *l, c_targets *targets, const c_operand *value, const c_node *at, const char *name) {
  bool is_fine = !targets->count || can_be_one_of_several(value->object);
  for (size_t i = 0; i < targets->count; i++) is_fine &= can_be_one_of_several(targets->at[i].object);
  if (!is_fine) {
    c_refuse(l, at, "the pointer `%s` can point to different variables; a pointer for each of them would be read",
             name);
    return false;
  }
  if (targets->count == C_MOST_TARGETS) {
    c_refuse(l, at, "the pointer `%s` can point to more than %d variables; a pointer for each of them would be read",
             name, C_MOST_TARGETS);
    return false;
  }
  targets->at[targets->count++] = (c_target){value->object, value->count, value->leaf, value->outer};
  return true;
}

/* ---- from one reading to the next ---- */

static const c_object *object_of(c_lowering *l, const c_known_target *known) {
  const c_node *n = known->declared;
  if (n->kind == C_STRING) return c_object_of_text(l, n);
  if (n->kind == C_CALL) return c_allocation_expected(l, n, known->element);
  c_node name = {.reference = n->id, .reference_name = n->name, .kind_name = ""};
  return c_object_of(l, &name);
}

void c_targets_recall(c_lowering *l, const c_node *variable, c_targets *out) {
  for (size_t i = 0; i < l->known_targets->count && !l->refused; i++) {
    const c_known_target *known = &l->known_targets->at[i];
    if (known->pointer != variable->id) continue;
    const c_object *object = object_of(l, known);
    c_operand value = {
        .object = object, .count = known->count, .leaf = known->leaf, .outer = term_number(l->ts, known->outer)};
    if (object) c_target_add(l, out, &value, variable, variable->name);
  }
}

void c_target_remember(c_lowering *l, const c_node *variable, const c_operand *value, const c_node *at) {
  const c_object *o = value->object;
  c_known_target made = {variable->id, o->text ? o->text : o->declared, NULL, value->count, value->leaf, number_of(0)};
  bool is_new = term_is_number(l->ts, value->outer, &made.outer) && can_be_one_of_several(value->object);
  if (is_new && made.declared->kind == C_CALL) made.element = value->object->type->element->text;
  for (size_t i = 0; i < l->known_targets->count; i++) {
    const c_known_target *k = &l->known_targets->at[i];
    is_new &= k->pointer != made.pointer || k->declared != made.declared || k->count != made.count ||
              k->leaf != made.leaf || !number_equal(k->outer, made.outer);
  }
  if (is_new) VECTOR_PUSH(*l->known_targets, made);
  l->knows_more |= is_new;
  c_refuse(l, at, "what the pointer `%s` points to is assigned after it is used; before, it would be read",
           variable->name);
}
