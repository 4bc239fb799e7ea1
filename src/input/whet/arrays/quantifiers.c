/* The table of quantifiers. */
#include "input/whet/arrays/quantifiers.h"

void quantifiers_clear(quantifiers *q) {
  VECTOR_FREE(q->all);
  map_free(q->positions);
}

/* Of a map, `mark` says at first which array has its type. */
term quantifiers_add(quantifiers *q, terms *ts, quantifier made) {
  bool says_nothing = !made.is_map && term_same(made.body, term_of_bool(made.is_forall));
  if (says_nothing) return made.body;
  if (!q->positions) q->positions = map_new();
  type of = made.is_map ? *variable_type(ts, made.mark) : (type){.sort = SORT_BOOL};
  made.mark = variable_fresh(ts, made.is_map ? "map" : made.is_forall ? "forall" : "exists", &of);
  map_set(q->positions, made.mark.x, q->all.count);
  VECTOR_PUSH(q->all, made);
  return term_of_variable(ts, made.mark);
}

const quantifier *quantifiers_find(const quantifiers *q, variable mark) {
  uint64_t at;
  return q->positions && map_get(q->positions, mark.x, &at) ? &q->all.at[at] : NULL;
}

const quantifier *quantifiers_first(const quantifiers *q, const terms *ts, size_t count, const term *in) {
  variable_vector all = {0};
  const quantifier *found = NULL;
  if (!q->positions) return NULL;
  term_variables(ts, count, in, &all);
  for (size_t i = 0; i < all.count && !found; i++) found = quantifiers_find(q, all.at[i]);
  VECTOR_FREE(all);
  return found;
}

quantifier quantifiers_rename(quantifiers *q, terms *ts, quantifier of, variable index) {
  substitution *by = substitution_new(ts);
  substitution_set(by, of.index, term_of_variable(ts, index));
  of.body = quantifiers_apply(q, ts, by, of.body);
  of.index = index;
  substitution_free(by);
  return of;
}

/* What a mark stands for with variables replaced: itself if nothing changes. The index is none of those that are meant. */
static term apply_to_mark(quantifiers *q, terms *ts, substitution *by, quantifier of) {
  quantifier made = of;
  term index = term_of_variable(ts, of.index);
  if (!term_same(substitution_apply(by, index), index))
    made = quantifiers_rename(q, ts, of, variable_fresh(ts, variable_name(ts, of.index), variable_type(ts, of.index)));
  if (made.has_range) {
    made.low = quantifiers_apply(q, ts, by, of.low);
    made.high = quantifiers_apply(q, ts, by, of.high);
  }
  made.body = quantifiers_apply(q, ts, by, made.body);
  if (made.is_map) made.start = quantifiers_apply(q, ts, by, made.start);
  bool is_same = variable_same(made.index, of.index) && term_same(made.body, of.body) &&
                 (!made.is_map || term_same(made.start, of.start)) &&
                 (!made.has_range || (term_same(made.low, of.low) && term_same(made.high, of.high)));
  return is_same ? term_of_variable(ts, made.mark) : quantifiers_add(q, ts, made);
}

term quantifiers_apply(quantifiers *q, terms *ts, substitution *by, term t) {
  variable_vector all = {0};
  term result = substitution_apply(by, t);
  if (!q->positions) return result;
  term_variables(ts, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++) {
    const quantifier *of = quantifiers_find(q, all.at[i]);
    if (of) result = term_replace(ts, result, all.at[i], apply_to_mark(q, ts, by, *of));
  }
  VECTOR_FREE(all);
  return result;
}

term quantifier_range(terms *ts, const quantifier *q) {
  if (!q->has_range) return TERM_TRUE;
  term i = term_of_variable(ts, q->index);
  return term_and(ts, term_le(ts, q->low, i), term_le(ts, i, q->high));
}

static void add_new(variable_vector *to, variable v) {
  for (size_t i = 0; i < to->count; i++)
    if (variable_same(to->at[i], v)) return;
  VECTOR_PUSH(*to, v);
}

/* Those of the range, and those of the formula but the index. */
static void add_free(const quantifiers *q, const terms *ts, const quantifier *of, variable_vector *out) {
  term_vector range = {0}, body = {0};
  variable_vector inside = {0};
  VECTOR_PUSH(body, of->body);
  if (of->is_map) VECTOR_PUSH(range, of->start);
  if (of->has_range) VECTOR_PUSH(range, of->low);
  if (of->has_range) VECTOR_PUSH(range, of->high);
  quantifiers_variables(q, ts, &range, out);
  quantifiers_variables(q, ts, &body, &inside);
  for (size_t i = 0; i < inside.count; i++)
    if (!variable_same(inside.at[i], of->index)) add_new(out, inside.at[i]);
  VECTOR_FREE(range);
  VECTOR_FREE(body);
  VECTOR_FREE(inside);
}

void quantifiers_variables(const quantifiers *q, const terms *ts, const term_vector *in, variable_vector *out) {
  variable_vector here = {0};
  term_variables(ts, in->count, in->at, &here);
  for (size_t i = 0; i < here.count; i++) {
    const quantifier *of = quantifiers_find(q, here.at[i]);
    if (of)
      add_free(q, ts, of, out);
    else
      add_new(out, here.at[i]);
  }
  VECTOR_FREE(here);
}

void quantifiers_variables_of(const quantifiers *q, const terms *ts, term t, variable_vector *out) {
  term_vector one = {0};
  VECTOR_PUSH(one, t);
  quantifiers_variables(q, ts, &one, out);
  VECTOR_FREE(one);
}
