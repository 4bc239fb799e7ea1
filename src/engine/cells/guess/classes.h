/* What is compared with what in clauses: terms are of one class if an equation, a comparison, a sum or an argument puts
 * them together. So indices of an array can be told from its elements, mostly, and formulas that mix them are not
 * guessed. It is a matter of taste, not of soundness. */
#ifndef WHET_ENGINE_CELLS_GUESS_CLASSES_H
#define WHET_ENGINE_CELLS_GUESS_CLASSES_H

#include "model/clauses.h"
#include "model/trace.h"

typedef struct term_classes term_classes;

/* Of the clauses with heads and those of the property. Both outlive it; terms made later have no class. */
GIVE term_classes *term_classes_new(terms *ts, const clauses *of, size_t property);
void term_classes_free(TAKE term_classes *k);

/* Of a variable; or of one that is an array, its innermost indices, those of arrays of such (CLASS_OF_INDEX + nesting), and
 * its elements. */
typedef enum class_part {
  CLASS_OF_VALUE,
  CLASS_OF_INDEX = CLASS_OF_VALUE,
  CLASS_OF_ELEMENT = MOST_NESTING + 1,
  CLASS_PARTS
} class_part;
uint32_t term_classes_of(term_classes *k, variable v, class_part part);
/* Some two of its terms are compared by order. */
bool term_classes_is_ordered(term_classes *k, uint32_t class);
/* Some two elements of arrays of this class are compared by equality. */
bool term_classes_is_paired(term_classes *k, uint32_t class);
/* The numbers that its terms are compared with or become, each once, appended. */
void term_classes_numbers(term_classes *k, uint32_t class, number_vector *out);

#endif
