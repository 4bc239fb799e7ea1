/* The stack of all that is asserted, the answers given to callers, and the one-shot questions. The work is done by a
 * back-end (backend.h). */
#include "solver/solver.h"

#include <stdlib.h>

#include "base/map.h"
#include "solver/backend.h"
#include "term/evaluate.h"

/* Solvers recurse over formulas; this deep they still do without overflowing the stack. */
enum { DEEPEST = 10000 };
enum { DIFFERENT_REASONS = 64, REMEMBERED_VARIABLES = 1 << 22 };

typedef enum entry_kind { ENTRY_PUSH, ENTRY_DECLARE, ENTRY_ASSERT, ENTRY_ASSERT_NAMED, ENTRY_UNSUPPORTED } entry_kind;

/* One call, so that the back-end can be given all of them again. The label of a named assertion is its position. */
typedef struct entry {
  entry_kind kind;
  uint32_t x; /* a variable or a term */
  uint32_t name;
} entry;

/* What is in a formula, found out once. */
typedef struct content {
  size_t first, count;     /* within `variables` */
  const char *unsupported; /* NULL, or why no back-end is given it */
} content;

struct solver {
  terms *ts;
  budget *budget;
  backend *back;
  bool assume_types, cores;
  VECTOR(entry) trail;
  size_t pushed;                    /* how many entries of kind PUSH */
  VECTOR(const char *) unsupported; /* the reasons of the entries of kind UNSUPPORTED */
  variable_vector declared;
  VECTOR(uint32_t) position; /* of a variable within `declared`, plus 1; 0 if it is not declared */
  VECTOR(number) values;     /* of the declared variables, after yes */
  answer_kind state;         /* of the last check, if nothing has changed since */
  answer_kind assumed;       /* the same of checks that assume literals */
  size_t assumed_count;
  map *content_of; /* term index -> index of `contents` */
  VECTOR(content) contents;
  variable_vector variables;
  VECTOR(uint32_t) depths; /* by term index; 0 if not known */
  solver_statistics statistics;
};

const char *backend_reason(backend *b, const char *message) {
  for (size_t i = 0; i < b->reasons.count; i++)
    if (!strcmp(b->reasons.at[i], message)) return b->reasons.at[i];
  if (b->reasons.count >= DIFFERENT_REASONS) return "the solver could not decide";
  VECTOR_PUSH(b->reasons, memory_copy_string(message));
  return VECTOR_LAST(b->reasons);
}

static solver *solver_of(terms *ts, budget *b, TAKE backend *back) {
  solver *s = MEMORY_NEW(solver);
  s->ts = ts;
  s->budget = b;
  s->back = back;
  s->assume_types = true;
  s->content_of = map_new();
  return s;
}

solver *solver_new(terms *ts, budget *b) {
  REQUIRE(ts && b, "terms and a budget");
  return solver_of(ts, b, z3_backend(ts, b, false));
}

solver *solver_new_for_assumptions(terms *ts, budget *b) {
  REQUIRE(ts && b, "terms and a budget");
  return solver_of(ts, b, z3_backend(ts, b, true));
}

solver *solver_new_process(terms *ts, budget *b, const char *command) {
  REQUIRE(ts && b && command, "terms, a budget and a command");
  return solver_of(ts, b, smtlib_backend(ts, b, command));
}

void solver_free(solver *s) {
  if (!s) return;
  for (size_t i = 0; i < s->back->reasons.count; i++) memory_free(s->back->reasons.at[i]);
  VECTOR_FREE(s->back->reasons);
  s->back->methods->free(s->back);
  VECTOR_FREE(s->trail);
  VECTOR_FREE(s->declared);
  VECTOR_FREE(s->position);
  VECTOR_FREE(s->values);
  map_free(s->content_of);
  VECTOR_FREE(s->contents);
  VECTOR_FREE(s->variables);
  VECTOR_FREE(s->depths);
  VECTOR_FREE(s->unsupported);
  memory_free(s);
}

void solver_assume_types(solver *s, bool yes) {
  REQUIRE(s->trail.count == 0, "nothing is asserted yet");
  s->assume_types = yes;
}

bool solver_assumes_types(const solver *s) { return s->assume_types; }

const solver_statistics *solver_statistics_of(const solver *s) { return &s->statistics; }

/* The stack. */

