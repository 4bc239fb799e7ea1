/* Points are columns: every atom has a bit for each, and each level of the stack the bits of those points where all
 * literals so far hold. The solver lags behind the stack; it gets literals only when it must be asked. */
#include "predicate/consistency.h"

#include "base/map.h"
#include "term/evaluate.h"

/* Points beyond so many replace the oldest; conflicts of many literals are not worth keeping, nor making smaller. */
enum { WORDS = 8, POINTS = 64 * WORDS, MOST_CONFLICTS = 100000, LARGEST_CONFLICT = 24, LARGEST_TO_SHRINK = 12 };

typedef struct point_bits {
  uint64_t word[WORDS];
} point_bits;

typedef VECTOR(uint32_t) literal_vector; /* 2 * atom + value */

typedef struct atom_entry {
  term atom;
  int8_t value; /* on the stack: 0 or 1; -1 if it is not there */
  point_bits holds;
  literal_vector conflicts[2]; /* numbers of those that have the literal */
} atom_entry;

typedef struct level {
  uint32_t literal;
  bool is_new; /* the atom was not on the stack below */
  point_bits alive;
} level;

struct consistency {
  terms *ts;
  solver *solver;
  VECTOR(atom_entry) atoms;
  map *number_of; /* index of a term -> its number */
  VECTOR(literal_vector) conflicts;
  number *points[POINTS]; /* values by variable */
  size_t lengths[POINTS]; /* how many variables there were */
  size_t point_count, next_point;
  point_bits all; /* those in use */
  VECTOR(level) stack;
  size_t asserted; /* levels that the solver knows */
  consistency_statistics statistics;
};

consistency *consistency_new(terms *ts, budget *b) {
  consistency *c = MEMORY_NEW(consistency);
  *c = (consistency){.ts = ts, .solver = solver_new(ts, b), .number_of = map_new()};
  return c;
}

static void forget(consistency *c) {
  consistency_pop(c, c->stack.count);
  for (size_t i = 0; i < c->conflicts.count; i++) VECTOR_FREE(c->conflicts.at[i]);
  VECTOR_CLEAR(c->conflicts);
  for (size_t i = 0; i < c->atoms.count; i++)
    for (int value = 0; value < 2; value++) VECTOR_CLEAR(c->atoms.at[i].conflicts[value]);
  for (size_t i = 0; i < c->point_count; i++) memory_free(c->points[i]);
  c->point_count = c->next_point = 0;
  c->all = (point_bits){0};
}

void consistency_free(consistency *c) {
  if (!c) return;
  forget(c);
  for (size_t i = 0; i < c->atoms.count; i++)
    for (int value = 0; value < 2; value++) VECTOR_FREE(c->atoms.at[i].conflicts[value]);
  VECTOR_FREE(c->conflicts);
  VECTOR_FREE(c->atoms);
  VECTOR_FREE(c->stack);
  map_free(c->number_of);
  solver_free(c->solver);
  memory_free(c);
}

void consistency_assume(consistency *c, term fact) {
  forget(c);
  solver_assert(c->solver, fact);
}

const consistency_statistics *consistency_statistics_of(const consistency *c) { return &c->statistics; }

/* ---- points ---- */

static void extend_point(consistency *c, size_t p) {
  size_t count = variable_count(c->ts);
  if (c->lengths[p] == count) return;
  c->points[p] = memory_realloc(c->points[p], count * sizeof(number));
  for (size_t i = c->lengths[p]; i < count; i++)
    c->points[p][i] = solver_any_value(variable_type(c->ts, (variable){(uint32_t)i}));
  c->lengths[p] = count;
}

static void set_bit(point_bits *b, size_t p, bool value) {
  uint64_t bit = UINT64_C(1) << (p % 64);
  b->word[p / 64] = value ? b->word[p / 64] | bit : b->word[p / 64] & ~bit;
}

static void look(consistency *c, atom_entry *a, size_t p) {
  extend_point(c, p);
  set_bit(&a->holds, p, !number_is(term_evaluate(c->ts, a->atom, c->points[p]), 0));
}

/* The solver's model satisfies the whole stack. */
static void add_point(consistency *c) {
  size_t p = c->next_point, count = variable_count(c->ts);
  c->next_point = (p + 1) % POINTS;
  if (p < c->point_count)
    memory_free(c->points[p]);
  else
    c->point_count++;
  c->points[p] = MEMORY_ARRAY(number, count + 1);
  c->lengths[p] = count;
  for (size_t i = 0; i < count; i++) c->points[p][i] = solver_value(c->solver, (variable){(uint32_t)i});
  set_bit(&c->all, p, true);
  for (size_t i = 0; i < c->atoms.count; i++) look(c, &c->atoms.at[i], p);
  for (size_t i = 0; i < c->stack.count; i++) set_bit(&c->stack.at[i].alive, p, true);
}

static point_bits alive_with(const consistency *c, uint32_t literal) {
  point_bits all = c->stack.count ? VECTOR_LAST(c->stack).alive : c->all;
  const point_bits *holds = &c->atoms.at[literal / 2].holds;
  for (size_t i = 0; i < WORDS; i++) all.word[i] &= literal & 1 ? holds->word[i] : ~holds->word[i];
  return all;
}

