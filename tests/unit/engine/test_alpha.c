/* alpha's exactness against brute force: if it says exact, concrete states with one signature must have the same
 * actions and, by each, successors with one signature. Nothing of the engine's reasoning is used but the signature
 * itself. */
#include "engine/alpha/alpha.h"
#include "input/input.h"
#include "random/random_model.h"
#include "unit/test.h"
#include "unit/work_budget.h"

enum { CONCRETE_STATES = 1500, STEPS_OF_ENGINE = 40, MODELS = 150 };

extern const engine engine_alpha;

typedef struct oracle {
  alpha *a;
  size_t width, words;
  map *known;             /* hash of a concrete state -> 1 */
  VECTOR(int64_t) states; /* breadth first */
  store *signatures;
  VECTOR(uint64_t) successors; /* signature * actions: 1 + signature after the action, 0 if it is not enabled */
  VECTOR(bool) filled;
  size_t differences;
} oracle;

static uint64_t signature_of(oracle *o, const int64_t *state) {
  uint64_t key[64] = {0}, mask[64] = {0}, index = 0;
  REQUIRE(o->words <= 64, "few predicates");
  kept_pack(&o->a->kept, state, key);
  predicates_active(o->a->predicates, state, mask);
  CHECK(predicates_evaluate(o->a->predicates, state, mask, key + o->a->kept.packing->words));
  store_add(o->signatures, key, &index);
  return index;
}

static void remember(oracle *o, const int64_t *state) {
  uint64_t hash = hash_bytes(state, o->width * sizeof *state, 1);
  if (map_get(o->known, hash, NULL) || map_count(o->known) >= CONCRETE_STATES) return;
  map_set(o->known, hash, 1);
  for (size_t i = 0; i < o->width; i++) VECTOR_PUSH(o->states, state[i]);
}

static void look_at(oracle *o, size_t number) {
  size_t actions = o->a->actions.count;
  int64_t *state = MEMORY_ARRAY(int64_t, o->width + 1), *after = MEMORY_ARRAY(int64_t, o->width + 1);
  memcpy(state, o->states.at + number * o->width, o->width * sizeof *state);
  uint64_t own = signature_of(o, state);
  while (o->filled.count <= own) {
    VECTOR_PUSH(o->filled, false);
    for (size_t i = 0; i < actions; i++) VECTOR_PUSH(o->successors, 0);
  }
  for (size_t i = 0; i < actions; i++) {
    const alpha_action *act = &o->a->actions.at[i];
    uint64_t to = 0;
    if (semantics_step(o->a->semantics, act->transition, state, act->inputs.at, after, NULL) == STEP_TAKEN) {
      to = 1 + signature_of(o, after);
      remember(o, after);
    }
    if (!o->filled.at[own]) o->successors.at[own * actions + i] = to;
    o->differences += o->successors.at[own * actions + i] != to;
  }
  o->filled.at[own] = true;
  memory_free(state);
  memory_free(after);
}

static size_t count_differences(alpha *a) {
  oracle o = {.a = a,
              .width = a->m->variables.count,
              .words = a->kept.packing->words + predicates_words(a->predicates),
              .known = map_new()};
  o.signatures = store_new(o.words * sizeof(uint64_t), 1);
  for (uint32_t i = 0; i < a->last->parents.count; i++)
    if (a->last->parents.at[i] == NO_STATE) remember(&o, a->last->states.at + i * o.width);
  for (size_t i = 0; i * o.width < o.states.count; i++) look_at(&o, i);
  store_free(o.signatures);
  map_free(o.known);
  VECTOR_FREE(o.states);
  VECTOR_FREE(o.successors);
  VECTOR_FREE(o.filled);
  return o.differences;
}

/* The verdict of the engine on property `index`; if it is exact, the bisimulation is checked. */
static verdict decide(model *m, size_t index, const char *option) {
  statistics counted = {0};
  budget limit = work_budget(20000000);
  options *o = options_new();
  memory_free(options_set(o, "exactness", "full"));
  if (option) memory_free(options_set(o, option, NULL));
  engine_environment env = {.model = m, .property = index, .options = o, .statistics = &counted, .budget = &limit};
  claim c = {0};
  alpha *a = engine_alpha.open(&env);
  bool closed = true;
  for (size_t i = 0; i < a->actions.count; i++) closed &= !a->actions.at[i].open;
  engine_status status = ENGINE_GOES_ON;
  for (int i = 0; i < STEPS_OF_ENGINE && status == ENGINE_GOES_ON; i++) status = engine_alpha.step(a, &c);
  verdict v = status == ENGINE_DONE ? c.verdict : VERDICT_UNKNOWN;
  if (v == VERDICT_SAFE && closed) {
    size_t differences = count_differences(a);
    CHECK(!differences, "%s, %s: %zu steps differ", m->name, m->properties.at[index].name, differences);
  }
  claim_clear(&c);
  engine_alpha.close(a);
  options_free(o);
  return v;
}

static model *read_model(const char *name) {
  diagnostics d = {0};
  char *path = text_format("%s/data/models/%s", TESTS_FOLDER, name);
  model *m = input_read_file(path, &d);
  CHECK(m, "%s", text_string(&d.text));
  memory_free(path);
  text_clear(&d.text);
  return m;
}

static void expect_exact(const char *name, const char *property, const char *option) {
  model *m = read_model(name);
  size_t index = 0;
  CHECK(model_find_property(m, property, &index));
  CHECK(decide(m, index, option) == VERDICT_SAFE, "%s %s", name, option ? option : "");
  model_free(m);
}

TEST(exact_means_bisimilar_on_the_models_of_the_paper) {
  static const char *const options[] = {NULL, "local-predicates"};
  for (size_t i = 0; i < ARRAY_LENGTH(options); i++) {
    expect_exact("ticket2.whet", "mutex", options[i]);
    expect_exact("ticket3.whet", "mutex", options[i]);
    expect_exact("rax.whet", "counters", options[i]);
    expect_exact("rax.whet", "explored", options[i]);
    expect_exact("bakery2.whet", "mutex", options[i]);
    expect_exact("fig4.whet", "stay", options[i]);
    expect_exact("predabs/bakery3.whet", "mutex", options[i]);
  }
  expect_exact("ticket2.whet", "mutex", "global-predicates");
  expect_exact("bakery2.whet", "mutex", "lightweight");
}

TEST(exact_means_bisimilar_on_random_models) {
  random_knobs knobs = {RANDOM_LINEAR & ~(unsigned)RANDOM_UNBOUNDED, 2};
  unsigned exact = 0, wanted = MODELS;
  for (uint64_t seed = 1; seed <= wanted; seed++) {
    char *source = random_model(seed, knobs);
    diagnostics d = {0};
    model *m = input_read_text("random.whet", source, strlen(source), &d);
    CHECK(m, "seed %llu: %s", (unsigned long long)seed, text_string(&d.text));
    for (size_t i = 0; m && i < m->properties.count; i++)
      if (!property_is_temporal(&m->properties.at[i]))
        exact += decide(m, i, seed % 2 ? NULL : "global-predicates") == VERDICT_SAFE;
    model_free(m);
    text_clear(&d.text);
    memory_free(source);
  }
  CHECK(exact > wanted / 4, "only %u were exact", exact);
}

TEST_MAIN
