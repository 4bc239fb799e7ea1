/* Which loops of the program have which heads in the model, and what the cells are called there: for whoever says
 * something about the model in words of the program. */
#include "input/c/lower.h"

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
  c_loop loop = {.head = head, .function = function->name, .at = c_place_of(l, n)};
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

typedef struct naming {
  c_lowering *l;
  bits live;
  const variable *by_cell; /* what stands for each cell; NULL: its own variable */
  VECTOR(loop_name) made;
} naming;

/* The cells of a variable in their order; `cell` is the next one. */
static void name_cells(naming *k, const c_type *t, const char *name, size_t *cell) {
  if (t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT) {
    size_t count = t->kind == TYPE_ARRAY ? t->count : t->fields.count;
    for (size_t i = 0; i < count; i++) {
      const c_field *f = t->kind == TYPE_STRUCT ? &t->fields.at[i] : NULL;
      char *inner = f ? text_format("%s.%s", name, f->name) : text_format("%s[%zu]", name, i);
      name_cells(k, f ? f->type : t->element, inner, cell);
      memory_free(inner);
    }
    return;
  }
  if (c_type_is_integer(t) && !t->is_function && !t->is_address && bits_has(&k->live, *cell)) {
    loop_name made = {k->l->cells.at[*cell].var, model_string(k->l->model, name), t->low, t->high};
    if (k->by_cell) made.var = k->by_cell[*cell];
    VECTOR_PUSH(k->made, made);
  }
  ++*cell;
}

static source_loop kept_loop(c_lowering *l, const c_loop *loop, const c_head *head) {
  naming k = {.l = l, .live = head->live, .by_cell = head->by_cell};
  for (size_t i = 0; i < loop->variables.count; i++) {
    const c_object *o = loop->variables.at[i];
    size_t cell = o->first;
    if (o->cells && !c_object_is_array(o) && !o->lives_in) name_cells(&k, o->type, o->name, &cell);
  }
  source_loop kept = {.at = loop->at, .function = model_string(l->model, loop->function), .head = head->number};
  loop_name *names = arena_alloc(model_arena(l->model), (k.made.count + 1) * sizeof *names);
  for (size_t i = 0; i < k.made.count; i++) names[i] = k.made.at[i];
  kept.names = names;
  kept.name_count = k.made.count;
  VECTOR_FREE(k.made);
  return kept;
}

void c_loops_keep(c_lowering *l, c_head_of *head_of, void *context) {
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
}
