/* What an engine reports, as messages into a pipe. */
#include "engine/events.h"

#include "base/budget.h"
#include "base/memory.h"
#include "base/text.h"
#include "proof/formulas.h"
#include "term/print.h"

#define SECONDS_BETWEEN_PROGRESS 0.1

struct events {
  int descriptor;
  uint64_t iterations;
  double last_progress;
  text line;
};

events *events_new(int descriptor) {
  events *e = MEMORY_NEW(events);
  e->descriptor = descriptor;
  return e;
}

void events_send_to(events *e, int descriptor) {
  if (e) e->descriptor = descriptor;
}

void events_free(events *e) {
  if (!e) return;
  text_clear(&e->line);
  memory_free(e);
}

uint64_t events_iterations(const events *e) { return e ? e->iterations : 0; }

static void send_text(events *e, message_kind kind, const char *bytes) {
  channel_send(e->descriptor, kind, bytes, strlen(bytes));
}

void events_iteration(events *e, json_writer *object) {
  json_end_object(object);
  if (e) {
    e->iterations++;
    send_text(e, MESSAGE_ITERATION, object->out->at);
  }
  text_clear(object->out);
}

/* For processes, and after a zero for people: see channel.h. */
static void send_formulas(events *e, message_kind kind, const terms *ts, size_t count, const term *formulas) {
  text both = {0};
  for (size_t i = 0; i < count; i++) formulas_add(ts, formulas[i], &both);
  text_add_char(&both, 0);
  for (size_t i = 0; i < count; i++) {
    term_print(ts, formulas[i], &both);
    if (kind == MESSAGE_LEMMAS) text_add_char(&both, '\n');
  }
  channel_send(e->descriptor, kind, both.at, both.count);
  text_clear(&both);
}

void events_predicate(events *e, const terms *ts, term predicate) {
  if (e) send_formulas(e, MESSAGE_PREDICATE, ts, 1, &predicate);
}

void events_hint(events *e, const terms *ts, term predicate) {
  if (e) send_formulas(e, MESSAGE_HINT, ts, 1, &predicate);
}

void events_lemmas(events *e, const terms *ts, const term_vector *lemmas) {
  if (e) send_formulas(e, MESSAGE_LEMMAS, ts, lemmas->count, lemmas->at);
}

void events_likely(events *e, const terms *ts, const term_vector *candidates) {
  if (e) send_formulas(e, MESSAGE_LIKELY, ts, candidates->count, candidates->at);
}

void events_hand_on(events *e, message_kind kind, const char *bytes, size_t count) {
  if (!e) return;
  e->iterations += kind == MESSAGE_ITERATION;
  channel_send(e->descriptor, kind, bytes, count);
}

void events_product(events *e, const char *product) {
  if (e) send_text(e, MESSAGE_TEXT, product);
}

static void send_line(events *e, message_kind kind, const char *format, va_list list) {
  text_reset(&e->line);
  text_add_list(&e->line, format, list);
  send_text(e, kind, text_string(&e->line));
}

void events_note(events *e, const char *format, ...) {
  if (!e) return;
  va_list list;
  va_start(list, format);
  send_line(e, MESSAGE_NOTE, format, list);
  va_end(list);
}

void events_progress(events *e, const char *format, ...) {
  if (!e) return;
  double now = clock_seconds();
  if (now - e->last_progress < SECONDS_BETWEEN_PROGRESS) return;
  e->last_progress = now;
  va_list list;
  va_start(list, format);
  send_line(e, MESSAGE_PROGRESS, format, list);
  va_end(list);
}
