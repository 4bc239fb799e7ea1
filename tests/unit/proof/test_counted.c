/* Counted models that are wrong: the code that makes them is not trusted, so each way in which it could be wrong is tried here. The evidence about
 * the wrong model is right each time (`true` for properties that hold of everything would do), and the checker must not accept it. */
#include "proof/check/check.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"

/* Each token is taken by one copy of three; `h` says that one waits. */
static const char source[] =
    "var free : 0..2 = 2\nvar h : bool = false\n"
    "process P[i : 1..3] {\n  states idle, waiting, critical\n"
    "  ask: idle -> waiting : h := true\n"
    "  enter: waiting -> critical when free > 0 && (exists j : 1..3 . j != i && P[j] at idle) : free := free - 1\n"
    "  leave: critical -> idle (k : bool) when k || h : free := free + 1\n"
    "}\n"
    "fair {P.enter, P.leave}\nfair when exists i : 1..3 . P[i] at idle\n"
    "safe few: (sum i : 1..3 . if P[i] at critical then 1 else 0) <= 2\n"
    "ctl again: AG EF (forall i : 1..3 . P[i] at idle)\n"
    "ctl never: AG !(exists i : 1..3 . P[i] at critical)\n"
    "deadlockfree\n";

typedef struct wrong {
  const char *name;
  void (*change)(counter_model *c);
  bool keeps_safe; /* it has more behaviour, so that what is said of states stays right */
} wrong;

static terms *ts_of(counter_model *c) { return c->made->terms; }
static term counter(counter_model *c, size_t s) { return term_of_variable(ts_of(c), c->counters.at[s]); }
static term is_some(counter_model *c, size_t s) { return term_ge(ts_of(c), counter(c, s), term_int(ts_of(c), 1)); }

static void nothing(counter_model *c) { (void)c; }
static void no_start(counter_model *c) { c->made->init = term_and(ts_of(c), c->made->init, is_some(c, 2)); }
static void more_starts(counter_model *c) {
  c->made->init = term_or(ts_of(c), c->made->init, term_eq(ts_of(c), counter(c, 0), term_int(ts_of(c), 2)));
}
static void strong_guard(counter_model *c) {
  transition *t = &c->made->transitions.at[2];
  t->guard = term_and(ts_of(c), t->guard, term_not(is_some(c, 1)));
}
static void weak_guard(counter_model *c) { c->made->transitions.at[1].guard = is_some(c, 1); }
static void no_update(counter_model *c) { c->made->transitions.at[1].updates.count--; }
static void other_update(counter_model *c) {
  transition *t = &c->made->transitions.at[0];
  t->updates.at[0].value = term_not(t->updates.at[0].value);
}
static void other_orbit(counter_model *c) { c->steps.at[0].orbit = 1; }
static void step_is_gone(counter_model *c) {
  VECTOR_FREE(c->made->transitions.at[2].inputs);
  VECTOR_FREE(c->made->transitions.at[2].updates);
  VECTOR_FREE(c->made->transitions.at[2].faults);
  c->made->transitions.count--;
  c->steps.count--;
}
static void step_has_no_entry(counter_model *c) { c->steps.count--; }
static void counters_exchanged(counter_model *c) {
  variable v = c->counters.at[0];
  c->counters.at[0] = c->counters.at[1];
  c->counters.at[1] = v;
}
static void counter_twice(counter_model *c) { c->counters.at[1] = c->counters.at[0]; }
static void other_value(counter_model *c) { c->values.at[2] = number_of(1); }
static void copy_twice(counter_model *c) { c->locals.at[2] = c->locals.at[1]; }
static void fewer_copies(counter_model *c) { c->copies = 2; }
static void other_property(counter_model *c) {
  property *p = &c->made->properties.at[0];
  p->bad = TERM_FALSE;
  if (p->formula) p->formula = p->formula->left;
}
static void other_fairness(counter_model *c) {
  if (c->made->fairness.count) c->made->fairness.at[0].transitions.count--;
}
static void other_fair_states(counter_model *c) {
  if (c->made->fairness.count) c->made->fairness.at[1].state = TERM_TRUE;
}
static void no_fairness(counter_model *c) {
  for (size_t i = 0; i < c->made->fairness.count; i++) VECTOR_FREE(c->made->fairness.at[i].transitions);
  c->made->fairness.count = 0;
}
static void of_other_variables(counter_model *c) { c->made->transitions.at[1].guard = counted_is_in(c, 0, 0); }

