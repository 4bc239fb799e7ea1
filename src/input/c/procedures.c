/* Functions that may call themselves, or all that can be if that is asked for, are lowered once, as procedures (input/c/lower.h). A path that calls one goes on
 * with a new variable for the result, and for each global variable that the procedure may change; a clause is made of
 * it that needs what is known at the procedure's exit (clauses.c). */
#include "input/c/heap/heap.h"

static uint64_t key(const void *p) { return (uint64_t)(uintptr_t)p; }

/* ---- who calls whom ---- */

static bool reaches(c_lowering *l, const c_node *n, const c_node *goal, map *seen);

static bool reaches_through(c_lowering *l, const char *name, const c_node *goal, map *seen) {
  const c_node *called = c_function_named(l, name);
  if (called == goal) return true;
  if (!called || map_get(seen, key(called), NULL)) return false;
  map_set(seen, key(called), 1);
  return reaches(l, called, goal, seen);
}

/* A call through a pointer may be one of any function whose address is taken. */
static bool reaches(c_lowering *l, const c_node *n, const c_node *goal, map *seen) {
  if (n->kind == C_NAME && n->reference_kind == C_FUNCTION && reaches_through(l, n->reference_name, goal, seen))
    return true;
  for (size_t i = 0; i < l->addressed.count && n->kind == C_CALL && !c_callee_of(n); i++)
    if (reaches_through(l, l->addressed.at[i], goal, seen)) return true;
  for (size_t i = 0; i < n->count; i++)
    if (reaches(l, n->inner[i], goal, seen)) return true;
  return false;
}

bool c_is_recursive(c_lowering *l, const c_node *function) {
  uint64_t known;
  if (map_get(l->recursive, key(function), &known)) return known;
  map *seen = map_new();
  map_set(seen, key(function), 1);
  known = reaches(l, function, function, seen);
  map_free(seen);
  map_set(l->recursive, key(function), known);
  return known;
}

/* ---- which functions are procedures ---- */

static bool is_plain(const c_type *t) { return c_type_is_integer(t) && !t->is_function && !t->is_address; }

/* "int (int, long)" */
static bool has_plain_result(c_lowering *l, const c_node *function) {
  size_t length = strcspn(function->type, "(");
  while (length && function->type[length - 1] == ' ') length--;
  char *text = text_format("%.*s", (int)length, function->type);
  const c_type *t = c_type_of(&l->types, arena_copy_string(l->arena, text));
  memory_free(text);
  return t->kind == TYPE_VOID || is_plain(t);
}

/* It allocates or frees memory, directly or through others, or calls through a pointer. */
static bool uses_memory(c_lowering *l, const c_node *n, map *seen) {
  if (n->kind == C_CALL && (!c_callee_of(n) || c_is_allocation(l, n))) return true;
  if (n->kind == C_NAME && n->reference_kind == C_FUNCTION) {
    const c_node *called = c_function_named(l, n->reference_name);
    if (!called && !strcmp(n->reference_name, "free")) return true;
    bool is_new = called && !map_get(seen, key(called), NULL);
    if (is_new) map_set(seen, key(called), 1);
    if (is_new && uses_memory(l, called, seen)) return true;
  }
  for (size_t i = 0; i < n->count; i++)
    if (uses_memory(l, n->inner[i], seen)) return true;
  return false;
}

static bool has_global_pointer(c_lowering *l, const c_node *function) {
  c_nodes used = {0};
  bool found = false;
  c_survey_globals(l, function, &used);
  for (size_t i = 0; i < used.count; i++) found |= c_type_of(&l->types, used.at[i]->type)->kind == TYPE_POINTER;
  VECTOR_FREE(used);
  return found;
}

/* Integers go in and out, and nothing else than values of variables matters. Calling an error function is the error. */
static bool can_be_procedure(c_lowering *l, const c_node *function) {
  bool is_error = !strcmp(function->name, "reach_error") || !strcmp(function->name, "__VERIFIER_error");
  if (is_error || !has_plain_result(l, function)) return false;
  for (size_t i = 0; i < function->count; i++)
    if (function->inner[i]->kind == C_PARAMETER && !is_plain(c_type_of(&l->types, function->inner[i]->type)))
      return false;
  map *seen = map_new();
  map_set(seen, key(function), 1);
  bool uses = uses_memory(l, function, seen);
  map_free(seen);
  return !uses && !has_global_pointer(l, function);
}

bool c_is_procedure(c_lowering *l, const c_node *function) {
  uint64_t known;
  if (c_is_recursive(l, function)) return true;
  if (!l->settings->all_procedures || !strcmp(function->name, "main")) return false;
  if (map_get(l->separate, key(function), &known)) return known;
  known = can_be_procedure(l, function);
  map_set(l->separate, key(function), known);
  return known;
}

/* ---- what goes in and out ---- */

