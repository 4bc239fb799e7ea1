/* Namjoshi, Kurshan 2000, section 3.2. Contextual simplification goes from the root to the atoms with the
 * facts that hold there; work and depth are bounded, and if a bound is reached the part stays as it is.
 *
 * simplify_define: the truth assignments that integers can realise are enumerated over known and fresh atoms. If no
 * assignment to the known ones leaves both truth values possible, the table is written as a decision tree; assignments
 * that nothing realises leave room for a small one. */
#include "engine/syntactic/simplify_in_context.h"

#include "term/bounds.h"
#include "term/fold.h"

enum { MOST_WORK = 20000, DEEPEST = 256, MOST_DEFINING = 24, MOST_ROWS = 20000, MOST_SEARCH = 100000 };

typedef struct surroundings {
  terms *ts;
  term_vector facts;
  size_t work;
} surroundings;

/* The value of `t` if a fact gives it, else undecided. */
static bool fact_decides(const surroundings *s, term t, term *out) {
  for (size_t i = 0; i < s->facts.count; i++)
    if (term_index(s->facts.at[i]) == term_index(t)) {
      *out = term_of_bool(term_same(s->facts.at[i], t));
      return true;
    }
  return false;
}

static term simplify(surroundings *s, term t, size_t depth);

static term simplify_under(surroundings *s, term t, term fact, size_t depth) {
  size_t before = s->facts.count;
  term_conjuncts(s->ts, fact, &s->facts);
  term result = simplify(s, t, depth + 1);
  s->facts.count = before;
  return result;
}

