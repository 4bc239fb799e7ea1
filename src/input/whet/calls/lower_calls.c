/* From bodies to the graph with procedures. */
#include "input/whet/calls/lower_procedures.h"

/* ---- what each procedure reads and changes ---- */

static void note_reads(const procedures *k, term t, bits *out) {
  variable_vector all = {0};
  uint64_t cell;
  quantifiers_variables_of(&k->l->quantifiers, k->l->terms, t, &all);
  for (size_t i = 0; i < all.count; i++)
    if (map_get(k->cells, all.at[i].x, &cell) && bits_has(&k->shared, cell)) bits_add(out, cell);
  VECTOR_FREE(all);
}

static void note_transition(const procedures *k, uint32_t transition_index, lowered_body *b) {
  if (transition_index == NO_STEP) return;
  const transition *t = &k->steps->transitions.at[transition_index];
  uint64_t cell;
  note_reads(k, t->guard, &b->reads);
  for (size_t i = 0; i < t->faults.count; i++) note_reads(k, t->faults.at[i].when, &b->reads);
  for (size_t i = 0; i < t->updates.count; i++) {
    note_reads(k, t->updates.at[i].value, &b->reads);
    if (map_get(k->cells, t->updates.at[i].var.x, &cell) && bits_has(&k->shared, cell)) bits_add(&b->writes, cell);
  }
}

static void note_body(const procedures *k, lowered_body *b) {
  b->reads = bits_new(k->l->cells.count);
  b->writes = bits_new(k->l->cells.count);
  for (size_t i = 0; i < b->steps.count; i++) {
    note_transition(k, b->steps.at[i].transition, b);
    note_transition(k, b->steps.at[i].after, b);
  }
  for (size_t i = 0; i < b->checks.count; i++) note_reads(k, b->checks.at[i].bad, &b->reads);
  for (size_t i = 0; i < b->olds.count; i++) bits_add(&b->reads, b->olds.at[i].cell);
}

/* What is called reads and changes for its caller. */
static bool note_calls(const procedures *k, lowered_body *b) {
  bool more = false;
  for (size_t i = 0; i < b->steps.count; i++) {
    if (b->steps.at[i].calls == NO_STEP) continue;
    const lowered_body *to = &k->bodies.at[b->steps.at[i].calls];
    more |= !bits_is_within(&to->reads, &b->reads) || !bits_is_within(&to->writes, &b->writes);
    bits_unite(&b->reads, &to->reads);
    bits_unite(&b->writes, &to->writes);
  }
  return more;
}

static void note_all(procedures *k) {
  for (size_t i = 0; i < k->bodies.count; i++) note_body(k, &k->bodies.at[i]);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < k->bodies.count; i++) more |= note_calls(k, &k->bodies.at[i]);
  }
}

/* ---- what goes in and out ---- */

static void add_cells_of(const variables_trees *list, cell_list *out) {
  for (size_t i = 0; i < list->count; i++)
    for (size_t j = 0; j < list->at[i]->names.count; j++)
      VECTOR_PUSH(*out, list->at[i]->names.at[j].symbol->first_cell);
}

/* A cell that holds until the end what `cell` held at first: the cell itself if it never changes. */
static size_t kept_cell(procedures *k, lowered_body *b, size_t cell) {
  for (size_t i = 0; i < b->olds.count; i++)
    if (b->olds.at[i].cell == cell) {
      VECTOR_PUSH(k->graph.cells, b->olds.at[i].var);
      return k->graph.cells.count - 1;
    }
  if (!bits_has(&b->writes, cell)) return cell;
  VECTOR_PUSH(k->graph.cells, procedures_old_variable(k, cell));
  return k->graph.cells.count - 1;
}

