/* The program: picks the command. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

const cli_command commands[] = {
    {"verify", "MODEL", 1, "decide the properties of a model",
     "Decides every property of MODEL, or those that --property names. Of several models, lines begin with the name of "
     "theirs, files that options name get it before their ending, and limits are for each model. On standard output "
     "comes one line a property "
     "and nothing else: SAFE, UNSAFE "
     "or UNKNOWN (reason) for properties of states, HOLDS, FAILS or UNKNOWN (reason) for temporal ones, and after a "
     "violated property the run that breaks it. For Horn clauses (.smt2) it is one word, sat, unsat or unknown. "
     "As the name of a file, - is standard input or output. Every verdict has evidence, an inductive invariant or a "
     "run, that was checked on the model as read before it is "
     "printed.",
     "0: every property holds; 10: one is violated; 20: none is violated, but one is undecided; 2: wrong usage or "
     "input; 1: an error of whet itself",
     run_verify, true, ""},
    {"check", "MODEL CERTIFICATE", 2, "repeat the check of a certificate, from the files alone",
     "Checks what verify wrote with --certificate: the obligations are made again from MODEL, and only the invariant "
     "or the run is taken from CERTIFICATE. If MODEL is a C program, CERTIFICATE may be a witness of the format 2.0 of "
     "the competition on software verification (.yml), of any tool: the program is then verified again with its "
     "invariants, or its run is looked for. If both are SV-LIB (.svlib), CERTIFICATE is a witness in that language.",
     "0: accepted, whatever it shows; 10: rejected; 20: the solver could not decide an obligation; 2: wrong usage or "
     "input; 1: an error of whet itself",
     run_check, false, ""},
    {"show", "MODEL", 1, "print a model as whet understood it",
     "Prints MODEL in whet's language with plain actions instead of processes and programs, or as an SV-LIB script. "
     "What "
     "it prints can be read again and means the same. Formats: whet, svlib.",
     "0; 2: wrong usage or input", run_show, false, "whet|svlib"},
    {"simulate", "MODEL", 1, "print a random run",
     "Prints a run from a random initial state. The same seed gives the same run.",
     "0; 2: wrong usage or input; 20: no initial state was found; 1: an error of whet itself", run_simulate, false, ""},
    {"quotient", "MODEL", 1, "print the finite bisimilar quotient of a model",
     "Prints the structure that the engine alpha finds when its abstraction is exact: finitely many states, bisimilar "
     "to "
     "MODEL with respect to its actions and to the conditions of its properties, even if MODEL has infinitely many "
     "states. Formats: aut (Aldebaran, for CADP, mCRL2 and LTSmin), dot (Graphviz), json.",
     "0; 20: none was found within the limits; 2: wrong usage or input", run_quotient, false, "aut|dot|json"},
    {"tests", "MODEL", 1, "print runs that cover the abstract states and actions of a model",
     "Prints runs of MODEL, as JSON, that together come to every abstract state that the engine alpha visits and take "
     "every action that it takes. It refines its predicates until the search is exact, and then these are all that can "
     "be reached; or up to --max-iterations, by default 8, and then `exact` is false.",
     "0; 20: none were found within the limits; 2: wrong usage or input", run_tests, false, ""},
    {"abstract", "MODEL", 1, "print the finite abstract program of a model",
     "Prints the program that the engine syntactic makes of MODEL by weakest preconditions alone: finite control is "
     "kept, "
     "and booleans stand for predicates over the rest. If no predicate is left it is bisimilar to MODEL; with -K it "
     "may "
     "do more. It says which in its first lines. Formats: whet, smv (NuSMV), promela (SPIN). With --kind, the abstract "
     "states that may, must or must- steps reach, or that the first search of alpha visits, and the steps between "
     "them, for the predicates of guards, properties and --predicates. Formats: aut, dot, json.",
     "0; 20: none was found within the limits; 2: wrong usage or input", run_abstract, false,
     "whet|smv|promela|aut|dot|json"},
    {"invariants", "MODEL", 1, "print what holds in every reachable state",
     "Prints linear constraints that the engine widen finds without a property, a line for each place that can be "
     "reached: `place => formula`. They are checked before they are printed, and can be used as lemmas. With --engine "
     "cegar: the abstract states that can be reached with the predicates that this engine finds for the properties of "
     "MODEL, as a formula; also if a property is violated or stays undecided. Formats: text, json.",
     "0; 20: none were found within the limits; 2: wrong usage or input", run_invariants, false, "text|json"},
    {"bounds", "MODEL", 1, "print how often actions and loops can be taken",
     "Prints for each action of MODEL, and for each loop of a program, how often it can be taken at most in a run: a "
     "formula over parameters, first values of variables and inputs that are read once. A bound is proved, and the "
     "proof "
     "checked, before it is printed. What has none may be shown to be taken for ever, or no bound is found. Formats: "
     "text, json.",
     "0: each has a bound or can be taken for ever; 20: of one, neither was found; 2: wrong usage or input", run_bounds,
     false, "text|json"},
    {"estimate", "MODEL", 1, "say how many states a search would find, from a sample of them",
     "Says how many states the engine explicit would find in MODEL, as an interval, and how much memory, disk and time "
     "it "
     "would need for them. It looks at a sample: a search breadth first that ends early, and random runs. If that "
     "search "
     "finds all states, the number is exact; if a variable has no bound, there may be infinitely many states, and it "
     "says "
     "so. With "
     "--property, of the model made smaller for that property, as for a search; else of all variables. After Ctrl-C it "
     "says what is known so far. Formats: text, json.",
     "0; 20: the sample is smaller than asked for, as a limit was reached; 2: wrong usage or input; 1: an error of "
     "whet "
     "itself",
     run_estimate, false, "text|json"},
    {"format", "MODEL", 1, "print a model with its lines laid out",
     "Prints MODEL, in whet's language, with lines indented by their braces and blanks around the signs of steps and "
     "formulas. Nothing but blanks and empty lines is changed. A text with a character that has no meaning stays as it "
     "is.",
     "0; 2: wrong usage or input", run_format, false, ""},
    {"outline", "MODEL", 1, "print what an editor wants to know of a model",
     "Prints as JSON all errors of MODEL, in whet's language, its names with the places where they are declared and "
     "used, and its properties. A text with errors has an outline too.",
     "0; 2: wrong usage, or no text", run_outline, false, ""},
    {"lsp", "", 0, "be the language server of an editor",
     "Speaks the language server protocol on standard input and output: errors while typing, hover, definitions, "
     "references, rename, completion, symbols, layout, and properties verified at a click. Editors start it; "
     "docs/editors.md says how.",
     "0: shut down by the editor; 1: the editor is gone", run_lsp, false, ""},
    {"batch", "LIST", 1, "verify many models, and go on if stopped",
     "Verifies every problem of LIST, each in a process of its own, and keeps the results in the folder of --out: a "
     "file of "
     "JSON and a report for each, table.csv, and index.html with plots. LIST is a table (.csv) with the columns model, "
     "property, options and expected, of which the first is needed; a folder, whose models are the problems; or a task "
     "definition of the competition on software verification (.yml), which a folder may have too. What is kept and has "
     "not "
     "changed is not run again: after Ctrl-C, or a crash, the same command goes on.",
     "0: every property is decided, and none is wrong; 10: an answer is not the expected one; 20: none is, but one is "
     "not "
     "decided; 2: wrong usage or input; 1: an error of whet itself",
     run_batch, false, ""},
    {"plan", "LIST", 1, "write the jobs of a batch for a scheduler",
     "Writes the problems of LIST, a list as of batch, as independent jobs into the folder of --out: a property of a "
     "problem and a group of the engines that auto would use, as many as a node has cores and memory for. --for says "
     "who runs them: Slurm (with --submit sbatch is called), GNU parallel or BenchExec. 'whet batch FOLDER --collect' "
     "makes the table. The first answer to a property ends the other jobs on it. The same command again writes, or "
     "submits, what is missing.",
     "0; 2: wrong usage or input, or sbatch did not take the jobs; 1: an error of whet itself", run_plan, false, ""},
    {"engines", "", 0, "list the engines, their options and papers",
     "Lists the engines with their options and where their methods come from.", "0", run_engines, false, ""},
};
const size_t command_count = sizeof commands / sizeof commands[0];

const cli_command *command_find(const char *name) {
  for (size_t i = 0; i < command_count; i++)
    if (!strcmp(commands[i].name, name)) return &commands[i];
  return NULL;
}

int usage_error(const cli_command *c, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "whet%s%s: ", c ? " " : "", c ? c->name : "");
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  return STATUS_USAGE;
}

static int unknown_command(const char *typed) {
  const char *names[sizeof commands / sizeof commands[0]];
  char list[256] = "";
  for (size_t i = 0; i < command_count; i++) {
    names[i] = commands[i].name;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = whet_nearest(typed, command_count, names);
  if (near) return usage_error(NULL, "there is no command '%s'; did you mean '%s'?", typed, near);
  if (typed[0] == '-')
    return usage_error(NULL, "options follow a command: whet verify MODEL %s; the commands are %s", typed, list);
  if (!access(typed, F_OK))
    return usage_error(NULL, "there is no command '%s'; to verify that file: whet verify %s", typed, typed);
  return usage_error(NULL, "there is no command '%s'; there are %s", typed, list);
}

static int help(int count, char **words) {
  if (!count) {
    help_general(stdout);
    return finish_output(STATUS_HOLDS);
  }
  const cli_command *c = command_find(words[0]);
  if (!c) return unknown_command(words[0]);
  help_command(c, stdout);
  return finish_output(STATUS_HOLDS);
}

int finish_output(int status) {
  if (!fflush(stdout) && !ferror(stdout)) return status;
  fprintf(stderr, "whet: cannot write to standard output: %s\n", strerror(errno));
  return STATUS_INTERNAL;
}

static int run_command(const cli_command *c, int count, char **words) {
  command_line line = {.command = c, .options = whet_options_new()};
  int status = arguments_read(c, count, words, &line);
  if (status < 0) status = line.model_count > 1 ? run_several(c, count, words, &line) : c->run(&line);
  whet_options_free(line.options);
  free(line.models);
  return finish_output(status);
}

/* A standard stream that is closed gets something that cannot be used in its direction, so that no file or pipe is
 * taken for it. */
static void occupy_standard_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv) {
  occupy_standard_streams();
  if (argc < 2) {
    help_general(stderr);
    return STATUS_USAGE;
  }
  const char *word = argv[1];
  if (!strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h")) return help(argc - 2, argv + 2);
  if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
    printf("whet %s\n", whet_version());
    return finish_output(STATUS_HOLDS);
  }
  if (!strcmp(word, "--document") && argc == 3 && document_print(argv[2], stdout)) return finish_output(STATUS_HOLDS);
  const cli_command *c = command_find(word);
  return c ? run_command(c, argc - 2, argv + 2) : unknown_command(word);
}
