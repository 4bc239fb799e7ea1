/* whet: model checking of infinite-state integer systems by abstraction refinement.
 *
 * The only public header, for C and C++. The order of calls:
 *
 *     whet_options_new                      whet_model_read
 *           | whet_options_set ..                 |
 *           +-----------------+-------------------+
 *                             v
 *                       whet_run_new             (takes over nothing: options and model must outlive the run)
 *                             | whet_run_listen, optional
 *                             v
 *                 +---> whet_run_next            one more property decided: a result, owned by the run
 *                 |           |
 *                 +-----------+  until NULL
 *                             v
 *                       whet_run_json, optional; whet_run_free
 *
 * whet_check and whet_simulate need a model and options only. Work is done in child processes: do not reap children
 * that you did not start. A run never changes the model, so runs of different threads at the same time, also on one
 * model, do not affect each other; a single run is for one thread at a time, but for whet_run_interrupt. Nothing here
 * prints, exits or installs signal handlers.
 *
 * Strings of type `char *` that functions return or set are the caller's, to be freed with whet_free; those of type
 * `const char *` belong to the object they were asked from. Pointers must not be NULL unless said so. */
#ifndef WHET_WHET_H
#define WHET_WHET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WHET_API __attribute__((visibility("default")))

WHET_API const char *whet_version(void);
WHET_API void whet_free(void *string); /* may be NULL */

/* ---- what there is: options and engines ---- */

typedef struct whet_option {
  const char *name;     /* without dashes */
  char letter;          /* the short form, or 0 */
  const char *argument; /* what follows: "FILE", "N"; "" if nothing does */
  const char *initial;  /* the default, "" if there is none */
  const char *choices;  /* the words it may be, with | between; "" if it is not such an option */
  const char *commands; /* of the program that take it, with spaces between */
  const char *engines;  /* whose it is, with spaces between; "" if it is a general one */
  const char *help;
  bool repeats; /* may be given several times: what is given adds up */
} whet_option;

WHET_API size_t whet_option_count(void);
WHET_API whet_option whet_option_at(size_t i);
/* By name or letter; false if there is none. */
WHET_API bool whet_option_find(const char *name, whet_option *out);

typedef struct whet_engine {
  const char *name, *title;
  const char *paper; /* "" if the method comes from none */
} whet_engine;

WHET_API size_t whet_engine_count(void);
WHET_API whet_engine whet_engine_at(size_t i);

/* A language of models. */
typedef struct whet_language {
  const char *ending; /* of the names of its files: ".whet" */
  const char *title;
} whet_language;

WHET_API size_t whet_language_count(void);
WHET_API whet_language whet_language_at(size_t i);

/* The word among `known` that `typed` is most likely meant to be; NULL if none is near. */
WHET_API const char *whet_nearest(const char *typed, size_t count, const char *const *known);

/* ---- options ---- */

typedef struct whet_options whet_options;

WHET_API whet_options *whet_options_new(void);
WHET_API void whet_options_free(whet_options *o);
/* `value` is NULL for options without argument. NULL if all is well, else what is wrong and what would be right. What
 * is given for an option that `repeats` is added to what was given before; for any other it replaces that. */
WHET_API char *whet_options_set(whet_options *o, const char *name, const char *value);
/* As if an option that `repeats` had not been given. */
WHET_API void whet_options_forget(whet_options *o, const char *name);
WHET_API bool whet_options_given(const whet_options *o, const char *name);
/* The value as text: "" if an option is not given, "yes" for one without argument that is. REQUIRES a known name. */
WHET_API char *whet_options_get(const whet_options *o, const char *name);

/* ---- models ---- */

typedef struct whet_model whet_model;

/* NULL if the file cannot be read or is wrong; `*error` then holds the messages, ready to print. */
WHET_API whet_model *whet_model_read(const char *path, char **error);
/* The same from memory; `path` is for messages and for the choice of the language. */
WHET_API whet_model *whet_model_read_text(const char *path, const char *content, size_t length, char **error);
/* The same with options, of which those about C programs count: machine, signed, include, define. */
WHET_API whet_model *whet_model_read_for(const char *path, const whet_options *o, char **error);
WHET_API void whet_model_free(whet_model *m);
WHET_API size_t whet_model_property_count(const whet_model *m);
WHET_API const char *whet_model_property_name(const whet_model *m, size_t i);
/* What every verdict about the model rests on, a sentence each: that functions without a body change nothing. */
WHET_API size_t whet_model_note_count(const whet_model *m);
WHET_API const char *whet_model_note(const whet_model *m, size_t i);
/* Was it read from Horn clauses? Then there is one property, WHET_SAFE is called sat and WHET_UNSAFE unsat. */
WHET_API bool whet_model_is_horn(const whet_model *m);
/* False of Horn clauses that have several predicates in a body after rewriting: there is no transition system that could
 * be shown or abstracted; whet_verify and whet_check are about the clauses. */
