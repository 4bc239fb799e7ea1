"""Memory and pointers of C programs: verdicts, each compared with what the compiled program does."""
import os
import shutil
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from compiled import agree, are_refused
from harness import Skip, case, main

F = "int one(int n) { return n + 1; } int two(int n) { return n * 2; } int zero(void) { return 0; }\n"

PAIR = ("struct p { int x, y; }; struct p make(int x, int y) { struct p r; r.x = x; r.y = y; return r; }\n"
        "struct p swap(struct p a) { struct p r = a; r.x = a.y; r.y = a.x; if (a.x > 5) return a; return r; }\n")

PRINT = '#include <stdio.h>\nconst char *name(int n) { if (n == 7) reach_error(); return n ? "a" : "b"; }\n'

# Before main, the body of main, what is violated.
PROGRAMS = [
    ("", "int a[3] = {1, 2, 3}; memset(a, 0, sizeof a); if (a[0] || a[1] || a[2]) reach_error();", set()),
    ("", "int a[3] = {1, 2, 3}; memset(a + 1, 255, sizeof(int)); if (a[0] != 1 || a[1] != -1 || a[2] != 3) reach_error();", set()),
    ("", "unsigned short s = 7; unsigned char c = 7; memset(&s, 0x1ff, sizeof s); memset(&c, -2, 1); if (s != 65535 || c != 254) reach_error();", set()),
    ("", "int a[3]; memset(a, 1, sizeof a); if (a[2] == 0x01010101) reach_error();", {"unreach-call"}),
    ("", "int a[3]; memset(a, 0, 16);", {"valid-deref"}),
    ("", "int a[3]; memset(a + 2, 0, 8);", {"valid-deref"}),
    ("struct s { char c; int v[2]; long l; };", "struct s x = {1, {2, 3}, 4}; memset(&x, 0, sizeof x); if (x.c || x.v[0] || x.v[1] || x.l) reach_error();", set()),
    ("struct s { char c; int v[2]; long l; };", "struct s x = {1, {2, 3}, 4}; memset(x.v, 0, sizeof x.v); if (x.c != 1 || x.v[0] || x.v[1] || x.l != 4) reach_error();", set()),
    ("", "int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; memset(m[1], 0, sizeof m[1]); if (m[0][2] != 3 || m[1][0]) reach_error(); memset(m, 0, sizeof m); if (m[0][2]) reach_error();", set()),
    ("", "int a[3] = {1, 2, 3}, b[4] = {0}; memcpy(b + 1, a, sizeof a); if (b[0] || b[1] != 1 || b[3] != 3) reach_error();", set()),
    ("", "int a[3] = {1, 2, 3}, b[2]; memcpy(b, a, sizeof a);", {"valid-deref"}),
    ("", "int a[2] = {1, 2}, b[3]; memcpy(b, a, sizeof b);", {"valid-deref"}),
    ("", "int a[4] = {1, 2, 3, 4}; memmove(a + 1, a, 3 * sizeof *a); if (a[0] != 1 || a[1] != 1 || a[2] != 2 || a[3] != 3) reach_error();", set()),
    ("struct s { int v[2]; };", "struct s x = {{5, 6}}, y; memcpy(&y, &x, sizeof y); x.v[0] = 0; if (y.v[0] != 5 || y.v[1] != 6) reach_error();", set()),
    ("void clear(int *p) { memset(p, 0, 2 * sizeof *p); }", "int a[2] = {1, 2}; clear(a); if (a[1]) reach_error();", set()),
    ("int f(int n) { switch (n) { case -3 ... -1: return 1; case 0: return 2; case 1 ... 3: return 3; default: return 4; } }",
     "int n = __VERIFIER_nondet_int(); int r = f(n); if ((r == 1) != (n >= -3 && n < 0) || (r == 3) != (n > 0 && n < 4) || (r == 2) != !n) reach_error();", set()),
    ("int f(unsigned char n) { switch (n) { case 1 ... 3: case 200 ... 255: return 1; } return 0; }", "int n = __VERIFIER_nondet_int(); if (n == 456 && f(n)) reach_error();", {"unreach-call"}),
    ("int *at(int *p, int i) { return p + i; }", "int a[3] = {1, 2, 3}; *at(a, 2) = 7; int *q = at(a, 1); if (a[2] != 7 || *q != 2) reach_error();", set()),
    ("int *at(int *p, int i) { return &p[i]; }", "int a[3] = {1, 2, 3}; *at(a, 3) = 7;", {"valid-deref"}),
    ("int g[2]; int *pick(int n) { if (n) return &g[1]; return g; }", "int n = __VERIFIER_nondet_int(); *pick(n) = 5; if (g[0] + g[1] != 5 || (n && g[0])) reach_error();", set()),
    ("int *keep(void) { static int x = 3; return &x; }", "*keep() += 1; if (*keep() == 4) reach_error();", {"unreach-call"}),
    ("int x, y; int *larger(int *p, int *q) { return *p > *q ? p : q; }", "x = 1; y = 2; *larger(&x, &y) = 9; if (x != 1 || y != 9) reach_error();", set()),
    ("int *none(int *p) { return 0; }", "int x = 1; if (none(&x) != 0) reach_error();", set()),
    (F, "int (*p)(int) = one; if (p(3) != 4 || (*p)(4) != 5 || (**p)(5) != 6) reach_error(); p = &two; if (p(3) != 6 || p == one || p != two || !p) reach_error();", set()),
    (F, "int n = __VERIFIER_nondet_int(); if (n > 9 || n < 0) return 0; int (*p)(int) = n > 5 ? one : two; if (p(n) == 7) reach_error();", {"unreach-call"}),
    (F, "int n = __VERIFIER_nondet_int(); if (n > 9 || n < 0) return 0; int (*p)(int) = n > 5 ? one : two; int r = p(n); if (r != (n > 5 ? n + 1 : 2 * n)) reach_error();", set()),
    (F + "int (*table[3])(int) = {one, two};", "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0; if (table[i](5) != (i ? 10 : 6)) reach_error();", set()),
    (F + "int (*table[3])(int) = {one, two};", "table[2](5);", {"valid-deref"}),
    (F, "int (*p)(int) = 0; if (__VERIFIER_nondet_int() == 77) p = two; if (p) { if (p(2) == 4) reach_error(); }", {"unreach-call"}),
    (F + "int apply(int (*f)(int), int n) { return f(f(n)); }", "if (apply(one, 3) != 5 || apply(two, 3) != 12) reach_error();", set()),
    (F + "typedef int fn(int); typedef int (*fp)(int); struct s { fp f; int n; };", "struct s x = {one, 4}, y; y = x; y.f = two; if (x.f(x.n) != 5 || y.f(y.n) != 8) reach_error();", set()),
    (F + "int (*other(int (*f)(int)))(int) { return f == one ? two : one; }", "int (*p)(int) = other(one); if (p(4) != 8) reach_error();", set()),
    ("int g; void up(void) { g++; } void down(void) { g--; } void (*now)(void);", "now = up; for (int i = 0; i < 10; i++) { now(); now = now == up ? down : up; } if (g != 0) reach_error();", set()),
    ("int g; int f(int n); int (*again)(int) = f; int f(int n) { g++; return n > 0 ? again(n - 1) : 7; }", "if (f(3) != 7 || g != 4) reach_error();", set()),
    ("int g; int f(int n); int (*again)(int) = f; int f(int n) { g++; return n > 0 ? again(n - 1) : 7; }", "if (f(3) == 7 && g == 4) reach_error();", {"unreach-call"}),
    (F, "if (one == two || zero == 0) reach_error();", set()),
    ("int g; int *f(int n) { return n ? f(n - 1) : &g; }", "*f(2) = 3; if (g != 3) reach_error();", set()),
    ("int g; int *f(int n) { return n ? f(n - 1) : &g; }", "*f(2) = 3; if (g == 3) reach_error();", {"unreach-call"}),
    ("void f(int *p) { if (--*p) f(p); }", "int x = 3; f(&x); if (x) reach_error();", set()),
    ("void f(int *p) { if (--*p) f(p); }", "int x = 3; f(&x); if (!x) reach_error();", {"unreach-call"}),
    (F, "int n = 2147483647; int (*p)(int) = one; p(n);", {"no-overflow"}),
    (PAIR, "int n = __VERIFIER_nondet_int(); struct p a = make(n, 2), b; b = swap(a); if (n > 5 ? b.x != n : b.x != 2 || b.y != n) reach_error(); if (make(3, 4).y != 4) reach_error();", set()),
    ("int g; __attribute__((noinline)) int f(int x) { g = x; return x; }", "if (f(3) != 3 || g != 3) reach_error(); int y __attribute__((unused)) = 4; if (y != 4) reach_error();", set()),
    ("int g; static int f(int x) __attribute__((unused)); static int f(int x) { g = x; return x; }", "if (f(3) == 3 && g == 3) reach_error();", {"unreach-call"}),
    (PAIR, "struct p b = swap(swap(make(1, 2))); if (b.x != 1 || b.y != 2) reach_error(); if (swap(make(7, 2)).x == 7) reach_error();", {"unreach-call"}),
    ("int check(void) { reach_error(); return 0; }", "exit(check());", {"unreach-call"}),
    ("", "int a[3] = {0}, n = __VERIFIER_nondet_int(); exit(a[n]);", {"valid-deref"}),
    ("int check(int n) { if (n == 7) reach_error(); return 0; }", "int n = __VERIFIER_nondet_int(); if (n != 7) exit(check(n));", set()),
    (PAIR + "int f(struct p a, int k, struct p b, int n) { return n ? f(b, a.x, a, n - 1) : a.x * 100 + b.y * 10 + k; }",
     "struct p x = make(1, 2), y = make(3, 4); if (f(x, 7, y, 1) != 321 || f(make(1, 2), 7, make(3, 4), 2) != 143) reach_error();", set()),
    (PAIR + "int h(struct p a, struct p b) { return a.x * 10 + b.x; } int g(struct p a, struct p b) { return h(b, a); }",
     "struct p x = make(1, 2), y = make(3, 4); if (g(x, y) == 31) reach_error();", {"unreach-call"}),
    (PRINT, 'int n = __VERIFIER_nondet_int(); const char *s = "abc"; puts(s); fputs(n > 3 ? "yes" : "no", stdout); fflush(0); printf("%s %p %d\\n", name(1), (void *)&n, n);', set()),
    (PRINT, 'int n = __VERIFIER_nondet_int(); puts(name(n));', {"unreach-call"}),
    (PRINT, 'int a[2] = {0}; int *p = a; puts((p++, "x")); if (p == a + 1) reach_error();', {"unreach-call"}),
    (PRINT, 'int i = 0; printf("%d\\n", i++); if (i == 1) reach_error();', {"unreach-call"}),
    ("", r"int c = '\xff', d = '\x80', e = '\x7f', f = 'ab', g = '\xff\xff\xff\xfe'; if (c != -1 || d != -128 || e != 127 || f != 24930 || g != -2) reach_error();", set()),
    ("", r"int c = L'\xff', d = L'\xfffffffe', e = u'\xffff'; unsigned f = U'\xfffffffe'; if (c != 255 || d != -2 || e != 65535 || f != 4294967294u) reach_error();", set()),
    ("enum e { E = '\\xff', F };", r"signed char c = -1; if (E != -1 || F) reach_error(); switch (c) { case '\xff': return 0; } reach_error();", set()),
]

