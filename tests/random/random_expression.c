#include "random/random_expression.h"

static raw *node(raw_source *s, raw_kind kind, raw *a, raw *b, raw *c) {
  raw *r = arena_alloc(s->arena, sizeof *r);
  *r = (raw){.kind = kind, .a = a, .b = b, .c = c};
  return r;
}

static raw *constant(raw_source *s) {
  raw *r = node(s, RAW_CONSTANT, NULL, NULL, NULL);
  r->constant = number_of(random_between(&s->random, -6, 6));
  if (s->large && random_below(&s->random, 8) == 0) {
    const char *large = "123456789012345678901234567890";
    number_parse(large, strlen(large), &r->constant);
    if (random_below(&s->random, 2)) r->constant = number_negate(r->constant);
  }
  return r;
}

static raw *leaf_variable(raw_source *s, raw_kind kind, uint32_t count) {
  raw *r = node(s, kind, NULL, NULL, NULL);
  r->variable = (uint32_t)random_below(&s->random, count);
  return r;
}

raw *raw_integer(raw_source *s, int depth) {
  if (depth <= 0 || random_below(&s->random, 4) == 0)
    return random_below(&s->random, 3) ? leaf_variable(s, RAW_INT_VARIABLE, s->int_variables) : constant(s);
  raw *a = raw_integer(s, depth - 1);
  switch (random_below(&s->random, 12)) {
    case 0:
    case 1:
    case 2: return node(s, RAW_ADD, a, raw_integer(s, depth - 1), NULL);
    case 3:
    case 4: return node(s, RAW_SUB, a, raw_integer(s, depth - 1), NULL);
    case 5: return node(s, RAW_NEGATE, a, NULL, NULL);
    case 6: return node(s, RAW_MUL, a, s->nonlinear ? raw_integer(s, depth - 1) : constant(s), NULL);
    case 7:
      return node(s, random_below(&s->random, 2) ? RAW_DIV : RAW_MOD, a,
                  s->nonlinear ? raw_integer(s, depth - 1) : constant(s), NULL);
    case 8: return node(s, RAW_ITE, raw_boolean(s, depth - 2), a, raw_integer(s, depth - 1));
    case 9: return node(s, RAW_MIN, a, raw_integer(s, depth - 1), NULL);
    case 10: return node(s, RAW_MAX, a, raw_integer(s, depth - 1), NULL);
    default: return node(s, RAW_ABS, a, NULL, NULL);
  }
}

raw *raw_boolean(raw_source *s, int depth) {
  static const raw_kind comparisons[] = {RAW_LE, RAW_LT, RAW_GE, RAW_GT, RAW_EQ, RAW_NE};
  static const raw_kind connectives[] = {RAW_AND, RAW_AND, RAW_OR, RAW_OR, RAW_IMPLIES, RAW_IFF};
  if (depth <= 0) {
    if (random_below(&s->random, 10) == 0) return node(s, RAW_TRUE, NULL, NULL, NULL);
    if (s->bool_variables) return leaf_variable(s, RAW_BOOL_VARIABLE, s->bool_variables);
  }
  if (depth <= 1 || random_below(&s->random, 2))
    return node(s, comparisons[random_below(&s->random, 6)], raw_integer(s, depth - 1), raw_integer(s, depth - 1),
                NULL);
  raw *a = raw_boolean(s, depth - 1);
  uint64_t choice = random_below(&s->random, 8);
  if (choice == 6) return node(s, RAW_NOT, a, NULL, NULL);
  if (choice == 7) return node(s, RAW_BOOL_ITE, raw_boolean(s, depth - 1), a, raw_boolean(s, depth - 1));
  return node(s, connectives[choice], a, raw_boolean(s, depth - 1), NULL);
}

number raw_evaluate(const raw *r, const number *ints, const bool *bools) {
  number a = r->a ? raw_evaluate(r->a, ints, bools) : number_of(0);
  number b = r->b ? raw_evaluate(r->b, ints, bools) : number_of(0);
  number c = r->c ? raw_evaluate(r->c, ints, bools) : number_of(0);
  int order = number_compare(a, b);
  switch (r->kind) {
    case RAW_INT_VARIABLE: return ints[r->variable];
    case RAW_CONSTANT: return r->constant;
    case RAW_ADD: return number_add(a, b);
    case RAW_SUB: return number_sub(a, b);
    case RAW_NEGATE: return number_negate(a);
    case RAW_MUL: return number_mul(a, b);
    case RAW_DIV: return number_is(b, 0) ? number_of(0) : number_div(a, b);
    case RAW_MOD: return number_is(b, 0) ? a : number_mod(a, b);
    case RAW_ITE:
    case RAW_BOOL_ITE: return number_is(a, 0) ? c : b;
    case RAW_MIN: return order <= 0 ? a : b;
    case RAW_MAX: return order <= 0 ? b : a;
    case RAW_ABS: return number_abs(a);
    case RAW_BOOL_VARIABLE: return number_of(bools[r->variable]);
    case RAW_TRUE: return number_of(1);
    case RAW_NOT: return number_of(number_is(a, 0));
    case RAW_AND: return number_of(!number_is(a, 0) && !number_is(b, 0));
    case RAW_OR: return number_of(!number_is(a, 0) || !number_is(b, 0));
    case RAW_IMPLIES: return number_of(number_is(a, 0) || !number_is(b, 0));
    case RAW_IFF:
    case RAW_EQ: return number_of(order == 0);
    case RAW_LE: return number_of(order <= 0);
    case RAW_LT: return number_of(order < 0);
    case RAW_GE: return number_of(order >= 0);
    case RAW_GT: return number_of(order > 0);
    case RAW_NE: return number_of(order != 0);
  }
  return a;
}

