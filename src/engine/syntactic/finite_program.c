/* Building the abstract program from a closure. T_A of the paper is read so that it conjoins guards, lets one action be
 * taken at a time (its "for all a" is an "or"), and that Phi ranges over old and new predicates together. */
#include "engine/syntactic/finite_program.h"

#include "base/map.h"
#include "engine/syntactic/consistency_formula.h"
#include "engine/syntactic/simplify_in_context.h"
#include "model/control.h"
#include "term/substitute.h"

/* Of which the names are looked at. */
enum { MOST_INPUTS = 1000 };

/* ---- names ---- */

static bool is_of_model(const model *m, variable v) {
  bool found = model_is_state_variable(m, v);
  for (size_t i = 0; i < m->transitions.count && !found; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count && !found; j++)
      found = variable_same(m->transitions.at[i].inputs.at[j], v);
  return found;
}

/* Booleans of an earlier program are not in the way: they are used again. */
static bool is_taken(const model *m, const char *name) {
  variable v;
  bool taken =
      variable_find(m->terms, name, &v) && (variable_type(m->terms, v)->sort != SORT_BOOL || is_of_model(m, v));
  for (size_t i = 0; i < m->definitions.count && !taken; i++) taken = !strcmp(m->definitions.at[i].name, name);
  for (size_t i = 0; i < m->processes.count && !taken; i++) taken = !strcmp(m->processes.at[i].name, name);
  return taken;
}

/* `stem` with letters added until no name of the model is it with one of the numbers 1..count behind. */
static GIVE char *free_stem(const model *m, const char *stem, size_t count) {
  char *result = memory_copy_string(stem);
  for (size_t i = 1; i <= count; i++) {
    char *name = text_format("%s%zu", result, i);
    if (is_taken(m, name)) {
      char *longer = text_format("%s_", result);
      memory_free(result);
      result = longer;
      i = 0;
    }
    memory_free(name);
  }
  return result;
}

typedef struct naming {
  const model *m;
  char *stem;
  size_t next;
} naming;

static variable new_boolean(naming *n) {
  char *name = text_format("%s%zu", n->stem, n->next++);
  variable v;
  if (!variable_find(n->m->terms, name, &v)) v = variable_new(n->m->terms, name, &(type){.sort = SORT_BOOL});
  memory_free(name);
  return v;
}

/* ---- work ---- */

typedef struct building {
  finite_program *p;
  const closure *c;
  terms *ts;
  naming inputs;
  map *input_of; /* index of an atom that is no old predicate -> its variable */
  map *bits; /* index of an atom -> x of its boolean: of old predicates and, while an action is made, of its inputs */
} building;

static term bit_term(const building *b, term atom) {
  uint64_t x = 0;
  REQUIRE(map_get(b->bits, term_index(atom), &x), "an atom with a boolean");
  return (term){(uint32_t)x};
}

static void say_inexact(finite_program *p, const char *why) {
  p->exact = false;
  if (!p->inexact) p->inexact = memory_copy_string(why);
}

/* ---- consistency ---- */

static bool add_phi(building *b, const term_vector *atoms, const bool *wanted, term context, term_vector *out) {
  finite_program *p = b->p;
  term_vector bits = {0};
  const char *reason;
  bool exact = true;
  for (size_t i = 0; i < atoms->count; i++) VECTOR_PUSH(bits, bit_term(b, atoms->at[i]));
  consistency_question q = {atoms->count, atoms->at, bits.at, wanted, context, p->grouped};
  bool fine = consistency_formula_add(b->ts, b->c->allsat, b->c->budget, &q, out, &exact, &reason);
  if (!fine) p->trouble = reason;
  if (!exact)
    say_inexact(p, p->grouped ? "consistency is stated for each linear part by itself"
                              : "some question about integers could not be answered");
  VECTOR_FREE(bits);
  return fine;
}

static term map_here(const building *b, term t) { return simplify_replace(b->ts, t, b->bits); }

static void add_conjuncts(const building *b, term t, term_vector *out) { term_conjuncts(b->ts, map_here(b, t), out); }

/* ---- variables and the initial condition ---- */

static void make_bits(building *b) {
  finite_program *p = b->p;
  const model *m = b->c->system->model;
  naming n = {m, free_stem(m, "b", b->c->old), 1};
  for (size_t i = 0; i < b->c->old; i++) {
    program_bit bit = {new_boolean(&n), b->c->predicates.at[i]};
    VECTOR_PUSH(p->bits, bit);
    map_set(b->bits, term_index(bit.atom), term_of_variable(b->ts, bit.var).x);
    map_set(p->atom_to_bit, term_index(bit.atom), term_of_variable(b->ts, bit.var).x);
  }
  memory_free(n.stem);
}

