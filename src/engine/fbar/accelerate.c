/* Acceleration (our addition; docs/engines/fbar.md): in addition to the steps, any number of rounds of a transition or
 * of a short cycle as one step.
 *
 * The algorithms run unchanged: whatever is closed under these steps is closed under the model's own, and a run over
 * them can be written out. That holds only for closures that are exact: others would make up runs, and are left out.
 *
 * Words are made of transitions, or of their pieces (pieces.c) if the closure of the whole is not exact. Cycles are
 * looked for within one process, shorter ones first; a word that can be repeated is made no longer. */
#include "engine/fbar/problem.h"
#include "term/print.h"

enum { CLOSURE_OPERATIONS = 100000, MOST_WORDS = 600, MOST_ACCELERATIONS = 64, MOST_HINTS = 60, MOST_PIECES = 8 };

typedef VECTOR(acceleration) word_vector; /* `rounds` is one round */

typedef struct letter {
  uint32_t transition;
  relation *step;
  bool is_alone; /* can be repeated at once: no part of longer cycles */
} letter;

typedef struct search {
  problem *p;
  size_t tried;
  VECTOR(letter) letters;
  word_vector now, next; /* words of one length, and of the next, that cannot be repeated */
} search;

static bool is_spent(search *s) {
  return s->tried >= MOST_WORDS || s->p->accelerations.count >= MOST_ACCELERATIONS || budget_spent(s->p->env->budget);
}

/* False if the closure is not exact. */
static bool keep_closure(search *s, const acceleration *word) {
  bool exact = false;
  relation *rounds = relation_closure(word->rounds, &exact);
  if (rounds && exact) {
    acceleration made = *word;
    made.rounds = rounds;
    VECTOR_PUSH(s->p->accelerations, made);
  } else {
    relation_free(rounds);
  }
  return rounds && exact;
}

/* A word that can be repeated is closed; one that only can be taken may become longer. False if it can be repeated
 * and is not closed. */
static bool look_at(search *s, TAKE acceleration word) {
  s->tried++;
  bool taken = answer_is_no(relation_is_empty(word.rounds)), fine = true;
  answer repeats = taken ? relation_can_repeat(word.rounds) : answer_no();
  if (answer_is_yes(repeats)) fine = keep_closure(s, &word);
  if (taken && answer_is_no(repeats) && word.length < LONGEST_CYCLE)
    VECTOR_PUSH(s->next, word);
  else
    relation_free(word.rounds);
  return fine;
}

static bool has(const acceleration *word, uint32_t letter) {
  for (size_t i = 0; i < word->length; i++)
    if (word->letters[i] == letter) return true;
  return false;
}

static void extend(search *s, const acceleration *word) {
  const model *m = s->p->model;
  uint32_t process = m->transitions.at[word->cycle[0]].process;
  for (uint32_t k = 0; k < s->letters.count && !is_spent(s); k++) {
    const letter *l = &s->letters.at[k];
    if (l->is_alone || has(word, k) || m->transitions.at[l->transition].process != process) continue;
    acceleration longer = *word;
    longer.rounds = relation_then(word->rounds, l->step);
    longer.cycle[longer.length] = l->transition;
    longer.letters[longer.length++] = k;
    look_at(s, longer);
  }
}

/* False if it can be repeated and is not closed. */
static bool add_letter(search *s, uint32_t transition, TAKE relation *step) {
  size_t open = s->next.count;
  uint32_t k = (uint32_t)s->letters.count;
  bool fine =
      look_at(s, (acceleration){.cycle = {transition}, .letters = {k}, .length = 1, .rounds = relation_copy(step)});
  VECTOR_PUSH(s->letters, (letter){transition, step, s->next.count == open});
  return fine;
}

/* The transition, and if that is not enough, its pieces. */
static void add_transition(search *s, uint32_t t) {
  if (add_letter(s, t, relation_copy(s->p->steps.at[t]))) return;
  relation_vector pieces = {0};
  problem_pieces(s->p, t, &pieces);
  for (size_t i = 0; i < pieces.count; i++) add_letter(s, t, pieces.at[i]);
  VECTOR_FREE(pieces);
}

static void free_words(word_vector *v) {
  for (size_t i = 0; i < v->count; i++) relation_free(v->at[i].rounds);
  v->count = 0;
}

void problem_accelerate(problem *p) {
  search s = {.p = p};
  presburger_set_operations(p->sets, CLOSURE_OPERATIONS);
  for (uint32_t t = 0; t < p->steps.count && !is_spent(&s); t++) add_transition(&s, t);
  while (s.next.count && !is_spent(&s)) {
    free_words(&s.now);
    word_vector swap = s.now;
    s.now = s.next;
    s.next = swap;
    for (size_t i = 0; i < s.now.count && !is_spent(&s); i++) extend(&s, &s.now.at[i]);
  }
  free_words(&s.now);
  free_words(&s.next);
  VECTOR_FREE(s.now);
  VECTOR_FREE(s.next);
  for (size_t i = 0; i < s.letters.count; i++) relation_free(s.letters.at[i].step);
  VECTOR_FREE(s.letters);
  presburger_set_operations(p->sets, PROBLEM_OPERATIONS);
  p->env->statistics->accelerated = p->accelerations.count;
}

static void hint_at(const problem *p, term of, size_t *given) {
  term_vector atoms = {0};
  term_atoms(p->ts, of, &atoms);
  for (size_t i = 0; i < atoms.count && *given < MOST_HINTS; i++, ++*given) {
    variable_vector used = {0};
    term_variables(p->ts, 1, &atoms.at[i], &used);
    if (used.count > 1) events_hint(p->env->events, p->ts, atoms.at[i]); /* bounds are in the guards */
    VECTOR_FREE(used);
  }
  VECTOR_FREE(atoms);
}

void problem_hint(const problem *p) {
  size_t given = 0;
  presburger_set_operations(p->sets, CLOSURE_OPERATIONS);
  for (size_t i = 0; i < p->accelerations.count && given < MOST_HINTS; i++) {
    region *after = relation_after(p->accelerations.at[i].rounds, p->first);
    region *simple = after ? region_simplify_under(after, p->all) : NULL;
    term_vector pieces = {0};
    if (simple && region_pieces(simple) <= MOST_PIECES && region_terms(simple, &pieces))
      for (size_t j = 0; j < pieces.count; j++) hint_at(p, pieces.at[j], &given);
    VECTOR_FREE(pieces);
    region_free(simple);
    region_free(after);
  }
  presburger_set_operations(p->sets, PROBLEM_OPERATIONS);
}
