/* Combinations that were seen, and how many states they allow: a decision diagram counts those. */
#include "engine/explicit/estimate/closure.h"

#include <math.h>

#include "base/work.h"
#include "set/obdd.h"

enum { MOST_VALUES = 256, MOST_COMBINATIONS = 1 << 14, MOST_BITS = 1000, MOST_NODES = 1 << 21 };
/* How many states are looked at altogether, counted anew for each pair and triple; so many are a unit of work. */
static const uint64_t MOST_LOOKS = 1500 * 1000 * 1000;
enum { LOOKS_A_UNIT = 500, ENOUGH_RUNS = 8 };

/* A variable with few values. */
typedef struct column {
  uint32_t position;
  int64_t low;
  uint32_t span; /* values low .. low + span - 1, */
  uint32_t seen; /* of which so many were seen */
  uint8_t *of;   /* for each state, its value less `low` */
  unsigned bits;
  size_t first_bit; /* in the diagram */
} column;

/* Two or three columns, and which combinations of their values were seen. */
typedef struct relation {
  uint32_t of[3];
  unsigned count;
  uint8_t *seen;
} relation;

typedef struct closure {
  const space_sample *sample;
  size_t states, searched, known;
  uint32_t *run_of; /* for each state after those found breadth first, the number of the run that found it, from 1 */
  VECTOR(column) columns;
  VECTOR(relation) relations; /* the pairs come first */
  size_t pair_count;
  bool *are_tied; /* columns * columns: a pair leaves something out */
  uint64_t looks;
  double others; /* the number of values of the variables that are no columns */
} closure;

/* ---- what may still be missing ---- */

/* Combinations by number: which were seen. One that the search breadth first did not see must have been seen by several runs: what only one or
 * two have seen is a sign that there is more. */
typedef struct sightings {
  uint8_t *seen;
  uint32_t *last_run;
  uint8_t *runs; /* of those that were seen late: how many runs saw them */
  size_t count, late, rare;
} sightings;

static void sightings_init(sightings *s, size_t size) {
  *s = (sightings){MEMORY_ARRAY(uint8_t, size), MEMORY_ARRAY(uint32_t, size), MEMORY_ARRAY(uint8_t, size), 0, 0, 0};
}

static void sightings_clear(sightings *s) {
  memory_free(s->seen);
  memory_free(s->last_run);
  memory_free(s->runs);
}

/* Combination `at` in state `i`. False if it is new, and too late for that. */
static bool note_sighting(const closure *c, sightings *s, size_t at, size_t i) {
  if (s->seen[at] && (!s->last_run[at] || i < c->searched)) return true;
  s->count += !s->seen[at];
  bool is_new = !s->seen[at];
  s->seen[at] = 1;
  if (i < c->searched) return true;
  uint32_t run = c->run_of[i - c->searched];
  if (s->last_run[at] == run) return true;
  s->last_run[at] = run;
  s->runs[at]++;
  if (s->runs[at] == 1) s->rare++;
  if (s->runs[at] == ENOUGH_RUNS) {
    s->rare--;
    s->last_run[at] = 0; /* from now on it counts as seen early */
  }
  return !(is_new && i >= c->known);
}

static void number_runs(closure *c) {
  const space_sample *s = c->sample;
  size_t run = 0;
  c->run_of = MEMORY_ARRAY(uint32_t, c->states - c->searched + 1);
  for (size_t i = c->searched; i < c->states; i++) {
    while (run < s->starts.count && s->starts.at[run] <= i) run++;
    c->run_of[i - c->searched] = (uint32_t)run;
  }
}

/* ---- single variables ---- */

typedef struct span {
  int64_t low, high;
} span;

static void widen_span(span *s, int64_t value) {
  if (value < s->low) s->low = value;
  if (value > s->high) s->high = value;
}

/* Of each variable, the values of the first half of the states found breadth first, those of the known states, and those of all. */
static void find_spans(const closure *c, span *early, span *known, span *all) {
  const search *s = c->sample->search;
  size_t count = s->model->variables.count;
  int64_t *values = MEMORY_ARRAY(int64_t, count + 1);
  for (size_t v = 0; v < count; v++) all[v] = (span){INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < c->states; i++) {
    if (i == c->searched / 2) memcpy(early, all, count * sizeof *all);
    if (i == c->known) memcpy(known, all, count * sizeof *all);
    store_read(s->store, i, c->sample->packed);
    layout_unpack(s->layout, c->sample->packed, values);
    for (size_t v = 0; v < count; v++) widen_span(&all[v], values[v]);
  }
  if (c->states == c->known) memcpy(known, all, count * sizeof *all);
  memory_free(values);
}

