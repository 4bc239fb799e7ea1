/* Z3 in this process: with its parts z3_*.c, the only file that sees z3.h.
 *
 * - Reference counts: every object is counted the moment it is made, because Z3 keeps only the newest uncounted one
 * alive.
 * - Errors: the handler notes them, and every call that matters is followed by a look at the note. A back-end with an
 * error is lost: an assertion that Z3 dropped would otherwise make a wrong yes.
 * - Time: a watchdog interrupts the check. `Z3_solver_interrupt` and not `Z3_interrupt`, whose effect outlives the
 * check and silently cancels the next push or assertion. After an interrupt whatever Z3 answers is thrown away, and Z3
 * is built afresh.
 * - Z3 catches SIGINT during checks unless it is set not to; the signal is the program's. */
#include <limits.h>
#include <z3.h>

#include "base/work.h"
#include "solver/watchdog.h"
#include "solver/z3_inside.h"

/* In work (base/work.h). */
enum { WORK_OF_CHECK = 100, STEPS_PER_UNIT = 5 };

static z3 *z3_of(backend *b) { return (z3 *)b; }

/* A context belongs to one thread, so its errors arrive there. */
static _Thread_local Z3_error_code noted_error;

static void note_error(Z3_context c, Z3_error_code e) {
  (void)c;
  noted_error = e;
}

bool z3_fine(z3 *z) {
  if (noted_error == Z3_OK) return !z->base.lost;
  if (noted_error == Z3_MEMOUT_FAIL) {
    z->base.lost = "Z3 ran out of memory";
  } else {
    text message = {0};
    text_add(&message, "Z3: %s", Z3_get_error_msg(z->context, noted_error));
    z->base.lost = backend_reason(&z->base, text_string(&message));
    text_clear(&message);
  }
  noted_error = Z3_OK;
  return false;
}

/* Life and death. */

static void close_context(z3 *z) {
  if (!z->context) return;
  for (size_t i = 0; i < z->asts.count; i++)
    if (z->asts.at[i]) Z3_dec_ref(z->context, z->asts.at[i]);
  VECTOR_CLEAR(z->asts);
  VECTOR_CLEAR(z->assumed);
  if (z->solver) Z3_solver_dec_ref(z->context, z->solver);
  Z3_del_context(z->context);
  z->context = NULL;
  z->solver = NULL;
  noted_error = Z3_OK;
}

/* `steps`: of Z3's own count, for each check; 0 is no limit. */
static void set_parameters(z3 *z, unsigned steps) {
  Z3_params p = Z3_mk_params(z->context);
  if (!p) return;
  Z3_params_inc_ref(z->context, p);
  Z3_params_set_bool(z->context, p, Z3_mk_string_symbol(z->context, "ctrl_c"), false);
  if (steps) Z3_params_set_uint(z->context, p, Z3_mk_string_symbol(z->context, "rlimit"), steps);
  if (z->for_assumptions) Z3_params_set_uint(z->context, p, Z3_mk_string_symbol(z->context, "arith.solver"), 2);
  Z3_solver_set_params(z->context, z->solver, p);
  Z3_params_dec_ref(z->context, p);
}

/* Z3 refuses to allocate beyond its limit, the gentler watchdog looks at the whole process: it shall come first. */
static void limit_memory(uint64_t bytes) {
  char megabytes[32];
  snprintf(megabytes, sizeof megabytes, "%llu", (unsigned long long)(bytes / 1000000 * 108 / 100 + 1));
  Z3_global_param_set("memory_max_size", megabytes);
}

static void open_context(z3 *z) {
  noted_error = Z3_OK;
  z->steps = 0;
  if (z->memory) limit_memory(z->memory);
  Z3_config configuration = Z3_mk_config();
  z->context = Z3_mk_context_rc(configuration);
  Z3_del_config(configuration);
  if (!z->context) {
    z->base.lost = "Z3 ran out of memory";
    return;
  }
  Z3_set_error_handler(z->context, note_error);
  z->solver = Z3_mk_simple_solver(z->context);
  if (z->solver) Z3_solver_inc_ref(z->context, z->solver);
  if (!z3_fine(z)) return;
  set_parameters(z, 0);
  z->integer = Z3_mk_int_sort(z->context);
  z->boolean = Z3_mk_bool_sort(z->context);
  z->real = Z3_mk_real_sort(z->context);
  z3_make_array_sorts(z);
  z3_fine(z);
}

