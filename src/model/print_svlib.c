/* A transition system as an SV-LIB script: one procedure. If the model is one program or process, each of its places is a
 * label, and a step is a branch with a goto; else there is one loop, and each round is a step. */
#include "base/escape.h"
#include "model/svlib_text.h"
#include "term/bounds.h"
#include "term/print.h"
#include "term/substitute.h"

enum { MOST_PAIRS = 2000000 }; /* of places and transitions, to look for those that belong together */

typedef struct writer {
  const model *model;
  terms *ts;
  text *out;
  variable location; /* of the one process */
  bool has_labels;
  uint32_t here; /* the place that is being written */
} writer;

/* ---- places ---- */

static term at_place(const writer *w, term t, uint32_t place) {
  if (!w->has_labels) return t;
  return term_simplify_in_types(w->ts, term_replace(w->ts, t, w->location, term_int(w->ts, place)));
}

/* The value that the step gives the location is a number. */
static bool is_jump(const writer *w, const transition *t) {
  number to;
  return term_is_number(w->ts, transition_value_after(w->model, t, w->location), &to) ||
         term_same(transition_value_after(w->model, t, w->location), term_of_variable(w->ts, w->location));
}

static bool can_have_labels(writer *w) {
  const model *m = w->model;
  if (m->processes.count != 1) return false;
  w->location = m->processes.at[0].location;
  const type *t = variable_type(w->ts, w->location);
  if (!t->names || t->name_count * m->transitions.count > MOST_PAIRS) return false;
  for (size_t i = 0; i < m->transitions.count; i++)
    if (!is_jump(w, &m->transitions.at[i])) return false;
  return true;
}

static const char *place_name(const writer *w, uint32_t place) {
  return variable_type(w->ts, w->location)->names[place];
}

/* ---- steps ---- */

static bool is_written(const property *p) { return p->kind == PROPERTY_SAFE || p->kind == PROPERTY_NO_FAULT; }

static const char *fault_property(const writer *w) {
  for (size_t i = 0; i < w->model->properties.count; i++)
    if (w->model->properties.at[i].kind == PROPERTY_NO_FAULT) return w->model->properties.at[i].name;
  return NULL;
}

static void write_updates(const writer *w, const transition *t, unsigned depth) {
  VECTOR(update) all = {0};
  for (size_t i = 0; i < t->updates.count; i++)
    if (!w->has_labels || !variable_same(t->updates.at[i].var, w->location))
      VECTOR_PUSH(all, (update){t->updates.at[i].var, at_place(w, t->updates.at[i].value, w->here)});
  svlib_assign(w->ts, all.count, all.at, depth, w->out);
  VECTOR_FREE(all);
}

static void write_step(const writer *w, const transition *t, term guard, unsigned depth) {
  term fault = at_place(w, transition_fault(w->model, t), w->here);
  const char *name = fault_property(w);
  svlib_comment(w->out, depth, t->name);
  svlib_line(w->out, depth);
  text_add(w->out, "(sequence");
  svlib_havoc(w->ts, t->inputs.count, t->inputs.at, depth + 1, w->out);
  if (name) svlib_check(w->ts, name, term_not(fault), depth + 1, w->out);
  svlib_assume(w->ts, term_and(w->ts, guard, term_not(fault)), depth + 1, w->out);
  write_updates(w, t, depth + 1);
  if (w->has_labels) {
    number to;
    term next = transition_value_after(w->model, t, w->location);
    uint32_t place = term_is_number(w->ts, next, &to) ? (uint32_t)to.small : w->here;
    svlib_goto(place_name(w, place), depth + 1, w->out);
  }
  text_add(w->out, ")");
}

static void write_checks(const writer *w, unsigned depth) {
  for (size_t i = 0; i < w->model->properties.count; i++) {
    const property *p = &w->model->properties.at[i];
    if (p->kind != PROPERTY_SAFE || property_is_formula(p)) continue;
    svlib_check(w->ts, p->name, term_not(at_place(w, p->bad, w->here)), depth, w->out);
  }
}

