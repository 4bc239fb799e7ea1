/* Lists of facts, predicates and hints. Facts are checked in a worker, which also looks for short
 * consequences of them if asked to. */
#include "run/shared_facts.h"

#include "base/instruments/check.h"
#include "base/instruments/log.h"
#include "base/map.h"
#include "base/text.h"
#include "proof/check/check.h"
#include "proof/formulas.h"
#include "run/short_facts.h"
#include "term/print.h"

enum {
  MOST_PARTS = 32,
  LONGEST_FACT = 8000,
  LONGEST_LEMMAS = 32000,
  MOST_FACTS = 1000,
  MOST_PREDICATES = 400,
  MOST_HINTS = 8
};

struct shared_facts {
  model *model;
  const atomic_bool *stop;
  term_vector facts;
  VECTOR(const char *) provers;        /* of each fact */
  map *known_facts, *known_predicates; /* terms */
  term_vector predicates, hints;
  formula_names *names; /* of the model; NULL until something is read */
};

shared_facts *shared_facts_new(model *m, const atomic_bool *stop) {
  shared_facts *k = MEMORY_NEW(shared_facts);
  *k = (shared_facts){.model = m, .stop = stop, .known_facts = map_new(), .known_predicates = map_new()};
  return k;
}

void shared_facts_free(shared_facts *k) {
  if (!k) return;
  VECTOR_FREE(k->predicates);
  VECTOR_FREE(k->hints);
  VECTOR_FREE(k->facts);
  VECTOR_FREE(k->provers);
  map_free(k->known_facts);
  map_free(k->known_predicates);
  formula_names_free(k->names);
  memory_free(k);
}

const char *shared_facts_check(const shared_facts *k) {
  if (k->facts.count != k->provers.count || k->facts.count != map_count(k->known_facts))
    return "every fact has a prover";
  if (k->facts.count > MOST_FACTS || k->predicates.count > MOST_PREDICATES || k->hints.count > MOST_HINTS)
    return "there are no more than the limits say";
  for (size_t i = 0; i < k->facts.count; i++) {
    uint64_t number;
    if (term_is_true(k->facts.at[i])) return "no fact is true in itself";
    if (!map_get(k->known_facts, k->facts.at[i].x, &number) || number != i)
      return "facts are found under their numbers";
  }
  return k->predicates.count + k->hints.count == map_count(k->known_predicates)
             ? NULL
             : "predicates and hints are different formulas";
}

const term_vector *shared_facts_facts(const shared_facts *k) { return &k->facts; }

static bool read_formulas(shared_facts *k, const char *lines, term_vector *out) {
  if (!k->names) k->names = formula_names_of(k->model);
  return formulas_read_named(k->model, k->names, lines, out);
}

/* ---- facts ---- */

static bool is_new(const shared_facts *k, term t) { return !term_is_true(t) && !map_get(k->known_facts, t.x, NULL); }

const char *shared_facts_prover(const shared_facts *k, term t) {
  uint64_t index;
  return map_get(k->known_facts, t.x, &index) ? k->provers.at[index] : NULL;
}

static void add_conjunct(shared_facts *k, term t, const char *from, term_vector *news) {
  if (!is_new(k, t)) return;
  assert(k->facts.count < MOST_FACTS);
  map_set(k->known_facts, t.x, k->facts.count);
  VECTOR_PUSH(k->facts, t);
  VECTOR_PUSH(k->provers, from);
  if (news) VECTOR_PUSH(*news, t);
}

/* Each conjunct is one: engines take those that they can treat. */
static void add_fact(shared_facts *k, term t, const char *from, term_vector *news) {
  term_vector conjuncts = {0};
  term_conjuncts(k->model->terms, t, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++) add_conjunct(k, conjuncts.at[i], from, news);
  VECTOR_FREE(conjuncts);
  CHECKED(shared_facts_check(k));
}

