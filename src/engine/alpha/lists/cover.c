/* The fixpoint over abstract states that begins with those that were visited. */
#include "engine/alpha/lists/cover.h"

#include "base/work.h"
#include "engine/lists/heap_graphs.h"
#include "model/heap.h"
#include "proof/type_and_input_conditions.h"
#include "term/substitute.h"

/* So many blocks that are added are kept apart before those with the same nodes are merged; so many there may be at all. */
enum { MOST_APART = 3000, MOST_BLOCKS = 20000 };
enum { MOST_WAYS_OF_DATA = 4096, WORK_OF_A_QUESTION = 20 };

/* The block that is looked at. */
typedef struct looking {
  cover *c;
  uint32_t block;
  heap_graph graph;           /* the block's, with one value for each node of a variable */
  substitution *here, *after; /* the block's values and heap; variables after a transition */
  term literals;
  uint32_t by;
} looking;

static bool is_node(const model *m, size_t i) {
  return variable_type(m->terms, m->variables.at[i].var)->sort == SORT_NODE;
}

/* ---- blocks ---- */

static uint64_t hash_of_values(const cover *c, const int64_t *values) {
  uint64_t hash = 1;
  for (size_t i = 0; i < c->width; i++) hash = hash_mix(hash ^ (uint64_t)values[i]);
  return hash;
}

static const int64_t *values_of(const cover *c, uint32_t block) { return c->values.at + block * c->width; }

/* Whether a block has all heaps of `g`; those of which `g` has all are marked if not. */
static bool is_within_one(cover *c, uint64_t first, const int64_t *values, const heap_graph *g) {
  for (int marks = 0; marks < 2; marks++) {
    for (uint64_t at = first; at; at = c->blocks.at[at - 1].same_value) {
      cover_block *b = &c->blocks.at[at - 1];
      if (b->is_within || memcmp(values_of(c, (uint32_t)at - 1), values, c->width * sizeof *values)) continue;
      if (!marks && heap_within(g, &b->graph)) return true;
      if (marks) b->is_within = heap_within(&b->graph, g);
    }
  }
  return false;
}

static void add_block(cover *c, const int64_t *values, const heap_graph *g, uint32_t from, uint32_t by, uint32_t seen) {
  uint64_t hash = hash_of_values(c, values), first = 0;
  map_get(c->by_value, hash, &first);
  bool is_within = is_within_one(c, first, values, g);
  if (is_within && seen == NO_BLOCK) return;
  if (c->blocks.count >= MOST_BLOCKS) c->stuck = "too many abstract states";
  VECTOR_PUSH(c->blocks, (cover_block){*g, from, by, seen, is_within, (uint32_t)first});
  for (size_t i = 0; i < c->width; i++) VECTOR_PUSH(c->values, values[i]);
  map_set(c->by_value, hash, c->blocks.count);
}

/* Many blocks may differ in nothing but where their nodes lead. */
static void merge_with_added(const cover *c, const int64_t *values, heap_graph *g) {
  uint64_t at = 0;
  for (map_get(c->by_value, hash_of_values(c, values), &at); at; at = c->blocks.at[at - 1].same_value) {
    const cover_block *b = &c->blocks.at[at - 1];
    if (b->is_within || b->seen != NO_BLOCK) continue;
    if (!memcmp(values_of(c, (uint32_t)at - 1), values, c->width * sizeof *values))
      node_tests_merge(&c->l->tests, g, &b->graph);
  }
}

static void add_graph(cover *c, const int64_t *values, const heap_graph *g, uint32_t from, uint32_t by) {
  heap_graph one = *g;
  node_tests_abstract(&c->l->tests, &one);
  if (!heap_settle(&one)) return;
  if (c->blocks.count >= MOST_APART + list_search_count(c->l->search)) merge_with_added(c, values, &one);
  add_block(c, values, &one, from, by, NO_BLOCK);
}

