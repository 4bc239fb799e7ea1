/* Reads the invariant out of an SMT-LIB 2 certificate; docs/certificates.md describes the file.
 *
 * Taken are the property's name (set-info :whet-property), of k-inductive invariants the depth and whether states
 * differ, and the definition of `inv`; the obligations in the file are not looked at, they are rebuilt from the model.
 */
#include "proof/check/checkers.h"
#include "proof/format/formats.h"
#include "proof/smtlib_term.h"
#include "term/print.h"

/* More measures are not read. */
enum { MOST_MEASURES = 1000 };

typedef struct invariant_reader {
  model *model;
  terms *ts;
  token_reader tokens;
  names *variables;       /* as SMT-LIB prints them, without bars -> position */
  named_terms parameters; /* of `inv` */
  bool has_property;
  size_t property;
  evidence *evidence;
  char *error;
  size_t place;
  size_t measures; /* of a ranking: how many there will be */
  size_t helped;   /* helps whose condition was read */
  bool has_region, has_cut, has_between;
} invariant_reader;

static bool fail(invariant_reader *r, size_t place, char *error) {
  r->error = error;
  r->place = place;
  return false;
}

static bool expect(invariant_reader *r, token_kind kind, const char *what, token *out) {
  token t = token_next(&r->tokens);
  if (out) *out = t;
  return t.kind == kind || fail(r, t.place, t.why ? text_format("%s", t.why) : text_format("expected %s", what));
}

/* The rest of a command whose opening parenthesis has been read. */
static bool skip_command(invariant_reader *r) {
  for (size_t depth = 1; depth;) {
    token t = token_next(&r->tokens);
    if (t.kind == TOKEN_END || t.kind == TOKEN_BAD)
      return fail(r, t.place, text_format("%s", t.why ? t.why : "unexpected end or character"));
    depth += t.kind == TOKEN_OPEN;
    depth -= t.kind == TOKEN_CLOSE;
  }
  return true;
}

/* The kind of evidence follows from the first words too. */
static bool read_version(invariant_reader *r) {
  static const evidence_kind kinds[] = {EVIDENCE_INVARIANT, EVIDENCE_K_INDUCTIVE, EVIDENCE_RANKING,
                                        EVIDENCE_TRANSITION_INVARIANT, EVIDENCE_RECURRENCE};
  size_t length = (size_t)(r->tokens.end - r->tokens.at), head = 0;
  for (size_t i = 0; i < ARRAY_LENGTH(kinds) && !head; i++) {
    const char *first = evidence_row_of(kinds[i])->first_words;
    if (length < strlen(first) || memcmp(r->tokens.at, first, strlen(first))) continue;
    r->evidence->kind = kinds[i];
    head = strlen(first);
  }
  if (!head)
    return fail(r, 0,
                text_format("not a certificate: it does not start with \"%s%d\"",
                            evidence_row_of(EVIDENCE_INVARIANT)->first_words, CERTIFICATE_VERSION));
  const char *at = r->tokens.at + head, *line_end = memchr(at, '\n', length - head);
  size_t digits = line_end ? (size_t)(line_end - at) : length - head;
  if (digits && at[digits - 1] == '\r') digits--;
  number version;
  if (digits <= 9 && number_parse(at, digits, &version) && number_is(version, CERTIFICATE_VERSION)) return true;
  return fail(r, head,
              text_format("this certificate is of another version; only version %d is known", CERTIFICATE_VERSION));
}

/* ---- set-info ---- */

static GIVE char *string_of(token t) {
  text s = {0};
  for (size_t i = 0; i < t.length; i++) {
    text_add_char(&s, t.at[i]);
    if (t.kind == TOKEN_STRING && t.at[i] == '"') i++;
  }
  return text_give(&s);
}

/* A number from `least` to `most`, and the end of the command. */
static bool read_count(invariant_reader *r, const char *what, int least, int most, size_t *out) {
  token value;
  number n;
  int64_t small = 0;
  if (!expect(r, TOKEN_NUMERAL, "a numeral", &value)) return false;
  if (!number_parse(value.at, value.length, &n) || !number_to_int64(n, &small) || small < least || small > most)
    return fail(r, value.place, text_format("expected %s from %d to %d", what, least, most));
  *out = (size_t)small;
  return expect(r, TOKEN_CLOSE, ")", NULL);
}

