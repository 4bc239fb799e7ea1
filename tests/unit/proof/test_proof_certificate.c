/* Certificates: what is written reads back; what is damaged is refused, or is accepted only if another solver agrees.
 */
#include <ctype.h>

#include "base/random.h"
#include "input/input.h"
#include "random/random_expression.h"
#include "unit/proof/proof_models.h"
#include "unit/test.h"

static bool same_numbers(const number_vector *a, const number_vector *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; same && i < a->count; i++) same = number_equal(a->at[i], b->at[i]);
  return same;
}

static bool same_traces(const evidence *a, const evidence *b) {
  bool same = a->steps.count == b->steps.count && a->fault_transition == b->fault_transition && a->fault == b->fault &&
              same_numbers(&a->fault_inputs, &b->fault_inputs);
  for (size_t i = 0; same && i < a->steps.count; i++)
    same = (i == 0 || a->steps.at[i].transition == b->steps.at[i].transition) &&
           same_numbers(&a->steps.at[i].inputs, &b->steps.at[i].inputs) &&
           same_numbers(&a->steps.at[i].values, &b->steps.at[i].values);
  return same;
}

static bool same_evidence(terms *ts, const evidence *a, const evidence *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == EVIDENCE_TRACE) return same_traces(a, b);
  if (a->kind == EVIDENCE_STATES) return term_same(diagram_term(ts, a->states), diagram_term(ts, b->states));
  return term_same(evidence_formula(ts, a), evidence_formula(ts, b));
}

/* ---- there and back ---- */

TEST(certificates_read_back) {
  for (size_t i = 0; i < proof_cases(); i++) {
    case_of_evidence c = proof_case(i);
    size_t length, property;
    char *content = certificate_text(&c, &length), *error = NULL;
    evidence again;
    bool read = certificate_read(c.model, content, length, &property, &again, &error);
    CHECK(read && property == c.property, "%s: %s", c.name, error ? error : "");
    CHECK(same_evidence(c.model->terms, &c.evidence, &again), "%s:\n%s", c.name, content);
    memory_free(content);
    memory_free(error);
    evidence_clear(&again);
    proof_case_free(&c);
  }
}

/* Bakery's parts fix st1 and st2, and y1 or y2 if they are 0: the reader finds that again. */
TEST(fixed_values_are_found_again) {
  case_of_evidence c = proof_case(2);
  size_t length, property;
  char *content = certificate_text(&c, &length), *error = NULL;
  evidence again;
  CHECK(certificate_read(c.model, content, length, &property, &again, &error), "%s", error);
  CHECK(again.parts.count == 8, "%zu", again.parts.count);
  for (size_t i = 0; i < again.parts.count; i++) CHECK(again.parts.at[i].fixed.count >= 2);
  memory_free(content);
  evidence_clear(&again);
  proof_case_free(&c);
}

TEST(random_formulas_read_back_as_the_same_term) {
  raw_source s = {
      .random = {11}, .arena = arena_new(), .int_variables = 3, .bool_variables = 2, .nonlinear = true, .large = true};
  for (int i = 0; i < rounds(400); i++) {
    terms *ts = terms_new();
    model *m = model_new(ts, "any.whet");
    type any = type_int(), flag = type_bool();
    static const char *const names[] = {"x", "P[1].a", "and"};
    variable ints[3], bools[2];
    for (int j = 0; j < 3; j++) ints[j] = model_add_variable(m, names[j], &any, ROLE_STATE, (place){0});
    for (int j = 0; j < 2; j++) bools[j] = model_add_variable(m, j ? "types" : "b'", &flag, ROLE_STATE, (place){0});
    model_add_property(m, "some \"name\"", PROPERTY_SAFE, (place){0});
    case_of_evidence c = {"random", m, 0, {.kind = EVIDENCE_INVARIANT}};
    for (uint64_t j = random_below(&s.random, 3); j > 0; j--)
      evidence_add_part(ts, &c.evidence, raw_term(ts, raw_boolean(&s, 5), ints, bools));
    size_t length, property;
    char *content = certificate_text(&c, &length), *error = NULL;
    evidence again;
    bool read = certificate_read(m, content, length, &property, &again, &error);
    CHECK(read && same_evidence(ts, &c.evidence, &again), "%s\n%s", error ? error : "another term", content);
    memory_free(content);
    memory_free(error);
    evidence_clear(&again);
    proof_case_free(&c);
  }
  arena_free(s.arena);
}

