/* From C's syntax tree to places and steps between them.
 *
 * The program is run symbolically. A path starts at a place of the model and says what has happened since: the condition
 * under which it is taken, and what the cells of variables hold, as terms over the state at its start. All paths that
 * are under way run side by side (`live`): a statement is run on each, a test splits each in two. Paths end where they
 * come to a place (the head of a loop, a label, a point where too many paths meet); each is then an edge of the model.
 * Values of expressions are on a stack that each path has.
 *
 * What C leaves undefined ends the path: an edge leads to the place of that error, and the path goes on under the
 * condition that there was none. */
#ifndef WHET_INPUT_C_LOWER_H
#define WHET_INPUT_C_LOWER_H

#include "base/bits.h"
#include "input/c/settings.h"
#include "input/c/types.h"
#include "input/diagnostic.h"
#include "input/procedures/flow.h"

/* A declared variable, as the cells it is made of. An array that is not expanded (arrays/arrays.c) has a cell that holds
 * a whole array for each integer of its items, and then, unless its type says how long it is, one that holds the number
 * of its elements. */
typedef struct c_object {
  const char *name;
  const char *any; /* "any x": the name of an input that it holds because nothing else says what it holds */
  const c_type *type;
  size_t first, cells;
  const c_node *declared;         /* where; NULL of parameters of procedures, and of texts */
  bool is_allocated;              /* it is there until it is freed */
  bool is_expected;               /* the call that allocates it was not lowered so far */
  const c_type *item;             /* of such an array: what is in a row in it, which is no array itself; else NULL */
  const struct c_space *space;    /* of objects in memory (heap/heap.h): which these are; else NULL */
  const struct c_space *lives_in; /* of a variable that is in memory: where, and its cell has the address; else NULL */
  bool has_flags;                 /* as many cells, from `flags` on, say which of its own have a value (unset.c) */
  size_t flags;
  const c_node *text;       /* of a text in quotes: that; else NULL */
  const number *characters; /* of one whose characters are read: they, as many as its type says; else NULL */
} c_object;

typedef struct c_cell {
  variable var; /* what it holds at a place */
  const c_type *type;
  bool is_array; /* it holds an array of values of that type */
} c_cell;

/* The count of elements in a row that are as many as the object's last cell says. */
#define C_OPEN SIZE_MAX

/* A value, or where one is: element `value` of `count` in a row, which start at cell `outer` of the object, or, if its
 * items are not expanded, at item `outer`; there `leaf` says which integer of an item it is, or the first of them. */
typedef struct c_operand {
  const c_type *type;
  term value;       /* of an integer: itself; of a pointer or a place: the index */
  number low, high; /* of an integer: it is not outside */
  bool is_place;
  const c_object *object; /* of pointers and places; NULL: the null pointer, or a text */
  term outer;
  size_t count, leaf;
  bool may_be_null; /* of a pointer: if `value` is c_pointer_null, it points to nothing */
} c_operand;

typedef struct c_cell_value {
  bool known; /* else: what it held at the start of the path */
  term value;
  number low, high;
} c_cell_value;

typedef flow_input c_input;
typedef flow_call c_call;
typedef flow_edge c_edge;

typedef struct c_path {
  uint32_t origin; /* the place where it started */
  term guard;
  term_vector facts; /* conjuncts of the guard */
  VECTOR(c_cell_value) cells;
  VECTOR(c_operand) stack;
  VECTOR(c_input) inputs;
  VECTOR(c_call) calls;
  text statements; /* the statements it came by */
} c_path;

typedef VECTOR(c_path *) c_paths;

/* What C leaves undefined, which ends a run; then what the program itself calls an error, memory that is left at the end,
 * reading a local variable that has no value so far, after which a run goes on, and, of a program that is read with a witness, that an invariant of the witness does not hold. */
