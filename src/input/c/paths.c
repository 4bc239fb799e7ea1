/* Paths: conditions, bounds, stacks, cells. */
#include "input/c/lower.h"
#include "term/bounds.h"

enum { MOST_FACTS = 40, MOST_CHARACTERS = 240, EXCERPT = 60 };

void c_path_free(c_path *p) {
  if (!p) return;
  VECTOR_FREE(p->facts);
  VECTOR_FREE(p->cells);
  VECTOR_FREE(p->stack);
  VECTOR_FREE(p->inputs);
  VECTOR_FREE(p->calls);
  text_clear(&p->statements);
  memory_free(p);
}

c_path *c_path_copy(const c_path *p) {
  c_path *copy = MEMORY_NEW(c_path);
  copy->origin = p->origin;
  copy->guard = p->guard;
  VECTOR_COPY(copy->facts, p->facts);
  VECTOR_COPY(copy->cells, p->cells);
  VECTOR_COPY(copy->stack, p->stack);
  VECTOR_COPY(copy->inputs, p->inputs);
  VECTOR_COPY(copy->calls, p->calls);
  text_add(&copy->statements, "%s", text_string(&p->statements));
  return copy;
}

void c_paths_clear(c_paths *ps) {
  for (size_t i = 0; i < ps->count; i++) c_path_free(ps->at[i]);
  VECTOR_FREE(*ps);
}

void c_paths_move(c_paths *from, c_paths *to) {
  for (size_t i = 0; i < from->count; i++) VECTOR_PUSH(*to, from->at[i]);
  VECTOR_CLEAR(*from);
}

/* ---- merging ---- */

static bool same_bounds(number al, number ah, number bl, number bh) {
  return number_equal(al, bl) && number_equal(ah, bh);
}

static bool same_operand(const c_operand *a, const c_operand *b) {
  return a->type == b->type && term_same(a->value, b->value) && a->is_place == b->is_place && a->object == b->object &&
         term_same(a->outer, b->outer) && a->count == b->count && a->leaf == b->leaf &&
         a->may_be_null == b->may_be_null && same_bounds(a->low, a->high, b->low, b->high);
}

static bool same_cells(const c_path *a, const c_path *b) {
  for (size_t i = 0; i < a->cells.count || i < b->cells.count; i++) {
    c_cell_value x = i < a->cells.count ? a->cells.at[i] : (c_cell_value){0};
    c_cell_value y = i < b->cells.count ? b->cells.at[i] : (c_cell_value){0};
    if (x.known != y.known) return false;
    if (x.known && !(term_same(x.value, y.value) && same_bounds(x.low, x.high, y.low, y.high))) return false;
  }
  return true;
}

static bool differ_in_condition_only(const c_path *a, const c_path *b) {
  if (a->origin != b->origin || a->inputs.count != b->inputs.count || a->stack.count != b->stack.count) return false;
  for (size_t i = 0; i < a->inputs.count; i++)
    if (!variable_same(a->inputs.at[i].var, b->inputs.at[i].var)) return false;
  if (a->calls.count != b->calls.count) return false;
  for (size_t i = 0; i < a->calls.count; i++)
    if (a->calls.at[i].in != b->calls.at[i].in) return false;
  for (size_t i = 0; i < a->stack.count; i++)
    if (!same_operand(&a->stack.at[i], &b->stack.at[i])) return false;
  return same_cells(a, b);
}

static void set_guard(c_lowering *l, c_path *p, term guard) {
  p->guard = guard;
  VECTOR_CLEAR(p->facts);
  term_conjuncts(l->ts, guard, &p->facts);
}

