/* The page of a batch: what is wrong first, then counts, plots and the whole table. Different options are different settings: each has a
 * line in the first plot, and is compared with the first of them in a plot of its own. */
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "batch/plot.h"
#include "batch/table.h"

enum { MOST_SETTINGS = 6 };
/* Times below are drawn there: a logarithm has no zero. */
#define LEAST_SECONDS 0.001

static const char style[] =
    "<style>:root{color-scheme:light dark;--good:#1a7f37;--bad:#c62828;--open:#9a6700;--line:#8884}"
    "@media(prefers-color-scheme:dark){:root{--good:#4ac26b;--bad:#ff7b72;--open:#d4a72c}}"
    "body{font:15px/1.45 system-ui,sans-serif;margin:1.5em auto;max-width:75em;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid var(--line);padding:.2em "
    ".6em;text-align:left;"
    "vertical-align:top;overflow-wrap:anywhere}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    "td.good{color:var(--good)}td.bad{color:var(--bad)}td.open{color:var(--open)}"
    ".wrong{border:2px solid var(--bad);padding:.5em 1em;margin:1em 0}"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(22em,1fr));gap:1em}"
    "svg{width:100%;font-size:11px}svg text{fill:currentColor}svg .title{font-size:13px;font-weight:600}"
    ".grid{stroke:var(--line)}.diagonal{stroke:#888;stroke-dasharray:4 3}polyline{fill:none;stroke-width:1.5}"
    "circle.good{fill:var(--good)}circle.bad{fill:var(--bad)}circle.open{fill:var(--open)}"
    ".c0{stroke:#0969da;fill:#0969da}.c1{stroke:#bf5700;fill:#bf5700}.c2{stroke:#1a7f37;fill:#1a7f37}.c3{stroke:#"
    "8250df;fill:#8250df}"
    ".c4{stroke:#c62828;fill:#c62828}.c5{stroke:#6e7781;fill:#6e7781}polyline[class]{fill:none}svg "
    "text[class^=c]{stroke:none}"
    "</style>\n";

static const char *look_of(const batch_row *r) {
  return r->holds == HOLDS_YES ? "good" : r->holds == HOLDS_NO ? "bad" : "open";
}

static double seconds_drawn(const batch_row *r) { return fmax(r->seconds, LEAST_SECONDS); }

static const char *label_of(const batch_table *t, const batch_row *r) {
  char *words = text_format("%s %s: %s, %.3f s", r->problem->name, r->property, r->verdict, r->seconds);
  const char *kept = arena_copy_string(t->arena, words);
  memory_free(words);
  return kept;
}

/* ---- plots ---- */

/* Different options, in the order of the list. */
static void find_settings(const batch_table *t, batch_words *out) {
  names *seen = names_new();
  for (size_t i = 0; i < t->rows.count; i++) {
    const char *options = t->rows.at[i].problem->options;
    if (names_get(seen, options, NULL)) continue;
    names_set(seen, options, 1);
    if (out->count < MOST_SETTINGS) VECTOR_PUSH(*out, options);
  }
  names_free(seen);
}

static const char *name_of(const char *setting) { return *setting ? setting : "without options"; }

static int by_seconds(const void *a, const void *b) {
  double x = ((const plot_point *)a)->y, y = ((const plot_point *)b)->y;
  return (x > y) - (x < y);
}

static void add_cactus(text *out, const batch_table *t, const batch_words *settings) {
  plot p = {.title = "decided within a time",
            .x_title = "properties decided",
            .y_title = "seconds for each",
            .x_is_linear = true,
            .has_lines = true};
  for (size_t s = 0; s < settings->count; s++) {
    plot_series made = {.name = name_of(settings->at[s])};
    for (size_t i = 0; i < t->rows.count; i++) {
      const batch_row *r = &t->rows.at[i];
      if (r->holds == HOLDS_UNKNOWN || r->is_wrong || strcmp(r->problem->options, settings->at[s])) continue;
      VECTOR_PUSH(made.points, (plot_point){0, seconds_drawn(r), label_of(t, r), look_of(r)});
    }
    if (made.points.count) qsort(made.points.at, made.points.count, sizeof *made.points.at, by_seconds);
    for (size_t i = 0; i < made.points.count; i++) made.points.at[i].x = (double)i + 1;
    VECTOR_PUSH(p.series, made);
  }
  plot_add(out, &p);
  plot_clear(&p);
}

static void add_memory(text *out, const batch_table *t) {
  plot p = {.title = "time and memory", .x_title = "seconds", .y_title = "megabytes of the largest process"};
  plot_series made = {.name = ""};
  for (size_t i = 0; i < t->rows.count; i++) {
    const batch_row *r = &t->rows.at[i];
    if (r->memory && r->has_report)
      VECTOR_PUSH(made.points,
                  (plot_point){seconds_drawn(r), (double)r->memory / (1 << 20), label_of(t, r), look_of(r)});
  }
  VECTOR_PUSH(p.series, made);
  plot_add(out, &p);
  plot_clear(&p);
}

