/* From the checked tree to the model.
 *
 * Quantifiers, copies of processes and arrays are expanded here. All of that is counted as work, and the work is
 * limited, so that a short text cannot ask for a model that fits into no memory. */
#ifndef WHET_INPUT_WHET_LOWER_H
#define WHET_INPUT_WHET_LOWER_H

#include "input/whet/arrays/quantifiers.h"
#include "input/whet/check.h"
#include "model/model.h"

/* What is charged for one instance of a quantifier, one element of an array, one step; and for one run-time error. */
enum { INSTANCE_WORK = 4, FAULT_WORK = 16 };

typedef struct lowered_assertion {
  word *name;
  place place;
  const process_tree *program; /* where the first assert of this name stands */
  term_vector bad;             /* one part an assert and copy */
} lowered_assertion;

/* The transitions of one process follow each other; some of them may have become steps that are never taken. */
typedef struct steps_of_process {
  uint32_t from, to;
} steps_of_process;

/* A step of a process from a place where no other one moves. */
typedef struct inside_step {
  uint32_t transition, process;
  bool can_always; /* together with others from that place it can always be taken: an assignment, a test, a choice */
  term place_test;
} inside_step;

/* What holds while `location` is `state`. */
typedef struct state_invariant {
  variable location;
  int64_t state;
  term condition;
} state_invariant;

struct handshake_part;
/* A variable of the model that remembers: each step gives it this value, over the state before and after. */
typedef struct history_variable {
  variable var;
  uint8_t kind; /* temporal_kind of the past; 0: of a step */
  term f, g;    /* its operands */
  term value;
} history_variable;

typedef struct lowering {
  scope *scope;
  const struct node_layout *layout; /* of nodes; NULL: data : bool, next : node */
  reporter *reporter;
  model *model;
  terms *terms;
  VECTOR(variable) cells; /* every variable; symbols know their first */
  term_vector path;       /* what has come out true on the way to the expression being evaluated */
  pending_faults
      *faults; /* where run-time errors are collected; NULL if expressions have a value everywhere (properties) */
  term_vector scratch; /* parts of the terms being built, innermost last */
  term_vector init;    /* conjuncts of the initial condition */
  VECTOR(lowered_assertion) assertions;
  map *assertion_index; /* word -> position */
  VECTOR(steps_of_process) process_steps;
  names *step_index;          /* name -> first transition called so */
  VECTOR(uint32_t) next_step; /* and the next one, NO_PROCESS behind the last */
  VECTOR(symbol *) failing;   /* definitions whose evaluation can meet run-time errors */
  VECTOR(variable) clocks;
  VECTOR(state_invariant) invariants;
  VECTOR(inside_step) inside;
  VECTOR(struct handshake_part *) handshakes; /* steps that wait for a partner (channels/lower_handshake.c) */
  VECTOR(history_variable) history;
  bool uses_past;                 /* the property being lowered */
  VECTOR(size_t) past_properties; /* those that do */
  size_t kept_above;              /* fixed arrays with more elements are kept as arrays, */
  bool keeps_arrays;              /* there are arrays that are kept: the model becomes clauses */
  bool without_arrays;            /* and not clauses, but a transition system without arrays */
  unsigned open_ranges; /* of quantifiers around that are not constant: what is constant here need not be reached */
  bool in_definition;   /* whose value may be used where nothing fails */
  quantifiers quantifiers;
  struct procedures *procedures; /* what the body being lowered belongs to; NULL if there are no clauses */
  const family *in_place;        /* the procedure in place whose contract is being lowered; NULL: none */
  uint64_t work;
  bool exhausted;
  unsigned depth;
} lowering;

void lowering_open(lowering *l, KEEP scope *s, KEEP model *m);
void lowering_close(lowering *l);
/* Counts work; false, with one message, if the limit is reached. */
bool lowering_spend(lowering *l, uint64_t units, uint32_t offset);
bool lowering_can_spend(const lowering *l, uint64_t units);

