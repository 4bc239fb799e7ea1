/* The graphs of the heap that prove a property, for Graphviz. */
#ifndef WHET_REPORT_HEAP_H
#define WHET_REPORT_HEAP_H

#include "proof/evidence.h"

/* A box for each part of the evidence (EVIDENCE_HEAP), with its formula: variables as plain text, nodes as circles with
 * their data, summaries with a double line, shared ones dashed. */
void heap_dot(const model *m, const evidence *e, text *out);

#endif
