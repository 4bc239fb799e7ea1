/* One search on clauses: frames by the height of derivation trees, until the lemmas of a frame are inductive or a tree is
 * found.
 *
 *   tree_frames.c        lemmas and sets of derivable atoms
 *   clause_questions.c   the questions about one clause
 *   tree_block.c         obligations
 *   tree_lemma.c         lemmas that say more
 *   tree_evidence.c      a derivation, an interpretation */
#include "engine/pdr/trees/trees.h"

#include "proof/clause_rewriting.h"

/* Atoms that are to be excluded besides what derives "false". */
typedef struct tree_goal {
  uint32_t predicate;
  cube cube;
} tree_goal;

struct tree_search {
  engine_environment *env;
  tree_frames frames;
  tree_blocking blocking;
  bool is_as_read; /* the clauses are, for the way back from rewritten ones was not found */
  VECTOR(tree_goal) goals;
};

static void begin_frame(tree_search *s) {
  tree_blocking_begin(&s->blocking, tree_query(&s->frames), &(cube){0});
  for (size_t i = 0; i < s->goals.count; i++) {
    const tree_goal *g = &s->goals.at[i];
    if (!tree_frames_exclude(&s->frames, g->predicate, &g->cube, s->frames.top))
      tree_blocking_begin(&s->blocking, g->predicate, &g->cube);
  }
}

static void begin(tree_search *s, const clauses *all) {
  tree_frames_open(&s->frames, s->env, all);
  s->blocking.frames = &s->frames;
  s->frames.top = 1;
  begin_frame(s);
}

static void end(tree_search *s) {
  tree_blocking_clear(&s->blocking);
  tree_frames_close(&s->frames);
  s->blocking = (tree_blocking){0};
}

tree_search *tree_search_new(engine_environment *env) {
  tree_search *s = MEMORY_NEW(tree_search);
  s->env = env;
  s->is_as_read = !env->model->clauses->rewritten;
  begin(s, clauses_lowered(env->model->clauses));
  return s;
}

void tree_search_free(tree_search *s) {
  if (!s) return;
  end(s);
  for (size_t i = 0; i < s->goals.count; i++) VECTOR_FREE(s->goals.at[i].cube);
  VECTOR_FREE(s->goals);
  memory_free(s);
}

/* ---- the clauses as read ---- */

static void add_goal(tree_search *s, uint32_t predicate, size_t count, const term *literals) {
  tree_goal made = {.predicate = predicate};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(made.cube, literals[i]);
  VECTOR_PUSH(s->goals, made);
}

/* An argument that was left out because it is always equal to another one is. */
static void add_equality(tree_search *s, uint32_t predicate, dropped_argument d) {
  terms *ts = s->env->model->terms;
  const variable_vector *parameters = &s->env->model->clauses->predicates.at[predicate].parameters;
  if (d.same_as == NO_ARGUMENT) return;
  term one = term_of_variable(ts, parameters->at[d.argument]), other = term_of_variable(ts, parameters->at[d.same_as]);
  if (term_sort(ts, one) == SORT_BOOL) {
    add_goal(s, predicate, 2, (term[]){one, term_not(other)});
    add_goal(s, predicate, 2, (term[]){term_not(one), other});
  } else {
    add_goal(s, predicate, 1, (term[]){term_lt(ts, one, other)});
    add_goal(s, predicate, 1, (term[]){term_lt(ts, other, one)});
  }
}

/* What was proved about the rewritten clauses holds of those as read, but is it inductive there only with lemmas about the
 * predicates that were unfolded: each lemma is a goal of the search there. */
static engine_status go_on_as_read(tree_search *s, size_t level) {
  const clauses *rewritten = s->env->model->clauses->rewritten;
  for (uint32_t p = 0; p < rewritten->predicates.count; p++) {
    const lemma_vector *lemmas = &s->frames.predicates.at[p].lemmas;
    const clause_predicate *about = &rewritten->predicates.at[p];
    if (rewritten->treatments.at[p] != PREDICATE_KEPT) continue;
    for (size_t i = 0; i < lemmas->count; i++)
      if (lemmas->at[i].level >= level) add_goal(s, p, lemmas->at[i].cube.count, lemmas->at[i].cube.at);
    for (size_t i = 0; i < about->dropped.count; i++) add_equality(s, p, about->dropped.at[i]);
  }
  end(s);
  s->is_as_read = true;
  begin(s, s->env->model->clauses);
  return ENGINE_GOES_ON;
}

