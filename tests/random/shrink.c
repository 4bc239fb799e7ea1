#include "random/shrink.h"

#include <ctype.h>

#include "base/vector.h"

typedef struct span {
  const char *at;
  size_t length;
} span;

typedef VECTOR(span) spans;

typedef struct shrinker {
  shrink_keeps keeps;
  void *context;
  unsigned questions; /* left */
} shrinker;

static void split_lines(const char *s, spans *out) {
  while (*s) {
    const char *end = strchr(s, '\n');
    size_t length = end ? (size_t)(end - s) + 1 : strlen(s);
    VECTOR_PUSH(*out, (span){s, length});
    s += length;
  }
}

/* Words, numbers and signs, each with the blanks behind it. */
static void split_words(const char *s, spans *out) {
  while (*s) {
    size_t length = 0;
    if (isalnum((unsigned char)*s) || *s == '_') {
      while (isalnum((unsigned char)s[length]) || s[length] == '_') length++;
    } else {
      length = 1;
    }
    while (isspace((unsigned char)s[length])) length++;
    VECTOR_PUSH(*out, (span){s, length});
    s += length;
  }
}

/* All but the pieces from..to-1. */
static GIVE char *join_without(const spans *all, size_t from, size_t to) {
  text t = {0};
  for (size_t i = 0; i < all->count; i++)
    if (i < from || i >= to) text_add_bytes(&t, all->at[i].at, all->at[i].length);
  return text_give(&t);
}

static bool ask(shrinker *s, const char *content) {
  if (!s->questions) return false;
  s->questions--;
  return s->keeps(s->context, content);
}

/* Leaves out runs of `size` pieces wherever that is possible; true if something went. */
static bool sweep(shrinker *s, spans *all, size_t size) {
  bool changed = false;
  for (size_t from = 0; from < all->count && s->questions;) {
    size_t to = from + size < all->count ? from + size : all->count;
    char *candidate = join_without(all, from, to);
    bool kept = ask(s, candidate);
    memory_free(candidate);
    if (kept) {
      memmove(all->at + from, all->at + to, (all->count - to) * sizeof(span));
      all->count -= to - from;
      changed = true;
    } else {
      from += size;
    }
  }
  return changed;
}

static GIVE char *shrink_pieces(shrinker *s, TAKE char *content, void (*split)(const char *, spans *)) {
  spans all = {0};
  split(content, &all);
  for (size_t size = all.count / 2; size > 0; size /= 2) sweep(s, &all, size);
  while (sweep(s, &all, 2) || sweep(s, &all, 1)) {
  }
  char *result = join_without(&all, 0, 0);
  VECTOR_FREE(all);
  memory_free(content);
  return result;
}

char *shrink(const char *content, shrink_keeps keeps, void *context, unsigned questions) {
  shrinker s = {keeps, context, questions};
  char *result = shrink_pieces(&s, memory_copy_string(content), split_lines);
  return shrink_pieces(&s, result, split_words);
}
