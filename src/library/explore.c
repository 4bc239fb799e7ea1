/* A model explored step by step. The run is in a child process, which gets a line at a time and answers with text; each line is
 * its turn (process/worker.h). */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/work.h"
#include "input/input.h"
#include "library/inside.h"
#include "proof/certificate.h"
#include "report/trace.h"
#include "run/simulate/guided_run.h"

/* Words that people do not type: the program sends them for `save` and `load`. */
#define GIVE_RUN "\x01give"
#define LOAD_RUN "\x01load\n"

/* ---- in the child ---- */

typedef struct explorer {
  model *model;
  guided_run *guided_run;
  trace_style style;
  guided_run_choices choices; /* as listed last */
  bool has_run, has_ended;
  text out;
} explorer;

typedef struct explore_task {
  model *model;
  const options *options;
  bool colour;
} explore_task;

static const trace_step *state_of(const explorer *x) {
  return &guided_run_run(x->guided_run)->steps.at[guided_run_place(x->guided_run)];
}

static void print_place(explorer *x) {
  char *action = NULL;
  size_t place = guided_run_place(x->guided_run);
  const trace_step *now = state_of(x);
  if (place) action = action_string(x->model, now->transition, now->inputs.count, now->inputs.at);
  text_add(&x->out, "state %zu, after %s: ", place, place ? action : "the start");
  state_print(x->model, place ? now - 1 : NULL, now, x->style, &x->out);
  text_add_char(&x->out, '\n');
  memory_free(action);
}

static void print_choice(explorer *x, size_t index) {
  const guided_run_choice *c = &x->choices.at[index];
  const transition *t = &x->model->transitions.at[c->step.transition];
  char *action = action_string(x->model, c->step.transition, c->step.inputs.count, c->step.inputs.at);
  text_add(&x->out, "%5zu  %s  ", index + 1, action);
  if (c->is_fault)
    text_add(&x->out, "run-time error: %s", t->faults.at[c->fault].what);
  else
    state_print(x->model, state_of(x), &c->step, x->style, &x->out);
  if (c->has_more) text_add(&x->out, "  (other inputs too: %zu NAME=VALUE ..)", index + 1);
  text_add_char(&x->out, '\n');
  memory_free(action);
}

static void list_choices(explorer *x) {
  guided_run_choices_clear(&x->choices);
  guided_run_choices_list(x->guided_run, &x->choices);
  for (size_t i = 0; i < x->choices.count; i++) print_choice(x, i);
  if (!x->choices.count) text_add(&x->out, "no action can be taken here\n");
}

static void print_situation(explorer *x) {
  if (!x->has_run) return;
  print_place(x);
  list_choices(x);
}

/* What went wrong, or why something ended before its time. */
static void say(explorer *x, TAKE char *words) {
  if (words) text_add(&x->out, "%s\n", words);
  memory_free(words);
}

static void do_new(explorer *x) {
  char *problem = guided_run_start(x->guided_run);
  x->has_run = !problem;
  say(x, problem);
  print_situation(x);
}

/* ---- inputs: NAME=VALUE .. ---- */

static bool value_of_word(const type *t, const char *word, number *out) {
  for (size_t i = 0; i < t->name_count; i++)
    if (!strcmp(t->names[i], word)) return *out = number_of((int64_t)i), true;
  if (t->sort == SORT_BOOL && (!strcmp(word, "true") || !strcmp(word, "false")))
    return *out = number_of(*word == 't'), true;
  char *end;
  errno = 0;
  long long value = strtoll(word, &end, 10);
  *out = number_of(value);
  return t->sort == SORT_INT && *word && !*end && !errno;
}

