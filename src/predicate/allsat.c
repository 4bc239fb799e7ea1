/* Splits atoms into components, searches each depth first, remembers what was found. */
#include "predicate/allsat.h"

#include "base/instruments/check.h"
#include "base/instruments/log.h"
#include "base/map.h"
#include "predicate/zone.h"

/* What a question to isl or the solver costs, measured in questions about differences. */
enum { MOST_CELLS = 400000, MOST_ATOMS = 512, SLOW_QUESTION = 64 };

typedef struct entry {
  term_vector atoms;
  term context;
  cells cells;
  const char *reason; /* why there are none */
} entry;

struct allsat {
  terms *ts;
  presburger *sets;
  solver *solver;
  budget *budget;
  consistency *consistency; /* NULL until somebody wants it */
  term_vector facts;
  VECTOR(entry *) known;
  map *by_hash; /* of atoms and context -> the last entry with it, in `known` */
  allsat_statistics statistics;
  uint64_t work, limit;
};

const char allsat_out_of_work[] = "the abstract transition relation takes too much work";

void allsat_limit(allsat *a, uint64_t work) {
  a->work = 0;
  a->limit = work;
}

allsat *allsat_new(terms *ts, presburger *p, solver *s, budget *b) {
  allsat *a = MEMORY_NEW(allsat);
  *a = (allsat){.ts = ts, .sets = p, .solver = s, .budget = b, .by_hash = map_new()};
  return a;
}

static void forget(allsat *a) {
  for (size_t i = 0; i < a->known.count; i++) {
    VECTOR_FREE(a->known.at[i]->atoms);
    memory_free(a->known.at[i]->cells.bits);
    memory_free(a->known.at[i]);
  }
  VECTOR_CLEAR(a->known);
  map_clear(a->by_hash);
}

void allsat_free(allsat *a) {
  if (!a) return;
  forget(a);
  VECTOR_FREE(a->known);
  VECTOR_FREE(a->facts);
  map_free(a->by_hash);
  consistency_free(a->consistency);
  memory_free(a);
}

static void count_consistency(const allsat *a, allsat_statistics *out) {
  if (!a->consistency) return;
  const consistency_statistics *c = consistency_statistics_of(a->consistency);
  out->by_points += c->by_point;
  out->by_conflicts += c->by_conflict;
  out->by_own_solver += c->by_solver;
  out->questions += c->by_point + c->by_conflict + c->by_solver;
}

void allsat_assume(allsat *a, term fact) {
  forget(a);
  term_conjuncts(a->ts, fact, &a->facts);
  count_consistency(a, &a->statistics);
  consistency_free(a->consistency);
  a->consistency = NULL;
}

consistency *allsat_consistency(allsat *a) {
  if (!a->consistency) {
    a->consistency = consistency_new(a->ts, a->budget);
    consistency_assume(a->consistency, term_and_all(a->ts, a->facts.count, a->facts.at));
  }
  return a->consistency;
}

allsat_statistics allsat_statistics_of(const allsat *a) {
  allsat_statistics now = a->statistics;
  count_consistency(a, &now);
  return now;
}

/* ---- components: variables that meet in an atom are one class ---- */

typedef struct classes {
  map *parent; /* variable -> variable */
} classes;

static uint64_t class_of(classes *c, uint64_t v) {
  uint64_t up = v;
  while (map_get(c->parent, v, &up) && up != v) v = up;
  return v;
}

static uint64_t join_variables(const terms *ts, classes *c, term t) {
  variable_vector all = {0};
  term_variables(ts, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++) {
    if (!map_get(c->parent, all.at[i].x, NULL)) map_set(c->parent, all.at[i].x, all.at[i].x);
    if (i) map_set(c->parent, class_of(c, all.at[i].x), class_of(c, all.at[0].x));
  }
  uint64_t result = all.count ? class_of(c, all.at[0].x) : UINT64_MAX;
  VECTOR_FREE(all);
  return result;
}

static void join_conjuncts(const terms *ts, classes *c, term t) {
  term_vector parts = {0};
  term_conjuncts(ts, t, &parts);
  for (size_t i = 0; i < parts.count; i++) join_variables(ts, c, parts.at[i]);
  VECTOR_FREE(parts);
}

static void join_all(const allsat *a, classes *c, size_t count, const term *atoms, term context) {
  for (size_t i = 0; i < a->facts.count; i++) join_variables(a->ts, c, a->facts.at[i]);
  join_conjuncts(a->ts, c, context);
  for (size_t i = 0; i < count; i++) join_variables(a->ts, c, atoms[i]);
}

