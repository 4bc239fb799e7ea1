/* A system in VMT-LIB says the same as Horn clauses about one predicate, `state`, whose arguments are the variables
 * with :next:
 *     init => state(x)
 *     state(x) and trans => state(x')
 *     state(x) and not property => false
 * Symbols without :next are inputs: variables of the clauses they occur in. From there on clauses do the rest. */
#include "input/vmt/read.h"

#include "input/chc/form.h"
#include "input/chc/lower.h"
#include "input/smtlib/script.h"
#include "term/substitute.h"

#define STATE "state"

typedef struct vmt_reader {
  source *source;
  reporter *reporter;
  const smtlib_commands *commands;
  const nodes *nodes;
  model *model;
  converter converter;
  variable_vector now, next;
  VECTOR(type) types;
  term_vector live; /* what must hold from some time on, by property */
  VECTOR(uint32_t) live_property;
  term_vector predicates; /* hints */
} vmt_reader;

static bool fail(vmt_reader *r, const smtlib_assertion *a, const char *what) {
  report_error(r->reporter, a->at.start, "%s", what);
  return false;
}

/* ---- variables ---- */

static void declare_symbols(vmt_reader *r) {
  for (size_t i = 0; i < r->commands->declarations.count; i++) {
    const smtlib_declaration *d = &r->commands->declarations.at[i];
    if (d->sorts.count) {
      report_error(r->reporter, d->at.start, "`%s` is a function; whet supports only variables", d->name);
      continue;
    }
    names_set(r->converter.symbols, d->name,
              clause_variable(r->model->terms, d->name, &(type){.sort = d->sort.sort}, 0).x);
  }
}

static bool variable_at(vmt_reader *r, const smtlib_assertion *a, uint32_t equation, size_t side, variable *out) {
  const node *n = &r->nodes->nodes.at[equation];
  if (n->op != NODE_EQUAL) return fail(r, a, ":next is for variables");
  const node *symbol = &r->nodes->nodes.at[node_argument(r->nodes, n, side)];
  uint64_t at;
  if (symbol->op != NODE_SYMBOL || !names_get(r->converter.symbols, node_string(r->nodes, symbol->name), &at))
    return fail(r, a, ":next relates two declared symbols");
  *out = (variable){(uint32_t)at};
  return true;
}

static bool add_state_variable(vmt_reader *r, const smtlib_assertion *a, uint32_t equation) {
  variable now, next;
  if (!variable_at(r, a, equation, 0, &now) || !variable_at(r, a, equation, 1, &next)) return false;
  if (variable_same(now, next)) return fail(r, a, "a variable cannot be its own next one");
  for (size_t i = 0; i < r->now.count; i++) {
    bool clash = variable_same(r->now.at[i], now) || variable_same(r->next.at[i], next) ||
                 variable_same(r->now.at[i], next) || variable_same(r->next.at[i], now);
    if (clash) return fail(r, a, "this variable has a :next already, or is one");
  }
  VECTOR_PUSH(r->now, now);
  VECTOR_PUSH(r->next, next);
  VECTOR_PUSH(r->types, *variable_type(r->model->terms, now));
  return true;
}

/* ---- clauses ---- */

static void push_variables(terms *ts, const variable_vector *from, term_vector *out) {
  for (size_t i = 0; i < from->count; i++) VECTOR_PUSH(*out, term_of_variable(ts, from->at[i]));
}

static void add_clause(vmt_reader *r, const smtlib_assertion *a, term constraint, bool has_body,
                       const variable_vector *head) {
  terms *ts = r->model->terms;
  clause c = {.head = head ? 0 : NO_PREDICATE, .constraint = constraint};
  c.place = source_place(r->source, a->at.start);
  c.property = head ? 0 : (uint32_t)r->model->properties.count - 1;
  if (has_body) {
    clause_add_body(&c, 0, 0, NULL);
    push_variables(ts, &r->now, &c.body.at[0].arguments);
  }
  if (head) push_variables(ts, head, &c.head_arguments);
  clause_add_roundings(&r->converter, &c);
  VECTOR_PUSH(r->model->clauses->clauses, c);
}

