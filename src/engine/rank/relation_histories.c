/* Variables for histories, and how steps change them (relation_histories.h). */
#include "engine/rank/relation_histories.h"

#include "model/transform.h"
#include "proof/ranking.h"

/* Inputs may be eliminated inexactly: it is a guess only. */
static term possible(const model *m, const fairness *f) {
  bool exact = true;
  return ranking_possible(m, f, &exact);
}

static void add_history(const model *m, uint32_t fairness, bool was_possible, relation_histories *out) {
  type truth = {.sort = SORT_BOOL};
  variable waits = variable_fresh(m->terms, "waits", &truth);
  VECTOR_PUSH(*out, (relation_history){.fairness = fairness, .was_possible = was_possible, .waits = waits});
}

void relation_histories_open(const model *m, relation_histories *out) {
  size_t constraints = 0;
  *out = (relation_histories){0};
  for (uint32_t i = 0; i < m->fairness.count && constraints < MOST_WAITED_FOR; i++) {
    const fairness *f = &m->fairness.at[i];
    if (f->kind == FAIR_FORMULA || term_is_false(possible(m, f))) continue;
    if (f->kind == FAIR_STRONG) add_history(m, i, false, out);
    add_history(m, i, true, out);
    constraints++;
  }
}

term relation_history_after(const model *m, const relation_histories *all, size_t which, const transition *t) {
  const relation_history *h = &all->at[which];
  const fairness *f = &m->fairness.at[h->fairness];
  terms *ts = m->terms;
  term waits = term_of_variable(ts, h->waits);
  if (ranking_takes(m, f, t)) return TERM_FALSE;
  if (!h->was_possible) return waits;
  if (f->kind != FAIR_STRONG) return term_and(ts, waits, possible(m, f));
  term not_taken = term_of_variable(ts, all->at[which - 1].waits);
  return term_or(ts, waits, term_and(ts, not_taken, possible(m, f)));
}

term relation_histories_first(const model *m, const relation_histories *all) {
  term result = TERM_TRUE;
  for (size_t i = 0; i < all->count; i++) {
    const relation_history *h = &all->at[i];
    bool is_later = m->fairness.at[h->fairness].kind == FAIR_STRONG && h->was_possible;
    term waits = term_of_variable(m->terms, h->waits);
    result = term_and(m->terms, result, is_later ? term_not(waits) : waits);
  }
  return result;
}

bool relation_histories_are_unfair(const relation_histories *all, const bits *known) {
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].was_possible && bits_has(known, all->at[i].predicate)) return true;
  return false;
}

bool relation_histories_have(const relation_histories *all, uint32_t predicate) {
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].predicate == predicate) return true;
  return false;
}

bool relation_histories_agree(const relation_histories *all, const bits *known, const bits *other) {
  for (size_t i = 0; i < all->count; i++)
    if (bits_has(known, all->at[i].predicate) != bits_has(other, all->at[i].predicate)) return false;
  return true;
}

/* Of a strong constraint the one that says more. */
void relation_histories_write(const relation_histories *all, const bits *known, uint32_t relation, evidence *e) {
  for (size_t i = 0; i < all->count; i++) {
    const relation_history *h = &all->at[i], *next = i + 1 < all->count ? h + 1 : NULL;
    bool says_more = next && next->fairness == h->fairness && bits_has(known, next->predicate);
    if (bits_has(known, h->predicate) && !says_more)
      VECTOR_PUSH(e->waits, (relation_wait){relation, h->fairness, h->was_possible});
  }
}

void relation_histories_cases(const model *m, const relation_histories *all, transition_cases *out) {
  term_vector split = {0};
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].was_possible) VECTOR_PUSH(split, possible(m, &m->fairness.at[all->at[i].fairness]));
  for (uint32_t i = 0; i < m->transitions.count; i++)
    for (unsigned chosen = 0; chosen < 1u << split.count; chosen++) {
      term when = TERM_TRUE;
      for (size_t j = 0; j < split.count; j++)
        when = term_and(m->terms, when, chosen >> j & 1 ? split.at[j] : term_not(split.at[j]));
      term enabled = transition_enabled(m, &m->transitions.at[i]);
      if (!term_is_false(term_and(m->terms, enabled, when))) VECTOR_PUSH(*out, (transition_case){i, when});
    }
  VECTOR_FREE(split);
}
