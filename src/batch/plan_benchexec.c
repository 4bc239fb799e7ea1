/* A benchmark definition: tasks of one file each, for a job is one run. BenchExec expands patterns in names of files, and ${..}
 * everywhere; both are written so that nothing is expanded. */
#include "base/escape.h"
#include "base/text.h"
#include "batch/folder.h"
#include "batch/plan_files.h"
#include "batch/plot.h"

static const char head[] =
    "<?xml version=\"1.0\"?>\n"
    "<!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN\" "
    "\"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">\n"
    "<!-- The module `whet` is tools/benchexec/whet.py. -->\n";

/* Of a task definition: a string of YAML, which takes what JSON takes. */
static void add_input(text *out, const char *path) {
  text pattern = {0};
  for (; *path; path++) {
    if (strchr("*?[", *path))
      text_add(&pattern, "[%c]", *path);
    else
      text_add_char(&pattern, *path);
  }
  text_add_json(out, text_string(&pattern));
  text_clear(&pattern);
}

static GIVE char *task_of(const batch_problem *p) {
  text out = {0};
  text_add(&out, "format_version: '2.0'\ninput_files: ");
  add_input(&out, p->model);
  text_add(&out, "\nproperties:\n  - property_file: ../holds.prp\n");
  if (*p->expected) text_add(&out, "    expected_verdict: %s\n", p->expected);
  return text_give(&out);
}

/* NULL, or why the job cannot be said. */
static const char *obstacle(const batch_problem *p) {
  for (size_t i = 0; i < p->words.count; i++)
    if (strstr(p->words.at[i], "${")) return p->words.at[i];
  return strstr(p->property, "${") ? p->property : strstr(p->model, "${") ? p->model : NULL;
}

static void add_option(text *out, const char *name, const char *value) {
  text_add(out, "    <option name=\"");
  html_add(out, name);
  text_add(out, "\">");
  html_add(out, value);
  text_add(out, "</option>\n");
}

/* Of a job: its options as pairs. What BenchExec limits itself is not among them. */
static void add_options(text *out, const batch_problem *p) {
  if (*p->property) add_option(out, "--property", p->property);
  for (size_t i = 0; i < p->words.count; i++) {
    bool has_value = i + 1 < p->words.count && strncmp(p->words.at[i + 1], "--", 2) != 0;
    add_option(out, p->words.at[i], has_value ? p->words.at[i + 1] : "");
    i += has_value;
  }
}

static GIVE char *definition(const batch_plan *p, const plan_setting *s) {
  text out = {0};
  text_add(&out, "%s<benchmark tool=\"whet\" memlimit=\"%llu MB\" cpuCores=\"%llu\"", head,
           (unsigned long long)s->memory, (unsigned long long)s->cores);
  if (s->seconds > 0)
    text_add(&out, " timelimit=\"%.0f s\" walltimelimit=\"%.0f s\"", s->seconds * (double)s->cores,
             s->seconds * 1.25 + 30);
  text_add(&out, ">\n  <rundefinition name=\"whet\"/>\n  <propertyfile>holds.prp</propertyfile>\n");
  for (size_t i = 0; i < p->jobs.count; i++) {
    text_add(&out, "  <tasks name=\"job %zu\">\n    <include>tasks/%zu.yml</include>\n", i + 1, i + 1);
    add_options(&out, &p->list.problems.at[i]);
    text_add(&out, "  </tasks>\n");
  }
  text_add(&out, "</benchmark>\n");
  return text_give(&out);
}

char *plan_write_benchexec(const batch_plan *p, const plan_setting *s) {
  char *wrong = batch_folder_make_inside(s->folder, "tasks");
  for (size_t i = 0; i < p->jobs.count && !wrong; i++) {
    const batch_problem *of = &p->list.problems.at[i];
    const char *why = obstacle(of);
    char *name = text_format("tasks/%zu.yml", i + 1);
    wrong = why ? text_format("BenchExec would expand ${..} in `%s`; it cannot be said otherwise", why)
                : batch_folder_write(s->folder, name, task_of(of));
    memory_free(name);
  }
  if (!wrong)
    wrong =
        batch_folder_write(s->folder, "holds.prp", memory_copy_string("The property that the options name holds.\n"));
  return wrong ? wrong : batch_folder_write(s->folder, "benchmark.xml", definition(p, s));
}