static void describe_procedure(procedures *k, lowered_body *b) {
  flow_procedure made = {.entry = b->entry, .exit = b->exit};
  add_cells_of(&b->tree->parameters, &made.in);
  for (size_t i = 0; i < made.in.count; i++) VECTOR_PUSH(made.kept, made.in.at[i]);
  add_cells_of(&b->tree->results, &made.out);
  made.own_in = made.in.count;
  made.own_out = made.out.count;
  for (size_t i = 0; i < k->l->cells.count; i++) {
    bool changes = bits_has(&b->writes, i);
    if (!changes && !bits_has(&b->reads, i)) continue;
    VECTOR_PUSH(made.in, i);
    size_t kept = kept_cell(k, b, i);
    VECTOR_PUSH(made.kept, kept);
    if (changes) VECTOR_PUSH(made.out, i);
  }
  b->procedure = (uint32_t)k->graph.procedures.count;
  VECTOR_PUSH(k->graph.procedures, made);
}

/* ---- edges ---- */

static flow_edge edge_of(const body_step *s, uint32_t from, uint32_t to, const char *name) {
  return (flow_edge){.from = from, .to = to, .guard = TERM_TRUE, .name = name, .at = s->at};
}

static void add_failures(procedures *k, const body_step *s, uint32_t from, const transition *t) {
  for (size_t i = 0; i < t->faults.count; i++) {
    if (!k->can_fail) {
      k->can_fail = true;
      k->failure = procedures_error(k, (uint32_t)k->whole->properties.count);
    }
    char *name = text_format("%u: %s", t->faults.at[i].place.line, t->faults.at[i].what);
    flow_edge e = edge_of(s, from, k->failure, model_string(k->whole, name));
    memory_free(name);
    e.guard = t->faults.at[i].when;
    e.at = t->faults.at[i].place;
    VECTOR_PUSH(k->graph.edges, e);
  }
}

/* The step that a transition is: under its guard, if nothing fails. */
static void add_step(procedures *k, const body_step *s, uint32_t from, uint32_t to, uint32_t index, const char *name) {
  const transition *t = &k->steps->transitions.at[index];
  flow_edge e = edge_of(s, from, to, name);
  add_failures(k, s, from, t);
  e.guard = transition_enabled(k->steps, t);
  VECTOR_COPY(e.updates, t->updates);
  VECTOR_PUSH(k->graph.edges, e);
}

/* What the parameter or variable `cell` holds when the procedure starts. */
static term value_passed(const procedures *k, const transition *arguments, size_t cell) {
  variable v = k->graph.cells.at[cell];
  for (size_t i = 0; i < arguments->updates.count; i++)
    if (variable_same(arguments->updates.at[i].var, v)) return arguments->updates.at[i].value;
  return term_of_variable(k->l->terms, v);
}

/* What the procedure ensures, about this call: it follows from what is known at the exit, and need not be found. */
static term ensured_by(const procedures *k, const body_step *s, const flow_procedure *p, const term *in,
                       const variable *out) {
  terms *ts = k->l->terms;
  substitution *by = substitution_new(ts);
  for (size_t i = 0; i < p->in.count; i++) {
    substitution_set(by, k->graph.cells.at[p->in.at[i]], in[i]);
    substitution_set(by, k->graph.cells.at[p->kept.at[i]], in[i]);
  }
  for (size_t i = 0; i < p->out.count; i++)
    substitution_set(by, k->graph.cells.at[p->out.at[i]], term_of_variable(ts, out[i]));
  term ensured = quantifiers_apply(&k->l->quantifiers, ts, by, k->bodies.at[s->calls].ensured);
  substitution_free(by);
  return ensured;
}

/* Result `i` goes to the variable that keeps what was returned, a changed variable of the model to itself. */
static void add_return(procedures *k, const body_step *s, const flow_procedure *p, uint32_t to, term guard) {
  terms *ts = k->l->terms;
  const transition *arguments = &k->steps->transitions.at[s->transition];
  const process_tree *tree = k->bodies.at[s->calls].tree;
  flow_edge e = edge_of(s, s->from, to, s->name);
  term *in = arena_alloc(terms_arena(ts), (p->in.count + 1) * sizeof *in);
  variable *out = arena_alloc(terms_arena(ts), (p->out.count + 1) * sizeof *out);
  for (size_t i = 0; i < p->in.count; i++) in[i] = value_passed(k, arguments, p->in.at[i]);
  for (size_t i = 0; i < p->out.count; i++) {
    variable cell = k->graph.cells.at[p->out.at[i]];
    type of = *variable_type(ts, cell);
    char *name = clause_variable_name(ts, cell);
    out[i] = variable_fresh(ts, name, &of);
    memory_free(name);
    variable target = i < tree->returned_count ? k->l->cells.at[tree->returned[i]->first_cell] : cell;
    VECTOR_PUSH(e.updates, (update){target, term_of_variable(ts, out[i])});
  }
  e.guard = term_and(ts, guard, ensured_by(k, s, p, in, out));
  VECTOR_PUSH(e.calls, (flow_call){k->bodies.at[s->calls].procedure, in, out, 0, strlen(s->name)});
  VECTOR_PUSH(k->graph.edges, e);
}

