"""Processes with any number of copies: proofs for every number, runs of wrong ones, and random models against their copies written out.

Verdicts of `explicit` on the model with N = 1, 2, 3 are the truth: what is decided for every N must agree with them, and what is decided
with N = 3 and copies as elements of arrays must be the same.

    WHET_PROGRAM=build/whet python3 tests/program/arrays/copies.py [--rounds 1000] [--seed 7]      for a campaign
"""
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import EXAMPLES, SANITIZED, case, equal, main_or_campaign, whet, write

FOLDER = os.path.join(EXAMPLES, "copies")
ROUNDS = 1 if SANITIZED else 3
WORK = "500000"


def verdict(*words):
    found = re.search(r"^p: (\w+)|^mutex: (\w+)", whet("verify", *words).out, re.M)
    assert found, words
    return found.group(1) or found.group(2)


class Maker:
    """Two places or three, a variable of each copy and one of all, each with few values."""

    def __init__(self, r):
        self.r = r
        self.states = ["a", "b", "c"][:r.choice([2, 3])]

    def atom(self, j):
        r = self.r
        own = f"P[{j}].x" if j != "i" else "x"
        kind = r.randrange(4)
        if kind == 0:
            return f"g {r.choice(['=', '<', '>='])} {r.randrange(3)}"
        if kind == 1 and j != "i":
            return f"P[{j}] at {r.choice(self.states)}"
        if kind == 2 and j != "i":
            return f"{own} {r.choice(['=', '<', '<='])} x"
        return f"{own} {r.choice(['=', '!=', '<='])} {r.randrange(3)}"

    def guard(self):
        r = self.r
        parts = [self.atom("i") for _ in range(r.randrange(2))]
        if r.random() < 0.5:
            parts.append(f"(forall j : 1..N . j = i || {self.atom('j')})")
        if r.random() < 0.2:
            parts.append(f"(exists j : 1..N . j != i && {self.atom('j')})")
        return " && ".join(parts) or "true"

    def edge(self):
        r = self.r
        updates = [u for u, p in ((f"x := {r.choice(['0', '1', '2', 'g', '2 - x'])}", 0.6), (f"g := {r.choice(['0', '1', '2', 'x', '2 - g'])}", 0.5))
                   if r.random() < p]
        return f"  {r.choice(self.states)} -> {r.choice(self.states)} when {self.guard()}" + (" : " + ", ".join(updates) if updates else "")

    def model(self):
        r = self.r
        edges = "\n".join(self.edge() for _ in range(r.randrange(2, 5)))
        last = self.states[-1]
        bad = r.choice([f"P[i] at {last} && P[j] at {last}", f"P[i] at {last} && P[j].x = 2", f"P[i].x = 1 && P[j].x = 1 && P[i] at {last}"])
        return f"""const N : nat
var g : 0..2 = {r.randrange(3)}
process P[i : 1..N] {{
  var x : 0..2 = {r.randrange(3)}
  states {', '.join(self.states)}
{edges}
}}
safe p: forall i, j : 1..N . i != j => !({bad})
"""


def look_at(folder, text):
    """Decided ones, of two."""
    path = write(folder, "m.whet", text)
    truth = {n: verdict(path, "-D", f"N={n}", "--engine", "explicit", "--quiet") for n in (1, 2, 3)}
    assert all(t in ("SAFE", "UNSAFE") for t in truth.values()), f"{truth}\n{text}"
    decided = 0
    proved = verdict(path, "--engine", "cells", "--work", WORK)
    assert proved != "SAFE" or set(truth.values()) == {"SAFE"}, f"proved for every N, but {truth}\n{text}"
    run = whet("verify", path, "--engine", "walk", "--work", "300000").out
    if "p: UNSAFE" in run:
        n = int(re.search(r"N = (\d+)", run).group(1))
        equal(truth.get(n, "UNSAFE"), "UNSAFE", f"N = {n}\n{text}")
        decided += 1
    together = verdict(path, "-D", "N=3", "--identical", "2", "--engine", "cells,explicit", "--quiet")
    equal(together, truth[3], f"N = 3, together\n{text}")
    for engine in ("cells", "walk"):
        kept = verdict(path, "-D", "N=3", "--expand-copies", "1", "--engine", engine, "--work", "200000")
        assert kept in ("UNKNOWN", truth[3]), f"{engine}: {kept}, but {truth[3]}\n{text}"
    return decided + (proved == "SAFE")


def fuzz(folder, seed, rounds):
    decided = 0
    for i in range(rounds):
        decided += look_at(folder, Maker(random.Random(f"{seed}/{i}")).model())
    return decided


@case
def the_examples_are_proved_for_every_number_of_copies(folder):
    for name in ["semaphore"] if SANITIZED else ["semaphore", "bakery", "ticket"]:
        path, certificate = os.path.join(FOLDER, name + ".whet"), os.path.join(folder, name)
        result = whet("verify", path, "--property", "mutex", "--engine", "cells", "--work", "20000000", "--certificate", certificate)
        equal(result.out, "mutex: SAFE\n", name)
        equal(whet("check", path, certificate).status, 0, name)
        wrong = os.path.join(FOLDER, name + "-wrong.whet")
        assert whet("check", wrong, certificate).status != 0, f"{name}: of a wrong model"


