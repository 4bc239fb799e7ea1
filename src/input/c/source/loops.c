/* Which loops of the program have which heads in the model, and what the cells are called there: for whoever says
 * something about the model in words of the program. */
#include "input/c/source/source.h"

/* ---- names ---- */

static bool is_hidden(const c_loop *loop, const char *name) {
  for (size_t i = 0; i < loop->variables.count; i++)
    if (!strcmp(loop->variables.at[i]->name, name)) return true;
  return false;
}

static void add_variable(c_lowering *l, c_loop *loop, const c_node *variable) {
  uint64_t known;
  if (!*variable->name || is_hidden(loop, variable->name)) return;
  if (!map_get(l->objects, variable->id, &known)) {
    c_object *hides = arena_alloc(l->arena, sizeof *hides);
    hides->name = variable->name;
    VECTOR_PUSH(loop->variables, hides);
    return;
  }
  VECTOR_PUSH(loop->variables, (const c_object *)(uintptr_t)known);
}

static void add_declared(c_lowering *l, c_loop *loop, const c_node *declaration) {
  for (size_t i = declaration->count; i-- > 0;)
    if (declaration->inner[i]->kind == C_VARIABLE) add_variable(l, loop, declaration->inner[i]);
}

/* Inner variables come first, and hide others of their names. */
void c_loop_note(c_lowering *l, const c_node *n, uint32_t head) {
  const c_node *function = l->frame->function;
  c_loop loop = {.head = head, .function = function, .is_in_place = l->frame->caller, .node = n};
  if (!n->is_here) return;
  if (n->kind == C_FOR && n->count) add_declared(l, &loop, n->inner[0]);
  const c_nodes *visible = c_visible_at(l, n);
  for (size_t i = visible->count; i-- > 0;) add_variable(l, &loop, visible->at[i]);
  for (size_t i = 0; i < function->count; i++)
    if (function->inner[i]->kind == C_PARAMETER) add_variable(l, &loop, function->inner[i]);
  for (size_t i = 0; i < l->global_objects.count; i++)
    if (!is_hidden(&loop, l->global_objects.at[i]->name)) VECTOR_PUSH(loop.variables, l->global_objects.at[i]);
  VECTOR_PUSH(l->loops, loop);
}

bool c_loop_starts_at(const c_lowering *l, uint32_t place) {
  for (size_t i = 0; i < l->loops.count; i++)
    if (l->loops.at[i].head == place) return true;
  return false;
}

static bool same_place(place a, place b) { return a.line == b.line && a.column == b.column; }

void c_function_note(c_lowering *l, const char *name, bool is_error) {
  uint64_t found;
  const c_node *n = names_get(l->functions, name, &found) ? (const c_node *)(uintptr_t)found : NULL;
  place at = c_place_of(l, n);
  if (!at.line) return;
  for (size_t i = 0; i < l->called.count; i++)
    if (same_place(l->called.at[i].at, at)) return;
  VECTOR_PUSH(l->called, (source_function){at, is_error});
}

/* ---- for the model ---- */

/* What the values were at the call has names only in the procedure itself, not in a function that is run in place there. */
static const c_procedure *procedure_of(const c_lowering *l, const c_loop *loop) {
  for (size_t i = 0; i < l->procedures.count && !loop->is_in_place; i++)
    if (l->procedures.at[i].function == loop->function) return &l->procedures.at[i];
  return NULL;
}

static place body_of(const c_lowering *l, const c_node *loop) {
  return loop->count ? c_place_of(l, loop->kind == C_DO ? loop->inner[0] : loop->inner[loop->count - 1]) : (place){0};
}

static source_loop kept_loop(c_lowering *l, const c_loop *loop, const c_head *head) {
  c_naming k = {.l = l, .live = head->live, .by_cell = head->by_cell};
  const c_procedure *p = procedure_of(l, loop);
  for (size_t i = 0; i < loop->variables.count; i++) c_naming_add(&k, loop->variables.at[i]);
  if (p) c_naming_add_first(&k, p, loop->variables.count, loop->variables.at);
  return (source_loop){.at = c_place_of(l, loop->node),
                       .body = body_of(l, loop->node),
                       .function = model_string(l->model, loop->function->name),
                       .head = head->number,
                       .names = c_naming_end(&k),
                       .targets = c_targets_of_loop(l, loop->node, loop->function)};
}

program_source *c_loops_keep(c_lowering *l, c_head_of *head_of, void *context) {
  program_source *s = arena_alloc(model_arena(l->model), sizeof *s);
  source_loop *loops = arena_alloc(model_arena(l->model), (l->loops.count + 1) * sizeof *loops);
  source_input *inputs = arena_alloc(model_arena(l->model), (l->inputs.count + 1) * sizeof *inputs);
  for (size_t i = 0; i < l->loops.count; i++) {
    c_head head = {0};
    if (l->loops.at[i].head != UINT32_MAX && head_of(context, l->loops.at[i].head, &head))
      loops[s->loop_count++] = kept_loop(l, &l->loops.at[i], &head);
  }
  for (size_t i = 0; i < l->inputs.count; i++) inputs[i] = l->inputs.at[i];
  source_function *functions = arena_alloc(model_arena(l->model), (l->called.count + 1) * sizeof *functions);
  for (size_t i = 0; i < l->called.count; i++) functions[i] = l->called.at[i];
  s->functions = functions;
  s->function_count = l->called.count;
  s->loops = loops;
  s->inputs = inputs;
  s->input_count = l->inputs.count;
  l->model->source = s;
  return s;
}