WHET_API bool whet_model_has_system(const whet_model *m);
/* Can it be simulated? It has a transition system, or is a program with recursive procedures and without reals and arrays of
 * any length. */
WHET_API bool whet_model_has_runs(const whet_model *m);
/* It has arrays of any length: it can be verified, but not shown, simulated or abstracted. */
WHET_API bool whet_model_has_arrays(const whet_model *m);
/* Some variable or constant is real: it can be shown, verified and simulated, but not abstracted. */
WHET_API bool whet_model_has_reals(const whet_model *m);
/* The model as whet understood it, in its language: plain actions, no processes and programs. */
WHET_API char *whet_model_show(const whet_model *m);
/* The same as an SV-LIB script (docs/svlib.md), also of programs with recursive procedures. NULL if it has a heap, or was
 * made from clauses that are no program and for which there is no transition system. */
WHET_API char *whet_model_show_svlib(const whet_model *m);
/* The same as engines get it: made smaller for one property, by index. */
WHET_API char *whet_model_show_after_passes(const whet_model *m, size_t property);

/* ---- editors ---- */

/* All errors of a text in whet's language, its names with the places where they are declared and used, and its properties, as JSON
 * (docs/json.md). A text with errors has an outline too; NULL and `*error` only if it is no text, or `path` is of another language. `path`
 * may be "-". */
WHET_API char *whet_outline(const char *path, const char *content, size_t length, char **error);
/* The text with its lines indented and blanks around its signs; nothing else is changed. NULL and `*error` as above. */
WHET_API char *whet_format(const char *path, const char *content, size_t length, char **error);

/* ---- tasks ---- */

/* A task definition of the competition on software verification (.yml), or one of its files with properties (.prp). */
typedef struct whet_task whet_task;
WHET_API bool whet_task_is_named(const char *path); /* by its ending */
/* NULL if it cannot be read; `*error` says why. */
WHET_API whet_task *whet_task_read(const char *path, char **error);
WHET_API void whet_task_free(whet_task *t);
/* The program; NULL of a file with properties. */
WHET_API const char *whet_task_file(const whet_task *t);
/* "32", "64", or "" if it does not say. */
WHET_API const char *whet_task_machine(const whet_task *t);
WHET_API size_t whet_task_property_count(const whet_task *t);
/* The name of the property; NULL if whet has no such property, which is then called as the task does. */
WHET_API const char *whet_task_property(const whet_task *t, size_t i);
WHET_API const char *whet_task_property_as_named(const whet_task *t, size_t i);
/* "true" or "false": the property holds, or does not; "" if it does not say. */
WHET_API const char *whet_task_expected(const whet_task *t, size_t i);

/* ---- witnesses ---- */

/* A witness of a verdict about a C program, in the format 2.0 of the competition on software verification, of any tool. */
typedef struct whet_witness whet_witness;
WHET_API bool whet_witness_is_named(const char *path); /* by its ending */
/* NULL if it cannot be read; `*error` says why, with its place. */
WHET_API whet_witness *whet_witness_read(const char *path, char **error);
WHET_API void whet_witness_free(whet_witness *w);
/* It is about a run that violates the property, else about a proof. */
WHET_API bool whet_witness_is_violation(const whet_witness *w);
WHET_API const char *whet_witness_property(const whet_witness *w);
WHET_API const char *whet_witness_machine(const whet_witness *w); /* "32" or "64" */
WHET_API size_t whet_witness_invariant_count(const whet_witness *w);
/* The program as whet_model_read_for has it, with what the witness says. If that is a run, only runs that the witness
 * describes violate the property. If it is a proof, there is one more property, `witness-invariants`: what the
 * witness says holds wherever it says so; and the others are about runs up to the first point where it does not hold.
 * NULL and `*error` if that cannot be: the witness is about another program, or names a place that is not in it. */
