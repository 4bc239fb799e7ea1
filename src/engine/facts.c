/* Facts, each once, and what is reported about them. */
#include "engine/facts.h"

#include <stdlib.h>

#include "base/work.h"
#include "proof/diagram.h"

static uint64_t hash_of(uint32_t predicate, const number_vector *values) {
  uint64_t h = 1469598103934665603u ^ predicate;
  for (size_t i = 0; i < values->count; i++) h = (h ^ number_hash(values->at[i])) * 1099511628211u;
  return h;
}

static bool is_fact(const fact *f, uint32_t predicate, const number_vector *values) {
  if (f->predicate != predicate) return false;
  for (size_t i = 0; i < values->count; i++)
    if (!number_equal(f->values.at[i], values->at[i])) return false;
  return true;
}

void facts_open(ground_facts *all, terms *ts, const clauses *of) {
  *all = (ground_facts){.ts = ts, .of = of, .by_hash = map_new(), .query = NO_FACT};
  all->of_predicate = MEMORY_ARRAY(index_vector, of->predicates.count + 1);
}

void facts_close(ground_facts *all) {
  for (size_t i = 0; i < all->list.count; i++) {
    VECTOR_FREE(all->list.at[i].values);
    VECTOR_FREE(all->list.at[i].by.values);
    VECTOR_FREE(all->list.at[i].by.premises);
  }
  for (size_t i = 0; i < all->of->predicates.count; i++) VECTOR_FREE(all->of_predicate[i]);
  VECTOR_FREE(all->list);
  memory_free(all->of_predicate);
  map_free(all->by_hash);
}

static uint32_t append(ground_facts *all, uint64_t hash, uint32_t predicate, const number_vector *values,
                       derivation_step by) {
  uint64_t first = NO_FACT;
  uint32_t number = (uint32_t)all->list.count;
  map_get(all->by_hash, hash, &first);
  fact made = {.predicate = predicate, .by = by, .next = (uint32_t)first};
  for (size_t i = 0; i < values->count; i++) VECTOR_PUSH(made.values, values->at[i]);
  map_set(all->by_hash, hash, number);
  VECTOR_PUSH(all->list, made);
  if (predicate == NO_PREDICATE)
    all->query = number;
  else
    VECTOR_PUSH(all->of_predicate[predicate], number);
  return number;
}

bool facts_add(ground_facts *all, uint32_t predicate, const number_vector *values, TAKE derivation_step by,
               uint32_t *at) {
  uint64_t hash = hash_of(predicate, values), first = NO_FACT;
  map_get(all->by_hash, hash, &first);
  uint32_t i = (uint32_t)first;
  while (i != NO_FACT && !is_fact(&all->list.at[i], predicate, values)) i = all->list.at[i].next;
  bool is_new = i == NO_FACT;
  if (is_new) {
    i = append(all, hash, predicate, values, by);
  } else {
    VECTOR_FREE(by.premises);
    VECTOR_FREE(by.values);
  }
  if (at) *at = i;
  return is_new;
}

uint32_t facts_append(ground_facts *all, uint32_t predicate, const number_vector *values, TAKE derivation_step by) {
  return append(all, hash_of(predicate, values), predicate, values, by);
}

/* ---- as an interpretation ---- */

