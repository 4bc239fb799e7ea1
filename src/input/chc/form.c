/* A clause is a disjunction: of the head, the negated body and negated constraints. An assertion is taken apart along
 * the operators that lead to predicates; if those are conjunctions it becomes several clauses. */
#include "input/chc/form.h"

#include "input/chc/one_point.h"

enum { MOST_BOUND = 10000, MOST_CLAUSES = 200000, HAS_PREDICATE = 1, HAS_QUANTIFIER = 2 };

typedef struct literal {
  uint32_t node, scope;
  bool is_negative;
} literal;

/* A disjunction under way. */
typedef struct draft {
  VECTOR(literal) pending, atoms, constraints;
} draft;

typedef struct scope_entry {
  variable_vector bound;
} scope_entry;

typedef struct forming {
  former *f;
  VECTOR(draft) drafts;
  VECTOR(scope_entry) scopes;
  names *times; /* how often a name has been bound in this assertion */
  uint32_t current;
  span at;
} forming;

static bool fail(forming *w, const char *what) {
  report_error(w->f->reporter, w->at.start, "%s", what);
  return false;
}

/* ---- variables ---- */

variable clause_variable(terms *ts, const char *name, const type *of, size_t nth) {
  variable v;
  for (size_t i = nth;; i++) {
    const char *mark = of->sort == SORT_BOOL    ? "b"
                       : of->sort == SORT_REAL  ? "r"
                       : of->sort == SORT_ARRAY ? "a"
                       : of->names              ? "e"
                                                : "";
    char *full = text_format("%s!%zu%s", name, i, mark);
    bool found = variable_find(ts, full, &v);
    bool fits = !found || (types_have_one_sort(variable_type(ts, v), of) && variable_type(ts, v)->names == of->names);
    if (!found) v = variable_new(ts, full, of);
    memory_free(full);
    if (fits) return v;
  }
}

type smtlib_type(const clauses *all, smtlib_sort s) {
  return s.enumeration == NO_ENUMERATION ? (type){.sort = s.sort, .element = s.element, .nesting = s.nesting}
                                         : all->enumerations.at[s.enumeration].type;
}

/* ---- scopes ---- */

/* False if whet has no such sort. */
static bool type_of_bound(const former *f, bound_name b, type *out) {
  static const type known[] = {
      [NODE_BOOL] = {.sort = SORT_BOOL}, [NODE_INT] = {.sort = SORT_INT}, [NODE_REAL] = {.sort = SORT_REAL}};
  const type *named = NULL;
  if (b.sort == NODE_DATATYPE)
    named = clauses_enumeration_named(f->model->clauses, node_string(f->converter.nodes, b.sort_name));
  if (b.sort < ARRAY_LENGTH(known)) named = &known[b.sort];
  if (named) *out = *named;
  if (node_sort_is_array(b.sort)) *out = node_array_type(b.sort);
  return named || node_sort_is_array(b.sort);
}

static bool bind(forming *w, const node *n, variable_vector *bound) {
  const nodes *all = w->f->converter.nodes;
  for (uint32_t i = 0; i < n->bound_count; i++) {
    bound_name b = all->bound.at[n->bound_first + i];
    const char *name = node_string(all, b.name);
    uint64_t times = 0, symbol;
    type of;
    if (!type_of_bound(w->f, b, &of)) {
      report_error(w->f->reporter, w->at.start,
                   "the variable `%s` is of sort %s; whet supports only Int, Real and Bool, and arrays of these by Int",
                   name, node_string(all, b.sort_name));
      return false;
    }
    if (!names_get(w->times, name, &times) && names_get(w->f->converter.symbols, name, &symbol))
      times = 1; /* the declared symbol that it hides, which is the first of that name, is another one */
    names_set(w->times, name, times + 1);
    VECTOR_PUSH(*bound, clause_variable(w->f->model->terms, name, &of, times));
    if (bound->count > MOST_BOUND) return fail(w, "there are too many variables in this clause");
  }
  return true;
}

static bool convert(forming *w, literal l, term *out) {
  converter *c = &w->f->converter;
  if (w->current != l.scope) {
    const variable_vector *bound = &w->scopes.at[l.scope].bound;
    VECTOR_CLEAR(c->bound);
    for (size_t i = 0; i < bound->count; i++) VECTOR_PUSH(c->bound, bound->at[i]);
    converter_rescope(c);
    w->current = l.scope;
  }
  return converter_term(c, l.node, out) || fail(w, c->error);
}

/* ---- taking apart ---- */

