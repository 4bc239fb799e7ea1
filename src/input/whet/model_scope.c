/* A scope from a model: the names of variables and processes are taken apart again. */
#include "input/whet/model_scope.h"

#include "term/heap/node_layout.h"

/* "P[2].a[-1]" is P, [2], .a, [-1]. */
typedef struct name_parts {
  char *stem;    /* the first identifier */
  bool has_copy; /* [2] before a dot, or at the end of the name of a process */
  int64_t copy;
  char *field; /* NULL: none */
  VECTOR(int64_t) indices;
} name_parts;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static GIVE char *read_identifier(const char **at) {
  const char *start = *at;
  if (!is_letter(*start)) return NULL;
  while (is_letter(**at) || is_digit(**at) || **at == '\'') ++*at;
  return memory_copy_bytes(start, (size_t)(*at - start));
}

static bool read_index(const char **at, int64_t *out) {
  const char *start = *at + 1, *end = start + (*start == '-');
  number n;
  while (is_digit(*end)) end++;
  if (*end != ']' || !number_parse(start, (size_t)(end - start), &n) || !number_to_int64(n, out)) return false;
  *at = end + 1;
  return true;
}

static void invariant_index_free(name_parts *p) {
  memory_free(p->stem);
  memory_free(p->field);
  VECTOR_FREE(p->indices);
}

/* False if the name is of another form; it is then known by its full name only. */
static bool split_name(const char *name, name_parts *p) {
  *p = (name_parts){0};
  p->stem = read_identifier(&name);
  bool fine = p->stem;
  while (fine && *name) {
    int64_t index;
    if (*name == '[' && read_index(&name, &index)) {
      VECTOR_PUSH(p->indices, index);
    } else if (*name == '.' && !p->field && p->indices.count <= 1) {
      name++;
      p->field = read_identifier(&name);
      fine = p->field;
      p->has_copy = p->indices.count == 1;
      if (p->has_copy) p->copy = VECTOR_POP(p->indices);
    } else {
      fine = false;
    }
  }
  return fine;
}

/* What has one stem (and field): the elements of an array over all copies. */
typedef struct group {
  char *key; /* "stem" or "stem.field" */
  family *family;
  VECTOR(size_t) members; /* positions in the model's variables */
} group;

typedef struct builder {
  lowering *lowering;
  scope *scope;
  const model *model;
  names *index; /* key -> position in `groups` */
  VECTOR(group) groups;
} builder;

static const value_type *value_type_for(builder *b, const type *t) {
  if (t->sort == SORT_BOOL) return &value_bool;
  if (t->sort == SORT_REAL) return &value_real;
  if (t->sort == SORT_NODE) return &value_node;
  value_type *made = arena_alloc(b->scope->arena, sizeof(value_type));
  *made = (value_type){
      .kind = VALUE_INT, .has_low = t->has_low, .has_high = t->has_high, .low = t->low, .high = t->high, .cells = 1};
  return made;
}

/* The fields of nodes, if the model was read with some of its own. */
static void add_node_fields(builder *b) {
  const node_layout *l = b->model->nodes;
  b->scope->frees = b->model->frees;
  if (!l || l == &node_layout_default) return;
  record_type *r = arena_alloc(b->scope->arena, sizeof *r);
  *r = (record_type){.progress = PROGRESS_DONE};
  r->fields = arena_alloc(b->scope->arena, (NODE_MOST_POINTERS + NODE_MOST_FIELDS) * sizeof *r->fields);
  for (size_t f = 0; f < l->pointer_count; f++)
    r->fields[r->count++] =
        (record_field){.word = words_make(b->scope->words, l->pointers[f]), .type = &value_node, .offset = f};
  for (size_t f = 0; f < l->field_count; f++)
    r->fields[r->count++] = (record_field){.word = words_make(b->scope->words, l->fields[f].name),
                                           .type = value_type_for(b, &l->fields[f].of),
                                           .offset = f};
  b->scope->nodes = r;
}

static symbol *add_symbol(builder *b, symbol_kind kind, const char *name) {
  word *w = words_make(b->scope->words, name);
  return w->meaning ? NULL : scope_add(b->scope, kind, w, 0);
}

static symbol_kind kind_of(const state_variable *v) {
  return v->role == ROLE_PARAMETER ? SYMBOL_PARAMETER : SYMBOL_VARIABLE;
}

/* ---- families ---- */

static family *find_family(builder *b, const char *stem) {
  const word *w = words_find(b->scope->words, stem);
  return w && w->meaning && w->meaning->kind == SYMBOL_PROCESS ? w->meaning->family : NULL;
}

