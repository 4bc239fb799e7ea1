/* Fewer places: a place that is passed on the way from some edge to another is left out, and each two edges that meet there
 * become one. Places that a loop comes back to stay, so that nothing is unrolled. */
#include "input/procedures/flow.h"
#include "term/substitute.h"

typedef struct compactor {
  flow_graph *g;
  bits kept;  /* places that stay */
  map *cells; /* variable -> 1 */
} compactor;

typedef struct degree {
  size_t in, out;
} degree;

/* ---- which places ---- */

/* Goes down from `at`; a place that is come back to while its own way down is under way stays. */
static void note_loops(compactor *c, uint32_t at, bits *seen, bits *open) {
  VECTOR(uint32_t) stack = {0};
  VECTOR_PUSH(stack, at);
  while (stack.count) {
    uint32_t here = VECTOR_LAST(stack);
    bool goes_on = false;
    bits_add(seen, here);
    bits_add(open, here);
    for (size_t i = 0; i < c->g->edges.count && !goes_on; i++) {
      const flow_edge *e = &c->g->edges.at[i];
      if (e->from != here) continue;
      if (bits_has(open, e->to)) bits_add(&c->kept, e->to);
      if (bits_has(seen, e->to)) continue;
      VECTOR_PUSH(stack, e->to);
      goes_on = true;
    }
    if (goes_on) continue;
    bits_remove(open, here);
    stack.count--;
  }
  VECTOR_FREE(stack);
}

static void note_kept(compactor *c) {
  const flow_graph *g = c->g;
  bits seen = bits_new(g->places.count), open = bits_new(g->places.count);
  bits_add(&c->kept, 0);
  for (uint32_t i = 0; i < g->places.count; i++)
    if (g->places.at[i].is_error) bits_add(&c->kept, i);
  for (size_t i = 0; i < g->procedures.count; i++) {
    bits_add(&c->kept, g->procedures.at[i].entry);
    bits_add(&c->kept, g->procedures.at[i].exit);
  }
  for (size_t i = 0; i < g->edges.count; i++) {
    if (!g->edges.at[i].calls.count) continue;
    bits_add(&c->kept, g->edges.at[i].from);
    bits_add(&c->kept, g->edges.at[i].to);
  }
  for (uint32_t i = 0; i < g->places.count; i++)
    if (!bits_has(&seen, i)) note_loops(c, i, &seen, &open);
  bits_free(&seen);
  bits_free(&open);
}

/* ---- two edges as one ---- */

/* Variables of `second` that are no cells and stand in `first` too get new names. */
static void part_inputs(const compactor *c, const flow_edge *first, flow_edge *second) {
  terms *ts = c->g->ts;
  term_vector roots = {0};
  variable_vector shared = {0};
  VECTOR_PUSH(roots, first->guard);
  for (size_t i = 0; i < first->updates.count; i++) VECTOR_PUSH(roots, first->updates.at[i].value);
  term_variables(ts, roots.count, roots.at, &shared);
  for (size_t i = 0; i < shared.count; i++) {
    variable v = shared.at[i];
    bool is_used = term_mentions(ts, second->guard, v);
    for (size_t j = 0; j < second->updates.count && !is_used; j++)
      is_used = term_mentions(ts, second->updates.at[j].value, v);
    if (!is_used || map_get(c->cells, v.x, NULL)) continue;
    char *name = clause_variable_name(ts, v);
    type of = *variable_type(ts, v);
    variable made = variable_fresh(ts, name, &of);
    memory_free(name);
    second->guard = term_replace(ts, second->guard, v, term_of_variable(ts, made));
    for (size_t j = 0; j < second->updates.count; j++)
      second->updates.at[j].value = term_replace(ts, second->updates.at[j].value, v, term_of_variable(ts, made));
    for (size_t j = 0; j < second->inputs.count; j++)
      if (variable_same(second->inputs.at[j].var, v)) second->inputs.at[j].var = made;
  }
  VECTOR_FREE(roots);
  VECTOR_FREE(shared);
}

static const char *join_names(terms *ts, const char *a, const char *b) {
  if (!*a || !*b) return *a ? a : b;
  char *both = text_format("%s\n%s", a, b);
  const char *kept = arena_copy_string(terms_arena(ts), both);
  memory_free(both);
  return kept;
}

static bool has_update(const flow_edge *e, variable v) {
  for (size_t i = 0; i < e->updates.count; i++)
    if (variable_same(e->updates.at[i].var, v)) return true;
  return false;
}

