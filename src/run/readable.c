/* Groups the parts of an invariant by the values they fix, and writes the rest of each as short clauses. */
#include "run/readable.h"

#include <stdlib.h>

#include "base/work.h"
#include "predicate/readable_clauses.h"
#include "proof/certificate.h"
#include "term/print.h"
#include "term/substitute.h"

/* Parts of the invariant with the same place: values of enumerations and positions of processes. */
typedef struct position {
  VECTOR(fixed_value) values;
  term_vector rests; /* of its parts */
  text lines;        /* what holds there */
} position;

typedef struct writing {
  terms *ts;
  allsat *allsat;
  budget *budget;
  VECTOR(position) places;
} writing;

/* ---- clauses as text ---- */

static bool names_a_value(const terms *ts, term literal) {
  fixed_value f;
  return fixed_of_literal(ts, literal, &f) && variable_type(ts, f.var)->names;
}

/* `a && b => c`, or the literal alone. Values of one variable that are left are written as `=> v = A || v = B`. */
static void write_clause(const terms *ts, const term_vector *clause, text *out) {
  size_t named = 0, given = 0, alternatives = 0;
  for (size_t i = 0; i < clause->count; i++) named += names_a_value(ts, clause->at[i]);
  for (size_t i = 0; i < clause->count; i++) {
    if (named ? names_a_value(ts, clause->at[i]) : i + 1 == clause->count) continue;
    text_add(out, given++ ? " && " : "");
    term_print(ts, term_not(clause->at[i]), out);
  }
  text_add(out, given ? " => " : "");
  for (size_t i = 0; i < clause->count; i++) {
    if (named ? !names_a_value(ts, clause->at[i]) : i + 1 < clause->count) continue;
    text_add(out, alternatives++ ? " || " : "");
    term_print(ts, clause->at[i], out);
  }
  if (!clause->count) text_add(out, "false");
}

/* The clause {not a, not b} after {a, b}, or SIZE_MAX: both together say that a is not b. */
static size_t opposite_of(const clause_vector *all, size_t which) {
  const term_vector *c = &all->at[which];
  for (size_t i = 0; i < all->count && c->count == 2; i++) {
    const term_vector *other = &all->at[i];
    if (other->count == 2 && term_same(other->at[0], term_not(c->at[0])) && term_same(other->at[1], term_not(c->at[1])))
      return i;
  }
  return SIZE_MAX;
}

static void write_equivalence(const terms *ts, const term_vector *clause, text *out) {
  bool flip = term_is_negated(clause->at[0]);
  text_add(out, "(");
  term_print(ts, flip ? term_not(clause->at[0]) : clause->at[0], out);
  text_add(out, " <=> ");
  term_print(ts, flip ? clause->at[1] : term_not(clause->at[1]), out);
  text_add(out, ")");
}

/* What holds or is equivalent goes on one line, every other clause on its own. */
static void write_clauses(const terms *ts, const clause_vector *all, text *out) {
  bool has_line = false;
  for (size_t i = 0; i < all->count; i++) {
    size_t opposite = opposite_of(all, i);
    if (all->at[i].count > 1 && (opposite == SIZE_MAX || opposite < i)) continue;
    text_add(out, has_line ? " && " : "");
    if (all->at[i].count > 1)
      write_equivalence(ts, &all->at[i], out);
    else
      write_clause(ts, &all->at[i], out);
    has_line = true;
  }
  if (has_line) text_add(out, "\n");
  for (size_t i = 0; i < all->count; i++) {
    if (all->at[i].count <= 1 || opposite_of(all, i) != SIZE_MAX) continue;
    write_clause(ts, &all->at[i], out);
    text_add(out, "\n");
  }
}

/* ---- values of one variable ---- */

typedef VECTOR(int64_t) int64_vector;

static int by_size(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The values if the clause is `v = a || v = b || ..` of an integer; none if it is anything else. */
static bool values_of(const terms *ts, const term_vector *clause, variable *v, int64_vector *out) {
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < clause->count; i++) {
    fixed_value f;
    int64_t value;
    if (!fixed_of_literal(ts, clause->at[i], &f) || !number_to_int64(f.value, &value)) return false;
    const type *of = variable_type(ts, f.var);
    if (of->names || of->sort != SORT_INT || (i && !variable_same(f.var, *v))) return false;
    *v = f.var;
    VECTOR_PUSH(*out, value);
  }
  return true;
}

/* Their distance if it is always the same, else 0. */
static int64_t step_of(int64_vector *values) {
  int64_t step = 0, next;
  qsort(values->at, values->count, sizeof values->at[0], by_size);
  for (size_t i = 1; i < values->count; i++) {
    if (__builtin_sub_overflow(values->at[i], values->at[i - 1], &next) || (i > 1 && next != step)) return 0;
    step = next;
  }
  return step;
}

static void add_alone(clause_vector *all, term t) {
  term_vector one = {0};
  VECTOR_PUSH(one, t);
  VECTOR_PUSH(*all, one);
}