static void adopt_variables(building *b) {
  const predicate_model *s = b->c->system;
  for (size_t i = 0; i < s->model->variables.count; i++)
    if (map_get(s->control_of, s->model->variables.at[i].var.x, NULL))
      model_adopt_variable(b->p->model, s->model->variables.at[i]);
  for (size_t i = 0; i < b->p->bits.count; i++)
    model_adopt_variable(b->p->model, (state_variable){.var = b->p->bits.at[i].var, .role = ROLE_STATE});
  for (size_t i = 0; i < s->model->processes.count; i++) VECTOR_PUSH(b->p->model->processes, s->model->processes.at[i]);
}

static bool has(const term_vector *all, term t) {
  for (size_t i = 0; i < all->count; i++)
    if (term_same(all->at[i], t)) return true;
  return false;
}

/* I_A: the initial condition in booleans, and Psi: what goes together with it. All atoms of the condition have
 * booleans, so it need not be a context for Psi; its literals are, because that leaves fewer assignments. */
static void make_init(building *b) {
  const predicate_model *s = b->c->system;
  finite_program *p = b->p;
  term_vector parts = {0}, data = {0}, psi = {0}, atoms = {0};
  term_conjuncts(b->ts, s->init, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    add_conjuncts(b, parts.at[i], &p->init);
    if (term_is_atom(b->ts, parts.at[i]) && !predicate_model_is_control(s, parts.at[i])) VECTOR_PUSH(data, parts.at[i]);
  }
  p->own_init = p->init.count;
  term context = term_and_all(b->ts, data.count, data.at);
  for (size_t i = 0; i < b->c->old; i++) VECTOR_PUSH(atoms, b->c->predicates.at[i]);
  if (answer_is_no(allsat_satisfiable(b->c->allsat, term_and(b->ts, context, s->facts))))
    VECTOR_PUSH(p->init, TERM_FALSE);
  else
    add_phi(b, &atoms, NULL, context, &psi);
  for (size_t i = 0; i < psi.count; i++)
    if (!has(&p->init, psi.at[i])) VECTOR_PUSH(p->init, psi.at[i]);
  term_vector all = {0};
  for (size_t i = 0; i < p->init.count; i++) VECTOR_PUSH(all, p->init.at[i]);
  for (size_t i = 0; i < p->model->variables.count; i++)
    VECTOR_PUSH(all, variable_in_type(b->ts, p->model->variables.at[i].var));
  p->model->init = term_and_all(b->ts, all.count, all.at);
  VECTOR_FREE(all);
  VECTOR_FREE(parts);
  VECTOR_FREE(data);
  VECTOR_FREE(psi);
  VECTOR_FREE(atoms);
}

/* ---- actions ---- */

/* Atoms of the action that are no old predicates become its inputs. */
static void add_inputs(building *b, program_action *made, term t) {
  term_vector atoms = {0};
  predicate_model_data_atoms(b->c->system, t, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    uint64_t v;
    if (map_get(b->bits, term_index(atoms.at[i]), NULL)) continue;
    if (!map_get(b->input_of, term_index(atoms.at[i]), &v)) {
      v = new_boolean(&b->inputs).x;
      map_set(b->input_of, term_index(atoms.at[i]), v);
    }
    variable var = {(uint32_t)v};
    VECTOR_PUSH(made->inputs, (program_bit){var, atoms.at[i]});
    map_set(b->bits, term_index(atoms.at[i]), term_of_variable(b->ts, var).x);
  }
  VECTOR_FREE(atoms);
}

static void find_inputs(building *b, const closure_action *a, program_action *made) {
  add_inputs(b, made, a->enabled);
  for (size_t j = 0; j < a->updates.count; j++)
    for (size_t k = 0; k < a->updates.at[j].when.count; k++) add_inputs(b, made, a->updates.at[j].when.at[k]);
  for (size_t i = 0; i < b->c->old; i++) add_inputs(b, made, a->after.at[i]);
}

