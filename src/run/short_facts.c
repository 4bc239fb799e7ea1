/* Candidates are the literals that occur inside the facts. Each model of the facts that refutes one of them is tried on
 * all the others before the solver is asked again. */
#include "run/short_facts.h"

#include "base/map.h"
#include "base/memory.h"
#include "solver/solver.h"
#include "term/bounds.h"
#include "term/evaluate.h"

enum { MOST_CANDIDATES = 200, MOST_QUESTIONS = 60, MOST_VARIABLES = 2 };

typedef struct search {
  terms *ts;
  term facts;
  solver *solver;
  map *seen; /* candidates, and what is known anyway */
  term_vector candidates;
  variable_vector variables;
  number *values; /* by variable: a model of the facts */
} search;

static bool is_about_few(const terms *ts, term atom) {
  variable_vector used = {0};
  term_variables(ts, 1, &atom, &used);
  bool few = used.count && used.count <= MOST_VARIABLES && term_is_linear(ts, atom);
  VECTOR_FREE(used);
  return few;
}

static void offer(search *s, term literal) {
  if (s->candidates.count >= MOST_CANDIDATES || map_get(s->seen, literal.x, NULL)) return;
  map_set(s->seen, literal.x, 1);
  VECTOR_PUSH(s->candidates, literal);
}

/* Bounds before equations: they are true more often. */
static void offer_atom(search *s, term atom) {
  term_kind kind = term_kind_of(s->ts, atom);
  if ((kind != TERM_LE && kind != TERM_EQ) || !is_about_few(s->ts, atom)) return;
  if (kind == TERM_EQ) {
    term sum = term_argument(s->ts, atom, 0), zero = term_int(s->ts, 0);
    offer(s, term_le(s->ts, sum, zero));
    offer(s, term_ge(s->ts, sum, zero));
  }
  offer(s, atom);
  offer(s, term_not(atom));
}

static void find_candidates(search *s) {
  term_vector known = {0}, atoms = {0};
  term_conjuncts(s->ts, s->facts, &known);
  for (size_t i = 0; i < known.count; i++) map_set(s->seen, known.at[i].x, 1);
  for (size_t i = 0; i < known.count; i++)
    if (!term_is_atom(s->ts, known.at[i])) term_atoms(s->ts, known.at[i], &atoms);
  for (size_t i = 0; i < atoms.count; i++) offer_atom(s, atoms.at[i]);
  VECTOR_FREE(known);
  VECTOR_FREE(atoms);
}

static void drop_refuted(search *s, size_t from) {
  size_t kept = from;
  for (size_t i = 0; i < s->variables.count; i++)
    s->values[s->variables.at[i].x] = solver_value(s->solver, s->variables.at[i]);
  for (size_t i = from; i < s->candidates.count; i++)
    if (!number_is(term_evaluate(s->ts, s->candidates.at[i], s->values), 0))
      s->candidates.at[kept++] = s->candidates.at[i];
  s->candidates.count = kept;
}

/* Does candidate `i` follow? One that does not is gone afterwards, with all others that the same model refutes. */
static bool follows(search *s, size_t i) {
  solver_push(s->solver);
  solver_assert(s->solver, term_not(s->candidates.at[i]));
  answer a = solver_check(s->solver, 0);
  size_t before = s->candidates.count;
  if (answer_is_yes(a)) drop_refuted(s, i);
  solver_pop(s->solver);
  if (answer_is_no(a)) return true;
  if (s->candidates.count == before) s->candidates.at[i] = VECTOR_POP(s->candidates); /* it is not known */
  return false;
}

/* Those that do not follow from another one by comparing constants. */
static void keep_strongest(search *s, term_vector *out) {
  for (size_t i = 0; i < s->candidates.count; i++) {
    bool is_weaker = false;
    for (size_t j = 0; j < s->candidates.count && !is_weaker; j++)
      is_weaker = j != i && term_is_true(term_simplify_under(s->ts, s->candidates.at[i], 1, &s->candidates.at[j]));
    if (!is_weaker) VECTOR_PUSH(*out, s->candidates.at[i]);
  }
}

void short_facts_of(terms *ts, size_t count, const term *facts, budget *b, term_vector *out) {
  search s = {.ts = ts, .facts = term_and_all(ts, count, facts), .seen = map_new()};
  find_candidates(&s);
  if (s.candidates.count) {
    s.solver = solver_new(ts, b);
    s.values = MEMORY_ARRAY(number, variable_count(ts) + 1);
    term_variables(ts, s.candidates.count, s.candidates.at, &s.variables);
    solver_assert(s.solver, s.facts);
    size_t found = 0;
    for (int asked = 0; found < s.candidates.count && asked < MOST_QUESTIONS && !budget_spent(b); asked++)
      found += follows(&s, found);
    s.candidates.count = found;
    keep_strongest(&s, out);
    solver_free(s.solver);
    memory_free(s.values);
  }
  VECTOR_FREE(s.candidates);
  VECTOR_FREE(s.variables);
  map_free(s.seen);
}
