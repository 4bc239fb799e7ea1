/* Which processes become arrays, and the declarations that they become. */
#include "input/whet/copies/copies.h"

#include "input/whet/check.h"
#include "input/whet/copies/inside.h"
#include "input/whet/parse/token.h"

/* ---- which ---- */

static const variables_tree *find_constant(const copier *c, const word *w) {
  for (size_t i = 0; i < c->tree->declarations.count; i++) {
    const declaration *d = c->tree->declarations.at[i];
    for (size_t j = 0; d->kind == DECLARATION_CONST && j < d->variables->names.count; j++)
      if (d->variables->names.at[j].word == w) return d->variables;
  }
  return NULL;
}

/* It depends on a constant without a value. Constants that depend on themselves are found elsewhere. */
static bool is_open(const copier *c, const expression *e, unsigned depth) {
  if (depth > 100) return false;
  if (e->kind == EXPRESSION_NAME) {
    const variables_tree *v = find_constant(c, e->word);
    return v && (!v->value || is_open(c, v->value, depth + 1));
  }
  for (size_t i = 0; i < e->count; i++)
    if (is_open(c, e->parts[i], depth)) return true;
  return false;
}

/* A number, or a constant that is one. */
static bool is_number(const copier *c, const expression *e, int64_t *out) {
  for (unsigned depth = 0; e->kind == EXPRESSION_NAME && depth < 100; depth++) {
    const variables_tree *v = find_constant(c, e->word);
    if (!v || !v->value) return false;
    e = v->value;
  }
  return e->kind == EXPRESSION_NUMBER && number_to_int64(e->number, out);
}

static bool has_many(const copier *c, const binder *index, size_t most) {
  int64_t low, high;
  return is_number(c, index->low, &low) && is_number(c, index->high, &high) && high >= low && low >= -1000000 &&
         high <= 1000000 && (size_t)(high - low) + 1 > most;
}

/* What a process with any number of copies cannot have; NULL: nothing. */
static const char *what_does_not_fit(const process_tree *p, uint32_t *offset) {
  *offset = p->name.at.start;
  if (p->is_program) return "programs";
  if (p->atomic.count) return *offset = p->atomic.at[0].at.start, "atomic states";
  if (p->ends.count) return *offset = p->ends.at[0].at.start, "end states";
  if (p->invariant_count) return *offset = p->invariants[0].at.start, "invariants";
  for (size_t i = 0; i < p->variables.count; i++)
    if (p->variables.at[i]->is_clock) return *offset = p->variables.at[i]->at.start, "clocks";
  return NULL;
}

/* Nothing in the model needs a transition system. */
static bool fits_arrays(const module *m) {
  uint32_t offset;
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    if (check_needs_system(d) || d->kind == DECLARATION_FLAT || (d->kind == DECLARATION_VAR && d->variables->is_clock))
      return false;
    if (d->kind == DECLARATION_PROCESS && !d->process->is_program && what_does_not_fit(d->process, &offset))
      return false;
  }
  return true;
}

static void choose(copier *c, size_t most) {
  bool fits = fits_arrays(c->tree);
  for (size_t i = 0; i < c->tree->declarations.count; i++) {
    const declaration *d = c->tree->declarations.at[i];
    uint32_t offset;
    if (d->kind != DECLARATION_PROCESS || !d->process->index || !d->process->index->low) continue;
    process_tree *p = d->process;
    bool is_any = is_open(c, p->index->low, 0) || is_open(c, p->index->high, 0);
    const char *what = what_does_not_fit(p, &offset);
    if (is_any && what) {
      report_error(c->reporter, offset, "the number of copies is not known, and then there are no %s", what);
      report_hint(c->reporter, "give the constants of the range values, in the text or by -D");
    } else if (is_any || (fits && !what && has_many(c, p->index, most)))
      VECTOR_PUSH(c->all, p);
  }
}

/* ---- the same process with any number of copies ---- */

