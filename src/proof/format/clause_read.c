/* Evidence about clauses, read (clause_write.c): an interpretation also inside of one pair of parentheses, and with the names that other
 * solvers print. */
#include "base/escape.h"
#include "base/map.h"
#include "base/tokens.h"
#include "proof/format/clause_names.h"
#include "proof/format/formats.h"
#include "proof/smtlib_term.h"
#include "term/array_value.h"

/* More for each predicate are not read. */
enum { MOST_MEASURES = 1000 };

typedef struct clause_reader {
  model *model;
  token_reader tokens;
  evidence *evidence;
  size_t property;
  bool has_property;
  size_t measures;    /* of a ranking of calls: how many for each predicate */
  VECTOR(bool) seen;  /* by predicate */
  named_terms values; /* of enumerations */
  names *arrays;      /* of a derivation: the number of each array that has a name */
  char *error;
  size_t place;
} clause_reader;

static bool fail(clause_reader *r, size_t place, GIVE char *error) {
  r->error = error;
  r->place = place;
  return false;
}

static bool expect(clause_reader *r, token_kind kind, const char *what, token *out) {
  token t = token_next(&r->tokens);
  if (out) *out = t;
  return t.kind == kind || fail(r, t.place, t.why ? text_format("%s", t.why) : text_format("expected %s", what));
}

typedef enum naming { NAMES_ANOTHER, NAMES_AS_READ, NAMES_AS_PRINTED } naming;

/* Names are known as they are printed here and as other programs print them: as in the clauses. Those are escaped when
 * they are read. */
static naming how_it_names(token t, const char *name) {
  text printed = {0}, original = {0};
  char *raw = memory_copy_bytes(t.at, t.length);
  clause_name_escape(name, &printed);
  text_add_escaped(&original, raw, "");
  naming how = token_is(t, TOKEN_SYMBOL, text_string(&printed))                  ? NAMES_AS_PRINTED
               : t.kind == TOKEN_SYMBOL && !strcmp(text_string(&original), name) ? NAMES_AS_READ
                                                                                 : NAMES_ANOTHER;
  memory_free(raw);
  text_clear(&printed);
  text_clear(&original);
  return how;
}

/* A predicate by the name that is printed here or, if there is none, by the one that other programs print. */
static bool find_predicate(const clauses *all, token name, uint32_t *out) {
  naming how = NAMES_ANOTHER;
  for (uint32_t i = 0; i < all->predicates.count && how != NAMES_AS_PRINTED; i++) {
    naming now = how_it_names(name, all->predicates.at[i].name);
    if (now == NAMES_ANOTHER) continue;
    how = now;
    *out = i;
  }
  return how != NAMES_ANOTHER;
}

/* The values of all enumerations as numbers, by both names; that which is printed here counts. */
static void add_values(const clauses *all, terms *ts, bool as_printed, named_terms *out) {
  text name = {0};
  for (size_t i = 0; i < all->enumerations.count; i++)
    for (size_t j = 0; j < all->enumerations.at[i].type.name_count; j++) {
      const char *value = all->enumerations.at[i].type.names[j];
      text_reset(&name);
      if (as_printed)
        clause_name_escape(value, &name);
      else
        text_add_unescaped(&name, value);
      named_terms_add(out, text_string(&name), term_int(ts, (int64_t)j));
    }
  text_clear(&name);
}

static bool find_value(const clause_reader *r, token t, number *out) {
  uint64_t at;
  if (t.kind != TOKEN_SYMBOL || !r->values.index) return false;
  char *name = memory_copy_bytes(t.at, t.length);
  bool found = names_get(r->values.index, name, &at) && term_is_number(r->model->terms, r->values.values.at[at], out);
  memory_free(name);
  return found;
}

/* The depth of a k-inductive interpretation, or the number of measures. */
static bool read_count(clause_reader *r, token value, const char *what, int64_t least, int64_t most, size_t *out) {
  number n;
  int64_t count = 0;
  bool fits = value.kind == TOKEN_NUMERAL && value.length < 10 && number_parse(value.at, value.length, &n) &&
              number_to_int64(n, &count) && count >= least && count <= most;
  if (!fits) return fail(r, value.place, text_format("expected %s", what));
  *out = (size_t)count;
  return expect(r, TOKEN_CLOSE, ")", NULL);
}