@case
def damaged_evidence_is_refused(folder):
    path, certificate = os.path.join(FOLDER, "semaphore.whet"), os.path.join(folder, "c")
    whet("verify", path, "--property", "mutex", "--engine", "cells", "--work", "20000000", "--certificate", certificate)
    text = open(certificate, encoding="utf-8").read()
    start = text.index("(define-fun")
    for old, new in (("(or", "(and"), ("<=", "<"), ("(not", "(and")):
        assert old in text[start:], old
        other = write(folder, "damaged", text[:start] + text[start:].replace(old, new))
        assert whet("check", path, other).status != 0, f"{old} as {new}"


@case
def with_a_number_it_costs_as_for_every_number(folder):
    path, certificate = os.path.join(FOLDER, "bakery.whet"), os.path.join(folder, "c")
    work = {}
    for n in (8, 32):
        result = whet("verify", path, "--quiet", "-D", f"N={n}", "--json", "-", "--certificate", certificate)
        found = json.loads(result.out)["properties"][0]
        equal((found["verdict"], found["certificate"]["format"]), ("safe", "any-copies"), f"N = {n}")
        work[n] = found["statistics"]["work"]
        equal(whet("check", path, certificate, "-D", f"N={n}").status, 0, f"N = {n}")
    equal(work[8], work[32])
    equal(whet("check", path, certificate, "-D", "N=5").status, 0, "it is one for each number")
    for wrong in ((os.path.join(FOLDER, "bakery-wrong.whet"), "-D", "N=8"), (os.path.join(FOLDER, "ticket.whet"), "-D", "N=8"), (path,)):
        assert whet("check", wrong[0], certificate, *wrong[1:]).status != 0, wrong
    text = open(certificate, encoding="utf-8").read()
    start = text.index("(define-fun")
    for old, new in (("(or", "(and"), ("<=", "<"), ("(not", "(and")):
        assert old in text[start:], old
        other = write(folder, "damaged", text[:start] + text[start:].replace(old, new))
        assert whet("check", path, other, "-D", "N=8").status != 0, f"{old} as {new}"


@case
def what_happens_with_some_number_is_no_evidence_for_another(folder):
    """With one copy the semaphore that is given back twice is safe; a run of two says nothing about it."""
    path, certificate = os.path.join(FOLDER, "semaphore-wrong.whet"), os.path.join(folder, "c")
    equal(whet("verify", path, "--engine", "walk", "--work", "20000000", "--certificate", certificate).status, 10)
    other = write(folder, "wrapped", "; whet any number of copies 1\n" + open(certificate, encoding="utf-8").read())
    for n in (1, 2):
        assert whet("check", path, other, "-D", f"N={n}").status != 0, f"N = {n}"
    equal(verdict(path, "-D", "N=1", "--identical", "1"), "SAFE")
    equal(verdict(path, "-D", "N=5"), "UNSAFE")


@case
def constants_that_mean_more_than_a_number_of_copies(folder):
    """What holds only because of the value of N is not proved for every N, but with the copies written out."""
    path = write(folder, "m.whet", """const N : nat = 4
const M = N - 1
var sum : int = 0
process P[i : 0..M] {
  states idle, done
  idle -> done : sum := sum + 1
}
safe few: sum <= 4
safe all: sum >= 0
""")
    equal(whet("verify", path, "--quiet").out, "few: SAFE\nall: SAFE\n")
    equal(whet("verify", path, "--quiet", "-D", "N=5", "--property", "few").out.split("\n")[0], "few: UNSAFE")


@case
def wrong_ones_are_broken_by_a_run(folder):
    for name in ("semaphore", "ticket", "bakery"):
        result = whet("verify", os.path.join(FOLDER, name + "-wrong.whet"), "--engine", "walk", "--work", "20000000")
        assert result.out.startswith("mutex: UNSAFE\n    start    N = "), f"{name}\n{result.out}"


@case
def with_a_number_the_copies_are_written_out(folder):
    for n in (2, 4, 6):
        equal(whet("verify", os.path.join(FOLDER, "semaphore.whet"), "-D", f"N={n}", "--engine", "explicit").out, "mutex: SAFE\ntaken: SAFE\n")
    equal(verdict(os.path.join(FOLDER, "bakery-wrong.whet"), "-D", "N=2", "--work", "3000000"), "UNSAFE")


@case
def what_such_a_process_cannot_have_is_named(folder):
    for line, place, message in (("  clock x", "3:3", "the number of copies is not known, and then there are no clocks"),
                                 ("  atomic b", "3:10", "the number of copies is not known, and then there are no atomic states"),
                                 ("  a -> d", "3:8", "the process `P` has no state `d`"),
                                 ("  a -> b : P[1].y := 1", "3:12", "only the edges of a copy itself, and actions, may set its variables"),
                                 ("  a -> b when P at a", "3:15", "`P` has any number of copies")):
        path = write(folder, "m.whet", f"const N : nat\nprocess P[i : 1..N] {{\n{line}\n  var y : int\n  states a, b\n}}\nsafe p: true\n")
        result = whet("verify", path)
        equal(result.status, 2, line)
        assert f"m.whet:{place}: error: {message}" in result.err, f"{line}\n{result.err}"


