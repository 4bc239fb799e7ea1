/* Symbols and scopes. */
#include "input/whet/scope.h"

const value_type value_unknown = {.kind = VALUE_UNKNOWN, .cells = 1};
const value_type value_bool = {.kind = VALUE_BOOL, .cells = 1};
const value_type value_int = {.kind = VALUE_INT, .cells = 1};
const value_type value_real = {.kind = VALUE_REAL, .cells = 1};
const value_type value_node = {.kind = VALUE_NODE, .cells = 1};

void scope_open(scope *s, arena *a, words *w, reporter *r) {
  *s = (scope){.arena = a, .words = w, .reporter = r, .enumeration_index = names_new()};
}

void scope_close(scope *s) {
  for (size_t i = 0; i < s->families.count; i++) {
    map_free(s->families.at[i]->members);
    map_free(s->families.at[i]->states);
    VECTOR_FREE(s->families.at[i]->state_words);
    VECTOR_FREE(s->families.at[i]->labels);
    VECTOR_FREE(s->families.at[i]->uses);
    VECTOR_FREE(s->families.at[i]->olds);
  }
  VECTOR_FREE(s->bindings);
  VECTOR_FREE(s->families);
  VECTOR_FREE(s->in_place);
  VECTOR_FREE(s->enumerations);
  VECTOR_FREE(s->types);
  names_free(s->enumeration_index);
}

size_t scope_enter(scope *s) {
  s->level++;
  return s->bindings.count;
}

void scope_leave(scope *s, size_t mark) {
  s->level--;
  while (s->bindings.count > mark) {
    binding b = VECTOR_POP(s->bindings);
    b.word->meaning = b.hidden;
  }
}

static void exchange(binding *b) {
  symbol *now = b->word->meaning;
  b->word->meaning = b->hidden;
  b->hidden = now;
}

size_t scope_suspend(scope *s) {
  size_t before = s->suspended;
  for (size_t i = s->bindings.count; i-- > before;) exchange(&s->bindings.at[i]);
  s->suspended = s->bindings.count;
  return before;
}

void scope_resume(scope *s, size_t before) {
  for (size_t i = before; i < s->suspended; i++) exchange(&s->bindings.at[i]);
  s->suspended = before;
}

