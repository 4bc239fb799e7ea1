/* A literal about the head is asserted once, as an implication from a variable that stands for it; a lemma is too, about
 * each atom of the body that it fits, from the variable of its level; the sets that are known to be derivable are one
 * disjunction, anew whenever there are more of them. */
#include "engine/pdr/trees/clause_questions.h"

#include "base/map.h"
#include "term/substitute.h"

/* So many formulas that were needed for one question only, and the solver is set up again. */
enum { MOST_LEFTOVERS = 1500 };

/* An atom of the clause: parameters stand for its arguments. */
typedef struct atom_side {
  substitution *to_arguments;
  term_vector levels; /* stand for: the lemmas of exactly this level hold of it */
  term sure;          /* stands for: it is in one of the first `sure_count` sets of its predicate */
  size_t sure_count;  /* 0: `sure` does not mean anything */
} atom_side;

struct clause_questions {
  tree_frames *f;
  const clause *clause;
  solver *solver;
  map *literal;  /* literal about the head -> what stands for it */
  size_t logged; /* so many lemmas of the log are asserted */
  size_t leftovers;
  atom_side head, *body;
  term_vector assumed;
};

static void set_up(clause_questions *q) {
  q->solver = solver_new_for_assumptions(q->f->ts, q->f->env->budget);
  q->literal = map_new();
  q->leftovers = 0;
  q->logged = 0;
  for (size_t i = 0; i < q->clause->body.count; i++) q->body[i].sure_count = 0;
  solver_assert(q->solver, q->clause->constraint);
}

static void take_down(clause_questions *q) {
  solver_free(q->solver);
  map_free(q->literal);
}

clause_questions *clause_questions_new(tree_frames *f, uint32_t clause) {
  clause_questions *q = MEMORY_NEW(clause_questions);
  q->f = f;
  q->clause = &f->all->clauses.at[clause];
  q->head.to_arguments = clause_atom_substitution(f->ts, f->all, q->clause, HEAD_ATOM);
  q->body = MEMORY_ARRAY(atom_side, q->clause->body.count + 1);
  for (size_t i = 0; i < q->clause->body.count; i++)
    q->body[i].to_arguments = clause_atom_substitution(f->ts, f->all, q->clause, i);
  set_up(q);
  return q;
}

void clause_questions_free(clause_questions *q) {
  if (!q) return;
  take_down(q);
  substitution_free(q->head.to_arguments);
  for (size_t i = 0; i < q->clause->body.count; i++) {
    substitution_free(q->body[i].to_arguments);
    VECTOR_FREE(q->body[i].levels);
  }
  VECTOR_FREE(q->assumed);
  memory_free(q->body);
  memory_free(q);
}

static clause_questions *questions_of(tree_frames *f, uint32_t clause) {
  if (!f->questions.at[clause]) f->questions.at[clause] = clause_questions_new(f, clause);
  return f->questions.at[clause];
}

term tree_at(tree_frames *f, uint32_t clause, size_t atom, term formula) {
  clause_questions *q = questions_of(f, clause);
  return substitution_apply(atom == HEAD_ATOM ? q->head.to_arguments : q->body[atom].to_arguments, formula);
}

/* ---- what is asserted ---- */

static term fresh_truth(tree_frames *f, const char *stem) {
  type truth = {.sort = SORT_BOOL};
  return term_of_variable(f->ts, variable_fresh(f->ts, stem, &truth));
}

static void assert_if(clause_questions *q, term condition, term t) {
  solver_assert(q->solver, term_implies(q->f->ts, condition, t));
}

static term level_term(tree_frames *f, atom_side *a, size_t level) {
  while (a->levels.count <= level) VECTOR_PUSH(a->levels, fresh_truth(f, "level"));
  return a->levels.at[level];
}

static void take_lemmas(clause_questions *q) {
  for (; q->logged < q->f->log.count; q->logged++) {
    logged_lemma l = q->f->log.at[q->logged];
    for (size_t i = 0; i < q->clause->body.count; i++)
      if (q->clause->body.at[i].predicate == l.predicate)
        assert_if(q, level_term(q->f, &q->body[i], l.level), substitution_apply(q->body[i].to_arguments, l.formula));
  }
}

static term literal_on(clause_questions *q, term literal) {
  uint64_t known;
  if (map_get(q->literal, literal.x, &known)) return (term){(uint32_t)known};
  term proxy = fresh_truth(q->f, "literal");
  map_set(q->literal, literal.x, proxy.x);
  assert_if(q, proxy, substitution_apply(q->head.to_arguments, literal));
  q->leftovers++;
  return proxy;
}

