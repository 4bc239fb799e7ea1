/* `whet abstract`: the program itself is wanted, as text. */
#include "engine/syntactic/syntactic.h"
#include "term/print.h"

static const char *write_program(syntactic *s, finite_program *p, text *out) {
  const engine_environment *env = s->env;
  const char *to = env->options->to ? env->options->to : "whet";
  if (!strcmp(to, "smv")) return export_smv(p, env->model, env->property, out);
  if (!strcmp(to, "promela")) return export_promela(p, env->model, env->property, env->budget, out);
  export_whet(p, env->model, env->property, out);
  return NULL;
}

static engine_status refuse(const syntactic *s, const closure *c, claim *out) {
  char *last = term_string(s->ts, c->predicates.at[c->predicates.count - 1]);
  char *reason = text_format(
      "%zu predicates after %zu rounds, and still new ones (the last is %s): the closure seems to have no end; -K N "
      "stops after N rounds, "
      "with a program that does more than the model",
      c->predicates.count, c->rounds, last);
  engine_status status = claim_give_up(out, reason);
  memory_free(reason);
  memory_free(last);
  return status;
}

/* Asked of a solver of its own, before anything is printed. */
static const char *check(const syntactic *s, const finite_program *p) {
  solver *own = solver_new(s->ts, s->env->budget);
  program_obligations found = finite_program_check(p, own);
  solver_free(own);
  if (found.fails) return "the program does not do what the model does: a defect of whet, please report it";
  events_note(s->env->events, "%zu of %zu obligations of the abstract program are proved", found.proved, found.all);
  s->env->statistics->obligations = found.proved;
  return found.proved < found.all ? "not all obligations of the abstract program could be decided" : NULL;
}

engine_status syntactic_make_product(syntactic *s, const closure *c, claim *out) {
  if (!s->env->options->closure && c->old < c->predicates.count) return refuse(s, c, out);
  text written = {0};
  finite_program *p = finite_program_new(c, syntactic_consistency(s));
  const char *trouble = p->trouble;
  if (!trouble) trouble = check(s, p);
  if (!trouble) trouble = write_program(s, p, &written);
  if (trouble) {
    claim_give_up(out, trouble);
  } else {
    events_product(s->env->events, text_string(&written));
    out->verdict = VERDICT_SAFE;
    out->evidence.kind = EVIDENCE_INVARIANT;
    evidence_add_part(s->ts, &out->evidence, TERM_TRUE);
  }
  text_clear(&written);
  finite_program_free(p);
  return ENGINE_DONE;
}
