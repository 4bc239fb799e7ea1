/* A derivation is reported by going back from its last step to the start, and then forward; each call where it happens. */
#include "report/program_run.h"

#include "base/escape.h"
#include "proof/replay/clause_replay.h"
#include "report/derivation.h"
#include "report/trace.h"
#include "term/array_value.h"

typedef struct run_walk {
  const model *model;
  const evidence *evidence;
  program_listener *listen;
  void *context;
  size_t reported, most, depth;
} run_walk;

enum { DEEPEST = 10000 };

static const clause *clause_of(const run_walk *t, const derivation_step *s) {
  return &t->model->clauses->clauses.at[s->clause];
}

static void report(run_walk *t, program_event e) {
  e.depth = t->depth;
  if (t->reported++ < t->most) t->listen(t->context, &e);
}

static bool is_over(const run_walk *t) { return t->reported > t->most || t->depth > DEEPEST; }

/* ---- one step ---- */

static number value_in(const clause *c, const derivation_step *s, variable v) {
  for (size_t i = 0; i < c->variables.count; i++)
    if (variable_same(c->variables.at[i], v)) return s->values.at[i];
  return number_of(0); /* nothing depends on it */
}

static void report_statements(run_walk *t, const clause *c, size_t from, size_t to) {
  while (from < to && (c->statements[from] == ' ' || c->statements[from] == ';')) from++;
  while (from < to) {
    size_t end = from + strcspn(c->statements + from, "\n");
    if (end > to) end = to;
    report(t, (program_event){.kind = EVENT_STATEMENTS, .words = c->statements + from, .length = end - from});
    from = end + (end < to);
  }
}

static void report_inputs(run_walk *t, const clause *c, const derivation_step *s, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    report(t, (program_event){.kind = EVENT_INPUT,
                              .input = c->inputs.at[i].of_program,
                              .value = value_in(c, s, c->inputs.at[i].of_clause)});
}

/* The step that leads to the place where this one starts; NULL at the start of the program. */
static const derivation_step *step_before(const run_walk *t, const derivation_step *s) {
  const clause *c = clause_of(t, s);
  return s->premises.count > c->calls.count ? &t->evidence->derivation.at[s->premises.at[0]] : NULL;
}

/* After a call that has returned there is nothing new to say. */
static void report_state(run_walk *t, const clause *c, const derivation_step *s) {
  if (t->model->is_c_program || c->head == NO_PREDICATE || c->is_call || c->calls.count) return;
  report(t, (program_event){.kind = EVENT_STATE, .by = s, .before = step_before(t, s)});
}

static void report_call(run_walk *t, const derivation_step *exit);

static void report_step(run_walk *t, const derivation_step *s) {
  const clause *c = clause_of(t, s);
  size_t done = 0, inputs = 0;
  for (size_t i = 0; i < c->calls.count && !is_over(t); i++) {
    const clause_call *call = &c->calls.at[i];
    report_statements(t, c, done, call->words);
    report_inputs(t, c, s, inputs, call->inputs);
    report_call(t, &t->evidence->derivation.at[s->premises.at[call->atom]]);
    done = call->words;
    inputs = call->inputs;
  }
  report_statements(t, c, done, strlen(c->statements));
  report_inputs(t, c, s, inputs, c->inputs.count);
  report_state(t, c, s);
}

/* ---- steps that follow each other ---- */

typedef VECTOR(const derivation_step *) step_vector;

/* The steps of one activation of a procedure up to `last`, latest first; gives the call. */
static const derivation_step *steps_since_call(const run_walk *t, const derivation_step *last, step_vector *out) {
  const derivation_step *s = last;
  while (s && !clause_of(t, s)->is_call) {
    VECTOR_PUSH(*out, s);
    s = step_before(t, s);
  }
  return s;
}

static void report_call(run_walk *t, const derivation_step *exit) {
  step_vector steps = {0};
  const derivation_step *call = steps_since_call(t, exit, &steps);
  if (call) report(t, (program_event){.kind = EVENT_CALL, .by = call});
  t->depth++;
  for (size_t i = steps.count; i-- > 0 && !is_over(t);) report_step(t, steps.at[i]);
  t->depth--;
  report(t, (program_event){.kind = EVENT_RETURN, .by = exit});
  VECTOR_FREE(steps);
}

/* ---- runs of clauses ---- */

/* The last step of the replay as one of a derivation: of arrays only those that are told. */
static void fill_step(const run_walk *t, clause_replay *r, uint32_t number, derivation_step *out) {
  const clause *c = &t->model->clauses->clauses.at[number];
  out->clause = number;
  VECTOR_CLEAR(out->values);
  for (size_t i = 0; i < c->variables.count; i++) {
    bool is_told = !t->model->is_c_program || variable_type(t->model->terms, c->variables.at[i])->sort != SORT_ARRAY;
    for (size_t j = 0; j < c->inputs.count && !is_told; j++)
      is_told = variable_same(c->inputs.at[j].of_clause, c->variables.at[i]);
    VECTOR_PUSH(out->values, is_told ? clause_replay_value(r, number, i) : number_of(0));
  }
}

