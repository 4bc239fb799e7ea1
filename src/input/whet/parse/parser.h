/* Recursive descent from tokens to the tree.
 *
 * After a syntax error the parser is `lost`: it sees only the end of the file, so that every loop ends at once, until
 * `parser_recover_*` has skipped to a place where the text makes sense again. */
#ifndef WHET_INPUT_WHET_PARSE_PARSER_H
#define WHET_INPUT_WHET_PARSE_PARSER_H

#include "input/whet/ast.h"
#include "input/whet/parse/token.h"

enum { PARSER_AHEAD = 4, PARSER_NODES = 5000000 };

/* Which temporal operators an expression may use. */
typedef enum logic { LOGIC_NONE, LOGIC_CTL, LOGIC_LTL, LOGIC_CTLSTAR, LOGIC_MU } logic;

/* A file that was read: the text itself or one that it includes. */
typedef struct inclusion {
  uint64_t device, inode;
  const char *path;
  bool is_open; /* it is not yet at its end */
} inclusion;

typedef struct parser {
  lexer lexer;
  reporter *reporter;
  words *words;
  arena *arena;
  whet_token ahead[PARSER_AHEAD]; /* a ring: the current token and those looked at already */
  unsigned first, looked;
  uint32_t end; /* of the token taken last */
  bool lost;
  bool gave_up;   /* lost for good: the text is nested too deep */
  unsigned depth; /* of expressions and blocks being read */
  unsigned parentheses;
  unsigned run_brackets; /* CTL*: so many are open in A[f U g], where U binds less than all others; 0: none */
  unsigned nodes;        /* expressions made; no more than PARSER_NODES */
  bool in_property;      /* after the name of a property: a declaration follows its formula */
  logic logic;
  bool in_bound;              /* a name before `[` is no array: L..H[..] is an array of L..H */
  bool lines_separate;        /* a line may start a new expression (files of predicates) */
  VECTOR(expression *) parts; /* of the chains being read, innermost last */
  VECTOR(uint8_t) operators;
  struct parser *outer;       /* of the file that includes this one; NULL: none */
  VECTOR(inclusion) included; /* of the outermost one, in the order of the text */
} parser;

void parser_open(parser *p, KEEP reporter *r, KEEP words *w, KEEP arena *a);
void parser_close(parser *p);

/* Looking at tokens; `parser_peek(p, 0)` is the current one. */
KEEP const whet_token *parser_peek(parser *p, unsigned ahead);
whet_token_kind parser_kind(parser *p);
bool parser_at_word(parser *p, keyword w);
bool parser_word_ahead(parser *p, unsigned ahead, keyword w);
whet_token parser_take(parser *p);
/* Takes the current token if it is `kind`. */
bool parser_accept(parser *p, whet_token_kind kind);
bool parser_accept_word(parser *p, keyword w);
/* The same, with an error "expected WHAT, found .." if it is not. */
bool parser_expect(parser *p, whet_token_kind kind, const char *what);
declared_name parser_expect_name(parser *p, const char *what);

/* Advice that several places give. */
#define HINT_IMPLICATION "implication is written `=>`"

/* "expected WHAT, found `x`" at the current token; the parser is lost then. */
void parser_fail_expected(parser *p, const char *what);
/* Any other message. */
void parser_fail(parser *p, uint32_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
/* Nesting: false, with a message, if it is too deep. Each true call is matched by a leave. */
bool parser_enter(parser *p);
void parser_leave(parser *p);
/* The span from `start` to the end of the token taken last. */
span parser_span(const parser *p, uint32_t start);

/* Skips to the next declaration after the one that began at `start`. */
void parser_recover_declaration(parser *p, uint32_t start);
/* Skips to the next item of a body in braces: a token behind `start` that starts a line, a semicolon, or the brace that
 * ends the body. */
void parser_recover_item(parser *p, uint32_t start);
bool parser_starts_declaration(parser *p);
bool token_starts_declaration(const whet_token *t);
/* The current name is near to a word that starts one, or starts one in another language: it was meant so. */
bool parser_resembles_declaration(parser *p);
bool parser_declares_ahead(parser *p, unsigned ahead); /* the token so many after the current one does */

/* Arrays of the tree, copied from vectors. */
KEEP void *parser_copy(parser *p, const void *from, size_t count, size_t size);
#define PARSER_COPY(P, V) parser_copy((P), (V).at, (V).count, sizeof(*(V).at))

/* Never NULL; if the parser is lost, the result is `true` and means nothing. */
KEEP expression *parse_expression(parser *p);
/* At the level of `+`: bounds of ranges. */
KEEP expression *parse_bound(parser *p);
/* The number 0, which the text does not have. */
KEEP expression *parse_zero(parser *p, span at);
/* A name with indices and fields: what can be assigned. */
KEEP expression *parse_target(parser *p);
KEEP type_tree *parse_type(parser *p);
/* i : low..high */
binder parse_binder(parser *p);
/* Expressions separated by commas. */
expressions parse_expressions(parser *p);
KEEP variables_tree *parse_variables(parser *p, uint32_t start);
/* The names behind `clock`. */
KEEP variables_tree *parse_clocks(parser *p, uint32_t start);
/* Behind `channel`, `sync channel` or `lossy channel`: a variable. */
KEEP variables_tree *parse_channel(parser *p, uint32_t start, keyword first);
/* `c ! e` or `c ? x` behind the channel, at the sign. */
void parse_message(parser *p, assignment *a);
/* Names separated by commas. */
declared_names parse_names(parser *p, const char *what);
/* `invariant a, b : E`, of states or labels. */
invariant_tree parse_invariant(parser *p);
/* (i : nat, j, k : bool); nothing if there is no parenthesis. */
variables_trees parse_inputs(parser *p);
/* The same with a name for what they are, after a parenthesis that is there. */
variables_trees parse_typed_names(parser *p, const char *what);
/* x := 1, y, z := z, y; and `x, y := f(1)`, with no value for y */
assignments parse_assignments(parser *p);
/* `free p` */
bool parser_at_free(parser *p);
KEEP process_tree *parse_process(parser *p, bool is_program, span keyword);
/* After `procedure`. */
KEEP process_tree *parse_procedure(parser *p);
block parse_block(parser *p);
void parse_program_body(parser *p, process_tree *tree);
KEEP declaration *parse_declaration(parser *p);
/* At the word `include`: the declarations of another file. */
void parse_include(parser *p, module *out);

/* The whole text, and a list of expressions alone. Errors are in the reporter; declarations that have some are left out. */
void parse_module(parser *p, module *out);
void parse_expression_list(parser *p, expressions *out);

#endif
