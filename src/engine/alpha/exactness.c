/* Is the abstraction exact for a step (section 4.2)? Known at once if all atoms of the formula are predicates that
 * count in the source: the abstract state then decides it. Otherwise the prover is asked, and if it cannot confirm,
 * the missing atoms are scheduled. */
#include "engine/alpha/alpha.h"
#include "term/bounds.h"

static substitution *control_values(alpha *a, alpha_source *from) {
  if (!from->values) {
    from->values = substitution_new(a->ts);
    for (size_t i = 0; i < a->kept.positions.count; i++) {
      size_t at = a->kept.positions.at[i];
      variable v = a->m->variables.at[at].var;
      substitution_set(from->values, v, term_of_value(a->ts, v, from->state[at]));
    }
  }
  return from->values;
}

/* About so few that a question with it needs no solver: those are asked for every state and step. */
static bool is_cheap(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  if (kind != TERM_LE && kind != TERM_EQ) return term_is_atom(ts, t);
  return term_linear(ts, term_argument(ts, t, 0)).count <= 2;
}

/* What is not an atom may become a cheap one once the control has its values. */
bool exact_may_use(const terms *ts, term fact) { return !term_is_atom(ts, fact) || is_cheap(ts, fact); }

static void add_cheap(alpha *a, term fact, term_vector *out) {
  term_vector all = {0};
  term_conjuncts(a->ts, term_simplify_in_types(a->ts, fact), &all);
  for (size_t i = 0; i < all.count; i++)
    if (is_cheap(a->ts, all.at[i])) VECTOR_PUSH(*out, all.at[i]);
  VECTOR_FREE(all);
}

void exact_learn(alpha *a) {
  VECTOR_CLEAR(a->facts_everywhere);
  VECTOR_CLEAR(a->facts_by_control);
  for (size_t i = 0; i < a->env->facts.count && a->env->used_facts; i++) {
    term fact = a->env->facts.at[i];
    if (kept_is_free_of(&a->kept, fact))
      add_cheap(a, fact, &a->facts_everywhere);
    else
      VECTOR_PUSH(a->facts_by_control, fact);
  }
}

/* What is known to hold wherever the control is as in the source. */
static void add_facts(alpha *a, alpha_source *from, term_vector *out) {
  for (size_t i = 0; i < a->facts_everywhere.count; i++) VECTOR_PUSH(*out, a->facts_everywhere.at[i]);
  for (size_t i = 0; i < a->facts_by_control.count; i++)
    add_cheap(a, substitution_apply(control_values(a, from), a->facts_by_control.at[i]), out);
}

/* Asserts what holds in the source: the predicates that count, with the control values put in where they
 * occur, and what was proved before. All of it holds in the concrete state of the source. */
void exact_context(alpha *a, alpha_source *from) {
  if (from->context_set) return;
  term_vector literals = {0};
  add_facts(a, from, &literals);
  for (size_t i = 0; i < predicates_count(a->predicates); i++) {
    if (!word_bit(from->mask, i)) continue;
    term p = predicates_at(a->predicates, i);
    if (predicates_is_mixed(a->predicates, i)) p = substitution_apply(control_values(a, from), p);
    VECTOR_PUSH(literals, word_bit(from->bits, i) ? p : term_not(p));
  }
  prover_context(a->prover, literals.count, literals.at, true);
  from->context_set = true;
  VECTOR_FREE(literals);
}

static bool all_active(const alpha *a, const alpha_source *from, const term_vector *atoms) {
  for (size_t i = 0; i < atoms->count; i++) {
    size_t at = predicates_find(a->predicates, atoms->at[i]);
    if (at == SIZE_MAX || !word_bit(from->mask, at)) return false;
  }
  return true;
}

static void want_missing(alpha *a, exploration *s, const alpha_source *from, alpha_action *act,
                         const term_vector *atoms) {
  act->inexact = true;
  for (size_t i = 0; i < atoms->count; i++) {
    size_t at = predicates_find(a->predicates, atoms->at[i]);
    if (at == SIZE_MAX || !word_bit(from->mask, at)) explore_want(s, atoms->at[i], a->local ? act->place : 0);
  }
}

