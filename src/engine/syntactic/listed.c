/* Breadth first over the program, with its concrete meaning: the decision diagrams have no part in it. */
#include "engine/syntactic/listed.h"

#include "base/map.h"
#include "engine/syntactic/export.h"
#include "model/semantics.h"
#include "term/substitute.h"

enum { MOST_BLOCKS = 50000, MOST_EDGES = 500000 };

typedef struct listing {
  const syntactic *s;
  const finite_program *p;
  const model *m; /* of the program */
  semantics *semantics;
  size_t width;
  VECTOR(int64_t) states;
  VECTOR(uint32_t) same_hash; /* the state before with the same hash, or UINT32_MAX */
  map *by_hash;
  map *seen_edges; /* those of the state and transition at hand: target -> 1 */
  evidence *out;
  const char *trouble;
} listing;

static size_t count_states(const listing *l) { return l->same_hash.count; }

static uint32_t number_of_state(listing *l, const int64_t *values) {
  uint64_t hash = hash_bytes(values, l->width * sizeof(int64_t), 0) & INT64_MAX, last = UINT32_MAX;
  map_get(l->by_hash, hash, &last);
  for (uint32_t i = (uint32_t)last; i != UINT32_MAX; i = l->same_hash.at[i])
    if (!l->width || !memcmp(l->states.at + i * l->width, values, l->width * sizeof(int64_t))) return i;
  uint32_t made = (uint32_t)count_states(l);
  for (size_t i = 0; i < l->width; i++) VECTOR_PUSH(l->states, values[i]);
  VECTOR_PUSH(l->same_hash, (uint32_t)last);
  map_set(l->by_hash, hash, made);
  if (made >= MOST_BLOCKS) l->trouble = "the abstract program has too many states to list them as evidence";
  return made;
}

static void take(listing *l, uint32_t from, uint32_t transition, int64_t *before, int64_t *inputs, int64_t *after) {
  const struct transition *t = &l->m->transitions.at[transition];
  if (term_is_false(t->guard)) return;
  if (!transition_has_finite_inputs(l->m, t)) {
    l->trouble = "the abstract program has inputs of more than 64 bits, and its steps cannot be listed as evidence";
    return;
  }
  map_clear(l->seen_edges);
  inputs_first(l->m, t, inputs);
  do {
    step_status status = semantics_step(l->semantics, transition, before, inputs, after, NULL);
    if (status == STEP_OVERFLOW) l->trouble = "a number in a step of the abstract program is beyond 64 bits";
    if (status != STEP_TAKEN) continue;
    uint32_t to = number_of_state(l, after);
    if (map_get(l->seen_edges, to, NULL)) continue;
    map_set(l->seen_edges, to, 1);
    VECTOR_PUSH(l->out->quotient.edges, (quotient_edge){from, transition, to});
    if (l->out->quotient.edges.count > MOST_EDGES)
      l->trouble = "the abstract program has too many steps to list them as evidence";
    if (!l->trouble) l->trouble = budget_spent(l->s->env->budget);
  } while (!l->trouble && inputs_advance(l->m, t, inputs));
}

static void search(listing *l) {
  size_t most_inputs = 0;
  for (size_t i = 0; i < l->m->transitions.count; i++)
    if (l->m->transitions.at[i].inputs.count > most_inputs) most_inputs = l->m->transitions.at[i].inputs.count;
  int64_t *before = MEMORY_ARRAY(int64_t, l->width + 1), *after = MEMORY_ARRAY(int64_t, l->width + 1);
  int64_t *inputs = MEMORY_ARRAY(int64_t, most_inputs + 1);
  for (uint32_t i = 0; i < count_states(l) && !l->trouble; i++) {
    memcpy(before, l->states.at + i * l->width, l->width * sizeof(int64_t));
    for (uint32_t t = 0; t < l->m->transitions.count && !l->trouble; t++) take(l, i, t, before, inputs, after);
  }
  memory_free(before);
  memory_free(after);
  memory_free(inputs);
}

static void start(listing *l) {
  export_states initial = {0};
  size_t count = 0;
  if (!export_initial(l->m, l->s->env->budget, &count, &initial))
    l->trouble = "the abstract program has too many initial states to list them as evidence";
  for (size_t i = 0; i < count && !l->trouble; i++)
    VECTOR_PUSH(l->out->quotient.initial, number_of_state(l, initial.at + i * l->width));
  VECTOR_FREE(initial);
}

/* The states of the model that a state of the program stands for. */
static term block(const listing *l, size_t state) {
  terms *ts = l->s->ts;
  term_vector all = {0};
  VECTOR_PUSH(all, l->s->system->facts);
  for (size_t i = 0; i < l->width; i++) {
    variable v = l->m->variables.at[i].var;
    VECTOR_PUSH(all, term_eq(ts, term_of_variable(ts, v), term_of_value(ts, v, l->states.at[state * l->width + i])));
  }
  term result = term_and_all(ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

static void make_blocks(listing *l) {
  substitution *by = substitution_new(l->s->ts);
  for (size_t i = 0; i < l->p->bits.count; i++) substitution_set(by, l->p->bits.at[i].var, l->p->bits.at[i].atom);
  for (size_t i = 0; i < count_states(l); i++) evidence_add_part(l->s->ts, l->out, substitution_apply(by, block(l, i)));
  substitution_free(by);
}

const char *listed_quotient(const syntactic *s, const finite_program *p, evidence *out) {
  listing l = {.s = s,
               .p = p,
               .m = p->model,
               .semantics = semantics_new(p->model),
               .width = p->model->variables.count,
               .by_hash = map_new(),
               .seen_edges = map_new(),
               .out = out};
  out->kind = EVIDENCE_QUOTIENT;
  start(&l);
  search(&l);
  if (!l.trouble) make_blocks(&l);
  semantics_free(l.semantics);
  map_free(l.by_hash);
  map_free(l.seen_edges);
  VECTOR_FREE(l.states);
  VECTOR_FREE(l.same_hash);
  return l.trouble;
}