/* ---- mutations ---- */

static int accepted, refused, unread;

/* Accepted only if z3 confirms the file written from it; rejected only if z3 finds a failing obligation. */
static void compare_with_z3(case_of_evidence *c, const char *what) {
  check_result r = check_now(c);
  CHECK(r.kind != CHECK_UNSURE, "%s, %s: %s", c->name, what, r.what);
  if ((accepted + refused) % (7 - rounds(6)) == 0) { /* processes are dear under sanitizers */
    size_t length;
    char *content = certificate_text(c, &length);
    other_answer j = ask_other("z3", content);
    if (r.kind == CHECK_ACCEPTED)
      CHECK(j == OTHER_CONFIRMS, "%s, %s: accepted, but z3 does not confirm:\n%s", c->name, what, content);
    if (r.kind == CHECK_REJECTED)
      CHECK(j == OTHER_REFUTES, "%s, %s: rejected (%s), but z3 confirms:\n%s", c->name, what, r.what, content);
    memory_free(content);
  }
  accepted += r.kind == CHECK_ACCEPTED;
  refused += r.kind == CHECK_REJECTED;
  memory_free(r.what);
}

TEST(invariants_without_one_part_are_refused) {
  for (size_t i = 0; i < proof_invariants(); i++) {
    case_of_evidence whole = proof_case(i);
    size_t count = whole.evidence.parts.count;
    proof_case_free(&whole);
    for (size_t drop = 0; drop < count; drop++) {
      case_of_evidence c = proof_case(i);
      c.evidence.parts.at[drop].formula = TERM_FALSE;
      check_result r = check_now(&c);
      CHECK(r.kind == CHECK_REJECTED, "%s without part %zu", c.name, drop + 1);
      memory_free(r.what);
      compare_with_z3(&c, "without a part");
      proof_case_free(&c);
    }
  }
}

TEST(invariants_with_one_conjunct_changed_are_checked_by_z3) {
  accepted = refused = 0;
  for (size_t i = 0; i < proof_invariants(); i++)
    for (size_t part = 0, parts = 1; part < parts; part++)
      for (size_t at = 0, count = 1; at < count; at++) {
        case_of_evidence c = proof_case(i);
        terms *ts = c.model->terms;
        parts = c.evidence.parts.count;
        invariant_part *p = &c.evidence.parts.at[part];
        term_vector conjuncts = {0};
        term_conjuncts(ts, p->formula, &conjuncts);
        count = conjuncts.count + p->fixed.count;
        if (at < p->fixed.count)
          p->fixed.at[at].value = number_add(p->fixed.at[at].value, number_of(1));
        else if (count)
          conjuncts.at[at - p->fixed.count] = term_not(conjuncts.at[at - p->fixed.count]);
        p->formula = term_and_all(ts, conjuncts.count, conjuncts.at);
        VECTOR_FREE(conjuncts);
        if (at < count) compare_with_z3(&c, "with a conjunct changed");
        proof_case_free(&c);
      }
  CHECK(refused > 30, "%d refused, %d accepted", refused, accepted);
}

/* 0 to 5, and nothing above that. */
static bool holds_counter(const diagram *d) {
  bool right = d->levels.count == 1;
  for (int64_t i = 0; i <= 20 && right; i++) right = diagram_has(d, &i) == (i <= 5);
  return right;
}

/* Reads a damaged text. If it still reads: a trace must be the old one or be refused by the replay, which the other
 * tests are about; an invariant that has become another formula is checked by z3; a set of states must hold what the counter
 * reaches. */
static void read_damaged(size_t which, const char *content, size_t length, bool compared) {
  case_of_evidence c = proof_case(which);
  evidence again;
  size_t property;
  char *error = NULL;
  if (!certificate_read(c.model, content, length, &property, &again, &error)) {
    CHECK(error && isdigit((unsigned char)error[0]), "an error with a place: %s", error ? error : "none");
    CHECK(again.kind == EVIDENCE_NONE && !again.parts.count && !again.steps.count);
    unread++;
  } else {
    bool changed = property != c.property || !same_evidence(c.model->terms, &c.evidence, &again);
    evidence_clear(&c.evidence);
    c.evidence = again;
    c.property = property;
    if (again.kind == EVIDENCE_INVARIANT && changed && compared) compare_with_z3(&c, "damaged");
    if (again.kind != EVIDENCE_INVARIANT) {
      check_result r = check_now(&c);
      if (again.kind == EVIDENCE_STATES && r.kind == CHECK_ACCEPTED)
        CHECK(property == 0 && holds_counter(again.states));
      accepted += r.kind == CHECK_ACCEPTED;
      refused += r.kind == CHECK_REJECTED;
      memory_free(r.what);
    }
  }
  memory_free(error);
  proof_case_free(&c);
}