static bool read_info(clause_reader *r) {
  token key = token_next(&r->tokens), value = token_next(&r->tokens);
  bool is_k = r->evidence->kind == EVIDENCE_K_INTERPRETATION;
  bool is_ranking = r->evidence->kind == EVIDENCE_CALL_RANKING;
  if (is_k && token_is(key, TOKEN_KEYWORD, ":whet-depth"))
    return read_count(r, value, "a depth", 1, 999999999, &r->evidence->depth);
  if (is_ranking && token_is(key, TOKEN_KEYWORD, ":whet-measures"))
    return read_count(r, value, "a number of measures", 0, MOST_MEASURES, &r->measures);
  if (!token_is(key, TOKEN_KEYWORD, ":whet-property"))
    return fail(r, key.place, text_format("expected :whet-property"));
  if (value.kind != TOKEN_SYMBOL) return fail(r, value.place, text_format("expected a name"));
  char *name = memory_copy_bytes(value.at, value.length), *error = NULL;
  r->has_property = property_named(r->model, name, &r->property, &error);
  memory_free(name);
  return r->has_property ? expect(r, TOKEN_CLOSE, ")", NULL) : fail(r, value.place, error);
}

static bool property_is_known(clause_reader *r) {
  return r->has_property || r->model->properties.count == 1 ||
         fail(r, 0, text_format("no (set-info :whet-property ..) says which property it is about"));
}

/* ---- interpretations ---- */

/* That of the variable, an array. */
static bool read_array_sort(clause_reader *r, variable v) {
  type of;
  return smtlib_read_array_sort(&r->tokens, &of) && types_have_one_sort(&of, variable_type(r->model->terms, v));
}

/* The sort of the variable; `at` is its first token. */
static bool read_sort_of(clause_reader *r, variable v, token *at) {
  token_reader ahead = r->tokens;
  *at = token_next(&ahead);
  if (variable_type(r->model->terms, v)->sort == SORT_ARRAY) return read_array_sort(r, v);
  r->tokens = ahead;
  return how_it_names(*at, clause_sort_name(r->model, v)) != NAMES_ANOTHER;
}

/* ((NAME Int) ..), what comes after `(forall`. A name hides parameters. */
static bool read_indices(clause_reader *r, named_terms *out) {
  enum { MOST_INDICES = 16 };
  type integer = {.sort = SORT_INT};
  if (!expect(r, TOKEN_OPEN, "the indices", NULL)) return false;
  for (size_t i = 0;; i++) {
    token t = token_next(&r->tokens), name, of;
    if (t.kind == TOKEN_CLOSE) return true;
    if (i >= MOST_INDICES) return fail(r, t.place, text_format("more than %d indices", MOST_INDICES));
    if (t.kind != TOKEN_OPEN) return fail(r, t.place, text_format("expected an index"));
    if (!expect(r, TOKEN_SYMBOL, "a name", &name) || !expect(r, TOKEN_SYMBOL, "a sort", &of)) return false;
    if (!token_is(of, TOKEN_SYMBOL, "Int")) return fail(r, of.place, text_format("an index is of sort Int"));
    while (r->evidence->indices.count <= i)
      VECTOR_PUSH(r->evidence->indices, variable_fresh(r->model->terms, "index", &integer));
    char *key = memory_copy_bytes(name.at, name.length);
    named_terms_add(out, key, term_of_variable(r->model->terms, r->evidence->indices.at[i]));
    memory_free(key);
    if (!expect(r, TOKEN_CLOSE, ")", NULL)) return false;
  }
}

/* Passes over `(forall` if it follows. */
static bool opens_quantifier(clause_reader *r) {
  token_reader ahead = r->tokens;
  token open = token_next(&ahead), word = token_next(&ahead);
  if (open.kind != TOKEN_OPEN || !token_is(word, TOKEN_SYMBOL, "forall")) return false;
  r->tokens = ahead;
  return true;
}

