/* Reading models: the input languages and their errors. */
#ifndef WHET_INPUT_INPUT_H
#define WHET_INPUT_INPUT_H

#include "input/c/settings.h"
#include "model/model.h"

/* What is wrong with an input, as text ready to print: up to 20 messages
 *     FILE:LINE:COL: error: what is wrong
 *         the source line
 *            ^
 *     hint: ..                                                   */
typedef struct diagnostics {
  text text;
  size_t errors;
  struct findings *findings; /* also gets the messages one by one (input/diagnostic.h); NULL: nobody asks */
} diagnostics;

/* Larger files are refused. */
enum { INPUT_MOST_BYTES = 32 << 20 };

/* The languages, by what a file's name ends with. */
size_t languages_count(void);
KEEP const char *languages_ending(size_t i);
KEEP const char *languages_title(size_t i);

/* Reads a file in the language its name ends with (.whet, .smt2, .vmt, .svlib, .c, .i), or standard input (`-`) as .whet. NULL if it
 * cannot be read or is wrong; `d` then says why.
 */
GIVE model *input_read_file(const char *path, diagnostics *d);
/* The same from memory; `path` is for messages and for the choice of language. */
GIVE model *input_read_text(const char *path, const char *content, size_t length, diagnostics *d);
/* The same with settings for C programs (input/c/settings.h); NULL: those by default. */
GIVE model *input_read_file_for(const char *path, const struct c_settings *c, diagnostics *d);
GIVE model *input_read_text_for(const char *path, const char *content, size_t length, const struct c_settings *c,
                                diagnostics *d);
/* Boolean expressions, separated by commas, semicolons or newlines between complete expressions, in the names of `m`
 * (predicates and lemmas from files). */
bool input_read_expressions(model *m, const char *path, const char *content, size_t length, term_vector *out,
                            diagnostics *d);
/* For editors (docs/json.md): errors, names and properties of a text in whet's language as JSON; and the text laid out anew. False, and `d`
 * says why, if it is no text. */
bool input_outline(const char *path, const char *content, size_t length, text *out, diagnostics *d);
bool input_format(const char *path, const char *content, size_t length, text *out, diagnostics *d);

#endif