/* Whoever calls comes to the entry; whoever gets something back goes on, and assigns it then. */
static void add_call(procedures *k, const body_step *s) {
  const lowered_body *to = &k->bodies.at[s->calls];
  add_step(k, s, s->from, to->entry, s->transition, s->name);
  term guard = VECTOR_LAST(k->graph.edges).guard;
  uint32_t back = s->to;
  if (s->after != NO_STEP) {
    char *name = text_format("%s.after", k->graph.places.at[s->from].name);
    back = procedures_place(k, name, s->at);
    memory_free(name);
  }
  add_return(k, s, &k->graph.procedures.at[to->procedure], back, guard);
  if (s->after != NO_STEP) add_step(k, s, back, s->to, s->after, "");
}

/* Of a procedure: what it has changed at its end is compared with what was at first. */
static void keep_first_values(procedures *k, const lowered_body *b, flow_edge *start) {
  if (b->procedure == NO_STEP) return;
  const flow_procedure *p = &k->graph.procedures.at[b->procedure];
  for (size_t i = 0; i < p->in.count; i++)
    if (p->kept.at[i] != p->in.at[i]) {
      update kept = {k->graph.cells.at[p->kept.at[i]], term_of_variable(k->l->terms, k->graph.cells.at[p->in.at[i]])};
      VECTOR_PUSH(start->updates, kept);
    }
}

/* The first step is the start. */
static void connect_body(procedures *k, const lowered_body *b) {
  for (size_t i = 0; i < b->steps.count; i++) {
    const body_step *s = &b->steps.at[i];
    if (s->calls != NO_STEP) {
      add_call(k, s);
      continue;
    }
    add_step(k, s, s->from, s->to, s->transition, s->name);
    if (!i) keep_first_values(k, b, &VECTOR_LAST(k->graph.edges));
  }
  for (size_t i = 0; i < b->checks.count; i++) {
    const body_check *c = &b->checks.at[i];
    flow_edge e = {.from = c->at, .guard = c->bad, .name = c->name, .at = c->place};
    e.to = procedures_error(k, c->property);
    VECTOR_PUSH(k->graph.edges, e);
  }
}

/* Each place of a body says something about each cell that the body reads or changes. */
static bool has_room(procedures *k) {
  enum { WORK_A_CELL = 64 };
  for (size_t i = 0; i < k->bodies.count; i++) {
    const lowered_body *b = &k->bodies.at[i];
    uint64_t cells = bits_count(&b->reads) + bits_count(&b->writes);
    if (!lowering_spend(k->l, cells * (b->steps.count + 1) * WORK_A_CELL, b->tree->name.at.start)) return false;
  }
  return true;
}

void procedures_connect(procedures *k) {
  note_all(k);
  if (!has_room(k)) return;
  for (size_t i = 0; i < k->bodies.count; i++)
    if (k->bodies.at[i].tree->is_procedure) describe_procedure(k, &k->bodies.at[i]);
  for (size_t i = 0; i < k->bodies.count; i++) connect_body(k, &k->bodies.at[i]);
}

uint32_t procedures_error(procedures *k, uint32_t property) {
  for (uint32_t i = 0; i < k->graph.places.count; i++)
    if (k->graph.places.at[i].is_error && k->graph.places.at[i].property == property) return i;
  VECTOR_PUSH(k->graph.places, (flow_place){.name = "error", .is_error = true, .property = property});
  return (uint32_t)k->graph.places.count - 1;
}
