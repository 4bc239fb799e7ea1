/* What a line or an object says of an action or a loop. */
#include "report/bounds.h"

#include "base/escape.h"
#include "base/json_writer.h"

/* Two loops on one line are told apart by the places of their heads. */
static bool line_is_shared(const bound_vector *b, size_t which) {
  for (size_t i = 0; i < b->count; i++)
    if (i != which && b->at[i].subject.is_loop && b->at[i].subject.at.line == b->at[which].subject.at.line) return true;
  return false;
}

static void print_subject(const bound_vector *b, size_t which, text *out) {
  const bound_subject *s = &b->at[which].subject;
  if (!s->is_loop) {
    text_add(out, "action ");
    text_add_shown(out, s->name);
    return;
  }
  text_add(out, "loop at line %u", (unsigned)s->at.line);
  if (!line_is_shared(b, which)) return;
  text_add(out, " (");
  text_add_shown(out, s->name);
  text_add(out, ")");
}

static void print_inputs(const bound *b, text *out) {
  for (size_t i = 0; i < b->inputs.count; i++) {
    text_add(out, "%s", i ? ", " : " (");
    text_add_shown(out, b->inputs.at[i].name);
    text_add(out, " as read at line %u", (unsigned)b->inputs.at[i].at.line);
  }
  if (b->inputs.count) text_add(out, ")");
}

void bounds_print(const bound_vector *b, text *out) {
  for (size_t i = 0; i < b->count; i++) {
    const bound *of = &b->at[i];
    print_subject(b, i, out);
    switch (of->kind) {
      case BOUND_IS: text_add(out, ": at most %s", of->formula); break;
      case BOUND_FOR_EVER: text_add(out, ": can be taken for ever"); break;
      default: text_add(out, ": no bound found"); break;
    }
    print_inputs(of, out);
    text_add(out, "\n");
  }
}

static void add_bound(json_writer *w, const bound *b) {
  static const char *const words[] = {
      [BOUND_NOT_FOUND] = "not found", [BOUND_IS] = "bounded", [BOUND_FOR_EVER] = "for ever"};
  json_begin_object(w);
  json_field_string(w, "kind", b->subject.is_loop ? "loop" : "action");
  json_field_string(w, "name", b->subject.name);
  json_field_count(w, "line", b->subject.at.line);
  json_field_count(w, "column", b->subject.at.column);
  json_field_string(w, "status", words[b->kind]);
  json_key(w, "bound");
  if (b->formula)
    json_add_string(w, b->formula);
  else
    json_add_null(w);
  json_field_array(w, "inputs");
  for (size_t i = 0; i < b->inputs.count; i++) {
    json_begin_object(w);
    json_field_string(w, "name", b->inputs.at[i].name);
    json_field_count(w, "line", b->inputs.at[i].at.line);
    json_end_object(w);
  }
  json_end_array(w);
  json_end_object(w);
}

void bounds_print_json(const model *m, const bound_vector *b, text *out) {
  json_writer w = json_writer_indented(out);
  json_begin_object(&w);
  json_field_string(&w, "model", m->name);
  json_field_array(&w, "bounds");
  for (size_t i = 0; i < b->count; i++) add_bound(&w, &b->at[i]);
  json_end_array(&w);
  json_end_object(&w);
  text_add(out, "\n");
}
