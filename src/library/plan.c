/* Plans: models are read to know their properties and the engines that suit each; the engines of a property become groups that fit on a
 * node. */
#include "batch/plan.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/budget.h"
#include "batch/folder.h"
#include "batch/plan_files.h"
#include "batch/words.h"
#include "library/inside.h"
#include "model/passes.h"
#include "process/command.h"
#include "run/engine_order.h"
#include "run/verdict.h"

/* Of an engine, if it is not told; and what the processes beside engines take together. */
enum { LEAST_MEGABYTES = 64, MEGABYTES_BESIDE = 256, SECONDS_FOR_SINFO = 10, SECONDS_FOR_SBATCH = 600 };

typedef VECTOR(char *) owned_words;

struct whet_plan {
  batch_list asked; /* what was listed */
  batch_plan plan;
  option_plan_for for_whom;
  char *folder;                           /* from the root */
  uint64_t cores, memory_of_node, memory; /* of a node; of an engine, megabytes */
  size_t most_engines;                    /* of a job */
  double seconds;
  size_t rows, groups, needed;
  uint64_t cores_of_job;
  owned_words notes;
};

/* ---- what a node has ---- */

static uint64_t smaller(uint64_t a, uint64_t b) { return !a || b < a ? b : a; }

/* Lines `CORES MEGABYTES`, each possibly with a plus sign. */
static void ask_slurm(uint64_t *cores, uint64_t *megabytes) {
  text said = {0};
  budget none = {0};
  limits l = limits_of(&none, SECONDS_FOR_SINFO);
  external_command *sinfo =
      command_start_program((const char *const[]){"sinfo", "--noheader", "--format=%c %m", NULL}, 0);
  while (sinfo && command_receive(sinfo, &l, &said) == COMMAND_RECEIVED) continue;
  bool fine = sinfo && !command_exit_status(sinfo);
  command_free(sinfo);
  for (const char *at = text_string(&said); fine && *at;) {
    unsigned long long c, m;
    if (sscanf(at, "%llu%*[+ ]%llu", &c, &m) == 2 && c && m) {
      *cores = smaller(*cores, c);
      *megabytes = smaller(*megabytes, m);
    }
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  text_clear(&said);
}

static void find_node(whet_plan *p, const options *o) {
  uint64_t cores = 0, megabytes = 0;
  if (o->plan_for == PLAN_FOR_SLURM && (!o->cores || !o->node_memory)) ask_slurm(&cores, &megabytes);
  long here = sysconf(_SC_NPROCESSORS_ONLN);
  p->cores = o->cores ? (uint64_t)o->cores : cores ? cores : here > 0 ? (uint64_t)here : 1;
  p->memory_of_node = o->node_memory ? (uint64_t)o->node_memory
                      : megabytes    ? megabytes
                                     : worker_memory_by_default() >> 20;
  /* One part is for the check of evidence, which comes when an engine has ended its work. */
  p->memory_of_node -= p->memory_of_node < MEGABYTES_BESIDE ? p->memory_of_node : MEGABYTES_BESIDE;
  p->memory = o->memory ? (uint64_t)o->memory : p->memory_of_node / (p->cores + 1);
  if (p->memory < LEAST_MEGABYTES) p->memory = LEAST_MEGABYTES;
  uint64_t fit = p->memory_of_node / p->memory;
  p->most_engines = (size_t)(fit > p->cores + 1 ? p->cores : fit > 2 ? fit - 1 : 1);
}

/* ---- engines and properties of a problem ---- */

/* Options of the problem, as `whet verify` would take them. */
static GIVE whet_options *options_of(const batch_problem *p) {
  whet_options *o = whet_options_new();
  for (size_t i = 0; i < p->words.count; i++) {
    const option_row *row = options_find(p->words.at[i] + 2);
    const char *value = row && *row->argument && i + 1 < p->words.count ? p->words.at[++i] : NULL;
    if (row) memory_free(options_set(o->options, row->name, value));
  }
  if (*p->property && !batch_ends_in(p->property, ".prp"))
    memory_free(options_set(o->options, "property", p->property));
  return o;
}

static void add_words_of(const char *list, owned_words *out) {
  for (const char *at = list; *at;) {
    size_t length = strcspn(at, ",");
    if (length) VECTOR_PUSH(*out, memory_copy_bytes(at, length));
    at += length + (at[length] == ',');
  }
}

/* Those that `auto` would use, in its order, or those that the problem names. */
static void find_engines(const whet_model *m, size_t property, const whet_options *o, owned_words *out) {
  if (o->options->engine && strcmp(o->options->engine, "auto") != 0) {
    add_words_of(o->options->engine, out);
    return;
  }
  passes *small = passes_run(m->model, property, NULL);
  model_look look = engine_order_look(passes_model(small), m->model->clauses, passes_property(small));
  engine_vector chosen = {0};
  text why = {0};
  run_settings settings = {.model = m->model, .options = o->options};
  engine_order_make(&look, o->options->without, &chosen, &why);
  for (size_t i = 0; i < chosen.count; i++)
    if (!verdict_missing_ability(&settings, chosen.at[i], property) || chosen.at[i]->provides_facts)
      VECTOR_PUSH(*out, memory_copy_string(chosen.at[i]->name));
  text_clear(&why);
  VECTOR_FREE(chosen);
  passes_free(small);
}

static void free_words(owned_words *words) {
  for (size_t i = 0; i < words->count; i++) memory_free(words->at[i]);
  VECTOR_FREE(*words);
}

/* ---- jobs ---- */

/* A job of the row, for some of the engines; all of them if it is the only one. */
static void add_job(whet_plan *p, const batch_problem *asked, size_t problem, const owned_words *engines, size_t from,
                    size_t to) {
  bool is_all = from == 0 && to == engines->count;
  size_t cores = is_all && to > p->most_engines ? p->most_engines : to > from ? to - from : 1;
  batch_words own = {0};
  text names = {0};
  for (size_t i = from; i < to; i++) text_add(&names, "%s%s", i > from ? "," : "", engines->at[i]);
  char *jobs = text_format("%zu", cores), *memory = text_format("%llu", (unsigned long long)p->memory);
  if (!is_all) {
    VECTOR_PUSH(own, "--engine");
    VECTOR_PUSH(own, text_string(&names));
  }
  VECTOR_PUSH(own, "--jobs");
  VECTOR_PUSH(own, jobs);
  VECTOR_PUSH(own, "--memory");
  VECTOR_PUSH(own, memory);
  batch_words fresh = {0};
  batch_words_add_missing(&asked->words, &own, &fresh);
  batch_plan_add(&p->plan, asked, &fresh, (plan_job){.problem = problem, .row = p->rows});
  if (cores > p->cores_of_job) p->cores_of_job = cores;
  VECTOR_FREE(fresh);
  VECTOR_FREE(own);
  memory_free(jobs);
  memory_free(memory);
  text_clear(&names);
}

/* Groups of nearly equal size, in order. Engines that the problem names are not divided. */
static void add_row(whet_plan *p, const batch_problem *asked, size_t problem, const owned_words *engines,
                    bool divides) {
  size_t count = engines->count, groups = divides ? (count + p->most_engines - 1) / p->most_engines : 1;
  if (groups < 1) groups = 1;
  for (size_t g = 0; g < groups; g++) add_job(p, asked, problem, engines, count * g / groups, count * (g + 1) / groups);
  if (groups > p->groups) p->groups = groups;
  p->rows++;
}

static void add_note(whet_plan *p, const char *model, const char *why) {
  int length = (int)strcspn(why, "\n");
  VECTOR_PUSH(p->notes, text_format("%s is one job with all its properties, as it cannot be read here: %.*s", model,
                                    length, why));
}

/* NULL and a note if it cannot be read: its job then says so. */
static GIVE whet_model *read_model(whet_plan *p, const batch_problem *asked, const whet_options *o,
                                   owned_words *names) {
  char *error = NULL;
  whet_task *task = batch_ends_in(asked->property, ".prp") ? whet_task_read(asked->property, &error) : NULL;
  for (size_t i = 0; task && i < whet_task_property_count(task); i++)
    if (whet_task_property(task, i)) VECTOR_PUSH(*names, memory_copy_string(whet_task_property(task, i)));
  whet_task_free(task);
  if (!batch_ends_in(asked->property, ".prp")) add_words_of(asked->property, names);
  whet_model *m = error ? NULL : whet_model_read_for(asked->model, o, &error);
  if (!m) add_note(p, asked->name, error ? error : "");
  whet_free(error);
  if (m && !*asked->property)
    for (size_t i = 0; i < whet_model_property_count(m); i++)
      VECTOR_PUSH(*names, memory_copy_string(whet_model_property_name(m, i)));
  return m;
}

static void plan_problem(whet_plan *p, size_t problem) {
  const batch_problem *asked = &p->asked.problems.at[problem];
  whet_options *o = options_of(asked);
  owned_words names = {0}, none = {0};
  whet_model *m = read_model(p, asked, o, &names);
  bool divides = !o->options->engine || !strcmp(o->options->engine, "auto");
  for (size_t i = 0; m && i < names.count; i++) {
    batch_problem one = *asked;
    owned_words engines = {0};
    size_t property;
    one.property = names.at[i];
    if (model_find_property(m->model, names.at[i], &property)) find_engines(m, property, o, &engines);
    add_row(p, &one, problem, &engines, divides);
    free_words(&engines);
  }
  if (!m || !names.count) add_row(p, asked, problem, &none, false);
  free_words(&names);
  whet_model_free(m);
  whet_options_free(o);
}

/* The first groups of all properties come first: what they answer, the others need not look at. */
static int by_group(const void *a, const void *b) {
  const size_t *x = a, *y = b;
  return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void order_jobs(whet_plan *p) {
  size_t count = p->plan.jobs.count, group = 0;
  VECTOR(size_t) order = {0}; /* pairs: the group, the place */
  batch_plan sorted = {0};
  for (size_t i = 0; i < count; i++) {
    group = i && p->plan.jobs.at[i].row == p->plan.jobs.at[i - 1].row ? group + 1 : 0;
    VECTOR_PUSH(order, group);
    VECTOR_PUSH(order, i);
  }
  if (count) qsort(order.at, count, 2 * sizeof *order.at, by_group);
  for (size_t i = 0; i < count; i++) {
    VECTOR_PUSH(sorted.jobs, p->plan.jobs.at[order.at[2 * i + 1]]);
    VECTOR_PUSH(sorted.list.problems, p->plan.list.problems.at[order.at[2 * i + 1]]);
  }
  for (size_t i = 0; i < count; i++) {
    p->plan.jobs.at[i] = sorted.jobs.at[i];
    p->plan.list.problems.at[i] = sorted.list.problems.at[i];
  }
  VECTOR_FREE(order);
  VECTOR_FREE(sorted.jobs);
  VECTOR_FREE(sorted.list.problems);
}

/* ---- the surface ---- */

whet_plan *whet_plan_new(const char *list, const whet_options *o, char **error) {
  whet_plan *p = MEMORY_NEW(whet_plan);
  batch_plan_init(&p->plan);
  char *common = library_common_options(o->options);
  *error = batch_list_read(&p->asked, list, common);
  memory_free(common);
  if (!*error && !*library_or_empty(o->options->out))
    *error = memory_copy_string("the folder for the plan is missing: --out DIR");
  if (!*error && o->options->submit && o->options->plan_for != PLAN_FOR_SLURM)
    *error = memory_copy_string("--submit is for Slurm: --for slurm");
  if (*error) {
    whet_plan_free(p);
    return NULL;
  }
  p->for_whom = o->options->plan_for;
  p->seconds = o->options->timeout;
  p->folder = memory_copy_string(batch_absolute_path(p->asked.arena, o->options->out));
  find_node(p, o->options);
  for (size_t i = 0; i < p->asked.problems.count; i++) plan_problem(p, i);
  order_jobs(p);
  batch_plan_share_facts(&p->plan, p->folder);
  return p;
}

void whet_plan_free(whet_plan *p) {
  if (!p) return;
  free_words(&p->notes);
  batch_plan_clear(&p->plan);
  batch_list_clear(&p->asked);
  memory_free(p->folder);
  memory_free(p);
}

size_t whet_plan_note_count(const whet_plan *p) { return p->asked.notes.count + p->notes.count; }

const char *whet_plan_note(const whet_plan *p, size_t i) {
  REQUIRE(i < whet_plan_note_count(p), "an index below whet_plan_note_count()");
  return i < p->asked.notes.count ? p->asked.notes.at[i] : p->notes.at[i - p->asked.notes.count];
}

static uint64_t memory_of_job(const whet_plan *p) { return (p->cores_of_job + 1) * p->memory + MEGABYTES_BESIDE; }

bool whet_plan_write(whet_plan *p, const char *program, char **error) {
  size_t count = p->plan.jobs.count;
  bool *needed = memory_alloc(count * sizeof *needed + 1);
  *error = batch_plan_write(&p->plan, p->folder);
  batch_plan_needed(&p->plan, p->folder, needed);
  p->needed = 0;
  for (size_t i = 0; i < count; i++) p->needed += needed[i];
  plan_setting s = {p->folder, program, p->cores_of_job, memory_of_job(p), p->cores, p->seconds, needed};
  if (!*error)
    *error = p->for_whom == PLAN_FOR_SLURM      ? plan_write_slurm(&p->plan, &s)
             : p->for_whom == PLAN_FOR_PARALLEL ? plan_write_parallel(&p->plan, &s)
                                                : plan_write_benchexec(&p->plan, &s);
  memory_free(needed);
  return !*error;
}

bool whet_plan_submit(const whet_plan *p, char **said, char **error) {
  char *path = text_format("%s/submit", p->folder);
  text out = {0}, why = {0};
  budget none = {0};
  limits l = limits_of(&none, SECONDS_FOR_SBATCH);
  external_command *c = command_start_program((const char *const[]){"sh", path, NULL}, 0);
  command_status status = COMMAND_RECEIVED;
  while (c && (status = command_receive(c, &l, &out)) == COMMAND_RECEIVED) continue;
  bool fine = c && status == COMMAND_ENDED && !command_exit_status(c);
  if (!fine && c && status == COMMAND_ENDED) text_add(&why, "%s", command_complaint(c));
  while (why.count && why.at[why.count - 1] == '\n') text_cut(&why, why.count - 1);
  *error = fine        ? NULL
           : why.count ? text_give(&why)
                       : text_format("sh %s did not end well within %d s", path, SECONDS_FOR_SBATCH);
  *said = text_give(&out);
  text_clear(&why);
  command_free(c);
  memory_free(path);
  return fine;
}

whet_plan_counts whet_plan_count(const whet_plan *p) {
  return (whet_plan_counts){.problems = p->asked.problems.count,
                            .properties = p->rows,
                            .jobs = p->plan.jobs.count,
                            .needed = p->needed,
                            .groups = p->groups,
                            .cores = p->cores_of_job,
                            .memory = memory_of_job(p)};
}

char *whet_plan_command(const whet_plan *p) {
  static const char *const commands[] = {"sh ", "sh ", "benchexec "}, *const names[] = {"submit", "parallel",
                                                                                        "benchmark.xml"};
  char *path = text_format("%s/%s", p->folder, names[p->for_whom]);
  text out = {0};
  text_add(&out, "%s", commands[p->for_whom]);
  batch_word_add(&out, path);
  memory_free(path);
  return text_give(&out);
}
