/* The model as a whole: variables, initial condition, steps, properties, each in the order of the text. */
#include "input/whet/arrays/to_clauses.h"
#include "input/whet/arrays/to_system.h"
#include "input/whet/calls/lower_in_place.h"
#include "input/whet/calls/lower_procedures.h"
#include "input/whet/channels/channel.h"
#include "input/whet/history/history.h"
#include "model/control.h"

/* Fuzzers get nowhere if every other text takes a second. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { WORK_LIMIT = 20000 };
#else
enum { WORK_LIMIT = 10000000 };
#endif

void lowering_open(lowering *l, scope *s, model *m) {
  *l = (lowering){.scope = s,
                  .reporter = s->reporter,
                  .model = m,
                  .terms = m->terms,
                  .kept_above = SIZE_MAX,
                  .assertion_index = map_new(),
                  .step_index = names_new()};
  VECTOR_RESERVE(l->scratch, 64); /* so that it is never NULL, not even for offset 0 */
}

void lowering_close(lowering *l) {
  for (size_t i = 0; i < l->assertions.count; i++) VECTOR_FREE(l->assertions.at[i].bad);
  for (size_t i = 0; i < l->scope->families.count; i++) program_graph_clear(l->scope->families.at[i]->graph);
  for (size_t i = 0; i < l->failing.count; i++) VECTOR_FREE(l->failing.at[i]->faults);
  VECTOR_FREE(l->failing);
  VECTOR_FREE(l->assertions);
  VECTOR_FREE(l->cells);
  VECTOR_FREE(l->clocks);
  VECTOR_FREE(l->invariants);
  VECTOR_FREE(l->inside);
  VECTOR_FREE(l->handshakes);
  VECTOR_FREE(l->history);
  VECTOR_FREE(l->past_properties);
  VECTOR_FREE(l->path);
  VECTOR_FREE(l->scratch);
  VECTOR_FREE(l->init);
  VECTOR_FREE(l->next_step);
  VECTOR_FREE(l->process_steps);
  map_free(l->assertion_index);
  names_free(l->step_index);
  quantifiers_clear(&l->quantifiers);
}

bool lowering_can_spend(const lowering *l, uint64_t units) { return !l->exhausted && units <= WORK_LIMIT - l->work; }

bool lowering_spend(lowering *l, uint64_t units, uint32_t offset) {
  if (l->exhausted) return false;
  l->work += units;
  if (l->work <= WORK_LIMIT) return true;
  report_error(l->reporter, offset, "the model becomes too large here");
  report_hint(l->reporter, "quantifiers, arrays and copies of processes are written out in full; use smaller ranges");
  l->exhausted = true;
  return false;
}

static void lower_definitions(lowering *l, const module *m) {
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    for (size_t j = 0; d->kind == DECLARATION_CONST && j < d->variables->names.count; j++) {
      symbol *s = d->variables->names.at[j].symbol;
      if (s->kind != SYMBOL_CONSTANT) continue;
      lower_symbol(l, s);
      if (s->faults.count) report_error(l->reporter, s->body->at.start, "division by zero in the value of a constant");
    }
  }
}

void lower_check_constant(lowering *l, const variables_tree *v) {
  if (!v->value || !v->value_type || v->value_type->kind == VALUE_BOOL) return;
  number n;
  const value_type *t = v->value_type;
  if (!term_is_number(l->terms, v->names.at[0].symbol->value, &n)) return;
  if ((t->has_low && number_compare(n, t->low) < 0) || (t->has_high && number_compare(n, t->high) > 0))
    report_error(l->reporter, v->value->at.start, "the value is outside the type of the constant");
}

/* ---- processes ---- */

static void size_family(lowering *l, family *f) {
  const process_tree *p = f->tree;
  f->copies = 1;
  if (p->index && !lower_range(l, p->index->low, p->index->high, "the range of the copies", &f->low, &f->copies))
    f->copies = 1;
  if (p->is_program) lower_program_places(l, f->tree);
}

static type location_type(lowering *l, const family *f) {
  size_t count = f->state_words.count;
  const char **copies = arena_alloc(terms_arena(l->terms), count * sizeof(*copies));
  for (size_t i = 0; i < count; i++) copies[i] = arena_copy_string(terms_arena(l->terms), f->state_words.at[i]->text);
  return (type){.sort = SORT_INT,
                .has_low = true,
                .has_high = true,
                .low = number_of(0),
                .high = number_of((int64_t)count - 1),
                .names = copies,
                .name_count = count,
                .is_location = true};
}

void lower_set_copy(lowering *l, family *f, size_t copy) {
  f->copy = copy;
  in_place_set_copy(f, copy);
  if (f->index) f->index->value = term_int(l->terms, f->low + (int64_t)copy);
}

static GIVE char *copy_name(const family *f, size_t copy) {
  if (!f->is_replicated) return memory_copy_string(f->word->text);
  return text_format("%s[%lld]", f->word->text, (long long)(f->low + (int64_t)copy));
}

