/* Variables and bodies of a model with recursive procedures. */
#include "input/whet/calls/lower_procedures.h"

#include "input/whet/arrays/resolve.h"

/* ---- variables ---- */

static void share(procedures *k) {
  size_t count = k->l->cells.count;
  k->shared = bits_new(count);
  for (size_t i = 0; i < count; i++) bits_add(&k->shared, i);
}

static void add_local_variables(lowering *l, const process_tree *p) {
  for (size_t i = 0; i < p->parameters.count; i++) lower_local_variables(l, p->parameters.at[i]);
  for (size_t i = 0; i < p->results.count; i++) lower_local_variables(l, p->results.at[i]);
  for (size_t i = 0; i < p->variables.count; i++) lower_local_variables(l, p->variables.at[i]);
  for (size_t i = 0; i < p->returned_count && !l->exhausted; i++) lower_local_symbol(l, p->returned[i]);
}

static void add_program_variables(lowering *l, const process_tree *p) {
  char *prefix = text_format("%s.", p->name.word->text);
  for (size_t i = 0; i < p->variables.count; i++) {
    bool is_global = p->variables.at[i]->names.at[0].symbol->family == NULL;
    lower_variables(l, p->variables.at[i], ROLE_STATE, is_global ? "" : prefix, 0);
  }
  memory_free(prefix);
}

static bool is_parameter(const declaration *d) { return d->kind == DECLARATION_CONST && !d->variables->value; }

/* Those of the model first. */
static void add_variables(procedures *k, const module *m) {
  lowering *l = k->l;
  for (size_t i = 0; i < m->declarations.count && !l->exhausted; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_VAR || is_parameter(d))
      lower_variables(l, d->variables, is_parameter(d) ? ROLE_PARAMETER : ROLE_STATE, "", 0);
    if (d->kind == DECLARATION_CONST && d->variables->value) lower_check_constant(l, d->variables);
    if (d->kind == DECLARATION_PROCESS) add_program_variables(l, d->process);
  }
  if (l->exhausted) return;
  share(k);
  for (size_t i = 0; i < m->declarations.count && !l->exhausted; i++)
    if (m->declarations.at[i]->kind == DECLARATION_PROCEDURE) add_local_variables(l, m->declarations.at[i]->process);
  for (size_t i = 0; i < l->cells.count && !l->exhausted; i++) {
    map_set(k->cells, l->cells.at[i].x, i);
    VECTOR_PUSH(k->graph.cells, l->cells.at[i]);
  }
}

static void add_initial(procedures *k, const module *m) {
  lowering *l = k->l;
  for (size_t i = 0; i < m->declarations.count && !l->exhausted; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_VAR || is_parameter(d)) lower_initial(l, d->variables, 0);
    for (size_t j = 0; d->kind == DECLARATION_PROCESS && j < d->process->variables.count; j++)
      lower_initial(l, d->process->variables.at[j], 0);
    for (size_t j = 0; d->kind == DECLARATION_INIT && j < d->expressions.count; j++) {
      term t = lower_condition(l, d->expressions.at[j]);
      VECTOR_PUSH(l->init, t);
    }
  }
}

/* ---- places ---- */

uint32_t procedures_place(procedures *k, const char *name, place at) {
  text own = {0};
  text_add(&own, "%s", name);
  while (names_get(k->places, text_string(&own), NULL)) text_add_char(&own, '\'');
  names_set(k->places, text_string(&own), 1);
  VECTOR_PUSH(k->graph.places, (flow_place){.name = model_string(k->whole, text_string(&own)), .at = at});
  text_clear(&own);
  return (uint32_t)k->graph.places.count - 1;
}

static uint32_t add_place(procedures *k, const char *owner, const char *name, place at) {
  char *full = text_format("%s.%s", owner, name);
  uint32_t made = procedures_place(k, full, at);
  memory_free(full);
  return made;
}

static void add_body(procedures *k, const process_tree *p) {
  const struct program_graph *g = p->family->graph;
  place at = lower_place(k->l, p->name.at);
  lowered_body b = {.tree = p, .procedure = NO_STEP, .ensured = TERM_TRUE};
  b.entry = p->is_procedure ? procedures_place(k, p->name.word->text, at) : 0;
  b.first_place = (uint32_t)k->graph.places.count;
  b.end = b.exit = b.first_place + g->end.location;
  for (size_t i = 0; i < g->places.count; i++) add_place(k, p->name.word->text, g->places.at[i], at);
  if (procedures_has_contract(p, true)) b.exit = add_place(k, p->name.word->text, "returns", at);
  VECTOR_PUSH(k->bodies, b);
}