/* Values of `v` from the first to the last, with the same step: what of that its type does not say. */
static void describe_values(terms *ts, variable v, const int64_vector *values, int64_t step, term_vector *out) {
  const type *of = variable_type(ts, v);
  number low = number_of(values->at[0]), high = number_of(values->at[values->count - 1]), by = number_of(step);
  term t = term_of_variable(ts, v);
  if (step > 1)
    VECTOR_PUSH(*out, term_eq(ts, term_mod(ts, t, term_number(ts, by)), term_number(ts, number_mod(low, by))));
  if (!of->has_low || number_compare(number_sub(low, by), of->low) >= 0)
    VECTOR_PUSH(*out, term_ge(ts, t, term_number(ts, low)));
  if (!of->has_high || number_compare(number_add(high, by), of->high) <= 0)
    VECTOR_PUSH(*out, term_le(ts, t, term_number(ts, high)));
}

/* `v = 2 || v = 4 || .. || v = 98` becomes `v % 2 = 0`, `v >= 2` and `v <= 98`. */
static void shorten_values(terms *ts, clause_vector *all) {
  enum { FEWEST = 4 };
  int64_vector values = {0};
  term_vector described = {0};
  for (size_t i = 0; i < all->count; i++) {
    variable v;
    if (all->at[i].count < FEWEST || !values_of(ts, &all->at[i], &v, &values)) continue;
    int64_t step = step_of(&values);
    VECTOR_CLEAR(described);
    if (step) describe_values(ts, v, &values, step, &described);
    if (!described.count) continue;
    VECTOR_CLEAR(all->at[i]);
    VECTOR_PUSH(all->at[i], described.at[0]);
    for (size_t j = 1; j < described.count; j++) add_alone(all, described.at[j]);
  }
  VECTOR_FREE(described);
  VECTOR_FREE(values);
}

static bool write_formula(writing *w, term t, text *out) {
  clause_vector all = {0};
  bool fine = clauses_of(w->ts, w->allsat, w->budget, t, &all);
  if (fine) shorten_values(w->ts, &all);
  if (fine) write_clauses(w->ts, &all, out);
  clauses_clear(&all);
  return fine;
}

/* ---- places ---- */

static term rest_of(terms *ts, const invariant_part *p) {
  term rest = p->formula;
  substitution *by = substitution_new(ts);
  for (size_t i = 0; i < p->fixed.count; i++) {
    const fixed_value *f = &p->fixed.at[i];
    const type *of = variable_type(ts, f->var);
    if (of->names)
      substitution_set(by, f->var, term_number(ts, f->value));
    else
      rest = term_and(ts, rest, fixed_term(ts, f->var, f->value));
  }
  rest = substitution_apply(by, rest);
  substitution_free(by);
  return rest;
}

static bool same_values(const position *a, const position *b) {
  bool same = a->values.count == b->values.count;
  for (size_t i = 0; i < a->values.count && same; i++)
    same = variable_same(a->values.at[i].var, b->values.at[i].var) &&
           number_equal(a->values.at[i].value, b->values.at[i].value);
  return same;
}

static void add_part(writing *w, const invariant_part *p) {
  position made = {0};
  for (size_t i = 0; i < p->fixed.count; i++)
    if (variable_type(w->ts, p->fixed.at[i].var)->names) VECTOR_PUSH(made.values, p->fixed.at[i]);
  size_t at = 0;
  while (at < w->places.count && !same_values(&w->places.at[at], &made)) at++;
  if (at == w->places.count)
    VECTOR_PUSH(w->places, made);
  else
    VECTOR_FREE(made.values);
  VECTOR_PUSH(w->places.at[at].rests, rest_of(w->ts, p));
}

/* Whether all places give values to the same variables: then no state is in two of them, and each is `place => rest`.
 */
static bool places_are_apart(const writing *w) {
  for (size_t i = 1; i < w->places.count; i++) {
    const position *p = &w->places.at[i], *first = &w->places.at[0];
    if (p->values.count != first->values.count) return false;
    for (size_t j = 0; j < p->values.count; j++)
      if (!variable_same(p->values.at[j].var, first->values.at[j].var)) return false;
  }
  return true;
}

