/* Branches of SARefinement: each is a run with hints for its operators. One that meets an error opens one or two
 * others, with union or [+] at the step to blame, until one meets no error or an error is real. */
#include "engine/widen/repair.h"

#include "base/instruments/log.h"
#include "base/text.h"

enum { MOST_BRANCHES = 3 /* heuristic 2 */, LONGEST_TRAIL = 100 };

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
  VECTOR(branch) open; /* the last is next */
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

/* ---- reports ---- */

static const char *operator_name(operator op) {
  return op == OPERATOR_UNION ? "union" : op == OPERATOR_CONNECT ? "merge" : "widen";
}

/* What each step did, at the heads at which it did something. */
static void add_trail(const repair *r, const run *done, json_writer *json) {
  const cut_graph *cuts = r->d->cuts;
  size_t shown = 0;
  json_field_array(json, "trail");
  for (size_t c = 0; c < cuts->components.count; c++) {
    for (size_t i = 1; i < done->components[c].steps.count; i++) {
      for (size_t k = 0; k < cuts->components.at[c].heads.count && shown < LONGEST_TRAIL; k++) {
        const head_step *s = &done->components[c].steps.at[i][k];
        if (s->is_quiet) continue;
        size_t disjuncts, constraints;
        r->d->measure(s->reached, &disjuncts, &constraints);
        json_begin_object(json);
        json_field_count(json, "step", i);
        json_field_count(json, "head", cuts->components.at[c].heads.at[k]);
        json_field_string(json, "operator", operator_name(s->operator));
        json_field_count(json, "disjuncts", disjuncts);
        json_field_count(json, "constraints", constraints);
        json_end_object(json);
        shown++;
      }
    }
  }
  json_end_array(json);
}

static void report(const repair *r, const branch *b, const run *done, const refinement *f, operator op) {
  if (!r->events) return;
  size_t disjuncts = 0, constraints = 0;
  for (uint32_t head = 1; head < r->d->cuts->heads; head++) {
    size_t parts, rows;
    r->d->measure(run_final(done, head), &parts, &rows);
    disjuncts += parts;
    constraints += rows;
  }
  text iteration = {0};
  json_writer json = json_object_to(&iteration);
  json_field_string(&json, "lane", r->name);
  json_field_count(&json, "run", r->runs);
  json_field_count(&json, "steps", done->steps);
  json_field_count(&json, "disjuncts", disjuncts);
  json_field_count(&json, "constraints", constraints);
  json_field_count(&json, "unions", b->unions);
  json_field_count(&json, "merges", b->connects);
  json_field_bool(&json, "error", done->has_error);
  if (f && f->kind == REFINE_HINT) {
    json_field_object(&json, "repair");
    json_field_count(&json, "step", f->step);
    json_field_array(&json, "heads");
    for (size_t i = 0; i < f->heads.count; i++) json_add_count(&json, f->heads.at[i]);
    json_end_array(&json);
    json_field_string(&json, "operator", operator_name(op));
    json_end_object(&json);
    events_note(r->events, "%s: run %zu: error, repaired at step %zu of head %u: %s in place of widening", r->name,
                r->runs, f->step, f->heads.at[0], operator_name(op));
  }
  add_trail(r, done, &json);
  events_iteration(r->events, &json);
}

/* ---- branches ---- */

/* The branch `from` with `op` at the step that the refinement blames, on top of the run `before`. */
static branch repaired(const branch *from, run *before, const refinement *f, operator op) {
  branch b = {.before = run_share(before), .unions = from->unions, .connects = from->connects};
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
  bool may_connect = f->connect_helps && (r->style.connect_again || !from->last_was_connect);
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
static void keep_run(repair *r, const branch *b, TAKE run *done) {
  run_free(r->run);
  if (!r->first) r->first = run_share(done);
  r->run = done;
  r->unions = b->unions;
  r->connects = b->connects;
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
    report(r, b, done, NULL, OPERATOR_WIDEN);
    r->error = f;
    return REPAIR_REAL;
  } else {
    r->failure = "no step can be repaired";
    end = REPAIR_FAILED;
  }
  refinement_free(r->d, &f);
  return end;
}

repair_end repair_step(repair *r, budget *budget) {
  if (!r->open.count) {
    r->failure = "no way to repair is left";
    return REPAIR_FAILED;
  }
  branch b = VECTOR_POP(r->open);
  repair_end end;
  r->runs++;
  run *done = fixpoint(r->d, &b.hints, b.before, r->style.schedule, budget, &r->failure);
  if (r->failure) {
    run_free(done);
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
  branch_free(&b);
  return end;
}