static void interrupt(void *who) {
  z3 *z = who;
  Z3_solver_interrupt(z->context, z->solver);
}

static void z3_restart(backend *b, bool cores) {
  (void)cores;
  close_context(z3_of(b));
  b->lost = NULL;
  open_context(z3_of(b));
}

static void z3_free(backend *b) {
  z3 *z = z3_of(b);
  watchdog_free(z->dog);
  close_context(z);
  VECTOR_FREE(z->asts);
  VECTOR_FREE(z->pending);
  VECTOR_FREE(z->arguments);
  VECTOR_FREE(z->assumed);
  memory_free(z);
}

/* Translation. What is made with `z3_hold` is released, unless it goes into the cache. */

Z3_ast z3_hold(z3 *z, Z3_ast a) {
  if (!z3_fine(z) || !a) {
    if (!z->base.lost) z->base.lost = "Z3 did not make a formula";
    return NULL;
  }
  Z3_inc_ref(z->context, a);
  return a;
}

void z3_release(z3 *z, Z3_ast a) {
  if (a) Z3_dec_ref(z->context, a);
}

static Z3_ast of_number_as(z3 *z, number n, Z3_sort of) {
  int64_t small;
  if (number_to_int64(n, &small)) return z3_hold(z, Z3_mk_int64(z->context, small, of));
  REQUIRE(of == z->real || number_is_integer(n), "an integer");
  char *digits = number_string(n);
  Z3_ast a = z3_hold(z, Z3_mk_numeral(z->context, digits, of));
  memory_free(digits);
  return a;
}

static Z3_ast of_number(z3 *z, number n) { return of_number_as(z, n, z->integer); }

static Z3_ast cached(const z3 *z, term t) { return t.x < z->asts.count ? z->asts.at[t.x] : NULL; }

static void remember(z3 *z, term t, TAKE Z3_ast a) {
  while (z->asts.count <= (t.x | 1)) VECTOR_PUSH(z->asts, NULL);
  z->asts.at[t.x] = a;
}

/* The AST of a term whose positive form is translated already. */
static Z3_ast of_translated(z3 *z, term t) {
  Z3_ast a = cached(z, t);
  if (a || !term_is_negated(t)) return a;
  Z3_ast positive = cached(z, term_positive(t));
  a = positive ? z3_hold(z, Z3_mk_not(z->context, positive)) : NULL;
  if (a) remember(z, t, a);
  return a;
}

static Z3_ast argument(z3 *z, term t, size_t i) { return of_translated(z, term_argument(z->base.ts, t, i)); }

Z3_ast z3_value_of_translated(z3 *z, term t, bool as_real) {
  number n;
  Z3_ast own = of_translated(z, t);
  if (!own || !as_real || term_sort(z->base.ts, t) != SORT_INT) return own ? z3_hold(z, own) : NULL;
  if (term_is_number(z->base.ts, t, &n)) return of_number_as(z, n, z->real);
  return z3_hold(z, Z3_mk_int2real(z->context, own));
}

Z3_ast z3_translate_real(z3 *z, term root) {
  return z3_translate(z, root) ? z3_value_of_translated(z, root, true) : NULL;
}

Z3_sort z3_sort_of(const z3 *z, variable v) {
  sort of = variable_type(z->base.ts, v)->sort;
  if (of == SORT_ARRAY) return z->arrays[variable_type(z->base.ts, v)->element][variable_type(z->base.ts, v)->nesting];
  return of == SORT_BOOL ? z->boolean : of == SORT_REAL ? z->real : z->integer;
}

