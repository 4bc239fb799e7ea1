/* A quotient: a graph of blocks that does what the system does. Write B for a block with the types of all variables, t'
 * for what transition t makes of the state, and C1, C2, .. for the blocks to which edges of t lead from B. Each line is
 * proved for all states:
 *
 *   initial        init implies one of the initial blocks
 *   steps          B, and t can be taken, imply C1(t') or C2(t') or ..
 *   edges          if the quotient is exact: B implies, for every edge, that t can be taken
 *                  with inputs that lead to its block
 *   labels         B implies every state formula of the property, or its negation
 *
 * So a state in a block and the block simulate each other, step by step and action by action; if only steps are
 * known, the block simulates the state. Then the property is looked at on the graph (proof/check/kripke/kripke.h). Blocks that
 * are single states need no proof of their steps: these are taken (proof/check/quotient_single_states.h).
 *
 * Blocks without edges idle. If the quotient is not exact, a block may also idle unless all its states can move, and
 * an action counts as enabled only if all of them can take it: both make more runs fair, so what holds on all of
 * them holds in the system. */
#include <stdlib.h>

#include "base/map.h"
#include "model/transform.h"
#include "proof/check/checkers.h"
#include "proof/check/invariant_index.h"
#include "proof/check/kripke/kripke.h"
#include "proof/check/kripke/kripke_labels.h"
#include "proof/check/literal_facts.h"
#include "proof/check/quotient_single_states.h"
#include "proof/type_and_input_conditions.h"
#include "term/substitute.h"

/* A transition, prepared. */
typedef struct prepared {
  const transition *t;
  term enabled, input_types, types_after;
  term can_be_taken; /* implies that there are inputs; made when first needed */
  bool has_can, can_is_exact;
} prepared;

typedef struct checking {
  const model *m;
  const property *p;
  const evidence *e;
  terms *ts;
  questions *questions;
  check_result *result;
  parts *parts;
  singles *singles;
  VECTOR(prepared) transitions;
  term types;
  map *after; /* transition and block -> the block after the transition */
  facts *type_facts, *block_facts;
  substitution *fixed; /* what the block at hand fixes */
  size_t block;
  bool is_asserted;     /* the block at hand, in the solver */
  quotient_edge *edges; /* by block, then by transition */
  size_t *first;        /* blocks + 1: where each block's edges start */
  kripke *graph;        /* gets its idling edges block by block, and is sorted in the end */
  labels *labels;
} checking;

static bool end_with(checking *c, check_kind kind, TAKE char *what) {
  c->result->kind = kind;
  c->result->what = what;
  return false;
}

/* ---- asking about the block at hand ---- */

static void open_block(checking *c, size_t block) {
  const part *p = invariant_index_at(c->parts, block);
  c->block = block;
  c->is_asserted = false;
  substitution_clear(c->fixed);
  literal_facts_clear(c->block_facts);
  for (size_t i = 0; i < p->fixed.count; i++) {
    variable v = p->fixed.at[i].var;
    bool is_bool = variable_type(c->ts, v)->sort == SORT_BOOL;
    number n = p->fixed.at[i].value;
    substitution_set(c->fixed, v, is_bool ? term_of_bool(number_is(n, 1)) : term_number(c->ts, n));
    literal_facts_add(c->block_facts, fixed_term(c->ts, v, n));
  }
  for (size_t i = 0; i < p->conjuncts.count; i++) {
    literal_facts_add(c->block_facts, p->conjuncts.at[i]);
    literal_facts_add(c->block_facts, substitution_apply(c->fixed, p->conjuncts.at[i]));
  }
}

static void close_block(checking *c) {
  if (c->is_asserted) solver_pop(c->questions->solver);
  c->is_asserted = false;
}

static solver *solver_with_block(checking *c) {
  solver *s = questions_solver(c->questions);
  if (c->is_asserted) return s;
  const part *p = invariant_index_at(c->parts, c->block);
  solver_push(s);
  solver_assert(s, substitution_apply(c->fixed, c->types));
  for (size_t i = 0; i < p->conjuncts.count; i++) solver_assert(s, substitution_apply(c->fixed, p->conjuncts.at[i]));
  c->is_asserted = true;
  return s;
}

