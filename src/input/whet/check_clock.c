/* Invariants of states and labels: conjunctions of upper bounds of clocks. Time that passes then breaks them once and for good, so
 * that it is enough to look at its end. */
#include "input/whet/check.h"
#include "input/whet/parse/token.h"

static bool is_clock(const expression *e) {
  return (e->kind == EXPRESSION_NAME || e->kind == EXPRESSION_FIELD) && e->symbol && e->symbol->is_clock;
}

/* Also in definitions that it uses, which were checked before: they do not use themselves. */
static bool mentions_clock(const expression *e, unsigned depth) {
  if (is_clock(e) || depth > 2 * AST_DEPTH) return true;
  if (e->kind == EXPRESSION_NAME && e->symbol && e->symbol->kind == SYMBOL_DEFINITION && e->symbol->body)
    return mentions_clock(e->symbol->body, depth + 1);
  for (size_t i = 0; i < e->count; i++)
    if (mentions_clock(e->parts[i], depth + 1)) return true;
  return false;
}

static void refuse(checker *c, const expression *e, const char *why) {
  char *excerpt = source_excerpt(c->reporter->source, e->at, 40);
  report_error(c->reporter, e->at.start, "`%s` %s", excerpt, why);
  report_hint(
      c->reporter,
      "an invariant is an upper bound of a clock, `x <= 5` or `x < N`, or several with `&&`; lower bounds belong "
      "in guards");
  memory_free(excerpt);
}

static void check_bound(checker *c, const expression *e) {
  whet_token_kind sign = e->operators[0];
  bool is_less = sign == TOKEN_LESS || sign == TOKEN_LESS_EQUAL;
  bool is_greater = sign == TOKEN_GREATER || sign == TOKEN_GREATER_EQUAL;
  const expression *left = e->parts[0], *right = e->parts[1];
  const expression *clock = is_greater ? right : left, *bound = is_greater ? left : right;
  if (!is_less && !is_greater)
    refuse(c, e, "is no upper bound of a clock");
  else if (is_clock(bound) && !mentions_clock(clock, 0))
    refuse(c, e, "is a lower bound of a clock, which time alone can never break");
  else if (!is_clock(clock))
    refuse(c, e, "is no upper bound of a clock");
  else if (mentions_clock(bound, 0))
    refuse(c, e, "compares clocks with each other, whose difference time does not change");
}

static void check_upper_bounds(checker *c, const expression *e) {
  if (e->kind == EXPRESSION_AND) {
    for (size_t i = 0; i < e->count; i++) check_upper_bounds(c, e->parts[i]);
  } else if (e->kind == EXPRESSION_COMPARE) {
    check_bound(c, e);
  } else if (e->kind == EXPRESSION_OR || e->kind == EXPRESSION_IMPLIES || e->kind == EXPRESSION_EXISTS) {
    refuse(c, e, "is a disjunction, which is no invariant");
  } else {
    refuse(c, e, "is no upper bound of a clock");
  }
}

/* The places of a program are not known yet, but its labels are. */
static void check_label(checker *c, const family *f, const declared_name *label) {
  const char *near = NULL;
  scope_note_member(c->scope, label->at, f, label->word);
  for (size_t i = 0; i < f->labels.count; i++) {
    if (f->labels.at[i]->word == label->word) return;
    if (words_are_near(label->word->text, f->labels.at[i]->word->text)) near = f->labels.at[i]->word->text;
  }
  report_error(c->reporter, label->at.start, "there is no label `%s` in this program", label->word->text);
  if (near) report_hint(c->reporter, "did you mean `%s`?", near);
}

static void check_states(checker *c, const process_tree *p, const declared_names *states) {
  for (size_t i = 0; i < states->count; i++)
    if (p->is_program)
      check_label(c, p->family, &states->at[i]);
    else
      check_edge_state(c, p->family, &states->at[i]);
}

/* Whether the process can go on is asked in the guards of others, so it must not depend on inputs. */
static void check_edges_of_atomic(checker *c, const process_tree *p) {
  for (size_t i = 0; i < p->commands.count; i++) {
    const command_tree *edge = p->commands.at[i];
    bool leaves = false;
    for (size_t j = 0; j < p->atomic.count; j++) leaves |= p->atomic.at[j].word == edge->from.word;
    if (!leaves || !edge->inputs.count) continue;
    report_error(c->reporter, edge->at.start, "an edge that leaves the atomic state `%s` cannot have inputs",
                 edge->from.word->text);
    report_hint(c->reporter, "choose the value on the way in, or by `x := *`");
  }
}

void check_marks(checker *c, const process_tree *p) {
  check_states(c, p, &p->atomic);
  check_states(c, p, &p->ends);
  check_edges_of_atomic(c, p);
}

void check_invariants(checker *c, const process_tree *p) {
  for (size_t i = 0; i < p->invariant_count; i++) {
    const invariant_tree *v = &p->invariants[i];
    check_states(c, p, &v->states);
    size_t errors = c->reporter->out->errors;
    check_condition(c, v->condition, "an invariant");
    if (c->reporter->out->errors == errors) check_upper_bounds(c, v->condition);
  }
}
