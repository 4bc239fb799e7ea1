/* Channels: their declarations, and messages sent and received. */
#include "input/whet/parse/parser.h"

static variables_tree *part(parser *p, const char *name, type_tree type, expression *value) {
  variables_tree *v = arena_alloc(p->arena, sizeof(variables_tree));
  declared_name of = {.word = words_make(p->words, name), .at = type.at};
  *v = (variables_tree){.names = {parser_copy(p, &of, 1, sizeof(of)), 1}, .value = value, .at = type.at};
  v->type = parser_copy(p, &type, 1, sizeof(type));
  return v;
}

static expression *one(parser *p, span at) {
  expression *e = parse_zero(p, at);
  e->number = number_of(1);
  return e;
}

/* length : 0..SIZE = 0 and at : T[1..SIZE], the oldest message first */
static void add_parts(parser *p, type_tree *t, expression *size) {
  type_tree length = {.kind = TYPE_RANGE, .at = size->at, .low = parse_zero(p, size->at), .high = size};
  type_tree at = {.kind = TYPE_ARRAY, .at = size->at, .low = one(p, size->at), .high = size, .element = t->element};
  variables_tree *both[] = {part(p, "length", length, parse_zero(p, size->at)), part(p, "at", at, NULL)};
  *t->parts = (variables_trees){parser_copy(p, both, 2, sizeof(*both)), 2};
}

/* Of a channel of any length: length : nat = 0 and at : T[1..1], the oldest message, and what the others are kept in
 * (model/queue/queue.h). */
static void add_endless_parts(parser *p, type_tree *t) {
  type_tree natural = {.kind = TYPE_NAT, .at = t->at};
  type_tree at = {.kind = TYPE_ARRAY, .at = t->at, .low = one(p, t->at), .high = one(p, t->at), .element = t->element};
  variables_tree *all[] = {part(p, "length", natural, parse_zero(p, t->at)), part(p, "at", at, NULL),
                           part(p, "rest", natural, parse_zero(p, t->at)), part(p, "power", natural, one(p, t->at))};
  *t->parts = (variables_trees){parser_copy(p, all, 4, sizeof(*all)), 4};
}

/* The ranges of an array of channels, [1..3], and at the end the length, [4]. */
typedef struct brackets {
  VECTOR(type_tree *) arrays;
  expression *size; /* NULL: none */
  bool is_endless;  /* [] */
} brackets;

static void parse_brackets(parser *p, brackets *out) {
  while (!p->lost && !out->size && !out->is_endless && parser_accept(p, TOKEN_OPEN_SQUARE)) {
    if (parser_accept(p, TOKEN_CLOSE_SQUARE)) {
      out->is_endless = true;
      continue;
    }
    uint32_t start = parser_peek(p, 0)->at.start;
    expression *first = parse_bound(p);
    if (parser_accept(p, TOKEN_RANGE)) {
      type_tree *t = arena_alloc(p->arena, sizeof(type_tree));
      *t = (type_tree){.kind = TYPE_ARRAY, .low = first, .high = parse_bound(p)};
      t->at = parser_span(p, start);
      VECTOR_PUSH(out->arrays, t);
    } else {
      out->size = first;
    }
    parser_expect(p, TOKEN_CLOSE_SQUARE, "`]`");
  }
}

static bool is_zero(const expression *e) { return e->kind == EXPRESSION_NUMBER && number_sign(e->number) == 0; }

static void check_size(parser *p, const brackets *b, const type_tree *t, span name) {
  if (p->lost) return;
  if (t->is_sync && (b->size || b->is_endless || b->arrays.count)) {
    parser_fail(p, name.start, "a handshake has no length and no copies: `sync channel c of int`");
  } else if (!t->is_sync && !b->size && !b->is_endless) {
    parser_fail(p, name.start, "the channel has no length");
    report_hint(
        p->reporter,
        "`channel c[4] of int` has room for 4 messages, `channel c[] of bool` for any number of them, and `sync "
        "channel c of int` for none: sender and receiver move together");
  } else if (b->size && is_zero(b->size)) {
    parser_fail(p, b->size->at.start, "a channel has room for one message at least");
    report_hint(p->reporter, "without room, sender and receiver move together: `sync channel c of int`");
  }
}

variables_tree *parse_channel(parser *p, uint32_t start, keyword first) {
  variables_tree *v = arena_alloc(p->arena, sizeof(variables_tree));
  type_tree *t = arena_alloc(p->arena, sizeof(type_tree)), *whole = t;
  brackets b = {0};
  v->type = t;
  if (first != WORD_channel && !parser_accept_word(p, WORD_channel)) parser_fail_expected(p, "`channel`");
  v->names = parse_names(p, "the name of a channel");
  parse_brackets(p, &b);
  if (!p->lost && !parser_accept_word(p, WORD_of)) {
    parser_fail_expected(p, "`of` and the type of the messages");
    report_hint(p->reporter,
                "a channel is `channel NAME[LENGTH] of TYPE`, or `channel NAME[] of TYPE` with room for any number of "
                "messages");
  }
  *t = (type_tree){
      .kind = TYPE_CHANNEL, .is_sync = first == WORD_sync, .is_lossy = first == WORD_lossy, .is_endless = b.is_endless};
  t->element = parse_type(p);
  t->at = v->names.at[0].at;
  t->parts = arena_alloc(p->arena, sizeof(variables_trees));
  check_size(p, &b, t, v->names.at[0].at);
  if (!p->lost && b.size) add_parts(p, t, b.size);
  if (!p->lost && b.is_endless) add_endless_parts(p, t);
  for (size_t i = b.arrays.count; i-- > 0;) {
    b.arrays.at[i]->element = whole;
    whole = b.arrays.at[i];
  }
  v->type = whole;
  v->at = parser_span(p, start);
  VECTOR_FREE(b.arrays);
  return v;
}

void parse_message(parser *p, assignment *a) {
  bool sends = parser_take(p).kind == TOKEN_NOT;
  a->kind = sends ? ASSIGN_SEND : ASSIGN_RECEIVE;
  a->value = sends ? parse_expression(p) : parse_target(p);
  a->at = (span){a->target->at.start, p->end};
}
