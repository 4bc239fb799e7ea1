/* One step: guard, inputs, updates, and the run-time errors of all of them.
 *
 * The guard is evaluated if the process is at its place; the right sides and the indices on the left, if the
 * guard holds. The heap part of a step is a command of its own, separate from the updates. */
#include "input/whet/channels/channel.h"
#include "input/whet/parse/token.h"
#include "term/bounds.h"
#include "term/heap/node_layout.h"

place lower_place(const lowering *l, span at) { return source_place(l->reporter->source, at.start); }

static void lower_inputs(lowering *l, transition *t, const variables_trees *inputs) {
  for (size_t i = 0; inputs && i < inputs->count; i++) {
    const variables_tree *v = inputs->at[i];
    for (size_t j = 0; j < v->names.count; j++) {
      const char *own = v->names.at[j].word->text;
      char *name = l->scope->is_flat ? memory_copy_string(own) : text_format("%s.%s", t->name, own);
      type of = lower_type(l, v->value_type);
      variable input = transition_add_input(l->model, t, name, &of);
      v->names.at[j].symbol->value = term_of_variable(l->terms, input);
      memory_free(name);
    }
  }
}

static GIVE char *describe_outside(const lowering *l, const char *access, const value_type *array) {
  char *low = source_excerpt(l->reporter->source, array->tree->low->at, 40),
       *high = source_excerpt(l->reporter->source, array->tree->high->at, 40);
  char *what = text_format("the index of %s is outside %s..%s", access, low, high);
  memory_free(low);
  memory_free(high);
  return what;
}

/* A field of a node that is not there, or `free`. */
static GIVE char *describe_node_fault(const lowering *l, const pending_fault *f) {
  bool is_field = f->at->kind == EXPRESSION_FIELD && !f->at->symbol;
  char *excerpt = source_excerpt(l->reporter->source, f->at->at, 60);
  char *name = source_excerpt(l->reporter->source, is_field ? f->at->parts[0]->at : f->at->at, 60);
  char *what = text_format("%s%s where %s is %s", is_field ? "" : "free ", excerpt, name, f->is);
  memory_free(excerpt);
  memory_free(name);
  return what;
}

static GIVE char *describe_fault(const lowering *l, const expression *at) {
  const source *s = l->reporter->source;
  char *excerpt = source_excerpt(s, at->at, 60), *what;
  if (at->kind == EXPRESSION_PRODUCT) {
    what = text_format("division by zero in %s", excerpt);
  } else {
    bool is_process = at->symbol && at->symbol->kind == SYMBOL_PROCESS;
    const value_type *array = at->parts[0]->type;
    if (!is_process && array->is_kept) {
      what = describe_outside(l, excerpt, array);
      memory_free(excerpt);
      return what;
    }
    char *low = is_process ? text_format("%lld", (long long)at->symbol->family->low) : number_string(array->low);
    char *high =
        is_process
            ? text_format("%lld", (long long)(at->symbol->family->low + (int64_t)(at->symbol->family->copies - 1)))
            : number_string(array->high);
    what = text_format("the index of %s is outside %s..%s", excerpt, low, high);
    memory_free(low);
    memory_free(high);
  }
  memory_free(excerpt);
  return what;
}

/* Adds what has been collected, if `prefix` holds. */
static void add_faults(lowering *l, transition *t, pending_faults *faults, term prefix) {
  for (size_t i = 0; i < faults->count; i++) {
    char *what = faults->at[i].is ? describe_node_fault(l, &faults->at[i]) : describe_fault(l, faults->at[i].at);
    transition_add_fault(l->model, t, term_and(l->terms, prefix, faults->at[i].when), what,
                         lower_place(l, faults->at[i].at->at));
    memory_free(what);
  }
  faults->count = 0;
}

/* ---- assignments ---- */

static update *find_update(writer *w, variable v) {
  uint64_t at;
  enum { FEW = 16 };
  if (!w->positions && w->transition->updates.count > FEW) {
    w->positions = map_new();
    for (size_t i = 0; i < w->transition->updates.count; i++)
      map_set(w->positions, w->transition->updates.at[i].var.x, i);
  }
  if (w->positions) return map_get(w->positions, v.x, &at) ? &w->transition->updates.at[at] : NULL;
  for (size_t i = 0; i < w->transition->updates.count; i++)
    if (variable_same(w->transition->updates.at[i].var, v)) return &w->transition->updates.at[i];
  return NULL;
}