/* Takes the leaf. */
static Z3_ast scaled(z3 *z, number factor, Z3_sort of, TAKE Z3_ast leaf) {
  if (!leaf || number_is(factor, 1)) return leaf;
  Z3_ast f = of_number_as(z, factor, of), both[2] = {f, leaf};
  Z3_ast product = f ? z3_hold(z, Z3_mk_mul(z->context, 2, both)) : NULL;
  z3_release(z, f);
  z3_release(z, leaf);
  return product;
}

static Z3_ast of_sum(z3 *z, term t) {
  const terms *ts = z->base.ts;
  size_t count = term_arguments(ts, t);
  bool is_real = term_sort(ts, t) == SORT_REAL;
  Z3_sort of = is_real ? z->real : z->integer;
  VECTOR_CLEAR(z->arguments);
  for (size_t i = 0; i < count; i++)
    VECTOR_PUSH(z->arguments,
                scaled(z, term_coefficient(ts, t, i), of, z3_value_of_translated(z, term_argument(ts, t, i), is_real)));
  number constant = term_constant(ts, t);
  if (!count || !number_is(constant, 0)) VECTOR_PUSH(z->arguments, of_number_as(z, constant, of));
  Z3_ast sum = z->base.lost ? NULL : z3_hold(z, Z3_mk_add(z->context, (unsigned)z->arguments.count, z->arguments.at));
  for (size_t i = 0; i < z->arguments.count; i++) z3_release(z, z->arguments.at[i]);
  return sum;
}

typedef Z3_ast many(Z3_context c, unsigned count, Z3_ast const arguments[]);

static Z3_ast of_many(z3 *z, term t, many *make) {
  VECTOR_CLEAR(z->arguments);
  for (size_t i = 0; i < term_arguments(z->base.ts, t); i++) {
    Z3_ast a = argument(z, t, i);
    if (!a) return NULL;
    VECTOR_PUSH(z->arguments, a);
  }
  return z3_hold(z, make(z->context, (unsigned)z->arguments.count, z->arguments.at));
}

/* Division by zero is 0 and the remainder by zero the dividend; Z3 leaves both open. */
static Z3_ast of_division(z3 *z, term t, bool remainder) {
  const terms *ts = z->base.ts;
  Z3_ast above = argument(z, t, 0), below = argument(z, t, 1);
  if (!above || !below) return NULL;
  Z3_ast plain = z3_hold(z, remainder ? Z3_mk_mod(z->context, above, below) : Z3_mk_div(z->context, above, below));
  number divisor;
  if (!plain || (term_is_number(ts, term_argument(ts, t, 1), &divisor) && number_sign(divisor))) return plain;
  Z3_ast zero = of_number(z, number_of(0));
  Z3_ast is_zero = zero ? z3_hold(z, Z3_mk_eq(z->context, below, zero)) : NULL;
  Z3_ast total = is_zero ? z3_hold(z, Z3_mk_ite(z->context, is_zero, remainder ? above : zero, plain)) : NULL;
  z3_release(z, is_zero);
  z3_release(z, zero);
  z3_release(z, plain);
  return total;
}

/* Equations that get their negative monomials on the other side. `x = y`, not `x - y = 0`: Z3 then knows that the two are equal without
 * arithmetic. `x = a[i]` of an array: Spacer finds proofs about such equations that it does not find about `x - a[i] = 0`. */
static bool has_two_sides(const terms *ts, term sum) {
  linear l = term_linear(ts, sum);
  for (size_t i = 0; i < l.count; i++)
    if (term_kind_of(ts, l.leaves[i]) == TERM_SELECT) return true;
  if (l.count != 2 || !number_is(l.constant, 0)) return false;
  number a = l.coefficients[0], b = l.coefficients[1];
  return (number_is(a, 1) && number_is(b, -1)) || (number_is(a, -1) && number_is(b, 1));
}

