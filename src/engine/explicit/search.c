/* A search's store of states: the layout of their fields, made wider if a value does not fit; the initial states; and
 * what the search has left out. */
#include "engine/explicit/search.h"

#include "base/text.h"
#include "store/enumerate.h"

/* Initial states at most; and of those that cannot be counted. */
static const uint64_t MOST_INITIAL = UINT64_C(1) << 32, MOST_INITIAL_ON_DISK = UINT64_C(1) << 40;
enum { SOME_INITIAL = 1000 };

/* ---- fields ---- */

static const unsigned WIDTHS[] = {8, 16, 32, 64};

static int64_t clamp(__int128 x) { return x < INT64_MIN ? INT64_MIN : x > INT64_MAX ? INT64_MAX : (int64_t)x; }

/* The values that a variable of type `t` has in a field of `bits` bits, from its bound on or around zero. */
static void range_in_bits(const type *t, unsigned bits, int64_t *low, int64_t *high) {
  __int128 size = (__int128)1 << bits, l = -(size / 2), h = size / 2 - 1;
  int64_t bound;
  if (t->sort == SORT_BOOL) {
    l = 0;
    h = 1;
  } else if (t->has_low && number_to_int64(t->low, &bound)) {
    l = bound;
    h = l + size - 1;
  } else if (t->has_high && number_to_int64(t->high, &bound)) {
    h = bound;
    l = h - size + 1;
  }
  if (t->sort == SORT_INT && t->has_high && number_to_int64(t->high, &bound) && h > bound) h = bound;
  *low = clamp(l);
  *high = clamp(h);
}

static GIVE bool *find_assigned(const model *m) {
  bool *assigned = MEMORY_ARRAY(bool, m->variables.count);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].updates.count; j++)
      assigned[model_position(m, m->transitions.at[i].updates.at[j].var)] = true;
  return assigned;
}

/* A variable that nothing assigns keeps an initial value: if few are possible, its field can be narrow. */
static void first_ranges(search *s, enumerator *initial) {
  const model *m = s->model;
  bool *assigned = find_assigned(m);
  s->low = MEMORY_ARRAY(int64_t, m->variables.count);
  s->high = MEMORY_ARRAY(int64_t, m->variables.count);
  for (size_t i = 0; i < m->variables.count; i++) {
    const type *t = variable_type(m->terms, m->variables.at[i].var);
    range_in_bits(t, type_fits_in_words(t) ? 64 : WIDTHS[0], &s->low[i], &s->high[i]);
    int64_t low, high;
    if (assigned[i] || !enumerator_range(initial, i, &low, &high)) continue;
    if ((uint64_t)high - (uint64_t)low >= (uint64_t)s->high[i] - (uint64_t)s->low[i]) continue;
    s->low[i] = low;
    s->high[i] = high;
  }
  memory_free(assigned);
}

static void set_layout(search *s) {
  s->layout = layout_new(s->model->variables.count, s->low, s->high);
  machine_set_layout(s->machine, s->layout);
}

typedef struct repacking {
  const layout *from, *to;
  int64_t *values;
} repacking;

static void repack(void *context, const uint64_t *old, uint64_t *fresh) {
  repacking *r = context;
  layout_unpack(r->from, old, r->values);
  bool fits = layout_pack(r->to, r->values, fresh, NULL);
  REQUIRE(fits, "ranges that only grow");
}

void search_widen(search *s, size_t position, int64_t value) {
  const type *t = variable_type(s->model->terms, s->model->variables.at[position].var);
  int64_t low = s->low[position], high = s->high[position];
  for (size_t i = 0; i < ARRAY_LENGTH(WIDTHS); i++) {
    range_in_bits(t, WIDTHS[i], &s->low[position], &s->high[position]);
    if (s->low[position] <= low && s->low[position] <= value && s->high[position] >= high && s->high[position] >= value)
      break;
    if (i + 1 < ARRAY_LENGTH(WIDTHS)) continue;
    s->low[position] = INT64_MIN;
    s->high[position] = INT64_MAX;
  }
  repacking r = {.from = s->layout, .values = MEMORY_ARRAY(int64_t, s->model->variables.count)};
  layout *old = s->layout;
  set_layout(s);
  r.to = s->layout;
  store_convert(s->store, s->layout->bytes, repack, &r);
  memory_free(r.values);
  layout_free(old);
}

