/* Abdulla and Jonsson: from the bad states backwards, over sets that are closed upwards under "some of the messages, in their
 * order", each given by its least states. By Higman's lemma such sets cannot grow for ever, so the search ends. */
#include "engine/lossy/least_states.h"

static size_t channels(const least_states *s) { return s->graph->model->queues.count; }

static bool is_below(size_t count, const queue_word *a, const queue_word *b) {
  for (size_t q = 0; q < count; q++) {
    size_t found = 0;
    if (a[q].count > b[q].count) return false;
    for (size_t i = 0; i < b[q].count && found < a[q].count; i++) found += a[q].at[found] == b[q].at[i];
    if (found < a[q].count) return false;
  }
  return true;
}

/* `made` at this control: kept if nothing is below it; what it is below is beaten. */
static void add_element(least_states *s, uint32_t control, uint32_t next, uint32_t step) {
  index_vector *here = &s->at_control[control];
  size_t kept = 0;
  work_add(1 + here->count / 16);
  for (size_t i = 0; i < here->count; i++)
    if (is_below(channels(s), element_words(s, &s->all.at[here->at[i]]), s->made)) return;
  for (size_t i = 0; i < here->count; i++) {
    least_state *e = &s->all.at[here->at[i]];
    e->is_beaten = is_below(channels(s), s->made, element_words(s, e));
    if (!e->is_beaten) here->at[kept++] = here->at[i];
  }
  here->count = kept;
  least_state made = {control, next, step, false, s->words.count};
  bool is_first = control < s->graph->first_count;
  for (size_t q = 0; q < channels(s); q++) {
    queue_word copy = {0};
    VECTOR_COPY(copy, s->made[q]);
    VECTOR_PUSH(s->words, copy);
    is_first = is_first && !copy.count;
  }
  VECTOR_PUSH(*here, (uint32_t)s->all.count);
  VECTOR_PUSH(s->all, made);
  if (is_first && s->found == NO_ELEMENT) s->found = (uint32_t)s->all.count - 1;
}

/* What the channel had before this act so that it has `w`, or more, after it; false if there is nothing. */
static bool before_act(const queue *q, const channel_act *a, const queue_word *w, queue_word *out) {
  size_t start = 0, end = w->count;
  uint64_t head = (uint64_t)a->head;
  VECTOR_CLEAR(*out);
  if (a->effect > 0 && end && w->at[end - 1] == (uint64_t)a->sent)
    end--;
  else if (a->effect > 0 && q->is_lossy)
    return false; /* the same step with the message lost is there too */
  if (a->head == HEAD_NONE) return start == end;
  if (a->head >= 0) {
    VECTOR_PUSH(*out, head);
    start = a->effect >= 0 && start < end && w->at[start] == head;
  }
  for (size_t i = start; i < end; i++) VECTOR_PUSH(*out, w->at[i]);
  return true;
}

static void add_bad_cases(least_states *s) {
  const control_graph *g = s->graph;
  for (uint32_t i = 0; i < g->bad_cases.count; i++) {
    const bad_case *b = &g->bad_cases.at[i];
    for (size_t q = 0; q < channels(s); q++) {
      int64_t head = g->acts.at[b->acts + q].head;
      VECTOR_CLEAR(s->made[q]);
      if (head >= 0) VECTOR_PUSH(s->made[q], (uint64_t)head);
    }
    add_element(s, b->control, NO_ELEMENT, i);
  }
}

least_states *least_states_new(const control_graph *g) {
  least_states *s = MEMORY_NEW(least_states);
  *s = (least_states){.graph = g, .found = NO_ELEMENT};
  s->at_control = MEMORY_ARRAY(index_vector, g->count + 1);
  s->into = MEMORY_ARRAY(index_vector, g->count + 1);
  s->made = MEMORY_ARRAY(queue_word, channels(s));
  for (uint32_t i = 0; i < g->edges.count; i++) VECTOR_PUSH(s->into[g->edges.at[i].to], i);
  add_bad_cases(s);
  return s;
}

void least_states_free(least_states *s) {
  if (!s) return;
  for (size_t i = 0; i < s->words.count; i++) VECTOR_FREE(s->words.at[i]);
  for (size_t i = 0; i < s->graph->count; i++) {
    VECTOR_FREE(s->at_control[i]);
    VECTOR_FREE(s->into[i]);
  }
  for (size_t q = 0; q < channels(s); q++) VECTOR_FREE(s->made[q]);
  VECTOR_FREE(s->words);
  VECTOR_FREE(s->all);
  memory_free(s->at_control);
  memory_free(s->into);
  memory_free(s->made);
  memory_free(s);
}

static void look_back(least_states *s, uint32_t element) {
  const control_graph *g = s->graph;
  const index_vector *into = &s->into[s->all.at[element].control];
  for (size_t i = 0; i < into->count && s->found == NO_ELEMENT; i++) {
    const lossy_edge *e = &g->edges.at[into->at[i]];
    bool can = !s->all.at[element].is_beaten;
    for (size_t q = 0; q < channels(s) && can; q++)
      can = before_act(&g->model->queues.at[q], &g->acts.at[e->acts + q], &element_words(s, &s->all.at[element])[q],
                       &s->made[q]);
    if (can) add_element(s, e->from, element, into->at[i]);
  }
}

bool least_states_go_on(least_states *s, size_t some) {
  for (size_t i = 0; i < some && s->next < s->all.count && s->found == NO_ELEMENT; i++)
    look_back(s, (uint32_t)s->next++);
  return s->next < s->all.count && s->found == NO_ELEMENT;
}

void least_states_list(const least_states *s, states_above *out) {
  const control_graph *g = s->graph;
  out->width = g->positions.count;
  out->channels = channels(s);
  for (size_t i = 0; i < s->all.count; i++) {
    const least_state *e = &s->all.at[i];
    if (e->is_beaten) continue;
    for (size_t j = 0; j < out->width; j++) VECTOR_PUSH(out->values, g->controls.at[e->control * out->width + j]);
    for (size_t q = 0; q < out->channels; q++) {
      queue_word copy = {0};
      VECTOR_COPY(copy, element_words(s, e)[q]);
      VECTOR_PUSH(out->contents, copy);
    }
    out->count++;
  }
}
