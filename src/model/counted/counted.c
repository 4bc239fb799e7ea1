/* Finds copies of a process that are alike, the local states that they come to, and what each transition does with counters. */
#include "model/counted/counted.h"

#include "base/text.h"
#include "model/counted/inside.h"

enum { MOST_LOCAL_STATES = 64, MOST_COMBINATIONS = 4096 };

static bool fail(counting *c, const char *why) {
  if (!c->why) c->why = why;
  return false;
}

/* ---- copies ---- */

/* The length of the name before `[`; 0: there is no index. */
static size_t base_of(const char *name) {
  const char *bracket = strchr(name, '[');
  return bracket ? (size_t)(bracket - name) : 0;
}

static bool is_copy_of(const process *p, const process *first) {
  size_t base = base_of(first->name);
  return base && base_of(p->name) == base && !memcmp(p->name, first->name, base);
}

/* The first copy of the process that has the most of them. */
static const process *find_process(const model *m, size_t *copies) {
  const process *best = NULL;
  *copies = 1;
  for (size_t i = 0; i < m->processes.count; i++) {
    const process *first = &m->processes.at[i];
    size_t count = 0;
    for (size_t j = 0; j < m->processes.count; j++) count += is_copy_of(&m->processes.at[j], first);
    if (count > *copies) best = first, *copies = count;
  }
  return best;
}

static void own(counting *c, variable v, size_t copy, size_t column) {
  c->owner[v.x] = (uint32_t)copy + 1;
  c->column[v.x] = column;
  VECTOR_PUSH(c->out->locals, v);
}

/* Variables that are called like the copy and a point. */
static size_t own_variables(counting *c, const process *p, size_t copy) {
  const model *m = c->out->original;
  size_t column = 0, length = strlen(p->name);
  own(c, p->location, copy, column++);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    const char *name = variable_name(c->ts, v);
    bool is_local = !strncmp(name, p->name, length) && name[length] == '.';
    if (is_local && !variable_same(v, p->location)) own(c, v, copy, column++);
  }
  return column;
}

static bool same_bounds(const type *a, const type *b) {
  return a->sort == SORT_BOOL || (number_equal(a->low, b->low) && number_equal(a->high, b->high));
}

static bool variables_are_alike(counting *c) {
  const counter_model *out = c->out;
  uint64_t combinations = 1;
  for (size_t i = 0; i < out->locals.count; i++) {
    const type *mine = variable_type(c->ts, out->locals.at[i]);
    const type *of_first = variable_type(c->ts, out->locals.at[i % out->width]);
    uint64_t size = type_is_finite(mine) ? type_size(mine, MOST_COMBINATIONS + 1) : 0;
    if (!size || size > MOST_COMBINATIONS) return fail(c, "its variables have too many values");
    if (mine->sort != of_first->sort || !same_bounds(mine, of_first))
      return fail(c, "its copies do not have the same variables");
    if (i < out->width) combinations *= size;
    if (combinations > MOST_COMBINATIONS) return fail(c, "its variables have too many values");
  }
  return true;
}

static bool find_copies(counting *c) {
  counter_model *out = c->out;
  const model *m = out->original;
  const process *first = find_process(m, &out->copies);
  if (!first) return fail(c, "no process has copies");
  out->name = arena_copy_bytes(terms_arena(c->ts), first->name, base_of(first->name));
  for (size_t i = 0, copy = 0; i < m->processes.count; i++) {
    if (!is_copy_of(&m->processes.at[i], first)) continue;
    size_t width = own_variables(c, &m->processes.at[i], copy);
    if (!copy) out->width = width;
    if (width != out->width) return fail(c, "its copies do not have the same variables");
    copy++;
  }
  return variables_are_alike(c);
}

/* ---- transitions ---- */

/* The copy that it is a step of, or NO_PROCESS. */
static uint32_t mover_of(const counting *c, const transition *t) {
  const model *m = c->out->original;
  if (t->process == NO_PROCESS) return NO_PROCESS;
  variable location = m->processes.at[t->process].location;
  return c->owner[location.x] ? c->owner[location.x] - 1 : NO_PROCESS;
}

