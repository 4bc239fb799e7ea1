/* A search by trying values, over the intervals of store/narrow.h. A frame is a variable whose values are being tried;
 * a leaf has every unknown fixed and is tested with the whole condition, so what narrowing leaves out cannot do harm.
 *
 * Passes over growing windows visit only what the pass before did not: a leaf is old when every value chosen in a
 * window lies in the smaller window of the pass before. The choices before it being the same, the intervals were then
 * the same too. */
#include "store/enumerate.h"

#include "store/narrow.h"
#include "term/evaluate.h"

/* More values than these are not tried one by one. */
static const uint64_t FAR_TOO_MANY_VALUES = UINT64_C(1) << 26;
static const uint64_t FIRST_WINDOW = 1, LAST_WINDOW = UINT64_C(1) << 22;
enum { WINDOW_GROWTH = 4, NODES_A_SOLUTION = 100, NODES_AT_LEAST = 2000, ASK_SOLVER_FOR = 8 };

typedef struct frame {
  uint32_t unknown;
  bool in_window;
  int64_t low, high;             /* to try */
  int64_t inner_low, inner_high; /* the window of the pass before */
  int64_t value;                 /* being tried */
  size_t mark;
} frame;

struct enumerator {
  terms *ts;
  term condition;
  solver *solver;
  size_t unknown_count, count; /* knowns follow the unknowns */
  variable *vars;
  uint32_t *slots;
  narrower *narrower;
  struct condition *test;
  int64_t *values;
  VECTOR(frame) frames;
  bool is_narrowed, is_possible; /* the intervals stand as enumerator_range leaves them; the condition may hold */
};

enumerator *enumerator_new(terms *ts, term condition, size_t count, const variable *unknowns, size_t known_count,
                           const variable *knowns, solver *s) {
  enumerator *e = MEMORY_NEW(enumerator);
  e->ts = ts;
  e->condition = condition;
  e->solver = s;
  e->unknown_count = count;
  e->count = count + known_count;
  e->vars = MEMORY_ARRAY(variable, e->count);
  e->values = MEMORY_ARRAY(int64_t, e->count);
  e->slots = MEMORY_ARRAY(uint32_t, variable_count(ts));
  for (size_t i = 0; i < e->count; i++) {
    e->vars[i] = i < count ? unknowns[i] : knowns[i - count];
    e->slots[e->vars[i].x] = (uint32_t)i;
  }
  e->narrower = narrower_new(ts, condition, e->count, e->vars, e->slots);
  e->test = condition_compile(ts, condition, e->slots);
  return e;
}

void enumerator_free(enumerator *e) {
  if (!e) return;
  narrower_free(e->narrower);
  condition_free(e->test);
  memory_free(e->vars);
  memory_free(e->values);
  memory_free(e->slots);
  VECTOR_FREE(e->frames);
  memory_free(e);
}

bool enumerator_range(enumerator *e, size_t i, int64_t *low, int64_t *high) {
  if (!e->is_narrowed) {
    narrower_reset(e->narrower);
    e->is_possible = narrower_propagate(e->narrower);
    e->is_narrowed = true;
  }
  if (!e->is_possible || !narrower_is_bounded(e->narrower, i)) return false;
  *low = narrower_low(e->narrower, i);
  *high = narrower_high(e->narrower, i);
  return true;
}

typedef struct pass {
  enumerator *e;
  enumeration_limits limits;
  enumeration_visitor *visit;
  void *context;
  budget *budget;
  uint64_t window, window_before; /* of this pass and the one before; 0 in the first */
  uint64_t nodes_left;            /* counted once a window is in use */
  uint64_t found;
  variable blame;
  bool used_window, reached_limit, was_stopped, met_too_large;
} pass;

static uint64_t span_of(const narrower *n, size_t i) {
  if (!narrower_is_bounded(n, i)) return UINT64_MAX;
  return (uint64_t)narrower_high(n, i) - (uint64_t)narrower_low(n, i);
}

