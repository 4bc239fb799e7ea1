/* Gulavani, Rajamani 2006, section 6, on top of powersets of polyhedra.
 *   LUB, merging along Delta     engine/lists/heap_graphs.c: heap_merge
 *   widening, [+]                combine
 *   exact union                  heap_join (Gulavani, Rajamani 2006 keeps disjuncts apart; so do we) */
#include "engine/widen/heap/heap_runs.h"

#include "base/text.h"
#include "model/heap.h"
#include "term/print.h"

typedef struct heap_element_body {
  size_t users;
  heap_parts parts;
} body;

/* Unions and exact steps keep all apart: beyond so many pairs at one place, something else is called for. */
enum { MOST_PARTS = 1000 };

struct heap_domain {
  const program *program;
  const numeric *numeric;
  budget *budget;
  bool by_data; /* graphs with other data at their variables are not merged, nor nodes with other data */
  variable_vector variables;
  VECTOR(heap_step) steps; /* by edge */
  domain domain;
  const char *failure;
};

static body *body_of(element *e) { return (body *)e; }
static const heap_parts *parts_of(const element *e) { return &((const body *)e)->parts; }
const heap_parts *element_parts(const element *e) { return parts_of(e); }

static polyhedra *space(const heap_domain *h) { return h->program->graph->frame.space; }
static size_t dimension(const heap_domain *h) { return h->program->graph->frame.dimensions.count; }

/* ---- parts ---- */

void heap_parts_clear(heap_parts *all) {
  for (size_t i = 0; i < all->count; i++) polyhedron_free(all->at[i].numbers);
  VECTOR_FREE(*all);
}

static bool part_within(const heap_part *a, const heap_part *b) {
  return heap_within(&a->graph, &b->graph) && polyhedron_contains(b->numbers, a->numbers);
}

static bool has_container(const heap_parts *all, const heap_part *p) {
  for (size_t i = 0; i < all->count; i++)
    if (part_within(p, &all->at[i])) return true;
  return false;
}

bool heap_parts_add(heap_parts *all, heap_part *more) {
  if (polyhedron_is_empty(more->numbers) || has_container(all, more)) {
    polyhedron_free(more->numbers);
    return false;
  }
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++) {
    if (part_within(&all->at[i], more))
      polyhedron_free(all->at[i].numbers);
    else
      all->at[kept++] = all->at[i];
  }
  all->count = kept;
  VECTOR_PUSH(*all, *more);
  return true;
}

static void add_copy(heap_parts *all, const heap_part *p) {
  heap_part copy = {p->graph, polyhedron_copy(p->numbers)};
  heap_parts_add(all, &copy);
}

/* ---- elements ---- */

static element *as_element(heap_parts parts) {
  body *b = MEMORY_NEW(body);
  *b = (body){.users = 1, .parts = parts};
  return (element *)b;
}

element *heap_element(heap_domain *h, const heap_graph *g, polyhedron *numbers) {
  (void)h;
  heap_parts parts = {0};
  VECTOR_PUSH(parts, (heap_part){*g, numbers});
  return as_element(parts);
}

static element *heap_bottom(void *context, uint32_t head) {
  (void)context, (void)head;
  return as_element((heap_parts){0});
}

/* The entry is before the first state: the heap is empty there. */
static element *heap_top(void *context) {
  heap_domain *h = context;
  heap_graph empty;
  heap_start(&empty, h->variables.count, h->program->graph->frame.model->nodes->pointer_count);
  return heap_element(h, &empty, polyhedron_universe(space(h), dimension(h)));
}

static element *heap_share(element *e) {
  body_of(e)->users++;
  return e;
}

static void heap_release(element *e) {
  body *b = body_of(e);
  if (!b || --b->users) return;
  heap_parts_clear(&b->parts);
  memory_free(b);
}

static bool heap_is_empty(const element *e) { return !parts_of(e)->count; }

static bool heap_parts_within(const element *a, const element *b) {
  for (size_t i = 0; i < parts_of(a)->count; i++)
    if (!has_container(parts_of(b), &parts_of(a)->at[i])) return false;
  return true;
}

static const char *heap_failure(void *context) {
  heap_domain *h = context;
  if (!h->failure) h->failure = budget_spent(h->budget);
  return h->failure ? h->failure : polyhedra_failure(space(h));
}

static void limit_parts(heap_domain *h, const heap_parts *all) {
  if (all->count > MOST_PARTS) h->failure = "too many graphs of the heap at one place";
}

static element *heap_join(void *context, const element *a, const element *b) {
  heap_parts out = {0};
  for (size_t i = 0; i < parts_of(a)->count; i++)
    VECTOR_PUSH(out, (heap_part){parts_of(a)->at[i].graph, polyhedron_copy(parts_of(a)->at[i].numbers)});
  for (size_t i = 0; i < parts_of(b)->count && !heap_failure(context); i++) add_copy(&out, &parts_of(b)->at[i]);
  limit_parts(context, &out);
  return as_element(out);
}

