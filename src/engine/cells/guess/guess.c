/* Guesses, and whether they are inductive: as long as a rule leads from points at which all hold to one at which one does
 * not, that point is added, and the guess goes or becomes weaker. */
#include "engine/cells/guess/guess.h"

#include "base/random.h"
#include "base/work.h"
#include "engine/cells/guess/guesses.h"
#include "engine/clause_walk.h"
#include "term/array_value.h"
#include "term/substitute.h"

enum { RUNS = 150, STEPS_OF_RUN = 120, SIZES = 6, FACTS_OF_RELATION = 300, INDICES_OF_FACT = 9 };

/* What is guessed, one after the other. */
typedef struct guess_round {
  size_t cells;
  bool with_all;
} guess_round;
static const guess_round rounds[] = {{1, false}, {1, true}, {2, false}, {2, true}};
enum { ROUNDS = sizeof rounds / sizeof *rounds };

struct guess_run {
  cell_problem own_cells, *cells; /* the second is the first */
  terms *ts;
  term_classes *classes;
  clause_walk *walk;
  solver *solver;
  substitution *substitution;
  guesses *of;                 /* by predicate */
  VECTOR(term_vector) facts;   /* by predicate: proved, without cells */
  VECTOR(term_vector) lemmas;  /* by predicate: proved about one cell, over the relation with one cell */
  VECTOR(variable_vector) own; /* by predicate: the elements of that relation */
  size_t round;
  enum { ROUND_BEGINS, ROUND_HAS_FACTS, ROUND_HAS_GOALS } stage;
  bool has_walked;
  uint64_t ends_at;     /* the work of this call */
  VECTOR(bool) is_open; /* by rule: it may refute guesses */
  term_vector interpretation;
  guess_counts counts;
  const char *unsure;
};

guess_run *guess_run_new(engine_environment *env) {
  guess_run *r = MEMORY_NEW(guess_run);
  terms *ts = env->model->terms;
  const clauses *all = env->model->clauses;
  *r = (guess_run){.own_cells = {.env = env, .ts = ts, .all_pairs = true}, .ts = ts};
  r->cells = &r->own_cells;
  r->classes = term_classes_new(ts, all, env->property);
  r->walk = clause_walk_new(ts, all, env->property, env->budget);
  r->solver = solver_new(ts, env->budget);
  r->substitution = substitution_new(ts);
  for (size_t i = 0; i < all->predicates.count; i++) {
    VECTOR_PUSH(r->facts, (term_vector){0});
    VECTOR_PUSH(r->lemmas, (term_vector){0});
    VECTOR_PUSH(r->own, (variable_vector){0});
  }
  return r;
}

static void close_guesses(guess_run *r) {
  for (size_t i = 0; i < r->facts.count && r->of; i++) guesses_close(&r->of[i]);
  memory_free(r->of);
  r->of = NULL;
}

void guess_run_free(guess_run *r) {
  if (!r) return;
  close_guesses(r);
  for (size_t i = 0; i < r->facts.count; i++) {
    VECTOR_FREE(r->facts.at[i]);
    VECTOR_FREE(r->lemmas.at[i]);
    VECTOR_FREE(r->own.at[i]);
  }
  VECTOR_FREE(r->facts);
  VECTOR_FREE(r->lemmas);
  VECTOR_FREE(r->own);
  VECTOR_FREE(r->is_open);
  VECTOR_FREE(r->interpretation);
  cells_clear_problem(r->cells);
  VECTOR_FREE(r->own_cells.predicates);
  VECTOR_FREE(r->own_cells.indices);
  VECTOR_FREE(r->own_cells.sought);
  term_classes_free(r->classes);
  clause_walk_free(r->walk);
  solver_free(r->solver);
  substitution_free(r->substitution);
  memory_free(r);
}

const term_vector *guess_run_interpretation(const guess_run *r, const variable **indices, size_t *count) {
  *indices = r->cells->indices.at;
  *count = r->cells->count;
  return &r->interpretation;
}

guess_counts guess_run_counts(const guess_run *r) { return r->counts; }

/* ---- points of runs ---- */

