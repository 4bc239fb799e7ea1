/* A model made ready for predicate abstraction of one property: what is control and kept as it is, what is data and
 * seen through predicates.
 *
 * Control are booleans, enumerations, places and short ranges that never meet data in an atom; all other integers are
 * data. In every formula here if-then-else is lifted out of atoms, so that an atom speaks either of control only or of
 * data only. */
#ifndef WHET_PREDICATE_CONTROL_AND_DATA_H
#define WHET_PREDICATE_CONTROL_AND_DATA_H

#include "model/model.h"
#include "set/presburger.h"

typedef struct control {
  variable var;
  int64_t low;
  uint32_t values; /* low .. low + values - 1; booleans are 0 and 1 */
  bool is_input;
} control;

typedef struct control_update {
  uint32_t control;
  term_vector when; /* when[k]: the new value is low + k; over states and inputs */
} control_update;

typedef struct predicate_action {
  uint32_t transition;
  term enabled; /* over states and inputs */
  term known;   /* what `proved` says if it is enabled */
  term before;  /* steps are taken from states with this only: predicate_model_relative_to */
  VECTOR(control_update) updates;
} predicate_action;

typedef struct predicate_model {
  const model *model;
  size_t property;
  terms *ts;
  VECTOR(control) controls; /* state variables in the order of the model, then inputs */
  struct map *control_of;   /* variable -> in `controls` */
  variable_vector data;     /* state variables that are data */
  term facts;               /* about data that nothing changes; hold in every state */
  term proved;              /* holds in every state that can be reached: predicate_model_add_proved */
  term init;
  term bad_known; /* what `proved` says of bad states */
  term bad;       /* over states and inputs: "for some inputs" */
  VECTOR(predicate_action) actions;
  const char *trouble; /* not NULL: what cannot be treated */
} predicate_model;

/* `p` is used to eliminate inputs if the property needs it (deadlockfree). All arguments outlive the result. */
GIVE predicate_model *predicate_model_new(const model *m, size_t property, presburger *p);
/* The same if other formulas will be abstracted too; `property` SIZE_MAX is none, and nothing is bad then. */
GIVE predicate_model *predicate_model_new_about(const model *m, size_t property, presburger *p, size_t count,
                                                const term *also);
/* `t` holds in every state that can be reached, and what is found out about the system need only be right if it
 * does. Conjuncts about data alone become facts; others are kept action by action. */
void predicate_model_add_proved(predicate_model *s, term t);
/* From here on only steps from states with `p` count: abstractions simulate the system relative to `p` (Lakhnech, Bensalem,
 * Berezin, Owre 2001, Definition 1). What such an abstraction reaches covers every run up to its first state without `p`.
 * If a formula of `p` would be about control and data at once, nothing changes. */
void predicate_model_relative_to(predicate_model *s, term p);
void predicate_model_free(TAKE predicate_model *s);

/* Lifted and simplified within the types, as all formulas of a system are. */
term predicate_model_prepare(const predicate_model *s, term t);
/* What becomes of a state formula by the action: `t` after the updates, read before them, simplified if it is
 * enabled. */
term predicate_model_after(const predicate_model *s, const predicate_action *a, term t);
/* `t`, over states and inputs, for some values of the inputs: over states, simplified if `context` (over states too)
 * holds. False if that does not work; `*out` then means nothing. */
bool predicate_model_without_inputs(const predicate_model *s, presburger *p, term t, term context, term *out);
/* True if the atom speaks of control only. */
bool predicate_model_is_control(const predicate_model *s, term atom);
/* True if the atom speaks of state variables only. */
bool predicate_model_is_of_state(const predicate_model *s, term t);
/* The data atoms of a prepared formula, each once, appended. */
void predicate_model_data_atoms(const predicate_model *s, term t, term_vector *out);

#endif
