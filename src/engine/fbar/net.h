/* Models that are well-structured by their form: natural numbers, guards and bad states that are closed upwards,
 * updates that are sums. Petri nets and broadcast protocols are of this kind. */
#ifndef WHET_ENGINE_FBAR_NET_H
#define WHET_ENGINE_FBAR_NET_H

#include "engine/engine.h"
#include "engine/fbar/partition.h"
#include "engine/fbar/upward_space.h"

typedef struct net {
  engine_environment *env;
  const model *model;
  terms *ts;
  upward_space space; /* vectors are states less the least values of their types */
  int64_t *least;     /* by variable */
  int64_t *from, *to; /* the initial states, each variable for itself; `to` is -1 if there is no bound */
  points *all, *first,
      *last;       /* `first` are the initial states and all below them: no more bad states can be reached from those */
  bool has_images; /* every step is a shift: images can be computed, not only preimages */
} net;

/* False if the model is not of this kind. Either way it is to be closed. */
bool net_open(net *n, engine_environment *env);
void net_close(net *n);

/* The row of a sum over variables of the model; false if a leaf is something else or a coefficient is negative. */
bool net_row(const net *n, term sum, GIVE upward_row *out);
/* The states at least as large as the vector. */
term net_above(const net *n, const int64_t *vector);
bool evidence_of_net(net *n, const partition *blocks, const bits *which, evidence *out);

#endif
