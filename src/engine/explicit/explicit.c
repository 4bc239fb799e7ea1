/* Plain search of the concrete states: for finite systems, for bugs within reach, and as the oracle of every other
 * engine's tests.
 *
 *   search.c    initial states, fields that grow, what is left out
 *   breadth.c   level by level, with many threads; the default
 *   depth.c     with a stack
 *   disk_search.c  level by level, with the states in files; checkpoint.c: what is kept for a later run
 *   expand.c    what the steps of states show, for the searches level by level
 *   machine.c   transitions compiled; stepper.c runs them
 *   result.c    traces, and the reached set as evidence
 *   lineage.c   which state was found from which; threads.c: threads
 *   estimate/   how many states there are, from a sample
 *   temporal.c  temporal properties, on the graph of all states
 *   lists.c     models with lists on the heap: a search of its own (engine/lists/list_search.h)
 *   calls.c     programs with recursive procedures: likewise; call_loops.c: which of their runs never end */
#include "base/text.h"
#include "base/work.h"
#include "engine/explicit/breadth.h"
#include "engine/explicit/calls.h"
#include "engine/explicit/depth.h"
#include "engine/explicit/disk_search.h"
#include "engine/explicit/estimate/estimate.h"
#include "engine/explicit/lists.h"
#include "engine/explicit/result.h"
#include "engine/explicit/temporal.h"
#include "predicate/likely/seen_states.h"

/* What the states have in common is told once that much work was done, and again when it is so many times as much. */
enum { WORK_BEFORE_LIKELY = 15000, LIKELY_AGAIN = 8, FEWEST_SEEN = 16, MOST_SEEN = 2000 };
enum { STEPS_A_TURN = 100000, FRAMES_A_TURN = 1000, LEVELS_TOLD = 100 };

typedef struct explicit_search {
  engine_environment *env;
  search *search; /* NULL before the first step */
  breadth *breadth;
  depth *depth;
  disk_search *disk;
  list_search *lists;   /* if the model has a heap: instead of all the others */
  calls_search *calls;  /* if it has recursive procedures: likewise */
  run_finder finder;    /* of a temporal property */
  bool is_searched;     /* only the claim is left to make, in a step of its own */
  uint64_t likely_told; /* the work that was done when it was last told what the states have in common */
} explicit_search;

static void *explicit_open(engine_environment *env) {
  explicit_search *e = MEMORY_NEW(explicit_search);
  e->env = env;
  return e;
}

static void explicit_close(void *state) {
  explicit_search *e = state;
  list_search_free(e->lists);
  calls_free(e->calls);
  breadth_free(e->breadth);
  depth_free(e->depth);
  disk_search_free(e->disk);
  search_free(e->search);
  memory_free(e);
}

static void begin(explicit_search *e) {
  bool is_depth = e->env->options->order == ORDER_DFS;
  e->search = search_new(e->env, is_depth ? 1 : (unsigned)e->env->options->threads);
  if (e->env->options->disk)
    search_begin_ranges(e->search);
  else
    search_begin(e->search);
  if (property_is_temporal(e->search->property)) run_finder_init(&e->finder, e->search);
  if (e->env->options->disk)
    e->disk = disk_search_new(e->search);
  else if (is_depth)
    e->depth = depth_new(e->search);
  else
    e->breadth = breadth_new(e->search);
}

/* A deep search has more levels than anybody reads: all of the first ones are reported, then those at powers of two. */
static void report_level(explicit_search *e, uint64_t depth) {
  uint64_t states = e->disk ? disk_search_states(e->disk) : store_count(e->search->store);
  if (depth > LEVELS_TOLD && (depth & (depth - 1))) return;
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "depth", depth);
  json_field_count(&w, "states", states);
  events_iteration(e->env->events, &w);
}

