/* The program in the language of NuSMV. One step is one disjunct of TRANS. The variable that names the last action is
 * set by each step, so that fairness can refer to what was taken; chosen in advance with a guard that is false it would
 * make dead ends. A state without a step idles. */
#include "base/escape.h"
#include "engine/syntactic/export.h"
#include "model/fairness/cases.h"
#include "term/print.h"

static const export_style style = {.equal = "=",
                                   .different = "!=",
                                   .and = "&",
                                   .or = "|",
                                   .iff = "<->",
                                   .when_true = "?",
                                   .when_false = ":",
                                   .yes = "TRUE",
                                   .no = "FALSE"};

static const char reserved[] =
    "MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC COMPUTE NAME "
    "INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN "
    "CONSTRAINT SIMPWFF CTLWFF LTLWFF PSLWFF COMPWFF IN MIN MAX MIRROR PRED PREDICATES process array of boolean "
    "integer real word word1 bool signed unsigned "
    "extend resize sizeof uwconst swconst EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF ABF EBG ABG case esac mod "
    "next init union in xor xnor self TRUE "
    "FALSE count abs max min main last_action idle_step start";

static const export_temporal_words words = {.words = {[TEMPORAL_NOT] = "!",
                                                      [TEMPORAL_AND] = "&",
                                                      [TEMPORAL_OR] = "|",
                                                      [TEMPORAL_IMPLIES] = "->",
                                                      [TEMPORAL_IFF] = "<->",
                                                      [TEMPORAL_AX] = "AX",
                                                      [TEMPORAL_EX] = "EX",
                                                      [TEMPORAL_AF] = "AF",
                                                      [TEMPORAL_EF] = "EF",
                                                      [TEMPORAL_AG] = "AG",
                                                      [TEMPORAL_EG] = "EG",
                                                      [TEMPORAL_AU] = "U",
                                                      [TEMPORAL_EU] = "U",
                                                      [TEMPORAL_X] = "X",
                                                      [TEMPORAL_F] = "F",
                                                      [TEMPORAL_G] = "G",
                                                      [TEMPORAL_U] = "U",
                                                      [TEMPORAL_R] = "V"},
                                            .weak = true};

typedef struct smv {
  finite_program *p;
  const model *m;
  export_names *names;
  VECTOR(char *) actions; /* the name of each transition */
  VECTOR(char *) enabled; /* the name of what says that it can be taken */
  VECTOR(export_ways) ways;
  text *out;
  bool fine;
  const char *unsaid; /* NULL: all could be said */
} smv;

static void put(smv *x, term t) { x->fine &= export_term(x->names, t, x->out); }

static void declare(smv *x) {
  text_add(x->out, "MODULE main\nVAR\n");
  for (size_t i = 0; i < x->m->variables.count; i++) {
    variable v = x->m->variables.at[i].var;
    const type *t = variable_type(x->m->terms, v);
    text_add(x->out, "  %s : ", export_name(x->names, v));
    if (t->sort == SORT_BOOL) {
      text_add(x->out, "boolean");
    } else if (t->names) {
      for (size_t k = 0; k < t->name_count; k++) {
        text_add(x->out, k ? ", " : "{");
        export_value(x->names, v, (int64_t)k, x->out);
      }
      text_add_char(x->out, '}');
    } else {
      number_print(x->out, t->low);
      text_add(x->out, "..");
      number_print(x->out, t->high);
    }
    text_add(x->out, ";\n");
  }
  text_add(x->out, "  last_action : {start, idle_step");
  for (size_t i = 0; i < x->actions.count; i++) text_add(x->out, ", %s", x->actions.at[i]);
  text_add(x->out, "};\n");
}

static void initial(smv *x) {
  text_add(x->out, "INIT\n  last_action = start");
  for (size_t i = 0; i < x->p->init.count; i++) {
    text_add(x->out, " & ");
    put(x, x->p->init.at[i]);
  }
  text_add(x->out, "\n");
}

static void next_values(smv *x, const export_way *w) {
  for (size_t i = 0; i < x->m->variables.count; i++) {
    variable v = x->m->variables.at[i].var;
    term value = term_of_variable(x->m->terms, v);
    for (size_t j = 0; w && j < w->updates.count; j++)
      if (variable_same(w->updates.at[j].var, v)) value = w->updates.at[j].value;
    text_add(x->out, " & next(%s) = ", export_name(x->names, v));
    x->fine &= export_assigned(x->names, v, value, x->out);
  }
}

static void steps(smv *x) {
  bool first = true;
  text_add(x->out, "TRANS\n");
  for (size_t i = 0; i < x->ways.count; i++)
    for (size_t j = 0; j < x->ways.at[i].count; j++) {
      text_add(x->out, "%s(next(last_action) = %s & ", first ? "  " : "  | ", x->actions.at[i]);
      put(x, x->ways.at[i].at[j].guard);
      next_values(x, &x->ways.at[i].at[j]);
      text_add(x->out, ")\n");
      first = false;
    }
  text_add(x->out, "%s(next(last_action) = idle_step", first ? "  " : "  | ");
  for (size_t i = 0; i < x->ways.count; i++)
    if (x->ways.at[i].count) text_add(x->out, " & !%s", x->enabled.at[i]);
  next_values(x, NULL);
  text_add(x->out, ")\n");
}

static void enabled(smv *x) {
  text_add(x->out, "DEFINE\n");
  for (size_t i = 0; i < x->ways.count; i++) {
    text_add(x->out, "  %s := ", x->enabled.at[i]);
    if (!x->ways.at[i].count) text_add(x->out, "FALSE");
    for (size_t j = 0; j < x->ways.at[i].count; j++) {
      if (j) text_add(x->out, " | ");
      put(x, x->ways.at[i].at[j].guard);
    }
    text_add(x->out, ";\n");
  }
}