typedef enum c_error {
  ERROR_OVERFLOW,
  ERROR_DIVISION,
  ERROR_DEREFERENCE,
  ERROR_FREE,
  ERROR_CALL,
  ERROR_TRACK,
  ERROR_UNSET,
  ERROR_CLEANUP,
  ERROR_INVARIANT,
  ERROR_COUNT
} c_error;

typedef struct c_place {
  const char *name;
  VECTOR(c_operand) stack; /* what each path that comes here has, over the cells at this place */
  place at;
} c_place;

/* The program says that this, over cells, holds at a place. */
typedef struct c_invariant {
  uint32_t place;
  term formula;
} c_invariant;

/* A function that is not run in place, as one that may call itself. A call derives its place `entry`; what is known at
 * its place `exit` says which results a call with which values has. */
typedef struct c_procedure {
  const c_node *function;
  const c_type *result;
  uint32_t entry, exit; /* places */
  cell_list in;         /* cells that have their values from the call: parameters, then globals */
  cell_list kept;       /* cells that hold these values to the end: the same ones if nothing changes them */
  cell_list out;        /* cells of what it gives back: the result, if there is one, then globals */
  bool is_lowered;
} c_procedure;

/* The head of a loop of the program. */
typedef struct c_loop {
  uint32_t head; /* its place; UINT32_MAX if that is gone */
  const c_node *node, *function;
  bool is_in_place;                   /* of a function that is run in place, or of main */
  VECTOR(const c_object *) variables; /* in scope, no two of one name; one without cells only hides others */
} c_loop;

typedef struct c_label {
  uint64_t id;
  uint32_t place;
} c_label;

/* The paths that enter a switch at one of its cases. */
typedef struct c_entry {
  const c_node *at; /* case or default */
  c_paths paths;
} c_entry;

typedef struct c_switch {
  VECTOR(c_entry) entries;
} c_switch;

/* What `break`, `continue` and `case` are about. */
typedef struct c_exits {
  c_paths *breaks, *continues; /* NULL: outside */
  c_switch *cases;
} c_exits;

/* A call under way. */
typedef struct c_frame {
  const c_node *function;
  struct c_frame *caller;
  c_paths returns;
  VECTOR(c_label) labels;
  VECTOR(const c_object *) locals;
  c_exits exits;
  const c_object *result;  /* where a struct that is returned goes; NULL: none is */
  VECTOR(c_operand) stack; /* as it was when the call began, on one of the paths */
} c_frame;

/* What a pointer variable is assigned, by what stays the same from one reading of the program to the next. */
typedef struct c_known_target {
  uint64_t pointer;
  const c_node *declared; /* the variable, the text in quotes, or the call that allocates */
  const char *element;    /* the type of what that call gives */
  size_t count, leaf;
  number outer;
} c_known_target;

typedef VECTOR(c_known_target) c_known_targets;

