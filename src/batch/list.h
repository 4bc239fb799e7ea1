/* The problems of a batch: a model, a property, options of `whet verify`, and the answer that others expect. They come from a table
 * (.csv), from all models below a folder, or from a task definition of the competition on software verification (.yml). */
#ifndef WHET_BATCH_LIST_H
#define WHET_BATCH_LIST_H

#include "base/digest/digest.h"
#include "base/memory.h"
#include "base/vector.h"

typedef VECTOR(const char *) batch_words;

typedef struct batch_problem {
  const char *model;                /* a path */
  const char *name;                 /* the same as tables show it */
  const char *property;             /* names with commas between, or a file of properties (.prp); "": all */
  const char *expected;             /* "true", "false", or "" if nobody says */
  const char *options;              /* of this problem, as they were written */
  batch_words words;                /* the same and those of the batch, as arguments of `whet verify` */
  char key[DIGEST_DIGITS + 1];      /* batch/key.h */
  char question[DIGEST_DIGITS + 1]; /* of a job of a plan: the same without what only this job is told; else "" */
  const char *facts;                /* a folder that jobs with the same question share facts in, or NULL */
} batch_problem;

typedef struct batch_list {
  arena *arena;
  VECTOR(batch_problem) problems;
  batch_words notes; /* what was left out, and why, a sentence each */
} batch_list;

/* `common`: options of `whet verify` for all problems, as written on a command line; those of a problem come before them. NULL, or
 * what is wrong, with its place. Either way, clear the list. */
GIVE char *batch_list_read(batch_list *l, const char *path, const char *common);
/* Only the problems of one of `parts` parts stay, 0 the first. A part is chosen by key, so that no key is in two of them. */
void batch_list_keep_part(batch_list *l, size_t part, size_t parts);
void batch_list_clear(batch_list *l);

#endif
