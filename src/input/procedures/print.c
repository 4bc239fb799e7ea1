/* A graph with procedures as an SV-LIB script: each procedure has the places that its entry leads to as labels.
 *
 * An edge to the entry of a procedure says with which values it is called, so it is written as a call that does not come
 * back; an edge that needs what calls give back makes them one after the other. What its condition says about results
 * is asked after the call that gives them, all else before, so that no call is made that the graph does not have. */
#include "term/print.h"

#include "base/escape.h"
#include "input/procedures/flow.h"
#include "model/svlib_text.h"

#define NO_PROCEDURE UINT32_MAX

typedef struct writer {
  const flow_graph *g;
  text *out;
  uint32_t procedure; /* that is being written, or NO_PROCEDURE */
  bool *is_here;      /* by place */
} writer;

/* ---- which places and variables ---- */

static uint32_t called_by(const writer *w, const flow_edge *e) {
  for (uint32_t i = 0; i < w->g->procedures.count; i++)
    if (w->g->procedures.at[i].entry == e->to) return i;
  return NO_PROCEDURE;
}

/* Places of errors may share their names. */
static GIVE char *label_of(const writer *w, uint32_t at) {
  const char *name = w->g->places.at[at].name;
  for (uint32_t i = 0; i < at; i++)
    if (!strcmp(w->g->places.at[i].name, name)) return text_format("%s.%u", name, (unsigned)at);
  return memory_copy_string(name);
}

static void find_places(writer *w, uint32_t start) {
  memset(w->is_here, 0, w->g->places.count * sizeof *w->is_here);
  w->is_here[start] = true;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < w->g->edges.count; i++) {
      const flow_edge *e = &w->g->edges.at[i];
      if (!w->is_here[e->from] || w->is_here[e->to] || called_by(w, e) != NO_PROCEDURE) continue;
      w->is_here[e->to] = more = true;
    }
  }
}

static void declare(const writer *w, map *known, variable v) {
  if (map_get(known, v.x, NULL)) return;
  map_set(known, v.x, 1);
  svlib_line(w->out, 1);
  svlib_declaration(w->g->ts, v, w->out);
}

/* A call whose results nobody needs puts them there. */
static void unused_name(uint32_t procedure, size_t i, text *out) {
  text_add(out, "unused.%u.%zu", (unsigned)procedure, i);
}

static const char *sort_of_cell(const writer *w, size_t cell) {
  return type_smtlib_sort(variable_type(w->g->ts, w->g->cells.at[cell]));
}

static void declare_edge(const writer *w, map *known, const flow_edge *e) {
  for (size_t i = 0; i < e->inputs.count; i++) declare(w, known, e->inputs.at[i].var);
  for (size_t i = 0; i < e->calls.count; i++)
    for (size_t j = 0; j < w->g->procedures.at[e->calls.at[i].procedure].out.count; j++)
      declare(w, known, e->calls.at[i].out[j]);
}

/* Values that are read and that nothing gives are variables too: they hold any value. */
static void declare_rest(const writer *w, map *known, const flow_edge *e) {
  variable_vector found = {0};
  term_variables(w->g->ts, 1, &e->guard, &found);
  for (size_t i = 0; i < e->updates.count; i++) term_variables(w->g->ts, 1, &e->updates.at[i].value, &found);
  for (size_t i = 0; i < found.count; i++) declare(w, known, found.at[i]);
  VECTOR_FREE(found);
}

static void write_locals(const writer *w) {
  map *known = map_new();
  text_add(w->out, "(");
  for (size_t i = 0; i < w->g->cells.count; i++) declare(w, known, w->g->cells.at[i]);
  for (size_t i = 0; i < w->g->edges.count; i++) {
    if (!w->is_here[w->g->edges.at[i].from]) continue;
    declare_edge(w, known, &w->g->edges.at[i]);
    declare_rest(w, known, &w->g->edges.at[i]);
  }
  for (uint32_t i = 0; i < w->g->procedures.count; i++)
    for (size_t j = 0; j < w->g->procedures.at[i].out.count; j++) {
      svlib_line(w->out, 1);
      text_add(w->out, "(");
      unused_name(i, j, w->out);
      text_add(w->out, " %s)", sort_of_cell(w, w->g->procedures.at[i].out.at[j]));
    }
  text_add(w->out, ")");
  map_free(known);
}

