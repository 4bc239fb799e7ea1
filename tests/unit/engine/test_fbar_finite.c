/* The algorithms of Ranzato, Rossi Doria, Tapparo 2008 on finite systems: its examples value by value, what is known of
 * their counts, and random systems against sets that are computed here in the plainest way (a system has at most 64
 * states, a set is a word). */
#include "base/random.h"
#include "base/vector.h"
#include "engine/fbar/rounds.h"
#include "oracle/finite_space.h"
#include "random/random_model.h"
#include "unit/test.h"

typedef uint64_t word;

enum { MOST = 64 };

typedef struct finite_system {
  size_t states;
  word after[MOST]; /* of each state */
  word first, last;
  VECTOR(word) family; /* sets that generate the domain */
} finite_system;

static word bit(size_t i) { return (word)1 << i; }
static word all_of(const finite_system *s) { return s->states == MOST ? ~(word)0 : bit(s->states) - 1; }

static word post(const finite_system *s, word x) {
  word out = 0;
  for (size_t i = 0; i < s->states; i++)
    if (x & bit(i)) out |= s->after[i];
  return out;
}

static word pre(const finite_system *s, word x) {
  word out = 0;
  for (size_t i = 0; i < s->states; i++)
    if (s->after[i] & x) out |= bit(i);
  return out;
}

typedef word image_function(const finite_system *s, word x);

/* All that is reached from `from` within `m`. */
static word star(const finite_system *s, image_function *f, word m, word from) {
  word x = m & from, before;
  do before = x, x |= m & f(s, x);
  while (x != before);
  return x;
}

static bool is_unsafe(const finite_system *s) { return (star(s, post, all_of(s), s->first) & s->last) != 0; }

/* Steps of a shortest counterexample. */
static size_t shortest(const finite_system *s) {
  word x = s->first;
  size_t n = 0;
  for (; !(x & s->last); n++) x |= post(s, x);
  return n;
}

/* "0>1 1>1 2>3", states as single digits from `base`. */
static void add_steps(finite_system *s, const char *steps, int base) {
  for (const char *c = steps; *c; c++)
    if (*c == '>') s->after[c[-1] - '0' - base] |= bit((size_t)(c[1] - '0' - base));
}

static word set_of(const char *digits, int base) {
  word x = 0;
  for (; *digits && *digits != ' '; digits++) x |= bit((size_t)(*digits - '0' - base));
  return x;
}

/* The sets, with spaces between. */
static void add_family(finite_system *s, const char *sets, int base) {
  for (const char *c = sets; *c; c += strcspn(c, " "), c += *c == ' ') VECTOR_PUSH(s->family, set_of(c, base));
}

/* ---- a run ---- */

typedef struct run {
  const finite_system *system;
  finite_space *finite;
  points *first, *last;
  partition *p;
  rounds *rounds;
  text heard; /* "5:123456 " .. */
  int base;
  const char *broken; /* an invariant that did not hold */
  word m, u, v;
  bool is_fbar, checks;
} run;

static points *points_of(const finite_system *s, word x) {
  bits b = bits_new(s->states);
  for (size_t i = 0; i < s->states; i++)
    if (x & bit(i)) bits_add(&b, i);
  points *made = finite_points(&b);
  bits_free(&b);
  return made;
}

static word word_of_points(const points *p) { return finite_points_bits(p)->words[0]; }

static word word_of(const run *r, const bits *blocks) {
  word x = 0;
  BITS_EACH (b, blocks) x |= word_of_points(partition_block(r->p, b));
  return x;
}

static void refine_by(run *r, word x) {
  points *p = points_of(r->system, x);
  cut c = cut_inside(r->p, p);
  split_vector v = {0};
  partition_refine(r->p, &c, &v);
  cut_free(r->p, &c);
  VECTOR_FREE(v);
  space s = finite_space_interface(r->finite);
  s.free(s.self, p);
}

static void expect(run *r, bool holds, const char *what) {
  if (!holds && !r->broken) r->broken = what;
}

static bool within(word a, word b) { return !(a & ~b); }

