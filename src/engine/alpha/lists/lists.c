/* The iterations: search, cover, refine. */
#include "engine/alpha/lists/lists.h"

#include "base/escape.h"
#include "base/instruments/log.h"
#include "engine/alpha/lists/cover.h"
#include "engine/lists/heap_graphs.h"
#include "term/bounds.h"
#include "term/print.h"

/* States of more nodes are not searched; with few node tests, fewer tell all that can be told. */
enum { FEWEST_NODES = 20, STATES_A_TURN = 1000 };

/* ---- predicates ---- */

/* Of a formula those atoms that are about numbers of the state, and not about kept variables alone. */
static bool add_atoms(alpha_lists *l, term formula) {
  term_vector atoms = {0};
  bool any = false;
  term_atoms(l->ts, term_lift_ite(l->ts, formula), &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    variable_vector all = {0};
    bool fits = true, has_data = false;
    term_variables(l->ts, 1, &atoms.at[i], &all);
    for (size_t j = 0; j < all.count; j++) {
      size_t at = model_position(l->m, all.at[j]);
      fits &= at != SIZE_MAX && variable_type(l->ts, all.at[j])->sort != SORT_NODE;
      has_data |= at != SIZE_MAX && !l->kept.is_kept.at[at];
    }
    if (fits && has_data) any |= predicates_add(l->predicates, atoms.at[i], 0);
    VECTOR_FREE(all);
  }
  VECTOR_FREE(atoms);
  return any;
}

static void first_predicates(alpha_lists *l) {
  for (size_t i = 0; i < l->m->transitions.count; i++) {
    const transition *t = &l->m->transitions.at[i];
    add_atoms(l, t->guard);
    if (l->property->kind == PROPERTY_NO_FAULT) add_atoms(l, transition_fault(l->m, t));
  }
  for (size_t i = 0; i < l->m->predicates.count; i++) add_atoms(l, l->m->predicates.at[i]);
  if (l->property->kind == PROPERTY_SAFE) add_atoms(l, l->property->bad);
}

/* ---- matching ---- */

static uint64_t hash_of_graph(const heap_graph *g) {
  uint64_t hash = g->count;
  for (size_t i = 0; i < g->variables; i++) hash = hash_mix(hash ^ g->at[i]);
  for (size_t n = 1; n <= g->count; n++) {
    hash = hash_mix(hash ^ g->nodes[n].data);
    for (size_t f = 0; f < g->fields; f++) hash = hash_mix(hash ^ g->nodes[n].next[f]);
  }
  return hash;
}

static bool is_same_node(const heap_node *a, const heap_node *b) {
  return !memcmp(a->next, b->next, sizeof a->next) && a->data == b->data && a->reached == b->reached &&
         a->back == b->back && a->shared == b->shared && a->is_summary == b->is_summary;
}

static bool is_same_graph(const heap_graph *a, const heap_graph *b) {
  bool same = a->count == b->count && !memcmp(a->at, b->at, a->variables);
  for (size_t n = 1; n <= a->count && same; n++) same = is_same_node(&a->nodes[n], &b->nodes[n]);
  return same;
}

static uint64_t number_of_graph(alpha_lists *l, const heap_graph *g) {
  uint64_t hash = hash_of_graph(g), first = 0;
  map_get(l->graph_index, hash, &first);
  for (uint64_t at = first; at; at = l->same_hash.at[at - 1])
    if (is_same_graph(&l->graphs.at[at - 1], g)) return at - 1;
  VECTOR_PUSH(l->graphs, *g);
  VECTOR_PUSH(l->same_hash, (uint32_t)first);
  map_set(l->graph_index, hash, l->graphs.count);
  return l->graphs.count - 1;
}

void alpha_lists_graph(const alpha_lists *l, const int64_t *words, heap_graph *g) {
  list_search_graph(l->m, &l->nodes, words, g);
  heap_settle(g);
  if (l->m->frees) heap_note_reach(g);
}

