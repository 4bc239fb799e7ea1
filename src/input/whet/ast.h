/* The tree of a whet text. Everything lives in one arena.
 *
 * Chains of one operator are single nodes with many parts, so that the tree is as deep as its parentheses, never as
 * long as the text; and no expression is deeper than AST_DEPTH. Whoever walks an expression may therefore recurse. */
#ifndef WHET_INPUT_WHET_AST_H
#define WHET_INPUT_WHET_AST_H

#include "base/number.h"
#include "input/diagnostic.h"
#include "input/whet/parse/word.h"
#include "model/temporal.h"

enum { AST_DEPTH = 1000 };

/* Operators of the past, which models do not have: variables that remember stand for them (history/history.h). */
#define PAST_YESTERDAY ((temporal_kind)(TEMPORAL_FIXPOINT_VARIABLE + 1))
#define PAST_ONCE ((temporal_kind)(TEMPORAL_FIXPOINT_VARIABLE + 2))
#define PAST_HISTORICALLY ((temporal_kind)(TEMPORAL_FIXPOINT_VARIABLE + 3))
#define PAST_SINCE ((temporal_kind)(TEMPORAL_FIXPOINT_VARIABLE + 4))
static inline bool temporal_is_past(temporal_kind k) { return k > TEMPORAL_FIXPOINT_VARIABLE; }

typedef enum expression_kind {
  EXPRESSION_BOOL,   /* truth */
  EXPRESSION_NUMBER, /* number */
  EXPRESSION_NAME,   /* word */
  EXPRESSION_INDEX,  /* parts[0][parts[1]] */
  EXPRESSION_FIELD,  /* parts[0].word */
  EXPRESSION_MEMBER, /* parts[0].word of a record, which check makes of a field: field */
  EXPRESSION_AT,     /* parts[0] at word; no parts: the process that the expression stands in */
  EXPRESSION_NOT,
  EXPRESSION_NEGATE,
  EXPRESSION_IFF,     /* parts, from the left */
  EXPRESSION_IMPLIES, /* parts, from the right */
  EXPRESSION_OR,      /* parts */
  EXPRESSION_AND,     /* parts */
  EXPRESSION_COMPARE, /* parts[0] operators[0] parts[1] */
  EXPRESSION_SUM,     /* parts; operators[i] stands before parts[i], operators[0] is + */
  EXPRESSION_PRODUCT, /* parts; operators[i] stands before parts[i], operators[0] is *; from the left */
  EXPRESSION_IF,      /* condition, value, condition, value, .., otherwise */
  EXPRESSION_MIN,
  EXPRESSION_MAX,
  EXPRESSION_ABS,
  EXPRESSION_TO_REAL,
  EXPRESSION_TO_INT, /* read only to be refused: there is no rounding */
  EXPRESSION_FORALL, /* binders, parts[0] */
  EXPRESSION_EXISTS,
  EXPRESSION_TOTAL,    /* sum i : L..H . e */
  EXPRESSION_LEAST,    /* min i : L..H . e */
  EXPRESSION_GREATEST, /* max i : L..H . e */
  EXPRESSION_LET,      /* binders without ranges, their values, and at the end what they are used in */
  EXPRESSION_TEMPORAL, /* temporal; parts[0], and parts[1] for binary ones */
  EXPRESSION_FIXPOINT, /* temporal is MU or NU; word, parts[0] */
  EXPRESSION_NEXT,     /* next(parts[0]), the value after the step: set by check, of a call in a fairness condition */
  EXPRESSION_OLD,      /* old(parts[0]): set by check, of a call */
  /* word(parts): of a definition with parameters, which check makes a `let` of; of a procedure, as the whole right side
   * of an assignment only */
  EXPRESSION_CALL,
} expression_kind;

struct value_type;
struct record_field;
struct symbol;
struct expression;

/* i : low..high, or i : int without bounds; in `let` only a name */
typedef struct binder {
  word *word;
  span at;
  struct expression *low, *high;
  struct symbol *symbol; /* set by check */
} binder;

