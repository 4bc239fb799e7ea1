/* Values under conditions.
 *
 * A guard that says `if c then v = a` and `unless c v = b`, in whatever nesting, gives v the value `if c then a else
 * b`. The places where it speaks of v are gathered with the conditions on the way there, and put into one decision
 * tree, in which v stands for itself if nothing is said. Whatever else the guard says, replacing v by the tree is
 * exact: if the guard holds the tree is v, and if it holds with the tree for v, the tree's value is one for v. */
#include "base/map.h"
#include "input/chc/lower.h"
#include "term/bounds.h"
#include "term/fold.h"

/* What one variable may cost. */
enum { MOST_VISITS = 20000, MOST_CONDITIONS = 48, MOST_NODES = 2000, MOST_PAIRS = 64, MOST_DEPTH = 32 };
/* What one case may cost. */
enum { MOST_WORK = 3000000 };

#define NOTHING UINT32_MAX

/* A condition on the way, and those before it. */
typedef struct way {
  term condition;
  uint32_t before, length;
} way;

typedef struct visit {
  term formula;
  uint32_t way;
} visit;

typedef struct tree_node {
  bool is_test, is_value;
  term content; /* what is tested, or the value */
  uint32_t yes, no;
} tree_node;

typedef struct defining {
  chc_lowering *l;
  terms *ts;
  variable v;
  term_fold mentioning; /* whether a term of the guard mentions v */
  VECTOR(way) ways;
  VECTOR(visit) pending;
  VECTOR(tree_node) tree;
  size_t visits;
  bool is_beyond;
} defining;

static void mention_rule(const term_fold *f, term t, void *out) {
  const variable *v = f->context;
  bool *found = out;
  term_kind kind = term_kind_of(f->ts, t);
  if (kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_REAL_VARIABLE)
    *found = variable_same(term_variable(f->ts, t), *v);
  for (size_t i = 0; i < term_arguments(f->ts, t) && !*found; i++)
    *found = FOLD_VALUE(bool, f, term_argument(f->ts, t, i));
}

static bool mentions(const defining *d, term t) {
  return term_fold_has(&d->mentioning, t) && FOLD_VALUE(bool, &d->mentioning, t);
}

/* How many terms the guard has. */
static size_t find_mentioning(defining *d, term guard) {
  d->mentioning = (term_fold){.ts = d->ts, .size = sizeof(bool), .rule = mention_rule, .context = &d->v};
  term_fold_prepare(&d->mentioning, 1, &guard);
  return term_fold_count(&d->mentioning);
}

/* ---- the tree ---- */

static uint32_t tree_new(defining *d) {
  VECTOR_PUSH(d->tree, (tree_node){0});
  return (uint32_t)d->tree.count - 1;
}

typedef struct entry {
  uint32_t node;
  uint64_t left; /* conditions not yet tested */
} entry;

/* From an empty node on: the conditions that are left, and then the value. */
static void tree_grow(defining *d, uint32_t node, const term_vector *conditions, uint64_t left, term value) {
  for (size_t i = 0; i < conditions->count; i++) {
    if (!(left >> i & 1)) continue;
    uint32_t yes = tree_new(d), no = tree_new(d);
    d->tree.at[node] = (tree_node){.is_test = true, .content = conditions->at[i], .yes = yes, .no = no};
    node = yes;
  }
  d->tree.at[node] = (tree_node){.is_value = true, .content = value};
}

/* The value holds under the conditions; if the tree has one already it stays. */
static void tree_add(defining *d, const term_vector *conditions, term value) {
  VECTOR(entry) pending = {0};
  VECTOR_PUSH(pending, (entry){0, (UINT64_C(1) << conditions->count) - 1});
  while (pending.count && !d->is_beyond) {
    entry e = VECTOR_POP(pending);
    tree_node n = d->tree.at[e.node];
    if (n.is_value) continue;
    if (!n.is_test) {
      tree_grow(d, e.node, conditions, e.left, value);
      d->is_beyond |= d->tree.count > MOST_NODES;
      continue;
    }
    bool is_known = false, is_yes = false;
    for (size_t i = 0; i < conditions->count && !is_known; i++) {
      is_known = term_same(term_positive(conditions->at[i]), term_positive(n.content));
      is_yes = term_same(conditions->at[i], n.content);
      if (is_known) e.left &= ~(UINT64_C(1) << i);
    }
    if (!is_known || is_yes) VECTOR_PUSH(pending, (entry){n.yes, e.left});
    if (!is_known || !is_yes) VECTOR_PUSH(pending, (entry){n.no, e.left});
    d->is_beyond |= pending.count > MOST_NODES || ++d->visits > MOST_VISITS;
  }
  VECTOR_FREE(pending);
}

