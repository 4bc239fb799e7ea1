/* Points, facts, literals and goals of a relation, from the arguments of its predicate and from the clauses in whose
 * bodies it stands. Each list has a limit, so that a predicate with many arguments does not take for ever. */
#include "engine/cells/guess/words.h"

#include "term/substitute.h"

enum { MOST_POINTS = 9, MOST_NUMBERS = 4, MOST_DISTANCES = 14, MOST_FACTS = 600, MOST_GOALS = 60 };
/* No short run comes as far: nothing can be seen to change there, and that something is never equal to it shows nothing. */
enum { FARTHEST = 200 };

typedef struct making {
  const cell_problem *cells;
  terms *ts;
  term_classes *classes;
  const clause_predicate *predicate;
  uint32_t number;
  bool with_all;
  index_vector index_classes;       /* of its arrays */
  VECTOR(uint32_t) index_positions; /* by index class: of which index of a cell */
  term_vector distances;            /* what the difference of two indices may be, and what their sum */
  term_vector sums;
  term_vector rounds; /* arguments after which a distance may begin again */
  guess_words *out;
} making;

static void add_once(term_vector *to, size_t most, term t) {
  for (size_t i = 0; i < to->count; i++)
    if (term_same(to->at[i], t)) return;
  if (to->count < most) VECTOR_PUSH(*to, t);
}

static const type *type_of(const making *m, uint32_t parameter) {
  return variable_type(m->ts, m->predicate->parameters.at[parameter]);
}

static term parameter_term(const making *m, uint32_t parameter) {
  return term_of_variable(m->ts, m->predicate->parameters.at[parameter]);
}

static uint32_t class_of(const making *m, uint32_t parameter, class_part part) {
  return term_classes_of(m->classes, m->predicate->parameters.at[parameter], part);
}

static bool is_index_class(const making *m, uint32_t class) {
  for (size_t i = 0; i < m->index_classes.count; i++)
    if (m->index_classes.at[i] == class) return true;
  return false;
}

static bool is_far(number n) { return number_compare(number_abs(n), number_of(FARTHEST)) > 0; }

static bool is_plain_integer(const type *of) { return of->sort == SORT_INT && !of->names; }

/* ---- points ---- */

static void add_numbers(making *m, uint32_t class, bool only_natural, term_vector *to) {
  number_vector found = {0};
  term_classes_numbers(m->classes, class, &found);
  for (size_t i = 0; i < found.count && i < MOST_NUMBERS; i++)
    if (number_is_integer(found.at[i]) && (number_sign(found.at[i]) >= 0 || !only_natural))
      add_once(to, MOST_POINTS, term_number(m->ts, found.at[i]));
  VECTOR_FREE(found);
}

/* Puts parameters in the place of those arguments of the atom that are variables, which are appended. */
static void set_arguments(making *m, const term_vector *arguments, substitution *s, variable_vector *known) {
  for (uint32_t i = 0; i < arguments->count; i++) {
    if (term_kind_of(m->ts, arguments->at[i]) != TERM_INT_VARIABLE) continue;
    substitution_set(s, term_variable(m->ts, arguments->at[i]), parameter_term(m, i));
    VECTOR_PUSH(*known, term_variable(m->ts, arguments->at[i]));
  }
}

/* Linear, and about these variables alone. */
static bool is_about(const making *m, term t, const variable_vector *known) {
  variable_vector inside = {0};
  size_t found = 0;
  term_variables(m->ts, 1, &t, &inside);
  for (size_t j = 0; j < inside.count; j++)
    for (size_t l = 0; l < known->count; l++)
      if (variable_same(known->at[l], inside.at[j])) {
        found++;
        break;
      }
  bool is_all = found == inside.count;
  VECTOR_FREE(inside);
  return is_all && term_is_linear(m->ts, t);
}

static void add_fact(making *m, term t) {
  if (!term_is_true(t) && !term_is_false(t)) add_once(&m->out->facts, MOST_FACTS, t);
}

/* A comparison in a clause may hold before, or just not any more, or never. */
static void add_facts_of_comparison(making *m, term sum) {
  terms *ts = m->ts;
  term one = term_int(ts, 1), none = term_int(ts, 0);
  add_fact(m, term_le(ts, sum, none));
  add_fact(m, term_le(ts, sum, one));
  add_fact(m, term_ge(ts, sum, none));
  add_fact(m, term_ge(ts, sum, one));
}

