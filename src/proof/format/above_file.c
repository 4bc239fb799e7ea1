/* States that nothing above can be reached of, as text:
 *
 *     whet-above 1
 *     model abp.whet
 *     property order
 *     variables 2             those outside of channels: one name a line
 *     Sender
 *     x
 *     channels 1              the same
 *     c
 *     states 2                values of the variables, then for each channel a bar and its messages, as numbers
 *     0 1 | 3 0
 *     2 0 |
 *
 * Reading trusts nothing: the variables are those of the model, in its order, and messages are below the base of their
 * channel. */
#include "proof/format/formats.h"

static bool is_of_channel(const model *m, variable v) {
  for (size_t i = 0; i < m->queues.count; i++)
    for (size_t j = 0; j < queue_variable_count(&m->queues.at[i]); j++)
      if (variable_same(queue_variable(&m->queues.at[i], j), v)) return true;
  return false;
}

/* For people: what a file is called may have more than one line. */
static void write_line(const char *words, text *out) {
  for (const char *s = words; *s; s++) text_add_char(out, (unsigned char)*s < ' ' ? '?' : *s);
  text_add_char(out, '\n');
}

void above_write(const model *m, size_t property, const evidence *e, text *out) {
  const states_above *a = &e->above;
  text_add(out, "%s%d\nmodel ", evidence_row_of(EVIDENCE_ABOVE)->first_words, CERTIFICATE_VERSION);
  write_line(m->name, out);
  text_add(out, "property %s\nvariables %zu\n", m->properties.at[property].name, a->width);
  for (size_t i = 0; i < m->variables.count; i++)
    if (!is_of_channel(m, m->variables.at[i].var))
      text_add(out, "%s\n", variable_name(m->terms, m->variables.at[i].var));
  text_add(out, "channels %zu\n", a->channels);
  for (size_t i = 0; i < m->queues.count; i++) text_add(out, "%s\n", m->queues.at[i].name);
  text_add(out, "states %zu\n", a->count);
  for (size_t i = 0; i < a->count; i++) {
    for (size_t j = 0; j < a->width; j++)
      text_add(out, "%s%lld", j ? " " : "", (long long)a->values.at[i * a->width + j]);
    for (size_t j = 0; j < a->channels; j++) {
      const queue_word *w = &a->contents.at[i * a->channels + j];
      text_add(out, a->width || j ? " |" : "|");
      for (size_t k = 0; k < w->count; k++) text_add(out, " %llu", (unsigned long long)w->at[k]);
    }
    text_add_char(out, '\n');
  }
}

/* ---- reading ---- */

typedef struct above_reader {
  model *m;
  const char *start, *at, *end;
  states_above *out;
  char *error;
} above_reader;

static bool fail(above_reader *r, TAKE char *message) {
  if (r->error)
    memory_free(message);
  else
    r->error = error_at(r->start, (size_t)(r->end - r->start), (size_t)(r->at - r->start), message);
  return false;
}

static bool accept(above_reader *r, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length)) return false;
  r->at += length;
  return true;
}

static bool expect(above_reader *r, const char *word) {
  return accept(r, word) || fail(r, text_format("expected '%s'", word));
}

static bool expect_newline(above_reader *r) {
  accept(r, "\r");
  return accept(r, "\n") || fail(r, text_format("expected the end of the line"));
}

static bool read_number(above_reader *r, int64_t low, int64_t high, int64_t *out) {
  const char *first = r->at;
  number n;
  if (r->at < r->end && *r->at == '-') r->at++;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9') r->at++;
  if (number_parse(first, (size_t)(r->at - first), &n) && number_to_int64(n, out) && *out >= low && *out <= high)
    return true;
  r->at = first;
  return fail(r, text_format("expected a number from %lld to %lld", (long long)low, (long long)high));
}

/* "WORD COUNT" on a line. */
static bool read_count(above_reader *r, const char *word, int64_t *count) {
  return expect(r, word) && read_number(r, 0, UINT32_MAX, count) && expect_newline(r);
}

