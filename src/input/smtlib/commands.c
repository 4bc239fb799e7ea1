/* One pass over the tokens; nesting is counted, not followed. */
#include "base/escape.h"
#include "input/smtlib/commands_inside.h"

static uint32_t place_now(const command_reader *r) { return (uint32_t)(r->tokens.at - r->tokens.start); }

bool command_fail(command_reader *r, size_t offset, const char *what) {
  report_error(r->reporter, (uint32_t)offset, "%s", what);
  return false;
}

/* z3_nodes.c names symbols the same way. */
KEEP const char *command_name(command_reader *r, token t) {
  text name = {0};
  char *raw = memory_copy_bytes(t.at, t.length);
  text_add_escaped(&name, raw, "");
  const char *result = arena_copy_string(r->names, text_string(&name));
  memory_free(raw);
  text_clear(&name);
  return result;
}

static bool fail_character(command_reader *r, token t) {
  unsigned char c = (unsigned char)*t.at;
  char following = r->tokens.at < r->tokens.end ? *r->tokens.at : 0;
  if (c == '#' && (following == 'x' || following == 'b'))
    return command_fail(r, t.place, "bit vectors are not supported; whet supports only Int, Real and Bool");
  report_error(r->reporter, (uint32_t)t.place,
               c > ' ' && c <= '~' ? "unexpected character %c" : "unexpected character 0x%02x", c);
  return false;
}

/* The next token. Z3 must see the same tokens as this reader, or what is a name here could be a command there: text
 * that no rule of the lexer knows is refused. Only words that are no number, such as 1x, are left for Z3 to explain.
 */
bool command_next(command_reader *r, token *out) {
  *out = token_next(&r->tokens);
  if (out->kind != TOKEN_BAD) return true;
  if (out->why) return command_fail(r, out->place, out->why);
  return (*out->at >= '0' && *out->at <= '9') || fail_character(r, *out);
}

/* Passes over the rest of a list that begins at `from`, up to and with its closing parenthesis. */
bool command_skip_rest(command_reader *r, size_t from) {
  for (size_t depth = 1; depth;) {
    token t;
    if (!command_next(r, &t)) return false;
    if (t.kind == TOKEN_END) return command_fail(r, from, "this parenthesis is never closed");
    depth += t.kind == TOKEN_OPEN;
    depth -= t.kind == TOKEN_CLOSE;
  }
  return true;
}

/* One expression, of which only the extent is wanted. */
static bool expression(command_reader *r, const char *what, span *out) {
  token t;
  if (!command_next(r, &t)) return false;
  if (t.kind == TOKEN_CLOSE || t.kind == TOKEN_END) {
    report_error(r->reporter, (uint32_t)t.place, "expected %s", what);
    return false;
  }
  if (t.kind == TOKEN_OPEN && !command_skip_rest(r, t.place)) return false;
  *out = (span){(uint32_t)t.place, place_now(r)};
  return true;
}

bool command_expect(command_reader *r, token_kind kind, const char *what, token *out) {
  token t;
  if (!command_next(r, &t)) return false;
  if (out) *out = t;
  if (t.kind == kind) return true;
  report_error(r->reporter, (uint32_t)t.place, "expected %s", what);
  return false;
}

/* ---- the text for Z3 ---- */

/* Text whose tokens have all been read. Comments become blanks, so that places stay what they are. */
void command_copy(command_reader *r, span from) {
  const char *at = r->source->text + from.start, *end = r->source->text + from.end;
  VECTOR_PUSH(r->out->stretches, (stretch){(uint32_t)r->out->made.count, from.start});
  for (token_reader tokens = tokens_open(at, from.end - from.start); at < end;) {
    token t = token_next(&tokens);
    for (const char *start = tokens.start + t.place; at < start; at++)
      text_add_char(&r->out->made, *at == '\n' ? '\n' : ' ');
    text_add_bytes(&r->out->made, at, (size_t)(tokens.at - at));
    at = tokens.at;
  }
}

