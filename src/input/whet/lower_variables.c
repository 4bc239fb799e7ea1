/* Types and variables. */
#include "input/whet/channels/channel.h"
#include "term/heap/node_layout.h"

enum { CELL_LIMIT = 1000000 };

/* How many of its indices are those of arrays that are kept. */
static unsigned kept_indices(const value_type *t) {
  return t->kind == VALUE_ARRAY ? t->is_kept + kept_indices(t->element) : 0;
}

/* Where the fields of a record are. */
static bool lower_fields(lowering *l, value_type *t) {
  t->cells = 0;
  for (size_t i = 0; i < t->record->count; i++) {
    record_field *f = &t->record->fields[i];
    f->offset = t->cells;
    t->cells += f->type->cells;
    if (t->cells <= CELL_LIMIT) continue;
    report_error(l->reporter, t->record->symbol->offset, "the record has more than %d elements", CELL_LIMIT);
    return false;
  }
  return true;
}

static bool lower_bounds(lowering *l, value_type *t) {
  const type_tree *tree = t->tree;
  int64_t first;
  size_t count;
  if (t->kind == VALUE_INT) {
    pending_faults none = {0}, *before = l->faults;
    l->faults = &none;
    term low = lower_expression(l, tree->low), high = lower_expression(l, tree->high);
    l->faults = before;
    bool constant = !none.count && term_is_number(l->terms, low, &t->low) && term_is_number(l->terms, high, &t->high);
    VECTOR_FREE(none);
    t->has_low = t->has_high = true;
    if (!constant)
      report_error(l->reporter, tree->at.start, "division by zero in a range");
    else if (number_compare(t->low, t->high) > 0)
      report_error(l->reporter, tree->at.start, "this range is empty");
    return constant;
  }
  if (t->is_long) {
    t->is_kept = l->keeps_arrays = true;
    t->has_range = tree->low;
    t->cells = t->element->cells;
    return true;
  }
  if (t->kind == VALUE_RECORD) return lower_fields(l, t);
  if (!lower_range(l, tree->low, tree->high, "the index range of the array", &first, &count)) return false;
  t->low = number_of(first);
  t->high = number_of(first + (int64_t)(count - 1));
  t->has_low = t->has_high = true;
  if (count > l->kept_above && !t->in_record && kept_indices(t->element) <= MOST_NESTING) {
    t->is_kept = t->has_range = l->keeps_arrays = true;
    t->cells = t->element->cells;
    return true;
  }
  if (t->element->cells > CELL_LIMIT / count) {
    report_error(l->reporter, tree->at.start, "the array has more than %d elements", CELL_LIMIT);
    return false;
  }
  t->cells = count * t->element->cells;
  return true;
}

bool lower_types(lowering *l) {
  bool fine = true;
  for (size_t i = 0; i < l->scope->types.count; i++) fine &= lower_bounds(l, l->scope->types.at[i]);
  return fine;
}

void lower_kept_bounds(lowering *l) {
  for (size_t i = 0; i < l->scope->types.count; i++) {
    value_type *t = l->scope->types.at[i];
    if (t->kind != VALUE_ARRAY || !t->is_kept || !t->has_range) continue;
    t->first = lower_condition(l, t->tree->low);
    t->last = lower_condition(l, t->tree->high);
  }
}

term lower_cell_value(lowering *l, variable v, term value) {
  const type *t = variable_type(l->terms, v);
  for (unsigned i = 0; t->sort == SORT_ARRAY && i <= t->nesting; i++)
    value = term_constant_array(l->terms, t->element, value);
  return value;
}

static void copy_names(lowering *l, enumeration_type *e) {
  if (e->names) return;
  const char **copies = arena_alloc(terms_arena(l->terms), e->count * sizeof(*copies));
  for (size_t i = 0; i < e->count; i++) copies[i] = arena_copy_string(terms_arena(l->terms), e->values[i]->text);
  e->names = copies;
}

type lower_type(lowering *l, const value_type *t) {
  static const sort sorts[] = {[VALUE_BOOL] = SORT_BOOL,       [VALUE_INT] = SORT_INT,   [VALUE_REAL] = SORT_REAL,
                               [VALUE_ENUMERATION] = SORT_INT, [VALUE_NODE] = SORT_NODE, [VALUE_DATA] = SORT_INT};
  type made = {.sort = sorts[t->kind]};
  if (made.sort == SORT_NODE) made.layout = l->layout;
  if (made.sort != SORT_INT) return made;
  if (t->kind == VALUE_DATA) made.data = arena_copy_string(terms_arena(l->terms), t->data->word->text);
  made.has_low = t->has_low;
  made.has_high = t->has_high;
  made.low = t->low;
  made.high = t->high;
  if (t->kind != VALUE_ENUMERATION) return made;
  copy_names(l, t->enumeration);
  made.names = t->enumeration->names;
  made.name_count = t->enumeration->count;
  return made;
}

