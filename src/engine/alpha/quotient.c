/* The finite structure that a search has visited, in the formats that other tools read: bisimilar to the system if the search was exact. */
#include "base/escape.h"
#include "engine/alpha/alpha.h"
#include "term/print.h"

static const char *action_name(const alpha *a, uint32_t index) {
  return a->m->transitions.at[a->actions.at[index].transition].name;
}

/* The action with the values of its inputs: pick(3, true). */
static void print_label(const alpha *a, uint32_t index, text *out) {
  const alpha_action *act = &a->actions.at[index];
  text_add(out, "%s", action_name(a, index));
  for (size_t i = 0; i < act->inputs.count; i++) {
    text_add(out, i ? ", " : "(");
    const type *of = variable_type(a->ts, a->m->transitions.at[act->transition].inputs.at[i]);
    int64_t value = act->inputs.at[i];
    if (of->sort == SORT_BOOL)
      text_add(out, value ? "true" : "false");
    else if (of->names && value >= 0 && (size_t)value < of->name_count)
      text_add(out, "%s", of->names[value]);
    else
      text_add(out, "%lld", (long long)value);
  }
  if (act->inputs.count) text_add_char(out, ')');
}

void alpha_literals(const alpha *a, const exploration *s, uint32_t n, term_vector *literals) {
  const int64_t *state = s->states.at + n * s->width;
  uint64_t *mask = MEMORY_ARRAY(uint64_t, predicates_words(a->predicates) + 1);
  uint64_t *key = MEMORY_ARRAY(uint64_t, predicates_words(a->predicates) + a->kept.packing->words + 1);
  for (size_t i = 0; i < a->kept.positions.count; i++)
    VECTOR_PUSH(*literals, kept_literal(&a->kept, a->ts, a->kept.positions.at[i], state[a->kept.positions.at[i]]));
  predicates_active(a->predicates, state, mask);
  store_read(s->visited, n, key);
  for (size_t i = 0; i < predicates_count(a->predicates); i++)
    if (word_bit(mask, i)) {
      term p = predicates_at(a->predicates, i);
      VECTOR_PUSH(*literals, word_bit(key + a->kept.packing->words, i) ? p : term_not(p));
    }
  memory_free(mask);
  memory_free(key);
}

static size_t count_initial(const exploration *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->parents.count; i++) count += s->parents.at[i] == NO_STATE;
  return count;
}

/* Aldebaran: one initial state, so several first states are reached from a state of their own by `init`. */
static void print_aut(const alpha *a, const exploration *s, text *out) {
  size_t firsts = count_initial(s), states = s->parents.count, extra = firsts == 1 ? 0 : firsts;
  size_t initial = firsts == 1 ? 0 : states;
  text label = {0};
  text_add(out, "des (%zu, %zu, %zu)\n", initial, s->edges.count + extra, states + (firsts != 1));
  for (size_t i = 0; i < states && extra; i++)
    if (s->parents.at[i] == NO_STATE) text_add(out, "(%zu, \"init\", %zu)\n", initial, i);
  for (size_t i = 0; i < s->edges.count; i++) {
    text_reset(&label);
    print_label(a, s->edges.at[i].action, &label);
    text_add(out, "(%u, ", s->edges.at[i].from);
    text_add_quoted(out, text_string(&label));
    text_add(out, ", %u)\n", s->edges.at[i].to);
  }
  text_clear(&label);
}

static void print_dot(const alpha *a, const exploration *s, text *out) {
  text words = {0};
  term_vector literals = {0};
  text_add(out,
           "digraph quotient {\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n");
  for (uint32_t i = 0; i < s->parents.count; i++) {
    text_reset(&words);
    VECTOR_CLEAR(literals);
    alpha_literals(a, s, i, &literals);
    for (size_t k = 0; k < literals.count; k++) {
      if (k) text_add_char(&words, '\n');
      term_print(a->ts, literals.at[k], &words);
    }
    text_add(out, "  %u [label=", i);
    text_add_quoted(out, text_string(&words));
    text_add(out, "%s];\n", s->parents.at[i] == NO_STATE ? ", peripheries=2" : "");
  }
  for (size_t i = 0; i < s->edges.count; i++) {
    text_reset(&words);
    print_label(a, s->edges.at[i].action, &words);
    text_add(out, "  %u -> %u [label=", s->edges.at[i].from, s->edges.at[i].to);
    text_add_quoted(out, text_string(&words));
    text_add(out, "];\n");
  }
  text_add(out, "}\n");
  text_clear(&words);
  VECTOR_FREE(literals);
}

static void print_json(const alpha *a, const exploration *s, text *out) {
  text words = {0};
  term_vector literals = {0};
  json_writer w = json_object_to(out);
  json_field_array(&w, "states");
  for (uint32_t i = 0; i < s->parents.count; i++) {
    VECTOR_CLEAR(literals);
    alpha_literals(a, s, i, &literals);
    json_space(&w, "\n ");
    json_begin_object(&w);
    json_field_count(&w, "id", i);
    json_field_bool(&w, "initial", s->parents.at[i] == NO_STATE);
    if (s->whole.count) json_field_bool(&w, "whole", s->whole.at[i]);
    json_field_array(&w, "holds");
    for (size_t k = 0; k < literals.count; k++) {
      text_reset(&words);
      term_print(a->ts, literals.at[k], &words);
      json_add_string(&w, text_string(&words));
    }
    json_end_array(&w);
    json_end_object(&w);
  }
  json_end_array(&w);
  json_space(&w, "\n");
  json_field_array(&w, "transitions");
  for (size_t i = 0; i < s->edges.count; i++) {
    text_reset(&words);
    print_label(a, s->edges.at[i].action, &words);
    json_space(&w, "\n ");
    json_begin_object(&w);
    json_field_count(&w, "from", s->edges.at[i].from);
    json_field_string(&w, "action", text_string(&words));
    json_field_count(&w, "to", s->edges.at[i].to);
    json_end_object(&w);
  }
  json_end_array(&w);
  json_end_object(&w);
  text_add(out, "\n");
  text_clear(&words);
  VECTOR_FREE(literals);
}

void alpha_print_graph(const alpha *a, const exploration *s, const char *format, text *out) {
  if (!strcmp(format, "dot"))
    print_dot(a, s, out);
  else if (!strcmp(format, "json"))
    print_json(a, s, out);
  else
    print_aut(a, s, out);
}
