/* Memory that is never NULL: when the system has none left, the handler set for this process runs and does not return.
 * A worker process ends with a status that its parent reports as UNKNOWN (out of memory); see process/worker.h. */
#ifndef WHET_BASE_MEMORY_H
#define WHET_BASE_MEMORY_H

#include "base/base.h"

GIVE void *memory_alloc(size_t bytes); /* uninitialised */
GIVE void *memory_alloc_zero(size_t count, size_t size);
GIVE void *memory_realloc(TAKE void *block, size_t bytes);
void memory_free(TAKE void *block);
GIVE char *memory_copy_string(const char *text);
GIVE char *memory_copy_bytes(const char *text, size_t length); /* adds a terminating zero */

#define MEMORY_NEW(T) ((T *)memory_alloc_zero(1, sizeof(T)))
#define MEMORY_ARRAY(T, N) ((T *)memory_alloc_zero((N), sizeof(T)))

/* Replaces what happens when memory runs out; `handler` must not return. NULL restores the default, which prints
 * one line and exits with status 1. */
void memory_on_exhaustion(void (*handler)(void));
_Noreturn void memory_exhausted(void);

/* Between these two calls this thread runs a library that may lose memory of its own: Z3 does when it is interrupted.
 * LeakSanitizer does not report what is allocated in between; in other builds they do nothing. */
void memory_library_enter(void);
void memory_library_leave(void);

/* An arena: many small blocks that are freed together. */
typedef struct arena arena;
GIVE arena *arena_new(void);
void arena_free(TAKE arena *a);
KEEP void *arena_alloc(arena *a, size_t bytes); /* aligned for any type, zeroed */
KEEP char *arena_copy_string(arena *a, const char *text);
KEEP char *arena_copy_bytes(arena *a, const char *text, size_t length);

#endif