static void add_meet(heap_domain *h, const heap_part *p, const heap_part *q, heap_parts *out) {
  heap_graphs both = {0};
  if (!heap_meet(&p->graph, &q->graph, &both)) h->failure = "too many graphs of the heap at one place";
  for (size_t i = 0; i < both.count; i++) {
    heap_part part = {both.at[i], polyhedron_copy(p->numbers)};
    polyhedron_meet(part.numbers, q->numbers);
    heap_parts_add(out, &part);
  }
  VECTOR_FREE(both);
}

static element *heap_parts_meet(void *context, const element *a, const element *b) {
  heap_parts out = {0};
  for (size_t i = 0; i < parts_of(a)->count; i++)
    for (size_t j = 0; j < parts_of(b)->count && !heap_failure(context); j++)
      add_meet(context, &parts_of(a)->at[i], &parts_of(b)->at[j], &out);
  limit_parts(context, &out);
  return as_element(out);
}

static void heap_measure(const element *e, size_t *disjuncts, size_t *constraints) {
  row_vector rows = {0};
  *disjuncts = parts_of(e)->count;
  *constraints = 0;
  for (size_t i = 0; i < parts_of(e)->count; i++) {
    polyhedron_rows(parts_of(e)->at[i].numbers, &rows);
    *constraints += rows.count + parts_of(e)->at[i].graph.count;
  }
  rows_clear(&rows);
}

static void heap_describe(void *context, const element *e, text *out) {
  heap_domain *h = context;
  const case_frame *f = &h->program->graph->frame;
  for (size_t i = 0; i < parts_of(e)->count; i++) {
    const heap_part *p = &parts_of(e)->at[i];
    if (i) text_add(out, " || ");
    heap_graph_print(f->model->terms, &h->variables, &p->graph, out);
    powerset *numbers = powerset_new(space(h), dimension(h));
    powerset_add(numbers, polyhedron_copy(p->numbers));
    term formula = elements_term(f, numbers);
    if (!term_same(formula, TERM_TRUE)) {
      text_add(out, " && ");
      term_print(f->model->terms, formula, out);
    }
    powerset_free(numbers);
  }
}

/* ---- widening and [+] ---- */

/* Graphs that are merged: those of one key and, if the setting says so, the same data at the variables. */
static bool same_group(const heap_domain *h, const heap_graph *a, const heap_graph *b) {
  for (size_t i = 0; h->by_data && i < a->variables; i++)
    if (a->at[i] && b->at[i] && a->nodes[a->at[i]].data != b->nodes[b->at[i]].data) return false;
  return heap_same_key(a, b);
}

static powerset *numbers_with(const heap_domain *h, const heap_parts *all, const heap_graph *key) {
  powerset *set = powerset_new(space(h), dimension(h));
  for (size_t i = 0; i < all->count; i++)
    if (same_group(h, &all->at[i].graph, key)) powerset_add(set, polyhedron_copy(all->at[i].numbers));
  return set;
}

static bool has_key(const heap_domain *h, const heap_parts *all, size_t count, const heap_graph *key) {
  for (size_t i = 0; i < count; i++)
    if (same_group(h, &all->at[i].graph, key)) return true;
  return false;
}

/* All graphs of `a` with this key, joined: what unions kept apart stays apart as nodes. */
static bool joined_graph(const heap_domain *h, const heap_parts *a, const heap_graph *key, heap_graph *out) {
  bool found = false;
  for (size_t i = 0; i < a->count; i++) {
    const heap_graph *g = &a->at[i].graph;
    if (!same_group(h, g, key)) continue;
    if (!found)
      *out = *g;
    else if (!heap_within(g, out))
      heap_merge(out, g, h->by_data ? HEAP_BY_DATA : HEAP_JOIN);
    found = true;
  }
  return found;
}

/* One graph for the key: those of `a`, and those of `b` merged into it. */
static heap_graph merged_graph(const heap_domain *h, const heap_parts *a, const heap_parts *b, const heap_graph *key,
                               heap_merging how) {
  heap_graph out;
  bool found = joined_graph(h, a, key, &out);
  for (size_t i = 0; i < b->count; i++) {
    const heap_graph *g = &b->at[i].graph;
    if (!same_group(h, g, key) || (found && heap_within(g, &out))) continue;
    if (found) {
      heap_merge(&out, g, how);
    } else {
      out = *g;
      if (how != HEAP_JOIN) heap_fold(&out, how);
    }
    found = true;
  }
  return out;
}

