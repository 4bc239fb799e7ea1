/* The paper's own bookkeeping of questions, as settled by experiment:
 *   R1 the cache is emptied at every iteration
 *   R2 untouched conjuncts are not asked
 *   R3 right sides without variables are not asked
 *   R4 predicates already scheduled are not asked
 *   R5 a right side known to be a tautology is not counted again
 *   R6 a right side that is a predicate already is asked all the same
 *   R7 the left side is what is connected to the right side; places do not count
 *   R8 right sides are distinguished by their text: each side of the comparison is folded, nothing is moved across
 * A question is first asked as a tautology, then as an implication; each counts as a query or as a hit of the cache. */
#include "engine/alpha/alpha.h"

/* A comparison with its two sides apart. */
typedef struct comparison {
  term left, right;
  bool equality;
  bool negated; /* the normalised atom is its negation */
} comparison;

typedef VECTOR(comparison) comparison_vector;

/* What an action makes of a predicate, as this iteration asks for it. */
typedef struct prepared {
  bool asked;
  bool beyond; /* no comparison any more, as in no model of the paper: treated as without this accounting */
  comparison form;
  term formula;
  uint64_t number; /* of the right side */
} prepared;

typedef VECTOR(prepared) prepared_vector;

struct paper_account {
  VECTOR(prepared_vector) by_action; /* empty until the action is first taken in this iteration */
  comparison_vector forms;           /* of the predicates, in their order */
  map *form_of;                      /* atom scheduled -> position in `scheduled` */
  comparison_vector scheduled;
  map *tautologies;                  /* right side -> 1 proved, 0 not */
  map *right_sides;                  /* comparison -> number */
  VECTOR(VECTOR(uint64_t)) relevant; /* by right side: the predicates connected to it */
  store *questions;                  /* asked in this iteration: right side, then literals */
  VECTOR(bool) answers;
};

struct paper_account *paper_account_new(void) {
  struct paper_account *p = MEMORY_NEW(struct paper_account);
  p->form_of = map_new();
  p->tautologies = map_new();
  p->right_sides = map_new();
  return p;
}

static void forget_iteration(struct paper_account *p) {
  for (size_t i = 0; i < p->by_action.count; i++) VECTOR_FREE(p->by_action.at[i]);
  VECTOR_CLEAR(p->by_action);
  for (size_t i = 0; i < p->relevant.count; i++) VECTOR_FREE(p->relevant.at[i]);
  VECTOR_CLEAR(p->relevant);
}

void paper_account_free(struct paper_account *p) {
  if (!p) return;
  forget_iteration(p);
  VECTOR_FREE(p->by_action);
  VECTOR_FREE(p->relevant);
  VECTOR_FREE(p->forms);
  VECTOR_FREE(p->scheduled);
  VECTOR_FREE(p->answers);
  map_free(p->form_of);
  map_free(p->tautologies);
  map_free(p->right_sides);
  store_free(p->questions);
  memory_free(p);
}

/* How a normalised atom would have been written: positive coefficients to the left, negative ones to the right. */
static comparison comparison_of(terms *ts, term atom) {
  term sum = term_argument(ts, atom, 0);
  linear l = term_linear(ts, sum);
  VECTOR(term) leaves = {0};
  VECTOR(number) coefficients = {0};
  number constant = l.constant;
  for (size_t i = 0; i < l.count; i++) {
    if (number_sign(l.coefficients[i]) < 0) continue;
    VECTOR_PUSH(leaves, l.leaves[i]);
    VECTOR_PUSH(coefficients, l.coefficients[i]);
  }
  bool left_constant = number_sign(constant) > 0;
  term left = term_sum(ts, left_constant ? constant : number_of(0), leaves.count, leaves.at, coefficients.at);
  VECTOR_FREE(leaves);
  VECTOR_FREE(coefficients);
  return (comparison){left, term_sub(ts, left, sum), term_kind_of(ts, atom) == TERM_EQ, false};
}

