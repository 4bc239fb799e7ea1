/* A model with recursive procedures on its way to Horn clauses.
 *
 * lower_procedures.c: variables, and the bodies of the program and of the procedures: each statement is lowered as a
 * step of a model that is thrown away, each thing that must hold at a place is noted.
 *
 * lower_contract.c: what procedures require and ensure.
 *
 * lower_calls.c: which variables of the model each procedure reads and changes, itself or by what it calls; then the
 * graph with procedures (input/procedures/flow.h), from which the clauses are made. */
#ifndef WHET_INPUT_WHET_CALLS_LOWER_PROCEDURES_H
#define WHET_INPUT_WHET_CALLS_LOWER_PROCEDURES_H

#include "input/procedures/flow.h"
#include "input/whet/lower.h"
#include "input/whet/program_graph.h"
#include "term/substitute.h"

#define NO_STEP UINT32_MAX

/* One step of a body: a transition of the model of steps. Of a call that is what gives the parameters their values, and
 * `after` is the transition that assigns the results. */
typedef struct body_step {
  uint32_t from, to; /* places of the graph */
  uint32_t transition, after;
  uint32_t calls; /* a body, or NO_STEP */
  const char *name;
  place at;
} body_step;

/* What breaks a property at a place. */
typedef struct body_check {
  uint32_t at;
  term bad;
  uint32_t property;
  const char *name;
  place place;
} body_check;

/* What a cell of the model held when the procedure started. */
typedef struct old_value {
  size_t cell;
  variable var;
} old_value;

/* The program or a procedure. */
typedef struct lowered_body {
  const process_tree *tree;
  uint32_t entry;       /* the place 0, or that of the procedure's calls */
  uint32_t first_place; /* of those between statements */
  uint32_t end, exit;   /* where its statements end, and where it returns: the same if nothing is ensured */
  uint32_t procedure;   /* of the graph; NO_STEP of the program */
  VECTOR(body_step) steps;
  VECTOR(body_check) checks;
  term ensured;           /* holds where it returns */
  VECTOR(old_value) olds; /* that `ensures` asks for */
  bits reads, writes;     /* cells of the model: not those of a procedure */
} lowered_body;

typedef struct procedures {
  lowering *l;
  model *whole, *steps;
  VECTOR(lowered_body) bodies;
  lowered_body *body; /* that is being lowered */
  bits shared;        /* cells that are not of a procedure */
  map *cells;         /* variable -> cell */
  names *places;      /* names of places that are taken */
  flow_graph graph;
  bool can_fail;
  uint32_t failure; /* the place of run-time errors, if there can be one */
} procedures;

/* A variable for what a cell held when a procedure started. */
variable procedures_old_variable(const procedures *k, size_t cell);
/* The number of the property called so, which is made if there is none. */
uint32_t procedures_property(procedures *k, const char *name, span at);
/* At this place of the body, `bad` breaks the property; runs say "`what` and the text of `of` fails". */
void procedures_check(procedures *k, lowered_body *b, uint32_t at, term bad, uint32_t property, const expression *of,
                      const char *what);
bool procedures_has_contract(const process_tree *p, bool is_ensured);
GIVE char *procedures_contract_name(const process_tree *p, bool is_ensured);
/* Of variables that are no arrays, to their first values. */
assignments procedures_first_assignments(lowering *l, const process_tree *p);
/* What a procedure requires, or ensures: what is broken is an error, and ends the run. Gives what holds if it goes on. */
term procedures_add_contracts(procedures *k, lowered_body *b, bool is_ensured);
/* Each property is about runs in which no other contract is broken. */
void procedures_set_reliance(model *whole, const module *m);
/* Fills the graph from the bodies. */
void procedures_connect(procedures *k);
/* A new place of the graph. */
uint32_t procedures_place(procedures *k, const char *name, place at);
/* A new place of the graph where `property` is broken; one a property. */
uint32_t procedures_error(procedures *k, uint32_t property);

#endif
