/* Places in a text: offsets in bytes here, lines and columns in the protocol. */
#ifndef WHET_LSP_POSITION_H
#define WHET_LSP_POSITION_H

#include "base/text.h"
#include "base/vector.h"

typedef struct position {
  uint64_t line, column; /* from 0; columns in UTF-16 units, or in bytes */
} position;

typedef struct lined_text {
  text text;
  VECTOR(size_t) lines; /* where each starts */
} lined_text;

void lined_text_set(lined_text *t, const char *content, size_t length);
/* Replaces a part; the offsets are within the text and in order. */
void lined_text_replace(lined_text *t, size_t from, size_t to, const char *content, size_t length);
void lined_text_clear(lined_text *t);
/* A place behind the end of a line, or of the text, is that end. */
size_t position_offset(const lined_text *t, position p, bool in_bytes);
position position_of(const lined_text *t, size_t offset, bool in_bytes);

#endif
