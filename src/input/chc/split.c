/* Cases of a clause.
 *
 * First by boolean parameters that several parts of the clause depend on: if a program counter is kept in bits, each
 * of its values is a case, and of all the implications about others nothing is left. Then, in each of those, by
 * whatever else stands in the way of solving: a condition that several parts depend on, or the alternatives of one
 * part. */
#include "base/map.h"
#include "input/chc/lower.h"
#include "term/bounds.h"
#include "term/fold.h"

/* CONTROL_CASES by boolean parameters; of one of those at most CASES_OF_PART, fewer if there are many, though
 * FEWEST_CASES always. */
enum { CONTROL_CASES = 1024, CASES_OF_PART = 256, FEWEST_CASES = 16 };
/* Terms that are looked at for the cases of one clause. */
enum { MOST_WORK = 4 * 1000 * 1000 };
/* So many cases that together say so many times what the whole does are not worth having; it is plain if SAMPLES of them
 * make it PLAINLY times as much. */
enum { MANY_CASES = 32, MOST_REPEATED = 12, SAMPLES = 4, PLAINLY = 2 };

static void case_clear(open_case *c) { VECTOR_FREE(c->values); }

static void cases_clear(open_cases *all) {
  for (size_t i = 0; i < all->count; i++) case_clear(&all->at[i]);
  VECTOR_FREE(*all);
}

static open_case case_with(const open_case *c, term guard) {
  open_case made = {.guard = guard};
  for (size_t i = 0; i < c->values.count; i++) VECTOR_PUSH(made.values, c->values.at[i]);
  return made;
}

/* ---- settling ---- */

/* The literals of a guard, and the rest. */
static void take_apart(const chc_lowering *l, term guard, term_vector *literals, term_vector *rest) {
  term_vector conjuncts = {0};
  term_conjuncts(l->ts, guard, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++)
    if (term_is_atom(l->ts, conjuncts.at[i]))
      VECTOR_PUSH(*literals, conjuncts.at[i]);
    else
      VECTOR_PUSH(*rest, conjuncts.at[i]);
  VECTOR_FREE(conjuncts);
}

static bool use_literals(chc_lowering *l, open_case *c) {
  term_vector literals = {0}, rest = {0};
  take_apart(l, c->guard, &literals, &rest);
  bool changed = false;
  if (literals.count && rest.count) {
    term others = term_and_all(l->ts, rest.count, rest.at);
    term now = term_simplify_under(l->ts, others, literals.count, literals.at);
    changed = !term_same(now, others);
    VECTOR_PUSH(literals, now);
    if (changed) c->guard = term_and_all(l->ts, literals.count, literals.at);
  }
  VECTOR_FREE(literals);
  VECTOR_FREE(rest);
  return changed;
}

static bool is_settled_value(const terms *ts, term t) {
  number n;
  term_kind kind = term_kind_of(ts, t);
  return kind == TERM_INT_VARIABLE || kind == TERM_REAL_VARIABLE || kind == TERM_BOOL_VARIABLE ||
         kind == TERM_CONSTANT_TRUE || term_is_number(ts, t, &n);
}

void lower_settle(chc_lowering *l, open_case *c) {
  do {
    lower_solve(l, &c->guard, c->values.count, c->values.at, false);
  } while (use_literals(l, c));
  term_vector literals = {0}, rest = {0};
  take_apart(l, c->guard, &literals, &rest);
  for (size_t i = 0; i < c->values.count && literals.count; i++)
    if (!is_settled_value(l->ts, c->values.at[i]))
      c->values.at[i] = term_simplify_under(l->ts, c->values.at[i], literals.count, literals.at);
  VECTOR_FREE(literals);
  VECTOR_FREE(rest);
}

/* ---- what to split by ---- */

static bool mentions_free(const chc_lowering *l, term t) {
  variable_vector inside = {0};
  term_variables(l->ts, 1, &t, &inside);
  bool found = false;
  for (size_t i = 0; i < inside.count && !found; i++) found = lower_is_free(l, inside.at[i]);
  VECTOR_FREE(inside);
  return found;
}