/* Lemma 6.2 as corrected: what must hold of each value when it is computed. */
static void check_value(run *r, int line, const char *name, word x) {
  const finite_system *s = r->system;
  word all = all_of(s), safe = all & ~s->last, not_first = all & ~s->first;
  /* what lies on a path from first to last states that meets neither in between: if there is one, M has every
   * shortest counterexample */
  word to_bad = star(s, pre, not_first, s->last), on_path = to_bad | (s->first & pre(s, to_bad));
  word from_first = star(s, post, safe, s->first);
  on_path &= from_first | (s->last & post(s, from_first));
  if (!strcmp(name, "M"))
    expect(r, within(x, r->m) && (!is_unsafe(s) || within(on_path, x)), "states(MinCex) within M");
  if (line == 5)
    expect(r, within(star(s, post, r->m & safe, s->first), x) && within(x, r->u) && within(x, r->m), "(1) U'");
  if (line == 8)
    expect(r, within(star(s, pre, r->m & not_first, s->last), x) && within(x, r->v) && within(x, r->m), "(1) V'");
  word stays = all & ~star(s, pre, all, s->last);
  if (!strcmp(name, "X") || !strcmp(name, "X'"))
    expect(r, within(r->m & stays, x) && (line == 2 || within(x, r->m)), "(3) X");
  if (!strcmp(name, "Y") || !strcmp(name, "Y'"))
    expect(r, within(x, star(s, pre, all, s->last)) && (line == 2 || within(x, r->m)), "(3) Y");
  word kept = all & ~star(s, post, all, s->first);
  if (!strcmp(name, "P") || !strcmp(name, "P'")) expect(r, within(r->m & kept, x) && within(x, r->m), "(3) P");
  if (!strcmp(name, "Q") || !strcmp(name, "Q'"))
    expect(r, within(x, star(s, post, all, s->first)) && within(x, r->m), "(3) Q");
}

static void hear(void *context, int line, const char *name, const bits *blocks) {
  run *r = context;
  word x = word_of(r, blocks);
  if (r->checks) {
    bits closed = bits_copy(blocks);
    partition_over(r->p, &closed);
    if (strcmp(name, "")) expect(r, bits_same(&closed, blocks), "a set of the domain");
    bits_free(&closed);
    if (r->is_fbar) check_value(r, line, name, x);
    if (!strcmp(name, "M")) r->m = x;
    if (!strcmp(name, "U")) r->u = x;
    if (!strcmp(name, "V")) r->v = x;
    return;
  }
  if (line)
    text_add(&r->heard, "%d%s%s=", line, *name ? ":" : "", name);
  else
    text_add(&r->heard, "%s=", name);
  for (size_t i = 0; i < r->system->states; i++)
    if (x & bit(i)) text_add_char(&r->heard, (char)('0' + r->base + (int)i));
  text_add_char(&r->heard, ' ');
}

typedef struct outcome {
  round_end end;
  uint64_t refinements, fixpoints;
  word invariant;
  const char *broken;
  text heard;
} outcome;

static void run_open(run *r, const finite_system *s) {
  static budget unlimited;
  unlimited = budget_unlimited();
  *r = (run){.system = s,
             .finite = finite_space_new(s->states),
             .first = points_of(s, s->first),
             .last = points_of(s, s->last)};
  for (size_t i = 0; i < s->states; i++)
    for (size_t j = 0; j < s->states; j++)
      if (s->after[i] & bit(j)) finite_space_add_step(r->finite, (uint32_t)i, (uint32_t)j);
  r->p = partition_new(finite_space_interface(r->finite), points_of(s, all_of(s)), r->first, r->last, &unlimited);
  for (size_t i = 0; i < s->family.count; i++) refine_by(r, s->family.at[i]);
  r->m = all_of(s), r->u = all_of(s), r->v = all_of(s);
}

static void run_close(run *r) {
  space s = finite_space_interface(r->finite);
  rounds_free(r->rounds);
  partition_free(r->p);
  s.free(s.self, r->first);
  s.free(s.self, r->last);
  finite_space_free(r->finite);
}

