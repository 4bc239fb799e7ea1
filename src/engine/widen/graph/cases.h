/* Formulas as disjunctions of linear constraints: "cases", each a system of rows.
 *
 * Strict and negated constraints are tightened over the integers (not (e <= 0) is e >= 1; e != 0 is two cases), so
 * closed polyhedra suffice for those; of reals they stay strict. What is not linear gets a dimension of its own: division and remainder by constants with
 * the constraints that relate them to their argument, a choice by two cases, anything else unconstrained. So a case
 * holds at least the integers that it must. */
#ifndef WHET_ENGINE_WIDEN_GRAPH_CASES_H
#define WHET_ENGINE_WIDEN_GRAPH_CASES_H

#include "model/model.h"
#include "set/polyhedra.h"

/* Which state variables are dimensions, in which order. */
typedef struct case_frame {
  const model *model;
  polyhedra *space;
  variable_vector dimensions;
  VECTOR(size_t) of; /* by variable: its dimension, NO_DIMENSION */
} case_frame;

#define NO_DIMENSION SIZE_MAX

void frame_add(case_frame *f, variable v);
void frame_clear(case_frame *f); /* what it holds */
static inline size_t frame_dimension(const case_frame *f, variable v) {
  return v.x < f->of.count ? f->of.at[v.x] : NO_DIMENSION;
}

typedef struct row_update {
  size_t dimension;
  linear_row value;
} row_update;

/* Rows and values are over the frame's dimensions, then the case's own. Updates happen at once. */
typedef struct linear_case {
  size_t locals;
  row_vector rows;
  VECTOR(row_update) updates;
  term_vector heap; /* tests of the heap, of either polarity, that hold as well */
} linear_case;

typedef VECTOR(linear_case) case_vector;

void case_clear(linear_case *c); /* what it holds */
void cases_clear(case_vector *cases);

/* The cases of `condition`, with the updates as each of them has it; those left out that are empty within the types.
 * Variables outside the frame are inputs, of which some value will do. Updated variables are in the frame. NULL, or why
 * it cannot be done. */
KEEP const char *cases_of(const case_frame *f, term condition, size_t count, const update *updates, case_vector *out);

/* The constraints of the types of the frame's variables. */
void frame_types(const case_frame *f, row_vector *out);
/* The sum of a row, and the row as a formula, over the frame's variables: it has no local dimensions. */
term frame_sum(const case_frame *f, const linear_row *row);
term frame_term(const case_frame *f, const linear_row *row);
/* The row does not hold, given that it is no equality. */
GIVE linear_row frame_negation(const case_frame *f, const linear_row *row);

#endif
