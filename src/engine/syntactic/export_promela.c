/* The program in Promela, for SPIN: a proctype for each process, so that weak fairness of processes (-f) means what it
 * says. Actions that belong to no process are grouped by the variable that each tests for a value and sets: the place
 * of a process by another name. What happens at once is ordered so that no value is read after it was changed; only
 * where values go round in a circle are hidden variables used, which are not part of SPIN's states. */
#include "base/escape.h"
#include "engine/syntactic/export.h"
#include "term/print.h"

static const export_style style = {.equal = "==",
                                   .different = "!=",
                                   .and = "&&",
                                   .or = "||",
                                   .iff = "==",
                                   .when_true = "->",
                                   .when_false = ":",
                                   .yes = "true",
                                   .no = "false"};

static const char reserved[] =
    "active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_step d_proctype do od else "
    "empty enabled eval false fi full goto "
    "hidden if init inline int len ltl mtype nempty never nfull notrace np_ of pc_value pid printf priority proctype "
    "provided return run short show skip "
    "timeout trace true typedef unless unsigned xr xs local always eventually until weakuntil stronguntil release "
    "implies equivalent next U V W X for in select "
    "define include started _ _last _nr_pr _pid";

static const export_temporal_words words = {.words = {[TEMPORAL_NOT] = "!",
                                                      [TEMPORAL_AND] = "&&",
                                                      [TEMPORAL_OR] = "||",
                                                      [TEMPORAL_IMPLIES] = "->",
                                                      [TEMPORAL_IFF] = "<->",
                                                      [TEMPORAL_X] = "X",
                                                      [TEMPORAL_F] = "<>",
                                                      [TEMPORAL_G] = "[]",
                                                      [TEMPORAL_U] = "U",
                                                      [TEMPORAL_R] = "V",
                                                      [TEMPORAL_W] = "W"}};

typedef struct promela {
  finite_program *p;
  const model *m;
  export_names *names;
  VECTOR(size_t) owner; /* the proctype of each transition */
  VECTOR(char *) proctypes;
  VECTOR(variable) places; /* of proctypes made from plain actions; meaningless for the others */
  VECTOR(char *) asides;   /* the names of hidden variables, as many as are needed */
  text *out;
  bool fine;
} promela;

/* ---- who does what ---- */

/* A variable that the guard holds to one value and that the action assigns. */
static bool own_place(const model *m, const transition *t, variable *out) {
  const terms *ts = m->terms;
  term_vector parts = {0};
  bool found = false;
  term_conjuncts(ts, t->guard, &parts);
  for (size_t i = 0; i < parts.count && !found; i++) {
    if (term_kind_of(ts, parts.at[i]) != TERM_EQ || term_is_negated(parts.at[i])) continue;
    linear l = term_linear(ts, term_argument(ts, parts.at[i], 0));
    if (l.count != 1 || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE) continue;
    *out = term_variable(ts, l.leaves[0]);
    for (size_t j = 0; j < t->updates.count && !found; j++) found = variable_same(t->updates.at[j].var, *out);
  }
  VECTOR_FREE(parts);
  return found;
}

static size_t add_proctype(promela *x, const char *name, variable place) {
  VECTOR_PUSH(x->proctypes, export_identifier(x->names, name));
  VECTOR_PUSH(x->places, place);
  return x->proctypes.count - 1;
}

static size_t proctype_of_place(promela *x, variable place) {
  for (size_t i = x->m->processes.count; i < x->places.count; i++)
    if (variable_same(x->places.at[i], place)) return i;
  char *name = text_format("of_%s", export_name(x->names, place));
  size_t made = add_proctype(x, name, place);
  memory_free(name);
  return made;
}

static void choose_owners(promela *x) {
  size_t others = SIZE_MAX;
  for (size_t i = 0; i < x->m->processes.count; i++)
    add_proctype(x, x->m->processes.at[i].name, (variable){UINT32_MAX});
  for (size_t i = 0; i < x->m->transitions.count; i++) {
    const transition *t = &x->m->transitions.at[i];
    variable place;
    size_t owner;
    if (t->process != NO_PROCESS)
      owner = t->process;
    else if (own_place(x->m, t, &place))
      owner = proctype_of_place(x, place);
    else
      owner = others = others == SIZE_MAX ? add_proctype(x, "others", (variable){UINT32_MAX}) : others;
    VECTOR_PUSH(x->owner, owner);
  }
}

/* ---- declarations ---- */

static void declare_values(promela *x) {
  for (size_t i = 0; i < x->m->variables.count; i++) {
    variable v = x->m->variables.at[i].var;
    const type *t = variable_type(x->m->terms, v);
    for (size_t k = 0; t->names && k < t->name_count; k++) {
      text_add(x->out, "#define ");
      export_value(x->names, v, (int64_t)k, x->out);
      text_add(x->out, " %zu\n", k);
    }
  }
}

