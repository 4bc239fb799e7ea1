/* Each question is about all candidates at once; its answer is a state that breaks some of them. If the solver is unsure, each is asked
 * about by itself. */
#include "run/fact_folder/inductive_part.h"

#include "base/text.h"
#include "model/transform.h"
#include "solver/solver.h"
#include "term/evaluate.h"

typedef struct search {
  model *m;
  terms *ts;
  budget *budget;
  solver *solver;
  bool after_step;       /* candidates are looked at after a step; else in initial states */
  VECTOR(uint32_t) left; /* candidates, by their numbers */
  const term_vector *candidates;
  number *values; /* by variable */
} search;

static term candidate(const search *s, size_t i) { return s->candidates->at[s->left.at[i]]; }

/* As it is looked at. */
static term seen(const search *s, size_t i) {
  return s->after_step ? transform_prime(s->m, candidate(s, i)) : candidate(s, i);
}

static term all_left(const search *s, bool as_seen) {
  term_vector all = {0};
  for (size_t i = 0; i < s->left.count; i++) VECTOR_PUSH(all, as_seen ? seen(s, i) : candidate(s, i));
  term result = term_and_all(s->ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

/* Of the state that the solver has found. */
static void read_state(search *s) {
  for (size_t i = 0; i < s->m->variables.count; i++) {
    variable v = s->m->variables.at[i].var;
    s->values[v.x] = solver_value(s->solver, s->after_step ? variable_next(s->ts, v) : v);
  }
}

/* Drops those that are false in it; true if there are some. */
static bool drop_broken(search *s) {
  size_t kept = 0, before = s->left.count;
  read_state(s);
  for (size_t i = 0; i < before; i++)
    if (!number_is(term_evaluate(s->ts, candidate(s, i), s->values), 0)) s->left.at[kept++] = s->left.at[i];
  s->left.count = kept;
  return kept < before;
}

/* Can `good` be false? */
static answer ask(search *s, term good) {
  solver_push(s->solver);
  if (s->after_step) solver_assert(s->solver, all_left(s, false));
  solver_assert(s->solver, term_not(good));
  return solver_check(s->solver, 0);
}

/* One by one, those that could be false go; true if there were some. Once the budget is spent, each question is answered at once. */
static bool drop_open(search *s) {
  size_t before = s->left.count;
  for (size_t i = 0; i < s->left.count;) {
    answer a = ask(s, seen(s, i));
    solver_pop(s->solver);
    if (answer_is_no(a))
      i++;
    else
      s->left.at[i] = VECTOR_POP(s->left);
  }
  return s->left.count < before;
}

/* Until none of those that are left can be false. */
static void drop_until_kept(search *s) {
  bool is_settled = false;
  while (!is_settled && s->left.count && !budget_spent(s->budget)) {
    answer a = ask(s, all_left(s, true));
    is_settled = answer_is_no(a);
    bool progress = answer_is_yes(a) && drop_broken(s);
    solver_pop(s->solver);
    if (!is_settled && !progress) is_settled = !drop_open(s);
  }
}

static void look_at(search *s, term known, bool after_step) {
  term_vector steps = {0};
  s->solver = solver_new(s->ts, s->budget);
  s->after_step = after_step;
  for (size_t i = 0; after_step && i < s->m->transitions.count; i++)
    VECTOR_PUSH(steps, transform_relation(s->m, &s->m->transitions.at[i]));
  solver_assert(s->solver, after_step ? term_and(s->ts, known, term_or_all(s->ts, steps.count, steps.at)) : s->m->init);
  drop_until_kept(s);
  VECTOR_FREE(steps);
  solver_free(s->solver);
}

typedef struct part_task {
  model *m;
  term known;
  const term_vector *candidates;
  uint64_t work;
} part_task;

/* Numbers of those that are left, a line each. */
static void find_in_worker(worker_inside *inside, void *context) {
  const part_task *task = context;
  text lines = {0};
  search s = {.m = task->m, .ts = task->m->terms, .budget = &inside->budget, .candidates = task->candidates};
  inside->budget.work = task->work;
  for (uint32_t i = 0; i < task->candidates->count; i++) VECTOR_PUSH(s.left, i);
  for (size_t i = 0; i < s.m->variables.count; i++) variable_next(s.ts, s.m->variables.at[i].var);
  s.values = MEMORY_ARRAY(number, variable_count(s.ts) + 1);
  look_at(&s, task->known, false);
  look_at(&s, task->known, true);
  for (size_t i = 0; i < s.left.count; i++) text_add(&lines, "%u\n", (unsigned)s.left.at[i]);
  text_add(&lines, "end\n");
  if (budget_spent(&inside->budget)) text_reset(&lines);
  channel_send(inside->pipe, MESSAGE_TEXT, text_string(&lines), lines.count);
  memory_free(s.values);
  VECTOR_FREE(s.left);
  text_clear(&lines);
}

static void hear(void *context, const message *m) {
  text *lines = context;
  if (m && m->kind == MESSAGE_TEXT) text_add_bytes(lines, m->bytes, m->count);
}

bool inductive_part_find(model *m, term known, uint64_t work, const worker_limits *limits, const atomic_bool *stop,
                         term_vector *candidates) {
  part_task task = {m, known, candidates, work};
  text lines = {0};
  term_vector kept = {0};
  worker *w = worker_start(find_in_worker, &task, limits);
  worker_attend(w, stop, hear, &lines);
  bool fine = worker_state(w) == WORKER_RETURNED;
  worker_free(w);
  unsigned which;
  const char *at = text_string(&lines);
  for (int used = 0; fine && sscanf(at, "%u %n", &which, &used) == 1; at += used)
    if (which < candidates->count) VECTOR_PUSH(kept, candidates->at[which]);
  fine = fine && !strcmp(at, "end\n");
  if (!fine) VECTOR_CLEAR(kept);
  VECTOR_FREE(*candidates);
  *candidates = kept;
  text_clear(&lines);
  return fine;
}