typedef struct c_lowering {
  const source *source;
  reporter *reporter;
  const c_settings *settings;
  arena *arena;
  model *model;
  terms *ts;
  c_types types;
  names *functions, *globals;     /* name -> node with the body; name -> object */
  map *objects;                   /* id -> c_object */
  map *global_ids;                /* ids of all declarations of global variables */
  names *global_nodes;            /* their names -> one of their nodes */
  map *variables;                 /* ids of local variables -> nodes */
  map *pointers;                  /* id -> c_pointer: what a pointer variable points to */
  c_known_targets *known_targets; /* that earlier readings found; this one adds to them if `knows_more` */
  bool knows_more;
  map *allocations; /* calls -> the first object of each */
  map *constants;   /* id of an enumerator -> index in `constant_values` */
  map *assigned;    /* ids of variables that are assigned or whose address is taken */
  map *targets;     /* ids of labels that some goto is about */
  map *labels;      /* id of a label -> its node */
  map *visible;     /* labels, cases, jumps and switches -> the variables in scope there (scopes.c) */
  VECTOR(number) constant_values;
  VECTOR(c_cell) cells;
  VECTOR(c_place) places;
  flow_edges edges;
  size_t error_count;           /* ERROR_COUNT, or one less without a witness */
  uint32_t errors[ERROR_COUNT]; /* their places */
  bool is_asked[ERROR_COUNT];   /* it is a property of the model */
  bool can_fail[ERROR_COUNT];   /* an edge leads there */
  bool is_checked[ERROR_COUNT]; /* something in the program could do so, whatever its variables hold */
  bool has_error_call;          /* reach_error or the like is called: a label ERROR is then a label like others */
  names *place_names;
  VECTOR(c_procedure) procedures;
  VECTOR(struct c_space *) spaces; /* of the types that are in memory (heap/heap.h) */
  map *in_memory;                  /* ids of local variables that are */
  names *globals_in_memory;        /* names of global ones */
  bool has_memory;                 /* types may be in memory */
  bool allocates;                  /* malloc, calloc or free is called */
  const char *untracked;           /* why it is not known what is lost at the end, or NULL */
  bool counts_memory;              /* the cell `allocated` says how many objects malloc gave and free has not taken */
  size_t allocated;
  VECTOR(const char *) addressed; /* functions whose address is taken */
  VECTOR(const c_node *) pending; /* expressions of invariants that stand before the next loop */
  VECTOR(c_invariant) invariants;
  bool is_formula; /* an invariant is evaluated: nothing goes wrong in it */
  bool has_chosen; /* of `a ?: b`, the value of a is on the stack, and the next thing is to cast it */
  VECTOR(const c_object *) global_objects;
  const struct c_witness *witness;     /* NULL: none */
  const struct witness_text *inserted; /* where its expressions are */
  size_t passed;                       /* the cell that counts waypoints */
  VECTOR(c_loop) loops;
  VECTOR(source_input) inputs;
  VECTOR(source_function) called; /* functions without a body, and those whose call is an error */
  map *recursive;                 /* functions -> whether they may call themselves */
  map *separate;                  /* functions that do not -> whether they are procedures all the same */
  c_paths live;
  bool has_arrays; /* that are not expanded */
  bool has_allocations;
  VECTOR(size_t) unallocated; /* cells with lengths that are -1 until they are set */
  c_frame *frame;
  names *externals;    /* functions without body that are called, but for those of the verifier */
  text external_names; /* the same as a list */
  size_t spent;        /* steps of the lowering, against programs that grow without end */
  bool refused;
  uint32_t refused_at; /* where, first */
} c_lowering;

/* ---- refusal.c ---- */

/* Says what is not read, and what would be; the lowering is over. */
void c_refuse(c_lowering *l, const c_node *at, const char *format, ...) PRINTF_LIKE(3, 4);
void c_refuse_type(c_lowering *l, const c_node *at, const c_type *t);
place c_place_of(const c_lowering *l, const c_node *n);

/* ---- paths.c ---- */

void c_path_free(TAKE c_path *p);
GIVE c_path *c_path_copy(const c_path *p);
void c_paths_clear(c_paths *ps); /* and the paths */
void c_paths_move(c_paths *from, c_paths *to);
/* Paths that differ in their conditions only become one. */
void c_paths_merge(c_lowering *l, c_paths *ps);
/* Goes on with `t`; false if it cannot hold. */
bool c_path_assume(c_lowering *l, c_path *p, term t);
/* The bounds of `t` on this path, made narrower by what is known. */
void c_path_bounds(c_lowering *l, const c_path *p, term t, number *low, number *high);
void c_path_describe(c_lowering *l, c_path *p, const c_node *n, const char *before, const char *after);
/* Any value of an integer type. */
c_operand c_path_any(c_lowering *l, c_path *p, const c_type *t, const char *name);
/* Any array whose elements have this type, or would if they were read. */
c_operand c_path_any_array(c_lowering *l, c_path *p, const c_type *element, const char *name);
/* The same, which a call of the program returns. */
c_operand c_path_input(c_lowering *l, c_path *p, const c_type *t, const char *name, const c_node *call);
/* An error if `bad` holds; the path goes on if it does not. */
void c_path_check(c_lowering *l, c_path *p, term bad, c_error error, const c_node *at);
/* The program says that coming here is an error; the path goes on. */
void c_path_error(c_lowering *l, c_path *p, const c_node *at);
void c_path_push(c_path *p, c_operand o);
c_operand c_path_pop(c_path *p);
c_operand c_cell_read(c_lowering *l, const c_path *p, size_t cell);
void c_cell_write(c_lowering *l, c_path *p, size_t cell, const c_operand *value);
void c_cell_forget(c_path *p, size_t cell);
size_t c_cell_new(c_lowering *l, const char *name, const c_type *t);
size_t c_cell_new_array(c_lowering *l, const char *name, const c_type *element);
/* Another one for values of the same kind. */
size_t c_cell_like(c_lowering *l, const char *name, size_t cell);

