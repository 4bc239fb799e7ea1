#include "unit/engine_run.h"

#include <stdlib.h>

#include "input/input.h"
#include "proof/check/check.h"
#include "proof/clause_evidence.h"
#include "unit/work_budget.h"

events *engine_run_events;
bool engine_run_lemmas_as_facts;

static model *read_or_end(model *m, const diagnostics *d, const char *what) {
  if (m) return m;
  fprintf(stderr, "%s cannot be read:\n%s\n", what, text_string(&d->text));
  exit(1);
}

static GIVE model *read_text(const char *name, const char *content) {
  diagnostics d = {0};
  model *m = read_or_end(input_read_text(name, content, strlen(content), &d), &d, "the text");
  text_clear(&d.text);
  return m;
}

model *model_of_text(const char *content) { return read_text("test.whet", content); }
model *clauses_of_text(const char *content) { return read_text("test.smt2", content); }

model *model_of_file(const char *path) {
  diagnostics d = {0};
  char *whole = path[0] == '/' ? memory_copy_string(path) : text_format("%s/data/models/%s", TESTS_FOLDER, path);
  model *m = read_or_end(input_read_file(whole, &d), &d, whole);
  text_clear(&d.text);
  memory_free(whole);
  return m;
}

static void set_options(options *o, const char *const *list) {
  for (; list && *list; list++) {
    char *copy = memory_copy_string(*list), *value = strchr(copy, '=');
    if (value) *value++ = 0;
    char *wrong = options_set(o, copy, value);
    if (wrong) fprintf(stderr, "%s\n", wrong), exit(1);
    memory_free(copy);
  }
}

static void run_steps(const engine *e, engine_environment *env, claim *c, engine_result *r, uint64_t iterations) {
  void *state = e->open(env);
  bool done = false;
  while (!done && !budget_spent(env->budget) && (!iterations || r->iterations < iterations)) {
    done = e->step(state, c) == ENGINE_DONE;
    r->iterations++;
  }
  e->close(state);
  if (!done) c->reason = memory_copy_string("out of time or iterations");
}

static void bring_back(passes *p, const model *m, bool used_facts, claim *c) {
  terms *ts = m->terms;
  evidence_add_facts(ts, &c->evidence, passes_facts(p));
  if (used_facts) evidence_add_facts(ts, &c->evidence, term_and_all(ts, m->lemmas.count, m->lemmas.at));
  if (c->evidence.kind != EVIDENCE_TRACE) return;
  passes_trace_back(p, &c->evidence.steps);
  if (passes_model(p)->properties.at[passes_property(p)].kind == PROPERTY_NO_FAULT)
    c->evidence.fault_transition = passes_transition_back(p, c->evidence.fault_transition, &c->evidence.fault_inputs);
}

engine_result engine_run_model(const engine *e, const model *m, const char *property, uint64_t work,
                               uint64_t iterations, const char *const *list) {
  engine_result r = {0};
  size_t index = 0;
  if (property && !model_find_property(m, property, &index)) fprintf(stderr, "no property %s\n", property), exit(1);
  passes *p = passes_run(m, index, NULL);
  options *o = options_new();
  set_options(o, list);
  budget b = work ? work_budget(work) : budget_unlimited();
  engine_environment env = {.model = passes_model(p),
                            .property = passes_property(p),
                            .is_whole = passes_keep_states(p),
                            .options = o,
                            .statistics = &r.statistics,
                            .budget = &b,
                            .wants_invariant = m->clauses != NULL,
                            .takes_induction = clause_evidence_takes_induction(m),
                            .events = engine_run_events};
  if (engine_run_lemmas_as_facts) passes_keep_facts(p, &m->lemmas, &env.facts);
  claim c = {0};
  run_steps(e, &env, &c, &r, iterations);
  r.verdict = c.verdict;
  r.claimed = c.evidence.kind;
  r.reason = c.reason;
  if (c.verdict != VERDICT_UNKNOWN) {
    bring_back(p, m, env.used_facts, &c);
    r.steps = c.evidence.steps.count ? c.evidence.steps.count - 1 : 0;
    budget own = budget_unlimited();
    memory_free(clause_evidence(m, index, &c.evidence, &own)); /* the checker says what is wrong with the rest */
    check_result checked = check_evidence(m, index, &c.evidence, &own, NULL);
    r.checked = checked.kind == CHECK_ACCEPTED;
    r.reason = checked.what;
  }
  evidence_clear(&c.evidence);
  options_free(o);
  VECTOR_FREE(env.facts);
  passes_free(p);
  return r;
}

engine_result engine_run_file(const engine *e, const char *path, uint64_t work, uint64_t iterations,
                              const char *const *list) {
  model *m = model_of_file(path);
  engine_result r = engine_run_model(e, m, NULL, work, iterations, list);
  model_free(m);
  return r;
}

engine_result engine_run_text(const engine *e, const char *content, uint64_t work, uint64_t iterations,
                              const char *const *list) {
  model *m = model_of_text(content);
  engine_result r = engine_run_model(e, m, NULL, work, iterations, list);
  model_free(m);
  return r;
}

void engine_result_free(engine_result *r) {
  memory_free(r->reason);
  *r = (engine_result){0};
}
