/* Reads off a model what the choice depends on, and has the table of orders. */
#include "run/engine_order.h"

#include <math.h>

#include "base/text.h"
#include "term/fold.h"

/* Up to this many combinations of values, searching all is quicker than any other method. */
#define LOG2_SMALL 24.0

/* A transition with so many inputs is a big step, or a case of one, as of synchronous programs. */
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

static bool is_product(const terms *ts, term t, const void *unused) {
  (void)unused;
  return term_kind_of(ts, t) == TERM_PRODUCT;
}

static void look_at_transition(model_look *look, const model *m, const transition *t, term_vector *formulas) {
  if (t->inputs.count > look->inputs) look->inputs = t->inputs.count;
  for (size_t i = 0; i < t->inputs.count; i++) {
    const type *of = variable_type(m->terms, t->inputs.at[i]);
    if (of->sort == SORT_INT && !(of->has_low && of->has_high)) look->has_open_inputs = true;
  }
  VECTOR_PUSH(*formulas, t->guard);
  for (size_t i = 0; i < t->updates.count; i++) VECTOR_PUSH(*formulas, t->updates.at[i].value);
}

model_look engine_order_look(const model *m, size_t property) {
  model_look look = {.is_temporal = property_is_temporal(&m->properties.at[property]),
                     .has_heap = m->has_heap,
                     .has_trees = m->clauses && m->clauses->are_trees,
                     .has_reals = terms_have_reals(m->terms),
                     .was_unfolded = m->clauses && m->clauses->rewritten,
                     .is_finite = true,
                     .variables = m->variables.count,
                     .transitions = m->transitions.count};
  for (size_t i = 0; i < m->variables.count; i++) look_at_type(&look, variable_type(m->terms, m->variables.at[i].var));
  term_vector formulas = {0};
  for (size_t i = 0; i < m->transitions.count; i++) look_at_transition(&look, m, &m->transitions.at[i], &formulas);
  look.is_nonlinear = term_any(m->terms, formulas.count, formulas.at, is_product, NULL);
  VECTOR_FREE(formulas);
  look.is_finite = look.is_finite && !look.has_open_inputs && !look.has_heap;
  return look;
}

/* ---- the order ---- */

enum { MOST_ENGINES = 12, MOST_PROMISING = 6 };

/* Engines by their tables, so that one that does not exist is an error of the build. */
typedef struct order {
  const char *because;
  const engine *engines[MOST_ENGINES + 1]; /* up to the first NULL */
} order;

static const order temporal_order = {"the property is temporal",
                                     {&engine_explicit, &engine_alpha, &engine_syntactic, &engine_widen}};
static const order reals_order = {"there are reals", {&engine_spacer, &engine_kind, &engine_pdr, &engine_derive}};
static const order trees_order = {"clauses have several predicates in a body", {&engine_spacer, &engine_derive}};
static const order unfolded_order = {"predicates of clauses were unfolded, so that steps are large",
                                     {&engine_spacer, &engine_explicit, &engine_cegar, &engine_widen}};
static const order heap_order = {"the model has a heap", {&engine_widen, &engine_explicit}};
static const order small_order = {"every type is finite and the combinations of values are few",
                                  {&engine_explicit, &engine_cegar, &engine_alpha, &engine_kind, &engine_widen,
                                   &engine_pdr, &engine_fbar, &engine_spacer, &engine_invuni, &engine_syntactic}};
static const order large_order = {"every type is finite, but the combinations of values are many",
                                  {&engine_explicit, &engine_kind, &engine_cegar, &engine_spacer, &engine_widen,
                                   &engine_pdr, &engine_alpha, &engine_fbar, &engine_invuni, &engine_syntactic}};
static const order nonlinear_order = {"there are products of variables",
                                      {&engine_explicit, &engine_kind, &engine_cegar, &engine_alpha, &engine_spacer,
                                       &engine_pdr, &engine_invuni, &engine_widen}};
static const order wide_order = {"steps have many inputs",
                                 {&engine_kind, &engine_spacer, &engine_pdr, &engine_explicit, &engine_widen,
                                  &engine_cegar, &engine_invuni, &engine_fbar, &engine_alpha}};
static const order infinite_order = {"some types are infinite",
                                     {&engine_explicit, &engine_kind, &engine_cegar, &engine_spacer, &engine_widen,
                                      &engine_pdr, &engine_fbar, &engine_alpha, &engine_invuni, &engine_syntactic}};

/* `explicit` comes first nearly everywhere: whether there is a violation within few steps it knows before others have
 * begun. `kind` knows that too, of models that cannot be searched state by state. */
static const order *order_for(const model_look *look) {
  if (look->is_temporal) return &temporal_order;
  if (look->has_heap) return &heap_order;
  if (look->has_reals) return &reals_order;
  if (look->has_trees) return &trees_order;
  if (look->was_unfolded) return &unfolded_order;
  if (look->inputs >= MANY_INPUTS) return &wide_order;
  if (look->is_finite) return look->log2_states <= LOG2_SMALL ? &small_order : &large_order;
  return look->is_nonlinear ? &nonlinear_order : &infinite_order;
}

void engine_order_make(const model_look *look, const char *without, engine_vector *out, text *why) {
  const order *chosen = order_for(look);
  text_add(why, "%zu variables (%zu without bounds), %zu transitions: %s, so the order is", look->variables,
           look->integers, look->transitions, chosen->because);
  for (const engine *const *e = chosen->engines; *e; e++) {
    if (without && options_list_has(without, (*e)->name)) continue;
    text_add(why, "%s %s", out->count ? "," : "", (*e)->name);
    VECTOR_PUSH(*out, *e);
  }
}

/* Of reals Spacer knows most by far. */
size_t engine_order_promising(const model_look *look) { return look->has_reals ? 1 : MOST_PROMISING; }
