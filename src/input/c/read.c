/* A C program as a model: clang's tree, the start of main with the initial values of globals, main. */
#include "input/c/read.h"

#include "base/options.h"
#include "input/c/annotations.h"
#include "input/c/clang.h"
#include "input/c/heap/heap.h"
#include "input/c/lower.h"
#include "input/witness/insert.h"

static uint64_t key(const void *p) { return (uint64_t)(uintptr_t)p; }

static void lowering_open(c_lowering *l, const c_node *tree) {
  l->model = model_new(terms_new(), source_name(l->source));
  l->ts = l->model->terms;
  l->functions = names_new();
  l->globals = names_new();
  l->place_names = names_new();
  l->externals = names_new();
  l->recursive = map_new();
  l->separate = map_new();
  l->objects = map_new();
  l->global_ids = map_new();
  l->global_nodes = names_new();
  l->variables = map_new();
  l->pointers = map_new();
  l->allocations = map_new();
  l->constants = map_new();
  l->assigned = map_new();
  l->targets = map_new();
  l->labels = map_new();
  l->visible = map_new();
  l->in_memory = map_new();
  l->globals_in_memory = names_new();
  c_types_open(&l->types, l->arena, l->settings->is_32, tree);
  c_survey(l, tree);
}

static void lowering_close(c_lowering *l) {
  c_paths_clear(&l->live);
  for (size_t i = 0; i < l->edges.count; i++) flow_edge_clear(&l->edges.at[i]);
  for (size_t i = 0; i < l->places.count; i++) VECTOR_FREE(l->places.at[i].stack);
  VECTOR_FREE(l->edges);
  VECTOR_FREE(l->places);
  VECTOR_FREE(l->cells);
  VECTOR_FREE(l->unallocated);
  for (size_t i = 0; i < l->procedures.count; i++) {
    VECTOR_FREE(l->procedures.at[i].in);
    VECTOR_FREE(l->procedures.at[i].kept);
    VECTOR_FREE(l->procedures.at[i].out);
  }
  VECTOR_FREE(l->procedures);
  VECTOR_FREE(l->invariants);
  for (size_t i = 0; i < l->loops.count; i++) VECTOR_FREE(l->loops.at[i].variables);
  VECTOR_FREE(l->loops);
  VECTOR_FREE(l->inputs);
  VECTOR_FREE(l->called);
  VECTOR_FREE(l->global_objects);
  VECTOR_FREE(l->pending);
  VECTOR_FREE(l->addressed);
  map_free(l->recursive);
  map_free(l->separate);
  VECTOR_FREE(l->constant_values);
  names_free(l->functions);
  names_free(l->globals);
  names_free(l->place_names);
  names_free(l->externals);
  text_clear(&l->external_names);
  map_free(l->objects);
  map_free(l->global_ids);
  names_free(l->global_nodes);
  map_free(l->variables);
  map_free(l->pointers);
  map_free(l->allocations);
  map_free(l->constants);
  map_free(l->assigned);
  map_free(l->targets);
  map_free(l->labels);
  map_free(l->visible);
  map_free(l->in_memory);
  names_free(l->globals_in_memory);
  VECTOR_FREE(l->spaces);
  c_types_close(&l->types);
}

/* ---- the start ---- */

/* A variable that is only declared `extern` is somebody else's: it holds any value. */
static bool is_defined_here(const c_node *tree, const char *name) {
  for (size_t i = 0; i < tree->count; i++) {
    const c_node *n = tree->inner[i];
    if (n->kind == C_VARIABLE && !strcmp(n->name, name) && (n->count || strcmp(n->storage, "extern"))) return true;
  }
  return false;
}

/* A pointer, when all that it may point to is declared. It is refused where it is used if it has several declarations, or
 * one elsewhere. */
static void declare_global_pointer(c_lowering *l, const c_node *tree, const c_node *n) {
  size_t declarations = 0;
  if (c_type_of(&l->types, n->type)->kind != TYPE_POINTER) return;
  for (size_t i = 0; i < tree->count; i++)
    declarations += tree->inner[i]->kind == C_VARIABLE && !strcmp(tree->inner[i]->name, n->name);
  if (!strcmp(n->storage, "extern") || declarations > 1) return;
  if (!n->count) {
    c_pointer_declare(l, n);
    return;
  }
  c_eval(l, n->inner[n->count - 1]);
  if (!l->refused) c_pointer_bind(l, n);
}

