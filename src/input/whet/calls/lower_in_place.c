/* Copies of bodies, and the variables and steps of calls. */
#include "input/whet/calls/lower_in_place.h"

#include "input/whet/calls/lower_procedures.h"

/* ---- graphs ---- */

static bool has_first_values(const process_tree *p) {
  for (size_t i = 0; i < p->variables.count; i++)
    if (p->variables.at[i]->value) return true;
  return false;
}

/* A step of its own before the first statement. */
static bool needs_start(const process_tree *p) {
  return has_first_values(p) || procedures_has_contract(p, false) || p->family->olds.count;
}

static uint32_t add_copied_place(struct program_graph *g, const process_tree *p, const char *name) {
  char *full = name ? text_format("%s.%s", p->name.word->text, name) : memory_copy_string(p->name.word->text);
  uint32_t made = program_graph_add_place(g, full);
  memory_free(full);
  return made;
}

static void add_edge(struct program_graph *g, edge_role role, const program_edge *call, uint32_t from, uint32_t to) {
  program_edge made = *call;
  made.role = role;
  made.called = call->statement->call->symbol->family->tree;
  made.from = from;
  made.to = to;
  made.suffix = role == EDGE_RETURN ? "_returns" : "";
  VECTOR_PUSH(g->edges, made);
}

static void replace_call(struct program_graph *g, const program_edge *call) {
  const process_tree *p = call->statement->call->symbol->family->tree;
  const struct program_graph *body = p->family->graph;
  uint32_t first = (uint32_t)g->places.count;
  bool is_inside = statement_is_in_atomic(call->statement);
  for (size_t i = 0; i < body->places.count; i++) {
    if (!lowering_spend(g->lowering, INSTANCE_WORK, call->at.start)) return;
    uint32_t made = add_copied_place(g, p, body->places.at[i]);
    g->is_inside.at[made] = is_inside || body->is_inside.at[i];
  }
  uint32_t entry = needs_start(p) ? add_copied_place(g, p, NULL) : first;
  g->is_inside.at[entry] |= is_inside;
  add_edge(g, EDGE_CALL, call, call->from, entry);
  if (entry != first) add_edge(g, EDGE_START, call, entry, first);
  for (size_t i = 0; i < body->edges.count; i++) {
    program_edge copied = body->edges.at[i];
    copied.from += first;
    copied.to += first;
    copied.depth += call->depth + 1;
    VECTOR_PUSH(g->edges, copied);
  }
  add_edge(g, EDGE_RETURN, call, first + body->end.location, call->to);
}

static bool is_call(const program_edge *e) {
  return e->role == EDGE_STATEMENT && e->statement && e->statement->kind == STATEMENT_CALL;
}

static void expand_graph(struct program_graph *g) {
  program_edges before = g->edges;
  g->edges = (program_edges){0};
  for (size_t i = 0; i < before.count; i++)
    if (is_call(&before.at[i]))
      replace_call(g, &before.at[i]);
    else
      VECTOR_PUSH(g->edges, before.at[i]);
  VECTOR_FREE(before);
}

/* ---- which program uses what ---- */

static bool uses(const family *f, const family *procedure) {
  for (size_t i = 0; i < f->uses.count; i++)
    if (f->uses.at[i].procedure == procedure) return true;
  return false;
}

static void note_uses(family *f) {
  const struct program_graph *g = f->graph;
  for (size_t i = 0; i < g->edges.count; i++) {
    if (g->edges.at[i].role != EDGE_CALL) continue;
    family *to = g->edges.at[i].called->family;
    if (uses(f, to)) continue;
    VECTOR_PUSH(f->uses, (used_procedure){to, to->copies});
    to->copies += f->copies;
  }
}

/* ---- properties ---- */

static word *contract_word(const lowering *l, const process_tree *p, bool is_ensured) {
  char *name = procedures_contract_name(p, is_ensured);
  word *w = words_make(l->scope->words, name);
  memory_free(name);
  return w;
}

static void add_asserts(lowering *l, const process_tree *p, const block *b) {
  for (size_t i = 0; i < b->count; i++) {
    const statement *s = b->at[i];
    if (s->kind == STATEMENT_ASSERT) lower_check(l, s->name.word, s->at, p, TERM_FALSE);
    for (size_t j = 0; j < s->arm_count; j++) add_asserts(l, p, &s->arms[j].body);
    add_asserts(l, p, &s->otherwise);
  }
}

