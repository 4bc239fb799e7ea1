/* select-trace: only runs that make these choices count. A cell counts the steps of the trace that were done; each choice of
 * the program takes the next one. What is chosen after the last step is free. */
#include "input/svlib/lower.h"

static void refuse_form(sv_lowering *l, const sv_node *n) {
  sv_refuse(l, n,
            "this is not a trace that is read; (model ..) (init-global-vars ..) (entry-proc p) (steps ..) "
            "(incorrect-annotation ..) is one");
}

/* Steps that are read; runs that leave the program (leap) are not. */
static void check_steps(sv_lowering *l, const sv_node *steps) {
  for (size_t i = 1; i < steps->count && !l->failed; i++) {
    const sv_node *s = steps->items[i];
    bool is_init = sv_starts_with(s, "init-proc-vars") && s->count > 1, is_havoc = sv_starts_with(s, "havoc");
    bool is_choice = sv_starts_with(s, "choice") && s->count == 2 && s->items[1]->word == SV_NUMERAL;
    if (!is_init && !is_havoc && !is_choice)
      sv_refuse(l, s, "this step of a trace is not read; init-proc-vars, havoc and choice are");
    for (size_t j = is_init ? 2 : 1; (is_init || is_havoc) && j < s->count && !l->failed; j++)
      if (!s->items[j]->is_list || s->items[j]->count != 2 || s->items[j]->items[0]->is_list)
        sv_refuse(l, s->items[j], "this is not a variable with its value; (x 1) is one");
  }
}

void sv_trace_read(sv_lowering *l, const sv_node *n) {
  if (l->trace.steps) {
    sv_refuse(l, n, "this is the second select-trace; one is read");
    return;
  }
  if (n->count < 6 || !sv_starts_with(n->items[1], "model") || !sv_starts_with(n->items[2], "init-global-vars") ||
      !sv_starts_with(n->items[3], "entry-proc") || !sv_starts_with(n->items[4], "steps")) {
    refuse_form(l, n);
    return;
  }
  if (!sv_starts_with(n->items[5], "incorrect-annotation") || n->count > 6) {
    sv_refuse(l, n->items[5], "traces that end otherwise than by one (incorrect-annotation ..) are not read");
    return;
  }
  check_steps(l, n->items[4]);
  l->trace = (sv_trace){{n->items[1], n->items[2]}, n->items[4], l->shared.count};
  sv_symbol *done = sv_symbol_new(l, "trace", SV_GLOBAL, SORT_INT, n->at);
  done->cell = sv_cell_new(l, done->name, SORT_INT);
  VECTOR_PUSH(l->shared, done);
  l->trace.cell = done->cell;
}

/* `-3`, which SMT-LIB takes for a name, too. */
static term value_of(sv_lowering *l, const sv_node *n, sort of) {
  number value;
  if (!n->is_list && *n->text == '-' && number_parse(n->text + 1, strlen(n->text + 1), &value) && of == SORT_INT)
    return term_negate(l->ts, term_number(l->ts, value));
  return sv_term(l, n, of);
}

static term has_value(sv_lowering *l, const sv_symbol *s, const sv_node *value) {
  term now = sv_now(l, term_of_variable(l->ts, l->graph.cells.at[s->cell]));
  return term_eq(l->ts, now, value_of(l, value, s->sort));
}

static void set_first(sv_lowering *l, const sv_node *name, const sv_node *value) {
  uint64_t found;
  const sv_symbol *s = NULL;
  if (!name->is_list && names_get(l->symbols, name->text, &found)) s = (const sv_symbol *)(uintptr_t)found;
  if (!s || (s->kind != SV_CONSTANT && s->kind != SV_GLOBAL))
    sv_refuse(l, name, "this is not a constant or global variable");
  else
    sv_assume(l, has_value(l, s, value));
}

void sv_trace_start(sv_lowering *l) {
  if (!l->trace.steps) return;
  for (size_t i = 1; i < l->trace.values[0]->count && !l->failed; i++) {
    const sv_node *d = l->trace.values[0]->items[i];
    if (sv_starts_with(d, "define-fun") && d->count == 5 && d->items[2]->is_list && !d->items[2]->count)
      set_first(l, d->items[1], d->items[4]);
    else
      sv_refuse(l, d, "this is not the value of a constant; (define-fun c () Int 1) is one");
  }
  for (size_t i = 1; i < l->trace.values[1]->count && !l->failed; i++) {
    const sv_node *v = l->trace.values[1]->items[i];
    if (v->is_list && v->count == 2)
      set_first(l, v->items[0], v->items[1]);
    else
      sv_refuse(l, v, "this is not a variable with its value; (x 1) is one");
  }
  sv_set(l, l->trace.cell, term_int(l->ts, 0));
}

/* The next step is one of those that fit, or there is none left. `fits` is by step. */
static void take_step(sv_lowering *l, const term *fits) {
  size_t count = l->trace.steps->count - 1;
  if (!l->now) return;
  term done = sv_now(l, term_of_variable(l->ts, l->graph.cells.at[l->trace.cell]));
  term is_over = term_ge(l->ts, done, term_int(l->ts, (int64_t)count)), any = is_over;
  for (size_t i = 0; i < count; i++) {
    term is_it = term_eq(l->ts, done, term_int(l->ts, (int64_t)i));
    any = term_or(l->ts, any, term_and(l->ts, is_it, fits[i]));
  }
  sv_set(l, l->trace.cell, term_ite(l->ts, is_over, done, term_add(l->ts, done, term_int(l->ts, 1))));
  sv_assume(l, any);
}

static term step_fits(sv_lowering *l, const sv_node *s, size_t from, size_t count, const sv_symbol *const *symbols) {
  term fits = TERM_TRUE;
  for (size_t i = from; i < s->count && !l->failed; i++) {
    const sv_node *pair = s->items[i];
    size_t j = 0;
    while (j < count && strcmp(symbols[j]->name, pair->items[0]->text)) j++;
    if (j == count) return TERM_FALSE;
    fits = term_and(l->ts, fits, has_value(l, symbols[j], pair->items[1]));
  }
  return fits;
}

void sv_trace_cells(sv_lowering *l, const char *what, const char *procedure, size_t count,
                    const sv_symbol *const *symbols) {
  const sv_node *steps = l->trace.steps;
  if (!steps || !l->now || l->failed) return;
  term *fits = MEMORY_ARRAY(term, steps->count);
  for (size_t i = 1; i < steps->count; i++) {
    const sv_node *s = steps->items[i];
    bool is_meant = sv_starts_with(s, what) && (!procedure || sv_is_word(s->items[1], procedure));
    fits[i - 1] = is_meant ? step_fits(l, s, procedure ? 2 : 1, count, symbols) : TERM_FALSE;
  }
  take_step(l, fits);
  memory_free(fits);
}

void sv_trace_branch(sv_lowering *l, term chosen) {
  const sv_node *steps = l->trace.steps;
  if (!steps || !l->now || l->failed) return;
  term *fits = MEMORY_ARRAY(term, steps->count);
  for (size_t i = 1; i < steps->count; i++) {
    const sv_node *s = steps->items[i];
    bool is_meant = sv_starts_with(s, "choice");
    fits[i - 1] = is_meant ? term_eq(l->ts, chosen, sv_term(l, s->items[1], SORT_INT)) : TERM_FALSE;
  }
  take_step(l, fits);
  memory_free(fits);
}
