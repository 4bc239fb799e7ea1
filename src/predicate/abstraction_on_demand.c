/* Every action is a circuit: root 0 is its condition, then come the new values of control and of predicates. Its leaves
 * are control atoms and predicates, which the state decides, and others, which are open. Open leaves that matter are
 * decided one after the other, both ways if the literals so far allow both; if no root is open any more, there is
 * a step. */
#include "predicate/abstraction_on_demand.h"

#include <stdlib.h>

#include "base/map.h"
#include "predicate/circuit.h"
#include "predicate/consistency.h"
#include "store/store.h"
#include "term/evaluate.h"

enum { MOST_OPEN = 1000 };

typedef enum leaf_kind { LEAF_PREDICATE, LEAF_CONTROL, LEAF_OPEN } leaf_kind;

typedef struct leaf {
  leaf_kind kind;
  uint32_t index; /* predicate, control atom, or atom of the consistency */
} leaf;

typedef struct implicit_action {
  circuit *circuit;
  VECTOR(leaf) leaves;
  VECTOR(uint32_t) predicates; /* those that change: the roots after those of control */
  VECTOR(uint32_t) tied;       /* controls that open leaves speak of too */
  uint8_t *truths;             /* of the leaves, now */
  size_t roots;
} implicit_action;

typedef struct origin {
  uint32_t state, action; /* UINT32_MAX: it is initial */
} origin;

struct implicit_search {
  abstraction *a;
  consistency *consistency;
  VECTOR(implicit_action) actions;
  VECTOR(uint32_t) predicates; /* atoms of the consistency */
  term_vector control_atoms;
  map *control_atom_of;
  code *control_code;
  int64_t *control_values, *control_truths;
  store *states;
  size_t words;
  uint64_t *row, *next, *other; /* the state looked at; one on its way; one to compare with */
  bool *bits;                   /* by variable of the diagrams */
  VECTOR(origin) origins;
  size_t rings;
  uint32_t end;     /* of the ring that is looked at: states from here on are of the next one */
  uint32_t bad;     /* the first in order of the bad states in the first ring that has some; UINT32_MAX: none */
  uint32_t bad_end; /* of that ring */
};

/* ---- getting ready ---- */

static uint32_t control_atom(implicit_search *s, term atom) {
  uint64_t at;
  if (map_get(s->control_atom_of, term_index(atom), &at)) return (uint32_t)at;
  map_set(s->control_atom_of, term_index(atom), s->control_atoms.count);
  VECTOR_PUSH(s->control_atoms, atom);
  return (uint32_t)(s->control_atoms.count - 1);
}

static void tie_controls(const implicit_search *s, implicit_action *out, term atom) {
  const predicate_model *m = s->a->system;
  variable_vector all = {0};
  term_variables(m->ts, 1, &atom, &all);
  for (size_t i = 0; i < all.count; i++) {
    uint64_t at;
    bool known = !map_get(m->control_of, all.at[i].x, &at) || m->controls.at[at].is_input;
    for (size_t j = 0; j < out->tied.count && !known; j++) known = out->tied.at[j] == at;
    if (!known) VECTOR_PUSH(out->tied, (uint32_t)at);
  }
  VECTOR_FREE(all);
}

static leaf leaf_of(implicit_search *s, implicit_action *out, term atom) {
  const abstraction *a = s->a;
  uint64_t at;
  if (map_get(a->predicate_of, term_index(atom), &at)) return (leaf){LEAF_PREDICATE, (uint32_t)at};
  if (predicate_model_is_control(a->system, atom) && predicate_model_is_of_state(a->system, atom))
    return (leaf){LEAF_CONTROL, control_atom(s, atom)};
  tie_controls(s, out, atom);
  return (leaf){LEAF_OPEN, consistency_atom(s->consistency, atom)};
}