/* The steps from here, one of which is taken. */
static void write_choice(const writer *w, unsigned depth) {
  const model *m = w->model;
  bool is_first = true;
  for (size_t i = 0; i < m->transitions.count; i++) {
    term guard = at_place(w, m->transitions.at[i].guard, w->here);
    if (term_is_false(guard)) continue;
    if (is_first) {
      svlib_line(w->out, depth);
      text_add(w->out, "(choice");
    }
    is_first = false;
    write_step(w, &m->transitions.at[i], guard, depth + 1);
  }
  if (is_first) {
    svlib_line(w->out, depth);
    text_add(w->out, "(assume false)");
  } else {
    text_add(w->out, ")");
  }
}

/* ---- the script ---- */

static void write_variables(const writer *w) {
  const model *m = w->model;
  bool is_first = true;
  text_add(w->out, "(define-proc main () ()\n  (");
  for (size_t i = 0; i < m->variables.count; i++) {
    if (w->has_labels && variable_same(m->variables.at[i].var, w->location)) continue;
    if (!is_first) svlib_line(w->out, 1);
    svlib_declaration(w->ts, m->variables.at[i].var, w->out);
    is_first = false;
  }
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++) {
      if (!is_first) svlib_line(w->out, 1);
      svlib_declaration(w->ts, m->transitions.at[i].inputs.at[j], w->out);
      is_first = false;
    }
  text_add(w->out, ")");
}

static void write_start(writer *w) {
  if (!w->has_labels) {
    svlib_assume(w->ts, w->model->init, 2, w->out);
    return;
  }
  const type *t = variable_type(w->ts, w->location);
  svlib_line(w->out, 2);
  text_add(w->out, "(choice");
  for (uint32_t i = 0; i < t->name_count; i++) {
    term init = at_place(w, w->model->init, i);
    if (term_is_false(init)) continue;
    svlib_line(w->out, 3);
    text_add(w->out, "(sequence");
    svlib_assume(w->ts, init, 4, w->out);
    svlib_goto(place_name(w, i), 4, w->out);
    text_add(w->out, ")");
  }
  text_add(w->out, ")");
}

static void write_places(writer *w) {
  const type *t = variable_type(w->ts, w->location);
  for (w->here = 0; w->here < t->name_count; w->here++) {
    svlib_label(place_name(w, w->here), 2, w->out);
    write_checks(w, 2);
    write_choice(w, 2);
  }
}

static void write_loop(const writer *w) {
  svlib_line(w->out, 2);
  text_add(w->out, "(! (while true (sequence");
  write_checks(w, 3);
  write_choice(w, 3);
  text_add(w->out, ")) :tag loop)");
}

static void say_left_out(const property *p, text *out) {
  text_add(out, "; the property ");
  text_add_comment(out, p->name);
  text_add(out, " is left out: SV-LIB has no words for it\n");
}

bool model_print_svlib(const model *m, text *out) {
  writer w = {.model = m, .ts = m->terms, .out = out};
  if (m->has_heap) return false;
  w.has_labels = can_have_labels(&w);
  text_add(out, "; ");
  text_add_comment(out, m->name);
  text_add(out, ", as whet understood it\n");
  for (size_t i = 0; i < m->properties.count; i++)
    if (!is_written(&m->properties.at[i]) || property_is_formula(&m->properties.at[i]))
      say_left_out(&m->properties.at[i], out);
  text_add(out, "(set-option :format-version \"1.0\")\n(set-logic ALL)\n");
  write_variables(&w);
  svlib_line(out, 1);
  text_add(out, "(! (sequence");
  write_start(&w);
  if (w.has_labels)
    write_places(&w);
  else
    write_loop(&w);
  text_add(out, ")\n  :tag main))\n(verify-call main ())\n");
  return true;
}
