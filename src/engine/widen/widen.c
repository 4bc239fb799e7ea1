/* Abstract interpretation with powersets of polyhedra, whose widening is repaired by counterexamples (paper 004).
 *
 *   Fig. 4(c) SARefinement   repair.c        section 3, powersets     set/powerset.c
 *   Fig. 4(b) MAFixPoint     fixpoint.c      section 5, control       control.c, graph.c, program.c
 *   Fig. 2    Refine         refine.c
 *   errors over the integers    confirm.c    invariants as evidence   invariant.c
 *
 * No setting proves everything, so several take turns ("lanes"). A turn is a number of runs and an amount of work,
 * not of time, so that it can be repeated. A lane whose work is spent begins anew when it is next, with twice as much:
 * an operation that was cut off may have spoilt what it worked on. */
#include "base/text.h"
#include "engine/engine.h"
#include "engine/widen/confirm.h"
#include "engine/widen/congruences.h"
#include "engine/widen/heap_invariant.h"
#include "engine/widen/heap_trace.h"
#include "engine/widen/invariant.h"
#include "engine/widen/lane.h"
#include "engine/widen/target.h"
#include "proof/check.h"

#define FIRST_TURN (2 * POLYHEDRA_WORK_SECOND)
enum { FIRST_RUNS = 8, LONGEST_LEMMAS = 1 << 20 };
/* Of the check of what is known without a verdict: a share of the time that is left, and seconds. */
#define SHARE_OF_CHECK 0.1
#define LONGEST_CHECK 2.0

typedef struct lane {
  const lane_style *style;
  numeric *numeric; /* NULL where it begins anew */
  heap_domain *heap; /* on top of it, where the model has a heap; else NULL */
  repair *repair;
  size_t runs;  /* in this turn */
  bool is_over; /* it will never prove anything */
  const char *reason;
} lane;

typedef struct widen {
  engine_environment *env;
  polyhedra *space;
  term bad;
  program *programs[2]; /* by control_choice; made when first needed */
  VECTOR(lane) lanes;
  size_t current;
  uint64_t turn;    /* work in it */
  size_t turn_runs; /* runs in it */
  bool turn_begins;
  bool over_integers; /* steps are: an error was met that only the rationals allow */
  bool has_told; /* what the first run reached */
} widen;

static bool is_chosen(const options *o, lane_name which) {
  if (o->lane == LANES_ALL) return which != LANE_PAPER;
  return (size_t)o->lane == (size_t)which + 1;
}

static void *widen_open(engine_environment *env) {
  widen *w = MEMORY_NEW(widen);
  w->env = env;
  w->space = polyhedra_new(env->budget);
  w->over_integers = env->wants_product;
  w->turn = FIRST_TURN;
  w->turn_runs = FIRST_RUNS;
  w->turn_begins = true;
  for (lane_name i = 0; i < LANE_COUNT; i++)
    if (is_chosen(env->options, i)) VECTOR_PUSH(w->lanes, (lane){.style = lane_style_of(i)});
  return w;
}

static void end_turn(lane *l) {
  repair_free(l->repair);
  heap_domain_free(l->heap);
  numeric_free(l->numeric);
  l->heap = NULL;
  l->repair = NULL;
  l->numeric = NULL;
}

static void widen_close(void *state) {
  widen *w = state;
  for (size_t i = 0; i < w->lanes.count; i++) end_turn(&w->lanes.at[i]);
  VECTOR_FREE(w->lanes);
  program_free(w->programs[CONTROL_FINITE]);
  if (w->programs[CONTROL_PLACES] != w->programs[CONTROL_FINITE]) program_free(w->programs[CONTROL_PLACES]);
  polyhedra_free(w->space);
  memory_free(w);
}

static engine_status give_up(claim *out, const char *reason) {
  out->verdict = VERDICT_UNKNOWN;
  out->reason = memory_copy_string(reason);
  return ENGINE_DONE;
}

/* ---- the program ---- */

static program *make_program(widen *w, control_choice choice, const char **why) {
  polyhedra_allow(w->space, 0);
  graph *g = graph_new(w->env->model, w->env->wants_product ? NULL : &w->bad, choice, w->space, w->env->budget, why);
  if (!g) return NULL;
  program *p = program_new(g);
  if (w->over_integers) program_find_grids(p);
  events_note(w->env->events, "%zu locations, %zu edges, %zu cut points, %zu paths, %zu dimensions", g->locations.count,
              g->edges.count, p->cuts.heads - 1, p->paths.count, g->frame.dimensions.count);
  return p;
}