/* The arguments of `t` are measured already. */
static uint32_t measure(solver *s, term t) {
  uint32_t deepest = 0;
  for (size_t i = 0; i < term_arguments(s->ts, t); i++) {
    uint32_t below = s->depths.at[term_index(term_argument(s->ts, t, i))];
    if (below > deepest) deepest = below;
  }
  while (s->depths.count <= term_index(t)) VECTOR_PUSH(s->depths, 0);
  return s->depths.at[term_index(t)] = deepest + 1;
}

static void forget_contents(solver *s) {
  map_clear(s->content_of);
  VECTOR_CLEAR(s->contents);
  VECTOR_CLEAR(s->variables);
}

static const content *content_of(solver *s, term t) {
  uint64_t at;
  if (map_get(s->content_of, term_index(t), &at)) return &s->contents.at[at];
  if (s->variables.count > REMEMBERED_VARIABLES) forget_contents(s);
  content found = {.first = s->variables.count};
  index_vector cone = {0};
  terms_cone(s->ts, 1, &t, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term part = {2 * cone.at[i]};
    if (measure(s, part) > DEEPEST) found.unsupported = "a formula is too deep for the solver";
    switch (term_kind_of(s->ts, part)) {
      case TERM_BOOL_VARIABLE:
      case TERM_INT_VARIABLE:
      case TERM_ARRAY_VARIABLE:
      case TERM_REAL_VARIABLE: VECTOR_PUSH(s->variables, term_variable(s->ts, part)); break;
      case TERM_NODE_VARIABLE:
      case TERM_HEAP_NULL:
      case TERM_HEAP_SAME:
      case TERM_HEAP_DATA: found.unsupported = "formulas about the heap are beyond the solver"; break;
      default: break;
    }
  }
  VECTOR_FREE(cone);
  found.count = s->variables.count - found.first;
  map_set(s->content_of, term_index(t), s->contents.count);
  VECTOR_PUSH(s->contents, found);
  return &VECTOR_LAST(s->contents);
}

static void pass_on(solver *s, size_t at) {
  backend *back = s->back;
  if (back->lost) return;
  const entry *e = &s->trail.at[at];
  switch (e->kind) {
    case ENTRY_PUSH: back->methods->push(back); break;
    case ENTRY_DECLARE: back->methods->declare(back, (variable){e->x}, s->assume_types); break;
    case ENTRY_ASSERT: back->methods->assert_term(back, (term){e->x}); break;
    case ENTRY_ASSERT_NAMED: back->methods->assert_labelled(back, (term){e->x}, (uint32_t)at); break;
    case ENTRY_UNSUPPORTED: break;
  }
}

static void add(solver *s, entry e) {
  s->state = s->assumed = ANSWER_UNSURE;
  VECTOR_PUSH(s->trail, e);
  pass_on(s, s->trail.count - 1);
}

static void declare(solver *s, variable v) {
  while (s->position.count <= v.x) VECTOR_PUSH(s->position, 0);
  if (s->position.at[v.x]) return;
  VECTOR_PUSH(s->declared, v);
  s->position.at[v.x] = (uint32_t)s->declared.count;
  add(s, (entry){.kind = ENTRY_DECLARE, .x = v.x});
}

/* Declares the variables of `t`. NULL, or why no back-end is to see it. */
static const char *mention(solver *s, term t) {
  REQUIRE(term_sort(s->ts, t) == SORT_BOOL, "a boolean term");
  content c = *content_of(s, t);
  for (size_t i = 0; i < c.count && !c.unsupported; i++) declare(s, s->variables.at[c.first + i]);
  return c.unsupported;
}

static void assert_entry(solver *s, entry e) {
  const char *unsupported = mention(s, (term){e.x});
  if (unsupported) {
    e.kind = ENTRY_UNSUPPORTED;
    VECTOR_PUSH(s->unsupported, unsupported);
  }
  add(s, e);
}

void solver_push(solver *s) {
  s->pushed++;
  add(s, (entry){.kind = ENTRY_PUSH});
}

