/* Spacer through Z3_fixedpoint, as tried with Z3 4.8.12:
 *
 * - A resource limit or an interrupt ends a query for good: the next one begins from nothing. Callbacks are made in the
 * middle of it (`Z3_fixedpoint_add_callback`), in the same thread; covers can be read there.
 * - Transformations of rules are switched off: after slicing and inlining covers are refused, and the derivation
 * speaks of other rules.
 * - A limit of steps is a parameter of the context; the one of the fixedpoint is not known to it.
 * - `Z3_fixedpoint_set_params` refuses all parameters if it does not know one.
 *
 * Errors are noted as in z3.c; a fixedpoint with an error is lost, and whatever Z3 answered is thrown away. */
#include <z3.h>

#include "solver/fixedpoint.h"
#include "solver/watchdog.h"
#include "solver/z3_fixedpoint_inside.h"
#include "term/fold.h"

enum { WORK_OF_CALLBACK = 5 };

static void free_context(fixedpoint *f) {
  if (!f->z) return;
  if (f->z->context && f->handle) Z3_fixedpoint_dec_ref(f->z->context, f->handle);
  for (size_t i = 0; i < f->z->base.reasons.count; i++) memory_free(f->z->base.reasons.at[i]);
  VECTOR_FREE(f->z->base.reasons);
  f->z->base.methods->free(&f->z->base);
}

void fixedpoint_free(fixedpoint *f) {
  if (!f) return;
  watchdog_free(f->dog);
  free_context(f);
  VECTOR_FREE(f->declarations);
  memory_free(f);
}

/* ---- relations and rules ---- */

static Z3_symbol symbol(const fixedpoint *f, const char *name) { return Z3_mk_string_symbol(f->z->context, name); }

static bool has_arrays(const terms *ts, const fixedpoint *f) {
  for (size_t i = 0; i < f->problem->relations.count; i++) {
    const variable_vector *parameters = &f->problem->relations.at[i].parameters;
    for (size_t j = 0; j < parameters->count; j++)
      if (variable_type(ts, parameters->at[j])->sort == SORT_ARRAY) return true;
  }
  return false;
}

/* If rules with arrays are left out because others say more, Z3's answer is `true` for relations of which it needs to say more. */
static void set_parameters(const terms *ts, fixedpoint *f, bool finds_equations) {
  static const char *const off[] = {"xform.slice", "xform.inline_eager", "xform.inline_linear", "ctrl_c"};
  Z3_context c = f->z->context;
  Z3_params p = Z3_mk_params(c);
  if (!p) return;
  Z3_params_inc_ref(c, p);
  Z3_params_set_symbol(c, p, symbol(f, "engine"), symbol(f, "spacer"));
  for (size_t i = 0; i < ARRAY_LENGTH(off); i++) Z3_params_set_bool(c, p, symbol(f, off[i]), false);
  if (has_arrays(ts, f)) Z3_params_set_bool(c, p, symbol(f, "xform.subsumption_checker"), false);
  if (!finds_equations) Z3_params_set_bool(c, p, symbol(f, "spacer.eq_prop"), false);
  Z3_fixedpoint_set_params(c, f->handle, p);
  Z3_params_dec_ref(c, p);
}

static void declare(fixedpoint *f, uint32_t relation) {
  const variable_vector *parameters = &f->problem->relations.at[relation].parameters;
  VECTOR(Z3_sort) sorts = {0};
  char name[32];
  snprintf(name, sizeof name, "r%u", relation);
  for (size_t i = 0; i < parameters->count; i++) VECTOR_PUSH(sorts, z3_sort_of(f->z, parameters->at[i]));
  Z3_func_decl made = Z3_mk_func_decl(f->z->context, symbol(f, name), (unsigned)sorts.count, sorts.at, f->z->boolean);
  VECTOR_PUSH(f->declarations, made);
  if (z3_fine(f->z)) {
    Z3_inc_ref(f->z->context, Z3_func_decl_to_ast(f->z->context, made));
    Z3_fixedpoint_register_relation(f->z->context, f->handle, made);
  }
  VECTOR_FREE(sorts);
}