static bool any(const point_bits *b) {
  uint64_t all = 0;
  for (size_t i = 0; i < WORDS; i++) all |= b->word[i];
  return all != 0;
}

/* ---- atoms and the stack ---- */

uint32_t consistency_atom(consistency *c, term atom) {
  uint64_t at;
  if (map_get(c->number_of, term_index(atom), &at)) return (uint32_t)at;
  atom_entry made = {.atom = (term){2 * term_index(atom)}, .value = -1};
  map_set(c->number_of, term_index(atom), c->atoms.count);
  VECTOR_PUSH(c->atoms, made);
  for (size_t p = 0; p < c->point_count; p++) look(c, &VECTOR_LAST(c->atoms), p);
  return (uint32_t)(c->atoms.count - 1);
}

void consistency_push(consistency *c, uint32_t atom, bool value) {
  level l = {.literal = 2 * atom + value, .is_new = c->atoms.at[atom].value < 0};
  l.alive = alive_with(c, l.literal);
  c->atoms.at[atom].value = value;
  VECTOR_PUSH(c->stack, l);
}

void consistency_pop(consistency *c, size_t count) {
  while (count-- > 0) {
    level l = VECTOR_POP(c->stack);
    if (l.is_new) c->atoms.at[l.literal / 2].value = -1;
    if (c->asserted > c->stack.count) {
      solver_pop(c->solver);
      c->asserted--;
    }
  }
}

/* ---- conflicts ---- */

static bool is_excluded(const consistency *c, uint32_t literal) {
  const literal_vector *list = &c->atoms.at[literal / 2].conflicts[literal & 1];
  for (size_t i = 0; i < list->count; i++) {
    const literal_vector *conflict = &c->conflicts.at[list->at[i]];
    bool all = true;
    for (size_t j = 0; j < conflict->count && all; j++)
      all = conflict->at[j] == literal || c->atoms.at[conflict->at[j] / 2].value == (int8_t)(conflict->at[j] & 1);
    if (all) return true;
  }
  return false;
}

static term literal_term(const consistency *c, uint32_t literal) {
  term t = c->atoms.at[literal / 2].atom;
  return literal & 1 ? t : term_not(t);
}

static void assert_literal(consistency *c, uint32_t literal) {
  solver_assert_named(c->solver, literal_term(c, literal), literal);
}

/* Leaves out literals that are not needed, one after the other. The solver has nothing asserted but the facts. */
static void shrink(consistency *c, core_names *core) {
  for (size_t i = 0; i < core->count && core->count > 1;) {
    core_names less = {0};
    solver_push(c->solver);
    for (size_t j = 0; j < core->count; j++)
      if (j != i) assert_literal(c, core->at[j]);
    c->statistics.by_solver++;
    bool fine = answer_is_no(solver_check(c->solver, 0));
    if (fine) solver_core(c->solver, &less);
    solver_pop(c->solver);
    if (!fine) {
      i++;
      continue;
    }
    VECTOR_FREE(*core); /* those at places below i are needed, so they are still there */
    core->at = less.at, core->count = less.count, core->room = less.room;
  }
}

static void forget_asserted(consistency *c) {
  for (; c->asserted > 0; c->asserted--) solver_pop(c->solver);
}

static void add_conflict(consistency *c, core_names *core) {
  if (core->count > LARGEST_CONFLICT || c->conflicts.count >= MOST_CONFLICTS) return;
  if (core->count > 2 && core->count <= LARGEST_TO_SHRINK) {
    forget_asserted(c);
    shrink(c, core);
  }
  literal_vector conflict = {0};
  for (size_t i = 0; i < core->count; i++) {
    VECTOR_PUSH(conflict, core->at[i]);
    VECTOR_PUSH(c->atoms.at[core->at[i] / 2].conflicts[core->at[i] & 1], (uint32_t)c->conflicts.count);
  }
  VECTOR_PUSH(c->conflicts, conflict);
}

/* ---- asking ---- */

static answer ask(consistency *c, uint32_t literal) {
  for (; c->asserted < c->stack.count; c->asserted++) {
    solver_push(c->solver);
    assert_literal(c, c->stack.at[c->asserted].literal);
  }
  solver_push(c->solver);
  assert_literal(c, literal);
  c->statistics.by_solver++;
  answer found = solver_check(c->solver, 0);
  if (answer_is_yes(found)) add_point(c);
  core_names core = {0};
  if (answer_is_no(found)) solver_core(c->solver, &core);
  solver_pop(c->solver);
  if (answer_is_no(found)) add_conflict(c, &core);
  VECTOR_FREE(core);
  return found;
}

answer consistency_can(consistency *c, uint32_t atom, bool value) {
  uint32_t literal = 2 * atom + value;
  if (c->atoms.at[atom].value >= 0) return c->atoms.at[atom].value == (int8_t)value ? answer_yes() : answer_no();
  if (is_excluded(c, literal)) {
    c->statistics.by_conflict++;
    return answer_no();
  }
  point_bits alive = alive_with(c, literal);
  if (any(&alive)) {
    c->statistics.by_point++;
    return answer_yes();
  }
  return ask(c, literal);
}
