/* CTL, CTL* and the mu-calculus on a listed graph. What is computed is where a formula surely is true, or surely is false:
 * existential operators that hold and universal ones that fail are shown by runs; the others are the rest, where the
 * graph is all there is. Formulas are as deep as their text, which the parser limits. */
#include "base/map.h"
#include "proof/check/kripke/kripke.h"

typedef struct binding {
  const char *name;
  bits value;
  const struct binding *outer;
} binding;

typedef struct asking {
  const kripke_question *q;
  const kripke *g;
  bits all, fair;     /* fair: with a fair run */
  const char *why;    /* not NULL: nothing that was found is of use */
  map *known;         /* from a formula and the value wanted to its place in `found`, from 1 */
  VECTOR(bits) found; /* of formulas outside of fixpoints: `<=>` asks each side twice */
} asking;

static bits sure(asking *a, const temporal *f, bool wanted, const binding *bound);

static bits rest_of(asking *a, bits set) {
  if (a->q->is_partial) {
    bits_free(&set);
    return bits_new(a->g->nodes);
  }
  bits_flip(&set);
  return set;
}

static bits both(bits x, bits y) {
  bits_meet(&x, &y);
  bits_free(&y);
  return x;
}

static bits either(bits x, bits y) {
  bits_unite(&x, &y);
  bits_free(&y);
  return x;
}

static bits before(const kripke *g, bits target, bool with_idling) {
  bits out = bits_new(g->nodes);
  for (size_t i = 0; i < g->edges.count; i++)
    if (bits_has(&target, g->edges.at[i].to) && (with_idling || g->edges.at[i].label != KRIPKE_IDLE))
      bits_add(&out, g->edges.at[i].from);
  bits_free(&target);
  return out;
}

static bits fairly(asking *a, bits set) {
  bits_meet(&set, &a->fair);
  return set;
}

static bits until(asking *a, bits through, bits target) {
  target = fairly(a, target);
  kripke_reach_back(a->g, &through, &target);
  bits_free(&through);
  return target;
}

static bits always(asking *a, bits set) {
  bits out = kripke_fair(a->g, &set, a->q->budget);
  bits_free(&set);
  return out;
}

/* A run on which `g` stays false, or does until `f` is false too. */
static bits not_all_until(asking *a, const temporal *f, const temporal *g, const binding *bound) {
  bits not_g = sure(a, g, false, bound), neither = both(sure(a, f, false, bound), bits_copy(&not_g));
  bits ends = until(a, bits_copy(&not_g), neither);
  return either(ends, always(a, not_g));
}

static bits connective(asking *a, const temporal *f, bool wanted, const binding *bound) {
  const temporal *l = f->left, *r = f->right;
  switch (f->kind) {
    case TEMPORAL_AND:
      return wanted ? both(sure(a, l, true, bound), sure(a, r, true, bound))
                    : either(sure(a, l, false, bound), sure(a, r, false, bound));
    case TEMPORAL_OR:
      return wanted ? either(sure(a, l, true, bound), sure(a, r, true, bound))
                    : both(sure(a, l, false, bound), sure(a, r, false, bound));
    case TEMPORAL_IMPLIES:
      return wanted ? either(sure(a, l, false, bound), sure(a, r, true, bound))
                    : both(sure(a, l, true, bound), sure(a, r, false, bound));
    default: /* TEMPORAL_IFF */
      return either(both(sure(a, l, true, bound), sure(a, r, wanted, bound)),
                    both(sure(a, l, false, bound), sure(a, r, !wanted, bound)));
  }
}

/* In the calculus a variable stands under no negation, so `wanted` is true for the body. */
static bits fixpoint(asking *a, const temporal *f, const binding *bound) {
  binding own = {f->name, f->kind == TEMPORAL_MU ? bits_new(a->g->nodes) : bits_copy(&a->all), bound};
  for (bool stable = false; !stable && !budget_spent(a->q->budget);) {
    bits next = sure(a, f->left, true, &own);
    stable = bits_same(&next, &own.value);
    bits_free(&own.value);
    own.value = next;
  }
  return own.value;
}

static bits value_of(const binding *bound, const char *name) {
  while (bound && strcmp(bound->name, name)) bound = bound->outer;
  REQUIRE(bound, "a bound variable");
  return bits_copy(&bound->value);
}

static bits calculus(asking *a, const temporal *f, bool wanted, const binding *bound) {
  bits holds;
  if (f->kind == TEMPORAL_FIXPOINT_VARIABLE)
    holds = value_of(bound, f->name);
  else if (f->kind == TEMPORAL_DIAMOND)
    holds = before(a->g, sure(a, f->left, true, bound), false);
  else if (f->kind == TEMPORAL_BOX) {
    holds = before(a->g, sure(a, f->left, false, bound), false);
    bits_flip(&holds);
  } else
    holds = fixpoint(a, f, bound);
  if (!wanted) bits_flip(&holds);
  return holds;
}

