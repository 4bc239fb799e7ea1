/* The man page, from the same tables as everything else; completion.c makes the completions. The build calls this:
 * whet --document man|bash|zsh. */
#include <string.h>

#include "cli/cli.h"

#define PAGE_DATE "November 15, 2026"

/* ---- man page (mdoc) ---- */

/* A dot or a quote at the start of a line, and a backslash anywhere, would be commands. Sentences begin new lines, as
 * mdoc wants it. */
static void man_text(FILE *out, const char *words) {
  enum { WIDEST_LINE = 76 };
  size_t column = 0;
  for (const char *at = words; *at;) {
    size_t length = strcspn(at, " ");
    bool ends_sentence = at > words + 1 && at[-2] == '.';
    if (column && (ends_sentence || column + length > WIDEST_LINE)) {
      fputc('\n', out);
      column = 0;
    } else if (column) {
      column += fputc(' ', out) == ' ';
    }
    if (!column && (*at == '.' || *at == '\'')) fputs("\\&", out);
    for (size_t i = 0; i < length; i++) fputs(at[i] == '\\' ? "\\e" : (char[]){at[i], 0}, out);
    column += length;
    at += length + (at[length] == ' ');
  }
  fputc('\n', out);
}

static void man_option(FILE *out, const whet_option *o) {
  fputs(".It ", out);
  if (o->letter) fprintf(out, "Fl %c , ", o->letter);
  fprintf(out, "Fl Fl %s", o->name);
  if (*o->choices) {
    fputs(" Ar ", out);
    for (const char *c = o->choices; *c; c++)
      if (*c == '|')
        fputs(" | ", out);
      else
        fputc(*c, out);
  } else if (*o->argument) {
    fprintf(out, " Ar %s", o->argument);
  }
  fputc('\n', out);
  man_text(out, o->help);
  if (*o->initial) fprintf(out, "(default %s)\n", o->initial);
  if (*o->engines) fprintf(out, "(of %s)\n", o->engines);
}

static void man_options(FILE *out, const cli_command *c) {
  bool some = false;
  for (size_t i = 0; i < whet_option_count(); i++) {
    whet_option o = whet_option_at(i);
    if (!option_is_of(&o, c)) continue;
    if (!some) fputs(".Pp\n.Bl -tag -width Ds -compact\n", out);
    some = true;
    man_option(out, &o);
  }
  if (some) fputs(".El\n", out);
}

static void man_command(FILE *out, const cli_command *c) {
  fprintf(out, ".Ss whet %s%s%s\n", c->name, *c->operands ? " " : "", c->operands);
  man_text(out, c->description);
  man_options(out, c);
  fputs(".Pp\nExit status:\n", out);
  man_text(out, c->status);
}

static void print_man(FILE *out) {
  fputs(".Dd " PAGE_DATE
        "\n.Dt WHET 1\n.Os\n.Sh NAME\n.Nm whet\n.Nd model checking of infinite-state integer systems\n.Sh SYNOPSIS\n",
        out);
  for (size_t i = 0; i < command_count; i++) {
    fprintf(out, ".Nm\n.Cm %s\n", commands[i].name);
    if (*commands[i].operands) fprintf(out, ".Ar %s\n", commands[i].operands);
    fputs(".Op Ar options\n", out);
  }
  fputs(
      ".Nm\n.Cm help\n.Op Ar command\n.Nm\n.Fl Fl version\n.Sh DESCRIPTION\n.Nm\n"
      "proves or refutes properties of infinite-state integer systems by abstraction\nrefinement.\n",
      out);
  man_text(out,
           "It starts from a coarse picture of the system and sharpens it until the property is proved, or a real run "
           "that breaks it is "
           "found. Nothing is reported that has not been checked on the model as read.");
  fputs(".Sh COMMANDS\n", out);
  for (size_t i = 0; i < command_count; i++) man_command(out, &commands[i]);
  fputs(".Sh ENGINES\n.Bl -tag -width Ds\n", out);
  for (size_t i = 0; i < whet_engine_count(); i++) {
    whet_engine e = whet_engine_at(i);
    fprintf(out, ".It Cm %s\n", e.name);
    man_text(out, e.title);
    if (*e.paper) man_text(out, e.paper);
  }
  fputs(
      ".El\n.Sh ENVIRONMENT\n.Bl -tag -width Ds\n.It Ev NO_COLOR\nNo colours, on a terminal either.\n"
      ".It Ev TMPDIR\nWhere rejected evidence is kept.\n.El\n"
      ".Sh FILES\nA model is a file that ends with\n.Bl -tag -width Ds\n",
      out);
  for (size_t i = 0; i < whet_language_count(); i++) {
    fprintf(out, ".It Pa %s\n", whet_language_at(i).ending);
    man_text(out, whet_language_at(i).title);
  }
  fputs(
      ".El\n.Pp\nThe name\n.Pa -\nis standard input or output.\n"
      ".Sh EXIT STATUS\nEach command says what its exit status means above.\n"
      ".Sh EXAMPLES\nDecide every property of a model, for at most a minute, and keep the evidence:\n"
      ".Dl whet verify ticket.whet --timeout 60 --certificate ticket.smt2\n"
      ".Pp\nCheck that evidence again with another solver:\n"
      ".Dl whet check ticket.whet ticket.smt2 --solver cvc5\n"
      ".Pp\nTwo engines that take turns and share what they prove:\n"
      ".Dl whet verify ticket.whet --engine alpha,cegar\n"
      ".Pp\nSolve Horn clauses and print the solution:\n"
      ".Dl whet verify clauses.smt2 --model\n",
      out);
}

bool document_print(const char *name, FILE *out) {
  if (!strcmp(name, "man"))
    print_man(out);
  else if (!strcmp(name, "bash"))
    completion_bash(out);
  else if (!strcmp(name, "zsh"))
    completion_zsh(out);
  else
    return false;
  return true;
}