typedef struct expression {
  uint8_t kind;     /* expression_kind */
  uint8_t temporal; /* temporal_kind */
  bool is_temporal; /* contains a temporal operator or a fixpoint variable */
  bool truth;
  bool is_decimal; /* a number with a point or, from the command line, a fraction: a real */
  uint16_t depth;
  uint32_t count; /* of parts */
  uint32_t binder_count;
  span at;
  word *word;
  struct symbol *symbol;         /* what `word` means; set by check */
  const struct value_type *type; /* set by check */
  struct expression **parts;
  union {
    uint8_t *operators; /* token_kind, one a part */
    binder *binders;
    number number;
    const struct record_field *field;
  };
} expression;

typedef struct expressions {
  expression **at;
  size_t count;
} expressions;

typedef enum type_kind {
  TYPE_BOOL,
  TYPE_INT,
  TYPE_NAT,
  TYPE_REAL,
  TYPE_RANGE,
  TYPE_ENUMERATION,
  TYPE_NODE,
  TYPE_ARRAY,
  TYPE_NAMED, /* `type Data` */
  TYPE_CHANNEL,
} type_kind;

typedef struct type_tree {
  type_kind kind;
  span at;
  expression *low, *high; /* TYPE_RANGE; TYPE_ARRAY: of the index, NULL if it is any integer */
  word *word;             /* TYPE_NAMED */
  struct type_tree *element;
  bool is_array_of; /* TYPE_ARRAY: written `array[..] of T` */
  word **values;    /* TYPE_ENUMERATION */
  /* TYPE_CHANNEL: of `element`. What its state consists of, how many messages there are and those; none of a handshake. */
  bool is_sync, is_lossy, is_endless; /* it has room for any number of messages */
  struct variables_trees *parts;
  span *value_places;
  size_t value_count;
} type_tree;

/* A name where it is declared. */
typedef struct declared_name {
  word *word;
  span at;
  struct symbol *symbol; /* set by check */
} declared_name;

typedef struct declared_names {
  declared_name *at;
  size_t count;
} declared_names;

/* const, var, action parameters: names, a type, an initial value. */
typedef struct variables_tree {
  declared_names names;
  type_tree *type;   /* NULL: that of the value (const) */
  expression *value; /* NULL: none */
  span at;
  bool is_clock;                       /* real, 0 at first, and time adds to it */
  const struct value_type *value_type; /* set by declare */
} variables_tree;

typedef struct variables_trees {
  variables_tree **at;
  size_t count;
} variables_trees;

typedef enum assignment_kind {
  ASSIGN_VALUE,   /* target := value; no value: `*`. With `each`, forall i : low..high . target := value */
  ASSIGN_SEND,    /* target ! value */
  ASSIGN_RECEIVE, /* target ? value: the value is what gets the message */
  ASSIGN_PLACE,   /* P := idle, in texts of whet's own: steps of two processes; set by check */
} assignment_kind;

typedef struct assignment {
  assignment_kind kind;
  binder *each; /* NULL: one target */
  expression *target;
  expression *value;
  span at;
} assignment;

typedef struct assignments {
  assignment *at;
  size_t count;
} assignments;

/* An action, or an edge of a process. */
typedef struct command_tree {
  word *label; /* NULL: none */
  span label_at;
  span at;
  declared_name from, to; /* edges of processes */
  variables_trees inputs;
  expression *guard; /* NULL: true */
  expression *fails; /* a run-time error that the text states; NULL: none */
  assignments updates;
} command_tree;

typedef struct commands {
  command_tree **at;
  size_t count;
} commands;

typedef enum statement_kind {
  STATEMENT_ASSIGN,
  STATEMENT_ASSUME,
  STATEMENT_ASSERT,
  STATEMENT_SKIP,
  STATEMENT_IF,
  STATEMENT_WHILE,
  STATEMENT_CHOOSE,
  STATEMENT_GOTO,
  STATEMENT_RETURN,
  STATEMENT_BREAK,
  STATEMENT_CALL,
  STATEMENT_LABEL, /* name: */
  /* The statements in `otherwise`: no other process moves between them. It takes a step of its own only if another one
   * could come back to its first statement. */
  STATEMENT_ATOMIC,
} statement_kind;

