/* What the parts of the library's surface share; nobody else includes this. */
#ifndef WHET_LIBRARY_INSIDE_H
#define WHET_LIBRARY_INSIDE_H

#include "base/options.h"
#include "input/c/settings.h"
#include "input/witness/witness.h"
#include "process/worker.h"
#include "run/outcome.h"
#include "whet/whet.h"

struct whet_options {
  options *options;
};

struct whet_model {
  model *model;
  char *path;
};

struct whet_result {
  outcome outcome;
  const model *model;
};

/* How C programs are to be read. */
c_settings library_c_settings(const whet_options *o);
/* Reads a model; if it is a C program, with a witness (NULL: none), and if `keeps_heads`, with a place for each loop. */
GIVE whet_model *library_read_c(const char *path, const whet_options *o, const c_witness *w, bool keeps_heads,
                                char **error);
/* Of a worker that is asked for once, from now on. */
worker_limits library_limits(const options *o);

/* Of a batch or a plan: those that are options of each problem, too. */
GIVE char *library_common_options(const options *o);

/* The next of some lines, which is taken off; NULL if there is none. */
GIVE char *library_next_line(const char **lines);
/* Predicates, lemmas and variables to keep that options name, into the model. NULL, or what is wrong: owned. */
GIVE char *library_take_help(model *m, const options *o);

static inline const char *library_or_empty(const char *string) { return string ? string : ""; }

#endif
