/* Variables that remember: made while properties and fairness are lowered, set by all steps when these are there. */
#include "input/whet/history/history.h"

#include "model/transform.h"
#include "term/substitute.h"

enum { LONGEST_NAME = 80 };

/* The text, if it can be a name as it is. */
static char *name_from_text(lowering *l, const char *before, span named) {
  char *text = source_excerpt(l->reporter->source, named, SIZE_MAX);
  bool fits = strlen(text) <= LONGEST_NAME;
  for (const char *at = text; *at && fits; at++) fits = *at >= ' ' && *at <= '~' && *at != '|' && *at != '\\';
  char *name =
      fits ? text_format("%s%s%s", before, text, *before ? ")" : "") : text_format("history%zu", l->history.count + 1);
  memory_free(text);
  return name;
}

static bool is_taken(lowering *l, const char *name) {
  variable found;
  return variable_find(l->terms, name, &found) || names_get(l->step_index, name, NULL);
}

term history_variable_of(lowering *l, bool first, const history_variable *what, const char *before, span named,
                         history_variable **made) {
  *made = NULL;
  for (size_t i = 0; i < l->history.count; i++) {
    const history_variable *old = &l->history.at[i];
    if (old->kind == what->kind && term_same(old->f, what->f) && term_same(old->g, what->g))
      return term_of_variable(l->terms, old->var);
  }
  char *name = name_from_text(l, before, named);
  for (size_t i = 2; is_taken(l, name); i++) {
    memory_free(name);
    name = text_format("history%zu", l->history.count + i);
  }
  VECTOR_PUSH(l->history, *what);
  *made = &VECTOR_LAST(l->history);
  (*made)->var = model_add_variable(l->model, name, &(type){.sort = SORT_BOOL}, ROLE_STATE, lower_place(l, named));
  memory_free(name);
  term now = term_of_variable(l->terms, (*made)->var);
  l->model->init = term_and(l->terms, l->model->init, first ? now : term_not(now));
  return now;
}

/* Before the other updates: those behind them may be counted from the end (transition.resets). */
static void set_in(lowering *l, transition *t, substitution *after) {
  size_t old = t->updates.count, count = l->history.count;
  for (size_t i = 0; i < count; i++)
    transition_add_update(t, l->history.at[i].var, substitution_apply(after, l->history.at[i].value));
  update *moved = MEMORY_ARRAY(update, count + 1);
  memcpy(moved, t->updates.at + old, count * sizeof *moved);
  memmove(t->updates.at + count, t->updates.at, old * sizeof *moved);
  memcpy(t->updates.at, moved, count * sizeof *moved);
  memory_free(moved);
}

void history_close(lowering *l) {
  model *m = l->model;
  if (!l->history.count || l->exhausted) return;
  substitution *after = substitution_new(l->terms);
  for (size_t i = 0; i < m->transitions.count; i++) {
    transition *t = &m->transitions.at[i];
    if (!lowering_spend(l, l->history.count * INSTANCE_WORK + m->variables.count, 0)) break;
    substitution_clear(after);
    for (size_t j = 0; j < m->variables.count; j++) {
      variable v = m->variables.at[j].var;
      substitution_set(after, variable_next(l->terms, v), transition_value_after(m, t, v));
    }
    set_in(l, t, after);
  }
  substitution_free(after);
}

bool history_is_of_next(lowering *l, term t, bool *has_next, term *here) {
  const model *m = l->model;
  map *next = map_new();
  variable_vector all = {0};
  substitution *back = substitution_new(l->terms);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var, after = variable_next(l->terms, v);
    map_set(next, after.x, 1);
    substitution_set(back, after, term_of_variable(l->terms, v));
  }
  term_variables(l->terms, 1, &t, &all);
  size_t of_next = 0;
  for (size_t i = 0; i < all.count; i++) of_next += map_get(next, all.at[i].x, NULL);
  *has_next = of_next > 0;
  *here = substitution_apply(back, t);
  bool is_all = of_next == all.count;
  substitution_free(back);
  VECTOR_FREE(all);
  map_free(next);
  return is_all;
}
