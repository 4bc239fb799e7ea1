"""Clocks and invariants of states: the examples and their wrong twins, and random timed automata.

A random automaton is written twice, as a .whet text and as an unrolling in SMT-LIB for z3 that has the rules of timed automata in its own words: a step is an edge of
one process or a delay, and every invariant holds in every state. Verdicts are compared, runs are computed again with exact fractions, and evidence is checked again.

    WHET_PROGRAM=build/whet python3 tests/program/timed.py --rounds 1000 [--seed 7]      for a campaign
"""
import json
import os
import random
import re
import subprocess
from fractions import Fraction

from harness import BUILD, EXAMPLES, SANITIZED, case, equal, main_or_campaign, whet, write

FOLDER = os.path.join(EXAMPLES, "timed")
ROUNDS = 5 if SANITIZED else 12
DEPTH = 5
SIGNS = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "=": lambda a, b: a == b}


def complain(content, why):
    os.makedirs(os.path.join(BUILD, "findings"), exist_ok=True)
    kept = write(os.path.join(BUILD, "findings"), "timed.whet", content)
    raise AssertionError(f"{why}; kept in {kept}\n{content}")


# A term is (variable or None, Fraction): their sum. An atom is (sign, variable, term).

def smt_number(n):
    whole = f"(/ {abs(n.numerator)}.0 {n.denominator}.0)"
    return f"(- {whole})" if n < 0 else whole


def smt_variable(name, model, time):
    return f"(to_real {name}_{time})" if model.sorts[name] == "int" else f"{name}_{time}"


def smt_term(t, model, time):
    return f"(+ {smt_variable(t[0], model, time)} {smt_number(t[1])})" if t[0] else smt_number(t[1])


def smt_all(atoms, model, time):
    return f"(and true {' '.join(f'({s} {smt_variable(v, model, time)} {smt_term(t, model, time)})' for s, v, t in atoms)})"


def value(t, env):
    return (env[t[0]] if t[0] else 0) + t[1]


def holds(atoms, env):
    return all(SIGNS[s](env[v], value(t, env)) for s, v, t in atoms)


