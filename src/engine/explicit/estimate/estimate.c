/* The parts of an estimate, one after the other. */
#include "engine/explicit/estimate/estimate.h"

#include <math.h>

#include "base/text.h"
#include "engine/explicit/estimate/closure.h"
#include "engine/explicit/estimate/collisions.h"
#include "store/rows.h"

/* Of keys in order only the bytes in which each differs from the one before are written, and how many are the same. */
static double bytes_on_disk(const search *s) {
  size_t bytes = s->layout->bytes, count = (size_t)store_count(s->store), *order;
  if (s->spent) return (double)bytes + 1; /* there is no time to sort them */
  order = MEMORY_ARRAY(size_t, bytes);
  uint8_t *rows = store_copy_rows(s->store);
  double sum = 0;
  layout_byte_order(s->layout, order);
  rows_sort(rows, count, bytes, order);
  for (size_t i = 1; i < count; i++) {
    const uint8_t *row = rows + i * bytes, *before = row - bytes;
    size_t same = 0;
    while (same < bytes && row[order[same]] == before[order[same]]) same++;
    sum += (double)(bytes - same) + 1;
  }
  memory_free(order);
  memory_free(rows);
  return count > 1 ? sum / (double)(count - 1) : (double)bytes;
}

static void note_search(const space_sample *sample, space_estimate *out) {
  const search *s = sample->search;
  double searched = (double)(sample->expanded ? sample->expanded : 1);
  out->is_exact = sample->is_whole && !s->gap;
  out->found = store_count(s->store);
  out->initial = s->initial;
  out->searched = sample->expanded;
  out->depth = sample->depth;
  out->bytes = s->layout->bytes;
  out->seconds = sample->seconds / searched;
  out->steps = (double)sample->transitions / searched;
  out->low = out->middle = (double)out->found;
  out->by_type = closure_types(s->model);
  out->high = out->is_exact ? out->low : out->by_type;
  out->may_be_endless = isinf(out->high) || (!out->is_exact && isinf(out->by_type));
  out->disk_bytes = (double)out->bytes + 1;
  out->spent = s->spent ? s->spent : s->is_full ? "the state store is full" : NULL;
  if (s->gap && !out->why) out->why = memory_copy_string(s->gap);
}

/* A few combinations may be missing, which takes some states away. */
static const double SLACK = 1.1;

static void note_closure(const search *s, const space_closure *c, space_estimate *out) {
  const terms *ts = s->model->terms;
  out->by_type = c->by_type;
  out->values = c->values;
  out->pairs = c->pairs;
  out->triples = c->triples;
  out->high = s->gap || s->spent || !out->runs ? c->by_type : fmin(c->by_type, SLACK * c->triples);
  if (s->gap || c->endless == SIZE_MAX) return;
  const char *name = variable_shown(ts, s->model->variables.at[c->endless].var);
  memory_free(out->why);
  out->why = c->growing != SIZE_MAX ? text_format("%s has no bound, and was still growing: %lld to %lld were seen",
                                                  name, (long long)c->low, (long long)c->high)
                                    : text_format("%s has no bound: only %lld to %lld were seen", name,
                                                  (long long)c->low, (long long)c->high);
}

static void note_sample(const space_sample *sample, space_estimate *out) {
  const search *s = sample->search;
  collision_bound b = collisions_bound(sample);
  out->found = store_count(s->store);
  out->runs = sample->ends.count;
  out->meetings = b.meetings;
  out->by_meetings = (double)sample->known + b.middle;
  out->low = (double)sample->known + b.low;
  if (out->low < (double)out->found) out->low = (double)out->found;
  out->disk_bytes = bytes_on_disk(s);
  out->bytes = s->layout->bytes;
  if (s->gap && !out->why) out->why = memory_copy_string(s->gap);
  if (s->spent) out->spent = s->spent;
}

static void choose_middle(space_estimate *out) {
  if (out->high < out->low) out->high = out->low;
  out->middle = isinf(out->high) ? out->low : sqrt(out->low) * sqrt(out->high);
}

void explicit_estimate(engine_environment *env, uint64_t sample, uint64_t seed, space_estimate_listener *listen,
                       void *context, space_estimate *out) {
  search *s = search_new(env, 1);
  space_sample taken;
  *out = (space_estimate){.sample = sample, .by_type = INFINITY};
  search_begin_some(s, sample);
  space_sample_init(&taken, s, seed);
  space_sample_search(&taken, sample / 2);
  note_search(&taken, out);
  if (!taken.is_whole && !out->spent) {
    listen(context, out);
    space_sample_explore(&taken, sample / 4);
    space_sample_measure(&taken, sample / 4);
    note_sample(&taken, out);
    listen(context, out);
    space_closure c = closure_find(&taken);
    note_closure(s, &c, out);
    choose_middle(out);
  } else {
    out->disk_bytes = bytes_on_disk(s);
    choose_middle(out);
  }
  out->is_final = true;
  listen(context, out);
  space_sample_clear(&taken);
  search_free(s);
}
