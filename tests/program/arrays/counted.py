"""Identical processes that are counted: verdicts are those of a search of the model as it is, evidence is checked, damaged evidence is refused.

`explicit` on the model with its copies listed (--identical 0) is the truth. With 3 or 4 copies that are counted (--identical 2) verdicts must be the same, and
those of models in which the copies are not alike too, without counting.

    WHET_PROGRAM=build/whet python3 tests/program/arrays/counted.py [--rounds 1000] [--seed 7]      for a campaign
"""
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import EXAMPLES, SANITIZED, case, equal, main_or_campaign, whet, write

ROUNDS = 4 if SANITIZED else 12
SEMAPHORE = os.path.join(EXAMPLES, "copies", "tokens.whet")


def decide(path, *words):
    """By property: the verdict and the format of the certificate."""
    result = whet("verify", path, "--quiet", "--json", "-", *words)
    found = json.loads(result.out)["properties"]
    return {p["name"]: (p["verdict"], p.get("certificate", {}).get("format")) for p in found}


class Maker:
    """Two or three places, a variable of each copy, two that are shared."""

    def __init__(self, r, copies):
        self.r, self.copies = r, copies
        self.states = ["a", "b", "c"][:r.choice([2, 3])]

    def own(self):
        r = self.r
        return r.choice(["x", "!x", "g = 1", "g < 2", "f", "x || g > 0", "x <=> f"])

    def of(self, j):
        r = self.r
        return r.choice([f"P[{j}] at {r.choice(self.states)}", f"P[{j}].x", f"!P[{j}].x", f"P[{j}] at a || g = {r.randrange(3)}",
                         f"(P[{j}] at {r.choice(self.states)} && P[{j}].x)"])

    def all(self, index="j", other=""):
        """Of all copies, or all others."""
        r, n = self.r, self.copies
        but = f"{index} = {other} || " if other else ""
        not_it = f"{index} != {other} && " if other else ""
        return r.choice([f"(forall {index} : 1..{n} . {but}{self.of(index)})", f"(exists {index} : 1..{n} . {not_it}({self.of(index)}))",
                         f"(sum {index} : 1..{n} . if {self.of(index)} then 1 else 0) {r.choice(['<=', '=', '>'])} {r.randrange(n + 1)}"])

    def guard(self):
        parts = [self.own() for _ in range(self.r.randrange(2))] + [self.all(other=self.r.choice(["", "i"])) for _ in range(self.r.randrange(2))]
        return " && ".join(f"({p})" for p in parts) or "true"

    def edge(self):
        r = self.r
        updates = [u for u, p in ((f"x := {r.choice(['true', 'false', '!x', 'f', 'g > 0'])}", 0.5),
                                  (f"g := {r.choice(['0', '1', '2', '2 - g', 'if x then 1 else 2'])}", 0.4),
                                  (f"f := {r.choice(['true', 'x', '!f', self.all()])}", 0.3)) if r.random() < p]
        return f"  {r.choice(self.states)} -> {r.choice(self.states)} when {self.guard()}" + (" : " + ", ".join(updates) if updates else "")

    def state(self):
        pair = f"(exists i, j : 1..{self.copies} . i < j && P[i] at {self.states[-1]} && P[j] at {self.states[-1]})"
        return self.r.choice([self.all(), self.all(), pair, f"(g = 2 && {self.all()})", "f"])

    def model(self, more=""):
        r = self.r
        edges = "\n".join([self.edge() for _ in range(r.randrange(2, 5))])
        action = f"action act: {self.all()} -> {r.choice(['g := 2 - g', 'f := !f'])}\n" if r.random() < 0.4 else ""
        fair = f"fair when {self.all()}\n" if r.random() < 0.2 else "fair {P, P}\n" if r.random() < 0.2 else ""
        return f"""var g : 0..2 = {r.randrange(3)}
var f : bool = {r.choice(['true', 'false'])}
process P[i : 1..{self.copies}] {{
  var x : bool = {r.choice(['true', 'false'])}
  states {', '.join(self.states)}
{edges}{more}
}}
{action}{fair}safe s: !{self.state()}
ctl c: {r.choice(['AG EF', 'EF', 'AF', 'EG', 'AG'])} {self.state()}
ltl l: {r.choice(['G F', 'F G', 'F', 'G !'])} {self.state()}
deadlockfree
"""


def look_at(folder, r, copies):
    """How many properties were decided with counters."""
    alike = r.random() < 0.8
    text = Maker(r, copies).model("" if alike else f"\n  a -> b when i {r.choice(['= 1', '> 1'])}")
    path = write(folder, "m.whet", text)
    truth = decide(path, "--engine", "explicit", "--identical", "0")
    found = decide(path, "--engine", "explicit", "--identical", "2")
    equal({p: v for p, (v, _) in found.items()}, {p: v for p, (v, _) in truth.items()}, text)
    assert all(v != "unknown" for v, _ in truth.values()), f"{truth}\n{text}"
    counted = [p for p, (_, form) in found.items() if form == "counted"]
    assert alike or not counted, f"copies that are not alike: {counted}\n{text}"
    return len(counted)


def fuzz(folder, seed, rounds):
    counted = 0
    for i in range(rounds):
        r = random.Random(f"{seed}/{i}")
        counted += look_at(folder, r, r.choice([2, 3, 4]))
    return counted


def certificate_of(folder, path, name, *words):
    file = os.path.join(folder, "certificate")
    result = whet("verify", path, "--quiet", "--property", name, "--certificate", file, *words)
    return result, open(file, encoding="utf-8").read()


