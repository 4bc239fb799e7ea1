/* Evidence about the same text with any number of copies of its processes: `any_copies` of the model.
 *
 * The reader makes both models from one text. In the other one, the constants that say how many copies there are have no values: they are
 * parameters of their types, each copy is an element of arrays, and nothing else differs: where a name would come to mean something else, or
 * where a text has no such meaning, there is no other model (input/whet/copies/names.c). So the runs of this model are those of
 * the other one in which the parameters have the values given: what never happens there, whatever they are, does not happen here. This
 * way round alone: a run there may be one with other values, and is refused. The property has the same name, and is one of states in both. */
#include "proof/check/checkers.h"

void check_any_copies(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  const model *other = m->any_copies;
  const property *there = other ? &other->properties.at[e->other_property] : NULL;
  if (!there || strcmp(there->name, p->name) != 0 || there->kind != PROPERTY_SAFE || p->kind != PROPERTY_SAFE) {
    check_end(result, CHECK_REJECTED, memory_copy_string("it is not about this property with any number of copies"),
              NULL);
    return;
  }
  if (evidence_is_against(e)) {
    check_end(result, CHECK_REJECTED, memory_copy_string("a run with some number of copies is none with this one"),
              NULL);
    return;
  }
  check_result found = check_evidence(other, e->other_property, e->other, q->budget, q->command);
  *result = found;
}
