/* The functions of domain.h for powersets of polyhedra: images and preimages along paths, bad states, and the rows that
 * widenings keep. */
#include "engine/widen/numeric.h"

#include "term/print.h"

enum { MOST_LIMITS = 400 };

struct numeric {
  const program *program;
  domain domain;
  powerset_style style;
  row_vector limits;      /* of types, and of the property if the style says so */
  VECTOR(powerset *) bad; /* by head */
};

static size_t dimension(const numeric *n) { return n->program->graph->frame.dimensions.count; }
static polyhedra *space(const numeric *n) { return n->program->graph->frame.space; }

static element *numeric_bottom(void *context, uint32_t head) {
  (void)head;
  numeric *n = context;
  return element_of_set(powerset_new(space(n), dimension(n)));
}

static element *numeric_top(void *context) {
  numeric *n = context;
  powerset *s = powerset_new(space(n), dimension(n));
  powerset_add(s, polyhedron_universe(space(n), dimension(n)));
  return element_of_set(s);
}

static element *numeric_connect(void *context, uint32_t head, const element *a, const element *b) {
  (void)head;
  numeric *n = context;
  return element_of_set(powerset_connect(element_set(a), element_set(b), &n->style));
}

static element *numeric_widen(void *context, uint32_t head, const element *a, const element *b) {
  (void)head;
  numeric *n = context;
  return element_of_set(powerset_widen(element_set(a), element_set(b), &n->style));
}

/* ---- along paths ---- */

static void restrict_to(const program *p, const graph_states *to, polyhedron *at) {
  program_restrict(p, to->at, &to->states, at);
}

static void go_along(const program *p, const program_path *path, polyhedron *at) {
  if (path->start != NO_STATES) restrict_to(p, &p->graph->initial.at[path->start], at);
  for (size_t i = 0; i < path->edges.count; i++) {
    if (i && polyhedron_is_empty(at)) return;
    program_step(p, path->edges.at[i], at);
  }
}

static void go_back_along(const program *p, const program_path *path, polyhedron *at) {
  if (path->bad != NO_STATES) restrict_to(p, &p->graph->bad.at[path->bad], at);
  for (size_t i = path->edges.count; i-- > 0;) {
    program_step_back(p, path->edges.at[i], at);
    if (i && polyhedron_is_empty(at)) return;
  }
  if (path->start != NO_STATES) restrict_to(p, &p->graph->initial.at[path->start], at);
}

static element *image(numeric *n, uint32_t path, const element *e, weak_shape_kind shape,
                      void (*go)(const program *, const program_path *, polyhedron *)) {
  powerset *out = powerset_new(space(n), dimension(n));
  const powerset *from = element_set(e);
  for (size_t i = 0; i < powerset_count(from); i++) {
    polyhedron *at = polyhedron_copy(powerset_at(from, i));
    go(n->program, &n->program->paths.at[path], at);
    if (shape != SHAPE_NONE) polyhedron_replace(at, shape_around(at, shape));
    powerset_add(out, at);
  }
  return element_of_set(out);
}

static element *numeric_post(void *context, uint32_t path, const element *e) {
  numeric *n = context;
  return image(n, path, e, n->style.shape, go_along);
}
static element *numeric_pre(void *context, uint32_t path, const element *e) {
  return image(context, path, e, SHAPE_NONE, go_back_along);
}

static element *numeric_bad(void *context, uint32_t head) {
  numeric *n = context;
  return element_of_set(powerset_share(n->bad.at[head]));
}

static bool numeric_errs(void *context, uint32_t head, const element *e) {
  numeric *n = context;
  return powerset_meets(element_set(e), n->bad.at[head]);
}

static void numeric_describe(void *context, const element *e, text *out) {
  const case_frame *f = &((numeric *)context)->program->graph->frame;
  term_print(f->model->terms, elements_term(f, element_set(e)), out);
}

static const char *numeric_failure(void *context) { return polyhedra_failure(space(context)); }

/* ---- making ---- */

static void find_bad(numeric *n) {
  const program *p = n->program;
  for (size_t i = 0; i < p->cuts.heads; i++) VECTOR_PUSH(n->bad, powerset_new(space(n), dimension(n)));
  for (size_t i = 0; i < p->bad_paths.count; i++) {
    polyhedron *at = polyhedron_universe(space(n), dimension(n));
    go_back_along(p, &p->bad_paths.at[i], at);
    for (size_t j = 0; j < p->types.count; j++) polyhedron_add(at, &p->types.at[j]);
    powerset_add(n->bad.at[p->bad_from.at[i]], at);
  }
}

static void add_both_sides(const numeric *n, row_vector *out, const linear_row *row) {
  const case_frame *f = &n->program->graph->frame;
  linear_row r = row_copy(row);
  VECTOR_PUSH(*out, frame_negation(f, &r));
  if (r.equality) {
    for (size_t c = 0; c < r.count; c++) r.at[c] = number_negate(r.at[c]);
    VECTOR_PUSH(*out, frame_negation(f, &r));
  }
  row_clear(&r);
}

/* What guards ask for, and what they leave when they fail. */
static void add_guard_limits(numeric *n) {
  const graph *g = n->program->graph;
  for (size_t e = 0; e < g->edges.count; e++) {
    const linear_case *step = &g->edges.at[e].step;
    for (size_t i = 0; i < step->rows.count && !step->locals; i++) {
      if (n->limits.count > MOST_LIMITS) return;
      add_both_sides(n, &n->limits, &step->rows.at[i]);
    }
  }
}

static void add_limits(numeric *n) {
  row_vector rows = {0};
  for (size_t i = 0; i < n->bad.count; i++) {
    for (size_t j = 0; j < powerset_count(n->bad.at[i]); j++) {
      polyhedron_rows(powerset_at(n->bad.at[i], j), &rows);
      for (size_t k = 0; k < rows.count; k++) add_both_sides(n, &n->limits, &rows.at[k]);
    }
  }
  rows_clear(&rows);
}

numeric *numeric_new(const program *p, numeric_style style) {
  numeric *n = MEMORY_NEW(numeric);
  n->program = p;
  for (size_t i = 0; i < p->types.count; i++) VECTOR_PUSH(n->limits, row_copy(&p->types.at[i]));
  find_bad(n);
  if (style.limits) add_limits(n);
  if (style.guard_limits) add_guard_limits(n);
  n->style = (powerset_style){.widening = style.widening,
                              .weak_hull = style.weak_hull,
                              .most_rows = style.most_rows,
                              .most_parts = style.most_parts,
                              .limits = &n->limits,
                              .ties = style.ties,
                              .shape = style.shape};
  n->domain = (domain){
      .context = n,
      .cuts = &p->cuts,
      .top = numeric_top,
      .bottom = numeric_bottom,
      .connect = numeric_connect,
      .widen = numeric_widen,
      .post = numeric_post,
      .pre = numeric_pre,
      .bad = numeric_bad,
      .errs = numeric_errs,
      .describe = numeric_describe,
      .failure = numeric_failure,
  };
  elements_are_powersets(&n->domain);
  return n;
}

void numeric_free(numeric *n) {
  if (!n) return;
  for (size_t i = 0; i < n->bad.count; i++) powerset_free(n->bad.at[i]);
  VECTOR_FREE(n->bad);
  rows_clear(&n->limits);
  memory_free(n);
}

const domain *numeric_domain(const numeric *n) { return &n->domain; }
const powerset_style *numeric_widening(const numeric *n) { return &n->style; }
