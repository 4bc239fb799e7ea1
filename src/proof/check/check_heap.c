/* Invariants of models with a heap: graphs with formulas for the other variables. The obligations are those of
 * check.h, for each part and transition, and for each way in which the heap can be: tests of null and of equality a
 * graph decides; data that it leaves open are tried both ways. What is then left of an obligation is a formula without
 * a heap.
 *
 * A part without a graph is about any heap: its tests are free, and steps from it lead to such parts only. */
#include "base/map.h"
#include "model/heap.h"
#include "proof/check/checkers.h"
#include "proof/check/heap_transfer.h"
#include "proof/type_and_input_conditions.h"
#include "term/substitute.h"

enum { MOST_WAYS = 4096 };

typedef struct checking {
  const model *model;
  terms *ts;
  const property *property;
  const evidence *evidence;
  questions *questions;
  check_result *result;
  variable_vector variables; /* of nodes */
  term types;
  substitution *here, *after;
  VECTOR(variable) free_tests; /* what tests are in a part without a graph */
  variable_vector common;      /* variables that every part fixes */
  map *buckets;                /* hash of their values -> the first part, from 1 */
  size_t *same_bucket;         /* by part: the next one, from 1; 0 is none */
  size_t part;
  const heap_graph *graph; /* of the part, as the case at hand has it; NULL: any heap */
} checking;

static bool end_with(checking *c, check_kind kind, const char *obligation, const transition *t, const char *why) {
  text what = {0};
  text_add(&what, "%s", obligation);
  if (c->part != SIZE_MAX) text_add(&what, ", part %zu", c->part + 1);
  if (t) text_add(&what, ", %s", t->name);
  if (why) text_add(&what, ": %s", why);
  c->result->kind = kind;
  c->result->what = text_give(&what);
  return false;
}

static bool settle(checking *c, answer a, const char *obligation, const transition *t) {
  c->result->queries++;
  if (answer_is_unsure(a)) return end_with(c, CHECK_UNSURE, obligation, t, a.reason);
  if (answer_is_no(a)) return end_with(c, CHECK_REJECTED, obligation, t, NULL);
  c->result->obligations++;
  return true;
}

/* `left` implies `right`. */
static bool require_implied(checking *c, term left, term right, const char *obligation, const transition *t) {
  term whole = term_or(c->ts, term_not(left), right);
  if (term_is_true(whole)) {
    c->result->obligations++;
    return true;
  }
  return settle(c, solver_valid(questions_solver(c->questions), whole), obligation, t);
}

/* ---- tests of the heap ---- */

static void decide_tests(checking *c, const heap_graph *g) {
  for (size_t i = 0; i < c->variables.count; i++) {
    variable p = c->variables.at[i];
    uint8_t node = g->at[i];
    substitution_decide(c->here, term_heap_null(c->ts, p), term_of_bool(!node));
    heap_decide_data(c->model, p, node ? (unsigned)__builtin_ctzll(g->nodes[node].data) : 0, c->here);
    for (size_t j = 0; j < i; j++)
      substitution_decide(c->here, term_heap_same(c->ts, p, c->variables.at[j]), term_of_bool(node == g->at[j]));
  }
}

static term free_test(checking *c, size_t index) {
  while (c->free_tests.count <= index)
    VECTOR_PUSH(c->free_tests, variable_fresh(c->ts, "test", &(type){.sort = SORT_BOOL}));
  return term_of_variable(c->ts, c->free_tests.at[index]);
}

static void free_all_tests(checking *c) {
  size_t next = 0;
  const node_layout *l = c->model->nodes;
  for (size_t i = 0; i < c->variables.count; i++) {
    variable p = c->variables.at[i];
    substitution_decide(c->here, term_heap_null(c->ts, p), free_test(c, next++));
    for (size_t f = 0; f < l->field_count; f++)
      for (unsigned part = 0; part < l->fields[f].size; part++)
        substitution_decide(c->here, term_heap_data(c->ts, p, node_values_with(l, f, part)), free_test(c, next++));
    substitution_decide(c->here, term_heap_data(c->ts, p, NODE_VALUE(NODE_FREED)), free_test(c, next++));
    for (size_t j = 0; j < i; j++)
      substitution_decide(c->here, term_heap_same(c->ts, p, c->variables.at[j]), free_test(c, next++));
  }
}

