/* How long it takes to read models of about 5 MB: many actions, one program of many statements, processes with edges,
 * long formulas. */
#include <time.h>

#include "base/random.h"
#include "input/input.h"

enum { WANTED = 5 << 20, VARIABLES = 2000 };

static unsigned any(random_source *r) { return (unsigned)random_below(r, VARIABLES); }

static void add_variables(text *t) {
  for (int i = 0; i < VARIABLES; i++) text_add(t, "var x%d : nat = 0\n", i);
}

static void actions(text *t, random_source *r) {
  add_variables(t);
  for (unsigned n = 0; t->count < WANTED; n++) {
    unsigned i = any(r), j = (i + 1 + any(r) / 2) % VARIABLES, k = any(r);
    text_add(t,
             "action a%u: x%u >= 1 && x%u + x%u <= %u && (x%u = 0 || x%u > x%u) -> x%u := x%u - 1, x%u := max(x%u, "
             "x%u) + %u\n",
             n, i, j, k, n % 97, j, k, i, i, i, j, j, k, n % 13);
  }
  text_add(t, "safe p: x0 >= 0\n");
}

static void program(text *t, random_source *r) {
  add_variables(t);
  text_add(t, "program {\n");
  while (t->count < WANTED) {
    unsigned i = any(r), j = any(r), k = any(r);
    text_add(t, "  if x%u < x%u + x%u { x%u := x%u + 1 } else { x%u := x%u * 2 }\n  while x%u > 3 { x%u := 0 }\n", i, j,
             k, i, j, k, i, j, j);
  }
  text_add(t, "  assert x0 >= 0\n}\n");
}

static void processes(text *t, random_source *r) {
  add_variables(t);
  for (unsigned n = 0; t->count < WANTED; n++) {
    text_add(t, "process P%u {\n  var c : 0..9 = 0\n  states s0, s1, s2, s3, s4, s5, s6, s7, s8, s9\n", n);
    for (unsigned i = 0; i < 40; i++)
      text_add(t, "  e%u: s%u -> s%u when x%u <= c + %u : c := (c + 1) %% 10, x%u := x%u + c\n", i, i % 10,
               (i * 7 + 1) % 10, any(r), i, any(r) % 1000, 1000 + any(r) % 1000);
    text_add(t, "}\n");
  }
  text_add(t, "safe p: P0 at s0 || P0.c >= 0\n");
}

static void formulas(text *t, random_source *r) {
  add_variables(t);
  for (unsigned n = 0; t->count < WANTED; n++) {
    text_add(t, "safe p%u: ", n);
    for (unsigned i = 0; i < 100; i++)
      text_add(t, "%s(x%u + %u * x%u <= %u => x%u != x%u)", i ? " && " : "", any(r), i, any(r), n, any(r), any(r));
    text_add_char(t, '\n');
  }
}

static void measure(const char *name, void (*make)(text *, random_source *)) {
  random_source r = {1};
  text t = {0};
  diagnostics d = {0};
  make(&t, &r);
  clock_t start = clock();
  model *m = input_read_text("load.whet", text_string(&t), t.count, &d);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (m)
    printf("%-10s %4.1f MB  %5.2f s of processor time  %zu steps, %zu terms\n", name, (double)t.count / (1 << 20),
           seconds, m->transitions.count, terms_count(m->terms));
  else
    printf("%s: %s", name, text_string(&d.text));
  text_clear(&t);
  text_clear(&d.text);
  model_free(m);
}

/* load [NAME]: all of them, or the one of that name. */
int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*make)(text *, random_source *);
  } kinds[] = {{"actions", actions}, {"program", program}, {"processes", processes}, {"formulas", formulas}};
  for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
    if (argc < 2 || !strcmp(argv[1], kinds[i].name)) measure(kinds[i].name, kinds[i].make);
  return 0;
}
