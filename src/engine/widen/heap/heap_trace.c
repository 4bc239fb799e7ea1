/* The levels of the error are gone through from the beginning, and what is met is kept with where it came from. Nothing
 * is merged on the way, so the graphs are those of single heaps, but for data that was not tested. A way that ends in
 * the error says which transitions are taken. Those fix the shape of the heap at every step; numbers and data are left
 * to the solver, data of nodes as terms. */
#include "engine/widen/heap/heap_trace.h"

#include "model/heap.h"
#include "solver/solver.h"
#include "term/evaluate.h"
#include "term/substitute.h"

enum { MOST_VISITS = 5000, MOST_QUERIES = 100, SECONDS_A_QUERY = 10 };

#define NO_PATH UINT32_MAX

typedef struct visit {
  uint32_t head;
  element *at;   /* of one pair */
  size_t parent; /* meaningless for the first */
  uint32_t path; /* from there; NO_PATH if it only waited */
} visit;

typedef struct finding {
  heap_domain *h;
  const domain *d;
  const program *program;
  const model *model;
  terms *ts;
  const refinement *error;
  schedule how;
  const property *broken;
  term bad;
  budget *budget;
  VECTOR(visit) visits;
  size_t queries;
  bool unsure;
} finding;

/* ---- the ways to the error ---- */

static bool is_known(const finding *f, size_t first, uint32_t head, const element *e) {
  for (size_t i = first; i < f->visits.count; i++)
    if (f->visits.at[i].head == head && f->d->within(e, f->visits.at[i].at)) return true;
  return false;
}

static void add_visit(finding *f, size_t first, visit v) {
  if (is_known(f, first, v.head, v.at))
    f->d->release(v.at);
  else
    VECTOR_PUSH(f->visits, v);
}

static void follow_path(finding *f, size_t first, size_t from, uint32_t path) {
  element *all = f->d->post(f->d->context, path, f->visits.at[from].at);
  const heap_parts *parts = element_parts(all);
  for (size_t i = 0; i < parts->count; i++) {
    element *one = heap_element(f->h, &parts->at[i].graph, polyhedron_copy(parts->at[i].numbers));
    add_visit(f, first, (visit){f->program->cuts.paths.at[path].to, one, from, path});
  }
  f->d->release(all);
}

/* May the path be taken between two levels? */
static bool fits_levels(const finding *f, const error_level *before, const error_level *after, uint32_t path) {
  const cut_graph *cuts = &f->program->cuts;
  if (cuts->component_of.at[cuts->paths.at[path].to] != after->component) return false;
  return before->component != after->component || f->how == SCHEDULE_JOINT ||
         path == run_single_path(f->d, after->component, after->step);
}

/* From the visits of one level, from `first` on, to those of the next one. */
static void go_on(finding *f, size_t level, size_t first, size_t end) {
  const error_level *before = &f->error->levels.at[level], *after = &f->error->levels.at[level - 1];
  for (size_t v = first; v < end && f->visits.count < MOST_VISITS && !f->d->failure(f->d->context); v++) {
    for (uint32_t path = 0; path < f->program->paths.count; path++)
      if (f->program->cuts.paths.at[path].from == f->visits.at[v].head && fits_levels(f, before, after, path))
        follow_path(f, end, v, path);
    bool may_wait = f->how == SCHEDULE_SINGLE && before->component == after->component;
    if (may_wait) add_visit(f, end, (visit){f->visits.at[v].head, f->d->share(f->visits.at[v].at), v, NO_PATH});
  }
}

/* ---- one way, step by step ---- */

typedef struct symbolic_cell {
  term value; /* a number; of no meaning once it is freed */
  bool is_freed;
  uint32_t next[NODE_MOST_POINTERS];
} symbolic_cell;

typedef struct symbolic {
  finding *f;
  solver *solver;
  term *state;     /* by position; of no meaning for node variables */
  uint32_t *nodes; /* by position */
  VECTOR(symbolic_cell) cells;
  VECTOR(uint32_t) transitions;
  VECTOR(variable) inputs; /* that stand for those of the transitions, in order */
} symbolic;

static bool is_node(const model *m, size_t i) {
  return variable_type(m->terms, m->variables.at[i].var)->sort == SORT_NODE;
}

