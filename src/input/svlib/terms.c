/* SMT-LIB terms over integers and booleans. */
#include "input/svlib/lower.h"

static const sv_value nothing = {TERM_FALSE, SORT_BOOL};

static const char *sort_name(sort s) { return s == SORT_BOOL ? "Bool" : "Int"; }

/* ---- names ---- */

KEEP const sv_symbol *sv_look_up(sv_lowering *l, const char *name) {
  uint64_t found;
  for (size_t i = l->bound.count; i-- > 0;)
    if (!strcmp(l->bound.at[i]->name, name)) return l->bound.at[i];
  if (l->procedure && names_get(l->procedure->scope, name, &found)) return (const sv_symbol *)(uintptr_t)found;
  if (names_get(l->symbols, name, &found)) return (const sv_symbol *)(uintptr_t)found;
  return NULL;
}

static sv_value value_of_symbol(sv_lowering *l, const sv_symbol *s) {
  if (s->kind == SV_VALUE) return (sv_value){s->value, s->sort};
  return (sv_value){term_of_variable(l->ts, l->graph.cells.at[s->cell]), s->sort};
}

static sv_value value_of_word(sv_lowering *l, const sv_node *n) {
  number value;
  if (n->word == SV_NUMERAL && number_parse(n->text, strlen(n->text), &value))
    return (sv_value){term_number(l->ts, value), SORT_INT};
  if (n->word != SV_SYMBOL) {
    sv_refuse(l, n, "`%s` is not read; integers, true and false are", n->text);
    return nothing;
  }
  if (!strcmp(n->text, "true")) return (sv_value){TERM_TRUE, SORT_BOOL};
  if (!strcmp(n->text, "false")) return (sv_value){TERM_FALSE, SORT_BOOL};
  const sv_symbol *s = sv_look_up(l, n->text);
  if (s && s->kind != SV_FUNCTION) return value_of_symbol(l, s);
  if (s)
    sv_refuse(l, n, "`%s` is a function and needs its arguments", n->text);
  else
    sv_refuse(l, n, "`%s` is not known here", n->text);
  return nothing;
}

/* ---- operators ---- */

typedef term binary(terms *ts, term a, term b);

static term make_xor(terms *ts, term a, term b) { return term_not(term_eq(ts, a, b)); }

/* How more than two arguments are taken. */
typedef enum taken { LEFT, RIGHT, CHAIN } taken;

static const struct {
  const char *name;
  binary *make;
  sort of, result;
  taken taken;
} operators[] = {
    {"+", term_add, SORT_INT, SORT_INT, LEFT},     {"-", term_sub, SORT_INT, SORT_INT, LEFT},
    {"*", term_mul, SORT_INT, SORT_INT, LEFT},     {"<", term_lt, SORT_INT, SORT_BOOL, CHAIN},
    {"<=", term_le, SORT_INT, SORT_BOOL, CHAIN},   {">", term_gt, SORT_INT, SORT_BOOL, CHAIN},
    {">=", term_ge, SORT_INT, SORT_BOOL, CHAIN},   {"and", term_and, SORT_BOOL, SORT_BOOL, LEFT},
    {"or", term_or, SORT_BOOL, SORT_BOOL, LEFT},   {"=>", term_implies, SORT_BOOL, SORT_BOOL, RIGHT},
    {"xor", make_xor, SORT_BOOL, SORT_BOOL, LEFT},
};

static sv_value combine(sv_lowering *l, const sv_node *n, binary *make, sort of, sort result, taken how) {
  size_t count = n->count - 1;
  term *all = MEMORY_ARRAY(term, count);
  for (size_t i = 0; i < count; i++) all[i] = sv_term(l, n->items[i + 1], of);
  term made = how == CHAIN ? TERM_TRUE : how == RIGHT ? all[count - 1] : all[0];
  if (how == LEFT)
    for (size_t i = 1; i < count; i++) made = make(l->ts, made, all[i]);
  if (how == RIGHT)
    for (size_t i = count - 1; i-- > 0;) made = make(l->ts, all[i], made);
  if (how == CHAIN)
    for (size_t i = 0; i + 1 < count; i++) made = term_and(l->ts, made, make(l->ts, all[i], all[i + 1]));
  memory_free(all);
  return (sv_value){made, result};
}

static bool has_arguments(sv_lowering *l, const sv_node *n, size_t count) {
  if (n->count == count + 1) return true;
  sv_refuse(l, n, "`%s` takes %zu argument%s, not %zu", n->items[0]->text, count, count == 1 ? "" : "s", n->count - 1);
  return false;
}