/* ---- places.c ---- */

/* A place with the stack that the live paths have; `what` is for its name. */
uint32_t c_place_new(c_lowering *l, const c_node *at, const char *what);
uint32_t c_place_bare(c_lowering *l, const char *name);
/* The path ends at the place. */
void c_path_arrive(c_lowering *l, TAKE c_path *p, uint32_t at, const c_node *n);
/* All live paths end there. */
void c_live_arrive(c_lowering *l, uint32_t at, const c_node *n);
/* From there on, one path. */
void c_live_start(c_lowering *l, uint32_t at);
/* Many paths that meet go on as one, from a place. */
void c_live_join(c_lowering *l, const c_node *n);
void c_edge_add(c_lowering *l, const c_path *p, term guard, uint32_t to, bool with_updates, const c_node *at);
/* Makes the model of places and edges. */
void c_model_make(c_lowering *l);
/* Adds the properties; what is bad is still to be said. */
void c_properties_add(c_lowering *l);

/* ---- source/loops.c ---- */

/* A loop of which `head` is the head begins at `n`. */
void c_loop_note(c_lowering *l, const c_node *n, uint32_t head);
bool c_loop_starts_at(const c_lowering *l, uint32_t place);
/* The function, which has no body or whose call is an error, is called. */
void c_function_note(c_lowering *l, const char *name, bool is_error);
/* How the head of a loop stands in the model. */
typedef struct c_head {
  uint32_t number;
  bits live;               /* the cells that matter there */
  const variable *by_cell; /* what stands for each; NULL: its own variable */
} c_head;
typedef bool c_head_of(void *context, uint32_t place, c_head *out);
/* The model says which loops and inputs it has; `head_of` is false of heads that it has not. */
KEEP program_source *c_loops_keep(c_lowering *l, c_head_of *head_of, void *context);

/* ---- merge.c ---- */

/* Removes places that are no heads of loops, of programs without procedures. */
void c_places_merge(c_lowering *l);

/* ---- invariants.c ---- */

/* What stands in the invariants before a loop is said about its head, from which the one live path has just started. */
void c_invariants_place(c_lowering *l, uint32_t head);
/* A condition over cells, as it is at a place. */
term c_condition_at(c_lowering *l, const c_node *e, uint32_t head);
/* They become lemmas of the model. */
void c_invariants_add(c_lowering *l, variable location);

/* ---- points.c ---- */

/* Each does nothing without a witness that has something to say there. The one live path is the start of the program. */
void c_points_start(c_lowering *l);
/* The one live path has just started from the head of a loop. */
void c_points_loop(c_lowering *l, const c_node *n, const c_node *body, uint32_t head);
/* Statement `n` has tested its condition. */
void c_points_branch(c_lowering *l, const c_node *n, c_paths *yes, c_paths *no);
void c_points_enter(c_lowering *l, const c_node *call);
/* What the call returns is on top of the stack of each live path. */
void c_points_return(c_lowering *l, const c_node *call);
/* What else must hold for this error to be the one that the witness is about. */
term c_points_error(c_lowering *l, const c_path *p, c_error error, const c_node *at);
/* The text there is none of the program. */
bool c_points_put_in(const c_lowering *l, uint32_t offset);
/* A call that stands for an expression of the witness. */
void c_points_call(c_lowering *l, const c_node *call);

