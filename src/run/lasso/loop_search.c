/* The product is searched breadth first for the way to each node; its strongly connected parts (Tarjan) say where loops can be; from each node of
 * one, nearest first, breadth first for a way back that comes by all that it must come by. What it has come by is a set of bits. */
#include "run/lasso/loop_search.h"

#include "base/work.h"

enum { MOST_PARTS = 60, MOST_STATES = 4096, PRODUCT_BITS = 18, SEARCH_BITS = 22, MOST_BITS = 12 };
enum { MOST_TRIED = 4000000, TRIED_A_UNIT = 64 };
#define NO_NODE UINT32_MAX

typedef struct formula_part {
  temporal_kind kind; /* of CTL too: that of LTL instead */
  size_t left, right; /* parts */
  term state;
} formula_part;

typedef struct product_step {
  uint32_t step, to; /* of the graph, or LOOP_IDLES; a node */
} product_step;

struct loop_search {
  const near_graph *graph;
  formula_part parts[MOST_PARTS]; /* operands before what they are in */
  size_t count, operators;
  size_t operator_at[MOST_BITS]; /* the temporal ones among the parts */
  uint64_t *labels;              /* by state: the parts that hold there, of those that are state formulas */
  uint64_t *truth;               /* by node: the parts that hold */
  uint32_t *seen;                /* by node: bits of what a run comes by in it */
  uint32_t *seen_by;             /* by transition: the same */
  size_t bits, nodes;
  uint32_t needed, strong,
      strong_taken; /* all of `needed`; of each of `strong` the next bit, which is of `strong_taken`, too */
  bool without_stays;
  size_t tried;
  uint32_t *distance, *before, *by; /* by node: from the first ones on */
  uint32_t *component;              /* by node; 0: none that has a loop */
  uint32_t *first;                  /* by node: the first of its steps, and how many, once it is reached */
  uint32_t *step_count;
  VECTOR(uint32_t) order; /* nodes that are reached, nearest first */
  VECTOR(product_step) steps;
};

/* ---- the formula ---- */

static temporal_kind kind_on_a_run(temporal_kind k) {
  switch (k) {
    case TEMPORAL_AX: return TEMPORAL_X;
    case TEMPORAL_AF: return TEMPORAL_F;
    case TEMPORAL_AG: return TEMPORAL_G;
    case TEMPORAL_AU: return TEMPORAL_U;
    default: return k;
  }
}

/* The position of the part; SIZE_MAX if it cannot be treated. */
static size_t add_part(loop_search *s, const temporal *f) {
  if (f->kind == TEMPORAL_A) return add_part(s, f->left); /* the run that breaks it is this one */
  formula_part made = {.kind = kind_on_a_run(f->kind), .state = f->state};
  bool is_operator = made.kind >= TEMPORAL_X && made.kind <= TEMPORAL_W;
  if (made.kind > TEMPORAL_IFF && !is_operator) return SIZE_MAX;
  if (f->left && (made.left = add_part(s, f->left)) == SIZE_MAX) return SIZE_MAX;
  if (f->right && (made.right = add_part(s, f->right)) == SIZE_MAX) return SIZE_MAX;
  if (s->count == MOST_PARTS || (is_operator && s->operators == MOST_BITS)) return SIZE_MAX;
  if (is_operator) s->operator_at[s->operators++] = s->count;
  s->parts[s->count] = made;
  return s->count++;
}

static bool has(uint64_t truth, size_t part) { return truth >> part & 1; }

static uint64_t truth_at(const loop_search *s, uint64_t labels, uint32_t choice) {
  uint64_t truth = labels;
  for (size_t i = 0, next = 0; i < s->count; i++) {
    const formula_part *p = &s->parts[i];
    bool a = has(truth, p->left), b = has(truth, p->right), value = false;
    switch (p->kind) {
      case TEMPORAL_STATE: continue;
      case TEMPORAL_NOT: value = !a; break;
      case TEMPORAL_AND: value = a && b; break;
      case TEMPORAL_OR: value = a || b; break;
      case TEMPORAL_IMPLIES: value = !a || b; break;
      case TEMPORAL_IFF: value = a == b; break;
      default: value = choice >> next++ & 1;
    }
    if (value) truth |= UINT64_C(1) << i;
  }
  return truth;
}

