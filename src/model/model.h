/* A transition system over integers, reals, booleans and (in programs) list nodes.
 *
 * A state gives every state variable a value of its type. Places of processes and programs are state variables too, of
 * an enumeration type marked `is_location`; parameters are state variables that nothing assigns. A transition is taken
 * by choosing values for its inputs (any of their types) so that its guard holds and none of its faults does; all
 * updates then happen at once, reading the old state. A fault that holds is a run-time error: the implicit property
 * `no-runtime-error`.
 *
 * Every engine may rely on: in every reachable state all variables are within their types (the initial condition says
 * so, and a step that would leave a type is a fault). */
#ifndef WHET_MODEL_MODEL_H
#define WHET_MODEL_MODEL_H

#include "model/clauses.h"
#include "model/place.h"
#include "model/program_source.h"
#include "model/queue/queue.h"
#include "model/temporal.h"
#include "term/term.h"

typedef enum variable_role { ROLE_STATE, ROLE_LOCATION, ROLE_PARAMETER } variable_role;

typedef struct state_variable {
  variable var;
  variable_role role;
  place place;
  bool is_of_call; /* of a procedure: between calls its value means nothing */
} state_variable;

typedef struct update {
  variable var; /* a state variable, each at most once in a transition */
  term value;   /* over state variables and inputs */
} update;

/* Something that must not happen when the transition is tried. `when` is over state variables and inputs and already
 * says "reached by evaluation": for a fault of the guard, that evaluation comes to it; for one of an update, that the
 * guard holds. */
typedef struct fault {
  term when;
  const char *what; /* "x := x - 1 leaves its range 0..7" */
  place place;
} fault;

typedef enum heap_kind {
  HEAP_NONE,
  HEAP_NEW,      /* target := new             its value is `value`, made of inputs; its pointers are null */
  HEAP_COPY,     /* target := source */
  HEAP_CLEAR,    /* target := null */
  HEAP_NEXT,     /* target := source.field    faults if source = null */
  HEAP_SET_NEXT, /* target.field := source    faults if target = null */
  HEAP_CUT_NEXT, /* target.field := null      faults if target = null */
  HEAP_SET_DATA, /* target.field := value     faults if target = null */
  HEAP_FREE,     /* free target               faults if target = null */
} heap_kind;

typedef struct heap_command {
  heap_kind kind;
  uint8_t field; /* of the pointers, or of the data if HEAP_SET_DATA (term/heap/node_layout.h) */
  variable target, source;
  term value; /* a number: HEAP_NEW: the value of the node; HEAP_SET_DATA: the position of the field's value */
} heap_command;

typedef struct transition {
  const char *name; /* "P[1].take", "wait1"; unique names are not guaranteed */
  uint32_t process; /* index into `processes`, or NO_PROCESS */
  term guard;       /* over state variables and inputs; includes the test of the place */
  VECTOR(variable) inputs;
  VECTOR(update) updates; /* includes the change of place */
  VECTOR(fault) faults;
  heap_command heap; /* at most one a transition; HEAP_NONE elsewhere */
  place place;
  const char *statement;      /* of a program: what its text says there; NULL of others */
  unsigned depth;             /* of calls in progress, in a program */
  size_t resets;              /* so many updates, the last ones, only clear variables of a call that ends */
  VECTOR(queue_use) messages; /* what the updates do with channels of any length; not in models of passes */
} transition;

#define NO_PROCESS UINT32_MAX

typedef struct process {
  const char *name; /* "P[1]", "program" */
  variable location;
} process;

typedef enum property_kind {
  PROPERTY_SAFE,         /* `bad` is never reached */
  PROPERTY_DEADLOCKFREE, /* every reachable state has a transition that can be taken */
  PROPERTY_NO_FAULT,     /* no-runtime-error: no fault of any transition ever holds; `bad` is their disjunction */
  PROPERTY_CTL,
  PROPERTY_LTL,
  PROPERTY_MU,
  PROPERTY_CTLSTAR, /* what is in CTL or in LTL is one of these */
  PROPERTY_ENDS,    /* of a program with recursive procedures, by its clauses: every run ends. It has no formula */
} property_kind;

typedef struct property {
  const char *name;
  property_kind kind;
  term bad; /* PROPERTY_SAFE: over state variables; PROPERTY_NO_FAULT: over state variables and inputs, "for some
               inputs" */
  temporal *formula; /* temporal kinds; and as it was written, if that was one of those */
  property_kind
      written;  /* of one that is PROPERTY_SAFE but was written as PROPERTY_CTL, PROPERTY_LTL or, with valid end
                            states, PROPERTY_DEADLOCKFREE: as which */
  term trigger; /* of a model as read: if no state where this is true can be reached, the property says nothing */
  place place;
  /* Names with line ends between: properties whose violation ends a run, so that this one is about runs up to there.
   * NULL: none. */
  const char *relies_on;
} property;

static inline bool property_is_temporal(const property *p) { return p->kind >= PROPERTY_CTL; }
/* Was it written as a temporal formula? Then it holds or fails, else it is safe or unsafe. */
static inline bool property_is_formula(const property *p) {
  return property_is_temporal(p) || p->written >= PROPERTY_CTL;
}

typedef enum fairness_kind { FAIR_WEAK, FAIR_STRONG, FAIR_STATE, FAIR_FORMULA } fairness_kind;

