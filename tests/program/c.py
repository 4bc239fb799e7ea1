"""C programs through the program: what they mean, what is refused, conversions against the system's compiler."""
import json
import os
import re
import shutil
import subprocess

from harness import ROOT, case, equal, main, whet, write
from clauses import SOLVERS, solvers

HEAD = """extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
"""


def verdicts(result):
    return dict(re.findall(r"^([\w-]+): (SAFE|UNSAFE|UNKNOWN)", result.out, re.MULTILINE))


def verify(folder, text, *words):
    return whet("verify", write(folder, "p.c", text), "--quiet", *words)


def in_main(body, before=""):
    return f"{HEAD}{before}int main(void) {{\n{body}\nreturn 0; }}\n"


# What is wrong: a body of main, the message; with other declarations before main.
REFUSED = [
    ("floats", "double d = 1; d = d + 1;", "", r"p\.c:6:8: error: floating point: not read"),
    ("recursion with pointers to arrays", "int a[2] = {3}; f(a);", "void f(int *p) { if (--p[1]) f(p); }\n", r"p\.c:7:19: error: an element of an array is meant by a pointer with several values"),
    ("function pointers", "void (*p)(void) = abort; p();", "", r"p\.c:6:26: error: `abort` can be called here through a pointer"),
    ("heap", "int *p = realloc(0, 4); *p = 1;", "void *realloc(void *, unsigned long);\n", r"error: realloc, threads and long jumps are not read"),
    ("unions", "union u v; v.a = 1;", "union u { int a; char b; };\n", r"error: unions: not read"),
    ("bit-fields", "struct s v; v.a = 1;", "struct s { int a : 3; };\n", r"error: bit-fields: not read"),
    ("volatile", "volatile int v = 1; if (v) reach_error();", "", r"error: volatile variables are not read"),
    ("volatile members", "struct s x; x.v = 1; if (x.v != 1) reach_error();", "struct s { int w; volatile int v; };\n", r"error: volatile members: not read"),
    ("assembly", '__asm__("nop");', "", r"error: assembly is not read"),
    ("order", "int i = 0; i = i++ + i;", "", r"p\.c:6:12: error: a variable is changed here and used elsewhere in the same expression"),
    ("order of arguments", "int i = 0; f(i++, i);", "int f(int a, int b) { return a + b; }\n", r"error: a variable is changed here"),
    ("many targets", "int n = __VERIFIER_nondet_int(); int *p = a; if (n == 1) p = b; if (n == 2) p = c; if (n == 3) p = d; if (n == 4) p = e; if (n == 5) p = f; if (n == 6) p = g;"
     " if (n == 7) p = h; if (n == 8) p = i; p[1] = 1;", "int a[3], b[3], c[3], d[3], e[3], f[3], g[3], h[3], i[3];\n",
     r"error: (the pointer `p` can point to more than 8 variables|an element of an array is meant by a pointer with several values)"),
    ("other memory", "int x = 1; char *p = (char *)&x; *p = 2;", "", r"which reads memory as another type"),
    ("large arrays", "struct s a[100000]; a[3].v[1] = 1; if (a[3].v[1] != 1) reach_error();", "struct s { int v[2]; };\n", r"`a` is made of 200000 integers, in structs with arrays inside; up to 256 are read"),
    ("variable length", "int n = __VERIFIER_nondet_int(); int a[n / 2]; a[0] = 1;", "", r"the length `n / 2` of `a` is not read"),
    ("characters of two bytes", 'const int *s = L"abc"; if (s[0] != 97) reach_error();', "", r"a pointer whose target is not known is followed here"),
    ("long texts", 'int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 1200 && "' + 1200 * "ab" + '"[n] == 99) reach_error();', "", r"an index chooses from more than 1024 characters of a text"),
    ("two texts", 'if ("abc" == "abd") reach_error();', "", r"this operation on pointers is not read"),
    ("nameless arrays", "if ((int[]){1, 2} == 0) reach_error();", "", r"this is no place that is read \(CompoundLiteralExpr\)"),
    ("functions of the library", "if (toupper(97) != 65) reach_error();", "int toupper(int);\n", r"error: what `toupper` returns is defined elsewhere"),
    ("functions of system headers", "if (sleep(1)) reach_error();", "#include <unistd.h>\n", r"error: what `sleep` returns is defined elsewhere"),
    ("outside pointers", "int x; f(&x);", "void f(int *);\n", r"a pointer is given to `f`, which is not in this file"),
]


