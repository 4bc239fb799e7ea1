/* A finite abstract program from weakest preconditions alone (Namjoshi, Kurshan 2000).
 *
 *   simplify_in_context.c                 formulas made simpler, or expressed by known predicates (section 3.2)
 *   closure.c                             the rounds of Fig. 3, inputs (section 4.3)
 *   consistency_formula.c, realisable.c   Phi and Psi
 *   finite_program.c                      the abstract program, a model of its own (Fig. 3, step 3)
 *   states.c                              properties of states
 *   temporal.c, listed.c                  temporal properties
 *   product.c, export*.c                  the program as text
 *   here                                  one program after the other, with more rounds each, unless -K is given */
#include "engine/syntactic/syntactic.h"

#include "term/print.h"

/* Without -K: no more rounds are tried once there are so many predicates. */
enum { NODE_LIMIT = 3000000, MOST_PREDICATES = 256 };

/* For `whet abstract` without -K. */
enum { ROUNDS_FOR_PRODUCT = 8 };

static void *syntactic_open(engine_environment *env) {
  syntactic *s = MEMORY_NEW(syntactic);
  s->env = env;
  s->ts = env->model->terms;
  return s;
}

static void syntactic_close(void *state) {
  syntactic *s = state;
  allsat_free(s->allsat);
  predicate_model_free(s->system);
  presburger_free(s->sets);
  solver_free(s->solver);
  VECTOR_FREE(s->preserved);
  memory_free(s);
}

/* ---- what is preserved ---- */

/* The parser bounds the depth of formulas. */
static void add_states_of(const temporal *f, term_vector *out) {
  if (f->kind == TEMPORAL_STATE) VECTOR_PUSH(*out, f->state);
  if (f->left) add_states_of(f->left, out);
  if (f->right) add_states_of(f->right, out);
}

static void add_property(syntactic *s, const property *p) {
  if (property_is_temporal(p))
    add_states_of(p->formula, &s->preserved);
  else if (p->kind == PROPERTY_SAFE)
    VECTOR_PUSH(s->preserved, p->bad);
}

static void choose_preserved(syntactic *s) {
  const model *m = s->env->model;
  for (size_t i = 0; i < m->properties.count; i++)
    if (s->env->wants_product || i == s->env->property) add_property(s, &m->properties.at[i]);
  for (size_t i = 0; i < m->fairness.count; i++)
    if (m->fairness.at[i].kind == FAIR_STATE)
      VECTOR_PUSH(s->preserved, m->fairness.at[i].state);
    else if (m->fairness.at[i].kind == FAIR_FORMULA)
      add_states_of(m->fairness.at[i].formula, &s->preserved);
  for (size_t i = 0; i < m->predicates.count; i++) VECTOR_PUSH(s->preserved, m->predicates.at[i]);
}

/* Properties of states that mention inputs are turned into formulas over the state: these are preserved too. */
static const char *find_bad(syntactic *s) {
  if (property_is_temporal(&s->env->model->properties.at[s->env->property])) return NULL;
  if (!closure_without_inputs(s->system, s->sets, s->system->bad, &s->bad))
    return "the inputs of the property cannot be eliminated";
  VECTOR_PUSH(s->preserved, s->bad);
  return NULL;
}

static const char *start(syntactic *s) {
  const engine_environment *env = s->env;
  bool temporal = property_is_temporal(&env->model->properties.at[env->property]);
  s->solver = solver_new(s->ts, env->budget);
  s->sets = presburger_new(s->ts, 0);
  choose_preserved(s);
  s->system = predicate_model_new_about(env->model, temporal ? SIZE_MAX : env->property, s->sets, s->preserved.count,
                                        s->preserved.at);
  if (s->system->trouble) return s->system->trouble;
  s->allsat = allsat_new(s->ts, s->sets, s->solver, env->budget);
  allsat_assume(s->allsat, s->system->facts);
  s->rounds = env->options->closure ? env->options->closure : env->wants_product ? ROUNDS_FOR_PRODUCT : 1;
  return find_bad(s);
}

/* ---- reports ---- */

static void count(syntactic *s, const closure *c) {
  statistics *n = s->env->statistics;
  allsat_statistics a = allsat_statistics_of(s->allsat);
  n->iterations = s->iterations;
  n->predicates = c->old;
  n->queries = a.questions;
  n->answered_sets = a.by_sets;
  n->answered_difference = a.by_differences;
  n->answered_solver = solver_statistics_of(s->solver)->checks;
  n->cache_hits = a.reused;
  n->unsure = a.unsure;
}

static size_t count_mixed(const closure *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->actions.count; i++) n += c->actions.at[i].mixed.count;
  return n;
}

