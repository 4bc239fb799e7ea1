/* Commands: what they declare, and the model of the one verify-call. */
#include "input/svlib/lower.h"
#include "input/svlib/read.h"

void sv_refuse(sv_lowering *l, const sv_node *at, const char *format, ...) {
  if (l->failed) return;
  text words = {0};
  va_list list;
  va_start(list, format);
  text_add_list(&words, format, list);
  va_end(list);
  report_error(&l->reporter, at->at.start, "%s", text_string(&words));
  text_clear(&words);
  l->failed = true;
}

/* ---- declarations ---- */

bool sv_sort_of(sv_lowering *l, const sv_node *n, sort *out) {
  bool is_bool = sv_is_word(n, "Bool");
  *out = is_bool ? SORT_BOOL : SORT_INT;
  if (is_bool || sv_is_word(n, "Int")) return true;
  char *words = source_excerpt(l->source, n->at, 40);
  sv_refuse(l, n, "the sort `%s` is not read; Int and Bool are", words);
  memory_free(words);
  return false;
}

/* Names that have a meaning everywhere. Nobody may give them another one, least of all a witness. */
static bool is_reserved(const char *name) {
  static const char *const all[] = {"true", "false", "not", "and", "or", "xor", "=>",     "=",     "distinct", "ite",
                                    "let",  "at",    "!",   "+",   "-",  "*",   "div",    "mod",   "abs",      "<",
                                    "<=",   ">",     ">=",  "old", "_",  "as",  "forall", "exists"};
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
    if (!strcmp(name, all[i])) return true;
  return false;
}

KEEP const char *sv_name(sv_lowering *l, const sv_node *n) {
  if (n->is_list || n->word != SV_SYMBOL || *n->text == ':')
    sv_refuse(l, n, "this is not a name");
  else if (*n->text == '#')
    sv_refuse(l, n, "names that begin with # are not allowed");
  else if (is_reserved(n->text))
    sv_refuse(l, n, "`%s` has a meaning already", n->text);
  return l->failed ? NULL : n->text;
}

KEEP sv_symbol *sv_symbol_new(sv_lowering *l, const char *name, sv_kind kind, sort of, span at) {
  sv_symbol *s = arena_alloc(l->arena, sizeof *s);
  *s = (sv_symbol){.name = name, .kind = kind, .sort = of, .cell = SV_NO_CELL, .value = TERM_TRUE, .at = at};
  return s;
}

size_t sv_cell_new(sv_lowering *l, const char *name, sort of) {
  type plain = {.sort = of};
  VECTOR_PUSH(l->graph.cells, variable_fresh(l->ts, name, &plain));
  return l->graph.cells.count - 1;
}

static void declare(sv_lowering *l, names *scope, TAKE sv_symbol *s, const sv_node *at) {
  if (names_get(scope, s->name, NULL)) sv_refuse(l, at, "`%s` is declared twice", s->name);
  names_set(scope, s->name, (uint64_t)(uintptr_t)s);
}

static bool has_form(sv_lowering *l, const sv_node *n, size_t count, const char *example) {
  if (n->count == count) return true;
  sv_refuse(l, n, "`%s` does not look like this; %s does", n->items[0]->text, example);
  return false;
}

static void declare_shared(sv_lowering *l, const sv_node *n, sv_kind kind, const sv_node *of) {
  sort s;
  const char *name = sv_name(l, n->items[1]);
  if (!name || !sv_sort_of(l, of, &s)) return;
  sv_symbol *made = sv_symbol_new(l, name, kind, s, n->at);
  made->cell = sv_cell_new(l, name, s);
  VECTOR_PUSH(l->shared, made);
  declare(l, l->symbols, made, n->items[1]);
}

static void do_declare_var(sv_lowering *l, const sv_node *n) {
  if (has_form(l, n, 3, "(declare-var x Int)")) declare_shared(l, n, SV_GLOBAL, n->items[2]);
}

static void do_declare_const(sv_lowering *l, const sv_node *n) {
  if (has_form(l, n, 3, "(declare-const x Int)")) declare_shared(l, n, SV_CONSTANT, n->items[2]);
}

static void do_declare_fun(sv_lowering *l, const sv_node *n) {
  if (!has_form(l, n, 4, "(declare-fun x () Int)")) return;
  if (!n->items[2]->is_list || n->items[2]->count)
    sv_refuse(l, n, "functions without a definition are not read; constants are");
  else
    declare_shared(l, n, SV_CONSTANT, n->items[3]);
}

/* ---- functions ---- */

/* Functions are about values: program variables would change under them. */
static void refuse_variables(sv_lowering *l, const sv_node *n, term t) {
  for (size_t i = 0; i < l->shared.count && !l->failed; i++)
    if (l->shared.at[i]->kind == SV_GLOBAL && term_mentions(l->ts, t, l->graph.cells.at[l->shared.at[i]->cell]))
      sv_refuse(l, n, "the variable `%s` of the program cannot stand here; constants can", l->shared.at[i]->name);
}

