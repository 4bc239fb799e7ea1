/* Allocation that never returns NULL: what the process does when there is no memory is set once. */
#include "base/memory.h"

#include <stdlib.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include "base/instruments/fire.h"

static void (*exhaustion_handler)(void);

void memory_on_exhaustion(void (*handler)(void)) { exhaustion_handler = handler; }

_Noreturn void memory_exhausted(void) {
  if (exhaustion_handler) exhaustion_handler();
  fputs("whet: out of memory\n", stderr);
  exit(1);
}

#if defined(__SANITIZE_ADDRESS__)
void memory_library_enter(void) { __lsan_disable(); }
void memory_library_leave(void) { __lsan_enable(); }
#else
void memory_library_enter(void) {}
void memory_library_leave(void) {}
#endif

void *memory_alloc(size_t bytes) {
  void *block = fire_allocation() ? NULL : malloc(bytes ? bytes : 1);
  if (!block) memory_exhausted();
  return block;
}

void *memory_alloc_zero(size_t count, size_t size) {
  void *block = fire_allocation() ? NULL : calloc(count ? count : 1, size ? size : 1);
  if (!block) memory_exhausted();
  return block;
}

void *memory_realloc(void *old, size_t bytes) {
  void *block = fire_allocation() ? NULL : realloc(old, bytes ? bytes : 1);
  if (!block) memory_exhausted();
  return block;
}

void memory_free(void *block) { free(block); }

char *memory_copy_bytes(const char *text, size_t length) {
  char *copy = memory_alloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *memory_copy_string(const char *text) { return memory_copy_bytes(text, strlen(text)); }

enum { ARENA_CHUNK = 64 * 1024 };

typedef struct chunk {
  struct chunk *next;
  size_t used, size;
  _Alignas(max_align_t) char bytes[];
} chunk;

struct arena {
  chunk *first;
};

arena *arena_new(void) { return MEMORY_NEW(arena); }

void arena_free(arena *a) {
  if (!a) return;
  for (chunk *c = a->first, *next; c; c = next) {
    next = c->next;
    memory_free(c);
  }
  memory_free(a);
}

void *arena_alloc(arena *a, size_t bytes) {
  const size_t unit = _Alignof(max_align_t);
  if (bytes > SIZE_MAX / 2) memory_exhausted();
  bytes = (bytes + unit - 1) / unit * unit;
  if (!a->first || a->first->size - a->first->used < bytes) {
    size_t size = bytes > ARENA_CHUNK ? bytes : ARENA_CHUNK;
    chunk *fresh = memory_alloc_zero(1, sizeof(chunk) + size);
    fresh->size = size;
    fresh->next = a->first;
    a->first = fresh;
  }
  void *block = a->first->bytes + a->first->used;
  a->first->used += bytes;
  return block;
}

char *arena_copy_bytes(arena *a, const char *text, size_t length) {
  char *copy = arena_alloc(a, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *arena_copy_string(arena *a, const char *text) { return arena_copy_bytes(a, text, strlen(text)); }