@case
def what_is_not_read_is_refused_by_name_and_place(folder):
    for name, body, before, message in REFUSED:
        r = verify(folder, in_main(body, before))
        equal((r.status, r.out), (2, ""), f"{name}\n{r}")
        assert re.search(message, r.err), f"{name}\n{r}"
        assert re.match(r"\S+p\.c:\d+:\d+: error: ", r.err), f"{name}\n{r}"


@case
def the_number_of_arguments_is_read_and_they_are_not(folder):
    main_with = "int main(int argc, char **argv) {{ {} return 0; }}\n".format
    several = "int *p; p = &argc; if (__VERIFIER_nondet_int()) p = &g; if (argc < 0) reach_error(); *p = 3; "
    for end, expected in (("if (*p == 3) reach_error();", "UNSAFE"), ("if (*p != 3) reach_error();", "SAFE")):
        equal(verdicts(verify(folder, HEAD + "int g;\n" + main_with(several + end)))["unreach-call"], expected)
    for body in ("char **pp; pp = argv; char *s; s = *pp; if (s || !s) reach_error();", "char *z = 0, **pp; pp = &z; if (argc > 5) pp = argv; if (pp == 0) reach_error();"):
        r = verify(folder, HEAD + main_with(body))
        equal((r.status, r.out), (2, ""), f"{body}\n{r}")
        assert "error: the arguments of the program are not read" in r.err, f"{body}\n{r}"


@case
def what_main_cannot_reach_is_not_looked_at(folder):
    before = "double d = 1.5; union u { int a; } w; double f(double x) { return f(x * d); }\nvoid g(void) { __asm__(\"nop\"); }\n"
    equal(set(verdicts(verify(folder, in_main("if (0) g();", before))).values()), {"SAFE"})


@case
def what_clang_refuses_has_its_message(folder):
    r = verify(folder, "int main(void) { return x; }\n")
    equal((r.status, r.out), (2, ""), r)
    assert re.search(r"p\.c:1:25: error: use of undeclared identifier 'x'", r.err), r
    r = verify(folder, "int f(void) { return 1; }\n")
    equal(r.status, 2, r)
    assert "there is no function `main`" in r.err, r


@case
def without_clang_one_line_says_so(folder):
    r = whet("verify", write(folder, "p.c", in_main("")), env={"PATH": folder})
    equal((r.status, r.out), (2, ""), r)
    equal(r.err.count("\n"), 1, r)
    assert "which is not installed" in r.err, r
    r = whet("verify", os.path.join(ROOT, "examples", "counter.whet"), "--property", "even", "--quiet", env={"PATH": folder})
    equal(r.out, "even: SAFE\n", r)


