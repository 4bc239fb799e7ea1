/* The commands of an SMT-LIB 2 text, Z3's rule dialect or VMT-LIB: what each declares and asserts, and the same in the
 * few commands that Z3's parser is then given.
 *
 * Only the outermost structure is looked at here: names and signatures of declarations, attributes of VMT-LIB, where
 * each expression stands. Expressions themselves are Z3's. */
#ifndef WHET_INPUT_SMTLIB_COMMANDS_H
#define WHET_INPUT_SMTLIB_COMMANDS_H

#include "input/diagnostic.h"
#include "term/term.h"

typedef enum smtlib_declaration_kind {
  DECLARED_PREDICATE, /* of sort Bool, with or without arguments */
  DECLARED_CONSTANT,  /* a number, the same everywhere in the text */
  DECLARED_VARIABLE,  /* declare-var: any value, in each rule again */
} smtlib_declaration_kind;

/* Of an enumeration: SORT_INT, and which. Of an array: what a type has of it. */
typedef struct smtlib_sort {
  sort sort;
  uint32_t enumeration;
  sort element;
  uint8_t nesting;
} smtlib_sort;
#define NO_ENUMERATION UINT32_MAX

typedef struct smtlib_declaration {
  smtlib_declaration_kind kind;
  const char *name;          /* without bars, in printable characters (text_add_escaped) */
  smtlib_sort sort;          /* of the result */
  VECTOR(smtlib_sort) sorts; /* of the arguments */
  span at;                   /* its name */
} smtlib_declaration;

/* A datatype whose constructors have no arguments. Its values are the numbers of these, from 0. */
typedef struct smtlib_enumeration {
  const char *name;
  VECTOR(const char *) values;
  span at; /* its name */
} smtlib_enumeration;

typedef enum assertion_kind {
  ASSERT_CLAUSE,
  ASSERT_DEFINITION, /* a name; its uses have become what it stands for */
  ASSERT_NEXT,       /* (= variable next), from :next */
  ASSERT_INIT,
  ASSERT_TRANS,
  ASSERT_INVAR,
  ASSERT_LIVE,
  ASSERT_PREDICATE,
} assertion_kind;

typedef struct smtlib_assertion {
  assertion_kind kind;
  const char *name;  /* of the definition it stands in, or NULL */
  const char *value; /* of the attribute, or NULL */
  span at;
} smtlib_assertion;

/* Where a stretch of the text for Z3 comes from: offsets in `made` and in the source. */
typedef struct stretch {
  uint32_t made, source;
} stretch;

typedef struct smtlib_commands {
  VECTOR(smtlib_declaration) declarations;
  VECTOR(smtlib_enumeration) enumerations;
  VECTOR(smtlib_assertion) assertions;
  text made; /* for Z3: declare-datatypes, declare-fun, define-fun and assert only */
  VECTOR(stretch) stretches;
  bool has_rules; /* the rule dialect */
  size_t count;   /* commands in the text */
} smtlib_commands;

/* Messages go to `r`; false if there were some. Names are copied to `names`. */
bool commands_read(source *s, bool is_vmt, arena *names, smtlib_commands *out, reporter *r);
void commands_clear(smtlib_commands *c); /* what it holds */
/* The offset in the source of line (from 1) and column (from 0) in `made`. */
uint32_t commands_offset(const smtlib_commands *c, size_t line, size_t column);

#endif
