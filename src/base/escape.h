/* Strings inside other texts. Names come from files and may hold anything: whoever prints one goes through a function
 * of this file, or through `variable_shown`, so that no name can end a line, a string or the colour of a screen. */
#ifndef WHET_BASE_ESCAPE_H
#define WHET_BASE_ESCAPE_H

#include "base/text.h"

/* `string` as a JSON string, with its quotes. */
void text_add_json(text *t, const char *string);
/* `string` as a string of C or DOT, with its quotes. */
void text_add_quoted(text *t, const char *string);
/* `string` in a line of text: as it is, but if it has control characters they are written \n, \t, \x1b, .., and
 * backslashes twice. */
void text_add_shown(text *t, const char *string);
/* Whether that differs from the string. */
bool string_has_control(const char *string);
bool string_is_utf8(const char *string);

/* `name` in visible characters: any byte that is not part of one (of UTF-8), the characters of `unsafe`, and a brace
 * that would look like an escape are written {hh}, with two hexadecimal digits. No two names become the same. */
void text_add_escaped(text *t, const char *name, const char *unsafe);
/* The same of a name in which everything but the characters of `unsafe` has been escaped before. */
void text_add_escaped_before(text *t, const char *name, const char *unsafe);
/* What `text_add_escaped` was given. */
void text_add_unescaped(text *t, const char *escaped);
/* `words` inside of a comment on one line: the same, without backslashes, and without the beginning or end of a comment
 * of C. */
void text_add_comment(text *t, const char *words);

#endif
