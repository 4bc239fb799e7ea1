/* A place of the graph is a combination of values of control: of the places of all processes, and of truth values and
 * enumerations if there are not too many. Only those combinations are there that can come about as far as that can be told
 * from control alone. If there are too many even of places, all variables are cells, and there is one place. */
#include "input/whet/arrays/to_clauses.h"

#include "input/procedures/flow.h"
#include "input/whet/arrays/resolve.h"

enum { MOST_PLACES = 2000, MOST_WITH_DATA = 64, MOST_VALUES = 8 };

typedef VECTOR(int64_t) combination;

typedef enum control_choice { CONTROL_DATA, CONTROL_PLACES, CONTROL_NONE } control_choice;

typedef struct builder {
  lowering *l;
  terms *ts;
  const model *from;
  model *whole;
  flow_graph graph;
  control_choice choice;
  variable_vector controls;
  VECTOR(combination) combinations;  /* of places of the graph, from `first_place` on */
  uint32_t first_place, first_error; /* the start, then errors by property, then these */
  names *found;                      /* a combination as text -> its number */
  substitution *here;                /* the combination at hand */
} builder;

/* ---- control ---- */

static bool is_control(const builder *b, variable v) {
  const type *t = variable_type(b->ts, v);
  if (t->is_location) return b->choice != CONTROL_NONE;
  bool has_few = t->sort == SORT_BOOL || (t->sort == SORT_INT && t->names && t->name_count <= MOST_VALUES);
  return b->choice == CONTROL_DATA && has_few;
}

static bool find_control(const builder *b, variable v, size_t *position) {
  for (*position = 0; *position < b->controls.count; ++*position)
    if (variable_same(b->controls.at[*position], v)) return true;
  return false;
}

static int64_t value_count(const builder *b, size_t control) {
  return (int64_t)type_size(variable_type(b->ts, b->controls.at[control]), MOST_PLACES);
}

static void print_control(const builder *b, size_t control, int64_t value, text *out) {
  const type *t = variable_type(b->ts, b->controls.at[control]);
  const char *name = variable_shown(b->ts, b->controls.at[control]);
  if (t->is_location)
    text_add(out, "%s at %s", name, t->names[value]);
  else
    text_add(out, "%s = %s", name, t->names ? t->names[value] : value ? "true" : "false");
}

static const char *combination_name(builder *b, const combination *c) {
  text name = {0};
  for (size_t i = 0; i < c->count; i++) {
    const type *t = variable_type(b->ts, b->controls.at[i]);
    text_add(&name, "%s%s.", i ? "+" : "", variable_name(b->ts, b->controls.at[i]));
    text_add(&name, "%s", t->names ? t->names[c->at[i]] : c->at[i] ? "true" : "false");
  }
  if (!c->count) text_add(&name, "state");
  const char *kept = model_string(b->whole, text_string(&name));
  text_clear(&name);
  return kept;
}

/* The place of the graph for a combination; a new one if there is none. Takes it. */
static uint32_t place_of(builder *b, combination c) {
  text key = {0};
  uint64_t at;
  for (size_t i = 0; i < c.count; i++) text_add(&key, "%lld,", (long long)c.at[i]);
  bool known = names_get(b->found, text_string(&key), &at);
  if (!known) {
    at = b->combinations.count;
    names_set(b->found, text_string(&key), at);
    VECTOR_PUSH(b->graph.places, (flow_place){.name = combination_name(b, &c)});
    VECTOR_PUSH(b->combinations, c);
  } else {
    VECTOR_FREE(c);
  }
  text_clear(&key);
  return (uint32_t)at + b->first_place;
}

static void set_here(builder *b, const combination *c) {
  substitution_clear(b->here);
  for (size_t i = 0; i < c->count; i++)
    substitution_set(b->here, b->controls.at[i], term_of_value(b->ts, b->controls.at[i], c->at[i]));
}

static term at_place(builder *b, term t) { return quantifiers_apply(&b->l->quantifiers, b->ts, b->here, t); }

/* ---- steps ---- */

static const char *step_name(builder *b, const transition *t) {
  text name = {0};
  bool is_alone = b->from->processes.count == 1;
  if (t->statement && !is_alone) text_add(&name, "%s ", b->from->processes.at[t->process].name);
  if (t->statement)
    text_add(&name, "%u: %s", t->place.line, t->statement);
  else
    text_add(&name, "%s", t->name);
  const char *kept = model_string(b->whole, text_string(&name));
  text_clear(&name);
  return kept;
}