static void report_iteration(const syntactic *s, const finite_program *p) {
  const closure *c = p->closure;
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "rounds", c->rounds);
  json_field_count(&w, "predicates", c->old);
  json_field_count(&w, "new", c->predicates.count - c->old);
  json_field_count(&w, "mixed", count_mixed(c));
  json_field_count(&w, "defined", c->defined);
  json_field_string(&w, "consistency", p->grouped ? "grouped" : "joint");
  json_field_bool(&w, "exact", p->exact);
  json_field_count(&w, "abstract_states", s->env->statistics->abstract_states);
  json_field_count(&w, "queries", allsat_statistics_of(s->allsat).questions);
  events_iteration(s->env->events, &w);
}

static void report_program(const syntactic *s, const finite_program *p) {
  events_note(s->env->events, "abstract program, rounds: %zu, predicates: %zu, %s%s%s, consistency %s, states: %llu",
              p->closure->rounds, p->closure->old, p->exact ? "exact" : "not exact (", p->exact ? "" : p->inexact,
              p->exact ? "" : ")", p->grouped ? "grouped" : "joint",
              (unsigned long long)s->env->statistics->abstract_states);
}

static void report_predicates(const syntactic *s, const closure *c) {
  for (size_t i = 0; i < c->old; i++) events_predicate(s->env->events, s->ts, c->predicates.at[i]);
}

/* ---- one program ---- */

static void open_diagrams(syntactic *s, checked_program *p) {
  model *m = p->program->model;
  const property *from = &s->env->model->properties.at[s->env->property];
  if (!property_is_temporal(from))
    model_add_property(m, from->name, PROPERTY_SAFE, from->place)->bad = finite_program_map(p->program, s->bad);
  p->property = m->properties.count ? 0 : SIZE_MAX;
  p->system = predicate_model_new_about(m, p->property, s->sets, 0, NULL);
  p->diagrams =
      abstraction_new(p->system, s->allsat, s->env->budget, 0, NULL, (abstraction_limits){.nodes = NODE_LIMIT});
}

static void close_program(checked_program *p) {
  abstraction_free(p->diagrams);
  predicate_model_free(p->system);
  finite_program_free(p->program);
}

program_consistency syntactic_consistency(const syntactic *s) {
  return s->env->options->consistency == CONSISTENCY_OPTION_GROUPED ? CONSISTENCY_GROUPED : CONSISTENCY_ANY;
}

static engine_status decide(syntactic *s, const closure *c, claim *out) {
  checked_program p = {.program = finite_program_new(c, syntactic_consistency(s))};
  engine_status status;
  s->env->statistics->abstract_states = 0;
  if (p.program->trouble) {
    status = claim_give_up(out, p.program->trouble);
  } else {
    open_diagrams(s, &p);
    bool temporal = property_is_temporal(&s->env->model->properties.at[s->env->property]);
    status = temporal ? syntactic_check_temporal(s, &p, out) : syntactic_check_states(s, &p, out);
    report_iteration(s, p.program);
    report_program(s, p.program);
  }
  close_program(&p);
  return status;
}

static engine_status next_program(syntactic *s, claim *out) {
  closure_limits limits = {.rounds = s->rounds, .predicates = s->env->options->closure ? 0 : MOST_PREDICATES};
  s->iterations++;
  events_progress(s->env->events, "at most %zu rounds", s->rounds);
  closure *c = closure_new(s->system, s->allsat, s->sets, s->env->budget, s->preserved.count, s->preserved.at, limits);
  bool too_many = c->rounds < s->rounds && c->old < c->predicates.count;
  engine_status status = c->trouble              ? claim_give_up(out, c->trouble)
                         : s->env->wants_product ? syntactic_make_product(s, c, out)
                                                 : decide(s, c, out);
  if (status == ENGINE_GOES_ON && too_many) status = claim_give_up(out, CLOSURE_TOO_MANY);
  count(s, c);
  if (status == ENGINE_DONE) report_predicates(s, c);
  closure_free(c);
  s->rounds++;
  return status;
}

static engine_status syntactic_step(void *state, claim *out) {
  syntactic *s = state;
  if (!s->solver) {
    const char *trouble = start(s);
    if (trouble) return claim_give_up(out, trouble);
  }
  return next_program(s, out);
}

const engine engine_syntactic = {
    .name = "syntactic",
    .title = "a finite abstract program by closure under weakest preconditions",
    .paper = "Namjoshi, Kurshan: Syntactic Program Transformations for Automatic Abstraction (CAV 2000)",
    .limits = ENGINE_NO_HEAP,
    .open = syntactic_open,
    .step = syntactic_step,
    .close = syntactic_close,
};
