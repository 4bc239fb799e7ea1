/* Whether what a run reached is closed under the clauses, also by cases of them that were not found yet: each is asked of a solver, with the sets of
 * its body and without that of its head (as Monniaux and Gonnord 2011 look for the next path worth following). */
#include "engine/widen/trees/clause_domain.h"

enum { CASES_A_PATH = 8 };

/* The set as a formula about a block of the clause. */
static term about_block(const clause_domain *d, const clause_steps *steps, size_t block, const element *e) {
  case_frame f = {.model = d->system->env->model, .space = d->system->space};
  for (size_t i = 0; i < steps->blocks.at[block].count; i++)
    frame_add(&f, steps->frame.dimensions.at[steps->blocks.at[block].at[i]]);
  term formula = elements_term(&f, element_set(e));
  frame_clear(&f);
  return formula;
}

/* Instances of the path's clause with sources in their sets whose end is in none. */
static term leading_out(const clause_domain *d, const run *r, uint32_t path) {
  const graph_rule *rule = &d->graph.rules.at[path];
  const cut_path *p = &d->graph.cuts.paths.at[path];
  const clause_steps *steps = &d->system->steps.at[rule->clause];
  term_vector parts = {0};
  VECTOR_PUSH(parts, term_not(about_block(d, steps, rule->target, run_final(r, p->to))));
  for (size_t i = 0; i < rule->sources.count; i++)
    if (rule->sources.at[i] != NO_BLOCK)
      VECTOR_PUSH(parts, about_block(d, steps, rule->sources.at[i], run_final(r, i ? p->beside.at[i - 1] : p->from)));
  term all = term_and_all(d->system->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

const char *clause_find_cases(clause_domain *d, const run *r, size_t *found) {
  const char *why = NULL;
  for (uint32_t i = 0; i < d->graph.rules.count && !why; i++) {
    uint32_t clause = d->graph.rules.at[i].clause;
    size_t added;
    if (!d->system->steps.at[clause].split) continue;
    term among = leading_out(d, r, i);
    why = term_is_false(among) ? NULL : clause_add_cases(d->system, clause, among, CASES_A_PATH, &added);
    if (!term_is_false(among)) *found += added;
  }
  return why ? why : polyhedra_failure(d->system->space);
}
