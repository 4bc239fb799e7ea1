/* The model: variables, initial states, transitions, properties, and the way back. */
#include "input/chc/lower.h"

#include "base/map.h"
#include "term/bounds.h"

typedef struct emission {
  chc_lowering *l;
  model *model;
  terms *ts;
  bool has_location;
  variable location;
  size_t start;          /* a place of our own, SIZE_MAX if there is none */
  VECTOR(size_t) errors; /* by property: where queries lead to that the state alone does not show; or SIZE_MAX */
  size_t place_count;
  substitution *substitution;
  VECTOR(uint32_t) times; /* by clause: transitions so far */
  term_vector initial;
  VECTOR(term_vector) bad; /* by property */
} emission;

static term zero_of(terms *ts, sort of) { return of == SORT_BOOL ? TERM_FALSE : term_int(ts, 0); }

/* The value of the location there. A process starts in its first place, so `start` is that if there is one. */
static int64_t location_value(const emission *e, size_t place) {
  if (place == e->start) return 0;
  return (int64_t)place + (e->start != SIZE_MAX && place < e->l->places.count);
}

static term at_place(const emission *e, size_t place) {
  if (!e->has_location) return TERM_TRUE;
  return term_eq(e->ts, term_of_variable(e->ts, e->location), term_int(e->ts, location_value(e, place)));
}

static bool place_has_slot(const emission *e, size_t place, uint32_t slot) {
  if (place >= e->l->places.count) return false;
  const slot_list *of = &e->l->slot_of.at[e->l->places.at[place].predicate];
  for (size_t i = 0; i < of->of.count; i++)
    if (of->of.at[i] == slot) return true;
  return false;
}

/* What parameter `i` of the place's predicate is in a state there. */
static term parameter_at(const emission *e, size_t place, size_t i) {
  const place_entry *p = &e->l->places.at[place];
  uint32_t slot = e->l->slot_of.at[p->predicate].of.at[i];
  return slot == NO_SLOT ? p->constants.at[i] : term_of_variable(e->ts, e->l->slots.at[slot].var);
}

static void set_parameters(emission *e, size_t place) {
  substitution_clear(e->substitution);
  if (place >= e->l->places.count) return;
  const variable_vector *parameters = &e->l->clauses->predicates.at[e->l->places.at[place].predicate].parameters;
  for (size_t i = 0; i < parameters->count; i++)
    substitution_set(e->substitution, parameters->at[i], parameter_at(e, place, i));
}

