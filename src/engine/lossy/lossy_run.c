/* The run that a chain of least states stands for: in each it has exactly the contents of the least state, and what a step
 * leaves beyond that is the first message, which is lost then. Taken step by step with exact numbers. */
#include "engine/lossy/least_states.h"
#include "term/evaluate.h"

/* Steps in which nothing but the first message of the channel goes. */
static bool is_loss(const model *m, const transition *t, uint32_t q) {
  return t->messages.count == 1 && t->messages.at[0].queue == q && t->messages.at[0].action == QUEUE_RECEIVE &&
         term_is_true(t->messages.at[0].when) && t->process == NO_PROCESS && !t->inputs.count &&
         t->updates.count == queue_variable_count(&m->queues.at[q]);
}

static bool find_loss(const model *m, uint32_t q, uint32_t *out) {
  for (*out = 0; *out < m->transitions.count; ++*out)
    if (m->queues.at[q].is_lossy && is_loss(m, &m->transitions.at[*out], q)) return true;
  return false;
}

/* The state after the step, or false if it cannot be taken. */
static bool take(const model *m, uint32_t index, size_t count, const int64_t *inputs, trace *run) {
  const transition *t = &m->transitions.at[index];
  trace_step made = {.transition = index};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(made.inputs, number_of(inputs[i]));
  const trace_step *before = &VECTOR_LAST(*run);
  number_vector values = {0};
  trace_assignment(m, before->values.at, t, made.inputs.at, &values);
  bool can = number_is(term_evaluate(m->terms, t->guard, values.at), 1);
  for (size_t i = 0; i < t->faults.count && can; i++)
    can = number_is(term_evaluate(m->terms, t->faults.at[i].when, values.at), 0);
  VECTOR_COPY(made.values, before->values);
  for (size_t i = 0; i < t->updates.count; i++)
    made.values.at[model_position(m, t->updates.at[i].var)] =
        term_evaluate(m->terms, t->updates.at[i].value, values.at);
  VECTOR_FREE(values);
  VECTOR_PUSH(*run, made);
  return can;
}

static void begin(const least_states *s, trace *run) {
  const model *m = s->graph->model;
  int64_t *state = MEMORY_ARRAY(int64_t, m->variables.count);
  trace_step first = {0};
  control_graph_state(s->graph, s->all.at[s->found].control, state);
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(first.values, number_of(state[i]));
  VECTOR_PUSH(*run, first);
  memory_free(state);
}

/* The channel has a first message that the next least state has not. */
static bool has_too_much(const least_states *s, const trace *run, size_t q, const queue_word *wanted) {
  queue_word content = {0};
  number_vector values = {0};
  trace_assignment(s->graph->model, VECTOR_LAST(*run).values.at, NULL, NULL, &values);
  queue_content(&s->graph->model->queues.at[q], values.at, SIZE_MAX >> 8, &content);
  bool more = content.count > wanted->count;
  VECTOR_FREE(values);
  VECTOR_FREE(content);
  return more;
}

static bool lose_the_rest(const least_states *s, trace *run, const queue_word *wanted, const char **blocked) {
  uint32_t loss;
  for (uint32_t q = 0; q < s->graph->model->queues.count; q++) {
    if (!has_too_much(s, run, q, &wanted[q])) continue;
    *blocked = s->graph->model->queues.at[q].name;
    if (!find_loss(s->graph->model, q, &loss) || !take(s->graph->model, loss, 0, NULL, run)) return false;
  }
  return true;
}

static void end_in_fault(const least_states *s, const bad_case *b, evidence *out) {
  out->fault_transition = b->transition;
  out->fault = b->fault;
  for (size_t i = 0; i < s->graph->model->transitions.at[b->transition].inputs.count; i++)
    VECTOR_PUSH(out->fault_inputs, number_of(s->graph->inputs.at[b->inputs + i]));
}

char *least_states_run(const least_states *s, evidence *out) {
  const control_graph *g = s->graph;
  const least_state *e = &s->all.at[s->found];
  const char *blocked = NULL;
  bool fine = true;
  out->kind = EVIDENCE_TRACE;
  begin(s, &out->steps);
  for (; e->next != NO_ELEMENT && fine; e = &s->all.at[e->next]) {
    const lossy_edge *step = &g->edges.at[e->step];
    const queue_word *wanted = element_words(s, &s->all.at[e->next]);
    size_t inputs = g->model->transitions.at[step->transition].inputs.count;
    fine = take(g->model, step->transition, inputs, g->inputs.at + step->inputs, &out->steps) &&
           lose_the_rest(s, &out->steps, wanted, &blocked);
  }
  if (fine && g->property->kind == PROPERTY_NO_FAULT) end_in_fault(s, &g->bad_cases.at[e->step], out);
  if (fine) return NULL;
  evidence_clear(out);
  return text_format("the property is violated if %s may lose messages at any moment, and it may not",
                     blocked ? blocked : "a channel");
}
