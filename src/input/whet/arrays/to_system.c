/* Quantifiers of properties, cells of arrays at indices that never change, and what is left of the model. */
#include "input/whet/arrays/to_system.h"

#include "input/whet/arrays/positions.h"
#include "input/whet/arrays/signs.h"
#include "term/fold.h"
#include "term/print.h"

typedef struct fixed_cell {
  variable array, cell;
  term index;
} fixed_cell;

/* The array is this at the start. */
typedef struct start_value {
  variable array;
  term value;
} start_value;

typedef struct to_system {
  lowering *l;
  terms *ts;
  model *m;
  map *written;            /* arrays that some step changes */
  map *looked_into;        /* arrays of data that no step does, read at indices that change: they become sources */
  bool is_looking;         /* for these: nothing else is done */
  variable_vector sources; /* arrays of data that no step does, and that are read */
  VECTOR(fixed_cell) cells;
  VECTOR(start_value) starts;
  term_fold fold; /* to terms without arrays, but for sources */
} to_system;

static bool is_fine(const to_system *s) { return !s->l->reporter->out->errors && !s->l->exhausted; }

/* ---- names and places ---- */

uint32_t arrays_declared_at(const lowering *l, variable v) {
  char *name = memory_copy_string(variable_name(l->terms, v));
  name[strcspn(name, "[.")] = 0;
  const word *w = words_find(l->scope->words, name);
  memory_free(name);
  return w && w->meaning ? w->meaning->offset : 0;
}

static void refuse_at(const to_system *s, uint32_t offset, const char *why) {
  report_error(s->l->reporter, offset, "%s", why);
  report_hint(s->l->reporter, "without --without-arrays the model becomes Horn clauses, for walk, spacer and cells");
}

static void refuse(const to_system *s, variable array, const char *why) {
  char *message = text_format("the array `%s` %s", variable_name(s->ts, array), why);
  refuse_at(s, arrays_declared_at(s->l, array), message);
  memory_free(message);
}

/* With a number behind the name if it is taken. */
static variable add_named(to_system *s, TAKE char *name, const type *of, variable_role role) {
  variable taken;
  char *free_name = memory_copy_string(name);
  for (unsigned n = 2; variable_find(s->ts, free_name, &taken); n++) {
    memory_free(free_name);
    free_name = text_format("%s.%u", name, n);
  }
  variable made = model_add_variable(s->m, free_name, of, role, (place){0});
  memory_free(free_name);
  memory_free(name);
  return made;
}

/* ---- the model's formulas ---- */

static void add_part(model_parts *out, term *at, part_kind kind, variable target, const char *of, place place) {
  VECTOR_PUSH(*out, (model_part){at, kind, target, of, place});
}

static void add_hints(model_parts *out, term_vector *all) {
  for (size_t i = 0; i < all->count; i++) add_part(out, &all->at[i], PART_HINT, (variable){0}, "a hint", (place){0});
}

void model_parts_find(model *m, model_parts *out) {
  VECTOR_CLEAR(*out);
  add_part(out, &m->init, PART_START, (variable){0}, "the initial condition", (place){0});
  for (size_t i = 0; i < m->transitions.count; i++) {
    transition *t = &m->transitions.at[i];
    add_part(out, &t->guard, PART_TEST, (variable){0}, t->name, t->place);
    for (size_t j = 0; j < t->faults.count; j++)
      add_part(out, &t->faults.at[j].when, PART_TEST, (variable){0}, t->name, t->place);
    for (size_t j = 0; j < t->updates.count; j++)
      add_part(out, &t->updates.at[j].value, PART_VALUE, t->updates.at[j].var, t->name, t->place);
  }
  for (size_t i = 0; i < m->properties.count; i++)
    add_part(out, &m->properties.at[i].bad, PART_BAD, (variable){0}, m->properties.at[i].name,
             m->properties.at[i].place);
  add_hints(out, &m->predicates);
  add_hints(out, &m->lemmas);
  add_hints(out, &m->domain);
}

