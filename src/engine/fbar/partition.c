/* Blocks, the order, and what is remembered of steps.
 *
 *   below[j]        the blocks i with i below j
 *   maybe[w][b]     blocks to which there may be a step, that way: what was answered no is not in it
 *   sure[b]         blocks to which there is a step, forwards
 *   image[w]        of a block, when first needed
 *   rest[w][use]    a block without the images of the blocks in `taken`
 * A split block keeps its number for the part inside. Its row and column in `maybe` go to the new block too, its `sure`
 * is forgotten, others' `taken` have the new block wherever they had the old one: the image of the old one was that of
 * both. */
#include "engine/fbar/partition.h"

#include "base/instruments/check.h"

typedef struct rest {
  points *points; /* NULL: the whole block, nothing taken */
  bits taken;
  bool is_empty;
  bool is_stuck; /* to take more away was too much work */
} rest;

typedef struct block {
  points *points;
  points *image[2];
  rest rests[2][2];
  bits below, maybe[2], sure;
} block;

struct partition {
  space space;
  budget *budget;
  const points *first_points, *last_points;
  VECTOR(block) blocks;
  bool is_moore;     /* closed under intersections only */
  VECTOR(bits) sets; /* then: those that it was refined by, over blocks; the order means nothing */
  bits first, last;
  const char *trouble;
  partition_statistics statistics;
};

/* ---- answers ---- */

static bool fail(partition *p, const char *why) {
  if (!p->trouble) p->trouble = why ? why : "sets of states could not be computed";
  return false;
}

static bool is_spent(partition *p) {
  const char *why = p->trouble ? NULL : budget_spent(p->budget);
  if (why) fail(p, why);
  return p->trouble != NULL;
}

static bool is_yes(partition *p, answer a) { return answer_is_unsure(a) ? fail(p, a.reason) : answer_is_yes(a); }

static GIVE points *given(partition *p, points *made) {
  if (!made) fail(p, p->space.trouble(p->space.self));
  return made;
}

static void free_points(const partition *p, points *of) {
  if (of) p->space.free(p->space.self, of);
}

static bool is_empty(partition *p, const points *of) {
  if (!of) return fail(p, NULL);
  return is_yes(p, p->space.is_empty(p->space.self, of));
}

static bool meets(partition *p, const points *a, const points *b) {
  if (!a || !b) return fail(p, NULL);
  return is_yes(p, p->space.meets(p->space.self, a, b));
}

static GIVE points *minus(partition *p, const points *a, const points *b) {
  return a && b ? given(p, p->space.minus(p->space.self, a, b)) : NULL;
}

static GIVE points *meet(partition *p, const points *a, const points *b) {
  return a && b ? given(p, p->space.meet(p->space.self, a, b)) : NULL;
}

/* ---- blocks ---- */

static void forget_rests(const partition *p, block *b) {
  for (int w = 0; w < 2; w++)
    for (int use = 0; use < 2; use++) {
      free_points(p, b->rests[w][use].points);
      bits_free(&b->rests[w][use].taken);
      b->rests[w][use] = (rest){0};
    }
}

static void forget_images(const partition *p, block *b) {
  for (int w = 0; w < 2; w++) {
    free_points(p, b->image[w]);
    b->image[w] = NULL;
  }
}

partition *partition_new(space s, points *all, const points *first, const points *last, budget *b) {
  partition *p = MEMORY_NEW(partition);
  *p = (partition){
      .space = s, .budget = b, .first_points = first, .last_points = last, .first = bits_new(1), .last = bits_new(1)};
  block one = {.points = all, .below = bits_new(1), .maybe = {bits_new(1), bits_new(1)}, .sure = bits_new(1)};
  bits_add(&one.below, 0);
  for (int w = 0; w < 2; w++) bits_add(&one.maybe[w], 0);
  VECTOR_PUSH(p->blocks, one);
  if (meets(p, all, first)) bits_add(&p->first, 0);
  if (meets(p, all, last)) bits_add(&p->last, 0);
  return p;
}