/* Children come after their parents. */
static term tree_term(defining *d) {
  term_vector made = {0};
  for (size_t i = 0; i < d->tree.count; i++) VECTOR_PUSH(made, term_of_variable(d->ts, d->v));
  for (size_t i = d->tree.count; i-- > 0;) {
    tree_node n = d->tree.at[i];
    if (n.is_value) made.at[i] = n.content;
    if (n.is_test) made.at[i] = term_ite(d->ts, n.content, made.at[n.yes], made.at[n.no]);
  }
  term whole = made.at[0];
  VECTOR_FREE(made);
  return whole;
}

/* ---- what is said of the variable ---- */

static uint32_t go(defining *d, uint32_t from, term condition) {
  uint32_t length = from == NOTHING ? 0 : d->ways.at[from].length;
  VECTOR_PUSH(d->ways, (way){condition, from, length + 1});
  return (uint32_t)d->ways.count - 1;
}

static void visit_later(defining *d, term formula, uint32_t along) {
  if (along == NOTHING || d->ways.at[along].length <= MOST_CONDITIONS) VECTOR_PUSH(d->pending, (visit){formula, along});
}

static void add_value(defining *d, term value, uint32_t along) {
  term_vector conditions = {0};
  for (; along != NOTHING; along = d->ways.at[along].before) {
    bool is_new = true;
    for (size_t i = 0; i < conditions.count && is_new; i++)
      is_new = !term_same(conditions.at[i], d->ways.at[along].condition);
    if (is_new) VECTOR_PUSH(conditions, d->ways.at[along].condition);
  }
  for (size_t i = 0; 2 * i + 1 < conditions.count; i++) { /* outermost first */
    term other = conditions.at[conditions.count - 1 - i];
    conditions.at[conditions.count - 1 - i] = conditions.at[i];
    conditions.at[i] = other;
  }
  tree_add(d, &conditions, value);
  VECTOR_FREE(conditions);
}

/* Some conjunct of one is the negation of one of the other's. */
static bool exclude(defining *d, term a, term b) {
  term_vector of_a = {0}, of_b = {0};
  term_conjuncts(d->ts, a, &of_a);
  term_conjuncts(d->ts, b, &of_b);
  bool found = false;
  for (size_t i = 0; i < of_a.count && !found; i++)
    for (size_t j = 0; j < of_b.count && !found; j++)
      found = !mentions(d, of_a.at[i]) && term_same(of_a.at[i], term_not(of_b.at[j]));
  d->visits += of_a.count + of_b.count;
  VECTOR_FREE(of_a);
  VECTOR_FREE(of_b);
  return found;
}

static bool all_exclude(defining *d, const term_vector *disjuncts) {
  bool fine = disjuncts->count <= MOST_PAIRS;
  for (size_t i = 0; i < disjuncts->count && fine; i++)
    for (size_t j = 0; j < i && fine; j++) fine = exclude(d, disjuncts->at[i], disjuncts->at[j]);
  return fine;
}

/* If only one disjunct speaks of the variable it holds unless another does; if several do, and no two of them can
 * hold, each holds if what else it says does. */
static void visit_disjunction(defining *d, term formula, uint32_t along) {
  term_vector disjuncts = {0}, speaking = {0};
  term_disjuncts(d->ts, formula, &disjuncts);
  for (size_t i = 0; i < disjuncts.count; i++)
    if (mentions(d, disjuncts.at[i]))
      VECTOR_PUSH(speaking, disjuncts.at[i]);
    else if (disjuncts.count <= MOST_CONDITIONS)
      along = go(d, along, term_not(disjuncts.at[i]));
  bool several = speaking.count > 1;
  if (disjuncts.count <= MOST_CONDITIONS && (!several || all_exclude(d, &speaking)))
    for (size_t i = 0; i < speaking.count; i++) {
      uint32_t here = along;
      term_vector parts = {0};
      term_conjuncts(d->ts, speaking.at[i], &parts);
      for (size_t j = 0; j < parts.count && several; j++)
        if (!mentions(d, parts.at[j])) here = go(d, here, parts.at[j]);
      VECTOR_FREE(parts);
      visit_later(d, speaking.at[i], here);
    }
  VECTOR_FREE(disjuncts);
  VECTOR_FREE(speaking);
}

