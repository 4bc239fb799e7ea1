/* Names: what they are, where they stand, and giving them others; symbols of a text, and its layout. */
#include <jansson.h>

#include "base/map.h"
#include "lsp/server.h"

static void write_location(const server *s, const document *d, json_writer *w, size_t start, size_t end) {
  json_begin_object(w);
  json_field_string(w, "uri", d->uri);
  write_range(s, d, w, "range", start, end);
  json_end_object(w);
}

/* ---- hover ---- */

/* The name as a whole word of the line. */
static bool mentions(const char *line, size_t length, const char *name) {
  size_t n = strlen(name);
  for (size_t i = 0; i + n <= length; i++) {
    if (memcmp(line + i, name, n)) continue;
    char before = i ? line[i - 1] : ' ', after = i + n < length ? line[i + n] : ' ';
    bool goes_on = before == '_' || after == '_' || after == '\'' || ((after | 32) >= 'a' && (after | 32) <= 'z') ||
                   ((before | 32) >= 'a' && (before | 32) <= 'z') || (after >= '0' && after <= '9') ||
                   (before >= '0' && before <= '9');
    if (!goes_on) return true;
  }
  return false;
}

/* Adds lines that speak of the name, those of up to `most` bytes whole; how many there are. */
static size_t add_lines(const property_result *r, const char *name, size_t most, bool cuts, text *out) {
  enum { MOST_LINES = 8 };
  size_t shown = 0;
  for (const char *at = r->invariant; *at && shown < MOST_LINES;) {
    size_t length = strcspn(at, "\n"), whole = length <= most ? length : most;
    bool is_shown = (cuts || length == whole) && mentions(at, length, name);
    if (is_shown)
      text_add(out, "%.*s%s\n", (int)whole, at, length > whole ? " .. (whole: whet verify --formula FILE)" : "");
    shown += is_shown;
    at += length + (at[length] == '\n');
  }
  return shown;
}

/* What proved invariants say of the name: short lines, or the beginning of long ones. */
static void add_proved(const document *d, const char *name, text *out) {
  enum { SHORT = 240, LONG = 400 };
  for (size_t i = 0; i < d->results.count; i++) {
    const property_result *r = &d->results.at[i];
    text lines = {0};
    if (r->serial != d->serial) continue;
    size_t shown = add_lines(r, name, SHORT, false, &lines);
    if (!shown) shown = add_lines(r, name, LONG, true, &lines);
    if (shown)
      text_add(out, "\nproved in every reachable state (with %s):\n```whet\n%s```\n", r->property, text_string(&lines));
    text_clear(&lines);
  }
}

static void add_result(const document *d, const char *property, text *out) {
  const property_result *r = result_of(d, property, false);
  if (!r) return;
  text_add(out, "\n%s (%s, %.3g s) %s\n", r->verdict, r->engine, r->seconds, r->why);
  if (*r->run) text_add(out, "```\n%s```\n", r->run);
}

static void describe(const document *d, const outlined *n, text *out) {
  text_add(out, "```whet\n");
  if (*n->declared)
    text_add(out, "%s %s : %s%s%s\n", n->kind, n->name, n->declared, *n->first ? " = " : "", n->first);
  else if (*n->text)
    text_add(out, "%s\n", n->text);
  else
    text_add(out, "%s %s%s%s\n", n->kind, n->name, *n->type ? " : " : "", n->type);
  text_add(out, "```\n");
  if (*n->of) text_add(out, "%s of `%s`\n", n->kind, n->of);
  if (*n->type && (*n->declared || *n->text)) text_add(out, "\ntype `%s`", n->type);
  if (*n->range) text_add(out, ", values `%s`", n->range);
  if (*n->value) text_add(out, ", value `%s`", n->value);
  text_add_char(out, '\n');
  if (!strcmp(n->kind, "variable") || !strcmp(n->kind, "clock") || !strcmp(n->kind, "parameter"))
    add_proved(d, n->name, out);
  if (!strcmp(n->kind, "property")) add_result(d, n->name, out);
}

const char *answer_hover(server *s, document *d, const json_t *params, json_writer *w) {
  size_t name, start, end;
  if (!outline_at(d->outline, document_offset(s, d, params), &name, &start, &end)) {
    json_add_null(w);
    return NULL;
  }
  outlined n = outline_name(d->outline, name);
  text words = {0};
  describe(d, &n, &words);
  json_begin_object(w);
  json_field_object(w, "contents");
  json_field_string(w, "kind", "markdown");
  json_field_string(w, "value", text_string(&words));
  json_end_object(w);
  write_range(s, d, w, "range", start, end);
  json_end_object(w);
  text_clear(&words);
  return NULL;
}

/* ---- places ---- */