WHET_API whet_model *whet_model_read_with(const char *path, const whet_options *o, const whet_witness *w, char **error);
/* An SV-LIB script with a witness, which is SV-LIB too (docs/svlib.md). If that is a trace, `*property` is the property
 * that it violates, to be freed, and only runs that make its choices are in the model; else it is NULL, and what the
 * witness says holds are properties, too. NULL and `*error` if that cannot be. */
WHET_API whet_model *whet_model_read_with_svlib(const char *path, const char *witness, char **property, char **error);

/* ---- verification ---- */

typedef enum whet_verdict {
  WHET_UNKNOWN, /* see whet_result_reason */
  WHET_SAFE,    /* properties of states */
  WHET_UNSAFE,
  WHET_HOLDS, /* temporal properties */
  WHET_FAILS
} whet_verdict;

typedef enum whet_event {
  WHET_NOTE,     /* a line that an engine wants to be known */
  WHET_PROGRESS, /* what goes on now; comes about ten times a second */
  WHET_WARNING   /* an error of whet itself, which cost one engine and no result */
} whet_event;

typedef struct whet_run whet_run;
typedef struct whet_result whet_result;

/* A run over the properties and with the engines that the options name (all properties if they name none). NULL and
 * `*error` set if there are no such properties or engines, or if a file that the options name cannot be read. The
 * time limit begins now. */
WHET_API whet_run *whet_run_new(whet_model *m, const whet_options *o, char **error);
WHET_API void whet_run_free(whet_run *r);
/* `listen` is called from within whet_run_next. */
WHET_API void whet_run_listen(whet_run *r, void (*listen)(void *context, whet_event event, const char *line),
                              void *context);
/* Works until one more property is decided. Results come as soon as they are known, which need not be the order of the
 * model; one that rests on others of the run (whet_run_condition) comes when they are known too. NULL after the last. */
WHET_API const whet_result *whet_run_next(whet_run *r);
/* The result of property `i` of the run, in the order of the model, or in which the option `property` names them; NULL
 * if it is not known yet. */
WHET_API const whet_result *whet_run_result(const whet_run *r, size_t i);
/* From now on every property that is not decided is UNKNOWN (interrupted). May be called from a signal handler or
 * another thread. */
WHET_API void whet_run_interrupt(whet_run *r);
WHET_API size_t whet_run_property_count(const whet_run *r);
/* Lemmas that do not hold, in words with the step that breaks each; known with the first result. No engine uses them, and
 * verdicts do not depend on them. */
WHET_API size_t whet_run_failed_lemma_count(const whet_run *r);
WHET_API char *whet_run_failed_lemma(const whet_run *r, size_t i);
/* What the folder of the option `facts` held when the run began, in files; known with the first result. False if there is no such
 * folder, or the model has no facts: Horn clauses without a transition system, a heap, reals. */
typedef struct whet_fact_counts {
  size_t found;    /* facts about variables of the model */
  size_t kept;     /* of those: shown to hold, and used */
  size_t foreign;  /* about other variables */
  size_t damaged;  /* not what their names say */
  size_t left_out; /* not looked at, for there are too many */
} whet_fact_counts;
WHET_API bool whet_run_facts(const whet_run *r, whet_fact_counts *out);
/* Of a C program, whose file is read again, if the option `annotate` was given when it was read: its text with the proved
 * invariants of its loops as comments of ACSL; NULL of other models, or if the file is gone. */
WHET_API char *whet_run_annotated(const whet_run *r);
/* All results so far as one JSON document, in the order of whet_run_result. */
WHET_API char *whet_run_json(const whet_run *r);
/* The same as a page of HTML that needs nothing else. */
WHET_API char *whet_run_report(const whet_run *r);
/* The same for servers that run checks: as XML of JUnit, and as SARIF 2.1.0. `path` is how the model is named there. */
WHET_API char *whet_run_junit(const whet_run *r, const char *path);
WHET_API char *whet_run_sarif(const whet_run *r, const char *path);

WHET_API const char *whet_result_property(const whet_result *r);
WHET_API whet_verdict whet_result_verdict(const whet_result *r);
/* For WHET_UNKNOWN, else "". */
WHET_API const char *whet_result_reason(const whet_result *r);
/* What the verdict leaves open: properties that the run, so far, has not proved and whose violation ends a run of the
 * program ("no-overflow not proved"), so that nothing is said about what would come after. "" if nothing is. Of C
 * programs, and of models whose procedures require or ensure something. */
