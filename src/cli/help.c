/* `whet help`: commands, options by engine, choices, in lines of a terminal's width; all from the library's tables. */
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
  fputs("\nA model is a file that ends with\n", out);
  for (size_t i = 0; i < whet_language_count(); i++) {
    whet_language l = whet_language_at(i);
    int width = fprintf(out, "  %s", l.ending);
    fprintf(out, "%*s%s\n", 9 - width, "", l.title);
  }
  fputs("\n'whet help COMMAND' shows what a command does and its options; 'whet --version' the version.\n", out);
}

/* Choices stand next to the option if there is room for them on a line, else in its description. */
static void print_option(const whet_option *o, FILE *out) {
  bool lane_processes = *o->choices && strlen(o->choices) + OPTION_COLUMN < WIDTH;
  int width = o->letter ? fprintf(out, "  -%c, --%s", o->letter, o->name) : fprintf(out, "      --%s", o->name);
  if (*o->argument) width += fprintf(out, " %s", lane_processes ? o->choices : o->argument);
  if (width >= OPTION_COLUMN) {
    fputc('\n', out);
    width = 0;
  }
  char words[1024];
  int length = snprintf(words, sizeof words, "%s", o->help);
  if (*o->choices && !lane_processes) {
    length += snprintf(words + length, sizeof words - (size_t)length, ": %s", o->choices);
    for (char *at = words; (at = strchr(at, '|'));) *at = ' ';
  }
  if (*o->initial) snprintf(words + length, sizeof words - (size_t)length, " (default %s)", o->initial);
  fprintf(out, "%*s", OPTION_COLUMN - width, "");
  print_wrapped(out, words, OPTION_COLUMN, OPTION_COLUMN);
}

/* Options of an engine, or if it is NULL those of all engines. */
static bool option_belongs(const whet_option *o, const cli_command *c, const char *engine) {
  return option_is_of(o, c) && (engine ? word_is_in(o->engines, engine) : !*o->engines);
}

static void print_options(const cli_command *c, const char *engine, FILE *out) {
  for (size_t i = 0; i < whet_option_count(); i++) {
    whet_option o = whet_option_at(i);
    if (option_belongs(&o, c, engine)) print_option(&o, out);
  }
}

static bool has_options(const cli_command *c, const char *engine) {
  for (size_t i = 0; i < whet_option_count(); i++) {
    whet_option o = whet_option_at(i);
    if (option_belongs(&o, c, engine)) return true;
  }
  return false;
}

static bool same_options(const cli_command *c, const char *one, const char *other) {
  for (size_t i = 0; i < whet_option_count(); i++) {
    whet_option o = whet_option_at(i);
    if (option_belongs(&o, c, one) != option_belongs(&o, c, other)) return false;
  }
  return true;
}

/* Engines that have the same options are named together, at the place of the first of them. */
static void print_engine_options(const cli_command *c, size_t index, FILE *out) {
  const char *engine = whet_engine_at(index).name;
  if (!has_options(c, engine)) return;
  for (size_t i = 0; i < index; i++)
    if (same_options(c, whet_engine_at(i).name, engine)) return;
  fprintf(out, "\noptions of %s", engine);
  for (size_t i = index + 1; i < whet_engine_count(); i++)
    if (same_options(c, whet_engine_at(i).name, engine)) fprintf(out, ", %s", whet_engine_at(i).name);
  fputs(":\n", out);
  print_options(c, engine, out);
}

void help_command(const cli_command *c, FILE *out) {
  fprintf(out, "usage: whet %s%s%s%s [options]\n\n", c->name, *c->operands ? " " : "", c->operands,
          c->takes_several ? " .." : "");
  print_wrapped(out, c->description, 0, 0);
  if (has_options(c, NULL)) fputs("\noptions:\n", out);
  print_options(c, NULL, out);
  for (size_t i = 0; i < whet_engine_count(); i++) print_engine_options(c, i, out);
  fputs("\nexit status: ", out);
  print_wrapped(out, c->status, 13, 2);
}
