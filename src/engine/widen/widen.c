/* Abstract interpretation with powersets of polyhedra, whose widening is repaired by counterexamples (Gulavani,
 * Rajamani 2006).
 *
 *   Fig. 4(c) SARefinement   repair.c        section 3, powersets     set/powerset.c
 *   Fig. 4(b) MAFixPoint     fixpoint.c      section 5, control       graph/
 *   Fig. 2    Refine         refine.c        section 1.3, J and GS    fixpoint.c
 *   errors over the integers    confirm.c    invariants as evidence   invariant.c
 *   divisibility    graph/congruences.c      boxes and octagons       lane/preview.c
 *
 * No setting proves everything, so several take turns ("lanes"), at the same time if there are cores
 * (lane/lane_processes.c). A turn is a number of runs and an amount of work, not of time, so that it can be repeated. A
 * lane whose work is spent begins again when it is next, with twice as much: an operation that was cut off may have
 * spoilt what it worked on. */
#include "engine/widen/widen.h"

#include "base/instruments/log.h"
#include "engine/widen/graph/bad_states.h"
#include "engine/widen/lane/lane_processes.h"
#include "engine/widen/lane/lane_turn.h"
#include "engine/widen/lane/lemmas.h"
#include "engine/widen/lane/one_shot_lanes.h"

/* If lanes may be processes, the first run of the first one is tried with this part of its work before any is
 * started: what is easy is decided by then. */
enum { TRIAL = 10 };
#define INTEGERS_WORK (2 * POLYHEDRA_WORK_SECOND)

static void use_lane(widen *w, const lane_style *style) { VECTOR_PUSH(w->lanes, (lane){.style = style}); }

static bool is_for_numbers(const lane_style *l) { return l->preview != PREVIEW_NONE || l->control == CONTROL_STEPS; }

static bool has_numbers(const model *m) {
  for (size_t i = 0; i < m->variables.count; i++)
    if (m->variables.at[i].role != ROLE_LOCATION && variable_type(m->terms, m->variables.at[i].var)->sort == SORT_INT)
      return true;
  return false;
}

/* With lists, `guards` keeps data apart; most others differ in what they do with numbers. */
static bool suits(const model *m, const lane_style *l) {
  if (!m->has_heap) return l->which != LANES_PAPER;
  if (l->which == LANES_PAPER || is_for_numbers(l)) return false;
  return has_numbers(m) || l->which == LANES_LIMITS || l->which == LANES_GUARDS || l->which == LANES_SINGLE;
}

/* The paper's own setting, with one of its algorithms. */
static const lane_style *paper_style(widen *w) {
  static const repair_method methods[] = {[REFINEMENT_SYSTEMATIC] = REPAIR_SYSTEMATIC,
                                          [REFINEMENT_MONOTONIC] = REPAIR_MONOTONIC,
                                          [REFINEMENT_BASIC] = REPAIR_BASIC};
  static const merge_ties ties[] = {
      [TIES_OLDEST] = MERGE_TIES_OLDEST, [TIES_NEWEST] = MERGE_TIES_NEWEST, [TIES_LARGEST] = MERGE_TIES_MOST_ROWS};
  const options *o = w->env->options;
  w->paper = *lanes_get(LANES_PAPER);
  w->paper.repair.method = methods[o->refinement];
  w->paper.repair.schedule = o->schedule == SCHEDULE_OPTION_SINGLE ? SCHEDULE_SINGLE : SCHEDULE_JOINT;
  w->paper.repair.union_first = o->pick == PICK_UNION;
  w->paper.repair.oldest_first = o->pick == PICK_OLDEST;
  w->paper.repair.tells_errors = true;
  w->paper.ties = ties[o->ties];
  return &w->paper;
}

static void use_all(widen *w, size_t count, const option_lane *which) {
  for (size_t i = 0; i < count; i++) use_lane(w, lanes_get(which[i]));
}

static void choose_lanes(widen *w) {
  static const option_lane quicker_first[] = {LANES_OCTAGONS, LANES_BOXES, LANES_LIMITS};
  static const option_lane better_first[] = {LANES_LIMITS, LANES_OCTAGONS, LANES_BOXES};
  const engine_environment *env = w->env;
  if (env->options->lane != LANES_ALL)
    use_lane(w, env->options->lane == LANES_PAPER ? paper_style(w) : lanes_get(env->options->lane));
  else if (env->wants_facts)
    use_all(w, ARRAY_LENGTH(quicker_first), quicker_first);
  else if (env->wants_product)
    use_all(w, ARRAY_LENGTH(better_first), better_first);
  else
    for (size_t i = 0; i < lanes_count(); i++)
      if (suits(env->model, lanes_at(i))) use_lane(w, lanes_at(i));
}

