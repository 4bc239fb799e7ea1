/* A variable that is an argument has the argument's value; one that an equation of the constraint gives as a function
 * of others has that. Those that are left are chosen by the caller, or 0. Whether that is right is computed, exactly. */
#include "proof/clause_plan.h"

#include "term/evaluate.h"
#include "term/substitute.h"

typedef struct assignment_step {
  variable var;
  enum { FROM_BODY, FROM_HEAD, FROM_EQUATION, FROM_CALLER } from;
  size_t atom;     /* FROM_BODY */
  size_t argument; /* FROM_BODY, FROM_HEAD */
  term value;      /* FROM_EQUATION */
} assignment_step;

struct clause_plan {
  terms *ts;
  const clause *clause;
  bool with_head;
  VECTOR(assignment_step) steps;
  number_vector assignment; /* by variable */
  term_vector parts;        /* of the constraint, and what follows from these if truth values are put in */
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

/* The parts of the constraint; then, while some say that variables are true or false, what is left with those values. */
static void find_parts(clause_plan *p) {
  enum { MOST_ROUNDS = 50 };
  substitution *s = substitution_new(p->ts);
  term rest = p->clause->constraint;
  term_conjuncts(p->ts, rest, &p->parts);
  for (size_t i = 0; i < MOST_ROUNDS && set_truths(p, rest, s); i++) {
    rest = substitution_apply(s, rest);
    substitution_clear(s);
    term_conjuncts(p->ts, rest, &p->parts);
  }
  substitution_free(s);
}

clause_plan *clause_plan_new(terms *ts, const clause *c, bool with_head) {
  clause_plan *p = MEMORY_NEW(clause_plan);
  *p = (clause_plan){.ts = ts, .clause = c, .with_head = with_head};
  for (size_t i = 0; i < c->body.count; i++) plan_arguments(p, &c->body.at[i].arguments, false, i);
  if (with_head) plan_arguments(p, &c->head_arguments, true, 0);
  find_parts(p);
  plan_equations(p);
  for (size_t i = 0; i < variable_count(ts); i++) VECTOR_PUSH(p->assignment, number_of(0));
  return p;
}

void clause_plan_choose(clause_plan *p, variable v, clause_chooser *choose, void *context) {
  REQUIRE(!clause_plan_gives(p, v), "a variable that is not given");
  p->choose = choose;
  p->context = context;
  VECTOR_PUSH(p->steps, ((assignment_step){.var = v, .from = FROM_CALLER}));
  plan_equations(p);
}

const term_vector *clause_plan_parts(const clause_plan *p) { return &p->parts; }

void clause_plan_free(clause_plan *p) {
  if (!p) return;
  VECTOR_FREE(p->parts);
  VECTOR_FREE(p->steps);
  VECTOR_FREE(p->assignment);
  memory_free(p);
}

static bool is_equal(const clause_plan *p, const term_vector *arguments, const number_vector *values) {
  for (size_t i = 0; i < arguments->count; i++)
    if (!number_equal(term_evaluate(p->ts, arguments->at[i], p->assignment.at), values->at[i])) return false;
  return true;
}

bool clause_plan_is_whole(const clause_plan *p) {
  for (size_t i = 0; i < p->clause->variables.count; i++)
    if (!clause_plan_gives(p, p->clause->variables.at[i])) return false;
  return true;
}

bool clause_plan_apply(clause_plan *p, const number_vector *const *body, const number_vector *head,
                       number_vector *values, number_vector *derived) {
  const clause *c = p->clause;
  for (size_t i = 0; i < p->steps.count; i++) {
    const assignment_step *s = &p->steps.at[i];
    p->assignment.at[s->var.x] = s->from == FROM_BODY     ? body[s->atom]->at[s->argument]
                                 : s->from == FROM_HEAD   ? head->at[s->argument]
                                 : s->from == FROM_CALLER ? p->choose(p->context, s->var, p->assignment.at)
                                                          : term_evaluate(p->ts, s->value, p->assignment.at);
    bool is_real = variable_type(p->ts, s->var)->sort == SORT_REAL;
    if (!is_real && !number_is_integer(p->assignment.at[s->var.x])) return false; /* an integer has no such value */
  }
  bool right = true;
  for (size_t i = 0; i < c->body.count && right; i++) right = is_equal(p, &c->body.at[i].arguments, body[i]);
  right = right && number_is(term_evaluate(p->ts, c->constraint, p->assignment.at), 1) &&
          (!p->with_head || is_equal(p, &c->head_arguments, head));
  if (!right) return false;
  for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(*values, p->assignment.at[c->variables.at[i].x]);
  for (size_t i = 0; i < c->head_arguments.count; i++)
    VECTOR_PUSH(*derived, term_evaluate(p->ts, c->head_arguments.at[i], p->assignment.at));
  return true;
}