/* The parts of a guard that may have to be split. */
static void open_parts(const chc_lowering *l, term guard, term_vector *out) {
  term_vector conjuncts = {0};
  term_conjuncts(l->ts, guard, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++) {
    term_kind kind = term_kind_of(l->ts, conjuncts.at[i]);
    bool is_variable = kind == TERM_BOOL_VARIABLE;
    if (!is_variable && mentions_free(l, conjuncts.at[i])) VECTOR_PUSH(*out, conjuncts.at[i]);
  }
  VECTOR_FREE(conjuncts);
}

static bool is_boolean_parameter(const chc_lowering *l, term atom) {
  return term_kind_of(l->ts, atom) == TERM_BOOL_VARIABLE && !lower_is_free(l, term_variable(l->ts, atom));
}

static bool may_decide(const chc_lowering *l, term atom, bool only_control) {
  if (only_control) return is_boolean_parameter(l, atom);
  return term_kind_of(l->ts, atom) == TERM_BOOL_VARIABLE || !mentions_free(l, atom);
}

/* The condition that most parts depend on, if that is more than one. */
static bool choose_condition(const chc_lowering *l, const term_vector *parts, bool only_control, term *best) {
  map *times = map_new();
  term_vector seen = {0};
  for (size_t i = 0; i < parts->count; i++) {
    term_vector atoms = {0};
    if (!term_is_atom(l->ts, parts->at[i])) term_atoms(l->ts, parts->at[i], &atoms);
    for (size_t j = 0; j < atoms.count; j++) {
      uint64_t count = 0;
      if (!map_get(times, atoms.at[j].x, &count)) VECTOR_PUSH(seen, atoms.at[j]);
      map_set(times, atoms.at[j].x, count + 1);
    }
    VECTOR_FREE(atoms);
  }
  uint64_t most = 1, count = 0;
  for (size_t i = 0; i < seen.count; i++) {
    map_get(times, seen.at[i].x, &count);
    if (count <= most || !may_decide(l, seen.at[i], only_control)) continue;
    most = count;
    *best = seen.at[i];
  }
  map_free(times);
  VECTOR_FREE(seen);
  return most > 1;
}

/* An if-then-else among the leaves of an atom: one alternative with each of its branches. */
static void alternatives_of_atom(terms *ts, term atom, term_vector *out) {
  term sum = term_argument(ts, atom, 0), leaf = TERM_TRUE;
  linear l = term_linear(ts, sum);
  number c = number_of(0);
  for (size_t i = 0; i < l.count && number_is(c, 0); i++)
    if (term_kind_of(ts, l.leaves[i]) == TERM_INT_ITE) leaf = l.leaves[i], c = l.coefficients[i];
  if (number_is(c, 0)) return;
  term rest = term_sub(ts, sum, term_scale(ts, c, leaf)), condition = term_argument(ts, leaf, 0);
  for (size_t i = 1; i <= 2; i++) {
    term with = term_add(ts, rest, term_scale(ts, c, term_argument(ts, leaf, i))), zero = term_int(ts, 0);
    term made = term_kind_of(ts, atom) == TERM_EQ ? term_eq(ts, with, zero) : term_le(ts, with, zero);
    if (term_is_negated(atom)) made = term_not(made);
    VECTOR_PUSH(*out, term_and(ts, i == 1 ? condition : term_not(condition), made));
  }
}

/* What needs no solving is one alternative; it does not hold in the others. */
static void alternatives_of_disjunction(const chc_lowering *l, term conjunct, term_vector *out) {
  term_vector disjuncts = {0}, plain = {0};
  term_disjuncts(l->ts, conjunct, &disjuncts);
  for (size_t i = 0; i < disjuncts.count; i++)
    if (!mentions_free(l, disjuncts.at[i])) VECTOR_PUSH(plain, disjuncts.at[i]);
  term known = term_or_all(l->ts, plain.count, plain.at);
  if (plain.count) VECTOR_PUSH(*out, known);
  for (size_t i = 0; i < disjuncts.count; i++)
    if (mentions_free(l, disjuncts.at[i]))
      VECTOR_PUSH(*out, plain.count ? term_and(l->ts, disjuncts.at[i], term_not(known)) : disjuncts.at[i]);
  VECTOR_FREE(disjuncts);
  VECTOR_FREE(plain);
}

