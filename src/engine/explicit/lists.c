/* The claim at the end of a search of all states of up to a number of nodes. */
#include "engine/explicit/lists.h"

enum { MOST_STATES_OF_EVIDENCE = 50000 };

/* A state as a part: its values, and its heap as a graph of single nodes. */
static void add_part(const model *m, const variable_vector *nodes, const int64_t *words, evidence *e) {
  invariant_part part = {.formula = TERM_TRUE, .graph = MEMORY_NEW(heap_graph)};
  list_search_graph(m, nodes, words, part.graph);
  VECTOR_PUSH(e->parts, part);
  for (size_t i = 0; i < m->variables.count; i++)
    if (variable_type(m->terms, m->variables.at[i].var)->sort != SORT_NODE)
      VECTOR_PUSH(VECTOR_LAST(e->parts).fixed, (fixed_value){m->variables.at[i].var, number_of(words[i])});
}

static void claim_safe(const list_search *l, const model *m, claim *out) {
  variable_vector nodes = {0};
  const char *why = heap_variables(m, &nodes);
  if (!why && list_search_count(l) > MOST_STATES_OF_EVIDENCE) why = "more states than can be listed as evidence";
  if (why) {
    claim_give_up(out, why);
    VECTOR_FREE(nodes);
    return;
  }
  int64_t *words = MEMORY_ARRAY(int64_t, list_search_width(l) + 1);
  out->evidence.kind = EVIDENCE_HEAP;
  for (uint64_t i = 0; i < list_search_count(l); i++) {
    list_search_state(l, i, words);
    add_part(m, &nodes, words, &out->evidence);
  }
  out->verdict = VERDICT_SAFE;
  memory_free(words);
  VECTOR_FREE(nodes);
}

void lists_claim(list_search *l, const model *m, claim *out) {
  const char *spent = list_search_spent(l), *gap = list_search_gap(l);
  if (list_search_is_violated(l))
    list_search_claim_violation(l, out);
  else if (spent || gap)
    claim_give_up(out, spent ? spent : gap);
  else
    claim_safe(l, m, out);
}
