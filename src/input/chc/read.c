/* Commands, Z3's parser, clauses, a model. */
#include "input/chc/read.h"

#include "input/chc/arguments.h"
#include "input/chc/form.h"
#include "input/chc/lower.h"
#include "input/chc/unfold.h"
#include "input/smtlib/script.h"

#define PROPERTY_NAME "query"

static void make_parameters(model *m, const smtlib_commands *c) {
  VECTOR(type) types = {0};
  VECTOR(size_t) counts = {0};
  for (size_t i = 0; i < c->declarations.count; i++) {
    const smtlib_declaration *d = &c->declarations.at[i];
    if (d->kind != DECLARED_PREDICATE) continue;
    VECTOR_PUSH(counts, d->sorts.count);
    for (size_t j = 0; j < d->sorts.count; j++) VECTOR_PUSH(types, smtlib_type(m->clauses, d->sorts.at[j]));
  }
  clauses_make_parameters(m, types.at, counts.at);
  VECTOR_FREE(types);
  VECTOR_FREE(counts);
}

static bool form_clauses(model *m, script *s) {
  former f;
  former_open(&f, m, &s->nodes, &s->commands, s->source, &s->reporter);
  bool fine = true;
  for (size_t i = 0; i < s->nodes.roots.count && !reporter_is_full(&s->reporter); i++) {
    const smtlib_assertion *a = &s->commands.assertions.at[i];
    if (a->kind == ASSERT_CLAUSE) fine &= former_add(&f, s->nodes.roots.at[i], a->at);
  }
  former_close(&f);
  if (fine) make_parameters(m, &s->commands);
  return fine;
}

static GIVE model *read_clauses(script *s) {
  model *m = model_new(terms_new(), source_name(s->source));
  terms_names_are_escaped(m->terms);
  m->clauses = horn_clauses_new();
  m->clauses->is_horn = true;
  if (form_clauses(m, s)) {
    model_add_property(m, PROPERTY_NAME, PROPERTY_SAFE, (place){0});
    m->clauses->have_arrays = m->clauses->are_trees = terms_have_arrays(m->terms);
    if (!m->clauses->have_arrays) {
      chc_unfold(m);
      chc_drop_arguments(m);
    }
    if (clauses_have_system(m->clauses))
      chc_lower(m);
    else
      model_close(m);
  }
  if (!s->diagnostics->errors) return m;
  model_free(m);
  return NULL;
}

GIVE model *chc_read(source *s, diagnostics *d) {
  script read;
  model *m = script_open(&read, s, false, d) ? read_clauses(&read) : NULL;
  script_close(&read);
  return m;
}