void search_set_ranges(search *s, const int64_t *low, const int64_t *high) {
  REQUIRE(!store_count(s->store), "a search without states");
  memcpy(s->low, low, s->model->variables.count * sizeof *low);
  memcpy(s->high, high, s->model->variables.count * sizeof *high);
  layout *old = s->layout;
  set_layout(s);
  layout_free(old);
  store_free(s->store);
  s->store = store_new(s->layout->bytes, threads_members(s->threads));
}

/* ---- making and ending ---- */

search *search_new(engine_environment *env, unsigned threads) {
  search *s = MEMORY_NEW(search);
  s->env = env;
  s->model = env->model;
  s->property = &env->model->properties.at[env->property];
  s->machine = machine_new(env->model);
  variable input;
  if (machine_has_endless_input(s->machine, &input)) {
    threads = 1; /* a solver belongs to one thread */
    s->solver = solver_new(env->model->terms, env->budget);
  }
  s->threads = threads_new(threads);
  s->steppers = MEMORY_ARRAY(stepper *, threads_members(s->threads));
  for (unsigned i = 0; i < threads_members(s->threads); i++)
    s->steppers[i] = stepper_new(s->machine, property_is_temporal(s->property), s->solver);
  if (s->property->kind == PROPERTY_SAFE) s->bad = state_condition_new(env->model, s->property->bad);
  return s;
}

void search_free(search *s) {
  if (!s) return;
  for (unsigned i = 0; i < threads_members(s->threads); i++) stepper_free(s->steppers[i]);
  memory_free(s->steppers);
  threads_free(s->threads);
  store_free(s->store);
  layout_free(s->layout);
  memory_free(s->low);
  memory_free(s->high);
  state_condition_free(s->bad);
  machine_free(s->machine);
  if (s->solver) solver_free(s->solver);
  VECTOR_FREE(s->violation.inputs);
  memory_free(s->gap);
  memory_free(s);
}

void search_stop(search *s) {
  const char *reason = budget_spent(s->env->budget);
  s->spent = reason ? reason : "interrupted";
}

bool search_is_over(const search *s) { return s->violation.is_found || s->spent || s->is_full; }

/* ---- gaps ---- */

static void set_gap(search *s, TAKE char *why) {
  if (s->gap)
    memory_free(why);
  else
    s->gap = why;
}

void search_note_size_gap(search *s) { set_gap(s, memory_copy_string("values beyond 64 bits")); }

void search_note_gap(search *s, const expansion *e) {
  variable input;
  if (e->lacks_size) search_note_size_gap(s);
  if (!e->lacks_inputs) return;
  if (machine_has_endless_input(s->machine, &input))
    set_gap(s, text_format("not all inputs can be tried: %s has no bound", variable_shown(s->model->terms, input)));
  else
    set_gap(s, memory_copy_string("not all inputs can be tried: there are too many"));
}

static void note_initial_gap(search *s, const enumeration *e) {
  const terms *ts = s->model->terms;
  switch (e->end) {
    case ENUMERATION_ALL: break;
    case ENUMERATION_UNBOUNDED: {
      size_t position = model_position(s->model, e->blame);
      bool is_parameter = s->model->variables.at[position].role == ROLE_PARAMETER;
      bool is_endless = !type_fits_in_words(variable_type(ts, e->blame));
      set_gap(s,
              text_format("not all initial states can be tried: %s %s has %s", is_parameter ? "parameter" : "variable",
                          variable_shown(ts, e->blame), is_endless ? "no bound" : "too many values"));
      break;
    }
    case ENUMERATION_TOO_MANY:
      set_gap(s, memory_copy_string("not all initial states can be tried: there are too many"));
      break;
    case ENUMERATION_TOO_LARGE: search_note_size_gap(s); break;
    case ENUMERATION_STOPPED: search_stop(s); break;
  }
}

/* ---- states ---- */

