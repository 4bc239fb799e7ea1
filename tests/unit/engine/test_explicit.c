/* The explicit engine against the slow meaning of reference.h, against counts that other model checkers find, and on
 * models made for its corners. */
#include <dirent.h>
#include <unistd.h>

#include "base/options.h"
#include "engine/engine.h"
#include "engine/explicit/lineage.h"
#include "model/passes.h"
#include "oracle/reference.h"
#include "proof/check/check.h"
#include "random/random_model.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"

enum { LIMIT = 2000, NO_END = 1 << 30 };

static unsigned scaled(unsigned rounds) { return getenv("WHET_SANITIZED") ? rounds / 6 : rounds; }

extern const engine engine_explicit;

typedef struct manner {
  option_order order;
  unsigned threads;
  bool with_passes;
  bool on_disk;
} manner;

static const manner plain_bfs = {ORDER_BFS, 1, false, false}, plain_dfs = {ORDER_DFS, 1, false, false},
                    plain_disk = {ORDER_BFS, 1, false, true};

/* A folder for searches on disk; they leave nothing in it. */
static const char *disk_folder_of_test(void) {
  static char path[] = "/tmp/whet-test-XXXXXX";
  static bool is_made;
  if (!is_made && !mkdtemp(path)) abort();
  is_made = true;
  return path;
}

typedef struct result {
  claim claim; /* about the model as given */
  statistics numbers;
} result;

/* Steps the engine at most `iterations` times; stopped before, it says nothing. */
static result run(model *m, size_t property, manner how, int iterations) {
  result r = {0};
  options *o = options_new();
  budget b = budget_unlimited();
  passes *p = how.with_passes ? passes_run(m, property, NULL) : NULL;
  o->order = how.order;
  o->threads = how.threads;
  if (how.on_disk) CHECK(!options_set(o, "disk", disk_folder_of_test()));
  engine_environment env = {.model = p ? passes_model(p) : m,
                            .property = p ? passes_property(p) : property,
                            .options = o,
                            .statistics = &r.numbers,
                            .budget = &b};
  void *state = engine_explicit.open(&env);
  while (engine_explicit.step(state, &r.claim) == ENGINE_GOES_ON && --iterations)
    ;
  engine_explicit.close(state);
  if (p) {
    evidence_add_facts(m->terms, &r.claim.evidence, passes_facts(p));
    if (r.claim.evidence.kind == EVIDENCE_TRACE) {
      passes_trace_back(p, &r.claim.evidence.steps);
      if (m->properties.at[property].kind == PROPERTY_NO_FAULT)
        r.claim.evidence.fault_transition =
            passes_transition_back(p, r.claim.evidence.fault_transition, &r.claim.evidence.fault_inputs);
    }
    passes_free(p);
  }
  options_free(o);
  return r;
}

static void drop(result *r) { claim_clear(&r->claim); }

static bool is_accepted(const model *m, size_t property, const claim *c) {
  budget b = budget_unlimited();
  check_result checked = check_evidence(m, property, &c->evidence, &b, NULL);
  if (checked.what) printf("# %s\n", checked.what);
  memory_free(checked.what);
  return checked.kind == CHECK_ACCEPTED;
}

static bool same_trace(const trace *a, const trace *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    for (size_t j = 0; j < a->at[i].values.count; j++)
      if (!number_equal(a->at[i].values.at[j], b->at[i].values.at[j])) return false;
  return true;
}

/* ---- random models ---- */

static uint64_t seed;
static char *source;
#define CHECK_SEED(COND, WHAT) CHECK(COND, "seed %llu, %s:\n%s", (unsigned long long)seed, WHAT, source)

static model *next_model(random_knobs knobs) {
  memory_free(source);
  source = random_model(++seed, knobs);
  return read_good_model(source);
}

static bool is_in_evidence(const model *m, const evidence *e, const number *values) {
  if (e->kind == EVIDENCE_STATES) {
    int64_t words[256];
    for (size_t i = 0; i < e->states->levels.count; i++)
      words[i] = values[model_position(m, e->states->levels.at[i])].small;
    return diagram_has(e->states, words);
  }
  return reference_holds(m, evidence_formula(m->terms, e), values);
}