static bool add_property(vmt_reader *r, const smtlib_assertion *a, property_kind kind) {
  size_t digits = strspn(a->value, "0123456789"), taken;
  bool is_index = digits && !a->value[digits] && (digits == 1 || *a->value != '0');
  if (!is_index) return fail(r, a, "the value of a property is its index, such as :invar-property 0");
  char *name = text_format("%s%s", kind == PROPERTY_SAFE ? "invar" : "live", a->value);
  bool is_new = !model_find_property(r->model, name, &taken);
  if (is_new) model_add_property(r->model, name, kind, source_place(r->source, a->at.start));
  memory_free(name);
  return is_new || fail(r, a, "there is another property with this index");
}

static bool mentions_others(vmt_reader *r, term t) {
  variable_vector inside = {0};
  term_variables(r->model->terms, 1, &t, &inside);
  bool found = false;
  for (size_t i = 0; i < inside.count && !found; i++) {
    bool known = false;
    for (size_t j = 0; j < r->now.count && !known; j++) known = variable_same(r->now.at[j], inside.at[i]);
    found = !known;
  }
  VECTOR_FREE(inside);
  return found;
}

static bool mentions_any(vmt_reader *r, term t, const variable_vector *of) {
  bool found = false;
  for (size_t i = 0; i < of->count && !found; i++) found = term_mentions(r->model->terms, t, of->at[i]);
  return found;
}

static bool is_rounded(vmt_reader *r, term t) {
  bool found = false;
  for (size_t i = 0; i < r->converter.roundings.count && !found; i++)
    found = term_mentions(r->model->terms, t, r->converter.roundings.at[i].value);
  return found;
}

static bool add_formula(vmt_reader *r, const smtlib_assertion *a, term t) {
  if (a->kind != ASSERT_TRANS && mentions_any(r, t, &r->next))
    return fail(r, a, "only the transition may speak of next variables");
  switch (a->kind) {
    case ASSERT_INIT: add_clause(r, a, t, false, &r->now); return true;
    case ASSERT_TRANS: add_clause(r, a, t, true, &r->next); return true;
    case ASSERT_INVAR:
      if (!add_property(r, a, PROPERTY_SAFE)) return false;
      add_clause(r, a, term_not(t), true, NULL);
      return true;
    case ASSERT_LIVE:
      if (mentions_any(r, t, &r->converter.by_zero))
        return fail(r, a, "`div` and `mod` by what is no constant are not treated in a :live-property");
      if (is_rounded(r, t)) return fail(r, a, "`to_int` and `is_int` are not treated in a :live-property");
      if (mentions_others(r, t)) return fail(r, a, "a :live-property may not speak of inputs");
      if (!add_property(r, a, PROPERTY_LTL)) return false;
      VECTOR_PUSH(r->live, t);
      VECTOR_PUSH(r->live_property, (uint32_t)r->model->properties.count - 1);
      return true;
    case ASSERT_PREDICATE:
      if (!mentions_others(r, t)) VECTOR_PUSH(r->predicates, t);
      return true;
    default: return true;
  }
}

static bool read_assertions(vmt_reader *r) {
  size_t times[ASSERT_PREDICATE + 1] = {0};
  const smtlib_commands *c = r->commands;
  for (size_t i = 0; i < c->assertions.count; i++)
    if (c->assertions.at[i].kind == ASSERT_NEXT && !add_state_variable(r, &c->assertions.at[i], r->nodes->roots.at[i]))
      return false;
  for (size_t i = 0; i < c->assertions.count; i++) {
    const smtlib_assertion *a = &c->assertions.at[i];
    term t;
    if (a->kind == ASSERT_NEXT || a->kind == ASSERT_DEFINITION) continue;
    if (r->nodes->nodes.at[r->nodes->roots.at[i]].sort != NODE_BOOL) return fail(r, a, "this must be of sort Bool");
    if (!converter_term(&r->converter, r->nodes->roots.at[i], &t)) return fail(r, a, r->converter.error);
    if (++times[a->kind] > 1 && (a->kind == ASSERT_INIT || a->kind == ASSERT_TRANS))
      return fail(r, a, a->kind == ASSERT_INIT ? "there is another :init" : "there is another :trans");
    if (!add_formula(r, a, t)) return false;
  }
  if (times[ASSERT_INIT] && times[ASSERT_TRANS]) return true;
  report_error(r->reporter, 0, "no definition has the attribute %s", times[ASSERT_INIT] ? ":trans" : ":init");
  return false;
}

