/* Calls: functions of the program are run in place; what is known of others is in a table. */
#include <ctype.h>

#include "input/c/heap/heap.h"

typedef void known_call(c_lowering *l, const c_node *n);

static const c_type *type_of(c_lowering *l, const c_node *n) { return c_type_of(&l->types, n->type); }

static void push_nothing(c_lowering *l) {
  c_operand zero = c_value_number(l, c_type_signed(&l->types, 32), number_of(0));
  for (size_t i = 0; i < l->live.count; i++) c_path_push(l->live.at[i], zero);
}

static void drop_live(c_lowering *l) {
  for (size_t i = 0; i < l->live.count; i++) c_path_free(l->live.at[i]);
  VECTOR_CLEAR(l->live);
}

static void eval_arguments(c_lowering *l, const c_node *n) {
  for (size_t i = 1; i < n->count; i++)
    for (size_t j = i + 1; j < n->count; j++) c_check_unsequenced(l, n->inner[i], n->inner[j]);
  for (size_t i = 1; i < n->count; i++) c_eval(l, n->inner[i]);
}

static void pop_arguments(c_lowering *l, const c_node *n) {
  for (size_t i = 0; i < l->live.count && !l->refused; i++)
    for (size_t j = 1; j < n->count; j++) c_path_pop(l->live.at[i]);
}

/* Texts in quotes, also with casts around them, have no effects and are always there. */
static bool is_text(const c_node *n) {
  n = c_without_parens(n);
  while ((n->kind == C_IMPLICIT_CAST || n->kind == C_CAST) && n->count) n = c_without_parens(n->inner[n->count - 1]);
  return n->kind == C_STRING || !strcmp(n->kind_name, "PredefinedExpr");
}

/* The arguments from number `first` on, for their effects alone. */
static void eval_effects_from(c_lowering *l, const c_node *n, size_t first) {
  for (size_t i = 1; i < n->count; i++)
    for (size_t j = i + 1; j < n->count; j++) c_check_unsequenced(l, n->inner[i], n->inner[j]);
  for (size_t i = first; i < n->count && !l->refused; i++)
    if (!is_text(n->inner[i])) c_eval_effects(l, n->inner[i]);
}

/* ---- who is called ---- */

const c_node *c_function_named(const c_lowering *l, const char *name) {
  uint64_t found;
  if (!names_get(l->functions, name, &found)) return NULL;
  const c_node *function = (const c_node *)(uintptr_t)found;
  return function->count && function->inner[function->count - 1]->kind == C_COMPOUND ? function : NULL;
}

static bool has_attribute(const c_node *function, const char *kind) {
  for (size_t i = 0; i < function->count; i++)
    if (!strcmp(function->inner[i]->kind_name, kind)) return true;
  return false;
}

/* ---- known functions ---- */

static void run_with_arguments(c_lowering *l, const c_node *function, const c_node *n);

static void describe_error(c_lowering *l, const c_node *n) {
  for (size_t i = 0; i < l->live.count; i++) c_path_error(l, l->live.at[i], n);
}

/* The program ends here. */
static void end_live(c_lowering *l, const c_node *n) {
  c_heap_end(l, &l->live, false, n);
  drop_live(l);
}

/* What the program says should happen then happens, if it says so. */
static void call_error(c_lowering *l, const c_node *n) {
  const c_node *function = c_function_named(l, c_callee_of(n)->reference_name);
  if (function)
    eval_arguments(l, n);
  else
    eval_effects_from(l, n, 1);
  if (l->refused) return;
  describe_error(l, n);
  if (function)
    run_with_arguments(l, function, n);
  else
    end_live(l, n);
}

static void call_failed_assertion(c_lowering *l, const c_node *n) {
  eval_effects_from(l, n, 1);
  if (l->refused) return;
  describe_error(l, n);
  end_live(l, n);
}

static void call_end(c_lowering *l, const c_node *n) {
  eval_effects_from(l, n, 1);
  if (!l->refused) end_live(l, n);
}

static void keep_if(c_lowering *l, const c_node *n, bool checks) {
  c_paths yes = {0}, no = {0};
  if (n->count < 2) {
    c_refuse(l, n, "this call has no argument; a condition would be read");
    return;
  }
  eval_effects_from(l, n, 2);
  c_eval_condition(l, n->inner[1], &yes, &no);
  c_paths_move(&no, &l->live);
  if (!l->refused && checks) describe_error(l, n);
  if (!l->refused && checks) end_live(l, n);
  if (!l->refused) drop_live(l);
  c_paths_move(&yes, &l->live);
  VECTOR_FREE(yes);
  VECTOR_FREE(no);
  push_nothing(l);
}

