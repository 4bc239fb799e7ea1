/* Leaves arguments out of the rewritten clauses. */
#include "input/chc/arguments.h"

/* ---- leaving out ---- */

static void compress(const bits *gone, term_vector *arguments) {
  size_t kept = 0;
  for (size_t i = 0; i < arguments->count; i++)
    if (!bits_has(gone, i)) arguments->at[kept++] = arguments->at[i];
  arguments->count = kept;
}

/* The number of the argument in the clauses as read. */
static uint32_t argument_as_read(const clauses *as_read, const clauses *all, uint32_t predicate, size_t argument) {
  variable v = all->predicates.at[predicate].parameters.at[argument];
  const variable_vector *parameters = &as_read->predicates.at[predicate].parameters;
  uint32_t i = 0;
  while (!variable_same(parameters->at[i], v)) i++;
  return i;
}

/* Takes the arguments out of heads, bodies and the table of predicates. */
static void remove_arguments(terms *ts, clauses *all, const bits *gone) {
  for (size_t i = 0; i < all->clauses.count; i++) {
    clause *c = &all->clauses.at[i];
    for (size_t j = 0; j < c->body.count; j++) compress(&gone[c->body.at[j].predicate], &c->body.at[j].arguments);
    if (c->head != NO_PREDICATE) compress(&gone[c->head], &c->head_arguments);
    clause_find_variables(ts, c);
  }
  for (size_t i = 0; i < all->predicates.count; i++) {
    variable_vector *parameters = &all->predicates.at[i].parameters;
    size_t kept = 0;
    for (size_t j = 0; j < parameters->count; j++)
      if (!bits_has(&gone[i], j)) parameters->at[kept++] = parameters->at[j];
    parameters->count = kept;
  }
}

static void free_sets(size_t count, TAKE bits *sets) {
  for (size_t i = 0; i < count; i++) bits_free(&sets[i]);
  memory_free(sets);
}

/* ---- equal ones ---- */

static bool has_equal(const argument_classes *classes) {
  for (size_t i = 0; i < classes->count; i++)
    for (size_t j = 0; j < classes->at[i].count; j++)
      if (classes->at[i].at[j] != j) return true;
  return false;
}

/* Where the predicate is in a body, the clause says itself that they are equal. */
static void equate_in_bodies(terms *ts, clause *c, const argument_classes *classes) {
  for (size_t i = 0; i < c->body.count; i++) {
    const clause_atom *a = &c->body.at[i];
    const index_vector *same = &classes->at[a->predicate];
    for (size_t j = 0; j < same->count; j++)
      if (same->at[j] != j)
        c->constraint = term_and(ts, c->constraint, term_eq(ts, a->arguments.at[same->at[j]], a->arguments.at[j]));
  }
}

static void merge_equal(terms *ts, const clauses *as_read, clauses *all, const argument_classes *classes) {
  bits *gone = MEMORY_ARRAY(bits, all->predicates.count + 1);
  for (uint32_t i = 0; i < all->predicates.count; i++) {
    gone[i] = bits_new(all->predicates.at[i].parameters.count);
    for (size_t j = 0; j < classes->at[i].count; j++) {
      if (classes->at[i].at[j] == j) continue;
      dropped_argument d = {.argument = argument_as_read(as_read, all, i, j),
                            .same_as = argument_as_read(as_read, all, i, classes->at[i].at[j])};
      VECTOR_PUSH(all->predicates.at[i].dropped, d);
      bits_add(&gone[i], j);
    }
  }
  for (size_t i = 0; i < all->clauses.count; i++) equate_in_bodies(ts, &all->clauses.at[i], classes);
  remove_arguments(ts, all, gone);
  free_sets(all->predicates.count, gone);
}

/* ---- unread ones ---- */

static bool has_unread(const clauses *all, const bits *read) {
  for (size_t i = 0; i < all->predicates.count; i++)
    if (bits_count(&read[i]) < read[i].size) return true;
  return false;
}

/* Values of variables that go: of arguments of the body, then of definitions, the last that was found first. */
static void note_values(const clauses *as_read, const clauses *all, const clause *c, const bits *read,
                        const clause_reads *reads, terms *ts, clause_origin *out) {
  for (uint32_t i = 0; i < c->body.count; i++) {
    const clause_atom *a = &c->body.at[i];
    for (size_t j = 0; j < a->arguments.count; j++) {
      if (bits_has(&read[a->predicate], j)) continue;
      clause_value made = {.var = term_variable(ts, a->arguments.at[j]), .atom = i};
      made.argument = argument_as_read(as_read, all, a->predicate, j);
      VECTOR_PUSH(out->values, made);
    }
  }
  for (size_t i = reads->definitions.count; i-- > 0;) {
    clause_value made = {.var = reads->definitions.at[i].var, .atom = NO_ATOM, .value = reads->definitions.at[i].value};
    VECTOR_PUSH(out->values, made);
  }
}

static void leave_out_of_clause(terms *ts, const clauses *as_read, const clauses *all, const bits *read, clause *c,
                                clause_origin *origin) {
  clause_reads reads = clause_reads_of(ts, c, read);
  term_vector kept = {0};
  for (size_t i = 0; i < reads.conjuncts.count; i++)
    if (!reads.is_left_out[i]) VECTOR_PUSH(kept, reads.conjuncts.at[i]);
  c->constraint = term_and_all(ts, kept.count, kept.at);
  note_values(as_read, all, c, read, &reads, ts, origin);
  VECTOR_FREE(kept);
  clause_reads_clear(&reads);
}

static void drop_unread(terms *ts, const clauses *as_read, clauses *all, bits *read) {
  for (size_t i = 0; i < all->clauses.count; i++)
    leave_out_of_clause(ts, as_read, all, read, &all->clauses.at[i], &all->origins.at[i]);
  for (uint32_t i = 0; i < all->predicates.count; i++) {
    for (size_t j = 0; j < read[i].size; j++) {
      if (bits_has(&read[i], j)) continue;
      dropped_argument d = {.argument = argument_as_read(as_read, all, i, j), .same_as = NO_ARGUMENT};
      VECTOR_PUSH(all->predicates.at[i].dropped, d);
    }
    bits_flip(&read[i]);
  }
  remove_arguments(ts, all, read);
}

/* ---- all of it ---- */

void chc_drop_arguments(model *m) {
  clauses *all = m->clauses->rewritten;
  if (!all) return;
  argument_classes classes = {0};
  chc_find_equal(m->terms, all, &classes);
  if (has_equal(&classes)) merge_equal(m->terms, m->clauses, all, &classes);
  for (size_t i = 0; i < classes.count; i++) VECTOR_FREE(classes.at[i]);
  VECTOR_FREE(classes);
  bits *read = chc_find_read(m->terms, all);
  if (has_unread(all, read)) drop_unread(m->terms, m->clauses, all, read);
  free_sets(all->predicates.count, read);
}
