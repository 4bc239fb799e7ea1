/* Tags and properties of statements. */
#include "input/svlib/lower.h"

/* ---- reading them ---- */

static const struct {
  const char *keyword;
  sv_property property;
} properties[] = {
    {":check-true", SV_CHECK_TRUE}, {":invariant", SV_INVARIANT}, {":requires", SV_REQUIRES},
    {":ensures", SV_ENSURES},       {":decreases", SV_DECREASES}, {":decreases-lex", SV_DECREASES},
};

static const char *keyword_of(sv_property property) {
  for (size_t i = 0; i < ARRAY_LENGTH(properties); i++)
    if (properties[i].property == property) return properties[i].keyword + 1;
  return "";
}

static void add_attribute(sv_lowering *l, const sv_node *key, const sv_node *value, const char *tag, sv_tags *tags,
                          sv_annotations *out) {
  if (!strcmp(key->text, ":tag") && tags && !value->is_list) {
    VECTOR_PUSH(*tags, value->text);
    return;
  }
  if (!strcmp(key->text, ":named")) return;
  for (size_t i = 0; i < ARRAY_LENGTH(properties); i++)
    if (!strcmp(key->text, properties[i].keyword)) {
      sv_annotation made = {.property = properties[i].property, .term = value, .tag = tag};
      made.is_lexicographic = !strcmp(key->text, ":decreases-lex");
      VECTOR_PUSH(*out, made);
      return;
    }
  sv_refuse(
      l, key,
      "the attribute `%s` is not read here; :tag, :check-true, :invariant, :requires, :ensures and :decreases are",
      key->text);
}

void sv_attributes(sv_lowering *l, const sv_node *n, size_t from, const char *tag, sv_tags *tags, sv_annotations *out) {
  for (size_t i = from; i < n->count && !l->failed; i += 2) {
    const sv_node *key = n->items[i];
    if (sv_is_word(key, ":recurring")) {
      sv_refuse(l, key, "`:recurring` is not read; :not-recurring is");
    } else if (sv_is_word(key, ":not-recurring")) {
      VECTOR_PUSH(*out, (sv_annotation){.property = SV_NOT_RECURRING, .term = key, .tag = tag});
      i--; /* it has no value */
    } else if (key->is_list || *key->text != ':' || i + 1 == n->count) {
      sv_refuse(l, key, "this is not an attribute with its value; :check-true (> x 0) is one");
    } else {
      add_attribute(l, key, n->items[i + 1], tag, tags, out);
    }
  }
}

sv_annotated sv_annotated_of(sv_lowering *l, const sv_node *n) {
  sv_annotated a = {.statement = n};
  while (!l->failed && sv_starts_with(a.statement, "!")) {
    if (a.statement->count < 2) {
      sv_refuse(l, a.statement, "there is no statement in this annotation");
      break;
    }
    sv_attributes(l, a.statement, 2, NULL, &a.tags, &a.annotations);
    a.statement = a.statement->items[1];
  }
  for (size_t i = 0; i < l->by_tag.count; i++)
    for (size_t j = 0; j < a.tags.count; j++)
      if (!strcmp(l->by_tag.at[i].tag, a.tags.at[j])) VECTOR_PUSH(a.annotations, l->by_tag.at[i]);
  return a;
}

void sv_annotated_clear(sv_annotated *a) {
  VECTOR_FREE(a->tags);
  VECTOR_FREE(a->annotations);
}

/* ---- earlier values ---- */

KEEP const sv_ghost *sv_ghost_of(const sv_procedure *p, const sv_symbol *of, const char *tag) {
  for (size_t i = 0; i < p->ghosts.count; i++)
    if (p->ghosts.at[i].of == of && !strcmp(p->ghosts.at[i].tag, tag)) return &p->ghosts.at[i];
  return NULL;
}

static bool has_cell(const sv_symbol *s) { return s->kind != SV_VALUE && s->kind != SV_FUNCTION; }

