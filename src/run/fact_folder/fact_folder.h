/* Facts in a folder that processes share (docs/facts.md), on one machine or many, at the same time or one after the other. What is read
 * there is believed by nobody: it is checked on the model as read, as what engines claim is. */
#ifndef WHET_RUN_FACT_FOLDER_FACT_FOLDER_H
#define WHET_RUN_FACT_FOLDER_FACT_FOLDER_H

#include "run/shared_facts.h"

typedef struct fact_folder fact_folder;

/* `path` is copied, and the folder made if it is not there: NULL and `*error` if that fails. `known` outlives the result; it is where
 * facts go to and come from. */
GIVE fact_folder *fact_folder_open(model *m, const char *path, shared_facts *known, char **error);
void fact_folder_free(TAKE fact_folder *f);

/* Looks for files that are new since the last look. What of them is inductive, with the facts that are known, becomes known and is
 * appended to `news`. True if something is. */
bool fact_folder_look(fact_folder *f, const worker_limits *limits, const atomic_bool *stop, term_vector *news);
/* The same if the last look was a while ago. */
bool fact_folder_look_again(fact_folder *f, const worker_limits *limits, const atomic_bool *stop, term_vector *news);
/* Writes facts that are known and not there. What cannot be written is not: nothing depends on it. */
void fact_folder_publish(fact_folder *f);

/* What the first look found: all of them files. */
typedef struct fact_counts {
  size_t found;   /* facts about variables of the model */
  size_t kept;    /* of those: shown to hold */
  size_t foreign; /* about other variables */
  size_t damaged;
  size_t left_out; /* not looked at: there are too many */
} fact_counts;

fact_counts fact_folder_counts(const fact_folder *f);

#endif