/* Does `t` hold in every state of the block? */
static answer block_implies(checking *c, term t) {
  if (invariant_index_at(c->parts, c->block)->is_empty) return answer_yes();
  t = substitution_apply(c->fixed, t);
  if (term_is_true(t)) return answer_yes();
  decision known = literal_facts_decide(c->block_facts, t);
  if (known == DECIDED_TRUE) return answer_yes();
  solver *s = solver_with_block(c);
  solver_push(s);
  solver_assert(s, term_not(t));
  answer a = solver_check(s, 0);
  solver_pop(s);
  c->result->queries++;
  return answer_is_yes(a) ? answer_no() : answer_is_no(a) ? answer_yes() : a;
}

/* An obligation. If `is_weaker`, the formula only implies what is to be shown, so "no" is not the end of it. */
static bool require(checking *c, term t, bool is_weaker, TAKE char *what) {
  answer a = block_implies(c, t);
  bool fine = answer_is_yes(a);
  if (answer_is_no(a) && !is_weaker)
    end_with(c, CHECK_REJECTED, text_format("block %zu: %s", c->block, what));
  else if (!fine)
    end_with(c, CHECK_UNSURE,
             text_format("block %zu: %s: %s", c->block, what,
                         answer_is_no(a) ? "inputs could not be eliminated" : a.reason));
  memory_free(what);
  c->result->obligations += fine;
  return fine;
}

/* ---- preparing ---- */

static bool is_well_formed(checking *c) {
  const quotient *q = &c->e->quotient;
  size_t blocks = c->e->parts.count;
  for (size_t i = 0; i < q->initial.count; i++)
    if (q->initial.at[i] >= blocks)
      return end_with(c, CHECK_REJECTED, text_format("initial: no block %u", q->initial.at[i]));
  for (size_t i = 0; i < q->edges.count; i++) {
    const quotient_edge *e = &q->edges.at[i];
    if (e->from >= blocks || e->to >= blocks || e->transition >= c->m->transitions.count)
      return end_with(c, CHECK_REJECTED, text_format("edge %zu: no such block or transition", i));
  }
  if (q->fails && !q->is_exact)
    return end_with(c, CHECK_REJECTED, text_format("only an exact quotient shows that a property fails"));
  if (!q->is_exact && c->p->kind != PROPERTY_LTL && !temporal_is_universal(c->p->formula))
    return end_with(c, CHECK_REJECTED,
                    text_format("the quotient is not exact, and %s is not about all runs alone", c->p->name));
  char *error = NULL;
  c->parts = invariant_index_new(c->m, c->e, &error);
  return c->parts || end_with(c, CHECK_REJECTED, error);
}

