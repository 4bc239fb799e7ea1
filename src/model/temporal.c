/* Temporal formulas as text, and which claims they make. The parser bounds their depth, so this may recurse. */
#include "model/temporal.h"

#include "term/print.h"

static void print_unary(const terms *ts, const char *op, const temporal *f, text *out) {
  text_add(out, "%s (", op);
  temporal_print(ts, f->left, out);
  text_add_char(out, ')');
}

static void print_binary(const terms *ts, const char *open, const char *op, const char *close, const temporal *f,
                         text *out) {
  text_add(out, "%s", open);
  temporal_print(ts, f->left, out);
  text_add(out, " %s ", op);
  temporal_print(ts, f->right, out);
  text_add(out, "%s", close);
}

void temporal_print(const terms *ts, const temporal *f, text *out) {
  switch (f->kind) {
    case TEMPORAL_STATE:
      text_add_char(out, '(');
      term_print(ts, f->state, out);
      text_add_char(out, ')');
      break;
    case TEMPORAL_NOT: print_unary(ts, "!", f, out); break;
    case TEMPORAL_AND: print_binary(ts, "(", "&&", ")", f, out); break;
    case TEMPORAL_OR: print_binary(ts, "(", "||", ")", f, out); break;
    case TEMPORAL_IMPLIES: print_binary(ts, "(", "=>", ")", f, out); break;
    case TEMPORAL_IFF: print_binary(ts, "(", "<=>", ")", f, out); break;
    case TEMPORAL_AX: print_unary(ts, "AX", f, out); break;
    case TEMPORAL_EX: print_unary(ts, "EX", f, out); break;
    case TEMPORAL_AF: print_unary(ts, "AF", f, out); break;
    case TEMPORAL_EF: print_unary(ts, "EF", f, out); break;
    case TEMPORAL_AG: print_unary(ts, "AG", f, out); break;
    case TEMPORAL_EG: print_unary(ts, "EG", f, out); break;
    case TEMPORAL_AU: print_binary(ts, "A[", "U", "]", f, out); break;
    case TEMPORAL_EU: print_binary(ts, "E[", "U", "]", f, out); break;
    case TEMPORAL_X: print_unary(ts, "X", f, out); break;
    case TEMPORAL_F: print_unary(ts, "F", f, out); break;
    case TEMPORAL_G: print_unary(ts, "G", f, out); break;
    case TEMPORAL_U: print_binary(ts, "(", "U", ")", f, out); break;
    case TEMPORAL_R: print_binary(ts, "(", "R", ")", f, out); break;
    case TEMPORAL_W: print_binary(ts, "(", "W", ")", f, out); break;
    case TEMPORAL_A: print_unary(ts, "A", f, out); break;
    case TEMPORAL_E: print_unary(ts, "E", f, out); break;
    case TEMPORAL_INF: print_unary(ts, "inf", f, out); break;
    case TEMPORAL_INF_NEXT:
      print_unary(ts, "inf(next", f, out);
      text_add_char(out, ')');
      break;
    case TEMPORAL_MU:
    case TEMPORAL_NU:
      text_add(out, "(%s %s . ", f->kind == TEMPORAL_MU ? "mu" : "nu", f->name);
      temporal_print(ts, f->left, out);
      text_add_char(out, ')');
      break;
    case TEMPORAL_DIAMOND: print_unary(ts, "<>", f, out); break;
    case TEMPORAL_BOX: print_unary(ts, "[]", f, out); break;
    case TEMPORAL_FIXPOINT_VARIABLE: text_add(out, "%s", f->name); break;
  }
}

bool temporal_is_propositional(const temporal *f) {
  switch (f->kind) {
    case TEMPORAL_STATE: return true;
    case TEMPORAL_NOT: return temporal_is_propositional(f->left);
    case TEMPORAL_AND:
    case TEMPORAL_OR:
    case TEMPORAL_IMPLIES:
    case TEMPORAL_IFF: return temporal_is_propositional(f->left) && temporal_is_propositional(f->right);
    default: return false;
  }
}

term temporal_as_term(terms *ts, const temporal *f) {
  switch (f->kind) {
    case TEMPORAL_STATE: return f->state;
    case TEMPORAL_NOT: return term_not(temporal_as_term(ts, f->left));
    case TEMPORAL_AND: return term_and(ts, temporal_as_term(ts, f->left), temporal_as_term(ts, f->right));
    case TEMPORAL_OR: return term_or(ts, temporal_as_term(ts, f->left), temporal_as_term(ts, f->right));
    case TEMPORAL_IMPLIES: return term_implies(ts, temporal_as_term(ts, f->left), temporal_as_term(ts, f->right));
    default:
      REQUIRE(f->kind == TEMPORAL_IFF, "a formula without temporal operators");
      return term_iff(ts, temporal_as_term(ts, f->left), temporal_as_term(ts, f->right));
  }
}

/* `F p` or `AF p`, with p propositional. */
static bool is_eventually(terms *ts, const temporal *f, term *gives) {
  bool is_so = (f->kind == TEMPORAL_F || f->kind == TEMPORAL_AF) && temporal_is_propositional(f->left);
  if (is_so) *gives = temporal_as_term(ts, f->left);
  return is_so;
}

bool temporal_is_promise(terms *ts, const temporal *f, temporal_promise *out) {
  *out = (temporal_promise){.is_always = f->kind == TEMPORAL_G || f->kind == TEMPORAL_AG, .asks = TERM_TRUE};
  if (out->is_always) f = f->left;
  if (f->kind == TEMPORAL_IMPLIES && temporal_is_propositional(f->left)) {
    out->asks = temporal_as_term(ts, f->left);
    f = f->right;
  }
  return is_eventually(ts, f, &out->gives);
}

static bool is_of_runs(temporal_kind k) { return k >= TEMPORAL_X && k <= TEMPORAL_W; }

bool temporal_is_of_states(const temporal *f) {
  if (f->kind == TEMPORAL_STATE || f->kind == TEMPORAL_A || f->kind == TEMPORAL_E) return true;
  if (is_of_runs(f->kind)) return false;
  return (!f->left || temporal_is_of_states(f->left)) && (!f->right || temporal_is_of_states(f->right));
}

/* Nothing in it is about what can be done from a state: neither `A` nor `E`. */
static bool is_about_one_run(const temporal *f) {
  if (f->kind > TEMPORAL_IFF && !is_of_runs(f->kind)) return false;
  return (!f->left || is_about_one_run(f->left)) && (!f->right || is_about_one_run(f->right));
}

static bool is_universal(const temporal *f, bool positive) {
  if (is_about_one_run(f)) return true;
  switch (f->kind) {
    case TEMPORAL_NOT: return is_universal(f->left, !positive);
    case TEMPORAL_IMPLIES: return is_universal(f->left, !positive) && is_universal(f->right, positive);
    case TEMPORAL_IFF: return false;
    case TEMPORAL_EX:
    case TEMPORAL_EF:
    case TEMPORAL_EG:
    case TEMPORAL_EU:
    case TEMPORAL_E:
    case TEMPORAL_DIAMOND:
      if (positive) return false;
      break;
    case TEMPORAL_AX:
    case TEMPORAL_AF:
    case TEMPORAL_AG:
    case TEMPORAL_AU:
    case TEMPORAL_A:
    case TEMPORAL_BOX:
      if (!positive) return false;
      break;
    case TEMPORAL_FIXPOINT_VARIABLE: return true;
    default: break;
  }
  return is_universal(f->left, positive) && (!f->right || is_universal(f->right, positive));
}

bool temporal_is_universal(const temporal *f) { return is_universal(f, true); }
