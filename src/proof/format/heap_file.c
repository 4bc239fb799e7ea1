/* Invariants of models with a heap as text, in the syntax of SMT-LIB terms; docs/certificates.md describes it:
 *
 *     whet-heap 1
 *     (property "all_one")
 *     (variables |head| |p|)                      the node variables, in the order of `at`
 *     (part (= |program| 3)                       a formula over the other variables
 *       (at 1 0)                                  their nodes, numbered from 1; 0 is null
 *       (node (data 0 1) (next 0 2) (shared 0))   node 1: values (term/heap/node_layout.h), then a list for each pointer
 *       (node (data 1) (next 0 2) summary))       `shared`: by pointers of these numbers; `(back 0 1)`: pointer 1 leads
 *                                                 back from where pointer 0 leads; `(reached 0 2)`: these variables
 *                                                 lead to all that it stands for
 *     (part (= |program| 7))                      without `at`: any heap
 *
 * Reading trusts nothing; whether graphs mean anything the checker finds out. */
#include "base/escape.h"
#include "proof/format/formats.h"
#include "proof/smtlib_term.h"
#include "term/print.h"

static void write_set(const char *word, uint64_t set, text *out) {
  text_add(out, " (%s", word);
  for (size_t k = 0; k < 64; k++)
    if (set >> k & 1) text_add(out, " %zu", k);
  text_add_char(out, ')');
}

static void write_node(const node_layout *l, const heap_node *n, text *out) {
  text_add(out, "\n  (node");
  write_set("data", n->data, out);
  for (size_t f = 0; f < l->pointer_count; f++) write_set("next", n->next[f], out);
  if (n->is_summary) text_add(out, " summary");
  if (n->shared) write_set("shared", n->shared, out);
  if (n->reached) write_set("reached", n->reached, out);
  for (size_t f = 0; f < l->pointer_count; f++)
    for (size_t g = 0; g < l->pointer_count; g++)
      if (n->back & HEAP_BACK(f, g)) text_add(out, " (back %zu %zu)", f, g);
  text_add_char(out, ')');
}

static void write_part(const model *m, const invariant_part *p, text *out) {
  text_add(out, "(part ");
  term_print_smtlib(m->terms, part_formula(m->terms, p), out);
  if (p->graph) {
    text_add(out, "\n  (at");
    for (size_t i = 0; i < p->graph->variables; i++) text_add(out, " %u", p->graph->at[i]);
    text_add_char(out, ')');
    for (size_t n = 1; n <= p->graph->count; n++) write_node(m->nodes, &p->graph->nodes[n], out);
  }
  text_add(out, ")\n");
}

void heap_write(const model *m, size_t property, const evidence *e, text *out) {
  variable_vector nodes = {0};
  heap_variables(m, &nodes);
  text_add(out, "%s %d\n(property ", evidence_row_of(EVIDENCE_HEAP)->first_words, CERTIFICATE_VERSION);
  text_add_char(out, '"');
  text_add_escaped(out, m->properties.at[property].name, "\\|\"");
  text_add(out, "\")\n(variables");
  for (size_t i = 0; i < nodes.count; i++) {
    text_add_char(out, ' ');
    variable_print_smtlib(m->terms, nodes.at[i], out);
  }
  text_add(out, ")\n");
  for (size_t i = 0; i < e->parts.count; i++) write_part(m, &e->parts.at[i], out);
  VECTOR_FREE(nodes);
}

/* ---- reading ---- */

typedef struct heap_reader {
  model *model;
  token_reader tokens;
  variable_vector nodes;
  named_terms others; /* variables that formulas are about */
  evidence *evidence;
  char *error;
  size_t place;
} heap_reader;

static bool fail(heap_reader *r, size_t place, TAKE char *error) {
  r->error = error;
  r->place = place;
  return false;
}

static bool expect(heap_reader *r, token_kind kind, const char *spelling) {
  token t = token_next(&r->tokens);
  if (spelling ? token_is(t, kind, spelling) : t.kind == kind) return true;
  const char *what = spelling ? spelling : kind == TOKEN_OPEN ? "(" : kind == TOKEN_CLOSE ? ")" : "a name";
  return fail(r, t.place, t.why ? text_format("%s", t.why) : text_format("expected %s", what));
}