void lower_module(lowering *l, const module *m);

/* The value of a checked expression under the current copies of processes and values of indices. If `l->faults` is
 * set, run-time errors that evaluation meets are added to it, each with the condition under which it is met. */
term lower_expression(lowering *l, const expression *e);
/* A boolean expression in a property and the like: division by 0 gives 0, an index out of range reads 0 or false. */
term lower_condition(lowering *l, const expression *e);
/* Gives the names of a `let` their values; returns what they are used in. */
KEEP const expression *lower_locals(lowering *l, const expression *e);
/* The constant `e`; false, with a message, if it is none or does not fit 64 bits. */
bool lower_int64(lowering *l, const expression *e, int64_t *out);
bool lower_range(lowering *l, const expression *low, const expression *high, const char *what, int64_t *first,
                 size_t *count);
/* A `forall` or `exists` beside arrays that are kept, or whose range is not constant (arrays/lower_quantifier.c). */
term lower_long_quantifier(lowering *l, const expression *e);
/* The range of some index is not constant. */
bool lower_has_long_range(const expression *e);
/* `=` of two arrays; and whether they have the same indices and types, with a message if not. */
term lower_array_equality(lowering *l, const expression *e);
bool lower_check_arrays(lowering *l, const value_type *a, const value_type *b, const expression *at);
/* Constants and definitions, once. */
void lower_symbol(lowering *l, symbol *s);
/* The states that a property, as it is written, is about: property.trigger. */
term lower_trigger(lowering *l, const expression *e);
KEEP temporal *lower_temporal(lowering *l, const expression *e);
/* Every copy of every program comes to its end. */
KEEP temporal *lower_termination(lowering *l);
/* The atom contradicts something that is known on the way: a linear sum of two comparisons shows it. */
bool lower_is_refuted(lowering *l, term atom);
/* The conjunction of the path. */
term lower_reached(lowering *l);
void lower_add_fault(lowering *l, term when, const expression *at);
/* A field of `p` is asked for, or it is freed: it must not be null and, unless that is fine, not freed already. */
void lower_add_node_faults(lowering *l, variable p, bool is_freed_fine, const expression *at);
/* The fields of nodes, once bounds are known. */
void lower_node_layout(lowering *l);

/* Elements of arrays and variables of processes. */
typedef struct dimension {
  const expression *at; /* the index expression's node: EXPRESSION_INDEX */
  int64_t low;
  size_t count, stride; /* how many, and cells from one to the next */
  term index;
  bool is_constant;
  size_t constant;        /* cells to skip */
  const value_type *kept; /* of an array that one variable holds: its type; else NULL */
  term outside;           /* of such: when the index is outside */
} dimension;

typedef struct access {
  symbol *symbol;
  size_t first; /* cell */
  VECTOR(dimension) dimensions;
  bool is_outside; /* a constant index is out of range: there is no such cell */
} access;

void access_open(lowering *l, access *a, const expression *e);
void access_close(access *a);
/* The value that is `cell` cells after the first. */
term access_value(lowering *l, const access *a, size_t cell, const expression *e);
term lower_access(lowering *l, const expression *e);
term lower_at(lowering *l, const expression *e);
/* The node variable that `e` names. */
variable lower_node(lowering *l, const expression *e);
/* The variable of a scalar. */
term cell_term(const lowering *l, size_t cell);

