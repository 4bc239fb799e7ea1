/* Formulas and expressions of integers and reals: hash-consed, normalised when built.
 *
 * A `term` is an index into a table with a polarity bit: `p` and `not p` are one entry, and two terms are equal exactly
 * when their numbers are. Arguments always have smaller indices than the terms built from them, so whoever walks a term
 * sorts the indices below it and goes upwards: no recursion anywhere (see `terms_cone`).
 *
 * Integer terms are linear sums: constant + coefficient * leaf + ..., leaves sorted by index; a leaf is a variable, or
 * an expression that is not linear (product, division, remainder, if-then-else). Atoms have one normal form:
 *     sum <= 0     coefficients divided by their gcd, the constant rounded up; first coefficient positive, else the
 *                  negation of the integer complement is stored
 *     sum  = 0     divided by the gcd (false if it does not divide the constant); first coefficient positive
 * So `2x+2 > 4y+3` and `not (x <= 2y)` are one entry. All arithmetic is exact.
 *
 * Real terms are the same with fractions as numbers; a term is real if a real variable or a fraction is in its value
 * (SORT_REAL), and an integer is a real: nothing converts one to the other. Atoms about real sums have other normal
 * forms, for there is no integer complement and nothing is rounded:
 *     sum <= 0     all numbers integers, with gcd 1, the constant's included; the first coefficient has any sign, so
 *                  that `sum < 0` is the negation of `-sum <= 0`: the negation of a real atom is strict
 *     sum  = 0     the same, with a positive first coefficient
 * Whoever takes an atom apart asks `term_is_real_atom` before thinking in integers.
 *
 * Arrays have an element for each integer, which may be an array again. Reading from what was written is not resolved when a term is built, unless
 * indices are the same or differ by a constant; `a[i]` is a leaf of sums as other terms that are not linear are.
 *
 * Invariant of the table: the normal forms above and those at `term_kind`; no two entries are the same; every entry is
 * found by its hash; every variable is found by its name and has its term. */
#ifndef WHET_TERM_TERM_H
#define WHET_TERM_TERM_H

#include "base/number.h"
#include "base/vector.h"

typedef struct term {
  uint32_t x; /* 2 * index + polarity; 0 is `true`, 1 is `false` */
} term;

typedef struct variable {
  uint32_t x; /* index into the table of variables */
} variable;

typedef VECTOR(term) term_vector;
typedef VECTOR(variable) variable_vector;

typedef struct terms terms;

static inline bool term_same(term a, term b) { return a.x == b.x; }
static inline uint32_t term_index(term t) { return t.x >> 1; }
static inline bool term_is_negated(term t) { return t.x & 1; }
static inline term term_not(term t) { return (term){t.x ^ 1}; } /* of a boolean term */
static inline term term_positive(term t) { return (term){t.x & ~UINT32_C(1)}; }
#define TERM_TRUE ((term){0})
#define TERM_FALSE ((term){1})
static inline term term_of_bool(bool b) { return b ? TERM_TRUE : TERM_FALSE; }
static inline bool term_is_true(term t) { return t.x == 0; }
static inline bool term_is_false(term t) { return t.x == 1; }

typedef enum term_kind {
  TERM_CONSTANT_TRUE, /* index 0; false is its negation */
  TERM_BOOL_VARIABLE,
  TERM_HEAP_NULL,  /* p = null;  arguments: the variable p */
  TERM_HEAP_SAME,  /* p = q;     p before q in index order */
  TERM_HEAP_DATA,  /* the data of p is among some values (term/heap/node_layout.h); arguments: p, the set as a number */
  TERM_ARRAY_SAME, /* a = b of arrays; a before b in index order */
  TERM_BOOL_SELECT, /* a[i] of an array of booleans;  arguments: the array, the index */
  TERM_LE,          /* argument 0 (a sum) <= 0 */
  TERM_EQ,          /* argument 0 (a sum) = 0 */
  TERM_AND,         /* two or more arguments, sorted, none twice; `or` is its negation */
  TERM_IFF,         /* two arguments, both positive */
  TERM_BOOL_ITE,    /* condition positive */
  TERM_INT_VARIABLE,
  TERM_REAL_VARIABLE,
  TERM_NODE_VARIABLE,  /* a pointer into the heap; only inside TERM_HEAP_* */
  TERM_SUM,            /* constant + coefficient * argument ...; a constant has no arguments */
  TERM_PRODUCT,        /* two or more arguments, sorted; constant only if the result would be too large (table.h) */
  TERM_DIV,            /* Euclidean; division by 0 gives 0 (models report it as a run-time error) */
  TERM_MOD,            /* Euclidean; remainder by 0 gives the dividend */
  TERM_INT_ITE,        /* condition positive; of integers or reals */
  TERM_SELECT,         /* a[i] of an array of integers or reals */
  TERM_ARRAY_VARIABLE, /* the first of the kinds of arrays: see `term_is_array` */
  TERM_STORE,          /* a, but v at index i;  arguments: the array, the index, the value */
  TERM_CONSTANT_ARRAY, /* the same value at every index */
  TERM_ARRAY_ITE,      /* condition positive */
  TERM_ARRAY_SELECT,   /* a[i] of an array of arrays */
} term_kind;