static Z3_ast side_of(z3 *z, term sum, int sign, Z3_sort of) {
  linear l = term_linear(z->base.ts, sum);
  bool is_real = of == z->real;
  VECTOR_CLEAR(z->arguments);
  for (size_t i = 0; i < l.count; i++)
    if (number_sign(l.coefficients[i]) == sign)
      VECTOR_PUSH(z->arguments,
                  scaled(z, number_abs(l.coefficients[i]), of, z3_value_of_translated(z, l.leaves[i], is_real)));
  bool has_constant = number_sign(l.constant) == sign;
  if (has_constant || !z->arguments.count)
    VECTOR_PUSH(z->arguments, of_number_as(z, has_constant ? number_abs(l.constant) : number_of(0), of));
  Z3_ast side = z->base.lost ? NULL
                : z->arguments.count == 1
                    ? z3_hold(z, z->arguments.at[0])
                    : z3_hold(z, Z3_mk_add(z->context, (unsigned)z->arguments.count, z->arguments.at));
  for (size_t i = 0; i < z->arguments.count; i++) z3_release(z, z->arguments.at[i]);
  return side;
}

static Z3_ast of_two_sides(z3 *z, term sum, Z3_sort of) {
  Z3_ast left = side_of(z, sum, 1, of), right = left ? side_of(z, sum, -1, of) : NULL;
  Z3_ast made = right ? z3_hold(z, Z3_mk_eq(z->context, left, right)) : NULL;
  z3_release(z, left);
  z3_release(z, right);
  return made;
}

static Z3_ast of_comparison(z3 *z, term t, bool equal) {
  Z3_sort of = term_is_real_atom(z->base.ts, t) ? z->real : z->integer;
  term whole = term_argument(z->base.ts, t, 0);
  if (equal && has_two_sides(z->base.ts, whole)) return of_two_sides(z, whole, of);
  Z3_ast sum = argument(z, t, 0), zero = sum ? of_number_as(z, number_of(0), of) : NULL;
  if (!zero) return NULL;
  Z3_ast a = z3_hold(z, equal ? Z3_mk_eq(z->context, sum, zero) : Z3_mk_le(z->context, sum, zero));
  z3_release(z, zero);
  return a;
}

static Z3_ast of_ite(z3 *z, term t) {
  const terms *ts = z->base.ts;
  bool is_real = term_sort(ts, t) == SORT_REAL;
  Z3_ast condition = argument(z, t, 0), then = z3_value_of_translated(z, term_argument(ts, t, 1), is_real);
  Z3_ast otherwise = z3_value_of_translated(z, term_argument(ts, t, 2), is_real);
  Z3_ast made = condition && then && otherwise ? z3_hold(z, Z3_mk_ite(z->context, condition, then, otherwise)) : NULL;
  z3_release(z, then);
  z3_release(z, otherwise);
  return made;
}

static Z3_ast of_product(z3 *z, term t) {
  const terms *ts = z->base.ts;
  bool is_real = term_sort(ts, t) == SORT_REAL;
  VECTOR_CLEAR(z->arguments);
  for (size_t i = 0; i < term_arguments(ts, t); i++)
    VECTOR_PUSH(z->arguments, z3_value_of_translated(z, term_argument(ts, t, i), is_real));
  Z3_ast made = z->base.lost ? NULL : z3_hold(z, Z3_mk_mul(z->context, (unsigned)z->arguments.count, z->arguments.at));
  for (size_t i = 0; i < z->arguments.count; i++) z3_release(z, z->arguments.at[i]);
  return made;
}

static Z3_ast of_iff(z3 *z, term t) {
  Z3_ast a = argument(z, t, 0), b = argument(z, t, 1);
  return a && b ? z3_hold(z, Z3_mk_iff(z->context, a, b)) : NULL;
}

Z3_ast z3_of_constant(z3 *z, uint32_t symbol, Z3_sort of) {
  return z3_hold(z, Z3_mk_const(z->context, Z3_mk_int_symbol(z->context, (int)symbol), of));
}

