/* How many questions a second each layer of the prover answers. Left sides are those of the ticket protocol (some 25
 * literals over 5 variables, true in a known state), then general linear ones; questions are sorted by the layer that
 * answers them, and each layer's are then timed alone. */
#include "solver/prover.h"

#include <stdio.h>
#include <time.h>

#include "base/random.h"
#include "term/evaluate.h"

enum { VARIABLES = 5, CONTEXTS = 200, QUESTIONS = 20, LITERALS = 64 };

typedef struct side {
  size_t count;
  term literals[LITERALS];
  term questions[QUESTIONS];
  int layers[QUESTIONS]; /* who answers */
} side;

static terms *ts;
static random_source r = {2024};
static variable variables[VARIABLES];
static side sides[CONTEXTS];

/* Of this program alone, whatever else the machine does. */
static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *const names[] = {"folding", "same atom", "interval", "difference",
                                    "cache",   "witness",   "solver",   "unsure"};

static uint64_t counter(const prover_statistics *s, int layer) {
  const uint64_t all[] = {s->folding, s->same_atom, s->interval, s->difference,
                          s->cache,   s->witness,   s->solver,   s->unsure};
  return all[layer];
}

static term x(size_t i) { return term_of_variable(ts, variables[i]); }
static term k(int64_t n) { return term_int(ts, n); }
static term any(void) { return x(random_below(&r, VARIABLES)); }

static size_t ticket_predicates(term *out) {
  size_t count = 0;
  for (int64_t c = -1; c <= 2; c++) {
    for (size_t i = 2; i < VARIABLES; i++) out[count++] = term_le(ts, x(i), term_add(ts, x(0), k(c)));
    for (size_t i = 2; i < VARIABLES; i++) out[count++] = term_eq(ts, x(i), term_add(ts, x(1), k(c)));
    out[count++] = term_le(ts, x(1), term_add(ts, x(0), k(c)));
  }
  return count;
}

static size_t linear_predicates(term *out) {
  for (size_t i = 0; i < 12; i++) {
    number c[3];
    term leaves[3];
    for (int j = 0; j < 3; j++) c[j] = number_of(random_between(&r, -3, 3)), leaves[j] = any();
    out[i] = term_le(ts, term_sum(ts, number_of(0), 3, leaves, c), k(random_between(&r, -5, 5)));
  }
  return 12;
}

static term difference_question(void) { return term_le(ts, any(), term_add(ts, any(), k(random_between(&r, -3, 3)))); }
static term linear_question(void) {
  return term_le(ts, term_add(ts, term_scale(ts, number_of(2), any()), any()), k(random_between(&r, -9, 9)));
}

/* Literals as they are true in a random state. */
static void fill(side *s, size_t count, const term *predicates, term (*question)(void)) {
  number values[VARIABLES];
  for (int i = 0; i < VARIABLES; i++) values[variables[i].x] = number_of(random_between(&r, 0, 6));
  s->count = 0;
  for (size_t i = 0; i < count; i++)
    s->literals[s->count++] =
        number_is(term_evaluate(ts, predicates[i], values), 1) ? predicates[i] : term_not(predicates[i]);
  for (int i = 0; i < QUESTIONS; i++)
    s->questions[i] = random_below(&r, 3)   ? question()
                      : random_below(&r, 2) ? predicates[random_below(&r, count)]
                                            : TERM_TRUE;
}

static void sort_by_layer(prover *p) {
  const prover_statistics *statistics = prover_statistics_of(p);
  for (int i = 0; i < CONTEXTS; i++) {
    prover_context(p, sides[i].count, sides[i].literals, true);
    for (int j = 0; j < QUESTIONS; j++) {
      prover_statistics before = *statistics;
      prover_ask(p, sides[i].questions[j]);
      for (int layer = 0; layer < (int)(sizeof names / sizeof names[0]); layer++)
        if (counter(statistics, layer) > counter(&before, layer)) sides[i].layers[j] = layer;
    }
  }
}

/* Questions of one layer, over and over for a quarter of a second or so; those of the solver are now answered by the
 * cache. */
static void time_layer(prover *p, int layer, const char *name) {
  uint64_t asked = 0, contexts = 0;
  double start = cpu_seconds(), seconds = 0;
  for (int round = 0; seconds < 0.25 && round < 1000; round++) {
    for (int i = 0; i < CONTEXTS; i++) {
      bool set = false;
      for (int j = 0; j < QUESTIONS; j++) {
        if (sides[i].layers[j] != layer) continue;
        if (!set) prover_context(p, sides[i].count, sides[i].literals, true), contexts++;
        set = true;
        prover_ask(p, sides[i].questions[j]);
        asked++;
      }
    }
    seconds = cpu_seconds() - start;
    if (!asked) return;
  }
  printf("  %-12s %11.0f questions/s   %5.2f us each   (%.1f questions to a context)\n", name, (double)asked / seconds,
         1e6 * seconds / (double)asked, (double)asked / (double)contexts);
}

/* The solver's questions, put to it without a prover. */
static void time_solver(solver *s, int layer) {
  uint64_t asked = 0;
  double start = cpu_seconds(), seconds = 0;
  for (int i = 0; i < CONTEXTS && seconds < 0.5; i++)
    for (int j = 0; j < QUESTIONS; j++) {
      if (layer >= 0 && sides[i].layers[j] != layer) continue;
      solver_push(s);
      for (size_t l = 0; l < sides[i].count; l++) solver_assert(s, sides[i].literals[l]);
      solver_assert(s, term_not(sides[i].questions[j]));
      solver_check(s, 0);
      solver_pop(s);
      asked++;
      seconds = cpu_seconds() - start;
    }
  if (asked)
    printf("  %-12s %11.0f questions/s   %5.0f us each\n", "Z3 alone", (double)asked / seconds,
           1e6 * seconds / (double)asked);
}

static void run(const char *title, size_t (*predicates)(term *), term (*question)(void), budget *b) {
  for (int i = 0; i < CONTEXTS; i++) {
    term all[LITERALS];
    fill(&sides[i], predicates(all), all, question);
  }
  solver *s = solver_new(ts, b);
  prover *p = prover_new(ts, s);
  printf("%s, %zu literals\n", title, sides[0].count);
  sort_by_layer(p);
  for (int layer = 0; layer < 4; layer++) time_layer(p, layer, names[layer]);
  time_layer(p, 6, "cache");
  time_solver(s, -1);
  prover_free(p);
  solver_free(s);
}

static void time_contexts(void) {
  prover *p = prover_new(ts, NULL);
  uint64_t asked = 0;
  double start = cpu_seconds(), seconds = 0;
  for (; seconds < 0.25; seconds = cpu_seconds() - start)
    for (int i = 0; i < CONTEXTS; i++, asked++) {
      prover_context(p, sides[i].count, sides[i].literals, true);
      prover_ask(p, sides[i].questions[asked % QUESTIONS]);
    }
  printf("a new context for each question: %.0f questions/s\n", (double)asked / seconds);
  prover_free(p);
}

int main(void) {
  budget b = budget_unlimited();
  type integer = {.sort = SORT_INT};
  char name[] = "v0";
  ts = terms_new();
  for (int i = 0; i < VARIABLES; i++, name[1]++) variables[i] = variable_new(ts, name, &integer);
  run("ticket protocol", ticket_predicates, difference_question, &b);
  time_contexts();
  run("linear atoms", linear_predicates, linear_question, &b);
  terms_free(ts);
  return 0;
}
