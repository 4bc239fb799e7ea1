/* Functions that are procedures: what their predicates say in words of the program. That of the entry is about parameters
 * and global variables; that of the exit about the values of these at the call, the result, and the globals that the
 * procedure may change. */
#include "input/c/source/source.h"

uint32_t c_predicate_of(const c_lowering *l, uint32_t place) {
  const clauses *c = l->model->clauses;
  for (uint32_t i = 0; i < c->predicates.count; i++)
    if (!strcmp(c->predicates.at[i].name, l->places.at[place].name)) return i;
  return NO_PREDICATE;
}

/* ---- variables that have names outside of the body ---- */

typedef VECTOR(const c_object *) c_objects;

static bool is_named(const c_objects *in, const char *name) {
  for (size_t i = 0; i < in->count; i++)
    if (!strcmp(in->at[i]->name, name)) return true;
  return false;
}

static void find_variables(c_lowering *l, const c_node *function, c_objects *out) {
  uint64_t known;
  for (size_t i = 0; i < function->count; i++)
    if (function->inner[i]->kind == C_PARAMETER && *function->inner[i]->name &&
        map_get(l->objects, function->inner[i]->id, &known))
      VECTOR_PUSH(*out, (const c_object *)(uintptr_t)known);
  for (size_t i = 0; i < l->global_objects.count; i++)
    if (!is_named(out, l->global_objects.at[i]->name)) VECTOR_PUSH(*out, l->global_objects.at[i]);
}

/* ---- names ---- */

static program_names names_at_entry(c_lowering *l, const c_procedure *p, const flow_liveness *live, uint32_t predicate,
                                    const c_objects *variables) {
  const clause_predicate *of = &l->model->clauses->predicates.at[predicate];
  variable *by_cell = MEMORY_ARRAY(variable, l->cells.count + 1);
  size_t next = 0;
  BITS_EACH (cell, &live->at[p->entry]) by_cell[cell] = of->parameters.at[next++];
  c_naming k = {.l = l, .live = live->at[p->entry], .by_cell = by_cell};
  for (size_t i = 0; i < variables->count; i++) c_naming_add(&k, variables->at[i]);
  memory_free(by_cell);
  return c_naming_end(&k);
}

static void add_result(c_naming *k, const c_procedure *p, variable var) {
  const c_type *t = p->result;
  if (t->is_function || t->is_address) return;
  VECTOR_PUSH(k->made, (program_name){.var = var, .low = t->low, .high = t->high, .moment = MOMENT_RESULT});
}

static program_names names_at_exit(c_lowering *l, const c_procedure *p, uint32_t predicate,
                                   const c_objects *variables) {
  const clause_predicate *of = &l->model->clauses->predicates.at[predicate];
  variable *by_cell = MEMORY_ARRAY(variable, l->cells.count + 1);
  c_naming k = {.l = l, .live = bits_new(l->cells.count + 1), .by_cell = by_cell, .moment = MOMENT_AT_CALL};
  for (size_t i = 0; i < p->in.count; i++) {
    bits_add(&k.live, p->in.at[i]);
    by_cell[p->in.at[i]] = of->parameters.at[i];
  }
  for (size_t i = 0; i < variables->count; i++) c_naming_add(&k, variables->at[i]);
  bool has_result = c_type_is_integer(p->result);
  k.moment = MOMENT_NOW;
  bits_clear(&k.live);
  for (size_t i = has_result; i < p->out.count; i++) {
    bits_add(&k.live, p->out.at[i]);
    by_cell[p->out.at[i]] = of->parameters.at[p->kept.count + i];
  }
  for (size_t i = 0; i < variables->count; i++) c_naming_add(&k, variables->at[i]);
  if (has_result) add_result(&k, p, of->parameters.at[p->kept.count]);
  bits_free(&k.live);
  memory_free(by_cell);
  return c_naming_end(&k);
}

void c_naming_add_first(c_naming *to, const c_procedure *p, size_t count, const c_object *const *variables) {
  c_lowering *l = to->l;
  variable *by_cell = MEMORY_ARRAY(variable, l->cells.count + 1);
  c_naming k = {.l = l, .live = bits_new(l->cells.count + 1), .by_cell = by_cell, .moment = MOMENT_AT_CALL};
  for (size_t i = 0; i < p->in.count; i++) {
    size_t kept = p->kept.at[i];
    if (kept == p->in.at[i] || !bits_has(&to->live, kept)) continue;
    bits_add(&k.live, p->in.at[i]);
    by_cell[p->in.at[i]] = to->by_cell ? to->by_cell[kept] : l->cells.at[kept].var;
  }
  for (size_t i = 0; i < count; i++) c_naming_add(&k, variables[i]);
  for (size_t i = 0; i < k.made.count; i++) VECTOR_PUSH(to->made, k.made.at[i]);
  VECTOR_FREE(k.made);
  bits_free(&k.live);
  memory_free(by_cell);
}

/* ---- all of it ---- */

/* A predicate that no clause has is not there. */
static bool keep_procedure(c_lowering *l, const c_procedure *p, const flow_liveness *live, source_procedure *out) {
  const c_node *f = p->function;
  *out = (source_procedure){.at = c_place_of(l, f),
                            .body = c_place_of(l, f->inner[f->count - 1]),
                            .entry = c_predicate_of(l, p->entry),
                            .exit = c_predicate_of(l, p->exit)};
  if (out->entry == NO_PREDICATE || out->exit == NO_PREDICATE) return false;
  c_objects variables = {0};
  find_variables(l, f, &variables);
  out->at_entry = names_at_entry(l, p, live, out->entry, &variables);
  out->at_exit = names_at_exit(l, p, out->exit, &variables);
  out->targets = c_targets_of_function(l, f);
  VECTOR_FREE(variables);
  return true;
}

void c_procedures_keep(c_lowering *l, const flow_liveness *live, program_source *out) {
  source_procedure *all = arena_alloc(model_arena(l->model), (l->procedures.count + 1) * sizeof *all);
  for (size_t i = 0; i < l->procedures.count; i++)
    if (keep_procedure(l, &l->procedures.at[i], live, &all[out->procedure_count])) out->procedure_count++;
  out->procedures = all;
}
