/* Of the lemmas of the last frame, those that a step from all of them may break are left out until none can be. */
#include "engine/pdr/share.h"

#include "base/work.h"
#include "engine/own_lemmas.h"

enum { FIRST_SENDING = 200 * 1000, SENDING_FACTOR = 3, MOST_LEMMAS = 100, MOST_TRIED = 40 };

void sharing_init(sharing *s, engine_environment *env, unrolling *u, frames *f) {
  *s = (sharing){.env = env, .unrolling = u, .frames = f, .send_at = FIRST_SENDING};
}

void sharing_clear(sharing *s) { VECTOR_FREE(s->sent); }

/* ---- out ---- */

typedef struct candidates {
  terms *ts;
  solver *solver;
  term_vector clauses;
  term_vector before, broken; /* stand for: a clause holds before the step; it does not after it */
} candidates;

static void add_candidate(candidates *c, unrolling *u, term clause) {
  type truth = {.sort = SORT_BOOL};
  term before = term_of_variable(c->ts, variable_fresh(c->ts, "before", &truth));
  term broken = term_of_variable(c->ts, variable_fresh(c->ts, "broken", &truth));
  VECTOR_PUSH(c->clauses, clause);
  VECTOR_PUSH(c->before, before);
  VECTOR_PUSH(c->broken, broken);
  solver_assert(c->solver, term_implies(c->ts, before, clause));
  solver_assert(c->solver, term_implies(c->ts, broken, term_not(unrolling_at(u, clause, 1))));
}

static void open_candidates(const sharing *s, candidates *c) {
  const lemma_vector *all = frames_lemmas(s->frames);
  *c = (candidates){.ts = s->env->model->terms};
  c->solver = solver_new_for_assumptions(c->ts, s->env->budget);
  solver_assert(c->solver, unrolling_step(s->unrolling, 0));
  for (size_t i = 0; i < s->env->facts.count; i++) {
    solver_assert(c->solver, s->env->facts.at[i]);
    solver_assert(c->solver, unrolling_at(s->unrolling, s->env->facts.at[i], 1));
  }
  for (size_t i = 0; i < all->count && c->clauses.count < MOST_LEMMAS; i++)
    if (all->at[i].level >= frames_top(s->frames))
      add_candidate(c, s->unrolling, term_not(term_and_all(c->ts, all->at[i].cube.count, all->at[i].cube.at)));
}

static void close_candidates(candidates *c) {
  solver_free(c->solver);
  VECTOR_FREE(c->clauses);
  VECTOR_FREE(c->before);
  VECTOR_FREE(c->broken);
}

/* Whether no step from all candidates breaks this one. */
static bool is_kept(candidates *c, size_t which) {
  term_vector assumed = {0};
  for (size_t i = 0; i < c->before.count; i++) VECTOR_PUSH(assumed, c->before.at[i]);
  VECTOR_PUSH(assumed, c->broken.at[which]);
  answer a = solver_check_assuming(c->solver, assumed.count, assumed.at, 0);
  VECTOR_FREE(assumed);
  return answer_is_no(a);
}

static void leave_out(candidates *c, size_t which) {
  size_t last = c->clauses.count - 1;
  c->clauses.at[which] = c->clauses.at[last];
  c->before.at[which] = c->before.at[last];
  c->broken.at[which] = c->broken.at[last];
  c->clauses.count = c->before.count = c->broken.count = last;
}

static void reduce(const sharing *s, candidates *c) {
  for (bool changed = true; changed && !budget_spent(s->env->budget);) {
    changed = false;
    for (size_t i = 0; i < c->clauses.count;) {
      if (is_kept(c, i)) {
        i++;
        continue;
      }
      leave_out(c, i);
      changed = true;
    }
  }
}

static bool remember(sharing *s, const term_vector *lemmas) {
  bool any_new = false;
  for (size_t i = 0; i < lemmas->count; i++) {
    bool known = false;
    for (size_t j = 0; j < s->sent.count && !known; j++) known = term_same(s->sent.at[j], lemmas->at[i]);
    if (known) continue;
    any_new = true;
    VECTOR_PUSH(s->sent, lemmas->at[i]);
  }
  return any_new;
}

void sharing_find(const sharing *s, term_vector *out) {
  candidates c;
  open_candidates(s, &c);
  reduce(s, &c);
  for (size_t i = 0; i < c.clauses.count && !budget_spent(s->env->budget); i++) VECTOR_PUSH(*out, c.clauses.at[i]);
  close_candidates(&c);
}

void sharing_send(sharing *s) {
  if (!s->env->events || !work_takes_turns() || work_done() < s->send_at) return;
  term_vector lemmas = {0};
  sharing_find(s, &lemmas);
  if (remember(s, &lemmas) && own_lemmas_are_inductive(s->env, &lemmas))
    events_lemmas(s->env->events, s->env->model->terms, &lemmas);
  VECTOR_FREE(lemmas);
  s->send_at = SENDING_FACTOR * work_done();
}

/* ---- in ---- */

static bool is_about_states(const sharing *s, term t) {
  variable_vector inside = {0};
  term_variables(s->env->model->terms, 1, &t, &inside);
  bool is = inside.count > 0;
  for (size_t i = 0; i < inside.count; i++) is &= model_is_state_variable(s->env->model, inside.at[i]);
  VECTOR_FREE(inside);
  return is;
}

/* All states within fewer steps are in the frame before the last. */
static void try_lemma(sharing *s, term excluded) {
  cube c = {0};
  size_t top = frames_top(s->frames);
  VECTOR_PUSH(c, excluded);
  if (!frames_exclude(s->frames, &c, top) && answer_is_no(frames_ask_initial(s->frames, &c)) &&
      answer_is_no(frames_ask_step(s->frames, top - 1, &c, true, NULL)))
    frames_add(s->frames, c, top);
  else
    VECTOR_FREE(c);
}

static void try_all(sharing *s, const term_vector *predicates, size_t *tried) {
  for (size_t i = 0; i < MOST_TRIED && *tried < predicates->count && !budget_spent(s->env->budget); i++) {
    term t = predicates->at[(*tried)++];
    if (!is_about_states(s, t)) continue;
    try_lemma(s, t);
    try_lemma(s, term_not(t));
  }
}

void sharing_take(sharing *s) {
  if (!frames_top(s->frames)) return;
  try_all(s, &s->env->hints, &s->hints_tried);
  try_all(s, &s->env->offers, &s->offers_tried);
}
