/* Witnesses about C programs, read to be checked. */

#include <errno.h>
#include <strings.h>

#include "base/digest/digest.h"
#include "input/input.h"
#include "library/inside.h"

struct whet_witness {
  c_witness witness;
};

bool whet_witness_is_named(const char *path) { return c_witness_is_named(path); }

whet_witness *whet_witness_read(const char *path, char **error) {
  text content = {0};
  whet_witness *w = MEMORY_NEW(whet_witness);
  if (text_add_file(&content, path, INPUT_MOST_BYTES + 1))
    *error = c_witness_read(&w->witness, path, text_string(&content), content.count);
  else
    *error = text_format("cannot read %s: %s", path, strerror(errno));
  text_clear(&content);
  if (!*error) return w;
  whet_witness_free(w);
  return NULL;
}

void whet_witness_free(whet_witness *w) {
  if (!w) return;
  if (w->witness.arena) c_witness_clear(&w->witness);
  memory_free(w);
}

bool whet_witness_is_violation(const whet_witness *w) { return w->witness.is_violation; }

const char *whet_witness_property(const whet_witness *w) { return w->witness.property; }

const char *whet_witness_machine(const whet_witness *w) { return w->witness.is_32 ? "32" : "64"; }

size_t whet_witness_invariant_count(const whet_witness *w) {
  return w->witness.is_violation ? 0 : w->witness.points.count;
}

/* A witness names the programs that it is about by their SHA-256. */
static GIVE char *wrong_program(const c_witness *w, const char *path) {
  text content = {0};
  char digits[DIGEST_DIGITS + 1];
  bool fine = text_add_file(&content, path, INPUT_MOST_BYTES + 1), is_it = !w->digests.count;
  if (fine) digest_digits(text_string(&content), content.count, digits);
  for (size_t i = 0; fine && i < w->digests.count; i++) is_it |= !strcasecmp(w->digests.at[i], digits);
  text_clear(&content);
  if (!fine) return text_format("cannot read %s: %s", path, strerror(errno));
  return is_it ? NULL
               : text_format("%s: error: the witness is about another program than %s, whose SHA-256 is %s", w->path,
                             path, digits);
}

whet_model *whet_model_read_with(const char *path, const whet_options *o, const whet_witness *w, char **error) {
  *error = wrong_program(&w->witness, path);
  return *error ? NULL : library_read_c(path, o, &w->witness, true, error);
}
