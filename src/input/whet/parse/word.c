/* Interned words. */
#include "input/whet/parse/word.h"

static word *add(words *w, const char *text, keyword special) {
  word *made = arena_alloc(w->arena, sizeof(word));
  made->length = (uint32_t)strlen(text);
  made->text = arena_copy_bytes(w->arena, text, made->length);
  made->keyword = special;
  names_set(w->index, text, w->all.count);
  VECTOR_PUSH(w->all, made);
  return made;
}

void words_open(words *w, arena *a) {
  *w = (words){.arena = a, .index = names_new()};
#define WORD(NAME) add(w, #NAME, WORD_##NAME);
#include "input/whet/parse/words.def"
#undef WORD
}

void words_close(words *w) {
  names_free(w->index);
  VECTOR_FREE(w->all);
}

word *words_find(const words *w, const char *text) {
  uint64_t i;
  return names_get(w->index, text, &i) ? w->all.at[i] : NULL;
}

word *words_make(words *w, const char *text) {
  word *known = words_find(w, text);
  return known ? known : add(w, text, WORD_plain);
}