/* ---- procedures.c ---- */

/* True if some call in the function may come to a call of the function itself. */
bool c_is_recursive(c_lowering *l, const c_node *function);
/* It is not run in place. */
bool c_is_procedure(c_lowering *l, const c_node *function);
/* Calls the function as a procedure; the arguments are on the stack of each live path. */
void c_call_procedure(c_lowering *l, const c_node *function, const c_node *call);
/* Lowers the bodies of all procedures that are called, also by each other. */
void c_lower_procedures(c_lowering *l);

/* ---- clauses.c ---- */

/* The places, edges and procedures as a graph, which uses what `l` has; close it first. */
void c_graph_open(const c_lowering *l, flow_graph *g);
void c_graph_close(flow_graph *g);

/* Makes the model of places, edges and procedures, as Horn clauses. */
void c_clauses_make(c_lowering *l);

/* ---- values.c ---- */

c_operand c_value_number(c_lowering *l, const c_type *t, number n);
c_operand c_value_truth(c_lowering *l, const c_type *t, term truth);
term c_value_condition(c_lowering *l, const c_operand *o);
/* C's conversion of integers. */
c_operand c_value_convert(c_lowering *l, c_path *p, const c_operand *o, const c_type *to);
c_operand c_value_binary(c_lowering *l, c_path *p, const char *opcode, const c_operand *a, const c_operand *b,
                         const c_type *t, const c_node *at);
c_operand c_value_negate(c_lowering *l, c_path *p, const c_operand *a, const c_type *t, const c_node *at);
c_operand c_value_complement(c_lowering *l, c_path *p, const c_operand *a, const c_type *t);
/* A result of type `t` that need not fit: it wraps around or is an error. */
c_operand c_value_fit(c_lowering *l, c_path *p, term value, number low, number high, const c_type *t, const c_node *at);

/* ---- bits.c ---- */

c_operand c_value_bits(c_lowering *l, c_path *p, const char *opcode, const c_operand *a, const c_operand *b,
                       const c_type *t);
c_operand c_value_shift(c_lowering *l, c_path *p, bool left, const c_operand *a, const c_operand *b, const c_type *t,
                        const c_node *at);

/* ---- objects.c ---- */

KEEP const c_object *c_object_declare(c_lowering *l, const c_node *n);
c_operand c_object_place(c_lowering *l, const c_object *o);
/* The same, also of a variable in memory. */
c_operand c_object_place_on(c_lowering *l, const c_path *p, const c_object *o);
/* It is there as long as the variable, whose declaration this is. */
bool c_object_outlives(const c_lowering *l, const c_object *o, const c_node *variable);
/* `what` is in the tree `n`. */
bool c_is_inside(const c_node *n, const c_node *what);
/* The object of a variable that is in use. */
KEEP const c_object *c_object_of(c_lowering *l, const c_node *name);
/* Reads what is at a place: an integer. */
c_operand c_place_read(c_lowering *l, c_path *p, const c_operand *where, const c_node *at);
void c_place_write(c_lowering *l, c_path *p, const c_operand *where, const c_operand *value, const c_node *at);
void c_place_copy(c_lowering *l, c_path *p, const c_operand *to, const c_operand *from, const c_node *at);
/* The number of the first cell of the object that is there, or of the item, if they are not expanded. */
term c_place_start(c_lowering *l, const c_operand *where);
/* An error if the index is outside. */
void c_place_check(c_lowering *l, c_path *p, const c_operand *where, const c_node *at);
/* Every cell of an object gets any value, or 0. */
void c_object_clear(c_lowering *l, c_path *p, const c_object *o, bool to_zero);

/* ---- unset.c: of the property no-uninitialised. All do nothing if it is not asked for. ---- */

