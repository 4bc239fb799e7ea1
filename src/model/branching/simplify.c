/* Path quantifiers move inwards, as far as they can:
 *
 *   A !f = !E f                       E (f || g) = E f || E g         E (s && f) = s && E f
 *   E X f = EX E f                    E F f = EF E f                  E (s U f) = E[s U E f]
 *   E s = s && EG true                E E f = E f                     E A f = A f && EG true
 *
 * and the same for A with what is dual. Here s is true or false of states, f and g are of runs. `EG true`: some run is fair. The steps
 * of a run from its beginning on are no matter for its fairness, so the ones with X, F and U are right under fairness too.
 *
 * Nothing is copied but state formulas without operators, so the result is not much larger than the formula. The parser bounds their
 * depth. */
#include "model/branching/simplify.h"

typedef struct simplifier {
  terms *terms;
} simplifier;

static temporal *node(simplifier *s, temporal_kind kind, temporal *left, temporal *right) {
  temporal *made = arena_alloc(terms_arena(s->terms), sizeof *made);
  *made = (temporal){.kind = kind, .state = TERM_TRUE, .left = left, .right = right};
  bool connects = kind >= TEMPORAL_NOT && kind <= TEMPORAL_IFF;
  bool is_state = connects && left->kind == TEMPORAL_STATE && (!right || right->kind == TEMPORAL_STATE);
  if (is_state) *made = (temporal){.kind = TEMPORAL_STATE, .state = temporal_as_term(s->terms, made)};
  return made;
}

static temporal *negation(simplifier *s, temporal *f) {
  return f->kind == TEMPORAL_NOT ? f->left : node(s, TEMPORAL_NOT, f, NULL);
}

static temporal_kind dual(temporal_kind q) { return q == TEMPORAL_A ? TEMPORAL_E : TEMPORAL_A; }
static bool is_all(temporal_kind q) { return q == TEMPORAL_A; }

/* Of formulas of CTL and those with the quantifier: those with A are true of states without a fair run, those with E false. */
static bool is_quantified(temporal_kind q, temporal_kind k) {
  switch (k) {
    case TEMPORAL_AX:
    case TEMPORAL_AF:
    case TEMPORAL_AG:
    case TEMPORAL_AU:
    case TEMPORAL_A: return is_all(q);
    case TEMPORAL_EX:
    case TEMPORAL_EF:
    case TEMPORAL_EG:
    case TEMPORAL_EU:
    case TEMPORAL_E: return !is_all(q);
    default: return false;
  }
}

/* Of a state formula: if there is a fair run, it says what `f` says. */
static temporal *of_state(simplifier *s, temporal_kind q, temporal *f) {
  if (is_quantified(q, f->kind)) return f;
  temporal *fair = node(s, TEMPORAL_EG, node(s, TEMPORAL_STATE, NULL, NULL), NULL);
  return is_all(q) ? node(s, TEMPORAL_IMPLIES, fair, f) : node(s, TEMPORAL_AND, f, fair);
}

static temporal *quantify(simplifier *s, temporal_kind q, temporal *f);

/* Below an operator of CTL with the quantifier, where only states with a fair run count. */
static temporal *below(simplifier *s, temporal_kind q, temporal *f) {
  return temporal_is_of_states(f) ? f : quantify(s, q, f);
}

/* f => g, which is !f || g */
static temporal *of_implication(simplifier *s, temporal_kind q, temporal *f) {
  bool left = temporal_is_of_states(f->left), right = temporal_is_of_states(f->right);
  if (!is_all(q)) return node(s, TEMPORAL_IMPLIES, quantify(s, TEMPORAL_A, f->left), quantify(s, q, f->right));
  if (left) return node(s, TEMPORAL_IMPLIES, f->left, quantify(s, q, f->right));
  if (right) return node(s, TEMPORAL_IMPLIES, quantify(s, TEMPORAL_E, f->left), f->right);
  return node(s, q, f, NULL);
}

static temporal *of_connective(simplifier *s, temporal_kind q, temporal *f) {
  temporal *l = f->left, *r = f->right;
  bool distributes = f->kind == (is_all(q) ? TEMPORAL_AND : TEMPORAL_OR);
  if (distributes) return node(s, f->kind, quantify(s, q, l), quantify(s, q, r));
  if (temporal_is_of_states(l)) return node(s, f->kind, l, quantify(s, q, r));
  if (temporal_is_of_states(r)) return node(s, f->kind, quantify(s, q, l), r);
  return node(s, q, f, NULL);
}

