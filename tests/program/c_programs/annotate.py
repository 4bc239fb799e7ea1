"""C programs with their proved invariants and contracts: as comments, which compilers do not see and Frama-C proves again, and as clauses of CBMC."""
import os
import re
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import EXAMPLES, Skip, case, equal, main, whet, write

HEAD = """extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
"""

# Bodies of main, in which nothing goes wrong.
BODIES = {
    "capped": "unsigned int n = __VERIFIER_nondet_uint(), i = 0; int x = 0, a[3] = {0};\n"
              "while (i < n) { i++; if (x < 20) x++; for (int j = 0; j < 3; j++) a[j] = x; }\nif (x > 20 || a[0] < 0) reach_error();",
    "count up": "int i = 0;\nwhile (i < 1000) i++;\nif (i != 1000) reach_error();",
    "count down": "int x = __VERIFIER_nondet_int();\nif (x < 0) return 0;\nwhile (x > 10) { x--; }\nif (x > 10 || x < 0) reach_error();",
    "even": "int i = 0;\nfor (;;) { if (i >= 100) break; i += 2; }\nif (i % 2) reach_error();",
    "together": "int n = __VERIFIER_nondet_int(), i = 0, s = 0;\nif (n < 0 || n > 1000) return 0;\nwhile (i < n) { i++; s++; }\nif (s != n) reach_error();",
    "nested": "int i = 0, j = 0, k = 0;\nwhile (i < 10) { j = 0; while (j < 5) { j++; } i++; k = j; }\nif (k != 5) reach_error();",
    "do": "unsigned k = 0;\ndo { k += 1; } while (k < 20);\nif (k != 20) reach_error();",
    "lock": "int lock = 0, old, new = __VERIFIER_nondet_int();\nif (new < 0 || new > 100) return 0;\n"
            "do { lock = 1; old = new; if (__VERIFIER_nondet_int()) { lock = 0; new = (new + 1) % 101; } } while (new != old);\nif (!lock) reach_error();",
    "two loops": "int x = 0, y = 50;\nwhile (x < 50) { x++; }\nwhile (y < 100) { y++; x++; }\nif (x != y) reach_error();",
    "state": "int s = 0;\nwhile (__VERIFIER_nondet_int()) { if (s == 0) s = 1; else if (s == 1) s = 2; else s = 0; }\nif (s > 2 || s < 0) reach_error();",
}

# Programs with functions, and with arrays that are not expanded, in which nothing goes wrong.
PROGRAMS = {
    "mccarthy": "int f91(int x) {\n  if (x > 100) return x - 10;\n  return f91(f91(x + 11));\n}\n"
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int r = f91(x);\n  if (x <= 100 && r != 91) reach_error();\n  return 0;\n}\n",
    "even and odd": "int odd(int n);\nint even(int n) {\n  if (n == 0) return 1;\n  return odd(n - 1);\n}\nint odd(int n) {\n  if (n == 0) return 0;\n  return even(n - 1);\n}\n"
        "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n < 0) return 0;\n  int e = even(n);\n  if (e < 0 || e > 1) reach_error();\n  return 0;\n}\n",
    "depth": "int depth = 0;\nvoid down(int n) {\n  depth = depth + 1;\n  if (n > 0) down(n - 1);\n  depth = depth - 1;\n}\n"
        "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 1000) return 0;\n  down(n);\n  if (depth != 0) reach_error();\n  return 0;\n}\n",
    "add": "int add(int a, int b) {\n  if (b == 0) return a;\n  return add(a + 1, b - 1);\n}\n"
        "int main(void) {\n  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n  if (a < 0 || b < 0 || a > 1000 || b > 1000) return 0;\n  if (add(a, b) != a + b) reach_error();\n  return 0;\n}\n",
    "clamp": "int clamp(int x, int low, int high) {\n  if (x < low) return low;\n  if (x > high) return high;\n  return x;\n}\n"
        "int main(void) {\n  int x = clamp(__VERIFIER_nondet_int(), 0, 10);\n  if (x < 0 || x > 10) reach_error();\n  return 0;\n}\n",
    "assert": "void __VERIFIER_assert(int c) {\n  if (!c) reach_error();\n}\nint counter = 0;\nvoid count(void) {\n  if (counter < 10) counter++;\n}\n"
        "int main(void) {\n  while (__VERIFIER_nondet_int()) {\n    count();\n    __VERIFIER_assert(counter >= 1 && counter <= 10);\n  }\n  return 0;\n}\n",
    "loop inside": "int twice(int n) {\n  int s = 0;\n  while (n > 0) {\n    s += 2;\n    n--;\n  }\n  return s;\n}\n"
        "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 100) return 0;\n  if (twice(n) != 2 * n) reach_error();\n  return 0;\n}\n",
    "zeros": "int a[1000];\nint main(void) {\n  for (int i = 0; i < 1000; i++)\n    if (a[i] != 0) reach_error();\n  return 0;\n}\n",
    "fill": "int a[1000];\nint main(void) {\n  for (int i = 0; i < 1000; i++) a[i] = 7;\n  for (int i = 0; i < 1000; i++)\n    if (a[i] != 7) reach_error();\n  return 0;\n}\n",
    "array of structs": "struct point { int x, y; } all[100];\nint main(void) {\n  for (int i = 0; i < 100; i++) {\n    all[i].x = i;\n    all[i].y = 1;\n  }\n"
        "  for (int i = 0; i < 100; i++)\n    if (all[i].y != 1) reach_error();\n  return 0;\n}\n",
    "partial": "int main(void) {\n  int a[200], n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 200) return 0;\n  for (int i = 0; i < n; i++) a[i] = i + 1;\n  for (int i = 0; i < n; i++)\n    if (a[i] <= 0) reach_error();\n  return 0;\n}\n",
}

