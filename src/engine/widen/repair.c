/* Branches of SARefinement: each is a run with hints for its operators. One that meets an error opens one or two
 * others, with union or [+] at the step to blame, until one meets no error or an error is real. MARefinement and
 * AbsRefine have one branch, and repair by union. */
#include "engine/widen/repair.h"

#include "base/instruments/log.h"
#include "engine/widen/repair_report.h"

enum { MOST_BRANCHES = 3 /* heuristic 2 */ };

typedef struct branch {
  hint_vector hints;
  run *before; /* may be NULL */
  size_t unions, connects;
  bool last_was_connect;
} branch;

struct repair {
  const domain *d;
  repair_style style;
  const char *name;
  events *events;
  VECTOR(branch) open; /* the last is the newest */
  run *first, *run;
  refinement error;
  size_t unions, connects, runs;
  const char *failure;
};

static void branch_free(branch *b) {
  VECTOR_FREE(b->hints);
  run_free(b->before);
}

repair *repair_new(const domain *d, repair_style style, const char *name, events *e) {
  repair *r = MEMORY_NEW(repair);
  *r = (repair){.d = d, .style = style, .name = name, .events = e};
  VECTOR_PUSH(r->open, (branch){0});
  return r;
}

void repair_free(repair *r) {
  if (!r) return;
  for (size_t i = 0; i < r->open.count; i++) branch_free(&r->open.at[i]);
  VECTOR_FREE(r->open);
  refinement_free(r->d, &r->error);
  run_free(r->run);
  run_free(r->first);
  memory_free(r);
}

const char *repair_failure(const repair *r) { return r->failure; }
const run *repair_run(const repair *r) { return r->run; }
const run *repair_first_run(const repair *r) { return r->first; }
const refinement *repair_error(const repair *r) { return &r->error; }

void repair_count(const repair *r, size_t *unions, size_t *connects, size_t *runs) {
  *unions = r->unions;
  *connects = r->connects;
  *runs = r->runs;
}

/* ---- branches ---- */

/* The branch `from` with `op` at the step that the refinement blames, on top of the run `before`. */
static branch repaired(const branch *from, run *before, const refinement *f, operator op) {
  branch b = {.unions = from->unions, .connects = from->connects};
  if (!before->is_cut) b.before = run_share(before);
  for (size_t i = 0; i < from->hints.count; i++) VECTOR_PUSH(b.hints, from->hints.at[i]);
  for (size_t i = 0; i < f->heads.count; i++) VECTOR_PUSH(b.hints, (hint){f->heads.at[i], f->step, op});
  if (op == OPERATOR_UNION)
    b.unions++;
  else
    b.connects++;
  b.last_was_connect = op == OPERATOR_CONNECT;
  return b;
}

/* Opens what follows from a repair; the operator that is tried first. */
static operator branch_out(repair *r, const branch *from, run *done, const refinement *f) {
  bool may_connect =
      r->style.method == REPAIR_SYSTEMATIC && f->connect_helps && (r->style.connect_again || !from->last_was_connect);
  if (!may_connect) {
    VECTOR_PUSH(r->open, repaired(from, done, f, OPERATOR_UNION));
    return OPERATOR_UNION;
  }
  operator first = r->style.union_first ? OPERATOR_UNION : OPERATOR_CONNECT;
  operator second = r->style.union_first ? OPERATOR_CONNECT : OPERATOR_UNION;
  if (r->open.count + 2 <= MOST_BRANCHES) VECTOR_PUSH(r->open, repaired(from, done, f, second));
  VECTOR_PUSH(r->open, repaired(from, done, f, first));
  return first;
}

/* It was the last run. */
static void keep_run(repair *r, const branch *b, run *done) {
  r->unions = b->unions;
  r->connects = b->connects;
  if (done->is_cut) return;
  run_free(r->run);
  if (!r->first) r->first = run_share(done);
  r->run = run_share(done);
}

static void report(const repair *r, const branch *b, const run *done, const refinement *f, operator op) {
  run_report_send(&(run_report){.domain = r->d,
                                .events = r->events,
                                .name = r->name,
                                .run = r->runs,
                                .unions = b->unions,
                                .connects = b->connects,
                                .tells_errors = r->style.tells_errors},
                  done, f, op);
}

static repair_end handle_error(repair *r, const branch *b, run *done) {
  refinement f = refine(done, r->style.schedule);
  r->failure = r->d->failure(r->d->context);
  repair_end end = REPAIR_GOES_ON;
  if (r->failure) {
    end = REPAIR_FAILED;
  } else if (f.kind == REFINE_HINT) {
    operator op = branch_out(r, b, done, &f);
    LOG(widen, "%s: a false alarm; step %zu is repaired: %s", r->name, (size_t)f.step, operator_name(op));
    report(r, b, done, &f, op);
  } else if (f.kind == REFINE_REAL) {
    report(r, b, done, &f, OPERATOR_WIDEN);
    r->error = f;
    return REPAIR_REAL;
  } else {
    r->failure = "no step can be repaired";
    end = REPAIR_FAILED;
  }
  refinement_free(r->d, &f);
  return end;
}

static branch next_branch(repair *r) {
  if (!r->style.oldest_first) return VECTOR_POP(r->open);
  branch b = r->open.at[0];
  r->open.count--;
  memmove(r->open.at, r->open.at + 1, r->open.count * sizeof *r->open.at);
  return b;
}

repair_end repair_step(repair *r, budget *budget) {
  if (!r->open.count) {
    r->failure = "no way to repair is left";
    return REPAIR_FAILED;
  }
  branch b = next_branch(r);
  repair_end end;
  r->runs++;
  run *done = r->style.method == REPAIR_BASIC
                  ? fixpoint_to_error(r->d, &b.hints, r->style.schedule, budget, &r->failure)
                  : fixpoint(r->d, &b.hints, b.before, r->style.schedule, budget, &r->failure);
  if (r->failure) {
    end = REPAIR_FAILED;
  } else {
    keep_run(r, &b, done);
    if (done->has_error) {
      end = handle_error(r, &b, done);
    } else {
      report(r, &b, done, NULL, OPERATOR_WIDEN);
      end = REPAIR_PROVED;
    }
  }
  run_free(done);
  branch_free(&b);
  return end;
}