bool search_is_bad(const search *s, stepper *by, const uint64_t *packed, bool *lacks_size) {
  if (!s->bad) return false;
  int holds = stepper_test(by, s->bad, packed);
  if (holds < 0) *lacks_size = true;
  return holds == 1;
}

void search_set_fault(violation *v, const machine_step *s, size_t input_count) {
  v->transition = s->transition;
  v->fault = s->fault;
  VECTOR_CLEAR(v->inputs);
  for (size_t i = 0; i < input_count; i++) VECTOR_PUSH(v->inputs, s->inputs[i]);
}

typedef struct beginning {
  search *search;
  uint64_t *packed;
} beginning;

static bool add_initial(void *context, const int64_t *values) {
  beginning *b = context;
  search *s = b->search;
  size_t misfit;
  while (!layout_pack(s->layout, values, b->packed, &misfit)) search_widen(s, misfit, values[misfit]);
  uint64_t number;
  bool lacks_size = false;
  store_answer answer = store_add(s->store, b->packed, &number);
  if (answer == STORE_FULL) s->is_full = true;
  if (answer == STORE_NEW && search_is_bad(s, s->steppers[0], b->packed, &lacks_size)) {
    s->violation.is_found = true;
    s->violation.state = number;
  }
  if (lacks_size) search_note_size_gap(s);
  return !search_is_over(s);
}

/* Visits the initial states, at most so many. `is_first`: the fields get their first ranges, and the store is made. */
static void enumerate_initial(search *s, uint64_t most, bool is_first, enumeration_visitor *visit, void *context) {
  const model *m = s->model;
  variable_vector all = {0};
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(all, m->variables.at[i].var);
  solver *help = model_is_finite(m) ? NULL : solver_new(m->terms, s->env->budget);
  enumerator *e = enumerator_new(m->terms, m->init, all.count, all.at, 0, NULL, help);
  if (is_first) {
    first_ranges(s, e);
    set_layout(s);
    s->store = store_new(s->layout->bytes, threads_members(s->threads));
  }
  enumeration_limits limits = {.all = most, .some = SOME_INITIAL};
  enumeration found = enumerator_run(e, NULL, limits, s->env->budget, visit, context);
  if (!search_is_over(s)) note_initial_gap(s, &found);
  enumerator_free(e);
  if (help) solver_free(help);
  VECTOR_FREE(all);
}

void search_begin(search *s) { search_begin_some(s, MOST_INITIAL); }

void search_begin_some(search *s, uint64_t most) {
  beginning b = {s, MEMORY_ARRAY(uint64_t, s->model->variables.count + 1)};
  enumerate_initial(s, most, true, add_initial, &b);
  s->initial = store_count(s->store);
  memory_free(b.packed);
}

static bool fit_initial(void *context, const int64_t *values) {
  beginning *b = context;
  size_t misfit;
  while (!layout_pack(b->search->layout, values, b->packed, &misfit)) search_widen(b->search, misfit, values[misfit]);
  return true;
}

void search_begin_ranges(search *s) {
  beginning b = {s, MEMORY_ARRAY(uint64_t, s->model->variables.count + 1)};
  enumerate_initial(s, MOST_INITIAL_ON_DISK, true, fit_initial, &b);
  memory_free(b.packed);
}

typedef struct initial_visit {
  search *search;
  uint64_t *packed;
  bool (*visit)(void *context, const uint64_t *packed);
  void *context;
} initial_visit;

static bool visit_initial(void *context, const int64_t *values) {
  initial_visit *v = context;
  bool fits = layout_pack(v->search->layout, values, v->packed, NULL);
  if (!fits) search_note_size_gap(v->search); /* it was not there the first time */
  return !fits || v->visit(v->context, v->packed);
}

void search_each_initial(search *s, bool (*visit)(void *context, const uint64_t *packed), void *context) {
  initial_visit v = {s, MEMORY_ARRAY(uint64_t, s->model->variables.count + 1), visit, context};
  enumerate_initial(s, MOST_INITIAL_ON_DISK, false, visit_initial, &v);
  memory_free(v.packed);
}
