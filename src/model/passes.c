/* Runs the passes one after the other, keeps each one's way back, and takes traces and facts back through all. */
#include "model/passes.h"

#include "base/instruments/log.h"
#include "model/pass.h"

typedef pass_result (*pass_function)(const model *m, size_t property, budget *b);

static const pass_function all_passes[] = {pass_fold, pass_slice};
static const pass_function passes_after_merge[] = {pass_fold, pass_slice_loosely};
static const char *const pass_names[] = {"fold", "slice"};

struct passes {
  const passes *before; /* that made `first`; NULL if it is the model as read */
  const model *first;
  size_t property;
  VECTOR(pass_result) done;
};

passes *passes_none(const model *m, size_t property) {
  passes *p = MEMORY_NEW(passes);
  p->first = m;
  p->property = property;
  return p;
}

/* Unless the pass changed nothing, or was not done in time. */
static void keep_result(passes *p, const char *name, TAKE pass_result r, budget *b) {
  bool changes = r.model && !b->reason;
  if (changes)
    VECTOR_PUSH(p->done, r);
  else
    pass_result_clear(&r);
  LOG(passes, "%s: %zu variables, %zu transitions%s", name, passes_model(p)->variables.count,
      passes_model(p)->transitions.count, changes ? "" : " (as before)");
}

passes *passes_run(const model *m, size_t property, budget *b) {
  passes *p = passes_none(m, property);
  budget endless = budget_unlimited();
  if (m->has_heap) return p;
  if (!b) b = &endless;
  for (size_t i = 0; i < ARRAY_LENGTH(all_passes) && !budget_spent_now(b); i++)
    keep_result(p, pass_names[i], all_passes[i](passes_model(p), passes_property(p), b), b);
  return p;
}

passes *passes_use_invariants(passes *before, const known_invariants *known, budget *b) {
  passes *p = passes_none(passes_model(before), passes_property(before));
  budget endless = budget_unlimited();
  if (!b) b = &endless;
  p->before = before;
  if (!budget_spent_now(b)) keep_result(p, "merge", pass_merge(passes_model(p), passes_property(p), known, b), b);
  for (size_t i = 0; i < ARRAY_LENGTH(passes_after_merge) && p->done.count && !budget_spent_now(b); i++)
    keep_result(p, pass_names[i], passes_after_merge[i](passes_model(p), passes_property(p), b), b);
  return p;
}

void known_invariants_clear(known_invariants *k) {
  VECTOR_FREE(k->formulas);
  VECTOR_FREE(k->redundant);
}

void pass_result_clear(pass_result *r) {
  model_free(r->model);
  if (r->by) substitution_free(r->by);
  VECTOR_FREE(r->transitions);
  VECTOR_FREE(r->kept);
  VECTOR_FREE(r->first);
  VECTOR_FREE(r->merged);
  VECTOR_FREE(r->inputs);
  VECTOR_FREE(r->input_starts);
  VECTOR_FREE(r->loose);
}

void passes_free(passes *p) {
  if (!p) return;
  for (size_t i = 0; i < p->done.count; i++) pass_result_clear(&p->done.at[i]);
  VECTOR_FREE(p->done);
  memory_free(p);
}

static model *model_before(const passes *p, size_t pass) {
  return pass ? p->done.at[pass - 1].model : (model *)p->first;
}

model *passes_model(passes *p) { return model_before(p, p->done.count); }
size_t passes_property(const passes *p) { return p->done.count ? 0 : p->property; }

term passes_facts(const passes *p) {
  term all = p->before ? passes_facts(p->before) : TERM_TRUE;
  for (size_t i = 0; i < p->done.count; i++) all = term_and(p->first->terms, all, p->done.at[i].facts);
  return all;
}

static bool is_loose(const pass_result *r, size_t position) {
  for (size_t i = 0; i < r->loose.count; i++)
    if (r->loose.at[i] == position) return true;
  return false;
}

bool passes_keep_states(const passes *p) {
  if (p->before && !passes_keep_states(p->before)) return false;
  for (size_t i = 0; i < p->done.count; i++)
    if (p->done.at[i].loose.count || p->done.at[i].kept.count < model_before(p, i)->variables.count) return false;
  return true;
}

/* All variables are there after pass `i`, and what was known of them before still holds. */
static bool is_kept_by(const passes *p, size_t i, term t) {
  const pass_result *r = &p->done.at[i];
  variable_vector all = {0};
  bool is_kept = true;
  term_variables(p->first->terms, 1, &t, &all);
  for (size_t j = 0; j < all.count && is_kept; j++) {
    size_t at = model_position(r->model, all.at[j]);
    is_kept = at != SIZE_MAX && !is_loose(r, at);
  }
  VECTOR_FREE(all);
  return is_kept;
}

