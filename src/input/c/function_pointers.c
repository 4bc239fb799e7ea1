/* Pointers to functions are numbers: 0 is the null pointer, the others count the functions whose address is taken. A call
 * through one is a case distinction: a call of each function that it can be, and an error if it is none. */
#include "input/c/lower.h"

/* ---- functions whose address is taken ---- */

const c_node *c_callee_of(const c_node *call) {
  const c_node *callee = call->count ? c_without_parens(call->inner[0]) : NULL;
  while (callee && callee->kind == C_IMPLICIT_CAST && callee->count) callee = c_without_parens(callee->inner[0]);
  return callee && callee->kind == C_NAME && callee->reference_kind == C_FUNCTION ? callee : NULL;
}

static size_t position_of(const c_lowering *l, const char *name) {
  for (size_t i = 0; i < l->addressed.count; i++)
    if (!strcmp(l->addressed.at[i], name)) return i;
  return SIZE_MAX;
}

void c_survey_addressed(c_lowering *l, const c_node *n) {
  bool is_function = n->kind == C_NAME && n->reference_kind == C_FUNCTION;
  if (is_function && position_of(l, n->reference_name) == SIZE_MAX) VECTOR_PUSH(l->addressed, n->reference_name);
  for (size_t i = n->kind == C_CALL && c_callee_of(n) ? 1 : 0; i < n->count; i++) c_survey_addressed(l, n->inner[i]);
}

c_operand c_function_value(c_lowering *l, const c_node *name, const c_type *t) {
  if (!t->is_function || position_of(l, name->reference_name) == SIZE_MAX)
    c_refuse(l, name, "the function `%s` is used as a value of type `%s`; plain pointers to functions are read",
             name->reference_name, t->text);
  return c_value_number(l, t, number_of((int64_t)position_of(l, name->reference_name) + 1));
}

/* ---- types ---- */

typedef enum fit { FIT_NO, FIT_YES, FIT_UNKNOWN } fit;

/* Only words of C itself, so that types are the same if their texts are. */
static bool is_plain(const char *text) {
  static const char *const words[] = {"void", "_Bool", "char", "short", "int", "long", "signed", "unsigned"};
  for (const char *at = text; *at;) {
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    bool is_known = !n;
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++) is_known |= n == strlen(words[i]) && !strncmp(at, words[i], n);
    if (!is_known) return false;
    at += n ? n : 1;
  }
  return !strstr(text, "()");
}

static fit fits(const c_type *pointer, const c_node *function) {
  if (!strcmp(pointer->target, function->type)) return FIT_YES;
  return is_plain(pointer->target) && is_plain(function->type) ? FIT_NO : FIT_UNKNOWN;
}

/* ---- calls ---- */

/* Those paths of `rest` on which the pointer is `number`, without it. */
static void choose(c_lowering *l, c_paths *rest, size_t number, c_paths *chosen) {
  size_t kept = 0;
  for (size_t i = 0; i < rest->count; i++) {
    c_path *p = rest->at[i], *other = c_path_copy(p);
    term is_it = term_eq(l->ts, c_path_pop(other).value, term_int(l->ts, (int64_t)number));
    if (c_path_assume(l, other, is_it))
      VECTOR_PUSH(*chosen, other);
    else
      c_path_free(other);
    if (c_path_assume(l, p, term_not(is_it)))
      rest->at[kept++] = p;
    else
      c_path_free(p);
  }
  rest->count = kept;
}

/* Calling what is no function, or one of another type, is undefined. */
static void end_in_error(c_lowering *l, c_paths *ps, const c_node *n) {
  for (size_t i = 0; i < ps->count && !l->refused; i++) c_path_check(l, ps->at[i], TERM_TRUE, ERROR_DEREFERENCE, n);
  c_paths_clear(ps);
}

static void call_one(c_lowering *l, const c_node *n, const c_type *t, const char *name, c_paths *chosen) {
  const c_node *function = c_function_named(l, name);
  if (!function || c_is_known_function(name)) {
    c_refuse(l, n, "`%s` can be called here through a pointer, and has no body in this file; a direct call is read",
             name);
  } else if (fits(t, function) == FIT_UNKNOWN) {
    c_refuse(l, n, "`%s`, which may be called here, has the type `%s`, and the pointer is one to `%s`: they may differ",
             name, function->type, t->target);
  } else if (fits(t, function) == FIT_NO) {
    end_in_error(l, chosen, n);
  } else {
    c_paths_move(chosen, &l->live);
    c_run_function(l, function, n);
  }
}

void c_call_through(c_lowering *l, const c_node *n) {
  const c_type *t = n->count ? c_type_of(&l->types, n->inner[0]->type) : NULL;
  c_paths rest = {0}, done = {0};
  if (!t || !t->is_function) {
    c_refuse(l, n, "this call through a pointer is not read; one through a plain pointer to a function is");
    return;
  }
  for (size_t i = 1; i < n->count; i++) c_check_unsequenced(l, n->inner[0], n->inner[i]);
  c_eval(l, n->inner[0]);
  c_paths_move(&l->live, &rest);
  for (size_t i = 0; i < l->addressed.count && !l->refused; i++) {
    c_paths chosen = {0};
    choose(l, &rest, i + 1, &chosen);
    if (chosen.count) call_one(l, n, t, l->addressed.at[i], &chosen);
    c_paths_move(&l->live, &done);
    c_paths_clear(&chosen);
  }
  end_in_error(l, &rest, n);
  c_paths_move(&done, &l->live);
  VECTOR_FREE(rest);
  VECTOR_FREE(done);
  c_live_join(l, n);
}
