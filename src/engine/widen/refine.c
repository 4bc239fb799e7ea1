/* Refine, over components: an error that is traced to the entry of a component goes on at the first step of an earlier
 * one that leads to it. `with_images` is compared before the meet with the previous run, and with the operands of that
 * very step. */
#include "engine/widen/refine.h"

typedef struct tracing {
  const run *run;
  const domain *d;
  schedule how;
  size_t component, step;
  element **states; /* by head of the component */
  uint32_t path;
  refinement out;
} tracing;

static const component *component_at(const tracing *t) { return &t->d->cuts->components.at[t->component]; }
static const head_step *steps_at(const tracing *t, size_t step) {
  return t->run->components[t->component].steps.at[step];
}

static void release_states(const domain *d, size_t count, element **states) {
  for (size_t k = 0; k < count; k++) d->release(states[k]);
  memory_free(states);
}

static element **no_states(const domain *d, const component *c) {
  element **states = MEMORY_ARRAY(element *, c->heads.count);
  for (size_t k = 0; k < c->heads.count; k++) states[k] = d->bottom(d->context, c->heads.at[k]);
  return states;
}

static void replace_states(tracing *t, element **states) {
  release_states(t->d, component_at(t)->heads.count, t->states);
  t->states = states;
}

static void add_state(const domain *d, element **to, TAKE element *more) {
  element *joined = d->join(d->context, *to, more);
  d->release(*to);
  d->release(more);
  *to = joined;
}

/* Only what the run reached at this step; false if nothing is left. */
static bool restrict_to_reached(tracing *t) {
  bool any = false;
  for (size_t k = 0; k < component_at(t)->heads.count; k++) {
    element *met = t->d->meet(t->d->context, t->states[k], steps_at(t, t->step)[k].reached);
    t->d->release(t->states[k]);
    t->states[k] = met;
    any |= !t->d->is_empty(met);
  }
  return any;
}

static void note_level(tracing *t) {
  size_t count = component_at(t)->heads.count;
  error_level l = {t->component, t->step, MEMORY_ARRAY(element *, count), t->path};
  for (size_t k = 0; k < count; k++) l.states[k] = t->d->share(t->states[k]);
  VECTOR_PUSH(t->out.levels, l);
}

static bool meets_images(const tracing *t) {
  for (size_t k = 0; k < component_at(t)->heads.count; k++)
    if (t->d->meets(steps_at(t, t->step)[k].with_images, t->states[k])) return true;
  return false;
}

static bool meets_step_before(const tracing *t) {
  for (size_t k = 0; k < component_at(t)->heads.count; k++)
    if (t->d->meets(steps_at(t, t->step - 1)[k].reached, t->states[k])) return true;
  return false;
}

/* Could [+] have avoided it at this head? If `before` precedes, [+] is the union. */
static bool connect_avoids(const tracing *t, uint32_t head, const head_step *s, const element *states) {
  if (s->operator!= OPERATOR_WIDEN || t->d->precedes(s->before, s->with_images)) return false;
  element *connected = t->d->connect(t->d->context, head, s->before, s->with_images);
  bool avoids = !t->d->meets(connected, states);
  t->d->release(connected);
  return avoids;
}

static void blame_step(tracing *t) {
  const component *c = component_at(t);
  t->out.connect_helps = true;
  for (size_t k = 0; k < c->heads.count; k++) {
    const head_step *s = &steps_at(t, t->step)[k];
    if (s->operator== OPERATOR_UNION || t->d->is_empty(t->states[k])) continue;
    VECTOR_PUSH(t->out.heads, c->heads.at[k]);
    t->out.connect_helps &= connect_avoids(t, c->heads.at[k], s, t->states[k]);
  }
  t->out.kind = t->out.heads.count ? REFINE_HINT : REFINE_STUCK;
  t->out.component = t->component;
  t->out.step = t->step;
}

static size_t slot_in(const component *c, uint32_t head) {
  size_t k = 0;
  while (c->heads.at[k] != head) k++;
  return k;
}

