/* libyaml reads a document, whose nodes are copied. */
#include "input/witness/yaml.h"

#include <string.h>
#include <yaml.h>

#include "base/text.h"

enum { MOST_DEPTH = 40, MOST_NODES = 1000000 };

typedef struct copier {
  arena *arena;
  yaml_document_t *document;
  size_t depth, nodes;
  char *error;
} copier;

static place place_at(yaml_mark_t mark) {
  return (place){.line = (uint32_t)mark.line + 1, .column = (uint32_t)mark.column + 1};
}

static void fail(copier *c, yaml_mark_t mark, const char *why) {
  if (!c->error) c->error = text_format("%u:%u: error: %s", place_at(mark).line, place_at(mark).column, why);
}

static yaml_node *copy(copier *c, int index);

static void copy_list(copier *c, const yaml_node_t *from, yaml_node *to) {
  size_t count = (size_t)(from->data.sequence.items.top - from->data.sequence.items.start);
  to->kind = YAML_LIST;
  to->values = arena_alloc(c->arena, (count + 1) * sizeof(yaml_node *));
  for (; to->count < count && !c->error; to->count++)
    to->values[to->count] = copy(c, from->data.sequence.items.start[to->count]);
}

static void copy_fields(copier *c, const yaml_node_t *from, yaml_node *to) {
  size_t count = (size_t)(from->data.mapping.pairs.top - from->data.mapping.pairs.start);
  to->kind = YAML_FIELDS;
  to->keys = arena_alloc(c->arena, (count + 1) * sizeof(yaml_node *));
  to->values = arena_alloc(c->arena, (count + 1) * sizeof(yaml_node *));
  for (; to->count < count && !c->error; to->count++) {
    to->keys[to->count] = copy(c, from->data.mapping.pairs.start[to->count].key);
    to->values[to->count] = copy(c, from->data.mapping.pairs.start[to->count].value);
  }
}

static yaml_node *copy(copier *c, int index) {
  const yaml_node_t *from = yaml_document_get_node(c->document, index);
  yaml_node *to = arena_alloc(c->arena, sizeof *to);
  to->at = place_at(from->start_mark);
  if (++c->depth > MOST_DEPTH || ++c->nodes > MOST_NODES) {
    fail(c, from->start_mark, "this is too deep, too large, or refers to itself");
  } else if (from->type == YAML_SCALAR_NODE) {
    to->kind = YAML_WORDS;
    to->words = arena_copy_bytes(c->arena, (const char *)from->data.scalar.value, from->data.scalar.length);
    if (strlen(to->words) != from->data.scalar.length) fail(c, from->start_mark, "there is a zero byte in these words");
  } else if (from->type == YAML_SEQUENCE_NODE) {
    copy_list(c, from, to);
  } else if (from->type == YAML_MAPPING_NODE) {
    copy_fields(c, from, to);
  } else {
    fail(c, from->start_mark, "there is nothing here");
  }
  c->depth--;
  return to;
}

static const yaml_node *read_document(copier *c, yaml_parser_t *parser) {
  const yaml_node *made = NULL;
  yaml_document_t document, next;
  if (!yaml_parser_load(parser, &document)) {
    fail(c, parser->problem_mark, parser->problem ? parser->problem : "this is not YAML");
    return NULL;
  }
  c->document = &document;
  if (!yaml_document_get_root_node(&document))
    c->error = text_format("1:1: error: there is no document");
  else
    made = copy(c, 1);
  yaml_document_delete(&document);
  if (!c->error && !yaml_parser_load(parser, &next)) {
    fail(c, parser->problem_mark, parser->problem ? parser->problem : "this is not YAML");
  } else if (!c->error) {
    const yaml_node_t *root = yaml_document_get_root_node(&next);
    if (root) fail(c, root->start_mark, "there is a second document; one is read");
    yaml_document_delete(&next);
  }
  return c->error ? NULL : made;
}

const yaml_node *yaml_read(arena *a, const char *content, size_t length, char **error) {
  copier c = {.arena = a};
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) {
    *error = text_format("1:1: error: there is not enough memory");
    return NULL;
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)content, length);
  const yaml_node *made = read_document(&c, &parser);
  yaml_parser_delete(&parser);
  *error = c.error;
  return made;
}
