/* Completion: names that may stand at a place, and words of the language. What the place is about is told by the text right before it, which may
 * be half written. */
#include <jansson.h>

#include "base/map.h"
#include "lsp/server.h"

enum { MOST_OFFERED = 5000 };

typedef struct place_asked {
  const char *text;
  size_t start;   /* of the word that is being written */
  size_t chunk;   /* of the declaration that it stands in */
  bool is_member; /* behind a dot */
  bool is_state;  /* behind `at` or `goto`, or behind an arrow of a process */
  char *process;  /* before the dot or `at`; "" if there is none */
  char *inside;   /* the process that the place is in; "" if it is in none */
} place_asked;

static bool is_part(char c) {
  return c == '_' || c == '\'' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static size_t skip_blanks_back(const char *text, size_t at) {
  while (at && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
  return at;
}

static size_t word_start(const char *text, size_t end) {
  while (end && is_part(text[end - 1])) end--;
  return end;
}

/* The word that ends at `end`, behind which there may be an index in brackets. */
static char *name_before(const char *text, size_t end) {
  if (end && text[end - 1] == ']') {
    size_t depth = 0;
    do {
      end--;
      depth += text[end] == ']';
      depth -= text[end] == '[';
    } while (end && depth);
    end = skip_blanks_back(text, end);
  }
  size_t start = word_start(text, end);
  return memory_copy_bytes(text + start, end - start);
}

static bool word_is(const char *text, size_t start, size_t end, const char *word) {
  return end - start == strlen(word) && !memcmp(text + start, word, end - start);
}

/* The declaration that the place stands in begins at the last letter that starts a line. */
static size_t find_chunk(const char *text, size_t at) {
  for (size_t i = at; i-- > 0;)
    if ((text[i] | 32) >= 'a' && (text[i] | 32) <= 'z' && (!i || text[i - 1] == '\n')) return i;
  return 0;
}

static char *process_at(const char *text, size_t chunk, size_t end) {
  static const char *const kinds[] = {"process", "program", "procedure"};
  size_t stop = chunk;
  while (stop < end && is_part(text[stop])) stop++;
  bool is_one = false;
  for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) is_one |= word_is(text, chunk, stop, kinds[i]);
  while (stop < end && (text[stop] == ' ' || text[stop] == '\t')) stop++;
  size_t name = stop;
  while (stop < end && is_part(text[stop])) stop++;
  for (size_t i = stop; i < end && is_one; i++) is_one = !(text[i] == '}' && text[i - 1] == '\n');
  return memory_copy_bytes(text + name, is_one ? stop - name : 0);
}

static place_asked look_around(const document *d, size_t offset) {
  const char *text = text_string(&d->text.text);
  place_asked p = {.text = text, .start = word_start(text, offset)};
  p.chunk = find_chunk(text, p.start);
  p.inside = process_at(text, p.chunk, p.start);
  size_t before = skip_blanks_back(text, p.start);
  p.is_member = before && text[before - 1] == '.' && !(before > 1 && text[before - 2] == '.');
  size_t word = word_start(text, before);
  bool is_at = word_is(text, word, before, "at"), is_goto = word_is(text, word, before, "goto");
  bool is_arrow = before > 1 && text[before - 1] == '>' && text[before - 2] == '-' && *p.inside;
  p.is_state = !p.is_member && (is_at || is_goto || is_arrow);
  if (p.is_member)
    p.process = name_before(text, skip_blanks_back(text, before - 1));
  else
    p.process = is_at ? name_before(text, skip_blanks_back(text, word)) : memory_copy_string("");
  return p;
}

static bool is_place_kind(const char *kind) { return !strcmp(kind, "state") || !strcmp(kind, "label"); }

static bool is_bound(const char *kind) {
  return !strcmp(kind, "index") || !strcmp(kind, "input") || !strcmp(kind, "local") || !strcmp(kind, "fixpoint");
}

static bool fits_place(const place_asked *p, const outlined *n, bool is_current) {
  if (p->is_member) return !strcmp(n->of, p->process) && !is_place_kind(n->kind);
  if (p->is_state) {
    const char *of = *p->process ? p->process : p->inside;
    return is_place_kind(n->kind) && (!*of || !strcmp(n->of, of));
  }
  if (is_bound(n->kind)) return is_current && n->start >= p->chunk && n->start < p->start;
  if (!strcmp(n->kind, "property") || (is_place_kind(n->kind) && strcmp(n->of, p->inside))) return false;
  return !*n->of || !strcmp(n->of, p->inside);
}

static int kind_number(const char *kind) {
  static const struct {
    const char *kind;
    int number;
  } list[] = {{"constant", 21}, {"parameter", 21}, {"definition", 3}, {"process", 7}, {"program", 9}, {"procedure", 3},
              {"type", 7},      {"action", 23},    {"state", 20},     {"label", 20},  {"value", 20}};
  for (size_t i = 0; i < ARRAY_LENGTH(list); i++)
    if (!strcmp(list[i].kind, kind)) return list[i].number;
  return 6;
}

static bool is_new(names *offered, const char *label) {
  uint64_t known;
  if (names_count(offered) >= MOST_OFFERED || names_get(offered, label, &known)) return false;
  names_set(offered, label, 1);
  return true;
}

static void offer_names(json_writer *w, const place_asked *p, const json_t *outline, bool is_current, names *offered) {
  for (size_t i = 0; i < outline_count(outline); i++) {
    outlined n = outline_name(outline, i);
    if (!fits_place(p, &n, is_current) || !is_new(offered, n.name)) continue;
    json_begin_object(w);
    json_field_string(w, "label", n.name);
    json_field_count(w, "kind", (uint64_t)kind_number(n.kind));
    const char *shown = *n.declared ? n.declared : n.type;
    text detail = {0};
    text_add(&detail, "%s%s%s", n.kind, *shown ? " : " : "", shown);
    json_field_string(w, "detail", text_string(&detail));
    text_clear(&detail);
    json_end_object(w);
  }
}

/* Of a text that is not well-formed now, names that were there before are offered too. */
const char *answer_completion(server *s, document *d, const json_t *params, json_writer *w) {
  place_asked p = look_around(d, document_offset(s, d, params));
  names *offered = names_new();
  json_begin_array(w);
  offer_names(w, &p, d->outline, true, offered);
  if (!outline_flag(d->outline, "well_formed")) offer_names(w, &p, d->known, false, offered);
  for (size_t i = 0; !p.is_member && !p.is_state && i < outline_word_count(d->outline); i++) {
    if (!is_new(offered, outline_word(d->outline, i))) continue;
    json_begin_object(w);
    json_field_string(w, "label", outline_word(d->outline, i));
    json_field_count(w, "kind", 14);
    json_end_object(w);
  }
  json_end_array(w);
  names_free(offered);
  memory_free(p.process);
  memory_free(p.inside);
  return NULL;
}
