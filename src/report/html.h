/* Results as one page that needs nothing else: tables, runs to walk through beside the text, and how the numbers grew. */
#ifndef WHET_REPORT_HTML_H
#define WHET_REPORT_HTML_H

#include "base/text.h"

/* The text of a model (`file` is NULL), or of a file that it includes, named as runs name it. */
typedef struct page_text {
  const char *file;
  text content;
} page_text;

/* `json` is what json_document gives; no texts: they are not known. */
GIVE char *html_page(const char *json, size_t count, const page_text *texts);

#endif
