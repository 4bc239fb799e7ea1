/* Models: reading them, what is in them, showing them. */
#include "input/input.h"
#include "library/inside.h"
#include "model/passes.h"
#include "model/svlib_text.h"
#include "proof/termination.h"
#include "run/correspondence/correspondence.h"
#include "run/engine_order.h"

/* ---- reading ---- */

/* That every run ends, of SV-LIB if that is what the script asks. It is about runs in which all else holds. */
static bool add_ending(model *m) {
  text others = {0};
  if (!m->source || !m->source->asks_end) return true;
  for (size_t i = 0; i < m->properties.count; i++) text_add(&others, "%s%s", i ? "\n" : "", m->properties.at[i].name);
  bool fine = termination_add(m, "not-recurring");
  if (fine && others.count) VECTOR_LAST(m->properties).relies_on = model_string(m, text_string(&others));
  text_clear(&others);
  return fine;
}

static whet_model *model_wrap(TAKE model *read, const char *path, diagnostics *d, char **error) {
  if (!read) {
    *error = text_give(&d->text);
    return NULL;
  }
  if (!add_ending(read)) {
    *error = text_format(
        "%s:1:1: error: whether every run ends is not decided: that the program goes on depends on free "
        "values in a way that is not linear\n",
        path);
    text_clear(&d->text);
    model_free(read);
    return NULL;
  }
  text_clear(&d->text);
  whet_model *m = MEMORY_NEW(whet_model);
  m->model = read;
  m->path = memory_copy_string(path);
  return m;
}

whet_model *whet_model_read(const char *path, char **error) {
  diagnostics d = {0};
  return model_wrap(input_read_file(path, &d), path, &d, error);
}

static bool asks_termination(const whet_options *o) {
  return o->options->property && options_list_has(o->options->property, "termination");
}

c_settings library_c_settings(const whet_options *o) {
  int64_t most_expanded = o->options->expand_arrays; /* termination is decided of transition systems only */
  if (asks_termination(o) && most_expanded < C_MOST_EXPANDED_TO_END) most_expanded = C_MOST_EXPANDED_TO_END;
  return (c_settings){.is_32 = o->options->machine == MACHINE_32,
                      .signed_wraps = o->options->signed_arithmetic == SIGNED_WRAP,
                      .most_expanded = most_expanded,
                      .most_copies = o->options->expand_copies,
                      .without_arrays = o->options->without_arrays,
                      .all_procedures = o->options->calls == CALLS_PROCEDURES,
                      .keeps_heads = o->options->witness || o->options->annotate || o->options->report,
                      .properties = o->options->property,
                      .includes = o->options->include,
                      .defines = o->options->define};
}

/* Of C programs, termination is a property if it is asked for. NULL, or why it is not decided. */
static const char *add_termination(model *m, const whet_options *o) {
  if (!m->is_c_program || !asks_termination(o)) return NULL;
  if (m->clauses && m->clauses->have_arrays)
    return "termination of programs with arrays that are not expanded is not decided; without `termination` the other "
           "properties are";
  if (termination_add(m, "termination")) {
    size_t calls; /* an error ends a run: the verdict rests on what that of calls does */
    bool found = model_find_property(m, "unreach-call", &calls);
    if (found) VECTOR_LAST(m->properties).relies_on = m->properties.at[calls].relies_on;
    return NULL;
  }
  return "termination is not decided: whether the program can go on depends on inputs in a way that is not linear";
}

whet_model *library_read_c(const char *path, const whet_options *o, const c_witness *w, bool keeps_heads,
                           char **error) {
  diagnostics d = {0};
  c_settings settings = library_c_settings(o);
  settings.witness = w;
  settings.keeps_heads |= w != NULL || keeps_heads;
  model *read = input_read_file_for(path, &settings, &d);
  const char *why = read ? add_termination(read, o) : NULL;
  if (!why) return model_wrap(read, path, &d, error);
  model_free(read);
  text_clear(&d.text);
  *error = text_format("%s:1:1: error: %s\n", path, why);
  return NULL;
}

whet_model *whet_model_read_for(const char *path, const whet_options *o, char **error) {
  return library_read_c(path, o, NULL, false, error);
}

whet_model *whet_model_read_for_bounds(const char *path, const whet_options *o, char **error) {
  return library_read_c(path, o, NULL, true, error);
}

whet_model *whet_model_read_text(const char *path, const char *content, size_t length, char **error) {
  diagnostics d = {0};
  return model_wrap(input_read_text(path, content, length, &d), path, &d, error);
}

void whet_model_free(whet_model *m) {
  if (!m) return;
  model_free(m->model);
  memory_free(m->path);
  memory_free(m);
}

/* ---- what is in them ---- */

size_t whet_model_property_count(const whet_model *m) { return m->model->properties.count; }

const char *whet_model_property_name(const whet_model *m, size_t i) {
  REQUIRE(i < m->model->properties.count, "an index below whet_model_property_count()");
  return m->model->properties.at[i].name;
}

size_t whet_model_note_count(const whet_model *m) { return m->model->notes.count; }

const char *whet_model_note(const whet_model *m, size_t i) {
  REQUIRE(i < m->model->notes.count, "an index below whet_model_note_count()");
  return m->model->notes.at[i];
}

bool whet_model_has_system(const whet_model *m) { return !m->model->clauses || clauses_have_system(m->model->clauses); }

bool whet_model_has_runs(const whet_model *m) {
  return whet_model_has_system(m) ||
         (m->model->clauses->is_program && !m->model->clauses->have_arrays && !whet_model_has_reals(m));
}

bool whet_model_has_arrays(const whet_model *m) { return m->model->clauses && m->model->clauses->have_arrays; }

bool whet_model_has_reals(const whet_model *m) { return terms_have_reals(m->model->terms); }

bool whet_model_is_horn(const whet_model *m) { return m->model->clauses && m->model->clauses->is_horn; }

char *whet_model_show(const whet_model *m) {
  text out = {0};
  model_print(m->model, &out);
  return text_give(&out);
}

char *whet_model_show_svlib(const whet_model *m) {
  text out = {0};
  if (m->model->svlib) return memory_copy_string(m->model->svlib);
  if (!whet_model_has_system(m) || !model_print_svlib(m->model, &out)) return NULL;
  return text_give(&out);
}

char *whet_model_show_after_passes(const whet_model *m, size_t property) {
  REQUIRE(property < m->model->properties.count, "an index below whet_model_property_count()");
  passes *plain = passes_run(m->model, property, NULL);
  model_look look = engine_order_look(passes_model(plain), m->model->clauses, passes_property(plain));
  known_invariants known = {0};
  worker_limits limits = {.memory = worker_memory_by_default()};
  if (engine_order_is_one_step(&look)) correspondence_find_apart(passes_model(plain), 0, &limits, NULL, &known);
  passes *p = passes_use_invariants(plain, &known, NULL);
  text out = {0};
  model_print(passes_model(p), &out);
  known_invariants_clear(&known);
  passes_free(p);
  passes_free(plain);
  return text_give(&out);
}
