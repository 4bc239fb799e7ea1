/* Programs with procedures as Horn clauses. A place is a predicate over the cells that matter there; an edge is a
 * clause: whoever is at its start and takes it comes to its end, if the calls on the way return what the path says. The
 * predicate of a procedure's entry says with which values it is called, that of its exit what calls give back. */
#include "input/c/lower.h"
#include "input/chc/lower.h"
#include "input/chc/unfold.h"

typedef VECTOR(size_t) cell_list;

typedef struct maker {
  c_lowering *l;
  c_liveness live;
  uint32_t *predicates; /* by place: its predicate, or NO_PREDICATE */
  cell_list *arguments; /* by place */
  substitution *plain;  /* variables with types to variables of clauses, which have none */
} maker;

/* ---- predicates ---- */

static bool is_error(const c_lowering *l, uint32_t at, uint32_t *which) {
  for (uint32_t i = 0; i < ERROR_COUNT; i++)
    if (l->errors[i] == at) return *which = i, true;
  return false;
}

static void list_arguments(maker *k, uint32_t at) {
  const c_lowering *l = k->l;
  cell_list *out = &k->arguments[at];
  for (size_t i = 0; i < l->procedures.count; i++) {
    const c_procedure *p = &l->procedures.at[i];
    if (p->exit != at) continue;
    for (size_t j = 0; j < p->kept.count; j++) VECTOR_PUSH(*out, p->kept.at[j]);
    for (size_t j = 0; j < p->out.count; j++) VECTOR_PUSH(*out, p->out.at[j]);
    return;
  }
  for (size_t i = 0; i < l->cells.count; i++)
    if (bits_has(&k->live.at[at], i)) VECTOR_PUSH(*out, i);
}

/* Called as the cells that they stand for: "place.cell". */
static void add_parameters(const maker *k, uint32_t at, clause_predicate *out) {
  const c_lowering *l = k->l;
  for (size_t i = 0; i < k->arguments[at].count; i++) {
    char *cell = clause_variable_name(l->ts, l->cells.at[k->arguments[at].at[i]].var);
    char *name = text_format("%s.%s", out->name, cell);
    VECTOR_PUSH(out->parameters, variable_fresh(l->ts, name, &(type){.sort = SORT_INT}));
    memory_free(name);
    memory_free(cell);
  }
}

static void add_predicates(maker *k) {
  const c_lowering *l = k->l;
  uint32_t which;
  for (uint32_t i = 0; i < l->places.count; i++) {
    k->predicates[i] = NO_PREDICATE;
    if (!i || is_error(l, i, &which)) continue; /* the program starts at the first place */
    list_arguments(k, i);
    k->predicates[i] = (uint32_t)l->model->clauses->predicates.count;
    clause_predicate made = {.name = l->places.at[i].name, .place = l->places.at[i].at};
    add_parameters(k, i, &made);
    VECTOR_PUSH(l->model->clauses->predicates, made);
  }
}

/* ---- clauses ---- */

static void add_call(maker *k, clause *c, const c_call *call) {
  const c_lowering *l = k->l;
  const c_procedure *p = &l->procedures.at[call->procedure];
  term_vector arguments = {0};
  for (size_t i = 0; i < p->in.count; i++) VECTOR_PUSH(arguments, call->in[i]);
  for (size_t i = 0; i < p->out.count; i++) VECTOR_PUSH(arguments, term_of_variable(l->ts, call->out[i]));
  clause_call made = {
      .atom = (uint32_t)c->body.count, .inputs = (uint32_t)call->inputs, .words = (uint32_t)call->words};
  VECTOR_PUSH(c->calls, made);
  clause_add_body(c, k->predicates[p->exit], arguments.count, arguments.at);
  VECTOR_FREE(arguments);
}

