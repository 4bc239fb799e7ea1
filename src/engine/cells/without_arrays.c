/* A clause without arrays, which is weaker than the one with them, or as strong.
 *
 * Elements that are read are variables: the same for the same index. A read from what was written is a choice.
 * Whether two arrays are equal is a variable: if they are, so are their elements at all indices of the clause, else two
 * elements differ at an index of its own. Each atom of the body is instantiated at the indices at which its arrays are
 * read; what is left out makes the clause weaker, never wrong.
 *
 * An array of arrays has elements at tuples of indices; a row that is read is not looked at but for its elements. */
#include "base/map.h"
#include "engine/cells/cells.h"
#include "term/fold.h"

enum { MOST_CHOICES = 200, MOST_INSTANCES = 64, MOST_LOOKS = 20000, MOST_TUPLES = 256, MOST_OF_PAIRS = 8 };

/* Indices, the outermost first; `number` tells it from others. */
typedef struct tuple {
  term at[MOST_INDICES];
  size_t count;
} tuple;
typedef VECTOR(tuple) tuples;

typedef struct array_read {
  variable array;
  tuple index;
  variable value;
} array_read;

typedef struct array_equality {
  term left, right;
  variable is_equal;
} array_equality;

typedef struct removal {
  cell_problem *cells;
  terms *ts;
  const clause *clause;
  term_fold fold; /* terms without arrays; of arrays it has none */
  VECTOR(array_read) reads;
  map *known;   /* array and number of indices -> read */
  map *numbers; /* number of all indices but the last, and the last -> number */
  map *found;   /* array and number of indices -> element */
  size_t looks; /* at elements, so far */
  VECTOR(array_equality) equalities;
  map *equal;        /* term -> equality */
  size_t choices;    /* between arrays, so far */
  term_vector parts; /* of the constraint */
  horn_rule made;
} removal;

static variable new_variable(removal *r, const char *stem, sort of) {
  return variable_fresh(r->ts, stem, &(type){.sort = of});
}

/* ---- elements ---- */

static uint64_t number_of_tuple(removal *r, const tuple *t) {
  uint64_t number = 0;
  for (size_t i = 0; i < t->count; i++) {
    uint64_t key = number << 32 | t->at[i].x;
    if (!map_get(r->numbers, key, &number)) map_set(r->numbers, key, number = map_count(r->numbers) + 1);
  }
  return number;
}

static uint64_t key_of(removal *r, uint32_t array, const tuple *t) {
  return (uint64_t)array << 32 | number_of_tuple(r, t);
}

static bool is_same_tuple(const tuple *a, const tuple *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++) same = term_same(a->at[i], b->at[i]);
  return same;
}

/* Without its first index, or with one before it. */
static tuple rest_of(const tuple *t) {
  tuple made = {.count = t->count - 1};
  for (size_t i = 0; i < made.count; i++) made.at[i] = t->at[i + 1];
  return made;
}

static tuple with_first(term first, const tuple *t) {
  tuple made = {.at = {first}, .count = t->count + 1};
  for (size_t i = 0; i < t->count; i++) made.at[i + 1] = t->at[i];
  return made;
}

static term read_variable(removal *r, variable array, const tuple *index) {
  uint64_t key = key_of(r, array.x, index), at;
  if (!map_get(r->known, key, &at)) {
    at = r->reads.count;
    map_set(r->known, key, at);
    sort element = variable_type(r->ts, array)->element;
    VECTOR_PUSH(r->reads, ((array_read){array, *index, new_variable(r, "element!", element)}));
  }
  return term_of_variable(r->ts, r->reads.at[at].value);
}

static term element(removal *r, term array, const tuple *index);

static term any_element(removal *r, term array) {
  return term_of_variable(r->ts, new_variable(r, "element!", term_element(r->ts, array)));
}