/* The evidence of a safe verdict without passes is the reached set, no state more and none less. */
static void check_reached(const model *m, const reference *r, const evidence *e) {
  if (e->kind == EVIDENCE_STATES) CHECK_SEED(diagram_count(e->states) == r->states.count, "count");
  for (size_t i = 0; i < r->states.count; i += 1 + r->states.count / 100) {
    CHECK_SEED(is_in_evidence(m, e, reference_values(r, i)), "reached");
    number_vector other = {0};
    for (size_t j = 0; j < m->variables.count; j++) VECTOR_PUSH(other, reference_values(r, i)[j]);
    for (size_t j = 0; j < m->variables.count; j++) {
      const type *t = variable_type(m->terms, m->variables.at[j].var);
      number held = other.at[j];
      other.at[j] = t->sort == SORT_BOOL ? number_of(number_is(held, 0)) : number_add(held, number_of(1));
      CHECK_SEED(is_in_evidence(m, e, other.at) == (reference_find(r, other.at) != SIZE_MAX), "not reached");
      other.at[j] = held;
    }
    VECTOR_FREE(other);
  }
}

static void compare(model *m, size_t property, const reference *r) {
  const reference_breach *breach = &r->breaches.at[property];
  verdict wanted = breach->found ? VERDICT_UNSAFE : VERDICT_SAFE;
  static const manner manners[] = {{ORDER_BFS, 1, false, false}, {ORDER_BFS, 3, false, false},
                                   {ORDER_DFS, 1, false, false}, {ORDER_BFS, 1, true, false},
                                   {ORDER_DFS, 1, true, false},  {ORDER_BFS, 1, false, true},
                                   {ORDER_BFS, 2, false, true}};
  result first = {0};
  for (size_t i = 0; i < ARRAY_LENGTH(manners); i++) {
    result now = run(m, property, manners[i], NO_END);
    bool shortest = manners[i].order == ORDER_BFS, whole = !manners[i].with_passes;
    CHECK_SEED(now.claim.verdict == wanted, m->properties.at[property].name);
    if (now.claim.verdict == wanted && seed % 8 == 0) CHECK_SEED(is_accepted(m, property, &now.claim), "evidence");
    if (now.claim.verdict == VERDICT_UNSAFE && wanted == VERDICT_UNSAFE) {
      if (shortest) CHECK_SEED(now.claim.evidence.steps.count == breach->depth + 1, "length");
      if (i == 1) CHECK_SEED(same_trace(&first.claim.evidence.steps, &now.claim.evidence.steps), "with threads");
    }
    if (now.claim.verdict == VERDICT_SAFE && wanted == VERDICT_SAFE && whole) {
      CHECK_SEED(now.numbers.states == r->states.count, "states");
      CHECK_SEED(now.numbers.transitions == r->steps, "transitions");
      check_reached(m, r, &now.claim.evidence);
    }
    if (i == 0)
      first = now;
    else
      drop(&now);
  }
  drop(&first);
}

TEST(finite_models_are_searched_like_the_slow_way) {
  unsigned compared = 0, unsafe = 0;
  for (unsigned i = scaled(250); i > 0; i--) {
    model *m = next_model((random_knobs){RANDOM_FINITE, 1 + (unsigned)(seed % 2)});
    reference *r = reference_explore(m, LIMIT);
    for (size_t p = 0; p < m->properties.count && r->status == REFERENCE_COMPLETE; p++) {
      compare(m, p, r);
      compared++;
      unsafe += r->breaches.at[p].found;
    }
    reference_free(r);
    model_free(m);
  }
  CHECK(unsafe * 10 > compared && unsafe * 10 < compared * 9, "%u of %u", unsafe, compared);
}