static Z3_ast of_term(z3 *z, term t) {
  const terms *ts = z->base.ts;
  switch (term_kind_of(ts, t)) {
    case TERM_CONSTANT_TRUE: return z3_hold(z, Z3_mk_true(z->context));
    case TERM_BOOL_VARIABLE: return z3_of_constant(z, term_variable(ts, t).x, z->boolean);
    case TERM_INT_VARIABLE: return z3_of_constant(z, term_variable(ts, t).x, z->integer);
    case TERM_REAL_VARIABLE: return z3_of_constant(z, term_variable(ts, t).x, z->real);
    case TERM_LE: return of_comparison(z, t, false);
    case TERM_EQ: return of_comparison(z, t, true);
    case TERM_AND: return of_many(z, t, Z3_mk_and);
    case TERM_PRODUCT: return of_product(z, t);
    case TERM_IFF: return of_iff(z, t);
    case TERM_BOOL_ITE:
    case TERM_INT_ITE: return of_ite(z, t);
    case TERM_SUM: return of_sum(z, t);
    case TERM_DIV: return of_division(z, t, false);
    case TERM_MOD: return of_division(z, t, true);
    case TERM_ARRAY_VARIABLE: return z3_of_constant(z, term_variable(ts, t).x, z3_sort_of(z, term_variable(ts, t)));
    case TERM_ARRAY_SAME:
    case TERM_BOOL_SELECT:
    case TERM_SELECT:
    case TERM_STORE:
    case TERM_CONSTANT_ARRAY:
    case TERM_ARRAY_SELECT:
    case TERM_ARRAY_ITE: return z3_of_array_term(z, t);
    case TERM_HEAP_NULL:
    case TERM_HEAP_SAME:
    case TERM_HEAP_DATA:
    case TERM_NODE_VARIABLE: break;
  }
  z->base.lost = "formulas about the heap are beyond the solver";
  return NULL;
}

/* Goes down only into what is not translated yet. */
Z3_ast z3_translate(z3 *z, term root) {
  const terms *ts = z->base.ts;
  VECTOR_CLEAR(z->pending);
  VECTOR_PUSH(z->pending, term_positive(root).x);
  while (z->pending.count) {
    term t = {VECTOR_LAST(z->pending)};
    size_t before = z->pending.count;
    if (!cached(z, t))
      for (size_t i = 0; i < term_arguments(ts, t); i++) {
        term a = term_positive(term_argument(ts, t, i));
        if (!cached(z, a)) VECTOR_PUSH(z->pending, a.x);
      }
    if (z->pending.count > before) continue;
    z->pending.count--;
    if (cached(z, t)) continue;
    Z3_ast a = of_term(z, t);
    if (!a) return NULL;
    remember(z, t, a);
  }
  return of_translated(z, root);
}

/* The stack. */

static void z3_push(backend *b) {
  Z3_solver_push(z3_of(b)->context, z3_of(b)->solver);
  z3_fine(z3_of(b));
}

static void z3_pop(backend *b) {
  Z3_solver_pop(z3_of(b)->context, z3_of(b)->solver, 1);
  z3_fine(z3_of(b));
}

static void z3_assert_term(backend *b, term t) {
  z3 *z = z3_of(b);
  Z3_ast a = z3_translate(z, t);
  if (!a) return;
  Z3_solver_assert(z->context, z->solver, a);
  z3_fine(z);
}

static void assert_bound(z3 *z, Z3_ast variable_ast, number bound, bool is_low) {
  Z3_ast limit = of_number(z, bound);
  Z3_ast a = !limit ? NULL
                    : z3_hold(z, is_low ? Z3_mk_le(z->context, limit, variable_ast)
                                        : Z3_mk_le(z->context, variable_ast, limit));
  if (a) Z3_solver_assert(z->context, z->solver, a);
  z3_fine(z);
  z3_release(z, a);
  z3_release(z, limit);
}

static void z3_declare(backend *b, variable v, bool within_type) {
  z3 *z = z3_of(b);
  const type *t = variable_type(b->ts, v);
  if (!within_type || t->sort != SORT_INT || (!t->has_low && !t->has_high)) return;
  Z3_ast a = z3_of_constant(z, v.x, z->integer);
  if (!a) return;
  if (t->has_low) assert_bound(z, a, t->low, true);
  if (t->has_high && !b->lost) assert_bound(z, a, t->high, false);
  z3_release(z, a);
}