/* `holds` is the truth of `formula` in the source. */
static void require_decided(alpha *a, exploration *s, alpha_source *from, alpha_action *act, term formula, bool mixed,
                            const term_vector *atoms, bool holds) {
  if (all_active(a, from, atoms)) return;
  term_vector inner = {0};
  if (mixed) {
    formula = term_simplify_in_types(a->ts, substitution_apply(control_values(a, from), formula));
    data_atoms(a->ts, &a->kept, formula, &inner);
    atoms = &inner;
  }
  if (term_index(formula) != 0 && !all_active(a, from, atoms)) {
    bool proved = false;
    if (!a->lightweight) {
      exact_context(a, from);
      s->queries++;
      proved = answer_is_yes(prover_ask(a->prover, holds ? formula : term_not(formula)));
    }
    if (!proved) want_missing(a, s, from, act, atoms);
  }
  VECTOR_FREE(inner);
}

void exact_test(alpha *a, exploration *s, alpha_source *from, alpha_action *act, bool taken) {
  require_decided(a, s, from, act, act->data_test, act->test_mixed, &act->test_atoms, taken);
}

void exact_control_images(alpha *a, exploration *s, alpha_source *from, alpha_action *act, const int64_t *target) {
  term_vector atoms = {0};
  for (size_t i = 0; i < act->control_targets.count; i++) {
    size_t at = act->control_targets.at[i];
    term formula = act->control_images.at[i].formula;
    bool holds = target[at] != 0;
    if (variable_type(a->ts, a->m->variables.at[at].var)->sort == SORT_INT) {
      term value = TERM_TRUE;
      for (size_t j = 0; j < act->updates.count; j++)
        if (variable_same(act->updates.at[j].var, a->m->variables.at[at].var)) value = act->updates.at[j].value;
      formula = term_lift_ite(a->ts, term_eq(a->ts, value, term_int(a->ts, target[at])));
      holds = true;
    }
    VECTOR_CLEAR(atoms);
    data_atoms(a->ts, &a->kept, formula, &atoms);
    require_decided(a, s, from, act, formula, true, &atoms, holds);
  }
  VECTOR_FREE(atoms);
}

void exact_image(alpha *a, exploration *s, alpha_source *from, alpha_action *act, size_t predicate, bool holds) {
  const image *im = &act->images.at[predicate];
  if (im->kind == IMAGE_CONSTANT) return;
  if (im->kind == IMAGE_FORMULA) {
    require_decided(a, s, from, act, im->formula, im->mixed, &im->atoms, holds);
  } else if (!word_bit(from->mask, predicate)) { /* it counts there but not here */
    term p = predicates_at(a->predicates, predicate);
    term_vector itself = {.at = &p, .count = 1, .room = 1};
    require_decided(a, s, from, act, p, predicates_is_mixed(a->predicates, predicate), &itself, holds);
  }
}

void exact_images(alpha *a, exploration *s, alpha_source *from, alpha_action *act, const int64_t *target,
                  const uint64_t *target_mask, const uint64_t *target_bits) {
  for (size_t i = 0; i < predicates_count(a->predicates); i++)
    if (word_bit(target_mask, i)) exact_image(a, s, from, act, i, word_bit(target_bits, i));
  exact_control_images(a, s, from, act, target);
}

void exact_open(alpha *a, exploration *s, alpha_source *from, alpha_action *act, const term_vector *targets,
                const term_vector *atoms) {
  term covered = term_implies(a->ts, act->enabled, term_or_all(a->ts, targets->count, targets->at));
  covered = term_simplify_in_types(a->ts, substitution_apply(control_values(a, from), covered));
  if (term_is_true(covered)) return;
  if (!a->lightweight) {
    exact_context(a, from);
    s->queries++;
    if (answer_is_yes(prover_ask(a->prover, covered))) return;
  }
  size_t before = s->wanted.count;
  want_missing(a, s, from, act, atoms);
  if (s->wanted.count == before) s->incomplete = "no predicate separates the targets of an input";
}

void exact_movable(alpha *a, exploration *s, alpha_source *from, alpha_action *act, term way) {
  term_vector atoms = {0};
  data_atoms(a->ts, &a->kept, way, &atoms);
  require_decided(a, s, from, act, way, true, &atoms, true);
  VECTOR_FREE(atoms);
}
