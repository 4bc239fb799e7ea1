/* Spreads the graphs at the cut points over the locations between them by single steps, and writes them. */
#include "engine/widen/heap/heap_invariant.h"

#include "term/print.h"

typedef struct pending {
  uint32_t location;
  heap_part part; /* a copy: what is at the location may go in favour of a larger one */
} pending;

typedef struct spreading {
  heap_domain *h;
  const program *program;
  heap_parts *parts; /* by location */
  bool *is_cut;
  VECTOR(pending) left;
} spreading;

static void add(spreading *s, uint32_t location, heap_part part) {
  heap_part copy = {part.graph, polyhedron_copy(part.numbers)};
  if (heap_parts_add(&s->parts[location], &part))
    VECTOR_PUSH(s->left, (pending){location, copy});
  else
    polyhedron_free(copy.numbers);
}

static void add_all(spreading *s, uint32_t location, heap_parts *all) {
  for (size_t i = 0; i < all->count; i++) add(s, location, all->at[i]);
  VECTOR_FREE(*all);
}

static void start(spreading *s, const run *r) {
  const program *p = s->program;
  for (uint32_t head = 1; head < p->cuts.heads; head++) {
    uint32_t at = p->location_of.at[head];
    const heap_parts *reached = element_parts(run_final(r, head));
    s->is_cut[at] = true;
    for (size_t i = 0; i < reached->count; i++)
      add(s, at, (heap_part){reached->at[i].graph, polyhedron_copy(reached->at[i].numbers)});
  }
  for (uint32_t i = 0; i < p->graph->initial.count; i++) {
    uint32_t at = p->graph->initial.at[i].at;
    heap_parts first = {0};
    if (s->is_cut[at] || !p->graph->locations.at[at].matters) continue;
    heap_first_states(s->h, i, &first);
    add_all(s, at, &first);
  }
}

/* Every cycle has a cut point, so this ends. After a failure nothing is within anything, and it would take long. */
static void spread(spreading *s) {
  const graph *g = s->program->graph;
  const domain *d = heap_domain_of(s->h);
  for (size_t next = 0; next < s->left.count; next++) {
    pending now = s->left.at[next];
    bool fails = d->failure(d->context);
    for (size_t e = g->first_edge.at[now.location]; e < g->first_edge.at[now.location + 1] && !fails; e++) {
      uint32_t to = g->edges.at[e].to;
      heap_parts made = {0};
      if (s->is_cut[to] || !g->locations.at[to].matters) continue;
      heap_step_edge(s->h, (uint32_t)e, &now.part, &made);
      add_all(s, to, &made);
    }
    polyhedron_free(now.part.numbers);
  }
}

static term numbers_term(const spreading *s, const polyhedron *p) {
  const case_frame *f = &s->program->graph->frame;
  row_vector rows = {0};
  term_vector all = {0};
  polyhedron_rows(p, &rows);
  for (size_t i = 0; i < rows.count; i++) VECTOR_PUSH(all, frame_term(f, &rows.at[i]));
  term result = term_and_all(f->model->terms, all.count, all.at);
  rows_clear(&rows);
  VECTOR_FREE(all);
  return result;
}

static void write_part(const spreading *s, uint32_t at, const heap_part *p, evidence *out) {
  terms *ts = s->program->graph->frame.model->terms;
  evidence_add_part(ts, out, term_and(ts, location_term(s->program->graph, at), numbers_term(s, p->numbers)));
  heap_graph *graph = MEMORY_NEW(heap_graph);
  *graph = p->graph;
  VECTOR_LAST(out->parts).graph = graph;
}

static void print_part(const spreading *s, uint32_t at, const heap_part *p, text *lines) {
  terms *ts = s->program->graph->frame.model->terms;
  term numbers = numbers_term(s, p->numbers);
  term_print(ts, location_term(s->program->graph, at), lines);
  text_add(lines, " => ");
  if (!term_is_true(numbers)) {
    term_print(ts, numbers, lines);
    text_add(lines, " and ");
  }
  heap_graph_print(ts, heap_domain_variables(s->h), &p->graph, lines);
  text_add_char(lines, '\n');
}

void heap_invariant(heap_domain *h, const program *p, const run *r, evidence *out, text *lines) {
  const graph *g = p->graph;
  spreading s = {.h = h,
                 .program = p,
                 .parts = MEMORY_ARRAY(heap_parts, g->locations.count + 1),
                 .is_cut = MEMORY_ARRAY(bool, g->locations.count + 1)};
  start(&s, r);
  spread(&s);
  out->kind = EVIDENCE_HEAP;
  for (uint32_t at = 0; at < g->locations.count; at++) {
    if (!g->locations.at[at].matters) evidence_add_part(g->frame.model->terms, out, location_term(g, at));
    for (size_t i = 0; i < s.parts[at].count; i++) {
      write_part(&s, at, &s.parts[at].at[i], out);
      if (lines) print_part(&s, at, &s.parts[at].at[i], lines);
    }
    heap_parts_clear(&s.parts[at]);
  }
  VECTOR_FREE(s.left);
  memory_free(s.parts);
  memory_free(s.is_cut);
}
