/* The page is page.html, the data, page_end.html; the two halves are built in (src/report/meson.build). */
#include "report/html.h"

extern const char html_start[], html_end[];

/* Inside a script element nothing may look like its end: "</" is written "<\/", which JSON reads as the same. */
static void add_data(text *out, const char *json) {
  for (; *json; json++)
    if (json[0] == '<' && (json[1] == '/' || json[1] == '!'))
      text_add(out, json[1] == '/' ? "<\\/" : "<\\u0021"), json++;
    else
      text_add_char(out, *json);
}

char *html_page(const char *json) {
  text out = {0};
  text_add(&out, "%s", html_start);
  add_data(&out, json);
  text_add(&out, "%s", html_end);
  return text_give(&out);
}
