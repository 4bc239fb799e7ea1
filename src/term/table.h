/* The inside of the table of terms, for the files of this folder only. */
#ifndef WHET_TERM_TABLE_H
#define WHET_TERM_TABLE_H

#include "base/map.h"
#include "term/term.h"

#define NO_VARIABLE UINT32_MAX

typedef struct term_node {
  uint8_t kind;
  uint32_t count; /* arguments */
  uint32_t start; /* where they begin in `arguments` */
  uint32_t extra; /* the variable, or where the numbers of a sum begin: constant, then coefficients */
} term_node;

/* A place in the table of terms. The hash is beside the index, so that most terms that are not there, and all when the
 * table grows, are known without a look at the nodes. */
typedef struct table_slot {
  uint32_t index, hash; /* index 0 (which is `true`, never looked up): free */
} table_slot;

typedef struct variable_entry {
  const char *name;
  type type;
  uint32_t next; /* the variable after a step, NO_VARIABLE until asked for */
  term term;
} variable_entry;

/* Marks for walks: a term is marked when its stamp is the current one. */
typedef struct term_marks {
  VECTOR(uint32_t) stamps;
  uint32_t stamp;
} term_marks;

typedef struct monomial {
  term leaf;
  number coefficient;
} monomial;

typedef VECTOR(monomial) monomials;

struct terms {
  arena *arena;
  VECTOR(term_node) nodes;
  term_vector arguments;
  VECTOR(number) numbers;
  table_slot *table; /* open addressing */
  size_t table_size;
  VECTOR(variable_entry) variables;
  names *by_name;
  uint64_t fresh;
  term_marks *marks;
  monomials spare; /* room for the next sum that is built */
};

/* A term to be found or made. Arguments and numbers must not point into the table. */
typedef struct node_key {
  term_kind kind;
  uint32_t variable;
  size_t count;
  const term *arguments;
  const number *numbers; /* TERM_SUM: constant, then coefficients */
} node_key;

term terms_intern(terms *ts, const node_key *k);
uint32_t terms_hash(const node_key *k);
/* `sum <= 0` and `sum = 0` in normal form. */
term term_at_most_zero(terms *ts, term sum);
term term_equals_zero(terms *ts, term sum);
/* The term with the kind of `t` (a positive one with arguments) and new arguments, normalised again. */
term term_rebuild(terms *ts, term t, const term *arguments);

#endif
