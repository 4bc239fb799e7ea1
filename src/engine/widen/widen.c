/* Abstract interpretation with powersets of polyhedra, whose widening is repaired by counterexamples (paper 004).
 *
 *   Fig. 4(c) SARefinement   repair.c        section 3, powersets     set/powerset.c
 *   Fig. 4(b) MAFixPoint     fixpoint.c      section 5, control       control.c, graph.c, split.c, program.c
 *   Fig. 2    Refine         refine.c        section 1.3, J and GS    fixpoint.c
 *   errors over the integers    confirm.c    invariants as evidence   invariant.c
 *   divisibility    congruences.c            boxes and octagons       preview.c
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
#include "engine/widen/packs.h"
#include "engine/widen/programs.h"
#include "engine/widen/target.h"
#include "proof/check.h"

#define FIRST_TURN (2 * POLYHEDRA_WORK_SECOND)
#define PREVIEW_TURN (POLYHEDRA_WORK_SECOND / 5)
enum { FIRST_RUNS = 8, LONGEST_LEMMAS = 1 << 20, MOST_FOR_OCTAGONS = 20 };
#define LONGEST_CHECK 5.0 /* seconds, of what is known without a verdict */

typedef struct lane {
  const lane_style *style;
  numeric *numeric;  /* NULL where it begins anew */
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
  bool has_target; /* `bad` is there */
  programs programs;
  VECTOR(lane) lanes;
  size_t current;
  uint64_t turn;    /* work in it */
  size_t turn_runs; /* runs in it */
  bool turn_begins;
  bool has_told;             /* lemmas of the first lane that came to the end of its turn */
  text known;                /* lemmas that a preview found */
  evidence preview_evidence; /* for them, until they are checked */
} widen;

static void use_lane(widen *w, lane_name which) { VECTOR_PUSH(w->lanes, (lane){.style = lane_style_of(which)}); }

static bool is_for_numbers(lane_name which) {
  return lane_style_of(which)->preview != PREVIEW_NONE || lane_style_of(which)->control == CONTROL_STEPS;
}

static bool has_numbers(const model *m) {
  for (size_t i = 0; i < m->variables.count; i++)
    if (m->variables.at[i].role != ROLE_LOCATION && variable_type(m->terms, m->variables.at[i].var)->sort == SORT_INT)
      return true;
  return false;
}

/* With lists, `guards` keeps data apart; most others differ in what they do with numbers. */
static bool suits(const model *m, lane_name which) {
  if (!m->has_heap) return which != LANE_PAPER;
  if (which == LANE_PAPER || is_for_numbers(which)) return false;
  return has_numbers(m) || which == LANE_LIMITS || which == LANE_GUARDS || which == LANE_SINGLE;
}

static void choose_lanes(widen *w) {
  const engine_environment *env = w->env;
  if (env->options->lane != LANES_ALL) {
    use_lane(w, (lane_name)(env->options->lane - 1));
  } else if (env->wants_product) { /* the better one first */
    use_lane(w, LANE_LIMITS);
    use_lane(w, LANE_OCTAGONS);
    use_lane(w, LANE_BOXES);
  } else {
    for (lane_name i = 0; i < LANE_COUNT; i++)
      if (suits(env->model, i)) use_lane(w, i);
  }
}

static void begin_round(widen *w) {
  w->current = 0;
  w->turn = FIRST_TURN;
  w->turn_runs = FIRST_RUNS;
  w->turn_begins = true;
}

static void *widen_open(engine_environment *env) {
  widen *w = MEMORY_NEW(widen);
  w->env = env;
  w->space = polyhedra_new(env->budget);
  w->programs = (programs){
      .env = env, .space = w->space, .bad = env->wants_product ? NULL : &w->bad, .over_integers = env->wants_product};
  choose_lanes(w);
  begin_round(w);
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
  programs_free(&w->programs);
  polyhedra_free(w->space);
  text_free(&w->known);
  evidence_free(&w->preview_evidence);
  memory_free(w);
}

static engine_status give_up(claim *out, const char *reason) {
  out->verdict = VERDICT_UNKNOWN;
  out->reason = memory_copy_string(reason);
  return ENGINE_DONE;
}

static program *program_of(const widen *w, const lane *l) { return programs_get(&w->programs, l->style->control); }

static widening chosen_widening(const widen *w) {
  static const widening chosen[] = {[WIDENING_OPTION_H79] = WIDENING_H79,
                                    [WIDENING_OPTION_CH78] = WIDENING_CH78,
                                    [WIDENING_OPTION_BHRZ03] = WIDENING_BHRZ03};
  return chosen[w->env->options->widening];
}

static void begin_turn(widen *w, lane *l) {
  polyhedra_allow(w->space, w->turn);
  l->runs = 0;
  if (l->repair) return;
  const lane_style *s = l->style;
  size_t most_rows = s->most_rows * (size_t)(w->turn / FIRST_TURN);
  l->numeric = numeric_new(program_of(w, l),
                           (numeric_style){chosen_widening(w), s->weak_hull, s->limits, s->guard_limits, most_rows});
  const char *why;
  if (w->env->model->has_heap)
    l->heap = heap_domain_new(program_of(w, l), l->numeric, l->style->guard_limits, w->env->budget, &why);
  l->repair = repair_new(l->heap ? heap_domain_of(l->heap) : numeric_domain(l->numeric), l->style->repair,
                         l->style->name, w->env->events);
}

