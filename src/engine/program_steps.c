/* Instances of clauses from the facts of a frame. Mostly equations give all variables. Else they are counted out, from
 * what the facts say: inputs, and variables that have any value at first. */
#include "engine/program_steps.h"

#include "base/text.h"
#include "proof/replay/clause_plan.h"
#include "term/evaluate.h"

/* How many values of its inputs a step is tried with, if they can be counted and if they cannot. */
enum { MOST_COUNTED = 1000000, SOME_INPUTS = 12 };

/* How the variables of one clause are found. */
typedef struct clause_way {
  clause_plan *plan;
  bool is_whole;           /* the plan gives every variable; else they are counted out: */
  variable_vector unknown; /* of the clause */
  variable_vector known;   /* by argument of the body, atom after atom: the variable that has its value */
  enumerator *counts;
  number_vector
      fixed; /* by variable of the clause: its value, if it is neither known nor unknown: nothing depends on it */
} clause_way;

struct program_steps {
  const ground_facts *known;
  const clauses *all;
  terms *ts;
  budget *budget;
  uint64_t starts;
  solver *solver;
  index_vector *starting; /* clauses by the predicate of their first atom; last, those without */
  bool *is_exit;          /* by predicate */
  clause_way *ways;       /* by clause; empty before it is needed */
  number_vector assignment;
  /* The step under way. */
  uint32_t clause;
  program_visitor *visit;
  void *context;
  bool was_stopped;
};

program_steps *program_steps_new(const ground_facts *known, uint64_t starts, budget *b) {
  program_steps *s = MEMORY_NEW(program_steps);
  size_t predicates = known->of->predicates.count;
  *s = (program_steps){.known = known, .all = known->of, .ts = known->ts, .budget = b, .starts = starts};
  s->solver = solver_new(s->ts, b);
  s->starting = MEMORY_ARRAY(index_vector, predicates + 1);
  s->is_exit = MEMORY_ARRAY(bool, predicates + 1);
  s->ways = MEMORY_ARRAY(clause_way, s->all->clauses.count + 1);
  for (uint32_t i = 0; i < s->all->clauses.count; i++) {
    const clause *c = &s->all->clauses.at[i];
    VECTOR_PUSH(s->starting[c->body.count ? c->body.at[0].predicate : predicates], i);
    for (size_t j = 0; j < c->calls.count; j++) s->is_exit[c->body.at[c->calls.at[j].atom].predicate] = true;
  }
  return s;
}

void program_steps_free(program_steps *s) {
  if (!s) return;
  for (size_t i = 0; i <= s->all->predicates.count; i++) VECTOR_FREE(s->starting[i]);
  for (size_t i = 0; i < s->all->clauses.count; i++) {
    clause_plan_free(s->ways[i].plan);
    enumerator_free(s->ways[i].counts);
    VECTOR_FREE(s->ways[i].known);
    VECTOR_FREE(s->ways[i].unknown);
    VECTOR_FREE(s->ways[i].fixed);
  }
  VECTOR_FREE(s->assignment);
  memory_free(s->starting);
  memory_free(s->is_exit);
  memory_free(s->ways);
  solver_free(s->solver);
  memory_free(s);
}

bool program_steps_is_exit(const program_steps *s, uint32_t predicate) { return s->is_exit[predicate]; }

/* ---- how variables are found ---- */

static bool is_among(const variable_vector *list, variable v) {
  for (size_t i = 0; i < list->count; i++)
    if (variable_same(list->at[i], v)) return true;
  return false;
}

static bool is_plain_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE);
}

/* An argument that is no variable of its own gets one, which is equal to it. */
static void know_argument(program_steps *s, clause_way *w, term argument, term_vector *condition) {
  if (is_plain_variable(s->ts, argument) && !is_among(&w->known, term_variable(s->ts, argument))) {
    VECTOR_PUSH(w->known, term_variable(s->ts, argument));
    return;
  }
  variable made = variable_fresh(s->ts, "argument", &(type){.sort = term_sort(s->ts, argument)});
  VECTOR_PUSH(w->known, made);
  VECTOR_PUSH(*condition, term_eq(s->ts, argument, term_of_variable(s->ts, made)));
}

