/* Breadth-first search of states with a heap: initial states, steps with all or some values of inputs, and runs. States
 * are kept in canonical form, each with its origin, from which runs are read. */
#include "engine/lists/list_search.h"

#include "base/text.h"
#include "model/heap.h"
#include "model/semantics.h"
#include "store/enumerate.h"
#include "store/store.h"

enum { MOST_CHOICES = 4096, WINDOW = 8 };
static const enumeration_limits INITIAL_LIMITS = {.all = 1 << 20, .some = 1000};

/* How a state was found. */
typedef struct origin {
  uint64_t parent; /* NO_PARENT for initial states */
  uint32_t transition;
  size_t inputs; /* where they begin in `inputs` */
} origin;

#define NO_PARENT UINT64_MAX

struct list_search {
  engine_environment *env;
  size_t nodes;  /* of a state, at most */
  list_key *key; /* NULL: states are matched as they are */
  void *key_context;
  uint64_t *key_words;
  const model *model;
  const property *property;
  semantics *meaning;
  state_condition *bad;   /* PROPERTY_SAFE, else NULL */
  store *store;           /* of keys, or of words, unpacked */
  VECTOR(int64_t) states; /* if there are keys: the words of each */
  VECTOR(origin) origins;
  VECTOR(int64_t) inputs;
  uint64_t next; /* the first state without its steps */
  char *gap;     /* why states may be missing */
  const char *spent;
  bool is_violated;
  uint64_t violation;
  uint32_t fault_transition, fault;
  VECTOR(int64_t) fault_inputs;
};

static void note_gap(list_search *l, TAKE char *why) {
  if (l->gap)
    memory_free(why);
  else
    l->gap = why;
}

static bool is_over(const list_search *l) { return l->is_violated || l->spent; }

static void add_state(list_search *l, const int64_t *words, origin from, size_t input_count, const int64_t *inputs) {
  uint64_t number;
  if (l->key && !l->key(l->key_context, words, l->key_words)) {
    note_gap(l, memory_copy_string("values beyond 64 bits"));
    return;
  }
  store_answer answer = store_add(l->store, l->key ? l->key_words : (const uint64_t *)words, &number);
  if (answer == STORE_FULL) l->spent = "the state store is full";
  if (answer != STORE_NEW) return;
  for (size_t i = 0; l->key && i < semantics_width(l->meaning); i++) VECTOR_PUSH(l->states, words[i]);
  from.inputs = l->inputs.count;
  VECTOR_PUSH(l->origins, from);
  for (size_t i = 0; i < input_count; i++) VECTOR_PUSH(l->inputs, inputs[i]);
  int holds = l->bad ? state_condition_holds(l->bad, words) : 0;
  if (holds < 0) note_gap(l, memory_copy_string("values beyond 64 bits"));
  if (holds != 1) return;
  l->is_violated = true;
  l->violation = number;
}

/* ---- initial states ---- */

typedef struct beginning {
  list_search *search;
  const variable_vector *unknowns;
  int64_t *words;
} beginning;

static bool add_initial(void *context, const int64_t *values) {
  beginning *b = context;
  const model *m = b->search->model;
  for (size_t i = 0; i < b->unknowns->count; i++) b->words[model_position(m, b->unknowns->at[i])] = values[i];
  add_state(b->search, b->words, (origin){.parent = NO_PARENT}, 0, NULL);
  return !is_over(b->search);
}

/* The heap is empty at first, and all node variables are null. */
static void begin(list_search *l) {
  const model *m = l->model;
  variable_vector unknowns = {0};
  beginning b = {l, &unknowns, MEMORY_ARRAY(int64_t, semantics_width(l->meaning) + 1)};
  number *all_null = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  substitution *heap = substitution_new(m->terms);
  heap_decide(m, all_null, heap);
  for (size_t i = 0; i < m->variables.count; i++)
    if (variable_type(m->terms, m->variables.at[i].var)->sort != SORT_NODE)
      VECTOR_PUSH(unknowns, m->variables.at[i].var);
  solver *help = solver_new(m->terms, l->env->budget);
  enumerator *e =
      enumerator_new(m->terms, substitution_apply(heap, m->init), unknowns.count, unknowns.at, 0, NULL, help);
  enumeration found = enumerator_run(e, NULL, INITIAL_LIMITS, l->env->budget, add_initial, &b);
  if (found.end == ENUMERATION_UNBOUNDED)
    note_gap(
        l, text_format("not all initial states can be tried: %s has no bound", variable_shown(m->terms, found.blame)));
  else if (found.end != ENUMERATION_ALL)
    note_gap(l, memory_copy_string("not all initial states can be tried"));
  enumerator_free(e);
  solver_free(help);
  substitution_free(heap);
  memory_free(all_null);
  memory_free(b.words);
  VECTOR_FREE(unknowns);
}

