/* One question for each of: is there an initial state; is the property ever triggered (property.trigger); can the action be
 * taken. Whether there is a fair run, the checker of evidence is asked: the quotient that shows the property is offered to it
 * as evidence for the formula `false` of linear time, which holds of a model without fair runs only.
 *
 * The worker sends MESSAGE_UNKNOWN with the reason why the property is vacuous and a MESSAGE_NOTE with the name of each
 * action. Its work is counted and bounded, so that the same is found on every machine. */
#include "run/coverage/coverage.h"

#include "proof/certificate.h"
#include "proof/check/check.h"
#include "solver/solver.h"
#include "term/print.h"

/* Counted work: about a tenth of a second. Larger certificates are not looked at: reading them again would take longer. */
enum { MOST_WORK = 100 * 1000, LONGEST_CERTIFICATE = 256 * 1024, LONGEST_TRIGGER_SHOWN = 200 };

typedef struct coverage_task {
  model *model;
  const char *certificate;
  const coverage_walk *seen;
} coverage_task;

typedef struct looking {
  worker_inside *inside;
  model *model;
  solver *solver;
  const coverage_walk *seen;
} looking;

static const char no_start[] = "the model has no initial state";

static void report_vacuous(const looking *k, const char *why) {
  channel_send(k->inside->pipe, MESSAGE_UNKNOWN, why, strlen(why));
}

static bool is_never(looking *k, term t) { return answer_is_no(solver_satisfiable(k->solver, t)); }

/* ---- actions ---- */

/* Several steps may have one name: all of them have to be never enabled. */
static void report_actions(looking *k) {
  const model *m = k->model;
  bool *can = MEMORY_ARRAY(bool, m->transitions.count + 1);
  for (size_t i = 0; i < m->transitions.count; i++)
    can[i] = k->seen->taken[i] || budget_spent(&k->inside->budget) ||
             !is_never(k, transition_enabled(m, &m->transitions.at[i]));
  for (size_t i = 0; i < m->transitions.count; i++) {
    const char *name = m->transitions.at[i].name;
    bool is_reported = can[i];
    for (size_t j = 0; j < m->transitions.count && !is_reported; j++)
      is_reported = (can[j] || j < i) && j != i && !strcmp(m->transitions.at[j].name, name);
    if (!is_reported) channel_send(k->inside->pipe, MESSAGE_NOTE, name, strlen(name));
  }
  memory_free(can);
}

/* ---- the property ---- */

static bool is_never_triggered(looking *k, const property *p) {
  if (term_is_true(p->trigger) || !is_never(k, p->trigger)) return false;
  char *shown = term_string(k->model->terms, p->trigger);
  char *why = strlen(shown) <= LONGEST_TRIGGER_SHOWN ? text_format("what it is about never happens: %s", shown)
                                                     : text_format("what it is about never happens");
  report_vacuous(k, why);
  memory_free(shown);
  memory_free(why);
  return true;
}

static bool has_no_fair_run(looking *k, const evidence *e) {
  static temporal never = {.kind = TEMPORAL_STATE, .state = {1}};
  if (!k->model->fairness.count || e->kind != EVIDENCE_QUOTIENT || e->quotient.fails) return false;
  model_add_property(k->model, "no-fair-run", PROPERTY_LTL, (place){0})->formula = &never;
  check_result r = check_evidence(k->model, k->model->properties.count - 1, e, &k->inside->budget, NULL);
  if (r.kind == CHECK_ACCEPTED) report_vacuous(k, "no run is fair");
  memory_free(r.what);
  return r.kind == CHECK_ACCEPTED;
}

static void look(looking *k, size_t property, const evidence *e) {
  const struct property *p = &k->model->properties.at[property];
  if (!k->seen->has_start && is_never(k, k->model->init)) {
    report_vacuous(k, no_start);
    return;
  }
  solver_assert(k->solver, evidence_formula(k->model->terms, e));
  if (!k->seen->has_start && is_never(k, TERM_TRUE)) return; /* of nothing everything could be said */
  bool is_reported = !k->seen->triggered[property] && is_never_triggered(k, p);
  report_actions(k);
  if (!is_reported) has_no_fair_run(k, e);
}

