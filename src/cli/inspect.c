/* The commands that decide nothing new: check, show, simulate, quotient, tests, abstract, invariants, bounds, engines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

bool wants_colour(FILE *out) {
  const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(fileno(out)) && !(none && *none) && term && strcmp(term, "dumb");
}

static int print_check(const command_line *line, const whet_model *m, const whet_check *c) {
  const char *name = whet_check_property(c);
  switch (whet_check_answer(c)) {
    case WHET_ACCEPTED:
      printf("%s: accepted (%llu obligations): %s\n", name, (unsigned long long)whet_check_obligations(c),
             verdict_shown(whet_check_verdict(c), whet_model_is_horn(m)));
      return STATUS_HOLDS;
    case WHET_REJECTED: printf("%s: rejected: %s\n", name, whet_check_what(c)); return STATUS_VIOLATED;
    case WHET_UNREADABLE: fprintf(stderr, "%s:%s\n", line->operands[1], whet_check_what(c)); return STATUS_USAGE;
    default: printf("%s: unsure: %s\n", *name ? name : "certificate", whet_check_what(c)); break;
  }
  return whet_check_internal_error(c) ? STATUS_INTERNAL : STATUS_UNDECIDED;
}

static int check_file(const command_line *line, whet_model *m) {
  size_t length;
  const char *path = line->operands[1];
  char *certificate = file_read(line, path, &length);
  if (!certificate) return usage_error(line->command, "cannot read %s: %s", path, strerror(errno));
  int status;
  if (!length) {
    status =
        usage_error(line->command, "%s is empty; certificates are written by: whet verify --certificate FILE", path);
  } else {
    whet_check *c = whet_check_new(m, certificate, length, line->options);
    status = print_check(line, m, c);
    whet_check_free(c);
  }
  free(certificate);
  return status;
}

int run_check(const command_line *line) {
  if (witness_is_meant(line)) return witness_check(line);
  if (svlib_witness_is_meant(line)) return svlib_witness_check(line);
  whet_model *m = model_load(line);
  if (!m) return STATUS_USAGE;
  int status = check_file(line, m);
  whet_model_free(m);
  return status;
}

/* The property that --property names, or the only one; else a message and false. */
static bool property_chosen(const command_line *line, const whet_model *m, size_t *out) {
  size_t count = whet_model_property_count(m);
  char *wanted = option_value(line, "property");
  const char *near = NULL, **names = calloc(count + 1, sizeof *names);
  for (size_t i = 0; i < count && names; i++) names[i] = whet_model_property_name(m, i);
  bool found = false;
  for (*out = 0; names && *out < count && !found; *out += !found)
    found = *wanted ? !strcmp(names[*out], wanted) : count == 1;
  if (!found && names && *wanted) near = whet_nearest(wanted, count, names);
  if (!found && near)
    usage_error(line->command, "there is no property '%s'; did you mean '%s'?", wanted, near);
  else if (!found && *wanted)
    usage_error(line->command, "there is no property '%s'", wanted);
  else if (!found)
    usage_error(line->command,
                count ? "--after-passes: name one of the %zu properties with --property"
                      : "--after-passes: the model has no property to make it smaller for",
                count);
  free(names);
  whet_free(wanted);
  return found;
}

/* A model that has a transition system, without reals if the command treats none; a message and NULL else. */
static GIVE whet_model *system_load(const command_line *line, bool without_reals) {
  whet_model *m = model_load(line);
  bool has_system = m && whet_model_has_system(m), has_reals = m && without_reals && whet_model_has_reals(m);
  if (!m || (has_system && !has_reals)) return m;
  fprintf(stderr,
          has_system ? "whet %s: the model has reals, which this command does not treat\n"
          : whet_model_has_arrays(m) && !whet_model_is_horn(m)
              ? "whet %s: the model has arrays of any length, which this command does not treat; -D NAME=VALUE gives "
                "constants values\n"
              : "whet %s: the clauses have several predicates in a body, or arrays: there is no transition "
                "system to look at\n",
          line->command->name);
  whet_model_free(m);
  return NULL;
}