static void set_update(writer *w, variable v, term value) {
  update *known = find_update(w, v);
  if (known) {
    known->value = value;
    return;
  }
  if (w->positions) map_set(w->positions, v.x, w->transition->updates.count);
  transition_add_update(w->transition, v, value);
}

/* The assignment as messages show it, with the range it leaves. */
static GIVE char *describe_range(const lowering *l, const assignment *a, const value_type *t) {
  char *excerpt = source_excerpt(l->reporter->source, a->at, 60), *low = number_string(t->low),
       *high = number_string(t->high);
  char *what =
      !t->has_high ? text_format("%s becomes negative", excerpt) : text_format("%s leaves %s..%s", excerpt, low, high);
  memory_free(excerpt);
  memory_free(low);
  memory_free(high);
  return what;
}

/* A value that leaves the type of what it is assigned to is a run-time error, if `when` holds. */
void step_range_fault(lowering *l, writer *w, const assignment *a, term value, term when) {
  const value_type *t = a->target->type;
  if (!t->has_low && !t->has_high) return;
  interval i = term_interval(l->terms, value);
  term below = TERM_FALSE, above = TERM_FALSE;
  if (t->has_low && !(i.has_low && number_compare(i.low, t->low) >= 0))
    below = term_lt(l->terms, value, term_number(l->terms, t->low));
  if (t->has_high && !(i.has_high && number_compare(i.high, t->high) <= 0))
    above = term_gt(l->terms, value, term_number(l->terms, t->high));
  term outside = term_or(l->terms, below, above);
  if (term_is_false(outside)) return;
  char *what = describe_range(l, a, t);
  term whole = term_and(l->terms, w->guard, term_and(l->terms, when, outside));
  transition_add_fault(l->model, w->transition, whole, what, lower_place(l, a->at));
  memory_free(what);
}

static void check_element_once(lowering *l, writer *w, variable v, const expression *target) {
  if (!w->elements) w->elements = map_new();
  if (map_get(w->elements, v.x, NULL))
    report_error(l->reporter, target->at.start, "`%s` is assigned twice in one step", variable_name(l->terms, v));
  map_set(w->elements, v.x, 1);
}

/* The next dimension from `k` on of an array that is kept; as many as there are dimensions if there is none. */
static size_t kept_dimension(const access *a, size_t k) {
  while (k < a->dimensions.count && !a->dimensions.at[k].kept) k++;
  return k;
}

/* `old` with the value at the indices from dimension `k` on. */
static term with_element(lowering *l, const access *a, size_t k, term old, term value) {
  k = kept_dimension(a, k);
  if (k == a->dimensions.count) return value;
  term index = a->dimensions.at[k].index;
  return term_store(l->terms, old, index, with_element(l, a, k + 1, term_select(l->terms, old, index), value));
}

/* Not a variable as a whole: its name alone does not say whether it is assigned twice. */
static bool names_element(const expression *target) {
  return target->kind == EXPRESSION_INDEX || target->kind == EXPRESSION_MEMBER || target->type->kind == VALUE_RECORD ||
         (target->kind == EXPRESSION_FIELD && target->parts[0]->kind == EXPRESSION_INDEX);
}