/* Of what nothing was written to. */
static term element_of_base(removal *r, term array, const tuple *index) {
  const terms *ts = r->ts;
  tuple rest = rest_of(index);
  switch (term_kind_of(ts, array)) {
    case TERM_CONSTANT_ARRAY:
      return rest.count ? element(r, term_argument(ts, array, 0), &rest)
                        : fold_term(&r->fold, term_argument(ts, array, 0));
    case TERM_ARRAY_VARIABLE: return read_variable(r, term_variable(ts, array), index);
    case TERM_ARRAY_SELECT: {
      tuple whole = with_first(fold_term(&r->fold, term_argument(ts, array, 1)), index);
      return element(r, term_argument(ts, array, 0), &whole);
    }
    default: break;
  }
  if (r->choices++ >= MOST_CHOICES) return any_element(r, array);
  term condition = fold_term(&r->fold, term_argument(ts, array, 0));
  term then = element(r, term_argument(ts, array, 1), index);
  return term_ite(r->ts, condition, then, element(r, term_argument(ts, array, 2), index));
}

/* What is below the writes, which are appended from the outside. */
static term below_writes(const removal *r, term array, term_vector *writes) {
  for (; term_kind_of(r->ts, array) == TERM_STORE; array = term_argument(r->ts, array, 0)) VECTOR_PUSH(*writes, array);
  return array;
}

static term with_writes(removal *r, const term_vector *writes, const tuple *index, term value);

/* The element of a row that was written at the first index, which is `at`. Mostly it is the row that was there with a change:
 * then what it was is what the array had at the same indices. */
static term element_of_row(removal *r, term row, term at, term of, const tuple *index) {
  term_vector writes = {0};
  tuple rest = rest_of(index);
  term base = below_writes(r, row, &writes), value;
  bool is_own = term_kind_of(r->ts, base) == TERM_ARRAY_SELECT && term_same(term_argument(r->ts, base, 0), of) &&
                term_same(fold_term(&r->fold, term_argument(r->ts, base, 1)), at);
  value = is_own ? element(r, of, index) : element_of_base(r, base, &rest);
  value = with_writes(r, &writes, &rest, value);
  VECTOR_FREE(writes);
  return value;
}

/* The element, if it is `value` below the writes. */
static term with_writes(removal *r, const term_vector *writes, const tuple *index, term value) {
  for (size_t i = writes->count; i-- > 0;) {
    term at = fold_term(&r->fold, term_argument(r->ts, writes->at[i], 1));
    term from = term_argument(r->ts, writes->at[i], 0), written = term_argument(r->ts, writes->at[i], 2);
    written = index->count > 1 ? element_of_row(r, written, at, from, index) : fold_term(&r->fold, written);
    value = term_ite(r->ts, term_eq(r->ts, at, index->at[0]), written, value);
  }
  return value;
}

/* The element at the indices, which are without arrays; what is below the array has been folded. */
static term element(removal *r, term array, const tuple *index) {
  uint64_t key = key_of(r, array.x, index), known;
  term_vector writes = {0};
  if (map_get(r->found, key, &known)) return (term){(uint32_t)known};
  if (r->looks++ >= MOST_LOOKS) return any_element(r, array);
  term base = below_writes(r, array, &writes);
  term value = with_writes(r, &writes, index, element_of_base(r, base, index));
  VECTOR_FREE(writes);
  map_set(r->found, key, value.x);
  return value;
}

static term equality(removal *r, term t) {
  uint64_t at;
  if (!map_get(r->equal, t.x, &at)) {
    at = r->equalities.count;
    map_set(r->equal, t.x, at);
    array_equality made = {term_argument(r->ts, t, 0), term_argument(r->ts, t, 1),
                           new_variable(r, "equal!", SORT_BOOL)};
    VECTOR_PUSH(r->equalities, made);
  }
  return term_of_variable(r->ts, r->equalities.at[at].is_equal);
}

static void remove_arrays(const term_fold *f, term t, void *out) {
  removal *r = f->context;
  term_kind kind = term_kind_of(r->ts, t);
  if (kind == TERM_SELECT || kind == TERM_BOOL_SELECT)
    *(term *)out = element(r, term_argument(r->ts, t, 0), &(tuple){{fold_term(f, term_argument(r->ts, t, 1))}, 1});
  else if (kind == TERM_ARRAY_SAME)
    *(term *)out = equality(r, t);
  else
    *(term *)out = kind_is_array(kind) ? TERM_TRUE : fold_rebuilt(f, r->ts, t);
}

static term without(removal *r, term t) {
  term_fold_value(&r->fold, t);
  return fold_term(&r->fold, t);
}