PROVERS = ["-wp", "-wp-rte", "-wp-prover", "z3", "-wp-timeout", "60", "-wp-par", "1"]


def program(body):
    return f"{HEAD}int main(void) {{\n{body}\nreturn 0;\n}}\n"


def annotated(folder, text, *words, name="p.c"):
    path, to = write(folder, name, text), os.path.join(folder, "annotated.c")
    r = whet("verify", path, "--quiet", "--annotate", to, "--without", "kind", *words)
    with open(to, encoding="utf-8") as f:
        return f.read(), to, r


@case
def comments_stand_before_loops_and_change_nothing(folder):
    for name, body in BODIES.items():
        text, to, r = annotated(folder, program(body))
        equal((r.status, r.out.count(": SAFE")), (0, 4), f"{name}\n{r}")
        equal(re.sub(r"/\*@[^*]*(\*(?!/)[^*]*)*\*/ ", "", text), program(body), name)
        loops = len(re.findall(r"\b(while|for|do)\b", body)) - len(re.findall(r"\bdo\b", body))
        equal(len(re.findall(r"loop invariant [^;]*;[^/]*\*/ (?:while|for|do)\b", text)), loops, f"{name}\n{text}")
        assert "/*@ requires \\false; assigns \\nothing; */ extern void reach_error(void);" in text, text
        if shutil.which("clang"):
            made = subprocess.run(["clang", "-fsyntax-only", "-Wall", "-Werror", to], capture_output=True, text=True)
            equal((made.returncode, made.stderr), (0, ""), text)
        equal(whet("verify", to, "--quiet").out, r.out, text)


@case
def what_is_violated_is_not_said(folder):
    text, _, r = annotated(folder, program("int i = 0;\nwhile (i < 10) i++;\nif (i == 10) reach_error();"), "--property", "unreach-call")
    equal((r.status, r.out.split("\n")[0]), (10, "unreach-call: UNSAFE"), r)
    equal(text.count("requires") + text.count("loop invariant"), 0, text)


@case
def letters_before_a_loop_do_not_move_its_comment(folder):
    text, _, _ = annotated(folder, program("int i = 0;\n/* äöü€ */ while (i < 10) i++;\nif (i != 10) reach_error();"))
    assert re.search(r"/\* äöü€ \*/ /\*@ loop invariant .*\*/ while \(i < 10\)", text), text


