/* Structured programs as processes: every simple statement and every test is a step between two places. The
 * place after a statement is found by following labels, gotos, returns and ends of blocks, none of which takes a step. */
#include "input/whet/calls/lower_in_place.h"
#include "input/whet/channels/channel.h"

/* A point between statements. */
typedef struct point {
  const block *home;
  size_t position;
  statement *parent; /* whose block `home` is; NULL: the program's */
} point;

typedef program_edge edge;
typedef struct program_graph graph;

#define NO_PLACE UINT32_MAX

static uint64_t key(const void *p) { return (uint64_t)(uintptr_t)p; }

/* ---- the order of statements ---- */

/* Control can come back to its first statement from inside, so that the block has a step that enters it. */
static bool needs_entry(const statement *s) {
  if (!s->otherwise.count) return false;
  statement_kind first = s->otherwise.at[0]->kind;
  return first == STATEMENT_WHILE || first == STATEMENT_LABEL;
}

static bool takes_step(const statement *s) {
  if (s->kind == STATEMENT_ATOMIC) return needs_entry(s);
  return s->kind != STATEMENT_LABEL && s->kind != STATEMENT_GOTO && s->kind != STATEMENT_RETURN &&
         s->kind != STATEMENT_BREAK;
}

bool statement_is_in_atomic(const statement *s) {
  for (s = s->parent; s && s->kind != STATEMENT_ATOMIC;) s = s->parent;
  return s;
}

/* `label` stands right before the block. */
static void link_block(graph *g, const block *b, statement *parent, word *label) {
  for (size_t i = 0; i < b->count; i++) {
    statement *s = b->at[i];
    s->home = b;
    s->position = i;
    s->parent = parent;
    s->location = NO_PLACE;
    if (s->kind == STATEMENT_LABEL) {
      map_set(g->labels, key(s->name.word), key(s));
      label = label ? label : s->name.word;
      continue;
    }
    s->label = label;
    label = NULL;
    g->gotos += s->kind == STATEMENT_GOTO;
    for (size_t j = 0; j < s->arm_count; j++) link_block(g, &s->arms[j].body, s, NULL);
    bool passes = s->kind == STATEMENT_ATOMIC && !takes_step(s);
    link_block(g, &s->otherwise, s, passes ? s->label : NULL);
  }
}

static statement *find_label(const graph *g, const word *w) {
  uint64_t found = 0;
  map_get(g->labels, key(w), &found);
  return (statement *)(uintptr_t)found;
}

static point point_of(const statement *s) { return (point){s->home, s->position, s->parent}; }

static const statement *loop_around(const statement *s) {
  do s = s->parent;
  while (s->kind != STATEMENT_WHILE);
  return s;
}

/* The statement that control reaches from `p` without a step. */
static statement *statement_at(graph *g, point p) {
  size_t gotos = 0;
  while (lowering_spend(g->lowering, 1, g->family->symbol->offset)) {
    if (p.position == p.home->count) {
      if (!p.parent) return &g->end;
      if (p.parent->kind == STATEMENT_WHILE) return p.parent;
      p = point_of(p.parent);
      p.position++;
      continue;
    }
    statement *s = p.home->at[p.position];
    switch (s->kind) {
      case STATEMENT_LABEL: p.position++; break;
      case STATEMENT_RETURN: return &g->end;
      case STATEMENT_BREAK:
        p = point_of(loop_around(s));
        p.position++;
        break;
      case STATEMENT_ATOMIC:
        if (takes_step(s)) return s;
        p = (point){&s->otherwise, 0, s};
        break;
      case STATEMENT_GOTO:
        if (gotos++ > g->gotos) return &g->forever;
        p = point_of(find_label(g, s->name.word));
        break;
      default: return s;
    }
  }
  return &g->end;
}

/* ---- places ---- */

static bool is_taken(const graph *g, const word *w) {
  return map_get(g->family->states, key(w), NULL) || map_get(g->labels, key(w), NULL);
}

static uint32_t add_named_place(graph *g, word *w) {
  uint32_t index = (uint32_t)g->places.count;
  VECTOR_PUSH(g->places, w->text);
  VECTOR_PUSH(g->is_inside, false);
  VECTOR_PUSH(g->family->state_words, w);
  map_set(g->family->states, key(w), index);
  return index;
}

enum { LONGEST_LINE = 32 };

uint32_t program_graph_add_place(graph *g, const char *stem) {
  words *all = g->lowering->scope->words;
  word *first = words_make(all, stem), *w = first;
  uint64_t tries = 1;
  map_get(g->tries, key(first), &tries);
  while (is_taken(g, w)) {
    char *name = text_format("%s_%llu", stem, (unsigned long long)++tries);
    w = words_make(all, name);
    memory_free(name);
  }
  if (w != first) map_set(g->tries, key(first), tries);
  return add_named_place(g, w);
}

static uint32_t add_line_place(graph *g, span at) {
  char line[LONGEST_LINE];
  snprintf(line, sizeof line, "line%u", lower_place(g->lowering, at).line);
  return program_graph_add_place(g, line);
}

