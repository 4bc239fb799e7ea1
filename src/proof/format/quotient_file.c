/* A quotient is a file of a trace (whose run may be empty) with a JSON object more: blocks are formulas in SMT-LIB 2,
 * edges are triples of numbers. */
#include "proof/format/formats.h"
#include "proof/smtlib_term.h"
#include "term/print.h"

/* ---- writing ---- */

static void write_block(const model *m, const invariant_part *p, json_writer *w) {
  text printed = {0};
  term_print_smtlib(m->terms, part_formula(m->terms, p), &printed);
  json_space(w, "\n");
  json_add_string(w, text_string(&printed));
  text_clear(&printed);
}

static void write_edge(const quotient_edge *edge, json_writer *w) {
  json_begin_array(w);
  json_add_count(w, edge->from);
  json_add_count(w, edge->transition);
  json_add_count(w, edge->to);
  json_end_array(w);
}

void quotient_write(const model *m, const evidence *e, json_writer *w) {
  const quotient *q = &e->quotient;
  json_begin_object(w);
  json_field_bool(w, "exact", q->is_exact);
  json_field_string(w, "claim", q->fails ? "fails" : "holds");
  json_space(w, "\n  ");
  json_field_array(w, "blocks");
  for (size_t i = 0; i < e->parts.count; i++) write_block(m, &e->parts.at[i], w);
  json_end_array(w);
  json_space(w, "\n  ");
  json_field_array(w, "initial");
  for (size_t i = 0; i < q->initial.count; i++) json_add_count(w, q->initial.at[i]);
  json_end_array(w);
  json_space(w, "\n  ");
  json_field_array(w, "edges");
  for (size_t i = 0; i < q->edges.count; i++) {
    if (i % 8 == 0) json_space(w, "\n");
    write_edge(&q->edges.at[i], w);
  }
  json_end_array(w);
  json_end_object(w);
}

/* ---- reading ---- */

typedef struct quotient_reader {
  const model *m;
  json_reader *json;
  evidence *e;
  named_terms variables; /* as SMT-LIB names them; made when the first block is read */
} quotient_reader;

static void name_variables(quotient_reader *r) {
  for (size_t i = 0; i < r->m->variables.count; i++)
    named_terms_add_variable(&r->variables, r->m->terms, r->m->variables.at[i].var);
}

static bool read_block(quotient_reader *r) {
  term_vector read = {0};
  char *error = NULL;
  size_t place;
  if (!json_read_string(r->json)) return false;
  if (!r->variables.index) name_variables(r);
  token_reader tokens = tokens_open(r->json->string.at, r->json->string.count);
  bool fine = smtlib_read_formula(r->m->terms, &tokens, &r->variables, NULL, &read, &error, &place);
  if (fine && token_next(&tokens).kind != TOKEN_END) {
    fine = false;
    error = text_format("expected one formula");
  }
  if (fine)
    evidence_add_part(r->m->terms, r->e, term_or_all(r->m->terms, read.count, read.at));
  else
    json_fail(r->json, error);
  VECTOR_FREE(read);
  return fine;
}

static bool read_number(quotient_reader *r, uint32_t *out) {
  number n;
  int64_t small;
  if (!json_read_integer(r->json, &n)) return false;
  if (!number_to_int64(n, &small) || small < 0 || small >= UINT32_MAX)
    return json_fail(r->json, text_format("no such number"));
  *out = (uint32_t)small;
  return true;
}

static bool read_edge(quotient_reader *r) {
  bool first = true;
  uint32_t numbers[3];
  size_t count = 0;
  json_enter(r->json, '[');
  while (json_next_element(r->json, &first)) {
    if (count == ARRAY_LENGTH(numbers)) return json_fail(r->json, text_format("an edge has three numbers"));
    if (!read_number(r, &numbers[count++])) return false;
  }
  if (r->json->error) return false;
  if (count < ARRAY_LENGTH(numbers)) return json_fail(r->json, text_format("an edge has three numbers"));
  VECTOR_PUSH(r->e->quotient.edges, (quotient_edge){numbers[0], numbers[1], numbers[2]});
  return true;
}

static bool read_initial(quotient_reader *r) {
  uint32_t block = 0;
  if (!read_number(r, &block)) return false;
  VECTOR_PUSH(r->e->quotient.initial, block);
  return true;
}

static bool read_list(quotient_reader *r, bool (*read)(quotient_reader *)) {
  bool first = true;
  json_enter(r->json, '[');
  while (json_next_element(r->json, &first))
    if (!read(r)) return false;
  return !r->json->error;
}

static bool read_claim(quotient_reader *r) {
  if (!json_read_string(r->json)) return false;
  r->e->quotient.fails = !strcmp(text_string(&r->json->string), "fails");
  return r->e->quotient.fails || !strcmp(text_string(&r->json->string), "holds") ||
         json_fail(r->json, text_format("expected \"holds\" or \"fails\""));
}

static bool read_key(quotient_reader *r) {
  const char *key = text_string(&r->json->string);
  if (!strcmp(key, "exact")) return json_read_bool(r->json, &r->e->quotient.is_exact);
  if (!strcmp(key, "claim")) return read_claim(r);
  if (!strcmp(key, "blocks")) return read_list(r, read_block);
  if (!strcmp(key, "initial")) return read_list(r, read_initial);
  if (!strcmp(key, "edges")) return read_list(r, read_edge);
  return json_skip(r->json);
}

bool quotient_read(const model *m, json_reader *json, evidence *e) {
  quotient_reader r = {.m = m, .json = json, .e = e};
  bool first = true, fine = true;
  e->kind = EVIDENCE_QUOTIENT;
  json_enter(json, '{');
  while (fine && json_next_key(json, &first)) fine = read_key(&r);
  named_terms_clear(&r.variables);
  return fine && !json->error;
}
