/* In a worker: the evidence at each head as short clauses, those that have an expression sent as a line: the number of
 * the loop or end of a procedure, the style, the expression. */
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

/* Something to be said about the program. */
typedef struct point {
  size_t index;
  uint32_t head;
  const source_loop *loop; /* NULL of a procedure */
  c_point at;
} point;

/* ---- in the worker ---- */

static bool is_usable(const evidence *e) {
  return e->kind == EVIDENCE_INVARIANT || e->kind == EVIDENCE_K_INDUCTIVE || e->kind == EVIDENCE_STATES ||
         ((e->kind == EVIDENCE_INTERPRETATION || e->kind == EVIDENCE_K_INTERPRETATION) && !e->divisions.count);
}

static size_t count_of(const program_source *s) { return s->loop_count + 2 * s->procedure_count; }

static point point_of(const program_source *s, const evidence *e, size_t i) {
  const source_loop *loop = i < s->loop_count ? &s->loops[i] : NULL;
  if (loop) return (point){i, loop->head, loop, {loop->names, &e->indices, false}};
  const source_procedure *p = &s->procedures[(i - s->loop_count) / 2];
  bool is_entry = i == loop_invariants_entry(s, (i - s->loop_count) / 2);
  return (point){i, is_entry ? p->entry : p->exit, NULL, {is_entry ? p->at_entry : p->at_exit, &e->indices, true}};
}

static term formula_at(model *m, const evidence *e, term all, uint32_t head) {
  if (e->interpretation.count) return e->interpretation.at[head];
  substitution *by = substitution_new(m->terms);
  substitution_set(by, m->processes.at[0].location, term_int(m->terms, head));
  term here = substitution_apply(by, all);
  substitution_free(by);
  return here;
}

/* An expression of each style, as far as there is one. */
static void send_line(text *out, const model *m, const point *p, term t) {
  static const struct {
    c_style style;
    char letter;
  } styles[] = {{STYLE_C, 'c'}, {STYLE_ACSL, 'a'}, {STYLE_CBMC, 'b'}};
  for (size_t i = 0; i < ARRAY_LENGTH(styles); i++) {
    text words = {0};
    bool is_svlib = m->source->svlib_entry, fine = false;
    if (!is_svlib) fine = c_expression_print(m->terms, t, &p->at, styles[i].style, &words);
    if (is_svlib && !i) fine = svlib_expression_print(m->terms, t, p->loop, &words);
    if (fine && words.count <= LONGEST) text_add(out, "%zu %c %s\n", p->index, styles[i].letter, text_string(&words));
    text_clear(&words);
  }
}

static void send_point(text *out, model *m, budget *b, const point *p, term t) {
  terms *ts = m->terms;
  clause_vector all = {0};
  presburger *sets = presburger_new(ts, 0);
  solver *s = solver_new(ts, b);
  allsat *a = allsat_new(ts, sets, s, b);
  text_add(out, "%zu %c\n", p->index, term_is_false(t) ? 'f' : 't');
  bool fine = clauses_of(ts, a, b, t, &all);
  term_vector parts = {0};
  for (size_t i = 0; fine && i < all.count; i++) VECTOR_PUSH(parts, term_or_all(ts, all.at[i].count, all.at[i].at));
  if (!fine) term_conjuncts(ts, t, &parts);
  for (size_t i = 0; i < parts.count; i++) send_line(out, m, p, parts.at[i]);
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
  for (size_t i = 0; i < count_of(m->source); i++) {
    budget b = inside->budget;
    point p = point_of(m->source, &e, i);
    b.work = work_done() + WORK_FOR_CLAUSES;
    send_point(&out, m, &b, &p, formula_at(m, &e, all, p.head));
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
    text *to = rest[1] == 'c' ? &i->c : rest[1] == 'a' ? &i->acsl : &i->cbmc;
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
  for (size_t i = 0; i < count_of(l->model->source); i++) VECTOR_PUSH(*l->out, (loop_invariant){0});
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
    text_clear(&all->at[i].cbmc);
  }
  VECTOR_FREE(*all);
}
