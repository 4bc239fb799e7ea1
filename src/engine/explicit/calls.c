/* Frames of the call stack (engine/program_steps.h), in the order of the length of the shortest run that leads to them.
 *
 * A call makes the first frame of what is called, unless it is there: then what is known to be given back is given to
 * this caller too. So a frame is looked at once, and the search ends if values are few, however deep calls go.
 *
 * Lengths: a call and every other step count 1. A run that returns is as long as that of the caller, the call, and the
 * steps between the entry and the exit; these are the same for every caller. Returns therefore never come before frames
 * that are waiting with shorter runs, and the first violation that is found is one of a shortest run. */
#include "engine/explicit/calls.h"

#include "base/text.h"
#include "base/work.h"
#include "engine/explicit/call_loops.h"
#include "engine/program_steps.h"

/* How many starts are tried if there are too many to count. */
enum { MOST_STARTS = 1000 };
/* To look at a frame takes so many units of work. */
enum { WORK_OF_FRAME = 10 };

typedef struct call_frame {
  index_vector facts;
  uint32_t entry; /* the fact that says with which values this procedure was called; NO_FACT in the program */
  uint64_t length;
} call_frame;

/* What is known besides about a fact. */
typedef struct fact_note {
  uint64_t length;      /* of the shortest run that leads to it */
  index_vector callers; /* of an entry: frames that wait for it */
  index_vector exits;   /* of an entry: facts that say what is given back */
} fact_note;

struct calls_search {
  engine_environment *env;
  ground_facts known;
  program_steps *steps;
  VECTOR(call_frame) frames;
  VECTOR(fact_note) notes; /* by fact */
  index_vector waiting;    /* frames: a heap, the next one first */
  uint32_t frame;          /* the one that is looked at */
  bool asks_for_end;       /* the property is PROPERTY_ENDS: what is looked for are loops */
  call_loops loops;
  uint32_t repeated; /* a fact that was derived from one with the same values; NO_FACT while there is none */
  char *gap;         /* why some frames may be missing; NULL while there is none */
};

bool calls_are_in(const model *m, size_t property) {
  bool asks_for_end = m->properties.at[property].kind == PROPERTY_ENDS;
  return m->clauses && m->clauses->is_program && (m->clauses->are_trees || asks_for_end);
}

/* ---- frames that wait ---- */

/* Depth first, the latest frame is the next one. */
static bool comes_before(const calls_search *s, uint32_t a, uint32_t b) {
  uint64_t of_a = s->frames.at[a].length, of_b = s->frames.at[b].length;
  if (s->env->options->order == ORDER_DFS) return a > b;
  return of_a < of_b || (of_a == of_b && a < b);
}

static void exchange(calls_search *s, size_t i, size_t j) {
  uint32_t held = s->waiting.at[i];
  s->waiting.at[i] = s->waiting.at[j];
  s->waiting.at[j] = held;
}

static void add_waiting(calls_search *s, uint32_t frame) {
  VECTOR_PUSH(s->waiting, frame);
  for (size_t i = s->waiting.count - 1; i && comes_before(s, s->waiting.at[i], s->waiting.at[(i - 1) / 2]);
       i = (i - 1) / 2)
    exchange(s, i, (i - 1) / 2);
}

static uint32_t take_waiting(calls_search *s) {
  uint32_t first = s->waiting.at[0];
  s->waiting.at[0] = VECTOR_POP(s->waiting);
  for (size_t i = 0, least = 0;; i = least) {
    for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < s->waiting.count; child++)
      if (comes_before(s, s->waiting.at[child], s->waiting.at[least])) least = child;
    if (least == i) return first;
    exchange(s, i, least);
  }
}

static void add_frame(calls_search *s, TAKE call_frame f) {
  VECTOR_PUSH(s->frames, f);
  add_waiting(s, (uint32_t)s->frames.count - 1);
}

static void start_frame(calls_search *s, uint32_t fact, uint32_t entry) {
  call_frame made = {.entry = entry, .length = s->notes.at[fact].length};
  VECTOR_PUSH(made.facts, fact);
  add_frame(s, made);
}

/* ---- calls and returns ---- */

static void return_to(calls_search *s, uint32_t caller, uint32_t entry, uint32_t exit) {
  call_frame made = {.entry = s->frames.at[caller].entry};
  uint64_t inside = s->notes.at[exit].length - s->notes.at[entry].length;
  made.length = s->frames.at[caller].length + 1 + inside;
  VECTOR_COPY(made.facts, s->frames.at[caller].facts);
  VECTOR_PUSH(made.facts, exit);
  add_frame(s, made);
}

static void add_call(calls_search *s, uint32_t entry, bool is_new) {
  fact_note *n = &s->notes.at[entry];
  if (n->callers.count && VECTOR_LAST(n->callers) == s->frame) return;
  VECTOR_PUSH(n->callers, s->frame);
  for (size_t i = 0; i < n->exits.count; i++) return_to(s, s->frame, entry, n->exits.at[i]);
  if (is_new) start_frame(s, entry, entry);
}

static void add_exit(calls_search *s, uint32_t entry, uint32_t exit) {
  if (entry == NO_FACT) return;
  fact_note *n = &s->notes.at[entry];
  VECTOR_PUSH(n->exits, exit);
  for (size_t i = 0; i < n->callers.count; i++) return_to(s, n->callers.at[i], entry, exit);
}

/* ---- steps ---- */

static derivation_step step_of(const calls_search *s, uint32_t clause_number, const number_vector *values) {
  derivation_step made = {.clause = clause_number};
  VECTOR_COPY(made.premises, s->frames.at[s->frame].facts);
  for (size_t i = 0; i < values->count; i++) VECTOR_PUSH(made.values, values->at[i]);
  return made;
}

