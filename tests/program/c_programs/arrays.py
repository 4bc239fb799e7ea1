"""Arrays of any length in C programs: verdicts, each compared with what the compiled program does; and the same if they are expanded."""
import json
import os
import re
import shutil
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from compiled import runs_well, text_of, verdicts
from harness import ROOT, Skip, case, equal, main, whet, write

N = "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0; "

ASKED = {"no-overflow", "division", "valid-deref", "unreach-call"}
ASKED_OF_MEMORY = ASKED | {"valid-free", "valid-memtrack"}  # of programs that allocate

# Before main, the body of main, what is violated.
PROGRAMS = [
    ("", "int a[100000]; a[3] = 1; if (a[3] != 1) reach_error();", set()),
    ("", "int a[3]; int *p = 0; for (int i = 0; i < 3; i++) { if (p) *p = 1; p = a; }", set()),
    # pointers into several arrays
    ("", "int a[3] = {1, 2, 3}, b[4] = {0}, n = __VERIFIER_nondet_int(), *p = n ? a : b; p[2] = 7; if ((n ? a[2] : b[2]) != 7 || (n ? b[2] : a[2] - 3)) reach_error();", set()),
    ("", "int a[3], b[4], *p = __VERIFIER_nondet_int() ? a : b; p[3] = 7;", {"valid-deref"}),
    ("", "int a[3], b[4], *p = a; for (int i = 0; i < 3; i++) { p[2] = i; p = p == a ? b : a; } *(p + 3) = 1; if (a[2] != 2 || b[2] != 1) reach_error();", set()),
    ("", "int a[3], b[4], *p = a, *q = b, *t; for (int i = 0; i < 2; i++) { t = p; p = q; q = t; } p[3] = 1;", {"valid-deref"}),
    ("int a[20], b[30]; int *choose(int n) { return n > 5 ? a : b + 1; }", "int n = __VERIFIER_nondet_int(); choose(n)[19] = n; if (n > 5 ? a[19] != n : b[20] != n) reach_error();", set()),
    ("void set(int *p, int i) { p[i] = 5; }", "int a[20], x = 1; set(__VERIFIER_nondet_int() ? a : &x, 1);", {"valid-deref"}),
    ("", "int a[2] = {1, 2}, b[2] = {3, 4}, *p = 0; int n = __VERIFIER_nondet_int(); if (n > 0) p = a; if (n < 0) p = b; if (p) p[1]++; if (a[1] + b[1] != (n ? 7 : 6)) reach_error();", set()),
    ("", "int *m = malloc(20 * sizeof(int)), a[30], *p = a; if (__VERIFIER_nondet_int()) p = m; p[19] = 2; free(m); p = a; p[29] = 3;", set()),
    ("", "int *m = malloc(20 * sizeof(int)), a[30], *p = a; if (__VERIFIER_nondet_int()) p = m; free(m); p[1] = 2;", {"valid-deref"}),
    # different elements in one expression
    ("", "int a[3] = {1, 2, 3}, m[2][2] = {{1, 2}, {3, 4}}; a[2] = a[1]++; m[0][1] = m[1][1]--; if (a[2] != 2 || a[1] != 3 || m[0][1] != 4 || a[0]++ + a[1]++ != 4) reach_error();", set()),
    # one run of many steps
    ("int big[1000], other[500];", "int p = 0, q = 1, t; for (int i = 0; i < 50; i++) { if (p) other[i] = i; else big[i] = i; t = p; p = q; q = t; } if (q) other[999] = 1;", {"valid-deref"}),
    ("", "int a[1000] = {1, 2}; if (a[0] != 1 || a[1] != 2 || a[999]) reach_error();", set()),
    ("int a[1000]; short b[300] = {[7] = -2};", "if (a[5] || b[7] != -2 || b[8]) reach_error();", set()),
    ("int a[1000];", "a[1000] = 1;", {"valid-deref"}),
    ("int a[1000];", "int i = __VERIFIER_nondet_int(); if (i < 1000) a[i] = 1;", {"valid-deref"}),
    ("int a[1000];", "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 999) return 0; a[i] = i; if (a[i] == 77) reach_error();", {"unreach-call"}),
    ("", "unsigned char a[500]; a[9] = (unsigned char)300; if (a[9] != 44 || a[10] > 255) reach_error();", set()),
    ("", "signed char a[500]; int i = __VERIFIER_nondet_int(); if (i < 0 || i >= 500) return 0; if (a[i] > 127 || a[i] < -128) reach_error();", set()),
    ("", "_Bool a[500]; a[9] = 300; a[10] = 0; if (a[9] != 1 || a[10]) reach_error();", set()),
    ("", N + "int a[n]; for (int i = 0; i < n; i++) a[i] = 7; for (int i = 0; i < n; i++) if (a[i] != 7) reach_error();", set()),
    ("", N + "int a[n]; for (int i = 0; i <= n; i++) a[i] = 7;", {"valid-deref"}),
    ("", N + "int a[2 * n + 1]; a[2 * n] = 3; n = 0; a[2] = 4; if (a[2] != 4) reach_error();", set()),
    ("", N + "int a[n - 5]; a[0] = 3;", {"valid-deref"}),
    ("", "int n = 3; if (n) { int n = 5; int a[n]; a[4] = 1; } int b[n]; b[3] = 1;", {"valid-deref"}),
    ("int f(int n) { int a[n]; a[n - 1] = n; return a[n - 1]; }", N + "if (f(n) != n || f(n + 1) != n + 1) reach_error();", set()),
    ("int has(int *a, int n) { for (int i = 0; i < n; i++) if (a[i] == 1) return 1; return 0; }", N + "int a[n]; for (int i = 0; i < n; i++) a[i] = 2; if (has(a, n)) reach_error();", set()),
    ("void set(int a[], int i, int v) { a[i] = v; }", "int a[1000], b[1000]; set(a, 1, 2); set(b, 1, 3); if (a[1] != 2 || b[1] != 3) reach_error();", set()),
    ("", N + "int *a = malloc(n * sizeof(int)); a[n - 1] = 4; if (a[n - 1] != 4) reach_error(); free(a);", set()),
    ("", N + "int *a = malloc(n * sizeof(int)); a[n] = 4;", {"valid-deref"}),
    ("", N + "int *a = malloc(n * sizeof(int)); a[0] = 4; free(a); if (a[0] == 4) reach_error();", {"valid-deref"}),
    ("", N + "int *a = malloc(n * sizeof(int)); free(a); free(a);", {"valid-free"}),
    ("", N + "int *a = (int *)calloc(n, sizeof(int)); if (a[n - 1]) reach_error(); free(a);", set()),
    ("", "int *a = malloc(0); free(a); a = 0; free(a);", set()),
    ("", "char *a = malloc(10); char *b = malloc(10); a[1] = 1; b[1] = 2; if (a[1] != 1) reach_error(); free(a); b[2] = 1; free(b);", set()),
    ("", "short *p = alloca(20); p[9] = 70000; if (p[9] != 4464) reach_error();", set()),
    ("", "short *p = alloca(20); p[10] = 7;", {"valid-deref"}),
    ("struct s { int x; short y; };", N + "struct s a[n]; a[n - 1].x = 1; a[n - 1].y = 2; struct s t = a[n - 1]; a[0] = t; if (a[0].x != 1 || a[0].y != 2) reach_error();", set()),
    ("struct s { int x; short y; }; struct t { struct s s; int z; };", "struct t a[200]; a[3].s.y = 1; a[3].z = 2; struct s *p = &a[3].s; p->x = 5; if (a[3].s.y != 1 || a[3].s.x != 5 || p->y != 1) reach_error();", set()),
    ("struct s { int x; short y; };", "struct s a[200]; struct s *p = a; p += 199; p->x = 1; p++; p->x = 2;", {"valid-deref"}),
    ("", N + "int m[n][3]; m[n - 1][2] = 5; m[n - 1][1] = 4; if (m[n - 1][2] != 5) reach_error();", set()),
    ("", N + "int m[n][3]; m[0][3] = 5;", {"valid-deref"}),
    ("", N + "int (*m)[3] = malloc(n * sizeof *m); m[n - 1][2] = 7; m[0][1] = 5; if (m[n - 1][2] != 7 || (*m)[1] != 5) reach_error(); free(m);", set()),
    ("", N + "int (*m)[3] = malloc(n * sizeof *m); m[n - 1][3] = 7;", {"valid-deref"}),
    ("", N + "int (*m)[3] = malloc(n * sizeof *m); m[n][0] = 7;", {"valid-deref"}),
    ("int k = 5;", "int a[k]; a[4] = 1; a[5] = 1;", {"valid-deref"}),
    ("int k = 5;", "int a[k + 1]; a[5] = 1; if (a[5] != 1) reach_error();", set()),
    ("int k = 5; int f(int i) { int a[k]; a[i] = i; return i <= 0 ? a[0] : f(i - 1); }", "if (f(4)) reach_error();", set()),
    ("int k = 5; int f(int i) { int a[k]; a[i] = i; return i <= 0 ? a[0] : f(i - 1); }", "f(5);", {"valid-deref"}),
    ("struct __attribute__((aligned(16))) s { int a; }; struct t { char c; int b __attribute__((aligned(8))); char d; }; struct u { struct s x; char y; };",
     "struct s all[2] = {{1}, {2}}; int x __attribute__((aligned(32))) = 3; if (sizeof(struct s) != 16 || sizeof(struct t) != 16 || sizeof(struct u) != 32 || sizeof all != 32 || all[1].a + x != 5) reach_error();", set()),
    ("", "int m[100][100]; for (int i = 0; i < 3; i++) m[i][i] = i; if (m[2][2] != 2) reach_error(); m[99][100] = 1;", {"valid-deref"}),
    ("", "int a[3] = {1, 2, 3}; int *p = a; int s = 0; while (p < a + 3) s += *p++; if (s != 6) reach_error();", set()),
    ("", "int a[3] = {1, 2, 3}; int *p = a; p++; ++p; if (*p != 3) reach_error(); p--; p -= 1; if (*p != 1) reach_error(); p = p + 3; *p = 4;", {"valid-deref"}),
    ("", "int a[300]; int *p = &a[10], *q = p; q += 5; *q = 1; if (q - p != 5 || a[15] != 1 || q <= p) reach_error();", set()),
    ("", "int x = 1; int *p = 0; if (__VERIFIER_nondet_int() == 3) p = &x; if (p) *p = 2; else x = 3; if (x == 1) reach_error(); if (x == 2 && !p) reach_error();", set()),
    ("", "int x = 1; int *p = 0; if (__VERIFIER_nondet_int() == 3) p = &x; *p = 2;", {"valid-deref"}),
    ("int set(int *p) { if (!p) return 0; *p = 1; p = 0; return 1; }", "int x = 0; if (set(0) || !set(&x) || x != 1) reach_error();", set()),
    ("int length(const char *s) { const char *p = s; while (*p) p++; return p - s; }", "char s[3] = {97, 98}; if (length(s) != 2) reach_error();", set()),
    ("int g[400]; int *last;", "last = g; last[7] = 1; last++; if (last[6] != 1 || g[7] != 1) reach_error();", set()),
    ("int f(int n) { static int a[500]; a[n]++; return a[n]; }", "f(3); if (f(3) != 2 || f(4) != 1) reach_error();", set()),
    ("int g[500]; int f(int n) { g[n] = n; return n > 0 ? f(n - 1) : 0; }", "f(3); if (g[2] != 2 || g[3] != 3 || g[4]) reach_error();", set()),
    ("int g[500]; int f(int n) { g[n] = n; return n > 0 ? f(n - 1) : 0; }", "f(3); if (g[2] == 2) reach_error();", {"unreach-call"}),
    ("int f(int n) { int a[300]; a[0] = n; if (n > 0) f(n - 1); return a[0]; }", "if (f(3) != 3) reach_error();", set()),
    ("int a[100];", "int *end = &a[100], *last = &*(a + 100); if (end - a != 100 || end == a || end != last) reach_error();", set()),
    ("", "int a[3] = {1, 2, 3}, n = __VERIFIER_nondet_int(); if (n < 0 || n > 3) return 0; int *e = &a[n]; if (e - a != n) reach_error();", set()),
    ("", "int a[3] = {1, 2, 3}; int *e = &a[3]; *e = 1;", {"valid-deref"}),
    ("int a[100];", "int *e = &a[100]; a[0] = *e;", {"valid-deref"}),
    ("", "int m[2][3] = {{0}}; int *e = &m[1][3]; int (*r)[3] = &m[2]; if (e - m[1] != 3 || r - m != 2) reach_error();", set()),
    ("struct s { int x, y; }; struct s a[100];", "struct s *e = &a[100]; int *p = &a[99].y; *p = 1; if (e - a != 100 || (e - 1)->y != 1) reach_error();", set()),
    ("struct s { int x, y; }; struct s a[100];", "struct s *e = &a[100]; e->x = 1;", {"valid-deref"}),
    ("struct s { int x, y; }; struct s a[100];", "int i = __VERIFIER_nondet_int(); if (i < 0 || i >= 100) return 0; if (&a[i].x == &a[i].y || &a[i].y != &a[i].y) reach_error();", set()),
    ("struct s { int x, y; }; struct s a[100]; int same(int *p, int *q) { return p == q; }", "if (!same(&a[3].x, &a[3].y)) reach_error();", {"unreach-call"}),
    ("", "for (int i = 0; i < 3; i++) { int *p = malloc(4); *p = i; }", {"valid-memtrack"}),
    ("", "int x = 0; int *p = 0; for (int i = 0; i < 3; i++) { if (p) *p = 1; p = &x; } if (x != 1) reach_error();", set()),
    ("int g; int *p = &g; void f(int n) { *p = n; if (n > 0) f(n - 1); }", "f(3); if (g) reach_error();", set()),
    ("", N + "int t = 0; again: ; int a[n]; int *p; p = a; *p = t; if (a[0] != t) reach_error(); if (!t) { t = 1; goto again; }", set()),
    ("", "int x = 1, n = __VERIFIER_nondet_int(); if (n) goto out; int *p = &x; *p = 3; int *q; q = &x; *q += 1; out: if (x != (n ? 1 : 4)) reach_error();", set()),
    ("", "int x = 1; int *p = ({ int y = 2; int *q = &x; *q = y; q; }); if (*p != 2) reach_error();", set()),
]

