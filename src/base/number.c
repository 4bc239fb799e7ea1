/* Large values and fractions live in a process-wide intern table; see number.h for why that is enough. */
#include "base/number.h"

#include <gmp.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/vector.h"
#include "base/work.h"

struct number_big {
  mpq_t value; /* canonical: of an integer the denominator is 1 */
};

#define INTEGER_OF(BIG) mpq_numref((BIG)->value)

static struct {
  pthread_mutex_t lock;
  names *by_text; /* decimal text -> index */
  VECTOR(struct number_big *) all;
} interned = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool number_is_integer(number n) { return !n.big || !mpz_cmp_ui(mpq_denref(n.big->value), 1); }

static void to_mpz(mpz_t out, number n) {
  REQUIRE(number_is_integer(n), "an integer");
  if (n.big)
    mpz_init_set(out, INTEGER_OF(n.big));
  else {
    mpz_init(out);
    uint64_t magnitude = n.small < 0 ? 0 - (uint64_t)n.small : (uint64_t)n.small;
    mpz_import(out, 1, -1, sizeof magnitude, 0, 0, &magnitude);
    if (n.small < 0) mpz_neg(out, out);
  }
}

static void to_mpq(mpq_t out, number n) {
  mpq_init(out);
  if (n.big) {
    mpq_set(out, n.big->value);
  } else {
    mpz_t z;
    to_mpz(z, n);
    mpq_set_z(out, z);
    mpz_clear(z);
  }
}

static bool mpz_to_int64(const mpz_t z, int64_t *out) {
  if (mpz_sizeinbase(z, 2) > 64) return false;
  uint64_t magnitude = 0;
  mpz_export(&magnitude, NULL, -1, sizeof magnitude, 0, 0, z);
  if (mpz_sgn(z) >= 0) {
    if (magnitude > INT64_MAX) return false;
    *out = (int64_t)magnitude;
  } else {
    if (magnitude > (uint64_t)INT64_MAX + 1) return false;
    *out = (int64_t)(0 - magnitude);
  }
  return true;
}

static void lock(void) { pthread_mutex_lock(&interned.lock); }
static void unlock(void) { pthread_mutex_unlock(&interned.lock); }
/* A child that is forked while another thread holds the lock could never take it. */
static void guard_forks(void) { pthread_atfork(lock, unlock, unlock); }

static const struct number_big *intern(const mpq_t q) {
  static pthread_once_t guarded = PTHREAD_ONCE_INIT;
  pthread_once(&guarded, guard_forks);
  char *key = memory_alloc(mpz_sizeinbase(mpq_numref(q), 62) + mpz_sizeinbase(mpq_denref(q), 62) + 3);
  mpq_get_str(key, 62, q);
  lock();
  if (!interned.by_text) interned.by_text = names_new();
  uint64_t index;
  if (!names_get(interned.by_text, key, &index)) {
    struct number_big *big = MEMORY_NEW(struct number_big);
    mpq_init(big->value);
    mpq_set(big->value, q);
    index = interned.all.count;
    VECTOR_PUSH(interned.all, big);
    names_set(interned.by_text, key, index);
  }
  const struct number_big *result = interned.all.at[index];
  unlock();
  memory_free(key);
  return result;
}

/* Takes the content of `z` and clears it. */
static number from_mpz(mpz_t z) {
  number result = {0, NULL};
  if (!mpz_to_int64(z, &result.small)) {
    mpq_t q;
    mpq_init(q);
    mpq_set_z(q, z);
    result = (number){0, intern(q)};
    mpq_clear(q);
  }
  mpz_clear(z);
  return result;
}

/* The same for a canonical fraction. */
static number from_mpq(mpq_t q) {
  number result = {0, NULL};
  bool is_small = !mpz_cmp_ui(mpq_denref(q), 1) && mpz_to_int64(mpq_numref(q), &result.small);
  if (!is_small) result = (number){0, intern(q)};
  mpq_clear(q);
  return result;
}

typedef void (*mpz_operation)(mpz_ptr, mpz_srcptr, mpz_srcptr);

static number apply(mpz_operation f, number a, number b) {
  mpz_t x, y;
  to_mpz(x, a);
  to_mpz(y, b);
  f(x, x, y);
  mpz_clear(y);
  return from_mpz(x);
}

