/* Each step first makes the graph exact at the node in question (one case for each possibility), then changes it. */
#include "proof/check/heap_transfer.h"

/* ---- well-formed graphs ---- */

static const char *node_fault(const heap_graph *g, const heap_node *n, node_set nodes, const node_layout *l) {
  if (!n->data || n->data & ~(node_values(l) | NODE_VALUE(NODE_FREED))) return "a node must have data";
  if (n->reached & ~heap_all_reached(g->variables)) return "a node is reached from a variable that is not there";
  if (n->shared >> g->fields || n->back & ~heap_all_back(g->fields)) return "a node has a field that is not there";
  for (size_t f = 0; f < NODE_MOST_POINTERS; f++)
    if (n->next[f] & ~nodes || (f >= g->fields && n->next[f])) return "a node leads to one that is not there";
  return NULL;
}

const char *heap_graph_fault(const heap_graph *g, size_t variables, const node_layout *l) {
  node_set nodes = NODE(0);
  const char *fault = NULL;
  if (g->variables != variables) return "a graph must have every node variable";
  if (g->fields != l->pointer_count) return "a graph must have every pointer";
  if (g->count > HEAP_MOST_NODES) return "a graph has too many nodes";
  for (size_t n = 1; n <= g->count; n++) nodes |= NODE(n);
  for (size_t n = 1; n <= g->count && !fault; n++) fault = node_fault(g, &g->nodes[n], nodes, l);
  for (size_t i = 0; i < variables && !fault; i++) {
    if (g->at[i] > g->count) return "a variable is at a node that is not there";
    if (g->at[i] && g->nodes[g->at[i]].is_summary) return "a variable is at a summary";
  }
  return fault;
}

heap_shape heap_shape_of(const heap_graph *g) {
  heap_shape s = {.graph = *g};
  for (size_t n = 1; n <= g->count; n++) s.present |= NODE(n);
  return s;
}

/* ---- steps ---- */

static bool is_present(const heap_shape *s, size_t n) { return n && s->present & NODE(n); }

static void remove_node(heap_shape *s, size_t gone) {
  s->present &= ~NODE(gone);
  for (size_t n = 1; n <= s->graph.count; n++)
    for (size_t f = 0; f < s->graph.fields; f++) s->graph.nodes[n].next[f] &= ~NODE(gone);
}

/* All that a node may lead to, by any field. */
static node_set led_to(const heap_shape *s, size_t n) {
  node_set all = 0;
  for (size_t f = 0; f < s->graph.fields; f++) all |= s->graph.nodes[n].next[f];
  return all & ~NODE(0);
}

static node_set may_be_reached(const heap_shape *s) {
  node_set seen = heap_graph_named(&s->graph), before;
  do {
    before = seen;
    for (size_t n = 1; n <= s->graph.count; n++)
      if (seen & NODE(n)) seen |= led_to(s, n);
  } while (seen != before);
  return seen;
}

/* Nodes that no variable leads to are not part of a heap. */
static void remove_garbage(heap_shape *s) {
  node_set seen = may_be_reached(s);
  for (size_t n = 1; n <= s->graph.count; n++)
    if (is_present(s, n) && !(seen & NODE(n))) remove_node(s, n);
}

/* The nodes of which field `f` leads to `to`. */
static node_set sources_of(const heap_shape *s, size_t f, size_t to) {
  node_set found = 0;
  for (size_t n = 1; n <= s->graph.count; n++)
    if (is_present(s, n) && s->graph.nodes[n].next[f] & NODE(to)) found |= NODE(n);
  return found;
}

/* Is the one node of a heap that `n` stands for, if any, one that field `f` of at most one leads to? So it is if there is
 * one node that may, or if its own field leads back to all of them. */
static bool has_one_source(const heap_shape *s, size_t f, size_t n) {
  node_set sources = sources_of(s, f, n);
  bool one = !(sources & (sources - 1));
  unsigned back = heap_all_back(s->graph.fields);
  for (size_t k = 1; k <= s->graph.count; k++) {
    if (!(sources & NODE(k))) continue;
    one &= !s->graph.nodes[k].is_summary;
    back &= s->graph.nodes[k].back;
  }
  for (size_t g = 0; g < s->graph.fields; g++) one |= g != f && (back & HEAP_BACK(f, g));
  return one;
}

/* Does field `f` of the nodes of `n`, if it leads to a node, lead to one whose field `g` leads back? It is known if both
 * stand for one node at most, or if there is nowhere to lead. */