# Body of main, what is violated.
MEANING = [
    ("int x = 2147483647; x++;", "", {"no-overflow"}),
    ("unsigned x = 4294967295u; x++; if (x != 0) reach_error();", "", set()),
    ("signed char c = 127; c++; if (c != -128) reach_error();", "", set()),
    ("int x = -7; if (x / 2 != -3 || x % 2 != -1) reach_error();", "", set()),
    ("int x = -2147483647 - 1, y = -1; x = x / y;", "", {"no-overflow"}),
    ("int x = 1, y = 0; x = x / y;", "", {"division"}),
    ("int a[3] = {1, 2}; int i = 3; a[i] = 1;", "", {"valid-deref"}),
    ("int a[3] = {1, 2}; if (a[0] + a[1] + a[2] != 3) reach_error();", "", set()),
    ("int x; if (x == 77) reach_error();", "", {"unreach-call"}),
    ("int x = x; if (x == 7) reach_error();", "", {"unreach-call"}),
    ("for (int i = 0; i < 2; i++) { int x = i ? x : 5; if (i && x == 7) reach_error(); }", "", {"unreach-call"}),
    ("if (g != 0 || h != 5) reach_error();", "int g; static int h = 5;\n", set()),
    ("f(); f(); if (f() != 3) reach_error();", "int f(void) { static int n; return ++n; }\n", set()),
    ("int x = 1; f(&x, 4); if (x != 5) reach_error();", "void f(int *p, int by) { *p += by; }\n", set()),
    ("int a[4]; f(a, 4); if (a[2] != 4) reach_error();", "void f(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 2 * i; }\n", set()),
    ("int a[5] = {0}; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0; int *p = a + i, *q = a + 1; if (p - q != i - 1 || (p < q) != (i < 1) || q - p > 1) reach_error();", "", set()),
    ("int a[5] = {0}; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0; int *p = a + i; if (p - a == 3) reach_error();", "", {"unreach-call"}),
    ("struct s a = {1, {2, 3}}, b; b = a; b.q[1]++; if (b.q[1] != 4 || a.q[1] != 3) reach_error();", "struct s { int p; int q[2]; };\n", set()),
    ("int x = 0; if ((unsigned long)x != (unsigned long)(void *)0 || (long)(char *)(void *)0) reach_error();", "", set()),
    ("enum e x = B; if (x != 7 || C != 8) reach_error();", "enum e { A, B = 7, C };\n", set()),
    ("int n = 0; switch (2) { case 1: n += 1; case 2: n += 2; case 3: n += 4; break; default: n += 8; } if (n != 6) reach_error();", "", set()),
    ("int i = 0, n = 0; again: i++; if (i < 5) { n += i; goto again; } if (n != 10) reach_error();", "", set()),
    ("int i = 0; do { if (i == 3) break; i++; continue; } while (i < 10); if (i != 3) reach_error();", "", set()),
    ("int x = 0; int y = (x++, x + 1); if (y != 2 || !(x && y)) reach_error();", "", set()),
    ("int x = 5; if ((x & 4) != 4 || (x | 8) != 13 || (x ^ 1) != 4 || ~x != -6 || x << 2 != 20 || -x >> 1 != -3) reach_error();", "", set()),
    ("int x = 1; x = x << 31;", "", {"no-overflow"}),
    ("int x = 1; if (sizeof(x) != 4 || sizeof(long) != 8 || sizeof(a) != 12) reach_error();", "int a[3];\n", set()),
    ("ERROR: return 1;", "", set()),
    ("int n = __VERIFIER_nondet_int(); if (n < 0) abort(); if (n < 0) reach_error();", "", set()),
    ("int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 5); __VERIFIER_assert(n > 4);", "void __VERIFIER_assume(int); void __VERIFIER_assert(int);\n", set()),
    ("int n = __VERIFIER_nondet_int(); __VERIFIER_assert(n != 4711);", "void __VERIFIER_assert(int);\n", {"unreach-call"}),
    ("if (f(10) != 55) reach_error();", "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n", set()),
    ("int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 20 && f(n) != n) reach_error();", "int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }\n", set()),
    ("f(3); if (g != 4 || h != 7) reach_error();", "int g, h = 7; void f(int n) { g++; if (n > 0 && h == 7) f(n - 1); }\n", set()),
    ("if (even(7) || !odd(5)) reach_error();", "int odd(int); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n", set()),
    ("f(2);", "void f(int n) { static int depth; depth++; if (n > 0) { f(n - 1); return; } if (depth == 3) reach_error(); }\n", {"unreach-call"}),
    ("f(5);", "void f(int n) { int a[3] = {0}; a[n - 2] = 1; if (n > 0) f(n - 1); }\n", {"valid-deref"}),
    ("f(1); reach_error();", "void f(int n) { f(n); }\n", set()),
    ("unsigned char c = f(20); if (c != 232) reach_error();", "unsigned char f(int n) { unsigned char s = 0; while (n-- > 0) { s += f(n) % 2 + 1; if (n == 9) return 232; } return s; }\n", set()),
    ("f(3); f(2); if (s.a != 5 || s.b[1] != 2) reach_error();", "struct { int a, b[2]; } s; void f(int n) { s.a++; if (n == 2) s.b[n - 1] = n; if (n > 1) f(n - 1); }\n", set()),
    ("int i = 0; while (i < 3) { int x; if (i > 0 && x == 9) reach_error(); x = 5; i++; }", "", {"unreach-call"}),
    ('const int y = 3; f(&y, "abc"); if (y != 3) reach_error();', "extern int f(const int *, const char *);\n", set()),
    ('const char *s = "abc", *t = s + 1; if (!s || s == 0 || s == t) reach_error();', "", set()),
    ('if ("abc") reach_error();', "", {"unreach-call"}),
    ("if (__func__ != 0) reach_error();", "", {"unreach-call"}),
]


@case
def programs_mean_what_c_says(folder):
    for body, before, violated in MEANING:
        text = in_main(body, before)
        if body.startswith("ERROR"):
            text, violated = text.replace("extern void reach_error(void);\n", ""), {"unreach-call"}
        found = verdicts(verify(folder, text, "--timeout", "120"))
        equal({name for name, verdict in found.items() if verdict == "UNSAFE"}, violated, f"{text}{found}")
        assert "UNKNOWN" not in found.values(), f"{text}{found}"


