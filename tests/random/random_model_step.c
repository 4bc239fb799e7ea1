/* Random assignments, actions, processes and programs as text. */
#include "random/random_generator.h"

/* ---- assignments ---- */

/* `needed` and what else is needed. */
static const char *also(generator *g, const char *needed, const char *more) {
  return needed ? make(g, "%s && %s", needed, more) : more;
}

static const char *in_range(generator *g, const shape *of, const char *e) {
  const char *low = of->has_low ? make(g, "(%s) >= %lld", e, (long long)of->low) : NULL;
  if (!of->has_high) return low;
  return also(g, low, make(g, "(%s) <= %lld", e, (long long)of->high));
}

/* An integer that stays within `of`, by whatever means the features allow; `*needs` if it is the guard that sees to
 * it. */
static const char *make_bounded(generator *g, const shape *of, const char *target, const char **needs) {
  long long low = (long long)of->low, high = (long long)of->high;
  const char *e = chance(g, 60) ? make(g, "%s %c %d", target, chance(g, 60) ? '+' : '-', chance(g, 80) ? 1 : 2)
                                : make_integer(g, 2).text;
  if (!of->has_low && !of->has_high) return e;
  if (needs && chance(g, 60)) {
    *needs = also(g, *needs, in_range(g, of, e));
    return e;
  }
  if (may_fault(g) && chance(g, 35)) return e;
  if (has(g, RANDOM_CONDITIONALS) && chance(g, 60))
    return of->has_high ? make(g, "min(%lld, max(%lld, %s))", high, low, e) : make(g, "max(%s, %lld)", e, low);
  if (has(g, RANDOM_NONLINEAR) && of->has_high) return make(g, "%lld + (%s) %% %lld", low, e, high - low + 1);
  return make_constant(g, of);
}

static const char *make_assigned(generator *g, const shape *of, const char *target, const char **needs) {
  if (has(g, RANDOM_STARS) && chance(g, 12)) return "*";
  if (chance(g, 20)) return make_constant(g, of);
  return of->sort == SHAPE_INTEGER ? make_bounded(g, of, target, needs) : make_value(g, of, 2).text;
}

step_text make_updates(generator *g, bool can_be_guarded) {
  enum { MOST = 3 };
  size_t chosen[MOST], count = 0, wanted = 1 + (size_t)below(g, MOST);
  for (size_t tries = 0; tries < 10 && count < wanted; tries++) {
    size_t i = (size_t)below(g, g->known.count);
    bool fresh = g->known.at[i].assignable;
    for (size_t j = 0; j < count; j++) fresh &= chosen[j] != i;
    if (fresh) chosen[count++] = i;
  }
  bool tuple = chance(g, 30);
  const char *needs = NULL, *left = "", *right = "";
  for (size_t i = 0; i < count; i++) {
    const shape of = g->known.at[chosen[i]].of;
    const char *target = make_access(g, &g->known.at[chosen[i]]), *comma = i ? ", " : "";
    const char *value = make_assigned(g, &of, target, can_be_guarded ? &needs : NULL);
    left = tuple ? make(g, "%s%s%s", left, comma, target) : make(g, "%s%s%s := %s", left, comma, target, value);
    right = make(g, "%s%s%s", right, comma, value);
  }
  return (step_text){tuple && count ? make(g, "%s := %s", left, right) : left, needs};
}

/* ---- guarded commands ---- */

/* (i : 0..2, b : bool), the names known from now on. */
static const char *make_inputs(generator *g) {
  const char *list = "";
  if (!has(g, RANDOM_INPUTS) || chance(g, 60)) return list;
  uint64_t count = 1 + below(g, 2);
  for (uint64_t i = 0; i < count; i++) {
    shape of = make_shape(g);
    const char *name = make(g, "n%u", g->named++);
    VECTOR_PUSH(g->known, (known){.name = name, .of = of});
    list = make(g, "%s%s%s : %s", list, i ? ", " : "", name, shape_text(g, &of));
  }
  return make(g, "(%s)", list);
}

static const char *make_guard(generator *g, const char *needs) {
  const char *guard = chance(g, 20) ? NULL : make_boolean(g, 2).text;
  if (!guard) return needs ? needs : "true";
  return needs ? make(g, chance(g, 50) ? "(%s) && %s" : "%2$s && (%1$s)", guard, needs) : guard;
}

void add_action(generator *g) {
  size_t before = g->known.count;
  const char *name = make(g, "act%zu", g->actions.count), *inputs = make_inputs(g);
  step_text step = make_updates(g, true);
  text_add(&g->out, "action %s%s: %s -> %s;\n", name, inputs, make_guard(g, step.needs),
           chance(g, 5) ? "" : step.updates);
  VECTOR_PUSH(g->actions, name);
  g->known.count = before;
}

static void add_edge(generator *g, unsigned number, unsigned from, unsigned to) {
  size_t before = g->known.count;
  const char *label = chance(g, 75) ? make(g, "e%u: ", number) : "", *inputs = make_inputs(g);
  step_text step = chance(g, 80) ? make_updates(g, true) : (step_text){"", NULL};
  text_add(&g->out, "  %ss%u -> s%u%s%s", label, from, to, *inputs ? " " : "", inputs);
  if (step.needs || chance(g, 60)) text_add(&g->out, " when %s", make_guard(g, step.needs));
  if (*step.updates) text_add(&g->out, " : %s", step.updates);
  text_add(&g->out, chance(g, 30) ? ";\n" : "\n");
  g->known.count = before;
}