REFUSED = [
    ("int f(void) { return 3; }", "int a[f()]; a[0] = 1;", "the length `f()` of `a` is not read"),
    ("", "int *p; { int a[3] = {0}; p = a; } *p = 1;", "an element of an array is meant by a pointer with several values"),
    ("int *g; void f(void) { int a[3] = {0}; g = a; }", "f(); *g = 1;", "an element of an array is meant by a pointer with several values"),
    ("", "for (int i = 1; i < 3; i++) { int *p = malloc(4 * i); p[i - 1] = i; }", "this memory is not one object of type `int"),
    ("", "void *p = malloc(4); free(p);", "memory is allocated here that is not an array or struct of one type"),
    ("", "int a[3]; int *p = a; free(p);", "what is freed here was not allocated"),
    ("int *f(void) { int *p = alloca(40); return p; }", "*f() = 1;", "`f` returns the address of its own variable"),
    ("", N + "int m[3][n]; m[0][0] = 1;", "arrays of arrays without a constant size"),
    ("struct s { int v[2]; };", N + "struct s a[n]; a[0].v[0] = 1;", "structs with arrays inside"),
    ("struct s { int x, y; }; struct s a[100];", "int *p = &a[3].x, *q = &a[3].y; if (p - q == 0) reach_error();", "this operation on pointers is not read"),
    ("struct s { int x, y; }; struct s a[100];", "int *p = &a[3].x, *q = &a[3].y; if (p < q) reach_error();", "this operation on pointers is not read"),
    ("struct s { int x, y; }; struct s a[100];", "int *p = &a[3].x, *q = &a[3].y; if (p + 1 == q) reach_error();", "this operation on pointers is not read"),
    ("", N + "typedef int T[n]; n = 50; T a; a[40] = 1;", "the length of `a` is that of another type or variable"),
    ("", N + "int b[n]; n = 50; __typeof__(b) a; a[40] = 1;", "the length of `a` is that of another type or variable"),
    ("int M = 5; int get(void) { return M; }", N + "enum { M = 2 }; int z = get(), a[M * n]; a[z] = 1;", "the length `M * n` of `a` is not read"),
    ("int M = 5; int get(void) { return M; }", N + "struct s { enum { M = 2 } e; }; int z = get(), a[M * n]; a[z] = 1;", "the length `M * n` of `a` is not read"),
    ("", "int a[2], b[2], *p = __VERIFIER_nondet_int() ? a : b, *q = a; if (p < q) reach_error();", "this operation on pointers is not read"),
    ("", "int a[3] = {0}; a[1] = a[1]++;", "in an order that C does not fix"),
    ("", "int a[3] = {0}, i = 1; a[i] = a[2]++;", "in an order that C does not fix"),
    ("", "int a[3] = {0}; *(&a[1] + 1) = a[2]++;", "in an order that C does not fix"),
    ("", "int a[2][2] = {0}; a[1][0] = a[1][1]++;", "in an order that C does not fix"),
    ("", "int a[2], b[2]; int *p[2]; p[0] = a;", "an element of an array is meant by a pointer with several values"),
    ("", "int x = 1, n = __VERIFIER_nondet_int(); if (n) goto L; int *p = &x; L: *p = 2;", "a jump over the declaration of the pointer `p` may lead here"),
    ("", "int x = 1, n = __VERIFIER_nondet_int(); switch (n) { case 0: ; int *p = &x; case 1: *p = 5; }", "a jump over the declaration of the pointer `p` may lead here"),
    ("", "int x = 1, i = 0; if (x) goto L; int *p = &x; while (i < 2) { if (i) *p = 2; L: i++; }", "a jump over the declaration of the pointer `p` may lead here"),
    ("", "int *p = ({ int x = 1; &x; }); if (*p != 1) reach_error();", "the value of this block points to `x`, which is gone after it"),
    ("", "int *p = ({ int x[20]; x[0] = 3; x; }); if (*p != 3) reach_error();", "the value of this block points to `x`, which is gone after it"),
    ("int f(int *p) { return *p; }", "if (f(({ int x = 1; &x; })) != 1) reach_error();", "the value of this block points to `x`, which is gone after it"),
    ("", "int n = 20, t = 0; int *p = 0; L: ; int a[n]; a[0] = 1; if (!t) { p = a; t = 1; goto L; } *p = 3;", "an element of an array is meant by a pointer with several values"),
]


