/* Evidence: the table of its kinds, freeing it, and moving between parts and formulas. */
#include "proof/evidence.h"

#include <stdlib.h>

#include "base/map.h"

#define EVIDENCE(CONSTANT, FILE, CHECKER, NAME, CONTENT, ABOUT, SHOWS, SHOWN_AS, FORMAT, FIRST_WORDS) \
  [EVIDENCE_##CONSTANT] = {NAME, CONTENT, ABOUT, SHOWS, SHOWN_AS, FORMAT, FIRST_WORDS},
static const evidence_row rows[EVIDENCE_KINDS] = {
#include "proof/evidence.def"
};
#undef EVIDENCE

const evidence_row *evidence_row_of(evidence_kind kind) {
  REQUIRE(kind > EVIDENCE_NONE && kind < EVIDENCE_KINDS, "a kind of evidence");
  return &rows[kind];
}

bool evidence_is_shown_as(evidence_kind kind, evidence_shown_as how) {
  return kind != EVIDENCE_NONE && evidence_row_of(kind)->shown_as == how;
}

void evidence_clear(evidence *e) {
  for (size_t i = 0; i < e->parts.count; i++) {
    VECTOR_FREE(e->parts.at[i].fixed);
    memory_free(e->parts.at[i].graph);
  }
  VECTOR_FREE(e->parts);
  trace_clear(&e->steps);
  trace_clear(&e->choices);
  VECTOR_FREE(e->fault_inputs);
  VECTOR_FREE(e->quotient.initial);
  VECTOR_FREE(e->quotient.edges);
  VECTOR_FREE(e->measures);
  VECTOR_FREE(e->helps);
  VECTOR_FREE(e->relations);
  VECTOR_FREE(e->waits);
  diagram_free(e->states);
  for (size_t i = 0; i < e->above.contents.count; i++) VECTOR_FREE(e->above.contents.at[i]);
  VECTOR_FREE(e->above.contents);
  VECTOR_FREE(e->above.values);
  VECTOR_FREE(e->interpretation);
  VECTOR_FREE(e->indices);
  VECTOR_FREE(e->divisions);
  for (size_t i = 0; i < e->derivation.count; i++) {
    VECTOR_FREE(e->derivation.at[i].premises);
    VECTOR_FREE(e->derivation.at[i].values);
    VECTOR_FREE(e->derivation.at[i].atom);
  }
  VECTOR_FREE(e->derivation);
  for (size_t i = 0; i < e->run.count; i++) VECTOR_FREE(e->run.at[i].choices);
  if (e->other) evidence_clear(e->other);
  memory_free(e->other);
  counter_model_free(e->counted);
  VECTOR_FREE(e->run);
  *e = (evidence){0};
}

term fixed_term(terms *ts, variable v, number value) {
  term t = term_of_variable(ts, v);
  if (variable_type(ts, v)->sort != SORT_BOOL) return term_eq(ts, t, term_number(ts, value));
  if (number_is(value, 1)) return t;
  return number_is(value, 0) ? term_not(t) : TERM_FALSE;
}

bool fixed_of_literal(const terms *ts, term literal, fixed_value *out) {
  term_kind kind = term_kind_of(ts, literal);
  if (kind == TERM_BOOL_VARIABLE) {
    *out = (fixed_value){term_variable(ts, literal), number_of(!term_is_negated(literal))};
    return true;
  }
  if (kind != TERM_EQ || term_is_negated(literal)) return false;
  linear sum = term_linear(ts, term_argument(ts, literal, 0));
  if (sum.count != 1 || !number_is(sum.coefficients[0], 1)) return false;
  if (term_kind_of(ts, sum.leaves[0]) != TERM_INT_VARIABLE) return false;
  *out = (fixed_value){term_variable(ts, sum.leaves[0]), number_negate(sum.constant)};
  return true;
}

term part_formula(terms *ts, const invariant_part *p) {
  term_vector all = {0};
  for (size_t i = 0; i < p->fixed.count; i++)
    VECTOR_PUSH(all, fixed_term(ts, p->fixed.at[i].var, p->fixed.at[i].value));
  VECTOR_PUSH(all, p->formula);
  term result = term_and_all(ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

bool evidence_is_empty(const evidence *e) {
  if (e->kind == EVIDENCE_NONE) return false;
  evidence_content content = evidence_row_of(e->kind)->content;
  if (content == CONTENT_DIAGRAM) return e->states->is_empty;
  if (content == CONTENT_OTHER) return evidence_is_empty(e->other);
  bool empty = content == CONTENT_PARTS && !evidence_is_against(e);
  for (size_t i = 0; i < e->parts.count && empty; i++) empty = term_is_false(e->parts.at[i].formula);
  return empty;
}

bool evidence_is_against(const evidence *e) {
  if (e->kind == EVIDENCE_NONE) return false;
  evidence_shows shows = evidence_row_of(e->kind)->shows;
  if (e->other) return evidence_is_against(e->other);
  return shows == SHOWS_FAILS || (shows == SHOWS_CLAIM && e->quotient.fails);
}

term evidence_formula(terms *ts, const evidence *e) {
  if (e->states) return diagram_term(ts, e->states);
  if (e->other) return TERM_TRUE;
  term_vector all = {0};
  for (size_t i = 0; i < e->parts.count; i++) VECTOR_PUSH(all, part_formula(ts, &e->parts.at[i]));
  term result = term_or_all(ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

static int compare_fixed(const void *a, const void *b) {
  uint32_t x = ((const fixed_value *)a)->var.x, y = ((const fixed_value *)b)->var.x;
  return (x > y) - (x < y);
}

/* Sorts and removes doubles; false if one variable is fixed to two values. */
static bool make_unique(invariant_part *p) {
  if (p->fixed.count < 2) return true;
  qsort(p->fixed.at, p->fixed.count, sizeof(fixed_value), compare_fixed);
  size_t kept = 1;
  bool consistent = true;
  for (size_t i = 1; i < p->fixed.count; i++) {
    if (!variable_same(p->fixed.at[kept - 1].var, p->fixed.at[i].var))
      p->fixed.at[kept++] = p->fixed.at[i];
    else
      consistent &= number_equal(p->fixed.at[kept - 1].value, p->fixed.at[i].value);
  }
  p->fixed.count = kept;
  return consistent;
}

void evidence_add_part(terms *ts, evidence *e, term formula) {
  invariant_part part = {0};
  term_vector conjuncts = {0};
  term_conjuncts(ts, formula, &conjuncts);
  size_t rest = 0;
  for (size_t i = 0; i < conjuncts.count; i++) {
    fixed_value fixed;
    if (fixed_of_literal(ts, conjuncts.at[i], &fixed))
      VECTOR_PUSH(part.fixed, fixed);
    else
      conjuncts.at[rest++] = conjuncts.at[i];
  }
  part.formula = term_and_all(ts, rest, conjuncts.at);
  if (!make_unique(&part)) part.formula = TERM_FALSE;
  VECTOR_PUSH(e->parts, part);
  VECTOR_FREE(conjuncts);
}

static void add_constants(const terms *ts, diagram *d, term facts) {
  map *listed = map_new();
  term_vector parts = {0};
  variable_vector vars = {0};
  VECTOR(int64_t) values = {0};
  for (size_t i = 0; i < d->levels.count; i++) map_set(listed, d->levels.at[i].x, 1);
  term_conjuncts(ts, facts, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    fixed_value f;
    int64_t value;
    if (!fixed_of_literal(ts, parts.at[i], &f) || map_get(listed, f.var.x, NULL) || !number_to_int64(f.value, &value))
      continue;
    map_set(listed, f.var.x, 1);
    VECTOR_PUSH(vars, f.var);
    VECTOR_PUSH(values, value);
  }
  diagram_add_constants(d, vars.count, vars.at, values.at);
  map_free(listed);
  VECTOR_FREE(parts);
  VECTOR_FREE(vars);
  VECTOR_FREE(values);
}

void evidence_add_facts(terms *ts, evidence *e, term facts) {
  for (size_t i = 0; i < e->parts.count; i++) e->parts.at[i].formula = term_and(ts, e->parts.at[i].formula, facts);
  if (e->states) add_constants(ts, e->states, facts);
}