static void add_action(implicit_search *s, const predicate_action *action) {
  const abstraction *a = s->a;
  implicit_action made = {0};
  term_vector roots = {0};
  VECTOR_PUSH(roots, term_and_all(a->system->ts, 3, (term[]){action->enabled, action->known, action->before}));
  for (size_t i = 0; i < action->updates.count; i++)
    for (size_t k = 0; k < action->updates.at[i].when.count; k++) VECTOR_PUSH(roots, action->updates.at[i].when.at[k]);
  for (uint32_t i = 0; i < a->predicates.count; i++) {
    term after = predicate_model_after(a->system, action, a->predicates.at[i]);
    if (term_same(after, a->predicates.at[i])) continue;
    VECTOR_PUSH(roots, after);
    VECTOR_PUSH(made.predicates, i);
  }
  made.circuit = circuit_new(a->system->ts, roots.count, roots.at);
  made.roots = roots.count;
  for (size_t i = 0; i < circuit_leaves(made.circuit); i++)
    VECTOR_PUSH(made.leaves, leaf_of(s, &made, circuit_leaf(made.circuit, i)));
  made.truths = MEMORY_ARRAY(uint8_t, made.leaves.count + 1);
  VECTOR_PUSH(s->actions, made);
  VECTOR_FREE(roots);
}

static void compile_control(implicit_search *s) {
  const predicate_model *m = s->a->system;
  uint32_t *slots = MEMORY_ARRAY(uint32_t, variable_count(m->ts) + 1);
  for (uint32_t i = 0; i < m->controls.count; i++) slots[m->controls.at[i].var.x] = i;
  s->control_code = code_compile(m->ts, s->control_atoms.count, s->control_atoms.at, slots);
  s->control_values = MEMORY_ARRAY(int64_t, m->controls.count + 1);
  s->control_truths = MEMORY_ARRAY(int64_t, s->control_atoms.count + 1);
  memory_free(slots);
}

static GIVE implicit_search *search_new(abstraction *a) {
  implicit_search *s = MEMORY_NEW(implicit_search);
  *s = (implicit_search){.a = a, .control_atom_of = map_new(), .bad = UINT32_MAX, .bad_end = UINT32_MAX};
  s->consistency = allsat_consistency(a->allsat);
  for (size_t i = 0; i < a->predicates.count; i++)
    VECTOR_PUSH(s->predicates, consistency_atom(s->consistency, a->predicates.at[i]));
  for (size_t i = 0; i < a->system->actions.count; i++) add_action(s, &a->system->actions.at[i]);
  compile_control(s);
  s->words = a->state_bits / 64 + 1;
  s->states = store_new(s->words * sizeof(uint64_t), 1);
  s->row = MEMORY_ARRAY(uint64_t, s->words);
  s->next = MEMORY_ARRAY(uint64_t, s->words);
  s->other = MEMORY_ARRAY(uint64_t, s->words);
  s->bits = MEMORY_ARRAY(bool, obdds_variables(a->obdds) + 1);
  return s;
}

void on_demand_free(implicit_search *s) {
  if (!s) return;
  for (size_t i = 0; i < s->actions.count; i++) {
    circuit_free(s->actions.at[i].circuit);
    VECTOR_FREE(s->actions.at[i].leaves);
    VECTOR_FREE(s->actions.at[i].predicates);
    VECTOR_FREE(s->actions.at[i].tied);
    memory_free(s->actions.at[i].truths);
  }
  VECTOR_FREE(s->actions);
  VECTOR_FREE(s->predicates);
  VECTOR_FREE(s->control_atoms);
  map_free(s->control_atom_of);
  code_free(s->control_code);
  memory_free(s->control_values);
  memory_free(s->control_truths);
  store_free(s->states);
  memory_free(s->row);
  memory_free(s->next);
  memory_free(s->other);
  memory_free(s->bits);
  VECTOR_FREE(s->origins);
  memory_free(s);
}

/* ---- states ---- */

static bool row_bit(const uint64_t *row, size_t j) { return row[j / 64] >> (j % 64) & 1; }

static void set_row_bit(uint64_t *row, size_t j, bool value) {
  uint64_t bit = UINT64_C(1) << (j % 64);
  row[j / 64] = value ? row[j / 64] | bit : row[j / 64] & ~bit;
}