static bool surely_leads_back(const heap_shape *s, size_t n, size_t f, size_t g) {
  for (size_t k = 1; k <= s->graph.count; k++) {
    if (s->graph.nodes[n].next[f] == NODE(k))
      return !s->graph.nodes[n].is_summary && !s->graph.nodes[k].is_summary && s->graph.nodes[k].next[g] == NODE(n);
  }
  return s->graph.nodes[n].next[f] == NODE(0);
}

static void note_what_is_known(heap_shape *s) {
  for (size_t n = 1; n <= s->graph.count; n++)
    for (size_t f = 0; is_present(s, n) && f < s->graph.fields; f++)
      for (size_t g = 0; g < s->graph.fields; g++)
        if (f != g && surely_leads_back(s, n, f, g)) s->graph.nodes[n].back |= (uint16_t)HEAP_BACK(f, g);
  for (size_t n = 1; n <= s->graph.count; n++)
    for (size_t f = 0; is_present(s, n) && f < s->graph.fields; f++)
      if (has_one_source(s, f, n)) s->graph.nodes[n].shared &= (uint8_t) ~(1u << f);
}

static size_t free_node(const heap_shape *s) {
  for (size_t n = 1; n <= HEAP_MOST_NODES; n++)
    if (!is_present(s, n)) return n;
  return 0;
}

static void put_node(heap_shape *s, size_t n, heap_node node) {
  s->graph.nodes[n] = node;
  s->present |= NODE(n);
  if (n > s->graph.count) s->graph.count = (uint8_t)n;
}

/* Ways that must lead back and cannot are none. True if something changed. */
static bool remove_false_ways(heap_shape *s, size_t n) {
  bool changed = false, is_named = heap_graph_named(&s->graph) & NODE(n);
  for (size_t f = 0; f < s->graph.fields; f++) {
    for (size_t g = 0; g < s->graph.fields; g++) {
      if (!(s->graph.nodes[n].back & HEAP_BACK(f, g))) continue;
      for (size_t k = 1; k <= s->graph.count; k++) {
        heap_node *to = &s->graph.nodes[k];
        if (!(s->graph.nodes[n].next[f] & NODE(k))) continue;
        bool is_only_way = is_named && s->graph.nodes[n].next[f] == NODE(k) && !to->is_summary;
        if (!(to->next[g] & NODE(n))) {
          s->graph.nodes[n].next[f] &= ~NODE(k);
          changed = true;
        } else if (is_only_way && to->next[g] != NODE(n)) { /* it is there, and its field leads to n alone */
          to->next[g] = NODE(n);
          changed = true;
        }
      }
    }
  }
  return changed;
}

static bool is_dead_end(const heap_shape *s, size_t n) {
  for (size_t f = 0; f < s->graph.fields; f++)
    if (!s->graph.nodes[n].next[f]) return true;
  return false;
}

/* Every field of a node leads somewhere: nodes of which one cannot stand for nothing. False if such a one is a
 * variable's. */
static bool remove_dead_ends(heap_shape *s) {
  for (size_t n = 1; n <= s->graph.count; n++) {
    if (!is_present(s, n)) continue;
    bool changed = remove_false_ways(s, n), is_dead = is_dead_end(s, n);
    if (is_dead && heap_graph_named(&s->graph) & NODE(n)) return false;
    if (is_dead) remove_node(s, n);
    if (is_dead || changed) n = 0; /* from the first one again */
  }
  return true;
}

/* Takes one node out of the summary `from_which`; what field `f` of `from` leads to. 0 if there is no room. */
static size_t take_out(heap_shape *s, size_t from, size_t f, size_t from_which) {
  size_t one = free_node(s);
  if (!one) return 0;
  heap_node node = s->graph.nodes[from_which];
  node.is_summary = false;
  put_node(s, one, node);
  /* Whatever led to the summary may lead to this one of its nodes. */
  for (size_t n = 1; n <= s->graph.count; n++)
    for (size_t g = 0; is_present(s, n) && g < s->graph.fields; g++)
      if (s->graph.nodes[n].next[g] & NODE(from_which)) s->graph.nodes[n].next[g] |= NODE(one);
  s->graph.nodes[from].next[f] = NODE(one);
  return one;
}

