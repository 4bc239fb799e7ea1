/* YAML as a tree of nodes with their places. */
#ifndef WHET_INPUT_WITNESS_YAML_H
#define WHET_INPUT_WITNESS_YAML_H

#include "base/memory.h"
#include "model/place.h"

typedef enum yaml_kind { YAML_WORDS, YAML_LIST, YAML_FIELDS } yaml_kind;

typedef struct yaml_node {
  yaml_kind kind;
  place at;
  const char *words;         /* of YAML_WORDS; has no zero bytes inside */
  size_t count;              /* of the others */
  struct yaml_node **keys;   /* of YAML_FIELDS */
  struct yaml_node **values; /* items, or what the keys have */
} yaml_node;

/* The one document of the text, in `a`. NULL and `*error` (to be freed) with line and column if it is not one document,
 * or one that is too deep or refers to itself. */
KEEP const yaml_node *yaml_read(arena *a, const char *content, size_t length, char **error);

#endif
