/* All lemmas together are made a property of a copy of the model, and the engine `kind` looks for a run that breaks it. Its
 * evidence is checked like any other. The first lemma that is false in the last state of the run is the one that fails; then
 * the others are tried again without it. */
#include "run/lemma_check.h"

#include "run/portfolio.h"
#include "term/evaluate.h"
#include "term/print.h"

/* Counted work of a search, about a tenth of a second; and how many lemmas that fail are named. */
enum { MOST_WORK = 100 * 1000, MOST_FAILURES = 20 };

/* No property of a text can have this name. */
#define PROPERTY_OF_LEMMAS "all-lemmas"

static term all_lemmas(const model *m) { return term_and_all(m->terms, m->lemmas.count, m->lemmas.at); }

/* A run that breaks some lemma; true if there is one. */
static bool find_run(const run_settings *s, GIVE evidence *found) {
  const engine *searcher = engines_find("kind");
  options limited = *s->options;
  model *own = model_copy(s->model);
  run_settings settings = {.model = own,
                           .path = s->path,
                           .options = &limited,
                           .engine_count = 1,
                           .engines = &searcher,
                           .started = s->started,
                           .stop = s->stop};
  outcome out = {0};
  limited.work = MOST_WORK;
  limited.max_iterations = 0;
  model_add_property(own, PROPERTY_OF_LEMMAS, PROPERTY_SAFE, (place){0})->bad = term_not(all_lemmas(own));
  portfolio_run(&settings, own->properties.count - 1, 1, 0, &out);
  bool fails = out.verdict == VERDICT_UNSAFE && out.evidence.steps.count;
  if (fails) {
    *found = out.evidence;
    out.evidence = (evidence){0};
  }
  outcome_clear(&out);
  model_free(own);
  return fails;
}

/* The first lemma that is false in the last state of the run. */
static size_t broken_lemma(const model *m, const evidence *run) {
  number_vector values = {0};
  size_t which = 0;
  trace_step_assignment(m, &VECTOR_LAST(run->steps), NULL, NULL, &values);
  while (which < m->lemmas.count && !number_is(term_evaluate(m->terms, m->lemmas.at[which], values.at), 0)) which++;
  VECTOR_FREE(values);
  return which;
}

static void take_out(term_vector *lemmas, size_t which) {
  for (size_t i = which + 1; i < lemmas->count; i++) lemmas->at[i - 1] = lemmas->at[i];
  lemmas->count--;
}

void lemma_check(const run_settings *s, failed_lemmas *out) {
  model *m = s->model;
  evidence run = {0};
  if (m->has_heap || m->clauses) return;
  while (m->lemmas.count && out->count < MOST_FAILURES && !settings_stopped(s) && find_run(s, &run)) {
    size_t which = broken_lemma(m, &run);
    REQUIRE(which < m->lemmas.count, "a lemma that is false at the end of a run that breaks one of them");
    VECTOR_PUSH(*out, (failed_lemma){.formula = term_string(m->terms, m->lemmas.at[which]), .run = run});
    run = (evidence){0};
    take_out(&m->lemmas, which);
  }
}

const char *failed_lemma_action(const model *m, const failed_lemma *f) {
  return f->run.steps.count > 1 ? m->transitions.at[VECTOR_LAST(f->run.steps).transition].name : NULL;
}

char *failed_lemma_words(const model *m, const failed_lemma *f) {
  const char *action = failed_lemma_action(m, f);
  size_t steps = f->run.steps.count - 1;
  if (!action) return text_format("lemma %s does not hold: an initial state breaks it", f->formula);
  return text_format("lemma %s does not hold: after %zu step%s, the last of which is %s, a state breaks it", f->formula,
                     steps, steps == 1 ? "" : "s", action);
}

void failed_lemmas_clear(failed_lemmas *all) {
  for (size_t i = 0; i < all->count; i++) {
    memory_free(all->at[i].formula);
    evidence_clear(&all->at[i].run);
  }
  VECTOR_FREE(*all);
}
