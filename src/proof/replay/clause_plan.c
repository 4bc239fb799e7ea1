/* A variable that is an argument has the argument's value; one that an equation of the constraint gives as a function
 * of others has that. Those that are left are chosen by the caller, or 0. Whether that is right is computed, exactly. */
#include "proof/replay/clause_plan.h"

#include "term/exact_code.h"
#include "term/substitute.h"

typedef struct assignment_step {
  variable var;
  enum { FROM_BODY, FROM_HEAD, FROM_EQUATION, FROM_CALLER } from;
  size_t atom;     /* FROM_BODY */
  size_t argument; /* FROM_BODY, FROM_HEAD */
  term value;      /* FROM_EQUATION */
} assignment_step;

/* What has to be so: a conjunct of the constraint is true, or an argument has the value that an atom gives it. */
typedef struct plan_check {
  term t;
  enum { IS_TRUE, IS_OF_BODY, IS_OF_HEAD } kind;
  size_t atom, argument;
  exact_place at;
} plan_check;

/* What is computed after so many assignments: the value of an equation, if the last was one, and what can be checked. */
typedef struct plan_stage {
  size_t stage, stage_of_checks, first, end; /* of `checks` */
  bool has_checks;
  exact_place value;
} plan_stage;

struct clause_plan {
  terms *ts;
  const clause *clause;
  bool with_head;
  VECTOR(assignment_step) steps;
  number_vector assignment;  /* by variable */
  term_vector parts;         /* of the constraint, and what follows from these if truth values are put in */
  term rest;                 /* what is left of the constraint then */
  exact_code *code;          /* NULL: the steps have changed */
  VECTOR(plan_stage) stages; /* before the first step, and after each */
  VECTOR(plan_check) checks;
  VECTOR(exact_place) head; /* arguments */
  size_t last_stage;        /* computes these */
  clause_chooser *choose;
  void *context;
};

bool clause_plan_gives(const clause_plan *p, variable v) {
  for (size_t i = 0; i < p->steps.count; i++)
    if (variable_same(p->steps.at[i].var, v)) return true;
  return false;
}

static bool is_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE ||
                                 kind == TERM_REAL_VARIABLE || kind == TERM_ARRAY_VARIABLE);
}

static void plan_arguments(clause_plan *p, const term_vector *arguments, bool is_head, size_t atom) {
  for (size_t i = 0; i < arguments->count; i++) {
    term t = arguments->at[i];
    if (!is_variable(p->ts, t) || clause_plan_gives(p, term_variable(p->ts, t))) continue;
    VECTOR_PUSH(p->steps, (assignment_step){term_variable(p->ts, t), is_head ? FROM_HEAD : FROM_BODY, atom, i, t});
  }
}

/* The one variable of the term that is not known yet; false if there are more, or none. */
static bool one_unknown(const clause_plan *p, term t, variable *out) {
  variable_vector inside = {0};
  size_t unknown = 0;
  term_variables(p->ts, 1, &t, &inside);
  for (size_t i = 0; i < inside.count; i++) {
    if (clause_plan_gives(p, inside.at[i])) continue;
    unknown++;
    *out = inside.at[i];
  }
  VECTOR_FREE(inside);
  return unknown == 1;
}

/* sum = 0, in which the variable stands alone and nowhere else; an integer with coefficient 1 or -1. */
static bool solve_for(const clause_plan *p, term sum, variable v, term *out) {
  linear l = term_linear(p->ts, sum);
  for (size_t i = 0; i < l.count; i++) {
    bool is_it = is_variable(p->ts, l.leaves[i]) && variable_same(term_variable(p->ts, l.leaves[i]), v);
    bool plus = number_is(l.coefficients[i], 1), minus = number_is(l.coefficients[i], -1);
    bool is_real = variable_type(p->ts, v)->sort == SORT_REAL;
    if (!is_it || (!plus && !minus && !is_real)) continue;
    term leaf = l.leaves[i], part = term_scale(p->ts, number_quotient(number_of(-1), l.coefficients[i]), sum);
    *out = term_add(p->ts, leaf, part);
    return !term_mentions(p->ts, *out, v);
  }
  return false;
}