static bool walk(guess_run *r) {
  for (size_t i = 0; i < RUNS && !budget_spent(r->cells->env->budget); i++)
    if (clause_walk_run(r->walk, 1 + i % SIZES, STEPS_OF_RUN) == WALK_FOUND) return false;
  return !budget_spent(r->cells->env->budget);
}

static void add_number(number_vector *to, number n) {
  for (size_t i = 0; i < to->count; i++)
    if (number_equal(to->at[i], n)) return;
  if (to->count < INDICES_OF_FACT) VECTOR_PUSH(*to, n);
}

/* Indices at which something may be seen: around the integers of the fact. */
static void find_indices(const guess_run *r, const clause_predicate *p, const fact *f, number_vector *out) {
  for (int around = 0; around < 3; around++) {
    int64_t offset = around == 2 ? -1 : around;
    add_number(out, number_of(offset));
    for (size_t i = 0; i < f->values.count; i++)
      if (variable_type(r->ts, p->parameters.at[i])->sort == SORT_INT)
        add_number(out, number_add(f->values.at[i], number_of(offset)));
  }
  for (int64_t i = 0; i < INDICES_OF_FACT; i++) add_number(out, number_of(i));
}

static void add_point(guess_run *r, uint32_t predicate, const fact *f, const number *indices) {
  const cell_predicate *p = &r->cells->predicates.at[predicate];
  number_vector values = {0};
  for (size_t i = 0; i < p->scalars.count; i++) VECTOR_PUSH(values, f->values.at[p->scalars.at[i]]);
  for (size_t i = 0; i < r->cells->count && p->arrays.count; i++) {
    VECTOR_PUSH(values, indices[i]);
    for (size_t j = 0; j < p->arrays.count; j++)
      VECTOR_PUSH(values, array_value_at(r->ts, f->values.at[p->arrays.at[j]], indices[i]));
  }
  guesses_add_point(&r->of[predicate], values.at);
  VECTOR_FREE(values);
}

static void add_points_of_fact(guess_run *r, uint32_t predicate, const fact *f) {
  const clause_predicate *p = &r->cells->env->model->clauses->predicates.at[predicate];
  bool has_arrays = r->cells->predicates.at[predicate].arrays.count > 0;
  number_vector indices = {0};
  find_indices(r, p, f, &indices);
  size_t first = has_arrays ? indices.count : 1, second = has_arrays && r->cells->count > 1 ? indices.count : 1;
  for (size_t i = 0; i < first; i++)
    for (size_t j = 0; j < second; j++) add_point(r, predicate, f, (number[]){indices.at[i], indices.at[j]});
  VECTOR_FREE(indices);
}

static void add_points(guess_run *r, uint32_t predicate) {
  const ground_facts *known = clause_walk_facts(r->walk);
  const index_vector *of = &known->of_predicate[predicate];
  size_t stride = of->count / FACTS_OF_RELATION + 1;
  for (size_t i = 0; i < of->count && !budget_spent(r->cells->env->budget); i += stride)
    add_points_of_fact(r, predicate, &known->list.at[of->at[i]]);
}

/* ---- questions ---- */

static void set_atom(guess_run *r, const horn_atom *a) {
  const variable_vector *parameters = &r->cells->problem.relations.at[a->relation].parameters;
  substitution_clear(r->substitution);
  for (size_t i = 0; i < parameters->count; i++)
    substitution_set(r->substitution, parameters->at[i], a->arguments.at[i]);
}

/* What was proved about one cell, of each cell of the atom. */
static void add_lemmas(guess_run *r, const horn_atom *a, term_vector *out) {
  const cell_predicate *p = &r->cells->predicates.at[a->relation];
  const variable_vector *own = &r->own.at[a->relation];
  size_t at = p->scalars.count;
  set_atom(r, a);
  for (size_t cell = 0; cell < r->cells->count; cell++, at += 1 + p->arrays.count) {
    substitution_set(r->substitution, r->cells->indices.at[0], a->arguments.at[at]);
    for (size_t i = 0; i < own->count; i++) substitution_set(r->substitution, own->at[i], a->arguments.at[at + 1 + i]);
    for (size_t i = 0; i < r->lemmas.at[a->relation].count; i++)
      VECTOR_PUSH(*out, substitution_apply(r->substitution, r->lemmas.at[a->relation].at[i]));
  }
}

