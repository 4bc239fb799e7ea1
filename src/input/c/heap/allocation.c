/* malloc, calloc and free, and what is still allocated at the end. malloc always has an object to give. */
#include "input/c/heap/heap.h"

void c_heap_count(c_lowering *l, c_path *p, term by) {
  if (!l->counts_memory) return;
  c_operand all = c_cell_read(l, p, l->allocated);
  all.value = term_add(l->ts, all.value, by);
  c_cell_write(l, p, l->allocated, &all);
}

/* The number of bytes: of calloc the product of its arguments, which are on the stack. */
static bool take_size(c_lowering *l, c_path *p, const c_node *call, number *out) {
  bool is_known = true;
  *out = number_of(1);
  for (size_t i = 1; i < call->count; i++) {
    number part = number_of(0);
    is_known &= term_is_number(l->ts, c_path_pop(p).value, &part);
    *out = number_mul(*out, part);
  }
  return is_known;
}

static c_operand new_object(c_lowering *l, c_path *p, const c_space *s, const c_type *t) {
  c_operand made = c_cell_read(l, p, s->next), after = made;
  made.type = t;
  after.value = term_add(l->ts, made.value, term_int(l->ts, 1));
  c_path_assume(l, p, term_lt(l->ts, term_int(l->ts, 0), made.value)); /* addresses grow from 1 on */
  c_cell_write(l, p, s->next, &after);
  if (s->gone != C_NO_CELL) {
    c_operand gone = c_cell_read(l, p, s->gone);
    gone.value = term_store(l->ts, gone.value, made.value, TERM_FALSE);
    c_cell_write(l, p, s->gone, &gone);
  }
  c_heap_count(l, p, term_int(l->ts, 1));
  return made;
}

static void set_to_zero(c_lowering *l, c_path *p, const c_space *s, term address) {
  c_operand where = {.type = s->object.item, .value = term_int(l->ts, 0), .object = &s->object, .outer = address};
  for (size_t i = 0; i < s->object.cells; i++) c_array_write(l, p, &where, i, term_int(l->ts, 0));
}

void c_heap_allocate(c_lowering *l, const c_node *call, const c_type *t) {
  if (!t->is_address) {
    c_refuse(l, call,
             "memory is allocated for what is not known; a result that is cast to a pointer to a struct or an "
             "integer at once is read");
    return;
  }
  const c_space *s = c_space_of(l, t);
  const c_type *item = c_type_target(&l->types, t);
  const char *name = c_callee_of(call)->reference_name;
  bool is_zero = !strcmp(name, "calloc");
  if (strcmp(name, "malloc") && !is_zero) {
    c_refuse(l, call, "`%s` gives memory to a pointer with several values; malloc is read", name);
    return;
  }
  l->has_allocations = true;
  for (size_t i = 1; i < call->count; i++) c_eval(l, call->inner[i]);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    number bytes;
    bool is_known = take_size(l, p, call, &bytes);
    if (item->kind == TYPE_OTHER) {
      c_refuse_type(l, call, item);
      return;
    }
    if (!s->object.item || !is_known || number_compare(bytes, number_of((int64_t)item->bytes)) < 0) {
      c_refuse(l, call,
               "this memory is not one object of type `%s`; a constant size of at least that of the type, of a "
               "struct of integers and pointers or an integer, is read",
               item->text);
      return;
    }
    c_operand made = new_object(l, p, s, t);
    if (is_zero) set_to_zero(l, p, s, made.value);
    c_path_push(p, made);
  }
}

/* ---- free ---- */

void c_heap_free(c_lowering *l, c_path *p, const c_operand *a, const c_node *call) {
  const c_space *s = c_space_of(l, a->type);
  if (s->gone == C_NO_CELL) {
    c_refuse(l, call, "what is freed here is not known; what malloc gave is");
    return;
  }
  term zero = term_int(l->ts, 0), is_null = term_eq(l->ts, a->value, zero);
  c_operand gone = c_cell_read(l, p, s->gone), next = c_cell_read(l, p, s->next);
  term is_there = term_and(l->ts, term_lt(l->ts, zero, a->value), term_lt(l->ts, a->value, next.value));
  is_there = term_and(l->ts, is_there, term_not(term_select(l->ts, gone.value, a->value)));
  c_path_check(l, p, term_not(term_or(l->ts, is_null, is_there)), ERROR_FREE, call);
  gone.value = term_store(l->ts, gone.value, a->value, TERM_TRUE); /* at 0 there is nothing, so nothing goes */
  c_cell_write(l, p, s->gone, &gone);
  c_heap_count(l, p, term_ite(l->ts, is_null, zero, term_int(l->ts, -1)));
}

/* ---- the end ---- */

static void note_left(c_lowering *l, c_path *p, c_error error, const c_node *at) {
  if (!l->is_asked[error] || term_is_false(p->guard)) return;
  term is_left = term_not(term_eq(l->ts, c_cell_read(l, p, l->allocated).value, term_int(l->ts, 0)));
  term when = term_and(l->ts, term_and(l->ts, p->guard, is_left), c_points_error(l, p, error, at));
  l->is_checked[error] = true;
  if (term_is_false(when)) return;
  l->can_fail[error] = true;
  c_edge_add(l, p, when, l->errors[error], false, at);
}

void c_heap_end(c_lowering *l, c_paths *ps, bool returns, const c_node *at) {
  if (!l->counts_memory) return;
  for (size_t i = 0; i < ps->count && !l->refused; i++) {
    if (returns) note_left(l, ps->at[i], ERROR_TRACK, at);
    note_left(l, ps->at[i], ERROR_CLEANUP, at);
  }
}
