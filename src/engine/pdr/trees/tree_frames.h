/* Frames for Horn clauses with several atoms in a body, and the questions about them.
 *
 * F(p, i) contains all atoms of predicate p that have a derivation tree of height i at most; F(p, 0) is empty. It is the
 * conjunction of the lemmas about p of level i and above. A lemma is the negation of a cube over the parameters of p.
 * From below there are sets of atoms that are sure to be derivable, each a cube too. "False" counts as one more
 * predicate, without parameters, that the queries of the property derive.
 *
 * Each clause has a solver of its own, in which its constraint, lemmas and literals are asserted once; what a question
 * is about is a matter of assumptions. */
#ifndef WHET_ENGINE_PDR_TREES_TREE_FRAMES_H
#define WHET_ENGINE_PDR_TREES_TREE_FRAMES_H

#include "engine/clause_atoms.h"
#include "engine/pdr/frames.h"

/* Atoms that can be derived: by this clause from atoms of these sets. */
typedef struct reached_set {
  uint32_t predicate;
  cube cube;
  uint32_t clause;
  index_vector premises; /* earlier sets, one for each atom of the body */
} reached_set;

typedef struct tree_predicate {
  variable_vector parameters;
  index_vector clauses; /* that derive it */
  lemma_vector lemmas;
  index_vector reached;
  VECTOR(number_vector) points; /* atoms that can be derived, of some of the sets */
} tree_predicate;

/* A lemma as it was once added, for clauses that do not know it yet. */
typedef struct logged_lemma {
  uint32_t predicate;
  term formula;
  size_t level;
} logged_lemma;

typedef struct clause_questions clause_questions;

typedef struct tree_frames {
  engine_environment *env;
  terms *ts;
  const clauses *all;
  VECTOR(tree_predicate) predicates; /* the last one is "false" */
  VECTOR(reached_set) reached;
  VECTOR(logged_lemma) log;
  VECTOR(clause_questions *) questions;
  size_t top;
  uint64_t checks, unsure;
  number_vector values; /* of the last answer that was read, by variable */
} tree_frames;

/* `all` are the clauses of the model, as read or rewritten. */
void tree_frames_open(tree_frames *f, engine_environment *env, const clauses *all);
void tree_frames_close(tree_frames *f);
static inline uint32_t tree_query(const tree_frames *f) { return (uint32_t)f->all->predicates.count; }

/* The lemma that this cube is excluded, up to this level; weaker ones are forgotten. */
void tree_frames_add(tree_frames *f, uint32_t predicate, TAKE cube c, size_t level);
void tree_frames_raise(tree_frames *f, uint32_t predicate, size_t lemma);
bool tree_frames_exclude(const tree_frames *f, uint32_t predicate, const cube *c, size_t level);
/* What the lemmas of this level and above say of the predicate. */
term tree_frames_formula(const tree_frames *f, uint32_t predicate, size_t level);

/* Does the clause derive an atom of the cube from atoms of F(.., level - 1)? Of atoms of the body with `sure` (which may
 * be NULL) only those that are known to be derivable count; with `relative` those of the head's predicate are not in the
 * cube. No: `core`, which may be NULL, gets positions of literals that are enough for that; appended, none twice. */
typedef struct tree_question {
  uint32_t clause;
  const cube *head;
  size_t level;
  const bool *sure;
  bool relative;
} tree_question;
answer tree_ask(tree_frames *f, const tree_question *q, core_names *core);
/* After yes: the values of the clause's variables, to `values`. */
bool tree_read(tree_frames *f, uint32_t clause);
/* The same about all clauses that derive the predicate; no: none does. After another answer `clause` is the one. */
answer tree_ask_all(tree_frames *f, uint32_t predicate, const cube *c, size_t level, bool relative, core_names *core,
                    uint32_t *clause);
/* A formula over the parameters of an atom's predicate, about this atom (engine/clause_atoms.h). */
term tree_at(tree_frames *f, uint32_t clause, size_t atom, term formula);
term tree_cube_at(tree_frames *f, uint32_t clause, size_t atom, const cube *c);

#endif
