/* Procedures and their calls. A procedure gets, besides its inputs, the constants and global variables that it or what it
 * calls reads or changes, and gives back those that it may change. */
#include "input/svlib/lower.h"

#define NO_PROCEDURE UINT32_MAX

KEEP sv_procedure *sv_procedure_find(sv_lowering *l, const char *name) {
  for (size_t i = 0; i < l->procedures.count; i++)
    if (!strcmp(l->procedures.at[i]->name, name)) return l->procedures.at[i];
  return NULL;
}

static uint32_t number_of_procedure(const sv_lowering *l, const char *name) {
  for (uint32_t i = 0; i < l->procedures.count; i++)
    if (!strcmp(l->procedures.at[i]->name, name)) return i;
  return NO_PROCEDURE;
}

/* ---- what they read and change ---- */

static const sv_symbol *shared_symbol(sv_lowering *l, const sv_procedure *p, const char *name) {
  uint64_t found;
  if (names_get(p->scope, name, NULL) || !names_get(l->symbols, name, &found)) return NULL;
  const sv_symbol *s = (const sv_symbol *)(uintptr_t)found;
  return s->kind == SV_CONSTANT || s->kind == SV_GLOBAL ? s : NULL;
}

/* Every word counts that is the name of one: a little too much does no harm. */
static void note_words(sv_lowering *l, sv_procedure *p, const sv_node *n) {
  const sv_symbol *s = n->is_list ? NULL : shared_symbol(l, p, n->text);
  if (s) bits_add(&p->reads, s->cell);
  for (size_t i = 0; i < n->count; i++) note_words(l, p, n->items[i]);
}

static void note_target(sv_lowering *l, sv_procedure *p, const sv_node *n) {
  const sv_symbol *s = n->is_list ? NULL : shared_symbol(l, p, n->text);
  if (s) bits_add(&p->writes, s->cell);
}

static void note_changes(sv_lowering *l, sv_procedure *p, const sv_node *n) {
  bool assigns = sv_starts_with(n, "assign"), havocs = sv_starts_with(n, "havoc");
  for (size_t i = 1; (assigns || havocs) && i < n->count; i++) {
    const sv_node *one = n->items[i];
    note_target(l, p, assigns && one->is_list && one->count ? one->items[0] : one);
  }
  if (sv_starts_with(n, "call") && n->count > 1) {
    uint32_t to = number_of_procedure(l, n->items[1]->text);
    if (to != NO_PROCEDURE) VECTOR_PUSH(p->calls, to);
    for (size_t i = 0; n->count > 3 && i < n->items[3]->count; i++) note_target(l, p, n->items[3]->items[i]);
  }
  for (size_t i = 0; i < n->count; i++) note_changes(l, p, n->items[i]);
}

static void note_body(sv_lowering *l, sv_procedure *p) {
  p->reads = bits_new(l->shared.count);
  p->writes = bits_new(l->shared.count);
  note_words(l, p, p->body);
  note_changes(l, p, p->body);
  for (size_t i = 0; i < l->by_tag.count; i++) note_words(l, p, l->by_tag.at[i].term);
  if (l->trace.steps) {
    bits_add(&p->reads, l->trace.cell);
    bits_add(&p->writes, l->trace.cell);
  }
  for (size_t i = 0; i < l->shared.count; i++) /* functions of the script may name constants */
    if (l->shared.at[i]->kind == SV_CONSTANT) bits_add(&p->reads, i);
}

static bool note_called(sv_lowering *l, sv_procedure *p) {
  bool more = false;
  for (size_t i = 0; i < p->calls.count; i++) {
    sv_procedure *to = l->procedures.at[p->calls.at[i]];
    to->is_called = true;
    more |= !bits_is_within(&to->reads, &p->reads) || !bits_is_within(&to->writes, &p->writes);
    bits_unite(&p->reads, &to->reads);
    bits_unite(&p->writes, &to->writes);
  }
  return more;
}

void sv_procedures_look(sv_lowering *l) {
  for (size_t i = 0; i < l->procedures.count; i++) note_body(l, l->procedures.at[i]);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < l->procedures.count; i++) more |= note_called(l, l->procedures.at[i]);
  }
}

/* ---- what goes in and out ---- */