/* Slots that the place does not use are 0. */
static term unused_are_zero(const emission *e, size_t place) {
  term_vector parts = {0};
  for (uint32_t i = 0; i < e->l->slots.count; i++)
    if (!place_has_slot(e, place, i))
      VECTOR_PUSH(parts, term_eq(e->ts, term_of_variable(e->ts, e->l->slots.at[i].var),
                                 zero_of(e->ts, e->l->slots.at[i].sort)));
  term all = term_and_all(e->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

/* ---- variables ---- */

static GIVE char *place_name(const emission *e, size_t place) {
  const chc_lowering *l = e->l;
  text name = {0};
  if (place >= l->places.count) return memory_copy_string(place == e->start ? "start" : "error");
  const place_entry *p = &l->places.at[place];
  text_add(&name, "%s", l->clauses->predicates.at[p->predicate].name);
  size_t same = 0;
  for (size_t i = 0; i < l->places.count; i++) same += l->places.at[i].predicate == p->predicate;
  for (size_t i = 0; i < p->constants.count && same > 1; i++) {
    number n;
    if (!bits_has(&l->control.at[p->predicate], i)) continue;
    text_add_char(&name, '_');
    if (term_is_true(p->constants.at[i]) || term_is_false(p->constants.at[i]))
      text_add(&name, term_is_true(p->constants.at[i]) ? "t" : "f");
    else if (term_is_number(l->ts, p->constants.at[i], &n))
      number_print(&name, n);
  }
  return text_give(&name);
}

static void add_location(emission *e) {
  const char **place_names = arena_alloc(terms_arena(e->ts), e->place_count * sizeof *place_names);
  names *taken = names_new();
  uint64_t ignored;
  variable found;
  for (size_t i = 0; i < e->place_count; i++) {
    char *name = place_name(e, i);
    while (names_get(taken, name, &ignored)) {
      char *longer = text_format("%s'", name);
      memory_free(name);
      name = longer;
    }
    names_set(taken, name, 1);
    place_names[location_value(e, i)] = arena_copy_string(terms_arena(e->ts), name);
    memory_free(name);
  }
  names_free(taken);
  type t = {.sort = SORT_INT, .has_low = true, .has_high = true, .low = number_of(0)};
  t.high = number_of((int64_t)e->place_count - 1);
  t.names = place_names;
  t.name_count = e->place_count;
  t.is_location = true;
  text name = {0};
  text_add(&name, "control");
  while (variable_find(e->ts, text_string(&name), &found)) text_add_char(&name, '\'');
  e->location = model_add_variable(e->model, text_string(&name), &t, ROLE_LOCATION, (place){0});
  VECTOR_PUSH(e->model->processes, (process){model_string(e->model, text_string(&name)), e->location});
  text_clear(&name);
}

static void add_variables(emission *e) {
  if (e->has_location) add_location(e);
  for (size_t i = 0; i < e->l->slots.count; i++) {
    lowering_slot *s = &e->l->slots.at[i];
    type t = {.sort = s->sort, .has_low = s->is_natural, .low = number_of(0)};
    variable found;
    text name = {0};
    text_add(&name, "%s", s->name);
    while (variable_find(e->ts, text_string(&name), &found)) text_add_char(&name, '\'');
    s->var = model_add_variable(e->model, text_string(&name), &t, ROLE_STATE, (place){0});
    text_clear(&name);
  }
}

/* ---- transitions ---- */

static transition *new_transition(emission *e, const clause_case *c, term guard, size_t from) {
  uint32_t times = ++e->times.at[c->clause];
  char *name = times == 1 ? text_format("clause%u", c->clause + 1) : text_format("clause%u_%u", c->clause + 1, times);
  const clause *of = &e->l->clauses->clauses.at[c->clause];
  transition *t = model_add_transition(e->model, name, e->has_location ? 0 : NO_PROCESS,
                                       term_and(e->ts, at_place(e, from), guard), of->place);
  memory_free(name);
  VECTOR_PUSH(e->l->clauses->of_transition, c->clause);
  return t;
}

/* Free variables of the case become inputs; `t` is where they belong. */
static void set_inputs(emission *e, transition *t, const variable_vector *inputs) {
  for (size_t i = 0; i < inputs->count; i++) {
    char *plain = clause_variable_name(e->ts, inputs->at[i]);
    char *name = text_format("%s.%s", t->name, plain);
    variable made = transition_add_input(e->model, t, name, variable_type(e->ts, inputs->at[i]));
    substitution_set(e->substitution, inputs->at[i], term_of_variable(e->ts, made));
    memory_free(plain);
    memory_free(name);
  }
}

static void add_updates(emission *e, transition *t, size_t from, size_t to, const term *values) {
  if (from != to) transition_add_update(t, e->location, term_int(e->ts, location_value(e, to)));
  for (uint32_t s = 0; s < e->l->slots.count; s++) {
    term self = term_of_variable(e->ts, e->l->slots.at[s].var), value = zero_of(e->ts, e->l->slots.at[s].sort);
    if (!place_has_slot(e, to, s) && !place_has_slot(e, from, s)) continue;
    const slot_list *of = to < e->l->places.count ? &e->l->slot_of.at[e->l->places.at[to].predicate] : NULL;
    for (size_t i = 0; of && i < of->of.count; i++)
      if (of->of.at[i] == s) value = values[i];
    if (!term_same(value, self)) transition_add_update(t, e->l->slots.at[s].var, value);
  }
}

static uint32_t property_of(const emission *e, const clause_case *c) {
  return e->l->clauses->clauses.at[c->clause].property;
}

/* The guard without conjuncts that types say already. */
static term without_types(const emission *e, term guard) {
  term_vector parts = {0}, kept = {0};
  term_conjuncts(e->ts, guard, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (!term_is_true(term_simplify_in_types(e->ts, parts.at[i]))) VECTOR_PUSH(kept, parts.at[i]);
  term result = term_and_all(e->ts, kept.count, kept.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(kept);
  return result;
}

/* The case from place `from`, whose parameters are set. */
static void add_step(emission *e, const clause_case *c, size_t from, const variable_vector *inputs) {
  term_vector values = {0};
  size_t first = e->model->transitions.count;
  transition *t = new_transition(e, c, TERM_TRUE, from);
  set_inputs(e, t, inputs);
  t = &e->model->transitions.at[first];
  term guard = without_types(e, substitution_apply(e->substitution, c->guard));
  t->guard = term_and(e->ts, t->guard, guard);
  for (size_t i = 0; i < c->values.count; i++)
    VECTOR_PUSH(values, substitution_apply(e->substitution, c->values.at[i]));
  size_t to = c->to == NO_PREDICATE ? e->errors.at[property_of(e, c)] : lower_find_place(e->l, c->to, values.at);
  REQUIRE(to != SIZE_MAX, "a place for every step");
  add_updates(e, t, from, to, values.at);
  VECTOR_FREE(values);
}

static void add_bad(emission *e, const clause_case *c, size_t from, term guard) {
  VECTOR_PUSH(e->bad.at[property_of(e, c)], term_and(e->ts, at_place(e, from), guard));
}

/* A fact, from the place `start`: the parameters that its guard speaks of are chosen. */
static void add_start_step(emission *e, const clause_case *c) {
  variable_vector inputs = {0};
  clause_case chosen = *c;
  for (size_t i = 0; i < c->inputs.count; i++) VECTOR_PUSH(inputs, c->inputs.at[i]);
  for (size_t i = 0; i < c->values.count && c->to != NO_PREDICATE; i++) {
    variable v = e->l->clauses->predicates.at[c->to].parameters.at[i];
    if (term_same(c->values.at[i], term_of_variable(e->ts, v))) VECTOR_PUSH(inputs, v);
  }
  substitution_clear(e->substitution);
  for (size_t i = 0; i < c->values.count && c->to != NO_PREDICATE; i++) {
    variable v = e->l->clauses->predicates.at[c->to].parameters.at[i];
    if (!term_same(c->values.at[i], term_of_variable(e->ts, v))) substitution_set(e->substitution, v, c->values.at[i]);
  }
  add_step(e, &chosen, e->start, &inputs);
  VECTOR_FREE(inputs);
}

static void add_fact(emission *e, const clause_case *c) {
  if (e->start != SIZE_MAX) {
    if (c->to == NO_PREDICATE && !c->inputs.count)
      add_bad(e, c, e->start, c->guard);
    else
      add_start_step(e, c);
    return;
  }
  size_t to = lower_find_place(e->l, c->to, c->values.at);
  set_parameters(e, to);
  term parts[] = {at_place(e, to), unused_are_zero(e, to), substitution_apply(e->substitution, c->guard)};
  VECTOR_PUSH(e->initial, term_and_all(e->ts, ARRAY_LENGTH(parts), parts));
}

static void add_case(emission *e, const clause_case *c) {
  if (c->from == NO_PREDICATE) {
    add_fact(e, c);
    return;
  }
  for (size_t i = 0; i < e->l->places.count; i++) {
    if (e->l->places.at[i].predicate != c->from || lower_excludes(e->l, c, i)) continue;
    set_parameters(e, i);
    term guard = substitution_apply(e->substitution, c->guard);
    if (term_is_false(guard)) continue;
    if (c->to == NO_PREDICATE && !c->inputs.count)
      add_bad(e, c, i, guard);
    else
      add_step(e, c, i, &c->inputs);
  }
}

/* ---- the way back ---- */

static void add_image(emission *e, size_t place) {
  const place_entry *p = &e->l->places.at[place];
  const variable_vector *parameters = &e->l->clauses->predicates.at[p->predicate].parameters;
  const slot_list *of = &e->l->slot_of.at[p->predicate];
  clause_image made = {.predicate = p->predicate, .at = at_place(e, place), .when = TERM_TRUE};
  for (size_t i = 0; i < parameters->count; i++) {
    term parameter = term_of_variable(e->ts, parameters->at[i]);
    VECTOR_PUSH(made.arguments, parameter_at(e, place, i));
    if (of->of.at[i] == NO_SLOT) made.when = term_and(e->ts, made.when, term_eq(e->ts, parameter, p->constants.at[i]));
  }
  if (e->has_location) VECTOR_PUSH(made.values, term_int(e->ts, location_value(e, place)));
  for (uint32_t s = 0; s < e->l->slots.count; s++) {
    term value = zero_of(e->ts, e->l->slots.at[s].sort);
    for (size_t i = 0; i < of->of.count; i++)
      if (of->of.at[i] == s) value = term_of_variable(e->ts, parameters->at[i]);
    VECTOR_PUSH(made.values, value);
  }
  VECTOR_PUSH(e->l->clauses->images, made);
}

/* ---- all of it ---- */

static void choose_places(emission *e) {
  const chc_lowering *l = e->l;
  bool needs_start = false;
  bool *needs_error = MEMORY_ARRAY(bool, l->model->properties.count + 1);
  for (size_t i = 0; i < l->cases.count; i++) {
    const clause_case *c = &l->cases.at[i];
    if (c->from == NO_PREDICATE)
      needs_start |= c->to == NO_PREDICATE || c->inputs.count || lower_find_place(l, c->to, c->values.at) != 0;
    if (c->to == NO_PREDICATE && c->inputs.count) needs_error[property_of(e, c)] = true;
  }
  e->place_count = l->places.count;
  e->start = needs_start ? e->place_count++ : SIZE_MAX;
  for (size_t i = 0; i < l->model->properties.count; i++)
    VECTOR_PUSH(e->errors, needs_error[i] ? e->place_count++ : SIZE_MAX);
  e->has_location = e->place_count > 1;
  memory_free(needs_error);
}

static void emit_start(emission *e) {
  if (e->start == SIZE_MAX) return;
  VECTOR_PUSH(e->initial, term_and(e->ts, at_place(e, e->start), unused_are_zero(e, e->start)));
}

static void emit_properties(emission *e) {
  for (size_t i = 0; i < e->model->properties.count; i++) {
    property *p = &e->model->properties.at[i];
    if (p->kind != PROPERTY_SAFE) continue;
    if (e->errors.at[i] != SIZE_MAX) VECTOR_PUSH(e->bad.at[i], at_place(e, e->errors.at[i]));
    p->bad = term_or_all(e->ts, e->bad.at[i].count, e->bad.at[i].at);
  }
}

static void emit(chc_lowering *l) {
  emission e = {.l = l, .model = l->model, .ts = l->ts, .substitution = l->substitution};
  for (size_t i = 0; i < l->clauses->clauses.count; i++) VECTOR_PUSH(e.times, 0);
  for (size_t i = 0; i < l->model->properties.count; i++) VECTOR_PUSH(e.bad, (term_vector){0});
  choose_places(&e);
  add_variables(&e);
  emit_start(&e);
  for (size_t i = 0; i < l->cases.count; i++) add_case(&e, &l->cases.at[i]);
  for (size_t i = 0; i < l->places.count; i++) add_image(&e, i);
  l->model->init = term_or_all(l->ts, e.initial.count, e.initial.at); /* each names its place */
  for (size_t i = 0; i < l->slots.count; i++)
    l->model->init = term_and(l->ts, l->model->init, variable_in_type(l->ts, l->slots.at[i].var));
  emit_properties(&e);
  model_close(l->model);
  for (size_t i = 0; i < e.bad.count; i++) VECTOR_FREE(e.bad.at[i]);
  VECTOR_FREE(e.bad);
  VECTOR_FREE(e.errors);
  VECTOR_FREE(e.times);
  VECTOR_FREE(e.initial);
}

static void mark_parameters(chc_lowering *l) {
  l->variable_count = variable_count(l->ts);
  l->is_parameter = MEMORY_ARRAY(bool, l->variable_count + 1);
  for (size_t i = 0; i < l->clauses->predicates.count; i++) {
    const variable_vector *parameters = &l->clauses->predicates.at[i].parameters;
    for (size_t j = 0; j < parameters->count; j++) l->is_parameter[parameters->at[j].x] = true;
  }
}

static void lowering_free(chc_lowering *l) {
  for (size_t i = 0; i < l->cases.count; i++) {
    VECTOR_FREE(l->cases.at[i].values);
    VECTOR_FREE(l->cases.at[i].inputs);
  }
  for (size_t i = 0; i < l->control.count; i++) bits_free(&l->control.at[i]);
  for (size_t i = 0; i < l->natural.count; i++) bits_free(&l->natural.at[i]);
  for (size_t i = 0; i < l->places.count; i++) VECTOR_FREE(l->places.at[i].constants);
  for (size_t i = 0; i < l->slot_of.count; i++) VECTOR_FREE(l->slot_of.at[i].of);
  VECTOR_FREE(l->meanings);
  VECTOR_FREE(l->forbidden);
  VECTOR_FREE(l->cases);
  VECTOR_FREE(l->control);
  VECTOR_FREE(l->natural);
  VECTOR_FREE(l->places);
  VECTOR_FREE(l->slot_of);
  VECTOR_FREE(l->slots);
  memory_free(l->is_parameter);
  substitution_free(l->substitution);
}

void chc_lower(model *m) {
  chc_lowering l = {.model = m,
                    .ts = m->terms,
                    .clauses = m->clauses->rewritten ? m->clauses->rewritten : m->clauses,
                    .substitution = substitution_new(m->terms)};
  mark_parameters(&l);
  lower_predicate_meanings(&l);
  lower_cases(&l);
  lower_naturals(&l);
  lower_places(&l);
  lower_slots(&l);
  emit(&l);
  lowering_free(&l);
}
