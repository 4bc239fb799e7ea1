/* Settings take turns, as the lanes of models do: a turn is a number of runs and an amount of PPL's work, and each round is longer.
 *
 *   clause_cases.c    clauses as linear constraints       clause_trace.c     which step is to blame for an error
 *   clause_graph.c    predicates and calls as heads       clause_confirm.c   a derivation, or none
 *   clause_domain.c   sets of atoms                       here               turns, interpretations, the way back */
#include "engine/widen/trees/clause_widening.h"

#include "base/instruments/log.h"
#include "engine/widen/repair.h"
#include "engine/widen/trees/clause_domain.h"
#include "proof/clause_rewriting.h"

#define FIRST_TURN (POLYHEDRA_WORK_SECOND / 2)
enum { FIRST_RUNS = 8, FIRST_UNITS = 500 * 1000 };

static const clause_style styles[] = {
    {.name = "limits"},
    {.name = "directed", .directed = true},
    {.name = "by clause", .by_clause = true, .guards = true},
    {.name = "hull", .guards = true, .most_parts = 1},
    {.name = "directed late", .directed = true, .delay = 8},
    {.name = "directed by clause", .directed = true, .by_clause = true, .guards = true},
};

typedef struct clause_lane {
  const clause_style *style;
  clause_domain *domain; /* NULL if it begins again */
  repair *repair;
  size_t runs; /* in this turn */
  bool is_over;
} clause_lane;

struct clause_widening {
  engine_environment *env;
  widening widening;
  polyhedra *space;
  clause_system system;
  bool is_open;
  bool is_as_read; /* the clauses are, for the way back from rewritten ones was not found */
  clause_lane lanes[ARRAY_LENGTH(styles)];
  size_t current;
  uint64_t turn; /* in units of the first */
  bool turn_begins;
};

clause_widening *clause_widening_new(engine_environment *env, widening how) {
  clause_widening *w = MEMORY_NEW(clause_widening);
  *w = (clause_widening){.env = env, .widening = how, .space = polyhedra_new(env->budget)};
  if (terms_have_reals(env->model->terms)) polyhedra_keep_strict(w->space);
  w->is_as_read = !env->model->clauses->rewritten;
  return w;
}

static void drop(clause_lane *l) {
  repair_free(l->repair);
  clause_domain_free(l->domain);
  l->repair = NULL;
  l->domain = NULL;
  l->runs = 0;
}

static void close_system(clause_widening *w) {
  for (size_t i = 0; i < ARRAY_LENGTH(styles); i++) drop(&w->lanes[i]);
  clause_system_close(&w->system);
  w->is_open = false;
}

void clause_widening_free(clause_widening *w) {
  if (!w) return;
  close_system(w);
  polyhedra_free(w->space);
  memory_free(w);
}

static const char *open_system(clause_widening *w) {
  const clauses *all = w->is_as_read ? w->env->model->clauses : clauses_lowered(w->env->model->clauses);
  polyhedra_allow(w->space, 0);
  w->is_open = true;
  w->current = 0;
  w->turn = 1;
  w->turn_begins = true;
  for (size_t i = 0; i < ARRAY_LENGTH(styles); i++) w->lanes[i] = (clause_lane){.style = &styles[i]};
  return clause_system_open(&w->system, w->env, all, w->space);
}

/* ---- the end ---- */

