/* Finds scans, and puts clauses together around them. */
#include "engine/cells/pairs/scans.h"

#include "term/substitute.h"

enum { MOST_CLAUSES = 2000 };

static void copy_clause(const scanned_clause *from, scanned_clause *to) {
  const clause *c = &from->clause;
  *to = (scanned_clause){.clause = {.head = c->head, .constraint = c->constraint, .property = c->property}};
  for (size_t i = 0; i < c->body.count; i++)
    clause_add_body(&to->clause, c->body.at[i].predicate, c->body.at[i].arguments.count, c->body.at[i].arguments.at);
  VECTOR_COPY(to->clause.head_arguments, c->head_arguments);
  VECTOR_COPY(to->formulas, from->formulas);
}

static void clear_clause(scanned_clause *c) {
  clause_clear(&c->clause);
  VECTOR_FREE(c->formulas);
}

void scans_clear(scans *s) {
  for (size_t i = 0; i < s->all.count; i++) clear_clause(&s->all.at[i].entry);
  for (size_t i = 0; i < s->clauses.count; i++) clear_clause(&s->clauses.at[i]);
  VECTOR_FREE(s->all);
  VECTOR_FREE(s->clauses);
}

/* ---- which predicates ---- */

static bool is_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  bool is_one = kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_REAL_VARIABLE ||
                kind == TERM_ARRAY_VARIABLE;
  return is_one && !term_is_negated(t);
}

static bool are_different_variables(const terms *ts, const term_vector *all) {
  for (size_t i = 0; i < all->count; i++) {
    if (!is_variable(ts, all->at[i])) return false;
    for (size_t j = 0; j < i; j++)
      if (term_same(all->at[i], all->at[j])) return false;
  }
  return true;
}

static bool is_among(const terms *ts, const term_vector *all, variable v) {
  for (size_t i = 0; i < all->count; i++)
    if (is_variable(ts, all->at[i]) && variable_same(term_variable(ts, all->at[i]), v)) return true;
  return false;
}

static bool speaks_only_of(const terms *ts, term t, const term_vector *all) {
  variable_vector inside = {0};
  bool fine = true;
  term_variables(ts, 1, &t, &inside);
  for (size_t i = 0; i < inside.count && fine; i++) fine = is_among(ts, all, inside.at[i]);
  VECTOR_FREE(inside);
  return fine;
}

/* A round: one argument becomes larger by 1, all others stay. */
static bool is_round(terms *ts, const clause *c, uint32_t *position) {
  size_t changed = 0;
  if (c->body.count != 1 || c->body.at[0].predicate != c->head) return false;
  const term_vector *before = &c->body.at[0].arguments;
  if (!are_different_variables(ts, before)) return false;
  for (uint32_t i = 0; i < before->count; i++) {
    if (term_same(before->at[i], c->head_arguments.at[i])) continue;
    if (term_sort(ts, before->at[i]) != SORT_INT) return false;
    if (!term_same(c->head_arguments.at[i], term_add(ts, before->at[i], term_int(ts, 1)))) return false;
    *position = i;
    changed++;
  }
  return changed == 1 && speaks_only_of(ts, c->constraint, before);
}

typedef struct scan_places {
  size_t entry, round; /* clauses */
  uint32_t position;
} scan_places;

/* One round, one clause that enters, and all that leave it have it alone in their bodies. */
static bool is_scan(const scans *s, terms *ts, uint32_t predicate, scan_places *out) {
  size_t entries = 0, rounds = 0;
  for (size_t i = 0; i < s->clauses.count; i++) {
    const clause *c = &s->clauses.at[i].clause;
    bool is_in_body = false;
    for (size_t j = 0; j < c->body.count; j++) is_in_body |= c->body.at[j].predicate == predicate;
    if (c->head == predicate && is_in_body) {
      rounds++;
      out->round = i;
      if (s->clauses.at[i].formulas.count || !is_round(ts, c, &out->position)) return false;
    } else if (c->head == predicate) {
      entries++;
      out->entry = i;
    } else if (is_in_body && (c->body.count != 1 || !are_different_variables(ts, &c->body.at[0].arguments))) {
      return false;
    }
  }
  return entries == 1 && rounds == 1;
}

/* ---- putting together ---- */