static bool read_parameters(clause_reader *r, const clause_predicate *p, named_terms *out) {
  if (!expect(r, TOKEN_OPEN, "the parameters", NULL)) return false;
  for (size_t i = 0;; i++) {
    token t = token_next(&r->tokens), name, of;
    if (t.kind == TOKEN_CLOSE)
      return i == p->parameters.count ||
             fail(r, t.place, text_format("`%s` has %zu arguments", p->name, p->parameters.count));
    if (t.kind != TOKEN_OPEN) return fail(r, t.place, text_format("expected a parameter"));
    if (i >= p->parameters.count) return fail(r, t.place, text_format("`%s` has %zu arguments", p->name, i));
    if (!expect(r, TOKEN_SYMBOL, "a name", &name)) return false;
    variable v = p->parameters.at[i];
    if (!read_sort_of(r, v, &of))
      return fail(r, of.place,
                  text_format("this argument of `%s` is of sort %s", p->name, clause_sort_name(r->model, v)));
    char *key = memory_copy_bytes(name.at, name.length);
    named_terms_add(out, key, term_of_variable(r->model->terms, v));
    memory_free(key);
    if (!expect(r, TOKEN_CLOSE, ")", NULL)) return false;
  }
}

static bool read_formula(clause_reader *r, uint32_t predicate, named_terms *parameters) {
  token result;
  term_vector read = {0};
  if (!expect(r, TOKEN_SYMBOL, "Bool", &result)) return false;
  if (!token_is(result, TOKEN_SYMBOL, "Bool")) return fail(r, result.place, text_format("expected Bool"));
  bool is_quantified = r->model->clauses->have_arrays && opens_quantifier(r);
  if (is_quantified && !read_indices(r, parameters)) return false;
  bool fine = smtlib_read_formula(r->model->terms, &r->tokens, parameters, &r->evidence->divisions, &read, &r->error,
                                  &r->place) &&
              (!is_quantified || expect(r, TOKEN_CLOSE, ")", NULL)) && expect(r, TOKEN_CLOSE, ")", NULL);
  if (fine) r->evidence->interpretation.at[predicate] = term_or_all(r->model->terms, read.count, read.at);
  VECTOR_FREE(read);
  return fine;
}

static bool read_define(clause_reader *r) {
  token name;
  if (!expect(r, TOKEN_SYMBOL, "a name", &name)) return false;
  const clauses *all = r->model->clauses;
  uint32_t at;
  if (!find_predicate(all, name, &at)) return fail(r, name.place, text_format("there is no predicate of this name"));
  if (r->seen.at[at]) return fail(r, name.place, text_format("`%s` is defined twice", all->predicates.at[at].name));
  r->seen.at[at] = true;
  named_terms parameters = {0};
  add_values(all, r->model->terms, false, &parameters);
  add_values(all, r->model->terms, true, &parameters);
  bool fine = read_parameters(r, &all->predicates.at[at], &parameters) && read_formula(r, at, &parameters);
  named_terms_clear(&parameters);
  return fine;
}

static bool read_definitions(clause_reader *r) {
  bool is_wrapped = false;
  for (;;) {
    token t = token_next(&r->tokens);
    if (t.kind == TOKEN_END) break;
    if (t.kind == TOKEN_CLOSE && is_wrapped) {
      is_wrapped = false;
      continue;
    }
    if (t.kind == TOKEN_SYMBOL &&
        (token_is(t, TOKEN_SYMBOL, "sat") || (token_is(t, TOKEN_SYMBOL, "model") && is_wrapped)))
      continue;
    if (t.kind != TOKEN_OPEN) return fail(r, t.place, text_format("expected a definition of a predicate"));
    token_reader before = r->tokens;
    token word = token_next(&r->tokens);
    bool fine = true;
    if (token_is(word, TOKEN_SYMBOL, "define-fun"))
      fine = read_define(r);
    else if (token_is(word, TOKEN_SYMBOL, "set-info"))
      fine = read_info(r);
    else if (!is_wrapped)
      is_wrapped = true, r->tokens = before;
    else
      fine = fail(r, word.place, text_format("expected define-fun"));
    if (!fine) return false;
  }
  for (size_t i = 0; i < r->seen.count; i++)
    if (!r->seen.at[i]) return fail(r, 0, text_format("`%s` is not defined", r->model->clauses->predicates.at[i].name));
  return property_is_known(r);
}

