/* The completions of bash and zsh, from the same tables as everything else. */
#include <string.h>

#include "cli/cli.h"

typedef void option_printer(FILE *out, const cli_command *c, const whet_option *o);

static void each_option(FILE *out, const cli_command *c, option_printer *print) {
  for (size_t i = 0; i < whet_option_count(); i++) {
    whet_option o = whet_option_at(i);
    if (option_is_of(&o, c)) print(out, c, &o);
  }
}

static bool names_engines(const whet_option *o) { return !strcmp(o->name, "engine"); }

static bool names_properties(const whet_option *o) { return !strcmp(o->name, "property"); }

static bool names_file(const whet_option *o) { return !strcmp(o->argument, "FILE"); }

/* The words that can follow, with bars between; "" if there are too many to say. */
static const char *words_of(const cli_command *c, const whet_option *o) {
  return !strcmp(o->name, "to") ? c->formats : o->choices;
}

static void print_with_blanks(FILE *out, const char *words) {
  for (; *words; words++) fputc(*words == '|' ? ' ' : *words, out);
}

static void print_engines(FILE *out) {
  for (size_t i = 0; i < whet_engine_count(); i++) fprintf(out, "%s%s", i ? " " : "", whet_engine_at(i).name);
}

static void print_commands(FILE *out) {
  for (size_t i = 0; i < command_count; i++) fprintf(out, "%s ", commands[i].name);
}

/* "whet|smt2|vmt" */
static void print_endings(FILE *out) {
  for (size_t i = 0; i < whet_language_count(); i++) fprintf(out, "%s%s", i ? "|" : "", whet_language_at(i).ending + 1);
}

/* The names of the properties of the model among the words of the line, for both shells: from its outline. The program is the first word. */
#define PROPERTIES_FUNCTION                                                                       \
  "_whet_properties() {\n  local program=$1 word\n  shift\n  for word; do\n"                      \
  "    [[ $word == *.whet && -f $word ]] || continue\n"                                           \
  "    $program outline \"$word\" 2> /dev/null | grep -o '\"properties\":\\[[^]]*\\]' | grep -o " \
  "'\"name\":\"[^\"]*\"' | cut -d'\"' -f4\n"                                                      \
  "  done\n}\n"

/* ---- bash ---- */

static void bash_option(FILE *out, const cli_command *c, const whet_option *o) {
  (void)c;
  fprintf(out, " --%s", o->name);
}

/* What completes the argument of an option. */
static void bash_argument(FILE *out, const cli_command *c, const whet_option *o) {
  if (!*o->argument) return;
  fprintf(out, "        --%s", o->name);
  if (o->letter) fprintf(out, "|-%c", o->letter);
  fputs(") ", out);
  if (*words_of(c, o)) {
    fputs("COMPREPLY=($(compgen -W '", out);
    print_with_blanks(out, words_of(c, o));
    fputs("' -- \"$word\")); ", out);
  } else if (names_engines(o)) {
    fputs("[[ $word == *,* ]] && list=${word%,*},\n          COMPREPLY=($(compgen -P \"$list\" -W '", out);
    print_engines(out);
    fputs("' -- \"${word##*,}\")); ", out);
  } else if (names_properties(o)) {
    fputs(
        "[[ $word == *,* ]] && list=${word%,*},\n"
        "          COMPREPLY=($(compgen -P \"$list\" -W \"$(_whet_properties \"${COMP_WORDS[@]}\")\" -- "
        "\"${word##*,}\")); ",
        out);
  } else if (names_file(o)) {
    fputs("COMPREPLY=($(compgen -f -- \"$word\")); ", out);
  }
  fputs("return ;;\n", out);
}

static void bash_command(FILE *out, const cli_command *c) {
  fprintf(out, "    %s)\n      case $before in\n", c->name);
  each_option(out, c, bash_argument);
  fputs("      esac\n      options='", out);
  each_option(out, c, bash_option);
  fputs(" --help' ;;\n", out);
}

