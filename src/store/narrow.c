/* Bounds propagation. A conjunct is a sum of small coefficients times variables, plus a constant, that is at most 0, is
 * 0, or is not 0; a boolean literal is such an equation. Other conjuncts do not narrow. */
#include "store/narrow.h"

typedef __int128 wide;

/* With coefficients up to 2^31 and sums of up to 2^30 summands, 128 bits hold every sum of products with 64-bit bounds.
 */
static const int64_t LARGEST_COEFFICIENT = INT64_C(1) << 31;
enum { MOST_SUMMANDS = 1 << 30, STEPS_A_CONJUNCT = 20 };

typedef enum relation { AT_MOST_ZERO, IS_ZERO, IS_NOT_ZERO } relation;

typedef struct conjunct {
  relation relation;
  int64_t constant;
  uint32_t first, count; /* summands */
} conjunct;

typedef struct summand {
  uint32_t variable;
  int64_t coefficient;
} summand;

typedef struct bounds {
  int64_t low, high;
} bounds;

typedef struct change {
  uint32_t variable;
  bounds old;
} change;

struct narrower {
  size_t count;
  bounds *types, *now;
  VECTOR(conjunct) conjuncts;
  VECTOR(summand) summands;
  VECTOR(change) trail;
  /* Conjuncts of each variable: users[user_starts[v] .. user_starts[v + 1]). */
  uint32_t *user_starts, *users;
  VECTOR(uint32_t) queue; /* a stack of conjuncts to look at; order changes nothing but speed */
  bool *is_queued;
  bool is_beyond;
  bool has_huge_type; /* a type that no bounds can stand for: see bounds_of_type */
};

/* Larger values than INT64_MAX, smaller ones than INT64_MIN. */
static bool has_values_above(const type *t) {
  return t->sort == SORT_INT && (!t->has_high || (t->high.big && number_sign(t->high) > 0));
}
static bool has_values_below(const type *t) {
  return t->sort == SORT_INT && (!t->has_low || (t->low.big && number_sign(t->low) < 0));
}

/* False if no value of the type fits in 64 bits, or only the last one that does: its bounds would look as if that were
 * its only value. */
static bool bounds_of_type(const type *t, bounds *b) {
  *b = (bounds){NO_LOW, NO_HIGH};
  if (t->sort == SORT_BOOL) *b = (bounds){0, 1};
  if (t->has_low && !number_to_int64(t->low, &b->low)) {
    if (number_sign(t->low) > 0) return false;
    b->low = NO_LOW;
  }
  if (t->has_high && !number_to_int64(t->high, &b->high)) {
    if (number_sign(t->high) < 0) return false;
    b->high = NO_HIGH;
  }
  if ((b->low == NO_HIGH && has_values_above(t)) || (b->high == NO_LOW && has_values_below(t))) return false;
  return true;
}

static bool small_enough(number n, int64_t *out) {
  return number_to_int64(n, out) && *out >= -LARGEST_COEFFICIENT && *out <= LARGEST_COEFFICIENT;
}

static void add_literal(narrower *n, uint32_t variable, bool value) {
  VECTOR_PUSH(n->conjuncts, (conjunct){IS_ZERO, -(int64_t)value, (uint32_t)n->summands.count, 1});
  VECTOR_PUSH(n->summands, (summand){variable, 1});
}

static void add_atom(narrower *n, const terms *ts, term t, const uint32_t *slots) {
  bool is_negated = term_is_negated(t), is_le = term_kind_of(ts, t) == TERM_LE;
  linear l = term_linear(ts, term_argument(ts, t, 0));
  conjunct c = {is_le        ? AT_MOST_ZERO
                : is_negated ? IS_NOT_ZERO
                             : IS_ZERO,
                0, (uint32_t)n->summands.count, (uint32_t)l.count};
  int64_t sign = is_le && is_negated ? -1 : 1;
  if (l.count > MOST_SUMMANDS || !number_to_int64(l.constant, &c.constant) || c.constant <= -INT64_MAX) return;
  for (size_t i = 0; i < l.count; i++) {
    int64_t k;
    if (term_kind_of(ts, l.leaves[i]) != TERM_INT_VARIABLE || !small_enough(l.coefficients[i], &k)) {
      n->summands.count = c.first;
      return;
    }
    VECTOR_PUSH(n->summands, (summand){slots[term_variable(ts, l.leaves[i]).x], sign * k});
  }
  /* not (sum <= 0) is 1 - sum <= 0 */
  if (sign < 0) c.constant = 1 - c.constant;
  VECTOR_PUSH(n->conjuncts, c);
}