/* The steps of a copy, in their order, are those of the first one. */
static bool find_orbits(counting *c) {
  counter_model *out = c->out;
  const model *m = out->original;
  VECTOR(uint32_t) of_first = {0};
  size_t *next = MEMORY_ARRAY(size_t, out->copies + 1);
  bool fine = true;
  for (uint32_t i = 0; i < m->transitions.count && fine; i++) {
    uint32_t mover = mover_of(c, &m->transitions.at[i]), orbit = (uint32_t)out->orbits.count;
    bool is_new = mover == NO_PROCESS || mover == 0;
    if (mover == 0) VECTOR_PUSH(of_first, orbit);
    if (!is_new && next[mover] >= of_first.count) fine = fail(c, "its copies do not have the same steps");
    if (!is_new && fine) orbit = of_first.at[next[mover]++];
    if (is_new) VECTOR_PUSH(out->orbits, i);
    VECTOR_PUSH(out->orbit_of, orbit);
    VECTOR_PUSH(out->mover, mover);
  }
  for (size_t i = 1; i < out->copies && fine; i++)
    if (next[i] != of_first.count) fine = fail(c, "its copies do not have the same steps");
  VECTOR_FREE(of_first);
  memory_free(next);
  return fine;
}

/* Puts the first copy and another one in each other's place, and the inputs of the one's step in the place of the other's. */
static substitution *exchange(const counting *c, size_t copy, const transition *of_first, const transition *its) {
  substitution *by = substitution_new(c->ts);
  size_t width = c->out->width;
  for (size_t v = 0; v < width; v++) {
    variable a = c->out->locals.at[v], b = c->out->locals.at[copy * width + v];
    substitution_set(by, a, term_of_variable(c->ts, b));
    substitution_set(by, b, term_of_variable(c->ts, a));
  }
  for (size_t i = 0; i < its->inputs.count; i++)
    substitution_set(by, of_first->inputs.at[i], term_of_variable(c->ts, its->inputs.at[i]));
  return by;
}

static bool is_alike(counting *c, size_t copy, const transition *of_first, const transition *its) {
  const model *m = c->out->original;
  size_t width = c->out->width;
  if (of_first->inputs.count != its->inputs.count || of_first->updates.count != its->updates.count) return false;
  substitution *by = exchange(c, copy, of_first, its);
  bool same = term_same(substitution_apply(by, transition_enabled(m, of_first)), transition_enabled(m, its));
  for (size_t i = 0; i < of_first->updates.count && same; i++) {
    const update *u = &of_first->updates.at[i];
    uint32_t owner = c->owner[u->var.x];
    variable there = owner == 1 ? c->out->locals.at[copy * width + c->column[u->var.x]] : u->var;
    same = owner <= 1 && term_same(substitution_apply(by, u->value), transition_value_after(m, its, there));
  }
  substitution_free(by);
  return same;
}

/* A step of one copy assigns to no other one, and is that of another one with both exchanged. */
static bool steps_are_alike(counting *c) {
  const model *m = c->out->original;
  for (uint32_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    uint32_t mover = c->out->mover.at[i];
    for (size_t j = 0; j < t->updates.count; j++) {
      uint32_t owner = c->owner[t->updates.at[j].var.x];
      if (owner && owner != mover + 1) return fail(c, "a step changes copies other than the one that takes it");
    }
    const transition *of_first = &m->transitions.at[c->out->orbits.at[c->out->orbit_of.at[i]]];
    if (mover != NO_PROCESS && mover && !is_alike(c, mover, of_first, t))
      return fail(c, "its copies do not do the same");
  }
  return true;
}

/* ---- local states ---- */

static size_t find_state(const counter_model *c, const number *values) {
  for (size_t s = 0; s < c->counters.count; s++) {
    bool same = true;
    for (size_t v = 0; v < c->width && same; v++) same = number_equal(c->values.at[s * c->width + v], values[v]);
    if (same) return s;
  }
  return NO_LOCAL_STATE;
}