static void make_in_term(sv_lowering *l, sv_procedure *p, const sv_node *n, const sv_tags *tags) {
  if (sv_starts_with(n, "at") && n->count == 3 && !n->items[1]->is_list && !n->items[2]->is_list) {
    const sv_symbol *s = sv_look_up(l, n->items[1]->text);
    bool is_tag = false;
    for (size_t i = 0; i < tags->count; i++) is_tag |= !strcmp(tags->at[i], n->items[2]->text);
    if (!s || !has_cell(s) || !is_tag || sv_ghost_of(p, s, n->items[2]->text)) return;
    char *name = text_format("%s@%s", s->name, n->items[2]->text);
    VECTOR_PUSH(p->ghosts, (sv_ghost){s, n->items[2]->text, sv_cell_new(l, name, s->sort)});
    memory_free(name);
    return;
  }
  for (size_t i = 0; i < n->count; i++) make_in_term(l, p, n->items[i], tags);
}

static size_t term_count(const sv_annotation *a) { return a->is_lexicographic ? a->term->count : 1; }

static void make_measures(sv_lowering *l, sv_procedure *p, const sv_annotated *a) {
  size_t count = 0;
  for (size_t i = 0; i < a->annotations.count; i++)
    if (a->annotations.at[i].property == SV_DECREASES) count += term_count(&a->annotations.at[i]);
  size_t *cells = arena_alloc(l->arena, (count + 1) * sizeof *cells);
  for (size_t i = 0; i < count; i++) cells[i] = sv_cell_new(l, "measure", SORT_INT);
  if (count) VECTOR_PUSH(p->measures, (sv_measure){a->statement, cells, count});
}

/* Statements of a procedure, the outer ones first: their tags, or what their annotations ask for. */
static void walk(sv_lowering *l, sv_procedure *p, const sv_node *n, sv_tags *tags, bool is_second) {
  if (!n->is_list || l->failed) return;
  if (sv_starts_with(n, "!")) {
    sv_annotated a = sv_annotated_of(l, n);
    for (size_t i = 0; !is_second && i < a.tags.count; i++) VECTOR_PUSH(*tags, a.tags.at[i]);
    for (size_t i = 0; is_second && i < a.annotations.count; i++) make_in_term(l, p, a.annotations.at[i].term, tags);
    if (is_second) make_measures(l, p, &a);
    const sv_node *inner = a.statement;
    sv_annotated_clear(&a);
    walk(l, p, inner, tags, is_second);
    return;
  }
  for (size_t i = 0; i < n->count; i++) walk(l, p, n->items[i], tags, is_second);
}

void sv_ghosts_make(sv_lowering *l, sv_procedure *p) {
  sv_tags tags = {0};
  l->procedure = p;
  walk(l, p, p->body, &tags, false);
  walk(l, p, p->body, &tags, true);
  l->procedure = NULL;
  VECTOR_FREE(tags);
}

void sv_tags_note(sv_lowering *l, const sv_annotated *a) {
  for (size_t i = 0; i < a->tags.count; i++)
    for (size_t j = 0; j < l->procedure->ghosts.count; j++) {
      const sv_ghost *g = &l->procedure->ghosts.at[j];
      if (!strcmp(g->tag, a->tags.at[i]))
        sv_set(l, g->cell, sv_now(l, term_of_variable(l->ts, l->graph.cells.at[g->of->cell])));
    }
}

/* ---- what must hold ---- */

static uint32_t error_place(sv_lowering *l, const sv_annotation *a, const sv_annotated *of) {
  const char *tag = a->tag ? a->tag : of->tags.count ? of->tags.at[0] : NULL;
  place at = source_place(l->source, of->statement->at.start);
  char *name = tag ? text_format("%s.%s", tag, keyword_of(a->property))
                   : text_format("line%u.%s", at.line, keyword_of(a->property));
  uint64_t found;
  char *words = source_excerpt(l->source, a->term->at, SIZE_MAX);
  source_check check = {.at = source_place(l->source, a->term->at.start), .keyword = keyword_of(a->property)};
  check.tag = model_string(l->model, tag ? tag : "");
  check.term = model_string(l->model, words);
  VECTOR_PUSH(l->checks, check);
  memory_free(words);
  if (!names_get(l->properties, name, &found)) {
    found = l->graph.places.count;
    model_add_property(l->model, name, PROPERTY_SAFE, source_place(l->source, a->term->at.start));
    flow_place made = {.name = model_string(l->model, name), .is_error = true};
    made.property = (uint32_t)l->model->properties.count - 1;
    VECTOR_PUSH(l->graph.places, made);
    names_set(l->properties, name, found);
  }
  memory_free(name);
  return (uint32_t)found;
}

