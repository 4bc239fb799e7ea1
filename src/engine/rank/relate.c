/* Relations that follow from others, and lassos (relate.h). */
#include "engine/rank/relate.h"

#include "base/bits.h"
#include "engine/rank/features.h"
#include "engine/rank/lasso.h"
#include "engine/rank/overflow.h"
#include "engine/rank/relation_predicates.h"
#include "model/transform.h"
#include "term/evaluate.h"

/* More relations, lassos, or transitions of a word are not tried. */
enum { MOST_RELATIONS = 600, MOST_LASSOS = 40, LONGEST_WORD = 40 };

static const uint32_t none = UINT32_MAX;

/* A set of predicates: what is known if the word that led to it is taken. */
typedef struct relation {
  bits known;
  uint32_t before, by; /* the relation that it follows from, `none` of a single step; and by which case */
  uint32_t measure;    /* of the predicates: it falls; `none` if none needs to */
} relation;

struct relating {
  engine_environment *env;
  const model *model;
  terms *ts;
  term open;
  bool is_careful;
  place_cut cut;
  term_vector features;
  relation_predicates predicates;
  bool are_too_many;
  transition_cases cases; /* if fairness is of use several for a transition */
  term_vector *after;     /* by case: the predicates after it */
  solver *solver;
  VECTOR(relation) relations;
  uint32_t next, by; /* the relation that is followed by cases now, `none`: single steps; and by which */
  bool is_done;
  lasso *lasso; /* for `word`; NULL: none is looked at */
  transition_cases word;
  size_t lassos;
  const char *trouble;
  uint64_t questions;
};

static term used(const relating *r, term t) { return r->is_careful ? overflow_leave_out_bounds(r->ts, t) : t; }

static void make_solver(relating *r) {
  r->solver = solver_new(r->ts, r->env->budget);
  if (r->is_careful) solver_assume_types(r->solver, false);
  for (size_t i = 0; i < r->env->facts.count; i++) {
    term fact = used(r, r->env->facts.at[i]);
    solver_assert(r->solver, fact);
    solver_assert(r->solver, relation_earlier(&r->predicates, fact));
  }
  solver_assert(r->solver, relation_earlier(&r->predicates, r->cut.cut));
  if (r->is_careful) return;
  solver_assert(r->solver, r->open);
  solver_assert(r->solver, relation_earlier(&r->predicates, r->open));
}

static bool is_of_cut_places(const relating *r, term feature) {
  variable_vector inside = {0}, places = {0};
  term_variables(r->ts, 1, &feature, &inside);
  term_variables(r->ts, 1, &r->cut.cut, &places);
  bool is_so = inside.count == 1 && places.count == 1 && variable_same(inside.at[0], places.at[0]);
  VECTOR_FREE(inside);
  VECTOR_FREE(places);
  return is_so;
}

/* Measures are compared at the cut only: tests of other places are of no use. */
static void find_features(relating *r) {
  term_vector all = {0};
  features_of(r->model, FEATURES_PLAIN, NULL, &all);
  for (size_t i = 0; i < all.count; i++)
    if (!r->cut.tests.count || !is_of_cut_places(r, all.at[i])) VECTOR_PUSH(r->features, all.at[i]);
  for (size_t i = 0; i < r->cut.tests.count && r->cut.tests.count > 1; i++)
    VECTOR_PUSH(r->features, term_ite(r->ts, r->cut.tests.at[i], term_int(r->ts, 1), term_int(r->ts, 0)));
  VECTOR_FREE(all);
}

relating *relating_new(engine_environment *env, term open, relation_level level, bool is_careful) {
  relating *r = MEMORY_NEW(relating);
  *r = (relating){
      .env = env, .model = env->model, .ts = env->model->terms, .open = open, .is_careful = is_careful, .next = none};
  place_cut_open(r->model, &r->cut);
  find_features(r);
  r->are_too_many = !relation_predicates_open(r->model, level, &r->cut, &r->features, !is_careful, &r->predicates);
  relation_histories_cases(r->model, &r->predicates.histories, &r->cases);
  r->after = MEMORY_ARRAY(term_vector, r->cases.count + 1);
  make_solver(r);
  return r;
}

