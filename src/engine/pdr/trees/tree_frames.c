/* The lemmas and sets of all predicates. */
#include "engine/pdr/trees/tree_frames.h"

#include "engine/pdr/trees/clause_questions.h"

static void add_predicate(tree_frames *f, const clause_predicate *p) {
  tree_predicate made = {0};
  for (size_t i = 0; p && i < p->parameters.count; i++) VECTOR_PUSH(made.parameters, p->parameters.at[i]);
  VECTOR_PUSH(f->predicates, made);
}

void tree_frames_open(tree_frames *f, engine_environment *env, const clauses *all) {
  *f = (tree_frames){.env = env, .ts = env->model->terms, .all = all};
  for (size_t i = 0; i < f->all->predicates.count; i++) add_predicate(f, &f->all->predicates.at[i]);
  add_predicate(f, NULL);
  for (uint32_t i = 0; i < f->all->clauses.count; i++) {
    const clause *c = &f->all->clauses.at[i];
    VECTOR_PUSH(f->questions, NULL);
    if (c->head != NO_PREDICATE)
      VECTOR_PUSH(f->predicates.at[c->head].clauses, i);
    else if (c->property == env->property)
      VECTOR_PUSH(f->predicates.at[tree_query(f)].clauses, i);
  }
}

static void close_predicate(tree_predicate *p) {
  for (size_t i = 0; i < p->lemmas.count; i++) VECTOR_FREE(p->lemmas.at[i].cube);
  for (size_t i = 0; i < p->points.count; i++) VECTOR_FREE(p->points.at[i]);
  VECTOR_FREE(p->lemmas);
  VECTOR_FREE(p->points);
  VECTOR_FREE(p->parameters);
  VECTOR_FREE(p->clauses);
  VECTOR_FREE(p->reached);
}

void tree_frames_close(tree_frames *f) {
  for (size_t i = 0; i < f->predicates.count; i++) close_predicate(&f->predicates.at[i]);
  for (size_t i = 0; i < f->reached.count; i++) {
    VECTOR_FREE(f->reached.at[i].cube);
    VECTOR_FREE(f->reached.at[i].premises);
  }
  for (size_t i = 0; i < f->questions.count; i++) clause_questions_free(f->questions.at[i]);
  VECTOR_FREE(f->predicates);
  VECTOR_FREE(f->reached);
  VECTOR_FREE(f->log);
  VECTOR_FREE(f->questions);
  VECTOR_FREE(f->values);
}

/* ---- lemmas ---- */

static term clause_of(const tree_frames *f, const cube *c) { return term_not(term_and_all(f->ts, c->count, c->at)); }

bool tree_frames_exclude(const tree_frames *f, uint32_t predicate, const cube *c, size_t level) {
  const lemma_vector *all = &f->predicates.at[predicate].lemmas;
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].level >= level && cube_is_within(&all->at[i].cube, c)) return true;
  return false;
}

static void log_lemma(tree_frames *f, uint32_t predicate, const lemma *l) {
  VECTOR_PUSH(f->log, (logged_lemma){predicate, clause_of(f, &l->cube), l->level});
}

void tree_frames_add(tree_frames *f, uint32_t predicate, cube c, size_t level) {
  lemma_vector *all = &f->predicates.at[predicate].lemmas;
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++) {
    if (all->at[i].level <= level && cube_is_within(&c, &all->at[i].cube))
      VECTOR_FREE(all->at[i].cube);
    else
      all->at[kept++] = all->at[i];
  }
  all->count = kept;
  VECTOR_PUSH(*all, (lemma){c, level});
  log_lemma(f, predicate, &VECTOR_LAST(*all));
}

void tree_frames_raise(tree_frames *f, uint32_t predicate, size_t lemma) {
  f->predicates.at[predicate].lemmas.at[lemma].level++;
  log_lemma(f, predicate, &f->predicates.at[predicate].lemmas.at[lemma]);
}

term tree_frames_formula(const tree_frames *f, uint32_t predicate, size_t level) {
  const lemma_vector *all = &f->predicates.at[predicate].lemmas;
  term_vector parts = {0};
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].level >= level) VECTOR_PUSH(parts, clause_of(f, &all->at[i].cube));
  term result = term_and_all(f->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

/* ---- questions about all clauses ---- */

answer tree_ask_all(tree_frames *f, uint32_t predicate, const cube *c, size_t level, bool relative, core_names *core,
                    uint32_t *clause) {
  const index_vector *clauses = &f->predicates.at[predicate].clauses;
  for (size_t i = 0; i < clauses->count; i++) {
    tree_question q = {.clause = clauses->at[i], .head = c, .level = level, .relative = relative};
    answer a = tree_ask(f, &q, core);
    if (clause) *clause = clauses->at[i];
    if (!answer_is_no(a)) return a;
  }
  return answer_no();
}

term tree_cube_at(tree_frames *f, uint32_t clause, size_t atom, const cube *c) {
  term_vector parts = {0};
  for (size_t i = 0; i < c->count; i++) VECTOR_PUSH(parts, tree_at(f, clause, atom, c->at[i]));
  term result = term_and_all(f->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}
