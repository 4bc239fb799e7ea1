/* Traces: the steps between the states of a path are found again by taking all steps from each. Reached states: sorted
 * by the values of their variables, then built into a diagram; sets with a small one become a formula that any SMT
 * solver can check. */
#include "engine/explicit/result.h"

#include "base/work.h"
#include "store/rows.h"

/* ---- traces ---- */

typedef struct wanted {
  search *search;
  const uint64_t *packed; /* the state that a step must lead to */
  trace_step *out;
} wanted;

static bool is_wanted(void *context, const machine_step *taken) {
  wanted *w = context;
  if (!taken->packed || memcmp(taken->packed, w->packed, w->search->layout->words * sizeof *w->packed)) return true;
  const transition *t = &w->search->model->transitions.at[taken->transition];
  w->out->transition = taken->transition;
  for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(w->out->inputs, number_of(taken->inputs[i]));
  return false;
}

void result_read_path(const search *s, const state_path *path, packed_path *out) {
  size_t words = s->layout->words;
  uint64_t *state = MEMORY_ARRAY(uint64_t, s->model->variables.count + 1);
  for (size_t i = 0; i < path->count; i++) {
    store_read(s->store, path->at[i], state);
    for (size_t j = 0; j < words; j++) VECTOR_PUSH(*out, state[j]);
  }
  memory_free(state);
}

void result_trace(search *s, const packed_path *path, evidence *out) {
  size_t count = s->model->variables.count, words = s->layout->words;
  int64_t *values = MEMORY_ARRAY(int64_t, count);
  out->kind = EVIDENCE_TRACE;
  for (size_t i = 0; i < path->count; i += words) {
    trace_step made = {0};
    const uint64_t *to = path->at + i;
    layout_unpack(s->layout, to, values);
    for (size_t j = 0; j < count; j++) VECTOR_PUSH(made.values, number_of(values[j]));
    if (i > 0) {
      wanted w = {s, to, &made};
      expansion e = stepper_expand(s->steppers[0], to - words, false, NULL, is_wanted, &w);
      REQUIRE(e.end == EXPANSION_STOPPED, "a step between two states of a path");
    }
    VECTOR_PUSH(out->steps, made);
  }
  if (s->property->kind == PROPERTY_NO_FAULT) {
    out->fault_transition = s->violation.transition;
    out->fault = s->violation.fault;
    for (size_t i = 0; i < s->violation.inputs.count; i++)
      VECTOR_PUSH(out->fault_inputs, number_of(s->violation.inputs.at[i]));
  }
  memory_free(values);
}

/* ---- reached states ---- */

/* The rows of all states, sorted. The table is given back first: there is then no moment with more memory than the
 * search had. */
static GIVE uint8_t *sorted_rows(search *s) {
  size_t bytes = s->layout->bytes, *order = MEMORY_ARRAY(size_t, bytes);
  store_forget_table(s->store);
  uint8_t *rows = store_copy_rows(s->store);
  layout_byte_order(s->layout, order);
  rows_sort(rows, store_count(s->store), bytes, order);
  memory_free(order);
  return rows;
}

/* The rows of a store, one after the other. */
typedef struct row_source {
  size_t bytes;
  const uint8_t *at, *end;
  uint64_t *packed;
} row_source;

static const uint64_t *next_row(void *context) {
  row_source *r = context;
  if (r->at == r->end) return NULL;
  memcpy(r->packed, r->at, r->bytes);
  r->at += r->bytes;
  return r->packed;
}