static void add_bodies(procedures *k, const module *m) {
  procedures_place(k, "", (place){0}); /* where the program starts; nothing leads back there */
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_PROCESS || d->kind == DECLARATION_PROCEDURE) add_body(k, d->process);
  }
}

static uint32_t body_of(const procedures *k, const process_tree *p) {
  uint32_t i = 0;
  while (k->bodies.at[i].tree != p) i++;
  return i;
}

/* ---- steps ---- */

/* "7: " and the text. */
static const char *words_of(procedures *k, span at, const char *before, const char *after) {
  enum { LONGEST = 200 };
  char *excerpt = source_excerpt(k->l->reporter->source, at, LONGEST),
       *words = text_format("%u: %s%s%s", lower_place(k->l, at).line, before, excerpt, after);
  const char *kept = model_string(k->whole, words);
  memory_free(excerpt);
  memory_free(words);
  return kept;
}

static const char *name_step(procedures *k, const program_edge *e) {
  const statement *s = e->statement;
  if (!s) return "forever";
  if (s->kind == STATEMENT_CHOOSE) {
    char *words = text_format("%u: choose %s", lower_place(k->l, e->at).line, e->suffix + 1);
    const char *kept = model_string(k->whole, words);
    memory_free(words);
    return kept;
  }
  bool is_test = s->arm_count;
  return words_of(k, e->at,
                  !is_test                ? ""
                  : e->negated && e->test ? "[!("
                                          : "[",
                  !is_test                ? ""
                  : e->negated && e->test ? ")]"
                                          : "]");
}

/* The transition that `step` becomes; NO_STEP if there is no more room. */
static uint32_t add_transition(procedures *k, lowered_step step) {
  uint32_t at = (uint32_t)k->steps->transitions.count;
  step.process = NO_PROCESS;
  step.place_test = TERM_TRUE;
  lower_step(k->l, &step);
  return k->l->exhausted ? NO_STEP : at;
}

void procedures_check(procedures *k, lowered_body *b, uint32_t at, term bad, uint32_t property, const expression *of,
                      const char *what) {
  const char *name = words_of(k, of->at, what, " fails");
  VECTOR_PUSH(b->checks, (body_check){at, bad, property, name, lower_place(k->l, of->at)});
}

uint32_t procedures_property(procedures *k, const char *name, span at) {
  size_t found;
  if (model_find_property(k->whole, name, &found)) return (uint32_t)found;
  model_add_property(k->whole, name, PROPERTY_SAFE, lower_place(k->l, at));
  return (uint32_t)k->whole->properties.count - 1;
}

static void add_step(procedures *k, lowered_body *b, const program_edge *e) {
  const statement *s = e->statement;
  bool is_call = s && s->kind == STATEMENT_CALL;
  body_step made = {.from = b->first_place + e->from, .to = b->first_place + e->to, .after = NO_STEP, .calls = NO_STEP};
  made.name = name_step(k, e);
  made.at = lower_place(k->l, s ? e->at : b->tree->name.at);
  lowered_step step = {.name = k->graph.places.at[made.from].name,
                       .guard = e->test,
                       .negate_guard = e->negated && e->test,
                       .at = s ? e->at : b->tree->name.at};
  if (s && s->kind == STATEMENT_ASSIGN) step.updates = &s->updates;
  if (is_call) step.updates = &s->arguments;
  if (s && s->kind == STATEMENT_ASSUME) step.guard = s->condition;
  if (s && s->kind == STATEMENT_ASSERT) step.evaluated = s->condition;
  made.transition = add_transition(k, step);
  if (is_call) made.calls = body_of(k, s->call->symbol->family->tree);
  if (is_call && s->updates.count) {
    step.updates = &s->updates;
    made.after = add_transition(k, step);
  }
  VECTOR_PUSH(b->steps, made);
  if (!s || s->kind != STATEMENT_ASSERT) return;
  uint32_t property = procedures_property(k, s->name.word->text, s->at);
  procedures_check(k, b, made.from, term_not(lower_condition(k->l, s->condition)), property, s->condition, "assert ");
}

/* ---- the start of a body ---- */

