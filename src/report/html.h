/* Results as one page that needs nothing else: tables, runs to walk through beside the text, and how the numbers grew. */
#ifndef WHET_REPORT_HTML_H
#define WHET_REPORT_HTML_H

#include "base/text.h"

/* `json` is what json_document gives, `source` the text of the model; NULL: it is not known. */
GIVE char *html_page(const char *json, const char *source);

#endif