/* Every number in the invariant, one after another, becomes one more. */
TEST(invariants_with_one_constant_changed_are_checked_by_z3) {
  accepted = refused = 0;
  for (size_t i = 0; i < proof_invariants(); i++) {
    if (i == 1 || i == 2) continue; /* the same formula as 0 */
    case_of_evidence c = proof_case(i);
    size_t length;
    char *content = certificate_text(&c, &length), *from = strstr(content, "(define-fun inv "),
         *to = strstr(from, "\n\n");
    for (char *at = from; at < to; at++) {
      if (!isdigit((unsigned char)*at) || isalnum((unsigned char)at[-1]) || at[-1] == '[' || at[-1] == '?') continue;
      char old = *at;
      *at = old == '9' ? '7' : (char)(old + 1);
      read_damaged(i, content, length, true);
      *at = old;
    }
    memory_free(content);
    proof_case_free(&c);
  }
  CHECK(refused > 20, "%d refused, %d accepted", refused, accepted);
}

/* Damage to a text of `length` bytes, in place; the new length. */
static size_t damage(random_source *r, char *content, size_t length) {
  static const char signs[] = "()|\"{}[],:;0129- \n\\#xtf";
  size_t at = (size_t)random_below(r, length), much = 1 + (size_t)random_below(r, 12);
  if (at + much > length) much = length - at;
  switch (random_below(r, 6)) {
    case 0: content[at] ^= (char)(1 << random_below(r, 8)); return length;
    case 1: content[at] = signs[random_below(r, sizeof signs - 1)]; return length;
    case 2: return at;
    case 3: memmove(content + at, content + at + much, length - at - much); return length - much;
    case 4:
      for (size_t i = 0; i < much; i++) content[at + i] = (char)random_next(r);
      return length;
    default: {
      size_t from = (size_t)random_below(r, length - much + 1);
      memmove(content + at, content + from, much);
      return length;
    }
  }
}

TEST(damaged_certificates_are_refused_or_checked_by_z3) {
  random_source r = {5};
  accepted = refused = unread = 0;
  for (size_t i = 0; i < proof_cases(); i++) {
    case_of_evidence c = proof_case(i);
    size_t length;
    char *content = certificate_text(&c, &length), *copy = memory_alloc(length + 1);
    for (int round = 0; round < rounds(250); round++) {
      memcpy(copy, content, length + 1);
      size_t now = length;
      for (uint64_t times = 1 + random_below(&r, 3); times > 0 && now; times--) now = damage(&r, copy, now);
      read_damaged(i, copy, now, round < rounds(100));
    }
    memory_free(copy);
    memory_free(content);
    proof_case_free(&c);
  }
  CHECK(unread > rounds(300) && accepted > rounds(12) && refused >= rounds(1), "%d unread, %d accepted, %d refused",
        unread, accepted, refused);
}

TEST(noise_is_refused) {
  random_source r = {9};
  static const char *const heads[] = {
      "", "; whet certificate 1\n", "{", "{\"#meta\":{\"whet-certificate\":1,\"property\":\"mutex\"},\"states\":[",
      "; whet certificate 1\n(set-info :whet-property \"mutex\")(define-fun inv () Bool "};
  for (int round = 0; round < rounds(3000); round++) {
    char content[400];
    size_t length = (size_t)snprintf(content, sizeof content, "%s", heads[random_below(&r, ARRAY_LENGTH(heads))]);
    size_t end = length + (size_t)random_below(&r, 200);
    for (; length < end; length++)
      content[length] = random_below(&r, 2) ? (char)random_next(&r) : "(){}[]\":,;|andort 0123"[random_below(&r, 22)];
    char *exact = memory_copy_bytes(content, length); /* so that a sanitizer sees one byte too many */
    read_damaged(0, exact, length, false);
    memory_free(exact);
  }
}

