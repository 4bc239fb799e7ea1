/* The clauses of a graph: first the predicates, then a clause an edge. */
#include "input/chc/lower.h"
#include "input/chc/unfold.h"
#include "input/procedures/flow.h"

typedef struct maker {
  const flow_graph *g;
  model *model;
  flow_liveness live;
  uint32_t *predicates; /* by place: its predicate, or NO_PREDICATE */
  cell_list *arguments; /* by place */
  substitution *plain;  /* variables with types to variables of clauses, which have none */
} maker;

/* ---- predicates ---- */

static void list_arguments(maker *k, uint32_t at) {
  const flow_graph *g = k->g;
  cell_list *out = &k->arguments[at];
  for (size_t i = 0; i < g->procedures.count; i++) {
    const flow_procedure *p = &g->procedures.at[i];
    if (p->exit != at) continue;
    for (size_t j = 0; j < p->kept.count; j++) VECTOR_PUSH(*out, p->kept.at[j]);
    for (size_t j = 0; j < p->out.count; j++) VECTOR_PUSH(*out, p->out.at[j]);
    return;
  }
  for (size_t i = 0; i < g->cells.count; i++)
    if (bits_has(&k->live.at[at], i)) VECTOR_PUSH(*out, i);
}

static bool is_among(const cell_list *list, size_t count, size_t cell) {
  for (size_t i = 0; i < count; i++)
    if (list->at[i] == cell) return true;
  return false;
}

/* What a call names, of the arguments of a procedure's entry or exit. */
static const bool *find_own(const maker *k, uint32_t at) {
  const flow_graph *g = k->g;
  const cell_list *arguments = &k->arguments[at];
  for (size_t i = 0; i < g->procedures.count; i++) {
    const flow_procedure *p = &g->procedures.at[i];
    if (p->entry != at && p->exit != at) continue;
    bool *own = arena_alloc(terms_arena(g->ts), (arguments->count + 1) * sizeof *own);
    for (size_t j = 0; j < arguments->count; j++)
      own[j] = p->entry == at ? is_among(&p->in, p->own_in, arguments->at[j])
                              : j >= p->kept.count && j < p->kept.count + p->own_out;
    return own;
  }
  return NULL;
}

/* Without bounds. */
static type plain_type(const terms *ts, variable v) {
  const type *t = variable_type(ts, v);
  return (type){
      .sort = t->sort, .element = t->element, .nesting = t->nesting, .names = t->names, .name_count = t->name_count};
}

/* Called as the cells that they stand for: "place.cell". */
static void add_parameters(const maker *k, uint32_t at, clause_predicate *out) {
  const flow_graph *g = k->g;
  for (size_t i = 0; i < k->arguments[at].count; i++) {
    variable of = g->cells.at[k->arguments[at].at[i]];
    char *cell = clause_variable_name(g->ts, of);
    char *name = text_format("%s.%s", out->name, cell);
    type plain = plain_type(g->ts, of);
    VECTOR_PUSH(out->parameters, variable_fresh(g->ts, name, &plain));
    memory_free(name);
    memory_free(cell);
  }
}

static void add_predicates(maker *k) {
  const flow_graph *g = k->g;
  for (uint32_t i = 0; i < g->places.count; i++) {
    k->predicates[i] = NO_PREDICATE;
    if (!i || g->places.at[i].is_error) continue; /* the program starts at the first place */
    list_arguments(k, i);
    k->predicates[i] = (uint32_t)k->model->clauses->predicates.count;
    clause_predicate made = {.name = g->places.at[i].name, .place = g->places.at[i].at};
    made.is_own = find_own(k, i);
    add_parameters(k, i, &made);
    VECTOR_PUSH(k->model->clauses->predicates, made);
  }
}

/* ---- clauses ---- */

static void add_call(maker *k, clause *c, const flow_call *call) {
  const flow_graph *g = k->g;
  const flow_procedure *p = &g->procedures.at[call->procedure];
  term_vector arguments = {0};
  for (size_t i = 0; i < p->in.count; i++) VECTOR_PUSH(arguments, call->in[i]);
  for (size_t i = 0; i < p->out.count; i++) VECTOR_PUSH(arguments, term_of_variable(g->ts, call->out[i]));
  clause_call made = {
      .atom = (uint32_t)c->body.count, .inputs = (uint32_t)call->inputs, .words = (uint32_t)call->words};
  VECTOR_PUSH(c->calls, made);
  clause_add_body(c, k->predicates[p->exit], arguments.count, arguments.at);
  VECTOR_FREE(arguments);
}

