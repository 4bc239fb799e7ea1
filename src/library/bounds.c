/* How often actions and loops can be taken. */
#include "run/bounds/bounds.h"

#include "library/inside.h"
#include "report/bounds.h"

static const char *missing_ability(const whet_model *m) {
  if (m->model->clauses)
    return "models that are Horn clauses: recursive procedures, arrays of any length, .smt2, .vmt, .svlib";
  if (m->model->has_heap) return "lists on the heap";
  return whet_model_has_reals(m) ? "reals" : NULL;
}

char *whet_bounds(whet_model *m, const whet_options *o, bool *is_complete, char **error) {
  const char *to = o->options->to, *missing = missing_ability(m);
  bool wants_json = to && !strcmp(to, "json");
  *is_complete = true;
  *error = to && !wants_json && strcmp(to, "text") ? text_format("--to: '%s' is none of text, json", to)
           : missing                               ? text_format("not done for %s", missing)
                                                   : NULL;
  if (*error) return NULL;
  model *own = model_copy(m->model);
  run_settings settings = {.model = own, .path = m->path, .options = o->options, .started = clock_seconds()};
  bound_vector found = {0};
  text out = {0};
  bounds_find(&settings, &found);
  if (wants_json)
    bounds_print_json(own, &found, &out);
  else
    bounds_print(&found, &out);
  for (size_t i = 0; i < found.count; i++) *is_complete &= found.at[i].kind != BOUND_NOT_FOUND;
  bounds_clear(&found);
  model_free(own);
  return text_give(&out);
}