/* NULL if Z3 is lost. */
static Z3_ast of_atom(fixedpoint *f, const horn_atom *a) {
  const variable_vector *parameters = &f->problem->relations.at[a->relation].parameters;
  VECTOR(Z3_ast) arguments = {0};
  bool whole = true;
  for (size_t i = 0; i < a->arguments.count && whole; i++) {
    bool is_real = variable_type(f->z->base.ts, parameters->at[i])->sort == SORT_REAL;
    Z3_ast made = is_real ? z3_translate_real(f->z, a->arguments.at[i]) : z3_translate(f->z, a->arguments.at[i]);
    if (made && !is_real) made = z3_hold(f->z, made);
    whole = made != NULL;
    VECTOR_PUSH(arguments, made);
  }
  Z3_ast made = !whole ? NULL
                       : z3_hold(f->z, Z3_mk_app(f->z->context, f->declarations.at[a->relation],
                                                 (unsigned)arguments.count, arguments.at));
  for (size_t i = 0; i < arguments.count; i++) z3_release(f->z, arguments.at[i]);
  VECTOR_FREE(arguments);
  return made;
}

static Z3_ast body_of(fixedpoint *f, const horn_rule *r) {
  VECTOR(Z3_ast) parts = {0};
  bool whole = true;
  for (size_t i = 0; i < r->body.count && whole; i++) {
    Z3_ast made = of_atom(f, &r->body.at[i]);
    whole = made != NULL;
    if (whole) VECTOR_PUSH(parts, made);
  }
  Z3_ast constraint = whole ? z3_translate(f->z, r->constraint) : NULL, made = NULL;
  if (constraint) {
    VECTOR_PUSH(parts, z3_hold(f->z, constraint));
    made = z3_hold(f->z, Z3_mk_and(f->z->context, (unsigned)parts.count, parts.at));
  }
  for (size_t i = 0; i < parts.count; i++) z3_release(f->z, parts.at[i]);
  VECTOR_FREE(parts);
  return made;
}

static Z3_ast closed(fixedpoint *f, const horn_rule *r, Z3_ast implication) {
  if (!r->variables.count) return z3_hold(f->z, implication);
  VECTOR(Z3_app) bound = {0};
  for (size_t i = 0; i < r->variables.count; i++) {
    Z3_ast v = z3_translate(f->z, term_of_variable(f->z->base.ts, r->variables.at[i]));
    if (v) VECTOR_PUSH(bound, Z3_to_app(f->z->context, v));
  }
  Z3_ast made =
      f->z->base.lost
          ? NULL
          : z3_hold(f->z, Z3_mk_forall_const(f->z->context, 0, (unsigned)bound.count, bound.at, 0, NULL, implication));
  VECTOR_FREE(bound);
  return made;
}

static void depth_of(const term_fold *fold, term t, void *out) {
  uint32_t *depth = out;
  for (size_t i = 0; i < term_arguments(fold->ts, t); i++) {
    uint32_t below = FOLD_VALUE(uint32_t, fold, term_argument(fold->ts, t, i));
    if (below >= *depth) *depth = below + 1;
  }
}

/* Z3 recurses over formulas, and has no limit of its own. */
static bool is_too_deep(const terms *ts, const horn_rule *r) {
  enum { DEEPEST = 10000 };
  term_fold fold = {.ts = ts, .size = sizeof(uint32_t), .rule = depth_of};
  bool deep = *(uint32_t *)term_fold_value(&fold, r->constraint) > DEEPEST;
  for (size_t i = 0; i < r->head.arguments.count; i++)
    deep |= *(uint32_t *)term_fold_value(&fold, r->head.arguments.at[i]) > DEEPEST;
  for (size_t i = 0; i < r->body.count; i++)
    for (size_t j = 0; j < r->body.at[i].arguments.count; j++)
      deep |= *(uint32_t *)term_fold_value(&fold, r->body.at[i].arguments.at[j]) > DEEPEST;
  term_fold_close(&fold);
  return deep;
}

