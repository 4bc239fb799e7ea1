/* Bottom-up derivation of ground facts from Horn clauses: what the clauses derive from the facts that are known, until a
 * query is among it or nothing new is.
 *
 *   instances.c   instances of clauses
 *   here          rounds: consequences of new facts first; if there are none, more heads of instances left open
 *
 * Each fact is looked at once, together with itself and all earlier ones. */
#include "engine/derive/derive.h"

#include "proof/clause_rewriting.h"

enum { FACTS_A_STEP = 200 };

static void *derive_open(engine_environment *env) {
  derive *d = MEMORY_NEW(derive);
  d->env = env;
  d->ts = env->model->terms;
  d->is_as_read = !env->model->clauses->is_horn;
  d->all = d->is_as_read ? env->model->clauses : clauses_lowered(env->model->clauses);
  facts_open(&d->known, d->ts, d->all);
  d->solver = solver_new(d->ts, env->budget);
  for (size_t i = 0; i < variable_count(d->ts); i++) {
    VECTOR_PUSH(d->assignment, number_of(0));
    VECTOR_PUSH(d->is_bound, false);
  }
  return d;
}

static void derive_close(void *state) {
  derive *d = state;
  for (size_t i = 0; i < d->open.count; i++) open_instance_clear(&d->open.at[i]);
  for (size_t i = 0; i < d->plans.count; i++) clause_plan_free(d->plans.at[i]);
  VECTOR_FREE(d->open);
  VECTOR_FREE(d->plans);
  VECTOR_FREE(d->is_whole);
  VECTOR_FREE(d->assignment);
  VECTOR_FREE(d->is_bound);
  facts_close(&d->known);
  solver_free(d->solver);
  memory_free(d);
}

/* Queries of other properties derive nothing that is asked for. */
static bool is_asked_for(const derive *d, const clause *c) {
  return c->head != NO_PREDICATE || c->property == d->env->property;
}

static void use_clauses_without_body(derive *d) {
  for (uint32_t i = 0; i < d->all->clauses.count && d->known.query == NO_FACT; i++) {
    const clause *c = &d->all->clauses.at[i];
    if (!c->body.count && is_asked_for(d, c)) instances_with(d, i, 0, NO_FACT);
  }
}

static void use_fact(derive *d, uint32_t fact) {
  uint32_t predicate = d->known.list.at[fact].predicate;
  for (uint32_t i = 0; i < d->all->clauses.count && d->known.query == NO_FACT; i++) {
    const clause *c = &d->all->clauses.at[i];
    if (!is_asked_for(d, c)) continue;
    for (size_t j = 0; j < c->body.count; j++)
      if (c->body.at[j].predicate == predicate) instances_with(d, i, j, fact);
  }
}

static void use_open(derive *d) {
  size_t count = d->open.count, kept = 0;
  for (size_t i = 0; i < count; i++) {
    open_instance o = d->open.at[i];
    if (budget_spent(d->env->budget) || instances_more(d, &o))
      d->open.at[kept++] = o;
    else
      open_instance_clear(&o);
  }
  d->open.count = kept;
}

/* ---- the end ---- */

static engine_status conclude(derive *d, claim *out) {
  const char *spent = budget_spent(d->env->budget);
  if (d->known.query == NO_FACT && spent) return claim_give_up(out, spent);
  if (d->known.query == NO_FACT && d->unsure) return claim_give_up(out, d->unsure);
  out->verdict = d->known.query == NO_FACT ? VERDICT_SAFE : VERDICT_UNSAFE;
  if (d->known.query != NO_FACT)
    facts_derive(&d->known, d->known.query, &out->evidence);
  else if (!facts_interpret(&d->known, &out->evidence))
    return claim_give_up(out, "these are too many facts");
  char *why = NULL;
  if (!d->is_as_read) why = clause_rewriting_back(d->env->model, d->env->property, &out->evidence, d->env->budget);
  if (why) claim_give_up(out, why);
  memory_free(why);
  return ENGINE_DONE;
}

static void report(derive *d) {
  statistics *st = d->env->statistics;
  st->states = d->known.list.count;
  st->iterations++;
  events_progress(d->env->events, "%zu facts, %zu instances open", d->known.list.count, d->open.count);
}

static engine_status derive_step(void *state, claim *out) {
  derive *d = state;
  if (!d->has_begun) use_clauses_without_body(d);
  d->has_begun = true;
  for (size_t i = 0; i < FACTS_A_STEP && d->looked_at < d->known.list.count && d->known.query == NO_FACT; i++)
    use_fact(d, (uint32_t)d->looked_at++);
  if (d->looked_at == d->known.list.count && d->known.query == NO_FACT) use_open(d);
  report(d);
  bool is_done = d->looked_at == d->known.list.count && !d->open.count;
  if (d->known.query != NO_FACT || is_done || budget_spent(d->env->budget)) return conclude(d, out);
  return ENGINE_GOES_ON;
}

static bool derive_wants_model_as_read(const options *o, const model *m, size_t property) {
  (void)o, (void)m, (void)property;
  return true;
}

const engine engine_derive = {
    .name = "derive",
    .title = "bottom-up derivation of ground facts from Horn clauses",
    .paper = "",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL | ENGINE_ONLY_CLAUSES,
    .open = derive_open,
    .step = derive_step,
    .close = derive_close,
    .treats_trees = true,
    .treats_reals = true,
    .wants_model_as_read = derive_wants_model_as_read,
};