static bool is_array(const terms *ts, variable v) { return variable_type(ts, v)->sort == SORT_ARRAY; }

/* ---- quantifiers ---- */

/* Whether `bad` grows with the mark of `exists`, or shrinks with that of `forall`, and not the other way as well. */
static bool is_of_failure(const to_system *s, term bad, const quantifier *q) {
  term_signs signs = {0};
  unsigned found = 0;
  term mark = term_of_variable(s->ts, q->mark);
  term_signs_find(s->ts, bad, &signs);
  for (size_t i = 0; i < signs.terms.count; i++)
    if (signs.terms.at[i] == term_index(mark)) found = signs.signs.at[i];
  term_signs_clear(&signs);
  return found == (q->is_forall ? SIGN_SHRINKS : SIGN_GROWS);
}

/* A constant in place of the index. */
static void open_quantifier(to_system *s, property *p, quantifier q) {
  char *index = clause_variable_name(s->ts, q.index);
  variable k = add_named(s, text_format("%s.%s", p->name, index), &(type){.sort = SORT_INT}, ROLE_PARAMETER);
  memory_free(index);
  quantifier made = quantifiers_rename(&s->l->quantifiers, s->ts, q, k);
  term range = quantifier_range(s->ts, &made);
  term formula = q.is_forall ? term_implies(s->ts, range, made.body) : term_and(s->ts, range, made.body);
  p->bad = term_replace(s->ts, p->bad, q.mark, formula);
}

static void open_quantifiers(to_system *s) {
  for (size_t i = 0; i < s->m->properties.count; i++) {
    property *p = &s->m->properties.at[i];
    const quantifier *q;
    while ((q = quantifiers_first(&s->l->quantifiers, s->ts, 1, &p->bad))) {
      if (q->is_map || !is_of_failure(s, p->bad, q) || !lowering_spend(s->l, INSTANCE_WORK, q->at->at.start)) {
        refuse_at(s, q->at->at.start,
                  "with --without-arrays a property can say `forall`, and not `exists` or `forall` inside of it");
        return;
      }
      open_quantifier(s, p, *q);
    }
  }
}

static void refuse_other_quantifiers(to_system *s, const model_parts *parts) {
  for (size_t i = 0; i < parts->count; i++) {
    const quantifier *q = quantifiers_first(&s->l->quantifiers, s->ts, 1, parts->at[i].at);
    if (q)
      refuse_at(s, q->at->at.start,
                "with --without-arrays only properties have quantifiers over ranges that are not constant");
  }
}

/* ---- reading ---- */

/* Nothing in it ever changes. */
static bool is_fixed(const to_system *s, term index) {
  variable_vector all = {0};
  bool fixed = true;
  term_variables(s->ts, 1, &index, &all);
  for (size_t i = 0; i < all.count && fixed; i++) {
    size_t at = model_position(s->m, all.at[i]);
    fixed = at != SIZE_MAX && s->m->variables.at[at].role == ROLE_PARAMETER;
  }
  VECTOR_FREE(all);
  return fixed;
}

static bool is_source(const to_system *s, variable array) { return map_get(s->looked_into, array.x, NULL); }

static void look_into(to_system *s, variable array, term index) {
  const type *t = variable_type(s->ts, array);
  bool can_be = t->data && !t->nesting && model_is_state_variable(s->m, array) && !map_get(s->written, array.x, NULL);
  if (can_be && !is_fixed(s, index)) map_set(s->looked_into, array.x, 1);
}

static term read_source(to_system *s, variable array, term index) {
  bool known = false;
  for (size_t i = 0; i < s->sources.count; i++) known |= variable_same(s->sources.at[i], array);
  if (!known) VECTOR_PUSH(s->sources, array);
  return term_select(s->ts, term_of_variable(s->ts, array), index);
}

