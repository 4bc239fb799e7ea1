#include "oracle/unroll.h"

#include <stdlib.h>
#include <unistd.h>

#include "term/print.h"
#include "term/substitute.h"

typedef struct unrolling {
  const model *m;
  text script;
  substitution *now;      /* state variables and inputs -> their copies at this step */
  variable_vector copies; /* of the state variables, at this step */
} unrolling;

static void declare(unrolling *u, variable v) {
  text_add(&u->script, "(declare-const ");
  name_print_smtlib(variable_name(u->m->terms, v), &u->script);
  text_add(&u->script, variable_type(u->m->terms, v)->sort == SORT_BOOL ? " Bool)\n" : " Int)\n");
}

static variable copy_variable(unrolling *u, variable v, size_t step) {
  char *name = text_format("%s@%zu", variable_name(u->m->terms, v), step);
  variable copy = variable_fresh(u->m->terms, name, variable_type(u->m->terms, v));
  memory_free(name);
  declare(u, copy);
  return copy;
}

static void assert_term(unrolling *u, term t) {
  text_add(&u->script, "(assert ");
  term_print_smtlib(u->m->terms, t, &u->script);
  text_add(&u->script, ")\n");
}

static term now(unrolling *u, term t) { return substitution_apply(u->now, t); }

static void copy_states(unrolling *u, size_t step) {
  VECTOR_CLEAR(u->copies);
  for (size_t i = 0; i < u->m->variables.count; i++)
    VECTOR_PUSH(u->copies, copy_variable(u, u->m->variables.at[i].var, step));
}

/* From now on states and inputs mean those of `step`. */
static void enter_step(unrolling *u, size_t step) {
  const model *m = u->m;
  substitution_clear(u->now);
  for (size_t i = 0; i < m->variables.count; i++)
    substitution_set(u->now, m->variables.at[i].var, term_of_variable(m->terms, u->copies.at[i]));
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++) {
      variable v = m->transitions.at[i].inputs.at[j], copy = copy_variable(u, v, step);
      substitution_set(u->now, v, term_of_variable(m->terms, copy));
      assert_term(u, variable_in_type(m->terms, copy));
    }
}

/* Some transition is taken, and the copies of the next step are what it makes of this one. */
static void assert_step(unrolling *u, size_t next) {
  const model *m = u->m;
  terms *ts = m->terms;
  copy_states(u, next);
  text_add(&u->script, "(assert (or false");
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    text_add(&u->script, "\n (and ");
    term_print_smtlib(ts, now(u, t->guard), &u->script);
    for (size_t j = 0; j < t->faults.count; j++) {
      text_add(&u->script, " (not ");
      term_print_smtlib(ts, now(u, t->faults.at[j].when), &u->script);
      text_add(&u->script, ")");
    }
    for (size_t j = 0; j < m->variables.count; j++) {
      text_add(&u->script, " (= ");
      name_print_smtlib(variable_name(ts, u->copies.at[j]), &u->script);
      text_add(&u->script, " ");
      term_print_smtlib(ts, now(u, transition_value_after(m, t, m->variables.at[j].var)), &u->script);
      text_add(&u->script, ")");
    }
    text_add(&u->script, ")");
  }
  text_add(&u->script, "))\n");
}

/* (exists inputs. guard and no fault), the inputs bound by the quantifier. */
static void print_can_be_taken(unrolling *u, const transition *t, substitution *states_only) {
  terms *ts = u->m->terms;
  term enabled = transition_enabled(u->m, t);
  for (size_t i = 0; i < t->inputs.count; i++) enabled = term_and(ts, enabled, variable_in_type(ts, t->inputs.at[i]));
  if (t->inputs.count) text_add(&u->script, "(exists (");
  for (size_t i = 0; i < t->inputs.count; i++) {
    text_add(&u->script, "(");
    name_print_smtlib(variable_name(ts, t->inputs.at[i]), &u->script);
    text_add(&u->script, variable_type(ts, t->inputs.at[i])->sort == SORT_BOOL ? " Bool)" : " Int)");
  }
  if (t->inputs.count) text_add(&u->script, ") ");
  term_print_smtlib(ts, substitution_apply(states_only, enabled), &u->script);
  if (t->inputs.count) text_add(&u->script, ")");
}

