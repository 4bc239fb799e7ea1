/* Formulas about runs on a listed graph. Every node is taken together with every guess of which X f and f U g hold next; an edge leads
 * to the guesses that agree with what was guessed before. A fair run from a node with a guess under which the formula is as wanted, and
 * on which no f U g waits for ever, shows that some run is so.
 *
 * The leaves are sets of nodes: where a formula that is true or false of states surely has the value that is of use there. Negations
 * are moved down to them first, so that the formula only asks that nodes are in these sets, never that they are not: what a run is
 * found to be it is, also if a set lacks nodes because the graph shows only a part. */
#include "proof/check/kripke/kripke.h"

enum { MOST_GUESSES = 12, MOST_PRODUCT = 1 << 25, MOST_PARTS = 1 << 12 };

/* Instructions that compute the truth of subformulas, in the order of their numbers. */
typedef struct part_formula {
  temporal_kind kind;   /* STATE, NOT, AND, OR, IFF, X, U; the others are made of these */
  uint32_t set;         /* STATE: which of the leaves */
  uint32_t left, right; /* numbers */
  uint32_t guess;       /* X, U: which bit */
} part_formula;

typedef struct product {
  const kripke_question *q;
  kripke_states *states_of;
  void *context;
  VECTOR(part_formula) parts;
  VECTOR(bits) leaves;
  uint32_t guesses;
  bool *truth; /* of each part, for the node and guess at hand */
  kripke *made;
  bits starts; /* product nodes where the formula is as wanted */
} product;

static uint32_t add(product *p, part_formula f) {
  if (p->parts.count >= MOST_PARTS) return 0;
  if (f.kind == TEMPORAL_X || f.kind == TEMPORAL_U) f.guess = p->guesses++;
  VECTOR_PUSH(p->parts, f);
  return (uint32_t)p->parts.count - 1;
}

static uint32_t add_not(product *p, uint32_t f) { return add(p, (part_formula){.kind = TEMPORAL_NOT, .left = f}); }

static uint32_t add_two(product *p, temporal_kind kind, uint32_t f, uint32_t g) {
  return add(p, (part_formula){.kind = kind, .left = f, .right = g});
}

static uint32_t add_leaf(product *p, TAKE bits set) {
  VECTOR_PUSH(p->leaves, set);
  return add(p, (part_formula){.kind = TEMPORAL_STATE, .set = (uint32_t)p->leaves.count - 1});
}

static uint32_t add_all(product *p) {
  bits all = bits_new(p->q->graph->nodes);
  bits_flip(&all);
  return add_leaf(p, all);
}

static uint32_t add_formula(product *p, const temporal *f, bool wanted);

/* f <=> g is as wanted. Where all is known `f` is false if it is not true; else it is asked for as well. */
static uint32_t add_equivalence(product *p, const temporal *f, bool wanted) {
  uint32_t l = add_formula(p, f->left, true), r = add_formula(p, f->right, wanted);
  if (!p->q->is_partial) return add_two(p, TEMPORAL_IFF, l, r);
  uint32_t not_l = add_formula(p, f->left, false), other = add_formula(p, f->right, !wanted);
  return add_two(p, TEMPORAL_OR, add_two(p, TEMPORAL_AND, l, r), add_two(p, TEMPORAL_AND, not_l, other));
}

/* l U r, and l R r = not (not l U not r). */
static uint32_t add_until(product *p, bool is_release, uint32_t l, uint32_t r) {
  if (!is_release) return add_two(p, TEMPORAL_U, l, r);
  uint32_t not_l = add_not(p, l), not_r = add_not(p, r);
  return add_not(p, add_two(p, TEMPORAL_U, not_l, not_r));
}

/* `l` and `r`: the operands, as wanted. !(f U g) = !f R !g; f W g = g R (f or g). */
static uint32_t add_operator(product *p, temporal_kind kind, bool wanted, uint32_t l, uint32_t r) {
  switch (kind) {
    case TEMPORAL_X: return add(p, (part_formula){.kind = TEMPORAL_X, .left = l});
    case TEMPORAL_F: return add_until(p, !wanted, wanted ? add_all(p) : add_not(p, add_all(p)), l);
    case TEMPORAL_G: return add_until(p, wanted, wanted ? add_not(p, add_all(p)) : add_all(p), l);
    case TEMPORAL_U: return add_until(p, !wanted, l, r);
    case TEMPORAL_R: return add_until(p, wanted, l, r);
    default: /* TEMPORAL_W */ return add_until(p, wanted, r, add_two(p, wanted ? TEMPORAL_OR : TEMPORAL_AND, l, r));
  }
}