static bool key_grows(const heap_domain *h, const heap_parts *a, const heap_parts *b, const heap_graph *key) {
  for (size_t i = 0; i < b->count; i++)
    if (same_group(h, &b->at[i].graph, key) && !has_container(a, &b->at[i])) return true;
  return false;
}

static void combine_key(heap_domain *h, const heap_parts *a, const heap_parts *b, const heap_graph *key,
                        heap_merging how, heap_parts *out) {
  heap_graph g = merged_graph(h, a, b, key, how);
  powerset *before = numbers_with(h, a, key), *with = numbers_with(h, b, key);
  const powerset_style *style = numeric_widening(h->numeric);
  powerset *numbers = powerset_is_empty(before) ? powerset_share(with)
                      : how == HEAP_JOIN        ? powerset_connect(before, with, style)
                                                : powerset_widen(before, with, style);
  for (size_t i = 0; i < powerset_count(numbers); i++) {
    heap_part p = {g, polyhedron_copy(powerset_at(numbers, i))};
    heap_parts_add(out, &p);
  }
  powerset_free(numbers);
  powerset_free(before);
  powerset_free(with);
}

static element *combine(heap_domain *h, const heap_parts *a, const heap_parts *b, heap_merging how) {
  heap_parts out = {0};
  for (size_t i = 0; i < b->count; i++) {
    const heap_graph *key = &b->at[i].graph;
    if (has_key(h, b, i, key)) continue;
    if (key_grows(h, a, b, key)) {
      combine_key(h, a, b, key, how, &out);
      continue;
    }
    for (size_t j = 0; j < a->count; j++)
      if (same_group(h, &a->at[j].graph, key)) add_copy(&out, &a->at[j]);
  }
  return as_element(out);
}

static element *heap_widening(void *context, uint32_t head, const element *a, const element *b) {
  (void)head;
  heap_domain *h = context;
  return combine(h, parts_of(a), parts_of(b), h->by_data ? HEAP_BY_DATA : HEAP_WIDEN);
}

static element *heap_connect(void *context, uint32_t head, const element *a, const element *b) {
  (void)head;
  return combine(context, parts_of(a), parts_of(b), HEAP_JOIN);
}

/* [+] is offered for the sake of the numbers: graphs that a union keeps apart the next widening joins anyway. */
static bool heap_precedes(const element *a, const element *b) {
  for (size_t i = 0; i < parts_of(b)->count; i++) {
    bool precedes = false, any = false;
    for (size_t j = 0; j < parts_of(a)->count && !precedes; j++) {
      if (!heap_same_key(&parts_of(a)->at[j].graph, &parts_of(b)->at[i].graph)) continue;
      any = true;
      precedes = polyhedron_contains(parts_of(b)->at[i].numbers, parts_of(a)->at[j].numbers);
    }
    if (any && !precedes) return false;
  }
  return true;
}

/* ---- along edges and paths ---- */

static bool pass_tests(heap_domain *h, const term_vector *tests, heap_graph *g) {
  const terms *ts = h->program->graph->frame.model->terms;
  for (size_t i = 0; i < tests->count; i++) {
    term t = tests->at[i];
    term_kind kind = term_kind_of(ts, t);
    heap_test test = {.kind = kind == TERM_HEAP_NULL   ? HEAP_TEST_NULL
                              : kind == TERM_HEAP_SAME ? HEAP_TEST_SAME
                                                       : HEAP_TEST_DATA,
                      .holds = !term_is_negated(t)};
    test.p = (uint8_t)heap_variable_index(&h->variables, term_variable(ts, term_argument(ts, t, 0)));
    if (kind == TERM_HEAP_DATA) test.values = term_heap_values(ts, t);
    if (kind == TERM_HEAP_SAME)
      test.q = (uint8_t)heap_variable_index(&h->variables, term_variable(ts, term_argument(ts, t, 1)));
    if (!heap_restrict(g, &test)) return false;
  }
  return true;
}

void heap_step_edge(heap_domain *h, uint32_t edge, const heap_part *from, heap_parts *out) {
  heap_graph g = from->graph;
  heap_graphs next = {0};
  if (!pass_tests(h, &h->program->graph->edges.at[edge].step.heap, &g)) return;
  polyhedron *numbers = polyhedron_copy(from->numbers);
  program_step(h->program, edge, numbers);
  if (!polyhedron_is_empty(numbers) && !heap_post(&g, &h->steps.at[edge], &next))
    h->failure = "a graph of the heap with more than 63 nodes";
  for (size_t i = 0; i < next.count; i++) {
    heap_part p = {next.at[i], polyhedron_copy(numbers)};
    heap_parts_add(out, &p);
  }
  polyhedron_free(numbers);
  VECTOR_FREE(next);
}

