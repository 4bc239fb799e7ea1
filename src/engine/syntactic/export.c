/* Names, formulas and ways of steps, as other languages want them. */
#include "engine/syntactic/export.h"

#include <ctype.h>

#include "base/escape.h"
#include "base/map.h"
#include "model/semantics.h"
#include "store/enumerate.h"
#include "term/bounds.h"
#include "term/print.h"
#include "term/substitute.h"

enum { DEEPEST = 2000, LARGEST = 1000000, MOST_WAYS = 1024, MOST_INITIAL = 4096 };

/* ---- names ---- */

struct export_names {
  const model *m;
  const export_style *style;
  names *taken;
  map *of_variable; /* variable -> in `all` */
  VECTOR(char *) all;
  VECTOR(size_t) first_value; /* of each variable, in `values` */
  VECTOR(char *) values;
};

/* `plain`, with underscores until nothing else has it. */
static GIVE char *unused(export_names *n, text *plain) {
  while (names_get(n->taken, text_string(plain), &(uint64_t){0})) text_add_char(plain, '_');
  names_set(n->taken, text_string(plain), 1);
  return text_give(plain);
}

char *export_identifier(export_names *n, const char *name) {
  text plain = {0};
  for (const char *c = name; *c; c++) {
    bool fine = isalnum((unsigned char)*c) || *c == '_';
    if (fine && plain.count == 0 && isdigit((unsigned char)*c)) text_add_char(&plain, '_');
    if (fine)
      text_add_char(&plain, *c);
    else if (plain.count && plain.at[plain.count - 1] != '_' && c[1])
      text_add_char(&plain, '_');
  }
  if (!plain.count) text_add_char(&plain, 'v');
  return unused(n, &plain);
}

/* The named values of variable `i`: `st1_N`. */
static void name_values(export_names *n, size_t i) {
  const type *t = variable_type(n->m->terms, n->m->variables.at[i].var);
  VECTOR_PUSH(n->first_value, n->values.count);
  for (size_t k = 0; t->names && k < t->name_count; k++) {
    text plain = {0};
    text_add(&plain, "%s_", n->all.at[i]);
    for (const char *c = t->names[k]; *c; c++) text_add_char(&plain, isalnum((unsigned char)*c) ? *c : '_');
    VECTOR_PUSH(n->values, unused(n, &plain));
  }
}

export_names *export_names_new(const model *m, const export_style *style, const char *reserved) {
  export_names *n = MEMORY_NEW(export_names);
  *n = (export_names){.m = m, .style = style, .taken = names_new(), .of_variable = map_new()};
  for (const char *at = reserved; *at;) {
    size_t length = strcspn(at, " ");
    char *word = memory_copy_bytes(at, length);
    names_set(n->taken, word, 1);
    memory_free(word);
    at += length + (at[length] != 0);
  }
  for (size_t i = 0; i < m->variables.count; i++) {
    map_set(n->of_variable, m->variables.at[i].var.x, n->all.count);
    VECTOR_PUSH(n->all, export_identifier(n, variable_name(m->terms, m->variables.at[i].var)));
  }
  for (size_t i = 0; i < m->variables.count; i++) name_values(n, i);
  return n;
}

void export_names_free(export_names *n) {
  for (size_t i = 0; i < n->all.count; i++) memory_free(n->all.at[i]);
  VECTOR_FREE(n->all);
  for (size_t i = 0; i < n->values.count; i++) memory_free(n->values.at[i]);
  VECTOR_FREE(n->values);
  VECTOR_FREE(n->first_value);
  names_free(n->taken);
  map_free(n->of_variable);
  memory_free(n);
}

const char *export_name(export_names *n, variable v) {
  uint64_t at;
  REQUIRE(map_get(n->of_variable, v.x, &at), "a variable of the program");
  return n->all.at[at];
}