static bool inputs_are_projected(const building *b, const closure_action *a, const program_action *made) {
  if (a->projected < a->mixed.count || !a->mixed.count) return false;
  for (size_t i = 0; i < made->inputs.count; i++)
    if (map_get(b->c->position, term_index(made->inputs.at[i].atom), NULL)) return false;
  term_vector atoms = {0};
  bool known = true;
  predicate_model_data_atoms(b->c->system, a->possible, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    uint64_t at;
    if (map_get(b->c->position, term_index(atoms.at[i]), &at)) known &= at < b->c->old;
  }
  VECTOR_FREE(atoms);
  return known;
}

/* F if the inputs were projected, else Phi over the inputs and all old predicates. */
static void add_consistency(building *b, const closure_action *a, program_action *made) {
  if (!made->inputs.count) return;
  if (inputs_are_projected(b, a, made)) {
    term_vector parts = {0};
    add_inputs(b, made, a->possible);
    add_conjuncts(b, a->possible, &parts);
    for (size_t i = 0; i < parts.count; i++)
      if (!has(&made->guard, parts.at[i])) VECTOR_PUSH(made->guard, parts.at[i]);
    VECTOR_FREE(parts);
    return;
  }
  term_vector atoms = {0};
  VECTOR(bool) wanted = {0};
  for (size_t i = 0; i < b->c->old; i++) {
    VECTOR_PUSH(atoms, b->c->predicates.at[i]);
    VECTOR_PUSH(wanted, false);
  }
  for (size_t i = 0; i < made->inputs.count; i++) {
    VECTOR_PUSH(atoms, made->inputs.at[i].atom);
    VECTOR_PUSH(wanted, true);
  }
  add_phi(b, &atoms, wanted.at, TERM_TRUE, &made->guard);
  VECTOR_FREE(atoms);
  VECTOR_FREE(wanted);
}

static bool is_all_control(const predicate_model *s, term t) {
  term_vector atoms = {0};
  bool all = term_sort(s->ts, t) == SORT_BOOL;
  if (all) {
    term_atoms(s->ts, t, &atoms);
    for (size_t i = 0; i < atoms.count && all; i++) all = predicate_model_is_control(s, atoms.at[i]);
    VECTOR_FREE(atoms);
    return all;
  }
  variable_vector vars = {0};
  term_variables(s->ts, 1, &t, &vars);
  all = true;
  for (size_t i = 0; i < vars.count && all; i++) all = map_get(s->control_of, vars.at[i].x, NULL);
  VECTOR_FREE(vars);
  return all;
}

/* The value as the model says it if that is about control alone; else one value after the other, by its condition.
 */
static term control_value(const building *b, const closure_action *a, const control_update *u) {
  const predicate_model *s = b->c->system;
  const control *c = &s->controls.at[u->control];
  term original = transition_value_after(s->model, &s->model->transitions.at[a->transition], c->var);
  if (is_all_control(s, original)) return original;
  if (variable_type(b->ts, c->var)->sort == SORT_BOOL) return map_here(b, u->when.at[1]);
  term result = TERM_TRUE;
  bool first = true;
  for (uint32_t k = c->values; k-- > 0;) {
    if (term_is_false(u->when.at[k])) continue;
    term value = term_int(b->ts, c->low + k);
    result = first ? value : term_ite(b->ts, map_here(b, u->when.at[k]), value, result);
    first = false;
  }
  return first ? term_of_variable(b->ts, c->var) : result;
}

static void add_control_inputs(const building *b, const closure_action *a, transition *t) {
  const transition *from = &b->c->system->model->transitions.at[a->transition];
  for (size_t i = 0; i < from->inputs.count; i++)
    if (map_get(b->c->system->control_of, from->inputs.at[i].x, NULL)) VECTOR_PUSH(t->inputs, from->inputs.at[i]);
}

static void forget_inputs(building *b) {
  map_clear(b->bits);
  for (size_t i = 0; i < b->p->bits.count; i++)
    map_set(b->bits, term_index(b->p->bits.at[i].atom), term_of_variable(b->ts, b->p->bits.at[i].var).x);
}

static void make_action(building *b, const closure_action *a) {
  program_action *made = &b->p->actions.at[a->transition];
  transition *t = &b->p->model->transitions.at[a->transition];
  find_inputs(b, a, made);
  add_conjuncts(b, a->enabled, &made->guard);
  made->own = made->guard.count;
  add_consistency(b, a, made);
  t->guard = term_and_all(b->ts, made->guard.count, made->guard.at);
  add_control_inputs(b, a, t);
  for (size_t i = 0; i < made->inputs.count; i++) VECTOR_PUSH(t->inputs, made->inputs.at[i].var);
  for (size_t i = 0; i < a->updates.count; i++)
    transition_add_update(t, b->c->system->controls.at[a->updates.at[i].control].var,
                          control_value(b, a, &a->updates.at[i]));
  for (size_t i = 0; i < b->c->old; i++)
    if (!term_same(a->after.at[i], b->c->predicates.at[i]))
      transition_add_update(t, b->p->bits.at[i].var, map_here(b, a->after.at[i]));
  forget_inputs(b);
}

