/* Everything that depends on the left side carries the stamp of that left side, so that starting again costs nothing
 * but the new literals. */
#include "solver/context.h"

#include <stdlib.h>

#include "solver/relevance.h"

typedef struct form_facts {
  uint32_t stamp;
  interval interval;
} form_facts;

struct context {
  terms *ts;
  shapes *shapes;
  term_vector literals, sorted, conjuncts;
  bool satisfiable, refuted;
  bool is_sorted, has_intervals, is_connected;
  uint32_t stamp;
  VECTOR(uint64_t) marks;   /* by term index: 2 * stamp + polarity */
  VECTOR(form_facts) facts; /* by form number */
  VECTOR(const form *) forms;
  VECTOR(exclusion) exclusions;
  relevance *relevance;
};

context *context_new(terms *ts, shapes *s) {
  context *c = MEMORY_NEW(context);
  c->ts = ts;
  c->shapes = s;
  c->relevance = relevance_new();
  return c;
}

void context_free(context *c) {
  if (!c) return;
  VECTOR_FREE(c->literals);
  VECTOR_FREE(c->sorted);
  VECTOR_FREE(c->conjuncts);
  VECTOR_FREE(c->marks);
  VECTOR_FREE(c->facts);
  VECTOR_FREE(c->forms);
  VECTOR_FREE(c->exclusions);
  relevance_free(c->relevance);
  memory_free(c);
}

/* Literals. */

bool context_has(const context *c, term literal) {
  uint32_t index = term_index(literal);
  return index < c->marks.count && c->marks.at[index] == 2 * (uint64_t)c->stamp + term_is_negated(literal);
}

static void add_literal(context *c, term t) {
  if (term_is_true(t) || context_has(c, t)) return;
  if (term_is_false(t) || context_has(c, term_not(t))) c->refuted = true;
  while (c->marks.count <= term_index(t)) VECTOR_PUSH(c->marks, 0);
  c->marks.at[term_index(t)] = 2 * (uint64_t)c->stamp + term_is_negated(t);
  VECTOR_PUSH(c->literals, t);
}

static void add_all(context *c, size_t count, const term *terms) {
  for (size_t i = 0; i < count; i++) {
    if (term_kind_of(c->ts, terms[i]) != TERM_AND || term_is_negated(terms[i])) {
      add_literal(c, terms[i]);
      continue;
    }
    VECTOR_CLEAR(c->conjuncts);
    term_conjuncts(c->ts, terms[i], &c->conjuncts);
    for (size_t j = 0; j < c->conjuncts.count; j++) add_literal(c, c->conjuncts.at[j]);
  }
}

static void forget_stamps(context *c) {
  VECTOR_CLEAR(c->marks);
  VECTOR_CLEAR(c->facts);
  c->stamp = 1;
}

void context_set(context *c, size_t count, const term *literals, size_t fact_count, const term *facts,
                 bool satisfiable) {
  if (++c->stamp == 0) forget_stamps(c);
  VECTOR_CLEAR(c->literals);
  c->satisfiable = satisfiable;
  c->refuted = c->is_sorted = c->has_intervals = c->is_connected = false;
  add_all(c, count, literals);
  add_all(c, fact_count, facts);
}

bool context_is_satisfiable(const context *c) { return c->satisfiable; }
bool context_is_refuted(const context *c) { return c->refuted; }
void context_refute(context *c) { c->refuted = true; }
size_t context_count(const context *c) { return c->literals.count; }
term context_literal(const context *c, size_t i) { return c->literals.at[i]; }

static int by_number(const void *a, const void *b) {
  uint32_t x = ((const term *)a)->x, y = ((const term *)b)->x;
  return (x > y) - (x < y);
}

const term *context_sorted(context *c) {
  if (c->is_sorted) return c->sorted.at;
  VECTOR_CLEAR(c->sorted);
  for (size_t i = 0; i < c->literals.count; i++) VECTOR_PUSH(c->sorted, c->literals.at[i]);
  if (c->sorted.count) qsort(c->sorted.at, c->sorted.count, sizeof(term), by_number);
  c->is_sorted = true;
  return c->sorted.at;
}

