/* The frame on top of the stack takes a step: one of those that can be taken, each statement as likely as another, with
 * one of the values that were tried. A call puts a frame on top; a return takes one away, and the caller gets what is
 * given back. */
#include "run/simulate/simulate_calls.h"

#include "base/random.h"
#include "engine/program_steps.h"

#define NO_CLAUSE UINT32_MAX

/* Few, so that values are near zero. */
enum { STARTS = 40 };

/* One of several instances, chosen as they come. */
typedef struct choice {
  uint32_t clause;
  number_vector values, derived;
  uint64_t seen; /* of this clause */
} choice;

typedef struct call_simulation {
  ground_facts run; /* one fact a step, in the order of time */
  program_steps *steps;
  random_source random;
  VECTOR(index_vector) stack; /* frames, the top one last */
  choice here, chosen;        /* of the clause that is looked at; of those before */
  uint64_t clauses;           /* that can be taken, so far */
  uint32_t broken;            /* a clause that says what is wrong here; or NO_CLAUSE */
} call_simulation;

bool simulate_has_calls(const model *m) { return m->clauses && m->clauses->is_program && m->clauses->are_trees; }

/* ---- choices ---- */

static void choice_set(choice *c, uint32_t clause_number, const number_vector *values, const number_vector *derived) {
  c->clause = clause_number;
  VECTOR_CLEAR(c->values);
  VECTOR_CLEAR(c->derived);
  for (size_t i = 0; i < values->count; i++) VECTOR_PUSH(c->values, values->at[i]);
  for (size_t i = 0; i < derived->count; i++) VECTOR_PUSH(c->derived, derived->at[i]);
}

/* What was chosen of the clause looked at is one of `clauses`. */
static void choose_clause(call_simulation *s) {
  if (s->here.clause == NO_CLAUSE) return;
  if (!random_below(&s->random, ++s->clauses))
    choice_set(&s->chosen, s->here.clause, &s->here.values, &s->here.derived);
  s->here.clause = NO_CLAUSE;
  s->here.seen = 0;
}

static bool see(void *context, uint32_t clause_number, const number_vector *values, const number_vector *derived) {
  call_simulation *s = context;
  if (s->run.of->clauses.at[clause_number].head == NO_PREDICATE) {
    s->broken = clause_number;
    return true;
  }
  if (clause_number != s->here.clause) choose_clause(s);
  if (!random_below(&s->random, ++s->here.seen)) choice_set(&s->here, clause_number, values, derived);
  s->here.clause = clause_number;
  return true;
}

/* ---- steps ---- */

static void push_frame(call_simulation *s, uint32_t fact) {
  index_vector frame = {0};
  if (fact != NO_FACT) VECTOR_PUSH(frame, fact);
  VECTOR_PUSH(s->stack, frame);
}

static void pop_frame(call_simulation *s) {
  VECTOR_FREE(VECTOR_LAST(s->stack));
  s->stack.count--;
}

static void take(call_simulation *s) {
  const clause *c = &s->run.of->clauses.at[s->chosen.clause];
  derivation_step by = {.clause = s->chosen.clause};
  VECTOR_COPY(by.premises, VECTOR_LAST(s->stack));
  VECTOR_COPY(by.values, s->chosen.values);
  uint32_t fact = facts_append(&s->run, c->head, &s->chosen.derived, by);
  if (!c->is_call) pop_frame(s);
  if (c->is_call || !program_steps_is_exit(s->steps, c->head))
    push_frame(s, fact);
  else
    VECTOR_PUSH(VECTOR_LAST(s->stack), fact);
}

static GIVE char *why_it_ends(const call_simulation *s, const enumeration *e, budget *b) {
  const char *spent = budget_spent(b);
  if (spent) return memory_copy_string(spent);
  if (s->broken != NO_CLAUSE) return memory_copy_string(s->run.of->clauses.at[s->broken].statements);
  if (e->end != ENUMERATION_ALL) return program_steps_gap(s->steps, e);
  return memory_copy_string(s->run.list.count ? "no step can be taken" : "there is no initial state");
}

/* NULL after a step, else why there was none. */
static char *step(call_simulation *s, budget *b) {
  index_vector top = {0};
  s->here.clause = s->chosen.clause = s->broken = NO_CLAUSE;
  s->here.seen = s->clauses = 0;
  VECTOR_COPY(top, VECTOR_LAST(s->stack));
  enumeration e = program_steps_take(s->steps, &top, see, s);
  VECTOR_FREE(top);
  choose_clause(s);
  if (s->chosen.clause == NO_CLAUSE || budget_spent(b)) return why_it_ends(s, &e, b);
  take(s);
  return NULL;
}

char *simulate_calls(model *m, const options *o, budget *b, evidence *out) {
  call_simulation s = {.random = {o->seed}};
  char *ending = NULL;
  *out = (evidence){.kind = EVIDENCE_DERIVATION};
  facts_open(&s.run, m->terms, m->clauses);
  s.steps = program_steps_new(&s.run, STARTS, b);
  push_frame(&s, NO_FACT);
  for (uint64_t i = 0; i <= o->steps && !ending; i++) ending = step(&s, b); /* the first one is the start */
  if (s.run.list.count) facts_derive(&s.run, (uint32_t)s.run.list.count - 1, out);
  while (s.stack.count) pop_frame(&s);
  VECTOR_FREE(s.stack);
  VECTOR_FREE(s.here.values);
  VECTOR_FREE(s.here.derived);
  VECTOR_FREE(s.chosen.values);
  VECTOR_FREE(s.chosen.derived);
  program_steps_free(s.steps);
  facts_close(&s.run);
  return ending;
}