/* Sets the input that `word`, NAME=VALUE, names. */
static bool set_input(explorer *x, const transition *t, char *word, number_vector *inputs) {
  char *value = strchr(word, '=');
  if (!value) {
    text_add(&x->out, "expected NAME=VALUE, not %s\n", word);
    return false;
  }
  *value++ = 0;
  for (size_t i = 0; i < t->inputs.count; i++) {
    const char *name = variable_shown(x->model->terms, t->inputs.at[i]), *dot = strrchr(name, '.');
    if (strcmp(name, word) && !(dot && !strcmp(dot + 1, word))) continue;
    if (value_of_word(variable_type(x->model->terms, t->inputs.at[i]), value, &inputs->at[i])) return true;
    text_add(&x->out, "%s is no value of %s\n", value, word);
    return false;
  }
  text_add(&x->out, "%s has no input called %s\n", t->name, word);
  return false;
}

/* `rest` may be changed. */
static void do_take(explorer *x, size_t index, char *rest) {
  if (!index || index > x->choices.count) {
    text_add(&x->out, x->choices.count ? "there is no step %zu; there are 1 to %zu\n" : "there is no step %zu\n", index,
             x->choices.count);
    return;
  }
  const trace_step *s = &x->choices.at[index - 1].step;
  const transition *t = &x->model->transitions.at[s->transition];
  number_vector inputs = {0};
  bool fine = true;
  for (size_t i = 0; i < s->inputs.count; i++) VECTOR_PUSH(inputs, s->inputs.at[i]);
  for (char *more, *word = strtok_r(rest, " \t,", &more); word && fine; word = strtok_r(NULL, " \t,", &more))
    fine = set_input(x, t, word, &inputs);
  char *problem = fine ? guided_run_take(x->guided_run, s->transition, &inputs) : NULL;
  VECTOR_FREE(inputs);
  bool taken = fine && !problem;
  say(x, problem);
  if (taken) print_situation(x);
}

/* ---- the other commands ---- */

/* The number that `rest` is; `otherwise` if it is empty. */
static bool read_count(explorer *x, const char *rest, uint64_t otherwise, uint64_t *out) {
  char *end;
  errno = 0;
  *out = otherwise;
  if (!*rest) return true;
  *out = strtoull(rest, &end, 10);
  if (isdigit((unsigned char)*rest) && !*end && !errno) return true;
  text_add(&x->out, "expected a number, not %s\n", rest);
  return false;
}

static void do_random(explorer *x, char *rest) {
  uint64_t count, taken;
  if (!read_count(x, rest, 1, &count)) return;
  char *ending = guided_run_random(x->guided_run, count, &taken);
  if (ending) text_add(&x->out, "after %llu steps: ", (unsigned long long)taken);
  say(x, ending);
  print_situation(x);
}

static void do_undo(explorer *x, char *rest) {
  uint64_t count;
  size_t place = guided_run_place(x->guided_run);
  if (!read_count(x, rest, 1, &count)) return;
  guided_run_go(x->guided_run, count > place ? 0 : place - (size_t)count);
  print_situation(x);
}

static void do_go(explorer *x, char *rest) {
  uint64_t place;
  size_t known = guided_run_run(x->guided_run)->steps.count;
  if (!read_count(x, rest, known - 1, &place)) return;
  if (place >= known) {
    text_add(&x->out, "the run has the states 0 to %zu\n", known - 1);
    return;
  }
  guided_run_go(x->guided_run, (size_t)place);
  print_situation(x);
}

static void do_break(explorer *x, char *rest) {
  term_vector conditions = {0};
  diagnostics d = {0};
  if (!*rest) {
    guided_run_stop_where(x->guided_run, TERM_FALSE);
    text_add(&x->out, "random steps stop nowhere\n");
  } else if (!input_read_expressions(x->model, "break", rest, strlen(rest), &conditions, &d)) {
    text_add(&x->out, "%s", text_string(&d.text));
  } else {
    guided_run_stop_where(x->guided_run, term_and_all(x->model->terms, conditions.count, conditions.at));
    text_add(&x->out, "random steps stop where it holds\n");
  }
  text_clear(&d.text);
  VECTOR_FREE(conditions);
}

