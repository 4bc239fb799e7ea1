/* A program with procedures as a graph, in whatever language it was written: places, edges between them, and what each
 * procedure gets and gives back; and the Horn clauses that say the same.
 *
 * Cells are variables of the program. An edge says under which condition it is taken, over the cells at its start, and
 * what the cells hold at its end. A call on an edge gives back new variables, which may stand in the condition and the
 * values of that edge. */
#ifndef WHET_INPUT_PROCEDURES_FLOW_H
#define WHET_INPUT_PROCEDURES_FLOW_H

#include "base/bits.h"
#include "base/map.h"
#include "model/model.h"

typedef struct flow_input {
  variable var;
  const char *name;
  place at; /* of the closing parenthesis of the call that it comes from, or nowhere */
} flow_input;

/* A call of a procedure. What it gives back are variables of their own. */
typedef struct flow_call {
  uint32_t procedure;
  const term *in;      /* by `in` of the procedure */
  const variable *out; /* by `out` of the procedure */
  size_t inputs;       /* how many inputs the edge has before it */
  size_t words;        /* how long the text of its statements is before it */
} flow_call;

typedef struct flow_edge {
  uint32_t from, to;
  term guard;
  VECTOR(update) updates; /* of cells */
  VECTOR(flow_input) inputs;
  VECTOR(flow_call) calls;
  const char *name;
  place at;
} flow_edge;
typedef VECTOR(flow_edge) flow_edges;

/* Of an error that is none of any property: a run that comes there has ended. */
#define NO_PROPERTY UINT32_MAX

/* The place of an error is where a property is broken; nothing leaves it. */
typedef struct flow_place {
  const char *name;
  place at;
  bool is_error;
  uint32_t property;
} flow_place;

typedef VECTOR(size_t) cell_list;

/* A call derives the place `entry`; what is known at the place `exit` says which results a call with which values has. */
typedef struct flow_procedure {
  uint32_t entry, exit;
  cell_list in;           /* cells that have their values from the call */
  cell_list kept;         /* cells that hold these values to the end: the same ones if nothing changes them */
  cell_list out;          /* cells of what it gives back */
  size_t own_in, own_out; /* how many of `in` and `out` a call names, the first ones; others are of the whole program */
} flow_procedure;

/* What matters at a place besides. */
typedef struct flow_reading {
  uint32_t place;
  term what;
} flow_reading;

/* The program starts at place 0, to which no edge leads. Whoever fills one frees it. */
typedef struct flow_graph {
  terms *ts;
  VECTOR(variable) cells;
  VECTOR(flow_place) places;
  flow_edges edges;
  VECTOR(flow_procedure) procedures;
  VECTOR(flow_reading) readings;
} flow_graph;

/* The value of a cell at the end of the edge. */
term flow_edge_value(terms *ts, const flow_edge *e, variable cell);
void flow_edge_clear(flow_edge *e); /* what it holds */

/* Leaves out places that are only passed, if that makes no more edges: steps without calls in between become one. Their
 * names stand in its name, a line each. What can be reached of the places that are left is the same. */
void flow_compact(flow_graph *g);

/* Which cells matter at which place: what a path from there may read before it is written. */
typedef struct flow_liveness {
  bits *at;   /* by place */
  map *cells; /* variable -> cell */
  size_t places;
} flow_liveness;
void flow_liveness_find(const flow_graph *g, flow_liveness *out);
void flow_liveness_clear(flow_liveness *v); /* what it holds */

/* The graph as an SV-LIB script (docs/svlib.md); `name` is of the program. */
void flow_print_svlib(const flow_graph *g, const char *name, text *out);

/* Gives `m` the clauses of the graph. A place is a predicate over the cells that matter there, that of a procedure's
 * exit one over `kept` and `out`; an edge is a clause: whoever is at its start and takes it comes to its end, if the calls
 * on the way return what the edge says. The predicate of a procedure's entry says with which values it is called. */
void flow_to_clauses(const flow_graph *g, model *m);
/* The same as a transition system, of a graph without procedures: it keeps runs without end. The properties are there. */
void flow_to_system(const flow_graph *g, model *m);
/* Makes the clauses simpler, and a transition system of them if that can be. The properties are there. */
void flow_clauses_finish(model *m);

#endif
