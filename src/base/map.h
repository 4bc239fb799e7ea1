/* Two hash maps: from 64-bit keys and from strings, both to 64-bit values. Insertion order is not kept: whoever needs
 * an order keeps a vector next to the map, so that no output depends on hashing. */
#ifndef WHET_BASE_MAP_H
#define WHET_BASE_MAP_H

#include "base/base.h"

typedef struct map map;
GIVE map *map_new(void);
void map_free(TAKE map *m);
size_t map_count(const map *m);
/* True and `*value` set if `key` is present. */
bool map_get(const map *m, uint64_t key, uint64_t *value);
void map_set(map *m, uint64_t key, uint64_t value);
void map_clear(map *m);

typedef struct names names;
GIVE names *names_new(void);
void names_free(TAKE names *n);
size_t names_count(const names *n);
bool names_get(const names *n, const char *key, uint64_t *value);
void names_set(names *n, const char *key, uint64_t value); /* copies `key` */
/* The known key nearest to `key` by edit distance, or NULL when none is near enough to be meant. */
KEEP const char *names_nearest(const names *n, const char *key);

uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed);
uint64_t hash_mix(uint64_t x);

/* The edit distance of two words (neighbours that are swapped are one change), and whether it is small enough for a suggestion. */
size_t words_distance(const char *a, const char *b);
bool words_are_near(const char *typed, const char *known);

#endif