static void do_state(explorer *x, char *rest) {
  (void)rest;
  state_print(x->model, NULL, state_of(x), (trace_style){.full = true}, &x->out);
  text_add_char(&x->out, '\n');
}

/* The run up to the state where it is. */
static evidence run_so_far(const explorer *x) {
  evidence e = *guided_run_run(x->guided_run);
  e.steps.count = guided_run_place(x->guided_run) + 1;
  return e;
}

static void do_run(explorer *x, char *rest) {
  (void)rest;
  evidence e = run_so_far(x);
  trace_print(x->model, &e, NULL, x->style, &x->out);
}

static void do_list(explorer *x, char *rest) {
  (void)rest;
  print_situation(x);
}

static void do_quit(explorer *x, char *rest) {
  (void)rest;
  x->has_ended = true;
}

static void do_begin(explorer *x, char *rest) {
  (void)rest;
  do_new(x);
}

static void do_help(explorer *x, char *rest);

typedef struct explore_command {
  const char *word, *letter, *operand;
  void (*run)(explorer *x, char *rest);
  bool needs_run;
  const char *help;
} explore_command;

static const explore_command explore_commands[] = {
    {"list", "l", "", do_list, true, "the state and what can be done; an empty line does the same"},
    {"random", "r", "[N]", do_random, true, "N random steps, one if N is not given"},
    {"break", "b", "[CONDITION]", do_break, true, "random steps stop where CONDITION holds; without it, nowhere"},
    {"undo", "u", "[N]", do_undo, true, "back by N steps"},
    {"go", "g", "[N]", do_go, true, "to state N of the run, back or forth; to its end if N is not given"},
    {"new", "n", "", do_begin, false, "a new run, from a random initial state"},
    {"state", "s", "", do_state, true, "the values of all variables"},
    {"run", "t", "", do_run, true, "the run so far"},
    {"help", "?", "", do_help, false, "this list"},
    {"quit", "q", "", do_quit, false, "the end"},
};

static void do_help(explorer *x, char *rest) {
  (void)rest;
  text_add(&x->out, "  %-22s %s\n", "NUMBER", "take that step");
  text_add(&x->out, "  %-22s %s\n", "NUMBER NAME=VALUE ..", "take it with these inputs");
  for (size_t i = 0; i < ARRAY_LENGTH(explore_commands); i++) {
    const explore_command *c = &explore_commands[i];
    char *usage = text_format("%s, %s %s", c->letter, c->word, c->operand);
    text_add(&x->out, "  %-22s %s\n", usage, c->help);
    memory_free(usage);
  }
}

static void give_run(explorer *x) {
  if (!x->has_run) return;
  evidence e = run_so_far(x);
  run_write(x->model, &e, &x->out);
}

static void load_run(explorer *x, const char *content) {
  evidence e;
  char *error = NULL;
  if (!run_read(x->model, content, strlen(content), &e, &error)) {
    say(x, error);
    return;
  }
  if (guided_run_load(x->guided_run, &e.steps)) {
    x->has_run = true;
    print_situation(x);
  } else {
    text_add(&x->out, "these steps are no run of the model from an initial state\n");
  }
  evidence_clear(&e);
}

/* `line` may be changed. */
static void follow(explorer *x, char *line) {
  if (!strcmp(line, GIVE_RUN)) {
    give_run(x);
    return;
  }
  if (!strncmp(line, LOAD_RUN, strlen(LOAD_RUN))) {
    load_run(x, line + strlen(LOAD_RUN));
    return;
  }
  while (isspace((unsigned char)*line)) line++;
  for (size_t n = strlen(line); n && isspace((unsigned char)line[n - 1]); n--) line[n - 1] = 0;
  size_t length = strcspn(line, " \t");
  char *rest = line + length + strspn(line + length, " \t");
  if (isdigit((unsigned char)*line) && strspn(line, "0123456789") == length) {
    do_take(x, strtoull(line, NULL, 10), rest);
    return;
  }
  line[length] = 0;
  if (!*line) line = "list";
  for (size_t i = 0; i < ARRAY_LENGTH(explore_commands); i++) {
    const explore_command *c = &explore_commands[i];
    if (strcmp(line, c->word) && strcmp(line, c->letter)) continue;
    if (c->needs_run && !x->has_run)
      text_add(&x->out, "there is no run yet\n");
    else
      c->run(x, rest);
    return;
  }
  text_add(&x->out, "there is no command %s; ? lists them\n", line);
}