static void take_visited(cover *c) {
  alpha_lists *l = c->l;
  size_t count = l->m->variables.count, words = predicates_words(l->predicates) + 1;
  int64_t *state = MEMORY_ARRAY(int64_t, list_search_width(l->search) + 1),
          *values = MEMORY_ARRAY(int64_t, c->width + 1);
  uint64_t *mask = MEMORY_ARRAY(uint64_t, words), *bits = MEMORY_ARRAY(uint64_t, words);
  for (uint64_t n = 0; n < list_search_count(l->search); n++) {
    heap_graph g;
    list_search_state(l->search, n, state);
    predicates_active(l->predicates, state, mask);
    if (!predicates_evaluate(l->predicates, state, mask, bits)) continue; /* it has no key, so it is not there */
    for (size_t i = 0; i < count; i++) values[i] = l->kept.is_kept.at[i] ? state[i] : 0;
    for (size_t i = 0; i < predicates_count(l->predicates); i++) values[count + i] = word_bit(bits, i);
    alpha_lists_graph(l, state, &g);
    node_tests_abstract(&l->tests, &g);
    heap_settle(&g);
    add_block(c, values, &g, NO_BLOCK, 0, (uint32_t)n);
  }
  memory_free(state);
  memory_free(values);
  memory_free(mask);
  memory_free(bits);
}

cover *cover_new(alpha_lists *l) {
  cover *c = MEMORY_NEW(cover);
  c->l = l;
  c->width = l->m->variables.count + predicates_count(l->predicates);
  c->by_value = map_new();
  c->bad = NO_BLOCK;
  take_visited(c);
  return c;
}

void cover_free(cover *c) {
  if (!c) return;
  VECTOR_FREE(c->blocks);
  VECTOR_FREE(c->values);
  map_free(c->by_value);
  memory_free(c);
}

/* ---- questions ---- */

static bool goes_on(cover *c) {
  if (c->stuck || c->bad != NO_BLOCK) return false;
  work_add(WORK_OF_A_QUESTION);
  c->stuck = budget_spent(c->l->env->budget);
  return !c->stuck;
}

/* Does what is asserted, or the literals, have a model? A formula that folded away needs no question. */
static bool is_possible(looking *k, term condition) {
  cover *c = k->c;
  if (term_is_false(condition) || !goes_on(c)) return false;
  if (term_is_true(condition)) return true;
  c->l->queries++;
  answer a = solver_satisfiable(c->l->solver, condition);
  if (answer_is_unsure(a)) c->stuck = "a question of the solver has no answer";
  return answer_is_yes(a);
}

static bool is_constant(const terms *ts, term t, number *out) {
  *out = number_of(term_is_true(t));
  return term_is_true(t) || term_is_false(t) || (term_sort(ts, t) == SORT_INT && term_is_number(ts, t, out));
}

/* What `wanted` is in a model of what is asserted; a formula that says that it is so. False if a value is too large. */
static bool read_wanted(looking *k, const term_vector *wanted, int64_t *out, term *same) {
  alpha_lists *l = k->c->l;
  term_vector parts = {0};
  variable_vector all = {0};
  bool fits = true;
  term_variables(l->ts, wanted->count, wanted->at, &all);
  number *values = MEMORY_ARRAY(number, variable_count(l->ts) + 1);
  for (size_t i = 0; i < all.count; i++) values[all.at[i].x] = solver_value(l->solver, all.at[i]);
  for (size_t i = 0; i < wanted->count && fits; i++) {
    number n;
    term w = wanted->at[i];
    bool is_open = !is_constant(l->ts, w, &n);
    if (is_open) n = term_evaluate(l->ts, w, values);
    fits = number_to_int64(n, &out[i]);
    if (!is_open) continue;
    bool is_bool = term_sort(l->ts, w) == SORT_BOOL;
    VECTOR_PUSH(parts, !is_bool ? term_eq(l->ts, w, term_number(l->ts, n)) : out[i] ? w : term_not(w));
  }
  *same = term_and_all(l->ts, parts.count, parts.at);
  memory_free(values);
  VECTOR_FREE(parts);
  VECTOR_FREE(all);
  return fits;
}

