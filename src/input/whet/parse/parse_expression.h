/* What the two files that read expressions share. */
#ifndef WHET_INPUT_WHET_PARSE_PARSE_EXPRESSION_H
#define WHET_INPUT_WHET_PARSE_PARSE_EXPRESSION_H

#include "input/whet/parse/parser.h"

/* A node; `parts` are copied. Reports an error if the tree becomes too deep. */
KEEP expression *expression_new(parser *p, expression_kind kind, span at, size_t count, expression *const *parts);

/* Whether the current token is a temporal operator of the property being read. Operators are ordinary names elsewhere,
 * and here too if what follows shows it: in `G = 1` and `x = W`, G and W are variables. TEMPORAL_STATE stands for
 * none. */
temporal_kind temporal_prefix(parser *p);
temporal_kind temporal_infix(parser *p);
temporal_kind temporal_infix_word(parser *p); /* whatever the property is */
bool temporal_fixpoint(parser *p);            /* mu Z . */
bool temporal_path_quantifier(parser *p);     /* A[ or E[ */
/* Fails if the current name is plainly meant as an operator of another logic. */
void temporal_refuse(parser *p);

#endif