/* The shapes, one for each thing that field `f` of the variable's node `from` can lead to. False if there is no room. */
static bool look_at(const heap_shape *s, size_t from, size_t f, heap_shapes *out) {
  for (size_t to = 0; to <= s->graph.count; to++) {
    if (!(s->graph.nodes[from].next[f] & NODE(to))) continue;
    heap_shape made = *s;
    size_t chosen = to;
    if (to && s->graph.nodes[to].is_summary && !(chosen = take_out(&made, from, f, to))) return false;
    made.graph.nodes[from].next[f] = NODE(chosen);
    if (chosen && !(made.graph.nodes[chosen].shared & 1u << f))
      for (size_t n = 1; n <= made.graph.count; n++)
        if (n != from) made.graph.nodes[n].next[f] &= ~NODE(chosen);
    if (remove_dead_ends(&made)) VECTOR_PUSH(*out, made);
  }
  return true;
}

static size_t only_one(node_set set) {
  size_t n = 0;
  while (n < HEAP_MOST_NODES && set != NODE(n)) n++;
  return n;
}

static void write_next(heap_shape *s, size_t from, size_t f, size_t to) {
  for (size_t n = 1; n <= s->graph.count; n++) /* what was to lead back by this field need not any more */
    for (size_t g = 0; n != to && g < s->graph.fields; g++)
      if (s->graph.nodes[n].next[g] & NODE(from)) s->graph.nodes[n].back &= (uint16_t)~HEAP_BACK(g, f);
  for (size_t g = 0; g < s->graph.fields; g++) s->graph.nodes[from].back &= (uint16_t)~HEAP_BACK(f, g);
  s->graph.nodes[from].next[f] = NODE(to);
  if (to && sources_of(s, f, to) & ~NODE(from)) s->graph.nodes[to].shared |= (uint8_t)(1u << f);
}

/* ---- commands ---- */

typedef struct doing {
  const heap_frame *frame;
  const heap_command *command;
  size_t target, source; /* variables, by index */
  unsigned value;
  bool watches; /* whether something is lost */
  heap_shapes *out;
} doing;

static bool has_field(heap_kind k) { return k == HEAP_NEXT || k == HEAP_SET_NEXT || k == HEAP_CUT_NEXT; }

static uint64_t set_part(const doing *d, uint64_t data) {
  uint64_t after = data & NODE_VALUE(NODE_FREED);
  for (unsigned v = 0; v < d->frame->layout->values; v++)
    if (data >> v & 1) after |= NODE_VALUE(node_with(d->frame->layout, d->command->field, v, d->value));
  return after;
}

/* The command itself. False if there is no room. */
static bool apply(const doing *d, heap_shape *s) {
  size_t node = s->graph.at[d->target], source = d->source == SIZE_MAX ? 0 : s->graph.at[d->source], fresh;
  heap_node made = {.data = NODE_VALUE(d->value)};
  switch (d->command->kind) {
    case HEAP_NONE: break;
    case HEAP_NEW:
      if (!d->watches) {
        s->graph.at[d->target] = 0;
        remove_garbage(s);
      }
      fresh = free_node(s);
      if (!fresh) return false;
      for (size_t f = 0; f < s->graph.fields; f++) made.next[f] = NODE(0);
      put_node(s, fresh, made);
      s->graph.at[d->target] = (uint8_t)fresh;
      break;
    case HEAP_COPY:
    case HEAP_CLEAR: s->graph.at[d->target] = (uint8_t)source; break;
    case HEAP_NEXT: s->graph.at[d->target] = (uint8_t)only_one(s->graph.nodes[source].next[d->command->field]); break;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT: write_next(s, node, d->command->field, source); break;
    case HEAP_SET_DATA: s->graph.nodes[node].data = set_part(d, s->graph.nodes[node].data); break;
    case HEAP_FREE:
      for (size_t f = 0; f < s->graph.fields; f++) write_next(s, node, f, 0);
      s->graph.nodes[node].data = NODE_VALUE(NODE_FREED);
      break;
  }
  return true;
}

/* ---- what variables lead to ----
 *
 * `reached` holds of every heap of the shape before. It holds after a command because of this:
 *   - A variable that gets another node or null leads to what its new node leads to, and to nothing else; the others
 *     lead to what they did.
 *   - p := q: p leads to what q leads to. p := q.f: q leads to a node other than its own by a way that does not come
 *     back to its own. If no other field of q's node begins such a way in the graph, the way goes by f, and p is on it.
 *   - A field f of a node x is changed: if v led to m, there is a way without repetitions. If it used f of x, its rest
 *     leads from where f led to m without x. So v still leads to m if the graph has no such rest, or if v could not come
 *     to x at all; and always to x.
 * And what follows in one heap: variables lead to their nodes; if v leads to the node of w, then to all that w leads
 * to; if v leads to a node that is there, then to the only thing to which a field of it leads. */

