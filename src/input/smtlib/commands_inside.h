/* What the files that read commands share. */
#ifndef WHET_INPUT_SMTLIB_COMMANDS_INSIDE_H
#define WHET_INPUT_SMTLIB_COMMANDS_INSIDE_H

#include "base/map.h"
#include "base/tokens.h"
#include "input/smtlib/commands.h"

typedef struct command_reader {
  source *source;
  token_reader tokens;
  smtlib_commands *out;
  reporter *reporter;
  arena *names;
  names *declared; /* name -> index of its declaration, for `query`; or DECLARED_CONSTRUCTOR */
  names *sorts;    /* name -> index of the enumeration */
  bool is_vmt, is_done;
} command_reader;

/* A constructor of an enumeration, or what tests for it. */
#define DECLARED_CONSTRUCTOR UINT64_MAX

/* False, and an error is reported. */
bool command_fail(command_reader *r, size_t offset, const char *what);
/* Names are printable from here on. */
KEEP const char *command_name(command_reader *r, token t);
/* The next token, or false if it is none of SMT-LIB. */
bool command_next(command_reader *r, token *out);
bool command_expect(command_reader *r, token_kind kind, const char *what, token *out);
/* Passes over the rest of a list that begins at `from`, up to and with its closing parenthesis. */
bool command_skip_rest(command_reader *r, size_t from);
/* A symbol that SMT-LIB does not let be declared. */
bool command_is_of_theory(const char *name);

/* Text for Z3: of the source, all tokens of which have been read; and words of our own, whose errors are shown at `at`. */
void command_copy(command_reader *r, span from);
void command_put(command_reader *r, uint32_t at, const char *words);

/* The rest of declare-datatypes (`is_list`) or declare-datatype: enumerations, anything else is refused. */
bool command_read_datatypes(command_reader *r, bool is_list);

#endif
