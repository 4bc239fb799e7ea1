/* Bounds as they are found, one on top of others: how often some transitions are taken, all together.
 *
 * By each of their steps `potential` falls by `by`, from at least that. By no other step does it grow (what is negative counts as 0), but
 * by those of the transitions of earlier units, and then by no more than a value that never changes. So
 *     by * count + potential  <=  potential at first + sum of (count of the earlier unit * what a step of it adds)  */
#ifndef WHET_RUN_BOUNDS_BOUND_UNITS_H
#define WHET_RUN_BOUNDS_BOUND_UNITS_H

#include "run/bounds/frozen_model.h"
#include "run/bounds/potential.h"
#include "run/bounds/subjects.h"

typedef struct unit_growth {
  size_t unit;      /* an earlier one */
  term by;          /* over values that never change; 0 if it is negative */
  bool is_positive; /* it is never negative */
} unit_growth;

typedef struct bound_unit {
  index_vector transitions;
  term potential;   /* over states */
  int64_t by;       /* at least 1 */
  bool is_positive; /* at first it is never negative */
  VECTOR(unit_growth) growths;
} bound_unit;

typedef VECTOR(bound_unit) bound_units;

void bound_units_clear(bound_units *u); /* what it holds */

/* Those units whose counts, added up, are how often a subject is taken at most; empty if no bound was found. */
typedef VECTOR(index_vector) subject_units;
void subject_units_clear(subject_units *s);

/* `facts` hold in every reachable state of `f->m`. `units` and, for each subject, `found` are filled as far as the budget allows. */
void bound_units_find(const frozen_model *f, term facts, const bound_subjects *subjects, budget *b, bound_units *units,
                      subject_units *found);

/* As text, from a process to another. What is read is treated as hostile: false if it makes no sense; and what it says is only
 * believed once it is checked (counted_model.h). Both add a variable to the model, which stands for values in the text. */
void bound_units_write(frozen_model *f, const bound_units *units, const subject_units *found, text *out);
bool bound_units_read(frozen_model *f, const char *from, size_t subjects, bound_units *units, subject_units *found);

#endif
