/* Rounds of guesses: concrete points, then formulas without cells, then with them.
 *
 *   classes.c     what is compared with what
 *   words.c       what guesses are made of
 *   guesses.c     those that hold at all points
 *   questions.c   those that are inductive
 *   needs.c       those that a proof needs
 *   here          the rounds */
#include "base/work.h"
#include "engine/cells/guess/inside.h"
#include "term/array_value.h"

/* RUNS and FACTS_OF_RELATION: four times as many with each further effort. */
enum { RUNS = 150, STEPS_OF_RUN = 120, SIZES = 6, FACTS_OF_RELATION = 300, INDICES_OF_FACT = 9, POINTS_OF_FACT = 200 };

/* What is guessed, one after the other. */
typedef struct guess_round {
  size_t cells;
  bool with_all;
} guess_round;
static const guess_round rounds[] = {{1, false}, {1, true}, {2, false}, {2, true}, {3, false}, {3, true}};
enum { ROUNDS = sizeof rounds / sizeof *rounds };

guess_run *guess_run_new(engine_environment *env, unsigned effort) {
  guess_run *r = MEMORY_NEW(guess_run);
  terms *ts = env->model->terms;
  const clauses *all = env->model->clauses;
  *r = (guess_run){.own_cells = {.env = env, .ts = ts, .all_pairs = true}, .ts = ts, .effort = effort};
  r->cells = &r->own_cells;
  r->most = MOST_INDICES / cells_depth(ts, all);
  if (r->most > 2) r->most = 2;
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

void guess_run_allow(guess_run *r, size_t cells) {
  size_t most = MOST_INDICES / cells_depth(r->ts, r->cells->env->model->clauses);
  if (cells > r->most && cells <= most && cells <= MOST_CELLS) r->most = cells;
}

/* All that is allowed was tried. */
static bool is_done(const guess_run *r) { return r->round == ROUNDS || rounds[r->round].cells > r->most; }

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
  *count = r->cells->count * r->cells->depth;
  return &r->interpretation;
}

guess_counts guess_run_counts(const guess_run *r) { return r->counts; }

bool guess_run_saw_all(const guess_run *r) {
  for (size_t i = 0; i < r->facts.count; i++)
    if (!clause_walk_facts(r->walk)->of_predicate[i].count) return false;
  return r->has_walked;
}

/* ---- points of runs ---- */

static bool walk(guess_run *r) {
  for (size_t i = 0; i < (size_t)RUNS << 2 * r->effort && !budget_spent(r->cells->env->budget); i++)
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
    const number *of_cell = indices + i * r->cells->depth;
    for (size_t j = 0; j < r->cells->depth; j++) VECTOR_PUSH(values, of_cell[j]);
    for (size_t j = 0; j < p->places.count; j++) {
      cell_place at = p->places.at[j];
      number value = f->values.at[at.parameter];
      for (size_t k = 0; k < at.count; k++) value = array_value_at(r->ts, value, of_cell[at.first + k]);
      VECTOR_PUSH(values, value);
    }
  }
  guesses_add_point(&r->of[predicate], values.at);
  VECTOR_FREE(values);
}

/* Of many tuples only some are taken, so far apart that all indices are among them. */
static size_t step_through(size_t all) {
  size_t step = all / POINTS_OF_FACT;
  while (step > 1 && (step % 2 == 0 || step % 3 == 0 || step % 5 == 0 || step % 7 == 0)) step++;
  return step ? step : 1;
}

static void add_points_of_fact(guess_run *r, uint32_t predicate, const fact *f) {
  const clause_predicate *p = &r->cells->env->model->clauses->predicates.at[predicate];
  bool has_arrays = r->cells->predicates.at[predicate].arrays.count > 0;
  number_vector indices = {0};
  find_indices(r, p, f, &indices);
  size_t count = has_arrays ? r->cells->count * r->cells->depth : 0, all = 1;
  for (size_t i = 0; i < count; i++) all *= indices.count;
  for (size_t n = 0; n < all; n += step_through(all)) {
    number tuple[MOST_INDICES] = {{0}};
    size_t rest = n;
    for (size_t i = count; i-- > 0; rest /= indices.count) tuple[i] = indices.at[rest % indices.count];
    add_point(r, predicate, f, tuple);
  }
  VECTOR_FREE(indices);
}

static void add_points(guess_run *r, uint32_t predicate) {
  const ground_facts *known = clause_walk_facts(r->walk);
  const index_vector *of = &known->of_predicate[predicate];
  size_t stride = of->count / ((size_t)FACTS_OF_RELATION << 2 * r->effort) + 1;
  for (size_t i = 0; i < of->count && !budget_spent(r->cells->env->budget); i += stride)
    add_points_of_fact(r, predicate, &known->list.at[of->at[i]]);
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
  guess_open_rules(r);
  r->stage = ROUND_HAS_FACTS;
  return true;
}

/* What may hold of cells, if the facts do. */
static void take_goals(guess_run *r) {
  size_t before = count_guesses(r);
  if (!r->round) note_facts(r);
  for (size_t i = 0; i < r->facts.count; i++) guesses_make_of_goals(&r->of[i], r->cells->env->budget);
  r->counts.guessed += count_guesses(r) - before;
  guess_open_rules(r);
  r->stage = ROUND_HAS_GOALS;
}

static guess_end end_round(guess_run *r) {
  r->counts.kept = count_guesses(r);
  if (guess_refutes_queries(r)) {
    guess_interpret(r);
    return GUESS_PROVED;
  }
  note_lemmas(r);
  r->stage = ROUND_BEGINS;
  r->round++;
  return is_done(r) || rounds[r->round].cells != r->cells->count ? GUESS_MORE : GUESS_PAUSED;
}

static guess_end go_on(guess_run *r) {
  if (r->stage == ROUND_BEGINS && !begin_round(r)) return GUESS_NONE;
  if (r->stage == ROUND_HAS_FACTS) guess_make_inductive(r);
  if (r->stage == ROUND_HAS_FACTS && !r->unsure && !guess_has_open_rules(r)) take_goals(r);
  if (r->stage == ROUND_HAS_GOALS) guess_make_inductive(r);
  if (r->unsure) return GUESS_NONE;
  return r->stage == ROUND_HAS_GOALS && !guess_has_open_rules(r) ? end_round(r) : GUESS_PAUSED;
}

guess_end guess_run_go_on(guess_run *r, uint64_t work) {
  guess_end end = GUESS_PAUSED;
  r->ends_at = work_done() + work;
  if (is_done(r) || (!r->has_walked && !walk(r))) return GUESS_NONE;
  r->has_walked = true;
  while (end == GUESS_PAUSED && work_done() < r->ends_at) end = go_on(r);
  return end;
}