static void add_body(maker *k, clause *c, const flow_edge *e) {
  const flow_graph *g = k->g;
  term_vector arguments = {0};
  for (size_t i = 0; i < k->arguments[e->from].count; i++)
    VECTOR_PUSH(arguments, term_of_variable(g->ts, g->cells.at[k->arguments[e->from].at[i]]));
  if (k->predicates[e->from] != NO_PREDICATE) clause_add_body(c, k->predicates[e->from], arguments.count, arguments.at);
  for (size_t i = 0; i < e->calls.count; i++) add_call(k, c, &e->calls.at[i]);
  VECTOR_FREE(arguments);
}

static variable plain_variable(maker *k, variable v) {
  terms *ts = k->g->ts;
  term known = substitution_apply(k->plain, term_of_variable(ts, v));
  if (!term_same(known, term_of_variable(ts, v))) return term_variable(ts, known);
  char *name = clause_variable_name(ts, v);
  type plain = plain_type(ts, v);
  variable made = variable_fresh(ts, name, &plain);
  memory_free(name);
  substitution_set(k->plain, v, term_of_variable(ts, made));
  return made;
}

/* Variables of clauses have no types: what their types say becomes part of the constraint. */
static void take_types_off(maker *k, clause *c) {
  terms *ts = k->g->ts;
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

static void add_edge(maker *k, const flow_edge *e) {
  const flow_graph *g = k->g;
  clause c = {.head = k->predicates[e->to], .constraint = e->guard, .place = e->at, .statements = e->name};
  c.property = g->places.at[e->to].property;
  for (size_t i = 0; i < g->procedures.count; i++) c.is_call |= g->procedures.at[i].entry == e->to;
  add_body(k, &c, e);
  for (size_t i = 0; i < k->arguments[e->to].count; i++)
    VECTOR_PUSH(c.head_arguments, flow_edge_value(g->ts, e, g->cells.at[k->arguments[e->to].at[i]]));
  take_types_off(k, &c);
  for (size_t i = 0; i < e->inputs.count; i++)
    VECTOR_PUSH(c.inputs, (clause_input){plain_variable(k, e->inputs.at[i].var), e->inputs.at[i].var});
  VECTOR_PUSH(k->model->clauses->clauses, c);
}

/* ---- all of it ---- */

static void keep_text(const flow_graph *g, model *m) {
  text script = {0};
  flow_print_svlib(g, m->name, &script);
  m->svlib = model_string(m, text_string(&script));
  text_clear(&script);
}

void flow_to_clauses(const flow_graph *g, model *m) {
  maker k = {.g = g,
             .model = m,
             .predicates = MEMORY_ARRAY(uint32_t, g->places.count + 1),
             .arguments = MEMORY_ARRAY(cell_list, g->places.count + 1),
             .plain = substitution_new(g->ts)};
  m->clauses = horn_clauses_new();
  m->clauses->is_program = true;
  keep_text(g, m);
  flow_liveness_find(g, &k.live);
  add_predicates(&k);
  for (size_t i = 0; i < g->edges.count; i++) {
    const flow_place *to = &g->places.at[g->edges.at[i].to];
    if (!to->is_error || to->property != NO_PROPERTY) add_edge(&k, &g->edges.at[i]);
  }
  for (size_t i = 0; i < g->places.count; i++) VECTOR_FREE(k.arguments[i]);
  flow_liveness_clear(&k.live);
  memory_free(k.predicates);
  memory_free(k.arguments);
  substitution_free(k.plain);
}

void flow_clauses_finish(model *m) {
  m->clauses->have_arrays = m->clauses->are_trees = terms_have_arrays(m->terms);
  if (!m->clauses->have_arrays) chc_unfold(m);
  if (m->clauses->are_trees)
    model_close(m);
  else
    chc_lower(m);
}