/* One level, or a turn of the depth-first search. False at the end. */
static bool advance(explicit_search *e) {
  if (search_is_over(e->search)) return false;
  if (!e->depth) {
    uint64_t depth = e->disk ? disk_search_depth(e->disk) : breadth_depth(e->breadth);
    bool goes_on = e->disk ? disk_search_level(e->disk) : breadth_level(e->breadth);
    report_level(e, depth);
    return goes_on;
  }
  bool goes_on = depth_run(e->depth, STEPS_A_TURN);
  events_progress(e->env->events, "%llu states, depth %llu", (unsigned long long)store_count(e->search->store),
                  (unsigned long long)depth_deepest(e->depth));
  if (!goes_on) report_level(e, depth_deepest(e->depth));
  return goes_on;
}

static void give_up(explicit_search *e, const char *reason, claim *out) {
  bool is_temporal = e->search && property_is_temporal(e->search->property);
  uint64_t depth = e->breadth ? breadth_depth(e->breadth) : e->disk ? disk_search_depth(e->disk) : 0;
  if (!is_temporal && depth > 0 && !e->search->gap)
    events_note(e->env->events, "no violation within %llu steps", (unsigned long long)depth);
  claim_give_up(out, reason);
}

static void claim_violation(explicit_search *e, claim *out) {
  state_path path = {0};
  if (e->breadth)
    breadth_path(e->breadth, e->search->violation.state, &path);
  else
    depth_path(e->depth, &path);
  packed_path packed = {0};
  result_read_path(e->search, &path, &packed);
  out->verdict = VERDICT_UNSAFE;
  result_trace(e->search, &packed, &out->evidence);
  VECTOR_FREE(packed);
  VECTOR_FREE(path);
}

static void claim_temporal(explicit_search *e, claim *out) {
  const char *reason = temporal_claim(e->search, out);
  if (reason) give_up(e, reason, out);
}

/* Not all states were found, but those that were may be enough. */
static bool claim_run(explicit_search *e, claim *out) {
  e->finder.next = 0;
  return run_finder_look(&e->finder, e->search, out);
}

static void claim_of_disk(explicit_search *e, claim *out) {
  search *s = e->search;
  bool is_made = false;
  const char *why = s->spent ? s->spent : s->violation.is_found ? NULL : s->gap;
  if (!why && s->violation.is_found)
    is_made = disk_search_trace(e->disk, &out->evidence);
  else if (!why && !disk_search_problem(e->disk))
    is_made = disk_search_all(e->disk, &out->evidence);
  if (is_made) {
    out->verdict = s->violation.is_found ? VERDICT_UNSAFE : VERDICT_SAFE;
    disk_search_decided(e->disk);
    return;
  }
  if (disk_search_problem(e->disk)) why = disk_search_problem(e->disk);
  if (!why) why = budget_spent(e->env->budget);
  give_up(e, why ? why : "no run leads to the violation that was found: the files of the search are damaged", out);
}

static void make_claim(explicit_search *e, claim *out) {
  search *s = e->search;
  if (e->disk) {
    claim_of_disk(e, out);
    return;
  }
  if (s->violation.is_found)
    claim_violation(e, out);
  else if (s->spent)
    give_up(e, s->spent, out);
  else if ((s->is_full || s->gap) && claim_run(e, out))
    return;
  else if (s->is_full)
    give_up(e, "the state store is full", out);
  else if (s->gap)
    give_up(e, s->gap, out);
  else if (property_is_temporal(s->property))
    claim_temporal(e, out);
  else if (result_states(s, &out->evidence))
    out->verdict = VERDICT_SAFE;
  else
    give_up(e, budget_spent(e->env->budget), out);
}

static engine_status step_lists(explicit_search *e, claim *out) {
  if (!e->lists) e->lists = list_search_new(e->env, (size_t)e->env->options->nodes, 0, 0, NULL, NULL);
  if (list_search_run(e->lists, STEPS_A_TURN)) return ENGINE_GOES_ON;
  lists_claim(e->lists, e->env->model, out);
  return ENGINE_DONE;
}

