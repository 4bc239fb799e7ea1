/* Pointer variables. Each points into one object, which is known when the program is read, or to nothing; where in it, is
 * kept in cells unless it is constant. A variable that is assigned has its target from what is first assigned to it, and
 * what is assigned later must have the same. */
#include "input/c/heap/heap.h"

typedef struct c_pointer {
  const c_object *object; /* NULL: null, or, if it moves, nothing was assigned so far that is not null */
  size_t count, leaf;
  bool is_constant; /* index and outer are numbers; else they are in cells */
  bool may_be_null;
  term value, outer;
  size_t value_cell, outer_cell;
  bool moves;    /* it is assigned: only the index is in a cell */
  bool was_null; /* it was read when no target was known */
  bool may_be_unset;
  const c_node *variable;
  const c_node *inside; /* the procedure in which it was declared; NULL: none */
} c_pointer;

static c_pointer *pointer_of(c_lowering *l, uint64_t id) {
  uint64_t known;
  if (map_get(l->pointers, id, &known)) return (c_pointer *)(uintptr_t)known;
  c_pointer *made = arena_alloc(l->arena, sizeof *made);
  map_set(l->pointers, id, (uint64_t)(uintptr_t)made);
  return made;
}

/* An index that is none of any object, however far a pointer is moved from there. */
term c_pointer_null(c_lowering *l) { return term_number(l->ts, number_negate(number_power_of_two(70))); }

static const c_node *procedure_around(c_lowering *l) {
  const c_frame *f = l->frame;
  while (f && f->caller) f = f->caller;
  return f && c_is_procedure(l, f->function) ? f->function : NULL;
}

static bool have_one_target(const c_operand *a, const c_operand *b) {
  return a->object == b->object && a->count == b->count && a->leaf == b->leaf;
}

static void keep_in_cells(c_lowering *l, c_pointer *to, const char *name) {
  const c_type *t = c_type_signed(&l->types, 128);
  to->value_cell = c_cell_new(l, name, t);
  const struct c_space *s = to->object ? to->object->space : NULL;
  if (!to->moves) to->outer_cell = c_cell_new(l, name, s ? l->cells.at[s->next].type : t);
}

/* No index into an object is as large as the type of the cell: C leaves such pointers undefined. */
static void save(c_lowering *l, c_path *p, size_t cell, term value, const c_node *at) {
  const c_type *t = l->cells.at[cell].type;
  c_operand o = {.type = t, .value = value, .low = t->low, .high = t->high};
  if (t->is_address) {
    c_cell_write(l, p, cell, &o);
    return;
  }
  term low = term_lt(l->ts, value, term_number(l->ts, t->low)),
       high = term_gt(l->ts, value, term_number(l->ts, t->high));
  c_path_check(l, p, term_or(l->ts, low, high), ERROR_DEREFERENCE, at);
  c_path_bounds(l, p, value, &o.low, &o.high);
  c_cell_write(l, p, cell, &o);
}

static void refuse_targets(c_lowering *l, const c_node *at, const char *name) {
  c_refuse(l, at, "the pointer `%s` can point to different variables; a pointer for each of them would be read", name);
}

/* ---- one value ---- */

static bool is_number(const c_lowering *l, term t) {
  number n;
  return term_is_number(l->ts, t, &n);
}

/* What all paths have on top of their stacks; false after a refusal. */
static bool find_common(c_lowering *l, const c_node *variable, c_pointer *out) {
  c_operand first = VECTOR_LAST(l->live.at[0]->stack);
  for (size_t i = 0; i < l->live.count && !first.object; i++) first = VECTOR_LAST(l->live.at[i]->stack);
  *out = (c_pointer){.object = first.object,
                     .count = first.count,
                     .leaf = first.leaf,
                     .is_constant = true,
                     .value = first.value,
                     .outer = first.outer};
  for (size_t i = 0; i < l->live.count; i++) {
    const c_operand *o = &VECTOR_LAST(l->live.at[i]->stack);
    out->may_be_null |= o->may_be_null || (first.object && !o->object);
    if (o->object && !have_one_target(&first, o)) {
      refuse_targets(l, variable, variable->name);
      return false;
    }
    bool same = o->object == first.object && term_same(o->value, first.value) && term_same(o->outer, first.outer);
    out->is_constant &= same && (!o->object || (is_number(l, o->value) && is_number(l, o->outer)));
  }
  return true;
}

static void refuse_life(c_lowering *l, const c_node *at, const char *name) {
  c_refuse(l, at, "the pointer `%s` may be there longer than what it points to; one in the same block would be read",
           name);
}

static void bind(c_lowering *l, const c_node *variable) {
  c_pointer made;
  if (!find_common(l, variable, &made)) return;
  if (variable->kind == C_VARIABLE && made.object && !c_object_outlives(l, made.object, variable)) {
    refuse_life(l, variable, variable->name);
    return;
  }
  made.inside = procedure_around(l);
  if (!made.is_constant) keep_in_cells(l, &made, variable->name);
  *pointer_of(l, variable->id) = made;
  for (size_t i = 0; i < l->live.count; i++) {
    c_operand o = c_path_pop(l->live.at[i]);
    if (made.is_constant) continue;
    save(l, l->live.at[i], made.value_cell, o.object ? o.value : c_pointer_null(l), variable);
    save(l, l->live.at[i], made.outer_cell, o.object ? o.outer : term_int(l->ts, 0), variable);
  }
}