/* ---- hostile sizes ---- */

static void expect_error(const char *content, size_t length, const char *wanted) {
  case_of_evidence c = proof_case(0);
  evidence e;
  size_t property;
  char *error = NULL;
  CHECK(!certificate_read(c.model, content, length, &property, &e, &error), "%s", wanted);
  CHECK_TEXT(error ? error : "", wanted);
  memory_free(error);
  proof_case_free(&c);
}

static GIVE char *invariant_with(const char *body) {
  return text_format("; whet certificate 1\n(set-info :whet-property \"mutex\")\n(define-fun inv ((y1 Int)) Bool\n%s)",
                     body);
}

static void expect_body_error(const char *body, const char *wanted) {
  char *content = invariant_with(body);
  expect_error(content, strlen(content), wanted);
  memory_free(content);
}

TEST(errors_have_a_place_and_say_what_is_wrong) {
  expect_body_error("(>= y1 x)", "4:8: unknown symbol x");
  expect_body_error("(>= y1 (+ 0", "4:13: the text ends inside a term");
  expect_body_error("(>= y1 true)", "4:1: wrong sorts for >=");
  expect_body_error("(not true false)", "4:1: 2 arguments for not");
  expect_body_error("(and)", "4:1: 0 arguments for and");
  expect_body_error("y1", "4:1: expected a boolean term");
  expect_body_error("(frobnicate y1)", "4:2: unknown operator frobnicate");
  expect_body_error("(let ((a 1) (b)) true)", "4:15: expected a term");
  expect_body_error("(let ((a 1)) true false)", "4:19: unexpected term");
  expect_body_error("(let ((a 1)))", "4:13: expected a term");
  expect_body_error("(= 01 1)", "4:4: expected a term");
  expect_body_error("(= 1.5 1)", "4:4: expected a term");
  expect_body_error("true false", "4:6: expected )");
  expect_error("", 0, "1:1: not a certificate: it does not start with \"; whet certificate 1\"");
  expect_error("; whet certificate 2\n", 21, "1:20: this certificate is of another version; only version 1 is known");
#define EXPECT(CONTENT, WANTED) expect_error(CONTENT, strlen(CONTENT), WANTED)
  EXPECT("; whet certificate 1\n", "2:1: expected a command; no definition of inv was found");
  EXPECT("; whet certificate 1\n(define-fun inv () Bool true)",
         "1:1: no (set-info :whet-property ..) before the definition of inv");
  EXPECT("; whet certificate 1\n(set-info :whet-property \"x\")", "2:26: bakery2.whet has no property called x");
  EXPECT("; whet certificate 1\n(define-fun inv ((z Int)) Bool true)", "2:19: z is no variable of bakery2.whet");
  EXPECT("; whet certificate 1\n(define-fun inv ((y1 Bool)) Bool true)", "2:22: y1 is of sort Int");
  EXPECT("{", "1:2: expected a string");
  EXPECT("{}", "1:3: no \"whet-certificate\" in \"#meta\": not a certificate of whet");
  EXPECT("{\"#meta\":{\"whet-certificate\":2}}", "1:31: this is a certificate of version 2; only version 1 is known");
  EXPECT("{\"#meta\":{\"whet-certificate\":1}}", "1:33: no \"property\" in \"#meta\"");
#define HEAD "{\"#meta\":{\"whet-certificate\":1,\"property\":\"mutex\"},\n\"states\":["
#define FIRST "{\"st1\":\"N\",\"st2\":0,\"y1\":0,\"y2\":{\"#bigint\":\"0\"}}"
  EXPECT(HEAD "{}]}", "2:13: no value for st1");
  EXPECT(HEAD "{\"z\":1}]}", "2:16: bakery2.whet has no variable called z");
  EXPECT(HEAD "{\"st1\":\"X\"}]}", "2:21: st1 has no value called X");
  EXPECT(HEAD "{\"y1\":1,\"y1\":1}]}", "2:24: y1 twice");
  EXPECT(HEAD "{\"y1\":1.5}]}", "2:17: expected an integer");
  EXPECT(HEAD FIRST "," FIRST "]}", "2:106: expected an action");
  EXPECT(HEAD FIRST ",{\"#meta\":{\"action\":\"fly\"}}]}", "2:83: bakery2.whet has no action called fly");
  EXPECT(HEAD FIRST ",{\"#meta\":{\"index\":2}}]}", "2:78: this is state 1");
}

