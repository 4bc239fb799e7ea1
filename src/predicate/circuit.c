/* Builds gates from a formula and evaluates them in three values. */
#include "predicate/circuit.h"

#include "term/fold.h"

typedef struct gate {
  term_kind kind;
  uint32_t leaf;         /* of an atom */
  uint32_t first, count; /* arguments, in `arguments` */
} gate;

typedef VECTOR(uint32_t) wire_vector; /* 2 * gate + negated */

struct circuit {
  VECTOR(gate) gates; /* arguments before those that use them */
  wire_vector arguments, roots;
  term_vector leaves;
  uint8_t *values; /* of each gate */
};

static bool is_connective(term_kind k) {
  return k == TERM_CONSTANT_TRUE || k == TERM_AND || k == TERM_IFF || k == TERM_BOOL_ITE;
}

static uint32_t wire_of(const term_fold *f, term t) { return 2 * FOLD_VALUE(uint32_t, f, t) + term_is_negated(t); }

/* The gate of a boolean term. */
static void make_gate(const term_fold *f, term t, void *out) {
  circuit *c = f->context;
  if (term_sort(f->ts, t) != SORT_BOOL) return;
  gate g = {.kind = term_kind_of(f->ts, t), .first = (uint32_t)c->arguments.count};
  if (is_connective(g.kind)) {
    for (size_t i = 0; i < term_arguments(f->ts, t); i++)
      VECTOR_PUSH(c->arguments, wire_of(f, term_argument(f->ts, t, i)));
    g.count = (uint32_t)(c->arguments.count - g.first);
  } else {
    g.leaf = (uint32_t)c->leaves.count;
    VECTOR_PUSH(c->leaves, t);
  }
  *(uint32_t *)out = (uint32_t)c->gates.count;
  VECTOR_PUSH(c->gates, g);
}

circuit *circuit_new(const terms *ts, size_t count, const term *roots) {
  circuit *c = MEMORY_NEW(circuit);
  term_fold f = {.ts = ts, .size = sizeof(uint32_t), .rule = make_gate, .context = c};
  term_fold_prepare(&f, count, roots);
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(c->roots, wire_of(&f, roots[i]));
  c->values = MEMORY_ARRAY(uint8_t, c->gates.count + 1);
  term_fold_close(&f);
  return c;
}

void circuit_free(circuit *c) {
  if (!c) return;
  VECTOR_FREE(c->gates);
  VECTOR_FREE(c->arguments);
  VECTOR_FREE(c->roots);
  VECTOR_FREE(c->leaves);
  memory_free(c->values);
  memory_free(c);
}

size_t circuit_leaves(const circuit *c) { return c->leaves.count; }
term circuit_leaf(const circuit *c, size_t leaf) { return c->leaves.at[leaf]; }

static truth on_wire(const circuit *c, uint32_t wire) {
  truth t = c->values[wire / 2];
  return t == TRUTH_OPEN ? t : (truth)(t ^ (wire & 1));
}

static truth value_of_and(const circuit *c, const gate *g) {
  truth all = TRUTH_YES;
  for (uint32_t i = 0; i < g->count; i++) {
    truth t = on_wire(c, c->arguments.at[g->first + i]);
    if (t == TRUTH_NO) return TRUTH_NO;
    if (t == TRUTH_OPEN) all = TRUTH_OPEN;
  }
  return all;
}

static truth value_of(const circuit *c, const gate *g, const uint8_t *leaves) {
  const uint32_t *in = c->arguments.at + g->first;
  switch (g->kind) {
    case TERM_CONSTANT_TRUE: return TRUTH_YES;
    case TERM_AND: return value_of_and(c, g);
    case TERM_IFF: {
      truth a = on_wire(c, in[0]), b = on_wire(c, in[1]);
      return a == TRUTH_OPEN || b == TRUTH_OPEN ? TRUTH_OPEN : a == b ? TRUTH_YES : TRUTH_NO;
    }
    case TERM_BOOL_ITE: {
      truth when = on_wire(c, in[0]), a = on_wire(c, in[1]), b = on_wire(c, in[2]);
      return when == TRUTH_OPEN ? (a == b ? a : TRUTH_OPEN) : when == TRUTH_YES ? a : b;
    }
    default: return (truth)leaves[g->leaf];
  }
}

void circuit_evaluate(circuit *c, const uint8_t *leaves) {
  for (size_t i = 0; i < c->gates.count; i++) c->values[i] = (uint8_t)value_of(c, &c->gates.at[i], leaves);
}

truth circuit_root(const circuit *c, size_t root) { return on_wire(c, c->roots.at[root]); }

size_t circuit_open_leaf(const circuit *c, size_t root) {
  uint32_t at = c->roots.at[root] / 2;
  for (;;) { /* an open gate has an open argument; of a choice with an open condition, that comes first */
    const gate *g = &c->gates.at[at];
    REQUIRE(c->values[at] == TRUTH_OPEN, "an open root");
    if (!is_connective(g->kind)) return g->leaf;
    uint32_t i = 0;
    if (g->kind == TERM_BOOL_ITE && on_wire(c, c->arguments.at[g->first]) != TRUTH_OPEN)
      i = on_wire(c, c->arguments.at[g->first]) == TRUTH_YES ? 1 : 2;
    else
      while (on_wire(c, c->arguments.at[g->first + i]) != TRUTH_OPEN) i++;
    at = c->arguments.at[g->first + i] / 2;
  }
}
