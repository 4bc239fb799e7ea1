/* Making a text that shows a defect small: what can be left out without losing the defect is left out. */
#ifndef WHET_TESTS_SHRINK_H
#define WHET_TESTS_SHRINK_H

#include "base/text.h"

/* True if `content` still shows what is looked for. */
typedef bool (*shrink_keeps)(void *context, const char *content);

/* Leaves out lines, then words, in ever smaller runs, asking `keeps` at most `questions` times. */
GIVE char *shrink(const char *content, shrink_keeps keeps, void *context, unsigned questions);

#endif
