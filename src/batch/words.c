/* Takes a line apart into words, and the words into options of the table base/options.def. */
#include "batch/words.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/options.h"

/* These say where something is written, or what a batch says itself. */
static const char written[] =
    "json junit sarif report certificate formula dot save-predicates harness witness annotate property quiet verbose "
    "facts";
static const char read_files[] = "predicates lemma include";

const char *batch_path(arena *a, const char *folder, const char *name) {
  if (!*folder || *name == '/') return arena_copy_string(a, name);
  char *joined = text_format("%s/%s", folder, name);
  const char *kept = arena_copy_string(a, joined);
  memory_free(joined);
  return kept;
}

bool batch_ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), of_ending = strlen(ending);
  return length > of_ending && !strcmp(path + length - of_ending, ending);
}

/* ---- words ---- */

static GIVE char *split(arena *a, const char *line, batch_words *out) {
  const char *at = line;
  for (;;) {
    text word = {0};
    at += strspn(at, " \t\n");
    if (!*at) return NULL;
    while (*at && !strchr(" \t\n", *at)) {
      char quote = *at == '\'' || *at == '"' ? *at : 0;
      size_t length = quote ? strcspn(at + 1, quote == '"' ? "\"" : "'") : 1;
      if (quote && !at[1 + length]) {
        text_clear(&word);
        return text_format("a quote (%c) is not closed in the options: %s", quote, line);
      }
      text_add_bytes(&word, at + (quote != 0), length);
      at += length + (quote ? 2 : 0);
    }
    VECTOR_PUSH(*out, arena_copy_string(a, text_string(&word)));
    text_clear(&word);
  }
}

/* ---- options ---- */

typedef struct reading {
  arena *arena;
  const char *folder;
  batch_words words;
  size_t next;
  options *tried;
  batch_words *out;
} reading;

static GIVE char *take_option(reading *r, const option_row *row, const char *value) {
  if (!options_list_has(row->commands, "verify")) return text_format("--%s is no option of verify", row->name);
  if (options_list_has(written, row->name))
    return text_format(
        "--%s cannot be an option of a problem; a batch keeps results, reports and facts itself, and has a column for "
        "the property",
        row->name);
  if (*row->argument && row->kind != OPTION_IS_LIST && r->tried->given[options_index(row)])
    return text_format("--%s is given twice", row->name);
  char *wrong = options_set(r->tried, row->name, value);
  if (wrong) return wrong;
  bool is_file = options_list_has(read_files, row->name);
  char *name = text_format("--%s", row->name);
  VECTOR_PUSH(*r->out, arena_copy_string(r->arena, name));
  memory_free(name);
  if (value)
    VECTOR_PUSH(*r->out, is_file ? batch_path(r->arena, r->folder, value) : arena_copy_string(r->arena, value));
  return NULL;
}

static const char *next_value(reading *r) { return r->next < r->words.count ? r->words.at[r->next++] : NULL; }

static GIVE char *take_long(reading *r, const char *word) {
  const char *equals = strchr(word, '=');
  char *name = memory_copy_bytes(word, equals ? (size_t)(equals - word) : strlen(word));
  const option_row *row = strlen(name) > 1 ? options_find(name) : NULL;
  memory_free(name);
  if (!row) return text_format("there is no option --%s", word);
  return take_option(r, row, equals ? equals + 1 : *row->argument ? next_value(r) : NULL);
}

static GIVE char *take_letters(reading *r, const char *letters) {
  char *wrong = NULL;
  for (; *letters && !wrong; letters++) {
    const option_row *row = options_find((char[]){*letters, 0});
    if (!row) return text_format("there is no option -%c", *letters);
    if (*row->argument) return take_option(r, row, letters[1] ? letters + 1 : next_value(r));
    wrong = take_option(r, row, NULL);
  }
  return wrong;
}

char *batch_words_read(arena *a, const char *line, const char *folder, batch_words *out) {
  reading r = {.arena = a, .folder = folder, .tried = options_new(), .out = out};
  char *wrong = split(a, line, &r.words);
  while (!wrong && r.next < r.words.count) {
    const char *word = r.words.at[r.next++];
    wrong = !strncmp(word, "--", 2) && word[2] ? take_long(&r, word + 2)
            : word[0] == '-' && word[1] != '-' && word[1]
                ? take_letters(&r, word + 1)
                : text_format("`%s` is no option; a model goes into its own column", word);
  }
  VECTOR_FREE(r.words);
  options_free(r.tried);
  return wrong;
}

static bool has_option(const batch_words *words, const char *name) {
  for (size_t i = 0; i < words->count; i++)
    if (!strcmp(words->at[i], name)) return true;
  return false;
}

void batch_words_add_missing(const batch_words *there, const batch_words *common, batch_words *out) {
  for (size_t i = 0; i < common->count;) {
    const option_row *row = options_find(common->at[i] + 2);
    size_t length = *row->argument ? 2 : 1;
    if (row->kind == OPTION_IS_LIST || !has_option(there, common->at[i]))
      for (size_t j = 0; j < length; j++) VECTOR_PUSH(*out, common->at[i + j]);
    i += length;
  }
}

void batch_words_add_common(const batch_words *common, batch_words *out) {
  batch_words missing = {0};
  batch_words_add_missing(out, common, &missing);
  for (size_t i = 0; i < missing.count; i++) VECTOR_PUSH(*out, missing.at[i]);
  VECTOR_FREE(missing);
}

/* ---- paths and quotes ---- */

void batch_word_add(text *out, const char *word) {
  text_add_char(out, '\'');
  for (; *word; word++)
    if (*word == '\'')
      text_add(out, "'\"'\"'");
    else
      text_add_char(out, *word);
  text_add_char(out, '\'');
}

const char *batch_absolute_path(arena *a, const char *path) {
  if (*path == '/') return arena_copy_string(a, path);
  char *here = getcwd(NULL, 0);
  const char *made = batch_path(a, here ? here : ".", path);
  free(here);
  return made;
}

void batch_words_make_absolute(arena *a, batch_words *words) {
  for (size_t i = 0; i + 1 < words->count; i++)
    if (!strncmp(words->at[i], "--", 2) && options_list_has(read_files, words->at[i] + 2)) {
      words->at[i + 1] = batch_absolute_path(a, words->at[i + 1]);
      i++;
    }
}
