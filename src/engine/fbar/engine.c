/* The engines fbar, fbar-sym, cgr and cgr-dual (Ranzato, Rossi Doria, Tapparo 2008): one round of an algorithm is a
 * step.
 *
 *   problem.c, accelerate.c   the model as sets of integer points and relations
 *   net.c, net_evidence.c     well-structured models as sets of minimal vectors
 *   vector_search.c           and plain backward search of them, in turn with the rounds
 *   first_domain.c            the domain to start from
 *   rounds.c, cgr.c, fbar.c   the algorithms, over blocks
 *   invariant.c, witness.c    evidence
 *   values.c                  what every line of a round computed, for --values */
#include "engine/fbar/evidence_of.h"
#include "engine/fbar/first_domain.h"
#include "engine/fbar/vector_search.h"

/* What the first search between two rounds may cost (base/work.h); each next one twice as much. */
enum { FIRST_SEARCH = 100000 };

typedef struct fixpoint_engine {
  method how;
  engine_environment *env;
  bool is_open, is_net; /* `problem` is in use; `net` is */
  problem problem;
  net net;
  partition *partition;
  rounds *rounds;
  round_values values;
  vector_search *search; /* of a net; NULL if it has failed */
  uint64_t search_work;
  bool has_search_turns; /* it may decide, in turn with the rounds; else it only finds the run of a refutation */
  bool is_search_only;   /* the rounds have failed */
} fixpoint_engine;

static void *open_as(method how, engine_environment *env) {
  fixpoint_engine *e = MEMORY_NEW(fixpoint_engine);
  e->how = how;
  e->env = env;
  return e;
}

static void *open_fbar(engine_environment *env) { return open_as(METHOD_FBAR, env); }
static void *open_fbar_sym(engine_environment *env) { return open_as(METHOD_FBAR_SYM, env); }
static void *open_cgr(engine_environment *env) { return open_as(METHOD_CGR, env); }
static void *open_cgr_dual(engine_environment *env) { return open_as(METHOD_CGR_DUAL, env); }

static void close_engine(void *state) {
  fixpoint_engine *e = state;
  vector_search_free(e->search);
  values_clear(&e->values);
  rounds_free(e->rounds);
  partition_free(e->partition);
  if (e->is_open) problem_close(&e->problem);
  if (e->is_net) net_close(&e->net);
  memory_free(e);
}

static engine_status give_up(claim *out, const char *reason) {
  return claim_give_up(out, reason ? reason : "sets of states could not be computed");
}

/* After the rounds have found that there is a run: if the search has not found it yet, it does now. */
static const char *net_run(fixpoint_engine *e, evidence *out) {
  vector_search_end end = VECTOR_SEARCH_GOES_ON;
  while (end == VECTOR_SEARCH_GOES_ON && e->search) {
    const char *spent = budget_spent(e->env->budget);
    if (spent) return spent;
    end = vector_search_go(e->search, UINT32_MAX);
  }
  if (end != VECTOR_SEARCH_UNSAFE) return "too many minimal vectors";
  vector_search_run(e->search, out);
  return NULL;
}

static engine_status claim_unsafe(fixpoint_engine *e, claim *out) {
  const char *why = e->is_net ? net_run(e, &out->evidence) : evidence_of_run(&e->problem, &out->evidence);
  if (why) return give_up(out, why);
  out->verdict = VERDICT_UNSAFE;
  return ENGINE_DONE;
}

static engine_status claim_safe(fixpoint_engine *e, claim *out) {
  bits invariant = rounds_invariant(e->rounds);
  bool fine = e->is_net ? evidence_of_net(&e->net, e->partition, &invariant, &out->evidence)
                        : evidence_of_blocks(&e->problem, e->partition, &invariant, &out->evidence);
  bits_free(&invariant);
  if (!fine) return give_up(out, presburger_trouble(e->problem.sets));
  out->verdict = VERDICT_SAFE;
  return ENGINE_DONE;
}

/* ---- steps ---- */

static void count(fixpoint_engine *e) {
  statistics *s = e->env->statistics;
  const partition_statistics *asked = partition_statistics_of(e->partition);
  const rounds_statistics *done = rounds_statistics_of(e->rounds);
  s->iterations++;
  s->refinements = done->refinements;
  s->fixpoints = done->fixpoints;
  s->blocks = partition_count(e->partition);
  s->may = asked->may;
  s->cover = asked->cover;
}

static void report(fixpoint_engine *e, uint64_t splits_before, uint64_t may_before, uint64_t cover_before) {
  const statistics *s = e->env->statistics;
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "blocks", s->blocks);
  json_field_count(&w, "split", rounds_statistics_of(e->rounds)->splits - splits_before);
  json_field_count(&w, "fixpoints", s->fixpoints);
  json_field_count(&w, "may", s->may - may_before);
  json_field_count(&w, "cover", s->cover - cover_before);
  values_report(&e->values, &w);
  events_iteration(e->env->events, &w);
  events_progress(e->env->events, "%llu refinements, %llu blocks", (unsigned long long)s->refinements,
                  (unsigned long long)s->blocks);
}

/* True if the model is well-structured and can be treated as such. The algorithms against the steps need images. */
static bool open_net(fixpoint_engine *e) {
  const options *o = e->env->options;
  if (o->well_structured == WELL_STRUCTURED_OFF || o->moore || e->env->model->domain.count) return false;
  bool needs_images = e->how == METHOD_CGR_DUAL || e->how == METHOD_FBAR_SYM;
  e->is_net = net_open(&e->net, e->env) && (e->net.has_images || !needs_images);
  if (!e->is_net) net_close(&e->net);
  return e->is_net;
}

