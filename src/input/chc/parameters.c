/* Parameters of predicates: variables of their own, called as the text calls what stands in their places. */
#include "base/map.h"
#include "input/chc/form.h"

static void note_names(const terms *ts, const term_vector *arguments, char **names) {
  for (size_t i = 0; i < arguments->count; i++) {
    term t = arguments->at[i];
    term_kind kind = term_kind_of(ts, t);
    bool is_variable = !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE ||
                                               kind == TERM_REAL_VARIABLE || kind == TERM_ARRAY_VARIABLE);
    if (!names[i] && is_variable) names[i] = clause_variable_name(ts, term_variable(ts, t));
  }
}

/* A value of an enumeration is called so: in a formula the parameter would hide it. */
static bool is_value(const clauses *all, const char *name) {
  for (size_t i = 0; i < all->enumerations.count; i++)
    for (size_t j = 0; j < all->enumerations.at[i].type.name_count; j++)
      if (!strcmp(all->enumerations.at[i].type.names[j], name)) return true;
  return false;
}

static variable parameter_new(terms *ts, const clauses *all, const char *predicate, const char *name, size_t nth,
                              const type *of) {
  variable taken, v;
  text full = {0};
  if (name)
    text_add(&full, "%s.%s", predicate, name);
  else
    text_add(&full, "%s.%zu", predicate, nth + 1);
  while (is_value(all, text_string(&full))) text_add_char(&full, '_');
  bool is_free = !variable_find(ts, text_string(&full), &taken);
  v = is_free ? variable_new(ts, text_string(&full), of) : variable_fresh(ts, text_string(&full), of);
  text_clear(&full);
  return v;
}

void clauses_make_parameters(model *m, const type *types, const size_t *counts) {
  clauses *all = m->clauses;
  size_t total = 0;
  size_t *first = MEMORY_ARRAY(size_t, all->predicates.count + 1);
  for (size_t i = 0; i < all->predicates.count; i++) {
    first[i] = total;
    total += counts[i];
  }
  char **names = MEMORY_ARRAY(char *, total + 1);
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    for (size_t j = 0; j < c->body.count; j++)
      note_names(m->terms, &c->body.at[j].arguments, names + first[c->body.at[j].predicate]);
  }
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    if (c->head != NO_PREDICATE) note_names(m->terms, &c->head_arguments, names + first[c->head]);
  }
  for (size_t i = 0; i < all->predicates.count; i++)
    for (size_t j = 0; j < counts[i]; j++) {
      clause_predicate *p = &all->predicates.at[i];
      VECTOR_PUSH(p->parameters, parameter_new(m->terms, all, p->name, names[first[i] + j], j, &types[first[i] + j]));
    }
  for (size_t i = 0; i < total; i++) memory_free(names[i]);
  memory_free(names);
  memory_free(first);
}
