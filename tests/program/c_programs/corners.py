"""Corners of C's syntax and types: verdicts, each compared with what the compiled program does."""
import os
import shutil
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from compiled import agree, are_refused
from harness import Skip, case, main

# Before main, the body of main, what is violated.
PROGRAMS = [
    # Clang puts comments of documentation behind the body of a function, and behind the value of a variable.
    ("/** One. */ static int one(void) { return 1; }\n/// Two.\nint two = 2; /**< Behind it. */", "if (one() != 1 || two != 2) reach_error();", set()),
    ("/** No\n * value. */ int zero; /*! Three. */ enum e { /** Four. */ A = 4, /** Five. */ B };", "/** In it. */ int x = 1; if (zero || A != 4 || B != 5 || x != 1) reach_error();", set()),
    # A switch that is the body of a switch: its cases are not those of the outer one.
    ("", "int x = 1, y = 0; switch (x) switch (y) { case 1: y = 5; break; default: y = 6; } if (y == 0) reach_error();", {"unreach-call"}),
    ("", "int x = 1, y = 0; switch (x) { case 1: switch (y) case 0: y = 3; y++; } if (y != 4) reach_error();", set()),
    # Annotations where they are statements of their own.
    ("", "int x = 1, y = 0; if (x) { //@ assert x == 1;\ny = 1; }\nl: //@ assert y == 1;\nif (!y) goto l;\nswitch (y) { case 1: //@ assert y;\ny = 2; }\nif (y != 2) reach_error();", set()),
    ("struct s { int v; struct s *own; };", "int n = sizeof n; struct s x = {4, &x}; if (n != 4 || x.own->v != 4) reach_error();", set()),
    # After a warning about `~b` clang calls the type `bool`.
    ("#include <stdbool.h>\nstruct s { bool v; int w; }; static bool flip(bool x) { return !x; }", "bool b = 0, a[2] = {1, 2}; struct s q = {5, 6}; b = ~b; if (b != 1 || flip(a[1]) || q.v != 1) reach_error();", set()),
    ("typedef signed char bool;", "bool b = 3; int n = ~b == 0; b = ~b; if (b != -4 || n) reach_error();", set()),
    # Texts are initial values of arrays of characters.
    ("", "char s[3] = \"abc\"; int n = 0; while (s[n]) n++; ", {"valid-deref"}),
    ("struct s { char name[6]; int v; };", "char s[] = \"a\\n\\\\\\\"\\x41\\0b\\377?\"; unsigned char u[3] = \"xy\\377\"; struct s q = {\"ab\", 3}; char t[] = {\"hi\"}; char m[2][4] = {\"abc\", \"d\"}; signed char w[20] = \"\\a\\b\\f\\r\\t\\v\\e'\\x80\";  if (s[7] != -1 || s[5] || s[4] != 'A' || s[1] != 10 || s[2] != 92 || s[3] != 34 || s[8] != 63 || u[2] != 255 || q.name[1] != 98 || q.name[5] || q.v != 3 || t[2] || t[0] != 'h' || m[1][0] != 'd' || m[1][3] || m[0][2] != 'c' || w[0] != 7 || w[6] != 27 || w[8] != -128 || w[9]) reach_error();", set()),
    ("char g[100] = \"hello\"; static const char k[] = \"k\"; struct { int a; } z;", "if (g[4] != 'o' || g[5] || g[99] || k[0] != 'k' || sizeof k != 2) reach_error(); int n = __VERIFIER_nondet_int(); if (n < 0 || n > 99) return 0; if (n > 4 && g[n]) reach_error();", set()),
    ("int len(const char *s) { int n = 0; while (*s++) n++; return n; }", "char s[] = \"hello\"; if (len(s) != 5 || len(s + 4) != 1) reach_error();", set()),
    # Texts are arrays that nobody may change, also behind pointers.
    ("const char *name(int n) { return n ? \"one\" : \"zero\"; }", "int n = __VERIFIER_nondet_int(); const char *s = name(n), *t = \"\\377a\"; int k = 0; while (*s) { k++; s++; } if (k != (n ? 3 : 4) || t[0] != -1 || \"xyz\"[1] != 'y' || t[1] + 1 != *\"b\") reach_error();", set()),
    ("static const char *const digits = \"0123456789abcdef\"; const char *way = \"up\";", "int n = __VERIFIER_nondet_int(); if (digits[n & 15] < '0' || (n & 15 && digits[n & 15] == '0')) reach_error(); if (n == 7) way = \"down\"; if (way[2] != (n == 7 ? 'w' : 0)) reach_error();", set()),
    ("", "int n = __VERIFIER_nondet_int(); const char *s = \"abc\"; if (n >= 0 && n < 5) n = s[n];", {"valid-deref"}),
    ("", "int n = __VERIFIER_nondet_int(); char a[] = \"abc\", *s = n == 7 ? \"abc\" : a; s[1] = 'x';", {"valid-deref"}),
    ("", "const char *s = 0; for (int i = 0; i < 3; i++) { const char *t = \"ab\"; if (s && s != t) reach_error(); s = t; }", set()),
    # a ?: b of GNU C: a is evaluated once.
    ("int calls; int next(void) { return calls++; }", "int n = __VERIFIER_nondet_int(), m = n ?: 3; long w = (signed char)m ?: 70000000000L; if (n ? m != n : m != 3) reach_error(); if (!w || (next() ?: next() ?: 9) != 1 || calls != 2) reach_error();", set()),
    ("", "int n = __VERIFIER_nondet_int(), k = 5; int *p = 0, *q = p ?: &k; if ((n > 3 ?: 2) + *q != (n > 3 ? 6 : 7) || (n ?: ++k) == 0 || k != (n ? 5 : 6)) reach_error(); unsigned char c = n; if ((c ?: -1) < -1) reach_error();", set()),
    ("", "int n = __VERIFIER_nondet_int(); n = n ?: 1 / n;", {"division"}),
    # Results that are cut off, and whether they were.
    ("", "int n = __VERIFIER_nondet_int(), r; _Bool o = __builtin_add_overflow(n, 1, &r); if (o != (n == 2147483647) || (o ? r >= 0 : r != n + 1)) reach_error();", set()),
    ("", "int n = __VERIFIER_nondet_int(); unsigned u = n, w; unsigned char c = 0, *p = &c; if (__builtin_sub_overflow(n, 5, p) != (n < 5 || n > 260)) reach_error(); if (n == 3 && c != 254) reach_error(); if (__builtin_usub_overflow(1, u, &w) != u > 1) reach_error();", set()),
    ("", "int n = __VERIFIER_nondet_int(); long long w; short s; if (__builtin_smulll_overflow(n, -2, &w) || w != -2LL * n || __builtin_mul_overflow(n, 3u, &s) != (n < -10922 || n > 10922)) reach_error(); if (n == 1000000 && s != -14656) reach_error();", set()),
    ("", "int n = __VERIFIER_nondet_int(), a[2]; long x, *p = n == 2 ? 0 : &x; if (__builtin_add_overflow(1, 2, a)) reach_error(); if (__builtin_saddl_overflow(1, 2, p) || x != 3) reach_error();", {"valid-deref"}),
    ("", "int a[2] = {0}, n = __VERIFIER_nondet_int(); if (n >= 0 && n < 3 && __builtin_add_overflow(n, n, &a[n])) reach_error();", {"valid-deref"}),
    # Bits of values that are not known.
    ("", "unsigned a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if ((a & b) > a || (a & b) > b || (a | b) < a || (a | b) < b) reach_error();", set()),
    ("", "int a = 0x5a5a1234, b = -0x1234567; for (int i = 0; i < 3; i++) { a ^= b; b &= a | i; } if (a != 131109 || b != 1) reach_error();", set()),
    # A header's declaration with another name for the linker, of a function that nobody calls.
    ('extern int other(const char *, ...) __asm__("" "name_of_other");', "int x = 1; if (x != 1) reach_error();", set()),
]

