/* Fewer places: one that is not the head of a loop goes if the edges through it, made of one that leads there and one that leads on,
 * are not many more than these were. Engines see larger steps and fewer of them. */
#include "input/c/lower.h"
#include "term/bounds.h"
#include "term/fold.h"
#include "term/substitute.h"

enum { ALLOWANCE = 4, MOST_OUT = 40, MOST_CHARACTERS = 600, MOST_TERM = 3000 };

typedef struct merger {
  c_lowering *l;
  substitution *by;
  VECTOR(bool) is_gone;               /* by edge */
  VECTOR(index_vector) into, leaving; /* by place: edges, gone ones among them */
} merger;

static void drop_gone(const merger *m, index_vector *v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++)
    if (!m->is_gone.at[v->at[i]]) v->at[kept++] = v->at[i];
  v->count = kept;
}

static bool share_input(const c_edge *a, const c_edge *b) {
  for (size_t i = 0; i < a->inputs.count; i++)
    for (size_t j = 0; j < b->inputs.count; j++)
      if (variable_same(a->inputs.at[i].var, b->inputs.at[j].var)) return true;
  return false;
}

/* The start, and the places of errors. */
static bool is_fixed(const c_lowering *l, uint32_t at) {
  bool is_error = false;
  for (size_t i = 0; i < l->error_count; i++) is_error |= l->errors[i] == at;
  return !at || is_error;
}

static bool has_invariant(const c_lowering *l, uint32_t at) {
  for (size_t i = 0; i < l->invariants.count; i++)
    if (l->invariants.at[i].place == at) return true;
  return false;
}

static bool is_to_go(merger *m, uint32_t at) {
  const c_lowering *l = m->l;
  index_vector *into = &m->into.at[at], *out = &m->leaving.at[at];
  if (is_fixed(l, at) || has_invariant(l, at) || (l->settings->keeps_heads && c_loop_starts_at(l, at))) return false;
  drop_gone(m, into);
  drop_gone(m, out);
  size_t product = into->count * out->count;
  if (product > into->count + out->count + ALLOWANCE && into->count > 1) return false;
  if (out->count > MOST_OUT) return false;
  for (size_t i = 0; i < into->count; i++) {
    const c_edge *first = &l->edges.at[into->at[i]];
    if (first->from == at || term_size(l->ts, first->guard) > MOST_TERM) return false;
    for (size_t j = 0; j < out->count; j++)
      if (share_input(first, &l->edges.at[out->at[j]])) return false;
  }
  return true;
}

static const char *joined_story(c_lowering *l, const c_edge *first, const c_edge *second) {
  if (strlen(first->name) + strlen(second->name) > MOST_CHARACTERS || !strcmp(second->name, "start"))
    return first->name;
  if (!strcmp(first->name, "start")) return second->name;
  char *joined = text_format("%s; %s", first->name, second->name);
  const char *kept = model_string(l->model, joined);
  memory_free(joined);
  return kept;
}

/* The guard of the second, where the first has come to: what the first says already is left out. */
static term guard_after(merger *m, const c_edge *first, term guard) {
  terms *ts = m->l->ts;
  term_vector known = {0};
  term_conjuncts(ts, first->guard, &known);
  guard = term_simplify_in_types(ts, substitution_apply(m->by, guard));
  guard = term_simplify_under(ts, guard, known.count, known.at);
  VECTOR_FREE(known);
  return term_and(ts, first->guard, guard);
}

static void add_updates(merger *m, const c_edge *first, const c_edge *second, c_edge *made) {
  for (size_t i = 0; i < second->updates.count; i++) {
    update u = {second->updates.at[i].var, substitution_apply(m->by, second->updates.at[i].value)};
    if (!term_same(u.value, term_of_variable(m->l->ts, u.var))) VECTOR_PUSH(made->updates, u);
  }
  for (size_t i = 0; i < first->updates.count; i++) {
    bool is_over = false;
    for (size_t j = 0; j < second->updates.count; j++)
      is_over |= variable_same(second->updates.at[j].var, first->updates.at[i].var);
    if (!is_over) VECTOR_PUSH(made->updates, first->updates.at[i]);
  }
}