/* What follows the definitions are obligations, which the checker makes itself. */
/* As many as there are predicates, and what is said before and between. */
static bool read_all_predicates(clause_reader *r) {
  size_t missing = r->model->clauses->predicates.count;
  while (missing) {
    token t = token_next(&r->tokens), word = token_next(&r->tokens);
    bool is_define = token_is(word, TOKEN_SYMBOL, "define-fun");
    if (t.kind != TOKEN_OPEN || (!is_define && !token_is(word, TOKEN_SYMBOL, "set-info")))
      return fail(r, t.place, text_format("expected a definition of a predicate"));
    if (is_define ? !read_define(r) : !read_info(r)) return false;
    missing -= is_define;
  }
  return true;
}

static bool read_k_definitions(clause_reader *r) {
  if (!read_all_predicates(r)) return false;
  if (!r->evidence->depth) return fail(r, 0, text_format("no (set-info :whet-depth ..) before the definitions"));
  return property_is_known(r);
}

/* ---- rankings of calls ---- */

/* (define-fun |measureI of PREDICATE| (parameters) Int term) */
static bool read_measure(clause_reader *r, uint32_t predicate, size_t number) {
  const clause_predicate *p = &r->model->clauses->predicates.at[predicate];
  token open = token_next(&r->tokens), word = token_next(&r->tokens), name, result;
  if (open.kind != TOKEN_OPEN || !token_is(word, TOKEN_SYMBOL, "define-fun"))
    return fail(r, open.place, text_format("expected a measure of `%s`", p->name));
  if (!expect(r, TOKEN_SYMBOL, "a name", &name)) return false;
  char *wanted = text_format("measure%zu of %s", number + 1, p->name);
  bool is_wanted = how_it_names(name, wanted) != NAMES_ANOTHER;
  if (!is_wanted) fail(r, name.place, text_format("expected `%s`", wanted));
  memory_free(wanted);
  named_terms parameters = {0};
  term measure = TERM_FALSE;
  bool fine = is_wanted && read_parameters(r, p, &parameters) && expect(r, TOKEN_SYMBOL, "Int", &result) &&
              (token_is(result, TOKEN_SYMBOL, "Int") || fail(r, result.place, text_format("expected Int"))) &&
              smtlib_read_integer(r->model->terms, &r->tokens, &parameters, &measure, &r->error, &r->place) &&
              expect(r, TOKEN_CLOSE, ")", NULL);
  named_terms_clear(&parameters);
  if (fine) VECTOR_PUSH(r->evidence->measures, measure);
  return fine;
}

static bool read_call_ranking(clause_reader *r) {
  if (!read_all_predicates(r)) return false;
  for (uint32_t i = 0; i < r->model->clauses->predicates.count; i++)
    for (size_t j = 0; j < r->measures; j++)
      if (!read_measure(r, i, j)) return false;
  return property_is_known(r);
}

/* ---- derivations ---- */

static bool next_is(const clause_reader *r, const char *symbol) {
  token_reader ahead = r->tokens;
  return token_is(token_next(&ahead), TOKEN_SYMBOL, symbol);
}

static bool read_number(clause_reader *r, token t, number *out) {
  bool is_number = t.kind == TOKEN_NUMERAL || t.kind == TOKEN_DECIMAL;
  return (is_number && t.length <= 1000 && number_parse_fraction(t.at, t.length, out)) ||
         fail(r, t.place, text_format("expected a value"));
}

/* N or (/ N N), the first token of which is read. */
static bool read_quotient(clause_reader *r, token t, number *out) {
  number below;
  if (t.kind != TOKEN_OPEN) return read_number(r, t, out);
  if (!token_is(t = token_next(&r->tokens), TOKEN_SYMBOL, "/")) return fail(r, t.place, text_format("expected - or /"));
  if (!read_number(r, token_next(&r->tokens), out)) return false;
  t = token_next(&r->tokens);
  if (!read_number(r, t, &below)) return false;
  if (!number_sign(below)) return fail(r, t.place, text_format("a division by 0"));
  *out = number_quotient(*out, below);
  return expect(r, TOKEN_CLOSE, ")", NULL);
}

