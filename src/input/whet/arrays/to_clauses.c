/* A place of the graph is a combination of the places of all processes that can come about, as far as that can be told from
 * places alone. If there are too many, the places of processes are cells like other variables, and there is one place. */
#include "input/whet/arrays/to_clauses.h"

#include "input/procedures/flow.h"
#include "input/whet/arrays/resolve.h"

enum { MOST_PLACES = 2000 };

typedef VECTOR(int64_t) combination;

typedef struct builder {
  lowering *l;
  terms *ts;
  const model *from;
  model *whole;
  flow_graph graph;
  bool by_place;                     /* places of processes are places of the graph */
  VECTOR(combination) combinations;  /* of places of the graph, from `first_place` on */
  uint32_t first_place, first_error; /* the start, then errors by property, then these */
  names *found;                      /* a combination as text -> its number */
  substitution *here;                /* the places of the combination at hand */
} builder;

/* ---- combinations of places ---- */

static size_t process_count(const builder *b) { return b->by_place ? b->from->processes.count : 0; }

static const char *combination_name(builder *b, const combination *c) {
  text name = {0};
  for (size_t i = 0; i < c->count; i++) {
    const type *t = variable_type(b->ts, b->from->processes.at[i].location);
    text_add(&name, "%s%s.%s", i ? "+" : "", b->from->processes.at[i].name, t->names[c->at[i]]);
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
    substitution_set(b->here, b->from->processes.at[i].location, term_int(b->ts, c->at[i]));
}

static term at_place(builder *b, term t) { return quantifiers_apply(&b->l->quantifiers, b->ts, b->here, t); }

static bool is_place(const builder *b, variable v, size_t *process) {
  for (size_t i = 0; i < process_count(b); i++)
    if (variable_same(b->from->processes.at[i].location, v)) {
      *process = i;
      return true;
    }
  return false;
}

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

/* Of an edge of a process: from where to where. */
static const char *edge_name(builder *b, const transition *t, const combination *from, const combination *to) {
  const char *name = step_name(b, t);
  if (t->statement || strstr(name, "->")) return name;
  for (size_t i = 0; i < from->count; i++) {
    if (from->at[i] == to->at[i]) continue;
    const char *const *words = variable_type(b->ts, b->from->processes.at[i].location)->names;
    char *whole = text_format("%s  %s -> %s", name, words[from->at[i]], words[to->at[i]]);
    const char *kept = model_string(b->whole, whole);
    memory_free(whole);
    return kept;
  }
  return name;
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

static void add_step(builder *b, uint32_t from, const combination *here, const transition *t) {
  if (term_is_false(at_place(b, t->guard)) && !t->faults.count) return;
  add_failures(b, from, t);
  flow_edge e = {.from = from, .at = t->place, .guard = at_place(b, transition_enabled(b->from, t))};
  if (term_is_false(e.guard)) return;
  combination next = {0};
  VECTOR_COPY(next, *here);
  for (size_t i = 0; i < t->updates.count; i++) {
    size_t process;
    number n;
    term value = at_place(b, t->updates.at[i].value);
    if (!is_place(b, t->updates.at[i].var, &process))
      VECTOR_PUSH(e.updates, (update){t->updates.at[i].var, value});
    else if (term_is_number(b->ts, value, &n))
      number_to_int64(n, &next.at[process]);
  }
  e.name = edge_name(b, t, here, &next);
  add_inputs(b, t, &e);
  e.to = place_of(b, next);
  VECTOR_PUSH(b->graph.edges, e);
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
  VECTOR_FREE(b->graph.cells);
  VECTOR_FREE(b->graph.places);
  VECTOR_FREE(b->graph.edges);
  names_free(b->found);
}

static void start_graph(builder *b) {
  combination start = {0};
  b->found = names_new();
  VECTOR_PUSH(b->graph.places, (flow_place){.name = ""});
  b->first_error = (uint32_t)b->graph.places.count;
  for (uint32_t i = 0; i <= b->from->properties.count; i++)
    VECTOR_PUSH(b->graph.places, (flow_place){.name = "error", .is_error = true, .property = i});
  b->first_place = (uint32_t)b->graph.places.count;
  for (size_t i = 0; i < b->from->variables.count; i++) {
    size_t process;
    variable v = b->from->variables.at[i].var;
    if (!is_place(b, v, &process)) VECTOR_PUSH(b->graph.cells, v);
  }
  VECTOR_RESERVE(start, process_count(b) + 1);
  for (size_t i = 0; i < process_count(b); i++) VECTOR_PUSH(start, 0);
  uint32_t first = place_of(b, start);
  set_here(b, &b->combinations.at[0]);
  VECTOR_PUSH(b->graph.edges, (flow_edge){.to = first, .name = "start", .guard = at_place(b, b->from->init)});
}

/* False if there are too many places. */
static bool fill_graph(builder *b) {
  start_graph(b);
  for (uint32_t i = 0; i < b->combinations.count && !b->l->exhausted; i++) {
    if (b->by_place && b->combinations.count > MOST_PLACES) return false;
    combination here = {0};
    VECTOR_COPY(here, b->combinations.at[i]); /* the list may move */
    set_here(b, &here);
    for (size_t j = 0; j < b->from->transitions.count && lowering_spend(b->l, INSTANCE_WORK, 0); j++)
      add_step(b, b->first_place + i, &here, &b->from->transitions.at[j]);
    add_checks(b, b->first_place + i);
    VECTOR_FREE(here);
  }
  return true;
}

void arrays_to_clauses(lowering *l, model *whole) {
  builder b = {.l = l, .ts = l->terms, .from = l->model, .whole = whole, .by_place = true};
  b.here = substitution_new(b.ts);
  b.graph.ts = b.ts;
  if (!fill_graph(&b)) {
    clear_graph(&b);
    b.by_place = false;
    fill_graph(&b);
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