@case
def a_verdict_says_which_errors_are_not_excluded(folder):
    text = in_main("int n = __VERIFIER_nondet_int(); n = n + 1; if (n == -2147483647 - 1) reach_error();")
    equal(verify(folder, text, "--property", "unreach-call").out, "unreach-call: SAFE (no-overflow not proved)\n")
    wraps = verify(folder, text, "--property", "unreach-call", "--signed", "wrap", "--confirm")
    equal(wraps.out.split("\n")[0], "unreach-call: UNSAFE")
    assert "note: unreach-call: confirmed" in wraps.err, wraps
    equal(verify(folder, in_main("int n = 1; n = n + 1;"), "--property", "unreach-call").out, "unreach-call: SAFE\n")


# A body of main, and whether every run ends.
ENDS = [
    ("int x = __VERIFIER_nondet_int(); while (x > 0) x--;", "HOLDS"),
    ("unsigned x = __VERIFIER_nondet_uint(); while (x > 0) x--;", "HOLDS"),
    ("int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); while (x > y) { x--; if (__VERIFIER_nondet_int()) y--; else y++; if (y > 100) abort(); }", None),
    ("int i, j, n = __VERIFIER_nondet_int(); for (i = 0; i < n; i++) for (j = i; j < n; j++) ;", "HOLDS"),
    ("int x = 0; while (1) { if (__VERIFIER_nondet_int()) break; }", "FAILS"),
    ("unsigned char x = 5; while (x != 4) x += 2;", "FAILS"),
    ("int x = 1; while (x) { __VERIFIER_assume(x < 5); x++; }", "HOLDS"),
    ("int x = 10; while (x > 0) { if (x == 3) reach_error(); x--; }", "HOLDS"),
    ("int x = 1; while (x != 0) x = 3 - x;", "FAILS"),
]


@case
def termination_is_decided_if_it_is_asked_for(folder):
    for body, expected in ENDS:
        result = verify(folder, in_main(body, "void __VERIFIER_assume(int);\n"), "--property", "termination", "--timeout", "60", "--trace", "off")
        word = re.match(r"termination: (\w+)", result.out)
        assert word and word.group(1) == (expected or word.group(1)) and (expected or word.group(1) != "FAILS"), f"{body}: {result}"
    equal(set(verdicts(verify(folder, in_main("int x = 1;")))), {"no-overflow", "division", "valid-deref", "unreach-call"})
    certificate = os.path.join(folder, "certificate")
    path = write(folder, "p.c", in_main("int x = __VERIFIER_nondet_int(); while (x > 0) x--;"))
    whet("verify", path, "--property", "termination", "--certificate", certificate)
    assert "accepted" in whet("check", path, certificate, "--property", "termination").out


# Functions that call themselves, what main does, and whether every run ends.
RECURSIVE_ENDS = [
    ("int f(int n) { return n ? f(n - 1) : 0; }", "f(3);", "HOLDS"),
    ("int f(int n) { return n ? f(n - 1) : 0; }", "int x = __VERIFIER_nondet_int(); if (x >= 0) f(x);", "HOLDS"),
    ("int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }",
     "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x >= 0 && y >= 0) ack(x, y);", "HOLDS"),
    ("int mc(int n) { return n > 100 ? n - 10 : mc(mc(n + 11)); }", "mc(__VERIFIER_nondet_int());", "HOLDS"),
    ("int m(int n, int k) { if (k < 0) return -m(n, -k); if (k == 0) return 0; return n + m(n, k - 1); }",
     "int x = __VERIFIER_nondet_int(); if (x > -100 && x < 100) m(x, x);", "HOLDS"),
    ("int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }",
     "int x = __VERIFIER_nondet_int(); if (x > 0) even(x);", "HOLDS"),
    ("int f(int n) { int i, s = 0; for (i = 0; i < n; i++) s = f(i); return s; }", "f(__VERIFIER_nondet_int());", "HOLDS"),
    ("int f(int n) { while (n > 0) n--; return n > 3 ? f(n) : 0; }", "while (f(3)) ;", "HOLDS"),
    ("int g; void f(void) { if (g > 0) { g--; f(); } }", "g = __VERIFIER_nondet_int(); f();", "HOLDS"),
    ("int f(int n) { return n == 0 ? 1 : f(f(n - 1) + 1); }", "int x = __VERIFIER_nondet_int(); if (x >= 0) f(x);", "FAILS"),
    ("int g(int x); int f(int x) { return x <= 0 ? 0 : g(x) + g(x + 1); } int g(int x) { return x <= 0 ? 0 : f(x - 1) + f(x - 2); }",
     "g(__VERIFIER_nondet_int());", "FAILS"),
    ("int f(int n) { return n > 0 ? f(n - 1) : 0; }", "while (f(3) == 0) ;", "FAILS"),
    ("int f(int n) { while (n == 7) ; return n > 0 ? f(n - 1) : 0; }", "f(__VERIFIER_nondet_int());", "FAILS"),
    ("int f(int n) { if (n > 9) reach_error(); return f(n + 1); }", "f(__VERIFIER_nondet_int());", "HOLDS"),
    ("int f(int n) { if (n > 9) abort(); return f(n + 1); }", "f(0);", "HOLDS"),
]


