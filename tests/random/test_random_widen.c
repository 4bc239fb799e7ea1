/* The engine widen on random models, each lane in turn, against the slow meaning and Z3's unrolling. */
#include "random/random_expect.h"

/* `least`: verdicts for every so many models; 0: none is asked for. */
static void expect_some(random_check c, unsigned least) {
  c.engine = "widen";
  c.work = 100000;
  c.seeds = random_rounds(c.seeds);
  random_tally t = expect_no_finding(&c);
  CHECK(!least || t.safe + t.unsafe > t.models / least);
}

static void expect(random_check c) { expect_some(c, 4); }

TEST(finite_models) { expect((random_check){.knobs = "finite", .first_seed = 1, .seeds = 24, .reread_every = 8}); }
TEST(finite_models_in_single_steps) {
  expect((random_check){.knobs = "finite", .options = "lane=single", .first_seed = 1001, .seeds = 12});
}
TEST(finite_models_with_places_only) {
  expect((random_check){.knobs = "finite", .options = "lane=paper", .first_seed = 2001, .seeds = 12});
}
TEST(linear_models) { expect((random_check){.knobs = "linear", .first_seed = 3001, .seeds = 18, .unroll_every = 4}); }
TEST(infinite_models) {
  expect((random_check){.knobs = "infinite", .first_seed = 4001, .seeds = 18, .unroll_every = 4});
}
TEST(infinite_models_with_weak_hulls) {
  expect((random_check){.knobs = "infinite", .options = "lane=weak widening=bhrz03", .first_seed = 5001, .seeds = 12});
}

TEST(finite_models_with_octagons) {
  expect_some((random_check){.knobs = "finite", .options = "lane=octagons", .first_seed = 6001, .seeds = 18}, 8);
}
TEST(infinite_models_with_boxes) {
  expect_some((random_check){.knobs = "infinite", .options = "lane=boxes", .first_seed = 7001, .seeds = 18}, 8);
}
TEST(linear_models_with_repaired_boxes) {
  expect_some((random_check){.knobs = "linear", .options = "lane=paper domain=boxes", .first_seed = 11001, .seeds = 12},
              8);
}
TEST(linear_models_with_repaired_octagons) {
  expect_some(
      (random_check){.knobs = "linear", .options = "lane=joint domain=octagons", .first_seed = 12001, .seeds = 12}, 8);
}
TEST(linear_models_by_the_refinement_of_figure_2) {
  expect((random_check){
      .knobs = "linear", .options = "lane=paper refinement=basic schedule=single", .first_seed = 13001, .seeds = 12});
}
TEST(linear_models_by_monotonic_refinement) {
  expect((random_check){
      .knobs = "linear", .options = "lane=paper refinement=monotonic pick=oldest", .first_seed = 14001, .seeds = 12});
}
TEST(linear_models_in_packs) {
  expect_some((random_check){.knobs = "linear", .options = "lane=packs", .first_seed = 8001, .seeds = 18}, 0);
}
TEST(infinite_models_kept_apart_by_steps) {
  expect((random_check){.knobs = "infinite", .options = "lane=steps", .first_seed = 9001, .seeds = 12});
}

TEST(infinite_models_with_lanes_beside_each_other) {
  expect((random_check){.knobs = "infinite", .options = "jobs=2", .first_seed = 10001, .seeds = 12});
}

TEST_MAIN
