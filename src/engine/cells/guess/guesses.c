/* Guesses as covers: at each point at which the goal of a guess does not hold, one of its literals does. So of a point only
 * the set of literals that hold there counts, and of those sets only the smallest. */
#include "engine/cells/guess/guesses.h"

#include "base/work.h"

enum { POINTS_PER_CASE = 200, MOST_GUESSES = 120, MOST_LOOKS = 200 * 1000, SETS_PER_UNIT = 500 };

/* ---- sets of literals ---- */

static bool has_literal(const literal_set *s, uint32_t literal) { return s->word[literal / 64] >> (literal % 64) & 1; }

static void add_literal(literal_set *s, uint32_t literal) { s->word[literal / 64] |= UINT64_C(1) << (literal % 64); }

static bool is_part_of(const literal_set *a, const literal_set *b) {
  return !(a->word[0] & ~b->word[0]) && !(a->word[1] & ~b->word[1]);
}

static bool meets(const literal_set *a, const literal_set *b) {
  return (a->word[0] & b->word[0]) || (a->word[1] & b->word[1]);
}

static literal_set literals_of(const guess *c) {
  literal_set made = {0};
  for (size_t i = 0; i < SLOTS; i++)
    if (c->literals[i] != NO_LITERAL) add_literal(&made, c->literals[i]);
  return made;
}

/* Keeps those of which no other is a part. */
static void add_smallest(literal_sets *to, literal_set s) {
  size_t kept = 0;
  for (size_t i = 0; i < to->count; i++)
    if (is_part_of(&to->at[i], &s)) return;
  for (size_t i = 0; i < to->count; i++)
    if (!is_part_of(&s, &to->at[i])) to->at[kept++] = to->at[i];
  to->count = kept;
  VECTOR_PUSH(*to, s);
}

/* ---- points ---- */

static void all_formulas(const guesses *g, term_vector *out) {
  const guess_words *w = &g->words;
  for (size_t i = 0; i < w->facts.count; i++) VECTOR_PUSH(*out, w->facts.at[i]);
  for (size_t i = 0; i < w->literals.count; i++) VECTOR_PUSH(*out, w->literals.at[i].formula);
  for (size_t i = 0; i < w->goals.count; i++) VECTOR_PUSH(*out, w->goals.at[i]);
}

void guesses_open(guesses *g, terms *ts, guess_words words, const variable_vector *parameters) {
  *g = (guesses){.ts = ts, .words = words, .parameters = parameters};
  term_vector all = {0};
  all_formulas(g, &all);
  g->count = all.count;
  g->is_refuted = MEMORY_ARRAY(bool, words.facts.count + 1);
  g->refuting = MEMORY_ARRAY(literal_sets, words.goals.count + 1);
  for (size_t i = 0; i < variable_count(ts); i++) VECTOR_PUSH(g->slots, 0);
  for (uint32_t i = 0; i < parameters->count; i++) g->slots.at[parameters->at[i].x] = i;
  g->code = code_compile(ts, all.count, all.at, g->slots.at);
  VECTOR_FREE(all);
}

void guesses_close(guesses *g) {
  for (size_t i = 0; i < g->words.goals.count; i++) VECTOR_FREE(g->refuting[i]);
  memory_free(g->refuting);
  memory_free(g->is_refuted);
  code_free(g->code);
  VECTOR_FREE(g->points);
  VECTOR_FREE(g->slots);
  VECTOR_FREE(g->list);
  VECTOR_FREE(g->is_less);
  guess_words_clear(&g->words);
}

static bool run_code(const guesses *g, const number *values, int64_t *out) {
  int64_t *state = MEMORY_ARRAY(int64_t, g->parameters->count + 1);
  bool fits = true;
  for (size_t i = 0; i < g->parameters->count && fits; i++) fits = number_to_int64(values[i], &state[i]);
  fits = fits && code_run(g->code, state, out) == CODE_FINE;
  memory_free(state);
  return fits;
}

/* The same, exactly. */
static void evaluate(const guesses *g, const number *values, int64_t *out) {
  term_vector all = {0};
  number *assignment = MEMORY_ARRAY(number, variable_count(g->ts) + 1);
  for (size_t i = 0; i < g->parameters->count; i++) assignment[g->parameters->at[i].x] = values[i];
  all_formulas(g, &all);
  for (size_t i = 0; i < all.count; i++) out[i] = !number_is(term_evaluate(g->ts, all.at[i], assignment), 0);
  VECTOR_FREE(all);
  memory_free(assignment);
}

