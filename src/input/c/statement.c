/* Statements: each is run on all live paths. */
#include "input/c/heap/heap.h"

/* ---- declarations ---- */

/* What `n` is the address of, without members and elements; NULL: it is no address. */
static const c_node *addressed_by(const c_node *n) {
  if (n->kind != C_UNARY || strcmp(n->opcode, "&") || !n->count) return NULL;
  for (n = c_without_parens(n->inner[0]); n->count; n = c_without_parens(n->inner[0])) {
    bool is_decay = n->kind == C_IMPLICIT_CAST && !strcmp(n->cast, "ArrayToPointerDecay");
    if (!is_decay && n->kind != C_SUBSCRIPT && (n->kind != C_MEMBER || n->is_arrow)) break;
  }
  return n;
}

/* The value of the variable is used in `n`; its size, or the address of it or of a part, is not. */
static bool uses_value(const c_node *n, const c_node *variable) {
  const c_node *of = addressed_by(n);
  if (n->kind == C_SIZEOF || (of && of->kind == C_NAME)) return false;
  if (n->kind == C_NAME && n->reference == variable->id) return true;
  for (size_t i = 0; i < n->count; i++)
    if (uses_value(n->inner[i], variable)) return true;
  return false;
}

/* `int x = x + 1`: what it holds before is any value. */
static void prepare_initial_value(c_lowering *l, const c_node *n) {
  const c_node *value = n->inner[n->count - 1];
  const c_type *t = c_type_of(&l->types, n->type);
  if (!uses_value(value, n)) return;
  if (!c_type_is_integer(t) || c_is_in_memory(l, n)) {
    c_refuse(l, value, "the initial value of `%s` uses `%s` itself; one that does not would be read", n->name, n->name);
    return;
  }
  const c_object *o = c_object_declare(l, n);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) c_object_clear(l, l->live.at[i], o, false);
}

static void declare_local(c_lowering *l, const c_node *n) {
  if (!strcmp(n->storage, "static") || !strcmp(n->storage, "extern")) return;
  const c_type *t = c_type_of(&l->types, n->type);
  if (n->count) prepare_initial_value(l, n);
  if (l->refused) return;
  if (t->kind == TYPE_POINTER && n->count) {
    c_eval(l, n->inner[n->count - 1]);
    if (!l->refused) c_pointer_bind(l, n);
    return;
  }
  if (t->kind == TYPE_POINTER && map_get(l->assigned, n->id, NULL)) {
    c_pointer_declare_unset(l, n);
    return;
  }
  const c_object *o = c_object_declare(l, n);
  if (l->refused) return;
  VECTOR_PUSH(l->frame->locals, o);
  if (o->type->length) c_array_set_length(l, n, o);
  for (size_t i = 0; i < l->live.count && o->lives_in && n->count; i++) c_object_clear(l, l->live.at[i], o, false);
  if (n->count)
    c_initialise(l, n, o);
  else
    for (size_t i = 0; i < l->live.count; i++) c_object_clear(l, l->live.at[i], o, false);
}

void c_declare_locals(c_lowering *l, const c_node *declaration) {
  for (size_t i = 0; i < declaration->count && !l->refused; i++)
    if (declaration->inner[i]->kind == C_VARIABLE) {
      for (size_t j = 0; j < l->live.count && declaration->inner[i]->count; j++)
        c_path_describe(l, l->live.at[j], declaration->inner[i], "", "");
      declare_local(l, declaration->inner[i]);
    }
}

/* ---- branches ---- */

static void execute_if(c_lowering *l, const c_node *n) {
  c_paths yes = {0}, no = {0}, done = {0};
  if (l->live.count) c_eval_condition(l, n->inner[0], &yes, &no);
  c_points_branch(l, n, &yes, &no);
  c_paths_move(&yes, &l->live);
  if (!l->refused) c_execute(l, n->inner[1]);
  c_paths_move(&l->live, &done);
  c_paths_move(&no, &l->live);
  if (!l->refused && n->count > 2) c_execute(l, n->inner[2]);
  c_paths_move(&done, &l->live);
  VECTOR_FREE(yes);
  VECTOR_FREE(no);
  VECTOR_FREE(done);
  c_live_join(l, n);
}