static void add_node_data(lowering *l, node_layout *made, const record_field *from) {
  uint32_t at = from->tree->type->at.start;
  if (made->field_count == NODE_MOST_FIELDS) {
    report_error(l->reporter, at, "nodes have at most %d fields of data", NODE_MOST_FIELDS);
    return;
  }
  node_field *field = &made->fields[made->field_count++];
  *field = (node_field){.name = arena_copy_string(terms_arena(l->terms), from->word->text), .size = 2};
  field->of = lower_type(l, from->type);
  int64_t more = 1;
  bool fits = field->of.sort == SORT_BOOL || number_to_int64(number_sub(field->of.high, field->of.low), &more);
  if (!fits || more < 0 || (uint64_t)more >= NODE_MOST_VALUES ||
      made->values * (uint64_t)(more + 1) > NODE_MOST_VALUES) {
    report_error(l->reporter, at, "the data of a node have more than %d values together", NODE_MOST_VALUES);
    report_hint(l->reporter, "smaller ranges and enumerations are possible");
    more = 0;
  }
  field->size = (unsigned)more + 1;
  field->stride = made->values;
  made->values *= field->size;
}

void lower_node_layout(lowering *l) {
  const record_type *r = l->scope->nodes;
  if (!r) return;
  node_layout *made = arena_alloc(terms_arena(l->terms), sizeof *made);
  *made = (node_layout){.values = 1};
  for (size_t i = 0; i < r->count; i++) {
    if (r->fields[i].type->kind != VALUE_NODE) {
      add_node_data(l, made, &r->fields[i]);
      continue;
    }
    if (made->pointer_count == NODE_MOST_POINTERS) {
      report_error(l->reporter, r->fields[i].tree->type->at.start, "nodes have at most %d fields that are nodes",
                   NODE_MOST_POINTERS);
      return;
    }
    made->pointers[made->pointer_count++] = arena_copy_string(terms_arena(l->terms), r->fields[i].word->text);
  }
  l->layout = made;
}

typedef struct cell_maker {
  variable_role role;
  place place;
  uint32_t offset;
  size_t next; /* cell */
  bool is_local;
} cell_maker;

/* That of a scalar, or of an array of such with so many indices. */
static type cell_type(lowering *l, const value_type *t, unsigned indices) {
  type of = lower_type(l, t);
  if (!indices) return of;
  of.element = of.sort;
  of.sort = SORT_ARRAY;
  of.nesting = (uint8_t)(indices - 1);
  return of;
}

/* One variable, or those of all elements: a[1][1], a[1][2], ..; with `indices`, each holds an array that has so many. */
static void add_cells(lowering *l, cell_maker *c, text *name, const value_type *t, unsigned indices) {
  variable taken;
  if (t->kind == VALUE_ARRAY && t->is_kept) {
    if (type_is_compound(t->element) && !t->element->is_kept) text_add(name, "[..]");
    add_cells(l, c, name, t->element, indices + 1);
  } else if (t->kind == VALUE_RECORD) {
    size_t length = name->count;
    for (size_t i = 0; i < t->record->count && !l->exhausted; i++) {
      text_add(name, ".%s", t->record->fields[i].word->text);
      add_cells(l, c, name, t->record->fields[i].type, indices);
      name->count = length;
      name->at[length] = 0;
    }
  } else if (t->kind == VALUE_ARRAY) {
    int64_t low;
    number_to_int64(t->low, &low);
    size_t length = name->count;
    for (size_t i = 0; i < type_array_length(t) && !l->exhausted; i++) {
      text_add(name, "[%lld]", (long long)(low + (int64_t)i));
      add_cells(l, c, name, t->element, indices);
      name->count = length;
      name->at[length] = 0;
    }
  } else if (c->is_local && lowering_spend(l, 1, c->offset)) {
    type of = cell_type(l, t, indices);
    l->cells.at[c->next++] = variable_fresh(l->terms, text_string(name), &of);
  } else if (variable_find(l->terms, text_string(name), &taken)) {
    report_error(l->reporter, c->offset, "there are two variables called `%s`", text_string(name));
  } else if (lowering_spend(l, 1, c->offset)) {
    type of = cell_type(l, t, indices);
    l->model->has_heap |= of.sort == SORT_NODE;
    l->cells.at[c->next++] = model_add_variable(l->model, text_string(name), &of, c->role, c->place);
  }
}

size_t lower_reserve(lowering *l, size_t cells, uint32_t offset) {
  size_t first = l->cells.count;
  if (cells > CELL_LIMIT - first) {
    report_error(l->reporter, offset, "the model has more than %d variables", CELL_LIMIT);
    l->exhausted = true;
    return first;
  }
  VECTOR_RESERVE(l->cells, first + cells);
  l->cells.count += cells;
  return first;
}