static double values_of_type(const type *t) {
  int64_t low, high;
  if (t->sort == SORT_BOOL) return 2;
  if (!type_is_finite(t)) return INFINITY;
  return number_to_int64(t->low, &low) && number_to_int64(t->high, &high) ? (double)high - (double)low + 1 : INFINITY;
}

double closure_types(const model *m) {
  double all = 1;
  bool has_end = true;
  for (size_t i = 0; i < m->variables.count; i++) {
    double values = values_of_type(variable_type(m->terms, m->variables.at[i].var));
    has_end &= !isinf(values);
    all *= values;
  }
  return has_end && all > SPACE_MOST ? SPACE_MOST : all;
}

/* Its values, state by state. False if the last runs saw a new one. */
static bool read_column(const closure *c, column *of) {
  const search *s = c->sample->search;
  const field *f = &s->layout->fields[of->position];
  bool is_settled = true;
  sightings seen;
  sightings_init(&seen, MOST_VALUES);
  of->of = memory_alloc(c->states ? c->states : 1);
  for (size_t i = 0; i < c->states; i++) {
    store_read(s->store, i, c->sample->packed);
    unsigned value = (unsigned)(field_get(f, c->sample->packed) - of->low);
    of->of[i] = (uint8_t)value;
    is_settled &= note_sighting(c, &seen, value, i);
  }
  is_settled &= !seen.rare;
  of->seen = (uint32_t)seen.count;
  sightings_clear(&seen);
  while ((1u << of->bits) < of->span) of->bits++;
  return is_settled;
}

static bool is_same_span(span x, span y) { return x.low == y.low && x.high == y.high; }

/* Of a variable with very many values, those that are found late are a sign that there are more. */
static void add_variable(closure *c, size_t position, span early, span known, span all, space_closure *out) {
  const search *s = c->sample->search;
  double of_type = values_of_type(variable_type(s->model->terms, s->model->variables.at[position].var));
  double width = (double)all.high - (double)all.low + 1;
  bool is_settled = is_same_span(of_type > MOST_VALUES ? early : known, all);
  if (isinf(of_type) && (out->endless == SIZE_MAX || (!is_settled && out->growing == SIZE_MAX))) {
    out->endless = position;
    out->low = all.low;
    out->high = all.high;
    if (!is_settled) out->growing = position;
  }
  column of = {.position = (uint32_t)position, .low = all.low, .span = (uint32_t)width};
  if (is_settled && width <= MOST_VALUES && read_column(c, &of)) {
    VECTOR_PUSH(c->columns, of);
    out->values *= of.seen;
    return;
  }
  memory_free(of.of);
  double allowed = is_settled ? width : of_type;
  c->others *= allowed;
  out->values *= allowed;
}

/* ---- pairs and triples ---- */

/* Fills `r->seen`; how many combinations there are, 0 if the last runs saw a new one. */
static size_t look(closure *c, relation *r) {
  const column *x = &c->columns.at[r->of[0]], *y = &c->columns.at[r->of[1]];
  const column *z = r->count == 3 ? &c->columns.at[r->of[2]] : NULL;
  bool is_settled = true;
  sightings seen;
  sightings_init(&seen, (size_t)x->span * y->span * (z ? z->span : 1));
  c->looks += c->states;
  work_add(c->states / LOOKS_A_UNIT);
  for (size_t i = 0; i < c->states && is_settled; i++) {
    size_t at = (size_t)x->of[i] * y->span + y->of[i];
    is_settled = note_sighting(c, &seen, z ? at * z->span + z->of[i] : at, i);
  }
  r->seen = seen.seen;
  seen.seen = NULL;
  size_t found = is_settled && !seen.rare ? seen.count : 0;
  sightings_clear(&seen);
  return found;
}

static bool is_over(const closure *c) {
  return c->looks >= MOST_LOOKS || budget_spent(c->sample->search->env->budget) != NULL;
}

static size_t combinations(const closure *c, size_t x, size_t y) {
  return (size_t)c->columns.at[x].span * c->columns.at[y].span;
}