/* `c->here` stands for the part's fixed values and the tests as `g` has them. */
static void stand_in(checking *c, const invariant_part *p, const heap_graph *g) {
  substitution_clear(c->here);
  for (size_t i = 0; i < p->fixed.count; i++) {
    variable v = p->fixed.at[i].var;
    bool is_bool = variable_type(c->ts, v)->sort == SORT_BOOL;
    substitution_set(
        c->here, v,
        is_bool ? term_of_bool(number_is(p->fixed.at[i].value, 1)) : term_number(c->ts, p->fixed.at[i].value));
  }
  c->graph = g;
  if (g)
    decide_tests(c, g);
  else
    free_all_tests(c);
}

/* ---- the invariant after a step ---- */

static bool fixes(const invariant_part *p, variable v, number *value) {
  for (size_t i = 0; i < p->fixed.count; i++) {
    if (!variable_same(p->fixed.at[i].var, v)) continue;
    *value = p->fixed.at[i].value;
    return true;
  }
  return false;
}

static uint64_t mix(uint64_t hash, number n) {
  int64_t word = 0;
  number_to_int64(n, &word);
  return hash_mix(hash ^ (uint64_t)word);
}

/* Parts are found by the values of the variables that all of them fix: places of programs, most of the time. */
static void index_parts(checking *c) {
  const evidence *e = c->evidence;
  number value;
  for (size_t i = 0; e->parts.count && i < e->parts.at[0].fixed.count; i++) {
    variable v = e->parts.at[0].fixed.at[i].var;
    bool everywhere = true;
    for (size_t j = 1; j < e->parts.count && everywhere; j++) everywhere = fixes(&e->parts.at[j], v, &value);
    if (everywhere) VECTOR_PUSH(c->common, v);
  }
  c->buckets = map_new();
  c->same_bucket = MEMORY_ARRAY(size_t, e->parts.count + 1);
  for (size_t j = e->parts.count; j-- > 0;) {
    uint64_t hash = 0, first = 0;
    for (size_t i = 0; i < c->common.count; i++)
      if (fixes(&e->parts.at[j], c->common.at[i], &value)) hash = mix(hash, value);
    map_get(c->buckets, hash, &first);
    c->same_bucket[j] = (size_t)first;
    map_set(c->buckets, hash, j + 1);
  }
}

/* The parts to look at after a step, from 1, as a list by same_bucket; false if all have to be. */
static bool find_bucket(const checking *c, size_t *first) {
  uint64_t hash = 0, found = 0;
  for (size_t i = 0; i < c->common.count; i++) {
    term after = substitution_apply(c->after, term_of_variable(c->ts, c->common.at[i]));
    number value = number_of(term_is_true(after));
    bool is_known = term_sort(c->ts, after) == SORT_BOOL ? term_is_true(after) || term_is_false(after)
                                                         : term_is_number(c->ts, after, &value);
    if (!is_known) return false;
    hash = mix(hash, value);
  }
  map_get(c->buckets, hash, &found);
  *first = (size_t)found;
  return true;
}

/* What part `p` says of the values after the step, which `c->after` stands for. */
static term part_after(checking *c, const invariant_part *p) {
  for (size_t i = 0; i < p->fixed.count; i++) {
    term same = substitution_apply(c->after, fixed_term(c->ts, p->fixed.at[i].var, p->fixed.at[i].value));
    if (term_is_false(same)) return TERM_FALSE;
  }
  return substitution_apply(c->after, part_formula(c->ts, p));
}

/* The parts that a state with this heap (NULL: any) may be of, as a formula over the states before. False if it
 * could not be found out whether a graph covers the shape. */
static bool parts_for(checking *c, const heap_shape *s, term *out) {
  term_vector all = {0};
  bool known = true;
  size_t j = 1;
  bool in_bucket = find_bucket(c, &j);
  for (; j && j <= c->evidence->parts.count && known; j = in_bucket ? c->same_bucket[j - 1] : j + 1) {
    const invariant_part *p = &c->evidence->parts.at[j - 1];
    if (!s && p->graph) continue;
    term says = part_after(c, p);
    if (term_is_false(says)) continue;
    heap_cover cover = p->graph ? heap_covers(p->graph, s) : HEAP_COVERED;
    known = cover != HEAP_COVER_UNSURE;
    if (cover == HEAP_COVERED) VECTOR_PUSH(all, says);
    if (cover == HEAP_COVERED && term_is_true(says)) break;
  }
  *out = term_or_all(c->ts, all.count, all.at);
  VECTOR_FREE(all);
  return known;
}