/* ---- edges ---- */

static bool mentions(const writer *w, term t, const flow_call *c) {
  for (size_t i = 0; i < w->g->procedures.at[c->procedure].out.count; i++)
    if (term_mentions(w->g->ts, t, c->out[i])) return true;
  return false;
}

/* What can be asked after the first `done` calls, and not before. */
static void write_condition(const writer *w, const flow_edge *e, size_t done, unsigned depth) {
  term_vector parts = {0};
  term now = TERM_TRUE;
  term_conjuncts(w->g->ts, e->guard, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    size_t needs = 0;
    for (size_t j = 0; j < e->calls.count; j++)
      if (mentions(w, parts.at[i], &e->calls.at[j])) needs = j + 1;
    if (needs == done) now = term_and(w->g->ts, now, parts.at[i]);
  }
  svlib_assume(w->g->ts, now, depth, w->out);
  VECTOR_FREE(parts);
}

static void write_call(const writer *w, uint32_t procedure, const term *in, const variable *out, unsigned depth) {
  const flow_procedure *p = &w->g->procedures.at[procedure];
  svlib_line(w->out, depth);
  text_add(w->out, "(call ");
  name_print_smtlib(w->g->places.at[p->entry].name, w->out);
  text_add(w->out, " (");
  for (size_t i = 0; i < p->in.count; i++) {
    if (i) text_add(w->out, " ");
    term_print_smtlib(w->g->ts, in[i], w->out);
  }
  text_add(w->out, ") (");
  for (size_t i = 0; i < p->out.count; i++) {
    if (i) text_add(w->out, " ");
    if (out)
      variable_print_smtlib(w->g->ts, out[i], w->out);
    else
      unused_name(procedure, i, w->out);
  }
  text_add(w->out, "))");
}

static void write_entry(const writer *w, const flow_edge *e, uint32_t procedure, unsigned depth) {
  const flow_procedure *p = &w->g->procedures.at[procedure];
  term *in = MEMORY_ARRAY(term, p->in.count + 1);
  for (size_t i = 0; i < p->in.count; i++) in[i] = flow_edge_value(w->g->ts, e, w->g->cells.at[p->in.at[i]]);
  write_call(w, procedure, in, NULL, depth);
  svlib_line(w->out, depth);
  text_add(w->out, "(assume false)");
  memory_free(in);
}

static void write_edge(const writer *w, const flow_edge *e, unsigned depth) {
  uint32_t procedure = called_by(w, e);
  VECTOR(variable) inputs = {0};
  for (size_t i = 0; i < e->inputs.count; i++) VECTOR_PUSH(inputs, e->inputs.at[i].var);
  svlib_comment(w->out, depth, e->name);
  svlib_line(w->out, depth);
  text_add(w->out, "(sequence");
  svlib_havoc(w->g->ts, inputs.count, inputs.at, depth + 1, w->out);
  for (size_t i = 0; i <= e->calls.count; i++) {
    write_condition(w, e, i, depth + 1);
    if (i < e->calls.count) write_call(w, e->calls.at[i].procedure, e->calls.at[i].in, e->calls.at[i].out, depth + 1);
  }
  if (procedure != NO_PROCEDURE) {
    write_entry(w, e, procedure, depth + 1);
  } else {
    svlib_assign(w->g->ts, e->updates.count, e->updates.at, depth + 1, w->out);
    char *label = label_of(w, e->to);
    svlib_goto(label, depth + 1, w->out);
    memory_free(label);
  }
  text_add(w->out, ")");
  VECTOR_FREE(inputs);
}

/* ---- places ---- */

/* Names of inputs and outputs are their own: inputs are not assigned. */
static void io_name(const char *kind, size_t i, text *out) { text_add(out, "%s.%zu", kind, i); }

static void write_return(const writer *w, const flow_procedure *p) {
  if (p->out.count) {
    svlib_line(w->out, 2);
    text_add(w->out, "(assign");
    for (size_t i = 0; i < p->out.count; i++) {
      text_add(w->out, " (");
      io_name("out", i, w->out);
      text_add(w->out, " ");
      variable_print_smtlib(w->g->ts, w->g->cells.at[p->out.at[i]], w->out);
      text_add(w->out, ")");
    }
    text_add(w->out, ")");
  }
  svlib_line(w->out, 2);
  text_add(w->out, "(return)");
}