/* The place at which `s` is about to run: named by the label before it, else by its line. */
static uint32_t place_of(graph *g, statement *s) {
  if (s->location != NO_PLACE) return s->location;
  if (s == &g->end)
    s->location = program_graph_add_place(g, "end");
  else if (s == &g->forever)
    s->location = program_graph_add_place(g, "forever");
  else if (s->label)
    s->location = add_named_place(g, s->label);
  else
    s->location = add_line_place(g, s->at);
  return s->location;
}

static uint32_t place_at(graph *g, point p) { return place_of(g, statement_at(g, p)); }

static void place_block(graph *g, const block *b) {
  for (size_t i = 0; i < b->count; i++) {
    statement *s = b->at[i];
    if (takes_step(s)) place_of(g, s);
    for (size_t j = 0; j < s->arm_count; j++) {
      bool own = s->kind == STATEMENT_IF && j > 0; /* `else if` is a test of its own */
      s->arms[j].location = own ? add_line_place(g, s->arms[j].at) : s->location;
      place_block(g, &s->arms[j].body);
    }
    place_block(g, &s->otherwise);
  }
}

/* Labels are names of places too, even if another label names the place. */
static void name_labels(graph *g) {
  for (size_t i = 0; i < g->family->labels.count; i++) {
    const word *w = g->family->labels.at[i]->word;
    map_set(g->family->states, key(w), place_at(g, point_of(find_label(g, w))));
  }
}

/* Places of statements in an atomic block are inside of it, that of the first one, `entry`, apart: there it has not begun. */
static void mark_inside(graph *g, const block *b, bool in_atomic, const statement *entry) {
  for (size_t i = 0; i < b->count; i++) {
    statement *s = b->at[i];
    if (s->kind == STATEMENT_ATOMIC && !in_atomic) {
      mark_inside(g, &s->otherwise, true, takes_step(s) ? s : statement_at(g, (point){&s->otherwise, 0, s}));
      continue;
    }
    if (in_atomic && takes_step(s) && s != entry) g->is_inside.at[s->location] = true;
    for (size_t j = 0; j < s->arm_count; j++) {
      if (in_atomic && s->kind == STATEMENT_IF && j > 0) g->is_inside.at[s->arms[j].location] = true;
      mark_inside(g, &s->arms[j].body, in_atomic, entry);
    }
    mark_inside(g, &s->otherwise, in_atomic, entry);
  }
}

/* ---- edges ---- */

static void add_edge(graph *g, const statement *s, uint32_t from, uint32_t to, const char *suffix) {
  edge made = {.from = from, .to = to, .statement = s, .suffix = suffix, .at = s ? s->at : (span){0}};
  made.owner = g->family->tree;
  VECTOR_PUSH(g->edges, made);
}

static void add_test(graph *g, const statement *s, const arm *a, uint32_t to, bool negated) {
  add_edge(g, s, a->location, to, negated ? "_no" : "_yes");
  edge *made = &VECTOR_LAST(g->edges);
  made->test = a->condition;
  made->negated = negated;
  made->at = a->at;
}

static uint32_t after(graph *g, statement *s) {
  point p = point_of(s);
  p.position++;
  return place_at(g, p);
}

static void connect_block(graph *g, const block *b);

static void connect_atomic(graph *g, statement *s) {
  if (takes_step(s)) {
    add_edge(g, s, s->location, place_at(g, (point){&s->otherwise, 0, s}), "");
    VECTOR_LAST(g->edges).at = s->name.at;
  }
  connect_block(g, &s->otherwise);
}

static void connect_arms(graph *g, statement *s) {
  for (size_t i = 0; i < s->arm_count; i++) {
    const arm *a = &s->arms[i];
    uint32_t inside = place_at(g, (point){&a->body, 0, s});
    if (s->kind == STATEMENT_CHOOSE) {
      char *suffix = text_format("_%zu", i + 1);
      add_edge(g, s, s->location, inside, model_string(g->lowering->model, suffix));
      memory_free(suffix);
    } else {
      bool last = i + 1 == s->arm_count;
      uint32_t otherwise = !last                        ? s->arms[i + 1].location
                           : s->kind == STATEMENT_WHILE ? after(g, s)
                                                        : place_at(g, (point){&s->otherwise, 0, s});
      add_test(g, s, a, inside, false);
      add_test(g, s, a, otherwise, true);
    }
    connect_block(g, &a->body);
  }
  connect_block(g, &s->otherwise);
}

static void connect_block(graph *g, const block *b) {
  for (size_t i = 0; i < b->count && !g->lowering->exhausted; i++) {
    statement *s = b->at[i];
    if (s->arm_count)
      connect_arms(g, s);
    else if (s->kind == STATEMENT_ATOMIC)
      connect_atomic(g, s);
    else if (takes_step(s))
      add_edge(g, s, s->location, after(g, s), "");
  }
}

