"""no-uninitialised: local variables that are read before they have a value, and what is no reading."""
import os
import random
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from compiled import text_of
from harness import ROOT, SANITIZED, case, equal, main, whet, write

sys.path.append(os.path.join(ROOT, "tests", "oracle"))
from c_interpreter import Run
from c_tree import Program

# Before main, the body of main, and the line of the body whose reading is without a value; None: there is none.
PROGRAMS = [
    ("", "int x;\nif (x) abort();", 2),
    ("", "int x = 1;\nif (x) abort();", None),
    ("", "int x;\n(void)x; int *p = &x; *p = sizeof x;\nif (*p != 4 || x != 4) reach_error();", None),
    ("", "int x, n = __VERIFIER_nondet_int();\nif (n > 0) x = 1;\nif (n > 1 && x) n = 0;\nif (n == -5)\nx++;", 5),
    ("", "int x, n = __VERIFIER_nondet_int();\nif (n > 0) x = 1;\nif (n > 1 && x) n = 0;\nx = 2;\nreturn x;", None),
    ("", "for (int i = 0; i < 3; i++) {\nint x;\nif (i == 1) x = 7;\nif (i == 2)\nreturn x; }", 5),
    ("", "int x = x;", 1),
    ("", "int s = 0, x;\nwhile (s < 9) { x = s; s += 2; }\nreturn x;", None),
    ("", "int s = __VERIFIER_nondet_int(), x;\nwhile (s < 9) { x = s; s += 2; }\nreturn x;", 3),
    ("", "int a[4], n = __VERIFIER_nondet_int();\nfor (int i = 0; i < 3; i++) a[i] = i;\nif (n >= 0 && n < 3) return a[n];\nif (n == 3)\nreturn a[n];", 5),
    ("", "int a[4], n = __VERIFIER_nondet_int();\nfor (int i = 0; i < 4; i++) a[i] = i;\nif (n >= 0 && n < 4) return a[n];", None),
    ("", "int a[4] = {1}, n = __VERIFIER_nondet_int();\nif (n >= 0 && n < 4) return a[n];", None),
    ("", "int a[2], n = __VERIFIER_nondet_int();\na[n & 1] = 3;\nif (a[n & 1] != 3) reach_error();\nreturn a[0];", 4),
    # Structs are copied with what is not set in them.
    ("struct s { int v, w; };", "struct s a, b;\na.v = 1; b = a; if (b.v != 1) reach_error();\nreturn b.w;", 3),
    ("struct s { int v, w; };", "struct s a = {1}, b;\nb = a; return b.w;", None),
    ("struct s { int v, w; }; struct s one(int n) { struct s r; r.v = n; return r; } int sum(struct s a, int n) { return n ? a.v :\na.w; }",
     "struct s a = one(3); return sum(a, 1) + a.v;", None),
    ("struct s { int v, w; }; struct s one(int n) { struct s r; r.v = n; return r; } int sum(struct s a, int n) { return n ? a.v : a.w; }", "struct s a = one(3);\nreturn sum(a, 0);", 0),
    ("", "int a[2], b[2]; a[0] = 1;\nmemcpy(b, a, sizeof a); if (b[0] != 1) reach_error();\nmemset(b, 0, sizeof b); return b[1];", None),
    ("", "int a[2], b[2]; a[0] = 1;\nmemcpy(b, a, sizeof a);\nreturn b[1];", 3),
    # A jump over the declaration leaves the value out; calls have variables of their own; statics start as 0.
    ("", "int n = __VERIFIER_nondet_int();\nswitch (n) { int x = 1; case 1: x = 2; case 2:\nreturn x; }", 3),
    ("int f(int n) { int x; if (n) x = n; return n ? x : 0; } int g(void) { static int k; return k++; }", "int n = __VERIFIER_nondet_int(), r = f(3) + f(n);\nreturn r + g();", None),
    ("int f(int n) { int x; if (n == 2) return x; x = n;\nreturn n > 0 ? f(n - 1) + x : x; }", "f(1);", None),
    ("int f(int n) { int x; if (n == 2) return x; x = n;\nreturn n > 0 ? f(n - 1) + x : x; }", "\n\nf(4);", 0),
    ("", "unsigned r; unsigned char c;\nif (__builtin_add_overflow(1, 2, &r)) abort();\nif (r == 3)\nreturn c;", 4),
]

REFUSED = [
    ("", "int a[100]; a[0] = 1;", "no-uninitialised is not decided of `a`"),
    ("struct s { int v; }; int f(struct s x, int n) { return n ? f(x, n - 1) : x.v; }", "struct s a = {1}; f(a, 2);", "no-uninitialised is not decided of `f`"),
]


@case
def what_is_read_before_it_is_set_is_found(folder):
    for before, body, line in PROGRAMS:
        text = text_of(before, body)
        r = whet("verify", write(folder, "p.c", text), "--property", "no-uninitialised", "--quiet")
        equal(re.findall(r"^no-uninitialised: (\w+)", r.out, re.MULTILINE), ["SAFE" if line is None else "UNSAFE"], f"{text}{r}")
        if line:
            start = text.split("int main")[0].count("\n") + 1
            equal(int(re.findall(r"^ +(\d+): ", r.out, re.MULTILINE)[-1]), start + line, f"{text}{r}")