/* The cells of the object have just been made. */
void c_flags_declare(c_lowering *l, c_object *o);
/* All of the object has a value, or none has. */
void c_flags_set_all(c_lowering *l, c_path *p, const c_object *o, bool are_set);
/* Cell `cell` of the object has a value from here on if `is_set` holds. */
void c_flag_set(c_lowering *l, c_path *p, const c_object *o, size_t cell, term is_set);
/* Whether it has one. */
term c_flag_of(c_lowering *l, const c_path *p, const c_object *o, size_t cell);
/* It is an error if `bad` holds; the path goes on all the same. */
void c_unset_check(c_lowering *l, c_path *p, term bad, const c_node *at);

/* ---- arrays/texts.c ---- */

/* The characters of a text in quotes, with zeros up to `count`, and those that are more than that left out; NULL if they
 * are not read. */
KEEP const number *c_text_characters(c_lowering *l, const c_node *n, const c_type *element, size_t count);
/* A text in quotes as an array that is there from the start to the end, and is not changed. */
KEEP const c_object *c_object_of_text(c_lowering *l, const c_node *n);
/* The character at a place in a text; the index has been checked. */
c_operand c_text_read(c_lowering *l, const c_path *p, const c_operand *where, const c_node *at);

/* ---- overflow.c ---- */

/* Calls like __builtin_add_overflow: whether this is one of them. */
bool c_is_overflow_call(const c_node *call);
void c_call_overflow(c_lowering *l, const c_node *call);

/* ---- arrays/arrays.c: arrays that are not expanded ---- */

static inline bool c_object_is_array(const c_object *o) { return o && o->item; }
/* False if a variable of the type is expanded. */
bool c_array_is_for(const c_lowering *l, const c_type *t);
/* Gives the object its cells; refuses items that have no cells. */
void c_array_declare(c_lowering *l, c_object *o, const c_node *at);
void c_array_clear(c_lowering *l, c_path *p, const c_object *o, bool to_zero);
/* How many items a value of the type has; 0 for a part of an item. */
int64_t c_array_items(const c_object *o, const c_type *t);
/* The number of elements that `where` is one of. */
term c_array_length(c_lowering *l, const c_path *p, const c_operand *where);
/* The integer `leaf` cells further on; the index has been checked. */
c_operand c_array_read(c_lowering *l, c_path *p, const c_operand *where, size_t leaf);
void c_array_write(c_lowering *l, c_path *p, const c_operand *where, size_t leaf, term value);

/* ---- arrays/allocate.c ---- */

/* The call allocates memory. */
bool c_is_allocation(const c_lowering *l, const c_node *call);
/* Evaluates it, as an array of such elements, and pushes a pointer to that. */
void c_allocate(c_lowering *l, const c_node *call, const c_type *pointer);
/* What the call will give, an array of such elements. */
KEEP const c_object *c_allocation_expected(c_lowering *l, const c_node *call, const char *element);
void c_call_free(c_lowering *l, const c_node *call);
/* A jump may lead to a label in `n` that stands before `at`, or in the same macro; NULL: anywhere. */
bool c_has_target(const c_lowering *l, const c_node *n, const c_node *at);
/* What is freed, without casts to other pointers. */
KEEP const c_node *c_freed(const c_node *n);

/* ---- arrays/lengths.c ---- */

/* The length of an array that has no constant one is evaluated where it is declared, and kept in its cell. */
void c_array_set_length(c_lowering *l, const c_node *n, const c_object *o);

/* ---- memory.c ---- */

/* A call of memset, memcpy or memmove: evaluates the arguments and pushes the first. */
void c_call_memory(c_lowering *l, const c_node *n, const char *name);

/* ---- pointers/pointers.c ---- */

/* A pointer variable is declared with the value that is on top of the stack of each live path, which goes. */
void c_pointer_bind(c_lowering *l, const c_node *variable);
/* One that is assigned later is declared: it is null. */
void c_pointer_declare(c_lowering *l, const c_node *variable);
/* The same of one that holds any value until it is set. */
void c_pointer_declare_unset(c_lowering *l, const c_node *variable);
/* It gets what is on top of the stack, which stays there. */
void c_pointer_assign(c_lowering *l, uint64_t id, const c_node *at, const char *name);
/* The index that stands for no target at all. */
term c_pointer_null(c_lowering *l);
/* Pushes its value on each live path; a path becomes several if it can point into several objects. */
void c_pointer_read(c_lowering *l, uint64_t id, const c_node *at);