void solver_pop(solver *s) {
  REQUIRE(s->pushed > 0, "something is pushed");
  s->pushed--;
  s->state = s->assumed = ANSWER_UNSURE;
  for (bool done = false; !done;) {
    entry e = VECTOR_POP(s->trail);
    if (e.kind == ENTRY_UNSUPPORTED) s->unsupported.count--;
    if (e.kind == ENTRY_DECLARE) {
      s->position.at[e.x] = 0;
      s->declared.count--;
    }
    done = e.kind == ENTRY_PUSH;
  }
  if (!s->back->lost) s->back->methods->pop(s->back);
}

void solver_assert(solver *s, term t) { assert_entry(s, (entry){.kind = ENTRY_ASSERT, .x = t.x}); }

void solver_assert_named(solver *s, term t, uint32_t name) {
  s->cores = true;
  assert_entry(s, (entry){.kind = ENTRY_ASSERT_NAMED, .x = t.x, .name = name});
}

/* Checking. */

number solver_any_value(const type *t) {
  if (t->sort == SORT_BOOL) return number_of(0);
  if (t->has_low && number_sign(t->low) > 0) return t->low;
  if (t->has_high && number_sign(t->high) < 0) return t->high;
  return number_of(0);
}

static bool model_holds(const solver *s) {
  number *all = MEMORY_ARRAY(number, variable_count(s->ts));
  bool holds = true;
  for (size_t i = 0; i < s->declared.count; i++) {
    variable v = s->declared.at[i];
    const type *t = variable_type(s->ts, v);
    number value = all[v.x] = s->values.at[i];
    holds &= t->sort == SORT_REAL || number_is_integer(value);
    if (t->sort == SORT_BOOL || !s->assume_types) continue;
    holds &= !t->has_low || number_compare(t->low, value) <= 0;
    holds &= !t->has_high || number_compare(value, t->high) <= 0;
  }
  for (size_t i = 0; holds && i < s->trail.count; i++) {
    const entry *e = &s->trail.at[i];
    if (e->kind != ENTRY_ASSERT && e->kind != ENTRY_ASSERT_NAMED) continue;
    holds = number_is(term_evaluate(s->ts, (term){e->x}, all), 1);
  }
  memory_free(all);
  return holds;
}

static answer with_model(solver *s, const limits *l) {
  backend *back = s->back;
  VECTOR_CLEAR(s->values);
  VECTOR_RESERVE(s->values, s->declared.count);
  s->values.count = s->declared.count;
  if (!back->methods->model(back, l, s->declared.count, s->declared.at, s->values.at))
    return answer_unsure(back->lost ? back->lost : "the solver found a model but did not give it");
  if (back->methods->model_is_checked && !model_holds(s))
    return answer_unsure("the solver's model does not satisfy the formulas");
  return answer_yes();
}

/* What is asked of the back-end in addition to all that is asserted. */
typedef struct question {
  size_t count;
  const term *assumed;
  bool is_assuming, want_model;
} question;

static answer check_within(solver *s, const limits *l, const question *q) {
  backend *back = s->back;
  if (s->budget->reason) return answer_unsure(s->budget->reason);
  const char *reached = limits_reached(l, false);
  if (!reached && !budget_work_left(l->budget)) reached = "work limit reached";
  if (reached) return answer_unsure(reached);
  if (s->unsupported.count) return answer_unsure(s->unsupported.at[0]);
  if (back->lost) {
    back->methods->restart(back, s->cores);
    s->statistics.restarts++;
    for (size_t i = 0; i < s->trail.count; i++) pass_on(s, i);
  }
  if (back->lost) return answer_unsure(back->lost);
  if (q->is_assuming) return back->methods->check_assuming(back, l, q->count, q->assumed);
  answer a = back->methods->check(back, l);
  return answer_is_yes(a) && q->want_model ? with_model(s, l) : a;
}

static answer check(solver *s, double seconds, const question *q) {
  limits l = limits_of(s->budget, seconds);
  double start = clock_seconds();
  answer a = check_within(s, &l, q);
  s->state = q->is_assuming ? ANSWER_UNSURE : a.kind;
  s->assumed = q->is_assuming ? a.kind : ANSWER_UNSURE;
  s->statistics.checks++;
  s->statistics.seconds += clock_seconds() - start;
  switch (a.kind) {
    case ANSWER_YES: s->statistics.yes++; break;
    case ANSWER_NO: s->statistics.no++; break;
    case ANSWER_UNSURE: s->statistics.unsure++; break;
  }
  return a;
}

