/* Paths between places, and the edges that they become. */
#include "input/svlib/lower.h"

enum { MOST_EDGES = 50000, MOST_WORDS = 240, EXCERPT = 60 };

void sv_path_start(sv_lowering *l, uint32_t at) {
  assert(!l->now);
  l->now = MEMORY_NEW(sv_path);
  l->now->from = at;
  l->now->guard = TERM_TRUE;
}

GIVE sv_path *sv_path_copy(const sv_path *p) {
  sv_path *copy = MEMORY_NEW(sv_path);
  copy->from = p->from;
  copy->guard = p->guard;
  VECTOR_COPY(copy->values, p->values);
  VECTOR_COPY(copy->inputs, p->inputs);
  VECTOR_COPY(copy->calls, p->calls);
  text_add(&copy->words, "%s", text_string(&p->words));
  return copy;
}

void sv_path_free(TAKE sv_path *p) {
  if (!p) return;
  VECTOR_FREE(p->values);
  VECTOR_FREE(p->inputs);
  VECTOR_FREE(p->calls);
  text_clear(&p->words);
  memory_free(p);
}

term sv_now(sv_lowering *l, term t) {
  if (!l->now || !l->now->values.count) return t;
  substitution *by = substitution_new(l->ts);
  for (size_t i = 0; i < l->now->values.count; i++)
    substitution_set(by, l->now->values.at[i].var, l->now->values.at[i].value);
  term made = substitution_apply(by, t);
  substitution_free(by);
  return made;
}

void sv_assume(sv_lowering *l, term t) {
  if (!l->now) return;
  l->now->guard = term_and(l->ts, l->now->guard, t);
  if (!term_is_false(l->now->guard)) return;
  sv_path_free(l->now);
  l->now = NULL;
}

void sv_set(sv_lowering *l, size_t cell, term value) {
  variable v = l->graph.cells.at[cell];
  if (!l->now) return;
  for (size_t i = 0; i < l->now->values.count; i++)
    if (variable_same(l->now->values.at[i].var, v)) {
      l->now->values.at[i].value = value;
      return;
    }
  VECTOR_PUSH(l->now->values, (update){v, value});
}

void sv_havoc(sv_lowering *l, size_t cell, const char *name, span at, source_choice_kind kind, bool is_first) {
  if (!l->now) return;
  type of = *variable_type(l->ts, l->graph.cells.at[cell]);
  variable made = variable_fresh(l->ts, name, &of);
  const char *kept = model_string(l->model, name);
  VECTOR_PUSH(l->now->inputs, (flow_input){made, kept, source_place(l->source, at.start)});
  VECTOR_PUSH(l->choices, (source_choice){made, kind, kept, is_first});
  sv_set(l, cell, term_of_variable(l->ts, made));
}

void sv_forget(sv_lowering *l, size_t cell) {
  type of = *variable_type(l->ts, l->graph.cells.at[cell]);
  sv_set(l, cell, term_of_variable(l->ts, variable_fresh(l->ts, "any", &of)));
}

void sv_describe(sv_lowering *l, const sv_node *n, const char *before) {
  if (!l->now || l->now->words.count > MOST_WORDS) return;
  char *words = source_excerpt(l->source, n->at, EXCERPT);
  text_add(&l->now->words, "%s%u: %s%s", l->now->words.count ? "; " : "", source_place(l->source, n->at.start).line,
           before, words);
  memory_free(words);
}

KEEP flow_edge *sv_edge(sv_lowering *l, uint32_t to, term guard, span at, bool with_values) {
  const sv_path *p = l->now;
  flow_edge e = {.from = p->from, .to = to, .guard = guard, .at = source_place(l->source, at.start)};
  if (with_values) VECTOR_COPY(e.updates, p->values);
  VECTOR_COPY(e.inputs, p->inputs);
  VECTOR_COPY(e.calls, p->calls);
  e.name = model_string(l->model, p->words.count ? text_string(&p->words) : "start");
  VECTOR_PUSH(l->graph.edges, e);
  if (l->graph.edges.count > MOST_EDGES && !l->failed) {
    report_error(&l->reporter, at.start, "the program has too many paths");
    l->failed = true;
  }
  return &VECTOR_LAST(l->graph.edges);
}

void sv_arrive(sv_lowering *l, uint32_t to, span at) {
  if (!l->now) return;
  sv_edge(l, to, l->now->guard, at, true);
  sv_path_free(l->now);
  l->now = NULL;
}

uint32_t sv_place(sv_lowering *l, const char *stem, span at) {
  char *name = memory_copy_string(stem);
  for (unsigned tries = 2; names_get(l->place_names, name, NULL); tries++) {
    memory_free(name);
    name = text_format("%s_%u", stem, tries);
  }
  names_set(l->place_names, name, 1);
  flow_place made = {.name = model_string(l->model, name), .at = source_place(l->source, at.start)};
  memory_free(name);
  VECTOR_PUSH(l->graph.places, made);
  return (uint32_t)l->graph.places.count - 1;
}
