/* Lemmas that do not hold: what a user believes may be wrong, and is then reported as what it is. */
#ifndef WHET_RUN_LEMMA_CHECK_H
#define WHET_RUN_LEMMA_CHECK_H

#include "proof/evidence.h"
#include "run/settings.h"

typedef struct failed_lemma {
  char *formula; /* in the model's language */
  evidence run;  /* whose last state breaks it; checked on the model as read */
} failed_lemma;

typedef VECTOR(failed_lemma) failed_lemmas;

/* Looks for runs that break lemmas of `s->model`, by a bounded amount of counted work. Each lemma for which one is found
 * is added to `out` and taken out of `s->model->lemmas`, so that no engine builds on it. Those that stay need not hold. */
void lemma_check(const run_settings *s, failed_lemmas *out);
/* In words: the formula, and when it fails. */
GIVE char *failed_lemma_words(const model *m, const failed_lemma *f);
/* The last action of the run; NULL if its only state is an initial one. */
KEEP const char *failed_lemma_action(const model *m, const failed_lemma *f);
void failed_lemmas_clear(failed_lemmas *all); /* what it holds */

#endif