/* Argument `parameter` has one value all along a loop. */
static bool is_steady(const making *m, uint32_t parameter) {
  const clauses *all = m->cells->env->model->clauses;
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    for (size_t j = 0; j < c->body.count && c->head == m->number; j++)
      if (c->body.at[j].predicate == m->number &&
          !term_same(c->body.at[j].arguments.at[parameter], c->head_arguments.at[parameter]))
        return false;
  }
  return true;
}

/* The argument of which the term is the parameter; NO_ARGUMENT if there is none. */
static uint32_t argument_of(const making *m, term t) {
  for (uint32_t i = 0; i < m->predicate->parameters.count; i++)
    if (term_same(parameter_term(m, i), t)) return i;
  return NO_ARGUMENT;
}

/* All leaves of the sum but that one have one value all along a loop. */
static bool is_steady_but_for(const making *m, const linear *l, size_t one) {
  for (size_t i = 0; i < l->count; i++) {
    uint32_t argument = argument_of(m, l->leaves[i]);
    if (i != one && (argument == NO_ARGUMENT || !is_steady(m, argument))) return false;
  }
  return true;
}

/* An index that moves is compared with a sum of what stays: something may change there. */
static void add_point_of_comparison(making *m, term sum, term_vector *points) {
  linear l = term_linear(m->ts, sum);
  for (size_t i = 0; i < l.count; i++) {
    uint32_t argument = argument_of(m, l.leaves[i]);
    bool moves =
        argument != NO_ARGUMENT && is_index_class(m, class_of(m, argument, CLASS_OF_VALUE)) && !is_steady(m, argument);
    if (!moves || !number_is(number_abs(l.coefficients[i]), 1) || !is_steady_but_for(m, &l, i)) continue;
    term leaf = l.leaves[i], scaled = term_scale(m->ts, number_negate(l.coefficients[i]), sum);
    add_once(points, MOST_POINTS, term_add(m->ts, leaf, scaled));
    return;
  }
}

/* The terms that index an array in the clause, what moving indices are compared with, and facts by its comparisons, over the
 * parameters: arguments of this atom that are variables. Others are left out. */
static void look_at_clause(making *m, const clause *c, const term_vector *arguments, term_vector *indices,
                           term_vector *ends) {
  substitution *s = substitution_new(m->ts);
  term_vector roots = {0};
  index_vector cone = {0};
  variable_vector known = {0};
  set_arguments(m, arguments, s, &known);
  clause_terms(c, &roots);
  terms_cone(m->ts, roots.count, roots.at, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term t = {2 * cone.at[i]};
    term_kind kind = term_kind_of(m->ts, t);
    bool is_index = kind == TERM_SELECT || kind == TERM_BOOL_SELECT || kind == TERM_ARRAY_SELECT || kind == TERM_STORE;
    if (!is_index && (kind != TERM_LE || term_is_real_atom(m->ts, t))) continue;
    term sum = term_argument(m->ts, t, is_index);
    if (!is_about(m, sum, &known)) continue;
    if (is_index) {
      add_once(indices, MOST_POINTS, substitution_apply(s, sum));
    } else if (term_linear(m->ts, sum).count > 2) {
      add_facts_of_comparison(m, substitution_apply(s, sum));
      add_point_of_comparison(m, substitution_apply(s, sum), ends);
    }
  }
  substitution_free(s);
  VECTOR_FREE(roots);
  VECTOR_FREE(cone);
  VECTOR_FREE(known);
}

/* Two indices of one clause are often so far apart, or have that sum if it is simpler than they are. */
static void add_distances(making *m, const term_vector *indices) {
  for (size_t i = 0; i < indices->count; i++)
    for (size_t j = 0; j < indices->count; j++) {
      if (i == j) continue;
      term a = indices->at[i], b = indices->at[j], sum = term_add(m->ts, a, b);
      size_t of_a = term_linear(m->ts, a).count, of_b = term_linear(m->ts, b).count;
      add_once(&m->distances, MOST_DISTANCES, term_sub(m->ts, a, b));
      if (i < j && term_linear(m->ts, sum).count < (of_a > of_b ? of_a : of_b)) add_once(&m->sums, MOST_DISTANCES, sum);
    }
}