/* Even a procedure that is never called has its properties. */
static void add_properties(lowering *l, const process_tree *p) {
  for (int is_ensured = 0; is_ensured < 2; is_ensured++)
    if (procedures_has_contract(p, is_ensured))
      lower_check(l, contract_word(l, p, is_ensured), p->name.at, p, TERM_FALSE);
  add_asserts(l, p, &p->body);
}

void in_place_expand(lowering *l) {
  const scope *s = l->scope;
  for (size_t i = 0; i < s->in_place.count && !l->exhausted; i++) {
    s->in_place.at[i]->copies = 0;
    expand_graph(s->in_place.at[i]->graph);
  }
  for (size_t i = 0; i < s->families.count && s->in_place.count && !l->exhausted; i++) {
    family *f = s->families.at[i];
    if (f->tree->is_procedure) {
      add_properties(l, f->tree);
    } else if (f->tree->is_program) {
      expand_graph(f->graph);
      note_uses(f);
    }
  }
}

/* ---- variables ---- */

static void add_variables(lowering *l, const variables_trees *list, const char *prefix, size_t copy) {
  for (size_t i = 0; i < list->count; i++) lower_variables(l, list->at[i], ROLE_STATE, prefix, copy);
}

/* The results, as calls assign them to what is left of `:=`. */
static void share_results(const process_tree *p) {
  size_t next = 0;
  for (size_t i = 0; i < p->results.count; i++)
    for (size_t j = 0; j < p->results.at[i]->names.count; j++) {
      const symbol *result = p->results.at[i]->names.at[j].symbol;
      symbol *returned = p->returned[next++];
      returned->family = result->family;
      returned->first_cell = result->first_cell;
    }
}

static size_t cell_count(const symbol *s) { return (s->family ? s->family->copies : 1) * s->type->cells; }

/* For what each variable in old(..) held when the procedure started. */
static void add_old_variables(lowering *l, family *f, const char *prefix, size_t copy) {
  if (copy == 0) {
    f->old_cells = 0;
    for (size_t i = 0; i < f->olds.count; i++) f->old_cells += cell_count(f->olds.at[i]);
    f->first_old = lower_reserve(l, f->copies * f->old_cells, f->symbol->offset);
  }
  size_t next = f->first_old + copy * f->old_cells;
  for (size_t i = 0; i < f->olds.count && !l->exhausted; i++)
    for (size_t j = 0; j < cell_count(f->olds.at[i]) && lowering_spend(l, 1, f->symbol->offset); j++) {
      variable of = l->cells.at[f->olds.at[i]->first_cell + j];
      type same = *variable_type(l->terms, of);
      char *name = text_format("%sold(%s)", prefix, variable_name(l->terms, of));
      l->cells.at[next++] = model_add_variable(l->model, name, &same, ROLE_STATE, lower_place(l, f->tree->name.at));
      memory_free(name);
    }
}

void in_place_variables(lowering *l, const family *f, size_t copy, const char *prefix) {
  size_t first = l->model->variables.count;
  for (size_t i = 0; i < f->uses.count && !l->exhausted; i++) {
    family *used = f->uses.at[i].procedure;
    size_t its = f->uses.at[i].first_copy + copy;
    char *own = text_format("%s%s.", prefix, used->word->text);
    add_variables(l, &used->tree->parameters, own, its);
    add_variables(l, &used->tree->results, own, its);
    add_variables(l, &used->tree->variables, own, its);
    if (!l->exhausted) add_old_variables(l, used, own, its);
    if (!l->exhausted) share_results(used->tree);
    memory_free(own);
  }
  for (size_t i = first; i < l->model->variables.count; i++) l->model->variables.at[i].is_of_call = true;
}

void in_place_set_copy(const family *f, size_t copy) {
  for (size_t i = 0; i < f->uses.count; i++) f->uses.at[i].procedure->copy = f->uses.at[i].first_copy + copy;
}

static void add_cells(const variables_trees *list, bool unset_only, cell_numbers *out) {
  for (size_t i = 0; i < list->count; i++)
    for (size_t j = 0; j < list->at[i]->names.count && !(unset_only && list->at[i]->value); j++) {
      const symbol *s = list->at[i]->names.at[j].symbol;
      size_t first = s->first_cell + s->family->copy * s->type->cells;
      for (size_t k = 0; k < s->type->cells; k++) VECTOR_PUSH(*out, first + k);
    }
}

void in_place_cells(const process_tree *p, bool unset_only, cell_numbers *out) {
  if (!unset_only) add_cells(&p->parameters, false, out);
  add_cells(&p->results, unset_only, out);
  add_cells(&p->variables, unset_only, out);
  const family *f = p->family;
  for (size_t i = 0; !unset_only && i < f->old_cells; i++) VECTOR_PUSH(*out, f->first_old + f->copy * f->old_cells + i);
}

