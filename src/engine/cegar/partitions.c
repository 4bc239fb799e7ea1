/* The ways to see a counterexample as steps and loops (Lakhnech, Bensalem, Berezin, Owre 2001, after Fig. 5: there are
 * several, finitely many, and what refinement finds depends on the choice). Partitions with fewer loops come first, and of
 * those the ones with shorter loops. */
#include "engine/cegar/path.h"

/* Counted, so that the same ones are tried on every machine. */
enum { MOST_CANDIDATES = 48, MOST_PARTITIONS = 64, MOST_COMBINATIONS = 20000 };

typedef struct enumeration {
  loop_vector candidates, chosen;
  size_t visited, combinations;
  partition_visitor *visit;
  void *context;
  bool ended;
} enumeration;

static bool is_round(const cegar_tools *t, const abstract_trace *trace, size_t from, size_t word) {
  return from + word < trace->states.count &&
         path_same_control(t, &trace->states.at[from], &trace->states.at[from + word]);
}

static bool is_repeated(const cegar_tools *t, const abstract_trace *trace, size_t from, size_t word) {
  return is_round(t, trace, from, word) && is_round(t, trace, from + word, word) &&
         !memcmp(trace->actions.at + from, trace->actions.at + from + word, word * sizeof(uint32_t));
}

/* Stretches that lead to the same control, repetitions of one word being one loop. Shorter words first, and those near the
 * end, where the analysis begins, before others. */
static void find_candidates(const cegar_tools *t, const abstract_trace *trace, loop_vector *out) {
  for (size_t word = 1; word < trace->states.count; word++)
    for (size_t from = trace->states.count - word; from-- > 0 && out->count < MOST_CANDIDATES;) {
      bool begins = from < word || !is_repeated(t, trace, from - word, word);
      if (!begins || !is_round(t, trace, from, word)) continue;
      size_t to = from + word;
      while (is_repeated(t, trace, to - word, word)) to += word;
      VECTOR_PUSH(*out, (trace_loop){from, to, word});
    }
}

static bool is_apart(const loop_vector *chosen, const trace_loop *l) {
  for (size_t i = 0; i < chosen->count; i++)
    if (l->from < chosen->at[i].to && chosen->at[i].from < l->to) return false;
  return true;
}

/* Adds `more` loops from the candidate `first` on, in every way. Depth: the number of loops. */
static void choose(enumeration *e, size_t first, size_t more) {
  if (!more) {
    e->ended |= ++e->visited > MOST_PARTITIONS || !e->visit(e->context, &e->chosen);
    return;
  }
  for (size_t i = first; i < e->candidates.count && !e->ended; i++) {
    e->ended |= ++e->combinations > MOST_COMBINATIONS;
    if (e->ended || !is_apart(&e->chosen, &e->candidates.at[i])) continue;
    VECTOR_PUSH(e->chosen, e->candidates.at[i]);
    choose(e, i + 1, more - 1);
    e->chosen.count--;
  }
}

void partitions_visit(const cegar_tools *t, const abstract_trace *trace, partition_visitor *visit, void *context) {
  enumeration e = {.visit = visit, .context = context};
  find_candidates(t, trace, &e.candidates);
  for (size_t loops = 1, before = SIZE_MAX; !e.ended && loops <= e.candidates.count && before != e.visited; loops++) {
    before = e.visited;
    choose(&e, 0, loops);
  }
  VECTOR_FREE(e.candidates);
  VECTOR_FREE(e.chosen);
}