static engine_status step_calls(explicit_search *e, claim *out) {
  if (!e->calls) e->calls = calls_new(e->env);
  if (calls_run(e->calls, FRAMES_A_TURN)) return ENGINE_GOES_ON;
  calls_claim(e->calls, out);
  return ENGINE_DONE;
}

/* What --disk cannot do, or NULL. */
static const char *refused_on_disk(const explicit_search *e) {
  const options *o = e->env->options;
  const model *m = e->env->model;
  if (!o->disk) return o->checkpoint || o->resume ? "--checkpoint and --resume are for a search with --disk" : NULL;
  if (m->has_heap || calls_are_in(m, e->env->property))
    return "lists and recursive procedures are searched in memory only: leave --disk out";
  if (property_is_temporal(&m->properties.at[e->env->property]))
    return "temporal properties are searched in memory only: leave --disk out";
  return o->order == ORDER_DFS ? "--disk searches breadth first: leave --order dfs out" : NULL;
}

/* For the other engines: likely invariants. Of many states the first half of those looked at is the first ones, the rest are taken evenly. */
static void tell_likely(explicit_search *e) {
  const search *s = e->search;
  uint64_t count = store_count(s->store), after = e->likely_told ? LIKELY_AGAIN * e->likely_told : WORK_BEFORE_LIKELY;
  if (!e->env->wants_likely || count < FEWEST_SEEN || (work_done() < after && !(e->is_searched && !e->likely_told)))
    return;
  uint64_t *packed = MEMORY_ARRAY(uint64_t, s->layout->words);
  int64_t *state = MEMORY_ARRAY(int64_t, s->model->variables.count + 1);
  uint64_t stride = count <= MOST_SEEN ? 1 : 2 * count / MOST_SEEN;
  seen_states *seen = seen_states_new(s->model);
  term_vector candidates = {0};
  e->likely_told = work_done() + 1;
  for (uint64_t i = 0; i < count; i += i < MOST_SEEN / 2 ? 1 : stride) {
    store_read(s->store, i, packed);
    layout_unpack(s->layout, packed, state);
    seen_states_note(seen, state);
  }
  seen_states_candidates(seen, &candidates);
  events_likely(e->env->events, s->model->terms, &candidates);
  VECTOR_FREE(candidates);
  seen_states_free(seen);
  memory_free(packed);
  memory_free(state);
}

static engine_status explicit_step(void *state, claim *out) {
  explicit_search *e = state;
  if (e->env->model->has_heap && property_is_temporal(&e->env->model->properties.at[e->env->property])) {
    give_up(e, "temporal properties of models with lists are not supported", out);
    return ENGINE_DONE;
  }
  const char *refused = refused_on_disk(e);
  if (refused) return claim_give_up(out, refused);
  if (e->env->model->has_heap) return step_lists(e, out);
  if (calls_are_in(e->env->model, e->env->property)) return step_calls(e, out);
  if (e->is_searched) {
    make_claim(e, out);
    return ENGINE_DONE;
  }
  if (!e->search) begin(e);
  e->is_searched = !advance(e);
  bool is_decided = e->is_searched && (e->search->violation.is_found || !(e->search->gap || e->search->is_full));
  if (!is_decided) tell_likely(e);
  if (!e->is_searched && run_finder_look(&e->finder, e->search, out)) return ENGINE_DONE;
  return ENGINE_GOES_ON;
}

static bool explicit_wants_model_as_read(const options *o, const model *m, size_t property) {
  (void)o;
  return calls_are_in(m, property);
}

const engine engine_explicit = {
    .name = "explicit",
    .title = "search of the concrete states, breadth or depth first",
    .paper = "",
    .open = explicit_open,
    .step = explicit_step,
    .close = explicit_close,
    .lists_states = true,
    .treats_procedures = true,
    .treats_end_of_procedures = true,
    .wants_model_as_read = explicit_wants_model_as_read,
    .estimate = explicit_estimate,
};
