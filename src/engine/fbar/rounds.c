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
  memory_free(r);
}

const rounds_statistics *rounds_statistics_of(const rounds *r) { return &r->statistics; }

void rounds_tell(const rounds *r, int line, const char *name, const bits *value) {
  if (r->observer.value) r->observer.value(r->observer.context, line, name, value);
}

round_end rounds_next(rounds *r) {
  if (partition_trouble(r->p)) return ROUND_TROUBLE;
  bool is_cgr = r->how == METHOD_CGR || r->how == METHOD_CGR_DUAL;
  round_end end = is_cgr ? cgr_next(r) : fbar_next(r);
  return partition_trouble(r->p) ? ROUND_TROUBLE : end;
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

void rounds_refine(rounds *r, cut *by, enum value becomes, cut *pending) {
  split_vector splits = {0};
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

bool rounds_refine_outside(rounds *r, const points *of) {
  cut c = cut_outside(r->p, of);
  rounds_refine(r, &c, VALUES, NULL);
  return !partition_trouble(r->p);
}

bits rounds_invariant(const rounds *r) {
  return r->how == METHOD_CGR || r->how == METHOD_CGR_DUAL ? bits_copy(&r->values[VALUE_INVARIANT]) : fbar_invariant(r);
}

const bits *rounds_within(const rounds *r) { return &r->values[VALUE_M]; }
