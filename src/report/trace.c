/* The columns of a run as text: the number of the step, the action with its inputs, and what changed. */
#include "report/trace.h"

#include "base/escape.h"
#include "report/failing.h"
#include "report/failing_loop.h"
#include "report/repeated_steps.h"
#include "term/array_value.h"
#include "term/print.h"

enum { WIDEST_ACTION = 40, LONGEST_LIST = 24 };

/* A map of what is not the default: [0: 42, else 2]. */
static void array_print(const terms *ts, const type *t, number n, text *out) {
  array_value a = array_value_look(ts, n);
  type element = type_of_element(t);
  VECTOR(array_entry) entries = {0};
  for (size_t i = 0; i < a.count; i++) VECTOR_PUSH(entries, a.entries[i]); /* others are looked at below */
  text_add_char(out, '[');
  for (size_t i = 0; i < entries.count; i++) {
    number_print(out, entries.at[i].index);
    text_add(out, ": ");
    value_print(ts, &element, entries.at[i].element, out);
    text_add(out, ", ");
  }
  if (entries.count) text_add(out, "else ");
  value_print(ts, &element, a.otherwise, out);
  text_add_char(out, ']');
  VECTOR_FREE(entries);
}

void value_print(const terms *ts, const type *t, number n, text *out) {
  int64_t word;
  bool is_word = number_to_int64(n, &word);
  if (t->sort == SORT_ARRAY)
    array_print(ts, t, n, out);
  else if (t->sort == SORT_BOOL)
    text_add(out, "%s", is_word && word == 0 ? "false" : "true");
  else if (t->names && is_word && word >= 0 && (uint64_t)word < t->name_count)
    text_add_shown(out, t->names[word]);
  else
    number_print(out, n);
}

/* Where in the list from `first` node `wanted` stands, from 1; 0 if it is not among the first `count`. */
static size_t place_in_list(const heap_cells *heap, uint32_t first, size_t count, uint32_t wanted) {
  uint32_t n = first;
  for (size_t i = 1; i <= count; i++, n = heap->at[n - 1].next[0])
    if (n == wanted) return i;
  return 0;
}

/* Lists are shown along the first pointer. */
static uint32_t first_pointer(const model *m, const heap_cell *c) { return m->nodes->pointer_count ? c->next[0] : 0; }

void list_print(const model *m, const trace_step *s, size_t position, text *out) {
  int64_t first = 0;
  number_to_int64(s->values.at[position], &first);
  uint32_t n = first > 0 && (uint64_t)first <= s->heap.count ? (uint32_t)first : 0;
  for (size_t length = 0; n && n <= s->heap.count; length++, n = first_pointer(m, &s->heap.at[n - 1])) {
    size_t before = place_in_list(&s->heap, (uint32_t)first, length, n);
    if (before || length == LONGEST_LIST) {
      text_add(out, before ? "back to node %zu" : "..", before);
      return;
    }
    text_add(out, "[");
    heap_values_print(m->nodes, NODE_VALUE(s->heap.at[n - 1].value), "", out);
    text_add(out, "] -> ");
  }
  text_add(out, m->nodes->pointer_count ? "null" : "..");
}

static const char *process_at(const model *m, variable location) {
  for (size_t i = 0; i < m->processes.count; i++)
    if (variable_same(m->processes.at[i].location, location)) return m->processes.at[i].name;
  return NULL;
}

static void assignment_print(const model *m, variable v, number n, text *out) {
  const type *t = variable_type(m->terms, v);
  const char *process = t->is_location ? process_at(m, v) : NULL;
  text_add(out, process ? "%s at " : "%s = ", process ? process : variable_shown(m->terms, v));
  value_print(m->terms, t, n, out);
}

static void inputs_print(const model *m, const transition *t, size_t count, const number *values, text *out) {
  if (!count) return;
  text_add_char(out, '(');
  for (size_t i = 0; i < count && i < t->inputs.count; i++) {
    const char *name = variable_shown(m->terms, t->inputs.at[i]), *dot = strrchr(name, '.');
    text_add(out, "%s%s = ", i ? ", " : "", dot ? dot + 1 : name);
    value_print(m->terms, variable_type(m->terms, t->inputs.at[i]), values[i], out);
  }
  text_add_char(out, ')');
}

