/* Reads the formulas of a model as sets that are closed upwards and its transitions as rows of sums. What does not have
 * this form makes the model unsuitable. */
#include "engine/fbar/net.h"

#include "term/bounds.h"
#include "term/fold.h"

static const int64_t largest = INT64_C(1) << 30;

static bool small(number n, int64_t *out) { return number_to_int64(n, out) && *out <= largest && *out >= -largest; }

/* ---- formulas ---- */

/* The vectors for which a formula holds, and those for which it does not; each only if that set is closed upwards. */
typedef struct side {
  bool is_upward;
  upward set;
} side;

typedef struct sides {
  side yes, no;
} sides;

static void side_free(side *s) {
  if (s->is_upward) upward_clear(&s->set);
}

static const side *side_of(const term_fold *f, term t) {
  const sides *both = term_fold_known(f, t);
  return term_is_negated(t) ? &both->no : &both->yes;
}

bool net_row(const net *n, term sum, upward_row *out) {
  linear l = term_linear(n->ts, sum);
  *out = (upward_row){0};
  bool fine = small(l.constant, &out->constant);
  for (size_t i = 0; i < l.count && fine; i++) {
    int64_t coefficient = 0;
    fine = term_kind_of(n->ts, l.leaves[i]) == TERM_INT_VARIABLE && small(l.coefficients[i], &coefficient) &&
           coefficient > 0;
    size_t at = fine ? model_position(n->model, term_variable(n->ts, l.leaves[i])) : SIZE_MAX;
    fine = fine && at != SIZE_MAX;
    if (!fine) break;
    VECTOR_PUSH(out->entries, (upward_entry){(uint32_t)at, coefficient});
    out->constant += coefficient * n->least[at]; /* at most largest^2 more each time */
    fine = out->constant <= largest * largest && out->constant >= -largest * largest;
  }
  if (!fine) VECTOR_FREE(out->entries);
  return fine;
}

/* Atoms have a positive first coefficient: `not (sum <= 0)` may be closed upwards, and `not (sum = 0)` if 0 is the
 * least that the sum can be. */
static void read_atom(const net *n, term atom, sides *out) {
  upward_row row;
  if (!net_row(n, term_argument(n->ts, atom, 0), &row)) return;
  if (term_kind_of(n->ts, atom) == TERM_LE || row.constant == 0)
    out->no.is_upward = upward_of_row(n->space.width, &row, 1, &out->no.set);
  VECTOR_FREE(row.entries);
}

static void read_and(const term_fold *f, term t, sides *out) {
  const terms *ts = f->ts;
  size_t width = ((const net *)f->context)->space.width;
  out->yes = (side){true, upward_every(width)};
  out->no = (side){true, upward_none(width)};
  for (size_t i = 0; i < term_arguments(ts, t); i++) {
    const side *yes = side_of(f, term_argument(ts, t, i)), *no = side_of(f, term_not(term_argument(ts, t, i)));
    if (out->yes.is_upward && yes->is_upward) {
      upward both = upward_meet(&out->yes.set, &yes->set);
      upward_clear(&out->yes.set);
      out->yes.set = both;
    } else {
      side_free(&out->yes);
      out->yes.is_upward = false;
    }
    if (out->no.is_upward && no->is_upward) {
      upward_unite(&out->no.set, &no->set);
    } else {
      side_free(&out->no);
      out->no.is_upward = false;
    }
  }
}

static void read_term(const term_fold *f, term t, void *out) {
  const net *n = f->context;
  sides *made = out;
  switch (term_kind_of(n->ts, t)) {
    case TERM_CONSTANT_TRUE:
      *made = (sides){{true, upward_every(n->space.width)}, {true, upward_none(n->space.width)}};
      break;
    case TERM_LE:
    case TERM_EQ: read_atom(n, t, made); break;
    case TERM_AND: read_and(f, t, made); break;
    default: break;
  }
}

/* False if the formula is not closed upwards, or not seen to be. */
static bool upward_of_term(const net *n, term t, upward *out) {
  term_fold f = {.ts = n->ts, .size = sizeof(sides), .rule = read_term, .context = (void *)n};
  t = term_simplify_in_types(n->ts, t);
  term_fold_value(&f, t);
  const side *result = side_of(&f, t);
  bool fine = result->is_upward;
  if (fine) *out = upward_copy(&result->set);
  for (size_t i = 0; i < term_fold_count(&f); i++) {
    sides *made = term_fold_at(&f, i);
    side_free(&made->yes);
    side_free(&made->no);
  }
  term_fold_close(&f);
  return fine;
}

/* ---- the model ---- */