typedef void (*mpq_operation)(mpq_ptr, mpq_srcptr, mpq_srcptr);

static number apply_to_fractions(mpq_operation f, number a, number b) {
  mpq_t x, y;
  to_mpq(x, a);
  to_mpq(y, b);
  f(x, x, y);
  mpq_clear(y);
  return from_mpq(x);
}

static bool are_integers(number a, number b) { return number_is_integer(a) && number_is_integer(b); }

number number_add_slow(number a, number b) {
  return are_integers(a, b) ? apply(mpz_add, a, b) : apply_to_fractions(mpq_add, a, b);
}

number number_sub_slow(number a, number b) {
  return are_integers(a, b) ? apply(mpz_sub, a, b) : apply_to_fractions(mpq_sub, a, b);
}

static void (*too_large_handler)(void);

void number_on_too_large(void (*handler)(void)) { too_large_handler = handler; }

_Noreturn static void too_large(void) {
  if (too_large_handler) too_large_handler();
  fprintf(stderr, "whet: a number is too large: over %d bits\n", NUMBER_MOST_BITS);
  exit(1);
}

size_t number_bits(number n) {
  if (n.big && !number_is_integer(n))
    return mpz_sizeinbase(mpq_numref(n.big->value), 2) + mpz_sizeinbase(mpq_denref(n.big->value), 2);
  if (n.big) return mpz_sizeinbase(INTEGER_OF(n.big), 2);
  uint64_t magnitude = n.small < 0 ? 0 - (uint64_t)n.small : (uint64_t)n.small;
  return magnitude ? 64 - (size_t)__builtin_clzll(magnitude) : 0;
}

number number_mul_slow(number a, number b) {
  if (number_bits(a) + number_bits(b) > NUMBER_MOST_BITS && number_bits(a) > 1 && number_bits(b) > 1) too_large();
  return are_integers(a, b) ? apply(mpz_mul, a, b) : apply_to_fractions(mpq_mul, a, b);
}

number number_quotient(number a, number b) {
  REQUIRE(number_sign(b) != 0, "a divisor that is not 0");
  if (number_bits(a) + number_bits(b) > NUMBER_MOST_BITS) too_large();
  return apply_to_fractions(mpq_div, a, b);
}

static number part_of(number n, bool is_denominator) {
  mpz_t z;
  mpz_init_set(z, is_denominator ? mpq_denref(n.big->value) : mpq_numref(n.big->value));
  return from_mpz(z);
}

number number_numerator(number n) { return number_is_integer(n) ? n : part_of(n, false); }
number number_denominator(number n) { return number_is_integer(n) ? number_of(1) : part_of(n, true); }
number number_floor(number n) { return number_floor_div(number_numerator(n), number_denominator(n)); }

number number_gcd(number a, number b) {
  if (!a.big && !b.big && a.small != INT64_MIN && b.small != INT64_MIN) {
    int64_t x = a.small < 0 ? -a.small : a.small, y = b.small < 0 ? -b.small : b.small;
    while (y) {
      int64_t r = x % y;
      x = y;
      y = r;
    }
    return number_of(x);
  }
  return apply(mpz_gcd, a, b);
}

number number_floor_div(number a, number b) {
  REQUIRE(number_sign(b) > 0, "a positive divisor");
  if (!a.big && !b.big) return number_of(a.small / b.small - (a.small % b.small < 0));
  return apply(mpz_fdiv_q, a, b);
}

number number_ceil_div(number a, number b) { return number_negate(number_floor_div(number_negate(a), b)); }

number number_div(number a, number b) {
  REQUIRE(number_sign(b) != 0, "a divisor that is not 0");
  if (number_sign(b) > 0) return number_floor_div(a, b);
  return number_negate(number_floor_div(a, number_negate(b)));
}

number number_mod(number a, number b) { return number_sub(a, number_mul(b, number_div(a, b))); }

number number_abs(number a) { return number_sign(a) < 0 ? number_negate(a) : a; }

int number_sign(number a) {
  if (a.big) return mpq_sgn(a.big->value);
  return (a.small > 0) - (a.small < 0);
}

int number_compare_slow(number a, number b) {
  mpq_t x, y;
  to_mpq(x, a);
  to_mpq(y, b);
  int result = mpq_cmp(x, y);
  mpq_clear(x);
  mpq_clear(y);
  return (result > 0) - (result < 0);
}

