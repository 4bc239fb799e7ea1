/* The parts of the search, one after the other (bounds.h). */
#include "run/bounds/bounds.h"

#include "base/text.h"
#include "base/work.h"
#include "proof/certificate.h"
#include "run/bounds/counted_model.h"
#include "run/bounds/unbounded.h"
#include "run/check_worker.h"
#include "run/portfolio.h"
#include "run/verdict.h"

/* Counted work: for facts, and for potentials. About so many microseconds. */
enum { WORK_FOR_FACTS = 3 * 1000 * 1000, WORK_FOR_POTENTIALS = 5 * 1000 * 1000 };

static uint64_t least_work(uint64_t asked, uint64_t own) { return asked && asked < own ? asked : own; }

/* ---- facts ---- */

/* What `widen` proves of every reachable state; `true` if nothing. */
static term find_facts(const run_settings *s, frozen_model *f) {
  const engine *maker = engines_find("widen");
  options limited = *s->options;
  run_settings settings = {.model = f->m,
                           .path = s->path,
                           .options = &limited,
                           .engine_count = 1,
                           .engines = &maker,
                           .started = s->started,
                           .wants_product = true,
                           .stop = s->stop};
  outcome out = {0};
  term facts = TERM_TRUE;
  size_t property;
  evidence e = {0};
  char *error = NULL;
  limited.work = least_work(s->options->work, WORK_FOR_FACTS);
  model_add_property(f->m, "whole-behaviour", PROPERTY_SAFE, (place){0});
  portfolio_run(&settings, 0, 1, 0, &out);
  if (out.verdict == VERDICT_SAFE && out.certificate &&
      certificate_read(f->m, out.certificate, strlen(out.certificate), &property, &e, &error))
    facts = e.kind == EVIDENCE_INVARIANT ? evidence_formula(f->m->terms, &e) : TERM_TRUE;
  evidence_clear(&e);
  memory_free(error);
  outcome_clear(&out);
  VECTOR_CLEAR(f->m->properties);
  return facts;
}

/* ---- potentials ---- */

typedef struct potential_task {
  frozen_model *f;
  term facts;
  const bound_subjects *subjects;
  uint64_t work;
} potential_task;

static void find_in_worker(worker_inside *inside, void *context) {
  potential_task *task = context;
  bound_units units = {0};
  subject_units found = {0};
  text out = {0};
  inside->budget.work = work_done() + task->work;
  bound_units_find(task->f, task->facts, task->subjects, &inside->budget, &units, &found);
  bound_units_write(task->f, &units, &found, &out);
  channel_send(inside->pipe, MESSAGE_TEXT, text_string(&out), out.count);
}

static void listen(void *context, const message *m) {
  char **received = context;
  if (m && m->kind == MESSAGE_TEXT && !*received) *received = memory_copy_bytes(m->bytes, m->count);
}

static void find_units(const run_settings *s, potential_task *task, bound_units *units, subject_units *found) {
  worker_limits limits = verdict_limits(s, verdict_share(s, 2));
  char *received = NULL;
  worker *w = worker_start(find_in_worker, task, &limits);
  worker_attend(w, s->stop, listen, &received);
  for (message last; worker_receive(w, &last);) listen(&received, &last);
  bool fine = worker_state(w) == WORKER_RETURNED && received &&
              bound_units_read(task->f, received, task->subjects->count, units, found);
  worker_free(w);
  memory_free(received);
  if (fine) return;
  bound_units_clear(units);
  subject_units_clear(found);
  while (found->count < task->subjects->count) VECTOR_PUSH(*found, (index_vector){0});
}

/* ---- checks ---- */

static bool is_accepted(const run_settings *s, const frozen_model *f, term facts, const bound_subject *subject,
                        const bound_units *units, const index_vector *of) {
  counted_model c;
  text certificate = {0};
  worker_limits limits = verdict_limits(s, verdict_share(s, 1));
  counted_model_make(f, facts, subject, units, of, &c);
  certificate_write(c.m, 0, &c.evidence, &certificate);
  check_report report =
      check_worker_certificate(c.m, text_string(&certificate), certificate.count, s->options->solver, &limits, s->stop);
  bool accepted = report.answer == CHECK_ACCEPTED && !report.is_against;
  check_report_clear(&report);
  text_clear(&certificate);
  counted_model_clear(&c);
  return accepted;
}

static void describe(const frozen_model *f, const bound_units *units, const index_vector *of, bound *b) {
  index_vector inputs = {0};
  b->kind = BOUND_IS;
  b->formula = counted_model_bound(f, units, of);
  counted_model_inputs(f, units, of, &inputs);
  for (size_t i = 0; i < inputs.count; i++) {
    const frozen_value *v = &f->made.at[inputs.at[i]];
    term name = frozen_model_shown(f, term_of_variable(f->m->terms, v->var));
    bound_input input = {memory_copy_string(variable_shown(f->m->terms, term_variable(f->m->terms, name))), v->at};
    VECTOR_PUSH(b->inputs, input);
  }
  VECTOR_FREE(inputs);
}

static void decide(const run_settings *s, potential_task *task, bound_vector *out) {
  bound_units units = {0};
  subject_units found = {0};
  find_units(s, task, &units, &found);
  for (size_t i = 0; i < out->count; i++) {
    bound *b = &out->at[i];
    const index_vector *of = &found.at[i];
    if (verdict_stopped(s)) break;
    if (of->count && is_accepted(s, task->f, task->facts, &b->subject, &units, of))
      describe(task->f, &units, of, b);
    else if (unbounded_show(s, &b->subject))
      b->kind = BOUND_FOR_EVER;
  }
  bound_units_clear(&units);
  subject_units_clear(&found);
}

void bounds_find(const run_settings *s, bound_vector *out) {
  bound_subjects subjects = {0};
  frozen_model f;
  subjects_find(s->model, &subjects);
  for (size_t i = 0; i < subjects.count; i++) VECTOR_PUSH(*out, (bound){.subject = subjects.at[i]});
  frozen_model_make(s->model, &f);
  potential_task task = {.f = &f, .subjects = &subjects, .work = least_work(s->options->work, WORK_FOR_POTENTIALS)};
  task.facts = find_facts(s, &f);
  decide(s, &task, out);
  frozen_model_clear(&f);
  VECTOR_FREE(subjects); /* what it held is in `out` */
}

void bounds_clear(bound_vector *b) {
  for (size_t i = 0; i < b->count; i++) {
    memory_free(b->at[i].subject.name);
    VECTOR_FREE(b->at[i].subject.transitions);
    memory_free(b->at[i].formula);
    for (size_t j = 0; j < b->at[i].inputs.count; j++) memory_free(b->at[i].inputs.at[j].name);
    VECTOR_FREE(b->at[i].inputs);
  }
  VECTOR_FREE(*b);
}
