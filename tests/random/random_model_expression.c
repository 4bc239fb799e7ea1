/* Random expressions as text. Parentheses stand if precedence needs them, and now and then if it does not. */
#include "random/random_generator.h"

const char *make(generator *g, const char *format, ...) {
  text t = {0};
  va_list list;
  va_start(list, format);
  text_add_list(&t, format, list);
  va_end(list);
  const char *kept = arena_copy_string(g->arena, text_string(&t));
  text_clear(&t);
  return kept;
}

const char *closed(generator *g, piece p, level around) {
  return p.binds < around || chance(g, 5) ? make(g, "(%s)", p.text) : p.text;
}

static piece tight(const char *text) { return (piece){text, LEVEL_TIGHT}; }

/* ---- names ---- */

static bool is_within(const shape *s, int64_t low, int64_t high) {
  return s->sort == SHAPE_INTEGER && s->has_low && s->has_high && s->low >= low && s->high <= high;
}

static const char *literal(generator *g, int64_t n) {
  return n < 0 ? make(g, "(%lld)", (long long)n) : make(g, "%lld", (long long)n);
}

/* A random one of the known names that `fits`; NULL if none does. */
typedef bool (*fits)(const generator *g, const known *k, const void *context);
static const known *choose(generator *g, fits wanted, const void *context) {
  size_t count = 0;
  for (size_t i = 0; i < g->known.count; i++) count += wanted(g, &g->known.at[i], context);
  if (!count) return NULL;
  size_t left = (size_t)below(g, count);
  for (size_t i = 0;; i++)
    if (wanted(g, &g->known.at[i], context) && left-- == 0) return &g->known.at[i];
}

static bool is_index(const generator *g, const known *k, const void *context) {
  const int64_t *bounds = context;
  bool constant = k->constant || (g->features & RANDOM_CONDITIONALS);
  return !k->process && !k->dimensions && constant && is_within(&k->of, bounds[0], bounds[1]);
}

static const char *make_index(generator *g, int64_t first, int64_t last) {
  const int64_t bounds[] = {first, last};
  const known *k = choose(g, is_index, bounds);
  if (k && chance(g, 60)) return k->name;
  if (may_fault(g) && has(g, RANDOM_CONDITIONALS) && chance(g, 15)) return make_integer(g, 1).text;
  return literal(g, random_between(&g->random, first, last));
}

/* P or P[i] */
static const char *make_copy(generator *g, const char *process, const int64_t *copies) {
  return copies[1] < copies[0] ? process : make(g, "%s[%s]", process, make_index(g, copies[0], copies[1]));
}

const char *make_access(generator *g, const known *k) {
  known copy = *k; /* making an index may bind names, which moves the table */
  const char *result = copy.name;
  if (copy.process) result = make(g, "%s.%s", make_copy(g, copy.process, copy.copies), copy.name);
  for (unsigned i = 0; i < copy.dimensions; i++)
    result = make(g, "%s[%s]", result, make_index(g, copy.first[i], copy.last[i]));
  return result;
}

/* That a process is at one of its places; NULL if there is no process. */
static const char *make_place(generator *g) {
  size_t inside = g->places.count, all = inside + g->families.count;
  if (!all) return NULL;
  size_t chosen = (size_t)below(g, all);
  if (chosen < inside) return g->places.at[chosen];
  family f = g->families.at[chosen - inside];
  return make(g, "%s at s%u", make_copy(g, f.name, f.copies), (unsigned)below(g, f.states));
}

static bool same_shape(const shape *a, const shape *b) {
  return a->sort == b->sort && (a->sort != SHAPE_ENUMERATION || a->enumeration == b->enumeration);
}

static bool has_shape(const generator *g, const known *k, const void *context) {
  (void)g;
  return same_shape(&k->of, context);
}

static bool is_variable(const generator *g, const known *k, const void *context) {
  (void)g;
  return !k->constant && (!context || same_shape(&k->of, context));
}

