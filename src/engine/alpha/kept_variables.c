/* Which variables are kept as they are, and their packed values. */
#include "engine/alpha/alpha.h"
#include "model/control.h"

static bool is_kept_as_is(const model *m, const state_variable *v) {
  const type *t = variable_type(m->terms, v->var);
  return control_is_wanted(m, v->var) || t->sort == SORT_BOOL ||
         (t->sort == SORT_INT && (t->names || type_is_short_range(t)));
}

void kept_init(kept_variables *c, const model *m) {
  VECTOR(int64_t) low = {0}, high = {0};
  c->m = m;
  for (size_t i = 0; i < m->variables.count; i++) {
    bool yes = is_kept_as_is(m, &m->variables.at[i]);
    VECTOR_PUSH(c->is_kept, yes);
    if (!yes) continue;
    const type *t = variable_type(m->terms, m->variables.at[i].var);
    int64_t from = 0, to = 1;
    if (t->sort == SORT_INT) {
      number_to_int64(t->low, &from);
      number_to_int64(t->high, &to);
    }
    VECTOR_PUSH(c->positions, i);
    VECTOR_PUSH(low, from);
    VECTOR_PUSH(high, to);
  }
  c->packing = layout_new(c->positions.count, low.at, high.at);
  VECTOR_FREE(low);
  VECTOR_FREE(high);
}

void kept_clear(kept_variables *c) {
  VECTOR_FREE(c->is_kept);
  VECTOR_FREE(c->positions);
  layout_free(c->packing);
}

static void count_kinds(const kept_variables *c, term t, size_t *controls, size_t *others) {
  variable_vector all = {0};
  *controls = *others = 0;
  term_variables(c->m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++) {
    size_t at = model_position(c->m, all.at[i]);
    ++*(at != SIZE_MAX && c->is_kept.at[at] ? controls : others);
  }
  VECTOR_FREE(all);
}

bool kept_is_data_free(const kept_variables *c, term t) {
  size_t controls, others;
  count_kinds(c, t, &controls, &others);
  return others == 0;
}

bool kept_is_free_of(const kept_variables *c, term t) {
  size_t controls, others;
  count_kinds(c, t, &controls, &others);
  return controls == 0;
}

void kept_pack(const kept_variables *c, const int64_t *state, uint64_t *words) {
  memset(words, 0, c->packing->words * sizeof *words);
  for (size_t i = 0; i < c->positions.count; i++) field_set(&c->packing->fields[i], words, state[c->positions.at[i]]);
}

term kept_literal(const kept_variables *c, terms *ts, size_t position, int64_t value) {
  term x = term_of_variable(ts, c->m->variables.at[position].var);
  if (term_sort(ts, x) == SORT_BOOL) return value ? x : term_not(x);
  return term_eq(ts, x, term_int(ts, value));
}
