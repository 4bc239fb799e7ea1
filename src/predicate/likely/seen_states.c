/* A *group* is all states, or those in which a variable of control has one value. Each has ranges of forms (likely.h), the hull of its states (affine_hull.h), and which atoms
 * were true and which false in it. What a group says is a candidate if all states together do not say the same. */
#include "predicate/likely/seen_states.h"

#include "base/map.h"
#include "base/work.h"
#include "model/semantics.h"
#include "predicate/likely/affine_hull.h"
#include "predicate/likely/likely.h"

enum {
  MOST_STATES = 4000,
  MOST_GROUPS = 48,
  MOST_VALUES = 24, /* of a variable by which states are divided */
  MOST_ATOMS = 32,
  MOST_CANDIDATES = 160,
  MOST_NUMBERS = 24, /* variables in linear equations */
  MOST_FACTORS = 6,  /* variables in equations with products */
  FEWEST_STATES = 6, /* of a group that says something */
  LARGEST_FACTOR = 1000,
  MORE_FOR_EQUATIONS = 4, /* states that change no equation, besides one for each variable and product */
  STEPS_OF_A_UNIT = 150,  /* values looked at, for a unit of work */
};

typedef struct group {
  uint32_t states;
  likely_ranges ranges;
  affine_hull *hull;
  bool was_true[MOST_ATOMS], was_false[MOST_ATOMS];
} group;

/* A variable of control; its groups, one for each value. */
typedef struct division {
  size_t position, first_group, values;
} division;

struct seen_states {
  const model *m;
  terms *ts;
  likely_forms forms;
  VECTOR(group) groups; /* the first one is of all states */
  VECTOR(division) divisions;
  VECTOR(size_t) numbers, factors; /* positions: of the variables in equations, and of those in products */
  term_vector columns;             /* of hulls */
  int64_t *vector;
  term_vector atoms;
  state_condition *conditions[MOST_ATOMS];
  size_t noted;
};

/* ---- making ---- */

static const type *type_at(const model *m, size_t i) { return variable_type(m->terms, m->variables.at[i].var); }
static bool is_number(const type *t) { return t->sort == SORT_INT && !t->names; }

static void divide_by(seen_states *s, size_t position) {
  const type *t = type_at(s->m, position);
  size_t values = t->sort == SORT_BOOL ? 2 : t->name_count;
  if (values < 2 || values > MOST_VALUES || s->groups.count + values > MOST_GROUPS) return;
  VECTOR_PUSH(s->divisions, (division){position, s->groups.count, values});
  for (size_t i = 0; i < values; i++) VECTOR_PUSH(s->groups, (group){0});
}

/* Places first: they say most. */
static void make_groups(seen_states *s) {
  VECTOR_PUSH(s->groups, (group){0});
  for (size_t i = 0; i < s->m->variables.count; i++)
    if (type_at(s->m, i)->is_location) divide_by(s, i);
  for (size_t i = 0; i < s->m->variables.count; i++) {
    const type *t = type_at(s->m, i);
    if (!t->is_location && (t->sort == SORT_BOOL || t->names)) divide_by(s, i);
  }
}

static void make_forms(seen_states *s) {
  bool *is_kept = MEMORY_ARRAY(bool, s->m->variables.count + 1);
  for (size_t i = 0; i < s->m->variables.count; i++) is_kept[i] = !is_number(type_at(s->m, i));
  likely_forms_make(s->m, is_kept, &s->forms);
  memory_free(is_kept);
}

static bool multiplies(const model *m) {
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    if (!term_is_linear(m->terms, t->guard)) return true;
    for (size_t j = 0; j < t->updates.count; j++)
      if (!term_is_linear(m->terms, t->updates.at[j].value)) return true;
  }
  for (size_t i = 0; i < m->properties.count; i++)
    if (m->properties.at[i].kind == PROPERTY_SAFE && !term_is_linear(m->terms, m->properties.at[i].bad)) return true;
  return false;
}

