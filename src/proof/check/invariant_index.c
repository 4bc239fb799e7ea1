/* Normalises parts, groups them by the variables they fix, and indexes the groups by the values. */
#include "proof/check/invariant_index.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/map.h"
#include "proof/check/number_tuples.h"

/* Groups beyond this many are put together into one, which is indexed by the variables that all its members fix: every
 * step asks every group. */
enum { GROUP_LIMIT = 16 };

/* Members by the values of the variables in `wanted`: lists threaded through `next`. */
typedef struct group_index {
  bool *wanted; /* for each variable of the group */
  size_t width;
  tuples *keys;
  VECTOR(uint32_t) first; /* key -> member + 1 */
  uint32_t *next;         /* member -> member + 1 with the same key */
} group_index;

typedef struct group {
  variable_vector variables;
  index_vector members; /* ascending */
  VECTOR(group_index) indices;
} group;

struct parts {
  terms *ts;
  VECTOR(part) all;
  VECTOR(group) groups;
  bits fixed; /* variables fixed somewhere */
  VECTOR(number) scratch;
  VECTOR(bool) scratch_wanted;
};

/* ---- normalising ---- */

static char *name_stranger(const model *m, size_t number, variable v) {
  return text_format("part %zu mentions %s, which is no state variable", number, variable_shown(m->terms, v));
}

/* Over state variables only: anything else would be read differently before and after a step. */
static bool part_is_sound(const model *m, const bits *state, const invariant_part *p, size_t number, char **error) {
  if (term_sort(m->terms, p->formula) != SORT_BOOL) {
    *error = text_format("part %zu is no formula", number);
    return false;
  }
  for (size_t i = 0; i < p->fixed.count; i++) {
    variable v = p->fixed.at[i].var;
    if (v.x < state->size && bits_has(state, v.x)) continue;
    *error =
        v.x < state->size ? name_stranger(m, number, v) : text_format("part %zu fixes an unknown variable", number);
    return false;
  }
  return true;
}

static bool formulas_are_sound(const model *m, const bits *state, const evidence *e, char **error) {
  bool sound = true;
  term_vector roots = {0};
  variable_vector mentioned = {0};
  for (size_t i = 0; i < e->parts.count; i++) VECTOR_PUSH(roots, e->parts.at[i].formula);
  term_variables(m->terms, roots.count, roots.at, &mentioned);
  for (size_t i = 0; i < mentioned.count && sound; i++) {
    if (bits_has(state, mentioned.at[i].x)) continue;
    size_t culprit = 0;
    while (!term_mentions(m->terms, roots.at[culprit], mentioned.at[i])) culprit++;
    *error = name_stranger(m, culprit + 1, mentioned.at[i]);
    sound = false;
  }
  VECTOR_FREE(roots);
  VECTOR_FREE(mentioned);
  return sound;
}

static bool evidence_is_sound(const model *m, const evidence *e, char **error) {
  bits state = bits_new(variable_count(m->terms));
  for (size_t i = 0; i < m->variables.count; i++) bits_add(&state, m->variables.at[i].var.x);
  bool sound = true;
  for (size_t i = 0; i < e->parts.count && sound; i++) sound = part_is_sound(m, &state, &e->parts.at[i], i + 1, error);
  sound = sound && formulas_are_sound(m, &state, e, error);
  bits_free(&state);
  return sound;
}

/* Goes through one formula, so that whatever the evidence calls fixed, the checker decides by itself. */
static void add_part(parts *p, const invariant_part *given) {
  evidence settled = {0};
  part made = {0};
  evidence_add_part(p->ts, &settled, part_formula(p->ts, given));
  invariant_part *s = &settled.parts.at[0];
  for (size_t i = 0; i < s->fixed.count; i++) {
    VECTOR_PUSH(made.fixed, s->fixed.at[i]);
    bits_add(&p->fixed, s->fixed.at[i].var.x);
  }
  made.is_empty = term_is_false(s->formula);
  term_conjuncts(p->ts, s->formula, &made.conjuncts);
  VECTOR_PUSH(p->all, made);
  evidence_clear(&settled);
}

/* ---- grouping ---- */

enum { WORD_BITS = 62 };