/* One after the other. */
static void join(merger *m, uint32_t first_index, uint32_t second_index) {
  c_lowering *l = m->l;
  const c_edge *first = &l->edges.at[first_index], *second = &l->edges.at[second_index];
  substitution_clear(m->by);
  for (size_t i = 0; i < first->updates.count; i++)
    substitution_set(m->by, first->updates.at[i].var, first->updates.at[i].value);
  c_edge made = {.from = first->from, .to = second->to, .at = second->at};
  made.guard = guard_after(m, first, second->guard);
  if (term_is_false(made.guard)) return;
  bool is_error = is_fixed(l, second->to);
  if (!is_error) add_updates(m, first, second, &made);
  for (size_t i = 0; i < first->inputs.count; i++) VECTOR_PUSH(made.inputs, first->inputs.at[i]);
  for (size_t i = 0; i < second->inputs.count; i++) VECTOR_PUSH(made.inputs, second->inputs.at[i]);
  made.name = joined_story(l, first, second);
  uint32_t index = (uint32_t)l->edges.count;
  VECTOR_PUSH(m->into.at[made.to], index);
  VECTOR_PUSH(m->leaving.at[made.from], index);
  VECTOR_PUSH(l->edges, made);
  VECTOR_PUSH(m->is_gone, false);
}

static void remove_place(merger *m, uint32_t at) {
  index_vector into = m->into.at[at], out = m->leaving.at[at];
  m->into.at[at] = m->leaving.at[at] = (index_vector){0};
  for (size_t i = 0; i < into.count; i++)
    for (size_t j = 0; j < out.count; j++) join(m, into.at[i], out.at[j]);
  for (size_t i = 0; i < into.count; i++) m->is_gone.at[into.at[i]] = true;
  for (size_t i = 0; i < out.count; i++) m->is_gone.at[out.at[i]] = true;
  VECTOR_FREE(into);
  VECTOR_FREE(out);
}

/* ---- all of them ---- */

static void merger_open(merger *m, c_lowering *l) {
  *m = (merger){.l = l, .by = substitution_new(l->ts)};
  for (size_t i = 0; i < l->places.count; i++) {
    VECTOR_PUSH(m->into, (index_vector){0});
    VECTOR_PUSH(m->leaving, (index_vector){0});
  }
  for (uint32_t i = 0; i < l->edges.count; i++) {
    VECTOR_PUSH(m->into.at[l->edges.at[i].to], i);
    VECTOR_PUSH(m->leaving.at[l->edges.at[i].from], i);
    VECTOR_PUSH(m->is_gone, false);
  }
}

static void keep_the_rest(merger *m) {
  c_lowering *l = m->l;
  size_t kept = 0;
  for (size_t i = 0; i < l->edges.count; i++)
    if (m->is_gone.at[i])
      flow_edge_clear(&l->edges.at[i]);
    else
      l->edges.at[kept++] = l->edges.at[i];
  l->edges.count = kept;
}

/* Places without edges go, others get their numbers. */
static void number_places(c_lowering *l) {
  bool *used = MEMORY_ARRAY(bool, l->places.count + 1);
  uint32_t *number = MEMORY_ARRAY(uint32_t, l->places.count + 1);
  size_t kept = 0;
  for (size_t i = 0; i < l->edges.count; i++) used[l->edges.at[i].from] = used[l->edges.at[i].to] = true;
  for (uint32_t i = 0; i < l->places.count; i++) {
    if (!used[i] && !is_fixed(l, i) && !has_invariant(l, i)) {
      VECTOR_FREE(l->places.at[i].stack);
      number[i] = UINT32_MAX;
      continue;
    }
    number[i] = (uint32_t)kept;
    l->places.at[kept++] = l->places.at[i];
  }
  l->places.count = kept;
  for (size_t i = 0; i < l->edges.count; i++) {
    l->edges.at[i].from = number[l->edges.at[i].from];
    l->edges.at[i].to = number[l->edges.at[i].to];
  }
  for (size_t i = 0; i < l->error_count; i++) l->errors[i] = number[l->errors[i]];
  for (size_t i = 0; i < l->invariants.count; i++) l->invariants.at[i].place = number[l->invariants.at[i].place];
  for (size_t i = 0; i < l->loops.count; i++) l->loops.at[i].head = number[l->loops.at[i].head];
  memory_free(used);
  memory_free(number);
}

void c_places_merge(c_lowering *l) {
  merger m;
  merger_open(&m, l);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < l->places.count; i++) {
      if (!is_to_go(&m, i) || !(m.into.at[i].count + m.leaving.at[i].count)) continue;
      remove_place(&m, i);
      more = true;
    }
  }
  keep_the_rest(&m);
  number_places(l);
  for (size_t i = 0; i < m.into.count; i++) {
    VECTOR_FREE(m.into.at[i]);
    VECTOR_FREE(m.leaving.at[i]);
  }
  VECTOR_FREE(m.into);
  VECTOR_FREE(m.leaving);
  VECTOR_FREE(m.is_gone);
  substitution_free(m.by);
}