static void add_guesses_of(guess_run *r, const horn_atom *a, term_vector *out) {
  const guesses *g = &r->of[a->relation];
  set_atom(r, a);
  for (size_t i = 0; i < g->list.count; i++)
    VECTOR_PUSH(*out, substitution_apply(r->substitution, g->list.at[i].formula));
}

static void assert_body(guess_run *r, const horn_rule *rule) {
  term_vector parts = {0};
  VECTOR_PUSH(parts, rule->constraint);
  for (size_t i = 0; i < rule->body.count; i++) {
    add_guesses_of(r, &rule->body.at[i], &parts);
    if (r->lemmas.at[rule->body.at[i].relation].count) add_lemmas(r, &rule->body.at[i], &parts);
  }
  solver_assert(r->solver, term_and_all(r->ts, parts.count, parts.at));
  VECTOR_FREE(parts);
}

static bool is_query(const guess_run *r, const horn_rule *rule) {
  return rule->head.relation == r->cells->problem.query;
}

/* Guesses about the head changed: rules that use them are asked again. */
static void open_rules_from(guess_run *r, uint32_t relation) {
  for (size_t i = 0; i < r->is_open.count; i++) {
    const horn_rule *rule = &r->cells->problem.rules.at[i];
    for (size_t j = 0; j < rule->body.count; j++)
      if (rule->body.at[j].relation == relation && !is_query(r, rule)) r->is_open.at[i] = true;
  }
}

/* The point that the solver has found the head at. */
static void take_point(guess_run *r, const horn_rule *rule) {
  number *assignment = MEMORY_ARRAY(number, variable_count(r->ts) + 1);
  number_vector values = {0};
  for (size_t i = 0; i < rule->variables.count; i++)
    assignment[rule->variables.at[i].x] = solver_value(r->solver, rule->variables.at[i]);
  for (size_t i = 0; i < rule->head.arguments.count; i++)
    VECTOR_PUSH(values, term_evaluate(r->ts, rule->head.arguments.at[i], assignment));
  if (!guesses_add_point(&r->of[rule->head.relation], values.at)) r->unsure = "a point that refutes nothing";
  r->counts.refuted++;
  VECTOR_FREE(values);
  memory_free(assignment);
}

/* Takes away what the rule refutes. */
static void ask_rule(guess_run *r, size_t number) {
  const horn_rule *rule = &r->cells->problem.rules.at[number];
  bool changed = false, goes_on = true;
  solver_push(r->solver);
  assert_body(r, rule);
  while (goes_on && !r->unsure && work_done() < r->ends_at) {
    term_vector head = {0};
    add_guesses_of(r, &rule->head, &head);
    term all = term_and_all(r->ts, head.count, head.at);
    VECTOR_FREE(head);
    if (term_is_true(all)) break;
    solver_push(r->solver);
    solver_assert(r->solver, term_not(all));
    answer a = solver_check(r->solver, 0);
    goes_on = answer_is_yes(a);
    if (goes_on) take_point(r, rule);
    if (answer_is_unsure(a)) r->unsure = a.reason;
    changed |= goes_on;
    solver_pop(r->solver);
  }
  solver_pop(r->solver);
  r->is_open.at[number] = goes_on && !r->unsure && work_done() >= r->ends_at;
  if (changed) open_rules_from(r, rule->head.relation);
}

static void open_all_rules(guess_run *r) {
  VECTOR_CLEAR(r->is_open);
  for (size_t i = 0; i < r->cells->problem.rules.count; i++)
    VECTOR_PUSH(r->is_open, !is_query(r, &r->cells->problem.rules.at[i]));
}

static bool has_open_rules(const guess_run *r) {
  for (size_t i = 0; i < r->is_open.count; i++)
    if (r->is_open.at[i]) return true;
  return false;
}

