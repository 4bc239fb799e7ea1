/* `deadlockfree` with valid end states: a property of states, "some step can be taken, or the state is a valid end". Inputs on
 * which that depends are written out. */
#include "input/whet/lower.h"
#include "term/substitute.h"

enum { MOST_CHOICES = 4096 }; /* of values for the inputs of a step */

static bool has_marks(const lowering *l) {
  for (size_t i = 0; i < l->scope->families.count; i++)
    if (l->scope->families.at[i]->tree->ends.count) return true;
  return false;
}

/* The copy that is set is at one of its marks, or its program is at its end. */
static term is_at_end(lowering *l, const family *f) {
  const declared_names *marks = &f->tree->ends;
  term here = cell_term(l, f->first_location + f->copy), any = TERM_FALSE;
  size_t place;
  for (size_t i = 0; i < marks->count; i++)
    if (family_state(f, marks->at[i].word, &place))
      any = term_or(l->terms, any, term_eq(l->terms, here, term_int(l->terms, (int64_t)place)));
  if (f->tree->is_program) any = term_or(l->terms, any, term_eq(l->terms, here, term_int(l->terms, f->graph_end)));
  return any;
}

static term all_at_ends(lowering *l) {
  term all = TERM_TRUE;
  for (size_t i = 0; i < l->scope->families.count; i++) {
    family *f = l->scope->families.at[i];
    for (size_t copy = 0; copy < f->copies && !f->tree->is_procedure && lowering_spend(l, 1, 0); copy++) {
      lower_set_copy(l, f, copy);
      all = term_and(l->terms, all, is_at_end(l, f));
    }
  }
  return all;
}

term lower_valid_ends(lowering *l, const declaration *d) {
  term ends = has_marks(l) ? all_at_ends(l) : TERM_FALSE;
  for (size_t i = 0; i < d->expressions.count; i++)
    ends = term_or(l->terms, ends, lower_condition(l, d->expressions.at[i]));
  return ends;
}

/* The first input of `t` that `can` depends on; false if there is none. */
static bool find_input(const lowering *l, const transition *t, term can, variable *found) {
  for (size_t i = 0; i < t->inputs.count; i++)
    if (term_mentions(l->terms, can, t->inputs.at[i])) {
      *found = t->inputs.at[i];
      return true;
    }
  return false;
}

static bool few_values(const type *t, int64_t *low, int64_t *high) {
  *low = 0;
  *high = 1;
  if (t->sort == SORT_BOOL) return true;
  return t->sort == SORT_INT && t->has_low && t->has_high && number_to_int64(t->low, low) &&
         number_to_int64(t->high, high) && (uint64_t)*high - (uint64_t)*low < MOST_CHOICES;
}

/* `can` for some values of the inputs; `*choices` are left. */
static term for_some_inputs(lowering *l, const transition *t, term can, size_t *choices, bool *fine) {
  variable input;
  int64_t low, high;
  if (!find_input(l, t, can, &input)) return can;
  const type *of = variable_type(l->terms, input);
  if (!few_values(of, &low, &high)) {
    *fine = false;
    return TERM_FALSE;
  }
  term any = TERM_FALSE;
  for (int64_t i = 0; i <= high - low && *fine; i++) {
    *fine = *choices && lowering_spend(l, INSTANCE_WORK, 0);
    if (!*fine) break;
    --*choices;
    term value = of->sort == SORT_BOOL ? term_of_bool(i) : term_int(l->terms, low + i);
    any = term_or(l->terms, any, for_some_inputs(l, t, term_replace(l->terms, can, input, value), choices, fine));
  }
  return any;
}

term lower_deadlock(lowering *l, const declaration *d, bool *fine) {
  term any = TERM_FALSE;
  for (size_t i = 0; i < l->model->transitions.count && *fine && lowering_spend(l, 1, d->at.start); i++) {
    const transition *t = &l->model->transitions.at[i];
    size_t choices = MOST_CHOICES;
    term can = for_some_inputs(l, t, transition_enabled(l->model, t), &choices, fine);
    if (!*fine && !l->exhausted) {
      report_error(l->reporter, d->at.start,
                   "with valid end states, `%s` cannot have inputs of more than %d values on which its guard depends",
                   t->name, MOST_CHOICES);
      report_hint(l->reporter, "give them ranges, `i : 0..7`, or leave out `unless` and the `end` marks");
    }
    any = term_or(l->terms, any, can);
  }
  return term_not(any);
}