static variables_tree *first_constant(const copier *c, const expression *e) {
  if (e->kind == EXPRESSION_NAME) return (variables_tree *)find_constant(c, e->word);
  for (size_t i = 0; i < e->count; i++) {
    variables_tree *found = first_constant(c, e->parts[i]);
    if (found) return found;
  }
  return NULL;
}

static const binder *index_of(const declaration *d) {
  bool has_range = d->kind == DECLARATION_PROCESS && d->process->index && d->process->index->low;
  return has_range ? d->process->index : NULL;
}

size_t copies_given_by_constants(const module *tree) {
  copier c = {.tree = (module *)tree};
  size_t most = 0;
  for (size_t i = 0; i < tree->declarations.count; i++) {
    const binder *index = index_of(tree->declarations.at[i]);
    int64_t low, high;
    if (!index || !(first_constant(&c, index->low) || first_constant(&c, index->high))) continue;
    if (!is_number(&c, index->low, &low) || !is_number(&c, index->high, &high) || high < low) continue;
    if (low < -1000000 || high > 1000000 || (size_t)(high - low) + 1 <= most) continue;
    most = (size_t)(high - low) + 1;
  }
  return most;
}

/* Constants whose value is made of others keep it. */
static void open_constants(const copier *c, const expression *e) {
  variables_tree *v;
  for (unsigned depth = 0; depth < 100 && (v = first_constant(c, e)) && v->value; depth++) {
    if (first_constant(c, v->value)) {
      e = v->value;
      continue;
    }
    if (!v->type) {
      v->type = arena_alloc(c->arena, sizeof(type_tree));
      *v->type = (type_tree){.kind = TYPE_INT, .at = v->at};
    }
    v->value = NULL;
  }
}

void copies_open_constants(module *tree, arena *a) {
  copier c = {.tree = tree, .arena = a};
  size_t kept = 0;
  for (size_t i = 0; i < tree->declarations.count; i++) {
    const binder *index = index_of(tree->declarations.at[i]);
    if (index) open_constants(&c, index->low);
    if (index) open_constants(&c, index->high);
    if (!check_needs_system(tree->declarations.at[i])) tree->declarations.at[kept++] = tree->declarations.at[i];
  }
  tree->declarations.count = kept;
}

/* ---- declarations ---- */

static declaration *add_declaration(copier *c, declaration_kind kind, span at) {
  declaration *d = arena_alloc(c->arena, sizeof(declaration));
  *d = (declaration){.kind = kind, .at = at};
  VECTOR_PUSH(c->made, d);
  return d;
}

static type_tree *array_of(copier *c, const process_tree *p, type_tree *element) {
  type_tree *t = arena_alloc(c->arena, sizeof(type_tree));
  *t = (type_tree){.kind = TYPE_ARRAY, .at = p->index->at, .element = element, .is_array_of = true};
  t->low = copies_copy(c, p->index->low);
  t->high = copies_copy(c, p->index->high);
  return t;
}

static variables_tree *add_array(copier *c, const process_tree *p, word *name, span at, type_tree *element) {
  declaration *d = add_declaration(c, DECLARATION_VAR, at);
  d->variables = arena_alloc(c->arena, sizeof(variables_tree));
  declared_name *names = arena_alloc(c->arena, sizeof(declared_name));
  *names = (declared_name){.word = name, .at = at};
  *d->variables = (variables_tree){.names = {names, 1}, .type = array_of(c, p, element), .at = at};
  return d->variables;
}

static void add_places(copier *c, const process_tree *p) {
  type_tree *places = arena_alloc(c->arena, sizeof(type_tree));
  *places = (type_tree){.kind = TYPE_ENUMERATION, .at = p->name.at, .value_count = p->states.count};
  places->values = arena_alloc(c->arena, (p->states.count + 1) * sizeof(word *));
  places->value_places = arena_alloc(c->arena, (p->states.count + 1) * sizeof(span));
  for (size_t i = 0; i < p->states.count; i++) {
    places->values[i] = copies_word(c, p, ".", p->states.at[i].word->text);
    places->value_places[i] = p->states.at[i].at;
  }
  variables_tree *v = add_array(c, p, copies_word(c, p, " ", "at"), p->name.at, places);
  v->value = copies_state(c, p, &p->states.at[0]);
}

