/* What there is (options, engines, languages, statistics), and options that are set. */
#include <math.h>

#include "base/map.h"
#include "input/input.h"
#include "library/inside.h"
#include "run/portfolio.h"
#include "run/solver_command.h"

const char *whet_version(void) { return WHET_VERSION; }

void whet_free(void *string) { memory_free(string); }

/* ---- what there is ---- */

size_t whet_option_count(void) { return options_count(); }

static whet_option option_of(const option_row *row) {
  return (whet_option){row->name,    row->letter,  row->argument,
                       row->initial, row->choices, row->commands,
                       row->engines, row->help,    row->kind == OPTION_IS_LIST};
}

whet_option whet_option_at(size_t i) {
  REQUIRE(i < options_count(), "an index below whet_option_count()");
  return option_of(options_at(i));
}

bool whet_option_find(const char *name, whet_option *out) {
  const option_row *row = options_find(name);
  if (row) *out = option_of(row);
  return row != NULL;
}

/* `auto` first. */
size_t whet_engine_count(void) { return engines_count() + 1; }

whet_engine whet_engine_at(size_t i) {
  REQUIRE(i <= engines_count(), "an index below whet_engine_count()");
  const engine *e = i ? engines_at(i - 1) : &engine_auto;
  return (whet_engine){e->name, e->title, e->paper};
}

size_t whet_language_count(void) { return languages_count(); }

whet_language whet_language_at(size_t i) {
  REQUIRE(i < languages_count(), "an index below whet_language_count()");
  return (whet_language){languages_ending(i), languages_title(i)};
}

const char *whet_nearest(const char *typed, size_t count, const char *const *known) {
  const char *best = NULL;
  for (size_t i = 0; i < count; i++)
    if (words_are_near(typed, known[i]) && (!best || words_distance(typed, known[i]) < words_distance(typed, best)))
      best = known[i];
  return best;
}

size_t whet_statistic_count(void) { return statistics_count(); }

const char *whet_statistic_key(size_t i) { return statistics_key(i); }

const char *whet_statistic_label(size_t i) { return statistics_label(i); }

/* ---- options ---- */

whet_options *whet_options_new(void) {
  whet_options *o = MEMORY_NEW(whet_options);
  o->options = options_new();
  return o;
}

void whet_options_free(whet_options *o) {
  if (!o) return;
  options_free(o->options);
  memory_free(o);
}

char *whet_options_set(whet_options *o, const char *name, const char *value) {
  char *wrong = value && !strcmp(name, "solver") ? solver_command_missing(value) : NULL;
  return wrong ? wrong : options_set(o->options, name, value);
}

void whet_options_forget(whet_options *o, const char *name) { options_forget(o->options, name); }

bool whet_options_given(const whet_options *o, const char *name) {
  const option_row *row = options_find(name);
  REQUIRE(row, "the name of an option");
  return o->options->given[options_index(row)];
}

char *whet_options_get(const whet_options *o, const char *name) { return options_get(o->options, name); }

worker_limits library_limits(const options *o) {
  return (worker_limits){.deadline = o->timeout > 0 ? clock_seconds() + o->timeout : 0,
                         .grace = fmin(1, fmax(0.03, o->timeout * 0.05)),
                         .memory = o->memory ? o->memory << 20 : worker_memory_by_default()};
}