/* The place where the program starts is the first, as in processes; the others follow in the order of the text. */
void lower_program_places(lowering *l, process_tree *p) {
  graph *g = p->family->graph = arena_alloc(l->scope->arena, sizeof(graph));
  *g = (graph){.lowering = l, .family = p->family, .tries = map_new(), .labels = map_new()};
  g->end.location = g->forever.location = NO_PLACE;
  link_block(g, &p->body, NULL, NULL);
  place_at(g, (point){&p->body, 0, NULL});
  place_block(g, &p->body);
  place_of(g, &g->end);
  p->family->graph_end = g->end.location;
  mark_inside(g, &p->body, false, NULL);
  connect_block(g, &p->body);
  name_labels(g);
  if (g->forever.location != NO_PLACE) add_edge(g, NULL, g->forever.location, g->forever.location, "");
}

enum { LONGEST_STATEMENT = 60 };

/* What a reader of the program finds at the step: the statement, or the test and how it ends. */
static KEEP const char *statement_text(const graph *g, const edge *e) {
  const statement *s = e->statement;
  if (!s) return NULL;
  bool is_test = s->kind == STATEMENT_IF || s->kind == STATEMENT_WHILE;
  const lowering *l = g->lowering;
  text out = {0};
  if (e->role == EDGE_START || e->role == EDGE_RETURN) {
    text_add(&out, "%s %s", e->called->name.word->text, e->role == EDGE_START ? "starts" : "returns");
  } else if (s->kind == STATEMENT_CHOOSE) {
    text_add(&out, "choose %s", e->suffix + 1);
  } else {
    char *excerpt = source_excerpt(l->reporter->source, e->at, LONGEST_STATEMENT);
    bool is_for = is_test && !strncmp(excerpt, "for ", 4);
    text_add(&out, "%s%s", !is_test || is_for ? "" : s->kind == STATEMENT_IF ? "if " : "while ", excerpt);
    if (is_test) text_add(&out, e->negated ? ": no" : ": yes");
    memory_free(excerpt);
  }
  const char *kept = model_string(l->model, text_string(&out));
  text_clear(&out);
  return kept;
}

static void lower_program_step(lowering *l, const edge *e, lowered_step *made) {
  const statement *s = e->statement;
  uint32_t at = (uint32_t)l->model->transitions.count;
  bool is_assert = s && e->role == EDGE_STATEMENT && s->kind == STATEMENT_ASSERT;
  made->guard = e->test;
  made->negate_guard = e->negated && e->test;
  made->at = s ? e->at : e->owner->name.at;
  made->depth = e->depth;
  if (e->role != EDGE_STATEMENT)
    made->updates = in_place_updates(l, e);
  else if (s && s->kind == STATEMENT_ASSIGN)
    made->updates = &s->updates;
  else if (s && s->kind == STATEMENT_ASSUME)
    made->guard = s->condition;
  if (is_assert) made->evaluated = s->condition;
  lower_step(l, made);
  if (l->exhausted) return;
  if (e->role != EDGE_STATEMENT) in_place_complete(l, e, made->place_test, at);
  if (is_assert)
    lower_check(l, s->name.word, s->at, e->owner,
                term_and(l->terms, made->place_test, term_not(lower_condition(l, s->condition))));
}

/* It can be that no step from the place of `e` can be taken: an `assume`, a message, or a contract that may be broken. */
static bool may_wait(const edge *e) {
  const statement *s = e->statement;
  return e->role != EDGE_STATEMENT ||
         (s && (s->kind == STATEMENT_ASSUME || (s->kind == STATEMENT_ASSIGN && has_messages(&s->updates))));
}

void lower_program_steps(lowering *l, const process_tree *p) {
  family *f = p->family;
  const graph *g = f->graph;
  uint32_t process = f->first_process + (uint32_t)f->copy, first = (uint32_t)l->model->transitions.count;
  variable location = l->cells.at[f->first_location + f->copy];
  text name = {0};
  term here = TERM_FALSE;
  for (size_t i = 0; i < g->edges.count && !l->exhausted; i++) {
    const edge *e = &g->edges.at[i];
    text_reset(&name);
    text_add(&name, "%s.%s%s", l->model->processes.at[process].name, g->places.at[e->from], e->suffix);
    if (!i || e->from != e[-1].from)
      here = term_eq(l->terms, term_of_variable(l->terms, location), term_int(l->terms, e->from));
    lowered_step made = {.name = name.at,
                         .statement = statement_text(g, e),
                         .process = process,
                         .place_test = here,
                         .location = location,
                         .has_target = e->from != e->to,
                         .target = e->to};
    size_t before = l->model->transitions.count;
    if (g->is_inside.at[e->from] && e->statement && e->statement->kind == STATEMENT_ASSIGN)
      handshake_refuse_inside(l, &e->statement->updates);
    lower_program_step(l, e, &made);
    if (g->is_inside.at[e->from] && l->model->transitions.count > before)
      VECTOR_PUSH(l->inside, (inside_step){(uint32_t)before, process, !may_wait(e), here});
  }
  text_clear(&name);
  in_place_unset(l, f, first);
}

void program_graph_clear(struct program_graph *g) {
  if (!g) return;
  map_free(g->tries);
  map_free(g->labels);
  VECTOR_FREE(g->places);
  VECTOR_FREE(g->is_inside);
  VECTOR_FREE(g->edges);
}
