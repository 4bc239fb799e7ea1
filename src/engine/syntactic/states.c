/* Properties of states: what the program reaches is an invariant of the model; a way to a bad state is followed in the
 * model. */
#include "engine/by_place.h"
#include "engine/concrete_run.h"
#include "engine/syntactic/syntactic.h"

/* Reached states of the program as parts over the variables of the model. */
static engine_status claim_reached(const syntactic *s, checked_program *p, claim *out) {
  if (!by_place_invariant(p->system, p->diagrams, s->system->facts, &out->evidence))
    return claim_give_up(out, abstraction_trouble(p->diagrams));
  for (size_t i = 0; i < out->evidence.parts.count; i++) {
    invariant_part *part = &out->evidence.parts.at[i];
    part->formula = finite_program_unmap(p->program, part->formula);
  }
  out->verdict = VERDICT_SAFE;
  return ENGINE_DONE;
}

/* A run along the transitions that ends in a fault, whichever it is. */
static answer follow_to_fault(const syntactic *s, concrete_run *q, evidence *e) {
  const model *m = s->env->model;
  answer all = answer_no();
  for (uint32_t i = 0; i < m->transitions.count && !answer_is_yes(all); i++)
    for (uint32_t j = 0; j < m->transitions.at[i].faults.count && !answer_is_yes(all); j++) {
      q->end = i;
      q->at_end = m->transitions.at[i].faults.at[j].when;
      answer one = concrete_run_find(q, e);
      if (!answer_is_no(one)) all = one;
      e->fault_transition = i;
      e->fault = j;
    }
  return all;
}

static answer follow(const syntactic *s, const checked_program *p, const abstract_trace *way, evidence *e) {
  VECTOR(uint32_t) transitions = {0};
  for (size_t i = 0; i < way->actions.count; i++)
    VECTOR_PUSH(transitions, p->system->actions.at[way->actions.at[i]].transition);
  concrete_run q = {.model = s->env->model,
                    .solver = s->solver,
                    .count = transitions.count,
                    .transitions = transitions.at,
                    .loop = RUN_HAS_NO_LOOP,
                    .at_end = s->bad,
                    .end = RUN_ENDS_WITHOUT_INPUTS};
  bool is_fault = s->env->model->properties.at[s->env->property].kind == PROPERTY_NO_FAULT;
  answer found = is_fault ? follow_to_fault(s, &q, e) : concrete_run_find(&q, e);
  if (answer_is_yes(found)) e->kind = EVIDENCE_TRACE;
  VECTOR_FREE(transitions);
  return found;
}

static engine_status refute_or_go_on(syntactic *s, checked_program *p, claim *out) {
  abstract_trace way = {0};
  engine_status status = ENGINE_DONE;
  if (!abstraction_counterexample(p->diagrams, &way)) {
    const char *why = abstraction_trouble(p->diagrams);
    claim_give_up(out, why ? why : "no way to a bad state can be read");
  } else {
    answer found = follow(s, p, &way, &out->evidence);
    if (answer_is_yes(found)) {
      out->verdict = VERDICT_UNSAFE;
    } else if (p->program->exact || s->env->options->closure) {
      char *reason = p->program->exact
                         ? text_format("a way of %zu steps to a bad state could not be followed in the model%s%s",
                                       way.actions.count, found.reason ? ": " : "", found.reason ? found.reason : "")
                         : text_format(
                               "the abstract program after %zu rounds has a way of %zu steps to a bad state that the "
                               "model does not have; raise -K",
                               p->program->closure->rounds, way.actions.count);
      claim_give_up(out, reason);
      memory_free(reason);
    } else {
      status = ENGINE_GOES_ON;
    }
  }
  abstract_trace_clear(&way);
  return status;
}

engine_status syntactic_check_states(syntactic *s, checked_program *p, claim *out) {
  reach_end end = abstraction_trouble(p->diagrams) ? REACH_TROUBLE : abstraction_reach(p->diagrams, false);
  if (end == REACH_TROUBLE) return claim_give_up(out, abstraction_trouble(p->diagrams));
  s->env->statistics->abstract_states = (uint64_t)abstraction_reached(p->diagrams);
  return end == REACH_BAD ? refute_or_go_on(s, p, out) : claim_reached(s, p, out);
}
