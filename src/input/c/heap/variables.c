/* Variables in memory: those of a type that is in memory and whose address is taken. Each has a cell for its address. */
#include "input/c/heap/heap.h"

bool c_is_in_memory(const c_lowering *l, const c_node *variable) {
  bool is_global = map_get(l->global_ids, variable->id, NULL);
  return is_global ? names_get(l->globals_in_memory, variable->name, NULL) : map_get(l->in_memory, variable->id, NULL);
}

void c_variable_declare(c_lowering *l, c_object *o, const c_node *n) {
  char *pointer = text_format("%s *", n->type), *name = text_format("address of %s", n->name);
  const c_type *t = c_type_of(&l->types, pointer);
  o->lives_in = c_space_of(l, t);
  o->first = c_cell_new(l, name, t);
  o->cells = 1;
  memory_free(pointer);
  memory_free(name);
}

/* Those are in the outermost block (survey.c). */
void c_variables_enter(c_lowering *l, const c_node *function) {
  const c_node *body = function->inner[function->count - 1];
  for (size_t i = 0; i < body->count; i++)
    for (size_t j = 0; body->inner[i]->kind == C_DECLARATION && j < body->inner[i]->count && !l->refused; j++) {
      const c_node *n = body->inner[i]->inner[j];
      bool is_own = n->kind == C_VARIABLE && strcmp(n->storage, "static") && strcmp(n->storage, "extern");
      if (!is_own || !c_is_in_memory(l, n)) continue;
      const c_object *o = c_object_declare(l, n);
      c_operand none = o->lives_in ? c_value_number(l, l->cells.at[o->first].type, number_of(0)) : (c_operand){0};
      for (size_t k = 0; k < l->live.count && o->lives_in; k++) c_cell_write(l, l->live.at[k], o->first, &none);
    }
}

void c_variable_begin(c_lowering *l, c_path *p, const c_object *o) {
  const c_space *s = o->lives_in;
  c_operand address = c_cell_read(l, p, s->last_variable);
  address.value = term_sub(l->ts, address.value, term_int(l->ts, 1));
  c_cell_write(l, p, s->last_variable, &address);
  c_cell_write(l, p, o->first, &address);
}

void c_variable_zero(c_lowering *l, c_path *p, const c_object *o) {
  c_operand where = c_object_place_on(l, p, o);
  for (size_t i = 0; i < where.object->cells; i++) c_array_write(l, p, &where, i, term_int(l->ts, 0));
}

/* At 0, the address of one that was never declared, there is nothing, so nothing goes. */
void c_variable_end(c_lowering *l, c_path *p, const c_object *o) {
  const c_space *s = o->lives_in;
  if (s->gone == C_NO_CELL) return;
  c_operand gone = c_cell_read(l, p, s->gone);
  gone.value = term_store(l->ts, gone.value, c_cell_read(l, p, o->first).value, TERM_TRUE);
  c_cell_write(l, p, s->gone, &gone);
}