/* The variables that `p` fixes, as the bits of a tuple. */
static void shape_of(const part *p, size_t words, number *out) {
  for (size_t i = 0; i < words; i++) out[i] = number_of(0);
  for (size_t i = 0; i < p->fixed.count; i++)
    out[p->fixed.at[i].var.x / WORD_BITS].small |= INT64_C(1) << (p->fixed.at[i].var.x % WORD_BITS);
}

/* What all members fix. */
static void find_common_variables(const parts *p, group *g) {
  map *counts = map_new();
  const part *last = &p->all.at[VECTOR_LAST(g->members)];
  for (size_t i = 0; i < g->members.count; i++) {
    const part *one = &p->all.at[g->members.at[i]];
    for (size_t j = 0; j < one->fixed.count; j++) {
      uint64_t count = 0;
      map_get(counts, one->fixed.at[j].var.x, &count);
      map_set(counts, one->fixed.at[j].var.x, count + 1);
    }
  }
  for (size_t j = 0; j < last->fixed.count; j++) {
    uint64_t count = 0;
    map_get(counts, last->fixed.at[j].var.x, &count);
    if (count == g->members.count) VECTOR_PUSH(g->variables, last->fixed.at[j].var);
  }
  map_free(counts);
}

/* For each part the number of its shape; `*count` shapes there are. */
static GIVE size_t *find_shapes(const parts *p, size_t *count) {
  size_t words = p->fixed.size / WORD_BITS + 1;
  tuples *shapes = number_tuples_new(words);
  number *shape = MEMORY_ARRAY(number, words);
  size_t *result = MEMORY_ARRAY(size_t, p->all.count + 1);
  for (size_t i = 0; i < p->all.count; i++) {
    shape_of(&p->all.at[i], words, shape);
    result[i] = number_tuples_add(shapes, shape);
  }
  *count = number_tuples_count(shapes);
  memory_free(shape);
  number_tuples_free(shapes);
  return result;
}

static int compare_sizes(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x < y) - (x > y);
}

/* How many members a shape needs to be a group of its own. */
static size_t least_size(size_t count, const size_t *sizes) {
  if (count <= GROUP_LIMIT) return 0;
  size_t *sorted = MEMORY_ARRAY(size_t, count);
  memcpy(sorted, sizes, count * sizeof(size_t));
  qsort(sorted, count, sizeof(size_t), compare_sizes);
  size_t result = sorted[GROUP_LIMIT] + 1;
  memory_free(sorted);
  return result;
}

static void make_groups(parts *p) {
  size_t count, *shapes = find_shapes(p, &count), *sizes = MEMORY_ARRAY(size_t, count + 1);
  for (size_t i = 0; i < p->all.count; i++) sizes[shapes[i]]++;
  size_t least = least_size(count, sizes), rest = SIZE_MAX, *groups = MEMORY_ARRAY(size_t, count + 1);
  for (size_t i = 0; i < count; i++) {
    bool own = sizes[i] >= least;
    groups[i] = own || rest == SIZE_MAX ? p->groups.count : rest;
    if (!own) rest = groups[i];
    if (groups[i] == p->groups.count) VECTOR_PUSH(p->groups, (group){0});
  }
  for (size_t i = 0; i < p->all.count; i++)
    if (!p->all.at[i].is_empty) VECTOR_PUSH(p->groups.at[groups[shapes[i]]].members, (uint32_t)i);
  for (size_t i = 0; i < p->groups.count; i++)
    if (p->groups.at[i].members.count) find_common_variables(p, &p->groups.at[i]);
  memory_free(shapes);
  memory_free(sizes);
  memory_free(groups);
}

parts *invariant_index_new(const model *m, const evidence *e, char **error) {
  if (!evidence_is_sound(m, e, error)) return NULL;
  parts *p = MEMORY_NEW(parts);
  p->ts = m->terms;
  p->fixed = bits_new(variable_count(m->terms));
  VECTOR_RESERVE(p->all, e->parts.count);
  VECTOR_RESERVE(p->scratch, 1);
  VECTOR_RESERVE(p->scratch_wanted, 1);
  for (size_t i = 0; i < e->parts.count; i++) add_part(p, &e->parts.at[i]);
  make_groups(p);
  return p;
}

