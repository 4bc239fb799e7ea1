"""Witnesses of verdicts about C programs: what is written, whether it is true of the compiled program, what is accepted and refused."""
import hashlib
import os
import re
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import Skip, case, equal, main, whet, write

HEAD = """extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
"""

# Programs whose unreach-call holds; their loops are entered.
SAFE = {
    "capped": """int main(void) {
  unsigned int n = __VERIFIER_nondet_uint(), i = 0;
  int x = 0, a[3] = {0};
  while (i < n % 50) {
    i++;
    if (x < 20) x++;
    for (int j = 0; j < 3; j++) a[j] = x;
  }
  if (x > 20 || a[0] < 0) reach_error();
  return 0;
}
""",
    "called twice": """unsigned g;
int sum(int n) { int s = 0; for (int i = 0; i < n; i++) { s++; g = g % 7 + 1; } return s; }
int main(void) {
  int a = sum(3), b = sum(a + 4);
  unsigned k = 0;
  do { k += 2; } while (k < 20);
  if (b != 7 || g > 7 || k % 2) reach_error();
  return 0;
}
""",
    "large numbers": """int main(void) {
  unsigned int x = __VERIFIER_nondet_uint(), y = x;
  unsigned long z = 0;
  while (x > 10) { x--; z++; }
  if (x + z != y) reach_error();
  return 0;
}
""",
    "no braces": """int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0;
  if (n > 0)
    while (i < n % 100) i++;
  else
    for (; s < 5; ) s++;
  if (i < 0 || s > 5) reach_error();
  return 0;
}
""",
    "hidden names": """int x = 3;
int main(void) {
  int i = 0;
  { int x = 100; while (i < 7) { i++; x--; } if (x != 93) reach_error(); }
  while (i < 10) { int x = i; i = x + 1; }
  if (x != 3 || i != 10) reach_error();
  return 0;
}
""",
    "recursive": """int f(int n) { int i = 0; while (i < n) { i++; if (i > 3) return f(n - 3); } return i; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 10 || n < 0) return 0;
  int r = f(n), j = 0;
  while (j < r) j++;
  if (j > 3) reach_error();
  return 0;
}
""",
}

UNSAFE = """int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x > 5)
    y = 1;
  else
    y = 2;
  while (y < 10) y++;
  if (x == 7 || x == 3) reach_error();
  return 0;
}
"""


def witness_of(folder, text, *words, name="p.c"):
    path = write(folder, name, HEAD + text)
    written = os.path.join(folder, "w.yml")
    if os.path.exists(written):
        os.remove(written)
    named = [] if "--property" in words else ["--property", "unreach-call"]
    r = whet("verify", path, *named, "--quiet", "--witness", written, *words, env={"SOURCE_DATE_EPOCH": "86400"})
    with open(written, encoding="utf-8") as f:
        return path, f.read(), r


def invariants_in(witness):
    found = re.findall(r'line: (\d+)\n +column: (\d+)\n +function: "(\w+)"\n +value: "([^"\n]*)"', witness)
    return [(int(line), int(column), function, value) for line, column, function, value in found]


@case
def a_proof_is_written_with_its_task(folder):
    path, witness, r = witness_of(folder, SAFE["capped"])
    equal((r.status, r.err), (0, ""), r)
    with open(path, "rb") as f:
        digest = hashlib.sha256(f.read()).hexdigest()
    for line in ['- entry_type: "invariant_set"', 'format_version: "2.0"', 'creation_time: "1970-01-02T00:00:00Z"', 'name: "whet"', '- "p.c"',
                 f'"p.c": "{digest}"', 'specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"', 'data_model: "LP64"', 'language: "C"']:
        assert line in witness, f"{line}\n{witness}"
    assert re.search(r'uuid: "[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"', witness), witness
    equal([where[:3] for where in invariants_in(witness)], [(7, 3, "main"), (10, 5, "main")])
    equal(witness_of(folder, SAFE["capped"])[1], witness, "the same run makes the same witness")
    assert 'data_model: "ILP32"' in witness_of(folder, SAFE["capped"], "--machine", "32")[1]