/* Variables that are no arrays get their values by assignments. */
assignments procedures_first_assignments(lowering *l, const process_tree *p) {
  VECTOR(assignment) list = {0};
  arena *a = l->scope->arena;
  for (size_t i = 0; i < p->variables.count; i++) {
    const variables_tree *v = p->variables.at[i];
    for (size_t j = 0; v->value && v->value_type->kind != VALUE_ARRAY && j < v->names.count; j++) {
      expression *target = arena_alloc(a, sizeof *target);
      symbol *s = v->names.at[j].symbol;
      *target =
          (expression){.kind = EXPRESSION_NAME, .at = v->names.at[j].at, .word = s->word, .symbol = s, .type = s->type};
      VECTOR_PUSH(list, (assignment){.target = target, .value = v->value, .at = v->at});
    }
  }
  assignments made = {arena_alloc(a, (list.count + 1) * sizeof *list.at), list.count};
  if (list.count) memcpy(made.at, list.at, list.count * sizeof *list.at);
  VECTOR_FREE(list);
  return made;
}

/* Each cell gets the value, or any if there is none. */
static void start_cells(procedures *k, const variables_tree *v, const expression *value, uint32_t transition) {
  lowering *l = k->l;
  for (size_t i = 0; i < v->names.count; i++) {
    const symbol *s = v->names.at[i].symbol;
    for (size_t j = 0; j < s->type->cells; j++) {
      variable cell = l->cells.at[s->first_cell + j];
      type of = *variable_type(l->terms, cell);
      term first = value ? lower_cell_value(l, cell, lower_condition(l, value))
                         : term_of_variable(l->terms, variable_fresh(l->terms, "any", &of));
      transition_add_update(&k->steps->transitions.at[transition], cell, first);
    }
  }
}

static void start_procedure(procedures *k, lowered_body *b, term required) {
  const process_tree *p = b->tree;
  assignments first = procedures_first_assignments(k->l, p);
  uint32_t t = add_transition(k, (lowered_step){.name = p->name.word->text, .updates = &first, .at = p->name.at});
  if (t == NO_STEP) return;
  lower_add_condition(k->l, &k->steps->transitions.at[t], required);
  for (size_t i = 0; i < p->results.count; i++) start_cells(k, p->results.at[i], NULL, t);
  for (size_t i = 0; i < p->variables.count; i++) {
    const variables_tree *v = p->variables.at[i];
    if (!v->value || v->value_type->kind == VALUE_ARRAY) start_cells(k, v, v->value, t);
  }
  VECTOR_PUSH(b->steps, (body_step){b->entry, b->first_place, t, NO_STEP, NO_STEP, "", lower_place(k->l, p->name.at)});
}

static void start_program(procedures *k, lowered_body *b) {
  lowering *l = k->l;
  uint32_t t = add_transition(k, (lowered_step){.name = "start", .at = b->tree->name.at});
  if (t == NO_STEP) return;
  k->steps->transitions.at[t].guard = term_and_all(l->terms, l->init.count, l->init.at);
  place at = lower_place(l, b->tree->name.at);
  VECTOR_PUSH(b->steps, (body_step){b->entry, b->first_place, t, NO_STEP, NO_STEP, "start", at});
}

/* ---- bodies and properties ---- */

/* From the end of the statements to where the procedure returns. */
static void add_return(procedures *k, lowered_body *b) {
  const process_tree *p = b->tree;
  b->ensured = procedures_add_contracts(k, b, true);
  if (b->end == b->exit) return;
  uint32_t t = add_transition(k, (lowered_step){.name = p->name.word->text, .at = p->name.at});
  if (t == NO_STEP) return;
  k->steps->transitions.at[t].guard = b->ensured;
  VECTOR_PUSH(b->steps, (body_step){b->end, b->exit, t, NO_STEP, NO_STEP, "", lower_place(k->l, p->name.at)});
}

static void lower_body(procedures *k, lowered_body *b) {
  const struct program_graph *g = b->tree->family->graph;
  k->body = b;
  term required = procedures_add_contracts(k, b, false);
  if (b->tree->is_procedure)
    start_procedure(k, b, required);
  else
    start_program(k, b);
  for (size_t i = 0; i < g->edges.count && !k->l->exhausted; i++) add_step(k, b, &g->edges.at[i]);
  add_return(k, b);
}

