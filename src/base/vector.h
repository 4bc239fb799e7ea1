/* Typed growing arrays: VECTOR(int) v = {0}; VECTOR_PUSH(v, 3); v.at[0]; v.count; VECTOR_FREE(v). */
#ifndef WHET_BASE_VECTOR_H
#define WHET_BASE_VECTOR_H

#include "base/memory.h"

#define VECTOR(T)       \
  struct {              \
    T *at;              \
    size_t count, room; \
  }

#define VECTOR_RESERVE(V, N)                                          \
  do {                                                                \
    size_t vector_need = (N);                                         \
    if (vector_need > (V).room) {                                     \
      size_t vector_room = (V).room ? (V).room : 8;                   \
      while (vector_room < vector_need) vector_room *= 2;             \
      (V).at = memory_realloc((V).at, vector_room * sizeof(*(V).at)); \
      (V).room = vector_room;                                         \
    }                                                                 \
  } while (0)

#define VECTOR_PUSH(V, ...)              \
  do {                                   \
    VECTOR_RESERVE((V), (V).count + 1);  \
    (V).at[(V).count++] = (__VA_ARGS__); \
  } while (0)

#define VECTOR_POP(V) ((V).at[--(V).count])
#define VECTOR_LAST(V) ((V).at[(V).count - 1])
#define VECTOR_CLEAR(V) ((V).count = 0)
/* Makes `TO`, which is empty, a copy of `FROM`. */
#define VECTOR_COPY(TO, FROM)                                                       \
  do {                                                                              \
    VECTOR_RESERVE(TO, (FROM).count + 1);                                           \
    if ((FROM).count) memcpy((TO).at, (FROM).at, (FROM).count * sizeof *(FROM).at); \
    (TO).count = (FROM).count;                                                      \
  } while (0)

#define VECTOR_FREE(V)        \
  do {                        \
    memory_free((V).at);      \
    (V).at = NULL;            \
    (V).count = (V).room = 0; \
  } while (0)

#endif
