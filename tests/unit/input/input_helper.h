/* What the tests of the input languages share. */
#ifndef WHET_TESTS_INPUT_HELPER_H
#define WHET_TESTS_INPUT_HELPER_H

#include "input/input.h"

/* A model from its text; NULL if it is wrong, and `message` (may be NULL) then has the messages. */
GIVE model *read_model(const char *content, text *message);
/* The same, if it must be right: prints the messages and exits otherwise. */
GIVE model *read_good_model(const char *content);
/* One boolean expression in the names of `m`. */
term read_condition(model *m, const char *content);

typedef VECTOR(char *) paths;
/* The files below `folder` that end with `ending`, sorted. */
void find_files(const char *folder, const char *ending, paths *out);
void paths_free(paths *p);
/* The content of a file; NULL if it cannot be read. */
GIVE char *read_file(const char *path, size_t *length);

#endif