/* One declaration stands for all of its name. */
static void declare_global(c_lowering *l, const c_node *tree, const c_node *n) {
  uint64_t known;
  bool is_local = !map_get(l->global_ids, n->id, &known);
  if (!is_local && names_get(l->globals, n->name, &known)) return;
  const c_object *o = c_object_declare(l, n);
  if (l->refused) return;
  if (!is_local) names_set(l->globals, n->name, key(o));
  if (!is_local) VECTOR_PUSH(l->global_objects, o);
  c_object_clear(l, l->live.at[0], o, is_local || is_defined_here(tree, n->name));
}

static void initialise_global(c_lowering *l, const c_node *n) {
  c_node name = {.reference = n->id, .reference_name = n->name, .kind_name = ""};
  const c_object *o = n->count && !l->refused ? c_object_of(l, &name) : NULL;
  if (o && o->type->kind != TYPE_POINTER) c_initialise(l, n, o); /* others are refused where they are used */
}

/* All declarations of the globals that main needs: any of them may have the value, which may be the address of another. */
static void declare_globals(c_lowering *l, const c_node *tree, const c_node *start) {
  c_nodes used = {0};
  c_survey_globals(l, start, &used);
  for (size_t i = 0; i < used.count && !l->refused; i++) declare_global(l, tree, used.at[i]);
  for (size_t i = 0; i < used.count && !l->refused; i++) {
    initialise_global(l, used.at[i]);
    for (size_t j = 0; j < tree->count && !l->refused; j++) {
      const c_node *other = tree->inner[j];
      bool is_other = other != used.at[i] && other->kind == C_VARIABLE && !strcmp(other->name, used.at[i]->name);
      if (is_other && other->count && map_get(l->global_ids, used.at[i]->id, NULL)) initialise_global(l, other);
    }
  }
  for (size_t i = 0; i < used.count && !l->refused; i++) declare_global_pointer(l, tree, used.at[i]);
  VECTOR_FREE(used);
}

static const c_node *find_use(const c_node *n, uint64_t variable) {
  const c_node *found = n->kind == C_NAME && n->reference == variable ? n : NULL;
  for (size_t i = 0; i < n->count && !found; i++) found = find_use(n->inner[i], variable);
  return found;
}

/* Any number of arguments; what they are is not known. */
static void declare_argument(c_lowering *l, const c_node *start, const c_node *parameter) {
  const c_type *t = c_type_of(&l->types, parameter->type);
  c_path *p = l->live.at[0];
  if (t->kind != TYPE_INTEGER || t->is_address || t->is_function) {
    const c_node *use = find_use(start, parameter->id);
    if (use) c_refuse(l, use, "the arguments of the program are not read; how many they are is");
    return;
  }
  const c_object *o = c_object_declare(l, parameter);
  c_object_clear(l, p, o, false);
  if (l->refused) return;
  c_operand where = c_object_place_on(l, p, o), count = c_place_read(l, p, &where, parameter);
  c_path_assume(l, p, term_ge(l->ts, count.value, term_int(l->ts, 0)));
}

static void run_main(c_lowering *l, const c_node *start) {
  c_frame f = {.function = start};
  l->frame = &f;
  for (size_t i = 0; i < start->count && !l->refused; i++) {
    const c_node *parameter = start->inner[i];
    if (parameter->kind == C_PARAMETER) declare_argument(l, start, parameter);
  }
  if (!l->refused) c_execute(l, start->inner[start->count - 1]);
  c_paths_move(&l->live, &f.returns);
  c_node end = *start; /* the closing brace */
  if (start->end > start->start) end.start = start->end - 1;
  c_heap_end(l, &f.returns, true, &end);
  c_paths_clear(&f.returns);
  VECTOR_FREE(f.labels);
  VECTOR_FREE(f.locals);
  VECTOR_FREE(f.stack);
  l->frame = NULL;
}

static bool has_attribute(const c_node *n, size_t count, const char *const *kinds) {
  for (size_t i = 0; i < n->count; i++)
    for (size_t j = 0; j < count; j++)
      if (!strcmp(n->inner[i]->kind_name, kinds[j])) return true;
  return false;
}