static node_set may_be_met(const heap_shape *s, node_set from, size_t without) {
  node_set seen = from & s->present & ~NODE(without), before;
  do {
    before = seen;
    for (size_t n = 1; n <= s->graph.count; n++)
      if (seen & NODE(n)) seen |= led_to(s, n) & ~NODE(without);
  } while (seen != before);
  return seen & ~NODE(0);
}

static void set_leads(heap_shape *s, size_t n, size_t variable, bool leads) {
  uint32_t bit = UINT32_C(1) << variable;
  s->graph.nodes[n].reached = leads ? s->graph.nodes[n].reached | bit : s->graph.nodes[n].reached & ~bit;
}

static bool leads_to(const heap_shape *s, size_t variable, size_t n) {
  return s->graph.nodes[n].reached >> variable & 1;
}

static node_set must_be_reached(const heap_shape *s);

static void note_what_is_led_to(heap_shape *s) {
  heap_graph *g = &s->graph;
  node_set there = must_be_reached(s);
  bool changed = true;
  for (size_t i = 0; i < g->variables; i++)
    if (g->at[i]) set_leads(s, g->at[i], i, true);
  while (changed) {
    changed = false;
    for (size_t n = 1; n <= g->count; n++) {
      uint32_t known = g->nodes[n].reached;
      if (!is_present(s, n)) continue;
      for (size_t w = 0; w < g->variables; w++)
        if (g->at[w] && leads_to(s, w, n)) g->nodes[n].reached |= g->nodes[g->at[w]].reached;
      for (size_t k = 1; k <= g->count; k++)
        for (size_t f = 0; there & NODE(k) && there & NODE(n) && f < g->fields; f++)
          if (g->nodes[k].next[f] == NODE(n)) g->nodes[n].reached |= g->nodes[k].reached;
      changed |= g->nodes[n].reached != known;
    }
  }
}

/* The ways from the fields of `node`: those that the command changes, or that p := q.f does not take. */
static node_set by_fields(const heap_shape *s, const heap_command *h, size_t node) {
  node_set to = 0;
  for (size_t f = 0; f < s->graph.fields; f++) {
    bool counts = h->kind == HEAP_FREE || (h->kind == HEAP_NEXT ? f != h->field : f == h->field);
    if (counts) to |= s->graph.nodes[node].next[f];
  }
  return may_be_met(s, to, node);
}

static void follow_ways(const doing *d, const heap_shape *before, heap_shape *s) {
  const heap_command *h = d->command;
  size_t target = before->graph.at[d->target], source = d->source == SIZE_MAX ? 0 : before->graph.at[d->source];
  node_set others = h->kind == HEAP_NEXT ? by_fields(before, h, source) | NODE(source) : 0;
  node_set rests = 0;
  if (h->kind == HEAP_SET_NEXT || h->kind == HEAP_CUT_NEXT || h->kind == HEAP_FREE)
    rests = by_fields(before, h, target);
  for (size_t n = 1; n <= s->graph.count; n++) {
    if (h->kind == HEAP_NEW || h->kind == HEAP_CLEAR) set_leads(s, n, d->target, false);
    if (h->kind == HEAP_COPY) set_leads(s, n, d->target, leads_to(before, d->source, n));
    if (h->kind == HEAP_NEXT) set_leads(s, n, d->target, leads_to(before, d->source, n) && !(others & NODE(n)));
    for (size_t v = 0; rests & NODE(n) && v < s->graph.variables; v++)
      if (may_be_met(before, NODE(before->graph.at[v]), 0) & NODE(target)) set_leads(s, n, v, false);
  }
}

/* Whether a variable leads to another one's node, as far as is known, and cannot: then there is no such heap. */
static bool is_nothing(const heap_shape *s) {
  for (size_t v = 0; v < s->graph.variables; v++) {
    node_set met = may_be_met(s, NODE(s->graph.at[v]), 0);
    for (size_t i = 0; i < s->graph.variables; i++)
      if (s->graph.at[i] && leads_to(s, v, s->graph.at[i]) && !(met & NODE(s->graph.at[i]))) return true;
  }
  return false;
}