/* The rationals are not enough: all begins anew with steps over the integers. */
static bool go_over_integers(widen *w, bool must) {
  if (w->programs.over_integers || !programs_go_over_integers(&w->programs, must, FIRST_TURN)) return false;
  for (size_t i = 0; i < w->lanes.count; i++) {
    end_turn(&w->lanes.at[i]);
    w->lanes.at[i].is_over = w->lanes.at[i].style->preview != PREVIEW_NONE;
  }
  begin_round(w);
  while (w->lanes.at[w->current].is_over && w->current + 1 < w->lanes.count) w->current++;
  return true;
}

/* ---- what is known without a verdict ---- */

/* Lines that were found to hold, with the evidence for it; told only after they were checked. */
static bool check_lemmas(widen *w, const lane *l, const evidence *e, const text *lines) {
  if (polyhedra_failure(w->space) || !lines->count || lines->count > LONGEST_LEMMAS) return false;
  budget b = *w->env->budget;
  if (budget_seconds_left(&b) > LONGEST_CHECK) b.deadline = clock_seconds() + LONGEST_CHECK;
  check_result checked = check_inductive(w->env->model, e, &b);
  bool accepted = checked.kind == CHECK_ACCEPTED;
  events_note(w->env->events, "%s: %s", l->style->name,
              accepted ? "what was reached so far is an invariant" : checked.what);
  memory_free(checked.what);
  return accepted;
}

/* What a preview found, once; then `known` is what of it stood the check. */
static void tell_preview(widen *w, const lane *l) {
  if (w->preview_evidence.kind == EVIDENCE_NONE) return;
  if (!check_lemmas(w, l, &w->preview_evidence, &w->known)) text_clear(&w->known);
  if (w->known.count) events_lemmas(w->env->events, text_string(&w->known));
  evidence_free(&w->preview_evidence);
  w->preview_evidence = (evidence){0};
}

/* What a run reached is closed under steps, also where it met an error: other engines may build on it. */
static void tell_lemmas(widen *w, const lane *l) {
  const run *r = l->repair ? repair_first_run(l->repair) : NULL;
  if (!w->env->events || w->env->wants_product || l->heap) return;
  tell_preview(w, l);
  if (!r) return;
  evidence e = {0};
  text lines = {0};
  polyhedra_allow(w->space, FIRST_TURN);
  invariant_lemmas(program_of(w, l), r, &e, &lines);
  if (check_lemmas(w, l, &e, &lines)) {
    text_add(&lines, "%s", text_string(&w->known)); /* both are inductive, so they are together */
    events_lemmas(w->env->events, text_string(&lines));
  }
  evidence_free(&e);
  text_free(&lines);
}

static void keep_preview(widen *w, const lane *l, const preview *v) {
  if (!w->env->events) return;
  evidence_free(&w->preview_evidence);
  w->preview_evidence = (evidence){0};
  text_clear(&w->known);
  preview_write(v, &w->preview_evidence);
  preview_lemmas(v, &w->known);
  /* It may be all there will be. */
  if (program_of(w, l)->graph->frame.dimensions.count > MOST_FOR_OCTAGONS) tell_preview(w, l);
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
    heap_invariant(l->heap, program_of(w, l), repair_run(l->repair), &out->evidence,
                   w->env->wants_product ? &lines : NULL);
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
  confirmation c = l->heap ? heap_confirm(l->heap, program_of(w, l), error, l->style->repair.schedule, p, w->bad,
                                          w->env->budget, &out->evidence)
                           : confirm(program_of(w, l), error, p->kind, w->bad, w->env->budget, &out->evidence);
  if (c == CONFIRM_NONE && go_over_integers(w, true)) return ENGINE_GOES_ON;
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
      if (w->turn == 2 * FIRST_TURN && go_over_integers(w, false)) return;
      w->current = 0;
      w->turn *= 2;
      w->turn_runs *= 2;
    }
  } while (w->lanes.at[w->current].is_over && lanes_left(w));
  w->turn_begins = true;
}

/* It will not prove anything any more. */
static engine_status end_lane(widen *w, lane *l, const char *reason, claim *out) {
  const char *spent = budget_spent(w->env->budget);
  if (spent) return give_up(out, spent);
  l->is_over = true;
  l->reason = reason;
  events_note(w->env->events, "%s: %s", l->style->name, reason);
  if (!lanes_left(w)) {
    tell_lemmas(w, l);
    return give_up(out, reason);
  }
  end_turn(l);
  next_lane(w);
  return ENGINE_GOES_ON;
}