static void define(sv_lowering *l, const sv_node *n, const sv_node *parameters, const sv_node *of,
                   const sv_node *body) {
  sort s;
  const char *name = sv_name(l, n->items[1]);
  size_t count = parameters ? parameters->count : 0, bound = l->bound.count;
  if (!name || !sv_sort_of(l, of, &s)) return;
  sv_symbol *made = sv_symbol_new(l, name, count ? SV_FUNCTION : SV_VALUE, s, n->at);
  made->parameters = arena_alloc(l->arena, (count + 1) * sizeof *made->parameters);
  made->parameter_count = count;
  for (size_t i = 0; i < count && !l->failed; i++) {
    const sv_node *one = parameters->items[i];
    sort of_one;
    if (!one->is_list || one->count != 2) {
      sv_refuse(l, one, "this is not a parameter; (x Int) is one");
      break;
    }
    const char *parameter = sv_name(l, one->items[0]);
    if (!parameter || !sv_sort_of(l, one->items[1], &of_one)) break;
    made->parameters[i] = variable_fresh(l->ts, parameter, &(type){.sort = of_one});
    sv_symbol *inner = sv_symbol_new(l, parameter, SV_VALUE, of_one, one->at);
    inner->value = term_of_variable(l->ts, made->parameters[i]);
    VECTOR_PUSH(l->bound, inner);
  }
  if (!l->failed) made->value = sv_term(l, body, s);
  l->bound.count = bound;
  refuse_variables(l, body, made->value);
  declare(l, l->symbols, made, n->items[1]);
}

static void do_define_fun(sv_lowering *l, const sv_node *n) {
  if (!has_form(l, n, 5, "(define-fun f ((x Int)) Int (+ x 1))")) return;
  if (!n->items[2]->is_list)
    sv_refuse(l, n->items[2], "these are not parameters; ((x Int)) are");
  else
    define(l, n, n->items[2], n->items[3], n->items[4]);
}

static void do_define_const(sv_lowering *l, const sv_node *n) {
  if (has_form(l, n, 4, "(define-const x Int 1)")) define(l, n, NULL, n->items[2], n->items[3]);
}

static void do_assert(sv_lowering *l, const sv_node *n) {
  if (!has_form(l, n, 2, "(assert (> x 0))")) return;
  term holds = sv_term(l, n->items[1], SORT_BOOL);
  refuse_variables(l, n->items[1], holds);
  l->assumed = term_and(l->ts, l->assumed, holds);
}

/* ---- procedures ---- */

typedef VECTOR(sv_symbol *) symbol_list;

static void declare_own(sv_lowering *l, sv_procedure *p, const sv_node *list, sv_kind kind, symbol_list *out) {
  if (!list->is_list) sv_refuse(l, list, "these are not declarations; ((x Int) (y Bool)) are");
  for (size_t i = 0; i < list->count && !l->failed; i++) {
    const sv_node *one = list->items[i];
    sort of;
    if (!one->is_list || one->count != 2) {
      sv_refuse(l, one, "this declares nothing; (x Int) does");
      return;
    }
    const char *name = sv_name(l, one->items[0]);
    if (!name || !sv_sort_of(l, one->items[1], &of)) return;
    sv_symbol *made = sv_symbol_new(l, name, kind, of, one->at);
    declare(l, p->scope, made, one->items[0]);
    VECTOR_PUSH(*out, made);
  }
}

/* `at` names it and lists inputs, outputs and variables from item `from` on. */
static void add_procedure(sv_lowering *l, const sv_node *at, size_t from, const sv_node *body) {
  const char *name = sv_name(l, at->items[from]);
  symbol_list in = {0}, out = {0}, local = {0};
  if (!name) return;
  if (sv_procedure_find(l, name)) {
    sv_refuse(l, at->items[from], "there is another procedure `%s`", name);
    return;
  }
  sv_procedure *p = arena_alloc(l->arena, sizeof *p);
  *p = (sv_procedure){.name = name, .at = at->at, .scope = names_new(), .body = body};
  declare_own(l, p, at->items[from + 1], SV_IN, &in);
  if (!l->failed) declare_own(l, p, at->items[from + 2], SV_VARIABLE, &out);
  if (!l->failed) declare_own(l, p, at->items[from + 3], SV_VARIABLE, &local);
  for (size_t i = 0; i < in.count; i++) VECTOR_PUSH(p->in, in.at[i]);
  for (size_t i = 0; i < out.count; i++) VECTOR_PUSH(p->out, out.at[i]);
  for (size_t i = 0; i < local.count; i++) VECTOR_PUSH(p->local, local.at[i]);
  VECTOR_FREE(in);
  VECTOR_FREE(out);
  VECTOR_FREE(local);
  VECTOR_PUSH(l->procedures, p);
}