/* `to` is one of `formats`, which has bars between, or not given. */
static bool format_is_known(const char *to, const char *formats) {
  size_t length = strlen(to);
  for (const char *at = formats; length && (at = strstr(at, to)); at += length)
    if ((at == formats || at[-1] == '|') && (!at[length] || at[length] == '|')) return true;
  return !length;
}

/* As SV-LIB. */
static int show_svlib(const command_line *line) {
  whet_model *m = model_load(line);
  if (!m) return STATUS_USAGE;
  char *shown = flag_given(line, "after-passes") ? NULL : whet_model_show_svlib(m);
  if (shown)
    fputs(shown, stdout);
  else
    fprintf(stderr,
            "whet show: lists, clauses that are no program, and models after passes are not written as SV-LIB\n");
  int status = shown ? STATUS_HOLDS : STATUS_USAGE;
  whet_free(shown);
  whet_model_free(m);
  return status;
}

int run_show(const command_line *line) {
  char *to = option_value(line, "to");
  bool is_svlib = !strcmp(to, "svlib"), is_known = !*to || format_is_known(to, line->command->formats);
  int wrong = is_known ? 0 : usage_error(line->command, "--to: '%s' is none of %s", to, line->command->formats);
  whet_free(to);
  if (!is_known) return wrong;
  if (is_svlib) return show_svlib(line);
  whet_model *m = system_load(line, false);
  if (!m) return STATUS_USAGE;
  size_t property = 0;
  bool after_passes = flag_given(line, "after-passes"), fine = !after_passes || property_chosen(line, m, &property);
  char *shown = !fine ? NULL : after_passes ? whet_model_show_after_passes(m, property) : whet_model_show(m);
  if (shown) fputs(shown, stdout);
  whet_free(shown);
  whet_model_free(m);
  return fine ? STATUS_HOLDS : STATUS_USAGE;
}

/* A model that can be simulated; a message and NULL else. */
static GIVE whet_model *runs_load(const command_line *line) {
  whet_model *m = model_load(line);
  if (!m || whet_model_has_runs(m)) return m;
  fprintf(stderr, "whet simulate: %s\n",
          whet_model_is_horn(m)
              ? "the clauses have several predicates in a body: there is no transition system to look at"
          : whet_model_has_arrays(m)
              ? "the model has arrays of any length, which are not simulated; -D NAME=VALUE gives constants values"
              : "the program has recursive procedures and reals, which are not simulated together");
  whet_model_free(m);
  return NULL;
}

static int explore(const command_line *line) {
  whet_model *m = system_load(line, true);
  int status = m ? run_explore(line, m) : STATUS_USAGE;
  whet_model_free(m);
  return status;
}

int run_simulate(const command_line *line) {
  char *from = option_value(line, "from");
  bool has_from = *from;
  whet_free(from);
  if (flag_given(line, "interactive")) return explore(line);
  if (has_from) return usage_error(line->command, "--from is for runs that you make yourself, with -i");
  whet_model *m = runs_load(line);
  if (!m) return STATUS_USAGE;
  char *ending, *trace = option_value(line, "trace");
  char *run = whet_simulate(m, line->options, wants_colour(stdout), &ending);
  int status = *run ? STATUS_HOLDS : STATUS_UNDECIDED;
  if (strcmp(trace, "off")) fputs(run, stdout);
  fflush(stdout);
  if (ending && (!*run || !flag_given(line, "quiet"))) fprintf(stderr, "whet simulate: the run ended: %s\n", ending);
  whet_free(ending);
  whet_free(run);
  whet_free(trace);
  whet_model_free(m);
  return status;
}

/* A command that prints what an engine makes of a model. */
static int run_product(const command_line *line, const char *formats,
                       char *(*make)(whet_model *, const whet_options *, char **)) {
  char *to = option_value(line, "to"), *error = NULL;
  bool known = format_is_known(to, formats);
  int status = STATUS_HOLDS;
  if (!known) status = usage_error(line->command, "--to: '%s' is none of %s", to, formats);
  whet_free(to);
  whet_model *m = known ? system_load(line, true) : NULL;
  if (!m) return STATUS_USAGE;
  bool fine = whet_model_add_help(m, line->options, &error);
  char *product = fine ? make(m, line->options, &error) : NULL;
  if (product) {
    fputs(product, stdout);
  } else {
    fprintf(stderr, "whet %s: %s\n", line->command->name, error);
    status = fine ? STATUS_UNDECIDED : STATUS_USAGE;
  }
  whet_free(product);
  whet_free(error);
  whet_model_free(m);
  return status;
}

