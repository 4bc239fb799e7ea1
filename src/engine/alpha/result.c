/* What a search amounts to: a run, an invariant, or an iteration to be reported. */
#include "base/escape.h"
#include "engine/alpha/alpha.h"
#include "term/print.h"

static trace_step make_step(const alpha *a, const int64_t *state, uint32_t act, size_t input_count,
                            const int64_t *inputs, bool first) {
  trace_step step = {0};
  for (size_t i = 0; i < a->m->variables.count; i++) VECTOR_PUSH(step.values, number_of(state[i]));
  if (first) return step;
  const alpha_action *taken = &a->actions.at[act];
  step.transition = taken->transition;
  if (!taken->open) {
    input_count = taken->inputs.count;
    inputs = taken->inputs.at;
  }
  for (size_t i = 0; i < input_count; i++) VECTOR_PUSH(step.inputs, number_of(inputs[i]));
  return step;
}

void alpha_evidence_trace(const alpha *a, const exploration *s, evidence *out) {
  VECTOR(uint32_t) path = {0};
  out->kind = EVIDENCE_TRACE;
  for (uint32_t at = s->error_parent; at != NO_STATE; at = s->parents.at[at]) VECTOR_PUSH(path, at);
  for (size_t i = path.count; i-- > 0;) {
    uint32_t n = path.at[i];
    const transition *t = &a->m->transitions.at[a->actions.at[s->actions.at[n]].transition];
    VECTOR_PUSH(out->steps, make_step(a, s->states.at + n * s->width, s->actions.at[n], t->inputs.count,
                                      s->input_words.at + s->input_starts.at[n], s->parents.at[n] == NO_STATE));
  }
  VECTOR_PUSH(out->steps, make_step(a, s->error_state.at, s->error_action, s->error_inputs.count, s->error_inputs.at,
                                    s->error_parent == NO_STATE));
  VECTOR_FREE(path);
  if (a->property->kind != PROPERTY_NO_FAULT) return;
  out->fault_transition = a->actions.at[s->fault_action].transition;
  out->fault = (uint32_t)s->fault;
  for (size_t i = 0; i < s->fault_inputs.count; i++) VECTOR_PUSH(out->fault_inputs, number_of(s->fault_inputs.at[i]));
}

/* The literals of abstract state `number` that count there. */
static void state_literals(const alpha *a, const exploration *s, uint32_t number, uint64_t *mask, uint64_t *key,
                           term_vector *out) {
  const uint64_t *bits = key + a->kept.packing->words;
  predicates_active(a->predicates, s->states.at + number * s->width, mask);
  store_read(s->visited, number, key);
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < predicates_count(a->predicates); i++)
    if (word_bit(mask, i)) {
      term p = predicates_at(a->predicates, i);
      VECTOR_PUSH(*out, word_bit(bits, i) ? p : term_not(p));
    }
}

typedef struct reader {
  uint64_t *mask, *key;
  term_vector literals;
} reader;

static reader reader_new(const alpha *a) {
  size_t words = predicates_words(a->predicates) + 1;
  return (reader){MEMORY_ARRAY(uint64_t, words), MEMORY_ARRAY(uint64_t, words + a->kept.packing->words), {0}};
}

static void reader_free(reader *r) {
  memory_free(r->mask);
  memory_free(r->key);
  VECTOR_FREE(r->literals);
}

void alpha_evidence_invariant(alpha *a, const exploration *s, evidence *out) {
  reader r = reader_new(a);
  out->kind = EVIDENCE_INVARIANT;
  for (uint32_t n = 0; n < store_count(s->visited); n++) {
    invariant_part part = {0};
    state_literals(a, s, n, r.mask, r.key, &r.literals);
    for (size_t i = 0; i < a->kept.positions.count; i++) {
      size_t at = a->kept.positions.at[i];
      VECTOR_PUSH(part.fixed, (fixed_value){a->m->variables.at[at].var, number_of(s->states.at[n * s->width + at])});
    }
    part.formula = term_and_all(a->ts, r.literals.count, r.literals.at);
    VECTOR_PUSH(out->parts, part);
  }
  reader_free(&r);
}

/* If the atoms of the property are predicates everywhere, the visited states have decided it. Otherwise the prover
 * is asked, state by state. */
const char *alpha_property_undecided(alpha *a, const exploration *s) {
  term bad = a->property->bad;
  if (a->property->kind == PROPERTY_DEADLOCKFREE || term_is_false(bad)) return NULL;
  if (kept_is_data_free(&a->kept, bad)) return NULL;
  reader r = reader_new(a);
  const char *reason = NULL;
  for (uint32_t n = 0; n < store_count(s->visited) && !reason; n++) {
    state_literals(a, s, n, r.mask, r.key, &r.literals);
    for (size_t i = 0; i < a->kept.positions.count; i++) {
      size_t at = a->kept.positions.at[i];
      VECTOR_PUSH(r.literals, kept_literal(&a->kept, a->ts, at, s->states.at[n * s->width + at]));
    }
    for (size_t i = 0; i < a->env->facts.count && a->env->used_facts; i++) VECTOR_PUSH(r.literals, a->env->facts.at[i]);
    if (!answer_is_yes(prover_implies(a->prover, r.literals.count, r.literals.at, term_not(bad))))
      reason = "the abstraction is exact, but its predicates do not decide the property";
  }
  reader_free(&r);
  return reason;
}

void alpha_report_iteration(alpha *a, const exploration *s, double seconds) {
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  uint64_t states = store_count(s->visited);
  json_field_count(&w, "concrete_states", s->concrete);
  json_field_count(&w, "abstract_states", states);
  json_field_count(&w, "transitions", s->edges.count);
  json_field_count(&w, "queries", s->queries);
  json_field_count(&w, "cache_hits", s->cache_hits);
  json_key(&w, "seconds");
  json_add_real(&w, seconds, 6);
  json_field_array(&w, "new_predicates");
  for (size_t i = 0; i < s->wanted.count; i++) {
    char *printed = term_string(a->ts, s->wanted.at[i].atom);
    json_add_string(&w, printed);
    memory_free(printed);
  }
  json_end_array(&w);
  events_iteration(a->env->events, &w);
  events_progress(a->env->events, "iteration %llu: %llu abstract states, %zu predicates",
                  (unsigned long long)a->iteration, (unsigned long long)states, predicates_count(a->predicates));
}