/* Symbols of labels start where no variable's can be. */
enum { FIRST_LABEL_SYMBOL = 1 << 29 };

static void z3_assert_labelled(backend *b, term t, uint32_t label) {
  z3 *z = z3_of(b);
  REQUIRE(label < FIRST_LABEL_SYMBOL, "a stack of fewer than 2^29 entries");
  Z3_ast a = z3_translate(z, t);
  Z3_ast tracker = a ? z3_of_constant(z, FIRST_LABEL_SYMBOL + label, z->boolean) : NULL;
  if (!tracker) return;
  Z3_solver_assert_and_track(z->context, z->solver, a, tracker);
  z3_fine(z);
  z3_release(z, tracker);
}

/* Answers. */

uint32_t z3_steps(z3 *z) {
  uint32_t steps = z->steps;
  Z3_stats all = Z3_solver_get_statistics(z->context, z->solver);
  Z3_stats_inc_ref(z->context, all);
  for (unsigned i = Z3_stats_size(z->context, all); i-- > 0;)
    if (!strcmp(Z3_stats_get_key(z->context, all, i), "rlimit count"))
      steps = Z3_stats_get_uint_value(z->context, all, i);
  Z3_stats_dec_ref(z->context, all);
  return steps;
}

void z3_count_work(z3 *z, uint64_t more) {
  uint32_t before = z->steps;
  z->steps = z3_steps(z);
  work_add(more + (uint32_t)(z->steps - before) / STEPS_PER_UNIT);
}

unsigned z3_steps_left(const budget *b) {
  uint64_t left = budget_work_left(b);
  if (!b->work) return 0;
  return left < UINT_MAX / STEPS_PER_UNIT ? (unsigned)left * STEPS_PER_UNIT + 1 : UINT_MAX;
}

/* A check may do no more than the run has left. Not all that Z3 does is in its count: a run has a deadline too. */
static void limit_work(z3 *z, const budget *b) {
  if (b->work) set_parameters(z, z3_steps_left(b));
}

/* With `z->assumed`. */
static answer check(z3 *z, const limits *l) {
  backend *b = &z->base;
  limit_work(z, l->budget);
  watchdog_set(z->dog, l);
  Z3_lbool result = z->assumed.count
                        ? Z3_solver_check_assumptions(z->context, z->solver, (unsigned)z->assumed.count, z->assumed.at)
                        : Z3_solver_check(z->context, z->solver);
  const char *interrupted = watchdog_call_off(z->dog);
  z3_count_work(z, WORK_OF_CHECK); /* may wait for the next turn, which is no time of this question */
  if (interrupted) {
    b->lost = interrupted;
    noted_error = Z3_OK;
    return answer_unsure(interrupted);
  }
  if (!z3_fine(z)) return answer_unsure(b->lost);
  if (result == Z3_L_TRUE) return answer_yes();
  if (result == Z3_L_FALSE) return answer_no();
  if (!budget_work_left(l->budget)) return answer_unsure("work limit reached");
  text message = {0};
  text_add(&message, "Z3: %s", Z3_solver_get_reason_unknown(z->context, z->solver));
  const char *reason = backend_reason(b, text_string(&message));
  text_clear(&message);
  if (strstr(reason, "memory")) b->lost = reason;
  return answer_unsure(reason);
}

static answer z3_check(backend *b, const limits *l) {
  VECTOR_CLEAR(z3_of(b)->assumed);
  return check(z3_of(b), l);
}

static answer z3_check_assuming(backend *b, const limits *l, size_t count, const term *literals) {
  z3 *z = z3_of(b);
  VECTOR_CLEAR(z->assumed);
  for (size_t i = 0; i < count; i++) {
    Z3_ast a = z3_translate(z, literals[i]);
    if (!a) return answer_unsure(b->lost);
    VECTOR_PUSH(z->assumed, a);
  }
  return check(z, l);
}