typedef struct fairness {
  fairness_kind kind;
  VECTOR(uint32_t) transitions; /* FAIR_WEAK, FAIR_STRONG: the group */
  term state;                   /* FAIR_STATE */
  temporal *formula;            /* FAIR_FORMULA: connectives over TEMPORAL_INF and TEMPORAL_INF_NEXT */
  place place;
} fairness;

/* A named expression of the source, kept so that predicates, lemmas and queries written later can use it. */
typedef struct definition {
  const char *name;
  term value;
  bool is_real; /* of type real, also if its value is an integer */
} definition;

typedef struct model {
  struct map *positions; /* variable -> index in `variables` */
  terms *terms;          /* owned by the one who made the first model; passes share it */
  bool owns_terms;
  const char *name;                 /* of the source file, without folders */
  VECTOR(const char *) files;       /* that the text includes, by path; a place's `file` counts them from 1 */
  VECTOR(state_variable) variables; /* add with model_add_variable only */
  VECTOR(process) processes;
  VECTOR(queue) queues; /* channels of any length; not in models of passes */
  term init;            /* over state variables; includes every type's bounds */
  VECTOR(transition) transitions;
  VECTOR(property) properties;
  VECTOR(fairness) fairness;
  VECTOR(definition) definitions; /* const, define, values of enumerations */
  term_vector predicates, lemmas, domain;
  variable_vector controls; /* that the user wants to be kept as they are: control_add (model/control.h) */
  bool has_heap;
  bool has_copies; /* arrays stand for processes with any number of copies */
  /* The same text with any number of copies of its processes, so that what holds there holds here; its properties go by name. NULL if a
   * constant does not say how many copies there are, or there are properties of single states only in part; owned. */
  struct model *any_copies;
  size_t copies;                   /* of the process that has the most of them; 0 if it is not known */
  const struct node_layout *nodes; /* of a model with a heap: the fields of its nodes (term/heap/node_layout.h) */
  bool frees;                      /* some command is HEAP_FREE; then there is */
  variable
      lost; /* a node variable: null, or the first node that no variable led to before it was freed (model/heap.h) */
  VECTOR(const char *) notes;   /* what every verdict rests on, in words for people */
  bool is_c_program;            /* inputs are called like the functions that give them (report/harness.h) */
  const program_source *source; /* of a C program; NULL else. In the arena of the model that was read */
  const char *svlib;            /* of a program with recursive procedures: its text in SV-LIB; NULL else */
  clauses *clauses;             /* what it was made from; NULL if it was not made from clauses */
  bool owns_clauses;
} model;

GIVE model *model_new(TAKE terms *ts, const char *name);
/* The same model over a table of terms of its own, so that terms may be added by one thread while another uses `m`. It
 * shares names and clauses with `m`, which outlives it. */
GIVE model *model_copy(const model *m);
/* An empty model over the same terms as `m`, for a pass. */
GIVE model *model_derive(const model *m);
void model_free(TAKE model *m);
KEEP arena *model_arena(model *m);
/* `text` copied so that it lives as long as the model. */
KEEP const char *model_string(model *m, const char *text);

/* Building. */
variable model_add_variable(model *m, const char *name, const type *t, variable_role role, place at);
/* A variable of another model over the same terms becomes one of this. */
void model_adopt_variable(model *m, state_variable v);
/* The bounds of the variable's type as a formula. */
term variable_in_type(terms *ts, variable v);
KEEP transition *model_add_transition(model *m, const char *name, uint32_t process, term guard, place at);
/* An input of `t`, named like "pick.i"; the name is made unique. */
variable transition_add_input(model *m, transition *t, const char *name, const type *of);
void transition_add_update(transition *t, variable v, term value);
/* No-op if `when` is false under the types and the guard (term/bounds.h decides). */
void transition_add_fault(model *m, transition *t, term when, const char *what, place at);
KEEP property *model_add_property(model *m, const char *name, property_kind kind, place at);
/* Adds `no-runtime-error` when some transition has a fault, or the model has heap commands that can fail. Call once,
 * after the last transition. */
void model_close(model *m);
/* Adds the variable `lost` and the property `no-leak`, if some command frees. Call before model_close. */
void model_watch_leaks(model *m);

/* Verdicts about the model rest on this. */
void model_add_note(model *m, const char *format, ...) PRINTF_LIKE(2, 3);

/* Looking things up. */
/* The file of a place; NULL: the text itself. */
KEEP const char *model_file(const model *m, place at);
bool model_find_property(const model *m, const char *name, size_t *index);
bool model_is_state_variable(const model *m, variable v);
/* Where state variable `v` stands in `m->variables`; SIZE_MAX if it is not one. */
size_t model_position(const model *m, variable v);
/* It is made of clauses with arrays; transition systems have none. */
static inline bool model_has_arrays(const model *m) { return m->clauses && m->clauses->have_arrays; }
/* True if every state variable and every input is of a finite type. */
bool model_is_finite(const model *m);
/* The fault conditions of `t`, as one disjunction over states and inputs. */
term transition_fault(const model *m, const transition *t);
/* Guard and no fault: when the step can be taken, over states and inputs. */
term transition_enabled(const model *m, const transition *t);
/* The value of `v` after `t`: its update or itself. */
term transition_value_after(const model *m, const transition *t, variable v);

/* The whole model as text in whet's language, with plain actions instead of processes and programs. It parses, and
 * means the same. */
void model_print(const model *m, text *out);

#endif
