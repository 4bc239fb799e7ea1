/* Samples, and the guess that is made from them: for each cluster of samples inside, a conjunction of half-spaces that
 * together exclude all samples outside. One cluster and one half-space are tried first. */
#include "engine/separate.h"

#include "engine/project.h"
#include "solver/solver.h"

/* So many samples on both sides together, or searches for a half-space, and it is given up. */
enum { MOST_SAMPLES = 40, MOST_SEARCHES = 250 };

typedef struct separating {
  separation *of;
  solver *solver;
  half_space_search *search;
  size_t searches;
  number_vector values;
  sample_vector inside, outside, wanted;
} separating;

/* ---- guesses ---- */

static bool between(separating *s, const sample_group *inside, const sample_group *outside, half_space_wish *wish,
                    term *out) {
  if (s->searches++ >= MOST_SEARCHES) return false;
  return half_space_find(s->search, inside, outside, wish, out);
}

/* Half-spaces that have all of the cluster inside and together none of the samples outside; each excludes as many of
 * them as it can, in their order. */
static bool exclude_all(separating *s, const sample_group *cluster, term *out) {
  sample_group group = {0};
  term_vector parts = {0};
  term found = TERM_TRUE;
  bool fine = true;
  for (size_t i = 0; i < s->outside.count; i++) VECTOR_PUSH(group, &s->outside.at[i]);
  bool is_one = between(s, cluster, &group, s->of->wish, out);
  s->of->is_liked = is_one && s->of->wish && s->of->wish->is_liked;
  fine = is_one || !s->of->only_liked;
  VECTOR_CLEAR(group);
  for (size_t i = 0; i < s->outside.count && fine && !is_one; i++) {
    VECTOR_PUSH(group, &s->outside.at[i]);
    if (between(s, cluster, &group, NULL, &found)) continue;
    if (group.count > 1) {
      VECTOR_PUSH(parts, found);
      group.count = 0;
      i--;
    } else {
      fine = false;
    }
  }
  if (!is_one && group.count) VECTOR_PUSH(parts, found);
  if (!is_one) *out = term_and_all(s->of->ts, parts.count, parts.at);
  VECTOR_FREE(group);
  VECTOR_FREE(parts);
  return fine;
}

static bool guess_one_cluster(separating *s, bool with_wanted, term *out) {
  sample_group cluster = {0};
  for (size_t i = 0; i < s->inside.count; i++) VECTOR_PUSH(cluster, &s->inside.at[i]);
  for (size_t i = 0; i < s->wanted.count && with_wanted; i++) VECTOR_PUSH(cluster, &s->wanted.at[i]);
  bool fine = exclude_all(s, &cluster, out);
  VECTOR_FREE(cluster);
  return fine;
}

/* A pair of sets of which integers, but not rationals, are apart: their points are. */
static bool shrink_pair(separating *s, sample *one) {
  sample_group inside = {0}, outside = {0};
  bool changed = false;
  VECTOR_PUSH(inside, one);
  for (size_t i = 0; i < s->outside.count; i++) {
    term unused;
    outside.count = 0;
    VECTOR_PUSH(outside, &s->outside.at[i]);
    if (between(s, &inside, &outside, NULL, &unused)) continue;
    changed |= !one->is_point || !s->outside.at[i].is_point;
    one->is_point = s->outside.at[i].is_point = true;
  }
  VECTOR_FREE(inside);
  VECTOR_FREE(outside);
  return changed;
}

/* Clusters from the first sample on: each next one joins the last cluster if that can still be separated. */
static bool guess_clusters(separating *s, term *out) {
  sample_group cluster = {0};
  term_vector parts = {0};
  term found = TERM_FALSE, tried;
  bool fine = true;
  for (size_t i = 0; i < s->inside.count && fine; i++) {
    VECTOR_PUSH(cluster, &s->inside.at[i]);
    if (exclude_all(s, &cluster, &tried)) {
      found = tried;
      continue;
    }
    if (cluster.count > 1) {
      VECTOR_PUSH(parts, found);
      cluster.count = 0;
      i--;
    } else {
      fine = shrink_pair(s, &s->inside.at[i]);
      cluster.count = 0;
      i--;
    }
  }
  if (cluster.count) VECTOR_PUSH(parts, found);
  *out = term_or_all(s->of->ts, parts.count, parts.at);
  VECTOR_FREE(cluster);
  VECTOR_FREE(parts);
  return fine;
}

static bool guess(separating *s, term *out) {
  *out = term_of_bool(s->inside.count > 0);
  if (!s->inside.count || !s->outside.count) return true;
  if (s->of->only_liked) return guess_one_cluster(s, true, out) && s->of->is_liked;
  if (s->wanted.count && guess_one_cluster(s, true, out)) return true;
  return guess_one_cluster(s, false, out) || guess_clusters(s, out);
}

/* ---- samples ---- */

/* The side where the condition holds too, as one more sample. No: there is nothing. */
static answer take_sample(separating *s, const separated_side *side, term condition, sample_vector *out) {
  separation *of = s->of;
  term_vector literals = {0};
  term whole = term_and(of->ts, side->formula, condition);
  solver_push(s->solver);
  solver_assert(s->solver, whole);
  answer a = solver_check(s->solver, 0);
  of->questions++;
  while (s->values.count < variable_count(of->ts)) VECTOR_PUSH(s->values, number_of(0));
  const variable_vector *lists[] = {&of->shared, &side->others};
  for (size_t i = 0; i < ARRAY_LENGTH(lists) && answer_is_yes(a); i++)
    for (size_t j = 0; j < lists[i]->count; j++)
      s->values.at[lists[i]->at[j].x] = solver_value(s->solver, lists[i]->at[j]);
  solver_pop(s->solver);
  if (answer_is_yes(a) && !project(of->ts, side->formula, side->others.count, side->others.at, s->values.at, &literals))
    a = answer_unsure("a solution that the solver found is none");
  if (answer_is_yes(a)) VECTOR_PUSH(*out, sample_of(of->ts, of->shared.count, of->shared.at, s->values.at, &literals));
  VECTOR_FREE(literals);
  return a;
}

static bool refine_guesses(separating *s, term *out) {
  while (s->inside.count + s->outside.count < MOST_SAMPLES && !budget_spent(s->of->budget)) {
    if (!guess(s, out)) return false;
    answer a = take_sample(s, &s->of->inside, term_not(*out), &s->inside);
    if (answer_is_no(a)) a = take_sample(s, &s->of->outside, *out, &s->outside);
    if (answer_is_no(a)) return true;
    if (answer_is_unsure(a)) return false;
  }
  return false;
}

bool separate(separation *s, term *out) {
  separating made = {.of = s, .solver = solver_new(s->ts, s->budget)};
  made.search = half_space_search_new(s->ts, s->budget, s->shared.count, s->shared.at);
  for (size_t i = 0; i < s->wanted_count; i++)
    VECTOR_PUSH(made.wanted, sample_of_point(s->ts, s->shared.count, s->shared.at, &s->wanted[i]));
  bool fine = refine_guesses(&made, out);
  sample_vector_clear(&made.inside);
  sample_vector_clear(&made.outside);
  sample_vector_clear(&made.wanted);
  VECTOR_FREE(made.values);
  solver_free(made.solver);
  half_space_search_free(made.search);
  return fine;
}