static bool find_key(void *context, const int64_t *words, uint64_t *key) {
  alpha_lists *l = context;
  uint64_t *bits = key + l->kept.packing->words, *shape = bits + predicates_words(l->predicates);
  uint64_t *mask = shape + 1; /* room that is not part of the key */
  heap_graph g;
  kept_pack(&l->kept, words, key);
  predicates_active(l->predicates, words, mask);
  if (!predicates_evaluate(l->predicates, words, mask, bits)) return false;
  alpha_lists_graph(l, words, &g);
  node_tests_abstract(&l->tests, &g);
  *shape = number_of_graph(l, &g);
  return true;
}

static void begin_search(alpha_lists *l) {
  size_t nodes = (size_t)l->env->options->nodes, bits = predicates_words(l->predicates);
  VECTOR_CLEAR(l->graphs);
  VECTOR_CLEAR(l->same_hash);
  map_clear(l->graph_index);
  list_search_free(l->search);
  l->search = list_search_new(l->env, nodes > FEWEST_NODES ? nodes : FEWEST_NODES, l->kept.packing->words + bits + 1,
                              bits, find_key, l);
}

/* ---- beginning and end ---- */

static const char *why_not(const engine_environment *env) {
  const options *o = env->options;
  if (property_is_temporal(&env->model->properties.at[env->property]))
    return "alpha decides properties of states of models with lists, not temporal ones";
  if (env->wants_product || env->wants_tests)
    return "states of models with lists have no quotient: alpha decides their properties only";
  if (o->account == ACCOUNT_PAPER || o->exactness == EXACTNESS_FULL)
    return "on models with lists alpha ends when what it visited is closed: leave --account paper and --exactness "
           "full out";
  if (o->lightweight) return "on models with lists alpha needs a solver: leave --lightweight out";
  return NULL;
}

alpha_lists *alpha_lists_new(engine_environment *env, const char **why) {
  alpha_lists *l = MEMORY_NEW(alpha_lists);
  l->env = env;
  l->m = env->model;
  l->ts = env->model->terms;
  l->property = &env->model->properties.at[env->property];
  *why = why_not(env);
  if (!*why) *why = heap_variables(l->m, &l->nodes);
  kept_init(&l->kept, l->m);
  l->predicates = predicates_new(l->ts, &l->kept);
  l->graph_index = map_new();
  l->solver = solver_new(l->ts, env->budget);
  if (*why) {
    alpha_lists_free(l);
    return NULL;
  }
  first_predicates(l);
  return l;
}

void alpha_lists_free(alpha_lists *l) {
  if (!l) return;
  list_search_free(l->search);
  predicates_free(l->predicates);
  kept_clear(&l->kept);
  map_free(l->graph_index);
  VECTOR_FREE(l->graphs);
  VECTOR_FREE(l->same_hash);
  VECTOR_FREE(l->nodes);
  solver_free(l->solver);
  memory_free(l);
}

/* ---- refinement ---- */

/* `formula` before the transition: its atoms, and those of the guard. */
static term before_step(const alpha_lists *l, const transition *t, term formula) {
  substitution *by = substitution_new(l->ts);
  for (size_t i = 0; i < t->updates.count; i++) substitution_set(by, t->updates.at[i].var, t->updates.at[i].value);
  term result = term_and(l->ts, substitution_apply(by, formula), transition_enabled(l->m, t));
  substitution_free(by);
  return result;
}

/* Weakest preconditions along the way to the bad state. The block at which the way begins, which was visited (NO_BLOCK:
 * it is none, but initial). */
static uint32_t go_back(alpha_lists *l, const cover *c, bool *any) {
  term formula = l->property->kind == PROPERTY_SAFE       ? l->property->bad
                 : l->property->kind == PROPERTY_NO_FAULT ? transition_fault(l->m, &l->m->transitions.at[c->bad_by])
                                                          : TERM_TRUE;
  uint32_t at = c->bad;
  for (; at != NO_BLOCK && c->blocks.at[at].seen == NO_BLOCK; at = c->blocks.at[at].from) {
    *any |= add_atoms(l, formula);
    if (c->blocks.at[at].from == NO_BLOCK) return NO_BLOCK;
    formula = before_step(l, &l->m->transitions.at[c->blocks.at[at].by], formula);
  }
  *any |= add_atoms(l, formula);
  return at;
}

static bool refine_by(alpha_lists *l, uint32_t state, int64_t *words) {
  heap_graph g;
  list_search_state(l->search, state, words);
  alpha_lists_graph(l, words, &g);
  return node_tests_refine(&l->tests, &g);
}

