/* Messages on standard input and output: a header with Content-Length, a blank line, so many bytes of JSON. */
#ifndef WHET_LSP_FRAMING_H
#define WHET_LSP_FRAMING_H

#include "base/text.h"

/* Longer messages are skipped; a client that does not read so much is given up. */
enum { FRAMING_MOST_BYTES = 32 << 20, FRAMING_MOST_WAITING = 256 << 20 };

typedef struct framing {
  text in, out;
  size_t taken, sent; /* of these */
  uint64_t to_skip;   /* bytes of a message that is too long */
  bool is_at_end, is_broken;
} framing;

typedef enum frame_kind { FRAME_NONE, FRAME_MESSAGE, FRAME_TOO_LONG, FRAME_BROKEN } frame_kind;

void framing_open(framing *f);
void framing_clear(framing *f);
/* Reads what there is, without waiting. */
void framing_read(framing *f);
/* The next whole message; its bytes stay until the next call. FRAME_BROKEN: the header makes no sense, and nothing that follows can. */
frame_kind framing_next(framing *f, const char **bytes, size_t *count);
void framing_send(framing *f, const text *message);
/* Writes what can be written without waiting. */
void framing_flush(framing *f);
bool framing_has_to_write(const framing *f);

#endif
