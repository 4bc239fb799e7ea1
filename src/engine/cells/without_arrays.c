/* A clause without arrays, which is weaker than the one with them, or as strong.
 *
 * Elements that are read are variables: the same for the same index. A read from what was written is a choice.
 * Whether two arrays are equal is a variable: if they are, so are their elements at all indices of the clause, else two
 * elements differ at an index of its own. Each atom of the body is instantiated at the indices at which its arrays are
 * read; what is left out makes the clause weaker, never wrong. */
#include "base/map.h"
#include "engine/cells/cells.h"
#include "term/fold.h"

enum { MOST_CHOICES = 200, MOST_INSTANCES = 64 };

typedef struct array_read {
  variable array;
  term index;
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
  map *known; /* array and index -> read */
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

static term read_variable(removal *r, variable array, term index) {
  uint64_t key = ((uint64_t)array.x << 32) | index.x, at;
  if (!map_get(r->known, key, &at)) {
    at = r->reads.count;
    map_set(r->known, key, at);
    sort element = variable_type(r->ts, array)->element;
    VECTOR_PUSH(r->reads, ((array_read){array, index, new_variable(r, "element!", element)}));
  }
  return term_of_variable(r->ts, r->reads.at[at].value);
}

static term element(removal *r, term array, term index);

/* Of what nothing was written to. */
static term element_of_base(removal *r, term array, term index) {
  const terms *ts = r->ts;
  switch (term_kind_of(ts, array)) {
    case TERM_CONSTANT_ARRAY: return fold_term(&r->fold, term_argument(ts, array, 0));
    case TERM_ARRAY_VARIABLE: return read_variable(r, term_variable(ts, array), index);
    default: break;
  }
  if (r->choices++ >= MOST_CHOICES)
    return term_of_variable(r->ts, new_variable(r, "element!", term_element(ts, array)));
  term condition = fold_term(&r->fold, term_argument(ts, array, 0));
  term then = element(r, term_argument(ts, array, 1), index);
  return term_ite(r->ts, condition, then, element(r, term_argument(ts, array, 2), index));
}

/* The element at the index, which is without arrays; what is below the array has been folded. */
static term element(removal *r, term array, term index) {
  term_vector writes = {0};
  for (; term_kind_of(r->ts, array) == TERM_STORE; array = term_argument(r->ts, array, 0)) VECTOR_PUSH(writes, array);
  term value = element_of_base(r, array, index);
  for (size_t i = writes.count; i-- > 0;) {
    term at = fold_term(&r->fold, term_argument(r->ts, writes.at[i], 1));
    term written = fold_term(&r->fold, term_argument(r->ts, writes.at[i], 2));
    value = term_ite(r->ts, term_eq(r->ts, at, index), written, value);
  }
  VECTOR_FREE(writes);
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
    *(term *)out = element(r, term_argument(r->ts, t, 0), fold_term(f, term_argument(r->ts, t, 1)));
  else if (kind == TERM_ARRAY_SAME)
    *(term *)out = equality(r, t);
  else
    *(term *)out = kind_is_array(kind) ? TERM_TRUE : fold_rebuilt(f, r->ts, t);
}

static term without(removal *r, term t) {
  term_fold_value(&r->fold, t);
  return fold_term(&r->fold, t);
}

static term element_at(removal *r, term array, term index) {
  term_fold_value(&r->fold, array);
  return element(r, array, index);
}

/* ---- indices ---- */

static void add_index(term_vector *all, term index) {
  for (size_t i = 0; i < all->count; i++)
    if (term_same(all->at[i], index)) return;
  VECTOR_PUSH(*all, index);
}

/* The indices at which arrays below `t` are written. */
static void add_writes(removal *r, term t, term_vector *out) {
  index_vector cone = {0};
  term_fold_value(&r->fold, t);
  terms_cone(r->ts, 1, &t, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term below = {2 * cone.at[i]};
    if (term_kind_of(r->ts, below) == TERM_STORE) add_index(out, fold_term(&r->fold, term_argument(r->ts, below, 1)));
  }
  VECTOR_FREE(cone);
}

/* The indices at which variables below `t` are read. */
static void add_reads(removal *r, term t, term_vector *out) {
  variable_vector arrays = {0};
  term_variables(r->ts, 1, &t, &arrays);
  for (size_t i = 0; i < r->reads.count; i++)
    for (size_t j = 0; j < arrays.count; j++)
      if (variable_same(arrays.at[j], r->reads.at[i].array)) {
        add_index(out, r->reads.at[i].index);
        break;
      }
  VECTOR_FREE(arrays);
}

/* ---- what holds of elements ---- */

static void add_part(removal *r, term t) { VECTOR_PUSH(r->parts, t); }

/* Arrays that are equal have equal elements, others differ somewhere. */
static void say_equalities(removal *r) {
  terms *ts = r->ts;
  term_vector indices = {0}, elements = {0};
  for (size_t i = 0; i < r->equalities.count; i++) {
    array_equality e = r->equalities.at[i];
    term is_equal = term_of_variable(ts, e.is_equal),
         at = term_of_variable(ts, new_variable(r, "difference!", SORT_INT));
    term same = term_eq(ts, element_at(r, e.left, at), element_at(r, e.right, at));
    add_part(r, term_not(term_and(ts, term_not(is_equal), same)));
    add_writes(r, e.left, &indices);
    add_writes(r, e.right, &indices);
  }
  for (size_t i = 0; i < r->reads.count; i++) add_index(&indices, r->reads.at[i].index);
  for (size_t i = 0; i < r->equalities.count; i++) {
    array_equality e = r->equalities.at[i];
    VECTOR_CLEAR(elements);
    for (size_t j = 0; j < indices.count; j++)
      VECTOR_PUSH(elements, term_eq(ts, element_at(r, e.left, indices.at[j]), element_at(r, e.right, indices.at[j])));
    add_part(r, term_implies(ts, term_of_variable(ts, e.is_equal), term_and_all(ts, elements.count, elements.at)));
  }
  VECTOR_FREE(indices);
  VECTOR_FREE(elements);
}

/* One array has one element at one index. */
static void say_reads(removal *r) {
  terms *ts = r->ts;
  for (size_t i = 0; i < r->reads.count; i++)
    for (size_t j = 0; j < i; j++) {
      const array_read *a = &r->reads.at[i], *b = &r->reads.at[j];
      if (!variable_same(a->array, b->array)) continue;
      term same = term_eq(ts, term_of_variable(ts, a->value), term_of_variable(ts, b->value));
      add_part(r, term_implies(ts, term_eq(ts, a->index, b->index), same));
    }
}

/* ---- atoms ---- */

/* The atom at these indices, one for each cell. */
static horn_atom atom_at(removal *r, uint32_t predicate, const term_vector *arguments, const term *indices) {
  const cell_predicate *p = &r->cells->predicates.at[predicate];
  horn_atom made = {.relation = predicate};
  for (size_t i = 0; i < p->scalars.count; i++)
    VECTOR_PUSH(made.arguments, without(r, arguments->at[p->scalars.at[i]]));
  for (size_t i = 0; i < r->cells->count && p->arrays.count; i++) {
    VECTOR_PUSH(made.arguments, indices[i]);
    for (size_t j = 0; j < p->arrays.count; j++)
      VECTOR_PUSH(made.arguments, element_at(r, arguments->at[p->arrays.at[j]], indices[i]));
  }
  return made;
}

static void add_head(removal *r) {
  const clause *c = r->clause;
  term_vector indices = {0};
  for (size_t i = 0; i < r->cells->count; i++) VECTOR_PUSH(indices, term_of_variable(r->ts, r->cells->sought.at[i]));
  if (c->head == NO_PREDICATE)
    r->made.head.relation = r->cells->problem.query;
  else
    r->made.head = atom_at(r, c->head, &c->head_arguments, indices.at);
  VECTOR_FREE(indices);
}

static bool is_sought(const removal *r, term index, size_t cell) {
  return term_same(index, term_of_variable(r->ts, r->cells->sought.at[cell]));
}

/* Of several cells: the first index that is sought comes first in a tuple, the last one last, and none stands twice. */
static bool is_useful(const removal *r, const term *tuple) {
  size_t count = r->cells->count;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++)
      if (term_same(tuple[i], tuple[j])) return false;
    if (r->cells->all_pairs) continue;
    if (count > 1 && i && is_sought(r, tuple[i], 0)) return false;
    if (count > 1 && i + 1 < count && is_sought(r, tuple[i], count - 1)) return false;
  }
  return true;
}

