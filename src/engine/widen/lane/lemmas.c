/* Checks what previews and first runs found, within limits of size and time, and sends what holds as lemmas. */
#include "engine/widen/lane/lemmas.h"

#include "engine/widen/invariant.h"
#include "proof/check/check.h"
#include "term/print.h"

enum { LONGEST_LEMMAS = 1 << 20 };
#define LONGEST_CHECK 5.0 /* seconds */

static bool are_too_long(const terms *ts, const term_vector *lemmas) {
  text shown = {0};
  for (size_t i = 0; i < lemmas->count && shown.count <= LONGEST_LEMMAS; i++) term_print(ts, lemmas->at[i], &shown);
  bool too_long = shown.count + lemmas->count > LONGEST_LEMMAS;
  text_clear(&shown);
  return too_long;
}

/* Formulas that were found to hold, with the evidence for it; sent only after they were checked. */
static bool check_lemmas(widen *w, const lane *l, const evidence *e, const term_vector *lemmas) {
  if (polyhedra_failure(w->space) || !lemmas->count || are_too_long(w->env->model->terms, lemmas)) return false;
  budget b = *w->env->budget;
  if (budget_seconds_left(&b) > LONGEST_CHECK) b.deadline = clock_seconds() + LONGEST_CHECK;
  check_result checked = check_inductive(w->env->model, e, &b);
  bool accepted = checked.kind == CHECK_ACCEPTED;
  events_note(w->env->events, "%s: %s", l->style->name,
              accepted ? "what was reached so far is an invariant" : checked.what);
  memory_free(checked.what);
  return accepted;
}

/* What a preview found, once; then `known` is what of it was accepted. */
static void send_preview(widen *w, const lane *l) {
  if (w->preview_evidence.kind == EVIDENCE_NONE) return;
  if (!check_lemmas(w, l, &w->preview_evidence, &w->known)) VECTOR_CLEAR(w->known);
  if (w->known.count) events_lemmas(w->env->events, w->env->model->terms, &w->known);
  evidence_clear(&w->preview_evidence);
  w->preview_evidence = (evidence){0};
}

void lemmas_keep(widen *w, const lane *l, const preview *v, bool soon) {
  if (!w->env->events) return;
  evidence_clear(&w->preview_evidence);
  w->preview_evidence = (evidence){0};
  VECTOR_CLEAR(w->known);
  preview_write(v, &w->preview_evidence);
  preview_lemmas(v, &w->known);
  if (soon) send_preview(w, l);
}

void lemmas_send(widen *w, const lane *l) {
  const run *r = l->repair ? repair_first_run(l->repair) : NULL;
  if (!w->env->events || w->env->wants_product || w->env->model->has_heap) return;
  if (polyhedra_keeps_strict(w->space)) return; /* facts are of booleans and integers */
  send_preview(w, l);
  if (!r) return;
  evidence e = {0};
  term_vector lemmas = {0};
  polyhedra_allow(w->space, POLYHEDRA_WORK_SECOND);
  invariant_lemmas(lane_program(w, l), r, &e, &lemmas);
  if (check_lemmas(w, l, &e, &lemmas)) {
    for (size_t i = 0; i < w->known.count; i++)
      VECTOR_PUSH(lemmas, w->known.at[i]); /* both are inductive, so they are together */
    events_lemmas(w->env->events, w->env->model->terms, &lemmas);
  }
  evidence_clear(&e);
  VECTOR_FREE(lemmas);
}