static term sure_atom(clause_questions *q, uint32_t clause, size_t atom) {
  const index_vector *reached = &q->f->predicates.at[q->clause->body.at[atom].predicate].reached;
  atom_side *side = &q->body[atom];
  if (!reached->count) return TERM_FALSE;
  if (side->sure_count == reached->count) return side->sure;
  term_vector parts = {0};
  for (size_t i = 0; i < reached->count; i++)
    VECTOR_PUSH(parts, tree_cube_at(q->f, clause, atom, &q->f->reached.at[reached->at[i]].cube));
  side->sure = fresh_truth(q->f, "sure");
  side->sure_count = reached->count;
  assert_if(q, side->sure, term_or_all(q->f->ts, parts.count, parts.at));
  q->leftovers++;
  VECTOR_FREE(parts);
  return side->sure;
}

static term outside(clause_questions *q, const cube *c) {
  term_vector parts = {0};
  term excluded = term_not(term_and_all(q->f->ts, c->count, c->at));
  for (size_t i = 0; i < q->clause->body.count; i++)
    if (q->clause->body.at[i].predicate == q->clause->head)
      VECTOR_PUSH(parts, substitution_apply(q->body[i].to_arguments, excluded));
  term all = term_and_all(q->f->ts, parts.count, parts.at), proxy = TERM_TRUE;
  VECTOR_FREE(parts);
  if (term_is_true(all)) return proxy;
  proxy = fresh_truth(q->f, "outside");
  assert_if(q, proxy, all);
  q->leftovers++;
  return proxy;
}

/* ---- asking ---- */

static void assume(clause_questions *q, term t) {
  if (!term_is_true(t)) VECTOR_PUSH(q->assumed, t);
}

/* False: an atom of the body is none that is known to be derivable. */
static bool assume_body(clause_questions *q, const tree_question *asked) {
  for (size_t i = 0; i < q->clause->body.count; i++) {
    const term_vector *levels = &q->body[i].levels;
    bool is_sure = asked->sure && asked->sure[i];
    term sure = is_sure ? sure_atom(q, asked->clause, i) : TERM_TRUE;
    if (term_is_false(sure)) return false;
    assume(q, sure);
    for (size_t j = asked->level - 1; j < levels->count && !is_sure; j++) VECTOR_PUSH(q->assumed, levels->at[j]);
  }
  return true;
}

static void take_core(clause_questions *q, size_t literals, core_names *core) {
  core_names found = {0};
  solver_core_assumed(q->solver, &found);
  for (size_t i = 0; i < found.count && found.at[i] < literals; i++) {
    bool known = false;
    for (size_t j = 0; j < core->count; j++) known |= core->at[j] == found.at[i];
    if (!known) VECTOR_PUSH(*core, found.at[i]);
  }
  VECTOR_FREE(found);
}

answer tree_ask(tree_frames *f, const tree_question *asked, core_names *core) {
  clause_questions *q = questions_of(f, asked->clause);
  if (q->clause->body.count && !asked->sure && asked->level <= 1) return answer_no();
  if (q->leftovers > MOST_LEFTOVERS) {
    take_down(q);
    set_up(q);
  }
  take_lemmas(q);
  VECTOR_CLEAR(q->assumed);
  for (size_t i = 0; i < asked->head->count; i++) {
    term proxy = literal_on(q, asked->head->at[i]);
    VECTOR_PUSH(q->assumed, proxy);
  }
  if (asked->relative) assume(q, outside(q, asked->head));
  if (!assume_body(q, asked)) return answer_no();
  answer a = solver_check_assuming(q->solver, q->assumed.count, q->assumed.at, 0);
  f->checks++;
  f->unsure += answer_is_unsure(a);
  if (answer_is_no(a) && core) take_core(q, asked->head->count, core);
  return a;
}

bool tree_read(tree_frames *f, uint32_t clause) {
  const clause_questions *q = f->questions.at[clause];
  const variable_vector *read = &q->clause->variables;
  number *found = MEMORY_ARRAY(number, read->count + 1);
  bool fine = solver_values(q->solver, read->count, read->at, found);
  while (f->values.count < variable_count(f->ts)) VECTOR_PUSH(f->values, number_of(0));
  for (size_t i = 0; fine && i < read->count; i++) f->values.at[read->at[i].x] = found[i];
  memory_free(found);
  return fine;
}
