/* A run that breaks a temporal property: replayed like any other, then looked at as a graph of its positions.
 *
 *   the loop       the last state is an earlier one again; or nothing can be taken in it, and it idles
 *   fairness       what is enabled in the states of the loop is asked of the model, what is taken is read off the run
 *   the property   LTL is false on it. Of CTL and CTL* it is a part of what can happen, so only what some run
 *                  shows counts: the negation is true on it. Of what comes after a run without loop nothing
 *                  is known */
#include "proof/check/checkers.h"
#include "proof/check/kripke/kripke.h"
#include "proof/check/kripke/kripke_labels.h"
#include "term/evaluate.h"

typedef struct looking {
  const model *m;
  const property *p;
  const evidence *e;
  questions *questions;
  check_result *result;
  size_t positions; /* states of the run that are nodes; one more node stands for what is not known */
  bool idles;
  number *values;
  kripke *graph;
  labels *labels;
} looking;

static bool end_with(looking *l, check_kind kind, TAKE char *what) {
  l->result->kind = kind;
  l->result->what = what;
  return false;
}

static void load(looking *l, size_t position) {
  for (size_t i = 0; i < l->m->variables.count; i++)
    l->values[l->m->variables.at[i].var.x] = l->e->steps.at[position].values.at[i];
}

static bool holds(const looking *l, term t) { return !number_is(term_evaluate(l->m->terms, t, l->values), 0); }

static bool is_same_state(const looking *l, size_t a, size_t b) {
  for (size_t i = 0; i < l->m->variables.count; i++)
    if (!number_equal(l->e->steps.at[a].values.at[i], l->e->steps.at[b].values.at[i])) return false;
  return true;
}

/* Can one of the transitions be taken in the state that is loaded? */
static bool is_enabled(looking *l, size_t count, const uint32_t *transitions, size_t position, bool *out) {
  *out = false;
  for (size_t i = 0; i < count && !*out; i++) {
    const transition *t = &l->m->transitions.at[transitions ? transitions[i] : i];
    answer a = check_can_take(l->m, t, l->values, l->questions, l->result);
    if (answer_is_unsure(a))
      return end_with(l, CHECK_UNSURE,
                      text_format("state %zu: whether %s can be taken: %s", position, t->name, a.reason));
    *out = answer_is_yes(a);
  }
  return true;
}

static bool check_loop_form(looking *l) {
  size_t last = l->e->steps.count - 1, loop = l->e->loop;
  bool can_move = false;
  l->positions = l->e->steps.count;
  if (!l->e->has_loop) return true;
  if (loop > last)
    return end_with(l, CHECK_REJECTED, text_format("the loop starts at state %zu, which is not there", loop));
  l->idles = loop == last;
  if (!l->idles) {
    l->positions--;
    return is_same_state(l, loop, last) ||
           end_with(l, CHECK_REJECTED, text_format("the last state is not state %zu again", loop));
  }
  load(l, last);
  if (!is_enabled(l, l->m->transitions.count, NULL, last, &can_move)) return false;
  return !can_move || end_with(l, CHECK_REJECTED, text_format("the last state does not idle: it has a step"));
}

static void add_edges(looking *l) {
  size_t unknown = l->positions, steps = l->e->steps.count;
  for (size_t i = 0; i + 1 < steps; i++) {
    size_t to = i + 1 < l->positions ? i + 1 : l->e->loop;
    kripke_add_edge(l->graph, (uint32_t)i, l->e->steps.at[i + 1].transition, (uint32_t)to);
  }
  if (l->idles) kripke_add_edge(l->graph, (uint32_t)steps - 1, KRIPKE_IDLE, (uint32_t)steps - 1);
  if (!l->e->has_loop) kripke_add_edge(l->graph, (uint32_t)steps - 1, KRIPKE_IDLE, (uint32_t)unknown);
  kripke_add_edge(l->graph, (uint32_t)unknown, KRIPKE_IDLE, (uint32_t)unknown);
}

