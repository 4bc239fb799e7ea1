/* Places, the edges between them, and the model they make. */
#include "input/c/lower.h"
#include "term/substitute.h"

enum { MOST_PATHS = 8, MOST_EDGES = 20000 };

/* ---- places ---- */

static const char *unique_name(c_lowering *l, const char *stem) {
  char *name = memory_copy_string(stem);
  uint64_t tries = 1;
  while (names_get(l->place_names, name, NULL)) {
    memory_free(name);
    name = text_format("%s_%llu", stem, (unsigned long long)++tries);
  }
  names_set(l->place_names, name, 1);
  const char *kept = model_string(l->model, name);
  memory_free(name);
  return kept;
}

uint32_t c_place_bare(c_lowering *l, const char *name) {
  VECTOR_PUSH(l->places, (c_place){.name = unique_name(l, name)});
  return (uint32_t)l->places.count - 1;
}

static c_operand saved(c_lowering *l, const c_operand *o) {
  c_operand kept = *o;
  if (o->is_place || !c_type_is_integer(o->type)) return kept;
  size_t cell = c_cell_new(l, "saved", o->type);
  kept.value = term_of_variable(l->ts, l->cells.at[cell].var);
  kept.low = o->type->low;
  kept.high = o->type->high;
  return kept;
}

uint32_t c_place_new(c_lowering *l, const c_node *at, const char *what) {
  place where = c_place_of(l, at);
  char *stem = *what ? text_format("%s", what) : text_format("line%u", where.line);
  uint32_t made = c_place_bare(l, stem);
  memory_free(stem);
  c_place *p = &l->places.at[made];
  p->at = where;
  const c_operand *from = l->live.count ? l->live.at[0]->stack.at : l->frame->stack.at;
  size_t count = l->live.count ? l->live.at[0]->stack.count : l->frame->stack.count;
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(l->places.at[made].stack, saved(l, &from[i]));
  return made;
}

/* ---- edges ---- */

void c_edge_add(c_lowering *l, const c_path *p, term guard, uint32_t to, bool with_updates, const c_node *at) {
  c_edge e = {.from = p->origin, .to = to, .guard = guard, .at = c_place_of(l, at)};
  for (size_t i = 0; with_updates && i < p->cells.count; i++) {
    variable v = l->cells.at[i].var;
    bool changes = p->cells.at[i].known && !term_same(p->cells.at[i].value, term_of_variable(l->ts, v));
    if (changes) VECTOR_PUSH(e.updates, (update){v, p->cells.at[i].value});
  }
  for (size_t i = 0; i < p->inputs.count; i++) VECTOR_PUSH(e.inputs, p->inputs.at[i]);
  for (size_t i = 0; i < p->calls.count; i++) VECTOR_PUSH(e.calls, p->calls.at[i]);
  e.name = model_string(l->model, p->statements.count ? text_string(&p->statements) : "start");
  VECTOR_PUSH(l->edges, e);
  if (l->edges.count > MOST_EDGES) c_refuse(l, at, "the program has too many paths; fewer calls or branches would do");
}

/* What the stack holds goes into the cells of the place. */
static void save_stack(c_lowering *l, c_path *p, const c_place *to, const c_node *n) {
  bool fits = p->stack.count == to->stack.count;
  for (size_t i = 0; fits && i < p->stack.count; i++) {
    const c_operand *from = &p->stack.at[i], *kept = &to->stack.at[i];
    if (kept->is_place || !c_type_is_integer(kept->type)) {
      number constant;
      fits = from->object == kept->object && from->leaf == kept->leaf && term_same(from->value, kept->value) &&
             term_same(from->outer, kept->outer) &&
             (!from->object ||
              (term_is_number(l->ts, from->value, &constant) && term_is_number(l->ts, from->outer, &constant)));
      continue;
    }
    variable v = term_variable(l->ts, kept->value);
    for (size_t cell = 0; cell < l->cells.count; cell++)
      if (variable_same(l->cells.at[cell].var, v)) c_cell_write(l, p, cell, from);
  }
  if (!fits)
    c_refuse(l, n,
             "a place is computed before a loop or a jump inside the same expression; use a variable for what the call "
             "returns");
}

