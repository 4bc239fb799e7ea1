/* S-expressions as SMT-LIB solvers print them, read piece by piece as the bytes arrive. */
#ifndef WHET_SOLVER_SEXPR_H
#define WHET_SOLVER_SEXPR_H

#include "base/text.h"
#include "base/vector.h"

typedef struct sexpr_node {
  bool is_list;
  size_t at, length; /* of an atom, within the bytes read; quotes and bars are part of it */
  size_t end;        /* the index of the first node that is not inside this one */
} sexpr_node;

/* One expression: its nodes in the order of the text, the first is the whole. */
typedef struct sexpr {
  VECTOR(sexpr_node) nodes;
  VECTOR(size_t) open; /* lists not closed yet */
  size_t position;     /* how far the text has been read */
  char inside;         /* 0, or what is being read: `a`tom, '"', '|', ';' */
} sexpr;

typedef enum sexpr_status { SEXPR_WHOLE, SEXPR_MORE, SEXPR_BAD } sexpr_status;

/* Reads on in `bytes` (all that has arrived) until an expression is whole, until more is needed, or until it makes no
 * sense. */
sexpr_status sexpr_read(sexpr *e, const text *bytes);
/* Forgets the expression read, but not the position. */
void sexpr_next(sexpr *e);
void sexpr_clear(sexpr *e);
/* Is node `i` the symbol `word`? A string of these characters is another thing: what a name makes a solver say. */
bool sexpr_is(const sexpr *e, const text *bytes, size_t i, const char *word);
/* Is it the symbol, or the string: as solvers repeat what `echo` was given? */
bool sexpr_says(const sexpr *e, const text *bytes, size_t i, const char *word);

#endif