/* A run that breaks it ends. */
static void require(sv_lowering *l, term holds, const sv_annotation *a, const sv_annotated *of) {
  uint32_t error = error_place(l, a, of);
  if (!l->now) return;
  term bad = term_and(l->ts, l->now->guard, term_not(holds));
  size_t words = l->now->words.count;
  if (!term_is_false(bad)) {
    sv_describe(l, a->term, "fails: ");
    sv_edge(l, error, bad, a->term->at, false);
    text_cut(&l->now->words, words);
  }
  sv_assume(l, holds);
}

void sv_check(sv_lowering *l, const sv_annotated *a, sv_property property) {
  for (size_t i = 0; i < a->annotations.count && !l->failed; i++)
    if (a->annotations.at[i].property == property)
      require(l, sv_now(l, sv_term(l, a->annotations.at[i].term, SORT_BOOL)), &a->annotations.at[i], a);
}

void sv_assume_requires(sv_lowering *l, const sv_annotated *a) {
  for (size_t i = 0; i < a->annotations.count && !l->failed; i++)
    if (a->annotations.at[i].property == SV_REQUIRES)
      sv_assume(l, sv_now(l, sv_term(l, a->annotations.at[i].term, SORT_BOOL)));
}

/* ---- measures ---- */

static const sv_node *term_at(const sv_annotation *a, size_t i) {
  return a->is_lexicographic ? a->term->items[i] : a->term;
}

KEEP const size_t *sv_measures_of(const sv_procedure *p, const sv_node *loop) {
  for (size_t i = 0; i < p->measures.count; i++)
    if (p->measures.at[i].loop == loop) return p->measures.at[i].cells;
  return NULL;
}

void sv_measures_keep(sv_lowering *l, const sv_loop *loop) {
  size_t next = 0;
  for (size_t i = 0; i < loop->annotated->annotations.count && !l->failed; i++) {
    const sv_annotation *a = &loop->annotated->annotations.at[i];
    if (a->property != SV_DECREASES) continue;
    for (size_t j = 0; j < term_count(a); j++)
      sv_set(l, loop->measures[next++], sv_now(l, sv_term(l, term_at(a, j), SORT_INT)));
  }
}

/* Those before are the same, this one is smaller and was not negative. */
static term has_fallen(sv_lowering *l, const sv_annotation *a, const size_t *cells) {
  term same = TERM_TRUE, fallen = TERM_FALSE;
  for (size_t j = 0; j < term_count(a) && !l->failed; j++) {
    term now = sv_now(l, sv_term(l, term_at(a, j), SORT_INT));
    term before = sv_now(l, term_of_variable(l->ts, l->graph.cells.at[cells[j]]));
    term falls = term_and(l->ts, term_lt(l->ts, now, before), term_ge(l->ts, before, term_int(l->ts, 0)));
    fallen = term_or(l->ts, fallen, term_and(l->ts, same, falls));
    same = term_and(l->ts, same, term_eq(l->ts, now, before));
  }
  return fallen;
}

void sv_measures_check(sv_lowering *l, const sv_loop *loop) {
  size_t next = 0;
  for (size_t i = 0; i < loop->annotated->annotations.count && !l->failed; i++) {
    const sv_annotation *a = &loop->annotated->annotations.at[i];
    if (a->property != SV_DECREASES) continue;
    require(l, has_fallen(l, a, loop->measures + next), a, loop->annotated);
    next += term_count(a);
  }
}
