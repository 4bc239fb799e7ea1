/* A search depth first, one atom a level, as in allsat.c, that remembers its states: what follows depends only on the
 * bounds between variables that later atoms mention. Atoms are so ordered that variables are done with early.
 * Variables that some excluded value still ties stay in what is remembered.
 *
 * If an atom is no bound on a difference, allsat enumerates the assignments. */
#include "engine/syntactic/realisable.h"

#include "base/map.h"
#include "model/model.h"
#include "predicate/zone.h"

enum { MOST_NODES = 1000000, MOST_VISITS = 4000000, MOST_ATOMS = 512, MOST_WORK = 400000 };

typedef struct remembered {
  size_t key, length; /* in `keys`, in words */
  uint32_t node;
  uint32_t next; /* with the same hash, or UINT32_MAX */
} remembered;

typedef struct search {
  terms *ts;
  budget *budget;
  size_t count;
  zone_literal *yes, *no; /* of each atom */
  uint8_t variables;
  uint32_t *last; /* variable -> the last place in the order where it occurs, plus 1 */
  zone *levels;   /* two for each place, and the start */
  map *seen;      /* hash -> in `states` */
  VECTOR(int64_t) keys;
  VECTOR(remembered) states;
  VECTOR(int64_t) key; /* scratch */
  realisable *out;
  size_t visits;
  const char *reason;
} search;

/* ---- order ---- */

static bool literal_mentions(const zone_literal *l, uint8_t v) { return l->first == v || l->second == v; }

static bool same_form(const zone_literal *a, const zone_literal *b) {
  return (a->first == b->first && a->second == b->second) || (a->first == b->second && a->second == b->first);
}

static void take_atoms_of(search *s, uint8_t v, bool *taken) {
  for (size_t i = 0; i < s->count; i++) {
    if (taken[i] || !literal_mentions(&s->yes[i], v)) continue;
    for (size_t j = i; j < s->count; j++) { /* those with the same linear part one after the other */
      if (taken[j] || !same_form(&s->yes[i], &s->yes[j])) continue;
      VECTOR_PUSH(s->out->order, (uint32_t)j);
      taken[j] = true;
    }
  }
}

/* Always the variable with the fewest atoms left: all of these come next. */
static void choose_order(search *s) {
  bool *taken = MEMORY_ARRAY(bool, s->count + 1);
  for (uint8_t best = 1; best;) {
    size_t fewest = SIZE_MAX;
    best = 0;
    for (uint8_t v = 1; v <= s->variables; v++) {
      size_t n = 0;
      for (size_t i = 0; i < s->count; i++) n += !taken[i] && literal_mentions(&s->yes[i], v);
      if (n && n < fewest) best = v, fewest = n;
    }
    if (best) take_atoms_of(s, best, taken);
  }
  memory_free(taken);
}

static void find_last_uses(search *s) {
  for (size_t place = 0; place < s->count; place++) {
    const zone_literal *l = &s->yes[s->out->order.at[place]];
    s->last[l->first] = s->last[l->second] = (uint32_t)place + 1;
  }
}

/* ---- what is remembered ---- */

static void make_key(search *s, size_t place, const zone *z) {
  bool is_live[ZONE_VARIABLES + 1] = {true};
  uint8_t live[ZONE_VARIABLES + 1], count = 0;
  for (uint8_t v = 1; v < z->count; v++) is_live[v] = s->last[v] > place;
  for (uint8_t i = 0; i < z->holes; i++) is_live[z->hole[i].first] = is_live[z->hole[i].second] = true;
  for (uint8_t v = 0; v < z->count; v++)
    if (is_live[v]) live[count++] = v;
  VECTOR_CLEAR(s->key);
  VECTOR_RESERVE(s->key, 1 + (size_t)count * count + 2 * (size_t)z->holes);
  int64_t *word = s->key.at;
  *word++ = (int64_t)place;
  for (uint8_t i = 0; i < count; i++)
    for (uint8_t j = 0; j < count; j++) *word++ = z->bound[live[i] * z->count + live[j]];
  for (uint8_t i = 0; i < z->holes; i++) {
    *word++ = z->hole[i].first << 8 | z->hole[i].second;
    *word++ = z->hole[i].bound;
  }
  s->key.count = (size_t)(word - s->key.at);
}