static term comparison_term(terms *ts, const comparison *c) {
  return c->equality ? term_eq(ts, c->left, c->right) : term_le(ts, c->left, c->right);
}

void paper_start_iteration(alpha *a) {
  struct paper_account *p = a->account;
  for (size_t i = p->forms.count; i < predicates_count(a->predicates); i++) {
    term atom = predicates_at(a->predicates, i);
    uint64_t at;
    bool known = map_get(p->form_of, term_index(atom), &at);
    VECTOR_PUSH(p->forms, known ? p->scheduled.at[at] : comparison_of(a->ts, atom));
  }
  map_clear(p->form_of);
  VECTOR_CLEAR(p->scheduled);
  map_clear(p->tautologies);
  map_clear(p->right_sides);
  forget_iteration(p);
  VECTOR_RESERVE(p->by_action, a->actions.count);
  p->by_action.count = a->actions.count;
  if (a->actions.count) memset(p->by_action.at, 0, a->actions.count * sizeof *p->by_action.at);
  store_free(p->questions);
  p->questions = store_new((2 + predicates_words(a->predicates)) * sizeof(uint64_t), 1);
  VECTOR_CLEAR(p->answers);
}

static bool mentions_variables(const terms *ts, const comparison *c) {
  return !term_is_number(ts, c->left, NULL) || !term_is_number(ts, c->right, NULL);
}

/* Marks the predicates connected to the variables of `c` through shared variables. */
static void find_relevant(alpha *a, const comparison *c, uint64_t *mask) {
  variable_vector connected = {0}, own = {0};
  term sides[2] = {c->left, c->right};
  term_variables(a->ts, 2, sides, &connected);
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = 0; i < predicates_count(a->predicates); i++) {
      if (word_bit(mask, i)) continue;
      term p = predicates_at(a->predicates, i);
      bool shares = false;
      VECTOR_CLEAR(own);
      term_variables(a->ts, 1, &p, &own);
      for (size_t j = 0; j < own.count && !shares; j++)
        for (size_t k = 0; k < connected.count && !shares; k++) shares = variable_same(own.at[j], connected.at[k]);
      if (!shares) continue;
      mask[i / 64] |= UINT64_C(1) << (i % 64);
      for (size_t j = 0; j < own.count; j++) VECTOR_PUSH(connected, own.at[j]);
      grown = true;
    }
  }
  VECTOR_FREE(connected);
  VECTOR_FREE(own);
}

static uint64_t right_side_number(alpha *a, const comparison *c) {
  struct paper_account *p = a->account;
  uint64_t key = (uint64_t)c->equality << 63 | (uint64_t)c->left.x << 32 | c->right.x, number;
  if (map_get(p->right_sides, key, &number)) return number;
  number = p->relevant.count;
  map_set(p->right_sides, key, number);
  VECTOR_RESERVE(p->relevant, p->relevant.count + 1);
  memset(&p->relevant.at[number], 0, sizeof p->relevant.at[number]);
  p->relevant.count++;
  size_t words = predicates_words(a->predicates);
  VECTOR_RESERVE(p->relevant.at[number], words + 1);
  memset(p->relevant.at[number].at, 0, (words + 1) * sizeof(uint64_t));
  p->relevant.at[number].count = words;
  find_relevant(a, c, p->relevant.at[number].at);
  return number;
}

/* Counts the question of these words as asked or remembered. */
static bool is_new_question(alpha *a, exploration *s, const uint64_t *words, uint64_t *index) {
  if (store_add(a->account->questions, words, index) == STORE_KNOWN) {
    s->cache_hits++;
    return false;
  }
  s->queries++;
  VECTOR_PUSH(a->account->answers, false);
  return true;
}

