#include "oracle/list_program.h"

#include "base/map.h"
#include "base/vector.h"

/* ---- making ---- */

static list_instruction random_jump(random_source *r, int count) {
  list_instruction i = {.operation = LIST_JUMP, .condition = (list_condition)random_below(r, 5)};
  i.p = (int)random_below(r, LIST_POINTERS);
  i.q = (i.p + 1) % LIST_POINTERS;
  i.value = random_below(r, 2);
  i.target = (int)random_below(r, (uint64_t)count + 1);
  return i;
}

static list_instruction random_instruction(random_source *r, int count, bool with_count) {
  list_instruction i = {.operation = (list_operation)random_below(r, LIST_FLAG + 1)};
  if (random_below(r, 3) == 0) return random_jump(r, count);
  if (with_count && random_below(r, 4) == 0) {
    i = random_jump(r, count);
    i.condition = IF_COUNT;
    i.operation = random_below(r, 2) ? LIST_JUMP : LIST_COUNT;
  }
  if (random_below(r, 5) == 0) {
    i = random_jump(r, count);
    i.operation = LIST_ASSERT;
    if (i.condition == IF_ANY) i.condition = with_count ? IF_COUNT : IF_DATA;
  }
  i.p = (int)random_below(r, LIST_POINTERS);
  i.q = (int)random_below(r, LIST_POINTERS);
  if (i.condition == IF_SAME && i.q == i.p) i.q = (i.p + 1) % LIST_POINTERS;
  i.value = random_below(r, 2);
  i.step = random_below(r, 2) ? 1 : -1;
  return i;
}

/* while * { q := new; q.next := p; p := q }, and a walk: what random code seldom does by itself. */
static void add_usual_beginning(random_source *r, list_program *p) {
  bool value = random_below(r, 2);
  const list_instruction build[] = {
      {.operation = LIST_JUMP, .condition = IF_ANY, .value = true, .target = 5},
      {.operation = LIST_NEW, .p = 1},
      {.operation = random_below(r, 3) ? LIST_SET_DATA : LIST_CUT, .p = 1, .value = value},
      {.operation = LIST_SET_NEXT, .p = 1, .q = 0},
      {.operation = LIST_COPY, .p = 0, .q = 1},
      {.operation = LIST_JUMP, .condition = IF_ANY, .value = true, .target = 0},
      {.operation = LIST_COPY, .p = 2, .q = 0},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(build); i++) p->code[p->count++] = build[i];
  p->code[0].target = 6;
}

void list_program_random(random_source *r, bool with_count, list_program *out) {
  *out = (list_program){.has_count = with_count};
  if (random_below(r, 4)) add_usual_beginning(r, out);
  int count = out->count + 6 + (int)random_below(r, (uint64_t)(LIST_MOST_INSTRUCTIONS - out->count - 6));
  while (out->count < count) out->code[out->count++] = random_instruction(r, count, with_count);
}

/* A doubly linked list is built, then anything is done to it. */
static void add_double_beginning(list_program *p) {
  const list_instruction build[] = {
      {.operation = LIST_JUMP, .condition = IF_ANY, .value = true, .target = 7},
      {.operation = LIST_NEW, .p = 1},
      {.operation = LIST_SET_NEXT, .p = 1, .q = 0},
      {.operation = LIST_JUMP, .condition = IF_NULL, .p = 0, .value = true, .target = 5},
      {.operation = LIST_SET_NEXT, .p = 0, .q = 1, .field = 1},
      {.operation = LIST_COPY, .p = 0, .q = 1},
      {.operation = LIST_JUMP, .condition = IF_ANY, .value = true, .target = 0},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(build); i++) p->code[p->count++] = build[i];
}

void list_program_random_memory(random_source *r, list_program *out) {
  *out = (list_program){.has_memory = true};
  if (random_below(r, 2)) add_double_beginning(out);
  int count = out->count + 6 + (int)random_below(r, 8);
  while (out->count < count) {
    list_instruction i = random_instruction(r, count, false);
    if (i.operation == LIST_FLAG || random_below(r, 6) == 0) i.operation = LIST_FREE;
    i.field = (int)random_below(r, 2);
    i.color = (int)random_below(r, 3);
    out->code[out->count++] = i;
  }
}

/* ---- as text ---- */

static const char *const fields[] = {"next", "prev"}, *const colors[] = {"red", "green", "blue"};

static void print_condition(const list_program *program, const list_instruction *i, text *out) {
  const char *p = (const char *[]){"p", "q", "r"}[i->p], *q = (const char *[]){"p", "q", "r"}[i->q];
  switch (i->condition) {
    case IF_ANY: text_add(out, "*"); break;
    case IF_NULL: text_add(out, "%s %s null", p, i->value ? "=" : "!="); break;
    case IF_SAME: text_add(out, "%s %s %s", p, i->value ? "=" : "!=", q); break;
    case IF_DATA:
      if (program->has_memory)
        text_add(out, "%s.data %s %s", p, i->value ? "=" : "!=", colors[i->color]);
      else
        text_add(out, "%s%s.data", i->value ? "" : "!", p);
      break;
    case IF_FLAG: text_add(out, "%sflag", i->value ? "" : "!"); break;
    case IF_COUNT: text_add(out, i->value ? "n <= %d" : "n > %d", i->step + 1); break;
  }
}