static void map_arguments(const terms *ts, substitution *by, const term_vector *from, const term_vector *to) {
  for (size_t i = 0; i < from->count; i++) substitution_set(by, term_variable(ts, from->at[i]), to->at[i]);
}

/* Variables of the clause that its atom does not have get new names. */
static void rename_others(terms *ts, substitution *by, const clause *c) {
  clause copy = {.constraint = c->constraint};
  VECTOR_COPY(copy.head_arguments, c->head_arguments);
  clause_find_variables(ts, &copy);
  for (size_t i = 0; i < copy.variables.count; i++) {
    type of = *variable_type(ts, copy.variables.at[i]);
    if (!is_among(ts, &c->body.at[0].arguments, copy.variables.at[i]))
      substitution_set(by, copy.variables.at[i], term_of_variable(ts, variable_fresh(ts, "left!", &of)));
  }
  clause_clear(&copy);
}

/* A conjunct of the round whose negation lets the clause leave: how far the scan goes. TERM_TRUE if there is none. */
static term find_end(const terms *ts, term round, const clause *leaves, const clause *of_round, substitution *by) {
  term_vector parts = {0}, others = {0};
  term found = TERM_TRUE;
  substitution_clear(by);
  map_arguments(ts, by, &leaves->body.at[0].arguments, &of_round->body.at[0].arguments);
  term_conjuncts(ts, round, &parts);
  term_conjuncts(ts, substitution_apply(by, leaves->constraint), &others);
  for (size_t i = 0; i < parts.count; i++)
    for (size_t j = 0; j < others.count; j++)
      if (term_same(parts.at[i], term_not(others.at[j]))) found = parts.at[i];
  VECTOR_FREE(parts);
  VECTOR_FREE(others);
  return found;
}

/* What the scan has found out when `leaves` is taken, over the arguments of the entry. */
static scan_formula formula_at_end(terms *ts, const scan *s, const clause *round, const clause *leaves, term last) {
  const term_vector *own = &round->body.at[0].arguments, *given = &s->entry.clause.head_arguments;
  substitution *by = substitution_new(ts);
  scan_formula made = {.index = variable_fresh(ts, "passed!", &(type){.sort = SORT_INT})};
  term index = term_of_variable(ts, made.index);
  term end = find_end(ts, round->constraint, leaves, round, by);
  substitution_clear(by);
  map_arguments(ts, by, own, given);
  substitution_set(by, term_variable(ts, own->at[s->position]), index);
  term all = substitution_apply(by, round->constraint), is_passed = term_lt(ts, index, last);
  if (!term_is_true(end)) is_passed = substitution_apply(by, end);
  made.formula = term_implies(ts, term_and(ts, term_le(ts, s->low, index), is_passed), all);
  substitution_free(by);
  return made;
}

/* The entry and a clause that leaves the scan as one. */
static scanned_clause put_together(terms *ts, const scan *s, const clause *round, const scanned_clause *leaves) {
  scanned_clause made;
  const clause *c = &leaves->clause;
  copy_clause(&s->entry, &made);
  VECTOR_CLEAR(made.clause.head_arguments);
  substitution *by = substitution_new(ts);
  rename_others(ts, by, c);
  map_arguments(ts, by, &c->body.at[0].arguments, &s->entry.clause.head_arguments);
  term last = term_of_variable(ts, variable_fresh(ts, "last!", &(type){.sort = SORT_INT}));
  substitution_set(by, term_variable(ts, c->body.at[0].arguments.at[s->position]), last);
  made.clause.head = c->head;
  made.clause.property = c->property;
  for (size_t i = 0; i < c->head_arguments.count; i++)
    VECTOR_PUSH(made.clause.head_arguments, substitution_apply(by, c->head_arguments.at[i]));
  term parts[] = {made.clause.constraint, term_ge(ts, last, s->low), substitution_apply(by, c->constraint)};
  made.clause.constraint = term_and_all(ts, ARRAY_LENGTH(parts), parts);
  VECTOR_PUSH(made.formulas, formula_at_end(ts, s, round, c, last));
  for (size_t i = 0; i < leaves->formulas.count; i++) {
    scan_formula f = leaves->formulas.at[i];
    VECTOR_PUSH(made.formulas, ((scan_formula){f.index, substitution_apply(by, f.formula)}));
  }
  substitution_free(by);
  return made;
}