void partition_free(partition *p) {
  if (!p) return;
  for (size_t i = 0; i < p->blocks.count; i++) {
    block *b = &p->blocks.at[i];
    forget_rests(p, b);
    forget_images(p, b);
    free_points(p, b->points);
    bits_free(&b->below);
    for (int w = 0; w < 2; w++) bits_free(&b->maybe[w]);
    bits_free(&b->sure);
  }
  for (size_t i = 0; i < p->sets.count; i++) bits_free(&p->sets.at[i]);
  VECTOR_FREE(p->sets);
  VECTOR_FREE(p->blocks);
  bits_free(&p->first);
  bits_free(&p->last);
  memory_free(p);
}

const char *partition_trouble(const partition *p) { return p->trouble; }
void partition_give_up(partition *p, const char *why) { fail(p, why); }
size_t partition_count(const partition *p) { return p->blocks.count; }
const points *partition_block(const partition *p, size_t b) { return p->blocks.at[b].points; }
bool partition_is_below(const partition *p, size_t i, size_t j) { return bits_has(&p->blocks.at[j].below, i); }
const bits *partition_first(const partition *p) { return &p->first; }
const bits *partition_last(const partition *p) { return &p->last; }
const bits *partition_candidates(const partition *p, way w, size_t b) { return &p->blocks.at[b].maybe[w]; }
const partition_statistics *partition_statistics_of(const partition *p) { return &p->statistics; }

void partition_close_under_meets_only(partition *p) {
  REQUIRE(p->blocks.count == 1, "the domain has no sets yet");
  p->is_moore = true;
}

bool partition_is_moore(const partition *p) { return p->is_moore; }
size_t partition_sets(const partition *p) { return p->sets.count; }
const bits *partition_set(const partition *p, size_t i) { return &p->sets.at[i]; }

/* The intersection of the sets around `s`. */
static void moore_over(const partition *p, bits *s) {
  bits around = bits_new(s->size);
  for (size_t i = 0; i < p->blocks.count; i++) bits_add(&around, i);
  for (size_t i = 0; i < p->sets.count; i++)
    if (bits_is_within(s, &p->sets.at[i])) bits_meet(&around, &p->sets.at[i]);
  bits_assign(s, &around);
  bits_free(&around);
}

void partition_over(const partition *p, bits *s) {
  if (p->is_moore) {
    moore_over(p, s);
    return;
  }
  bits given = bits_copy(s);
  BITS_EACH (j, &given) bits_unite(s, &p->blocks.at[j].below);
  bits_free(&given);
}

void partition_under(const partition *p, bits *s) {
  REQUIRE(!p->is_moore, "there is no greatest set inside, if unions are not sets of the domain");
  bits given = bits_copy(s);
  BITS_EACH (j, &given)
    if (!bits_is_within(&p->blocks.at[j].below, &given)) bits_remove(s, j);
  bits_free(&given);
}

/* ---- the invariant ---- */

static bool is_over_blocks(const partition *p, const bits *s) {
  return s->size >= p->blocks.count && bits_next(s, p->blocks.count) >= s->size;
}

static const char *check_rows(const partition *p, const block *b) {
  if (!is_over_blocks(p, &b->below) || !is_over_blocks(p, &b->sure) || !is_over_blocks(p, &b->maybe[0]) ||
      !is_over_blocks(p, &b->maybe[1]))
    return "sets over blocks have only numbers of blocks";
  if (!b->points && !p->trouble) return "a block has its states";
  for (int w = 0; w < 2; w++)
    for (int use = 0; use < 2; use++) {
      const rest *r = &b->rests[w][use];
      if (r->is_empty && !r->points) return "what is left of a block is there, if it is empty";
      if (r->taken.size && !is_over_blocks(p, &r->taken)) return "sets over blocks have only numbers of blocks";
    }
  return NULL;
}

static const char *check_block(const partition *p, size_t i) {
  const block *b = &p->blocks.at[i];
  if (!bits_has(&b->below, i)) return "every block is below itself";
  BITS_EACH (j, &b->below)
    if (!bits_is_within(&p->blocks.at[j].below, &b->below)) return "what is below a block below another is below that";
  if (!bits_is_within(&b->sure, &b->maybe[WAY_AFTER])) return "sure steps are possible";
  for (int w = 0; w < 2; w++)
    BITS_EACH (j, &b->maybe[w])
      if (!bits_has(&p->blocks.at[j].maybe[way_back((way)w)], i)) return "possible steps are so from both sides";
  return NULL;
}

