/* Random expressions kept as plain trees, with a meaning of their own: what terms are compared with.
 * The tree is evaluated by its own few lines and printed in SMT-LIB as it stands, so nothing of src/term is trusted. */
#ifndef WHET_TESTS_RANDOM_EXPRESSION_H
#define WHET_TESTS_RANDOM_EXPRESSION_H

#include "base/random.h"
#include "base/text.h"
#include "term/term.h"

typedef enum raw_kind {
  RAW_INT_VARIABLE,
  RAW_CONSTANT,
  RAW_ADD,
  RAW_SUB,
  RAW_NEGATE,
  RAW_MUL,
  RAW_DIV,
  RAW_MOD,
  RAW_ITE,
  RAW_MIN,
  RAW_MAX,
  RAW_ABS,
  RAW_BOOL_VARIABLE,
  RAW_TRUE,
  RAW_NOT,
  RAW_AND,
  RAW_OR,
  RAW_IMPLIES,
  RAW_IFF,
  RAW_LE,
  RAW_LT,
  RAW_GE,
  RAW_GT,
  RAW_EQ,
  RAW_NE,
  RAW_BOOL_ITE,
} raw_kind;

typedef struct raw {
  raw_kind kind;
  uint32_t variable; /* index into the arrays given to the functions below */
  number constant;
  struct raw *a, *b, *c;
} raw;

typedef struct raw_source {
  random_source random;
  arena *arena;
  uint32_t int_variables, bool_variables; /* how many there are to choose from */
  bool nonlinear;                         /* products and division by variables too */
  bool large;                             /* now and then a constant beyond 64 bits */
} raw_source;

raw *raw_boolean(raw_source *s, int depth);
raw *raw_integer(raw_source *s, int depth);
number raw_evaluate(const raw *r, const number *ints, const bool *bools);
term raw_term(terms *ts, const raw *r, const variable *ints, const variable *bools);
/* Variables are printed as i0, i1, .. and b0, b1, .. between bars. */
void raw_print_smtlib(const raw *r, text *out);

#endif
