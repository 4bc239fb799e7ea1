/* What the layers of the prover know of a literal, found out once: a bound on a linear form, a boolean variable, or
 * anything else; and its variables. */
#ifndef WHET_SOLVER_SHAPE_H
#define WHET_SOLVER_SHAPE_H

#include "term/bounds.h"
#include "term/term.h"

/* What a linear form is made of. Leaf number 0 is the constant 0. */
typedef struct leaf {
  uint32_t number; /* 0, 1, .. in the order of appearance */
  bool is_variable;
  variable variable;
  interval types; /* the values that the types allow */
} leaf;

/* A linear form without constant; forms that are equal are one object. */
typedef struct form {
  uint32_t number;
  interval types;
  bool is_difference;       /* plus - minus; either may be the constant 0 */
  bool of_variables;        /* each leaf is a variable */
  bool takes_every_value;   /* for each integer there is an assignment of its variables, within their types, with that
                               value */
  const leaf *plus, *minus; /* of a difference */
  size_t count;
  const leaf *const *leaves;
  const number *coefficients;
} form;

typedef enum shape_kind {
  SHAPE_OTHER,
  SHAPE_BOOL,    /* a boolean variable */
  SHAPE_AT_MOST, /* form <= bound */
  SHAPE_EQUAL,   /* form = bound */
} shape_kind;

/* Of the positive term. */
typedef struct shape {
  shape_kind kind;
  bool has_heap;
  const form *form;
  number bound;
  size_t variable_count;
  const variable *variables;
} shape;

typedef struct shapes shapes;
GIVE shapes *shapes_new(terms *ts);
void shapes_free(TAKE shapes *s);
/* Lives as long as `s`. May build terms. */
KEEP const shape *shape_of(shapes *s, term literal);

/* What a linear literal says of its form. */
typedef enum claim_kind { CLAIM_AT_MOST, CLAIM_AT_LEAST, CLAIM_EQUAL, CLAIM_DIFFERENT } claim_kind;
typedef struct shape_claim {
  claim_kind kind;
  number bound;
} shape_claim;
/* `literal` is of shape AT_MOST or EQUAL. */
shape_claim claim_of(const shape *s, term literal);
/* Is the literal, of this shape, true in the state `values` (by variable number)? What is no linear form over variables
 * is evaluated as a term. */
bool shape_holds(const terms *ts, const shape *s, term literal, const number *values);

#endif