static void begin_round(widen *w) {
  w->current = 0;
  w->turn = FIRST_TURN;
  w->turn_begins = true;
}

/* Of clauses without a transition system, and of those with reals: places that were made from predicates say nothing more. */
static bool is_about_clauses(const model *m) {
  return m->clauses && (m->clauses->are_trees || (m->clauses->is_horn && terms_have_reals(m->terms)));
}

static void *widen_open(engine_environment *env) {
  widen *w = MEMORY_NEW(widen);
  w->env = env;
  if (is_about_clauses(env->model)) {
    w->clauses = clause_widening_new(env, widen_chosen(w));
    return w;
  }
  w->space = polyhedra_new(env->budget);
  bool has_reals = terms_have_reals(env->model->terms);
  if (has_reals) polyhedra_keep_strict(w->space);
  bool has_property = !env->wants_product && !env->wants_facts;
  w->programs = (programs){.env = env,
                           .space = w->space,
                           .bad = has_property ? &w->bad : NULL,
                           .over_integers = !has_property && !has_reals};
  choose_lanes(w);
  begin_round(w);
  return w;
}

static void end_beside(widen *w) {
  lane_processes_free(w->lane_processes);
  w->lane_processes = NULL;
}

static void widen_close(void *state) {
  widen *w = state;
  clause_widening_free(w->clauses);
  end_beside(w);
  for (size_t i = 0; i < w->lanes.count; i++) lane_turn_drop(&w->lanes.at[i]);
  VECTOR_FREE(w->lanes);
  programs_clear(&w->programs);
  polyhedra_free(w->space);
  VECTOR_FREE(w->known);
  evidence_clear(&w->preview_evidence);
  memory_free(w);
}

static const char *spent(const widen *w) {
  const char *reason = budget_spent(w->env->budget);
  return reason || budget_seconds_left(w->env->budget) > 0 ? reason : "time limit reached";
}

/* The rationals are not enough: all begins again with steps over the integers. */
static bool go_over_integers(widen *w, bool must) {
  if (polyhedra_keeps_strict(w->space)) return false;
  if (w->programs.over_integers || !programs_go_over_integers(&w->programs, must, INTEGERS_WORK)) return false;
  end_beside(w);
  for (size_t i = 0; i < w->lanes.count; i++) {
    lane_turn_drop(&w->lanes.at[i]);
    w->lanes.at[i].is_over = w->lanes.at[i].style->preview != PREVIEW_NONE;
  }
  begin_round(w);
  while (w->lanes.at[w->current].is_over && w->current + 1 < w->lanes.count) w->current++;
  return true;
}

/* ---- rounds ---- */

bool widen_may_change(const widen *w) {
  return w->turn == 2 * FIRST_TURN && !w->programs.over_integers && !w->lanes.at[0].style->is_uninterrupted;
}

static size_t lanes_left(const widen *w) {
  size_t n = 0;
  for (size_t i = 0; i < w->lanes.count; i++) n += !w->lanes.at[i].is_over;
  return n;
}

static void next_lane(widen *w) {
  do {
    if (++w->current == w->lanes.count) {
      if (widen_may_change(w) && go_over_integers(w, false)) return;
      w->current = 0;
      w->turn *= 2;
    }
  } while (w->lanes.at[w->current].is_over && lanes_left(w));
  w->turn_begins = true;
}

/* It will not prove anything any more. */
static engine_status end_lane(widen *w, lane *l, const char *reason, claim *out) {
  l->is_over = true;
  LOG(widen, "lane %s ends: %s", l->style->name, reason);
  events_note(w->env->events, "%s: %s", l->style->name, reason);
  if (!lanes_left(w)) {
    if (!w->lane_processes || !w->has_sent) lemmas_send(w, l);
    return claim_give_up(out, reason);
  }
  lane_turn_drop(l);
  next_lane(w);
  return ENGINE_GOES_ON;
}

/* An error that is none over the integers, or may be none. */
static engine_status after_error(widen *w, lane *l, lane_turn_end end, const char *reason, claim *out) {
  if (end == TURN_REFUTED && go_over_integers(w, true)) return ENGINE_GOES_ON;
  if (!w->lane_processes) lemmas_send(w, l);
  return claim_give_up(out, reason);
}

