/* The outline of a text: errors, names, uses, properties. A name is known by the place where it is declared. */
#include "input/whet/names/outline.h"

#include "base/json_writer.h"
#include "input/whet/names/names.h"
#include "model/model.h"
#include "term/print.h"

enum { MOST_FINDINGS = 1000, EXCERPT = 200 };

typedef struct entry {
  const word *word;
  span at, whole; /* the name, and what is declared by it */
  const char *kind;
  const symbol *symbol;
  const family *family; /* whose state, label or action it is */
  const type_tree *type;
  const expression *value;
  bool is_named;     /* the word stands in the text */
  bool is_elsewhere; /* an included file uses it */
} entry;

typedef struct outline {
  const source *source;
  const name_record *record;
  const whet_reading *reading;
  VECTOR(entry) entries;
  map *by_place; /* where it is declared -> entry */
  json_writer *out;
} outline;

/* ---- entries ---- */

static bool find_entry(const outline *o, uint32_t offset, size_t *out) {
  uint64_t at;
  if (!map_get(o->by_place, offset, &at)) return false;
  *out = (size_t)at;
  return true;
}

static void add_entry(outline *o, entry e, uint32_t offset) {
  size_t known;
  if (!e.word || find_entry(o, offset, &known)) return;
  e.is_named = name_is_spelled(o->source, offset, e.word, &e.at);
  if (!e.is_named) return;
  if (!e.whole.end) e.whole = e.at;
  map_set(o->by_place, offset, o->entries.count);
  VECTOR_PUSH(o->entries, e);
}

static const char *symbol_kind_name(const symbol *s) {
  switch (s->kind) {
    case SYMBOL_CONSTANT: return "constant";
    case SYMBOL_PARAMETER: return "parameter";
    case SYMBOL_VARIABLE: return s->is_clock ? "clock" : s->is_argument ? "argument" : "variable";
    case SYMBOL_DEFINITION: return "definition";
    case SYMBOL_VALUE: return "value";
    case SYMBOL_INDEX: return "index";
    case SYMBOL_INPUT: return "input";
    case SYMBOL_LOCAL: return "local";
    case SYMBOL_PROCESS: return s->family && s->family->tree && s->family->tree->is_program ? "program" : "process";
    case SYMBOL_PROCEDURE: return "procedure";
    case SYMBOL_TYPE: return "type";
    case SYMBOL_FIXPOINT: return "fixpoint";
  }
  return "";
}

static void add_symbols(outline *o) {
  for (size_t i = 0; i < o->record->symbols.count; i++) {
    const symbol *s = o->record->symbols.at[i];
    const family *owner = s->kind == SYMBOL_VARIABLE ? s->family : NULL;
    add_entry(o, (entry){.word = s->word, .kind = symbol_kind_name(s), .symbol = s, .family = owner}, s->offset);
  }
}

/* What is declared together with a name: its type, its first value, the whole declaration. */
static void complete(outline *o, uint32_t offset, span whole, const type_tree *type, const expression *value) {
  size_t i;
  if (!find_entry(o, offset, &i)) return;
  o->entries.at[i].whole = whole;
  o->entries.at[i].type = type;
  o->entries.at[i].value = value;
}

static void complete_variables(outline *o, const variables_tree *v) {
  for (size_t i = 0; i < v->names.count; i++)
    complete(o, v->names.at[i].at.start, v->at, v->is_clock ? NULL : v->type, v->is_clock ? NULL : v->value);
}

static void complete_all(outline *o, const variables_trees *list) {
  for (size_t i = 0; i < list->count; i++) complete_variables(o, list->at[i]);
}

/* Several may share a label: the first declares it. */
static void add_label(outline *o, const command_tree *c, const family *f, names *seen) {
  uint64_t first;
  complete_all(o, &c->inputs);
  if (!c->label || names_get(seen, c->label->text, &first)) return;
  names_set(seen, c->label->text, c->label_at.start);
  add_entry(o, (entry){.word = c->label, .kind = "action", .family = f, .whole = c->at}, c->label_at.start);
}

