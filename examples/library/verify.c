/* Decides every property of a model and prints the verdicts, with the runs that break properties:
 *     cc verify.c -o verify $(pkg-config --cflags --libs whet) && ./verify model.whet */
#include <stdio.h>
#include <string.h>
#include <whet/whet.h>

int main(int argc, char **argv) {
  static const char *const words[] = {"UNKNOWN", "SAFE", "UNSAFE", "HOLDS", "FAILS"};
  char *error = NULL;
  if (argc != 2) return fprintf(stderr, "usage: verify MODEL\n"), 2;
  whet_model *m = whet_model_read(argv[1], &error);
  if (!m) {
    fputs(error, stderr);
    whet_free(error);
    return 2;
  }
  whet_options *o = whet_options_new();
  char *wrong = whet_options_set(o, "timeout", "60");
  whet_free(wrong); /* NULL: a limit of 60 seconds is fine */
  whet_run *run = whet_run_new(m, o, &error);
  int status = run ? 0 : 2;
  if (!run) fprintf(stderr, "%s\n", error);
  for (const whet_result *r; run && (r = whet_run_next(run));) {
    char *trace = whet_result_trace(r, false, false);
    whet_verdict v = whet_result_verdict(r);
    printf("%s: %s\n%s", whet_result_property(r), words[v], trace ? trace : "");
    if (v == WHET_UNSAFE || v == WHET_FAILS) status = 10;
    whet_free(trace);
  }
  whet_free(error);
  if (run) whet_run_free(run);
  whet_options_free(o);
  whet_model_free(m);
  return status;
}