WHET_API char *whet_run_condition(const whet_run *r, const whet_result *of);
/* Who decided it, or was tried last. */
WHET_API const char *whet_result_engine(const whet_result *r);
/* The evidence was checked on the model as read. So it is for every verdict but WHET_UNKNOWN. */
WHET_API bool whet_result_checked(const whet_result *r);
/* The property holds and says nothing: most likely not what was meant. False if that was not shown. */
WHET_API bool whet_result_vacuous(const whet_result *r);
/* Why, or "": there is no initial state, what the property is about never happens, no run is fair. */
WHET_API const char *whet_result_why_vacuous(const whet_result *r);
/* Actions that the evidence of a property that holds shows to be never enabled; there may be others. */
WHET_API size_t whet_result_never_enabled_count(const whet_result *r);
WHET_API const char *whet_result_never_enabled(const whet_result *r, size_t i);
/* An engine crashed or gave evidence that does not hold: a defect of whet. The verdict is then WHET_UNKNOWN. */
WHET_API bool whet_result_internal_error(const whet_result *r);
/* The file where rejected evidence is kept; "" if there is none. */
WHET_API const char *whet_result_repro(const whet_result *r);
WHET_API double whet_result_seconds(const whet_result *r);
/* The evidence as the text of a certificate; NULL if there is none. */
WHET_API const char *whet_result_certificate(const whet_result *r);
/* The graphs of the heap that prove the property, in the language of Graphviz; NULL if there are none. */
WHET_API char *whet_result_dot(const whet_result *r);
/* Of a C program whose property is violated: the functions that give it its inputs, as C; NULL if there is none. */
WHET_API char *whet_result_harness(const whet_result *r);
/* Of a C program that was read from `path` with these options, of which `witness` was one when the run began: a witness in
 * the format 2.0 of the competition on software verification; NULL if there is none, or the file cannot be read again.
 * Of an SV-LIB script: a witness in that language. */
WHET_API char *whet_result_witness(const whet_result *r, const char *path, const whet_options *o);
/* Compiles the program, which was read from `path` with these options, runs it with the inputs of the run that violates
 * the property, and says what came of it; NULL if there is no such run. */
WHET_API char *whet_result_confirm(const whet_result *r, const char *path, const whet_options *o);
/* The invariant that proves the property, in the language of the model: lines that hold all together, as a file for
 * `lemma` has them. NULL if there is none, if it is too large to be written so, or if none of the options
 * `formula`, `report` and `verbose` asks for it. */
WHET_API const char *whet_result_formula(const whet_result *r);
/* The run that breaks the property, a line a step; NULL if there is none. `full`: every variable at each step, else
 * what changed. `colour`: for a terminal. */
WHET_API char *whet_result_trace(const whet_result *r, bool full, bool colour);
/* The predicates in use at the end. */
WHET_API size_t whet_result_predicate_count(const whet_result *r);
WHET_API const char *whet_result_predicate(const whet_result *r, size_t i);
/* What is known of a property that was not decided, a line each: how far nothing is violated, and what holds in every
 * reachable state. NULL if nothing is. */
WHET_API char *whet_result_knowledge(const whet_result *r);
/* What to try next with a property that was not decided: at most three lines. NULL if there is nothing to say. */
WHET_API char *whet_run_advice(const whet_run *r, const whet_result *of);
/* What was counted: key as in JSON, words for people. */
WHET_API size_t whet_statistic_count(void);
WHET_API const char *whet_statistic_key(size_t i);
WHET_API const char *whet_statistic_label(size_t i);
WHET_API uint64_t whet_result_statistic(const whet_result *r, size_t i);

/* ---- checking certificates ---- */

typedef enum whet_answer {
  WHET_UNSURE,
  WHET_ACCEPTED,
  WHET_REJECTED,
  WHET_UNREADABLE /* the text is no certificate about this model: whet_check_what starts with line and column */
} whet_answer;
typedef struct whet_check whet_check;

WHET_API whet_check *whet_check_new(whet_model *m, const char *certificate, size_t length, const whet_options *o);
WHET_API void whet_check_free(whet_check *c);
WHET_API whet_answer whet_check_answer(const whet_check *c);
/* "" if the certificate cannot be read. */
WHET_API const char *whet_check_property(const whet_check *c);
/* The obligation that fails or could not be decided; "" if accepted. */
WHET_API const char *whet_check_what(const whet_check *c);
WHET_API uint64_t whet_check_obligations(const whet_check *c);
/* What an accepted certificate shows: not every one is a proof that the property holds. WHET_UNKNOWN if it is not
 * accepted. */