/* The tests of the data of `p`, which is at `node`. */
static void decide_data(const symbolic *s, variable p, uint32_t node, substitution *here) {
  const model *m = s->f->model;
  const node_layout *l = m->nodes;
  const symbolic_cell *cell = node ? &s->cells.at[node - 1] : NULL;
  if (!cell || cell->is_freed) {
    heap_decide_data(m, p, cell ? NODE_FREED : 0, here);
    return;
  }
  for (size_t f = 0; f < l->field_count; f++) {
    for (unsigned part = 0; part < l->fields[f].size; part++) {
      uint64_t values = node_values_with(l, f, part);
      term_vector ways = {0};
      for (unsigned v = 0; v < l->values; v++)
        if (values & NODE_VALUE(v)) VECTOR_PUSH(ways, term_eq(m->terms, cell->value, term_int(m->terms, v)));
      substitution_decide(here, term_heap_data(m->terms, p, values), term_or_all(m->terms, ways.count, ways.at));
      VECTOR_FREE(ways);
    }
  }
  if (m->frees) substitution_decide(here, term_heap_data(m->terms, p, NODE_VALUE(NODE_FREED)), TERM_FALSE);
}

static substitution *in_state(const symbolic *s) {
  const model *m = s->f->model;
  terms *ts = m->terms;
  substitution *here = substitution_new(ts);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable p = m->variables.at[i].var;
    if (!is_node(m, i)) {
      substitution_set(here, p, s->state[i]);
      continue;
    }
    uint32_t node = s->nodes[i];
    substitution_decide(here, term_heap_null(ts, p), term_of_bool(!node));
    decide_data(s, p, node, here);
    for (size_t j = 0; j < i; j++)
      if (is_node(m, j))
        substitution_decide(here, term_heap_same(ts, p, m->variables.at[j].var), term_of_bool(node == s->nodes[j]));
  }
  return here;
}

/* The value of a node after field `f` gets the position that `part` stands for. */
static term value_with(const symbolic *s, term value, size_t f, term part) {
  const model *m = s->f->model;
  terms *ts = m->terms;
  const node_field *field = &m->nodes->fields[f];
  term rest = term_int(ts, 0);
  for (unsigned v = m->nodes->values; v-- > 0;)
    rest = term_ite(ts, term_eq(ts, value, term_int(ts, v)), term_int(ts, node_with(m->nodes, f, v, 0)), rest);
  return term_add(ts, rest, term_mul(ts, term_int(ts, field->stride), part));
}

static bool is_reached(const symbolic *s, uint32_t wanted) {
  const model *m = s->f->model;
  bool *met = MEMORY_ARRAY(bool, s->cells.count + 1);
  VECTOR(uint32_t) left = {0};
  met[0] = true;
  for (size_t i = 0; i < m->variables.count; i++)
    if (is_node(m, i) && !variable_same(m->variables.at[i].var, m->lost)) VECTOR_PUSH(left, s->nodes[i]);
  while (left.count) {
    uint32_t n = VECTOR_POP(left);
    if (met[n]) continue;
    met[n] = true;
    for (size_t f = 0; f < m->nodes->pointer_count; f++) VECTOR_PUSH(left, s->cells.at[n - 1].next[f]);
  }
  bool found = met[wanted];
  memory_free(met);
  VECTOR_FREE(left);
  return found;
}

/* The variable for what is lost becomes the first of the victims that nothing leads to any more (model/heap.h). */
static void note_lost(symbolic *s, const uint32_t *victims, size_t count) {
  uint32_t *lost = &s->nodes[model_position(s->f->model, s->f->model->lost)];
  for (size_t i = 0; i < count && !*lost; i++)
    if (victims[i] && !s->cells.at[victims[i] - 1].is_freed && !is_reached(s, victims[i])) *lost = victims[i];
}

/* False if a field of null is asked for: the transition cannot be taken. */
static bool change(symbolic *s, const heap_command *h, uint32_t *target, uint32_t source, substitution *here) {
  symbolic_cell *cell = *target ? &s->cells.at[*target - 1] : NULL;
  switch (h->kind) {
    case HEAP_NONE: return true;
    case HEAP_NEW:
      VECTOR_PUSH(s->cells, (symbolic_cell){.value = substitution_apply(here, h->value)});
      *target = (uint32_t)s->cells.count;
      return true;
    case HEAP_COPY:
    case HEAP_CLEAR: *target = source; return true;
    case HEAP_NEXT:
      if (source) *target = s->cells.at[source - 1].next[h->field];
      return source;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT:
      if (cell) cell->next[h->field] = source;
      return cell;
    case HEAP_SET_DATA:
      if (cell) cell->value = value_with(s, cell->value, h->field, substitution_apply(here, h->value));
      return cell;
    case HEAP_FREE:
      if (cell) *cell = (symbolic_cell){.value = TERM_TRUE, .is_freed = true};
      return cell;
  }
  return false;
}

