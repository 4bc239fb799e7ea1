/* Exact numbers of any size: integers of 64 bits inline, larger ones and fractions by GMP.
 *
 * A `number` is a value: copy it freely. Large ones and fractions are interned for the life of the process (they are
 * rare: a model that uses them holds a handful), so nothing is ever freed and equality of such numbers is equality of
 * pointers. An integer that fits in 64 bits is always stored inline.
 *
 * Sums, products, comparisons and text know fractions. What is about integers alone (division with remainder, the
 * greatest common divisor) REQUIREs them. */
#ifndef WHET_BASE_NUMBER_H
#define WHET_BASE_NUMBER_H

#include "base/text.h"

struct number_big;

typedef struct number {
  int64_t small;                /* the value, if `big` is NULL; else 0 */
  const struct number_big *big; /* interned; an integer beyond 64 bits, or a fraction */
} number;

static inline number number_of(int64_t value) { return (number){value, NULL}; }

/* An optional sign and decimal digits, the whole string; false if it is anything else. */
bool number_parse(const char *text, size_t length, number *out);
/* The same, and a fraction: two such with `/` between them, the second without sign and not 0; or decimal digits with
 * one point among them. */
bool number_parse_fraction(const char *text, size_t length, number *out);
void number_print(text *out, number n); /* a fraction as 7/2 */
GIVE char *number_string(number n);

bool number_is_integer(number n);
number number_quotient(number a, number b); /* exact; `b` is not 0 */
number number_floor(number n);              /* the largest integer that is not above it */
number number_numerator(number n);
number number_denominator(number n); /* > 0 */

/* How many bits the absolute value has; 0 has none. Of a fraction, those of numerator and denominator together. */
size_t number_bits(number n);
/* Products never get larger than this: squaring thirty times gives numbers that no memory holds. What was set runs
 * instead and does not return; by default one line is printed and the process exits with status 1. A worker ends with a
 * status that its parent reports as UNKNOWN; see process/worker.h. */
enum { NUMBER_MOST_BITS = 1 << 20 };
void number_on_too_large(void (*handler)(void));

/* True and `*out` set if the value fits, which a fraction never does. */
bool number_to_int64(number n, int64_t *out);

number number_add_slow(number a, number b);
number number_sub_slow(number a, number b);
number number_mul_slow(number a, number b);

static inline number number_add(number a, number b) {
  int64_t r;
  if (!a.big && !b.big && !__builtin_add_overflow(a.small, b.small, &r)) return number_of(r);
  return number_add_slow(a, b);
}
static inline number number_sub(number a, number b) {
  int64_t r;
  if (!a.big && !b.big && !__builtin_sub_overflow(a.small, b.small, &r)) return number_of(r);
  return number_sub_slow(a, b);
}
static inline number number_mul(number a, number b) {
  int64_t r;
  if (!a.big && !b.big && !__builtin_mul_overflow(a.small, b.small, &r)) return number_of(r);
  return number_mul_slow(a, b);
}
static inline number number_negate(number a) { return number_sub(number_of(0), a); }

/* ---- of integers ---- */

/* Euclidean division as in SMT-LIB: a = b*q + r with 0 <= r < |b|. `b` is not 0. */
number number_div(number a, number b);
number number_mod(number a, number b);
/* Rounding towards minus and plus infinity. `b` > 0. */
number number_floor_div(number a, number b);
number number_ceil_div(number a, number b);
number number_gcd(number a, number b); /* >= 0; gcd(0,0) = 0 */

/* ---- of all ---- */

number number_abs(number a);

/* From now on this thread's large numbers are part of its work (base/work.h), also those made by libraries: those of
 * polyhedra and of integer sets do little else, and ask for memory for nearly each. */
void number_count_work(void);

int number_compare_slow(number a, number b);
static inline int number_compare(number a, number b) {
  if (!a.big && !b.big) return (a.small > b.small) - (a.small < b.small);
  return number_compare_slow(a, b);
}
static inline bool number_equal(number a, number b) { return a.small == b.small && a.big == b.big; }
int number_sign(number a); /* -1, 0, 1 */
static inline bool number_is(number a, int64_t value) { return !a.big && a.small == value; }
uint64_t number_hash(number a);

#endif