static void add_instances(removal *r, const clause_atom *a, const term_vector *indices) {
  size_t cells = r->cells->count, tuples = 1, made = 0;
  term *tuple = MEMORY_ARRAY(term, cells);
  for (size_t i = 0; i < cells && tuples < 100000; i++) tuples *= indices->count;
  for (size_t n = 0; n < tuples && made < MOST_INSTANCES; n++) {
    size_t rest = n;
    for (size_t i = 0; i < cells; i++, rest /= indices->count) tuple[i] = indices->at[rest % indices->count];
    if (!is_useful(r, tuple)) continue;
    VECTOR_PUSH(r->made.body, atom_at(r, a->predicate, &a->arguments, tuple));
    made++;
  }
  memory_free(tuple);
}

static void add_body_atom(removal *r, const clause_atom *a) {
  const cell_predicate *p = &r->cells->predicates.at[a->predicate];
  term_vector indices = {0};
  for (size_t i = 0; i < p->arrays.count; i++) {
    term array = a->arguments.at[p->arrays.at[i]];
    add_reads(r, array, &indices);
    add_writes(r, array, &indices);
  }
  while (p->arrays.count && indices.count < r->cells->count)
    VECTOR_PUSH(indices, term_of_variable(r->ts, new_variable(r, "any!", SORT_INT)));
  if (p->arrays.count)
    add_instances(r, a, &indices);
  else
    VECTOR_PUSH(r->made.body, atom_at(r, a->predicate, &a->arguments, NULL));
  VECTOR_FREE(indices);
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
  map_free(r.equal);
  VECTOR_FREE(r.reads);
  VECTOR_FREE(r.equalities);
  VECTOR_FREE(r.parts);
  return r.made;
}
