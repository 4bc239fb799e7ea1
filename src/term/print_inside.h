/* What the files that print terms in whet's language share: a term in pieces. */
#ifndef WHET_TERM_PRINT_INSIDE_H
#define WHET_TERM_PRINT_INSIDE_H

#include "term/print.h"
#include "term/table.h"

struct term_names {
  map *index; /* term, polarity included -> its number, from 1 */
  char *prefix;
  const term_names *outer;
};

/* The names, or outer ones, that `t` is in; NULL if it has none. */
KEEP const term_names *term_names_find(const term_names *n, term t, uint64_t *number);

/* How tightly an operator binds; a piece is put in parentheses if its surroundings bind tighter. */
typedef enum tightness {
  BIND_NONE,
  BIND_IFF,
  BIND_OR,
  BIND_AND,
  BIND_NOT,
  BIND_COMPARE,
  BIND_ADD,
  BIND_MUL,
  BIND_UNARY
} tightness;

typedef struct piece {
  const char *literal; /* may be the name of a value; NULL: none */
  term term;
  tightness around;
  bool is_number;
  number number;
} piece;

typedef struct printer {
  const terms *ts;
  text *out;
  const term_names *names; /* NULL: none */
  VECTOR(piece) stack;
  VECTOR(piece) line; /* pieces of one term in reading order, before they go on the stack */
} printer;

/* Adds the pieces of `t` to `line`, in reading order; returns how tightly its outermost operator binds. */
tightness printer_say_parts(printer *p, term t);

#endif
