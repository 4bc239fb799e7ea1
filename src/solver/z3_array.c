/* Arrays for Z3: its sorts and terms of them, and its values as ours. */
#include <z3.h>

#include "solver/z3_inside.h"
#include "term/array_value.h"

void z3_make_array_sorts(z3 *z) {
  Z3_sort elements[SORT_ARRAY] = {[SORT_BOOL] = z->boolean, [SORT_INT] = z->integer, [SORT_REAL] = z->real};
  for (size_t i = 0; i < SORT_ARRAY; i++)
    for (size_t j = 0; j <= MOST_NESTING && elements[i]; j++) {
      Z3_sort made = Z3_mk_array_sort(z->context, z->integer, j ? z->arrays[i][j - 1] : elements[i]);
      if (made) Z3_inc_ref(z->context, Z3_sort_to_ast(z->context, made));
      z->arrays[i][j] = made;
      if (!made) break;
    }
}

/* ---- terms ---- */

static Z3_ast of_arguments(z3 *z, term t, Z3_ast *a) {
  switch (term_kind_of(z->base.ts, t)) {
    case TERM_ARRAY_SAME: return Z3_mk_eq(z->context, a[0], a[1]);
    case TERM_STORE: return Z3_mk_store(z->context, a[0], a[1], a[2]);
    case TERM_CONSTANT_ARRAY: return Z3_mk_const_array(z->context, z->integer, a[0]);
    case TERM_ARRAY_ITE: return Z3_mk_ite(z->context, a[0], a[1], a[2]);
    default: return Z3_mk_select(z->context, a[0], a[1]);
  }
}

Z3_ast z3_of_array_term(z3 *z, term t) {
  enum { MOST = 3 };
  const terms *ts = z->base.ts;
  Z3_ast a[MOST] = {NULL};
  size_t count = term_arguments(ts, t);
  term_kind kind = term_kind_of(ts, t);
  bool takes_value = kind == TERM_STORE || kind == TERM_CONSTANT_ARRAY, whole = true;
  for (size_t i = 0; i < count; i++) {
    bool as_real = takes_value && i + 1 == count && term_element(ts, t) == SORT_REAL && !term_nesting(ts, t);
    a[i] = z3_value_of_translated(z, term_argument(ts, t, i), as_real);
    whole &= a[i] != NULL;
  }
  Z3_ast made = whole ? z3_hold(z, of_arguments(z, t, a)) : NULL;
  for (size_t i = 0; i < count; i++) z3_release(z, a[i]);
  return made;
}

/* ---- values ---- */

typedef VECTOR(array_entry) array_entries;

/* The function that an array is given by: finitely many values, and one for all others. */
static bool read_function(z3 *z, Z3_model m, Z3_ast array, array_entries *out, number *otherwise) {
  Z3_context c = z->context;
  Z3_func_interp f = Z3_model_get_func_interp(c, m, Z3_get_as_array_func_decl(c, array));
  if (!f) return false;
  Z3_func_interp_inc_ref(c, f);
  bool fine = z3_value_of_ast(z, m, Z3_func_interp_get_else(c, f), otherwise);
  for (unsigned i = 0; i < Z3_func_interp_get_num_entries(c, f) && fine; i++) {
    Z3_func_entry e = Z3_func_interp_get_entry(c, f, i);
    array_entry made;
    Z3_func_entry_inc_ref(c, e);
    fine = Z3_func_entry_get_num_args(c, e) == 1 && z3_number_of_ast(z, Z3_func_entry_get_arg(c, e, 0), &made.index) &&
           z3_value_of_ast(z, m, Z3_func_entry_get_value(c, e), &made.element);
    if (fine) VECTOR_PUSH(*out, made);
    Z3_func_entry_dec_ref(c, e);
  }
  Z3_func_interp_dec_ref(c, f);
  return fine;
}

/* (store (store .. i v) j w): the outermost counts, so that it comes last. */
static bool read_stores(z3 *z, Z3_model m, Z3_ast *array, array_entries *out) {
  Z3_context c = z->context;
  while (Z3_get_ast_kind(c, *array) == Z3_APP_AST) {
    Z3_app app = Z3_to_app(c, *array);
    array_entry made;
    if (Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) != Z3_OP_STORE) break;
    if (Z3_get_app_num_args(c, app) != 3 || !z3_number_of_ast(z, Z3_get_app_arg(c, app, 1), &made.index) ||
        !z3_value_of_ast(z, m, Z3_get_app_arg(c, app, 2), &made.element))
      return false;
    VECTOR_PUSH(*out, made);
    *array = Z3_get_app_arg(c, app, 0);
  }
  for (size_t i = 0; i < out->count / 2; i++) {
    array_entry kept = out->at[i];
    out->at[i] = out->at[out->count - 1 - i];
    out->at[out->count - 1 - i] = kept;
  }
  return true;
}