/* ---- initial ---- */

static bool check_initial(checking *c) {
  heap_graph empty = {.variables = (uint8_t)c->variables.count, .fields = (uint8_t)c->model->nodes->pointer_count};
  heap_shape shape = heap_shape_of(&empty);
  const invariant_part nothing = {0};
  term right;
  stand_in(c, &nothing, &empty);
  substitution_clear(c->after);
  term init = substitution_apply(c->here, c->model->init);
  if (!parts_for(c, &shape, &right)) return end_with(c, CHECK_UNSURE, "initial", NULL, "too many ways to map nodes");
  return require_implied(c, init, term_and(c->ts, right, c->types), "initial", NULL);
}

/* ---- one part, one way in which its data can be ---- */

/* The part's formula and the types, with what is fixed put in. */
static term part_here(checking *c, const invariant_part *p) {
  return term_and(c->ts, substitution_apply(c->here, p->formula), substitution_apply(c->here, c->types));
}

static void set_after(checking *c, const transition *t) {
  substitution_clear(c->after);
  for (size_t i = 0; i < c->model->variables.count; i++) {
    variable v = c->model->variables.at[i].var;
    if (variable_type(c->ts, v)->sort == SORT_NODE) continue;
    substitution_set(c->after, v, substitution_apply(c->here, transition_value_after(c->model, t, v)));
  }
}

/* The command writes `value`, if `left` holds. */
static bool check_command(checking *c, const transition *t, term left, unsigned value) {
  heap_shapes made = {0};
  term right, types = substitution_apply(c->here, condition_types_after(c->model, t));
  bool fine = true;
  if (term_is_false(left)) return true;
  if (c->graph) {
    heap_shape shape = heap_shape_of(c->graph);
    heap_frame frame = {c->model->nodes, &c->variables, c->model->frees, c->model->lost};
    if (!heap_transfer(&shape, &frame, &t->heap, value, &made))
      fine = end_with(c, CHECK_UNSURE, "preserved", t, "too many nodes");
  }
  for (size_t i = 0; i < (c->graph ? made.count : 1) && fine; i++) {
    if (!parts_for(c, c->graph ? &made.at[i] : NULL, &right))
      fine = end_with(c, CHECK_UNSURE, "preserved", t, "too many ways to map nodes");
    else
      fine = require_implied(c, left, term_and(c->ts, right, types), "preserved", t);
  }
  VECTOR_FREE(made);
  return fine;
}

static bool check_step(checking *c, const invariant_part *p, const transition *t) {
  term enabled = substitution_apply(c->here, transition_enabled(c->model, t));
  if (term_is_false(enabled)) return true;
  term left = term_and(c->ts, term_and(c->ts, part_here(c, p), enabled), condition_input_types(c->model, t));
  if (term_is_false(left)) return true;
  set_after(c, t);
  if (!heap_has_value(t->heap.kind)) return check_command(c, t, left, 0);
  const node_layout *l = c->model->nodes;
  unsigned count = t->heap.kind == HEAP_NEW ? l->values : l->fields[t->heap.field].size;
  term value = substitution_apply(c->here, t->heap.value);
  term most = term_int(c->ts, (int64_t)count - 1), least = term_int(c->ts, 0);
  term in_range = term_and(c->ts, term_le(c->ts, least, value), term_le(c->ts, value, most));
  if (!require_implied(c, left, in_range, "preserved", t)) return false;
  for (unsigned v = 0; v < count; v++) {
    term is = term_eq(c->ts, value, term_int(c->ts, (int64_t)v));
    if (!check_command(c, t, term_and(c->ts, left, is), v)) return false;
  }
  return true;
}

static bool check_deadlock(checking *c, const invariant_part *p) {
  term_vector stuck = {0};
  bool exact = true;
  for (size_t i = 0; i < c->model->transitions.count; i++) {
    const transition *t = &c->model->transitions.at[i];
    term enabled = substitution_apply(c->here, transition_enabled(c->model, t));
    VECTOR_PUSH(stuck, term_not(condition_for_some(c->ts, enabled, t->inputs.count, t->inputs.at, &exact)));
  }
  term bad = term_and(c->ts, part_here(c, p), term_and_all(c->ts, stuck.count, stuck.at));
  VECTOR_FREE(stuck);
  bool fine = require_implied(c, bad, TERM_FALSE, "excludes", NULL);
  if (!fine && !exact) c->result->kind = CHECK_UNSURE; /* some inputs could not be eliminated */
  return fine;
}