/* The function of this name has a body below the node, or something refers to it. */
static bool is_used(const c_node *n, const char *name) {
  bool is_name = n->kind == C_NAME && n->reference_name && !strcmp(n->reference_name, name);
  bool has_body = n->kind == C_FUNCTION && n->count && n->inner[n->count - 1]->kind == C_COMPOUND;
  if (is_name || (has_body && !strcmp(n->name, name))) return true;
  for (size_t i = 0; i < n->count; i++)
    if (is_used(n->inner[i], name)) return true;
  return false;
}

/* A function that is only declared, as headers do, matters to nobody. */
static bool is_other_name(const c_node *tree, const c_node *n) {
  static const char *const kinds[] = {"AsmLabelAttr", "OverloadableAttr"};
  return !n->is_of_system && has_attribute(n, ARRAY_LENGTH(kinds), kinds) &&
         (n->kind != C_FUNCTION || is_used(tree, n->name));
}

/* What makes functions run, or names mean others, without anything that is seen. */
static const c_node *find_hidden_call(const c_node *tree, const c_node *n) {
  static const char *const anywhere[] = {"ConstructorAttr", "DestructorAttr", "CleanupAttr",
                                         "AliasAttr",       "IFuncAttr",      "WeakRefAttr"};
  static const char *const of_pointers[] = {"SectionAttr"};
  bool is_hidden =
      has_attribute(n, ARRAY_LENGTH(anywhere), anywhere) || is_other_name(tree, n) ||
      (n->kind == C_VARIABLE && strchr(n->type, '(') && has_attribute(n, ARRAY_LENGTH(of_pointers), of_pointers));
  if (is_hidden) return n;
  for (size_t i = 0; i < n->count; i++) {
    const c_node *found = find_hidden_call(tree, n->inner[i]);
    if (found) return found;
  }
  return NULL;
}

static void add_notes(c_lowering *l) {
  if (l->has_allocations) model_add_note(l->model, "memory that is allocated is taken to be there");
  if (!l->external_names.count) return;
  model_add_note(l->model, "functions without a body here are taken to return any value and to change nothing: %s",
                 text_string(&l->external_names));
}

static bool is_named(const c_lowering *l, const char *property) {
  const char *asked = l->settings->properties;
  return asked && options_list_has(asked, property);
}

/* What memory is left at the end is a property if it is named, as is what is read before it is set; if none is named, what is lost is one of programs that
 * allocate. */
static void choose_properties(c_lowering *l, const c_node *start) {
  bool allocates = l->allocates;
  for (size_t i = 0; i < ERROR_COUNT; i++) l->is_asked[i] = true;
  bool is_safety_named = is_named(l, "valid-memsafety"); /* valid-deref, valid-free and valid-memtrack */
  l->is_asked[ERROR_FREE] = allocates || is_safety_named || is_named(l, "valid-free");
  l->is_asked[ERROR_TRACK] =
      (allocates && !l->settings->properties) || is_safety_named || is_named(l, "valid-memtrack");
  l->is_asked[ERROR_CLEANUP] = is_named(l, "valid-memcleanup");
  l->is_asked[ERROR_UNSET] = is_named(l, "no-uninitialised");
  if (allocates && l->is_asked[ERROR_TRACK] && l->untracked) {
    if (l->settings->properties)
      c_refuse(l, start, "valid-memtrack is not decided of this program: %s; the other properties are", l->untracked);
    model_add_note(l->model, "valid-memtrack is not decided of this program: %s", l->untracked);
    l->is_asked[ERROR_TRACK] = false;
  }
  l->counts_memory = allocates && (l->is_asked[ERROR_TRACK] || l->is_asked[ERROR_CLEANUP]);
}

/* A pointer that was not set does not point to what is not allocated yet. */
static void start_unallocated(c_lowering *l, uint32_t first) {
  for (size_t i = 0; i < l->edges.count; i++)
    for (size_t j = 0; j < l->unallocated.count && l->edges.at[i].from == first; j++) {
      term length = term_of_variable(l->ts, l->cells.at[l->unallocated.at[j]].var);
      term is_none = term_eq(l->ts, length, term_int(l->ts, -1));
      l->edges.at[i].guard = term_and(l->ts, l->edges.at[i].guard, is_none);
    }
}

