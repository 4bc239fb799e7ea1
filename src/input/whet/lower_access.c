/* Variables: scalars, elements of arrays, variables and places of (copies of) processes.
 *
 * An array that is kept is one variable; its index stays an index. Of the others,
 * an index that is not constant becomes a chain of tests over the elements it can reach; what lies outside the range
 * reads as 0 or false, and is a run-time error if those are collected. */
#include "input/whet/lower.h"
#include "term/bounds.h"

term cell_term(const lowering *l, size_t cell) { return term_of_variable(l->terms, l->cells.at[cell]); }

static void report_outside(lowering *l, const expression *at, const dimension *d, number n) {
  if (l->faults || l->open_ranges) return;
  char *index = number_string(n);
  report_error(l->reporter, at->parts[1]->at.start, "the index %s is outside %lld..%lld", index, (long long)d->low,
               (long long)(d->low + (int64_t)(d->count - 1)));
  memory_free(index);
}

/* Under which condition the index is outside of a kept array, as far as what is known on the way leaves that open. */
static term outside_of_kept(lowering *l, const dimension *d) {
  if (!d->kept->has_range) return TERM_FALSE;
  term below = term_lt(l->terms, d->index, d->kept->first), above = term_gt(l->terms, d->index, d->kept->last);
  if (lower_is_refuted(l, below)) below = TERM_FALSE;
  if (lower_is_refuted(l, above)) above = TERM_FALSE;
  return term_simplify_in_types(l->terms, term_or(l->terms, below, above));
}

static void open_kept(lowering *l, access *a, dimension *d) {
  d->index = lower_expression(l, d->at->parts[1]);
  d->is_constant = true;
  d->outside = outside_of_kept(l, d);
  if (term_is_true(d->outside)) {
    a->is_outside = true;
    if (!l->faults && !l->open_ranges)
      report_error(l->reporter, d->at->parts[1]->at.start, "the index is outside the array");
  }
  if (!term_is_false(d->outside)) lower_add_fault(l, d->outside, d->at);
}

/* Evaluates the index of `d` and notes the run-time error it can be. */
static void open_dimension(lowering *l, access *a, dimension *d) {
  if (d->kept) {
    open_kept(l, a, d);
    return;
  }
  int64_t low = d->low, high = d->low + (int64_t)(d->count - 1), value;
  number n;
  d->index = lower_expression(l, d->at->parts[1]);
  d->is_constant = term_is_number(l->terms, d->index, &n);
  if (d->is_constant) {
    bool inside = number_to_int64(n, &value) && value >= low && value <= high;
    if (inside)
      d->constant = (size_t)(value - low);
    else {
      a->is_outside = true;
      report_outside(l, d->at, d, n);
      lower_add_fault(l, TERM_TRUE, d->at);
    }
    return;
  }
  term below = term_lt(l->terms, d->index, term_int(l->terms, low)),
       above = term_gt(l->terms, d->index, term_int(l->terms, high));
  term outside = term_simplify_in_types(l->terms, term_or(l->terms, below, above));
  if (!term_is_false(outside)) lower_add_fault(l, outside, d->at);
}

/* Which copy of which process `e` names: `P` or `P[i]`. */
static void add_copies(access *a, const family *f, const expression *e, size_t stride) {
  if (e->kind == EXPRESSION_INDEX)
    VECTOR_PUSH(a->dimensions, (dimension){.at = e, .low = f->low, .count = f->copies, .stride = stride});
}

/* An index of an array of type `t`. */
static void add_element(access *a, const expression *index, const value_type *t) {
  dimension d = {.at = index, .kept = t->is_kept ? t : NULL};
  if (!t->is_kept) {
    number_to_int64(t->low, &d.low);
    d.count = type_array_length(t);
    d.stride = t->element->cells;
  }
  VECTOR_PUSH(a->dimensions, d);
}

void access_open(lowering *l, access *a, const expression *e) {
  VECTOR(const expression *) path = {0}; /* indices and fields, the last one first */
  *a = (access){0};
  while (e->kind == EXPRESSION_INDEX || e->kind == EXPRESSION_MEMBER) {
    VECTOR_PUSH(path, e);
    e = e->parts[0];
  }
  symbol *s = a->symbol = e->symbol;
  a->first = s->first_cell;
  if (e->kind == EXPRESSION_FIELD)
    add_copies(a, s->family, e->parts[0], s->type->cells);
  else if (s->family)
    a->first += s->family->copy * s->type->cells;
  for (size_t i = path.count; i-- > 0;) {
    if (path.at[i]->kind == EXPRESSION_MEMBER)
      a->first += path.at[i]->field->offset;
    else
      add_element(a, path.at[i], path.at[i]->parts[0]->type);
  }
  for (size_t i = 0; i < a->dimensions.count; i++) open_dimension(l, a, &a->dimensions.at[i]);
  VECTOR_FREE(path);
}

void access_close(access *a) { VECTOR_FREE(a->dimensions); }

/* Which indices of `d` can occur at all, as positions from..to; none if from > to. */
static void reachable(const lowering *l, const dimension *d, int64_t *from, int64_t *to) {
  interval i = term_interval(l->terms, d->index);
  int64_t bound;
  *from = 0;
  *to = (int64_t)d->count - 1;
  if (i.has_low && number_to_int64(i.low, &bound) && bound > d->low)
    *from = bound > d->low + *to ? *to + 1 : bound - d->low;
  if (i.has_high && number_to_int64(i.high, &bound) && bound < d->low + *to) *to = bound < d->low ? -1 : bound - d->low;
}

