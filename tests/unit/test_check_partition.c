/* A partition that is damaged is noticed to be. */
#include "engine/fbar/partition.c"
#include "oracle/finite_space.h"
#include "unit/damage.h"

enum { STATES = 6 };

typedef struct bench {
  finite_space *finite;
  points *first, *last;
  budget budget;
  partition *p;
} bench;

static points *points_from(size_t from, size_t to) {
  bits b = bits_new(STATES);
  for (size_t i = from; i < to; i++) bits_add(&b, i);
  points *made = finite_points(&b);
  bits_free(&b);
  return made;
}

static void refine_by(bench *b, size_t from, size_t to) {
  points *by = points_from(from, to);
  cut c = cut_inside(b->p, by);
  split_vector v = {0};
  partition_refine(b->p, &c, &v);
  cut_free(b->p, &c);
  VECTOR_FREE(v);
  partition_drop(b->p, by);
}

/* Blocks {0,1} {2,3} {4,5} and steps i -> i+1; all questions about steps are asked. */
static bench bench_new(void) {
  bench b = {finite_space_new(STATES), points_from(0, 1), points_from(5, 6), budget_unlimited(), NULL};
  for (uint32_t i = 0; i + 1 < STATES; i++) finite_space_add_step(b.finite, i, i + 1);
  b.p = partition_new(finite_space_interface(b.finite), points_from(0, STATES), b.first, b.last, &b.budget);
  refine_by(&b, 0, 2);
  refine_by(&b, 0, 4);
  for (size_t i = 0; i < partition_count(b.p); i++)
    for (size_t j = 0; j < partition_count(b.p); j++) partition_may(b.p, i, j);
  return b;
}

static void bench_free(bench *b) {
  space s = finite_space_interface(b->finite);
  partition_free(b->p);
  s.free(s.self, b->first);
  s.free(s.self, b->last);
  finite_space_free(b->finite);
}

#define DAMAGED(DO, WORDS)                         \
  do {                                             \
    bench b = bench_new();                         \
    CHECK_TEXT(said(partition_check(b.p)), WHOLE); \
    CHECK(partition_count(b.p) == 3);              \
    block *blocks = b.p->blocks.at;                \
    DO;                                            \
    (void)blocks;                                  \
    CHECK_TEXT(said(partition_check(b.p)), WORDS); \
    bench_free(&b);                                \
  } while (0)

TEST(an_order_that_is_none) {
  DAMAGED(bits_remove(&blocks[1].below, 1), "every block is below itself");
  DAMAGED(
      {
        for (size_t i = 0; i < 3; i++) {
          bits_clear(&blocks[i].below);
          bits_add(&blocks[i].below, i);
        }
        bits_add(&blocks[1].below, 0);
        bits_add(&blocks[2].below, 1);
      },
      "what is below a block below another is below that");
}

TEST(steps_that_are_known_from_one_side) {
  DAMAGED(
      {
        size_t to = bits_next(&blocks[0].maybe[WAY_AFTER], 0);
        bits_remove(&blocks[to].maybe[WAY_BEFORE], 0);
      },
      "possible steps are so from both sides");
  DAMAGED(bits_fill(&blocks[0].sure), "sure steps are possible");
}

TEST(sets_with_numbers_of_no_block) {
  DAMAGED(
      {
        bits_grow(&blocks[0].below, 5);
        bits_add(&blocks[0].below, 4);
      },
      "sets over blocks have only numbers of blocks");
  DAMAGED(
      {
        bits_grow(&b.p->first, 5);
        bits_add(&b.p->first, 4);
      },
      "ends are blocks");
}

TEST(a_rest_that_is_empty_and_not_there) {
  DAMAGED(blocks[2].rests[0][1].is_empty = true, "what is left of a block is there, if it is empty");
}

TEST_MAIN
