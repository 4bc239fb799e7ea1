/* What the exports of an abstract program share, for them only. */
#ifndef WHET_ENGINE_SYNTACTIC_EXPORT_H
#define WHET_ENGINE_SYNTACTIC_EXPORT_H

#include "engine/syntactic/syntactic.h"

/* How a language writes formulas. */
typedef struct export_style {
  const char *equal, *different, *and, * or, *iff, *when_true, *when_false, *yes, *no;
} export_style;

/* The names of a program in a language that has plain identifiers only. */
typedef struct export_names export_names;
GIVE export_names *export_names_new(const model *m, const export_style *style, const char *reserved);
void export_names_free(TAKE export_names *n);
KEEP const char *export_name(export_names *n, variable v);
/* The name of a value of an enumeration or of a place: `st1_N`. */
void export_value(export_names *n, variable v, int64_t value, text *out);
/* Any name, made an identifier that nothing else has. */
GIVE char *export_identifier(export_names *n, const char *name);

/* A formula or an integer expression. False if it is too deep or too large to be written out. */
bool export_term(export_names *n, term t, text *out);
/* The value of an update: by name if it is a constant of an enumeration. */
bool export_assigned(export_names *n, variable v, term value, text *out);

/* One way to take a transition: every combination of its inputs is a way of its own, in which they are constants. */
typedef struct export_way {
  term guard;
  VECTOR(update) updates;
} export_way;

typedef VECTOR(export_way) export_ways;

/* False if the combinations are too many. */
bool export_ways_of(const model *m, const transition *t, export_ways *out);
void export_ways_clear(export_ways *w);

/* The initial states, each the values of all variables in the order of the model. False if they are too many. */
typedef VECTOR(int64_t) export_states;
bool export_initial(const model *m, budget *b, size_t *count, export_states *out);

/* The predicates that booleans stand for, a line each, between `open` and `close`. */
void export_legend(const finite_program *p, const char *open, const char *close, text *out);
/* How the program relates to the model, in words. */
void export_heading(const finite_program *p, const char *open, const char *close, text *out);

/* A temporal formula; `words` has the name of each operator, NULL if the language has none. False if it cannot be
 * said. */
typedef struct export_temporal_words {
  const char *words[TEMPORAL_FIXPOINT_VARIABLE + 1];
  bool weak; /* p W q is said as (p U q) | G p */
} export_temporal_words;
bool export_temporal(export_names *n, const export_temporal_words *w, const temporal *f, text *out);

#endif