/* Words of our own; errors in them are shown at `at`. */
void command_put(command_reader *r, uint32_t at, const char *words) {
  VECTOR_PUSH(r->out->stretches, (stretch){(uint32_t)r->out->made.count, at});
  text_add(&r->out->made, "%s", words);
}

static void put_assertion(command_reader *r, smtlib_assertion a, const char *before, span what, const char *after) {
  command_put(r, what.start, "(assert ");
  text_add(&r->out->made, "%s", before);
  command_copy(r, what);
  text_add(&r->out->made, "%s)\n", after);
  VECTOR_PUSH(r->out->assertions, a);
}

uint32_t commands_offset(const smtlib_commands *c, size_t line, size_t column) {
  const char *at = text_string(&c->made), *end = at + c->made.count;
  for (size_t i = 1; i < line; i++) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    if (!newline) break;
    at = newline + 1;
  }
  size_t made = (size_t)(at - text_string(&c->made)) + column, low = 0, high = c->stretches.count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (c->stretches.at[middle].made <= made)
      low = middle;
    else
      high = middle;
  }
  if (!c->stretches.count) return 0;
  stretch s = c->stretches.at[low];
  return s.source + (made > s.made ? (uint32_t)(made - s.made) : 0);
}

/* ---- declarations ---- */

/* One that SMT-LIB itself has. */
static bool scalar_read(token t, smtlib_sort *out) {
  static const struct {
    const char *name;
    sort sort;
  } known[] = {{"Int", SORT_INT}, {"Bool", SORT_BOOL}, {"Real", SORT_REAL}};
  for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
    if (!token_is(t, TOKEN_SYMBOL, known[i].name)) continue;
    *out = (smtlib_sort){.sort = known[i].sort, .enumeration = NO_ENUMERATION};
    return true;
  }
  return false;
}

/* (Array Int T), T maybe an array again, the first parenthesis of which is read. If it is anything else, nothing more is. */
static bool array_read(command_reader *r, smtlib_sort *out) {
  token_reader before = r->tokens;
  unsigned arrays = 0;
  bool fine = !r->is_vmt;
  token element = {.kind = TOKEN_OPEN};
  for (; fine && element.kind == TOKEN_OPEN && arrays <= MOST_NESTING; arrays++) {
    token word = token_next(&r->tokens), index = token_next(&r->tokens);
    fine = token_is(word, TOKEN_SYMBOL, "Array") && token_is(index, TOKEN_SYMBOL, "Int");
    element = token_next(&r->tokens);
  }
  fine = fine && scalar_read(element, out);
  for (unsigned i = 0; i < arrays && fine; i++) fine = token_next(&r->tokens).kind == TOKEN_CLOSE;
  if (!fine)
    r->tokens = before;
  else
    *out = (smtlib_sort){
        .sort = SORT_ARRAY, .enumeration = NO_ENUMERATION, .element = out->sort, .nesting = (uint8_t)(arrays - 1)};
  return fine;
}

static bool sort_read(command_reader *r, token t, smtlib_sort *out) {
  uint64_t enumeration;
  if (scalar_read(t, out) || (t.kind == TOKEN_OPEN && array_read(r, out))) {
    return true;
  } else if (t.kind == TOKEN_SYMBOL && names_get(r->sorts, command_name(r, t), &enumeration)) {
    *out = (smtlib_sort){.sort = SORT_INT, .enumeration = (uint32_t)enumeration};
  } else {
    span at = {(uint32_t)t.place, (uint32_t)(t.place + t.length)};
    if (t.kind == TOKEN_OPEN && !command_skip_rest(r, t.place)) return false;
    if (t.kind == TOKEN_OPEN) at.end = place_now(r);
    char *words = source_excerpt(r->source, at, 40);
    report_error(r->reporter, at.start, "the sort %s is not supported; whet supports only Int, Real and Bool%s", words,
                 r->is_vmt ? "" : ", and arrays of these by Int");
    memory_free(words);
    return false;
  }
  return true;
}

