/* Parse, declare, check, lower. */
#include "input/whet/read.h"

#include "input/whet/copies/copies.h"
#include "input/whet/lower.h"
#include "input/whet/model_scope.h"
#include "input/whet/names/names.h"
#include "input/whet/parse/parser.h"
#include "input/whet/set_constants.h"

typedef struct reading {
  reporter reporter;
  arena *arena;
  words words;
  parser parser;
  scope scope;
  checker checker;
} reading;

static void reading_open(reading *r, source *s, diagnostics *d) {
  reporter_open(&r->reporter, s, d);
  r->arena = arena_new();
  words_open(&r->words, r->arena);
  parser_open(&r->parser, &r->reporter, &r->words, r->arena);
  scope_open(&r->scope, r->arena, &r->words, &r->reporter);
  checker_open(&r->checker, &r->scope);
}

static void reading_close(reading *r) {
  checker_close(&r->checker);
  scope_close(&r->scope);
  parser_close(&r->parser);
  words_close(&r->words);
  arena_free(r->arena);
  reporter_close(&r->reporter);
}

/* Fixed arrays with more elements are kept as arrays, those that copies have become among them. */
static size_t most_expanded(const source *s) {
  const c_settings *c = s->c_settings;
  size_t most = c && c->most_expanded ? (size_t)c->most_expanded : MODEL_MOST_EXPANDED;
  return c && c->most_copies && (size_t)c->most_copies < most ? (size_t)c->most_copies : most;
}

/* Processes with more copies become arrays; those with any number always do. */
static void turn_copies(reading *r, const source *s, module *tree) {
  int64_t most = s->c_settings ? s->c_settings->most_copies : 0;
  copies_to_arrays(tree, r->arena, &r->words, &r->reporter, most ? (size_t)most : SIZE_MAX);
}

static model *lower_tree(reading *r, const source *s, const module *tree) {
  model *m = model_new(terms_new(), source_name(s));
  lowering l;
  for (size_t i = 0; i < s->files.count; i++) VECTOR_PUSH(m->files, model_string(m, s->files.at[i].path));
  lowering_open(&l, &r->scope, m);
  if (check_allows_long_arrays(tree)) l.kept_above = most_expanded(s);
  l.without_arrays = s->c_settings && s->c_settings->without_arrays;
  lower_module(&l, tree);
  m->has_copies = tree->has_copies;
  lowering_close(&l);
  return m;
}

/* The text with any number of copies instead of those that constants say. NULL if that has no meaning. */
static GIVE model *read_any_copies(const source *s) {
  source again;
  reading r;
  module tree = {0};
  findings unseen = {.most = SIZE_MAX};
  diagnostics silent = {.findings = &unseen};
  source_open(&again, s->path, s->text, s->own);
  again.c_settings = s->c_settings;
  reading_open(&r, &again, &silent);
  parse_module(&r.parser, &tree);
  if (!silent.errors && s->c_settings)
    set_constants(&tree, s->c_settings->defines, r.arena, &r.words, s->path, &silent);
  if (!silent.errors) copies_open_constants(&tree, r.arena);
  if (!silent.errors) copies_to_arrays(&tree, r.arena, &r.words, &r.reporter, SIZE_MAX);
  if (!silent.errors) declare_module(&r.checker, &tree);
  if (!silent.errors) check_module(&r.checker, &tree);
  model *m = silent.errors || !tree.has_copies ? NULL : lower_tree(&r, &again, &tree);
  if (m && silent.errors) {
    model_free(m);
    m = NULL;
  }
  VECTOR_FREE(tree.declarations);
  text_clear(&silent.text);
  findings_clear(&unseen);
  reading_close(&r);
  source_close(&again);
  return m;
}

static model *read_module(reading *r, const source *s, diagnostics *d) {
  module tree = {0};
  parse_module(&r->parser, &tree);
  if (!d->errors && !tree.declarations.count) report_file_error(d, s->path, "the file declares nothing");
  if (!d->errors && s->c_settings) set_constants(&tree, s->c_settings->defines, r->arena, &r->words, s->path, d);
  size_t copies = d->errors ? 0 : copies_given_by_constants(&tree);
  if (!d->errors) turn_copies(r, s, &tree);
  if (!d->errors) declare_module(&r->checker, &tree);
  if (!d->errors) check_module(&r->checker, &tree);
  model *m = d->errors ? NULL : lower_tree(r, s, &tree);
  VECTOR_FREE(tree.declarations);
  if (!m || d->errors || copies < 2 || tree.has_copies) return m;
  m->copies = copies;
  m->any_copies = read_any_copies(s);
  return m;
}

void whet_read_names(source *s, diagnostics *d, name_record *record, void (*look)(void *context, const whet_reading *r),
                     void *context) {
  reading r;
  module tree = {0};
  findings unseen = {.most = SIZE_MAX};
  diagnostics silent = {.findings = &unseen};
  reading_open(&r, s, d);
  r.scope.record = record;
  parse_module(&r.parser, &tree);
  if (!d->errors && !tree.declarations.count) report_file_error(d, s->path, "the file declares nothing");
  bool is_well_formed = !d->errors;
  if (!is_well_formed) r.reporter.out = &silent;
  if (is_well_formed) turn_copies(&r, s, &tree);
  declare_module(&r.checker, &tree);
  if (!r.reporter.out->errors || !is_well_formed) check_module(&r.checker, &tree);
  r.reporter.out = d;
  names_keep_findings(s, &tree, &unseen, d);
  model *m = d->errors ? NULL : lower_tree(&r, s, &tree);
  look(context, &(whet_reading){&r.scope, &tree, d->errors ? NULL : m, is_well_formed});
  model_free(m);
  VECTOR_FREE(tree.declarations);
  text_clear(&silent.text);
  findings_clear(&unseen);
  reading_close(&r);
}

GIVE model *whet_read(source *s, diagnostics *d) {
  reading r;
  reading_open(&r, s, d);
  model *m = read_module(&r, s, d);
  reading_close(&r);
  if (!d->errors) return m;
  model_free(m);
  return NULL;
}

bool whet_read_expressions(model *m, source *s, term_vector *out, diagnostics *d) {
  reading r;
  expressions list;
  term_vector made = {0};
  reading_open(&r, s, d);
  parse_expression_list(&r.parser, &list);
  if (!d->errors) {
    lowering l;
    lowering_open(&l, &r.scope, m);
    model_scope_fill(&l, m);
    for (size_t i = 0; i < list.count; i++) check_condition(&r.checker, list.at[i], "a predicate");
    for (size_t i = 0; i < list.count && !d->errors; i++) {
      term t = lower_condition(&l, list.at[i]);
      VECTOR_PUSH(made, t);
    }
    lowering_close(&l);
  }
  reading_close(&r);
  for (size_t i = 0; i < made.count && !d->errors; i++) VECTOR_PUSH(*out, made.at[i]);
  VECTOR_FREE(made);
  return !d->errors;
}