static void describe(sv_lowering *l, sv_procedure *p) {
  flow_procedure made = {.entry = p->entry, .exit = p->exit};
  for (size_t i = 0; i < p->in.count; i++) {
    VECTOR_PUSH(made.in, p->in.at[i]->cell);
    VECTOR_PUSH(made.kept, p->in.at[i]->cell);
  }
  for (size_t i = 0; i < p->out.count; i++) VECTOR_PUSH(made.out, p->out.at[i]->cell);
  made.own_in = made.in.count;
  made.own_out = made.out.count;
  for (size_t i = 0; i < l->shared.count; i++) {
    bool changes = bits_has(&p->writes, i);
    if (!changes && !bits_has(&p->reads, i)) continue;
    VECTOR_PUSH(made.in, i);
    VECTOR_PUSH(made.kept, changes ? sv_cell_new(l, l->shared.at[i]->name, l->shared.at[i]->sort) : i);
    if (changes) VECTOR_PUSH(made.out, i);
  }
  p->number = (uint32_t)l->graph.procedures.count;
  VECTOR_PUSH(l->graph.procedures, made);
}

/* Outputs and local variables start with any value. */
static void start_body(sv_lowering *l, const sv_procedure *p) {
  size_t count = p->out.count + p->local.count;
  const sv_symbol **all = arena_alloc(l->arena, (count + 1) * sizeof *all);
  for (size_t i = 0; i < count; i++) {
    all[i] = i < p->out.count ? p->out.at[i] : p->local.at[i - p->out.count];
    sv_havoc(l, all[i]->cell, all[i]->name, p->at, CHOICE_FIRST_VALUE, !i);
  }
  for (size_t i = 0; i < p->ghosts.count; i++) sv_forget(l, p->ghosts.at[i].cell);
  for (size_t i = 0; i < p->measures.count; i++)
    for (size_t j = 0; j < p->measures.at[i].count; j++) sv_forget(l, p->measures.at[i].cells[j]);
  sv_trace_cells(l, "init-proc-vars", p->name, count, all);
}

/* ---- calls ---- */

/* The variables that get the outputs. */
static bool find_targets(sv_lowering *l, const sv_node *list, const sv_procedure *p, const sv_symbol **out) {
  for (size_t i = 0; i < list->count; i++) {
    out[i] = list->items[i]->is_list ? NULL : sv_look_up(l, list->items[i]->text);
    if (!out[i] || (out[i]->kind != SV_GLOBAL && out[i]->kind != SV_VARIABLE))
      sv_refuse(l, list->items[i], "this is not a variable that can be assigned here");
    else if (out[i]->sort != p->out.at[i]->sort)
      sv_refuse(l, list->items[i], "`%s` and the output `%s` have different sorts", out[i]->name, p->out.at[i]->name);
    for (size_t j = 0; j < i && !l->failed; j++)
      if (out[j] == out[i]) sv_refuse(l, list->items[i], "`%s` gets two outputs", out[i]->name);
    if (l->failed) return false;
  }
  return true;
}

/* Whoever calls comes to the entry. */
static void add_entry(sv_lowering *l, const flow_procedure *p, const term *in, span at) {
  flow_edge *e = sv_edge(l, p->entry, l->now->guard, at, false);
  for (size_t i = 0; i < p->in.count; i++) VECTOR_PUSH(e->updates, (update){l->graph.cells.at[p->in.at[i]], in[i]});
}

static void go_through(sv_lowering *l, const sv_node *n, const sv_procedure *p, const sv_symbol *const *targets) {
  const flow_procedure *f = &l->graph.procedures.at[p->number];
  term *in = arena_alloc(terms_arena(l->ts), (f->in.count + 1) * sizeof *in);
  variable *out = arena_alloc(terms_arena(l->ts), (f->out.count + 1) * sizeof *out);
  for (size_t i = 0; i < f->in.count; i++)
    in[i] = sv_now(l, i < f->own_in ? sv_term(l, n->items[2]->items[i], p->in.at[i]->sort)
                                    : term_of_variable(l->ts, l->graph.cells.at[f->in.at[i]]));
  if (l->failed || !l->now) return;
  sv_describe(l, n, "");
  add_entry(l, f, in, n->at);
  for (size_t i = 0; i < f->out.count; i++) {
    variable cell = l->graph.cells.at[f->out.at[i]];
    char *name = clause_variable_name(l->ts, cell);
    out[i] = variable_fresh(l->ts, name, variable_type(l->ts, cell));
    memory_free(name);
  }
  VECTOR_PUSH(l->now->calls, (flow_call){p->number, in, out, l->now->inputs.count, l->now->words.count});
  for (size_t i = f->own_out; i < f->out.count; i++) sv_set(l, f->out.at[i], term_of_variable(l->ts, out[i]));
  for (size_t i = 0; i < f->own_out; i++) sv_set(l, targets[i]->cell, term_of_variable(l->ts, out[i]));
}