static void forget_relations(relating *r) {
  for (size_t i = 0; i < r->relations.count; i++) bits_free(&r->relations.at[i].known);
  VECTOR_FREE(r->relations);
  r->next = none;
  r->by = 0;
}

void relating_free(relating *r) {
  if (!r) return;
  forget_relations(r);
  for (size_t i = 0; i < r->cases.count; i++) VECTOR_FREE(r->after[i]);
  memory_free(r->after);
  VECTOR_FREE(r->cases);
  lasso_free(r->lasso);
  VECTOR_FREE(r->word);
  solver_free(r->solver);
  relation_predicates_clear(&r->predicates);
  place_cut_clear(&r->cut);
  VECTOR_FREE(r->features);
  memory_free(r);
}

/* ---- what follows from a relation by a transition ---- */

static const transition *transition_of(const relating *r, uint32_t by) {
  return &r->model->transitions.at[r->cases.at[by].transition];
}

static term predicate_after(const relating *r, const transition *t, uint32_t predicate) {
  const relation_histories *all = &r->predicates.histories;
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].predicate == predicate) return relation_history_after(r->model, all, i, t);
  return transform_after(r->model, t, r->predicates.at.at[predicate]);
}

/* The predicates after the case. */
static const term_vector *predicates_after(relating *r, uint32_t by) {
  term_vector *after = &r->after[by];
  for (uint32_t i = (uint32_t)after->count; i < r->predicates.at.count; i++)
    VECTOR_PUSH(*after, predicate_after(r, transition_of(r, by), i));
  return after;
}

static void read_values(relating *r, const transition *t, number_vector *out) {
  const model *m = r->model;
  for (size_t i = 0; i < variable_count(r->ts); i++) VECTOR_PUSH(*out, number_of(0));
  for (size_t i = 0; i < m->variables.count; i++) {
    variable now = m->variables.at[i].var, earlier = r->predicates.earlier.at[i];
    out->at[now.x] = solver_value(r->solver, now);
    out->at[earlier.x] = solver_value(r->solver, earlier);
  }
  for (size_t i = 0; i < t->inputs.count; i++) out->at[t->inputs.at[i].x] = solver_value(r->solver, t->inputs.at[i]);
  for (size_t i = 0; i < r->predicates.histories.count; i++) {
    variable waits = r->predicates.histories.at[i].waits;
    out->at[waits.x] = solver_value(r->solver, waits);
  }
}

/* Of those that are left, those that do not hold are left out. */
static void leave_false_out(relating *r, const transition *t, const term_vector *after, bits *left) {
  number_vector values = {0};
  read_values(r, t, &values);
  for (size_t i = 0; i < after->count; i++)
    if (bits_has(left, i) && !number_is(term_evaluate(r->ts, after->at[i], values.at), 1)) bits_remove(left, i);
  VECTOR_FREE(values);
}

static term some_is_false(const relating *r, const term_vector *after, const bits *left) {
  term_vector ways = {0};
  for (size_t i = 0; i < after->count; i++)
    if (bits_has(left, i)) VECTOR_PUSH(ways, term_not(after->at[i]));
  term result = term_or_all(r->ts, ways.count, ways.at);
  VECTOR_FREE(ways);
  return result;
}

/* Yes: `left` has the predicates that must hold afterwards. No: there is no such step. What is asserted is the step. */
static answer find_known(relating *r, uint32_t by, bits *left) {
  const transition *t = transition_of(r, by);
  const term_vector *after = predicates_after(r, by);
  for (size_t i = 0; i < after->count; i++) bits_add(left, i);
  answer a = solver_check(r->solver, 0);
  r->questions++;
  if (!answer_is_yes(a)) return a;
  leave_false_out(r, t, after, left);
  for (;;) {
    solver_push(r->solver);
    solver_assert(r->solver, some_is_false(r, after, left));
    a = solver_check(r->solver, 0);
    r->questions++;
    if (answer_is_yes(a)) leave_false_out(r, t, after, left);
    solver_pop(r->solver);
    if (answer_is_unsure(a)) return a;
    if (answer_is_no(a)) return answer_yes();
  }
}

