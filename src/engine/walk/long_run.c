/* One long run of clauses: an atom, and what led to it. There is no list of facts: a run of a million steps through loops that
 * fill arrays is a few numbers a step.
 *
 * What is kept of a step is what clause_replay.h needs to take it again. */
#include "engine/walk/long_run.h"

#include "engine/clause_walk_inside.h"
#include "proof/replay/clause_replay.h"

/* More are not kept: of steps that are not like the one before, and of versions of arrays. */
enum { MOST_KEPT = 2 * 1000 * 1000, MOST_VERSIONS = 4 * 1000 * 1000 };
/* A look at the budget is a unit of work, and so are as many steps. */
enum { STEPS_A_UNIT = 4 };

struct long_run {
  clause_walk *walk;
  array_versions *arrays;
  clause_replay *replay;     /* says what of a clause has to be kept */
  VECTOR(index_vector) kept; /* by clause: numbers of its variables; filled when it is first used */
  VECTOR(bool) is_known;
  uint32_t predicate; /* of the atom */
  number_vector atom, next, values;
  VECTOR(clause_run_step) steps; /* arrays are versions */
  uint64_t length;
  bool is_under_way, is_found;
};

static void clear_steps(long_run *l) {
  for (size_t i = 0; i < l->steps.count; i++) VECTOR_FREE(l->steps.at[i].choices);
  VECTOR_CLEAR(l->steps);
  l->length = 0;
}

void long_run_free(long_run *l) {
  if (!l) return;
  clear_steps(l);
  VECTOR_FREE(l->steps);
  array_versions_free(l->arrays);
  clause_replay_free(l->replay);
  for (size_t i = 0; i < l->kept.count; i++) VECTOR_FREE(l->kept.at[i]);
  VECTOR_FREE(l->kept);
  VECTOR_FREE(l->is_known);
  VECTOR_FREE(l->atom);
  VECTOR_FREE(l->next);
  VECTOR_FREE(l->values);
  memory_free(l);
}

long_run *long_run_new(clause_walk *w) {
  long_run *l = MEMORY_NEW(long_run);
  l->walk = w;
  l->replay = clause_replay_new(w->ts, w->all);
  for (size_t i = 0; i < w->all->clauses.count; i++) {
    VECTOR_PUSH(l->kept, (index_vector){0});
    VECTOR_PUSH(l->is_known, false);
  }
  return l;
}

/* ---- what is kept ---- */

/* Which variables of the clause have to be kept. */
static const index_vector *kept_of(long_run *l, uint32_t number) {
  const clause_walk *w = l->walk;
  const clause *c = &w->all->clauses.at[number];
  if (l->is_known.at[number]) return &l->kept.at[number];
  const variable_vector *choices = clause_replay_choices(l->replay, number);
  for (size_t i = 0; i < choices->count; i++)
    for (uint32_t j = 0; j < c->variables.count; j++)
      if (variable_same(choices->at[i], c->variables.at[j])) VECTOR_PUSH(l->kept.at[number], j);
  l->is_known.at[number] = true;
  return &l->kept.at[number];
}

static bool is_like_last(const long_run *l, uint32_t clause, const number_vector *choices) {
  if (!l->steps.count || VECTOR_LAST(l->steps).clause != clause) return false;
  const number_vector *last = &VECTOR_LAST(l->steps).choices;
  for (size_t i = 0; i < choices->count; i++)
    if (!number_equal(choices->at[i], last->at[i])) return false;
  return true;
}

static void keep_step(long_run *l, uint32_t number) {
  const index_vector *kept = kept_of(l, number);
  clause_run_step made = {.clause = number, .times = 1};
  for (size_t i = 0; i < kept->count; i++) VECTOR_PUSH(made.choices, l->values.at[kept->at[i]]);
  l->length++;
  if (is_like_last(l, number, &made.choices)) {
    VECTOR_LAST(l->steps).times++;
    VECTOR_FREE(made.choices);
  } else {
    VECTOR_PUSH(l->steps, made);
  }
}

/* ---- steps ---- */

