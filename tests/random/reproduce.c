/* Random models by seed, from the command line: to see one, to hear what the slow meaning says of many, to repeat a
 * comparison.
 *
 *     reproduce print KNOBS SEED                                 the text of a model
 *     reproduce explore KNOBS FIRST COUNT                        a line of JSON for each of so many models: source, states,
 *                                                                steps to each violation
 *     reproduce explore-file FILE..                              the same for files
 *     reproduce check ENGINE KNOBS FIRST COUNT [OPTION=VALUE..]  an engine against the oracles
 *     reproduce check-file ENGINE FILE [OPTION=VALUE..]          the same for one file, such as a finding
 * Knobs are those of random_knobs_find: finite, tiny, infinite, linear, temporal. */
#include <stdlib.h>

#include "input/input.h"
#include "oracle/reference.h"
#include "random/random_check.h"

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

/* False if the text cannot be read. */
static bool explore(const char *name, const char *source) {
  diagnostics d = {0};
  const char *path = strchr(name, '.') ? name : "model.whet"; /* what it includes is beside a file */
  model *m = input_read_text(path, source, strlen(source), &d);
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
  text_clear(&d.text);
  bool fine = m != NULL;
  model_free(m);
  return fine;
}

/* NULL, with a message, if it cannot be read. */
static GIVE char *read_file(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "reproduce: cannot read %s\n", path);
    return NULL;
  }
  text content = {0};
  char block[4096];
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) text_add_bytes(&content, block, n);
  fclose(file);
  return text_give(&content);
}

static bool explore_file(const char *path) {
  char *content = read_file(path);
  bool fine = content && explore(path, content);
  memory_free(content);
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

static GIVE char *join(int count, char **words) {
  text t = {0};
  for (int i = 0; i < count; i++) text_add(&t, "%s%s", i ? " " : "", words[i]);
  return text_give(&t);
}

static bool check_seeds(int argc, char **argv) {
  char *options = join(argc - 6, argv + 6);
  bool in_order = !strstr(options, "dfs");
  random_check c = {.engine = argv[2],
                    .knobs = argv[3],
                    .options = options,
                    .first_seed = strtoull(argv[4], NULL, 10),
                    .seeds = (unsigned)strtoul(argv[5], NULL, 10),
                    .unroll_every = 10,
                    .reread_every = 3};
  c.complete = !strcmp(c.engine, "explicit") && strcmp(c.knobs, "infinite") && strcmp(c.knobs, "linear");
  c.shortest = c.complete && in_order;
  c.work = c.complete ? 0 : 2000000;
  random_tally t = random_check_run(&c);
  printf("%s %s %s: %u models, %u safe, %u unsafe, %u unknown; %u confirmed, %u unchecked, %u unrolled; %u findings\n",
         c.engine, c.knobs, options, t.models, t.safe, t.unsafe, t.unknown, t.decided, t.unchecked, t.unrolled,
         t.findings);
  memory_free(options);
  return !t.findings;
}

static bool check_file(int argc, char **argv) {
  char *options = join(argc - 4, argv + 4), *content = read_file(argv[3]);
  random_check c = {.engine = argv[2], .knobs = "finite", .options = options, .unroll_every = 1, .reread_every = 1};
  random_tally t = {0};
  char *wrong = content ? random_check_text(&c, content, &t) : NULL;
  printf("%s: %u safe, %u unsafe, %u unknown, %u unchecked; %s\n", argv[3], t.safe, t.unsafe, t.unknown, t.unchecked,
         wrong ? wrong : "nothing wrong");
  bool fine = content && !wrong;
  memory_free(wrong);
  memory_free(content);
  memory_free(options);
  return fine;
}

static int usage(void) {
  fprintf(stderr,
          "usage: reproduce print KNOBS SEED | explore KNOBS FIRST COUNT | explore-file FILE.. |\n"
          "       check ENGINE KNOBS FIRST COUNT [OPTION=VALUE..] | check-file ENGINE FILE [OPTION=VALUE..]\n");
  return 2;
}

int main(int argc, char **argv) {
  random_knobs knobs;
  const char *command = argc > 1 ? argv[1] : "";
  bool fine = true;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!strcmp(command, "explore-file")) {
    for (int i = 2; i < argc; i++) fine &= explore_file(argv[i]);
  } else if (!strcmp(command, "print") && argc == 4 && random_knobs_find(argv[2], &knobs)) {
    char *source = random_model(strtoull(argv[3], NULL, 10), knobs);
    fputs(source, stdout);
    memory_free(source);
  } else if (!strcmp(command, "explore") && argc == 5 && random_knobs_find(argv[2], &knobs)) {
    fine = explore_seeds(knobs, strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
  } else if (!strcmp(command, "check") && argc >= 6 && random_knobs_find(argv[3], &knobs)) {
    fine = check_seeds(argc, argv);
  } else if (!strcmp(command, "check-file") && argc >= 4) {
    fine = check_file(argc, argv);
  } else {
    return usage();
  }
  return fine ? 0 : 1;
}