static term read_cell(to_system *s, variable array, term index) {
  for (size_t i = 0; i < s->cells.count; i++)
    if (variable_same(s->cells.at[i].array, array) && term_same(s->cells.at[i].index, index))
      return term_of_variable(s->ts, s->cells.at[i].cell);
  type of = type_of_element(variable_type(s->ts, array));
  text name = {0};
  text_add(&name, "%s[", variable_name(s->ts, array));
  term_print(s->ts, index, &name);
  text_add(&name, "]");
  size_t at = model_position(s->m, array);
  bool is_written = map_get(s->written, array.x, NULL);
  variable cell = add_named(s, text_give(&name), &of, is_written ? s->m->variables.at[at].role : ROLE_PARAMETER);
  VECTOR_PUSH(s->cells, (fixed_cell){array, cell, index});
  return term_of_variable(s->ts, cell);
}

static term of_sort(to_system *s, variable array) {
  return type_of_element(variable_type(s->ts, array)).sort == SORT_BOOL ? TERM_FALSE : term_int(s->ts, 0);
}

/* What `a[index]` is, of a term whose parts the fold knows. */
static term read_array(to_system *s, const term_fold *f, term a, term index) {
  terms *ts = s->ts;
  if (!lowering_spend(s->l, 1, 0)) return term_int(ts, 0);
  switch (term_kind_of(ts, a)) {
    case TERM_STORE: {
      term otherwise = read_array(s, f, term_argument(ts, a, 0), index);
      return term_ite(ts, term_eq(ts, index, fold_term(f, term_argument(ts, a, 1))),
                      fold_term(f, term_argument(ts, a, 2)), otherwise);
    }
    case TERM_ARRAY_ITE: {
      term then = read_array(s, f, term_argument(ts, a, 1), index),
           otherwise = read_array(s, f, term_argument(ts, a, 2), index);
      return term_ite(ts, fold_term(f, term_argument(ts, a, 0)), then, otherwise);
    }
    case TERM_CONSTANT_ARRAY: return fold_term(f, term_argument(ts, a, 0));
    default: break;
  }
  variable array = term_variable(ts, a);
  if (s->is_looking) {
    look_into(s, array, index);
    return of_sort(s, array);
  }
  if (!model_is_state_variable(s->m, array)) {
    refuse_at(s, 0, "with --without-arrays no step gives all elements of an array any values");
    return of_sort(s, array);
  }
  if (is_source(s, array)) return read_source(s, array, index);
  if (is_fixed(s, index)) return read_cell(s, array, index);
  refuse(s, array, "is read at an index that changes, and it does not hold data of a `type` that no step writes");
  return of_sort(s, array);
}

static void rule(const term_fold *f, term t, void *out) {
  to_system *s = f->context;
  term_kind kind = term_kind_of(s->ts, t);
  if (kind == TERM_SELECT || kind == TERM_BOOL_SELECT)
    *(term *)out = read_array(s, f, term_argument(s->ts, t, 0), fold_term(f, term_argument(s->ts, t, 1)));
  else
    *(term *)out = kind_is_array(kind) || kind == TERM_ARRAY_SAME ? TERM_TRUE : fold_rebuilt(f, s->ts, t);
}

static bool is_nested_read(const terms *ts, term t, const void *context) {
  (void)context;
  return term_kind_of(ts, t) == TERM_ARRAY_SELECT;
}

static bool is_comparison(const terms *ts, term t, const void *context) {
  (void)context;
  return term_kind_of(ts, t) == TERM_ARRAY_SAME;
}

static term without_arrays(to_system *s, term t) {
  term_fold_value(&s->fold, t);
  return fold_term(&s->fold, t);
}

/* Which arrays become sources. */
static void find_sources(to_system *s, const model_parts *parts) {
  s->is_looking = true;
  for (size_t i = 0; i < parts->count && is_fine(s); i++) term_fold_value(&s->fold, *parts->at[i].at);
  s->is_looking = false;
  term_fold_clear(&s->fold);
}

/* ---- the start ---- */