static void finish(const doing *d, heap_shape *s) {
  remove_garbage(s);
  note_what_is_known(s);
  note_what_is_led_to(s);
  if (!is_nothing(s)) VECTOR_PUSH(*d->out, *s);
}

/* Nodes that variables lead to in every heap of the shape: by ways to one node that is the only one. */
static node_set must_be_reached(const heap_shape *s) {
  node_set seen = heap_graph_named(&s->graph), before;
  do {
    before = seen;
    for (size_t n = 1; n <= s->graph.count; n++) {
      for (size_t f = 0; seen & NODE(n) && f < s->graph.fields; f++) {
        size_t to = only_one(s->graph.nodes[n].next[f]);
        if (to && is_present(s, to) && s->graph.nodes[n].next[f] == NODE(to) && !s->graph.nodes[to].is_summary)
          seen |= NODE(to);
      }
    }
  } while (seen != before);
  return seen;
}

/* The command is done. Each node that may have lost its last way is lost or is not; if it may be either, both. */
static void settle_lost(const doing *d, const heap_shape *s, const size_t *victims, size_t count) {
  heap_shape left = *s;
  size_t lost = heap_variable_index(d->frame->variables, d->frame->lost);
  for (size_t i = 0; i < count; i++) {
    size_t v = victims[i];
    heap_node *node = &left.graph.nodes[v];
    uint64_t alive = node->data & ~NODE_VALUE(NODE_FREED);
    if (!v || !alive || must_be_reached(&left) & NODE(v)) continue;
    if (node->reached & ~(UINT32_C(1) << lost)) continue; /* a variable leads to it, whatever it is */
    heap_shape gone = left;
    gone.graph.at[lost] = (uint8_t)v;
    gone.graph.nodes[v].data = alive;
    finish(d, &gone);
    if (may_be_reached(&left) & NODE(v)) continue;
    node->data &= NODE_VALUE(NODE_FREED);
    if (!node->data) return; /* no heap is left in which it is not lost */
  }
  finish(d, &left);
}

/* All that the command looks at is exact. */
static bool complete(const doing *d, const heap_shape *s) {
  heap_shape made = *s;
  size_t victims[NODE_MOST_POINTERS], count = 0, node = s->graph.at[d->target];
  heap_kind kind = d->command->kind;
  bool changes_field = kind == HEAP_SET_NEXT || kind == HEAP_CUT_NEXT;
  for (size_t f = 0; (changes_field || kind == HEAP_FREE) && d->watches && f < s->graph.fields; f++)
    if (!changes_field || f == d->command->field) victims[count++] = only_one(s->graph.nodes[node].next[f]);
  if (kind == HEAP_NEW || kind == HEAP_COPY || kind == HEAP_CLEAR || kind == HEAP_NEXT) victims[count++] = node;
  if (!apply(d, &made)) return false;
  follow_ways(d, s, &made);
  note_what_is_led_to(&made);
  if (d->watches)
    settle_lost(d, &made, victims, count);
  else
    finish(d, &made);
  return true;
}

/* Looks at the fields from `f` on that the command reads or, if it may lose what is there, changes. */
static bool look_and_do(const doing *d, const heap_shape *s, size_t f) {
  heap_kind kind = d->command->kind;
  bool reads = kind == HEAP_NEXT, looks = reads || (d->watches && (has_field(kind) || kind == HEAP_FREE));
  while (looks && has_field(kind) && f < s->graph.fields && f != d->command->field) f++;
  if (!looks || f >= s->graph.fields) return complete(d, s);
  heap_shapes ways = {0};
  bool fits = look_at(s, s->graph.at[reads ? d->source : d->target], f, &ways);
  for (size_t i = 0; i < ways.count && fits; i++) fits = look_and_do(d, &ways.at[i], f + 1);
  VECTOR_FREE(ways);
  return fits;
}

bool heap_transfer(const heap_shape *s, const heap_frame *frame, const heap_command *h, unsigned value,
                   heap_shapes *out) {
  doing d = {.frame = frame, .command = h, .source = SIZE_MAX, .value = value, .out = out};
  heap_kind k = h->kind;
  bool has_source = k == HEAP_COPY || k == HEAP_NEXT || k == HEAP_SET_NEXT;
  bool writes = k == HEAP_SET_NEXT || k == HEAP_CUT_NEXT || k == HEAP_SET_DATA || k == HEAP_FREE;
  if (k != HEAP_NONE) d.target = heap_variable_index(frame->variables, h->target);
  if (has_source) d.source = heap_variable_index(frame->variables, h->source);
  if ((writes && !s->graph.at[d.target]) || (k == HEAP_NEXT && !s->graph.at[d.source])) return true;
  d.watches = k != HEAP_NONE && frame->frees && !s->graph.at[heap_variable_index(frame->variables, frame->lost)];
  return look_and_do(&d, s, 0);
}