void step_name_print(const model *m, const transition *t, text *out) {
  if (!t->statement) {
    text_add_shown(out, t->name);
    return;
  }
  if (m->processes.count > 1 && t->process != NO_PROCESS) text_add(out, "%s ", m->processes.at[t->process].name);
  const char *file = model_file(m, t->place);
  if (file) {
    text_add_shown(out, file);
    text_add(out, ", ");
  }
  text_add(out, "line %u: %*s", (unsigned)t->place.line, (int)(2 * t->depth), "");
  text_add_shown(out, t->statement);
}

char *action_string(const model *m, uint32_t transition_index, size_t count, const number *inputs) {
  const transition *t = &m->transitions.at[transition_index];
  text out = {0};
  step_name_print(m, t, &out);
  inputs_print(m, t, count, inputs, &out);
  return text_give(&out);
}

/* Of a state that many rounds lead to. */
static GIVE char *rounds_string(const trace_step *s) {
  char *times = number_string(s->times);
  char *words = s->round == 1 ? text_format("the same step %s times more", times)
                              : text_format("the last %u steps %s times more", (unsigned)s->round, times);
  memory_free(times);
  return words;
}

static GIVE char *step_action(const model *m, const evidence *e, size_t i) {
  const trace_step *s = &e->steps.at[i];
  if (s->round) return rounds_string(s);
  return i ? action_string(m, s->transition, s->inputs.count, s->inputs.at) : memory_copy_string("initial");
}

static GIVE char *fault_action(const model *m, const evidence *e) {
  return action_string(m, e->fault_transition, e->fault_inputs.count, e->fault_inputs.at);
}

static size_t wider(size_t width, TAKE char *action) {
  size_t length = strlen(action);
  memory_free(action);
  return length > width && length <= WIDEST_ACTION ? length : width;
}

static size_t action_width(const model *m, const evidence *e, const property *p) {
  size_t width = p && p->kind == PROPERTY_NO_FAULT ? wider(0, fault_action(m, e)) : 0;
  for (size_t i = 0; i < e->steps.count; i++) width = wider(width, step_action(m, e, i));
  return width;
}

static void line_start(const char *label, const char *action, size_t width, trace_style style, text *out) {
  const char *bold = style.colour ? "\033[1m" : "", *plain = style.colour ? "\033[0m" : "";
  size_t length = strlen(action);
  text_add(out, "%5s  %s%s%s", label, bold, action, plain);
  text_add(out, "%*s", (int)(length < width ? width - length : 0) + 2, "");
}

/* What the step assigns to a variable of a call is shown even if it has that value already; what only clears it is not. */
static bool shows_call_variable(const transition *t, variable v) {
  for (size_t i = 0; i + t->resets < t->updates.count; i++)
    if (variable_same(t->updates.at[i].var, v)) return true;
  return false;
}

static bool is_shown(const model *m, const trace_step *before, const trace_step *now, size_t v, bool has_changed) {
  if (!m->variables.at[v].is_of_call) return has_changed;
  return before && now->transition < m->transitions.count &&
         shows_call_variable(&m->transitions.at[now->transition], m->variables.at[v].var);
}

/* The channel of any length that the variable is part of; NULL if there is none. */
static const queue *queue_of(const model *m, variable v) {
  for (size_t i = 0; i < m->queues.count; i++)
    for (size_t j = 0; j < queue_variable_count(&m->queues.at[i]); j++)
      if (variable_same(queue_variable(&m->queues.at[i], j), v)) return &m->queues.at[i];
  return NULL;
}

static void message_print(const model *m, const queue *q, uint64_t message, text *out) {
  for (size_t i = 0; i < q->part_count; i++) {
    variable v = q->parts[i].first;
    const char *name = variable_shown(m->terms, v), *field = strrchr(name, '.');
    if (q->part_count > 1) text_add(out, "%s%s = ", i ? ", " : "{", field ? field + 1 : name);
    value_print(m->terms, variable_type(m->terms, v), number_of(queue_part_of(q, i, message)), out);
  }
  if (q->part_count > 1) text_add_char(out, '}');
}