static void assert_deadlock(unrolling *u) {
  const model *m = u->m;
  substitution *states_only = substitution_new(m->terms);
  for (size_t i = 0; i < m->variables.count; i++)
    substitution_set(states_only, m->variables.at[i].var, term_of_variable(m->terms, u->copies.at[i]));
  for (size_t i = 0; i < m->transitions.count; i++) {
    text_add(&u->script, "(assert (not ");
    print_can_be_taken(u, &m->transitions.at[i], states_only);
    text_add(&u->script, "))\n");
  }
  substitution_free(states_only);
}

static void assert_fault(unrolling *u) {
  const model *m = u->m;
  text_add(&u->script, "(assert (or false");
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].faults.count; j++) {
      text_add(&u->script, " ");
      term_print_smtlib(m->terms, now(u, m->transitions.at[i].faults.at[j].when), &u->script);
    }
  text_add(&u->script, "))\n");
}

static void ask(unrolling *u, const property *p) {
  if (property_is_temporal(p)) return;
  text_add(&u->script, "(push)\n");
  if (p->kind == PROPERTY_SAFE) assert_term(u, now(u, p->bad));
  if (p->kind == PROPERTY_NO_FAULT) assert_fault(u);
  if (p->kind == PROPERTY_DEADLOCKFREE) assert_deadlock(u);
  text_add(&u->script, "(check-sat)\n(pop)\n");
}

static void read_answers(const model *m, size_t steps, FILE *from, unroll_result *out) {
  char line[1000];
  for (size_t i = 0; i < m->properties.count; i++)
    out[i] = (unroll_result){property_is_temporal(&m->properties.at[i]) ? UNROLL_UNSURE : UNROLL_NOT_WITHIN, 0};
  for (size_t depth = 0; depth <= steps; depth++)
    for (size_t i = 0; i < m->properties.count; i++) {
      if (property_is_temporal(&m->properties.at[i])) continue;
      bool answered = fgets(line, sizeof line, from) != NULL, open = out[i].kind == UNROLL_NOT_WITHIN;
      if (answered && !strcmp(line, "sat\n")) {
        if (open) out[i] = (unroll_result){UNROLL_BROKEN, depth};
      } else if (!answered || strcmp(line, "unsat\n")) {
        if (open) out[i].kind = UNROLL_UNSURE;
      }
    }
}

static bool run_z3(const unrolling *u, size_t steps, unroll_result *out) {
  char path[] = "/tmp/whet-unroll-XXXXXX";
  int file = mkstemp(path);
  if (file < 0) return false;
  bool written = write(file, u->script.at, u->script.count) == (ssize_t)u->script.count;
  close(file);
  char *command = text_format("z3 -smt2 -T:60 %s 2>&1", path);
  FILE *answers = written ? popen(command, "r") : NULL;
  if (answers) {
    read_answers(u->m, steps, answers, out);
    while (fgetc(answers) != EOF) {
    }
    pclose(answers);
  }
  memory_free(command);
  unlink(path);
  return answers != NULL;
}

bool unroll(const model *m, size_t steps, unroll_result *out) {
  unrolling u = {.m = m, .now = substitution_new(m->terms)};
  text_add(&u.script, "(set-option :rlimit 20000000)\n");
  copy_states(&u, 0);
  enter_step(&u, 0);
  assert_term(&u, now(&u, m->init));
  for (size_t step = 0;; step++) {
    for (size_t i = 0; i < m->properties.count; i++) ask(&u, &m->properties.at[i]);
    if (step == steps) break;
    assert_step(&u, step + 1);
    enter_step(&u, step + 1);
  }
  bool ran = run_z3(&u, steps, out);
  text_clear(&u.script);
  VECTOR_FREE(u.copies);
  substitution_free(u.now);
  return ran;
}