static void call_assume(c_lowering *l, const c_node *n) { keep_if(l, n, false); }
static void call_assert(c_lowering *l, const c_node *n) { keep_if(l, n, true); }

/* About the next loop (invariants.c). */
static void call_invariant(c_lowering *l, const c_node *n) {
  if (n->count == 2) VECTOR_PUSH(l->pending, n->inner[1]);
  push_nothing(l);
}

static void call_of_witness(c_lowering *l, const c_node *n) {
  c_points_call(l, n);
  push_nothing(l);
}

static void call_expect(c_lowering *l, const c_node *n) {
  eval_effects_from(l, n, 2);
  if (n->count > 1) c_eval(l, n->inner[1]);
}

static void call_absolute(c_lowering *l, const c_node *n) {
  const c_type *t = type_of(l, n);
  if (n->count != 2) {
    c_refuse(l, n, "`%s` is called without its one argument", c_callee_of(n)->reference_name);
    return;
  }
  eval_arguments(l, n);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand a = c_path_pop(p), zero = c_value_number(l, t, number_of(0));
    if (number_sign(a.low) < 0) {
      term least = term_eq(l->ts, a.value, term_number(l->ts, t->low));
      c_path_check(l, p, least, ERROR_OVERFLOW, n);
      a.value = term_ite(l->ts, term_lt(l->ts, a.value, zero.value), term_negate(l->ts, a.value), a.value);
      a.low = number_of(0);
      a.high = t->high;
    }
    c_path_push(p, a);
  }
}

static bool is_pointer(const c_type *t) { return t->kind == TYPE_POINTER || t->is_address; }

static bool points_to_characters(c_lowering *l, const c_type *t) {
  const c_type *target = c_type_target(&l->types, t);
  return target->kind == TYPE_VOID || (target->kind == TYPE_INTEGER && target->bits == 8);
}

/* `stderr` and the like: variables of the library that hold pointers to what this program does not know. */
static bool is_stream(c_lowering *l, const c_node *n) {
  uint64_t known;
  n = c_without_parens(n);
  if (n->kind == C_IMPLICIT_CAST && n->count && !strcmp(n->cast, "LValueToRValue")) n = c_without_parens(n->inner[0]);
  if (n->kind != C_NAME || !map_get(l->global_ids, n->reference, &known)) return false;
  const c_node *declared = (const c_node *)(uintptr_t)known;
  const c_type *t = type_of(l, n);
  return !strcmp(declared->storage, "extern") && !declared->count && is_pointer(t) && !points_to_characters(l, t) &&
         strstr(n->type, "FILE");
}

/* Without casts between pointers. */
static const c_node *pointer_itself(const c_node *n) {
  n = c_without_parens(n);
  while ((n->kind == C_IMPLICIT_CAST || n->kind == C_CAST) && n->count &&
         (!strcmp(n->cast, "BitCast") || !strcmp(n->cast, "NoOp")))
    n = c_without_parens(n->inner[n->count - 1]);
  return n;
}

/* Characters may be read from there up to a 0: of texts in quotes alone it is known that there is one. */
static void eval_printed_characters(c_lowering *l, const c_node *n) {
  c_eval(l, n);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_operand o = c_path_pop(l->live.at[i]);
    number at;
    bool is_whole_text = o.type->kind == TYPE_POINTER && o.object && !o.object->cells && !o.object->declared &&
                         !o.may_be_null && term_is_number(l->ts, o.value, &at) && number_is(at, 0);
    if (!is_whole_text && !term_is_false(l->live.at[i]->guard))
      c_refuse(l, n, "characters that are not a text in quotes are given to a function that is not in this file");
  }
}

static void eval_printed(c_lowering *l, const c_node *n) {
  const c_type *t = type_of(l, n);
  const c_node *itself = pointer_itself(n);
  if (is_text(n) || is_stream(l, n)) return;
  if (!is_pointer(t)) {
    c_eval_effects(l, n);
  } else if (itself->kind == C_BINARY && !strcmp(itself->opcode, ",")) {
    c_eval_effects(l, itself->inner[0]);
    eval_printed(l, itself->inner[1]);
  } else if (itself->kind == C_CONDITIONAL && is_text(itself->inner[1]) && is_text(itself->inner[2])) {
    c_eval_effects(l, itself->inner[0]);
  } else if (is_pointer(type_of(l, itself)) && points_to_characters(l, type_of(l, itself))) {
    eval_printed_characters(l, itself);
  } else if (c_type_target(&l->types, t)->kind == TYPE_INTEGER) {
    c_refuse(l, n, "a pointer is given to a function that is not in this file; a number would be read");
  } else {
    c_eval_effects(l, itself);
  }
}

