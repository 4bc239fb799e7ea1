/* Looks at the first word of the command only; what the shell alone could understand is left to it. */
#include "run/solver_command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum { LONGEST_PATH = 4096 };

/* Words that the shell understands itself. */
static bool is_of_shell(const char *word, size_t length) {
  static const char *const own[] = {"case", "cd",  "command", "eval",   "exec",  "export", "for",
                                    "if",   "set", "trap",    "ulimit", "umask", "until",  "while"};
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    if (strlen(own[i]) == length && !memcmp(own[i], word, length)) return true;
  return false;
}

static bool is_program(const char *folder, size_t folder_length, const char *word, size_t length) {
  char path[LONGEST_PATH];
  struct stat s;
  int needed = folder_length ? snprintf(path, sizeof path, "%.*s/%.*s", (int)folder_length, folder, (int)length, word)
                             : snprintf(path, sizeof path, "%.*s", (int)length, word);
  return needed > 0 && (size_t)needed < sizeof path && !access(path, X_OK) && !stat(path, &s) && S_ISREG(s.st_mode);
}

static bool is_in_path(const char *word, size_t length) {
  const char *folder = getenv("PATH");
  if (!folder) return true; /* the shell has one of its own */
  for (;;) {
    size_t folder_length = strcspn(folder, ":");
    if (is_program(folder, folder_length, word, length)) return true;
    if (!folder[folder_length]) return false;
    folder += folder_length + 1;
  }
}

GIVE char *solver_command_missing(const char *command) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./";
  const char *word = command + strspn(command, " \t");
  size_t length = strcspn(word, " \t\n;|&<>"), plain_length = strspn(word, plain);
  bool is_plain = length && plain_length >= length && !is_of_shell(word, length);
  bool has_folder = memchr(word, '/', length) != NULL;
  if (!is_plain || (has_folder ? is_program("", 0, word, length) : is_in_path(word, length))) return NULL;
  bool is_cvc5 = length == 4 && !memcmp(word, "cvc5", 4);
  return text_format("--solver: there is no program '%.*s'%s", (int)length, word,
                     is_cvc5 ? "; cvc5 is optional: apt-get install cvc5, or https://cvc5.github.io" : "");
}