static void make_columns(seen_states *s) {
  for (size_t i = 0; i < s->m->variables.count && s->numbers.count < MOST_NUMBERS; i++)
    if (is_number(type_at(s->m, i))) VECTOR_PUSH(s->numbers, i);
  for (size_t i = 0; i < s->numbers.count; i++)
    VECTOR_PUSH(s->columns, term_of_variable(s->ts, s->m->variables.at[s->numbers.at[i]].var));
  if (s->numbers.count <= MOST_FACTORS && multiplies(s->m)) VECTOR_COPY(s->factors, s->numbers);
  for (size_t i = 0; i < s->factors.count; i++)
    for (size_t j = i; j < s->factors.count; j++)
      VECTOR_PUSH(s->columns, term_mul(s->ts, s->columns.at[i], s->columns.at[j]));
  s->vector = MEMORY_ARRAY(int64_t, s->columns.count + 1);
}

static bool is_about_states(const seen_states *s, term t) {
  variable_vector used = {0};
  term_variables(s->ts, 1, &t, &used);
  bool fine = used.count > 0;
  for (size_t i = 0; i < used.count; i++) fine &= model_position(s->m, used.at[i]) != SIZE_MAX;
  VECTOR_FREE(used);
  return fine;
}

/* Atoms over control alone are left out: engines keep control as it is. So are products: a solver that gives up on one of them decides nothing about the others. */
static bool is_about_data(const seen_states *s, term t) {
  variable_vector used = {0};
  bool any = false;
  if (!term_is_linear(s->ts, t)) return false;
  term_variables(s->ts, 1, &t, &used);
  for (size_t i = 0; i < used.count; i++) any |= is_number(variable_type(s->ts, used.at[i]));
  VECTOR_FREE(used);
  return any;
}

static void add_atoms(seen_states *s, term t, map *known) {
  term_vector atoms = {0};
  term_atoms(s->ts, t, &atoms);
  for (size_t i = 0; i < atoms.count && s->atoms.count < MOST_ATOMS; i++) {
    if (map_get(known, term_index(atoms.at[i]), NULL) || !is_about_states(s, atoms.at[i]) ||
        !is_about_data(s, atoms.at[i]))
      continue;
    map_set(known, term_index(atoms.at[i]), 1);
    s->conditions[s->atoms.count] = state_condition_new(s->m, atoms.at[i]);
    VECTOR_PUSH(s->atoms, atoms.at[i]);
  }
  VECTOR_FREE(atoms);
}

static void make_atoms(seen_states *s) {
  map *known = map_new();
  for (size_t i = 0; i < s->m->properties.count; i++)
    if (s->m->properties.at[i].kind == PROPERTY_SAFE) add_atoms(s, s->m->properties.at[i].bad, known);
  for (size_t i = 0; i < s->m->transitions.count; i++) add_atoms(s, s->m->transitions.at[i].guard, known);
  map_free(known);
}

seen_states *seen_states_new(const model *m) {
  seen_states *s = MEMORY_NEW(seen_states);
  s->m = m;
  s->ts = m->terms;
  make_forms(s);
  make_groups(s);
  make_columns(s);
  make_atoms(s);
  return s;
}

void seen_states_free(seen_states *s) {
  if (!s) return;
  for (size_t i = 0; i < s->groups.count; i++) {
    VECTOR_FREE(s->groups.at[i].ranges);
    affine_hull_free(s->groups.at[i].hull);
  }
  for (size_t i = 0; i < s->atoms.count; i++) state_condition_free(s->conditions[i]);
  VECTOR_FREE(s->groups);
  VECTOR_FREE(s->divisions);
  VECTOR_FREE(s->numbers);
  VECTOR_FREE(s->factors);
  VECTOR_FREE(s->columns);
  VECTOR_FREE(s->atoms);
  VECTOR_FREE(s->forms);
  memory_free(s->vector);
  memory_free(s);
}

size_t seen_states_count(const seen_states *s) { return s->noted; }

/* ---- noting ---- */

