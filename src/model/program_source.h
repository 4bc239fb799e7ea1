/* Of a model that was made from a C program: what of the program's text its parts stand for. */
#ifndef WHET_MODEL_PROGRAM_SOURCE_H
#define WHET_MODEL_PROGRAM_SOURCE_H

#include "model/place.h"
#include "term/term.h"

/* A variable of the model as an expression of C. */
typedef struct loop_name {
  variable var;
  const char *expression;
  number low, high; /* of its type */
} loop_name;

/* A loop that has a place in the model: its head. A function that is called twice has each of its loops twice. */
typedef struct source_loop {
  place at; /* of its first word */
  const char *function;
  uint32_t head;          /* the value of the location, or the predicate if the model was made from clauses */
  const loop_name *names; /* of what is in scope and matters at the head */
  size_t name_count;
} source_loop;

/* A call that gives a program an input. */
typedef struct source_input {
  variable var;
  place at; /* of its closing parenthesis */
} source_input;

/* A function of which the program calls only a declaration, or the one whose call is the error. */
typedef struct source_function {
  place at; /* where its declaration begins; no other one begins there */
  bool is_error;
} source_function;

typedef struct program_source {
  const source_loop *loops;
  size_t loop_count;
  const source_input *inputs;
  size_t input_count;
  const source_function *functions;
  size_t function_count;
} program_source;

#endif