static void add_rule(fixedpoint *f, const horn_rule *r) {
  if (is_too_deep(f->z->base.ts, r)) {
    f->z->base.lost = "a formula is too deep for the solver";
    return;
  }
  Z3_ast body = body_of(f, r), head = body ? of_atom(f, &r->head) : NULL;
  Z3_ast implication = head ? z3_hold(f->z, Z3_mk_implies(f->z->context, body, head)) : NULL;
  Z3_ast whole = implication ? closed(f, r, implication) : NULL;
  if (whole) Z3_fixedpoint_add_rule(f->z->context, f->handle, whole, NULL);
  z3_fine(f->z);
  z3_release(f->z, whole);
  z3_release(f->z, implication);
  z3_release(f->z, head);
  z3_release(f->z, body);
}

static void interrupt(void *who) {
  fixedpoint *f = who;
  Z3_interrupt(f->z->context);
}

static GIVE fixedpoint *make(terms *ts, const horn_problem *p, budget *b, bool finds_equations) {
  fixedpoint *f = MEMORY_NEW(fixedpoint);
  f->problem = p;
  f->budget = b;
  f->z = z3_new(ts, b, false);
  f->dog = watchdog_new(interrupt, f);
  if (!z3_fine(f->z)) return f;
  f->handle = Z3_mk_fixedpoint(f->z->context);
  if (!f->handle || !z3_fine(f->z)) return f;
  Z3_fixedpoint_inc_ref(f->z->context, f->handle);
  set_parameters(ts, f, finds_equations);
  for (uint32_t i = 0; i < p->relations.count && z3_fine(f->z); i++) declare(f, i);
  for (size_t i = 0; i < p->rules.count && z3_fine(f->z); i++) {
    add_rule(f, &p->rules.at[i]);
    if (budget_spent(b)) f->z->base.lost = budget_spent(b);
  }
  return f;
}

fixedpoint *fixedpoint_new(terms *ts, const horn_problem *p, budget *b) { return make(ts, p, b, true); }

fixedpoint *fixedpoint_new_without_equations(terms *ts, const horn_problem *p, budget *b) {
  return make(ts, p, b, false);
}

/* Arguments are the variables 0, 1, .. that a quantifier would bind. */
void fixedpoint_add_cover(fixedpoint *f, const horn_cover *c) {
  const variable_vector *parameters = &f->problem->relations.at[c->relation].parameters;
  Z3_ast formula = z3_fine(f->z) ? z3_translate(f->z, c->formula) : NULL;
  VECTOR(Z3_ast) from = {0}, to = {0};
  for (size_t i = 0; i < parameters->count && formula; i++) {
    Z3_ast v = z3_translate(f->z, term_of_variable(f->z->base.ts, parameters->at[i]));
    Z3_ast bound =
        v ? z3_hold(f->z, Z3_mk_bound(f->z->context, (unsigned)i, z3_sort_of(f->z, parameters->at[i]))) : NULL;
    if (!bound) break;
    VECTOR_PUSH(from, v);
    VECTOR_PUSH(to, bound);
  }
  Z3_ast made = formula && z3_fine(f->z)
                    ? z3_hold(f->z, Z3_substitute(f->z->context, formula, (unsigned)from.count, from.at, to.at))
                    : NULL;
  if (made) Z3_fixedpoint_add_cover(f->z->context, f->handle, c->level, f->declarations.at[c->relation], made);
  z3_fine(f->z);
  z3_release(f->z, made);
  for (size_t i = 0; i < to.count; i++) z3_release(f->z, to.at[i]);
  VECTOR_FREE(from);
  VECTOR_FREE(to);
}

/* ---- the query ---- */

/* In the middle of it. One interrupt may come too early, so there is one at each callback that follows. Once there was
 * an interrupt, Z3 is asked nothing: its calls may then end by an exception that loses memory. */
