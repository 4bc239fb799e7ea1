/* Results as one page that needs nothing else: tables, the run, and how the numbers grew. */
#ifndef WHET_REPORT_HTML_H
#define WHET_REPORT_HTML_H

#include "base/text.h"

/* `json` is what json_document gives. */
GIVE char *html_page(const char *json);

#endif
