/* The words of a text: each spelling is one object, so that words are compared by address and a word knows what it
 * means at the moment. */
#ifndef WHET_INPUT_WHET_PARSE_WORD_H
#define WHET_INPUT_WHET_PARSE_WORD_H

#include "base/map.h"
#include "base/memory.h"
#include "base/vector.h"

typedef enum keyword {
  WORD_plain,
#define WORD(NAME) WORD_##NAME,
#include "input/whet/parse/words.def"
#undef WORD
} keyword;

typedef struct word {
  const char *text;
  uint32_t length;
  keyword keyword;
  struct symbol *meaning; /* in the innermost scope that is open; NULL if it has none */
} word;

typedef struct words {
  arena *arena;
  names *index;
  VECTOR(word *) all; /* in the order of their first use */
} words;

void words_open(words *w, KEEP arena *a);
void words_close(words *w);
KEEP word *words_make(words *w, const char *text);
/* NULL if the spelling was never used. */
KEEP word *words_find(const words *w, const char *text);

#endif