/* Tries the way from the atom, a few times if there is something to choose. */
static bool try_way(long_run *l, uint32_t way) {
  clause_walk *w = l->walk;
  const clause_way *c = &w->ways.at[way];
  const clause *of = &w->all->clauses.at[c->clause];
  const number_vector *body = &l->atom;
  w->is_open |= c->is_chosen || of->body.count > 1;
  if (of->body.count > 1 || c->divisors.count) return false;
  w->way = way;
  for (int i = 0; i < (c->is_chosen ? TRIES : 1); i++) {
    VECTOR_CLEAR(l->values);
    VECTOR_CLEAR(l->next);
    if (!clause_plan_apply_on(c->plan, l->arrays, &body, NULL, &l->values, &l->next)) continue;
    keep_step(l, c->clause);
    number_vector before = l->atom;
    l->atom = l->next;
    l->next = before;
    l->predicate = of->head;
    return true;
  }
  return false;
}

static bool try_uses(long_run *l, const clause_uses *uses) {
  size_t first = uses->count ? random_below(&l->walk->random, uses->count) : 0;
  for (size_t i = 0; i < uses->count; i++)
    if (try_way(l, uses->at[(first + i) % uses->count].way)) return true;
  return false;
}

static bool begin(long_run *l) {
  clause_walk *w = l->walk;
  clear_steps(l);
  array_versions_free(l->arrays);
  w->arrays = l->arrays = array_versions_new();
  VECTOR_CLEAR(l->atom);
  if (!w->starts.count) return false;
  return try_way(l, w->starts.at[random_below(&w->random, w->starts.count)]);
}

/* False if the run has come to an end. */
static bool take_step(long_run *l) {
  const clause_walk *w = l->walk;
  uint32_t predicate = l->predicate;
  l->is_found = try_uses(l, &w->queries[predicate]);
  return !l->is_found && try_uses(l, &w->steps[predicate]);
}

static walk_end take_steps(long_run *l, uint64_t steps) {
  if (!l->is_under_way && !begin(l)) return WALK_STUCK;
  l->is_under_way = true;
  l->is_found = l->predicate == NO_PREDICATE;
  for (; steps && !l->is_found; steps--) {
    if (steps % STEPS_A_UNIT == 0 && budget_spent(l->walk->budget)) return WALK_LIMITED;
    bool is_too_long = l->steps.count >= MOST_KEPT || array_versions_count(l->arrays) >= MOST_VERSIONS;
    l->walk->is_open |= is_too_long; /* it has not ended */
    l->is_under_way = !is_too_long && take_step(l);
    if (!l->is_under_way) break;
  }
  return l->is_found ? WALK_FOUND : l->is_under_way ? WALK_LIMITED : WALK_STUCK;
}

walk_end long_run_go_on(long_run *l, size_t size, bool is_wide, uint64_t steps) {
  clause_walk *w = l->walk;
  clause_walk_set_size(w, size);
  w->is_wide = is_wide;
  w->arrays = l->arrays;
  walk_end end = take_steps(l, steps);
  w->arrays = NULL;
  w->is_wide = false;
  return end;
}

void long_run_evidence(const long_run *l, evidence *e) {
  const clause_walk *w = l->walk;
  e->kind = EVIDENCE_CLAUSE_RUN;
  for (size_t i = 0; i < l->steps.count; i++) {
    const clause_run_step *s = &l->steps.at[i];
    const variable_vector *choices = clause_replay_choices(l->replay, s->clause);
    clause_run_step made = {.clause = s->clause, .times = s->times};
    for (size_t j = 0; j < s->choices.count; j++) {
      bool is_array = variable_type(w->ts, choices->at[j])->sort == SORT_ARRAY;
      VECTOR_PUSH(made.choices, is_array ? array_versions_value(l->arrays, w->ts, s->choices.at[j]) : s->choices.at[j]);
    }
    VECTOR_PUSH(e->run, made);
  }
}

uint64_t long_run_length(const long_run *l) { return l->length; }

void long_run_forget_values(long_run *l) {
  if (l->arrays) array_versions_forget_values(l->arrays);
}