static size_t count_new(const shared_facts *k, term all) {
  term_vector conjuncts = {0};
  size_t fresh = 0;
  term_conjuncts(k->model->terms, all, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++) fresh += is_new(k, conjuncts.at[i]);
  VECTOR_FREE(conjuncts);
  return fresh;
}

/* All of them or none: it is together that they are inductive. */
static bool has_room(const shared_facts *k, term all) { return k->facts.count + count_new(k, all) <= MOST_FACTS; }

typedef struct check_task {
  model *model;
  term claimed;
  bool wants_consequences;
} check_task;

static void send_consequences(worker_inside *inside, const check_task *task) {
  text lines = {0};
  term_vector found = {0};
  short_facts_of(task->model->terms, 1, &task->claimed, &inside->budget, &found);
  for (size_t i = 0; i < found.count; i++) formulas_add(task->model->terms, found.at[i], &lines);
  channel_send(inside->pipe, MESSAGE_LEMMAS, text_string(&lines), lines.count);
  VECTOR_FREE(found);
  text_clear(&lines);
}

static void check_in_worker(worker_inside *inside, void *context) {
  const check_task *task = context;
  evidence e = {.kind = EVIDENCE_INVARIANT};
  evidence_add_part(task->model->terms, &e, task->claimed);
  check_result r = check_inductive(task->model, &e, &inside->budget);
  channel_send(inside->pipe, r.kind == CHECK_ACCEPTED ? MESSAGE_ACCEPTED : MESSAGE_UNSURE, "", 0);
  if (r.kind == CHECK_ACCEPTED && task->wants_consequences) send_consequences(inside, task);
}

typedef struct check_answer {
  bool is_accepted;
  text *consequences; /* NULL if they are not asked for */
} check_answer;

static void hear_answer(void *context, const message *m) {
  check_answer *a = context;
  if (m && m->kind == MESSAGE_ACCEPTED) a->is_accepted = true;
  if (m && m->kind == MESSAGE_LEMMAS && a->consequences) text_add_bytes(a->consequences, m->bytes, m->count);
}

/* The worker may be ended while it looks for consequences: what it has said before that counts. */
static bool is_inductive(const shared_facts *k, term claimed, const worker_limits *limits, text *consequences) {
  check_task task = {k->model, claimed, consequences != NULL};
  check_answer a = {.consequences = consequences};
  worker *w = worker_start(check_in_worker, &task, limits);
  worker_attend(w, k->stop, hear_answer, &a);
  bool accepted = a.is_accepted && (consequences || worker_state(w) == WORKER_RETURNED);
  worker_free(w);
  return accepted;
}

/* As many as there is room for in addition to `all`, which come next. */
static void add_consequences(shared_facts *k, const text *lines, term all, const char *from, term_vector *news) {
  term_vector read = {0};
  if (lines->count && read_formulas(k, text_string(lines), &read))
    for (size_t i = 0; i < read.count; i++)
      if (has_room(k, term_and(k->model->terms, all, read.at[i]))) add_fact(k, read.at[i], from, news);
  VECTOR_FREE(read);
}

learned shared_facts_add_lemmas(shared_facts *k, term of_passes, const char *from, const char *lines,
                                const worker_limits *limits, term_vector *news) {
  terms *ts = k->model->terms;
  term_vector claimed = {0};
  text short_ones = {0};
  learned result = LEARNED_REFUSED;
  if (!k->model->has_heap && strlen(lines) <= LONGEST_LEMMAS && read_formulas(k, lines, &claimed)) {
    term all = term_and(ts, of_passes, term_and_all(ts, claimed.count, claimed.at));
    if (!count_new(k, all) || !has_room(k, all)) {
      result = LEARNED_NOTHING;
    } else if (is_inductive(k, term_and(ts, all, term_and_all(ts, k->facts.count, k->facts.at)), limits, &short_ones)) {
      add_consequences(k, &short_ones, all, from, news);
      add_fact(k, all, from, news);
      result = LEARNED_FACTS;
    }
  }
  LOG(facts, "%s offers %zu lines: %s; %zu facts are known", from, claimed.count,
      result == LEARNED_FACTS     ? "kept"
      : result == LEARNED_NOTHING ? "nothing new"
                                  : "refused",
      k->facts.count);
  VECTOR_FREE(claimed);
  text_clear(&short_ones);
  return result;
}