static draft draft_copy(const draft *d) {
  draft copy = {0};
  for (size_t i = 0; i < d->pending.count; i++) VECTOR_PUSH(copy.pending, d->pending.at[i]);
  for (size_t i = 0; i < d->atoms.count; i++) VECTOR_PUSH(copy.atoms, d->atoms.at[i]);
  for (size_t i = 0; i < d->constraints.count; i++) VECTOR_PUSH(copy.constraints, d->constraints.at[i]);
  return copy;
}

static void draft_free(draft *d) {
  VECTOR_FREE(d->pending);
  VECTOR_FREE(d->atoms);
  VECTOR_FREE(d->constraints);
}

static bool is_predicate(const former *f, const node *n) {
  uint64_t at;
  return n->op == NODE_SYMBOL && names_get(f->predicates, node_string(f->converter.nodes, n->name), &at);
}

/* Each argument is an alternative: one goes on in `d`, the others in copies. */
static void branch(forming *w, draft *d, literal l, const node *n) {
  for (uint32_t i = 1; i < n->count; i++) {
    draft other = draft_copy(d);
    VECTOR_PUSH(other.pending, (literal){node_argument(w->f->converter.nodes, n, i), l.scope, l.is_negative});
    VECTOR_PUSH(w->drafts, other);
  }
  VECTOR_PUSH(d->pending, (literal){node_argument(w->f->converter.nodes, n, 0), l.scope, l.is_negative});
}

/* a => b is `not a or b`; if c then a else b is `(c => a) and (not c => b)`. */
static void take_conditional(forming *w, draft *d, literal l, const node *n) {
  const nodes *all = w->f->converter.nodes;
  literal first = {node_argument(all, n, 0), l.scope, true},
          second = {node_argument(all, n, 1), l.scope, l.is_negative};
  bool branches = n->op == NODE_ITE || l.is_negative;
  if (branches) {
    draft other = draft_copy(d);
    VECTOR_PUSH(other.pending, (literal){first.node, l.scope, false});
    if (n->op == NODE_ITE) VECTOR_PUSH(other.pending, (literal){node_argument(all, n, 2), l.scope, l.is_negative});
    VECTOR_PUSH(w->drafts, other);
  }
  if (!branches || n->op == NODE_ITE) VECTOR_PUSH(d->pending, first);
  VECTOR_PUSH(d->pending, second);
}

static bool take_quantifier(forming *w, draft *d, literal l) {
  const nodes *all = w->f->converter.nodes;
  scope_entry inner = {0};
  const variable_vector outer = w->scopes.at[l.scope].bound;
  for (size_t i = 0; i < outer.count; i++) VECTOR_PUSH(inner.bound, outer.at[i]);
  const node *n = &all->nodes.at[l.node];
  uint8_t op = n->op;
  bool fine = true;
  for (; fine && n->op == op; n = &all->nodes.at[l.node]) {
    fine = bind(w, n, &inner.bound);
    l.node = node_argument(all, n, 0);
  }
  l.scope = (uint32_t)w->scopes.count;
  VECTOR_PUSH(w->scopes, inner);
  VECTOR_PUSH(d->pending, l);
  return fine;
}

/* `exists y . y = t && A` is `forall y . y = t => y = t && A`, and with that it may stand on the other side. */
static bool take_one_point(forming *w, draft *d, literal l) {
  const former *f = w->f;
  const nodes *all = f->converter.nodes;
  const node *n = &all->nodes.at[l.node];
  index_vector equations = {0};
  scope_entry inner = {0};
  if (!one_point_equations(all, f->contents.at, l.node, &equations)) {
    VECTOR_FREE(equations);
    return fail(w, n->op == NODE_FORALL ? "`forall` to the left of an implication is not supported"
                                        : "`exists` to the right of an implication is not supported");
  }
  VECTOR_COPY(inner.bound, w->scopes.at[l.scope].bound);
  bool fine = bind(w, n, &inner.bound);
  uint32_t scope = (uint32_t)w->scopes.count;
  VECTOR_PUSH(w->scopes, inner);
  for (size_t i = 0; i < equations.count; i++) VECTOR_PUSH(d->pending, (literal){equations.at[i], scope, true});
  VECTOR_PUSH(d->pending, (literal){node_argument(all, n, 0), scope, l.is_negative});
  VECTOR_FREE(equations);
  return fine;
}