/* `i = n`, for the index i of a function that is written as a term. */
static bool is_test(z3 *z, Z3_app app, number *n) {
  Z3_context c = z->context;
  if (Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) != Z3_OP_EQ || Z3_get_app_num_args(c, app) != 2) return false;
  Z3_ast left = Z3_get_app_arg(c, app, 0), right = Z3_get_app_arg(c, app, 1);
  bool is_left = Z3_get_ast_kind(c, left) == Z3_VAR_AST, is_right = Z3_get_ast_kind(c, right) == Z3_VAR_AST;
  return is_left != is_right && z3_number_of_ast(z, is_left ? right : left, n);
}

/* The numbers that the index is compared with. False if it stands anywhere else, or there is anything but choices
 * between values: then the term is no map of finitely many. */
static bool find_tests(z3 *z, Z3_ast body, array_entries *out) {
  enum { MOST_PARTS = 100000 };
  Z3_context c = z->context;
  VECTOR(Z3_ast) pending = {0};
  bool fine = true;
  VECTOR_PUSH(pending, body);
  for (size_t parts = 0; pending.count && fine; parts++) {
    Z3_ast a = VECTOR_POP(pending);
    array_entry made = {0};
    if (z3_number_of_ast(z, a, &made.element)) continue;
    fine = parts < MOST_PARTS && Z3_get_ast_kind(c, a) == Z3_APP_AST;
    if (!fine) break;
    Z3_app app = Z3_to_app(c, a);
    Z3_decl_kind kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
    if (is_test(z, app, &made.index)) {
      VECTOR_PUSH(*out, made);
      continue;
    }
    fine = kind == Z3_OP_AND || kind == Z3_OP_OR || kind == Z3_OP_NOT || kind == Z3_OP_ITE || kind == Z3_OP_EQ;
    for (unsigned i = 0; i < Z3_get_app_num_args(c, app) && fine; i++) VECTOR_PUSH(pending, Z3_get_app_arg(c, app, i));
  }
  VECTOR_FREE(pending);
  return fine;
}

static bool value_at(z3 *z, Z3_ast body, number index, number *out) {
  char *digits = number_string(index);
  Z3_ast at = z3_hold(z, Z3_mk_numeral(z->context, digits, z->integer));
  Z3_ast instance = at ? z3_hold(z, Z3_substitute_vars(z->context, body, 1, &at)) : NULL;
  Z3_ast value = instance ? z3_hold(z, Z3_simplify(z->context, instance)) : NULL;
  bool fine = value && z3_number_of_ast(z, value, out);
  z3_release(z, value);
  z3_release(z, instance);
  z3_release(z, at);
  memory_free(digits);
  return fine;
}

/* (lambda ((i Int)) ..): its values at the numbers that i is compared with, and at one that it is not. */
static bool read_lambda(z3 *z, Z3_ast lambda, array_entries *out, number *otherwise) {
  Z3_context c = z->context;
  if (!Z3_is_lambda(c, lambda) || Z3_get_quantifier_num_bound(c, lambda) != 1) return false;
  Z3_ast body = Z3_get_quantifier_body(c, lambda);
  bool fine = find_tests(z, body, out);
  number other = number_of(0);
  for (size_t i = 0; i < out->count && fine; i++) {
    fine = value_at(z, body, out->at[i].index, &out->at[i].element);
    if (number_compare(other, out->at[i].index) <= 0) other = number_add(out->at[i].index, number_of(1));
  }
  return fine && value_at(z, body, other, otherwise);
}

static bool read_base(z3 *z, Z3_model m, Z3_ast array, array_entries *out, number *otherwise) {
  Z3_context c = z->context;
  if (Z3_get_ast_kind(c, array) == Z3_QUANTIFIER_AST) return read_lambda(z, array, out, otherwise);
  if (Z3_get_ast_kind(c, array) != Z3_APP_AST) return false;
  if (Z3_is_as_array(c, array)) return m && read_function(z, m, array, out, otherwise);
  Z3_app app = Z3_to_app(c, array);
  return Z3_get_decl_kind(c, Z3_get_app_decl(c, app)) == Z3_OP_CONST_ARRAY && Z3_get_app_num_args(c, app) == 1 &&
         z3_value_of_ast(z, m, Z3_get_app_arg(c, app, 0), otherwise);
}

bool z3_value_of_ast(z3 *z, Z3_model m, Z3_ast value, number *out) {
  Z3_context c = z->context;
  if (Z3_get_sort_kind(c, Z3_get_sort(c, value)) != Z3_ARRAY_SORT) return z3_number_of_ast(z, value, out);
  array_entries stores = {0}, all = {0};
  number otherwise;
  bool fine = read_stores(z, m, &value, &stores) && read_base(z, m, value, &all, &otherwise);
  for (size_t i = 0; i < stores.count; i++) VECTOR_PUSH(all, stores.at[i]);
  if (fine) *out = array_value_of(z->base.ts, otherwise, all.count, all.at);
  VECTOR_FREE(stores);
  VECTOR_FREE(all);
  return fine;
}