learned shared_facts_add_kept(shared_facts *k, const char *from, const term_vector *claimed,
                              const worker_limits *limits, term_vector *news) {
  terms *ts = k->model->terms;
  term all = term_and_all(ts, claimed->count, claimed->at);
  if (k->model->has_heap) return LEARNED_REFUSED;
  if (!count_new(k, all) || !has_room(k, all)) return LEARNED_NOTHING;
  if (!is_inductive(k, term_and(ts, all, term_and_all(ts, k->facts.count, k->facts.at)), limits, NULL))
    return LEARNED_REFUSED;
  add_fact(k, all, from, news);
  return LEARNED_FACTS;
}

bool shared_facts_has(const shared_facts *k, term t) { return !count_new(k, t); }

/* The property holds in every reachable state; is that so already because of the facts? */
static bool add_property(shared_facts *k, const property *p, const char *from, const worker_limits *limits) {
  terms *ts = k->model->terms;
  if (p->kind != PROPERTY_SAFE || k->model->has_heap) return false;
  term good = term_not(p->bad);
  if (!count_new(k, good)) return true;
  if (!has_room(k, good)) return false;
  if (!is_inductive(k, term_and(ts, good, term_and_all(ts, k->facts.count, k->facts.at)), limits, NULL)) return false;
  add_fact(k, good, from, NULL);
  return true;
}

void shared_facts_add_proof(shared_facts *k, size_t property, const char *from, const evidence *accepted,
                            const worker_limits *limits) {
  if (add_property(k, &k->model->properties.at[property], from, limits)) return;
  if (accepted->kind != EVIDENCE_INVARIANT || accepted->parts.count > MOST_PARTS) return;
  term whole = evidence_formula(k->model->terms, accepted);
  char *shown = term_string(k->model->terms, whole);
  if (strlen(shown) <= LONGEST_FACT && has_room(k, whole)) add_fact(k, whole, from, NULL);
  memory_free(shown);
}

void shared_facts_print_facts(const shared_facts *k, text *out) {
  for (size_t i = 0; i < k->facts.count; i++) {
    term_print(k->model->terms, k->facts.at[i], out);
    text_add_char(out, '\n');
  }
}

/* ---- predicates ---- */

/* One formula that was not there before. */
static bool is_another(shared_facts *k, const char *line, term *out) {
  term_vector read = {0};
  bool fresh =
      read_formulas(k, line, &read) && read.count == 1 && !map_get(k->known_predicates, term_index(read.at[0]), NULL);
  if (fresh) {
    *out = read.at[0];
    map_set(k->known_predicates, term_index(*out), 1);
  }
  VECTOR_FREE(read);
  return fresh;
}

bool shared_facts_add_predicate(shared_facts *k, const char *line, term *read) {
  if (k->predicates.count >= MOST_PREDICATES || !is_another(k, line, read)) return false;
  VECTOR_PUSH(k->predicates, *read);
  CHECKED(shared_facts_check(k));
  return true;
}

bool shared_facts_add_hint(shared_facts *k, const char *line, term *read) {
  if (k->hints.count >= MOST_HINTS || !is_another(k, line, read)) return false;
  VECTOR_PUSH(k->hints, *read);
  CHECKED(shared_facts_check(k));
  return true;
}

const term_vector *shared_facts_hints(const shared_facts *k) { return &k->hints; }
const term_vector *shared_facts_predicates(const shared_facts *k) { return &k->predicates; }
