/* Types and ranges. */
#include "input/whet/parse/parser.h"

binder parse_binder(parser *p) {
  declared_name name = parser_expect_name(p, "a name");
  binder b = {.word = name.word, .at = name.at};
  parser_expect(p, TOKEN_COLON, "`:` and a range");
  if (parser_at_word(p, WORD_int) && parser_peek(p, 1)->kind != TOKEN_RANGE) {
    parser_take(p);
    return b;
  }
  b.low = parse_bound(p);
  parser_expect(p, TOKEN_RANGE, "`..`");
  b.high = parse_bound(p);
  return b;
}

static void parse_enumeration(parser *p, type_tree *t) {
  VECTOR(word *) values = {0};
  VECTOR(span) places = {0};
  parser_take(p);
  do {
    declared_name value = parser_expect_name(p, "a name for a value of the enumeration");
    VECTOR_PUSH(values, value.word);
    VECTOR_PUSH(places, value.at);
  } while (parser_accept(p, TOKEN_COMMA));
  parser_expect(p, TOKEN_CLOSE_BRACE, "`,` or `}`");
  t->kind = TYPE_ENUMERATION;
  t->values = PARSER_COPY(p, values);
  t->value_places = PARSER_COPY(p, places);
  t->value_count = values.count;
  VECTOR_FREE(values);
  VECTOR_FREE(places);
}

static void parse_range(parser *p, type_tree *t) {
  t->kind = TYPE_RANGE;
  t->low = parse_bound(p);
  if (!p->lost && parser_kind(p) != TOKEN_RANGE && t->low->kind == EXPRESSION_NAME) {
    t->kind = TYPE_NAMED;
    t->word = t->low->word;
    return;
  }
  parser_expect(p, TOKEN_RANGE, "`..` and the end of the range");
  t->high = parse_bound(p);
}

/* array[int] of T, array[L..H] of T */
static void parse_array_of(parser *p, type_tree *t) {
  if (!parser_enter(p)) return;
  parser_take(p);
  parser_take(p);
  t->kind = TYPE_ARRAY;
  t->is_array_of = true;
  if (parser_at_word(p, WORD_int) && parser_peek(p, 1)->kind == TOKEN_CLOSE_SQUARE) {
    parser_take(p);
  } else {
    t->low = parse_bound(p);
    if (!parser_expect(p, TOKEN_RANGE, "`..`"))
      report_hint(p->reporter,
                  "an array type names its first and last index: `array[0..n-1] of int`, or any: `array[int] of int`");
    t->high = parse_bound(p);
  }
  parser_expect(p, TOKEN_CLOSE_SQUARE, "`]`");
  if (!parser_accept_word(p, WORD_of)) parser_fail_expected(p, "`of` and the type of the elements");
  t->element = parse_type(p);
  parser_leave(p);
}

static void parse_plain_type(parser *p, type_tree *t) {
  bool is_bound = parser_peek(p, 1)->kind == TOKEN_RANGE; /* a constant may be called `nat` */
  if (parser_kind(p) == TOKEN_OPEN_BRACE)
    parse_enumeration(p, t);
  else if (parser_at_word(p, WORD_array) && parser_peek(p, 1)->kind == TOKEN_OPEN_SQUARE)
    parse_array_of(p, t);
  else if (!is_bound && parser_accept_word(p, WORD_bool))
    t->kind = TYPE_BOOL;
  else if (!is_bound && parser_accept_word(p, WORD_int))
    t->kind = TYPE_INT;
  else if (!is_bound && parser_accept_word(p, WORD_nat))
    t->kind = TYPE_NAT;
  else if (!is_bound && parser_accept_word(p, WORD_real))
    t->kind = TYPE_REAL;
  else if (!is_bound && parser_accept_word(p, WORD_node))
    t->kind = TYPE_NODE;
  else
    parse_range(p, t);
}

/* T[1..3][1..2]: the first index runs over 1..3. */
static type_tree *parse_array(parser *p, type_tree *element) {
  if (parser_kind(p) != TOKEN_OPEN_SQUARE) return element;
  if (!parser_enter(p)) return element;
  type_tree *t = arena_alloc(p->arena, sizeof(type_tree));
  parser_take(p);
  t->kind = TYPE_ARRAY;
  t->low = parse_bound(p);
  if (!parser_expect(p, TOKEN_RANGE, "`..`"))
    report_hint(p->reporter, "an array type names its first and last index: int[0..9]");
  t->high = parse_bound(p);
  parser_expect(p, TOKEN_CLOSE_SQUARE, "`]`");
  t->element = parse_array(p, element);
  t->at = parser_span(p, element->at.start);
  parser_leave(p);
  return t;
}

type_tree *parse_type(parser *p) {
  type_tree *t = arena_alloc(p->arena, sizeof(type_tree));
  uint32_t start = parser_peek(p, 0)->at.start;
  parse_plain_type(p, t);
  t->at = parser_span(p, start);
  return parse_array(p, t);
}
