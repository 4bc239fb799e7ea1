/* From bytes to tokens. */
#ifndef WHET_INPUT_WHET_PARSE_TOKEN_H
#define WHET_INPUT_WHET_PARSE_TOKEN_H

#include "input/diagnostic.h"
#include "input/whet/parse/word.h"

typedef enum whet_token_kind {
  TOKEN_END,
  TOKEN_NAME, /* also keywords: they are special by position only */
  TOKEN_NUMBER,
  TOKEN_STRING,       /* "..", behind the word `include` only */
  TOKEN_OPEN,         /* ( */
  TOKEN_CLOSE,        /* ) */
  TOKEN_OPEN_SQUARE,  /* [ */
  TOKEN_CLOSE_SQUARE, /* ] */
  TOKEN_OPEN_BRACE,   /* { */
  TOKEN_CLOSE_BRACE,  /* } */
  TOKEN_COMMA,
  TOKEN_SEMICOLON,
  TOKEN_COLON,
  TOKEN_DOT,
  TOKEN_RANGE,  /* .. */
  TOKEN_ASSIGN, /* := */
  TOKEN_ARROW,  /* -> */
  TOKEN_IFF,
  TOKEN_IMPLIES,
  TOKEN_OR,
  TOKEN_AND,
  TOKEN_NOT,
  TOKEN_EQUAL, /* = or == */
  TOKEN_UNEQUAL,
  TOKEN_LESS,
  TOKEN_LESS_EQUAL,
  TOKEN_GREATER,
  TOKEN_GREATER_EQUAL,
  TOKEN_DIAMOND, /* <> */
  TOKEN_PLUS,
  TOKEN_MINUS,
  TOKEN_STAR,
  TOKEN_SLASH,
  TOKEN_PERCENT,
  TOKEN_QUESTION,
} whet_token_kind;

typedef struct whet_token {
  whet_token_kind kind;
  bool first_on_line;
  bool quoted;     /* a name between bars: never a keyword */
  bool is_decimal; /* a number with a point in it */
  span at;
  word *word; /* TOKEN_NAME */
} whet_token;

typedef struct lexer {
  reporter *reporter;
  words *words;
  uint32_t at, end;
  bool fresh_line;
  bool after_include;
  text spelling; /* room for the name being read */
} lexer;

void lexer_open(lexer *l, KEEP reporter *r, KEEP words *w);
void lexer_close(lexer *l);
/* Reads a part of the source instead of its first text. */
void lexer_set_part(lexer *l, uint32_t start, uint32_t end);
/* Reports what is no token and goes on behind it. */
whet_token lexer_next(lexer *l);
/* The token as messages show it: `x`, `:=`, "end of file". */
GIVE char *token_describe(const source *s, const whet_token *t);

#endif
