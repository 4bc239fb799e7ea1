/* New predicates from a path that no run takes: half-spaces that separate its beginning from its end; if it repeats
 * steps, also what any number of rounds leads from; or, if integers have no solution although rationals have, weakest
 * preconditions along it, restricted to what an unsatisfiable core needs.
 *
 * The last of these: from what is bad backwards, the states of each cube that can take the step into the goal are, by
 * projection, literals that are the goal before. Where there are none, some literals of the goal are enough to exclude
 * the step. One of these is no predicate: the step into the cube was possible, and the cube says of each predicate what
 * the goal says. */
#include "engine/pdr/path.h"
#include "term/substitute.h"

static bool add_all(implicit *all, const term_vector *found) {
  bool any = false;
  for (size_t i = 0; i < found->count; i++) any |= implicit_add_kept(all, found->at[i]);
  return any;
}

/* ---- weakest preconditions ---- */

typedef enum retreat_mode {
  STEP_BY_STEP,
  WITH_LOOPS,     /* repeated steps at once, by the transitive closure of a round */
  WITH_DIVISIONS, /* also if it needs remainders */
} retreat_mode;

typedef struct retreat {
  path *p;
  solver *solver;
  cube goal;
  const char *reason;
  retreat_mode mode;
  size_t loops;       /* that the goal has gone around */
  term_vector within; /* of words of several steps: the states from which the rest of a round leads into the goal */
} retreat;

/* States around the values from which `f` holds for some inputs become the goal. */
static bool set_goal(retreat *r, term f) {
  VECTOR_CLEAR(r->goal);
  return blocking_project(r->p->b, f, &r->goal);
}

/* After yes: values of states and inputs. */
static void read_values(retreat *r) {
  blocking *b = r->p->b;
  const variable_vector *read = frames_readable(b->frames);
  for (size_t i = 0; i < read->count; i++) b->values.at[read->at[i].x] = solver_value(r->solver, read->at[i]);
}

/* The literals of the goal that the solver's proof has used. */
static void needed(retreat *r, term_vector *out) {
  core_names core = {0};
  solver_core(r->solver, &core);
  for (size_t i = 0; i < core.count; i++) VECTOR_PUSH(*out, r->goal.at[core.at[i]]);
  VECTOR_FREE(core);
}

/* Can the goal be entered at this place: by a step from the cube before, or because it has an initial state? */
static answer ask_entered(retreat *r, size_t place) {
  blocking *b = r->p->b;
  const cube *from = &b->obligations.at[r->p->places.at[place ? place - 1 : 0]].cube;
  uint32_t transition = place ? r->p->transitions.at[place - 1] : 0;
  for (size_t i = 0; i < from->count; i++) solver_assert(r->solver, from->at[i]);
  solver_assert(r->solver,
                place ? transition_enabled(b->model, &b->model->transitions.at[transition]) : b->model->init);
  for (size_t i = 0; i < r->goal.count; i++) {
    term literal = r->goal.at[i];
    solver_assert_named(r->solver, place ? substitution_apply(b->after[transition], literal) : literal, (uint32_t)i);
  }
  return solver_check(r->solver, 0);
}

/* True once predicates are found. False with the goal of the place before, or with a reason. */
static bool go_back(retreat *r, size_t place, term_vector *out) {
  blocking *b = r->p->b;
  solver_push(r->solver);
  answer a = ask_entered(r, place);
  if (answer_is_no(a)) needed(r, out);
  if (answer_is_yes(a)) read_values(r);
  solver_pop(r->solver);
  if (answer_is_unsure(a)) r->reason = a.reason;
  if (!answer_is_yes(a) || !place) return answer_is_no(a);
  uint32_t transition = r->p->transitions.at[place - 1];
  if (!set_goal(r, blocking_before(b, transition, &r->goal)))
    r->reason = "a step that the solver found cannot be taken";
  return false;
}

/* `goal` is what any number of rounds leads from; the places on the way are different ones for the abstraction. */
static void note_places_within(retreat *r, const path_loop *loop, term goal) {
  for (size_t i = loop->to - 1; i > loop->to - loop->word; i--) {
    cube into = {0};
    VECTOR_PUSH(into, goal);
    goal = blocking_before(r->p->b, r->p->transitions.at[i], &into);
    VECTOR_PUSH(r->within, goal);
    VECTOR_FREE(into);
  }
}

/* The goal becomes what any number of rounds of the loop that ends at this place leads from; the place where the loop
 * begins, or this one if there is none. */
static size_t skip_loop(retreat *r, size_t place) {
  path_loop loop;
  term before;
  if (!path_loop_to(r->p, place, &loop)) return place;
  term goal = term_and_all(r->p->b->ts, r->goal.count, r->goal.at);
  if (!path_loop_before(r->p, &loop, goal, r->mode == WITH_DIVISIONS, &before)) return place;
  VECTOR_CLEAR(r->goal);
  VECTOR_PUSH(r->goal, before);
  note_places_within(r, &loop, before);
  r->loops++;
  return loop.from;
}

static bool by_preconditions(path *p, solver *s, retreat_mode mode, term_vector *out, const char **reason) {
  retreat r = {.p = p, .solver = s, .mode = mode};
  blocking_recall(p->b, VECTOR_LAST(p->places));
  bool found = false;
  if (!set_goal(&r, p->b->violation->bad)) r.reason = "a state that the solver found is not bad";
  for (size_t place = p->places.count; place-- > 0 && !found && !r.reason;) {
    if (mode != STEP_BY_STEP) place = skip_loop(&r, place);
    found = go_back(&r, place, out);
  }
  for (size_t i = 0; i < r.within.count && found; i++) VECTOR_PUSH(*out, r.within.at[i]);
  *reason = r.reason;
  VECTOR_FREE(r.within);
  VECTOR_FREE(r.goal);
  return found && (mode == STEP_BY_STEP || r.loops);
}

/* ---- all of it ---- */

static bool repeats_steps(const path *p) {
  path_loop any;
  for (size_t i = 0; i < p->places.count; i++)
    if (path_loop_to(p, i, &any)) return true;
  return false;
}

/* The atoms of what loops lead from, which are formulas. */
static bool by_loops(path *p, solver *s, retreat_mode mode, implicit *all) {
  term_vector found = {0}, atoms = {0};
  const char *unused;
  bool any = by_preconditions(p, s, mode, &found, &unused);
  for (size_t i = 0; any && i < found.count; i++) term_atoms(p->b->ts, found.at[i], &atoms);
  any = any && add_all(all, &atoms);
  VECTOR_FREE(found);
  VECTOR_FREE(atoms);
  return any;
}

/* Half-spaces may count the rounds of a loop, so what loops lead from is added to them, with remainders only if nothing
 * is new without; it alone need not exclude the path. */
bool path_refine(path *p, solver *s, implicit *all, const char **reason) {
  term_vector found = {0};
  *reason = NULL;
  bool refined = half_spaces_find(p, &found) && add_all(all, &found);
  VECTOR_CLEAR(found);
  bool by_rounds = repeats_steps(p) && (by_loops(p, s, WITH_LOOPS, all) || by_loops(p, s, WITH_DIVISIONS, all));
  if (!refined) refined = by_preconditions(p, s, STEP_BY_STEP, &found, reason) && add_all(all, &found);
  VECTOR_FREE(found);
  return refined || by_rounds;
}