/* ---- pointers/operators.c ---- */

c_operand c_pointer_move(c_lowering *l, const char *opcode, c_operand pointer, c_operand by);
/* What `n`, an operator with a pointer among its operands, gives; any value after a refusal. */
c_operand c_pointer_operator(c_lowering *l, c_path *p, const c_operand *a, const c_operand *b, const c_node *n);

/* ---- expression.c ---- */

/* Pushes the value of `n` on the stack of each live path; for void, a value that nobody looks at. */
void c_eval(c_lowering *l, const c_node *n);
/* The same for what may be assigned to. */
void c_eval_place(c_lowering *l, const c_node *n);
/* Where a pointer points, which is checked. */
c_operand c_place_of_pointer(c_lowering *l, c_path *p, c_operand a, const c_node *n);
/* Splits the live paths by a condition; none is live afterwards. */
void c_eval_condition(c_lowering *l, const c_node *n, c_paths *yes, c_paths *no);
/* Evaluates for the effects alone. */
void c_eval_effects(c_lowering *l, const c_node *n);
KEEP const c_node *c_without_parens(const c_node *n);

/* ---- call.c ---- */

void c_eval_call(c_lowering *l, const c_node *n);
/* The function of the program that has this name; NULL where it has no body. */
KEEP const c_node *c_function_named(const c_lowering *l, const char *name);
/* The arguments of the call, which are on the stack of each live path, become values of the parameters. */
void c_bind_parameters(c_lowering *l, const c_node *function, const c_node *call);
/* C allows a function with a value to end without one if nobody uses it. */
void c_return_anything(c_lowering *l, const c_type *t);

/* Runs a function of the program; `call` has the arguments, which are still to be evaluated. */
void c_run_function(c_lowering *l, const c_node *function, const c_node *call);
/* Calls of that name mean something by themselves. */
bool c_is_known_function(const char *name);

/* ---- function_pointers.c ---- */

/* The name of the function that is called; NULL if it is called through a pointer. */
KEEP const c_node *c_callee_of(const c_node *call);
void c_survey_addressed(c_lowering *l, const c_node *tree);
/* The address of the function that `name` is about. */
c_operand c_function_value(c_lowering *l, const c_node *name, const c_type *t);
void c_call_through(c_lowering *l, const c_node *n);

/* ---- initialiser.c ---- */

void c_initialise(c_lowering *l, const c_node *variable, const c_object *o);

/* ---- statement.c ---- */

void c_execute(c_lowering *l, const c_node *n);
void c_declare_locals(c_lowering *l, const c_node *declaration);

/* ---- scopes.c ---- */

/* Before anything runs: functions, jumps and the variables they jump over, variables that are assigned, enumerators. */
void c_survey(c_lowering *l, const c_node *tree);
/* The global and static variables that the function needs, directly or through others, appended. */
typedef VECTOR(const c_node *) c_nodes;
void c_survey_globals(c_lowering *l, const c_node *function, c_nodes *out);
/* The ids of the variables that it may change, directly or through others: that are assigned, or whose address is taken. */
void c_survey_written(c_lowering *l, const c_node *function, map *out);
/* The local variables in scope at a loop, label, case, jump or switch; inner ones last. */
KEEP const c_nodes *c_visible_at(const c_lowering *l, const c_node *n);
/* The variables that come into scope by the jump from `from` to `to` get any values on path `p`. */
void c_jump_into(c_lowering *l, c_path *p, const c_node *from, const c_node *to);
/* Two operands of which C does not say which comes first: refuses those that get into each other's way. */
void c_check_unsequenced(c_lowering *l, const c_node *a, const c_node *b);

#endif
