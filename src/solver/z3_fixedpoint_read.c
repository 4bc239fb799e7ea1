/* From Z3's formulas and proofs back to terms and derivations.
 *
 * A formula about a relation has its arguments as the variables 0, 1, ..; whatever is not of the language of terms
 * (functions, rounding of reals, quantifiers but for those of an interpretation over indices) is refused. A derivation is a proof by hyper-resolution: each step has the
 * rule, the steps it rests on, and the atom it derives. Both are shared graphs, and are walked without recursion. */
#include <z3.h>

#include "base/map.h"
#include "solver/z3_fixedpoint_inside.h"

enum { NO_NODE = UINT32_MAX, NO_RELATION = UINT32_MAX };

typedef struct reader {
  fixedpoint *f;
  variable_vector bound; /* what the variables 0, 1, .. stand for */
  map *known;            /* id of an AST -> term.x */
  VECTOR(Z3_ast) pending;
  term_vector arguments;
  const char *refused; /* why, once something cannot be read */
} reader;

/* ---- formulas ---- */

typedef term chain(terms *ts, term a, term b);

static term fold(reader *r, chain *join) {
  terms *ts = r->f->z->base.ts;
  term all = r->arguments.at[0];
  for (size_t i = 1; i < r->arguments.count; i++) all = join(ts, all, r->arguments.at[i]);
  return all;
}

/* a < b < c: each two that follow each other. */
static term compare(reader *r, chain *holds) {
  terms *ts = r->f->z->base.ts;
  term all = TERM_TRUE;
  for (size_t i = 1; i < r->arguments.count; i++)
    all = term_and(ts, all, holds(ts, r->arguments.at[i - 1], r->arguments.at[i]));
  return all;
}

static term distinct(reader *r) {
  terms *ts = r->f->z->base.ts;
  term all = TERM_TRUE;
  for (size_t i = 0; i < r->arguments.count; i++)
    for (size_t j = 0; j < i; j++)
      all = term_and(ts, all, term_not(term_eq(ts, r->arguments.at[i], r->arguments.at[j])));
  return all;
}

static term refuse(reader *r, const char *why) {
  if (!r->refused) r->refused = why;
  return TERM_TRUE;
}

static term without_arguments(reader *r, Z3_decl_kind kind) {
  if (kind == Z3_OP_TRUE) return TERM_TRUE;
  if (kind == Z3_OP_FALSE) return TERM_FALSE;
  return refuse(r, "Z3's answer speaks of more than the arguments of a relation");
}

static term of_connective(reader *r, Z3_decl_kind kind) {
  terms *ts = r->f->z->base.ts;
  const term *a = r->arguments.at;
  switch (kind) {
    case Z3_OP_AND: return term_and_all(ts, r->arguments.count, a);
    case Z3_OP_OR: return term_or_all(ts, r->arguments.count, a);
    case Z3_OP_NOT: return term_not(a[0]);
    case Z3_OP_IMPLIES: return term_implies(ts, a[0], a[1]);
    case Z3_OP_IFF: return term_iff(ts, a[0], a[1]);
    case Z3_OP_XOR: return term_not(term_iff(ts, a[0], a[1]));
    case Z3_OP_ITE: return term_ite(ts, a[0], a[1], a[2]);
    case Z3_OP_EQ: return compare(r, term_eq);
    case Z3_OP_DISTINCT: return distinct(r);
    default: return refuse(r, "Z3's answer has an operation that formulas here do not have");
  }
}

/* By a constant. */
static term quotient(reader *r) {
  number divisor;
  bool is_constant = r->arguments.count == 2 && term_is_number(r->f->z->base.ts, r->arguments.at[1], &divisor);
  if (!is_constant || !number_sign(divisor)) return refuse(r, "Z3's answer divides by what is no constant");
  return term_scale(r->f->z->base.ts, number_quotient(number_of(1), divisor), r->arguments.at[0]);
}

static term of_application(reader *r, Z3_decl_kind kind) {
  terms *ts = r->f->z->base.ts;
  const term *a = r->arguments.at;
  if (!r->arguments.count) return without_arguments(r, kind);
  switch (kind) {
    case Z3_OP_SELECT: return term_select(ts, a[0], a[1]);
    case Z3_OP_STORE: return term_store(ts, a[0], a[1], a[2]);
    case Z3_OP_LE: return compare(r, term_le);
    case Z3_OP_LT: return compare(r, term_lt);
    case Z3_OP_GE: return compare(r, term_ge);
    case Z3_OP_GT: return compare(r, term_gt);
    case Z3_OP_ADD: return fold(r, term_add);
    case Z3_OP_SUB: return fold(r, term_sub);
    case Z3_OP_MUL: return fold(r, term_mul);
    case Z3_OP_UMINUS: return term_negate(ts, a[0]);
    case Z3_OP_IDIV: return fold(r, term_div);
    case Z3_OP_MOD: return term_mod(ts, a[0], a[1]);
    case Z3_OP_DIV: return quotient(r);
    case Z3_OP_TO_REAL: return a[0];
    default: return of_connective(r, kind);
  }
}