static void declare(promela *x, const int64_t *first) {
  for (size_t i = 0; i < x->m->variables.count; i++) {
    variable v = x->m->variables.at[i].var;
    const type *t = variable_type(x->m->terms, v);
    bool small = t->names && t->name_count <= 256;
    text_add(x->out, "%s %s", t->sort == SORT_BOOL ? "bool" : small ? "byte" : "int", export_name(x->names, v));
    if (first) {
      text_add(x->out, " = ");
      export_value(x->names, v, first[i], x->out);
    }
    text_add(x->out, ";\n");
  }
}

/* ---- steps ---- */

static bool reads(const model *m, const update *u, variable v) { return term_mentions(m->terms, u->value, v); }

static bool is_read(const promela *x, const export_way *w, const bool *done, size_t which) {
  for (size_t i = 0; i < w->updates.count; i++)
    if (i != which && !done[i] && reads(x->m, &w->updates.at[i], w->updates.at[which].var)) return true;
  return false;
}

static void assign(promela *x, const update *u) {
  text_add(x->out, "%s = ", export_name(x->names, u->var));
  x->fine &= export_assigned(x->names, u->var, u->value, x->out);
  text_add(x->out, "; ");
}

/* The name of a hidden variable. */
static KEEP const char *aside(promela *x, size_t i) {
  if (i == x->asides.count) {
    char *name = text_format("aside_%zu", i);
    VECTOR_PUSH(x->asides, export_identifier(x->names, name));
    memory_free(name);
  }
  return x->asides.at[i];
}

/* What no other assignment still reads is changed first; of a circle all values are kept aside. */
static void assign_all(promela *x, const export_way *w) {
  bool *done = MEMORY_ARRAY(bool, w->updates.count + 1);
  size_t hidden = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t i = 0; i < w->updates.count; i++) {
      if (done[i] || is_read(x, w, done, i)) continue;
      assign(x, &w->updates.at[i]);
      done[i] = moved = true;
    }
  }
  for (size_t i = 0; i < w->updates.count; i++) {
    if (done[i]) continue;
    text_add(x->out, "%s = ", aside(x, hidden++));
    x->fine &= export_assigned(x->names, w->updates.at[i].var, w->updates.at[i].value, x->out);
    text_add(x->out, "; ");
  }
  hidden = 0;
  for (size_t i = 0; i < w->updates.count; i++)
    if (!done[i]) text_add(x->out, "%s = %s; ", export_name(x->names, w->updates.at[i].var), aside(x, hidden++));
  memory_free(done);
}

static void step(promela *x, size_t index) {
  const transition *t = &x->m->transitions.at[index];
  export_ways ways = {0};
  if (!export_ways_of(x->m, t, &ways)) x->fine = false;
  for (size_t i = 0; i < ways.count; i++) {
    text_add(x->out, "  :: atomic { ");
    x->fine &= export_term(x->names, ways.at[i].guard, x->out);
    text_add(x->out, " -> ");
    if (ways.at[i].updates.count) {
      text_add(x->out, "d_step { ");
      assign_all(x, &ways.at[i]);
      text_add(x->out, "}");
    } else {
      text_add(x->out, "skip");
    }
    text_add(x->out, " } /* ");
    text_add_comment(x->out, t->name);
    text_add(x->out, " */\n");
  }
  export_ways_clear(&ways);
}

static bool has_steps(const promela *x, size_t proctype) {
  for (size_t i = 0; i < x->owner.count; i++)
    if (x->owner.at[i] == proctype && !term_is_false(x->m->transitions.at[i].guard)) return true;
  return false;
}

static void proctype(promela *x, size_t which, bool active) {
  if (!has_steps(x, which)) return;
  text_add(x->out, "%sproctype %s() {\n  do\n", active ? "active " : "", x->proctypes.at[which]);
  for (size_t i = 0; i < x->owner.count; i++)
    if (x->owner.at[i] == which) step(x, i);
  text_add(x->out, "  od\n}\n");
}

/* Several initial states: one of them is chosen before the processes run. */
static void start(promela *x, size_t count, const int64_t *states) {
  size_t width = x->m->variables.count;
  text_add(x->out, "init {\n  atomic {\n    if\n");
  for (size_t s = 0; s < count; s++) {
    text_add(x->out, "    :: ");
    for (size_t i = 0; i < width; i++) {
      variable v = x->m->variables.at[i].var;
      text_add(x->out, "%s = ", export_name(x->names, v));
      export_value(x->names, v, states[s * width + i], x->out);
      text_add(x->out, "; ");
    }
    text_add(x->out, width ? "\n" : "skip\n");
  }
  text_add(x->out, "    fi;\n    started = true;\n");
  for (size_t i = 0; i < x->proctypes.count; i++)
    if (has_steps(x, i)) text_add(x->out, "    run %s();\n", x->proctypes.at[i]);
  text_add(x->out, "  }\n}\n");
}

