/* The parts of the program share these. The program sees the library only through whet/whet.h. */
#ifndef WHET_CLI_CLI_H
#define WHET_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "whet/whet.h"

/* Who frees it: a function gives what it returns, or keeps it; it takes what it is handed. */
#ifndef GIVE
#define GIVE
#define KEEP
#define TAKE
#endif

/* Exit status. When several apply, the first of: usage, internal, violated, undecided. */
enum exit_status {
  STATUS_HOLDS = 0,
  STATUS_INTERNAL = 1,
  STATUS_USAGE = 2, /* or bad input */
  STATUS_VIOLATED = 10,
  STATUS_UNDECIDED = 20,
};

enum { MOST_OPERANDS = 2 };

typedef struct cli_command cli_command;

typedef struct command_line {
  const cli_command *command;
  whet_options *options;
  const char *operands[MOST_OPERANDS + 1];
  size_t operand_count;
  const char **models; /* all of them, if the command takes several; freed by free */
  size_t model_count;
  bool is_one_of_several; /* models: lines say which */
} command_line;

struct cli_command {
  const char *name;
  const char *operands; /* "MODEL CERTIFICATE" */
  size_t operand_count;
  const char *title;       /* one line */
  const char *description; /* some sentences */
  const char *status;      /* what its exit status says */
  int (*run)(const command_line *line);
  bool takes_several;  /* models in place of the one operand */
  const char *formats; /* what its option `to` may be, with bars between, the default first; "" if it has none */
};

extern const cli_command commands[];
extern const size_t command_count;
KEEP const cli_command *command_find(const char *name);

int run_verify(const command_line *line);
/* It was told to end: further models are not begun. */
bool verify_was_interrupted(void);
/* The command for each of several models, with the same words; the worst status. */
int run_several(const cli_command *c, int count, char **words, const command_line *all);
int run_check(const command_line *line);
int run_show(const command_line *line);
int run_simulate(const command_line *line);
/* Simulation that is led by lines of standard input. */
int run_explore(const command_line *line, whet_model *m);
int run_quotient(const command_line *line);
int run_tests(const command_line *line);
int run_abstract(const command_line *line);
int run_invariants(const command_line *line);
int run_bounds(const command_line *line);
int run_estimate(const command_line *line);
int run_batch(const command_line *line);
int run_plan(const command_line *line);
/* The program itself, by a path that another process can start. */
GIVE char *own_path(void);
int run_engines(const command_line *line);
int run_outline(const command_line *line);
int run_format(const command_line *line);
int run_lsp(const command_line *line);

/* Fills `line` from the words after the command. -1 to go on, else the status to exit with. */
int arguments_read(const cli_command *c, int count, char **words, command_line *line);
/* `whet COMMAND: ...` on standard error; STATUS_USAGE. */
int usage_error(const cli_command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* If the operand is a task definition, or the option `property` a file with properties: what these say becomes operand
 * and options, and `*task` is set. False if they are wrong; the message was printed. */
bool task_follow(command_line *line, whet_task **task);
/* A note if the task, which may be NULL, expects another verdict. */
void task_compare(const whet_task *t, const whet_result *r);

/* Whether `check` is about a C program and a witness, and checking that. */
bool witness_is_meant(const command_line *line);
int witness_check(const command_line *line);
/* The same of an SV-LIB script. */
bool svlib_witness_is_meant(const command_line *line);
int svlib_witness_check(const command_line *line);

/* As lines have it; solvers of Horn clauses say sat and unsat. */
KEEP const char *verdict_shown(whet_verdict v, bool is_horn);

void help_general(FILE *out);
void help_command(const cli_command *c, FILE *out);
/* Whether `word` is one of the words of `list`, which has spaces between them. */
bool word_is_in(const char *list, const char *word);
/* Whether option `o` belongs to command `c`. */
bool option_is_of(const whet_option *o, const cli_command *c);
/* The man page and the completions, by name ("man", "bash", "zsh"); false if there is none of that name. */
bool document_print(const char *name, FILE *out);
void completion_bash(FILE *out);
void completion_zsh(FILE *out);

/* The options' values as the program needs them. */
bool flag_given(const command_line *line, const char *name);
bool option_is_of_command(const command_line *line, const char *name);
/* "" if not given. Freed by whet_free. */
GIVE char *option_value(const command_line *line, const char *name);

/* Files; the name `-` is standard input or output. */
bool file_is_standard(const char *path);
/* NULL, and errno says why, if it cannot be read. Ends with a zero. Freed by free. */
GIVE char *file_read(const command_line *line, const char *path, size_t *length);
/* False after a message on standard error. */
bool file_write(const command_line *line, const char *path, const char *content);
/* The same, before a long run and without a trace; "" is no file, and fine. */
bool file_can_be_written(const command_line *line, const char *path);
/* cert.smt2 and mutex become cert.mutex.smt2; what a file name should not have is written as in addresses. Freed by free. */
GIVE char *file_name_with(const char *base, const char *inserted);
/* Removes a regular file; false if there was none. */
bool file_remove(const char *path);
/* One stream is for one file: -1 if it is so, else the status to exit with. */
int standard_streams_check(const command_line *line);

/* From `watch` to `release` the program reads or writes `path`: if the limit of the option `timeout` is reached
 * meanwhile, it ends. Afterwards what is left of the limit is the option's new value. */
void time_limit_watch(const command_line *line, const char *path, bool writes);
void time_limit_release(const command_line *line);

/* Reads the model that the first operand names, within the time limit; on error prints why and returns NULL. */
GIVE whet_model *model_load(const command_line *line);
/* Colours belong on terminals, and not if NO_COLOR is set. */
bool wants_colour(FILE *out);
/* All that was printed has arrived: `status`, else a message and STATUS_INTERNAL. */
int finish_output(int status);

/* The live line on standard error (a terminal), or a plain line every ten seconds. */
void progress_start(bool quiet);
void progress_show(const char *words);
void progress_clear(void);

#endif
