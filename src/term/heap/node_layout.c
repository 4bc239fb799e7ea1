/* Values of nodes: sets of them, terms and words for them. */
#include "term/heap/node_layout.h"

const node_layout node_layout_default = {
    .pointer_count = 1,
    .field_count = 1,
    .pointers = {"next"},
    .fields = {{.name = "data", .of = {.sort = SORT_BOOL}, .size = 2, .stride = 1}},
    .values = 2,
};

uint64_t node_values_with(const node_layout *l, size_t f, unsigned part) {
  uint64_t found = 0;
  for (unsigned v = 0; v < l->values; v++)
    if (node_part(l, f, v) == part) found |= NODE_VALUE(v);
  return found;
}

bool node_value_is_among(number tagged, number values) {
  int64_t value = 0, set = 0;
  number_to_int64(number_mod(tagged, number_of(64)), &value);
  number_to_int64(values, &set);
  return set >> value & 1;
}

term node_field_term(terms *ts, variable p, size_t f) {
  const node_layout *l = type_layout(variable_type(ts, p));
  const node_field *field = &l->fields[f];
  if (field->of.sort == SORT_BOOL) return term_heap_data(ts, p, node_values_with(l, f, 1));
  term result = term_number(ts, field->of.low);
  for (unsigned part = field->size; part-- > 1;) {
    term is = term_number(ts, number_add(field->of.low, number_of(part)));
    result = term_ite(ts, term_heap_data(ts, p, node_values_with(l, f, part)), is, result);
  }
  return result;
}

void node_part_print(const node_layout *l, size_t f, unsigned part, text *out) {
  const node_field *field = &l->fields[f];
  if (field->of.sort == SORT_BOOL)
    text_add(out, "%s", part ? "true" : "false");
  else if (field->of.names)
    text_add(out, "%s", field->of.names[part]);
  else
    number_print(out, number_add(field->of.low, number_of(part)));
}

bool node_test_of(const node_layout *l, uint64_t values, size_t *f, unsigned *part) {
  for (*f = 0; *f < l->field_count; ++*f)
    for (*part = l->fields[*f].size; (*part)-- > 0;)
      if (node_values_with(l, *f, *part) == values) return true;
  return false;
}
