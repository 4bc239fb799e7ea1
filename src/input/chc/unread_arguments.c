/* Which arguments are read: none at first, then those that must be, until no more are found. */
#include <stdlib.h>

#include "input/chc/arguments.h"

static bool is_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE || kind == TERM_REAL_VARIABLE);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = ((const variable *)a)->x, y = ((const variable *)b)->x;
  return (x > y) - (x < y);
}

static bool is_among(const variable_vector *sorted, variable v) {
  return sorted->count && bsearch(&v, sorted->at, sorted->count, sizeof v, by_number) != NULL;
}

/* ---- one clause ---- */

/* How often a variable stands somewhere: in how many conjuncts; and whether in what cannot be chosen freely. */
typedef struct occurrences {
  variable var;
  uint32_t conjuncts;
  bool is_fixed; /* an argument of the body, or of the head and read */
} occurrences;

typedef struct reading {
  terms *ts;
  const clause *clause;
  const bits *read;
  clause_reads *out;
  VECTOR(occurrences) all;        /* sorted by variable */
  VECTOR(variable_vector) inside; /* by conjunct: its variables */
} reading;

static int by_variable(const void *a, const void *b) {
  return by_number(&((const occurrences *)a)->var, &((const occurrences *)b)->var);
}

static occurrences *of(const reading *r, variable v) {
  occurrences wanted = {.var = v};
  return r->all.count ? bsearch(&wanted, r->all.at, r->all.count, sizeof wanted, by_variable) : NULL;
}

static void fix_all(reading *r, term t) {
  variable_vector inside = {0};
  term_variables(r->ts, 1, &t, &inside);
  for (size_t i = 0; i < inside.count; i++) of(r, inside.at[i])->is_fixed = true;
  VECTOR_FREE(inside);
}

static bool head_is_read(const reading *r, size_t argument) { return bits_has(&r->read[r->clause->head], argument); }

static void count_occurrences(reading *r) {
  const clause *c = r->clause;
  for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(r->all, (occurrences){.var = c->variables.at[i]});
  if (r->all.count) qsort(r->all.at, r->all.count, sizeof *r->all.at, by_variable);
  for (size_t i = 0; i < r->out->conjuncts.count; i++) {
    variable_vector inside = {0};
    term_variables(r->ts, 1, &r->out->conjuncts.at[i], &inside);
    for (size_t j = 0; j < inside.count; j++) of(r, inside.at[j])->conjuncts++;
    VECTOR_PUSH(r->inside, inside);
  }
  for (size_t i = 0; i < c->body.count; i++)
    for (size_t j = 0; j < c->body.at[i].arguments.count; j++) fix_all(r, c->body.at[i].arguments.at[j]);
  for (size_t i = 0; i < c->head_arguments.count; i++)
    if (head_is_read(r, i)) fix_all(r, c->head_arguments.at[i]);
}

/* sum = 0 as v = value, which is one of v's for all values of the others. */
static bool solve_for(const reading *r, term sum, variable v, term *value) {
  linear l = term_linear(r->ts, sum);
  bool is_real = variable_type(r->ts, v)->sort == SORT_REAL;
  for (size_t i = 0; i < l.count; i++) {
    if (!is_variable(r->ts, l.leaves[i]) || !variable_same(term_variable(r->ts, l.leaves[i]), v)) continue;
    bool is_unit = number_is(l.coefficients[i], 1) || number_is(l.coefficients[i], -1);
    if (!is_real && (!is_unit || term_sort(r->ts, sum) != SORT_INT)) return false;
    number factor = number_quotient(number_of(-1), l.coefficients[i]); /* `l` ends with the next term that is built */
    *value = term_add(r->ts, term_of_variable(r->ts, v), term_scale(r->ts, factor, sum));
    return !term_mentions(r->ts, *value, v);
  }
  return false;
}

/* The conjunct gives a value to a variable that stands nowhere else. */
static bool defines(const reading *r, size_t conjunct, clause_definition *out) {
  term t = r->out->conjuncts.at[conjunct];
  const variable_vector *inside = &r->inside.at[conjunct];
  for (size_t i = 0; i < inside->count; i++) {
    const occurrences *o = of(r, inside->at[i]);
    term value;
    if (o->is_fixed || o->conjuncts != 1) continue;
    bool is_literal = term_kind_of(r->ts, t) == TERM_BOOL_VARIABLE;
    bool is_equation = term_kind_of(r->ts, t) == TERM_EQ && !term_is_negated(t);
    if (is_literal)
      value = term_of_bool(!term_is_negated(t));
    else if (!is_equation || !solve_for(r, term_argument(r->ts, t, 0), o->var, &value))
      continue;
    *out = (clause_definition){conjunct, o->var, value};
    return true;
  }
  return false;
}

static void leave_out(reading *r, size_t conjunct) {
  r->out->is_left_out[conjunct] = true;
  for (size_t i = 0; i < r->inside.at[conjunct].count; i++) of(r, r->inside.at[conjunct].at[i])->conjuncts--;
}

static void find_definitions(reading *r) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < r->out->conjuncts.count; i++) {
      clause_definition made;
      if (r->out->is_left_out[i] || !defines(r, i, &made)) continue;
      VECTOR_PUSH(r->out->definitions, made);
      leave_out(r, i);
      more = true;
    }
  }
}