static engine_status after_turn(widen *w, lane *l) {
  if (!w->lane_processes && !w->has_sent) { /* not before: what is decided soon needs none */
    lemmas_send(w, l);
    w->has_sent = true;
  }
  next_lane(w);
  return ENGINE_GOES_ON;
}

/* The first turn of all: if it is not enough for a decision, lanes are processes from then on. */
static lane_turn_end try_alone(widen *w, lane *l, claim *out, const char **reason) {
  *reason = lane_turn_begin(w, l, w->turn / TRIAL);
  lane_turn_end end = *reason ? TURN_LAST : lane_turn_step(w, l, out, reason);
  if (end != TURN_GOES_ON && end != TURN_SPENT) return end;
  w->lane_processes = lane_processes_new(w);
  return TURN_GOES_ON;
}

static lane_turn_end run_turn(widen *w, lane *l, claim *out, const char **reason) {
  if (w->lane_processes) return lane_processes_step(w, out, reason);
  events_progress(w->env->events, "%s", l->style->name);
  if (w->turn_begins) {
    w->turn_begins = false;
    if (lane_processes_is_possible(w)) return try_alone(w, l, out, reason);
    *reason = lane_turn_begin(w, l, w->turn);
    if (*reason) return TURN_LAST;
  }
  return lane_turn_step(w, l, out, reason);
}

static engine_status play_on(widen *w, lane *l, claim *out) {
  const char *reason = NULL;
  lane_turn_end end = run_turn(w, l, out, &reason);
  if (end == TURN_DECIDES) return ENGINE_DONE;
  const char *no_more = spent(w);
  if (no_more) return claim_give_up(out, no_more);
  switch (end) {
    case TURN_OVER: return after_turn(w, l);
    case TURN_SPENT:
      if (w->env->wants_facts) return end_lane(w, l, "has done enough for what nobody may need", out);
      if (!w->lane_processes && !w->has_sent) lemmas_send(w, l); /* what the previews found, there being no run */
      next_lane(w);
      return ENGINE_GOES_ON;
    case TURN_LAST: return end_lane(w, l, reason, out);
    case TURN_REFUTED:
    case TURN_UNSURE: return after_error(w, l, end, reason, out);
    default: return ENGINE_GOES_ON;
  }
}

static engine_status run_once(widen *w, lane *l, claim *out) {
  if (polyhedra_keeps_strict(w->space)) return end_lane(w, l, "it is about integers alone", out);
  events_progress(w->env->events, "%s", l->style->name);
  const char *why = one_shot_run(w, l, out);
  if (!why) return ENGINE_DONE;
  const char *no_more = spent(w);
  return no_more ? claim_give_up(out, no_more) : end_lane(w, l, why, out);
}

/* NULL, or why nothing can be said about the property. */
static const char *find_target(widen *w) {
  const engine_environment *env = w->env;
  variable_vector nodes = {0};
  const char *why = heap_variables(env->model, &nodes);
  VECTOR_FREE(nodes);
  w->bad = TERM_FALSE;
  if (!why && !env->wants_facts) why = bad_states_of(env->model, &env->model->properties.at[env->property], &w->bad);
  w->has_target = !why;
  return why;
}

static engine_status step_clauses(widen *w, claim *out) {
  const engine_environment *env = w->env;
  if (env->wants_product || env->wants_facts)
    return claim_give_up(out, "of clauses with several predicates in a body only queries are asked");
  env->statistics->iterations++;
  return clause_widening_step(w->clauses, out);
}

static engine_status widen_step(void *state, claim *out) {
  widen *w = state;
  if (w->clauses) return step_clauses(w, out);
  lane *l = &w->lanes.at[w->current];
  const char *why = w->has_target ? NULL : find_target(w);
  if (why) return claim_give_up(out, why);
  w->env->statistics->iterations++;
  engine_status s = l->style->preview != PREVIEW_NONE ? run_once(w, l, out) : play_on(w, l, out);
  if (s == ENGINE_DONE) end_beside(w);
  return s;
}

const engine engine_widen = {
    .name = "widen",
    .title = "abstract interpretation whose widening is repaired by counterexamples",
    .paper = "Gulavani, Rajamani: Counterexample Driven Refinement for Abstract Interpretation (TACAS 2006)",
    .limits = ENGINE_NO_TEMPORAL,
    .provides_facts = true,
    .treats_trees = true,
    .treats_reals = true,
    .open = widen_open,
    .step = widen_step,
    .close = widen_close,
};