static term of_variable(reader *r, Z3_ast a) {
  unsigned index = Z3_get_index_value(r->f->z->context, a);
  if (index >= r->bound.count) return refuse(r, "Z3's answer speaks of more than the arguments of a relation");
  return term_of_variable(r->f->z->base.ts, r->bound.at[index]);
}

static bool is_array(const reader *r, Z3_ast a) {
  Z3_sort s = Z3_get_sort(r->f->z->context, a);
  for (size_t i = 0; i < SORT_ARRAY; i++)
    for (size_t j = 0; j <= MOST_NESTING; j++)
      if (s && s == r->f->z->arrays[i][j]) return true;
  return false;
}

static bool is_of_terms(const reader *r, Z3_ast a) {
  Z3_context c = r->f->z->context;
  Z3_sort_kind kind = Z3_get_sort_kind(c, Z3_get_sort(c, a));
  return kind == Z3_BOOL_SORT || kind == Z3_INT_SORT || kind == Z3_REAL_SORT || is_array(r, a);
}

/* `((as const A) v)`: the only operation whose sort is not that of its arguments. */
static term constant_array(reader *r, Z3_ast a) {
  Z3_context c = r->f->z->context;
  Z3_sort s = Z3_get_sort(c, a);
  sort element = SORT_BOOL;
  for (sort i = SORT_BOOL; i < SORT_ARRAY; i++)
    for (size_t j = 0; j <= MOST_NESTING; j++)
      if (s == r->f->z->arrays[i][j]) element = i;
  return r->arguments.count == 1 ? term_constant_array(r->f->z->base.ts, element, r->arguments.at[0])
                                 : refuse(r, "Z3's answer cannot be read");
}

/* Its arguments are read. */
static term of_ast(reader *r, Z3_ast a) {
  Z3_context c = r->f->z->context;
  Z3_ast_kind kind = Z3_get_ast_kind(c, a);
  number n;
  if (kind == Z3_QUANTIFIER_AST) return refuse(r, "Z3's answer has quantifiers");
  if (!is_of_terms(r, a)) return refuse(r, "Z3's answer has a sort that formulas here do not have");
  if (kind == Z3_NUMERAL_AST)
    return z3_number_of_ast(r->f->z, a, &n) ? term_number(r->f->z->base.ts, n)
                                            : refuse(r, "Z3's answer has a number that cannot be read");
  if (kind == Z3_VAR_AST) return of_variable(r, a);
  if (kind != Z3_APP_AST) return refuse(r, "Z3's answer cannot be read");
  Z3_app app = Z3_to_app(c, a);
  VECTOR_CLEAR(r->arguments);
  for (unsigned i = 0; i < Z3_get_app_num_args(c, app); i++) {
    uint64_t known = 0;
    map_get(r->known, Z3_get_ast_id(c, Z3_get_app_arg(c, app, i)), &known);
    VECTOR_PUSH(r->arguments, (term){(uint32_t)known});
  }
  if (r->refused) return TERM_TRUE; /* arguments may then be of wrong sorts */
  Z3_decl_kind op = Z3_get_decl_kind(c, Z3_get_app_decl(c, app));
  return op == Z3_OP_CONST_ARRAY ? constant_array(r, a) : of_application(r, op);
}

/* Pushes those arguments that are not read yet. */
static bool push_arguments(reader *r, Z3_ast a) {
  Z3_context c = r->f->z->context;
  size_t before = r->pending.count;
  uint64_t known;
  if (Z3_get_ast_kind(c, a) != Z3_APP_AST) return false;
  Z3_app app = Z3_to_app(c, a);
  for (unsigned i = 0; i < Z3_get_app_num_args(c, app); i++) {
    Z3_ast argument = Z3_get_app_arg(c, app, i);
    if (!map_get(r->known, Z3_get_ast_id(c, argument), &known)) VECTOR_PUSH(r->pending, argument);
  }
  return r->pending.count > before;
}