@case
def thirty_two_copies_are_decided(folder):
    for n in (4, 32):
        found = decide(SEMAPHORE, "-D", f"N={n}", "--without", "cells")
        equal({p: v for p, (v, _) in found.items()}, {"three": "safe", "two": "unsafe", "served": "holds", "free_again": "holds", "unused": "fails",
                                                      "deadlockfree": "safe", "no-runtime-error": "safe"}, f"N = {n}")


@case
def states_are_polynomial_in_the_number_of_copies(folder):
    """Up to three are critical, any number of the others waits: 4 (N - 1.5) + 2 states."""
    for n in (4, 8, 16, 32):
        result = whet("verify", SEMAPHORE, "-D", f"N={n}", "--quiet", "--engine", "explicit", "--property", "free_again", "--json", "-")
        equal(json.loads(result.out)["properties"][0]["statistics"]["states"], 4 * n - 2, f"N = {n}")


@case
def certificates_are_checked_on_the_model_as_read(folder):
    for name, engine in (("three", "explicit"), ("three", "pdr"), ("served", "alpha"), ("unused", "alpha")):
        result, text = certificate_of(folder, SEMAPHORE, name, "-D", "N=4", "--engine", engine, "--identical", "2")
        assert result.status in (0, 10), (name, result.out)
        if text.startswith("{"):
            continue
        assert text.startswith(f"; whet counted 1\n; property {name}\n"), text[:80]
        path = os.path.join(folder, "certificate")
        equal(whet("check", SEMAPHORE, path, "-D", "N=4").status, 0, name)
        if engine == "explicit":
            assert whet("check", SEMAPHORE, path, "-D", "N=5").status != 0, "of another number of copies"
        other = write(folder, "other", text.replace(f"; property {name}", "; property two"))
        assert whet("check", SEMAPHORE, other, "-D", "N=4").status != 0, "of another property"
        other = write(folder, "other", text.replace(f"; property {name}", "; property none"))
        equal(whet("check", SEMAPHORE, other, "-D", "N=4").status, 2)
        other = write(folder, "other", text.split("\n", 2)[2])
        assert whet("check", SEMAPHORE, other, "-D", "N=4").status != 0, "of the model that is not counted"


@case
def evidence_for_counters_of_another_model_is_refused(folder):
    """The text of the certificate suits each of these models, and it holds of one of them alone."""
    _, text = certificate_of(folder, SEMAPHORE, "three", "-D", "N=4", "--engine", "pdr")
    path, good = os.path.join(folder, "certificate"), open(SEMAPHORE, encoding="utf-8").read()
    changed = (("free := free - 1", "free := 3"), ("free := free + 1", "free := 3"), ("<= 3\n", "<= 1\n"))
    equal(whet("check", write(folder, "tokens.whet", good), path, "-D", "N=4").status, 0)
    for old, new in changed:
        assert old in good, old
        model = write(folder, "tokens.whet", good.replace(old, new, 1))
        assert whet("check", model, path, "-D", "N=4").status != 0, new
    unlike = good.replace("leave: critical -> idle", "leave: critical -> idle when i > 1")
    assert unlike != good
    result = whet("check", write(folder, "tokens.whet", unlike), path, "-D", "N=4")
    equal(result.status, 2)
    assert "cannot be counted: its copies do not have the same steps" in result.err, result.err
    start, end = text.index("(define-fun inv"), text.index("\n(", text.index("(define-fun inv") + 1)
    head = re.match(r"\(define-fun inv \(.*?\)\) Bool", text[start:end], re.S).group(0)
    for body in ("true", "false"):
        other = write(folder, "damaged", f"{text[:start]}{head} {body}){text[end:]}")
        equal(whet("check", SEMAPHORE, other, "-D", "N=4").status, 10, body)


@case
def a_run_of_counters_is_no_run_of_copies(folder):
    """It is told with copies; wrapped as it is, it is refused."""
    result, text = certificate_of(folder, SEMAPHORE, "two", "-D", "N=4", "--engine", "explicit")
    equal(result.status, 10)
    assert text.startswith("{") and "P[3] at" in result.out and "#P" not in result.out, result.out
    wrapped = write(folder, "wrapped", "; whet counted 1\n; property two\n" + text)
    assert whet("check", SEMAPHORE, wrapped, "-D", "N=4").status != 0


@case
def loops_are_told_with_copies(folder):
    result, text = certificate_of(folder, SEMAPHORE, "unused", "-D", "N=4", "--engine", "explicit")
    equal(result.status, 10)
    equal(whet("check", SEMAPHORE, os.path.join(folder, "certificate"), "-D", "N=4").status, 0, text[:200])


@case
def why_copies_are_not_counted_is_said(folder):
    head = "var turn : 1..4 = 1\nprocess P[i : 1..4] {\n  "
    for body, why in (("states a, b\n  a -> b when turn = i", "its copies do not do the same"),
                      ("var x : int = 0\n  states a, b\n  a -> b : x := x + 1", "its variables have too many values"),
                      ("states a, b\n  a -> b when P[1] at a", "its copies do not do the same")):
        path = write(folder, "m.whet", head + body + "\n}\nsafe s: !(P[1] at b && P[2] at b)\n")
        result = whet("verify", path, "-v", "--engine", "explicit")
        assert f"copies of processes are not counted: {why}" in result.err + result.out, result.err
    path = write(folder, "m.whet", head + "states a, b\n  a -> b\n}\nsafe s: !(P[1] at b)\nctl c: AG EF P[2] at b\nfair P\n")
    result = whet("verify", path, "-v", "--engine", "explicit")
    assert "not counted: formulas tell its copies apart" in result.err + result.out, result.err


@case
def random_models_are_decided_as_with_copies_listed(folder):
    assert fuzz(folder, "counted", ROUNDS) >= ROUNDS // 2


if __name__ == "__main__":
    main_or_campaign(fuzz)
