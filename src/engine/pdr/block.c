/* Finds a bad state in the top frame, then treats the open obligation of the lowest level until none is open or a run
 * to a bad state is found. */
#include "engine/pdr/block.h"

#include "engine/project.h"
#include "term/substitute.h"

void blocking_init(blocking *b, engine_environment *env, frames *f, const bounded_violation *v) {
  const model *m = env->model;
  *b = (blocking){.env = env, .model = m, .ts = m->terms, .violation = v, .frames = f};
  b->after = MEMORY_ARRAY(substitution *, m->transitions.count + 1);
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    b->after[i] = substitution_new(b->ts);
    for (size_t j = 0; j < t->updates.count; j++)
      substitution_set(b->after[i], t->updates.at[j].var, t->updates.at[j].value);
  }
}

static void forget_obligations(blocking *b) {
  for (size_t i = 0; i < b->obligations.count; i++) {
    VECTOR_FREE(b->obligations.at[i].cube);
    VECTOR_FREE(b->obligations.at[i].seen);
  }
  VECTOR_CLEAR(b->obligations);
}

void blocking_abstract(blocking *b, implicit *by) {
  forget_obligations(b);
  b->predicates = by;
}

void blocking_clear(blocking *b) {
  if (!b->frames) return;
  forget_obligations(b);
  VECTOR_FREE(b->obligations);
  VECTOR_FREE(b->values);
  for (size_t i = 0; i < b->model->transitions.count; i++) substitution_free(b->after[i]);
  memory_free(b->after);
}

static block_end trouble(blocking *b, const char *why) {
  b->trouble = why ? why : "a question could not be decided";
  return BLOCK_TROUBLE;
}

