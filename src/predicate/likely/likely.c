/* Forms, their values in a state, and what the values seen say. */
#include "predicate/likely/likely.h"

enum { FEW_VARIABLES = 5, MOST_FORMS = 60, MOST_GROWTHS = 2, LONGEST_STEP = 64 };

static void add_form(const model *m, size_t left, size_t right, bool is_sum, likely_forms *out) {
  terms *ts = m->terms;
  if (out->count >= MOST_FORMS) return;
  for (size_t i = 0; i < out->count; i++)
    if (out->at[i].left == left && out->at[i].right == right && out->at[i].is_sum == is_sum) return;
  term x = term_of_variable(ts, m->variables.at[left].var), value = x;
  if (right != SIZE_MAX) {
    term y = term_of_variable(ts, m->variables.at[right].var);
    value = is_sum ? term_add(ts, x, y) : term_sub(ts, x, y);
  }
  VECTOR_PUSH(*out, (likely_form){left, right, is_sum, value});
}

typedef VECTOR(size_t) position_list;

/* The data variables of a term, two by two. */
static void add_pairs(const model *m, const bool *is_data, term t, likely_forms *out) {
  variable_vector all = {0};
  position_list at = {0};
  term_variables(m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++) {
    size_t position = model_position(m, all.at[i]);
    if (position != SIZE_MAX && is_data[position]) VECTOR_PUSH(at, position);
  }
  for (size_t i = 0; i < at.count && at.count <= FEW_VARIABLES; i++)
    for (size_t j = 0; j < at.count; j++)
      if (at.at[i] < at.at[j]) add_form(m, at.at[i], at.at[j], false, out);
  VECTOR_FREE(all);
  VECTOR_FREE(at);
}

static void add_pairs_of_text(const model *m, const bool *is_data, likely_forms *out) {
  term_vector atoms = {0};
  for (size_t i = 0; i < m->transitions.count && out->count < MOST_FORMS; i++) {
    const transition *t = &m->transitions.at[i];
    VECTOR_CLEAR(atoms);
    term_atoms(m->terms, t->guard, &atoms);
    for (size_t k = 0; k < atoms.count; k++) add_pairs(m, is_data, atoms.at[k], out);
    for (size_t k = 0; k < t->updates.count; k++)
      if (term_sort(m->terms, t->updates.at[k].value) == SORT_INT)
        add_pairs(m, is_data,
                  term_sub(m->terms, term_of_variable(m->terms, t->updates.at[k].var), t->updates.at[k].value), out);
  }
  for (size_t i = 0; i < m->properties.count; i++) {
    VECTOR_CLEAR(atoms);
    if (m->properties.at[i].kind == PROPERTY_SAFE) term_atoms(m->terms, m->properties.at[i].bad, &atoms);
    for (size_t k = 0; k < atoms.count; k++) add_pairs(m, is_data, atoms.at[k], out);
  }
  VECTOR_FREE(atoms);
}

void likely_forms_make(const model *m, const bool *is_kept, likely_forms *out) {
  size_t count = m->variables.count, numbers = 0;
  bool *is_data = MEMORY_ARRAY(bool, count + 1);
  for (size_t i = 0; i < count; i++) {
    is_data[i] = !is_kept[i] && variable_type(m->terms, m->variables.at[i].var)->sort == SORT_INT;
    numbers += is_data[i];
    if (is_data[i]) add_form(m, i, SIZE_MAX, false, out);
  }
  add_pairs_of_text(m, is_data, out);
  for (size_t i = 0; i < count && numbers <= FEW_VARIABLES; i++)
    for (size_t j = i + 1; j < count && is_data[i]; j++) {
      if (!is_data[j]) continue;
      add_form(m, i, j, false, out);
      add_form(m, i, j, true, out);
    }
  memory_free(is_data);
}

static bool value_of(const likely_form *f, const int64_t *state, int64_t *out) {
  *out = state[f->left];
  if (f->right == SIZE_MAX) return true;
  return f->is_sum ? !__builtin_add_overflow(state[f->left], state[f->right], out)
                   : !__builtin_sub_overflow(state[f->left], state[f->right], out);
}

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static void forget(likely_range *r) {
  r->has_low = r->has_high = false;
  r->step = 1;
}

static bool take_value(likely_range *r, int64_t value, bool widens) {
  if (!r->is_seen) {
    *r = (likely_range){
        .is_seen = true, .has_low = true, .has_high = true, .low = value, .high = value, .anchor = value};
    return true;
  }
  bool grows = (r->has_low && value < r->low) || (r->has_high && value > r->high);
  if (r->has_low && value < r->low) r->low = value, r->has_low = !widens || r->growths < MOST_GROWTHS;
  if (r->has_high && value > r->high) r->high = value, r->has_high = !widens || r->growths < MOST_GROWTHS;
  if (grows && widens) r->growths++;
  int64_t distance;
  uint64_t step = 1;
  if (!__builtin_sub_overflow(value, r->anchor, &distance))
    step = gcd(r->step, distance < 0 ? -(uint64_t)distance : (uint64_t)distance);
  bool changes = grows || step != r->step;
  r->step = step;
  return changes;
}

static void take_and_date(likely_range *r, int64_t value) {
  likely_range before = *r;
  take_value(r, value, false);
  r->values = before.values + 1;
  if (!before.is_seen || r->low != before.low) r->low_since = r->values;
  if (!before.is_seen || r->high != before.high) r->high_since = r->values;
  if (r->step != before.step) r->step_since = r->values;
}

void likely_note(const likely_forms *forms, const int64_t *state, likely_range *ranges) {
  for (size_t i = 0; i < forms->count; i++) {
    int64_t value;
    if (value_of(&forms->at[i], state, &value))
      take_and_date(&ranges[i], value);
    else
      ranges[i].is_seen = true, forget(&ranges[i]);
  }
}

bool likely_widen(const likely_forms *forms, const int64_t *state, likely_range *ranges) {
  bool changed = false;
  for (size_t i = 0; i < forms->count; i++) {
    int64_t value;
    bool fits = value_of(&forms->at[i], state, &value);
    if (fits) changed |= take_value(&ranges[i], value, true);
    if (fits || (!ranges[i].has_low && !ranges[i].has_high && ranges[i].step == 1)) continue;
    forget(&ranges[i]);
    changed = true;
  }
  return changed;
}

void likely_terms(terms *ts, const likely_forms *forms, const likely_range *ranges, term_vector *out) {
  for (size_t i = 0; i < forms->count; i++) {
    const likely_range *r = &ranges[i];
    term value = forms->at[i].value;
    if (!r->is_seen) continue;
    if (r->has_low && r->has_high && r->low == r->high) {
      VECTOR_PUSH(*out, term_eq(ts, value, term_int(ts, r->low)));
      continue;
    }
    if (r->has_low) VECTOR_PUSH(*out, term_ge(ts, value, term_int(ts, r->low)));
    if (r->has_high) VECTOR_PUSH(*out, term_le(ts, value, term_int(ts, r->high)));
    if (r->step < 2 || r->step > LONGEST_STEP) continue;
    int64_t step = (int64_t)r->step, rest = (r->anchor % step + step) % step;
    VECTOR_PUSH(*out, term_eq(ts, term_mod(ts, value, term_int(ts, step)), term_int(ts, rest)));
  }
}