size_t allsat_components(const allsat *a, size_t count, const term *atoms, term context, uint32_t *component) {
  classes c = {map_new()};
  map *number_of_class = map_new();
  join_all(a, &c, count, atoms, context);
  size_t components = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t class = join_variables(a->ts, &c, atoms[i]), at;
    if (!map_get(number_of_class, class, &at)) map_set(number_of_class, class, at = components++);
    component[i] = (uint32_t)at;
  }
  map_free(number_of_class);
  map_free(c.parent);
  return components;
}

term allsat_relevant(allsat *a, size_t count, const term *atoms, term context) {
  classes c = {map_new()};
  map *wanted = map_new();
  term_vector all = {0}, kept = {0};
  join_all(a, &c, count, atoms, context);
  for (size_t i = 0; i < count; i++) map_set(wanted, join_variables(a->ts, &c, atoms[i]), 1);
  term_conjuncts(a->ts, context, &all);
  for (size_t i = 0; i < a->facts.count; i++) VECTOR_PUSH(all, a->facts.at[i]);
  for (size_t i = 0; i < all.count; i++)
    if (term_is_false(all.at[i]) || map_get(wanted, join_variables(a->ts, &c, all.at[i]), NULL))
      VECTOR_PUSH(kept, all.at[i]);
  term result = term_and_all(a->ts, kept.count, kept.at);
  VECTOR_FREE(all);
  VECTOR_FREE(kept);
  map_free(wanted);
  map_free(c.parent);
  return result;
}

/* ---- the search ---- */

typedef struct search {
  allsat *a;
  size_t count;
  const term *atoms;
  cells *out;
  size_t room;
  uint64_t *row;
  region **yes, **no; /* of each atom; NULL if the solver is used */
  const char *reason;
} search;

/* Does row `a` come before `b`? The first atom in which they differ is true in it. */
static bool comes_before(const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t w = 0; w < words; w++)
    if (a[w] != b[w]) return a[w] >> __builtin_ctzll(a[w] ^ b[w]) & 1;
  return false;
}

const char *cells_check(const cells *c) {
  if (c->atoms > 64 * c->words) return "rows have a bit for each atom";
  for (size_t i = 0; i < c->count; i++) {
    const uint64_t *row = c->bits + i * c->words;
    if (i && !comes_before(row - c->words, row, c->words)) return "rows are in descending order, none twice";
    for (size_t atom = c->atoms; atom < 64 * c->words; atom++)
      if (cells_has(c, i, atom)) return "bits beyond the atoms are 0";
  }
  return NULL;
}

static void add_row(search *s) {
  cells *c = s->out;
  if (c->count == s->room) {
    s->room = s->room ? 2 * s->room : 64;
    c->bits = memory_realloc(c->bits, s->room * c->words * sizeof(uint64_t));
  }
  memcpy(c->bits + c->count * c->words, s->row, c->words * sizeof(uint64_t));
  if (++c->count >= MOST_CELLS) s->reason = "the abstract transition relation has too many cases";
}

static void set_bit(search *s, size_t atom, bool value) {
  uint64_t bit = UINT64_C(1) << (atom % 64);
  s->row[atom / 64] = value ? s->row[atom / 64] | bit : s->row[atom / 64] & ~bit;
}

static bool stop(search *s) {
  if (!s->reason && s->a->limit && s->a->work > s->a->limit) s->reason = allsat_out_of_work;
  if (!s->reason) s->reason = budget_spent(s->a->budget);
  return s->reason != NULL;
}

/* Unsure counts as possible: that only makes the set of rows larger. */
static bool possible(search *s, answer is_empty) {
  s->a->statistics.questions++;
  if (answer_is_unsure(is_empty)) {
    s->a->statistics.unsure++;
    s->out->exact = false;
  }
  return !answer_is_yes(is_empty);
}

static bool region_is_possible(search *s, const region *r) {
  s->a->statistics.by_sets++;
  s->a->work += SLOW_QUESTION;
  return possible(s, region_is_empty(r));
}

/* `here` has points. Depth is at most MOST_ATOMS. If one side is empty, the other is `here` itself: no question. */
static void search_sets(search *s, size_t depth, const region *here) {
  if (stop(s)) return;
  if (depth == s->count) {
    add_row(s);
    return;
  }
  region *yes = region_meet(here, s->yes[depth]);
  bool may_hold = region_is_possible(s, yes), may_fail = true;
  region *no = NULL;
  if (may_hold) {
    no = region_meet(here, s->no[depth]);
    may_fail = region_is_possible(s, no);
  }
  if (may_hold) {
    set_bit(s, depth, true);
    search_sets(s, depth + 1, may_fail && yes ? yes : here);
  }
  region_free(yes);
  if (may_fail) {
    set_bit(s, depth, false);
    search_sets(s, depth + 1, may_hold && no ? no : here);
  }
  region_free(no);
}