static int by_block(const void *a, const void *b) {
  const quotient_edge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  if (x->transition != y->transition) return x->transition < y->transition ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

static void sort_edges(checking *c) {
  const quotient *q = &c->e->quotient;
  size_t blocks = c->e->parts.count, count = q->edges.count;
  c->edges = MEMORY_ARRAY(quotient_edge, count + 1);
  c->first = MEMORY_ARRAY(size_t, blocks + 1);
  if (count) memcpy(c->edges, q->edges.at, count * sizeof *c->edges);
  qsort(c->edges, count, sizeof *c->edges, by_block);
  size_t at = 0;
  for (size_t b = 0; b <= blocks; b++) {
    while (at < count && c->edges[at].from < b) at++;
    c->first[b] = at;
  }
  for (size_t i = 0; i < count; i++)
    kripke_add_edge(c->graph, c->edges[i].from, c->edges[i].transition, c->edges[i].to);
}

static void add_constraints(checking *c) {
  for (size_t i = 0; i < c->m->fairness.count; i++) {
    const fairness *f = &c->m->fairness.at[i];
    kripke_constraint *k = kripke_add_constraint(c->graph);
    k->is_strong = f->kind == FAIR_STRONG;
    if (f->kind == FAIR_FORMULA) kripke_set_formula(c->graph, k, f->formula);
    for (size_t j = 0; j < f->transitions.count && f->kind != FAIR_STATE; j++)
      VECTOR_PUSH(k->group, f->transitions.at[j]);
    kripke_sort_group(k);
  }
}

static void prepare(checking *c) {
  c->types = condition_types(c->m);
  c->after = map_new();
  c->fixed = substitution_new(c->ts);
  c->type_facts = literal_facts_new(c->ts, NULL);
  literal_facts_add(c->type_facts, c->types);
  c->block_facts = literal_facts_new(c->ts, c->type_facts);
  for (size_t i = 0; i < c->m->transitions.count; i++) {
    const transition *t = &c->m->transitions.at[i];
    prepared p = {.t = t, .enabled = transition_enabled(c->m, t), .input_types = condition_input_types(c->m, t)};
    p.types_after = condition_types_after(c->m, t);
    VECTOR_PUSH(c->transitions, p);
  }
  c->singles = single_states_new(c->m, c->parts);
  c->graph = kripke_new(c->e->parts.count);
  sort_edges(c);
  add_constraints(c);
  c->labels = kripke_labels_new(c->e->parts.count, c->p->formula);
}

static term block_after(checking *c, uint32_t transition, uint32_t block) {
  uint64_t key = (uint64_t)transition << 32 | block, known;
  if (map_get(c->after, key, &known)) return (term){(uint32_t)known};
  term made = transform_after(c->m, c->transitions.at[transition].t, part_formula(c->ts, &c->e->parts.at[block]));
  map_set(c->after, key, made.x);
  return made;
}

static term can_be_taken(checking *c, prepared *p) {
  if (!p->has_can) {
    p->can_is_exact = true;
    p->can_be_taken = condition_can_be_taken(c->m, p->t, &p->can_is_exact);
    p->has_can = true;
  }
  return p->can_be_taken;
}

/* ---- steps and edges ---- */

/* The edges of one transition from the block at hand, which are there and lead to `targets`. */
static bool check_edges(checking *c, uint32_t transition, const index_vector *targets) {
  prepared *p = &c->transitions.at[transition];
  for (size_t i = 0; i < targets->count; i++) {
    term parts[] = {p->enabled, p->types_after, block_after(c, transition, targets->at[i])};
    bool exact = true;
    term taken = substitution_apply(c->fixed, term_and_all(c->ts, ARRAY_LENGTH(parts), parts));
    term some = condition_for_some(c->ts, taken, p->t->inputs.count, p->t->inputs.at, &exact);
    if (!require(c, some, !exact, text_format("not all of it can step by %s to block %u", p->t->name, targets->at[i])))
      return false;
  }
  return true;
}

static bool check_steps(checking *c, uint32_t transition, const index_vector *targets) {
  prepared *p = &c->transitions.at[transition];
  term left[] = {p->input_types, p->enabled};
  term_vector into = {0};
  for (size_t i = 0; i < targets->count; i++) VECTOR_PUSH(into, block_after(c, transition, targets->at[i]));
  term lands = term_and(c->ts, p->types_after, term_or_all(c->ts, into.count, into.at));
  term claim = term_implies(c->ts, term_and_all(c->ts, ARRAY_LENGTH(left), left), lands);
  VECTOR_FREE(into);
  return require(c, claim, false, text_format("a step by %s leads to a block without edge", p->t->name));
}

static bool check_transition(checking *c, uint32_t transition, const index_vector *targets) {
  bool exact = c->e->quotient.is_exact;
  const char *name = c->transitions.at[transition].t->name;
  switch (single_states_try(c->singles, c->block, transition, targets->count, targets->at, exact)) {
    case SINGLE_FINE: c->result->obligations++; return true;
    case SINGLE_STEPS_BEYOND:
      return end_with(c, CHECK_REJECTED,
                      text_format("block %zu: a step by %s leads to a block without edge", c->block, name));
    case SINGLE_NOT_REACHED:
      return end_with(c, CHECK_REJECTED,
                      text_format("block %zu: no step by %s leads to where an edge does", c->block, name));
    case SINGLE_UNDECIDED: break;
  }
  if (exact && !check_edges(c, transition, targets)) return false;
  /* without inputs there is one step, and that it leads to this block is shown */
  if (exact && targets->count == 1 && !c->transitions.at[transition].t->inputs.count) return true;
  return check_steps(c, transition, targets);
}

/* ---- labels ---- */

static bool check_labels(checking *c) {
  for (size_t i = 0; i < kripke_labels_count(c->labels); i++) {
    term t = kripke_labels_at(c->labels, i);
    if (term_is_true(t) || term_is_false(t)) continue;
    answer yes = block_implies(c, t), no = answer_is_yes(yes) ? answer_no() : block_implies(c, term_not(t));
    if (!answer_is_yes(yes) && !answer_is_yes(no))
      return end_with(c, CHECK_UNSURE,
                      text_format("block %zu does not decide state formula %zu of the property", c->block, i));
    kripke_labels_set(c->labels, i, c->block, answer_is_yes(yes));
    c->result->obligations++;
  }
  return true;
}

static bool has_edge(const checking *c, size_t count, const uint32_t *transitions) {
  for (size_t i = c->first[c->block]; i < c->first[c->block + 1]; i++)
    for (size_t k = 0; k < count; k++)
      if (c->edges[i].transition == transitions[k]) return true;
  return false;
}

/* Can every state of the block take one of these? For exact quotients: can one? */
static bool is_enabled(checking *c, size_t count, const uint32_t *transitions) {
  if (c->e->quotient.is_exact)
    return transitions ? has_edge(c, count, transitions) : c->first[c->block] < c->first[c->block + 1];
  term_vector some = {0};
  for (size_t i = 0; i < count; i++)
    VECTOR_PUSH(some, can_be_taken(c, &c->transitions.at[transitions ? transitions[i] : i]));
  answer a = block_implies(c, term_or_all(c->ts, some.count, some.at));
  VECTOR_FREE(some);
  return answer_is_yes(a);
}

/* Atoms of a condition that is a formula. Of steps: no step ends in a block that idles, and none need end in one that may. */
static bool check_formula(checking *c, kripke_constraint *k) {
  bool moves = is_enabled(c, c->transitions.count, NULL), exact = c->e->quotient.is_exact;
  for (size_t i = 0; i < k->atoms.count; i++) {
    kripke_often *a = &k->atoms.at[i];
    bool of_steps = a->atom->kind == TEMPORAL_INF_NEXT;
    bool never = answer_is_yes(block_implies(c, term_not(a->atom->left->state)));
    bool always = !never && answer_is_yes(block_implies(c, a->atom->left->state));
    if (exact && !never && !always)
      return end_with(c, CHECK_UNSURE,
                      text_format("block %zu does not decide the states of a fairness condition", c->block));
    if (!never && (moves || !of_steps || !exact)) bits_add(&a->maybe, c->block);
    if (always && (moves || !of_steps)) bits_add(&a->surely, c->block);
  }
  return true;
}

static bool check_fairness(checking *c) {
  for (size_t i = 0; i < c->m->fairness.count; i++) {
    const fairness *f = &c->m->fairness.at[i];
    kripke_constraint *k = &c->graph->constraints.at[i];
    if (f->kind == FAIR_STATE) {
      bool never = answer_is_yes(block_implies(c, term_not(f->state)));
      bool always = never || answer_is_yes(block_implies(c, f->state));
      if (c->e->quotient.is_exact && !always)
        return end_with(c, CHECK_UNSURE,
                        text_format("block %zu does not decide the states of a fairness condition", c->block));
      if (!never) bits_add(&k->seen, c->block);
      continue;
    }
    if (f->kind == FAIR_FORMULA) {
      if (!check_formula(c, k)) return false;
      continue;
    }
    bool enabled = is_enabled(c, f->transitions.count, f->transitions.at);
    if (enabled) bits_add(&k->wanted, c->block);
    if (!enabled && f->kind == FAIR_WEAK) bits_add(&k->seen, c->block);
  }
  return true;
}

/* ---- all blocks ---- */

static bool check_block(checking *c, size_t block) {
  index_vector targets = {0};
  bool fine = true;
  size_t at = c->first[block], end = c->first[block + 1];
  open_block(c, block);
  for (uint32_t t = 0; t < c->transitions.count && fine; t++) {
    VECTOR_CLEAR(targets);
    for (; at < end && c->edges[at].transition == t; at++)
      if (!targets.count || VECTOR_LAST(targets) != c->edges[at].to) VECTOR_PUSH(targets, c->edges[at].to);
    fine = check_transition(c, t, &targets);
  }
  fine = fine && check_labels(c) && check_fairness(c);
  if (fine && !is_enabled(c, c->transitions.count, NULL))
    kripke_add_edge(c->graph, (uint32_t)block, KRIPKE_IDLE, (uint32_t)block);
  close_block(c);
  VECTOR_FREE(targets);
  return fine;
}

static bool check_blocks(checking *c) {
  bool fine = true;
  for (size_t i = 0; i < c->e->parts.count && fine; i++) {
    const char *reason = budget_spent(c->questions->budget);
    fine = reason ? end_with(c, CHECK_UNSURE, memory_copy_string(reason)) : check_block(c, i);
  }
  return fine;
}

/* ---- initial states ---- */

static bool check_initial(checking *c) {
  const quotient *q = &c->e->quotient;
  term_vector blocks = {0};
  for (size_t i = 0; i < q->initial.count; i++)
    VECTOR_PUSH(blocks, part_formula(c->ts, &c->e->parts.at[q->initial.at[i]]));
  term covered = term_and(c->ts, c->types, term_or_all(c->ts, blocks.count, blocks.at));
  VECTOR_FREE(blocks);
  answer a = solver_valid(questions_solver(c->questions), term_implies(c->ts, c->m->init, covered));
  c->result->queries++;
  c->result->obligations++;
  if (answer_is_yes(a)) return true;
  return answer_is_no(a) ? end_with(c, CHECK_REJECTED, text_format("initial: an initial state is in no initial block"))
                         : end_with(c, CHECK_UNSURE, text_format("initial: %s", a.reason));
}

/* An initial block of these in which there is an initial state. */
static bool has_initial_state(checking *c, const bits *blocks) {
  const quotient *q = &c->e->quotient;
  const char *unsure = NULL;
  for (size_t i = 0; i < q->initial.count; i++) {
    if (!bits_has(blocks, q->initial.at[i])) continue;
    term block = part_formula(c->ts, &c->e->parts.at[q->initial.at[i]]);
    answer a = solver_satisfiable(questions_solver(c->questions), term_and(c->ts, c->m->init, block));
    c->result->queries++;
    if (answer_is_yes(a)) return true;
    if (answer_is_unsure(a)) unsure = a.reason;
  }
  return unsure
             ? end_with(c, CHECK_UNSURE, memory_copy_string(unsure))
             : end_with(c, CHECK_REJECTED, text_format("the property does not fail in a block with an initial state"));
}

/* ---- the property ---- */

static bool check_property(checking *c) {
  const quotient *q = &c->e->quotient;
  kripke_question question = {.graph = c->graph,
                              .logic = c->p->kind,
                              .formula = c->p->formula,
                              .truth = kripke_labels_truth,
                              .context = c->labels,
                              .budget = c->questions->budget};
  bits where;
  const char *why;
  kripke_sort(c->graph);
  if (!kripke_ask(&question, !q->fails, &where, &why)) return end_with(c, CHECK_UNSURE, memory_copy_string(why));
  bool fine = true;
  if (q->fails) fine = has_initial_state(c, &where);
  for (size_t i = 0; i < q->initial.count && fine && !q->fails; i++)
    if (!bits_has(&where, q->initial.at[i]))
      fine = end_with(c, q->is_exact ? CHECK_REJECTED : CHECK_UNSURE,
                      text_format("the property does not hold in block %u", q->initial.at[i]));
  bits_free(&where);
  c->result->obligations += fine;
  return fine;
}

void check_quotient(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  checking c = {.m = m, .p = p, .e = e, .ts = m->terms, .questions = q, .result = result};
  if (is_well_formed(&c) && (!e->steps.count || check_run(m, e, q, result))) {
    prepare(&c);
    if (check_initial(&c) && check_blocks(&c)) check_property(&c);
  }
  single_states_free(c.singles);
  invariant_index_free(c.parts);
  VECTOR_FREE(c.transitions);
  map_free(c.after);
  literal_facts_free(c.block_facts);
  literal_facts_free(c.type_facts);
  substitution_free(c.fixed);
  memory_free(c.edges);
  memory_free(c.first);
  kripke_free(c.graph);
  kripke_labels_free(c.labels);
}