static bool recall(const search *s, uint64_t hash, uint32_t *node) {
  uint64_t at;
  if (!map_get(s->seen, hash, &at)) return false;
  for (uint32_t i = (uint32_t)at; i != UINT32_MAX; i = s->states.at[i].next)
    if (s->states.at[i].length == s->key.count &&
        !memcmp(s->keys.at + s->states.at[i].key, s->key.at, s->key.count * sizeof(int64_t))) {
      *node = s->states.at[i].node;
      return true;
    }
  return false;
}

/* A new entry for the state just looked up, whose node is set later: its position in `states`. */
static size_t remember(search *s, uint64_t hash) {
  uint64_t at, first = UINT32_MAX;
  if (map_get(s->seen, hash, &at)) first = at;
  size_t start = s->keys.count;
  VECTOR_RESERVE(s->keys, start + s->key.count);
  memcpy(s->keys.at + start, s->key.at, s->key.count * sizeof(int64_t));
  s->keys.count += s->key.count;
  map_set(s->seen, hash, s->states.count);
  VECTOR_RESERVE(s->states, s->states.count + 1);
  size_t made = s->states.count++;
  s->states.at[made].key = start;
  s->states.at[made].length = s->key.count;
  s->states.at[made].next = (uint32_t)first;
  return made;
}

/* ---- the search ---- */

static uint32_t make_node(realisable *c, uint32_t atom, uint32_t yes, uint32_t no) {
  if (yes == REALISABLE_NONE && no == REALISABLE_NONE) return REALISABLE_NONE;
  VECTOR_PUSH(c->nodes, (realisable_node){atom, yes, no});
  return (uint32_t)c->nodes.count - 1;
}

static bool stop(search *s) {
  if (!s->reason && (++s->visits > MOST_VISITS || s->out->nodes.count > MOST_NODES))
    s->reason = "the consistent assignments to the predicates are too many";
  if (!s->reason) s->reason = budget_spent(s->budget);
  return s->reason != NULL;
}

static bool has_points(search *s, const zone *here, zone_literal l, zone *out) {
  zone_copy(out, here);
  answer empty = zone_add(out, l) ? (zone_settle(out), zone_is_empty(out)) : answer_unsure(NULL);
  if (answer_is_unsure(empty)) s->reason = "too many values are excluded";
  return !answer_is_yes(empty);
}

/* `here` is settled and has points. Depth is at most MOST_ATOMS. */
static uint32_t visit(search *s, size_t place, const zone *here) {
  if (place == s->count) return REALISABLE_ALL;
  if (stop(s)) return REALISABLE_NONE;
  uint32_t known;
  make_key(s, place, here);
  uint64_t hash = hash_bytes(s->key.at, s->key.count * sizeof(int64_t), 0) & INT64_MAX;
  if (recall(s, hash, &known)) return known;
  size_t state = remember(s, hash);
  uint32_t atom = s->out->order.at[place];
  zone *yes = &s->levels[2 * place + 1], *no = yes + 1;
  bool may_hold = has_points(s, here, s->yes[atom], yes), may_fail = !may_hold || has_points(s, here, s->no[atom], no);
  uint32_t if_so = may_hold ? visit(s, place + 1, may_fail ? yes : here) : REALISABLE_NONE;
  uint32_t if_not = may_fail ? visit(s, place + 1, may_hold ? no : here) : REALISABLE_NONE;
  return s->states.at[state].node = make_node(s->out, atom, if_so, if_not);
}

/* False if some atom or fact is no bound on a difference. */
static bool prepare(search *s, const term *atoms, term context, const variable_vector *all) {
  terms *ts = s->ts;
  term_vector facts = {0};
  bool fine = all->count <= ZONE_VARIABLES && s->count <= MOST_ATOMS;
  term_conjuncts(ts, context, &facts);
  for (size_t i = 0; i < all->count; i++) VECTOR_PUSH(facts, variable_in_type(ts, all->at[i]));
  for (size_t i = 0; i < s->count && fine; i++)
    fine = zone_literal_of(ts, all->count, all->at, atoms[i], &s->yes[i]) &&
           zone_literal_of(ts, all->count, all->at, term_not(atoms[i]), &s->no[i]);
  if (fine) zone_start(&s->levels[0], all->count);
  for (size_t i = 0; i < facts.count && fine; i++) {
    term_vector parts = {0};
    zone_literal l;
    term_conjuncts(ts, facts.at[i], &parts);
    for (size_t j = 0; j < parts.count && fine; j++)
      fine = zone_literal_of(ts, all->count, all->at, parts.at[j], &l) && zone_add(&s->levels[0], l);
    VECTOR_FREE(parts);
  }
  VECTOR_FREE(facts);
  return fine;
}