/* Writes something and changes nothing that the program can see. */
static void call_print(c_lowering *l, const c_node *n) {
  for (size_t i = 1; i < n->count; i++)
    for (size_t j = i + 1; j < n->count; j++) c_check_unsequenced(l, n->inner[i], n->inner[j]);
  for (size_t i = 1; i < n->count && !l->refused; i++) eval_printed(l, n->inner[i]);
  for (size_t i = 0; i < l->live.count && !l->refused; i++)
    c_path_push(l->live.at[i], c_path_any(l, l->live.at[i], type_of(l, n), "any result"));
}

/* Any value from `low` on. */
static void call_any_from(c_lowering *l, const c_node *n, int64_t low, int64_t high) {
  const char *name = c_callee_of(n)->reference_name;
  eval_arguments(l, n);
  pop_arguments(l, n);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand o = c_path_input(l, p, type_of(l, n), arena_copy_string(l->arena, name), n);
    o.low = number_of(low);
    o.high = number_of(high);
    term fits =
        term_and(l->ts, term_ge(l->ts, o.value, term_int(l->ts, low)), term_le(l->ts, o.value, term_int(l->ts, high)));
    c_path_assume(l, p, fits);
    c_path_push(p, o);
  }
}

static void call_random(c_lowering *l, const c_node *n) { call_any_from(l, n, 0, INT32_MAX); }
static void call_get_character(c_lowering *l, const c_node *n) { call_any_from(l, n, -1, UINT8_MAX); }

static void call_without_effect(c_lowering *l, const c_node *n) {
  eval_arguments(l, n);
  pop_arguments(l, n);
  push_nothing(l);
}

static void call_memory(c_lowering *l, const c_node *n) { c_call_memory(l, n, c_callee_of(n)->reference_name); }

static void call_refused(c_lowering *l, const c_node *n) {
  c_refuse(l, n,
           "realloc, threads and long jumps are not read; variables, arrays, malloc and free, and plain calls, are");
}

/* One whose result is used as a pointer to something is evaluated by the cast around it. */
static void call_allocation(c_lowering *l, const c_node *n) {
  c_refuse(l, n, "memory is allocated here that is not an array or struct of one type; `int *p = malloc(..)` is read");
}

static const struct {
  const char *name;
  known_call *call;
  bool always; /* also if the program has a function of that name */
} known[] = {
    {"reach_error", call_error, true},
    {"__VERIFIER_error", call_error, true},
    {"__assert_fail", call_failed_assertion, true},
    {"__assert", call_failed_assertion, false},
    {"abort", call_end, false},
    {"exit", call_end, false},
    {"_exit", call_end, false},
    {"_Exit", call_end, false},
    {"quick_exit", call_end, false},
    {"__VERIFIER_assume", call_assume, false},
    {"assume", call_assume, false},
    {"assume_abort_if_not", call_assume, false},
    {"__VERIFIER_assert", call_assert, false},
    {"assert", call_assert, false},
    {"whet_assert", call_assert, false},
    {"whet_invariant", call_invariant, false},
    {"whet_witness", call_of_witness, true},
    {"abs", call_absolute, false},
    {"labs", call_absolute, false},
    {"llabs", call_absolute, false},
    {"__builtin_expect", call_expect, false},
    {"rand", call_random, false},
    {"srand", call_without_effect, false},
    {"getchar", call_get_character, false},
    {"printf", call_print, false},
    {"fprintf", call_print, false},
    {"puts", call_print, false},
    {"putchar", call_print, false},
    {"fputs", call_print, false},
    {"fflush", call_print, false},
    {"perror", call_print, false},
    {"memset", call_memory, false},
    {"memcpy", call_memory, false},
    {"memmove", call_memory, false},
    {"__builtin_memset", call_memory, false},
    {"__builtin_memcpy", call_memory, false},
    {"__builtin_memmove", call_memory, false},
    {"malloc", call_allocation, false},
    {"calloc", call_allocation, false},
    {"realloc", call_refused, false},
    {"alloca", call_allocation, false},
    {"__builtin_alloca", call_allocation, false},
    {"free", c_call_free, false},
    {"setjmp", call_refused, false},
    {"_setjmp", call_refused, false},
    {"longjmp", call_refused, false},
    {"pthread_create", call_refused, false},
    {"fork", call_refused, false},
};

