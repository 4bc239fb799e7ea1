/* LTL on a listed graph. Every node is taken together with every guess of which X f and f U g hold next; an edge leads
 * to the guesses that agree with what was guessed before. A fair run from a node with a guess under which the formula
 * is false, and on which no f U g waits for ever, breaks the formula. */
#include "proof/check/kripke/kripke.h"

enum { MOST_GUESSES = 12, MOST_PRODUCT = 1 << 25 };

/* Instructions that compute the truth of subformulas, in the order of their numbers. */
typedef struct part_formula {
  temporal_kind kind; /* STATE, NOT, AND, OR, IFF, X, U; the others are made of these */
  term state;
  uint32_t left, right; /* numbers */
  uint32_t guess;       /* X, U: which bit */
} part_formula;

typedef struct product {
  const kripke_question *q;
  VECTOR(part_formula) parts;
  uint32_t guesses;
  bool *truth; /* of each part, for the node and guess at hand */
  kripke *made;
  bits violating; /* product nodes */
} product;

static uint32_t add(product *p, part_formula f) {
  if (f.kind == TEMPORAL_X || f.kind == TEMPORAL_U) f.guess = p->guesses++;
  VECTOR_PUSH(p->parts, f);
  return (uint32_t)p->parts.count - 1;
}

static uint32_t add_not(product *p, uint32_t f) { return add(p, (part_formula){.kind = TEMPORAL_NOT, .left = f}); }

static uint32_t add_two(product *p, temporal_kind kind, uint32_t f, uint32_t g) {
  return add(p, (part_formula){.kind = kind, .left = f, .right = g});
}

static uint32_t add_formula(product *p, const temporal *f) {
  if (f->kind == TEMPORAL_STATE) return add(p, (part_formula){.kind = TEMPORAL_STATE, .state = f->state});
  uint32_t l = add_formula(p, f->left), r = f->right ? add_formula(p, f->right) : 0;
  switch (f->kind) {
    case TEMPORAL_NOT: return add_not(p, l);
    case TEMPORAL_X: return add(p, (part_formula){.kind = TEMPORAL_X, .left = l});
    case TEMPORAL_IMPLIES: return add_two(p, TEMPORAL_OR, add_not(p, l), r);
    case TEMPORAL_F:
      return add_two(p, TEMPORAL_U, add(p, (part_formula){.kind = TEMPORAL_STATE, .state = TERM_TRUE}), l);
    case TEMPORAL_G: {
      uint32_t all = add(p, (part_formula){.kind = TEMPORAL_STATE, .state = TERM_TRUE});
      return add_not(p, add_two(p, TEMPORAL_U, all, add_not(p, l)));
    }
    case TEMPORAL_R: {
      uint32_t not_l = add_not(p, l);
      return add_not(p, add_two(p, TEMPORAL_U, not_l, add_not(p, r)));
    }
    case TEMPORAL_W: { /* f U g, or f for ever: not (not g U neither) */
      uint32_t neither = add_not(p, add_two(p, TEMPORAL_OR, l, r));
      return add_not(p, add_two(p, TEMPORAL_U, add_not(p, r), neither));
    }
    default: return add_two(p, f->kind, l, r);
  }
}

static bool state_value(const product *p, term t, size_t node) {
  return bits_has(p->q->truth(p->q->context, t, true), node);
}

/* The truth of all parts in a node under a guess. */
static void evaluate(product *p, size_t node, uint32_t guess) {
  for (size_t i = 0; i < p->parts.count; i++) {
    const part_formula *f = &p->parts.at[i];
    bool l = p->truth[f->left], r = p->truth[f->right], next = guess >> f->guess & 1;
    switch (f->kind) {
      case TEMPORAL_STATE: p->truth[i] = state_value(p, f->state, node); break;
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
  if (!p->truth[root]) bits_add(&p->violating, at);
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
  p->violating = bits_new(p->made->nodes);
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
    if (bits_has(fair, n) && bits_has(&p->violating, n)) bits_add(&out, n >> p->guesses);
  return out;
}

/* Nodes with a fair run on which `f` is false. */
static bool find_violating(const kripke_question *q, const temporal *f, bits *violating, const char **why) {
  product p = {.q = q};
  uint32_t root = add_formula(&p, f);
  *why = NULL;
  if (p.guesses > MOST_GUESSES || ((uint64_t)(q->graph->nodes + q->graph->edges.count) << p.guesses) > MOST_PRODUCT) {
    *why = "the formula and the graph are too large to be looked at together";
  } else {
    p.truth = MEMORY_ARRAY(bool, p.parts.count);
    make(&p, root);
    bits all = bits_new(p.made->nodes);
    bits_flip(&all);
    bits fair = kripke_fair(p.made, &all, q->budget);
    *violating = project(&p, &fair);
    *why = budget_spent(q->budget);
    if (*why) bits_free(violating);
    bits_free(&all);
    bits_free(&fair);
    bits_free(&p.violating);
    kripke_free(p.made);
    memory_free(p.truth);
  }
  VECTOR_FREE(p.parts);
  return *why == NULL;
}

/* A conjunction is false on a run if a conjunct is: one after the other, each with its own few guesses. */
bool kripke_ask_ltl(const kripke_question *q, bits *violating, const char **why) {
  VECTOR(const temporal *) open = {0};
  bits all = bits_new(q->graph->nodes), one;
  bool fine = true;
  VECTOR_PUSH(open, q->formula);
  while (open.count && fine) {
    const temporal *f = VECTOR_POP(open);
    if (f->kind == TEMPORAL_AND) {
      VECTOR_PUSH(open, f->right);
      VECTOR_PUSH(open, f->left);
      continue;
    }
    fine = find_violating(q, f, &one, why);
    if (!fine) break;
    bits_unite(&all, &one);
    bits_free(&one);
  }
  VECTOR_FREE(open);
  if (fine)
    *violating = all;
  else
    bits_free(&all);
  return fine;
}