/* A constant is in its type. */
void lower_check_constant(lowering *l, const variables_tree *v);
/* Types with their bounds evaluated; false after an error. */
bool lower_types(lowering *l);
/* The bounds of arrays that are kept, when the variables are there. */
void lower_kept_bounds(lowering *l);
/* `value` for a variable; for one that holds an array, that array which has it everywhere. */
term lower_cell_value(lowering *l, variable v, term value);
type lower_type(lowering *l, const value_type *t);
/* Room for so many variables; `l->exhausted`, with a message, if there are too many. */
size_t lower_reserve(lowering *l, size_t cells, uint32_t offset);
/* The variables of one declaration and one copy of its process, and what holds of them initially. */
void lower_variables(lowering *l, const variables_tree *v, variable_role role, const char *prefix, size_t copy);
/* The same for what each call of a procedure has of its own: the names need not be new. */
void lower_local_variables(lowering *l, const variables_tree *v);
void lower_local_symbol(lowering *l, symbol *s);
void lower_initial(lowering *l, const variables_tree *v, size_t copy);

/* Steps. */
typedef struct lowered_step {
  const char *name;
  const char *statement; /* of a program: what is shown of it; NULL elsewhere */
  unsigned depth;        /* of calls in progress */
  uint32_t process;
  term place_test;             /* true for actions */
  const expression *guard;     /* NULL: true */
  bool negate_guard;           /* the `else` of a test */
  const expression *evaluated; /* evaluated for its run-time errors only; NULL: none */
  const expression *fails;
  const variables_trees *inputs;
  const assignments *updates;
  variable location; /* and where it goes, for processes */
  bool has_target;
  int64_t target;
  span at;
} lowered_step;

void lower_step(lowering *l, const lowered_step *s);
/* Nothing happens, and nothing fails, if `when` does not hold. */
void lower_add_condition(lowering *l, transition *t, term when);
void lower_action(lowering *l, const command_tree *c);
void lower_edges(lowering *l, const process_tree *p);
/* Finds the places of a program, names them, and keeps them in its family; then, for each copy, its steps. */
void lower_program_places(lowering *l, process_tree *p);
void lower_program_steps(lowering *l, const process_tree *p);
/* From now on `f` is this copy of it. */
void lower_set_copy(lowering *l, family *f, size_t copy);
/* The invariants of states; initial states keep them. */
void lower_invariants(lowering *l, const module *m);
/* When all other steps are there: they keep the invariants, and there is one in which time passes. */
void lower_time(lowering *l);
/* When all steps are there: while a process is inside of an atomic block and can go on, only those that are inside move. */
void lower_atomic(lowering *l);
/* States without a step that `deadlockfree` allows: of its `unless`, and those where all processes are at `end` marks. */
term lower_valid_ends(lowering *l, const declaration *d);
/* No step can be taken; false in `*fine`, with a message, if the inputs of some step have too many values to say so. */
term lower_deadlock(lowering *l, const declaration *d, bool *fine);
void lower_property(lowering *l, const declaration *d);
void lower_assertions(lowering *l, const process_tree *p);
/* `bad` breaks the property called `name`, which an assert or a contract of `p` states. */
void lower_check(lowering *l, word *name, span at, const process_tree *p, term bad);
void lower_fairness(lowering *l, const declaration *d);
/* next(e) of a fairness condition: over the next variables of the state. */
term lower_next(lowering *l, const expression *e);
/* `fair when e`, also if it has `inf` and `next` in it (history/lower_often.c). */
KEEP temporal *lower_infinitely_often(lowering *l, const expression *condition);
/* An operator of the past, as a state formula with variables that remember (history/lower_past.c). */
term lower_past(lowering *l, const expression *e);
void lower_often(lowering *l, const expression *e, place at);
/* If there is no fairness, when all of that is there: temporal properties that say no more than that something always holds become such, if
 * the model has reals or they have operators of the past. For other models there are engines that treat them as they are. */
void lower_always(lowering *l);

/* A model with recursive procedures (calls/lower_procedures.c); types and places of programs are there. */
void lower_procedures(lowering *l, const module *m);

/* What `e` was when the procedure started. */
term lower_old(lowering *l, const expression *e);

void program_graph_clear(struct program_graph *g); /* what it holds; the rest is in an arena */

place lower_place(const lowering *l, span at);

#endif