/* What holds in every state holds at all places. */
static void add_everywhere(procedures *k, const declaration *d) {
  const expression *e = d->expressions.at[0];
  bool is_safe = d->kind == DECLARATION_SAFE;
  term holds = lower_condition(k->l, e), bad = is_safe ? term_not(holds) : holds;
  uint32_t property = procedures_property(k, d->name.word->text, d->at);
  const char *name = words_of(k, d->at, "", is_safe ? " fails" : " is reached");
  for (size_t i = 0; i < k->bodies.count; i++) {
    lowered_body *b = &k->bodies.at[i];
    for (uint32_t j = 0; j < b->tree->family->graph->places.count && lowering_spend(k->l, 1, d->at.start); j++)
      VECTOR_PUSH(b->checks, (body_check){b->first_place + j, bad, property, name, lower_place(k->l, d->at)});
  }
}

static void lower_declarations(procedures *k, const module *m) {
  uint32_t next = 0;
  for (size_t i = 0; i < m->declarations.count && !k->l->exhausted; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_PROCESS || d->kind == DECLARATION_PROCEDURE) lower_body(k, &k->bodies.at[next++]);
    if (d->kind == DECLARATION_SAFE || d->kind == DECLARATION_UNREACHABLE) add_everywhere(k, d);
    if (d->kind == DECLARATION_DEFINE) lower_symbol(k->l, d->name.symbol);
  }
}

/* ---- all of it ---- */

static void procedures_free(procedures *k) {
  for (size_t i = 0; i < k->bodies.count; i++) {
    VECTOR_FREE(k->bodies.at[i].steps);
    VECTOR_FREE(k->bodies.at[i].checks);
    VECTOR_FREE(k->bodies.at[i].olds);
    bits_free(&k->bodies.at[i].reads);
    bits_free(&k->bodies.at[i].writes);
  }
  for (size_t i = 0; i < k->graph.edges.count; i++) flow_edge_clear(&k->graph.edges.at[i]);
  for (size_t i = 0; i < k->graph.procedures.count; i++) {
    VECTOR_FREE(k->graph.procedures.at[i].in);
    VECTOR_FREE(k->graph.procedures.at[i].kept);
    VECTOR_FREE(k->graph.procedures.at[i].out);
  }
  VECTOR_FREE(k->bodies);
  VECTOR_FREE(k->graph.cells);
  VECTOR_FREE(k->graph.places);
  VECTOR_FREE(k->graph.edges);
  VECTOR_FREE(k->graph.procedures);
  bits_free(&k->shared);
  map_free(k->cells);
  names_free(k->places);
  model_free(k->steps);
}

/* That every run ends: a property of the clauses. An error would end it too. */
static void add_termination(procedures *k, const module *m) {
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind != DECLARATION_TERMINATES) continue;
    model_add_property(k->whole, d->name.word->text, PROPERTY_ENDS, lower_place(k->l, d->at))->bad = TERM_FALSE;
  }
}

/* The verdicts about ends rest on there being no errors. */
static void rely_on_no_errors(procedures *k) {
  for (size_t i = 0; i < k->whole->properties.count && k->can_fail; i++) {
    property *p = &k->whole->properties.at[i];
    if (p->kind != PROPERTY_ENDS) continue;
    char *both = text_format("%s%sno-runtime-error", p->relies_on ? p->relies_on : "", p->relies_on ? "\n" : "");
    p->relies_on = model_string(k->whole, both);
    memory_free(both);
  }
}

void lower_procedures(lowering *l, const module *m) {
  procedures k = {
      .l = l, .whole = l->model, .steps = model_derive(l->model), .cells = map_new(), .places = names_new()};
  k.graph.ts = l->terms;
  l->model = k.steps;
  l->procedures = &k;
  add_variables(&k, m);
  if (!l->reporter->out->errors) {
    lower_kept_bounds(l);
    add_initial(&k, m);
    add_bodies(&k, m);
    lower_declarations(&k, m);
  }
  l->model = k.whole;
  l->procedures = NULL;
  if (!l->reporter->out->errors) {
    procedures_connect(&k);
  }
  if (!l->reporter->out->errors && l->keeps_arrays) arrays_resolve(l, &k.graph);
  if (!l->reporter->out->errors && l->keeps_arrays) flow_compact(&k.graph);
  if (!l->reporter->out->errors) {
    flow_to_clauses(&k.graph, k.whole);
    if (k.can_fail) model_add_property(k.whole, "no-runtime-error", PROPERTY_SAFE, (place){0});
    flow_clauses_finish(k.whole);
    add_termination(&k, m);
    procedures_set_reliance(k.whole, m);
    rely_on_no_errors(&k);
  }
  procedures_free(&k);
}