static void do_define_proc(sv_lowering *l, const sv_node *n) {
  if (!has_form(l, n, 6, "(define-proc f ((x Int)) ((y Int)) () (assign (y x)))")) return;
  add_procedure(l, n, 1, n->items[5]);
  if (l->failed) return;
  size_t last = l->procedures.count - 1;
  /* To call itself it has to be defined by define-procs-rec; its number is the first that it may not call. */
  l->procedures.at[last]->first_unknown = last;
}

static void do_define_procs(sv_lowering *l, const sv_node *n) {
  static const char example[] = "(define-procs-rec ((f ((x Int)) () ())) ((call f (x) ())))";
  if (!has_form(l, n, 3, example)) return;
  const sv_node *heads = n->items[1], *bodies = n->items[2];
  if (!heads->is_list || !bodies->is_list || heads->count != bodies->count) {
    sv_refuse(l, n, "these are not procedures and as many bodies; %s has one", example);
    return;
  }
  size_t first = l->procedures.count;
  for (size_t i = 0; i < heads->count && !l->failed; i++) {
    if (!heads->items[i]->is_list || heads->items[i]->count != 4)
      sv_refuse(l, heads->items[i], "this is not a procedure; (f ((x Int)) () ()) is one");
    else
      add_procedure(l, heads->items[i], 0, bodies->items[i]);
  }
  for (size_t i = first; i < l->procedures.count; i++) l->procedures.at[i]->first_unknown = l->procedures.count;
}

static void make_own_cells(sv_lowering *l, sv_procedure *p) {
  for (size_t i = 0; i < p->in.count; i++) p->in.at[i]->cell = sv_cell_new(l, p->in.at[i]->name, p->in.at[i]->sort);
  for (size_t i = 0; i < p->out.count; i++) p->out.at[i]->cell = sv_cell_new(l, p->out.at[i]->name, p->out.at[i]->sort);
  for (size_t i = 0; i < p->local.count; i++)
    p->local.at[i]->cell = sv_cell_new(l, p->local.at[i]->name, p->local.at[i]->sort);
}

/* ---- other commands ---- */

static void do_annotate_tag(sv_lowering *l, const sv_node *n) {
  if (n->count < 3 || n->items[1]->is_list) {
    sv_refuse(l, n, "this annotates nothing; (annotate-tag here :check-true (> x 0)) does");
    return;
  }
  sv_attributes(l, n, 2, n->items[1]->text, NULL, &l->by_tag);
}

static void do_verify_call(sv_lowering *l, const sv_node *n) {
  if (n->count != 3 || n->items[1]->is_list || !n->items[2]->is_list)
    sv_refuse(l, n, "this is not a call; (verify-call main ()) is one");
  else if (l->call)
    sv_refuse(l, n, "this is the second verify-call; one is read");
  else if (!sv_procedure_find(l, n->items[1]->text))
    sv_refuse(l, n->items[1], "there is no procedure `%s`", n->items[1]->text);
  else if (sv_procedure_find(l, n->items[1]->text)->in.count != n->items[2]->count)
    sv_refuse(l, n, "`%s` has %zu inputs", n->items[1]->text, sv_procedure_find(l, n->items[1]->text)->in.count);
  l->call = n;
}

/* Options, and what asks for answers: those that are there are given anyway. */
static void do_nothing(sv_lowering *l, const sv_node *n) {
  (void)l;
  (void)n;
}

static const struct {
  const char *name;
  void (*command)(sv_lowering *l, const sv_node *n);
} commands[] = {
    {"declare-var", do_declare_var},
    {"declare-const", do_declare_const},
    {"declare-fun", do_declare_fun},
    {"define-const", do_define_const},
    {"define-fun", do_define_fun},
    {"assert", do_assert},
    {"define-proc", do_define_proc},
    {"define-procs-rec", do_define_procs},
    {"annotate-tag", do_annotate_tag},
    {"select-trace", sv_trace_read},
    {"verify-call", do_verify_call},
    {"get-witness", do_nothing},
    {"set-logic", do_nothing},
    {"set-info", do_nothing},
    {"set-option", do_nothing},
    {"get-assertions", do_nothing},
    {"get-info", do_nothing},
    {"get-option", do_nothing},
    {"exit", do_nothing},
};