@case
def verdicts_are_those_of_the_compiled_program(folder):
    if not shutil.which("clang"):
        raise Skip("clang is not installed")
    for before, body, violated in PROGRAMS:
        path = write(folder, "p.c", text_of(before, body))
        r = whet("verify", path, "--quiet", "--confirm")
        equal({name for name, verdict in verdicts(r).items() if verdict != "SAFE"}, violated, f"{before} {body}\n{r}")
        equal(set(verdicts(r)), ASKED_OF_MEMORY if "alloc" in body else ASKED, f"{body}\n{r}")
        assert "UNKNOWN" not in verdicts(r).values(), f"{body}\n{r}"
        for name in violated - {"valid-memtrack"}:  # compilers do not see these reliably
            assert f"note: {name}: confirmed" in r.err, f"{body}\n{r}"
        if not violated:
            runs_well(folder, path, (0, 1, 2, 3, -3, 700), leaks=False)


# A local pointer that was not set may be null, or not, or equal to another, but is no place: what a compiler makes of it is not known.
UNSET = [
    ("int x = 1; int *p; if (__VERIFIER_nondet_int() == 3) p = &x; *p = 2;", {"valid-deref"}),
    ("int x = 1; int *p; if (__VERIFIER_nondet_int() == 3) p = &x; if (p) *p = 2;", {"valid-deref"}),
    ("int *p; if (__VERIFIER_nondet_int() == 3) p = malloc(4); free(p);", {"valid-free"}),
    ("int *p; if (__VERIFIER_nondet_int() == 3) p = malloc(4); else p = 0; free(p);", set()),
    ("int a[3]; int *p; if (__VERIFIER_nondet_int() == 3) p = a; if (!p) reach_error();", {"unreach-call"}),
    ("int a[3], n = __VERIFIER_nondet_int(); int *p; if (n == 3) p = a; if (n != 3 && p == a) reach_error();", {"unreach-call"}),
    ("int *p; int x = 1; if (p) x = 2; p = &x; if (x == 1) reach_error();", {"unreach-call"}),
    ("int x = 1; for (int i = 0; i < 3; i++) { int *p; if (i != 1) p = &x; if (p) *p = 2; }", {"valid-deref"}),
    ("static int *p; int x = 1; if (__VERIFIER_nondet_int() == 3) x = 2; if (p) reach_error();", set()),
]


