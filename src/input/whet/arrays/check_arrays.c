/* What a model with arrays of any length does not go together with. */
#include "input/whet/check.h"

static const char *variables_that_do_not_fit(const variables_tree *v) {
  if (v->is_clock) return "clocks";
  return v->value_type && v->value_type->kind == VALUE_NODE ? "lists on the heap" : NULL;
}

static const char *what_does_not_fit(const declaration *d, uint32_t *offset) {
  *offset = d->at.start;
  const char *found = check_needs_system(d);
  if (d->kind == DECLARATION_VAR) found = variables_that_do_not_fit(d->variables);
  if (d->kind != DECLARATION_PROCESS && d->kind != DECLARATION_PROCEDURE) return found;
  for (size_t i = 0; i < d->process->variables.count && !found; i++) {
    found = variables_that_do_not_fit(d->process->variables.at[i]);
    *offset = d->process->variables.at[i]->at.start;
  }
  return found;
}

bool check_allows_long_arrays(const module *m) {
  uint32_t offset;
  for (size_t i = 0; i < m->declarations.count; i++)
    if (what_does_not_fit(m->declarations.at[i], &offset)) return false;
  return true;
}

void check_beside_arrays(checker *c, const module *m) {
  if (!c->has_long_arrays) return;
  for (size_t i = 0; i < m->declarations.count; i++) {
    uint32_t offset;
    const char *what = what_does_not_fit(m->declarations.at[i], &offset);
    if (!what) continue;
    report_error(c->reporter, offset, "a model with arrays of any length cannot have %s", what);
    report_hint(
        c->reporter,
        "its properties are `safe`, `unreachable`, `assert`, `requires` and `ensures`; all others are for arrays with "
        "constant indices, `array[0..9] of int`");
  }
}
