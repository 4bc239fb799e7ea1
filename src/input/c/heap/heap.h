/* Memory that pointers with several values point to: what malloc gives, and variables whose address is kept.
 *
 * A type T is in memory if pointers to T are more than names for variables: if they are assigned, are members or
 * elements, or come from malloc. Then every pointer to T is a number, its address: 0 is the null pointer, the objects
 * that malloc gives have the numbers 1, 2, .. in the order of allocation, and variables of type T whose address is taken
 * have -1, -2, ... No number is given twice. For each integer in a T there is an array from addresses to values (an object
 * as of input/c/arrays), whose elements are any values until the program sets them. Types have addresses of their own: a
 * cast from a pointer to one type into one to another is refused. */
#ifndef WHET_INPUT_C_HEAP_HEAP_H
#define WHET_INPUT_C_HEAP_HEAP_H

#include "input/c/lower.h"

#define C_NO_CELL SIZE_MAX

/* The objects of a type that is in memory. */
typedef struct c_space {
  const char *key;      /* of the type */
  const char *text;     /* the type, as clang writes it */
  c_object object;      /* the arrays; has no item if objects of this type are not read */
  size_t next;          /* the cell with the address that malloc gives next */
  size_t last_variable; /* the cell with the least address of a variable; C_NO_CELL if none is in memory */
  size_t gone;          /* the cell with an array of truths: what is no longer there; C_NO_CELL if all stays */
  bool has_variables;   /* some variable is in memory */
  bool loses_some;      /* free is called, or variables of functions are in memory */
} c_space;

/* ---- survey.c ---- */

/* Finds the types that are in memory, before anything is lowered. */
void c_heap_survey(c_lowering *l, const c_node *start);
/* Of a pointer that is an address. */
KEEP c_space *c_space_of(c_lowering *l, const c_type *pointer);
/* The call of malloc, calloc or alloca that `n` is, with casts around it; NULL if it is none. */
KEEP const c_node *c_allocation_in(const c_lowering *l, const c_node *n);

/* ---- spaces.c ---- */

/* The one live path is the start of the program: nothing is allocated. */
void c_heap_start(c_lowering *l);
/* What an address points to; an error if there is nothing. */
c_operand c_heap_follow(c_lowering *l, c_path *p, const c_operand *pointer, const c_node *at);
/* An error if the object with this address is not there. */
void c_heap_check(c_lowering *l, c_path *p, const c_space *s, term address, const c_node *at);
/* The address of a place, as a value of type `t`; refuses what has none. */
c_operand c_heap_address(c_lowering *l, const c_operand *where, const c_type *t, const c_node *at);
/* Are two addresses equal; of what is no longer there nobody knows. */
term c_heap_same(c_lowering *l, c_path *p, const c_operand *a, const c_operand *b);
/* All cells of memory, for procedures. */
void c_heap_cells(const c_lowering *l, cell_list *out);

/* ---- variables.c ---- */

/* The variable is in memory. */
bool c_is_in_memory(const c_lowering *l, const c_node *variable);
/* The object gets a cell for its address. */
void c_variable_declare(c_lowering *l, c_object *o, const c_node *n);
/* The body of the function begins on all live paths: its variables have no addresses before they are declared. */
void c_variables_enter(c_lowering *l, const c_node *function);
/* A new address for the variable; it holds any values. */
void c_variable_begin(c_lowering *l, c_path *p, const c_object *o);
void c_variable_zero(c_lowering *l, c_path *p, const c_object *o);
/* It is no longer there. */
void c_variable_end(c_lowering *l, c_path *p, const c_object *o);

/* ---- allocation.c ---- */

/* Pushes a new object; `call` is one of malloc or calloc, and `t` what its result is cast to. */
void c_heap_allocate(c_lowering *l, const c_node *call, const c_type *t);
/* The object with this address goes; an error if it was not allocated, or is gone. */
void c_heap_free(c_lowering *l, c_path *p, const c_operand *address, const c_node *call);
/* So many more objects are allocated. */
void c_heap_count(c_lowering *l, c_path *p, term by);
/* The paths end, by a return from `main` if `returns`: what is still allocated? */
void c_heap_end(c_lowering *l, c_paths *ps, bool returns, const c_node *at);

#endif
