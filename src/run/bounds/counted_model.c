/* Variables that never change hold what bounds are made of, so that products are of two variables only. */
#include "run/bounds/counted_model.h"

/* What there is for a unit. */
typedef struct unit_variables {
  term count, start, bound;
  term_vector adds; /* by growth */
} unit_variables;

typedef struct counting {
  const frozen_model *f;
  const bound_units *units;
  model *m;
  bool *is_used;          /* by unit */
  unit_variables *made;   /* likewise */
  term_vector *invariant; /* its conjuncts */
} counting;

static void mark_used(const bound_units *units, const index_vector *of, bool *is_used) {
  for (size_t i = 0; i < of->count; i++) is_used[of->at[i]] = true;
  for (size_t i = units->count; i-- > 0;)
    for (size_t j = 0; is_used[i] && j < units->at[i].growths.count; j++)
      is_used[units->at[i].growths.at[j].unit] = true;
}

static term add_variable(counting *c, const char *stem, variable_role role) {
  return term_of_variable(c->m->terms, frozen_add_variable(c->m, stem, &(type){.sort = SORT_INT}, role));
}

static void add_init(counting *c, term formula) { c->m->init = term_and(c->m->terms, c->m->init, formula); }

/* One that never changes, with this value. */
static term add_value(counting *c, const char *stem, term value) {
  term made = add_variable(c, stem, ROLE_PARAMETER), is_so = term_eq(c->m->terms, made, value);
  add_init(c, is_so);
  return made;
}

static term positive_part(terms *ts, term value, bool is_positive) {
  return is_positive ? value : term_max(ts, value, term_int(ts, 0));
}

static term add_count(counting *c, const char *stem, const index_vector *transitions) {
  terms *ts = c->m->terms;
  term count = add_variable(c, stem, ROLE_STATE);
  add_init(c, term_eq(ts, count, term_int(ts, 0)));
  for (size_t i = 0; i < transitions->count; i++)
    transition_add_update(&c->m->transitions.at[transitions->at[i]], term_variable(ts, count),
                          term_add(ts, count, term_int(ts, 1)));
  return count;
}

/* What the unit says, of the states of the counted model. */
static void add_invariant(counting *c, const bound_unit *u, const unit_variables *v, term bound) {
  terms *ts = c->m->terms;
  term none = term_int(ts, 0), used = term_scale(ts, number_of(u->by), v->count), most = v->start;
  for (size_t i = 0; i < u->growths.count; i++) {
    most = term_add(ts, most, term_mul(ts, c->made[u->growths.at[i].unit].count, v->adds.at[i]));
    VECTOR_PUSH(*c->invariant,
                term_eq(ts, v->adds.at[i], positive_part(ts, u->growths.at[i].by, u->growths.at[i].is_positive)));
    VECTOR_PUSH(*c->invariant, term_ge(ts, v->adds.at[i], none));
  }
  VECTOR_PUSH(*c->invariant, term_le(ts, term_add(ts, used, term_max(ts, u->potential, none)), most));
  VECTOR_PUSH(*c->invariant, term_eq(ts, v->bound, bound));
  VECTOR_PUSH(*c->invariant, term_ge(ts, v->count, none));
  VECTOR_PUSH(*c->invariant, term_ge(ts, v->start, none));
  VECTOR_PUSH(*c->invariant, term_le(ts, v->count, v->bound));
}

static void add_unit(counting *c, size_t number) {
  terms *ts = c->m->terms;
  const bound_unit *u = &c->units->at[number];
  unit_variables *v = &c->made[number];
  term first = frozen_model_first(c->f, u->potential);
  v->count = add_count(c, "count@", &u->transitions);
  v->start = add_value(c, "start@", positive_part(ts, first, u->is_positive));
  term sum = v->start;
  for (size_t i = 0; i < u->growths.count; i++) {
    const unit_growth *g = &u->growths.at[i];
    VECTOR_PUSH(v->adds, add_value(c, "adds@", positive_part(ts, g->by, g->is_positive)));
    sum = term_add(ts, sum, term_mul(ts, c->made[g->unit].bound, v->adds.at[i]));
  }
  term bound = u->by == 1 ? sum : term_div(ts, sum, term_int(ts, u->by));
  v->bound = add_value(c, "bound@", bound);
  add_invariant(c, u, v, bound);
}

static void add_property(counting *c, const bound_subject *subject, const index_vector *of) {
  terms *ts = c->m->terms;
  term taken = add_count(c, "taken@", &subject->transitions), most = term_int(ts, 0), counts = most;
  for (size_t i = 0; i < of->count; i++) {
    most = term_add(ts, most, c->made[of->at[i]].bound);
    counts = term_add(ts, counts, c->made[of->at[i]].count);
  }
  VECTOR_PUSH(*c->invariant, term_le(ts, taken, counts));
  VECTOR_PUSH(*c->invariant, term_le(ts, taken, most));
  model_add_property(c->m, "bound", PROPERTY_SAFE, subject->at)->bad = term_lt(ts, most, taken);
}

void counted_model_make(const frozen_model *f, term facts, const bound_subject *subject, const bound_units *units,
                        const index_vector *of, counted_model *out) {
  term_vector invariant = {0};
  counting c = {.f = f, .units = units, .m = model_copy(f->m), .invariant = &invariant};
  c.f = &(frozen_model){.m = c.m, .made = {f->made.at, f->made.count, f->made.room}, .values = f->values};
  c.is_used = MEMORY_ARRAY(bool, units->count + 1);
  c.made = MEMORY_ARRAY(unit_variables, units->count + 1);
  VECTOR_PUSH(invariant, facts);
  mark_used(units, of, c.is_used);
  for (size_t i = 0; i < units->count; i++)
    if (c.is_used[i]) add_unit(&c, i);
  add_property(&c, subject, of);
  *out = (counted_model){.m = c.m, .evidence = {.kind = EVIDENCE_INVARIANT}};
  evidence_add_part(c.m->terms, &out->evidence, term_and_all(c.m->terms, invariant.count, invariant.at));
  for (size_t i = 0; i < units->count; i++) VECTOR_FREE(c.made[i].adds);
  memory_free(c.made);
  memory_free(c.is_used);
  VECTOR_FREE(invariant);
}

void counted_model_clear(counted_model *c) {
  evidence_clear(&c->evidence);
  model_free(c->m);
}