static term place_term(terms *ts, const position *p) {
  term_vector all = {0};
  for (size_t i = 0; i < p->values.count; i++)
    VECTOR_PUSH(all, fixed_term(ts, p->values.at[i].var, p->values.at[i].value));
  term result = term_and_all(ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

static void write_place(terms *ts, const position *p, text *out) {
  for (size_t i = 0; i < p->values.count; i++) {
    text_add(out, i ? " && " : "");
    term_print(ts, fixed_term(ts, p->values.at[i].var, p->values.at[i].value), out);
  }
}

/* All places with the same lines as this one, before each of them. */
static void write_group(const writing *w, size_t first, text *out) {
  const char *lines = text_string(&w->places.at[first].lines);
  size_t places = 0, written = 0;
  text where = {0};
  for (size_t i = first; i < w->places.count; i++) places += !strcmp(text_string(&w->places.at[i].lines), lines);
  text_add(&where, places > 1 ? "(" : "");
  for (size_t i = first; i < w->places.count; i++) {
    if (strcmp(text_string(&w->places.at[i].lines), lines)) continue;
    text_add(&where, written++ ? " || " : "");
    write_place(w->ts, &w->places.at[i], &where);
  }
  text_add(&where, places > 1 ? ")" : "");
  while (*lines) {
    size_t length = strcspn(lines, "\n");
    const char *arrow = strstr(lines, " => "); /* a => (b => c) is a && b => c */
    bool is_clause = arrow && arrow < lines + length;
    text_add(out, "%s%s%.*s\n", text_string(&where), is_clause ? " && " : " => ", (int)length, lines);
    lines += length + (lines[length] == '\n');
  }
  text_clear(&where);
}

/* First which places there are, then what holds at each. */
static bool write_places(writing *w, text *out) {
  term_vector all = {0};
  for (size_t i = 0; i < w->places.count; i++) VECTOR_PUSH(all, place_term(w->ts, &w->places.at[i]));
  bool fine = write_formula(w, term_or_all(w->ts, all.count, all.at), out);
  VECTOR_FREE(all);
  for (size_t i = 0; i < w->places.count && fine; i++) {
    position *p = &w->places.at[i];
    fine = write_formula(w, term_or_all(w->ts, p->rests.count, p->rests.at), &p->lines);
  }
  for (size_t i = 0; i < w->places.count && fine; i++) {
    bool is_written = false;
    for (size_t j = 0; j < i && !is_written; j++)
      is_written = !strcmp(text_string(&w->places.at[i].lines), text_string(&w->places.at[j].lines));
    if (!is_written) write_group(w, i, out);
  }
  return fine;
}

enum { MOST_PLACES = 400 };

static bool write_evidence(writing *w, const evidence *e, text *out) {
  if (!e->parts.count) return write_formula(w, evidence_formula(w->ts, e), out);
  for (size_t i = 0; i < e->parts.count && w->places.count <= MOST_PLACES; i++) add_part(w, &e->parts.at[i]);
  bool by_place = w->places.count > 1 && w->places.count <= MOST_PLACES && places_are_apart(w);
  return by_place ? write_places(w, out) : write_formula(w, evidence_formula(w->ts, e), out);
}

bool readable_invariant(terms *ts, const evidence *e, budget *b, text *out) {
  presburger *sets = presburger_new(ts, 0);
  solver *s = solver_new(ts, b);
  writing w = {.ts = ts, .allsat = allsat_new(ts, sets, s, b), .budget = b};
  text made = {0};
  bool fine = write_evidence(&w, e, &made);
  if (fine) text_add(out, "%s", made.count ? text_string(&made) : "true\n");
  text_clear(&made);
  for (size_t i = 0; i < w.places.count; i++) {
    VECTOR_FREE(w.places.at[i].values);
    VECTOR_FREE(w.places.at[i].rests);
    text_clear(&w.places.at[i].lines);
  }
  VECTOR_FREE(w.places);
  allsat_free(w.allsat);
  solver_free(s);
  presburger_free(sets);
  return fine;
}

/* ---- in a worker ---- */

typedef struct readable_task {
  model *model;
  const char *certificate;
  uint64_t work;
} readable_task;

/* As it was found; short enough to be of use, and printed in no time. */
static void send_as_found(worker_inside *inside, terms *ts, const evidence *e) {
  enum { LONGEST_AS_FOUND = 20000 };
  text out = {0};
  if (e->parts.count > LONGEST_AS_FOUND) return;
  term_print(ts, evidence_formula(ts, e), &out);
  text_add_char(&out, '\n');
  if (out.count <= LONGEST_AS_FOUND) channel_send(inside->pipe, MESSAGE_TEXT, out.at, out.count);
  text_clear(&out);
}

static void write_in_worker(worker_inside *inside, void *context) {
  const readable_task *task = context;
  size_t property;
  evidence e = {0};
  char *error = NULL;
  text out = {0};
  if (!certificate_read(task->model, task->certificate, strlen(task->certificate), &property, &e, &error)) return;
  if (!evidence_is_shown_as(e.kind, SHOWN_AS_FORMULA)) return;
  if (task->work) inside->budget.work = work_done() + task->work;
  if (readable_invariant(task->model->terms, &e, &inside->budget, &out))
    channel_send(inside->pipe, MESSAGE_TEXT, out.at, out.count);
  else
    send_as_found(inside, task->model->terms, &e);
}

static void listen_to_writer(void *context, const message *m) {
  char **found = context;
  if (m && m->kind == MESSAGE_TEXT && !*found) *found = memory_copy_bytes(m->bytes, m->count);
}

char *readable_of_certificate(model *m, const char *certificate, uint64_t work, const worker_limits *limits,
                              const atomic_bool *stop) {
  readable_task task = {m, certificate, work};
  char *found = NULL;
  worker *w = worker_start(write_in_worker, &task, limits);
  worker_attend(w, stop, listen_to_writer, &found);
  worker_free(w);
  return found;
}