WHET_API whet_verdict whet_check_verdict(const whet_check *c);
/* The checker crashed. */
WHET_API bool whet_check_internal_error(const whet_check *c);

/* Adds the predicates and lemmas in the files that options name, and the variables to keep, to the model: for what
 * follows here. Runs take them by themselves. False if something cannot be read; `*error` then says why. */
WHET_API bool whet_model_add_help(whet_model *m, const whet_options *o, char **error);

/* ---- quotients ---- */

/* The finite structure bisimilar to the model, in the format of the option `to` (aut, dot, json). NULL if none was
 * found within the limits;
 * `*error` then says why. */
WHET_API char *whet_quotient(whet_model *m, const whet_options *o, char **error);

/* ---- tests ---- */

/* Runs that together come to every abstract state that a search of the engine `alpha` visits and take every action that
 * it takes, as JSON. NULL if there are none within the limits; `*error` then says why. */
WHET_API char *whet_tests(whet_model *m, const whet_options *o, char **error);

/* ---- abstract programs ---- */

/* The finite program that the engine `syntactic` makes of the model (options `closure` and `consistency`), in the
 * format of the option `to` (whet, smv, promela). If the option `kind` is not `program`: the abstract states that steps of
 * that kind reach and the steps between them, by the engine `alpha`, in the formats of quotients. NULL if there is none
 * within the limits; `*error` then says why. */
WHET_API char *whet_abstract(whet_model *m, const whet_options *o, char **error);

/* ---- invariants ---- */

/* What holds in every reachable state, found without a property: a line for each place that can be reached, `place =>
 * formula`. With the option `engine` = cegar: the abstract states that this engine reaches with the predicates it finds for
 * the properties, or for the one that `property` names, as one formula over names of predicates, which are told in lines
 * that begin with two slashes, or (`form` = clauses) a clause a line. With `to` = json as JSON. NULL if nothing was found
 * within the limits; `*error` then says why. */
WHET_API char *whet_invariants(whet_model *m, const whet_options *o, char **error);

/* ---- bounds ---- */

/* The same as whet_model_read_for, and every loop of a C program has a place, so that it can be counted. */
WHET_API whet_model *whet_model_read_for_bounds(const char *path, const whet_options *o, char **error);
/* How often each action and loop can be taken at most, in the format of the option `to` (text, json): docs/bounds.md.
 * `*is_complete`: each has a bound, or can be taken for ever. NULL if the model is not treated; `*error` then says why. */
WHET_API char *whet_bounds(whet_model *m, const whet_options *o, bool *is_complete, char **error);

/* ---- estimates ---- */

/* How many states a search of `explicit` would find, and what that would take, from a sample of them (docs/scale.md). */
typedef struct whet_estimate whet_estimate;

/* The options sample, seed, timeout, memory, work and property count: of the model made smaller for that property, without one
 * of all variables. NULL if the model is not treated, or there is no such property; `*error` then says why. */
WHET_API whet_estimate *whet_estimate_new(whet_model *m, const whet_options *o, char **error);
WHET_API void whet_estimate_free(whet_estimate *e);
/* Makes the sample. What is known at the end, or when it was stopped, in the format of the option `to` (text, json); NULL if
 * nothing is, and `*error` then says why. */
WHET_API char *whet_estimate_run(whet_estimate *e, char **error);
/* After a run: the sample is as large as was asked for. If it is not, `whet_estimate_run` said why. */
WHET_API bool whet_estimate_is_complete(const whet_estimate *e);
/* Ends the run. May be called from a signal handler or another thread. */
WHET_API void whet_estimate_interrupt(whet_estimate *e);

/* ---- batches ---- */

/* Many problems, each decided by a process of its own; what was done is kept in a folder (docs/batch.md). */
typedef struct whet_batch whet_batch;

/* The problems of a table (.csv), a folder or a task definition (.yml); or the jobs of a plan, by its folder. The options out, jobs,
 * timeout, memory, options, part and collect count, of a plan only jobs, job and collect. NULL and `*error` if the list, or an option
 * in it, is wrong. */
