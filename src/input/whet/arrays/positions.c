/* First what depends on data, then positions in place of them. */
#include "input/whet/arrays/positions.h"

#include "input/whet/arrays/signs.h"
#include "term/fold.h"

/* A `type` of which some array is a source. */
typedef struct data_type {
  const char *name;
  variable source;
  variable outside; /* what is read outside of arrays, if `has_outside` */
  bool has_outside;
} data_type;

typedef struct positions {
  lowering *l;
  terms *ts;
  VECTOR(data_type) types;
  map *signs;   /* truth values that depend on whether data are equal -> how */
  term_fold of; /* to the number of the type of data that a term is, counted from 1; 0: it is no such datum */
  term_fold put;
} positions;

/* ---- data ---- */

static uint32_t type_of_variable(const positions *p, variable v) {
  const char *name = variable_type(p->ts, v)->data;
  for (uint32_t i = 0; name && i < p->types.count; i++)
    if (!strcmp(p->types.at[i].name, name)) return i + 1;
  return 0;
}

static void find_type(const term_fold *f, term t, void *out) {
  const positions *p = f->context;
  uint32_t *found = out;
  switch (term_kind_of(p->ts, t)) {
    case TERM_INT_VARIABLE:
    case TERM_ARRAY_VARIABLE: *found = type_of_variable(p, term_variable(p->ts, t)); break;
    case TERM_SELECT: *found = FOLD_VALUE(uint32_t, f, term_argument(p->ts, t, 0)); break;
    case TERM_SUM:
    case TERM_EQ:
    case TERM_LE:
    case TERM_INT_ITE:
      for (size_t i = term_kind_of(p->ts, t) == TERM_INT_ITE; i < term_arguments(p->ts, t) && !*found; i++)
        *found = FOLD_VALUE(uint32_t, f, term_argument(p->ts, t, i));
      break;
    default: break;
  }
}

/* Of a number or an atom. */
static uint32_t type_of_term(positions *p, term t) { return *(uint32_t *)term_fold_value(&p->of, t); }

/* ---- what depends on them ---- */

/* How `t` depends on whether data are equal; with `at_start`, in a state in which no truth value does. */
static unsigned dependence_of(positions *p, term t, bool at_start) {
  term_signs all = {0};
  unsigned found = 0;
  uint64_t of_variable;
  term_signs_find(p->ts, t, &all);
  type_of_term(p, t);
  for (size_t i = 0; i < all.terms.count; i++) {
    term part = {2 * all.terms.at[i]};
    term_kind kind = term_kind_of(p->ts, part);
    bool is_atom = kind == TERM_EQ || kind == TERM_LE;
    if (is_atom && type_of_term(p, part)) found |= kind == TERM_EQ ? all.signs.at[i] : SIGN_BOTH;
    if (!at_start && kind == TERM_BOOL_VARIABLE && map_get(p->signs, term_variable(p->ts, part).x, &of_variable))
      found |= (of_variable & SIGN_GROWS ? all.signs.at[i] : 0) |
               (of_variable & SIGN_SHRINKS ? sign_flip(all.signs.at[i]) : 0);
  }
  term_signs_clear(&all);
  return found;
}

static bool is_truth_value(const positions *p, variable v) { return variable_type(p->ts, v)->sort == SORT_BOOL; }

/* Truth values that depend on data, and on such truth values. */
static void find_signs(positions *p, const model_parts *parts) {
  for (bool changed = true; changed && !p->l->exhausted;) {
    changed = false;
    for (size_t i = 0; i < parts->count && lowering_spend(p->l, INSTANCE_WORK, 0); i++) {
      const model_part *part = &parts->at[i];
      if (part->kind != PART_VALUE || !is_truth_value(p, part->target)) continue;
      uint64_t old = 0;
      map_get(p->signs, part->target.x, &old);
      uint64_t sign = old | dependence_of(p, *part->at, false);
      if (sign != old) map_set(p->signs, part->target.x, sign);
      changed |= sign != old;
    }
  }
}

static void refuse(positions *p, uint32_t offset, char *message) {
  report_error(p->l->reporter, offset, "%s", message);
  report_hint(p->l->reporter, "without --without-arrays the model becomes Horn clauses, for walk, spacer and cells");
  memory_free(message);
}

/* False, with a message, if the part depends on data as it must not. */
static bool check_part(positions *p, const model_part *part) {
  bool is_flag = part->kind == PART_VALUE && is_truth_value(p, part->target);
  if (part->kind == PART_HINT) return true;
  unsigned found = dependence_of(p, *part->at, part->kind == PART_START);
  if (part->kind == PART_BAD && found & SIGN_GROWS)
    refuse(p, source_offset(p->l->reporter->source, part->place),
           text_format("with --without-arrays `%s` must not hold because data are different", part->of));
  else if (part->kind <= PART_TEST && found)
    refuse(
        p, source_offset(p->l->reporter->source, part->place),
        text_format("with --without-arrays only properties can depend on whether data are equal, not `%s`", part->of));
  else if (is_flag && found == SIGN_BOTH)
    refuse(p, arrays_declared_at(p->l, part->target),
           text_format(
               "with --without-arrays `%s` must not become true because data are equal, and false because others are",
               variable_name(p->ts, part->target)));
  else if (part->kind == PART_VALUE && !is_flag && found)
    refuse(p, arrays_declared_at(p->l, part->target),
           text_format("with --without-arrays `%s` must not depend on whether data are equal (in `%s`)",
                       variable_name(p->ts, part->target), part->of));
  else
    return true;
  return false;
}

