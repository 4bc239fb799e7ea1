/* JSON: what the writer writes the reader reads, and what is damaged is not copied. */
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/random.h"
#include "report/json.h"
#include "unit/test.h"

static void write_sample(json_writer *w) {
  json_begin_object(w);
  json_field_string(w, "a\"b", "line\nbreak\\ \x1b\x7f \xc2\x9b \xc3\xa4");
  json_field_array(w, "numbers");
  json_add_integer(w, INT64_MIN);
  json_add_count(w, UINT64_MAX);
  json_add_real(w, 0.25, 3);
  json_add_null(w);
  json_end_array(w);
  json_field_object(w, "empty");
  json_end_object(w);
  json_space(w, "\n");
  json_field_array(w, "none");
  json_end_array(w);
  json_field_bool(w, "yes", true);
  json_end_object(w);
}

static const char compact[] =
    "{\"a\\\"b\":\"line\\nbreak\\\\ \\u001b\\u007f \\u009b \xc3\xa4\",\"numbers\":[-9223372036854775808,"
    "18446744073709551615,0.250,null],\"empty\":{},\n\"none\":[],\"yes\":true}";

static const char indented[] =
    "{\n \"a\\\"b\": \"line\\nbreak\\\\ \\u001b\\u007f \\u009b \xc3\xa4\",\n \"numbers\": [\n  -9223372036854775808,\n"
    "  18446744073709551615,\n  0.250,\n  null\n ],\n \"empty\": {},\n \"none\": [],\n \"yes\": true\n}";

TEST(values_are_written) {
  text out = {0};
  json_writer w = json_writer_to(&out);
  write_sample(&w);
  CHECK_TEXT(text_string(&out), compact);
  text_clear(&out);
}

TEST(a_copy_is_laid_out_again) {
  text out = {0};
  json_writer w = json_writer_indented(&out);
  CHECK(json_add_copy(&w, compact));
  CHECK_TEXT(text_string(&out), indented);
  text_clear(&out);
}

static bool is_copied(const char *json) {
  text out = {0};
  json_writer w = json_writer_to(&out);
  json_begin_array(&w);
  json_add_bool(&w, false);
  bool result = json_add_copy(&w, json);
  if (!result) CHECK_TEXT(text_string(&out), "[false");
  json_add_null(&w);
  json_end_array(&w);
  json_reader r = json_open(out.at, out.count);
  CHECK(json_skip(&r) && json_at_end(&r), "%s", out.at);
  json_close(&r);
  text_clear(&out);
  return result;
}

TEST(damaged_values_are_not_copied) {
  static const char *const damaged[] = {"",    "{",      "[1,]",       "{\"a\":}", "{\"a\" 1}", "[1}", "tru",
                                        "nul", "\"open", "1 2",        "[1 2]",    "{1:2}",     "-",   "1.",
                                        "1e",  "[1],",   "{\"a\":1,}", "\"\\q\"",  "[\"\n\"]",  ".5",  "+1"};
  static const char *const fine[] = {"1",         "-0.5e+7",     "[]",   " { } ",
                                     "[[[[1]]]]", "\"\\u0041\"", "null", "{\"a\":[{\"b\":false}]}"};
  for (size_t i = 0; i < ARRAY_LENGTH(damaged); i++) CHECK(!is_copied(damaged[i]), "%s", damaged[i]);
  for (size_t i = 0; i < ARRAY_LENGTH(fine); i++) CHECK(is_copied(fine[i]), "%s", fine[i]);
}

TEST(deep_values_are_not_copied) {
  text deep = {0};
  for (int i = 0; i < 100000; i++) text_add_char(&deep, '[');
  for (int i = 0; i < 100000; i++) text_add_char(&deep, ']');
  CHECK(!is_copied(text_string(&deep)));
  text_clear(&deep);
}

/* Any string that is UTF-8, read back as it was. */
TEST(strings_come_back) {
  random_source random = {7};
  for (int i = 0; i < 2000; i++) {
    text word = {0}, out = {0};
    for (uint64_t k = random_below(&random, 12); k; k--) text_add_char(&word, (char)(1 + random_below(&random, 127)));
    json_writer w = json_writer_to(&out);
    json_add_string(&w, text_string(&word));
    json_reader r = json_open(out.at, out.count);
    CHECK(json_read_string(&r) && json_at_end(&r), "%s", out.at);
    CHECK_TEXT(text_string(&r.string), text_string(&word));
    for (const char *c = out.at; *c; c++) CHECK((unsigned char)*c >= 0x20 && *c != 0x7f);
    json_close(&r);
    text_clear(&word);
    text_clear(&out);
  }
}

TEST_MAIN