static void report_own_step(run_walk *t, const derivation_step *now, const derivation_step *before) {
  const clause *c = clause_of(t, now);
  report_statements(t, c, 0, strlen(c->statements));
  report_inputs(t, c, now, 0, c->inputs.count);
  if (!t->model->is_c_program && c->head != NO_PREDICATE && !c->is_call)
    report(t, (program_event){.kind = EVENT_STATE, .by = now, .before = before});
  if (!c->is_call) return;
  report(t, (program_event){.kind = EVENT_CALL, .by = now});
  t->depth++;
}

/* Told while it is replayed: it may be long, and only its beginning be asked for. */
static bool report_clause_run(run_walk *t) {
  clause_replay *r = clause_replay_new(t->model->terms, t->model->clauses);
  derivation_step steps[2] = {{0}, {0}};
  size_t taken = 0;
  bool fine = true;
  for (size_t i = 0; i < t->evidence->run.count && fine; i++)
    for (uint64_t j = 0; j < t->evidence->run.at[i].times && fine; j++, taken++) {
      const clause_run_step *s = &t->evidence->run.at[i];
      fine = clause_replay_step(r, s->clause, &s->choices) == REPLAY_FINE && !is_over(t);
      if (!fine) break;
      fill_step(t, r, s->clause, &steps[taken % 2]);
      report_own_step(t, &steps[taken % 2], taken ? &steps[1 - taken % 2] : NULL);
    }
  VECTOR_FREE(steps[0].values);
  VECTOR_FREE(steps[1].values);
  clause_replay_free(r);
  return fine && !is_over(t);
}

bool program_run_report(const model *m, const evidence *e, size_t most, program_listener *listen, void *context) {
  run_walk t = {.model = m, .evidence = e, .listen = listen, .context = context, .most = most};
  if (e->kind == EVIDENCE_CLAUSE_RUN) return report_clause_run(&t);
  step_vector steps = {0};
  const derivation_step *s = e->derivation.count ? &VECTOR_LAST(e->derivation) : NULL;
  for (; s; s = step_before(&t, s)) VECTOR_PUSH(steps, s);
  for (size_t i = steps.count; i-- > 0 && !is_over(&t);) {
    report_step(&t, steps.at[i]);
    if (!clause_of(&t, steps.at[i])->is_call) continue;
    report(&t, (program_event){.kind = EVENT_CALL, .by = steps.at[i]});
    t.depth++;
  }
  VECTOR_FREE(steps);
  return t.reported <= t.most && t.depth <= DEEPEST;
}

/* ---- as text ---- */

typedef struct printer {
  const model *model;
  text *out;
  bool is_open; /* the line is not ended: inputs come behind statements */
  bool has_inputs;
} printer;

static void end_line(printer *p) {
  if (p->has_inputs) text_add_char(p->out, ')');
  if (p->is_open) text_add_char(p->out, '\n');
  p->is_open = p->has_inputs = false;
}

static void start_line(printer *p, size_t depth) {
  end_line(p);
  text_add(p->out, "    %*s", (int)(2 * depth), "");
  p->is_open = true;
}

static void print_input(printer *p, const program_event *e) {
  char *name = clause_variable_name(p->model->terms, e->input),
       *dot = p->model->is_c_program ? NULL : strrchr(name, '.');
  if (!p->is_open) start_line(p, e->depth);
  text_add(p->out, p->has_inputs ? ", %s = " : "  (%s = ", dot ? dot + 1 : name);
  value_print(p->model->terms, variable_type(p->model->terms, e->input), e->value, p->out);
  p->has_inputs = true;
  memory_free(name);
}

/* The label without what makes it unique: "x" of "x!3". */
static GIVE char *plain_label(const printer *p, uint32_t predicate, size_t i) {
  char *label = parameter_label(p->model, predicate, i);
  label[strcspn(label, "!")] = 0;
  return label;
}

static void print_value(printer *p, uint32_t predicate, size_t i, number value) {
  value_print(p->model->terms,
              variable_type(p->model->terms, p->model->clauses->predicates.at[predicate].parameters.at[i]), value,
              p->out);
}

/* What a call names, each after `before` or else a comma. The result of a C function has no name. */
static void print_own(printer *p, const derivation_step *s, const char *before) {
  uint32_t predicate = p->model->clauses->clauses.at[s->clause].head;
  number_vector values = {0};
  derivation_values(p->model, s, &values);
  for (size_t i = 0; i < values.count; i++) {
    if (!p->model->clauses->predicates.at[predicate].is_own[i]) continue;
    char *label = plain_label(p, predicate, i);
    bool is_nameless = p->model->is_c_program && !strcmp(label, "result");
    text_add(p->out, "%s", before);
    if (!is_nameless) text_add_shown(p->out, label);
    if (!is_nameless) text_add(p->out, " = ");
    print_value(p, predicate, i, values.at[i]);
    before = ", ";
    memory_free(label);
  }
  VECTOR_FREE(values);
}