static void print_instruction(const list_program *program, const list_instruction *i, int at, text *out) {
  const char *field = fields[program->has_memory ? i->field : 0];
  const char *p = (const char *[]){"p", "q", "r"}[i->p], *q = (const char *[]){"p", "q", "r"}[i->q];
  const char *value = i->value ? "true" : "false", *data = program->has_memory ? colors[i->color] : value;
  switch (i->operation) {
    case LIST_NEW: text_add(out, "%s := new", p); break;
    case LIST_COPY: text_add(out, "%s := %s", p, q); break;
    case LIST_CLEAR: text_add(out, "%s := null", p); break;
    case LIST_NEXT: text_add(out, "%s := %s.%s", p, q, field); break;
    case LIST_SET_NEXT: text_add(out, "%s.%s := %s", p, field, q); break;
    case LIST_CUT: text_add(out, "%s.%s := null", p, field); break;
    case LIST_SET_DATA: text_add(out, "%s.data := %s", p, data); break;
    case LIST_READ_DATA:
      if (program->has_memory)
        text_add(out, "flag := %s.data = %s", p, data);
      else
        text_add(out, "flag := %s.data", p);
      break;
    case LIST_FREE: text_add(out, "free %s", p); break;
    case LIST_FLAG: text_add(out, "flag := %s", value); break;
    case LIST_COUNT: text_add(out, "n := n %s 1", i->step > 0 ? "+" : "-"); break;
    case LIST_JUMP:
      text_add(out, "if ");
      print_condition(program, i, out);
      text_add(out, " { goto L%d }", i->target);
      break;
    case LIST_ASSERT:
      text_add(out, "assert a%d: ", at);
      print_condition(program, i, out);
      break;
  }
}

void list_program_print(const list_program *p, text *out) {
  if (p->has_memory) text_add(out, "record node { next, prev : node, data : {red, green, blue} }\n");
  text_add(out, "program {\n  var p, q, r : node = null\n  var flag : bool = false\n");
  if (p->has_count) text_add(out, "  var n : int = 0\n");
  for (int i = 0; i < p->count; i++) {
    text_add(out, "  L%d: ", i);
    print_instruction(p, &p->code[i], i, out);
    text_add(out, ";\n");
  }
  text_add(out, "  L%d: skip\n}\n", p->count);
}

/* ---- running ---- */

enum { MOST_NODES = 8, MOST_STATES = 40000, MOST_COUNT = 9 };

typedef struct state {
  int8_t at, flag, n, pointers[LIST_POINTERS];
  int8_t next[MOST_NODES + 2], prev[MOST_NODES + 2], data[MOST_NODES + 2]; /* from 1; 0 is null */
  int8_t has_leaked;
} state;

enum { GONE = 99 }; /* the data of a node that was freed */

typedef struct exploring {
  const list_program *program;
  int nodes;
  list_meaning meaning;
  names *seen;
  VECTOR(state) states;
} exploring;

static void number(const state *s, int8_t node, int8_t *order, int8_t *now, int *count) {
  if (!node || now[node]) return;
  order[++*count] = node;
  now[node] = (int8_t)*count;
  number(s, s->next[node], order, now, count);
  number(s, s->prev[node], order, now, count);
}

/* The same heap under the same numbers, 1, 2, .. as they are met from p, then q, then r. What is not met and was not
 * freed has leaked. */
static int renumber(state *s) {
  int8_t order[MOST_NODES + 2] = {0}, now[MOST_NODES + 2] = {0};
  int count = 0;
  for (int i = 0; i < LIST_POINTERS; i++) number(s, s->pointers[i], order, now, &count);
  state old = *s;
  memset(s->next, 0, sizeof s->next);
  memset(s->prev, 0, sizeof s->prev);
  memset(s->data, 0, sizeof s->data);
  for (int i = 0; i < LIST_POINTERS; i++) s->pointers[i] = now[old.pointers[i]];
  for (int k = 1; k <= count; k++) {
    s->next[k] = now[old.next[order[k]]];
    s->prev[k] = now[old.prev[order[k]]];
    s->data[k] = old.data[order[k]];
  }
  return count;
}

static void reach(exploring *x, state s) {
  int8_t made[MOST_NODES + 2];
  int before = 0, after = 0;
  memcpy(made, s.data, sizeof made);
  for (int n = 1; n < MOST_NODES + 2; n++) before += made[n] && made[n] != GONE;
  int count = renumber(&s);
  for (int n = 1; n < MOST_NODES + 2; n++) after += s.data[n] && s.data[n] != GONE;
  s.has_leaked = s.has_leaked || after < before;
  if (s.has_leaked) x->meaning.leaks = true;
  if (count > x->nodes || s.n > MOST_COUNT || s.n < -MOST_COUNT || x->states.count >= MOST_STATES) {
    x->meaning.is_complete = false;
    return;
  }
  text key = {0};
  for (size_t i = 0; i < sizeof s; i++) text_add(&key, "%x,", ((const uint8_t *)&s)[i]);
  if (!names_get(x->seen, key.at, NULL)) {
    names_set(x->seen, key.at, 1);
    VECTOR_PUSH(x->states, s);
  }
  text_clear(&key);
}