answer solver_check(solver *s, double seconds) { return check(s, seconds, &(question){.want_model = true}); }

answer solver_check_assuming(solver *s, size_t count, const term *literals, double seconds) {
  REQUIRE(s->back->methods->check_assuming, "a solver in this process");
  for (size_t i = 0; i < count; i++) {
    REQUIRE(term_kind_of(s->ts, literals[i]) == TERM_BOOL_VARIABLE, "literals");
    mention(s, literals[i]);
  }
  s->assumed_count = count;
  return check(s, seconds, &(question){.count = count, .assumed = literals, .is_assuming = true});
}

void solver_core_assumed(solver *s, core_names *out) {
  REQUIRE(s->assumed == ANSWER_NO, "solver_check_assuming said no, and nothing has changed since");
  VECTOR_CLEAR(*out);
  if (s->back->methods->core_assumed(s->back, out)) return;
  VECTOR_CLEAR(*out);
  for (uint32_t i = 0; i < s->assumed_count; i++) VECTOR_PUSH(*out, i);
}

static bool is_declared(const solver *s, variable v) { return v.x < s->position.count && s->position.at[v.x]; }

bool solver_values(solver *s, size_t count, const variable *variables, number *out) {
  REQUIRE(s->assumed == ANSWER_YES, "solver_check_assuming said yes, and nothing has changed since");
  limits l = limits_of(s->budget, 0);
  variable_vector declared = {0};
  for (size_t i = 0; i < count; i++)
    if (is_declared(s, variables[i])) VECTOR_PUSH(declared, variables[i]);
  number *values = MEMORY_ARRAY(number, declared.count + 1);
  bool fine = s->back->methods->model(s->back, &l, declared.count, declared.at, values);
  for (size_t i = 0, next = 0; i < count && fine; i++)
    out[i] = is_declared(s, variables[i]) ? values[next++] : solver_any_value(variable_type(s->ts, variables[i]));
  memory_free(values);
  VECTOR_FREE(declared);
  return fine;
}

number solver_value(solver *s, variable v) {
  REQUIRE(s->state == ANSWER_YES, "the last check said yes, and nothing has changed since");
  uint32_t at = v.x < s->position.count ? s->position.at[v.x] : 0;
  return at ? s->values.at[at - 1] : solver_any_value(variable_type(s->ts, v));
}

static int by_name(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void sort_distinct(core_names *core) {
  if (!core->count) return;
  qsort(core->at, core->count, sizeof *core->at, by_name);
  size_t kept = 1;
  for (size_t i = 1; i < core->count; i++)
    if (core->at[i] != core->at[kept - 1]) core->at[kept++] = core->at[i];
  core->count = kept;
}

/* Labels to names; false if one is no label that was given. */
static bool name_core(const solver *s, core_names *core) {
  for (size_t i = 0; i < core->count; i++) {
    uint32_t label = core->at[i];
    if (label >= s->trail.count || s->trail.at[label].kind != ENTRY_ASSERT_NAMED) return false;
    core->at[i] = s->trail.at[label].name;
  }
  return true;
}

void solver_core(solver *s, core_names *out) {
  REQUIRE(s->state == ANSWER_NO, "the last check said no, and nothing has changed since");
  limits l = limits_of(s->budget, 0);
  VECTOR_CLEAR(*out);
  if (!s->back->methods->core(s->back, &l, out) || !name_core(s, out)) {
    VECTOR_CLEAR(*out);
    for (size_t i = 0; i < s->trail.count; i++)
      if (s->trail.at[i].kind == ENTRY_ASSERT_NAMED) VECTOR_PUSH(*out, s->trail.at[i].name);
  }
  sort_distinct(out);
}

void solver_mention(solver *s, term t) { mention(s, t); }

bool solver_is_spent(const solver *s) {
  limits l = limits_of(s->budget, 0);
  return s->budget->reason || limits_reached(&l, true);
}

answer solver_satisfiable(solver *s, term t) {
  mention(s, t);
  solver_push(s);
  solver_assert(s, t);
  answer a = check(s, 0, &(question){0});
  solver_pop(s);
  return a;
}

answer solver_valid(solver *s, term t) {
  answer a = solver_satisfiable(s, term_not(t));
  if (answer_is_unsure(a)) return a;
  return answer_is_yes(a) ? answer_no() : answer_yes();
}