/* The unknown with the fewest values left that has more than one; false if all are fixed. */
static bool choose_unknown(const enumerator *e, size_t *out) {
  uint64_t fewest = 0;
  bool found = false;
  for (size_t i = 0; i < e->unknown_count; i++) {
    if (narrower_is_fixed(e->narrower, i)) continue;
    uint64_t span = span_of(e->narrower, i);
    if (found && span >= fewest) continue;
    *out = i;
    fewest = span;
    found = true;
  }
  return found;
}

static int64_t clamp(__int128 x) { return x < INT64_MIN ? INT64_MIN : x > INT64_MAX ? INT64_MAX : (int64_t)x; }

/* Around the value that is nearest to zero. A larger window has all of a smaller one. */
static void window_of(const narrower *n, size_t i, uint64_t size, int64_t *low, int64_t *high) {
  __int128 l = narrower_low(n, i), h = narrower_high(n, i), reach = (__int128)size;
  __int128 middle = l > 0 ? l : h < 0 ? h : 0;
  *low = clamp(l < middle - reach ? middle - reach : l);
  *high = clamp(h > middle + reach ? middle + reach : h);
}

static void push_frame(pass *p, size_t unknown) {
  const narrower *n = p->e->narrower;
  frame f = {.unknown = (uint32_t)unknown, .mark = narrower_mark(n)};
  uint64_t far = p->limits.far ? p->limits.far : FAR_TOO_MANY_VALUES;
  if (span_of(n, unknown) > far) {
    f.in_window = p->used_window = true;
    p->blame = p->e->vars[unknown];
    window_of(n, unknown, p->window, &f.low, &f.high);
    f.inner_low = 1;
    f.inner_high = 0;
    if (p->window_before) window_of(n, unknown, p->window_before, &f.inner_low, &f.inner_high);
  } else {
    f.low = narrower_low(n, unknown);
    f.high = narrower_high(n, unknown);
  }
  f.value = f.low;
  VECTOR_PUSH(p->e->frames, f);
}

static bool was_visited_before(const pass *p) {
  if (!p->window_before) return false;
  for (size_t i = 0; i < p->e->frames.count; i++) {
    const frame *f = &p->e->frames.at[i];
    if (f->in_window && (f->value < f->inner_low || f->value > f->inner_high)) return false;
  }
  return true;
}

static bool has_reached_limit(const pass *p) { return p->found >= (p->used_window ? p->limits.some : p->limits.all); }

static bool deliver(pass *p) {
  p->found++;
  if (!p->visit(p->context, p->e->values)) p->was_stopped = true;
  return !p->was_stopped;
}

/* False if the search must end. */
static bool visit_leaf(pass *p) {
  enumerator *e = p->e;
  for (size_t i = 0; i < e->unknown_count; i++) e->values[i] = narrower_low(e->narrower, i);
  int holds = condition_holds(e->test, e->values);
  if (holds < 0) p->met_too_large = true;
  if (holds <= 0 || was_visited_before(p)) return true;
  if (has_reached_limit(p)) {
    p->reached_limit = true;
    return false;
  }
  return deliver(p);
}

/* The next value that the innermost frame has and that does not contradict; frames without one are left. False at the
 * end. */
static bool advance(pass *p) {
  enumerator *e = p->e;
  while (e->frames.count) {
    frame *f = &VECTOR_LAST(e->frames);
    narrower_undo(e->narrower, f->mark);
    if (f->value == f->high) {
      e->frames.count--;
      continue;
    }
    f->value++;
    return true;
  }
  return false;
}

static bool may_go_on(pass *p) {
  if (p->budget && budget_spent(p->budget)) p->was_stopped = true;
  if (p->used_window && p->nodes_left) p->nodes_left--;
  return !p->was_stopped && p->nodes_left;
}

/* Goes down from where the intervals stand. */
static void run_pass(pass *p) {
  enumerator *e = p->e;
  VECTOR_CLEAR(e->frames);
  bool consistent = narrower_propagate(e->narrower);
  for (;;) {
    size_t unknown;
    if (!may_go_on(p)) return;
    if (consistent && choose_unknown(e, &unknown)) {
      push_frame(p, unknown);
    } else {
      if (consistent && !visit_leaf(p)) return;
      if (!advance(p)) return;
    }
    const frame *f = &VECTOR_LAST(e->frames);
    consistent = narrower_restrict(e->narrower, f->unknown, f->value, f->value) && narrower_propagate(e->narrower);
  }
}