REFUSED = [
    # The call changes what the other operand reads.
    ("", "int n = 1; n = __builtin_add_overflow(n, 1, &n) + n;", "a variable is changed here and used elsewhere in the same expression"),
    ("", "_Bool b; __builtin_add_overflow(1, 1, &b);", "this call is not read; one of integers, with a pointer to an integer, is"),
    ("", "int a[2] = {1, a[0]}; if (a[1] != 1) reach_error();", "the initial value of `a` uses `a` itself"),
    ("struct s { int v, w; };", "struct s x = {1, x.v}; if (x.w != 1) reach_error();", "the initial value of `x` uses `x` itself"),
    # Two types of one name; sizes that attributes change.
    ("struct t { int a; }; typedef struct { char c; int d; } t;", "if (sizeof(t) != 8) reach_error();", "`sizeof` of this type is not read"),
    ("typedef enum { A } t; struct t { long a; };", "if (sizeof(t) != 4) reach_error();", "`sizeof` of this type is not read"),
    ("typedef struct { long a; } t; int f(void) { typedef int t; t a[2]; return sizeof a; }", "if (f() != 8) reach_error();", "a typedef with two meanings: not read"),
    ("typedef struct t { long a; } t; int f(void) { typedef int t; t a[2]; return sizeof a; }", "t a[2]; if (sizeof a != 16) reach_error();", "a typedef with two meanings: not read"),
    ("enum __attribute__((packed)) e { A, B };", "if (sizeof(enum e) != 1) reach_error();", "`sizeof` of this type is not read"),
    ("struct __attribute__((packed)) s { char c; int i; };", "if (sizeof(struct s) != 5) reach_error();", "`sizeof` of this type is not read"),
    ("typedef int t __attribute__((aligned(16))); struct s { char c; t i; };", "if (sizeof(struct s) != 32) reach_error();", "`sizeof` of this type is not read"),
    ("typedef int t __attribute__((aligned(16))); struct s { t i, j; };", "struct s *p = malloc(8); p->j = 1; free(p);", "structs in a program with aligned typedefs: not read"),
    # An annotation is a statement; it does not take the place of the one behind it.
    ("", "int x = 0, y = 0; if (x) //@ assert x == 0;\ny = 1;\nif (y) reach_error();", "an annotation stands before the body of an `if` or a loop"),
    ("", "int i = 0, n = 0; if (n)\n//@ invariant i >= 0;\nwhile (i < 3) i++;\nif (i) reach_error();", "an annotation stands before the body of an `if` or a loop"),
    ("", "int s = 0; for (int i = 0; i < 3; i++) //@ assert i < 3;\ns++;\nif (s != 3) reach_error();", "an annotation stands before the body of an `if` or a loop"),
    # Two functions of one name, and two names of one.
    ("__attribute__((overloadable)) int f(int x) { return 1; } __attribute__((overloadable)) int f(long x) { return 2; }", "if (f(1) != 1) reach_error();", "an attribute here calls functions"),
    ('static int g(void) { return 7; } int h(void) __asm__("g");', "if (h() != 7) reach_error();", "an attribute here calls functions"),
    ("", "int w[] = L\"ab\"; if (w[0] != 97) reach_error();", "this text for a `int[3]` is not read"),
    ('int g(void); int h(void) __asm__("g"); int h(void) { return 7; }', "if (g() != 7) reach_error();", "an attribute here calls functions"),
    ('static void f(void) { reach_error(); } __attribute__((section(".init_array"), used)) void (*start)(void) = f;', "", "an attribute here calls functions"),
    ("#pragma pack(1)\nstruct s { char c; int i; };", "if (sizeof(struct s) != 5) reach_error();", "`sizeof` of this type is not read"),
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
