/* Datatypes whose constructors have no arguments. Three forms:
 *
 *   (declare-datatypes ((Color 0) ..) (((red) (green) ..) ..))      SMT-LIB 2.6
 *   (declare-datatypes () ((Color red green ..) ..))                as Z3 reads it too
 *   (declare-datatype Color ((red) (green) ..))
 *
 * A constructor may stand in parentheses or not. What is left out is refused where it stands. */
#include "input/smtlib/commands_inside.h"

static bool fail_at(command_reader *r, token t, const char *format, const char *name) {
  report_error(r->reporter, (uint32_t)t.place, format, name);
  return false;
}

static span span_of(const command_reader *r, token t) {
  return (span){(uint32_t)t.place, (uint32_t)(r->tokens.at - r->tokens.start)};
}

/* ---- names ---- */

static bool add_sort(command_reader *r, token name) {
  smtlib_enumeration made = {.name = command_name(r, name), .at = span_of(r, name)};
  uint64_t known;
  bool is_taken = names_get(r->sorts, made.name, &known);
  for (const char *const *own = (const char *const[]){"Bool", "Int", "Real", NULL}; *own; own++)
    is_taken |= !strcmp(*own, made.name);
  if (is_taken) return fail_at(r, name, "the sort `%s` is declared twice", made.name);
  names_set(r->sorts, made.name, r->out->enumerations.count);
  VECTOR_PUSH(r->out->enumerations, made);
  return true;
}

static bool declare(command_reader *r, token at, const char *name) {
  uint64_t known;
  if (names_get(r->declared, name, &known))
    return fail_at(r, at, "`%s` is declared twice; symbols need different names, overloading is not supported", name);
  if (command_is_of_theory(name))
    return fail_at(r, at, "`%s` is a symbol of SMT-LIB's own and cannot be declared", name);
  names_set(r->declared, name, DECLARED_CONSTRUCTOR);
  return true;
}

/* The constructor, and the name that Z3 gives to what tests for it. */
static bool add_value(command_reader *r, size_t enumeration, token name) {
  const char *value = command_name(r, name);
  char *tester = text_format("is-%s", value);
  bool fine = declare(r, name, value) && declare(r, name, arena_copy_string(r->names, tester));
  memory_free(tester);
  if (fine) VECTOR_PUSH(r->out->enumerations.at[enumeration].values, value);
  return fine;
}

/* ---- text ---- */

/* NAME or (NAME), the first token of which is read. */
static bool read_constructor(command_reader *r, size_t enumeration, token t) {
  bool is_open = t.kind == TOKEN_OPEN;
  if (is_open && !command_expect(r, TOKEN_SYMBOL, "a constructor", &t)) return false;
  if (t.kind != TOKEN_SYMBOL) return command_fail(r, t.place, "expected a constructor");
  if (token_is(t, TOKEN_SYMBOL, "par"))
    return command_fail(r, t.place, "datatypes with parameters are not supported; whet supports only enumerations");
  span at = span_of(r, t);
  if (!add_value(r, enumeration, t)) return false;
  command_put(r, at.start, " (");
  command_copy(r, at);
  command_put(r, at.start, ")");
  if (!is_open) return true;
  token close;
  if (!command_next(r, &close)) return false;
  if (close.kind == TOKEN_CLOSE) return true;
  return fail_at(r, t, "the constructor `%s` has arguments; whet supports only enumerations", command_name(r, t));
}

/* Constructors up to a closing parenthesis. */
static bool read_constructors(command_reader *r, size_t enumeration) {
  span at = r->out->enumerations.at[enumeration].at;
  command_put(r, at.start, "(declare-datatypes ((");
  command_copy(r, at);
  command_put(r, at.start, " 0)) ((");
  for (token t;;) {
    if (!command_next(r, &t)) return false;
    if (t.kind == TOKEN_CLOSE && !r->out->enumerations.at[enumeration].values.count)
      return command_fail(r, t.place, "expected a constructor");
    if (t.kind == TOKEN_CLOSE) break;
    if (!read_constructor(r, enumeration, t)) return false;
  }
  command_put(r, at.start, ")))\n");
  return true;
}

/* ((NAME 0) ..) without its first parenthesis. */
static bool read_names(command_reader *r) {
  for (token t, name;;) {
    if (!command_next(r, &t)) return false;
    if (t.kind == TOKEN_CLOSE) return true;
    if (t.kind != TOKEN_OPEN)
      return command_fail(r, t.place, "datatypes with parameters are not supported; whet supports only enumerations");
    if (!command_expect(r, TOKEN_SYMBOL, "the name of a sort", &name) || !add_sort(r, name)) return false;
    if (!command_expect(r, TOKEN_NUMERAL, "the number 0", &t)) return false;
    if (!token_is(t, TOKEN_NUMERAL, "0"))
      return command_fail(r, t.place, "datatypes with parameters are not supported; whet supports only enumerations");
    if (!command_expect(r, TOKEN_CLOSE, "a closing parenthesis", NULL)) return false;
  }
}

/* Lists of constructors, one for each name from `first` on; or, if there are none, each with its name before them. */
static bool read_lists(command_reader *r, size_t first) {
  bool has_names = r->out->enumerations.count > first;
  for (size_t i = first;; i++) {
    token t, name;
    if (!command_next(r, &t)) return false;
    if (t.kind == TOKEN_CLOSE)
      return i == r->out->enumerations.count || command_fail(r, t.place, "expected the constructors of a datatype");
    if (t.kind != TOKEN_OPEN || (has_names && i >= r->out->enumerations.count))
      return command_fail(r, t.place, has_names ? "expected a closing parenthesis" : "expected a datatype");
    if (!has_names && (!command_expect(r, TOKEN_SYMBOL, "the name of a sort", &name) || !add_sort(r, name)))
      return false;
    if (!read_constructors(r, i)) return false;
  }
}

bool command_read_datatypes(command_reader *r, bool is_list) {
  token name;
  size_t first = r->out->enumerations.count;
  if (is_list) {
    if (!command_expect(r, TOKEN_OPEN, "the names of datatypes in parentheses", NULL) || !read_names(r)) return false;
    if (!command_expect(r, TOKEN_OPEN, "their constructors in parentheses", NULL) || !read_lists(r, first))
      return false;
  } else {
    if (!command_expect(r, TOKEN_SYMBOL, "the name of a sort", &name) || !add_sort(r, name)) return false;
    if (!command_expect(r, TOKEN_OPEN, "the constructors in parentheses", NULL) || !read_constructors(r, first))
      return false;
  }
  return command_expect(r, TOKEN_CLOSE, "a closing parenthesis", NULL);
}