static void set_control(const abstraction *a, uint64_t *row, size_t control, uint32_t k) {
  control_bits b = a->bits.at[control];
  for (uint32_t j = 0; j < b.count; j++) set_row_bit(row, b.first + j, k >> (b.count - 1 - j) & 1);
}

static bool is_bad(implicit_search *s, const uint64_t *row) {
  for (size_t j = 0; j < s->a->state_bits; j++) s->bits[2 * j] = row_bit(row, j);
  return obdd_holds(s->a->obdds, s->a->bad, s->bits);
}

/* False before true in the first bit that differs. */
static bool row_is_before(const implicit_search *s, const uint64_t *row, const uint64_t *other) {
  for (size_t i = 0; i < s->words; i++) {
    uint64_t differ = row[i] ^ other[i];
    if (differ) return !(row[i] & (differ & -differ));
  }
  return false;
}

static bool state_is_before(const implicit_search *s, const uint64_t *row, uint32_t state) {
  store_read(s->states, state, s->other);
  return row_is_before(s, row, s->other);
}

/* Of all ways into a state of the next ring the one by the first action counts, and by that the one from the first
 * state: as if the relation were there. */
static void note_origin(implicit_search *s, uint32_t at, origin from) {
  origin *known = &s->origins.at[at];
  if (at < s->end || known->state == UINT32_MAX) return;
  if (from.action < known->action || (from.action == known->action && state_is_before(s, s->row, known->state)))
    *known = from;
}

static void note_bad(implicit_search *s, uint32_t at, const uint64_t *row) {
  if (s->bad != UINT32_MAX && (at >= s->bad_end || !state_is_before(s, row, s->bad))) return;
  s->bad = at;
}

static void add_state(implicit_search *s, const uint64_t *row, origin from) {
  uint64_t at;
  store_answer added = store_add(s->states, row, &at);
  if (added == STORE_FULL || store_count(s->states) > s->a->most_states) s->a->trouble = "too many abstract states";
  if (added == STORE_KNOWN) note_origin(s, (uint32_t)at, from);
  if (added != STORE_NEW) return;
  VECTOR_PUSH(s->origins, from);
  if (is_bad(s, row)) note_bad(s, (uint32_t)at, row);
}

/* ---- the steps from a state ---- */

static void take_step(implicit_search *s, uint32_t from, uint32_t action) {
  const abstraction *a = s->a;
  const implicit_action *x = &s->actions.at[action];
  const predicate_action *of = &a->system->actions.at[action];
  size_t root = 1;
  memcpy(s->next, s->row, s->words * sizeof(uint64_t));
  for (size_t i = 0; i < of->updates.count; i++) {
    bool some = false;
    for (uint32_t k = 0; k < of->updates.at[i].when.count; k++, root++) {
      if (circuit_root(x->circuit, root) != TRUTH_YES) continue;
      set_control(a, s->next, of->updates.at[i].control, k);
      some = true;
    }
    if (!some) return; /* it would leave the type, and so is not enabled */
  }
  for (size_t i = 0; i < x->predicates.count; i++)
    set_row_bit(s->next, a->first_predicate + x->predicates.at[i], circuit_root(x->circuit, root + i) == TRUTH_YES);
  add_state(s, s->next, (origin){from, action});
}

static bool may(implicit_search *s, uint32_t atom, bool value) {
  answer can = consistency_can(s->consistency, atom, value);
  s->a->exact &= !answer_is_unsure(can);
  return !answer_is_no(can);
}

