/* A program as places and the steps between them (lower_program.c). */
#ifndef WHET_INPUT_WHET_PROGRAM_GRAPH_H
#define WHET_INPUT_WHET_PROGRAM_GRAPH_H

#include "input/whet/lower.h"

typedef struct program_edge {
  uint32_t from, to;
  const statement *statement; /* NULL: it only goes round in circles */
  const expression *test;     /* of if and while; NULL: a free choice, or no test */
  bool negated;
  const char *suffix; /* of the step's name */
  span at;
} program_edge;

/* Its first place is where it starts. */
struct program_graph {
  lowering *lowering;
  family *family;
  map *tries; /* word -> the number tried last to make a name from it unique */
  VECTOR(const char *) places;
  VECTOR(program_edge) edges;
  map *labels; /* word -> statement */
  size_t gotos;
  statement end, forever; /* what no text stands for: the end, and a place that only goes round in circles */
};

#endif