static bool take(forming *w, draft *d, literal l) {
  const former *f = w->f;
  const node *n = &f->converter.nodes->nodes.at[l.node];
  if (n->op == (l.is_negative ? NODE_EXISTS : NODE_FORALL)) return take_quantifier(w, d, l);
  if (is_predicate(f, n)) {
    for (size_t i = 0; i < d->atoms.count; i++) {
      const literal *a = &d->atoms.at[i];
      if (a->node == l.node && a->scope == l.scope && a->is_negative == l.is_negative) return true;
    }
    VECTOR_PUSH(d->atoms, l);
    return true;
  }
  if (!f->contents.at[l.node]) {
    VECTOR_PUSH(d->constraints, l);
    return true;
  }
  switch ((node_operator)n->op) {
    case NODE_NOT:
      VECTOR_PUSH(d->pending, (literal){node_argument(f->converter.nodes, n, 0), l.scope, !l.is_negative});
      return true;
    case NODE_AND:
    case NODE_OR:
      if (l.is_negative == (n->op == NODE_OR)) {
        branch(w, d, l, n);
        return true;
      }
      for (uint32_t i = 0; i < n->count; i++)
        VECTOR_PUSH(d->pending, (literal){node_argument(f->converter.nodes, n, i), l.scope, l.is_negative});
      return true;
    case NODE_IMPLIES:
    case NODE_ITE: take_conditional(w, d, l, n); return true;
    case NODE_FORALL:
    case NODE_EXISTS: return take_one_point(w, d, l);
    default: break;
  }
  if (!(f->contents.at[l.node] & HAS_PREDICATE)) {
    VECTOR_PUSH(d->constraints, l); /* a quantifier where none is taken; the converter says so */
    return true;
  }
  report_error(f->reporter, w->at.start, "this is not a Horn clause: a predicate stands inside of `%s`",
               node_string(f->converter.nodes, n->name));
  return false;
}

/* ---- clauses ---- */

static bool take_head(forming *w, clause *c, uint32_t predicate) {
  const clauses *all = w->f->model->clauses;
  if (c->head != NO_PREDICATE) {
    report_error(w->f->reporter, w->at.start, "this is not a Horn clause: it has two heads, `%s` and `%s`",
                 all->predicates.at[c->head].name, all->predicates.at[predicate].name);
    return false;
  }
  c->head = predicate;
  return true;
}

static bool take_atom(forming *w, clause *c, literal l) {
  const former *f = w->f;
  const node *n = &f->converter.nodes->nodes.at[l.node];
  uint64_t predicate;
  names_get(f->predicates, node_string(f->converter.nodes, n->name), &predicate);
  if (!l.is_negative && !take_head(w, c, (uint32_t)predicate)) return false;
  if (l.is_negative) clause_add_body(c, (uint32_t)predicate, 0, NULL);
  term_vector *arguments = l.is_negative ? &VECTOR_LAST(c->body).arguments : &c->head_arguments;
  for (uint32_t i = 0; i < n->count; i++) {
    term value;
    literal argument = {node_argument(f->converter.nodes, n, i), l.scope, false};
    if (!convert(w, argument, &value)) return false;
    VECTOR_PUSH(*arguments, value);
  }
  return true;
}

static bool fill_clause(forming *w, draft *d, clause *c) {
  terms *ts = w->f->model->terms;
  term_vector parts = {0};
  bool fine = true;
  for (size_t i = d->atoms.count; i-- > 0 && fine;) fine = take_atom(w, c, d->atoms.at[i]);
  for (size_t i = d->constraints.count; i-- > 0 && fine;) {
    term t;
    fine = convert(w, d->constraints.at[i], &t);
    if (fine) VECTOR_PUSH(parts, d->constraints.at[i].is_negative ? t : term_not(t));
  }
  if (fine) c->constraint = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return fine;
}

static bool has_variable(const clause *c, variable v) {
  for (size_t i = 0; i < c->variables.count; i++)
    if (variable_same(c->variables.at[i], v)) return true;
  return false;
}

/* A later rounding may be of an earlier one. */
void clause_add_roundings(const converter *from, clause *c) {
  terms *ts = from->ts;
  clause_find_variables(ts, c);
  for (size_t i = from->roundings.count; i-- > 0;) {
    const rounding *r = &from->roundings.at[i];
    if (!has_variable(c, r->value)) continue;
    c->constraint = term_and(ts, c->constraint, r->is);
    clause_find_variables(ts, c);
  }
}

/* Variables of enumerations have the values of these and no others: it is a part of the clause. */
static void add_ranges(former *f, clause *c) {
  terms *ts = f->model->terms;
  for (size_t i = 0; i < c->variables.count; i++)
    if (variable_type(ts, c->variables.at[i])->names)
      c->constraint = term_and(ts, c->constraint, variable_in_type(ts, c->variables.at[i]));
}