static void add_sort(const command_reader *r, smtlib_sort of, text *out) {
  if (of.enumeration == NO_ENUMERATION) {
    text_add(out, "%s", type_smtlib_sort(&(type){.sort = of.sort, .element = of.element, .nesting = of.nesting}));
  } else {
    span at = r->out->enumerations.at[of.enumeration].at;
    text_add_bytes(out, r->source->text + at.start, at.end - at.start);
  }
}

static bool sorts_read(command_reader *r, smtlib_declaration *d) {
  if (!command_expect(r, TOKEN_OPEN, "the sorts of the arguments in parentheses", NULL)) return false;
  for (;;) {
    token t;
    smtlib_sort s;
    if (!command_next(r, &t)) return false;
    if (t.kind == TOKEN_CLOSE) return true;
    if (!sort_read(r, t, &s)) return false;
    VECTOR_PUSH(d->sorts, s);
  }
}

/* SMT-LIB does not let these be declared again, and it would not be clear which one is meant. */
bool command_is_of_theory(const char *name) {
  static const char *const taken[] = {
      "true", "false", "not", "=>", "and", "or", "xor", "=", "distinct", "ite",    "-",      "+",      "*",
      "div",  "mod",   "abs", "<=", "<",   ">=", ">",   "/", "to_real",  "to_int", "is_int", "select", "store"};
  for (size_t i = 0; i < ARRAY_LENGTH(taken); i++)
    if (!strcmp(name, taken[i])) return true;
  return false;
}

static bool add_declaration(command_reader *r, smtlib_declaration d, token name) {
  if (d.kind != DECLARED_VARIABLE) d.kind = d.sort.sort == SORT_BOOL ? DECLARED_PREDICATE : DECLARED_CONSTANT;
  uint64_t first;
  bool is_new = !names_get(r->declared, d.name, &first);
  names_set(r->declared, d.name, r->out->declarations.count);
  VECTOR_PUSH(r->out->declarations, d);
  if (!is_new) {
    report_error(r->reporter, (uint32_t)name.place,
                 "`%s` is declared twice; symbols need different names, overloading is not supported", d.name);
    return false;
  }
  if (command_is_of_theory(d.name)) {
    report_error(r->reporter, (uint32_t)name.place, "`%s` is a symbol of SMT-LIB's own and cannot be declared", d.name);
    return false;
  }
  if (d.kind != DECLARED_CONSTANT || !d.sorts.count) return true;
  report_error(r->reporter, (uint32_t)name.place, "`%s` is a function; whet supports only predicates and constants",
               d.name);
  return false;
}

typedef enum signature { SIGNATURE_FUN, SIGNATURE_CONST, SIGNATURE_REL, SIGNATURE_VAR } signature;

/* declare-fun NAME (SORT..) SORT, declare-const NAME SORT, declare-rel NAME (SORT..), declare-var NAME SORT */
static bool read_declaration(command_reader *r, signature kind) {
  smtlib_declaration d = {.kind = kind == SIGNATURE_VAR ? DECLARED_VARIABLE : DECLARED_PREDICATE,
                          .sort = {.sort = SORT_BOOL, .enumeration = NO_ENUMERATION}};
  token name, result;
  if (!command_expect(r, TOKEN_SYMBOL, "a name", &name)) return false;
  d.name = command_name(r, name);
  d.at = (span){(uint32_t)name.place, place_now(r)};
  bool has_sorts = kind == SIGNATURE_FUN || kind == SIGNATURE_REL;
  uint32_t sorts_start = place_now(r);
  bool fine = !has_sorts || sorts_read(r, &d);
  span sorts = {sorts_start, place_now(r)};
  if (fine && kind != SIGNATURE_REL) fine = command_next(r, &result) && sort_read(r, result, &d.sort);
  if (!fine || !add_declaration(r, d, name)) {
    if (!fine) VECTOR_FREE(d.sorts);
    return false;
  }
  command_put(r, d.at.start, "(declare-fun ");
  command_copy(r, d.at);
  if (has_sorts)
    command_copy(r, sorts);
  else
    text_add(&r->out->made, " ()");
  text_add_char(&r->out->made, ' ');
  add_sort(r, d.sort, &r->out->made);
  text_add(&r->out->made, ")\n");
  return command_expect(r, TOKEN_CLOSE, "a closing parenthesis", NULL);
}