/* With what it changes of control; the text of a program says where it goes. */
static const char *edge_name(builder *b, const transition *t, const combination *from, const combination *to) {
  text name = {0};
  const char *between = "    ";
  text_add(&name, "%s", step_name(b, t));
  for (size_t i = 0; i < from->count; i++) {
    bool is_place = variable_type(b->ts, b->controls.at[i])->is_location;
    if (from->at[i] == to->at[i] || (is_place && t->statement)) continue;
    text_add(&name, "%s", between);
    print_control(b, i, to->at[i], &name);
    between = ", ";
  }
  const char *kept = model_string(b->whole, text_string(&name));
  text_clear(&name);
  return kept;
}

static void add_failures(builder *b, uint32_t from, const transition *t) {
  for (size_t i = 0; i < t->faults.count; i++) {
    term when = at_place(b, t->faults.at[i].when);
    if (term_is_false(when)) continue;
    char *name = text_format("%u: %s", t->faults.at[i].place.line, t->faults.at[i].what);
    VECTOR_PUSH(b->graph.edges, (flow_edge){.from = from,
                                            .to = b->first_error + (uint32_t)b->from->properties.count,
                                            .guard = when,
                                            .name = model_string(b->whole, name),
                                            .at = t->faults.at[i].place});
    memory_free(name);
  }
}

static void add_inputs(builder *b, const transition *t, flow_edge *e) {
  for (size_t i = 0; i < t->inputs.count; i++) {
    const char *name = variable_name(b->ts, t->inputs.at[i]);
    VECTOR_PUSH(e->inputs, (flow_input){.var = t->inputs.at[i], .name = name});
  }
}

/* Goes to each combination that the step may lead to: from control `k` on it is still to be found. */
static void add_targets(builder *b, const transition *t, const combination *here, flow_edge e, combination *next,
                        size_t k) {
  if (k == b->controls.count) {
    combination target = {0};
    flow_edge made = e;
    made.updates.at = NULL, made.updates.room = 0;
    VECTOR_COPY(made.updates, e.updates);
    VECTOR_COPY(target, *next);
    add_inputs(b, t, &made);
    made.name = edge_name(b, t, here, next);
    made.to = place_of(b, target);
    VECTOR_PUSH(b->graph.edges, made);
    return;
  }
  term value = at_place(b, transition_value_after(b->from, t, b->controls.at[k]));
  for (int64_t v = 0; v < value_count(b, k) && lowering_spend(b->l, 1, 0); v++) {
    flow_edge made = e;
    made.guard = term_and(b->ts, e.guard, term_eq(b->ts, value, term_of_value(b->ts, b->controls.at[k], v)));
    next->at[k] = v;
    if (!term_is_false(made.guard)) add_targets(b, t, here, made, next, k + 1);
  }
}

static void add_step(builder *b, uint32_t from, const combination *here, const transition *t) {
  if (term_is_false(at_place(b, t->guard)) && !t->faults.count) return;
  add_failures(b, from, t);
  flow_edge e = {.from = from, .at = t->place, .guard = at_place(b, transition_enabled(b->from, t))};
  if (term_is_false(e.guard)) return;
  combination next = {0};
  size_t control;
  VECTOR_COPY(next, *here);
  for (size_t i = 0; i < t->updates.count; i++)
    if (!find_control(b, t->updates.at[i].var, &control))
      VECTOR_PUSH(e.updates, (update){t->updates.at[i].var, at_place(b, t->updates.at[i].value)});
  add_targets(b, t, here, e, &next, 0);
  VECTOR_FREE(e.updates);
  VECTOR_FREE(next);
}

/* ---- properties ---- */

static void add_checks(builder *b, uint32_t from) {
  for (uint32_t i = 0; i < b->from->properties.count; i++) {
    const property *p = &b->from->properties.at[i];
    term bad = at_place(b, p->bad);
    if (p->kind != PROPERTY_SAFE || term_is_false(bad)) continue;
    char *name = text_format("%s does not hold", p->name);
    VECTOR_PUSH(b->graph.edges, (flow_edge){.from = from,
                                            .to = b->first_error + i,
                                            .guard = bad,
                                            .name = model_string(b->whole, name),
                                            .at = p->place});
    memory_free(name);
  }
}

static bool can_fail(const model *m) {
  for (size_t i = 0; i < m->transitions.count; i++)
    if (m->transitions.at[i].faults.count) return true;
  return false;
}

static void copy_properties(builder *b) {
  for (size_t i = 0; i < b->from->properties.count; i++) {
    const property *p = &b->from->properties.at[i];
    model_add_property(b->whole, p->name, PROPERTY_SAFE, p->place);
  }
  if (can_fail(b->from)) model_add_property(b->whole, "no-runtime-error", PROPERTY_SAFE, (place){0});
}

/* ---- the graph ---- */

static void clear_graph(builder *b) {
  for (size_t i = 0; i < b->combinations.count; i++) VECTOR_FREE(b->combinations.at[i]);
  for (size_t i = 0; i < b->graph.edges.count; i++) flow_edge_clear(&b->graph.edges.at[i]);
  VECTOR_FREE(b->combinations);
  VECTOR_FREE(b->controls);
  VECTOR_FREE(b->graph.cells);
  VECTOR_FREE(b->graph.places);
  VECTOR_FREE(b->graph.edges);
  names_free(b->found);
}

