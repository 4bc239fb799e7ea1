/* What is not read: said by name, with its place, once. */
#include "input/c/lower.h"

place c_place_of(const c_lowering *l, const c_node *n) {
  return n && n->is_here ? source_place(l->source, n->start) : (place){0};
}

void c_refuse(c_lowering *l, const c_node *at, const char *format, ...) {
  if (l->refused) return;
  l->refused = true;
  l->refused_at = at && at->is_here ? at->start : 0;
  text message = {0};
  va_list list;
  va_start(list, format);
  text_add_list(&message, format, list);
  va_end(list);
  report_error(l->reporter, at && at->is_here ? at->start : 0, "%s%s", text_string(&message),
               at && !at->is_here ? " (in a header)" : "");
  text_clear(&message);
}

void c_refuse_type(c_lowering *l, const c_node *at, const c_type *t) {
  if (t->is_volatile)
    c_refuse(l, at, "volatile variables are not read; without volatile this one would be an ordinary variable");
  else if (t->kind == TYPE_OTHER && !strcmp(t->refusal, "this type"))
    c_refuse(l, at, "the type `%s` is not read; integers, and arrays and structs of integers, are", t->text);
  else if (t->kind == TYPE_OTHER)
    c_refuse(l, at, "%s: not read (`%s`); integers, and arrays and structs of integers, are", t->refusal, t->text);
  else if (t->kind == TYPE_POINTER)
    c_refuse(
        l, at,
        "pointers are read only as parameters and variables that get one value; use the variable or the array itself");
  else
    c_refuse(l, at, "a value of type `%s` cannot be used here; integers, and arrays and structs of integers, can",
             t->text);
}
