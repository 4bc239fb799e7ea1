/* Splits questions into those about one right side that is no conjunction, and passes each through the layers. */
#include "solver/prover.h"

#include "base/instruments/log.h"
#include "base/work.h"
#include "solver/layers.h"
#include "term/log_term.h"

enum { CACHED_ANSWERS = 200000, CACHED_TERMS = 8000000, WORK_OF_QUESTION = 1 /* base/work.h */ };

typedef struct layer {
  answer (*ask)(prover *p, const question *q);
  size_t statistic; /* offset of the counter */
  const char *name;
} layer;

#define LAYER(ASK, FIELD) \
  { ASK, offsetof(prover_statistics, FIELD), #FIELD }
static const layer layers[] = {
    LAYER(layer_fold, folding),          LAYER(layer_literals, same_atom), LAYER(layer_interval, interval),
    LAYER(layer_difference, difference), LAYER(layer_cache, cache),        LAYER(layer_witness, witness),
    LAYER(layer_solver, solver),
};

prover *prover_new(terms *ts, solver *s) {
  REQUIRE(!s || solver_assumes_types(s), "a solver that assumes the types");
  prover *p = MEMORY_NEW(prover);
  p->ts = ts;
  p->solver = s;
  p->shapes = shapes_new(ts);
  p->context = context_new(ts, p->shapes);
  p->relevance = relevance_new();
  p->difference = difference_new();
  p->witnesses = witnesses_new();
  p->cache = cache_new(CACHED_ANSWERS, CACHED_TERMS);
  prover_context(p, 0, NULL, false);
  return p;
}

void prover_free(prover *p) {
  if (!p) return;
  shapes_free(p->shapes);
  context_free(p->context);
  relevance_free(p->relevance);
  difference_free(p->difference);
  witnesses_free(p->witnesses);
  cache_free(p->cache);
  VECTOR_FREE(p->facts);
  VECTOR_FREE(p->denial);
  VECTOR_FREE(p->key);
  VECTOR_FREE(p->parts);
  memory_free(p);
}

const prover_statistics *prover_statistics_of(const prover *p) { return &p->statistics; }

void prover_assume(prover *p, term fact) {
  VECTOR_PUSH(p->facts, fact);
  prover_context(p, 0, NULL, false);
}

void prover_set_seconds(prover *p, double seconds) {
  p->seconds = seconds;
  cache_clear(p->cache);
}

void prover_context(prover *p, size_t count, const term *literals, bool satisfiable) {
  context_set(p->context, count, literals, p->facts.count, p->facts.at, satisfiable);
  difference_forget(p->difference);
}

static answer count_unsure(prover *p, answer a) {
  p->statistics.unsure++;
  return a;
}

/* `right` is no conjunction. */
static answer ask_one(prover *p, term right) {
  work_add(WORK_OF_QUESTION);
  VECTOR_CLEAR(p->denial);
  term_conjuncts(p->ts, term_not(right), &p->denial);
  question q = {right, p->denial.count, p->denial.at};
  p->statistics.questions++;
  LOG_TERM(solver, "is this implied", p->ts, right);
  for (size_t i = 0; i < ARRAY_LENGTH(layers); i++) {
    answer a = layers[i].ask(p, &q);
    if (answer_is_unsure(a) && !a.reason) continue;
    LOG(solver, "%s says %s", layers[i].name, answer_is_yes(a) ? "yes" : answer_is_no(a) ? "no" : a.reason);
    if (answer_is_unsure(a)) return count_unsure(p, a);
    ++*(uint64_t *)((char *)&p->statistics + layers[i].statistic);
    return a;
  }
  return count_unsure(p, answer_unsure("no layer could decide"));
}

answer prover_ask(prover *p, term right) {
  if (term_kind_of(p->ts, right) != TERM_AND || term_is_negated(right)) return ask_one(p, right);
  VECTOR_CLEAR(p->parts);
  term_conjuncts(p->ts, right, &p->parts);
  answer all = answer_yes();
  for (size_t i = 0; i < p->parts.count && !answer_is_no(all); i++) {
    answer a = ask_one(p, p->parts.at[i]);
    if (!answer_is_yes(a)) all = a;
  }
  return all;
}

answer prover_implies(prover *p, size_t count, const term *left, term right) {
  prover_context(p, count, left, false);
  return prover_ask(p, right);
}

answer prover_consistent(prover *p, size_t count, const term *literals) {
  answer a = prover_implies(p, count, literals, TERM_FALSE);
  if (answer_is_unsure(a)) return a;
  return answer_is_yes(a) ? answer_no() : answer_yes();
}

answer prover_valid(prover *p, term t) { return prover_implies(p, 0, NULL, t); }

void prover_relevant(prover *p, size_t count, const term *literals, term right, term_vector *out) {
  relevance *r = p->relevance;
  relevance_reset(r);
  for (size_t i = 0; i < count; i++) relevance_connect(r, shape_of(p->shapes, literals[i]));
  relevance_ask(r, shape_of(p->shapes, right));
  for (size_t i = 0; i < count; i++)
    if (relevance_has(r, shape_of(p->shapes, literals[i]))) VECTOR_PUSH(*out, literals[i]);
}
