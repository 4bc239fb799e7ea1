/* Pointer variables. Each points into one of a few objects, which are known when the program is read, or to nothing; into
 * which one and where, is kept in cells unless it is constant. A variable that is not assigned has its targets from its
 * declaration, others from all that is assigned to them (targets.c). Reading one with several targets makes several
 * paths of each, so that the object is known on each of them. */
#include "input/c/pointers/targets.h"

typedef struct c_pointer {
  c_targets targets; /* none: null, or, if it moves, nothing was assigned so far that is not null */
  bool is_constant;  /* index and outer are numbers; else they are in cells */
  bool may_be_null;
  term value, outer;
  size_t value_cell, outer_cell;
  size_t target_cell; /* the number of the target, if there are several */
  bool moves;         /* it is assigned: outer is that of the target */
  bool was_read;
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

static void keep_in_cells(c_lowering *l, c_pointer *to, const char *name) {
  const c_type *t = c_type_signed(&l->types, 128);
  char *target = text_format("target of %s", name);
  to->value_cell = c_cell_new(l, name, t);
  const struct c_space *s = to->targets.count ? to->targets.at[0].object->space : NULL;
  if (!to->moves) to->outer_cell = c_cell_new(l, name, s ? l->cells.at[s->next].type : t);
  to->target_cell = c_cell_new(l, target, c_type_signed(&l->types, 8));
  memory_free(target);
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

static void save_target(c_lowering *l, c_path *p, const c_pointer *to, size_t target) {
  c_operand o = c_value_number(l, l->cells.at[to->target_cell].type, number_of((int64_t)target));
  c_cell_write(l, p, to->target_cell, &o);
}

/* ---- one value ---- */

static bool is_number(const c_lowering *l, term t) {
  number n;
  return term_is_number(l->ts, t, &n);
}

/* What the paths have on top of their stacks; false after a refusal. */
static bool find_common(c_lowering *l, const c_node *variable, c_pointer *out) {
  c_operand first = VECTOR_LAST(l->live.at[0]->stack);
  for (size_t i = 0; i < l->live.count && !first.object; i++) first = VECTOR_LAST(l->live.at[i]->stack);
  *out = (c_pointer){.is_constant = true, .value = first.value, .outer = first.outer};
  for (size_t i = 0; i < l->live.count; i++) {
    const c_operand *o = &VECTOR_LAST(l->live.at[i]->stack);
    out->may_be_null |= o->may_be_null || (first.object && !o->object);
    if (o->object && c_target_of(&out->targets, o, false) == C_NO_TARGET &&
        !c_target_add(l, &out->targets, o, variable, variable->name))
      return false;
    bool same = o->object == first.object && term_same(o->value, first.value) && term_same(o->outer, first.outer);
    out->is_constant &= same && (!o->object || (is_number(l, o->value) && is_number(l, o->outer)));
  }
  out->is_constant &= out->targets.count < 2;
  return true;
}

static void refuse_life(c_lowering *l, const c_node *at, const char *name) {
  c_refuse(l, at, "the pointer `%s` may be there longer than what it points to; one in the same block would be read",
           name);
}

static void bind(c_lowering *l, const c_node *variable) {
  c_pointer made;
  if (!find_common(l, variable, &made)) return;
  for (size_t i = 0; i < made.targets.count && variable->kind == C_VARIABLE; i++)
    if (!c_object_outlives(l, made.targets.at[i].object, variable)) {
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
    save_target(l, l->live.at[i], &made, o.object ? c_target_of(&made.targets, &o, false) : 0);
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
  c_targets_recall(l, variable, &made->targets);
  for (size_t i = 0; i < l->live.count; i++) save_target(l, l->live.at[i], made, 0);
  return made;
}

void c_pointer_declare(c_lowering *l, const c_node *variable) {
  const c_pointer *made = declare_moving(l, variable);
  for (size_t i = 0; i < l->live.count; i++) save(l, l->live.at[i], made->value_cell, c_pointer_null(l), variable);
}

/* Of a pointer that holds any value before it is set, what is allocated later is not there yet. */
static void expect(c_lowering *l, const c_pointer *p, const c_object *o) {
  if (p->may_be_unset && o->declared && o->declared->kind == C_CALL)
    VECTOR_PUSH(l->unallocated, o->first + o->item->cells);
}

/* Null, or any index into what it may point to later, be there an element or not. */
void c_pointer_declare_unset(c_lowering *l, const c_node *variable) {
  c_pointer *made = declare_moving(l, variable);
  char *any = text_format("any %s", variable->name);
  const char *name = arena_copy_string(l->arena, any);
  const c_type *t = c_type_signed(&l->types, 64);
  memory_free(any);
  made->may_be_unset = true;
  for (size_t i = 0; i < made->targets.count && !l->refused; i++) expect(l, made, made->targets.at[i].object);
  for (size_t i = 0; i < l->live.count; i++) {
    term index = c_path_any(l, l->live.at[i], t, name).value;
    term is_null = term_eq(l->ts, index, term_number(l->ts, t->low));
    save(l, l->live.at[i], made->value_cell, term_ite(l->ts, is_null, c_pointer_null(l), index), variable);
  }
}

/* The number of the target of what is assigned. */
static size_t take_target(c_lowering *l, c_pointer *to, const c_operand *from, const c_node *at, const char *name) {
  size_t known = c_target_of(&to->targets, from, true);
  if (!c_object_outlives(l, from->object, to->variable)) {
    refuse_life(l, at, name);
  } else if (known == C_NO_TARGET && !is_number(l, from->outer)) {
    c_refuse(
        l, at,
        "the pointer `%s` gets a place that an index decides; one that is assigned once, or a constant index, would "
        "be read",
        name);
  } else if (known == C_NO_TARGET && to->was_read) {
    c_target_remember(l, to->variable, from, at);
  } else if (known == C_NO_TARGET && c_target_add(l, &to->targets, from, at, name)) {
    known = to->targets.count - 1;
    expect(l, to, from->object);
  }
  return l->refused ? 0 : known;
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
    save_target(l, p, to, o.object ? take_target(l, to, &o, at, name) : 0);
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

/* ---- reading ---- */

static c_operand value_with_target(c_lowering *l, const c_path *p, const c_pointer *from, size_t number,
                                   const c_type *t) {
  const c_target *target = &from->targets.at[number];
  c_operand o = {.type = t,
                 .value = from->value,
                 .object = target->object,
                 .outer = from->moves ? target->outer : from->outer,
                 .count = target->count,
                 .leaf = target->leaf,
                 .may_be_null = from->may_be_null};
  if (from->is_constant) return o;
  o.value = c_cell_read(l, p, from->value_cell).value;
  if (!from->moves) o.outer = c_cell_read(l, p, from->outer_cell).value;
  return o;
}

/* The path, which goes, for each target that it can have. */
static void read_on(c_lowering *l, TAKE c_path *p, const c_pointer *from, const c_type *t, c_paths *out) {
  term held = from->targets.count > 1 ? c_cell_read(l, p, from->target_cell).value : TERM_TRUE;
  for (size_t i = 0; i + 1 < from->targets.count; i++) {
    term is_it = term_eq(l->ts, held, term_int(l->ts, (int64_t)i));
    c_path *one = c_path_copy(p);
    c_path_push(one, value_with_target(l, one, from, i, t));
    if (c_path_assume(l, one, is_it))
      VECTOR_PUSH(*out, one);
    else
      c_path_free(one);
    if (!c_path_assume(l, p, term_not(is_it))) {
      c_path_free(p);
      return;
    }
  }
  c_path_push(p, value_with_target(l, p, from, from->targets.count - 1, t));
  VECTOR_PUSH(*out, p);
}

/* No target is known: it is null. */
static void read_null(c_lowering *l, c_path *p, const c_pointer *from, const c_type *t, const c_node *at) {
  if (from->may_be_unset && !term_same(c_cell_read(l, p, from->value_cell).value, c_pointer_null(l)))
    c_refuse(l, at, "the pointer `%s` may be used before it is set; one that is set where it is declared is read",
             from->variable->name);
  c_path_push(p, (c_operand){.type = t, .value = term_int(l->ts, 0), .outer = term_int(l->ts, 0)});
}

void c_pointer_read(c_lowering *l, uint64_t id, const c_node *at) {
  uint64_t known;
  const c_type *t = c_type_of(&l->types, at->type);
  if (!map_get(l->pointers, id, &known)) {
    c_refuse_type(l, at, t);
    return;
  }
  c_pointer *from = (c_pointer *)(uintptr_t)known;
  c_paths made = {0};
  if (!l->live.count || !is_at_home(l, from, at)) return;
  from->was_read = true;
  for (size_t i = 0; i < l->live.count; i++) {
    if (from->targets.count) {
      read_on(l, l->live.at[i], from, t, &made);
      continue;
    }
    read_null(l, l->live.at[i], from, t, at);
    VECTOR_PUSH(made, l->live.at[i]);
  }
  VECTOR_CLEAR(l->live);
  c_paths_move(&made, &l->live);
  VECTOR_FREE(made);
}