static void lower(c_lowering *l, const c_node *tree) {
  static const char *const error_places[] = {
      [ERROR_CALL] = "error",          [ERROR_OVERFLOW] = "overflow", [ERROR_DIVISION] = "division",
      [ERROR_DEREFERENCE] = "outside", [ERROR_FREE] = "freed",        [ERROR_TRACK] = "lost",
      [ERROR_UNSET] = "unset",         [ERROR_CLEANUP] = "left",      [ERROR_INVARIANT] = "refuted"};
  uint64_t found;
  const c_node *start = names_get(l->functions, "main", &found) ? (const c_node *)(uintptr_t)found : NULL;
  if (!start || !start->count || start->inner[start->count - 1]->kind != C_COMPOUND) {
    c_refuse(l, NULL, "there is no function `main`; a program that has one is read");
    return;
  }
  const c_node *hidden = find_hidden_call(tree, tree);
  if (hidden) c_refuse(l, hidden, "an attribute here calls functions, or gives them other names; plain calls are read");
  c_heap_survey(l, start);
  uint32_t first = c_place_bare(l, "start");
  choose_properties(l, start);
  for (size_t i = 0; i < l->error_count; i++)
    if (i != ERROR_UNSET || l->is_asked[i]) l->errors[i] = c_place_bare(l, error_places[i]);
  if (!l->is_asked[ERROR_UNSET]) l->errors[ERROR_UNSET] = l->errors[ERROR_CLEANUP]; /* nothing leads there */
  c_function_note(l, "reach_error", true);
  c_function_note(l, "__VERIFIER_error", true);
  c_live_start(l, first);
  c_points_start(l);
  c_heap_start(l);
  declare_globals(l, tree, start);
  if (!l->refused) run_main(l, start);
  if (!l->refused) c_lower_procedures(l);
  if (!l->refused && l->procedures.count && l->witness && l->witness->is_violation)
    c_refuse(l, start, "a run of a program with recursive functions cannot be followed along a witness");
  start_unallocated(l, first);
  bool are_clauses = l->procedures.count || l->has_arrays;
  if (!l->refused && are_clauses) c_clauses_make(l);
  if (!l->refused && !are_clauses) c_model_make(l);
  if (!l->refused) add_notes(l);
}

/* What is read with a program: its witness, with the texts that were put in, or none. */
typedef struct reading {
  source *source;
  const c_settings *settings;
  arena *arena;
  const c_node *tree;
  const witness_text *inserted; /* NULL without a witness */
} reading;

/* One reading of the program. */
typedef struct attempt {
  bool has_memory;
  c_known_targets targets; /* of pointers: found by earlier ones, then by this one too */
  bool knows_more;         /* it has found some: another one may come further */
  uint32_t refused_at;     /* the first message is about the text from there on */
  diagnostics said;
} attempt;

/* NULL after messages. */
static GIVE model *read_once(const reading *of, attempt *with) {
  reporter r;
  text_clear(&with->said.text);
  with->said = (diagnostics){0};
  reporter_open(&r, of->source, &with->said);
  c_lowering l = {.source = of->source, .reporter = &r, .settings = of->settings, .arena = of->arena};
  l.witness = of->settings->witness;
  l.inserted = of->inserted;
  l.has_memory = with->has_memory;
  l.known_targets = &with->targets;
  l.error_count = l.witness && !l.witness->is_violation ? ERROR_COUNT : ERROR_INVARIANT;
  lowering_open(&l, of->tree);
  lower(&l, of->tree);
  model *m = l.model;
  with->refused_at = l.refused_at;
  with->knows_more = l.knows_more;
  lowering_close(&l);
  reporter_close(&r);
  if (!with->said.errors) return m;
  model_free(m);
  return NULL;
}

/* As often as a reading finds out more about pointers; each adds a target of one of them. */
static GIVE model *read_until_known(const reading *of, attempt *with) {
  enum { MOST_READINGS = 64 };
  model *m = read_once(of, with);
  for (size_t i = 1; i < MOST_READINGS && !m && with->knows_more; i++) m = read_once(of, with);
  return m;
}

/* First as a program whose pointers each point into a few variables or arrays; if it is none, with memory. If neither is
 * read, the messages are those of the reading that got further. */
static GIVE model *read_in_turn(const reading *of, diagnostics *d) {
  attempt plain = {0}, other = {.has_memory = true};
  model *m = read_until_known(of, &plain);
  if (!m) m = read_until_known(of, &other);
  const attempt *last = other.refused_at >= plain.refused_at ? &other : &plain;
  if (!m) {
    text_add(&d->text, "%s", text_string(&last->said.text));
    d->errors += last->said.errors;
  }
  text_clear(&plain.said.text);
  text_clear(&other.said.text);
  VECTOR_FREE(plain.targets);
  VECTOR_FREE(other.targets);
  return m;
}

