/* Property-directed reachability over integers (Bradley 2011; with projection as in Komuravelli, Gurfinkel, Chaki
 * 2014; with implicit predicate abstraction as in Cimatti, Griggio, Mover, Tonetta 2014).
 *
 *   frames.c       the frames, and the questions about them
 *   block.c        obligations and how they are met
 *   generalise.c   lemmas that say more
 *   run.c          a run, if there is one
 *   implicit.c     cubes over predicates
 *   path.c         an abstract counterexample, and a run along it
 *   refine.c       predicates that exclude one
 *   half_spaces.c  those that interpolate
 *   share.c        lemmas for other engines, and predicates from them
 *   ic3.c          one search: frame after frame
 *   trees/         the search on clauses
 *   here           two searches that take turns, one with cubes of literals, one with cubes of predicates; and the one
 *                  on clauses */
#include "base/work.h"
#include "engine/pdr/ic3.h"
#include "engine/pdr/trees/trees.h"

/* The first turn of each search, in work (base/work.h); each later one is longer. If a transition has many inputs, or
 * one transition changes many variables, literals say more than predicates, which get only a part of the turns. If there
 * are many transitions, as in programs whose state is in variables that are compared with constants, an abstract path is
 * spurious nearly always, and each of these costs as much as many states: predicates get a smaller part still. */
enum {
  FIRST_TURN = 50 * 1000,
  TURN_FACTOR = 2,
  SEARCHES = 2,
  MANY_INPUTS = 8,
  MANY_UPDATES = 16,
  PART_IF_LARGE = 4,
  MANY_TRANSITIONS = 100,
  PART_IF_MANY = 32
};

typedef struct pdr {
  engine_environment *env;
  tree_search *trees; /* the search on clauses; NULL if there is none, or it ended without a verdict */
  bool only_trees;    /* there is no other: nothing below is of use */
  uint64_t trees_work, others_work;
  bounded_violation violation;
  unrolling *unrolling;    /* NULL before the first step */
  ic3 *searches[SEARCHES]; /* with literals, with predicates; NULL: not begun, or ended without a verdict */
  bool is_out[SEARCHES];   /* not asked for, or ended without a verdict */
  uint64_t part;           /* predicates get one in so many parts of a turn */
  size_t current;
  uint64_t turn, turn_ends;
  size_t facts_taken[SEARCHES];
} pdr;

/* Of clauses without a transition system, and of those with reals, about which the search on clauses finds out more. */
static bool asks_about_clauses(const model *m) {
  return m->clauses && (m->clauses->are_trees || (m->clauses->is_horn && terms_have_reals(m->terms)));
}

static void *pdr_open(engine_environment *env) {
  option_abstraction way = env->options ? env->options->abstraction : ABSTRACTION_OPTION_BOTH;
  pdr *p = MEMORY_NEW(pdr);
  p->env = env;
  p->is_out[false] = way == ABSTRACTION_OPTION_IMPLICIT;
  p->is_out[true] = way == ABSTRACTION_OPTION_OFF;
  p->only_trees = env->model->clauses && env->model->clauses->are_trees;
  if (p->only_trees || (asks_about_clauses(env->model) && way == ABSTRACTION_OPTION_BOTH))
    p->trees = tree_search_new(env);
  return p;
}

static void pdr_close(void *state) {
  pdr *p = state;
  for (size_t i = 0; i < SEARCHES; i++) ic3_free(p->searches[i]);
  unrolling_free(p->unrolling);
  tree_search_free(p->trees);
  memory_free(p);
}

static void take_facts(pdr *p, size_t which) {
  for (; p->facts_taken[which] < p->env->facts.count; p->facts_taken[which]++)
    ic3_assume(p->searches[which], p->env->facts.at[p->facts_taken[which]]);
  p->env->used_facts = p->facts_taken[false] || p->facts_taken[true];
}

static void pdr_learn(void *state) {
  pdr *p = state;
  for (size_t i = 0; i < SEARCHES; i++)
    if (p->searches[i]) take_facts(p, i);
}

static void count(const pdr *p) {
  statistics *s = p->env->statistics;
  s->queries = s->unsure = s->depth = s->lemmas = 0;
  for (size_t i = 0; i < SEARCHES; i++) {
    if (!p->searches[i]) continue;
    uint64_t unsure = 0, top = frames_top(p->searches[i]->frames);
    s->queries += frames_questions(p->searches[i]->frames, &unsure);
    s->unsure += unsure;
    s->lemmas += frames_lemmas(p->searches[i]->frames)->count;
    if (top > s->depth) s->depth = top;
  }
  if (p->trees) tree_search_count(p->trees, s);
  s->answered_solver = s->queries;
  events_progress(p->env->events, "%zu frames, %zu lemmas", (size_t)s->depth, (size_t)s->lemmas);
}

/* ---- turns ---- */