/* Do the nodes agree with what the operators mean? */
static bool is_joined(const loop_search *s, uint64_t now, uint64_t next) {
  for (size_t i = 0; i < s->operators; i++) {
    size_t at = s->operator_at[i];
    const formula_part *p = &s->parts[at];
    bool a = has(now, p->left), b = has(now, p->right), later = has(next, at), value;
    switch (p->kind) {
      case TEMPORAL_X: value = has(next, p->left); break;
      case TEMPORAL_F: value = a || later; break;
      case TEMPORAL_G: value = a && later; break;
      case TEMPORAL_R: value = b && (a || later); break;
      default: value = b || (a && later);
    }
    if (value != has(now, at)) return false;
  }
  return true;
}

/* What must be so infinitely often. */
static bool is_kept(const loop_search *s, uint64_t now, size_t at) {
  const formula_part *p = &s->parts[at];
  bool a = has(now, p->left), b = has(now, p->right), value = has(now, at);
  switch (p->kind) {
    case TEMPORAL_F: return a || !value;
    case TEMPORAL_U: return b || !value;
    case TEMPORAL_G: return !a || value;
    case TEMPORAL_W: return value || (!a && !b);
    case TEMPORAL_R: return value || !b;
    default: return true;
  }
}

static size_t bits_of_fairness(const model *m) {
  size_t bits = 0;
  for (size_t i = 0; i < m->fairness.count; i++) bits += m->fairness.at[i].kind == FAIR_STRONG ? 2 : 1;
  return bits;
}

size_t loop_search_most_states(const model *m, const temporal *f) {
  loop_search s = {0};
  size_t fair = bits_of_fairness(m);
  if (add_part(&s, f) == SIZE_MAX || s.operators + fair > MOST_BITS) return 0;
  if (2 * s.operators + fair > SEARCH_BITS) return 0;
  size_t most = (size_t)1 << (PRODUCT_BITS - s.operators), fits = (size_t)1 << (SEARCH_BITS - 2 * s.operators - fair);
  most = fits < most ? fits : most;
  return most < MOST_STATES ? most : MOST_STATES;
}

/* ---- the product ---- */

static uint32_t state_of(const loop_search *s, uint32_t node) { return node >> s->operators; }

static void label_states(loop_search *s) {
  const near_graph *g = s->graph;
  for (size_t i = 0; i < s->count; i++) {
    if (s->parts[i].kind != TEMPORAL_STATE) continue;
    state_condition *c = state_condition_new(g->model, s->parts[i].state);
    for (size_t k = 0; k < g->count; k++)
      if (state_condition_holds(c, near_graph_state(g, k)) > 0) s->labels[k] |= UINT64_C(1) << i;
    state_condition_free(c);
  }
}

/* One of the transitions can be taken, or may be able to. */
static bool may_take(const near_graph *g, const fairness *f, size_t state) {
  if (!near_graph_is_known(g, state)) return true;
  for (size_t i = g->first.at[state]; i < g->first.at[state + 1]; i++)
    for (size_t k = 0; k < f->transitions.count; k++)
      if (g->steps.at[i].transition == f->transitions.at[k]) return true;
  return false;
}

static void note_seen(loop_search *s, size_t state, uint32_t bit) {
  for (size_t i = 0; i < (size_t)1 << s->operators; i++) s->seen[(state << s->operators) + i] |= bit;
}