class Automata:
    """Processes p0, p1; each has states, invariants by state, edges (from, to, guard, updates); global variables and clocks."""

    def __init__(self, r):
        self.sorts = {"k": "int", "g": "clock"}
        self.processes = [{"states": r.randint(2, 3), "invariants": {}, "edges": []} for _ in range(r.randint(1, 2))]
        for i, p in enumerate(self.processes):
            self.sorts[f"c{i}"] = "clock"
        for i, p in enumerate(self.processes):
            own = ["g", f"c{i}"]
            for s in range(p["states"]):
                if r.random() < 0.6:
                    p["invariants"][s] = [(r.choice(["<", "<=", "<="]), r.choice(own), (r.choice([None, None, "k"]), Fraction(r.randint(0 if s else 1, 6), r.choice([1, 2])))) for _ in range(r.randint(1, 2))]
            for _ in range(r.randint(2, 4)):
                guard = [(r.choice(list(SIGNS)), r.choice(own), (r.choice([None, None, "k", f"c{i}"]), Fraction(r.randint(0, 5), r.choice([1, 2])))) for _ in range(r.randint(0, 2))]
                if r.random() < 0.3:
                    guard.append((r.choice(["<", "=", ">="]), "k", (None, Fraction(r.randint(0, 2)))))
                updates = {n: (None, Fraction(r.choice([0, 0, 0, 1]))) for n in own if r.random() < 0.4}
                if r.random() < 0.4:
                    updates["k"] = (r.choice([None, "k"]), Fraction(r.randint(-1, 2)))
                p["edges"].append((r.randrange(p["states"]), r.randrange(p["states"]), guard, updates))
        self.bad_places = {i: r.randrange(p["states"]) for i, p in enumerate(self.processes)}
        clocks = [n for n, s in self.sorts.items() if s == "clock"]
        self.bad = [(r.choice(list(SIGNS)), r.choice(clocks), (r.choice([None, "k", r.choice(clocks)]), Fraction(r.randint(0, 6), r.choice([1, 2])))) for _ in range(r.randint(0, 2))]
        self.asks_deadlock = r.random() < 0.25

    # whet

    def name(self, variable, inside=None):
        if variable.startswith("c") and variable != f"c{inside}":
            return f"P{variable[1:]}.{variable}"
        return variable

    def term(self, t, inside=None):
        n = str(t[1].numerator) if t[1].denominator == 1 else f"{t[1].numerator}/{t[1].denominator}" if not t[0] else str(float(t[1]))
        return n if not t[0] else f"{self.name(t[0], inside)} + {n}".replace("+ -", "- ")

    def atoms(self, atoms, inside=None):
        return " && ".join(f"{self.name(v, inside)} {s} {self.term(t, inside)}" for s, v, t in atoms) or "true"

    def text(self, r):
        lines = ["var k : int = 0", "clock g"]
        for i, p in enumerate(self.processes):
            lines += [f"process P{i} {{", f"  clock c{i}", "  states " + ", ".join(f"s{s}" for s in range(p["states"]))]
            for s, atoms in p["invariants"].items():
                if r.random() < 0.5:
                    lines.append(f"  invariant s{s} : {self.atoms(atoms, i)}")
                else:
                    lines += [f"  invariant s{s} : {self.term(t, i)} {'>' if sign == '<' else '>='} {self.name(v, i)}" for sign, v, t in atoms]
            for j, (start, end, guard, updates) in enumerate(p["edges"]):
                to = ", ".join(f"{self.name(n, i)} := {self.term(t, i)}" for n, t in updates.items())
                lines.append(f"  e{j}: s{start} -> s{end} when {self.atoms(guard, i)}{' : ' + to if to else ''};")
            lines.append("}")
        places = " && ".join(f"P{i} at s{s}" for i, s in self.bad_places.items())
        lines.append("deadlockfree p" if self.asks_deadlock else f"unreachable p: {places} && {self.atoms(self.bad)}")
        return "\n".join(lines) + "\n"

    # the unrolling

    def smt_invariants(self, time):
        return [f"(=> (= l{i}_{time} {s}) {smt_all(atoms, self, time)})" for i, p in enumerate(self.processes) for s, atoms in p["invariants"].items()]

    def smt_edges(self, t):
        """From t to t + 1, whatever the invariants say."""
        steps = []
        for i, p in enumerate(self.processes):
            for start, end, guard, updates in p["edges"]:
                parts = [f"(= l{i}_{t} {start})", smt_all(guard, self, t), f"(= l{i}_{t + 1} {end})"]
                parts += [f"(= l{j}_{t + 1} l{j}_{t})" for j in range(len(self.processes)) if j != i]
                for n in self.sorts:
                    parts.append(f"(= {smt_variable(n, self, t + 1)} {smt_term(updates.get(n, (n, Fraction(0))), self, t)})")
                steps.append(f"(and {' '.join(parts)})")
        return steps

    def smt_delay(self, t):
        parts = [f"(> d_{t} 0.0)"] + [f"(= l{j}_{t + 1} l{j}_{t})" for j in range(len(self.processes))]
        parts += [f"(= {n}_{t + 1} {f'(+ {n}_{t} d_{t})' if s == 'clock' else f'{n}_{t}'})" for n, s in self.sorts.items()]
        return f"(and {' '.join(parts)})"

    def declare(self, t):
        return [f"(declare-const {n}_{t} {'Int' if s == 'int' else 'Real'})" for n, s in self.sorts.items()] + [f"(declare-const l{i}_{t} Int)" for i in range(len(self.processes))] + [f"(declare-const d_{t} Real)"]

    def unrolling(self):
        script = self.declare(0) + [f"(assert (= {n}_0 0))" for n in self.sorts] + [f"(assert (= l{i}_0 0))" for i in range(len(self.processes))]
        script += [f"(assert {c})" for c in self.smt_invariants(0)]
        for t in range(DEPTH + 1):
            script += self.declare(t + 1)
            step = f"(or {self.smt_delay(t)} {' '.join(self.smt_edges(t))})"
            kept = " ".join(self.smt_invariants(t + 1))
            if self.asks_deadlock:
                names = [f"({n}_{t + 1} {'Int' if s == 'int' else 'Real'})" for n, s in self.sorts.items()] + [f"(l{i}_{t + 1} Int)" for i in range(len(self.processes))] + [f"(d_{t} Real)"]
                bad = f"(not (exists ({' '.join(names)}) (and {step} {kept})))"
            else:
                places = " ".join(f"(= l{i}_{t} {s})" for i, s in self.bad_places.items())
                bad = f"(and {places} {smt_all(self.bad, self, t)})"
            script += ["(push 1)", f"(assert {bad})", "(check-sat)", "(pop 1)", f"(assert (and {step} {kept}))"]
        done = subprocess.run(["z3", "-T:10", "-in"], input="\n".join(script), capture_output=True, text=True, check=False)
        assert "error" not in done.stdout, done.stdout + "\n".join(script)
        for t, word in enumerate(done.stdout.split()[:DEPTH + 1]):
            if word != "unsat":
                return t if word == "sat" else "unknown"
        return None if len(done.stdout.split()) > DEPTH else "unknown"

    # runs

    def invariants_hold(self, places, env):
        return all(holds(p["invariants"].get(places[i], []), env) for i, p in enumerate(self.processes))

    def replay(self, path):
        with open(path, encoding="utf-8") as f:
            states = json.load(f)["states"]

        def read(given):
            return Fraction(given["#unserializable"]) if isinstance(given, dict) else Fraction(given)

        def env_of(state):
            return {n: read(state[self.name(n)]) for n in self.sorts}

        def places_of(state):
            return [int(state[f"P{i}"][1:]) for i in range(len(self.processes))]
        env, places = env_of(states[0]), places_of(states[0])
        assert not any(env.values()) and not any(places) and self.invariants_hold(places, env), states[0]
        for state in states[1:]:
            action = state["#meta"]["action"]
            if action == "delay":
                d = read(state["#meta"]["inputs"]["delay.d"])
                assert d > 0, state
                env = {n: env[n] + (d if s == "clock" else 0) for n, s in self.sorts.items()}
            else:
                i, j = map(int, re.fullmatch(r"P(\d)\.e(\d)", action).groups())
                start, end, guard, updates = self.processes[i]["edges"][j]
                assert places[i] == start and holds(guard, env), state
                env = {n: value(updates[n], env) if n in updates else env[n] for n in self.sorts}
                places[i] = end
            assert env == env_of(state) and places == places_of(state) and self.invariants_hold(places, env), state
        if not self.asks_deadlock:
            assert all(places[i] == s for i, s in self.bad_places.items()) and holds(self.bad, env), states[-1]
        return len(states) - 1