/* A name that is declared in a file that the text includes. Columns count characters there. */
static void write_other_file(const document *d, const outlined *n, json_writer *w) {
  const char *slash = strrchr(d->uri, '/');
  text uri = {0};
  if (*n->file == '/')
    text_add(&uri, "file://");
  else
    text_add_bytes(&uri, d->uri, slash ? (size_t)(slash - d->uri) + 1 : 0);
  for (const char *at = n->file; *at; at++)
    if (*at == '%' || *at == ' ' || *at == '#' || *at == '?' || (unsigned char)*at >= 0x7F)
      text_add(&uri, "%%%02X", (unsigned)(unsigned char)*at);
    else
      text_add_char(&uri, *at);
  json_begin_object(w);
  json_field_string(w, "uri", text_string(&uri));
  json_field_object(w, "range");
  for (int end = 0; end < 2; end++) {
    json_field_object(w, end ? "end" : "start");
    json_field_count(w, "line", n->line - 1);
    json_field_count(w, "character", n->column - 1 + (end ? n->end - n->start : 0));
    json_end_object(w);
  }
  json_end_object(w);
  json_end_object(w);
  text_clear(&uri);
}

const char *answer_definition(server *s, document *d, const json_t *params, json_writer *w) {
  size_t name, start, end;
  if (!outline_at(d->outline, document_offset(s, d, params), &name, &start, &end)) {
    json_add_null(w);
    return NULL;
  }
  outlined n = outline_name(d->outline, name);
  if (*n.file)
    write_other_file(d, &n, w);
  else
    write_location(s, d, w, n.start, n.end);
  return NULL;
}

const char *answer_references(server *s, document *d, const json_t *params, json_writer *w) {
  places list = {0};
  size_t name, start, end;
  bool with_declaration = json_is_true(member(member(params, "context"), "includeDeclaration"));
  if (outline_at(d->outline, document_offset(s, d, params), &name, &start, &end))
    outline_places(d->outline, name, with_declaration, &list);
  json_begin_array(w);
  for (size_t i = 0; i < list.count && i < 2 * MOST_LOCATIONS; i += 2)
    write_location(s, d, w, list.at[i], list.at[i + 1]);
  json_end_array(w);
  VECTOR_FREE(list);
  return NULL;
}

const char *answer_highlight(server *s, document *d, const json_t *params, json_writer *w) {
  places list = {0};
  size_t name, start, end;
  if (outline_at(d->outline, document_offset(s, d, params), &name, &start, &end))
    outline_places(d->outline, name, true, &list);
  json_begin_array(w);
  for (size_t i = 0; i < list.count && i < 2 * MOST_LOCATIONS; i += 2) {
    json_begin_object(w);
    write_range(s, d, w, "range", list.at[i], list.at[i + 1]);
    json_end_object(w);
  }
  json_end_array(w);
  VECTOR_FREE(list);
  return NULL;
}

/* ---- other names ---- */

/* NULL, or why the name is not changed: another file would have to be. */
static const char *stands_in_others(const outlined *n) {
  return *n->file || n->is_elsewhere ? "the name stands in an included file too, which is not changed" : NULL;
}

/* NULL, or why the text cannot be changed: uses that are not understood would be missed. */
static const char *cannot_rename(const document *d) {
  return outline_flag(d->outline, "model") ? NULL : "names are changed only in a text without errors";
}

const char *answer_prepare_rename(server *s, document *d, const json_t *params, json_writer *w) {
  size_t name, start, end;
  const char *why = cannot_rename(d);
  if (why) return why;
  if (!outline_at(d->outline, document_offset(s, d, params), &name, &start, &end))
    return "there is no name of the model here";
  outlined n = outline_name(d->outline, name);
  why = stands_in_others(&n);
  if (why) return why;
  json_begin_object(w);
  write_range(s, d, w, "range", start, end);
  json_field_string(w, "placeholder", n.name);
  json_end_object(w);
  return NULL;
}

static bool is_plain_name(const char *name) {
  bool fine = *name == '_' || ((*name | 32) >= 'a' && (*name | 32) <= 'z');
  for (; fine && *name; name++)
    fine =
        *name == '_' || *name == '\'' || (*name >= '0' && *name <= '9') || ((*name | 32) >= 'a' && (*name | 32) <= 'z');
  return fine;
}

/* Words that mean something somewhere: as names they would be allowed, but hard to read. */
static bool is_word_of_language(const document *d, const char *name) {
  for (size_t i = 0; i < outline_word_count(d->outline); i++)
    if (!strcmp(outline_word(d->outline, i), name)) return true;
  return false;
}

/* Names of whatever kind are kept apart, so that none comes to mean another thing. */
static bool is_taken(const document *d, size_t renamed, const char *name) {
  for (size_t i = 0; i < outline_count(d->outline); i++)
    if (i != renamed && !strcmp(outline_name(d->outline, i).name, name)) return true;
  return false;
}