static void add_points_of_clauses(making *m) {
  const clauses *all = m->cells->env->model->clauses;
  term_vector indices = {0}, ends = {0};
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    if (c->head == NO_PREDICATE && c->property != m->cells->env->property) continue;
    for (size_t j = 0; j < c->body.count; j++) {
      if (c->body.at[j].predicate != m->number) continue;
      VECTOR_CLEAR(indices);
      look_at_clause(m, c, &c->body.at[j].arguments, &indices, &ends);
      for (size_t l = 0; l < indices.count; l++) add_once(&m->out->points, MOST_POINTS, indices.at[l]);
      add_distances(m, &indices);
    }
  }
  for (size_t i = 0; i < ends.count; i++) add_once(&m->out->points, MOST_POINTS, ends.at[i]);
  VECTOR_FREE(indices);
  VECTOR_FREE(ends);
}

static void add_points(making *m) {
  term_vector *points = &m->out->points;
  add_once(points, MOST_POINTS, term_int(m->ts, 0));
  for (uint32_t i = 0; i < m->predicate->parameters.count; i++)
    if (is_plain_integer(type_of(m, i)) && is_index_class(m, class_of(m, i, CLASS_OF_VALUE)))
      add_once(points, MOST_POINTS, parameter_term(m, i));
  add_points_of_clauses(m);
  for (size_t i = 0; i < m->index_classes.count; i++) add_numbers(m, m->index_classes.at[i], true, points);
  size_t count = points->count;
  for (size_t i = 0; i < count; i++) {
    number n;
    if (!term_is_number(m->ts, points->at[i], &n))
      add_once(points, 2 * MOST_POINTS, term_add(m->ts, points->at[i], term_int(m->ts, 1)));
  }
}

/* Of what goes round and round in an array: distances are right but for how often it went round. */
static void add_rounds(making *m) {
  size_t count = m->distances.count;
  for (uint32_t i = 0; i < m->predicate->parameters.count; i++) {
    if (!is_plain_integer(type_of(m, i)) || !is_index_class(m, class_of(m, i, CLASS_OF_VALUE)) || !is_steady(m, i))
      continue;
    VECTOR_PUSH(m->rounds, parameter_term(m, i));
    for (size_t j = 0; j < count; j++) {
      if (term_mentions(m->ts, m->distances.at[j], m->predicate->parameters.at[i])) continue;
      add_once(&m->distances, MOST_DISTANCES, term_add(m->ts, m->distances.at[j], parameter_term(m, i)));
      add_once(&m->distances, MOST_DISTANCES, term_sub(m->ts, m->distances.at[j], parameter_term(m, i)));
    }
  }
}

/* ---- facts ---- */

static void compare_all(making *m, const term_vector *terms_of_class) {
  for (size_t i = 0; i < terms_of_class->count; i++)
    for (size_t j = 0; j < terms_of_class->count; j++)
      if (i != j) add_fact(m, term_le(m->ts, terms_of_class->at[i], terms_of_class->at[j]));
}

/* Arguments of one class that are no indices, and the numbers of the class. */
static void add_facts_of_class(making *m, uint32_t class) {
  term_vector found = {0};
  for (uint32_t i = 0; i < m->predicate->parameters.count; i++)
    if (is_plain_integer(type_of(m, i)) && class_of(m, i, CLASS_OF_VALUE) == class)
      add_once(&found, MOST_POINTS, parameter_term(m, i));
  add_numbers(m, class, false, &found);
  compare_all(m, &found);
  VECTOR_FREE(found);
}

/* Two distances are equal, or one round apart. */
static void add_facts_of_distances(making *m) {
  for (size_t i = 0; i < m->distances.count; i++)
    for (size_t j = 0; j < i; j++) {
      term difference = term_sub(m->ts, m->distances.at[i], m->distances.at[j]);
      term is_same = term_eq(m->ts, difference, term_int(m->ts, 0));
      add_fact(m, is_same);
      for (size_t l = 0; l < m->rounds.count; l++) {
        term less = term_negate(m->ts, m->rounds.at[l]);
        add_fact(m, term_or(m->ts, is_same, term_eq(m->ts, difference, m->rounds.at[l])));
        add_fact(m, term_or(m->ts, is_same, term_eq(m->ts, difference, less)));
      }
    }
}