bool z3_number_of_ast(z3 *z, Z3_ast value, number *out) {
  switch (Z3_get_bool_value(z->context, value)) {
    case Z3_L_TRUE: *out = number_of(1); return true;
    case Z3_L_FALSE: *out = number_of(0); return true;
    case Z3_L_UNDEF: break;
  }
  int64_t small;
  if (Z3_get_ast_kind(z->context, value) != Z3_NUMERAL_AST) return false;
  if (Z3_get_numeral_int64(z->context, value, &small)) {
    *out = number_of(small);
    return true;
  }
  const char *digits = Z3_get_numeral_string(z->context, value);
  return digits && number_parse_fraction(digits, strlen(digits), out);
}

static bool z3_model(backend *b, const limits *l, size_t count, const variable *variables, number *out) {
  (void)l;
  z3 *z = z3_of(b);
  Z3_model m = Z3_solver_get_model(z->context, z->solver);
  if (!m || !z3_fine(z)) return false;
  Z3_model_inc_ref(z->context, m);
  bool whole = true;
  for (size_t i = 0; i < count && whole; i++) {
    Z3_ast v = z3_of_constant(z, variables[i].x, z3_sort_of(z, variables[i])), value = NULL;
    whole = v && Z3_model_eval(z->context, m, v, true, &value) && value;
    if (whole) value = z3_hold(z, value);
    whole = whole && value && z3_value_of_ast(z, m, value, &out[i]);
    z3_release(z, value);
    z3_release(z, v);
  }
  Z3_model_dec_ref(z->context, m);
  return z3_fine(z) && whole;
}

static bool z3_core(backend *b, const limits *l, core_names *labels) {
  (void)l;
  z3 *z = z3_of(b);
  Z3_ast_vector core = Z3_solver_get_unsat_core(z->context, z->solver);
  if (!core || !z3_fine(z)) return false;
  Z3_ast_vector_inc_ref(z->context, core);
  for (unsigned i = 0; i < Z3_ast_vector_size(z->context, core); i++) {
    Z3_app tracker = Z3_to_app(z->context, Z3_ast_vector_get(z->context, core, i));
    Z3_symbol symbol = Z3_get_decl_name(z->context, Z3_get_app_decl(z->context, tracker));
    VECTOR_PUSH(*labels, (uint32_t)Z3_get_symbol_int(z->context, symbol) - FIRST_LABEL_SYMBOL);
  }
  Z3_ast_vector_dec_ref(z->context, core);
  return z3_fine(z);
}

static bool z3_core_assumed(backend *b, core_names *positions) {
  z3 *z = z3_of(b);
  Z3_ast_vector core = Z3_solver_get_unsat_core(z->context, z->solver);
  if (!core || !z3_fine(z)) return false;
  Z3_ast_vector_inc_ref(z->context, core);
  for (size_t i = 0; i < z->assumed.count; i++) {
    bool found = false;
    for (unsigned j = 0; j < Z3_ast_vector_size(z->context, core) && !found; j++)
      found = Z3_is_eq_ast(z->context, Z3_ast_vector_get(z->context, core, j), z->assumed.at[i]);
    if (found) VECTOR_PUSH(*positions, (uint32_t)i);
  }
  Z3_ast_vector_dec_ref(z->context, core);
  return z3_fine(z);
}

static const backend_methods methods = {
    .free = z3_free,
    .restart = z3_restart,
    .push = z3_push,
    .pop = z3_pop,
    .declare = z3_declare,
    .assert_term = z3_assert_term,
    .assert_labelled = z3_assert_labelled,
    .check = z3_check,
    .check_assuming = z3_check_assuming,
    .core_assumed = z3_core_assumed,
    .model = z3_model,
    .core = z3_core,
};

z3 *z3_new(terms *ts, const budget *b, bool for_assumptions) {
  z3 *z = MEMORY_NEW(z3);
  z->base.methods = &methods;
  z->base.ts = ts;
  z->memory = b->memory;
  z->for_assumptions = for_assumptions;
  z->dog = watchdog_new(interrupt, z);
  open_context(z);
  return z;
}

backend *z3_backend(terms *ts, const budget *b, bool for_assumptions) { return &z3_new(ts, b, for_assumptions)->base; }
