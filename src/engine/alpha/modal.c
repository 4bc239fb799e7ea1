/* The abstract systems of section 3.3 and 6.3, side by side with what the search visits: may, must and must- steps between abstract
 * states, for the predicates that the search starts from.
 *
 *   may     some state of the source has the step to some state of the target
 *   must    every state of the source has it
 *   must-   every state of the target is reached by it from the source (Ball, Kupferman, Yorsh 2005)
 *
 * All three are decided exactly, by sets of integer points; a question that these cannot answer ends the command. An action is a transition with its finite
 * inputs fixed, as everywhere in this engine; inputs of infinite type are read "for some". What is printed can be reached: by may steps; by must steps; or by
 * must- steps from abstract states of which every state is initial, and then by must steps from these and from the other first ones. */
#include "base/work.h"
#include "engine/alpha/alpha.h"
#include "set/presburger.h"

enum { MODAL_OPERATIONS = 2000000, WORK_OF_A_QUESTION = 50 };

typedef struct modal_edge {
  edge edge;
  bool must, onto; /* must and must- */
} modal_edge;

typedef struct modal {
  alpha *a;
  presburger *sets;
  const frame *frame;
  relation_vector steps;   /* by action */
  VECTOR(region *) blocks; /* by abstract state */
  VECTOR(bool) first, whole_first;
  VECTOR(modal_edge) edges;
  exploration *may;
  uint64_t *key, *mask;
  const char *trouble;
} modal;

static bool fails(modal *d, const char *why) {
  if (!d->trouble) d->trouble = why;
  return false;
}

static bool is_sure(modal *d, answer yes) {
  if (answer_is_unsure(yes))
    fails(d, yes.reason ? yes.reason : "a question about sets of states could not be answered");
  return answer_is_yes(yes);
}

static GIVE region *states_where(modal *d, term t) {
  region *types = region_of_types(d->sets, d->frame), *where = region_of_term(d->sets, d->frame, t);
  region *both = region_meet(types, where);
  region_free(types);
  region_free(where);
  return region_tidy(both);
}