/* What data are: from 1 on; 0 is no node. */
static int8_t data_of(const list_program *p, const list_instruction *i) {
  return (int8_t)(1 + (p->has_memory ? i->color : i->value));
}

/* 1, 0, or -1 if null is asked for its data; IF_ANY is both, the caller's business. */
static int test(const list_program *program, const list_instruction *i, const state *s) {
  int p = s->pointers[i->p];
  switch (i->condition) {
    case IF_NULL: return (p == 0) == i->value;
    case IF_SAME: return (p == s->pointers[i->q]) == i->value;
    case IF_DATA:
      if (!p || s->data[p] == GONE) return -1;
      return (s->data[p] == (program->has_memory ? i->color + 1 : 2)) == i->value;
    case IF_FLAG: return (bool)s->flag == i->value;
    case IF_COUNT: return (s->n <= i->step + 1) == i->value;
    case IF_ANY: break;
  }
  return 1;
}

static void jump(exploring *x, const list_instruction *i, state s) {
  int holds = test(x->program, i, &s);
  if (holds < 0) {
    x->meaning.faults = true;
    return;
  }
  state to = s;
  to.at = (int8_t)i->target;
  s.at++;
  if (i->condition == IF_ANY || holds) reach(x, to);
  if (i->condition == IF_ANY || !holds) reach(x, s);
}

/* A failed assertion does not stop the program; asking null does. What null's data is said to be, an assertion about it
 * counts as false. */
static void check(exploring *x, const list_instruction *i, state s) {
  int holds = test(x->program, i, &s);
  if (holds < 0) x->meaning.faults = true;
  bool is_null = !s.pointers[i->p], counts_as = x->program->has_memory && is_null && i->color == 0;
  if (holds == 0 || (holds < 0 && i->value != counts_as)) x->meaning.fails[s.at] = true;
  s.at++;
  if (holds >= 0) reach(x, s);
}

static void step(exploring *x, state s) {
  const list_instruction *i = &x->program->code[s.at];
  int p = s.pointers[i->p], q = s.pointers[i->q];
  if (i->operation == LIST_JUMP) {
    jump(x, i, s);
    return;
  }
  if (i->operation == LIST_ASSERT) {
    check(x, i, s);
    return;
  }
  s.at++;
  bool asks_p = i->operation == LIST_SET_NEXT || i->operation == LIST_CUT || i->operation == LIST_SET_DATA ||
                i->operation == LIST_READ_DATA || i->operation == LIST_FREE;
  int8_t *way = x->program->has_memory && i->field ? s.prev : s.next;
  if ((asks_p && (!p || s.data[p] == GONE)) || (i->operation == LIST_NEXT && (!q || s.data[q] == GONE))) {
    x->meaning.faults = true;
    return;
  }
  if (i->operation == LIST_NEW) {
    s.pointers[i->p] = MOST_NODES + 1; /* renumbering finds out whether another node went */
    s.next[MOST_NODES + 1] = s.prev[MOST_NODES + 1] = 0;
    for (int8_t data = x->program->has_memory ? 3 : 2; data > 1; data--) {
      s.data[MOST_NODES + 1] = data;
      reach(x, s);
    }
    s.data[MOST_NODES + 1] = 1;
  } else if (i->operation == LIST_COPY) {
    s.pointers[i->p] = (int8_t)q;
  } else if (i->operation == LIST_CLEAR) {
    s.pointers[i->p] = 0;
  } else if (i->operation == LIST_NEXT) {
    s.pointers[i->p] = way[q];
  } else if (i->operation == LIST_SET_NEXT) {
    way[p] = (int8_t)q;
  } else if (i->operation == LIST_CUT) {
    way[p] = 0;
  } else if (i->operation == LIST_SET_DATA) {
    s.data[p] = data_of(x->program, i);
  } else if (i->operation == LIST_READ_DATA) {
    s.flag = s.data[p] == (x->program->has_memory ? data_of(x->program, i) : 2);
  } else if (i->operation == LIST_FREE) {
    s.next[p] = s.prev[p] = 0;
    s.data[p] = GONE;
  } else if (i->operation == LIST_FLAG) {
    s.flag = i->value;
  } else if (i->operation == LIST_COUNT) {
    s.n = (int8_t)(s.n + i->step);
  }
  reach(x, s);
}

list_meaning list_program_explore(const list_program *p, int nodes) {
  exploring x = {.program = p, .nodes = nodes, .seen = names_new(), .meaning = {.is_complete = true}};
  REQUIRE(nodes <= MOST_NODES, "room for the nodes");
  reach(&x, (state){0});
  for (size_t i = 0; i < x.states.count; i++)
    if (x.states.at[i].at < p->count) step(&x, x.states.at[i]);
  names_free(x.seen);
  VECTOR_FREE(x.states);
  return x.meaning;
}