static void print_call(printer *p, const derivation_step *s) {
  uint32_t predicate = p->model->clauses->clauses.at[s->clause].head;
  text_add_shown(p->out, p->model->clauses->predicates.at[predicate].name);
  text_add_char(p->out, '(');
  print_own(p, s, "");
  text_add_char(p->out, ')');
}

static void print_return(printer *p, const derivation_step *s) {
  text_add(p->out, "returns");
  print_own(p, s, " ");
}

/* The value that the argument called so had before; NULL: none. */
static const number *value_before(const printer *p, const derivation_step *before, const number_vector *old,
                                  const char *label) {
  const number *found = NULL;
  uint32_t predicate = before ? p->model->clauses->clauses.at[before->clause].head : 0;
  for (size_t i = 0; before && i < old->count && !found; i++) {
    char *known = plain_label(p, predicate, i);
    if (!strcmp(known, label)) found = &old->at[i];
    memory_free(known);
  }
  return found;
}

enum { MOST_ELEMENTS = 4 };

/* The elements that are not as before: a[0] = 42, a[3] = 1. False if another default or too many of them have changed. */
static bool print_elements(printer *p, const type *t, const char *label, number now, number before) {
  const terms *ts = p->model->terms;
  type element = {.sort = t->element, .names = t->names, .name_count = t->name_count};
  array_value a = array_value_look(ts, now);
  number_vector changed = {0};
  for (size_t i = 0; i < a.count; i++)
    if (!number_equal(array_value_at(ts, before, a.entries[i].index), a.entries[i].element))
      VECTOR_PUSH(changed, a.entries[i].index);
  number otherwise = a.otherwise;
  array_value b = array_value_look(ts, before); /* the entries of the first are lost */
  for (size_t i = 0; i < b.count; i++)
    if (number_equal(array_value_at(ts, now, b.entries[i].index), otherwise)) VECTOR_PUSH(changed, b.entries[i].index);
  bool few = number_equal(otherwise, b.otherwise) && changed.count <= MOST_ELEMENTS;
  for (size_t i = 0; few && i < changed.count; i++) {
    text_add(p->out, i ? ", " : "");
    text_add_shown(p->out, label);
    text_add_char(p->out, '[');
    number_print(p->out, changed.at[i]);
    text_add(p->out, "] = ");
    value_print(ts, &element, array_value_at(ts, now, changed.at[i]), p->out);
  }
  VECTOR_FREE(changed);
  return few;
}

/* What holds only while the condition of a step is looked at, or was so when a procedure started. */
static bool is_hidden(const char *label) { return strstr(label, " at first") || strstr(label, " in check"); }

static void print_change(printer *p, uint32_t predicate, size_t i, const char *label, number now,
                         const number *before) {
  const type *t = variable_type(p->model->terms, p->model->clauses->predicates.at[predicate].parameters.at[i]);
  if (before && t->sort == SORT_ARRAY && print_elements(p, t, label, now, *before)) return;
  text_add_shown(p->out, label);
  text_add(p->out, " = ");
  print_value(p, predicate, i, now);
}

/* What has changed, behind the statement that did it. */
static void print_state(printer *p, const program_event *e) {
  uint32_t predicate = p->model->clauses->clauses.at[e->by->clause].head;
  number_vector now = {0}, old = {0};
  const char *between = "    ";
  if (p->has_inputs) text_add_char(p->out, ')');
  p->has_inputs = false;
  derivation_values(p->model, e->by, &now);
  if (e->before) derivation_values(p->model, e->before, &old);
  for (size_t i = 0; i < now.count; i++) {
    char *label = plain_label(p, predicate, i);
    const number *before = value_before(p, e->before, &old, label);
    if (!is_hidden(label) && !(before && number_equal(*before, now.at[i]))) {
      if (!p->is_open) {
        start_line(p, e->depth);
        between = "";
      }
      if (p->has_inputs) text_add_char(p->out, ')');
      p->has_inputs = false;
      text_add(p->out, "%s", between);
      print_change(p, predicate, i, label, now.at[i], before);
      between = ", ";
    }
    memory_free(label);
  }
  VECTOR_FREE(now);
  VECTOR_FREE(old);
}

static void print_event(void *context, const program_event *e) {
  printer *p = context;
  if (e->kind == EVENT_INPUT) {
    print_input(p, e);
    return;
  }
  if (e->kind == EVENT_STATE) {
    print_state(p, e);
    return;
  }
  start_line(p, e->depth + (e->kind == EVENT_RETURN));
  if (e->kind == EVENT_CALL) print_call(p, e->by);
  if (e->kind == EVENT_RETURN) print_return(p, e->by);
  if (e->kind != EVENT_STATEMENTS) {
    end_line(p);
    return;
  }
  char *words = memory_copy_bytes(e->words, e->length);
  text_add_shown(p->out, words);
  memory_free(words);
}

void program_run_print(const model *m, const evidence *e, size_t most, text *out) {
  printer p = {.model = m, .out = out};
  bool is_whole = program_run_report(m, e, most, print_event, &p);
  end_line(&p);
  if (!is_whole)
    text_add(out, "    .. and so on; %s is in the certificate\n", e->run.count ? "the run" : "the derivation");
}