/* `a = v everywhere` is taken out of the initial condition. */
static void take_starts(to_system *s) {
  term_vector all = {0};
  term rest = TERM_TRUE;
  term_conjuncts(s->ts, s->m->init, &all);
  for (size_t i = 0; i < all.count; i++) {
    term same = all.at[i];
    bool taken = false;
    for (size_t k = 0; k < 2 && !taken && term_kind_of(s->ts, same) == TERM_ARRAY_SAME && !term_is_negated(same); k++) {
      term a = term_argument(s->ts, same, k), value = term_argument(s->ts, same, 1 - k);
      taken = term_kind_of(s->ts, a) == TERM_ARRAY_VARIABLE && term_kind_of(s->ts, value) == TERM_CONSTANT_ARRAY &&
              !is_source(s, term_variable(s->ts, a));
      if (taken) VECTOR_PUSH(s->starts, (start_value){term_variable(s->ts, a), value});
    }
    if (!taken) rest = term_and(s->ts, rest, same);
  }
  VECTOR_FREE(all);
  s->m->init = rest;
}

/* What the cells are at the start: of their types, what the array was, and equal if they are the same. */
static term start_of_cells(to_system *s) {
  terms *ts = s->ts;
  term start = TERM_TRUE;
  for (size_t i = 0; i < s->cells.count; i++) {
    const fixed_cell c = s->cells.at[i];
    term here = term_of_variable(ts, c.cell);
    start = term_and(ts, start, variable_in_type(ts, c.cell));
    for (size_t j = 0; j < s->starts.count; j++) {
      if (!variable_same(s->starts.at[j].array, c.array)) continue;
      term_fold_value(&s->fold, s->starts.at[j].value);
      start = term_and(ts, start, term_eq(ts, here, read_array(s, &s->fold, s->starts.at[j].value, c.index)));
    }
    for (size_t j = 0; j < i; j++)
      if (variable_same(s->cells.at[j].array, c.array))
        start = term_and(ts, start,
                         term_implies(ts, term_eq(ts, s->cells.at[j].index, c.index),
                                      term_eq(ts, term_of_variable(ts, s->cells.at[j].cell), here)));
  }
  return start;
}

/* ---- steps ---- */

static void find_written(to_system *s) {
  for (size_t i = 0; i < s->m->transitions.count; i++) {
    const transition *t = &s->m->transitions.at[i];
    for (size_t j = 0; j < t->updates.count; j++)
      if (is_array(s->ts, t->updates.at[j].var)) map_set(s->written, t->updates.at[j].var.x, 1);
  }
}

static bool find_update(const transition *t, variable v, term *value) {
  for (size_t i = 0; i < t->updates.count; i++) {
    *value = t->updates.at[i].value;
    if (variable_same(t->updates.at[i].var, v)) return true;
  }
  return false;
}

/* Before those that clear what a call leaves behind. */
static void insert_update(transition *t, variable v, term value) {
  transition_add_update(t, v, value);
  for (size_t i = t->updates.count - 1, k = 0; k < t->resets; k++, i--) {
    update last = t->updates.at[i];
    t->updates.at[i] = t->updates.at[i - 1];
    t->updates.at[i - 1] = last;
  }
}

/* Of one cell, in all steps; that may need others. */
static void add_updates(to_system *s, fixed_cell c) {
  for (size_t i = 0; i < s->m->transitions.count; i++) {
    term array;
    if (!find_update(&s->m->transitions.at[i], c.array, &array)) continue;
    term_fold_value(&s->fold, array);
    term value = read_array(s, &s->fold, array, c.index);
    if (!term_same(value, term_of_variable(s->ts, c.cell))) insert_update(&s->m->transitions.at[i], c.cell, value);
  }
}

static void drop_updates_of_arrays(const to_system *s, transition *t) {
  size_t kept = 0, first_reset = t->updates.count - t->resets;
  for (size_t i = 0; i < t->updates.count; i++) {
    if (!is_array(s->ts, t->updates.at[i].var))
      t->updates.at[kept++] = t->updates.at[i];
    else if (i >= first_reset)
      t->resets--;
  }
  t->updates.count = kept;
}