void c_path_arrive(c_lowering *l, c_path *p, uint32_t at, const c_node *n) {
  if (!l->refused && !term_is_false(p->guard)) {
    save_stack(l, p, &l->places.at[at], n);
    if (!l->refused) c_edge_add(l, p, p->guard, at, true, n);
  }
  c_path_free(p);
}

void c_live_arrive(c_lowering *l, uint32_t at, const c_node *n) {
  c_paths_merge(l, &l->live);
  for (size_t i = 0; i < l->live.count; i++) c_path_arrive(l, l->live.at[i], at, n);
  VECTOR_CLEAR(l->live);
}

void c_live_start(c_lowering *l, uint32_t at) {
  c_path *p = MEMORY_NEW(c_path);
  p->origin = at;
  p->guard = TERM_TRUE;
  VECTOR_COPY(p->stack, l->places.at[at].stack);
  VECTOR_PUSH(l->live, p);
}

static void drop_dead(c_lowering *l) {
  size_t kept = 0;
  for (size_t i = 0; i < l->live.count; i++)
    if (term_is_false(l->live.at[i]->guard))
      c_path_free(l->live.at[i]);
    else
      l->live.at[kept++] = l->live.at[i];
  l->live.count = kept;
}

void c_live_join(c_lowering *l, const c_node *n) {
  drop_dead(l);
  if (l->live.count > 1) c_paths_merge(l, &l->live);
  if (l->live.count <= MOST_PATHS || l->refused) return;
  uint32_t at = c_place_new(l, n, "");
  c_live_arrive(l, at, n);
  c_live_start(l, at);
}

/* ---- the model ---- */

typedef struct maker {
  c_lowering *l;
  flow_liveness live;
  bits used; /* cells that matter at some place */
  variable location;
  substitution *by;
} maker;

static void find_used(maker *k) {
  flow_graph g;
  c_graph_open(k->l, &g);
  flow_liveness_find(&g, &k->live);
  c_graph_close(&g);
  k->used = bits_new(k->l->cells.count);
  for (size_t i = 0; i < k->l->places.count; i++) bits_unite(&k->used, &k->live.at[i]);
}

static void add_location(maker *k) {
  c_lowering *l = k->l;
  const char **all = arena_alloc(model_arena(l->model), (l->places.count + 1) * sizeof *all);
  for (size_t i = 0; i < l->places.count; i++) all[i] = l->places.at[i].name;
  type t = {.sort = SORT_INT,
            .has_low = true,
            .has_high = true,
            .low = number_of(0),
            .high = number_of((int64_t)l->places.count - 1),
            .names = all,
            .name_count = l->places.count,
            .is_location = true};
  k->location = model_add_variable(l->model, "program", &t, ROLE_LOCATION, (place){0});
  VECTOR_PUSH(l->model->processes, (process){model_string(l->model, "program"), k->location});
  l->model->init = term_eq(l->ts, term_of_variable(l->ts, k->location), term_int(l->ts, 0));
}

/* No cell is read before it is written: a variable without an initial value gets any value where it is declared. So each
 * may start with one value. */
static void add_cells(maker *k) {
  c_lowering *l = k->l;
  for (size_t i = 0; i < l->cells.count; i++) {
    variable v = l->cells.at[i].var;
    if (!bits_has(&k->used, i)) continue;
    model_adopt_variable(l->model, (state_variable){.var = v, .role = ROLE_STATE});
    term first = term_int(l->ts, 0);
    l->model->init = term_and(l->ts, l->model->init, term_eq(l->ts, term_of_variable(l->ts, v), first));
  }
}

/* Each transition has inputs of its own. */
static void add_inputs(maker *k, transition *t, const c_edge *e) {
  substitution_clear(k->by);
  for (size_t i = 0; i < e->inputs.count; i++) {
    const c_input *in = &e->inputs.at[i];
    variable own = transition_add_input(k->l->model, t, in->name, variable_type(k->l->ts, in->var));
    substitution_set(k->by, in->var, term_of_variable(k->l->ts, own));
    if (in->at.line) VECTOR_PUSH(k->l->inputs, (source_input){own, in->at});
  }
}

