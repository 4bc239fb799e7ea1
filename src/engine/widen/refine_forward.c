/* Refine for domains without pre-images (Gulavani, Rajamani 2006, section 6: shape graphs).
 *
 * The error is met at step n of a component, and not before. For i = n, n-1, .. what step i was made of (its operands
 * joined, not widened) is followed exactly for the n - i steps that are left; if that does not come to the error,
 * step i lost what mattered. If all do, the error comes from what enters the component: the first step of an earlier
 * component from which it is reached goes on. At the entry no step is to blame: the error is real. */
#include "engine/widen/refine.h"

/* How long a run that errs stays in a component. */
typedef struct stay {
  size_t component, steps;
} stay;

typedef struct forward {
  const run *run;
  const domain *d;
  schedule how;
  VECTOR(stay) stays; /* the last is the first to be gone through */
} forward;

static const component *component_of(const forward *f, size_t c) { return &f->d->cuts->components.at[c]; }

static size_t slot_in(const component *c, uint32_t head) {
  size_t k = 0;
  while (c->heads.at[k] != head) k++;
  return k;
}

static element **no_states(const forward *f, size_t c) {
  size_t count = component_of(f, c)->heads.count;
  element **states = MEMORY_ARRAY(element *, count);
  for (size_t k = 0; k < count; k++) states[k] = f->d->bottom(f->d->context, component_of(f, c)->heads.at[k]);
  return states;
}

static void release_states(const forward *f, size_t c, element **states) {
  for (size_t k = 0; k < component_of(f, c)->heads.count; k++) f->d->release(states[k]);
  memory_free(states);
}

static void add_state(const domain *d, element **to, TAKE element *more) {
  element *joined = d->join(d->context, *to, more);
  d->release(*to);
  d->release(more);
  *to = joined;
}

/* One exact step within component `c`. A step that handles one path leaves what it does not handle where it is. */
static element **step_within(const forward *f, size_t c, size_t step, element **states) {
  const component *at = component_of(f, c);
  element **next = no_states(f, c);
  for (size_t i = 0; i < at->inner.count; i++) {
    if (f->how == SCHEDULE_SINGLE && at->inner.at[i] != run_single_path(f->d, c, step)) continue;
    const cut_path *p = &f->d->cuts->paths.at[at->inner.at[i]];
    add_state(f->d, &next[slot_in(at, p->to)],
              f->d->post(f->d->context, at->inner.at[i], states[slot_in(at, p->from)]));
  }
  for (size_t k = 0; k < at->heads.count && f->how == SCHEDULE_SINGLE; k++)
    add_state(f->d, &next[k], f->d->share(states[k]));
  release_states(f, c, states);
  return next;
}

static element **enter_from(const forward *f, size_t from, size_t to, element **states) {
  const component *here = component_of(f, from), *there = component_of(f, to);
  element **next = no_states(f, to);
  for (size_t i = 0; i < there->entering.count; i++) {
    const cut_path *p = &f->d->cuts->paths.at[there->entering.at[i]];
    if (f->d->cuts->component_of.at[p->from] != from) continue;
    add_state(f->d, &next[slot_in(there, p->to)],
              f->d->post(f->d->context, there->entering.at[i], states[slot_in(here, p->from)]));
  }
  release_states(f, from, states);
  return next;
}

/* `states`, as they are at `step` of the first stay: do they come to the error? Takes them. */
static bool comes_to_error(const forward *f, size_t step, TAKE element **states) {
  size_t c = VECTOR_LAST(f->stays).component;
  for (size_t s = f->stays.count; s-- > 0; step = 0) {
    const stay *at = &f->stays.at[s];
    if (at->component != c) states = enter_from(f, c, at->component, states);
    c = at->component;
    while (step < at->steps && !f->d->failure(f->d->context)) states = step_within(f, c, ++step, states);
  }
  bool errs = false;
  const component *last = component_of(f, c);
  for (size_t k = 0; k < last->heads.count && !errs; k++)
    errs = f->d->errs(f->d->context, last->heads.at[k], states[k]);
  release_states(f, c, states);
  return errs;
}

