/* A run of clauses, written; docs/certificates.md describes the file: (step CLAUSE VALUE ..), or (repeat TIMES CLAUSE VALUE ..) if the clause is used several
 * times with the same values. The reader is that of derivations (clause_read.c). */
#include "proof/certificate.h"
#include "proof/format/clause_names.h"
#include "proof/format/formats.h"
#include "proof/replay/clause_replay.h"

void clause_run_write(const model *m, size_t property, const evidence *e, text *out) {
  clause_replay *r = clause_replay_new(m->terms, m->clauses);
  text_add(out, "%s\n", evidence_row_of(EVIDENCE_CLAUSE_RUN)->first_words);
  if (m->properties.count > 1) {
    text_add(out, "(set-info :whet-property |");
    clause_name_escape(m->properties.at[property].name, out);
    text_add(out, "|)\n");
  }
  static const type integer = {.sort = SORT_INT}; /* of values that are too many: the checker refuses such a run */
  for (size_t i = 0; i < e->run.count; i++) {
    const clause_run_step *s = &e->run.at[i];
    const variable_vector *choices = clause_replay_choices(r, s->clause);
    if (s->times == 1)
      text_add(out, "(step %u", s->clause + 1);
    else
      text_add(out, "(repeat %llu %u", (unsigned long long)s->times, s->clause + 1);
    for (size_t j = 0; j < s->choices.count; j++) {
      text_add_char(out, ' ');
      clause_value_write(m, j < choices->count ? variable_type(m->terms, choices->at[j]) : &integer, s->choices.at[j],
                         false, out);
    }
    text_add(out, ")\n");
  }
  clause_replay_free(r);
}