static void add_asserts(outline *o, const block *b) {
  for (size_t i = 0; i < b->count; i++) {
    const statement *s = b->at[i];
    if (s->kind == STATEMENT_ASSERT && s->name.word)
      add_entry(o, (entry){.word = s->name.word, .kind = "property", .whole = s->at}, s->name.at.start);
    for (size_t j = 0; j < s->arm_count; j++) add_asserts(o, &s->arms[j].body);
    add_asserts(o, &s->otherwise);
  }
}

static void add_process(outline *o, const declaration *d) {
  const process_tree *p = d->process;
  names *seen = names_new();
  complete(o, p->name.at.start, d->at, NULL, NULL);
  complete_all(o, &p->variables);
  complete_all(o, &p->parameters);
  complete_all(o, &p->results);
  for (size_t i = 0; i < p->states.count; i++)
    add_entry(o, (entry){.word = p->states.at[i].word, .kind = "state", .family = p->family}, p->states.at[i].at.start);
  for (size_t i = 0; p->family && i < p->family->labels.count; i++) {
    const declared_name *label = p->family->labels.at[i];
    add_entry(o, (entry){.word = label->word, .kind = "label", .family = p->family}, label->at.start);
  }
  for (size_t i = 0; i < p->commands.count; i++) add_label(o, p->commands.at[i], p->family, seen);
  add_asserts(o, &p->body);
  names_free(seen);
}

static void add_declarations(outline *o) {
  const module *m = o->reading->module;
  names *actions = names_new();
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_CONST || d->kind == DECLARATION_VAR) complete_variables(o, d->variables);
    if (d->kind == DECLARATION_DEFINE) complete(o, d->name.at.start, d->at, NULL, NULL);
    if (d->kind == DECLARATION_ACTION) add_label(o, d->action, NULL, actions);
    if (d->kind == DECLARATION_PROCESS || d->kind == DECLARATION_PROCEDURE) add_process(o, d);
    bool has_name = d->kind >= DECLARATION_SAFE && d->kind <= DECLARATION_MU && d->name.at.start != d->at.start;
    if (has_name) add_entry(o, (entry){.word = d->name.word, .kind = "property", .whole = d->at}, d->name.at.start);
  }
  names_free(actions);
}

/* ---- writing ---- */

static void field_excerpt(outline *o, const char *key, span at) {
  char *words = source_excerpt(o->source, at, EXCERPT);
  json_field_string(o->out, key, words);
  memory_free(words);
}

/* Of a process, what stands before its brace. */
static span head_of(const source *s, const entry *e) {
  span head = e->whole;
  bool has_body = e->symbol && (e->symbol->kind == SYMBOL_PROCESS || e->symbol->kind == SYMBOL_PROCEDURE);
  const char *brace = has_body ? memchr(s->text + head.start, '{', head.end - head.start) : NULL;
  if (brace) head.end = (uint32_t)(brace - s->text);
  return head;
}

/* Bounds that are known when the text is a model: 0..5, or 0.. and ..7. */
static void write_range(outline *o, const value_type *t) {
  text out = {0};
  bool is_number = t->kind == VALUE_INT && (t->has_low || t->has_high);
  if (!is_number || !o->reading->model) return;
  if (t->has_low) number_print(&out, t->low);
  text_add(&out, "..");
  if (t->has_high) number_print(&out, t->high);
  json_field_string(o->out, "range", text_string(&out));
  text_clear(&out);
}

static void write_value(outline *o, const symbol *s) {
  if (s->kind != SYMBOL_CONSTANT || !o->reading->model || s->lowered != PROGRESS_DONE) return;
  text out = {0};
  term_print(o->reading->model->terms, s->value, &out);
  if (out.count <= EXCERPT) json_field_string(o->out, "value", text_string(&out));
  text_clear(&out);
}

/* An entry of another file has its place there. */
static void write_file(outline *o, const included_file *file, const entry *e) {
  place at = source_place(o->source, e->at.start);
  json_field_string(o->out, "file", file->path);
  json_field_count(o->out, "line", at.line);
  json_field_count(o->out, "column", at.column);
}