static void start_rounds(fixpoint_engine *e) {
  e->values = (round_values){.problem = e->is_net ? NULL : &e->problem,
                             .net = e->is_net ? &e->net : NULL,
                             .blocks = e->partition,
                             .env = e->env};
  observer o = {values_take, &e->values};
  e->rounds = rounds_new(e->how, e->partition, e->env->options->values ? &o : NULL);
}

/* True if the run is over. */
static bool start_net(fixpoint_engine *e, claim *out) {
  space s = upward_space_interface(&e->net.space);
  e->search = vector_search_new(&e->net);
  e->search_work = FIRST_SEARCH;
  e->has_search_turns = e->env->options->well_structured == WELL_STRUCTURED_ON;
  if (answer_is_yes(s.meets(s.self, e->net.first, e->net.last))) return claim_unsafe(e, out), true;
  e->partition = first_domain_of_net(&e->net);
  start_rounds(e);
  rounds_add_waves(e->rounds, e->net.last);
  return false;
}

static bool start(fixpoint_engine *e, claim *out) {
  if (open_net(e)) return start_net(e, out);
  e->is_open = true;
  const char *trouble = problem_open(&e->problem, e->env);
  if (trouble) return give_up(out, trouble), true;
  answer at_once = region_meets(e->problem.first, e->problem.last);
  if (answer_is_unsure(at_once)) return give_up(out, at_once.reason), true;
  if (answer_is_yes(at_once)) return claim_unsafe(e, out), true;
  e->partition = first_domain(&e->problem, e->how);
  start_rounds(e);
  return false;
}

static engine_status next_round(fixpoint_engine *e, claim *out) {
  uint64_t splits = rounds_statistics_of(e->rounds)->splits, may = e->env->statistics->may,
           cover = e->env->statistics->cover;
  round_end end = rounds_next(e->rounds);
  count(e);
  report(e, splits, may, cover);
  switch (end) {
    case ROUND_SAFE: return claim_safe(e, out);
    case ROUND_UNSAFE: return claim_unsafe(e, out);
    case ROUND_TROUBLE:
      if (!e->search || !e->has_search_turns) return give_up(out, partition_trouble(e->partition));
      e->is_search_only = true;
      break;
    case ROUND_REFINED: break;
  }
  return ENGINE_GOES_ON;
}

/* Verdicts of the search are not those of the algorithm that was asked for: it is said. */
static void say_decided_by_search(fixpoint_engine *e) {
  e->env->statistics->decided_by_vectors = 1;
  events_note(e->env->events, "decided by the search of minimal vectors, %zu of them, not by the rounds",
              vector_search_count(e->search));
}

static engine_status next_search(fixpoint_engine *e, claim *out) {
  vector_search_end end = vector_search_go(e->search, e->search_work);
  e->search_work *= 2;
  e->env->statistics->vectors = vector_search_count(e->search);
  events_progress(e->env->events, "%zu minimal vectors", vector_search_count(e->search));
  switch (end) {
    case VECTOR_SEARCH_SAFE:
      vector_search_invariant(e->search, &out->evidence);
      out->verdict = VERDICT_SAFE;
      say_decided_by_search(e);
      return ENGINE_DONE;
    case VECTOR_SEARCH_UNSAFE: say_decided_by_search(e); return claim_unsafe(e, out);
    case VECTOR_SEARCH_TROUBLE:
      if (e->is_search_only) return give_up(out, "too many minimal vectors");
      vector_search_free(e->search);
      e->search = NULL;
      break;
    case VECTOR_SEARCH_GOES_ON: break;
  }
  return ENGINE_GOES_ON;
}

static engine_status step(void *state, claim *out) {
  fixpoint_engine *e = state;
  if (!e->rounds && start(e, out)) return ENGINE_DONE;
  if (e->search && e->has_search_turns && next_search(e, out) == ENGINE_DONE) return ENGINE_DONE;
  if (e->is_search_only) return ENGINE_GOES_ON;
  engine_status status = next_round(e, out);
  bool is_first = e->env->statistics->iterations == 1; /* not before: what is decided soon needs no help */
  if (status == ENGINE_GOES_ON && is_first && e->is_open) problem_hint(&e->problem);
  return status;
}

#define RRT "Ranzato, Rossi Doria, Tapparo: A Forward-Backward Abstraction Refinement Algorithm (VMCAI 2008)"
#define CGR "Cousot, Ganty, Raskin: Fixpoint-Guided Abstraction Refinements (SAS 2007)"
#define LIMITS (ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL)

const engine engine_fbar = {
    .name = "fbar",
    .title = "forward-backward abstraction refinement: a domain of integer sets, refined by fixpoints both ways",
    .paper = RRT,
    .limits = LIMITS,
    .open = open_fbar,
    .step = step,
    .close = close_engine,
    .uses_facts = true,
};

const engine engine_fbar_sym = {
    .name = "fbar-sym",
    .title = "fbar refined both ways: backwards as in the paper, and forwards likewise",
    .paper = RRT,
    .limits = LIMITS,
    .open = open_fbar_sym,
    .step = step,
    .close = close_engine,
    .uses_facts = true,
};

const engine engine_cgr = {
    .name = "cgr",
    .title = "fixpoint-guided abstraction refinement: forwards, refined backwards",
    .paper = CGR,
    .limits = LIMITS,
    .open = open_cgr,
    .step = step,
    .close = close_engine,
    .uses_facts = true,
};

const engine engine_cgr_dual = {
    .name = "cgr-dual",
    .title = "fixpoint-guided abstraction refinement against the steps: backwards, refined forwards",
    .paper = CGR,
    .limits = LIMITS,
    .open = open_cgr_dual,
    .step = step,
    .close = close_engine,
    .uses_facts = true,
};
