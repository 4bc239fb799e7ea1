/* Keeps nothing but the certificate of a verdict, and checks it again on the model, as somebody would who did not see the run:
 *     cc certify.c -o certify $(pkg-config --cflags --libs whet) && ./certify model.whet PROPERTY */
#include <stdio.h>
#include <string.h>
#include <whet/whet.h>

static int check(whet_model *m, const whet_options *o, const char *certificate) {
  whet_check *c = whet_check_new(m, certificate, strlen(certificate), o);
  bool accepted = whet_check_answer(c) == WHET_ACCEPTED;
  if (accepted)
    printf("%s: accepted\n", whet_check_property(c));
  else
    printf("not accepted: %s\n", whet_check_what(c));
  whet_check_free(c);
  return accepted ? 0 : 10;
}

int main(int argc, char **argv) {
  char *error = NULL;
  int status = 2;
  if (argc != 3) return fprintf(stderr, "usage: certify MODEL PROPERTY\n"), 2;
  whet_options *o = whet_options_new();
  char *wrong = whet_options_set(o, "property", argv[2]);
  whet_model *m = wrong ? NULL : whet_model_read(argv[1], &error);
  whet_run *run = m ? whet_run_new(m, o, &error) : NULL;
  const whet_result *r = run ? whet_run_next(run) : NULL;
  const char *certificate = r ? whet_result_certificate(r) : NULL;
  if (certificate)
    status = check(m, o, certificate);
  else if (r)
    printf("%s: %s\n", argv[2], whet_result_reason(r));
  else
    fprintf(stderr, "%s\n", wrong ? wrong : error);
  whet_free(wrong);
  whet_free(error);
  if (run) whet_run_free(run);
  if (m) whet_model_free(m);
  whet_options_free(o);
  return status;
}