/* At most `most` refinements; with exact steps back from the bad states besides, if `waves`. */
static outcome run_with(const finite_system *s, method how, uint64_t most, int base, bool checks, bool waves) {
  run r;
  outcome o = {0};
  run_open(&r, s);
  r.base = base, r.checks = checks, r.is_fbar = how == METHOD_FBAR || how == METHOD_FBAR_SYM;
  observer hears = {hear, &r};
  r.rounds = rounds_new(how, r.p, &hears);
  if (waves) rounds_add_waves(r.rounds, r.last);
  do o.end = rounds_next(r.rounds);
  while (o.end == ROUND_REFINED && rounds_statistics_of(r.rounds)->refinements < most);
  o.refinements = rounds_statistics_of(r.rounds)->refinements;
  o.fixpoints = rounds_statistics_of(r.rounds)->fixpoints;
  if (o.end == ROUND_SAFE) {
    bits invariant = rounds_invariant(r.rounds);
    o.invariant = word_of(&r, &invariant);
    bits_free(&invariant);
  }
  o.broken = r.broken;
  o.heard = r.heard;
  run_close(&r);
  return o;
}

static outcome run_method(const finite_system *s, method how, uint64_t most, int base, bool checks) {
  return run_with(s, how, most, base, checks, false);
}

static bool is_invariant(const finite_system *s, word x) {
  return within(s->first, x) && within(post(s, x), x) && !(x & s->last);
}

static void check_outcome(const finite_system *s, method how, round_end end, uint64_t refinements, uint64_t fixpoints,
                          const char *heard, int base) {
  outcome o = run_method(s, how, 1000, base, false);
  CHECK(o.end == end, "method %d: ends %d", (int)how, (int)o.end);
  CHECK(o.refinements == refinements && o.fixpoints == fixpoints, "method %d: %llu refinements, %llu fixpoints",
        (int)how, (unsigned long long)o.refinements, (unsigned long long)o.fixpoints);
  if (end == ROUND_SAFE) CHECK(is_invariant(s, o.invariant));
  if (heard) CHECK_TEXT(text_string(&o.heard), heard);
  text_clear(&o.heard);
}

/* ---- the examples ---- */

static finite_system system_of(size_t states, const char *steps, const char *first, const char *last,
                               const char *family, int base) {
  finite_system s = {.states = states, .first = set_of(first, base), .last = set_of(last, base)};
  add_steps(&s, steps, base);
  add_family(&s, family, base);
  return s;
}

/* The sets that FBAR needs besides. */
static void add_ends(finite_system *s, bool bad, bool init) {
  VECTOR_PUSH(s->family, all_of(s) & ~s->last);
  VECTOR_PUSH(s->family, all_of(s) & ~s->first);
  if (bad) VECTOR_PUSH(s->family, s->last);
  if (init) VECTOR_PUSH(s->family, s->first);
}

TEST(example_6_1_value_by_value) {
  finite_system s = system_of(7, "1>3 2>4 3>5 4>4 5>7 6>5 7>7", "12", "7", "1 12 3 35 3456 6 7", 1);
  check_outcome(&s, METHOD_FBAR, ROUND_UNSAFE, 0, 7,
                "2:M=1234567 2:U=123456 2:V=34567 2:X=123456 2:Y=7 "
                "5:U'=123456 6=1234567 7:M=1234567 8:V'=3567 9=13567 10:M=13567 12:U=123456 12:V=3567 "
                "5:U'=135 6=1357 7:M=1357 8:V'=357 9=1357 10:M=1357 12:U=135 12:V=357 "
                "5:U'=135 6=1357 7:M=1357 8:V'=357 9=1357 10:M=1357 "
                "13:X=135 13:Y=7 15:X=135 16:X'= ",
                1);
  check_outcome(&s, METHOD_CGR, ROUND_UNSAFE, 3, 8,
                "Z=123456 R=123456 S=123456 Z=12346 R=12346 S=12346 Z=124 R=124 S=124 Z=24 R=24 S=24 ", 1);
  check_outcome(&s, METHOD_CGR_DUAL, ROUND_UNSAFE, 1, 4, "Z=34567 R=3567 S=3567 Z=567 R=567 S=6 ", 1);
  VECTOR_FREE(s.family);
}