/* true, false, a value of an enumeration, a number, or one with - before it. */
static bool read_scalar(clause_reader *r, number *out) {
  token t = token_next(&r->tokens);
  if (find_value(r, t, out)) return true;
  if (token_is(t, TOKEN_SYMBOL, "true") || token_is(t, TOKEN_SYMBOL, "false")) {
    *out = number_of(t.length == strlen("true"));
    return true;
  }
  bool is_negative = t.kind == TOKEN_OPEN && next_is(r, "-");
  if (is_negative) {
    token_next(&r->tokens);
    t = token_next(&r->tokens);
  }
  if (!read_quotient(r, t, out)) return false;
  if (!is_negative) return true;
  *out = number_negate(*out);
  return expect(r, TOKEN_CLOSE, ")", NULL);
}

/* An array, and how often it is one of arrays. */
typedef struct nested_value {
  number value;
  unsigned nesting;
} nested_value;

static bool read_element(clause_reader *r, unsigned nesting, number *out);

/* The constant array that stores begin with: ((as const (Array Int T)) V), after its two parentheses. */
static bool read_constant_array(clause_reader *r, nested_value *out) {
  token word = token_next(&r->tokens), word_2 = token_next(&r->tokens);
  type of;
  number otherwise;
  bool fine = token_is(word, TOKEN_SYMBOL, "as") && token_is(word_2, TOKEN_SYMBOL, "const") &&
              smtlib_read_array_sort(&r->tokens, &of) && token_next(&r->tokens).kind == TOKEN_CLOSE;
  if (!fine) return fail(r, word.place, text_format("expected (as const (Array Int ..))"));
  if (!read_element(r, of.nesting, &otherwise) || !expect(r, TOKEN_CLOSE, ")", NULL)) return false;
  *out = (nested_value){array_value_of(r->model->terms, otherwise, 0, NULL), of.nesting};
  return true;
}

/* The name of an array that was defined. */
static bool find_array(const clause_reader *r, token t, nested_value *out) {
  uint64_t value;
  if (t.kind != TOKEN_SYMBOL || !r->arrays) return false;
  char *name = memory_copy_bytes(t.at, t.length);
  bool found = names_get(r->arrays, name, &value);
  memory_free(name);
  if (found) *out = (nested_value){number_of((int64_t)(value / (MOST_NESTING + 1))), value % (MOST_NESTING + 1)};
  return found;
}

/* What stores begin with, the first token of which is read: a constant array, or a name. */
static bool read_base_array(clause_reader *r, token first, nested_value *out) {
  if (find_array(r, first, out)) return true;
  if (first.kind != TOKEN_OPEN) return fail(r, first.place, text_format("expected an array"));
  return expect(r, TOKEN_OPEN, "an array", NULL) && read_constant_array(r, out);
}

/* (store .. (store ARRAY INDEX VALUE) ..), or the array alone. */
static bool read_array(clause_reader *r, nested_value *out) {
  size_t stores = 0;
  token t = token_next(&r->tokens);
  for (; t.kind == TOKEN_OPEN && next_is(r, "store"); t = token_next(&r->tokens), stores++) token_next(&r->tokens);
  bool fine = read_base_array(r, t, out);
  for (size_t i = 0; i < stores && fine; i++) {
    array_entry made;
    fine = read_scalar(r, &made.index) && read_element(r, out->nesting, &made.element) &&
           expect(r, TOKEN_CLOSE, ")", NULL);
    if (fine) out->value = array_value_with(r->model->terms, out->value, made.index, made.element);
  }
  return fine;
}

/* A value of an array that is so often one of arrays; so deep and no deeper this calls itself. */
static bool read_element(clause_reader *r, unsigned nesting, number *out) {
  nested_value row;
  if (!nesting) return read_scalar(r, out);
  size_t place = (size_t)(r->tokens.at - r->tokens.start);
  if (!read_array(r, &row)) return false;
  if (row.nesting != nesting - 1) return fail(r, place, text_format("expected an array of another sort"));
  *out = row.value;
  return true;
}

/* The same, or an array if there are such. */
static bool read_value(clause_reader *r, number *out) {
  token_reader ahead = r->tokens;
  token open = token_next(&ahead), word = token_next(&ahead);
  bool is_array = open.kind == TOKEN_OPEN && (word.kind == TOKEN_OPEN || token_is(word, TOKEN_SYMBOL, "store"));
  nested_value read = {0};
  is_array = is_array || find_array(r, open, &read);
  if (!is_array || !r->model->clauses->have_arrays) return read_scalar(r, out);
  if (!read_array(r, &read)) return false;
  *out = read.value;
  return true;
}

