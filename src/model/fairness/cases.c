/* Cases of a fairness condition: its disjunctive normal form. A disjunction of atoms with at most one negated one, which is what a Streett
 * pair says, stays one clause. */
#include "model/fairness/cases.h"

typedef struct literal {
  const temporal *atom;
  bool is_negated;
} literal;

typedef VECTOR(literal) literals; /* all of them */
typedef VECTOR(literals) choices; /* one of them */

static void choices_clear(choices *c) {
  for (size_t i = 0; i < c->count; i++) VECTOR_FREE(c->at[i]);
  VECTOR_FREE(*c);
}

static choices both(choices a, choices b) {
  choices out = {0};
  for (size_t i = 0; i < a.count && out.count <= FAIRNESS_MOST_CASES; i++)
    for (size_t j = 0; j < b.count && out.count <= FAIRNESS_MOST_CASES; j++) {
      literals made = {0};
      for (size_t k = 0; k < a.at[i].count; k++) VECTOR_PUSH(made, a.at[i].at[k]);
      for (size_t k = 0; k < b.at[j].count; k++) VECTOR_PUSH(made, b.at[j].at[k]);
      VECTOR_PUSH(out, made);
    }
  choices_clear(&a);
  choices_clear(&b);
  return out;
}

static choices either(choices a, choices b) {
  for (size_t i = 0; i < b.count; i++) {
    if (a.count <= FAIRNESS_MOST_CASES)
      VECTOR_PUSH(a, b.at[i]);
    else
      VECTOR_FREE(b.at[i]);
  }
  VECTOR_FREE(b);
  return a;
}

/* When `f` has the value. */
static choices choices_of(const temporal *f, bool value) {
  const temporal *l = f->left, *r = f->right;
  switch (f->kind) {
    case TEMPORAL_NOT: return choices_of(l, !value);
    case TEMPORAL_AND:
      return value ? both(choices_of(l, true), choices_of(r, true))
                   : either(choices_of(l, false), choices_of(r, false));
    case TEMPORAL_OR:
      return value ? either(choices_of(l, true), choices_of(r, true))
                   : both(choices_of(l, false), choices_of(r, false));
    case TEMPORAL_IMPLIES:
      return value ? either(choices_of(l, false), choices_of(r, true))
                   : both(choices_of(l, true), choices_of(r, false));
    case TEMPORAL_IFF:
      return either(both(choices_of(l, true), choices_of(r, value)), both(choices_of(l, false), choices_of(r, !value)));
    default: {
      choices out = {0};
      literals one = {0};
      VECTOR_PUSH(one, ((literal){f, !value}));
      VECTOR_PUSH(out, one);
      return out;
    }
  }
}

static void add_literal(fair_clause *c, const literal *l) {
  term state = l->atom->left->state;
  bool by_steps = l->atom->kind == TEMPORAL_INF_NEXT;
  if (l->is_negated) {
    c->is_wanted = true;
    c->wanted = state;
    c->wanted_by_steps = by_steps;
  } else {
    VECTOR_PUSH(c->seen, state);
    VECTOR_PUSH(c->seen_by_steps, by_steps);
  }
}

/* Only single atoms, and at most one of them negated. */
static bool is_one_clause(const choices *c) {
  size_t negated = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (c->at[i].count != 1) return false;
    negated += c->at[i].at[0].is_negated;
  }
  return negated <= 1;
}

bool fairness_cases(const temporal *f, fair_cases *out) {
  choices all = choices_of(f, true);
  bool fits = all.count <= FAIRNESS_MOST_CASES, is_clause = is_one_clause(&all);
  *out = (fair_cases){0};
  fair_case joined = {0};
  fair_clause clause = {.wanted = TERM_FALSE};
  for (size_t i = 0; i < all.count && fits; i++) {
    fair_case own = {0};
    for (size_t j = 0; j < all.at[i].count; j++) {
      fair_clause one = {.wanted = TERM_FALSE};
      add_literal(is_clause ? &clause : &one, &all.at[i].at[j]);
      if (!is_clause) VECTOR_PUSH(own, one);
    }
    if (!is_clause) VECTOR_PUSH(*out, own);
  }
  if (is_clause) {
    VECTOR_PUSH(joined, clause);
    VECTOR_PUSH(*out, joined);
  }
  choices_clear(&all);
  return fits;
}

void fairness_cases_clear(fair_cases *cases) {
  for (size_t i = 0; i < cases->count; i++) {
    for (size_t j = 0; j < cases->at[i].count; j++) {
      VECTOR_FREE(cases->at[i].at[j].seen);
      VECTOR_FREE(cases->at[i].at[j].seen_by_steps);
    }
    VECTOR_FREE(cases->at[i]);
  }
  VECTOR_FREE(*cases);
}

static size_t count_negated(const temporal *f, bool value) {
  switch (f->kind) {
    case TEMPORAL_INF:
    case TEMPORAL_INF_NEXT: return !value;
    case TEMPORAL_NOT: return count_negated(f->left, !value);
    case TEMPORAL_IMPLIES: return count_negated(f->left, !value) + count_negated(f->right, value);
    case TEMPORAL_IFF:
      return count_negated(f->left, true) + count_negated(f->left, false) + count_negated(f->right, true) +
             count_negated(f->right, false);
    default: return count_negated(f->left, value) + count_negated(f->right, value);
  }
}

size_t fairness_negated(const temporal *f) { return count_negated(f, true); }