/* [ping, pong], the oldest message first. */
static void content_print(const model *m, const queue *q, const trace_step *s, text *out) {
  enum { MOST_SHOWN = 100000 };
  number_vector values = {0};
  queue_word content = {0};
  trace_assignment(m, s->values.at, NULL, NULL, &values);
  bool is_content = queue_content(q, values.at, MOST_SHOWN, &content);
  text_add_char(out, '[');
  for (size_t i = 0; i < content.count && is_content; i++) {
    if (i) text_add(out, ", ");
    message_print(m, q, content.at[i], out);
  }
  text_add(out, is_content ? "]" : "..]");
  VECTOR_FREE(values);
  VECTOR_FREE(content);
}

static bool content_changes(const model *m, const queue *q, const trace_step *before, const trace_step *now) {
  for (size_t j = 0; before && j < queue_variable_count(q); j++) {
    size_t v = model_position(m, queue_variable(q, j));
    if (!number_equal(before->values.at[v], now->values.at[v])) return true;
  }
  return !before;
}

/* `is_place_known`: the statement of the next step shows where the program is. `is_full`: every variable is shown. */
static void changes_print(const model *m, const trace_step *before, const trace_step *now, bool is_place_known,
                          bool is_full, text *out) {
  size_t shown = 0;
  text list = {0}, list_before = {0};
  for (size_t v = 0; v < m->variables.count && v < now->values.count; v++) {
    bool is_list = variable_type(m->terms, m->variables.at[v].var)->sort == SORT_NODE;
    const queue *q = queue_of(m, m->variables.at[v].var);
    if (q) { /* shown once, for all of its variables */
      if (!variable_same(m->variables.at[v].var, q->length)) continue;
      if (!(is_full || content_changes(m, q, before, now))) continue;
      text_add(out, "%s%s = ", shown++ ? ", " : "", q->name);
      content_print(m, q, now, out);
      continue;
    }
    bool same = before && number_equal(before->values.at[v], now->values.at[v]);
    if (is_list) {
      text_reset(&list);
      list_print(m, now, v, &list);
      text_reset(&list_before);
      if (before) list_print(m, before, v, &list_before);
      same = same && !strcmp(list.at, list_before.at);
    }
    bool is_left_out = before && is_place_known && variable_type(m->terms, m->variables.at[v].var)->is_location;
    if (is_left_out || !(is_full || is_shown(m, before, now, v, !same))) continue;
    if (shown++) text_add(out, ", ");
    if (is_list) {
      text_add(out, "%s -> %s", variable_shown(m->terms, m->variables.at[v].var), list.at);
      continue;
    }
    assignment_print(m, m->variables.at[v].var, now->values.at[v], out);
  }
  if (!shown && !is_place_known) text_add(out, "(nothing changes)");
  text_clear(&list);
  text_clear(&list_before);
}

void state_print(const model *m, const trace_step *before, const trace_step *now, trace_style style, text *out) {
  changes_print(m, before, now, false, style.full, out);
}

static void fault_print(const model *m, const evidence *e, size_t width, trace_style style, text *out) {
  const transition *t = &m->transitions.at[e->fault_transition];
  const fault *f = &t->faults.at[e->fault];
  char *action = fault_action(m, e);
  line_start("!", action, width, style, out);
  text_add(out, "run-time error: %s", f->what);
  const char *file = model_file(m, f->place);
  if (f->place.line) text_add(out, " (");
  if (file) {
    text_add_shown(out, file);
    text_add(out, ", ");
  }
  if (f->place.line) text_add(out, "line %u)", (unsigned)f->place.line);
  text_add_char(out, '\n');
  memory_free(action);
}

static bool is_back(const evidence *e) {
  const trace_step *from = &e->steps.at[e->loop], *last = &VECTOR_LAST(e->steps);
  bool is_same = true;
  for (size_t i = 0; i < last->values.count && is_same; i++)
    is_same = number_equal(from->values.at[i], last->values.at[i]);
  return is_same;
}

