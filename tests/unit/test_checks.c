/* Structures whose inside is in a header: terms, assignments of atoms, alpha's exploration, graphs of locations. Each is damaged and noticed to
 * be; and what CHECKED does then. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/instruments/check.h"
#include "base/instruments/fire.h"
#include "base/instruments/log.h"
#include "engine/alpha/alpha.h"
#include "engine/widen/graph/graph.h"
#include "predicate/allsat.h"
#include "term/table.h"
#include "unit/damage.h"
#include "unit/input/input_helper.h"

/* ---- the macros ---- */

/* The signal that ends a child which does CHECKED(words); 0: it went on. */
static int end_of_child(const char *words) {
  (void)words; /* in a release build */
  int status = 0;
  pid_t child = fork();
  if (!child) {
    freopen("/dev/null", "w", stderr);
    CHECKED(words);
    _exit(0);
  }
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(what_is_broken_ends_the_process_in_builds_with_checks) {
  CHECK(end_of_child(NULL) == 0);
#ifdef WHET_CHECKS
  CHECK(end_of_child("a test") == SIGABRT);
#else
  CHECK(end_of_child("a test") == 0);
#endif
}

TEST(costly_checks_run_as_often_as_their_cost_allows) {
#ifdef WHET_CHECKS
  int runs = 0, calls = 0;
  for (; calls < 1000; calls++) CHECKED_AT_TIMES(10 * CHECK_ALLOWANCE, (runs++, NULL));
  CHECK(runs == 100, "%d", runs);
  for (runs = calls = 0; calls < 10; calls++) CHECKED_AT_TIMES(1, (runs++, NULL));
  CHECK(runs == 10);
#else
  SKIP("this build has no checks");
#endif
}

/* ---- terms ---- */

typedef struct some_terms {
  terms *ts;
  term x, y, sum, atom, both, same;
} some_terms;

static some_terms terms_with_all_kinds(void) {
  some_terms t = {.ts = terms_new()};
  type integers = {.sort = SORT_INT}, truth = {.sort = SORT_BOOL};
  t.x = term_of_variable(t.ts, variable_new(t.ts, "x", &integers));
  t.y = term_of_variable(t.ts, variable_new(t.ts, "y", &integers));
  term p = term_of_variable(t.ts, variable_new(t.ts, "p", &truth));
  term q = term_of_variable(t.ts, variable_new(t.ts, "q", &truth));
  t.sum = term_add(t.ts, t.x, term_scale(t.ts, number_of(3), t.y));
  t.atom = term_positive(term_le(t.ts, t.sum, term_int(t.ts, 5)));
  t.both = term_and(t.ts, p, t.atom);
  t.same = term_positive(term_iff(t.ts, p, q));
  for (int i = 0; i < 300; i++) term_ite(t.ts, p, term_scale(t.ts, number_of(i), t.x), term_int(t.ts, i));
  return t;
}

static term_node *node_at(const some_terms *t, term of) { return &t->ts->nodes.at[term_index(of)]; }

#define DAMAGED_TERMS(DO, WORDS)                \
  do {                                          \
    some_terms t = terms_with_all_kinds();      \
    CHECK_TEXT(said(terms_check(t.ts)), WHOLE); \
    DO;                                         \
    CHECK_TEXT(said(terms_check(t.ts)), WORDS); \
    terms_free(t.ts);                           \
  } while (0)

TEST(terms_that_are_out_of_their_normal_form) {
  DAMAGED_TERMS(t.ts->numbers.at[node_at(&t, t.sum)->extra + 2] = number_of(0), "no coefficient of a sum is 0");
  DAMAGED_TERMS(t.ts->arguments.at[node_at(&t, t.sum)->start] = t.y, "leaves of a sum are sorted, none twice");
  DAMAGED_TERMS(t.ts->arguments.at[node_at(&t, t.atom)->start] = t.same,
                "arguments come before the terms built from them");
  DAMAGED_TERMS(node_at(&t, t.both)->count = 1, "a conjunction has two or more arguments");
  DAMAGED_TERMS(t.ts->arguments.at[node_at(&t, t.both)->start + 1] = t.ts->arguments.at[node_at(&t, t.both)->start],
                "arguments of a conjunction are sorted, none twice");
  DAMAGED_TERMS(t.ts->arguments.at[node_at(&t, t.same)->start].x ^= 1, "both sides of an equivalence are positive");
}

TEST(a_table_of_terms_that_lost_its_way) {
  DAMAGED_TERMS(
      {
        size_t slot = 0;
        while (!t.ts->table[slot].index) slot++;
        t.ts->table[slot].hash ^= 1;
      },
      "terms stand in the table with their hashes");
  DAMAGED_TERMS(
      {
        size_t slot = 0;
        while (!t.ts->table[slot].index || t.ts->table[(slot + 1) % t.ts->table_size].index) slot++;
        t.ts->table[slot].index = 0; /* the last of a chain */
      },
      "every term is in the table once");
  DAMAGED_TERMS(names_set(t.ts->by_name, "x", 1), "a variable is found by its name");
}

/* ---- assignments of atoms ---- */

TEST(rows_of_assignments) {
  uint64_t rows[] = {7, 3, 5, 1, 0};
  cells c = {.atoms = 3, .words = 1, .count = 5, .bits = rows};
  CHECK_TEXT(said(cells_check(&c)), WHOLE);
  rows[1] = 7;
  CHECK_TEXT(said(cells_check(&c)), "rows are in descending order, none twice");
  rows[1] = 4;
  CHECK_TEXT(said(cells_check(&c)), "rows are in descending order, none twice");
  rows[1] = 3 | 8;
  CHECK_TEXT(said(cells_check(&c)), "bits beyond the atoms are 0");
  c.atoms = 65;
  CHECK_TEXT(said(cells_check(&c)), "rows have a bit for each atom");
}

/* ---- explorations ---- */

enum { ACTIONS = 2 };

/* Three states one after the other. */
static exploration some_exploration(void) {
  exploration s = {.visited = store_new(8, 1), .width = 1, .wanted_index = map_new()};
  for (uint32_t i = 0; i < 3; i++) {
    uint64_t word = i;
    store_add(s.visited, &word, NULL);
    VECTOR_PUSH(s.states, i);
    VECTOR_PUSH(s.parents, i ? i - 1 : NO_STATE);
    VECTOR_PUSH(s.actions, i % ACTIONS);
    VECTOR_PUSH(s.input_starts, 0);
    if (i) VECTOR_PUSH(s.edges, (edge){i - 1, i % ACTIONS, i});
  }
  explore_want(&s, (term){8}, 0);
  return s;
}

static void exploration_drop(exploration *s) {
  exploration *whole = MEMORY_NEW(exploration);
  *whole = *s;
  explore_free(whole);
}

#define DAMAGED_EXPLORATION(DO, WORDS)                       \
  do {                                                       \
    exploration s = some_exploration();                      \
    CHECK_TEXT(said(exploration_check(&s, ACTIONS)), WHOLE); \
    DO;                                                      \
    CHECK_TEXT(said(exploration_check(&s, ACTIONS)), WORDS); \
    exploration_drop(&s);                                    \
  } while (0)

TEST(explorations) {
  DAMAGED_EXPLORATION(s.states.count--, "every abstract state has a concrete one, a parent, an action and inputs");
  DAMAGED_EXPLORATION(s.parents.at[1] = 2, "states come after their parents, by an action");
  DAMAGED_EXPLORATION(s.actions.at[1] = ACTIONS, "states come after their parents, by an action");
  DAMAGED_EXPLORATION(s.input_starts.at[2] = 5, "inputs stand in the order of the states");
  DAMAGED_EXPLORATION(s.edges.at[0].to = 3, "edges join states by actions");
  DAMAGED_EXPLORATION(s.has_error = true, "an error has a state, after one that is there");
  DAMAGED_EXPLORATION(s.wanted.at[0].atom.x = 9, "wanted predicates are positive");
  DAMAGED_EXPLORATION(s.wanted.at[0].place = 7, "wanted predicates are known as such");
  DAMAGED_EXPLORATION(s.wanted.count = 0, "every wanted predicate is wanted once");
}

/* ---- graphs ---- */

typedef struct graph_bench {
  model *m;
  polyhedra *space;
  budget budget;
  graph *g;
} graph_bench;

static graph_bench some_graph(void) {
  graph_bench b = {.m = read_good_model("var x : int\n"
                                        "init x = 0 && P at a\n"
                                        "process P { states a, b\n"
                                        "  go: a -> b : x := x + 1\n"
                                        "  on: a -> a : x := x + 2\n"
                                        "  back: b -> a when x < 9\n"
                                        "}\n"
                                        "unreachable wrong: P at b && x > 100\n"),
                   .space = polyhedra_new(NULL),
                   .budget = budget_unlimited()};
  const char *why = NULL;
  term bad = b.m->properties.at[0].bad;
  b.g = graph_new(b.m, &bad, CONTROL_PLACES, b.space, &b.budget, &why);
  CHECK(b.g != NULL, "%s", why);
  return b;
}

#define DAMAGED_GRAPH(DO, WORDS)                           \
  do {                                                     \
    graph_bench b = some_graph();                          \
    graph *g = b.g;                                        \
    CHECK_TEXT(said(graph_check(g)), WHOLE);               \
    CHECK(g->locations.count == 2 && g->edges.count == 3); \
    DO;                                                    \
    CHECK_TEXT(said(graph_check(g)), WORDS);               \
    graph_free(g);                                         \
    polyhedra_free(b.space);                               \
    model_free(b.m);                                       \
  } while (0)

TEST(graphs) {
  DAMAGED_GRAPH(g->edges.at[0].to = 2, "edges join locations");
  DAMAGED_GRAPH(g->edges.at[0].transition = 3, "edges are of transitions");
  DAMAGED_GRAPH(g->edges.at[0].from = 1, "edges stand at where they start");
  DAMAGED_GRAPH(g->edges.at[0].transition = 2, "edges of a location are sorted by transition");
  DAMAGED_GRAPH(g->first_edge.at[1] = 9, "edges of locations come in their order");
  DAMAGED_GRAPH(g->first_edge.count--, "every location has its edges");
  DAMAGED_GRAPH(g->locations.at[0].matters = false, "what leads to a location that matters matters");
  DAMAGED_GRAPH(g->initial.at[0].at = 2, "initial states are at locations");
  DAMAGED_GRAPH(g->bad.at[0].at = 2, "bad states are at locations that matter");
}

TEST_MAIN
