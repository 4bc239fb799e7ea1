/* Evidence about clauses, written; docs/chc.md and docs/certificates.md describe the files.
 *
 * An interpretation is what other solvers of clauses print too: a (define-fun ..) for each predicate. A derivation is a list of
 * (step CLAUSE ATOM (PREMISE ..) ((VARIABLE VALUE) ..)). Arrays with many elements have names there, and are defined by what was written to
 * another one: (define-const NAME SORT (store OTHER INDEX VALUE)). */
#include "base/escape.h"
#include "base/map.h"
#include "proof/certificate.h"
#include "proof/format/clause_names.h"
#include "proof/format/formats.h"
#include "term/array_value.h"
#include "term/evaluate.h"
#include "term/print.h"

/* Words that are symbols only between bars: of SMT-LIB itself, of its commands, of theories and of some solvers. */
static const char reserved[] =
    " ! _ as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING assert check-sat "
    "check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun declare-sort "
    "declare-rel declare-var rule query define-const define-fun define-fun-rec define-funs-rec "
    "define-sort echo exit get-assertions get-assignment get-info get-model get-option get-proof "
    "get-unsat-assumptions get-unsat-core get-value include pop push reset reset-assertions set-info "
    "set-logic set-option simplify is lambda Bool Int Real / to_real to_int is_int true false not and or xor ite "
    "distinct div mod abs "
    "= => < <= > >= + - * model sat unsat unknown ";

static bool is_reserved(const char *name) {
  size_t length = strlen(name);
  for (const char *at = reserved; (at = strstr(at, name)); at++)
    if (at > reserved && at[-1] == ' ' && at[length] == ' ') return true;
  return false;
}

static void symbol_print(const char *name, text *out) {
  static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$%^&*_-+=<>.?/";
  bool is_plain = *name && strspn(name, others) == strlen(name) && (*name < '0' || *name > '9');
  bool is_bare = is_plain && !is_reserved(name);
  if (!is_bare) text_add_char(out, '|');
  clause_name_escape(name, out);
  if (!is_bare) text_add_char(out, '|');
}

/* Sorts of SMT-LIB's own stand without bars. */
static void symbol_print_sort(const char *name, text *out) {
  bool is_own = name[0] == '(' || !strcmp(name, "Int") || !strcmp(name, "Bool") || !strcmp(name, "Real");
  if (is_own)
    text_add(out, "%s", name);
  else
    symbol_print(name, out);
}

static void write_property(const model *m, size_t property, text *out) {
  if (m->properties.count == 1) return;
  text_add(out, "(set-info :whet-property |");
  clause_name_escape(m->properties.at[property].name, out);
  text_add(out, "|)\n");
}

/* Formulas are about numbers; a parameter of an enumeration is the number of its value. True if a parenthesis stays open. */
static bool open_enumerations(const model *m, const clause_predicate *p, term formula, text *out) {
  size_t opened = 0;
  for (size_t i = 0; i < p->parameters.count; i++) {
    variable v = p->parameters.at[i];
    const type *of = variable_type(m->terms, v);
    if (!clauses_have_enumeration(m->clauses, of) || !term_mentions(m->terms, formula, v)) continue;
    text_add(out, opened++ ? " (" : "(let ((");
    variable_print_smtlib(m->terms, v, out);
    for (size_t j = 0; j + 1 < of->name_count; j++) {
      text_add(out, " (ite (= ");
      variable_print_smtlib(m->terms, v, out);
      text_add_char(out, ' ');
      symbol_print(of->names[j], out);
      text_add(out, ") %zu", j);
    }
    text_add(out, " %zu", of->name_count - 1);
    for (size_t j = 0; j < of->name_count; j++) text_add_char(out, ')');
  }
  if (opened) text_add(out, ") ");
  return opened > 0;
}

static void write_parameters(const model *m, const clause_predicate *p, text *out) {
  text_add(out, " (");
  for (size_t i = 0; i < p->parameters.count; i++) {
    text_add(out, i ? " (" : "(");
    variable_print_smtlib(m->terms, p->parameters.at[i], out);
    text_add_char(out, ' ');
    symbol_print_sort(clause_sort_name(m, p->parameters.at[i]), out);
    text_add_char(out, ')');
  }
  text_add(out, ") Bool\n  ");
}

/* The indices that the formula speaks of: it holds for all of them. True if a parenthesis stays open. */
static bool open_indices(const model *m, const evidence *e, term formula, text *out) {
  size_t opened = 0;
  for (size_t i = 0; i < e->indices.count; i++) {
    if (!term_mentions(m->terms, formula, e->indices.at[i])) continue;
    text_add(out, opened++ ? " (" : "(forall ((");
    variable_print_smtlib(m->terms, e->indices.at[i], out);
    text_add(out, " Int)");
  }
  if (opened) text_add(out, ") ");
  return opened > 0;
}

