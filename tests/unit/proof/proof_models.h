/* Small models made by hand, evidence about them that is known to be right, and other programs that check
 * certificates. */
#ifndef WHET_TESTS_PROOF_MODELS_H
#define WHET_TESTS_PROOF_MODELS_H

#include "proof/certificate.h"
#include "proof/check/check.h"

typedef struct case_of_evidence {
  const char *name;
  model *model;
  size_t property;
  evidence evidence;
} case_of_evidence;

/* How many there are, and the one called number `i`; each is made again. The first `proof_invariants()` are invariants,
 * then come traces, the last is a set of states; all are right. */
size_t proof_cases(void);
size_t proof_invariants(void);
case_of_evidence proof_case(size_t i);
void proof_case_free(case_of_evidence *c);

/* bakery2.whet; its variables are st1, st2, y1, y2, its properties mutex and deadlockfree. */
model *bakery(void);
/* Two counters modulo 3, one odd; needs products, division and remainder. */
model *wheel(void);

type type_int(void);
type type_nat(void);
type type_range(int64_t low, int64_t high);
type type_bool(void);

/* How often to try something random: `many`, but fewer if sanitizers slow everything down. */
int rounds(int many);

check_result check_now(const case_of_evidence *c);
GIVE char *certificate_text(const case_of_evidence *c, size_t *length);

/* What a solver program says of an SMT-LIB file. */
typedef enum other_answer { OTHER_CONFIRMS, OTHER_REFUTES, OTHER_UNSURE } other_answer;
/* `command` is given the name of a file with `content`; OTHER_CONFIRMS if it prints unsat and nothing else, as often as
 * the file asks. */
other_answer ask_other(const char *command, const char *content);

#endif