static term default_value(lowering *l, const value_type *t) {
  return t->kind == VALUE_BOOL ? TERM_FALSE : term_int(l->terms, 0);
}

/* What a value of that sort is outside of an array: 0, false, or an array of these. */
static term default_like(lowering *l, term value) {
  type of = term_type(l->terms, value);
  term made = (of.sort == SORT_ARRAY ? of.element : of.sort) == SORT_BOOL ? TERM_FALSE : term_int(l->terms, 0);
  for (unsigned i = 0; of.sort == SORT_ARRAY && i <= of.nesting; i++)
    made = term_constant_array(l->terms, of.element, made);
  return made;
}

/* The variable, or the element of the array that it holds. If nothing fails, what is outside has a value too. */
static term read_cell(lowering *l, const access *a, size_t cell) {
  term value = cell_term(l, cell), outside = TERM_FALSE;
  for (size_t i = 0; i < a->dimensions.count; i++) {
    const dimension *d = &a->dimensions.at[i];
    if (!d->kept) continue;
    value = term_select(l->terms, value, d->index);
    outside = term_or(l->terms, outside, d->outside);
  }
  if (l->faults && !l->in_definition) return value;
  return term_ite(l->terms, outside, default_like(l, value), value);
}

/* The cell behind dimension `k` and those after it, counted from `cell`. */
static term select_cell(lowering *l, const access *a, size_t k, size_t cell, const expression *e) {
  if (k == a->dimensions.count) return read_cell(l, a, cell);
  const dimension *d = &a->dimensions.at[k];
  if (d->is_constant) return select_cell(l, a, k + 1, cell + d->constant * d->stride, e);
  int64_t from, to;
  reachable(l, d, &from, &to);
  term low = term_int(l->terms, d->low), high = term_int(l->terms, d->low + (int64_t)(d->count - 1));
  term inside = term_and(l->terms, term_ge(l->terms, d->index, low), term_le(l->terms, d->index, high));
  bool always_inside = term_is_true(term_simplify_in_types(l->terms, inside));
  bool is_whole = type_is_compound(e->type); /* of a cell of it */
  term result = is_whole ? default_like(l, select_cell(l, a, k + 1, cell + (size_t)(to > 0 ? to : 0) * d->stride, e))
                         : default_value(l, e->type);
  for (int64_t i = to; i >= from && lowering_spend(l, INSTANCE_WORK, e->at.start); i--) {
    term value = select_cell(l, a, k + 1, cell + (size_t)i * d->stride, e);
    term here = always_inside && i == to ? TERM_TRUE : term_eq(l->terms, d->index, term_int(l->terms, d->low + i));
    result = term_ite(l->terms, here, value, result);
  }
  return result;
}

term access_value(lowering *l, const access *a, size_t cell, const expression *e) {
  return select_cell(l, a, 0, a->first + cell, e);
}

term lower_access(lowering *l, const expression *e) {
  access a;
  access_open(l, &a, e);
  term result = a.is_outside ? default_value(l, e->type) : access_value(l, &a, 0, e);
  access_close(&a);
  return result;
}

variable lower_node(lowering *l, const expression *e) {
  access a;
  access_open(l, &a, e);
  size_t cell = a.first;
  for (size_t i = 0; i < a.dimensions.count; i++) {
    if (!a.dimensions.at[i].is_constant)
      report_error(l->reporter, e->at.start, "the process that owns a node variable must be constant here");
    cell += a.dimensions.at[i].constant * a.dimensions.at[i].stride;
  }
  access_close(&a);
  return l->cells.at[cell];
}

static void report_state(lowering *l, const expression *e, const family *f) {
  report_error(l->reporter, e->at.start, "%s `%s` has no place `%s`", family_describe(f), f->word->text, e->word->text);
  const word *near = NULL;
  for (size_t i = 0; i < f->state_words.count && !near; i++)
    if (words_are_near(e->word->text, f->state_words.at[i]->text)) near = f->state_words.at[i];
  if (near)
    report_hint(l->reporter, "did you mean `%s`?", near->text);
  else
    report_hint(l->reporter,
                "the places of a program are its labels, the lines of its statements (`line7`), and `end`");
}

term lower_at(lowering *l, const expression *e) {
  family *f = e->symbol->family;
  size_t state;
  if (!family_state(f, e->word, &state)) {
    report_state(l, e, f);
    return TERM_TRUE;
  }
  access a = {.first = f->first_location};
  if (e->count)
    add_copies(&a, f, e->parts[0], 1);
  else
    a.first += f->copy;
  for (size_t i = 0; i < a.dimensions.count; i++) open_dimension(l, &a, &a.dimensions.at[i]);
  /* A place outside the range of copies is no place: -1, which no state has. */
  term result = TERM_FALSE, wanted = term_int(l->terms, (int64_t)state);
  if (!a.is_outside && (!a.dimensions.count || a.dimensions.at[0].is_constant)) {
    result = term_eq(l->terms, cell_term(l, a.first + (a.dimensions.count ? a.dimensions.at[0].constant : 0)), wanted);
  } else if (!a.is_outside) {
    const dimension *d = &a.dimensions.at[0];
    for (size_t i = d->count; i-- > 0 && lowering_spend(l, INSTANCE_WORK, e->at.start);) {
      term here = term_eq(l->terms, d->index, term_int(l->terms, d->low + (int64_t)i));
      result = term_ite(l->terms, here, term_eq(l->terms, cell_term(l, a.first + i), wanted), result);
    }
  }
  access_close(&a);
  return result;
}