/* A condition that is a formula. What is not known meets none. */
static void add_formula(looking *l, const fairness *f, kripke_constraint *c) {
  kripke_set_formula(l->graph, c, f->formula);
  for (size_t k = 0; k < c->atoms.count; k++) {
    kripke_often *a = &c->atoms.at[k];
    bits_add(&a->surely, l->positions);
    for (size_t i = 0; i < l->positions; i++) {
      load(l, i);
      bool is_still = a->atom->kind == TEMPORAL_INF_NEXT && l->idles && i + 1 == l->positions;
      if (is_still || !holds(l, a->atom->left->state)) continue;
      bits_add(&a->maybe, i);
      bits_add(&a->surely, i);
    }
  }
}

static bool add_constraint(looking *l, const fairness *f) {
  kripke_constraint *c = kripke_add_constraint(l->graph);
  if (f->kind == FAIR_FORMULA) {
    add_formula(l, f, c);
    return true;
  }
  c->is_strong = f->kind == FAIR_STRONG;
  for (size_t i = 0; i < f->transitions.count && f->kind != FAIR_STATE; i++)
    VECTOR_PUSH(c->group, f->transitions.at[i]);
  kripke_sort_group(c);
  bits_add(&c->wanted, l->positions); /* what is not known is not taken to be fair */
  for (size_t i = 0; i < l->positions; i++) {
    bool enabled = false;
    load(l, i);
    if (f->kind == FAIR_STATE) {
      if (holds(l, f->state)) bits_add(&c->seen, i);
      continue;
    }
    if (!is_enabled(l, f->transitions.count, f->transitions.at, i, &enabled)) return false;
    if (enabled) bits_add(&c->wanted, i);
    if (!enabled && f->kind == FAIR_WEAK) bits_add(&c->seen, i);
  }
  return true;
}

static void add_labels(looking *l) {
  for (size_t i = 0; i < l->positions; i++) {
    load(l, i);
    for (size_t k = 0; k < kripke_labels_count(l->labels); k++)
      kripke_labels_set(l->labels, k, i, holds(l, kripke_labels_at(l->labels, k)));
  }
}

static bool check_property(looking *l) {
  kripke_question q = {.graph = l->graph,
                       .logic = l->p->kind,
                       .formula = l->p->formula,
                       .truth = kripke_labels_truth,
                       .context = l->labels,
                       .is_partial = l->p->kind != PROPERTY_LTL,
                       .budget = l->questions->budget};
  bits fails;
  const char *why;
  if (!kripke_ask(&q, false, &fails, &why)) return end_with(l, CHECK_UNSURE, memory_copy_string(why));
  bool is_broken = bits_has(&fails, 0);
  bits_free(&fails);
  return is_broken || end_with(l, CHECK_REJECTED, text_format("the run does not show that %s fails", l->p->name));
}

static bool look(looking *l) {
  if (l->p->kind == PROPERTY_MU)
    return end_with(l, CHECK_UNSURE, text_format("a run is no evidence about a formula of the mu-calculus"));
  if (l->p->kind == PROPERTY_LTL && !l->e->has_loop)
    return end_with(l, CHECK_REJECTED, text_format("the run has no loop"));
  if (!check_run(l->m, l->e, l->questions, l->result) || !check_loop_form(l)) return false;
  l->graph = kripke_new(l->positions + 1);
  l->labels = kripke_labels_new(l->positions + 1, l->p->formula);
  add_edges(l);
  for (size_t i = 0; i < l->m->fairness.count; i++) {
    if (!add_constraint(l, &l->m->fairness.at[i])) return false;
    l->result->obligations++;
  }
  kripke_sort(l->graph);
  add_labels(l);
  if (!check_property(l)) return false;
  l->result->obligations++;
  return true;
}

void check_loop(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  looking l = {.m = m, .p = p, .e = e, .questions = q, .result = result};
  l.values = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  look(&l);
  kripke_free(l.graph);
  kripke_labels_free(l.labels);
  memory_free(l.values);
}
