/* Without a `domain` of the model: initial and bad states, and the places of processes, each of them and its
 * complement; then the atoms of the property and of guards, likewise, as long as the blocks are not too many. */
#include "engine/fbar/first_domain.h"

#include "term/bounds.h"

/* More blocks than this do not come from places. */
enum { MOST_PLACES = 1024 };

typedef struct building {
  problem *p;
  partition *partition;
} building;

/* False if there would be more blocks than `most`. */
static bool refine(building *b, TAKE cut c, size_t most) {
  bool fits = partition_count(b->partition) + cut_splits(&c) <= most;
  split_vector splits = {0};
  if (fits) partition_refine(b->partition, &c, &splits);
  cut_free(b->partition, &c);
  VECTOR_FREE(splits);
  return fits;
}

static void add_set(building *b, const points *of) { refine(b, cut_inside(b->partition, of), SIZE_MAX); }
static void add_complement(building *b, const points *of) { refine(b, cut_outside(b->partition, of), SIZE_MAX); }

static void add_both(building *b, term t, size_t most) {
  region *r = region_of_term(b->p->sets, b->p->frame, t);
  if (r && refine(b, cut_inside(b->partition, points_of_region(r)), most)) add_complement(b, points_of_region(r));
  region_free(r);
}

static void add_places(building *b) {
  const model *m = b->p->model;
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    const type *of = variable_type(b->p->ts, v);
    if (!of->is_location) continue;
    uint64_t values = type_size(of, MOST_PLACES + 1);
    int64_t low = 0;
    if (!number_to_int64(of->low, &low)) continue;
    for (uint64_t k = 0; k < values && k < MOST_PLACES; k++) {
      term at = term_eq(b->p->ts, term_of_variable(b->p->ts, v), term_int(b->p->ts, low + (int64_t)k));
      add_both(b, at, MOST_PLACES);
    }
  }
}

/* Over state variables, and not about places only, which are there already. */
static bool is_wanted(const problem *p, term atom) {
  variable_vector all = {0};
  term_variables(p->ts, 1, &atom, &all);
  bool of_states = true, data = false;
  for (size_t i = 0; i < all.count; i++) {
    of_states &= model_is_state_variable(p->model, all.at[i]);
    data |= !variable_type(p->ts, all.at[i])->is_location;
  }
  VECTOR_FREE(all);
  return of_states && data && presburger_can(p->ts, atom);
}

static void collect_atoms(const problem *p, term t, term_vector *out) {
  term_vector atoms = {0};
  term_atoms(p->ts, term_lift_ite(p->ts, term_simplify_in_types(p->ts, t)), &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    bool there = !is_wanted(p, atoms.at[i]);
    for (size_t j = 0; j < out->count && !there; j++) there = term_same(out->at[j], atoms.at[i]);
    if (!there) VECTOR_PUSH(*out, atoms.at[i]);
  }
  VECTOR_FREE(atoms);
}

static void add_atoms(building *b) {
  const model *m = b->p->model;
  const property *wanted = &m->properties.at[b->p->env->property];
  term_vector atoms = {0};
  for (size_t i = 0; i < m->predicates.count; i++) collect_atoms(b->p, m->predicates.at[i], &atoms);
  if (wanted->kind != PROPERTY_DEADLOCKFREE) collect_atoms(b->p, wanted->bad, &atoms);
  for (size_t i = 0; i < m->transitions.count; i++) collect_atoms(b->p, m->transitions.at[i].guard, &atoms);
  for (size_t i = 0; i < atoms.count && !partition_trouble(b->partition); i++)
    add_both(b, atoms.at[i], b->p->env->options->blocks);
  VECTOR_FREE(atoms);
}

static void add_declared(building *b) {
  const model *m = b->p->model;
  for (size_t i = 0; i < m->domain.count; i++) {
    region *r = region_of_term(b->p->sets, b->p->frame, m->domain.at[i]);
    if (r) add_set(b, points_of_region(r));
    region_free(r);
  }
}

/* What every algorithm needs. */
static void add_ends(building *b, const points *first, const points *last, bool initial) {
  add_complement(b, last);
  add_set(b, last);
  add_complement(b, first);
  if (initial) add_set(b, first);
}

partition *first_domain(problem *p, method how) {
  const points *first = points_of_region(p->first), *last = points_of_region(p->last);
  building b = {p, partition_new(presburger_space_interface(&p->space), points_of_region(region_copy(p->all)), first,
                                 last, p->env->budget)};
  bool declared = p->model->domain.count > 0, is_cgr = how == METHOD_CGR || how == METHOD_CGR_DUAL;
  if (is_cgr && p->env->options->moore) {
    partition_close_under_meets_only(b.partition);
    add_complement(&b, how == METHOD_CGR ? last : first); /* all that these algorithms need */
  } else {
    add_ends(&b, first, last, !declared || how == METHOD_FBAR_SYM);
  }
  if (declared) {
    add_declared(&b);
  } else {
    add_places(&b);
    if (p->env->options->blocks) add_atoms(&b);
  }
  return b.partition;
}

partition *first_domain_of_net(net *n) {
  space s = upward_space_interface(&n->space);
  building b = {NULL, partition_new(s, s.copy(s.self, n->all), n->first, n->last, n->env->budget)};
  add_ends(&b, n->first, n->last, true);
  return b.partition;
}