static void lower_family_variables(lowering *l, family *f) {
  const process_tree *p = f->tree;
  type of = location_type(l, f);
  f->first_process = (uint32_t)l->model->processes.count;
  f->first_location = lower_reserve(l, f->copies, f->symbol->offset);
  for (size_t i = 0; i < f->copies && lowering_spend(l, 4, f->symbol->offset); i++) {
    char *name = copy_name(f, i), *prefix = text_format("%s.", name);
    variable taken;
    if (variable_find(l->terms, name, &taken)) {
      report_error(l->reporter, f->symbol->offset, "there are two variables called `%s`", name);
    } else {
      variable location = model_add_variable(l->model, name, &of, ROLE_LOCATION, lower_place(l, p->name.at));
      l->cells.at[f->first_location + i] = location;
      VECTOR_PUSH(l->model->processes, (process){model_string(l->model, name), location});
    }
    lower_set_copy(l, f, i);
    for (size_t j = 0; j < p->variables.count; j++) {
      bool is_global = p->variables.at[j]->names.at[0].symbol->family == NULL;
      lower_variables(l, p->variables.at[j], ROLE_STATE, is_global ? "" : prefix, i);
    }
    in_place_variables(l, f, i, f->is_unnamed ? "" : prefix);
    memory_free(name);
    memory_free(prefix);
  }
}

static void lower_family_initial(lowering *l, family *f) {
  for (size_t i = 0; i < f->copies && !l->exhausted; i++) {
    lower_set_copy(l, f, i);
    term location = cell_term(l, f->first_location + i);
    VECTOR_PUSH(l->init, term_eq(l->terms, location, term_int(l->terms, 0)));
    for (size_t j = 0; j < f->tree->variables.count; j++) lower_initial(l, f->tree->variables.at[j], i);
    in_place_initial(l, f);
  }
}

static void lower_family_steps(lowering *l, family *f) {
  for (size_t i = 0; i < f->copies && !l->exhausted; i++) {
    uint32_t from = (uint32_t)l->model->transitions.count;
    lower_set_copy(l, f, i);
    if (f->tree->is_program)
      lower_program_steps(l, f->tree);
    else
      lower_edges(l, f->tree);
    VECTOR_PUSH(l->process_steps, (steps_of_process){from, (uint32_t)l->model->transitions.count});
  }
}

/* ---- passes over the declarations ---- */

static void lower_all_variables(lowering *l, const module *m) {
  for (size_t i = 0; i < m->declarations.count && !l->exhausted; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_VAR)
      lower_variables(l, d->variables, ROLE_STATE, "", 0);
    else if (d->kind == DECLARATION_CONST && !d->variables->value)
      lower_variables(l, d->variables, ROLE_PARAMETER, "", 0);
    else if (d->kind == DECLARATION_CONST)
      lower_check_constant(l, d->variables);
    else if (d->kind == DECLARATION_PROCESS)
      lower_family_variables(l, d->process->family);
  }
}

static void lower_initial_states(lowering *l, const module *m) {
  for (size_t i = 0; i < m->declarations.count && !l->exhausted; i++) {
    const declaration *d = m->declarations.at[i];
    bool is_variable = d->kind == DECLARATION_VAR || (d->kind == DECLARATION_CONST && !d->variables->value);
    if (is_variable) lower_initial(l, d->variables, 0);
    if (d->kind == DECLARATION_PROCESS) lower_family_initial(l, d->process->family);
    if (d->kind != DECLARATION_INIT) continue;
    for (size_t j = 0; j < d->expressions.count; j++) {
      term t = lower_condition(l, d->expressions.at[j]);
      VECTOR_PUSH(l->init, t);
    }
  }
  lower_invariants(l, m);
  l->model->init = term_and_all(l->terms, l->init.count, l->init.at);
}

static void lower_steps(lowering *l, const module *m) {
  for (size_t i = 0; i < m->declarations.count && !l->exhausted; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_ACTION) lower_action(l, d->action);
    if (d->kind == DECLARATION_PROCESS) lower_family_steps(l, d->process->family);
  }
  lower_handshakes(l);
  lower_losses(l, m);
  lower_time(l);
  lower_atomic(l);
  for (size_t i = l->model->transitions.count; i-- > 0;) VECTOR_PUSH(l->next_step, NO_PROCESS);
  for (size_t i = l->model->transitions.count; i-- > 0;) {
    uint64_t next;
    const char *name = l->model->transitions.at[i].name;
    if (names_get(l->step_index, name, &next)) l->next_step.at[i] = (uint32_t)next;
    names_set(l->step_index, name, i);
  }
}

static void add_terms(lowering *l, const declaration *d, term_vector *out) {
  for (size_t i = 0; i < d->expressions.count; i++) {
    term t = lower_condition(l, d->expressions.at[i]);
    VECTOR_PUSH(*out, t);
  }
}

/* control x, P.y */
static void lower_control(lowering *l, const declaration *d) {
  for (size_t i = 0; i < d->expressions.count; i++) {
    span at = d->expressions.at[i]->at;
    char *name = source_excerpt(l->reporter->source, at, SIZE_MAX), *why = control_add(l->model, name);
    if (why) report_error(l->reporter, at.start, "%s", why);
    memory_free(name);
    memory_free(why);
  }
}