int run_quotient(const command_line *line) { return run_product(line, line->command->formats, whet_quotient); }

int run_tests(const command_line *line) { return run_product(line, "", whet_tests); }

/* A program has languages, an abstract system has the formats of graphs. */
int run_abstract(const command_line *line) {
  char *kind = option_value(line, "kind");
  bool is_program = !strcmp(kind, "program");
  whet_free(kind);
  if (!is_program && whet_options_given(line->options, "closure"))
    return usage_error(line->command, "--closure is for programs: leave --kind out");
  return run_product(line, is_program ? "whet|smv|promela" : "aut|dot|json", whet_abstract);
}

/* An engine that finds invariants, and options that it has. */
static bool invariants_can_be_found(const command_line *line) {
  char *engine = option_value(line, "engine");
  bool is_cegar = !strcmp(engine, "cegar"), fine = is_cegar || !*engine || !strcmp(engine, "widen");
  if (!fine) usage_error(line->command, "--engine: '%s' is none of widen|cegar", engine);
  whet_free(engine);
  static const char *const of_cegar[] = {"form", "property", "wp-depth", "no-guards"};
  for (size_t i = 0; i < sizeof of_cegar / sizeof of_cegar[0] && fine && !is_cegar; i++) {
    fine = !whet_options_given(line->options, of_cegar[i]);
    if (!fine) usage_error(line->command, "--%s is an option of --engine cegar", of_cegar[i]);
  }
  return fine;
}

/* The property that is named, if one is, is there. */
static int print_invariants(const command_line *line, whet_model *m, char **error) {
  size_t property;
  if (whet_options_given(line->options, "property") && !property_chosen(line, m, &property)) return STATUS_USAGE;
  char *invariants = whet_invariants(m, line->options, error);
  if (invariants)
    fputs(invariants, stdout);
  else
    fprintf(stderr, "whet invariants: %s\n", *error);
  whet_free(invariants);
  return invariants ? STATUS_HOLDS : STATUS_UNDECIDED;
}

int run_invariants(const command_line *line) {
  char *to = option_value(line, "to"), *error = NULL;
  bool known = format_is_known(to, line->command->formats);
  if (!known) usage_error(line->command, "--to: '%s' is none of %s", to, line->command->formats);
  whet_free(to);
  whet_model *m = known && invariants_can_be_found(line) ? system_load(line, true) : NULL;
  if (!m) return STATUS_USAGE;
  int status = print_invariants(line, m, &error);
  whet_free(error);
  whet_model_free(m);
  return status;
}

int run_bounds(const command_line *line) {
  char *error = NULL;
  bool is_complete;
  whet_model *m = model_load(line);
  if (!m) return STATUS_USAGE;
  char *bounds = whet_bounds(m, line->options, &is_complete, &error);
  if (bounds)
    fputs(bounds, stdout);
  else
    usage_error(line->command, "%s", error);
  int status = !bounds ? STATUS_USAGE : is_complete ? STATUS_HOLDS : STATUS_UNDECIDED;
  whet_free(bounds);
  whet_free(error);
  whet_model_free(m);
  return status;
}

static void print_engine_options(const char *engine) {
  for (size_t i = 0; i < whet_option_count(); i++) {
    whet_option o = whet_option_at(i);
    if (!word_is_in(o.engines, engine)) continue;
    printf("    --%s %s  %s", o.name, *o.choices ? o.choices : o.argument, o.help);
    if (*o.initial) printf(" (default %s)", o.initial);
    putchar('\n');
  }
}

int run_engines(const command_line *line) {
  (void)line;
  for (size_t i = 0; i < whet_engine_count(); i++) {
    whet_engine e = whet_engine_at(i);
    printf("%s: %s\n", e.name, e.title);
    if (*e.paper) printf("    from %s\n", e.paper);
    print_engine_options(e.name);
  }
  return STATUS_HOLDS;
}