static family *add_family(builder *b, const char *name, const type *places) {
  symbol *s = add_symbol(b, SYMBOL_PROCESS, name);
  if (!s) return NULL;
  family *f = arena_alloc(b->scope->arena, sizeof(family));
  *f = (family){.word = s->word, .symbol = s, .members = map_new(), .states = map_new(), .copies = 1};
  VECTOR_PUSH(b->scope->families, f);
  s->family = f;
  for (size_t i = 0; i < places->name_count; i++) {
    word *w = words_make(b->scope->words, places->names[i]);
    map_set(f->states, (uint64_t)(uintptr_t)w, i);
    VECTOR_PUSH(f->state_words, w);
  }
  return f;
}

/* P[1], P[2], ..: one family if the copies follow each other; every copy is known by its full name in any case. */
static void add_processes(builder *b) {
  const model *m = b->model;
  for (size_t i = 0; i < m->processes.count; i++) {
    const process *p = &m->processes.at[i];
    const type *places = variable_type(m->terms, p->location);
    size_t cell = lower_reserve(b->lowering, 1, 0);
    b->lowering->cells.at[cell] = p->location;
    family *single = add_family(b, p->name, places);
    if (single) single->first_location = cell;
    name_parts parts;
    bool split = split_name(p->name, &parts) && !parts.field && parts.indices.count == 1;
    family *f = split ? find_family(b, parts.stem) : NULL;
    if (f && f->is_replicated && (uint64_t)f->low + f->copies == (uint64_t)parts.indices.at[0] &&
        f->first_location + f->copies == cell) {
      f->copies++;
    } else if (split && !f && (f = add_family(b, parts.stem, places))) {
      f->is_replicated = true;
      f->low = parts.indices.at[0];
      f->first_location = cell;
    }
    invariant_index_free(&parts);
  }
}

/* ---- variables ---- */

static void add_to_group(builder *b, const name_parts *parts, family *f, size_t position) {
  char *key = parts->field ? text_format("%s.%s", parts->stem, parts->field) : memory_copy_string(parts->stem);
  uint64_t at;
  if (!names_get(b->index, key, &at)) {
    at = b->groups.count;
    names_set(b->index, key, at);
    VECTOR_PUSH(b->groups, (group){.key = memory_copy_string(key), .family = f});
  }
  VECTOR_PUSH(b->groups.at[at].members, position);
  memory_free(key);
}

/* Every variable by its full name, and those that may be elements or members in groups. */
static void add_variables(builder *b) {
  const model *m = b->model;
  for (size_t i = 0; i < m->variables.count; i++) {
    const state_variable *v = &m->variables.at[i];
    if (v->role == ROLE_LOCATION) continue;
    symbol *s = add_symbol(b, kind_of(v), variable_name(m->terms, v->var));
    if (s) {
      s->type = value_type_for(b, variable_type(b->model->terms, v->var));
      s->first_cell = lower_reserve(b->lowering, 1, 0);
      b->lowering->cells.at[s->first_cell] = v->var;
    }
    name_parts parts;
    if (split_name(variable_name(m->terms, v->var), &parts) && (parts.field || parts.indices.count)) {
      family *f = parts.field ? find_family(b, parts.stem) : NULL;
      if (!parts.field || f) add_to_group(b, &parts, f, i);
    }
    invariant_index_free(&parts);
  }
}

typedef VECTOR(int64_t) numbers;

/* The numbers in the name of a variable, copy first: P[2].a[1][3] has 2, 1, 3. */
static void numbers_of_variable(const builder *b, size_t position, numbers *out) {
  name_parts p;
  VECTOR_CLEAR(*out);
  split_name(variable_name(b->model->terms, b->model->variables.at[position].var), &p);
  if (p.has_copy) VECTOR_PUSH(*out, p.copy);
  for (size_t i = 0; i < p.indices.count; i++) VECTOR_PUSH(*out, p.indices.at[i]);
  invariant_index_free(&p);
}

/* From the first and the last element, the ranges of all numbers; false if the elements between do not fill them in
 * order. */
static bool fills_box(builder *b, const group *g, const numbers *low, const numbers *high) {
  numbers expected = {0}, found = {0};
  bool fine = low->count == high->count;
  for (size_t i = 0; i < low->count; i++) VECTOR_PUSH(expected, low->at[i]);
  for (size_t i = 0; i < g->members.count && fine; i++) {
    numbers_of_variable(b, g->members.at[i], &found);
    fine = found.count == expected.count;
    for (size_t j = 0; j < expected.count && fine; j++)
      fine = found.at[j] == expected.at[j] && found.at[j] >= low->at[j] && found.at[j] <= high->at[j];
    size_t j = expected.count;
    while (j-- > 0 && expected.at[j] >= high->at[j]) expected.at[j] = low->at[j];
    if (j != SIZE_MAX) expected.at[j]++;
    bool wrapped = j == SIZE_MAX;
    fine = fine && (wrapped == (i + 1 == g->members.count));
  }
  VECTOR_FREE(expected);
  VECTOR_FREE(found);
  return fine;
}

