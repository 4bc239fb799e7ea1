/* Local variables that are read before they have a value (no-uninitialised): for each integer that such a variable is made
 * of there is a cell that says whether it was set. Copies of structs copy it, as they read nothing. */
#include "input/c/lower.h"
#include "term/bounds.h"

/* Parameters that are integers have values. */
static bool is_tracked(const c_lowering *l, const c_object *o) {
  const c_node *n = o->declared;
  if (!l->is_asked[ERROR_UNSET] || !n || !strcmp(n->storage, "static") || !strcmp(n->storage, "extern")) return false;
  return !map_get(l->global_ids, n->id, NULL) &&
         (n->kind == C_VARIABLE || (n->kind == C_PARAMETER && o->type->kind == TYPE_STRUCT));
}

void c_flags_declare(c_lowering *l, c_object *o) {
  if (!is_tracked(l, o)) return;
  o->has_flags = true;
  o->flags = l->cells.count;
  for (size_t i = 0; i < o->cells; i++) {
    char *name = text_format("%s is set", variable_name(l->ts, l->cells.at[o->first + i].var));
    c_cell_new(l, name, c_type_of(&l->types, "_Bool"));
    memory_free(name);
  }
}

void c_flag_set(c_lowering *l, c_path *p, const c_object *o, size_t cell, term is_set) {
  if (!o->has_flags) return;
  c_operand value = c_value_truth(l, l->cells.at[o->flags + cell].type, is_set);
  c_cell_write(l, p, o->flags + cell, &value);
}

void c_flags_set_all(c_lowering *l, c_path *p, const c_object *o, bool are_set) {
  if (!are_set && !o->has_flags && is_tracked(l, o))
    c_refuse(l, o->declared,
             "no-uninitialised is not decided of `%s`, which is an array of many elements or in memory; that of other "
             "variables is, and of arrays that --expand-arrays expands",
             o->name);
  for (size_t i = 0; i < o->cells && o->has_flags; i++) c_flag_set(l, p, o, i, term_of_bool(are_set));
}

term c_flag_of(c_lowering *l, const c_path *p, const c_object *o, size_t cell) {
  if (!o->has_flags) return TERM_TRUE;
  c_operand flag = c_cell_read(l, p, o->flags + cell);
  return c_value_condition(l, &flag);
}

void c_unset_check(c_lowering *l, c_path *p, term bad, const c_node *at) {
  if (l->is_formula || term_is_false(bad)) return;
  l->is_checked[ERROR_UNSET] = true;
  term when = term_and(l->ts, p->guard, term_simplify_under(l->ts, bad, p->facts.count, p->facts.at));
  term counts = c_points_error(l, p, ERROR_UNSET, at);
  if (term_is_false(when)) return;
  l->can_fail[ERROR_UNSET] = true;
  if (term_is_false(counts)) return;
  c_path *here = c_path_copy(p);
  c_path_describe(l, here, at, "reading ", "");
  c_edge_add(l, here, term_and(l->ts, when, counts), l->errors[ERROR_UNSET], false, at);
  c_path_free(here);
}
