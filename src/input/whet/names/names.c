/* Uses of names are noted by the place of one word: the first or the last of an expression. */
#include "input/whet/names/names.h"

void name_record_clear(name_record *r) {
  VECTOR_FREE(r->symbols);
  VECTOR_FREE(r->uses);
}

bool name_is_spelled(const source *s, uint32_t offset, const word *w, span *out) {
  bool is_quoted = offset < s->length && s->text[offset] == '|';
  uint32_t start = offset + is_quoted;
  if (start > s->length || w->length > s->length - start || memcmp(s->text + start, w->text, w->length)) return false;
  *out = (span){offset, start + w->length + is_quoted};
  return !is_quoted || (out->end <= s->length && s->text[out->end - 1] == '|');
}

static void note(scope *s, uint32_t start, name_use use) {
  if (name_is_spelled(s->reporter->source, start, use.word, &use.at)) VECTOR_PUSH(s->record->uses, use);
}

static uint32_t start_of_last(const source *s, span at, const word *w) {
  uint32_t end = at.end > s->length ? s->length : at.end, length = w->length;
  if (end && s->text[end - 1] == '|') length += 2;
  return end >= at.start + length ? end - length : at.start;
}

void scope_note_symbol(scope *s, const symbol *made) {
  if (s->record) VECTOR_PUSH(s->record->symbols, made);
}

void scope_note_first(scope *s, span at, const symbol *used) {
  if (s->record) note(s, at.start, (name_use){.symbol = used, .word = used->word});
}

void scope_note_last(scope *s, span at, const symbol *used) {
  if (!s->record) return;
  note(s, start_of_last(s->reporter->source, at, used->word), (name_use){.symbol = used, .word = used->word});
}

void scope_note_member(scope *s, span at, const family *of, const word *used) {
  if (!s->record) return;
  note(s, start_of_last(s->reporter->source, at, used), (name_use){.family = of, .word = used});
}

/* ---- messages about a text that is half written ---- */

enum { MOST_KEPT = 100 };

static bool is_part(char c) {
  return c == '_' || c == '\'' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool stands_between(const source *s, uint32_t from, uint32_t to, const char *word, size_t length) {
  for (uint32_t i = from; i + length <= to; i++) {
    bool starts = !i || !is_part(s->text[i - 1]), ends = i + length >= s->length || !is_part(s->text[i + length]);
    if (starts && ends && !memcmp(s->text + i, word, length)) return true;
  }
  return false;
}

/* In what is no part of a declaration that was understood. */
static bool stands_elsewhere(const source *s, const module *m, const char *word, size_t length) {
  uint32_t from = 0;
  for (size_t i = 0; i < m->declarations.count; i++) {
    span at = m->declarations.at[i]->at;
    if (stands_between(s, from, at.start, word, length)) return true;
    from = at.end;
  }
  return stands_between(s, from, s->length, word, length);
}

static bool is_plain_word(const char *word, size_t length) {
  static const char *const list[] = {
#define WORD(NAME) #NAME,
#include "input/whet/parse/words.def"
#undef WORD
  };
  if (!length || (word[0] >= '0' && word[0] <= '9')) return false;
  for (size_t i = 0; i < ARRAY_LENGTH(list); i++)
    if (strlen(list[i]) == length && !memcmp(list[i], word, length)) return false;
  return true;
}

void names_keep_findings(const source *s, const module *m, const findings *found, diagnostics *d) {
  for (size_t i = 0; i < found->list.count && i < MOST_KEPT; i++) {
    const finding *f = &found->list.at[i];
    const char *word = s->text + f->offset;
    size_t length = 0;
    while (f->offset + length < s->length && is_part(word[length])) length++;
    if (!is_plain_word(word, length) || stands_elsewhere(s, m, word, length)) continue;
    finding copy = {.offset = f->offset, .message = memory_copy_string(f->message)};
    text_add_bytes(&copy.hints, text_string(&f->hints), f->hints.count);
    VECTOR_PUSH(d->findings->list, copy);
    d->errors++;
  }
}