static term element_at(removal *r, term array, const tuple *index) {
  term_fold_value(&r->fold, array);
  return element(r, array, index);
}

/* ---- indices ---- */

static void add_index(term_vector *all, term index) {
  for (size_t i = 0; i < all->count; i++)
    if (term_same(all->at[i], index)) return;
  VECTOR_PUSH(*all, index);
}

static void add_tuple(tuples *all, const tuple *t) {
  for (size_t i = 0; i < all->count; i++)
    if (is_same_tuple(&all->at[i], t)) return;
  VECTOR_PUSH(*all, *t);
}

/* Indices of arrays, by how often these are arrays of arrays. */
typedef struct level_indices {
  term_vector of[MOST_NESTING + 1];
} level_indices;

static void clear_levels(level_indices *l) {
  for (size_t i = 0; i <= MOST_NESTING; i++) VECTOR_FREE(l->of[i]);
}

/* The indices at which arrays below `t` are written. */
static void add_writes(removal *r, term t, level_indices *out) {
  index_vector cone = {0};
  term_fold_value(&r->fold, t);
  terms_cone(r->ts, 1, &t, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term below = {2 * cone.at[i]};
    if (term_kind_of(r->ts, below) == TERM_STORE)
      add_index(&out->of[term_nesting(r->ts, below)], fold_term(&r->fold, term_argument(r->ts, below, 1)));
  }
  VECTOR_FREE(cone);
}

/* Of indices of a cell from `first` on. */
static void add_read(const array_read *read, size_t first, level_indices *out) {
  for (size_t i = 0; i < read->index.count; i++)
    add_index(&out->of[first + read->index.count - 1 - i], read->index.at[i]);
}

/* The indices at which variables below `t` are read, and those that are whole cells. */
static void add_reads(removal *r, term t, level_indices *out, tuples *whole) {
  variable_vector arrays = {0};
  term_variables(r->ts, 1, &t, &arrays);
  for (size_t i = 0; i < r->reads.count; i++)
    for (size_t j = 0; j < arrays.count; j++)
      if (variable_same(arrays.at[j], r->reads.at[i].array)) {
        for (size_t k = 0; k + r->reads.at[i].index.count <= r->cells->depth; k++) add_read(&r->reads.at[i], k, out);
        if (r->reads.at[i].index.count == r->cells->depth) add_tuple(whole, &r->reads.at[i].index);
        break;
      }
  VECTOR_FREE(arrays);
}

/* All tuples of `count` indices, the first of which are of arrays with the most nesting; not too many. */
static void add_products(const level_indices *l, size_t count, size_t most, tuples *out) {
  size_t all = 1;
  for (size_t i = 0; i < count; i++) all = all < MOST_LOOKS || !l->of[i].count ? all * l->of[i].count : all;
  for (size_t n = 0; n < all && out->count < most; n++) {
    tuple made = {.count = count};
    size_t rest = n;
    for (size_t i = 0; i < count; i++) {
      const term_vector *of = &l->of[count - 1 - i];
      made.at[i] = of->at[rest % of->count];
      rest /= of->count;
    }
    add_tuple(out, &made);
  }
}

/* ---- what holds of elements ---- */

static void add_part(removal *r, term t) { VECTOR_PUSH(r->parts, t); }

/* Arrays that are equal have equal elements at these indices. */
static void say_equality(removal *r, const array_equality *e, const level_indices *indices) {
  terms *ts = r->ts;
  term_vector elements = {0};
  tuples all = {0};
  size_t count = 1 + term_nesting(ts, e->left);
  add_products(indices, count, count > 1 ? MOST_TUPLES : SIZE_MAX, &all);
  for (size_t j = 0; j < all.count; j++)
    VECTOR_PUSH(elements, term_eq(ts, element_at(r, e->left, &all.at[j]), element_at(r, e->right, &all.at[j])));
  add_part(r, term_implies(ts, term_of_variable(ts, e->is_equal), term_and_all(ts, elements.count, elements.at)));
  VECTOR_FREE(elements);
  VECTOR_FREE(all);
}