/* If no rule is open afterwards and the solver was sure, what is left is inductive. */
static void make_inductive(guess_run *r) {
  while (has_open_rules(r) && !r->unsure && work_done() < r->ends_at)
    for (size_t i = 0; i < r->is_open.count && !r->unsure && work_done() < r->ends_at; i++) {
      if (budget_spent(r->cells->env->budget)) r->unsure = "the budget is spent";
      if (r->is_open.at[i] && !r->unsure) ask_rule(r, i);
    }
}

static bool queries_are_refuted(guess_run *r) {
  for (size_t i = 0; i < r->cells->problem.rules.count; i++) {
    const horn_rule *rule = &r->cells->problem.rules.at[i];
    if (!is_query(r, rule)) continue;
    solver_push(r->solver);
    assert_body(r, rule);
    bool refuted = answer_is_no(solver_check(r->solver, 0));
    solver_pop(r->solver);
    if (!refuted) return false;
  }
  return true;
}

/* ---- rounds ---- */

static size_t count_guesses(const guess_run *r) {
  size_t count = 0;
  for (size_t i = 0; i < r->facts.count; i++) count += r->of[i].list.count;
  return count;
}

static void open_guesses(guess_run *r) {
  r->of = MEMORY_ARRAY(guesses, r->facts.count + 1);
  for (uint32_t i = 0; i < r->facts.count; i++) {
    guess_words words = {0};
    guess_words_make(r->cells, r->classes, i, rounds[r->round].with_all, &words);
    guesses_open(&r->of[i], r->ts, words, &r->cells->problem.relations.at[i].parameters);
    add_points(r, i);
    if (r->of[i].points.count) guesses_make_facts(&r->of[i]);
  }
}

/* Facts that were proved in an earlier round are true; others were refuted. */
static void keep_proved_facts(guess_run *r, uint32_t predicate) {
  guesses *g = &r->of[predicate];
  size_t kept = 0;
  for (size_t i = 0; i < g->list.count; i++)
    for (size_t j = 0; j < r->facts.at[predicate].count; j++)
      if (term_same(g->list.at[i].formula, r->facts.at[predicate].at[j])) {
        g->list.at[kept++] = g->list.at[i];
        break;
      }
  g->list.count = kept;
}

static void note_facts(guess_run *r) {
  for (size_t i = 0; i < r->facts.count; i++)
    for (size_t j = 0; j < r->of[i].list.count; j++) VECTOR_PUSH(r->facts.at[i], r->of[i].list.at[j].formula);
}

static bool is_about_one_cell(const guess_run *r, uint32_t predicate, const guess *g) {
  return g->goal != NO_GOAL && r->of[predicate].words.kinds.at[g->goal] == GOAL_OF_ONE;
}

/* Over the elements of the first relation with cells that there was. */
static void note_lemmas(guess_run *r) {
  for (uint32_t i = 0; i < r->facts.count; i++) {
    const variable_vector *values = &r->cells->predicates.at[i].values;
    if (!r->own.at[i].count && values->count) VECTOR_COPY(r->own.at[i], *values);
    substitution_clear(r->substitution);
    for (size_t j = 0; j < r->own.at[i].count; j++)
      substitution_set(r->substitution, values->at[j], term_of_variable(r->ts, r->own.at[i].at[j]));
    for (size_t j = 0; j < r->of[i].list.count; j++)
      if (is_about_one_cell(r, i, &r->of[i].list.at[j]))
        VECTOR_PUSH(r->lemmas.at[i], substitution_apply(r->substitution, r->of[i].list.at[j].formula));
  }
}

/* ---- what a proof needs ---- */

/* Guesses and lemmas of all predicates go by numbers: `first` of a predicate is that of its first guess; its lemmas
 * follow. */
typedef struct needs {
  VECTOR(uint32_t) first;
  VECTOR(bool) is_needed, is_done;
} needs;