static void write_place(const writer *w, uint32_t at) {
  const flow_place *place = &w->g->places.at[at];
  const flow_procedure *p = w->procedure == NO_PROCEDURE ? NULL : &w->g->procedures.at[w->procedure];
  bool is_first = true;
  char *label = label_of(w, at);
  svlib_label(label, 2, w->out);
  if (place->is_error && place->property != NO_PROPERTY) svlib_check(w->g->ts, label, TERM_FALSE, 2, w->out);
  memory_free(label);
  if (p && p->exit == at) {
    write_return(w, p);
    return;
  }
  for (size_t i = 0; i < w->g->edges.count; i++) {
    if (w->g->edges.at[i].from != at) continue;
    if (is_first) {
      svlib_line(w->out, 2);
      text_add(w->out, "(choice");
    }
    is_first = false;
    write_edge(w, &w->g->edges.at[i], 3);
  }
  if (is_first) {
    svlib_line(w->out, 2);
    text_add(w->out, "(assume false)");
  } else {
    text_add(w->out, ")");
  }
}

static void write_places(writer *w, uint32_t start) {
  write_place(w, start);
  for (uint32_t i = 0; i < w->g->places.count; i++)
    if (w->is_here[i] && i != start) write_place(w, i);
}

/* ---- procedures ---- */

static void write_list(const writer *w, const char *kind, const cell_list *cells) {
  text_add(w->out, "(");
  for (size_t i = 0; i < cells->count; i++) {
    text_add(w->out, "%s(", i ? " " : "");
    io_name(kind, i, w->out);
    text_add(w->out, " %s)", sort_of_cell(w, cells->at[i]));
  }
  text_add(w->out, ") ");
}

static void write_head(writer *w, uint32_t procedure) {
  const flow_procedure *p = &w->g->procedures.at[procedure];
  w->procedure = procedure;
  find_places(w, p->entry);
  text_add(w->out, "\n (");
  name_print_smtlib(w->g->places.at[p->entry].name, w->out);
  text_add(w->out, " ");
  write_list(w, "in", &p->in);
  write_list(w, "out", &p->out);
  write_locals(w);
  text_add(w->out, ")");
}

static void write_body(writer *w, uint32_t procedure) {
  const flow_procedure *p = &w->g->procedures.at[procedure];
  w->procedure = procedure;
  find_places(w, p->entry);
  text_add(w->out, "\n (! (sequence");
  for (size_t i = 0; i < p->in.count; i++) {
    svlib_line(w->out, 2);
    text_add(w->out, "(assign (");
    variable_print_smtlib(w->g->ts, w->g->cells.at[p->in.at[i]], w->out);
    text_add(w->out, " ");
    io_name("in", i, w->out);
    text_add(w->out, "))");
  }
  write_places(w, p->entry);
  char *tag = text_format("%s body", w->g->places.at[p->entry].name);
  text_add(w->out, ")\n  :tag ");
  name_print_smtlib(tag, w->out);
  text_add(w->out, ")");
  memory_free(tag);
}

void flow_print_svlib(const flow_graph *g, const char *name, text *out) {
  writer w = {.g = g, .out = out, .is_here = MEMORY_ARRAY(bool, g->places.count + 1)};
  text_add(out, "; ");
  text_add_comment(out, name);
  text_add(out, ", as whet understood it\n(set-option :format-version \"1.0\")\n(set-logic ALL)\n");
  if (g->procedures.count) {
    text_add(out, "(define-procs-rec (");
    for (uint32_t i = 0; i < g->procedures.count; i++) write_head(&w, i);
    text_add(out, ")\n(");
    for (uint32_t i = 0; i < g->procedures.count; i++) write_body(&w, i);
    text_add(out, "))\n");
  }
  w.procedure = NO_PROCEDURE;
  find_places(&w, 0);
  text_add(out, "(define-proc |the program| () () ");
  write_locals(&w);
  text_add(out, "\n (! (sequence");
  write_places(&w, 0);
  text_add(out, ")\n  :tag |the program|))\n(verify-call |the program| ())\n");
  memory_free(w.is_here);
}
