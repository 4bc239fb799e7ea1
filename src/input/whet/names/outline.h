/* What editors want to know of a text in whet's language, and the text laid out anew. */
#ifndef WHET_INPUT_WHET_NAMES_OUTLINE_H
#define WHET_INPUT_WHET_NAMES_OUTLINE_H

#include "base/text.h"

/* All errors, names with their uses, properties, and the layout if it is another, as a JSON document (docs/json.md); places are offsets in bytes. */
void outline_write(const char *path, const char *content, size_t length, text *out);
/* The same text with lines indented by their braces, blanks around the signs of steps and formulas, and none at the ends of lines. Nothing
 * but blanks and empty lines is changed. */
void format_write(const char *content, size_t length, text *out);

#endif
