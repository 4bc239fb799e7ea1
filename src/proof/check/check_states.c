/* A listed set of states is accepted when every initial state is in it, every step from a state in it leads into it,
 * and none in it breaks the property. Each state is visited and each step tried, with every value of its inputs; only
 * the first part asks a solver.
 *
 * The set may leave out variables: then it speaks of all their values. If an expression reads one and the solver
 * says that within the types its value makes no difference, some value of its type is put in (without_unlisted), and
 * that all steps keep to the types becomes an obligation. Other conjuncts that read them are taken to hold, which makes
 * more steps and more bad states than there are; if one of those is found, the checker is unsure. Values are 64-bit
 * words, every operation on them is checked, and what does not fit makes it unsure too.
 *
 * Two things make this fast. From one state to the next few values change: a condition is tested again only if one
 * that it reads has changed. And a step changes few values: that its result is in the set is known as soon as its way
 * through the diagram, from the first change on, meets the way of the state it came from. */
#include <stdlib.h>

#include "base/map.h"
#include "proof/check/checkers.h"
#include "proof/states_formula.h"
#include "proof/type_and_input_conditions.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* A condition over levels and inputs. */
typedef struct tested {
  condition *when;
  size_t depth; /* it reads levels before this one only */
  bool reads_inputs;
  bool is_loose; /* conjuncts were left out */
  int held;      /* when it was tested last, */
  uint64_t at;   /* in the state with this number, from 1 */
} tested;

typedef struct input_range {
  int64_t low, high;
} input_range;

typedef struct compiled_step {
  const transition *t;
  tested guard;
  VECTOR(tested) faults;
  VECTOR(input_range) inputs; /* those that something reads */
  code *values;               /* one output for each of: */
  VECTOR(uint32_t) assigned;  /* levels, ascending */
} compiled_step;

typedef struct checker {
  const model *m;
  const property *p;
  const diagram *d;
  budget *budget;
  questions *questions;
  check_result *result;
  bool uses_types;           /* what was put in for variables not listed is right within the types only */
  map *replaced;             /* term -> the one that without_unlisted made of it */
  substitution *some_values; /* of variables not listed */
  uint32_t *slots;           /* variable -> level, or the place of an input after them; NOT_LISTED */
  substitution *constants;   /* variables with one value in the whole set */
  VECTOR(compiled_step) steps;
  tested bad;     /* PROPERTY_SAFE */
  int64_t *words; /* values of the levels, then of inputs */
  int64_t *outputs;
  uint64_t visited; /* states, the one being visited included */
  uint64_t
      *changed;  /* changed[k]: the last state in which a level before k had another value than in the state before */
  bool may_move; /* of the state being visited: a step is taken, or may be if conjuncts were left out */
} checker;

#define NOT_LISTED UINT32_MAX

/* False, so that it can end a visit: there is no second word. */
static bool refuse(checker *c, check_kind kind, TAKE char *what) {
  assert(c->result->kind == CHECK_ACCEPTED);
  c->result->kind = kind;
  c->result->what = what;
  return false;
}

static bool refuse_size(checker *c, const char *where) {
  return refuse(c, CHECK_UNSURE, text_format("%s: values beyond 64 bits", where));
}

/* ---- preparing ---- */

static bool is_listed(const checker *c, variable v) { return c->slots[v.x] != NOT_LISTED; }

static bool reads_only_listed(const checker *c, term t, variable *other) {
  variable_vector all = {0};
  bool every = true;
  term_variables(c->m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count && every; i++) {
    every = is_listed(c, all.at[i]);
    if (!every && other) *other = all.at[i];
  }
  VECTOR_FREE(all);
  return every;
}

