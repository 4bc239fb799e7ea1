/* Transitions by name; of programs, edges that lead back to a place through which every way to them leads. */
#include "run/bounds/subjects.h"

#include <stdlib.h>
#include <string.h>

#include "run/bounds/control_edges.h"

static bool is_program(const model *m, uint32_t process) {
  if (m->is_c_program) return true;
  for (size_t i = 0; i < m->transitions.count; i++)
    if (m->transitions.at[i].process == process && m->transitions.at[i].statement) return true;
  return false;
}

/* ---- loops ---- */

static bool is_before(place a, place b) { return a.line != b.line ? a.line < b.line : a.column < b.column; }

/* Where the loop stands: its first word if the model was made from C, else the first transition from its head. */
static place place_of_head(const model *m, const control_edges *g, uint32_t head) {
  place at = {0};
  for (size_t i = 0; m->source && i < m->source->loop_count; i++)
    if (m->source->loops[i].head == head) return m->source->loops[i].at;
  for (size_t i = 0; i < g->edges.count; i++) {
    place here = m->transitions.at[g->edges.at[i].transition].place;
    if (g->edges.at[i].from == head && (!at.line || is_before(here, at))) at = here;
  }
  return at;
}

static GIVE char *name_of_place(const model *m, uint32_t process, uint32_t head) {
  const type *of = variable_type(m->terms, m->processes.at[process].location);
  text name = {0};
  text_add(&name, "%s at %s", m->processes.at[process].name, head < of->name_count ? of->names[head] : "?");
  return text_give(&name);
}

static void add_loop(const model *m, uint32_t process, const control_edges *g, uint32_t head, bound_subjects *out) {
  bool *with = MEMORY_ARRAY(bool, g->places), *without = MEMORY_ARRAY(bool, g->places);
  bound_subject loop = {.is_loop = true};
  control_edges_reach(g, g->first, NO_PLACE, with);
  control_edges_reach(g, g->first, head, without);
  for (size_t i = 0; i < g->edges.count; i++) {
    uint32_t from = g->edges.at[i].from;
    if (g->edges.at[i].to == head && with[from] && !without[from])
      VECTOR_PUSH(loop.transitions, g->edges.at[i].transition);
  }
  memory_free(with);
  memory_free(without);
  if (!loop.transitions.count) return;
  loop.at = place_of_head(m, g, head);
  loop.name = name_of_place(m, process, head);
  VECTOR_PUSH(*out, loop);
}

static void add_loops(const model *m, uint32_t process, bound_subjects *out) {
  control_edges g;
  control_edges_find(m, process, &g);
  for (uint32_t head = 0; head < g.places && g.is_whole && g.first < g.places; head++)
    add_loop(m, process, &g, head, out);
  control_edges_clear(&g);
}

/* ---- actions ---- */

static void add_action(const model *m, uint32_t number, bound_subjects *out) {
  const transition *t = &m->transitions.at[number];
  for (size_t i = 0; i < out->count; i++)
    if (!out->at[i].is_loop && !strcmp(out->at[i].name, t->name)) {
      VECTOR_PUSH(out->at[i].transitions, number);
      return;
    }
  bound_subject action = {.name = memory_copy_string(t->name), .at = t->place};
  VECTOR_PUSH(action.transitions, number);
  VECTOR_PUSH(*out, action);
}

static int by_place(const void *a, const void *b) {
  const bound_subject *x = a, *y = b;
  if (is_before(x->at, y->at) || is_before(y->at, x->at)) return is_before(x->at, y->at) ? -1 : 1;
  uint32_t first = x->transitions.at[0], second = y->transitions.at[0];
  return first < second ? -1 : first > second;
}

void subjects_find(const model *m, bound_subjects *out) {
  for (uint32_t i = 0; i < m->processes.count; i++)
    if (is_program(m, i)) add_loops(m, i, out);
  for (uint32_t i = 0; i < m->transitions.count; i++) {
    uint32_t process = m->transitions.at[i].process;
    bool is_statement = m->is_c_program || m->transitions.at[i].statement;
    if (!is_statement && (process == NO_PROCESS || !is_program(m, process))) add_action(m, i, out);
  }
  if (out->count) qsort(out->at, out->count, sizeof *out->at, by_place);
}

void subjects_clear(bound_subjects *s) {
  for (size_t i = 0; i < s->count; i++) {
    memory_free(s->at[i].name);
    VECTOR_FREE(s->at[i].transitions);
  }
  VECTOR_FREE(*s);
}
