/* Channels of any length: the terms for what is sent and received, and contents of states. */
#include "model/queue/queue.h"

/* A digit times a variable is a product of variables; of few values it becomes cases instead, which are linear. */
enum { MOST_CASES = 16 };

static bool is_boolean(const terms *ts, const queue_part *p) { return variable_type(ts, p->first)->sort == SORT_BOOL; }

/* The value of a number 0, 1, .. in this part. */
static term value_of_digit(terms *ts, const queue_part *p, term digit) {
  if (is_boolean(ts, p)) return term_eq(ts, digit, term_int(ts, 1));
  return term_add(ts, digit, term_int(ts, p->low));
}

term queue_no_part(terms *ts, const queue_part *p) { return value_of_digit(ts, p, term_int(ts, 0)); }

/* `message`, a value of this part, times stride times power. */
static term shifted(terms *ts, const queue *q, const queue_part *p, term message) {
  term unit = term_mul(ts, term_int(ts, p->stride), term_of_variable(ts, q->power)), sum = term_int(ts, 0);
  if (is_boolean(ts, p)) return term_ite(ts, message, unit, sum);
  term digit = term_sub(ts, message, term_int(ts, p->low));
  if (p->size > MOST_CASES || term_is_number(ts, digit, NULL)) return term_mul(ts, digit, unit);
  for (int64_t i = 1; i < p->size; i++)
    sum = term_ite(ts, term_eq(ts, digit, term_int(ts, i)), term_mul(ts, term_int(ts, i), unit), sum);
  return sum;
}

term queue_sent(terms *ts, const queue *q, const term *message, variable v) {
  term length = term_of_variable(ts, q->length), old = term_of_variable(ts, v), value = old;
  term is_empty = term_eq(ts, length, term_int(ts, 0));
  if (variable_same(v, q->length)) return term_add(ts, length, term_int(ts, 1));
  if (variable_same(v, q->power)) return term_ite(ts, is_empty, old, term_mul(ts, term_int(ts, q->base), old));
  for (size_t i = 0; i < q->part_count; i++)
    if (variable_same(v, q->parts[i].first)) return term_ite(ts, is_empty, message[i], old);
  for (size_t i = 0; i < q->part_count; i++) value = term_add(ts, value, shifted(ts, q, &q->parts[i], message[i]));
  return term_ite(ts, is_empty, old, value);
}

term queue_received(terms *ts, const queue *q, variable v) {
  term length = term_of_variable(ts, q->length), rest = term_of_variable(ts, q->rest), one = term_int(ts, 1);
  term has_more = term_gt(ts, length, one), base = term_int(ts, q->base);
  if (variable_same(v, q->length)) return term_sub(ts, length, one);
  if (variable_same(v, q->rest)) return term_div(ts, rest, base);
  if (variable_same(v, q->power))
    return term_ite(ts, has_more, term_div(ts, term_of_variable(ts, q->power), base), one);
  size_t i = 0;
  while (!variable_same(v, q->parts[i].first)) i++;
  const queue_part *p = &q->parts[i];
  term digit = term_mod(ts, term_div(ts, rest, term_int(ts, p->stride)), term_int(ts, p->size));
  return term_ite(ts, has_more, value_of_digit(ts, p, digit), queue_no_part(ts, p));
}

size_t queue_variable_count(const queue *q) { return q->part_count + 3; }

variable queue_variable(const queue *q, size_t i) {
  if (i == 0) return q->length;
  if (i <= q->part_count) return q->parts[i - 1].first;
  return i == q->part_count + 1 ? q->rest : q->power;
}

int64_t queue_part_of(const queue *q, size_t part, uint64_t message) {
  const queue_part *p = &q->parts[part];
  return p->low + (int64_t)(message / (uint64_t)p->stride % (uint64_t)p->size);
}

/* The first message; false if its parts are none. */
static bool first_message(const queue *q, const number *by_variable, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < q->part_count; i++) {
    const queue_part *p = &q->parts[i];
    int64_t value;
    if (!number_to_int64(by_variable[p->first.x], &value) || value < p->low || value - p->low >= p->size) return false;
    *out += (uint64_t)(value - p->low) * (uint64_t)p->stride;
  }
  return true;
}

bool queue_content(const queue *q, const number *by_variable, size_t most, queue_word *out) {
  int64_t length, digit;
  uint64_t first;
  VECTOR_CLEAR(*out);
  if (!number_to_int64(by_variable[q->length.x], &length) || length < 0 || (uint64_t)length > most) return false;
  if (!first_message(q, by_variable, &first)) return false;
  if (length) VECTOR_PUSH(*out, first);
  number rest = by_variable[q->rest.x], base = number_of(q->base);
  if (number_sign(rest) < 0) return false;
  for (int64_t i = 1; i < length; i++) {
    if (!number_to_int64(number_mod(rest, base), &digit)) return false;
    VECTOR_PUSH(*out, (uint64_t)digit);
    rest = number_div(rest, base);
  }
  return number_sign(rest) == 0;
}
