/* What the algorithms share: values kept true to the partition as blocks are split, refinement of the domain, and the
 * waves of exact steps back. */
#include "base/instruments/log.h"
#include "engine/fbar/rounds_inside.h"

rounds *rounds_new(method how, partition *p, const observer *o) {
  rounds *r = MEMORY_NEW(rounds);
  *r = (rounds){.how = how, .p = p, .observer = o ? *o : (observer){0}};
  for (int i = 0; i < VALUES; i++) r->values[i] = bits_new(partition_count(p));
  bits_fill(&r->values[VALUE_M]);
  if (how == METHOD_CGR || how == METHOD_CGR_DUAL)
    cgr_start(r);
  else
    fbar_start(r);
  return r;
}

void rounds_free(rounds *r) {
  if (!r) return;
  for (int i = 0; i < VALUES; i++) bits_free(&r->values[i]);
  for (size_t i = 0; i < r->updates.count; i++) {
    bits_free(&r->updates.at[i].before);
    bits_free(&r->updates.at[i].reached);
    bits_free(&r->updates.at[i].after);
  }
  VECTOR_FREE(r->updates);
  partition_drop(r->p, r->wave);
  memory_free(r);
}

const rounds_statistics *rounds_statistics_of(const rounds *r) { return &r->statistics; }

void rounds_report(const rounds *r, int line, const char *name, const bits *value) {
  if (r->observer.value) r->observer.value(r->observer.context, line, name, value);
}

static void follow(rounds *r, const split_vector *v) {
  for (int i = 0; i < VALUES; i++) splits_follow(v, &r->values[i]);
  for (size_t i = 0; i < r->updates.count; i++) {
    m_update *u = &r->updates.at[i];
    splits_follow(v, &u->reached);
    if (!u->is_line_10) continue;
    splits_follow(v, &u->before);
    splits_follow(v, &u->after);
  }
}

/* The domain, or a value, is another one than before: else the next round would be the same again. */
static bool is_new(const rounds *r, const cut *by, enum value becomes) {
  return cut_splits(by) || (becomes != VALUES && !bits_same(&by->inside, &r->values[becomes]));
}

void rounds_refine(rounds *r, cut *by, enum value becomes, cut *pending) {
  split_vector splits = {0};
  r->has_changed |= is_new(r, by, becomes);
  partition_refine(r->p, by, &splits);
  follow(r, &splits);
  if (pending) splits_follow_cut(r->p, &splits, pending);
  if (becomes != VALUES) {
    bits_grow(&by->inside, partition_count(r->p));
    bits_assign(&r->values[becomes], &by->inside);
  }
  r->statistics.splits += splits.count;
  cut_free(r->p, by);
  VECTOR_FREE(splits);
}

void rounds_add_waves(rounds *r, const points *from) { r->wave = partition_copy(r->p, from); }

/* Twice as many steps back as in the round before: then the rounds are few, and so are the blocks. False if there
 * are no more states to come. */
static bool advance_wave(rounds *r) {
  r->wave_steps = r->wave_steps ? 2 * r->wave_steps : 1;
  bool grew = true, ever = false;
  for (size_t i = 0; i < r->wave_steps && grew && r->wave; i++) {
    points *next = partition_with_before(r->p, r->wave, &grew);
    partition_drop(r->p, r->wave);
    r->wave = next;
    ever |= grew;
  }
  return ever && r->wave;
}

/* The wave's complement becomes a set of the domain; for the algorithms against the steps, the wave too. */
static void refine_by_wave(rounds *r) {
  if (!advance_wave(r)) {
    partition_drop(r->p, r->wave);
    r->wave = NULL;
    return;
  }
  cut outside = cut_outside(r->p, r->wave);
  rounds_refine(r, &outside, VALUES, NULL);
  if (r->how != METHOD_CGR_DUAL && r->how != METHOD_FBAR_SYM) return;
  cut inside = cut_inside(r->p, r->wave);
  rounds_refine(r, &inside, VALUES, NULL);
}

round_end rounds_next(rounds *r) {
  if (partition_trouble(r->p)) return ROUND_TROUBLE;
  bool is_cgr = r->how == METHOD_CGR || r->how == METHOD_CGR_DUAL;
  r->has_changed = false;
  round_end end = is_cgr ? cgr_next(r) : fbar_next(r);
  if (end == ROUND_REFINED && r->wave && !partition_trouble(r->p)) refine_by_wave(r);
  if (end == ROUND_REFINED && !r->has_changed) partition_give_up(r->p, "sets of states became too large to refine by");
  LOG(fbar, "a round: %zu blocks%s%s", partition_count(r->p), partition_trouble(r->p) ? ", trouble: " : "",
      partition_trouble(r->p) ? partition_trouble(r->p) : "");
  return partition_trouble(r->p) ? ROUND_TROUBLE : end;
}

bits rounds_invariant(const rounds *r) {
  return r->how == METHOD_CGR || r->how == METHOD_CGR_DUAL ? bits_copy(&r->values[VALUE_INVARIANT]) : fbar_invariant(r);
}

const bits *rounds_within(const rounds *r) { return &r->values[VALUE_M]; }