class Generator:
    """Programs with one input n, between 0 and 3, and variables of which some are set before they are read."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.likely = ["n"]

    def value(self):
        r = self.r
        if r.random() < 0.93:
            return r.choice([str(r.randrange(4)), r.choice(self.likely), r.choice(self.likely)])
        return r.choice(["x", "y", "z", "a[n % 3]", "a[2]", "s.v", "t.w"])

    def statement(self, depth):
        r = self.r
        kind = r.randrange(9) if depth else r.randrange(5)
        if kind < 2:
            to = r.choice(["x", "y", "z", "s.v", "s.w", "t.w", "a[0]", "a[1]", "a[2]"])
            text = f"{to} = {self.value()};"
            if r.random() < 0.7 or not depth:
                self.likely.append(to)
            return text
        if kind == 2:
            return r.choice([f"a[n % 3] = {self.value()};", "t = s;", "s = copied(t);", "memcpy(&t, &s, sizeof s);", "memset(a, 0, sizeof a);", f"set(&y, {self.value()});"])
        if kind < 5:
            return r.choice([f"x = {self.value()} + {self.value()};", f"if ({self.value()} > 1) k++;", f"k += {self.value()};", f"y = n ? {self.value()} : {self.value()};", f"k = sum(s, {self.value()});"])
        before = list(self.likely)
        body = " ".join(self.statement(depth - 1) for _ in range(r.randint(1, 3)))
        if kind < 7:
            self.likely = before if r.random() < 0.5 else self.likely
            return f"if (n {r.choice(['<', '==', '>'])} {r.randrange(4)}) {{ {body} }}" + (f" else {{ {self.statement(depth - 1)} }}" if r.random() < 0.5 else "")
        return f"for (int i = 0; i < {r.choice(['n', '2'])}; i++) {{ int w; if (i) w = i; {body} if (i > {r.choice(['0', '0', 'n - 3'])}) k += w; }}"

    def program(self):
        before = ("struct s { int v, w; }; struct s copied(struct s a) { struct s r; r = a; return r; } void set(int *p, int v) { *p = v; }\n"
                  "int sum(struct s a, int n) { return n > 1 ? a.v : n; }")
        body = "int n = __VERIFIER_nondet_int(), k = 0, x, y, z, a[3]; struct s s, t; if (n < 0 || n > 3) return 0;\n"
        return text_of(before, body + "\n".join(self.statement(2) for _ in range(self.r.randint(3, 7))))


def reads_unset(path):
    """Whether some run does, in the interpreter of clang's tree. What is read first does not hang on values that were not set."""
    program = Program(path)
    for n in range(4):
        run = Run(program, lambda name, low, high, n=n: n if name == "__VERIFIER_nondet_int" else max(low, 0))
        run.outcome()
        if run.memory.has_read_unset:
            return True
    return False


@case
def random_programs_agree_with_the_interpreter(folder):
    rounds = int(os.environ.get("WHET_ROUNDS", "1")) * (8 if SANITIZED else 24)
    found = []
    for seed in range(int(os.environ.get("WHET_SEED", "1")), int(os.environ.get("WHET_SEED", "1")) + rounds):
        path = write(folder, "p.c", Generator(seed).program())
        expected = reads_unset(path)
        r = whet("verify", path, "--property", "no-uninitialised", "--quiet", "--trace", "off", "--work", "2000000")
        verdict = re.findall(r"^no-uninitialised: (\w+)", r.out, re.MULTILINE)
        with open(path, encoding="utf-8") as f:
            assert verdict in (["UNSAFE" if expected else "SAFE"], ["UNKNOWN"]), f"seed {seed}: {expected}\n{f.read()}{r}"
        found += verdict
    assert len(set(found)) > 1 and found.count("UNKNOWN") * 4 < rounds, found


@case
def other_properties_stay_what_they_are(folder):
    path = write(folder, "p.c", text_of("", "int x; if (x == 7) reach_error(); int y = 2147483647; if (x == 8) y++;"))
    r = whet("verify", path, "--property", "no-uninitialised,unreach-call,no-overflow", "--quiet", "--trace", "off")
    equal(set(r.out.split("\n")), {"no-uninitialised: UNSAFE", "unreach-call: UNSAFE", "no-overflow: UNSAFE", ""}, r)
    r = whet("verify", path, "--quiet", "--trace", "off")
    equal("no-uninitialised" in r.out, False, r)


@case
def evidence_is_checked_and_what_has_no_form_is_refused(folder):
    certificate, witness = os.path.join(folder, "c"), os.path.join(folder, "w.yml")
    for body, verdict in (("int x, n = __VERIFIER_nondet_int(); x = n; while (x > 0) x--;", "SAFE"), ("int x; return x;", "UNSAFE")):
        path = write(folder, "p.c", text_of("", body))
        r = whet("verify", path, "--property", "no-uninitialised", "--certificate", certificate, "--witness", witness)
        assert f"no-uninitialised: {verdict}" in r.out and "of this property in the format 2.0" in r.out + r.err, r
        r = whet("check", path, certificate, "--property", "no-uninitialised")
        assert "accepted" in r.out, r


@case
def what_is_not_followed_is_refused(folder):
    for before, body, message in REFUSED:
        r = whet("verify", write(folder, "p.c", text_of(before, body)), "--property", "no-uninitialised")
        equal((r.status, r.out), (2, ""), f"{body}\n{r}")
        assert re.match(r"\S+p\.c:\d+:\d+: error: ", r.err) and message in r.err, f"{body}\n{r}"


if __name__ == "__main__":
    main()