/* ---- definitions ---- */

static bool attribute_kind(token t, assertion_kind *out) {
  static const struct {
    const char *word;
    assertion_kind kind;
  } known[] = {{":next", ASSERT_NEXT},          {":init", ASSERT_INIT},
               {":trans", ASSERT_TRANS},        {":invar-property", ASSERT_INVAR},
               {":live-property", ASSERT_LIVE}, {":predicate", ASSERT_PREDICATE}};
  for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
    if (!token_is(t, TOKEN_KEYWORD, known[i].word)) continue;
    *out = known[i].kind;
    return true;
  }
  return false;
}

static void put_attribute(command_reader *r, assertion_kind kind, span name, span value) {
  text words = {0};
  smtlib_assertion a = {.kind = kind, .at = name};
  text_add_bytes(&words, r->source->text + value.start, value.end - value.start);
  a.value = arena_copy_string(r->names, text_string(&words));
  text_reset(&words);
  text_add_bytes(&words, r->source->text + name.start, name.end - name.start);
  a.name = arena_copy_string(r->names, text_string(&words));
  text_reset(&words);
  if (kind == ASSERT_NEXT) {
    text_add(&words, "(= %s ", a.name);
    put_assertion(r, a, text_string(&words), value, ")");
  } else if (strcmp(a.value, "false")) {
    put_assertion(r, a, "", name, "");
  }
  text_clear(&words);
}

/* The attributes after an annotated expression, up to the parenthesis that closes it. */
static bool read_attributes(command_reader *r, span name) {
  for (;;) {
    token t;
    assertion_kind kind;
    span value;
    if (!command_next(r, &t)) return false;
    if (t.kind == TOKEN_CLOSE) return true;
    if (t.kind != TOKEN_KEYWORD) return command_fail(r, t.place, "expected an attribute, such as :init true");
    bool known = attribute_kind(t, &kind);
    token_reader here = r->tokens;
    token following = token_next(&here);
    bool has_value = following.kind != TOKEN_KEYWORD && following.kind != TOKEN_CLOSE;
    if (known && kind == ASSERT_NEXT && following.kind != TOKEN_SYMBOL)
      return command_fail(r, following.place, "expected the name of the variable after a step");
    value = (span){(uint32_t)t.place, (uint32_t)t.place};
    if (has_value && !expression(r, "a value", &value)) return false;
    if (known) put_attribute(r, kind, name, value);
  }
}

/* Passes over `(!` if the expression that follows is annotated. */
static bool opens_annotation(command_reader *r) {
  token_reader ahead = r->tokens;
  token open = token_next(&ahead), mark = token_next(&ahead);
  if (!r->is_vmt || open.kind != TOKEN_OPEN || !token_is(mark, TOKEN_SYMBOL, "!")) return false;
  r->tokens = ahead;
  return true;
}

static void put_definition(command_reader *r, span name, smtlib_sort of, span value) {
  text words = {0};
  command_put(r, name.start, "(declare-fun ");
  command_copy(r, name);
  text_add(&r->out->made, " () ");
  add_sort(r, of, &r->out->made);
  text_add(&r->out->made, ")\n");
  text_add(&words, "(= ");
  text_add_bytes(&words, r->source->text + name.start, name.end - name.start);
  text_add_char(&words, ' ');
  put_assertion(r, (smtlib_assertion){.kind = ASSERT_DEFINITION, .at = name}, text_string(&words), value, ")");
  text_clear(&words);
}