@case
def programs_with_recursive_functions_end_or_do_not(folder):
    for before, body, expected in RECURSIVE_ENDS:
        result = verify(folder, in_main(body, before + "\n"), "--property", "termination", "--timeout", "120", "--trace", "off")
        assert result.out.startswith(f"termination: {expected}"), f"{before} {body}: {result}"


@case
def rankings_of_calls_are_checked_by_others(folder):
    certificate, solvers_seen = os.path.join(folder, "certificate"), 0
    for before, body, expected in RECURSIVE_ENDS[2:5]:
        path = write(folder, "p.c", in_main(body, before + "\n"))
        check = lambda content: whet("check", path, write(folder, "changed", content), "--property", "termination").out
        whet("verify", path, "--property", "termination", "--certificate", certificate)
        with open(certificate, encoding="utf-8") as f:
            content = f.read()
        assert content.startswith("; whet call ranking 1\n"), content[:100]
        assert "accepted" in check(content)
        for solver in solvers():
            done = subprocess.run(SOLVERS[solver], input=content, capture_output=True, text=True, check=False)
            equal(set(done.stdout.split()), {"unsat"}, f"{before}: {solver}")
            solvers_seen += 1
        fewer = re.sub(r":whet-measures (\d+)", lambda m: f":whet-measures {int(m.group(1)) - 1}", content)
        fewer = re.sub(r"\(define-fun \|measure%s of [^\n]*\n" % re.search(r":whet-measures (\d+)", content).group(1), "", fewer)
        assert "rejected: a measure falls" in check(fewer), check(fewer)
        true = re.sub(r"(\(define-fun [a-z_]+ \([^\n]*\) Bool\n  )[^\n]*\)\n", r"\1false)\n", content)
        assert "is not valid" in check(true), check(true)
        interpretation = re.sub(r"; whet call ranking 1\n.*\n.*\n", "", content.split("(define-fun |measure")[0])
        assert "accepted" not in check(interpretation), check(interpretation)
    assert solvers_seen, "z3 or cvc5 is needed"


@case
def derivations_that_repeat_are_checked(folder):
    before, body, _ = RECURSIVE_ENDS[9]
    path, certificate = write(folder, "p.c", in_main(body, before + "\n")), os.path.join(folder, "certificate")
    whet("verify", path, "--property", "termination", "--certificate", certificate)
    with open(certificate, encoding="utf-8") as f:
        lines = f.read().splitlines()
    check = lambda part: whet("check", path, write(folder, "changed", "\n".join(part) + "\n"), "--property", "termination").out
    assert "accepted" in check(lines), check(lines)
    assert "rejected: no run comes back" in check(lines[:-1]), check(lines[:-1])
    other = [line.replace("|termination|", "|unreach-call|") for line in lines]
    assert "rejected: the derivation does not end with a query" in check(other), check(other)


@case
def functions_without_body_are_named_in_a_note(folder):
    note = "note: functions without a body here are taken to return any value and to change nothing: ext, other\n"
    before = "void ext(void); int other(int); int g;\n"
    out = os.path.join(folder, "out.json")
    r = verify(folder, in_main("ext(); ext(); if (g != 0) reach_error(); g = other(3); if (g == 7) reach_error();", before), "--json", out)
    equal((r.err, verdicts(r)["unreach-call"]), (note, "UNSAFE"), r)
    with open(out, encoding="utf-8") as f:
        equal(json.load(f)["notes"], [note[len("note: "):].rstrip()])
    r = verify(folder, in_main("g = __VERIFIER_nondet_int();", "int g;\n"))
    equal(r.err, "", r)