static void find_pairs(closure *c) {
  size_t n = c->columns.count;
  for (size_t distance = 1; distance < n; distance++)
    for (size_t x = 0; x + distance < n && !is_over(c); x++) {
      size_t y = x + distance;
      relation r = {.of = {(uint32_t)x, (uint32_t)y}, .count = 2};
      if (combinations(c, x, y) > MOST_COMBINATIONS) continue;
      size_t found = look(c, &r);
      bool is_tie = found && found < (size_t)c->columns.at[x].seen * c->columns.at[y].seen;
      if (is_tie)
        VECTOR_PUSH(c->relations, r);
      else
        memory_free(r.seen);
      c->are_tied[x * n + y] = c->are_tied[y * n + x] = is_tie;
    }
  c->pair_count = c->relations.count;
}

static const relation *pair_of(const closure *c, size_t x, size_t y) {
  if (!c->are_tied[x * c->columns.count + y]) return NULL;
  for (size_t i = 0; i < c->pair_count; i++)
    if (c->relations.at[i].of[0] == x && c->relations.at[i].of[1] == y) return &c->relations.at[i];
  return NULL;
}

/* Combinations of three values that their pairs allow. */
static size_t allowed_by_pairs(const closure *c, const relation *r) {
  const column *x = &c->columns.at[r->of[0]], *y = &c->columns.at[r->of[1]], *z = &c->columns.at[r->of[2]];
  const relation *xy = pair_of(c, r->of[0], r->of[1]), *xz = pair_of(c, r->of[0], r->of[2]),
                 *yz = pair_of(c, r->of[1], r->of[2]);
  size_t count = 0;
  for (size_t i = 0; i < x->span; i++)
    for (size_t j = 0; j < y->span; j++)
      for (size_t k = 0; k < z->span; k++)
        count += (!xy || xy->seen[i * y->span + j]) && (!xz || xz->seen[i * z->span + k]) &&
                 (!yz || yz->seen[j * z->span + k]);
  return count;
}

static void try_triple(closure *c, size_t x, size_t y, size_t z) {
  size_t n = c->columns.count;
  int ties = c->are_tied[x * n + y] + c->are_tied[x * n + z] + c->are_tied[y * n + z];
  relation r = {.of = {(uint32_t)x, (uint32_t)y, (uint32_t)z}, .count = 3};
  if (ties < 2 || combinations(c, x, y) * c->columns.at[z].span > MOST_COMBINATIONS) return;
  size_t found = look(c, &r);
  if (found && found < allowed_by_pairs(c, &r))
    VECTOR_PUSH(c->relations, r);
  else
    memory_free(r.seen);
}

static void find_triples(closure *c) {
  size_t n = c->columns.count;
  for (size_t x = 0; x + 2 < n; x++)
    for (size_t y = x + 1; y + 1 < n; y++)
      for (size_t z = y + 1; z < n && !is_over(c); z++) try_triple(c, x, y, z);
}

/* ---- counting ---- */

/* Columns that are tied to others come near them in the order of the diagram. */
static size_t order_columns(closure *c) {
  size_t n = c->columns.count, bits = 0;
  bool *is_placed = MEMORY_ARRAY(bool, n);
  size_t *ties = MEMORY_ARRAY(size_t, n);
  for (size_t placed = 0; placed < n; placed++) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
      if (!is_placed[i] && (best == SIZE_MAX || ties[i] > ties[best])) best = i;
    is_placed[best] = true;
    c->columns.at[best].first_bit = bits;
    bits += c->columns.at[best].bits;
    for (size_t i = 0; i < n; i++) ties[i] += c->are_tied[best * n + i];
  }
  memory_free(is_placed);
  memory_free(ties);
  return bits;
}

static obdd value_is(obdds *d, const column *of, size_t value) {
  obdd all = OBDD_TRUE;
  for (unsigned i = of->bits; i-- > 0;) {
    obdd bit = obdd_variable(d, of->first_bit + i);
    all = obdd_and(d, value >> (of->bits - 1 - i) & 1 ? bit : obdd_not(d, bit), all);
  }
  return all;
}

