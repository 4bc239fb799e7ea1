/* Estimates of the number of states. */
#include "report/estimate.h"

#include "library/inside.h"

struct whet_estimate {
  model *model; /* its own copy */
  size_t property;
  options options;
  atomic_bool stop;
  bool is_complete;
};

static const char *missing_ability(const whet_model *m) {
  if (m->model->clauses)
    return "models that are Horn clauses: recursive procedures, arrays of any length, .smt2, .vmt, .svlib";
  if (m->model->has_heap) return "lists on the heap";
  return whet_model_has_reals(m) ? "reals" : NULL;
}

/* The index of the property that is asked for, SIZE_MAX if none is. An error or NULL. */
static GIVE char *find_property(const model *m, const char *name, size_t *out) {
  *out = SIZE_MAX;
  for (size_t i = 0; name && i < m->properties.count; i++)
    if (!strcmp(m->properties.at[i].name, name)) *out = i;
  if (!name || *out != SIZE_MAX) return NULL;
  const char **names = MEMORY_ARRAY(const char *, m->properties.count + 1);
  for (size_t i = 0; i < m->properties.count; i++) names[i] = m->properties.at[i].name;
  const char *near = whet_nearest(name, m->properties.count, names);
  memory_free(names);
  return near ? text_format("there is no property '%s'; did you mean '%s'?", name, near)
              : text_format("there is no property '%s'", name);
}

whet_estimate *whet_estimate_new(whet_model *m, const whet_options *o, char **error) {
  const char *to = o->options->to, *missing = missing_ability(m);
  whet_estimate *e = MEMORY_NEW(whet_estimate);
  e->options = *o->options;
  *error = to && !options_list_has("text, json", to) ? text_format("--to: '%s' is none of text, json", to)
           : missing                                 ? text_format("not done for %s", missing)
                                                     : find_property(m->model, o->options->property, &e->property);
  if (!*error) e->model = model_copy(m->model);
  if (!*error) return e;
  whet_estimate_free(e);
  return NULL;
}

void whet_estimate_free(whet_estimate *e) {
  if (!e) return;
  if (e->model) model_free(e->model);
  memory_free(e);
}

void whet_estimate_interrupt(whet_estimate *e) { e->stop = true; }
bool whet_estimate_is_complete(const whet_estimate *e) { return e->is_complete; }

char *whet_estimate_run(whet_estimate *e, char **error) {
  bool as_json = e->options.to && !strcmp(e->options.to, "json");
  worker_limits limits = library_limits(&e->options);
  estimate_outcome found = estimate_run(e->model, e->property, &e->options, &limits, &e->stop,
                                        as_json ? estimate_print_json : estimate_print);
  char *shown = found.shown;
  found.shown = NULL;
  e->is_complete = found.is_complete;
  *error = shown ? NULL : memory_copy_string(found.ending ? found.ending : "nothing was found out");
  estimate_outcome_clear(&found);
  return shown;
}