void interpretation_write(const model *m, size_t property, const evidence *e, text *out) {
  write_property(m, property, out);
  if (!m->clauses->predicates.count) text_add(out, "; there are no predicates; every clause holds as it is\n");
  for (size_t i = 0; i < m->clauses->predicates.count; i++) {
    const clause_predicate *p = &m->clauses->predicates.at[i];
    term formula = e->interpretation.at[i];
    text_add(out, "(define-fun ");
    symbol_print(p->name, out);
    write_parameters(m, p, out);
    bool is_quantified = open_indices(m, e, formula, out), is_open = open_enumerations(m, p, formula, out);
    if (term_is_false(formula))
      text_add(out, "false");
    else
      term_print_smtlib(m->terms, formula, out);
    if (is_quantified) text_add_char(out, ')');
    text_add(out, is_open ? "))\n" : ")\n");
  }
}

/* Of arrays with more elements than these, people see the last write, and certificates have names. */
enum { ELEMENTS_SHOWN = 16 };

/* Of elements that are enumerated, certificates have the numbers. */
static type plain_element(const type *of) {
  type made = type_of_element(of);
  made.names = NULL;
  return made;
}

typedef VECTOR(array_entry) array_entries;

static void copy_entries(array_value a, array_entries *out) {
  for (size_t i = 0; i < a.count; i++) VECTOR_PUSH(*out, a.entries[i]);
}

/* A map that says what is not the default. */
static void write_array_for_people(const model *m, const type *of, number n, text *out) {
  size_t count = array_value_count(m->terms, n);
  type element = plain_element(of);
  array_entry last;
  number before;
  text_add_char(out, '[');
  if (count > ELEMENTS_SHOWN && array_value_origin(m->terms, n, &before, &last)) {
    number_print(out, last.index);
    text_add(out, ": ");
    clause_value_write(m, &element, last.element, true, out);
    text_add(out, ", and %zu more]", count - 1);
    return;
  }
  array_value a = array_value_look(m->terms, n);
  array_entries entries = {0};
  copy_entries(a, &entries);
  for (size_t i = 0; i < a.count && i < ELEMENTS_SHOWN; i++) {
    number_print(out, entries.at[i].index);
    text_add(out, ": ");
    clause_value_write(m, &element, entries.at[i].element, true, out);
    text_add(out, ", ");
  }
  VECTOR_FREE(entries);
  if (a.count > ELEMENTS_SHOWN) text_add(out, "and %zu more, ", a.count - ELEMENTS_SHOWN);
  text_add(out, a.count ? "else " : "");
  clause_value_write(m, &element, a.otherwise, true, out);
  text_add_char(out, ']');
}

/* As a term. */
static void write_array(const model *m, const type *of, number n, text *out) {
  array_value a = array_value_look(m->terms, n);
  type element = plain_element(of);
  array_entries entries = {0};
  copy_entries(a, &entries);
  for (size_t i = 0; i < a.count; i++) text_add(out, "(store ");
  text_add(out, "((as const %s) ", type_smtlib_sort(of));
  clause_value_write(m, &element, a.otherwise, false, out);
  text_add_char(out, ')');
  for (size_t i = 0; i < a.count; i++) {
    text_add_char(out, ' ');
    number_print_smtlib(entries.at[i].index, out);
    text_add_char(out, ' ');
    clause_value_write(m, &element, entries.at[i].element, false, out);
    text_add_char(out, ')');
  }
  VECTOR_FREE(entries);
}

void clause_value_write(const model *m, const type *of, number n, bool for_people, text *out) {
  int64_t value = -1;
  if (of->sort == SORT_ARRAY && for_people)
    write_array_for_people(m, of, n, out);
  else if (of->sort == SORT_ARRAY)
    write_array(m, of, n, out);
  else if (of->sort == SORT_BOOL)
    text_add(out, number_is(n, 0) ? "false" : "true");
  else if (clauses_have_enumeration(m->clauses, of) && number_to_int64(n, &value) && value >= 0 &&
           (uint64_t)value < of->name_count)
    symbol_print(of->names[value], out);
  else if (of->sort == SORT_REAL && for_people)
    number_print(out, n);
  else if (of->sort == SORT_REAL)
    number_print_smtlib_real(n, out);
  else
    number_print_smtlib(n, out);
}

/* ---- derivations ---- */

/* Arrays that have names: their numbers are keys. */
typedef struct named_arrays {
  const model *model;
  map *names;
} named_arrays;

static bool has_name(const named_arrays *a, number n) { return map_get(a->names, (uint64_t)n.small, NULL); }

static void write_value(const named_arrays *a, const type *of, number n, text *out) {
  if (a && of->sort == SORT_ARRAY && has_name(a, n))
    text_add(out, "array!%lld", (long long)n.small);
  else
    clause_value_write(a->model, of, n, false, out);
}

