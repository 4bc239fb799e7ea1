/* The only file that sees BuDDy. The error hook raises a flag that nothing lowers; `keep` is passed by every result.
 *
 * After an error BuDDy goes on with the operation to its end, with wrong results, and that can take for ever: so an
 * operation under way is left by a jump, from the hook for errors or that for collections of garbage. The table is
 * whole at both, and nothing is asked of it any more but to be freed. */
#include "set/obdd.h"

#include <bdd.h>
#include <setjmp.h>
#include <string.h>

#include "base/instruments/check.h"
#include "base/map.h"
#include "base/vector.h"
#include "base/work.h"

enum { FIRST_NODES = 1 << 16, FIRST_CACHE = 1 << 14, CACHE_RATIO = 8, GROWTH = 1 << 20 };

struct renaming {
  bddPair *pair;
};

struct obdds {
  size_t variables;
  VECTOR(int) kept; /* one reference each */
  VECTOR(renaming *) renamings;
};

static bool alive;
static const char *trouble;
static budget *watched;
static long produced; /* nodes, before the last operation */
static jmp_buf left;  /* out of the operation under way */
static bool under_way;

static void note_trouble(const char *why) {
  if (!trouble) trouble = why;
  if (trouble && under_way) longjmp(left, 1);
}

static void on_error(int code) {
  note_trouble(code == BDD_NODENUM  ? "the decision diagrams reached their limit of nodes"
               : code == BDD_MEMORY ? "no memory left for the decision diagrams"
                                    : "the library of decision diagrams failed");
}

/* By the nodes that were made: with those that were found again, one takes about a microsecond. */
static void count_work(void) {
  bddStat s;
  bdd_stats(&s);
  work_add(1 + (uint64_t)(s.produced > produced ? s.produced - produced : 0));
  produced = s.produced;
}

static bool is_spent(void) {
  count_work();
  if (watched && !trouble) trouble = budget_spent(watched);
  return trouble != NULL;
}

/* Collections are rare: a poll that reads the clock only now and then would not see it. */
static void on_collection(int before, bddGbcStat *statistics) {
  (void)statistics;
  if (before) return;
  count_work();
  note_trouble(budget_spent_now(watched));
}

void obdds_watch(obdds *d, budget *b) {
  (void)d;
  watched = b;
  bdd_gbc_hook(on_collection);
}

/* BuDDy's stack of nodes that an operation still needs, two a variable and a few more. Each bdd_setvarnum allocates a new one and leaves it
 * uninitialised, and operations make an entry theirs before they have its value (PUSHREF(f(..)) in its kernel.h): a collection in
 * between marks whatever stands there. Cleared, it is a leaf. */
extern int *bddrefstack;

static void set_variables(size_t count) {
  bdd_setvarnum((int)count);
  if (!trouble) memset(bddrefstack, 0, 2 * count * sizeof *bddrefstack);
}

/* A larger table, as BuDDy itself makes it if a collection does not free enough; negative if the limit is reached. */
extern int bdd_noderesize(int rehash);

/* The first node of a new variable is such an entry: there must be room for it without a collection. Here nothing is
 * under way, and a collection does no harm. */
static bool has_free_node(void) {
  if (bdd_getnodenum() < bdd_getallocnum()) return true;
  bdd_gbc();
  return bdd_getnodenum() < bdd_getallocnum() || bdd_noderesize(1) >= 0;
}

obdds *obdds_new(size_t variables, size_t node_limit) {
  REQUIRE(!alive, "one table of diagrams at a time");
  obdds *d = MEMORY_NEW(obdds);
  alive = true;
  trouble = NULL;
  watched = NULL;
  d->variables = variables;
  bdd_init(FIRST_NODES, FIRST_CACHE);
  bdd_error_hook(on_error); /* bdd_init puts back the handler that aborts */
  bdd_gbc_hook(NULL);
  bdd_setcacheratio(CACHE_RATIO);
  bdd_setmaxincrease(GROWTH);
  bdd_setmaxnodenum((int)(node_limit < FIRST_NODES ? 2 * FIRST_NODES : node_limit));
  set_variables(variables ? variables : 1); /* without one, bdd_done frees what the last table left */
  return d;
}

void obdds_free(obdds *d) {
  if (!d) return;
  for (size_t i = 0; i < d->renamings.count; i++) {
    bdd_freepair(d->renamings.at[i]->pair);
    memory_free(d->renamings.at[i]);
  }
  VECTOR_FREE(d->renamings);
  VECTOR_FREE(d->kept);
  memory_free(d);
  bdd_done();
  alive = false;
}

size_t obdds_extend(obdds *d, size_t count) {
  size_t first = d->variables;
  d->variables += count;
  if (!count) return first;
  if (has_free_node())
    set_variables(d->variables);
  else
    note_trouble("the decision diagrams reached their limit of nodes");
  return first;
}

