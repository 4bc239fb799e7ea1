/* The page is page/start.html, the data, the text of the model, and a script of several parts (src/report/meson.build). */
#include "report/html.h"

#include "base/json_writer.h"

extern const char html_start[], html_end[];

/* Inside a script element nothing may look like its end: "</" is written "<\/", which JSON reads as the same. */
static void add_data(text *out, const char *json) {
  for (; *json; json++)
    if (json[0] == '<' && (json[1] == '/' || json[1] == '!'))
      text_add(out, json[1] == '/' ? "<\\/" : "<\\u0021"), json++;
    else
      text_add_char(out, *json);
}

static void add_texts(json_writer *w, size_t count, const page_text *texts) {
  json_begin_array(w);
  for (size_t i = 0; i < count; i++) {
    json_begin_object(w);
    if (texts[i].file) json_field_string(w, "file", texts[i].file);
    json_field_string(w, "text", text_string(&texts[i].content));
    json_end_object(w);
  }
  json_end_array(w);
}

char *html_page(const char *json, size_t count, const page_text *texts) {
  text out = {0}, quoted = {0};
  json_writer w = {.out = &quoted};
  add_texts(&w, count, texts);
  text_add(&out, "%s", html_start);
  add_data(&out, json);
  text_add(&out, "</script>\n<script id=\"source\" type=\"application/json\">\n");
  add_data(&out, text_string(&quoted));
  text_clear(&quoted);
  text_add(&out, "%s", html_end);
  return text_give(&out);
}
