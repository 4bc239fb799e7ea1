#include "engine/schedule.h"

#include <math.h>

#include "base/text.h"

/* Up to this many combinations of values, searching all is quicker than being clever. */
#define LOG2_SMALL 24.0
/* With so many inputs a transition is the step of a synchronous system: nobody should go through its choices one by
 * one.
 */
enum { MANY_INPUTS = 8 };

/* ---- the look ---- */

static void look_at_type(model_look *look, const type *t) {
  if (t->sort == SORT_BOOL) {
    look->log2_states += 1;
  } else if (t->sort == SORT_INT && t->has_low && t->has_high) {
    int64_t low, high;
    bool fits = number_to_int64(t->low, &low) && number_to_int64(t->high, &high);
    look->log2_states += fits ? log2((double)high - (double)low + 1) : 64;
  } else {
    look->is_finite = false;
    look->integers += t->sort == SORT_INT;
  }
}

static bool is_nonlinear(const terms *ts, size_t count, const term *roots) {
  index_vector cone = {0};
  terms_cone(ts, count, roots, &cone);
  bool found = false;
  for (size_t i = 0; i < cone.count && !found; i++) found = term_kind_of(ts, (term){cone.at[i] << 1}) == TERM_PRODUCT;
  VECTOR_FREE(cone);
  return found;
}

static void look_at_transition(model_look *look, const model *m, const transition *t, term_vector *formulas) {
  if (t->inputs.count > look->most_inputs) look->most_inputs = t->inputs.count;
  for (size_t i = 0; i < t->inputs.count; i++) {
    const type *of = variable_type(m->terms, t->inputs.at[i]);
    if (of->sort == SORT_INT && !(of->has_low && of->has_high)) look->has_open_inputs = true;
  }
  VECTOR_PUSH(*formulas, t->guard);
  for (size_t i = 0; i < t->updates.count; i++) VECTOR_PUSH(*formulas, t->updates.at[i].value);
}

model_look schedule_look(const model *m, size_t property) {
  model_look look = {.is_temporal = property_is_temporal(&m->properties.at[property]),
                     .has_heap = m->has_heap,
                     .is_finite = true,
                     .variables = m->variables.count,
                     .transitions = m->transitions.count};
  for (size_t i = 0; i < m->variables.count; i++) look_at_type(&look, variable_type(m->terms, m->variables.at[i].var));
  term_vector formulas = {0};
  for (size_t i = 0; i < m->transitions.count; i++) look_at_transition(&look, m, &m->transitions.at[i], &formulas);
  look.is_nonlinear = is_nonlinear(m->terms, formulas.count, formulas.at);
  VECTOR_FREE(formulas);
  look.is_finite = look.is_finite && !look.has_open_inputs && !look.has_heap;
  return look;
}

/* ---- the order ---- */

typedef struct order {
  const char *because;
  const char *names[12];
} order;

/* `explicit` comes first everywhere but with lists and with many inputs: whether there is a violation within few steps
 * it knows before others have begun. `kind` knows that too, of models that cannot be searched state by state. */
static const order *order_for(const model_look *look) {
  static const order temporal = {"the property is temporal", {"explicit", "alpha", "syntactic", "widen"}},
                     heap = {"the model has a heap", {"widen", "explicit"}},
                     small = {"every type is finite and the combinations of values are few",
                              {"explicit", "cegar", "alpha", "kind", "widen", "pdr", "fbar", "invuni", "syntactic"}},
                     large = {"every type is finite, but the combinations of values are many",
                              {"explicit", "kind", "cegar", "widen", "pdr", "alpha", "fbar", "invuni", "syntactic"}},
                     nonlinear = {"there are products of variables",
                                  {"explicit", "kind", "cegar", "alpha", "pdr", "invuni", "widen"}},
                     synchronous = {"a transition has many inputs",
                                    {"kind", "pdr", "explicit", "widen", "cegar", "invuni", "fbar", "alpha"}},
                     infinite = {"some types are infinite",
                                 {"explicit", "kind", "cegar", "widen", "pdr", "fbar", "alpha", "invuni", "syntactic"}};
  if (look->is_temporal) return &temporal;
  if (look->has_heap) return &heap;
  if (look->is_finite) return look->log2_states <= LOG2_SMALL ? &small : &large;
  if (look->most_inputs >= MANY_INPUTS) return &synchronous;
  return look->is_nonlinear ? &nonlinear : &infinite;
}

void schedule_make(const model_look *look, engine_vector *out, text *why) {
  const order *chosen = order_for(look);
  text_add(why, "%zu variables (%zu without bounds), %zu transitions: %s, so the order is", look->variables,
           look->integers, look->transitions, chosen->because);
  for (size_t i = 0; i < ARRAY_LENGTH(chosen->names) && chosen->names[i]; i++) {
    const engine *e = engines_find(chosen->names[i]);
    if (!e) continue;
    text_add(why, "%s %s", out->count ? "," : "", e->name);
    VECTOR_PUSH(*out, e);
  }
}
