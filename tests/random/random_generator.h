/* The inside of random_model: what has been declared so far, and pieces of text that know how tightly they bind. */
#ifndef WHET_TESTS_RANDOM_GENERATOR_H
#define WHET_TESTS_RANDOM_GENERATOR_H

#include "base/vector.h"
#include "random/random_model.h"

typedef enum shape_sort { SHAPE_BOOL, SHAPE_INTEGER, SHAPE_ENUMERATION } shape_sort;

/* A type without arrays. */
typedef struct shape {
  shape_sort sort;
  bool has_low, has_high;
  int64_t low, high;
  unsigned enumeration;
} shape;

/* A name that expressions may use. */
typedef struct known {
  const char *name;
  const char *process; /* whose variable it is, seen from outside; NULL: nobody's, or seen from inside */
  int64_t copies[2];   /* of that process: first and last index; last < first if it has none */
  shape of;            /* of the elements, for arrays */
  unsigned dimensions; /* 0: no array */
  int64_t first[2], last[2];
  bool assignable;
  bool constant; /* stands for one number when the model is read */
} known;

/* A process that is closed: others may ask where it is. */
typedef struct family {
  const char *name;
  int64_t copies[2];
  unsigned states;
} family;

typedef VECTOR(const char *) string_vector;

typedef struct generator {
  random_source random;
  arena *arena;
  text out;
  unsigned features, size;
  bool careful; /* what is made now must not be able to fault */
  VECTOR(known) known;
  string_vector enumerations[2]; /* their values */
  unsigned enumeration_count;
  string_vector places; /* "at s0", inside a process */
  VECTOR(family) families;
  string_vector actions; /* for fairness */
  unsigned named;        /* for names that are used once */
  unsigned bound;        /* quantifiers around what is made now; the last known name is theirs */
} generator;

/* How tightly text binds, loosest first, as language.md lists the operators. */
typedef enum level {
  LEVEL_WHOLE,
  LEVEL_IFF,
  LEVEL_IMPLIES,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_TIGHT
} level;

typedef struct piece {
  const char *text;
  level binds;
} piece;

static inline bool has(const generator *g, random_feature f) { return (g->features & f) != 0; }
static inline uint64_t below(generator *g, uint64_t n) { return random_below(&g->random, n); }
static inline bool chance(generator *g, unsigned percent) { return below(g, 100) < percent; }
static inline bool may_fault(generator *g) { return has(g, RANDOM_FAULTS) && !g->careful; }

KEEP const char *make(generator *g, const char *format, ...) PRINTF_LIKE(2, 3);

/* random_model_expression.c */
piece make_boolean(generator *g, int depth);
piece make_integer(generator *g, int depth);
piece make_value(generator *g, const shape *of, int depth);
/* `p` inside something that binds as tightly as `around`: in parentheses if it must be, and sometimes if it need
 * not. */
KEEP const char *closed(generator *g, piece p, level around);
/* An element of `k` (or `k` itself); the index cannot be wrong unless faults are allowed. */
KEEP const char *make_access(generator *g, const known *k);
KEEP const char *make_constant(generator *g, const shape *of);
/* A comparison or the like that mentions few variables: for properties. */
piece make_corner(generator *g);
KEEP const char *make_temporal(generator *g, const char *logic, int depth);

/* random_model_step.c: simultaneous assignments, with what must hold so that they stay within their types (NULL:
 * nothing). Empty if there is nothing to assign. */
typedef struct step_text {
  const char *updates, *needs;
} step_text;
step_text make_updates(generator *g, bool can_be_guarded);
void add_action(generator *g);
void add_process(generator *g, unsigned number);
void add_program(generator *g, unsigned number);

/* random_model.c */
shape make_shape(generator *g);
/* A bound as a number, or as a declared constant that has this value. */
KEEP const char *bound_text(generator *g, int64_t value);
KEEP const char *shape_text(generator *g, const shape *s);
void add_variable(generator *g, const char *indent, const char *name, bool array_allowed);

#endif
