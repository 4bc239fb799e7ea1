/* What names mean: symbols, their types, and the scopes that open and close while a text is checked.
 *
 * A symbol table is filled from the tree of a text (declare.c) or from a model that exists already (model_scope.c);
 * checking and lowering of expressions see no difference. */
#ifndef WHET_INPUT_WHET_SCOPE_H
#define WHET_INPUT_WHET_SCOPE_H

#include "input/whet/ast.h"
#include "term/term.h"

typedef enum value_kind {
  VALUE_UNKNOWN, /* of something already reported: agrees with everything */
  VALUE_BOOL,
  VALUE_INT,
  VALUE_REAL,
  VALUE_ENUMERATION,
  VALUE_NODE,
  VALUE_ARRAY,
  VALUE_DATA, /* of a type of which nothing is known but equality */
  VALUE_RECORD,
} value_kind;

typedef struct enumeration_type {
  word **values;
  size_t count;
  const char **names; /* the same in the arena of the terms; set when lowered */
  uint32_t offset;    /* where it was first written */
} enumeration_type;

/* A field of a record; its first cell is so many behind the record's. */
typedef struct record_field {
  word *word;
  const struct value_type *type;
  const variables_tree *tree; /* with its initial value, if it has one */
  size_t offset;              /* known when lowered */
} record_field;

typedef struct record_type {
  struct symbol *symbol;
  const variables_trees *tree;
  record_field *fields;
  size_t count;
  int progress; /* `progress` below: of its fields' types */
  /* Of a channel, with the tree that declares it; NULL: it is none. Its fields are `length` and `at`, the messages, the oldest
   * first; a handshake has none. */
  const type_tree *channel;
  const struct value_type *message;
} record_type;

typedef struct value_type {
  value_kind kind;
  enumeration_type *enumeration;
  const type_tree *tree;  /* of bounds that are still to be evaluated; else NULL */
  bool has_low, has_high; /* of the value, or of the index of an array; known when lowered */
  number low, high;
  struct value_type *element;
  struct symbol *data; /* VALUE_DATA: the name of the type */
  record_type *record; /* VALUE_RECORD */
  bool in_record;      /* an array that is part of a record: it is never kept */
  bool is_long;        /* an array whose indices are not constant: all integers, or a range that depends on the state */
  bool is_kept;        /* an array that one variable holds; known when lowered */
  bool has_range;      /* is_kept: the index is between these; else it is any integer */
  term first, last;
  size_t cells; /* variables that hold one such value; known when lowered */
} value_type;

extern const value_type value_unknown, value_bool, value_int, value_real, value_node;

typedef enum symbol_kind {
  SYMBOL_CONSTANT,
  SYMBOL_PARAMETER,
  SYMBOL_VARIABLE,
  SYMBOL_DEFINITION,
  SYMBOL_VALUE, /* of an enumeration */
  SYMBOL_INDEX, /* bound by a quantifier or by a process: a number while something is lowered */
  SYMBOL_INPUT,
  SYMBOL_LOCAL,   /* bound by let */
  SYMBOL_PROCESS, /* or program */
  SYMBOL_PROCEDURE,
  SYMBOL_TYPE,
  SYMBOL_FIXPOINT, /* bound by mu or nu */
} symbol_kind;

/* What an expression may depend on; the order matters. */
typedef enum dependence { DEPENDS_CONSTANTS, DEPENDS_PARAMETERS, DEPENDS_STATE } dependence;

typedef enum progress { PROGRESS_NONE, PROGRESS_BUSY, PROGRESS_DONE } progress;

/* A run-time error that evaluation may meet: at which part of an expression, and under which condition. */
typedef struct pending_fault {
  term when;
  const expression *at;
  const char *is; /* of the heap: "null" or "freed", what the variable is whose field is asked for; else NULL */
} pending_fault;
typedef VECTOR(pending_fault) pending_faults;

typedef struct symbol {
  symbol_kind kind;
  word *word;
  uint32_t offset; /* where it was declared */
  unsigned level;  /* of the scope it was declared in */
  const value_type *type;
  struct family *family; /* SYMBOL_PROCESS, SYMBOL_PROCEDURE: itself; a variable of a process: the owner */
  bool is_argument;      /* a variable that has its value from a call, and keeps it */
  bool is_clock;
  expression *body;                 /* constants and definitions */
  const declared_names *parameters; /* of a definition that has some; else NULL */
  dependence depends;
  progress checked, lowered;
  bool negative;   /* SYMBOL_FIXPOINT: bound below an odd number of negations, */
  unsigned iffs;   /* and below so many <=> */
  unsigned stamp;  /* of the step that assigned it last */
  size_t position; /* SYMBOL_VALUE: in its enumeration */
  /* Lowering. */
  term value;            /* constants, definitions, inputs, values of enumerations, current number of an index */
  size_t first_cell;     /* variables: of the first copy */
  pending_faults faults; /* definitions */
} symbol;

/* A procedure whose body stands in for its calls in a program: its variables are once there for each copy of the
 * program. */
