/* A property that is not decided in one round is begun again in a later one, which allows eight times as much work. So
 * all rounds before the last cost a seventh of it at most, none stays in memory while others work, and engines that
 * use facts have them from the start. Those that are left are in a heap, so that the next one is found at once among
 * thousands. */
#include "run/property_queue.h"

#include "run/identical/any_copies.h"
#include "run/identical/counted.h"
#include "run/portfolio.h"
#include "run/shared_facts.h"

enum { FIRST_ROUND = 400 * 1000, FACTOR = 8 }; /* in work (base/work.h), of each engine */

typedef struct item {
  size_t property;
  outcome outcome;
  unsigned rounds;   /* that it has been in */
  bool is_looked_at; /* with any number of copies */
  bool needs_copies; /* they cannot be counted */
  uint64_t limit;    /* of the next one */
  bool is_given_up;  /* all engines did; with more facts they might not */
  bool is_reported;
  double seconds; /* in all rounds */
} item;

struct property_queue {
  const run_settings *settings;
  VECTOR(item) items;
  VECTOR(size_t) left;     /* items to work on: a heap, by rounds and then by order */
  VECTOR(size_t) given_up; /* that have no use for what is known now */
  size_t first, reported;  /* all items before it are reported; how many are */
  size_t facts;            /* known when `given_up` was last looked at */
};

/* ---- the heap ---- */

static bool comes_before(const property_queue *q, size_t a, size_t b) {
  unsigned ra = q->items.at[a].rounds, rb = q->items.at[b].rounds;
  return ra != rb ? ra < rb : a < b;
}

static void swap(property_queue *q, size_t i, size_t j) {
  size_t kept = q->left.at[i];
  q->left.at[i] = q->left.at[j];
  q->left.at[j] = kept;
}

static void put(property_queue *q, size_t which) {
  VECTOR_PUSH(q->left, which);
  for (size_t i = q->left.count - 1; i && comes_before(q, q->left.at[i], q->left.at[(i - 1) / 2]); i = (i - 1) / 2)
    swap(q, i, (i - 1) / 2);
}

static size_t take(property_queue *q) {
  size_t least = q->left.at[0];
  q->left.at[0] = q->left.at[--q->left.count];
  for (size_t i = 0;;) {
    size_t best = i;
    for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < q->left.count; child++)
      if (comes_before(q, q->left.at[child], q->left.at[best])) best = child;
    if (best == i) return least;
    swap(q, i, best);
    i = best;
  }
}

/* ---- properties ---- */

property_queue *property_queue_new(const run_settings *s, size_t count, const size_t *properties) {
  property_queue *q = MEMORY_NEW(property_queue);
  q->settings = s;
  for (size_t i = 0; i < count; i++) {
    VECTOR_PUSH(q->items, (item){.property = properties[i], .limit = FIRST_ROUND});
    put(q, i);
  }
  return q;
}

void property_queue_free(property_queue *q) {
  if (!q) return;
  for (size_t i = q->first; i < q->items.count; i++) outcome_clear(&q->items.at[i].outcome);
  VECTOR_FREE(q->items);
  VECTOR_FREE(q->left);
  VECTOR_FREE(q->given_up);
  memory_free(q);
}

static size_t facts_known(const property_queue *q) {
  return q->settings->shared_facts ? shared_facts_facts(q->settings->shared_facts)->count : 0;
}

static size_t report(property_queue *q, size_t which, outcome *out) {
  item *i = &q->items.at[which];
  *out = i->outcome;
  i->outcome = (outcome){0};
  i->is_reported = true;
  q->reported++;
  return which;
}

/* There are new facts: those that had given up may be worked on again. */
static void reconsider(property_queue *q) {
  if (facts_known(q) == q->facts) return;
  q->facts = facts_known(q);
  for (size_t i = 0; i < q->given_up.count; i++) {
    item *again = &q->items.at[q->given_up.at[i]];
    if (!again->is_reported) put(q, q->given_up.at[i]);
    again->is_given_up = false;
  }
  VECTOR_CLEAR(q->given_up);
}

/* With copies of processes together, if that can be; else one by one. */
static portfolio_end attempt(property_queue *q, item *i, size_t left, uint64_t limit) {
  const run_settings *s = q->settings;
  outcome_clear(&i->outcome);
  if (!i->is_looked_at && any_copies_run(s, i->property, left, &i->outcome)) return PORTFOLIO_DECIDED;
  i->seconds += i->outcome.seconds;
  i->is_looked_at = true;
  outcome_clear(&i->outcome);
  portfolio_end end = i->needs_copies ? PORTFOLIO_GAVE_UP : counted_run(s, i->property, left, limit, &i->outcome);
  if (end != PORTFOLIO_GAVE_UP) return end;
  i->seconds += i->outcome.seconds;
  i->needs_copies = true;
  outcome_clear(&i->outcome);
  return portfolio_run(s, i->property, left, limit, &i->outcome);
}

/* True if its outcome is final. */
static bool work_on(property_queue *q, size_t which) {
  item *i = &q->items.at[which];
  size_t left = q->left.count + 1, facts = facts_known(q);
  bool is_alone = !q->settings->shared_facts;
  portfolio_end end = attempt(q, i, left, left > 1 && !is_alone ? i->limit : 0);
  i->seconds += i->outcome.seconds;
  i->outcome.seconds = i->seconds;
  i->rounds++;
  i->limit *= FACTOR;
  reconsider(q);
  if (is_alone || end == PORTFOLIO_DECIDED || end == PORTFOLIO_OUT_OF_TIME) return true;
  if (end == PORTFOLIO_GAVE_UP && q->settings->options->work) return true; /* the limit is one for all attempts */
  i->is_given_up = end == PORTFOLIO_GAVE_UP && facts == facts_known(q);
  if (i->is_given_up)
    VECTOR_PUSH(q->given_up, which);
  else
    put(q, which);
  return false;
}

/* The first that is not reported was given up, with all that is known now: it waits no longer than for the first round
 * of the others. */
static bool first_is_ready(property_queue *q) {
  while (q->items.at[q->first].is_reported) q->first++;
  bool some_wait_for_first_round = q->left.count && q->items.at[q->left.at[0]].rounds == 0;
  return q->items.at[q->first].is_given_up && !some_wait_for_first_round;
}

size_t property_queue_next(property_queue *q, outcome *out) {
  REQUIRE(q->reported < q->items.count, "a property that is left");
  for (;;) {
    if (first_is_ready(q)) return report(q, q->first, out);
    size_t next = take(q);
    if (work_on(q, next)) return report(q, next, out);
  }
}
