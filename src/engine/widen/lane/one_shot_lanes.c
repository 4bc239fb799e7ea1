/* Each runs a preview, or what the table of previews.def has for it, and says why it is not enough if it is not. */
#include "engine/widen/lane/one_shot_lanes.h"

#include "engine/widen/graph/congruences.h"
#include "engine/widen/lane/lemmas.h"
#include "engine/widen/lane/packs.h"

#define PREVIEW_TURN (POLYHEDRA_WORK_SECOND / 5)
#define PACK_TURN (POLYHEDRA_WORK_SECOND / 2)
#define PRODUCT_TURN (2 * POLYHEDRA_WORK_SECOND)

static size_t dimensions_of(const widen *w, const lane *l) { return lane_program(w, l)->graph->frame.dimensions.count; }

static bool is_left_out(const widen *w, const lane *l) {
  const preview_row *row = preview_row_of(l->style->preview);
  size_t count = dimensions_of(w, l);
  return w->env->options->lane == LANES_ALL && (count < row->fewest || count > row->most);
}

static void report_iteration(const widen *w, const lane *l, const preview *v, bool proves) {
  text iteration = {0};
  json_writer json = json_object_to(&iteration);
  json_field_string(&json, "lane", l->style->name);
  json_field_count(&json, "run", 1);
  json_field_count(&json, "steps", preview_rounds(v));
  json_field_count(&json, "disjuncts", 1);
  json_field_count(&json, "constraints", preview_constraints(v));
  json_field_count(&json, "unions", 0);
  json_field_count(&json, "merges", 0);
  json_field_bool(&json, "error", !proves);
  events_iteration(w->env->events, &json);
}

/* False if writing it down failed. */
static bool claim_safe(widen *w, const preview *v, claim *out) {
  text lines = {0};
  preview_write(v, &out->evidence);
  if (w->env->wants_product) {
    preview_print(v, &lines);
    events_product(w->env->events, text_string(&lines));
  }
  text_clear(&lines);
  if (polyhedra_failure(w->space)) {
    evidence_clear(&out->evidence);
    return false;
  }
  out->verdict = VERDICT_SAFE;
  return true;
}

static const char *look_ahead(widen *w, const lane *l, claim *out) {
  const preview_row *row = preview_row_of(l->style->preview);
  bool facts_only = w->env->wants_facts, many = dimensions_of(w, l) > MOST_FOR_OCTAGONS;
  polyhedra_allow(w->space, w->env->wants_product || facts_only ? PRODUCT_TURN : PREVIEW_TURN);
  preview *v = preview_new(lane_program(w, l), row->shape);
  bool proves = !polyhedra_failure(w->space) && preview_excludes_bad(v);
  if (!polyhedra_failure(w->space)) report_iteration(w, l, v, proves);
  if (proves && !facts_only)
    proves = claim_safe(w, v, out);
  else if (row->has_lemmas && !polyhedra_failure(w->space))
    lemmas_keep(w, l, v, facts_only || many); /* with many, it may be all there will be */
  const char *failure = polyhedra_failure(w->space);
  preview_free(v);
  if (failure) program_drop_grids(lane_program(w, l));
  if (failure) return failure;
  return facts_only ? "has sent all" : proves ? NULL : "is not enough";
}

static const char *try_packs(widen *w, const lane *l, claim *out) {
  packs *p = packs_new(w->env->model, w->bad);
  if (!p) return "all variables belong together";
  events_note(w->env->events, "%s: %zu parts of the property, each about some of the variables", l->style->name,
              packs_count(p));
  bool proved = packs_prove(p, w->env, w->space, l->style, widen_chosen(w), PACK_TURN, FIRST_RUNS / 2, &out->evidence);
  packs_free(p);
  if (proved) out->verdict = VERDICT_SAFE;
  return proved ? NULL : "not all packs are proved by themselves";
}

typedef const char *(*one_shot)(widen *w, const lane *l, claim *out);

#define PREVIEW(CONSTANT, SHAPE, FEWEST, MOST, HAS_LEMMAS, RUN) [PREVIEW_##CONSTANT] = RUN,
static const one_shot one_shots[PREVIEW_KINDS] = {
#include "engine/widen/lane/previews.def"
};
#undef PREVIEW

const char *one_shot_run(widen *w, const lane *l, claim *out) {
  const char *why = programs_prepare(&w->programs, l->style->control);
  if (why) return why;
  if (w->env->model->has_heap) return "is for numbers, not for the heap";
  if (is_left_out(w, l)) return "left out";
  return one_shots[l->style->preview](w, l, out);
}