static bool read_formula(reader *r, Z3_ast root, term *out) {
  Z3_context c = r->f->z->context;
  uint64_t known = 0;
  VECTOR_CLEAR(r->pending);
  VECTOR_PUSH(r->pending, root);
  while (r->pending.count && !r->refused) {
    Z3_ast a = VECTOR_LAST(r->pending);
    if (!map_get(r->known, Z3_get_ast_id(c, a), &known)) {
      if (push_arguments(r, a)) continue;
      map_set(r->known, Z3_get_ast_id(c, a), of_ast(r, a).x);
    }
    r->pending.count--;
  }
  map_get(r->known, Z3_get_ast_id(c, root), &known);
  *out = (term){(uint32_t)known};
  return !r->refused;
}

static void reader_free(reader *r) {
  map_free(r->known);
  VECTOR_FREE(r->bound);
  VECTOR_FREE(r->pending);
  VECTOR_FREE(r->arguments);
}

/* ---- covers ---- */

static bool read_cover(fixedpoint *f, uint32_t relation, int level, horn_covers *out, const char **reason) {
  Z3_ast cover =
      z3_hold(f->z, Z3_fixedpoint_get_cover_delta(f->z->context, f->handle, level, f->declarations.at[relation]));
  if (!cover) {
    *reason = f->z->base.lost;
    return false;
  }
  const variable_vector *parameters = &f->problem->relations.at[relation].parameters;
  reader r = {.f = f, .known = map_new()};
  for (size_t i = 0; i < parameters->count; i++) VECTOR_PUSH(r.bound, parameters->at[i]);
  term formula;
  bool fine = read_formula(&r, cover, &formula);
  if (fine && !term_is_true(formula))
    VECTOR_PUSH(*out, (horn_cover){.relation = relation, .level = level, .formula = formula});
  if (!fine) *reason = r.refused;
  reader_free(&r);
  z3_release(f->z, cover);
  return fine;
}

bool fixedpoint_covers(fixedpoint *f, bool all_levels, horn_covers *out, const char **reason) {
  bool whole = true;
  for (uint32_t i = 0; i < f->problem->relations.count; i++) {
    if (!z3_fine(f->z)) {
      *reason = f->z->base.lost;
      return false;
    }
    whole = read_cover(f, i, HORN_ALWAYS, out, reason) && whole;
    unsigned levels = all_levels ? Z3_fixedpoint_get_num_levels(f->z->context, f->handle, f->declarations.at[i]) : 0;
    for (unsigned k = 0; k < levels && z3_fine(f->z); k++) whole = read_cover(f, i, (int)k, out, reason) && whole;
  }
  return whole;
}

/* ---- interpretations ---- */

static uint32_t relation_of(const fixedpoint *f, Z3_func_decl d) {
  for (uint32_t i = 0; i < f->declarations.count; i++)
    if (f->declarations.at[i] == d) return i;
  return NO_RELATION;
}

/* The variables of the atom stand for its arguments, in whatever order. */
static bool bind(reader *r, Z3_app atom, uint32_t relation) {
  Z3_context c = r->f->z->context;
  const variable_vector *parameters = &r->f->problem->relations.at[relation].parameters;
  if (Z3_get_app_num_args(c, atom) != parameters->count) return false;
  for (size_t i = 0; i < parameters->count; i++) VECTOR_PUSH(r->bound, parameters->at[i]);
  for (unsigned i = 0; i < parameters->count; i++) {
    Z3_ast argument = Z3_get_app_arg(c, atom, i);
    if (Z3_get_ast_kind(c, argument) != Z3_VAR_AST) return false;
    unsigned index = Z3_get_index_value(c, argument);
    if (index >= parameters->count) return false;
    r->bound.at[index] = parameters->at[i];
  }
  return true;
}

/* Reads `forall i .. F` as F, with the indices in front of what is bound outside. */
static bool enter_quantifier(reader *r, Z3_ast quantifier, variable_vector *indices) {
  Z3_context c = r->f->z->context;
  unsigned count = Z3_get_quantifier_num_bound(c, quantifier);
  type integer = {.sort = SORT_INT};
  if (!Z3_is_quantifier_forall(c, quantifier)) return false;
  variable_vector bound = {0};
  for (unsigned i = 0; i < count; i++) {
    if (Z3_get_quantifier_bound_sort(c, quantifier, count - 1 - i) != r->f->z->integer) break;
    while (indices->count <= i) VECTOR_PUSH(*indices, variable_fresh(r->f->z->base.ts, "index", &integer));
    VECTOR_PUSH(bound, indices->at[i]);
  }
  bool fine = bound.count == count;
  for (size_t i = 0; i < r->bound.count; i++) VECTOR_PUSH(bound, r->bound.at[i]);
  VECTOR_FREE(r->bound);
  r->bound = bound;
  return fine;
}