/* A comparison in normal form that is no constant has a state that breaks it: normalisation answers. */
static bool ask_tautology(alpha *a, exploration *s, uint64_t right, term formula, uint64_t *words) {
  struct paper_account *p = a->account;
  uint64_t known, index;
  if (map_get(p->tautologies, right, &known) && known) return true;
  memset(words, 0, (2 + predicates_words(a->predicates)) * sizeof *words);
  words[0] = right;
  if (is_new_question(a, s, words, &index)) p->answers.at[index] = term_is_true(formula);
  map_set(p->tautologies, right, p->answers.at[index]);
  return p->answers.at[index];
}

/* Only what is connected to the right side is in the key; what is not cannot change the answer, since the abstraction
 * has a model. */
static bool ask_implication(alpha *a, exploration *s, alpha_source *from, uint64_t number, uint64_t right, term formula,
                            uint64_t *words) {
  struct paper_account *p = a->account;
  const uint64_t *relevant = p->relevant.at[number].at;
  uint64_t index;
  words[0] = right;
  words[1] = 1 + number;
  for (size_t i = 0; i < predicates_words(a->predicates); i++) words[2 + i] = from->bits[i] & relevant[i];
  if (!is_new_question(a, s, words, &index)) return p->answers.at[index];
  exact_context(a, from);
  p->answers.at[index] = answer_is_yes(prover_ask(a->prover, formula));
  return p->answers.at[index];
}

static void prepare_action(alpha *a, const alpha_action *act, prepared_vector *out) {
  struct paper_account *p = a->account;
  substitution *by = substitution_new(a->ts);
  for (size_t i = 0; i < act->updates.count; i++)
    substitution_set(by, act->updates.at[i].var, act->updates.at[i].value);
  for (size_t i = 0; i < p->forms.count; i++) {
    prepared made = {.asked = false};
    const image *im = &act->images.at[i];
    term_kind kind = im->kind == IMAGE_FORMULA ? term_kind_of(a->ts, im->formula) : TERM_LE;
    made.beyond = im->mixed || (kind != TERM_LE && kind != TERM_EQ);
    if (im->kind != IMAGE_UNTOUCHED && !made.beyond) {
      const comparison *form = &p->forms.at[i];
      made.form =
          (comparison){substitution_apply(by, form->left), substitution_apply(by, form->right), form->equality, false};
      made.formula = comparison_term(a->ts, &made.form);
      made.form.negated = term_is_negated(made.formula);
      made.asked = mentions_variables(a->ts, &made.form);
      if (made.asked) made.number = right_side_number(a, &made.form);
    }
    VECTOR_PUSH(*out, made);
  }
  substitution_free(by);
}

void paper_images(alpha *a, exploration *s, alpha_source *from, alpha_action *act, const int64_t *target,
                  const uint64_t *target_bits) {
  struct paper_account *p = a->account;
  prepared_vector *all = &p->by_action.at[act - a->actions.at];
  if (!all->count) prepare_action(a, act, all);
  enum { FEW = 64 };
  uint64_t few[FEW], *words = predicates_words(a->predicates) + 2 <= FEW
                                  ? few
                                  : MEMORY_ARRAY(uint64_t, predicates_words(a->predicates) + 2);
  for (size_t i = 0; i < all->count; i++) {
    const prepared *w = &all->at[i];
    if (w->beyond) exact_image(a, s, from, act, i, word_bit(target_bits, i));
    if (!w->asked || map_get(p->form_of, term_index(w->formula), NULL)) continue;
    bool holds = word_bit(target_bits, i) != p->forms.at[i].negated;
    uint64_t right = 2 * w->number + holds;
    term formula = holds ? w->formula : term_not(w->formula);
    if (ask_tautology(a, s, right, formula, words) || ask_implication(a, s, from, w->number, right, formula, words))
      continue;
    if (predicates_find(a->predicates, formula) != SIZE_MAX) continue;
    act->inexact = true;
    map_set(p->form_of, term_index(formula), p->scheduled.count);
    VECTOR_PUSH(p->scheduled, w->form);
    explore_want(s, formula, 0);
  }
  exact_control_images(a, s, from, act, target);
  if (words != few) memory_free(words);
}
