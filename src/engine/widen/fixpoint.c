/* MAFixPoint, component by component in topological order.
 *   R[0]                      enter_component
 *   one step                  joint_step, single_step
 *   union, [+] or widening    apply
 *   meet with the run before  keep_below (section 4: this makes repairs monotone)
 * A run is not cut at its first error: the next run meets with it step by step, which is sound only with a fixpoint
 * at its end. Only fixpoint_to_error does so, whose runs are met with by none. */
#include "engine/widen/fixpoint.h"

#include "base/instruments/log.h"

enum { MOST_STEPS = 500 };

typedef struct fixing {
  const domain *d;
  const hint_vector *hints;
  const run *before;
  run *out;
  budget *budget;
  size_t component;
  bool to_error; /* ends at the first one */
  const char *failure;
} fixing;

run *run_share(run *r) {
  r->users++;
  return r;
}

static size_t width(const domain *d, size_t component) { return d->cuts->components.at[component].heads.count; }

void run_free(run *r) {
  if (!r || --r->users) return;
  for (size_t c = 0; c < r->domain->cuts->components.count; c++) {
    for (size_t i = 0; i < r->components[c].steps.count; i++) {
      for (size_t k = 0; k < width(r->domain, c); k++) {
        head_step *s = &r->components[c].steps.at[i][k];
        r->domain->release(s->before);
        r->domain->release(s->with_images);
        r->domain->release(s->reached);
      }
      memory_free(r->components[c].steps.at[i]);
    }
    VECTOR_FREE(r->components[c].steps);
  }
  memory_free(r->components);
  memory_free(r);
}

/* The index of `head` among the heads of its component. */
static size_t slot_of(const domain *d, uint32_t head) {
  const component *c = &d->cuts->components.at[d->cuts->component_of.at[head]];
  size_t k = 0;
  while (c->heads.at[k] != head) k++;
  return k;
}

const element *run_reached(const run *r, uint32_t head, size_t step) {
  const component_run *c = &r->components[r->domain->cuts->component_of.at[head]];
  return c->steps.at[step][slot_of(r->domain, head)].reached;
}

const element *run_final(const run *r, uint32_t head) {
  size_t steps = r->components[r->domain->cuts->component_of.at[head]].steps.count;
  REQUIRE(steps, "a run that came there");
  return run_reached(r, head, steps - 1);
}

uint32_t run_single_path(const domain *d, size_t component, size_t step) {
  const struct component *c = &d->cuts->components.at[component];
  return c->inner.at[(step - 1) % c->inner.count];
}

/* ---- elements, one replaced by the next ---- */

static void join_into(const domain *d, element **to, TAKE element *more) {
  if (d->is_empty(more)) {
    d->release(more);
    return;
  }
  element *joined = d->join(d->context, *to, more);
  d->release(*to);
  d->release(more);
  *to = joined;
}

static bool is_done(const fixing *f) { return f->failure || (f->to_error && f->out->has_error); }

/* ---- steps ---- */

static const element *source(const fixing *f, const head_step *last, uint32_t head) {
  return last && f->d->cuts->component_of.at[head] == f->component ? last[slot_of(f->d, head)].reached
                                                                   : run_final(f->out, head);
}

/* Of what the step before reached in this component, and of the ends of earlier ones. */
static element *image(const fixing *f, uint32_t path, const head_step *last) {
  const domain *d = f->d;
  const cut_path *p = &d->cuts->paths.at[path];
  if (!d->post_all) return d->post(d->context, path, source(f, last, p->from));
  VECTOR(const element *) sources = {0};
  VECTOR_PUSH(sources, source(f, last, p->from));
  for (size_t i = 0; i < p->beside.count; i++) VECTOR_PUSH(sources, source(f, last, p->beside.at[i]));
  element *made = d->post_all(d->context, path, sources.at);
  VECTOR_FREE(sources);
  return made;
}

static operator operator_at(const fixing *f, uint32_t head, size_t step) {
  for (size_t i = f->hints->count; i-- > 0;)
    if (f->hints->at[i].head == head && f->hints->at[i].step == step) return f->hints->at[i].operator;
  return step <= f->d->delay ? OPERATOR_UNION : OPERATOR_WIDEN;
}

static element *apply(const domain *d, operator op, uint32_t head, const element *before, element *with_images) {
  if (op == OPERATOR_UNION) return d->share(with_images);
  return (op == OPERATOR_CONNECT ? d->connect : d->widen)(d->context, head, before, with_images);
}

/* Meets with what the run before had at this step, or at its end. */
static void keep_below(const fixing *f, uint32_t head, size_t step, element **reached_now) {
  if (!f->before || !f->d->meet) return;
  size_t last = f->before->components[f->component].steps.count - 1;
  element *met = f->d->meet(f->d->context, *reached_now, run_reached(f->before, head, step < last ? step : last));
  f->d->release(*reached_now);
  *reached_now = met;
}

static void note_error(fixing *f, uint32_t head, size_t step, const element *now) {
  if (f->out->has_error) return;
  if (!f->d->errs(f->d->context, head, now)) return;
  f->out->has_error = true;
  f->out->error_component = f->component;
  f->out->error_step = step;
}