/* ---- positions ---- */

static term outside_of(positions *p, uint32_t type_number) {
  data_type *d = &p->types.at[type_number - 1];
  if (!d->has_outside) {
    char *name = text_format("%s.outside", d->name);
    variable taken;
    while (variable_find(p->ts, name, &taken)) {
      char *longer = text_format("%s'", name);
      memory_free(name);
      name = longer;
    }
    d->outside = model_add_variable(p->l->model, name, &(type){.sort = SORT_INT}, ROLE_PARAMETER, (place){0});
    d->has_outside = true;
    memory_free(name);
  }
  return term_of_variable(p->ts, d->outside);
}

/* A value of data: 0 is what is outside. */
static term datum(positions *p, uint32_t type_number, term t) {
  number n;
  return term_is_number(p->ts, t, &n) ? outside_of(p, type_number) : t;
}

/* x = y of data; 0 on one of the sides is what is outside. */
static term put_equality(const term_fold *f, term t, uint32_t type_number) {
  positions *p = f->context;
  term sum = term_argument(p->ts, t, 0), made = TERM_TRUE;
  linear l = term_linear(p->ts, sum);
  VECTOR(term) leaves = {0};
  VECTOR(number) coefficients = {0};
  number all = number_of(0);
  REQUIRE(number_sign(l.constant) == 0, "0 is the only number that is a datum");
  for (size_t i = 0; i < l.count; i++) {
    VECTOR_PUSH(leaves, l.leaves[i]);
    VECTOR_PUSH(coefficients, l.coefficients[i]);
    all = number_add(all, l.coefficients[i]);
  }
  for (size_t i = 0; i < leaves.count; i++) leaves.at[i] = fold_term(f, leaves.at[i]);
  if (number_sign(all)) VECTOR_PUSH(leaves, outside_of(p, type_number));
  if (number_sign(all)) VECTOR_PUSH(coefficients, number_negate(all));
  made = term_sum(p->ts, number_of(0), leaves.count, leaves.at, coefficients.at);
  VECTOR_FREE(leaves);
  VECTOR_FREE(coefficients);
  return term_eq(p->ts, made, term_int(p->ts, 0));
}

static void put_rule(const term_fold *f, term t, void *out) {
  positions *p = f->context;
  term *made = out;
  term_kind kind = term_kind_of(p->ts, t);
  uint32_t of = *(const uint32_t *)term_fold_known(&p->of, t);
  if (kind_is_array(kind))
    *made = TERM_TRUE;
  else if (kind == TERM_SELECT && of)
    *made = fold_term(f, term_argument(p->ts, t, 1));
  else if (kind == TERM_EQ && of)
    *made = put_equality(f, t, of);
  else if (kind == TERM_INT_ITE && of)
    *made = term_ite(p->ts, fold_term(f, term_argument(p->ts, t, 0)),
                     datum(p, of, fold_term(f, term_argument(p->ts, t, 1))),
                     datum(p, of, fold_term(f, term_argument(p->ts, t, 2))));
  else
    *made = fold_rebuilt(f, p->ts, t);
}

static void put(positions *p, const model_part *part) {
  uint32_t of_target = part->kind == PART_VALUE ? type_of_variable(p, part->target) : 0;
  type_of_term(p, *part->at);
  term_fold_value(&p->put, *part->at);
  *part->at = fold_term(&p->put, *part->at);
  if (of_target) *part->at = datum(p, of_target, *part->at);
}

/* ---- sources ---- */

static bool add_source(positions *p, variable source) {
  const char *name = variable_type(p->ts, source)->data;
  uint32_t known = type_of_variable(p, source);
  if (known) {
    refuse(p, arrays_declared_at(p->l, source),
           text_format(
               "with --without-arrays one array of `%s` can be read at indices that change, and `%s` is one already",
               name, variable_name(p->ts, p->types.at[known - 1].source)));
    return false;
  }
  VECTOR_PUSH(p->types, (data_type){.name = name, .source = source});
  model_add_note(p->l->model, "values of `%s` are shown as positions in `%s`, where they come from", name,
                 variable_name(p->ts, source));
  return true;
}

bool positions_put(lowering *l, const model_parts *parts, const variable_vector *sources) {
  positions p = {.l = l, .ts = l->terms, .signs = map_new()};
  bool fine = true;
  p.of = (term_fold){.ts = l->terms, .size = sizeof(uint32_t), .rule = find_type, .context = &p};
  p.put = (term_fold){.ts = l->terms, .size = sizeof(term), .rule = put_rule, .context = &p};
  for (size_t i = 0; i < sources->count && fine; i++) fine = add_source(&p, sources->at[i]);
  if (fine) find_signs(&p, parts);
  for (size_t i = 0; i < parts->count && fine; i++) fine = check_part(&p, &parts->at[i]);
  fine &= !l->exhausted;
  for (size_t i = 0; i < parts->count && fine; i++) put(&p, &parts->at[i]);
  term_fold_close(&p.of);
  term_fold_close(&p.put);
  map_free(p.signs);
  VECTOR_FREE(p.types);
  return fine;
}