/* ---- loops ---- */

typedef struct loop {
  const c_node *condition, *step, *body; /* NULL if absent */
  bool body_first;
} loop;

static void end_round(c_lowering *l, const loop *of, c_paths *continues, const c_node *n) {
  c_paths_move(continues, &l->live);
  c_live_join(l, n);
  if (of->step && l->live.count && !l->refused) c_eval_effects(l, of->step);
}

static void test(c_lowering *l, const c_node *n, const loop *of, c_paths *out) {
  c_paths yes = {0}, no = {0};
  if (of->condition && l->live.count && !l->refused) {
    c_eval_condition(l, of->condition, &yes, &no);
    c_points_branch(l, n, &yes, &no);
    c_paths_move(&yes, &l->live);
    c_paths_move(&no, out);
    VECTOR_FREE(yes);
    VECTOR_FREE(no);
  }
}

static void execute_loop(c_lowering *l, const c_node *n, const loop *of) {
  c_paths breaks = {0}, continues = {0};
  c_exits outside = l->frame->exits;
  uint32_t head = c_place_new(l, n, "");
  c_live_arrive(l, head, n);
  c_live_start(l, head);
  c_loop_note(l, n, head);
  c_invariants_place(l, head);
  c_points_loop(l, n, of->body, head);
  l->frame->exits = (c_exits){&breaks, &continues, outside.cases};
  if (!of->body_first) test(l, n, of, &breaks);
  if (!l->refused) c_execute(l, of->body);
  end_round(l, of, &continues, n);
  if (of->body_first) test(l, n, of, &breaks);
  if (!l->refused) c_live_arrive(l, head, n);
  l->frame->exits = outside;
  c_paths_move(&continues, &l->live);
  c_paths_move(&breaks, &l->live);
  VECTOR_FREE(breaks);
  VECTOR_FREE(continues);
  c_live_join(l, n);
}

static const c_node *if_there(const c_node *n) { return n->kind == C_ABSENT ? NULL : n; }

static void execute_for(c_lowering *l, const c_node *n) {
  enum { FIRST, VARIABLE, CONDITION, STEP, BODY, PARTS };
  if (n->count != PARTS) {
    c_refuse(l, n, "this `for` is not read; `while` is");
    return;
  }
  if (if_there(n->inner[FIRST])) c_execute(l, n->inner[FIRST]);
  if (!l->refused)
    execute_loop(l, n, &(loop){if_there(n->inner[CONDITION]), if_there(n->inner[STEP]), n->inner[BODY], false});
}

/* ---- switch ---- */

/* Those of a switch inside, which may be all of the body, are its own. */
static void find_cases(const c_node *n, c_nodes *out) {
  if (n->kind == C_SWITCH) return;
  if (n->kind == C_CASE || n->kind == C_DEFAULT) VECTOR_PUSH(*out, n);
  for (size_t i = 0; i < n->count; i++) find_cases(n->inner[i], out);
}

/* The number after `case`, or, of `case 1 ... 3`, one of the two. */
static bool case_value(c_lowering *l, const c_node *at, size_t which, number *out) {
  c_paths outside = l->live;
  c_path *scratch = MEMORY_NEW(c_path);
  l->live = (c_paths){0};
  scratch->guard = TERM_TRUE;
  VECTOR_PUSH(l->live, scratch);
  c_eval(l, at->inner[which]);
  bool fine = !l->refused && l->live.count == 1 && scratch->stack.count == 1 &&
              term_is_number(l->ts, scratch->stack.at[0].value, out);
  c_paths_clear(&l->live);
  l->live = outside;
  if (!fine) c_refuse(l, at, "this `case` is not read; a constant, and two with `...` between, are");
  return !l->refused;
}