/* Whether the literal may stand with a goal of this kind. */
static bool is_fit(const guess_literal *l, goal_kind kind) {
  if (kind == GOAL_OF_ONE) return l->is_of_one;
  return !l->is_distance || kind == GOAL_ACROSS;
}

static literal_set fit_literals(const guesses *g, const literal_set *from, goal_kind kind) {
  literal_set made = {0};
  for (uint32_t i = 0; i < g->words.literals.count; i++)
    if (has_literal(from, i) && is_fit(&g->words.literals.at[i], kind)) add_literal(&made, i);
  return made;
}

static void note_point(guesses *g, const number *values) {
  const guess_words *w = &g->words;
  int64_t *out = MEMORY_ARRAY(int64_t, g->count + 1), *of_literals = out + w->facts.count,
          *of_goals = of_literals + w->literals.count;
  literal_set made = {0};
  if (!run_code(g, values, out)) evaluate(g, values, out);
  for (size_t i = 0; i < w->facts.count; i++) g->is_refuted[i] |= !out[i];
  for (uint32_t i = 0; i < w->literals.count; i++)
    if (of_literals[i]) add_literal(&made, i);
  for (size_t i = 0; i < w->goals.count; i++)
    if (!of_goals[i]) add_smallest(&g->refuting[i], fit_literals(g, &made, w->kinds.at[i]));
  VECTOR_PUSH(g->points, made);
  memory_free(out);
}

/* ---- strength ---- */

/* Literal `a` is at least as strong as `b` of the same slot. */
static bool is_stronger(const guesses *g, uint32_t a, uint32_t b) {
  const guess_literal *x = &g->words.literals.at[a], *y = &g->words.literals.at[b];
  size_t points = g->words.points.count;
  if (a == b) return true;
  if (x->slot >= SLOT_PAIRS || !g->is_less.count) return false;
  bool is_low = (x->slot - SLOT_BOUNDS) % 2 == 0;
  return is_low ? g->is_less.at[x->point * points + y->point] : g->is_less.at[y->point * points + x->point];
}

/* Of two that are equally strong the first counts. */
static bool is_strictly_stronger(const guesses *g, uint32_t a, uint32_t b) {
  return a != b && is_stronger(g, a, b) && (!is_stronger(g, b, a) || a < b);
}

static bool follows_from(const guesses *g, const guess *b, const guess *a) {
  if (a->goal != b->goal) return false;
  for (size_t i = 0; i < SLOTS; i++) {
    if (a->literals[i] == NO_LITERAL) continue;
    if (b->literals[i] == NO_LITERAL || !is_stronger(g, a->literals[i], b->literals[i])) return false;
  }
  return true;
}

/* ---- covers ---- */

static bool covers(const guesses *g, const guess *c) {
  const literal_sets *refuting = &g->refuting[c->goal];
  literal_set own = literals_of(c);
  for (size_t i = 0; i < refuting->count; i++)
    if (!meets(&own, &refuting->at[i])) return false;
  return true;
}

/* There are points, and not only a few, at which no literal holds, so that something is said of what was seen. */
static bool is_about_something(const guesses *g, const guess *c) {
  literal_set own = literals_of(c);
  size_t found = 0, enough = 1 + g->points.count / POINTS_PER_CASE;
  for (size_t i = 0; i < g->points.count && found < enough; i++) found += !meets(&own, &g->points.at[i]);
  return found >= enough;
}

/* No literal can be left out, or be a stronger one. */
static bool is_strongest(const guesses *g, const guess *c) {
  for (size_t i = 0; i < SLOTS; i++) {
    if (c->literals[i] == NO_LITERAL) continue;
    guess other = *c;
    other.literals[i] = NO_LITERAL;
    if (covers(g, &other)) return false;
    for (uint32_t j = 0; j < g->words.literals.count; j++) {
      if (g->words.literals.at[j].slot != i || !is_strictly_stronger(g, j, c->literals[i])) continue;
      other.literals[i] = j;
      if (covers(g, &other)) return false;
    }
  }
  return true;
}