static void make_actions(building *b) {
  const model *m = b->c->system->model;
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    model_add_transition(b->p->model, t->name, t->process, TERM_FALSE, t->place);
    VECTOR_PUSH(b->p->actions, (program_action){0});
  }
  for (size_t i = 0; i < b->c->actions.count && !b->p->trouble; i++) make_action(b, &b->c->actions.at[i]);
}

static void copy_fairness(building *b) {
  const model *m = b->c->system->model;
  for (size_t i = 0; i < m->fairness.count; i++) {
    const fairness *from = &m->fairness.at[i];
    fairness f = {.kind = from->kind, .state = TERM_TRUE, .place = from->place};
    for (size_t j = 0; j < from->transitions.count; j++) VECTOR_PUSH(f.transitions, from->transitions.at[j]);
    if (f.kind == FAIR_STATE) f.state = finite_program_map(b->p, from->state);
    if (f.kind == FAIR_FORMULA) f.formula = finite_program_map_temporal(b->p, from->formula);
    VECTOR_PUSH(b->p->model->fairness, f);
  }
}

static finite_program *build(const closure *c, bool grouped) {
  finite_program *p = MEMORY_NEW(finite_program);
  *p = (finite_program){
      .closure = c, .grouped = grouped, .exact = c->exact, .trouble = c->trouble, .atom_to_bit = map_new()};
  if (c->inexact) p->inexact = memory_copy_string(c->inexact);
  if (p->trouble) return p;
  building b = {.p = p, .c = c, .ts = c->system->ts, .input_of = map_new(), .bits = map_new()};
  b.inputs = (naming){c->system->model, free_stem(c->system->model, "c", MOST_INPUTS), 1};
  p->model = model_derive(c->system->model);
  make_bits(&b);
  adopt_variables(&b);
  control_follow(c->system->model, b.p->model);
  make_init(&b);
  if (!p->trouble) make_actions(&b);
  if (!p->trouble) copy_fairness(&b);
  map_free(b.input_of);
  map_free(b.bits);
  memory_free(b.inputs.stem);
  return p;
}

finite_program *finite_program_new(const closure *c, program_consistency how) {
  finite_program *p = build(c, how == CONSISTENCY_GROUPED);
  if (!p->trouble || c->trouble || how != CONSISTENCY_ANY || budget_spent(c->budget)) return p;
  finite_program_free(p);
  return build(c, true);
}

void finite_program_free(finite_program *p) {
  if (!p) return;
  for (size_t i = 0; i < p->actions.count; i++) {
    VECTOR_FREE(p->actions.at[i].inputs);
    VECTOR_FREE(p->actions.at[i].guard);
  }
  VECTOR_FREE(p->actions);
  VECTOR_FREE(p->bits);
  VECTOR_FREE(p->init);
  if (p->model) model_free(p->model);
  map_free(p->atom_to_bit);
  memory_free(p->inexact);
  memory_free(p);
}

/* ---- formulas ---- */

term finite_program_map(const finite_program *p, term t) {
  return simplify_replace(p->closure->system->ts, predicate_model_prepare(p->closure->system, t), p->atom_to_bit);
}

/* The parser bounds the depth of formulas. */
temporal *finite_program_map_temporal(finite_program *p, const temporal *f) {
  temporal *made = arena_alloc(model_arena(p->model), sizeof(temporal));
  *made = *f;
  if (f->kind == TEMPORAL_STATE) made->state = finite_program_map(p, f->state);
  if (f->left) made->left = finite_program_map_temporal(p, f->left);
  if (f->right) made->right = finite_program_map_temporal(p, f->right);
  return made;
}

term finite_program_unmap(const finite_program *p, term t) {
  substitution *by = substitution_new(p->closure->system->ts);
  for (size_t i = 0; i < p->bits.count; i++) substitution_set(by, p->bits.at[i].var, p->bits.at[i].atom);
  term result = substitution_apply(by, t);
  substitution_free(by);
  return result;
}
