/* Sets of states as text:
 *
 *     whet-states 1
 *     model peterson.whet
 *     property mutex
 *     variables 2             the levels, from the root on: one name a line
 *     x
 *     P[1].loc
 *     nodes 3                 numbered from 1 on, those they lead to before them
 *     1 0:0 2..5:0            level (from 0), then edges: a value or a range, and the node it leads to; 0 is the end
 *     1 0:0
 *     0 0..3:1 7:2
 *     root 3                  or: root none, for the empty set
 *
 * Reading trusts nothing: what comes out is a diagram as diagram.h describes it, over variables of the model. */
#include "base/map.h"
#include "proof/format/formats.h"

static void write_edge(const diagram_edge *e, text *out) {
  if (e->low == e->high)
    text_add(out, " %lld:%u", (long long)e->low, e->child);
  else
    text_add(out, " %lld..%lld:%u", (long long)e->low, (long long)e->high, e->child);
}

/* For people: what a file is called may have more than one line. */
static void write_model_name(const model *m, text *out) {
  text_add(out, "model ");
  for (const char *s = m->name; *s; s++) text_add_char(out, (unsigned char)*s < ' ' ? '?' : *s);
  text_add_char(out, '\n');
}

void states_write(const model *m, size_t property, const evidence *e, text *out) {
  const diagram *d = e->states;
  text_add(out, "%s %d\n", evidence_row_of(EVIDENCE_STATES)->first_words, CERTIFICATE_VERSION);
  write_model_name(m, out);
  text_add(out, "property %s\nvariables %zu\n", m->properties.at[property].name, d->levels.count);
  for (size_t i = 0; i < d->levels.count; i++) text_add(out, "%s\n", variable_name(m->terms, d->levels.at[i]));
  text_add(out, "nodes %zu\n", d->nodes.count - 1);
  for (size_t n = 1; n < d->nodes.count; n++) {
    const diagram_node *node = &d->nodes.at[n];
    text_add(out, "%u", node->level);
    for (uint32_t i = 0; i < node->count; i++) write_edge(&d->edges.at[node->first + i], out);
    text_add_char(out, '\n');
  }
  if (d->is_empty)
    text_add(out, "root none\n");
  else
    text_add(out, "root %u\n", d->root);
}

/* ---- reading ---- */

typedef struct states_reader {
  model *m;
  const char *start, *at, *end;
  diagram *d;
  char *error;
} states_reader;

static bool fail(states_reader *r, TAKE char *message) {
  if (r->error)
    memory_free(message);
  else
    r->error = error_at(r->start, (size_t)(r->end - r->start), (size_t)(r->at - r->start), message);
  return false;
}

static bool accept_char(states_reader *r, char c) {
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool expect_word(states_reader *r, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length))
    return fail(r, text_format("expected '%s'", word));
  r->at += length;
  return true;
}

static bool expect_newline(states_reader *r) {
  accept_char(r, '\r');
  return accept_char(r, '\n') || fail(r, text_format("expected the end of the line"));
}

static bool read_int(states_reader *r, int64_t *out) {
  const char *first = r->at;
  number n;
  if (r->at < r->end && *r->at == '-') r->at++;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9') r->at++;
  if (number_parse(first, (size_t)(r->at - first), &n) && number_to_int64(n, out)) return true;
  r->at = first;
  return fail(r, text_format("expected a number of 64 bits"));
}

static bool read_count(states_reader *r, uint32_t *out) {
  int64_t n;
  const char *first = r->at;
  if (!read_int(r, &n)) return false;
  if (n >= 0 && n < UINT32_MAX) {
    *out = (uint32_t)n;
    return true;
  }
  r->at = first;
  return fail(r, text_format("expected a number from 0 to %u", UINT32_MAX - 1));
}

/* The rest of the line, as a string of its own. */
static GIVE char *read_line(states_reader *r) {
  const char *first = r->at;
  while (r->at < r->end && *r->at != '\n' && *r->at != '\r') r->at++;
  char *line = memory_copy_bytes(first, (size_t)(r->at - first));
  expect_newline(r);
  return line;
}

static bool read_version(states_reader *r) {
  uint32_t version;
  while (r->at < r->end && memchr(" \t\r\n", *r->at, 4)) r->at++;
  char *first = text_format("%s ", evidence_row_of(EVIDENCE_STATES)->first_words);
  bool fine = expect_word(r, first) && read_count(r, &version);
  memory_free(first);
  if (!fine) return false;
  if (version != CERTIFICATE_VERSION)
    return fail(r,
                text_format("this certificate is of another version; only version %d is known", CERTIFICATE_VERSION));
  return expect_newline(r);
}

