/* Two solvers: one has the step, the other only states, for a state that has no step may be bad or initial too.
 *
 * A literal of a cube is asserted in a solver once, as an implication from a variable that stands for it. */
#include "engine/pdr/frames.h"

#include "base/map.h"

/* So many formulas that were needed for one question only, and the solver is set up again. */
enum { MOST_LEFTOVERS = 2000 };

typedef struct side {
  solver *solver;
  size_t time;  /* at which cubes are read: 0, or 1 after the step */
  map *literal; /* literal -> what stands for it */
  term_vector assumed;
} side;

struct frames {
  engine_environment *env;
  const model *model;
  terms *ts;
  unrolling *u;
  const bounded_violation *violation;
  term_vector facts;
  lemma_vector lemmas;
  size_t top;
  term_vector levels; /* stand for: the lemmas of exactly this level hold */
  term initial, bad;  /* stand for: the state is initial; it is bad */
  side step, state;
  side *asked; /* the last question */
  size_t leftovers;
  variable_vector read;     /* state variables and inputs */
  solver_statistics before; /* of solvers that are gone */
};

static term fresh_truth(const frames *f, const char *stem) {
  type truth = {.sort = SORT_BOOL};
  return term_of_variable(f->ts, variable_fresh(f->ts, stem, &truth));
}

static void assert_if(const frames *f, side *s, term condition, term t) {
  solver_assert(s->solver, term_implies(f->ts, condition, t));
}

/* ---- setting up ---- */

static term clause_of(const frames *f, const cube *c) { return term_not(term_and_all(f->ts, c->count, c->at)); }

static term level_term(frames *f, size_t level) {
  while (f->levels.count <= level) VECTOR_PUSH(f->levels, fresh_truth(f, "level"));
  return f->levels.at[level];
}

static void assert_lemma(frames *f, const lemma *l) {
  assert_if(f, &f->step, level_term(f, l->level), clause_of(f, &l->cube));
  assert_if(f, &f->state, level_term(f, l->level), clause_of(f, &l->cube));
}

static void assert_fact(frames *f, term fact) {
  solver_assert(f->state.solver, fact);
  solver_assert(f->step.solver, fact);
  solver_assert(f->step.solver, unrolling_at(f->u, fact, 1));
}

static void open_side(frames *f, side *s, size_t time) {
  s->solver = solver_new_for_assumptions(f->ts, f->env->budget);
  s->literal = map_new();
  s->time = time;
  assert_if(f, s, f->initial, f->model->init);
}

static void set_up(frames *f) {
  f->leftovers = 0;
  open_side(f, &f->step, 1);
  open_side(f, &f->state, 0);
  assert_if(f, &f->state, f->bad, f->violation->bad);
  solver_assert(f->step.solver, unrolling_step(f->u, 0));
  for (size_t i = 0; i < f->facts.count; i++) assert_fact(f, f->facts.at[i]);
  for (size_t i = 0; i < f->lemmas.count; i++) assert_lemma(f, &f->lemmas.at[i]);
}

static void close_side(frames *f, side *s) {
  const solver_statistics *all = solver_statistics_of(s->solver);
  f->before.checks += all->checks;
  f->before.unsure += all->unsure;
  solver_free(s->solver);
  map_free(s->literal);
  VECTOR_FREE(s->assumed);
}

frames *frames_new(engine_environment *env, unrolling *u, const bounded_violation *v) {
  frames *f = MEMORY_NEW(frames);
  const model *m = env->model;
  *f = (frames){.env = env, .model = m, .ts = m->terms, .u = u, .violation = v};
  f->initial = fresh_truth(f, "initial");
  f->bad = fresh_truth(f, "bad");
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(f->read, m->variables.at[i].var);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++)
      VECTOR_PUSH(f->read, m->transitions.at[i].inputs.at[j]);
  set_up(f);
  return f;
}

void frames_free(frames *f) {
  if (!f) return;
  close_side(f, &f->step);
  close_side(f, &f->state);
  for (size_t i = 0; i < f->lemmas.count; i++) VECTOR_FREE(f->lemmas.at[i].cube);
  VECTOR_FREE(f->lemmas);
  VECTOR_FREE(f->facts);
  VECTOR_FREE(f->levels);
  VECTOR_FREE(f->read);
  memory_free(f);
}

/* What was asserted for one question only, and for literals that are not used any more, goes. */
static void tidy(frames *f) {
  if (f->leftovers < MOST_LEFTOVERS) return;
  close_side(f, &f->step);
  close_side(f, &f->state);
  f->step = f->state = (side){0};
  set_up(f);
}

/* ---- lemmas ---- */

void frames_assume(frames *f, term fact) {
  VECTOR_PUSH(f->facts, fact);
  assert_fact(f, fact);
}

size_t frames_top(const frames *f) { return f->top; }
void frames_extend(frames *f) { f->top++; }
lemma_vector *frames_lemmas(frames *f) { return &f->lemmas; }