/* The combinations in `seen` of columns from `at` on. */
static obdd relation_set(obdds *d, const closure *c, const relation *r, unsigned at, const uint8_t *seen) {
  if (at == r->count) return *seen ? OBDD_TRUE : OBDD_FALSE;
  const column *of = &c->columns.at[r->of[at]];
  obdd all = OBDD_FALSE;
  size_t stride = 1;
  for (unsigned i = at + 1; i < r->count; i++) stride *= c->columns.at[r->of[i]].span;
  for (size_t value = 0; value < of->span; value++) {
    obdd rest = relation_set(d, c, r, at + 1, seen + value * stride);
    if (!obdd_same(rest, OBDD_FALSE)) all = obdd_or(d, all, obdd_and(d, value_is(d, of, value), rest));
  }
  return all;
}

static obdd values_seen(obdds *d, const closure *c, const column *of) {
  bool seen[MOST_VALUES] = {false};
  obdd all = OBDD_FALSE;
  for (size_t i = 0; i < c->states; i++) seen[of->of[i]] = true;
  for (size_t value = 0; value < of->span; value++)
    if (seen[value]) all = obdd_or(d, all, value_is(d, of, value));
  return all;
}

static void conjoin(obdds *d, obdd *all, size_t mark, obdd part) {
  *all = obdd_and(d, *all, part);
  obdds_release(d, mark, 1, all);
}

/* The states that the first `relations` relations allow; a negative number if the diagram is too large. */
static double count_allowed(const closure *c, size_t bits, size_t relations) {
  obdds *d = obdds_new(bits, MOST_NODES);
  size_t mark = obdds_mark(d);
  obdd all = OBDD_TRUE;
  obdds_watch(d, c->sample->search->env->budget);
  for (size_t i = 0; i < c->columns.count; i++) conjoin(d, &all, mark, values_seen(d, c, &c->columns.at[i]));
  for (size_t i = 0; i < relations && !obdds_trouble(d); i++)
    conjoin(d, &all, mark, relation_set(d, c, &c->relations.at[i], 0, c->relations.at[i].seen));
  uint32_t *variables = MEMORY_ARRAY(uint32_t, bits);
  for (size_t i = 0; i < bits; i++) variables[i] = (uint32_t)i;
  double count = obdds_trouble(d) ? -1 : obdd_count(d, all, bits, variables);
  if (obdds_trouble(d)) count = -1;
  memory_free(variables);
  obdds_free(d);
  return count;
}

static void count(closure *c, space_closure *out) {
  size_t bits = order_columns(c);
  out->pairs = out->triples = out->values;
  out->relations = c->relations.count;
  if (!bits || bits > MOST_BITS || isinf(out->values)) return;
  double pairs = count_allowed(c, bits, c->pair_count);
  if (pairs < 0) return;
  out->pairs = out->triples = pairs * c->others;
  double triples = c->relations.count > c->pair_count ? count_allowed(c, bits, c->relations.count) : pairs;
  if (triples >= 0) out->triples = triples * c->others;
}

space_closure closure_find(const space_sample *s) {
  closure c = {.sample = s,
               .states = (size_t)store_count(s->search->store),
               .searched = (size_t)s->searched,
               .known = (size_t)s->known,
               .others = 1};
  space_closure out = {
      .by_type = closure_types(s->search->model), .values = 1, .growing = SIZE_MAX, .endless = SIZE_MAX};
  size_t count_of_variables = s->search->model->variables.count;
  span *early = MEMORY_ARRAY(span, count_of_variables + 1), *known = MEMORY_ARRAY(span, count_of_variables + 1),
       *all = MEMORY_ARRAY(span, count_of_variables + 1);
  number_runs(&c);
  find_spans(&c, early, known, all);
  for (size_t i = 0; i < count_of_variables; i++) add_variable(&c, i, early[i], known[i], all[i], &out);
  c.are_tied = MEMORY_ARRAY(bool, c.columns.count *c.columns.count + 1);
  find_pairs(&c);
  find_triples(&c);
  count(&c, &out);
  for (size_t i = 0; i < c.relations.count; i++) memory_free(c.relations.at[i].seen);
  for (size_t i = 0; i < c.columns.count; i++) memory_free(c.columns.at[i].of);
  VECTOR_FREE(c.relations);
  VECTOR_FREE(c.columns);
  memory_free(c.are_tied);
  memory_free(c.run_of);
  memory_free(early);
  memory_free(known);
  memory_free(all);
  return out;
}
