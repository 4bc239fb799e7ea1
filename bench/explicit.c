/* One search, with the time and memory of each of its parts on one line:
 *
 *     bench/explicit MODEL [THREADS [dfs]]
 *     name=value ..
 * The parts are those of `whet verify --engine explicit`, here in one process: reading the model, making it smaller,
 * searching, turning the reached set into evidence, writing and reading the certificate, checking it. */
#include <stdlib.h>
#include <sys/resource.h>

#include "base/options.h"
#include "engine/engine.h"
#include "input/input.h"
#include "model/passes.h"
#include "proof/certificate.h"
#include "proof/check/check.h"

extern const engine engine_explicit;

static double processor_seconds(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double peak_megabytes(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)u.ru_maxrss / 1024;
}

/* Time since it was called last, printed under a name. */
static void lap(const char *name) {
  static double wall, processor;
  double now = clock_seconds(), used = processor_seconds();
  if (name) printf("%s=%.3f %s_cpu=%.3f ", name, now - wall, name, used - processor);
  wall = clock_seconds();
  processor = processor_seconds();
}

static model *load(const char *path) {
  diagnostics d = {0};
  model *m = input_read_file(path, &d);
  if (m && m->properties.count) return m;
  fprintf(stderr, "%s", m ? "a model with a property is needed\n" : text_string(&d.text));
  exit(2);
}

static void check(model *m, claim *c) {
  text file = {0};
  evidence read = {0};
  char *error = NULL;
  size_t property;
  budget b = budget_unlimited();
  certificate_write(m, 0, &c->evidence, &file);
  bool fine = certificate_read(m, file.at, file.count, &property, &read, &error);
  lap("certificate");
  check_result r = {.kind = CHECK_REJECTED};
  if (fine) r = check_evidence(m, property, &read, &b, NULL);
  lap("check");
  printf("accepted=%d certificate_bytes=%zu ", r.kind == CHECK_ACCEPTED, file.count);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: explicit MODEL [THREADS [dfs]]\n");
    return 2;
  }
  lap(NULL);
  model *m = load(argv[1]);
  lap("load");
  options *o = options_new();
  if (argc > 2) o->threads = strtoull(argv[2], NULL, 10);
  if (argc > 3) o->order = ORDER_DFS;
  statistics n = {0};
  budget b = budget_unlimited();
  claim c = {0};
  passes *p = passes_run(m, 0, NULL);
  engine_environment env = {
      .model = passes_model(p), .property = passes_property(p), .options = o, .statistics = &n, .budget = &b};
  lap("passes");
  void *state = engine_explicit.open(&env);
  double search = clock_seconds(), search_cpu = processor_seconds(), end = search, end_cpu = search_cpu;
  while (engine_explicit.step(state, &c) == ENGINE_GOES_ON) {
    end = clock_seconds();
    end_cpu = processor_seconds();
  }
  printf("search=%.3f search_cpu=%.3f search_peak_mb=%.1f ", end - search, end_cpu - search_cpu, peak_megabytes());
  printf("result=%.3f result_cpu=%.3f ", clock_seconds() - end, processor_seconds() - end_cpu);
  engine_explicit.close(state);
  evidence_add_facts(m->terms, &c.evidence, passes_facts(p));
  lap(NULL);
  if (c.verdict == VERDICT_SAFE) check(m, &c);
  static const char *const verdicts[] = {"unknown", "safe", "unsafe", "holds", "fails"};
  printf("verdict=%s states=%llu transitions=%llu depth=%llu store_bytes=%llu peak_mb=%.1f\n", verdicts[c.verdict],
         (unsigned long long)n.states, (unsigned long long)n.transitions, (unsigned long long)n.depth,
         (unsigned long long)n.store_bytes, peak_megabytes());
  return 0;
}