/* What others may say about the copies of a process, once its body is closed. */
static void publish(generator *g, const family *f, size_t before, size_t locals) {
  for (size_t i = before; i < locals; i++) {
    g->known.at[i].process = f->name;
    g->known.at[i].copies[0] = f->copies[0];
    g->known.at[i].copies[1] = f->copies[1];
    g->known.at[i].assignable = false;
  }
  g->known.count = locals;
  VECTOR_PUSH(g->families, *f);
}

static void add_states(generator *g, unsigned states) {
  for (unsigned s = 0; s < states; s++) {
    text_add(&g->out, s ? ", s%u" : "  states s%u", s);
    VECTOR_PUSH(g->places, make(g, "at s%u", s));
  }
  text_add(&g->out, "\n");
}

void add_process(generator *g, unsigned number) {
  size_t before = g->known.count, places = g->places.count;
  family f = {.name = make(g, "P%u", number), .copies = {0, -1}, .states = 2 + (unsigned)below(g, 2)};
  text_add(&g->out, "process %s", f.name);
  if (chance(g, 60)) {
    f.copies[0] = chance(g, 70) ? 1 : random_between(&g->random, -1, 0);
    f.copies[1] = f.copies[0] + (int64_t)below(g, 2);
    text_add(&g->out, "[i : %s..%s]", bound_text(g, f.copies[0]), bound_text(g, f.copies[1]));
  }
  text_add(&g->out, " {\n");
  for (uint64_t count = below(g, 2); count > 0; count--)
    add_variable(g, "  ", make(g, "l%u", g->named++), chance(g, 25));
  size_t locals = g->known.count;
  if (f.copies[0] <= f.copies[1])
    VECTOR_PUSH(g->known,
                (known){.name = "i", .of = {SHAPE_INTEGER, true, true, f.copies[0], f.copies[1], 0}, .constant = true});
  add_states(g, f.states);
  for (unsigned s = 0; s < f.states; s++) add_edge(g, s, s, (s + 1) % f.states);
  for (uint64_t more = below(g, g->size + 1); more > 0; more--)
    add_edge(g, f.states + (unsigned)more, (unsigned)below(g, f.states), (unsigned)below(g, f.states));
  text_add(&g->out, "}\n");
  g->places.count = places;
  publish(g, &f, before, locals);
}

/* ---- programs ---- */

typedef struct program_text {
  generator *g;
  unsigned labels; /* L0, L1, .. stand somewhere at the top level */
} program_text;

static void add_block(program_text *p, int depth, int indent, unsigned statements);

static const char *make_condition(generator *g) { return chance(g, 20) ? "*" : make_boolean(g, 2).text; }

static void add_arm(program_text *p, int depth, int indent, const char *opening) {
  text_add(&p->g->out, "%s {\n", opening);
  add_block(p, depth - 1, indent + 2, 1 + (unsigned)below(p->g, 2));
  text_add(&p->g->out, "%*s}", indent, "");
}

static void add_compound(program_text *p, int depth, int indent) {
  generator *g = p->g;
  text_add(&g->out, "%*s", indent, "");
  switch (below(g, 3)) {
    case 0:
      add_arm(p, depth, indent, make(g, "if %s", make_condition(g)));
      if (chance(g, 30)) add_arm(p, depth, indent, make(g, " else if %s", make_condition(g)));
      if (chance(g, 50)) add_arm(p, depth, indent, " else");
      break;
    case 1: add_arm(p, depth, indent, make(g, "while %s", make_condition(g))); break;
    default:
      add_arm(p, depth, indent, "choose");
      add_arm(p, depth, indent, " or");
      if (chance(g, 30)) add_arm(p, depth, indent, " or");
      break;
  }
  text_add(&g->out, "\n");
}

/* What an assert says is a property too, and there constants that fault are refused. */
static const char *make_claim(generator *g) {
  g->careful = true;
  const char *claim = make_boolean(g, 2).text;
  g->careful = false;
  return claim;
}

static const char *make_simple(program_text *p) {
  generator *g = p->g;
  switch (below(g, 16)) {
    case 0: return "skip";
    case 1: return make(g, "assume %s", make_boolean(g, 1).text);
    case 2: return make(g, "assert v%u: %s", g->named++, make_claim(g));
    case 3: return make(g, "assert %s", make_claim(g));
    case 4: return chance(g, 30) ? "return" : "skip";
    case 5:
    case 6:
      if (p->labels) return make(g, "goto L%u", (unsigned)below(g, p->labels));
      break;
    default: break;
  }
  const char *updates = make_updates(g, false).updates;
  return *updates ? updates : "skip";
}

static void add_block(program_text *p, int depth, int indent, unsigned statements) {
  for (unsigned i = 0; i < statements; i++) {
    if (depth > 0 && chance(p->g, 30)) {
      add_compound(p, depth, indent);
      continue;
    }
    const char *simple = make_simple(p);
    text_add(&p->g->out, "%*s%s%s\n", indent, "", simple, chance(p->g, 40) ? ";" : "");
  }
}

void add_program(generator *g, unsigned number) {
  size_t before = g->known.count;
  program_text p = {g, chance(g, 40) ? 1 + (unsigned)below(g, 2) : 0};
  if (number || chance(g, 70))
    text_add(&g->out, "program T%u {\n", number);
  else
    text_add(&g->out, "program {\n");
  for (uint64_t count = below(g, 2); count > 0; count--) add_variable(g, "  ", make(g, "l%u", g->named++), false);
  unsigned statements = 1 + (unsigned)below(g, 1 + 2 * g->size);
  for (unsigned label = 0; label < p.labels; label++) {
    add_block(&p, 2, 2, (unsigned)below(g, 2));
    text_add(&g->out, "  L%u:\n", label);
  }
  add_block(&p, 2, 2, statements);
  text_add(&g->out, "}\n");
  g->known.count = before;
}