bool c_is_known_function(const char *name) {
  for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
    if (!strcmp(name, known[i].name)) return true;
  return false;
}

/* ---- functions of the program ---- */

static size_t parameter_count(const c_node *function) {
  size_t count = 0;
  for (size_t i = 0; i < function->count; i++) count += function->inner[i]->kind == C_PARAMETER;
  return count;
}

static const c_node *parameter_at(const c_node *function, size_t index) {
  for (size_t i = 0; i < function->count; i++)
    if (function->inner[i]->kind == C_PARAMETER && !index--) return function->inner[i];
  return NULL;
}

static void bind_value(c_lowering *l, const c_node *parameter, const c_node *at) {
  const c_object *o = c_object_declare(l, parameter);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand value = c_path_pop(p);
    if (o->lives_in) c_variable_begin(l, p, o);
    c_operand to = c_object_place_on(l, p, o);
    if (o->type->kind == TYPE_STRUCT && value.is_place && value.type->cells == o->type->cells) {
      c_place_copy(l, p, &to, &value, at);
    } else if (c_type_is_integer(o->type) && c_type_is_integer(value.type) && !value.is_place) {
      value = c_value_convert(l, p, &value, o->type); /* of a function without prototype */
      c_place_write(l, p, &to, &value, at);
    } else {
      c_refuse_type(l, at, value.type);
    }
  }
  VECTOR_PUSH(l->frame->locals, o);
}

void c_bind_parameters(c_lowering *l, const c_node *function, const c_node *call) {
  size_t parameters = parameter_count(function), arguments = call->count - 1;
  if (arguments < parameters)
    c_refuse(l, call, "`%s` is called with fewer arguments than it has parameters", function->name);
  for (size_t i = arguments; i-- > 0 && !l->refused;) {
    const c_node *parameter = i < parameters ? parameter_at(function, i) : NULL;
    if (!parameter)
      for (size_t j = 0; j < l->live.count; j++) c_path_pop(l->live.at[j]);
    else if (type_of(l, parameter)->kind == TYPE_POINTER)
      c_pointer_bind(l, parameter);
    else
      bind_value(l, parameter, call);
  }
}

void c_return_anything(c_lowering *l, const c_type *t) {
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_path_push(p, c_type_is_integer(t) ? c_path_any(l, p, t, "any result")
                                        : c_value_number(l, c_type_signed(&l->types, 32), number_of(0)));
  }
}

static void leave(c_lowering *l, c_frame *f, const c_node *n) {
  c_paths_move(&f->returns, &l->live);
  for (size_t i = 0; i < f->locals.count; i++)
    for (size_t j = 0; j < l->live.count && f->locals.at[i]->lives_in; j++)
      c_variable_end(l, l->live.at[j], f->locals.at[i]);
  for (size_t i = 0; i < f->locals.count; i++)
    for (size_t j = 0; j < l->live.count; j++)
      for (size_t k = 0; k < f->locals.at[i]->cells; k++) {
        c_cell_forget(l->live.at[j], f->locals.at[i]->first + k);
        if (f->locals.at[i]->has_flags) c_cell_forget(l->live.at[j], f->locals.at[i]->flags + k);
      }
  l->frame = f->caller;
  VECTOR_FREE(f->returns);
  VECTOR_FREE(f->labels);
  VECTOR_FREE(f->locals);
  VECTOR_FREE(f->stack);
  c_live_join(l, n);
}

/* A variable of the function, which is gone when it has returned. */
static bool is_own_variable(const c_node *function, const c_object *o) {
  return o->declared && !o->is_allocated && strcmp(o->declared->storage, "static") &&
         c_is_inside(function, o->declared);
}

/* A pointer that is returned points to something that is still there. */
static void check_returned(c_lowering *l, const c_frame *f, const c_node *n) {
  if (l->live.count && !l->refused)
    c_refuse(l, n, "`%s` can end without a `return`, and returns a pointer; with one it would be read",
             f->function->name);
  for (size_t i = 0; i < f->returns.count && !l->refused; i++) {
    const c_operand *o = &VECTOR_LAST(f->returns.at[i]->stack);
    if (o->object && is_own_variable(f->function, o->object))
      c_refuse(l, n, "`%s` returns the address of its own variable `%s`; that of one that outlives the call is read",
               f->function->name, o->object->name);
  }
}