TEST(example_3_1_finite) {
  finite_system s = system_of(4, "0>1 1>1 2>3 3>3", "0", "3", "0 12 2 3", 0);
  check_outcome(&s, METHOD_CGR, ROUND_SAFE, 1, 3, "Z=012 R=012 S=012 Z=01 R=01 ", 0);
  check_outcome(&s, METHOD_CGR_DUAL, ROUND_SAFE, 0, 1, "Z=123 R=23 ", 0);
  check_outcome(&s, METHOD_FBAR, ROUND_SAFE, 0, 2,
                "2:M=0123 2:U=012 2:V=123 2:X=012 2:Y=3 5:U'=012 6=0123 7:M=0123 8:V'=23 9=23 ", 0);
  VECTOR_FREE(s.family);
}

TEST(example_3_2) {
  finite_system s = system_of(4, "0>1 1>2 2>3 3>3", "0", "3", "0 12 2 3", 0);
  check_outcome(&s, METHOD_CGR, ROUND_UNSAFE, 1, 4, "Z=012 R=012 S=012 Z=01 R=01 S= ", 0);
  check_outcome(&s, METHOD_CGR_DUAL, ROUND_UNSAFE, 0, 2, NULL, 0);
  check_outcome(&s, METHOD_FBAR, ROUND_UNSAFE, 0, 4,
                "2:M=0123 2:U=012 2:V=123 2:X=012 2:Y=3 5:U'=012 6=0123 7:M=0123 8:V'=123 9=0123 10:M=0123 "
                "13:X=012 13:Y=3 15:X=012 16:X'=012 18:Y=3 19:Y'=0123 ",
                0);
  VECTOR_FREE(s.family);
}

/* i, 1..n, b, and for chain B also 1'..n'. */
static finite_system chain(size_t n, bool second) {
  size_t bad = n + 1;
  finite_system s = {.states = second ? 2 * n + 2 : n + 2, .first = bit(0), .last = bit(bad)};
  s.after[0] = bit(1) | (second ? bit(n + 3) : 0);
  s.after[1] = bit(1);
  s.after[2] = bit(bad);
  for (size_t k = 3; k <= n; k++) s.after[k] = bit(k - 1);
  s.after[bad] = bit(bad);
  word from1 = bit(n + 1) - bit(1);
  VECTOR_PUSH(s.family, bit(0));
  VECTOR_PUSH(s.family, bit(bad));
  VECTOR_PUSH(s.family, from1);
  VECTOR_PUSH(s.family, from1 & ~bit(1));
  if (second) {
    size_t one = n + 2;
    for (size_t k = 2; k <= n; k++) s.after[one + k - 1] = bit(k == n ? one + k - 1 : one + k);
    s.after[one] = bit(bad);
    word primed = all_of(&s) & ~(bit(one) - 1);
    VECTOR_PUSH(s.family, primed);
    VECTOR_PUSH(s.family, primed & ~bit(one));
  }
  return s;
}

TEST(chains_cut_off) {
  static const size_t lengths[] = {4, 8, 16};
  for (size_t i = 0; i < ARRAY_LENGTH(lengths); i++) {
    size_t n = lengths[i];
    finite_system a = chain(n, false), b = chain(n, true);
    check_outcome(&a, METHOD_CGR, ROUND_SAFE, n - 1, 2 * n - 1, NULL, 0);
    check_outcome(&a, METHOD_CGR_DUAL, ROUND_SAFE, 0, 1, NULL, 0);
    check_outcome(&a, METHOD_FBAR, ROUND_SAFE, 0, 2, NULL, 0);
    check_outcome(&b, METHOD_CGR, ROUND_SAFE, n - 1, 2 * n - 1, NULL, 0);
    check_outcome(&b, METHOD_CGR_DUAL, ROUND_SAFE, n - 1, 2 * n - 1, NULL, 0);
    check_outcome(&b, METHOD_FBAR, ROUND_SAFE, 0, 2, NULL, 0);
    VECTOR_FREE(a.family);
    VECTOR_FREE(b.family);
  }
}

