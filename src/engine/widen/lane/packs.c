/* Finds the packs by joining variables that a formula or an update mentions together, splits the bad states among them,
 * proves each over its own variables, and conjoins the proofs by place. */
#include "engine/widen/lane/packs.h"

#include "engine/widen/graph/location_variables.h"
#include "engine/widen/invariant.h"

typedef struct pack {
  term bad;   /* disjuncts of the property's bad states */
  bool *kept; /* by variable's position */
} pack;

struct packs {
  const model *model;
  VECTOR(pack) all;
};

/* ---- which variables belong together ---- */

typedef struct joining {
  const model *model;
  size_t *leader; /* by position; NOT_DATA for control and nodes */
} joining;

#define NOT_DATA SIZE_MAX

static size_t leader_of(const joining *j, size_t i) {
  while (j->leader[i] != i) i = j->leader[i];
  return i;
}

/* `with` may be SIZE_MAX: nothing yet. The position that all of them are together with now. */
static size_t join_variables(joining *j, const variable_vector *all, size_t with) {
  for (size_t i = 0; i < all->count; i++) {
    size_t at = model_position(j->model, all->at[i]);
    if (at == SIZE_MAX || j->leader[at] == NOT_DATA) continue;
    if (with == SIZE_MAX) with = at;
    size_t a = leader_of(j, at), b = leader_of(j, with);
    j->leader[a > b ? a : b] = a > b ? b : a;
  }
  return with;
}

static size_t join_term(joining *j, term t, size_t with) {
  variable_vector all = {0};
  term_variables(j->model->terms, 1, &t, &all);
  with = join_variables(j, &all, with);
  VECTOR_FREE(all);
  return with;
}

/* Inputs connect the variables that are compared with them. */
static void join_atoms(joining *j, term t, size_t count, const variable *inputs) {
  terms *ts = j->model->terms;
  term_vector atoms = {0};
  term_atoms(ts, t, &atoms);
  size_t *with = MEMORY_ARRAY(size_t, count + 1);
  for (size_t i = 0; i < count; i++) with[i] = SIZE_MAX;
  for (size_t i = 0; i < atoms.count; i++) {
    join_term(j, atoms.at[i], SIZE_MAX);
    for (size_t k = 0; k < count; k++)
      if (term_mentions(ts, atoms.at[i], inputs[k])) with[k] = join_term(j, atoms.at[i], with[k]);
  }
  memory_free(with);
  VECTOR_FREE(atoms);
}

static void join_transition(joining *j, const transition *t) {
  join_atoms(j, transition_enabled(j->model, t), t->inputs.count, t->inputs.at);
  for (size_t i = 0; i < t->updates.count; i++) {
    size_t at = model_position(j->model, t->updates.at[i].var);
    if (j->leader[at] != NOT_DATA) join_term(j, t->updates.at[i].value, at);
  }
}

static joining join_all(const model *m) {
  joining j = {m, MEMORY_ARRAY(size_t, m->variables.count + 1)};
  location_variables control = {0};
  location_variables_find(m, CONTROL_FINITE, &control);
  for (size_t i = 0; i < m->variables.count; i++) j.leader[i] = i;
  for (size_t i = 0; i < control.count; i++) j.leader[model_position(m, control.at[i].var)] = NOT_DATA;
  location_variables_clear(&control);
  join_atoms(&j, m->init, 0, NULL);
  for (size_t i = 0; i < m->transitions.count; i++) join_transition(&j, &m->transitions.at[i]);
  return j;
}

/* ---- which part of the property is about which ---- */

static void keep_for(const joining *j, term bad, bool *kept) {
  variable_vector all = {0};
  term_variables(j->model->terms, 1, &bad, &all);
  for (size_t i = 0; i < all.count; i++) {
    size_t at = model_position(j->model, all.at[i]);
    if (at == SIZE_MAX || j->leader[at] == NOT_DATA) continue;
    for (size_t k = 0; k < j->model->variables.count; k++)
      kept[k] |= j->leader[k] != NOT_DATA && leader_of(j, k) == leader_of(j, at);
  }
  VECTOR_FREE(all);
}

