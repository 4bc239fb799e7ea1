/* The words of a command line: `--name value`, `--name=value`, `-x value`, `-xvalue`, `-qv`, operands in any order,
 * `--` before operands that start with a dash. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef struct reader {
  const cli_command *command;
  char **next, **end;
  command_line *line;
} reader;

bool word_is_in(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
  return false;
}

bool option_is_of(const whet_option *o, const cli_command *c) { return word_is_in(o->commands, c->name); }

/* A value that is given twice was meant twice: one of them would be lost. */
static int set_option(reader *r, const whet_option *o, const char *value) {
  const char *name = o->name;
  if (*o->argument && !o->repeats && whet_options_given(r->line->options, name))
    return usage_error(r->command, "--%s is given twice", name);
  char *error = whet_options_set(r->line->options, name, value);
  if (!error) return -1;
  int status = usage_error(r->command, "%s", error);
  whet_free(error);
  return status;
}

static int unknown_option(reader *r, const char *name) {
  const char *names[128];
  size_t count = 0;
  for (size_t i = 0; i < whet_option_count() && count < 128; i++) {
    whet_option o = whet_option_at(i);
    if (option_is_of(&o, r->command)) names[count++] = o.name;
  }
  const char *near = whet_nearest(name, count, names), *dashes = name[1] ? "--" : "-";
  if (near) return usage_error(r->command, "there is no option %s%s; did you mean --%s?", dashes, name, near);
  return usage_error(r->command, "there is no option %s%s; 'whet help %s' lists them", dashes, name, r->command->name);
}

static bool find_option(const char *name, size_t length, whet_option *o) {
  char copy[64];
  if (!length || length >= sizeof copy) return false;
  memcpy(copy, name, length);
  copy[length] = 0;
  return whet_option_find(copy, o);
}

/* Another option where the argument of this one should be: it was forgotten. */
static const char *next_value(reader *r) {
  if (r->next == r->end || !strncmp(*r->next, "--", 2)) return NULL;
  return *r->next++;
}

static int check_command(reader *r, const whet_option *o) {
  if (option_is_of(o, r->command)) return -1;
  return usage_error(r->command, "--%s is no option of this command, but of: %s", o->name, o->commands);
}

static int read_long(reader *r, const char *name) {
  const char *equals = strchr(name, '=');
  whet_option o;
  size_t length = equals ? (size_t)(equals - name) : strlen(name);
  if (length < 2 || !find_option(name, length, &o)) return unknown_option(r, name);
  int status = check_command(r, &o);
  if (status >= 0) return status;
  const char *value = equals ? equals + 1 : *o.argument ? next_value(r) : NULL;
  return set_option(r, &o, value);
}

static int read_letters(reader *r, const char *letters) {
  for (; *letters; letters++) {
    whet_option o;
    char name[] = {*letters, 0};
    if (!whet_option_find(name, &o)) return unknown_option(r, name);
    int status = check_command(r, &o);
    if (status >= 0) return status;
    bool wants = *o.argument;
    status = set_option(r, &o, !wants ? NULL : letters[1] ? letters + 1 : next_value(r));
    if (status >= 0 || wants) return status;
  }
  return -1;
}

static int read_operand(reader *r, const char *word) {
  command_line *line = r->line;
  if (r->command->takes_several) {
    line->models = realloc(line->models, (line->model_count + 1) * sizeof *line->models);
    if (!line->models) abort();
    line->models[line->model_count++] = word;
    if (line->operand_count == r->command->operand_count) return -1;
  }
  if (line->operand_count == r->command->operand_count)
    return usage_error(r->command, "unexpected argument '%s'; usage: whet %s%s%s", word, r->command->name,
                       *r->command->operands ? " " : "", r->command->operands);
  line->operands[line->operand_count++] = word;
  return -1;
}

static int read_word(reader *r, const char *word, bool *only_operands) {
  if (*only_operands || word[0] != '-' || !word[1]) return read_operand(r, word);
  if (!strcmp(word, "--")) {
    *only_operands = true;
    return -1;
  }
  if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
    help_command(r->command, stdout);
    return STATUS_HOLDS;
  }
  return word[1] == '-' ? read_long(r, word + 2) : read_letters(r, word + 1);
}

int arguments_read(const cli_command *c, int count, char **words, command_line *line) {
  reader r = {c, words, words + count, line};
  bool only_operands = false;
  while (r.next < r.end) {
    const char *word = *r.next++;
    int status = read_word(&r, word, &only_operands);
    if (status >= 0) return status;
  }
  if (line->operand_count < c->operand_count)
    return usage_error(c, "%s is missing; usage: whet %s %s",
                       line->operand_count            ? "the certificate"
                       : !strcmp(c->operands, "LIST") ? "the list of problems"
                                                      : "the model",
                       c->name, c->operands);
  return -1;
}

bool flag_given(const command_line *line, const char *name) {
  char *value = option_value(line, name);
  bool given = *value;
  whet_free(value);
  return given;
}

bool option_is_of_command(const command_line *line, const char *name) {
  whet_option o;
  return whet_option_find(name, &o) && option_is_of(&o, line->command);
}

char *option_value(const command_line *line, const char *name) { return whet_options_get(line->options, name); }
