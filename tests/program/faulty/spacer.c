/* A Spacer that goes wrong: linked into the program `whet-spacer` in Z3's place. WHET_SPACER says how:
 *   swap        the other answer than the true one
 *   safe, reachable   always this answer, without a query
 *   unknown, error    no answer
 *   hang, memory, crash   what they say
 *   false, quantifier, integer   the interpretation of every relation, after a true answer
 *   no-proof    an answer without derivation
 *   values      a derivation with 3 in place of 2 */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <z3.h>

Z3_lbool __real_Z3_fixedpoint_query(Z3_context c, Z3_fixedpoint f, Z3_ast query);
Z3_lbool __wrap_Z3_fixedpoint_query(Z3_context c, Z3_fixedpoint f, Z3_ast query);
Z3_ast __real_Z3_fixedpoint_get_answer(Z3_context c, Z3_fixedpoint f);
Z3_ast __wrap_Z3_fixedpoint_get_answer(Z3_context c, Z3_fixedpoint f);

static bool is_to(const char *what) {
  const char *how = getenv("WHET_SPACER");
  return how && !strcmp(how, what);
}

static void eat_memory(void) {
  enum { CHUNK = 1 << 20 };
  for (void *chunk; (chunk = malloc(CHUNK));) memset(chunk, 1, CHUNK);
  abort();
}

Z3_lbool __wrap_Z3_fixedpoint_query(Z3_context c, Z3_fixedpoint f, Z3_ast query) {
  if (is_to("safe")) return Z3_L_FALSE;
  if (is_to("reachable")) return Z3_L_TRUE;
  if (is_to("unknown")) return Z3_L_UNDEF;
  if (is_to("memory")) eat_memory();
  if (is_to("crash")) raise(SIGSEGV);
  while (is_to("hang")) pause();
  if (is_to("error")) Z3_mk_bv_sort(c, 0);
  Z3_lbool result = __real_Z3_fixedpoint_query(c, f, query);
  return is_to("swap") ? (Z3_lbool)-result : result;
}

/* Every part `atom = formula` of the answer with another formula; a part may stand below a quantifier. */
static Z3_ast with_formula(Z3_context c, Z3_ast part, Z3_ast formula) {
  bool is_closed = Z3_get_ast_kind(c, part) == Z3_QUANTIFIER_AST;
  Z3_app equation = Z3_to_app(c, is_closed ? Z3_get_quantifier_body(c, part) : part);
  Z3_ast changed = Z3_mk_eq(c, Z3_get_app_arg(c, equation, 0), formula);
  return is_closed ? Z3_update_term(c, part, 1, &changed) : changed;
}

static Z3_ast some_formula(Z3_context c) {
  Z3_sort integer = Z3_mk_int_sort(c);
  Z3_symbol name = Z3_mk_string_symbol(c, "k");
  Z3_ast bound = Z3_mk_bound(c, 0, integer), zero = Z3_mk_int(c, 0, integer);
  if (is_to("false")) return Z3_mk_false(c);
  if (is_to("quantifier")) return Z3_mk_exists(c, 0, 0, NULL, 1, &integer, &name, Z3_mk_gt(c, bound, zero));
  return Z3_mk_eq(c, Z3_mk_const(c, name, integer), zero);
}

Z3_ast __wrap_Z3_fixedpoint_get_answer(Z3_context c, Z3_fixedpoint f) {
  enum { MOST = 100 };
  Z3_ast answer = __real_Z3_fixedpoint_get_answer(c, f), parts[MOST];
  if (is_to("no-proof")) return Z3_mk_false(c);
  if (is_to("values")) {
    Z3_ast from = Z3_mk_int(c, 2, Z3_mk_int_sort(c)), to = Z3_mk_int(c, 3, Z3_mk_int_sort(c));
    return Z3_substitute(c, answer, 1, &from, &to);
  }
  if (!is_to("false") && !is_to("quantifier") && !is_to("integer")) return answer;
  Z3_app all = Z3_to_app(c, answer);
  unsigned count = Z3_get_app_num_args(c, all);
  if (count > MOST) abort();
  Z3_inc_ref(c, answer);
  Z3_ast formula = some_formula(c);
  Z3_inc_ref(c, formula);
  for (unsigned i = 0; i < count; i++) {
    parts[i] = with_formula(c, Z3_get_app_arg(c, all, i), formula);
    Z3_inc_ref(c, parts[i]);
  }
  return Z3_mk_and(c, count, parts);
}
