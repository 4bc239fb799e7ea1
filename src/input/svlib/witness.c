/* Witnesses as additions to a script. They may say what holds, or which run to look at; what is assumed stays as it was. */
#include "input/svlib/witness.h"

#include "input/svlib/syntax.h"

typedef struct part {
  source source;
  reporter reporter;
  const sv_node *nodes;
} part;

static void part_open(part *p, const svlib_text *t, arena *a, diagnostics *d) {
  source_open(&p->source, t->path, t->content, t->length);
  reporter_open(&p->reporter, &p->source, d);
  p->nodes = t->length < UINT32_MAX ? sv_parse(a, &p->reporter) : NULL;
}

static void part_close(part *p) {
  reporter_close(&p->reporter);
  source_close(&p->source);
}

static void refuse(part *p, const sv_node *n, const char *what) {
  report_error(&p->reporter, n ? n->at.start : 0, "%s", what);
}

static const sv_node *find_call(const part *program) {
  for (size_t i = 0; i < program->nodes->count; i++)
    if (sv_starts_with(program->nodes->items[i], "verify-call") && program->nodes->items[i]->count > 1)
      return program->nodes->items[i];
  return NULL;
}

/* ---- what is assumed ---- */

/* The body of the procedure that is verified, with its annotations. */
static const sv_node *find_entry(const part *program, const char *name) {
  for (size_t i = 0; i < program->nodes->count; i++) {
    const sv_node *n = program->nodes->items[i];
    if (sv_starts_with(n, "define-proc") && n->count == 6 && sv_is_word(n->items[1], name)) return n->items[5];
    if (!sv_starts_with(n, "define-procs-rec") || n->count != 3) continue;
    for (size_t j = 0; j < n->items[1]->count && j < n->items[2]->count; j++)
      if (sv_starts_with(n->items[1]->items[j], name)) return n->items[2]->items[j];
  }
  return NULL;
}

static bool has_tag(const sv_node *body, const char *tag) {
  for (; body && sv_starts_with(body, "!") && body->count > 1; body = body->items[1])
    for (size_t i = 2; i + 1 < body->count; i++)
      if (sv_is_word(body->items[i], ":tag") && sv_is_word(body->items[i + 1], tag)) return true;
  return false;
}

/* What the procedure that is verified requires is assumed; a witness must not add to it. */
static bool adds_assumption(const part *program, const sv_node *call, const sv_node *command) {
  if (!sv_starts_with(command, "annotate-tag") || command->count < 2) return false;
  bool requires = false;
  for (size_t i = 2; i < command->count; i++) requires |= sv_is_word(command->items[i], ":requires");
  return requires && has_tag(find_entry(program, call->items[1]->text), command->items[1]->text);
}

/* ---- commands ---- */

static bool is_allowed(part *w, const part *program, const sv_node *call, const sv_node *n) {
  static const char *const known[] = {"annotate-tag", "select-trace", "define-fun", "define-const"};
  if (adds_assumption(program, call, n)) {
    refuse(w, n, "a witness cannot say what the procedure that is verified requires");
    return false;
  }
  for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
    if (sv_starts_with(n, known[i])) return true;
  refuse(w, n, "this command cannot stand in a witness; annotate-tag, select-trace, define-fun and set-info can");
  return false;
}

/* "TAG.ensures" of (incorrect-annotation TAG :ensures ..). */
static GIVE char *violated(part *w, const sv_node *n) {
  for (size_t i = 1; i < n->count; i++) {
    const sv_node *v = n->items[i];
    if (sv_starts_with(v, "incorrect-annotation") && v->count > 2 && !v->items[1]->is_list && *v->items[2]->text == ':')
      return text_format("%s.%s", v->items[1]->text, v->items[2]->text + 1);
  }
  refuse(w, n, "this trace does not say what it violates; (incorrect-annotation tag :ensures ..) does");
  return NULL;
}

static bool add_commands(part *w, const part *program, const sv_node *call, text *out, GIVE char **property) {
  const sv_node *all = w->nodes->count == 1 && w->nodes->items[0]->is_list ? w->nodes->items[0] : NULL;
  if (!all || (all->count && !all->items[0]->is_list)) {
    refuse(w, w->nodes->count ? w->nodes->items[0] : NULL,
           "this is not a witness: commands between parentheses are one");
    return false;
  }
  for (size_t i = 0; i < all->count; i++) {
    const sv_node *n = all->items[i];
    if (sv_starts_with(n, "set-info")) continue;
    if (!is_allowed(w, program, call, n)) return false;
    if (sv_starts_with(n, "select-trace")) {
      if (*property) {
        refuse(w, n, "this is the second select-trace; one is read");
        return false;
      }
      *property = violated(w, n);
      if (!*property) return false;
    }
    text_add_bytes(out, w->source.text + n->at.start, n->at.end - n->at.start);
    text_add(out, "\n");
  }
  return true;
}

bool svlib_combine(const svlib_text *program, const svlib_text *witness, text *out, GIVE char **property,
                   diagnostics *d) {
  part p, w;
  arena *a = arena_new();
  *property = NULL;
  part_open(&p, program, a, d);
  part_open(&w, witness, a, d);
  const sv_node *call = p.nodes ? find_call(&p) : NULL;
  if (p.nodes && !call) refuse(&p, NULL, "there is no verify-call, so nothing is asked");
  bool fine = call && w.nodes;
  if (fine) {
    text_add_bytes(out, program->content, call->at.start);
    fine = add_commands(&w, &p, call, out, property);
    text_add_bytes(out, program->content + call->at.start, program->length - call->at.start);
  }
  if (!fine) {
    memory_free(*property);
    *property = NULL;
  }
  part_close(&w);
  part_close(&p);
  arena_free(a);
  return fine;
}