/* With the disjuncts before it that are about the same variables, if there are such. */
static void add_disjunct(packs *p, const joining *j, term bad) {
  bool *kept = MEMORY_ARRAY(bool, p->model->variables.count + 1);
  keep_for(j, bad, kept);
  for (size_t i = 0; i < p->all.count; i++) {
    if (memcmp(p->all.at[i].kept, kept, p->model->variables.count * sizeof *kept) != 0) continue;
    p->all.at[i].bad = term_or(p->model->terms, p->all.at[i].bad, bad);
    memory_free(kept);
    return;
  }
  VECTOR_PUSH(p->all, (pack){bad, kept});
}

static bool is_whole(const joining *j, const pack *p) {
  for (size_t i = 0; i < j->model->variables.count; i++)
    if (j->leader[i] != NOT_DATA && !p->kept[i]) return false;
  return true;
}

packs *packs_new(const model *m, term bad) {
  packs *p = MEMORY_NEW(packs);
  p->model = m;
  joining j = join_all(m);
  term_vector disjuncts = {0};
  term_disjuncts(m->terms, bad, &disjuncts);
  for (size_t i = 0; i < disjuncts.count; i++) add_disjunct(p, &j, disjuncts.at[i]);
  bool useful = p->all.count > 0;
  for (size_t i = 0; i < p->all.count; i++) useful &= !is_whole(&j, &p->all.at[i]);
  VECTOR_FREE(disjuncts);
  memory_free(j.leader);
  if (useful) return p;
  packs_free(p);
  return NULL;
}

void packs_free(packs *p) {
  if (!p) return;
  for (size_t i = 0; i < p->all.count; i++) memory_free(p->all.at[i].kept);
  VECTOR_FREE(p->all);
  memory_free(p);
}

size_t packs_count(const packs *p) { return p->all.count; }

/* ---- proofs ---- */

typedef struct proof {
  term place, formula;
} proof;
typedef VECTOR(proof) proof_vector;

/* What was known at a place, and what this pack adds. A place that one pack does not reach is not reached. */
static void add_proof(const program *p, const run *r, bool first, proof_vector *out) {
  terms *ts = p->graph->frame.model->terms;
  term *formulas = invariant_formulas(p, r);
  for (size_t i = 0; i < out->count; i++) {
    term here = TERM_FALSE;
    for (uint32_t at = 0; at < p->graph->locations.count; at++)
      if (term_same(location_term(p->graph, at), out->at[i].place)) here = term_or(ts, here, formulas[at]);
    out->at[i].formula = term_and(ts, out->at[i].formula, here);
  }
  for (uint32_t at = 0; first && at < p->graph->locations.count; at++)
    VECTOR_PUSH(*out, (proof){location_term(p->graph, at), formulas[at]});
  memory_free(formulas);
}

static bool prove_pack(const pack *k, engine_environment *env, polyhedra *s, const lane_style *style, widening how,
                       uint64_t work, size_t runs, bool first, proof_vector *out) {
  const char *why = NULL;
  polyhedra_allow(s, work);
  graph *g = graph_new_over(env->model, &k->bad, k->kept, style->control, s, env->budget, &why);
  if (!g) return false;
  program *p = program_new(g);
  numeric *n = numeric_new(p, (numeric_style){.widening = how,
                                              .weak_hull = style->weak_hull,
                                              .limits = style->limits,
                                              .guard_limits = style->guard_limits});
  repair *r = repair_new(numeric_domain(n), style->repair, style->name, env->events);
  repair_end end = REPAIR_GOES_ON;
  for (size_t i = 0; i < runs && end == REPAIR_GOES_ON; i++) end = repair_step(r, env->budget);
  bool proved = end == REPAIR_PROVED && !polyhedra_failure(s);
  if (proved) add_proof(p, repair_run(r), first, out);
  proved &= !polyhedra_failure(s);
  repair_free(r);
  numeric_free(n);
  program_free(p);
  return proved;
}

bool packs_prove(const packs *p, engine_environment *env, polyhedra *s, const lane_style *style, widening how,
                 uint64_t work, size_t runs, evidence *out) {
  terms *ts = p->model->terms;
  proof_vector known = {0};
  bool proved = true;
  for (size_t i = 0; i < p->all.count && proved; i++)
    proved = prove_pack(&p->all.at[i], env, s, style, how, work, runs, i == 0, &known);
  if (proved) out->kind = EVIDENCE_INVARIANT;
  for (size_t i = 0; i < known.count && proved; i++)
    if (!term_is_false(known.at[i].formula))
      evidence_add_part(ts, out, term_and(ts, known.at[i].place, known.at[i].formula));
  VECTOR_FREE(known);
  return proved;
}