TEST(whatever_is_said_of_unbounded_models_is_accepted) {
  unsigned verdicts[5] = {0};
  for (unsigned i = scaled(200); i > 0; i--) {
    model *m = next_model((random_knobs){RANDOM_INFINITE, 1 + (unsigned)(seed % 2)});
    reference *r = reference_explore(m, 200);
    for (size_t p = 0; p < m->properties.count; p++) {
      if (property_is_temporal(&m->properties.at[p])) continue;
      result now = run(m, p, plain_bfs, 4);
      verdicts[now.claim.verdict]++;
      if (now.claim.verdict != VERDICT_UNKNOWN) CHECK_SEED(is_accepted(m, p, &now.claim), "evidence");
      if (now.claim.verdict == VERDICT_SAFE) CHECK_SEED(!r->breaches.at[p].found, "safe");
      drop(&now);
    }
    reference_free(r);
    model_free(m);
  }
  CHECK(verdicts[VERDICT_SAFE] && verdicts[VERDICT_UNSAFE] && verdicts[VERDICT_UNKNOWN]);
}

/* ---- counts of others ---- */

static model *benchmark(const char *name, const char *from, const char *to) {
  char *path = text_format("%s/../bench/models/%s.whet", TESTS_FOLDER, name);
  size_t length;
  char *content = read_file(path, &length);
  CHECK(content, "%s", path);
  char *at = strstr(content, from);
  CHECK(at && strlen(from) == strlen(to));
  memcpy(at, to, strlen(to));
  model *m = read_good_model(content);
  memory_free(content);
  memory_free(path);
  return m;
}

static void check_counts(model *m, uint64_t states, uint64_t transitions) {
  static const manner manners[] = {{ORDER_BFS, 1, true, false},
                                   {ORDER_BFS, 2, true, false},
                                   {ORDER_DFS, 1, true, false},
                                   {ORDER_BFS, 1, true, true}};
  for (size_t i = 0; i < ARRAY_LENGTH(manners); i++) {
    result r = run(m, 0, manners[i], NO_END);
    CHECK(r.claim.verdict == VERDICT_SAFE);
    CHECK(r.numbers.states == states, "%llu", (unsigned long long)r.numbers.states);
    CHECK(r.numbers.transitions == transitions, "%llu", (unsigned long long)r.numbers.transitions);
    if (i == 0) CHECK(is_accepted(m, 0, &r.claim));
    drop(&r);
  }
  model_free(m);
}

/* SPIN counts one transition more, that into the initial state. */
TEST(spin_and_rumur_count_the_same_states_of_peterson) {
  check_counts(benchmark("peterson", "const N = 5", "const N = 3"), 2248, 6011);
}
TEST(spin_and_rumur_count_the_same_states_of_the_bakery) {
  check_counts(benchmark("bakery", "const N = 4", "const N = 3"), 38469, 89015);
}
TEST(spin_and_rumur_count_the_same_states_of_philosophers) {
  check_counts(benchmark("philosophers", "const N = 10", "const N = 6 "), 5778, 28746);
}

/* ---- corners ---- */

static void check_verdict(const char *content, manner how, verdict wanted, size_t steps, const char *reason) {
  model *m = read_good_model(content);
  result r = run(m, 0, how, NO_END);
  CHECK(r.claim.verdict == wanted, "%s\n%s", r.claim.reason ? r.claim.reason : "", content);
  if (reason) CHECK_TEXT(r.claim.reason ? r.claim.reason : "", reason);
  if (r.claim.verdict != VERDICT_UNKNOWN) CHECK(is_accepted(m, 0, &r.claim), "%s", content);
  if (r.claim.verdict == VERDICT_UNSAFE && how.order == ORDER_BFS)
    CHECK(r.claim.evidence.steps.count == steps + 1, "%zu\n%s", r.claim.evidence.steps.count - 1, content);
  drop(&r);
  model_free(m);
}

static void check_both_orders(const char *content, verdict wanted, size_t steps, const char *reason) {
  check_verdict(content, plain_bfs, wanted, steps, reason);
  check_verdict(content, plain_dfs, wanted, steps, reason);
  check_verdict(content, plain_disk, wanted, steps, reason);
}