/* Arrays that are equal have equal elements, others differ somewhere. */
static void say_equalities(removal *r) {
  terms *ts = r->ts;
  level_indices indices = {0};
  for (size_t i = 0; i < r->equalities.count; i++) {
    array_equality e = r->equalities.at[i];
    tuple at = {.count = 1 + term_nesting(ts, e.left)};
    for (size_t j = 0; j < at.count; j++) at.at[j] = term_of_variable(ts, new_variable(r, "difference!", SORT_INT));
    term same = term_eq(ts, element_at(r, e.left, &at), element_at(r, e.right, &at));
    add_part(r, term_not(term_and(ts, term_not(term_of_variable(ts, e.is_equal)), same)));
    add_writes(r, e.left, &indices);
    add_writes(r, e.right, &indices);
  }
  for (size_t i = 0; i < r->reads.count; i++) add_read(&r->reads.at[i], 0, &indices);
  for (size_t i = 0; i < r->equalities.count; i++) {
    array_equality e = r->equalities.at[i];
    say_equality(r, &e, &indices);
  }
  clear_levels(&indices);
}

/* One array has one element at one index. */
static void say_reads(removal *r) {
  terms *ts = r->ts;
  for (size_t i = 0; i < r->reads.count; i++)
    for (size_t j = 0; j < i; j++) {
      const array_read *a = &r->reads.at[i], *b = &r->reads.at[j];
      if (!variable_same(a->array, b->array)) continue;
      term same = term_eq(ts, term_of_variable(ts, a->value), term_of_variable(ts, b->value)), at_one = TERM_TRUE;
      for (size_t k = 0; k < a->index.count; k++)
        at_one = term_and(ts, at_one, term_eq(ts, a->index.at[k], b->index.at[k]));
      add_part(r, term_implies(ts, at_one, same));
    }
}

/* ---- atoms ---- */

/* The atom at these cells. */
static horn_atom atom_at(removal *r, uint32_t predicate, const term_vector *arguments, const tuple *cells) {
  const cell_predicate *p = &r->cells->predicates.at[predicate];
  horn_atom made = {.relation = predicate};
  for (size_t i = 0; i < p->scalars.count; i++)
    VECTOR_PUSH(made.arguments, without(r, arguments->at[p->scalars.at[i]]));
  for (size_t i = 0; i < r->cells->count && p->arrays.count; i++) {
    for (size_t j = 0; j < cells[i].count; j++) VECTOR_PUSH(made.arguments, cells[i].at[j]);
    for (size_t j = 0; j < p->places.count; j++) {
      cell_place at = p->places.at[j];
      tuple index = {.count = at.count};
      for (size_t k = 0; k < at.count; k++) index.at[k] = cells[i].at[at.first + k];
      VECTOR_PUSH(made.arguments, element_at(r, arguments->at[at.parameter], &index));
    }
  }
  return made;
}

/* The cell of the head. */
static tuple sought(const removal *r, size_t cell) {
  tuple made = {.count = r->cells->depth};
  for (size_t i = 0; i < made.count; i++)
    made.at[i] = term_of_variable(r->ts, r->cells->sought.at[cell * made.count + i]);
  return made;
}

static void add_head(removal *r) {
  const clause *c = r->clause;
  tuple cells[MOST_CELLS];
  for (size_t i = 0; i < r->cells->count; i++) cells[i] = sought(r, i);
  if (c->head == NO_PREDICATE)
    r->made.head.relation = r->cells->problem.query;
  else
    r->made.head = atom_at(r, c->head, &c->head_arguments, cells);
}

static bool is_sought(const removal *r, const tuple *index, size_t cell) {
  tuple wanted = sought(r, cell);
  return is_same_tuple(index, &wanted);
}

/* Of several cells: the first that is sought comes first, the last one last, and none stands twice. */
static bool is_useful(const removal *r, const tuple *cells) {
  size_t count = r->cells->count;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++)
      if (is_same_tuple(&cells[i], &cells[j])) return false;
    if (r->cells->all_pairs) continue;
    if (count > 1 && i && is_sought(r, &cells[i], 0)) return false;
    if (count > 1 && i + 1 < count && is_sought(r, &cells[i], count - 1)) return false;
  }
  return true;
}

