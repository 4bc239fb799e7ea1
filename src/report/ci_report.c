/* Each property is a test case, or a rule with one result. What is undecided is an error of the test, for it shows nothing; in SARIF it
 * is open. */
#include "report/ci_report.h"

#include "base/json_writer.h"
#include "base/memory.h"

/* ---- JUnit ---- */

/* XML has no way to write control characters. */
static void add_xml(text *out, const char *words) {
  for (const char *at = words; *at; at++) switch (*at) {
      case '&': text_add(out, "&amp;"); break;
      case '<': text_add(out, "&lt;"); break;
      case '>': text_add(out, "&gt;"); break;
      case '"': text_add(out, "&quot;"); break;
      case '\n': text_add_char(out, '\n'); break;
      default: text_add_char(out, (unsigned char)*at < ' ' ? ' ' : *at);
    }
}

static void add_attribute(text *out, const char *name, const char *value) {
  text_add(out, " %s=\"", name);
  add_xml(out, value);
  text_add_char(out, '"');
}

static size_t count_ends(size_t count, const ci_result *results, ci_end end) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) n += results[i].end == end;
  return n;
}

static void add_case(text *out, const char *path, const ci_result *r) {
  text_add(out, "  <testcase");
  add_attribute(out, "name", r->property);
  add_attribute(out, "classname", path);
  text_add(out, " time=\"%.3f\"", r->seconds);
  if (r->end == CI_HOLDS) {
    text_add(out, "/>\n");
    return;
  }
  const char *tag = r->end == CI_VIOLATED ? "failure" : "error";
  text_add(out, ">\n    <%s", tag);
  add_attribute(out, "message", r->words);
  text_add_char(out, '>');
  add_xml(out, r->run);
  text_add(out, "</%s>\n  </testcase>\n", tag);
}

char *junit_document(const char *path, size_t count, const ci_result *results) {
  text out = {0};
  double seconds = 0;
  for (size_t i = 0; i < count; i++) seconds += results[i].seconds;
  text_add(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
  add_attribute(&out, "name", path);
  text_add(&out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\">\n", count,
           count_ends(count, results, CI_VIOLATED), count_ends(count, results, CI_OPEN), seconds);
  for (size_t i = 0; i < count; i++) add_case(&out, path, &results[i]);
  text_add(&out, "</testsuite>\n");
  return text_give(&out);
}

/* ---- SARIF ---- */

/* A path as part of an address. */
static GIVE char *uri_of(const char *path) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  text out = {0};
  for (const char *at = path; *at; at++)
    if (strchr(plain, *at))
      text_add_char(&out, *at);
    else
      text_add(&out, "%%%02X", (unsigned)(unsigned char)*at);
  return text_give(&out);
}

static void add_location(json_writer *w, const char *uri, const ci_result *r) {
  json_field_array(w, "locations");
  json_begin_object(w);
  json_field_object(w, "physicalLocation");
  json_field_object(w, "artifactLocation");
  char *other = r->file ? uri_of(r->file) : NULL;
  json_field_string(w, "uri", other ? other : uri);
  memory_free(other);
  json_end_object(w);
  if (r->line) {
    json_field_object(w, "region");
    json_field_count(w, "startLine", r->line);
    if (r->column) json_field_count(w, "startColumn", r->column);
    json_end_object(w);
  }
  json_end_object(w);
  json_end_object(w);
  json_end_array(w);
}

static void add_result(json_writer *w, const char *uri, const ci_result *r, size_t index) {
  static const char *const kinds[] = {[CI_HOLDS] = "pass", [CI_VIOLATED] = "fail", [CI_OPEN] = "open"};
  char *message = text_format("%s: %s%s%s", r->property, r->words, *r->run ? "\n" : "", r->run);
  json_begin_object(w);
  json_field_string(w, "ruleId", r->property);
  json_field_count(w, "ruleIndex", index);
  json_field_string(w, "kind", kinds[r->end]);
  json_field_string(w, "level", r->end == CI_VIOLATED ? "error" : "none");
  json_field_object(w, "message");
  json_field_string(w, "text", message);
  json_end_object(w);
  add_location(w, uri, r);
  json_end_object(w);
  memory_free(message);
}

static void add_tool(json_writer *w, size_t count, const ci_result *results) {
  json_field_object(w, "tool");
  json_field_object(w, "driver");
  json_field_string(w, "name", "whet");
  json_field_string(w, "version", WHET_VERSION);
  json_field_array(w, "rules");
  for (size_t i = 0; i < count; i++) {
    json_begin_object(w);
    json_field_string(w, "id", results[i].property);
    json_end_object(w);
  }
  json_end_array(w);
  json_end_object(w);
  json_end_object(w);
}

char *sarif_document(const char *path, size_t count, const ci_result *results) {
  text out = {0};
  char *uri = uri_of(path);
  json_writer w = json_writer_indented(&out);
  json_begin_object(&w);
  json_field_string(&w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json_field_string(&w, "version", "2.1.0");
  json_field_array(&w, "runs");
  json_begin_object(&w);
  add_tool(&w, count, results);
  json_field_array(&w, "results");
  for (size_t i = 0; i < count; i++) add_result(&w, uri, &results[i], i);
  json_end_array(&w);
  json_end_object(&w);
  json_end_array(&w);
  json_end_object(&w);
  text_add_char(&out, '\n');
  memory_free(uri);
  return text_give(&out);
}