/* Keeps what of the parts is among these states. */
static void restrict_parts(heap_domain *h, const graph_states *states, heap_parts *parts) {
  size_t kept = 0;
  for (size_t i = 0; i < parts->count; i++) {
    heap_part p = parts->at[i];
    bool passes = pass_tests(h, &states->states.heap, &p.graph);
    if (passes) program_restrict(h->program, states->at, &states->states, p.numbers);
    if (passes && !polyhedron_is_empty(p.numbers))
      parts->at[kept++] = p;
    else
      polyhedron_free(p.numbers);
  }
  parts->count = kept;
}

void heap_first_states(heap_domain *h, uint32_t initial, heap_parts *out) {
  element *top = heap_top(h);
  heap_parts first = {0};
  add_copy(&first, &parts_of(top)->at[0]);
  restrict_parts(h, &h->program->graph->initial.at[initial], &first);
  for (size_t i = 0; i < first.count; i++) heap_parts_add(out, &first.at[i]);
  VECTOR_FREE(first);
  heap_release(top);
}

static heap_parts go_along(heap_domain *h, const program_path *path, const element *e) {
  heap_parts at = {0};
  for (size_t i = 0; i < parts_of(e)->count; i++) add_copy(&at, &parts_of(e)->at[i]);
  if (path->start != NO_STATES) restrict_parts(h, &h->program->graph->initial.at[path->start], &at);
  for (size_t i = 0; i < path->edges.count && at.count && !heap_failure(h); i++) {
    heap_parts next = {0};
    for (size_t j = 0; j < at.count && !heap_failure(h); j++) heap_step_edge(h, path->edges.at[i], &at.at[j], &next);
    limit_parts(h, &next);
    heap_parts_clear(&at);
    at = next;
  }
  return at;
}

static element *heap_path_post(void *context, uint32_t path, const element *e) {
  heap_domain *h = context;
  return as_element(go_along(h, &h->program->paths.at[path], e));
}

bool heap_errs_along(heap_domain *h, uint32_t bad_path, const element *e) {
  const program_path *path = &h->program->bad_paths.at[bad_path];
  heap_parts at = go_along(h, path, e);
  restrict_parts(h, &h->program->graph->bad.at[path->bad], &at);
  bool errs = at.count;
  heap_parts_clear(&at);
  return errs;
}

static bool heap_errs(void *context, uint32_t head, const element *e) {
  heap_domain *h = context;
  bool errs = false;
  for (size_t i = 0; i < h->program->bad_paths.count && !errs; i++)
    errs = h->program->bad_from.at[i] == head && heap_errs_along(h, (uint32_t)i, e);
  return errs;
}

/* ---- making ---- */

static heap_step step_of(const heap_domain *h, const graph_edge *e) {
  const model *m = h->program->graph->frame.model;
  const heap_command *c = &m->transitions.at[e->transition].heap;
  heap_step s = {.kind = c->kind, .field = c->field, .part = e->part, .layout = m->nodes, .watches_lost = m->frees};
  s.data = node_values(m->nodes);
  if (c->kind != HEAP_NONE) s.target = (uint8_t)heap_variable_index(&h->variables, c->target);
  if (heap_has_source(c->kind)) s.source = (uint8_t)heap_variable_index(&h->variables, c->source);
  if (m->frees) s.lost = (uint8_t)heap_variable_index(&h->variables, m->lost);
  return s;
}

heap_domain *heap_domain_new(const program *p, const numeric *n, bool by_data, budget *b, const char **why) {
  heap_domain *h = MEMORY_NEW(heap_domain);
  h->program = p;
  h->numeric = n;
  h->budget = b;
  h->by_data = by_data;
  *why = heap_variables(p->graph->frame.model, &h->variables);
  if (*why) {
    heap_domain_free(h);
    return NULL;
  }
  for (size_t i = 0; i < p->graph->edges.count; i++) VECTOR_PUSH(h->steps, step_of(h, &p->graph->edges.at[i]));
  h->domain = (domain){.context = h,
                       .cuts = &p->cuts,
                       .top = heap_top,
                       .bottom = heap_bottom,
                       .share = heap_share,
                       .release = heap_release,
                       .is_empty = heap_is_empty,
                       .within = heap_parts_within,
                       .precedes = heap_precedes,
                       .join = heap_join,
                       .meet = heap_parts_meet,
                       .connect = heap_connect,
                       .widen = heap_widening,
                       .post = heap_path_post,
                       .errs = heap_errs,
                       .measure = heap_measure,
                       .describe = heap_describe,
                       .failure = heap_failure};
  return h;
}

void heap_domain_free(heap_domain *h) {
  if (!h) return;
  VECTOR_FREE(h->variables);
  VECTOR_FREE(h->steps);
  memory_free(h);
}

const domain *heap_domain_of(const heap_domain *h) { return &h->domain; }
const variable_vector *heap_domain_variables(const heap_domain *h) { return &h->variables; }