@case
def a_pointer_that_was_not_set_is_no_place(folder):
    for body, violated in UNSET:
        r = whet("verify", write(folder, "p.c", text_of("", body)), "--quiet")
        equal({name for name, verdict in verdicts(r).items() if verdict != "SAFE"}, violated, f"{body}\n{r}")
        assert r.status in (0, 10), f"{body}\n{r}"


@case
def what_is_not_known_is_refused(folder):
    for before, body, message in REFUSED:
        r = whet("verify", write(folder, "p.c", text_of(before, body)))
        equal((r.status, r.out), (2, ""), f"{body}\n{r}")
        assert re.match(r"\S+p\.c:\d+:\d+: error: ", r.err) and message in r.err, f"{body}\n{r}"


# The examples that are decided fast: which property the wrong twin violates, and whether the right one is proved.
EXAMPLES = {"binary-search": ("unreach-call", True), "bubble-sort": ("unreach-call", True), "copy": ("unreach-call", True), "find": ("unreach-call", True), "init": ("unreach-call", True),
            "insertion-sort": ("unreach-call", True), "max": ("unreach-call", True), "reverse": ("unreach-call", True), "ring": ("unreach-call", True), "sentinel": ("valid-deref", True)}


@case
def examples_are_decided(folder):
    for name, (violated, is_proved) in EXAMPLES.items():
        path = os.path.join(ROOT, "examples", "c-arrays", name + ".c")
        wrong = whet("verify", path, "-D", "WRONG", "--property", violated, "--quiet", "--confirm", "--work", "20000000")
        equal(verdicts(wrong), {violated: "UNSAFE"}, f"{name}\n{wrong}")
        assert f"note: {violated}: confirmed" in wrong.err, f"{name}\n{wrong}"
        if is_proved:
            right = whet("verify", path, "--quiet", "--work", "20000000")
            equal(set(verdicts(right).values()), {"SAFE"}, f"{name}\n{right}")
            equal(len(verdicts(right)), 4, name)