static void add_constraint(loop_search *s, const fairness *f) {
  const near_graph *g = s->graph;
  uint32_t bit = 1u << s->bits, taken = f->kind == FAIR_STRONG ? bit << 1 : bit;
  state_condition *c = f->kind == FAIR_STATE ? state_condition_new(g->model, f->state) : NULL;
  for (size_t i = 0; i < g->count; i++) {
    bool is_seen = c                        ? state_condition_holds(c, near_graph_state(g, i)) > 0
                   : f->kind == FAIR_STRONG ? may_take(g, f, i)
                                            : !may_take(g, f, i);
    if (is_seen) note_seen(s, i, bit);
  }
  for (size_t i = 0; i < f->transitions.count && !c; i++) s->seen_by[f->transitions.at[i]] |= taken;
  state_condition_free(c);
  s->bits += f->kind == FAIR_STRONG ? 2 : 1;
  if (f->kind == FAIR_STRONG)
    s->strong |= bit, s->strong_taken |= taken;
  else
    s->needed |= bit;
}

loop_search *loop_search_new(const near_graph *g, const temporal *f) {
  loop_search *s = MEMORY_NEW(loop_search);
  *s = (loop_search){.graph = g};
  REQUIRE(add_part(s, f) != SIZE_MAX, "a formula that can be treated");
  s->nodes = g->count << s->operators;
  s->labels = MEMORY_ARRAY(uint64_t, g->count + 1);
  s->truth = MEMORY_ARRAY(uint64_t, s->nodes + 1);
  s->seen = MEMORY_ARRAY(uint32_t, s->nodes + 1);
  s->seen_by = MEMORY_ARRAY(uint32_t, g->model->transitions.count + 1);
  s->distance = MEMORY_ARRAY(uint32_t, s->nodes + 1);
  s->before = MEMORY_ARRAY(uint32_t, s->nodes + 1);
  s->by = MEMORY_ARRAY(uint32_t, s->nodes + 1);
  s->component = MEMORY_ARRAY(uint32_t, s->nodes + 1);
  s->first = MEMORY_ARRAY(uint32_t, s->nodes + 1);
  s->step_count = MEMORY_ARRAY(uint32_t, s->nodes + 1);
  label_states(s);
  for (uint32_t i = 0; i < s->nodes; i++) {
    s->truth[i] = truth_at(s, s->labels[state_of(s, i)], i & ((1u << s->operators) - 1));
    for (size_t k = 0; k < s->operators; k++)
      if (is_kept(s, s->truth[i], s->operator_at[k])) s->seen[i] |= 1u << k;
  }
  s->bits = s->operators;
  s->needed = (1u << s->operators) - 1;
  for (size_t i = 0; i < g->model->fairness.count; i++) add_constraint(s, &g->model->fairness.at[i]);
  return s;
}

void loop_search_free(loop_search *s) {
  if (!s) return;
  memory_free(s->labels);
  memory_free(s->truth);
  memory_free(s->seen);
  memory_free(s->seen_by);
  memory_free(s->distance);
  memory_free(s->before);
  memory_free(s->by);
  memory_free(s->component);
  memory_free(s->first);
  memory_free(s->step_count);
  VECTOR_FREE(s->order);
  VECTOR_FREE(s->steps);
  memory_free(s);
}

/* ---- what is reached ---- */

static void join(loop_search *s, uint32_t node, uint32_t step, uint32_t to) {
  for (uint32_t i = 0; i < 1u << s->operators; i++) {
    uint32_t next = (to << s->operators) + i;
    if (is_joined(s, s->truth[node], s->truth[next])) VECTOR_PUSH(s->steps, (product_step){step, next});
  }
  s->tried += (size_t)1 << s->operators;
}