static bool fix_knowns(enumerator *e, const int64_t *known_values) {
  bool consistent = true;
  e->is_narrowed = false;
  narrower_reset(e->narrower);
  for (size_t i = e->unknown_count; i < e->count; i++) {
    int64_t value = known_values[i - e->unknown_count];
    e->values[i] = value;
    consistent = narrower_restrict(e->narrower, i, value, value) && consistent;
  }
  return consistent;
}

static term is_value(terms *ts, variable v, number value) {
  term t = term_of_variable(ts, v);
  if (variable_type(ts, v)->sort == SORT_BOOL) return number_is(value, 0) ? term_not(t) : t;
  return term_eq(ts, t, term_number(ts, value));
}

/* Asserts that this solution is not meant again. False if it does not fit in 64 bits. */
static bool take_solution(enumerator *e) {
  bool fits = true;
  term_vector same = {0};
  for (size_t i = 0; i < e->unknown_count; i++) {
    number value = solver_value(e->solver, e->vars[i]);
    if (!number_to_int64(value, &e->values[i])) fits = false;
    VECTOR_PUSH(same, is_value(e->ts, e->vars[i], value));
  }
  solver_assert(e->solver, term_not(term_and_all(e->ts, same.count, same.at)));
  VECTOR_FREE(same);
  return fits;
}

/* True if the solver says that there is no solution but those it has given, and all of them were delivered. */
static bool ask_solver(pass *p) {
  enumerator *e = p->e;
  bool is_all = false, skipped = false;
  solver_push(e->solver);
  solver_assert(e->solver, e->condition);
  for (size_t i = e->unknown_count; i < e->count; i++)
    solver_assert(e->solver, is_value(e->ts, e->vars[i], number_of(e->values[i])));
  for (int asked = 0; asked < ASK_SOLVER_FOR && !has_reached_limit(p); asked++) {
    answer a = solver_check(e->solver, 0);
    if (answer_is_no(a)) is_all = !skipped;
    if (!answer_is_yes(a)) break;
    if (!take_solution(e) || condition_holds(e->test, e->values) != 1)
      skipped = true;
    else if (!deliver(p))
      break;
  }
  solver_pop(e->solver);
  return is_all;
}

static void run_passes(pass *p, const int64_t *known_values) {
  p->nodes_left = p->limits.some * NODES_A_SOLUTION + NODES_AT_LEAST;
  for (p->window = FIRST_WINDOW; p->window <= LAST_WINDOW; p->window *= WINDOW_GROWTH) {
    if (!fix_knowns(p->e, known_values)) return;
    run_pass(p);
    if (narrower_is_beyond(p->e->narrower)) p->met_too_large = true;
    if (!p->used_window || p->was_stopped || p->reached_limit || !p->nodes_left) return;
    p->window_before = p->window;
  }
}

enumeration enumerator_run(enumerator *e, const int64_t *known_values, enumeration_limits limits, budget *b,
                           enumeration_visitor *visit, void *context) {
  pass p = {.e = e, .limits = limits, .visit = visit, .context = context, .budget = b};
  run_passes(&p, known_values);
  enumeration_end end = p.was_stopped                     ? ENUMERATION_STOPPED
                        : p.met_too_large && p.found == 0 ? ENUMERATION_TOO_LARGE
                        : p.used_window                   ? ENUMERATION_UNBOUNDED
                        : p.reached_limit                 ? ENUMERATION_TOO_MANY
                        : p.met_too_large                 ? ENUMERATION_TOO_LARGE
                                                          : ENUMERATION_ALL;
  bool is_helpless = p.found == 0 && (end == ENUMERATION_UNBOUNDED || end == ENUMERATION_TOO_LARGE);
  if (is_helpless && e->solver && ask_solver(&p)) end = ENUMERATION_ALL;
  if (p.was_stopped) end = ENUMERATION_STOPPED;
  return (enumeration){end, p.blame, p.found};
}