static GIVE char *name_of_state(const counting *c, const number *values) {
  const counter_model *out = c->out;
  text name = {0};
  for (size_t v = 0; v < out->width; v++) {
    const type *t = variable_type(c->ts, out->locals.at[v]);
    const char *member = variable_name(c->ts, out->locals.at[v]);
    int64_t n = 0;
    number_to_int64(values[v], &n);
    if (!v && t->names) {
      text_add(&name, "#%s.%s", out->name, t->names[n]);
    } else {
      const char *point = strrchr(member, '.');
      text_add(&name, "%s%s=", v ? "," : "#", point ? point + 1 : member);
      if (t->names && (size_t)n < t->name_count)
        text_add(&name, "%s", t->names[n]);
      else
        text_add(&name, "%lld", (long long)n);
    }
  }
  return text_give(&name);
}

static bool is_of_model(const model *m, variable v) {
  bool found = model_position(m, v) != SIZE_MAX;
  for (size_t i = 0; i < m->transitions.count && !found; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++)
      found |= variable_same(m->transitions.at[i].inputs.at[j], v);
  return found;
}

/* A model that is counted again has the counters that it had. */
static bool add_counter(counting *c, const number *values) {
  counter_model *out = c->out;
  type counts = {.sort = SORT_INT, .has_low = true, .has_high = true, .high = number_of((int64_t)out->copies)};
  counts.low = number_of(0);
  char *name = name_of_state(c, values);
  variable v;
  bool is_there = variable_find(c->ts, name, &v);
  bool fine = !is_there || !is_of_model(out->original, v);
  if (is_there && fine) {
    const type *t = variable_type(c->ts, v);
    fine =
        t->sort == SORT_INT && t->has_high && t->has_low && number_equal(t->high, counts.high) && number_is(t->low, 0);
  }
  if (fine && is_there) model_adopt_variable(out->made, (state_variable){.var = v, .role = ROLE_STATE});
  if (fine && !is_there) v = model_add_variable(out->made, name, &counts, ROLE_STATE, (place){0});
  memory_free(name);
  if (!fine) return fail(c, "a name of a counter is taken");
  VECTOR_PUSH(out->counters, v);
  for (size_t i = 0; i < out->width; i++) VECTOR_PUSH(out->values, values[i]);
  return true;
}

static bool state_of(counting *c, const number *values, size_t *out) {
  *out = find_state(c->out, values);
  if (*out != NO_LOCAL_STATE) return true;
  if (c->out->counters.count >= MOST_LOCAL_STATES) return fail(c, "it has too many local states");
  *out = c->out->counters.count;
  return add_counter(c, values);
}

/* The next combination of values of the local variables; false after the last. */
static bool advance(const counting *c, number *values) {
  for (size_t v = 0; v < c->out->width; v++) {
    const type *t = variable_type(c->ts, c->out->locals.at[v]);
    number high = t->sort == SORT_BOOL ? number_of(1) : t->high, low = t->sort == SORT_BOOL ? number_of(0) : t->low;
    if (number_compare(values[v], high) < 0) {
      values[v] = number_add(values[v], number_of(1));
      return true;
    }
    values[v] = low;
  }
  return false;
}

static void lowest(const counting *c, number *values) {
  for (size_t v = 0; v < c->out->width; v++) {
    const type *t = variable_type(c->ts, c->out->locals.at[v]);
    values[v] = t->sort == SORT_BOOL ? number_of(0) : t->low;
  }
}

/* Local states in which the first copy may be at first: all others are ruled out by conjuncts about it alone. */
static bool find_first_states(counting *c) {
  counter_model *out = c->out;
  number *values = MEMORY_ARRAY(number, out->width);
  term_vector parts = {0};
  bool fine = true;
  term_conjuncts(c->ts, out->original->init, &parts);
  lowest(c, values);
  do {
    bool may = true;
    substitution_clear(c->by);
    for (size_t v = 0; v < out->width; v++)
      substitution_set(c->by, out->locals.at[v], counting_constant(c->ts, out->locals.at[v], values[v]));
    for (size_t i = 0; i < parts.count && may; i++) may = !term_is_false(substitution_apply(c->by, parts.at[i]));
    size_t s;
    if (may) fine = state_of(c, values, &s);
    if (may && fine) VECTOR_PUSH(out->first, s);
  } while (fine && advance(c, values));
  VECTOR_FREE(parts);
  memory_free(values);
  return fine;
}