/* Only head k has a state: `e`. */
static element **at_head(const forward *f, size_t c, size_t k, TAKE element *e) {
  element **states = no_states(f, c);
  f->d->release(states[k]);
  states[k] = e;
  return states;
}

/* Could [+] have avoided it at head k? */
static bool connect_avoids(const forward *f, size_t c, size_t step, size_t k) {
  const head_step *s = &f->run->components[c].steps.at[step][k];
  if (s->operator!= OPERATOR_WIDEN || f->d->precedes(s->before, s->with_images)) return false;
  return !comes_to_error(
      f, step,
      at_head(f, c, k, f->d->connect(f->d->context, component_of(f, c)->heads.at[k], s->before, s->with_images)));
}

static void blame(const forward *f, size_t c, size_t step, refinement *out) {
  const component *at = component_of(f, c);
  out->component = c;
  out->step = step;
  out->connect_helps = true;
  for (size_t k = 0; k < at->heads.count; k++) {
    const head_step *s = &f->run->components[c].steps.at[step][k];
    if (s->operator== OPERATOR_UNION || !comes_to_error(f, step, at_head(f, c, k, f->d->share(s->reached)))) continue;
    VECTOR_PUSH(out->heads, at->heads.at[k]);
    out->connect_helps &= connect_avoids(f, c, step, k);
  }
  out->kind = out->heads.count ? REFINE_HINT : REFINE_STUCK;
}

/* True if a step of the first stay is to blame. */
static bool find_culprit(const forward *f, refinement *out) {
  const stay *at = &VECTOR_LAST(f->stays);
  for (size_t i = at->steps; i > 0; i--) {
    element **exact = no_states(f, at->component);
    for (size_t k = 0; k < component_of(f, at->component)->heads.count; k++)
      add_state(f->d, &exact[k], f->d->share(f->run->components[at->component].steps.at[i][k].with_images));
    if (comes_to_error(f, i, exact)) continue;
    blame(f, at->component, i, out);
    return true;
  }
  return false;
}

/* The first step of component `c` from which what comes after it reaches the error. */
static bool is_left_from(forward *f, size_t c) {
  VECTOR_PUSH(f->stays, (stay){c, 0});
  for (size_t step = 0; step < f->run->components[c].steps.count; step++) {
    element **states = no_states(f, c);
    for (size_t k = 0; k < component_of(f, c)->heads.count; k++)
      add_state(f->d, &states[k], f->d->share(f->run->components[c].steps.at[step][k].reached));
    VECTOR_LAST(f->stays).steps = step;
    if (comes_to_error(f, step, states)) return true;
  }
  f->stays.count--;
  return false;
}

static void note_levels(const forward *f, refinement *out) {
  for (size_t s = 0; s < f->stays.count; s++)
    for (size_t step = f->stays.at[s].steps + 1; step-- > 0;)
      VECTOR_PUSH(out->levels,
                  (error_level){f->stays.at[s].component, step, no_states(f, f->stays.at[s].component), ANY_PATH});
}

refinement refine_forward(const run *r, schedule how) {
  forward f = {.run = r, .d = r->domain, .how = how};
  refinement out = {.kind = REFINE_STUCK};
  VECTOR_PUSH(f.stays, (stay){r->error_component, r->error_step});
  while (!f.d->failure(f.d->context)) {
    if (find_culprit(&f, &out)) break;
    size_t c = VECTOR_LAST(f.stays).component, earlier = 0;
    if (c == 0) {
      out.kind = REFINE_REAL;
      break;
    }
    while (earlier < c && !is_left_from(&f, earlier)) earlier++;
    if (earlier == c) break;
  }
  note_levels(&f, &out);
  VECTOR_FREE(f.stays);
  return out;
}