static bool read_number(heap_reader *r, token t, size_t most, size_t *out) {
  size_t n = 0;
  if (t.kind != TOKEN_NUMERAL || t.length > 4) return fail(r, t.place, text_format("expected a number"));
  for (size_t i = 0; i < t.length; i++) n = 10 * n + (size_t)(t.at[i] - '0');
  if (n > most) return fail(r, t.place, text_format("expected a number up to %zu", most));
  *out = n;
  return true;
}

/* Numbers up to a closing parenthesis, as a set. */
static bool read_set(heap_reader *r, size_t most, node_set *out) {
  *out = 0;
  for (;;) {
    size_t n;
    token t = token_next(&r->tokens);
    if (t.kind == TOKEN_CLOSE) return true;
    if (!read_number(r, t, most, &n)) return false;
    *out |= NODE(n);
  }
}

/* `(shared 0 1)`, `(reached 0 1)` or `(back 0 1)`, of which the parenthesis has been read. */
static bool read_mark(heap_reader *r, heap_node *n) {
  token t = token_next(&r->tokens);
  node_set fields;
  size_t from, to;
  if (token_is(t, TOKEN_SYMBOL, "shared")) {
    if (!read_set(r, NODE_MOST_POINTERS - 1, &fields)) return false;
    n->shared |= (uint8_t)fields;
    return true;
  }
  if (token_is(t, TOKEN_SYMBOL, "reached")) {
    if (!read_set(r, HEAP_MOST_VARIABLES - 1, &fields)) return false;
    n->reached |= (uint32_t)fields;
    return true;
  }
  if (!token_is(t, TOKEN_SYMBOL, "back")) return fail(r, t.place, text_format("expected shared, reached or back"));
  if (!read_number(r, token_next(&r->tokens), NODE_MOST_POINTERS - 1, &from) ||
      !read_number(r, token_next(&r->tokens), NODE_MOST_POINTERS - 1, &to) || !expect(r, TOKEN_CLOSE, NULL))
    return false;
  n->back |= (uint16_t)HEAP_BACK(from, to);
  return true;
}

/* `(node` has been read. */
static bool read_node(heap_reader *r, heap_graph *g) {
  if (g->count == HEAP_MOST_NODES)
    return fail(r, (size_t)(r->tokens.at - r->tokens.start), text_format("too many nodes"));
  heap_node *n = &g->nodes[++g->count];
  if (!expect(r, TOKEN_OPEN, NULL) || !expect(r, TOKEN_SYMBOL, "data") || !read_set(r, NODE_FREED, &n->data))
    return false;
  for (size_t f = 0; f < r->model->nodes->pointer_count; f++)
    if (!expect(r, TOKEN_OPEN, NULL) || !expect(r, TOKEN_SYMBOL, "next") || !read_set(r, HEAP_MOST_NODES, &n->next[f]))
      return false;
  for (;;) {
    token t = token_next(&r->tokens);
    if (t.kind == TOKEN_CLOSE) return true;
    if (token_is(t, TOKEN_SYMBOL, "summary"))
      n->is_summary = true;
    else if (t.kind != TOKEN_OPEN)
      return fail(r, t.place, text_format("expected summary, shared, reached, back or )"));
    else if (!read_mark(r, n))
      return false;
  }
}

static bool read_at(heap_reader *r, heap_graph *g) {
  if (!expect(r, TOKEN_SYMBOL, "at")) return false;
  for (size_t i = 0; i < r->nodes.count; i++) {
    size_t node;
    if (!read_number(r, token_next(&r->tokens), HEAP_MOST_NODES, &node)) return false;
    g->at[i] = (uint8_t)node;
  }
  g->variables = (uint8_t)r->nodes.count;
  g->fields = (uint8_t)r->model->nodes->pointer_count;
  return expect(r, TOKEN_CLOSE, NULL);
}