const char *make_constant(generator *g, const shape *of) {
  switch (of->sort) {
    case SHAPE_BOOL: return chance(g, 50) ? "true" : "false";
    case SHAPE_INTEGER:
      return literal(g, random_between(&g->random, of->has_low ? of->low : -2,
                                       of->has_high  ? of->high
                                       : of->has_low ? of->low + 3
                                                     : 4));
    case SHAPE_ENUMERATION: break;
  }
  const string_vector *values = &g->enumerations[of->enumeration];
  return values->at[below(g, values->count)];
}

/* ---- integers ---- */

static piece integer_leaf(generator *g) {
  const shape any = {.sort = SHAPE_INTEGER};
  if (g->bound && chance(g, 40)) return tight(VECTOR_LAST(g->known).name);
  const known *k = choose(g, chance(g, 80) ? is_variable : has_shape, &any);
  if (k && chance(g, 75)) return tight(make_access(g, k));
  return tight(literal(g, random_between(&g->random, -2, 5)));
}

static const char *make_divisor(generator *g) {
  if (may_fault(g) && chance(g, 40)) return closed(g, make_integer(g, 1), LEVEL_TIGHT);
  int64_t n = random_between(&g->random, 1, 4);
  return literal(g, chance(g, 25) ? -n : n);
}

/* Names that a quantifier binds stand for the numbers of a small range while its body is made. */
static piece quantify(generator *g, const char *word, bool boolean, int depth) {
  int64_t low = random_between(&g->random, -1, 1), high = low + (chance(g, 10) ? 0 : 1 + (int64_t)below(g, 2));
  size_t before = g->known.count;
  unsigned number = g->named++;
  const char *name = make(g, "%c%u", "ijk"[below(g, 3)], number);
  VECTOR_PUSH(g->known, (known){.name = name, .of = {SHAPE_INTEGER, true, true, low, high, 0}, .constant = true});
  const char *more = "";
  if (boolean && chance(g, 25)) {
    const char *second = make(g, "j%u", g->named++);
    VECTOR_PUSH(g->known, (known){.name = second, .of = {SHAPE_INTEGER, true, true, 0, 1, 0}, .constant = true});
    more = make(g, ", %s : 0..1", second);
  }
  g->bound++;
  piece body = boolean ? make_boolean(g, depth) : make_integer(g, depth);
  g->bound--;
  g->known.count = before;
  const char *range = make(g, "%s..%s%s", bound_text(g, low), bound_text(g, high), more);
  return (piece){make(g, "%s %s : %s . %s", word, name, range, body.text), LEVEL_WHOLE};
}

static piece make_conditional(generator *g, int depth) {
  const char *a = closed(g, make_integer(g, depth - 1), LEVEL_IFF);
  switch (below(g, 4)) {
    case 0: return tight(make(g, "min(%s, %s)", a, make_integer(g, depth - 1).text));
    case 1: return tight(make(g, "max(%s, %s)", a, make_integer(g, depth - 1).text));
    case 2: return tight(make(g, "abs(%s)", a));
    default: break;
  }
  const char *condition = closed(g, make_boolean(g, depth - 1), LEVEL_IFF);
  return (piece){make(g, "if %s then %s else %s", condition, a, make_integer(g, depth - 1).text), LEVEL_WHOLE};
}

static piece make_nonlinear(generator *g, int depth) {
  const char *a = closed(g, make_integer(g, depth - 1), LEVEL_PRODUCT);
  switch (below(g, 3)) {
    case 0: return (piece){make(g, "%s * %s", a, closed(g, make_integer(g, depth - 1), LEVEL_TIGHT)), LEVEL_PRODUCT};
    case 1: return (piece){make(g, "%s / %s", a, make_divisor(g)), LEVEL_PRODUCT};
    default: return (piece){make(g, "%s %% %s", a, make_divisor(g)), LEVEL_PRODUCT};
  }
}