/* Intervals. */

static form_facts *facts_of(context *c, const form *f) {
  while (c->facts.count <= f->number) VECTOR_PUSH(c->facts, (form_facts){0});
  form_facts *facts = &c->facts.at[f->number];
  if (facts->stamp == c->stamp) return facts;
  *facts = (form_facts){c->stamp, f->types};
  VECTOR_PUSH(c->forms, f);
  return facts;
}

static void at_most(interval *i, number bound) {
  if (i->has_high && number_compare(i->high, bound) <= 0) return;
  i->has_high = true;
  i->high = bound;
}

static void at_least(interval *i, number bound) {
  if (i->has_low && number_compare(i->low, bound) >= 0) return;
  i->has_low = true;
  i->low = bound;
}

static void learn(context *c, const shape *s, term literal) {
  form_facts *facts = facts_of(c, s->form);
  shape_claim what = claim_of(s, literal);
  if (what.kind == CLAIM_AT_MOST || what.kind == CLAIM_EQUAL) at_most(&facts->interval, what.bound);
  if (what.kind == CLAIM_AT_LEAST || what.kind == CLAIM_EQUAL) at_least(&facts->interval, what.bound);
  if (what.kind == CLAIM_DIFFERENT) VECTOR_PUSH(c->exclusions, (exclusion){s->form, what.bound});
}

/* A value excluded at the end of an interval makes it shorter, which may bring the next one to its end. */
static void shorten(context *c) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < c->exclusions.count; i++) {
      const exclusion *e = &c->exclusions.at[i];
      interval *values = &c->facts.at[e->form->number].interval;
      if (values->has_low && number_equal(values->low, e->value)) {
        values->low = number_add(e->value, number_of(1));
        again = true;
      }
      if (values->has_high && number_equal(values->high, e->value)) {
        values->high = number_sub(e->value, number_of(1));
        again = true;
      }
    }
  }
}

static void find_intervals(context *c) {
  if (c->has_intervals) return;
  c->has_intervals = true;
  VECTOR_CLEAR(c->forms);
  VECTOR_CLEAR(c->exclusions);
  for (size_t i = 0; i < c->literals.count; i++) {
    const shape *s = shape_of(c->shapes, c->literals.at[i]);
    if (s->form) learn(c, s, c->literals.at[i]);
  }
  shorten(c);
  for (size_t i = 0; i < c->forms.count; i++) {
    const interval *values = &c->facts.at[c->forms.at[i]->number].interval;
    if (values->has_low && values->has_high && number_compare(values->low, values->high) > 0) c->refuted = true;
  }
}

interval context_interval(context *c, const form *f) {
  find_intervals(c);
  bool known = f->number < c->facts.count && c->facts.at[f->number].stamp == c->stamp;
  return known ? c->facts.at[f->number].interval : f->types;
}

bool context_excludes(context *c, const form *f, number value) {
  find_intervals(c);
  for (size_t i = 0; i < c->exclusions.count; i++)
    if (c->exclusions.at[i].form == f && number_equal(c->exclusions.at[i].value, value)) return true;
  return false;
}

size_t context_forms(context *c, const form *const **forms) {
  find_intervals(c);
  *forms = c->forms.at;
  return c->forms.count;
}

size_t context_exclusions(context *c, const exclusion **exclusions) {
  find_intervals(c);
  *exclusions = c->exclusions.at;
  return c->exclusions.count;
}

/* Relevance. */

static void connect(context *c) {
  if (c->is_connected) return;
  c->is_connected = true;
  relevance_reset(c->relevance);
  for (size_t i = 0; i < c->literals.count; i++)
    relevance_connect(c->relevance, shape_of(c->shapes, c->literals.at[i]));
}

void context_mark_relevant(context *c, size_t count, const term *terms) {
  if (!c->satisfiable) return;
  connect(c);
  relevance_forget_question(c->relevance);
  for (size_t i = 0; i < count; i++) relevance_ask(c->relevance, shape_of(c->shapes, terms[i]));
}

bool context_is_relevant(context *c, term literal) {
  return !c->satisfiable || relevance_has(c->relevance, shape_of(c->shapes, literal));
}