static bool find_by_differences(search *s, const term *atoms, term context) {
  variable_vector all = {0};
  term_vector roots = {0};
  for (size_t i = 0; i < s->count; i++) VECTOR_PUSH(roots, atoms[i]);
  VECTOR_PUSH(roots, context);
  term_variables(s->ts, roots.count, roots.at, &all);
  s->yes = MEMORY_ARRAY(zone_literal, s->count + 1);
  s->no = MEMORY_ARRAY(zone_literal, s->count + 1);
  s->levels = memory_alloc((2 * s->count + 1) * sizeof(zone));
  s->last = MEMORY_ARRAY(uint32_t, ZONE_VARIABLES + 1);
  s->seen = map_new();
  bool fine = prepare(s, atoms, context, &all);
  if (fine) {
    s->variables = (uint8_t)all.count;
    choose_order(s);
    find_last_uses(s);
    zone_settle(&s->levels[0]);
    answer empty = zone_is_empty(&s->levels[0]);
    fine = !answer_is_unsure(empty);
    if (answer_is_no(empty)) s->out->root = visit(s, 0, &s->levels[0]);
  }
  memory_free(s->yes);
  memory_free(s->no);
  memory_free(s->levels);
  memory_free(s->last);
  map_free(s->seen);
  VECTOR_FREE(s->keys);
  VECTOR_FREE(s->states);
  VECTOR_FREE(s->key);
  VECTOR_FREE(all);
  VECTOR_FREE(roots);
  return fine && !s->reason;
}

/* ---- enumerated ---- */

/* The rows from..to agree on all atoms before `depth`. */
static uint32_t nodes_of_rows(realisable *c, const cells *rows, size_t from, size_t to, size_t depth) {
  if (from == to) return REALISABLE_NONE;
  if (depth == rows->atoms) return REALISABLE_ALL;
  size_t middle = from;
  while (middle < to && cells_has(rows, middle, depth)) middle++;
  uint32_t yes = nodes_of_rows(c, rows, from, middle, depth + 1), no = nodes_of_rows(c, rows, middle, to, depth + 1);
  return make_node(c, (uint32_t)depth, yes, no);
}

static void start(realisable *out) {
  realisable_clear(out);
  VECTOR_PUSH(out->nodes, (realisable_node){0});
  VECTOR_PUSH(out->nodes, (realisable_node){0});
  out->root = REALISABLE_NONE;
  out->exact = true;
}

bool realisable_find(terms *ts, allsat *a, budget *b, size_t count, const term *atoms, term context, realisable *out,
                     const char **reason) {
  search s = {.ts = ts, .budget = b, .count = count, .out = out};
  start(out);
  *reason = NULL;
  context = allsat_relevant(a, count, atoms, context);
  if (find_by_differences(&s, atoms, context)) return true;
  start(out);
  if ((*reason = budget_spent(b))) return false;
  allsat_limit(a, MOST_WORK);
  const cells *rows = allsat_cells(a, count, atoms, context, reason);
  allsat_limit(a, 0);
  if (!rows) return false;
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(out->order, (uint32_t)i);
  out->root = nodes_of_rows(out, rows, 0, rows->count, 0);
  out->exact = rows->exact;
  return true;
}

void realisable_clear(realisable *c) {
  VECTOR_FREE(c->nodes);
  VECTOR_FREE(c->order);
}

double realisable_count(const realisable *c) {
  double *below = MEMORY_ARRAY(double, c->nodes.count);
  below[REALISABLE_ALL] = 1;
  for (size_t i = 2; i < c->nodes.count; i++) below[i] = below[c->nodes.at[i].yes] + below[c->nodes.at[i].no];
  double result = below[c->root];
  memory_free(below);
  return result;
}

term realisable_term(terms *ts, const realisable *c, const term *bits) {
  term *made = MEMORY_ARRAY(term, c->nodes.count);
  made[REALISABLE_NONE] = TERM_FALSE;
  made[REALISABLE_ALL] = TERM_TRUE;
  for (size_t i = 2; i < c->nodes.count; i++)
    made[i] = term_ite(ts, bits[c->nodes.at[i].atom], made[c->nodes.at[i].yes], made[c->nodes.at[i].no]);
  term result = made[c->root];
  memory_free(made);
  return result;
}