/* Takes what is said of `v` alone out of the parts, as a conjunction; false if other parts or the head speak of it. */
static bool split_off(const program_steps *s, const clause *c, variable v, term_vector *parts, term *about) {
  *about = TERM_TRUE;
  for (size_t i = 0; i < c->head_arguments.count; i++)
    if (term_mentions(s->ts, c->head_arguments.at[i], v)) return false;
  for (size_t i = 0; i < parts->count; i++) {
    variable_vector inside = {0};
    term_variables(s->ts, 1, &parts->at[i], &inside);
    bool is_inside = is_among(&inside, v), is_alone = inside.count == 1;
    VECTOR_FREE(inside);
    if (is_inside && !is_alone) return false;
    if (is_inside) *about = term_and(s->ts, *about, parts->at[i]);
  }
  size_t kept = 0;
  for (size_t i = 0; i < parts->count; i++)
    if (!term_mentions(s->ts, parts->at[i], v)) parts->at[kept++] = parts->at[i];
  parts->count = kept;
  return true;
}

/* A variable of which only its type is said gets one value of that type: others lead to nothing else. */
static bool fix(program_steps *s, const clause *c, variable v, term_vector *parts, number *out) {
  term about;
  if (!split_off(s, c, v, parts, &about)) return false;
  *out = number_of(0);
  if (term_is_true(about)) return true;
  solver_push(s->solver);
  solver_assert(s->solver, about);
  bool has_value = answer_is_yes(solver_check(s->solver, 0));
  if (has_value) *out = solver_value(s->solver, v);
  solver_pop(s->solver);
  if (!has_value) VECTOR_PUSH(*parts, about);
  return has_value;
}

static void prepare_counting(program_steps *s, const clause *c, clause_way *w) {
  term_vector parts = {0};
  term_conjuncts(s->ts, c->constraint, &parts);
  for (size_t i = 0; i < c->body.count; i++)
    for (size_t j = 0; j < c->body.at[i].arguments.count; j++)
      know_argument(s, w, c->body.at[i].arguments.at[j], &parts);
  for (size_t i = 0; i < c->variables.count; i++) {
    number value = number_of(0);
    variable v = c->variables.at[i];
    if (!is_among(&w->known, v) && !fix(s, c, v, &parts, &value)) VECTOR_PUSH(w->unknown, v);
    VECTOR_PUSH(w->fixed, value);
  }
  term whole = term_and_all(s->ts, parts.count, parts.at);
  w->counts = enumerator_new(s->ts, whole, w->unknown.count, w->unknown.at, w->known.count, w->known.at, s->solver);
  VECTOR_FREE(parts);
}

static clause_way *way_of(program_steps *s, uint32_t clause_number) {
  clause_way *w = &s->ways[clause_number];
  const clause *c = &s->all->clauses.at[clause_number];
  if (w->plan) return w;
  w->plan = clause_plan_new(s->ts, c, false);
  w->is_whole = clause_plan_is_whole(w->plan);
  if (!w->is_whole) prepare_counting(s, c, w);
  return w;
}

/* ---- one clause ---- */

static const number_vector *values_of(const program_steps *s, uint32_t fact) { return &s->known->list.at[fact].values; }

static void compute(program_steps *s, clause_way *w, const index_vector *frame) {
  VECTOR(const number_vector *) body = {0};
  number_vector values = {0}, derived = {0};
  for (size_t i = 0; i < frame->count; i++) VECTOR_PUSH(body, values_of(s, frame->at[i]));
  if (clause_plan_apply(w->plan, body.at, NULL, &values, &derived))
    s->was_stopped = !s->visit(s->context, s->clause, &values, &derived);
  VECTOR_FREE(body);
  VECTOR_FREE(values);
  VECTOR_FREE(derived);
}