static const wrong all_wrong[] = {
    {"nothing", nothing, true},
    {"no start", no_start, false},
    {"more starts", more_starts, true},
    {"a guard that is too strong", strong_guard, false},
    {"a guard that is too weak", weak_guard, true},
    {"an update less", no_update, false},
    {"another update", other_update, false},
    {"a step of another orbit", other_orbit, false},
    {"a step less", step_is_gone, false},
    {"a step without entry", step_has_no_entry, false},
    {"counters exchanged", counters_exchanged, false},
    {"a counter twice", counter_twice, false},
    {"another local state", other_value, false},
    {"a copy twice", copy_twice, false},
    {"fewer copies", fewer_copies, false},
    {"another property", other_property, false},
    {"another fair group", other_fairness, true},
    {"other fair states", other_fair_states, true},
    {"no fairness", no_fairness, true},
    {"a guard over other variables", of_other_variables, false},
};

static GIVE model *read_source(void) {
  diagnostics d = {0};
  model *m = input_read_text("counted.whet", source, strlen(source), &d);
  CHECK(m, "%s", text_string(&d.text));
  text_clear(&d.text);
  return m;
}

/* "accepted" or what is wrong. The evidence is an invariant, or a quotient of one block that does everything. */
static GIVE char *answer_to(const char *property, const wrong *w) {
  model *m = read_source();
  size_t at;
  const char *why;
  CHECK(model_find_property(m, property, &at), "%s", property);
  evidence e = {.kind = EVIDENCE_COUNTED, .other = MEMORY_NEW(evidence), .counted = counter_model_new(m, at, &why)};
  CHECK(e.counted, "%s", why);
  counter_model *c = e.counted;
  w->change(c);
  e.other->kind = EVIDENCE_INVARIANT;
  term sum = term_add(m->terms, counter(c, 0), term_add(m->terms, counter(c, 1), counter(c, 2)));
  term free_now = term_of_variable(m->terms, m->variables.at[0].var);
  for (size_t i = 0; i < m->variables.count; i++)
    if (!strcmp(variable_name(m->terms, m->variables.at[i].var), "free"))
      free_now = term_of_variable(m->terms, m->variables.at[i].var);
  term tokens = term_eq(m->terms, term_add(m->terms, free_now, counter(c, 2)), term_int(m->terms, 2));
  evidence_add_part(m->terms, e.other, term_and(m->terms, tokens, term_eq(m->terms, sum, term_int(m->terms, 3))));
  budget b = {0};
  check_result r = check_evidence(m, at, &e, &b, NULL);
  char *answer = memory_copy_string(r.kind == CHECK_ACCEPTED ? "accepted" : r.what);
  memory_free(r.what);
  evidence_clear(&e);
  model_free(m);
  return answer;
}

TEST(wrong_models_of_a_property_of_states) {
  for (size_t i = 0; i < ARRAY_LENGTH(all_wrong); i++) {
    char *answer = answer_to("few", &all_wrong[i]);
    bool accepted = !strcmp(answer, "accepted");
    if (i == 0) CHECK(accepted, "%s", answer);
    if (!all_wrong[i].keeps_safe) CHECK(!accepted, "%s", all_wrong[i].name);
    memory_free(answer);
  }
}

/* The check of the map ends before the evidence is looked at, which is none for temporal properties. */
TEST(wrong_models_of_temporal_properties) {
  static const char of_evidence[] = "this kind of evidence says nothing about temporal properties";
  static const char *const names[] = {"again", "never"};
  for (size_t j = 0; j < ARRAY_LENGTH(names); j++)
    for (size_t i = 0; i < ARRAY_LENGTH(all_wrong); i++) {
      char *answer = answer_to(names[j], &all_wrong[i]);
      bool is_mapped = strstr(answer, of_evidence) != NULL;
      bool may = i == 0 || all_wrong[i].change == more_starts; /* which matters only where a property fails */
      CHECK(is_mapped == may, "%s: %s: %s", names[j], all_wrong[i].name, answer);
      memory_free(answer);
    }
}

TEST_MAIN