bool number_to_int64(number n, int64_t *out) {
  if (n.big) return false;
  *out = n.small;
  return true;
}

uint64_t number_hash(number a) { return hash_mix((uint64_t)a.small ^ (uint64_t)(uintptr_t)a.big * 31); }

bool number_parse(const char *chars, size_t length, number *out) {
  size_t start = length > 0 && (chars[0] == '-' || chars[0] == '+');
  if (start == length) return false;
  for (size_t i = start; i < length; i++)
    if (chars[i] < '0' || chars[i] > '9') return false;
  if (length <= 18) {
    int64_t value = 0;
    for (size_t i = start; i < length; i++) value = value * 10 + (chars[i] - '0');
    *out = number_of(chars[0] == '-' ? -value : value);
    return true;
  }
  char *digits = memory_copy_bytes(chars + (chars[0] == '+'), length - (chars[0] == '+'));
  mpz_t z;
  bool fine = mpz_init_set_str(z, digits, 10) == 0;
  memory_free(digits);
  if (fine)
    *out = from_mpz(z);
  else
    mpz_clear(z);
  return fine;
}

/* Digits, a point and digits. */
static bool parse_decimal(const char *chars, size_t length, size_t point, number *out) {
  char *digits = memory_alloc(length);
  number ten_to = number_of(1), whole;
  memcpy(digits, chars, point);
  memcpy(digits + point, chars + point + 1, length - point - 1);
  for (size_t i = point + 1; i < length; i++) ten_to = number_mul(ten_to, number_of(10));
  bool has_both = point && chars[point - 1] >= '0' && chars[point - 1] <= '9' && point + 1 < length;
  bool fine = has_both && number_parse(digits, length - 1, &whole);
  memory_free(digits);
  if (fine) *out = number_quotient(whole, ten_to);
  return fine;
}

bool number_parse_fraction(const char *chars, size_t length, number *out) {
  const char *slash = memchr(chars, '/', length), *point = memchr(chars, '.', length);
  if (!slash && !point) return number_parse(chars, length, out);
  if (!slash) return parse_decimal(chars, length, (size_t)(point - chars), out);
  number above, below;
  size_t rest = length - (size_t)(slash + 1 - chars);
  bool has_sign = rest && (slash[1] < '0' || slash[1] > '9');
  if (has_sign || !number_parse(chars, (size_t)(slash - chars), &above) || !number_parse(slash + 1, rest, &below) ||
      !number_sign(below))
    return false;
  *out = number_quotient(above, below);
  return true;
}

void number_print(text *out, number n) {
  if (!n.big) {
    text_add(out, "%lld", (long long)n.small);
    return;
  }
  char *digits =
      memory_alloc(mpz_sizeinbase(mpq_numref(n.big->value), 10) + mpz_sizeinbase(mpq_denref(n.big->value), 10) + 3);
  mpq_get_str(digits, 10, n.big->value); /* without a denominator of 1 */
  text_add(out, "%s", digits);
  memory_free(digits);
}

char *number_string(number n) {
  text t = {0};
  number_print(&t, n);
  return text_give(&t);
}

/* ---- work ---- */

enum { CALLS_PER_UNIT = 12 }; /* as measured: 8 to 20 in a microsecond */

static struct {
  void *(*allocate)(size_t);
  void *(*reallocate)(void *, size_t, size_t);
  void (*release)(void *, size_t);
} memory_of_library;

static _Thread_local bool counts;
static _Thread_local unsigned calls;

static void count_call(void) {
  if (!counts || ++calls < CALLS_PER_UNIT) return;
  calls = 0;
  work_add(1);
}

static void *counted_allocate(size_t size) {
  count_call();
  return memory_of_library.allocate(size);
}

static void *counted_reallocate(void *at, size_t before, size_t after) {
  count_call();
  return memory_of_library.reallocate(at, before, after);
}

static void counted_release(void *at, size_t size) {
  count_call();
  memory_of_library.release(at, size);
}

void number_count_work(void) {
  counts = true;
  calls = 0;
  if (memory_of_library.allocate) return;
  mp_get_memory_functions(&memory_of_library.allocate, &memory_of_library.reallocate, &memory_of_library.release);
  mp_set_memory_functions(counted_allocate, counted_reallocate, counted_release);
}