@case
def functions_that_do_not_return_end_the_run(folder):
    for declaration in ("void die(void) __attribute__((noreturn));\n", "_Noreturn void die(void);\n"):
        r = verify(folder, in_main("int n = __VERIFIER_nondet_int(); if (n) die(); if (n) reach_error();", declaration))
        equal((set(verdicts(r).values()), r.err), ({"SAFE"}, ""), r)


@case
def functions_of_the_library_that_are_known(folder):
    before = "#include <stdlib.h>\n#include <stdio.h>\n"
    equal(verdicts(verify(folder, in_main("srand(3); if (rand() < 0 || getchar() > 255) reach_error();", before)))["unreach-call"], "SAFE")
    equal(verdicts(verify(folder, in_main("if (rand() == 12345 && getchar() == -1) reach_error();", before)))["unreach-call"], "UNSAFE")


@case
def task_definitions_name_file_properties_and_machine(folder):
    write(folder, "p.c", in_main("if (sizeof(long) == 8) reach_error();"))
    write(folder, "reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n")
    write(folder, "end.prp", "CHECK( init(main()), LTL(F end) )\n")
    write(folder, "race.prp", "CHECK( init(main()), LTL(G ! data-race) )\n")
    write(folder, "free.prp", "CHECK( init(main()), LTL(G valid-free) )\n")
    for model, verdict, status in (("LP64", "UNSAFE", 10), ("ILP32", "SAFE", 0)):
        task = write(folder, "t.yml", f"format_version: '2.0'\n# what\ninput_files: 'p.c'\nproperties:\n  - property_file: reach.prp\n    expected_verdict: false\n"
                     f"  - property_file: end.prp\n    expected_verdict: true\n  - property_file: free.prp\n  - property_file: race.prp\n  - property_file: ../elsewhere/no-overflow.prp\noptions:\n  language: C\n  data_model: {model}\n")
        r = whet("verify", task, "--quiet", "--trace", "off")
        equal((verdicts(r), r.status), ({"unreach-call": verdict, "no-overflow": "SAFE", "valid-free": "SAFE"}, status), r)
        assert "termination: HOLDS" in r.out, r
        other = "" if verdict == "UNSAFE" else "note: unreach-call: the task expects another verdict (false)\n"
        equal(r.err, "note: G ! data-race is not decided: whet has no such property\n" + other, r)
    r = whet("verify", os.path.join(folder, "p.c"), "--property", os.path.join(folder, "reach.prp"), "--quiet", "--machine", "32")
    equal((r.out, r.err), ("unreach-call: SAFE\n", ""), r)


# Content of t.yml, the message.
WRONG_TASKS = [
    ("properties:\n", "there is no `input_files`"),
    ("input_files:\n  - 'a.c'\n  - 'b.c'\n", "there are several input files"),
    ("input_files: 'p.c'\noptions:\n  language: Java\n", "the language is `Java`; C is read"),
    ("input_files: 'p.c'\noptions:\n  data_model: LLP64\n", "neither ILP32 nor LP64"),
    ("input_files: 'p.c'\nproperties:\n  - property_file: no-data-race.prp\n", "the task has no property that whet decides"),
    ("input_files: 'p.c'\nproperties:\n  - property_file: odd.prp\n", "there is no property that is known"),
    ("input_files: 'none.c'\nproperties:\n  - property_file: unreach-call.prp\n", "none.c"),
]


@case
def wrong_tasks_are_told_so(folder):
    write(folder, "p.c", in_main(""))
    write(folder, "odd.prp", "CHECK( nothing )\n")
    for content, message in WRONG_TASKS:
        r = whet("verify", write(folder, "t.yml", content), "--quiet")
        equal((r.status, r.out), (2, ""), f"{content}\n{r}")
        assert message in r.err, f"{content}\n{r}"
    r = whet("verify", os.path.join(folder, "odd.prp"))
    equal((r.status, r.out), (2, ""), r)


@case
def machines_macros_and_headers(folder):
    write(folder, "limit.h", "#define LIMIT 7\n")
    os.mkdir(os.path.join(folder, "more"))
    write(os.path.join(folder, "more"), "other.h", "#define OTHER 8\n")
    text = '#include "limit.h"\n#include "other.h"\n' + in_main("if (LIMIT + OTHER + THIRD + FOURTH != 15 + 9 + 1) reach_error(); if (sizeof(long) != WIDTH) reach_error();")
    words = ["-I", os.path.join(folder, "more"), "-D", "THIRD=9", "-D", "FOURTH"]
    for machine, width in (("64", 8), ("32", 4)):
        r = verify(folder, text, "--machine", machine, "-D", f"WIDTH={width}", *words)
        equal(set(verdicts(r).values()), {"SAFE"}, r)


