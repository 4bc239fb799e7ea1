/* Sets of terms that are put together, as a forest over a few nodes for each term: itself (of an array its indices, those
 * of arrays of arrays by nesting), and the elements of an array. Numbers are not put together with anything: they would join all. */
#include "engine/cells/guess/classes.h"

typedef struct class_number {
  uint32_t node;
  number value;
} class_number;

struct term_classes {
  terms *ts;
  VECTOR(uint32_t) parent;      /* by node */
  index_vector ordered, paired; /* nodes */
  VECTOR(class_number) numbers;
};

static uint32_t find(term_classes *k, uint32_t node) {
  while (k->parent.at[node] != node) {
    k->parent.at[node] = k->parent.at[k->parent.at[node]];
    node = k->parent.at[node];
  }
  return node;
}

static uint32_t node_of(term t, class_part part) { return CLASS_PARTS * term_index(t) + part; }

static void join_nodes(term_classes *k, uint32_t a, uint32_t b) { k->parent.at[find(k, a)] = find(k, b); }

/* A value with a node. */
static void join_value(term_classes *k, uint32_t node, term value) {
  number n;
  if (term_is_number(k->ts, value, &n))
    VECTOR_PUSH(k->numbers, ((class_number){node, n}));
  else
    join_nodes(k, node, node_of(value, CLASS_OF_VALUE));
}

/* Of arrays one of which may be a row of the other: as far as they have the same indices. */
static void join_element(term_classes *k, term array, term value);

/* The elements of `a` are those of `b`, which has one everywhere. */
static bool join_constant_array(term_classes *k, term a, term b) {
  if (term_kind_of(k->ts, b) != TERM_CONSTANT_ARRAY || term_nesting(k->ts, a) != term_nesting(k->ts, b)) return false;
  join_element(k, a, term_argument(k->ts, b, 0));
  return true;
}

/* An array with one number everywhere is a number: it is not put together with anything, for it would join all. */
static void join_arrays(term_classes *k, term a, term b) {
  if (join_constant_array(k, a, b) || join_constant_array(k, b, a)) return;
  for (unsigned i = 0; i <= term_nesting(k->ts, a) && i <= term_nesting(k->ts, b); i++)
    join_nodes(k, node_of(a, (class_part)(CLASS_OF_INDEX + i)), node_of(b, (class_part)(CLASS_OF_INDEX + i)));
  join_nodes(k, node_of(a, CLASS_OF_ELEMENT), node_of(b, CLASS_OF_ELEMENT));
}

/* A value with the elements of the array. */
static void join_element(term_classes *k, term array, term value) {
  if (term_nesting(k->ts, array))
    join_arrays(k, array, value);
  else
    join_value(k, node_of(array, CLASS_OF_ELEMENT), value);
}

static uint32_t outer_index(const term_classes *k, term array) {
  return node_of(array, (class_part)(CLASS_OF_INDEX + term_nesting(k->ts, array)));
}

/* A sum that is compared with 0; one of a single leaf compares that with a number. */
static void join_comparison(term_classes *k, term t) {
  term sum = term_argument(k->ts, t, 0);
  linear l = term_linear(k->ts, sum);
  if (term_kind_of(k->ts, t) == TERM_LE) VECTOR_PUSH(k->ordered, node_of(sum, CLASS_OF_VALUE));
  if (term_kind_of(k->ts, t) == TERM_EQ && l.count == 2 && term_kind_of(k->ts, l.leaves[0]) == TERM_SELECT &&
      term_kind_of(k->ts, l.leaves[1]) == TERM_SELECT)
    VECTOR_PUSH(k->paired, node_of(sum, CLASS_OF_VALUE));
  if (l.count == 1) {
    number value = number_quotient(number_negate(l.constant), l.coefficients[0]);
    bool is_below = term_kind_of(k->ts, t) == TERM_LE && number_sign(value) < 0;
    if (is_below) value = number_add(value, number_of(1)); /* x <= -1 was x < 0, mostly, or its negation */
    if (number_is_integer(value)) VECTOR_PUSH(k->numbers, ((class_number){node_of(sum, CLASS_OF_VALUE), value}));
  }
}