/* Between calls. */
static term idle_value(lowering *l, variable v) {
  const type *t = variable_type(l->terms, v);
  if (t->sort == SORT_BOOL) return TERM_FALSE;
  if (t->sort == SORT_ARRAY)
    return lower_cell_value(l, v, t->element == SORT_BOOL ? TERM_FALSE : term_int(l->terms, 0));
  bool is_above = t->has_low && number_sign(t->low) > 0, is_below = t->has_high && number_sign(t->high) < 0;
  return is_above ? term_number(l->terms, t->low) : is_below ? term_number(l->terms, t->high) : term_int(l->terms, 0);
}

void in_place_initial(lowering *l, const family *f) {
  cell_numbers all = {0};
  for (size_t i = 0; i < f->uses.count; i++) in_place_cells(f->uses.at[i].procedure->tree, false, &all);
  for (size_t i = 0; i < all.count; i++) {
    variable v = l->cells.at[all.at[i]];
    VECTOR_PUSH(l->init, term_eq(l->terms, term_of_variable(l->terms, v), idle_value(l, v)));
  }
  VECTOR_FREE(all);
}

/* ---- steps ---- */

const assignments *in_place_updates(lowering *l, const program_edge *e) {
  if (e->role == EDGE_CALL) return &e->statement->arguments;
  if (e->role == EDGE_RETURN) return &e->statement->updates;
  assignments *first = arena_alloc(l->scope->arena, sizeof *first);
  *first = procedures_first_assignments(l, e->called);
  return first;
}

term in_place_contract(lowering *l, const program_edge *e) {
  bool is_ensured = e->role == EDGE_RETURN;
  term all = TERM_TRUE;
  l->in_place = e->called->family;
  for (size_t i = 0; i < e->called->contract_count; i++) {
    const contract *c = &e->called->contracts[i];
    for (size_t j = 0; c->is_ensured == is_ensured && j < c->conditions.count; j++)
      all = term_and(l->terms, all, lower_condition(l, c->conditions.at[j]));
  }
  l->in_place = NULL;
  return all;
}

/* The run ends if it is broken. */
static void add_contract(lowering *l, const program_edge *e, term here, transition *t) {
  bool is_ensured = e->role == EDGE_RETURN;
  if (e->role == EDGE_CALL || !procedures_has_contract(e->called, is_ensured)) return;
  term holds = in_place_contract(l, e);
  lower_check(l, contract_word(l, e->called, is_ensured), e->called->name.at, e->called,
              term_and(l->terms, here, term_not(holds)));
  lower_add_condition(l, t, holds);
}

/* Arrays get their first values cell by cell, and what stands in old(..) is kept. */
static void start(lowering *l, const process_tree *p, transition *t) {
  for (size_t i = 0; i < p->variables.count; i++) {
    const variables_tree *v = p->variables.at[i];
    if (!v->value || v->value_type->kind != VALUE_ARRAY) continue;
    term value = lower_condition(l, v->value);
    cell_numbers cells = {0};
    add_cells(&(variables_trees){&p->variables.at[i], 1}, false, &cells);
    for (size_t j = 0; j < cells.count; j++)
      transition_add_update(t, l->cells.at[cells.at[j]], lower_cell_value(l, l->cells.at[cells.at[j]], value));
    VECTOR_FREE(cells);
  }
  const family *f = p->family;
  size_t next = f->first_old + f->copy * f->old_cells;
  for (size_t i = 0; i < f->olds.count; i++)
    for (size_t j = 0; j < cell_count(f->olds.at[i]); j++)
      transition_add_update(t, l->cells.at[next++], cell_term(l, f->olds.at[i]->first_cell + j));
}

static void reset(lowering *l, const process_tree *p, transition *t) {
  cell_numbers all = {0};
  in_place_cells(p, false, &all);
  for (size_t i = 0; i < all.count; i++) {
    variable v = l->cells.at[all.at[i]];
    transition_add_update(t, v, idle_value(l, v));
  }
  t->resets = all.count;
  VECTOR_FREE(all);
}

void in_place_complete(lowering *l, const program_edge *e, term here, uint32_t transition_index) {
  transition *t = &l->model->transitions.at[transition_index];
  add_contract(l, e, here, t);
  if (e->role == EDGE_START) start(l, e->called, t);
  if (e->role == EDGE_RETURN) reset(l, e->called, t);
}