static void add_facts(making *m) {
  compare_all(m, &m->out->points);
  for (uint32_t i = 0; i < m->predicate->parameters.count; i++) {
    if (type_of(m, i)->sort == SORT_BOOL) {
      add_fact(m, parameter_term(m, i));
      add_fact(m, term_not(parameter_term(m, i)));
    } else if (is_plain_integer(type_of(m, i)) && !is_index_class(m, class_of(m, i, CLASS_OF_VALUE))) {
      add_facts_of_class(m, class_of(m, i, CLASS_OF_VALUE));
    }
  }
  add_facts_of_distances(m);
}

/* ---- literals ---- */

static term index_term(const making *m, size_t index) { return term_of_variable(m->ts, m->cells->indices.at[index]); }

static void add_literal(making *m, guess_literal l) {
  bool is_open = !term_is_true(l.formula) && !term_is_false(l.formula) && m->out->literals.count < MOST_LITERALS;
  if (is_open) VECTOR_PUSH(m->out->literals, l);
}

static void add_pair(making *m, uint32_t slot, size_t a, size_t b) {
  terms *ts = m->ts;
  term first = index_term(m, a), second = index_term(m, b);
  term difference = term_sub(ts, first, second), sum = term_add(ts, first, second), same = term_eq(ts, first, second);
  guess_literal l = {.slot = slot, .is_of_one = m->cells->count == 1};
  term orders[] = {term_ge(ts, first, second), term_le(ts, first, second), same, term_not(same)};
  bool is_of_cells = m->cells->depth == 1; /* of rows and columns, that they are the same is enough */
  for (size_t i = 0; i < ARRAY_LENGTH(orders) - is_of_cells; i++) l.formula = orders[i], add_literal(m, l);
  l.is_distance = true;
  for (size_t i = 0; i < m->distances.count && is_of_cells; i++)
    l.formula = term_not(term_eq(ts, difference, m->distances.at[i])), add_literal(m, l);
  for (size_t i = 0; i < m->sums.count && is_of_cells; i++)
    l.formula = term_not(term_eq(ts, sum, m->sums.at[i])), add_literal(m, l);
}

/* The class is of that index of a cell. */
static bool is_class_of_index(const making *m, uint32_t class, size_t index) {
  for (size_t i = 0; i < m->index_classes.count; i++)
    if (m->index_classes.at[i] == class && m->index_positions.at[i] == index) return true;
  return false;
}

/* Some class is of both indices of a cell. */
static bool are_of_one_class(const making *m, size_t a, size_t b) {
  for (size_t i = 0; i < m->index_classes.count; i++)
    if (m->index_positions.at[i] == a && is_class_of_index(m, m->index_classes.at[i], b)) return true;
  return false;
}

/* The same index of two cells; or, of one cell, two of its indices. */
static void add_pairs(making *m) {
  size_t cells = m->cells->count, depth = m->cells->depth, count = cells * depth;
  uint32_t slot = SLOT_PAIRS;
  for (size_t b = 0; b < count; b++)
    for (size_t a = 0; a < b && slot < SLOT_STATE; a++)
      if (cells == 1 ? are_of_one_class(m, a, b) : a % depth == b % depth) add_pair(m, slot++, a, b);
}

/* A flag: an argument whose class has a few numbers, and maybe nothing else. */
static void add_states_of_flag(making *m, uint32_t parameter) {
  number_vector found = {0};
  term_classes_numbers(m->classes, class_of(m, parameter, CLASS_OF_VALUE), &found);
  for (size_t i = 0; i < found.count && found.count <= MOST_NUMBERS; i++) {
    if (!number_is_integer(found.at[i]) || is_far(found.at[i])) continue;
    term is_equal = term_eq(m->ts, parameter_term(m, parameter), term_number(m->ts, found.at[i]));
    guess_literal l = {.formula = is_equal, .slot = SLOT_STATE, .is_of_one = true};
    add_literal(m, l);
    l.formula = term_not(is_equal);
    add_literal(m, l);
  }
  VECTOR_FREE(found);
}

/* Arguments that are indices, compared with each other, those that are true or false, and flags. */
static void add_states(making *m) {
  uint32_t count = (uint32_t)m->predicate->parameters.count;
  for (uint32_t i = 0; i < count; i++) {
    term t = parameter_term(m, i);
    guess_literal l = {.formula = t, .slot = SLOT_STATE, .is_of_one = true};
    if (type_of(m, i)->sort == SORT_BOOL) {
      add_literal(m, l);
      l.formula = term_not(t);
      add_literal(m, l);
    }
    if (!is_plain_integer(type_of(m, i))) continue;
    if (!is_index_class(m, class_of(m, i, CLASS_OF_VALUE))) {
      add_states_of_flag(m, i);
      continue;
    }
    for (uint32_t j = 0; j < count; j++)
      if (i != j && is_plain_integer(type_of(m, j)) && is_index_class(m, class_of(m, j, CLASS_OF_VALUE))) {
        l.formula = term_ge(m->ts, t, parameter_term(m, j));
        add_literal(m, l);
      }
  }
}