term blocking_before(blocking *b, uint32_t transition, const cube *c) {
  term_vector parts = {0};
  VECTOR_PUSH(parts, transition_enabled(b->model, &b->model->transitions.at[transition]));
  for (size_t i = 0; i < c->count; i++) VECTOR_PUSH(parts, substitution_apply(b->after[transition], c->at[i]));
  term result = term_and_all(b->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

/* ---- finding obligations ---- */

/* The variables of `f` that are inputs. */
static void inputs_of(const blocking *b, term f, variable_vector *out) {
  variable_vector all = {0};
  term_variables(b->ts, 1, &f, &all);
  for (size_t i = 0; i < all.count; i++)
    if (!model_is_state_variable(b->model, all.at[i])) VECTOR_PUSH(*out, all.at[i]);
  VECTOR_FREE(all);
}

bool blocking_project(blocking *b, term f, cube *out) {
  variable_vector inputs = {0};
  inputs_of(b, f, &inputs);
  bool fine = project(b->ts, f, inputs.count, inputs.at, b->values.at, out);
  VECTOR_FREE(inputs);
  return fine;
}

/* The abstract state of the one that was read, and its values; its cube has the literals that matter. */
static void make_abstract(blocking *b, obligation *made) {
  const variable_vector *read = frames_readable(b->frames);
  cube literals = made->cube;
  made->cube = (cube){0};
  implicit_cube(b->predicates, b->values.at, &literals, &made->cube);
  for (size_t i = 0; i < read->count; i++) VECTOR_PUSH(made->seen, b->values.at[read->at[i].x]);
  VECTOR_FREE(literals);
}

void blocking_recall(blocking *b, size_t which) {
  const variable_vector *read = frames_readable(b->frames);
  const obligation *o = &b->obligations.at[which];
  while (b->values.count < variable_count(b->ts)) VECTOR_PUSH(b->values, number_of(0));
  for (size_t i = 0; i < read->count; i++) b->values.at[read->at[i].x] = o->seen.at[i];
}

static block_end add_obligation(blocking *b, obligation made, term states) {
  if (!blocking_project(b, states, &made.cube)) {
    VECTOR_FREE(made.cube);
    return trouble(b, "a state that the solver found is not what was asked for");
  }
  if (b->predicates) make_abstract(b, &made);
  made.is_open = true;
  VECTOR_PUSH(b->obligations, made);
  return BLOCK_GOES_ON;
}

static block_end find_bad(blocking *b, size_t *start) {
  uint32_t none = 0;
  size_t top = frames_top(b->frames);
  answer a = frames_ask_bad(b->frames, top);
  forget_obligations(b);
  if (answer_is_no(a)) return BLOCK_DONE;
  if (answer_is_unsure(a)) return trouble(b, a.reason);
  if (!frames_read(b->frames, &b->values, &none)) return trouble(b, "a bad state cannot be read");
  obligation made = {.level = top, .next = NO_OBLIGATION};
  block_end end = add_obligation(b, made, b->violation->bad);
  *start = 0;
  return end == BLOCK_GOES_ON && !top ? BLOCK_REACHED : end;
}

static size_t lowest_open(const blocking *b) {
  size_t best = NO_OBLIGATION;
  for (size_t i = b->obligations.count; i-- > 0;)
    if (b->obligations.at[i].is_open &&
        (best == NO_OBLIGATION || b->obligations.at[i].level < b->obligations.at[best].level))
      best = i;
  return best;
}

/* ---- treating one ---- */

/* As high as it holds; the obligation stays, one level above. */
static block_end add_lemma(blocking *b, size_t which, TAKE cube lemma) {
  obligation *o = &b->obligations.at[which];
  size_t level = o->level, top = frames_top(b->frames);
  while (level < top && answer_is_no(frames_ask_step(b->frames, level, &lemma, true, NULL))) level++;
  frames_add(b->frames, lemma, level);
  o->level = level + 1;
  o->is_open = level < top;
  return BLOCK_GOES_ON;
}

static block_end meet(blocking *b, size_t which, const core_names *core) {
  cube lemma = {0};
  const obligation *o = &b->obligations.at[which];
  if (!generalise(b, o->level, &o->cube, core, &lemma)) {
    VECTOR_FREE(lemma);
    return trouble(b, b->trouble);
  }
  return add_lemma(b, which, lemma);
}

static block_end go_back(blocking *b, size_t which, size_t *start) {
  obligation made = {.next = which};
  const obligation *o = &b->obligations.at[which];
  if (!frames_read(b->frames, &b->values, &made.transition)) return trouble(b, "a step cannot be read");
  made.level = o->level - 1;
  block_end end = add_obligation(b, made, blocking_before(b, made.transition, &o->cube));
  *start = b->obligations.count - 1;
  return end == BLOCK_GOES_ON && !made.level ? BLOCK_REACHED : end;
}

static block_end treat(blocking *b, size_t which, size_t *start) {
  const obligation *o = &b->obligations.at[which];
  uint32_t none = 0;
  if (frames_exclude(b->frames, &o->cube, o->level)) {
    b->obligations.at[which].level++;
    b->obligations.at[which].is_open = o->level <= frames_top(b->frames);
    return BLOCK_GOES_ON;
  }
  answer a = frames_ask_initial(b->frames, &o->cube);
  if (answer_is_unsure(a)) return trouble(b, a.reason);
  if (answer_is_yes(a)) {
    *start = which;
    return frames_read(b->frames, &b->values, &none) ? BLOCK_REACHED : trouble(b, "an initial state cannot be read");
  }
  core_names core = {0};
  a = frames_ask_step(b->frames, o->level - 1, &o->cube, true, &core);
  block_end end = answer_is_no(a)    ? meet(b, which, &core)
                  : answer_is_yes(a) ? go_back(b, which, start)
                                     : trouble(b, a.reason);
  VECTOR_FREE(core);
  return end;
}

block_end block(blocking *b, size_t *start) {
  size_t which = lowest_open(b);
  return which == NO_OBLIGATION ? find_bad(b, start) : treat(b, which, start);
}