def check_engine(folder, path, content, model, engine, nearest):
    certificate = os.path.join(folder, "certificate")
    done = whet("verify", "--quiet", "--trace", "off", "--engine", engine, "--work", "150000", "--certificate", certificate, path)
    found = re.match(r"p: (SAFE|UNSAFE|UNKNOWN)", done.out)
    if not found or "error of whet" in done.err:
        complain(content, f"{engine}: {done}")
    verdict = found.group(1)
    if verdict == "SAFE" and isinstance(nearest, int):
        complain(content, f"{engine}: SAFE, but z3 finds a violation after {nearest} steps")
    if verdict == "UNSAFE":
        steps = model.replay(certificate)
        if nearest is None and steps <= DEPTH or isinstance(nearest, int) and steps < nearest:
            complain(content, f"{engine}: a violation after {steps} steps, z3: {nearest}")
    if verdict != "UNKNOWN" and whet("check", path, certificate).status:
        complain(content, f"{engine}: the evidence for {verdict} is not accepted again")
    return verdict


def fuzz(folder, seed, rounds):
    counts = {"SAFE": 0, "UNSAFE": 0, "UNKNOWN": 0}
    for i in range(seed, seed + rounds):
        r = random.Random(i)
        model = Automata(r)
        content = f"// seed {i}\n" + model.text(r)
        path = write(folder, "random.whet", content)
        nearest = model.unrolling()
        for engine in ("auto", "pdr"):
            counts[check_engine(folder, path, content, model, engine, nearest)] += 1
    return counts