static void list_steps(loop_search *s, uint32_t node) {
  const near_graph *g = s->graph;
  uint32_t state = state_of(s, node);
  s->first[node] = (uint32_t)s->steps.count;
  if (state < g->lacks_steps.count) {
    for (uint32_t i = g->first.at[state]; i < g->first.at[state + 1]; i++)
      if (!s->without_stays || g->steps.at[i].to != state) join(s, node, i, g->steps.at[i].to);
    bool idles = near_graph_is_known(g, state) && g->first.at[state] == g->first.at[state + 1];
    if (idles) join(s, node, LOOP_IDLES, state);
  }
  s->step_count[node] = (uint32_t)s->steps.count - s->first[node];
}

static void reach(loop_search *s, uint32_t node, uint32_t before, uint32_t by) {
  if (s->distance[node] != NO_NODE) return;
  s->distance[node] = before == NO_NODE ? 0 : s->distance[before] + 1;
  s->before[node] = before;
  s->by[node] = by;
  VECTOR_PUSH(s->order, node);
}

static void reach_all(loop_search *s) {
  VECTOR_CLEAR(s->order);
  VECTOR_CLEAR(s->steps);
  for (size_t i = 0; i < s->nodes; i++) {
    s->distance[i] = NO_NODE;
    s->component[i] = s->step_count[i] = 0;
  }
  for (uint32_t i = 0; i < s->graph->initial << s->operators; i++)
    if (!has(s->truth[i], s->count - 1)) reach(s, i, NO_NODE, 0);
  for (size_t i = 0; i < s->order.count && s->tried < MOST_TRIED; i++) {
    uint32_t node = s->order.at[i];
    list_steps(s, node);
    for (size_t k = 0; k < s->step_count[node]; k++)
      reach(s, s->steps.at[s->first[node] + k].to, node, s->steps.at[s->first[node] + k].step);
  }
}

/* ---- strongly connected parts ---- */

typedef struct parts_search {
  uint32_t *number, *low, *next; /* by node; a number of 0: not seen yet */
  uint32_t count;
  VECTOR(uint32_t) stack, path;
} parts_search;

static void enter(parts_search *f, uint32_t node) {
  f->number[node] = f->low[node] = ++f->count;
  VECTOR_PUSH(f->stack, node);
  VECTOR_PUSH(f->path, node);
}

/* All that is on the stack down to the node is one part; it is named by the number of the node. */
static void leave(loop_search *s, parts_search *f) {
  uint32_t node = VECTOR_POP(f->path), low = f->low[node], name = f->number[node];
  if (f->path.count && low < f->low[VECTOR_LAST(f->path)]) f->low[VECTOR_LAST(f->path)] = low;
  for (uint32_t member = NO_NODE; low == name && member != node;) {
    member = VECTOR_POP(f->stack);
    s->component[member] = name;
  }
}

static void search_parts(loop_search *s, parts_search *f, uint32_t start) {
  enter(f, start);
  while (f->path.count) {
    uint32_t node = VECTOR_LAST(f->path);
    if (f->next[node] == s->step_count[node]) {
      leave(s, f);
      continue;
    }
    uint32_t to = s->steps.at[s->first[node] + f->next[node]++].to;
    if (!f->number[to])
      enter(f, to);
    else if (!s->component[to] && f->number[to] < f->low[node])
      f->low[node] = f->number[to];
  }
}

static void find_parts(loop_search *s) {
  parts_search f = {.number = MEMORY_ARRAY(uint32_t, s->nodes + 1),
                    .low = MEMORY_ARRAY(uint32_t, s->nodes + 1),
                    .next = MEMORY_ARRAY(uint32_t, s->nodes + 1)};
  for (size_t i = 0; i < s->order.count; i++)
    if (!f.number[s->order.at[i]]) search_parts(s, &f, s->order.at[i]);
  memory_free(f.number);
  memory_free(f.low);
  memory_free(f.next);
  VECTOR_FREE(f.stack);
  VECTOR_FREE(f.path);
}

/* ---- loops ---- */

/* A node, and what the way there from the first has come by. */
typedef struct way {
  uint32_t node, seen, before, by; /* `before`: a position in the list of ways */
} way;