static term formula_of(const ground_facts *all, const fact *f) {
  const variable_vector *parameters = &all->of->predicates.at[f->predicate].parameters;
  term_vector parts = {0};
  for (size_t i = 0; i < parameters->count; i++)
    VECTOR_PUSH(parts, fixed_term(all->ts, parameters->at[i], f->values.at[i]));
  term formula = term_and_all(all->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return formula;
}

static term list_facts(const ground_facts *all, uint32_t predicate) {
  term_vector parts = {0};
  for (size_t i = 0; i < all->of_predicate[predicate].count; i++)
    VECTOR_PUSH(parts, formula_of(all, &all->list.at[all->of_predicate[predicate].at[i]]));
  term formula = term_or_all(all->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return formula;
}

typedef struct word_row {
  const int64_t *words;
  size_t count;
} word_row;

static int compare_rows(const void *a, const void *b) {
  const word_row *x = a, *y = b;
  for (size_t i = 0; i < x->count; i++)
    if (x->words[i] != y->words[i]) return x->words[i] < y->words[i] ? -1 : 1;
  return 0;
}

/* The values of its facts, row after row; false if one is no integer of 64 bits. */
static bool read_words(const ground_facts *all, uint32_t predicate, int64_t *words) {
  const index_vector *of = &all->of_predicate[predicate];
  for (size_t i = 0; i < of->count; i++) {
    const number_vector *values = &all->list.at[of->at[i]].values;
    for (size_t j = 0; j < values->count; j++)
      if (!number_to_int64(values->at[j], words++)) return false;
  }
  return true;
}

/* Numbers next to each other become a range in a diagram: of reals that would be more than what is listed. */
static bool are_discrete(const terms *ts, const variable_vector *parameters) {
  for (size_t i = 0; i < parameters->count; i++) {
    sort of = variable_type(ts, parameters->at[i])->sort;
    if (of != SORT_INT && of != SORT_BOOL) return false;
  }
  return true;
}

/* NULL if there are no arguments, or values that it does not treat. */
static diagram *make_diagram(const ground_facts *all, uint32_t predicate) {
  const variable_vector *parameters = &all->of->predicates.at[predicate].parameters;
  if (!are_discrete(all->ts, parameters)) return NULL;
  size_t width = parameters->count, count = all->of_predicate[predicate].count;
  int64_t *words = MEMORY_ARRAY(int64_t, width * count + 1);
  diagram *made = NULL;
  if (width && read_words(all, predicate, words)) {
    word_row *rows = MEMORY_ARRAY(word_row, count + 1);
    for (size_t i = 0; i < count; i++) rows[i] = (word_row){words + i * width, width};
    qsort(rows, count, sizeof *rows, compare_rows);
    made = diagram_new(width, parameters->at);
    diagram_builder *b = diagram_builder_new(made);
    for (size_t i = 0; i < count; i++) diagram_builder_add(b, rows[i].words);
    diagram_builder_finish(b);
    memory_free(rows);
  }
  memory_free(words);
  return made;
}

/* Facts of one predicate; `size` is how large the formula is. */
static term interpret(const ground_facts *all, uint32_t predicate, size_t *size) {
  diagram *d = make_diagram(all, predicate);
  *size = d ? d->edges.count : all->of_predicate[predicate].count;
  term formula = TERM_TRUE;
  if (*size <= MOST_PARTS_OF_A_PROOF) formula = d ? diagram_term(all->ts, d) : list_facts(all, predicate);
  diagram_free(d);
  return formula;
}

/* What a solver does to check it, in counted work: others have their turns before the claim is made. */
enum { PAIRS_A_UNIT = 256, MOST_WORK_OF_CHECK = 2 * 1000 * 1000 };

bool facts_interpret(const ground_facts *all, evidence *e) {
  size_t whole = 0, size;
  e->kind = EVIDENCE_INTERPRETATION;
  for (uint32_t i = 0; i < all->of->predicates.count && whole <= MOST_PARTS_OF_A_PROOF; i++) {
    VECTOR_PUSH(e->interpretation, interpret(all, i, &size));
    whole += size;
  }
  work_add(whole * whole / PAIRS_A_UNIT < MOST_WORK_OF_CHECK ? whole * whole / PAIRS_A_UNIT : MOST_WORK_OF_CHECK);
  return whole <= MOST_PARTS_OF_A_PROOF;
}

/* ---- as a derivation ---- */

/* Premises are earlier facts, so one look from the last to the first finds all that are needed. */
void facts_derive(const ground_facts *all, uint32_t last, evidence *e) {
  uint32_t *place = MEMORY_ARRAY(uint32_t, all->list.count + 1);
  bool *is_needed = MEMORY_ARRAY(bool, all->list.count + 1);
  e->kind = EVIDENCE_DERIVATION;
  is_needed[last] = true;
  for (uint32_t i = last + 1; i-- > 0;)
    for (size_t j = 0; is_needed[i] && j < all->list.at[i].by.premises.count; j++)
      is_needed[all->list.at[i].by.premises.at[j]] = true;
  for (uint32_t i = 0; i <= last; i++) {
    if (!is_needed[i]) continue;
    const derivation_step *by = &all->list.at[i].by;
    derivation_step made = {.clause = by->clause};
    place[i] = (uint32_t)e->derivation.count;
    for (size_t j = 0; j < by->premises.count; j++) VECTOR_PUSH(made.premises, place[by->premises.at[j]]);
    for (size_t j = 0; j < by->values.count; j++) VECTOR_PUSH(made.values, by->values.at[j]);
    VECTOR_PUSH(e->derivation, made);
  }
  memory_free(place);
  memory_free(is_needed);
}