/* The struct that a call returns is a variable of its own. */
static const c_object *result_of(c_lowering *l, const c_node *call) {
  c_node *variable = arena_alloc(l->arena, sizeof *variable);
  *variable = *call;
  variable->kind = C_VARIABLE;
  variable->name = "result";
  variable->storage = "";
  return c_object_declare(l, variable);
}

static void return_any_struct(c_lowering *l, const c_object *result) {
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_object_clear(l, l->live.at[i], result, false);
    c_path_push(l->live.at[i], c_object_place(l, result));
  }
}

/* The arguments are on the stack of each live path. */
static void run_with_arguments(c_lowering *l, const c_node *function, const c_node *n) {
  const c_type *result = type_of(l, n);
  bool is_pointer = result->kind == TYPE_POINTER;
  bool is_struct = result->kind == TYPE_STRUCT;
  if (((is_pointer || is_struct) && c_is_procedure(l, function)) || result->kind == TYPE_OTHER) {
    c_refuse(l, n,
             "`%s` returns a value of type `%s`; functions that return integers or nothing are read, and pointers and "
             "structs if they do not call themselves",
             function->name, result->text);
    return;
  }
  if (l->refused || !l->live.count) return;
  if (c_is_procedure(l, function)) {
    c_call_procedure(l, function, n);
    return;
  }
  c_frame f = {.function = function, .caller = l->frame, .result = is_struct ? result_of(l, n) : NULL};
  l->frame = &f;
  c_bind_parameters(l, function, n);
  c_variables_enter(l, function);
  if (l->live.count) VECTOR_COPY(f.stack, l->live.at[0]->stack);
  if (!l->refused) c_execute(l, function->inner[function->count - 1]);
  if (is_pointer)
    check_returned(l, &f, n);
  else if (is_struct)
    return_any_struct(l, f.result);
  else
    c_return_anything(l, result);
  leave(l, &f, n);
  for (size_t i = 0; i < l->live.count && !l->refused && c_type_is_integer(result); i++) {
    c_operand *top = &VECTOR_LAST(l->live.at[i]->stack);
    *top = c_value_convert(l, l->live.at[i], top, result);
  }
}

void c_run_function(c_lowering *l, const c_node *function, const c_node *call) {
  eval_arguments(l, call);
  run_with_arguments(l, function, call);
}

/* ---- functions from elsewhere ---- */

/* Functions that clang itself knows, those that a header of the system declares, and others of the C library: they do
 * not return any value, and some do not return. */
static bool is_of_the_library(const c_lowering *l, const char *name) {
  static const char *const all[] = {
      "atoi",          "atol",   "atoll",  "strtol", "strtoul", "strtoll", "strtoull", "div",   "ldiv",     "lldiv",
      "imaxabs",       "ffs",    "getc",   "fgetc",  "fopen",   "fclose",  "time",     "clock", "raise",    "atexit",
      "at_quick_exit", "getenv", "system", "sleep",  "err",     "errx",    "verr",     "verrx", "thrd_exit"};
  uint64_t found;
  const c_node *function = names_get(l->functions, name, &found) ? (const c_node *)(uintptr_t)found : NULL;
  if (function && (function->is_of_system || has_attribute(function, "BuiltinAttr"))) return true;
  if (!strncmp(name, "__builtin_", strlen("__builtin_")) || !strncmp(name, "__sync_", strlen("__sync_")) ||
      !strncmp(name, "__atomic_", strlen("__atomic_")) || !strncmp(name, "pthread_", strlen("pthread_")))
    return true;
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
    if (!strcmp(name, all[i])) return true;
  return false;
}

static bool is_without_return(const c_lowering *l, const char *name) {
  uint64_t found;
  if (!names_get(l->functions, name, &found)) return false;
  const c_node *function = (const c_node *)(uintptr_t)found;
  return strstr(function->type, "noreturn") || has_attribute(function, "NoReturnAttr") ||
         has_attribute(function, "C11NoReturnAttr");
}

/* That a function of the verifier returns any value is its meaning. */
static void remember_external(c_lowering *l, const char *name) {
  static const char known_prefix[] = "__VERIFIER_nondet_";
  if (!strncmp(name, known_prefix, strlen(known_prefix)) || names_get(l->externals, name, NULL)) return;
  names_set(l->externals, name, 1);
  text_add(&l->external_names, "%s%s", l->external_names.count ? ", " : "", name);
}

