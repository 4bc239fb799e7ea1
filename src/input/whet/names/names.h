/* Where names stand in a text and what they mean, for editors: filled while the text is checked. */
#ifndef WHET_INPUT_WHET_NAMES_NAMES_H
#define WHET_INPUT_WHET_NAMES_NAMES_H

#include "input/whet/scope.h"
#include "model/model.h"

/* A word of the text that means `symbol`, or a state, label or action called `word`: of `family`, or of the model if that is NULL. */
typedef struct name_use {
  span at;
  const symbol *symbol;
  const family *family;
  const word *word;
} name_use;

typedef struct name_record {
  VECTOR(const symbol *) symbols; /* as they are declared; those of definitions with parameters once for each call */
  VECTOR(name_use) uses;
} name_record;

void name_record_clear(name_record *r);
/* Whether `w` is spelled at `offset`, with or without bars; `*out` is where. Names that whet makes are not. */
bool name_is_spelled(const source *s, uint32_t offset, const word *w, span *out);

/* What was understood of a text, for as long as a function looks at it. */
typedef struct whet_reading {
  const scope *scope;
  const module *module; /* the declarations without errors in their form */
  const model *model;   /* NULL if there were errors */
  bool is_well_formed;
} whet_reading;
/* For editors: also looks at the names of a text that is not well-formed; messages about these are kept if they are sure. `record` is filled, and
 * `d` has findings. */
void whet_read_names(source *s, diagnostics *d, name_record *record, void (*look)(void *context, const whet_reading *r),
                     void *context);
/* Of a text with errors in its form: `found` are messages about names and types of the declarations that have none, `m`. Those are added to `d`
 * that cannot come from what was left out, because the word that they are about stands in none of it. */
void names_keep_findings(const source *s, const module *m, const findings *found, diagnostics *d);

#endif