void export_value(export_names *n, variable v, int64_t value, text *out) {
  const type *t = variable_type(n->m->terms, v);
  if (t->sort == SORT_BOOL) {
    text_add(out, "%s", value ? n->style->yes : n->style->no);
  } else if (t->names && value >= 0 && (size_t)value < t->name_count) {
    uint64_t at;
    REQUIRE(map_get(n->of_variable, v.x, &at), "a variable of the program");
    text_add(out, "%s", n->values.at[n->first_value.at[at] + (size_t)value]);
  } else {
    text_add(out, "%lld", (long long)value);
  }
}

/* ---- formulas ---- */

typedef struct writer {
  export_names *n;
  const terms *ts;
  text *out;
  bool fine;
} writer;

static void write(writer *w, term t, unsigned depth);

static void write_list(writer *w, term t, const char *between, bool negate, unsigned depth) {
  text_add_char(w->out, '(');
  for (size_t i = 0; i < term_arguments(w->ts, t); i++) {
    term a = term_argument(w->ts, t, i);
    if (i) text_add(w->out, " %s ", between);
    write(w, negate ? term_not(a) : a, depth + 1);
  }
  text_add_char(w->out, ')');
}

static void write_sum(writer *w, const linear *l, unsigned depth) {
  text_add_char(w->out, '(');
  number_print(w->out, l->constant);
  for (size_t i = 0; i < l->count; i++) {
    text_add(w->out, " + ");
    if (!number_is(l->coefficients[i], 1)) {
      text_add_char(w->out, '(');
      number_print(w->out, l->coefficients[i]);
      text_add(w->out, ") * ");
    }
    write(w, l->leaves[i], depth + 1);
  }
  text_add_char(w->out, ')');
}

/* `v = value` by the names of both. */
static bool write_named(writer *w, const linear *l, bool negated) {
  int64_t value;
  if (l->count != 1 || !number_is(l->coefficients[0], 1) || term_kind_of(w->ts, l->leaves[0]) != TERM_INT_VARIABLE)
    return false;
  if (!number_to_int64(number_negate(l->constant), &value)) return false;
  variable v = term_variable(w->ts, l->leaves[0]);
  text_add(w->out, "(%s %s ", export_name(w->n, v), negated ? w->n->style->different : w->n->style->equal);
  export_value(w->n, v, value, w->out);
  text_add_char(w->out, ')');
  return true;
}

static void write_comparison(writer *w, term t, unsigned depth) {
  bool equality = term_kind_of(w->ts, t) == TERM_EQ, negated = term_is_negated(t);
  linear l = term_linear(w->ts, term_argument(w->ts, t, 0));
  if (equality && write_named(w, &l, negated)) return;
  text_add_char(w->out, '(');
  write_sum(w, &l, depth);
  text_add(w->out, " %s 0)", equality ? (negated ? w->n->style->different : w->n->style->equal) : negated ? ">" : "<=");
}

static void write_choice(writer *w, term t, unsigned depth) {
  text_add_char(w->out, '(');
  write(w, term_argument(w->ts, t, 0), depth + 1);
  text_add(w->out, " %s ", w->n->style->when_true);
  write(w, term_argument(w->ts, t, 1), depth + 1);
  text_add(w->out, " %s ", w->n->style->when_false);
  write(w, term_argument(w->ts, t, 2), depth + 1);
  text_add_char(w->out, ')');
}

/* Depth and size are bounded. */
static void write(writer *w, term t, unsigned depth) {
  bool negated = term_is_negated(t);
  w->fine &= depth < DEEPEST && w->out->count < LARGEST;
  if (!w->fine) return;
  linear l;
  switch (term_kind_of(w->ts, t)) {
    case TERM_CONSTANT_TRUE: text_add(w->out, "%s", negated ? w->n->style->no : w->n->style->yes); return;
    case TERM_AND: write_list(w, t, negated ? w->n->style->or : w->n->style->and, negated, depth); return;
    case TERM_LE:
    case TERM_EQ: write_comparison(w, t, depth); return;
    default: break;
  }
  if (negated) text_add_char(w->out, '!');
  switch (term_kind_of(w->ts, t)) {
    case TERM_BOOL_VARIABLE:
    case TERM_INT_VARIABLE: text_add(w->out, "%s", export_name(w->n, term_variable(w->ts, t))); break;
    case TERM_IFF: write_list(w, t, w->n->style->iff, false, depth); break;
    case TERM_BOOL_ITE:
    case TERM_INT_ITE: write_choice(w, t, depth); break;
    case TERM_SUM:
      l = term_linear(w->ts, t);
      write_sum(w, &l, depth);
      break;
    case TERM_PRODUCT: write_list(w, t, "*", false, depth); break;
    default: w->fine = false; /* division differs from language to language if numbers are negative */
  }
}