static void visit_formula(defining *d, term formula, uint32_t along) {
  terms *ts = d->ts;
  term value;
  if (!mentions(d, formula)) return;
  if (lower_defines(d->l, formula, d->v, &value)) {
    add_value(d, value, along);
    return;
  }
  term_kind kind = term_kind_of(ts, formula);
  if (kind == TERM_AND && !term_is_negated(formula)) {
    for (size_t i = 0; i < term_arguments(ts, formula); i++) visit_later(d, term_argument(ts, formula, i), along);
  } else if (kind == TERM_AND) {
    visit_disjunction(d, formula, along);
  } else if (kind == TERM_BOOL_ITE && !mentions(d, term_argument(ts, formula, 0))) {
    term c = term_argument(ts, formula, 0), a = term_argument(ts, formula, 1), b = term_argument(ts, formula, 2);
    bool no = term_is_negated(formula);
    visit_later(d, no ? term_not(a) : a, go(d, along, c));
    visit_later(d, no ? term_not(b) : b, go(d, along, term_not(c)));
  }
}

/* The tree for `v`; false if there is none. `*work` grows by what it cost, `used` by what its values speak of. */
static bool value_of(chc_lowering *l, term guard, variable v, term *out, size_t *work, variable_vector *used) {
  defining d = {.l = l, .ts = l->ts, .v = v};
  *work += find_mentioning(&d, guard);
  tree_new(&d);
  visit_later(&d, guard, NOTHING);
  while (d.pending.count && !d.is_beyond) {
    visit next = VECTOR_POP(d.pending);
    visit_formula(&d, next.formula, next.way);
    d.is_beyond |= ++d.visits > MOST_VISITS;
  }
  bool found = !d.is_beyond && (d.tree.at[0].is_test || d.tree.at[0].is_value);
  for (size_t i = 0; i < d.tree.count && found; i++)
    if (d.tree.at[i].is_value) term_variables(l->ts, 1, &d.tree.at[i].content, used);
  if (found) *out = tree_term(&d);
  *work += d.visits;
  term_fold_close(&d.mentioning);
  VECTOR_FREE(d.ways);
  VECTOR_FREE(d.pending);
  VECTOR_FREE(d.tree);
  return found;
}

/* ---- what remains to be said ---- */

/* Simplifies each part of a formula, given that the other parts hold (in a conjunction) or do not (in a disjunction).
 * The depth is limited; below it formulas stay as they are. */
static term in_context(terms *ts, term formula, size_t depth, size_t *work) {
  if (term_kind_of(ts, formula) != TERM_AND || depth > MOST_DEPTH || *work > MOST_WORK) return formula;
  bool is_or = term_is_negated(formula);
  term_vector parts = {0}, literals = {0}, made = {0};
  if (is_or)
    term_disjuncts(ts, formula, &parts);
  else
    term_conjuncts(ts, formula, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (term_is_atom(ts, parts.at[i])) {
      VECTOR_PUSH(literals, is_or ? term_not(parts.at[i]) : parts.at[i]);
      VECTOR_PUSH(made, parts.at[i]);
    }
  for (size_t i = 0; i < parts.count; i++) {
    term part = parts.at[i];
    if (term_is_atom(ts, part)) continue;
    if (literals.count) part = term_simplify_under(ts, part, literals.count, literals.at);
    *work += term_size(ts, part);
    VECTOR_PUSH(made, in_context(ts, part, depth + 1, work));
  }
  term result = is_or ? term_or_all(ts, made.count, made.at) : term_and_all(ts, made.count, made.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(literals);
  VECTOR_FREE(made);
  return result;
}

static void replace(chc_lowering *l, open_case *c, variable v, term by, size_t *work) {
  substitution_clear(l->substitution);
  substitution_set(l->substitution, v, by);
  c->guard = in_context(l->ts, substitution_apply(l->substitution, c->guard), 0, work);
  for (size_t i = 0; i < c->values.count; i++) c->values.at[i] = substitution_apply(l->substitution, c->values.at[i]);
}

static void push_free(const chc_lowering *l, const variable_vector *from, map *known, variable_vector *out) {
  uint64_t ignored;
  for (size_t i = 0; i < from->count; i++) {
    if (!lower_is_free(l, from->at[i]) || map_get(known, from->at[i].x, &ignored)) continue;
    map_set(known, from->at[i].x, 1);
    VECTOR_PUSH(*out, from->at[i]);
  }
}

/* Only what values after the step are made of: other variables are choices, which the trees test. */
void lower_define(chc_lowering *l, open_case *c) {
  variable_vector pending = {0}, inside = {0};
  map *known = map_new();
  size_t work = 0;
  lower_settle(l, c);
  term_variables(l->ts, c->values.count, c->values.at, &inside);
  push_free(l, &inside, known, &pending);
  for (size_t i = 0; i < pending.count && work < MOST_WORK; i++) {
    term value;
    VECTOR_CLEAR(inside);
    if (!value_of(l, c->guard, pending.at[i], &value, &work, &inside)) continue;
    replace(l, c, pending.at[i], value, &work);
    push_free(l, &inside, known, &pending);
  }
  VECTOR_FREE(pending);
  VECTOR_FREE(inside);
  map_free(known);
  lower_settle(l, c);
}