/* ---- over the variables of the model ---- */

/* `t` in a state that stands for `image`. */
static term at_image(vmt_reader *r, substitution *s, const clause_image *image, term t) {
  substitution_clear(s);
  for (size_t i = 0; i < r->now.count; i++) substitution_set(s, r->now.at[i], image->arguments.at[i]);
  return substitution_apply(s, t);
}

static temporal *unary(model *m, temporal_kind kind, temporal *of) {
  temporal *f = arena_alloc(model_arena(m), sizeof *f);
  f->kind = kind;
  f->left = of;
  return f;
}

static void set_live(vmt_reader *r, substitution *s, size_t i) {
  model *m = r->model;
  term_vector parts = {0};
  for (size_t j = 0; j < m->clauses->images.count; j++) {
    const clause_image *image = &m->clauses->images.at[j];
    VECTOR_PUSH(parts, term_and(m->terms, image->at, at_image(r, s, image, r->live.at[i])));
  }
  temporal *now = unary(m, TEMPORAL_STATE, NULL);
  now->state = term_or_all(m->terms, parts.count, parts.at);
  m->properties.at[r->live_property.at[i]].formula = unary(m, TEMPORAL_F, unary(m, TEMPORAL_G, now));
  VECTOR_FREE(parts);
}

static void set_predicates(vmt_reader *r, substitution *s) {
  model *m = r->model;
  for (size_t i = 0; i < r->predicates.count; i++)
    for (size_t j = 0; j < m->clauses->images.count; j++) {
      term t = at_image(r, s, &m->clauses->images.at[j], r->predicates.at[i]);
      bool is_new = !term_is_true(t) && !term_is_false(t);
      for (size_t k = 0; k < m->predicates.count && is_new; k++)
        is_new = !term_same(term_positive(m->predicates.at[k]), term_positive(t));
      if (is_new) VECTOR_PUSH(m->predicates, t);
    }
}

static void finish(vmt_reader *r) {
  size_t count = r->types.count;
  clauses_make_parameters(r->model, r->types.at, &count);
  chc_lower(r->model);
  substitution *s = substitution_new(r->model->terms);
  for (size_t i = 0; i < r->live.count; i++) set_live(r, s, i);
  set_predicates(r, s);
  substitution_free(s);
}

static GIVE model *read_system(vmt_reader *r, diagnostics *d) {
  r->model = model_new(terms_new(), source_name(r->source));
  terms_names_are_escaped(r->model->terms);
  r->model->clauses = horn_clauses_new();
  VECTOR_PUSH(r->model->clauses->predicates, (clause_predicate){.name = STATE});
  converter_open(&r->converter, r->model->terms, r->nodes);
  declare_symbols(r);
  if (!d->errors && read_assertions(r)) finish(r);
  converter_close(&r->converter);
  VECTOR_FREE(r->now);
  VECTOR_FREE(r->next);
  VECTOR_FREE(r->types);
  VECTOR_FREE(r->live);
  VECTOR_FREE(r->live_property);
  VECTOR_FREE(r->predicates);
  if (!d->errors) return r->model;
  model_free(r->model);
  return NULL;
}

GIVE model *vmt_read(source *s, diagnostics *d) {
  script read;
  model *m = NULL;
  if (script_open(&read, s, true, d)) {
    vmt_reader v = {.source = s, .reporter = &read.reporter, .commands = &read.commands, .nodes = &read.nodes};
    m = read_system(&v, d);
  }
  script_close(&read);
  return m;
}