/* NULL, or why there is none. Control that is too large is given up for places alone. */
static const char *prepare_program(widen *w, control_choice choice) {
  const char *why = NULL;
  if (w->programs[choice]) return NULL;
  w->programs[choice] = make_program(w, choice, &why);
  if (!why || choice == CONTROL_PLACES || budget_spent(w->env->budget)) return why;
  events_note(w->env->events, "%s: only places are control", why);
  why = prepare_program(w, CONTROL_PLACES);
  w->programs[choice] = w->programs[CONTROL_PLACES];
  return why;
}

static const program *program_of(const widen *w, const lane *l) { return w->programs[l->style->control]; }

static void begin_turn(widen *w, lane *l) {
  static const widening chosen[] = {[WIDENING_OPTION_H79] = WIDENING_H79,
                                    [WIDENING_OPTION_CH78] = WIDENING_CH78,
                                    [WIDENING_OPTION_BHRZ03] = WIDENING_BHRZ03};
  polyhedra_allow(w->space, w->turn);
  l->runs = 0;
  if (l->repair) return;
  l->numeric = numeric_new(program_of(w, l), (numeric_style){chosen[w->env->options->widening], l->style->weak_hull,
                                                             l->style->limits, l->style->guard_limits});
  const char *why;
  if (w->env->model->has_heap) l->heap = heap_domain_new(program_of(w, l), l->numeric, &why);
  l->repair = repair_new(l->heap ? heap_domain_of(l->heap) : numeric_domain(l->numeric), l->style->repair,
                         l->style->name, w->env->events);
}

/* The rationals are not enough: all begins anew with steps over the integers. False where those cannot be had, or, unless
 * it `must` be, where divisibility says nothing. */
static bool go_over_integers(widen *w, bool must) {
  bool says_something = must;
  polyhedra_allow(w->space, FIRST_TURN);
  for (size_t i = 0; i < ARRAY_LENGTH(w->programs); i++)
    if (w->programs[i]) says_something |= program_find_grids(w->programs[i]);
  if (polyhedra_failure(w->space) || !says_something) {
    for (size_t i = 0; i < ARRAY_LENGTH(w->programs); i++)
      if (w->programs[i]) program_drop_grids(w->programs[i]);
    return false;
  }
  events_note(w->env->events, "steps are taken over the integers from now on");
  w->over_integers = true;
  for (size_t i = 0; i < w->lanes.count; i++) {
    end_turn(&w->lanes.at[i]);
    w->lanes.at[i].is_over = false;
  }
  w->current = 0;
  w->turn = FIRST_TURN;
  w->turn_runs = FIRST_RUNS;
  w->turn_begins = true;
  return true;
}

/* ---- what is known without a verdict ---- */

/* What a run reached is closed under steps, also where it met an error: other engines may build on it. It is told only
 * after it was checked. */
static void tell_lemmas(widen *w, const lane *l) {
  const run *r = l->repair ? repair_run(l->repair) : NULL;
  if (!w->env->events || !r || w->env->wants_product || l->heap) return;
  evidence e = {0};
  text lines = {0};
  polyhedra_allow(w->space, FIRST_TURN);
  invariant_lemmas(program_of(w, l), r, &e, &lines);
  if (!polyhedra_failure(w->space) && lines.count && lines.count <= LONGEST_LEMMAS) {
    budget b = *w->env->budget;
    double left = budget_seconds_left(&b);
    b.deadline = clock_seconds() + (left < LONGEST_CHECK / SHARE_OF_CHECK ? left * SHARE_OF_CHECK : LONGEST_CHECK);
    check_result checked = check_inductive(w->env->model, &e, &b);
    if (checked.kind == CHECK_ACCEPTED) events_lemmas(w->env->events, text_string(&lines));
    events_note(w->env->events, "%s: %s", l->style->name,
                checked.kind == CHECK_ACCEPTED ? "what was reached so far is an invariant" : checked.what);
    memory_free(checked.what);
  }
  evidence_free(&e);
  text_free(&lines);
}

/* ---- results ---- */

static engine_status claim_safe(widen *w, lane *l, claim *out) {
  size_t unions, connects, runs;
  text lines = {0};
  repair_count(l->repair, &unions, &connects, &runs);
  events_note(w->env->events, "%s: proved in run %zu; repairs that led there: %zu unions, %zu merges", l->style->name,
              runs, unions, connects);
  polyhedra_allow(w->space, 0);
  if (l->heap)
    heap_invariant(l->heap, program_of(w, l), repair_run(l->repair), &out->evidence, w->env->wants_product ? &lines : NULL);
  else if (w->env->wants_product)
    invariant_print(program_of(w, l), repair_run(l->repair), &out->evidence, &lines);
  else
    invariant_of(program_of(w, l), repair_run(l->repair), &out->evidence);
  const domain *d = l->heap ? heap_domain_of(l->heap) : numeric_domain(l->numeric);
  const char *failure = d->failure(d->context);
  if (failure) {
    text_free(&lines);
    evidence_free(&out->evidence);
    return give_up(out, failure);
  }
  if (w->env->wants_product) events_product(w->env->events, text_string(&lines));
  text_free(&lines);
  out->verdict = VERDICT_SAFE;
  return ENGINE_DONE;
}