void sv_call(sv_lowering *l, const sv_node *n) {
  if (n->count != 4 || n->items[1]->is_list || !n->items[2]->is_list || !n->items[3]->is_list) {
    sv_refuse(l, n, "this is not a call; (call f (x 1) (y)) is one");
    return;
  }
  uint32_t number = number_of_procedure(l, n->items[1]->text);
  if (number == NO_PROCEDURE || number >= l->procedure->first_unknown) {
    sv_refuse(l, n->items[1], "`%s` is not a procedure that is known here", n->items[1]->text);
    return;
  }
  const sv_procedure *p = l->procedures.at[number];
  if (n->items[2]->count != p->in.count || n->items[3]->count != p->out.count) {
    sv_refuse(l, n, "`%s` has %zu inputs and %zu outputs", p->name, p->in.count, p->out.count);
    return;
  }
  const sv_symbol **targets = MEMORY_ARRAY(const sv_symbol *, p->out.count + 1);
  if (find_targets(l, n->items[3], p, targets)) go_through(l, n, p, targets);
  memory_free(targets);
}

/* ---- bodies ---- */

/* At the end, a call says what it was called with and what it gives back. */
static void lower_procedure(sv_lowering *l, sv_procedure *p) {
  l->procedure = p;
  l->is_start = false;
  sv_path_start(l, p->entry);
  for (size_t i = 0; i < l->graph.procedures.at[p->number].in.count; i++) {
    const flow_procedure *f = &l->graph.procedures.at[p->number];
    if (f->kept.at[i] != f->in.at[i]) sv_set(l, f->kept.at[i], term_of_variable(l->ts, l->graph.cells.at[f->in.at[i]]));
  }
  start_body(l, p);
  sv_body(l, p);
  if (!l->failed) sv_arrive(l, p->exit, p->at);
}

/* From place 0, with any constants and global variables. */
static void lower_start(sv_lowering *l, sv_procedure *p) {
  const sv_node *arguments = l->call->items[2];
  l->is_start = true;
  sv_path_start(l, 0);
  for (size_t i = 0; i < l->shared.count; i++) {
    const sv_symbol *s = l->shared.at[i];
    if (i != l->trace.cell)
      sv_havoc(l, i, s->name, s->at, s->kind == SV_GLOBAL ? CHOICE_GLOBAL : CHOICE_CONSTANT, true);
  }
  sv_assume(l, sv_now(l, l->assumed));
  sv_trace_start(l);
  for (size_t i = 0; i < p->in.count && !l->failed; i++)
    sv_set(l, p->in.at[i]->cell, sv_now(l, sv_term(l, arguments->items[i], p->in.at[i]->sort)));
  l->procedure = p;
  start_body(l, p);
  if (!l->failed) sv_body(l, p);
  sv_path_free(l->now);
  l->now = NULL;
}

static void make_places(sv_lowering *l, sv_procedure *p) {
  char *name = text_format("%s_returns", p->name);
  p->entry = sv_place(l, p->name, p->at);
  p->exit = sv_place(l, name, p->at);
  memory_free(name);
  describe(l, p);
}

void sv_procedures_lower(sv_lowering *l) {
  sv_procedure *first = sv_procedure_find(l, l->call->items[1]->text);
  VECTOR_PUSH(l->graph.places, (flow_place){.name = "start"});
  for (size_t i = 0; i < l->procedures.count && !l->failed; i++) sv_ghosts_make(l, l->procedures.at[i]);
  for (size_t i = 0; i < l->procedures.count && !l->failed; i++)
    if (l->procedures.at[i]->is_called) make_places(l, l->procedures.at[i]);
  if (!l->failed) lower_start(l, first);
  for (size_t i = 0; i < l->procedures.count && !l->failed; i++)
    if (l->procedures.at[i]->is_called) lower_procedure(l, l->procedures.at[i]);
  l->procedure = NULL;
}
