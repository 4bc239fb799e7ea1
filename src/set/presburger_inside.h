/* What the files that see isl share. */
#ifndef WHET_SET_PRESBURGER_INSIDE_H
#define WHET_SET_PRESBURGER_INSIDE_H

#include "set/presburger.h"

struct isl_ctx;
struct isl_map;
struct isl_set;
struct isl_space;
struct isl_val;

struct frame {
  variable_vector variables;
  struct map *dimension; /* variable -> where it stands */
  struct isl_space *space;
};

struct presburger {
  terms *ts;
  struct isl_ctx *context;
  unsigned long operations;
  const char *trouble;
  VECTOR(frame *) frames;
};

struct region {
  presburger *p;
  const frame *frame;
  struct isl_set *set;
};

struct relation {
  presburger *p;
  const frame *frame;
  struct isl_map *map;
};

/* Before every operation: isl counts its work from here. */
void presburger_begin(presburger *p);
/* Takes note of why isl failed. NULL, for the caller to return. */
KEEP void *presburger_fail(presburger *p);
/* What a failed operation gave is NULL: then this gives NULL too. */
GIVE region *region_give(presburger *p, const frame *f, TAKE struct isl_set *set);
/* `b` is an isl_bool. */
answer presburger_answer(presburger *p, int b);
extern const answer presburger_no_set;

GIVE struct isl_val *presburger_value(struct isl_ctx *c, number n);
bool presburger_number(TAKE struct isl_val *v, number *out);
/* If-then-else lifted out of atoms; false if the term is not of the kind that can be represented. */
bool presburger_lift(presburger *p, term *t);
GIVE struct isl_set *presburger_translate(presburger *p, const frame *f, struct isl_space *space, term t);

#endif