/* False if a product does not fit. */
static bool fill_vector(seen_states *s, const int64_t *state) {
  size_t at = 0;
  for (size_t i = 0; i < s->numbers.count; i++) s->vector[at++] = state[s->numbers.at[i]];
  for (size_t i = 0; i < s->factors.count; i++)
    for (size_t j = i; j < s->factors.count; j++)
      if (__builtin_mul_overflow(state[s->factors.at[i]], state[s->factors.at[j]], &s->vector[at++])) return false;
  return true;
}

static void note_in(seen_states *s, group *g, const int64_t *state, bool has_vector, const int *held) {
  if (!g->states++) {
    for (size_t i = 0; i < s->forms.count; i++) VECTOR_PUSH(g->ranges, (likely_range){0});
    g->hull = affine_hull_new(s->columns.count);
  }
  likely_note(&s->forms, state, g->ranges.at);
  if (has_vector) affine_hull_note(g->hull, s->vector);
  for (size_t i = 0; i < s->atoms.count; i++) {
    g->was_true[i] |= held[i] != 0; /* a value that does not fit: neither is a candidate */
    g->was_false[i] |= held[i] <= 0;
  }
}

void seen_states_note(seen_states *s, const int64_t *state) {
  int held[MOST_ATOMS];
  if (s->noted >= MOST_STATES) return;
  s->noted++;
  bool has_vector = fill_vector(s, state);
  for (size_t i = 0; i < s->atoms.count; i++) held[i] = state_condition_holds(s->conditions[i], state);
  note_in(s, &s->groups.at[0], state, has_vector, held);
  for (size_t i = 0; i < s->divisions.count; i++) {
    const division *d = &s->divisions.at[i];
    int64_t value = state[d->position];
    if (value >= 0 && (size_t)value < d->values)
      note_in(s, &s->groups.at[d->first_group + (size_t)value], state, has_vector, held);
  }
  size_t looked_at = (s->divisions.count + 1) * (s->forms.count + s->columns.count + s->atoms.count);
  work_add(1 + looked_at / STEPS_OF_A_UNIT);
}

/* ---- candidates ---- */

typedef struct listing {
  const seen_states *s;
  const group *g;
  term place; /* of the group; true for all states */
  map *known;
  term_vector *out;
  size_t first;
} listing;

static void offer(listing *l, term t) {
  terms *ts = l->s->ts;
  if (l->out->count - l->first >= MOST_CANDIDATES || map_get(l->known, t.x, NULL) || term_is_true(t) ||
      term_is_true(term_not(t)))
    return;
  term candidate = term_is_true(l->place) ? t : term_or(ts, term_not(l->place), t);
  if (term_is_true(l->place)) map_set(l->known, t.x, 1);
  VECTOR_PUSH(*l->out, candidate);
}

/* The type says so already. */
static bool is_of_type(const seen_states *s, const likely_form *f, bool low, int64_t bound) {
  const type *t = type_at(s->m, f->left);
  if (f->right != SIZE_MAX) return false;
  return low ? t->has_low && number_is(t->low, bound) : t->has_high && number_is(t->high, bound);
}

/* It did not change in the second half. */
static bool is_settled(uint32_t since, uint32_t count) { return since <= count / 2; }

/* The range of one variable in the group. */
static const likely_range *range_of(const listing *l, size_t position) {
  size_t i = 0;
  while (l->s->forms.at[i].left != position || l->s->forms.at[i].right != SIZE_MAX) i++;
  return &l->g->ranges.at[i];
}

/* The bounds of the two variables say so already. */
static bool follows(const listing *l, const likely_form *f, bool low, int64_t bound) {
  if (f->right == SIZE_MAX) return is_of_type(l->s, f, low, bound);
  const likely_range *left = range_of(l, f->left), *right = range_of(l, f->right);
  bool right_low = f->is_sum == low;
  bool known = (low ? left->has_low && is_settled(left->low_since, left->values)
                    : left->has_high && is_settled(left->high_since, left->values)) &&
               (right_low ? right->has_low && is_settled(right->low_since, right->values)
                          : right->has_high && is_settled(right->high_since, right->values));
  __int128 sum = low ? left->low : left->high, other = right_low ? right->low : right->high;
  sum += f->is_sum ? other : -other;
  return known && sum == bound;
}