@case
def models_that_are_no_programs_have_no_comments(folder):
    to = os.path.join(folder, "a.c")
    r = whet("verify", os.path.join(EXAMPLES, "counter.whet"), "--property", "even", "--annotate", to)
    equal((r.status, r.out, os.path.exists(to)), (0, "even: SAFE\n", False), r)
    assert "note: --annotate has no effect here" in r.err, r


def prove_again(folder, programs, *words):
    """Frama-C proves all goals of each of the programs."""
    if not shutil.which("frama-c") or not shutil.which("why3"):
        raise Skip("frama-c or why3 is not installed")
    settings = {**os.environ, "HOME": folder}
    subprocess.run(["why3", "config", "detect"], env=settings, capture_output=True, check=False)
    for name, of in programs.items():
        text, to, _ = annotated(folder, of, *words)
        r = subprocess.run(["frama-c", *PROVERS, to], env=settings, capture_output=True, text=True, timeout=600)
        goals = re.search(r"Proved goals: +(\d+) / (\d+)", r.stdout)
        assert goals and goals.group(1) == goals.group(2) and int(goals.group(2)) > 0, f"{name}\n{text}{r.stdout}{r.stderr}"


@case
def frama_c_proves_them_again(folder):
    prove_again(folder, {name: program(body) for name, body in BODIES.items()})


@case
def functions_have_contracts_and_change_nothing(folder):
    for name, of in PROGRAMS.items():
        text, to, r = annotated(folder, HEAD + of, "--calls", "procedures")
        equal((r.status, r.out.count(": SAFE")), (0, 4), f"{name}\n{r}")
        equal(re.sub(r"/\*@[^*]*(\*(?!/)[^*]*)*\*/ ", "", text), HEAD + of, name)
        functions = set(re.findall(r"^(?:int|void) (\w+)\(.*\{$", of, re.M)) - {"main"}
        contracts = set(re.findall(r"/\*@.* assigns [^;]*;.*\*/ (?:int|void) (\w+)\(.*\{$", text, re.M))
        equal(contracts, functions, text)
        equal("[1000]" in of, bool(re.search(r"\\forall integer k_1; \(0 <= k_1 && k_1 < 1000\) ==>", text)), text)
        made = subprocess.run(["clang", "-fsyntax-only", "-Wall", "-Werror", to], capture_output=True, text=True)
        equal((made.returncode, made.stderr), (0, ""), text)


@case
def frama_c_proves_functions_and_arrays_again(folder):
    assert len(PROGRAMS) >= 10
    prove_again(folder, {name: HEAD + of for name, of in PROGRAMS.items()}, "--calls", "procedures")


@case
def functions_with_pointers_are_run_in_place(folder):
    of = HEAD + "void put(int *p, int x) { *p = x; }\nint one(void) { return 1; }\nint main(void) {\n  int a = 0;\n  put(&a, one());\n  if (a != 1) reach_error();\n  return 0;\n}\n"
    text, _, r = annotated(folder, of, "--calls", "procedures")
    equal((r.status, r.out.count(": SAFE")), (0, 4), r)
    assert re.search(r"\nvoid put", text) and re.search(r"/\*@ .*ensures .*\*/ int one", text), text


# ---- CBMC ----

def clauses_of(text):
    """The clauses of CBMC in the text: (start, end, word, expression)."""
    found = []
    for m in re.finditer(r"__CPROVER_(assigns|loop_invariant|requires|ensures)\(", text):
        depth, at = 1, m.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        equal(text[at], " ", text[m.start():])
        found.append((m.start(), at + 1, m.group(1), text[m.end():at - 1]))
    return found


def evaluated(expression):
    """As C, with a loop for a quantifier."""
    m = re.fullmatch(r"__CPROVER_forall \{ int (\w+); \((.*?)\) ==> (.*) \}", expression)
    if not m:
        return expression
    k, guard, rest = m.groups()
    return f"({{ int ok_ = 1; for (int {k} = 0; {k} < 2000; {k}++) ok_ = ok_ && (!({guard}) || ({rest})); ok_; }})"


