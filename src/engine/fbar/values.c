/* The values of a round for users: each is written as a formula when it is computed, for blocks are split later. */
#include "engine/fbar/evidence_of.h"
#include "term/print.h"

/* What the lines without a name of their own compute. */
static const char *name_of(int line, const char *name) {
  return *name ? name : line == 6 ? "mu(M and (Init or post(U')))" : "mu(M and (Bad or pre(V')))";
}

/* NULL if it cannot be written. */
static GIVE char *set_of(round_values *v, const bits *which) {
  text out = {0};
  terms *ts = v->env->model->terms;
  term formula = TERM_FALSE;
  bool fine = true;
  if (v->net) {
    evidence e = {0};
    fine = evidence_of_net(v->net, v->blocks, which, &e);
    if (fine) formula = evidence_formula(ts, &e);
    evidence_clear(&e);
  } else if (!bits_is_empty(which)) {
    fine = formula_of_blocks(v->problem, v->blocks, which, &formula);
  }
  if (fine) term_print(ts, formula, &out);
  return fine ? text_give(&out) : NULL;
}

static void add_set(json_writer *w, const char *set) {
  json_key(w, "set");
  if (set)
    json_add_string(w, set);
  else
    json_add_null(w);
}

void values_take(void *values, int line, const char *name, const bits *blocks) {
  round_values *v = values;
  if (budget_spent(v->env->budget)) return;
  char *set = set_of(v, blocks);
  if (v->has_before) text_add_char(&v->lines, ',');
  v->has_before = true;
  json_writer w = json_object_to(&v->lines);
  json_field_string(&w, "name", name_of(line, name));
  if (line) json_field_count(&w, "line", (uint64_t)line);
  add_set(&w, set);
  json_end_object(&w);
  const char *shown = set ? set : "a set that is too long to write";
  if (line)
    events_note(v->env->events, "line %d: %s = %s", line, name_of(line, name), shown);
  else
    events_note(v->env->events, "%s = %s", name, shown);
  memory_free(set);
}

/* A block, and the smallest set of the domain around it. */
static void add_block(round_values *v, json_writer *w, size_t b) {
  bits around = bits_new(partition_count(v->blocks));
  bits_add(&around, b);
  char *block = set_of(v, &around);
  partition_over(v->blocks, &around);
  char *set = set_of(v, &around);
  json_begin_object(w);
  json_field_string(w, "block", block ? block : "");
  add_set(w, set);
  json_end_object(w);
  events_note(v->env->events, "domain: mu(%s) = %s", block ? block : "?", set ? set : "?");
  memory_free(block);
  memory_free(set);
  bits_free(&around);
}

static void add_generator(round_values *v, json_writer *w, size_t i) {
  char *set = set_of(v, partition_set(v->blocks, i));
  json_begin_object(w);
  add_set(w, set);
  json_end_object(w);
  events_note(v->env->events, "domain: %s", set ? set : "?");
  memory_free(set);
}

void values_report(round_values *v, json_writer *w) {
  if (!v->env->options->values) return;
  text all = {0};
  text_add(&all, "[%s]", text_string(&v->lines));
  json_key(w, "values");
  json_add_number(w, text_string(&all));
  text_clear(&all);
  text_reset(&v->lines);
  v->has_before = false;
  bool is_moore = partition_is_moore(v->blocks);
  size_t count = is_moore ? partition_sets(v->blocks) : partition_count(v->blocks);
  json_field_array(w, "domain");
  for (size_t i = 0; i < count && !budget_spent(v->env->budget); i++)
    is_moore ? add_generator(v, w, i) : add_block(v, w, i);
  json_end_array(w);
}

void values_clear(round_values *v) { text_clear(&v->lines); }