/* A test for the heap that was seen where the way to the bad state begins; else for any that was seen. */
static bool refine(alpha_lists *l, const cover *c) {
  bool any = false, has_test = false;
  uint32_t root = go_back(l, c, &any);
  int64_t *words = MEMORY_ARRAY(int64_t, list_search_width(l->search) + 1);
  if (root != NO_BLOCK) has_test = refine_by(l, c->blocks.at[root].seen, words);
  for (uint64_t i = 0; i < list_search_count(l->search) && !has_test; i++) has_test = refine_by(l, (uint32_t)i, words);
  memory_free(words);
  return any || has_test;
}

/* ---- iterations ---- */

static void report(alpha_lists *l, const cover *c, const node_tests *before, size_t predicates_before, double seconds) {
  text iteration = {0}, test = {0};
  json_writer w = json_object_to(&iteration);
  statistics *st = l->env->statistics;
  uint64_t abstract_states = c ? cover_count(c) : list_search_count(l->search);
  json_field_count(&w, "concrete_states", 1 + st->transitions - l->transitions_before);
  json_field_count(&w, "abstract_states", abstract_states);
  json_field_count(&w, "visited", list_search_count(l->search));
  json_field_count(&w, "queries", l->queries - st->queries);
  json_key(&w, "seconds");
  json_add_real(&w, seconds, 6);
  json_field_array(&w, "new_predicates");
  for (size_t i = predicates_before; i < predicates_count(l->predicates); i++) {
    char *printed = term_string(l->ts, predicates_at(l->predicates, i));
    json_add_string(&w, printed);
    memory_free(printed);
  }
  json_end_array(&w);
  json_field_array(&w, "new_node_tests");
  node_tests_print_last(l->ts, &l->nodes, before, &l->tests, &test);
  if (test.count) json_add_string(&w, text_string(&test));
  json_end_array(&w);
  events_iteration(l->env->events, &w);
  events_progress(l->env->events, "iteration %llu: %llu abstract states%s%s", (unsigned long long)l->iteration,
                  (unsigned long long)abstract_states, test.count ? ", next test of nodes: " : "",
                  test.count ? text_string(&test) : "");
  st->iterations = l->iteration;
  st->states = list_search_count(l->search);
  st->abstract_states = abstract_states;
  l->transitions_before = st->transitions;
  st->predicates = predicates_count(l->predicates);
  st->queries = l->queries;
  text_clear(&test);
}

static void report_predicates(alpha_lists *l) {
  for (; l->reported < predicates_count(l->predicates); l->reported++)
    events_predicate(l->env->events, l->ts, predicates_at(l->predicates, l->reported));
}

static engine_status conclude(alpha_lists *l, cover *c, claim *out) {
  if (c->stuck) return claim_give_up(out, c->stuck);
  if (c->bad == NO_BLOCK) {
    out->verdict = VERDICT_SAFE;
    cover_evidence(c, &out->evidence);
    return ENGINE_DONE;
  }
  if (!refine(l, c))
    return claim_give_up(out, "no predicate and no test of nodes tells the error from what was visited");
  return ENGINE_GOES_ON;
}

engine_status alpha_lists_step(alpha_lists *l, claim *out) {
  double start = clock_seconds();
  node_tests before = l->tests;
  size_t predicates_before = predicates_count(l->predicates);
  report_predicates(l);
  l->iteration++;
  begin_search(l);
  while (list_search_run(l->search, STATES_A_TURN)) continue;
  if (list_search_is_violated(l->search)) {
    report(l, NULL, &before, predicates_before, clock_seconds() - start);
    list_search_claim_violation(l->search, out);
    return ENGINE_DONE;
  }
  if (list_search_spent(l->search)) return claim_give_up(out, list_search_spent(l->search));
  cover *c = cover_new(l);
  cover_close(c);
  LOG(alpha, "iteration %llu: %llu visited, %zu abstract states%s", (unsigned long long)l->iteration,
      (unsigned long long)list_search_count(l->search), c->blocks.count, c->bad == NO_BLOCK ? "" : ", a bad one");
  engine_status status = conclude(l, c, out);
  report(l, c, &before, predicates_before, clock_seconds() - start);
  cover_free(c);
  return status;
}