static bool add_clause(forming *w, draft *d) {
  former *f = w->f;
  clause c = {.head = NO_PREDICATE, .place = source_place(f->source, w->at.start)};
  if (!fill_clause(w, d, &c)) {
    clause_clear(&c);
    return false;
  }
  clause_add_roundings(&f->converter, &c);
  add_ranges(f, &c);
  for (size_t i = 0; i < c.variables.count; i++)
    c.has_constants |= c.variables.at[i].x < f->constant_count && f->is_constant[c.variables.at[i].x];
  VECTOR_PUSH(f->model->clauses->clauses, c);
  return f->model->clauses->clauses.count < MOST_CLAUSES + f->converter.nodes->roots.count ||
         fail(w, "these are too many clauses");
}

static bool finish_draft(forming *w, draft *d) {
  while (d->pending.count) {
    literal l = VECTOR_POP(d->pending);
    if (w->drafts.count > MOST_CLAUSES) return fail(w, "these are too many clauses");
    if (!take(w, d, l)) return false;
  }
  return add_clause(w, d);
}

bool former_add(former *f, uint32_t root, span at) {
  forming w = {.f = f, .times = names_new(), .current = UINT32_MAX, .at = at};
  draft first = {0};
  VECTOR_PUSH(w.scopes, (scope_entry){0});
  VECTOR_PUSH(first.pending, (literal){root, 0, false});
  VECTOR_PUSH(w.drafts, first);
  bool fine = true;
  while (w.drafts.count && fine) {
    draft d = VECTOR_POP(w.drafts);
    fine = finish_draft(&w, &d);
    draft_free(&d);
  }
  for (size_t i = 0; i < w.drafts.count; i++) draft_free(&w.drafts.at[i]);
  for (size_t i = 0; i < w.scopes.count; i++) VECTOR_FREE(w.scopes.at[i].bound);
  VECTOR_FREE(w.drafts);
  VECTOR_FREE(w.scopes);
  names_free(w.times);
  return fine;
}

/* ---- the former ---- */

static void find_contents(former *f) {
  const nodes *all = f->converter.nodes;
  for (size_t i = 0; i < all->nodes.count; i++) {
    const node *n = &all->nodes.at[i];
    uint8_t inside = is_predicate(f, n) ? HAS_PREDICATE : 0;
    if (n->op == NODE_FORALL || n->op == NODE_EXISTS) inside |= HAS_QUANTIFIER;
    for (uint32_t j = 0; j < n->count; j++) inside |= f->contents.at[node_argument(all, n, j)];
    VECTOR_PUSH(f->contents, inside);
  }
}

static void add_enumerations(former *f, const smtlib_commands *c) {
  model *m = f->model;
  for (size_t i = 0; i < c->enumerations.count; i++) {
    const smtlib_enumeration *e = &c->enumerations.at[i];
    size_t count = e->values.count;
    const char **values = arena_alloc(terms_arena(m->terms), count * sizeof *values);
    for (size_t j = 0; j < count; j++) {
      values[j] = model_string(m, e->values.at[j]);
      names_set(f->converter.constructors, e->values.at[j], j);
    }
    type of = {.sort = SORT_INT,
               .has_low = true,
               .has_high = true,
               .low = number_of(0),
               .high = number_of((int64_t)count - 1)};
    of.names = values;
    of.name_count = count;
    VECTOR_PUSH(m->clauses->enumerations, ((clause_enumeration){model_string(m, e->name), of}));
  }
}

void former_open(former *f, model *m, const nodes *n, const smtlib_commands *c, source *s, reporter *r) {
  *f = (former){.model = m, .source = s, .reporter = r, .predicates = names_new()};
  converter_open(&f->converter, m->terms, n);
  add_enumerations(f, c);
  VECTOR(variable) constants = {0};
  for (size_t i = 0; i < c->declarations.count; i++) {
    const smtlib_declaration *d = &c->declarations.at[i];
    if (d->kind == DECLARED_PREDICATE) {
      clause_predicate p = {.name = model_string(m, d->name), .place = source_place(s, d->at.start)};
      names_set(f->predicates, d->name, m->clauses->predicates.count);
      VECTOR_PUSH(m->clauses->predicates, p);
      continue;
    }
    type of = smtlib_type(m->clauses, d->sort);
    variable v = clause_variable(m->terms, d->name, &of, 0);
    names_set(f->converter.symbols, d->name, v.x);
    if (d->kind == DECLARED_CONSTANT) VECTOR_PUSH(constants, v);
  }
  f->constant_count = variable_count(m->terms);
  f->is_constant = MEMORY_ARRAY(bool, f->constant_count + 1);
  for (size_t i = 0; i < constants.count; i++) f->is_constant[constants.at[i].x] = true;
  VECTOR_FREE(constants);
  find_contents(f);
}

void former_close(former *f) {
  converter_close(&f->converter);
  names_free(f->predicates);
  VECTOR_FREE(f->contents);
  memory_free(f->is_constant);
}
