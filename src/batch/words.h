/* Options of `whet verify` in a line of text: words with blanks between, in which '..' and ".." keep blanks. No shell sees them. */
#ifndef WHET_BATCH_WORDS_H
#define WHET_BATCH_WORDS_H

#include "base/text.h"
#include "batch/list.h"

/* Appends `--name` or `--name` and a value for each option; relative names of files that are read start from `folder` ("": where the
 * program was started). NULL, or what is wrong: only options of `whet verify` that write no file are taken. */
GIVE char *batch_words_read(arena *a, const char *line, const char *folder, batch_words *out);
/* Appends those of `common` that `out`, an option that may be given once, has not. */
void batch_words_add_common(const batch_words *common, batch_words *out);
/* Appends those of `common`, that `there`, which has options of the same problem, has not. */
void batch_words_add_missing(const batch_words *there, const batch_words *common, batch_words *out);
/* The word in quotes, as these lines and the shell read it, whatever it has in it. */
void batch_word_add(text *out, const char *word);
/* Those that name files start from where the program was started. */
void batch_words_make_absolute(arena *a, batch_words *words);
/* The path from the root. */
KEEP const char *batch_absolute_path(arena *a, const char *path);
/* `name` as seen from `folder`. */
KEEP const char *batch_path(arena *a, const char *folder, const char *name);
bool batch_ends_in(const char *path, const char *ending);

#endif