piece make_integer(generator *g, int depth) {
  if (depth <= 0 || chance(g, 30)) return integer_leaf(g);
  uint64_t kind = below(g, 12);
  if (kind < 2 && has(g, RANDOM_CONDITIONALS)) return make_conditional(g, depth);
  if (kind < 5 && has(g, RANDOM_NONLINEAR)) return make_nonlinear(g, depth);
  if (kind == 5 && has(g, RANDOM_QUANTIFIERS)) return quantify(g, "sum", false, depth - 1);
  if (kind == 6) return tight(make(g, "-%s", closed(g, make_integer(g, depth - 1), LEVEL_TIGHT)));
  if (kind == 7)
    return (piece){make(g, "%lld * %s", (long long)random_between(&g->random, 2, 3),
                        closed(g, make_integer(g, depth - 1), LEVEL_TIGHT)),
                   LEVEL_PRODUCT};
  const char *a = closed(g, make_integer(g, depth - 1), LEVEL_SUM),
             *b = closed(g, make_integer(g, depth - 1), LEVEL_PRODUCT);
  return (piece){make(g, "%s %c %s", a, chance(g, 50) ? '+' : '-', b), LEVEL_SUM};
}

/* ---- truth values ---- */

static piece make_comparison(generator *g, int depth) {
  static const char *const signs[] = {"=", "!=", "<", "<=", ">", ">=", "=="};
  const char *a = closed(g, make_integer(g, depth - 1), LEVEL_SUM),
             *b = closed(g, make_integer(g, depth - 1), LEVEL_SUM);
  return (piece){make(g, "%s %s %s", a, signs[below(g, 7)], b), LEVEL_COMPARE};
}

/* A variable of an enumeration, or true and false, compared with another value of its type. */
static piece make_equality(generator *g, const known *k) {
  const shape of = k->of;
  const char *a = make_access(g, k);
  return (piece){make(g, "%s %s %s", a, chance(g, 70) ? "=" : "!=", closed(g, make_value(g, &of, 0), LEVEL_SUM)),
                 LEVEL_COMPARE};
}

static piece boolean_leaf(generator *g, int depth) {
  const shape truth = {.sort = SHAPE_BOOL},
              value = {.sort = SHAPE_ENUMERATION, .enumeration = g->enumeration_count > 1 && chance(g, 50)};
  const known *k;
  const char *place;
  if (chance(g, 20) && (place = make_place(g))) return (piece){place, LEVEL_COMPARE};
  if (chance(g, 25) && (k = choose(g, has_shape, &truth))) return tight(make_access(g, k));
  if (g->enumeration_count && chance(g, 25) && (k = choose(g, has_shape, &value))) return make_equality(g, k);
  if (chance(g, 3)) return tight(make_constant(g, &truth));
  return make_comparison(g, depth > 2 ? depth : 2);
}

static piece make_connective(generator *g, int depth) {
  piece a = make_boolean(g, depth - 1), b = make_boolean(g, depth - 1);
  switch (below(g, 8)) {
    case 0:
    case 1:
    case 2: return (piece){make(g, "%s && %s", closed(g, a, LEVEL_AND), closed(g, b, LEVEL_NOT)), LEVEL_AND};
    case 3:
    case 4: return (piece){make(g, "%s || %s", closed(g, a, LEVEL_OR), closed(g, b, LEVEL_AND)), LEVEL_OR};
    case 5: return (piece){make(g, "%s => %s", closed(g, a, LEVEL_OR), closed(g, b, LEVEL_IMPLIES)), LEVEL_IMPLIES};
    case 6: return (piece){make(g, "%s <=> %s", closed(g, a, LEVEL_IFF), closed(g, b, LEVEL_IMPLIES)), LEVEL_IFF};
    default: return (piece){make(g, "(%s) %s (%s)", a.text, chance(g, 50) ? "=" : "!=", b.text), LEVEL_COMPARE};
  }
}

