"""Random small models whose numbers lie around 2^31, 2^32, 2^63 and 2^64: every engine gives a verdict or a reason.

The oracle is a search of our own over exact integers. No engine may crash, have its evidence rejected, or contradict the oracle. A model
that shows something is kept in the build folder.

    WHET_PROGRAM=build/whet python3 tests/program/edge_numbers.py --rounds 1000 [--seed 7] [--engine alpha]      for a campaign
"""
import argparse
import itertools
import os
import random
import re
import sys

from harness import BUILD, SANITIZED, case, main, whet, write

ENGINES = ["explicit", "alpha", "cegar", "kind", "accelerate", "pdr", "widen", "spacer", "invuni", "syntactic", "fbar", "fbar-sym", "cgr", "cgr-dual", "auto"]
EDGES = [2**31, 2**32, 2**63, 2**64, -2**31, -2**32, -2**63, -2**64]
ROUNDS = 4 if SANITIZED else 14
BOOL = [False, True]

# ---- expressions: numbers, truth values, names, or tuples (operator, ..) ----


def evaluate(e, env):
    if isinstance(e, int):
        return e
    if isinstance(e, str):
        return env[e]
    op, *rest = e
    v = [evaluate(x, env) for x in rest]
    return {
        "+": lambda: v[0] + v[1], "-": lambda: v[0] - v[1], "*": lambda: v[0] * v[1], "if": lambda: v[1] if v[0] else v[2],
        "/": lambda: v[0] // v[1] if v[1] > 0 else -(v[0] // -v[1]), "%": lambda: v[0] % abs(v[1]),
        "=": lambda: v[0] == v[1], "!=": lambda: v[0] != v[1], "<": lambda: v[0] < v[1], "<=": lambda: v[0] <= v[1],
        "&&": lambda: v[0] and v[1], "||": lambda: v[0] or v[1], "!": lambda: not v[0],
    }[op]()


def text(e):
    if isinstance(e, bool):
        return "true" if e else "false"
    if isinstance(e, int):
        return str(e) if e >= 0 else f"(-{-e})"
    if isinstance(e, str):
        return e
    if e[0] == "!":
        return f"(!{text(e[1])})"
    if e[0] == "if":
        return f"(if {text(e[1])} then {text(e[2])} else {text(e[3])})"
    return f"({text(e[1])} {e[0]} {text(e[2])})"


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.edge = self.r.choice(EDGES)

    def constant(self):
        if self.r.random() < 0.15:
            return self.r.randint(-2, 3)
        base = self.edge if self.r.random() < 0.85 else self.r.choice(EDGES)
        return base + self.r.randint(-3, 3)

    def type(self):
        kind = self.r.random()
        if kind < 0.3:
            return "bool", BOOL
        low = self.r.randint(-1, 1) if kind < 0.45 else self.edge + self.r.randint(-3, 1)
        high = low + self.r.randint(0, 3)
        return f"{low}..{high}", range(low, high + 1)

    def integer(self, scope, depth):
        names = [n for n, values in scope.items() if values is not BOOL]
        if depth == 0 or self.r.random() < 0.4:
            return self.r.choice(names) if names and self.r.random() < 0.7 else self.constant()
        kind = self.r.randrange(10)
        if kind < 6:
            small = self.r.choice([self.integer(scope, depth - 1), self.r.randint(-1, 2), self.r.randint(-1, 2)])
            return (self.r.choice("+-"), self.integer(scope, depth - 1), small)
        if kind == 6:
            return ("*", self.r.choice([-1, 2, 3, 2**32]), self.integer(scope, depth - 1))
        if kind == 7:
            return (self.r.choice("/%"), self.integer(scope, depth - 1), self.r.choice([2, 3, -2, 2**31, 2**63, 2**64]))
        return ("if", self.boolean(scope, depth - 1), self.integer(scope, depth - 1), self.integer(scope, depth - 1))

    def boolean(self, scope, depth):
        names = [n for n, values in scope.items() if values is BOOL]
        if names and self.r.random() < 0.3:
            return self.r.choice(names)
        if depth == 0 or self.r.random() < 0.6:
            return (self.r.choice(["<", "<=", "=", "!="]), self.integer(scope, max(0, depth - 1)), self.integer(scope, max(0, depth - 1)))
        if self.r.random() < 0.3:
            return ("!", self.boolean(scope, depth - 1))
        return (self.r.choice(["&&", "||"]), self.boolean(scope, depth - 1), self.boolean(scope, depth - 1))

    def of_type(self, values, scope):
        return self.boolean(scope, 2) if values is BOOL else self.integer(scope, 2)


