/* :not-recurring. If every cycle of the graph has a place with it, then all of them together say that every run ends: a run
 * without end is at one of these places again and again. That is what is decided. */
#include "input/svlib/lower.h"

static bool is_marked(const sv_lowering *l, uint32_t place) {
  for (size_t i = 0; i < l->finite.count; i++)
    if (l->finite.at[i] == place) return true;
  return false;
}

/* Places that only finitely many steps lead to without a mark are taken away, until none is left or all are in cycles. */
static bool has_other_cycle(const sv_lowering *l) {
  const flow_graph *g = &l->graph;
  bool *is_left = MEMORY_ARRAY(bool, g->places.count + 1), found = false;
  for (uint32_t i = 0; i < g->places.count; i++) is_left[i] = !is_marked(l, i);
  for (bool more = true; more;) {
    more = false;
    bool *has_before = MEMORY_ARRAY(bool, g->places.count + 1);
    for (size_t i = 0; i < g->edges.count; i++)
      if (is_left[g->edges.at[i].from]) has_before[g->edges.at[i].to] = true;
    for (uint32_t i = 0; i < g->places.count; i++) {
      if (!is_left[i] || has_before[i]) continue;
      is_left[i] = false;
      more = true;
    }
    memory_free(has_before);
  }
  for (uint32_t i = 0; i < g->places.count; i++) found |= is_left[i];
  memory_free(is_left);
  return found;
}

bool sv_endings_fit(sv_lowering *l) {
  if (!l->ends) return false;
  if (l->graph.procedures.count)
    sv_refuse(l, l->ends, "`:not-recurring` is read of programs that call no procedures");
  else if (has_other_cycle(l))
    sv_refuse(l, l->ends, "`:not-recurring` is read if all loops of the program, and all labels in cycles, have it");
  return !l->failed;
}
