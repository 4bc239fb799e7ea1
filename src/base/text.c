/* Text that grows by doubling, printf into it, strings as JSON. */
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

static void text_reserve(text *t, size_t more) {
  size_t need = t->count + more + 1;
  if (need <= t->room) return;
  size_t room = t->room ? t->room : 64;
  while (room < need) room *= 2;
  t->at = memory_realloc(t->at, room);
  t->room = room;
}

void text_add_bytes(text *t, const char *bytes, size_t count) {
  text_reserve(t, count);
  memcpy(t->at + t->count, bytes, count);
  t->count += count;
  t->at[t->count] = 0;
}

bool text_add_file(text *t, const char *path, size_t most) {
  bool is_standard = !strcmp(path, "-");
  FILE *f = is_standard ? stdin : fopen(path, "rb");
  char chunk[1 << 16];
  if (!f) return false;
  size_t start = t->count;
  for (size_t n; t->count - start < most && (n = fread(chunk, 1, sizeof chunk, f)) > 0;) text_add_bytes(t, chunk, n);
  bool fine = !ferror(f);
  int why = errno;
  if (!is_standard) fclose(f);
  errno = why;
  return fine;
}

void text_add_char(text *t, char c) { text_add_bytes(t, &c, 1); }

/* Into the room there is first; a second time only if that was too small. */
void text_add_list(text *t, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  text_reserve(t, 32);
  size_t left = t->room - t->count;
  int length = vsnprintf(t->at + t->count, left, format, list);
  REQUIRE(length >= 0, "a printable format");
  if ((size_t)length >= left) {
    text_reserve(t, (size_t)length);
    vsnprintf(t->at + t->count, (size_t)length + 1, format, again);
  }
  t->count += (size_t)length;
  va_end(again);
}

void text_add(text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_add_list(t, format, list);
  va_end(list);
}

void text_reset(text *t) {
  t->count = 0;
  if (t->at) t->at[0] = 0;
}

void text_cut(text *t, size_t count) {
  REQUIRE(count <= t->count, "a text that is as long");
  t->count = count;
  if (t->at) t->at[count] = 0;
}

void text_clear(text *t) {
  memory_free(t->at);
  *t = (text){0};
}

char *text_give(text *t) {
  if (!t->at) return memory_copy_string("");
  char *result = t->at;
  *t = (text){0};
  return result;
}

const char *text_string(const text *t) { return t->at ? t->at : ""; }

char *text_format(const char *format, ...) {
  text t = {0};
  va_list list;
  va_start(list, format);
  text_add_list(&t, format, list);
  va_end(list);
  return text_give(&t);
}