static void add_definition(lowering *l, const char *name, term value, bool is_real) {
  VECTOR_PUSH(l->model->definitions, (definition){model_string(l->model, name), value, is_real});
}

static void lower_rest(lowering *l, const declaration *d) {
  switch (d->kind) {
    case DECLARATION_CONST:
      for (size_t i = 0; d->variables->value && i < d->variables->names.count; i++) {
        const symbol *s = d->variables->names.at[i].symbol;
        add_definition(l, s->word->text, s->value, s->type->kind == VALUE_REAL);
      }
      break;
    case DECLARATION_DEFINE:
      if (d->parameters.count) break; /* it stands where it is called */
      lower_symbol(l, d->name.symbol);
      add_definition(l, d->name.word->text, d->name.symbol->value, d->name.symbol->type->kind == VALUE_REAL);
      break;
    case DECLARATION_PREDICATES: add_terms(l, d, &l->model->predicates); break;
    case DECLARATION_LEMMA: add_terms(l, d, &l->model->lemmas); break;
    case DECLARATION_DOMAIN: add_terms(l, d, &l->model->domain); break;
    case DECLARATION_CONTROL: lower_control(l, d); break;
    case DECLARATION_PROCESS:
    case DECLARATION_PROCEDURE: lower_assertions(l, d->process); break;
    case DECLARATION_SAFE:
    case DECLARATION_UNREACHABLE:
    case DECLARATION_DEADLOCKFREE:
    case DECLARATION_TERMINATES:
    case DECLARATION_CTL:
    case DECLARATION_LTL:
    case DECLARATION_CTLSTAR:
    case DECLARATION_MU: lower_property(l, d); break;
    case DECLARATION_FAIR: lower_fairness(l, d); break;
    default: break;
  }
}

/* A text that states `no-runtime-error` itself has no step that can fail. */
static void refuse_two_of_errors(lowering *l) {
  size_t stated;
  if (!model_find_property(l->model, "no-runtime-error", &stated)) return;
  for (size_t i = 0; i < l->model->transitions.count; i++) {
    if (!l->model->transitions.at[i].faults.count) continue;
    report_error(l->reporter, 0, "the property `no-runtime-error` is stated, and `fails` states it too");
    return;
  }
}

/* The name of a property that a text with `free` has anyway. */
static void refuse_no_leak(lowering *l) {
  size_t stated;
  if (l->scope->frees && model_find_property(l->model, "no-leak", &stated))
    report_error(l->reporter, 0, "the property `no-leak` is stated, and `free` states it too");
}

static bool has_procedures(const module *m) {
  for (size_t i = 0; i < m->declarations.count; i++)
    if (m->declarations.at[i]->kind == DECLARATION_PROCEDURE) return true;
  return false;
}

/* The transition system; there may have been errors. */
static void lower_parts(lowering *l, const module *m) {
  lower_all_variables(l, m);
  if (l->reporter->out->errors) return;
  lower_kept_bounds(l);
  lower_queues(l, m);
  if (l->reporter->out->errors) return;
  lower_initial_states(l, m);
  lower_steps(l, m);
  for (size_t i = 0; i < l->scope->enumerations.count; i++)
    for (size_t j = 0; j < l->scope->enumerations.at[i]->count; j++)
      add_definition(l, l->scope->enumerations.at[i]->values[j]->text, term_int(l->terms, (int64_t)j), false);
  for (size_t i = 0; i < m->declarations.count && !l->exhausted; i++) lower_rest(l, m->declarations.at[i]);
  history_close(l);
  lower_always(l);
  refuse_two_of_errors(l);
}

static void lower_system(lowering *l, const module *m) {
  lower_parts(l, m);
  if (!l->reporter->out->errors && l->keeps_arrays) arrays_to_system(l);
  if (l->reporter->out->errors) return;
  refuse_no_leak(l);
  model_watch_leaks(l->model);
  model_close(l->model);
  procedures_set_reliance(l->model, m);
}

/* The transition system is made into clauses, and thrown away. */
static void lower_with_arrays(lowering *l, const module *m) {
  model *whole = l->model, *system = model_derive(whole);
  l->model = system;
  lower_parts(l, m);
  if (!l->reporter->out->errors) arrays_to_clauses(l, whole);
  if (!l->reporter->out->errors) procedures_set_reliance(whole, m);
  l->model = whole;
  model_free(system);
}

void lower_module(lowering *l, const module *m) {
  lower_definitions(l, m);
  if (!lower_types(l)) return;
  lower_node_layout(l);
  for (size_t i = 0; i < l->scope->families.count; i++) size_family(l, l->scope->families.at[i]);
  if (l->reporter->out->errors) return;
  if (has_procedures(m) && !l->scope->in_place.count) {
    if (l->scope->has_sync) report_error(l->reporter, 0, "a model with recursive procedures has no handshakes");
    if (l->reporter->out->errors) return;
    lower_procedures(l, m);
    return;
  }
  in_place_expand(l);
  if (l->keeps_arrays && !l->without_arrays)
    lower_with_arrays(l, m);
  else
    lower_system(l, m);
}