/* Says only that a variable of the body is a value of its enumeration, which it is. */
static bool is_range(const reading *r, size_t conjunct, variable v) {
  if (r->inside.at[conjunct].count != 1 || !variable_type(r->ts, v)->names) return false;
  term_vector range = {0};
  bool found = false;
  term_conjuncts(r->ts, variable_in_type(r->ts, v), &range);
  for (size_t i = 0; i < range.count && !found; i++) found = term_same(range.at[i], r->out->conjuncts.at[conjunct]);
  VECTOR_FREE(range);
  return found;
}

static void read_term(const reading *r, term t) { term_variables(r->ts, 1, &t, &r->out->read); }

/* Variables that stand at two places of the body, and all that stand in what is no variable or of another sort. */
static void read_body(const reading *r) {
  variable_vector seen = {0};
  const clause *c = r->clause;
  for (size_t i = 0; i < c->body.count; i++)
    for (size_t j = 0; j < c->body.at[i].arguments.count; j++) {
      term t = c->body.at[i].arguments.at[j];
      bool is_new = is_variable(r->ts, t);
      for (size_t k = 0; k < seen.count && is_new; k++) is_new = !variable_same(seen.at[k], term_variable(r->ts, t));
      if (is_new)
        VECTOR_PUSH(seen, term_variable(r->ts, t));
      else
        read_term(r, t);
    }
  VECTOR_FREE(seen);
}

clause_reads clause_reads_of(terms *ts, const clause *c, const bits *read) {
  clause_reads made = {0};
  reading r = {.ts = ts, .clause = c, .read = read, .out = &made};
  term_conjuncts(ts, c->constraint, &made.conjuncts);
  made.is_left_out = MEMORY_ARRAY(bool, made.conjuncts.count + 1);
  count_occurrences(&r);
  if (!c->has_constants) find_definitions(&r);
  for (size_t i = 0; i < made.conjuncts.count; i++)
    if (!made.is_left_out[i] && !(r.inside.at[i].count && is_range(&r, i, r.inside.at[i].at[0])))
      read_term(&r, made.conjuncts.at[i]);
  for (size_t i = 0; i < c->head_arguments.count; i++)
    if (head_is_read(&r, i)) read_term(&r, c->head_arguments.at[i]);
  read_body(&r);
  for (size_t i = 0; i < c->variables.count && c->has_constants; i++) VECTOR_PUSH(made.read, c->variables.at[i]);
  if (made.read.count) qsort(made.read.at, made.read.count, sizeof *made.read.at, by_number);
  for (size_t i = 0; i < r.inside.count; i++) VECTOR_FREE(r.inside.at[i]);
  VECTOR_FREE(r.inside);
  VECTOR_FREE(r.all);
  return made;
}

void clause_reads_clear(clause_reads *r) {
  VECTOR_FREE(r->conjuncts);
  VECTOR_FREE(r->definitions);
  VECTOR_FREE(r->read);
  memory_free(r->is_left_out);
}

bool clause_reads_variable(const clause_reads *r, variable v) { return is_among(&r->read, v); }

/* ---- all clauses ---- */

/* Arguments of its body that the clause reads; true if there are new ones, of a predicate that is noted. */
static bool note_reads(terms *ts, const clauses *all, const clause *c, bits *read, bool *is_changed) {
  clause_reads reads = clause_reads_of(ts, c, read);
  bool found = false;
  for (size_t i = 0; i < c->body.count; i++) {
    const clause_atom *a = &c->body.at[i];
    for (size_t j = 0; j < a->arguments.count; j++) {
      term t = a->arguments.at[j];
      sort wanted = variable_type(ts, all->predicates.at[a->predicate].parameters.at[j])->sort;
      bool is_open = is_variable(ts, t) && term_sort(ts, t) == wanted;
      if (bits_has(&read[a->predicate], j) || (is_open && !clause_reads_variable(&reads, term_variable(ts, t))))
        continue;
      bits_add(&read[a->predicate], j);
      is_changed[a->predicate] = found = true;
    }
  }
  clause_reads_clear(&reads);
  return found;
}

GIVE bits *chc_find_read(terms *ts, const clauses *all) {
  size_t count = all->predicates.count;
  bits *read = MEMORY_ARRAY(bits, count + 1);
  bool *changed_before = MEMORY_ARRAY(bool, count + 1), *changed = MEMORY_ARRAY(bool, count + 1);
  for (size_t i = 0; i < count; i++) {
    read[i] = bits_new(all->predicates.at[i].parameters.count);
    changed_before[i] = true;
  }
  for (bool is_first = true, more = true; more; is_first = false) {
    more = false;
    for (size_t i = 0; i < all->clauses.count; i++) {
      const clause *c = &all->clauses.at[i];
      if (c->body.count && (is_first || (c->head != NO_PREDICATE && changed_before[c->head])))
        more |= note_reads(ts, all, c, read, changed);
    }
    bool *other = changed_before;
    changed_before = changed;
    changed = other;
    memset(changed, 0, count * sizeof *changed);
  }
  memory_free(changed_before);
  memory_free(changed);
  return read;
}