void lower_variables(lowering *l, const variables_tree *v, variable_role role, const char *prefix, size_t copy) {
  for (size_t i = 0; i < v->names.count && !l->exhausted; i++) {
    symbol *s = v->names.at[i].symbol;
    size_t copies = s->family ? s->family->copies : 1;
    if (copy == 0) s->first_cell = lower_reserve(l, copies * s->type->cells, s->offset);
    if (l->exhausted) return;
    text name = {0};
    text_add(&name, "%s%s", prefix, s->word->text);
    cell_maker c = {.role = role,
                    .place = lower_place(l, v->names.at[i].at),
                    .offset = s->offset,
                    .next = s->first_cell + copy * s->type->cells};
    size_t before = c.next;
    add_cells(l, &c, &name, s->type, 0);
    if (v->is_clock && c.next > before) VECTOR_PUSH(l->clocks, l->cells.at[before]);
    text_clear(&name);
  }
}

void lower_local_symbol(lowering *l, symbol *s) {
  s->first_cell = lower_reserve(l, s->type->cells, s->offset);
  if (l->exhausted) return;
  text name = {0};
  text_add(&name, "%s", s->word->text);
  cell_maker c = {.offset = s->offset, .next = s->first_cell, .is_local = true};
  add_cells(l, &c, &name, s->type, 0);
  text_clear(&name);
}

void lower_local_variables(lowering *l, const variables_tree *v) {
  for (size_t i = 0; i < v->names.count && !l->exhausted; i++) lower_local_symbol(l, v->names.at[i].symbol);
}

static void report_initial(lowering *l, const variables_tree *v, number n) {
  char *initial = number_string(n), *range = source_excerpt(l->reporter->source, v->type->at, 40);
  report_error(l->reporter, v->value->at.start, "the initial value %s is outside %s", initial, range);
  memory_free(initial);
  memory_free(range);
}

static void lower_initial_at(lowering *l, const variables_tree *v, const value_type *whole, size_t first);

/* What holds of one variable in every initial state. */
static void add_initial(lowering *l, variable v, const value_type *t, const term *value) {
  bool is_fixed = value && (t->kind == VALUE_BOOL || term_is_number(l->terms, *value, NULL));
  if (t->kind == VALUE_NODE)
    VECTOR_PUSH(l->init, term_heap_null(l->terms, v));
  else if (value)
    VECTOR_PUSH(l->init, term_eq(l->terms, term_of_variable(l->terms, v), lower_cell_value(l, v, *value)));
  if (!is_fixed) VECTOR_PUSH(l->init, variable_in_type(l->terms, v));
}

/* The fields of records have initial values of their own. */
static void lower_record_initial(lowering *l, const value_type *t, size_t first) {
  size_t elements = t->kind == VALUE_ARRAY && !t->is_kept ? type_array_length(t) : 1;
  if (t->kind == VALUE_ARRAY) {
    for (size_t i = 0; i < elements && lowering_spend(l, 1, 0); i++)
      lower_record_initial(l, t->element, first + i * t->element->cells);
    return;
  }
  size_t used = channel_is_endless(t) ? 1 + t->record->message->cells : t->cells;
  for (size_t i = 1; type_is_channel(t) && i < used; i++) { /* unused places of a channel */
    variable v = l->cells.at[first + i];
    VECTOR_PUSH(l->init, term_eq(l->terms, term_of_variable(l->terms, v), channel_default(l, v)));
  }
  for (size_t i = 0; i < t->record->count; i++)
    if (!type_is_channel(t) || i != 1) /* the messages */
      lower_initial_at(l, t->record->fields[i].tree, t->record->fields[i].type, first + t->record->fields[i].offset);
}

void lower_initial(lowering *l, const variables_tree *v, size_t copy) {
  for (size_t i = 0; i < v->names.count; i++) {
    const symbol *s = v->names.at[i].symbol;
    lower_initial_at(l, v, s->type, s->first_cell + copy * s->type->cells);
  }
}

static void lower_initial_at(lowering *l, const variables_tree *v, const value_type *whole, size_t first) {
  const value_type *t = whole;
  while (t->kind == VALUE_ARRAY) t = t->element;
  if (t->kind == VALUE_RECORD) {
    lower_record_initial(l, whole, first);
    return;
  }
  bool has_value = v->value && t->kind != VALUE_NODE;
  term value = has_value ? lower_condition(l, v->value) : TERM_TRUE;
  number n;
  if (has_value && t->kind != VALUE_BOOL && term_is_number(l->terms, value, &n)) {
    bool outside = (t->has_low && number_compare(n, t->low) < 0) || (t->has_high && number_compare(n, t->high) > 0);
    if (outside) report_initial(l, v, n);
  }
  for (size_t j = 0; j < whole->cells; j++) add_initial(l, l->cells.at[first + j], t, has_value ? &value : NULL);
}