/* NULL if the budget is spent. */
static diagram *make_diagram(search *s, const uint64_t *(*next)(void *context), void *context) {
  const model *m = s->model;
  int64_t *values = MEMORY_ARRAY(int64_t, m->variables.count);
  variable_vector levels = {0};
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(levels, m->variables.at[i].var);
  diagram *d = diagram_new(levels.count, levels.at);
  diagram_builder *b = diagram_builder_new(d);
  bool in_time = true;
  for (const uint64_t *packed; in_time && (packed = next(context)) != NULL;) {
    layout_unpack(s->layout, packed, values);
    diagram_builder_add(b, values);
    in_time = !budget_spent(s->env->budget);
  }
  diagram_builder_finish(b);
  memory_free(values);
  VECTOR_FREE(levels);
  if (in_time) return d;
  diagram_free(d);
  return NULL;
}

/* A solver checks a formula of so many nodes in a moment; one that is asked for as a file, for other solvers too, may
 * take some seconds. A list is checked with all values that inputs may have: if these are many, a formula may be larger. */
enum { MOST_NODES = 40, MOST_NODES_FOR_MANY_INPUTS = 200, MOST_NODES_FOR_A_FILE = 1500, MANY_INPUTS = 1000 };
/* What a solver does for a formula, in counted work, grows with the square of its nodes. */
enum { WORK_OF_PAIR = 16, MOST_WORK_OF_CHECK = 2 * 1000 * 1000 };

static double count_values(const terms *ts, variable v) {
  const type *of = variable_type(ts, v);
  if (of->sort == SORT_BOOL) return 2;
  if (of->names) return (double)of->name_count;
  int64_t low, high;
  bool is_small = of->has_low && of->has_high && number_to_int64(of->low, &low) && number_to_int64(of->high, &high);
  return is_small ? (double)high - (double)low + 1 : MANY_INPUTS;
}

static bool has_many_inputs(const model *m) {
  bool found = false;
  for (size_t i = 0; i < m->transitions.count && !found; i++) {
    const transition *t = &m->transitions.at[i];
    double combinations = 1;
    for (size_t j = 0; j < t->inputs.count; j++) combinations *= count_values(m->terms, t->inputs.at[j]);
    found = combinations >= MANY_INPUTS;
  }
  return found;
}

static bool is_checked_by_solver(const search *s, const diagram *d) {
  variable input;
  if (machine_has_endless_input(s->machine, &input)) return true; /* only a solver can decide about all their values */
  if (s->env->options->certificate) return d->nodes.count <= MOST_NODES_FOR_A_FILE;
  return d->nodes.count <= (has_many_inputs(s->model) ? MOST_NODES_FOR_MANY_INPUTS : MOST_NODES);
}

/* The check of a formula takes longer than finding the states did, so it is part of this engine's work: others have their
 * turns before the claim is made. Of clauses every claim is a formula in the end. */
static void count_check(const search *s, const diagram *d, bool is_formula) {
  uint64_t nodes = d->nodes.count;
  if (!is_formula && !s->env->wants_invariant) return;
  work_add(nodes < 1000 && WORK_OF_PAIR * nodes * nodes < MOST_WORK_OF_CHECK ? WORK_OF_PAIR * nodes * nodes
                                                                             : MOST_WORK_OF_CHECK);
}

bool result_states(search *s, evidence *out) {
  size_t bytes = s->layout->bytes;
  uint8_t *rows = sorted_rows(s);
  row_source from = {bytes, rows, rows + store_count(s->store) * bytes, MEMORY_ARRAY(uint64_t, s->layout->words)};
  bool in_time = result_states_from(s, next_row, &from, out);
  memory_free(from.packed);
  memory_free(rows);
  return in_time;
}

bool result_states_from(search *s, const uint64_t *(*next)(void *context), void *context, evidence *out) {
  diagram *d = make_diagram(s, next, context);
  if (!d) return false;
  bool is_formula = is_checked_by_solver(s, d);
  count_check(s, d, is_formula);
  if (is_formula) {
    out->kind = EVIDENCE_INVARIANT;
    VECTOR_PUSH(out->parts, (invariant_part){.formula = diagram_term(s->model->terms, d)});
    diagram_free(d);
  } else {
    out->kind = EVIDENCE_STATES;
    out->states = d;
  }
  return true;
}
