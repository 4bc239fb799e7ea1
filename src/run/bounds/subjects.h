/* What `whet bounds` counts: each action, and of programs each loop, by the transitions that are one more time. */
#ifndef WHET_RUN_BOUNDS_SUBJECTS_H
#define WHET_RUN_BOUNDS_SUBJECTS_H

#include "model/model.h"

typedef struct bound_subject {
  bool is_loop;
  char *name;               /* of the action; of a loop, where its process is at its head. Owned */
  place at;                 /* where it stands in the text */
  index_vector transitions; /* ascending */
} bound_subject;

typedef VECTOR(bound_subject) bound_subjects;

/* In the order of the text. A round of a loop is counted when it leads back to the head. Loops are found by their heads, through which all ways
 * into them lead; those that jumps make have none, and are left out. */
void subjects_find(const model *m, bound_subjects *out);
void subjects_clear(bound_subjects *s); /* what it holds */

#endif
