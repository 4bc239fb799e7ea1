"""Random models with arrays: kept as arrays against expanded ones, and arrays of unknown length against all lengths up to a few.

A model is a list of actions, processes or a program over two arrays with elements of a small range. Verdicts of `explicit` on the expanded
model are the truth; what is decided about the model with arrays must be the same.

    WHET_PROGRAM=build/whet python3 tests/program/arrays/language_arrays_random.py [--rounds 1000] [--seed 7]      for a campaign
"""
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import SANITIZED, case, main_or_campaign, whet, write

ROUNDS = 4 if SANITIZED else 8
WORK = "300000"
MOST = 3  # elements


class Maker:
    def __init__(self, r, nested=False):
        self.r, self.indices, self.nested = r, [], nested

    def index(self):
        r = self.r
        kind = r.random()
        if self.indices and kind < 0.6:
            return r.choice(self.indices)
        if kind < 0.75:
            return r.choice(["i", "j", "i + 1", "j - 1"])
        return r.choice(["0", "n - 1", "i"])

    def number(self, depth=1):
        r = self.r
        if self.nested and r.random() < 0.35:
            return f"d[{self.index()}][{self.index()}]"
        kind = r.random()
        if kind < 0.45:
            return f"{r.choice('ab')}[{self.index()}]"
        if kind < 0.65:
            return r.choice(["i", "j"] + self.indices)
        if depth and kind < 0.8:
            return f"{self.number(0)} {r.choice('+-')} {self.number(0)}"
        return str(r.randint(0, 2))

    def quantified(self, depth):
        r = self.r
        name = f"k{len(self.indices)}"
        low = r.choice(["0", "0", "i", "1"] + self.indices[-1:])
        high = r.choice(["n - 1", "n - 1", "j", "n - 2", "i"])
        self.indices.append(name)
        body = self.formula(depth - 1)
        self.indices.pop()
        return f"({r.choice(['forall', 'exists'])} {name} : {low}..{high} . {body})"

    def formula(self, depth):
        r = self.r
        if self.nested and r.random() < 0.08:
            return r.choice([f"d[{self.index()}] = {r.choice('ab')}", f"d[{self.index()}] != d[{self.index()}]", "d = e"])
        kind = r.random()
        if depth and kind < 0.35:
            return self.quantified(depth)
        if depth and kind < 0.6:
            return f"({self.formula(depth - 1)} {r.choice(['&&', '||', '=>', '<=>'])} {self.formula(depth - 1)})"
        if depth and kind < 0.65:
            return f"!{self.formula(depth - 1)}"
        if kind < 0.7:
            return r.choice(["a = b", "a != b"])
        if kind < 0.8:
            return f"c[{self.index()}]"
        return f"{self.number()} {r.choice(['<', '<=', '=', '!='])} {self.number()}"

    def assignment(self, used):
        """An assignment to something that is not in `used`."""
        r = self.r
        while True:
            if self.nested and "d" not in used and r.random() < 0.5:
                used.add("d")
                return r.choice([f"d[{self.index()}][{self.index()}] := {r.choice([self.number(), '*', '1', '2'])}", f"d[{self.index()}] := {r.choice(['a', 'b', '*'])}", "d := e"])
            if self.nested and "a" not in used and r.random() < 0.2:
                used.add("a")
                return f"a := d[{self.index()}]"
            what = r.choice(["a", "b", "c", "i", "j", "whole", "each"])
            if what == "each":
                array = r.choice("ab")
                if array in used:
                    continue
                used.add(array)
                self.indices.append("x")
                value = self.number()
                self.indices.pop()
                return f"forall x : {r.choice(['0', 'i', '1'])}..{r.choice(['n - 1', 'j', 'n - 2'])} . {array}[x] := {value}"
            if what == "whole":
                pair = r.choice([("a", "b"), ("b", "a")])
                if pair[0] in used:
                    continue
                used.add(pair[0])
                return f"{pair[0]} := {r.choice([pair[1], pair[1], '*'])}"
            if what in used:
                if len(used) >= 5:
                    return None
                continue
            used.add(what)
            if what in "ij":
                return f"{what} := {r.choice([f'{what} + 1', f'{what} - 1', '0', 'n - 1', '*', self.number()])}"
            if what == "c":
                return f"c[{self.index()}] := {self.formula(1)}"
            return f"{what}[{self.index()}] := {r.choice([self.number(), self.number(), '*', '0', '1'])}"

    def assignments(self):
        used = set()
        return ", ".join(x for x in (self.assignment(used) for _ in range(self.r.randint(1, 2))) if x)

    def guard(self):
        return self.formula(self.r.choice([0, 1, 1, 2]))


