/* Marks, sums of them, and steps of two models side by side. */
#include "proof/check/identical/counting_map.h"

#include "model/transform.h"
#include "proof/type_and_input_conditions.h"

static variable mark_of(const counting_map *map, size_t copy, size_t state) {
  return map->marks.at[copy * map->c->counters.count + state];
}

static term sum_of_marks(const counting_map *map, size_t state) {
  term sum = term_int(map->ts, 0);
  for (size_t copy = 0; copy < map->c->copies; copy++)
    sum = term_add(map->ts, sum, term_of_variable(map->ts, mark_of(map, copy, state)));
  return sum;
}

void counting_map_open(counting_map *map, const counter_model *c) {
  const type integer = {.sort = SORT_INT};
  *map = (counting_map){.c = c, .ts = c->original->terms};
  for (size_t i = 0; i < c->copies * c->counters.count; i++)
    VECTOR_PUSH(map->marks, variable_fresh(map->ts, "mark", &integer));
  map->counters = substitution_new(map->ts);
  for (size_t s = 0; s < c->counters.count; s++)
    substitution_set(map->counters, c->counters.at[s], sum_of_marks(map, s));
}

void counting_map_close(counting_map *map) {
  VECTOR_FREE(map->marks);
  substitution_free(map->counters);
}

void counting_map_define(const counting_map *map, term_vector *out) {
  terms *ts = map->ts;
  for (size_t copy = 0; copy < map->c->copies; copy++)
    for (size_t s = 0; s < map->c->counters.count; s++) {
      term mark = term_of_variable(ts, mark_of(map, copy, s)), one = term_int(ts, 1);
      VECTOR_PUSH(*out, term_le(ts, term_int(ts, 0), mark));
      VECTOR_PUSH(*out, term_le(ts, mark, one));
      VECTOR_PUSH(*out, term_iff(ts, counted_is_in(map->c, copy, s), term_eq(ts, mark, one)));
    }
}

term counting_map_before(const counting_map *map, term t) { return substitution_apply(map->counters, t); }

static bool changes(const counting_map *map, const transition *t, size_t copy) {
  for (size_t i = 0; i < t->updates.count; i++)
    for (size_t v = 0; v < map->c->width; v++)
      if (variable_same(t->updates.at[i].var, map->c->locals.at[copy * map->c->width + v])) return true;
  return false;
}

static term number_after(const counting_map *map, const transition *t, size_t state) {
  const model *m = map->c->original;
  terms *ts = map->ts;
  term sum = term_int(ts, 0);
  for (size_t copy = 0; copy < map->c->copies; copy++) {
    term is_there = term_of_variable(ts, mark_of(map, copy, state));
    if (changes(map, t, copy))
      is_there =
          term_ite(ts, transform_after(m, t, counted_is_in(map->c, copy, state)), term_int(ts, 1), term_int(ts, 0));
    sum = term_add(ts, sum, is_there);
  }
  return sum;
}

term counting_map_after(const counting_map *map, const transition *t, variable v) {
  for (size_t s = 0; s < map->c->counters.count; s++)
    if (variable_same(map->c->counters.at[s], v)) return number_after(map, t, s);
  return transition_value_after(map->c->original, t, v);
}

/* `t`, over inputs of `from`, over those of `to`. */
static term with_inputs(terms *ts, term t, const transition *from, const transition *to) {
  substitution *by = substitution_new(ts);
  for (size_t i = 0; i < from->inputs.count; i++)
    substitution_set(by, from->inputs.at[i], term_of_variable(ts, to->inputs.at[i]));
  t = substitution_apply(by, t);
  substitution_free(by);
  return t;
}

term counting_map_matches(const counting_map *map, const transition *t, const transition *made) {
  const model *there = map->c->made;
  terms *ts = map->ts;
  term_vector all = {0}, after = {0};
  if (t->inputs.count != made->inputs.count) return TERM_FALSE;
  VECTOR_PUSH(all, transition_enabled(there, made));
  VECTOR_PUSH(all, condition_input_types(there, made));
  for (size_t i = 0; i < all.count; i++)
    VECTOR_PUSH(after, with_inputs(ts, counting_map_before(map, all.at[i]), made, t));
  for (size_t i = 0; i < there->variables.count; i++) {
    variable v = there->variables.at[i].var;
    term value = counting_map_before(map, transition_value_after(there, made, v));
    VECTOR_PUSH(after, term_eq(ts, counting_map_after(map, t, v), with_inputs(ts, value, made, t)));
  }
  term result = term_and_all(ts, after.count, after.at);
  VECTOR_FREE(all);
  VECTOR_FREE(after);
  return result;
}

bool counting_map_is_sound(const counter_model *c) {
  bool fine = c->copies > 0 && c->width > 0 && c->locals.count == c->copies * c->width;
  for (size_t i = 0; i < c->locals.count; i++) fine &= model_position(c->original, c->locals.at[i]) != SIZE_MAX;
  for (size_t s = 0; s < c->counters.count; s++) {
    fine &= model_position(c->original, c->counters.at[s]) == SIZE_MAX;
    for (size_t u = 0; u < s; u++) fine &= !variable_same(c->counters.at[s], c->counters.at[u]);
  }
  for (size_t i = 0; i < c->made->variables.count; i++) {
    bool is_there = model_position(c->original, c->made->variables.at[i].var) != SIZE_MAX;
    for (size_t s = 0; s < c->counters.count; s++)
      is_there |= variable_same(c->made->variables.at[i].var, c->counters.at[s]);
    fine &= is_there;
  }
  return fine;
}
