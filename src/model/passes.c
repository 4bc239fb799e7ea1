/* Runs the passes one after the other, keeps each one's way back, and takes traces and facts back through all. */
#include "model/passes.h"

#include "base/instruments/log.h"
#include "model/pass.h"

typedef pass_result (*pass_function)(const model *m, size_t property, budget *b);

static const pass_function all_passes[] = {pass_fold, pass_slice};
static const char *const pass_names[] = {"fold", "slice"};

struct passes {
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

passes *passes_run(const model *m, size_t property, budget *b) {
  passes *p = passes_none(m, property);
  budget endless = budget_unlimited();
  if (m->has_heap) return p;
  if (!b) b = &endless;
  for (size_t i = 0; i < ARRAY_LENGTH(all_passes) && !budget_spent_now(b); i++) {
    pass_result r = all_passes[i](passes_model(p), passes_property(p), b);
    if (r.model && !b->reason)
      VECTOR_PUSH(p->done, r);
    else
      pass_result_clear(&r);
    LOG(passes, "%s: %zu variables, %zu transitions%s", pass_names[i], passes_model(p)->variables.count,
        passes_model(p)->transitions.count, r.model ? "" : " (as before)");
  }
  return p;
}

void pass_result_clear(pass_result *r) {
  model_free(r->model);
  if (r->by) substitution_free(r->by);
  VECTOR_FREE(r->transitions);
  VECTOR_FREE(r->kept);
  VECTOR_FREE(r->first);
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
  term all = TERM_TRUE;
  for (size_t i = 0; i < p->done.count; i++) all = term_and(p->first->terms, all, p->done.at[i].facts);
  return all;
}

static bool over_variables_of(const model *m, term t) {
  variable_vector all = {0};
  bool over = true;
  term_variables(m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count && over; i++) over = model_is_state_variable(m, all.at[i]);
  VECTOR_FREE(all);
  return over;
}

void passes_keep_facts(const passes *p, const term_vector *facts, term_vector *out) {
  for (size_t i = 0; i < facts->count; i++) {
    term t = facts->at[i];
    for (size_t j = 0; j < p->done.count; j++)
      if (p->done.at[j].by) t = substitution_apply(p->done.at[j].by, t);
    if (!term_is_true(t) && over_variables_of(model_before(p, p->done.count), t)) VECTOR_PUSH(*out, t);
  }
}

uint32_t passes_transition_back(const passes *p, uint32_t transition) {
  for (size_t i = p->done.count; i-- > 0;) {
    assert(transition < p->done.at[i].transitions.count);
    transition = p->done.at[i].transitions.at[transition];
  }
  return transition;
}

static void step_back(const pass_result *r, const model *before, trace *t) {
  for (size_t i = 0; i < t->count; i++) {
    trace_step *s = &t->at[i];
    number_vector values = {0};
    assert(s->values.count == r->kept.count);
    for (size_t j = 0; j < before->variables.count; j++) VECTOR_PUSH(values, r->first.at[j]);
    for (size_t j = 0; j < r->kept.count; j++) values.at[r->kept.at[j]] = s->values.at[j];
    VECTOR_FREE(s->values);
    s->values.at = values.at;
    s->values.count = values.count;
    s->values.room = values.room;
    if (i) s->transition = r->transitions.at[s->transition];
  }
  trace_recompute(before, t);
}

void passes_trace_back(const passes *p, trace *t) {
  for (size_t i = p->done.count; i-- > 0;) step_back(&p->done.at[i], model_before(p, i), t);
}

void pass_copy_frame(pass_result *r, const model *m, size_t property) {
  for (size_t i = 0; i < r->kept.count; i++) model_adopt_variable(r->model, m->variables.at[r->kept.at[i]]);
  for (size_t i = 0; i < m->processes.count; i++) VECTOR_PUSH(r->model->processes, m->processes.at[i]);
  for (size_t i = 0; i < m->definitions.count; i++) VECTOR_PUSH(r->model->definitions, m->definitions.at[i]);
  VECTOR_PUSH(r->model->properties, m->properties.at[property]);
  while (r->first.count < m->variables.count) VECTOR_PUSH(r->first, number_of(0));
}