/* The alternatives that a conjunct offers; none if it is a literal. */
static void alternatives(const chc_lowering *l, term conjunct, term_vector *out) {
  terms *ts = l->ts;
  bool is_negated = term_is_negated(conjunct);
  term_kind kind = term_kind_of(ts, conjunct);
  if (kind == TERM_AND && is_negated) {
    alternatives_of_disjunction(l, conjunct, out);
  } else if (kind == TERM_IFF) {
    term a = term_argument(ts, conjunct, 0), b = term_argument(ts, conjunct, 1);
    if (is_negated) b = term_not(b);
    VECTOR_PUSH(*out, term_and(ts, a, b));
    VECTOR_PUSH(*out, term_and(ts, term_not(a), term_not(b)));
  } else if (kind == TERM_BOOL_ITE) {
    term c = term_argument(ts, conjunct, 0), a = term_argument(ts, conjunct, 1), b = term_argument(ts, conjunct, 2);
    VECTOR_PUSH(*out, term_and(ts, c, is_negated ? term_not(a) : a));
    VECTOR_PUSH(*out, term_and(ts, term_not(c), is_negated ? term_not(b) : b));
  } else if (kind == TERM_EQ || kind == TERM_LE) {
    alternatives_of_atom(ts, conjunct, out);
  }
}

/* The part with the fewest alternatives. */
static bool choose_part(const chc_lowering *l, const term_vector *parts, term *which, term_vector *best) {
  bool found = false;
  for (size_t i = 0; i < parts->count && !(found && best->count <= 2); i++) {
    term_vector offered = {0};
    alternatives(l, parts->at[i], &offered);
    if (offered.count > 1 && (!found || offered.count < best->count)) {
      VECTOR_FREE(*best);
      *best = offered;
      *which = parts->at[i];
      found = true;
    } else {
      VECTOR_FREE(offered);
    }
  }
  return found;
}

/* ---- splitting ---- */

/* The case with `by` instead of the conjunct `which` (or in addition to all of them, if that is `true`). */
static void push_case(chc_lowering *l, const open_case *c, term which, term by, open_cases *out) {
  term_vector conjuncts = {0}, parts = {0};
  term_conjuncts(l->ts, c->guard, &conjuncts);
  VECTOR_PUSH(parts, by);
  for (size_t i = 0; i < conjuncts.count; i++)
    if (!term_same(conjuncts.at[i], which)) VECTOR_PUSH(parts, conjuncts.at[i]);
  VECTOR_PUSH(*out, case_with(c, term_and_all(l->ts, parts.count, parts.at)));
  VECTOR_FREE(conjuncts);
  VECTOR_FREE(parts);
}

/* Pushes the cases that `c` is replaced by, the first one last; false if it stays. */
static bool split_once(chc_lowering *l, const open_case *c, bool only_control, open_cases *pending) {
  term_vector parts = {0}, offered = {0};
  term condition = TERM_TRUE, which = TERM_TRUE;
  open_parts(l, c->guard, &parts);
  bool found = choose_condition(l, &parts, only_control, &condition);
  if (found) {
    VECTOR_PUSH(offered, condition);
    VECTOR_PUSH(offered, term_not(condition));
  } else if (!only_control) {
    found = choose_part(l, &parts, &which, &offered);
  }
  for (size_t i = offered.count; i-- > 0 && found;) push_case(l, c, which, offered.at[i], pending);
  VECTOR_FREE(parts);
  VECTOR_FREE(offered);
  return found;
}

/* False, and nothing in `out`, if there would be more than `most`, or if it takes too long to find those that are
 * possible. */
static bool split_into(chc_lowering *l, const open_case *whole, bool only_control, size_t most, open_cases *out) {
  open_cases pending = {0};
  VECTOR_PUSH(pending, case_with(whole, whole->guard));
  bool fits = true;
  size_t work = 0;
  while (pending.count && fits) {
    open_case c = VECTOR_POP(pending);
    work += term_size(l->ts, c.guard);
    lower_settle(l, &c);
    if (term_is_false(c.guard) || split_once(l, &c, only_control, &pending))
      case_clear(&c);
    else
      VECTOR_PUSH(*out, c);
    fits = pending.count + out->count <= most && work <= MOST_WORK;
  }
  cases_clear(&pending);
  if (!fits) {
    for (size_t i = 0; i < out->count; i++) case_clear(&out->at[i]);
    VECTOR_CLEAR(*out);
  }
  return fits;
}