static scan scan_at(terms *ts, const scans *s, const clauses *of, uint32_t predicate, const scan_places *at) {
  const clause *round = &s->clauses.at[at->round].clause;
  const variable_vector *parameters = &of->predicates.at[predicate].parameters;
  scan made = {.predicate = predicate, .position = at->position};
  copy_clause(&s->clauses.at[at->entry], &made.entry);
  made.low = made.entry.clause.head_arguments.at[at->position];
  made.index = variable_fresh(ts, "passed!", &(type){.sort = SORT_INT});
  substitution *by = substitution_new(ts);
  for (size_t i = 0; i < parameters->count; i++)
    substitution_set(by, term_variable(ts, round->body.at[0].arguments.at[i]),
                     term_of_variable(ts, i == at->position ? made.index : parameters->at[i]));
  made.formula = substitution_apply(by, round->constraint);
  substitution_free(by);
  return made;
}

/* Clauses without the predicate of the scan. */
static void remove_scan(scans *s, terms *ts, const clauses *of, uint32_t predicate, const scan_places *at) {
  VECTOR(scanned_clause) left = {0};
  scan made = scan_at(ts, s, of, predicate, at);
  const clause *round = &s->clauses.at[at->round].clause;
  for (size_t i = 0; i < s->clauses.count; i++) {
    scanned_clause *c = &s->clauses.at[i], kept;
    if (i == at->entry || i == at->round) continue;
    if (c->clause.body.count && c->clause.body.at[0].predicate == predicate)
      kept = put_together(ts, &made, round, c);
    else
      copy_clause(c, &kept);
    VECTOR_PUSH(left, kept);
  }
  for (size_t i = 0; i < s->clauses.count; i++) clear_clause(&s->clauses.at[i]);
  VECTOR_CLEAR(s->clauses);
  for (size_t i = 0; i < left.count; i++) VECTOR_PUSH(s->clauses, left.at[i]);
  VECTOR_FREE(left);
  VECTOR_PUSH(s->all, made);
}

void scans_find(scans *s, terms *ts, const clauses *of, size_t property) {
  for (size_t i = 0; i < of->clauses.count; i++) {
    const clause *c = &of->clauses.at[i];
    scanned_clause all = {.clause = *c}, kept;
    if (c->head == NO_PREDICATE && c->property != property) continue;
    copy_clause(&all, &kept);
    VECTOR_PUSH(s->clauses, kept);
  }
  for (uint32_t i = 0; i < of->predicates.count && s->clauses.count <= MOST_CLAUSES; i++) {
    scan_places at = {0};
    if (is_scan(s, ts, i, &at)) remove_scan(s, ts, of, i, &at);
  }
}

/* ---- instances ---- */

static void add_once(term_vector *all, term t) {
  for (size_t i = 0; i < all->count; i++)
    if (term_same(all->at[i], t)) return;
  VECTOR_PUSH(*all, t);
}

/* Where arrays are read or written in the clause. */
static void find_indices(const terms *ts, const clause *c, term_vector *out) {
  term_vector all = {0};
  index_vector cone = {0};
  clause_terms(c, &all);
  terms_cone(ts, all.count, all.at, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term t = {2 * cone.at[i]};
    term_kind kind = term_kind_of(ts, t);
    if (kind == TERM_SELECT || kind == TERM_BOOL_SELECT || kind == TERM_STORE) add_once(out, term_argument(ts, t, 1));
  }
  VECTOR_FREE(cone);
  VECTOR_FREE(all);
}

static clause with_instances(terms *ts, const scanned_clause *from, const variable_vector *at) {
  scanned_clause made;
  term_vector indices = {0}, parts = {0};
  copy_clause(from, &made);
  VECTOR_FREE(made.formulas);
  find_indices(ts, &from->clause, &indices);
  for (size_t i = 0; i < at->count; i++) add_once(&indices, term_of_variable(ts, at->at[i]));
  VECTOR_PUSH(parts, made.clause.constraint);
  for (size_t i = 0; i < from->formulas.count; i++)
    for (size_t j = 0; j < indices.count; j++)
      VECTOR_PUSH(parts, term_replace(ts, from->formulas.at[i].formula, from->formulas.at[i].index, indices.at[j]));
  made.clause.constraint = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(indices);
  VECTOR_FREE(parts);
  return made.clause;
}