/* Members are simplified one after the other, each under what the others are by then. */
static term simplify_conjunction(surroundings *s, term t, size_t depth) {
  term_vector parts = {0};
  for (size_t i = 0; i < term_arguments(s->ts, t); i++) VECTOR_PUSH(parts, term_argument(s->ts, t, i));
  for (size_t i = 0; i < parts.count; i++) {
    size_t before = s->facts.count;
    for (size_t j = 0; j < parts.count; j++)
      if (j != i) VECTOR_PUSH(s->facts, parts.at[j]);
    parts.at[i] = simplify(s, parts.at[i], depth + 1);
    s->facts.count = before;
  }
  term result = term_and_all(s->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

static term simplify_choice(surroundings *s, term t, size_t depth) {
  term condition = simplify(s, term_argument(s->ts, t, 0), depth + 1);
  term then = simplify_under(s, term_argument(s->ts, t, 1), condition, depth);
  term otherwise = simplify_under(s, term_argument(s->ts, t, 2), term_not(condition), depth);
  return term_ite(s->ts, condition, then, otherwise);
}

static term simplify_positive(surroundings *s, term t, size_t depth) {
  terms *ts = s->ts;
  term decided;
  if (fact_decides(s, t, &decided)) return decided;
  switch (term_kind_of(ts, t)) {
    case TERM_LE:
    case TERM_EQ:
      decided = term_simplify_under(ts, t, s->facts.count, s->facts.at);
      return term_is_true(decided) || term_is_false(decided) ? decided : t;
    case TERM_AND: return simplify_conjunction(s, t, depth);
    case TERM_BOOL_ITE: return simplify_choice(s, t, depth);
    case TERM_IFF:
      return term_iff(ts, simplify(s, term_argument(ts, t, 0), depth + 1),
                      simplify(s, term_argument(ts, t, 1), depth + 1));
    default: return t;
  }
}

/* Depth is at most DEEPEST. */
static term simplify(surroundings *s, term t, size_t depth) {
  if (depth > DEEPEST || !s->work) return t;
  s->work--;
  term result = simplify_positive(s, term_positive(t), depth);
  return term_is_negated(t) ? term_not(result) : result;
}

term simplify_in_context(terms *ts, term t, size_t count, const term *facts) {
  surroundings s = {.ts = ts, .work = MOST_WORK};
  for (size_t i = 0; i < count; i++) term_conjuncts(ts, facts[i], &s.facts);
  term result = simplify(&s, t, 0);
  VECTOR_FREE(s.facts);
  return result;
}

typedef struct replacing {
  terms *ts;
  const map *by; /* index -> x of the replacement */
} replacing;

/* Integer terms, and so atoms, stay as they are. */
static void replace_rule(const term_fold *f, term t, void *out) {
  const replacing *r = f->context;
  term_kind kind = term_kind_of(r->ts, t);
  uint64_t x;
  term *now = out;
  *now = t;
  if (term_sort(r->ts, t) != SORT_BOOL) return;
  if (map_get(r->by, term_index(t), &x))
    *now = (term){(uint32_t)x};
  else if (kind == TERM_AND || kind == TERM_IFF || kind == TERM_BOOL_ITE)
    *now = fold_rebuilt(f, r->ts, t);
}

term simplify_replace(terms *ts, term t, const map *by) {
  replacing r = {ts, by};
  term_fold f = {.ts = ts, .size = sizeof(term), .rule = replace_rule, .context = &r};
  term_fold_value(&f, t);
  term result = fold_term(&f, t);
  term_fold_close(&f);
  return result;
}

/* ---- formulas expressed by others ---- */

typedef struct table {
  terms *ts;
  const cells *cells;
  const term *atoms;
  size_t known;      /* the first so many atoms identify the row */
  term_vector value; /* of each row */
} table;

static bool rows_agree(const table *t, size_t a, size_t b) {
  for (size_t i = 0; i < t->known; i++)
    if (cells_has(t->cells, a, i) != cells_has(t->cells, b, i)) return false;
  return true;
}

/* Rows are sorted, and known atoms come first: rows that agree on them are neighbours. */
static bool is_function(const table *t) {
  for (size_t i = 1; i < t->value.count; i++)
    if (!term_same(t->value.at[i], t->value.at[i - 1]) && rows_agree(t, i, i - 1)) return false;
  return true;
}

typedef VECTOR(uint32_t) row_list;

static bool same_value(const table *t, const row_list *rows) {
  for (size_t i = 1; i < rows->count; i++)
    if (!term_same(t->value.at[rows->at[i]], t->value.at[rows->at[0]])) return false;
  return true;
}

static void split(const table *t, const row_list *rows, size_t atom, row_list *yes, row_list *no) {
  VECTOR_CLEAR(*yes);
  VECTOR_CLEAR(*no);
  for (size_t i = 0; i < rows->count; i++) {
    if (cells_has(t->cells, rows->at[i], atom))
      VECTOR_PUSH(*yes, rows->at[i]);
    else
      VECTOR_PUSH(*no, rows->at[i]);
  }
}

/* An atom that settles one side at once; if none does, the first that splits the rows. */
static size_t choose_atom(const table *t, const row_list *rows) {
  row_list yes = {0}, no = {0};
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < t->known; i++) {
    split(t, rows, i, &yes, &no);
    if (!yes.count || !no.count) continue;
    bool settles = same_value(t, &yes) || same_value(t, &no);
    if (settles || best == SIZE_MAX) best = i;
    if (settles) break;
  }
  VECTOR_FREE(yes);
  VECTOR_FREE(no);
  return best;
}

/* Depth is at most the number of known atoms. */
static term tree(const table *t, const row_list *rows) {
  if (same_value(t, rows)) return t->value.at[rows->at[0]];
  row_list yes = {0}, no = {0};
  size_t atom = choose_atom(t, rows);
  split(t, rows, atom, &yes, &no);
  term then = tree(t, &yes), otherwise = tree(t, &no);
  VECTOR_FREE(yes);
  VECTOR_FREE(no);
  return term_ite(t->ts, t->atoms[atom], then, otherwise);
}

static void fill_values(table *t, term formula) {
  map *by = map_new();
  for (size_t row = 0; row < t->cells->count; row++) {
    for (size_t i = 0; i < t->cells->atoms; i++)
      map_set(by, term_index(t->atoms[i]), term_of_bool(cells_has(t->cells, row, i)).x);
    VECTOR_PUSH(t->value, simplify_replace(t->ts, formula, by));
  }
  map_free(by);
}

bool simplify_define(terms *ts, allsat *a, term t, term context, const term_vector *known, const term_vector *fresh,
                     term *out) {
  term_vector atoms = {0};
  row_list rows = {0};
  const char *reason;
  if (known->count + fresh->count > MOST_DEFINING) return false;
  for (size_t i = 0; i < known->count; i++) VECTOR_PUSH(atoms, known->at[i]);
  for (size_t i = 0; i < fresh->count; i++) VECTOR_PUSH(atoms, fresh->at[i]);
  allsat_limit(a, MOST_SEARCH);
  table all = {.ts = ts,
               .cells = allsat_cells(a, atoms.count, atoms.at, context, &reason),
               .atoms = atoms.at,
               .known = known->count};
  allsat_limit(a, 0);
  bool fine = all.cells && all.cells->count <= MOST_ROWS;
  if (fine) {
    fill_values(&all, t);
    fine = is_function(&all);
  }
  if (fine) {
    for (size_t i = 0; i < all.cells->count; i++) VECTOR_PUSH(rows, (uint32_t)i);
    *out = rows.count ? tree(&all, &rows) : TERM_FALSE;
  }
  VECTOR_FREE(rows);
  VECTOR_FREE(all.value);
  VECTOR_FREE(atoms);
  return fine;
}