static engine_status claim_error(widen *w, lane *l, claim *out) {
  const property *p = &w->env->model->properties.at[w->env->property];
  polyhedra_allow(w->space, 0);
  const refinement *error = repair_error(l->repair);
  confirmation c =
      l->heap ? heap_confirm(l->heap, program_of(w, l), error, l->style->repair.schedule, p, w->bad, w->env->budget,
                             &out->evidence)
              : confirm(program_of(w, l), error, p->kind, w->bad, w->env->budget, &out->evidence);
  if (c == CONFIRM_NONE && !w->over_integers && go_over_integers(w, true)) return ENGINE_GOES_ON;
  if (c == CONFIRM_NONE || c == CONFIRM_UNSURE) tell_lemmas(w, l);
  if (c == CONFIRM_NONE)
    return give_up(out, "an error that linear constraints over the rationals allow and the integers do not");
  if (c == CONFIRM_UNSURE || polyhedra_failure(w->space)) {
    evidence_free(&out->evidence);
    return give_up(out, "an error over the rationals that could not be confirmed over the integers");
  }
  out->verdict = VERDICT_UNSAFE;
  return ENGINE_DONE;
}

/* ---- turns ---- */

static size_t lanes_left(const widen *w) {
  size_t n = 0;
  for (size_t i = 0; i < w->lanes.count; i++) n += !w->lanes.at[i].is_over;
  return n;
}

static void next_lane(widen *w) {
  do {
    if (++w->current == w->lanes.count) {
      if (w->turn == FIRST_TURN && !w->over_integers && go_over_integers(w, false)) return;
      w->current = 0;
      w->turn *= 2;
      w->turn_runs *= 2;
    }
  } while (w->lanes.at[w->current].is_over && lanes_left(w));
  w->turn_begins = true;
}

/* The lane's step failed: its work is spent, or it has come to its end. */
static engine_status after_failure(widen *w, lane *l, claim *out) {
  const char *spent = budget_spent(w->env->budget);
  if (spent) return give_up(out, spent);
  if (!polyhedra_failure(w->space)) {
    l->is_over = true;
    if (!lanes_left(w)) tell_lemmas(w, l);
    l->reason = repair_failure(l->repair);
    events_note(w->env->events, "%s: %s", l->style->name, l->reason);
  }
  end_turn(l);
  if (!lanes_left(w)) return give_up(out, l->reason);
  next_lane(w);
  return ENGINE_GOES_ON;
}

static engine_status widen_step(void *state, claim *out) {
  widen *w = state;
  lane *l = &w->lanes.at[w->current];
  const char *why = NULL;
  if (!w->programs[l->style->control]) {
    variable_vector nodes = {0};
    why = heap_variables(w->env->model, &nodes);
    VECTOR_FREE(nodes);
    if (!why) why = target_of(w->env->model, &w->env->model->properties.at[w->env->property], &w->bad);
    if (!why) why = prepare_program(w, l->style->control);
    if (why) return give_up(out, why);
  }
  if (w->turn_begins) begin_turn(w, l);
  w->turn_begins = false;
  events_progress(w->env->events, "%s", l->style->name);
  repair_end end = polyhedra_failure(w->space) ? REPAIR_FAILED : repair_step(l->repair, w->env->budget);
  w->env->statistics->iterations++;
  if (end == REPAIR_PROVED) return claim_safe(w, l, out);
  if (end == REPAIR_REAL) return claim_error(w, l, out);
  if (end == REPAIR_FAILED) return after_failure(w, l, out);
  w->env->statistics->refinements++;
  if (!w->has_told) {
    tell_lemmas(w, l);
    polyhedra_allow(w->space, w->turn);
  }
  w->has_told = true;
  if (++l->runs >= w->turn_runs) next_lane(w);
  return ENGINE_GOES_ON;
}

const engine engine_widen = {
    .name = "widen",
    .title = "abstract interpretation whose widening is repaired by counterexamples",
    .paper = "Gulavani, Rajamani: Counterexample Driven Refinement for Abstract Interpretation (TACAS 2006)",
    .limits = ENGINE_NO_TEMPORAL,
    .open = widen_open,
    .step = widen_step,
    .close = widen_close,
};
