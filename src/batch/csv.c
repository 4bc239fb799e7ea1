/* One pass over the characters. */
#include "batch/csv.h"

#include "base/memory.h"

/* Up to the quote that closes it; false if there is none. Counts lines. */
static bool read_quoted(const char **at, size_t *line, text *field) {
  for (const char *c = *at + 1; *c; c++) {
    if (*c == '"' && c[1] != '"') {
      *at = c + 1;
      return true;
    }
    if (*c == '"') c++;
    *line += *c == '\n';
    text_add_char(field, *c);
  }
  return false;
}

static bool is_end(char c) { return !c || c == ',' || c == '\n' || c == '\r'; }

/* Blanks around a field are no part of it. */
static GIVE char *read_field(csv_table *t, const char **at, size_t *line, csv_row *row) {
  text field = {0};
  *at += strspn(*at, " \t");
  bool is_quoted = **at == '"', fine = !is_quoted || read_quoted(at, line, &field);
  size_t length = 0;
  if (is_quoted && fine)
    *at += strspn(*at, " \t");
  else if (fine)
    while (!is_end((*at)[length])) length++;
  if (!is_quoted) {
    size_t kept = length;
    while (kept && strchr(" \t", (*at)[kept - 1])) kept--;
    text_add_bytes(&field, *at, kept);
  }
  *at += length;
  VECTOR_PUSH(row->fields, arena_copy_string(t->arena, text_string(&field)));
  text_clear(&field);
  if (!fine) return text_format("%zu: a quote is not closed", row->line);
  return is_end(**at) ? NULL : text_format("%zu: something follows the closing quote of a field", *line);
}

char *csv_read(csv_table *t, const char *content) {
  size_t line = 1;
  char *wrong = NULL;
  *t = (csv_table){.arena = arena_new()};
  for (const char *at = content; *at && !wrong;) {
    csv_row row = {.line = line};
    do {
      at += row.fields.count > 0;
      wrong = read_field(t, &at, &line, &row);
    } while (!wrong && *at == ',');
    if (*at == '\r') at++;
    if (*at == '\n') {
      at++;
      line++;
    }
    if (row.fields.count > 1 || *row.fields.at[0])
      VECTOR_PUSH(t->rows, row);
    else
      VECTOR_FREE(row.fields);
  }
  return wrong;
}

void csv_clear(csv_table *t) {
  for (size_t i = 0; i < t->rows.count; i++) VECTOR_FREE(t->rows.at[i].fields);
  VECTOR_FREE(t->rows);
  arena_free(t->arena);
}

void csv_add_field(text *out, const char *field) {
  bool is_first = !out->count || out->at[out->count - 1] == '\n';
  if (!is_first) text_add_char(out, ',');
  if (!*field && !is_first) return;
  if (!field[strcspn(field, ",\"\r\n")] && *field && *field != ' ' && field[strlen(field) - 1] != ' ') {
    text_add(out, "%s", field);
    return;
  }
  text_add_char(out, '"');
  for (const char *c = field; *c; c++) {
    if (*c == '"') text_add_char(out, '"');
    text_add_char(out, *c);
  }
  text_add_char(out, '"');
}
