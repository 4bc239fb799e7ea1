/* Heads first, then the paths of each clause: one for each choice of heads for the atoms of its body. */
#include "engine/widen/trees/clause_graph.h"

enum { MOST_PATHS = 2000 };

typedef struct making {
  clause_graph *g;
  const clause_system *s;
  index_vector *answers; /* by predicate: its heads */
  uint32_t *calls, *by;  /* by predicate: the head of its calls; by clause: the head that it derives */
  const char *why;
} making;

static uint32_t add_head(making *m, uint32_t predicate, bool is_call) {
  VECTOR_PUSH(m->g->heads, (graph_head){predicate, is_call});
  return (uint32_t)(m->g->heads.count - 1);
}

/* ---- heads ---- */

static void add_heads(making *m, bool by_clause) {
  const clause_system *s = m->s;
  add_head(m, clause_query(s), false);
  for (uint32_t p = 0; p < clause_query(s) && m->g->is_directed; p++)
    if (s->matters.at[p]) m->calls[p] = add_head(m, p, true);
  for (uint32_t i = 0; i < s->all->clauses.count; i++) {
    if (!clause_matters(s, i)) continue;
    uint32_t p = clause_head_of(s, &s->all->clauses.at[i]);
    if (!m->answers[p].count || (by_clause && p != clause_query(s))) VECTOR_PUSH(m->answers[p], add_head(m, p, false));
    m->by[i] = VECTOR_LAST(m->answers[p]);
  }
}

/* ---- paths ---- */

typedef struct chosen_sources {
  index_vector heads;
  dimension_vector blocks;
} chosen_sources;

static void add_path(making *m, uint32_t clause, size_t target, uint32_t to, const chosen_sources *c) {
  cut_path path = {.from = c->heads.count ? c->heads.at[0] : 0, .to = to};
  graph_rule rule = {.clause = clause, .target = target};
  for (size_t i = 1; i < c->heads.count; i++) VECTOR_PUSH(path.beside, c->heads.at[i]);
  for (size_t i = 0; i < c->blocks.count; i++) VECTOR_PUSH(rule.sources, c->blocks.at[i]);
  if (!c->heads.count) VECTOR_PUSH(rule.sources, NO_BLOCK);
  VECTOR_PUSH(m->g->cuts.paths, path);
  VECTOR_PUSH(m->g->rules, rule);
  if (m->g->rules.count > MOST_PATHS) m->why = "too many combinations of clauses";
}

/* Heads for the atoms from `atom` on, those before it being chosen. */
static void choose(making *m, uint32_t clause, size_t atom, chosen_sources *chosen) {
  const struct clause *c = &m->s->all->clauses.at[clause];
  if (m->why) return;
  if (atom == c->body.count) {
    add_path(m, clause, 0, m->by[clause], chosen);
    return;
  }
  uint32_t p = c->body.at[atom].predicate;
  if (m->g->is_directed) add_path(m, clause, atom + 1, m->calls[p], chosen);
  for (size_t i = 0; i < m->answers[p].count; i++) {
    VECTOR_PUSH(chosen->heads, m->answers[p].at[i]);
    VECTOR_PUSH(chosen->blocks, atom + 1);
    choose(m, clause, atom + 1, chosen);
    chosen->heads.count--;
    chosen->blocks.count--;
  }
}

static void add_paths(making *m, uint32_t clause) {
  const struct clause *c = &m->s->all->clauses.at[clause];
  chosen_sources chosen = {0};
  if (m->g->is_directed && c->head != NO_PREDICATE) {
    VECTOR_PUSH(chosen.heads, m->calls[c->head]);
    VECTOR_PUSH(chosen.blocks, 0);
  }
  choose(m, clause, 0, &chosen);
  VECTOR_FREE(chosen.heads);
  VECTOR_FREE(chosen.blocks);
}

const char *clause_graph_open(clause_graph *g, const clause_system *s, bool directed, bool by_clause) {
  *g = (clause_graph){.is_directed = directed};
  size_t predicates = clause_query(s) + (size_t)1;
  making m = {.g = g,
              .s = s,
              .answers = MEMORY_ARRAY(index_vector, predicates),
              .calls = MEMORY_ARRAY(uint32_t, predicates),
              .by = MEMORY_ARRAY(uint32_t, s->all->clauses.count + 1)};
  add_heads(&m, by_clause);
  for (uint32_t i = 0; i < s->all->clauses.count; i++)
    if (clause_matters(s, i)) add_paths(&m, i);
  g->cuts.heads = g->heads.count;
  if (!m.why) cuts_arrange(&g->cuts);
  for (size_t i = 0; i < predicates; i++) VECTOR_FREE(m.answers[i]);
  memory_free(m.answers);
  memory_free(m.calls);
  memory_free(m.by);
  return m.why;
}

void clause_graph_close(clause_graph *g) {
  for (size_t i = 0; i < g->rules.count; i++) VECTOR_FREE(g->rules.at[i].sources);
  VECTOR_FREE(g->rules);
  VECTOR_FREE(g->heads);
  cuts_clear(&g->cuts);
}