static void add_body(maker *k, clause *c, const c_edge *e) {
  const c_lowering *l = k->l;
  term_vector arguments = {0};
  for (size_t i = 0; i < k->arguments[e->from].count; i++)
    VECTOR_PUSH(arguments, term_of_variable(l->ts, l->cells.at[k->arguments[e->from].at[i]].var));
  if (k->predicates[e->from] != NO_PREDICATE) clause_add_body(c, k->predicates[e->from], arguments.count, arguments.at);
  for (size_t i = 0; i < e->calls.count; i++) add_call(k, c, &e->calls.at[i]);
  VECTOR_FREE(arguments);
}

static variable plain_variable(maker *k, variable v) {
  terms *ts = k->l->ts;
  term known = substitution_apply(k->plain, term_of_variable(ts, v));
  if (!term_same(known, term_of_variable(ts, v))) return term_variable(ts, known);
  char *name = clause_variable_name(ts, v);
  variable made = variable_fresh(ts, name, &(type){.sort = SORT_INT});
  memory_free(name);
  substitution_set(k->plain, v, term_of_variable(ts, made));
  return made;
}

/* Variables of clauses have no types: what their types say becomes part of the constraint. */
static void take_types_off(maker *k, clause *c) {
  terms *ts = k->l->ts;
  clause_find_variables(ts, c);
  for (size_t i = 0; i < c->variables.count; i++) {
    c->constraint = term_and(ts, c->constraint, variable_in_type(ts, c->variables.at[i]));
    plain_variable(k, c->variables.at[i]);
  }
  c->constraint = substitution_apply(k->plain, c->constraint);
  for (size_t i = 0; i < c->body.count; i++)
    for (size_t j = 0; j < c->body.at[i].arguments.count; j++)
      c->body.at[i].arguments.at[j] = substitution_apply(k->plain, c->body.at[i].arguments.at[j]);
  for (size_t i = 0; i < c->head_arguments.count; i++)
    c->head_arguments.at[i] = substitution_apply(k->plain, c->head_arguments.at[i]);
  clause_find_variables(ts, c);
}

static void add_edge(maker *k, const c_edge *e) {
  c_lowering *l = k->l;
  clause c = {.head = k->predicates[e->to], .constraint = e->guard, .place = e->at, .statements = e->name};
  is_error(l, e->to, &c.property);
  for (size_t i = 0; i < l->procedures.count; i++) c.is_call |= l->procedures.at[i].entry == e->to;
  add_body(k, &c, e);
  for (size_t i = 0; i < k->arguments[e->to].count; i++)
    VECTOR_PUSH(c.head_arguments, c_edge_value(l, e, k->arguments[e->to].at[i]));
  take_types_off(k, &c);
  for (size_t i = 0; i < e->inputs.count; i++)
    VECTOR_PUSH(c.inputs, (clause_input){plain_variable(k, e->inputs.at[i].var), e->inputs.at[i].var});
  VECTOR_PUSH(l->model->clauses->clauses, c);
}

/* ---- all of it ---- */

void c_clauses_make(c_lowering *l) {
  maker k = {.l = l,
             .predicates = MEMORY_ARRAY(uint32_t, l->places.count + 1),
             .arguments = MEMORY_ARRAY(cell_list, l->places.count + 1),
             .plain = substitution_new(l->ts)};
  l->model->is_c_program = true;
  l->model->clauses = horn_clauses_new();
  c_liveness_find(l, &k.live);
  add_predicates(&k);
  for (size_t i = 0; i < l->edges.count; i++) add_edge(&k, &l->edges.at[i]);
  c_properties_add(l);
  if (l->invariants.count)
    model_add_note(l->model, "invariants in the program are not used, for it has recursive functions");
  chc_unfold(l->model);
  if (l->model->clauses->are_trees)
    model_close(l->model);
  else
    chc_lower(l->model);
  for (size_t i = 0; i < l->places.count; i++) VECTOR_FREE(k.arguments[i]);
  c_liveness_free(l, &k.live);
  memory_free(k.predicates);
  memory_free(k.arguments);
  substitution_free(k.plain);
}
