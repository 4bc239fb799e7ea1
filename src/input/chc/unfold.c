/* Which predicates are unfolded, in which order. */
#include "input/chc/unfold.h"

#include "term/fold.h"

/* The text may grow to so many times its size, and always to SMALL. */
enum { MOST_GROWTH = 12, SMALL = 20000, MOST_RESOLVENTS = 64, MOST_ATOMS = 200, MOST_PARTS = 4000 };

typedef struct unfolding {
  model *model;
  terms *ts;
  const clauses *all;
  resolver *resolver;
  VECTOR(unfolded_clause) work;
  index_vector *deriving, *using; /* by predicate: clauses, dead ones among them */
  predicate_treatment *treatments;
  bool *is_recursive;
  size_t size, limit; /* of the text */
} unfolding;

/* ---- what no facts lead to, what leads to no query ---- */

static bool body_is_derivable(const clause *c, const bool *derivable) {
  for (size_t i = 0; i < c->body.count; i++)
    if (!derivable[c->body.at[i].predicate]) return false;
  return !term_is_false(c->constraint);
}

/* Rounds over all clauses, up and down in turn: few are needed if definitions come first, or last. */
static void find_derivable(const unfolding *u, bool *derivable) {
  size_t count = u->all->clauses.count;
  bool is_up = true;
  for (bool more = true; more; is_up = !is_up) {
    more = false;
    for (size_t i = 0; i < count; i++) {
      const clause *c = &u->all->clauses.at[is_up ? i : count - 1 - i];
      if (c->head == NO_PREDICATE || derivable[c->head] || !body_is_derivable(c, derivable)) continue;
      derivable[c->head] = more = true;
    }
  }
}

static void find_leading_to_queries(const unfolding *u, const bool *derivable, bool *leads) {
  size_t count = u->all->clauses.count;
  bool is_up = false;
  for (bool more = true; more; is_up = !is_up) {
    more = false;
    for (size_t i = 0; i < count; i++) {
      const clause *c = &u->all->clauses.at[is_up ? i : count - 1 - i];
      if ((c->head != NO_PREDICATE && !leads[c->head]) || !body_is_derivable(c, derivable)) continue;
      for (size_t j = 0; j < c->body.count; j++) {
        more |= !leads[c->body.at[j].predicate];
        leads[c->body.at[j].predicate] = true;
      }
    }
  }
}

static void find_treatments(unfolding *u) {
  size_t count = u->all->predicates.count;
  bool *derivable = MEMORY_ARRAY(bool, count + 1), *leads = MEMORY_ARRAY(bool, count + 1);
  find_derivable(u, derivable);
  find_leading_to_queries(u, derivable, leads);
  for (size_t i = 0; i < count; i++)
    u->treatments[i] = !derivable[i] ? PREDICATE_FALSE : !leads[i] ? PREDICATE_TRUE : PREDICATE_KEPT;
  memory_free(derivable);
  memory_free(leads);
}

/* ---- the clauses under way ---- */

static void enter(unfolding *u, TAKE unfolded_clause c) {
  uint32_t at = (uint32_t)u->work.count;
  u->size += c.size;
  if (c.clause.head != NO_PREDICATE) VECTOR_PUSH(u->deriving[c.clause.head], at);
  for (size_t i = 0; i < c.clause.body.count; i++) {
    bool is_first = true;
    for (size_t j = 0; j < i; j++) is_first &= c.clause.body.at[j].predicate != c.clause.body.at[i].predicate;
    if (is_first) VECTOR_PUSH(u->using[c.clause.body.at[i].predicate], at);
  }
  VECTOR_PUSH(u->work, c);
}

static void clause_of_text_free(unfolded_clause *c) {
  clause_clear(&c->clause);
  clause_origin_clear(&c->origin);
}

static void leave(unfolding *u, uint32_t at) {
  unfolded_clause *c = &u->work.at[at];
  c->is_dead = true;
  u->size -= c->size;
  clause_of_text_free(c);
  c->clause = (clause){0};
  c->origin = (clause_origin){0};
}