/* The word `const` is in the text of a type. */
static bool has_const(const char *text) {
  for (const char *at = strstr(text, "const"); at; at = strstr(at + 1, "const")) {
    bool starts = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
    if (starts && !isalnum((unsigned char)at[5]) && at[5] != '_') return true;
  }
  return false;
}

/* Nobody may change what is there: a variable that is const itself, or a text. A pointer to const says nothing about it. */
static bool is_never_changed(const c_object *o) {
  const c_type *t = o->type;
  if (!o->declared) return !o->cells && !o->space;
  while (t->kind == TYPE_ARRAY) t = t->element;
  bool is_plain = t->kind == TYPE_STRUCT || (t->kind == TYPE_INTEGER && !t->is_address && !t->is_function);
  return is_plain && !o->is_allocated && !strncmp(o->declared->type, "const ", strlen("const "));
}

static void refuse_given_pointer(c_lowering *l, const char *name, const c_node *at) {
  c_refuse(l, at,
           "a pointer is given to `%s`, which is not in this file and could change what it points to; a number "
           "would be read",
           name);
}

/* The arguments are on the stack of each live path. */
static void check_given(c_lowering *l, const char *name, const c_node *n) {
  for (size_t i = 0; i < l->live.count; i++)
    for (size_t j = 1; j < n->count && !l->refused; j++) {
      const c_path *p = l->live.at[i];
      const c_operand *o = &p->stack.at[p->stack.count - n->count + j];
      if (o->type->kind == TYPE_POINTER && o->object && !is_never_changed(o->object))
        refuse_given_pointer(l, name, n->inner[j]);
    }
}

static bool has_pointer(const c_type *t) {
  if (t->kind == TYPE_ARRAY) return has_pointer(t->element);
  for (size_t i = 0; i < t->fields.count; i++)
    if (has_pointer(t->fields.at[i].type)) return true;
  return is_pointer(t) || t->is_function;
}

static void call_external(c_lowering *l, const char *name, const c_node *n) {
  const c_type *t = type_of(l, n);
  if (is_of_the_library(l, name)) {
    c_refuse(l, n, "what `%s` returns is defined elsewhere and not read; a function with its body in this file is",
             name);
    return;
  }
  for (size_t i = 1; i < n->count; i++) {
    const c_type *of = type_of(l, n->inner[i]);
    if (of->is_address)
      c_refuse(l, n->inner[i], "a pointer is given to `%s`, which is not in this file and could use what it points to",
               name);
    if (of->is_function)
      c_refuse(l, n->inner[i], "a pointer to a function is given to `%s`, which is not in this file and could call it",
               name);
    if (of->kind == TYPE_POINTER && !is_text(n->inner[i]) && !has_const(of->text))
      refuse_given_pointer(l, name, n->inner[i]);
    if (of->kind == TYPE_STRUCT && has_pointer(of)) refuse_given_pointer(l, name, n->inner[i]);
  }
  if (t->kind != TYPE_VOID && (!c_type_is_integer(t) || t->is_function)) c_refuse_type(l, n, t);
  eval_arguments(l, n);
  check_given(l, name, n);
  pop_arguments(l, n);
  if (is_without_return(l, name)) {
    drop_live(l);
    return;
  }
  remember_external(l, name);
  c_function_note(l, name, false);
  if (t->is_address)
    c_return_anything(l, t);
  else if (c_type_is_integer(t))
    for (size_t i = 0; i < l->live.count && !l->refused; i++)
      c_path_push(l->live.at[i], c_path_input(l, l->live.at[i], t, arena_copy_string(l->arena, name), n));
  else
    push_nothing(l);
}

void c_eval_call(c_lowering *l, const c_node *n) {
  const c_node *callee = c_callee_of(n);
  if (!callee) {
    c_points_enter(l, n);
    c_call_through(l, n);
    c_points_return(l, n);
    return;
  }
  const char *name = callee->reference_name;
  c_points_enter(l, n);
  const c_node *function = c_function_named(l, name);
  if (c_is_overflow_call(n)) { /* a program cannot have a function of that name */
    c_call_overflow(l, n);
    c_points_return(l, n);
    return;
  }
  for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
    if (!strcmp(name, known[i].name) && (known[i].always || !function)) {
      known[i].call(l, n);
      c_points_return(l, n);
      return;
    }
  if (function)
    c_run_function(l, function, n);
  else
    call_external(l, name, n);
  c_points_return(l, n);
}