static void run_command(sv_lowering *l, const sv_node *n) {
  for (size_t i = 0; i < ARRAY_LENGTH(commands); i++)
    if (sv_starts_with(n, commands[i].name)) {
      bool changes = commands[i].command != do_nothing;
      if (l->call && changes && commands[i].command != do_verify_call)
        sv_refuse(l, n, "`%s` after verify-call is not read; before it, it is", commands[i].name);
      else
        commands[i].command(l, n);
      return;
    }
  if (n->is_list && n->count && !n->items[0]->is_list)
    sv_refuse(l, n, "the command `%s` is not read", n->items[0]->text);
  else
    sv_refuse(l, n, "this is not a command; (declare-var x Int) is one");
}

/* ---- the whole script ---- */

static void open(sv_lowering *l, source *s, diagnostics *d) {
  *l = (sv_lowering){.source = s, .arena = arena_new(), .assumed = TERM_TRUE, .trace = {.cell = SV_NO_CELL}};
  reporter_open(&l->reporter, s, d);
  l->model = model_new(terms_new(), source_name(s));
  terms_names_are_escaped(l->model->terms);
  l->ts = l->graph.ts = l->model->terms;
  l->symbols = names_new();
  l->properties = names_new();
  l->place_names = names_new();
}

static void close_procedure(sv_procedure *p) {
  names_free(p->scope);
  VECTOR_FREE(p->in);
  VECTOR_FREE(p->out);
  VECTOR_FREE(p->local);
  VECTOR_FREE(p->ghosts);
  VECTOR_FREE(p->measures);
  VECTOR_FREE(p->calls);
  bits_free(&p->reads);
  bits_free(&p->writes);
}

static void close_graph(flow_graph *g) {
  for (size_t i = 0; i < g->edges.count; i++) flow_edge_clear(&g->edges.at[i]);
  for (size_t i = 0; i < g->procedures.count; i++) {
    VECTOR_FREE(g->procedures.at[i].in);
    VECTOR_FREE(g->procedures.at[i].kept);
    VECTOR_FREE(g->procedures.at[i].out);
  }
  VECTOR_FREE(g->edges);
  VECTOR_FREE(g->procedures);
  VECTOR_FREE(g->cells);
  VECTOR_FREE(g->places);
}

static void close_all(sv_lowering *l) {
  for (size_t i = 0; i < l->procedures.count; i++) close_procedure(l->procedures.at[i]);
  close_graph(&l->graph);
  sv_path_free(l->now);
  names_free(l->labels);
  VECTOR_FREE(l->bound);
  VECTOR_FREE(l->nonzero);
  VECTOR_FREE(l->procedures);
  VECTOR_FREE(l->by_tag);
  VECTOR_FREE(l->shared);
  VECTOR_FREE(l->choices);
  VECTOR_FREE(l->checks);
  VECTOR_FREE(l->heads);
  VECTOR_FREE(l->finite);
  names_free(l->symbols);
  names_free(l->properties);
  names_free(l->place_names);
  reporter_close(&l->reporter);
  arena_free(l->arena);
}

/* A run ends where an annotation does not hold, so each is about runs in which the others do. */
static void set_reliance(model *m) {
  for (size_t i = 0; i < m->properties.count; i++) {
    text others = {0};
    for (size_t j = 0; j < m->properties.count; j++)
      if (j != i) text_add(&others, "%s%s", others.count ? "\n" : "", m->properties.at[j].name);
    if (others.count) m->properties.at[i].relies_on = model_string(m, text_string(&others));
    text_clear(&others);
  }
}

static void lower(sv_lowering *l, const sv_node *script) {
  for (size_t i = 0; i < script->count && !l->failed; i++) run_command(l, script->items[i]);
  if (!l->failed && !l->call) {
    report_file_error(l->reporter.out, l->source->path, "there is no verify-call, so nothing is asked");
    l->failed = true;
  }
  if (l->failed) return;
  for (size_t i = 0; i < l->procedures.count; i++) make_own_cells(l, l->procedures.at[i]);
  sv_procedures_look(l);
  sv_procedures_lower(l);
  bool ends = !l->failed && sv_endings_fit(l);
  if (!l->failed && !l->model->properties.count && !ends) {
    report_file_error(l->reporter.out, l->source->path, "nothing is annotated, so nothing is asked");
    l->failed = true;
  }
  if (l->failed) return;
  set_reliance(l->model);
  if (ends) {
    flow_to_system(&l->graph, l->model);
    sv_source_keep(l);
    return;
  }
  flow_to_clauses(&l->graph, l->model);
  sv_source_keep(l);
  flow_clauses_finish(l->model);
}

GIVE model *svlib_read(source *s, diagnostics *d) {
  sv_lowering l;
  open(&l, s, d);
  const sv_node *script = sv_parse(l.arena, &l.reporter);
  if (script)
    lower(&l, script);
  else
    l.failed = true;
  model *m = l.model;
  if (l.failed) {
    model_free(m);
    m = NULL;
  }
  close_all(&l);
  return m;
}
