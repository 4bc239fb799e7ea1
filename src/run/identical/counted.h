/* A model with many copies of a process is decided with counters of their local states instead, where that can be
 * (model/counted/counted.h). */
#ifndef WHET_RUN_IDENTICAL_COUNTED_H
#define WHET_RUN_IDENTICAL_COUNTED_H

#include "run/portfolio.h"

/* As portfolio_run, of the counted model; PORTFOLIO_GAVE_UP also if there is none, or what was found there cannot be said of the model as
 * read: then the model as read is for others. */
portfolio_end counted_run(const run_settings *s, size_t property, size_t properties_left, uint64_t limit,
                          GIVE outcome *out);

#endif
