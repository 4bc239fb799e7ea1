/* The parts of an LTL formula, each evaluated on a run with a loop: the truth of a formula at each position follows from that of its
 * operands, and of `until` and its like from the next position; going backwards twice, the second time knows what the loop comes to. */
#include "report/failing_loop.h"

#include "term/evaluate.h"
#include "term/print.h"

enum { MOST_SHOWN = 3, LONGEST_SHOWN = 160, MOST_PARTS = 256, MOST_POSITIONS = 20000 };

typedef struct lasso {
  const model *m;
  const evidence *e;
  size_t count, loop; /* positions; the last one leads to `loop` */
  number *values;
} lasso;

/* `inner`, or that it always holds. */
typedef struct formula_part {
  temporal inner;
  bool is_always;
} formula_part;
typedef VECTOR(formula_part) formula_parts;

static void add_part(formula_parts *out, temporal inner, bool is_always) {
  VECTOR_PUSH(*out, ((formula_part){inner, is_always}));
}

static void add_parts(terms *ts, const temporal *f, bool is_always, formula_parts *out) {
  if (f->kind == TEMPORAL_AND) {
    add_parts(ts, f->left, is_always, out);
    add_parts(ts, f->right, is_always, out);
  } else if (f->kind == TEMPORAL_G) {
    add_parts(ts, f->left, true, out);
  } else if (f->kind == TEMPORAL_STATE) {
    term_vector conjuncts = {0};
    term_conjuncts(ts, f->state, &conjuncts);
    for (size_t i = 0; i < conjuncts.count; i++)
      add_part(out, (temporal){.kind = TEMPORAL_STATE, .state = conjuncts.at[i]}, is_always);
    VECTOR_FREE(conjuncts);
  } else {
    add_part(out, *f, is_always);
  }
}

static bool state_holds(const lasso *l, size_t position, term t) {
  for (size_t i = 0; i < l->m->variables.count; i++)
    l->values[l->m->variables.at[i].var.x] = l->e->steps.at[position].values.at[i];
  return !number_is(term_evaluate(l->m->terms, t, l->values), 0);
}

/* Of a formula at a position, by its operands there and itself at the next position. */
static bool truth_here(temporal_kind kind, bool a, bool b, bool next) {
  switch (kind) {
    case TEMPORAL_NOT: return !a;
    case TEMPORAL_AND: return a && b;
    case TEMPORAL_OR: return a || b;
    case TEMPORAL_IMPLIES: return !a || b;
    case TEMPORAL_IFF: return a == b;
    case TEMPORAL_F: return a || next;
    case TEMPORAL_G: return a && next;
    case TEMPORAL_U:
    case TEMPORAL_W: return b || (a && next);
    case TEMPORAL_R: return b && (a || next);
    default: return a;
  }
}

/* For each position. */
static GIVE bool *truth_of(const lasso *l, const temporal *f) {
  bool *out = MEMORY_ARRAY(bool, l->count + 1);
  if (f->kind == TEMPORAL_STATE) {
    for (size_t i = 0; i < l->count; i++) out[i] = state_holds(l, i, f->state);
    return out;
  }
  bool *a = truth_of(l, f->left), *b = f->right ? truth_of(l, f->right) : NULL;
  bool is_greatest = f->kind == TEMPORAL_G || f->kind == TEMPORAL_R || f->kind == TEMPORAL_W;
  for (size_t i = 0; i < l->count; i++) out[i] = is_greatest;
  for (int round = 0; round < 2; round++)
    for (size_t i = l->count; i-- > 0;) {
      size_t next = i + 1 < l->count ? i + 1 : l->loop;
      out[i] = f->kind == TEMPORAL_X ? a[next] : truth_here(f->kind, a[i], b && b[i], out[next]);
    }
  memory_free(a);
  memory_free(b);
  return out;
}

static bool fails(const lasso *l, const formula_part *p) {
  temporal inner = p->inner, always = {.kind = TEMPORAL_G, .left = &inner};
  bool *truth = truth_of(l, p->is_always ? &always : &inner), result = !truth[0];
  memory_free(truth);
  return result;
}

static void print_part(const model *m, const formula_part *p, text *out) {
  temporal inner = p->inner, always = {.kind = TEMPORAL_G, .left = &inner};
  text shown = {0};
  temporal_print(m->terms, p->is_always ? &always : &inner, &shown);
  bool is_long = shown.count > LONGEST_SHOWN;
  text_add(out, "    !  this fails: %.*s%s\n", LONGEST_SHOWN, text_string(&shown), is_long ? " .." : "");
  text_clear(&shown);
}

static void print_failing(const lasso *l, const formula_parts *parts, text *out) {
  size_t failing = 0;
  for (size_t i = 0; i < parts->count; i++) {
    if (!fails(l, &parts->at[i])) continue;
    if (failing++ < MOST_SHOWN) print_part(l->m, &parts->at[i], out);
  }
  if (failing > MOST_SHOWN) text_add(out, "    !  and %zu more parts of the property\n", failing - MOST_SHOWN);
}

void failing_loop_print(const model *m, const property *p, const evidence *e, text *out) {
  if (p->kind != PROPERTY_LTL || e->kind != EVIDENCE_TRACE || !e->has_loop || m->has_heap ||
      trace_has_rounds(&e->steps))
    return;
  bool idles = e->loop + 1 == e->steps.count;
  lasso l = {.m = m, .e = e, .count = e->steps.count - !idles, .loop = e->loop};
  formula_parts parts = {0};
  add_parts(m->terms, p->formula, false, &parts);
  if (parts.count > 1 && parts.count <= MOST_PARTS && l.count && l.count <= MOST_POSITIONS) {
    l.values = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
    print_failing(&l, &parts, out);
    memory_free(l.values);
  }
  VECTOR_FREE(parts);
}
