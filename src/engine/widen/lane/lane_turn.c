/* Begins a lane's turn with its domain and work, does one run of it at a time, and turns its end into a claim. */
#include "engine/widen/lane/lane_turn.h"

#include "engine/widen/confirm.h"
#include "engine/widen/heap/heap_invariant.h"
#include "engine/widen/heap/heap_trace.h"
#include "engine/widen/invariant.h"

void lane_turn_drop(lane *l) {
  repair_free(l->repair);
  heap_domain_free(l->heap);
  numeric_free(l->numeric);
  l->heap = NULL;
  l->repair = NULL;
  l->numeric = NULL;
  l->runs = 0;
}

widening widen_chosen(const widen *w) {
  static const widening chosen[] = {[WIDENING_OPTION_H79] = WIDENING_H79,
                                    [WIDENING_OPTION_CH78] = WIDENING_CH78,
                                    [WIDENING_OPTION_BHRZ03] = WIDENING_BHRZ03};
  return chosen[w->env->options->widening];
}

static weak_shape_kind chosen_shape(const widen *w) {
  static const weak_shape_kind shapes[] = {
      [DOMAIN_POLYHEDRA] = SHAPE_NONE, [DOMAIN_OCTAGONS] = SHAPE_OCTAGON, [DOMAIN_BOXES] = SHAPE_BOX};
  return polyhedra_keeps_strict(w->space) ? SHAPE_NONE : shapes[w->env->options->domain];
}

/* What the budget leaves, in PPL's count; 0 if there is no limit. */
static uint64_t all_work_left(const widen *w) {
  enum { LEEWAY = 8 }; /* the budget is asked after each operation; this ends one that takes far too long */
  const uint64_t units_a_second = 1000000;
  uint64_t left = budget_work_left(w->env->budget);
  if (left > UINT64_MAX / POLYHEDRA_WORK_SECOND / LEEWAY) return 0;
  return left * (POLYHEDRA_WORK_SECOND / units_a_second) * LEEWAY + 1;
}

const char *lane_turn_begin(widen *w, lane *l, uint64_t work) {
  const lane_style *s = l->style;
  const char *why = programs_prepare(&w->programs, s->control);
  if (why) return why;
  polyhedra_allow(w->space, s->is_uninterrupted ? all_work_left(w) : work);
  if (l->repair) return NULL;
  program *p = lane_program(w, l);
  size_t times = (size_t)(w->turn / FIRST_TURN);
  l->numeric = numeric_new(p, (numeric_style){.widening = widen_chosen(w),
                                              .weak_hull = s->weak_hull,
                                              .limits = s->limits,
                                              .guard_limits = s->guard_limits,
                                              .most_rows = s->most_rows * times,
                                              .most_parts = s->most_parts * times,
                                              .ties = s->ties,
                                              .shape = chosen_shape(w)});
  if (w->env->model->has_heap) l->heap = heap_domain_new(p, l->numeric, s->guard_limits, w->env->budget, &why);
  l->repair =
      repair_new(l->heap ? heap_domain_of(l->heap) : numeric_domain(l->numeric), s->repair, s->name, w->env->events);
  return NULL;
}

static void write_invariant(widen *w, lane *l, evidence *out) {
  const program *p = lane_program(w, l);
  const run *proof = repair_run(l->repair);
  bool product = w->env->wants_product;
  text lines = {0};
  if (l->heap)
    heap_invariant(l->heap, p, proof, out, product ? &lines : NULL);
  else if (product)
    invariant_print(p, proof, out, &lines);
  else
    invariant_of(p, proof, out);
  if (product) events_product(w->env->events, text_string(&lines));
  text_clear(&lines);
}

static lane_turn_end claim_safe(widen *w, lane *l, claim *out, const char **reason) {
  if (w->env->wants_facts) {
    *reason = "all that it finds to hold has been sent";
    return TURN_LAST;
  }
  size_t unions, connects, runs;
  repair_count(l->repair, &unions, &connects, &runs);
  events_note(w->env->events, "%s: proved in run %zu; repairs that led there: %zu unions, %zu merges", l->style->name,
              runs, unions, connects);
  polyhedra_allow(w->space, 0);
  write_invariant(w, l, &out->evidence);
  const domain *d = l->heap ? heap_domain_of(l->heap) : numeric_domain(l->numeric);
  *reason = d->failure(d->context);
  if (*reason) {
    evidence_clear(&out->evidence);
    return TURN_LAST;
  }
  out->verdict = VERDICT_SAFE;
  return TURN_DECIDES;
}

static lane_turn_end claim_error(widen *w, lane *l, claim *out, const char **reason) {
  const property *p = &w->env->model->properties.at[w->env->property];
  polyhedra_allow(w->space, 0);
  const refinement *error = repair_error(l->repair);
  confirmation c = l->heap ? heap_confirm(l->heap, lane_program(w, l), error, l->style->repair.schedule, p, w->bad,
                                          w->env->budget, &out->evidence)
                           : confirm(lane_program(w, l), error, p->kind, w->bad, w->env->budget, &out->evidence);
  if (c == CONFIRM_TRACE && !polyhedra_failure(w->space)) {
    out->verdict = VERDICT_UNSAFE;
    return TURN_DECIDES;
  }
  evidence_clear(&out->evidence);
  *reason = c == CONFIRM_NONE ? "an error that linear constraints over the rationals allow and the integers do not"
                              : "an error over the rationals that could not be confirmed over the integers";
  return c == CONFIRM_NONE ? TURN_REFUTED : TURN_UNSURE;
}

lane_turn_end lane_turn_step(widen *w, lane *l, claim *out, const char **reason) {
  repair_end end = polyhedra_failure(w->space) ? REPAIR_FAILED : repair_step(l->repair, w->env->budget);
  if (end == REPAIR_PROVED) return claim_safe(w, l, out, reason);
  if (end == REPAIR_REAL) return claim_error(w, l, out, reason);
  if (end == REPAIR_FAILED && polyhedra_failure(w->space) && l->style->is_uninterrupted) {
    *reason = polyhedra_failure(w->space);
    return TURN_LAST;
  }
  if (end == REPAIR_FAILED && polyhedra_failure(w->space)) {
    lane_turn_drop(l);
    return TURN_SPENT;
  }
  if (end == REPAIR_FAILED) {
    *reason = repair_failure(l->repair);
    return TURN_LAST;
  }
  w->env->statistics->refinements++;
  if (l->style->is_uninterrupted || ++l->runs < FIRST_RUNS * (w->turn / FIRST_TURN)) return TURN_GOES_ON;
  l->runs = 0;
  return TURN_OVER;
}