/* If functions cannot be procedures, only those that call themselves are. */
static GIVE model *read_tree(const reading *of, diagnostics *d) {
  if (!of->settings->all_procedures) return read_in_turn(of, d);
  diagnostics first = {0};
  model *m = read_in_turn(of, &first);
  text_clear(&first.text);
  if (m) return m;
  c_settings plain = *of->settings;
  reading other = *of;
  plain.all_procedures = false;
  other.settings = &plain;
  m = read_in_turn(&other, d);
  if (m) model_add_note(m, "functions are run in place: with all as procedures the program is not read");
  return m;
}

/* NULL after messages. */
static const c_node *tree_of(const source *s, const char *json, size_t length, arena *a, diagnostics *d) {
  char *error = NULL;
  const c_node *tree = c_tree_read(a, json, length, &error);
  if (tree) error = c_tree_mistake(tree);
  if (error) report_file_error(d, s->path, "%s", error);
  bool is_fine = !error;
  memory_free(error);
  return is_fine ? tree : NULL;
}

static const c_node *parse(source *s, const c_settings *settings, arena *a, diagnostics *d) {
  text json = {0};
  const c_node *tree = NULL;
  if (c_clang_run(s, settings, &json, d)) tree = tree_of(s, text_string(&json), json.count, a, d);
  text_clear(&json);
  return tree;
}

/* Reads the program a second time, with the expressions of the witness in it. */
static GIVE model *read_with_witness(source *s, const c_settings *settings, arena *a, const c_node *tree,
                                     diagnostics *d) {
  witness_text t;
  model *m = NULL;
  if (witness_insert(settings->witness, s, tree, &t, d) && t.changed.count < UINT32_MAX) {
    source changed;
    source_open(&changed, s->path, text_string(&t.changed), t.changed.count);
    const c_node *other = parse(&changed, settings, a, d);
    if (other && witness_is_plain(settings->witness, &t, other, d))
      m = read_tree(&(reading){&changed, settings, a, other, &t}, d);
    source_close(&changed);
  }
  witness_text_clear(&t);
  return m;
}

static c_settings settings_of(const source *s) {
  c_settings settings = s->c_settings ? *s->c_settings : (c_settings){0};
  if (!settings.most_expanded) settings.most_expanded = C_MOST_EXPANDED;
  return settings;
}

GIVE model *c_read_json(source *s, const char *json, size_t length, diagnostics *d) {
  c_settings settings = settings_of(s);
  arena *a = arena_new();
  const c_node *tree = tree_of(s, json, length, a, d);
  model *m = tree ? read_tree(&(reading){s, &settings, a, tree, NULL}, d) : NULL;
  arena_free(a);
  return m;
}

/* An annotation has become a statement, so it must not stand before the one that is a body. */
static bool are_annotations_apart(source *s, const c_node *tree, diagnostics *d) {
  const c_node *body = c_annotation_as_body(tree);
  reporter r;
  if (!body) return true;
  reporter_open(&r, s, d);
  report_error(&r, body->is_here ? body->start : 0,
               "an annotation stands before the body of an `if` or a loop; inside braces it would be read");
  reporter_close(&r);
  return false;
}

static GIVE model *read_source(source *s, bool has_annotations, diagnostics *d) {
  c_settings settings = settings_of(s);
  arena *a = arena_new();
  const c_node *tree = parse(s, &settings, a, d);
  if (tree && has_annotations && !are_annotations_apart(s, tree, d)) tree = NULL;
  model *m = !tree              ? NULL
             : settings.witness ? read_with_witness(s, &settings, a, tree, d)
                                : read_tree(&(reading){s, &settings, a, tree, NULL}, d);
  arena_free(a);
  return m;
}

GIVE model *c_read(source *s, diagnostics *d) {
  text with_calls = {0};
  model *m;
  if (c_annotations_apply(s->text, s->length, &with_calls) && with_calls.count < UINT32_MAX) {
    source changed;
    source_open(&changed, s->path, text_string(&with_calls), with_calls.count);
    changed.c_settings = s->c_settings;
    m = read_source(&changed, true, d);
    source_close(&changed);
  } else {
    m = read_source(s, false, d);
  }
  text_clear(&with_calls);
  return m;
}
