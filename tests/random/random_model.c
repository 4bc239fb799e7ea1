/* Random models as text: declarations, then what runs, then what is claimed. */
#include <stdlib.h>

#include "base/map.h"
#include "random/random_generator.h"

unsigned random_rounds(unsigned rounds) {
  const char *factor = getenv("WHET_ROUNDS");
  if (factor) rounds *= (unsigned)strtoul(factor, NULL, 10);
  return getenv("WHET_SANITIZED") ? rounds / 6 : rounds;
}

uint64_t random_first_seed(uint64_t usual) {
  const char *moved = getenv("WHET_SEED");
  return usual + (moved ? strtoull(moved, NULL, 10) : 0);
}

/* ---- types and variables ---- */

shape make_shape(generator *g) {
  if (chance(g, 25)) return (shape){.sort = SHAPE_BOOL};
  if (g->enumeration_count && chance(g, 25))
    return (shape){.sort = SHAPE_ENUMERATION, .enumeration = (unsigned)below(g, g->enumeration_count)};
  if (has(g, RANDOM_UNBOUNDED) && chance(g, 60)) return (shape){.sort = SHAPE_INTEGER, .has_low = chance(g, 50)};
  int64_t low = chance(g, 70) ? 0 : random_between(&g->random, -2, 2);
  return (shape){SHAPE_INTEGER, true, true, low, low + 1 + (int64_t)below(g, 1 + g->size), 0};
}

const char *bound_text(generator *g, int64_t value) {
  for (size_t i = 0; i < g->known.count; i++) {
    const known *k = &g->known.at[i];
    if (k->constant && k->name[0] == 'N' && k->of.sort == SHAPE_INTEGER && k->of.low == value && k->of.high == value &&
        chance(g, 50))
      return k->name;
  }
  return make(g, "%lld", (long long)value);
}

const char *shape_text(generator *g, const shape *s) {
  if (s->sort == SHAPE_BOOL) return "bool";
  if (s->sort == SHAPE_ENUMERATION) {
    const string_vector *values = &g->enumerations[s->enumeration];
    const char *list = "{";
    for (size_t i = 0; i < values->count; i++) list = make(g, "%s%s%s", list, i ? ", " : "", values->at[i]);
    return make(g, "%s}", list);
  }
  if (!s->has_high) return s->has_low ? "nat" : "int";
  return make(g, "%s..%s", bound_text(g, s->low), bound_text(g, s->high));
}

static void add_dimensions(generator *g, known *k) {
  k->dimensions = chance(g, 20) ? 2 : 1;
  for (unsigned i = 0; i < k->dimensions; i++) {
    k->first[i] = random_between(&g->random, -1, 1);
    k->last[i] = k->first[i] + 1;
    if (k->dimensions == 1 && chance(g, 40)) k->last[i]++;
    text_add(&g->out, "[%s..%s]", bound_text(g, k->first[i]), bound_text(g, k->last[i]));
  }
}

void add_variable(generator *g, const char *indent, const char *name, bool array_allowed) {
  known k = {.name = name, .of = make_shape(g), .assignable = true}, twin = {0};
  if (chance(g, 3)) k.name = make(g, "|%s !|", name);
  text_add(&g->out, "%svar %s", indent, k.name);
  if (chance(g, 5)) text_add(&g->out, ", %s", twin.name = make(g, "%s'", name));
  text_add(&g->out, " : %s", shape_text(g, &k.of));
  if (array_allowed && has(g, RANDOM_ARRAYS) && chance(g, 30)) add_dimensions(g, &k);
  bool infinite = k.of.sort == SHAPE_INTEGER && !k.of.has_high;
  if (!has(g, RANDOM_INIT) || chance(g, infinite ? 95 : 75)) {
    text_add(&g->out, " = %s", make_constant(g, &k.of));
    if (k.of.sort == SHAPE_INTEGER && chance(g, 10)) text_add(&g->out, " + 1 - 1");
  }
  text_add(&g->out, chance(g, 30) ? ";\n" : "\n");
  VECTOR_PUSH(g->known, k);
  if (!twin.name) return;
  k.name = twin.name;
  VECTOR_PUSH(g->known, k);
}