void invariant_index_free(parts *p) {
  if (!p) return;
  for (size_t i = 0; i < p->all.count; i++) {
    VECTOR_FREE(p->all.at[i].fixed);
    VECTOR_FREE(p->all.at[i].conjuncts);
  }
  for (size_t i = 0; i < p->groups.count; i++) {
    group *g = &p->groups.at[i];
    for (size_t j = 0; j < g->indices.count; j++) {
      memory_free(g->indices.at[j].wanted);
      memory_free(g->indices.at[j].next);
      number_tuples_free(g->indices.at[j].keys);
      VECTOR_FREE(g->indices.at[j].first);
    }
    VECTOR_FREE(g->indices);
    VECTOR_FREE(g->members);
    VECTOR_FREE(g->variables);
  }
  VECTOR_FREE(p->groups);
  VECTOR_FREE(p->all);
  VECTOR_FREE(p->scratch);
  VECTOR_FREE(p->scratch_wanted);
  bits_free(&p->fixed);
  memory_free(p);
}

size_t invariant_index_count(const parts *p) { return p->all.count; }
const part *invariant_index_at(const parts *p, size_t i) { return &p->all.at[i]; }
bool invariant_index_fix(const parts *p, variable v) { return v.x < p->fixed.size && bits_has(&p->fixed, v.x); }

/* ---- the index ---- */

static number value_in(const part *p, variable v) {
  size_t low = 0, high = p->fixed.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (p->fixed.at[middle].var.x < v.x)
      low = middle + 1;
    else
      high = middle;
  }
  return p->fixed.at[low].value;
}

static void fill_index(parts *p, const group *g, group_index *index) {
  index->keys = number_tuples_new(index->width);
  index->next = MEMORY_ARRAY(uint32_t, g->members.count + 1);
  for (size_t i = g->members.count; i-- > 0;) {
    const part *member = &p->all.at[g->members.at[i]];
    VECTOR_CLEAR(p->scratch);
    for (size_t j = 0; j < g->variables.count; j++)
      if (index->wanted[j]) VECTOR_PUSH(p->scratch, value_in(member, g->variables.at[j]));
    size_t key = number_tuples_add(index->keys, p->scratch.at);
    if (key == index->first.count) VECTOR_PUSH(index->first, 0);
    index->next[i] = index->first.at[key];
    index->first.at[key] = (uint32_t)i + 1;
  }
}

/* The index of `g` by the variables whose values are known; made if it is not there yet. */
static const group_index *index_for(parts *p, group *g, const number *known) {
  VECTOR_CLEAR(p->scratch_wanted);
  size_t width = 0;
  for (size_t j = 0; j < g->variables.count; j++) {
    bool wanted = number_is_known(known[g->variables.at[j].x]);
    width += wanted;
    VECTOR_PUSH(p->scratch_wanted, wanted);
  }
  for (size_t i = 0; i < g->indices.count; i++)
    if (!memcmp(g->indices.at[i].wanted, p->scratch_wanted.at, g->variables.count)) return &g->indices.at[i];
  group_index made = {.wanted = MEMORY_ARRAY(bool, g->variables.count + 1), .width = width};
  memcpy(made.wanted, p->scratch_wanted.at, g->variables.count * sizeof(bool));
  fill_index(p, g, &made);
  VECTOR_PUSH(g->indices, made);
  return &VECTOR_LAST(g->indices);
}

static void group_matching(parts *p, group *g, const number *known, index_vector *out) {
  if (!g->members.count) return;
  const group_index *index = index_for(p, g, known);
  VECTOR_CLEAR(p->scratch);
  for (size_t j = 0; j < g->variables.count; j++)
    if (index->wanted[j]) VECTOR_PUSH(p->scratch, known[g->variables.at[j].x]);
  size_t key = number_tuples_find(index->keys, p->scratch.at);
  if (key == SIZE_MAX) return;
  for (uint32_t at = index->first.at[key]; at; at = index->next[at - 1]) VECTOR_PUSH(*out, g->members.at[at - 1]);
}

static int compare_indices(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void invariant_index_matching(parts *p, const number *known, index_vector *out) {
  VECTOR_CLEAR(*out);
  size_t contributors = 0;
  for (size_t i = 0; i < p->groups.count; i++) {
    size_t before = out->count;
    group_matching(p, &p->groups.at[i], known, out);
    contributors += out->count > before;
  }
  if (contributors > 1) qsort(out->at, out->count, sizeof(uint32_t), compare_indices);
}