static void divide_variables(builder *b) {
  for (size_t i = 0; i < b->from->variables.count; i++) {
    variable v = b->from->variables.at[i].var;
    if (is_control(b, v))
      VECTOR_PUSH(b->controls, v);
    else
      VECTOR_PUSH(b->graph.cells, v);
  }
}

static size_t most_places(const builder *b) { return b->choice == CONTROL_DATA ? MOST_WITH_DATA : MOST_PLACES; }

static bool has_room(const builder *b) {
  size_t places = 1, most = most_places(b);
  if (b->choice == CONTROL_PLACES || b->choice == CONTROL_NONE) return b->combinations.count <= most;
  for (size_t i = 0; i < b->from->processes.count; i++) {
    size_t own = type_size(variable_type(b->ts, b->from->processes.at[i].location), MOST_PLACES);
    places = places > MOST_PLACES / own ? MOST_PLACES : places * own;
  }
  return b->combinations.count <= most + places;
}

static const char *start_name(builder *b, const combination *c) {
  text name = {0};
  const char *between = "    ";
  text_add(&name, "start");
  for (size_t i = 0; i < c->count; i++) {
    bool is_of_program = variable_type(b->ts, b->controls.at[i])->is_location && b->from->processes.count == 1;
    if (is_of_program) continue;
    text_add(&name, "%s", between);
    print_control(b, i, c->at[i], &name);
    between = ", ";
  }
  const char *kept = model_string(b->whole, text_string(&name));
  text_clear(&name);
  return kept;
}

/* The combinations that the program may start with: from control `k` on they are still to be found. */
static void add_starts(builder *b, combination *c, term init, size_t k) {
  if (!has_room(b)) return;
  if (k == b->controls.count) {
    combination target = {0};
    VECTOR_COPY(target, *c);
    flow_edge e = {.guard = init, .name = start_name(b, c)};
    e.to = place_of(b, target);
    VECTOR_PUSH(b->graph.edges, e);
    return;
  }
  for (int64_t v = 0; v < value_count(b, k) && lowering_spend(b->l, 1, 0); v++) {
    substitution *by = substitution_new(b->ts);
    substitution_set(by, b->controls.at[k], term_of_value(b->ts, b->controls.at[k], v));
    term left = quantifiers_apply(&b->l->quantifiers, b->ts, by, init);
    substitution_free(by);
    c->at[k] = v;
    if (!term_is_false(left)) add_starts(b, c, left, k + 1);
  }
}

static void start_graph(builder *b) {
  combination start = {0};
  b->found = names_new();
  VECTOR_PUSH(b->graph.places, (flow_place){.name = ""});
  b->first_error = (uint32_t)b->graph.places.count;
  for (uint32_t i = 0; i <= b->from->properties.count; i++)
    VECTOR_PUSH(b->graph.places, (flow_place){.name = "error", .is_error = true, .property = i});
  b->first_place = (uint32_t)b->graph.places.count;
  divide_variables(b);
  for (size_t i = 0; i < b->controls.count; i++) VECTOR_PUSH(start, 0);
  VECTOR_RESERVE(start, b->controls.count + 1);
  add_starts(b, &start, b->from->init, 0);
  VECTOR_FREE(start);
}

/* False if there are too many places. */
static bool fill_graph(builder *b) {
  start_graph(b);
  for (uint32_t i = 0; i < b->combinations.count && !b->l->exhausted; i++) {
    if (b->choice != CONTROL_NONE && !has_room(b)) return false;
    combination here = {0};
    VECTOR_COPY(here, b->combinations.at[i]); /* the list may move */
    set_here(b, &here);
    for (size_t j = 0; j < b->from->transitions.count && lowering_spend(b->l, INSTANCE_WORK, 0); j++)
      add_step(b, b->first_place + i, &here, &b->from->transitions.at[j]);
    add_checks(b, b->first_place + i);
    VECTOR_FREE(here);
  }
  return b->choice == CONTROL_NONE || has_room(b);
}

void arrays_to_clauses(lowering *l, model *whole) {
  builder b = {.l = l, .ts = l->terms, .from = l->model, .whole = whole};
  b.here = substitution_new(b.ts);
  b.graph.ts = b.ts;
  while (!fill_graph(&b)) {
    clear_graph(&b);
    b.choice++;
  }
  copy_properties(&b);
  arrays_resolve(l, &b.graph);
  if (!l->reporter->out->errors) {
    flow_compact(&b.graph);
    flow_to_clauses(&b.graph, whole);
    flow_clauses_finish(whole);
  }
  clear_graph(&b);
  substitution_free(b.here);
}
