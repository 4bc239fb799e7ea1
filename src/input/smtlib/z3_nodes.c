/* The other file that sees z3.h (solver/z3.c is the first): Z3's parser, and its syntax trees as a table of nodes.
 *
 * Trees are walked with a stack of our own: they are as deep as the text makes them. */
#include "input/smtlib/z3_nodes.h"

#include <z3.h>

#include "base/escape.h"
#include "base/map.h"

#define MEMORY_LIMIT_MB "4096"

typedef struct importer {
  Z3_context context;
  nodes *out;
  map *known; /* id of a tree -> its node */
  names *strings;
  VECTOR(Z3_ast) pending;
} importer;

static bool failed;

static void note_error(Z3_context c, Z3_error_code e) {
  (void)c;
  failed |= e != Z3_OK;
}

static uint32_t add_string(importer *in, const char *s) {
  uint64_t at;
  if (names_get(in->strings, s, &at)) return (uint32_t)at;
  at = in->out->strings.count;
  for (;; s++) {
    VECTOR_PUSH(in->out->strings, *s);
    if (!*s) break;
  }
  names_set(in->strings, in->out->strings.at + at, at);
  return (uint32_t)at;
}

static node_sort array_sort_of(importer *in, Z3_sort s) {
  const char *name = Z3_sort_to_string(in->context, s);
  for (unsigned i = NODE_ARRAY_OF_BOOL; i <= NODE_LAST_ARRAY; i++) {
    type of = node_array_type(i);
    if (!strcmp(name, type_smtlib_sort(&of))) return (node_sort)i;
  }
  return NODE_OTHER_SORT;
}

static node_sort sort_of(importer *in, Z3_sort s) {
  switch (Z3_get_sort_kind(in->context, s)) {
    case Z3_BOOL_SORT: return NODE_BOOL;
    case Z3_INT_SORT: return NODE_INT;
    case Z3_REAL_SORT: return NODE_REAL;
    case Z3_DATATYPE_SORT: return NODE_DATATYPE;
    case Z3_ARRAY_SORT: return array_sort_of(in, s);
    default: return NODE_OTHER_SORT;
  }
}

/* Names as commands.c has them. */
static uint32_t symbol_string(importer *in, Z3_symbol s) {
  char buffer[32];
  if (Z3_get_symbol_kind(in->context, s) == Z3_STRING_SYMBOL) {
    text name = {0};
    text_add_escaped(&name, Z3_get_symbol_string(in->context, s), "");
    uint32_t at = add_string(in, text_string(&name));
    text_clear(&name);
    return at;
  }
  snprintf(buffer, sizeof buffer, "k!%d", Z3_get_symbol_int(in->context, s));
  return add_string(in, buffer);
}

static node_operator operator_of(Z3_decl_kind kind, const char *name) {
  switch (kind) {
    case Z3_OP_TRUE: return NODE_TRUE;
    case Z3_OP_FALSE: return NODE_FALSE;
    case Z3_OP_EQ:
    case Z3_OP_IFF: return NODE_EQUAL;
    case Z3_OP_DISTINCT: return NODE_DISTINCT;
    case Z3_OP_ITE: return NODE_ITE;
    case Z3_OP_AND: return NODE_AND;
    case Z3_OP_OR: return NODE_OR;
    case Z3_OP_XOR: return NODE_XOR;
    case Z3_OP_NOT: return NODE_NOT;
    case Z3_OP_IMPLIES: return NODE_IMPLIES;
    case Z3_OP_LE: return NODE_AT_MOST;
    case Z3_OP_GE: return NODE_AT_LEAST;
    case Z3_OP_LT: return NODE_LESS;
    case Z3_OP_GT: return NODE_GREATER;
    case Z3_OP_ADD: return NODE_ADD;
    case Z3_OP_SUB: return NODE_SUBTRACT;
    case Z3_OP_UMINUS: return NODE_NEGATE;
    case Z3_OP_MUL: return NODE_MULTIPLY;
    case Z3_OP_IDIV: return NODE_DIV;
    case Z3_OP_MOD: return NODE_MOD;
    case Z3_OP_DIV: return NODE_DIVIDE;
    case Z3_OP_TO_REAL: return NODE_TO_REAL;
    case Z3_OP_TO_INT: return NODE_TO_INT;
    case Z3_OP_IS_INT: return NODE_IS_INT;
    case Z3_OP_SELECT: return NODE_SELECT;
    case Z3_OP_STORE: return NODE_STORE;
    case Z3_OP_CONST_ARRAY: return NODE_CONSTANT_ARRAY;
    case Z3_OP_DT_CONSTRUCTOR: return NODE_CONSTRUCTOR;
    case Z3_OP_DT_RECOGNISER:
    case Z3_OP_DT_IS: return NODE_IS_VALUE;
    case Z3_OP_UNINTERPRETED: return NODE_SYMBOL;
    default: return !strcmp(name, "abs") ? NODE_ABS : NODE_OTHER;
  }
}