static void look_up(fixedpoint *f) {
  if (watchdog_has_bitten(f->dog)) return;
  memory_library_leave();
  if (!f->is_ended && !f->is_out_of_work) {
    z3_count_work(f->z, WORK_OF_CALLBACK);
    f->is_out_of_work = !budget_work_left(f->budget);
    if (f->observe) f->is_ended = f->observe(f->context);
  }
  memory_library_enter();
  if (f->is_ended || f->is_out_of_work) Z3_interrupt(f->z->context);
}

static void at_lemma(void *state, Z3_ast lemma, unsigned level) { (void)state, (void)lemma, (void)level; }

static void at_predecessor(void *state) {
  fixedpoint *f = state;
  f->counts.predecessors++;
  look_up(f);
}

static void at_unfolding(void *state) {
  fixedpoint *f = state;
  f->counts.levels++;
  look_up(f);
}

static answer unsure_of(fixedpoint *f) {
  const char *why = Z3_fixedpoint_get_reason_unknown(f->z->context, f->handle);
  text message = {0};
  bool has_words = why && *why && strcmp(why, "ok");
  int line = has_words ? (int)strcspn(why, "\n") : 0; /* rules may follow */
  text_add(&message, "Z3: %.*s", has_words ? line : (int)strlen("unknown"), has_words ? why : "unknown");
  const char *reason = backend_reason(&f->z->base, text_string(&message));
  text_clear(&message);
  return answer_unsure(reason);
}

/* Between two callbacks there may be a long check: the limit of the context holds inside it too. */
static void limit_work(fixedpoint *f) {
  unsigned steps = z3_steps_left(f->budget);
  if (!steps) return;
  char *value = text_format("%u", steps);
  Z3_update_param_value(f->z->context, "rlimit", value);
  memory_free(value);
}

static Z3_lbool run_query(fixedpoint *f, const char **interrupted) {
  horn_atom goal = {.relation = f->problem->query};
  Z3_ast query = of_atom(f, &goal);
  if (!query) return Z3_L_UNDEF;
  Z3_fixedpoint_add_callback(f->z->context, f->handle, f, at_lemma, at_predecessor, at_unfolding);
  limits l = limits_of(f->budget, 0);
  limit_work(f);
  watchdog_set(f->dog, &l);
  memory_library_enter();
  Z3_lbool result = z3_fine(f->z) ? Z3_fixedpoint_query(f->z->context, f->handle, query) : Z3_L_UNDEF;
  memory_library_leave();
  *interrupted = watchdog_call_off(f->dog);
  z3_release(f->z, query);
  return result;
}

answer fixedpoint_query(fixedpoint *f, fixedpoint_observer *observe, void *context) {
  const char *interrupted = NULL;
  REQUIRE(!f->was_asked, "a fixedpoint that was not asked before");
  f->was_asked = true;
  if (!z3_fine(f->z)) return answer_unsure(f->z->base.lost);
  f->observe = observe;
  f->context = context;
  Z3_lbool result = run_query(f, &interrupted);
  f->observe = NULL;
  bool fine = z3_fine(f->z); /* after an interrupt Z3 says only that there was one */
  z3_count_work(f->z, WORK_OF_CALLBACK);
  if (result == Z3_L_UNDEF && !budget_work_left(f->budget)) f->is_out_of_work = true;
  if (f->is_ended) f->z->base.lost = "ended by its observer";
  if (f->is_out_of_work) f->z->base.lost = "work limit reached";
  if (interrupted) f->z->base.lost = interrupted;
  if (!fine || f->z->base.lost) return answer_unsure(f->z->base.lost);
  switch (result) {
    case Z3_L_TRUE: return answer_yes();
    case Z3_L_FALSE: return answer_no();
    case Z3_L_UNDEF: break;
  }
  return unsure_of(f);
}

fixedpoint_counts fixedpoint_counts_of(const fixedpoint *f) { return f->counts; }

bool fixedpoint_was_ended(const fixedpoint *f) { return f->is_ended; }