size_t obdds_variables(const obdds *d) { return d->variables; }

const char *obdds_trouble(const obdds *d) {
  (void)d;
  return trouble;
}

static obdd keep(obdds *d, BDD node) {
  if (node > 1) {
    bdd_addref(node);
    VECTOR_PUSH(d->kept, node);
  }
  CHECKED_AT_TIMES(4 * d->kept.count, obdds_check(d));
  return (obdd){node};
}

/* Is it deeper than `variable`, or a leaf? */
static bool is_below(BDD node, int variable) { return node == 0 || node == 1 || bdd_var(node) > variable; }

/* BuDDy reports by the error hook that a number is no node's. */
static const char *check_kept(BDD node) {
  if (node <= 1) return "leaves need not be kept";
  int variable = bdd_var(node);
  if (trouble) return "what is kept are nodes of the table";
  BDD low = bdd_low(node), high = bdd_high(node);
  if (low == high) return "the branches of a node are different";
  return is_below(low, variable) && is_below(high, variable) && !trouble
             ? NULL
             : "variables come in their order on every path";
}

const char *obdds_check(const obdds *d) {
  const char *broken = NULL;
  if (trouble) return NULL;
  if ((size_t)bdd_varnum() < d->variables) return "the table has all variables";
  for (size_t i = 0; i < d->kept.count && !broken; i++) broken = check_kept(d->kept.at[i]);
  for (size_t i = 0; i < d->renamings.count && !broken; i++)
    if (!d->renamings.at[i] || !d->renamings.at[i]->pair) broken = "renamings are there";
  if (broken) trouble = NULL;
  return broken;
}

size_t obdds_mark(const obdds *d) { return d->kept.count; }

void obdds_release(obdds *d, size_t mark, size_t count, const obdd *kept) {
  assert(mark <= d->kept.count);
  for (size_t i = 0; i < count; i++)
    if (kept[i].node > 1) bdd_addref(kept[i].node);
  while (d->kept.count > mark) bdd_delref(VECTOR_POP(d->kept));
  for (size_t i = 0; i < count; i++)
    if (kept[i].node > 1) VECTOR_PUSH(d->kept, kept[i].node);
  CHECKED_AT_TIMES(4 * d->kept.count, obdds_check(d));
}

obdd obdd_variable(obdds *d, size_t variable) {
  assert(variable < d->variables);
  return keep(d, bdd_ithvar((int)variable));
}

/* The rest of a function that gives what BuDDy makes of CALL, or the empty set in trouble. */
#define GIVE_RESULT_OF(CALL)         \
  if (is_spent()) return OBDD_FALSE; \
  under_way = true;                  \
  if (setjmp(left)) {                \
    under_way = false;               \
    return OBDD_FALSE;               \
  }                                  \
  BDD made = CALL;                   \
  under_way = false;                 \
  return keep(d, made)

obdd obdd_not(obdds *d, obdd f) { GIVE_RESULT_OF(bdd_not(f.node)); }
obdd obdd_and(obdds *d, obdd f, obdd g) { GIVE_RESULT_OF(bdd_apply(f.node, g.node, bddop_and)); }
obdd obdd_or(obdds *d, obdd f, obdd g) { GIVE_RESULT_OF(bdd_apply(f.node, g.node, bddop_or)); }
obdd obdd_iff(obdds *d, obdd f, obdd g) { GIVE_RESULT_OF(bdd_apply(f.node, g.node, bddop_biimp)); }
obdd obdd_minus(obdds *d, obdd f, obdd g) { GIVE_RESULT_OF(bdd_apply(f.node, g.node, bddop_diff)); }
obdd obdd_ite(obdds *d, obdd c, obdd f, obdd g) { GIVE_RESULT_OF(bdd_ite(c.node, f.node, g.node)); }
obdd obdd_exists(obdds *d, obdd f, obdd cube) { GIVE_RESULT_OF(bdd_exist(f.node, cube.node)); }
obdd obdd_rename(obdds *d, obdd f, const renaming *r) { GIVE_RESULT_OF(bdd_replace(f.node, r->pair)); }

obdd obdd_join(obdds *d, obdd f, obdd g, obdd cube) { GIVE_RESULT_OF(bdd_appex(f.node, g.node, bddop_and, cube.node)); }

obdd obdd_restrict(obdds *d, obdd f, size_t variable, bool value) {
  assert(variable < d->variables);
  BDD literal = value ? bdd_ithvar((int)variable) : bdd_nithvar((int)variable);
  GIVE_RESULT_OF(bdd_restrict(f.node, literal));
}