@case
def names_mean_what_they_mean_inside(folder):
    """An input, an index or a name of `let` hides a variable of the copy; initial values may speak of the index."""
    path = write(folder, "m.whet", """const N : nat
process P[i : 1..N] {
  var x : int = i
  var y : int = 0
  states a, b
  a -> b (y : 1..2) when x = i && (forall x : 1..N . x >= 1) && (let x = 7 in x = 7) : x := x + y - y
  b -> b : y := x
}
safe own: forall i : 1..N . P[i].x = i
safe later: forall i : 1..N . P[i].y = 0 || P[i].y = i
""")
    for n in (1, 3):
        equal(whet("verify", path, "-D", f"N={n}", "--engine", "explicit", "--quiet").out, "own: SAFE\nlater: SAFE\n")
    equal(whet("verify", path, "--work", "20000000", "--quiet").out, "own: SAFE\nlater: SAFE\n")


NAMES_TWICE = {
    "the index is bound again": """process P[i : 1..N] {
  states a, b, c
  up: a -> b
  go: b -> c when at b && exists i : 1..N . (P[i] at a && at b)
}
safe p: forall k : 1..N . !(P[k] at c)
""",
    "a variable where the index is bound again": """process P[i : 1..N] {
  var x : bool = false
  states a, b
  up: a -> a : x := true
  go: a -> b when exists i : 1..N . P[i].x != x
}
safe p: forall k : 1..N . P[k] at a
""",
    "an input is called like the constant of the range": """process P[i : 1..N] {
  states a, b
  go: a -> b (N : 1..2) when N > 0
}
safe p: P[4] at a
""",
    "a place of no copy": """var y : 0..9 = 0
process P[i : 1..N] {
  states a, b
  go: a -> b
}
action up: y < 9 -> y := y + 1
safe p: P[y] at a || P[y] at b
""",
    "initial states by a place of no copy": """var y : 0..9
process P[i : 1..N] {
  states a, b
  go: a -> b
}
init !(P[y] at a)
safe p: false
""",
    "an initial value with the index in a range": """const i = 1
process P[i : 1..N] {
  var x : int = sum j : 1..i . 1
  states a, b
  go: a -> b when x > 1
}
safe p: forall k : 1..N . P[k] at a
""",
    "a variable of another process is called like this one": """record Rec { x : int = 0 }
var bad : bool = false
process P[i : 1..N] {
  var x : int = 5
  states a, b
  go: a -> b
}
process Q {
  var P : Rec[1..4]
  states s, t
  go: s -> t when P[1].x = 0 : bad := true
}
safe p: !bad
""",
    "a variable of another process is called like what is made": """var bad : bool = false
process P[i : 1..N] {
  var x : int = 5
  states a, b
  go: a -> b
}
process Q {
  var |P.x| : int[1..4] = 6
  states s, t
  go: s -> t when P[1].x = 5 : bad := true
}
safe p: !bad
""",
    "flat": """flat
var y : 0..9 = 0
process P[i : 1..N] {
  var x : 0..3 = 1
  states a, b
  go: a -> b when P[y].x = 0
}
safe p: forall k : 1..N . P[k] at a
""",
}


@case
def names_that_mean_two_things(folder):
    """With four copies written out each property is violated; read as arrays, such names would mean something else."""
    for about, text in NAMES_TWICE.items():
        for options in ((), ("--identical", "0", "--engine", "explicit,kind")):
            path = write(folder, "m.whet", "flat\n" * text.startswith("flat") + "const N = 4\n" + text.removeprefix("flat\n"))
            result = whet("verify", path, "--quiet", "--trace", "off", *options)
            equal((result.status, result.out.split("\n")[0]), (10, "p: UNSAFE"), f"{about} {options}\n{result.err}")
    for about in ("the index is bound again", "an input is called like the constant of the range", "a variable of another process is called like this one",
                  "a variable of another process is called like what is made"):
        result = whet("verify", write(folder, "m.whet", "const N : nat\n" + NAMES_TWICE[about]))
        equal(result.status, 2, about)
        assert "cannot be bound here" in result.err and "hint: rename it" in result.err, f"{about}\n{result.err}"
    for about in ("a place of no copy", "initial states by a place of no copy"):
        equal(verdict(write(folder, "m.whet", "const N : nat\n" + NAMES_TWICE[about]), "--quiet", "--trace", "off"), "UNSAFE", about)


@case
def random_models_agree_with_their_copies_written_out(folder):
    assert fuzz(folder, "copies", ROUNDS) >= 1


if __name__ == "__main__":
    main_or_campaign(fuzz)