term raw_term(terms *ts, const raw *r, const variable *ints, const variable *bools) {
  term a = r->a ? raw_term(ts, r->a, ints, bools) : TERM_TRUE;
  term b = r->b ? raw_term(ts, r->b, ints, bools) : TERM_TRUE;
  term c = r->c ? raw_term(ts, r->c, ints, bools) : TERM_TRUE;
  switch (r->kind) {
    case RAW_INT_VARIABLE: return term_of_variable(ts, ints[r->variable]);
    case RAW_CONSTANT: return term_number(ts, r->constant);
    case RAW_ADD: return term_add(ts, a, b);
    case RAW_SUB: return term_sub(ts, a, b);
    case RAW_NEGATE: return term_negate(ts, a);
    case RAW_MUL: return term_mul(ts, a, b);
    case RAW_DIV: return term_div(ts, a, b);
    case RAW_MOD: return term_mod(ts, a, b);
    case RAW_ITE:
    case RAW_BOOL_ITE: return term_ite(ts, a, b, c);
    case RAW_MIN: return term_min(ts, a, b);
    case RAW_MAX: return term_max(ts, a, b);
    case RAW_ABS: return term_abs(ts, a);
    case RAW_BOOL_VARIABLE: return term_of_variable(ts, bools[r->variable]);
    case RAW_TRUE: return TERM_TRUE;
    case RAW_NOT: return term_not(a);
    case RAW_AND: return term_and(ts, a, b);
    case RAW_OR: return term_or(ts, a, b);
    case RAW_IMPLIES: return term_implies(ts, a, b);
    case RAW_IFF: return term_iff(ts, a, b);
    case RAW_LE: return term_le(ts, a, b);
    case RAW_LT: return term_lt(ts, a, b);
    case RAW_GE: return term_ge(ts, a, b);
    case RAW_GT: return term_gt(ts, a, b);
    case RAW_EQ: return term_eq(ts, a, b);
    case RAW_NE: return term_not(term_eq(ts, a, b));
  }
  return a;
}

static void print_number(number n, text *out) {
  text_add(out, number_sign(n) < 0 ? "(- " : "");
  number_print(out, number_abs(n));
  text_add(out, number_sign(n) < 0 ? ")" : "");
}

static void print_all(const char *head, const raw *r, text *out) {
  text_add(out, "(%s", head);
  const raw *all[] = {r->a, r->b, r->c};
  for (int i = 0; i < 3 && all[i]; i++) {
    text_add_char(out, ' ');
    raw_print_smtlib(all[i], out);
  }
  text_add_char(out, ')');
}

/* Division by zero means what whet says it means. */
static void print_division(const raw *r, text *out) {
  text b = {0};
  raw_print_smtlib(r->b, &b);
  text_add(out, "(ite (= %s 0) ", text_string(&b));
  if (r->kind == RAW_DIV)
    text_add(out, "0");
  else
    raw_print_smtlib(r->a, out);
  text_add_char(out, ' ');
  print_all(r->kind == RAW_DIV ? "div" : "mod", r, out);
  text_add_char(out, ')');
  text_clear(&b);
}

static void print_choice(const char *test, const raw *r, bool first, text *out) {
  text_add_char(out, '(');
  text_add(out, "ite ");
  print_all(test, r, out);
  text_add_char(out, ' ');
  raw_print_smtlib(first ? r->a : r->b, out);
  text_add_char(out, ' ');
  raw_print_smtlib(first ? r->b : r->a, out);
  text_add_char(out, ')');
}

void raw_print_smtlib(const raw *r, text *out) {
  static const char *const heads[] = {
      [RAW_ADD] = "+",   [RAW_SUB] = "-",       [RAW_NEGATE] = "-",    [RAW_MUL] = "*", [RAW_ITE] = "ite",
      [RAW_ABS] = "abs", [RAW_NOT] = "not",     [RAW_AND] = "and",     [RAW_OR] = "or", [RAW_IMPLIES] = "=>",
      [RAW_IFF] = "=",   [RAW_LE] = "<=",       [RAW_LT] = "<",        [RAW_GE] = ">=", [RAW_GT] = ">",
      [RAW_EQ] = "=",    [RAW_NE] = "distinct", [RAW_BOOL_ITE] = "ite"};
  switch (r->kind) {
    case RAW_INT_VARIABLE: text_add(out, "|i%u|", r->variable); break;
    case RAW_BOOL_VARIABLE: text_add(out, "|b%u|", r->variable); break;
    case RAW_CONSTANT: print_number(r->constant, out); break;
    case RAW_TRUE: text_add(out, "true"); break;
    case RAW_DIV:
    case RAW_MOD: print_division(r, out); break;
    case RAW_MIN: print_choice("<=", r, true, out); break;
    case RAW_MAX: print_choice("<=", r, false, out); break;
    default: print_all(heads[r->kind], r, out);
  }
}