const char *partition_check(const partition *p) {
  const char *broken = NULL;
  if (!is_over_blocks(p, &p->first) || !is_over_blocks(p, &p->last)) return "ends are blocks";
  for (size_t i = 0; i < p->sets.count && !broken; i++)
    if (!is_over_blocks(p, &p->sets.at[i])) broken = "sets of the domain are unions of blocks";
  for (size_t i = 0; i < p->blocks.count && !broken; i++) broken = check_rows(p, &p->blocks.at[i]);
  for (size_t i = 0; i < p->blocks.count && !broken; i++) broken = check_block(p, i);
  return broken;
}

/* ---- steps ---- */

static const points *image_of(partition *p, way w, size_t b) {
  block *of = &p->blocks.at[b];
  if (!of->image[w] && !is_spent(p)) {
    p->statistics.images++;
    of->image[w] = given(p, p->space.image(p->space.self, w, of->points));
  }
  return of->image[w];
}

bool partition_may(partition *p, size_t from, size_t to) {
  assert(from < p->blocks.count && to < p->blocks.count);
  block *b = &p->blocks.at[from];
  if (!bits_has(&b->maybe[WAY_AFTER], to)) return false;
  if (bits_has(&b->sure, to)) return true;
  if (is_spent(p)) return false;
  p->statistics.may++;
  /* whichever image is there already; those before are cheaper to make */
  bool after = !p->blocks.at[to].image[WAY_BEFORE] && b->image[WAY_AFTER];
  bool yes =
      after ? meets(p, p->blocks.at[to].points, b->image[WAY_AFTER]) : meets(p, b->points, image_of(p, WAY_BEFORE, to));
  if (p->trouble) return false;
  if (yes) {
    bits_add(&b->sure, to);
  } else {
    bits_remove(&b->maybe[WAY_AFTER], to);
    bits_remove(&p->blocks.at[to].maybe[WAY_BEFORE], from);
  }
  CHECKED_AT_TIMES(p->blocks.count * p->blocks.count * 4, partition_check(p));
  return yes;
}

static bool may_that_way(partition *p, way w, size_t from, size_t to) {
  return w == WAY_AFTER ? partition_may(p, from, to) : partition_may(p, to, from);
}

static void take(partition *p, way w, rest *r, size_t b, size_t other) {
  p->statistics.cover++;
  const points *image = image_of(p, w, other);
  points *left = image ? p->space.minus(p->space.self, r->points ? r->points : p->blocks.at[b].points, image) : NULL;
  if (!left) {
    r->is_stuck = true;
    return;
  }
  free_points(p, r->points);
  r->points = left;
  bits_add(&r->taken, other);
  r->is_empty = is_empty(p, left);
}

/* A block that is before the others has steps in the way after, to them. */
bool partition_covers(partition *p, way w, cover_use use, size_t b, const bits *others) {
  rest *r = &p->blocks.at[b].rests[w][use];
  bits wanted = bits_copy(others);
  bits_meet(&wanted, &p->blocks.at[b].maybe[way_back(w)]);
  if (!r->taken.size) r->taken = bits_new(p->blocks.count);
  bits_meet(&r->taken, &p->blocks.at[b].maybe[way_back(w)]); /* if there is no step, nothing was taken */
  if (!bits_is_within(&r->taken, &wanted)) {
    free_points(p, r->points);
    r->points = NULL;
    r->is_empty = r->is_stuck = false;
    bits_clear(&r->taken);
  }
  bits_minus(&wanted, &r->taken);
  BITS_EACH (c, &wanted) {
    if (r->is_empty || r->is_stuck || is_spent(p)) break;
    if (may_that_way(p, way_back(w), b, c)) take(p, w, r, b, c);
  }
  bits_free(&wanted);
  return r->is_empty;
}

points *partition_uncovered(partition *p, way w, cover_use use, size_t b) {
  const rest *r = &p->blocks.at[b].rests[w][use];
  return r->points ? given(p, p->space.copy(p->space.self, r->points)) : NULL;
}