/* SORT_ARRAY: from all integers to values of one type, which its own names. */
typedef enum sort { SORT_BOOL, SORT_INT, SORT_NODE, SORT_REAL, SORT_ARRAY } sort;

/* What a variable ranges over. Values of an enumeration are 0, 1, ..; `names` then has one name a value. */
typedef struct type {
  sort sort;
  bool has_low, has_high; /* not of reals */
  number low, high;
  const char *const *names; /* NULL but for enumerations and locations */
  size_t name_count;
  bool is_location; /* the place of a process: printed `P at idle`, never abstracted */
  sort element;     /* of an array: the sort of its values, SORT_BOOL, SORT_INT or SORT_REAL */
  uint8_t nesting;  /* of an array: 0, or so many times an array of arrays; `element` is then that of the innermost */
  const char *data; /* of a `type` of which nothing is known but equality: its name; NULL of others */
  const struct node_layout
      *layout; /* of nodes: their fields (term/heap/node_layout.h); NULL: data : bool, next : node */
} type;
enum { MOST_NESTING = 3 };

GIVE terms *terms_new(void);
/* All names come from a text in which they were escaped (text_add_escaped) when they were read; printers then do not do so
 * again. */
void terms_names_are_escaped(terms *ts);
/* The same terms in a table of its own, to which other terms may be added. It shares names with `from`, which outlives
 * it. */
GIVE terms *terms_copy(const terms *from);
void terms_free(TAKE terms *ts);
size_t terms_count(const terms *ts);
/* Memory that lives as long as `ts`; for names and the like. */
KEEP arena *terms_arena(terms *ts);
/* NULL, or what is broken of the invariant (base/instruments/check.h). */
KEEP const char *terms_check(const terms *ts);

/* Variables. Names are unique within `ts`; the type is copied but for `names`, which must outlive `ts` (terms_arena).
 */
variable variable_new(terms *ts, const char *name, const type *of);
bool variable_find(const terms *ts, const char *name, variable *out);
/* A variable whose name starts with `stem` and was not there before. */
variable variable_fresh(terms *ts, const char *stem, const type *of);
/* The variable that stands for `v` after a step; made when first asked for. Its name is the old one with "!next". */
variable variable_next(terms *ts, variable v);
KEEP const char *variable_name(const terms *ts, variable v);
/* The name for lines of text: control characters are escaped (base/escape.h). */
KEEP const char *variable_shown(const terms *ts, variable v);
KEEP const type *variable_type(const terms *ts, variable v);
size_t variable_count(const terms *ts);
/* A value of the variable's sort fits a variable of sort `of`: the same, or an integer for a real. */
static inline bool sort_fits(sort value, sort of) { return value == of || (value == SORT_INT && of == SORT_REAL); }
static inline bool variable_same(variable a, variable b) { return a.x == b.x; }
/* The sort of SMT-LIB that values of the type have: Int, Bool, Real, (Array Int Int). */
KEEP const char *type_smtlib_sort(const type *t);
/* Of arrays also those of the same elements. */
static inline bool types_have_one_sort(const type *a, const type *b) {
  return a->sort == b->sort && (a->sort != SORT_ARRAY || (a->element == b->element && a->nesting == b->nesting));
}
/* Of an array's type: that of a[i]. Names of values are kept. */
static inline type type_of_element(const type *array) {
  type made = *array;
  if (made.nesting)
    made.nesting--;
  else
    made.sort = made.element;
  return made;
}
/* True if every value of the type can be counted: bool, ranges, enumerations. */
bool type_is_finite(const type *t);
/* Finite, and every value has 64 bits. */
bool type_fits_in_words(const type *t);
/* Whether `n` is a value of the type; of a node always: which nodes there are, the heap says. */
bool type_has_value(const type *t, number n);
/* How many values a finite type has, at most `cap`. */
uint64_t type_size(const type *t, uint64_t cap);