def declarations(r, m, is_long):
    kind = "array[0..n-1] of {0}"
    most = 2 if m.nested else MOST
    text = f"const n {': 1..%d' % most if is_long else '= %d' % r.randint(2, most)}\n"
    text += f"var a, b : {kind.format('0..2')}{r.choice(['', ' = 0', ' = 1'])}\nvar c : {kind.format('bool')} = false\n"
    if m.nested:
        text += f"var d : {kind.format(kind.format('0..2'))}{r.choice(['', ' = 0'])}\nvar e : {kind.format(kind.format('0..2'))} = 1\n"
    text += f"var i, j : -1..{MOST} = {r.choice(['0', '0', '1'])}\n"
    if r.random() < 0.4:
        text += f"init {m.formula(2)}\n"
    return text


def program(r, m):
    def statement(depth):
        kind = r.random()
        if depth and kind < 0.2:
            return f"if {m.guard()} {{ {block(depth - 1)} }} else {{ {block(depth - 1)} }}"
        if depth and kind < 0.4:
            return f"while {m.guard()} {{ {block(depth - 1)} }}"
        if kind < 0.5:
            return f"assume {m.guard()}"
        if kind < 0.65:
            return f"assert {m.formula(2)}"
        return m.assignments()

    def block(depth):
        return "\n".join(statement(depth) for _ in range(r.randint(1, 3)))

    return f"program {{\n{block(2)}\n{block(1)}\n}}\n"


def steps(r, m):
    kind = r.random()
    if kind < 0.4:
        return program(r, m)
    if kind < 0.7:
        return "".join(f"action s{k}: {m.guard()} -> {m.assignments()}\n" for k in range(r.randint(1, 3)))
    return ("process P {\n  states u, v, w\n" +
            "".join(f"  {r.choice('uvw')} -> {r.choice('uvw')} when {m.guard()} : {m.assignments()}\n" for _ in range(r.randint(2, 4))) + "}\n")


def random_model(seed, is_long, nested):
    r = random.Random(seed)
    m = Maker(r, nested)
    text = declarations(r, m, is_long) + steps(r, m)
    return text + f"safe p: {m.formula(2)}\nsafe q: {m.formula(1)}\nunreachable s: {m.formula(2)}\n"


def verdicts(result, about):
    assert result.status in (0, 10, 20), f"{about}\n{result}"
    return {name: v for name, v in re.findall(r"^(\S+): (SAFE|UNSAFE|UNKNOWN)", result.out, re.MULTILINE)}


def truth(path, text, is_long, most):
    """By property. Of a model of unknown length: UNSAFE if it is so for some length."""
    options = ["--quiet", "--trace", "off", "--engine", "explicit", "--work", "3000000", "--expand-arrays", "100000"]
    if not is_long:
        return verdicts(whet("verify", path, *options), text)
    together = {}
    for n in range(1, most + 1):
        for name, v in verdicts(whet("verify", path, *options, "-D", f"n={n}"), text).items():
            worst = together.get(name, "SAFE")
            together[name] = "UNSAFE" if "UNSAFE" in (v, worst) else "UNKNOWN" if "UNKNOWN" in (v, worst) else v
    return together


def compare(folder, seed, is_long, nested):
    """How many properties were decided, of how many."""
    text = random_model(seed, is_long, nested)
    path = write(folder, "m.whet", text)
    known = truth(path, text, is_long, 2 if nested else MOST)
    place = os.path.join(folder, f"c{seed}.smt2")
    result = whet("verify", path, "--quiet", "--trace", "off", "--work", WORK, "--expand-arrays", "1", "--certificate", place)
    found = verdicts(result, text)
    for name, v in found.items():
        # What can fail for no length is no property of the expanded model.
        right = known.get(name, "SAFE" if name == "no-runtime-error" else None)
        assert v == "UNKNOWN" or right in (v, "UNKNOWN"), f"seed {seed}: {name} is {v}, but {right}\n{text}\n{result}"
    for name in known:
        assert name in found, f"seed {seed}: {name} is missing\n{text}\n{result}"
    return sum(v != "UNKNOWN" for v in found.values()), len(found)


def check(folder, first, rounds, is_long, nested=False):
    decided = total = 0
    for seed in range(first, first + rounds):
        d, t = compare(folder, seed, is_long, nested)
        decided, total = decided + d, total + t
    print(f"# {decided} of {total} decided", flush=True)
    assert decided * 2 > total, f"{decided} of {total} decided"


@case
def fixed_arrays_that_are_kept_against_expanded_ones(folder):
    check(folder, 1, ROUNDS, False)


@case
def arrays_of_unknown_length_against_each_length(folder):
    check(folder, 5001, ROUNDS // 2, True)


@case
def fixed_arrays_of_arrays_that_are_kept_against_expanded_ones(folder):
    check(folder, 9001, ROUNDS // 2, False, True)


@case
def arrays_of_arrays_of_unknown_length_against_each_length(folder):
    check(folder, 12001, ROUNDS // 2, True, True)


def campaign(folder, seed, rounds):
    decided = total = 0
    for k in range(int(seed), int(seed) + rounds):
        d, t = compare(folder, k, k % 2 == 1, k % 4 >= 2)
        decided, total = decided + d, total + t
    return f"{rounds} models, {decided} of {total} properties decided"


if __name__ == "__main__":
    main_or_campaign(campaign)
