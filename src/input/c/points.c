/* What a witness says, while the program is lowered. Its invariants are checked, and known from then on. A run that it
 * describes is counted along: a cell has the number of waypoints that were passed, and an error is one only if all were. */
#include "input/c/lower.h"
#include "input/witness/insert.h"

static place place_at(const c_lowering *l, uint32_t offset) { return witness_place(l->inserted, offset); }

bool c_points_put_in(const c_lowering *l, uint32_t offset) {
  uint32_t before = 0;
  for (size_t i = 0; l->inserted && i < l->inserted->made.count; i++) {
    const witness_insertion *in = &l->inserted->made.at[i];
    if (offset >= in->offset + before && offset < in->offset + before + in->length) return true;
    before += in->length;
  }
  return false;
}

static bool is_there(const witness_point *w, place at) {
  return w->at.line == at.line && (!w->at.column || w->at.column == at.column);
}

/* ---- runs ---- */

/* `when` it holds, a run that had passed `before` waypoints passes this one. */
static void pass(c_lowering *l, c_path *p, const witness_point *w, term before, term when) {
  c_operand passed = c_cell_read(l, p, l->passed);
  term here = term_and(l->ts, when, term_eq(l->ts, before, term_int(l->ts, (int64_t)w->segment)));
  if (w->avoids) {
    if (!c_path_assume(l, p, term_not(here))) p->guard = TERM_FALSE;
    return;
  }
  passed.value = term_ite(l->ts, here, term_int(l->ts, (int64_t)w->segment + 1), passed.value);
  c_cell_write(l, p, l->passed, &passed);
}

static bool follows_run(const c_lowering *l) { return l->witness && l->witness->is_violation; }

void c_points_start(c_lowering *l) {
  if (!follows_run(l)) return;
  const c_type *t = c_type_of(&l->types, "int");
  l->passed = c_cell_new(l, "waypoints passed", t);
  c_operand none = c_value_number(l, t, number_of(0));
  c_cell_write(l, l->live.at[0], l->passed, &none);
}

static term compare(c_lowering *l, term value, const witness_point *w) {
  term to = term_number(l->ts, w->number);
  if (w->comparison[0] == '<') return w->comparison[1] ? term_le(l->ts, value, to) : term_lt(l->ts, value, to);
  if (w->comparison[0] == '>') return w->comparison[1] ? term_ge(l->ts, value, to) : term_gt(l->ts, value, to);
  term equal = term_eq(l->ts, value, to);
  return w->comparison[0] == '!' ? term_not(equal) : equal;
}

/* Something happens there, by which each path passes at most one of the waypoints of a kind that are there. `holds` is
 * of branches, and what a call returns is on top of the stack. */
static void happen(c_lowering *l, const c_paths *ps, point_kind kind, place at, bool holds) {
  for (size_t j = 0; j < ps->count && !l->refused; j++) {
    c_path *p = ps->at[j];
    term before = c_cell_read(l, p, l->passed).value;
    for (size_t i = 0; i < l->witness->points.count; i++) {
      const witness_point *w = &l->witness->points.at[i];
      if (w->kind != kind || !is_there(w, at) || (kind == POINT_BRANCHING && w->holds != holds)) continue;
      const c_operand *top = kind == POINT_RETURN ? &VECTOR_LAST(p->stack) : NULL;
      if (top && (!c_type_is_integer(top->type) || top->is_place)) continue;
      pass(l, p, w, before, top ? compare(l, top->value, w) : TERM_TRUE);
    }
  }
}

void c_points_branch(c_lowering *l, const c_node *n, c_paths *yes, c_paths *no) {
  if (!follows_run(l) || !n->is_here) return;
  happen(l, yes, POINT_BRANCHING, place_at(l, n->start), true);
  happen(l, no, POINT_BRANCHING, place_at(l, n->start), false);
}

void c_points_enter(c_lowering *l, const c_node *call) {
  if (follows_run(l) && call->is_here) happen(l, &l->live, POINT_ENTER, place_at(l, call->end - 1), false);
}

void c_points_return(c_lowering *l, const c_node *call) {
  if (follows_run(l) && call->is_here) happen(l, &l->live, POINT_RETURN, place_at(l, call->end - 1), false);
}