/* Writes `value` to every cell that the indices can mean, each under the condition that they mean it. */
void step_write_cells(lowering *l, writer *w, const access *a, size_t k, size_t cell, term when, term value,
                      const expression *target) {
  if (k < a->dimensions.count) {
    const dimension *d = &a->dimensions.at[k];
    if (d->is_constant) {
      step_write_cells(l, w, a, k + 1, cell + d->constant * d->stride, when, value, target);
      return;
    }
    for (size_t i = 0; i < d->count && lowering_spend(l, INSTANCE_WORK, target->at.start); i++) {
      term here =
          term_simplify_in_types(l->terms, term_eq(l->terms, d->index, term_int(l->terms, d->low + (int64_t)i)));
      if (!term_is_false(here))
        step_write_cells(l, w, a, k + 1, cell + i * d->stride, term_and(l->terms, when, here), value, target);
    }
    return;
  }
  variable v = l->cells.at[cell];
  update *before = find_update(w, v);
  bool is_kept = kept_dimension(a, 0) < a->dimensions.count;
  if (names_element(target) && !is_kept && term_is_true(when)) check_element_once(l, w, v, target);
  term old = before ? before->value : term_of_variable(l->terms, v);
  value = with_element(l, a, 0, old, value);
  set_update(w, v, term_ite(l->terms, when, value, old));
}

static term fresh_of_type(lowering *l, writer *w, const assignment *a, type of) {
  char *target = source_excerpt(l->reporter->source, a->target->at, 40),
       *name = text_format("%s.%s", w->transition->name, target);
  for (char *c = name; *c; c++)
    if (*c == '|') *c = '_'; /* no name contains a bar */
  variable input = transition_add_input(l->model, w->transition, name, &of);
  memory_free(name);
  memory_free(target);
  return term_of_variable(l->terms, input);
}

static term fresh_value(lowering *l, writer *w, const assignment *a) {
  return fresh_of_type(l, w, a, lower_type(l, a->target->type));
}

/* Of a cell of the target: of an array that is kept, what is left of it behind the indices. */
static term fresh_cell(lowering *l, writer *w, const assignment *a, const access *to, size_t cell) {
  type of = *variable_type(l->terms, l->cells.at[cell]);
  for (size_t k = kept_dimension(to, 0); k < to->dimensions.count; k = kept_dimension(to, k + 1))
    of = type_of_element(&of);
  return fresh_of_type(l, w, a, of);
}

/* All cells of an array or a record. */
static void lower_whole_array(lowering *l, writer *w, const assignment *a) {
  access to, from;
  size_t cells = a->target->type->cells;
  access_open(l, &to, a->target);
  if (a->value) access_open(l, &from, a->value);
  bool fine = (!a->value || (lower_check_arrays(l, a->target->type, a->value->type, a->value) && !from.is_outside)) &&
              !to.is_outside;
  for (size_t i = 0; fine && i < cells && lowering_spend(l, INSTANCE_WORK, a->at.start); i++) {
    term value = a->value ? access_value(l, &from, i, a->value) : fresh_cell(l, w, a, &to, to.first + i);
    step_write_cells(l, w, &to, 0, to.first + i, TERM_TRUE, value, a->target);
  }
  if (a->value) access_close(&from);
  access_close(&to);
}

static term value_so_far(lowering *l, writer *w, variable v) {
  const update *before = find_update(w, v);
  return before ? before->value : term_of_variable(l->terms, v);
}

/* An element of an expanded array, if the index is in the range. */
static void write_each_cell(lowering *l, writer *w, const assignment *a, term low, term high) {
  const value_type *t = a->target->parts[0]->type;
  int64_t first;
  access to;
  number_to_int64(t->low, &first);
  access_open(l, &to, a->target->parts[0]);
  for (size_t i = 0; i < t->cells && lowering_spend(l, INSTANCE_WORK, a->at.start); i++) {
    term index = term_int(l->terms, first + (int64_t)i);
    term here = term_and(l->terms, term_le(l->terms, low, index), term_le(l->terms, index, high));
    variable v = l->cells.at[to.first + i];
    if (term_is_false(here)) continue;
    a->each->symbol->value = index;
    VECTOR_PUSH(l->path, here);
    l->open_ranges++;
    term value = lower_expression(l, a->value);
    l->open_ranges--;
    l->path.count--;
    step_range_fault(l, w, a, value, here);
    set_update(w, v, term_ite(l->terms, here, value, value_so_far(l, w, v)));
  }
  access_close(&to);
}

