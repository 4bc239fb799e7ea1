/* Of a model that was made from a C program or an SV-LIB script: what of the program's text its parts stand for. */
#ifndef WHET_MODEL_PROGRAM_SOURCE_H
#define WHET_MODEL_PROGRAM_SOURCE_H

#include "model/place.h"
#include "term/term.h"

/* Which value of what it names is meant. */
typedef enum source_moment {
  MOMENT_NOW,
  MOMENT_AT_CALL, /* the one at the call of the function around */
  MOMENT_RESULT   /* what the function returns; `expression` is then not there */
} source_moment;

/* A variable of the model as an expression of C, or a name of SV-LIB. An array is one of `length` elements: element i is
 * `expression[i]member`. */
typedef struct program_name {
  variable var;
  const char *expression;
  number low, high; /* of its type; of an array, of the type of the elements */
  source_moment moment;
  uint64_t length;    /* of an array */
  const char *member; /* of an array; else NULL */
} program_name;

typedef struct program_names {
  const program_name *at;
  size_t count;
} program_names;

/* A variable that may be changed. */
typedef struct source_target {
  const char *expression;
  const uint64_t *lengths; /* of an array, the outermost first */
  size_t dimensions;
} source_target;

typedef struct source_targets {
  bool are_known; /* nothing else that is in scope, or global, may be changed */
  const source_target *at;
  size_t count;
} source_targets;

/* A loop that has a place in the model: its head. A function that is called twice has each of its loops twice. */
typedef struct source_loop {
  place at;             /* of its first word */
  place body;           /* of the statement that is run again and again */
  const char *function; /* of SV-LIB: a tag */
  uint32_t head;        /* the value of the location, or the predicate if the model was made from clauses */
  program_names names;  /* of what is in scope and matters at the head */
  source_targets targets;
} source_loop;

/* A function of C that is a procedure of clauses. */
typedef struct source_procedure {
  place at;             /* where its definition begins */
  place body;           /* of its opening brace */
  uint32_t entry, exit; /* predicates: what it is called with, what its calls give back */
  program_names at_entry, at_exit;
  source_targets targets;
} source_procedure;

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

/* Of SV-LIB: what a value that is free stands for. */
typedef enum source_choice_kind {
  CHOICE_CONSTANT,
  CHOICE_GLOBAL,
  CHOICE_FIRST_VALUE, /* of a variable of a procedure */
  CHOICE_HAVOC,
  CHOICE_BRANCH
} source_choice_kind;

typedef struct source_choice {
  variable var;
  source_choice_kind kind;
  const char *name; /* of the variable of the program */
  bool is_first;    /* of its statement */
} source_choice;

/* Of SV-LIB: an annotation that is checked. */
typedef struct source_check {
  place at; /* of its term; clauses that say that it is broken have the same place */
  const char *tag, *keyword, *term;
} source_check;

typedef struct program_source {
  const char *svlib_entry; /* of SV-LIB: the procedure that is verified; NULL of C */
  bool asks_end;           /* of SV-LIB: whether every run ends is a property too */
  const source_choice *choices;
  size_t choice_count;
  const source_check *checks;
  size_t check_count;
  const source_loop *loops;
  size_t loop_count;
  const source_input *inputs;
  size_t input_count;
  const source_function *functions;
  size_t function_count;
  const source_procedure *procedures;
  size_t procedure_count;
} program_source;

#endif
