/* The list of engines. */
#include "engine/engine.h"

#define ENGINE(NAME) &engine_##NAME,
static const engine *const engines[] = {
#include "engine/engines.def"
};
#undef ENGINE

size_t engines_count(void) { return ARRAY_LENGTH(engines); }

const engine *engines_at(size_t i) { return engines[i]; }

const engine *engines_find(const char *name) {
  for (size_t i = 0; i < engines_count(); i++)
    if (!strcmp(engines_at(i)->name, name)) return engines_at(i);
  return NULL;
}