@case
def the_page_about_c_shows_what_happens(folder):
    with open(os.path.join(ROOT, "docs", "c.md"), encoding="utf-8") as f:
        shown = re.findall(r"```c\n(.*?)```\n\n```verdict\n(.*?)```", f.read(), re.DOTALL)
    equal(len(shown), 10)
    for program, verdict in shown:
        out = verify(folder, program, "--trace", "off", "--json", os.path.join(folder, "out.json")).out
        wanted = sorted(line for line in verdict.split("\n") if line)
        equal(sorted(line for line in out.split("\n") if line), wanted, program)


# Bodies of main whose inputs must be chosen well, declarations, the violated property.
VIOLATED = [
    ("int i = 0, m = 0, n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0;\n"
     "while (i < n) { int x = __VERIFIER_nondet_int(); if (x > m) m = x; i++; }\nif (m >= 100 && i == 3) reach_error();", "", "unreach-call"),
    ("unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); if (a > 5 && b > 5 && a + b == 3) reach_error();", "", "unreach-call"),
    ("int a = __VERIFIER_nondet_int(); signed char c = (signed char)a; if (c == -7 && a > 1000) reach_error();", "", "unreach-call"),
    ("int a = pick() && pick() ? __VERIFIER_nondet_int() : 3; if (a == 17) reach_error();", "int pick(void) { return __VERIFIER_nondet_int() == 4; }\n", "unreach-call"),
    ("int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (a > 0 && b > 0) a = a + b;", "", "no-overflow"),
    ("int a = __VERIFIER_nondet_int(); if (a > 10) a = 100 / (a - 12);", "", "division"),
    ("int t[4] = {0}; int i = __VERIFIER_nondet_int(); if (i > 1) t[i] = 1;", "", "valid-deref"),
    ("int a = __VERIFIER_nondet_int(); if (f(3) == 111 && a == 5 && __VERIFIER_nondet_int() == 7) reach_error();",
     "int f(int n) { int x = __VERIFIER_nondet_int(); if (n == 0) return x == 4; int y = f(n - 1); return y * 10 + (x == n && __VERIFIER_nondet_int() == 9) - 9 * (n == 1); }\n", "unreach-call"),
    ("f(3);", "int count; void f(int n) { count += __VERIFIER_nondet_int() > 100; if (n > 0) f(n - 1); else if (count == 4) count = 1 / (n * count); }\n", "division"),
]


