/* From decision diagrams back to formulas (Lakhnech, Bensalem, Berezin, Owre 2001, section 3.1: bdd2f, Fig. 2, Example
 * 1).
 *
 * For the checker the formula follows the order of the diagram, so it is as large as that; for people it decides
 * predicates before control, which reads best. Values of a control variable with the same rest are grouped: one live
 * group gives `x in S and f`, several give `x in live` and `x in S => f` for each. */
#include <stdlib.h>

#include "base/map.h"
#include "predicate/abstraction_inside.h"
#include "term/print.h"

/* ---- variables of the abstract state: predicates and controls alike ---- */

typedef struct abstract_variable {
  bool is_predicate;
  size_t index;
} abstract_variable;

typedef VECTOR(abstract_variable) variable_order;

static uint32_t values_of(const abstraction *a, abstract_variable v) {
  return v.is_predicate ? 2 : a->system->controls.at[v.index].values;
}

static obdd cofactor(abstraction *a, obdd f, abstract_variable v, uint32_t value) {
  if (v.is_predicate) return obdd_restrict(a->obdds, f, 2 * (a->first_predicate + v.index), value);
  control_bits b = a->bits.at[v.index];
  for (uint32_t j = 0; j < b.count; j++)
    f = obdd_restrict(a->obdds, f, 2 * (b.first + j), value >> (b.count - 1 - j) & 1);
  return f;
}

/* The values of `v` by what is left of `f` there: `rest[g]` for the values with group_of[value] = g. */
typedef struct grouping {
  VECTOR(obdd) rest;
  VECTOR(uint32_t) group_of;
} grouping;

static grouping group_values(abstraction *a, obdd f, abstract_variable v) {
  grouping g = {0};
  for (uint32_t k = 0; k < values_of(a, v); k++) {
    obdd rest = cofactor(a, f, v, k);
    size_t at = 0;
    while (at < g.rest.count && !obdd_same(g.rest.at[at], rest)) at++;
    if (at == g.rest.count) VECTOR_PUSH(g.rest, rest);
    VECTOR_PUSH(g.group_of, (uint32_t)at);
  }
  return g;
}

static void grouping_free(grouping *g) {
  VECTOR_FREE(g->rest);
  VECTOR_FREE(g->group_of);
}

/* ---- as a term ---- */

static term has_value(const abstraction *a, abstract_variable v, uint32_t value) {
  terms *ts = a->system->ts;
  if (v.is_predicate) return value ? a->predicates.at[v.index] : term_not(a->predicates.at[v.index]);
  const control *c = &a->system->controls.at[v.index];
  term t = term_of_variable(ts, c->var);
  if (term_sort(ts, t) == SORT_BOOL) return value ? t : term_not(t);
  return term_eq(ts, t, term_int(ts, c->low + value));
}