/* One step back within the component. */
static void go_back(tracing *t) {
  const domain *d = t->d;
  const component *c = component_at(t);
  element **earlier = no_states(d, c);
  t->path = t->how == SCHEDULE_SINGLE ? run_single_path(d, t->component, t->step) : ANY_PATH;
  for (size_t i = 0; i < c->inner.count; i++) {
    uint32_t path = c->inner.at[i];
    if (t->path != ANY_PATH && t->path != path) continue;
    const cut_path *p = &d->cuts->paths.at[path];
    const element *to = t->states[slot_in(c, p->to)];
    if (!d->is_empty(to)) add_state(d, &earlier[slot_in(c, p->from)], d->pre(d->context, path, to));
  }
  replace_states(t, earlier);
  t->step--;
}

/* The states of component `c` from which an entering path leads to where we are. */
static element **states_before(const tracing *t, size_t c) {
  const domain *d = t->d;
  const component *here = component_at(t), *there = &d->cuts->components.at[c];
  element **states = no_states(d, there);
  for (size_t i = 0; i < here->entering.count; i++) {
    const cut_path *p = &d->cuts->paths.at[here->entering.at[i]];
    const element *to = t->states[slot_in(here, p->to)];
    if (d->cuts->component_of.at[p->from] != c || d->is_empty(to)) continue;
    add_state(d, &states[slot_in(there, p->from)], d->pre(d->context, here->entering.at[i], to));
  }
  return states;
}

/* The first step of component `c` at which one of the states is reached. */
static bool first_step(const tracing *t, size_t c, element **states, size_t *step) {
  const component_run *r = &t->run->components[c];
  for (*step = 0; *step < r->steps.count; ++*step)
    for (size_t k = 0; k < t->d->cuts->components.at[c].heads.count; k++)
      if (t->d->meets(r->steps.at[*step][k].reached, states[k])) return true;
  return false;
}

/* Through an entering path into an earlier component; false if none leads here. */
static bool leave_component(tracing *t) {
  for (size_t c = 0; c < t->component; c++) {
    element **states = states_before(t, c);
    size_t step;
    if (first_step(t, c, states, &step)) {
      replace_states(t, states);
      t->component = c;
      t->step = step;
      t->path = ANY_PATH;
      return true;
    }
    release_states(t->d, t->d->cuts->components.at[c].heads.count, states);
  }
  return false;
}

static void trace(tracing *t) {
  while (!t->d->failure(t->d->context)) {
    if (!restrict_to_reached(t)) break;
    if (t->step > 0 && t->how == SCHEDULE_SINGLE && meets_step_before(t)) { /* this step had nothing to do with it */
      t->step--;
      continue;
    }
    note_level(t);
    if (t->step > 0) {
      if (!meets_images(t)) {
        blame_step(t);
        return;
      }
      go_back(t);
    } else if (t->component == 0) {
      t->out.kind = REFINE_REAL;
      return;
    } else if (!leave_component(t)) {
      break;
    }
  }
  t->out.kind = REFINE_STUCK;
}

refinement refine(const run *r, schedule how) {
  if (r->domain->refine) {
    refinement out = {.kind = REFINE_STUCK};
    r->domain->refine(r->domain->context, r, &out);
    return out;
  }
  if (!r->domain->pre) return refine_forward(r, how);
  tracing t = {
      .run = r, .d = r->domain, .how = how, .component = r->error_component, .step = r->error_step, .path = ANY_PATH};
  const component *c = component_at(&t);
  t.states = MEMORY_ARRAY(element *, c->heads.count);
  for (size_t k = 0; k < c->heads.count; k++) t.states[k] = t.d->bad(t.d->context, c->heads.at[k]);
  trace(&t);
  release_states(t.d, component_at(&t)->heads.count, t.states);
  return t.out;
}

void refinement_free(const domain *d, refinement *f) {
  for (size_t i = 0; i < f->levels.count; i++)
    release_states(d, d->cuts->components.at[f->levels.at[i].component].heads.count, f->levels.at[i].states);
  VECTOR_FREE(f->levels);
  VECTOR_FREE(f->heads);
}
