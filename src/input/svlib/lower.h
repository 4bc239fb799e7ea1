/* A script on its way to a graph with procedures (input/procedures/flow.h).
 *
 * script.c: commands, and what they declare. terms.c: SMT-LIB terms. annotations.c: tags and properties. paths.c: what
 * was assumed and assigned since the last place. statements.c: statements. procedures.c: what a procedure gets and gives
 * back, and its calls.
 *
 * The first thing that is wrong is reported, sets `failed`, and ends the reading; what functions give back is then of no
 * use, but can be used. */
#ifndef WHET_INPUT_SVLIB_LOWER_H
#define WHET_INPUT_SVLIB_LOWER_H

#include "input/procedures/flow.h"
#include "input/svlib/syntax.h"
#include "term/substitute.h"

#define SV_NO_PLACE UINT32_MAX
#define SV_NO_CELL SIZE_MAX

typedef enum sv_kind {
  SV_CONSTANT, /* has one value, which nothing changes */
  SV_GLOBAL,
  SV_IN,
  SV_VARIABLE, /* of a procedure: an output or a local variable */
  SV_VALUE,    /* a term: define-const, let, parameters of functions */
  SV_FUNCTION,
} sv_kind;

typedef struct sv_symbol {
  const char *name;
  sv_kind kind;
  sort sort;
  size_t cell;          /* of those with cells */
  term value;           /* of SV_VALUE, and the body of SV_FUNCTION */
  variable *parameters; /* of SV_FUNCTION */
  size_t parameter_count;
  span at;
} sv_symbol;

typedef struct sv_value {
  term t;
  sort sort;
} sv_value;

typedef enum sv_property {
  SV_CHECK_TRUE,
  SV_INVARIANT,
  SV_REQUIRES,
  SV_ENSURES,
  SV_DECREASES,
  SV_NOT_RECURRING
} sv_property;

/* One attribute of a statement or a tag. */
typedef struct sv_annotation {
  sv_property property;
  const sv_node *term; /* of SV_DECREASES: a list of terms if `is_lexicographic` */
  const char *tag;     /* NULL: it stands at the statement itself */
  bool is_lexicographic;
} sv_annotation;
typedef VECTOR(sv_annotation) sv_annotations;
typedef VECTOR(const char *) sv_tags;

/* A statement without its annotations, and these. */
typedef struct sv_annotated {
  const sv_node *statement;
  sv_tags tags;
  sv_annotations annotations;
} sv_annotated;

/* `(at x tag)` in an annotation: a cell for what x held when a statement with the tag began. */
typedef struct sv_ghost {
  const sv_symbol *of;
  const char *tag;
  size_t cell;
} sv_ghost;

/* What the terms of :decreases were where a round of a loop began. */
typedef struct sv_measure {
  const sv_node *loop;
  const size_t *cells;
  size_t count;
} sv_measure;

typedef struct sv_procedure {
  const char *name;
  span at;
  VECTOR(sv_symbol *) in, out, local;
  names *scope;
  const sv_node *body;
  size_t first_unknown; /* procedures before this number may be called */
  VECTOR(sv_ghost) ghosts;
  VECTOR(sv_measure) measures;
  VECTOR(uint32_t) calls;
  bits reads, writes; /* shared cells: constants and global variables */
  uint32_t entry, exit;
  bool is_called; /* so it is a procedure of the graph, number `number` */
  uint32_t number;
} sv_procedure;

/* From a place on: under which condition, with which inputs and calls, and what cells hold now. */
typedef struct sv_path {
  uint32_t from;
  term guard;
  VECTOR(update) values;
  VECTOR(flow_input) inputs;
  VECTOR(flow_call) calls;
  text words;
} sv_path;

typedef struct sv_loop {
  uint32_t head, after; /* `after` is SV_NO_PLACE until something leads there */
  const sv_annotated *annotated;
  const size_t *measures; /* cells, in the order of the terms of :decreases */
  struct sv_loop *outer;
} sv_loop;

/* A loop or label with a tag. */
typedef struct sv_head {
  uint32_t place;
  const char *tag;
  const sv_procedure *procedure;
} sv_head;

/* select-trace: which values free choices have, one step after the other. */
typedef struct sv_trace {
  const sv_node *values[2]; /* of constants, (model ..), and of global variables */
  const sv_node *steps;     /* NULL: there is no trace */
  size_t cell;              /* how many steps were done */
} sv_trace;

typedef struct sv_lowering {
  source *source;
  reporter reporter;
  bool failed;
  arena *arena;
  model *model;
  terms *ts;
  names *symbols;            /* global: -> sv_symbol */
  VECTOR(sv_symbol *) bound; /* by let, the innermost last */
  VECTOR(term) nonzero;      /* terms that cannot be 0 where we are */
  VECTOR(sv_procedure *) procedures;
  sv_annotations by_tag;
  term assumed;        /* by `assert` */
  const sv_node *call; /* verify-call */
  flow_graph graph;
  VECTOR(sv_symbol *) shared; /* constants and global variables; their cells are the first ones */
  names *properties;          /* name -> number */
  names *place_names;
  VECTOR(source_choice) choices;
  VECTOR(source_check) checks;
  VECTOR(sv_head) heads;
  sv_trace trace;
  VECTOR(uint32_t) finite; /* places that are :not-recurring */
  const sv_node *ends;     /* the first annotation that says so, or NULL */
  /* what is being lowered */
  sv_procedure *procedure;
  bool is_start; /* the body runs as the program itself, not as a call */
  sv_path *now;  /* NULL: control does not come here */
  sv_loop *loop;
  names *labels; /* -> place */
  uint32_t end;  /* where `return` leads, SV_NO_PLACE until something leads there */
} sv_lowering;

