/* A program as places and the steps between them (lower_program.c). */
#ifndef WHET_INPUT_WHET_PROGRAM_GRAPH_H
#define WHET_INPUT_WHET_PROGRAM_GRAPH_H

#include "input/whet/lower.h"

/* What a step of a program does: what a statement says; or, of a procedure in place, its parameters get their values, its
 * variables get their first ones, it gives back its results. */
typedef enum edge_role { EDGE_STATEMENT, EDGE_CALL, EDGE_START, EDGE_RETURN } edge_role;

typedef struct program_edge {
  uint32_t from, to;
  const statement *statement; /* NULL: it only goes round in circles */
  const expression *test;     /* of if and while; NULL: a free choice, or no test */
  bool negated;
  const char *suffix; /* of the step's name */
  span at;
  edge_role role;
  const process_tree *owner;  /* whose text it is */
  const process_tree *called; /* of calls, starts and returns */
  unsigned depth;             /* of calls in progress */
} program_edge;
typedef VECTOR(program_edge) program_edges;

/* Its first place is where it starts. */
struct program_graph {
  lowering *lowering;
  family *family;
  map *tries; /* word -> the number tried last to make a name from it unique */
  VECTOR(const char *) places;
  VECTOR(bool) is_inside; /* by place: of an atomic block, behind its first step */
  program_edges edges;
  map *labels; /* word -> statement */
  size_t gotos;
  statement end, forever; /* what no text stands for: the end, and a place that only goes round in circles */
};

/* A place called `stem`, or stem_2, stem_3, .. if a place or a label is called so. */
uint32_t program_graph_add_place(struct program_graph *g, const char *stem);
/* The statement stands in an atomic block. */
bool statement_is_in_atomic(const statement *s);

#endif