piece make_boolean(generator *g, int depth) {
  if (depth <= 0 || chance(g, 35)) return boolean_leaf(g, depth);
  uint64_t kind = below(g, 11);
  if (kind == 0) return (piece){make(g, "!%s", closed(g, make_boolean(g, depth - 1), LEVEL_NOT)), LEVEL_NOT};
  if (kind <= 2 && has(g, RANDOM_QUANTIFIERS)) return quantify(g, chance(g, 50) ? "forall" : "exists", true, depth - 1);
  if (kind == 3) {
    const char *c = closed(g, make_boolean(g, depth - 1), LEVEL_IFF),
               *a = closed(g, make_boolean(g, depth - 1), LEVEL_IFF);
    return (piece){make(g, "if %s then %s else %s", c, a, make_boolean(g, depth - 1).text), LEVEL_WHOLE};
  }
  return make_connective(g, depth);
}

static piece make_enumeral(generator *g, const shape *of, int depth) {
  const known *k = choose(g, has_shape, of);
  if (depth > 0 && chance(g, 30)) {
    const char *c = make_boolean(g, depth - 1).text, *a = make_enumeral(g, of, depth - 1).text;
    return (piece){make(g, "if %s then %s else %s", c, a, make_enumeral(g, of, depth - 1).text), LEVEL_WHOLE};
  }
  return tight(k && chance(g, 40) ? make_access(g, k) : make_constant(g, of));
}

piece make_value(generator *g, const shape *of, int depth) {
  switch (of->sort) {
    case SHAPE_BOOL: return make_boolean(g, depth);
    case SHAPE_INTEGER: return make_integer(g, depth);
    case SHAPE_ENUMERATION: break;
  }
  return make_enumeral(g, of, depth);
}

/* ---- properties ---- */

static const char *make_literal(generator *g) {
  const known *k = choose(g, is_variable, NULL);
  const char *place = !k || chance(g, 30) ? make_place(g) : NULL;
  if (place || !k) return place ? place : "true";
  const shape of = k->of;
  const char *access = make_access(g, k);
  if (of.sort == SHAPE_BOOL) return make(g, "%s%s", chance(g, 50) ? "!" : "", access);
  static const char *const signs[] = {"=", "=", "=", ">=", "<=", "!="};
  return make(g, "%s %s %s", access, signs[below(g, of.sort == SHAPE_INTEGER ? 6 : 1)], make_constant(g, &of));
}

piece make_corner(generator *g) {
  if (chance(g, 20)) return make_boolean(g, 3);
  const char *result = make_literal(g);
  uint64_t more = below(g, 10) < 2 ? 0 : 1 + below(g, 3);
  for (uint64_t i = 0; i < more; i++) result = make(g, "%s && %s", result, make_literal(g));
  return (piece){result, more ? LEVEL_AND : LEVEL_NOT};
}

const char *make_temporal(generator *g, const char *logic, int depth) {
  static const char *const ctl[] = {"AX", "EX", "AF", "EF", "AG", "EG"}, *const ltl[] = {"X", "F", "G"},
                           *const untils[] = {"U", "R", "W"};
  if (depth <= 0 || chance(g, 10)) return make(g, "(%s)", make_literal(g));
  bool branching = !strcmp(logic, "ctl");
  if (!strcmp(logic, "ctlstar") && chance(g, 25))
    return make(g, "%s %s", chance(g, 50) ? "A" : "E", make_temporal(g, logic, depth));
  const char *a = make_temporal(g, logic, depth - 1);
  switch (below(g, 5)) {
    case 0: return make(g, "!%s", a);
    case 1: return make(g, "(%s %s %s)", a, chance(g, 50) ? "&&" : "=>", make_temporal(g, logic, depth - 1));
    case 2:
      if (branching) return make(g, "%s[%s U %s]", chance(g, 50) ? "A" : "E", a, make_temporal(g, logic, depth - 1));
      return make(g, "(%s %s %s)", a, untils[below(g, 3)], make_temporal(g, logic, depth - 1));
    default: return make(g, "%s %s", branching ? ctl[below(g, 6)] : ltl[below(g, 3)], a);
  }
}