/* A name for one expression. Z3 would copy the expression at each use: it gets an equation instead, and the importer of
 * its trees shares the expression. */
static bool read_name(command_reader *r, span name) {
  token result;
  smtlib_sort of;
  span value;
  if (!command_next(r, &result) || !sort_read(r, result, &of)) return false;
  bool is_annotated = opens_annotation(r);
  if (!expression(r, "an expression", &value)) return false;
  put_definition(r, name, of, value);
  if (is_annotated && !read_attributes(r, name)) return false;
  return command_expect(r, TOKEN_CLOSE, "a closing parenthesis", NULL);
}

static bool read_definition(command_reader *r, size_t start, bool is_constant) {
  token name, open, t;
  if (!command_expect(r, TOKEN_SYMBOL, "a name", &name)) return false;
  span at = {(uint32_t)name.place, place_now(r)};
  if (is_constant) return read_name(r, at);
  if (!command_expect(r, TOKEN_OPEN, "the parameters in parentheses", &open)) return false;
  token_reader before = r->tokens;
  if (!command_next(r, &t)) return false;
  if (t.kind == TOKEN_CLOSE) return read_name(r, at);
  r->tokens = before;
  if (!command_skip_rest(r, open.place) || !command_skip_rest(r, start)) return false;
  command_copy(r, (span){(uint32_t)start, place_now(r)});
  text_add_char(&r->out->made, '\n');
  return true;
}

/* ---- assertions ---- */

/* `query` takes a predicate's name, with all arguments left open, or a formula. The variables must not hide the
 * predicate: their names begin with its name and go on. */
static void put_query(command_reader *r, span what) {
  text name = {0}, before = {0}, after = {0};
  text_add_bytes(&name, r->source->text + what.start, what.end - what.start);
  size_t bars = name.count > 1 && name.at[0] == '|';
  char *plain = memory_copy_bytes(text_string(&name) + bars, name.count - 2 * bars);
  uint64_t at;
  size_t count = 0;
  text printable = {0};
  text_add_escaped(&printable, plain, "");
  if (names_get(r->declared, text_string(&printable), &at) && at != DECLARED_CONSTRUCTOR)
    count = r->out->declarations.at[at].sorts.count;
  if (count) {
    text_add(&before, "(forall (");
    for (size_t i = 0; i < count; i++) {
      text_add(&before, "(|%s!%zu| ", plain, i);
      add_sort(r, r->out->declarations.at[at].sorts.at[i], &before);
      text_add_char(&before, ')');
    }
    text_add(&before, ") (not (");
    for (size_t i = 0; i < count; i++) text_add(&after, " |%s!%zu|", plain, i);
    text_add(&after, ")))");
  }
  smtlib_assertion a = {.kind = ASSERT_CLAUSE, .at = what};
  put_assertion(r, a, count ? text_string(&before) : "(not ", what, count ? text_string(&after) : ")");
  memory_free(plain);
  text_clear(&printable);
  text_clear(&name);
  text_clear(&before);
  text_clear(&after);
}

typedef enum clause_command { COMMAND_ASSERT, COMMAND_RULE, COMMAND_QUERY } clause_command;

static bool read_clause(command_reader *r, size_t start, clause_command kind) {
  span what;
  if (!expression(r, "a formula", &what)) return false;
  if (r->is_vmt) return command_fail(r, start, "VMT-LIB has no assertions; formulas are attributes of definitions");
  if (kind == COMMAND_QUERY)
    put_query(r, what);
  else
    put_assertion(r, (smtlib_assertion){.kind = ASSERT_CLAUSE, .at = {(uint32_t)start, what.end}}, "", what, "");
  r->out->has_rules |= kind != COMMAND_ASSERT;
  if (kind == COMMAND_ASSERT) return command_expect(r, TOKEN_CLOSE, "a closing parenthesis", NULL);
  return command_skip_rest(r, start); /* names of rules, attributes of queries */
}