static term in_group(const abstraction *a, abstract_variable v, const grouping *g, size_t group) {
  term_vector all = {0};
  for (uint32_t k = 0; k < g->group_of.count; k++)
    if (g->group_of.at[k] == group) VECTOR_PUSH(all, has_value(a, v, k));
  term result = term_or_all(a->system->ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

typedef struct formula_work {
  abstraction *a;
  const variable_order *order;
  map **made; /* for each place in the order: node -> term */
} formula_work;

/* Depth is the number of variables of the abstract state, and every step leaves out those that `f` does not depend on
 * only by asking. */
static term formula_of(formula_work *w, obdd f, size_t place) {
  abstraction *a = w->a;
  uint64_t known;
  if (f.node == 0) return TERM_FALSE;
  if (place == w->order->count) return TERM_TRUE;
  if (map_get(w->made[place], (uint64_t)f.node, &known)) return (term){(uint32_t)known};
  abstract_variable v = w->order->at[place];
  grouping g = group_values(a, f, v);
  term result = TERM_FALSE;
  for (size_t i = g.rest.count; i-- > 0;) {
    term rest = formula_of(w, g.rest.at[i], place + 1);
    term in = g.rest.count == 1 ? TERM_TRUE : in_group(a, v, &g, i);
    result = term_ite(a->system->ts, in, rest, result);
  }
  grouping_free(&g);
  map_set(w->made[place], (uint64_t)f.node, result.x);
  return result;
}

static term formula_in_order(abstraction *a, obdd f, const variable_order *order) {
  formula_work w = {a, order, MEMORY_ARRAY(map *, order->count + 1)};
  for (size_t i = 0; i < order->count; i++) w.made[i] = map_new();
  term result = formula_of(&w, f, 0);
  for (size_t i = 0; i < order->count; i++) map_free(w.made[i]);
  memory_free(w.made);
  return result;
}

/* The order of the diagram itself, without the controls in `left_out`. */
static variable_order order_of_diagram(const abstraction *a, size_t count, const uint32_t *left_out) {
  variable_order order = {0};
  for (size_t i = 0; i < a->bits.count; i++) {
    bool out = false;
    for (size_t j = 0; j < count; j++) out |= left_out[j] == i;
    if (!out) VECTOR_PUSH(order, (abstract_variable){false, i});
  }
  for (size_t i = 0; i < a->predicates.count; i++) VECTOR_PUSH(order, (abstract_variable){true, i});
  return order;
}

term abstraction_reached_term(abstraction *a) {
  variable_order order = order_of_diagram(a, 0, NULL);
  size_t mark = obdds_mark(a->obdds);
  term result = formula_in_order(a, a->reached, &order);
  obdds_release(a->obdds, mark, 0, NULL);
  VECTOR_FREE(order);
  return result;
}

void abstraction_visit(abstraction *a, size_t count, const uint32_t *controls, abstraction_visitor *visit,
                       void *context) {
  variable_order order = order_of_diagram(a, count, controls);
  VECTOR(uint32_t) value = {0};
  VECTOR(int64_t) shown = {0};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(value, 0);
  for (bool more = true; more;) {
    size_t mark = obdds_mark(a->obdds);
    obdd rest = a->reached;
    VECTOR_CLEAR(shown);
    for (size_t i = 0; i < count; i++) {
      rest = cofactor(a, rest, (abstract_variable){false, controls[i]}, value.at[i]);
      VECTOR_PUSH(shown, a->system->controls.at[controls[i]].low + value.at[i]);
    }
    if (rest.node != 0) visit(context, shown.at, formula_in_order(a, rest, &order));
    obdds_release(a->obdds, mark, 0, NULL);
    more = false;
    for (size_t i = count; i-- > 0 && !more;) {
      more = ++value.at[i] < a->system->controls.at[controls[i]].values;
      if (!more) value.at[i] = 0;
    }
  }
  VECTOR_FREE(value);
  VECTOR_FREE(shown);
  VECTOR_FREE(order);
}

/* ---- as text ---- */

typedef struct printing {
  abstraction *a;
  const char *const *names;
  variable_order order;
  text *out;
} printing;

/* Predicates, then places, then the other controls. */
static variable_order order_for_people(const abstraction *a) {
  variable_order order = {0};
  for (size_t i = 0; i < a->predicates.count; i++) VECTOR_PUSH(order, (abstract_variable){true, i});
  for (size_t i = 0; i < a->bits.count; i++) VECTOR_PUSH(order, (abstract_variable){false, i});
  return order;
}

static void print_formula_of(const terms *ts, term t, text *out) { term_print(ts, t, out); }

static void print_predicate(const printing *p, size_t i, bool value) {
  if (p->names) {
    text_add(p->out, "%s%s", value ? "" : "!", p->names[i]);
    return;
  }
  term t = p->a->predicates.at[i];
  print_formula_of(p->a->system->ts, value ? t : term_not(t), p->out);
}

/* `x in S` for the values marked, as = or != if one value is enough, else as a disjunction. */
static void print_in(const printing *p, abstract_variable v, const bool *in) {
  const abstraction *a = p->a;
  terms *ts = a->system->ts;
  size_t n = values_of(a, v), inside = 0, only = 0, missing = 0;
  if (v.is_predicate) {
    print_predicate(p, v.index, in[1]);
    return;
  }
  for (size_t k = 0; k < n; k++) {
    inside += in[k];
    if (in[k]) only = k;
    if (!in[k]) missing = k;
  }
  if (inside == 1) {
    print_formula_of(ts, has_value(a, v, (uint32_t)only), p->out);
  } else if (inside + 1 == n) {
    print_formula_of(ts, term_not(has_value(a, v, (uint32_t)missing)), p->out);
  } else {
    text_add(p->out, "(");
    for (size_t k = 0, shown = 0; k < n; k++) {
      if (!in[k]) continue;
      if (shown++) text_add(p->out, " || ");
      print_formula_of(ts, has_value(a, v, (uint32_t)k), p->out);
    }
    text_add(p->out, ")");
  }
}

static void mark_group(const grouping *g, size_t group, bool *in) {
  for (size_t k = 0; k < g->group_of.count; k++) in[k] = g->group_of.at[k] == group;
}

/* How many groups have states; `*in` says which values are in one. */
static size_t live_groups(const grouping *g, bool *in) {
  size_t live = 0;
  for (size_t i = 0; i < g->rest.count; i++) live += g->rest.at[i].node != 0;
  for (size_t k = 0; k < g->group_of.count; k++) in[k] = g->rest.at[g->group_of.at[k]].node != 0;
  return live;
}

static bool all_of(const bool *in, size_t n) {
  bool all = true;
  for (size_t k = 0; k < n; k++) all &= in[k];
  return all;
}

/* The first variable from `place` on that `f` depends on. */
static size_t next_place(printing *p, obdd f, size_t place) {
  for (; place < p->order.count; place++) {
    grouping g = group_values(p->a, f, p->order.at[place]);
    size_t groups = g.rest.count;
    grouping_free(&g);
    if (groups > 1) break;
  }
  return place;
}

/* As text nothing is shared, so a small diagram may become a long formula. */
enum { LONGEST_FORMULA = 1 << 24 };

static bool goes_on(const printing *p) {
  abstraction *a = p->a;
  if (!a->trouble && p->out->count > LONGEST_FORMULA) a->trouble = "the formula of the abstract states is too long";
  if (!a->trouble) a->trouble = budget_spent(a->budget);
  return !abstraction_trouble(a);
}

static void separate(const printing *p, bool *first) {
  if (!*first) text_add(p->out, " && ");
  *first = false;
}

/* `f` as conjuncts joined by "and". Groups are taken from the largest value down for predicates (p before !p), else in
 * the order of values. */
static void print_rest(printing *p, obdd f, size_t place, bool *first) {
  if (!goes_on(p)) return;
  place = next_place(p, f, place);
  if (place == p->order.count) return;
  abstract_variable v = p->order.at[place];
  grouping g = group_values(p->a, f, v);
  bool *in = MEMORY_ARRAY(bool, g.group_of.count + 1);
  size_t live = live_groups(&g, in);
  if (!all_of(in, g.group_of.count)) {
    separate(p, first);
    print_in(p, v, in);
  }
  for (size_t step = 0; step < g.rest.count; step++) {
    size_t i = v.is_predicate ? g.rest.count - 1 - step : step;
    if (g.rest.at[i].node == 0) continue;
    if (live == 1) {
      print_rest(p, g.rest.at[i], place + 1, first);
      continue;
    }
    if (next_place(p, g.rest.at[i], place + 1) == p->order.count) continue; /* nothing more to say there */
    separate(p, first);
    mark_group(&g, i, in);
    text_add(p->out, "(");
    print_in(p, v, in);
    text_add(p->out, " => ");
    bool inner = true;
    print_rest(p, g.rest.at[i], place + 1, &inner);
    text_add(p->out, ")");
  }
  memory_free(in);
  grouping_free(&g);
}

void abstraction_print(abstraction *a, const char *const *names, text *out) {
  printing p = {.a = a, .names = names, .order = order_for_people(a), .out = out};
  size_t mark = obdds_mark(a->obdds);
  bool first = true;
  if (a->reached.node == 0) text_add(out, "false");
  if (a->reached.node == 1) text_add(out, "true");
  if (a->reached.node > 1) print_rest(&p, a->reached, 0, &first);
  obdds_release(a->obdds, mark, 0, NULL);
  VECTOR_FREE(p.order);
}

/* ---- clauses ---- */

/* What was decided on the way to a leaf. Those given are the antecedents; the others follow from them. */
typedef struct decided {
  term fact;
  bool is_given;
} decided;

typedef struct clause_work {
  printing p;
  VECTOR(decided) path;
} clause_work;

static bool implied(const clause_work *w, size_t which) {
  terms *ts = w->p.a->system->ts;
  term_vector all = {0};
  for (size_t i = 0; i < w->path.count; i++)
    if (w->path.at[i].is_given) VECTOR_PUSH(all, w->path.at[i].fact);
  VECTOR_PUSH(all, term_not(w->path.at[which].fact));
  term against = term_and_all(ts, all.count, all.at);
  VECTOR_FREE(all);
  return answer_is_no(allsat_satisfiable(w->p.a->allsat, against));
}

static void print_clause(clause_work *w, obdd rest, size_t place) {
  text *out = w->p.out;
  bool first = true;
  for (size_t i = 0; i < w->path.count; i++) {
    if (!w->path.at[i].is_given) continue;
    separate(&w->p, &first);
    term_print(w->p.a->system->ts, w->path.at[i].fact, out);
  }
  if (!first) text_add(out, " => ");
  first = true;
  for (size_t i = 0; i < w->path.count; i++) {
    if (w->path.at[i].is_given || implied(w, i)) continue;
    separate(&w->p, &first);
    term_print(w->p.a->system->ts, w->path.at[i].fact, out);
  }
  print_rest(&w->p, rest, place, &first);
  if (first) text_add(out, "true");
  text_add(out, "\n");
}

/* A predicate of which both values are reached is an antecedent; if only one is, it is a consequent. Depth: the number
 * of predicates. */
static void print_clauses_from(clause_work *w, obdd f, size_t place) {
  printing *p = &w->p;
  if (!goes_on(p)) return;
  place = next_place(p, f, place);
  if (place == p->order.count || !p->order.at[place].is_predicate) {
    print_clause(w, f, place);
    return;
  }
  abstract_variable v = p->order.at[place];
  obdd with[2] = {cofactor(p->a, f, v, 0), cofactor(p->a, f, v, 1)};
  bool both = with[0].node != 0 && with[1].node != 0;
  for (int value = 1; value >= 0; value--) {
    if (with[value].node == 0) continue;
    term t = p->a->predicates.at[v.index];
    VECTOR_PUSH(w->path, (decided){value ? t : term_not(t), both});
    print_clauses_from(w, with[value], place + 1);
    w->path.count--;
  }
}

void abstraction_print_clauses(abstraction *a, text *out) {
  clause_work w = {.p = {.a = a, .order = order_for_people(a), .out = out}};
  size_t mark = obdds_mark(a->obdds);
  if (a->reached.node != 0) print_clauses_from(&w, a->reached, 0);
  obdds_release(a->obdds, mark, 0, NULL);
  VECTOR_FREE(w.path);
  VECTOR_FREE(w.p.order);
}
