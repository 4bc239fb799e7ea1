/* Names and types: every name of the tree is resolved, every expression gets its type. After a check without errors,
 * lowering meets only errors that depend on values (a range, the size of an expansion). */
#ifndef WHET_INPUT_WHET_CHECK_H
#define WHET_INPUT_WHET_CHECK_H

#include "input/whet/scope.h"

typedef struct checker {
  scope *scope;
  reporter *reporter;
  arena *arena;
  family *inside;           /* the process that is being checked; NULL outside */
  dependence allowed;       /* what an expression may depend on */
  const char *constant_for; /* where only constants are allowed: what they are for */
  dependence depends;       /* what the expression checked so far depends on */
  unsigned depth;           /* of recursion through expressions and definitions */
  bool was_too_deep;
  bool negative;        /* below an odd number of negations */
  unsigned iffs;        /* how many <=> it is below: no place for the variable of a fixpoint outside of them */
  bool has_long_arrays; /* the model has arrays of any length, */
  bool may_have_long;   /* or would have if constants had no values: it has an `array[..] of T` */
  bool has_procedures;  /* the model has some, */
  bool is_recursive;    /* whose bodies cannot stand in for their calls */
  bool in_ensures;      /* `old` means something */
  bool in_fairness;     /* `inf` and `next` do */
  bool in_next;         /* what is read is the state after a step */
  bool in_declarations; /* of a procedure: its own variables have no values yet */
  unsigned loops;       /* that the statement being checked stands in */
  size_t copied;        /* expressions of definitions with parameters */
  unsigned stamp;       /* of the step that is being checked */
  names *properties;    /* name -> offset, asserts apart */
  names *asserts;
} checker;

void checker_open(checker *c, KEEP scope *s);
void checker_close(checker *c);

/* Fills the global scope from the tree: constants, variables, definitions, enumerations, processes and their members.
 */
void declare_module(checker *c, const module *m);
void check_module(checker *c, const module *m);

/* The type of `e`, also set in it and in all its parts; value_unknown after an error. */
KEEP const value_type *check_expression(checker *c, expression *e);
/* The index of a quantifier becomes a symbol of the current scope; `where` names who has it, and is_formula: `forall`, `exists`. */
void check_binder(checker *c, binder *b, bool is_formula, const char *where);
/* The same, with a message if it is not of type `wanted`; `where` names who wants it: "the guard", "`&&`". */
void check_expect(checker *c, expression *e, const value_type *wanted, const char *where);
/* A boolean expression without temporal operators. */
void check_condition(checker *c, expression *e, const char *where);
/* A number or truth value known when the model is read. */
void check_constant(checker *c, expression *e, const value_type *wanted, const char *what_for);
/* A value of type `a` may stand where one of type `b` is wanted: the same, or an integer for a real. */
bool types_agree(const checker *c, const value_type *a, const value_type *b);
/* `e` is of a type that agrees with `wanted`: if that is real, it is read as one (check_as_real). */
void check_fit(checker *c, expression *e, const value_type *wanted);
void check_report_mismatch(checker *c, const expression *e, const value_type *wanted, const char *where);

void check_refuse_temporal(checker *c, const expression *e, const char *where);
KEEP const char *check_operator_text(uint8_t kind);

/* Numbers (check_number.c): all parts of `e` are; the type is real if one of them is, and then all are read as reals.
 * `where` names who wants numbers; NULL: the operators. */
KEEP const value_type *check_numbers(checker *c, expression *e, const char *where);
KEEP const value_type *check_product(checker *c, expression *e);
KEEP const value_type *check_rounding(checker *c, expression *e);
/* An expression of integers that stands where a real is wanted. Quotients of numbers that are written out are exact in
 * it; of other quotients it is not plain what is meant, so there is a message. */
void check_as_real(checker *c, expression *e);
/* With the excerpt three times. */
#define HINT_ROUNDING "reals are not rounded; `%s` rounded down is an input `k : int` with `k <= %s` and `%s < k + 1`"

/* Names, indices, fields and `at`. */
KEEP const value_type *check_name(checker *c, expression *e);
KEEP const value_type *check_index(checker *c, expression *e);
KEEP const value_type *check_field(checker *c, expression *e);
KEEP const value_type *check_at(checker *c, expression *e);
/* `null` and `new` if they are not declared as something else. */
bool expression_is_word(const expression *e, keyword w);
/* Turns `P[1].a` into a name if a variable is called so. */
void check_qualified(checker *c, expression *e);

/* Puts procedures that are called before those that call them; false if some call themselves, or if their bodies are
 * too large to stand in for their calls. */
bool check_call_order(checker *c);

/* The type of a constant or definition; checks it first if that has not happened. */
void check_symbol(checker *c, symbol *s);

void check_initial_value(checker *c, const variables_tree *v);
void check_assignments(checker *c, const assignments *list);
/* `c ! e` and `c ? x`; and whether the target is, or is part of, a channel, which nothing else changes: then there is a message. */
void check_message(checker *c, const assignment *a);
bool check_is_in_channel(checker *c, const expression *target);
/* What can be assigned; false, with a message, if it cannot. */
bool check_target(checker *c, expression *target);
/* Inputs become symbols of the current scope. */
void check_inputs(checker *c, const variables_trees *inputs);
void check_process(checker *c, process_tree *p);
/* The invariants of its states. */
void check_invariants(checker *c, const process_tree *p);
/* States that are atomic, or in which it may stay for ever. */
void check_marks(checker *c, const process_tree *p);
/* A message if the process has no such state. */
void check_edge_state(checker *c, const family *f, const declared_name *state);
void check_program_body(checker *c, process_tree *p);

/* Procedures: what they declare, what they are, and calls of them. */
void declare_procedure(checker *c, process_tree *p);
void check_procedure(checker *c, process_tree *p);
void check_call(checker *c, statement *s);
/* A call inside an expression: of a definition with parameters; else it is a mistake. */
KEEP const value_type *check_inner_call(checker *c, expression *e);
/* Definitions with parameters: whether the call is of one; the call, which becomes a `let`; and the definition itself,
 * whatever its parameters are. */
bool check_is_defined_call(const expression *call);
KEEP const value_type *check_defined_call(checker *c, expression *e);
void check_parametric(checker *c, symbol *s);
/* The type of a value that `what` gives a name to: not of nodes and arrays, and no temporal formula. */
KEEP const value_type *check_named_value(checker *c, expression *value, const char *what);
/* What is declared, if only transition systems can have it and no clauses; else NULL. */
KEEP const char *check_needs_system(const declaration *d);
/* What else a model with arrays of any length declares, if it has some; and whether it could have some. */
void check_beside_arrays(checker *c, const module *m);
bool check_allows_long_arrays(const module *m);
/* What else a model with procedures declares, if it has some; and whether they are recursive. */
void check_beside_procedures(checker *c, const module *m);
/* A variable of a process or procedure, known by its name inside; NULL, with a message, if there is one. */
KEEP symbol *declare_member(checker *c, family *f, declared_name *n, const value_type *type);
/* The index and the variables of the process become visible. */
void check_open_process(checker *c, process_tree *p);
/* A new name of a property; asserts may share theirs. */
void check_property_name(checker *c, const declared_name *name, bool is_assert);

#endif