/* The lane's step failed: its work is spent, or it has come to its end. */
static engine_status after_failure(widen *w, lane *l, claim *out) {
  const char *spent = budget_spent(w->env->budget);
  if (spent) return give_up(out, spent);
  if (!polyhedra_failure(w->space)) return end_lane(w, l, repair_failure(l->repair), out);
  end_turn(l);
  next_lane(w);
  return ENGINE_GOES_ON;
}

/* Octagons cost more than boxes: where all lanes are used, one of the two is. */
static bool is_left_out(const widen *w, const lane *l) {
  bool many = program_of(w, l)->graph->frame.dimensions.count > MOST_FOR_OCTAGONS;
  if (w->env->options->lane != LANES_ALL) return false;
  return (l->style->preview == PREVIEW_OCTAGONS && many) || (l->style->preview == PREVIEW_BOXES && !many);
}

static engine_status look_ahead(widen *w, lane *l, claim *out) {
  if (is_left_out(w, l)) return end_lane(w, l, "left out", out);
  if (w->env->model->has_heap) return end_lane(w, l, "is for numbers, not for the heap", out);
  bool product = w->env->wants_product;
  polyhedra_allow(w->space, product ? FIRST_TURN : PREVIEW_TURN);
  preview *v = preview_new(program_of(w, l), l->style->preview);
  bool proves = !polyhedra_failure(w->space) && preview_excludes_bad(v);
  if (!polyhedra_failure(w->space)) {
    char *json = text_format(
        "{\"lane\":\"%s\",\"run\":1,\"steps\":%zu,\"disjuncts\":1,\"constraints\":%zu,\"unions\":0,"
        "\"merges\":0,\"error\":%s}",
        l->style->name, preview_rounds(v), preview_constraints(v), proves ? "false" : "true");
    events_iteration(w->env->events, json);
    memory_free(json);
  }
  engine_status status = ENGINE_DONE;
  if (proves) {
    text lines = {0};
    preview_write(v, &out->evidence);
    if (product) preview_print(v, &lines);
    if (product) events_product(w->env->events, text_string(&lines));
    text_free(&lines);
    out->verdict = VERDICT_SAFE;
    proves = !polyhedra_failure(w->space);
    if (!proves) evidence_free(&out->evidence);
  } else if (l->style->preview != PREVIEW_EQUALITIES) {
    keep_preview(w, l, v);
  }
  const char *failure = polyhedra_failure(w->space);
  preview_free(v);
  if (failure) program_drop_grids(program_of(w, l));
  if (!proves) status = end_lane(w, l, failure ? failure : "is not enough", out);
  return status;
}

static engine_status try_packs(widen *w, lane *l, claim *out) {
  if (w->env->model->has_heap) return end_lane(w, l, "is for numbers, not for the heap", out);
  packs *p = packs_new(w->env->model, w->bad);
  if (!p) return end_lane(w, l, "all variables belong together", out);
  events_note(w->env->events, "%s: %zu parts of the property, each about some of the variables", l->style->name,
              packs_count(p));
  bool proved =
      packs_prove(p, w->env, w->space, l->style, chosen_widening(w), FIRST_TURN / 4, FIRST_RUNS / 2, &out->evidence);
  packs_free(p);
  if (!proved) return end_lane(w, l, "not all packs are proved by themselves", out);
  out->verdict = VERDICT_SAFE;
  return ENGINE_DONE;
}

/* NULL, or why the lane cannot begin. */
static const char *prepare(widen *w, const lane *l, bool *never) {
  if (!w->has_target) {
    variable_vector nodes = {0};
    const char *why = heap_variables(w->env->model, &nodes);
    VECTOR_FREE(nodes);
    if (!why) why = target_of(w->env->model, &w->env->model->properties.at[w->env->property], &w->bad);
    *never = why != NULL;
    if (why) return why;
    w->has_target = true;
  }
  return programs_prepare(&w->programs, l->style->control);
}

static engine_status widen_step(void *state, claim *out) {
  widen *w = state;
  lane *l = &w->lanes.at[w->current];
  bool never = false;
  const char *why = prepare(w, l, &never);
  if (never) return give_up(out, why);
  if (why) return end_lane(w, l, why, out);
  events_progress(w->env->events, "%s", l->style->name);
  w->env->statistics->iterations++;
  if (l->style->preview == PREVIEW_PACKS) return try_packs(w, l, out);
  if (l->style->preview != PREVIEW_NONE) return look_ahead(w, l, out);
  if (w->turn_begins) begin_turn(w, l);
  w->turn_begins = false;
  repair_end end = polyhedra_failure(w->space) ? REPAIR_FAILED : repair_step(l->repair, w->env->budget);
  if (end == REPAIR_PROVED) return claim_safe(w, l, out);
  if (end == REPAIR_REAL) return claim_error(w, l, out);
  if (end == REPAIR_FAILED) return after_failure(w, l, out);
  w->env->statistics->refinements++;
  if (++l->runs < w->turn_runs) return ENGINE_GOES_ON;
  if (!w->has_told) tell_lemmas(w, l); /* not before: what is decided soon needs none */
  w->has_told = true;
  next_lane(w);
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
