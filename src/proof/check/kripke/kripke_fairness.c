/* Fairness conditions that are formulas, on sets of nodes.
 *
 * A strongly connected set C is stayed in by some run that visits all of it. Where the formula is false of C, a part of C may still do: one
 * that misses an atom below a negation, for all others only help. If the formula has one such atom, the nodes of that atom are taken out, as for a
 * strong constraint. If it has several, which of them are missed is tried in all combinations (kripke.c): the fair set that misses exactly
 * these lies in a component of what is left, and of that component the formula is true too. */
#include "proof/check/kripke/kripke.h"

static void add_atoms(const kripke *g, kripke_constraint *c, const temporal *f) {
  if (f->kind == TEMPORAL_INF || f->kind == TEMPORAL_INF_NEXT) {
    kripke_often made = {f, bits_new(g->nodes), bits_new(g->nodes)};
    VECTOR_PUSH(c->atoms, made);
    return;
  }
  if (f->left) add_atoms(g, c, f->left);
  if (f->right) add_atoms(g, c, f->right);
}

void kripke_set_formula(const kripke *g, kripke_constraint *c, const temporal *formula) {
  c->formula = formula;
  add_atoms(g, c, formula);
}

static const kripke_often *find_atom(const kripke_constraint *c, const temporal *f) {
  size_t i = 0;
  while (c->atoms.at[i].atom != f) i++;
  return &c->atoms.at[i];
}

/* ---- atoms below a negation ---- */

static void add_choice(kripke_choices *out, const kripke_often *a) {
  for (size_t i = 0; i < out->count; i++)
    if (out->at[i] == a) return;
  VECTOR_PUSH(*out, a);
}

static void add_negated(const kripke_constraint *c, const temporal *f, bool value, kripke_choices *out) {
  bool flips = f->kind == TEMPORAL_NOT || f->kind == TEMPORAL_IMPLIES;
  if (f->kind == TEMPORAL_INF || f->kind == TEMPORAL_INF_NEXT) {
    if (!value) add_choice(out, find_atom(c, f));
    return;
  }
  add_negated(c, f->left, value != flips, out);
  if (f->right) add_negated(c, f->right, value, out);
  if (f->kind != TEMPORAL_IFF) return;
  add_negated(c, f->left, !value, out);
  add_negated(c, f->right, !value, out);
}

bool kripke_find_choices(const kripke *g, kripke_choices *out) {
  for (size_t i = 0; i < g->constraints.count; i++) {
    const kripke_constraint *c = &g->constraints.at[i];
    kripke_choices own = {0};
    if (c->formula) add_negated(c, c->formula, true, &own);
    for (size_t j = 0; j < own.count && own.count > 1; j++) add_choice(out, own.at[j]);
    VECTOR_FREE(own);
  }
  return out->count <= KRIPKE_MOST_CHOICES;
}

const kripke_often *kripke_only_negated(const kripke_constraint *c) {
  kripke_choices all = {0};
  add_negated(c, c->formula, true, &all);
  const kripke_often *only = all.count == 1 ? all.at[0] : NULL;
  VECTOR_FREE(all);
  return only;
}

/* ---- its truth ---- */

typedef struct visited {
  const kripke_constraint *constraint;
  size_t count;
  const uint32_t *nodes;
} visited;

static bool meets(const visited *v, const bits *set) {
  for (size_t i = 0; i < v->count; i++)
    if (bits_has(set, v->nodes[i])) return true;
  return false;
}

/* Can `f` have the value? */
static bool can_be(const visited *v, const temporal *f, bool value) {
  const temporal *l = f->left, *r = f->right;
  switch (f->kind) {
    case TEMPORAL_NOT: return can_be(v, l, !value);
    case TEMPORAL_AND:
      return value ? can_be(v, l, true) && can_be(v, r, true) : can_be(v, l, false) || can_be(v, r, false);
    case TEMPORAL_OR:
      return value ? can_be(v, l, true) || can_be(v, r, true) : can_be(v, l, false) && can_be(v, r, false);
    case TEMPORAL_IMPLIES:
      return value ? can_be(v, l, false) || can_be(v, r, true) : can_be(v, l, true) && can_be(v, r, false);
    case TEMPORAL_IFF:
      return (can_be(v, l, true) && can_be(v, r, value)) || (can_be(v, l, false) && can_be(v, r, !value));
    default: {
      const kripke_often *a = find_atom(v->constraint, f);
      return value ? meets(v, &a->maybe) : !meets(v, &a->surely);
    }
  }
}

bool kripke_formula_is_met(const kripke_constraint *c, size_t count, const uint32_t *nodes) {
  return can_be(&(visited){c, count, nodes}, c->formula, true);
}