static bool read_states_differ(invariant_reader *r) {
  token value;
  if (!expect(r, TOKEN_SYMBOL, "true or false", &value)) return false;
  r->evidence->states_differ = token_is(value, TOKEN_SYMBOL, "true");
  if (!r->evidence->states_differ && !token_is(value, TOKEN_SYMBOL, "false"))
    return fail(r, value.place, text_format("expected true or false"));
  return expect(r, TOKEN_CLOSE, ")", NULL);
}

/* The run of a recurrence, in the format of runs. */
static bool read_run(invariant_reader *r) {
  token value;
  evidence run = {0};
  size_t property;
  char *error = NULL;
  if (!expect(r, TOKEN_STRING, "a run", &value)) return false;
  char *content = string_of(value);
  bool fine = trace_read(r->model, content, strlen(content), &property, &run, &error);
  memory_free(content);
  if (fine) {
    trace_clear(&r->evidence->steps);
    r->evidence->steps = run.steps;
    run.steps = (trace){0};
  }
  evidence_clear(&run);
  return fine ? expect(r, TOKEN_CLOSE, ")", NULL) : fail(r, value.place, error);
}

/* The next number of a choice, up to a space; `*at` is then behind it. */
static bool read_number(const char **at, number *out) {
  size_t length = strcspn(*at, " ");
  bool is_negative = **at == '-';
  bool fine = length > is_negative && length < 1000 && number_parse(*at + is_negative, length - is_negative, out);
  if (fine && is_negative) *out = number_negate(*out);
  *at += length;
  if (**at == ' ') ++*at;
  return fine;
}

/* "TRANSITION INPUT .." of a recurrence: the number of a transition, and the values of its inputs. */
static bool read_choice(invariant_reader *r) {
  trace_step made = {0};
  number n;
  int64_t which = -1;
  token value;
  if (!expect(r, TOKEN_STRING, "a choice", &value)) return false;
  char *content = string_of(value);
  const char *at = content;
  bool fine =
      read_number(&at, &n) && number_to_int64(n, &which) && which >= 0 && (uint64_t)which < r->model->transitions.count;
  while (fine && *at) {
    fine = read_number(&at, &n);
    if (fine) VECTOR_PUSH(made.inputs, n);
  }
  memory_free(content);
  made.transition = (uint32_t)which;
  if (fine) {
    VECTOR_PUSH(r->evidence->choices, made);
    return expect(r, TOKEN_CLOSE, ")", NULL);
  }
  VECTOR_FREE(made.inputs);
  return fail(r, value.place, text_format("expected the number of a transition, and values of its inputs"));
}

/* "MEASURE FAIRNESS" of a ranking: the number of a measure, from 1, and of a fairness constraint, from 0. */
static bool read_help(invariant_reader *r) {
  number measure, constraint;
  int64_t which = 0, by = -1;
  token value;
  if (!expect(r, TOKEN_STRING, "a measure and a fairness constraint", &value)) return false;
  char *content = string_of(value);
  const char *at = content;
  bool fine = read_number(&at, &measure) && read_number(&at, &constraint) && !*at;
  memory_free(content);
  fine = fine && number_to_int64(measure, &which) && which >= 1 && which <= MOST_MEASURES;
  fine = fine && number_to_int64(constraint, &by) && by >= 0 && (uint64_t)by < r->model->fairness.count;
  if (!fine) return fail(r, value.place, text_format("expected the number of a measure, and of a fairness constraint"));
  VECTOR_PUSH(r->evidence->helps, (ranking_help){(uint32_t)which - 1, (uint32_t)by, TERM_FALSE});
  return expect(r, TOKEN_CLOSE, ")", NULL);
}

/* "RELATION FAIRNESS POSSIBLE" of a transition invariant: the number of a relation, from 1, of a fairness constraint, from 0, and 1 if it was
 * possible, else 0. */