/* Hears of each value that `wanted` can have if `condition` holds. */
typedef void way_hearer(looking *k, const int64_t *values);

static void each_way(looking *k, term condition, const term_vector *wanted, way_hearer *hear) {
  cover *c = k->c;
  alpha_lists *l = c->l;
  int64_t *values = MEMORY_ARRAY(int64_t, wanted->count + 1);
  bool is_fixed = term_is_true(condition);
  number n;
  for (size_t i = 0; i < wanted->count && is_fixed; i++) is_fixed = is_constant(l->ts, wanted->at[i], &n);
  solver_push(l->solver);
  solver_assert(l->solver, condition);
  while (goes_on(c)) {
    term same = TERM_TRUE;
    answer a = answer_yes();
    if (!is_fixed) {
      l->queries++;
      a = solver_check(l->solver, 0);
      if (answer_is_unsure(a)) c->stuck = "a question of the solver has no answer";
      if (!answer_is_yes(a)) break;
    }
    if (!read_wanted(k, wanted, values, &same))
      c->stuck = "values beyond 64 bits";
    else
      hear(k, values);
    if (is_fixed || term_is_true(same)) break;
    solver_assert(l->solver, term_not(same));
  }
  solver_pop(l->solver);
  memory_free(values);
}

/* ---- what a block is ---- */

/* Tests of the heap are decided by the graph, kept variables have their values. */
static void stand_in(looking *k) {
  cover *c = k->c;
  alpha_lists *l = c->l;
  const heap_graph *g = &k->graph;
  const int64_t *values = values_of(c, k->block);
  substitution_clear(k->here);
  for (size_t i = 0; i < l->m->variables.count; i++) {
    variable v = l->m->variables.at[i].var;
    if (l->kept.is_kept.at[i]) substitution_set(k->here, v, term_of_value(l->ts, v, values[i]));
  }
  for (size_t i = 0; i < l->nodes.count; i++) {
    variable p = l->nodes.at[i];
    uint8_t node = g->at[i];
    substitution_decide(k->here, term_heap_null(l->ts, p), term_of_bool(!node));
    heap_decide_data(l->m, p, node ? (unsigned)__builtin_ctzll(g->nodes[node].data) : 0, k->here);
    for (size_t j = 0; j < i; j++)
      substitution_decide(k->here, term_heap_same(l->ts, p, l->nodes.at[j]), term_of_bool(node == g->at[j]));
  }
  term_vector literals = {0};
  for (size_t i = 0; i < predicates_count(l->predicates); i++) {
    term p = substitution_apply(k->here, predicates_at(l->predicates, i));
    VECTOR_PUSH(literals, values[l->m->variables.count + i] ? p : term_not(p));
  }
  k->literals = term_and_all(l->ts, literals.count, literals.at);
  VECTOR_FREE(literals);
}

/* The terms that the values of a block are, with variables as `after` has them. */
static void values_after(looking *k, term_vector *out) {
  alpha_lists *l = k->c->l;
  for (size_t i = 0; i < l->m->variables.count; i++) {
    term x = l->kept.is_kept.at[i] ? term_of_variable(l->ts, l->m->variables.at[i].var) : term_int(l->ts, 0);
    VECTOR_PUSH(*out, substitution_apply(k->after, x));
  }
  for (size_t i = 0; i < predicates_count(l->predicates); i++)
    VECTOR_PUSH(*out, substitution_apply(k->after, predicates_at(l->predicates, i)));
}

/* ---- steps ---- */

static heap_step step_of(const alpha_lists *l, const heap_command *h, int64_t value) {
  heap_step s = {.kind = h->kind, .field = h->field, .part = (uint8_t)value, .layout = l->m->nodes};
  s.watches_lost = l->m->frees;
  if (h->kind == HEAP_NEW) s.data = NODE_VALUE(value);
  if (h->kind != HEAP_NONE) s.target = (uint8_t)heap_variable_index(&l->nodes, h->target);
  if (heap_has_source(h->kind)) s.source = (uint8_t)heap_variable_index(&l->nodes, h->source);
  if (l->m->frees) s.lost = (uint8_t)heap_variable_index(&l->nodes, l->m->lost);
  return s;
}