/* The range is empty, or it is inside the array. */
static void add_each_fault(lowering *l, const assignment *a, term low, term high) {
  const value_type *t = a->target->parts[0]->type;
  term first = t->is_kept ? t->first : term_number(l->terms, t->low),
       last = t->is_kept ? t->last : term_number(l->terms, t->high);
  if (t->is_kept && !t->has_range) return;
  term outside = term_or(l->terms, term_lt(l->terms, low, first), term_gt(l->terms, high, last));
  lower_add_fault(l, term_and(l->terms, term_le(l->terms, low, high), outside), a->target);
}

/* forall i : low..high . a[i] := e; all elements are computed from the old state. */
static void lower_each(lowering *l, writer *w, const assignment *a) {
  const expression *array = a->target->parts[0];
  term low = lower_expression(l, a->each->low), high = lower_expression(l, a->each->high);
  add_each_fault(l, a, low, high);
  if (!array->type->is_kept) {
    write_each_cell(l, w, a, low, high);
    return;
  }
  access to;
  access_open(l, &to, array);
  quantifier q = {.is_map = true, .has_range = true, .low = low, .high = high, .at = a->target};
  q.mark = l->cells.at[to.first];
  q.start = value_so_far(l, w, q.mark);
  q.index = variable_fresh(l->terms, a->each->word->text, &(type){.sort = SORT_INT});
  a->each->symbol->value = term_of_variable(l->terms, q.index);
  VECTOR_PUSH(l->path, quantifier_range(l->terms, &q));
  q.body = lower_expression(l, a->value);
  l->path.count--;
  if (a->target->type->kind != VALUE_BOOL) step_range_fault(l, w, a, q.body, quantifier_range(l->terms, &q));
  variable v = q.mark;
  set_update(w, v, quantifiers_add(&l->quantifiers, l->terms, q));
  access_close(&to);
}

static void lower_place_update(lowering *l, writer *w, const assignment *a) {
  const family *f = a->target->symbol->family;
  size_t state;
  if (family_state(f, a->value->word, &state))
    set_update(w, l->cells.at[f->first_location], term_int(l->terms, (int64_t)state));
}

static void lower_assignment(lowering *l, writer *w, const assignment *a) {
  if (a->kind == ASSIGN_PLACE) {
    lower_place_update(l, w, a);
    return;
  }
  if (assignment_is_message(a)) {
    lower_message(l, w, a);
    return;
  }
  if (a->each) {
    lower_each(l, w, a);
    return;
  }
  if (type_is_compound(a->target->type)) {
    lower_whole_array(l, w, a);
    return;
  }
  access to;
  access_open(l, &to, a->target);
  term value = a->value ? lower_expression(l, a->value) : fresh_value(l, w, a);
  if (a->value && a->target->type->kind != VALUE_BOOL) step_range_fault(l, w, a, value, TERM_TRUE);
  if (!to.is_outside) step_write_cells(l, w, &to, 0, to.first, TERM_TRUE, value, a->target);
  access_close(&to);
}

/* ---- the heap ---- */

static bool is_heap_field(const expression *e) { return e->kind == EXPRESSION_FIELD && !e->symbol; }

/* A new node has any data: an input of its own for each field. */
static heap_command lower_new(lowering *l, writer *w, variable target) {
  const node_layout *layout = type_layout(variable_type(l->terms, target));
  terms *ts = l->terms;
  term value = term_int(ts, 0);
  for (size_t f = 0; f < layout->field_count; f++) {
    const node_field *field = &layout->fields[f];
    char *name = text_format("%s.%s", w->transition->name, field->name);
    type of = field->of;
    term data = term_of_variable(ts, transition_add_input(l->model, w->transition, name, &of));
    term part = of.sort == SORT_BOOL ? term_ite(ts, data, term_int(ts, 1), term_int(ts, 0))
                                     : term_sub(ts, data, term_number(ts, of.low));
    value = term_add(ts, value, term_mul(ts, term_int(ts, field->stride), part));
    memory_free(name);
  }
  return (heap_command){.kind = HEAP_NEW, .target = target, .value = value};
}