/* forall i : L..H . P.x[i] = value */
static void add_initial(copier *c, const process_tree *p, word *array, expression *value) {
  declaration *d = add_declaration(c, DECLARATION_INIT, value->at);
  expression *parts[] = {copies_name(c, array, value->at), copies_name(c, p->index->word, value->at)};
  expression *element = copies_parts(c, EXPRESSION_INDEX, value->at, 2, parts);
  expression *same = copies_compare(c, TOKEN_EQUAL, element, value);
  expression *all = copies_parts(c, EXPRESSION_FORALL, value->at, 1, &same);
  all->binder_count = 1;
  all->binders = arena_alloc(c->arena, sizeof(binder));
  *all->binders = (binder){.word = p->index->word,
                           .at = p->index->at,
                           .low = copies_copy(c, p->index->low),
                           .high = copies_copy(c, p->index->high)};
  d->expressions.at = arena_alloc(c->arena, sizeof(expression *));
  d->expressions.at[0] = all;
  d->expressions.count = 1;
}

static void add_variables(copier *c, const process_tree *p) {
  for (size_t i = 0; i < p->variables.count; i++)
    for (size_t j = 0; j < p->variables.at[i]->names.count; j++) {
      const variables_tree *from = p->variables.at[i];
      word *array = copies_word(c, p, ".", from->names.at[j].word->text);
      variables_tree *v = add_array(c, p, array, from->names.at[j].at, from->type);
      if (!from->value) continue;
      if (copies_mention(from->value, p->index->word))
        add_initial(c, p, array, copies_copy(c, from->value));
      else
        v->value = from->value;
    }
}

/* L <= i && i <= H && P at[i] = FROM && condition */
static expression *at_place(copier *c, const process_tree *p, const command_tree *edge, expression *condition) {
  span at = edge->at;
  word *i = p->index->word;
  expression *place = copies_place(c, p, copies_name(c, i, at), at);
  expression *parts[] = {copies_compare(c, TOKEN_LESS_EQUAL, copies_copy(c, p->index->low), copies_name(c, i, at)),
                         copies_compare(c, TOKEN_LESS_EQUAL, copies_name(c, i, at), copies_copy(c, p->index->high)),
                         copies_compare(c, TOKEN_EQUAL, place, copies_state(c, p, &edge->from)), condition};
  return copies_parts(c, EXPRESSION_AND, at, condition ? 4 : 3, parts);
}

/* The index comes before the inputs of the edge. */
static variables_trees with_index(copier *c, const process_tree *p, const variables_trees *inputs) {
  variables_trees made = {arena_alloc(c->arena, (inputs->count + 1) * sizeof(variables_tree *)), inputs->count + 1};
  variables_tree *v = arena_alloc(c->arena, sizeof(variables_tree));
  declared_name *name = arena_alloc(c->arena, sizeof(declared_name));
  type_tree *integer = arena_alloc(c->arena, sizeof(type_tree));
  *integer = (type_tree){.kind = TYPE_INT, .at = p->index->at};
  *name = (declared_name){.word = p->index->word, .at = p->index->at};
  *v = (variables_tree){.names = {name, 1}, .type = integer, .at = p->index->at};
  made.at[0] = v;
  for (size_t i = 0; i < inputs->count; i++) made.at[i + 1] = inputs->at[i];
  return made;
}