/* The index of a cell may be compared with the point: of rows and columns, one with what is of rows, the other with what is
 * of columns. */
static bool is_point_of(const making *m, term point, size_t index) {
  variable_vector inside = {0};
  number value;
  if (term_is_number(m->ts, point, &value)) return !is_far(value);
  bool fits = true;
  term_variables(m->ts, 1, &point, &inside);
  for (size_t i = 0; i < inside.count && fits && m->cells->depth > 1; i++)
    fits = is_class_of_index(m, term_classes_of(m->classes, inside.at[i], CLASS_OF_VALUE), index);
  VECTOR_FREE(inside);
  return fits;
}

static void add_bounds(making *m, uint32_t index) {
  guess_literal l = {.slot = SLOT_BOUNDS + 2 * index, .is_of_one = index < m->cells->depth};
  for (l.point = 0; l.point < m->out->points.count; l.point++) {
    term at = index_term(m, index), point = m->out->points.at[l.point];
    if (!is_point_of(m, point, index % m->cells->depth)) continue;
    l.formula = term_lt(m->ts, at, point);
    add_literal(m, l);
    l.slot++;
    l.formula = term_ge(m->ts, at, point);
    add_literal(m, l);
    l.slot--;
  }
}

static void add_literals(making *m) {
  size_t count = m->cells->count * m->cells->depth;
  if (count > 2) add_pairs(m); /* they are few, and the others may be too many */
  for (uint32_t i = 0; i < count; i++) add_bounds(m, i);
  if (count == 2) add_pairs(m);
  if (m->with_all) add_states(m);
}

/* ---- goals ---- */

static term value_term(const making *m, size_t cell, size_t place) {
  const cell_predicate *p = &m->cells->predicates.at[m->number];
  return term_of_variable(m->ts, p->values.at[cell * p->places.count + place]);
}

static void add_goal(making *m, term t) {
  if (!term_is_true(t) && !term_is_false(t)) add_once(&m->out->goals, MOST_GOALS, t);
}

static uint32_t element_class(const making *m, size_t place) {
  return class_of(m, m->cells->predicates.at[m->number].places.at[place].parameter, CLASS_OF_ELEMENT);
}

/* An element and another value of its class. */
static void compare(making *m, term value, term other, bool is_ordered, bool is_strict) {
  terms *ts = m->ts;
  if (is_ordered) {
    add_goal(m, term_le(ts, value, other));
    add_goal(m, term_ge(ts, value, other));
    if (is_strict) add_goal(m, term_lt(ts, value, other));
    if (is_strict) add_goal(m, term_gt(ts, value, other));
  } else {
    add_goal(m, term_eq(ts, value, other));
  }
  if (is_strict) add_goal(m, term_not(term_eq(ts, value, other)));
}

static void add_goals_of_place(making *m, size_t place) {
  uint32_t class = element_class(m, place);
  bool is_ordered = term_classes_is_ordered(m->classes, class);
  term value = value_term(m, 0, place);
  term_vector others = {0};
  if (term_sort(m->ts, value) == SORT_BOOL) {
    add_goal(m, value);
    add_goal(m, term_not(value));
  } else {
    for (uint32_t i = 0; i < m->predicate->parameters.count; i++)
      if (is_plain_integer(type_of(m, i)) && class_of(m, i, CLASS_OF_VALUE) == class)
        add_once(&others, MOST_POINTS, parameter_term(m, i));
    for (size_t i = 0; i < m->cells->depth; i++)
      if (is_class_of_index(m, class, i)) add_once(&others, MOST_POINTS, index_term(m, i));
    add_numbers(m, class, false, &others);
  }
  for (size_t i = 0; i < others.count; i++) {
    number n;
    bool is_strict = !term_is_number(m->ts, others.at[i], &n) || !is_far(n);
    if (is_strict || is_ordered) compare(m, value, others.at[i], is_ordered, is_strict);
  }
  for (size_t i = 0; i < place; i++)
    if (element_class(m, i) == class && term_sort(m->ts, value) == term_sort(m->ts, value_term(m, 0, i)))
      compare(m, value, value_term(m, 0, i), is_ordered && term_sort(m->ts, value) == SORT_INT, false);
  VECTOR_FREE(others);
}