/* SMT-LIB leaves the value of a division by 0 open. */
static sv_value divide(sv_lowering *l, const sv_node *n, bool is_div) {
  number constant;
  if (!has_arguments(l, n, 2)) return nothing;
  term a = sv_term(l, n->items[1], SORT_INT), b = sv_term(l, n->items[2], SORT_INT);
  bool is_fine = term_is_number(l->ts, b, &constant) && number_sign(constant);
  for (size_t i = 0; i < l->nonzero.count; i++) is_fine |= term_same(l->nonzero.at[i], b);
  if (!is_fine && !l->failed)
    sv_refuse(
        l, n->items[2],
        "this may be 0, and SMT-LIB says nothing of a division by 0; a constant would be read, or (ite (= b 0) .. "
        "(div a b))");
  return (sv_value){is_div ? term_div(l->ts, a, b) : term_mod(l->ts, a, b), SORT_INT};
}

/* If `c` is (= d 0), or its negation: the node of d, which is not 0 in one of the branches. */
static const sv_node *compared_with_zero(const sv_node *c, bool *if_true) {
  bool is_negated = sv_starts_with(c, "not") && c->count == 2;
  const sv_node *inner = is_negated ? c->items[1] : c;
  bool is_equal = sv_starts_with(inner, "=") && inner->count == 3;
  bool is_distinct = sv_starts_with(inner, "distinct") && inner->count == 3;
  if (!is_equal && !is_distinct) return NULL;
  *if_true = is_distinct != is_negated;
  if (sv_is_word(inner->items[2], "0")) return inner->items[1];
  return sv_is_word(inner->items[1], "0") ? inner->items[2] : NULL;
}

static sv_value branch(sv_lowering *l, const sv_node *n, const term *nonzero) {
  if (nonzero) VECTOR_PUSH(l->nonzero, *nonzero);
  sv_value value = sv_value_of(l, n);
  if (nonzero) (void)VECTOR_POP(l->nonzero);
  return value;
}

static sv_value choose(sv_lowering *l, const sv_node *n) {
  bool if_true = false;
  term tested = TERM_TRUE, condition;
  if (!has_arguments(l, n, 3)) return nothing;
  const sv_node *compared = compared_with_zero(n->items[1], &if_true);
  if (compared) {
    tested = sv_term(l, compared, SORT_INT);
    condition = term_eq(l->ts, tested, term_int(l->ts, 0));
    if (if_true) condition = term_not(condition);
  } else {
    condition = sv_term(l, n->items[1], SORT_BOOL);
  }
  sv_value yes = branch(l, n->items[2], compared && if_true ? &tested : NULL);
  sv_value no = branch(l, n->items[3], compared && !if_true ? &tested : NULL);
  if (l->failed) return nothing;
  if (yes.sort != no.sort) {
    sv_refuse(l, n, "this is a term of sort %s or %s; both must be the same", sort_name(yes.sort), sort_name(no.sort));
    return nothing;
  }
  return (sv_value){term_ite(l->ts, condition, yes.t, no.t), yes.sort};
}

/* Each argument is looked at once, or nested ones would take for ever. */
static sv_value compare(sv_lowering *l, const sv_node *n, bool is_distinct) {
  size_t count = n->count - 1;
  if (count < 2) {
    sv_refuse(l, n, "`%s` takes two arguments or more", n->items[0]->text);
    return nothing;
  }
  sv_value *all = MEMORY_ARRAY(sv_value, count);
  term made = TERM_TRUE;
  for (size_t i = 0; i < count; i++) {
    all[i] = sv_value_of(l, n->items[i + 1]);
    if (!l->failed && all[i].sort != all[0].sort)
      sv_refuse(l, n->items[i + 1], "this is of sort %s; %s is wanted", sort_name(all[i].sort), sort_name(all[0].sort));
  }
  for (size_t i = 0; i + 1 < count && !l->failed; i++)
    for (size_t j = i + 1; j < (is_distinct ? count : i + 2); j++) {
      term same = term_eq(l->ts, all[i].t, all[j].t);
      made = term_and(l->ts, made, is_distinct ? term_not(same) : same);
    }
  memory_free(all);
  return (sv_value){made, SORT_BOOL};
}

