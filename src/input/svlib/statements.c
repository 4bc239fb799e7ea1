/* Statements. Control is at the end of a path (`now`), or nowhere. */
#include "input/svlib/lower.h"

typedef void rule(sv_lowering *l, const sv_node *n, const sv_annotated *a);

static bool has_items(sv_lowering *l, const sv_node *n, size_t least, size_t most, const char *example) {
  if (n->count > least && (n->count <= most + 1 || !most)) return true;
  sv_refuse(l, n, "`%s` does not look like this; %s does", n->items[0]->text, example);
  return false;
}

/* ---- plain ones ---- */

static void do_assume(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  if (!has_items(l, n, 1, 1, "(assume (> x 0))")) return;
  term holds = sv_now(l, sv_term(l, n->items[1], SORT_BOOL));
  if (!term_is_true(holds)) sv_describe(l, n, "");
  sv_assume(l, holds);
}

/* A variable that may be assigned here. */
static const sv_symbol *target(sv_lowering *l, const sv_node *n) {
  const sv_symbol *s = n->is_list ? NULL : sv_look_up(l, n->text);
  if (s && (s->kind == SV_GLOBAL || s->kind == SV_VARIABLE)) return s;
  if (s)
    sv_refuse(l, n, "`%s` cannot be assigned; variables that are global, local or outputs can", n->text);
  else
    sv_refuse(l, n, "`%s` is not a variable that is known here", n->text);
  return NULL;
}

static bool is_again(const sv_node *n, size_t from, size_t i, bool in_lists) {
  const sv_node *name = in_lists ? n->items[i]->items[0] : n->items[i];
  for (size_t j = from; j < i; j++) {
    const sv_node *other = in_lists ? n->items[j]->items[0] : n->items[j];
    if (!strcmp(other->text, name->text)) return true;
  }
  return false;
}

static void do_assign(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  if (!has_items(l, n, 1, 0, "(assign (x (+ x 1)) (y 0))")) return;
  const sv_symbol **to = MEMORY_ARRAY(const sv_symbol *, n->count);
  term *values = MEMORY_ARRAY(term, n->count);
  for (size_t i = 1; i < n->count && !l->failed; i++) {
    const sv_node *one = n->items[i];
    if (!one->is_list || one->count != 2)
      sv_refuse(l, one, "this assigns nothing; (x (+ x 1)) does");
    else if (is_again(n, 1, i, true))
      sv_refuse(l, one, "`%s` is assigned twice", one->items[0]->text);
    else if ((to[i] = target(l, one->items[0])))
      values[i] = sv_now(l, sv_term(l, one->items[1], to[i]->sort));
  }
  sv_describe(l, n, "");
  for (size_t i = 1; i < n->count && !l->failed; i++) sv_set(l, to[i]->cell, values[i]);
  memory_free(to);
  memory_free(values);
}

static void do_havoc(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  if (!has_items(l, n, 1, 0, "(havoc x y)")) return;
  const sv_symbol **symbols = arena_alloc(l->arena, n->count * sizeof *symbols);
  sv_describe(l, n, "");
  for (size_t i = 1; i < n->count && !l->failed; i++) {
    const sv_symbol *s = target(l, n->items[i]);
    if (!s) return;
    if (is_again(n, 1, i, false)) sv_refuse(l, n->items[i], "`%s` stands there twice", s->name);
    sv_havoc(l, s->cell, s->name, n->at, CHOICE_HAVOC, i == 1);
    symbols[i - 1] = s;
  }
  if (!l->failed) sv_trace_cells(l, "havoc", NULL, n->count - 1, symbols);
}

static void do_sequence(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  for (size_t i = 1; i < n->count && !l->failed; i++) sv_statement(l, n->items[i]);
}

static void do_call(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  sv_call(l, n);
}

/* ---- branches ---- */

