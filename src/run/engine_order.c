/* Reads off a model what the choice depends on, and has the table of orders. */
#include "run/engine_order.h"

#include <math.h>

#include "base/text.h"
#include "term/fold.h"

/* Up to this many combinations of values, searching all is quicker than any other method. */
#define LOG2_SMALL 24.0

/* A transition with so many inputs is a big step, or a case of one, as of synchronous programs; so is one that is the
 * only one of so many variables. */
enum { MANY_INPUTS = 8, MANY_VARIABLES = 16 };

/* So many variables that are not bounded, and transitions, with one bit of control at most. */
enum { MANY_COUNTERS = 6 };

/* A C program with so many transitions has many ways through a loop, of which few matter. */
enum { MANY_WAYS = 100 };

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

static bool is_division(const terms *ts, term t, const void *unused) {
  (void)unused;
  number n;
  term_kind kind = term_kind_of(ts, t);
  return (kind == TERM_DIV || kind == TERM_MOD) && !term_is_number(ts, term_argument(ts, t, 1), &n);
}

/* Horn clauses with a division by a term that is no number. */
static bool has_divisions(const terms *ts, const clauses *horn) {
  bool found = false;
  term_vector formulas = {0};
  for (size_t i = 0; horn && horn->is_horn && i < horn->clauses.count && !found; i++) {
    VECTOR_CLEAR(formulas);
    clause_terms(&horn->clauses.at[i], &formulas);
    found = term_any(ts, formulas.count, formulas.at, is_division, NULL);
  }
  VECTOR_FREE(formulas);
  return found;
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

model_look engine_order_look(const model *m, const clauses *horn, size_t property) {
  model_look look = {.is_temporal = property_is_temporal(&m->properties.at[property]),
                     .asks_for_end = m->properties.at[property].kind == PROPERTY_ENDS,
                     .has_heap = m->has_heap,
                     .has_clauses = horn,
                     .has_trees = horn && horn->are_trees,
                     .has_procedures = horn && horn->are_trees && horn->is_program,
                     .has_divisions = has_divisions(m->terms, horn),
                     .has_arrays = model_has_arrays(m),
                     .has_reals = terms_have_reals(m->terms),
                     .was_unfolded = horn && clauses_were_unfolded(horn),
                     .is_finite = true,
                     .has_lemmas = m->lemmas.count > 0,
                     .is_c_program = m->is_c_program,
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

enum { MOST_ENGINES = 12 };

/* Engines by their tables, so that one that does not exist is an error of the build. */
typedef struct order {
  const char *because;
  const engine *engines[MOST_ENGINES + 1]; /* up to the first NULL */
} order;

static const order temporal_order = {
    .because = "the property is temporal",
    .engines = {&engine_explicit, &engine_alpha, &engine_rank, &engine_syntactic, &engine_widen}};
static const order end_order = {.because = "whether a program with recursive procedures ends is asked",
                                .engines = {&engine_explicit, &engine_rank}};
static const order reals_order = {
    .because = "there are reals",
    .engines = {&engine_spacer, &engine_kind, &engine_pdr, &engine_derive, &engine_widen}};
/* Systems of the language have places and few variables a step: half-spaces by place. */
static const order real_system_order = {.because = "a system with reals",
                                        .engines = {&engine_kind, &engine_pdr, &engine_spacer, &engine_widen}};
static const order arrays_order = {.because = "there are arrays of any length",
                                   .engines = {&engine_spacer, &engine_walk, &engine_cells}};
static const order trees_order = {.because = "clauses have several predicates in a body",
                                  .engines = {&engine_spacer, &engine_pdr, &engine_derive, &engine_widen}};
static const order procedures_order = {
    .because = "there are recursive procedures",
    .engines = {&engine_explicit, &engine_spacer, &engine_pdr, &engine_derive, &engine_widen}};
/* Of these only `derive` looks for values with which nothing is divided by 0. */
static const order divisions_order = {.because = "clauses divide by variables",
                                      .engines = {&engine_explicit, &engine_kind, &engine_derive, &engine_pdr,
                                                  &engine_spacer, &engine_cegar, &engine_widen, &engine_alpha}};
static const order unfolded_order = {
    .because = "predicates of clauses were unfolded, so that steps are large",
    .engines = {&engine_spacer, &engine_kind, &engine_pdr, &engine_explicit, &engine_cegar, &engine_widen}};
static const order heap_order = {.because = "the model has a heap", .engines = {&engine_widen, &engine_explicit}};
static const order small_order = {
    .because = "every type is finite and the combinations of values are few",
    .engines = {&engine_explicit, &engine_cegar, &engine_alpha, &engine_kind, &engine_widen, &engine_pdr, &engine_fbar,
                &engine_spacer, &engine_invuni, &engine_syntactic}};
static const order large_order = {
    .because = "every type is finite, but the combinations of values are many",
    .engines = {&engine_explicit, &engine_kind, &engine_accelerate, &engine_cegar, &engine_spacer, &engine_widen,
                &engine_pdr, &engine_alpha, &engine_fbar, &engine_invuni, &engine_syntactic}};
static const order nonlinear_order = {
    .because = "there are products of variables",
    .engines = {&engine_explicit, &engine_kind, &engine_accelerate, &engine_cegar, &engine_alpha, &engine_spacer,
                &engine_pdr, &engine_invuni, &engine_widen}};
static const order program_order = {.because = "a C program with many ways through it",
                                    .engines = {&engine_pdr, &engine_kind}};
static const order wide_order = {.because = "steps have many inputs, or one step is all there is",
                                 .engines = {&engine_kind, &engine_pdr, &engine_spacer, &engine_explicit, &engine_widen,
                                             &engine_cegar, &engine_invuni, &engine_fbar, &engine_alpha}};
static const order net_order = {
    .because = "many counters without bounds, and no control",
    .engines = {&engine_explicit, &engine_fbar, &engine_alpha, &engine_widen, &engine_cegar, &engine_kind,
                &engine_syntactic, &engine_spacer, &engine_pdr, &engine_invuni}};
static const order queues_order = {.because = "there are channels of any length",
                                   .engines = {&engine_explicit, &engine_lossy, &engine_kind, &engine_pdr,
                                               &engine_cegar, &engine_widen, &engine_spacer}};
static const order infinite_order = {
    .because = "some types are infinite",
    .engines = {&engine_explicit, &engine_kind, &engine_accelerate, &engine_cegar, &engine_widen, &engine_fbar,
                &engine_alpha, &engine_spacer, &engine_pdr, &engine_invuni, &engine_syntactic}};

/* `log2_states` is of the variables that are bounded. */
static bool is_net(const model_look *look) {
  return look->log2_states <= 1 && look->integers >= MANY_COUNTERS && look->transitions >= MANY_COUNTERS;
}

static bool is_wide(const model_look *look) {
  return look->inputs >= MANY_INPUTS || (look->transitions == 1 && look->variables >= MANY_VARIABLES);
}

/* `explicit` comes first nearly everywhere: whether there is a violation within few steps it knows before others have
 * begun. `kind` knows that too, of models that cannot be searched state by state. */
static const order *order_for(const model_look *look) {
  if (look->asks_for_end) return &end_order;
  if (look->is_temporal) return &temporal_order;
  if (look->has_heap) return &heap_order;
  if (look->has_arrays) return &arrays_order;
  if (look->has_reals) return look->has_clauses ? &reals_order : &real_system_order;
  if (look->has_procedures) return &procedures_order;
  if (look->has_trees) return &trees_order;
  if (look->has_divisions) return &divisions_order;
  if (look->was_unfolded) return &unfolded_order;
  if (look->is_c_program && look->transitions >= MANY_WAYS) return &program_order;
  if (look->has_queues && !look->is_finite) return &queues_order;
  if (is_wide(look)) return &wide_order;
  if (look->is_finite) return look->log2_states <= LOG2_SMALL ? &small_order : &large_order;
  if (look->is_nonlinear) return &nonlinear_order;
  return is_net(look) ? &net_order : &infinite_order;
}

bool engine_order_is_one_step(const model_look *look) { return order_for(look) == &wide_order; }

static void add_engine(const engine *e, engine_vector *out, text *why) {
  for (size_t i = 0; i < out->count; i++)
    if (out->at[i] == e) return;
  text_add(why, "%s %s", out->count ? "," : "", e->name);
  VECTOR_PUSH(*out, e);
}

/* A user who gives lemmas expects a proof by them. */
static bool proves_by_lemmas(const model_look *look, const order *chosen) {
  bool found = false;
  for (const engine *const *e = chosen->engines; *e; e++) found |= *e == &engine_invuni;
  return found && look->has_lemmas;
}

void engine_order_make(const model_look *look, const char *without, engine_vector *out, text *why) {
  const order *chosen = order_for(look);
  bool by_lemmas = proves_by_lemmas(look, chosen);
  text_add(why, "%zu variables (%zu without bounds), %zu transitions: %s%s, so the order is", look->variables,
           look->integers, look->transitions, chosen->because, by_lemmas ? ", and there are lemmas" : "");
  for (size_t i = 0; chosen->engines[i]; i++) {
    if (i == 1 && by_lemmas && !(without && options_list_has(without, engine_invuni.name)))
      add_engine(&engine_invuni, out, why);
    if (without && options_list_has(without, chosen->engines[i]->name)) continue;
    if (chosen->engines[i] == &engine_accelerate && look->has_clauses) continue; /* they have no long runs */
    add_engine(chosen->engines[i], out, why);
  }
}

/* ---- turns ---- */

/* In a list, the first ones are the most promising: each of the others gets a quarter of what one of them does. */
enum { MOST_PROMISING = 6, PART_OF_OTHERS = 4 };

typedef struct engine_plan {
  const engine *engine; /* NULL: all others, and the last of a table */
  turn_plan plan;
} engine_plan;

/* Setting up an engine may take longer than its first turns do. */
#define WHOLE_TURNS \
  { 0, UINT64_MAX, 1 }
/* On a large step `kind`, which is quick with short runs and slow with long ones, and `pdr` begin alone; what these do
 * not decide soon is mostly decided by `pdr` later. Those that are seldom of use begin last. */
static const engine_plan wide_plans[] = {
    {&engine_kind, {0, 200 * 1000, 16}},  {&engine_pdr, {30 * 1000, UINT64_MAX, 1}},
    {&engine_spacer, {200 * 1000, 0, 8}}, {&engine_explicit, {200 * 1000, 0, 16}},
    {NULL, {1000 * 1000, 0, 16}},
};
/* On small steps of infinite systems `kind` decides what is inductive as it stands, or soon wrong; the two others that
 * work backwards by single states are of use when those with larger sets have not ended soon. */
static const engine_plan narrow_plans[] = {
    {&engine_kind, {15 * 1000, 50 * 1000, 8}},
    {&engine_accelerate, {50 * 1000, 50 * 1000, 8}},
    {&engine_spacer, {100 * 1000, 0, 2}},
    {&engine_pdr, {100 * 1000, 0, 2}},
    {&engine_invuni, {30 * 1000, 0, 4}},
    {&engine_syntactic, {30 * 1000, 0, 4}},
    {NULL, WHOLE_TURNS},
};
/* Of many counters without control, as of nets and protocols with any number of processes, `fbar` knows most and is soon
 * done if it can do it at all. What it cannot do is mostly a matter of a long search, by single states or by `alpha`, or
 * of `kind` and `syntactic`, for a short time. */
static const engine_plan net_plans[] = {
    {&engine_explicit, WHOLE_TURNS},
    {&engine_alpha, WHOLE_TURNS},
    {&engine_fbar, {0, 100 * 1000, 16}},
    {&engine_widen, {0, 30 * 1000, 8}},
    {&engine_kind, {15 * 1000, 15 * 1000, 16}},
    {&engine_syntactic, {15 * 1000, 50 * 1000, 8}},
    {&engine_spacer, {400 * 1000, 0, 8}},
    {&engine_pdr, {400 * 1000, 0, 8}},
    {&engine_invuni, {400 * 1000, 0, 8}},
    {NULL, {0, 15 * 1000, 8}},
};
/* A search that will end is let go on. */
static const engine_plan small_plans[] = {
    {&engine_explicit, WHOLE_TURNS}, {&engine_spacer, {100 * 1000, 0, 4}}, {&engine_invuni, {0, 0, 4}},
    {&engine_syntactic, {0, 0, 4}},  {NULL, {0, 400 * 1000, 2}},
};

/* Of clauses with reals Spacer knows most by far, of systems `pdr`. */
static const engine_plan reals_plans[] = {{&engine_spacer, WHOLE_TURNS},
                                          {&engine_pdr, {0, 200 * 1000, 2}},
                                          {&engine_kind, {0, 2000 * 1000, 4}},
                                          {&engine_widen, {0, 5 * 1000, 32}},
                                          {NULL, {0, 30 * 1000, 16}}};

static const engine_plan real_system_plans[] = {
    {&engine_pdr, WHOLE_TURNS},
    {&engine_kind, {0, 50 * 1000, 8}},
    {&engine_widen, {30 * 1000, 0, 8}},
    {NULL, {30 * 1000, 0, 4}},
};

/* On trees `pdr` decides more than Spacer, which is quicker on what it decides. What `widen` decides it mostly decides
 * soon, as they do. */
static const engine_plan trees_plans[] = {
    {&engine_pdr, WHOLE_TURNS},
    {&engine_spacer, {0, 100 * 1000, 8}},
    {&engine_widen, {0, 5 * 1000, 32}},
    {NULL, {0, 30 * 1000, 16}},
};

/* A program with few inputs is soon run. */
static const engine_plan procedures_plans[] = {{&engine_explicit, {0, 100 * 1000, 4}},
                                               {&engine_pdr, WHOLE_TURNS},
                                               {&engine_spacer, {0, 100 * 1000, 8}},
                                               {&engine_widen, {0, 5 * 1000, 32}},
                                               {NULL, {0, 30 * 1000, 16}}};

/* Spacer decides soon what it decides, and its runs are short. What else is wrong with arrays is soon seen in some run,
 * mostly: four steps of a long one are a unit of work. */
static const engine_plan arrays_plans[] = {
    {&engine_walk, {0, 200 * 1000, 4}}, {&engine_spacer, {0, 300 * 1000, 4}}, {NULL, WHOLE_TURNS}};

/* What was unfolded has the way back to be found too, once for each proof. */
static const engine_plan unfolded_plans[] = {
    {&engine_spacer, WHOLE_TURNS}, {&engine_pdr, {0, 100 * 1000, 2}}, {NULL, {0, 50 * 1000, 4}}};

/* Programs with many ways are proved by `pdr`, with many lemmas. What `kind` decides of them it decides soon; later it
 * takes long, and evidence of many steps takes longer still to check. */
static const engine_plan program_plans[] = {{&engine_pdr, WHOLE_TURNS}, {NULL, {0, 300 * 1000, 8}}};

static const engine_plan *plans_for(const model_look *look) {
  const order *chosen = order_for(look);
  if (chosen == &wide_order) return wide_plans;
  if (chosen == &reals_order) return reals_plans;
  if (chosen == &real_system_order) return real_system_plans;
  if (chosen == &arrays_order) return arrays_plans;
  if (chosen == &trees_order) return trees_plans;
  if (chosen == &procedures_order) return procedures_plans;
  if (chosen == &unfolded_order) return unfolded_plans;
  if (chosen == &small_order) return small_plans;
  if (chosen == &net_order) return net_plans;
  if (chosen == &program_order) return program_plans;
  return chosen == &infinite_order || chosen == &large_order || chosen == &nonlinear_order || chosen == &divisions_order
             ? narrow_plans
             : NULL;
}

turn_plan engine_order_plan(const model_look *look, const engine *e, size_t position) {
  const engine_plan *plans = look ? plans_for(look) : NULL;
  if (!plans) return (turn_plan){0, position < MOST_PROMISING ? UINT64_MAX : 0, PART_OF_OTHERS};
  if (e == &engine_invuni && look->has_lemmas) return (turn_plan)WHOLE_TURNS;
  while (plans->engine && plans->engine != e) plans++;
  return plans->plan;
}

uint64_t turn_plan_share(const turn_plan *p, uint64_t turn) {
  return turn <= p->slows ? turn : p->slows + (turn - p->slows) / p->part;
}