/* One side is the variable, which the other does not mention. */
static bool solve_sides(const clause_plan *p, term t, variable v, term *out) {
  for (size_t i = 0; i < 2; i++) {
    term side = term_argument(p->ts, t, i);
    *out = term_argument(p->ts, t, 1 - i);
    if (is_variable(p->ts, side) && variable_same(term_variable(p->ts, side), v)) return !term_mentions(p->ts, *out, v);
  }
  return false;
}

/* What the conjunct says that the variable is. */
static bool solve_conjunct(const clause_plan *p, term t, variable v, term *out) {
  bool is_negated = term_is_negated(t);
  switch (term_kind_of(p->ts, t)) {
    case TERM_BOOL_VARIABLE: *out = term_of_bool(!is_negated); return true;
    case TERM_EQ: return !is_negated && solve_for(p, term_argument(p->ts, t, 0), v, out);
    case TERM_ARRAY_SAME: return !is_negated && solve_sides(p, t, v, out);
    case TERM_IFF:
      if (!solve_sides(p, t, v, out)) return false;
      if (is_negated) *out = term_not(*out);
      return true;
    default: return false;
  }
}

/* True if the conjunct gives one more variable. */
static bool plan_conjunct(clause_plan *p, term t) {
  assignment_step made = {.from = FROM_EQUATION};
  if (!one_unknown(p, t, &made.var) || !solve_conjunct(p, t, made.var, &made.value)) return false;
  VECTOR_PUSH(p->steps, made);
  return true;
}

static void plan_equations(clause_plan *p) {
  bool more = true;
  while (more) {
    more = false;
    for (size_t i = 0; i < p->parts.count; i++) more |= plan_conjunct(p, p->parts.at[i]);
  }
}

/* Notes the boolean variables that `t` says to be true or false; true if there are any. */
static bool set_truths(const clause_plan *p, term t, substitution *s) {
  term_vector parts = {0};
  bool any = false;
  term_conjuncts(p->ts, t, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    if (term_kind_of(p->ts, parts.at[i]) != TERM_BOOL_VARIABLE) continue;
    substitution_set(s, term_variable(p->ts, parts.at[i]), term_of_bool(!term_is_negated(parts.at[i])));
    any = true;
  }
  VECTOR_FREE(parts);
  return any;
}

/* The parts of what is left; then, while some say that variables are true or false, of what is left with those values. */
static void find_parts(clause_plan *p) {
  enum { MOST_ROUNDS = 50 };
  substitution *s = substitution_new(p->ts);
  term_conjuncts(p->ts, p->rest, &p->parts);
  for (size_t i = 0; i < MOST_ROUNDS && set_truths(p, p->rest, s); i++) {
    p->rest = substitution_apply(s, p->rest);
    substitution_clear(s);
    term_conjuncts(p->ts, p->rest, &p->parts);
  }
  substitution_free(s);
}

clause_plan *clause_plan_new(terms *ts, const clause *c, bool with_head) {
  clause_plan *p = MEMORY_NEW(clause_plan);
  *p = (clause_plan){.ts = ts, .clause = c, .with_head = with_head, .rest = c->constraint};
  for (size_t i = 0; i < c->body.count; i++) plan_arguments(p, &c->body.at[i].arguments, false, i);
  if (with_head) plan_arguments(p, &c->head_arguments, true, 0);
  find_parts(p);
  plan_equations(p);
  for (size_t i = 0; i < variable_count(ts); i++) VECTOR_PUSH(p->assignment, number_of(0));
  return p;
}

static void forget_code(clause_plan *p) {
  exact_code_free(p->code);
  p->code = NULL;
  VECTOR_CLEAR(p->stages);
  VECTOR_CLEAR(p->checks);
  VECTOR_CLEAR(p->head);
}

void clause_plan_choose(clause_plan *p, variable v, clause_chooser *choose, void *context) {
  REQUIRE(!clause_plan_gives(p, v), "a variable that is not given");
  forget_code(p);
  p->choose = choose;
  p->context = context;
  VECTOR_PUSH(p->steps, ((assignment_step){.var = v, .from = FROM_CALLER}));
  plan_equations(p);
}

