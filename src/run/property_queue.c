/* A property that a pass does not decide is begun anew in a later one, which allows eight times as much work. So all
 * passes before the last cost a seventh of it at most, nobody sits in memory while others work, and engines that use
 * facts have them from the start. */
#include "run/property_queue.h"

#include "run/portfolio.h"
#include "run/shared_facts.h"
#include "run/verdict.h"

enum { FIRST_PASS = 400 * 1000, FACTOR = 8 }; /* in work (base/work.h), of each engine */

typedef struct item {
  size_t property;
  outcome outcome;
  unsigned passes; /* that it has been in */
  uint64_t limit;  /* of the next one */
  bool is_decided; /* or out of time: the outcome is the last word */
  bool gave_up;    /* all engines did; with more facts they might not */
  size_t facts;    /* that were known then */
  double seconds;  /* in all passes */
} item;

struct property_queue {
  const run_settings *settings;
  VECTOR(item) items;
  size_t next;
};

property_queue *property_queue_new(const run_settings *s, size_t count, const size_t *properties) {
  property_queue *a = MEMORY_NEW(property_queue);
  a->settings = s;
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(a->items, (item){.property = properties[i], .limit = FIRST_PASS});
  return a;
}

void property_queue_free(property_queue *a) {
  if (!a) return;
  for (size_t i = a->next; i < a->items.count; i++) outcome_free(&a->items.at[i].outcome);
  VECTOR_FREE(a->items);
  memory_free(a);
}

static size_t facts_known(const property_queue *a) { return shared_facts_facts(a->settings->shared_facts)->count; }

static bool is_left(const property_queue *a, const item *i) {
  return !i->is_decided && !(i->gave_up && i->facts == facts_known(a));
}

static size_t count_left(const property_queue *a) {
  size_t n = 0;
  for (size_t i = a->next; i < a->items.count; i++) n += is_left(a, &a->items.at[i]);
  return n;
}

/* The one that has been in the fewest passes, or NULL. */
static item *most_neglected(const property_queue *a) {
  item *least = NULL;
  for (size_t i = a->next; i < a->items.count; i++) {
    item *at = &a->items.at[i];
    if (is_left(a, at) && (!least || at->passes < least->passes)) least = at;
  }
  return least;
}

static void work_on(property_queue *a, item *i) {
  size_t left = count_left(a);
  outcome_free(&i->outcome);
  i->facts = facts_known(a);
  portfolio_end end = portfolio_run(a->settings, i->property, left, left > 1 ? i->limit : 0, &i->outcome);
  i->seconds += i->outcome.seconds;
  i->outcome.seconds = i->seconds;
  i->is_decided = end == PORTFOLIO_DECIDED || end == PORTFOLIO_OUT_OF_TIME;
  i->gave_up = end == PORTFOLIO_GAVE_UP;
  i->passes++;
  i->limit *= FACTOR;
}

/* Nobody waits longer than for the first pass of the others when all its engines have given up. */
static bool is_ready(const property_queue *a) {
  const item *first = &a->items.at[a->next], *least = most_neglected(a);
  return first->is_decided || !least || (!is_left(a, first) && least->passes > 0);
}

void property_queue_next(property_queue *a, outcome *out) {
  REQUIRE(a->next < a->items.count, "a property that is left");
  item *first = &a->items.at[a->next];
  if (!a->settings->shared_facts) {
    run_property(a->settings, first->property, a->items.count - a->next, &first->outcome);
  } else {
    while (!is_ready(a)) work_on(a, most_neglected(a));
  }
  *out = first->outcome;
  first->outcome = (outcome){0};
  a->next++;
}