points *partition_copy(partition *p, const points *of) { return given(p, p->space.copy(p->space.self, of)); }
void partition_drop(const partition *p, points *of) { free_points(p, of); }

points *partition_with_before(partition *p, const points *of, bool *grew) {
  points *before = given(p, p->space.image(p->space.self, WAY_BEFORE, of)), *fresh = minus(p, before, of);
  *grew = fresh && !is_empty(p, fresh);
  points *both = fresh ? given(p, p->space.join(p->space.self, of, before)) : NULL;
  if (both) both = given(p, p->space.tidy(p->space.self, both));
  free_points(p, before);
  free_points(p, fresh);
  return both;
}

/* ---- cuts ---- */

cut cut_new(const partition *p) {
  cut c = {.inside = bits_new(p->blocks.count)};
  for (size_t i = 0; i < p->blocks.count; i++) VECTOR_PUSH(c.part, (halves){0});
  return c;
}

static void free_halves(const partition *p, halves *h) {
  free_points(p, h->in);
  free_points(p, h->out);
  *h = (halves){0};
}

void cut_free(const partition *p, cut *c) {
  for (size_t i = 0; i < c->part.count; i++) free_halves(p, &c->part.at[i]);
  VECTOR_FREE(c->part);
  bits_free(&c->inside);
}

size_t cut_splits(const cut *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->part.count; i++) n += c->part.at[i].in != NULL;
  return n;
}

void cut_add_part(partition *p, cut *c, size_t b, points *part) {
  points *other = p->space.minus(p->space.self, p->blocks.at[b].points, part);
  bits_add(&c->inside, b);
  if (other)
    c->part.at[b] = (halves){part, other};
  else
    free_points(p, part);
}

/* What block `b` has of the set, and the rest of it. */
static void add_halves(partition *p, cut *c, size_t b, TAKE halves h) {
  bool some = h.in && h.out && !is_empty(p, h.in), all = some && is_empty(p, h.out);
  if (some) bits_add(&c->inside, b);
  if (some && !all)
    c->part.at[b] = h;
  else
    free_halves(p, &h);
}

static cut cut_by(partition *p, const points *of, bool inside) {
  cut c = cut_new(p);
  for (size_t b = 0; b < p->blocks.count && !is_spent(p); b++) {
    const points *whole = p->blocks.at[b].points;
    if (!meets(p, whole, of)) {
      if (!inside) bits_add(&c.inside, b);
      continue;
    }
    points *in = meet(p, whole, of), *out = minus(p, whole, of);
    add_halves(p, &c, b, inside ? (halves){in, out} : (halves){out, in});
  }
  return c;
}

cut cut_outside(partition *p, const points *of) { return cut_by(p, of, false); }
cut cut_inside(partition *p, const points *of) { return cut_by(p, of, true); }

/* ---- refining ---- */

static bits grown_copy(const bits *b, size_t size) {
  bits made = bits_copy(b);
  bits_grow(&made, size);
  return made;
}

/* The new block that gets what is not inside; all rows have room for it already. */
static void split_block(partition *p, size_t from, TAKE points *inside, TAKE points *outside) {
  size_t to = p->blocks.count, size = p->first.size;
  block made = {.points = outside, .sure = bits_new(size), .below = grown_copy(&p->blocks.at[from].below, size)};
  block *old = &p->blocks.at[from];
  forget_rests(p, old);
  forget_images(p, old);
  free_points(p, old->points);
  old->points = inside;
  for (int w = 0; w < 2; w++) {
    if (bits_has(&old->maybe[w], from)) bits_add(&old->maybe[w], to);
    made.maybe[w] = bits_copy(&old->maybe[w]);
    way back = way_back((way)w);
    BITS_EACH (c, &old->maybe[w])
      if (c != to) bits_add(&p->blocks.at[c].maybe[back], to);
  }
  BITS_EACH (c, &old->maybe[WAY_BEFORE])
    if (c != to) bits_remove(&p->blocks.at[c].sure, from);
  bits_clear(&old->sure);
  VECTOR_PUSH(p->blocks, made);
}