/* Some transition of the group can be taken; the last step was one of it. */
static void group(smv *x, const fairness *f, const char *before, char *const *names) {
  text_add_char(x->out, '(');
  for (size_t i = 0; i < f->transitions.count; i++)
    text_add(x->out, "%s%s%s", i ? " | " : "", before, names[f->transitions.at[i]]);
  text_add_char(x->out, ')');
}

/* Nothing is said by steps while nothing happens. */
static void often(smv *x, term t, bool by_steps) {
  text_add_char(x->out, '(');
  put(x, t);
  text_add(x->out, by_steps ? " & last_action != idle_step)" : ")");
}

static void fair_clauses(smv *x, const fair_case *all) {
  for (size_t i = 0; i < all->count; i++) {
    const fair_clause *k = &all->at[i];
    text_add(x->out, k->is_wanted ? "COMPASSION (" : "JUSTICE ");
    if (k->is_wanted) {
      often(x, k->wanted, k->wanted_by_steps);
      text_add(x->out, ", ");
    }
    if (!k->seen.count) text_add(x->out, "FALSE");
    for (size_t j = 0; j < k->seen.count; j++) {
      if (j) text_add(x->out, " | ");
      often(x, k->seen.at[j], k->seen_by_steps.at[j]);
    }
    text_add(x->out, k->is_wanted ? ");\n" : ";\n");
  }
}

/* JUSTICE and COMPASSION are all there is: a condition with several cases cannot be said. */
static void fair_formula(smv *x, const fairness *f) {
  fair_cases cases;
  fairness_cases(f->formula, &cases);
  if (cases.count == 1)
    fair_clauses(x, &cases.at[0]);
  else
    x->unsaid = "a fairness condition is no conjunction of JUSTICE and COMPASSION; write its cases as several models";
  fairness_cases_clear(&cases);
}

static void fair(smv *x, const fairness *f) {
  if (f->kind == FAIR_FORMULA) {
    fair_formula(x, f);
    return;
  }
  if (f->kind == FAIR_STATE) {
    text_add(x->out, "JUSTICE ");
    put(x, f->state);
  } else {
    text_add(x->out, f->kind == FAIR_WEAK ? "JUSTICE !" : "COMPASSION (");
    group(x, f, "", x->enabled.at);
    text_add(x->out, f->kind == FAIR_WEAK ? " | " : ", ");
    group(x, f, "last_action = ", x->actions.at);
    if (f->kind == FAIR_STRONG) text_add_char(x->out, ')');
  }
  text_add(x->out, ";\n");
}

static void ask(smv *x, const property *p) {
  text said = {0};
  text *out = x->out;
  bool fine = true;
  if (p->kind == PROPERTY_CTL || p->kind == PROPERTY_LTL)
    fine = export_temporal(x->names, &words, finite_program_map_temporal(x->p, p->formula), &said);
  else if (p->kind == PROPERTY_SAFE)
    fine = export_term(x->names, term_not(finite_program_map(x->p, p->bad)), &said);
  else if (p->kind == PROPERTY_DEADLOCKFREE && x->p->exact)
    text_add(&said, "AG (last_action != idle_step)");
  else
    fine = false;
  text_add(out, "-- ");
  text_add_comment(out, p->name);
  if (fine)
    text_add(out, "\n%s %s;\n",
             p->kind == PROPERTY_LTL    ? "LTLSPEC"
             : p->kind == PROPERTY_SAFE ? "INVARSPEC"
                                        : "CTLSPEC",
             text_string(&said));
  else
    text_add(out, " cannot be said here\n");
  text_clear(&said);
}

const char *export_smv(finite_program *p, const model *m, size_t without, text *out) {
  smv x = {.p = p, .m = p->model, .names = export_names_new(p->model, &style, reserved), .out = out, .fine = true};
  const char *trouble = NULL;
  for (size_t i = 0; i < x.m->transitions.count; i++) {
    VECTOR_PUSH(x.actions, export_identifier(x.names, x.m->transitions.at[i].name));
    export_ways ways = {0};
    if (!export_ways_of(x.m, &x.m->transitions.at[i], &ways))
      trouble = "an action has too many combinations of inputs to list";
    VECTOR_PUSH(x.ways, ways);
  }
  for (size_t i = 0; i < x.actions.count; i++) {
    char *name = text_format("can_%s", x.actions.at[i]);
    VECTOR_PUSH(x.enabled, export_identifier(x.names, name));
    memory_free(name);
  }
  export_heading(p, "-- ", "", out);
  export_legend(p, "-- ", "", out);
  declare(&x);
  enabled(&x);
  initial(&x);
  steps(&x);
  for (size_t i = 0; i < x.m->fairness.count; i++) fair(&x, &x.m->fairness.at[i]);
  for (size_t i = 0; i < m->properties.count; i++)
    if (i != without) ask(&x, &m->properties.at[i]);
  if (!trouble) trouble = x.unsaid;
  if (!trouble && !x.fine)
    trouble = "the program is too large to be written out; --consistency grouped makes it smaller";
  for (size_t i = 0; i < x.actions.count; i++) {
    memory_free(x.actions.at[i]);
    memory_free(x.enabled.at[i]);
    export_ways_clear(&x.ways.at[i]);
  }
  VECTOR_FREE(x.actions);
  VECTOR_FREE(x.enabled);
  VECTOR_FREE(x.ways);
  export_names_free(x.names);
  return trouble;
}
