/* The invariant of the table of terms (term.h), checked from scratch. */
#include "base/instruments/check.h"
#include "term/table.h"

static const term *arguments_of(const terms *ts, const term_node *n) { return ts->arguments.at + n->start; }

static const char *check_sum(const terms *ts, const term_node *n) {
  const term *leaves = arguments_of(ts, n);
  if ((size_t)n->extra + n->count >= ts->numbers.count) return "a sum has all its numbers";
  for (size_t i = 0; i < n->count; i++) {
    if (number_is(ts->numbers.at[n->extra + 1 + i], 0)) return "no coefficient of a sum is 0";
    if (i && leaves[i - 1].x >= leaves[i].x) return "leaves of a sum are sorted, none twice";
    if (ts->nodes.at[term_index(leaves[i])].kind <= TERM_BOOL_ITE) return "leaves of a sum are numbers";
  }
  return NULL;
}

static const char *check_atom(const terms *ts, const term_node *n) {
  term sum = arguments_of(ts, n)[0];
  linear l = term_linear(ts, sum);
  if (!l.count) return "an atom is not constant";
  if (n->is_real != ts->nodes.at[term_index(sum)].is_real) return "an atom is real if its sum is";
  if (n->is_real) {
    for (size_t i = 0; i < l.count; i++)
      if (!number_is_integer(l.coefficients[i])) return "the numbers of an atom are integers";
    if (!number_is_integer(l.constant)) return "the numbers of an atom are integers";
    if (n->kind == TERM_LE) return NULL;
  }
  return number_sign(l.coefficients[0]) > 0 ? NULL : "the first coefficient of an atom is positive";
}

static const char *check_and(const terms *ts, const term_node *n) {
  const term *parts = arguments_of(ts, n);
  if (n->count < 2) return "a conjunction has two or more arguments";
  for (size_t i = 1; i < n->count; i++)
    if (term_index(parts[i - 1]) >= term_index(parts[i])) return "arguments of a conjunction are sorted, none twice";
  return NULL;
}

static const char *check_node(const terms *ts, uint32_t index) {
  const term_node *n = &ts->nodes.at[index];
  if ((size_t)n->start + n->count > ts->arguments.count) return "a term has all its arguments";
  for (size_t i = 0; i < n->count; i++)
    if (term_index(arguments_of(ts, n)[i]) >= index) return "arguments come before the terms built from them";
  switch (n->kind) {
    case TERM_SUM: return check_sum(ts, n);
    case TERM_LE:
    case TERM_EQ: return check_atom(ts, n);
    case TERM_AND: return check_and(ts, n);
    case TERM_IFF:
      return term_is_negated(arguments_of(ts, n)[0]) || term_is_negated(arguments_of(ts, n)[1])
                 ? "both sides of an equivalence are positive"
                 : NULL;
    case TERM_ARRAY_SAME:
      return arguments_of(ts, n)[0].x < arguments_of(ts, n)[1].x ? NULL : "sides of an equality of arrays are sorted";
    case TERM_BOOL_ITE:
    case TERM_ARRAY_ITE:
    case TERM_INT_ITE: return term_is_negated(arguments_of(ts, n)[0]) ? "conditions are positive" : NULL;
    default: return NULL;
  }
}

static uint32_t hash_of_node(const terms *ts, uint32_t index) {
  const term_node *n = &ts->nodes.at[index];
  bool is_sum = n->kind == TERM_SUM;
  return terms_hash(&(node_key){.kind = (term_kind)n->kind,
                                .variable = is_sum ? 0 : n->extra,
                                .count = n->count,
                                .arguments = arguments_of(ts, n),
                                .numbers = is_sum ? ts->numbers.at + n->extra : NULL});
}

/* Every term but `true` has one place, which the search from its hash comes to. */
static const char *check_places(const terms *ts) {
  size_t used = 0, mask = ts->table_size - 1;
  for (size_t i = 0; i < ts->table_size; i++) {
    const table_slot *s = &ts->table[i];
    if (!s->index) continue;
    used++;
    if (s->index >= ts->nodes.count) return "the table names only terms that are there";
    if (s->hash != hash_of_node(ts, s->index)) return "terms stand in the table with their hashes";
    for (size_t at = s->hash & mask; at != i; at = (at + 1) & mask)
      if (!ts->table[at].index) return "every term is found where its hash leads to";
  }
  return used == ts->nodes.count - 1 ? NULL : "every term is in the table once";
}

static const char *check_variables(const terms *ts) {
  for (uint32_t v = 0; v < ts->variables.count; v++) {
    const variable_entry *e = &ts->variables.at[v];
    uint64_t found;
    if (!names_get(ts->by_name, e->name, &found) || found != v) return "a variable is found by its name";
    if (e->next != NO_VARIABLE && e->next >= ts->variables.count) return "the next of a variable is one";
    if (e->term.x && ts->nodes.at[term_index(e->term)].extra != v) return "the term of a variable is of that variable";
  }
  return NULL;
}

const char *terms_check(const terms *ts) {
  const char *broken = NULL;
  for (uint32_t i = 1; i < ts->nodes.count && !broken; i++) broken = check_node(ts, i);
  if (!broken) broken = check_places(ts);
  return broken ? broken : check_variables(ts);
}