static unfolded_clause copy_of(terms *ts, const clause *c, uint32_t index) {
  unfolded_clause made = {.clause = {.head = c->head,
                                     .constraint = c->constraint,
                                     .property = c->property,
                                     .has_constants = c->has_constants,
                                     .place = c->place}};
  for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(made.clause.variables, c->variables.at[i]);
  for (size_t i = 0; i < c->body.count; i++) {
    clause_add_body(&made.clause, c->body.at[i].predicate, c->body.at[i].arguments.count, c->body.at[i].arguments.at);
    made.size += c->body.at[i].arguments.count;
  }
  for (size_t i = 0; i < c->head_arguments.count; i++) VECTOR_PUSH(made.clause.head_arguments, c->head_arguments.at[i]);
  made.size += term_size(ts, c->constraint) + c->head_arguments.count + c->variables.count;
  made.origin = clause_origin_of_itself(ts, c, index);
  return made;
}

static bool is_kept(const unfolding *u, const clause *c) {
  if (term_is_false(c->constraint) || (c->head != NO_PREDICATE && u->treatments[c->head] != PREDICATE_KEPT))
    return false;
  for (size_t i = 0; i < c->body.count; i++)
    if (u->treatments[c->body.at[i].predicate] != PREDICATE_KEPT) return false;
  return true;
}

/* ---- one predicate ---- */

static void drop_dead(const unfolding *u, index_vector *v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++)
    if (!u->work.at[v->at[i]].is_dead) v->at[kept++] = v->at[i];
  v->count = kept;
}

static size_t occurrences(const clause *c, uint32_t predicate) {
  size_t count = 0;
  for (size_t i = 0; i < c->body.count; i++) count += c->body.at[i].predicate == predicate;
  return count;
}

/* How many clauses take the place of those that use it, and their size; SIZE_MAX if that is too much. */
static size_t cost_of(const unfolding *u, uint32_t predicate, size_t *resolvents) {
  size_t definitions = u->deriving[predicate].count, defining_size = 0, size = 0;
  *resolvents = 0;
  for (size_t i = 0; i < definitions; i++) {
    const unfolded_clause *d = &u->work.at[u->deriving[predicate].at[i]];
    if (occurrences(&d->clause, predicate) || d->origin.parts.count > MOST_PARTS) return SIZE_MAX;
    defining_size += d->size;
  }
  for (size_t i = 0; i < u->using[predicate].count; i++) {
    const unfolded_clause *c = &u->work.at[u->using[predicate].at[i]];
    size_t times = 1, uses = occurrences(&c->clause, predicate);
    for (size_t j = 0; j < uses && times <= MOST_RESOLVENTS; j++) times *= definitions;
    *resolvents += times;
    if (times > MOST_RESOLVENTS || c->clause.body.count > MOST_ATOMS) return SIZE_MAX;
    size += times * (c->size + (definitions ? uses * defining_size / definitions : 0));
  }
  return size;
}

static bool is_linear(const unfolding *u, uint32_t at) { return u->work.at[at].clause.body.count <= 1; }

/* Resolvents are no more than the clauses that go, or few; recursive ones are merged only if one leads to one. */
static bool is_to_be_unfolded(unfolding *u, uint32_t predicate) {
  size_t resolvents;
  drop_dead(u, &u->deriving[predicate]);
  drop_dead(u, &u->using[predicate]);
  size_t size = cost_of(u, predicate, &resolvents);
  if (size == SIZE_MAX || u->size + size > u->limit) return false;
  size_t ways_in = u->deriving[predicate].count, ways_out = u->using[predicate].count;
  if (u->is_recursive[predicate]) return ways_in == 1 && ways_out == 1 && is_linear(u, u->deriving[predicate].at[0]);
  return resolvents <= ways_in + ways_out || resolvents <= MOST_RESOLVENTS;
}

static size_t first_use(const clause *c, uint32_t predicate) {
  size_t i = 0;
  while (c->body.at[i].predicate != predicate) i++;
  return i;
}

/* Resolves `c`, which is taken, until the predicate is not in it. */
static void resolve_all(unfolding *u, TAKE unfolded_clause c, uint32_t predicate) {
  VECTOR(unfolded_clause) pending = {0};
  VECTOR_PUSH(pending, c);
  while (pending.count) {
    unfolded_clause now = VECTOR_POP(pending);
    bool is_done = !occurrences(&now.clause, predicate);
    if (is_done && !term_is_false(now.clause.constraint)) {
      enter(u, now);
      continue;
    }
    for (size_t i = u->deriving[predicate].count; i-- > 0 && !is_done;) {
      const unfolded_clause *d = &u->work.at[u->deriving[predicate].at[i]];
      unfolded_clause made = resolver_apply(u->resolver, &now, first_use(&now.clause, predicate), d);
      VECTOR_PUSH(pending, made);
    }
    clause_of_text_free(&now);
  }
  VECTOR_FREE(pending);
}