void clause_plan_assume(clause_plan *p, variable v, bool is_true) {
  REQUIRE(!clause_plan_gives(p, v), "a variable that is not given");
  forget_code(p);
  VECTOR_PUSH(p->steps, ((assignment_step){.var = v, .from = FROM_EQUATION, .value = term_of_bool(is_true)}));
  p->rest = term_replace(p->ts, p->rest, v, term_of_bool(is_true));
  find_parts(p);
  plan_equations(p);
}

term clause_plan_rest(const clause_plan *p) { return p->rest; }

const term_vector *clause_plan_parts(const clause_plan *p) { return &p->parts; }

void clause_plan_free(clause_plan *p) {
  if (!p) return;
  exact_code_free(p->code);
  VECTOR_FREE(p->stages);
  VECTOR_FREE(p->checks);
  VECTOR_FREE(p->head);
  VECTOR_FREE(p->parts);
  VECTOR_FREE(p->steps);
  VECTOR_FREE(p->assignment);
  memory_free(p);
}

bool clause_plan_is_whole(const clause_plan *p) {
  for (size_t i = 0; i < p->clause->variables.count; i++)
    if (!clause_plan_gives(p, p->clause->variables.at[i])) return false;
  return true;
}

/* ---- computing ---- */

/* After how many steps all variables of the term have their values; those that no step gives are 0 all along. */
static size_t known_after(const clause_plan *p, term t) {
  variable_vector inside = {0};
  size_t after = 0;
  term_variables(p->ts, 1, &t, &inside);
  for (size_t i = 0; i < inside.count; i++)
    for (size_t j = after; j < p->steps.count; j++)
      if (variable_same(p->steps.at[j].var, inside.at[i])) after = j + 1;
  VECTOR_FREE(inside);
  return after;
}

/* The argument is a variable whose value is taken from there. */
static bool is_taken(const clause_plan *p, const plan_check *c) {
  if (!is_variable(p->ts, c->t)) return false;
  for (size_t i = 0; i < p->steps.count; i++) {
    const assignment_step *s = &p->steps.at[i];
    if (!variable_same(s->var, term_variable(p->ts, c->t))) continue;
    if (c->kind == IS_OF_HEAD) return s->from == FROM_HEAD && s->argument == c->argument;
    return s->from == FROM_BODY && s->atom == c->atom && s->argument == c->argument;
  }
  return false;
}

typedef VECTOR(plan_check) plan_checks;

static void list_arguments(const clause_plan *p, const term_vector *arguments, plan_check like, plan_checks *out) {
  for (size_t i = 0; i < arguments->count; i++) {
    like.t = arguments->at[i];
    like.argument = i;
    if (!is_taken(p, &like)) VECTOR_PUSH(*out, like);
  }
}

static void list_checks(const clause_plan *p, plan_checks *out) {
  const clause *c = p->clause;
  term_vector parts = {0};
  term_conjuncts(p->ts, c->constraint, &parts);
  for (size_t i = 0; i < parts.count; i++) VECTOR_PUSH(*out, ((plan_check){.t = parts.at[i], .kind = IS_TRUE}));
  VECTOR_FREE(parts);
  for (size_t i = 0; i < c->body.count; i++)
    list_arguments(p, &c->body.at[i].arguments, (plan_check){.kind = IS_OF_BODY, .atom = i}, out);
  if (p->with_head) list_arguments(p, &c->head_arguments, (plan_check){.kind = IS_OF_HEAD}, out);
}

/* What can be checked after `done` steps and not before. */
static void add_checks(clause_plan *p, const plan_checks *all, const size_t *after, size_t done, plan_stage *to) {
  term_vector roots = {0};
  to->first = p->checks.count;
  for (size_t i = 0; i < all->count; i++) {
    if (after[i] != done) continue;
    VECTOR_PUSH(roots, all->at[i].t);
    VECTOR_PUSH(p->checks, all->at[i]);
  }
  to->end = p->checks.count;
  to->has_checks = roots.count > 0;
  if (to->has_checks) to->stage_of_checks = exact_code_add(p->code, roots.count, roots.at);
  for (size_t i = to->first; i < to->end; i++) p->checks.at[i].at = exact_code_place(p->code, p->checks.at[i].t);
  VECTOR_FREE(roots);
}

