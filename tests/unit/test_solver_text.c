/* The reader of S-expressions: what it reads does not depend on how the bytes arrive, and nothing harms it. */
#include "base/random.h"
#include "solver/sexpr.h"
#include "unit/test.h"

static void describe(const sexpr *e, const text *bytes, text *out) {
  for (size_t i = 0; i < e->nodes.count; i++) {
    const sexpr_node *n = &e->nodes.at[i];
    text_add(out, n->is_list ? "(%zu)" : "[%zu:", n->end - i);
    if (n->is_list) continue;
    text_add_bytes(out, bytes->at + n->at, n->length);
    text_add_char(out, ']');
  }
  text_add_char(out, '\n');
}

/* The expressions of `all`, one a line. The bytes arrive all at once, or cut at random. */
static char *read_all(const char *all, size_t length, random_source *cuts) {
  sexpr e = {0};
  text arrived = {0}, out = {0};
  size_t sent = 0;
  for (;;) {
    sexpr_status status = sexpr_read(&e, &arrived);
    if (status == SEXPR_WHOLE) {
      describe(&e, &arrived, &out);
      sexpr_next(&e);
      continue;
    }
    if (status == SEXPR_BAD) text_add(&out, "bad\n");
    if (status == SEXPR_BAD || sent == length) break;
    size_t more = cuts ? 1 + random_below(cuts, 4) : length;
    if (more > length - sent) more = length - sent;
    text_add_bytes(&arrived, all + sent, more);
    sent += more;
  }
  sexpr_clear(&e);
  text_clear(&arrived);
  return text_give(&out);
}

TEST(expressions_are_read_as_written) {
  const char *all = "sat (a (- 5) |b c) ;| \"x (\"\"y\") ; not this )\n () unsat\n)";
  char *got = read_all(all, strlen(all), NULL);
  CHECK_TEXT(got, "[1:sat]\n(7)[1:a](3)[1:-][1:5][1:|b c) ;|][1:\"x (\"\"y\"]\n(1)\n[1:unsat]\nbad\n");
  memory_free(got);
}

TEST(how_the_bytes_arrive_makes_no_difference) {
  static const char alphabet[] = "ab(()) ||\"\";\n1 )\001";
  random_source r = {5};
  size_t longest = 0;
  for (int round = 0; round < 20000; round++) {
    char bytes[40];
    size_t length = random_below(&r, sizeof bytes);
    for (size_t i = 0; i < length; i++) bytes[i] = alphabet[random_below(&r, sizeof alphabet - 1)];
    char *whole = read_all(bytes, length, NULL), *pieces = read_all(bytes, length, &r);
    CHECK_TEXT(pieces, whole);
    if (strlen(whole) > longest) longest = strlen(whole);
    memory_free(pieces);
    memory_free(whole);
  }
  CHECK(longest > 50);
}

TEST_MAIN
