/* Results as JSON; docs/json.md and docs/whet.schema.json describe it. */
#ifndef WHET_REPORT_JSON_H
#define WHET_REPORT_JSON_H

#include "base/json_writer.h"
#include "run/lemma_check.h"
#include "run/outcome.h"

/* The word for a verdict: "safe", "unsafe", "holds", "fails", "unknown". */
KEEP const char *verdict_word(verdict v);
/* One document about all outcomes and the lemmas that fail, with a newline at its end. */
GIVE char *json_document(const model *m, size_t count, const outcome *const *outcomes, const failed_lemmas *lemmas);
/* The one value that `json` is, laid out as the writer does. False, and nothing is written, if it is anything else. */
bool json_add_copy(json_writer *w, const char *json);

#endif