# ---- examples

def expected(path):
    with open(path, encoding="utf-8") as f:
        return dict(re.findall(r"^// expect (\S+): (\w+)$", f.read(), re.MULTILINE))


def decide(folder, path, *options):
    certificate = os.path.join(folder, "certificate")
    done = whet("verify", "--quiet", "--trace", "off", "--work", "30000000", "--certificate", certificate, *options, path)
    verdicts = dict(re.findall(r"^([\w.-]+): ([A-Z]+)", done.out, re.MULTILINE))
    if not options:
        equal(whet("check", path, certificate).status, 0, path)
    return verdicts


@case
def examples_and_their_wrong_twins(folder):
    models = sorted(os.listdir(FOLDER))
    equal(len(models), 12)
    for name in models:
        path = os.path.join(FOLDER, name)
        equal(decide(folder, path), expected(path), name)


@case
def fischer_for_two_to_four(folder):
    for count in ("2",) if SANITIZED else ("2", "4"):
        equal(decide(folder, os.path.join(FOLDER, "fischer.whet"), "-D", f"N={count}"), {"mutex": "SAFE"}, count)
        equal(decide(folder, os.path.join(FOLDER, "fischer-wrong.whet"), "-D", f"N={count}"), {"mutex": "UNSAFE"}, count)


MODELS = [
    ("all clocks at once", "clock x, y\nsafe p: x = y", "SAFE"),
    ("a clock that is set", "clock x, y\naction set: true -> x := 0\nsafe p: x <= y", "SAFE"),
    ("time is dense", "clock x\nprocess P { states a, b; a -> b when x > 0 && x < 1/1000 }\nsafe p: P at a", "UNSAFE"),
    ("an invariant ends a state", "process P { clock x; states a, b; invariant a : x <= 5; a -> b }\nsafe p: P at a => P.x <= 5", "SAFE"),
    ("strict", "process P { clock x; states a; invariant a : x < 5 }\nsafe p: P.x != 5", "SAFE"),
    ("not strict", "process P { clock x; states a; invariant a : x <= 5 }\nsafe p: P.x != 5", "UNSAFE"),
    ("a state is not entered", "process P { clock x; states a, b; invariant b : x <= 5; a -> b when x > 5 }\nsafe p: P at a", "SAFE"),
    ("unless the clock is set on the way", "process P { clock x; states a, b; invariant b : x <= 5; a -> b when x > 5 : x := 0 }\nsafe p: P at a", "UNSAFE"),
    ("nothing urges without invariants", "process P { clock x; states a, b; a -> b when x <= 5 }\ndeadlockfree p", "SAFE"),
    ("time that cannot pass", "process P { clock x; states a, b; invariant a : x <= 5; a -> b when x > 5 }\ndeadlockfree p", "UNSAFE"),
    ("a variable in a bound", "var n : 1..3 = 3\nprocess P { clock x; states a; invariant a : x <= n }\naction less: n > 1 -> n := n - 1\nsafe p: P.x <= n", "SAFE"),
    ("a bound that others lower", "var n : 1..3 = 3\nprocess P { clock x; states a; invariant a : x <= n }\naction less: n > 1 -> n := n - 1\nsafe p: n > 1 || P.x > 1", "UNSAFE"),
    ("the first state keeps its invariant", "const N : int\nprocess P { clock x; states a; invariant a : x < N }\nsafe p: N > 0", "SAFE"),
    ("an urgent state", "clock t\nprocess P { clock x; states a, b, c; invariant b : x <= 0; a -> b : x := 0, t := 0; b -> c }\nsafe p: P at b => t = 0", "SAFE"),
    ("copies have their own", "process P[i : 1..2] { clock x; states a; invariant a : x <= i; a -> a when x >= 1/2 : x := 0 }\nsafe p: P[1].x <= 1 && P[2].x <= 2", "SAFE"),
    ("a clock in a program", "program { clock x; var n : int = 0; invariant wait : x <= 5; wait: assume x >= 3; n := 1; assert p: n = 1 && x >= 3 }", "SAFE"),
    ("an invariant at a label", "program P { clock x; invariant a : x <= 5; a: skip; b: skip }\nsafe p: P at a => P.x <= 5", "SAFE"),
    ("and nowhere else", "program P { clock x; invariant a : x <= 5; a: skip; b: skip }\nsafe p: P at end || P.x <= 5", "UNSAFE"),
    ("at the label in a loop", "program P { clock x, y; invariant a, b : x <= 2; while true { a: y := 0; b: assume x >= 1; x := 0 } }\nsafe p: P at b => P.y <= 2", "SAFE"),
    ("a label that is not reached in time", "program P { clock x; invariant b : x <= 2; a: assume x > 2; b: skip }\nsafe p: P at a", "SAFE"),
    ("a program that must go on and cannot", "program P { clock x; invariant a : x <= 2; a: assume x > 2; while true { skip } }\ndeadlockfree p", "UNSAFE"),
    ("copies of a program with clocks", "program P[i : 1..2] { clock x; invariant a : x <= i; a: assume x >= 1/2; x := 0; goto a }\nsafe p: P[1] at a && P[2] at a => P[1].x <= 1 && P[2].x <= 2", "SAFE"),
    ("a procedure in a program with clocks", "procedure set() returns (r : real) { r := 1 }\nprogram P { clock x; invariant a : x <= 1; a: x := set(); b: skip }\nsafe p: P at b => P.x >= 1", "SAFE"),
    ("two labels of one place", "program P { clock x; invariant a : x <= 5; invariant b : x <= 3; a: b: skip }\nsafe p: P at a => P.x <= 3", "SAFE"),
    ("a program and a clock", "clock x\nprogram { while x < 3 { skip } assert p: x >= 3 }", "SAFE"),
]