static void look_in_worker(worker_inside *inside, void *context) {
  const coverage_task *task = context;
  looking k = {.inside = inside, .model = task->model, .seen = task->seen};
  size_t property;
  evidence e = {0};
  char *error = NULL;
  inside->budget.work = MOST_WORK;
  if (!certificate_read(k.model, task->certificate, strlen(task->certificate), &property, &e, &error)) return;
  if (e.kind == EVIDENCE_NONE || evidence_is_against(&e)) return;
  k.solver = solver_new(k.model->terms, &inside->budget);
  look(&k, property, &e);
  solver_free(k.solver);
}

/* ---- clauses ---- */

static bool is_fact(const clause *c) { return c->head != NO_PREDICATE && !c->body.count; }

/* A fact whose constraint is true for values that are found at once. */
static bool has_obvious_fact(const model *m) {
  number *values = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  bool found = false;
  for (size_t i = 0; i < m->clauses->clauses.count && !found; i++) {
    const clause *c = &m->clauses->clauses.at[i];
    found = is_fact(c) && coverage_guess(m->terms, c->constraint, values);
  }
  memory_free(values);
  return found;
}

static void look_at_facts_in_worker(worker_inside *inside, void *context) {
  const coverage_task *task = context;
  const model *m = task->model;
  term_vector facts = {0};
  inside->budget.work = MOST_WORK;
  for (size_t i = 0; i < m->clauses->clauses.count; i++)
    if (is_fact(&m->clauses->clauses.at[i])) VECTOR_PUSH(facts, m->clauses->clauses.at[i].constraint);
  looking k = {.inside = inside, .model = task->model, .solver = solver_new(m->terms, &inside->budget)};
  /* A program's facts may be left out, if nothing that is asked for depends on them. */
  bool is_none = facts.count || m->clauses->is_horn;
  for (size_t i = 0; i < facts.count && is_none; i++) is_none = is_never(&k, facts.at[i]);
  if (is_none)
    report_vacuous(&k, m->clauses->is_horn ? "no clause is a fact, so that nothing can be derived" : no_start);
  solver_free(k.solver);
  VECTOR_FREE(facts);
}

/* ---- outside ---- */

static void set_vacuous(outcome *out, const char *why) {
  memory_free(out->why_vacuous);
  out->is_vacuous = true;
  out->why_vacuous = memory_copy_string(why);
}

static void listen(void *context, const message *m) {
  outcome *out = context;
  if (m && m->kind == MESSAGE_UNKNOWN) set_vacuous(out, m->bytes);
  if (m && m->kind == MESSAGE_NOTE) VECTOR_PUSH(out->never_enabled, memory_copy_string(m->bytes));
}

/* Everything that would be asked was seen to happen. */
static bool is_all_seen(const model *m, const coverage_walk *seen, size_t property) {
  return seen->has_start && !seen->not_taken && seen->triggered[property] && !m->fairness.count;
}

void coverage_find(model *m, const coverage_walk *seen, const worker_limits *limits, const atomic_bool *stop,
                   outcome *out) {
  bool holds = out->verdict == VERDICT_SAFE || out->verdict == VERDICT_HOLDS;
  if (!holds || !out->certificate) return;
  if (out->is_vacuous) {
    set_vacuous(out, no_start);
    return;
  }
  if (m->is_c_program || (m->source && !m->clauses))
    return; /* that no error is reached is what is asked for: it leaves nothing out */
  if (strlen(out->certificate) > LONGEST_CERTIFICATE) return;
  if (m->clauses ? has_obvious_fact(m) : is_all_seen(m, seen, out->property)) return;
  coverage_task task = {m, out->certificate, seen};
  worker *w = worker_start(m->clauses ? look_at_facts_in_worker : look_in_worker, &task, limits);
  worker_attend(w, stop, listen, out);
  worker_free(w);
}