REFUSED = [
    (F, "long n = (long)one; if (n) reach_error();", "this conversion (PointerToIntegral) is not read"),
    (F, "void *p = (void *)one; if (p == 0) reach_error();", "a pointer to a function is converted to or from something else"),
    (F, "int (*p)(int) = one; p = p + 1; p(1);", "this operation on pointers to functions is not read"),
    (F, "int (*p)(int) = one; p++; p(1);", "a pointer is moved"),
    (F + "void elsewhere(int (*)(int));", "elsewhere(one);", "a pointer to a function is given to `elsewhere`"),
    (F + "int (*elsewhere(void))(int);", "elsewhere()(3);", "error: "),
    ("typedef int number; int f(number n) { return n; }", "int (*p)(int) = f; p(1);", "they may differ"),
    (F, "int (*p)(int) = one; unsigned long *q = (unsigned long *)&p; *q = 2; p(1);", "reads memory as another type"),
    (F, "int (*p)(int) = __VERIFIER_nondet_int() ? one : 0; int i = 3; (i++ ? p : one)(i);", "in an order that C does not fix"),
    ("", "int a[3] = {0}, n = __VERIFIER_nondet_int(); memset(a, 0, n);", "this use of memory is not read"),
    ("", "int a[3] = {0}; memset(a, 0, 5);", "this use of memory is not read"),
    ("", "int a[3] = {0}; memcpy(a, a + 1, 8);", "this use of memory is not read"),
    ("", "int a[2] = {0}; short b[4]; memcpy(b, a, sizeof a);", "this use of memory is not read"),
    ("struct s { int v, w; };", "struct s x = {0}; memset(&x.v, 0, sizeof x);", "this use of memory is not read"),
    ("int *f(void) { int x = 1; return &x; }", "*f() = 3;", "`f` returns the address of its own variable `x`"),
    ("int *f(int n) { return &n; }", "*f(2) = 3;", "`f` returns the address of its own variable `n`"),
    ("struct p { int x; }; struct p f(int n) { struct p r; r.x = n; return n ? f(n - 1) : r; }", "f(1);", "`f` returns a value of type `struct p`"),
    ("int g; int *f(int n) { if (n) return &g; }", "int n = __VERIFIER_nondet_int(); f(n);", "can end without a `return`"),
    ("struct constants { int v; }; extern void ext(struct constants *p);", "struct constants c; c.v = 1; ext(&c); if (c.v != 1) reach_error();", "a pointer is given to `ext`"),
    ("extern int ext(const int *p);", "int x = 1; ext(&x); if (x != 1) reach_error();", "a pointer is given to `ext`"),
    (PRINT, "char *p = malloc(1); *p = 0; free(p); puts(p);", "characters that are not a text in quotes are given to a function"),
    (PRINT, 'char a[2] = {1, 1}; printf("%s", a);', "characters that are not a text in quotes are given to a function"),
    (PRINT, 'const char *s = "abc"; if (__VERIFIER_nondet_int()) s = 0; puts(s);', "characters that are not a text in quotes are given to a function"),
    (PRINT, 'int i = 0; printf("%d %d\\n", i++, i);', "in an order that C does not fix"),
]


@case
def verdicts_are_those_of_the_compiled_program(folder):
    if not shutil.which("clang"):
        raise Skip("clang is not installed")
    agree(folder, PROGRAMS)


@case
def what_is_not_known_is_refused(folder):
    are_refused(folder, REFUSED)


if __name__ == "__main__":
    main()