@case
def compiled_programs_violate_what_whet_says_with_its_inputs(folder):
    for body, before, name in VIOLATED:
        harness, program = os.path.join(folder, "h.c"), os.path.join(folder, "confirm")
        r = verify(folder, in_main(body, before), "--property", name, "--harness", harness, "--timeout", "120")
        equal((r.out.split("\n")[0], r.status), (f"{name}: UNSAFE", 10), f"{body}\n{r}")
        subprocess.run(["cc", "-w", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-o", program, os.path.join(folder, "p.c"), harness], check=True)
        done = subprocess.run([program], capture_output=True, text=True, timeout=60)
        r = verify(folder, in_main(body, before), "--property", name, "--confirm", "--trace", "off", "--timeout", "120")
        equal(r.err, f"note: {name}: confirmed: the compiled program comes to the error\n", f"{body}\n{r}")
        words = {"unreach-call": "the error is reached", "no-overflow": "signed integer overflow", "division": "division by zero", "valid-deref": "out of bounds"}
        assert done.returncode and words[name] in done.stderr, f"{body}\n{done}"


@case
def what_a_compiled_program_does_not_show_is_not_confirmed(folder):
    r = verify(folder, in_main("int x; if (x == 4711) reach_error();"), "--property", "unreach-call", "--confirm", "--trace", "off")
    equal((r.out, r.status), ("unreach-call: UNSAFE\n", 10), r)
    equal(r.err, "note: unreach-call: not confirmed: the compiled program does not say that it comes to the error\n", r)


@case
def comments_state_assertions_and_invariants(folder):
    def text(bound, end):
        return in_main(f"int n = __VERIFIER_nondet_int(), i = 0, s = 0; if (n < 0 || n > 1000) return 0;\n//@ loop invariant s == 2 * i && {bound};\nwhile (i < n) {{ i++; s += 2; }}\n"
                       f'char *t = "//@ assert 0;"; /* //@ assert 0; */\n//@ assert {end};')
    r = verify(folder, text("i <= n", "s == 2 * n"), "--property", "unreach-call")
    equal((r.out, r.err), ("unreach-call: SAFE (no-overflow not proved)\n", ""), r)
    r = verify(folder, text("i < n", "s == 2 * n"), "--property", "unreach-call")
    equal(r.out, "unreach-call: SAFE (no-overflow not proved)\n", r)
    assert re.match(r"note: lemma .* does not hold: after 1 step", r.err), r
    r = verify(folder, text("i <= n", "s != 14"), "--property", "unreach-call", "--trace", "off")
    equal((r.out, r.status), ("unreach-call: UNSAFE\n", 10), r)
    r = verify(folder, text("i <= __VERIFIER_nondet_int()", "1"))
    equal((r.status, r.out), (2, ""), r)
    assert "an invariant depends on more than the state" in r.err, r


@case
def runs_show_calls_and_returns(folder):
    r = verify(folder, in_main("int n = __VERIFIER_nondet_int();\nif (f(n) == 2)\nreach_error();", "int f(int n) { return n == 2 ? 0 : f(n + 1) + 1; }\n"), "--property", "unreach-call")
    equal(r.out, """unreach-call: UNSAFE
    7: n = __VERIFIER_nondet_int()  (__VERIFIER_nondet_int = 0)
    f(n = 0)
      5: return n == 2 ? 0 : f(n + 1) + 1; 5: [!(n == 2)]
      f(n = 1)
        5: return n == 2 ? 0 : f(n + 1) + 1; 5: [!(n == 2)]
        f(n = 2)
          5: return n == 2 ? 0 : f(n + 1) + 1; 5: [n == 2]
          returns 0
        returns 1
      returns 2
    8: [f(n) == 2]; 9: reach_error()
""", r)


@case
def runs_show_a_line_for_each_statement(folder):
    text = in_main("int n = __VERIFIER_nondet_int();\nint s = 0, i = 0;\nif (n < 8 || n > 8)\nreturn 0;\nwhile (i < n) {\ns += 2;\ni++;\n}\nif (s == 16)\nreach_error();")
    r = verify(folder, text, "--property", "unreach-call")
    lines = r.out.splitlines()
    first = int(lines[1].split(":")[0])
    equal(lines[1].split(), f"{first}: n = __VERIFIER_nondet_int() __VERIFIER_nondet_int() = 8, n = 8".split(), r)
    equal([line.split(":")[0].strip() for line in lines[1:-1]][:4], [str(first)] + 2 * [str(first + 1)] + [str(first + 2)], r)
    equal(sum("the same 6 times more" in line for line in lines), 1, r)
    assert any(line.split() == f"{first + 5}: s += 2 s = 16".split() for line in lines), r
    assert any(line.split() == f"{first + 6}: i++ i = 8".split() for line in lines), r
    equal(lines[-1].split()[1:], ["reach_error()"], r)
    full = verify(folder, text, "--property", "unreach-call", "--trace", "full").out
    assert "program at" in full and "the same" not in full, full


INTEGER_TYPES = ["_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long", "long long"]
VALUES = ["0", "1", "-1", "127", "128", "255", "256", "-128", "-129", "32767", "32768", "65535", "65536", "-32769", "2147483647", "2147483648", "4294967295",
          "4294967296", "-2147483649", "9223372036854775807", "-9223372036854775807L-1"]


@case
def conversions_are_those_of_the_compiler(folder):
    """Every value to every type and from there to every other."""
    if not shutil.which("cc"):
        raise AssertionError("cc is needed")
    pairs = [(a, b, v) for a in INTEGER_TYPES for b in INTEGER_TYPES for v in VALUES]
    shown = "".join(f'printf("%d %llu\\n", ({b})({a})({v}) < 0, (unsigned long long)({b})({a})({v}));\n' for a, b, v in pairs)
    program = os.path.join(folder, "c")
    subprocess.run(["cc", "-w", "-o", program, write(folder, "c.c", f"#include <stdio.h>\nint main(void) {{ {shown} return 0; }}\n")], check=True)
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    equal(len(lines), len(pairs))
    tests = ""
    for (a, b, v), line in zip(pairs, lines):
        sign, value = line.split()
        tests += f"if ((({b})({a})({v}) < 0) != {sign} || (unsigned long long)({b})({a})({v}) != {value}ull) reach_error();\n"
    r = verify(folder, in_main(tests), "--property", "unreach-call")
    equal(r.out, "unreach-call: SAFE\n", r)


if __name__ == "__main__":
    main()
