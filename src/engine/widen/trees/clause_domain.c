/* The functions of domain.h for clauses: images of rules, and the rows that widenings keep. */
#include "engine/widen/trees/clause_domain.h"

#include "set/grids.h"

enum { MOST_LIMITS = 60, MOST_PROJECTED = 24 };

static size_t dimension_at(const clause_domain *d, uint32_t head) {
  return head ? clause_dimension(d->system, d->graph.heads.at[head].predicate) : 0;
}

static element *clause_bottom(void *context, uint32_t head) {
  clause_domain *d = context;
  return element_of_set(powerset_new(d->system->space, dimension_at(d, head)));
}

static element *clause_top(void *context) {
  clause_domain *d = context;
  powerset *s = powerset_new(d->system->space, 0);
  powerset_add(s, polyhedron_universe(d->system->space, 0));
  return element_of_set(s);
}

static powerset_style style_at(const clause_domain *d, uint32_t head) {
  return (powerset_style){.widening = d->widening, .most_parts = d->most_parts, .limits = &d->limits.at[head]};
}

static element *clause_connect(void *context, uint32_t head, const element *a, const element *b) {
  powerset_style style = style_at(context, head);
  return element_of_set(powerset_connect(element_set(a), element_set(b), &style));
}

static element *clause_widen(void *context, uint32_t head, const element *a, const element *b) {
  powerset_style style = style_at(context, head);
  return element_of_set(powerset_widen(element_set(a), element_set(b), &style));
}

static bool clause_errs(void *context, uint32_t head, const element *e) {
  clause_domain *d = context;
  return head && d->graph.heads.at[head].predicate == clause_query(d->system) && !powerset_is_empty(element_set(e));
}

static const char *clause_failure(void *context) {
  return polyhedra_failure(((clause_domain *)context)->system->space);
}

/* ---- instances ---- */

static const dimension_vector *block_of(const clause_domain *d, uint32_t path, size_t block) {
  return &d->system->steps.at[d->graph.rules.at[path].clause].blocks.at[block];
}

/* Over the integers, if all are. */
static void tighten(clause_domain *d, polyhedron *p) {
  size_t dimension = polyhedron_dimension(p);
  if (polyhedra_keeps_strict(d->system->space) || !dimension) return;
  grid *integers = grid_integers(d->system->space, dimension);
  polyhedron_tighten(p, integers);
  grid_free(integers);
}

typedef struct instance_search {
  clause_domain *d;
  uint32_t path;
  const powerset *const *sources;
  instance_visitor *visit;
  void *context;
} instance_search;

/* The sources from `source` on: each part of each of them. Takes `at`. */
static bool go_through(const instance_search *s, size_t source, TAKE polyhedron *at) {
  const graph_rule *rule = &s->d->graph.rules.at[s->path];
  bool enough = false;
  if (!polyhedron_has_point(at) || clause_failure(s->d)) {
    polyhedron_free(at);
    return false;
  }
  if (source == rule->sources.count) {
    tighten(s->d, at);
    enough = !polyhedron_is_empty(at) && s->visit(s->context, at);
  } else if (rule->sources.at[source] == NO_BLOCK) {
    return go_through(s, source + 1, at);
  } else {
    const dimension_vector *block = block_of(s->d, s->path, rule->sources.at[source]);
    for (size_t i = 0; i < powerset_count(s->sources[source]) && !enough; i++) {
      polyhedron *next = polyhedron_copy(at);
      clause_restrict(next, block, powerset_at(s->sources[source], i));
      enough = go_through(s, source + 1, next);
    }
  }
  polyhedron_free(at);
  return enough;
}

bool clause_instances(clause_domain *d, uint32_t path, const polyhedron *to, const powerset *const *sources,
                      instance_visitor *visit, void *context) {
  const graph_rule *rule = &d->graph.rules.at[path];
  const clause_steps *steps = &d->system->steps.at[rule->clause];
  instance_search s = {.d = d, .path = path, .sources = sources, .visit = visit, .context = context};
  for (size_t i = 0; i < steps->cases.count; i++) {
    polyhedron *at = polyhedron_copy(steps->cases.at[i]);
    if (to) clause_restrict(at, &steps->blocks.at[rule->target], to);
    if (go_through(&s, 0, at)) return true;
  }
  return false;
}

void clause_project(clause_domain *d, uint32_t path, size_t block, polyhedron *instances) {
  const dimension_vector *kept = block_of(d, path, block);
  polyhedron_keep(instances, kept->count, kept->at);
  tighten(d, instances);
}

/* ---- images ---- */

typedef struct imaging {
  clause_domain *d;
  uint32_t path;
  powerset *out;
} imaging;

static bool add_image(void *context, polyhedron *instances) {
  imaging *i = context;
  polyhedron *p = polyhedron_copy(instances);
  clause_project(i->d, i->path, i->d->graph.rules.at[i->path].target, p);
  powerset_add(i->out, p);
  return false;
}

static void forget_image(clause_domain *d, kept_image *k) {
  for (size_t i = 0; i < k->of.count; i++) d->domain.release(k->of.at[i]);
  VECTOR_CLEAR(k->of);
  d->domain.release(k->image);
  k->image = NULL;
}