static GIVE char *pair_name(const batch_row *r) { return text_format("%s\n%s", r->problem->name, r->property); }

static names *rows_of(const batch_table *t, const char *setting) {
  names *rows = names_new();
  for (size_t i = 0; i < t->rows.count; i++) {
    const batch_row *r = &t->rows.at[i];
    char *name = pair_name(r);
    if (r->has_report && !strcmp(r->problem->options, setting)) names_set(rows, name, i);
    memory_free(name);
  }
  return rows;
}

/* Colours say what became of the second; one that is undecided took its whole time. */
static void add_scatter(text *out, const batch_table *t, const char *one, const char *other) {
  char *title = text_format("%s against %s", name_of(one), name_of(other));
  char *across = text_format("seconds, %s", name_of(one)), *upwards = text_format("seconds, %s", name_of(other));
  plot p = {.title = title, .x_title = across, .y_title = upwards, .has_diagonal = true};
  plot_series made = {.name = ""};
  names *rows = rows_of(t, one);
  for (size_t i = 0; i < t->rows.count; i++) {
    const batch_row *r = &t->rows.at[i];
    uint64_t first;
    char *name = pair_name(r);
    if (r->has_report && !strcmp(r->problem->options, other) && names_get(rows, name, &first))
      VECTOR_PUSH(made.points,
                  (plot_point){seconds_drawn(&t->rows.at[first]), seconds_drawn(r), label_of(t, r), look_of(r)});
    memory_free(name);
  }
  VECTOR_PUSH(p.series, made);
  plot_add(out, &p);
  names_free(rows);
  plot_clear(&p);
  memory_free(across);
  memory_free(upwards);
  memory_free(title);
}

static void add_plots(text *out, const batch_table *t) {
  batch_words settings = {0};
  find_settings(t, &settings);
  text_add(out, "<div class=\"plots\">\n");
  add_cactus(out, t, &settings);
  for (size_t i = 1; i < settings.count; i++) add_scatter(out, t, settings.at[0], settings.at[i]);
  if (settings.count == 1) add_memory(out, t);
  text_add(out, "</div>\n");
  VECTOR_FREE(settings);
}

/* ---- tables ---- */

static void add_cell(text *out, const char *look, const char *content) {
  text_add(out, "<td%s%s%s>", *look ? " class=\"" : "", look, *look ? "\"" : "");
  html_add(out, content);
  text_add(out, "</td>");
}

static void add_row(text *out, const batch_row *r) {
  text_add(out, "<tr><td>");
  if (r->has_report) text_add(out, "<a href=\"reports/%s.html\">", r->problem->key);
  html_add(out, r->problem->name);
  text_add(out, "%s</td>", r->has_report ? "</a>" : "");
  add_cell(out, "", r->property);
  add_cell(out, "", r->problem->options);
  add_cell(out, look_of(r), r->verdict);
  add_cell(out, r->is_wrong ? "bad" : "",
           r->is_wrong ? (r->holds == HOLDS_YES ? "false is expected" : "true is expected") : r->problem->expected);
  add_cell(out, "", r->engine);
  text_add(out, "<td class=\"n\">%.3f</td>", r->seconds);
  add_cell(out, "", r->reason);
  text_add(out, "</tr>\n");
}

static void add_table(text *out, const batch_table *t, bool only_wrong) {
  text_add(out,
           "<table><tr><th>model</th><th>property</th><th>options</th><th>verdict</th><th>expected</th><th>engine</"
           "th><th class=\"n\">seconds</th><th></th></tr>\n");
  for (size_t i = 0; i < t->rows.count; i++)
    if (!only_wrong || t->rows.at[i].is_wrong) add_row(out, &t->rows.at[i]);
  text_add(out, "</table>\n");
}

char *batch_table_page(const batch_table *t) {
  text out = {0};
  text_add(&out,
           "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
           "content=\"width=device-width\">"
           "<title>whet batch</title>\n%s</head><body>\n<h1>whet batch</h1>\n",
           style);
  if (t->wrong) {
    text_add(&out, "<div class=\"wrong\"><h2>%zu wrong against what is expected</h2>\n", t->wrong);
    add_table(&out, t, true);
    text_add(&out, "</div>\n");
  }
  text_add(&out, "<p>%zu hold, %zu are violated, %zu stay unknown", t->holds, t->violated, t->unknown);
  if (t->refused) text_add(&out, ", %zu are refused", t->refused);
  if (t->failed) text_add(&out, ", %zu failed", t->failed);
  if (t->missing) text_add(&out, ", %zu are missing", t->missing);
  text_add(&out, "; whet %s; <a href=\"table.csv\">table.csv</a></p>\n", WHET_VERSION);
  add_plots(&out, t);
  add_table(&out, t, false);
  text_add(&out, "</body></html>\n");
  return text_give(&out);
}