static uint32_t known_node(importer *in, Z3_ast a) {
  uint64_t at = 0;
  bool found = map_get(in->known, Z3_get_ast_id(in->context, a), &at);
  REQUIRE(found, "arguments before those who use them");
  return (uint32_t)at;
}

/* Of what tests for a constructor, the constructor. */
static uint32_t name_of(importer *in, Z3_func_decl decl) {
  Z3_context c = in->context;
  Z3_decl_kind kind = Z3_get_decl_kind(c, decl);
  bool is_test = kind == Z3_OP_DT_RECOGNISER || kind == Z3_OP_DT_IS;
  if (is_test && Z3_get_decl_num_parameters(c, decl) &&
      Z3_get_decl_parameter_kind(c, decl, 0) == Z3_PARAMETER_FUNC_DECL)
    decl = Z3_get_decl_func_decl_parameter(c, decl, 0);
  return symbol_string(in, Z3_get_decl_name(c, decl));
}

static node app_node(importer *in, Z3_ast a) {
  Z3_context c = in->context;
  Z3_app app = Z3_to_app(c, a);
  Z3_func_decl decl = Z3_get_app_decl(c, app);
  node n = {.count = Z3_get_app_num_args(c, app), .first = (uint32_t)in->out->arguments.count};
  n.name = name_of(in, decl);
  n.op = (uint8_t)operator_of(Z3_get_decl_kind(c, decl), in->out->strings.at + n.name);
  for (unsigned i = 0; i < n.count; i++) VECTOR_PUSH(in->out->arguments, known_node(in, Z3_get_app_arg(c, app, i)));
  return n;
}

static node quantifier_node(importer *in, Z3_ast a) {
  Z3_context c = in->context;
  node n = {.count = 1, .first = (uint32_t)in->out->arguments.count, .bound_first = (uint32_t)in->out->bound.count};
  n.op = Z3_is_quantifier_forall(c, a) ? NODE_FORALL : Z3_is_quantifier_exists(c, a) ? NODE_EXISTS : NODE_OTHER;
  n.bound_count = Z3_get_quantifier_num_bound(c, a);
  n.name = add_string(in, "lambda");
  for (unsigned i = 0; i < n.bound_count; i++) {
    Z3_sort s = Z3_get_quantifier_bound_sort(c, a, i);
    bound_name b = {.name = symbol_string(in, Z3_get_quantifier_bound_name(c, a, i)), .sort = (uint8_t)sort_of(in, s)};
    bool is_datatype = Z3_get_sort_kind(c, s) == Z3_DATATYPE_SORT;
    b.sort_name = is_datatype ? symbol_string(in, Z3_get_sort_name(c, s)) : add_string(in, Z3_sort_to_string(c, s));
    VECTOR_PUSH(in->out->bound, b);
  }
  VECTOR_PUSH(in->out->arguments, known_node(in, Z3_get_quantifier_body(c, a)));
  return n;
}

/* Arguments that are not known yet are pushed; how many. */
static size_t push_unknown(importer *in, Z3_ast a) {
  Z3_context c = in->context;
  size_t before = in->pending.count;
  uint64_t at;
  Z3_ast_kind kind = Z3_get_ast_kind(c, a);
  unsigned count = kind == Z3_APP_AST ? Z3_get_app_num_args(c, Z3_to_app(c, a)) : kind == Z3_QUANTIFIER_AST ? 1 : 0;
  for (unsigned i = 0; i < count; i++) {
    Z3_ast argument = kind == Z3_APP_AST ? Z3_get_app_arg(c, Z3_to_app(c, a), i) : Z3_get_quantifier_body(c, a);
    if (!map_get(in->known, Z3_get_ast_id(c, argument), &at)) VECTOR_PUSH(in->pending, argument);
  }
  return in->pending.count - before;
}

