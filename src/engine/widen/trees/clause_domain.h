/* The abstract domain of Horn clauses: powersets of polyhedra over the arguments of each predicate. A clause is meet (its constraint with the
 * sets of its body), projection to its head, and join. */
#ifndef WHET_ENGINE_WIDEN_TREES_CLAUSE_DOMAIN_H
#define WHET_ENGINE_WIDEN_TREES_CLAUSE_DOMAIN_H

#include "engine/widen/powerset_elements.h"
#include "engine/widen/refine.h"
#include "engine/widen/trees/clause_graph.h"

typedef struct clause_style {
  const char *name;
  bool directed, by_clause; /* clause_graph.h */
  bool guards;              /* widenings keep what constraints of all clauses say or deny, not only those of queries */
  size_t most_parts;        /* powerset_style, times the length of the turn; 0: no limit */
  size_t delay;             /* so many steps of a run are not widened, times the length of the turn */
} clause_style;

/* The last image along a path, and what it is of. */
typedef struct kept_image {
  VECTOR(element *) of;
  element *image; /* NULL: there is none */
} kept_image;

typedef struct clause_domain {
  domain domain;
  clause_system *system;
  clause_graph graph;
  const clause_style *style;
  widening widening;
  size_t most_parts;
  VECTOR(row_vector) limits; /* by head */
  VECTOR(kept_image) images; /* by path */
  evidence derivation;       /* after an error that is real */
} clause_domain;

/* What the style has times the length of the turn is times `turn`. Ask for `why`, and for polyhedra_failure, afterwards. */
GIVE clause_domain *clause_domain_new(clause_system *s, const clause_style *style, widening how, size_t turn,
                                      const char **why);
void clause_domain_free(TAKE clause_domain *d);

/* The cases of the rule's clause, with its end within `to` (may be NULL) and its sources within these, one by one, until
 * `visit` says that it is enough: true then. What is visited is over the frame of the clause. */
typedef bool instance_visitor(void *context, polyhedron *instances);
bool clause_instances(clause_domain *d, uint32_t path, const polyhedron *to, const powerset *const *sources,
                      instance_visitor *visit, void *context);
/* Only the arguments of the rule's end, or of a source; over the integers, as far as that is known. */
void clause_project(clause_domain *d, uint32_t path, size_t block, polyhedron *instances);

/* clause_close.c: cases of clauses that lead out of what the run has at its end, if they were not found before; no more of them than one run is
 * worth. None: the run is closed under all clauses. NULL, or why it cannot be said. */
KEEP const char *clause_find_cases(clause_domain *d, const run *r, size_t *found);

/* clause_trace.c: from an error back to a step that introduced it, or to a derivation. */
void clause_refine(void *context, const run *r, refinement *out);

#endif