WHET_API whet_batch *whet_batch_new(const char *list, const whet_options *o, char **error);
WHET_API void whet_batch_free(whet_batch *b);
/* What was left out of the list, and why, a sentence each. */
WHET_API size_t whet_batch_note_count(const whet_batch *b);
WHET_API const char *whet_batch_note(const whet_batch *b, size_t i);
/* `listen` is called from within whet_batch_run, about ten times a second: how far it is, and an estimate of the rest. */
WHET_API void whet_batch_listen(whet_batch *b, void (*listen)(void *context, const char *line), void *context);
/* Runs what the folder has no result of, by `program` (the path of whet), and writes the table. False and `*error` if something could
 * not be written or started; what was finished is kept in any case. */
WHET_API bool whet_batch_run(whet_batch *b, const char *program, char **error);
/* Ends the run: what is at work is killed and will be run again. May be called from a signal handler or another thread. */
WHET_API void whet_batch_interrupt(whet_batch *b);

typedef struct whet_batch_counts {
  size_t rows; /* of the table: properties, and problems without an answer */
  size_t holds, violated, unknown;
  size_t wrong;   /* of those: another answer than the one expected */
  size_t refused; /* wrong input or options */
  size_t failed;  /* the process crashed or was killed; the next run tries it again */
  size_t missing; /* not run yet */
} whet_batch_counts;

/* After a run. */
WHET_API whet_batch_counts whet_batch_count(const whet_batch *b);
/* Of one job of a plan (the option `job`): its question has an answer, which may be that of another job. */
WHET_API bool whet_batch_is_answered(const whet_batch *b);
/* The wrong answers, a line each; "" if there are none. */
WHET_API char *whet_batch_wrong(const whet_batch *b);

/* ---- plans ---- */

/* The problems of a batch as independent jobs for a scheduler: problem, property, and a group of the engines that `auto` would use
 * (docs/batch.md). */
typedef struct whet_plan whet_plan;

/* Reads the list, and each model to know its properties and engines. The options for, out, timeout, memory, options, cores and
 * node-memory count. NULL and `*error` if the list or an option is wrong. */
WHET_API whet_plan *whet_plan_new(const char *list, const whet_options *o, char **error);
WHET_API void whet_plan_free(whet_plan *p);
WHET_API size_t whet_plan_note_count(const whet_plan *p);
WHET_API const char *whet_plan_note(const whet_plan *p, size_t i);
/* Writes its folder; `program` is the path of whet. */
WHET_API bool whet_plan_write(whet_plan *p, const char *program, char **error);
/* Of a plan that was written for Slurm: submits what is needed. What sbatch says is `*said`, to be freed. */
WHET_API bool whet_plan_submit(const whet_plan *p, char **said, char **error);

typedef struct whet_plan_counts {
  size_t problems, properties, jobs;
  size_t needed;          /* jobs that are still to be run; after whet_plan_write */
  size_t groups;          /* of engines, of the property that has most */
  uint64_t cores, memory; /* of each job; megabytes */
} whet_plan_counts;

WHET_API whet_plan_counts whet_plan_count(const whet_plan *p);
/* What to type to run it. */
WHET_API char *whet_plan_command(const whet_plan *p);

/* ---- simulation ---- */

/* A random run as text, a line a step, and why it ended early as `*ending` (NULL if it did not). */
WHET_API char *whet_simulate(whet_model *m, const whet_options *o, bool colour, char **ending);

/* A run made step by step, of a model with a transition system and without reals. `*first` is the initial state and what can be
 * done there, as text. Each line that is handed to whet_explorer_do is a command (`?` lists them), and is answered by text. The
 * answers are NULL once it has ended: whet_explorer_ending then says why, "" after `quit`. */
typedef struct whet_explorer whet_explorer;
WHET_API whet_explorer *whet_explorer_new(whet_model *m, const whet_options *o, bool colour, char **first);
WHET_API void whet_explorer_free(whet_explorer *x);
WHET_API char *whet_explorer_do(whet_explorer *x, const char *line);
/* The run so far as JSON in the ITF form, which whet_explorer_load reads; it also reads certificates that are runs. */
WHET_API char *whet_explorer_run(whet_explorer *x);
WHET_API char *whet_explorer_load(whet_explorer *x, const char *content);
WHET_API const char *whet_explorer_ending(const whet_explorer *x);

#ifdef __cplusplus
}
#endif
#endif