static bool is_conjunction(const fixedpoint *f, Z3_ast a) {
  Z3_context c = f->z->context;
  return Z3_get_ast_kind(c, a) == Z3_APP_AST && Z3_get_decl_kind(c, Z3_get_app_decl(c, Z3_to_app(c, a))) == Z3_OP_AND;
}

/* A formula that is a conjunction of formulas, some of which hold for all indices. `r` has what is bound outside. */
static bool read_parts(reader *r, Z3_ast formula, variable_vector *indices, term *out) {
  Z3_context c = r->f->z->context;
  unsigned count = is_conjunction(r->f, formula) ? Z3_get_app_num_args(c, Z3_to_app(c, formula)) : 1;
  *out = TERM_TRUE;
  for (unsigned i = 0; i < count && !r->refused; i++) {
    Z3_ast part = is_conjunction(r->f, formula) ? Z3_get_app_arg(c, Z3_to_app(c, formula), i) : formula;
    reader inner = {.f = r->f, .known = map_new()};
    term read = TERM_TRUE;
    for (size_t j = 0; j < r->bound.count; j++) VECTOR_PUSH(inner.bound, r->bound.at[j]);
    bool is_quantifier = Z3_get_ast_kind(c, part) == Z3_QUANTIFIER_AST;
    if (is_quantifier && !enter_quantifier(&inner, part, indices))
      refuse(&inner, "Z3's answer has quantifiers");
    else
      read_formula(&inner, is_quantifier ? Z3_get_quantifier_body(c, part) : part, &read);
    if (inner.refused) refuse(r, inner.refused);
    *out = term_and(r->f->z->base.ts, *out, read);
    reader_free(&inner);
  }
  return !r->refused;
}

/* (= atom formula), below a quantifier if the atom has arguments. */
static void read_definition(fixedpoint *f, Z3_ast definition, term_vector *out, variable_vector *indices,
                            const char **reason) {
  Z3_context c = f->z->context;
  Z3_ast equation =
      Z3_get_ast_kind(c, definition) == Z3_QUANTIFIER_AST ? Z3_get_quantifier_body(c, definition) : definition;
  bool is_equation = Z3_get_ast_kind(c, equation) == Z3_APP_AST &&
                     Z3_get_app_num_args(c, Z3_to_app(c, equation)) == 2 &&
                     Z3_get_ast_kind(c, Z3_get_app_arg(c, Z3_to_app(c, equation), 0)) == Z3_APP_AST;
  Z3_app atom = is_equation ? Z3_to_app(c, Z3_get_app_arg(c, Z3_to_app(c, equation), 0)) : NULL;
  uint32_t relation = atom ? relation_of(f, Z3_get_app_decl(c, atom)) : NO_RELATION;
  if (relation == NO_RELATION) return;
  reader r = {.f = f, .known = map_new()};
  if (!bind(&r, atom, relation)) refuse(&r, "Z3's answer cannot be read");
  if (!r.refused) read_parts(&r, Z3_get_app_arg(c, Z3_to_app(c, equation), 1), indices, &out->at[relation]);
  if (r.refused) *reason = r.refused;
  reader_free(&r);
}

bool fixedpoint_interpretation(fixedpoint *f, term_vector *out, variable_vector *indices, const char **reason) {
  Z3_context c = f->z->context;
  Z3_ast whole = z3_hold(f->z, Z3_fixedpoint_get_answer(c, f->handle));
  *reason = f->z->base.lost;
  if (!whole) return false;
  for (size_t i = 0; i < f->problem->relations.count; i++) VECTOR_PUSH(*out, TERM_TRUE);
  unsigned count = is_conjunction(f, whole) ? Z3_get_app_num_args(c, Z3_to_app(c, whole)) : 0;
  for (unsigned i = 0; i < count && !*reason; i++)
    read_definition(f, Z3_get_app_arg(c, Z3_to_app(c, whole), i), out, indices, reason);
  if (!count) read_definition(f, whole, out, indices, reason);
  z3_release(f->z, whole);
  if (!z3_fine(f->z) && !*reason) *reason = f->z->base.lost;
  return !*reason;
}

/* ---- derivations ---- */

typedef struct proof_reader {
  fixedpoint *f;
  map *known; /* id of a step of the proof -> node, or NO_NODE */
  VECTOR(Z3_ast) pending;
  horn_derivation *out;
  const char *refused;
  size_t query; /* the first node that derives the query; NO_NODE before */
} proof_reader;