list_search *list_search_new(engine_environment *env, size_t nodes, size_t key_words, size_t more_words, list_key *key,
                             void *context) {
  list_search *l = MEMORY_NEW(list_search);
  l->env = env;
  l->nodes = nodes;
  l->key = key;
  l->key_context = context;
  if (key) l->key_words = MEMORY_ARRAY(uint64_t, key_words + more_words + 1);
  l->model = env->model;
  l->property = &env->model->properties.at[env->property];
  l->meaning = semantics_new_bounded(env->model, nodes);
  l->store = store_new((key ? key_words : semantics_width(l->meaning)) * sizeof(int64_t), 1);
  if (l->property->kind == PROPERTY_SAFE) l->bad = state_condition_new(env->model, l->property->bad);
  begin(l);
  return l;
}

void list_search_free(list_search *l) {
  if (!l) return;
  semantics_free(l->meaning);
  state_condition_free(l->bad);
  store_free(l->store);
  VECTOR_FREE(l->states);
  memory_free(l->key_words);
  VECTOR_FREE(l->origins);
  VECTOR_FREE(l->inputs);
  VECTOR_FREE(l->fault_inputs);
  memory_free(l->gap);
  memory_free(l);
}

/* ---- steps ---- */

typedef struct input_range {
  int64_t low, high;
} input_range;

/* The values tried for an input: all of a small type, else some near its bound or zero. False if there are others.
 */
static bool range_of(const type *t, input_range *out) {
  int64_t low, high;
  *out = (input_range){0, 1};
  if (t->sort == SORT_BOOL) return true;
  bool has_low = t->has_low && number_to_int64(t->low, &low), has_high = t->has_high && number_to_int64(t->high, &high);
  if (has_low && has_high && (uint64_t)high - (uint64_t)low < MOST_CHOICES) {
    *out = (input_range){low, high};
    return true;
  }
  const int64_t most = INT64_MAX - WINDOW, least = INT64_MIN + WINDOW;
  if (has_low)
    *out = (input_range){low, low < most ? low + WINDOW : INT64_MAX};
  else if (has_high)
    *out = (input_range){high > least ? high - WINDOW : INT64_MIN, high};
  else
    *out = (input_range){-WINDOW / 2, WINDOW / 2};
  return false;
}

/* The next choice, like an odometer; false after the last. */
static bool advance(const input_range *ranges, size_t count, int64_t *inputs) {
  for (size_t i = 0; i < count; i++) {
    if (inputs[i] < ranges[i].high) {
      inputs[i]++;
      return true;
    }
    inputs[i] = ranges[i].low;
  }
  return false;
}

typedef struct expansion {
  const int64_t *from;
  int64_t *out;
  uint64_t number, taken;
  bool is_complete;
} expansion;

static void take(list_search *l, expansion *x, uint32_t transition, const int64_t *inputs) {
  size_t fault, count = l->model->transitions.at[transition].inputs.count;
  switch (semantics_step(l->meaning, transition, x->from, inputs, x->out, &fault)) {
    case STEP_DISABLED: break;
    case STEP_OVERFLOW:
      x->is_complete = false;
      note_gap(l, memory_copy_string("values beyond 64 bits"));
      break;
    case STEP_NO_NODES:
      x->is_complete = false;
      note_gap(l, text_format("states of more than %zu nodes (--nodes)", l->nodes));
      break;
    case STEP_FAULT:
      if (l->property->kind != PROPERTY_NO_FAULT || l->is_violated) break;
      l->is_violated = true;
      l->violation = x->number;
      l->fault_transition = transition;
      l->fault = (uint32_t)fault;
      for (size_t i = 0; i < count; i++) VECTOR_PUSH(l->fault_inputs, inputs[i]);
      break;
    case STEP_TAKEN:
      x->taken++;
      add_state(l, x->out, (origin){x->number, transition, 0}, count, inputs);
      break;
  }
}

static void try_inputs(list_search *l, expansion *x, uint32_t index) {
  const transition *t = &l->model->transitions.at[index];
  size_t count = t->inputs.count;
  input_range *ranges = MEMORY_ARRAY(input_range, count + 1);
  int64_t *inputs = MEMORY_ARRAY(int64_t, count + 1);
  uint64_t tried = 0;
  for (size_t i = 0; i < count; i++) {
    if (!range_of(variable_type(l->model->terms, t->inputs.at[i]), &ranges[i])) {
      x->is_complete = false;
      note_gap(l, text_format("not all inputs can be tried: %s has too many values",
                              variable_shown(l->model->terms, t->inputs.at[i])));
    }
    inputs[i] = ranges[i].low;
  }
  do take(l, x, index, inputs);
  while (!is_over(l) && ++tried < MOST_CHOICES && advance(ranges, count, inputs));
  if (tried == MOST_CHOICES) {
    x->is_complete = false;
    note_gap(l, memory_copy_string("not all inputs can be tried: there are too many"));
  }
  memory_free(ranges);
  memory_free(inputs);
}