@case
def models_have_their_verdicts(folder):
    for name, content, verdict in MODELS:
        path = write(folder, "a.whet", content + "\n")
        equal(decide(folder, path).get("p"), verdict, name)
        shown = write(folder, "b.whet", whet("show", path).out)
        equal(decide(folder, shown).get("p"), verdict, f"{name}, shown")


@case
def delays_are_steps(folder):
    done = whet("verify", write(folder, "a.whet", "clock x\nprocess P { clock y; states a, b; a -> b when x > 3 : y := 0 }\nsafe p: P at a"))
    assert re.search(r"delay\(d = \d+(/\d+)?\) +x = ", done.out), done
    shown = whet("show", write(folder, "b.whet", "clock x\nsafe p: x >= 0")).out
    assert "action delay(|delay.d| : real): delay.d > 0 -> x := x + delay.d;" in shown, shown
    assert "delay" not in whet("show", write(folder, "c.whet", "var x : real = 0\nsafe p: x >= 0")).out


@case
def the_words_may_be_names(folder):
    content = "var clock, invariant, real, delay : int = 0\nprocess P { var invariant : int = 0; states clock, states; clock -> states when invariant = 0 : invariant := 1; invariant: states -> clock }\n"
    content += "action delay: clock < 3 -> clock := clock + 1\nsafe p: clock <= 3 && real = 0\nsafe clock: invariant = 0\n"
    done = whet("verify", "--quiet", write(folder, "a.whet", content))
    equal(done.out, "p: SAFE\nclock: SAFE\n", done)
    content = "program { var clock, invariant : int = 0; clock := 1; clock, invariant := 2, 3; invariant: invariant := 4; clock: assert p: clock = 2 && invariant = 4 }\n"
    done = whet("verify", "--quiet", write(folder, "b.whet", content))
    equal(done.out, "p: SAFE\n", done)


@case
def random_automata(folder):
    counts = fuzz(folder, 1, ROUNDS)
    assert counts["SAFE"] and counts["UNSAFE"] and counts["UNKNOWN"] < sum(counts.values()) // 3, counts


if __name__ == "__main__":
    main_or_campaign(lambda place, seed, rounds: fuzz(place, int(seed), rounds))
