/* One value for each term below some roots, made from below: arguments before those who use them, in the order of their
 * indices, each once. What it costs is proportional to the terms that are new, not to the table.
 *
 *   static void depth_of(const term_fold *f, term t, void *out) {
 *     uint32_t *depth = out;
 *     for (size_t i = 0; i < term_arguments(f->ts, t); i++) {
 *       uint32_t below = FOLD_VALUE(uint32_t, f, term_argument(f->ts, t, i));
 *       if (below >= *depth) *depth = below + 1;
 *     }
 *   }
 *
 *   term_fold f = {.ts = ts, .size = sizeof(uint32_t), .rule = depth_of};
 *   uint32_t depth = *(uint32_t *)term_fold_value(&f, t);
 *   term_fold_close(&f);
 */
#ifndef WHET_TERM_FOLD_H
#define WHET_TERM_FOLD_H

#include "term/term.h"

typedef struct term_fold term_fold;

/* Sets `*out`, which is zero, to the value of `t`, a positive term. Those of its arguments are known. Terms may be
 * built meanwhile. */
typedef void fold_rule(const term_fold *f, term t, void *out);

struct term_fold {
  const terms *ts;
  size_t size; /* of a value */
  fold_rule *rule;
  void *context; /* for the rule */
  /* inside; zero at first */
  struct term_places *places;
  index_vector cone;
  char *values;
  size_t count, room;
  bool is_busy;
};

/* Values of everything below `roots`, in one order. */
void term_fold_prepare(term_fold *f, size_t count, const term *roots);
/* The value of `t` without its polarity; what is below `t` and has no value yet gets one. Valid until the next new
 * root. */
KEEP void *term_fold_value(term_fold *f, term t);
/* The value of a term that has one: of arguments, inside a rule. */
KEEP const void *term_fold_known(const term_fold *f, term t);
#define FOLD_VALUE(T, F, TERM) (*(const T *)term_fold_known((F), (TERM)))
bool term_fold_has(const term_fold *f, term t);
size_t term_fold_count(const term_fold *f);
KEEP void *term_fold_at(const term_fold *f, size_t i); /* the i-th value, in the order of making */
/* Forgets all values. */
void term_fold_clear(term_fold *f);
void term_fold_close(term_fold *f);

/* Folds whose values are terms. */
term fold_term(const term_fold *f, term t); /* what has become of `t`, polarity included */
/* `t`, positive, with what has become of its arguments, normalised again; `t` itself if they are the same. */
term fold_rebuilt(const term_fold *f, terms *ts, term t);

/* Some term below the roots passes the test. */
typedef bool term_test(const terms *ts, term t, const void *context);
bool term_any(const terms *ts, size_t count, const term *roots, term_test *test, const void *context);
bool term_has_kind(const terms *ts, term t, term_kind kind);
/* How many terms are below `t`, itself included. */
size_t term_size(const terms *ts, term t);
/* The same of several, each term counted once. */
size_t term_sizes(const terms *ts, size_t count, const term *roots);

/* Walks from several roots, one after the other, that enter each term once. */
typedef struct term_walk term_walk;
GIVE term_walk *term_walk_new(const terms *ts);
void term_walk_free(TAKE term_walk *w);
/* The variables below `root` that no root before had, in index order, appended. */
void term_walk_variables(term_walk *w, term root, variable_vector *out);

#endif
