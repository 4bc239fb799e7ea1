/* Headers, and bytes that come and go in pieces. */
#include "lsp/framing.h"

#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

enum { PIECE = 1 << 16, LONGEST_HEADER = 4096 };

void framing_open(framing *f) {
  *f = (framing){0};
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
  fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
}

void framing_clear(framing *f) {
  text_clear(&f->in);
  text_clear(&f->out);
}

/* What was taken goes. */
static void compact(text *t, size_t *taken) {
  if (!*taken) return;
  memmove(t->at, t->at + *taken, t->count - *taken);
  text_cut(t, t->count - *taken);
  *taken = 0;
}

void framing_read(framing *f) {
  char piece[PIECE];
  compact(&f->in, &f->taken);
  ssize_t got = read(STDIN_FILENO, piece, sizeof piece);
  if (got > 0)
    text_add_bytes(&f->in, piece, (size_t)got);
  else if (!got || (errno != EAGAIN && errno != EINTR))
    f->is_at_end = true;
}

/* The number behind Content-Length in the header; false if there is none. */
static bool content_length(const char *header, size_t length, uint64_t *out) {
  static const char key[] = "content-length:";
  for (size_t i = 0; i + sizeof key - 1 <= length; i++) {
    if ((i && header[i - 1] != '\n') || strncasecmp(header + i, key, sizeof key - 1)) continue;
    size_t digits = 0;
    *out = 0;
    for (i += sizeof key - 1; i < length && header[i] == ' ';) i++;
    for (; i < length && header[i] >= '0' && header[i] <= '9' && digits < 15; i++, digits++)
      *out = 10 * *out + (uint64_t)(header[i] - '0');
    return digits && (i == length || header[i] == '\r' || header[i] == '\n');
  }
  return false;
}

static bool skip(framing *f) {
  size_t there = f->in.count - f->taken, now = f->to_skip < there ? (size_t)f->to_skip : there;
  f->taken += now;
  f->to_skip -= now;
  return !f->to_skip;
}

frame_kind framing_next(framing *f, const char **bytes, size_t *count) {
  if (f->is_broken || !skip(f)) return FRAME_NONE;
  const char *start = text_string(&f->in) + f->taken;
  size_t there = f->in.count - f->taken;
  const char *blank = there ? memmem(start, there, "\r\n\r\n", 4) : NULL;
  uint64_t length = 0;
  if (!blank && there <= LONGEST_HEADER) return FRAME_NONE;
  f->is_broken = !blank || blank - start > LONGEST_HEADER || !content_length(start, (size_t)(blank - start), &length);
  if (f->is_broken) return FRAME_BROKEN;
  size_t header = (size_t)(blank - start) + 4;
  if (length > FRAMING_MOST_BYTES) {
    f->taken += header;
    f->to_skip = length;
    return FRAME_TOO_LONG;
  }
  if (there - header < length) return FRAME_NONE;
  *bytes = start + header;
  *count = (size_t)length;
  f->taken += header + (size_t)length;
  return FRAME_MESSAGE;
}

void framing_send(framing *f, const text *message) {
  compact(&f->out, &f->sent);
  text_add(&f->out, "Content-Length: %zu\r\n\r\n", message->count);
  text_add_bytes(&f->out, text_string(message), message->count);
  if (f->out.count > FRAMING_MOST_WAITING) f->is_at_end = true;
}

bool framing_has_to_write(const framing *f) { return f->sent < f->out.count; }

void framing_flush(framing *f) {
  if (!framing_has_to_write(f)) return;
  ssize_t done = write(STDOUT_FILENO, f->out.at + f->sent, f->out.count - f->sent);
  if (done > 0)
    f->sent += (size_t)done;
  else if (errno != EAGAIN && errno != EINTR)
    f->is_at_end = true;
}
