/* Makes a graph and its program when a choice of control is first asked for, and restricts the steps of all programs to
 * the integers. */
#include "engine/widen/graph/programs_by_control.h"

#include "engine/widen/graph/congruences.h"

/* Some choices may share a program. */
static bool is_first_use(const programs *all, size_t choice) {
  for (size_t i = 0; i < choice; i++)
    if (all->made[i] == all->made[choice]) return false;
  return all->made[choice] != NULL;
}

program *programs_get(const programs *all, control_choice choice) { return all->made[choice]; }

static graph *make_graph(programs *all, control_choice choice, const char **why) {
  if (choice != CONTROL_STEPS) return graph_new(all->env->model, all->bad, choice, all->space, all->env->budget, why);
  *why = programs_prepare(all, CONTROL_FINITE);
  graph *g = *why ? NULL : graph_split_by_step(all->made[CONTROL_FINITE]->graph);
  if (!g && !*why) *why = "too many steps to keep apart";
  return g;
}

static program *make_program(programs *all, control_choice choice, const char **why) {
  polyhedra_allow(all->space, 0);
  graph *g = make_graph(all, choice, why);
  if (!g) return NULL;
  program *p = program_new(g);
  if (all->over_integers) program_find_grids(p);
  p->over_integers = all->over_integers;
  events_note(all->env->events, "%zu locations, %zu edges, %zu cut points, %zu paths, %zu dimensions",
              g->locations.count, g->edges.count, p->cuts.heads - 1, p->paths.count, g->frame.dimensions.count);
  return p;
}

const char *programs_prepare(programs *all, control_choice choice) {
  const char *why = all->failure[choice];
  if (all->made[choice] || why) return why;
  all->made[choice] = make_program(all, choice, &why);
  if (why && choice == CONTROL_FINITE && !budget_spent(all->env->budget)) {
    events_note(all->env->events, "%s: only places are control", why);
    why = programs_prepare(all, CONTROL_PLACES);
    all->made[choice] = all->made[CONTROL_PLACES];
  }
  all->failure[choice] = why;
  return why;
}

bool programs_go_over_integers(programs *all, bool must, uint64_t work) {
  bool says_something = must;
  polyhedra_allow(all->space, work);
  for (size_t i = 0; i < CONTROL_CHOICES; i++)
    if (is_first_use(all, i)) says_something |= program_find_grids(all->made[i]);
  all->over_integers = says_something && !polyhedra_failure(all->space);
  for (size_t i = 0; i < CONTROL_CHOICES; i++) {
    if (!is_first_use(all, i)) continue;
    if (polyhedra_failure(all->space)) program_drop_grids(all->made[i]);
    all->made[i]->over_integers = all->over_integers;
  }
  if (all->over_integers) events_note(all->env->events, "steps are taken over the integers from now on");
  return all->over_integers;
}

void programs_clear(programs *all) {
  for (size_t i = CONTROL_CHOICES; i-- > 0;)
    if (is_first_use(all, i)) program_free(all->made[i]);
}