static heap_command lower_heap_value(lowering *l, writer *w, const assignment *a) {
  const expression *value = a->value;
  variable target = lower_node(l, a->target);
  if (expression_is_word(value, WORD_new)) return lower_new(l, w, target);
  if (expression_is_word(value, WORD_null)) return (heap_command){.kind = HEAP_CLEAR, .target = target};
  if (expression_is_word(value, WORD_free)) {
    lower_add_node_faults(l, target, false, a->target);
    return (heap_command){.kind = HEAP_FREE, .target = target};
  }
  if (!is_heap_field(value)) return (heap_command){.kind = HEAP_COPY, .target = target, .source = lower_node(l, value)};
  variable source = lower_node(l, value->parts[0]);
  lower_add_node_faults(l, source, false, value);
  return (heap_command){.kind = HEAP_NEXT, .target = target, .source = source, .field = (uint8_t)value->field->offset};
}

/* The position of a value in the type of a field, as a number. */
static term position_of(lowering *l, const value_type *t, term value) {
  if (t->kind != VALUE_BOOL) return term_sub(l->terms, value, term_number(l->terms, t->low));
  return term_ite(l->terms, value, term_int(l->terms, 1), term_int(l->terms, 0));
}

static heap_command lower_heap_field(lowering *l, writer *w, const assignment *a) {
  heap_command h = {.target = lower_node(l, a->target->parts[0]), .field = (uint8_t)a->target->field->offset};
  const value_type *t = a->target->type;
  term value = t->kind == VALUE_NODE ? TERM_TRUE : lower_expression(l, a->value);
  lower_add_node_faults(l, h.target, false, a->target);
  if (t->kind != VALUE_NODE) {
    if (t->kind != VALUE_BOOL) step_range_fault(l, w, a, value, TERM_TRUE);
    h.kind = HEAP_SET_DATA;
    h.value = position_of(l, t, value);
    return h;
  }
  h.kind = expression_is_word(a->value, WORD_null) ? HEAP_CUT_NEXT : HEAP_SET_NEXT;
  if (h.kind == HEAP_SET_NEXT) h.source = lower_node(l, a->value);
  return h;
}

static void lower_updates(lowering *l, writer *w, const assignments *list) {
  for (size_t i = 0; i < list->count && !l->exhausted; i++) {
    const assignment *a = &list->at[i];
    if (a->kind != ASSIGN_VALUE)
      lower_assignment(l, w, a);
    else if (is_heap_field(a->target))
      w->transition->heap = lower_heap_field(l, w, a);
    else if (a->target->type->kind == VALUE_NODE)
      w->transition->heap = lower_heap_value(l, w, a);
    else
      lower_assignment(l, w, a);
  }
}

/* ---- the step ---- */

/* A run-time error that the text states. */
static void add_stated_fault(lowering *l, transition *t, const lowered_step *s) {
  term when = term_and(l->terms, s->place_test, lower_condition(l, s->fails));
  char *excerpt = source_excerpt(l->reporter->source, s->fails->at, 60);
  transition_add_fault(l->model, t, when, excerpt, lower_place(l, s->fails->at));
  memory_free(excerpt);
}

/* True if the guard asks the process to be at some other place than the one the step starts from. */
static bool asks_for_another_place(const lowering *l, const lowered_step *s, term guard) {
  const terms *ts = l->terms;
  term_vector parts = {0};
  bool found = false;
  if (s->process == NO_PROCESS) return false;
  term_conjuncts(ts, guard, &parts);
  for (size_t i = 0; i < parts.count && !found; i++) {
    if (term_kind_of(ts, parts.at[i]) != TERM_EQ || term_is_negated(parts.at[i]) ||
        term_same(parts.at[i], s->place_test))
      continue;
    linear sum = term_linear(ts, term_argument(ts, parts.at[i], 0));
    found = sum.count == 1 && term_kind_of(ts, sum.leaves[0]) == TERM_INT_VARIABLE &&
            variable_same(term_variable(ts, sum.leaves[0]), s->location);
  }
  VECTOR_FREE(parts);
  return found;
}

