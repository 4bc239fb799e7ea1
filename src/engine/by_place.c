/* Chooses the control variables whose values name the parts, and writes one part for each combination of them. */
#include "engine/by_place.h"

enum { MOST_PARTS = 64 };

typedef struct parts_work {
  const predicate_model *s;
  VECTOR(uint32_t) controls;
  term also;
  evidence *out;
} parts_work;

static void add_part(void *context, const int64_t *values, term rest) {
  parts_work *w = context;
  invariant_part part = {.formula = term_and_all(w->s->ts, 3, (term[]){w->s->facts, rest, w->also})};
  for (size_t i = 0; i < w->controls.count; i++)
    VECTOR_PUSH(part.fixed, (fixed_value){w->s->controls.at[w->controls.at[i]].var, number_of(values[i])});
  VECTOR_PUSH(w->out->parts, part);
}

/* Places, or if there are none, enumerations, as long as the parts are not too many. Controls are in the order of
 * the model's variables, as parts want them. */
static void choose(parts_work *w) {
  uint64_t parts = 1;
  for (int places = 1; places >= 0 && w->controls.count == 0; places--)
    for (uint32_t i = 0; i < w->s->controls.count && !w->s->controls.at[i].is_input; i++) {
      const control *c = &w->s->controls.at[i];
      const type *of = variable_type(w->s->ts, c->var);
      if (!of->names || of->is_location != (places == 1) || parts * c->values > MOST_PARTS) continue;
      parts *= c->values;
      VECTOR_PUSH(w->controls, i);
    }
}

bool by_place_invariant(const predicate_model *s, abstraction *a, term also, evidence *out) {
  parts_work w = {.s = s, .also = also, .out = out};
  choose(&w);
  out->kind = EVIDENCE_INVARIANT;
  abstraction_visit(a, w.controls.count, w.controls.at, add_part, &w);
  VECTOR_FREE(w.controls);
  return !abstraction_trouble(a);
}