/* What the range says, but for what is not settled or known anyway. */
static void offer_range(listing *l, const likely_form *f, const likely_range *r) {
  likely_range settled = *r;
  likely_forms one = {0};
  term_vector says = {0};
  bool is_one = r->has_low && r->has_high && r->low == r->high;
  settled.has_low &= is_settled(r->low_since, r->values) && (is_one || !follows(l, f, true, r->low));
  settled.has_high &= is_settled(r->high_since, r->values) && (is_one || !follows(l, f, false, r->high));
  if (!is_settled(r->step_since, r->values)) settled.step = 1;
  VECTOR_PUSH(one, *f);
  likely_terms(l->s->ts, &one, &settled, &says);
  for (size_t i = 0; i < says.count; i++) offer(l, says.at[i]);
  VECTOR_FREE(says);
  VECTOR_FREE(one);
}

/* Column `last` is a product with a variable that other variables determine: they say the same. */
static bool is_repeated(const listing *l, size_t last) {
  const seen_states *s = l->s;
  size_t at = s->numbers.count;
  for (size_t i = 0; i < s->factors.count; i++)
    for (size_t j = i; j < s->factors.count; j++, at++)
      if (at == last) return affine_hull_determines(l->g->hull, i) || affine_hull_determines(l->g->hull, j);
  return false;
}

static void offer_equation(void *context, const int64_t *coefficients, int64_t constant) {
  listing *l = context;
  const seen_states *s = l->s;
  VECTOR(number) factors = {0};
  bool is_small = true;
  size_t used = 0, last = 0;
  for (size_t i = 0; i < s->columns.count; i++) {
    VECTOR_PUSH(factors, number_of(coefficients[i]));
    is_small &= coefficients[i] >= -LARGEST_FACTOR && coefficients[i] <= LARGEST_FACTOR;
    used += coefficients[i] != 0;
    if (coefficients[i]) last = i;
  }
  if (is_small && used > 1 && !is_repeated(l, last)) {
    term sum = term_int(s->ts, 0);
    for (size_t i = 0; i < s->columns.count; i++)
      sum = term_add(s->ts, sum, term_scale(s->ts, factors.at[i], s->columns.at[i]));
    offer(l, term_eq(s->ts, sum, term_int(s->ts, constant)));
  }
  VECTOR_FREE(factors);
}

static void offer_group(listing *l) {
  const seen_states *s = l->s;
  const group *g = l->g;
  if (g->states < FEWEST_STATES) return;
  for (size_t i = 0; i < s->atoms.count; i++)
    if (g->was_true[i] != g->was_false[i]) offer(l, g->was_true[i] ? s->atoms.at[i] : term_not(s->atoms.at[i]));
  if (affine_hull_since(g->hull) + s->columns.count + MORE_FOR_EQUATIONS <= affine_hull_count(g->hull))
    affine_hull_equations(g->hull, offer_equation, l);
  for (size_t i = 0; i < s->forms.count; i++) offer_range(l, &s->forms.at[i], &g->ranges.at[i]);
}

void seen_states_candidates(const seen_states *s, term_vector *out) {
  listing l = {.s = s, .g = &s->groups.at[0], .place = TERM_TRUE, .known = map_new(), .out = out, .first = out->count};
  offer_group(&l);
  for (size_t i = 0; i < s->divisions.count; i++) {
    const division *d = &s->divisions.at[i];
    variable v = s->m->variables.at[d->position].var;
    for (size_t j = 0; j < d->values; j++) {
      l.g = &s->groups.at[d->first_group + j];
      term x = term_of_variable(s->ts, v);
      bool is_bool = variable_type(s->ts, v)->sort == SORT_BOOL;
      l.place = !is_bool ? term_eq(s->ts, x, term_int(s->ts, (int64_t)j)) : j ? x : term_not(x);
      offer_group(&l);
    }
  }
  map_free(l.known);
}
