/* A reader of S-expressions with a state of its own, so that it can stop after any byte. */
#include "solver/sexpr.h"

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

/* An atom ends with its last byte at `position - 1`. True if that makes the expression whole. */
static bool close_atom(sexpr *e) {
  sexpr_node *n = &VECTOR_LAST(e->nodes);
  n->length = e->position - n->at;
  n->end = e->nodes.count;
  e->inside = 0;
  return e->open.count == 0;
}

static sexpr_status close_list(sexpr *e) {
  if (!e->open.count) return SEXPR_BAD;
  e->nodes.at[VECTOR_POP(e->open)].end = e->nodes.count;
  return e->open.count ? SEXPR_MORE : SEXPR_WHOLE;
}

/* A byte between atoms. */
static sexpr_status start(sexpr *e, char c) {
  size_t at = e->position++;
  if (is_space(c)) return SEXPR_MORE;
  if (c == ')') return close_list(e);
  if (c == ';') {
    e->inside = ';';
    return SEXPR_MORE;
  }
  if ((unsigned char)c < ' ') return SEXPR_BAD;
  if (c == '(')
    VECTOR_PUSH(e->open, e->nodes.count);
  else
    e->inside = c == '"' || c == '|' ? c : 'a';
  VECTOR_PUSH(e->nodes, (sexpr_node){.is_list = c == '(', .at = at});
  return SEXPR_MORE;
}

/* A doubled quote inside a string stands for one, so the byte after a quote is looked at as well: `sexpr_read` has seen
 * that it is there. */
static sexpr_status go_on(sexpr *e, const text *bytes, char c) {
  switch (e->inside) {
    case ';':
      if (c == '\n') e->inside = 0;
      break;
    case 'a':
      if (is_space(c) || c == '(' || c == ')' || c == ';') return close_atom(e) ? SEXPR_WHOLE : SEXPR_MORE;
      break;
    case '"':
      if (c != '"') break;
      if (bytes->at[e->position + 1] == '"') {
        e->position += 2;
        return SEXPR_MORE;
      }
      e->position++;
      return close_atom(e) ? SEXPR_WHOLE : SEXPR_MORE;
    default:
      if (c == '\\') return SEXPR_BAD; /* solvers differ in what it means */
      if (c != '|') break;
      e->position++;
      return close_atom(e) ? SEXPR_WHOLE : SEXPR_MORE;
  }
  e->position++;
  return SEXPR_MORE;
}

sexpr_status sexpr_read(sexpr *e, const text *bytes) {
  while (e->position < bytes->count) {
    char c = bytes->at[e->position];
    if (e->inside == '"' && c == '"' && e->position + 1 == bytes->count) return SEXPR_MORE;
    sexpr_status status = e->inside ? go_on(e, bytes, c) : start(e, c);
    if (status != SEXPR_MORE) return status;
  }
  return SEXPR_MORE;
}

void sexpr_next(sexpr *e) {
  VECTOR_CLEAR(e->nodes);
  VECTOR_CLEAR(e->open);
  e->inside = 0;
}

void sexpr_clear(sexpr *e) {
  VECTOR_FREE(e->nodes);
  VECTOR_FREE(e->open);
  *e = (sexpr){0};
}

bool sexpr_is(const sexpr *e, const text *bytes, size_t i, const char *word) {
  if (i >= e->nodes.count || e->nodes.at[i].is_list) return false;
  const char *at = bytes->at + e->nodes.at[i].at;
  return e->nodes.at[i].length == strlen(word) && !memcmp(at, word, strlen(word));
}

bool sexpr_says(const sexpr *e, const text *bytes, size_t i, const char *word) {
  if (i >= e->nodes.count || e->nodes.at[i].is_list) return false;
  const char *at = bytes->at + e->nodes.at[i].at;
  bool is_string = e->nodes.at[i].length == strlen(word) + 2 && at[0] == '"';
  return sexpr_is(e, bytes, i, word) || (is_string && !memcmp(at + 1, word, strlen(word)));
}