static void add_edge(copier *c, const process_tree *p, command_tree *edge) {
  size_t before = c->bound.count;
  copies_bind_inputs(c, &edge->inputs);
  if (edge->guard) copies_rewrite(c, edge->guard);
  if (edge->fails) copies_rewrite(c, edge->fails);
  copies_rewrite_updates(c, &edge->updates);
  c->bound.count = before;
  declaration *d = add_declaration(c, DECLARATION_ACTION, edge->at);
  command_tree *made = arena_alloc(c->arena, sizeof(command_tree));
  *made = *edge;
  char *unnamed = text_format("%s->%s", edge->from.word->text, edge->to.word->text);
  made->label = copies_word(c, p, ".", edge->label ? edge->label->text : unnamed);
  made->label_at = edge->label ? edge->label_at : edge->from.at;
  made->inputs = with_index(c, p, &edge->inputs);
  made->guard = at_place(c, p, edge, edge->guard);
  if (edge->fails) made->fails = at_place(c, p, edge, edge->fails);
  made->updates.at = arena_alloc(c->arena, (edge->updates.count + 1) * sizeof(assignment));
  for (size_t i = 0; i < edge->updates.count; i++) made->updates.at[i] = edge->updates.at[i];
  expression *to = copies_state(c, p, &edge->to),
             *place = copies_place(c, p, copies_name(c, p->index->word, edge->at), edge->at);
  if (edge->to.word != edge->from.word)
    made->updates.at[made->updates.count++] = (assignment){.target = place, .value = to, .at = edge->at};
  d->action = made;
  memory_free(unnamed);
}

static void add_process(copier *c, process_tree *p) {
  if (!p->states.count) {
    report_error(c->reporter, p->name.at.start, "the process `%s` has no states", p->name.word->text);
    return;
  }
  c->inside = p;
  c->is_own = true;
  copies_bind(c, p->index->word, p->index->low, p->index->high);
  add_places(c, p);
  add_variables(c, p);
  for (size_t i = 0; i < p->commands.count; i++) add_edge(c, p, p->commands.at[i]);
  VECTOR_CLEAR(c->bound);
  c->inside = NULL;
  c->is_own = false;
}

/* ---- what speaks of them elsewhere ---- */

static void rewrite_command(copier *c, command_tree *edge) {
  size_t before = c->bound.count;
  copies_bind_inputs(c, &edge->inputs);
  if (edge->guard) copies_rewrite(c, edge->guard);
  if (edge->fails) copies_rewrite(c, edge->fails);
  copies_rewrite_updates(c, &edge->updates);
  c->bound.count = before;
}

static void rewrite_declaration(copier *c, declaration *d) {
  for (size_t i = 0; i < d->parameters.count; i++) copies_bind(c, d->parameters.at[i].word, NULL, NULL);
  for (size_t i = 0; i < d->expressions.count; i++) copies_rewrite(c, d->expressions.at[i]);
  VECTOR_CLEAR(c->bound);
  if (d->action) rewrite_command(c, d->action);
  if (!d->process) return;
  c->inside = d->process;
  for (size_t i = 0; i < d->process->commands.count; i++) rewrite_command(c, d->process->commands.at[i]);
  copies_rewrite_block(c, &d->process->body);
  for (size_t i = 0; i < d->process->contract_count; i++)
    for (size_t j = 0; j < d->process->contracts[i].conditions.count; j++)
      copies_rewrite(c, d->process->contracts[i].conditions.at[j]);
  c->inside = NULL;
}

static bool is_chosen(const copier *c, const declaration *d) {
  for (size_t i = 0; i < c->all.count; i++)
    if (d->kind == DECLARATION_PROCESS && d->process == c->all.at[i]) return true;
  return false;
}

void copies_to_arrays(module *tree, arena *a, words *w, reporter *r, size_t most_copies) {
  copier c = {.tree = tree, .arena = a, .words = w, .reporter = r};
  choose(&c, most_copies);
  copies_look_at_names(&c);
  for (size_t i = 0; i < tree->declarations.count && c.all.count; i++) {
    declaration *d = tree->declarations.at[i];
    if (is_chosen(&c, d)) {
      add_process(&c, d->process);
    } else {
      rewrite_declaration(&c, d);
      VECTOR_PUSH(c.made, d);
    }
  }
  tree->has_copies = c.all.count > 0;
  if (c.all.count) {
    VECTOR_CLEAR(tree->declarations);
    for (size_t i = 0; i < c.made.count; i++) VECTOR_PUSH(tree->declarations, c.made.at[i]);
  }
  VECTOR_FREE(c.made);
  VECTOR_FREE(c.all);
  VECTOR_FREE(c.bound);
}