/* ---- pointers that move ---- */

/* What a procedure does through pointers from outside is not known to whoever calls it. */
static bool is_at_home(c_lowering *l, const c_pointer *p, const c_node *at) {
  if (p->inside == procedure_around(l)) return true;
  c_refuse(l, at,
           "a pointer of the whole program is used in a function that may call itself; the variable would be read");
  return false;
}

static c_pointer *moving(c_lowering *l, uint64_t id, const c_node *at) {
  uint64_t known;
  c_pointer *p = map_get(l->pointers, id, &known) ? (c_pointer *)(uintptr_t)known : NULL;
  if (!p || !p->moves) {
    c_refuse(l, at, "this pointer is not read; a pointer variable with a type of its own is");
    return NULL;
  }
  return is_at_home(l, p, at) ? p : NULL;
}

static c_pointer *declare_moving(c_lowering *l, const c_node *variable) {
  c_pointer *made = pointer_of(l, variable->id);
  *made = (c_pointer){.moves = true, .may_be_null = true, .variable = variable, .inside = procedure_around(l)};
  keep_in_cells(l, made, variable->name);
  return made;
}

void c_pointer_declare(c_lowering *l, const c_node *variable) {
  const c_pointer *made = declare_moving(l, variable);
  for (size_t i = 0; i < l->live.count; i++) save(l, l->live.at[i], made->value_cell, c_pointer_null(l), variable);
}

/* Null, or any index into what it may point to later, be there an element or not. */
void c_pointer_declare_unset(c_lowering *l, const c_node *variable) {
  c_pointer *made = declare_moving(l, variable);
  char *any = text_format("any %s", variable->name);
  const char *name = arena_copy_string(l->arena, any);
  const c_type *t = c_type_signed(&l->types, 64);
  memory_free(any);
  made->may_be_unset = true;
  for (size_t i = 0; i < l->live.count; i++) {
    term index = c_path_any(l, l->live.at[i], t, name).value;
    term is_null = term_eq(l->ts, index, term_number(l->ts, t->low));
    save(l, l->live.at[i], made->value_cell, term_ite(l->ts, is_null, c_pointer_null(l), index), variable);
  }
}

static void take_target(c_lowering *l, c_pointer *to, const c_operand *from, const c_node *at, const char *name) {
  c_operand known = {.object = to->object, .count = to->count, .leaf = to->leaf};
  if (!c_object_outlives(l, from->object, to->variable)) {
    refuse_life(l, at, name);
  } else if (to->object && (!have_one_target(&known, from) || !term_same(to->outer, from->outer))) {
    refuse_targets(l, at, name);
  } else if (!to->object && (to->was_null || !is_number(l, from->outer))) {
    c_refuse(l, at, "what the pointer `%s` points to is assigned after it is used; before, it would be read", name);
  } else if (!to->object) {
    to->object = from->object;
    to->count = from->count;
    to->leaf = from->leaf;
    to->outer = from->outer;
    const c_object *o = from->object;
    if (to->may_be_unset && o->declared && o->declared->kind == C_CALL)
      VECTOR_PUSH(l->unallocated, o->first + o->item->cells);
  }
}

void c_pointer_assign(c_lowering *l, uint64_t id, const c_node *at, const char *name) {
  c_pointer *to = moving(l, id, at);
  for (size_t i = 0; to && i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand o = VECTOR_LAST(p->stack);
    if (o.type->kind != TYPE_POINTER || o.is_place) {
      c_refuse_type(l, at, o.type);
      return;
    }
    if (o.object) take_target(l, to, &o, at, name);
    save(l, p, to->value_cell, o.object ? o.value : c_pointer_null(l), at);
  }
}

void c_pointer_bind(c_lowering *l, const c_node *variable) {
  bool moves = map_get(l->assigned, variable->id, NULL);
  if (moves) c_pointer_declare(l, variable);
  if (!l->live.count) return;
  if (!moves) {
    bind(l, variable);
    return;
  }
  c_pointer_assign(l, variable->id, variable, variable->name);
  for (size_t i = 0; i < l->live.count; i++) c_path_pop(l->live.at[i]);
}

c_operand c_pointer_read(c_lowering *l, const c_path *p, uint64_t id, const c_node *at) {
  uint64_t known;
  const c_type *t = c_type_of(&l->types, at->type);
  c_operand o = {.type = t, .value = term_int(l->ts, 0), .outer = term_int(l->ts, 0)};
  if (!map_get(l->pointers, id, &known)) {
    c_refuse_type(l, at, t);
    return o;
  }
  c_pointer *from = (c_pointer *)(uintptr_t)known;
  if (!is_at_home(l, from, at)) return o;
  from->was_null |= !from->object;
  if (!from->object && from->may_be_unset && !term_same(c_cell_read(l, p, from->value_cell).value, c_pointer_null(l)))
    c_refuse(l, at, "the pointer `%s` may be used before it is set; one that is set where it is declared is read",
             from->variable->name);
  if (!from->object) return o;
  o = (c_operand){.type = t,
                  .value = from->value,
                  .object = from->object,
                  .outer = from->outer,
                  .count = from->count,
                  .leaf = from->leaf,
                  .may_be_null = from->may_be_null};
  if (from->is_constant) return o;
  o.value = c_cell_read(l, p, from->value_cell).value;
  if (!from->moves) o.outer = c_cell_read(l, p, from->outer_cell).value;
  return o;
}