static void write_entry(outline *o, const entry *e) {
  json_writer *w = o->out;
  const included_file *file = source_file(o->source, e->at.start);
  uint32_t before = file ? file->start : 0;
  json_begin_object(w);
  json_field_string(w, "name", e->word->text);
  json_field_string(w, "kind", e->kind);
  json_field_count(w, "start", e->at.start - before);
  json_field_count(w, "end", e->at.end - before);
  json_field_count(w, "from", e->whole.start - before);
  json_field_count(w, "to", e->whole.end - before);
  if (file) write_file(o, file, e);
  if (e->is_elsewhere) json_field_bool(w, "elsewhere", true);
  if (e->family && !e->family->is_unnamed) json_field_string(w, "of", e->family->word->text);
  if (e->type) field_excerpt(o, "declared", e->type->at);
  if (e->value) field_excerpt(o, "first", e->value->at);
  if (!e->type && e->whole.end > e->at.end) field_excerpt(o, "text", head_of(o->source, e));
  const symbol *s = e->symbol;
  if (s && s->type && s->type->kind != VALUE_UNKNOWN) {
    char *type = type_describe(s->type);
    json_field_string(w, "type", type);
    memory_free(type);
    write_range(o, s->type);
    write_value(o, s);
  }
  json_end_object(w);
}

/* The entry of a state, label or action. */
static bool find_member(const outline *o, const name_use *u, const names *members, size_t *out) {
  text key = {0};
  uint64_t at;
  text_add(&key, "%s|%s", u->family ? u->family->word->text : "", u->word->text);
  bool found = names_get(members, text_string(&key), &at);
  text_clear(&key);
  if (found) *out = (size_t)at;
  if (found || u->family || !u->word->meaning) return found;
  return find_entry(o, u->word->meaning->offset, out); /* a whole process */
}

static GIVE names *members_of(const outline *o) {
  names *members = names_new();
  for (size_t i = 0; i < o->entries.count; i++) {
    const entry *e = &o->entries.at[i];
    text key = {0};
    uint64_t known;
    if (e->symbol || !strcmp(e->kind, "property")) continue;
    text_add(&key, "%s|%s", e->family ? e->family->word->text : "", e->word->text);
    if (!names_get(members, text_string(&key), &known)) names_set(members, text_string(&key), i);
    text_clear(&key);
  }
  return members;
}

static void write_use(outline *o, span at, size_t entry) {
  if (source_file(o->source, at.start)) return;
  json_begin_array(o->out);
  json_add_count(o->out, at.start);
  json_add_count(o->out, at.end);
  json_add_count(o->out, entry);
  json_end_array(o->out);
}

/* Labels that several steps share are uses of the first. */
static void write_shared_labels(outline *o, const commands *list, const family *f, const names *members, map *seen) {
  for (size_t i = 0; i < list->count; i++) {
    const command_tree *c = list->at[i];
    size_t entry;
    uint64_t known;
    if (!c->label || map_get(seen, c->label_at.start, &known) || map_get(o->by_place, c->label_at.start, &known))
      continue;
    map_set(seen, c->label_at.start, 1);
    if (find_member(o, &(name_use){.family = f, .word = c->label}, members, &entry)) write_use(o, c->label_at, entry);
  }
}

static void write_uses(outline *o) {
  names *members = members_of(o);
  map *seen = map_new();
  json_field_array(o->out, "uses");
  for (size_t i = 0; i < o->record->uses.count; i++) {
    const name_use *u = &o->record->uses.at[i];
    size_t entry;
    uint64_t known;
    bool found = u->symbol ? find_entry(o, u->symbol->offset, &entry) : find_member(o, u, members, &entry);
    bool is_declared = found && o->entries.at[entry].at.start == u->at.start;
    if (!found || is_declared || map_get(seen, u->at.start, &known)) continue;
    map_set(seen, u->at.start, 1);
    write_use(o, u->at, entry);
  }
  const module *m = o->reading->module;
  for (size_t i = 0; i < m->declarations.count; i++) {
    declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_ACTION) write_shared_labels(o, &(commands){&d->action, 1}, NULL, members, seen);
    if (d->kind == DECLARATION_PROCESS)
      write_shared_labels(o, &d->process->commands, d->process->family, members, seen);
  }
  json_end_array(o->out);
  map_free(seen);
  names_free(members);
}

/* What included files use. */
static void mark_elsewhere(outline *o) {
  names *members = o->source->files.count ? members_of(o) : NULL;
  for (size_t i = 0; members && i < o->record->uses.count; i++) {
    const name_use *u = &o->record->uses.at[i];
    size_t entry;
    bool found = u->symbol ? find_entry(o, u->symbol->offset, &entry) : find_member(o, u, members, &entry);
    if (found && source_file(o->source, u->at.start)) o->entries.at[entry].is_elsewhere = true;
  }
  names_free(members);
}