static void join_term(term_classes *k, term t) {
  uint32_t own = node_of(t, CLASS_OF_VALUE);
  size_t count = term_arguments(k->ts, t);
#define ARGUMENT(I) term_argument(k->ts, t, I)
  switch (term_kind_of(k->ts, t)) {
    case TERM_LE:
    case TERM_EQ: join_comparison(k, t); break;
    case TERM_SUM:
    case TERM_PRODUCT:
    case TERM_DIV:
    case TERM_MOD:
      for (size_t i = 0; i < count; i++) {
        number n;
        if (!term_is_number(k->ts, ARGUMENT(i), &n)) join_value(k, own, ARGUMENT(i));
      }
      break;
    case TERM_INT_ITE:
      join_value(k, own, ARGUMENT(1));
      join_value(k, own, ARGUMENT(2));
      break;
    case TERM_SELECT:
    case TERM_BOOL_SELECT:
      join_value(k, node_of(ARGUMENT(0), CLASS_OF_INDEX), ARGUMENT(1));
      join_nodes(k, own, node_of(ARGUMENT(0), CLASS_OF_ELEMENT));
      break;
    case TERM_ARRAY_SELECT:
      join_value(k, outer_index(k, ARGUMENT(0)), ARGUMENT(1));
      join_arrays(k, t, ARGUMENT(0));
      break;
    case TERM_STORE:
      join_arrays(k, t, ARGUMENT(0));
      join_value(k, outer_index(k, t), ARGUMENT(1));
      join_element(k, t, ARGUMENT(2));
      break;
    case TERM_CONSTANT_ARRAY: join_element(k, t, ARGUMENT(0)); break;
    case TERM_ARRAY_SAME: join_arrays(k, ARGUMENT(0), ARGUMENT(1)); break;
    case TERM_ARRAY_ITE:
      join_arrays(k, t, ARGUMENT(1));
      join_arrays(k, t, ARGUMENT(2));
      break;
    default: break;
  }
#undef ARGUMENT
}

static void join_atom(term_classes *k, const clause_predicate *p, const term_vector *arguments) {
  for (size_t i = 0; i < p->parameters.count; i++) {
    term parameter = term_of_variable(k->ts, p->parameters.at[i]);
    if (variable_type(k->ts, p->parameters.at[i])->sort == SORT_ARRAY)
      join_arrays(k, parameter, arguments->at[i]);
    else
      join_value(k, node_of(parameter, CLASS_OF_VALUE), arguments->at[i]);
  }
}

static void join_clause(term_classes *k, const clauses *all, const clause *c) {
  term_vector roots = {0};
  index_vector cone = {0};
  clause_terms(c, &roots);
  terms_cone(k->ts, roots.count, roots.at, &cone);
  for (size_t i = 0; i < cone.count; i++) join_term(k, (term){2 * cone.at[i]});
  for (size_t i = 0; i < c->body.count; i++)
    join_atom(k, &all->predicates.at[c->body.at[i].predicate], &c->body.at[i].arguments);
  if (c->head != NO_PREDICATE) join_atom(k, &all->predicates.at[c->head], &c->head_arguments);
  VECTOR_FREE(roots);
  VECTOR_FREE(cone);
}

term_classes *term_classes_new(terms *ts, const clauses *of, size_t property) {
  term_classes *k = MEMORY_NEW(term_classes);
  k->ts = ts;
  for (size_t i = 0; i < of->predicates.count; i++)
    for (size_t j = 0; j < of->predicates.at[i].parameters.count; j++)
      term_of_variable(ts, of->predicates.at[i].parameters.at[j]);
  for (uint32_t i = 0; i < CLASS_PARTS * terms_count(ts); i++) VECTOR_PUSH(k->parent, i);
  for (size_t i = 0; i < of->clauses.count; i++)
    if (of->clauses.at[i].head != NO_PREDICATE || of->clauses.at[i].property == property)
      join_clause(k, of, &of->clauses.at[i]);
  return k;
}

void term_classes_free(term_classes *k) {
  if (!k) return;
  VECTOR_FREE(k->parent);
  VECTOR_FREE(k->ordered);
  VECTOR_FREE(k->paired);
  VECTOR_FREE(k->numbers);
  memory_free(k);
}

uint32_t term_classes_of(term_classes *k, variable v, class_part part) {
  return find(k, node_of(term_of_variable(k->ts, v), part));
}

static bool has_one_of(term_classes *k, uint32_t class, const index_vector *nodes) {
  for (size_t i = 0; i < nodes->count; i++)
    if (find(k, nodes->at[i]) == class) return true;
  return false;
}

bool term_classes_is_ordered(term_classes *k, uint32_t class) { return has_one_of(k, class, &k->ordered); }

bool term_classes_is_paired(term_classes *k, uint32_t class) { return has_one_of(k, class, &k->paired); }

void term_classes_numbers(term_classes *k, uint32_t class, number_vector *out) {
  for (size_t i = 0; i < k->numbers.count; i++) {
    if (find(k, k->numbers.at[i].node) != class) continue;
    bool is_known = false;
    for (size_t j = 0; j < out->count && !is_known; j++) is_known = number_equal(out->at[j], k->numbers.at[i].value);
    if (!is_known) VECTOR_PUSH(*out, k->numbers.at[i].value);
  }
}