static void index_users(narrower *n) {
  n->user_starts = MEMORY_ARRAY(uint32_t, n->count + 2);
  n->users = MEMORY_ARRAY(uint32_t, n->summands.count);
  for (size_t i = 0; i < n->summands.count; i++) n->user_starts[n->summands.at[i].variable + 2]++;
  for (size_t v = 2; v < n->count + 2; v++) n->user_starts[v] += n->user_starts[v - 1];
  for (size_t k = 0; k < n->conjuncts.count; k++)
    for (uint32_t i = 0; i < n->conjuncts.at[k].count; i++)
      n->users[n->user_starts[n->summands.at[n->conjuncts.at[k].first + i].variable + 1]++] = (uint32_t)k;
}

narrower *narrower_new(const terms *ts, term condition, size_t count, const variable *vars, const uint32_t *slots) {
  narrower *n = MEMORY_NEW(narrower);
  term_vector parts = {0};
  n->count = count;
  n->types = MEMORY_ARRAY(bounds, count);
  n->now = MEMORY_ARRAY(bounds, count);
  for (size_t i = 0; i < count; i++)
    if (!bounds_of_type(variable_type(ts, vars[i]), &n->types[i])) n->has_huge_type = true;
  term_conjuncts(ts, condition, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    term_kind kind = term_kind_of(ts, parts.at[i]);
    if (kind == TERM_BOOL_VARIABLE)
      add_literal(n, slots[term_variable(ts, parts.at[i]).x], !term_is_negated(parts.at[i]));
    if (kind == TERM_LE || kind == TERM_EQ) add_atom(n, ts, parts.at[i], slots);
  }
  VECTOR_FREE(parts);
  index_users(n);
  n->is_queued = MEMORY_ARRAY(bool, n->conjuncts.count);
  narrower_reset(n);
  return n;
}

void narrower_free(narrower *n) {
  if (!n) return;
  memory_free(n->types);
  memory_free(n->now);
  memory_free(n->user_starts);
  memory_free(n->users);
  memory_free(n->is_queued);
  VECTOR_FREE(n->conjuncts);
  VECTOR_FREE(n->summands);
  VECTOR_FREE(n->trail);
  VECTOR_FREE(n->queue);
  memory_free(n);
}

static void enqueue(narrower *n, uint32_t k) {
  if (n->is_queued[k]) return;
  n->is_queued[k] = true;
  VECTOR_PUSH(n->queue, k);
}

static void clear_queue(narrower *n) {
  while (n->queue.count) n->is_queued[VECTOR_POP(n->queue)] = false;
}

void narrower_reset(narrower *n) {
  memcpy(n->now, n->types, n->count * sizeof *n->now);
  VECTOR_CLEAR(n->trail);
  clear_queue(n);
  n->is_beyond = n->has_huge_type;
  for (size_t k = n->conjuncts.count; k-- > 0;) enqueue(n, (uint32_t)k);
}

int64_t narrower_low(const narrower *n, size_t i) { return n->now[i].low; }
int64_t narrower_high(const narrower *n, size_t i) { return n->now[i].high; }
size_t narrower_mark(const narrower *n) { return n->trail.count; }
bool narrower_is_beyond(const narrower *n) { return n->is_beyond; }

void narrower_undo(narrower *n, size_t mark) {
  clear_queue(n);
  while (n->trail.count > mark) {
    change c = VECTOR_POP(n->trail);
    n->now[c.variable] = c.old;
  }
}