static bool contains(const cube *c, term literal) {
  for (size_t i = 0; i < c->count; i++)
    if (term_same(c->at[i], literal)) return true;
  return false;
}

bool cube_is_within(const cube *small, const cube *large) {
  for (size_t i = 0; i < small->count; i++)
    if (!contains(large, small->at[i])) return false;
  return true;
}

bool frames_exclude(const frames *f, const cube *c, size_t level) {
  for (size_t i = 0; i < f->lemmas.count; i++)
    if (f->lemmas.at[i].level >= level && cube_is_within(&f->lemmas.at[i].cube, c)) return true;
  return false;
}

void frames_add(frames *f, cube c, size_t level) {
  size_t kept = 0;
  for (size_t i = 0; i < f->lemmas.count; i++) {
    lemma *l = &f->lemmas.at[i];
    if (l->level <= level && cube_is_within(&c, &l->cube))
      VECTOR_FREE(l->cube);
    else
      f->lemmas.at[kept++] = *l;
  }
  f->lemmas.count = kept;
  VECTOR_PUSH(f->lemmas, (lemma){c, level});
  assert_lemma(f, &VECTOR_LAST(f->lemmas));
}

void frames_raise(frames *f, size_t lemma) {
  f->lemmas.at[lemma].level++;
  f->leftovers++;
  assert_lemma(f, &f->lemmas.at[lemma]);
}

/* ---- questions ---- */

static term literal_on(frames *f, side *s, term literal) {
  uint64_t known;
  if (map_get(s->literal, literal.x, &known)) return (term){(uint32_t)known};
  term proxy = fresh_truth(f, "literal");
  map_set(s->literal, literal.x, proxy.x);
  assert_if(f, s, proxy, unrolling_at(f->u, literal, s->time));
  f->leftovers++;
  return proxy;
}

static void begin(frames *f, side *s) {
  tidy(f);
  VECTOR_CLEAR(s->assumed);
}

static void assume_cube(frames *f, side *s, const cube *c) {
  for (size_t i = 0; i < c->count; i++) {
    term proxy = literal_on(f, s, c->at[i]);
    VECTOR_PUSH(s->assumed, proxy);
  }
}

static void assume_frame(frames *f, side *s, size_t level) {
  if (!level) VECTOR_PUSH(s->assumed, f->initial);
  for (size_t i = level ? level : 1; i < f->levels.count; i++) VECTOR_PUSH(s->assumed, f->levels.at[i]);
}

static answer ask(frames *f, side *s) {
  f->asked = s;
  return solver_check_assuming(s->solver, s->assumed.count, s->assumed.at, 0);
}

answer frames_ask_bad(frames *f, size_t level) {
  begin(f, &f->state);
  assume_frame(f, &f->state, level);
  VECTOR_PUSH(f->state.assumed, f->bad);
  return ask(f, &f->state);
}

answer frames_ask_initial(frames *f, const cube *c) {
  begin(f, &f->state);
  assume_cube(f, &f->state, c);
  VECTOR_PUSH(f->state.assumed, f->initial);
  return ask(f, &f->state);
}

answer frames_ask_step(frames *f, size_t level, const cube *c, bool relative, core_names *core) {
  side *s = &f->step;
  begin(f, s);
  assume_cube(f, s, c);
  assume_frame(f, s, level);
  term outside = relative && level ? fresh_truth(f, "outside") : TERM_TRUE;
  if (!term_is_true(outside)) {
    assert_if(f, s, outside, clause_of(f, c));
    VECTOR_PUSH(s->assumed, outside);
    f->leftovers++;
  }
  answer a = ask(f, s);
  if (answer_is_no(a) && core) {
    solver_core_assumed(s->solver, core);
    size_t kept = 0;
    for (size_t i = 0; i < core->count; i++)
      if (core->at[i] < c->count) core->at[kept++] = core->at[i];
    core->count = kept;
  }
  return a;
}

bool frames_read(frames *f, number_vector *values, uint32_t *transition) {
  number *found = MEMORY_ARRAY(number, f->read.count + 1);
  bool fine = solver_values(f->asked->solver, f->read.count, f->read.at, found) &&
              (f->asked == &f->state || unrolling_read_choice(f->u, f->step.solver, 0, transition));
  VECTOR_CLEAR(*values);
  for (size_t i = 0; i < variable_count(f->ts); i++) VECTOR_PUSH(*values, number_of(0));
  for (size_t i = 0; i < f->read.count; i++) values->at[f->read.at[i].x] = found[i];
  memory_free(found);
  return fine;
}

const variable_vector *frames_readable(const frames *f) { return &f->read; }

uint64_t frames_questions(const frames *f, uint64_t *unsure) {
  const solver_statistics *a = solver_statistics_of(f->step.solver), *b = solver_statistics_of(f->state.solver);
  *unsure = f->before.unsure + a->unsure + b->unsure;
  return f->before.checks + a->checks + b->checks;
}