class Model:
    """Variables with types, actions (name, inputs, guard, updates), properties (name, kind, formula)."""

    def __init__(self, seed):
        m = Maker(seed)
        r = m.r
        self.types, self.fixed, self.first, self.actions = {}, set(), {}, []
        lines = []
        for i in range(r.randint(1, 3)):
            name, (words, values) = f"v{i}", m.type()
            fixed = i > 0 and r.random() < 0.25
            first = r.choice(list(values)) if not fixed and r.random() < 0.5 else None
            self.types[name], self.first[name] = values, first
            if fixed:
                self.fixed.add(name)
            lines.append(f"{'const' if fixed else 'var'} {name} : {words}" + (f" = {text(first)}" if first is not None else ""))
        self.init = m.boolean(self.types, 1) if r.random() < 0.25 else True
        if self.init is not True:
            lines.append(f"init {text(self.init)}")
        for i in range(r.randint(1, 3)):
            inputs = {}
            described = []
            for j in range(r.choice([0, 0, 1, 1, 2])):
                words, values = m.type()
                inputs[f"i{j}"] = values
                described.append(f"i{j} : {words}")
            scope = {**self.types, **inputs}
            guard = m.boolean(scope, 2) if r.random() < 0.7 else True
            updates = {n: m.of_type(v, scope) for n, v in self.types.items() if n not in self.fixed and r.random() < 0.6}
            self.actions.append((inputs, guard, updates))
            head = f"action a{i}" + (f"({', '.join(described)})" if described else "")
            lines.append(f"{head}: {text(guard)} -> " + ", ".join(f"{n} := {text(e)}" for n, e in updates.items()))
        p, q = m.boolean(self.types, 2), m.boolean(self.types, 1)
        self.properties = {"s": p, "c": p, "e": q}
        lines += [f"safe s: {text(p)}", "deadlockfree d", f"ctl c: AG {text(p)}", f"ctl e: AG (EF {text(q)})"]
        self.text = "\n".join(lines) + "\n"

    def steps(self, state):
        """The states after it, and whether a step failed."""
        after, failed = set(), False
        for inputs, guard, updates in self.actions:
            for choice in itertools.product(*inputs.values()):
                env = {**dict(zip(self.types, state)), **dict(zip(inputs, choice))}
                if not evaluate(guard, env):
                    continue
                new = {**dict(zip(self.types, state)), **{n: evaluate(e, env) for n, e in updates.items()}}
                if all(new[n] in values for n, values in self.types.items()):
                    after.add(tuple(new[n] for n in self.types))
                else:
                    failed = True
        return after, failed

    def verdicts(self):
        """By property: True if it holds. `e` is left out if there is a state without steps, about which docs/temporal.md has more to say."""
        starts = itertools.product(*[[self.first[n]] if self.first[n] is not None else values for n, values in self.types.items()])
        seen = {s for s in starts if evaluate(self.init, dict(zip(self.types, s)))}
        open_states, edges, failed = list(seen), {}, False
        while open_states:
            state = open_states.pop()
            edges[state], wrong = self.steps(state)
            failed = failed or wrong
            open_states += [s for s in edges[state] if s not in seen]
            seen |= edges[state]
        holds = {name: {s for s in seen if evaluate(p, dict(zip(self.types, s)))} for name, p in self.properties.items()}
        result = {"s": holds["s"] == seen, "c": holds["s"] == seen, "d": all(edges.values()), "no-runtime-error": not failed}
        if result["d"]:
            result["e"] = self.comes_back(holds["e"], edges)
        return result

    @staticmethod
    def comes_back(reached, edges):
        reached = set(reached)
        while True:
            more = {s for s in edges if s not in reached and edges[s] & reached}
            if not more:
                return len(reached) == len(edges)
            reached |= more