static bool is_error(const c_lowering *l, uint32_t at) {
  for (size_t i = 0; i < l->error_count; i++)
    if (l->errors[i] == at) return true;
  return false;
}

/* Cells that do not matter at a place are 0 there. */
static void add_values(maker *k, transition *t, const c_edge *e) {
  c_lowering *l = k->l;
  for (size_t i = 0; i < l->cells.count; i++) {
    variable v = l->cells.at[i].var;
    bool matters = bits_has(&k->live.at[e->to], i), mattered = bits_has(&k->live.at[e->from], i);
    term value = matters ? substitution_apply(k->by, flow_edge_value(l->ts, e, v)) : term_int(l->ts, 0);
    bool changes = matters ? !term_same(value, term_of_variable(l->ts, v)) : mattered;
    if (changes) transition_add_update(t, v, value);
  }
}

static void add_edge(maker *k, const c_edge *e) {
  c_lowering *l = k->l;
  term here = term_eq(l->ts, term_of_variable(l->ts, k->location), term_int(l->ts, e->from));
  transition *t = model_add_transition(l->model, e->name, 0, TERM_TRUE, e->at);
  add_inputs(k, t, e);
  t->guard = term_and(l->ts, here, substitution_apply(k->by, e->guard));
  if (!is_error(l, e->to)) add_values(k, t, e);
  if (e->to != e->from) transition_add_update(t, k->location, term_int(l->ts, e->to));
}

static const char *const property_names[] = {
    [ERROR_OVERFLOW] = "no-overflow",   [ERROR_DIVISION] = "division",        [ERROR_DEREFERENCE] = "valid-deref",
    [ERROR_FREE] = "valid-free",        [ERROR_CALL] = "unreach-call",        [ERROR_TRACK] = "valid-memtrack",
    [ERROR_UNSET] = "no-uninitialised", [ERROR_CLEANUP] = "valid-memcleanup", [ERROR_INVARIANT] = "witness-invariants"};

/* The others that something in the program could violate. */
static const char *others_of(const c_lowering *l, c_error error) {
  text names = {0};
  for (size_t i = 0; i < ERROR_CALL; i++)
    if (i != error && l->can_fail[i]) text_add(&names, "%s%s", names.count ? "\n" : "", property_names[i]);
  const char *kept = names.count ? model_string(l->model, text_string(&names)) : NULL;
  text_clear(&names);
  return kept;
}

void c_properties_add(c_lowering *l) {
  for (size_t i = 0; i < l->error_count; i++) {
    if (!l->is_asked[i]) continue;
    property *p = model_add_property(l->model, property_names[i], PROPERTY_SAFE, (place){0});
    if (i >= ERROR_CALL || l->is_checked[i]) p->relies_on = others_of(l, (c_error)i);
  }
}

static void add_properties(maker *k) {
  c_lowering *l = k->l;
  size_t next = 0;
  c_properties_add(l);
  for (size_t i = 0; i < l->error_count; i++)
    if (l->is_asked[i])
      l->model->properties.at[next++].bad =
          term_eq(l->ts, term_of_variable(l->ts, k->location), term_int(l->ts, l->errors[i]));
}

static bool head_in_model(void *context, uint32_t place, c_head *out) {
  const maker *k = context;
  *out = (c_head){.number = place, .live = k->live.at[place]};
  return true;
}

void c_model_make(c_lowering *l) {
  maker k = {.l = l, .by = substitution_new(l->ts)};
  l->model->is_c_program = true;
  c_places_merge(l);
  find_used(&k);
  add_location(&k);
  add_cells(&k);
  for (size_t i = 0; i < l->edges.count; i++) add_edge(&k, &l->edges.at[i]);
  c_loops_keep(l, head_in_model, &k);
  c_invariants_add(l, k.location);
  add_properties(&k);
  bits_free(&k.used);
  flow_liveness_clear(&k.live);
  substitution_free(k.by);
}