/* Where `f` is as wanted: the number of the part. Once there are too many of them, any number. */
static uint32_t add_formula(product *p, const temporal *f, bool wanted) {
  if (p->parts.count >= MOST_PARTS || p->guesses > MOST_GUESSES) return 0;
  if (temporal_is_of_states(f)) return add_leaf(p, p->states_of(p->context, f, wanted));
  if (f->kind == TEMPORAL_NOT) return add_formula(p, f->left, !wanted);
  if (f->kind == TEMPORAL_IFF) return add_equivalence(p, f, wanted);
  uint32_t l = add_formula(p, f->left, f->kind == TEMPORAL_IMPLIES ? !wanted : wanted);
  uint32_t r = f->right ? add_formula(p, f->right, wanted) : 0;
  switch (f->kind) {
    case TEMPORAL_AND: return add_two(p, wanted ? TEMPORAL_AND : TEMPORAL_OR, l, r);
    case TEMPORAL_OR:
    case TEMPORAL_IMPLIES: return add_two(p, wanted ? TEMPORAL_OR : TEMPORAL_AND, l, r);
    default: return add_operator(p, f->kind, wanted, l, r);
  }
}

/* The truth of all parts in a node under a guess. */
static void evaluate(product *p, size_t node, uint32_t guess) {
  for (size_t i = 0; i < p->parts.count; i++) {
    const part_formula *f = &p->parts.at[i];
    bool l = p->truth[f->left], r = p->truth[f->right], next = guess >> f->guess & 1;
    switch (f->kind) {
      case TEMPORAL_STATE: p->truth[i] = bits_has(&p->leaves.at[f->set], node); break;
      case TEMPORAL_NOT: p->truth[i] = !l; break;
      case TEMPORAL_AND: p->truth[i] = l && r; break;
      case TEMPORAL_OR: p->truth[i] = l || r; break;
      case TEMPORAL_IFF: p->truth[i] = l == r; break;
      case TEMPORAL_X: p->truth[i] = next; break;
      default: p->truth[i] = r || (l && next); break; /* TEMPORAL_U */
    }
  }
}

/* What a guess made one step before must have been. */
static uint32_t guess_before(const product *p) {
  uint32_t guess = 0;
  for (size_t i = 0; i < p->parts.count; i++) {
    const part_formula *f = &p->parts.at[i];
    if (f->kind == TEMPORAL_X && p->truth[f->left]) guess |= UINT32_C(1) << f->guess;
    if (f->kind == TEMPORAL_U && p->truth[i]) guess |= UINT32_C(1) << f->guess;
  }
  return guess;
}

static uint32_t product_node(const product *p, size_t node, uint32_t guess) {
  return (uint32_t)(node << p->guesses | guess);
}

static void copy_formula(product *p, const kripke_constraint *from, kripke_constraint *to) {
  kripke_set_formula(p->made, to, from->formula);
  for (size_t i = 0; i < to->atoms.count; i++)
    for (size_t n = 0; n < p->made->nodes; n++) {
      if (bits_has(&from->atoms.at[i].maybe, n >> p->guesses)) bits_add(&to->atoms.at[i].maybe, n);
      if (bits_has(&from->atoms.at[i].surely, n >> p->guesses)) bits_add(&to->atoms.at[i].surely, n);
    }
}

/* Constraints of the graph, then one for each U. */
static void add_constraints(product *p) {
  const kripke *g = p->q->graph;
  for (size_t i = 0; i < g->constraints.count; i++) {
    const kripke_constraint *from = &g->constraints.at[i];
    kripke_constraint *to = kripke_add_constraint(p->made);
    to->is_strong = from->is_strong;
    if (from->formula) {
      copy_formula(p, from, to);
      continue;
    }
    for (size_t j = 0; j < from->group.count; j++) VECTOR_PUSH(to->group, from->group.at[j]);
    for (size_t n = 0; n < p->made->nodes; n++) {
      if (bits_has(&from->seen, n >> p->guesses)) bits_add(&to->seen, n);
      if (bits_has(&from->wanted, n >> p->guesses)) bits_add(&to->wanted, n);
    }
  }
  for (size_t i = 0; i < p->parts.count; i++)
    if (p->parts.at[i].kind == TEMPORAL_U) kripke_add_constraint(p->made);
}

