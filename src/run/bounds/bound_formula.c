/* Bounds as text: sums of products, in the language of models. */
#include "run/bounds/counted_model.h"
#include "term/print.h"

typedef struct formula {
  text text;
  bool is_sum;    /* it needs parentheses in a product */
  bool is_number; /* of this value */
  int64_t value;
} formula;

static formula number_formula(int64_t value) {
  formula f = {.is_number = true, .value = value};
  text_add(&f.text, "%lld", (long long)value);
  return f;
}

/* A value, 0 if it is negative. */
static formula positive_formula(const frozen_model *f, term value, bool is_positive) {
  terms *ts = f->m->terms;
  term shown = frozen_model_shown(f, value);
  number known;
  int64_t small;
  if (term_is_number(ts, shown, &known) && number_to_int64(known, &small)) return number_formula(small > 0 ? small : 0);
  char *string = term_string(ts, shown);
  formula out = {.is_sum = is_positive && term_kind_of(ts, shown) != TERM_INT_VARIABLE};
  text_add(&out.text, is_positive ? "%s" : "max(0, %s)", string);
  memory_free(string);
  return out;
}

static void add_operand(text *out, const formula *f, bool in_product) {
  bool has_parentheses = in_product && f->is_sum;
  text_add(out, has_parentheses ? "(%s)" : "%s", text_string(&f->text));
}

static formula product_formula(TAKE formula a, TAKE formula b) {
  int64_t value;
  formula out = {0};
  if (a.is_number && b.is_number && !__builtin_mul_overflow(a.value, b.value, &value)) {
    out = number_formula(value);
  } else if ((a.is_number && a.value == 0) || (b.is_number && b.value == 0)) {
    out = number_formula(0);
  } else if (a.is_number && a.value == 1) {
    out = b;
    b = (formula){0};
  } else if (b.is_number && b.value == 1) {
    out = a;
    a = (formula){0};
  } else {
    add_operand(&out.text, &a, true);
    text_add(&out.text, " * ");
    add_operand(&out.text, &b, true);
  }
  text_clear(&a.text);
  text_clear(&b.text);
  return out;
}

static formula sum_formula(TAKE formula a, TAKE formula b) {
  int64_t value;
  formula out = {.is_sum = true};
  if (a.is_number && b.is_number && !__builtin_add_overflow(a.value, b.value, &value)) {
    out = number_formula(value);
  } else if (a.is_number && a.value == 0) {
    out = b;
    b = (formula){0};
  } else if (b.is_number && b.value == 0) {
    out = a;
    a = (formula){0};
  } else {
    text_add(&out.text, "%s + %s", text_string(&a.text), text_string(&b.text));
  }
  text_clear(&a.text);
  text_clear(&b.text);
  return out;
}

static formula quotient_formula(TAKE formula a, int64_t by) {
  if (by == 1) return a;
  formula out = {0};
  if (a.is_number) {
    out = number_formula(a.value / by);
  } else {
    text_add(&out.text, "(%s) / %lld", text_string(&a.text), (long long)by);
    out.is_sum = true;
  }
  text_clear(&a.text);
  return out;
}

static formula unit_formula(const frozen_model *f, const bound_units *units, size_t number) {
  const bound_unit *u = &units->at[number];
  formula sum = positive_formula(f, frozen_model_first(f, u->potential), u->is_positive);
  for (size_t i = 0; i < u->growths.count; i++) {
    const unit_growth *g = &u->growths.at[i];
    formula times = unit_formula(f, units, g->unit); /* units refer to earlier ones: it ends */
    sum = sum_formula(sum, product_formula(times, positive_formula(f, g->by, g->is_positive)));
  }
  return quotient_formula(sum, u->by);
}

char *counted_model_bound(const frozen_model *f, const bound_units *units, const index_vector *of) {
  formula sum = number_formula(0);
  for (size_t i = 0; i < of->count; i++) sum = sum_formula(sum, unit_formula(f, units, of->at[i]));
  return text_give(&sum.text);
}

/* ---- inputs ---- */

static void add_inputs_of(const frozen_model *f, term value, bool *is_there) {
  for (size_t i = 0; i < f->made.count; i++)
    if (f->made.at[i].is_input && term_mentions(f->m->terms, value, f->made.at[i].var)) is_there[i] = true;
}

static void add_inputs_of_unit(const frozen_model *f, const bound_units *units, size_t number, bool *is_there) {
  const bound_unit *u = &units->at[number];
  add_inputs_of(f, frozen_model_first(f, u->potential), is_there);
  for (size_t i = 0; i < u->growths.count; i++) {
    add_inputs_of(f, u->growths.at[i].by, is_there);
    add_inputs_of_unit(f, units, u->growths.at[i].unit, is_there);
  }
}

void counted_model_inputs(const frozen_model *f, const bound_units *units, const index_vector *of, index_vector *out) {
  bool *is_there = MEMORY_ARRAY(bool, f->made.count + 1);
  for (size_t i = 0; i < of->count; i++) add_inputs_of_unit(f, units, of->at[i], is_there);
  for (size_t i = 0; i < f->made.count; i++)
    if (is_there[i]) VECTOR_PUSH(*out, (uint32_t)i);
  memory_free(is_there);
}