/* ---- what is asked ---- */

/* The parser bounds the depth of formulas. */
static bool uses_next(const temporal *f) {
  return f->kind == TEMPORAL_X || (f->left && uses_next(f->left)) || (f->right && uses_next(f->right));
}

static void note_unsaid(promela *x, const property *p) {
  text_add(x->out, "/* ");
  text_add_comment(x->out, p->name);
  text_add(x->out, " cannot be said in LTL */\n");
}

/* With several initial states formulas are about the runs from the moment when one is chosen. SPIN knows X only if
 * it was built with NXT. */
static void ask(promela *x, const property *p, bool late) {
  text said = {0};
  bool fine = false, next = p->kind == PROPERTY_LTL && uses_next(p->formula);
  if (p->kind == PROPERTY_LTL) {
    fine = export_temporal(x->names, &words, finite_program_map_temporal(x->p, p->formula), &said);
  } else if (p->kind == PROPERTY_SAFE) {
    text_add(&said, "[] ");
    fine = export_term(x->names, term_not(finite_program_map(x->p, p->bad)), &said);
  }
  char *name = export_identifier(x->names, p->name);
  if (fine && next) text_add(x->out, "#ifdef NXT\n");
  if (fine && late)
    text_add(x->out, "ltl %s { !started U (started && (%s)) }\n", name, text_string(&said));
  else if (fine)
    text_add(x->out, "ltl %s { %s }\n", name, text_string(&said));
  else
    note_unsaid(x, p);
  if (fine && next) text_add(x->out, "#endif\n");
  memory_free(name);
  text_clear(&said);
}

static void note_fairness(promela *x) {
  text words = {0};
  if (!x->m->fairness.count) return;
  text_add(x->out, "/* fairness of the model, which SPIN does not know of (-f is weak fairness of proctypes):\n");
  for (size_t i = 0; i < x->m->fairness.count; i++) {
    const fairness *f = &x->m->fairness.at[i];
    text_add(&words, f->kind == FAIR_WEAK     ? "   weak"
                     : f->kind == FAIR_STRONG ? "   strong"
                     : f->kind == FAIR_STATE  ? "   state "
                                              : "   ");
    if (f->kind == FAIR_STATE) term_print(x->m->terms, f->state, &words);
    if (f->kind == FAIR_FORMULA) temporal_print(x->m->terms, f->formula, &words);
    for (size_t j = 0; j < f->transitions.count; j++)
      text_add(&words, "%s %s", j ? "," : "", x->m->transitions.at[f->transitions.at[j]].name);
    text_add_comment(x->out, text_string(&words));
    text_add_char(x->out, '\n');
    text_reset(&words);
  }
  text_clear(&words);
  text_add(x->out, "*/\n");
}

static void write_all(promela *x, const model *m, size_t without, size_t count, const int64_t *states) {
  text steps = {0}, *whole = x->out;
  bool one = count == 1;
  choose_owners(x);
  export_heading(x->p, "/* ", " */", whole);
  export_legend(x->p, "/* ", " */", whole);
  declare_values(x);
  declare(x, one ? states : NULL);
  if (!one) text_add(whole, "bool started = false;\n");
  x->out = &steps;
  for (size_t i = 0; i < x->proctypes.count; i++) proctype(x, i, one);
  if (!one) start(x, count, states);
  x->out = whole;
  for (size_t i = 0; i < x->asides.count; i++) text_add(whole, "hidden int %s;\n", x->asides.at[i]);
  text_add(whole, "%s", text_string(&steps));
  note_fairness(x);
  for (size_t i = 0; i < m->properties.count; i++)
    if (i != without) ask(x, &m->properties.at[i], !one);
  text_clear(&steps);
}

const char *export_promela(finite_program *p, const model *m, size_t without, budget *b, text *out) {
  promela x = {.p = p, .m = p->model, .names = export_names_new(p->model, &style, reserved), .out = out, .fine = true};
  size_t count;
  export_states states = {0};
  const char *trouble = NULL;
  if (!export_initial(x.m, b, &count, &states))
    trouble = "the program has too many initial states to list";
  else if (!count)
    trouble = "the model has no initial state";
  else
    write_all(&x, m, without, count, states.at);
  if (!trouble && !x.fine)
    trouble = "the program is too large to be written out; --consistency grouped makes it smaller";
  for (size_t i = 0; i < x.proctypes.count; i++) memory_free(x.proctypes.at[i]);
  VECTOR_FREE(x.proctypes);
  VECTOR_FREE(x.places);
  VECTOR_FREE(x.owner);
  for (size_t i = 0; i < x.asides.count; i++) memory_free(x.asides.at[i]);
  VECTOR_FREE(x.asides);
  VECTOR_FREE(states);
  export_names_free(x.names);
  return trouble;
}