/* (define-const NAME (Array Int T) ARRAY), after its first word. */
static bool read_array_definition(clause_reader *r) {
  token name;
  type of;
  nested_value read;
  if (!expect(r, TOKEN_SYMBOL, "a name", &name)) return false;
  if (!smtlib_read_array_sort(&r->tokens, &of))
    return fail(r, name.place, text_format("expected the sort of an array"));
  if (!read_array(r, &read) || !expect(r, TOKEN_CLOSE, ")", NULL)) return false;
  if (read.nesting != of.nesting) return fail(r, name.place, text_format("expected an array of another sort"));
  char *word = memory_copy_bytes(name.at, name.length);
  names_set(r->arrays, word, (uint64_t)read.value.small * (MOST_NESTING + 1) + read.nesting);
  memory_free(word);
  return true;
}

/* A number below `limit`. */
static bool read_index(clause_reader *r, token t, uint64_t limit, const char *what, uint32_t *out) {
  number n;
  int64_t value;
  bool fits = t.kind == TOKEN_NUMERAL && t.length < 10 && number_parse(t.at, t.length, &n) &&
              number_to_int64(n, &value) && (uint64_t)value < limit;
  if (!fits) return fail(r, t.place, text_format("%s", what));
  *out = (uint32_t)value;
  return true;
}

/* Numbers of earlier steps, which are counted from 0. */
static bool read_premises(clause_reader *r, derivation_step *s) {
  if (!expect(r, TOKEN_OPEN, "the premises", NULL)) return false;
  for (uint32_t premise;;) {
    token t = token_next(&r->tokens);
    if (t.kind == TOKEN_CLOSE) return true;
    if (!read_index(r, t, r->evidence->derivation.count, "expected the number of an earlier step", &premise))
      return false;
    VECTOR_PUSH(s->premises, premise);
  }
}

static bool read_values(clause_reader *r, derivation_step *s) {
  if (!expect(r, TOKEN_OPEN, "the values of variables", NULL)) return false;
  for (;;) {
    token t = token_next(&r->tokens);
    number n;
    if (t.kind == TOKEN_CLOSE) return true;
    if (t.kind != TOKEN_OPEN || !expect(r, TOKEN_SYMBOL, "a name", NULL))
      return fail(r, t.place, text_format("expected a variable and its value"));
    if (!read_value(r, &n) || !expect(r, TOKEN_CLOSE, ")", NULL)) return false;
    VECTOR_PUSH(s->values, n);
  }
}

/* `false`, a predicate's name, or (NAME VALUE ..) */
static bool read_atom(clause_reader *r, derivation_step *s) {
  token t = token_next(&r->tokens);
  bool has_values = t.kind == TOKEN_OPEN;
  if (has_values) t = token_next(&r->tokens);
  s->has_atom = true;
  s->predicate = NO_PREDICATE;
  if (!has_values && token_is(t, TOKEN_SYMBOL, "false")) return true;
  if (t.kind != TOKEN_SYMBOL) return fail(r, t.place, text_format("expected an atom"));
  if (!find_predicate(r->model->clauses, t, &s->predicate))
    return fail(r, t.place, text_format("there is no predicate of this name"));
  for (number n; has_values;) {
    token_reader before = r->tokens;
    if (token_next(&r->tokens).kind == TOKEN_CLOSE) return true;
    r->tokens = before;
    if (!read_value(r, &n)) return false;
    VECTOR_PUSH(s->atom, n);
  }
  return true;
}

static bool read_step(clause_reader *r) {
  token which;
  derivation_step s = {0};
  static const char no_clause[] = "there is no clause of this number";
  if (!expect(r, TOKEN_NUMERAL, "the number of a clause", &which)) return false;
  if (!read_index(r, which, r->model->clauses->clauses.count + 1, no_clause, &s.clause)) return false;
  if (!s.clause--) return fail(r, which.place, text_format("%s", no_clause));
  bool fine = read_atom(r, &s) && read_premises(r, &s) && read_values(r, &s) && expect(r, TOKEN_CLOSE, ")", NULL);
  VECTOR_PUSH(r->evidence->derivation, s);
  return fine;
}