static uint64_t part_of_predicates(const model *m) {
  if (m->transitions.count >= MANY_TRANSITIONS) return PART_IF_MANY;
  for (size_t i = 0; i < m->transitions.count; i++)
    if (m->transitions.at[i].inputs.count >= MANY_INPUTS || m->transitions.at[i].updates.count >= MANY_UPDATES)
      return PART_IF_LARGE;
  return 1;
}

static void begin_turn(pdr *p, size_t which) {
  p->current = which;
  p->turn_ends = work_done() + (which ? p->turn / p->part : p->turn);
  if (p->searches[which]) return;
  p->searches[which] = ic3_new(p->env, p->unrolling, &p->violation, which);
  take_facts(p, which);
}

/* The other search, if there is one. Both have had a turn before turns become longer. */
static void end_turn(pdr *p) {
  size_t other = !p->current;
  if (p->is_out[other]) return;
  if (p->current) p->turn *= TURN_FACTOR;
  begin_turn(p, other);
}

/* A search that ended without a verdict leaves the rest to the other. */
static engine_status give_up(pdr *p, claim *out) {
  size_t other = !p->current;
  if (p->is_out[other] || budget_spent_now(p->env->budget)) return ENGINE_DONE;
  events_note(p->env->events, "%s: %s", p->current ? "no more predicates" : "only predicates from here on",
              out->reason);
  claim_clear(out);
  ic3_free(p->searches[p->current]);
  p->searches[p->current] = NULL;
  p->is_out[p->current] = true;
  begin_turn(p, other);
  return ENGINE_GOES_ON;
}

/* ---- the search on clauses ---- */

/* It has two thirds of the work. */
static bool is_turn_of_trees(const pdr *p) {
  return p->trees && (p->only_trees || p->trees_work <= 2 * p->others_work);
}

/* One that ended without a verdict leaves the rest to the others, if there are any. */
static engine_status step_trees(pdr *p, claim *out) {
  uint64_t before = work_done();
  engine_status status = tree_search_step(p->trees, out);
  p->trees_work += work_done() - before + 1;
  count(p);
  bool is_over = p->only_trees || budget_spent_now(p->env->budget);
  if (status == ENGINE_GOES_ON || out->verdict != VERDICT_UNKNOWN || is_over) return status;
  events_note(p->env->events, "no more questions about clauses: %s", out->reason);
  claim_clear(out);
  tree_search_free(p->trees);
  p->trees = NULL;
  return ENGINE_GOES_ON;
}

static const char *start(pdr *p) {
  p->violation = violation_of(p->env->model, p->env->property);
  if (p->violation.trouble) return p->violation.trouble;
  p->unrolling = unrolling_new(p->env->model);
  p->part = part_of_predicates(p->env->model);
  p->turn = FIRST_TURN;
  begin_turn(p, p->is_out[false]);
  return NULL;
}

/* As `give_up`, if the search on clauses can go on alone. */
static engine_status leave_to_trees(pdr *p, claim *out) {
  if (!p->trees || budget_spent_now(p->env->budget)) return ENGINE_DONE;
  events_note(p->env->events, "only questions about clauses from here on: %s", out->reason);
  claim_clear(out);
  p->only_trees = true;
  return ENGINE_GOES_ON;
}

static engine_status step_others(pdr *p, claim *out) {
  const char *trouble = p->unrolling ? NULL : start(p);
  if (trouble) {
    claim_give_up(out, trouble);
    return leave_to_trees(p, out);
  }
  uint64_t before = work_done();
  if (before >= p->turn_ends) end_turn(p);
  engine_status status = ic3_step(p->searches[p->current], out);
  p->others_work += work_done() - before + 1;
  count(p);
  if (status != ENGINE_DONE || out->verdict != VERDICT_UNKNOWN) return status;
  return give_up(p, out) == ENGINE_DONE ? leave_to_trees(p, out) : ENGINE_GOES_ON;
}

static engine_status pdr_step(void *state, claim *out) {
  pdr *p = state;
  return is_turn_of_trees(p) ? step_trees(p, out) : step_others(p, out);
}

static bool pdr_wants_model_as_read(const options *o, const model *m, size_t property) {
  (void)o, (void)property;
  return asks_about_clauses(m);
}

const engine engine_pdr = {
    .name = "pdr",
    .title = "frames of lemmas, each blocking states that lead to a bad one (IC3, property-directed reachability)",
    .paper =
        "Bradley: SAT-Based Model Checking without Unrolling (VMCAI 2011); Komuravelli, Gurfinkel, Chaki: SMT-Based "
        "Model Checking for Recursive Programs (CAV 2014); Cimatti, Griggio, Mover, Tonetta: IC3 Modulo Theories via "
        "Implicit Predicate Abstraction (TACAS 2014); Hoder, Bjorner: Generalized Property Directed Reachability (SAT "
        "2012)",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
    .open = pdr_open,
    .step = pdr_step,
    .close = pdr_close,
    .treats_trees = true,
    .treats_reals = true,
    .uses_facts = true,
    .learn = pdr_learn,
    .wants_model_as_read = pdr_wants_model_as_read,
};