static void declare_enumerations(generator *g) {
  if (!has(g, RANDOM_ENUMERATIONS)) return;
  g->enumeration_count = 1 + (unsigned)below(g, 2);
  for (unsigned e = 0; e < g->enumeration_count; e++)
    for (uint64_t i = 0, count = 2 + below(g, 2); i < count; i++)
      VECTOR_PUSH(g->enumerations[e], make(g, "%c%llu", "RQ"[e], (unsigned long long)i));
}

static void add_constants(generator *g) {
  if (!has(g, RANDOM_CONSTANTS)) return;
  for (uint64_t i = 0, count = 1 + below(g, 2); i < count; i++) {
    int64_t value = random_between(&g->random, 1, 3);
    const char *name = make(g, "N%llu", (unsigned long long)i);
    text_add(&g->out, "const %s = %lld\n", name, (long long)value);
    VECTOR_PUSH(g->known, (known){.name = name, .of = {SHAPE_INTEGER, true, true, value, value, 0}, .constant = true});
  }
}

static void add_parameter(generator *g) {
  if (!has(g, RANDOM_PARAMETERS)) return;
  shape of = {SHAPE_INTEGER, true, true, 0, 1 + (int64_t)below(g, 2), 0};
  if (has(g, RANDOM_UNBOUNDED) && chance(g, 50)) of = (shape){.sort = SHAPE_INTEGER};
  text_add(&g->out, "const K : %s%s\n", shape_text(g, &of),
           chance(g, 10)   ? " // any of these"
           : chance(g, 10) ? " /* any\n */"
                           : "");
  VECTOR_PUSH(g->known, (known){.name = "K", .of = of});
}

static void add_definitions(generator *g) {
  if (!has(g, RANDOM_DEFINES)) return;
  for (uint64_t i = 0, count = 1 + below(g, 2); i < count; i++) {
    shape of = {.sort = chance(g, 60) ? SHAPE_BOOL : SHAPE_INTEGER};
    const char *name = make(g, "d%llu", (unsigned long long)i);
    text_add(&g->out, "define %s = %s\n", name, make_value(g, &of, 2).text);
    VECTOR_PUSH(g->known, (known){.name = name, .of = of});
  }
}

/* ---- what is claimed ---- */

static void add_properties(generator *g) {
  uint64_t count = 1 + below(g, 2);
  for (uint64_t i = 0; i < count; i++) {
    piece bad = make_corner(g);
    unsigned long long n = (unsigned long long)i;
    if (chance(g, 50))
      text_add(&g->out, "unreachable u%llu: %s\n", n, bad.text);
    else if (chance(g, 80))
      text_add(&g->out, "safe p%llu: !(%s)\n", n, bad.text);
    else
      text_add(&g->out, "safe p%llu: %s\n", n, make_boolean(g, 3).text);
  }
  if (has(g, RANDOM_DEADLOCK)) text_add(&g->out, "deadlockfree\n");
}

static void add_temporal(generator *g) {
  if (!has(g, RANDOM_TEMPORAL)) return;
  text_add(&g->out, "ctl c0: %s\n", make_temporal(g, "ctl", 3));
  text_add(&g->out, "ltl l0: %s\n", make_temporal(g, "ltl", 3));
  text_add(&g->out, "ctlstar s0: %s %s\n", chance(g, 50) ? "A" : "E", make_temporal(g, "ctlstar", 3));
  const char *atom = make_corner(g).text;
  switch (below(g, 5)) {
    case 0: text_add(&g->out, "mu m0: nu Z . (%s) && [] Z\n", atom); break;
    case 1: text_add(&g->out, "mu m0: mu Z . (%s) || <> Z\n", atom); break;
    case 2: text_add(&g->out, "mu m0: nu Z . (%s) && <> Z\n", atom); break;
    case 3: text_add(&g->out, "mu m0: mu Z . (%s) || [] Z\n", atom); break;
    default: text_add(&g->out, "mu m0: nu Z . mu Y . ((%s) && <> Z) || <> Y\n", atom); break;
  }
}