static bool read_steps(clause_reader *r) {
  for (;;) {
    token t = token_next(&r->tokens), word;
    if (t.kind == TOKEN_END) return property_is_known(r);
    if (t.kind != TOKEN_OPEN) return fail(r, t.place, text_format("expected a step"));
    word = token_next(&r->tokens);
    if (token_is(word, TOKEN_SYMBOL, "set-info") ? !read_info(r)
        : token_is(word, TOKEN_SYMBOL, "step")   ? !read_step(r)
        : token_is(word, TOKEN_SYMBOL, "define-const") && r->arrays
            ? !read_array_definition(r)
            : !fail(r, word.place, text_format("expected a step")))
      return false;
  }
}

/* ---- runs of clauses ---- */

/* (step CLAUSE VALUE ..) or (repeat TIMES CLAUSE VALUE ..), after its first word. */
static bool read_run_step(clause_reader *r, bool is_repeated) {
  token t = token_next(&r->tokens);
  clause_run_step s = {.times = 1};
  uint32_t times = 1;
  if (is_repeated) {
    if (!read_index(r, t, 1000 * 1000 * 1000, "expected how often", &times)) return false;
    if (!times) return fail(r, t.place, text_format("expected a number above 0"));
    t = token_next(&r->tokens);
  }
  if (!read_index(r, t, r->model->clauses->clauses.count + 1, "there is no clause of this number", &s.clause))
    return false;
  if (!s.clause--) return fail(r, t.place, text_format("there is no clause of this number"));
  s.times = times;
  bool fine = true;
  for (number n; fine;) {
    token_reader before = r->tokens;
    if (token_next(&r->tokens).kind == TOKEN_CLOSE) break;
    r->tokens = before;
    fine = read_value(r, &n);
    if (fine) VECTOR_PUSH(s.choices, n);
  }
  VECTOR_PUSH(r->evidence->run, s);
  return fine;
}

static bool read_run(clause_reader *r) {
  for (;;) {
    token t = token_next(&r->tokens), word;
    if (t.kind == TOKEN_END) return property_is_known(r);
    if (t.kind != TOKEN_OPEN) return fail(r, t.place, text_format("expected a step"));
    word = token_next(&r->tokens);
    bool is_repeated = token_is(word, TOKEN_SYMBOL, "repeat");
    if (token_is(word, TOKEN_SYMBOL, "set-info")              ? !read_info(r)
        : is_repeated || token_is(word, TOKEN_SYMBOL, "step") ? !read_run_step(r, is_repeated)
                                                              : !fail(r, word.place, text_format("expected a step")))
      return false;
  }
}

static bool read_as(evidence_kind kind, bool (*read)(clause_reader *), model *m, const char *content, size_t length,
                    size_t *property, evidence *e, char **error) {
  clause_reader r = {.model = m, .tokens = tokens_open(content, length), .evidence = e};
  e->kind = kind;
  for (size_t i = 0; i < m->clauses->predicates.count; i++) {
    VECTOR_PUSH(r.seen, false);
    if (kind != EVIDENCE_DERIVATION && kind != EVIDENCE_CLAUSE_RUN) VECTOR_PUSH(e->interpretation, TERM_FALSE);
  }
  add_values(m->clauses, m->terms, false, &r.values);
  add_values(m->clauses, m->terms, true, &r.values);
  if (m->clauses->have_arrays && kind == EVIDENCE_DERIVATION) r.arrays = names_new();
  bool fine = read(&r);
  names_free(r.arrays);
  *property = r.property;
  if (!fine) *error = error_at(content, length, r.place, r.error);
  VECTOR_FREE(r.seen);
  named_terms_clear(&r.values);
  return fine;
}

bool derivation_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  return read_as(EVIDENCE_DERIVATION, read_steps, m, content, length, property, e, error);
}

bool clause_run_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  return read_as(EVIDENCE_CLAUSE_RUN, read_run, m, content, length, property, e, error);
}

bool interpretation_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  return read_as(EVIDENCE_INTERPRETATION, read_definitions, m, content, length, property, e, error);
}

bool k_interpretation_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  return read_as(EVIDENCE_K_INTERPRETATION, read_k_definitions, m, content, length, property, e, error);
}

bool call_ranking_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  return read_as(EVIDENCE_CALL_RANKING, read_call_ranking, m, content, length, property, e, error);
}