static void drop_arrays(to_system *s) {
  VECTOR(state_variable) all = {0};
  VECTOR_COPY(all, s->m->variables);
  VECTOR_CLEAR(s->m->variables);
  map_clear(s->m->positions);
  for (size_t i = 0; i < all.count; i++)
    if (!is_array(s->ts, all.at[i].var)) model_adopt_variable(s->m, all.at[i]);
  VECTOR_FREE(all);
}

/* Names of expressions with arrays in them mean nothing any more. */
static void drop_definitions(to_system *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->m->definitions.count; i++) {
    variable_vector all = {0};
    bool has_array = quantifiers_first(&s->l->quantifiers, s->ts, 1, &s->m->definitions.at[i].value);
    term_variables(s->ts, 1, &s->m->definitions.at[i].value, &all);
    for (size_t j = 0; j < all.count; j++) has_array |= is_array(s->ts, all.at[j]);
    if (!has_array) s->m->definitions.at[kept++] = s->m->definitions.at[i];
    VECTOR_FREE(all);
  }
  s->m->definitions.count = kept;
}

/* ---- all of it ---- */

static void refuse_parts(to_system *s, const model_parts *parts, term_test *has, const char *what) {
  for (size_t i = 0; i < parts->count && is_fine(s); i++) {
    const model_part *p = &parts->at[i];
    if (!term_any(s->ts, 1, p->at, has, NULL)) continue;
    char *message = text_format("with --without-arrays %s: `%s`", what, p->of);
    refuse_at(s, source_offset(s->l->reporter->source, p->place), message);
    memory_free(message);
  }
}

static void refuse_nested(to_system *s, const model_parts *parts) {
  refuse_parts(s, parts, is_nested_read, "there are no arrays of arrays");
}

static void refuse_comparisons(to_system *s, const model_parts *parts) {
  refuse_parts(s, parts, is_comparison, "arrays are not compared as a whole");
}

static void remove_arrays(to_system *s, model_parts *parts) {
  for (size_t i = 0; i < parts->count && is_fine(s); i++) {
    const model_part *p = &parts->at[i];
    bool is_whole = p->kind == PART_VALUE && is_array(s->ts, p->target);
    if (!is_whole) *p->at = without_arrays(s, *p->at);
  }
  for (size_t i = 0; i < s->cells.count && is_fine(s); i++) add_updates(s, s->cells.at[i]);
  if (!is_fine(s)) return;
  for (size_t i = 0; i < s->m->transitions.count; i++) drop_updates_of_arrays(s, &s->m->transitions.at[i]);
  model_parts_find(s->m, parts);
  if (s->sources.count && !positions_put(s->l, parts, &s->sources)) return;
  s->m->init = term_and(s->ts, s->m->init, start_of_cells(s));
  drop_arrays(s);
  drop_definitions(s);
}

void arrays_to_system(lowering *l) {
  to_system s = {.l = l, .ts = l->terms, .m = l->model, .written = map_new(), .looked_into = map_new()};
  model_parts parts = {0};
  s.fold = (term_fold){.ts = l->terms, .size = sizeof(term), .rule = rule, .context = &s};
  find_written(&s);
  open_quantifiers(&s);
  model_parts_find(l->model, &parts);
  if (is_fine(&s)) refuse_other_quantifiers(&s, &parts);
  if (is_fine(&s)) refuse_nested(&s, &parts);
  if (is_fine(&s)) find_sources(&s, &parts);
  if (is_fine(&s)) take_starts(&s);
  if (is_fine(&s)) refuse_comparisons(&s, &parts);
  if (is_fine(&s)) remove_arrays(&s, &parts);
  VECTOR_FREE(parts);
  VECTOR_FREE(s.sources);
  VECTOR_FREE(s.cells);
  VECTOR_FREE(s.starts);
  map_free(s.written);
  map_free(s.looked_into);
  term_fold_close(&s.fold);
}