static bool expect_name(above_reader *r, const char *name) {
  const char *first = r->at;
  if (accept(r, name) && (accept(r, "\n") || accept(r, "\r\n"))) return true;
  r->at = first;
  return fail(
      r,
      text_format("expected the name %s: all variables are listed in the order of the model, and all channels", name));
}

/* The rest of the line, as a string of its own. */
static GIVE char *read_line(above_reader *r) {
  const char *first = r->at;
  while (r->at < r->end && *r->at != '\n' && *r->at != '\r') r->at++;
  char *line = memory_copy_bytes(first, (size_t)(r->at - first));
  expect_newline(r);
  return line;
}

static bool read_property(above_reader *r, size_t *property) {
  char *message = NULL;
  if (!expect(r, "property ")) return false;
  const char *first = r->at;
  char *name = read_line(r);
  bool found = !r->error && property_named(r->m, name, property, &message);
  memory_free(name);
  if (found || r->error) return found;
  r->at = first;
  return fail(r, message);
}

static bool read_names(above_reader *r) {
  const model *m = r->m;
  int64_t count;
  bool fine = read_count(r, "variables ", &count);
  for (size_t i = 0; i < m->variables.count && fine; i++) {
    if (is_of_channel(m, m->variables.at[i].var)) continue;
    fine = expect_name(r, variable_name(m->terms, m->variables.at[i].var));
    r->out->width++;
  }
  fine = fine && ((size_t)count == r->out->width ||
                  fail(r, text_format("the model has %zu variables outside of channels", r->out->width)));
  fine = fine && read_count(r, "channels ", &count);
  for (size_t i = 0; i < m->queues.count && fine; i++, r->out->channels++) fine = expect_name(r, m->queues.at[i].name);
  return fine && ((size_t)count == r->out->channels ||
                  fail(r, text_format("the model has %zu channels of any length", r->out->channels)));
}

static bool read_word(above_reader *r, const queue *q) {
  queue_word w = {0};
  int64_t message;
  bool fine = expect(r, "|");
  while (fine && r->at + 1 < r->end && r->at[0] == ' ' && r->at[1] != '|') {
    r->at++;
    fine = read_number(r, 0, q->base - 1, &message);
    if (fine) VECTOR_PUSH(w, (uint64_t)message);
  }
  VECTOR_PUSH(r->out->contents, w);
  return fine;
}

static bool read_state(above_reader *r) {
  bool fine = true;
  for (size_t i = 0; i < r->out->width && fine; i++) {
    int64_t value;
    fine = (!i || expect(r, " ")) && read_number(r, INT64_MIN, INT64_MAX, &value);
    if (fine) VECTOR_PUSH(r->out->values, value);
  }
  for (size_t i = 0; i < r->out->channels && fine; i++)
    fine = (!(i || r->out->width) || expect(r, " ")) && read_word(r, &r->m->queues.at[i]);
  return fine && expect_newline(r);
}

static bool read_all(above_reader *r, size_t *property) {
  int64_t version, count;
  while (r->at < r->end && memchr(" \t\r\n", *r->at, 4)) r->at++;
  if (!expect(r, evidence_row_of(EVIDENCE_ABOVE)->first_words) || !read_number(r, 0, UINT32_MAX, &version))
    return false;
  if (version != CERTIFICATE_VERSION)
    return fail(r,
                text_format("this certificate is of another version; only version %d is known", CERTIFICATE_VERSION));
  if (!expect_newline(r) || !expect(r, "model ")) return false;
  memory_free(read_line(r));
  if (r->error || !read_property(r, property) || !read_names(r) || !read_count(r, "states ", &count)) return false;
  if (!r->out->channels) return fail(r, text_format("the model has no channels of any length"));
  for (; r->out->count < (size_t)count; r->out->count++)
    if (!read_state(r)) return false;
  while (r->at < r->end && memchr(" \t\r\n", *r->at, 4)) r->at++;
  return r->at == r->end || fail(r, text_format("expected the end of the file"));
}

bool above_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  above_reader r = {.m = m, .start = content, .at = content, .end = content + length, .out = &e->above};
  e->kind = EVIDENCE_ABOVE;
  if (read_all(&r, property)) return true;
  *error = r.error;
  return false;
}