static bool is_value_of(const alpha_lists *l, const heap_command *h, int64_t value) {
  const node_layout *layout = l->m->nodes;
  return value >= 0 && value < (h->kind == HEAP_NEW ? layout->values : layout->fields[h->field].size);
}

static void hear_step(looking *k, const int64_t *values) {
  cover *c = k->c;
  const heap_command *h = &c->l->m->transitions.at[k->by].heap;
  heap_graphs made = {0};
  int64_t value = heap_has_value(h->kind) ? values[c->width] : 0;
  if (heap_has_value(h->kind) && !is_value_of(c->l, h, value)) {
    c->stuck = "data that a node cannot have";
    return;
  }
  if (h->kind == HEAP_NONE) {
    add_block(c, values, &k->graph, k->block, k->by, NO_BLOCK);
    return;
  }
  heap_step s = step_of(c->l, h, value);
  if (!heap_post(&k->graph, &s, &made)) c->stuck = "a graph of the heap with more than 63 nodes";
  for (size_t i = 0; i < made.count && !c->stuck; i++) add_graph(c, values, &made.at[i], k->block, k->by);
  VECTOR_FREE(made);
}

static void look_at_transition(looking *k, uint32_t index) {
  alpha_lists *l = k->c->l;
  const transition *t = &l->m->transitions.at[index];
  term enabled = substitution_apply(k->here, transition_enabled(l->m, t));
  term condition = term_and(l->ts, enabled, k->literals);
  term_vector wanted = {0};
  if (term_is_false(condition)) return;
  k->by = index;
  substitution_clear(k->after);
  for (size_t i = 0; i < l->m->variables.count; i++) {
    variable v = l->m->variables.at[i].var;
    if (!is_node(l->m, i))
      substitution_set(k->after, v, substitution_apply(k->here, transition_value_after(l->m, t, v)));
  }
  values_after(k, &wanted);
  if (heap_has_value(t->heap.kind)) VECTOR_PUSH(wanted, substitution_apply(k->here, t->heap.value));
  each_way(k, term_and(l->ts, condition, condition_input_types(l->m, t)), &wanted, hear_step);
  VECTOR_FREE(wanted);
}

static bool can_be_stuck(looking *k) {
  alpha_lists *l = k->c->l;
  term_vector parts = {0};
  bool exact = true;
  VECTOR_PUSH(parts, k->literals);
  for (size_t i = 0; i < l->m->transitions.count; i++) {
    const transition *t = &l->m->transitions.at[i];
    term enabled = substitution_apply(k->here, transition_enabled(l->m, t));
    VECTOR_PUSH(parts, term_not(condition_for_some(l->ts, enabled, t->inputs.count, t->inputs.at, &exact)));
  }
  bool possible = is_possible(k, term_and_all(l->ts, parts.count, parts.at));
  VECTOR_FREE(parts);
  return possible;
}

static void look_for_bad(looking *k) {
  cover *c = k->c;
  alpha_lists *l = c->l;
  bool is_bad = false;
  if (l->property->kind == PROPERTY_SAFE)
    is_bad = is_possible(k, term_and(l->ts, substitution_apply(k->here, l->property->bad), k->literals));
  if (l->property->kind == PROPERTY_DEADLOCKFREE) is_bad = can_be_stuck(k);
  for (uint32_t i = 0; i < l->m->transitions.count && l->property->kind == PROPERTY_NO_FAULT && !is_bad; i++) {
    const transition *t = &l->m->transitions.at[i];
    term fault = substitution_apply(k->here, transition_fault(l->m, t));
    term condition = term_and(l->ts, term_and(l->ts, fault, k->literals), condition_input_types(l->m, t));
    is_bad = is_possible(k, condition);
    c->bad_by = i;
  }
  if (is_bad) c->bad = k->block;
}

