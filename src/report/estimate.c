/* The lines and the object of an estimate. */
#include "report/estimate.h"

#include <math.h>

#include "base/json_writer.h"

/* ---- numbers for people ---- */

/* 12,345 below a million, else 1.2 * 10^6, and so on up to the end. */
static void add_count(text *out, double n) {
  if (n < 1e6) {
    unsigned whole = (unsigned)n;
    if (whole >= 1000)
      text_add(out, "%u,%03u", whole / 1000, whole % 1000);
    else
      text_add(out, "%u", whole);
    return;
  }
  if (n >= SPACE_MOST) {
    text_add(out, "more than 10^300");
    return;
  }
  int power = (int)floor(log10(n));
  double front = n / pow(10, power);
  if (front >= 9.95) {
    front = 1;
    power++;
  }
  text_add(out, "%.1f * 10^%d", front, power);
}

static void add_unit(text *out, double n, size_t count, const char *const *units, const double *sizes) {
  size_t i = 0;
  while (i + 1 < count && n >= sizes[i + 1]) i++;
  double shown = n / sizes[i];
  if (shown >= 1e6)
    add_count(out, shown);
  else
    text_add(out, shown < 10 ? "%.1f" : "%.0f", shown);
  text_add(out, " %s", units[i]);
}

static void add_bytes(text *out, double n) {
  static const char *const units[] = {"kB", "MB", "GB", "TB"};
  static const double sizes[] = {1024, 1048576, 1073741824, 1099511627776};
  add_unit(out, n, ARRAY_LENGTH(units), units, sizes);
}

static void add_seconds(text *out, double n) {
  static const char *const units[] = {"s", "min", "h", "days"};
  static const double sizes[] = {1, 60, 3600, 86400};
  add_unit(out, n, ARRAY_LENGTH(units), units, sizes);
}

/* `low to high`, or `at least low`. */
static void add_range(text *out, double low, double high, void (*add)(text *, double)) {
  if (isinf(high)) text_add(out, "at least ");
  add(out, low);
  if (isinf(high) || high <= low) return;
  text_add(out, " to ");
  add(out, high);
}

/* ---- text ---- */

static void add_states(const space_estimate *e, text *out) {
  text_add(out, "states     ");
  if (e->is_exact) {
    text_add(out, "%llu, all of them\n", (unsigned long long)e->found);
    return;
  }
  add_range(out, e->low, e->high, add_count);
  if (!isinf(e->high)) {
    text_add(out, ", perhaps ");
    add_count(out, e->middle);
  }
  text_add(out, e->may_be_endless ? "; there may be infinitely many\n" : "\n");
}

static void add_sample(const space_estimate *e, text *out) {
  text_add(out, "found      ");
  add_count(out, (double)e->found);
  text_add(out, ", ");
  add_count(out, (double)e->initial);
  text_add(out, " initial ones; the steps of ");
  add_count(out, (double)e->searched);
  text_add(out, " breadth first, to depth %llu", (unsigned long long)e->depth);
  if (e->runs)
    text_add(out, ", then runs, of which %llu met %llu times", (unsigned long long)e->runs,
             (unsigned long long)e->meetings);
  text_add(out, "\n");
  if (e->is_exact) return;
  text_add(out, "certain    at least ");
  add_count(out, (double)e->found);
  if (!isinf(e->by_type)) {
    text_add(out, ", at most ");
    add_count(out, e->by_type);
    text_add(out, " by their types");
  }
  text_add(out, "\n");
}

static void add_cost(const space_estimate *e, text *out) {
  text_add(out, "in memory  ");
  add_range(out, space_estimate_memory(e, e->low), space_estimate_memory(e, e->high), add_bytes);
  text_add(out, ", ");
  add_range(out, space_estimate_seconds(e, e->low, false), space_estimate_seconds(e, e->high, false), add_seconds);
  text_add(out, "\n--disk     ");
  add_range(out, space_estimate_disk(e, e->low), space_estimate_disk(e, e->high), add_bytes);
  text_add(out, " on disk, ");
  add_range(out, space_estimate_seconds(e, e->low, true), space_estimate_seconds(e, e->high, true), add_seconds);
  text_add(out, "\n");
}

void estimate_print(const space_estimate *e, const options *o, text *out) {
  (void)o;
  add_states(e, out);
  if (e->why) text_add(out, "           %s\n", e->why);
  add_sample(e, out);
  if (e->spent) text_add(out, "           the sample is smaller than asked for: %s\n", e->spent);
  add_cost(e, out);
}

/* ---- JSON ---- */

static void field_real(json_writer *w, const char *key, double n) {
  char digits[40];
  snprintf(digits, sizeof digits, n < 1e15 && n == floor(n) ? "%.0f" : "%.6g", n);
  json_key(w, key);
  if (isinf(n))
    json_add_null(w);
  else
    json_add_number(w, digits);
}

static void field_words(json_writer *w, const char *key, const char *words) {
  json_key(w, key);
  if (words)
    json_add_string(w, words);
  else
    json_add_null(w);
}

static void add_json_cost(json_writer *w, const char *key, const space_estimate *e, double states) {
  bool is_known = !isinf(states);
  json_field_object(w, key);
  field_real(w, "states", states);
  field_real(w, "memory_bytes", is_known ? space_estimate_memory(e, states) : INFINITY);
  field_real(w, "seconds", is_known ? space_estimate_seconds(e, states, false) : INFINITY);
  field_real(w, "disk_bytes", is_known ? space_estimate_disk(e, states) : INFINITY);
  field_real(w, "disk_seconds", is_known ? space_estimate_seconds(e, states, true) : INFINITY);
  json_end_object(w);
}

void estimate_print_json(const space_estimate *e, const options *o, text *out) {
  json_writer w = json_writer_indented(out);
  json_begin_object(&w);
  json_field_bool(&w, "exact", e->is_exact);
  json_field_bool(&w, "may_be_infinite", e->may_be_endless);
  add_json_cost(&w, "low", e, e->low);
  add_json_cost(&w, "middle", e, e->middle);
  add_json_cost(&w, "high", e, e->high);
  field_words(&w, "reason", e->why);
  field_words(&w, "stopped", e->spent);
  json_field_count(&w, "found", e->found);
  json_field_count(&w, "initial", e->initial);
  json_field_count(&w, "searched", e->searched);
  json_field_count(&w, "depth", e->depth);
  json_field_count(&w, "runs", e->runs);
  json_field_count(&w, "meetings", e->meetings);
  json_field_count(&w, "bytes_a_state", e->bytes);
  field_real(&w, "steps_a_state", e->steps);
  field_real(&w, "by_types", e->by_type);
  field_real(&w, "by_values", e->values);
  field_real(&w, "by_pairs", e->pairs);
  field_real(&w, "by_triples", e->triples);
  field_real(&w, "by_meetings", e->by_meetings);
  json_field_count(&w, "sample", e->sample);
  json_field_count(&w, "seed", o->seed);
  json_end_object(&w);
  text_add(out, "\n");
}