static void expect_word(word got, const char *digits) {
  CHECK(got == set_of(digits, 0), "%s: %llx", digits, (unsigned long long)got);
}

/* The seven sets, as fixpoints over blocks of one state each. */
TEST(example_4_1) {
  finite_system s = system_of(10, "1>0 1>4 0>3 3>6 6>8 8>8 4>9 9>0 5>5 2>5 7>2", "01", "8", "0 1 2 3 4 5 6 7 8 9", 0);
  run r;
  run_open(&r, &s);
  size_t n = partition_count(r.p);
  bits all = bits_new(n), m = bits_new(n), x = bits_new(n), out = bits_new(n);
  view forward = {r.p, false}, against = {r.p, true};
  word wanted = set_of("0134568", 0);
  bits_fill(&all);
  for (size_t b = 0; b < n; b++)
    if (within(word_of_points(partition_block(r.p, b)), wanted)) bits_add(&m, b);
  fixpoint_reach(forward, &m, &out);
  expect_word(word_of(&r, &out), "013468");
  fixpoint_reach(against, &m, &out);
  expect_word(word_of(&r, &out), "01368");
  /* outside M nothing is asked: those states stay */
  bits_assign(&x, &m);
  bits_minus(&x, partition_first(r.p));
  fixpoint_stay(against, &m, &x, &out);
  expect_word(word_of(&r, &out) | (all_of(&s) & ~wanted & ~s.first), "2579");
  bits_assign(&x, &m);
  bits_minus(&x, partition_last(r.p));
  fixpoint_stay(forward, &m, &x, &out);
  expect_word(word_of(&r, &out) | (all_of(&s) & ~wanted & ~s.last), "24579");
  fixpoint_reach(forward, &all, &out);
  expect_word(word_of(&r, &out), "0134689");
  bits_assign(&x, &all);
  bits_minus(&x, partition_last(r.p));
  fixpoint_stay(forward, &all, &x, &out);
  expect_word(word_of(&r, &out), "257");
  bits_free(&all), bits_free(&m), bits_free(&x), bits_free(&out);
  run_close(&r);
  outcome o = run_method(&s, METHOD_FBAR, 0, 0, false); /* with single states M ends as states(MinCex) */
  const char *last = NULL;
  for (const char *c = text_string(&o.heard); (c = strstr(c, ":M=")); c++) last = c;
  CHECK(last && !strncmp(last, ":M=0368 ", 8), "%s", text_string(&o.heard));
  text_clear(&o.heard);
  VECTOR_FREE(s.family);
}

TEST(values_of_the_under_approximation) {
  finite_system s = system_of(6, "", "", "", "1 12 123 4 45 6", 1);
  static const char *const wanted[] = {"456", "1456", "12456", "1236", "12346", "12345"};
  run r;
  run_open(&r, &s);
  for (size_t i = 0; i < 6; i++) {
    bits x = bits_new(partition_count(r.p));
    for (size_t b = 0; b < x.size; b++)
      if (word_of_points(partition_block(r.p, b)) != bit(i)) bits_add(&x, b);
    partition_under(r.p, &x);
    CHECK(word_of(&r, &x) == set_of(wanted[i], 1), "not %zu", i + 1);
    bits_free(&x);
  }
  run_close(&r);
  VECTOR_FREE(s.family);
}

/* Theorem 6.5 needs the bad states in the domain: without them FBAR may refine where CGR need not. */
TEST(theorem_6_5_without_bad) {
  finite_system s = system_of(4, "0>3 1>1 2>0 3>3", "2", "3", "0 01 2 013", 0);
  check_outcome(&s, METHOD_CGR, ROUND_UNSAFE, 0, 2, "Z=012 R=02 S= ", 0);
  outcome o = run_method(&s, METHOD_FBAR, 100, 0, false);
  CHECK(o.end == ROUND_UNSAFE && o.refinements == 1, "%d, %llu: %s", (int)o.end, (unsigned long long)o.refinements,
        text_string(&o.heard));
  text_clear(&o.heard);
  VECTOR_PUSH(s.family, s.last);
  o = run_method(&s, METHOD_FBAR, 100, 0, false);
  CHECK(o.end == ROUND_UNSAFE && o.refinements == 0);
  text_clear(&o.heard);
  VECTOR_FREE(s.family);
}