typedef struct used_procedure {
  struct family *procedure;
  size_t first_copy; /* of the procedure's variables: that of the program's first copy */
} used_procedure;

/* A process or program with all its copies. */
typedef struct family {
  word *word;
  symbol *symbol;
  process_tree *tree; /* NULL if it comes from a model */
  bool is_replicated, is_unnamed;
  symbol *index; /* of the copies, inside */
  map *members;  /* word -> symbol */
  map *states;   /* word -> number of the place; of programs known when lowered */
  VECTOR(word *) state_words;
  VECTOR(const declared_name *) labels; /* of a program */
  VECTOR(symbol *) olds;                /* of a procedure: variables that stand in old(..) */
  /* Lowering. */
  int64_t low;
  size_t copies, copy; /* how many, and which one is being lowered */
  uint32_t first_process;
  size_t first_location;       /* cell of the first copy's place */
  struct program_graph *graph; /* of a program */
  uint32_t graph_end;          /* its last place */
  VECTOR(used_procedure) uses; /* of a program */
  size_t first_old, old_cells; /* of a procedure in place: for what `olds` held, of the first copy, and of each */
} family;

typedef struct binding {
  word *word;
  symbol *hidden; /* what the word meant before */
} binding;

typedef struct scope {
  arena *arena;
  words *words;
  reporter *reporter;
  VECTOR(binding) bindings; /* of the scopes that are open, the global one not included */
  size_t suspended;         /* so many of them, the first ones, are closed for a while */
  VECTOR(family *) families;
  VECTOR(family *) in_place; /* procedures whose bodies stand in for their calls; those that are called come first */
  VECTOR(enumeration_type *) enumerations;
  VECTOR(value_type *) types; /* those with bounds to be evaluated */
  names *enumeration_index;   /* "A,B,C" -> position */
  unsigned level;
  bool has_sync;              /* there are handshakes */
  bool has_qualified;         /* some declared name is no identifier, such as |P[1].a| */
  record_type *nodes;         /* the fields of nodes, if the text declares them: `offset` is the field's number among
                                 pointers or among data; NULL: data : bool, next : node */
  bool frees;                 /* some step frees a node; known when checked */
  struct name_record *record; /* gets every use of a name, for editors; NULL: nobody asks */
  bool
      is_flat; /* written by whet: values of enumerations are numbers, run-time errors are only those that are stated */
} scope;

void scope_open(scope *s, KEEP arena *a, KEEP words *w, KEEP reporter *r);
void scope_close(scope *s);

/* Inner scopes. `scope_enter` returns what `scope_leave` wants. */
size_t scope_enter(scope *s);
void scope_leave(scope *s, size_t mark);
/* Closes all inner scopes for a while; returns what opens them again. */
size_t scope_suspend(scope *s);
void scope_resume(scope *s, size_t before);

/* A new symbol; NULL, with a message, if the name is taken in this scope. */
KEEP symbol *scope_add(scope *s, symbol_kind kind, word *w, uint32_t offset);
/* Makes a symbol that exists already visible in the innermost scope. */
void scope_bind(scope *s, symbol *known);
/* Notes for `record`, if there is one (names/names.h): a new symbol; the symbol that a word means which stands at the beginning or the end
 * of `at`; and a word that stands at the end of `at` and is a state, label or action, of a process or (NULL) of the model. */
void scope_note_symbol(scope *s, KEEP const symbol *made);
void scope_note_first(scope *s, span at, KEEP const symbol *used);
void scope_note_last(scope *s, span at, KEEP const symbol *used);
void scope_note_member(scope *s, span at, KEEP const family *of, KEEP const word *used);
/* The word that means something and is nearest to `w`, NULL if none is near. */
KEEP const word *scope_nearest(const scope *s, const word *w);
/* "did you mean `x`?" if something is near. */
void scope_suggest(const scope *s, const word *w);

/* The enumeration with these values; makes it, and its values, if it is new. NULL, with a message, if a value
 * belongs to another. */
KEEP enumeration_type *scope_enumeration(scope *s, word **values, const span *places, size_t count);
/* The type that `tree` says, its bounds not yet evaluated. */
KEEP const value_type *scope_type(scope *s, const type_tree *tree);

/* Not one value, but several variables. */
bool type_is_compound(const value_type *t);
size_t type_array_length(const value_type *t); /* known when lowered */
/* The types of the fields of a record; a message if it contains itself. */
void scope_complete_record(scope *s, value_type *t);
/* The value is a channel. */
bool type_is_channel(const value_type *t);
/* NULL: there is none. */
KEEP const record_field *record_find(const record_type *r, const word *w);
/* The field of nodes called so, `freed` included; NULL if there is none. */
KEEP const record_field *scope_node_field(const scope *s, const word *w);
extern const record_field node_field_freed;

GIVE char *type_describe(const value_type *t);
KEEP const char *symbol_describe(const symbol *s); /* "a constant", "a variable", .. */
KEEP const char *family_describe(const family *f); /* "process" or "program" */
KEEP symbol *family_member(const family *f, const word *w);
bool family_state(const family *f, const word *w, size_t *index);

#endif