static node node_of(importer *in, Z3_ast a) {
  Z3_context c = in->context;
  node n;
  switch (Z3_get_ast_kind(c, a)) {
    case Z3_APP_AST: n = app_node(in, a); break;
    case Z3_QUANTIFIER_AST: n = quantifier_node(in, a); break;
    case Z3_VAR_AST: n = (node){.op = NODE_BOUND, .name = Z3_get_index_value(c, a)}; break;
    case Z3_NUMERAL_AST: n = (node){.op = NODE_NUMBER, .name = add_string(in, Z3_get_numeral_string(c, a))}; break;
    default: n = (node){.op = NODE_OTHER, .name = add_string(in, "expression")}; break;
  }
  Z3_sort s = Z3_get_sort(c, a);
  n.sort = (uint8_t)(s ? sort_of(in, s) : NODE_OTHER_SORT);
  return n;
}

static uint32_t import(importer *in, Z3_ast root) {
  uint64_t at;
  VECTOR_PUSH(in->pending, root);
  while (in->pending.count) {
    Z3_ast a = VECTOR_LAST(in->pending);
    bool known = map_get(in->known, Z3_get_ast_id(in->context, a), &at);
    if (!known && push_unknown(in, a)) continue;
    in->pending.count--;
    if (known) continue;
    node n = node_of(in, a);
    map_set(in->known, Z3_get_ast_id(in->context, a), in->out->nodes.count);
    VECTOR_PUSH(in->out->nodes, n);
  }
  return known_node(in, root);
}

/* False if the definition speaks of what it defines. */
static bool import_definition(importer *in, Z3_ast equation) {
  Z3_context c = in->context;
  Z3_app app = Z3_to_app(c, equation);
  Z3_ast name = Z3_get_app_arg(c, app, 0);
  uint64_t at;
  uint32_t value = import(in, Z3_get_app_arg(c, app, 1));
  if (map_get(in->known, Z3_get_ast_id(c, name), &at)) return false;
  map_set(in->known, Z3_get_ast_id(c, name), value);
  VECTOR_PUSH(in->out->roots, value);
  return true;
}

static bool import_all(importer *in, Z3_ast_vector all, size_t count, const bool *is_definition, size_t *bad) {
  for (unsigned i = 0; i < count && !failed; i++) {
    Z3_ast a = Z3_ast_vector_get(in->context, all, i);
    *bad = i;
    if (!is_definition[i])
      VECTOR_PUSH(in->out->roots, import(in, a));
    else if (!import_definition(in, a))
      return false;
  }
  *bad = SIZE_MAX;
  return !failed;
}

bool z3_parse(const char *smtlib, size_t count, const bool *is_definition, nodes *out, text *error,
              size_t *bad_definition) {
  importer in = {.out = out, .known = map_new(), .strings = names_new()};
  Z3_config configuration = Z3_mk_config();
  *bad_definition = SIZE_MAX;
  Z3_toggle_warning_messages(false);
  Z3_global_param_set("memory_max_size", MEMORY_LIMIT_MB);
  in.context = Z3_mk_context_rc(configuration);
  Z3_del_config(configuration);
  Z3_set_error_handler(in.context, note_error);
  Z3_ast_vector all = Z3_parse_smtlib2_string(in.context, smtlib, 0, NULL, NULL, 0, NULL, NULL);
  bool fine = false;
  if (failed || !all) {
    text_add(error, "%s", Z3_get_error_msg(in.context, Z3_get_error_code(in.context)));
  } else {
    Z3_ast_vector_inc_ref(in.context, all);
    fine = Z3_ast_vector_size(in.context, all) == count && import_all(&in, all, count, is_definition, bad_definition);
  }
  VECTOR_FREE(in.pending);
  map_free(in.known);
  names_free(in.strings);
  return fine;
}
