/* Witnesses of verdicts about C programs, in the format 2.0 of the competition on software verification. */
#ifndef WHET_INPUT_WITNESS_WITNESS_H
#define WHET_INPUT_WITNESS_WITNESS_H

#include "base/memory.h"
#include "base/number.h"
#include "base/vector.h"
#include "model/place.h"

typedef enum point_kind {
  POINT_LOOP_INVARIANT,     /* `value` holds at the head of the loop */
  POINT_LOCATION_INVARIANT, /* it holds before the statement */
  POINT_ASSUMPTION,         /* passed if it holds before the statement */
  POINT_BRANCHING,          /* passed if the condition of the statement is `holds` */
  POINT_ENTER,              /* passed when the call begins */
  POINT_RETURN,             /* passed if what the call returns compares so with `number` */
  POINT_TARGET              /* where the property is violated */
} point_kind;

/* Something that a witness says about a place of the program. */
typedef struct witness_point {
  point_kind kind;
  place at;          /* in the program; column 0: not said */
  place said;        /* in the witness */
  size_t segment;    /* of a run: they are passed in this order */
  bool avoids;       /* it is not passed in its segment */
  const char *value; /* an expression */
  bool holds;
  const char *comparison; /* "==" .. */
  number number;
} witness_point;

typedef struct c_witness {
  arena *arena;
  const char *path;
  bool is_violation;
  const char *property; /* as whet calls it */
  bool is_32;
  VECTOR(const char *) digests; /* of the programs it is about */
  VECTOR(witness_point) points;
  size_t segments;
} c_witness;

/* By its ending. */
bool c_witness_is_named(const char *path);
/* NULL, or what is wrong, with path, line and column (owned by the caller). Either way, clear the witness. */
GIVE char *c_witness_read(c_witness *w, const char *path, const char *content, size_t length);
void c_witness_clear(c_witness *w);

#endif