static void enter_component(fixing *f) {
  const domain *d = f->d;
  const component *c = &d->cuts->components.at[f->component];
  head_step *first = MEMORY_ARRAY(head_step, c->heads.count);
  for (size_t k = 0; k < c->heads.count; k++) {
    uint32_t head = c->heads.at[k];
    element *in = head == 0 ? d->top(d->context) : d->bottom(d->context, head);
    for (size_t i = 0; i < c->entering.count; i++) {
      const cut_path *p = &d->cuts->paths.at[c->entering.at[i]];
      if (p->to == head) join_into(d, &in, image(f, c->entering.at[i], NULL));
    }
    keep_below(f, head, 0, &in);
    first[k] = (head_step){d->share(in), d->share(in), in, OPERATOR_UNION, false};
    note_error(f, head, 0, in);
  }
  VECTOR_PUSH(f->out->components[f->component].steps, first);
}

/* True if the images were all there before: this head is at its fixpoint as far as this step shows. */
static bool make_step(fixing *f, uint32_t head, size_t step, const element *last, TAKE element *before,
                      TAKE element *with_images, head_step *out) {
  const domain *d = f->d;
  bool quiet = d->within(with_images, last);
  operator op = operator_at(f, head, step);
  element *now = quiet ? d->share((element *)last) : apply(d, op, head, before, with_images);
  if (!quiet) keep_below(f, head, step, &now);
  *out = (head_step){before, with_images, now, op, quiet};
  note_error(f, head, step, now);
  return quiet;
}

static bool joint_step(fixing *f, size_t step, const head_step *last, head_step *next) {
  const domain *d = f->d;
  const component *c = &d->cuts->components.at[f->component];
  bool quiet = true;
  for (size_t k = 0; k < c->heads.count; k++) {
    element *before = d->share(last[k].reached), *back = d->bottom(d->context, c->heads.at[k]);
    for (size_t i = 0; i < c->inner.count; i++) {
      const cut_path *p = &d->cuts->paths.at[c->inner.at[i]];
      if (p->to != c->heads.at[k]) continue;
      join_into(d, p->back ? &back : &before, image(f, c->inner.at[i], last));
    }
    element *with_images = d->share(before);
    join_into(d, &with_images, back);
    quiet &= make_step(f, c->heads.at[k], step, last[k].reached, before, with_images, &next[k]);
  }
  return quiet;
}

static bool single_step(fixing *f, size_t step, const head_step *last, head_step *next) {
  const domain *d = f->d;
  const component *c = &d->cuts->components.at[f->component];
  uint32_t path = run_single_path(d, f->component, step);
  const cut_path *p = &d->cuts->paths.at[path];
  bool quiet = true;
  for (size_t k = 0; k < c->heads.count; k++) {
    element *now = last[k].reached;
    if (c->heads.at[k] != p->to) {
      next[k] = (head_step){d->share(now), d->share(now), d->share(now), OPERATOR_UNION, true};
      continue;
    }
    element *with_images = d->share(now);
    join_into(d, &with_images, image(f, path, last));
    quiet &= make_step(f, p->to, step, now, d->share(now), with_images, &next[k]);
  }
  return quiet;
}

static void iterate(fixing *f, schedule how) {
  const component *c = &f->d->cuts->components.at[f->component];
  component_run *r = &f->out->components[f->component];
  size_t quiet = 0, enough = how == SCHEDULE_SINGLE ? c->inner.count : 1;
  for (size_t step = 1; quiet < enough && c->inner.count && !is_done(f); step++) {
    head_step *next = MEMORY_ARRAY(head_step, c->heads.count);
    const head_step *last = r->steps.at[step - 1];
    bool none = how == SCHEDULE_SINGLE ? single_step(f, step, last, next) : joint_step(f, step, last, next);
    quiet = none ? quiet + 1 : 0;
    VECTOR_PUSH(r->steps, next);
    f->out->steps++;
    f->failure = f->d->failure(f->d->context);
    if (!f->failure) f->failure = budget_spent(f->budget);
    if (!f->failure && step >= MOST_STEPS * enough) f->failure = "too many steps";
  }
}

static run *run_all(const domain *d, const hint_vector *hints, const run *before, bool to_error, schedule how,
                    budget *b, const char **failure) {
  run *r = MEMORY_NEW(run);
  *r = (run){.domain = d, .users = 1, .components = MEMORY_ARRAY(component_run, d->cuts->components.count)};
  fixing f = {.d = d, .hints = hints, .before = before, .out = r, .budget = b, .to_error = to_error};
  for (; f.component < d->cuts->components.count && !is_done(&f); f.component++) {
    enter_component(&f);
    f.failure = d->failure(d->context);
    if (!is_done(&f)) iterate(&f, how);
  }
  r->is_cut = to_error && r->has_error;
  LOG(widen, "a run of %zu steps over %zu components%s%s", r->steps, d->cuts->components.count, f.failure ? ": " : "",
      f.failure ? f.failure : "");
  *failure = f.failure;
  return r;
}

run *fixpoint(const domain *d, const hint_vector *hints, const run *before, schedule how, budget *b,
              const char **failure) {
  return run_all(d, hints, before, false, how, b, failure);
}

run *fixpoint_to_error(const domain *d, const hint_vector *hints, schedule how, budget *b, const char **failure) {
  return run_all(d, hints, NULL, true, how, b, failure);
}