static bits operator(asking *a, const temporal *f, bool wanted, const binding *bound) {
  const temporal *l = f->left, *r = f->right;
  bool universal = f->kind == TEMPORAL_AX || f->kind == TEMPORAL_AF || f->kind == TEMPORAL_AG || f->kind == TEMPORAL_AU;
  if (wanted == universal) return rest_of(a, sure(a, f, !wanted, bound));
  switch (f->kind) {
    case TEMPORAL_EX:
    case TEMPORAL_AX: return before(a->g, fairly(a, sure(a, l, wanted, bound)), true);
    case TEMPORAL_EF:
    case TEMPORAL_AG: return until(a, bits_copy(&a->all), sure(a, l, wanted, bound));
    case TEMPORAL_EG:
    case TEMPORAL_AF: return always(a, sure(a, l, wanted, bound));
    case TEMPORAL_EU: return until(a, sure(a, l, true, bound), sure(a, r, true, bound));
    default: return not_all_until(a, l, r, bound);
  }
}

static bits states_of(void *context, const temporal *f, bool value) { return sure(context, f, value, NULL); }

/* From which nodes some run is surely as wanted. */
static bits with_run(asking *a, const temporal *f, bool wanted) {
  const char *why;
  bits out = kripke_with_run(a->q, f, wanted, states_of, a, &why);
  if (why) a->why = why;
  return out;
}

/* `A f` is surely false, and `E f` surely true, where a run shows it. */
static bits quantified(asking *a, const temporal *f, bool wanted) {
  bool by_a_run = wanted == (f->kind == TEMPORAL_E);
  bits found = with_run(a, f->left, f->kind == TEMPORAL_E);
  return by_a_run ? found : rest_of(a, found);
}

static bits compute(asking *a, const temporal *f, bool wanted, const binding *bound) {
  switch (f->kind) {
    case TEMPORAL_STATE: return bits_copy(a->q->truth(a->q->context, f->state, wanted));
    case TEMPORAL_NOT: return sure(a, f->left, !wanted, bound);
    case TEMPORAL_AND:
    case TEMPORAL_OR:
    case TEMPORAL_IMPLIES:
    case TEMPORAL_IFF: return connective(a, f, wanted, bound);
    case TEMPORAL_MU:
    case TEMPORAL_NU:
    case TEMPORAL_DIAMOND:
    case TEMPORAL_BOX:
    case TEMPORAL_FIXPOINT_VARIABLE: return calculus(a, f, wanted, bound);
    case TEMPORAL_A:
    case TEMPORAL_E: return quantified(a, f, wanted);
    default: return operator(a, f, wanted, bound);
  }
}

/* The nodes where `f` surely has the value; none if there is a reason why kripke_ask gives no answer. */
static bits sure(asking *a, const temporal *f, bool wanted, const binding *bound) {
  uint64_t key = 2 * (uint64_t)(uintptr_t)f + wanted, place;
  if (!bound && map_get(a->known, key, &place)) return bits_copy(&a->found.at[place - 1]);
  const char *spent = budget_spent(a->q->budget);
  if (spent) a->why = spent;
  if (a->why) return bits_new(a->g->nodes);
  bits result = compute(a, f, wanted, bound);
  if (bound) return result;
  VECTOR_PUSH(a->found, bits_copy(&result));
  map_set(a->known, key, a->found.count);
  return result;
}

static void forget(asking *a) {
  for (size_t i = 0; i < a->found.count; i++) bits_free(&a->found.at[i]);
  VECTOR_FREE(a->found);
  map_free(a->known);
  bits_free(&a->all);
}

bool kripke_ask(const kripke_question *q, bool wanted, bits *out, const char **why) {
  asking a = {.q = q, .g = q->graph, .all = bits_new(q->graph->nodes), .known = map_new()};
  bits_flip(&a.all);
  *why = NULL;
  REQUIRE(!(q->is_partial && q->logic == PROPERTY_MU), "the whole graph for the calculus");
  if (q->logic == PROPERTY_LTL) {
    *out = with_run(&a, q->formula, false);
    if (wanted) *out = rest_of(&a, *out);
  } else {
    a.fair = q->graph->constraints.count ? kripke_fair(q->graph, &a.all, q->budget) : bits_copy(&a.all);
    *out = sure(&a, q->formula, wanted, NULL);
    bits_free(&a.fair);
  }
  *why = a.why ? a.why : budget_spent(q->budget);
  if (*why) bits_free(out);
  forget(&a);
  return *why == NULL;
}
