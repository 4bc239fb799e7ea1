/* In a worker: the evidence at each head as short clauses, those that have an expression sent as a line: the number of
 * the loop, the style, the expression. */
#include "run/program/loop_invariants.h"

#include <stdlib.h>

#include "base/work.h"
#include "predicate/readable_clauses.h"
#include "proof/certificate.h"
#include "run/program/c_expression.h"
#include "run/program/svlib_expression.h"
#include "term/substitute.h"

enum { LONGEST = 4000, WORK_FOR_CLAUSES = 2000000 };

typedef struct invariants_task {
  model *model;
  const char *certificate;
} invariants_task;

/* ---- in the worker ---- */

static bool is_usable(const evidence *e) {
  return e->kind == EVIDENCE_INVARIANT || e->kind == EVIDENCE_K_INDUCTIVE || e->kind == EVIDENCE_STATES ||
         ((e->kind == EVIDENCE_INTERPRETATION || e->kind == EVIDENCE_K_INTERPRETATION) && !e->divisions.count);
}

static term formula_at(model *m, const evidence *e, term all, const source_loop *loop) {
  if (e->interpretation.count) return e->interpretation.at[loop->head];
  substitution *by = substitution_new(m->terms);
  substitution_set(by, m->processes.at[0].location, term_int(m->terms, loop->head));
  term here = substitution_apply(by, all);
  substitution_free(by);
  return here;
}

static void send_line(text *out, const model *m, size_t index, const source_loop *loop, term t) {
  text c = {0}, acsl = {0};
  terms *ts = m->terms;
  bool fine = m->source->svlib_entry
                  ? svlib_expression_print(ts, t, loop, &c)
                  : c_expression_print(ts, t, loop, STYLE_C, &c) && c_expression_print(ts, t, loop, STYLE_ACSL, &acsl);
  if (fine && c.count <= LONGEST)
    text_add(out, "%zu c %s\n%zu a %s\n", index, text_string(&c), index, text_string(&acsl));
  text_clear(&c);
  text_clear(&acsl);
}

static void send_loop(text *out, model *m, budget *b, size_t index, term t) {
  const source_loop *loop = &m->source->loops[index];
  terms *ts = m->terms;
  clause_vector all = {0};
  presburger *sets = presburger_new(ts, 0);
  solver *s = solver_new(ts, b);
  allsat *a = allsat_new(ts, sets, s, b);
  text_add(out, "%zu %c\n", index, term_is_false(t) ? 'f' : 't');
  bool fine = clauses_of(ts, a, b, t, &all);
  term_vector parts = {0};
  for (size_t i = 0; fine && i < all.count; i++) VECTOR_PUSH(parts, term_or_all(ts, all.at[i].count, all.at[i].at));
  if (!fine) term_conjuncts(ts, t, &parts);
  for (size_t i = 0; i < parts.count; i++) send_line(out, m, index, loop, parts.at[i]);
  VECTOR_FREE(parts);
  clauses_clear(&all);
  allsat_free(a);
  solver_free(s);
  presburger_free(sets);
}

static void find_in_worker(worker_inside *inside, void *context) {
  const invariants_task *task = context;
  model *m = task->model;
  size_t property;
  evidence e = {0};
  char *error = NULL;
  text out = {0};
  if (!certificate_read(m, task->certificate, strlen(task->certificate), &property, &e, &error) || !is_usable(&e))
    return;
  term all = e.interpretation.count ? TERM_TRUE : evidence_formula(m->terms, &e);
  for (size_t i = 0; i < m->source->loop_count; i++) {
    budget b = inside->budget;
    b.work = work_done() + WORK_FOR_CLAUSES;
    send_loop(&out, m, &b, i, formula_at(m, &e, all, &m->source->loops[i]));
  }
  channel_send(inside->pipe, MESSAGE_TEXT, out.at, out.count);
}

/* ---- outside ---- */

static void take_line(loop_invariants *out, const char *line, size_t length) {
  char *rest;
  size_t index = strtoul(line, &rest, 10);
  if (index >= out->count || rest >= line + length || *rest != ' ') return;
  loop_invariant *i = &out->at[index];
  const char *words = rest + 2;
  if (rest[1] == 't' || rest[1] == 'f') {
    i->is_known = true;
    i->is_reached = rest[1] == 't';
  } else {
    text *to = rest[1] == 'c' ? &i->c : &i->acsl;
    text_add(to, "%.*s\n", (int)(line + length - words) - 1, words + 1);
  }
}

typedef struct listening {
  const model *model;
  loop_invariants *out;
} listening;

static void listen(void *context, const message *m) {
  const listening *l = context;
  if (!m || m->kind != MESSAGE_TEXT || l->out->count) return;
  for (size_t i = 0; i < l->model->source->loop_count; i++) VECTOR_PUSH(*l->out, (loop_invariant){0});
  char *lines = memory_copy_bytes(m->bytes, m->count);
  for (char *at = lines; *at; at += strcspn(at, "\n") + 1) {
    take_line(l->out, at, strcspn(at, "\n"));
    if (!strchr(at, '\n')) break;
  }
  memory_free(lines);
}

void loop_invariants_find(model *m, const char *certificate, const worker_limits *limits, const atomic_bool *stop,
                          loop_invariants *out) {
  invariants_task task = {m, certificate};
  listening l = {m, out};
  worker *w = worker_start(find_in_worker, &task, limits);
  worker_attend(w, stop, listen, &l);
  worker_free(w);
}

void loop_invariants_clear(loop_invariants *all) {
  for (size_t i = 0; i < all->count; i++) {
    text_clear(&all->at[i].c);
    text_clear(&all->at[i].acsl);
  }
  VECTOR_FREE(*all);
}
