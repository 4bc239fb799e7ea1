/* What the refinement of widening (fixpoint.h, refine.h, repair.h) works on: a graph of cut points and an abstract
 * domain, whatever its elements are.
 *
 * Heads are points that cut every loop; head 0 is the entry, from which everything starts. A path leads from head to
 * head without passing another. Of Horn clauses heads are predicates, and a path may start from several at once. Elements are shared and counted, and never change. Operations may fail, and `failure`
 * then says so until the work begins again: nothing computed since means anything.
 *
 * A domain that cannot compute pre-images has no `pre`, `bad` and `meets`: they are NULL. Errors are then traced forwards
 * (refine_forward.c). One without `meet` has runs that are not met with the one before. One with `refine` traces errors
 * itself. */
#ifndef WHET_ENGINE_WIDEN_DOMAIN_H
#define WHET_ENGINE_WIDEN_DOMAIN_H

#include "base/text.h"
#include "base/vector.h"

typedef struct cut_path {
  uint32_t from, to;       /* heads */
  VECTOR(uint32_t) beside; /* further heads that it starts from */
  bool back;               /* closes a loop: widening happens along it */
} cut_path;

/* Heads that reach each other. */
typedef struct component {
  VECTOR(uint32_t) heads, inner, entering; /* paths within; paths from components before it */
} component;

typedef struct cut_graph {
  size_t heads;
  VECTOR(cut_path) paths;
  VECTOR(component) components;  /* in topological order; the entry is alone in the first */
  VECTOR(uint32_t) component_of; /* by head */
} cut_graph;

typedef struct element element;
struct run;
struct refinement;

typedef struct domain {
  void *context;
  const cut_graph *cuts;
  size_t delay;                                     /* up to this step of a component nothing is widened */
  element *(*top)(void *context);                   /* GIVE */
  element *(*bottom)(void *context, uint32_t head); /* GIVE */
  element *(*share)(element *a);                    /* GIVE */
  void (*release)(element *a);                      /* TAKE */
  bool (*is_empty)(const element *a);
  bool (*within)(const element *a, const element *b);   /* a |-P b */
  bool (*precedes)(const element *a, const element *b); /* Egli and Milner */
  bool (*meets)(const element *a, const element *b);
  element *(*join)(void *context, const element *a, const element *b); /* exact; GIVE, as all below */
  element *(*meet)(void *context, const element *a, const element *b);
  element *(*connect)(void *context, uint32_t head, const element *a, const element *b); /* [+], if a is within b */
  element *(*widen)(void *context, uint32_t head, const element *a, const element *b);   /* if a is within b */
  element *(*post)(void *context, uint32_t path, const element *a);
  /* In place of `post`, if paths have `beside`: what `from` and those hold. */
  element *(*post_all)(void *context, uint32_t path, const element *const *sources);
  element *(*pre)(void *context, uint32_t path, const element *a);
  element *(*bad)(void *context, uint32_t head); /* from which an error is reached without passing another head */
  bool (*errs)(void *context, uint32_t head, const element *a); /* some of its states are such */
  void (*measure)(const element *a, size_t *disjuncts, size_t *constraints);
  void (*describe)(void *context, const element *a, text *out); /* as a formula; NULL: it cannot */
  const char *(*failure)(void *context);                        /* NULL while all is well */
  /* In place of refine.c, or NULL. The run has an error, and steps are joint. */
  void (*refine)(void *context, const struct run *r, struct refinement *out);
} domain;

/* Fills `components` and `component_of` and the `back` of paths; `paths` and `heads` are there, heads numbered as a
 * depth-first walk meets them. */
void cuts_arrange(cut_graph *c);
void cuts_clear(cut_graph *c); /* what it holds */

#endif