static bool solver_is_possible(search *s) {
  s->a->statistics.by_solver++;
  s->a->work += SLOW_QUESTION;
  answer has_model = solver_check(s->a->solver, 0);
  answer is_empty = answer_is_yes(has_model) ? answer_no() : answer_is_no(has_model) ? answer_yes() : has_model;
  return possible(s, is_empty);
}

static void search_solver(search *s, size_t depth) {
  if (stop(s)) return;
  if (depth == s->count) {
    add_row(s);
    return;
  }
  bool may_hold = true;
  for (int value = 1; value >= 0; value--) {
    solver_push(s->a->solver);
    solver_assert(s->a->solver, value ? s->atoms[depth] : term_not(s->atoms[depth]));
    bool may = !value && !may_hold ? true : solver_is_possible(s);
    if (value) may_hold = may;
    if (may) {
      set_bit(s, depth, value);
      search_solver(s, depth + 1);
    }
    solver_pop(s->a->solver);
  }
}

static bool all_linear(const allsat *a, size_t count, const term *atoms, term context) {
  bool fine = presburger_can(a->ts, context);
  for (size_t i = 0; i < count && fine; i++) fine = presburger_can(a->ts, atoms[i]);
  return fine;
}

/* ---- the same on differences of variables ---- */

typedef struct zone_search {
  search *s;
  zone_literal *yes, *no; /* of each atom */
  zone *levels;           /* two for each depth, and the start */
  bool failed;            /* some zone had no room, or was too much work */
} zone_search;

static bool zone_is_possible(zone_search *z, const zone *here, zone_literal l, zone *out) {
  zone_copy(out, here);
  answer empty = zone_add(out, l) ? (zone_settle(out), zone_is_empty(out)) : answer_unsure(NULL);
  z->s->a->statistics.questions++;
  z->s->a->statistics.by_differences++;
  z->s->a->work++;
  z->failed |= answer_is_unsure(empty);
  return !answer_is_yes(empty);
}

static void search_zones(zone_search *z, size_t depth, const zone *here) {
  search *s = z->s;
  if (z->failed || stop(s)) return;
  if (depth == s->count) {
    add_row(s);
    return;
  }
  zone *yes = &z->levels[2 * depth + 1], *no = yes + 1;
  bool may_hold = zone_is_possible(z, here, z->yes[depth], yes);
  bool may_fail = !may_hold || zone_is_possible(z, here, z->no[depth], no);
  if (may_hold) {
    set_bit(s, depth, true);
    search_zones(z, depth + 1, may_fail ? yes : here);
  }
  if (may_fail) {
    set_bit(s, depth, false);
    search_zones(z, depth + 1, may_hold ? no : here);
  }
}

/* False if some atom or conjunct is no difference, or it turned out to be too much: nothing is found then. */
static bool run_on_zones(search *s, term context) {
  terms *ts = s->a->ts;
  term_vector parts = {0}, roots = {0};
  variable_vector all = {0};
  zone_search z = {
      .s = s, .yes = MEMORY_ARRAY(zone_literal, s->count + 1), .no = MEMORY_ARRAY(zone_literal, s->count + 1)};
  for (size_t i = 0; i < s->count; i++) VECTOR_PUSH(roots, s->atoms[i]);
  VECTOR_PUSH(roots, context);
  term_variables(ts, roots.count, roots.at, &all);
  term_conjuncts(ts, context, &parts);
  for (size_t i = 0; i < all.count; i++) {
    const type *of = variable_type(ts, all.at[i]);
    term v = term_of_variable(ts, all.at[i]);
    if (of->sort == SORT_INT && of->has_low) VECTOR_PUSH(parts, term_ge(ts, v, term_number(ts, of->low)));
    if (of->sort == SORT_INT && of->has_high) VECTOR_PUSH(parts, term_le(ts, v, term_number(ts, of->high)));
  }
  bool fine = all.count <= ZONE_VARIABLES;
  for (size_t i = 0; i < s->count && fine; i++)
    fine = zone_literal_of(ts, all.count, all.at, s->atoms[i], &z.yes[i]) &&
           zone_literal_of(ts, all.count, all.at, term_not(s->atoms[i]), &z.no[i]);
  if (fine) {
    z.levels = memory_alloc((2 * s->count + 1) * sizeof(zone));
    zone_start(&z.levels[0], all.count);
    for (size_t i = 0; i < parts.count && fine; i++) {
      zone_literal l;
      fine = zone_literal_of(ts, all.count, all.at, parts.at[i], &l) && zone_add(&z.levels[0], l);
    }
    answer empty = zone_is_empty(&z.levels[0]);
    if (fine && answer_is_no(empty)) search_zones(&z, 0, &z.levels[0]);
    fine = fine && !z.failed && !answer_is_unsure(empty);
    if (!fine) s->out->count = 0;
    memory_free(z.levels);
  }
  memory_free(z.yes);
  memory_free(z.no);
  VECTOR_FREE(parts);
  VECTOR_FREE(roots);
  VECTOR_FREE(all);
  return fine;
}