clauses *scans_clauses(const scans *s, terms *ts, const clauses *of, const variable_vector *at) {
  clauses *made = horn_clauses_new();
  made->is_horn = made->are_trees = true;
  made->have_arrays = of->have_arrays;
  for (size_t i = 0; i < of->predicates.count; i++) {
    clause_predicate p = {.name = of->predicates.at[i].name, .place = of->predicates.at[i].place};
    VECTOR_COPY(p.parameters, of->predicates.at[i].parameters);
    VECTOR_PUSH(made->predicates, p);
  }
  for (size_t i = 0; i < s->clauses.count; i++) {
    clause c = with_instances(ts, &s->clauses.at[i], at);
    clause_find_variables(ts, &c);
    VECTOR_PUSH(made->clauses, c);
  }
  return made;
}

/* ---- interpretations ---- */

/* Adds the formula over the variables of the entry, if the parameters say what those are. */
static void add_known(terms *ts, substitution *by, const term_vector *known, term t, term_vector *out) {
  term_vector parts = {0};
  term_conjuncts(ts, t, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (speaks_only_of(ts, parts.at[i], known)) VECTOR_PUSH(*out, substitution_apply(by, parts.at[i]));
  VECTOR_FREE(parts);
}

/* The body of the entry, over the parameters: `to` gets what its arguments are where they are known. */
static void add_body(terms *ts, substitution *by, const clauses *of, const clause_atom *a, const term_vector *known,
                     const term_vector *interpretation, term_vector *out) {
  const variable_vector *parameters = &of->predicates.at[a->predicate].parameters;
  substitution *own = substitution_new(ts);
  bool fine = true;
  for (size_t i = 0; i < a->arguments.count && fine; i++) {
    fine = speaks_only_of(ts, a->arguments.at[i], known) ||
           !term_mentions(ts, interpretation->at[a->predicate], parameters->at[i]);
    substitution_set(own, parameters->at[i], substitution_apply(by, a->arguments.at[i]));
  }
  if (fine) VECTOR_PUSH(*out, substitution_apply(own, interpretation->at[a->predicate]));
  substitution_free(own);
}

static term interpretation_of(const scan *s, terms *ts, const clauses *of, variable index, const term_vector *others) {
  const clause *entry = &s->entry.clause;
  const variable_vector *parameters = &of->predicates.at[s->predicate].parameters;
  substitution *by = substitution_new(ts);
  term_vector known = {0}, parts = {0};
  term at = term_of_variable(ts, index), reached = term_of_variable(ts, parameters->at[s->position]);
  for (size_t i = 0; i < parameters->count; i++) {
    term given = entry->head_arguments.at[i];
    if (i == s->position || !is_variable(ts, given) || is_among(ts, &known, term_variable(ts, given))) continue;
    VECTOR_PUSH(known, given);
    substitution_set(by, term_variable(ts, given), term_of_variable(ts, parameters->at[i]));
  }
  for (size_t i = 0; i < parameters->count; i++)
    if (i != s->position && speaks_only_of(ts, entry->head_arguments.at[i], &known))
      VECTOR_PUSH(parts, term_eq(ts, term_of_variable(ts, parameters->at[i]),
                                 substitution_apply(by, entry->head_arguments.at[i])));
  VECTOR_PUSH(known, at);
  add_known(ts, by, &known, entry->constraint, &parts);
  for (size_t i = 0; i < s->entry.formulas.count; i++)
    add_known(ts, by, &known, term_replace(ts, s->entry.formulas.at[i].formula, s->entry.formulas.at[i].index, at),
              &parts);
  for (size_t i = 0; i < entry->body.count; i++) add_body(ts, by, of, &entry->body.at[i], &known, others, &parts);
  term low = substitution_apply(by, s->low), holds = term_replace(ts, s->formula, s->index, at);
  VECTOR_PUSH(parts, term_ge(ts, reached, low));
  VECTOR_PUSH(parts, term_implies(ts, term_and(ts, term_le(ts, low, at), term_lt(ts, at, reached)), holds));
  term made = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(known);
  VECTOR_FREE(parts);
  substitution_free(by);
  return made;
}

void scans_interpret(const scans *s, terms *ts, const clauses *of, variable index, term_vector *interpretation) {
  for (size_t i = 0; i < s->all.count; i++)
    interpretation->at[s->all.at[i].predicate] = interpretation_of(&s->all.at[i], ts, of, index, interpretation);
}
