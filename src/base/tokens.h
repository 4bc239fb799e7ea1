/* The tokens of SMT-LIB 2 text. The text is hostile: a symbol between bars with a backslash, which solvers read in
 * different ways, is no token, nor is one with control characters. */
#ifndef WHET_BASE_TOKENS_H
#define WHET_BASE_TOKENS_H

#include "base/base.h"

typedef enum token_kind {
  TOKEN_END,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_SYMBOL, /* without its bars */
  TOKEN_NUMERAL,
  TOKEN_DECIMAL, /* 1.5 */
  TOKEN_STRING,  /* between its quotes; a quote inside is still doubled */
  TOKEN_KEYWORD, /* with its colon */
  TOKEN_BAD,
} token_kind;

typedef struct token {
  token_kind kind;
  const char *at;
  size_t length;
  size_t place;    /* offset of its first character */
  const char *why; /* of TOKEN_BAD: what is wrong, or NULL for a character or a word that no rule knows */
} token;

typedef struct token_reader {
  const char *start, *at, *end;
} token_reader;

token_reader tokens_open(const char *content, size_t length);
/* After a bad token that has a `why` the reader stays where it is. */
token token_next(token_reader *r);
bool token_is(token t, token_kind kind, const char *spelling);

#endif
