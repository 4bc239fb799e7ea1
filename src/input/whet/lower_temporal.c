/* Temporal formulas. Chains of an operator become balanced trees (and, or and iff are associative), so that formulas
 * are never much deeper than the parentheses of their text. */
#include "input/whet/lower.h"

static temporal *node(lowering *l, temporal_kind kind, temporal *left, temporal *right) {
  temporal *f = arena_alloc(model_arena(l->model), sizeof(temporal));
  f->kind = kind;
  f->state = TERM_TRUE;
  f->left = left;
  f->right = right;
  return f;
}

static temporal *state(lowering *l, term t) {
  temporal *f = node(l, TEMPORAL_STATE, NULL, NULL);
  f->state = t;
  return f;
}

static temporal *balanced(lowering *l, temporal_kind kind, temporal **parts, size_t count) {
  if (!count) return state(l, term_of_bool(kind == TEMPORAL_AND));
  if (count == 1) return parts[0];
  return node(l, kind, balanced(l, kind, parts, count / 2), balanced(l, kind, parts + count / 2, count - count / 2));
}

typedef VECTOR(temporal *) temporal_vector;

static void lower_instances(lowering *l, const expression *e, size_t binder_index, temporal_vector *out) {
  if (binder_index == e->binder_count) {
    temporal *part = lower_temporal(l, e->parts[0]);
    VECTOR_PUSH(*out, part);
    return;
  }
  const binder *b = &e->binders[binder_index];
  int64_t first;
  size_t count;
  if (!lower_range(l, b->low, b->high, NULL, &first, &count)) return;
  for (size_t i = 0; i < count && lowering_spend(l, INSTANCE_WORK, e->at.start); i++) {
    b->symbol->value = term_int(l->terms, first + (int64_t)i);
    lower_instances(l, e, binder_index + 1, out);
  }
}

/* The first `count` parts, or all instances, joined by `kind`. */
static temporal *lower_joined(lowering *l, const expression *e, temporal_kind kind, size_t count) {
  temporal_vector parts = {0};
  if (e->binder_count)
    lower_instances(l, e, 0, &parts);
  else
    for (size_t i = 0; i < count; i++) {
      temporal *part = lower_temporal(l, e->parts[i]);
      VECTOR_PUSH(parts, part);
    }
  temporal *result = balanced(l, kind, parts.at, parts.count);
  VECTOR_FREE(parts);
  return result;
}

/* a => b => c is (a && b) => c. */
static temporal *lower_implications(lowering *l, const expression *e) {
  temporal *left = lower_joined(l, e, TEMPORAL_AND, e->count - 1);
  return node(l, TEMPORAL_IMPLIES, left, lower_temporal(l, e->parts[e->count - 1]));
}

static temporal *named(lowering *l, temporal_kind kind, const char *name, temporal *body) {
  temporal *f = node(l, kind, body, NULL);
  f->name = model_string(l->model, name);
  return f;
}

temporal *lower_temporal(lowering *l, const expression *e) {
  if (!e->is_temporal || !lowering_spend(l, 1, e->at.start))
    return state(l, e->is_temporal ? TERM_TRUE : lower_condition(l, e));
  switch ((expression_kind)e->kind) {
    case EXPRESSION_NAME: return named(l, TEMPORAL_FIXPOINT_VARIABLE, e->word->text, NULL);
    case EXPRESSION_NOT: return node(l, TEMPORAL_NOT, lower_temporal(l, e->parts[0]), NULL);
    case EXPRESSION_IFF: return lower_joined(l, e, TEMPORAL_IFF, e->count);
    case EXPRESSION_IMPLIES: return lower_implications(l, e);
    case EXPRESSION_AND:
    case EXPRESSION_FORALL: return lower_joined(l, e, TEMPORAL_AND, e->count);
    case EXPRESSION_OR:
    case EXPRESSION_EXISTS: return lower_joined(l, e, TEMPORAL_OR, e->count);
    case EXPRESSION_LET: return lower_temporal(l, lower_locals(l, e));
    case EXPRESSION_FIXPOINT:
      return named(l, (temporal_kind)e->temporal, e->word->text, lower_temporal(l, e->parts[0]));
    case EXPRESSION_TEMPORAL:
      if (temporal_is_past((temporal_kind)e->temporal)) return state(l, lower_past(l, e));
      if (e->temporal == TEMPORAL_INF) return lower_infinitely_often(l, e->parts[0]);
      return node(l, (temporal_kind)e->temporal, lower_temporal(l, e->parts[0]),
                  e->count > 1 ? lower_temporal(l, e->parts[1]) : NULL);
    default: break;
  }
  REQUIRE(false, "a formula that passed the check");
  return NULL;
}

temporal *lower_termination(lowering *l) {
  word *end = words_make(l->scope->words, "end");
  term all = TERM_TRUE;
  for (size_t i = 0; i < l->scope->families.count; i++) {
    const family *f = l->scope->families.at[i];
    size_t place;
    if (!f->tree->is_program) continue;
    bool has_end = family_state(f, end, &place);
    for (size_t j = 0; j < f->copies && lowering_spend(l, 1, 0); j++) {
      term location = term_of_variable(l->terms, l->model->processes.at[f->first_process + j].location);
      term is_there = has_end ? term_eq(l->terms, location, term_int(l->terms, (int64_t)place)) : TERM_FALSE;
      all = term_and(l->terms, all, is_there);
    }
  }
  return node(l, TEMPORAL_F, state(l, all), NULL);
}
