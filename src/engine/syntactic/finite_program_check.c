/* The obligations of a program, asked one by one of a solver that had no part in making it. Together they say that the
 * program does all that the model does; that it does no more is a matter of evidence, if a verdict needs it. */
#include "engine/syntactic/finite_program.h"
#include "model/transform.h"
#include "term/substitute.h"

typedef struct checking {
  const finite_program *p;
  const closure *c;
  solver *solver;
  terms *ts;
  substitution *atoms; /* booleans by what they stand for */
  program_obligations out;
} checking;

static void require(checking *x, term t) {
  if (x->out.fails) return;
  answer a = solver_valid(x->solver, t);
  x->out.all++;
  x->out.proved += answer_is_yes(a);
  x->out.fails = answer_is_no(a);
}

static term about_model(const checking *x, term t) { return substitution_apply(x->atoms, t); }

/* What the guard became is the guard, what holds inputs to possible values follows from it, and every boolean changes
 * as its predicate does. */
static void check_action(checking *x, const closure_action *a) {
  const model *m = x->c->system->model;
  const transition *t = &m->transitions.at[a->transition];
  const program_action *made = &x->p->actions.at[a->transition];
  const transition *abstract = &x->p->model->transitions.at[a->transition];
  substitution_clear(x->atoms);
  for (size_t i = 0; i < x->p->bits.count; i++) substitution_set(x->atoms, x->p->bits.at[i].var, x->p->bits.at[i].atom);
  for (size_t i = 0; i < made->inputs.count; i++)
    substitution_set(x->atoms, made->inputs.at[i].var, made->inputs.at[i].atom);
  solver_push(x->solver);
  solver_assert(x->solver, transition_enabled(m, t));
  for (size_t i = 0; i < made->guard.count; i++) require(x, about_model(x, made->guard.at[i]));
  for (size_t i = 0; i < x->p->model->variables.count; i++) {
    variable v = x->p->model->variables.at[i].var;
    term after = about_model(x, transition_value_after(x->p->model, abstract, v));
    term wanted = i + x->p->bits.count < x->p->model->variables.count
                      ? transition_value_after(m, t, v)
                      : transform_after(m, t, x->p->bits.at[i + x->p->bits.count - x->p->model->variables.count].atom);
    if (!term_same(after, wanted)) require(x, term_eq(x->ts, after, wanted));
  }
  solver_pop(x->solver);
}

static void check_init(checking *x) {
  substitution_clear(x->atoms);
  for (size_t i = 0; i < x->p->bits.count; i++) substitution_set(x->atoms, x->p->bits.at[i].var, x->p->bits.at[i].atom);
  solver_push(x->solver);
  solver_assert(x->solver, x->c->system->model->init);
  for (size_t i = 0; i < x->p->init.count; i++) require(x, about_model(x, x->p->init.at[i]));
  solver_pop(x->solver);
}

program_obligations finite_program_check(const finite_program *p, solver *s) {
  checking x = {
      .p = p, .c = p->closure, .solver = s, .ts = p->model->terms, .atoms = substitution_new(p->model->terms)};
  check_init(&x);
  solver_push(s);
  solver_assert(s, p->closure->system->facts);
  for (size_t i = 0; i < p->closure->actions.count; i++) check_action(&x, &p->closure->actions.at[i]);
  solver_pop(s);
  substitution_free(x.atoms);
  return x.out;
}