/* A (f R g) = !E (!f U !g), and f W g = g R (f || g). */
static temporal *of_release(simplifier *s, temporal_kind q, temporal *f) {
  temporal *l = f->left, *r = f->right;
  if (f->kind == TEMPORAL_W) {
    if (!temporal_is_propositional(r)) return node(s, q, f, NULL);
    l = f->right;
    r = node(s, TEMPORAL_OR, f->left, f->right);
  }
  temporal *until = node(s, TEMPORAL_U, negation(s, l), negation(s, r));
  temporal *other = quantify(s, dual(q), until);
  return other->kind == dual(q) ? node(s, q, f, NULL) : negation(s, other);
}

static temporal *of_until(simplifier *s, temporal_kind q, temporal *f) {
  bool left = temporal_is_of_states(f->left), right = temporal_is_of_states(f->right);
  if (is_all(q)) return left && right ? node(s, TEMPORAL_AU, f->left, f->right) : node(s, q, f, NULL);
  return left ? node(s, TEMPORAL_EU, f->left, below(s, q, f->right)) : node(s, q, f, NULL);
}

/* The quantifier before a formula of runs, in which all is simple. */
static temporal *quantify(simplifier *s, temporal_kind q, temporal *f) {
  bool all = is_all(q);
  if (temporal_is_of_states(f)) return of_state(s, q, f);
  switch (f->kind) {
    case TEMPORAL_NOT: return negation(s, quantify(s, dual(q), f->left));
    case TEMPORAL_AND:
    case TEMPORAL_OR: return of_connective(s, q, f);
    case TEMPORAL_IMPLIES: return of_implication(s, q, f);
    case TEMPORAL_X: return node(s, all ? TEMPORAL_AX : TEMPORAL_EX, below(s, q, f->left), NULL);
    case TEMPORAL_F:
      if (!all) return node(s, TEMPORAL_EF, below(s, q, f->left), NULL);
      return temporal_is_of_states(f->left) ? node(s, TEMPORAL_AF, f->left, NULL) : node(s, q, f, NULL);
    case TEMPORAL_G:
      if (all) return node(s, TEMPORAL_AG, below(s, q, f->left), NULL);
      return temporal_is_of_states(f->left) ? node(s, TEMPORAL_EG, f->left, NULL) : node(s, q, f, NULL);
    case TEMPORAL_U: return of_until(s, q, f);
    case TEMPORAL_R:
    case TEMPORAL_W: return of_release(s, q, f);
    default: return node(s, q, f, NULL); /* TEMPORAL_IFF */
  }
}

static temporal *simple(simplifier *s, const temporal *f) {
  temporal *left = f->left ? simple(s, f->left) : NULL, *right = f->right ? simple(s, f->right) : NULL;
  if (f->kind == TEMPORAL_A || f->kind == TEMPORAL_E) return quantify(s, f->kind, left);
  if (f->kind == TEMPORAL_NOT) return negation(s, left);
  temporal *made = node(s, f->kind, left, right);
  if (f->kind == TEMPORAL_STATE) made->state = f->state;
  return made;
}

static bool has_quantifier(const temporal *f) {
  return (f->kind >= TEMPORAL_AX && f->kind <= TEMPORAL_EU) || f->kind == TEMPORAL_A || f->kind == TEMPORAL_E ||
         (f->left && has_quantifier(f->left)) || (f->right && has_quantifier(f->right));
}

/* `A f` without quantifier in f, and conjunctions of such, as LTL; NULL: it is something else. */
static temporal *of_all_runs(simplifier *s, const temporal *f) {
  if (f->kind == TEMPORAL_A) return has_quantifier(f->left) ? NULL : f->left;
  if (f->kind != TEMPORAL_AND) return NULL;
  temporal *left = of_all_runs(s, f->left), *right = left ? of_all_runs(s, f->right) : NULL;
  return right ? node(s, TEMPORAL_AND, left, right) : NULL;
}

static bool is_ctl(const temporal *f) {
  bool is_other = f->kind == TEMPORAL_A || f->kind == TEMPORAL_E;
  return !is_other && (!f->left || is_ctl(f->left)) && (!f->right || is_ctl(f->right));
}

property_kind temporal_star_simplify(terms *ts, const temporal *f, temporal **out) {
  simplifier s = {ts};
  *out = of_all_runs(&s, f);
  if (*out) return PROPERTY_LTL;
  temporal *made = simple(&s, f);
  *out = of_all_runs(&s, made); /* A A f */
  if (*out) return PROPERTY_LTL;
  *out = made;
  return is_ctl(*out) ? PROPERTY_CTL : PROPERTY_CTLSTAR;
}