static void unfold(unfolding *u, uint32_t predicate) {
  index_vector uses = u->using[predicate];
  u->using[predicate] = (index_vector){0};
  for (size_t i = 0; i < uses.count; i++) {
    unfolded_clause *c = &u->work.at[uses.at[i]];
    unfolded_clause taken = *c;
    u->size -= c->size;
    *c = (unfolded_clause){.is_dead = true};
    resolve_all(u, taken, predicate);
  }
  for (size_t i = 0; i < u->deriving[predicate].count; i++) leave(u, u->deriving[predicate].at[i]);
  VECTOR_FREE(uses);
  VECTOR_CLEAR(u->deriving[predicate]);
  u->treatments[predicate] = PREDICATE_UNFOLDED;
}

static void unfold_all(unfolding *u) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < u->all->predicates.count; i++) {
      if (u->treatments[i] != PREDICATE_KEPT || !is_to_be_unfolded(u, i)) continue;
      unfold(u, i);
      more = true;
    }
  }
}

/* ---- all of it ---- */

static bool has_trees(const clauses *all) {
  for (size_t i = 0; i < all->clauses.count; i++)
    if (all->clauses.at[i].body.count > 1) return true;
  return false;
}

static GIVE clauses *give_clauses(unfolding *u) {
  clauses *made = horn_clauses_new();
  made->is_horn = u->all->is_horn;
  for (size_t i = 0; i < u->all->predicates.count; i++) {
    clause_predicate p = u->all->predicates.at[i];
    p.parameters = (variable_vector){0};
    for (size_t j = 0; j < u->all->predicates.at[i].parameters.count; j++)
      VECTOR_PUSH(p.parameters, u->all->predicates.at[i].parameters.at[j]);
    VECTOR_PUSH(made->predicates, p);
    VECTOR_PUSH(made->treatments, u->treatments[i]);
  }
  for (size_t i = 0; i < u->work.count; i++) {
    if (u->work.at[i].is_dead) continue;
    VECTOR_PUSH(made->clauses, u->work.at[i].clause);
    VECTOR_PUSH(made->origins, u->work.at[i].origin);
  }
  made->are_trees = has_trees(made);
  return made;
}

static void unfolding_free(unfolding *u) {
  for (size_t i = 0; i < u->all->predicates.count; i++) {
    VECTOR_FREE(u->deriving[i]);
    VECTOR_FREE(u->using[i]);
  }
  memory_free(u->deriving);
  memory_free(u->using);
  memory_free(u->treatments);
  memory_free(u->is_recursive);
  VECTOR_FREE(u->work);
  resolver_free(u->resolver);
}

void chc_unfold(model *m) {
  if (!has_trees(m->clauses)) return;
  size_t count = m->clauses->predicates.count;
  unfolding u = {.model = m, .ts = m->terms, .all = m->clauses, .resolver = resolver_new(m->terms)};
  u.deriving = MEMORY_ARRAY(index_vector, count + 1);
  u.using = MEMORY_ARRAY(index_vector, count + 1);
  u.treatments = MEMORY_ARRAY(predicate_treatment, count + 1);
  u.is_recursive = MEMORY_ARRAY(bool, count + 1);
  chc_find_recursive(u.all, u.is_recursive);
  find_treatments(&u);
  for (uint32_t i = 0; i < u.all->clauses.count; i++)
    if (is_kept(&u, &u.all->clauses.at[i])) enter(&u, copy_of(u.ts, &u.all->clauses.at[i], i));
  u.limit = u.size > SMALL / MOST_GROWTH ? u.size * MOST_GROWTH : SMALL;
  unfold_all(&u);
  m->clauses->rewritten = give_clauses(&u);
  m->clauses->are_trees = m->clauses->rewritten->are_trees;
  unfolding_free(&u);
}
