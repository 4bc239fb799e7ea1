#include <string.h>

#include "cli/cli.h"

enum { WIDTH = 100, OPTION_COLUMN = 28 };

/* Words of `words` in lines of at most WIDTH, the first starting at `column`, the others after `indent` blanks. */
static void print_wrapped(FILE *out, const char *words, int column, int indent) {
  for (const char *at = words; *at;) {
    int length = (int)strcspn(at, " ");
    if (column + length > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    }
    fprintf(out, "%.*s", length, at);
    column += length + 1;
    at += length;
    if (*at) {
      at++;
      if (column + (int)strcspn(at, " ") <= WIDTH) fputc(' ', out);
    }
  }
  fputc('\n', out);
}

void help_general(FILE *out) {
  fprintf(out, "whet %s proves or refutes properties of infinite-state integer systems.\n\nusage: whet COMMAND ..\n\n",
          whet_version());
  for (size_t i = 0; i < command_count; i++) {
    int width = fprintf(out, "  %s %s", commands[i].name, commands[i].operands);
    fprintf(out, "%*s%s\n", OPTION_COLUMN - width, "", commands[i].title);
  }
  fputs("\n'whet help COMMAND' shows what a command does and its options; 'whet --version' the version.\n", out);
}

static void print_option(const whet_option *o, FILE *out) {
  int width = o->letter ? fprintf(out, "  -%c, --%s", o->letter, o->name) : fprintf(out, "      --%s", o->name);
  if (*o->argument) width += fprintf(out, " %s", *o->choices ? o->choices : o->argument);
  if (width >= OPTION_COLUMN) {
    fputc('\n', out);
    width = 0;
  }
  char words[512];
  snprintf(words, sizeof words, *o->initial ? "%s (default %s)" : "%s", o->help, o->initial);
  fprintf(out, "%*s", OPTION_COLUMN - width, "");
  print_wrapped(out, words, OPTION_COLUMN, OPTION_COLUMN);
}

static void print_options(const command *c, const char *engine, FILE *out) {
  bool some = false;
  for (size_t i = 0; i < whet_option_count(); i++) {
    whet_option o = whet_option_at(i);
    bool belongs = engine ? word_is_in(o.engines, engine) : !*o.engines;
    if (!belongs || !option_is_of(&o, c)) continue;
    if (!some && engine) fprintf(out, "\noptions of engine %s:\n", engine);
    if (!some && !engine) fputs("\noptions:\n", out);
    some = true;
    print_option(&o, out);
  }
}

void help_command(const command *c, FILE *out) {
  fprintf(out, "usage: whet %s%s%s [options]\n\n", c->name, *c->operands ? " " : "", c->operands);
  print_wrapped(out, c->description, 0, 0);
  print_options(c, NULL, out);
  for (size_t i = 0; i < whet_engine_count(); i++) print_options(c, whet_engine_at(i).name, out);
  fputs("\nexit status: ", out);
  print_wrapped(out, c->status, 13, 2);
}
