/* What the parts of the model stand for: loops and labels with tags, free choices, annotations. */
#include "input/svlib/lower.h"

static const sv_symbol *symbol_of_cell(const sv_lowering *l, const sv_procedure *p, size_t cell) {
  for (size_t i = 0; i < p->in.count; i++)
    if (p->in.at[i]->cell == cell) return p->in.at[i];
  for (size_t i = 0; i < p->out.count; i++)
    if (p->out.at[i]->cell == cell) return p->out.at[i];
  for (size_t i = 0; i < p->local.count; i++)
    if (p->local.at[i]->cell == cell) return p->local.at[i];
  bool is_shared = cell < l->shared.count && cell != l->trace.cell;
  return is_shared && !names_get(p->scope, l->shared.at[cell]->name, NULL) ? l->shared.at[cell] : NULL;
}

/* A place is a predicate over the cells that matter there, in their order. */
static void name_parameters(sv_lowering *l, const sv_head *h, const bits *live, const clause_predicate *p,
                            source_loop *out) {
  program_name *all = arena_alloc(model_arena(l->model), (p->parameters.count + 1) * sizeof *all);
  size_t next = 0;
  for (size_t cell = 0; cell < l->graph.cells.count && next < p->parameters.count; cell++) {
    if (!bits_has(live, cell)) continue;
    const sv_symbol *s = symbol_of_cell(l, h->procedure, cell);
    if (s)
      all[out->names.count++] =
          (program_name){.var = p->parameters.at[next], .expression = model_string(l->model, s->name)};
    next++;
  }
  out->names.at = all;
}

/* The same of a transition system, whose variables are the cells themselves. */
static void name_cells(sv_lowering *l, const sv_head *h, const bits *live, source_loop *out) {
  program_name *all = arena_alloc(model_arena(l->model), (l->graph.cells.count + 1) * sizeof *all);
  for (size_t cell = 0; cell < l->graph.cells.count; cell++) {
    const sv_symbol *s = bits_has(live, cell) ? symbol_of_cell(l, h->procedure, cell) : NULL;
    if (s)
      all[out->names.count++] =
          (program_name){.var = l->graph.cells.at[cell], .expression = model_string(l->model, s->name)};
  }
  out->names.at = all;
}

static bool keep_head(sv_lowering *l, const sv_head *h, const flow_liveness *live, source_loop *out) {
  const clauses *c = l->model->clauses;
  *out = (source_loop){.at = l->graph.places.at[h->place].at, .head = h->place};
  out->function = model_string(l->model, h->tag);
  if (!c) {
    name_cells(l, h, &live->at[h->place], out);
    return true;
  }
  for (uint32_t i = 0; i < c->predicates.count; i++) {
    if (strcmp(c->predicates.at[i].name, l->graph.places.at[h->place].name)) continue;
    out->head = i;
    name_parameters(l, h, &live->at[h->place], &c->predicates.at[i], out);
    return true;
  }
  return false;
}

void sv_source_keep(sv_lowering *l) {
  arena *a = model_arena(l->model);
  program_source *s = arena_alloc(a, sizeof *s);
  source_loop *loops = arena_alloc(a, (l->heads.count + 1) * sizeof *loops);
  source_choice *choices = arena_alloc(a, (l->choices.count + 1) * sizeof *choices);
  source_check *checks = arena_alloc(a, (l->checks.count + 1) * sizeof *checks);
  flow_liveness live;
  flow_liveness_find(&l->graph, &live);
  for (size_t i = 0; i < l->heads.count; i++)
    if (keep_head(l, &l->heads.at[i], &live, &loops[s->loop_count])) s->loop_count++;
  flow_liveness_clear(&live);
  for (size_t i = 0; i < l->choices.count; i++) choices[i] = l->choices.at[i];
  for (size_t i = 0; i < l->checks.count; i++) checks[i] = l->checks.at[i];
  s->asks_end = l->ends != NULL;
  s->svlib_entry = model_string(l->model, l->call->items[1]->text);
  s->loops = loops;
  s->choices = choices;
  s->choice_count = l->choices.count;
  s->checks = checks;
  s->check_count = l->checks.count;
  l->model->source = s;
}
