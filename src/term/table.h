/* The inside of the table of terms, for the files of this folder only. */
#ifndef WHET_TERM_TABLE_H
#define WHET_TERM_TABLE_H

#include "base/map.h"
#include "term/term.h"

#define NO_VARIABLE UINT32_MAX

typedef struct term_node {
  uint8_t kind;
  bool is_real;                     /* of sort real; of an atom: its sum is */
  bool has_real;                    /* a real variable or a fraction is below */
  uint8_t element : 4, nesting : 4; /* of an array: of its type */
  uint32_t count;                   /* arguments */
  uint32_t start;                   /* where they begin in `arguments` */
  uint32_t extra;                   /* the variable, or where the numbers of a sum begin: constant, then coefficients */
} term_node;

/* A place in the table of terms. The hash is next to the index, so that most terms that are not there, and all when the
 * table grows, are known without a look at the nodes. */
typedef struct table_slot {
  uint32_t index, hash; /* index 0 (which is `true`, never looked up): free */
} table_slot;

typedef struct variable_entry {
  const char *name, *shown;
  type type;
  uint32_t next; /* the variable after a step, NO_VARIABLE until asked for */
  term term;
} variable_entry;

/* Something known of each of some terms: a number by index. Rooms for it are kept with the table of terms and used
 * again, so that a walk costs nothing for terms that it does not reach. */
enum { PLACE_PENDING = UINT32_MAX }; /* seen, nothing known yet */

typedef struct place_slot {
  uint32_t stamp, place; /* valid when the stamp is the current one */
} place_slot;

struct places_pool;

typedef struct term_places {
  VECTOR(place_slot) slots;
  uint32_t stamp;
  struct places_pool *pool;
  struct term_places *next; /* among the unused */
} term_places;

/* Lives until both the terms and all that was taken are gone. */
typedef struct places_pool {
  term_places *unused;
  size_t taken;
  bool is_closed;
} places_pool;

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
  bool names_are_escaped;
  bool have_reals;  /* some term is real */
  bool nest_arrays; /* some term is an array of arrays */
  bool have_arrays;
  struct array_values *array_values; /* array_value.c */
  places_pool *places;
  monomials spare; /* room for the next sum that is built */
};

/* A term to be found or made. Arguments and numbers must not point into the table. */
typedef struct node_key {
  term_kind kind;
  uint32_t variable; /* of a constant array: the sort of its innermost elements */
  size_t count;
  const term *arguments;
  const number *numbers; /* TERM_SUM: constant, then coefficients */
} node_key;

/* Numbers of more bits are not computed, unless the text has such: products of constants stay products, and bounds of
 * terms are none. Otherwise thirty squares, one of the other, would never end. */
enum { MOST_BITS_OF_CONSTANT = 4096, BITS_OF_SMALL_FACTOR = 64 };
/* Numbers of so many bits are not multiplied. */
static inline bool bits_are_too_many(size_t a, size_t b) {
  return a > BITS_OF_SMALL_FACTOR && b > BITS_OF_SMALL_FACTOR && a + b > MOST_BITS_OF_CONSTANT;
}

term terms_intern(terms *ts, const node_key *k);
uint32_t terms_hash(const node_key *k);
/* `sum <= 0` and `sum = 0` in normal form. */
term term_at_most_zero(terms *ts, term sum);
term term_equals_zero(terms *ts, term sum);
/* The term with the kind of `t` (a positive one with arguments) and new arguments, normalised again. */
term term_rebuild(terms *ts, term t, const term *arguments);

GIVE term_places *places_take(const terms *ts); /* with nothing in it */
void places_give(TAKE term_places *p);
void places_clear(term_places *p);
void places_pool_close(TAKE places_pool *pool);

static inline bool places_get(const term_places *p, uint32_t index, uint32_t *place) {
  if (index >= p->slots.count || p->slots.at[index].stamp != p->stamp) return false;
  *place = p->slots.at[index].place;
  return true;
}

/* True if it was not there. */
bool places_add(term_places *p, uint32_t index);
void places_set(term_places *p, uint32_t index, uint32_t place);

/* The indices below `roots` that are not in `seen`, in ascending order; from then on they are. */
void terms_cone_new(const terms *ts, size_t count, const term *roots, term_places *seen, index_vector *out);

#endif
