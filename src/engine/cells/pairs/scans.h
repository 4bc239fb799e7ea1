/* Scans: loops of clauses that look at one index after the other, change nothing, and go on only if a formula holds. A guard
 * `forall j : 1..n . E` becomes one when clauses are made (input/whet/arrays/resolve.h).
 *
 * A scan is entered by one clause. Clauses that leave it are put together with that one, and what the scan has found out is a formula about any
 * index, which may be used at as many as one likes. So there is no predicate for the scan any more; its interpretation is told
 * from that of the clause that enters it. */
#ifndef WHET_ENGINE_CELLS_PAIRS_SCANS_H
#define WHET_ENGINE_CELLS_PAIRS_SCANS_H

#include "engine/cells/cells.h"

/* For all values of the index. */
typedef struct scan_formula {
  variable index;
  term formula;
} scan_formula;

typedef struct scanned_clause {
  clause clause;
  VECTOR(scan_formula) formulas;
} scanned_clause;

typedef struct scan {
  uint32_t predicate;
  uint32_t position; /* of the parameter that counts */
  variable index;    /* stands for it in: */
  term low;          /* over the variables of the entry, */
  term formula;      /* over the parameters and `index`: what holds of each index that was passed */
  scanned_clause entry;
} scan;

typedef struct scans {
  VECTOR(scan) all;
  VECTOR(scanned_clause) clauses; /* those that are left */
} scans;

/* The clauses with heads and those of the property. */
void scans_find(scans *s, terms *ts, const clauses *of, size_t property);
void scans_clear(scans *s);
/* The clauses that are left, in which what holds of all indices is said of `at`, and of all at which arrays are read or written. */
GIVE clauses *scans_clauses(const scans *s, terms *ts, const clauses *of, const variable_vector *at);
/* Gives predicates of scans their interpretations, if the others have theirs: for all `index`, and maybe more. */
void scans_interpret(const scans *s, terms *ts, const clauses *of, variable index, term_vector *interpretation);

#endif