/* The step of an action, all its states within their types. */
static GIVE relation *step_of(modal *d, const alpha_action *act) {
  alpha *a = d->a;
  const transition *t = &a->m->transitions.at[act->transition];
  term_vector parts = {0};
  VECTOR_PUSH(parts, act->enabled);
  for (size_t i = 0; i < a->m->variables.count; i++) {
    variable v = a->m->variables.at[i].var;
    term value = term_of_variable(a->ts, v);
    for (size_t j = 0; j < act->updates.count; j++)
      if (variable_same(act->updates.at[j].var, v)) value = act->updates.at[j].value;
    VECTOR_PUSH(parts, variable_in_type(a->ts, v));
    VECTOR_PUSH(parts, term_eq(a->ts, term_of_variable(a->ts, variable_next(a->ts, v)), value));
  }
  size_t hidden = act->open ? t->inputs.count : 0;
  for (size_t i = 0; i < hidden; i++) VECTOR_PUSH(parts, variable_in_type(a->ts, t->inputs.at[i]));
  term step = term_and_all(a->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  if (!presburger_can(a->ts, step)) {
    fails(d, "an action is not linear, so its steps between sets of states cannot be decided");
    return NULL;
  }
  return relation_of_term(d->sets, d->frame, hidden, t->inputs.at, step);
}

/* The abstract state of some point of `from`; its number, NO_STATE in trouble. */
static uint32_t block_of_a_point(modal *d, const region *from, uint32_t parent, uint32_t act) {
  alpha *a = d->a;
  size_t width = d->may->width, words = a->kept.packing->words;
  number *point = MEMORY_ARRAY(number, width + 1);
  int64_t *state = MEMORY_ARRAY(int64_t, width + 1);
  uint32_t result = NO_STATE;
  bool fits = region_point(from, point);
  for (size_t i = 0; i < width && fits; i++) fits = number_to_int64(point[i], &state[i]);
  if (fits) {
    kept_pack(&a->kept, state, d->key);
    predicates_active(a->predicates, state, d->mask);
    fits = predicates_evaluate(a->predicates, state, d->mask, d->key + words);
  }
  if (fits)
    result = explore_add(d->may, d->key, state, parent, act);
  else
    fails(d, "a state with values of 64 bits could not be found");
  if (fits && result == NO_STATE) fails(d, "too many states");
  if (result != NO_STATE && result == d->blocks.count) {
    term_vector literals = {0};
    alpha_literals(a, d->may, result, &literals);
    VECTOR_PUSH(d->blocks, states_where(d, term_and_all(a->ts, literals.count, literals.at)));
    VECTOR_PUSH(d->first, false);
    VECTOR_PUSH(d->whole_first, false);
    if (!d->blocks.at[result]) fails(d, "a predicate is not linear, so sets of states cannot be compared");
    VECTOR_FREE(literals);
  }
  memory_free(point);
  memory_free(state);
  return result;
}

/* Goes through the abstract states that meet `image`, which is used up. */
static void cover(modal *d, TAKE region *image, uint32_t source, size_t act, const region *whole) {
  while (!d->trouble && !is_sure(d, region_is_empty(image)) && !d->trouble) {
    work_add(WORK_OF_A_QUESTION);
    const char *spent = budget_spent_now(d->a->env->budget);
    if (spent) fails(d, spent);
    uint32_t to = d->trouble ? NO_STATE : block_of_a_point(d, image, source, (uint32_t)act);
    if (d->trouble) break;
    const region *target = d->blocks.at[to];
    if (source == NO_STATE) {
      d->first.at[to] = true;
      d->whole_first.at[to] = is_sure(d, region_is_within(target, whole));
    } else {
      modal_edge e = {.edge = {source, (uint32_t)act, to}};
      region *before = relation_before(d->steps.at[act], target);
      e.must = is_sure(d, region_is_within(d->blocks.at[source], before));
      e.onto = is_sure(d, region_is_within(target, whole));
      VECTOR_PUSH(d->edges, e);
      region_free(before);
    }
    region *rest = region_minus(image, target);
    region_free(image);
    image = rest;
  }
  region_free(image);
}

static void find_may_steps(modal *d) {
  region *first = states_where(d, d->a->m->init);
  if (!first) fails(d, "the initial condition is not linear");
  if (!d->trouble) cover(d, region_copy(first), NO_STATE, 0, first);
  region_free(first);
  for (uint32_t n = 0; n < d->blocks.count && !d->trouble; n++)
    for (size_t i = 0; i < d->steps.count && !d->trouble; i++) {
      region *image = region_tidy(relation_after(d->steps.at[i], d->blocks.at[n]));
      if (image)
        cover(d, region_copy(image), n, i, image);
      else
        fails(d, presburger_trouble(d->sets));
      region_free(image);
    }
}

/* ---- what is reached by the steps of one kind ---- */

typedef VECTOR(uint32_t) number_list;

static void reach(bool *reached, number_list *order, uint32_t n) {
  if (reached[n]) return;
  reached[n] = true;
  VECTOR_PUSH(*order, n);
}

/* Closes `reached` under the steps that count. They stand in the order of their sources. */
static void close_under(const modal *d, bool *reached, number_list *order, bool (*counts)(const modal_edge *e)) {
  VECTOR(size_t) starts = {0};
  for (size_t n = 0, k = 0; n < d->blocks.count; n++) {
    while (k < d->edges.count && d->edges.at[k].edge.from < n) k++;
    VECTOR_PUSH(starts, k);
  }
  for (size_t i = 0; i < order->count; i++)
    for (size_t k = starts.at[order->at[i]]; k < d->edges.count && d->edges.at[k].edge.from == order->at[i]; k++)
      if (counts(&d->edges.at[k])) reach(reached, order, d->edges.at[k].edge.to);
  VECTOR_FREE(starts);
}

static bool is_must(const modal_edge *e) { return e->must; }
static bool is_onto(const modal_edge *e) { return e->onto; }

/* The part of the may system that the steps of the kind reach, in the order in which they do. */
static GIVE exploration *restrict_to(const modal *d, bool minus) {
  size_t count = d->blocks.count;
  bool *whole = MEMORY_ARRAY(bool, count + 1), *reached = MEMORY_ARRAY(bool, count + 1);
  uint32_t *renamed = MEMORY_ARRAY(uint32_t, count + 1);
  number_list order = {0};
  for (uint32_t n = 0; n < count && minus; n++)
    if (d->whole_first.at[n]) reach(whole, &order, n);
  close_under(d, whole, &order, is_onto);
  memcpy(reached, whole, count * sizeof *whole);
  for (uint32_t n = 0; n < count; n++)
    if (d->first.at[n]) reach(reached, &order, n);
  close_under(d, reached, &order, is_must);
  exploration *out = explore_new(d->a);
  for (size_t i = 0; i < order.count; i++) {
    uint32_t n = order.at[i];
    store_read(d->may->visited, n, d->key);
    /* Parents only say who is first: no run is taken from here. */
    renamed[n] = explore_add(out, d->key, d->may->states.at + n * d->may->width, d->first.at[n] ? NO_STATE : 0, 0);
    if (minus) VECTOR_PUSH(out->whole, whole[n]);
  }
  for (size_t k = 0; k < d->edges.count; k++) {
    const modal_edge *e = &d->edges.at[k];
    if (!reached[e->edge.from] || !(e->must || (minus && e->onto && whole[e->edge.from]))) continue;
    VECTOR_PUSH(out->edges, (edge){renamed[e->edge.from], e->edge.action, renamed[e->edge.to]});
  }
  memory_free(whole);
  memory_free(reached);
  memory_free(renamed);
  VECTOR_FREE(order);
  return out;
}

static GIVE exploration *give_may(modal *d) {
  exploration *out = d->may;
  for (size_t k = 0; k < d->edges.count; k++) VECTOR_PUSH(out->edges, d->edges.at[k].edge);
  d->may = NULL;
  return out;
}

exploration *modal_system(alpha *a, modal_kind kind, const char **trouble) {
  modal d = {.a = a, .sets = presburger_new(a->ts, MODAL_OPERATIONS), .may = explore_new(a)};
  VECTOR(variable) all = {0};
  exploration *out = NULL;
  for (size_t i = 0; i < a->m->variables.count; i++) VECTOR_PUSH(all, a->m->variables.at[i].var);
  d.frame = presburger_frame(d.sets, all.count, all.at);
  d.key = MEMORY_ARRAY(uint64_t, a->kept.packing->words + predicates_words(a->predicates) + 1);
  d.mask = MEMORY_ARRAY(uint64_t, predicates_words(a->predicates) + 1);
  for (size_t i = 0; i < a->actions.count && !d.trouble; i++) {
    relation *step = step_of(&d, &a->actions.at[i]);
    if (step)
      VECTOR_PUSH(d.steps, step);
    else
      fails(&d, presburger_trouble(d.sets));
  }
  if (!d.trouble) find_may_steps(&d);
  if (!d.trouble) out = kind == MODAL_MAY ? give_may(&d) : restrict_to(&d, kind == MODAL_MUST_MINUS);
  *trouble = d.trouble;
  for (size_t i = 0; i < d.blocks.count; i++) region_free(d.blocks.at[i]);
  for (size_t i = 0; i < d.steps.count; i++) relation_free(d.steps.at[i]);
  explore_free(d.may);
  VECTOR_FREE(d.blocks);
  VECTOR_FREE(d.steps);
  VECTOR_FREE(d.first);
  VECTOR_FREE(d.whole_first);
  VECTOR_FREE(d.edges);
  VECTOR_FREE(all);
  memory_free(d.key);
  memory_free(d.mask);
  presburger_free(d.sets);
  return out;
}
