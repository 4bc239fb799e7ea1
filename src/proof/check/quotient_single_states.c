/* Rows of 64-bit values, and the compiled steps of model/semantics.h, whose every operation is checked. */
#include "proof/check/quotient_single_states.h"

#include "base/bits.h"
#include "proof/type_and_input_conditions.h"

enum { MOST_CHOICES = 4096 };

struct singles {
  const model *m;
  semantics *steps;
  size_t width;
  int64_t *rows; /* of every block */
  bits single;
  bool *is_tried;         /* for each transition: its inputs can be tried */
  int64_t *inputs, *next; /* scratch */
  VECTOR(bool) reached;
};

/* True if the block is one state, within the types. */
static bool read_row(singles *s, const part *p, int64_t *row) {
  if (p->is_empty || p->conjuncts.count || p->fixed.count != s->width) return false;
  for (size_t i = 0; i < p->fixed.count; i++) {
    const type *t = variable_type(s->m->terms, p->fixed.at[i].var);
    number n = p->fixed.at[i].value;
    size_t at = model_position(s->m, p->fixed.at[i].var);
    if (t->sort == SORT_NODE || at == SIZE_MAX || !number_to_int64(n, &row[at])) return false;
    if (t->sort == SORT_BOOL && row[at] != 0 && row[at] != 1) return false;
    if ((t->has_low && number_compare(n, t->low) < 0) || (t->has_high && number_compare(n, t->high) > 0)) return false;
  }
  return true;
}

static bool has_few_inputs(const model *m, const transition *t) {
  uint64_t choices = 1;
  if (!transition_has_finite_inputs(m, t)) return false;
  for (size_t i = 0; i < t->inputs.count; i++) {
    uint64_t size = type_size(variable_type(m->terms, t->inputs.at[i]), MOST_CHOICES + 1);
    choices *= size;
    if (!size || choices > MOST_CHOICES) return false;
  }
  return true;
}

singles *single_states_new(const model *m, const parts *p) {
  singles *s = MEMORY_NEW(singles);
  size_t most = 1;
  s->m = m;
  s->width = m->variables.count;
  s->steps = semantics_new(m);
  s->rows = MEMORY_ARRAY(int64_t, invariant_index_count(p) * s->width + 1);
  s->single = bits_new(invariant_index_count(p));
  s->is_tried = MEMORY_ARRAY(bool, m->transitions.count + 1);
  for (size_t i = 0; i < invariant_index_count(p); i++)
    if (read_row(s, invariant_index_at(p, i), s->rows + i * s->width)) bits_add(&s->single, i);
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    s->is_tried[i] = has_few_inputs(m, t);
    if (t->inputs.count > most) most = t->inputs.count;
  }
  s->inputs = MEMORY_ARRAY(int64_t, most);
  s->next = MEMORY_ARRAY(int64_t, s->width + 1);
  return s;
}

void single_states_free(singles *s) {
  if (!s) return;
  semantics_free(s->steps);
  memory_free(s->rows);
  bits_free(&s->single);
  memory_free(s->is_tried);
  memory_free(s->inputs);
  memory_free(s->next);
  VECTOR_FREE(s->reached);
  memory_free(s);
}

static bool is_target(singles *s, uint32_t target) {
  return !s->width || !memcmp(s->rows + target * s->width, s->next, s->width * sizeof *s->next);
}

/* The step with the inputs at hand. */
static single_answer take(singles *s, size_t block, uint32_t transition, size_t count, const uint32_t *targets) {
  step_status status = semantics_step(s->steps, transition, s->rows + block * s->width, s->inputs, s->next, NULL);
  if (status == STEP_OVERFLOW) return SINGLE_UNDECIDED;
  if (status != STEP_TAKEN) return SINGLE_FINE;
  bool found = false;
  for (size_t i = 0; i < count; i++)
    if (is_target(s, targets[i])) found = s->reached.at[i] = true;
  return found ? SINGLE_FINE : SINGLE_STEPS_BEYOND;
}

single_answer single_states_try(singles *s, size_t block, uint32_t transition, size_t count, const uint32_t *targets,
                                bool all) {
  const struct transition *t = &s->m->transitions.at[transition];
  if (!s->is_tried[transition] || !bits_has(&s->single, block)) return SINGLE_UNDECIDED;
  for (size_t i = 0; i < count; i++)
    if (!bits_has(&s->single, targets[i])) return SINGLE_UNDECIDED;
  VECTOR_CLEAR(s->reached);
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(s->reached, false);
  inputs_first(s->m, t, s->inputs);
  do {
    single_answer a = take(s, block, transition, count, targets);
    if (a != SINGLE_FINE) return a;
  } while (inputs_advance(s->m, t, s->inputs));
  for (size_t i = 0; i < count && all; i++)
    if (!s->reached.at[i]) return SINGLE_NOT_REACHED;
  return SINGLE_FINE;
}