/* What follows the formula of a part, to its end. */
static bool read_graph(heap_reader *r) {
  token t = token_next(&r->tokens);
  if (t.kind == TOKEN_CLOSE) return true;
  if (t.kind != TOKEN_OPEN) return fail(r, t.place, text_format("expected a graph"));
  heap_graph *g = VECTOR_LAST(r->evidence->parts).graph = MEMORY_NEW(heap_graph);
  if (!read_at(r, g)) return false;
  for (;;) {
    t = token_next(&r->tokens);
    if (t.kind == TOKEN_CLOSE) return true;
    if (t.kind != TOKEN_OPEN) return fail(r, t.place, text_format("expected a node"));
    if (!expect(r, TOKEN_SYMBOL, "node") || !read_node(r, g)) return false;
  }
}

static bool read_part(heap_reader *r) {
  term_vector read = {0};
  terms *ts = r->model->terms;
  bool fine = expect(r, TOKEN_SYMBOL, "part") &&
              smtlib_read_formula(ts, &r->tokens, &r->others, NULL, &read, &r->error, &r->place);
  if (fine) evidence_add_part(ts, r->evidence, term_or_all(ts, read.count, read.at));
  VECTOR_FREE(read);
  return fine && read_graph(r);
}

static bool read_property(heap_reader *r, size_t *property) {
  if (!expect(r, TOKEN_OPEN, NULL) || !expect(r, TOKEN_SYMBOL, "property")) return false;
  token t = token_next(&r->tokens);
  if (t.kind != TOKEN_STRING) return fail(r, t.place, text_format("expected a name"));
  text name = {0};
  char *error = NULL;
  for (size_t i = 0; i < t.length; i++) {
    text_add_char(&name, t.at[i]);
    if (t.at[i] == '"') i++;
  }
  bool found = property_named_escaped(r->model, text_string(&name), property, &error);
  text_clear(&name);
  return found ? expect(r, TOKEN_CLOSE, NULL) : fail(r, t.place, error);
}

/* As SMT-LIB prints it, without bars. */
static GIVE char *printed_name(const model *m, variable v) {
  text printed = {0};
  variable_print_smtlib(m->terms, v, &printed);
  char *name = memory_copy_bytes(printed.at + 1, printed.count - 2);
  text_clear(&printed);
  return name;
}

/* The node variables, all of them and in their order. */
static bool read_variables(heap_reader *r) {
  if (!expect(r, TOKEN_OPEN, NULL) || !expect(r, TOKEN_SYMBOL, "variables")) return false;
  for (size_t i = 0; i < r->nodes.count; i++) {
    token t = token_next(&r->tokens);
    char *name = printed_name(r->model, r->nodes.at[i]);
    bool same = token_is(t, TOKEN_SYMBOL, name);
    if (!same) fail(r, t.place, text_format("expected %s", name));
    memory_free(name);
    if (!same) return false;
  }
  return expect(r, TOKEN_CLOSE, NULL);
}

static bool read_file(heap_reader *r, size_t *property) {
  token t = token_next(&r->tokens);
  const char *first_word = evidence_row_of(EVIDENCE_HEAP)->first_words;
  if (!token_is(t, TOKEN_SYMBOL, first_word)) return fail(r, t.place, text_format("expected %s", first_word));
  t = token_next(&r->tokens);
  if (!token_is(t, TOKEN_NUMERAL, "1"))
    return fail(r, t.place,
                text_format("this certificate is of another version; only version %d is known", CERTIFICATE_VERSION));
  const char *why = heap_variables(r->model, &r->nodes);
  if (why || !r->nodes.count) return fail(r, 0, text_format("%s", why ? why : "the model has no heap"));
  if (!read_property(r, property) || !read_variables(r)) return false;
  for (;;) {
    t = token_next(&r->tokens);
    if (t.kind == TOKEN_END) return true;
    if (t.kind != TOKEN_OPEN) return fail(r, t.place, text_format("expected a part"));
    if (!read_part(r)) return false;
  }
}

bool heap_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  heap_reader r = {.model = m, .tokens = tokens_open(content, length), .evidence = e};
  e->kind = EVIDENCE_HEAP;
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    if (variable_type(m->terms, v)->sort != SORT_NODE) named_terms_add_variable(&r.others, m->terms, v);
  }
  bool fine = read_file(&r, property);
  if (!fine) *error = error_at(content, length, r.place, r.error);
  named_terms_clear(&r.others);
  VECTOR_FREE(r.nodes);
  return fine;
}