/* ---- commands ---- */

static bool is_skipped(token t) {
  static const char *const skipped[] = {"set-logic", "set-info",  "set-option", "check-sat", "get-model",
                                        "get-info",  "get-proof", "echo",       "get-option"};
  for (size_t i = 0; i < ARRAY_LENGTH(skipped); i++)
    if (token_is(t, TOKEN_SYMBOL, skipped[i])) return true;
  return false;
}

static bool read_command(command_reader *r, size_t start, token t) {
  if (token_is(t, TOKEN_SYMBOL, "declare-fun")) return read_declaration(r, SIGNATURE_FUN);
  if (token_is(t, TOKEN_SYMBOL, "declare-const")) return read_declaration(r, SIGNATURE_CONST);
  if (token_is(t, TOKEN_SYMBOL, "declare-rel")) return read_declaration(r, SIGNATURE_REL);
  if (token_is(t, TOKEN_SYMBOL, "declare-var")) return read_declaration(r, SIGNATURE_VAR);
  if (token_is(t, TOKEN_SYMBOL, "define-fun")) return read_definition(r, start, false);
  if (token_is(t, TOKEN_SYMBOL, "define-const")) return read_definition(r, start, true);
  if (token_is(t, TOKEN_SYMBOL, "declare-datatypes") && !r->is_vmt) return command_read_datatypes(r, true);
  if (token_is(t, TOKEN_SYMBOL, "declare-datatype") && !r->is_vmt) return command_read_datatypes(r, false);
  if (token_is(t, TOKEN_SYMBOL, "assert")) return read_clause(r, start, COMMAND_ASSERT);
  if (token_is(t, TOKEN_SYMBOL, "rule")) return read_clause(r, start, COMMAND_RULE);
  if (token_is(t, TOKEN_SYMBOL, "query")) return read_clause(r, start, COMMAND_QUERY);
  if (is_skipped(t)) return command_skip_rest(r, start);
  if (token_is(t, TOKEN_SYMBOL, "exit")) {
    r->is_done = true;
    return true;
  }
  char *name = memory_copy_bytes(t.at, t.length);
  report_error(r->reporter, (uint32_t)t.place, "the command %s is not supported", name);
  memory_free(name);
  return false;
}

static bool read_all(command_reader *r) {
  while (!r->is_done) {
    token open, word;
    if (!command_next(r, &open)) return false;
    if (open.kind == TOKEN_END) return true;
    if (open.kind != TOKEN_OPEN) return command_fail(r, open.place, "expected a command in parentheses");
    r->out->count++;
    if (!command_expect(r, TOKEN_SYMBOL, "a command", &word) || !read_command(r, open.place, word)) return false;
  }
  return true;
}

bool commands_read(source *s, bool is_vmt, arena *names, smtlib_commands *out, reporter *reporter) {
  command_reader r = {.source = s, .tokens = tokens_open(s->text, s->length), .out = out, .reporter = reporter};
  r.names = names;
  r.is_vmt = is_vmt;
  r.declared = names_new();
  r.sorts = names_new();
  bool fine = read_all(&r);
  names_free(r.declared);
  names_free(r.sorts);
  return fine;
}

void commands_clear(smtlib_commands *c) {
  for (size_t i = 0; i < c->declarations.count; i++) VECTOR_FREE(c->declarations.at[i].sorts);
  VECTOR_FREE(c->declarations);
  for (size_t i = 0; i < c->enumerations.count; i++) VECTOR_FREE(c->enumerations.at[i].values);
  VECTOR_FREE(c->enumerations);
  VECTOR_FREE(c->assertions);
  VECTOR_FREE(c->stretches);
  text_clear(&c->made);
}
