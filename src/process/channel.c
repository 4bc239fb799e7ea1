/* A message is one byte of kind, eight bytes of length in the machine's order, and that many bytes. */
#include "process/channel.h"

#include <errno.h>
#include <limits.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"

enum { HEADER = 1 + sizeof(uint64_t), CHUNK = 64 * 1024, CHUNKS_AT_ONCE = 64 };
#define LONGEST_MESSAGE (UINT64_C(1) << 32)

static bool write_all(int descriptor, bool is_socket, const char *bytes, size_t count) {
  while (count) {
    ssize_t done = is_socket ? send(descriptor, bytes, count, MSG_NOSIGNAL) : write(descriptor, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes += done;
    count -= (size_t)done;
  }
  return true;
}

static bool send_message(int descriptor, bool is_socket, message_kind kind, const char *bytes, size_t count) {
  char start[PIPE_BUF] = {(char)kind};
  uint64_t length = count;
  size_t first = count < PIPE_BUF - HEADER ? count : PIPE_BUF - HEADER;
  memcpy(start + 1, &length, sizeof length);
  memcpy(start + HEADER, bytes, first);
  return write_all(descriptor, is_socket, start, HEADER + first) &&
         write_all(descriptor, is_socket, bytes + first, count - first);
}

bool channel_send(int descriptor, message_kind kind, const char *bytes, size_t count) {
  return send_message(descriptor, false, kind, bytes, count);
}

bool channel_send_to_socket(int descriptor, message_kind kind, const char *bytes, size_t count) {
  return send_message(descriptor, true, kind, bytes, count);
}

void channel_clear(channel *c) {
  if (c->descriptor >= 0) close(c->descriptor);
  memory_free(c->buffer);
  *c = (channel){.descriptor = -1};
}

static void release_last(channel *c) {
  if (c->holds) c->buffer[c->taken] = c->held;
  c->holds = false;
}

static void make_room(channel *c) {
  if (c->taken) memmove(c->buffer, c->buffer + c->taken, c->count - c->taken);
  c->count -= c->taken;
  c->taken = 0;
  if (c->room - c->count > CHUNK) return;
  c->room = 2 * c->room + 2 * CHUNK;
  c->buffer = memory_realloc(c->buffer, c->room);
}

bool channel_fill(channel *c) {
  release_last(c);
  for (int chunks = 0; c->descriptor >= 0; chunks++) {
    if (chunks == CHUNKS_AT_ONCE) return true;
    if (c->room - c->count <= CHUNK) make_room(c);
    ssize_t got = read(c->descriptor, c->buffer + c->count, CHUNK);
    if (got > 0) {
      c->count += (size_t)got;
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return true;
    close(c->descriptor);
    c->descriptor = -1;
  }
  return false;
}

static bool is_message_kind(char kind) { return kind && strchr("inpqolkbcuarstxw", kind); }

bool channel_next(channel *c, message *out) {
  release_last(c);
  if (c->garbled || c->count - c->taken < HEADER) return false;
  const char *at = c->buffer + c->taken;
  uint64_t length;
  memcpy(&length, at + 1, sizeof length);
  if (!is_message_kind(*at) || length > LONGEST_MESSAGE) {
    c->garbled = true;
    return false;
  }
  if (c->count - c->taken - HEADER < length) return false;
  *out = (message){(message_kind)*at, at + HEADER, length};
  c->taken += HEADER + length;
  c->held = c->buffer[c->taken];
  c->holds = true;
  c->buffer[c->taken] = 0;
  return true;
}