bool narrower_restrict(narrower *n, size_t i, int64_t low, int64_t high) {
  bounds old = n->now[i], fresh = {low > old.low ? low : old.low, high < old.high ? high : old.high};
  if (fresh.low == old.low && fresh.high == old.high) return true;
  VECTOR_PUSH(n->trail, (change){(uint32_t)i, old});
  n->now[i] = fresh;
  for (uint32_t u = n->user_starts[i]; u < n->user_starts[i + 1]; u++) enqueue(n, n->users[u]);
  return fresh.low <= fresh.high;
}

static bool restrict_wide(narrower *n, size_t i, wide low, wide high) {
  bounds now = n->now[i];
  if (low >= NO_HIGH || high <= NO_LOW) {
    if (low >= NO_HIGH ? now.high == NO_HIGH : now.low == NO_LOW) n->is_beyond = true;
    return false;
  }
  return narrower_restrict(n, i, low <= NO_LOW ? NO_LOW : (int64_t)low, high >= NO_HIGH ? NO_HIGH : (int64_t)high);
}

static wide floor_div(wide a, wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/* The least value of a summand times `sign`; false if it has none. */
static bool least(const narrower *n, summand s, int sign, wide *out) {
  bounds b = n->now[s.variable];
  int64_t k = sign * s.coefficient, at = k > 0 ? b.low : b.high;
  if (at == NO_LOW || at == NO_HIGH) return false;
  *out = (wide)k * at;
  return true;
}

/* sign * (sum of the conjunct) <= 0: each variable has at most what the least values of the others leave. */
static bool narrow_at_most(narrower *n, const conjunct *c, int sign) {
  wide total = (wide)sign * c->constant, value;
  size_t without = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    if (least(n, n->summands.at[c->first + i], sign, &value))
      total += value;
    else
      without++;
  }
  if (without == 0 && total > 0) return false;
  for (uint32_t i = 0; i < c->count && without <= 1; i++) {
    summand s = n->summands.at[c->first + i];
    bool has = least(n, s, sign, &value);
    if (has && without) continue;
    wide room = has ? value - total : -total;
    int64_t k = sign * s.coefficient;
    if (!(k > 0 ? restrict_wide(n, s.variable, NO_LOW, floor_div(room, k))
                : restrict_wide(n, s.variable, -floor_div(room, -k), NO_HIGH)))
      return false;
  }
  return true;
}

/* Only if one variable is left, and only at its bounds, can a disequation narrow. */
static bool narrow_not_zero(narrower *n, const conjunct *c) {
  wide total = c->constant;
  const summand *open = NULL;
  for (uint32_t i = 0; i < c->count; i++) {
    const summand *s = &n->summands.at[c->first + i];
    bounds b = n->now[s->variable];
    if (b.low == b.high)
      total += (wide)s->coefficient * b.low;
    else if (open)
      return true;
    else
      open = s;
  }
  if (!open) return total != 0;
  if (total % open->coefficient) return true;
  wide hole = -total / open->coefficient;
  bounds b = n->now[open->variable];
  if (b.low != NO_LOW && hole == b.low) return restrict_wide(n, open->variable, (wide)b.low + 1, NO_HIGH);
  if (b.high != NO_HIGH && hole == b.high) return restrict_wide(n, open->variable, NO_LOW, (wide)b.high - 1);
  return true;
}

static bool narrow(narrower *n, const conjunct *c) {
  switch (c->relation) {
    case AT_MOST_ZERO: return narrow_at_most(n, c, 1);
    case IS_ZERO: return narrow_at_most(n, c, 1) && narrow_at_most(n, c, -1);
    case IS_NOT_ZERO: return narrow_not_zero(n, c);
  }
  return true;
}

/* Bounds may creep for ever (x < y and y < x): after some steps what has been reached must do. */
bool narrower_propagate(narrower *n) {
  size_t steps = STEPS_A_CONJUNCT * (n->conjuncts.count + 50);
  if (n->has_huge_type) return false;
  while (n->queue.count && steps--) {
    uint32_t k = VECTOR_POP(n->queue);
    n->is_queued[k] = false;
    if (!narrow(n, &n->conjuncts.at[k])) {
      clear_queue(n);
      return false;
    }
  }
  clear_queue(n);
  return true;
}