/* ---- steps ---- */

static term sum_of_counters(counting *c) {
  term sum = term_int(c->ts, 0);
  for (size_t s = 0; s < c->out->counters.count; s++)
    sum = term_add(c->ts, sum, term_of_variable(c->ts, c->out->counters.at[s]));
  return sum;
}

/* P[1].enter is called P.enter. */
static KEEP const char *name_of_step(counting *c, const transition *t) {
  const char *end = strchr(t->name, ']');
  size_t base = base_of(t->name);
  if (!base || !end) return t->name;
  char *name = text_format("%.*s%s", (int)base, t->name, end + 1);
  const char *kept = model_string(c->out->made, name);
  memory_free(name);
  return kept;
}

/* One copy leaves `from` for `to`; it is there, and it is not in both. */
static term can_move(counting *c, size_t from, size_t to) {
  terms *ts = c->ts;
  if (from == NO_LOCAL_STATE) return TERM_TRUE;
  term some = term_ge(ts, term_of_variable(ts, c->out->counters.at[from]), term_int(ts, 1));
  if (from == to) return some;
  term room = term_lt(ts, term_of_variable(ts, c->out->counters.at[to]), term_int(ts, (int64_t)c->out->copies));
  return term_and(ts, some, room);
}

static void move(counting *c, transition *made, size_t from, size_t to) {
  terms *ts = c->ts;
  if (from == to) return;
  variable less = c->out->counters.at[from], more = c->out->counters.at[to];
  transition_add_update(made, less, term_sub(ts, term_of_variable(ts, less), term_int(ts, 1)));
  transition_add_update(made, more, term_add(ts, term_of_variable(ts, more), term_int(ts, 1)));
}

/* What transition `t` does when its copy (if any) goes from one local state to another if `guard` holds. */
static bool add_step(counting *c, uint32_t orbit, size_t from, size_t to, term guard) {
  const model *m = c->out->original;
  const transition *t = &m->transitions.at[c->out->orbits.at[orbit]];
  term with_counters;
  if (c->explores) return true;
  if (!counting_formula(c, guard, &with_counters)) return false;
  if (term_is_false(with_counters)) return true;
  transition *made = model_add_transition(c->out->made, name_of_step(c, t), NO_PROCESS,
                                          term_and(c->ts, with_counters, can_move(c, from, to)), t->place);
  for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(made->inputs, t->inputs.at[i]);
  made->statement = t->statement;
  for (size_t i = 0; i < t->updates.count; i++) {
    const update *u = &t->updates.at[i];
    term value = from == NO_LOCAL_STATE ? u->value : counting_in_state(c, u->value, 0, from);
    if (c->owner[u->var.x]) continue;
    if (!counting_value(c, value, &value)) return false;
    transition_add_update(made, u->var, value);
  }
  move(c, made, from, to);
  VECTOR_PUSH(c->out->steps, ((counted_step){orbit, from, to}));
  return true;
}

/* `guard`, and the local variables have these values after the step. */
static term comes_to(counting *c, term guard, const term *after, const number *values) {
  for (size_t v = 0; v < c->out->width && !term_is_false(guard); v++) {
    term is = term_eq(c->ts, after[v], counting_constant(c->ts, c->out->locals.at[v], values[v]));
    guard = term_and(c->ts, guard, is);
  }
  return guard;
}