TEST(fbar_can_need_more_refinements_than_cgr) {
  finite_system s = system_of(5, "0>0 1>4 2>1 3>2 4>3", "3", "4", "012 2 3 4", 0);
  check_outcome(&s, METHOD_FBAR, ROUND_UNSAFE, 2, 11, NULL, 0);
  check_outcome(&s, METHOD_CGR, ROUND_UNSAFE, 1, 4, "Z=0123 R=0123 S=0123 Z=023 R=23 S= ", 0);
  check_outcome(&s, METHOD_CGR_DUAL, ROUND_UNSAFE, 2, 6, NULL, 0);
  outcome o = run_method(&s, METHOD_FBAR, 100, 0, false);
  CHECK(strstr(text_string(&o.heard), "Ref=023 ") && strstr(text_string(&o.heard), "Ref=03 "), "%s",
        text_string(&o.heard));
  text_clear(&o.heard);
  VECTOR_FREE(s.family);
}

/* ---- random systems ---- */

static finite_system random_system(random_source *random, size_t low, size_t high) {
  finite_system s = {.states = low + random_below(random, high - low + 1)};
  size_t n = s.states, density = 1 + random_below(random, 3);
  bool total = random_below(random, 2);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < density; k++)
      if (total || random_below(random, 3)) s.after[i] |= bit(random_below(random, n));
  }
  for (size_t i = 0; i < n; i++) {
    uint64_t what = random_below(random, n < 4 ? 3 : 5);
    if (what == 0) s.first |= bit(i);
    if (what == 1) s.last |= bit(i);
  }
  add_ends(&s, true, random_below(random, 2));
  size_t sets = random_below(random, 5);
  for (size_t k = 0; k < sets; k++) VECTOR_PUSH(s.family, random_next(random) & all_of(&s));
  return s;
}

typedef struct tally {
  unsigned runs, unsafe, fbar_less, fbar_more;
  uint64_t refinements[4], fixpoints[4];
} tally;

static const char *compare(const finite_system *s, tally *t) {
  outcome o[4];
  bool unsafe = is_unsafe(s);
  bool has_init = false; /* FBAR_SYM needs the initial states in the domain */
  for (size_t i = 0; i < s->family.count; i++) has_init |= s->family.at[i] == s->first;
  const char *wrong = NULL;
  for (int how = METHOD_CGR; how <= METHOD_FBAR_SYM; how++) {
    if (how == METHOD_FBAR_SYM && !has_init) continue;
    o[how] = run_method(s, (method)how, 1000, 0, true);
    if (o[how].broken) wrong = o[how].broken;
    if (o[how].end != (unsafe ? ROUND_UNSAFE : ROUND_SAFE)) wrong = "the verdict";
    if (o[how].end == ROUND_SAFE && !is_invariant(s, o[how].invariant)) wrong = "the invariant";
    t->refinements[how] += o[how].refinements;
    t->fixpoints[how] += o[how].fixpoints;
  }
  if (!o[METHOD_CGR].refinements && o[METHOD_FBAR].refinements) wrong = "Theorem 6.5";
  if (unsafe && o[METHOD_FBAR].refinements > shortest(s)) wrong = "no more refinements than steps";
  t->runs++;
  t->unsafe += unsafe;
  t->fbar_less += o[METHOD_FBAR].refinements < o[METHOD_CGR].refinements;
  t->fbar_more += o[METHOD_FBAR].refinements > o[METHOD_CGR].refinements;
  return wrong;
}

