/* What an engine makes of a model without a property: quotients, abstract programs, invariants. */
#include "base/json_writer.h"
#include "library/inside.h"
#include "run/portfolio.h"

/* What an engine makes of the model without a property. */
static char *product_of(whet_model *m, const options *o, const char *name, const char *what, bool wants_tests,
                        char **error) {
  const engine *maker = engines_find(name);
  model *own = model_copy(m->model);
  run_settings settings = {.model = own,
                           .path = m->path,
                           .options = o,
                           .engine_count = 1,
                           .engines = &maker,
                           .started = clock_seconds(),
                           .wants_product = true,
                           .wants_tests = wants_tests};
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
  return *error ? NULL : product_of(m, o->options, "alpha", "quotient", false, error);
}

char *whet_tests(whet_model *m, const whet_options *o, char **error) {
  return product_of(m, o->options, "alpha", "set of runs", true, error);
}

char *whet_abstract(whet_model *m, const whet_options *o, char **error) {
  bool is_program = o->options->system_kind == KIND_PROGRAM;
  *error = unknown_format(o->options->to, is_program ? "whet, smv, promela" : "aut, dot, json");
  if (*error) return NULL;
  return product_of(m, o->options, is_program ? "syntactic" : "alpha", is_program ? "program" : "abstract system",
                    false, error);
}

/* Lines of a product as an array: those that begin with "// ", without that, or the others. */
static void add_lines(json_writer *w, const char *key, const char *lines, bool comments) {
  json_field_array(w, key);
  for (const char *at = lines; *at;) {
    size_t n = strcspn(at, "\n");
    bool is_comment = !strncmp(at, "// ", 3);
    char *line = is_comment ? memory_copy_bytes(at + 3, n - 3) : memory_copy_bytes(at, n);
    if (is_comment == comments) json_add_string(w, line);
    memory_free(line);
    at += n + (at[n] == '\n');
  }
  json_end_array(w);
}

static char *invariants_as_json(const char *engine, TAKE char *lines) {
  text out = {0};
  json_writer w = json_writer_indented(&out);
  json_begin_object(&w);
  json_field_string(&w, "engine", engine);
  add_lines(&w, "names", lines, true);
  add_lines(&w, "invariants", lines, false);
  json_end_object(&w);
  text_add(&out, "\n");
  memory_free(lines);
  return text_give(&out);
}

char *whet_invariants(whet_model *m, const whet_options *o, char **error) {
  const char *engine = o->options->engine ? o->options->engine : "widen";
  *error = unknown_format(o->options->to, "text, json");
  if (!*error && !options_list_has("widen, cegar", engine))
    *error = text_format("--engine: '%s' is none of widen, cegar", engine);
  if (*error) return NULL;
  char *lines = product_of(m, o->options, engine, "invariant", false, error);
  bool as_json = o->options->to && !strcmp(o->options->to, "json");
  return lines && as_json ? invariants_as_json(engine, lines) : lines;
}