static bool is_identifier(const char *text) {
  bool ok = *text == '_' || (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
  for (; ok && *text; text++)
    ok = *text == '_' || *text == '\'' || (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
         (*text >= '0' && *text <= '9');
  return ok;
}

symbol *scope_add(scope *s, symbol_kind kind, word *w, uint32_t offset) {
  if (w->meaning && w->meaning->level == s->level) {
    report_error(s->reporter, offset, "`%s` is declared twice", w->text);
    report_first_place(s->reporter, "first declared", w->meaning->offset);
    return NULL;
  }
  symbol *made = arena_alloc(s->arena, sizeof(symbol));
  made->kind = kind;
  made->word = w;
  made->offset = offset;
  made->level = s->level;
  made->type = &value_unknown;
  if (s->level) VECTOR_PUSH(s->bindings, (binding){w, w->meaning});
  w->meaning = made;
  s->has_qualified |= !is_identifier(w->text);
  scope_note_symbol(s, made);
  return made;
}

void scope_bind(scope *s, symbol *known) {
  known->level = s->level;
  VECTOR_PUSH(s->bindings, (binding){known->word, known->word->meaning});
  known->word->meaning = known;
}

const word *scope_nearest(const scope *s, const word *w) {
  const word *best = NULL;
  size_t distance = SIZE_MAX;
  for (size_t i = 0; i < s->words->all.count; i++) {
    const word *known = s->words->all.at[i];
    if (!known->meaning || known == w || !words_are_near(w->text, known->text)) continue;
    size_t d = words_distance(w->text, known->text);
    if (d < distance) best = known, distance = d;
  }
  return best;
}

void scope_suggest(const scope *s, const word *w) {
  if (!s->reporter->hinting) return;
  const word *near = scope_nearest(s, w);
  if (near) report_hint(s->reporter, "did you mean `%s`?", near->text);
}

static enumeration_type *make_enumeration(scope *s, word **values, const span *places, size_t count) {
  enumeration_type *made = arena_alloc(s->arena, sizeof(enumeration_type));
  value_type *type = arena_alloc(s->arena, sizeof(value_type));
  *made = (enumeration_type){.values = values, .count = count, .offset = places[0].start};
  *type = (value_type){.kind = VALUE_ENUMERATION,
                       .enumeration = made,
                       .has_low = true,
                       .has_high = true,
                       .low = number_of(0),
                       .high = number_of((int64_t)count - 1),
                       .cells = 1};
  for (size_t i = 0; i < count; i++) {
    const symbol *known = values[i]->meaning;
    if (known && known->kind == SYMBOL_VALUE && known->type != type) {
      char *other = type_describe(known->type);
      report_error(s->reporter, places[i].start, "`%s` is already a value of %s", values[i]->text, other);
      report_hint(s->reporter,
                  "the same names in the same order are the same type; other enumerations need other names");
      memory_free(other);
      break;
    }
    symbol *value = scope_add(s, SYMBOL_VALUE, values[i], places[i].start);
    if (!value) continue;
    value->type = type;
    value->position = i;
  }
  return made;
}

enumeration_type *scope_enumeration(scope *s, word **values, const span *places, size_t count) {
  text key = {0};
  uint64_t position;
  for (size_t i = 0; i < count; i++) text_add(&key, "%s|", values[i]->text);
  bool known = names_get(s->enumeration_index, text_string(&key), &position);
  if (!known) {
    position = s->enumerations.count;
    names_set(s->enumeration_index, text_string(&key), position);
    enumeration_type *made = make_enumeration(s, values, places, count);
    VECTOR_PUSH(s->enumerations, made);
  }
  for (size_t i = 0; known && i < count; i++)
    if (values[i]->meaning) scope_note_first(s, places[i], values[i]->meaning);
  text_clear(&key);
  return s->enumerations.at[position];
}

/* A type of the text, declared by `type`. */
static const value_type *named_type(scope *s, const type_tree *tree) {
  const symbol *known = tree->word->meaning;
  if (known && known->kind == SYMBOL_TYPE) {
    scope_note_first(s, tree->at, known);
    if (known->type->kind == VALUE_RECORD) scope_complete_record(s, (value_type *)known->type);
    return known->type;
  }
  report_error(s->reporter, tree->at.start, "`%s` is not a type", tree->word->text);
  report_hint(s->reporter,
              "types are bool, int, nat, real, a range 0..7, an enumeration {A, B}, node, records, and arrays of "
              "these: int[1..3]");
  return &value_unknown;
}

bool type_is_compound(const value_type *t) { return t->kind == VALUE_ARRAY || t->kind == VALUE_RECORD; }

size_t type_array_length(const value_type *t) {
  int64_t low = 0, high = 0;
  number_to_int64(t->low, &low);
  number_to_int64(t->high, &high);
  return (size_t)(high - low) + 1;
}

const record_field *record_find(const record_type *r, const word *w) {
  for (size_t i = 0; i < r->count; i++)
    if (r->fields[i].word == w) return &r->fields[i];
  return NULL;
}

const record_field node_field_freed = {.type = &value_bool};
static const record_field default_data = {.type = &value_bool}, default_next = {.type = &value_node};

const record_field *scope_node_field(const scope *s, const word *w) {
  const record_field *found = s->nodes ? record_find(s->nodes, w) : NULL;
  if (!s->nodes && w->keyword == WORD_data) found = &default_data;
  if (!s->nodes && w->keyword == WORD_next) found = &default_next;
  return !found && w->keyword == WORD_freed ? &node_field_freed : found;
}

/* Pointers and data are numbered each for themselves. */
static void add_node_field(scope *s, record_type *r, const declared_name *name, const variables_tree *v) {
  const value_type *t = v->value_type;
  size_t before = 0;
  bool is_data = t->kind == VALUE_BOOL || t->kind == VALUE_ENUMERATION || (t->kind == VALUE_INT && t->tree);
  if (!is_data && t->kind != VALUE_NODE && t->kind != VALUE_UNKNOWN) {
    report_error(s->reporter, v->type->at.start, "data of nodes cannot be of this type");
    report_hint(s->reporter, "the fields of a node are nodes, truth values, enumerations {A, B} and ranges 0..7");
  }
  if (name->word->keyword == WORD_freed)
    report_error(s->reporter, name->at.start, "every node has the field `freed` already");
  if (v->value) report_error(s->reporter, v->value->at.start, "the fields of nodes have no initial values");
  for (size_t i = 0; i < r->count; i++) before += (r->fields[i].type->kind == VALUE_NODE) == (t->kind == VALUE_NODE);
  r->fields[r->count++] = (record_field){.word = name->word, .type = t, .tree = v, .offset = before};
}

static void add_field(scope *s, record_type *r, const declared_name *name, const variables_tree *v) {
  const value_type *inner = v->value_type;
  if (record_find(r, name->word))
    report_error(s->reporter, name->at.start, "the record `%s` has two fields `%s`", r->symbol->word->text,
                 name->word->text);
  if (r == s->nodes) {
    add_node_field(s, r, name, v);
    return;
  }
  while (inner->kind == VALUE_ARRAY) {
    ((value_type *)inner)->in_record = true;
    inner = inner->element;
  }
  if (inner->kind == VALUE_NODE) report_error(s->reporter, v->type->at.start, "a record has no fields of type node");
  r->fields[r->count++] = (record_field){.word = name->word, .type = v->value_type, .tree = v};
}

void scope_complete_record(scope *s, value_type *t) {
  record_type *r = t->record;
  size_t count = 0;
  if (r->progress == PROGRESS_DONE) return;
  if (r->progress == PROGRESS_BUSY) {
    report_error(s->reporter, r->symbol->offset, "the record `%s` contains itself", r->symbol->word->text);
    return;
  }
  r->progress = PROGRESS_BUSY;
  for (size_t i = 0; i < r->tree->count; i++) count += r->tree->at[i]->names.count;
  r->fields = arena_alloc(s->arena, count * sizeof *r->fields);
  for (size_t i = 0; i < r->tree->count; i++) {
    variables_tree *v = r->tree->at[i];
    v->value_type = scope_type(s, v->type);
    for (size_t j = 0; j < v->names.count; j++) add_field(s, r, &v->names.at[j], v);
  }
  r->progress = PROGRESS_DONE;
  if (r != s->nodes) VECTOR_PUSH(s->types, t); /* behind its fields */
}

bool type_is_channel(const value_type *t) { return t->kind == VALUE_RECORD && t->record->channel; }

/* A record of its own. */
static const value_type *channel_type(scope *s, const type_tree *tree) {
  value_type *t = arena_alloc(s->arena, sizeof(value_type));
  record_type *r = arena_alloc(s->arena, sizeof(record_type));
  symbol *named = arena_alloc(s->arena, sizeof(symbol));
  *named = (symbol){.kind = SYMBOL_TYPE, .word = words_make(s->words, "channel"), .offset = tree->at.start, .type = t};
  *r = (record_type){.symbol = named, .tree = tree->parts, .channel = tree};
  *t = (value_type){.kind = VALUE_RECORD, .record = r, .cells = 1};
  s->has_sync |= tree->is_sync;
  if (tree->is_sync) r->message = scope_type(s, tree->element);
  scope_complete_record(s, t);
  if (!tree->is_sync) r->message = r->fields[1].type->element;
  const value_type *m = r->message;
  while (m->kind == VALUE_ARRAY && !m->is_long) m = m->element;
  if (m->kind == VALUE_NODE || m->kind == VALUE_DATA || m->kind == VALUE_ARRAY || type_is_channel(m))
    report_error(s->reporter, tree->element->at.start,
                 "messages are numbers, truth values, values of enumerations, records or fixed arrays of these");
  if (tree->is_sync && type_is_compound(r->message))
    report_error(s->reporter, tree->element->at.start,
                 "the message of a handshake is a number, a truth value or a value of an enumeration");
  return t;
}

const value_type *scope_type(scope *s, const type_tree *tree) {
  if (tree->kind == TYPE_CHANNEL) return channel_type(s, tree);
  if (tree->kind == TYPE_NAMED) return named_type(s, tree);
  if (tree->kind == TYPE_BOOL) return &value_bool;
  if (tree->kind == TYPE_INT) return &value_int;
  if (tree->kind == TYPE_REAL) return &value_real;
  if (tree->kind == TYPE_NODE) return &value_node;
  value_type *t = arena_alloc(s->arena, sizeof(value_type));
  t->cells = 1;
  if (tree->kind == TYPE_NAT) {
    t->kind = VALUE_INT;
    t->has_low = true;
  } else if (tree->kind == TYPE_ENUMERATION) {
    t->kind = VALUE_ENUMERATION;
    t->enumeration = scope_enumeration(s, tree->values, tree->value_places, tree->value_count);
    t->has_low = t->has_high = true;
    t->high = number_of((int64_t)t->enumeration->count - 1);
  } else {
    t->kind = tree->kind == TYPE_RANGE ? VALUE_INT : VALUE_ARRAY;
    t->tree = tree;
    if (tree->kind == TYPE_ARRAY) t->element = (value_type *)scope_type(s, tree->element);
    t->is_long = tree->kind == TYPE_ARRAY && !tree->low;
    if (t->element && t->element->kind == VALUE_NODE)
      report_error(s->reporter, tree->at.start, "there are no arrays of nodes");
    VECTOR_PUSH(s->types, t); /* behind its element, which is evaluated first */
  }
  return t;
}

GIVE char *type_describe(const value_type *t) {
  text out = {0};
  switch (t->kind) {
    case VALUE_UNKNOWN: return memory_copy_string("unknown");
    case VALUE_BOOL: return memory_copy_string("bool");
    case VALUE_INT: return memory_copy_string("int");
    case VALUE_REAL: return memory_copy_string("real");
    case VALUE_NODE: return memory_copy_string("node");
    case VALUE_DATA: return memory_copy_string(t->data->word->text);
    case VALUE_RECORD: return memory_copy_string(t->record->symbol->word->text);
    case VALUE_ARRAY: {
      char *element = type_describe(t->element),
           *whole = text_format(t->is_long ? "array[..] of %s" : "%s[..]", element);
      memory_free(element);
      return whole;
    }
    case VALUE_ENUMERATION: break;
  }
  for (size_t i = 0; i < t->enumeration->count && i < 6; i++)
    text_add(&out, "%s%s", i ? ", " : "{", t->enumeration->values[i]->text);
  text_add(&out, "%s}", t->enumeration->count > 6 ? ", .." : "");
  return text_give(&out);
}

const char *symbol_describe(const symbol *s) {
  switch (s->kind) {
    case SYMBOL_CONSTANT: return "a constant";
    case SYMBOL_PARAMETER: return "a parameter, which never changes";
    case SYMBOL_VARIABLE: return s->is_argument ? "a parameter of the procedure" : "a variable";
    case SYMBOL_DEFINITION: return "a definition";
    case SYMBOL_VALUE: return "a value of an enumeration";
    case SYMBOL_INDEX: return "an index";
    case SYMBOL_INPUT: return "an input";
    case SYMBOL_LOCAL: return "a name bound by `let`";
    case SYMBOL_PROCESS: return s->family->tree && s->family->tree->is_program ? "a program" : "a process";
    case SYMBOL_PROCEDURE: return "a procedure";
    case SYMBOL_TYPE: return "a type";
    case SYMBOL_FIXPOINT: return "a fixpoint variable";
  }
  return "";
}

const char *family_describe(const family *f) { return f->tree && f->tree->is_program ? "program" : "process"; }

symbol *family_member(const family *f, const word *w) {
  uint64_t at;
  return map_get(f->members, (uint64_t)(uintptr_t)w, &at) ? (symbol *)(uintptr_t)at : NULL;
}

bool family_state(const family *f, const word *w, size_t *index) {
  uint64_t at;
  if (!map_get(f->states, (uint64_t)(uintptr_t)w, &at)) return false;
  *index = (size_t)at;
  return true;
}