/* The relation that `next` is: the single step, or one of those that are known. */
static void assert_relation(relating *r) {
  const model *m = r->model;
  if (r->next == none) {
    for (size_t i = 0; i < m->variables.count; i++) {
      term now = term_of_variable(r->ts, m->variables.at[i].var);
      solver_assert(r->solver, term_eq(r->ts, term_of_variable(r->ts, r->predicates.earlier.at[i]), now));
    }
    solver_assert(r->solver, relation_histories_first(m, &r->predicates.histories));
    return;
  }
  const relation *of = &r->relations.at[r->next];
  for (size_t i = 0; i < r->predicates.at.count; i++)
    if (bits_has(&of->known, i)) solver_assert(r->solver, r->predicates.at.at[i]);
}

static bool is_known(const relating *r, const bits *known) {
  for (size_t i = 0; i < r->relations.count; i++) {
    bool has_all = true;
    for (size_t j = 0; j < r->predicates.at.count && has_all; j++)
      has_all = !bits_has(&r->relations.at[i].known, j) || bits_has(known, j);
    if (has_all) return true;
  }
  return false;
}

/* ---- lassos ---- */

static void begin_lasso(relating *r) {
  VECTOR_CLEAR(r->word);
  VECTOR_PUSH(r->word, r->cases.at[r->by]);
  for (uint32_t i = r->next; i != none; i = r->relations.at[i].before)
    VECTOR_PUSH(r->word, r->cases.at[r->relations.at[i].by]);
  for (size_t i = 0; i < r->word.count / 2; i++) {
    transition_case first = r->word.at[i];
    r->word.at[i] = r->word.at[r->word.count - 1 - i];
    r->word.at[r->word.count - 1 - i] = first;
  }
  r->lasso = lasso_new(r->env, r->open, &r->word, &r->features, r->is_careful);
}

/* With the measure, or without, the relations are made anew. */
static measuring_end end_lasso(relating *r, measuring_end end, term measure) {
  r->questions += lasso_questions(r->lasso);
  if (end == MEASURING_UNSURE) r->trouble = lasso_trouble(r->lasso);
  lasso_free(r->lasso);
  r->lasso = NULL;
  r->lassos++;
  if (end != MEASURING_DONE) return end;
  forget_relations(r);
  bool is_new = relation_predicates_refine(&r->predicates, measure, &r->word);
  return is_new && r->lassos < MOST_LASSOS ? MEASURING_GOES_ON : MEASURING_NONE;
}

static measuring_end step_lasso(relating *r) {
  term measure;
  measuring_end end = lasso_step(r->lasso, &measure);
  return end == MEASURING_GOES_ON ? end : end_lasso(r, end, measure);
}

/* ---- the search ---- */

/* A relation that is not known yet: it has a measure, needs none, or is a lasso. */
static measuring_end take_relation(relating *r, TAKE bits known) {
  uint32_t measure = none;
  for (uint32_t i = 0; i < r->predicates.measures.count && measure == none; i++)
    if (bits_has(&known, r->predicates.measures.at[i].falls)) measure = i;
  bool is_between = r->predicates.has_cut && bits_has(&known, 0);
  if (measure != none || is_between || relation_histories_are_unfair(&r->predicates.histories, &known)) {
    VECTOR_PUSH(r->relations, (relation){known, r->next, r->by, measure});
    return r->relations.count < MOST_RELATIONS ? MEASURING_GOES_ON : MEASURING_NONE;
  }
  bits_free(&known);
  begin_lasso(r);
  return r->word.count <= LONGEST_WORD ? MEASURING_GOES_ON : MEASURING_NONE;
}