static bool read_waits(invariant_reader *r) {
  number read[3];
  int64_t as[3] = {0};
  token value;
  if (!expect(r, TOKEN_STRING, "a relation, a fairness constraint, and whether it was possible", &value)) return false;
  char *content = string_of(value);
  const char *at = content;
  bool fine = true;
  for (int i = 0; i < 3 && fine; i++) fine = read_number(&at, &read[i]) && number_to_int64(read[i], &as[i]);
  fine = fine && !*at && as[0] >= 1 && as[0] <= MOST_MEASURES && (as[2] == 0 || as[2] == 1);
  fine = fine && as[1] >= 0 && (uint64_t)as[1] < r->model->fairness.count;
  memory_free(content);
  if (!fine)
    return fail(r, value.place, text_format("expected the number of a relation, of a fairness constraint, and 0 or 1"));
  VECTOR_PUSH(r->evidence->waits, (relation_wait){(uint32_t)as[0] - 1, (uint32_t)as[1], as[2] == 1});
  return expect(r, TOKEN_CLOSE, ")", NULL);
}

static bool has_measures(const invariant_reader *r) {
  return r->evidence->kind == EVIDENCE_RANKING || r->evidence->kind == EVIDENCE_TRANSITION_INVARIANT;
}

static bool read_info(invariant_reader *r) {
  token key = token_next(&r->tokens);
  bool is_recurrence = r->evidence->kind == EVIDENCE_RECURRENCE;
  if (is_recurrence && token_is(key, TOKEN_KEYWORD, ":whet-run")) return read_run(r);
  if (is_recurrence && token_is(key, TOKEN_KEYWORD, ":whet-choice")) return read_choice(r);
  bool is_k = r->evidence->kind == EVIDENCE_K_INDUCTIVE, is_ranking = r->evidence->kind == EVIDENCE_RANKING;
  if (is_k && token_is(key, TOKEN_KEYWORD, ":whet-depth"))
    return read_count(r, "a depth", 1, MOST_INDUCTION_DEPTH, &r->evidence->depth);
  if (has_measures(r) && token_is(key, TOKEN_KEYWORD, ":whet-measures"))
    return read_count(r, "a number of measures", 0, MOST_MEASURES, &r->measures);
  if (is_ranking && token_is(key, TOKEN_KEYWORD, ":whet-help")) return read_help(r);
  if (has_measures(r) && !is_ranking && token_is(key, TOKEN_KEYWORD, ":whet-waits")) return read_waits(r);
  if (is_k && token_is(key, TOKEN_KEYWORD, ":whet-states-differ")) return read_states_differ(r);
  if (!token_is(key, TOKEN_KEYWORD, ":whet-property")) {
    r->tokens.at = r->tokens.start + key.place;
    return skip_command(r);
  }
  token value = token_next(&r->tokens);
  if (value.kind != TOKEN_STRING && value.kind != TOKEN_SYMBOL)
    return fail(r, value.place, text_format("expected a name"));
  char *name = string_of(value), *error = NULL;
  r->has_property = property_named_escaped(r->model, name, &r->property, &error);
  memory_free(name);
  return r->has_property ? expect(r, TOKEN_CLOSE, ")", NULL) : fail(r, value.place, error);
}

/* ---- define-fun ---- */

/* The variable called `key`, of sort `of`. If all of them were there, and `is_of_two`, next ones come, in the order of the model. */
static bool add_parameter(invariant_reader *r, token name, token of, const char *key, bool is_of_two) {
  uint64_t position;
  size_t count = r->model->variables.count, known = r->parameters.values.count;
  bool is_known = names_get(r->variables, key, &position), is_next = is_of_two && known >= count;
  if (is_next && (is_known || known >= 2 * count))
    return fail(r, name.place, text_format("expected a name for each next variable, in the order of the model"));
  if (!is_next && !is_known) return fail(r, name.place, text_format("%s is no variable of %s", key, r->model->name));
  variable v = r->model->variables.at[is_next ? known - count : position].var;
  sort own = variable_type(r->ts, v)->sort;
  const char *wanted = own == SORT_BOOL ? "Bool" : own == SORT_REAL ? "Real" : "Int";
  if (!token_is(of, TOKEN_SYMBOL, wanted)) return fail(r, of.place, text_format("%s is of sort %s", key, wanted));
  named_terms_add(&r->parameters, key, term_of_variable(r->ts, is_next ? variable_next(r->ts, v) : v));
  return true;
}

static bool read_parameter(invariant_reader *r, bool is_of_two) {
  token name, of;
  if (!expect(r, TOKEN_SYMBOL, "a name", &name) || !expect(r, TOKEN_SYMBOL, "a sort", &of)) return false;
  char *key = memory_copy_bytes(name.at, name.length);
  bool fine = add_parameter(r, name, of, key, is_of_two);
  memory_free(key);
  return fine && expect(r, TOKEN_CLOSE, ")", NULL);
}