/* Names between bars may be those that the format has for itself. */
TEST(variables_may_be_called_as_the_format_is) {
  static const char content[] =
      "var |#meta|, |##meta|, |#bigint| : int = 0\n"
      "action a: |#meta| < 1 -> |#meta| := 1, |##meta| := 73786976294838206456, |#bigint| := 2\nsafe p: |#meta| = 0";
  diagnostics d = {0};
  model *m = input_read_text("test.whet", content, strlen(content), &d);
  CHECK(m, "%s", text_string(&d.text));
  evidence e = {.kind = EVIDENCE_TRACE}, again = {0};
  for (int i = 0; i < 2; i++) {
    trace_step s = {0};
    for (int j = 0; j < 3; j++) VECTOR_PUSH(s.values, number_of(0));
    VECTOR_PUSH(e.steps, s);
  }
  trace_recompute(m, &e.steps);
  text file = {0};
  size_t property;
  char *error = NULL;
  budget b = budget_unlimited();
  certificate_write(m, 0, &e, &file);
  CHECK(certificate_read(m, file.at, file.count, &property, &again, &error), "%s\n%s", error, file.at);
  check_result r = check_evidence(m, 0, &again, &b, NULL);
  CHECK(r.kind == CHECK_ACCEPTED, "%s", r.what);
  memory_free(r.what);
  memory_free(error);
  text_clear(&file);
  text_clear(&d.text);
  evidence_clear(&e);
  evidence_clear(&again);
  model_free(m);
}

/* ---- certificates that whet did not write ---- */

static void check_foreign(const char *path, const char *content, check_kind wanted, const char *what) {
  diagnostics d = {0};
  model *m = input_read_file(path, &d);
  CHECK(m, "%s", text_string(&d.text));
  evidence e = {0};
  size_t property;
  char *error = NULL;
  budget b = budget_unlimited();
  bool read = m && certificate_read(m, content, strlen(content), &property, &e, &error);
  CHECK(read, "%s", error ? error : "no model");
  if (read) {
    check_result r = check_evidence(m, property, &e, &b, NULL);
    CHECK(r.kind == wanted, "%d", (int)r.kind);
    CHECK_TEXT(r.what ? r.what : "", what);
    memory_free(r.what);
  }
  memory_free(error);
  text_clear(&d.text);
  evidence_clear(&e);
  model_free(m);
}

#define BAKERY(Y1_BEFORE_Y2)                                           \
  "; whet certificate 1\n(set-info :whet-property mutex)\n"            \
  "(define-fun helper ((x Int)) Int (+ x 1)) ; not used\n"             \
  "(define-fun inv ((st1 Int) (|y1| Int) (st2 Int) (y2 Int)) Bool\n"   \
  " (and (= (= st1 0) (= y1 0)) (= (distinct st2 0) (not (= y2 0)))\n" \
  "      (=> (= st1 2) (=> (= st2 1) " Y1_BEFORE_Y2                    \
  "))\n"                                                               \
  "      (=> (= st2 2 (+ st1 1)) (xor false (< 0 y2 y1)))\n"           \
  "      (let ((both (and (= st1 2) (= st2 (abs (- 2)))))) (not both))))\n"

TEST(certificates_by_others_are_checked) {
  check_foreign(TESTS_FOLDER "/data/models/bakery2.whet", BAKERY("(<= y1 y2)"), CHECK_ACCEPTED, "");
  check_foreign(TESTS_FOLDER "/data/models/bakery2.whet", BAKERY("(< y2 y1)"), CHECK_REJECTED,
                "preserved by enter1 from part 1");
  check_foreign(TESTS_FOLDER "/data/models/ticket2-err.whet",
                "{\"states\":[{\"t\":0,\"s\":0,\"P[1]\":\"idle\",\"P[2]\":\"idle\",\"P[1].a\":0,\"P[2].a\":0}],"
                "\"#meta\":{\"property\":\"mutex\",\"whet-certificate\":1}}",
                CHECK_REJECTED, "last state: it does not violate mutex");
}