static void explore_in_worker(worker_inside *inside, void *context) {
  const explore_task *task = context;
  explorer x = {.model = task->model,
                .guided_run = guided_run_new(task->model, task->options->seed, &inside->budget),
                .style = {.full = task->options->trace == TRACE_FULL, .colour = task->colour}};
  do_new(&x);
  while (!x.has_ended) {
    channel_send(inside->pipe, MESSAGE_TEXT, text_string(&x.out), x.out.count);
    text_reset(&x.out);
    work_turn_over(); /* waits for the next line */
    const char *spent = budget_spent(&inside->budget);
    if (spent) channel_send(inside->pipe, MESSAGE_NOTE, spent, strlen(spent));
    if (spent || !inside->news.count) return;
    for (size_t i = 0; i < inside->news.count; i++) {
      follow(&x, inside->news.at[i]);
      memory_free(inside->news.at[i]);
    }
    VECTOR_CLEAR(inside->news);
  }
}

/* ---- in the parent ---- */

struct whet_explorer {
  worker *worker;
  char *ending;
};

/* What the child answers; NULL if it has ended. */
static char *answer_of(whet_explorer *x) {
  text out = {0};
  for (bool ready = false; !ready;) {
    bool runs = worker_state(x->worker) == WORKER_RUNS;
    if (runs) workers_wait(1, &x->worker, 0.1);
    for (message m; worker_receive(x->worker, &m);) {
      if (m.kind == MESSAGE_TEXT) text_add_bytes(&out, m.bytes, m.count);
      if (m.kind == MESSAGE_NOTE && !x->ending) x->ending = memory_copy_bytes(m.bytes, m.count);
      ready |= m.kind == MESSAGE_TURN;
    }
    if (ready || runs) continue;
    if (worker_state(x->worker) != WORKER_RETURNED && !x->ending)
      x->ending = memory_copy_string(worker_reason(x->worker));
    text_clear(&out);
    return NULL;
  }
  return text_give(&out);
}

static char *ask(whet_explorer *x, const char *line) {
  if (worker_state(x->worker) != WORKER_RUNS) return NULL;
  worker_send_news(x->worker, line);
  worker_next_turn(x->worker, UINT64_MAX);
  return answer_of(x);
}

whet_explorer *whet_explorer_new(whet_model *m, const whet_options *o, bool colour, char **first) {
  whet_explorer *x = MEMORY_NEW(whet_explorer);
  explore_task task = {m->model, o->options, colour};
  worker_limits limits = library_limits(o->options);
  limits.turn = UINT64_MAX;
  x->worker = worker_start(explore_in_worker, &task, &limits);
  *first = answer_of(x);
  return x;
}

char *whet_explorer_do(whet_explorer *x, const char *line) {
  bool is_typed = *line != GIVE_RUN[0];
  return ask(x, is_typed ? line : "");
}

char *whet_explorer_run(whet_explorer *x) { return ask(x, GIVE_RUN); }

char *whet_explorer_load(whet_explorer *x, const char *content) {
  char *line = text_format("%s%s", LOAD_RUN, content), *answer = ask(x, line);
  memory_free(line);
  return answer;
}

const char *whet_explorer_ending(const whet_explorer *x) { return library_or_empty(x->ending); }

void whet_explorer_free(whet_explorer *x) {
  if (!x) return;
  worker_free(x->worker);
  memory_free(x->ending);
  memory_free(x);
}