TEST(values_may_grow_out_of_their_fields) {
  check_both_orders("var x : int = 0\naction a: x < 70000 -> x := x + 1\nsafe p: x <= 70000", VERDICT_SAFE, 0, NULL);
  check_both_orders("var x : int = 0\naction a: x > -300 -> x := x - 1\nsafe p: x != -299", VERDICT_UNSAFE, 299, NULL);
  check_both_orders("var x : nat = 1\naction a: x < 1000000000000 -> x := 3 * x\nsafe p: x < 1000000000000",
                    VERDICT_UNSAFE, 26, NULL);
  check_both_orders(
      "var x : int = 1\nvar y : bool = false\nvar z : int = 7\naction a: x < 5000000000000000000 && !y -> x := -2 * "
      "x\naction "
      "b: x > 100 -> y := true, z := z + x\n"
      "safe p: !(y && z > 1000000000000000000)",
      VERDICT_UNSAFE, 61, NULL);
  check_both_orders("var x : int = 9223372036854775807\naction a: x > 9223372036854775700 -> x := x - 1\nsafe p: x > 0",
                    VERDICT_SAFE, 0, NULL);
}

TEST(values_beyond_64_bits_are_no_verdict) {
  check_both_orders("var x : int = 1\naction a: true -> x := 2 * x\nsafe p: x > 0", VERDICT_UNKNOWN, 0,
                    "values beyond 64 bits");
  check_both_orders("var x : int = 1\naction a: true -> x := 2 * x\nsafe p: x != 1024", VERDICT_UNSAFE, 10, NULL);
  check_both_orders("var x : int\ninit x = 9223372036854775808\naction a: true -> ;\nsafe p: x > 0", VERDICT_UNKNOWN, 0,
                    "values beyond 64 bits");
  check_both_orders("var x : int = 4000000000\naction a: x * x * x > 0 -> x := 0\nsafe p: x > 0", VERDICT_UNKNOWN, 0,
                    "values beyond 64 bits");
}

TEST(initial_states_without_end_are_named) {
  check_both_orders("const n : int\nvar x : 0..9 = 0\naction a: x < 9 && x < n -> x := x + 1\nsafe p: x >= 0",
                    VERDICT_UNKNOWN, 0, "not all initial states can be tried: parameter n has no bound");
  check_both_orders("const n : int\nvar x : 0..9 = 0\naction a: x < 9 && x < n -> x := x + 1\nsafe p: x < 5",
                    VERDICT_UNSAFE, 5, NULL);
  check_both_orders(
      "const n : int\ninit n > 5 && 2 * n < 17\nvar x : 0..9 = 0\naction a: x < n -> x := x + 1\nsafe p: x <= 8",
      VERDICT_SAFE, 0, NULL);
  check_both_orders(
      "const n, m : int\ninit n = 2 * m + 1 && m >= 3 && n <= 11\naction a: true -> ;\nsafe p: n >= 7 && m <= 5",
      VERDICT_SAFE, 0, NULL);
  check_both_orders("var x : int\ninit x > 1000000 && x * x = 1002001 * 1002001\naction a: true -> ;\nsafe p: x < 0",
                    VERDICT_UNSAFE, 0, NULL);
  check_both_orders("var x : 0..3\ninit x > 3\naction a: true -> ;\nsafe p: x < 0", VERDICT_SAFE, 0, NULL);
}

TEST(inputs_without_end_are_named) {
  check_both_orders("var x : int = 0\naction a(i : int): i > 40 && i < 50 -> x := i\nsafe p: x < 50", VERDICT_SAFE, 0,
                    NULL);
  check_both_orders("var x : 0..1000000 = 0\naction a(i : int): i = 2 * x + 1 && i < 100 -> x := i\nsafe p: x < 64",
                    VERDICT_SAFE, 0, NULL);
  check_both_orders("var x : 0..7 = 0\naction a(i : int): i > 1000 -> x := i % 8\nsafe p: x != 7", VERDICT_UNSAFE, 1,
                    NULL);
  check_both_orders("var x : bool = false\naction a(i : nat): i * i = 144 -> x := true\nsafe p: !x", VERDICT_UNSAFE, 1,
                    NULL);
  check_both_orders("var x : bool = false\naction a(i : nat): i > 12 -> x := i < 5\nsafe p: !x", VERDICT_UNKNOWN, 0,
                    "not all inputs can be tried: a.i has no bound");
  check_both_orders(
      "var x : 0..9 = 0\naction a(i, j : 0..1000000): i = j && i = x + 1 && x < 9 -> x := j\nsafe p: x < 9",
      VERDICT_UNSAFE, 9, NULL);
}