TEST(nesting_of_any_depth_is_read) {
  enum { DEPTH = 1000000 };
  text body = {0};
  for (int i = 0; i < DEPTH; i++) text_add_bytes(&body, "(not ", 5);
  text_add_bytes(&body, "(>= y1 0)", 9);
  for (int i = 0; i < DEPTH; i++) text_add_char(&body, ')');
  case_of_evidence c = proof_case(0);
  evidence e;
  size_t property;
  char *error = NULL, *content = invariant_with(text_string(&body));
  CHECK(certificate_read(c.model, content, strlen(content), &property, &e, &error), "%s", error);
  CHECK(e.parts.count == 1);
  evidence_clear(&e);
  memory_free(content);
  memory_free(error);
  text_reset(&body);
  text_add(&body, "; whet certificate 1\n");
  for (int i = 0; i < DEPTH; i++) text_add_char(&body, '(');
  CHECK(!certificate_read(c.model, body.at, body.count, &property, &e, &error));
  memory_free(error);
  text_reset(&body);
  text_add(&body, "{\"a\":");
  for (int i = 0; i < DEPTH; i++) text_add_char(&body, '[');
  CHECK(!certificate_read(c.model, body.at, body.count, &property, &e, &error));
  memory_free(error);
  text_clear(&body);
  proof_case_free(&c);
}

/* A few lets can name numbers, products and conjunctions beyond any memory. */
TEST(bombs_are_refused_or_stay_small) {
  static const char *const wanted[] = {"factors", "digits", "digits", NULL};
  for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
    bool boolean = wanted[i] == NULL;
    text body = {0};
    text_add(&body, "(let ((v0 %s))", boolean ? "(>= y1 0)" : "(+ y1 1)");
    int depth = i ? 5000 : 100;
    for (int d = 1; d <= depth; d++) {
      char last[20];
      snprintf(last, sizeof last, "v%d", d - 1);
      text_add(&body, "(let ((v%d ", d);
      text_add(&body, i == 1 ? "(* 3 %s)" : i == 0 ? "(* %s %s)" : i == 2 ? "(+ %s %s)" : "(and %s %s)", last, last);
      text_add(&body, "))");
    }
    text_add(&body, boolean ? "v%d" : "(= v%d 0)", depth);
    for (int d = 0; d <= depth; d++) text_add_char(&body, ')');
    case_of_evidence c = proof_case(0);
    evidence e;
    size_t property;
    char *error = NULL, *content = invariant_with(text_string(&body));
    bool read = certificate_read(c.model, content, strlen(content), &property, &e, &error);
    CHECK(read == boolean && (boolean || strstr(error, wanted[i])), "bomb %zu: %s", i, error ? error : "read");
    evidence_clear(&e);
    memory_free(content);
    memory_free(error);
    text_clear(&body);
    proof_case_free(&c);
  }
}

/* Each level holds the one before twice, and more literals than are spread out when a conjunction is built. */
TEST(shared_conjunctions_are_not_walked_twice) {
  enum { LEVELS = 40, WIDTH = 140 };
  text body = {0};
  text_add(&body, "(let ((c0 (>= y1 0)))");
  for (int level = 1; level <= LEVELS; level++) {
    for (int side = 0; side < 2; side++) {
      text_add(&body, "(let ((%c%d (and c%d", side ? 'b' : 'a', level, level - 1);
      for (int i = 0; i < WIDTH; i++) text_add(&body, " (not (= y1 %d))", 1000 * level + 500 * side + i);
      text_add(&body, ")))");
    }
    text_add(&body, "(let ((c%d (and a%d b%d))) ", level, level, level);
  }
  text_add(&body, "c%d", LEVELS);
  for (int i = 0; i < 3 * LEVELS + 1; i++) text_add_char(&body, ')');
  case_of_evidence c = proof_case(0);
  evidence e;
  size_t property;
  char *error = NULL, *content = invariant_with(text_string(&body));
  CHECK(certificate_read(c.model, content, strlen(content), &property, &e, &error), "%s", error);
  evidence_clear(&e);
  memory_free(content);
  memory_free(error);
  text_clear(&body);
  proof_case_free(&c);
}

/* ---- honest sizes ---- */