def complaints(output, verdicts):
    """What is wrong with what the program said."""
    for sign in ("rejected", "crashed", "misuse", "runtime error", "Sanitizer", "error of whet"):
        if sign in output:
            return sign
    for name, said in re.findall(r"^(\S+): (SAFE|UNSAFE|HOLDS|FAILS)\b", output, re.MULTILINE):
        if name in verdicts and verdicts[name] != (said in ("SAFE", "HOLDS")):
            return f"{name} is {said}"
    return None


def try_model(folder, seed, engines):
    m = Model(seed)
    verdicts = m.verdicts()
    path = write(folder, "edge.whet", m.text)
    wrong = []
    decided = 0
    for engine in engines:
        r = whet("verify", "--engine", engine, "--timeout", 5 if SANITIZED else 2, path, env={"TMPDIR": folder})
        said = complaints(r.out + r.err, verdicts)
        if r.status not in (0, 1, 10, 20, 30) and not said:
            said = f"status {r.status}"
        decided += len(re.findall(r"^\S+: (?!UNKNOWN)[A-Z]+\b", r.out, re.MULTILINE))
        if said:
            wrong.append(f"seed {seed}, {engine}: {said}\n{r.out}{r.err}")
    if wrong:
        write(BUILD, f"edge_numbers-{seed}.whet", m.text)
    return wrong, decided


DIRECTED = {
    "types and inputs of which only some values have 64 bits": ("""
var f : 9223372036854775806..9223372036854775808
action go(i : 9223372036854775806..9223372036854775808): i > f -> f := i
safe s: f < 9223372036854775808
deadlockfree d
ctl c: AG f >= 9223372036854775806
""", {"s": False, "d": False, "c": True}),
    "types with one value of 64 bits": ("""
var f : 9223372036854775807..9223372036854775808
var g : -9223372036854775809..-9223372036854775808
action go: true -> f := f
safe s: f = 9223372036854775807
safe t: g = -9223372036854775808
""", {"s": False, "t": False}),
    "a step with numbers beyond 64 bits": ("""
var f : bool
action go(i : 0..3): true -> f := 18446744073709551616 < i
ctl c: AG (AF !f)
ctl e: EF f
safe s: !f
""", {"c": True, "s": False}),
    "a parameter that nothing mentions": ("""
const M : bool
var f : bool
init f
action go(i : bool): f -> f := i
deadlockfree d
""", {"d": False}),
}


@case
def directed_models_get_a_verdict_or_a_reason(folder):
    for about, (words, verdicts) in DIRECTED.items():
        path = write(folder, "edge.whet", words)
        for engine in ENGINES:
            r = whet("verify", "--engine", engine, "--timeout", 10, path, env={"TMPDIR": folder})
            assert not complaints(r.out + r.err, verdicts), f"{about}, {engine}: {r}"
        # the last is auto
        assert not re.search(r"^[std]: UNKNOWN", r.out, re.MULTILINE) and not re.search(r"UNKNOWN(?! \(.)", r.out), f"{about}: {r}"


@case
def numbers_at_the_edges_of_words_in_random_models(folder):
    found, decided = [], 0
    for seed in range(1, ROUNDS + 1):
        wrong, some = try_model(folder, seed, ENGINES)
        found += wrong
        decided += some
    assert not found, "\n".join(found)
    assert decided > 10 * ROUNDS, f"only {decided} verdicts"


def campaign():
    p = argparse.ArgumentParser()
    p.add_argument("--rounds", type=int)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--engine")
    a = p.parse_args()
    decided = 0
    for seed in range(a.seed, a.seed + a.rounds):
        wrong, some = try_model(BUILD, seed, [a.engine] if a.engine else ENGINES)
        decided += some
        if wrong:
            print("\n".join(wrong), flush=True)
    print(f"{a.rounds} models, {decided} verdicts")


if __name__ == "__main__":
    if "--rounds" in sys.argv:
        campaign()
    else:
        main()