/* What is wrong at the end of `main` is so in all of it. */
static uint32_t first_line(const c_lowering *l, c_error error, const c_node *at) {
  bool is_end = (error == ERROR_TRACK || error == ERROR_CLEANUP) && at->kind == C_FUNCTION;
  return place_at(l, is_end ? l->frame->function->start : at->start).line;
}

term c_points_error(c_lowering *l, const c_path *p, c_error error, const c_node *at) {
  if (!follows_run(l) || error == ERROR_INVARIANT) return TERM_TRUE;
  const witness_point *target = &VECTOR_LAST(l->witness->points);
  if (!at || !at->is_here) return TERM_FALSE;
  uint32_t first = first_line(l, error, at), line = place_at(l, at->start).line;
  if (line < target->at.line || first > l->inserted->last_line) return TERM_FALSE;
  return term_eq(l->ts, c_cell_read(l, p, l->passed).value, term_int(l->ts, (int64_t)target->segment));
}

/* ---- expressions ---- */

static const witness_point *point_of(const c_lowering *l, const c_node *call) {
  for (size_t i = 0; l->witness && i < l->inserted->made.count; i++)
    if (l->inserted->made.at[i].start == call->start) return &l->witness->points.at[l->inserted->made.at[i].point];
  return NULL;
}

/* Where it holds, and where it does not; nothing goes wrong in it. */
static void evaluate(c_lowering *l, const c_node *e, c_paths *yes, c_paths *no) {
  bool outside = l->is_formula;
  l->is_formula = true;
  c_eval_condition(l, e, yes, no);
  l->is_formula = outside;
}

void c_points_call(c_lowering *l, const c_node *call) {
  const witness_point *w = point_of(l, call);
  c_paths yes = {0}, no = {0};
  if (!w) {
    c_refuse(l, call, "`" WITNESS_CALL "` is a name that whet uses itself");
    return;
  }
  if (w->kind == POINT_LOOP_INVARIANT) return;
  evaluate(l, call->inner[2], &yes, &no);
  for (size_t i = 0; i < no.count && w->kind == POINT_LOCATION_INVARIANT && !l->refused; i++)
    c_path_check(l, no.at[i], TERM_TRUE, ERROR_INVARIANT, call);
  for (size_t i = 0; i < yes.count && w->kind == POINT_ASSUMPTION; i++)
    pass(l, yes.at[i], w, c_cell_read(l, yes.at[i], l->passed).value, TERM_TRUE);
  c_paths_move(&yes, &l->live);
  c_paths_move(&no, &l->live);
  VECTOR_FREE(yes);
  VECTOR_FREE(no);
  c_live_join(l, call);
}

/* The calls before the first statement of a body. */
static void find_calls(const c_node *n, c_nodes *out) {
  n = c_without_parens(n);
  if (n->kind == C_CALL && n->count == 3) {
    VECTOR_PUSH(*out, n);
  } else if (n->kind == C_COMPOUND) {
    for (size_t i = 0; i < n->count; i++) {
      size_t before = out->count;
      if (n->inner[i]->kind != C_CALL) return;
      find_calls(n->inner[i], out);
      if (out->count == before) return;
    }
  } else if (n->kind == C_IF && n->count == 3) {
    const c_node *condition = c_without_parens(n->inner[0]);
    if (condition->kind != C_BINARY || strcmp(condition->opcode, ",")) return;
    find_calls(condition->inner[0], out);
    find_calls(n->inner[2], out);
  }
}

void c_points_loop(c_lowering *l, const c_node *n, const c_node *body, uint32_t head) {
  c_nodes calls = {0};
  if (l->witness && !l->witness->is_violation) find_calls(body, &calls);
  for (size_t i = 0; i < calls.count && !l->refused; i++) {
    const witness_point *w = point_of(l, calls.at[i]);
    if (!w || w->kind != POINT_LOOP_INVARIANT) continue;
    term holds = c_condition_at(l, calls.at[i]->inner[2], head);
    for (size_t j = 0; j < l->live.count && !l->refused; j++)
      c_path_check(l, l->live.at[j], term_not(holds), ERROR_INVARIANT, n);
  }
  VECTOR_FREE(calls);
}