/* Depth: the open leaves of one action. */
static void decide(implicit_search *s, uint32_t from, uint32_t action) {
  implicit_action *x = &s->actions.at[action];
  size_t root = 0;
  circuit_evaluate(x->circuit, x->truths);
  if (!s->a->trouble) s->a->trouble = budget_spent(s->a->budget);
  if (s->a->trouble || circuit_root(x->circuit, 0) == TRUTH_NO) return;
  while (root < x->roots && circuit_root(x->circuit, root) != TRUTH_OPEN) root++;
  if (root == x->roots) {
    take_step(s, from, action);
    return;
  }
  size_t open = circuit_open_leaf(x->circuit, root);
  uint32_t atom = x->leaves.at[open].index;
  bool may_hold = may(s, atom, true), may_fail = !may_hold || may(s, atom, false);
  for (int value = 1; value >= 0; value--) {
    if (value ? !may_hold : !may_fail) continue;
    x->truths[open] = (uint8_t)value;
    consistency_push(s->consistency, atom, value);
    decide(s, from, action);
    consistency_pop(s->consistency, 1);
  }
  x->truths[open] = TRUTH_OPEN;
}

static void report_tied(implicit_search *s, const implicit_action *x) {
  const predicate_model *m = s->a->system;
  for (size_t i = 0; i < x->tied.count; i++) {
    const control *c = &m->controls.at[x->tied.at[i]];
    term v = term_of_variable(m->ts, c->var);
    int64_t value = s->control_values[x->tied.at[i]];
    bool truth = term_sort(m->ts, v) == SORT_BOOL;
    term is = truth ? v : term_eq(m->ts, v, term_int(m->ts, value));
    consistency_push(s->consistency, consistency_atom(s->consistency, is), truth ? value != 0 : !term_is_negated(is));
  }
}

static void steps_by(implicit_search *s, uint32_t from, uint32_t action) {
  implicit_action *x = &s->actions.at[action];
  for (size_t i = 0; i < x->leaves.count; i++) {
    leaf l = x->leaves.at[i];
    x->truths[i] = (uint8_t)(l.kind == LEAF_OPEN        ? TRUTH_OPEN
                             : l.kind == LEAF_PREDICATE ? row_bit(s->row, s->a->first_predicate + l.index)
                                                        : s->control_truths[l.index] != 0);
  }
  circuit_evaluate(x->circuit, x->truths);
  if (circuit_root(x->circuit, 0) == TRUTH_NO) return;
  report_tied(s, x);
  decide(s, from, action);
  consistency_pop(s->consistency, x->tied.count);
}

static void look_at(implicit_search *s, uint32_t from) {
  abstraction *a = s->a;
  store_read(s->states, from, s->row);
  for (size_t i = 0; i < a->bits.count; i++) {
    uint32_t k = 0;
    for (uint32_t j = 0; j < a->bits.at[i].count; j++) k = 2 * k + row_bit(s->row, a->bits.at[i].first + j);
    s->control_values[i] = a->system->controls.at[i].low + k;
  }
  if (code_run(s->control_code, s->control_values, s->control_truths) != CODE_FINE) {
    a->trouble = "a number is too large";
    return;
  }
  for (size_t i = 0; i < s->predicates.count; i++)
    consistency_push(s->consistency, s->predicates.at[i], row_bit(s->row, a->first_predicate + i));
  for (uint32_t i = 0; i < s->actions.count && !a->trouble; i++) steps_by(s, from, i);
  consistency_pop(s->consistency, s->predicates.count);
}

/* ---- the search ---- */

static void add_initial(void *context, const bool *values) {
  implicit_search *s = context;
  if (s->a->trouble) return;
  for (size_t j = 0; j < s->a->state_bits; j++) set_row_bit(s->next, j, values[j]);
  add_state(s, s->next, (origin){UINT32_MAX, 0});
}

/* Ring by ring, so that the counterexample does not depend on the order within one. */
static void search_rings(implicit_search *s, bool all) {
  abstraction *a = s->a;
  uint32_t done = 0;
  while (done < store_count(s->states) && !a->trouble) {
    s->rings++;
    s->end = (uint32_t)store_count(s->states);
    if (s->bad != UINT32_MAX && s->bad_end == UINT32_MAX) s->bad_end = s->end;
    if (s->bad != UINT32_MAX && !all) return;
    for (; done < s->end && !a->trouble; done++) look_at(s, done);
  }
}