/* An atom that is derived if it is called; of what does not matter, any. */
static term interpretation_of(const clause_domain *d, const run *r, uint32_t predicate) {
  const clause_system *s = d->system;
  if (!s->matters.at[predicate]) return TERM_TRUE;
  term_vector parts = {0};
  for (uint32_t head = 1; head < d->graph.heads.count; head++) {
    const graph_head *h = &d->graph.heads.at[head];
    if (h->predicate != predicate) continue;
    term set = elements_term(&s->arguments.at[predicate], element_set(run_final(r, head)));
    VECTOR_PUSH(parts, h->is_call ? term_not(set) : set);
  }
  term all = term_or_all(s->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

static char *way_back(clause_widening *w, claim *out) {
  if (w->is_as_read) return NULL;
  return clause_rewriting_back(w->env->model, w->env->property, &out->evidence, w->env->budget);
}

static void note_end(const clause_widening *w, const clause_lane *l, const char *what) {
  size_t unions, merges, runs;
  repair_count(l->repair, &unions, &merges, &runs);
  events_note(w->env->events, "%s: %s in run %zu; repairs that led there: %zu unions, %zu merges", l->style->name, what,
              runs, unions, merges);
}

static engine_status claim_interpretation(clause_widening *w, clause_lane *l, claim *out) {
  polyhedra_allow(w->space, 0);
  out->evidence.kind = EVIDENCE_INTERPRETATION;
  for (uint32_t p = 0; p < w->system.all->predicates.count; p++)
    VECTOR_PUSH(out->evidence.interpretation, interpretation_of(l->domain, repair_run(l->repair), p));
  const char *failure = polyhedra_failure(w->space);
  if (failure) return claim_give_up(out, failure);
  note_end(w, l, "proved");
  out->verdict = VERDICT_SAFE;
  char *why = way_back(w, out);
  if (!why) return ENGINE_DONE;
  events_note(w->env->events, "%s; asking about the clauses as read", why);
  memory_free(why);
  claim_clear(out);
  close_system(w);
  w->is_as_read = true;
  return ENGINE_GOES_ON;
}

static engine_status claim_derivation(clause_widening *w, clause_lane *l, claim *out) {
  note_end(w, l, "derived");
  out->verdict = VERDICT_UNSAFE;
  out->evidence = l->domain->derivation;
  l->domain->derivation = (evidence){0};
  char *why = way_back(w, out);
  if (why) claim_give_up(out, why);
  memory_free(why);
  return ENGINE_DONE;
}

/* ---- turns ---- */

static size_t lanes_left(const clause_widening *w) {
  size_t n = 0;
  for (size_t i = 0; i < ARRAY_LENGTH(styles); i++) n += !w->lanes[i].is_over;
  return n;
}

static engine_status next_lane(clause_widening *w) {
  do {
    if (++w->current == ARRAY_LENGTH(styles)) {
      w->current = 0;
      w->turn *= 2;
    }
  } while (w->lanes[w->current].is_over);
  w->turn_begins = true;
  return ENGINE_GOES_ON;
}

static engine_status end_lane(clause_widening *w, clause_lane *l, const char *reason, claim *out) {
  l->is_over = true;
  events_note(w->env->events, "%s: %s", l->style->name, reason);
  drop(l);
  return lanes_left(w) ? next_lane(w) : claim_give_up(out, reason);
}

static const char *begin_turn(clause_widening *w, clause_lane *l) {
  static const repair_style repairs = {.schedule = SCHEDULE_JOINT};
  const char *why = NULL;
  w->turn_begins = false;
  polyhedra_allow(w->space, w->turn * FIRST_TURN);
  polyhedra_allow_units(w->space, w->turn * FIRST_UNITS);
  if (l->domain) return NULL;
  l->domain = clause_domain_new(&w->system, l->style, w->widening, w->turn, &why);
  l->repair = repair_new(&l->domain->domain, repairs, l->style->name, w->env->events);
  return why;
}

/* A proof by some cases of the clauses: if others lead out of it, all begins again with those too. */
static engine_status after_proof(clause_widening *w, clause_lane *l, claim *out) {
  size_t found = 0;
  polyhedra_allow(w->space, 0);
  const char *why = clause_find_cases(l->domain, repair_run(l->repair), &found);
  if (why) return claim_give_up(out, why);
  if (!found) return claim_interpretation(w, l, out);
  events_note(w->env->events, "%s: %zu more cases of clauses", l->style->name, found);
  for (size_t i = 0; i < ARRAY_LENGTH(styles); i++) drop(&w->lanes[i]);
  w->turn_begins = true;
  return ENGINE_GOES_ON;
}

static engine_status after_failure(clause_widening *w, clause_lane *l, claim *out) {
  if (!polyhedra_failure(w->space)) return end_lane(w, l, repair_failure(l->repair), out);
  drop(l);
  return next_lane(w);
}

static engine_status run_once(clause_widening *w, clause_lane *l, claim *out) {
  const char *why = w->turn_begins ? begin_turn(w, l) : NULL;
  if (why) return end_lane(w, l, why, out);
  events_progress(w->env->events, "%s", l->style->name);
  repair_end end = polyhedra_failure(w->space) ? REPAIR_FAILED : repair_step(l->repair, w->env->budget);
  if (end == REPAIR_PROVED) return after_proof(w, l, out);
  if (end == REPAIR_REAL) return claim_derivation(w, l, out);
  const char *spent = budget_spent(w->env->budget);
  if (spent) return claim_give_up(out, spent);
  if (end == REPAIR_FAILED) return after_failure(w, l, out);
  w->env->statistics->refinements++;
  if (++l->runs < FIRST_RUNS * w->turn) return ENGINE_GOES_ON;
  l->runs = 0;
  return next_lane(w);
}

engine_status clause_widening_step(clause_widening *w, claim *out) {
  const char *why = w->is_open ? NULL : open_system(w);
  if (!why) why = budget_spent(w->env->budget);
  if (why) return claim_give_up(out, why);
  return run_once(w, &w->lanes[w->current], out);
}