static void expand(list_search *l, uint64_t number, int64_t *from, int64_t *out) {
  expansion x = {.from = from, .out = out, .number = number, .is_complete = true};
  list_search_state(l, number, from);
  for (uint32_t i = 0; i < l->model->transitions.count && !is_over(l); i++) try_inputs(l, &x, i);
  l->env->statistics->transitions += x.taken;
  if (l->property->kind != PROPERTY_DEADLOCKFREE || x.taken || !x.is_complete || is_over(l)) return;
  l->is_violated = true;
  l->violation = number;
}

bool list_search_run(list_search *l, uint64_t states) {
  size_t width = semantics_width(l->meaning);
  int64_t *from = MEMORY_ARRAY(int64_t, width + 1), *out = MEMORY_ARRAY(int64_t, width + 1);
  for (uint64_t i = 0; i < states && l->next < store_count(l->store) && !is_over(l); i++) {
    expand(l, l->next++, from, out);
    if (!l->spent) l->spent = budget_spent(l->env->budget);
  }
  memory_free(from);
  memory_free(out);
  l->env->statistics->states = store_count(l->store);
  return !is_over(l) && l->next < store_count(l->store);
}

/* ---- results ---- */

size_t list_search_width(const list_search *l) { return semantics_width(l->meaning); }
uint64_t list_search_count(const list_search *l) { return store_count(l->store); }

void list_search_state(const list_search *l, uint64_t number, int64_t *words) {
  size_t width = semantics_width(l->meaning);
  if (l->key)
    memcpy(words, l->states.at + number * width, width * sizeof *words);
  else
    store_read(l->store, number, (uint64_t *)words);
}

bool list_search_is_violated(const list_search *l) { return l->is_violated; }
const char *list_search_spent(const list_search *l) { return l->spent; }
const char *list_search_gap(const list_search *l) { return l->gap; }

void list_search_graph(const model *m, const variable_vector *nodes, const int64_t *words, heap_graph *g) {
  size_t count = m->variables.count, into[NODE_MOST_POINTERS][HEAP_MOST_NODES + 1] = {0};
  *g = (heap_graph){.variables = (uint8_t)nodes->count, .fields = (uint8_t)m->nodes->pointer_count};
  for (size_t i = 0; i < nodes->count; i++) {
    g->at[i] = (uint8_t)words[model_position(m, nodes->at[i])];
    if (g->at[i] > g->count) g->count = g->at[i];
  }
  for (size_t n = 1; n <= g->count; n++) { /* nodes are numbered as a walk meets them */
    heap_cell cell = heap_word_cell(words[count + n - 1]);
    g->nodes[n].data = NODE_VALUE(cell.value);
    for (size_t f = 0; f < g->fields; f++) {
      g->nodes[n].next[f] = NODE(cell.next[f]);
      into[f][cell.next[f]]++;
      if (cell.next[f] > g->count) g->count = (uint8_t)cell.next[f];
    }
  }
  for (size_t n = 1; n <= g->count; n++)
    for (size_t f = 0; f < g->fields; f++) g->nodes[n].shared |= (uint8_t)((into[f][n] > 1) << f);
}

void list_search_claim_violation(list_search *l, claim *out) {
  const model *m = l->model;
  evidence *e = &out->evidence;
  int64_t *words = MEMORY_ARRAY(int64_t, semantics_width(l->meaning) + 1);
  VECTOR(uint64_t) path = {0};
  for (uint64_t at = l->violation; at != NO_PARENT; at = l->origins.at[at].parent) VECTOR_PUSH(path, at);
  for (size_t k = path.count; k-- > 0;) {
    const origin *from = &l->origins.at[path.at[k]];
    trace_step step = {.transition = from->transition};
    bool is_first = from->parent == NO_PARENT;
    list_search_state(l, path.at[k], words);
    for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(step.values, number_of(words[i]));
    for (size_t i = 0; !is_first && i < m->transitions.at[from->transition].inputs.count; i++)
      VECTOR_PUSH(step.inputs, number_of(l->inputs.at[from->inputs + i]));
    VECTOR_PUSH(e->steps, step);
  }
  trace_recompute(m, &e->steps); /* nodes in the order in which they are made */
  e->kind = EVIDENCE_TRACE;
  e->fault_transition = l->fault_transition;
  e->fault = l->fault;
  for (size_t i = 0; i < l->fault_inputs.count; i++) VECTOR_PUSH(e->fault_inputs, number_of(l->fault_inputs.at[i]));
  out->verdict = VERDICT_UNSAFE;
  VECTOR_FREE(path);
  memory_free(words);
}
