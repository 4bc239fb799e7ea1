/* What the tests of the input languages share. */
#include "unit/input/input_helper.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

GIVE model *read_model(const char *content, text *message) {
  diagnostics d = {0};
  model *m = input_read_text("test.whet", content, strlen(content), &d);
  if (message) text_add(message, "%s", text_string(&d.text));
  text_clear(&d.text);
  return m;
}

GIVE model *read_good_model(const char *content) {
  text message = {0};
  model *m = read_model(content, &message);
  if (!m) {
    printf("# %s\nBail out! a model that should be right is not\n", text_string(&message));
    exit(1);
  }
  text_clear(&message);
  return m;
}

term read_condition(model *m, const char *content) {
  diagnostics d = {0};
  term_vector out = {0};
  if (!input_read_expressions(m, "test", content, strlen(content), &out, &d) || out.count != 1) {
    printf("# %s: %s\nBail out! an expression that should be right is not\n", content, text_string(&d.text));
    exit(1);
  }
  term t = out.at[0];
  VECTOR_FREE(out);
  text_clear(&d.text);
  return t;
}

static void walk(const char *folder, const char *ending, paths *out) {
  DIR *d = opendir(folder);
  if (!d) return;
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    char *path = text_format("%s/%s", folder, e->d_name);
    struct stat status;
    size_t length = strlen(path), wanted = strlen(ending);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
      walk(path, ending, out);
    else if (length > wanted && !strcmp(path + length - wanted, ending))
      VECTOR_PUSH(*out, memory_copy_string(path));
    memory_free(path);
  }
  closedir(d);
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void find_files(const char *folder, const char *ending, paths *out) {
  walk(folder, ending, out);
  if (out->count) qsort(out->at, out->count, sizeof(*out->at), compare);
}

void paths_free(paths *p) {
  for (size_t i = 0; i < p->count; i++) memory_free(p->at[i]);
  VECTOR_FREE(*p);
}

GIVE char *read_file(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  text out = {0};
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof(buffer), f)) > 0;) text_add_bytes(&out, buffer, n);
  fclose(f);
  *length = out.count;
  return text_give(&out);
}