static void add_fairness(generator *g) {
  if (!has(g, RANDOM_FAIRNESS)) return;
  if (g->actions.count && chance(g, 60))
    text_add(&g->out, "fair %s%s\n", chance(g, 40) ? "strong " : "", g->actions.at[below(g, g->actions.count)]);
  if (chance(g, 40)) text_add(&g->out, "fair when %s\n", make_corner(g).text);
}

static void add_hints(generator *g) {
  if (!has(g, RANDOM_HINTS)) return;
  if (chance(g, 50)) text_add(&g->out, "predicates %s, %s\n", make_corner(g).text, make_corner(g).text);
  if (chance(g, 50)) text_add(&g->out, "lemma %s\n", make_corner(g).text);
  if (chance(g, 30)) text_add(&g->out, "domain %s\n", make_corner(g).text);
}

/* ---- the whole ---- */

/* Each allowed feature with its own odds; those that make models large or verdicts dull are rarer. */
static unsigned draw_features(generator *g, unsigned allowed) {
  unsigned rare = RANDOM_PROGRAMS | RANDOM_PROCESSES | RANDOM_FAULTS, drawn = 0;
  unsigned asked_for = RANDOM_TEMPORAL;
  for (unsigned bit = 1; bit <= RANDOM_FAIRNESS; bit <<= 1)
    if (chance(g, bit & asked_for ? 100 : bit & rare ? 45 : 65)) drawn |= bit;
  return drawn & allowed;
}

static void add_declarations(generator *g) {
  g->careful = true;
  declare_enumerations(g);
  add_constants(g);
  add_parameter(g);
  for (uint64_t i = 0, count = g->size + below(g, 3); i < count; i++)
    add_variable(g, "", make(g, "x%llu", (unsigned long long)i), true);
  add_definitions(g);
  if (has(g, RANDOM_INIT) && chance(g, 40))
    text_add(&g->out, "init %s || %s%s\n", closed(g, make_boolean(g, 2), LEVEL_OR),
             closed(g, make_boolean(g, 1), LEVEL_AND), chance(g, 10) ? ", true" : "");
  g->careful = false;
}

static void add_behaviour(generator *g) {
  unsigned processes = has(g, RANDOM_PROCESSES) ? 1 + (unsigned)below(g, g->size) : 0;
  unsigned programs = has(g, RANDOM_PROGRAMS) ? 1 + (unsigned)below(g, g->size) : 0;
  for (unsigned i = 0; i < processes; i++) add_process(g, i);
  for (unsigned i = 0; i < programs; i++) add_program(g, i);
  uint64_t actions = processes || programs ? below(g, 1 + g->size) : 1 + g->size + below(g, 1 + g->size);
  for (uint64_t i = 0; i < actions; i++) add_action(g);
}

char *random_model(uint64_t seed, random_knobs knobs) {
  generator g = {.random = {hash_mix(seed + 1)}, .arena = arena_new(), .size = knobs.size};
  g.features = draw_features(&g, knobs.features);
  add_declarations(&g);
  add_behaviour(&g);
  g.careful = true;
  add_hints(&g);
  add_properties(&g);
  add_temporal(&g);
  add_fairness(&g);
  char *result = text_give(&g.out);
  for (size_t i = 0; i < ARRAY_LENGTH(g.enumerations); i++) VECTOR_FREE(g.enumerations[i]);
  VECTOR_FREE(g.known);
  VECTOR_FREE(g.places);
  VECTOR_FREE(g.families);
  VECTOR_FREE(g.actions);
  arena_free(g.arena);
  return result;
}

bool random_knobs_find(const char *name, random_knobs *out) {
  static const struct {
    const char *name;
    random_knobs knobs;
  } all[] = {
      {"finite", {RANDOM_FINITE, 2}},
      {"tiny", {RANDOM_FINITE, 1}},
      {"infinite", {RANDOM_INFINITE, 2}},
      {"linear", {RANDOM_LINEAR, 2}},
      {"temporal", {RANDOM_FINITE | RANDOM_TEMPORAL | RANDOM_FAIRNESS, 2}},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
    if (!strcmp(name, all[i].name)) {
      *out = all[i].knobs;
      return true;
    }
  return false;
}