/* How a run that breaks a temporal property goes on. If the property says that something can be done, the run leads to where that is
 * not so, and the evidence is the graph. */
static void ending_print(const property *p, const evidence *e, text *out) {
  if (!e->steps.count) return;
  if (e->kind == EVIDENCE_QUOTIENT && e->has_loop && !is_back(e))
    text_add(out, "   ..  and so on: from the block of state %zu again, for ever\n", e->loop);
  else if (e->has_loop && e->loop + 1 == e->steps.count)
    text_add(out, "   ..  nothing can be done any more: it stays there for ever\n");
  else if (e->has_loop)
    text_add(out, "   ..  this is state %zu again: from there on for ever\n", e->loop);
  else if (e->kind == EVIDENCE_RECURRENCE)
    text_add(out, "   ..  it can go on so for ever (the certificate has the set of states that it need not leave)\n");
  bool is_of_states = p->kind == PROPERTY_CTL || p->kind == PROPERTY_CTLSTAR;
  if (is_of_states && e->kind == EVIDENCE_QUOTIENT && !temporal_is_universal(p->formula))
    text_add(out, "   ..  it fails by what cannot be done from a state of this run: that is in the certificate\n");
}

/* Every process is a program, whose steps show where they start. */
static bool has_statements_only(const model *m) {
  for (size_t i = 0; i < m->transitions.count; i++)
    if (!m->transitions.at[i].statement) return false;
  return m->transitions.count > 0;
}

typedef struct trace_printer {
  const model *model;
  const evidence *run;
  trace_style style;
  size_t width;
  bool has_statements;
  bool has_fault;           /* a line about it follows the last step */
  const trace_step *before; /* the state shown last; NULL: none, or every variable is to be shown */
  text *out;
} trace_printer;

static void step_print(trace_printer *t, size_t i) {
  const trace_step *now = &t->run->steps.at[i];
  char label[24], *action = step_action(t->model, t->run, i);
  size_t start = t->out->count;
  snprintf(label, sizeof label, "%zu", i);
  line_start(label, action, t->width, t->style, t->out);
  bool is_place_known = t->has_statements && (t->has_fault || i + 1 < t->run->steps.count);
  changes_print(t->model, t->before, now, is_place_known, t->style.full, t->out);
  while (t->out->count > start && t->out->at[t->out->count - 1] == ' ') text_cut(t->out, t->out->count - 1);
  text_add_char(t->out, '\n');
  memory_free(action);
  t->before = t->style.full ? NULL : now;
}

/* The first and the last round are shown; what changed in between shows in the last one. */
static void rounds_print(trace_printer *t, const repeated_steps *r) {
  for (size_t i = 0; i < r->length; i++) step_print(t, r->first + i);
  text_add(t->out, "   ..  the same %s %zu times more, then once again:\n", r->length == 1 ? "step" : "steps",
           r->times - 2);
  for (size_t i = 0; i < r->length; i++) step_print(t, r->first + (r->times - 1) * r->length + i);
}

void trace_print(const model *m, const evidence *e, const property *p, trace_style style, text *out) {
  trace_printer t = {m,    e,  style, action_width(m, e, p), has_statements_only(m), p && p->kind == PROPERTY_NO_FAULT,
                     NULL, out};
  bool may_fold = !style.full && !e->has_loop;
  for (size_t i = 0; i < e->steps.count;) {
    repeated_steps r;
    if (i && may_fold && repeated_steps_at(e, i, &r)) {
      rounds_print(&t, &r);
      i += r.length * r.times;
    } else {
      step_print(&t, i++);
    }
  }
  bool is_deadlock = p && (p->kind == PROPERTY_DEADLOCKFREE || p->written == PROPERTY_DEADLOCKFREE);
  if (p && e->steps.count && !is_deadlock) failing_print(m, p, &VECTOR_LAST(e->steps), out);
  if (p && p->kind == PROPERTY_NO_FAULT) fault_print(m, e, t.width, style, out);
  if (is_deadlock) text_add(out, "    !  no action can be taken\n");
  if (p && property_is_temporal(p)) {
    ending_print(p, e, out);
    failing_loop_print(m, p, e, out);
  }
}