/* Of the atom, by number from `first` on; of a lemma, for each cell of the atom. */
static void assert_named(guess_run *r, const needs *n, const horn_atom *a) {
  const guesses *g = &r->of[a->relation];
  size_t lemmas = r->lemmas.at[a->relation].count;
  uint32_t first = n->first.at[a->relation];
  term_vector parts = {0};
  add_guesses_of(r, a, &parts);
  if (lemmas) add_lemmas(r, a, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    size_t of_lemma = i < g->list.count ? i : g->list.count + (i - g->list.count) % lemmas;
    solver_assert_named(r->solver, parts.at[i], first + (uint32_t)of_lemma);
  }
  VECTOR_FREE(parts);
}

/* What is needed of the head and was not looked at so far; of lemmas at its first cell. */
static term new_needs(guess_run *r, const needs *n, const horn_atom *head) {
  size_t count = r->of[head->relation].list.count + r->lemmas.at[head->relation].count;
  term_vector parts = {0}, needed = {0};
  add_guesses_of(r, head, &parts);
  if (r->lemmas.at[head->relation].count) add_lemmas(r, head, &parts);
  for (size_t i = 0; i < count; i++) {
    size_t number = n->first.at[head->relation] + i;
    if (n->is_needed.at[number] && !n->is_done.at[number]) VECTOR_PUSH(needed, parts.at[i]);
  }
  term all = term_and_all(r->ts, needed.count, needed.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(needed);
  return all;
}

/* Marks what the rule needs to lead to `head` alone. False if the solver does not say. */
static bool mark_needs(guess_run *r, needs *n, const horn_rule *rule, term head) {
  core_names core = {0};
  if (term_is_true(head)) return true;
  solver_push(r->solver);
  solver_assert(r->solver, term_and(r->ts, rule->constraint, term_not(head)));
  for (size_t i = 0; i < rule->body.count; i++) assert_named(r, n, &rule->body.at[i]);
  bool fine = answer_is_no(solver_check(r->solver, 0));
  if (fine) solver_core(r->solver, &core);
  for (size_t i = 0; i < core.count; i++) n->is_needed.at[core.at[i]] = true;
  solver_pop(r->solver);
  VECTOR_FREE(core);
  return fine;
}

static bool mark_needs_of_relation(guess_run *r, needs *n, uint32_t relation) {
  uint32_t first = n->first.at[relation], end = n->first.at[relation + 1];
  VECTOR(bool) before = {0};
  bool fine = true;
  for (uint32_t i = first; i < end; i++) VECTOR_PUSH(before, n->is_needed.at[i]);
  for (size_t i = 0; i < r->cells->problem.rules.count && fine; i++) {
    const horn_rule *rule = &r->cells->problem.rules.at[i];
    if (rule->head.relation == relation) fine = mark_needs(r, n, rule, new_needs(r, n, &rule->head));
  }
  for (uint32_t i = first; i < end; i++) n->is_done.at[i] |= before.at[i - first];
  VECTOR_FREE(before);
  return fine;
}

static bool has_new_needs(const needs *n, uint32_t relation) {
  for (uint32_t i = n->first.at[relation]; i < n->first.at[relation + 1]; i++)
    if (n->is_needed.at[i] && !n->is_done.at[i]) return true;
  return false;
}

/* From the queries backwards. If the solver is ever unsure, all is needed. */
static void find_needs(guess_run *r, needs *n) {
  bool fine = true, more = true;
  for (size_t i = 0; i < r->cells->problem.rules.count && fine; i++) {
    const horn_rule *rule = &r->cells->problem.rules.at[i];
    if (is_query(r, rule)) fine = mark_needs(r, n, rule, TERM_FALSE);
  }
  while (more && fine) {
    more = false;
    for (uint32_t i = 0; i < r->facts.count && fine; i++) {
      if (!has_new_needs(n, i)) continue;
      more = true;
      fine = mark_needs_of_relation(r, n, i);
    }
  }
  for (size_t i = 0; i < n->is_needed.count && !fine; i++) n->is_needed.at[i] = true;
}

static void interpret_predicate(guess_run *r, const needs *n, uint32_t predicate) {
  term_vector parts = {0};
  size_t kept = 0, count = r->of[predicate].list.count + r->lemmas.at[predicate].count;
  horn_atom own = {.relation = predicate};
  const variable_vector *parameters = &r->cells->problem.relations.at[predicate].parameters;
  for (size_t j = 0; j < parameters->count; j++) VECTOR_PUSH(own.arguments, term_of_variable(r->ts, parameters->at[j]));
  add_guesses_of(r, &own, &parts);
  if (r->lemmas.at[predicate].count) add_lemmas(r, &own, &parts);
  for (size_t i = 0; i < count; i++)
    if (n->is_needed.at[n->first.at[predicate] + i]) parts.at[kept++] = parts.at[i];
  VECTOR_PUSH(r->interpretation, cells_formula(r->cells, predicate, term_and_all(r->ts, kept, parts.at)));
  VECTOR_FREE(parts);
  VECTOR_FREE(own.arguments);
}

static void interpret(guess_run *r) {
  needs n = {0};
  uint32_t next = 0;
  for (size_t i = 0; i < r->facts.count; i++) {
    VECTOR_PUSH(n.first, next);
    next += (uint32_t)(r->of[i].list.count + r->lemmas.at[i].count);
  }
  VECTOR_PUSH(n.first, next);
  for (uint32_t i = 0; i < next; i++) {
    VECTOR_PUSH(n.is_needed, false);
    VECTOR_PUSH(n.is_done, false);
  }
  find_needs(r, &n);
  for (uint32_t i = 0; i < r->facts.count; i++) interpret_predicate(r, &n, i);
  VECTOR_FREE(n.first);
  VECTOR_FREE(n.is_needed);
  VECTOR_FREE(n.is_done);
}

/* Facts alone, which are proved in the first round. */
static bool begin_round(guess_run *r) {
  close_guesses(r);
  cells_clear_problem(r->cells);
  if (!r->round || rounds[r->round - 1].cells != rounds[r->round].cells) r->counts = (guess_counts){0};
  r->counts.cells = r->cells->count = rounds[r->round].cells;
  if (!cells_make_problem(r->cells)) return false;
  open_guesses(r);
  r->counts.guessed += count_guesses(r);
  for (uint32_t i = 0; i < r->facts.count && r->round; i++) keep_proved_facts(r, i);
  open_all_rules(r);
  r->stage = ROUND_HAS_FACTS;
  return true;
}

/* What may hold of cells, if the facts do. */
static void take_goals(guess_run *r) {
  size_t before = count_guesses(r);
  if (!r->round) note_facts(r);
  for (size_t i = 0; i < r->facts.count; i++) guesses_make_of_goals(&r->of[i], r->cells->env->budget);
  r->counts.guessed += count_guesses(r) - before;
  open_all_rules(r);
  r->stage = ROUND_HAS_GOALS;
}

static guess_end end_round(guess_run *r) {
  r->counts.kept = count_guesses(r);
  if (queries_are_refuted(r)) {
    interpret(r);
    return GUESS_PROVED;
  }
  note_lemmas(r);
  r->stage = ROUND_BEGINS;
  r->round++;
  return r->round == ROUNDS || rounds[r->round].cells != r->cells->count ? GUESS_MORE : GUESS_PAUSED;
}

static guess_end go_on(guess_run *r) {
  if (r->stage == ROUND_BEGINS && !begin_round(r)) return GUESS_NONE;
  if (r->stage == ROUND_HAS_FACTS) make_inductive(r);
  if (r->stage == ROUND_HAS_FACTS && !r->unsure && !has_open_rules(r)) take_goals(r);
  if (r->stage == ROUND_HAS_GOALS) make_inductive(r);
  if (r->unsure) return GUESS_NONE;
  return r->stage == ROUND_HAS_GOALS && !has_open_rules(r) ? end_round(r) : GUESS_PAUSED;
}

guess_end guess_run_go_on(guess_run *r, uint64_t work) {
  guess_end end = GUESS_PAUSED;
  r->ends_at = work_done() + work;
  if (r->round == ROUNDS || (!r->has_walked && !walk(r))) return GUESS_NONE;
  r->has_walked = true;
  while (end == GUESS_PAUSED && work_done() < r->ends_at) end = go_on(r);
  return end;
}