static void add_instances(removal *r, const clause_atom *a, const tuples *known) {
  size_t count = r->cells->count, all = 1, made = 0;
  tuple cells[MOST_CELLS];
  for (size_t i = 0; i < count && all < 100000; i++) all *= known->count;
  for (size_t n = 0; n < all && made < MOST_INSTANCES; n++) {
    size_t rest = n;
    for (size_t i = 0; i < count; i++, rest /= known->count) cells[i] = known->at[rest % known->count];
    if (!is_useful(r, cells)) continue;
    VECTOR_PUSH(r->made.body, atom_at(r, a->predicate, &a->arguments, cells));
    made++;
  }
}

/* The cells at which the atom is used: what its arrays are read or written at. */
static void find_cells(removal *r, const clause_atom *a, tuples *out) {
  const cell_predicate *p = &r->cells->predicates.at[a->predicate];
  level_indices levels = {0};
  size_t depth = r->cells->depth, most = r->cells->count > 1 ? MOST_OF_PAIRS : MOST_INSTANCES;
  for (size_t i = 0; i < p->arrays.count; i++) {
    term array = a->arguments.at[p->arrays.at[i]];
    add_reads(r, array, &levels, out);
    add_writes(r, array, &levels);
    if (depth == 1) add_products(&levels, 1, SIZE_MAX, out);
  }
  for (size_t i = 1; i < depth; i++) /* arrays with fewer indices are read at each of a cell's */
    for (size_t j = 0; j < levels.of[0].count && !levels.of[i].count; j++) add_index(&levels.of[i], levels.of[0].at[j]);
  if (depth > 1) add_products(&levels, depth, most, out);
  while (out->count < r->cells->count) {
    tuple any = {.count = depth};
    for (size_t i = 0; i < depth; i++) any.at[i] = term_of_variable(r->ts, new_variable(r, "any!", SORT_INT));
    VECTOR_PUSH(*out, any);
  }
  clear_levels(&levels);
}

static void add_body_atom(removal *r, const clause_atom *a) {
  tuples cells = {0};
  if (!r->cells->predicates.at[a->predicate].arrays.count) {
    VECTOR_PUSH(r->made.body, atom_at(r, a->predicate, &a->arguments, NULL));
    return;
  }
  find_cells(r, a, &cells);
  add_instances(r, a, &cells);
  VECTOR_FREE(cells);
}

static void find_variables(removal *r) {
  horn_rule *made = &r->made;
  term_vector all = {0};
  VECTOR_PUSH(all, made->constraint);
  for (size_t i = 0; i < made->body.count; i++)
    for (size_t j = 0; j < made->body.at[i].arguments.count; j++) VECTOR_PUSH(all, made->body.at[i].arguments.at[j]);
  for (size_t i = 0; i < made->head.arguments.count; i++) VECTOR_PUSH(all, made->head.arguments.at[i]);
  term_variables(r->ts, all.count, all.at, &made->variables);
  VECTOR_FREE(all);
}

horn_rule clause_without_arrays(cell_problem *c, const clause *from, uint32_t number) {
  removal r = {.cells = c, .ts = c->ts, .clause = from, .known = map_new(), .equal = map_new()};
  r.numbers = map_new();
  r.found = map_new();
  r.made.origin = number;
  r.fold = (term_fold){.ts = c->ts, .size = sizeof(term), .rule = remove_arrays, .context = &r};
  add_head(&r);
  add_part(&r, without(&r, from->constraint));
  for (size_t i = 0; i < from->body.count; i++) /* what their arguments read counts too */
    for (size_t j = 0; j < from->body.at[i].arguments.count; j++) without(&r, from->body.at[i].arguments.at[j]);
  say_equalities(&r);
  for (size_t i = 0; i < from->body.count; i++) add_body_atom(&r, &from->body.at[i]);
  say_reads(&r);
  r.made.constraint = term_and_all(r.ts, r.parts.count, r.parts.at);
  find_variables(&r);
  term_fold_close(&r.fold);
  map_free(r.known);
  map_free(r.numbers);
  map_free(r.found);
  map_free(r.equal);
  VECTOR_FREE(r.reads);
  VECTOR_FREE(r.equalities);
  VECTOR_FREE(r.parts);
  return r.made;
}
