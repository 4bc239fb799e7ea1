/* Powersets as elements: each function says the same of powersets; and as formulas. */
#include "engine/widen/powerset_elements.h"

static powerset *set_of(element *e) { return (powerset *)e; }

static element *share(element *e) { return element_of_set(powerset_share(set_of(e))); }
static void release(element *e) { powerset_free(set_of(e)); }
static bool is_empty(const element *e) { return powerset_is_empty(element_set(e)); }
static bool within(const element *a, const element *b) { return powerset_within(element_set(a), element_set(b)); }
static bool precedes(const element *a, const element *b) { return powerset_precedes(element_set(a), element_set(b)); }
static bool meets(const element *a, const element *b) { return powerset_meets(element_set(a), element_set(b)); }

static element *join(void *context, const element *a, const element *b) {
  (void)context;
  return element_of_set(powerset_join(element_set(a), element_set(b)));
}

static element *meet(void *context, const element *a, const element *b) {
  (void)context;
  return element_of_set(powerset_meet(element_set(a), element_set(b)));
}

static void measure(const element *e, size_t *disjuncts, size_t *constraints) {
  *disjuncts = powerset_count(element_set(e));
  *constraints = powerset_constraints(element_set(e));
}

void elements_are_powersets(domain *d) {
  d->share = share;
  d->release = release;
  d->is_empty = is_empty;
  d->within = within;
  d->precedes = precedes;
  d->meets = meets;
  d->join = join;
  d->meet = meet;
  d->measure = measure;
}

term elements_term(const case_frame *f, const powerset *set) {
  terms *ts = f->model->terms;
  term_vector parts = {0}, of_part = {0};
  row_vector rows = {0};
  for (size_t i = 0; i < powerset_count(set); i++) {
    polyhedron_rows(powerset_at(set, i), &rows);
    VECTOR_CLEAR(of_part);
    for (size_t j = 0; j < rows.count; j++) VECTOR_PUSH(of_part, frame_term(f, &rows.at[j]));
    VECTOR_PUSH(parts, term_and_all(ts, of_part.count, of_part.at));
  }
  term result = term_or_all(ts, parts.count, parts.at);
  rows_clear(&rows);
  VECTOR_FREE(parts);
  VECTOR_FREE(of_part);
  return result;
}
