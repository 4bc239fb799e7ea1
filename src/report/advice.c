/* From the most likely to help: a limit that was reached, all engines in place of one, bounds that make the model finite, a
 * lemma, predicates that are kept. */
#include "report/advice.h"

#include "term/print.h"

typedef struct advising {
  const model *model;
  const options *options;
  const outcome *outcome;
  text *out;
  size_t lines;
} advising;

static bool has_reason(const advising *a, const char *words) {
  return a->outcome->reason && strstr(a->outcome->reason, words);
}

static void say(advising *a, TAKE char *line) {
  if (a->lines++ < MOST_ADVICE) text_add(a->out, "%s\n", line);
  memory_free(line);
}

/* ---- limits ---- */

/* How far the run came. */
static GIVE char *reached(const advising *a) {
  uint64_t clear = a->outcome->statistics.clear_depth, states = a->outcome->statistics.states;
  if (clear) return text_format("nothing is violated within %llu steps", (unsigned long long)clear);
  if (states) return text_format("%llu states were looked at", (unsigned long long)states);
  return text_format("%.1f s were used", a->outcome->seconds);
}

static void advise_limits(advising *a) {
  enum { FACTOR = 4 };
  const options *o = a->options;
  char *so_far = reached(a);
  if (o->timeout > 0 && has_reason(a, "time limit reached"))
    say(a, text_format("give it more time: --timeout %.0f (%s)", o->timeout * FACTOR < 1 ? 1 : o->timeout * FACTOR,
                       so_far));
  else if (o->work && has_reason(a, "work limit reached"))
    say(a, text_format("allow more work: --work %llu (%s)", (unsigned long long)o->work * FACTOR, so_far));
  if (has_reason(a, "memory limit reached"))
    say(a, o->memory
               ? text_format("allow more memory: --memory %llu", (unsigned long long)o->memory * FACTOR)
               : text_format("memory was used up: smaller types, or a property about fewer variables, need less"));
  memory_free(so_far);
}

/* ---- engines ---- */

static void advise_engines(advising *a) {
  if (a->outcome->engine && a->options->engine && *a->options->engine && strcmp(a->options->engine, "auto"))
    say(a, text_format("let all engines that suit the model work: leave out --engine %s", a->options->engine));
}

/* ---- the model ---- */

/* The first few variables without bounds, in words. */
static size_t name_unbounded(const model *m, text *out) {
  enum { MOST_NAMED = 3 };
  size_t count = 0;
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    const type *t = variable_type(m->terms, v);
    if (t->sort != SORT_INT || type_is_finite(t)) continue;
    if (count < MOST_NAMED) text_add(out, "%s%s", count ? ", " : "", variable_shown(m->terms, v));
    count++;
  }
  if (count > MOST_NAMED) text_add(out, " and %zu more", count - MOST_NAMED);
  return count;
}

static void advise_bounds(advising *a) {
  text named = {0};
  const model *m = a->model;
  bool is_written = !m->clauses && !m->is_c_program && !m->source && !m->has_heap;
  if (is_written && name_unbounded(m, &named))
    say(a, text_format(
               "if they stay within bounds, say so in their types, as in 0..100: %s; then all states can be listed",
               text_string(&named)));
  text_clear(&named);
}

static void advise_lemma(advising *a) {
  bool is_safety = a->model->properties.at[a->outcome->property].kind == PROPERTY_SAFE;
  if (a->model->clauses || a->model->has_heap || !is_safety) return;
  say(a,
      a->outcome->lemmas
          ? text_format(
                "name something else that always holds, with --lemma FILE: what is known does not imply the property")
          : text_format("name something that always holds and relates the variables, with --lemma FILE: nothing of use "
                        "was found"));
}

static void advise_predicates(advising *a) {
  bool is_kept = a->options->save_predicates && *a->options->save_predicates;
  if (a->outcome->predicates.count && !is_kept)
    say(a,
        text_format("keep the %zu predicates in use for the next run: --save-predicates FILE, then --predicates FILE",
                    a->outcome->predicates.count));
}

void advice_add(const model *m, const options *o, const outcome *of, text *out) {
  advising a = {.model = m, .options = o, .outcome = of, .out = out};
  if (of->verdict != VERDICT_UNKNOWN || of->internal_error || has_reason(&a, "interrupted")) return;
  advise_limits(&a);
  advise_engines(&a);
  advise_bounds(&a);
  advise_lemma(&a);
  advise_predicates(&a);
}