reach_end on_demand_reach(abstraction *a, bool all) {
  on_demand_free(a->search);
  implicit_search *s = a->search = search_new(a);
  for (size_t i = 0; i < s->actions.count; i++)
    if (s->actions.at[i].leaves.count > MOST_OPEN) a->trouble = "an action has too many atoms";
  VECTOR(uint32_t) variables = {0};
  for (uint32_t j = 0; j < a->state_bits; j++) VECTOR_PUSH(variables, 2 * j);
  if (obdd_count(a->obdds, a->init, variables.count, variables.at) > (double)a->most_states)
    a->trouble = "too many abstract states";
  if (!a->trouble) obdd_each(a->obdds, a->init, variables.count, variables.at, add_initial, s);
  VECTOR_FREE(variables);
  search_rings(s, all);
  if (abstraction_trouble(a)) return REACH_TROUBLE;
  return s->bad != UINT32_MAX ? REACH_BAD : REACH_SAFE;
}

double on_demand_reached(const implicit_search *s) { return (double)store_count(s->states); }
size_t on_demand_rings(const implicit_search *s) { return s->rings; }

void on_demand_counterexample(const abstraction *a, abstract_trace *out) {
  const implicit_search *s = a->search;
  VECTOR(uint32_t) way = {0};
  for (uint32_t at = s->bad; at != UINT32_MAX; at = s->origins.at[at].state) VECTOR_PUSH(way, at);
  bool *bits = MEMORY_ARRAY(bool, a->state_bits + 1);
  for (size_t i = way.count; i-- > 0;) {
    store_read(s->states, way.at[i], s->row);
    for (size_t j = 0; j < a->state_bits; j++) bits[j] = row_bit(s->row, j);
    VECTOR_PUSH(out->states, abstraction_decode(a, bits));
    if (i + 1 < way.count) VECTOR_PUSH(out->actions, s->origins.at[way.at[i]].action);
  }
  memory_free(bits);
  VECTOR_FREE(way);
}

/* ---- as a diagram ---- */

typedef struct row_sorting {
  const uint64_t *rows;
  size_t words;
} row_sorting;

static int compare_rows(const void *x, const void *y, void *context) {
  const row_sorting *r = context;
  const uint64_t *p = r->rows + *(const uint32_t *)x * r->words, *q = r->rows + *(const uint32_t *)y * r->words;
  for (size_t i = 0; i < r->words; i++) {
    uint64_t differ = p[i] ^ q[i];
    if (differ) return p[i] & (differ & -differ) ? -1 : 1;
  }
  return 0;
}

/* The rows from..to of the order, which agree on all bits before `depth`; those with the bit set come first. */
static obdd rows_to_obdd(abstraction *a, const row_sorting *r, const uint32_t *order, size_t from, size_t to,
                         size_t depth) {
  if (from == to) return OBDD_FALSE;
  if (depth == a->state_bits) return OBDD_TRUE;
  size_t low = from, high = to;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (row_bit(r->rows + order[middle] * r->words, depth))
      low = middle + 1;
    else
      high = middle;
  }
  obdd yes = rows_to_obdd(a, r, order, from, low, depth + 1), no = rows_to_obdd(a, r, order, low, to, depth + 1);
  return obdd_ite(a->obdds, obdd_variable(a->obdds, 2 * depth), yes, no);
}

obdd on_demand_states(abstraction *a) {
  const implicit_search *s = a->search;
  size_t count = store_count(s->states);
  uint64_t *rows = MEMORY_ARRAY(uint64_t, count * s->words + 1);
  uint32_t *order = MEMORY_ARRAY(uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    store_read(s->states, i, rows + i * s->words);
    order[i] = i;
  }
  row_sorting r = {rows, s->words};
  qsort_r(order, count, sizeof(uint32_t), compare_rows, &r);
  size_t mark = obdds_mark(a->obdds);
  obdd result = rows_to_obdd(a, &r, order, 0, count, 0);
  obdds_release(a->obdds, mark, 1, &result);
  memory_free(order);
  memory_free(rows);
  return result;
}
