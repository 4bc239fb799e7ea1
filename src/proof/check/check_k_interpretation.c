/* The obligations of a k-inductive interpretation (check.h), on the clauses as read. Each is one question about a chain of up to k clauses.
 *
 * Write F for the interpretation.
 * - first atoms: what a fact and each of 0 .. k - 1 clauses after it derive is in F.
 * - step: what is derived through k atoms that are in F is in F.
 * - excludes: no query has an atom of F as its body.
 * Then all that can be derived is in F: of a shortest derivation of something else, at least k atoms come before that, and are in F. */
#include "proof/check/checkers.h"
#include "proof/clause_chain.h"

typedef struct chain_checking {
  const model *model;
  const evidence *evidence;
  questions *questions;
  clause_chain *chain;
  check_result *result;
} chain_checking;

static term interpreted(chain_checking *c, size_t time) {
  return clause_chain_at(c->chain, c->evidence->interpretation.at, time);
}

static void assume(chain_checking *c, term t) { solver_assert(questions_solver(c->questions), t); }

/* Asserts that what there is at that time is not in F, asks, and takes it back. */
static bool holds_at(chain_checking *c, size_t time, TAKE char *what) {
  term fails = term_not(interpreted(c, time));
  return check_refute_all(c->questions, &fails, 1, what, c->result);
}

static bool check_first_atoms(chain_checking *c) {
  solver *s = questions_solver(c->questions);
  bool fine = true;
  solver_push(s);
  assume(c, clause_chain_start(c->chain));
  for (size_t i = 0; i < c->evidence->depth && fine; i++) {
    fine = check_within_budget(c->questions, c->result) &&
           holds_at(c, i, text_format("holds of what %zu clauses derive from a fact", i));
    assume(c, interpreted(c, i));
    assume(c, clause_chain_step(c->chain, i));
  }
  solver_pop(s);
  return fine;
}

static bool check_step(chain_checking *c) {
  solver *s = questions_solver(c->questions);
  size_t depth = c->evidence->depth;
  bool fine = true;
  solver_push(s);
  for (size_t i = 0; i < depth && fine; i++) {
    fine = check_within_budget(c->questions, c->result);
    assume(c, interpreted(c, i));
    assume(c, clause_chain_step(c->chain, i));
  }
  fine = fine && holds_at(c, depth, text_format("holds of what is derived through %zu atoms of which it holds", depth));
  solver_pop(s);
  return fine;
}

static bool check_query(chain_checking *c, size_t query) {
  solver *s = questions_solver(c->questions);
  char *name = check_clause_name(c->model->clauses, query), *what = text_format("excludes %s", name);
  solver_push(s);
  if (c->model->clauses->clauses.at[query].body.count) assume(c, interpreted(c, 0));
  assume(c, clause_chain_query(c->chain, query));
  bool fine = check_refute(c->questions, what, c->result);
  solver_pop(s);
  memory_free(name);
  return fine;
}

static bool check_queries(chain_checking *c, const property *p) {
  const clauses *all = c->model->clauses;
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *of = &all->clauses.at[i];
    if (of->head == NO_PREDICATE && check_is_of_property(c->model, of, p) && !check_query(c, i)) return false;
  }
  return true;
}

/* What it says nothing about, or says with more than formulas over arguments. */
static const char *refusal(const model *m, const evidence *e) {
  if (e->divisions.count) return "it divides by what may be 0";
  if (terms_have_arrays(m->terms)) return "there are arrays";
  return clause_chain_refusal(m->clauses);
}

void check_k_interpretation(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  const char *why = refusal(m, e);
  if (why) {
    check_end(result, CHECK_UNSURE, memory_copy_string(why), NULL);
    return;
  }
  if (!e->depth || e->depth > MOST_INDUCTION_DEPTH) {
    check_end(result, CHECK_REJECTED, text_format("a depth from 1 to %d", MOST_INDUCTION_DEPTH), NULL);
    return;
  }
  if (!check_is_interpreted(m, e, result)) return;
  chain_checking c = {m, e, q, clause_chain_new(m->terms, m->clauses), result};
  if (check_queries(&c, p) && check_first_atoms(&c)) check_step(&c);
  clause_chain_free(c.chain);
}