/* Lines are from 1; 0 if the property stands nowhere in the text. */
static void write_properties(outline *o) {
  json_field_array(o->out, "properties");
  const model *m = o->reading->model;
  for (size_t i = 0; m && i < m->properties.count; i++) {
    json_begin_object(o->out);
    json_field_string(o->out, "name", m->properties.at[i].name);
    place at = m->properties.at[i].place;
    if (at.file) at = source_place(o->source, source_own_offset(o->source, o->source->files.at[at.file - 1].from));
    json_field_count(o->out, "line", at.line);
    json_end_object(o->out);
  }
  json_end_array(o->out);
}

static void write_words(json_writer *w) {
  static const char *const list[] = {
#define WORD(NAME) #NAME,
#include "input/whet/parse/words.def"
#undef WORD
  };
  json_field_array(w, "words");
  for (size_t i = 0; i < ARRAY_LENGTH(list); i++) json_add_string(w, list[i]);
  json_end_array(w);
}

static void look(void *context, const whet_reading *r) {
  outline *o = context;
  o->reading = r;
  o->by_place = map_new();
  add_symbols(o);
  add_declarations(o);
  mark_elsewhere(o);
  json_field_bool(o->out, "well_formed", r->is_well_formed);
  json_field_bool(o->out, "model", r->model != NULL);
  json_field_array(o->out, "names");
  for (size_t i = 0; i < o->entries.count; i++) write_entry(o, &o->entries.at[i]);
  json_end_array(o->out);
  write_uses(o);
  write_properties(o);
  write_words(o->out);
  map_free(o->by_place);
  VECTOR_FREE(o->entries);
}

/* Where the word or sign at `offset` ends. */
static uint32_t token_end(const source *s, uint32_t offset) {
  uint32_t end = offset;
  while (end < s->length &&
         (s->text[end] == '_' || s->text[end] == '\'' || (s->text[end] >= '0' && s->text[end] <= '9') ||
          ((s->text[end] | 32) >= 'a' && (s->text[end] | 32) <= 'z')))
    end++;
  return end == offset && end < s->length && s->text[end] != '\n' ? end + 1 : end;
}

static uint32_t end_of_line(const source *s, uint32_t offset) {
  const char *newline = memchr(s->text + offset, '\n', s->own - offset);
  return newline ? (uint32_t)(newline - s->text) : s->own;
}

static void write_errors(json_writer *w, const source *s, const findings *f) {
  json_field_array(w, "errors");
  for (size_t i = 0; i < f->list.count; i++) {
    const finding *found = &f->list.at[i];
    const included_file *file = source_file(s, found->offset);
    uint32_t start = source_own_offset(s, found->offset);
    place at = source_place(s, found->offset);
    char *words = file ? text_format("%s:%u:%u: %s", file->path, at.line, at.column, found->message) : NULL;
    json_begin_object(w);
    json_field_count(w, "start", start);
    json_field_count(w, "end", file ? end_of_line(s, start) : token_end(s, start));
    json_field_string(w, "message", words ? words : found->message);
    memory_free(words);
    if (found->hints.count) json_field_string(w, "hints", text_string(&found->hints));
    json_end_object(w);
  }
  json_end_array(w);
}

void outline_write(const char *path, const char *content, size_t length, text *out) {
  findings list = {.most = MOST_FINDINGS};
  diagnostics d = {.findings = &list};
  name_record record = {0};
  source s;
  json_writer w = json_object_to(out);
  outline o = {.source = &s, .record = &record, .out = &w};
  source_open(&s, path, content, length);
  whet_read_names(&s, &d, &record, look, &o);
  write_errors(&w, &s, &list);
  text layout = {0};
  format_write(content, length, &layout);
  bool differs = layout.count != length || (length && memcmp(text_string(&layout), content, length));
  if (differs) json_field_string(&w, "layout", text_string(&layout));
  text_clear(&layout);
  json_end_object(&w);
  source_close(&s);
  name_record_clear(&record);
  findings_clear(&list);
  text_clear(&d.text);
}
