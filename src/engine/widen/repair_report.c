/* Runs as JSON. The counterexample is that of section 4: what was reached at each step up to the error; and of it, the
 * states that lead to the error, as Refine found them from the step to blame on. */
#include "engine/widen/repair_report.h"

enum { LONGEST_TRAIL = 100, MOST_CONSTRAINTS = 500 /* of a set that is written as a formula */ };

const char *operator_name(operator op) {
  return op == OPERATOR_UNION ? "union" : op == OPERATOR_CONNECT ? "merge" : "widen";
}

/* What each step did, at the heads at which it did something. */
static void add_trail(const run_report *r, const run *done, json_writer *json) {
  const cut_graph *cuts = r->domain->cuts;
  size_t shown = 0;
  json_field_array(json, "trail");
  for (size_t c = 0; c < cuts->components.count; c++) {
    for (size_t i = 1; i < done->components[c].steps.count; i++) {
      for (size_t k = 0; k < cuts->components.at[c].heads.count && shown < LONGEST_TRAIL; k++) {
        const head_step *s = &done->components[c].steps.at[i][k];
        if (s->is_quiet) continue;
        size_t disjuncts, constraints;
        r->domain->measure(s->reached, &disjuncts, &constraints);
        json_begin_object(json);
        json_field_count(json, "step", i);
        json_field_count(json, "head", cuts->components.at[c].heads.at[k]);
        json_field_string(json, "operator", operator_name(s->operator));
        json_field_count(json, "disjuncts", disjuncts);
        json_field_count(json, "constraints", constraints);
        json_end_object(json);
        shown++;
      }
    }
  }
  json_end_array(json);
}

static void add_size(const run_report *r, const run *done, json_writer *json) {
  const cut_graph *cuts = r->domain->cuts;
  size_t disjuncts = 0, constraints = 0;
  for (uint32_t head = 1; head < cuts->heads; head++) {
    size_t parts, rows;
    if (!done->components[cuts->component_of.at[head]].steps.count) continue; /* it ended before */
    r->domain->measure(run_final(done, head), &parts, &rows);
    disjuncts += parts;
    constraints += rows;
  }
  json_field_count(json, "disjuncts", disjuncts);
  json_field_count(json, "constraints", constraints);
}

/* As a formula, if it is not too long. */
static void add_states(const run_report *r, const char *name, const element *e, json_writer *json) {
  size_t disjuncts, constraints;
  r->domain->measure(e, &disjuncts, &constraints);
  if (!r->domain->describe || constraints > MOST_CONSTRAINTS) return;
  text formula = {0};
  r->domain->describe(r->domain->context, e, &formula);
  json_field_string(json, name, text_string(&formula));
  text_clear(&formula);
}

/* What Refine found at this step of this component: states that lead to the error, by head; NULL if it did not come
 * there, or went forwards. */
static element *const *states_that_err(const refinement *f, size_t component, size_t step) {
  for (size_t i = 0; i < f->levels.count; i++)
    if (f->levels.at[i].component == component && f->levels.at[i].step == step) return f->levels.at[i].states;
  return NULL;
}

static void add_step(const run_report *r, const run *done, const refinement *f, size_t component, size_t step,
                     json_writer *json) {
  const struct component *c = &r->domain->cuts->components.at[component];
  element *const *bad = states_that_err(f, component, step);
  for (size_t k = 0; k < c->heads.count; k++) {
    const element *reached = done->components[component].steps.at[step][k].reached;
    if (r->domain->is_empty(reached)) continue;
    json_begin_object(json);
    json_field_count(json, "head", c->heads.at[k]);
    json_field_count(json, "step", step);
    add_states(r, "reached", reached, json);
    if (bad && !r->domain->is_empty(bad[k])) add_states(r, "leads_to_error", bad[k], json);
    json_end_object(json);
  }
}

/* R[0], .., R[n] of the component of the error. */
static void add_counterexample(const run_report *r, const run *done, const refinement *f, json_writer *json) {
  size_t shown = done->error_step < LONGEST_TRAIL ? done->error_step : LONGEST_TRAIL;
  json_field_array(json, "counterexample");
  for (size_t step = 0; step <= shown; step++) add_step(r, done, f, done->error_component, step, json);
  json_end_array(json);
}

static void add_repair(const run_report *r, const refinement *f, operator op, json_writer *json) {
  json_field_object(json, "repair");
  json_field_count(json, "step", f->step);
  json_field_array(json, "heads");
  for (size_t i = 0; i < f->heads.count; i++) json_add_count(json, f->heads.at[i]);
  json_end_array(json);
  json_field_string(json, "operator", operator_name(op));
  json_end_object(json);
  events_note(r->events, "%s: run %zu: error, repaired at step %zu of head %u: %s in place of widening", r->name,
              r->run, f->step, f->heads.at[0], operator_name(op));
}

void run_report_send(const run_report *r, const run *done, const refinement *f, operator op) {
  if (!r->events) return;
  text iteration = {0};
  json_writer json = json_object_to(&iteration);
  json_field_string(&json, "lane", r->name);
  json_field_count(&json, "run", r->run);
  json_field_count(&json, "steps", done->steps);
  add_size(r, done, &json);
  json_field_count(&json, "unions", r->unions);
  json_field_count(&json, "merges", r->connects);
  json_field_bool(&json, "error", done->has_error);
  if (done->has_error) json_field_count(&json, "error_step", done->error_step);
  if (f && f->kind == REFINE_HINT) add_repair(r, f, op, &json);
  if (f && r->tells_errors) add_counterexample(r, done, f, &json);
  add_trail(r, done, &json);
  events_iteration(r->events, &json);
}