/* The cell keeps its value, or another one does. */
static void add_in(c_lowering *l, c_procedure *p, size_t cell, bool may_change) {
  size_t kept = cell;
  if (may_change) {
    char *name = text_format("%s at first", variable_name(l->ts, l->cells.at[cell].var));
    kept = c_cell_like(l, name, cell);
    memory_free(name);
  }
  VECTOR_PUSH(p->in, cell);
  VECTOR_PUSH(p->kept, kept);
}

static void add_parameters(c_lowering *l, c_procedure *p, const map *written) {
  for (size_t i = 0; i < p->function->count && !l->refused; i++) {
    const c_node *parameter = p->function->inner[i];
    if (parameter->kind != C_PARAMETER) continue;
    const c_object *o = c_object_declare(l, parameter);
    if (o->type->kind == TYPE_POINTER)
      c_refuse(l, parameter, "`%s` may call itself and has a pointer as its parameter; integers and structs are read",
               p->function->name);
    if (o->has_flags)
      c_refuse(l, parameter, "no-uninitialised is not decided of `%s`, which may call itself and gets a struct",
               p->function->name);
    if (o->lives_in)
      c_refuse(l, parameter,
               "`%s` may call itself, and the address of its parameter is kept; that of a local variable is read",
               p->function->name);
    bool may_change = o->type->kind != TYPE_INTEGER || map_get(written, parameter->id, NULL);
    for (size_t j = 0; j < o->cells && !l->refused; j++) add_in(l, p, o->first + j, may_change);
  }
}

/* Declarations of one variable have several ids, of which any may be written. */
static bool is_written(c_lowering *l, const c_nodes *used, const map *written, const c_object *o) {
  if (o->type->kind != TYPE_INTEGER) return true;
  for (size_t i = 0; i < used->count; i++) {
    c_node name = {.reference = used->at[i]->id, .reference_name = used->at[i]->name, .kind_name = ""};
    if (map_get(written, used->at[i]->id, NULL) && c_object_of(l, &name) == o) return true;
  }
  return false;
}

static void add_globals(c_lowering *l, c_procedure *p, const map *written) {
  c_nodes used = {0};
  map *seen = map_new();
  c_survey_globals(l, p->function, &used);
  for (size_t i = 0; i < used.count && !l->refused; i++) {
    c_node name = {.reference = used.at[i]->id, .reference_name = used.at[i]->name, .kind_name = ""};
    const c_object *o = c_object_of(l, &name);
    if (!o || map_get(seen, key(o), NULL)) continue;
    map_set(seen, key(o), 1);
    bool may_change = is_written(l, &used, written, o);
    for (size_t j = 0; j < o->cells; j++) {
      if (!c_type_is_integer(l->cells.at[o->first + j].type)) continue;
      add_in(l, p, o->first + j, may_change);
      if (may_change) VECTOR_PUSH(p->out, o->first + j);
    }
  }
  map_free(seen);
  VECTOR_FREE(used);
}

/* Memory is the same for the whole program. */
static void add_memory(c_lowering *l, c_procedure *p) {
  cell_list all = {0};
  c_heap_cells(l, &all);
  for (size_t i = 0; i < all.count; i++) {
    add_in(l, p, all.at[i], true);
    VECTOR_PUSH(p->out, all.at[i]);
  }
  VECTOR_FREE(all);
}

static void describe(c_lowering *l, c_procedure *p) {
  map *written = map_new();
  char *exit = text_format("%s_returns", p->function->name);
  p->entry = c_place_bare(l, p->function->name);
  p->exit = c_place_bare(l, exit);
  c_survey_written(l, p->function, written);
  if (c_type_is_integer(p->result)) VECTOR_PUSH(p->out, c_cell_new(l, "result", p->result));
  add_parameters(l, p, written);
  if (!l->refused) add_globals(l, p, written);
  if (!l->refused) add_memory(l, p);
  memory_free(exit);
  map_free(written);
}

static uint32_t procedure_of(c_lowering *l, const c_node *function, const c_type *result) {
  for (uint32_t i = 0; i < l->procedures.count; i++)
    if (l->procedures.at[i].function == function) return i;
  c_procedure made = {.function = function, .result = result};
  describe(l, &made);
  VECTOR_PUSH(l->procedures, made);
  return (uint32_t)l->procedures.count - 1;
}

/* ---- calls ---- */

static c_operand given_back(c_lowering *l, size_t cell, variable *made) {
  const c_type *t = l->cells.at[cell].type;
  char *name = clause_variable_name(l->ts, l->cells.at[cell].var);
  type of = *variable_type(l->ts, l->cells.at[cell].var);
  *made = variable_fresh(l->ts, name, &of);
  memory_free(name);
  return (c_operand){.type = t, .value = term_of_variable(l->ts, *made), .low = t->low, .high = t->high};
}