void c_paths_merge(c_lowering *l, c_paths *ps) {
  size_t kept = 0;
  for (size_t i = 0; i < ps->count; i++) {
    size_t j = 0;
    while (j < kept && !differ_in_condition_only(ps->at[j], ps->at[i])) j++;
    if (j == kept) {
      ps->at[kept++] = ps->at[i];
      continue;
    }
    set_guard(l, ps->at[j], term_or(l->ts, ps->at[j]->guard, ps->at[i]->guard));
    c_path_free(ps->at[i]);
  }
  ps->count = kept;
}

/* ---- conditions ---- */

bool c_path_assume(c_lowering *l, c_path *p, term t) {
  if (p->facts.count <= MOST_FACTS) t = term_simplify_under(l->ts, t, p->facts.count, p->facts.at);
  if (term_is_true(t)) return true;
  p->guard = term_and(l->ts, p->guard, t);
  if (term_is_false(p->guard)) return false;
  term_conjuncts(l->ts, t, &p->facts);
  return true;
}

static void narrow(interval found, number *low, number *high) {
  if (found.has_low && number_compare(found.low, *low) > 0) *low = found.low;
  if (found.has_high && number_compare(found.high, *high) < 0) *high = found.high;
}

/* If `sum` <= 0: t + sum <= t <= t - sum. */
static void narrow_by_sum(c_lowering *l, term t, term sum, number *low, number *high) {
  interval above = term_interval(l->ts, term_sub(l->ts, t, sum));
  interval below = term_interval(l->ts, term_add(l->ts, t, sum));
  above.has_low = below.has_high = false;
  narrow(above, low, high);
  narrow(below, low, high);
}

void c_path_bounds(c_lowering *l, const c_path *p, term t, number *low, number *high) {
  narrow(term_interval(l->ts, t), low, high);
  for (size_t i = 0; i < p->facts.count && i < MOST_FACTS; i++) {
    term fact = p->facts.at[i];
    term_kind kind = term_kind_of(l->ts, fact);
    if (kind != TERM_LE && (kind != TERM_EQ || term_is_negated(fact))) continue;
    term sum = term_argument(l->ts, fact, 0);
    if (kind == TERM_EQ) narrow_by_sum(l, t, term_negate(l->ts, sum), low, high);
    if (term_is_negated(fact)) sum = term_sub(l->ts, term_int(l->ts, 1), sum);
    narrow_by_sum(l, t, sum, low, high);
  }
}

void c_path_describe(c_lowering *l, c_path *p, const c_node *n, const char *before, const char *after) {
  if (!n->is_here || p->statements.count > MOST_CHARACTERS || c_points_put_in(l, n->start)) return;
  char *words = source_excerpt(l->source, (span){n->start, n->end}, EXCERPT);
  char *words_of_step = text_format("%u: %s%s%s", c_place_of(l, n).line, before, words, after);
  size_t length = strlen(words_of_step), have = p->statements.count;
  bool is_again = have >= length && !strcmp(p->statements.at + have - length, words_of_step);
  if (!is_again) text_add(&p->statements, "%s%s", have ? "; " : "", words_of_step);
  memory_free(words_of_step);
  memory_free(words);
}

/* ---- inputs and errors ---- */

static type whet_type(const c_type *t) {
  if (t->is_address) return (type){.sort = SORT_INT};
  return (type){.sort = SORT_INT, .has_low = true, .has_high = true, .low = t->low, .high = t->high};
}

c_operand c_path_any(c_lowering *l, c_path *p, const c_type *t, const char *name) {
  type of = whet_type(t);
  variable v = variable_fresh(l->ts, name, &of);
  VECTOR_PUSH(p->inputs, (c_input){.var = v, .name = name});
  return (c_operand){.type = t, .value = term_of_variable(l->ts, v), .low = t->low, .high = t->high};
}

c_operand c_path_any_array(c_lowering *l, c_path *p, const c_type *element, const char *name) {
  type of = {.sort = SORT_ARRAY, .element = SORT_INT};
  variable v = variable_fresh(l->ts, name, &of);
  VECTOR_PUSH(p->inputs, (c_input){.var = v, .name = name});
  return (c_operand){.type = element, .value = term_of_variable(l->ts, v)};
}