/* ---- the end ---- */

static engine_status claim_derivation(tree_search *s, claim *out) {
  const char *trouble = tree_derivation(&s->frames, &out->evidence);
  if (trouble) return claim_give_up(out, trouble);
  out->verdict = VERDICT_UNSAFE;
  if (s->is_as_read) return ENGINE_DONE;
  char *why = clause_rewriting_back(s->env->model, s->env->property, &out->evidence, s->env->budget);
  if (why) claim_give_up(out, why);
  memory_free(why);
  return ENGINE_DONE;
}

static engine_status claim_interpretation(tree_search *s, size_t level, claim *out) {
  tree_interpretation(&s->frames, level, &out->evidence);
  out->verdict = VERDICT_SAFE;
  if (s->is_as_read) return ENGINE_DONE;
  char *why = clause_rewriting_back(s->env->model, s->env->property, &out->evidence, s->env->budget);
  if (!why) return ENGINE_DONE;
  events_note(s->env->events, "%s; asking about the clauses as read", why);
  memory_free(why);
  claim_clear(out);
  return go_on_as_read(s, level);
}

/* ---- one frame more ---- */

/* Lemmas of this level that hold one further up are raised; whether all were. */
static bool raise_lemmas(tree_frames *f, size_t level) {
  bool all = true;
  for (uint32_t p = 0; p < f->predicates.count; p++) {
    const lemma_vector *lemmas = &f->predicates.at[p].lemmas;
    for (size_t i = 0; i < lemmas->count; i++) {
      if (lemmas->at[i].level != level) continue;
      if (budget_spent(f->env->budget)) return false;
      if (answer_is_no(tree_ask_all(f, p, &lemmas->at[i].cube, level + 1, false, NULL, NULL)))
        tree_frames_raise(f, p, i);
      else
        all = false;
    }
  }
  return all;
}

static size_t count_lemmas(const tree_frames *f) {
  size_t count = 0;
  for (size_t i = 0; i < f->predicates.count; i++) count += f->predicates.at[i].lemmas.count;
  return count;
}

static void report_iteration(const tree_frames *f) {
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "frames", f->top);
  json_field_count(&w, "lemmas", count_lemmas(f));
  json_field_count(&w, "sets", f->reached.count);
  json_field_count(&w, "queries", f->checks);
  events_iteration(f->env->events, &w);
}

static engine_status next_frame(tree_search *s, claim *out) {
  tree_frames *f = &s->frames;
  report_iteration(f);
  for (size_t level = 1; level <= f->top; level++)
    if (raise_lemmas(f, level)) return claim_interpretation(s, level + 1, out);
  f->top++;
  begin_frame(s);
  return ENGINE_GOES_ON;
}

void tree_search_count(const tree_search *s, statistics *out) {
  out->queries += s->frames.checks;
  out->unsure += s->frames.unsure;
  out->lemmas += count_lemmas(&s->frames);
  if (s->frames.top > out->depth) out->depth = s->frames.top;
}

/* A goal that is reached was none: it was a lemma of an interpretation that is wrong. */
static bool is_of_query(const tree_frames *f) { return VECTOR_LAST(f->reached).predicate == tree_query(f); }

engine_status tree_search_step(tree_search *s, claim *out) {
  const char *spent = budget_spent(s->frames.env->budget);
  if (spent) return claim_give_up(out, spent);
  switch (tree_block(&s->blocking)) {
    case TREE_GOES_ON: return ENGINE_GOES_ON;
    case TREE_DONE: return next_frame(s, out);
    case TREE_REACHED: return is_of_query(&s->frames) ? claim_derivation(s, out) : ENGINE_GOES_ON;
    case TREE_TROUBLE: break;
  }
  return claim_give_up(out, s->blocking.trouble);
}
