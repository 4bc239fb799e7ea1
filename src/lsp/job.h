/* This program again, in a child: it gets a text as its standard input, and what it writes is collected. It has a limit of time, can be ended
 * at any moment, and dies with the server. */
#ifndef WHET_LSP_JOB_H
#define WHET_LSP_JOB_H

#include <sys/types.h>

#include "base/text.h"

/* Standard output, standard error, and the descriptor 3. */
enum { JOB_OUTPUTS = 3, JOB_MOST_BYTES = 64 << 20 };

typedef struct job {
  pid_t child;
  int to, from[JOB_OUTPUTS]; /* -1 when closed */
  text input, output[JOB_OUTPUTS];
  size_t written;
  double deadline; /* by job_clock */
  bool is_late, is_too_long;
  int status; /* with which it exited; -1 if it did not by itself */
} job;

/* Seconds since some moment. */
double job_clock(void);
/* `words` end with NULL; `folder` is where it runs, NULL: here. NULL if there is no room for a child. */
GIVE job *job_start(const char *const *words, const char *input, size_t length, const char *folder, double seconds);
/* Goes on with reading and writing, without waiting; true when it is over. */
bool job_go_on(job *j);
/* Ends it, if it is still there. */
void job_free(TAKE job *j);

#endif
