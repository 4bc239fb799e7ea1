/* Treats the obligation on top of the stack: is it reached, by atoms that are known to be derivable; can it be reached,
 * as far as frames go; if not, it is met. */
#include "engine/pdr/trees/tree_block.h"

#include "term/evaluate.h"
#include "term/substitute.h"

/* Of each predicate so many derivable atoms are kept as examples. */
enum { MOST_POINTS = 24 };

static void pop(tree_blocking *b) {
  tree_obligation o = VECTOR_POP(b->stack);
  VECTOR_FREE(o.cube);
}

void tree_blocking_clear(tree_blocking *b) {
  while (b->stack.count) pop(b);
  VECTOR_FREE(b->stack);
}

void tree_blocking_begin(tree_blocking *b, uint32_t predicate, const cube *c) {
  tree_obligation made = {.predicate = predicate, .level = b->frames->top};
  for (size_t i = 0; i < c->count; i++) VECTOR_PUSH(made.cube, c->at[i]);
  VECTOR_PUSH(b->stack, made);
}

static tree_end trouble(tree_blocking *b, const char *why) {
  b->trouble = why ? why : "a question could not be decided";
  return TREE_TROUBLE;
}

static const char not_as_asked[] = "an instance of a clause that the solver found is not what was asked for";

/* Atoms around the one that `values` gives, for which the formula holds for some values of the clause's variables. */
static bool project_to(tree_frames *f, uint32_t clause, size_t atom, term formula, cube *out) {
  return clause_atom_project(f->ts, f->all, &f->all->clauses.at[clause], atom, formula, &f->values, out);
}

/* ---- atoms that can be derived ---- */

/* A set of the atom's predicate that has what `values` makes of the atom. */
static bool find_sure(tree_frames *f, uint32_t clause, size_t atom, uint32_t *out) {
  const index_vector *reached = &f->predicates.at[f->all->clauses.at[clause].body.at[atom].predicate].reached;
  for (size_t i = 0; i < reached->count; i++) {
    term inside = tree_cube_at(f, clause, atom, &f->reached.at[reached->at[i]].cube);
    *out = reached->at[i];
    if (!number_is(term_evaluate(f->ts, inside, f->values.at), 0)) return true;
  }
  return false;
}

static void keep_point(tree_frames *f, uint32_t predicate) {
  tree_predicate *p = &f->predicates.at[predicate];
  number_vector point = {0};
  if (p->points.count >= MOST_POINTS) return;
  for (size_t i = 0; i < p->parameters.count; i++) VECTOR_PUSH(point, f->values.at[p->parameters.at[i].x]);
  VECTOR_PUSH(p->points, point);
}

/* What the clause derives from sets of atoms that `values` is in, as one more set. */
static bool add_reached(tree_frames *f, uint32_t clause, uint32_t predicate) {
  const struct clause *c = &f->all->clauses.at[clause];
  reached_set made = {.predicate = predicate, .clause = clause};
  term_vector parts = {0};
  bool fine = true;
  VECTOR_PUSH(parts, c->constraint);
  for (size_t i = 0; fine && i < c->body.count; i++) {
    uint32_t premise = 0;
    fine = find_sure(f, clause, i, &premise);
    VECTOR_PUSH(made.premises, premise);
    if (fine) VECTOR_PUSH(parts, tree_cube_at(f, clause, i, &f->reached.at[premise].cube));
  }
  fine = fine && project_to(f, clause, HEAD_ATOM, term_and_all(f->ts, parts.count, parts.at), &made.cube);
  VECTOR_FREE(parts);
  if (!fine) {
    VECTOR_FREE(made.premises);
    VECTOR_FREE(made.cube);
    return false;
  }
  keep_point(f, predicate);
  VECTOR_PUSH(f->predicates.at[predicate].reached, (uint32_t)f->reached.count);
  VECTOR_PUSH(f->reached, made);
  return true;
}

/* Is an atom of the obligation derived by a clause from atoms that are? Yes: they are one more set. */
static answer ask_reached(tree_blocking *b, const tree_obligation *o) {
  tree_frames *f = b->frames;
  const index_vector *clauses = &f->predicates.at[o->predicate].clauses;
  for (size_t i = 0; i < clauses->count; i++) {
    uint32_t clause = clauses->at[i];
    size_t atoms = f->all->clauses.at[clause].body.count;
    bool *sure = MEMORY_ARRAY(bool, atoms + 1);
    for (size_t j = 0; j < atoms; j++) sure[j] = true;
    answer a = tree_ask(f, &(tree_question){.clause = clause, .head = &o->cube, .level = 1, .sure = sure}, NULL);
    memory_free(sure);
    if (answer_is_yes(a) && !(tree_read(f, clause) && add_reached(f, clause, o->predicate)))
      return answer_unsure(not_as_asked);
    if (!answer_is_no(a)) return a;
  }
  return answer_no();
}