static void keep_facts(const passes *p, const term_vector *facts, term_vector *out) {
  for (size_t i = 0; i < facts->count; i++) {
    term t = facts->at[i];
    bool is_kept = true;
    for (size_t j = 0; j < p->done.count && is_kept; j++) {
      if (p->done.at[j].by) t = substitution_apply(p->done.at[j].by, t);
      is_kept = is_kept_by(p, j, t);
    }
    if (is_kept && !term_is_true(t)) VECTOR_PUSH(*out, t);
  }
}

void passes_keep_facts(const passes *p, const term_vector *facts, term_vector *out) {
  term_vector kept_before = {0};
  if (p->before) passes_keep_facts(p->before, facts, &kept_before);
  keep_facts(p, p->before ? &kept_before : facts, out);
  VECTOR_FREE(kept_before);
}

/* As near to 0 as can be. */
static number some_value(const type *t) {
  if (t->has_low && number_compare(t->low, number_of(0)) > 0) return t->low;
  return t->has_high && number_compare(t->high, number_of(0)) < 0 ? t->high : number_of(0);
}

/* Inputs of a transition after the pass as inputs of the same one before: what nothing reads has any value. */
static void inputs_back(const pass_result *r, const model *before, uint32_t transition_after, number_vector *inputs) {
  number_vector all = {0};
  if (!r->input_starts.count) return;
  const uint32_t *at = r->inputs.at + r->input_starts.at[transition_after];
  const transition *t = &before->transitions.at[r->transitions.at[transition_after]];
  for (size_t i = 0; i < t->inputs.count; i++)
    VECTOR_PUSH(all,
                at[i] == INPUT_GONE ? some_value(variable_type(before->terms, t->inputs.at[i])) : inputs->at[at[i]]);
  VECTOR_FREE(*inputs);
  inputs->at = all.at;
  inputs->count = all.count;
  inputs->room = all.room;
}

uint32_t passes_transition_back(const passes *p, uint32_t transition, number_vector *inputs) {
  for (size_t i = p->done.count; i-- > 0;) {
    assert(transition < p->done.at[i].transitions.count);
    if (inputs) inputs_back(&p->done.at[i], model_before(p, i), transition, inputs);
    transition = p->done.at[i].transitions.at[transition];
  }
  return p->before ? passes_transition_back(p->before, transition, inputs) : transition;
}

/* Values of the state before the pass. */
static void state_back(const pass_result *r, const model *before, number_vector *values) {
  number_vector all = {0};
  assert(values->count == r->kept.count);
  for (size_t i = 0; i < before->variables.count; i++) VECTOR_PUSH(all, r->first.at[i]);
  for (size_t i = 0; i < r->kept.count; i++) all.at[r->kept.at[i]] = values->at[i];
  for (size_t i = 0; i < r->merged.count; i++) {
    const merged_variable *v = &r->merged.at[i];
    number of = all.at[v->into];
    all.at[v->position] = v->is_negated ? number_of(number_is(of, 0)) : of;
  }
  VECTOR_FREE(*values);
  values->at = all.at;
  values->count = all.count;
  values->room = all.room;
}

static bool step_back(const pass_result *r, const model *before, trace *t) {
  for (size_t i = 0; i < t->count; i++) {
    trace_step *s = &t->at[i];
    state_back(r, before, &s->values);
    if (!i) continue;
    inputs_back(r, before, s->transition, &s->inputs);
    s->transition = r->transitions.at[s->transition];
  }
  return trace_recompute(before, t);
}

bool passes_trace_back(const passes *p, trace *t) {
  for (size_t i = p->done.count; i-- > 0;)
    if (!step_back(&p->done.at[i], model_before(p, i), t)) return false;
  return !p->before || passes_trace_back(p->before, t);
}

void pass_copy_frame(pass_result *r, const model *m, size_t property) {
  for (size_t i = 0; i < r->kept.count; i++) model_adopt_variable(r->model, m->variables.at[r->kept.at[i]]);
  for (size_t i = 0; i < m->processes.count; i++) VECTOR_PUSH(r->model->processes, m->processes.at[i]);
  for (size_t i = 0; i < m->definitions.count; i++) VECTOR_PUSH(r->model->definitions, m->definitions.at[i]);
  VECTOR_PUSH(r->model->properties, m->properties.at[property]);
  while (r->first.count < m->variables.count) VECTOR_PUSH(r->first, number_of(0));
}