struct statement;
typedef struct block {
  struct statement **at;
  size_t count;
} block;

/* if and while have one arm a condition (NULL: `*`), choose one an alternative (no condition). */
typedef struct arm {
  expression *condition;
  bool is_choice; /* the condition is `*` */
  block body;
  span at;
  uint32_t location; /* set when lowered */
} arm;

typedef struct statement {
  statement_kind kind;
  span at;
  declared_name name;    /* assert: its name, word NULL if it has none; goto, label: the label; atomic: the word */
  assignments updates;   /* assign; call: what gets the results, with them as values when checked */
  expression *condition; /* assume, assert */
  expression *call;      /* call */
  assignments arguments; /* call: the parameters with their values; set by check */
  arm *arms;
  size_t arm_count;
  block otherwise; /* if: the last else; atomic: all */
  /* Set when lowered. */
  uint32_t location;        /* where the statement is about to run */
  word *label;              /* that stands right before it; NULL: none */
  struct statement *parent; /* whose block it stands in; NULL: the program's */
  const block *home;        /* that block, and where in it */
  size_t position;
} statement;

/* requires and ensures */
typedef struct contract {
  bool is_ensured;
  expressions conditions;
} contract;

/* invariant a, b : E */
typedef struct invariant_tree {
  declared_names states;
  expression *condition;
  span at;
} invariant_tree;

/* process, program and procedure */
typedef struct process_tree {
  bool is_program, is_procedure;
  declared_name name; /* word NULL: a program without a name */
  binder *index;      /* NULL: one copy */
  variables_trees variables;
  declared_names states;
  declared_names atomic; /* states of a process in which no other one moves */
  declared_names ends;   /* states or labels in which it may stay for ever */
  invariant_tree *invariants;
  size_t invariant_count;
  commands commands;
  block body;
  variables_trees parameters, results; /* of a procedure */
  contract *contracts;
  size_t contract_count;
  struct symbol **returned; /* of a procedure: by result, what a call has given back last; set by declare */
  size_t returned_count;
  struct family *family; /* set by check */
} process_tree;

typedef enum declaration_kind {
  DECLARATION_FLAT,
  DECLARATION_CONST,
  DECLARATION_VAR,
  DECLARATION_TYPE, /* names: of types of which nothing is known but equality */
  DECLARATION_RECORD,
  DECLARATION_DEFINE,
  DECLARATION_INIT,
  DECLARATION_PREDICATES,
  DECLARATION_LEMMA,
  DECLARATION_DOMAIN,
  DECLARATION_CONTROL, /* expressions: targets, that name variables */
  DECLARATION_ACTION,
  DECLARATION_PROCESS, /* also programs */
  DECLARATION_PROCEDURE,
  DECLARATION_SAFE,
  DECLARATION_UNREACHABLE,
  DECLARATION_DEADLOCKFREE, /* expressions: states without a step that are fine; none or one */
  DECLARATION_TERMINATES,
  DECLARATION_CTL,
  DECLARATION_LTL,
  DECLARATION_CTLSTAR,
  DECLARATION_MU,
  DECLARATION_FAIR,
} declaration_kind;

typedef struct declaration {
  declaration_kind kind;
  span at;
  declared_name name;        /* define, properties */
  declared_names types;      /* type */
  declared_names parameters; /* define NAME(x, y) = .. */
  variables_trees fields;    /* record */
  variables_tree *variables; /* const, var */
  expressions expressions;   /* define, init, predicates, lemma, domain, control, properties; fair when: the states */
  command_tree *action;
  process_tree *process;
  bool is_strong;            /* fair */
  struct fair_group *groups; /* fair: those of actions */
  size_t group_count;
} declaration;

/* One group of a fair declaration: actions and labels, as expressions `enter`, `P.take`, `P[1].take`, `P[2]`. */
typedef struct fair_group {
  expressions members;
} fair_group;

typedef struct module {
  VECTOR(declaration *) declarations;
  bool has_copies; /* of processes, which have become arrays (copies/copies.h) */
} module;

#endif