/* ---- one level below ---- */

/* As many atoms of the body as possible are taken from those that are known to be derivable, from the first on; the
 * first other one is the result. */
static answer choose_atom(tree_blocking *b, const tree_obligation *o, uint32_t clause, bool *sure, size_t *chosen) {
  tree_frames *f = b->frames;
  size_t atoms = f->all->clauses.at[clause].body.count;
  tree_question q = {.clause = clause, .head = &o->cube, .level = o->level, .sure = sure};
  *chosen = atoms;
  for (size_t i = 0; i < atoms; i++) {
    sure[i] = true;
    answer a = tree_ask(f, &q, NULL);
    if (answer_is_unsure(a)) return a;
    sure[i] = answer_is_yes(a);
    if (!sure[i] && *chosen == atoms) *chosen = i;
  }
  return tree_ask(f, &q, NULL);
}

static term others_of(tree_frames *f, const tree_obligation *o, uint32_t clause, const bool *sure, size_t chosen,
                      bool *fine) {
  const struct clause *c = &f->all->clauses.at[clause];
  term_vector parts = {0};
  VECTOR_PUSH(parts, c->constraint);
  VECTOR_PUSH(parts, tree_cube_at(f, clause, HEAD_ATOM, &o->cube));
  for (size_t i = 0; i < c->body.count; i++) {
    uint32_t set = 0;
    if (i == chosen) continue;
    if (sure[i] && !find_sure(f, clause, i, &set)) *fine = false;
    if (sure[i] && *fine)
      VECTOR_PUSH(parts, tree_cube_at(f, clause, i, &f->reached.at[set].cube));
    else if (!sure[i])
      VECTOR_PUSH(parts, tree_at(f, clause, i, tree_frames_formula(f, c->body.at[i].predicate, o->level - 1)));
  }
  term all = term_and_all(f->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

static tree_end go_below(tree_blocking *b, uint32_t clause) {
  tree_frames *f = b->frames;
  tree_obligation o = VECTOR_LAST(b->stack);
  const struct clause *c = &f->all->clauses.at[clause];
  bool *sure = MEMORY_ARRAY(bool, c->body.count + 1);
  size_t chosen = 0;
  answer a = choose_atom(b, &o, clause, sure, &chosen);
  bool fine = answer_is_yes(a) && chosen < c->body.count && tree_read(f, clause);
  term others = fine ? others_of(f, &o, clause, sure, chosen, &fine) : TERM_FALSE;
  memory_free(sure);
  if (!fine) return trouble(b, answer_is_unsure(a) ? a.reason : not_as_asked);
  tree_obligation made = {.predicate = c->body.at[chosen].predicate, .level = o.level - 1};
  if (!project_to(f, clause, chosen, others, &made.cube)) {
    VECTOR_FREE(made.cube);
    return trouble(b, not_as_asked);
  }
  VECTOR_PUSH(b->stack, made);
  return TREE_GOES_ON;
}

/* ---- treating one ---- */

static tree_end meet(tree_blocking *b, const core_names *core) {
  tree_frames *f = b->frames;
  tree_obligation o = VECTOR_LAST(b->stack);
  cube lemma = {0};
  tree_generalise(f, o.predicate, o.level, &o.cube, core, &lemma);
  size_t level = o.level;
  while (level < f->top && answer_is_no(tree_ask_all(f, o.predicate, &lemma, level + 1, true, NULL, NULL))) level++;
  tree_frames_add(f, o.predicate, lemma, level);
  pop(b);
  return b->stack.count ? TREE_GOES_ON : TREE_DONE;
}

static tree_end treat(tree_blocking *b) {
  tree_frames *f = b->frames;
  const tree_obligation *o = &VECTOR_LAST(b->stack);
  if (tree_frames_exclude(f, o->predicate, &o->cube, o->level)) {
    pop(b);
    return b->stack.count ? TREE_GOES_ON : TREE_DONE;
  }
  answer a = ask_reached(b, o);
  if (answer_is_unsure(a)) return trouble(b, a.reason);
  if (answer_is_yes(a)) {
    bool is_whole = o->level == f->top;
    pop(b);
    return is_whole ? TREE_REACHED : TREE_GOES_ON;
  }
  core_names core = {0};
  uint32_t clause = 0;
  a = tree_ask_all(f, o->predicate, &o->cube, o->level, false, &core, &clause);
  tree_end end = answer_is_no(a) ? meet(b, &core) : answer_is_yes(a) ? go_below(b, clause) : trouble(b, a.reason);
  VECTOR_FREE(core);
  return end;
}

tree_end tree_block(tree_blocking *b) {
  if (!b->stack.count) return TREE_DONE;
  return treat(b);
}