bool export_term(export_names *n, term t, text *out) {
  writer w = {n, n->m->terms, out, true};
  write(&w, t, 0);
  return w.fine;
}

bool export_assigned(export_names *n, variable v, term value, text *out) {
  number constant;
  int64_t small;
  if (term_sort(n->m->terms, value) == SORT_INT && term_is_number(n->m->terms, value, &constant) &&
      number_to_int64(constant, &small)) {
    export_value(n, v, small, out);
    return true;
  }
  return export_term(n, value, out);
}

/* ---- ways ---- */

static bool next_combination(const model *m, const transition *t, int64_t *values) {
  for (size_t i = 0; i < t->inputs.count; i++) {
    const type *of = variable_type(m->terms, t->inputs.at[i]);
    int64_t low = 0, high = 1;
    if (of->sort == SORT_INT) number_to_int64(of->low, &low), number_to_int64(of->high, &high);
    if (values[i] < high) {
      values[i]++;
      return true;
    }
    values[i] = low;
  }
  return false;
}

static void add_way(const model *m, const transition *t, substitution *by, export_ways *out) {
  export_way way = {.guard = term_simplify_in_types(m->terms, substitution_apply(by, t->guard))};
  if (term_is_false(way.guard)) return;
  for (size_t i = 0; i < t->updates.count; i++)
    VECTOR_PUSH(way.updates, (update){t->updates.at[i].var, substitution_apply(by, t->updates.at[i].value)});
  VECTOR_PUSH(*out, way);
}

bool export_ways_of(const model *m, const transition *t, export_ways *out) {
  uint64_t combinations = 1;
  if (!transition_has_finite_inputs(m, t)) return false;
  for (size_t i = 0; i < t->inputs.count && combinations <= MOST_WAYS; i++)
    combinations *= type_size(variable_type(m->terms, t->inputs.at[i]), MOST_WAYS + 1);
  if (combinations > MOST_WAYS) return false;
  substitution *by = substitution_new(m->terms);
  int64_t *values = MEMORY_ARRAY(int64_t, t->inputs.count + 1);
  for (size_t i = 0; i < t->inputs.count; i++) {
    const type *of = variable_type(m->terms, t->inputs.at[i]);
    if (of->sort == SORT_INT) number_to_int64(of->low, &values[i]);
  }
  do {
    substitution_clear(by);
    for (size_t i = 0; i < t->inputs.count; i++)
      substitution_set(by, t->inputs.at[i], term_of_value(m->terms, t->inputs.at[i], values[i]));
    add_way(m, t, by, out);
  } while (next_combination(m, t, values));
  memory_free(values);
  substitution_free(by);
  return true;
}

void export_ways_clear(export_ways *w) {
  for (size_t i = 0; i < w->count; i++) VECTOR_FREE(w->at[i].updates);
  VECTOR_FREE(*w);
}

typedef struct initial_work {
  size_t width, count;
  export_states *out;
} initial_work;

static bool add_initial(void *context, const int64_t *values) {
  initial_work *w = context;
  for (size_t i = 0; i < w->width; i++) VECTOR_PUSH(*w->out, values[i]);
  return ++w->count <= MOST_INITIAL;
}

