/* What is kept of a problem: how its process ended, and what it answered. */
#ifndef WHET_BATCH_RECORD_H
#define WHET_BATCH_RECORD_H

#include "base/text.h"
#include "batch/list.h"

typedef enum batch_end {
  BATCH_MISSING, /* not run yet, or what was kept is damaged */
  BATCH_DONE,    /* there are answers */
  BATCH_REFUSED, /* the model or an option is wrong: `message` says how */
  BATCH_FAILED,  /* a signal ended it, or there is no document of answers: it is run again the next time */
} batch_end;

typedef enum batch_holds { HOLDS_UNKNOWN, HOLDS_YES, HOLDS_NO } batch_holds;

/* Of one property. */
typedef struct batch_answer {
  const char *property, *verdict, *engine, *reason;
  batch_holds holds;
  double seconds;
} batch_answer;

typedef VECTOR(batch_answer) batch_answers;

typedef struct batch_record {
  batch_end end;
  int status; /* that the process ended with; -1: a signal */
  double seconds, processor_seconds;
  uint64_t memory; /* bytes, of its largest process */
  const char *message;
  batch_answers answers;
} batch_record;

/* Answers of the document that `whet verify --json` writes; false if it is none. Strings are in `a`. */
bool batch_record_take_document(batch_record *r, arena *a, const char *document);
/* As JSON, with the document if there is one ("" if not). */
GIVE char *batch_record_print(const batch_record *r, const batch_problem *p, const char *document);
/* What was kept under the key of `p`: BATCH_MISSING if that is nothing, or damaged, or about something else. Strings are in `a`. */
void batch_record_read(batch_record *r, arena *a, const char *path, const batch_problem *p);

#endif