static bool visit_counted(void *context, const int64_t *found) {
  program_steps *s = context;
  const clause *c = &s->all->clauses.at[s->clause];
  const clause_way *w = &s->ways[s->clause];
  number_vector values = {0}, derived = {0};
  for (size_t i = 0; i < w->unknown.count; i++) s->assignment.at[w->unknown.at[i].x] = number_of(found[i]);
  for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(values, s->assignment.at[c->variables.at[i].x]);
  for (size_t i = 0; i < c->head_arguments.count; i++)
    VECTOR_PUSH(derived, term_evaluate(s->ts, c->head_arguments.at[i], s->assignment.at));
  s->was_stopped = !s->visit(s->context, s->clause, &values, &derived);
  VECTOR_FREE(values);
  VECTOR_FREE(derived);
  return !s->was_stopped;
}

static enumeration count_out(program_steps *s, clause_way *w, const index_vector *frame) {
  size_t next = 0;
  bool fits = true;
  int64_t *words = MEMORY_ARRAY(int64_t, w->known.count + 1);
  const variable_vector *variables = &s->all->clauses.at[s->clause].variables;
  while (s->assignment.count < variable_count(s->ts)) VECTOR_PUSH(s->assignment, number_of(0));
  for (size_t i = 0; i < variables->count; i++) s->assignment.at[variables->at[i].x] = w->fixed.at[i];
  for (size_t i = 0; i < frame->count; i++) {
    const number_vector *values = values_of(s, frame->at[i]);
    for (size_t j = 0; j < values->count; j++, next++) {
      fits = fits && number_to_int64(values->at[j], &words[next]);
      s->assignment.at[w->known.at[next].x] = values->at[j];
    }
  }
  enumeration_limits limits = {.all = MOST_COUNTED, .some = frame->count ? SOME_INPUTS : s->starts};
  enumeration result = {.end = ENUMERATION_TOO_LARGE};
  if (fits) result = enumerator_run(w->counts, words, limits, s->budget, visit_counted, s);
  memory_free(words);
  return result;
}

static bool fits_frame(const program_steps *s, const clause *c, const index_vector *frame) {
  if (c->body.count != frame->count) return false;
  for (size_t i = 0; i < frame->count; i++)
    if (c->body.at[i].predicate != s->known->list.at[frame->at[i]].predicate) return false;
  return true;
}

enumeration program_steps_take(program_steps *s, const index_vector *frame, program_visitor *visit, void *context) {
  size_t first = frame->count ? s->known->list.at[frame->at[0]].predicate : s->all->predicates.count;
  enumeration all = {.end = ENUMERATION_ALL};
  s->visit = visit;
  s->context = context;
  s->was_stopped = false;
  for (size_t i = 0; i < s->starting[first].count && !s->was_stopped; i++) {
    s->clause = s->starting[first].at[i];
    if (!fits_frame(s, &s->all->clauses.at[s->clause], frame)) continue;
    clause_way *w = way_of(s, s->clause);
    enumeration result = {.end = ENUMERATION_ALL};
    if (w->is_whole)
      compute(s, w, frame);
    else
      result = count_out(s, w, frame);
    if (all.end == ENUMERATION_ALL) all = result;
  }
  return all;
}

char *program_steps_gap(const program_steps *s, const enumeration *result) {
  if (result->end == ENUMERATION_TOO_LARGE) return memory_copy_string("values beyond 64 bits");
  if (result->end != ENUMERATION_UNBOUNDED)
    return memory_copy_string("not all values can be tried: there are too many");
  char *name = clause_variable_name(s->ts, result->blame),
       *gap = text_format("not all values of %s can be tried: it has no bound", name);
  memory_free(name);
  return gap;
}
