/* Shapes of literals, found once for each: forms, bounds, variables. */
#include "solver/shape.h"

#include "term/evaluate.h"

struct shapes {
  terms *ts;
  arena *arena;
  VECTOR(const shape *) by_term; /* all three by term index; NULL if not known yet */
  VECTOR(const form *) form_by_term;
  VECTOR(const leaf *) leaf_by_term;
  uint32_t forms;
  const leaf *zero;
  uint32_t leaves;
};

#define GROW(V, INDEX)                                   \
  do {                                                   \
    while ((V).count <= (INDEX)) VECTOR_PUSH((V), NULL); \
  } while (0)

static leaf *leaf_new(shapes *s) {
  leaf *l = arena_alloc(s->arena, sizeof *l);
  l->number = s->leaves++;
  return l;
}

shapes *shapes_new(terms *ts) {
  shapes *s = MEMORY_NEW(shapes);
  s->ts = ts;
  s->arena = arena_new();
  leaf *zero = leaf_new(s);
  zero->types = (interval){true, true, number_of(0), number_of(0)};
  s->zero = zero;
  return s;
}

void shapes_free(shapes *s) {
  if (!s) return;
  arena_free(s->arena);
  VECTOR_FREE(s->by_term);
  VECTOR_FREE(s->form_by_term);
  VECTOR_FREE(s->leaf_by_term);
  memory_free(s);
}

static const leaf *leaf_of(shapes *s, term t) {
  GROW(s->leaf_by_term, term_index(t));
  if (s->leaf_by_term.at[term_index(t)]) return s->leaf_by_term.at[term_index(t)];
  leaf *l = leaf_new(s);
  l->types = term_interval(s->ts, t);
  l->is_variable = term_kind_of(s->ts, t) == TERM_INT_VARIABLE;
  if (l->is_variable) l->variable = term_variable(s->ts, t);
  return s->leaf_by_term.at[term_index(t)] = l;
}

static void copy_leaves(shapes *s, const linear *l, form *f) {
  const leaf **leaves = arena_alloc(s->arena, l->count * sizeof *leaves);
  number *coefficients = arena_alloc(s->arena, l->count * sizeof *coefficients);
  for (size_t i = 0; i < l->count; i++) {
    leaves[i] = leaf_of(s, l->leaves[i]);
    coefficients[i] = l->coefficients[i];
  }
  f->count = l->count;
  f->leaves = leaves;
  f->coefficients = coefficients;
}

static void find_difference(form *f) {
  f->is_difference =
      f->count == 1 || (f->count == 2 && number_sign(f->coefficients[0]) != number_sign(f->coefficients[1]));
  for (size_t i = 0; i < f->count; i++) {
    if (number_is(f->coefficients[i], 1))
      f->plus = f->leaves[i];
    else if (number_is(f->coefficients[i], -1))
      f->minus = f->leaves[i];
    else
      f->is_difference = false;
  }
}

static const form *form_of(shapes *s, term sum) {
  GROW(s->form_by_term, term_index(sum));
  if (s->form_by_term.at[term_index(sum)]) return s->form_by_term.at[term_index(sum)];
  form *f = arena_alloc(s->arena, sizeof *f);
  *f = (form){.number = s->forms++, .types = term_interval(s->ts, sum), .plus = s->zero, .minus = s->zero};
  linear l = term_linear(s->ts, sum);
  copy_leaves(s, &l, f);
  find_difference(f);
  bool bounded = false;
  number divisor = number_of(0);
  f->of_variables = true;
  for (size_t i = 0; i < f->count; i++) {
    f->of_variables &= f->leaves[i]->is_variable;
    bounded |= f->leaves[i]->types.has_low || f->leaves[i]->types.has_high;
    divisor = number_gcd(divisor, f->coefficients[i]);
  }
  f->takes_every_value = f->of_variables && !bounded && number_is(divisor, 1);
  return s->form_by_term.at[term_index(sum)] = f;
}

/* `sum` without its constant. */
static term without_constant(terms *ts, term sum) {
  linear l = term_linear(ts, sum);
  return term_sub(ts, sum, term_number(ts, l.constant));
}

static void find_variables(shapes *s, term t, shape *out) {
  variable_vector found = {0};
  term_variables(s->ts, 1, &t, &found);
  for (size_t i = 0; i < found.count; i++) out->has_heap |= variable_type(s->ts, found.at[i])->sort == SORT_NODE;
  variable *kept = arena_alloc(s->arena, found.count * sizeof *kept);
  if (found.count) memcpy(kept, found.at, found.count * sizeof *kept);
  out->variables = kept;
  out->variable_count = found.count;
  VECTOR_FREE(found);
}

const shape *shape_of(shapes *s, term literal) {
  term t = term_positive(literal);
  if (term_index(t) < s->by_term.count && s->by_term.at[term_index(t)]) return s->by_term.at[term_index(t)];
  shape *found = arena_alloc(s->arena, sizeof *found);
  term_kind kind = term_kind_of(s->ts, t);
  if (kind == TERM_BOOL_VARIABLE) found->kind = SHAPE_BOOL;
  if ((kind == TERM_LE || kind == TERM_EQ) && !term_is_real_atom(s->ts, t)) {
    term sum = term_argument(s->ts, t, 0);
    found->kind = kind == TERM_LE ? SHAPE_AT_MOST : SHAPE_EQUAL;
    found->bound = number_negate(term_linear(s->ts, sum).constant);
    found->form = form_of(s, without_constant(s->ts, sum));
  }
  find_variables(s, t, found);
  GROW(s->by_term, term_index(t));
  return s->by_term.at[term_index(t)] = found;
}

shape_claim claim_of(const shape *s, term literal) {
  if (s->kind == SHAPE_EQUAL) return (shape_claim){term_is_negated(literal) ? CLAIM_DIFFERENT : CLAIM_EQUAL, s->bound};
  if (term_is_negated(literal)) return (shape_claim){CLAIM_AT_LEAST, number_add(s->bound, number_of(1))};
  return (shape_claim){CLAIM_AT_MOST, s->bound};
}

bool shape_holds(const terms *ts, const shape *s, term literal, const number *values) {
  if (s->kind == SHAPE_BOOL) return number_is(values[s->variables[0].x], !term_is_negated(literal));
  if (!s->form || !s->form->of_variables) return number_is(term_evaluate(ts, literal, values), 1);
  const form *f = s->form;
  number sum = number_of(0);
  for (size_t i = 0; i < f->count; i++)
    sum = number_add(sum, number_mul(f->coefficients[i], values[f->leaves[i]->variable.x]));
  int order = number_compare(sum, s->bound);
  return (s->kind == SHAPE_EQUAL ? order == 0 : order <= 0) != term_is_negated(literal);
}