void completion_bash(FILE *out) {
  fputs("# bash completion for whet\n" PROPERTIES_FUNCTION
        "_whet() {\n  local word=${COMP_WORDS[COMP_CWORD]} "
        "before=${COMP_WORDS[COMP_CWORD-1]} options= list=\n"
        "  COMPREPLY=()\n  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W '",
        out);
  print_commands(out);
  fputs(
      "help --help --version' -- \"$word\"))\n    return\n  fi\n"
      "  # --name=value arrives in three words\n"
      "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  [[ $word == = ]] && word=\n"
      "  case ${COMP_WORDS[1]} in\n",
      out);
  for (size_t i = 0; i < command_count; i++) bash_command(out, &commands[i]);
  fputs("    help) options='", out);
  print_commands(out);
  fputs(
      "' ;;\n  esac\n  if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then\n    COMPREPLY=($(compgen -W "
      "\"$options\" -- \"$word\"))\n  elif [[ ${COMP_WORDS[1]} == check ]]; then\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n  else\n"
      "    COMPREPLY=($(compgen -d -- \"$word\"; compgen -f -- \"$word\" | grep -E '\\.(",
      out);
  print_endings(out);
  fputs(")$'))\n  fi\n}\ncomplete -o filenames -F _whet whet\n", out);
}

/* ---- zsh ---- */

/* Inside single quotes and the brackets of _arguments. */
static void zsh_text(FILE *out, const char *words) {
  for (; *words; words++) {
    if (*words == '\'')
      fputs("'\\''", out);
    else if (strchr("[]:\\", *words))
      fprintf(out, "\\%c", *words);
    else
      fputc(*words, out);
  }
}

static void zsh_option(FILE *out, const cli_command *c, const whet_option *o) {
  if (o->letter)
    fprintf(out, " \\\n        '(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
  else
    fprintf(out, " \\\n        '--%s[", o->name);
  zsh_text(out, o->help);
  fputc(']', out);
  if (*o->argument) {
    fputc(':', out);
    zsh_text(out, o->argument);
    fputc(':', out);
  }
  if (*words_of(c, o)) {
    fputc('(', out);
    print_with_blanks(out, words_of(c, o));
    fputc(')', out);
  } else if (names_engines(o)) {
    fputs("_values -s , engine ", out);
    print_engines(out);
  } else if (names_properties(o)) {
    fputs("{_values -s , property ${(f)\"$(_whet_properties whet $words)\"}}", out);
  } else if (names_file(o)) {
    fputs("_files", out);
  }
  fputc('\'', out);
}

static void zsh_operands(FILE *out, const cli_command *c) {
  if (c->operand_count > 0) {
    fprintf(out, " \\\n        '%s:model:_files -g \"*.(", c->takes_several ? "*" : "1");
    print_endings(out);
    fputs(")\"'", out);
  }
  if (c->operand_count > 1) fputs(" \\\n        '2:certificate:_files'", out);
}

void completion_zsh(FILE *out) {
  fputs("#compdef whet\n" PROPERTIES_FUNCTION "local -a commands\ncommands=(\n", out);
  for (size_t i = 0; i < command_count; i++) {
    fprintf(out, "  '%s:", commands[i].name);
    zsh_text(out, commands[i].title);
    fputs("'\n", out);
  }
  fputs(
      "  'help:what a command does and its options'\n)\nif ((CURRENT == 2)); then\n  _describe command commands\nelse\n"
      "  shift words\n  ((CURRENT--))\n  case $words[1] in\n",
      out);
  for (size_t i = 0; i < command_count; i++) {
    fprintf(out, "    %s)\n      _arguments", commands[i].name);
    each_option(out, &commands[i], zsh_option);
    zsh_operands(out, &commands[i]);
    fputs(" ;;\n", out);
  }
  fputs("    help) _describe command commands ;;\n  esac\nfi\n", out);
}