typedef struct loops_search {
  uint32_t *round; /* by node and what was seen: the last search that came there */
  uint32_t rounds;
  VECTOR(way) ways;
} loops_search;

static bool is_enough(const loop_search *s, uint32_t seen) {
  return (seen & s->needed) == s->needed && !((seen & s->strong) << 1 & ~seen & s->strong_taken);
}

static uint32_t seen_after(const loop_search *s, uint32_t seen, const product_step *p) {
  uint32_t by = p->step == LOOP_IDLES ? 0 : s->seen_by[s->graph->steps.at[p->step].transition];
  return seen | by | s->seen[p->to];
}

/* The position of the last way of a loop from the node that is shorter than `most`, as its length in `*length`; else SIZE_MAX. The step from
 * there back to the node is `*last`. */
static size_t way_around(loop_search *s, loops_search *f, uint32_t node, size_t most, size_t *length, uint32_t *last) {
  size_t end = 1;
  f->rounds++;
  VECTOR_CLEAR(f->ways);
  VECTOR_PUSH(f->ways, (way){node, s->seen[node], 0, 0});
  *length = 1;
  for (size_t at = 0; at < f->ways.count && *length < most && s->tried < MOST_TRIED; at++) {
    if (at == end) {
      end = f->ways.count;
      if (++*length >= most) break;
    }
    way from = f->ways.at[at];
    s->tried += s->step_count[from.node];
    for (size_t i = 0; i < s->step_count[from.node]; i++) {
      const product_step *p = &s->steps.at[s->first[from.node] + i];
      if (s->component[p->to] != s->component[node]) continue;
      uint32_t seen = seen_after(s, from.seen, p);
      if (p->to == node && is_enough(s, seen)) {
        *last = p->step;
        return at;
      }
      uint32_t *round = &f->round[((size_t)p->to << s->bits) + seen];
      if (*round == f->rounds) continue;
      *round = f->rounds;
      VECTOR_PUSH(f->ways, (way){p->to, seen, (uint32_t)at, p->step});
    }
  }
  return SIZE_MAX;
}

static void reverse(uint32_t *at, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    uint32_t kept = at[i];
    at[i] = at[count - 1 - i];
    at[count - 1 - i] = kept;
  }
}

static void take_loop(const loop_search *s, const loops_search *f, uint32_t node, size_t end, uint32_t last,
                      found_loop *out) {
  uint32_t first = node;
  VECTOR_CLEAR(out->steps);
  for (; s->before[first] != NO_NODE; first = s->before[first]) VECTOR_PUSH(out->steps, s->by[first]);
  out->loop = out->steps.count;
  out->start = state_of(s, first);
  if (out->loop) reverse(out->steps.at, out->loop);
  for (size_t at = end; at; at = f->ways.at[at].before) VECTOR_PUSH(out->steps, f->ways.at[at].by);
  if (out->steps.count > out->loop) reverse(out->steps.at + out->loop, out->steps.count - out->loop);
  VECTOR_PUSH(out->steps, last);
}

bool loop_search_find(loop_search *s, bool without_stays, size_t most, found_loop *out) {
  size_t before = s->tried = 0;
  bool found = false;
  s->without_stays = without_stays;
  reach_all(s);
  find_parts(s);
  loops_search f = {.round = MEMORY_ARRAY(uint32_t, (s->nodes << s->bits) + 1)};
  for (size_t i = 0; i < s->order.count && s->tried < MOST_TRIED; i++) {
    uint32_t node = s->order.at[i], last = 0;
    size_t length = 0, stem = s->distance[node];
    if (stem + 1 >= most) break;
    size_t end = way_around(s, &f, node, most - stem, &length, &last);
    if (end == SIZE_MAX) continue;
    take_loop(s, &f, node, end, last, out);
    most = stem + length;
    found = true;
  }
  work_add((s->tried - before) / TRIED_A_UNIT);
  memory_free(f.round);
  VECTOR_FREE(f.ways);
  return found;
}
