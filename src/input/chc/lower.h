/* Clauses as a transition system, in steps of which each is a file:
 *
 * reachability.c: predicates that no fact leads to are false, those that lead to no query are true, those that are
 * themselves forbidden are false and what derives them is a query.
 *
 * cases.c: each clause becomes guarded commands over the parameters of its body. Equalities are solved for the other
 * variables (solve.c), what stands in the way is split (split.c) or becomes if-then-else (define.c), what is left over
 * is an input.
 *
 * naturals.c: arguments that are never negative, as far as intervals can show.
 *
 * places.c: each predicate is a place; arguments that are only ever given constants are part of the place.
 *
 * slots.c: the other arguments of all predicates share state variables, so that what is passed on is not moved. An
 * argument that a place does not have is 0 there, so that a formula about states of a place is one about its
 * predicate. */
#ifndef WHET_INPUT_CHC_LOWER_H
#define WHET_INPUT_CHC_LOWER_H

#include "base/bits.h"
#include "model/model.h"
#include "term/substitute.h"

/* The predicate of the body of a linear clause, or NO_PREDICATE. */
static inline uint32_t lower_body(const clause *c) { return c->body.count ? c->body.at[0].predicate : NO_PREDICATE; }

/* Fills `m`, whose clauses, their parameters and its properties are there. */
void chc_lower(model *m);

/* ---- inside ---- */

typedef enum predicate_meaning { MEANING_PLACE, MEANING_FALSE, MEANING_TRUE } predicate_meaning;

/* A guarded command that a clause allows. */
typedef struct clause_case {
  uint32_t clause;
  uint32_t from; /* a predicate, or NO_PREDICATE: the guard is then over the parameters of `to` */
  uint32_t to;   /* a predicate, or NO_PREDICATE: a query */
  term guard;    /* over the parameters of `from` and inputs */
  term_vector
      values; /* of the parameters of `to`; for facts, of those that the guard gives a constant, else themselves */
  variable_vector inputs;
} clause_case;

/* A clause, or a case of it, on its way there. */
typedef struct open_case {
  term guard;
  term_vector values;
} open_case;
typedef VECTOR(open_case) open_cases;

typedef struct place_entry {
  uint32_t predicate;
  term_vector constants; /* by parameter, of those that are part of the place */
} place_entry;

typedef struct slot_list {
  VECTOR(uint32_t) of; /* by parameter: the slot, or NO_SLOT if it is part of the place */
} slot_list;

#define NO_SLOT UINT32_MAX

typedef struct lowering_slot {
  variable var;
  sort sort;
  const char *name;
  bool is_natural; /* wherever it is used */
} lowering_slot;

typedef struct chc_lowering {
  model *model;
  terms *ts;
  clauses *clauses;
  VECTOR(predicate_meaning) meanings;
  VECTOR(bool) forbidden; /* by predicate: what derives it breaks the property */
  bool *is_parameter;     /* by variable */
  size_t variable_count;
  VECTOR(clause_case) cases;
  VECTOR(bits) natural; /* by predicate: which parameters are never negative */
  VECTOR(bits) control; /* by predicate: which parameters are part of the place */
  VECTOR(place_entry) places;
  VECTOR(slot_list) slot_of; /* by predicate */
  VECTOR(lowering_slot) slots;
  substitution *substitution; /* one for all: a new one costs as much as there are terms */
} chc_lowering;

void lower_predicate_meanings(chc_lowering *l);
void lower_cases(chc_lowering *l);
void lower_naturals(chc_lowering *l);
void lower_places(chc_lowering *l);
void lower_slots(chc_lowering *l);
/* The guard of the case, which is from the place's predicate, has a literal that is false there. */
bool lower_excludes(const chc_lowering *l, const clause_case *c, size_t place);
/* SIZE_MAX if there is no such place. `values` by parameter; those that are part of the place are constants. */
size_t lower_find_place(const chc_lowering *l, uint32_t predicate, const term *values);

/* Solves equalities among the conjuncts of `*guard` for variables that are no parameters, as long as there are any, and
 * puts the solutions into `values`. `with_ite`: even if the solution has an if-then-else. */
void lower_solve(chc_lowering *l, term *guard, size_t count, term *values, bool with_ite);
/* Drops variables that are no parameters and stand in none of `values` from the guard, if that is exact and does not
 * make it longer. */
void lower_project(chc_lowering *l, term *guard, size_t count, const term *values);
/* Solves equalities of the case and uses its literals in what else it says, as long as that changes something. */
void lower_settle(chc_lowering *l, open_case *c);
/* Cases that together are the case, each with as little as possible left to solve. What would be too many stays
 * together, and is made definite by `lower_define`. */
void lower_split(chc_lowering *l, const open_case *c, open_cases *out);
/* Replaces variables that are no parameters by values with if-then-else, if the guard says what they are under
 * conditions. */
void lower_define(chc_lowering *l, open_case *c);
/* The value that `literal` gives `v`, on its own. */
bool lower_defines(const chc_lowering *l, term literal, variable v, term *value);
bool lower_is_free(const chc_lowering *l, variable v);

#endif