void step_lower_guard(lowering *l, writer *w, const lowered_step *s) {
  transition *t = w->transition;
  l->faults = &w->faults;
  lower_inputs(l, t, s->inputs);
  term guard = s->guard ? lower_expression(l, s->guard) : TERM_TRUE;
  if (s->negate_guard) guard = term_not(guard);
  if (asks_for_another_place(l, s, guard)) guard = TERM_FALSE;
  if (s->evaluated) lower_expression(l, s->evaluated);
  if (s->updates) guard = term_and(l->terms, guard, messages_enabled(l, guard, s->updates));
  add_faults(l, t, &w->faults, s->place_test);
  t->guard = w->guard = term_and(l->terms, t->guard, term_and(l->terms, s->place_test, guard));
  l->faults = NULL;
}

void step_lower_updates(lowering *l, writer *w, const lowered_step *s) {
  l->faults = &w->faults;
  if (s->updates) lower_updates(l, w, s->updates);
  add_faults(l, w->transition, &w->faults, w->guard);
  if (s->has_target) transition_add_update(w->transition, s->location, term_int(l->terms, s->target));
  l->faults = NULL;
}

void step_close(writer *w) {
  VECTOR_FREE(w->faults);
  map_free(w->positions);
  map_free(w->elements);
}

void lower_step(lowering *l, const lowered_step *s) {
  if (!lowering_spend(l, INSTANCE_WORK, s->at.start)) return;
  if (l->scope->has_sync && handshake_keep(l, s)) return;
  transition *t = model_add_transition(l->model, s->name, s->process, s->place_test, lower_place(l, s->at));
  writer w = {.transition = t};
  t->statement = s->statement;
  t->depth = s->depth;
  step_lower_guard(l, &w, s);
  step_lower_updates(l, &w, s);
  if (l->scope->is_flat) t->faults.count = 0;
  if (s->fails) add_stated_fault(l, t, s);
  step_close(&w);
  /* A step that can never be taken belongs to no place any more. */
  if (term_is_false(t->guard)) t->process = NO_PROCESS;
}

void lower_add_condition(lowering *l, transition *t, term when) {
  t->guard = term_and(l->terms, t->guard, when);
  for (size_t i = 0; i < t->faults.count; i++) t->faults.at[i].when = term_and(l->terms, t->faults.at[i].when, when);
}

void lower_action(lowering *l, const command_tree *c) {
  lowered_step s = {.name = c->label->text,
                    .process = NO_PROCESS,
                    .place_test = TERM_TRUE,
                    .guard = c->guard,
                    .fails = c->fails,
                    .inputs = &c->inputs,
                    .updates = &c->updates,
                    .at = c->at};
  lower_step(l, &s);
}

static void lower_edge(lowering *l, const process_tree *p, const command_tree *c) {
  family *f = p->family;
  size_t from, to;
  family_state(f, c->from.word, &from);
  family_state(f, c->to.word, &to);
  uint32_t process = f->first_process + (uint32_t)f->copy;
  const char *owner = l->model->processes.at[process].name;
  char *name = c->label ? text_format("%s.%s", owner, c->label->text)
                        : text_format("%s.%s->%s", owner, c->from.word->text, c->to.word->text);
  variable location = l->cells.at[f->first_location + f->copy];
  term test = term_eq(l->terms, term_of_variable(l->terms, location), term_int(l->terms, (int64_t)from));
  lowered_step s = {.name = name,
                    .process = process,
                    .place_test = test,
                    .guard = c->guard,
                    .fails = c->fails,
                    .inputs = &c->inputs,
                    .updates = &c->updates,
                    .location = location,
                    .has_target = from != to,
                    .target = (int64_t)to,
                    .at = c->at};
  size_t before = l->model->transitions.count;
  for (size_t i = 0; i < p->atomic.count; i++)
    if (p->atomic.at[i].word == c->from.word) handshake_refuse_inside(l, &c->updates);
  lower_step(l, &s);
  for (size_t i = 0; i < p->atomic.count && l->model->transitions.count > before; i++)
    if (p->atomic.at[i].word == c->from.word)
      VECTOR_PUSH(l->inside, (inside_step){(uint32_t)before, process, !c->guard && !has_messages(&c->updates), test});
  memory_free(name);
}

void lower_edges(lowering *l, const process_tree *p) {
  for (size_t i = 0; i < p->commands.count && !l->exhausted; i++) lower_edge(l, p, p->commands.at[i]);
}