/* Control is where both come to. */
static void join(sv_lowering *l, TAKE sv_path *other, span at) {
  if (!l->now || !other) {
    if (other) l->now = other;
    return;
  }
  char *stem = text_format("line%u", source_place(l->source, at.start).line);
  uint32_t to = sv_place(l, stem, at);
  memory_free(stem);
  sv_arrive(l, to, at);
  l->now = other;
  sv_arrive(l, to, at);
  sv_path_start(l, to);
}

static void do_if(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  if (!has_items(l, n, 2, 3, "(if (> x 0) (assign (x 1)))")) return;
  term condition = sv_now(l, sv_term(l, n->items[1], SORT_BOOL));
  sv_path *otherwise = l->now ? sv_path_copy(l->now) : NULL;
  sv_describe(l, n->items[1], "if ");
  sv_assume(l, condition);
  sv_statement(l, n->items[2]);
  sv_path *then = l->now;
  l->now = otherwise;
  sv_describe(l, n->items[1], "not ");
  sv_assume(l, term_not(condition));
  if (n->count == 4) sv_statement(l, n->items[3]);
  join(l, then, n->at);
}

/* Which one is taken is an input, by number. */
static void choose_among(sv_lowering *l, const sv_node *of, size_t first, const sv_node *n) {
  type number = {.sort = SORT_INT};
  variable chosen = variable_fresh(l->ts, "choice", &number);
  uint32_t to = SV_NO_PLACE;
  VECTOR_PUSH(l->now->inputs, (flow_input){chosen, "choice", source_place(l->source, n->at.start)});
  VECTOR_PUSH(l->choices, (source_choice){chosen, CHOICE_BRANCH, "choice", true});
  sv_trace_branch(l, term_of_variable(l->ts, chosen));
  sv_path *start = l->now;
  if (!start) return;
  for (size_t i = first; i < of->count && !l->failed; i++) {
    l->now = sv_path_copy(start);
    sv_assume(l, term_eq(l->ts, term_of_variable(l->ts, chosen), term_int(l->ts, (int64_t)(i - first))));
    sv_statement(l, of->items[i]);
    if (l->now && to == SV_NO_PLACE) to = sv_place(l, "choice", n->at);
    sv_arrive(l, to, n->at);
  }
  sv_path_free(start);
  if (l->failed) return;
  l->now = NULL;
  if (to != SV_NO_PLACE) sv_path_start(l, to);
}

/* `(choice s1 s2)`, or `(choice (s1 s2))` as CPAchecker writes it. */
static void do_choice(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  if (!has_items(l, n, 1, 0, "(choice (assign (x 1)) (assign (x 2)))")) return;
  bool is_nested = n->count == 2 && n->items[1]->is_list && n->items[1]->count && n->items[1]->items[0]->is_list;
  const sv_node *of = is_nested ? n->items[1] : n;
  if (l->now)
    choose_among(l, of, is_nested ? 0 : 1, n);
  else
    for (size_t i = is_nested ? 0 : 1; i < of->count && !l->failed; i++) sv_statement(l, of->items[i]);
}

/* ---- loops and jumps ---- */

static bool has_property(const sv_annotated *a, sv_property property) {
  for (size_t i = 0; i < a->annotations.count; i++)
    if (a->annotations.at[i].property == property) return true;
  return false;
}

static void note_ending(sv_lowering *l, const sv_annotated *a, uint32_t place) {
  for (size_t i = 0; i < a->annotations.count; i++)
    if (a->annotations.at[i].property == SV_NOT_RECURRING) {
      if (!l->ends) l->ends = a->annotations.at[i].term;
      if (place != SV_NO_PLACE) VECTOR_PUSH(l->finite, place);
    }
}

/* Where a round ends and the next one may begin. */
static void next_round(sv_lowering *l, const sv_loop *loop, span at) {
  if (!l->now) return;
  sv_measures_check(l, loop);
  sv_arrive(l, loop->head, at);
}

static void leave(sv_lowering *l, sv_loop *loop, span at) {
  if (!l->now) return;
  if (loop->after == SV_NO_PLACE) loop->after = sv_place(l, "after", at);
  sv_arrive(l, loop->after, at);
}