/* Each path goes to the case that its value is equal to. */
static void enter_cases(c_lowering *l, const c_node *n, c_switch *s, c_paths *others) {
  c_nodes cases = {0};
  find_cases(n->inner[1], &cases);
  c_entry defaults = {0};
  for (size_t i = 0; i < cases.count && !l->refused; i++) {
    c_entry e = {.at = cases.at[i]};
    number low, high;
    if (e.at->kind == C_DEFAULT) {
      defaults.at = e.at;
      continue;
    }
    if (!case_value(l, e.at, 0, &low) || !case_value(l, e.at, e.at->count > 2 ? 1 : 0, &high)) break;
    for (size_t j = 0; j < l->live.count; j++) {
      c_path *p = l->live.at[j], *inside = c_path_copy(p);
      term value = c_path_pop(inside).value, from = term_number(l->ts, low), to = term_number(l->ts, high);
      term is_it = number_equal(low, high) ? term_eq(l->ts, value, from)
                                           : term_and(l->ts, term_le(l->ts, from, value), term_le(l->ts, value, to));
      c_path_describe(l, inside, e.at->inner[0], "case ", "");
      if (c_path_assume(l, inside, is_it)) {
        c_jump_into(l, inside, n, e.at);
        VECTOR_PUSH(e.paths, inside);
      } else {
        c_path_free(inside);
      }
      if (!c_path_assume(l, p, term_not(is_it))) p->guard = TERM_FALSE;
    }
    VECTOR_PUSH(s->entries, e);
  }
  for (size_t j = 0; j < l->live.count && !l->refused; j++) {
    c_path_pop(l->live.at[j]);
    if (defaults.at) c_jump_into(l, l->live.at[j], n, defaults.at);
  }
  c_paths_move(&l->live, defaults.at ? &defaults.paths : others);
  if (defaults.at) VECTOR_PUSH(s->entries, defaults);
  VECTOR_FREE(cases);
}

static void execute_switch(c_lowering *l, const c_node *n) {
  c_switch s = {0};
  c_paths breaks = {0};
  c_exits outside = l->frame->exits;
  c_eval(l, n->inner[0]);
  if (!l->refused) enter_cases(l, n, &s, &breaks);
  l->frame->exits = (c_exits){&breaks, outside.continues, &s};
  if (!l->refused) c_execute(l, n->inner[1]);
  l->frame->exits = outside;
  for (size_t i = 0; i < s.entries.count; i++) c_paths_clear(&s.entries.at[i].paths);
  VECTOR_FREE(s.entries);
  c_paths_move(&breaks, &l->live);
  VECTOR_FREE(breaks);
  c_live_join(l, n);
}

static void execute_case(c_lowering *l, const c_node *n) {
  c_switch *s = l->frame->exits.cases;
  for (size_t i = 0; s && i < s->entries.count; i++)
    if (s->entries.at[i].at == n) c_paths_move(&s->entries.at[i].paths, &l->live);
  c_live_join(l, n);
  if (n->count) c_execute(l, n->inner[n->count - 1]);
}

/* ---- jumps ---- */

static uint32_t place_of_label(c_lowering *l, uint64_t id, const c_node *at, const char *name) {
  c_frame *f = l->frame;
  for (size_t i = 0; i < f->labels.count; i++)
    if (f->labels.at[i].id == id) return f->labels.at[i].place;
  uint32_t made = c_place_new(l, at, name);
  VECTOR_PUSH(f->labels, (c_label){id, made});
  return made;
}

static void execute_goto(c_lowering *l, const c_node *n) {
  uint64_t label;
  if (!map_get(l->labels, n->reference, &label)) {
    c_refuse(l, n, "the label of this goto is not known; one in the same function is");
    return;
  }
  const c_node *to = (const c_node *)(uintptr_t)label;
  for (size_t i = 0; i < l->live.count; i++) c_jump_into(l, l->live.at[i], n, to);
  if (!l->refused && l->live.count) c_live_arrive(l, place_of_label(l, n->reference, to, to->name), n);
}