static sv_value apply_operator(sv_lowering *l, const sv_node *n, const char *name) {
  bool is_one = n->count == 2;
  if (!strcmp(name, "not"))
    return has_arguments(l, n, 1) ? (sv_value){term_not(sv_term(l, n->items[1], SORT_BOOL)), SORT_BOOL} : nothing;
  if (!strcmp(name, "-") && is_one) return (sv_value){term_negate(l->ts, sv_term(l, n->items[1], SORT_INT)), SORT_INT};
  if (!strcmp(name, "abs"))
    return has_arguments(l, n, 1) ? (sv_value){term_abs(l->ts, sv_term(l, n->items[1], SORT_INT)), SORT_INT} : nothing;
  if (!strcmp(name, "div") || !strcmp(name, "mod")) return divide(l, n, *name == 'd');
  if (!strcmp(name, "ite")) return choose(l, n);
  if (!strcmp(name, "=") || !strcmp(name, "distinct")) return compare(l, n, *name == 'd');
  for (size_t i = 0; i < ARRAY_LENGTH(operators); i++)
    if (!strcmp(name, operators[i].name) && (n->count > 2 || operators[i].taken != CHAIN))
      return combine(l, n, operators[i].make, operators[i].of, operators[i].result, operators[i].taken);
  sv_refuse(l, n->items[0], is_one ? "`%s` is not known here, or not with one argument" : "`%s` is not known here",
            name);
  return nothing;
}

static sv_value apply_function(sv_lowering *l, const sv_node *n, const sv_symbol *f) {
  if (!has_arguments(l, n, f->parameter_count)) return nothing;
  substitution *by = substitution_new(l->ts);
  for (size_t i = 0; i < f->parameter_count; i++)
    substitution_set(by, f->parameters[i], sv_term(l, n->items[i + 1], variable_type(l->ts, f->parameters[i])->sort));
  sv_value made = {substitution_apply(by, f->value), f->sort};
  substitution_free(by);
  return made;
}

/* ---- let, at ---- */

static sv_value bind(sv_lowering *l, const sv_node *n) {
  if (n->count != 3 || !n->items[1]->is_list) {
    sv_refuse(l, n, "this is not a `let`; (let ((x t)) t) is one");
    return nothing;
  }
  VECTOR(sv_symbol *) made = {0};
  for (size_t i = 0; i < n->items[1]->count && !l->failed; i++) {
    const sv_node *one = n->items[1]->items[i];
    const char *name = one->is_list && one->count == 2 ? sv_name(l, one->items[0]) : NULL;
    if (!name) {
      if (!l->failed) sv_refuse(l, one, "this binds nothing; (x t) does");
      break;
    }
    sv_value value = sv_value_of(l, one->items[1]);
    sv_symbol *s = sv_symbol_new(l, name, SV_VALUE, value.sort, one->at);
    s->value = value.t;
    VECTOR_PUSH(made, s);
  }
  for (size_t i = 0; i < made.count; i++) VECTOR_PUSH(l->bound, made.at[i]);
  sv_value value = l->failed ? nothing : sv_value_of(l, n->items[2]);
  l->bound.count -= made.count;
  VECTOR_FREE(made);
  return value;
}

static sv_value earlier(sv_lowering *l, const sv_node *n) {
  const sv_symbol *s = n->count == 3 && !n->items[1]->is_list ? sv_look_up(l, n->items[1]->text) : NULL;
  const sv_ghost *g = s && l->procedure ? sv_ghost_of(l->procedure, s, n->items[2]->text) : NULL;
  if (g) return (sv_value){term_of_variable(l->ts, l->graph.cells.at[g->cell]), s->sort};
  sv_refuse(l, n,
            "this is not a value of a variable at a tag; (at x tag) is one, in an annotation, with a tag of the same "
            "procedure");
  return nothing;
}

/* ---- all of them ---- */

sv_value sv_value_of(sv_lowering *l, const sv_node *n) {
  if (l->failed) return nothing;
  if (!n->is_list) return value_of_word(l, n);
  if (!n->count || n->items[0]->is_list) {
    sv_refuse(l, n, "this is not a term over integers and booleans; (+ x 1) is one");
    return nothing;
  }
  const char *name = n->items[0]->text;
  if (!strcmp(name, "let")) return bind(l, n);
  if (!strcmp(name, "at")) return earlier(l, n);
  if (!strcmp(name, "!") && n->count > 1) return sv_value_of(l, n->items[1]);
  const sv_symbol *s = sv_look_up(l, name);
  if (s && s->kind == SV_FUNCTION) return apply_function(l, n, s);
  if (n->count < 2 || s) {
    sv_refuse(l, n, "`%s` is not a function", name);
    return nothing;
  }
  return apply_operator(l, n, name);
}

term sv_term(sv_lowering *l, const sv_node *n, sort wanted) {
  sv_value value = sv_value_of(l, n);
  if (!l->failed && value.sort != wanted)
    sv_refuse(l, n, "this is of sort %s; %s is wanted", sort_name(value.sort), sort_name(wanted));
  if (l->failed) return wanted == SORT_BOOL ? TERM_FALSE : term_int(l->ts, 0);
  return value.t;
}
