/* Units as text: lines of numbers, then formulas `sum = value@`, one for each potential and each growth, in their order. */
#include <stdio.h>
#include <string.h>

#include "proof/formulas.h"
#include "run/bounds/bound_units.h"

#define FIRST_OF_FORMULAS "formulas\n"

static term carrier_of(model *m) {
  return term_of_variable(m->terms, frozen_add_variable(m, "value@", &(type){.sort = SORT_INT}, ROLE_PARAMETER));
}

/* ---- writing ---- */

static void write_list(const index_vector *list, text *out) {
  text_add(out, " %zu", list->count);
  for (size_t i = 0; i < list->count; i++) text_add(out, " %u", (unsigned)list->at[i]);
}

static void write_numbers(const bound_units *units, const subject_units *found, text *out) {
  text_add(out, "%zu", units->count);
  for (size_t i = 0; i < units->count; i++) {
    const bound_unit *u = &units->at[i];
    text_add(out, " %lld %d", (long long)u->by, u->is_positive);
    write_list(&u->transitions, out);
    text_add(out, " %zu", u->growths.count);
    for (size_t j = 0; j < u->growths.count; j++)
      text_add(out, " %zu %d", u->growths.at[j].unit, u->growths.at[j].is_positive);
  }
  for (size_t i = 0; i < found->count; i++) write_list(&found->at[i], out);
  text_add(out, "\n");
}

void bound_units_write(frozen_model *f, const bound_units *units, const subject_units *found, text *out) {
  terms *ts = f->m->terms;
  term carrier = carrier_of(f->m);
  write_numbers(units, found, out);
  text_add(out, FIRST_OF_FORMULAS);
  for (size_t i = 0; i < units->count; i++) {
    formulas_add(ts, term_eq(ts, units->at[i].potential, carrier), out);
    for (size_t j = 0; j < units->at[i].growths.count; j++)
      formulas_add(ts, term_eq(ts, units->at[i].growths.at[j].by, carrier), out);
  }
}

/* ---- reading ---- */

/* The next number, which is below `limit`. */
static bool read_number(const char **at, uint64_t limit, uint64_t *out) {
  unsigned long long n;
  int used = 0;
  if (sscanf(*at, "%llu%n", &n, &used) != 1 || n >= limit) return false;
  *at += used;
  *out = n;
  return true;
}

static bool read_list(const char **at, uint64_t limit, index_vector *out) {
  uint64_t count, n;
  if (!read_number(at, limit + 1, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    if (!read_number(at, limit, &n)) return false;
    VECTOR_PUSH(*out, (uint32_t)n);
  }
  return true;
}

static bool read_unit(const char **at, size_t transitions, size_t before, bound_unit *u) {
  uint64_t by, flag, count, unit;
  if (!read_number(at, UINT64_C(1) << 20, &by) || !by || !read_number(at, 2, &flag)) return false;
  u->by = (int64_t)by;
  u->is_positive = flag;
  if (!read_list(at, transitions, &u->transitions) || !read_number(at, before + 1, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    if (!read_number(at, before, &unit) || !read_number(at, 2, &flag)) return false;
    VECTOR_PUSH(u->growths, (unit_growth){.unit = unit, .is_positive = flag});
  }
  return true;
}

/* The sum of a formula `sum = carrier`. */
static bool sum_of_formula(terms *ts, term formula, term carrier, term *out) {
  if (term_is_negated(formula) || term_kind_of(ts, formula) != TERM_EQ) return false;
  term zero = term_argument(ts, formula, 0);
  linear l = term_linear(ts, zero);
  for (size_t i = 0; i < l.count; i++) {
    if (!term_same(l.leaves[i], carrier)) continue;
    if (number_is(l.coefficients[i], 1))
      *out = term_sub(ts, carrier, zero);
    else if (number_is(l.coefficients[i], -1))
      *out = term_add(ts, carrier, zero);
    else
      return false;
    return true;
  }
  return false;
}

static bool take_sums(terms *ts, const term_vector *formulas, term carrier, bound_units *units) {
  size_t next = 0;
  for (size_t i = 0; i < units->count; i++) {
    bound_unit *u = &units->at[i];
    if (next == formulas->count || !sum_of_formula(ts, formulas->at[next++], carrier, &u->potential)) return false;
    for (size_t j = 0; j < u->growths.count; j++)
      if (next == formulas->count || !sum_of_formula(ts, formulas->at[next++], carrier, &u->growths.at[j].by))
        return false;
  }
  return next == formulas->count;
}

static bool read_numbers(const char *at, size_t transitions, size_t subjects, bound_units *units,
                         subject_units *found) {
  uint64_t count;
  if (!read_number(&at, UINT32_MAX, &count)) return false;
  for (uint64_t i = 0; i < count; i++) {
    VECTOR_PUSH(*units, (bound_unit){0});
    if (!read_unit(&at, transitions, i, &units->at[i])) return false;
  }
  for (size_t i = 0; i < subjects; i++) {
    VECTOR_PUSH(*found, (index_vector){0});
    if (!read_list(&at, count, &found->at[i])) return false;
  }
  return true;
}

bool bound_units_read(frozen_model *f, const char *from, size_t subjects, bound_units *units, subject_units *found) {
  model *m = f->m;
  const char *formulas = strstr(from, FIRST_OF_FORMULAS);
  term carrier = carrier_of(m);
  term_vector read = {0};
  bool fine = formulas && read_numbers(from, m->transitions.count, subjects, units, found) &&
              formulas_read(m, formulas + strlen(FIRST_OF_FORMULAS), &read) &&
              take_sums(m->terms, &read, carrier, units);
  VECTOR_FREE(read);
  return fine;
}