@case
def certificates_are_checked_with_the_same_arrays(folder):
    path, proof = os.path.join(ROOT, "examples", "c-arrays", "init.c"), os.path.join(folder, "proof")
    for words, status in ((), 0), (("-D", "WRONG"), 10):
        made = whet("verify", path, *words, "--property", "unreach-call", "--quiet", "--certificate", proof)
        equal(made.status, status, made)
        checked = whet("check", path, proof, *words, "--property", "unreach-call")
        equal(checked.status, 0, checked)
    other = whet("check", path, proof, "--property", "unreach-call")
    assert other.status != 0, f"of another program\n{other}"


# What is wrong lies behind loops of many rounds; the second takes a smallest element that is the only one of its kind.
BEHIND_LOOPS = [
    "int a[3000], b[3000]; for (int i = 0; i < 3000; i++) a[i] = __VERIFIER_nondet_int(); for (int i = 0; i < 3000; i++) b[i] = a[i]; b[2999] = 7;"
    " for (int i = 0; i < 3000; i++) if (b[i] != a[i]) reach_error();",
    "int a[2000], s = 0; for (int i = 0; i < 2000; i++) a[i] = __VERIFIER_nondet_int(); for (int i = 1; i < 2000; i++) if (a[i] < a[s]) s = i;"
    " for (int i = 0; i < 2000; i++) if (i != s && a[i] <= a[s]) return 0; reach_error();",
]


@case
def violations_behind_many_rounds(folder):
    if not shutil.which("clang"):
        raise Skip("clang is not installed")
    for body in BEHIND_LOOPS:
        path, proof, found = write(folder, "p.c", text_of("", body)), os.path.join(folder, "proof"), os.path.join(folder, "found.json")
        r = whet("verify", path, "--property", "unreach-call", "--quiet", "--confirm", "--work", "20000000", "--certificate", proof, "--json", found)
        equal(verdicts(r), {"unreach-call": "UNSAFE"}, f"{body}\n{r}")
        assert "note: unreach-call: confirmed" in r.err, f"{body}\n{r}"
        assert "and so on; the run is in the certificate" in r.out, r.out[-300:]
        with open(found, encoding="utf-8") as f:
            of_property = json.load(f)["properties"][0]
        equal((of_property["certificate"]["format"], len(of_property["trace"])), ("clause-run", 1000), body)
        checked = whet("check", path, proof, "--property", "unreach-call")
        equal(checked.status, 0, checked)


if __name__ == "__main__":
    main()