static bool read_parameters(invariant_reader *r, bool is_of_two) {
  if (!expect(r, TOKEN_OPEN, "(", NULL)) return false;
  for (;;) {
    token t = token_next(&r->tokens);
    if (t.kind == TOKEN_CLOSE) return true;
    if (t.kind != TOKEN_OPEN) return fail(r, t.place, text_format("expected a parameter"));
    if (!read_parameter(r, is_of_two)) return false;
  }
}

/* Each disjunct becomes a part. */
static void add_parts(invariant_reader *r, const term_vector *read) {
  term_vector disjuncts = {0};
  if (read->count == 1) {
    if (!term_is_false(read->at[0])) term_disjuncts(r->ts, read->at[0], &disjuncts);
    if (term_is_true(read->at[0])) VECTOR_PUSH(disjuncts, TERM_TRUE);
    read = &disjuncts;
  }
  for (size_t i = 0; i < read->count; i++) evidence_add_part(r->ts, r->evidence, read->at[i]);
  VECTOR_FREE(disjuncts);
}

/* The parameters, and the sort of the value. */
static bool read_signature(invariant_reader *r, const char *sort, bool is_of_two) {
  token result;
  named_terms_clear(&r->parameters);
  if (!read_parameters(r, is_of_two) || !expect(r, TOKEN_SYMBOL, sort, &result)) return false;
  return token_is(result, TOKEN_SYMBOL, sort) || fail(r, result.place, text_format("expected %s", sort));
}

static bool read_invariant(invariant_reader *r) {
  term_vector read = {0};
  if (!read_signature(r, "Bool", false)) return false;
  bool fine = smtlib_read_formula(r->ts, &r->tokens, &r->parameters, NULL, &read, &r->error, &r->place) &&
              expect(r, TOKEN_CLOSE, ")", NULL);
  if (fine) add_parts(r, &read);
  VECTOR_FREE(read);
  return fine;
}

static bool read_condition(invariant_reader *r, bool is_of_two, term *out) {
  term_vector read = {0};
  bool fine = read_signature(r, "Bool", is_of_two) &&
              smtlib_read_formula(r->ts, &r->tokens, &r->parameters, NULL, &read, &r->error, &r->place) &&
              expect(r, TOKEN_CLOSE, ")", NULL);
  if (fine) *out = term_or_all(r->ts, read.count, read.at);
  VECTOR_FREE(read);
  return fine;
}

static bool read_region(invariant_reader *r) {
  r->has_region = read_condition(r, false, &r->evidence->region);
  return r->has_region;
}

/* In the order of the helps. */
static bool read_helpful(invariant_reader *r) {
  return read_condition(r, false, &r->evidence->helps.at[r->helped++].helpful);
}

static bool read_integer(invariant_reader *r, term *out) {
  return read_signature(r, "Int", false) &&
         smtlib_read_integer(r->ts, &r->tokens, &r->parameters, out, &r->error, &r->place) &&
         expect(r, TOKEN_CLOSE, ")", NULL);
}

static bool read_cut(invariant_reader *r) {
  r->has_cut = read_condition(r, false, &r->evidence->cut);
  return r->has_cut;
}

static bool read_between(invariant_reader *r) {
  r->has_between = read_integer(r, &r->evidence->between);
  return r->has_between;
}

/* relation1, relation2, .. in this order. */
static bool read_relation(invariant_reader *r) {
  term read;
  bool fine = read_condition(r, true, &read);
  if (fine) VECTOR_PUSH(r->evidence->relations, read);
  return fine;
}

/* measure1, measure2, .. in this order. */
static bool read_measure(invariant_reader *r) {
  term read;
  bool fine = read_integer(r, &read);
  if (fine) VECTOR_PUSH(r->evidence->measures, read);
  return fine;
}

/* ---- the file ---- */

/* WORD1 if there are none so far, .. */
static bool is_next(token name, const char *word, size_t count) {
  char *next = text_format("%s%zu", word, count + 1);
  bool is_so = token_is(name, TOKEN_SYMBOL, next);
  memory_free(next);
  return is_so;
}