/* ---- covering ---- */

typedef struct covering {
  const heap_graph *g;
  const heap_shape *s;
  size_t order[HEAP_MOST_NODES + 1], count; /* the nodes of s, each after one that leads to it */
  size_t to[HEAP_MOST_NODES + 1];           /* by node of s; 0 if it is not mapped yet */
  size_t taken[HEAP_MOST_NODES + 1];        /* by node of g */
  size_t tries;
} covering;

static bool maps_variables(covering *c) {
  const heap_graph *a = &c->s->graph, *b = c->g;
  for (size_t i = 0; i < a->variables; i++) {
    if (!a->at[i] != !b->at[i]) return false;
    for (size_t j = 0; j < i; j++)
      if ((a->at[i] == a->at[j]) != (b->at[i] == b->at[j])) return false;
  }
  return true;
}

/* Nodes as a walk from the variables meets them: most are then settled by the one that led there. */
static void find_order(covering *c) {
  node_set seen = 0;
  const heap_graph *a = &c->s->graph;
  for (size_t i = 0; i < a->variables; i++) {
    if (!a->at[i] || seen & NODE(a->at[i])) continue;
    seen |= NODE(a->at[i]);
    c->order[c->count++] = a->at[i];
  }
  for (size_t k = 0; k < c->count; k++) {
    for (size_t n = 1; n <= a->count; n++) {
      if (!(led_to(c->s, c->order[k]) & NODE(n)) || seen & NODE(n)) continue;
      seen |= NODE(n);
      c->order[c->count++] = n;
    }
  }
}

static bool same_names(const covering *c, size_t n, size_t k) {
  for (size_t i = 0; i < c->g->variables; i++)
    if ((c->s->graph.at[i] == n) != (c->g->at[i] == k)) return false;
  return true;
}

/* The ways of field `f`, between n, which is mapped to k, and what is mapped already. */
static bool ways_fit(const covering *c, size_t n, size_t k, size_t f) {
  node_set a = c->s->graph.nodes[n].next[f], b = c->g->nodes[k].next[f];
  if (a & NODE(0) && !(b & NODE(0))) return false;
  if (a & NODE(n) && !(b & NODE(k))) return false;
  for (size_t i = 1; i <= c->s->graph.count; i++) {
    if (!c->to[i]) continue;
    if (a & NODE(i) && !(b & NODE(c->to[i]))) return false;
    if (c->s->graph.nodes[i].next[f] & NODE(n) && !(c->g->nodes[c->to[i]].next[f] & NODE(k))) return false;
  }
  return true;
}

/* May n be mapped to k, given what is mapped already? */
static bool fits(const covering *c, size_t n, size_t k) {
  const heap_node *a = &c->s->graph.nodes[n], *b = &c->g->nodes[k];
  if (!same_names(c, n, k) || a->data & ~b->data) return false;
  if (a->shared & ~b->shared || b->back & ~a->back || b->reached & ~a->reached ||
      (!b->is_summary && (a->is_summary || c->taken[k])))
    return false;
  for (size_t f = 0; f < c->g->fields; f++)
    if (!ways_fit(c, n, k, f)) return false;
  return true;
}

heap_cover heap_covers(const heap_graph *g, const heap_shape *s) {
  enum { MOST_TRIES = 100000 };
  covering c = {.g = g, .s = s};
  if (!maps_variables(&c)) return HEAP_NOT_COVERED;
  find_order(&c);
  size_t at = 0;
  while (at < c.count) {
    size_t n = c.order[at], k = c.to[n];
    if (k) c.taken[k]--;
    c.to[n] = 0;
    do k++;
    while (k <= g->count && !fits(&c, n, k));
    if (++c.tries > MOST_TRIES) return HEAP_COVER_UNSURE;
    if (k <= g->count) {
      c.to[n] = k;
      c.taken[k]++;
      at++;
    } else if (at-- == 0) {
      return HEAP_NOT_COVERED;
    }
  }
  return HEAP_COVERED;
}
