/* Variables that the user wants to be kept (Namjoshi, Kurshan 2000, section 4.1). */
#include "model/control.h"

#include "base/text.h"

/* The name without its indices, or without the blanks only. */
static GIVE char *reduced(const char *name, bool without_indices) {
  text out = {0};
  unsigned depth = 0;
  for (const char *c = name; *c; c++) {
    depth += *c == '[';
    bool skipped = *c == ' ' || (without_indices && depth);
    if (!skipped) text_add_char(&out, *c);
    if (*c == ']' && depth) depth--;
  }
  return text_give(&out);
}

static GIVE char *why_not(const model *m, const state_variable *v, const char *name) {
  const type *t = variable_type(m->terms, v->var);
  if (t->sort == SORT_BOOL) return NULL;
  if (t->sort != SORT_INT || !type_fits_in_words(t) || !type_size(t, LONGEST_CONTROL + 1))
    return text_format("`%s` has no finite range, so its values cannot be kept apart; give it one, such as 0..40",
                       name);
  if (type_size(t, LONGEST_CONTROL + 1) > LONGEST_CONTROL)
    return text_format(
        "`%s` has more than %d values, too many to be kept apart; without `control` predicates are "
        "found for it",
        name, LONGEST_CONTROL);
  return NULL;
}

bool control_is_wanted(const model *m, variable v) {
  for (size_t i = 0; i < m->controls.count; i++)
    if (m->controls.at[i].x == v.x) return true;
  return false;
}

char *control_add(model *m, const char *name) {
  char *wanted = reduced(name, false), *why = NULL;
  bool found = false;
  for (size_t i = 0; i < m->variables.count && !why; i++) {
    const state_variable *v = &m->variables.at[i];
    const char *own = variable_name(m->terms, v->var);
    char *stem = reduced(own, true);
    if (!strcmp(own, wanted) || !strcmp(stem, wanted)) {
      found = true;
      why = why_not(m, v, wanted);
      if (!why && !control_is_wanted(m, v->var)) VECTOR_PUSH(m->controls, v->var);
    }
    memory_free(stem);
  }
  if (!found) why = text_format("there is no variable `%s` that could be kept", wanted);
  memory_free(wanted);
  return why;
}

void control_follow(const model *from, model *to) {
  for (size_t i = 0; i < from->controls.count; i++)
    if (model_is_state_variable(to, from->controls.at[i])) VECTOR_PUSH(to->controls, from->controls.at[i]);
}