static bool is_step(const proof_reader *r, Z3_ast a) {
  Z3_context c = r->f->z->context;
  return Z3_get_ast_kind(c, a) == Z3_APP_AST &&
         Z3_get_decl_kind(c, Z3_get_app_decl(c, Z3_to_app(c, a))) == Z3_OP_PR_HYPER_RESOLVE;
}

static bool read_atom(proof_reader *r, Z3_ast conclusion, horn_node *out) {
  Z3_context c = r->f->z->context;
  Z3_app atom = Z3_to_app(c, conclusion);
  uint32_t relation = relation_of(r->f, Z3_get_app_decl(c, atom));
  out->relation = relation == NO_RELATION ? r->f->problem->query : relation;
  if (relation == NO_RELATION && Z3_get_app_num_args(c, atom)) return false;
  for (unsigned i = 0; i < Z3_get_app_num_args(c, atom); i++) {
    number n = number_of(0);
    out->lacks_values |= !z3_value_of_ast(r->f->z, NULL, Z3_get_app_arg(c, atom, i), &n);
    VECTOR_PUSH(out->values, n);
  }
  return true;
}

/* The steps that it rests on are read. The outermost step is about a goal that Z3 has made up: one more than the query,
 * or in its place. */
static uint32_t read_step(proof_reader *r, Z3_app step) {
  Z3_context c = r->f->z->context;
  unsigned count = Z3_get_app_num_args(c, step);
  horn_node made = {0};
  Z3_ast conclusion = count > 1 ? Z3_get_app_arg(c, step, count - 1) : NULL;
  bool fine = conclusion && Z3_get_ast_kind(c, conclusion) == Z3_APP_AST && read_atom(r, conclusion, &made);
  for (unsigned i = 1; i + 1 < count && fine; i++) {
    uint64_t premise = NO_NODE;
    map_get(r->known, Z3_get_ast_id(c, Z3_get_app_arg(c, step, i)), &premise);
    if (premise == NO_NODE) r->refused = "Z3's derivation rests on something that is not derived";
    VECTOR_PUSH(made.premises, (uint32_t)premise);
  }
  if (!fine) {
    VECTOR_FREE(made.values);
    return NO_NODE;
  }
  VECTOR_PUSH(*r->out, made);
  if (made.relation == r->f->problem->query && r->query == NO_NODE) r->query = r->out->count - 1;
  return (uint32_t)r->out->count - 1;
}

static bool push_parts(proof_reader *r, Z3_ast a) {
  Z3_context c = r->f->z->context;
  size_t before = r->pending.count;
  uint64_t known;
  if (Z3_get_ast_kind(c, a) != Z3_APP_AST) return false;
  Z3_app app = Z3_to_app(c, a);
  unsigned count = Z3_get_app_num_args(c, app), first = is_step(r, a) ? 1 : 0;
  for (unsigned i = first; i + 1 < count; i++) {
    Z3_ast part = Z3_get_app_arg(c, app, i);
    if (!map_get(r->known, Z3_get_ast_id(c, part), &known)) VECTOR_PUSH(r->pending, part);
  }
  return r->pending.count > before;
}

static void read_proof(proof_reader *r, Z3_ast root) {
  Z3_context c = r->f->z->context;
  uint64_t known;
  VECTOR_PUSH(r->pending, root);
  while (r->pending.count && !r->refused && r->query == NO_NODE) {
    Z3_ast a = VECTOR_LAST(r->pending);
    if (!map_get(r->known, Z3_get_ast_id(c, a), &known)) {
      if (push_parts(r, a)) continue;
      map_set(r->known, Z3_get_ast_id(c, a), is_step(r, a) ? read_step(r, Z3_to_app(c, a)) : NO_NODE);
    }
    r->pending.count--;
  }
  if (!r->refused && r->query == NO_NODE) r->refused = "Z3 gives no derivation";
}

bool fixedpoint_derivation(fixedpoint *f, horn_derivation *out, const char **reason) {
  Z3_ast proof = z3_hold(f->z, Z3_fixedpoint_get_answer(f->z->context, f->handle));
  if (!proof) {
    *reason = f->z->base.lost;
    return false;
  }
  proof_reader r = {.f = f, .known = map_new(), .out = out, .query = NO_NODE};
  read_proof(&r, proof);
  map_free(r.known);
  VECTOR_FREE(r.pending);
  z3_release(f->z, proof);
  if (r.refused) *reason = r.refused;
  return !r.refused;
}