static bool check_excludes(checking *c, const invariant_part *p) {
  if (c->property->kind == PROPERTY_DEADLOCKFREE) return check_deadlock(c, p);
  if (c->property->kind == PROPERTY_SAFE)
    return require_implied(c, term_and(c->ts, part_here(c, p), substitution_apply(c->here, c->property->bad)),
                           TERM_FALSE, "excludes", NULL);
  for (size_t i = 0; i < c->model->transitions.count; i++) {
    const transition *t = &c->model->transitions.at[i];
    term fault = substitution_apply(c->here, transition_fault(c->model, t));
    term bad = term_and(c->ts, term_and(c->ts, part_here(c, p), fault), condition_input_types(c->model, t));
    if (!require_implied(c, bad, TERM_FALSE, "excludes", t)) return false;
  }
  return true;
}

static bool check_case(checking *c, const invariant_part *p, const heap_graph *g) {
  stand_in(c, p, g);
  for (size_t i = 0; i < c->model->transitions.count; i++) {
    const char *spent = budget_spent(c->questions->budget);
    if (spent) return end_with(c, CHECK_UNSURE, "preserved", NULL, spent);
    if (!check_step(c, p, &c->model->transitions.at[i])) return false;
  }
  return check_excludes(c, p);
}

/* ---- parts ---- */

/* The next one of `all` after the one in `*data`; false after the last, and it is the first again. */
static bool next_value(uint64_t *data, uint64_t all) {
  uint64_t above = all & ~(*data | (*data - 1));
  bool has_next = above != 0;
  if (!has_next) above = all;
  *data = above & -above;
  return has_next;
}

/* The data of variables' nodes that a graph leaves open, one way after the other. */
static bool check_part(checking *c, const invariant_part *p) {
  if (!p->graph) return check_case(c, p, NULL);
  heap_graph g = *p->graph;
  node_set named = heap_graph_named(&g);
  size_t ways = 1;
  for (size_t n = 1; n <= g.count; n++) {
    if (!(named & NODE(n))) continue;
    ways *= (size_t)__builtin_popcountll(g.nodes[n].data);
    if (ways > MOST_WAYS) return end_with(c, CHECK_UNSURE, "preserved", NULL, "too many data are open");
    g.nodes[n].data &= -g.nodes[n].data;
  }
  for (;;) {
    if (!check_case(c, p, &g)) return false;
    size_t n = 1;
    while (n <= g.count && (!(named & NODE(n)) || !next_value(&g.nodes[n].data, p->graph->nodes[n].data))) n++;
    if (n > g.count) return true;
  }
}

static bool check_graphs(checking *c) {
  for (size_t i = 0; i < c->evidence->parts.count; i++) {
    const heap_graph *g = c->evidence->parts.at[i].graph;
    const char *fault = g ? heap_graph_fault(g, c->variables.count, c->model->nodes) : NULL;
    c->part = i;
    if (fault) return end_with(c, CHECK_REJECTED, "graphs", NULL, fault);
  }
  c->part = SIZE_MAX;
  return true;
}

static void check_all(checking *c) {
  if (!check_graphs(c) || !check_initial(c)) return;
  for (c->part = 0; c->part < c->evidence->parts.count; c->part++)
    if (!check_part(c, &c->evidence->parts.at[c->part])) return;
}

void check_heap(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  checking c = {.model = m,
                .ts = m->terms,
                .property = p,
                .evidence = e,
                .questions = q,
                .result = result,
                .types = condition_types(m),
                .here = substitution_new(m->terms),
                .after = substitution_new(m->terms),
                .part = SIZE_MAX};
  const char *why = heap_variables(m, &c.variables);
  if (why) end_with(&c, CHECK_UNSURE, "graphs", NULL, why);
  index_parts(&c);
  if (!why) check_all(&c);
  map_free(c.buckets);
  memory_free(c.same_bucket);
  VECTOR_FREE(c.common);
  VECTOR_FREE(c.variables);
  VECTOR_FREE(c.free_tests);
  substitution_free(c.here);
  substitution_free(c.after);
}
