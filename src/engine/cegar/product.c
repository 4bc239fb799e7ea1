/* `whet invariants --engine cegar`: the abstract states that can be reached, as a formula for people (Lakhnech, Bensalem,
 * Berezin, Owre 2001, section 3.1: bdd2f, Example 1).
 *
 * The predicates are those that the engine has for the properties of the model, whatever it found out about them: proved,
 * violated or given up. All steps count here, also those from states that violate a property, so that what is printed holds
 * in every reachable state; it is the evidence too, and checked before it is printed. */
#include "engine/by_place.h"
#include "engine/cegar/path.h"
#include "term/print.h"

static bool is_wanted(const engine_environment *env, size_t property) {
  const struct property *p = &env->model->properties.at[property];
  bool is_of_states = p->kind == PROPERTY_SAFE || p->kind == PROPERTY_NO_FAULT || p->kind == PROPERTY_DEADLOCKFREE;
  const char *named = env->options->property;
  return property != env->property && is_of_states && (!named || !strcmp(named, p->name));
}

/* What the engine has in use for the properties. */
static void predicates_of_properties(engine_environment *env, term_vector *out) {
  for (size_t i = 0; i < env->model->properties.count && !budget_spent(env->budget); i++)
    if (is_wanted(env, i)) cegar_find_predicates(env, i, out);
}

static void print_names(const terms *ts, size_t count, const term *predicates, text *out) {
  for (size_t i = 0; i < count; i++) {
    text_add(out, "// a%zu: ", i + 1);
    term_print(ts, predicates[i], out);
    text_add(out, "\n");
  }
}

static void print_nested(abstraction *a, const cegar_tools *t, text *out) {
  VECTOR(char *) names = {0};
  for (size_t i = 0; i < t->predicates.count; i++) VECTOR_PUSH(names, text_format("a%zu", i + 1));
  print_names(t->ts, t->predicates.count, t->predicates.at, out);
  abstraction_print(a, (const char *const *)names.at, out);
  text_add(out, "\n");
  for (size_t i = 0; i < names.count; i++) memory_free(names.at[i]);
  VECTOR_FREE(names);
}

/* What holds of constants, and is no part of the abstract states. */
static void print_facts(const cegar_tools *t, text *out) {
  term_vector facts = {0};
  if (!term_is_true(t->system->facts)) term_conjuncts(t->ts, t->system->facts, &facts);
  for (size_t i = 0; i < facts.count; i++) {
    term_print(t->ts, facts.at[i], out);
    text_add(out, "\n");
  }
  VECTOR_FREE(facts);
}

static engine_status print_states(cegar_tools *t, claim *out) {
  abstraction_limits limits = {.nodes = ABSTRACTION_NODES, .work = ABSTRACTION_WORK};
  abstraction *a = abstraction_new(t->system, t->allsat, t->env->budget, t->predicates.count, t->predicates.at, limits);
  bool fine = !abstraction_trouble(a) && abstraction_reach(a, true) == REACH_SAFE &&
              by_place_invariant(t->system, a, TERM_TRUE, &out->evidence);
  text shown = {0};
  print_facts(t, &shown);
  if (fine && t->env->options->form == FORM_NESTED) print_nested(a, t, &shown);
  if (fine && t->env->options->form == FORM_CLAUSES) abstraction_print_clauses(a, &shown);
  if (fine && !abstraction_trouble(a)) {
    t->env->statistics->abstract_states = (uint64_t)abstraction_reached(a);
    t->env->statistics->predicates = t->predicates.count;
    events_product(t->env->events, text_string(&shown));
    out->verdict = VERDICT_SAFE;
  } else {
    claim_give_up(out, abstraction_trouble(a) ? abstraction_trouble(a) : "the abstract states cannot be listed");
  }
  text_clear(&shown);
  abstraction_free(a);
  return ENGINE_DONE;
}

engine_status cegar_make_product(engine_environment *env, claim *out) {
  term_vector found = {0};
  predicates_of_properties(env, &found);
  cegar_tools t = {.env = env, .ts = env->model->terms};
  t.solver = solver_new(t.ts, env->budget);
  t.sets = presburger_new(t.ts, 0);
  t.system = predicate_model_new_about(env->model, env->property, t.sets, found.count, found.at);
  t.allsat = allsat_new(t.ts, t.sets, t.solver, env->budget);
  allsat_assume(t.allsat, t.system->facts);
  for (size_t i = 0; i < found.count; i++) first_predicates_add(t.system, t.allsat, found.at[i], &t.predicates);
  engine_status status = t.system->trouble ? claim_give_up(out, t.system->trouble) : print_states(&t, out);
  allsat_free(t.allsat);
  predicate_model_free(t.system);
  presburger_free(t.sets);
  solver_free(t.solver);
  VECTOR_FREE(t.predicates);
  VECTOR_FREE(found);
  return status;
}
