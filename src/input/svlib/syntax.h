/* Texts in parentheses: words and lists, with their places. */
#ifndef WHET_INPUT_SVLIB_SYNTAX_H
#define WHET_INPUT_SVLIB_SYNTAX_H

#include "input/diagnostic.h"

typedef enum sv_word { SV_SYMBOL, SV_NUMERAL, SV_OTHER } sv_word; /* SV_OTHER: decimals, strings, #x.. */

typedef struct sv_node {
  span at;
  bool is_list;
  sv_word word;     /* what kind of word */
  const char *text; /* of a word: without the bars of |a b|; of a list: "" */
  const struct sv_node *const *items;
  size_t count;
} sv_node;

/* All lists of the text one after the other, as the items of one list, in `a`. NULL after a message. */
KEEP const sv_node *sv_parse(arena *a, reporter *r);

/* A list that begins with this word. */
bool sv_starts_with(const sv_node *n, const char *word);
bool sv_is_word(const sv_node *n, const char *word);

#endif
