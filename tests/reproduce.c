/* Random models by seed, from the command line: to see one, to hear what the slow meaning says of many, to repeat a comparison.
 *
 *     reproduce print KNOBS SEED                    the text of a model
 *     reproduce explore KNOBS FIRST COUNT           a line of JSON for each of so many models: source, states, steps to each breach
 *     reproduce explore-file FILE..                 the same for files
 * Knobs are those of random_knobs_find: finite, tiny, infinite, linear, temporal. */
#include <stdlib.h>

#include "input/input.h"
#include "random_model.h"
#include "reference.h"

enum { LIMIT = 3000 };

static void print_json_string(const char *s) {
  putchar('"');
  for (; *s; s++) {
    if (*s == '"' || *s == '\\')
      printf("\\%c", *s);
    else if ((unsigned char)*s < 0x20)
      printf("\\u%04x", (unsigned)*s);
    else
      putchar(*s);
  }
  putchar('"');
}

static void print_breaches(const reference *r) {
  printf(",\"states\":%zu,\"properties\":{", r->states.count);
  for (size_t i = 0; i < r->model->properties.count; i++) {
    if (i) putchar(',');
    print_json_string(r->model->properties.at[i].name);
    if (r->breaches.at[i].found)
      printf(":%zu", r->breaches.at[i].depth);
    else
      printf(":null");
  }
  putchar('}');
}

/* False where the text cannot be read. */
static bool explore(const char *name, const char *source) {
  diagnostics d = {0};
  model *m = input_read_text("model.whet", source, strlen(source), &d);
  printf("{\"model\":");
  print_json_string(name);
  printf(",\"source\":");
  print_json_string(source);
  if (!m) {
    printf(",\"error\":");
    print_json_string(text_string(&d.text));
  } else {
    reference *r = reference_explore(m, LIMIT);
    if (r->status == REFERENCE_COMPLETE) print_breaches(r);
    reference_free(r);
  }
  printf("}\n");
  text_free(&d.text);
  bool fine = m != NULL;
  model_free(m);
  return fine;
}

static bool explore_file(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "reproduce: cannot read %s\n", path);
    return false;
  }
  text content = {0};
  char block[4096];
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) text_add_bytes(&content, block, n);
  fclose(file);
  bool fine = explore(path, text_string(&content));
  text_free(&content);
  return fine;
}

static bool explore_seeds(random_knobs knobs, uint64_t first, uint64_t count) {
  bool fine = true;
  for (uint64_t seed = first; seed < first + count; seed++) {
    char name[40], *source = random_model(seed, knobs);
    snprintf(name, sizeof name, "%llu", (unsigned long long)seed);
    fine &= explore(name, source);
    memory_free(source);
  }
  return fine;
}

int main(int argc, char **argv) {
  random_knobs knobs;
  const char *command = argc > 1 ? argv[1] : "";
  bool fine = true;
  if (!strcmp(command, "explore-file")) {
    for (int i = 2; i < argc; i++) fine &= explore_file(argv[i]);
    return fine ? 0 : 1;
  }
  if (!strcmp(command, "print") && argc == 4 && random_knobs_find(argv[2], &knobs)) {
    char *source = random_model(strtoull(argv[3], NULL, 10), knobs);
    fputs(source, stdout);
    memory_free(source);
    return 0;
  }
  if (!strcmp(command, "explore") && argc == 5 && random_knobs_find(argv[2], &knobs))
    return explore_seeds(knobs, strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10)) ? 0 : 1;
  fprintf(stderr, "usage: reproduce print KNOBS SEED | explore KNOBS FIRST COUNT | explore-file FILE..\n");
  return 2;
}