c_operand c_path_input(c_lowering *l, c_path *p, const c_type *t, const char *name, const c_node *call) {
  c_operand made = c_path_any(l, p, t, name);
  if (call->is_here) VECTOR_LAST(p->inputs).at = source_place(l->source, call->end - 1);
  return made;
}

void c_path_check(c_lowering *l, c_path *p, term bad, c_error error, const c_node *at) {
  if (l->is_formula) return;
  l->is_checked[error] |= !term_is_false(bad);
  if (p->facts.count <= MOST_FACTS)
    bad = term_simplify_under(l->ts, term_simplify_in_types(l->ts, bad), p->facts.count, p->facts.at);
  term when = term_and(l->ts, p->guard, bad), counts = c_points_error(l, p, error, at);
  if (term_is_false(when)) return;
  l->can_fail[error] = true;
  if (!term_is_false(counts)) c_edge_add(l, p, term_and(l->ts, when, counts), l->errors[error], false, at);
  /* A path that cannot go on has a false guard and is dropped by whoever looks next. */
  if (!c_path_assume(l, p, term_not(bad))) p->guard = TERM_FALSE;
}

void c_path_error(c_lowering *l, c_path *p, const c_node *at) {
  if (term_is_false(p->guard)) return;
  c_path_describe(l, p, at, "", "");
  l->can_fail[ERROR_CALL] = true;
  term counts = c_points_error(l, p, ERROR_CALL, at);
  if (!term_is_false(counts)) c_edge_add(l, p, term_and(l->ts, p->guard, counts), l->errors[ERROR_CALL], false, at);
}

/* ---- stacks and cells ---- */

void c_path_push(c_path *p, c_operand o) { VECTOR_PUSH(p->stack, o); }

c_operand c_path_pop(c_path *p) {
  assert(p->stack.count);
  return VECTOR_POP(p->stack);
}

size_t c_cell_new(c_lowering *l, const char *name, const c_type *t) {
  type of = c_type_is_integer(t) ? whet_type(t) : (type){.sort = SORT_INT};
  VECTOR_PUSH(l->cells, (c_cell){.var = variable_fresh(l->ts, name, &of), .type = t});
  return l->cells.count - 1;
}

size_t c_cell_new_array(c_lowering *l, const char *name, const c_type *element) {
  type of = {.sort = SORT_ARRAY, .element = SORT_INT};
  VECTOR_PUSH(l->cells, (c_cell){variable_fresh(l->ts, name, &of), element, true});
  return l->cells.count - 1;
}

size_t c_cell_like(c_lowering *l, const char *name, size_t cell) {
  c_cell made = l->cells.at[cell];
  type of = *variable_type(l->ts, made.var);
  made.var = variable_fresh(l->ts, name, &of);
  VECTOR_PUSH(l->cells, made);
  return l->cells.count - 1;
}

c_operand c_cell_read(c_lowering *l, const c_path *p, size_t cell) {
  const c_cell *c = &l->cells.at[cell];
  if (cell < p->cells.count && p->cells.at[cell].known) {
    const c_cell_value *v = &p->cells.at[cell];
    return (c_operand){.type = c->type, .value = v->value, .low = v->low, .high = v->high};
  }
  return (c_operand){
      .type = c->type, .value = term_of_variable(l->ts, c->var), .low = c->type->low, .high = c->type->high};
}

void c_cell_write(c_lowering *l, c_path *p, size_t cell, const c_operand *value) {
  (void)l;
  while (p->cells.count <= cell) VECTOR_PUSH(p->cells, (c_cell_value){0});
  p->cells.at[cell] = (c_cell_value){true, value->value, value->low, value->high};
}

void c_cell_forget(c_path *p, size_t cell) {
  if (cell < p->cells.count) p->cells.at[cell] = (c_cell_value){0};
}