static void do_while(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  if (!has_items(l, n, 2, 2, "(while (> x 0) (assign (x (- x 1))))")) return;
  char *stem = text_format("%s", a->tags.count ? a->tags.at[0] : "loop");
  sv_loop loop = {.head = sv_place(l, stem, n->at), .after = SV_NO_PLACE, .annotated = a, .outer = l->loop};
  memory_free(stem);
  if (a->tags.count) VECTOR_PUSH(l->heads, (sv_head){loop.head, a->tags.at[0], l->procedure});
  note_ending(l, a, loop.head);
  loop.measures = sv_measures_of(l->procedure, n);
  sv_arrive(l, loop.head, n->at);
  sv_path_start(l, loop.head); /* also if control does not come here: there may be a label in the loop */
  sv_check(l, a, SV_CHECK_TRUE);
  sv_check(l, a, SV_INVARIANT);
  term condition = sv_now(l, sv_term(l, n->items[1], SORT_BOOL));
  sv_path *otherwise = l->now ? sv_path_copy(l->now) : NULL;
  sv_describe(l, n->items[1], "while ");
  sv_assume(l, condition);
  sv_measures_keep(l, &loop);
  l->loop = &loop;
  sv_statement(l, n->items[2]);
  l->loop = loop.outer;
  next_round(l, &loop, n->at);
  l->now = otherwise;
  sv_describe(l, n->items[1], "not ");
  sv_assume(l, term_not(condition));
  if (loop.after == SV_NO_PLACE) return;
  sv_arrive(l, loop.after, n->at);
  sv_path_start(l, loop.after);
}

static void do_break(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  if (!l->loop)
    sv_refuse(l, n, "there is no loop around this");
  else
    leave(l, l->loop, n->at);
}

static void do_continue(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  if (!l->loop)
    sv_refuse(l, n, "there is no loop around this");
  else
    next_round(l, l->loop, n->at);
}

static void do_return(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  if (!l->now) return;
  if (l->end == SV_NO_PLACE) l->end = sv_place(l, "end", n->at);
  sv_arrive(l, l->end, n->at);
}

/* The place of a label, which all gotos and the statement itself share. */
static uint32_t label_place(sv_lowering *l, const sv_node *n) {
  uint64_t found;
  if (!names_get(l->labels, n->items[1]->text, &found)) {
    found = sv_place(l, n->items[1]->text, n->at);
    names_set(l->labels, n->items[1]->text, found);
  }
  return (uint32_t)found;
}

static void do_label(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  if (!has_items(l, n, 1, 1, "(label again)")) return;
  uint32_t at = label_place(l, n);
  if (a->tags.count) VECTOR_PUSH(l->heads, (sv_head){at, a->tags.at[0], l->procedure});
  note_ending(l, a, at);
  sv_arrive(l, at, n->at);
  sv_path_start(l, at);
  sv_check(l, a, SV_REQUIRES); /* also of those who jump there */
  sv_check(l, a, SV_CHECK_TRUE);
  sv_check(l, a, SV_INVARIANT);
}

static void do_goto(sv_lowering *l, const sv_node *n, const sv_annotated *a) {
  (void)a;
  if (!has_items(l, n, 1, 1, "(goto again)")) return;
  sv_arrive(l, label_place(l, n), n->at);
}

/* ---- all of them ---- */

static const struct {
  const char *name;
  rule *rule;
} rules[] = {
    {"assume", do_assume},     {"assign", do_assign}, {"havoc", do_havoc},
    {"sequence", do_sequence}, {"call", do_call},     {"if", do_if},
    {"choice", do_choice},     {"while", do_while},   {"break", do_break},
    {"continue", do_continue}, {"return", do_return}, {"label", do_label},
    {"goto", do_goto},
};

static bool is_outermost(const sv_lowering *l, const sv_node *n) {
  const sv_node *body = l->procedure->body;
  while (sv_starts_with(body, "!") && body->count > 1) body = body->items[1];
  return body == n;
}