/* ---- script.c ---- */
void sv_refuse(sv_lowering *l, const sv_node *at, const char *format, ...) PRINTF_LIKE(3, 4);
bool sv_sort_of(sv_lowering *l, const sv_node *n, sort *out);
/* A name that may be declared; NULL after a message. */
KEEP const char *sv_name(sv_lowering *l, const sv_node *n);
KEEP sv_symbol *sv_symbol_new(sv_lowering *l, const char *name, sv_kind kind, sort of, span at);
size_t sv_cell_new(sv_lowering *l, const char *name, sort of);

/* ---- terms.c ---- */
KEEP const sv_symbol *sv_look_up(sv_lowering *l, const char *name);
/* A term of this sort over the cells. */
term sv_term(sv_lowering *l, const sv_node *n, sort wanted);
sv_value sv_value_of(sv_lowering *l, const sv_node *n);

/* ---- annotations.c ---- */
/* Takes `(! s ..)` apart. Free with sv_annotated_clear. */
sv_annotated sv_annotated_of(sv_lowering *l, const sv_node *n);
void sv_annotated_clear(sv_annotated *a);
/* The attributes from item `from` on, as annotations of `tag`, or of a statement if that is NULL. */
void sv_attributes(sv_lowering *l, const sv_node *n, size_t from, const char *tag, sv_tags *tags, sv_annotations *out);
/* Makes the cells for `(at x tag)` and :decreases of a procedure's annotations. */
void sv_ghosts_make(sv_lowering *l, sv_procedure *p);
KEEP const sv_ghost *sv_ghost_of(const sv_procedure *p, const sv_symbol *of, const char *tag);
/* A statement with these tags begins. */
void sv_tags_note(sv_lowering *l, const sv_annotated *a);
/* All annotations of this property must hold here: an error if not. */
void sv_check(sv_lowering *l, const sv_annotated *a, sv_property property);
void sv_assume_requires(sv_lowering *l, const sv_annotated *a);
/* :decreases of a loop: the cells of its terms; what is kept where a round begins, and checked where the next one does. */
KEEP const size_t *sv_measures_of(const sv_procedure *p, const sv_node *loop);
void sv_measures_keep(sv_lowering *l, const sv_loop *loop);
void sv_measures_check(sv_lowering *l, const sv_loop *loop);

/* ---- paths.c ---- */
void sv_path_start(sv_lowering *l, uint32_t at);
GIVE sv_path *sv_path_copy(const sv_path *p);
void sv_path_free(TAKE sv_path *p);
/* What a term over cells is now. */
term sv_now(sv_lowering *l, term t);
void sv_assume(sv_lowering *l, term t); /* over what cells hold now */
void sv_set(sv_lowering *l, size_t cell, term value);
/* A value of its own for the cell; its name says where it comes from. */
void sv_havoc(sv_lowering *l, size_t cell, const char *name, span at, source_choice_kind kind, bool is_first);
/* The same, and nobody hears of it. */
void sv_forget(sv_lowering *l, size_t cell);
void sv_describe(sv_lowering *l, const sv_node *n, const char *before);
/* An edge from the path to a place; the path goes on. */
KEEP flow_edge *sv_edge(sv_lowering *l, uint32_t to, term guard, span at, bool with_values);
/* The path ends at a place. */
void sv_arrive(sv_lowering *l, uint32_t to, span at);
uint32_t sv_place(sv_lowering *l, const char *stem, span at);

/* ---- trace.c ---- */
void sv_trace_read(sv_lowering *l, const sv_node *n);
/* The values of constants and global variables, at the start. */
void sv_trace_start(sv_lowering *l);
/* Something was chosen: these cells got any value (`what` is "havoc", or "init-proc-vars" and the procedure), or one of
 * several statements, by its number. Nothing happens if there is no trace. */
void sv_trace_cells(sv_lowering *l, const char *what, const char *procedure, size_t count,
                    const sv_symbol *const *symbols);
void sv_trace_branch(sv_lowering *l, term number);

/* ---- endings.c ---- */
/* Whether it is asked if every run ends; false after a message, too. */
bool sv_endings_fit(sv_lowering *l);

/* ---- source.c ---- */
/* What the model says about the script, for witnesses; after the clauses are made. */
void sv_source_keep(sv_lowering *l);

/* ---- statements.c ---- */
void sv_statement(sv_lowering *l, const sv_node *n);
/* The body of a procedure, from where control is. Then control is where it returns. */
void sv_body(sv_lowering *l, sv_procedure *p);

/* ---- procedures.c ---- */
KEEP sv_procedure *sv_procedure_find(sv_lowering *l, const char *name);
/* Which procedures call which, what they read and change. */
void sv_procedures_look(sv_lowering *l);
void sv_call(sv_lowering *l, const sv_node *n);
void sv_procedures_lower(sv_lowering *l);

#endif