/* Looking at terms. `term_kind_of` ignores polarity; arguments are those of the positive term. */
term_kind term_kind_of(const terms *ts, term t);
sort term_sort(const terms *ts, term t);
static inline bool kind_is_array(term_kind kind) { return kind >= TERM_ARRAY_VARIABLE; }
/* The sort of an array's elements, of one of arrays those of the innermost; and how often it is one of arrays. */
sort term_element(const terms *ts, term array);
unsigned term_nesting(const terms *ts, term array);
/* The sort of the term as a type, without bounds. */
type term_type(const terms *ts, term t);
/* It is a value of that type's sort: the same, or an integer for a real. */
bool term_fits(const terms *ts, term t, const type *of);
/* Some array was ever made. */
bool terms_have_arrays(const terms *ts);
/* A `sum <= 0` or `sum = 0` of either polarity whose sum is real. */
bool term_is_real_atom(const terms *ts, term t);
/* A real variable or a fraction is in it, also in a condition. */
bool term_has_real(const terms *ts, term t);
/* Some real variable or fraction was ever made. */
bool terms_have_reals(const terms *ts);
/* Some array of arrays was ever made. */
bool terms_nest_arrays(const terms *ts);
size_t term_arguments(const terms *ts, term t);
term term_argument(const terms *ts, term t, size_t i);
number term_coefficient(const terms *ts, term sum, size_t i); /* TERM_SUM */
number term_constant(const terms *ts, term sum);              /* TERM_SUM */
variable term_variable(const terms *ts, term t);              /* TERM_*_VARIABLE */
bool term_is_number(const terms *ts, term t, number *out);    /* a constant integer or fraction */
bool term_is_atom(const terms *ts, term t); /* boolean variable, heap test, LE or EQ, of either polarity */
/* Any integer or real term as constant + coefficients * leaves; a leaf alone counts as 1 * itself. */
typedef struct linear {
  number constant;
  size_t count;
  const term *leaves;
  const number *coefficients;
} linear;
linear term_linear(const terms *ts, term t); /* valid until the next term is built */

/* Building. Numbers and booleans must not be mixed up, and division is of integers: REQUIREd. Integers are reals. */
term term_of_variable(terms *ts, variable v);
term term_number(terms *ts, number n);
term term_int(terms *ts, int64_t n);
/* The value of `v` as a term of its sort: booleans are 0 and 1. */
term term_of_value(terms *ts, variable v, int64_t value);
term term_add(terms *ts, term a, term b);
term term_sub(terms *ts, term a, term b);
term term_negate(terms *ts, term a);
term term_scale(terms *ts, number factor, term a);
term term_mul(terms *ts, term a, term b);
term term_div(terms *ts, term a, term b);
term term_mod(terms *ts, term a, term b);
term term_min(terms *ts, term a, term b);
term term_max(terms *ts, term a, term b);
term term_abs(terms *ts, term a);
/* The sum with the given leaves (any integer terms, in any order, also repeated). */
term term_sum(terms *ts, number constant, size_t count, const term *leaves, const number *coefficients);

term term_le(terms *ts, term a, term b);
term term_lt(terms *ts, term a, term b);
term term_ge(terms *ts, term a, term b);
term term_gt(terms *ts, term a, term b);
term term_eq(terms *ts, term a, term b); /* numbers, booleans (then `iff`), or nodes */
term term_and(terms *ts, term a, term b);
term term_or(terms *ts, term a, term b);
term term_and_all(terms *ts, size_t count, const term *parts); /* `parts` is not changed */
term term_or_all(terms *ts, size_t count, const term *parts);
term term_implies(terms *ts, term a, term b);
term term_iff(terms *ts, term a, term b);
term term_ite(terms *ts, term condition, term then, term otherwise); /* numbers or booleans */
term term_heap_null(terms *ts, variable p);
term term_heap_same(terms *ts, variable p, variable q);
/* The data of `p` is one of these values, as bits (term/heap/node_layout.h); that of null is value 0. */
term term_heap_data(terms *ts, variable p, uint64_t values);
/* The values of such a test. */
uint64_t term_heap_values(const terms *ts, term t);
term term_select(terms *ts, term array, term index);
term term_store(terms *ts, term array, term index, term value);
/* `value` is of the sort `element`, or an array of such (of arrays, ..). */
term term_constant_array(terms *ts, sort element, term value);
term term_array_same(terms *ts, term a, term b); /* `term_eq` and `term_ite` take arrays too */

/* The positive indices reachable from `roots`, each once, in ascending order: arguments before those who use them. */
typedef VECTOR(uint32_t) index_vector;
void terms_cone(const terms *ts, size_t count, const term *roots, index_vector *out);
/* The variables that occur, in index order. */
void term_variables(const terms *ts, size_t count, const term *roots, variable_vector *out);
bool term_mentions(const terms *ts, term t, variable v);
/* The atoms (positive) of a boolean term, in index order; atoms inside conditions of integer terms included. */
void term_atoms(const terms *ts, term t, term_vector *out);
/* Top-level conjuncts (t = c1 and c2 ..); a term that is no conjunction is its own. `true` has none. */
void term_conjuncts(const terms *ts, term t, term_vector *out);
void term_disjuncts(const terms *ts, term t, term_vector *out);
/* True if every atom is linear: no product, division or remainder by anything, no if-then-else inside an integer
 * term. */
bool term_is_linear(const terms *ts, term t);

#endif