static void add_guess(guesses *g, guess *c) {
  term_vector parts = {0};
  size_t of_goal = 0;
  for (size_t i = 0; i < g->list.count; i++) {
    of_goal += g->list.at[i].goal == c->goal;
    if (follows_from(g, c, &g->list.at[i])) return;
  }
  if (of_goal >= MOST_GUESSES || !is_strongest(g, c) || !is_about_something(g, c)) return;
  VECTOR_PUSH(parts, g->words.goals.at[c->goal]);
  for (size_t i = 0; i < SLOTS; i++)
    if (c->literals[i] != NO_LITERAL) VECTOR_PUSH(parts, g->words.literals.at[c->literals[i]].formula);
  c->formula = term_or_all(g->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  if (!term_is_true(c->formula)) VECTOR_PUSH(g->list, *c);
}

typedef struct cover_search {
  guesses *g;
  budget *budget;
  guess now;
  size_t looks;
} cover_search;

static size_t count_free(const cover_search *s, const literal_set *set) {
  size_t count = 0;
  for (uint32_t i = 0; i < s->g->words.literals.count; i++)
    count += has_literal(set, i) && s->now.literals[s->g->words.literals.at[i].slot] == NO_LITERAL;
  return count;
}

/* A set that no literal of the guess is in, one with few literals that could be added; NULL if there is none. */
static const literal_set *hardest_open(const cover_search *s) {
  enum { LOOK_AT = 12 };
  const literal_sets *refuting = &s->g->refuting[s->now.goal];
  const literal_set *best = NULL;
  literal_set own = literals_of(&s->now);
  size_t fewest = SIZE_MAX, seen = 0;
  for (size_t i = 0; i < refuting->count && seen < LOOK_AT; i++) {
    if (meets(&own, &refuting->at[i])) continue;
    size_t count = count_free(s, &refuting->at[i]);
    seen++;
    if (count < fewest) best = &refuting->at[i], fewest = count;
  }
  return best;
}

/* Adds the literals of a set that is open, one after the other. */
static void search_covers(cover_search *s) {
  guesses *g = s->g;
  const literal_set *open = hardest_open(s);
  if (!open) {
    add_guess(g, &s->now);
    return;
  }
  if (s->looks++ >= MOST_LOOKS || budget_spent(s->budget)) return;
  work_add(1 + g->refuting[s->now.goal].count / SETS_PER_UNIT);
  for (uint32_t i = 0; i < g->words.literals.count; i++) {
    uint32_t *slot = &s->now.literals[g->words.literals.at[i].slot];
    if (*slot != NO_LITERAL || !has_literal(open, i)) continue;
    *slot = i;
    search_covers(s);
    *slot = NO_LITERAL;
  }
}

/* ---- guesses ---- */

void guesses_make_facts(guesses *g) {
  for (uint32_t i = 0; i < g->words.facts.count; i++)
    if (!g->is_refuted[i]) VECTOR_PUSH(g->list, ((guess){.formula = g->words.facts.at[i], .goal = NO_GOAL, .fact = i}));
}

static bool is_guessed(const guesses *g, term fact) {
  if (term_is_true(fact)) return true;
  for (size_t i = 0; i < g->list.count; i++)
    if (term_same(g->list.at[i].formula, fact)) return true;
  return false;
}

void guesses_make_of_goals(guesses *g, budget *b) {
  const term_vector *points = &g->words.points;
  for (size_t i = 0; i < points->count; i++)
    for (size_t j = 0; j < points->count; j++)
      VECTOR_PUSH(g->is_less, is_guessed(g, term_le(g->ts, points->at[i], points->at[j])));
  for (uint32_t i = 0; i < g->words.goals.count; i++) {
    cover_search s = {.g = g, .budget = b, .now = {.goal = i}};
    for (size_t j = 0; j < SLOTS; j++) s.now.literals[j] = NO_LITERAL;
    search_covers(&s);
  }
}

/* What is a little weaker than `c`, and right at the last point. */
static void weaken(guesses *g, const guess *c) {
  for (uint32_t i = 0; i < g->words.literals.count; i++) {
    const guess_literal *l = &g->words.literals.at[i];
    if (!is_fit(l, g->words.kinds.at[c->goal]) || !has_literal(&VECTOR_LAST(g->points), i)) continue;
    guess other = *c;
    other.literals[l->slot] = i;
    if (covers(g, &other)) add_guess(g, &other);
  }
}

static bool is_wrong(const guesses *g, const guess *c) {
  return c->goal == NO_GOAL ? g->is_refuted[c->fact] : !covers(g, c);
}

bool guesses_add_point(guesses *g, const number *values) {
  VECTOR(guess) wrong = {0};
  size_t kept = 0;
  note_point(g, values);
  for (size_t i = 0; i < g->list.count; i++) {
    if (is_wrong(g, &g->list.at[i]))
      VECTOR_PUSH(wrong, g->list.at[i]);
    else
      g->list.at[kept++] = g->list.at[i];
  }
  g->list.count = kept;
  for (size_t i = 0; i < wrong.count; i++)
    if (wrong.at[i].goal != NO_GOAL) weaken(g, &wrong.at[i]);
  bool any = wrong.count > 0;
  VECTOR_FREE(wrong);
  return any;
}