/* A formula is evaluated as soon as its variables are known. */
static void compile(clause_plan *p) {
  plan_checks all = {0};
  list_checks(p, &all);
  size_t *after = MEMORY_ARRAY(size_t, all.count + 1);
  for (size_t i = 0; i < all.count; i++) after[i] = known_after(p, all.at[i].t);
  p->code = exact_code_new(p->ts);
  for (size_t i = 0; i <= p->steps.count; i++) {
    plan_stage made = {0};
    if (i && p->steps.at[i - 1].from == FROM_EQUATION) {
      made.stage = exact_code_add(p->code, 1, &p->steps.at[i - 1].value);
      made.value = exact_code_place(p->code, p->steps.at[i - 1].value);
    }
    add_checks(p, &all, after, i, &made);
    VECTOR_PUSH(p->stages, made);
  }
  const term_vector *head = &p->clause->head_arguments;
  p->last_stage = exact_code_add(p->code, head->count, head->at);
  for (size_t i = 0; i < head->count; i++) VECTOR_PUSH(p->head, exact_code_place(p->code, head->at[i]));
  memory_free(after);
  VECTOR_FREE(all);
}

/* One application. */
typedef struct application {
  clause_plan *plan;
  array_versions *arrays;
  const number_vector *const *body;
  const number_vector *head;
} application;

static bool is_right(const application *a, const plan_check *c) {
  number n = exact_code_value(a->plan->code, c->at);
  if (c->kind == IS_TRUE) return number_is(n, 1);
  number wanted = c->kind == IS_OF_BODY ? a->body[c->atom]->at[c->argument] : a->head->at[c->argument];
  if (a->arrays && kind_is_array(term_kind_of(a->plan->ts, c->t))) return array_versions_same(a->arrays, n, wanted);
  return number_equal(n, wanted);
}

static bool checks_hold(const application *a, const plan_stage *s) {
  clause_plan *p = a->plan;
  if (!s->has_checks) return true;
  exact_code_run(p->code, s->stage_of_checks, p->assignment.at, a->arrays);
  for (size_t i = s->first; i < s->end; i++)
    if (!is_right(a, &p->checks.at[i])) return false;
  return true;
}

static number value_of_equation(const application *a, const plan_stage *s) {
  exact_code_run(a->plan->code, s->stage, a->plan->assignment.at, a->arrays);
  return exact_code_value(a->plan->code, s->value);
}

/* False if an integer would have a value that is none. */
static bool assign(const application *a, const assignment_step *s, const plan_stage *stage) {
  clause_plan *p = a->plan;
  number n = s->from == FROM_BODY     ? a->body[s->atom]->at[s->argument]
             : s->from == FROM_HEAD   ? a->head->at[s->argument]
             : s->from == FROM_CALLER ? p->choose(p->context, s->var, p->assignment.at)
                                      : value_of_equation(a, stage);
  p->assignment.at[s->var.x] = n;
  return !n.big || number_is_integer(n) || variable_type(p->ts, s->var)->sort == SORT_REAL;
}

bool clause_plan_apply_on(clause_plan *p, array_versions *arrays, const number_vector *const *body,
                          const number_vector *head, number_vector *values, number_vector *derived) {
  const clause *c = p->clause;
  const application a = {p, arrays, body, head};
  if (!p->code) compile(p);
  if (!checks_hold(&a, &p->stages.at[0])) return false;
  for (size_t i = 0; i < p->steps.count; i++)
    if (!assign(&a, &p->steps.at[i], &p->stages.at[i + 1]) || !checks_hold(&a, &p->stages.at[i + 1])) return false;
  exact_code_run(p->code, p->last_stage, p->assignment.at, arrays);
  for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(*values, p->assignment.at[c->variables.at[i].x]);
  for (size_t i = 0; i < p->head.count; i++) VECTOR_PUSH(*derived, exact_code_value(p->code, p->head.at[i]));
  return true;
}

bool clause_plan_apply(clause_plan *p, const number_vector *const *body, const number_vector *head,
                       number_vector *values, number_vector *derived) {
  return clause_plan_apply_on(p, NULL, body, head, values, derived);
}