static void compare_many(unsigned rounds, uint64_t seed, size_t low, size_t high) {
  tally t = {0};
  unsigned wrong = 0;
  for (unsigned i = 0; i < rounds && wrong < 3; i++) {
    random_source random = {random_first_seed(seed) + i};
    finite_system s = random_system(&random, low, high);
    const char *what = compare(&s, &t);
    CHECK(!what, "seed %llu: %s", (unsigned long long)(random_first_seed(seed) + i), what);
    wrong += what != NULL;
    VECTOR_FREE(s.family);
  }
  printf("# %u systems, %u unsafe; refinements cgr %llu, dual %llu, fbar %llu; fbar less %u, more %u\n", t.runs,
         t.unsafe, (unsigned long long)t.refinements[METHOD_CGR], (unsigned long long)t.refinements[METHOD_CGR_DUAL],
         (unsigned long long)t.refinements[METHOD_FBAR], t.fbar_less, t.fbar_more);
  CHECK(t.unsafe > t.runs / 10 && t.unsafe < t.runs - t.runs / 10);
  CHECK(rounds < 1000 || t.refinements[METHOD_FBAR] < t.refinements[METHOD_CGR]);
}

TEST(random_small_systems) { compare_many(random_rounds(20000), 1, 2, 10); }
TEST(random_larger_systems) { compare_many(random_rounds(400), 100001, 20, 40); }

/* Refining also by what cannot reach the bad states in n steps never makes fbar refine more
 * often. */
TEST(exact_steps_back_besides) {
  unsigned rounds = random_rounds(2000);
  uint64_t without = 0, with = 0;
  for (unsigned i = 0; i < rounds; i++) {
    random_source random = {300000 + i};
    finite_system s = random_system(&random, 4, 16);
    for (int how = METHOD_CGR; how <= METHOD_FBAR; how++) {
      outcome o = run_method(&s, (method)how, 1000, 0, true), w = run_with(&s, (method)how, 1000, 0, true, true);
      CHECK(!w.broken, "seed %u: %s", 300000 + i, w.broken);
      CHECK(w.end == (is_unsafe(&s) ? ROUND_UNSAFE : ROUND_SAFE) &&
                (w.end != ROUND_SAFE || is_invariant(&s, w.invariant)),
            "seed %u: %d", 300000 + i, (int)w.end);
      CHECK(how != METHOD_FBAR || w.refinements <= o.refinements, "seed %u: %llu, not %llu", 300000 + i,
            (unsigned long long)w.refinements, (unsigned long long)o.refinements);
      without += o.refinements;
      with += w.refinements;
    }
    VECTOR_FREE(s.family);
  }
  printf("# refinements without %llu, with %llu\n", (unsigned long long)without, (unsigned long long)with);
}

/* The order and the approximations against the definition: mu(S) is the intersection of all sets of the closed family
 * around S. */
TEST(refining_is_closing_under_union_and_intersection) {
  unsigned rounds = random_rounds(2000);
  for (unsigned round = 0; round < rounds; round++) {
    random_source random = {700000 + round};
    finite_system s = {.states = 1 + random_below(&random, 6)};
    size_t sets = random_below(&random, 5);
    for (size_t k = 0; k < sets; k++) VECTOR_PUSH(s.family, random_next(&random) & all_of(&s));
    bool member[64] = {[0] = true};
    member[all_of(&s)] = true;
    for (size_t k = 0; k < sets; k++) member[s.family.at[k]] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (word a = 0; a <= all_of(&s); a++)
        for (word b = 0; b < a && member[a]; b++)
          if (member[b] && (!member[a & b] || !member[a | b])) member[a & b] = member[a | b] = changed = true;
    }
    run r;
    run_open(&r, &s);
    size_t n = partition_count(r.p);
    for (word blocks = 0; blocks < bit(n); blocks++) {
      bits over = bits_new(n), under = bits_new(n);
      for (size_t b = 0; b < n; b++)
        if (blocks & bit(b)) bits_add(&over, b), bits_add(&under, b);
      word x = word_of(&r, &over), least = all_of(&s), greatest = 0;
      for (word a = 0; a <= all_of(&s); a++) {
        if (member[a] && within(x, a)) least &= a;
        if (member[a] && within(a, x)) greatest |= a;
      }
      partition_over(r.p, &over);
      partition_under(r.p, &under);
      CHECK(word_of(&r, &over) == least && word_of(&r, &under) == greatest, "round %u", round);
      bits_free(&over);
      bits_free(&under);
    }
    run_close(&r);
    VECTOR_FREE(s.family);
  }
}

TEST_MAIN
