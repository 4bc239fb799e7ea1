/* Union-find over the variables. What carries an old stamp counts as never seen, so that starting again costs nothing.
 */
#include "solver/relevance.h"

typedef struct group {
  uint32_t parent, stamp;
  uint32_t wanted; /* the stamp of the question that is about it */
} group;

struct relevance {
  VECTOR(group) groups; /* by variable number */
  uint32_t stamp, question;
};

relevance *relevance_new(void) {
  relevance *r = MEMORY_NEW(relevance);
  relevance_reset(r);
  return r;
}

void relevance_free(relevance *r) {
  if (!r) return;
  VECTOR_FREE(r->groups);
  memory_free(r);
}

void relevance_reset(relevance *r) {
  relevance_forget_question(r);
  if (++r->stamp) return;
  VECTOR_CLEAR(r->groups);
  r->stamp = 1;
}

void relevance_forget_question(relevance *r) {
  if (++r->question) return;
  for (size_t i = 0; i < r->groups.count; i++) r->groups.at[i].wanted = 0;
  r->question = 1;
}

static uint32_t group_of(relevance *r, variable v) {
  while (r->groups.count <= v.x) VECTOR_PUSH(r->groups, (group){0});
  group *all = r->groups.at;
  if (all[v.x].stamp != r->stamp) all[v.x] = (group){.parent = v.x, .stamp = r->stamp};
  uint32_t g = v.x;
  while (all[g].parent != g) g = all[g].parent = all[all[g].parent].parent;
  return g;
}

void relevance_connect(relevance *r, const shape *literal) {
  for (size_t i = 1; i < literal->variable_count; i++) {
    uint32_t a = group_of(r, literal->variables[i - 1]), b = group_of(r, literal->variables[i]);
    r->groups.at[a].parent = b;
  }
}

void relevance_ask(relevance *r, const shape *literal) {
  for (size_t i = 0; i < literal->variable_count; i++) {
    uint32_t g = group_of(r, literal->variables[i]);
    r->groups.at[g].wanted = r->question;
  }
}

bool relevance_has(relevance *r, const shape *literal) {
  if (!literal->variable_count) return true;
  uint32_t g = group_of(r, literal->variables[0]);
  return r->groups.at[g].wanted == r->question;
}