static bool is_image_of(const kept_image *k, const element *const *sources) {
  if (!k->image) return false;
  for (size_t i = 0; i < k->of.count; i++)
    if (k->of.at[i] != sources[i]) return false;
  return true;
}

static element *clause_post(void *context, uint32_t path, const element *const *sources) {
  clause_domain *d = context;
  kept_image *kept = &d->images.at[path];
  if (is_image_of(kept, sources)) return d->domain.share(kept->image);
  size_t count = d->graph.rules.at[path].sources.count;
  imaging i = {.d = d, .path = path};
  i.out = powerset_new(d->system->space, dimension_at(d, d->graph.cuts.paths.at[path].to));
  VECTOR(const powerset *) sets = {0};
  for (size_t j = 0; j < count; j++) VECTOR_PUSH(sets, element_set(sources[j]));
  clause_instances(d, path, NULL, sets.at, add_image, &i);
  VECTOR_FREE(sets);
  forget_image(d, kept);
  if (clause_failure(d)) return element_of_set(i.out);
  for (size_t j = 0; j < count; j++) VECTOR_PUSH(kept->of, d->domain.share((element *)sources[j]));
  kept->image = element_of_set(i.out);
  return d->domain.share(kept->image);
}

/* ---- limits ---- */

static void add_limit(clause_domain *d, uint32_t head, const linear_row *row, bool negated) {
  const case_frame *f = &d->system->arguments.at[d->graph.heads.at[head].predicate];
  row_vector *out = &d->limits.at[head];
  if (out->count >= MOST_LIMITS) return;
  VECTOR_PUSH(*out, negated ? frame_negation(f, row) : row_copy(row));
  if (!row->equality) return;
  linear_row other = row_copy(row);
  for (size_t i = 0; i < other.count; i++) other.at[i] = number_negate(other.at[i]);
  if (negated) VECTOR_PUSH(*out, frame_negation(f, &other));
  row_clear(&other);
}

/* What a case says of a block, and what if it fails. */
static void add_limits_of(clause_domain *d, uint32_t head, const clause_steps *steps, size_t block, bool also_plain) {
  row_vector rows = {0};
  for (size_t i = 0; i < steps->cases.count; i++) {
    if (polyhedron_dimension(steps->cases.at[i]) > MOST_PROJECTED) continue;
    polyhedron *p = polyhedron_copy(steps->cases.at[i]);
    polyhedron_keep(p, steps->blocks.at[block].count, steps->blocks.at[block].at);
    polyhedron_rows(p, &rows);
    for (size_t j = 0; j < rows.count; j++) {
      add_limit(d, head, &rows.at[j], true);
      if (also_plain) add_limit(d, head, &rows.at[j], false);
    }
    polyhedron_free(p);
  }
  rows_clear(&rows);
}

static void add_limits(clause_domain *d, uint32_t head) {
  const clause_system *s = d->system;
  uint32_t predicate = d->graph.heads.at[head].predicate;
  frame_types(&s->arguments.at[predicate], &d->limits.at[head]);
  for (uint32_t i = 0; i < s->all->clauses.count; i++) {
    const clause *c = &s->all->clauses.at[i];
    if (!clause_matters(s, i) || (c->head != NO_PREDICATE && !d->style->guards)) continue;
    if (clause_head_of(s, c) == predicate) add_limits_of(d, head, &s->steps.at[i], 0, true);
    for (size_t j = 0; j < c->body.count; j++)
      if (c->body.at[j].predicate == predicate) add_limits_of(d, head, &s->steps.at[i], j + 1, d->style->guards);
  }
}

/* ---- making ---- */

clause_domain *clause_domain_new(clause_system *s, const clause_style *style, widening how, size_t turn,
                                 const char **why) {
  clause_domain *d = MEMORY_NEW(clause_domain);
  *d = (clause_domain){.system = s, .style = style, .widening = how, .most_parts = style->most_parts * turn};
  *why = clause_graph_open(&d->graph, s, style->directed, style->by_clause);
  d->domain = (domain){
      .context = d,
      .cuts = &d->graph.cuts,
      .delay = style->delay * turn,
      .top = clause_top,
      .bottom = clause_bottom,
      .connect = clause_connect,
      .widen = clause_widen,
      .post_all = clause_post,
      .errs = clause_errs,
      .failure = clause_failure,
      .refine = clause_refine,
  };
  elements_are_powersets(&d->domain);
  for (uint32_t i = 0; i < d->graph.heads.count; i++) {
    VECTOR_PUSH(d->limits, (row_vector){0});
    if (i && !*why) add_limits(d, i);
  }
  for (size_t i = 0; i < d->graph.rules.count; i++) VECTOR_PUSH(d->images, (kept_image){0});
  return d;
}

void clause_domain_free(clause_domain *d) {
  if (!d) return;
  for (size_t i = 0; i < d->images.count; i++) {
    forget_image(d, &d->images.at[i]);
    VECTOR_FREE(d->images.at[i].of);
  }
  for (size_t i = 0; i < d->limits.count; i++) rows_clear(&d->limits.at[i]);
  VECTOR_FREE(d->images);
  VECTOR_FREE(d->limits);
  evidence_clear(&d->derivation);
  clause_graph_close(&d->graph);
  memory_free(d);
}
