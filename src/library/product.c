/* What an engine makes of a model without a property: quotients, abstract programs, invariants. */
#include "library/inside.h"
#include "run/portfolio.h"

/* What an engine makes of the model without a property. */
static char *product_of(whet_model *m, const options *o, const char *name, const char *what, char **error) {
  const engine *maker = engines_find(name);
  model *own = model_copy(m->model);
  run_settings settings = {.model = own,
                           .path = m->path,
                           .options = o,
                           .engine_count = 1,
                           .engines = &maker,
                           .started = clock_seconds(),
                           .wants_product = true};
  outcome out = {0};
  /* A property that nothing breaks: the whole behaviour is explored for it. No property of a text can have this name.
   */
  model_add_property(own, "whole-behaviour", PROPERTY_SAFE, (place){0});
  portfolio_run(&settings, own->properties.count - 1, 1, 0, &out);
  char *product = out.verdict == VERDICT_SAFE ? out.product : NULL;
  if (product)
    out.product = NULL;
  else
    *error = out.reason ? memory_copy_string(out.reason) : text_format("no %s was found", what);
  outcome_clear(&out);
  model_free(own);
  return product;
}

/* NULL if the option `to` is one of the formats or not given. */
static char *unknown_format(const char *to, const char *formats) {
  return !to || options_list_has(formats, to) ? NULL : text_format("--to: '%s' is none of %s", to, formats);
}

char *whet_quotient(whet_model *m, const whet_options *o, char **error) {
  *error = unknown_format(o->options->to, "aut, dot, json");
  return *error ? NULL : product_of(m, o->options, "alpha", "quotient", error);
}

char *whet_abstract(whet_model *m, const whet_options *o, char **error) {
  *error = unknown_format(o->options->to, "whet, smv, promela");
  return *error ? NULL : product_of(m, o->options, "syntactic", "program", error);
}

char *whet_invariants(whet_model *m, const whet_options *o, char **error) {
  *error = NULL;
  return product_of(m, o->options, "widen", "invariant", error);
}