/* A counter to `limit` with a flag, and all its states as parts. */
static case_of_evidence long_counter(int64_t limit) {
  terms *ts = terms_new();
  model *m = model_new(ts, "long.whet");
  type nat = type_nat(), flag = type_bool();
  variable v = model_add_variable(m, "x", &nat, ROLE_STATE, (place){0}),
           f = model_add_variable(m, "f", &flag, ROLE_STATE, (place){0});
  term x = term_of_variable(ts, v);
  m->init = term_and(ts, fixed_term(ts, v, number_of(0)), term_of_variable(ts, f));
  transition *t = model_add_transition(m, "up", NO_PROCESS, term_lt(ts, x, term_int(ts, limit)), (place){0});
  transition_add_update(t, v, term_add(ts, x, term_int(ts, 1)));
  transition_add_update(t, f, term_not(term_of_variable(ts, f)));
  model_add_property(m, "end", PROPERTY_SAFE, (place){0})->bad = term_gt(ts, x, term_int(ts, limit));
  model_add_property(m, "start", PROPERTY_SAFE, (place){0})->bad = term_ge(ts, x, term_int(ts, limit));
  case_of_evidence c = {"long", m, 0, {.kind = EVIDENCE_INVARIANT}};
  for (int64_t i = 0; i <= limit; i++)
    evidence_add_part(ts, &c.evidence,
                      term_and(ts, fixed_term(ts, v, number_of(i)), fixed_term(ts, f, number_of(i % 2 == 0))));
  return c;
}

static void read_and_accept(case_of_evidence *c, uint64_t most_queries) {
  size_t length, property;
  char *content = certificate_text(c, &length), *error = NULL;
  evidence again;
  bool read = certificate_read(c->model, content, length, &property, &again, &error);
  CHECK(read && property == c->property && same_evidence(c->model->terms, &c->evidence, &again), "%s",
        error ? error : "not the same");
  evidence_clear(&c->evidence);
  c->evidence = again;
  check_result r = check_now(c);
  CHECK(r.kind == CHECK_ACCEPTED, "%s", r.what ? r.what : "");
  CHECK(r.queries <= most_queries, "%llu queries", (unsigned long long)r.queries);
  memory_free(r.what);
  memory_free(error);
  memory_free(content);
}

TEST(a_hundred_thousand_parts_take_no_query_each) {
  case_of_evidence c = long_counter(rounds(100000));
  read_and_accept(&c, 10);
  proof_case_free(&c);
}

TEST(a_hundred_thousand_steps_are_replayed) {
  case_of_evidence c = long_counter(100000);
  evidence_clear(&c.evidence);
  c.property = 1;
  c.evidence.kind = EVIDENCE_TRACE;
  for (int64_t i = 0; i <= 100000; i++) {
    trace_step s = {0};
    VECTOR_PUSH(s.values, number_of(i));
    VECTOR_PUSH(s.values, number_of(i % 2 == 0));
    VECTOR_PUSH(c.evidence.steps, s);
  }
  read_and_accept(&c, 0);
  proof_case_free(&c);
}

static GIVE char *docs_page(const char *name) {
  text page = {0};
  char *path = text_format("%s/../docs/%s", TESTS_FOLDER, name);
  CHECK(text_add_file(&page, path, 1 << 20), "%s", path);
  memory_free(path);
  return text_give(&page);
}

/* The pages name what evidence.def has; a file that has the first words of a kind and nothing more is refused with a
 * place. */
TEST(every_kind_of_evidence_is_documented_and_has_first_words) {
  char *formats = docs_page("whet.schema.json"), *certificates = docs_page("certificates.md");
  for (evidence_kind kind = EVIDENCE_NONE + 1; kind < EVIDENCE_KINDS; kind++) {
    const evidence_row *row = evidence_row_of(kind);
    char *format = text_format("\"%s\"", row->format ? row->format : "trace");
    CHECK(strstr(formats, format), "%s: %s is not in the schema", row->name, format);
    CHECK(strstr(certificates, row->first_words), "%s: %s is not in the page", row->name, row->first_words);
    memory_free(format);
    case_of_evidence c = proof_case(0);
    evidence read = {0};
    size_t property;
    char *error = NULL;
    CHECK(!certificate_read(c.model, row->first_words, strlen(row->first_words), &property, &read, &error), "%s",
          row->name);
    CHECK(error && isdigit((unsigned char)error[0]) && read.kind == EVIDENCE_NONE, "%s", row->name);
    memory_free(error);
    proof_case_free(&c);
  }
  memory_free(formats);
  memory_free(certificates);
}

TEST_MAIN