/* Each local state that the copy may come to, and when. */
static bool add_steps_from(counting *c, uint32_t orbit, size_t from) {
  const model *m = c->out->original;
  const transition *t = &m->transitions.at[c->out->orbits.at[orbit]];
  counter_model *out = c->out;
  term guard = counting_in_state(c, transition_enabled(m, t), 0, from);
  if (term_is_false(guard)) return true;
  number *values = MEMORY_ARRAY(number, out->width);
  term *after = MEMORY_ARRAY(term, out->width);
  bool fine = true;
  for (size_t v = 0; v < out->width; v++)
    after[v] = counting_in_state(c, transition_value_after(m, t, out->locals.at[v]), 0, from);
  lowest(c, values);
  do {
    size_t to;
    term when = comes_to(c, guard, after, values);
    if (!term_is_false(when)) fine = state_of(c, values, &to) && add_step(c, orbit, from, to, when);
  } while (fine && advance(c, values));
  memory_free(values);
  memory_free(after);
  return fine;
}

static bool add_steps(counting *c) {
  counter_model *out = c->out;
  const model *m = out->original;
  c->mover = 0;
  for (c->state = 0; c->state < out->counters.count; c->state++)
    for (uint32_t o = 0; o < out->orbits.count; o++)
      if (out->mover.at[out->orbits.at[o]] == 0 && !add_steps_from(c, o, c->state)) return false;
  c->mover = SIZE_MAX;
  for (uint32_t o = 0; o < out->orbits.count; o++) {
    const transition *t = &m->transitions.at[out->orbits.at[o]];
    if (out->mover.at[out->orbits.at[o]] == NO_PROCESS &&
        !add_step(c, o, NO_LOCAL_STATE, NO_LOCAL_STATE, transition_enabled(m, t)))
      return false;
  }
  return true;
}

/* ---- properties ---- */

static bool formula_of(counting *c, const temporal *f, temporal **out) {
  *out = NULL;
  if (!f) return true;
  *out = arena_alloc(terms_arena(c->ts), sizeof(temporal));
  **out = *f;
  if (f->kind == TEMPORAL_STATE) return counting_formula(c, f->state, &(*out)->state);
  return formula_of(c, f->left, &(*out)->left) && formula_of(c, f->right, &(*out)->right);
}

/* Inputs of a copy's own steps are told apart, and no counter stands for them. */
static bool is_of_states_alone(const counting *c, term t) {
  variable_vector all = {0};
  bool fine = true;
  term_variables(c->ts, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++) fine &= model_position(c->out->original, all.at[i]) != SIZE_MAX;
  VECTOR_FREE(all);
  return fine;
}

static bool add_property(counting *c, const property *p) {
  bool is_of_states = p->kind == PROPERTY_SAFE || p->kind == PROPERTY_NO_FAULT;
  property *made = model_add_property(c->out->made, p->name, is_of_states ? PROPERTY_SAFE : p->kind, p->place);
  if (p->kind == PROPERTY_ENDS || p->relies_on || (is_of_states && !is_of_states_alone(c, p->bad)))
    return fail(c, "the property is not about states or runs alone");
  made->written = p->written;
  made->trigger = TERM_TRUE;
  if (is_of_states) return counting_formula(c, p->bad, &made->bad);
  return formula_of(c, p->formula, &made->formula);
}

/* It has all copies of a step or none. */
static bool add_group(counting *c, const fairness *f, fairness *made) {
  const counter_model *out = c->out;
  size_t *seen = MEMORY_ARRAY(size_t, out->orbits.count + 1), *size = MEMORY_ARRAY(size_t, out->orbits.count + 1);
  bool fine = true;
  for (size_t i = 0; i < out->orbit_of.count; i++) size[out->orbit_of.at[i]]++;
  for (size_t i = 0; i < f->transitions.count; i++) seen[out->orbit_of.at[f->transitions.at[i]]]++;
  for (size_t o = 0; o < out->orbits.count; o++) fine &= !seen[o] || seen[o] == size[o];
  for (uint32_t i = 0; i < out->steps.count; i++)
    if (seen[out->steps.at[i].orbit]) VECTOR_PUSH(made->transitions, i);
  memory_free(seen);
  memory_free(size);
  return fine || fail(c, "a fairness condition is about one copy");
}