bool export_initial(const model *m, budget *b, size_t *count, export_states *out) {
  variable_vector all = {0};
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(all, m->variables.at[i].var);
  initial_work w = {.width = all.count, .out = out};
  enumerator *e = enumerator_new(m->terms, m->init, all.count, all.at, 0, NULL, NULL);
  enumeration end = enumerator_run(e, NULL, (enumeration_limits){.all = MOST_INITIAL + 1, .some = MOST_INITIAL + 1}, b,
                                   add_initial, &w);
  enumerator_free(e);
  VECTOR_FREE(all);
  *count = w.count;
  return end.end == ENUMERATION_ALL && w.count <= MOST_INITIAL;
}

/* ---- comments ---- */

static void legend_line(const finite_program *p, const program_bit *b, const char *open, const char *close,
                        const char *what, text *out) {
  const terms *ts = p->model->terms;
  text words = {0};
  text_add(&words, "%s: ", variable_name(ts, b->var));
  term_print(ts, b->atom, &words);
  text_add(out, "%s", open);
  text_add_comment(out, text_string(&words));
  text_add(out, "%s%s\n", what, close);
  text_clear(&words);
}

void export_legend(const finite_program *p, const char *open, const char *close, text *out) {
  map *written = map_new();
  for (size_t i = 0; i < p->bits.count; i++) legend_line(p, &p->bits.at[i], open, close, "", out);
  for (size_t i = 0; i < p->actions.count; i++)
    for (size_t j = 0; j < p->actions.at[i].inputs.count; j++) {
      const program_bit *b = &p->actions.at[i].inputs.at[j];
      if (map_get(written, b->var.x, NULL)) continue;
      map_set(written, b->var.x, 1);
      legend_line(p, b, open, close, " (an input)", out);
    }
  map_free(written);
}

void export_heading(const finite_program *p, const char *open, const char *close, text *out) {
  const closure *c = p->closure;
  text_add(out, "%s", open);
  text_add_comment(out, p->model->name);
  text_add(out, ": its finite abstract program, %zu predicate%s after %zu round%s of weakest preconditions%s\n", c->old,
           c->old == 1 ? "" : "s", c->rounds, c->rounds == 1 ? "" : "s", close);
  if (p->exact)
    text_add(out,
             "%sexact: bisimilar to the model with respect to these predicates, so what holds here holds there and "
             "what fails fails%s\n",
             open, close);
  else
    text_add(out, "%snot exact (%s): what holds of all runs here holds there; what fails here may hold there%s\n", open,
             p->inexact, close);
  text_add(out, "%sconsistency of predicates: %s%s\n", open,
           p->grouped ? "grouped by their linear parts (cheaper than joint, with more behaviour)" : "joint", close);
}

/* ---- temporal formulas ---- */

static bool export_infix(export_names *n, const export_temporal_words *w, const temporal *f, const char *open,
                         const char *word, const char *close, text *out) {
  text_add(out, "%s", open);
  bool fine = export_temporal(n, w, f->left, out);
  text_add(out, " %s ", word);
  fine &= export_temporal(n, w, f->right, out);
  text_add(out, "%s", close);
  return fine;
}

/* The parser bounds the depth of formulas. */
bool export_temporal(export_names *n, const export_temporal_words *w, const temporal *f, text *out) {
  const char *word = w->words[f->kind];
  if (f->kind == TEMPORAL_STATE) return export_term(n, f->state, out);
  if (f->kind == TEMPORAL_W && w->weak) {
    text left = {0}, right = {0};
    bool fine = export_temporal(n, w, f->left, &left) && export_temporal(n, w, f->right, &right);
    text_add(out, "((%s U %s) | G %s)", text_string(&left), text_string(&right), text_string(&left));
    text_clear(&left);
    text_clear(&right);
    return fine;
  }
  if (!word) return false;
  if (f->kind == TEMPORAL_AU) return export_infix(n, w, f, "A [", "U", "]", out);
  if (f->kind == TEMPORAL_EU) return export_infix(n, w, f, "E [", "U", "]", out);
  if (f->right) return export_infix(n, w, f, "(", word, ")", out);
  text_add(out, "%s (", word);
  bool fine = export_temporal(n, w, f->left, out);
  text_add_char(out, ')');
  return fine;
}