@case
def what_is_written_is_accepted_again(folder):
    for name, text in SAFE.items():
        path, witness, r = witness_of(folder, text)
        equal(r.status, 0, f"{name}\n{r}")
        assert invariants_in(witness), f"{name}\n{witness}"
        r = whet("check", path, write(folder, "w.yml", witness))
        equal((r.status, r.err), (0, ""), f"{name}\n{witness}{r}")
        assert r.out.startswith("unreach-call: accepted: SAFE"), f"{name}\n{r}"


def with_assertions(program, invariants):
    """Each invariant is looked at when the body of its loop begins, which it then does at the head."""
    lines = program.split("\n")
    for line, column, _, value in sorted(invariants, reverse=True):
        start, rest = lines[line - 1][:column - 1], lines[line - 1][column - 1:]
        depth, at = 0, 0
        if not rest.startswith("do"):
            for at, c in enumerate(rest):
                depth += (c == "(") - (c == ")")
                if c == ")" and not depth:
                    break
            at += 1
        else:
            at = 2
        lines[line - 1] = f"{start}{rest[:at]} if (!({value})) whet_is_wrong(); else {rest[at:]}"
    return "\n".join(lines)


@case
def what_is_written_holds_in_the_compiled_program(folder):
    if not shutil.which("clang"):
        raise Skip("clang is not installed")
    inputs = "#include <stdio.h>\n#include <stdlib.h>\nunsigned seed;\nvoid whet_is_wrong(void) { puts(\"wrong\"); exit(3); }\nvoid reach_error(void) { exit(4); }\n" \
             "unsigned __VERIFIER_nondet_uint(void) { return seed; }\nint __VERIFIER_nondet_int(void) { return (int)seed; }\n" \
             "__attribute__((constructor)) void start(void) { seed = (unsigned)strtoul(getenv(\"SEED\"), NULL, 10); }\n"
    harness = write(folder, "inputs.c", inputs)
    for name, text in SAFE.items():
        path, witness, _ = witness_of(folder, text)
        with open(path, encoding="utf-8") as f:
            changed = with_assertions(f.read(), invariants_in(witness))
        source, program = write(folder, "changed.c", "void whet_is_wrong(void);\n" + changed), os.path.join(folder, "run")
        made = subprocess.run(["clang", "-w", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o", program, source, harness], capture_output=True, text=True)
        equal(made.returncode, 0, f"{name}\n{changed}{made.stderr}")
        for seed in (0, 1, 2, 7, 13, 49, 1000, 100003):
            r = subprocess.run([program], env={"SEED": str(seed)}, capture_output=True, text=True, timeout=60)
            equal((r.returncode, r.stdout, r.stderr), (0, "", ""), f"{name}, input {seed}\n{changed}")


@case
def a_proof_that_is_wrong_is_rejected(folder):
    path, witness, _ = witness_of(folder, SAFE["capped"])
    value = invariants_in(witness)[0][3]
    for wrong, why in [("x <= 19", "rejected: an invariant of the witness does not hold"), ("i == 0", "rejected: an invariant of the witness does not hold"),
                       ("a[0] == 0", "rejected: an invariant of the witness does not hold"), ("n >= 0", "accepted: SAFE")]:
        r = whet("check", path, write(folder, "wrong.yml", witness.replace(value, wrong)))
        assert r.out.startswith(f"unreach-call: {why}"), f"{wrong}\n{r}"
        equal(r.status, 0 if "accepted" in why else 10, r)
    path, witness, _ = witness_of(folder, UNSAFE)
    content = '  content:\n    - invariant:\n        type: loop_invariant\n        location: {file_name: p.c, line: 11, column: 3, function: main}\n        value: y >= 0\n        format: c_expression\n'
    proof = witness[:witness.index("  content:")].replace("violation_sequence", "invariant_set") + content
    r = whet("check", path, write(folder, "proof.yml", proof))
    assert r.status == 10 and r.out.startswith("unreach-call: rejected: this run violates the property:"), r


@case
def an_expression_cannot_be_more_than_that(folder):
    path, witness, _ = witness_of(folder, "#define CLOSE ))\n#define SET (x = 5)\n#define BLOCK ({ x = 5; 1; })\nint f(void);\n" + SAFE["capped"])
    value = invariants_in(witness)[0][3]
    for wrong, message in [("x = 5", "more than a condition"), ("x++ > 0", "more than a condition"), ("f()", "more than a condition"), ("SET", "more than a condition"),
                           ("BLOCK", "more than a condition"), ("1)), x = 5, ((1", "`,` is not read"), ("1)) ; reach_error(); ((1", "`;` is not read"), ("1) + (1))", "no expression of C"),
                           ("1 CLOSE", "error"), ("1 // 2", "no expression of C"), ("1 /* 2", "no expression of C"), ("{ 1 }", "`{` is not read"), ("", "no expression of C"), ("nobody > 1", "undeclared identifier"),
                           ("\\\\result > 1", r"`\` is not read"), ("j > 0", "undeclared identifier")]:
        r = whet("check", path, write(folder, "wrong.yml", witness.replace(value, wrong)))
        equal((r.status, r.out), (2, ""), f"{wrong}\n{r}")
        assert message in r.err, f"{wrong}\n{r}"


# What is replaced in a witness by what, and the message.
BAD = [
    ('entry_type: "invariant_set"', 'entry_type: "other"', r"w\.yml:1:15: error: the entry_type `other` is not read"),
    ('format_version: "2.0"', 'format_version: "1.0"', r"w\.yml:3:21: error: the format_version `1\.0` is not read"),
    ('language: "C"', 'language: "Java"', r"w\.yml:\d+:17: error: the language `Java` is not read"),
    ("G ! call(reach_error())", "G ! data-race", r"error: this specification is not decided"),
    ("  content:\n", "  content: 5\n  other:\n", r"w\.yml:\d+:12: error: `content` is to be a list"),
    ("line: 7", "line: -7", r"w\.yml:\d+:17: error: a number from 1 on is wanted here"),
    ("line: 7", "line: 8", r"w\.yml:\d+:11: error: no loop of the program begins there"),
    ('type: "loop_invariant"', 'type: "invariant"', r"error: the type `invariant` is not read"),
    ("- entry_type", "- entry_type: 5\n- entry_type", r"w\.yml:1:1: error: there are 2 entries"),
    ("  metadata:", "  metadata: [}", r"w\.yml:2:14: error: "),
    ("  metadata:", "\tmetadata:", r"w\.yml:2:1: error: "),
    ('"p.c": "', '"p.c": "0', r"w\.yml: error: the witness is about another program"),
]


@case
def what_is_no_witness_is_refused_with_its_place(folder):
    path, witness, _ = witness_of(folder, SAFE["capped"])
    for old, new, message in BAD:
        assert old in witness, old
        r = whet("check", path, write(folder, "w.yml", witness.replace(old, new, 1)))
        equal((r.status, r.out), (2, ""), f"{new}\n{r}")
        assert re.search(message, r.err), f"{new}\n{r}"
    for content in ["", "a: b: c", "5", "[]", "- 5", "&a [*a]", "- - - -", "\0", "--- 1\n--- 2\n", "- " * 100000]:
        r = whet("check", path, write(folder, "w.yml", content))
        equal((r.status, r.out), (2, ""), f"{content[:100]}\n{r}")
        assert re.search(r"w\.yml:\d+:\d+: error: ", r.err), f"{content[:100]}\n{r}"
    for cut in range(0, len(witness), 37):
        r = whet("check", path, write(folder, "w.yml", witness[:cut]))
        assert r.status in (2, 0), f"{cut}\n{r}"


def segments(witness, *all_of_them):
    out = witness[:witness.index("  content:")] + "  content:\n"
    for segment in all_of_them:
        out += "    - segment:\n"
        for type_, line, column, constraint, action in segment:
            out += f"        - waypoint:\n            type: {type_}\n            action: {action}\n            location:\n              file_name: p.c\n              line: {line}\n"
            out += f"              column: {column}\n" if column else ""
            if constraint:
                out += f"            constraint:\n              value: '{constraint}'\n              format: {'acsl' if 'result' in constraint else 'c'}_expression\n"
    return out


def follow(type_, line, column=None, constraint=None):
    return (type_, line, column, constraint, "follow")


def avoid(type_, line, column=None, constraint=None):
    return (type_, line, column, constraint, "avoid")


TARGET = [follow("target", 12, 25)]
# Segments before the target, and the input of the run that is then found; None: there is none.
RUNS = [
    ([], {"3", "7"}),
    ([[follow("assumption", 7, 3, "x == 7")]], {"7"}),
    ([[follow("assumption", 7, 3, "x == 8")]], None),
    ([[follow("branching", 7, 3, "true")]], {"7"}),
    ([[follow("branching", 7, 3, "false")]], {"3"}),
    ([[follow("branching", 7, 3, "true")], [follow("branching", 7, 3, "true")]], None),
    ([[avoid("branching", 7, 3, "true"), follow("assumption", 12, 3, "x != 3")]], None),
    ([[avoid("branching", 7, 3, "true"), follow("assumption", 12, 3, "x == 3")]], {"3"}),
    ([[follow("assumption", 11, None, "y == 2")]], {"3"}),
    ([[follow("assumption", 6, 3, "x == 3")]], {"3"}),
    ([[follow("assumption", 11, 18, "y == 4")], [follow("assumption", 11, 18, "y == 5")]], {"3", "7"}),
    ([[follow("assumption", 11, 18, "y == 5")], [follow("assumption", 11, 18, "y == 4")]], None),
    ([[follow("function_return", 5, 33, "\\result == 3")]], {"3"}),
    ([[follow("function_return", 5, 33, "\\result > 3")]], {"7"}),
    ([[follow("function_return", 5, None, "\\result == 4")]], None),
    ([[follow("function_enter", 5, 33)], [follow("function_return", 5, 33, "\\result <= 3")]], {"3"}),
    ([[follow("function_enter", 5, 33)], [follow("function_enter", 5, 33)]], None),
]


@case
def a_run_is_looked_for_along_its_waypoints(folder):
    path, witness, r = witness_of(folder, UNSAFE, "--confirm")
    assert "confirmed: the compiled program comes to the error" in r.err, r
    for before, inputs in RUNS:
        changed = segments(witness, *before, TARGET)
        r = whet("check", path, write(folder, "run.yml", changed))
        equal((r.status, r.err), (10 if inputs is None else 0, ""), f"{changed}{r}")
        if inputs is None:
            equal(r.out, "unreach-call: rejected: no run that the witness describes violates the property\n", changed)
        else:
            assert r.out.startswith("unreach-call: accepted: UNSAFE\n"), r
            assert set(re.findall(r"__VERIFIER_nondet_int\(\) = (-?\d+)", r.out)) <= inputs, f"{changed}{r}"
    r = whet("check", path, write(folder, "run.yml", segments(witness, [follow("target", 11, 3)])))
    equal(r.status, 10, r)
    for wrong in [[[follow("assumption", 7, 3, "x == 7")]], [TARGET, TARGET], [[avoid("branching", 7, 3, "true")], TARGET], [[follow("assumption", 2, 3, "1")], TARGET]]:
        r = whet("check", path, write(folder, "run.yml", segments(witness, *wrong)))
        equal((r.status, r.out), (2, ""), r)
        assert re.search(r"run\.yml:\d+:\d+: error: ", r.err), r


@case
def a_run_that_is_written_is_accepted_again(folder):
    loop = """int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  for (int i = 0; i < n; i++) {
    s += 1;
    if (__VERIFIER_nondet_int() == 42 && s == 3) reach_error();
  }
  return 0;
}
"""
    path, witness, r = witness_of(folder, loop, "--confirm")
    assert "confirmed: the compiled program comes to the error" in r.err, r
    equal(re.findall(r'value: "\\\\result == (-?\d+)"', witness)[-1], "42", witness)
    equal(len(re.findall("function_return", witness)), 4, witness)
    r = whet("check", path, write(folder, "w.yml", witness))
    equal((r.status, r.err), (0, ""), r)
    assert r.out.startswith("unreach-call: accepted: UNSAFE\n"), r
    equal(whet("check", path, write(folder, "w.yml", witness.replace("== 42", "== 41"))).status, 10)
    recursive = "int f(int n) { return n < 2 ? n : f(n - 1) + 1; }\nint main(void) { int n = __VERIFIER_nondet_int(); if (n < 9 && f(n) == 5) reach_error(); return 0; }\n"
    path, witness, r = witness_of(folder, recursive, "--confirm")
    assert "confirmed" in r.err and r'value: "\\result == 5"' in witness, witness
    r = whet("check", path, write(folder, "w.yml", witness))
    assert r.status == 2 and "recursive functions cannot be followed along a witness" in r.err, r


# A property of memory, or of arithmetic, and a program that violates it if it gets 5.
MEMORY = {
    "valid-deref": "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(sizeof *p);\n  if (__VERIFIER_nondet_int() == 5)\n    free(p);\n  *p = 1;\n  return 0;\n}\n",
    "valid-free": "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(sizeof *p);\n  if (__VERIFIER_nondet_int() == 5)\n    free(p);\n  free(p);\n  return 0;\n}\n",
    "valid-memtrack": "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(sizeof *p);\n  if (__VERIFIER_nondet_int() == 5)\n    return 1;\n  free(p);\n  return 0;\n}\n",
    "valid-memcleanup": "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(sizeof *p);\n  if (__VERIFIER_nondet_int() == 5)\n    exit(1);\n  free(p);\n  return 0;\n}\n",
    "no-overflow": "int main(void) {\n  int x = 2147483647;\n  if (__VERIFIER_nondet_int() == 5)\n    x = x + 1;\n  return 0;\n}\n",
}


@case
def runs_that_violate_each_property_are_accepted_again(folder):
    for name, text in MEMORY.items():
        path, witness, r = witness_of(folder, text, "--property", name)
        assert f"{name}: UNSAFE" in r.out and "violation_sequence" in witness and name.split("-", 1)[1] in witness, f"{name}\n{r}{witness}"
        r = whet("check", path, write(folder, "w.yml", witness))
        equal((r.status, r.out.split("\n")[0]), (0, f"{name}: accepted: UNSAFE"), f"{name}\n{witness}{r}")
        r = whet("check", path, write(folder, "w.yml", witness.replace("result == 5", "result == 6")))
        equal((r.status, r.out), (10, f"{name}: rejected: no run that the witness describes violates the property\n"), f"{name}\n{r}")
        start, end = witness.rsplit("line: ", 1)
        elsewhere = start + "line: 1\n" + end.split("\n", 1)[1]
        equal(whet("check", path, write(folder, "w.yml", elsewhere)).status, 10, f"{name}\n{elsewhere}")


@case
def proofs_of_each_property_are_accepted_again(folder):
    for name, text in MEMORY.items():
        path, witness, r = witness_of(folder, text.replace("== 5", "!= 5 && 0"), "--property", name)
        assert f"{name}: SAFE" in r.out and "invariant_set" in witness, f"{name}\n{r}"
        r = whet("check", path, write(folder, "w.yml", witness))
        equal((r.status, r.out.split("\n")[0]), (0, f"{name}: accepted: SAFE"), f"{name}\n{r}")
        r = whet("check", path, write(folder, "w.yml", witness.replace('format_version: "2.0"', 'format_version: "2.1"')))
        equal(r.status, 0, f"{name}\n{r}")


@case
def memory_safety_is_one_specification(folder):
    all_of_it = " ".join(f"CHECK( init(main()), LTL(G {name}) )" for name in ("valid-free", "valid-deref", "valid-memtrack"))
    for name in ("valid-deref", "valid-free", "valid-memtrack"):
        path, witness, _ = witness_of(folder, MEMORY[name], "--property", name)
        r = whet("check", path, write(folder, "w.yml", re.sub(r"CHECK\(.*\) \)", all_of_it, witness)))
        equal((r.status, r.out.split("\n")[0]), (0, "valid-memsafety: accepted: UNSAFE"), f"{name}\n{r}")


@case
def properties_without_witnesses_are_named(folder):
    path = write(folder, "p.c", "int main(void) { int i = 0; while (i < 3) i++; return 0; }\n")
    for name in ("termination", "division"):
        r = whet("verify", path, "--property", name, "--witness", os.path.join(folder, "none.yml"))
        equal((r.status, os.path.exists(os.path.join(folder, "none.yml"))), (0, False), r)
        assert f"{name}: no witness of this property in the format 2.0 to write" in r.err, r
    path, witness, _ = witness_of(folder, SAFE["capped"])
    r = whet("check", path, write(folder, "w.yml", witness.replace("G ! call(reach_error())", "F end")))
    assert r.status == 2 and "there are no witnesses of termination in the format 2.0" in r.err, r


if __name__ == "__main__":
    main()
