/* The product of divisor and quotient is left out; what is kept is linear: the bounds of the remainder, those of the
 * quotient that follow from the signs, and what holds of small divisors. */
#include "engine/spacer/divisions.h"

#include "term/fold.h"

/* a = b * q + r */
typedef struct division {
  term a, b, q, r;
} division;

typedef struct approximation {
  terms *ts;
  horn_rule *rule; /* the one that is made */
  VECTOR(division) divisions;
} approximation;

static bool is_division(const terms *ts, term t, const void *unused) {
  (void)unused;
  term_kind kind = term_kind_of(ts, t);
  number n;
  return (kind == TERM_DIV || kind == TERM_MOD) && !term_is_number(ts, term_argument(ts, t, 1), &n);
}

/* ---- what is said of a division ---- */

static term both(terms *ts, term a, term b) { return term_and(ts, a, b); }

/* The parts for a divisor of one sign: `size` is its absolute value, `count` the quotient by that. For a negative
 * dividend the remainder is what is missing to the next multiple. */
static term of_sign(terms *ts, term when, term a, term size, term count, term r) {
  term zero = term_int(ts, 0), one = term_int(ts, 1), minus = term_int(ts, -1);
  term is_whole = term_ge(ts, a, zero), is_small = term_lt(ts, a, size);
  term parts[] = {
      both(ts, term_ge(ts, r, zero), term_lt(ts, r, size)),
      term_implies(ts, is_whole,
                   both(ts, term_le(ts, r, a), both(ts, term_ge(ts, count, zero), term_le(ts, count, a)))),
      term_implies(ts, both(ts, is_whole, is_small), both(ts, term_eq(ts, count, zero), term_eq(ts, r, a))),
      term_implies(ts, term_not(is_small), both(ts, term_ge(ts, count, one), term_le(ts, r, term_sub(ts, a, size)))),
      term_implies(
          ts, term_not(is_whole),
          both(ts, both(ts, term_le(ts, count, minus), term_ge(ts, count, a)), term_ge(ts, r, term_add(ts, a, size)))),
  };
  return term_implies(ts, when, term_and_all(ts, ARRAY_LENGTH(parts), parts));
}

/* The product is known if the divisor is one of these. */
static term of_small_divisors(terms *ts, const division *d) {
  static const int64_t small[] = {-2, -1, 0, 1, 2, 3};
  term all = TERM_TRUE;
  for (size_t i = 0; i < ARRAY_LENGTH(small); i++) {
    term product = term_scale(ts, number_of(small[i]), d->q);
    term known = term_eq(ts, d->a, term_add(ts, product, d->r));
    if (!small[i]) known = both(ts, known, term_eq(ts, d->q, term_int(ts, 0)));
    all = both(ts, all, term_implies(ts, term_eq(ts, d->b, term_int(ts, small[i])), known));
  }
  return all;
}

static term meaning_of(terms *ts, const division *d) {
  term zero = term_int(ts, 0), negated = term_scale(ts, number_of(-1), d->b);
  term above = of_sign(ts, term_gt(ts, d->b, zero), d->a, d->b, d->q, d->r);
  term below = of_sign(ts, term_lt(ts, d->b, zero), d->a, negated, term_scale(ts, number_of(-1), d->q), d->r);
  return both(ts, both(ts, above, below), of_small_divisors(ts, d));
}

/* ---- rules ---- */

static term new_variable(approximation *x, const char *name) {
  variable made = variable_fresh(x->ts, name, &(type){.sort = SORT_INT});
  VECTOR_PUSH(x->rule->variables, made);
  return term_of_variable(x->ts, made);
}

static const division *division_of(approximation *x, term a, term b) {
  for (size_t i = 0; i < x->divisions.count; i++)
    if (term_same(x->divisions.at[i].a, a) && term_same(x->divisions.at[i].b, b)) return &x->divisions.at[i];
  VECTOR_PUSH(x->divisions, (division){a, b, new_variable(x, "quotient"), new_variable(x, "remainder")});
  return &VECTOR_LAST(x->divisions);
}

static void replace(const term_fold *f, term t, void *out) {
  approximation *x = f->context;
  term *made = out, rebuilt = fold_rebuilt(f, x->ts, t);
  *made = rebuilt;
  if (!is_division(x->ts, rebuilt, NULL)) return;
  const division *d = division_of(x, term_argument(x->ts, rebuilt, 0), term_argument(x->ts, rebuilt, 1));
  *made = term_kind_of(x->ts, rebuilt) == TERM_DIV ? d->q : d->r;
}

static term replaced(term_fold *f, term t) {
  term_fold_value(f, t);
  return fold_term(f, t);
}

static void replace_atom(term_fold *f, const horn_atom *a, horn_atom *out) {
  out->relation = a->relation;
  for (size_t i = 0; i < a->arguments.count; i++) VECTOR_PUSH(out->arguments, replaced(f, a->arguments.at[i]));
}

static horn_rule approximate(terms *ts, const horn_rule *r) {
  horn_rule made = {.origin = r->origin};
  approximation x = {.ts = ts, .rule = &made};
  term_fold f = {.ts = ts, .size = sizeof(term), .rule = replace, .context = &x};
  VECTOR_COPY(made.variables, r->variables);
  made.constraint = replaced(&f, r->constraint);
  for (size_t i = 0; i < r->body.count; i++) {
    horn_atom atom = {0};
    replace_atom(&f, &r->body.at[i], &atom);
    VECTOR_PUSH(made.body, atom);
  }
  replace_atom(&f, &r->head, &made.head);
  for (size_t i = 0; i < x.divisions.count; i++)
    made.constraint = both(ts, made.constraint, meaning_of(ts, &x.divisions.at[i]));
  VECTOR_FREE(x.divisions);
  term_fold_close(&f);
  return made;
}

static bool has_divisions(const terms *ts, const horn_rule *r) {
  bool found = term_any(ts, 1, &r->constraint, is_division, NULL) ||
               term_any(ts, r->head.arguments.count, r->head.arguments.at, is_division, NULL);
  for (size_t i = 0; i < r->body.count && !found; i++)
    found = term_any(ts, r->body.at[i].arguments.count, r->body.at[i].arguments.at, is_division, NULL);
  return found;
}

bool divisions_approximate(terms *ts, const horn_problem *p, horn_problem *out) {
  bool found = false;
  for (size_t i = 0; i < p->rules.count && !found; i++) found = has_divisions(ts, &p->rules.at[i]);
  if (!found) return false;
  *out = (horn_problem){.query = p->query};
  for (size_t i = 0; i < p->relations.count; i++) {
    horn_relation made = {0};
    VECTOR_COPY(made.parameters, p->relations.at[i].parameters);
    VECTOR_PUSH(out->relations, made);
  }
  for (size_t i = 0; i < p->rules.count; i++) VECTOR_PUSH(out->rules, approximate(ts, &p->rules.at[i]));
  return true;
}
