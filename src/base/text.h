/* Text that grows, and fixed formats for it. */
#ifndef WHET_BASE_TEXT_H
#define WHET_BASE_TEXT_H

#include <stdarg.h>

#include "base/base.h"

typedef struct text {
  char *at; /* always ends with a zero once anything was added; NULL before that */
  size_t count, room;
} text;

void text_add(text *t, const char *format, ...) PRINTF_LIKE(2, 3);
void text_add_list(text *t, const char *format, va_list list);
void text_add_bytes(text *t, const char *bytes, size_t count);
void text_add_char(text *t, char c);
/* The content of a file, of standard input if `path` is `-`, and no more than about `most` bytes of it. False, and
 * errno says why, if it cannot be read. */
bool text_add_file(text *t, const char *path, size_t most);
void text_reset(text *t);
/* Only the first `count` bytes stay. */
void text_cut(text *t, size_t count);
void text_clear(text *t);
/* The content as a string of its own; `t` is empty afterwards. Never NULL. */
GIVE char *text_give(text *t);
/* The content, "" if nothing was added. */
KEEP const char *text_string(const text *t);

GIVE char *text_format(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