/* ---- initial ---- */

static void hear_initial(looking *k, const int64_t *values) {
  heap_graph empty;
  heap_start(&empty, k->c->l->nodes.count, k->c->l->m->nodes->pointer_count);
  add_block(k->c, values, &empty, NO_BLOCK, 0, NO_BLOCK);
}

static void take_initial(looking *k) {
  alpha_lists *l = k->c->l;
  number *all_null = MEMORY_ARRAY(number, variable_count(l->ts) + 1);
  substitution *heap = substitution_new(l->ts);
  term_vector wanted = {0};
  heap_decide(l->m, all_null, heap);
  values_after(k, &wanted);
  each_way(k, substitution_apply(heap, l->m->init), &wanted, hear_initial);
  VECTOR_FREE(wanted);
  substitution_free(heap);
  memory_free(all_null);
}

/* The next one of `all` after `data`; 0 after the last. */
static uint64_t next_value(uint64_t data, uint64_t all) {
  uint64_t above = all & ~(data | (data - 1));
  return above & -above;
}

/* The data of variables' nodes that the block's graph leaves open, one way after the other. */
static void look_at_each_data(looking *k) {
  cover *c = k->c;
  const heap_graph all = k->graph;
  node_set named = heap_graph_named(&all);
  for (size_t n = 1; n <= all.count; n++)
    if (named & NODE(n)) k->graph.nodes[n].data &= -all.nodes[n].data;
  for (unsigned ways = 0; goes_on(c); ways++) {
    if (ways == MOST_WAYS_OF_DATA) c->stuck = "too many data of nodes are open";
    stand_in(k);
    look_for_bad(k);
    for (uint32_t i = 0; i < c->l->m->transitions.count && goes_on(c); i++) look_at_transition(k, i);
    size_t n = 1;
    for (; n <= all.count; n++) {
      if (!(named & NODE(n))) continue;
      uint64_t next = next_value(k->graph.nodes[n].data, all.nodes[n].data);
      k->graph.nodes[n].data = next ? next : all.nodes[n].data & -all.nodes[n].data;
      if (next) break;
    }
    if (n > all.count) return;
  }
}

void cover_close(cover *c) {
  looking k = {.c = c, .here = substitution_new(c->l->ts), .after = substitution_new(c->l->ts)};
  take_initial(&k);
  for (k.block = 0; k.block < c->blocks.count && goes_on(c); k.block++) {
    if (c->blocks.at[k.block].is_within) continue;
    k.graph = c->blocks.at[k.block].graph;
    look_at_each_data(&k);
  }
  substitution_free(k.here);
  substitution_free(k.after);
}

/* ---- evidence ---- */

uint64_t cover_count(const cover *c) {
  uint64_t count = 0;
  for (size_t b = 0; b < c->blocks.count; b++) count += !c->blocks.at[b].is_within;
  return count;
}

void cover_evidence(const cover *c, evidence *out) {
  const alpha_lists *l = c->l;
  out->kind = EVIDENCE_HEAP;
  for (uint32_t b = 0; b < c->blocks.count; b++) {
    if (c->blocks.at[b].is_within) continue;
    const int64_t *values = values_of(c, b);
    invariant_part part = {.graph = MEMORY_NEW(heap_graph)};
    term_vector literals = {0};
    *part.graph = c->blocks.at[b].graph;
    for (size_t i = 0; i < l->m->variables.count; i++)
      if (l->kept.is_kept.at[i])
        VECTOR_PUSH(part.fixed, (fixed_value){l->m->variables.at[i].var, number_of(values[i])});
    for (size_t i = 0; i < predicates_count(l->predicates); i++) {
      term p = predicates_at(l->predicates, i);
      VECTOR_PUSH(literals, values[l->m->variables.count + i] ? p : term_not(p));
    }
    part.formula = term_and_all(l->ts, literals.count, literals.at);
    VECTOR_PUSH(out->parts, part);
    VECTOR_FREE(literals);
  }
}