/* `t` without the conjuncts that read what is not listed. */
static term loosen(const checker *c, term t, bool *is_loose) {
  term_vector parts = {0}, kept = {0};
  term_conjuncts(c->m->terms, t, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    if (reads_only_listed(c, parts.at[i], NULL))
      VECTOR_PUSH(kept, parts.at[i]);
    else
      *is_loose = true;
  }
  term result = term_and_all(c->m->terms, kept.count, kept.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(kept);
  return result;
}

static void note_reads(const checker *c, term t, size_t *depth, bool *reads_inputs) {
  variable_vector all = {0};
  term_variables(c->m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++) {
    uint32_t slot = c->slots[all.at[i].x];
    if (slot >= c->d->levels.count)
      *reads_inputs = true;
    else if (slot >= *depth)
      *depth = slot + 1;
  }
  VECTOR_FREE(all);
}

static bool reads_unlisted_state(const checker *c, term t) {
  variable_vector all = {0};
  bool found = false;
  term_variables(c->m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count && !found; i++)
    found = model_is_state_variable(c->m, all.at[i]) && !is_listed(c, all.at[i]);
  VECTOR_FREE(all);
  return found;
}

/* `t`, evaluated with the inputs of `of` (NULL: none), with some value of its type for every variable not listed; `t`
 * itself if that may make a difference within the types. */
static term without_unlisted(checker *c, term t, const transition *of) {
  terms *ts = c->m->terms;
  uint64_t known;
  t = substitution_apply(c->constants, t);
  if (!reads_unlisted_state(c, t)) return t;
  if (map_get(c->replaced, t.x, &known)) return (term){(uint32_t)known};
  term other = substitution_apply(c->some_values, t), types = condition_types(c->m);
  if (of) types = term_and(ts, types, condition_input_types(c->m, of));
  c->result->queries++;
  bool is_same =
      answer_is_yes(solver_valid(questions_solver(c->questions), term_implies(ts, types, term_eq(ts, t, other))));
  c->uses_types |= is_same;
  term result = is_same ? other : t;
  map_set(c->replaced, t.x, result.x);
  return result;
}

static tested make_tested(checker *c, term t, const transition *of) {
  tested made = {0};
  t = loosen(c, without_unlisted(c, t, of), &made.is_loose);
  note_reads(c, t, &made.depth, &made.reads_inputs);
  made.when = condition_compile(c->m->terms, t, c->slots);
  return made;
}

/* Inputs that nothing reads are given no place. */
static bool place_inputs(checker *c, compiled_step *s, const term_vector *read) {
  const terms *ts = c->m->terms;
  for (size_t i = 0; i < s->t->inputs.count; i++) {
    variable v = s->t->inputs.at[i];
    const type *of = variable_type(ts, v);
    input_range r = {0, 1};
    bool matters = false;
    c->slots[v.x] = NOT_LISTED;
    for (size_t j = 0; j < read->count && !matters; j++) matters = term_mentions(ts, read->at[j], v);
    if (!matters) continue;
    if (!type_is_finite(of) ||
        (of->sort == SORT_INT && !(number_to_int64(of->low, &r.low) && number_to_int64(of->high, &r.high))))
      return refuse(
          c, CHECK_UNSURE,
          text_format("step %s: input %s has too many values to try them all", s->t->name, variable_shown(ts, v)));
    c->slots[v.x] = (uint32_t)(c->d->levels.count + s->inputs.count);
    VECTOR_PUSH(s->inputs, r);
  }
  return true;
}

static int by_level(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static bool compile_values(checker *c, compiled_step *s) {
  term_vector values = {0};
  variable other;
  bool fine = true;
  for (size_t i = 0; i < s->t->updates.count; i++)
    if (is_listed(c, s->t->updates.at[i].var)) VECTOR_PUSH(s->assigned, c->slots[s->t->updates.at[i].var.x]);
  if (s->assigned.count) qsort(s->assigned.at, s->assigned.count, sizeof *s->assigned.at, by_level);
  for (size_t i = 0; i < s->assigned.count && fine; i++) {
    variable v = c->d->levels.at[s->assigned.at[i]];
    term value = without_unlisted(c, transition_value_after(c->m, s->t, v), s->t);
    VECTOR_PUSH(values, value);
    fine = reads_only_listed(c, VECTOR_LAST(values), &other);
    if (!fine)
      refuse(c, CHECK_UNSURE,
             text_format("step %s: the new value of %s depends on %s, which the set does not list", s->t->name,
                         variable_shown(c->m->terms, v), variable_shown(c->m->terms, other)));
  }
  if (fine && values.count) s->values = code_compile(c->m->terms, values.count, values.at, c->slots);
  VECTOR_FREE(values);
  return fine;
}

/* Everything that a step reads once the constants are put in. */
static void collect_reads(checker *c, const transition *t, term_vector *out) {
  VECTOR_PUSH(*out, without_unlisted(c, t->guard, t));
  for (size_t i = 0; i < t->faults.count; i++) VECTOR_PUSH(*out, without_unlisted(c, t->faults.at[i].when, t));
  for (size_t i = 0; i < t->updates.count; i++)
    if (is_listed(c, t->updates.at[i].var)) VECTOR_PUSH(*out, without_unlisted(c, t->updates.at[i].value, t));
}

/* An input of an empty type has no value to be taken with. */
static bool has_empty_input(const checker *c, const transition *t) {
  for (size_t i = 0; i < t->inputs.count; i++) {
    const type *of = variable_type(c->m->terms, t->inputs.at[i]);
    if (type_is_finite(of) && type_size(of, 1) == 0) return true;
  }
  return false;
}

static bool compile_step(checker *c, const transition *t) {
  if (has_empty_input(c, t)) return true;
  term_vector read = {0};
  collect_reads(c, t, &read);
  bool cannot_be = term_is_false(read.at[0]);
  for (size_t i = 0; i < t->faults.count; i++) cannot_be = cannot_be && term_is_false(read.at[1 + i]);
  compiled_step s = {.t = t};
  bool fine = cannot_be || (place_inputs(c, &s, &read) && compile_values(c, &s));
  VECTOR_FREE(read);
  if (cannot_be) return true;
  if (fine) {
    s.guard = make_tested(c, t->guard, t);
    for (size_t i = 0; i < t->faults.count; i++) VECTOR_PUSH(s.faults, make_tested(c, t->faults.at[i].when, t));
  }
  VECTOR_PUSH(c->steps, s);
  return fine;
}

static void set_constants(checker *c) {
  const diagram *d = c->d;
  enum { NONE_YET, ONE, MANY };
  uint8_t *seen = MEMORY_ARRAY(uint8_t, d->levels.count + 1);
  int64_t *values = MEMORY_ARRAY(int64_t, d->levels.count + 1);
  for (size_t n = 1; n < d->nodes.count; n++) {
    const diagram_node *node = &d->nodes.at[n];
    const diagram_edge *e = &d->edges.at[node->first];
    bool is_one =
        node->count == 1 && e->low == e->high && (seen[node->level] == NONE_YET || values[node->level] == e->low);
    if (seen[node->level] != MANY) seen[node->level] = is_one ? ONE : MANY;
    values[node->level] = e->low;
  }
  for (size_t i = 0; i < d->levels.count; i++)
    if (seen[i] == ONE)
      substitution_set(c->constants, d->levels.at[i], states_formula_value(c->m->terms, d->levels.at[i], values[i]));
  memory_free(seen);
  memory_free(values);
}

static void set_some_values(checker *c) {
  terms *ts = c->m->terms;
  for (size_t i = 0; i < c->m->variables.count; i++) {
    variable v = c->m->variables.at[i].var;
    const type *of = variable_type(ts, v);
    number value = of->has_low ? of->low : of->has_high ? of->high : number_of(0);
    if (!is_listed(c, v) && of->sort != SORT_NODE)
      substitution_set(c->some_values, v, of->sort == SORT_BOOL ? TERM_FALSE : term_number(ts, value));
  }
}

/* Formulas about a boolean see two values, words more: a set with others would be larger as a formula than when it is
 * visited. */
static bool has_truth_values(checker *c) {
  const diagram *d = c->d;
  for (size_t n = 1; n < d->nodes.count; n++) {
    const diagram_node *node = &d->nodes.at[n];
    variable v = d->levels.at[node->level];
    if (variable_type(c->m->terms, v)->sort != SORT_BOOL) continue;
    if (d->edges.at[node->first].low < 0 || d->edges.at[node->first + node->count - 1].high > 1)
      return refuse(c, CHECK_REJECTED,
                    text_format("%s has a value that is neither true nor false", variable_shown(c->m->terms, v)));
  }
  return true;
}

static bool prepare(checker *c) {
  size_t inputs = 0, outputs = 0;
  size_t variables = variable_count(c->m->terms);
  c->slots = memory_alloc(variables * sizeof *c->slots);
  for (size_t i = 0; i < variables; i++) c->slots[i] = NOT_LISTED;
  for (size_t i = 0; i < c->d->levels.count; i++) c->slots[c->d->levels.at[i].x] = (uint32_t)i;
  c->constants = substitution_new(c->m->terms);
  set_constants(c);
  c->some_values = substitution_new(c->m->terms);
  c->replaced = map_new();
  set_some_values(c);
  bool fine = true;
  for (size_t i = 0; i < c->m->transitions.count && fine; i++) fine = compile_step(c, &c->m->transitions.at[i]);
  for (size_t i = 0; i < c->steps.count; i++) {
    if (c->steps.at[i].inputs.count > inputs) inputs = c->steps.at[i].inputs.count;
    if (c->steps.at[i].assigned.count > outputs) outputs = c->steps.at[i].assigned.count;
  }
  c->words = MEMORY_ARRAY(int64_t, c->d->levels.count + inputs);
  c->outputs = MEMORY_ARRAY(int64_t, outputs);
  c->changed = MEMORY_ARRAY(uint64_t, c->d->levels.count + 1);
  if (c->p->kind == PROPERTY_SAFE) c->bad = make_tested(c, c->p->bad, NULL);
  return fine;
}

static void checker_free(checker *c) {
  for (size_t i = 0; i < c->steps.count; i++) {
    compiled_step *s = &c->steps.at[i];
    condition_free(s->guard.when);
    for (size_t j = 0; j < s->faults.count; j++) condition_free(s->faults.at[j].when);
    VECTOR_FREE(s->faults);
    VECTOR_FREE(s->inputs);
    VECTOR_FREE(s->assigned);
    code_free(s->values);
  }
  VECTOR_FREE(c->steps);
  condition_free(c->bad.when);
  substitution_free(c->constants);
  substitution_free(c->some_values);
  map_free(c->replaced);
  memory_free(c->slots);
  memory_free(c->words);
  memory_free(c->outputs);
  memory_free(c->changed);
}

/* ---- one state ---- */

/* 1, 0, or -1. */
static int test(checker *c, tested *t) {
  if (!t->reads_inputs && t->at && t->at >= c->changed[t->depth]) return t->held;
  t->at = c->visited;
  return t->held = condition_holds(t->when, c->words);
}

static bool is_in_set_after(const checker *c, const compiled_step *s, const diagram_place *at) {
  size_t levels = c->d->levels.count, next = 0;
  if (!s->assigned.count) return true;
  size_t level = s->assigned.at[0];
  uint32_t node = at->path[level];
  for (; level < levels; level++) {
    if (next == s->assigned.count && node == at->path[level]) return true;
    int64_t value = c->words[level];
    if (next < s->assigned.count && s->assigned.at[next] == level) value = c->outputs[next++];
    const diagram_edge *e = diagram_follow(c->d, node, value);
    if (!e) return false;
    node = e->child;
  }
  return true;
}

/* A fault that holds, or NULL. `*is_fine` becomes false if the check is over. */
static const tested *find_fault(checker *c, compiled_step *s, bool *is_fine) {
  for (size_t i = 0; i < s->faults.count; i++) {
    tested *f = &s->faults.at[i];
    int fails = test(c, f);
    if (fails == 0) continue;
    if (fails < 0)
      *is_fine = refuse_size(c, s->t->name);
    else if (c->p->kind == PROPERTY_NO_FAULT)
      *is_fine = refuse(c, f->is_loose ? CHECK_UNSURE : CHECK_REJECTED,
                        text_format("excludes: step %s can fail: %s", s->t->name, s->t->faults.at[i].what));
    return f;
  }
  return NULL;
}

/* With the inputs as they are. `*moves` becomes true if the step is surely taken. */
static bool try_choice(checker *c, compiled_step *s, const diagram_place *at, bool *moves) {
  bool is_fine = true;
  const tested *fault = c->p->kind == PROPERTY_NO_FAULT ? find_fault(c, s, &is_fine) : NULL;
  if (!is_fine) return false;
  int holds = test(c, &s->guard);
  if (holds <= 0) return holds == 0 || refuse_size(c, s->t->name);
  if (c->p->kind != PROPERTY_NO_FAULT) fault = find_fault(c, s, &is_fine);
  if (!is_fine || (fault && !fault->is_loose)) return is_fine;
  if (s->values && code_run(s->values, c->words, c->outputs) != CODE_FINE) return refuse_size(c, s->t->name);
  bool is_loose = s->guard.is_loose || fault;
  c->may_move = true;
  *moves = *moves || !is_loose;
  if (is_in_set_after(c, s, at)) return true;
  return refuse(c, is_loose ? CHECK_UNSURE : CHECK_REJECTED,
                text_format("preserved: step %s leaves the set", s->t->name));
}

static bool next_choice(checker *c, const compiled_step *s) {
  int64_t *inputs = c->words + c->d->levels.count;
  for (size_t i = 0; i < s->inputs.count; i++) {
    if (inputs[i] < s->inputs.at[i].high) {
      inputs[i]++;
      return true;
    }
    inputs[i] = s->inputs.at[i].low;
  }
  return false;
}

static bool is_spent(checker *c) {
  const char *reason = budget_spent(c->budget);
  if (reason) refuse(c, CHECK_UNSURE, memory_copy_string(reason));
  return reason != NULL;
}

static bool try_step(checker *c, compiled_step *s, const diagram_place *at, bool *moves) {
  bool faults_matter = c->p->kind == PROPERTY_NO_FAULT && s->faults.count;
  if (!faults_matter && !s->guard.reads_inputs && test(c, &s->guard) == 0) return true;
  for (size_t i = 0; i < s->inputs.count; i++) c->words[c->d->levels.count + i] = s->inputs.at[i].low;
  do {
    if (!try_choice(c, s, at, moves)) return false;
    if (s->inputs.count && is_spent(c)) return false;
  } while (next_choice(c, s));
  return true;
}

static bool visit_state(void *context, const diagram_place *at) {
  checker *c = context;
  size_t levels = c->d->levels.count;
  bool moves = false;
  if (is_spent(c)) return false;
  c->visited++;
  c->may_move = false;
  for (size_t i = at->changed; i < levels; i++) {
    c->words[i] = at->values[i];
    c->changed[i + 1] = c->visited;
  }
  if (c->p->kind == PROPERTY_SAFE) {
    int bad = test(c, &c->bad);
    if (bad < 0) return refuse_size(c, "excludes");
    if (bad)
      return refuse(c, c->bad.is_loose ? CHECK_UNSURE : CHECK_REJECTED,
                    memory_copy_string("excludes: a bad state is in the set"));
  }
  for (size_t i = 0; i < c->steps.count; i++)
    if (!try_step(c, &c->steps.at[i], at, &moves)) return false;
  if (c->p->kind == PROPERTY_DEADLOCKFREE && !moves)
    return refuse(c, c->may_move ? CHECK_UNSURE : CHECK_REJECTED,
                  memory_copy_string("excludes: a state without a step is in the set"));
  c->result->obligations++;
  return true;
}

/* ---- the whole ---- */

static bool prove(checker *c, term t, check_kind otherwise, TAKE char *what) {
  answer a = solver_valid(questions_solver(c->questions), t);
  c->result->queries++;
  c->result->obligations++;
  if (answer_is_no(a)) return refuse(c, otherwise, what);
  if (answer_is_unsure(a)) refuse(c, CHECK_UNSURE, text_format("%s: %s", what, a.reason));
  memory_free(what);
  return answer_is_yes(a);
}

/* Every reachable state is within the types, whatever the set is. */
static bool prove_types(checker *c) {
  terms *ts = c->m->terms;
  term types = condition_types(c->m);
  if (!prove(c, term_implies(ts, c->m->init, types), CHECK_UNSURE, memory_copy_string("initial types"))) return false;
  for (size_t i = 0; i < c->m->transitions.count; i++) {
    const transition *t = &c->m->transitions.at[i];
    term before[] = {types, condition_input_types(c->m, t), transition_enabled(c->m, t)};
    term kept = term_implies(ts, term_and_all(ts, ARRAY_LENGTH(before), before), condition_types_after(c->m, t));
    if (is_spent(c) || !prove(c, kept, CHECK_UNSURE, text_format("types preserved by %s", t->name))) return false;
  }
  return true;
}

void check_states(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  checker c = {.m = m, .p = p, .d = e->states, .budget = q->budget, .questions = q, .result = result};
  if (has_truth_values(&c) && prepare(&c) && diagram_visit(c.d, visit_state, &c) && (!c.uses_types || prove_types(&c)))
    prove(&c, term_implies(m->terms, m->init, states_formula_where_initial(m, c.d)), CHECK_REJECTED,
          memory_copy_string("initial: an initial state is not in the set"));
  checker_free(&c);
}
