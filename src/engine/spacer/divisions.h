/* Rules without divisions by terms that are no numbers, of which Z3's Horn engine knows nothing. */
#ifndef WHET_ENGINE_SPACER_DIVISIONS_H
#define WHET_ENGINE_SPACER_DIVISIONS_H

#include "solver/horn.h"

/* If there are such divisions: the problem with a variable for each quotient and remainder, of which linear consequences
 * of `a = b * q + r` are said. It derives all that `p` derives, and perhaps more. False, and nothing, if there are none. */
bool divisions_approximate(terms *ts, const horn_problem *p, GIVE horn_problem *out);

#endif