/* ---- whether it pays ---- */

/* How many terms a case is made of. */
static size_t size_of(const chc_lowering *l, const open_case *c) {
  term_vector all = {0};
  VECTOR_PUSH(all, c->guard);
  for (size_t i = 0; i < c->values.count; i++) VECTOR_PUSH(all, c->values.at[i]);
  size_t size = term_sizes(l->ts, all.count, all.at);
  VECTOR_FREE(all);
  return size;
}

static size_t sizes_of(const chc_lowering *l, const open_cases *cases) {
  size_t all = 0;
  for (size_t i = 0; i < cases->count; i++) all += size_of(l, &cases->at[i]);
  return all;
}

/* A clause that is being split. */
typedef struct splitting {
  chc_lowering *l;
  const open_case *clause;
  open_cases control; /* its cases by control */
  open_cases *parts;  /* of each of those, once it is split further */
  bool has_whole;
  open_case whole; /* the step in one piece, by values that depend on conditions */
} splitting;

static size_t size_of_whole(splitting *s) {
  chc_lowering *l = s->l;
  if (!s->has_whole) {
    s->whole = case_with(s->clause, s->clause->guard);
    lower_settle(l, &s->whole);
    lower_define(l, &s->whole);
    lower_solve(l, &s->whole.guard, s->whole.values.count, s->whole.values.at, true);
  }
  s->has_whole = true;
  return size_of(l, &s->whole);
}

static void split_control(splitting *s, size_t which) {
  size_t most = CASES_OF_PART;
  if (s->control.count > 1 && CONTROL_CASES / s->control.count < most) most = CONTROL_CASES / s->control.count;
  if (most < FEWEST_CASES) most = FEWEST_CASES;
  open_case *c = &s->control.at[which];
  if (s->parts[which].count || split_into(s->l, c, false, most, &s->parts[which])) return;
  open_case whole = case_with(c, c->guard);
  lower_define(s->l, &whole);
  VECTOR_PUSH(s->parts[which], whole);
}

/* Many cases that each say nearly all that the whole says: of a program whose control is kept in bits each case is about
 * one of its steps, but of a synchronous step each is about all variables. */
static bool repeats_itself(splitting *s) {
  size_t all = 0, count = 0;
  for (size_t i = 0; i < s->control.count; i++) {
    all += sizes_of(s->l, &s->parts[i]);
    count += s->parts[i].count;
  }
  return count >= MANY_CASES && all >= MOST_REPEATED * size_of_whole(s);
}

/* Some of many cases, from which it is plain that all would be far too much. */
static bool will_repeat_itself(splitting *s) {
  size_t count = s->control.count, all = 0;
  if (count < MANY_CASES) return false;
  for (size_t i = 0; i < SAMPLES; i++) {
    split_control(s, i * count / SAMPLES);
    all += sizes_of(s->l, &s->parts[i * count / SAMPLES]);
  }
  return all * count / SAMPLES >= PLAINLY * MOST_REPEATED * size_of_whole(s);
}

static void close_splitting(splitting *s) {
  for (size_t i = 0; i < s->control.count; i++) cases_clear(&s->parts[i]);
  memory_free(s->parts);
  cases_clear(&s->control);
  if (s->has_whole) case_clear(&s->whole);
}

void lower_split(chc_lowering *l, const open_case *c, open_cases *out) {
  splitting s = {.l = l, .clause = c};
  if (!split_into(l, c, true, CONTROL_CASES, &s.control)) VECTOR_PUSH(s.control, case_with(c, c->guard));
  s.parts = MEMORY_ARRAY(open_cases, s.control.count + 1);
  bool repeats = will_repeat_itself(&s);
  for (size_t i = 0; i < s.control.count && !repeats; i++) split_control(&s, i);
  if (repeats || repeats_itself(&s)) {
    VECTOR_PUSH(*out, case_with(&s.whole, s.whole.guard));
  } else {
    for (size_t i = 0; i < s.control.count; i++)
      for (size_t j = 0; j < s.parts[i].count; j++)
        VECTOR_PUSH(*out, case_with(&s.parts[i].at[j], s.parts[i].at[j].guard));
  }
  close_splitting(&s);
}