static void mark_ends(partition *p, const split *s) {
  bits *sets[] = {&p->first, &p->last};
  const points *ends[] = {p->first_points, p->last_points};
  for (int i = 0; i < 2; i++) {
    if (!bits_has(sets[i], s->from)) continue;
    if (meets(p, p->blocks.at[s->to].points, ends[i])) bits_add(sets[i], s->to);
    if (!meets(p, p->blocks.at[s->from].points, ends[i])) bits_remove(sets[i], s->from);
  }
}

/* i below j as before the splits, and i inside or j not. */
static void order_after(partition *p, const split_vector *v, const bits *inside) {
  for (size_t j = 0; j < p->blocks.count; j++) {
    bits *below = &p->blocks.at[j].below;
    splits_follow(v, below);
    if (bits_has(inside, j)) bits_meet(below, inside);
  }
}

static void grow_rows(partition *p, size_t size) {
  for (size_t i = 0; i < p->blocks.count; i++) {
    block *b = &p->blocks.at[i];
    bits_grow(&b->below, size);
    bits_grow(&b->sure, size);
    for (int w = 0; w < 2; w++) bits_grow(&b->maybe[w], size);
  }
  bits_grow(&p->first, size);
  bits_grow(&p->last, size);
}

static void follow_rests(partition *p, const split_vector *v) {
  for (size_t i = 0; i < p->blocks.count; i++)
    for (int w = 0; w < 2; w++)
      for (int use = 0; use < 2; use++) {
        bits *taken = &p->blocks.at[i].rests[w][use].taken;
        if (taken->size) splits_follow(v, taken);
      }
}

void partition_refine(partition *p, cut *by, split_vector *out) {
  uint32_t count = (uint32_t)p->blocks.count;
  assert(by->part.count == count && by->inside.size >= count);
  VECTOR_CLEAR(*out);
  BITS_EACH (b, &by->inside)
    if (by->part.at[b].in) {
      split made = {(uint32_t)b, count++};
      VECTOR_PUSH(*out, made);
    }
  grow_rows(p, count);
  for (size_t i = 0; i < out->count; i++) {
    size_t b = out->at[i].from;
    halves h = by->part.at[b];
    by->part.at[b] = (halves){0};
    points *inside = given(p, p->space.tidy(p->space.self, h.in)),
           *outside = given(p, p->space.tidy(p->space.self, h.out));
    split_block(p, b, inside, outside);
    mark_ends(p, &out->at[i]);
  }
  bits inside = grown_copy(&by->inside, p->blocks.count);
  follow_rests(p, out);
  order_after(p, out, &inside);
  for (size_t i = 0; i < p->sets.count; i++) splits_follow(out, &p->sets.at[i]);
  if (p->is_moore)
    VECTOR_PUSH(p->sets, inside);
  else
    bits_free(&inside);
  CHECKED_AT_TIMES(p->blocks.count * p->blocks.count, partition_check(p));
}

void splits_follow(const split_vector *v, bits *s) {
  if (!v->count) return;
  bits_grow(s, VECTOR_LAST(*v).to + 1);
  for (size_t i = 0; i < v->count; i++)
    if (bits_has(s, v->at[i].from)) bits_add(s, v->at[i].to);
}

void splits_follow_cut(partition *p, const split_vector *v, cut *c) {
  bits_grow(&c->inside, p->blocks.count);
  while (c->part.count < p->blocks.count) VECTOR_PUSH(c->part, (halves){0});
  for (size_t i = 0; i < v->count; i++) {
    split s = v->at[i];
    if (!bits_has(&c->inside, s.from)) continue;
    halves before = c->part.at[s.from];
    if (!before.in) {
      bits_add(&c->inside, s.to);
      continue;
    }
    bits_remove(&c->inside, s.from);
    c->part.at[s.from] = (halves){0};
    for (int half = 0; half < 2; half++) {
      size_t b = half ? s.to : s.from;
      const points *whole = p->blocks.at[b].points;
      add_halves(p, c, b, (halves){meet(p, whole, before.in), meet(p, whole, before.out)});
    }
    free_halves(p, &before);
  }
}
