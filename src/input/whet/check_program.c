/* The statements of a program. Blocks nest only as deep as the parser allows, so walking them may recurse. */
#include "input/whet/check.h"

static void collect_labels(checker *c, family *f, names *seen, const block *b) {
  for (size_t i = 0; i < b->count; i++) {
    const statement *s = b->at[i];
    uint64_t first;
    if (s->kind == STATEMENT_LABEL) {
      if (names_get(seen, s->name.word->text, &first)) {
        report_error(c->reporter, s->name.at.start, "the label `%s` is used twice", s->name.word->text);
        report_first_place(c->reporter, "first used", (uint32_t)first);
      } else {
        names_set(seen, s->name.word->text, s->name.at.start);
        VECTOR_PUSH(f->labels, &s->name);
      }
    }
    for (size_t j = 0; j < s->arm_count; j++) collect_labels(c, f, seen, &s->arms[j].body);
    collect_labels(c, f, seen, &s->otherwise);
  }
}

static void check_block(checker *c, const names *labels, const block *b);

static void check_arms(checker *c, const names *labels, const statement *s) {
  const char *where = s->kind == STATEMENT_IF ? "the condition after `if`" : "the condition after `while`";
  for (size_t i = 0; i < s->arm_count; i++) {
    if (s->arms[i].condition) check_condition(c, s->arms[i].condition, where);
    c->loops += s->kind == STATEMENT_WHILE;
    check_block(c, labels, &s->arms[i].body);
    c->loops -= s->kind == STATEMENT_WHILE;
  }
  check_block(c, labels, &s->otherwise);
}

static void check_goto(checker *c, const names *labels, const statement *s) {
  uint64_t offset;
  scope_note_member(c->scope, s->name.at, c->inside, s->name.word);
  if (names_get(labels, s->name.word->text, &offset)) return;
  report_error(c->reporter, s->name.at.start, "there is no label `%s` in this program", s->name.word->text);
  const char *near = names_nearest(labels, s->name.word->text);
  if (near) report_hint(c->reporter, "did you mean `%s`?", near);
}

/* An assert without a name is the property of its line. */
static void check_assert(checker *c, statement *s) {
  check_condition(c, s->condition, "`assert`");
  if (!s->name.word) {
    const source *from = c->reporter->source;
    const included_file *file = source_file(from, s->at.start);
    char *name =
        text_format("assert@%s%s%u", file ? file->path : "", file ? ":" : "", source_place(from, s->at.start).line);
    s->name = (declared_name){.word = words_make(c->scope->words, name), .at = s->at};
    memory_free(name);
  }
  check_property_name(c, &s->name, true);
}

static void check_statement(checker *c, const names *labels, statement *s) {
  switch (s->kind) {
    case STATEMENT_ASSIGN: check_assignments(c, &s->updates); break;
    case STATEMENT_CALL:
      if (s->updates.count == 1 && check_is_defined_call(s->call)) {
        s->kind = STATEMENT_ASSIGN;
        check_assignments(c, &s->updates);
      } else {
        check_call(c, s);
      }
      break;
    case STATEMENT_ASSUME: check_condition(c, s->condition, "`assume`"); break;
    case STATEMENT_ASSERT: check_assert(c, s); break;
    case STATEMENT_IF:
    case STATEMENT_WHILE:
    case STATEMENT_CHOOSE: check_arms(c, labels, s); break;
    case STATEMENT_GOTO: check_goto(c, labels, s); break;
    case STATEMENT_BREAK:
      if (!c->loops) report_error(c->reporter, s->at.start, "`break` stands outside of every loop");
      break;
    case STATEMENT_ATOMIC: check_block(c, labels, &s->otherwise); break;
    case STATEMENT_SKIP:
    case STATEMENT_RETURN:
    case STATEMENT_LABEL: break;
  }
}

static void check_block(checker *c, const names *labels, const block *b) {
  for (size_t i = 0; i < b->count; i++) check_statement(c, labels, b->at[i]);
}

void check_program_body(checker *c, process_tree *p) {
  names *labels = names_new();
  collect_labels(c, p->family, labels, &p->body);
  check_block(c, labels, &p->body);
  names_free(labels);
}