/* False if isl refused: the solver is then the one to ask. */
static bool run_on_sets(search *s, term context) {
  allsat *a = s->a;
  variable_vector all = {0};
  term_vector roots = {0};
  for (size_t i = 0; i < s->count; i++) VECTOR_PUSH(roots, s->atoms[i]);
  VECTOR_PUSH(roots, context);
  term_variables(a->ts, roots.count, roots.at, &all);
  const frame *f = presburger_frame(a->sets, all.count, all.at);
  region *types = region_of_types(a->sets, f), *rest = region_of_term(a->sets, f, context);
  region *here = region_meet(types, rest);
  bool fine = here != NULL;
  s->yes = MEMORY_ARRAY(region *, s->count + 1);
  s->no = MEMORY_ARRAY(region *, s->count + 1);
  for (size_t i = 0; i < s->count && fine; i++) {
    s->yes[i] = region_of_term(a->sets, f, s->atoms[i]);
    s->no[i] = region_of_term(a->sets, f, term_not(s->atoms[i]));
    fine = s->yes[i] && s->no[i];
  }
  if (fine && region_is_possible(s, here)) search_sets(s, 0, here);
  for (size_t i = 0; i < s->count; i++) {
    region_free(s->yes[i]);
    region_free(s->no[i]);
  }
  memory_free(s->yes);
  memory_free(s->no);
  region_free(here);
  region_free(rest);
  region_free(types);
  VECTOR_FREE(all);
  VECTOR_FREE(roots);
  return fine;
}

static void run_on_solver(search *s, term context) {
  solver_push(s->a->solver);
  solver_assert(s->a->solver, context);
  if (solver_is_possible(s)) search_solver(s, 0);
  solver_pop(s->a->solver);
}

static void fill(allsat *a, entry *e) {
  search s = {.a = a, .count = e->atoms.count, .atoms = e->atoms.at, .out = &e->cells};
  e->cells = (cells){.atoms = s.count, .words = s.count ? (s.count + 63) / 64 : 1, .exact = true};
  s.row = MEMORY_ARRAY(uint64_t, e->cells.words);
  term context = allsat_relevant(a, s.count, s.atoms, e->context);
  if (s.count > MOST_ATOMS)
    s.reason = "too many predicates about the same variables";
  else if (!run_on_zones(&s, context) && (!all_linear(a, s.count, s.atoms, context) || !run_on_sets(&s, context)))
    run_on_solver(&s, context);
  e->reason = s.reason;
  memory_free(s.row);
  if (!e->reason) CHECKED(cells_check(&e->cells));
  LOG(abstraction, "%zu atoms have %zu assignments%s%s", s.count, e->cells.count, e->reason ? ", stopped: " : "",
      e->reason ? e->reason : "");
}

static uint64_t hash_of(size_t count, const term *atoms, term context) {
  return hash_bytes(atoms, count * sizeof(term), context.x) & INT64_MAX;
}

static entry *find(allsat *a, uint64_t hash, size_t count, const term *atoms, term context) {
  uint64_t at;
  if (!map_get(a->by_hash, hash, &at)) return NULL;
  entry *e = a->known.at[at];
  bool same = e->atoms.count == count && term_same(e->context, context) &&
              (!count || !memcmp(e->atoms.at, atoms, count * sizeof(term)));
  return same ? e : NULL;
}

const cells *allsat_cells(allsat *a, size_t count, const term *atoms, term context, const char **reason) {
  uint64_t hash = hash_of(count, atoms, context);
  entry *e = find(a, hash, count, atoms, context);
  if (e && e->reason) {
    memory_free(e->cells.bits);
    fill(a, e);
    *reason = e->reason;
    return e->reason ? NULL : &e->cells;
  }
  if (e) {
    a->statistics.reused++;
  } else {
    e = MEMORY_NEW(entry);
    e->context = context;
    for (size_t i = 0; i < count; i++) VECTOR_PUSH(e->atoms, atoms[i]);
    map_set(a->by_hash, hash, a->known.count);
    VECTOR_PUSH(a->known, e);
    fill(a, e);
  }
  *reason = e->reason;
  return e->reason ? NULL : &e->cells;
}

answer allsat_satisfiable(allsat *a, term t) {
  if (term_is_true(t)) return answer_yes();
  if (term_is_false(t)) return answer_no();
  solver_push(a->solver);
  for (size_t i = 0; i < a->facts.count; i++) solver_assert(a->solver, a->facts.at[i]);
  solver_assert(a->solver, t);
  answer result = solver_check(a->solver, 0);
  solver_pop(a->solver);
  a->statistics.questions++;
  a->statistics.by_solver++;
  return result;
}