static void define_array(named_arrays *a, const type *of, number n, text *out) {
  type element = plain_element(of);
  array_entry write;
  number before;
  text_add(out, "(define-const array!%lld %s ", (long long)n.small, type_smtlib_sort(of));
  if (array_value_origin(a->model->terms, n, &before, &write)) {
    text_add(out, "(store ");
    write_value(a, of, before, out);
    text_add_char(out, ' ');
    number_print_smtlib(write.index, out);
    text_add_char(out, ' ');
    clause_value_write(a->model, &element, write.element, false, out);
    text_add_char(out, ')');
  } else {
    write_array(a->model, of, n, out);
  }
  text_add(out, ")\n");
  map_set(a->names, (uint64_t)n.small, 1);
}

/* Defines the array, and first those that it was made from, if it has many elements. */
static void name_array(named_arrays *a, const type *of, number n, text *out) {
  number_vector open = {0};
  array_entry write;
  bool goes_on = of->sort == SORT_ARRAY;
  while (goes_on && !has_name(a, n) && array_value_count(a->model->terms, n) > ELEMENTS_SHOWN) {
    VECTOR_PUSH(open, n);
    goes_on = array_value_origin(a->model->terms, n, &n, &write);
  }
  while (open.count) define_array(a, of, VECTOR_POP(open), out);
  VECTOR_FREE(open);
}

/* The head of the step, from its arguments. */
static void write_atom(const model *m, const named_arrays *a, const clause *c, const number *values, text *out) {
  if (c->head == NO_PREDICATE) {
    text_add(out, "false");
    return;
  }
  const clause_predicate *p = &m->clauses->predicates.at[c->head];
  if (c->head_arguments.count) text_add_char(out, '(');
  symbol_print(p->name, out);
  for (size_t i = 0; i < c->head_arguments.count; i++) {
    const type *of = variable_type(m->terms, p->parameters.at[i]);
    text_add_char(out, ' ');
    if (a)
      write_value(a, of, values[i], out);
    else
      clause_value_write(m, of, values[i], true, out);
  }
  if (c->head_arguments.count) text_add_char(out, ')');
}

/* A step that was read may give fewer values than its clause has variables, or more; the checker refuses it. */
static size_t values_known(const clause *c, const derivation_step *s) {
  return s->values.count < c->variables.count ? s->values.count : c->variables.count;
}

static void evaluate_head(const model *m, const derivation_step *s, number_vector *out) {
  const clause *c = &m->clauses->clauses.at[s->clause];
  number *assignment = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  size_t known = values_known(c, s);
  for (size_t i = 0; i < known; i++) assignment[c->variables.at[i].x] = s->values.at[i];
  for (size_t i = 0; i < c->head_arguments.count; i++)
    VECTOR_PUSH(*out, term_evaluate(m->terms, c->head_arguments.at[i], assignment));
  memory_free(assignment);
}

void derivation_write_atom(const model *m, const derivation_step *s, text *out) {
  number_vector values = {0};
  evaluate_head(m, s, &values);
  write_atom(m, NULL, &m->clauses->clauses.at[s->clause], values.at, out);
  VECTOR_FREE(values);
}

static void write_step(named_arrays *a, const derivation_step *s, text *out) {
  const model *m = a->model;
  const clause *c = &m->clauses->clauses.at[s->clause];
  number_vector derived = {0};
  size_t known = values_known(c, s);
  evaluate_head(m, s, &derived);
  for (size_t i = 0; i < known; i++) name_array(a, variable_type(m->terms, c->variables.at[i]), s->values.at[i], out);
  for (size_t i = 0; i < derived.count; i++)
    name_array(a, variable_type(m->terms, m->clauses->predicates.at[c->head].parameters.at[i]), derived.at[i], out);
  text_add(out, "(step %u ", s->clause + 1);
  write_atom(m, a, c, derived.at, out);
  text_add(out, " (");
  for (size_t j = 0; j < s->premises.count; j++) text_add(out, j ? " %u" : "%u", s->premises.at[j]);
  text_add(out, ") (");
  for (size_t j = 0; j < known; j++) {
    char *name = clause_variable_name(m->terms, c->variables.at[j]);
    text_add(out, j ? " (" : "(");
    symbol_print(name, out);
    text_add_char(out, ' ');
    write_value(a, variable_type(m->terms, c->variables.at[j]), s->values.at[j], out);
    text_add_char(out, ')');
    memory_free(name);
  }
  text_add(out, ")) ; line %u\n", c->place.line);
  VECTOR_FREE(derived);
}

void derivation_write(const model *m, size_t property, const evidence *e, text *out) {
  named_arrays a = {m, map_new()};
  text_add(out, "%s\n", evidence_row_of(EVIDENCE_DERIVATION)->first_words);
  write_property(m, property, out);
  for (size_t i = 0; i < e->derivation.count; i++) write_step(&a, &e->derivation.at[i], out);
  map_free(a.names);
}
