/* Messages with their place, the source line, a caret, and hints. */
#include "input/diagnostic.h"

#include <ctype.h>

enum { SHOWN_WIDTH = 110 }; /* characters of a source line that are shown */
enum { BLOCK = 1024 };      /* of text, for counting characters */

static bool continues_character(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

/* From offset `from` on, where `continued` bytes before start no character. */
static void count_characters(source *s, uint32_t from, uint32_t continued) {
  for (uint32_t i = from; i < s->length; i++) {
    if (i % BLOCK == 0) VECTOR_PUSH(s->continued, continued);
    continued += continues_character(s->text[i]);
  }
  VECTOR_PUSH(s->continued, continued);
}

/* The lines that begin at `from` and behind it. */
static void add_lines(source *s, uint32_t from) {
  VECTOR_PUSH(s->lines, from);
  for (const char *at = s->text + from, *end = s->text + s->length; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    if (!newline) break;
    at = newline + 1;
    VECTOR_PUSH(s->lines, (uint32_t)(at - s->text));
  }
}

void source_open(source *s, const char *path, const char *content, size_t length) {
  REQUIRE(length < UINT32_MAX, "offsets are 32 bits");
  *s = (source){.path = path, .text = content, .length = (uint32_t)length, .own = (uint32_t)length};
  add_lines(s, 0);
  count_characters(s, 0, 0);
}

/* Files are apart by a line end, which belongs to the first: so its end is a place in it. */
void source_add_file(source *s, const char *path, const char *content, size_t length, uint32_t from) {
  REQUIRE(length < UINT32_MAX - s->length - 1, "offsets are 32 bits");
  uint32_t before = s->length, counted = VECTOR_LAST(s->continued);
  if (!s->joined.count) text_add_bytes(&s->joined, s->text, s->length);
  text_add_char(&s->joined, '\n');
  text_add_bytes(&s->joined, content, length);
  s->text = text_string(&s->joined);
  s->length = (uint32_t)s->joined.count;
  s->continued.count--;
  count_characters(s, before, counted);
  included_file made = {memory_copy_string(path), before + 1, s->length, from, s->lines.count};
  VECTOR_PUSH(s->files, made);
  add_lines(s, before + 1);
}

const included_file *source_file(const source *s, uint32_t offset) {
  size_t low = 0, high = s->files.count;
  if (offset <= s->own) return NULL;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->files.at[middle].start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &s->files.at[low - 1] : NULL;
}

const char *source_path(const source *s, uint32_t offset) {
  const included_file *f = source_file(s, offset);
  return f ? f->path : s->path;
}

uint32_t source_own_offset(const source *s, uint32_t offset) {
  for (const included_file *f; (f = source_file(s, offset));) offset = f->from;
  return offset;
}

const char *source_name(const source *s) {
  const char *slash = strrchr(s->path, '/');
  return slash ? slash + 1 : s->path;
}

void source_close(source *s) {
  for (size_t i = 0; i < s->files.count; i++) memory_free(s->files.at[i].path);
  VECTOR_FREE(s->lines);
  VECTOR_FREE(s->continued);
  VECTOR_FREE(s->files);
  text_clear(&s->joined);
}

/* The index of the last line that starts at or before `offset`. */
static size_t line_of(const source *s, uint32_t offset) {
  size_t low = 0, high = s->lines.count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (s->lines.at[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* How many bytes before `offset` start no character. */
static uint32_t continued_before(const source *s, uint32_t offset) {
  uint32_t all = VECTOR_LAST(s->continued);
  if (!all || offset == s->length) return all;
  uint32_t count = s->continued.at[offset / BLOCK];
  for (uint32_t i = offset - offset % BLOCK; i < offset; i++) count += continues_character(s->text[i]);
  return count;
}

place source_place(const source *s, uint32_t offset) {
  if (offset > s->length) offset = s->length;
  size_t line = line_of(s, offset);
  uint32_t start = s->lines.at[line];
  const included_file *f = source_file(s, offset);
  uint32_t column = offset - start - (continued_before(s, offset) - continued_before(s, start)) + 1;
  if (!f) return (place){.line = (uint32_t)line + 1, .column = column};
  return (place){(uint32_t)(line - f->first_line) + 1, column, (uint32_t)(f - s->files.at) + 1};
}

uint32_t source_offset(const source *s, place at) {
  size_t line = at.line ? at.line - 1 : 0;
  if (at.file && at.file <= s->files.count) line += s->files.at[at.file - 1].first_line;
  if (!at.line || line >= s->lines.count) return 0;
  uint32_t offset = s->lines.at[line];
  for (uint32_t column = 1; offset < s->length && column < at.column; column++)
    for (offset++; offset < s->length && ((unsigned char)s->text[offset] & 0xc0) == 0x80;) offset++;
  return offset;
}

/* The length of the comment that starts at `at`, 0 if none does. */
static uint32_t comment_length(const source *s, uint32_t at, uint32_t end) {
  if (at + 1 >= end || s->text[at] != '/') return 0;
  uint32_t i = at + 2;
  if (s->text[at + 1] == '/') {
    while (i < end && s->text[i] != '\n') i++;
    return i - at;
  }
  if (s->text[at + 1] != '*') return 0;
  while (i < end && !(s->text[i - 1] == '*' && s->text[i] == '/' && i > at + 2)) i++;
  return (i < end ? i + 1 : end) - at;
}

GIVE char *source_excerpt(const source *s, span at, size_t most) {
  text out = {0};
  bool blank = false;
  if (at.end > s->length) at.end = s->length;
  for (uint32_t i = at.start; i < at.end;) {
    uint32_t skipped = comment_length(s, i, at.end);
    if (!skipped && isspace((unsigned char)s->text[i])) skipped = 1;
    if (skipped) {
      blank = true;
      i += skipped;
      continue;
    }
    if (blank && out.count) text_add_char(&out, ' ');
    blank = false;
    if (out.count >= most) {
      text_add(&out, "..");
      break;
    }
    text_add_char(&out, s->text[i++]);
  }
  return text_give(&out);
}

void reporter_open(reporter *r, source *s, diagnostics *out) {
  *r = (reporter){.source = s, .out = out, .seen = map_new()};
}

void reporter_close(reporter *r) {
  if (reporter_is_full(r)) text_add(&r->out->text, "%s: stopped after %d errors\n", r->source->path, DIAGNOSTIC_LIMIT);
  map_free(r->seen);
}

bool reporter_is_full(const reporter *r) {
  return r->out->errors >= (r->out->findings ? r->out->findings->most : DIAGNOSTIC_LIMIT);
}

void findings_clear(findings *f) {
  for (size_t i = 0; i < f->list.count; i++) {
    memory_free(f->list.at[i].message);
    text_clear(&f->list.at[i].hints);
  }
  VECTOR_FREE(f->list);
}

static void keep_finding(diagnostics *d, uint32_t offset, const char *message) {
  if (!d->findings) return;
  VECTOR_PUSH(d->findings->list, (finding){.offset = offset, .message = memory_copy_string(message)});
}

/* One character of a source line as it can be shown: control characters and broken UTF-8 become question marks. */
static void add_character(text *out, const char *at, const char *end) {
  unsigned char first = (unsigned char)*at;
  size_t wanted = first < 0x80 ? 1 : first >= 0xF0 && first < 0xF8 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  size_t length = 1;
  while (at + length < end && continues_character(at[length])) length++;
  if (first == '\t')
    text_add_char(out, ' ');
  else if (first < 0x20 || first == 0x7F || length != wanted)
    text_add_char(out, '?');
  else
    text_add_bytes(out, at, length);
}

/* The line of `where` with a caret below its column; long lines are cut around it. */
static void add_line(text *out, const source *s, uint32_t offset, place where) {
  const included_file *f = source_file(s, offset);
  size_t before_it = f ? f->first_line : 0;
  const char *line = s->text + s->lines.at[before_it + where.line - 1], *end = s->text + (f ? f->end : s->own);
  const char *newline = memchr(line, '\n', (size_t)(end - line));
  if (newline) end = newline;
  if (end > line && end[-1] == '\r') end--;
  const char *from = line, *caret = s->text + offset;
  size_t before = where.column - 1;
  if (before > SHOWN_WIDTH * 2 / 3) {
    for (before = 0, from = caret; from > line && before < SHOWN_WIDTH / 2; before += !continues_character(*from))
      from--;
    while (from > line && continues_character(*from)) from--;
  }
  bool cut_left = from > line;
  text_add(out, "    %s", cut_left ? ".." : "");
  size_t shown = 0;
  const char *at = from;
  for (; at < end && shown < SHOWN_WIDTH; shown++) {
    add_character(out, at, end);
    do at++;
    while (at < end && continues_character(*at));
  }
  text_add(out, "%s\n    %*s^\n", at < end ? ".." : "", (int)(before + (cut_left ? 2 : 0)), "");
}

static bool seen_before(reporter *r, uint32_t offset, const char *message) {
  uint64_t key = hash_bytes(message, strlen(message), offset), value;
  if (map_get(r->seen, key, &value)) return true;
  map_set(r->seen, key, 1);
  return false;
}

void report_error(reporter *r, uint32_t offset, const char *format, ...) {
  text message = {0};
  va_list list;
  va_start(list, format);
  text_add_list(&message, format, list);
  va_end(list);
  r->hinting = !reporter_is_full(r) && !seen_before(r, offset, text_string(&message));
  if (r->hinting) {
    if (offset > r->source->length) offset = r->source->length;
    place where = source_place(r->source, offset);
    text *out = &r->out->text;
    const char *path = source_path(r->source, offset);
    text_add(out, "%s:%u:%u: error: %s\n", path, where.line, where.column, text_string(&message));
    r->file = where.file;
    add_line(out, r->source, offset, where);
    keep_finding(r->out, offset, text_string(&message));
    r->out->errors++;
  }
  text_clear(&message);
}

void report_hint(reporter *r, const char *format, ...) {
  if (!r->hinting) return;
  va_list list;
  text hint = {0};
  va_start(list, format);
  text_add_list(&hint, format, list);
  va_end(list);
  text_add(&r->out->text, "hint: %s\n", text_string(&hint));
  findings *kept = r->out->findings;
  if (kept && kept->list.count) text_add(&VECTOR_LAST(kept->list).hints, "%s\n", text_string(&hint));
  text_clear(&hint);
}

void report_first_place(reporter *r, const char *what, uint32_t offset) {
  if (!r->hinting) return;
  place where = source_place(r->source, offset);
  if (where.file == r->file)
    report_hint(r, "%s at line %u, column %u", what, where.line, where.column);
  else
    report_hint(r, "%s at %s:%u:%u", what, source_path(r->source, offset), where.line, where.column);
}

void report_file_error(diagnostics *d, const char *path, const char *format, ...) {
  va_list list;
  text message = {0};
  va_start(list, format);
  text_add_list(&message, format, list);
  va_end(list);
  text_add(&d->text, "%s: error: %s\n", path, text_string(&message));
  keep_finding(d, 0, text_string(&message));
  text_clear(&message);
  d->errors++;
}
