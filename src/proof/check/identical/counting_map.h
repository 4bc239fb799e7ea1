/* What the variables of a counted model are in a state of the model that it was made from: shared variables are themselves, a counter is the number of
 * copies that are in its local state. For each copy and local state there is an integer that is 1 if the copy is in it and 0 if not, so that solvers see
 * sums. */
#ifndef WHET_PROOF_CHECK_IDENTICAL_COUNTING_MAP_H
#define WHET_PROOF_CHECK_IDENTICAL_COUNTING_MAP_H

#include "model/counted/counted.h"
#include "term/substitute.h"

typedef struct counting_map {
  const counter_model *c;
  terms *ts;
  variable_vector marks; /* of each copy: of each local state */
  substitution *counters;
} counting_map;

/* `ts` gets new variables. */
void counting_map_open(counting_map *map, const counter_model *c);
void counting_map_close(counting_map *map);
/* What marks are: to be asserted. In every state there is one way to choose them so. */
void counting_map_define(const counting_map *map, term_vector *out);
/* A formula about the counted model, in a state of the other. */
term counting_map_before(const counting_map *map, term t);
/* What variable `v` of the counted model is after transition `t` of the other. */
term counting_map_after(const counting_map *map, const transition *t, variable v);
/* The step `t` is one of `made`: over the variables of the one and its inputs. `made` can be taken then, and leads to what `t` leads to. */
term counting_map_matches(const counting_map *map, const transition *t, const transition *made);
/* Every variable of the counted model is a counter or one of the other model, none is both, and no counter is twice among them. */
bool counting_map_is_sound(const counter_model *c);

#endif