TEST(states_without_a_step_are_found) {
  check_both_orders("var x : 0..9 = 0\naction a: x < 7 -> x := x + 1\ndeadlockfree", VERDICT_UNSAFE, 7, NULL);
  check_both_orders(
      "var x : 0..9 = 0\naction a: x < 7 -> x := x + 1\naction b(i : 0..3): x = 7 && i = 3 -> x := 0\ndeadlockfree",
      VERDICT_SAFE, 0, NULL);
  check_both_orders("var x : 0..9 = 0\naction a(i : int): i > x && i < 8 -> x := i\ndeadlockfree", VERDICT_UNSAFE, 1,
                    NULL);
}

TEST(a_long_way_is_found_again) {
  model *m = read_good_model(
      "var x, y : nat = 0\naction a: y < 3 -> y := y + 1\naction b: y = 3 -> x, y := x + 1, 0\nsafe p: x < 20000");
  for (unsigned threads = 1; threads < 4; threads += 2) {
    result r = run(m, 0, (manner){ORDER_BFS, threads, false, false}, NO_END);
    CHECK(r.claim.verdict == VERDICT_UNSAFE && r.claim.evidence.steps.count == 80001);
    CHECK(is_accepted(m, 0, &r.claim));
    drop(&r);
  }
  model_free(m);
}

TEST(a_stopped_search_says_why) {
  model *m = read_good_model("var x : int = 0\naction a: true -> x := x + 1\nsafe p: x >= 0");
  for (int order = ORDER_BFS; order <= ORDER_DFS; order++) {
    atomic_bool stop = true;
    options *o = options_new();
    o->order = order;
    budget b = {.stop = &stop};
    statistics n = {0};
    claim c = {0};
    engine_environment env = {.model = m, .options = o, .statistics = &n, .budget = &b};
    void *state = engine_explicit.open(&env);
    CHECK(engine_explicit.step(state, &c) == ENGINE_GOES_ON);
    CHECK(engine_explicit.step(state, &c) == ENGINE_DONE && c.verdict == VERDICT_UNKNOWN);
    CHECK_TEXT(c.reason, "interrupted");
    engine_explicit.close(state);
    claim_clear(&c);
    options_free(o);
  }
  model_free(m);
}

/* Parents kept one by one are what two bits a state must give. */
TEST(two_bits_a_state_tell_who_found_it) {
  random_source r = {3};
  for (int round = 0; round < 30; round++) {
    lineage l = {0};
    VECTOR(uint64_t) parents = {0};
    uint64_t initial = 1 + random_below(&r, round % 3 ? 5 : 300);
    lineage_add(&l, initial);
    for (uint64_t i = 0; i < initial; i++) VECTOR_PUSH(parents, UINT64_MAX);
    for (uint64_t i = 0; i < parents.count && parents.count < 20000; i++) {
      uint64_t children = random_below(&r, 40) ? random_below(&r, 4) : random_below(&r, 200);
      lineage_add(&l, children);
      while (children--) VECTOR_PUSH(parents, i);
    }
    for (uint64_t i = 0; i < parents.count; i += 1 + random_below(&r, 200)) {
      state_path path = {0};
      lineage_path(&l, i, &path);
      uint64_t at = i;
      for (size_t k = path.count; k-- > 0; at = parents.at[at]) {
        CHECK(path.at[k] == at);
        if (parents.at[at] == UINT64_MAX) CHECK(k == 0);
      }
      VECTOR_FREE(path);
    }
    lineage_clear(&l);
    VECTOR_FREE(parents);
  }
}

TEST(searches_on_disk_leave_nothing_behind) {
  DIR *folder = opendir(disk_folder_of_test());
  CHECK(folder);
  for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
    CHECK(entry->d_name[0] == '.', "%s", entry->d_name);
  if (folder) closedir(folder);
  CHECK(!rmdir(disk_folder_of_test()));
}

TEST_MAIN