/* Notes what the guess at hand satisfies; its truth is computed. */
static void note_node(product *p, uint32_t at, uint32_t root) {
  size_t next = p->q->graph->constraints.count;
  if (p->truth[root]) bits_add(&p->starts, at);
  for (size_t i = 0; i < p->parts.count; i++) {
    if (p->parts.at[i].kind != TEMPORAL_U) continue;
    if (!p->truth[i] || p->truth[p->parts.at[i].right]) bits_add(&p->made->constraints.at[next].seen, at);
    next++;
  }
}

static void make(product *p, uint32_t root) {
  const kripke *g = p->q->graph;
  uint32_t guesses = UINT32_C(1) << p->guesses;
  p->made = kripke_new(g->nodes << p->guesses);
  p->starts = bits_new(p->made->nodes);
  add_constraints(p);
  for (size_t n = 0; n < g->nodes && !budget_spent(p->q->budget); n++)
    for (uint32_t guess = 0; guess < guesses; guess++) {
      uint32_t at = product_node(p, n, guess);
      evaluate(p, n, guess);
      note_node(p, at, root);
      uint32_t earlier = guess_before(p);
      for (size_t i = g->backward_first[n]; i < g->backward_first[n + 1]; i++) {
        const kripke_edge *e = &g->edges.at[g->backward[i]];
        kripke_add_edge(p->made, product_node(p, e->from, earlier), e->label, at);
      }
    }
  kripke_sort(p->made);
}

static bits project(product *p, const bits *fair) {
  bits out = bits_new(p->q->graph->nodes);
  for (size_t n = 0; n < p->made->nodes; n++)
    if (bits_has(fair, n) && bits_has(&p->starts, n)) bits_add(&out, n >> p->guesses);
  return out;
}

static const char *look(product *p, uint32_t root, bits *out) {
  const kripke *g = p->q->graph;
  if (p->parts.count >= MOST_PARTS || p->guesses > MOST_GUESSES ||
      ((uint64_t)(g->nodes + g->edges.count) << p->guesses) > MOST_PRODUCT)
    return "the formula and the graph are too large to be looked at together";
  p->truth = MEMORY_ARRAY(bool, p->parts.count);
  make(p, root);
  bits all = bits_new(p->made->nodes);
  bits_flip(&all);
  bits fair = kripke_fair(p->made, &all, p->q->budget);
  bits found = project(p, &fair);
  bits_unite(out, &found);
  bits_free(&found);
  bits_free(&all);
  bits_free(&fair);
  bits_free(&p->starts);
  kripke_free(p->made);
  memory_free(p->truth);
  return budget_spent(p->q->budget);
}

/* One of two is as wanted: what is true of some run is looked for one after the other, each with its own few guesses. */
static bool is_choice(const temporal *f, bool wanted) {
  return !temporal_is_of_states(f) &&
         (f->kind == TEMPORAL_IMPLIES || f->kind == TEMPORAL_OR ? wanted : f->kind == TEMPORAL_AND && !wanted);
}

static const char *add_runs(const product *blank, const temporal *f, bool wanted, bits *out) {
  while (f->kind == TEMPORAL_NOT) {
    f = f->left;
    wanted = !wanted;
  }
  if (is_choice(f, wanted)) {
    const char *why = add_runs(blank, f->left, f->kind == TEMPORAL_IMPLIES ? !wanted : wanted, out);
    return why ? why : add_runs(blank, f->right, wanted, out);
  }
  product p = *blank;
  uint32_t root = add_formula(&p, f, wanted);
  const char *why = look(&p, root, out);
  for (size_t i = 0; i < p.leaves.count; i++) bits_free(&p.leaves.at[i]);
  VECTOR_FREE(p.leaves);
  VECTOR_FREE(p.parts);
  return why;
}

bits kripke_with_run(const kripke_question *q, const temporal *f, bool wanted, kripke_states *states_of, void *context,
                     const char **why) {
  product blank = {.q = q, .states_of = states_of, .context = context};
  bits out = bits_new(q->graph->nodes);
  *why = add_runs(&blank, f, wanted, &out);
  return out;
}