def with_checks(text):
    """Each clause is looked at when the program comes there: invariants before each round, `requires` at each call."""
    made, copied, invariants, requires = "", 0, [], []
    for start, end, word, expression in clauses_of(text):
        if start > copied:
            made += text[copied:start]
        copied = end
        if word == "loop_invariant":
            invariants.append(evaluated(expression))
        if word == "requires":
            requires.append(evaluated(expression))
        if not text.startswith("__CPROVER_", end):
            if invariants:
                made += f"if (!({' && '.join(f'({i})' for i in invariants)})) exit(3); else "
            if requires:
                assert text[end] == "{", text[end:]
                made, copied = made + f"{{ if (!({' && '.join(f'({i})' for i in requires)})) exit(3);", end + 1
            invariants, requires = [], []
    return "#include <stdlib.h>\n" + made + text[copied:]


def runs(folder, text):
    """The exit statuses of a few runs of the program."""
    own = "#include <stdlib.h>\nint __VERIFIER_nondet_int(void) { return rand() % 3 ? rand() % 150 : 0; }\nunsigned __VERIFIER_nondet_uint(void) { return (unsigned)rand() % 150; }\n" \
          "void reach_error(void) { exit(4); }\n__attribute__((constructor)) void start(void) { srand((unsigned)atoi(getenv(\"SEED\"))); }\n"
    made = os.path.join(folder, "checked")
    paths = [write(folder, "checked.c", text), write(folder, "own.c", own)]
    r = subprocess.run(["clang", "-w", "-o", made, *paths], capture_output=True, text=True)
    equal((r.returncode, r.stderr), (0, ""), text)
    return [subprocess.run([made], env={**os.environ, "SEED": str(seed)}, timeout=60).returncode for seed in range(5)]


@case
def clauses_for_cbmc_say_what_is_so(folder):
    programs = {**{name: program(body) for name, body in BODIES.items()}, **{name: HEAD + of for name, of in PROGRAMS.items()}}
    swallow = [f"-D__CPROVER_{word}(...)=" for word in ("assigns", "loop_invariant", "requires", "ensures")]
    for name, of in programs.items():
        text, to, r = annotated(folder, of, "--calls", "procedures", "--annotate-for", "cbmc")
        equal((r.status, r.out.count(": SAFE")), (0, 4), f"{name}\n{r}")
        plain = text
        for start, end, _, _ in reversed(clauses_of(text)):
            plain = plain[:start] + plain[end:]
        equal(plain, of, name)
        assert len(clauses_of(text)) >= 1, text
        made = subprocess.run(["clang", "-fsyntax-only", "-Wall", "-Werror", *swallow, to], capture_output=True, text=True)
        equal((made.returncode, made.stderr), (0, ""), text)
        equal(runs(folder, with_checks(text)), [0] * 5, f"{name}\n{text}")


@case
def a_wrong_clause_would_be_seen(folder):
    of = "int a[1000];\nint main(void) {\n  for (int i = 0; i < 1000; i++) __CPROVER_assigns(i) __CPROVER_loop_invariant(%s) a[i] = 7;\n  return 0;\n}\n"
    right = "__CPROVER_forall { int k_1; (0 <= k_1 && k_1 < 1000) ==> ((i <= k_1) || (a[k_1] == 7)) }"
    equal(runs(folder, with_checks(of % right)), [0] * 5, right)
    equal(runs(folder, with_checks(of % right.replace("i <= k_1", "i < k_1"))), [3] * 5, "wrong")


@case
def cbmc_reads_them(folder):
    if not shutil.which("cbmc") or not shutil.which("goto-cc"):
        raise Skip("cbmc is not installed")
    for name, body in BODIES.items():
        text, to, _ = annotated(folder, program(body), "--annotate-for", "cbmc")
        made, applied = os.path.join(folder, "p.goto"), os.path.join(folder, "applied.goto")
        subprocess.run(["goto-cc", "-o", made, to], check=True, capture_output=True)
        subprocess.run(["goto-instrument", "--apply-loop-contracts", made, applied], check=True, capture_output=True)
        r = subprocess.run(["cbmc", applied], capture_output=True, text=True)
        equal(r.returncode, 0, f"{name}\n{text}{r.stdout}")


if __name__ == "__main__":
    main()