/* Of an array and itself one direction is enough: the two cells can be exchanged. */
static void add_goals_of_pair(making *m, size_t a, size_t b) {
  uint32_t class = element_class(m, a);
  term first = value_term(m, 0, a), second = value_term(m, 1, b);
  if (class != element_class(m, b) || term_sort(m->ts, first) != term_sort(m->ts, second)) return;
  bool is_ordered = term_classes_is_ordered(m->classes, class) && term_sort(m->ts, first) == SORT_INT;
  if (a != b) {
    compare(m, first, second, is_ordered, false);
  } else if (is_ordered) {
    add_goal(m, term_le(m->ts, first, second));
  } else if (term_classes_is_paired(m->classes, class)) {
    add_goal(m, term_not(term_eq(m->ts, first, second)));
  }
}

/* Of three elements of an array two are the same, or they do not fall twice. */
static void add_goals_of_three(making *m, size_t place) {
  terms *ts = m->ts;
  term a = value_term(m, 0, place), b = value_term(m, 1, place), c = value_term(m, 2, place);
  term same[] = {term_eq(ts, a, b), term_eq(ts, b, c), term_eq(ts, a, c)};
  add_goal(m, term_or_all(ts, ARRAY_LENGTH(same), same));
  if (term_sort(ts, a) == SORT_BOOL || !term_classes_is_ordered(m->classes, element_class(m, place))) return;
  add_goal(m, term_or(ts, term_le(ts, a, b), term_le(ts, b, c)));
  add_goal(m, term_or(ts, term_ge(ts, a, b), term_ge(ts, b, c)));
}

static void note_kinds(making *m, goal_kind kind) {
  while (m->out->kinds.count < m->out->goals.count) VECTOR_PUSH(m->out->kinds, kind);
}

static void add_goals(making *m) {
  size_t places = m->cells->predicates.at[m->number].places.count;
  for (size_t i = 0; i < places; i++) add_goals_of_place(m, i);
  note_kinds(m, GOAL_OF_ONE);
  for (size_t i = 0; i < places && m->cells->count > 2; i++) add_goals_of_three(m, i);
  note_kinds(m, GOAL_OF_MORE);
  for (size_t i = 0; i < places && m->cells->count > 1; i++)
    for (size_t j = i; j < places; j++) {
      add_goals_of_pair(m, i, j);
      bool is_ordered = term_classes_is_ordered(m->classes, element_class(m, i));
      note_kinds(m, i == j || (is_ordered && !m->with_all) ? GOAL_OF_MORE : GOAL_ACROSS);
    }
}

static void find_index_classes(making *m) {
  const cell_predicate *p = &m->cells->predicates.at[m->number];
  for (size_t i = 0; i < p->places.count; i++)
    for (uint32_t j = 0; j < p->places.at[i].count; j++) {
      class_part part = (class_part)(CLASS_OF_INDEX + p->places.at[i].count - 1 - j);
      VECTOR_PUSH(m->index_classes, class_of(m, p->places.at[i].parameter, part));
      VECTOR_PUSH(m->index_positions, p->places.at[i].first + j);
    }
}

void guess_words_make(const cell_problem *c, term_classes *k, uint32_t predicate, bool with_all, guess_words *out) {
  making m = {.cells = c, .ts = c->ts, .classes = k, .number = predicate, .with_all = with_all, .out = out};
  m.predicate = &c->env->model->clauses->predicates.at[predicate];
  const index_vector *arrays = &c->predicates.at[predicate].arrays;
  find_index_classes(&m);
  add_points(&m);
  add_rounds(&m);
  add_facts(&m);
  if (arrays->count) {
    add_literals(&m);
    add_goals(&m);
  }
  VECTOR_FREE(m.index_classes);
  VECTOR_FREE(m.index_positions);
  VECTOR_FREE(m.distances);
  VECTOR_FREE(m.sums);
  VECTOR_FREE(m.rounds);
}

void guess_words_clear(guess_words *w) {
  VECTOR_FREE(w->points);
  VECTOR_FREE(w->facts);
  VECTOR_FREE(w->goals);
  VECTOR_FREE(w->literals);
  VECTOR_FREE(w->kinds);
}