static flow_edge edge_join(const compactor *c, const flow_edge *first, const flow_edge *then) {
  terms *ts = c->g->ts;
  flow_edge second = *then, made = {.from = first->from, .to = then->to, .at = then->at};
  second.updates.at = NULL, second.updates.room = 0;
  second.inputs.at = NULL, second.inputs.room = 0;
  VECTOR_COPY(second.updates, then->updates);
  VECTOR_COPY(second.inputs, then->inputs);
  part_inputs(c, first, &second);
  substitution *by = substitution_new(ts);
  for (size_t i = 0; i < first->updates.count; i++)
    substitution_set(by, first->updates.at[i].var, first->updates.at[i].value);
  made.guard = term_and(ts, first->guard, substitution_apply(by, second.guard));
  for (size_t i = 0; i < second.updates.count; i++)
    VECTOR_PUSH(made.updates, (update){second.updates.at[i].var, substitution_apply(by, second.updates.at[i].value)});
  for (size_t i = 0; i < first->updates.count; i++)
    if (!has_update(&second, first->updates.at[i].var)) VECTOR_PUSH(made.updates, first->updates.at[i]);
  VECTOR_COPY(made.inputs, first->inputs);
  for (size_t i = 0; i < second.inputs.count; i++) VECTOR_PUSH(made.inputs, second.inputs.at[i]);
  made.name = join_names(ts, first->name, then->name);
  substitution_free(by);
  VECTOR_FREE(second.updates);
  VECTOR_FREE(second.inputs);
  return made;
}

/* ---- a place ---- */

static degree degree_of(const flow_graph *g, uint32_t at) {
  degree d = {0};
  for (size_t i = 0; i < g->edges.count; i++) {
    d.in += g->edges.at[i].to == at;
    d.out += g->edges.at[i].from == at;
  }
  return d;
}

static void leave_out(compactor *c, uint32_t at) {
  flow_edges all = c->g->edges, made = {0};
  for (size_t i = 0; i < all.count; i++) {
    if (all.at[i].from != at && all.at[i].to != at) VECTOR_PUSH(made, all.at[i]);
    for (size_t j = 0; all.at[i].to == at && j < all.count; j++) {
      if (all.at[j].from != at) continue;
      flow_edge joined = edge_join(c, &all.at[i], &all.at[j]);
      if (term_is_false(joined.guard))
        flow_edge_clear(&joined);
      else
        VECTOR_PUSH(made, joined);
    }
  }
  for (size_t i = 0; i < all.count; i++)
    if (all.at[i].from == at || all.at[i].to == at) flow_edge_clear(&all.at[i]);
  VECTOR_FREE(all);
  c->g->edges = made;
}

/* Places that no edge and nothing else speaks of any more are no places. */
static void drop_unused(flow_graph *g) {
  bits used = bits_new(g->places.count);
  uint32_t *numbers = MEMORY_ARRAY(uint32_t, g->places.count + 1), next = 0;
  bits_add(&used, 0);
  for (size_t i = 0; i < g->edges.count; i++) {
    bits_add(&used, g->edges.at[i].from);
    bits_add(&used, g->edges.at[i].to);
  }
  for (size_t i = 0; i < g->procedures.count; i++) {
    bits_add(&used, g->procedures.at[i].entry);
    bits_add(&used, g->procedures.at[i].exit);
  }
  for (size_t i = 0; i < g->readings.count; i++) bits_add(&used, g->readings.at[i].place);
  for (size_t i = 0; i < g->places.count; i++) {
    numbers[i] = next;
    if (bits_has(&used, i)) g->places.at[next++] = g->places.at[i];
  }
  g->places.count = next;
  for (size_t i = 0; i < g->edges.count; i++) {
    g->edges.at[i].from = numbers[g->edges.at[i].from];
    g->edges.at[i].to = numbers[g->edges.at[i].to];
  }
  for (size_t i = 0; i < g->procedures.count; i++) {
    g->procedures.at[i].entry = numbers[g->procedures.at[i].entry];
    g->procedures.at[i].exit = numbers[g->procedures.at[i].exit];
  }
  for (size_t i = 0; i < g->readings.count; i++) g->readings.at[i].place = numbers[g->readings.at[i].place];
  memory_free(numbers);
  bits_free(&used);
}

void flow_compact(flow_graph *g) {
  compactor c = {.g = g, .kept = bits_new(g->places.count), .cells = map_new()};
  for (size_t i = 0; i < g->cells.count; i++) map_set(c.cells, g->cells.at[i].x, 1);
  note_kept(&c);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < g->places.count; i++) {
      degree d = degree_of(g, i);
      bool is_small = d.in * d.out <= d.in + d.out;
      if (bits_has(&c.kept, i) || !d.in || !is_small) continue;
      leave_out(&c, i);
      bits_add(&c.kept, i);
      more = true;
    }
  }
  bits_free(&c.kept);
  map_free(c.cells);
  drop_unused(g);
}