static bool read_property(states_reader *r, size_t *property) {
  char *message = NULL;
  if (!expect_word(r, "property ")) return false;
  const char *first = r->at;
  char *name = read_line(r);
  bool found = !r->error && property_named(r->m, name, property, &message);
  memory_free(name);
  if (found || r->error) return found;
  r->at = first;
  return fail(r, message);
}

static bool read_variable(states_reader *r, map *seen) {
  const char *first = r->at;
  variable v;
  char *name = read_line(r);
  bool is_known = variable_find(r->m->terms, name, &v) && model_is_state_variable(r->m, v),
       is_new = is_known && !map_get(seen, v.x, NULL);
  char *message = !is_known ? text_format("the model has no variable %s", name)
                  : !is_new ? text_format("variable %s is listed twice", name)
                            : NULL;
  memory_free(name);
  if (message) {
    r->at = first;
    return fail(r, message);
  }
  map_set(seen, v.x, 1);
  VECTOR_PUSH(r->d->levels, v);
  return !r->error;
}

static bool read_variables(states_reader *r) {
  uint32_t count;
  if (!expect_word(r, "variables ") || !read_count(r, &count) || !expect_newline(r)) return false;
  map *seen = map_new();
  bool fine = true;
  for (uint32_t i = 0; i < count && fine; i++) fine = read_variable(r, seen);
  map_free(seen);
  r->d->nodes.at[DIAGRAM_END].level = (uint32_t)r->d->levels.count;
  return fine;
}

static bool read_edge(states_reader *r, uint32_t level, const diagram_edge *before, diagram_edge *out) {
  if (!read_int(r, &out->low)) return false;
  out->high = out->low;
  if (accept_char(r, '.') && (!expect_word(r, ".") || !read_int(r, &out->high))) return false;
  if (out->high < out->low || (before && before->high >= out->low))
    return fail(r, text_format("values must be ascending"));
  if (!expect_word(r, ":") || !read_count(r, &out->child)) return false;
  if (out->child >= r->d->nodes.count || r->d->nodes.at[out->child].level != level + 1)
    return fail(r, text_format("node %u is not one of the next level before this one", out->child));
  return true;
}

static bool read_node(states_reader *r) {
  diagram_node n = {.first = (uint32_t)r->d->edges.count};
  if (!read_count(r, &n.level)) return false;
  if (n.level >= r->d->levels.count) return fail(r, text_format("there is no level %u", n.level));
  while (accept_char(r, ' ')) {
    diagram_edge e;
    if (!read_edge(r, n.level, n.count ? &VECTOR_LAST(r->d->edges) : NULL, &e)) return false;
    if (r->d->edges.count >= UINT32_MAX) return fail(r, text_format("too many edges"));
    VECTOR_PUSH(r->d->edges, e);
    n.count++;
  }
  if (!n.count) return fail(r, text_format("expected an edge"));
  VECTOR_PUSH(r->d->nodes, n);
  return expect_newline(r);
}

static bool read_root(states_reader *r) {
  if (!expect_word(r, "root ")) return false;
  if (r->at < r->end && *r->at == 'n') return expect_word(r, "none");
  if (!read_count(r, &r->d->root)) return false;
  if (r->d->root >= r->d->nodes.count || r->d->nodes.at[r->d->root].level != 0)
    return fail(r, text_format("the root is not of the first level"));
  r->d->is_empty = false;
  return true;
}

static bool read_states(states_reader *r, size_t *property) {
  uint32_t count;
  if (!read_version(r) || !expect_word(r, "model ")) return false;
  memory_free(read_line(r));
  if (r->error || !read_property(r, property) || !read_variables(r)) return false;
  if (!expect_word(r, "nodes ") || !read_count(r, &count) || !expect_newline(r)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!read_node(r)) return false;
  if (!read_root(r)) return false;
  while (r->at < r->end && memchr(" \t\r\n", *r->at, 4)) r->at++;
  return r->at == r->end || fail(r, text_format("expected the end of the file"));
}

bool states_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  states_reader r = {.m = m, .start = content, .at = content, .end = content + length, .d = diagram_new(0, NULL)};
  e->kind = EVIDENCE_STATES;
  e->states = r.d;
  if (read_states(&r, property)) return true;
  *error = r.error;
  return false;
}