static measuring_end follow(relating *r) {
  const transition *t = transition_of(r, r->by);
  bits known = bits_new(r->predicates.at.count);
  if (r->is_careful && overflow_leads_to_error(r->model, t)) {
    bits_free(&known);
    return MEASURING_GOES_ON;
  }
  solver_push(r->solver);
  assert_relation(r);
  solver_assert(r->solver, used(r, transition_enabled(r->model, t)));
  solver_assert(r->solver, r->cases.at[r->by].when);
  if (!r->is_careful) solver_assert(r->solver, transform_after(r->model, t, r->open));
  answer a = find_known(r, r->by, &known);
  solver_pop(r->solver);
  if (answer_is_yes(a) && !is_known(r, &known)) return take_relation(r, known);
  bits_free(&known);
  if (answer_is_unsure(a)) r->trouble = a.reason;
  return r->trouble ? MEASURING_UNSURE : MEASURING_GOES_ON;
}

static void go_on(relating *r) {
  if (++r->by < r->cases.count) return;
  r->by = 0;
  r->next = r->next == none ? 0 : r->next + 1;
  r->is_done = r->next >= r->relations.count;
}

measuring_end relating_step(relating *r) {
  if (r->trouble) return MEASURING_UNSURE;
  if (r->are_too_many || !r->cases.count) return MEASURING_NONE;
  if (r->lasso) return step_lasso(r);
  if (r->is_done) return MEASURING_DONE;
  measuring_end end = follow(r);
  if (end == MEASURING_GOES_ON && !r->lasso) go_on(r);
  return end;
}

/* ---- the result ---- */

/* The predicates of the relation that are about places, or those that are not; histories are neither. */
static term part_of(const relating *r, const relation *of, bool of_places) {
  term_vector parts = {0};
  for (uint32_t i = 0; i < r->predicates.at.count; i++)
    if (bits_has(&of->known, i) && (i < r->predicates.places) == of_places &&
        !relation_histories_have(&r->predicates.histories, i))
      VECTOR_PUSH(parts, relation_of_two(&r->predicates, r->predicates.at.at[i]));
  term result = term_and_all(r->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

/* Relations that are written as one: they differ in places only. */
typedef struct written_relation {
  const relation *first;
  term measure, others, places;
} written_relation;

static bool is_same(const relating *r, const written_relation *a, const written_relation *b) {
  return term_same(a->others, b->others) && term_same(a->measure, b->measure) &&
         relation_histories_agree(&r->predicates.histories, &a->first->known, &b->first->known);
}

void relating_write(const relating *r, evidence *e) {
  VECTOR(written_relation) all = {0};
  e->cut = r->cut.cut;
  e->between = r->cut.between;
  for (size_t i = 0; i < r->relations.count; i++) {
    const relation *of = &r->relations.at[i];
    term measure = of->measure == none ? term_int(r->ts, 0) : r->predicates.measures.at[of->measure].measure;
    written_relation made = {of, measure, part_of(r, of, false), part_of(r, of, true)};
    size_t same = 0;
    while (same < all.count && !is_same(r, &all.at[same], &made)) same++;
    if (same == all.count)
      VECTOR_PUSH(all, made);
    else
      all.at[same].places = term_or(r->ts, all.at[same].places, made.places);
  }
  for (uint32_t i = 0; i < all.count; i++) {
    VECTOR_PUSH(e->measures, all.at[i].measure);
    VECTOR_PUSH(e->relations, term_and(r->ts, all.at[i].others, all.at[i].places));
    relation_histories_write(&r->predicates.histories, &all.at[i].first->known, i, e);
  }
  VECTOR_FREE(all);
}

size_t relating_count(const relating *r) { return r->relations.count; }
const char *relating_trouble(const relating *r) { return r->trouble; }
uint64_t relating_questions(const relating *r) { return r->questions; }
