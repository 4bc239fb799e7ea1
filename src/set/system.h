/* A model made ready for predicate abstraction of one property: what is control and kept as it is, what is data and
 * seen through predicates.
 *
 * Control are booleans, enumerations, places and short ranges that never meet data in an atom; all other integers are
 * data. In every formula here if-then-else is lifted out of atoms, so that an atom speaks either of control only or of
 * data only. */
#ifndef WHET_SET_SYSTEM_H
#define WHET_SET_SYSTEM_H

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

typedef struct system_action {
  uint32_t transition;
  term enabled; /* over states and inputs */
  term known;   /* what `proved` says where it is enabled */
  VECTOR(control_update) updates;
} system_action;

typedef struct system_model {
  const model *model;
  size_t property;
  terms *ts;
  VECTOR(control) controls; /* state variables in the order of the model, then inputs */
  struct map *control_of;   /* variable -> in `controls` */
  variable_vector data;     /* state variables that are data */
  term facts;               /* about data that nothing changes; hold in every state */
  term proved;              /* holds in every state that can be reached: system_add_proved */
  term init;
  term bad_known; /* what `proved` says of bad states */
  term bad;       /* over states and inputs: "for some inputs" */
  VECTOR(system_action) actions;
  const char *trouble; /* not NULL: what cannot be treated */
} system_model;

/* `p` is used to eliminate inputs where the property needs it (deadlockfree). All arguments outlive the result. */
GIVE system_model *system_new(const model *m, size_t property, presburger *p);
/* The same where other formulas will be abstracted too; `property` SIZE_MAX is none, and nothing is bad then. */
GIVE system_model *system_new_about(const model *m, size_t property, presburger *p, size_t count, const term *also);
/* `t` holds in every state that can be reached, and what is found out about the system need only be right where it
 * does. Conjuncts about data alone become facts; others are told action by action. */
void system_add_proved(system_model *s, term t);
void system_free(TAKE system_model *s);

/* Lifted and simplified within the types, as all formulas of a system are. */
term system_prepare(const system_model *s, term t);
/* What becomes of a state formula by the action: `t` after the updates, read before them, simplified where it is
 * enabled. */
term system_after(const system_model *s, const system_action *a, term t);
/* `t`, over states and inputs, for some values of the inputs: over states, simplified where `context` (over states too)
 * holds. False where that does not work; `*out` then means nothing. */
bool system_without_inputs(const system_model *s, presburger *p, term t, term context, term *out);
/* True where the atom speaks of control only. */
bool system_is_control(const system_model *s, term atom);
/* True where the atom speaks of state variables only. */
bool system_is_of_state(const system_model *s, term t);
/* The data atoms of a prepared formula, each once, appended. */
void system_data_atoms(const system_model *s, term t, term_vector *out);

#endif