/* `inside` is the path as it enters the procedure; `p` goes on after the call, its arguments are gone. */
static void note_call(c_lowering *l, c_path *p, const c_path *inside, uint32_t procedure) {
  const c_procedure *to = &l->procedures.at[procedure];
  term *in = arena_alloc(l->arena, (to->in.count + 1) * sizeof *in);
  variable *out = arena_alloc(l->arena, (to->out.count + 1) * sizeof *out);
  for (size_t i = 0; i < to->in.count; i++) in[i] = c_cell_read(l, inside, to->in.at[i]).value;
  bool has_result = c_type_is_integer(to->result);
  if (!has_result) c_path_push(p, c_value_number(l, c_type_signed(&l->types, 32), number_of(0)));
  for (size_t i = 0; i < to->out.count; i++) {
    c_operand value = given_back(l, to->out.at[i], &out[i]);
    if (has_result && !i)
      c_path_push(p, value);
    else
      c_cell_write(l, p, to->out.at[i], &value);
  }
  VECTOR_PUSH(p->calls, (c_call){procedure, in, out, p->inputs.count, p->statements.count});
}

/* A struct that is an argument may be in cells of a parameter, which are about to change: f(b, a) in f(a, b). It is copied
 * into a variable of its own. */
static void copy_structs(c_lowering *l, const c_node *call) {
  for (size_t j = 1; j < call->count && !l->refused; j++) {
    if (c_type_of(&l->types, call->inner[j]->type)->kind != TYPE_STRUCT) continue;
    c_node *variable = arena_alloc(l->arena, sizeof *variable);
    *variable = *call->inner[j];
    variable->kind = C_VARIABLE;
    variable->name = "argument";
    variable->storage = "";
    const c_object *o = c_object_declare(l, variable);
    for (size_t i = 0; i < l->live.count && !l->refused; i++) {
      c_path *p = l->live.at[i];
      c_operand *from = &p->stack.at[p->stack.count - call->count + j], to = c_object_place(l, o);
      c_place_copy(l, p, &to, from, call);
      *from = to;
    }
  }
}

/* The live paths with the arguments as values of the parameters, in `inside`; without the arguments, in `live`. */
static void enter(c_lowering *l, const c_node *function, const c_node *call, c_paths *inside) {
  c_frame f = {.function = function, .caller = l->frame};
  c_paths after = {0};
  for (size_t i = 0; i < l->live.count; i++) {
    c_path *copy = c_path_copy(l->live.at[i]);
    for (size_t j = 1; j < call->count; j++) c_path_pop(copy);
    VECTOR_PUSH(after, copy);
  }
  copy_structs(l, call);
  l->frame = &f;
  c_bind_parameters(l, function, call);
  l->frame = f.caller;
  VECTOR_FREE(f.locals);
  c_paths_move(&l->live, inside);
  c_paths_move(&after, &l->live);
  VECTOR_FREE(after);
}

void c_call_procedure(c_lowering *l, const c_node *function, const c_node *call) {
  c_paths inside = {0};
  uint32_t procedure = procedure_of(l, function, c_type_of(&l->types, call->type));
  if (l->refused) return;
  enter(l, function, call, &inside);
  for (size_t i = 0; i < inside.count && !l->refused; i++) {
    if (!term_is_false(inside.at[i]->guard))
      c_edge_add(l, inside.at[i], inside.at[i]->guard, l->procedures.at[procedure].entry, true, call);
    note_call(l, l->live.at[i], inside.at[i], procedure);
  }
  c_paths_clear(&inside);
}

/* ---- bodies ---- */

static void start_body(c_lowering *l, const c_procedure *p) {
  c_live_start(l, p->entry);
  for (size_t i = 0; i < p->in.count; i++) {
    c_operand value = c_cell_read(l, l->live.at[0], p->in.at[i]);
    if (p->kept.at[i] != p->in.at[i]) c_cell_write(l, l->live.at[0], p->kept.at[i], &value);
  }
}

static void end_body(c_lowering *l, const c_procedure *p) {
  for (size_t i = 0; i < l->frame->locals.count; i++)
    for (size_t j = 0; j < l->live.count && l->frame->locals.at[i]->lives_in; j++)
      c_variable_end(l, l->live.at[j], l->frame->locals.at[i]);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_operand value = c_path_pop(l->live.at[i]);
    if (!c_type_is_integer(p->result)) continue;
    value = c_value_convert(l, l->live.at[i], &value, p->result);
    c_cell_write(l, l->live.at[i], p->out.at[0], &value);
  }
  if (!l->refused) c_live_arrive(l, p->exit, p->function);
}

static void lower_body(c_lowering *l, c_procedure p) {
  c_frame f = {.function = p.function};
  c_paths_clear(&l->live);
  l->frame = &f;
  start_body(l, &p);
  c_variables_enter(l, p.function);
  c_execute(l, p.function->inner[p.function->count - 1]);
  c_return_anything(l, p.result);
  c_paths_move(&f.returns, &l->live);
  if (!l->refused) end_body(l, &p);
  l->frame = NULL;
  c_paths_clear(&f.returns);
  VECTOR_FREE(f.labels);
  VECTOR_FREE(f.locals);
  VECTOR_FREE(f.stack);
}

void c_lower_procedures(c_lowering *l) {
  for (size_t i = 0; i < l->procedures.count && !l->refused; i++) lower_body(l, l->procedures.at[i]);
}