static bool add_fairness(counting *c) {
  const model *m = c->out->original;
  for (size_t i = 0; i < m->fairness.count; i++) {
    const fairness *f = &m->fairness.at[i];
    VECTOR_PUSH(c->out->made->fairness, ((fairness){.kind = f->kind, .place = f->place}));
    fairness *made = &VECTOR_LAST(c->out->made->fairness);
    if (f->kind == FAIR_FORMULA) return fail(c, "a fairness condition is a formula");
    if (f->kind == FAIR_STATE ? !counting_formula(c, f->state, &made->state) : !add_group(c, f, made)) return false;
  }
  return true;
}

/* ---- all of it ---- */

static bool is_suitable(counting *c) {
  const model *m = c->out->original;
  if (m->has_heap || m->clauses || terms_have_reals(m->terms) || terms_have_arrays(m->terms))
    return fail(c, "the model has more than integers and booleans");
  return true;
}

static void add_shared(counting *c) {
  const model *m = c->out->original;
  for (size_t i = 0; i < m->variables.count; i++)
    if (!c->owner[m->variables.at[i].var.x]) model_adopt_variable(c->out->made, m->variables.at[i]);
  for (size_t i = 0; i < m->definitions.count; i++) VECTOR_PUSH(c->out->made->definitions, m->definitions.at[i]);
}

static bool add_initial(counting *c) {
  counter_model *out = c->out;
  term_vector parts = {0};
  term init;
  if (!counting_formula(c, out->original->init, &init)) return false;
  VECTOR_PUSH(parts, init);
  for (size_t s = 0; s < out->counters.count; s++) VECTOR_PUSH(parts, variable_in_type(c->ts, out->counters.at[s]));
  VECTOR_PUSH(parts, term_eq(c->ts, sum_of_counters(c), term_int(c->ts, (int64_t)out->copies)));
  out->made->init = term_and_all(c->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return true;
}

static bool count(counting *c, size_t property) {
  const model *m = c->out->original;
  if (!find_copies(c) || !find_orbits(c) || !steps_are_alike(c)) return false;
  add_shared(c);
  c->explores = true;
  if (!find_first_states(c) || !add_steps(c)) return false;
  c->explores = false;
  return add_steps(c) && add_initial(c) && add_property(c, &m->properties.at[property]) &&
         (!property_is_temporal(&m->properties.at[property]) || add_fairness(c));
}

counter_model *counter_model_new(const model *m, size_t property, const char **why) {
  counter_model *out = MEMORY_NEW(counter_model);
  counting c = {.out = out, .ts = m->terms, .known = variable_count(m->terms), .mover = SIZE_MAX};
  *out = (counter_model){.original = m, .made = model_derive(m)};
  c.owner = MEMORY_ARRAY(uint32_t, c.known + 1);
  c.column = MEMORY_ARRAY(size_t, c.known + 1);
  c.by = substitution_new(c.ts);
  bool fine = is_suitable(&c) && count(&c, property);
  substitution_free(c.by);
  memory_free(c.owner);
  memory_free(c.column);
  *why = fine ? NULL : c.why;
  if (fine) return out;
  counter_model_free(out);
  return NULL;
}

void counter_model_free(counter_model *c) {
  if (!c) return;
  model_free(c->made);
  VECTOR_FREE(c->locals);
  VECTOR_FREE(c->values);
  VECTOR_FREE(c->counters);
  VECTOR_FREE(c->first);
  VECTOR_FREE(c->orbit_of);
  VECTOR_FREE(c->mover);
  VECTOR_FREE(c->orbits);
  VECTOR_FREE(c->steps);
  memory_free(c);
}

term counted_is_in(const counter_model *c, size_t copy, size_t local_state) {
  terms *ts = c->original->terms;
  term all = TERM_TRUE;
  for (size_t v = 0; v < c->width; v++) {
    variable local = c->locals.at[copy * c->width + v];
    all = term_and(ts, all,
                   term_eq(ts, term_of_variable(ts, local),
                           counting_constant(ts, local, c->values.at[local_state * c->width + v])));
  }
  return all;
}