const char *answer_rename(server *s, document *d, const json_t *params, json_writer *w) {
  enum { LONGEST = 200 };
  const char *to = member_string(params, "newName"), *why = cannot_rename(d);
  size_t name, start, end;
  if (why) return why;
  if (!outline_at(d->outline, document_offset(s, d, params), &name, &start, &end))
    return "there is no name of the model here";
  if (!is_plain_name(to) || strlen(to) > LONGEST) return "a name is a letter or _, then letters, digits, _ and '";
  if (is_word_of_language(d, to)) return "this is a word of the language";
  if (is_taken(d, name, to)) return "there is another thing of this name";
  outlined n = outline_name(d->outline, name);
  why = stands_in_others(&n);
  if (why) return why;
  places list = {0};
  outline_places(d->outline, name, true, &list);
  json_begin_object(w);
  json_field_object(w, "changes");
  json_field_array(w, d->uri);
  for (size_t i = 0; i < list.count; i += 2) {
    json_begin_object(w);
    write_range(s, d, w, "range", list.at[i], list.at[i + 1]);
    json_field_string(w, "newText", to);
    json_end_object(w);
  }
  json_end_array(w);
  json_end_object(w);
  json_end_object(w);
  VECTOR_FREE(list);
  return NULL;
}

/* ---- layout ---- */

/* One edit, of the lines from the first that differs to the last. */
const char *answer_formatting(server *s, document *d, const json_t *params, json_writer *w) {
  (void)params;
  const json_t *layout = json_object_get(d->outline, "layout");
  const char *to = json_string_value(layout), *from = text_string(&d->text.text);
  json_begin_array(w);
  if (to) {
    size_t count = d->text.text.count, made = json_string_length(layout), same = 0, end = 0;
    while (same < count && same < made && from[same] == to[same]) same++;
    while (same && from[same - 1] != '\n') same--;
    while (end < count - same && end < made - same && from[count - end - 1] == to[made - end - 1]) end++;
    while (end && from[count - end] != '\n') end--;
    char *part = memory_copy_bytes(to + same, made - end - same);
    json_begin_object(w);
    write_range(s, d, w, "range", same, count - end);
    json_field_string(w, "newText", part);
    json_end_object(w);
    memory_free(part);
  }
  json_end_array(w);
  return NULL;
}

/* ---- symbols ---- */

static int symbol_number(const char *kind) {
  static const struct {
    const char *kind;
    int number;
  } list[] = {{"constant", 14}, {"parameter", 14}, {"variable", 13},  {"clock", 13},   {"definition", 12},
              {"process", 5},   {"program", 2},    {"procedure", 12}, {"type", 5},     {"action", 24},
              {"state", 22},    {"label", 20},     {"property", 7},   {"argument", 13}};
  for (size_t i = 0; i < ARRAY_LENGTH(list); i++)
    if (!strcmp(list[i].kind, kind)) return list[i].number;
  return 0;
}

static void begin_symbol(const server *s, const document *d, json_writer *w, const outlined *n) {
  json_begin_object(w);
  json_field_string(w, "name", n->name);
  json_field_string(w, "detail", *n->declared ? n->declared : n->kind);
  json_field_count(w, "kind", (uint64_t)symbol_number(n->kind));
  write_range(s, d, w, "range", n->from, n->to);
  write_range(s, d, w, "selectionRange", n->start, n->end);
}

/* Names of processes and what they have: chains from the last to the first. */
typedef struct owners {
  names *last; /* name of a process -> one more than the last thing that it has */
  VECTOR(uint64_t) before;
} owners;

static owners owners_of(const json_t *outline) {
  owners o = {.last = names_new()};
  for (size_t i = 0; i < outline_count(outline); i++) {
    outlined n = outline_name(outline, i);
    uint64_t last = 0;
    if (*n.of) names_get(o.last, n.of, &last);
    VECTOR_PUSH(o.before, last);
    if (*n.of) names_set(o.last, n.of, i + 1);
  }
  return o;
}

static void owners_clear(owners *o) {
  names_free(o->last);
  VECTOR_FREE(o->before);
}

static void write_children(const server *s, const document *d, json_writer *w, const outlined *of, const owners *o) {
  uint64_t next = 0;
  names_get(o->last, of->name, &next);
  json_field_array(w, "children");
  for (; next; next = o->before.at[next - 1]) {
    outlined n = outline_name(d->outline, (size_t)next - 1);
    if (!symbol_number(n.kind) || *n.file || n.start < of->from || n.end > of->to) continue;
    begin_symbol(s, d, w, &n);
    json_end_object(w);
  }
  json_end_array(w);
}

const char *answer_symbols(server *s, document *d, const json_t *params, json_writer *w) {
  (void)params;
  owners o = owners_of(d->outline);
  json_begin_array(w);
  for (size_t i = 0; i < outline_count(d->outline); i++) {
    outlined n = outline_name(d->outline, i);
    if (!symbol_number(n.kind) || *n.of || *n.file) continue;
    begin_symbol(s, d, w, &n);
    bool has_some = !strcmp(n.kind, "process") || !strcmp(n.kind, "program") || !strcmp(n.kind, "procedure");
    if (has_some) write_children(s, d, w, &n, &o);
    json_end_object(w);
  }
  json_end_array(w);
  owners_clear(&o);
  return NULL;
}
