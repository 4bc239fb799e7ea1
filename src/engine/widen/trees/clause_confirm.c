/* The constraint of the tree: those of its clauses, each with variables of its own, and that premises are what bodies ask for. */
#include "engine/widen/trees/clause_confirm.h"

#include "term/substitute.h"

/* A clause of the tree with its variables replaced. */
typedef struct clause_copy {
  const clause *clause;
  substitution *to;
  variable_vector own; /* for the clause's variables, in their order */
} clause_copy;

static clause_copy copy_of(clause_system *s, const clause *c) {
  clause_copy made = {.clause = c, .to = substitution_new(s->ts)};
  for (size_t i = 0; i < c->variables.count; i++) {
    type of = *variable_type(s->ts, c->variables.at[i]);
    VECTOR_PUSH(made.own, variable_fresh(s->ts, "instance", &of));
    substitution_set(made.to, c->variables.at[i], term_of_variable(s->ts, made.own.at[i]));
  }
  return made;
}

static void assert_copy(clause_system *s, solver *asked, const clause_copy *all, const tree_shape *shape,
                        const clause_copy *c) {
  solver_assert(asked, substitution_apply(c->to, c->clause->constraint));
  for (size_t i = 0; i < c->clause->body.count; i++) {
    const clause_copy *premise = &all[shape->premises.at[i]];
    const term_vector *arguments = &c->clause->body.at[i].arguments;
    for (size_t j = 0; j < arguments->count; j++)
      solver_assert(asked, term_eq(s->ts, substitution_apply(c->to, arguments->at[j]),
                                   substitution_apply(premise->to, premise->clause->head_arguments.at[j])));
  }
}

static void read_derivation(solver *asked, const tree_shapes *tree, const clause_copy *all, evidence *out) {
  out->kind = EVIDENCE_DERIVATION;
  for (size_t i = 0; i < tree->count; i++) {
    derivation_step made = {.clause = tree->at[i].clause};
    for (size_t j = 0; j < tree->at[i].premises.count; j++) VECTOR_PUSH(made.premises, tree->at[i].premises.at[j]);
    for (size_t j = 0; j < all[i].own.count; j++) VECTOR_PUSH(made.values, solver_value(asked, all[i].own.at[j]));
    VECTOR_PUSH(out->derivation, made);
  }
}

answer clause_confirm(clause_system *s, const tree_shapes *tree, evidence *out) {
  solver *asked = solver_new(s->ts, s->env->budget);
  clause_copy *all = MEMORY_ARRAY(clause_copy, tree->count + 1);
  for (size_t i = 0; i < tree->count; i++) {
    all[i] = copy_of(s, &s->all->clauses.at[tree->at[i].clause]);
    assert_copy(s, asked, all, &tree->at[i], &all[i]);
  }
  answer a = solver_check(asked, 0);
  s->env->statistics->queries++;
  s->env->statistics->unsure += answer_is_unsure(a);
  if (answer_is_yes(a)) read_derivation(asked, tree, all, out);
  if (answer_is_unsure(a)) a = answer_unsure("whether a tree of clauses is a derivation could not be decided");
  for (size_t i = 0; i < tree->count; i++) {
    substitution_free(all[i].to);
    VECTOR_FREE(all[i].own);
  }
  memory_free(all);
  solver_free(asked);
  return a;
}
