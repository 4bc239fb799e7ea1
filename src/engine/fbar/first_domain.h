/* The domain that refinement starts from: the sets that the model's `domain` gives, or what the model suggests. */
#ifndef WHET_ENGINE_FBAR_FIRST_DOMAIN_H
#define WHET_ENGINE_FBAR_FIRST_DOMAIN_H

#include "engine/fbar/net.h"
#include "engine/fbar/problem.h"
#include "engine/fbar/rounds.h"

/* Always with the safe, the bad and the states that are not initial, for FBAR_SYM also the initial ones. Trouble is
 * that of the partition. */
GIVE partition *first_domain(problem *p, method how);
/* The initial states and all below them, the bad states, and their complements. */
GIVE partition *first_domain_of_net(net *n);

#endif