/* From the last on, so that each conjunction is one node. */
obdd obdd_cube(obdds *d, size_t count, const uint32_t *variables) {
  obdd cube = OBDD_TRUE;
  for (size_t i = count; i-- > 0;) cube = obdd_and(d, obdd_variable(d, variables[i]), cube);
  return cube;
}

renaming *obdds_renaming(obdds *d, size_t count, const uint32_t *from, const uint32_t *to) {
  renaming *r = MEMORY_NEW(renaming);
  r->pair = bdd_newpair();
  for (size_t i = 0; i < count; i++) bdd_setpair(r->pair, (int)from[i], (int)to[i]);
  VECTOR_PUSH(d->renamings, r);
  return r;
}

answer obdd_is_empty(const obdds *d, obdd f) {
  const char *reason = obdds_trouble(d);
  if (reason) return answer_unsure(reason);
  return f.node == 0 ? answer_yes() : answer_no();
}

size_t obdd_first_variable(const obdds *d, obdd f) {
  (void)d;
  return f.node > 1 ? (size_t)bdd_var(f.node) : SIZE_MAX;
}

obdd obdd_branch(const obdds *d, obdd f, size_t variable, bool value) {
  if (obdd_first_variable(d, f) != variable) return f;
  return (obdd){value ? bdd_high(f.node) : bdd_low(f.node)};
}

size_t obdd_nodes(const obdds *d, obdd f) {
  (void)d;
  return f.node > 1 ? (size_t)bdd_nodecount(f.node) : 0;
}

/* Assignments to the variables from position `from` on; the depth of the recursion is that of the diagram. BuDDy's own
 * count was wrong once variables had been added. */
typedef struct counting {
  const uint32_t *position; /* variable -> place in the list */
  size_t count;
  map *known; /* node -> place in `values` */
  VECTOR(double) values;
} counting;

static double power_of_two(size_t n) {
  double result = 1;
  while (n-- > 0) result *= 2;
  return result;
}

static double count_below(counting *c, BDD node, size_t from) {
  if (node == 0) return 0;
  size_t at = node == 1 ? c->count : c->position[bdd_var(node)];
  uint64_t place;
  double below = 1;
  if (node > 1 && map_get(c->known, (uint64_t)node, &place)) {
    below = c->values.at[place];
  } else if (node > 1) {
    below = count_below(c, bdd_low(node), at + 1) + count_below(c, bdd_high(node), at + 1);
    map_set(c->known, (uint64_t)node, c->values.count);
    VECTOR_PUSH(c->values, below);
  }
  return below * power_of_two(at - from);
}

double obdd_count(const obdds *d, obdd f, size_t count, const uint32_t *variables) {
  uint32_t *position = MEMORY_ARRAY(uint32_t, d->variables + 1);
  for (size_t i = 0; i < count; i++) position[variables[i]] = (uint32_t)i;
  counting c = {.position = position, .count = count, .known = map_new()};
  double result = count_below(&c, f.node, 0);
  map_free(c.known);
  VECTOR_FREE(c.values);
  memory_free(position);
  return result;
}

bool obdd_pick(obdds *d, obdd f, size_t count, const uint32_t *variables, bool *values) {
  size_t mark = obdds_mark(d);
  if (f.node == 0) return false;
  for (size_t i = 0; i < count; i++) {
    obdd low = obdd_restrict(d, f, variables[i], false);
    values[i] = low.node == 0;
    f = values[i] ? obdd_restrict(d, f, variables[i], true) : low;
  }
  obdds_release(d, mark, 0, NULL);
  return trouble == NULL && f.node != 0;
}

bool obdd_holds(const obdds *d, obdd f, const bool *values) {
  (void)d;
  while (f.node > 1) f.node = values[bdd_var(f.node)] ? bdd_high(f.node) : bdd_low(f.node);
  return f.node == 1;
}

typedef struct visiting {
  size_t count;
  const uint32_t *variables;
  bool *values;
  obdd_visitor *visit;
  void *context;
} visiting;

/* Depth: the number of variables. */
static void visit_below(const visiting *v, BDD node, size_t place) {
  if (node == 0) return;
  if (place == v->count) {
    v->visit(v->context, v->values);
    return;
  }
  bool tests = node > 1 && (uint32_t)bdd_var(node) == v->variables[place];
  for (int value = 0; value < 2; value++) {
    v->values[place] = value;
    visit_below(v, !tests ? node : value ? bdd_high(node) : bdd_low(node), place + 1);
  }
}

void obdd_each(obdds *d, obdd f, size_t count, const uint32_t *variables, obdd_visitor *visit, void *context) {
  (void)d;
  visiting v = {count, variables, MEMORY_ARRAY(bool, count + 1), visit, context};
  visit_below(&v, f.node, 0);
  memory_free(v.values);
}
