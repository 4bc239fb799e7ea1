/* Channels of any length, all else finite: the controls forwards, then least states backwards. It always ends. Channels that lose
 * nothing are treated as if they did: what is then safe is so without. */
#include "engine/lossy/least_states.h"

enum { ELEMENTS_A_STEP = 64 };

typedef struct lossy_engine {
  engine_environment *env;
  control_graph *graph;
  least_states *search;
} lossy_engine;

static void *lossy_open(engine_environment *env) {
  lossy_engine *e = MEMORY_NEW(lossy_engine);
  e->env = env;
  return e;
}

static void lossy_close(void *state) {
  lossy_engine *e = state;
  least_states_free(e->search);
  control_graph_free(e->graph);
  memory_free(e);
}

static engine_status give_up(claim *out, TAKE char *why) {
  claim_give_up(out, why);
  memory_free(why);
  return ENGINE_DONE;
}

static engine_status make_graph(lossy_engine *e, claim *out) {
  char *why = queues_beyond_heads(e->env->model, &e->env->model->properties.at[e->env->property]);
  if (why) return give_up(out, why);
  e->graph = control_graph_new(e->env);
  if (!control_graph_make(e->graph)) return claim_give_up(out, e->graph->gap);
  e->search = least_states_new(e->graph);
  return ENGINE_GOES_ON;
}

static void report(const lossy_engine *e) {
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "states", e->graph->count);
  json_field_count(&w, "vectors", e->search->all.count);
  events_iteration(e->env->events, &w);
}

static engine_status lossy_step(void *state, claim *out) {
  lossy_engine *e = state;
  if (!e->graph) return make_graph(e, out);
  bool goes_on = least_states_go_on(e->search, ELEMENTS_A_STEP);
  e->env->statistics->vectors = e->search->all.count;
  e->env->statistics->iterations++;
  report(e);
  if (budget_spent(e->env->budget)) return claim_give_up(out, budget_spent(e->env->budget));
  if (goes_on) return ENGINE_GOES_ON;
  if (e->search->found != NO_ELEMENT) {
    char *why = least_states_run(e->search, &out->evidence);
    if (why) return give_up(out, why);
    out->verdict = VERDICT_UNSAFE;
    return ENGINE_DONE;
  }
  out->verdict = VERDICT_SAFE;
  out->evidence.kind = EVIDENCE_ABOVE;
  least_states_list(e->search, &out->evidence.above);
  return ENGINE_DONE;
}

static bool lossy_wants_model_as_read(const options *o, const model *m, size_t property) {
  (void)o, (void)m, (void)property;
  return true;
}

const engine engine_lossy = {
    .name = "lossy",
    .title = "channels of any length: backward search over least contents; always ends if they lose messages",
    .paper = "Abdulla, Jonsson: Verifying Programs with Unreliable Channels, 1996",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
    .open = lossy_open,
    .step = lossy_step,
    .close = lossy_close,
    .wants_model_as_read = lossy_wants_model_as_read,
};