/* From where the frame stands, if its program has started. */
static void add_edge(calls_search *s, uint32_t clause_number, const number_vector *values, uint32_t to) {
  uint32_t place = clause_place_atom(&s->known.of->clauses.at[clause_number]);
  if (place != 0 || program_steps_is_exit(s->steps, s->known.list.at[to].predicate)) return;
  call_loops_add(&s->loops, s->frames.at[s->frame].facts.at[0], to, step_of(s, clause_number, values));
}

static bool visit(void *context, uint32_t clause_number, const number_vector *values, const number_vector *derived) {
  calls_search *s = context;
  const clause *c = &s->known.of->clauses.at[clause_number];
  uint32_t entry = s->frames.at[s->frame].entry, at;
  if (c->head == NO_PREDICATE && c->property != s->env->property) return true;
  bool is_new = facts_add(&s->known, c->head, derived, step_of(s, clause_number, values), &at);
  if (s->asks_for_end) add_edge(s, clause_number, values, at);
  if (is_new) VECTOR_PUSH(s->notes, (fact_note){.length = s->frames.at[s->frame].length + 1});
  if (c->head == NO_PREDICATE) return false;
  if (c->is_call)
    add_call(s, at, is_new);
  else if (is_new && program_steps_is_exit(s->steps, c->head))
    add_exit(s, entry, at);
  else if (is_new)
    start_frame(s, at, entry);
  return true;
}

static void look_at(calls_search *s, uint32_t frame) {
  index_vector held = {0};
  s->frame = frame;
  VECTOR_COPY(held, s->frames.at[frame].facts);
  enumeration e = program_steps_take(s->steps, &held, visit, s);
  if (e.end != ENUMERATION_ALL && e.end != ENUMERATION_STOPPED && !s->gap) s->gap = program_steps_gap(s->steps, &e);
  VECTOR_FREE(held);
}

/* ---- the search ---- */

calls_search *calls_new(engine_environment *env) {
  calls_search *s = MEMORY_NEW(calls_search);
  *s = (calls_search){.env = env, .repeated = NO_FACT};
  s->asks_for_end = env->model->properties.at[env->property].kind == PROPERTY_ENDS;
  facts_open(&s->known, env->model->terms, env->model->clauses);
  s->steps = program_steps_new(&s->known, MOST_STARTS, env->budget);
  add_frame(s, (call_frame){.entry = NO_FACT});
  return s;
}

void calls_free(calls_search *s) {
  if (!s) return;
  for (size_t i = 0; i < s->frames.count; i++) VECTOR_FREE(s->frames.at[i].facts);
  for (size_t i = 0; i < s->notes.count; i++) {
    VECTOR_FREE(s->notes.at[i].callers);
    VECTOR_FREE(s->notes.at[i].exits);
  }
  VECTOR_FREE(s->frames);
  VECTOR_FREE(s->notes);
  VECTOR_FREE(s->waiting);
  program_steps_free(s->steps);
  call_loops_clear(&s->loops);
  facts_close(&s->known);
  memory_free(s->gap);
  memory_free(s);
}

static bool is_found(const calls_search *s) { return s->known.query != NO_FACT || s->repeated != NO_FACT; }

static void look_for_loops(calls_search *s, bool at_once) {
  if (!at_once && !call_loops_wait(&s->loops)) return;
  work_add(s->loops.edges.count / WORK_OF_FRAME);
  s->repeated = call_loops_find(&s->loops, &s->known);
}

bool calls_run(calls_search *s, size_t frames) {
  for (size_t i = 0; i < frames && s->waiting.count && !is_found(s); i++) {
    if (budget_spent(s->env->budget)) return false;
    work_add(WORK_OF_FRAME);
    look_at(s, take_waiting(s));
    if (s->asks_for_end) look_for_loops(s, !s->waiting.count);
  }
  s->env->statistics->states = s->known.list.count;
  events_progress(s->env->events, "%zu states of procedures, runs of %llu steps", s->known.list.count,
                  (unsigned long long)s->frames.at[s->frame].length);
  return s->waiting.count && !is_found(s);
}

/* That there is no loop among some values says nothing of others, and of all of them it is `rank` that says so. */
static void claim_end(calls_search *s, claim *out) {
  const char *spent = budget_spent(s->env->budget);
  if (s->repeated == NO_FACT) {
    claim_give_up(out, spent ? spent : s->gap ? s->gap : "no run comes back to where it was");
    return;
  }
  out->verdict = VERDICT_FAILS;
  facts_derive(&s->known, s->repeated, &out->evidence);
}

void calls_claim(calls_search *s, claim *out) {
  const char *spent = budget_spent(s->env->budget);
  if (s->known.query != NO_FACT) {
    out->verdict = VERDICT_UNSAFE;
    facts_derive(&s->known, s->known.query, &out->evidence);
    return;
  }
  if (s->asks_for_end) {
    claim_end(s, out);
    return;
  }
  if (s->env->options->order == ORDER_BFS && !s->gap && s->frames.at[s->frame].length > 1)
    events_note(s->env->events, "no violation within %llu steps",
                (unsigned long long)s->frames.at[s->frame].length - 1);
  if (spent || s->gap) {
    claim_give_up(out, spent ? spent : s->gap);
    return;
  }
  out->verdict = VERDICT_SAFE;
  if (!facts_interpret(&s->known, &out->evidence))
    claim_give_up(out, "all states were seen, but they are too many for a proof");
}