static void execute_label(c_lowering *l, const c_node *n) {
  if (map_get(l->targets, n->reference, NULL)) {
    uint32_t at = place_of_label(l, n->reference, n, n->name);
    c_live_arrive(l, at, n);
    c_live_start(l, at);
  }
  if (!strcmp(n->name, "ERROR") && !l->has_error_call)
    for (size_t i = 0; i < l->live.count; i++) c_path_error(l, l->live.at[i], n);
  c_live_join(l, n);
  if (n->count) c_execute(l, n->inner[0]);
}

static void leave_to(c_lowering *l, c_paths *to, const c_node *n) {
  if (!to) {
    c_refuse(l, n, "there is no loop or switch to leave here");
    return;
  }
  c_paths_move(&l->live, to);
}

/* What is returned outlives the variables of the function. */
static void keep_struct(c_lowering *l, const c_node *n) {
  c_operand to = c_object_place(l, l->frame->result);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_operand value = c_path_pop(l->live.at[i]);
    c_place_copy(l, l->live.at[i], &to, &value, n);
    c_path_push(l->live.at[i], to);
  }
}

static void execute_return(c_lowering *l, const c_node *n) {
  for (size_t i = 0; i < l->live.count; i++) c_path_describe(l, l->live.at[i], n, "", "");
  if (n->count)
    c_eval(l, n->inner[0]);
  else
    for (size_t i = 0; i < l->live.count; i++)
      c_path_push(l->live.at[i], c_value_number(l, c_type_signed(&l->types, 32), number_of(0)));
  if (l->frame->result && n->count) keep_struct(l, n);
  c_paths_move(&l->live, &l->frame->returns);
}

/* ---- all of them ---- */

static void execute_expression(c_lowering *l, const c_node *n) {
  for (size_t i = 0; i < l->live.count; i++)
    if (c_without_parens(n)->kind != C_CALL) c_path_describe(l, l->live.at[i], n, "", "");
  if (l->live.count) c_eval_effects(l, n);
}

void c_execute(c_lowering *l, const c_node *n) {
  if (l->refused || (!l->live.count && !n->has_label)) return;
  switch (n->kind) {
    case C_ABSENT:
    case C_NULL: break;
    case C_COMPOUND:
      for (size_t i = 0; i < n->count; i++) c_execute(l, n->inner[i]);
      break;
    case C_ATTRIBUTED:
      if (n->count) c_execute(l, n->inner[n->count - 1]);
      break;
    case C_DECLARATION: c_declare_locals(l, n); break;
    case C_IF: execute_if(l, n); break;
    case C_WHILE: execute_loop(l, n, &(loop){n->inner[0], NULL, n->inner[n->count - 1], false}); break;
    case C_DO: execute_loop(l, n, &(loop){n->inner[1], NULL, n->inner[0], true}); break;
    case C_FOR: execute_for(l, n); break;
    case C_SWITCH: execute_switch(l, n); break;
    case C_CASE:
    case C_DEFAULT: execute_case(l, n); break;
    case C_BREAK: leave_to(l, l->frame->exits.breaks, n); break;
    case C_CONTINUE: leave_to(l, l->frame->exits.continues, n); break;
    case C_RETURN: execute_return(l, n); break;
    case C_GOTO: execute_goto(l, n); break;
    case C_LABEL: execute_label(l, n); break;
    case C_OTHER:
      if (!strcmp(n->kind_name, "GCCAsmStmt"))
        c_refuse(l, n, "assembly is not read; C is");
      else if (!strcmp(n->kind_name, "IndirectGotoStmt"))
        c_refuse(l, n, "a computed goto is not read; a goto to a label is");
      else
        execute_expression(l, n);
      break;
    default: execute_expression(l, n);
  }
}