static void refuse_misplaced(sv_lowering *l, const sv_annotated *a) {
  bool is_loop = sv_starts_with(a->statement, "while"), is_label = sv_starts_with(a->statement, "label");
  if (has_property(a, SV_INVARIANT) && !is_loop && !is_label)
    sv_refuse(l, a->statement, "this has an :invariant, and is neither a loop nor a label; :check-true would be read");
  else if (has_property(a, SV_DECREASES) && !is_loop)
    sv_refuse(l, a->statement, "this has :decreases, and is not a loop");
  else if (has_property(a, SV_NOT_RECURRING) && !is_loop && !is_label && !is_outermost(l, a->statement))
    sv_refuse(l, a->statement, "this is :not-recurring, and neither a loop nor a label nor the body of a procedure");
}

static void run_rule(sv_lowering *l, const sv_annotated *a) {
  const sv_node *n = a->statement;
  bool is_loop = sv_starts_with(n, "while"), is_label = sv_starts_with(n, "label");
  refuse_misplaced(l, a);
  if (!is_loop && !is_label) note_ending(l, a, SV_NO_PLACE); /* it runs once */
  sv_tags_note(l, a);
  if (!is_loop && !is_label) sv_check(l, a, SV_CHECK_TRUE);
  for (size_t i = 0; i < ARRAY_LENGTH(rules) && !l->failed; i++)
    if (sv_starts_with(n, rules[i].name)) {
      rules[i].rule(l, n, a);
      return;
    }
  if (!l->failed) sv_refuse(l, n, "this is not a statement that is read; (assign (x 1)) is one");
}

void sv_statement(sv_lowering *l, const sv_node *n) {
  if (l->failed) return;
  sv_annotated a = sv_annotated_of(l, n);
  if (!l->failed && !sv_starts_with(a.statement, "label")) sv_check(l, &a, SV_REQUIRES);
  if (!l->failed) run_rule(l, &a);
  if (!l->failed) sv_check(l, &a, SV_ENSURES);
  sv_annotated_clear(&a);
}

/* Labels that something jumps to are there. */
static void look_for_labels(sv_lowering *l, const sv_node *n, names *found, bool is_second) {
  if (!n->is_list || l->failed) return;
  bool is_label = sv_starts_with(n, "label") && n->count == 2, is_goto = sv_starts_with(n, "goto") && n->count == 2;
  if ((is_label || is_goto) && n->items[1]->is_list) sv_refuse(l, n->items[1], "this is not the name of a label");
  if (is_label && !is_second && !l->failed) {
    if (names_get(found, n->items[1]->text, NULL)) sv_refuse(l, n, "there is another label `%s`", n->items[1]->text);
    names_set(found, n->items[1]->text, 1);
  }
  if (is_goto && is_second && !names_get(found, n->items[1]->text, NULL))
    sv_refuse(l, n, "there is no label `%s` in this procedure", n->items[1]->text);
  for (size_t i = 0; i < n->count; i++) look_for_labels(l, n->items[i], found, is_second);
}

void sv_body(sv_lowering *l, sv_procedure *p) {
  names *found = names_new();
  look_for_labels(l, p->body, found, false);
  look_for_labels(l, p->body, found, true);
  names_free(found);
  l->labels = names_new();
  l->end = SV_NO_PLACE;
  l->loop = NULL;
  sv_annotated a = sv_annotated_of(l, p->body);
  if (l->is_start)
    sv_assume_requires(l, &a);
  else
    sv_check(l, &a, SV_REQUIRES);
  if (!l->failed) run_rule(l, &a);
  if (l->end != SV_NO_PLACE && !l->failed) {
    sv_arrive(l, l->end, p->at);
    sv_path_start(l, l->end);
  }
  if (!l->failed) sv_check(l, &a, SV_ENSURES);
  sv_annotated_clear(&a);
  names_free(l->labels);
  l->labels = NULL;
}
