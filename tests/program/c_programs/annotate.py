"""C programs with their proved invariants as comments: compilers do not see them, whet reads the same program, and Frama-C proves them again."""
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


@case
def frama_c_proves_them_again(folder):
    if not shutil.which("frama-c") or not shutil.which("why3"):
        raise Skip("frama-c or why3 is not installed")
    settings = {**os.environ, "HOME": folder}
    subprocess.run(["why3", "config", "detect"], env=settings, capture_output=True, check=False)
    for name, body in BODIES.items():
        text, to, _ = annotated(folder, program(body))
        r = subprocess.run(["frama-c", "-wp", "-wp-rte", "-wp-prover", "z3", "-wp-timeout", "60", "-wp-par", "1", to], env=settings, capture_output=True, text=True, timeout=600)
        goals = re.search(r"Proved goals: +(\d+) / (\d+)", r.stdout)
        assert goals and goals.group(1) == goals.group(2) and int(goals.group(2)) > 0, f"{name}\n{text}{r.stdout}{r.stderr}"


if __name__ == "__main__":
    main()