static bool read_variables(net *n) {
  const model *m = n->model;
  size_t width = m->variables.count;
  n->space.width = width;
  n->least = MEMORY_ARRAY(int64_t, width + 1);
  n->from = MEMORY_ARRAY(int64_t, width + 1);
  n->to = MEMORY_ARRAY(int64_t, width + 1);
  for (size_t i = 0; i < width; i++) {
    const type *of = variable_type(n->ts, m->variables.at[i].var);
    if (of->sort != SORT_INT || !of->has_low || of->has_high || !small(of->low, &n->least[i])) return false;
    n->to[i] = -1;
  }
  return width > 0;
}

/* One conjunct of the initial condition: a bound of one variable. */
static bool read_bound(net *n, term literal) {
  term_kind kind = term_kind_of(n->ts, literal);
  if (kind == TERM_CONSTANT_TRUE) return !term_is_false(literal);
  if (kind != TERM_LE && kind != TERM_EQ) return false;
  linear l = term_linear(n->ts, term_argument(n->ts, literal, 0));
  int64_t constant;
  if (l.count != 1 || !number_is(l.coefficients[0], 1) || term_kind_of(n->ts, l.leaves[0]) != TERM_INT_VARIABLE ||
      !small(l.constant, &constant))
    return false;
  size_t at = model_position(n->model, term_variable(n->ts, l.leaves[0]));
  if (at == SIZE_MAX) return false;
  int64_t value = -constant - n->least[at]; /* for which the sum is 0 */
  bool yes = !term_is_negated(literal);
  if (kind == TERM_EQ && !yes && value != 0) return false;
  int64_t low = yes ? (kind == TERM_EQ ? value : 0) : value + 1, high = yes ? value : -1;
  if (yes && value < 0) return false;
  if (low > n->from[at]) n->from[at] = low;
  if (high >= 0 && (n->to[at] < 0 || high < n->to[at])) n->to[at] = high;
  return true;
}

static bool read_init(net *n) {
  term_vector parts = {0};
  term_conjuncts(n->ts, n->model->init, &parts);
  bool fine = true;
  for (size_t i = 0; i < parts.count && fine; i++) fine = read_bound(n, parts.at[i]);
  for (size_t i = 0; i < n->space.width && fine; i++) fine = n->to[i] < 0 || n->from[i] <= n->to[i];
  VECTOR_FREE(parts);
  return fine;
}

static bool read_row(const net *n, const transition *t, size_t i, upward_row *out) {
  if (!net_row(n, transition_value_after(n->model, t, n->model->variables.at[i].var), out)) return false;
  out->constant -= n->least[i];
  return true;
}

static bool is_shift_row(const upward_row *row, size_t i) {
  return row->entries.count == 1 && row->entries.at[0].from == i && row->entries.at[0].coefficient == 1;
}

static bool read_step(net *n, const transition *t) {
  upward_step step = {.is_shift = true};
  if (t->inputs.count || !upward_of_term(n, transition_enabled(n->model, t), &step.guard)) return false;
  bool fine = true;
  for (size_t i = 0; i < n->space.width && fine; i++) {
    upward_row row;
    fine = read_row(n, t, i, &row);
    if (!fine) break;
    step.is_shift &= is_shift_row(&row, i);
    VECTOR_PUSH(step.rows, row);
  }
  n->has_images &= step.is_shift;
  if (fine)
    VECTOR_PUSH(n->space.steps, step);
  else
    upward_step_clear(&step);
  return fine;
}

static void make_first(net *n) {
  upward above = upward_none(n->space.width);
  int64_t *vector = MEMORY_ARRAY(int64_t, n->space.width);
  for (size_t i = 0; i < n->space.width; i++) {
    if (n->to[i] < 0) continue;
    vector[i] = n->to[i] + 1;
    upward_add(&above, vector);
    vector[i] = 0;
  }
  memory_free(vector);
  n->first = upward_points(upward_every(n->space.width), above);
  n->all = upward_points(upward_every(n->space.width), upward_none(n->space.width));
}

bool net_open(net *n, engine_environment *env) {
  const property *wanted = &env->model->properties.at[env->property];
  *n = (net){.env = env, .model = env->model, .ts = env->model->terms, .has_images = true};
  upward bad;
  if (wanted->kind != PROPERTY_SAFE || !read_variables(n) || !read_init(n) || !upward_of_term(n, wanted->bad, &bad))
    return false;
  n->last = upward_points(bad, upward_none(n->space.width));
  for (size_t i = 0; i < n->model->transitions.count; i++)
    if (!read_step(n, &n->model->transitions.at[i])) return false;
  make_first(n);
  return true;
}

void net_close(net *n) {
  space s = upward_space_interface(&n->space);
  s.free(s.self, n->all);
  s.free(s.self, n->first);
  s.free(s.self, n->last);
  upward_space_clear(&n->space);
  memory_free(n->least);
  memory_free(n->from);
  memory_free(n->to);
  *n = (net){0};
}