static bool run_heap(symbolic *s, const heap_command *h, substitution *here) {
  const model *m = s->f->model;
  uint32_t victims[NODE_MOST_POINTERS];
  size_t count = 0;
  if (h->kind == HEAP_NONE) return true;
  uint32_t source = heap_has_source(h->kind) ? s->nodes[model_position(m, h->source)] : 0;
  uint32_t *target = &s->nodes[model_position(m, h->target)];
  bool is_of_field = h->kind == HEAP_SET_NEXT || h->kind == HEAP_CUT_NEXT;
  if (is_of_field || h->kind == HEAP_FREE) {
    for (size_t f = 0; *target && f < m->nodes->pointer_count; f++)
      if (!is_of_field || f == h->field) victims[count++] = s->cells.at[*target - 1].next[f];
  } else if (h->kind != HEAP_SET_DATA) {
    victims[count++] = *target;
  }
  if (!change(s, h, target, source, here)) return false;
  if (m->frees) note_lost(s, victims, count);
  return true;
}

static bool take(symbolic *s, uint32_t index) {
  const model *m = s->f->model;
  const transition *t = &m->transitions.at[index];
  substitution *here = in_state(s);
  for (size_t i = 0; i < t->inputs.count; i++) {
    type of = *variable_type(m->terms, t->inputs.at[i]); /* the table it stands in may move */
    variable fresh = variable_fresh(m->terms, "input", &of);
    substitution_set(here, t->inputs.at[i], term_of_variable(m->terms, fresh));
    VECTOR_PUSH(s->inputs, fresh);
  }
  solver_assert(s->solver, substitution_apply(here, transition_enabled(m, t)));
  term *after = MEMORY_ARRAY(term, m->variables.count + 1);
  for (size_t i = 0; i < m->variables.count; i++)
    if (!is_node(m, i)) after[i] = substitution_apply(here, transition_value_after(m, t, m->variables.at[i].var));
  bool taken = run_heap(s, &t->heap, here);
  memcpy(s->state, after, m->variables.count * sizeof(term));
  memory_free(after);
  substitution_free(here);
  VECTOR_PUSH(s->transitions, index);
  return taken;
}

static bool take_edges(symbolic *s, const program_path *path) {
  bool taken = true;
  for (size_t i = 0; i < path->edges.count && taken; i++)
    taken = take(s, s->f->program->graph->edges.at[path->edges.at[i]].transition);
  return taken;
}

static bool take_way(symbolic *s, size_t visit, uint32_t bad_path) {
  VECTOR(uint32_t) paths = {0};
  for (size_t v = visit; v; v = s->f->visits.at[v].parent)
    if (s->f->visits.at[v].path != NO_PATH) VECTOR_PUSH(paths, s->f->visits.at[v].path);
  bool taken = true;
  while (paths.count && taken) taken = take_edges(s, &s->f->program->paths.at[VECTOR_POP(paths)]);
  VECTOR_FREE(paths);
  return taken && take_edges(s, &s->f->program->bad_paths.at[bad_path]);
}

static void begin(symbolic *s) {
  const model *m = s->f->model;
  s->solver = solver_new(m->terms, s->f->budget);
  s->state = MEMORY_ARRAY(term, m->variables.count + 1);
  s->nodes = MEMORY_ARRAY(uint32_t, m->variables.count + 1);
  for (size_t i = 0; i < m->variables.count; i++)
    if (!is_node(m, i)) s->state[i] = term_of_variable(m->terms, m->variables.at[i].var);
  substitution *here = in_state(s);
  solver_assert(s->solver, substitution_apply(here, m->init));
  substitution_free(here);
}

static void symbolic_free(symbolic *s) {
  solver_free(s->solver);
  memory_free(s->state);
  memory_free(s->nodes);
  VECTOR_FREE(s->cells);
  VECTOR_FREE(s->transitions);
  VECTOR_FREE(s->inputs);
}

/* ---- the run ---- */