static bool is_next_helpful(const invariant_reader *r, token name) {
  if (r->helped >= r->evidence->helps.count) return false;
  char *next = text_format("helpful%u", r->evidence->helps.at[r->helped].measure + 1);
  bool is_so = token_is(name, TOKEN_SYMBOL, next);
  memory_free(next);
  return is_so;
}

static bool has_region(const invariant_reader *r) {
  return has_measures(r) || r->evidence->kind == EVIDENCE_RECURRENCE;
}

/* One command; `*is_inv` if it was the definition of the invariant. */
static bool read_command(invariant_reader *r, bool *is_inv) {
  token t, name;
  if (!expect(r, TOKEN_OPEN, "a command; no definition of inv was found", NULL)) return false;
  if (!expect(r, TOKEN_SYMBOL, "a command", &t)) return false;
  if (token_is(t, TOKEN_SYMBOL, "set-info")) return read_info(r);
  if (!token_is(t, TOKEN_SYMBOL, "define-fun")) return skip_command(r);
  if (!expect(r, TOKEN_SYMBOL, "a name", &name)) return false;
  if (has_region(r) && token_is(name, TOKEN_SYMBOL, "region")) return read_region(r);
  bool has_relations = r->evidence->kind == EVIDENCE_TRANSITION_INVARIANT;
  if (has_relations && token_is(name, TOKEN_SYMBOL, "cut")) return read_cut(r);
  if (has_relations && token_is(name, TOKEN_SYMBOL, "between")) return read_between(r);
  if (has_relations && is_next(name, "relation", r->evidence->relations.count)) return read_relation(r);
  if (has_measures(r) && is_next(name, "measure", r->evidence->measures.count)) return read_measure(r);
  if (r->evidence->kind == EVIDENCE_RANKING && is_next_helpful(r, name)) return read_helpful(r);
  if (*is_inv || !token_is(name, TOKEN_SYMBOL, "inv")) return skip_command(r);
  *is_inv = true;
  return read_invariant(r);
}

/* The region and the measures follow the invariant. */
static bool lacks_ranking(const invariant_reader *r) {
  const evidence *e = r->evidence;
  bool has_relations = e->kind == EVIDENCE_TRANSITION_INVARIANT;
  bool lacks_relations = e->relations.count < r->measures || !r->has_cut || !r->has_between;
  bool lacks_measures = e->measures.count < r->measures || r->helped < e->helps.count;
  return has_region(r) && (!r->has_region || lacks_measures || (has_relations && lacks_relations));
}

static bool read_file(invariant_reader *r) {
  if (!read_version(r)) return false;
  bool has_invariant = r->evidence->kind == EVIDENCE_RECURRENCE; /* which needs none */
  while (!has_invariant || lacks_ranking(r))
    if (!read_command(r, &has_invariant)) return false;
  if (!r->has_property) return fail(r, 0, text_format("no (set-info :whet-property ..) before the definition of inv"));
  bool lacks_depth = r->evidence->kind == EVIDENCE_K_INDUCTIVE && !r->evidence->depth;
  return !lacks_depth || fail(r, 0, text_format("no (set-info :whet-depth ..) before the definition of inv"));
}

static GIVE names *variables_by_printed_name(const model *m) {
  names *result = names_new();
  text printed = {0};
  for (size_t i = 0; i < m->variables.count; i++) {
    text_reset(&printed);
    variable_print_smtlib(m->terms, m->variables.at[i].var, &printed);
    printed.at[printed.count - 1] = 0;
    names_set(result, printed.at + 1, i);
  }
  text_clear(&printed);
  return result;
}

bool invariant_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  invariant_reader r = {.model = m, .ts = m->terms, .tokens = tokens_open(content, length), .evidence = e};
  r.variables = variables_by_printed_name(m);
  bool fine = read_file(&r);
  *property = r.property;
  if (!fine) *error = error_at(content, length, r.place, r.error);
  named_terms_clear(&r.parameters);
  names_free(r.variables);
  return fine;
}

bool ranking_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  return invariant_read(m, content, length, property, e, error);
}

bool transition_invariant_read(model *m, const char *content, size_t length, size_t *property, evidence *e,
                               char **error) {
  return invariant_read(m, content, length, property, e, error);
}

bool k_induction_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  return invariant_read(m, content, length, property, e, error);
}

bool recurrence_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  return invariant_read(m, content, length, property, e, error);
}
