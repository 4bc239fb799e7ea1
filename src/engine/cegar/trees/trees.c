/* The iteration: abstract facts until there are no more, or a tree; the tree is a derivation, or gives predicates.
 *
 *   clause_abstraction.c      abstract facts
 *   clause_post.c            the questions about one clause
 *   counterexample.c          a tree of clauses, and whether it is a derivation
 *   counterexample_refine.c   predicates from one that is none
 *   engine/separate.c         formulas between two others */
#include "engine/cegar/trees/trees.h"

#include "engine/cegar/trees/counterexample.h"
#include "proof/clause_rewriting.h"
#include "term/print.h"

struct tree_refinement {
  engine_environment *env;
  clause_abstraction abstraction;
  counterexample tree;
  bool is_as_read; /* the clauses are, for the way back from rewritten ones was not found */
  uint64_t iterations, refinements;
};

bool tree_refinement_treats(const model *m) {
  return m->clauses && (m->clauses->are_trees || (m->clauses->is_horn && terms_have_reals(m->terms)));
}

static void begin(tree_refinement *t, const clauses *all) {
  clause_abstraction_open(&t->abstraction, t->env, all);
  counterexample_open(&t->tree, &t->abstraction);
}

static void end(tree_refinement *t) {
  counterexample_close(&t->tree);
  clause_abstraction_close(&t->abstraction);
}

tree_refinement *tree_refinement_new(engine_environment *env) {
  tree_refinement *t = MEMORY_NEW(tree_refinement);
  t->env = env;
  t->is_as_read = !env->model->clauses->rewritten;
  begin(t, clauses_lowered(env->model->clauses));
  return t;
}

void tree_refinement_free(tree_refinement *t) {
  if (!t) return;
  end(t);
  memory_free(t);
}

/* ---- reports ---- */

static void count(const tree_refinement *t) {
  const clause_abstraction *a = &t->abstraction;
  statistics *s = t->env->statistics;
  s->iterations = t->iterations;
  s->refinements = t->refinements;
  s->predicates = clause_abstraction_predicates(a);
  s->abstract_states = a->facts.count;
  s->answered_solver = a->checks + t->tree.questions;
  s->cache_hits = a->known;
  s->queries = s->answered_solver + s->cache_hits;
  s->unsure = a->unsure;
  events_progress(t->env->events, "%zu predicates, %zu abstract facts", (size_t)s->predicates, a->facts.count);
}

/* `known[i]`: how many predicates the relation had before; NULL if there are no new ones. `before`: all of them. */
static void report_iteration(const tree_refinement *t, const size_t *known, size_t before, bool has_tree) {
  const clause_abstraction *a = &t->abstraction;
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "predicates", before);
  json_field_count(&w, "abstract_states", a->facts.count);
  if (has_tree) json_field_count(&w, "counterexample", t->tree.nodes.count);
  json_field_count(&w, "queries", a->checks + t->tree.questions);
  json_field_array(&w, "new_predicates");
  for (size_t i = 0; i < a->relations.count && known; i++)
    for (size_t j = known[i]; j < a->relations.at[i].predicates.count; j++) {
      char *shown = term_string(a->ts, a->relations.at[i].predicates.at[j]);
      char *about = text_format("%s: %s", a->all->predicates.at[i].name, shown);
      json_add_string(&w, about);
      memory_free(about);
      memory_free(shown);
    }
  json_end_array(&w);
  events_iteration(t->env->events, &w);
}

/* ---- the end ---- */

/* Why what was found out about rewritten clauses cannot be said of those as read; NULL: it was. */
static GIVE char *say_as_read(const tree_refinement *t, claim *out) {
  if (t->is_as_read) return NULL;
  return clause_rewriting_back(t->env->model, t->env->property, &out->evidence, t->env->budget);
}

/* Predicates stay: their parameters are the same. */
static engine_status go_on_as_read(tree_refinement *t) {
  const clauses *all = t->env->model->clauses;
  VECTOR(term_vector) kept = {0};
  for (size_t i = 0; i < t->abstraction.relations.count; i++) {
    term_vector predicates = {0};
    VECTOR_COPY(predicates, t->abstraction.relations.at[i].predicates);
    VECTOR_PUSH(kept, predicates);
  }
  end(t);
  t->is_as_read = true;
  begin(t, all);
  for (uint32_t i = 0; i < kept.count; i++) {
    for (size_t j = 0; j < kept.at[i].count; j++) clause_abstraction_add(&t->abstraction, i, kept.at[i].at[j]);
    VECTOR_FREE(kept.at[i]);
  }
  VECTOR_FREE(kept);
  return ENGINE_GOES_ON;
}

static engine_status claim_interpretation(tree_refinement *t, claim *out) {
  const clause_abstraction *a = &t->abstraction;
  report_iteration(t, NULL, clause_abstraction_predicates(a), false);
  out->verdict = VERDICT_SAFE;
  out->evidence.kind = EVIDENCE_INTERPRETATION;
  for (uint32_t i = 0; i < a->relations.count; i++)
    VECTOR_PUSH(out->evidence.interpretation, clause_abstraction_formula(a, i));
  char *why = say_as_read(t, out);
  if (!why) return ENGINE_DONE;
  events_note(t->env->events, "%s; asking about the clauses as read", why);
  memory_free(why);
  claim_clear(out);
  return go_on_as_read(t);
}

static engine_status claim_derivation(const tree_refinement *t, claim *out) {
  out->verdict = VERDICT_UNSAFE;
  char *why = say_as_read(t, out);
  if (why) claim_give_up(out, why);
  memory_free(why);
  return ENGINE_DONE;
}

/* ---- a tree ---- */

static engine_status refine(tree_refinement *t, claim *out) {
  clause_abstraction *a = &t->abstraction;
  size_t *known = MEMORY_ARRAY(size_t, a->relations.count + 1), before = clause_abstraction_predicates(a);
  for (size_t i = 0; i < a->relations.count; i++) known[i] = a->relations.at[i].predicates.count;
  size_t added = counterexample_refine(&t->tree);
  report_iteration(t, known, before, true);
  memory_free(known);
  const char *spent = budget_spent(t->env->budget);
  if (!added || spent) return claim_give_up(out, spent ? spent : "a spurious counterexample gives no new predicate");
  t->refinements++;
  clause_abstraction_restart(a);
  return ENGINE_GOES_ON;
}

static engine_status look_at_tree(tree_refinement *t, claim *out) {
  t->iterations++;
  if (!counterexample_unfold(&t->tree)) return claim_give_up(out, "an abstract derivation tree is too large");
  answer a = counterexample_check(&t->tree, &out->evidence);
  if (answer_is_yes(a)) {
    report_iteration(t, NULL, clause_abstraction_predicates(&t->abstraction), true);
    return claim_derivation(t, out);
  }
  return answer_is_no(a) ? refine(t, out) : claim_give_up(out, a.reason);
}

engine_status tree_refinement_step(tree_refinement *t, claim *out) {
  engine_status status = ENGINE_GOES_ON;
  switch (clause_abstraction_explore(&t->abstraction)) {
    case EXPLORE_GOES_ON: break;
    case EXPLORE_CLOSED:
      t->iterations++;
      status = claim_interpretation(t, out);
      break;
    case EXPLORE_QUERY: status = look_at_tree(t, out); break;
    case EXPLORE_TROUBLE: status = claim_give_up(out, t->abstraction.trouble); break;
  }
  count(t);
  return status;
}