static const value_type *array_type(builder *b, const value_type *element, const numbers *low, const numbers *high,
                                    size_t from) {
  for (size_t i = low->count; i-- > from;) {
    value_type *t = arena_alloc(b->scope->arena, sizeof(value_type));
    *t = (value_type){.kind = VALUE_ARRAY,
                      .has_low = true,
                      .has_high = true,
                      .low = number_of(low->at[i]),
                      .high = number_of(high->at[i]),
                      .element = (value_type *)element,
                      .cells = (size_t)(high->at[i] - low->at[i] + 1) * element->cells};
    element = t;
  }
  return element;
}

static void name_group(builder *b, const group *g) {
  const model *m = b->model;
  numbers low = {0}, high = {0};
  numbers_of_variable(b, g->members.at[0], &low);
  numbers_of_variable(b, VECTOR_LAST(g->members), &high);
  bool is_copied = g->family && g->family->is_replicated;
  bool fits = fills_box(b, g, &low, &high) && low.count >= (is_copied ? 1 : 0);
  if (fits && is_copied)
    fits = low.at[0] == g->family->low && (size_t)(high.at[0] - low.at[0] + 1) == g->family->copies;
  const state_variable *first = &m->variables.at[g->members.at[0]];
  symbol *s = NULL;
  if (fits && !g->family) s = add_symbol(b, kind_of(first), g->key);
  if (fits && g->family) {
    s = arena_alloc(b->scope->arena, sizeof(symbol));
    *s = (symbol){
        .kind = SYMBOL_VARIABLE, .word = words_make(b->scope->words, strchr(g->key, '.') + 1), .family = g->family};
    map_set(g->family->members, (uint64_t)(uintptr_t)s->word, (uint64_t)(uintptr_t)s);
  }
  if (s) {
    s->type =
        array_type(b, value_type_for(b, variable_type(b->model->terms, first->var)), &low, &high, is_copied ? 1 : 0);
    s->first_cell = lower_reserve(b->lowering, g->members.count, 0);
    for (size_t i = 0; i < g->members.count && !b->lowering->exhausted; i++)
      b->lowering->cells.at[s->first_cell + i] = m->variables.at[g->members.at[i]].var;
  }
  VECTOR_FREE(low);
  VECTOR_FREE(high);
}

/* ---- the rest ---- */

static void add_values(builder *b) {
  for (size_t i = 0; i < b->model->variables.count; i++) {
    const state_variable *v = &b->model->variables.at[i];
    const type *t = variable_type(b->model->terms, v->var);
    if (v->role == ROLE_LOCATION) continue;
    for (size_t j = 0; t->names && j < t->name_count; j++) {
      symbol *s = add_symbol(b, SYMBOL_VALUE, t->names[j]);
      if (!s) break; /* the enumeration is known, or its names mean something else */
      s->type = &value_int;
      s->position = j;
    }
  }
}

static void add_definitions(builder *b) {
  for (size_t i = 0; i < b->model->definitions.count; i++) {
    const definition *d = &b->model->definitions.at[i];
    symbol *s = add_symbol(b, SYMBOL_DEFINITION, d->name);
    if (!s) continue;
    bool is_real = d->is_real || term_sort(b->model->terms, d->value) == SORT_REAL;
    s->type = term_sort(b->model->terms, d->value) == SORT_BOOL ? &value_bool : is_real ? &value_real : &value_int;
    s->value = d->value;
    s->checked = s->lowered = PROGRESS_DONE;
    bool is_constant = term_is_true(term_positive(d->value)) || term_is_number(b->model->terms, d->value, NULL);
    s->depends = is_constant ? DEPENDS_CONSTANTS : DEPENDS_STATE;
  }
}

void model_scope_fill(lowering *l, const model *m) {
  builder b = {.lowering = l, .scope = l->scope, .model = m, .index = names_new()};
  l->scope->is_flat = true;
  add_node_fields(&b);
  add_processes(&b);
  add_variables(&b);
  for (size_t i = 0; i < b.groups.count; i++) name_group(&b, &b.groups.at[i]);
  add_values(&b);
  add_definitions(&b);
  for (size_t i = 0; i < b.groups.count; i++) {
    VECTOR_FREE(b.groups.at[i].members);
    memory_free(b.groups.at[i].key);
  }
  VECTOR_FREE(b.groups);
  names_free(b.index);
}
