/* Finds repetitions of a run by comparing steps: the same transition with the same inputs. */
#include "report/repeated_steps.h"

enum { LONGEST_BLOCK = 24, FEWEST_TIMES = 5 };

static bool are_same(const trace_step *a, const trace_step *b) {
  if (a->round || b->round || a->transition != b->transition || a->inputs.count != b->inputs.count) return false;
  for (size_t i = 0; i < a->inputs.count; i++)
    if (!number_equal(a->inputs.at[i], b->inputs.at[i])) return false;
  return true;
}

/* How often the block of `length` steps stands there in a row. */
static size_t count_times(const evidence *e, size_t first, size_t length) {
  size_t same = 0;
  while (first + length + same < e->steps.count &&
         are_same(&e->steps.at[first + same], &e->steps.at[first + length + same]))
    same++;
  return 1 + same / length;
}

bool repeated_steps_at(const evidence *e, size_t first, repeated_steps *out) {
  *out = (repeated_steps){.first = first};
  for (size_t length = 1; length <= LONGEST_BLOCK && first + length < e->steps.count; length++) {
    size_t times = count_times(e, first, length);
    if (times >= FEWEST_TIMES && times * length > out->times * out->length) out->length = length, out->times = times;
  }
  return out->times > 0;
}