/* Which fault it is that holds in the last state, with which inputs. */
static bool read_fault(const symbolic *s, evidence *out) {
  const model *m = s->f->model;
  number_vector values = {0};
  bool found = false;
  for (size_t i = 0; i < m->transitions.count && !found; i++) {
    const transition *t = &m->transitions.at[i];
    VECTOR_CLEAR(out->fault_inputs);
    for (size_t j = 0; j < t->inputs.count && t->faults.count; j++)
      VECTOR_PUSH(out->fault_inputs, solver_value(s->solver, t->inputs.at[j]));
    if (t->faults.count) trace_step_assignment(m, &VECTOR_LAST(out->steps), t, out->fault_inputs.at, &values);
    for (size_t j = 0; j < t->faults.count && !found; j++) {
      found = number_is(term_evaluate(m->terms, t->faults.at[j].when, values.at), 1);
      out->fault_transition = (uint32_t)i;
      out->fault = (uint32_t)j;
    }
  }
  VECTOR_FREE(values);
  return found;
}

static bool read_run(const symbolic *s, evidence *out) {
  const model *m = s->f->model;
  size_t input = 0;
  out->kind = EVIDENCE_TRACE;
  for (size_t k = 0; k <= s->transitions.count; k++) {
    trace_step step = {.transition = k ? s->transitions.at[k - 1] : 0};
    for (size_t i = 0; i < m->variables.count; i++) {
      bool is_first = k == 0 && !is_node(m, i);
      VECTOR_PUSH(step.values, is_first ? solver_value(s->solver, m->variables.at[i].var) : number_of(0));
    }
    for (size_t i = 0; k && i < m->transitions.at[step.transition].inputs.count; i++)
      VECTOR_PUSH(step.inputs, solver_value(s->solver, s->inputs.at[input++]));
    VECTOR_PUSH(out->steps, step);
  }
  trace_recompute(m, &out->steps);
  return s->f->broken->kind != PROPERTY_NO_FAULT || read_fault(s, out);
}

static bool try_way(finding *f, size_t visit, uint32_t bad_path, evidence *out) {
  symbolic s = {.f = f};
  begin(&s);
  bool found = false;
  if (take_way(&s, visit, bad_path)) {
    substitution *here = in_state(&s);
    solver_assert(s.solver, substitution_apply(here, f->bad));
    substitution_free(here);
    f->queries++;
    answer a = solver_check(s.solver, SECONDS_A_QUERY);
    if (answer_is_unsure(a)) f->unsure = true;
    found = answer_is_yes(a) && read_run(&s, out);
    if (answer_is_yes(a) && !found) f->unsure = true;
    if (!found) evidence_clear(out);
  }
  symbolic_free(&s);
  return found;
}

static bool try_all(finding *f, size_t first, evidence *out) {
  for (size_t v = first; v < f->visits.count; v++) {
    for (uint32_t bad = 0; bad < f->program->bad_paths.count; bad++) {
      if (f->program->bad_from.at[bad] != f->visits.at[v].head) continue;
      if (!heap_errs_along(f->h, bad, f->visits.at[v].at)) continue;
      if (try_way(f, v, bad, out)) return true;
      if (f->queries >= MOST_QUERIES || budget_spent(f->budget)) return false;
    }
  }
  return false;
}

confirmation heap_confirm(heap_domain *h, const program *p, const refinement *error, schedule how,
                          const property *broken, term bad, budget *b, evidence *out) {
  const domain *d = heap_domain_of(h);
  finding f = {.h = h,
               .d = d,
               .program = p,
               .model = p->graph->frame.model,
               .ts = p->graph->frame.model->terms,
               .error = error,
               .how = how,
               .broken = broken,
               .bad = bad,
               .budget = b};
  VECTOR_PUSH(f.visits, (visit){0, d->top(d->context), 0, NO_PATH});
  size_t first = 0;
  for (size_t level = error->levels.count; level-- > 1;) {
    size_t end = f.visits.count;
    go_on(&f, level, first, end);
    first = end;
  }
  bool found = try_all(&f, first, out);
  f.unsure |= f.visits.count >= MOST_VISITS || f.queries >= MOST_QUERIES || budget_spent(b) || d->failure(d->context);
  for (size_t i = 0; i < f.visits.count; i++) d->release(f.visits.at[i].at);
  VECTOR_FREE(f.visits);
  return found ? CONFIRM_TRACE : f.unsure ? CONFIRM_UNSURE : CONFIRM_NONE;
}
