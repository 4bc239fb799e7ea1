"""Reals in whet's own language: examples with their verdicts, what is refused, and random models.

A random model is a tree that is written twice, as a .whet text and as an unrolling in SMT-LIB for z3. Verdicts of all engines that treat reals are compared
with the unrolling; runs are computed again here with exact fractions; proofs are checked again by `whet check`, also with cvc5; and what `whet show` prints is
read again.

    WHET_PROGRAM=build/whet python3 tests/program/reals.py --rounds 1000 [--seed 7]      for a campaign
"""
import json
import os
import random
import re
import subprocess
from fractions import Fraction

from harness import BUILD, SANITIZED, case, equal, main_or_campaign, schema, whet, write

ROUNDS = 6 if SANITIZED else 25
ENGINES = ["auto", "spacer", "kind", "pdr", "widen"]
INTEGER_ENGINES = ["explicit", "alpha", "cegar", "fbar", "fbar-sym", "invuni", "syntactic", "cgr", "cgr-dual"]
DEPTH = 4  # steps of the unrolling

# ---- the value of an expression

OPERATIONS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "min": min, "max": max, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
              ">=": lambda a, b: a >= b, "=": lambda a, b: a == b, "!=": lambda a, b: a != b, "and": lambda a, b: a and b, "or": lambda a, b: a or b}


def evaluate(e, env):
    kind = e[0]
    if kind in ("fraction", "integer"):
        return e[1]
    if kind == "variable":
        return env[e[1]]
    parts = [evaluate(p, env) if isinstance(p, tuple) else p for p in e[1:]]
    if kind == "scale":
        return parts[0] * parts[1]
    if kind == "by":
        return parts[0] / parts[1]
    if kind == "if":
        return parts[1] if parts[0] else parts[2]
    if kind == "of_int":
        return Fraction(parts[0])
    if kind == "div":
        return parts[0] // parts[1]
    if kind == "mod":
        return parts[0] % parts[1]
    if kind == "negate":
        return -parts[0]
    if kind == "abs":
        return abs(parts[0])
    if kind == "not":
        return not parts[0]
    return OPERATIONS[kind](*parts[:2])


# ---- SMT-LIB

def smt_number(n, is_real):
    n = Fraction(n)
    above = f"{abs(n.numerator)}.0" if is_real else str(abs(n.numerator))
    whole = above if n.denominator == 1 else f"(/ {above} {n.denominator}.0)"
    return f"(- {whole})" if n < 0 else whole


def smt(e, time, inputs):
    kind = e[0]
    if kind == "fraction":
        return smt_number(e[1], True)
    if kind == "integer":
        return smt_number(e[1], False)
    if kind == "variable":
        return e[1] if e[1] in inputs else f"{e[1]}_{time}"
    if kind == "scale":
        return f"(* {smt_number(e[1], True)} {smt(e[2], time, inputs)})"
    if kind == "by":
        return f"(/ {smt(e[1], time, inputs)} {smt_number(e[2], True)})"
    if kind in ("div", "mod"):
        return f"({kind} {smt(e[1], time, inputs)} {e[2]})"
    parts = [smt(p, time, inputs) for p in e[1:] if isinstance(p, tuple)]
    if kind in ("min", "max"):
        return f"(ite ({'<=' if kind == 'min' else '>='} {parts[0]} {parts[1]}) {parts[0]} {parts[1]})"
    if kind == "abs":
        return f"(ite (>= {parts[0]} 0) {parts[0]} (- {parts[0]}))"
    word = {"if": "ite", "of_int": "to_real", "negate": "-", "!=": "distinct"}.get(kind, kind)
    return f"({word} {' '.join(parts)})"


# ---- whet

def is_real_alone(e, sorts):
    """Its text is of type real wherever it stands."""
    if e[0] == "variable":
        return sorts[e[1]] == "real"
    if e[0] in ("of_int", "scale", "by"):
        return True
    if e[0] == "if":
        return is_real_alone(e[2], sorts) or is_real_alone(e[3], sorts)
    return e[0] in ("+", "-", "min", "max", "abs", "negate") and any(is_real_alone(p, sorts) for p in e[1:])


class Writer:
    def __init__(self, r, sorts):
        self.r, self.sorts = r, sorts

    def fraction(self, n, wanted):
        """`wanted`: it stands where a real is wanted, so that a quotient is exact."""
        size = abs(n)
        decimal = str(float(size)) if size.denominator in (1, 2, 4, 8) else None
        if n.denominator == 1 and wanted and self.r.random() < 0.5:
            whole = str(size)
        elif decimal and self.r.random() < 0.5:
            whole = decimal
        elif wanted:
            whole = f"({size.numerator}/{size.denominator})"
        else:
            whole = self.r.choice([f"(to_real({size.numerator})/{size.denominator})", f"({size.numerator}.0/{size.denominator})"])
        return f"-{whole}" if n < 0 else whole

    def real(self, e, wanted):
        kind = e[0]
        if kind == "fraction":
            return self.fraction(e[1], wanted)
        if kind == "variable":
            return e[1]
        if kind == "of_int":
            plain = self.integer(e[1])
            return f"({plain})" if wanted and "/" not in plain and self.r.random() < 0.5 else f"to_real({plain})"
        if kind == "scale":
            inner = is_real_alone(e[2], self.sorts)
            return f"({self.fraction(e[1], inner)} * ({self.real(e[2], inner)}))" if inner else f"({self.fraction(e[1], False)} * to_real({self.real(e[2], False)}))"
        if kind == "by":
            inner = is_real_alone(e[1], self.sorts)
            dividend = self.real(e[1], inner) if inner else f"to_real({self.real(e[1], False)})"
            return f"(({dividend}) / {self.fraction(e[2], True)})"
        if kind in ("negate", "abs"):
            inner = self.real(e[1], wanted)
            return f"(-({inner}))" if kind == "negate" else f"abs({inner})"
        values = e[2:] if kind == "if" else e[1:]
        alone = [is_real_alone(v, self.sorts) for v in values]
        texts = [self.real(v, wanted or alone[1 - i]) for i, v in enumerate(values)]
        if kind == "if":
            return f"(if {self.boolean(e[1])} then {texts[0]} else {texts[1]})"
        return f"{kind}({texts[0]}, {texts[1]})" if kind in ("min", "max") else f"({texts[0]} {kind} {texts[1]})"

    def integer(self, e):
        kind = e[0]
        if kind in ("integer", "variable"):
            return str(e[1]) if kind == "variable" or e[1] >= 0 else f"({e[1]})"
        if kind in ("div", "mod"):
            return f"({self.integer(e[1])} {'/' if kind == 'div' else '%'} {e[2]})"
        if kind == "if":
            return f"(if {self.boolean(e[1])} then {self.integer(e[2])} else {self.integer(e[3])})"
        return f"({self.integer(e[1])} {kind} {self.integer(e[2])})"

    def boolean(self, e):
        kind = e[0]
        if kind == "variable":
            return e[1]
        if kind == "not":
            return f"!({self.boolean(e[1])})"
        if kind in ("and", "or"):
            return f"({self.boolean(e[1])} {'&&' if kind == 'and' else '||'} {self.boolean(e[2])})"
        if e[3:] == ("integers",):
            return f"({self.integer(e[1])} {kind} {self.integer(e[2])})"
        left, right = is_real_alone(e[1], self.sorts), is_real_alone(e[2], self.sorts)
        return f"({self.real(e[1], right)} {kind} {self.real(e[2], left)})"


# ---- random models

class Maker:
    def __init__(self, r):
        self.r = r

    def fraction(self):
        return Fraction(self.r.randint(-4, 6), self.r.choice([1, 1, 2, 2, 3]))

    def positive(self):
        return Fraction(self.r.randint(1, 4), self.r.choice([1, 2, 3]))

    def real(self, scope, depth):
        r, names = self.r, [n for n, s in scope.items() if s == "real"]
        if depth == 0 or r.random() < 0.3:
            return ("variable", r.choice(names)) if names and r.random() < 0.7 else ("fraction", self.fraction())
        kind = r.randrange(10)
        if kind < 4:
            return (r.choice("+-"), self.real(scope, depth - 1), self.real(scope, depth - 1))
        if kind == 4:
            return ("scale", self.fraction(), self.real(scope, depth - 1))
        if kind == 5:
            return ("by", self.real(scope, depth - 1), r.choice([1, -1]) * self.positive())
        if kind == 6:
            return ("if", self.boolean(scope, depth - 1), self.real(scope, depth - 1), self.real(scope, depth - 1))
        if kind == 7:
            return (r.choice(["min", "max"]), self.real(scope, depth - 1), self.real(scope, depth - 1))
        if kind == 8:
            return (r.choice(["negate", "abs"]), self.real(scope, depth - 1))
        return ("of_int", self.integer(scope, depth - 1))

    def integer(self, scope, depth):
        r, names = self.r, [n for n, s in scope.items() if s == "int"]
        if depth == 0 or r.random() < 0.3:
            return ("variable", r.choice(names)) if names and r.random() < 0.7 else ("integer", r.randint(-2, 4))
        kind = r.randrange(6)
        if kind < 3:
            return (r.choice("+-"), self.integer(scope, depth - 1), self.integer(scope, depth - 1))
        if kind == 3:
            return ("if", self.boolean(scope, depth - 1), self.integer(scope, depth - 1), self.integer(scope, depth - 1))
        return (r.choice(["div", "mod"]), self.integer(scope, depth - 1), r.randint(2, 3))

    def boolean(self, scope, depth):
        r, names = self.r, [n for n, s in scope.items() if s == "bool"]
        sign = r.choice(["<", "<=", ">", ">=", "=", "!="])
        if depth == 0 or r.random() < 0.5:
            if names and r.random() < 0.2:
                return ("variable", r.choice(names))
            below = max(0, depth - 1)
            if "int" in scope.values() and r.random() < 0.3:
                return (sign, self.integer(scope, below), self.integer(scope, below), "integers")
            return (sign, self.real(scope, below), self.real(scope, below))
        kind = r.randrange(5)
        if kind == 0:
            return ("not", self.boolean(scope, depth - 1))
        return (r.choice(["and", "or"]), self.boolean(scope, depth - 1), self.boolean(scope, depth - 1))

    def of_sort(self, sort, scope, depth):
        return {"real": self.real, "int": self.integer, "bool": self.boolean}[sort](scope, depth)

    def model(self):
        r = self.r
        sorts = ["real"] * r.randint(1, 3) + ["int"] * r.randint(0, 2) + ["bool"] * r.randint(0, 1)
        names = {f"{s[0]}{i}": s for i, s in enumerate(sorts)}
        first = {n: {"real": ("fraction", self.fraction()), "int": ("integer", r.randint(-1, 2)), "bool": None}[s] if r.random() < 0.8 else None for n, s in names.items()}
        actions = []
        for i in range(r.randint(1, 4)):
            inputs = {f"v{i}{j}": r.choice(["real", "real", "int"]) for j in range(r.choice([0, 0, 1, 2]))}
            scope = {**names, **inputs}
            changed = [n for n in names if r.random() < 0.5]
            actions.append((f"a{i}", inputs, self.boolean(scope, 2), {n: self.of_sort(names[n], scope, 2) for n in changed}))
        kind = r.choice(["safe", "safe", "safe", "deadlockfree"])
        start = self.boolean(names, 1) if r.random() < 0.4 else None
        return names, first, start, actions, kind, self.boolean(names, 2)


def model_text(r, model):
    names, first, start, actions, kind, good = model
    w, lines = Writer(r, dict(names)), []
    for n, s in names.items():
        given = "" if first[n] is None else " = " + (w.real(first[n], True) if s == "real" else w.integer(first[n]))
        lines.append(f"var {n} : {s}{given}")
    if start:
        lines.append(f"init {w.boolean(start)}")
    for name, inputs, guard, updates in actions:
        w.sorts = {**names, **inputs}
        given = ", ".join(f"{n} : {s}" for n, s in inputs.items())
        to = ", ".join(f"{n} := " + (w.real(e, True) if names[n] == "real" else w.integer(e) if names[n] == "int" else w.boolean(e)) for n, e in updates.items())
        lines.append(f"action {name}{f'({given})' if given else ''}: {w.boolean(guard)} -> {to};")
    w.sorts = dict(names)
    lines.append(f"safe p: {w.boolean(good)}" if kind == "safe" else "deadlockfree p")
    return "\n".join(lines) + "\n"


# ---- the unrolling

SORTS = {"real": "Real", "int": "Int", "bool": "Bool"}


def initial(model, env=None):
    names, first, start = model[:3]
    conditions = [("=", ("variable", n), e) for n, e in first.items() if e is not None] + ([start] if start else [])
    return all(evaluate(c, env) for c in conditions) if env is not None else conditions


def smt_bad(model, time):
    """Over the state at that time."""
    _, _, _, actions, kind, good = model
    if kind == "safe":
        return f"(not {smt(good, time, {})})"
    parts = []
    for _, inputs, guard, _ in actions:
        inner = f"(not {smt(guard, time, inputs)})"
        parts.append(f"(forall ({' '.join(f'({n} {SORTS[s]})' for n, s in inputs.items())}) {inner})" if inputs else inner)
    return f"(and true {' '.join(parts)})"


def unrolling(model):
    """The least number of steps to a violation, up to DEPTH; None if there is none, "unknown" if z3 does not say."""
    names, _, _, actions, _, _ = model
    script = [f"(declare-const {n}_{t} {SORTS[s]})" for t in range(DEPTH + 1) for n, s in names.items()]
    script += [f"(assert {smt(c, 0, {})})" for c in initial(model)]
    for t in range(DEPTH + 1):
        script += ["(push 1)", f"(assert {smt_bad(model, t)})", "(check-sat)", "(pop 1)"]
        steps = []
        for k, (_, inputs, guard, updates) in enumerate(actions):
            local = {n: f"{n}_{t}i{k}" for n in inputs}
            script += [f"(declare-const {local[n]} {SORTS[s]})" for n, s in inputs.items()]
            parts = [smt(guard, t, inputs)] + [f"(= {n}_{t + 1} {smt(updates[n], t, inputs) if n in updates else f'{n}_{t}'})" for n in names]
            step = f"(and {' '.join(parts)})"
            for n, own in local.items():
                step = re.sub(rf"(?<![\w]){n}(?![\w])", own, step)
            steps.append(step)
        if t < DEPTH:
            script.append(f"(assert (or false {' '.join(steps)}))")
    done = subprocess.run(["z3", "-T:10", "-in"], input="\n".join(script), capture_output=True, text=True, check=False)
    answers = done.stdout.split()
    assert "error" not in done.stdout, done.stdout + "\n".join(script)
    for t, word in enumerate(answers[:DEPTH + 1]):
        if word == "sat":
            return t
        if word != "unsat":
            return "unknown"
    return None if len(answers) > DEPTH else "unknown"


# ---- runs

def value_of(given):
    if isinstance(given, dict):
        return Fraction(given.get("#unserializable", given.get("#bigint")))
    return given


def replay(model, path):
    """The run in a certificate is one of the model, and its last state breaks the property."""
    names, _, _, actions, kind, good = model
    with open(path, encoding="utf-8") as f:
        states = json.load(f)["states"]
    by_name = {a[0]: a for a in actions}
    env = {n: value_of(states[0][n]) for n in names}
    assert initial(model, env), f"not initial: {env}"
    for state in states[1:]:
        _, inputs, guard, updates = by_name[state["#meta"]["action"]]
        given = {n.split(".")[1]: value_of(v) for n, v in state["#meta"].get("inputs", {}).items()}
        assert set(given) == set(inputs), state
        scope = {**env, **given}
        assert all(s != "int" or Fraction(scope[n]).denominator == 1 for n, s in {**names, **inputs}.items()), state
        assert evaluate(guard, scope), state
        env = {n: evaluate(updates[n], scope) if n in updates else env[n] for n in names}
        assert env == {n: value_of(state[n]) for n in names}, f"{env}: {state}"
    if kind == "safe":
        assert not evaluate(good, env), f"not violated: {env}"
    return len(states) - 1, env


# ---- the comparison

def complain(content, why):
    os.makedirs(os.path.join(BUILD, "findings"), exist_ok=True)
    kept = write(os.path.join(BUILD, "findings"), "reals.whet", content)
    raise AssertionError(f"{why}; kept in {kept}\n{content}")


def check_engine(folder, path, content, model, engine, nearest):
    certificate = os.path.join(folder, "certificate")
    if os.path.exists(certificate):
        os.remove(certificate)
    done = whet("verify", "--quiet", "--trace", "off", "--engine", engine, "--work", "150000", "--certificate", certificate, path)
    found = re.fullmatch(r"p: (SAFE|UNSAFE|UNKNOWN)(.*)", done.out.strip())
    if not found or "error of whet" in done.err:
        complain(content, f"{engine}: {done}")
    verdict = found.group(1)
    if verdict == "SAFE" and isinstance(nearest, int):
        complain(content, f"{engine}: SAFE, but z3 finds a violation after {nearest} steps")
    if verdict == "UNSAFE":
        steps, _ = replay(model, certificate)
        if nearest is None and steps <= DEPTH or isinstance(nearest, int) and steps < nearest:
            complain(content, f"{engine}: a violation after {steps} steps, z3: {nearest}")
    if verdict != "UNKNOWN":
        for solver in ([], ["--solver", "cvc5"]):
            again = whet("check", *solver, path, certificate)
            if again.status == 10 or f": {verdict}" not in again.out and not solver:
                complain(content, f"{engine}: {solver} {again}")
    return verdict


def shown_lines(path):
    """What `whet show` prints, without its first line; conjuncts of `init` in one order, for the bounds of types move when they are read."""
    done = whet("show", path)
    equal(done.status, 0, done)
    lines = done.out.split("\n")[1:]
    return done.out, [" && ".join(sorted(line[5:].split(" && "))) if line.startswith("init ") else line for line in lines]


def check_shown(folder, path, content, verdict):
    shown, lines = shown_lines(path)
    copy = write(folder, "shown.whet", shown)
    if shown_lines(copy)[1] != lines:
        complain(content, f"show is not read as it is: {shown}")
    other = re.match(r"p: (\w+)", whet("verify", "--quiet", "--trace", "off", "--work", "150000", copy).out)
    if not other or {other.group(1), verdict} == {"SAFE", "UNSAFE"}:
        complain(content, f"{verdict}, but as shown {other}\n{shown}")


def fuzz(folder, seed, rounds):
    counts = {"SAFE": 0, "UNSAFE": 0, "UNKNOWN": 0}
    for i in range(seed, seed + rounds):
        r = random.Random(i)
        model = Maker(r).model()
        content = f"// seed {i}\n" + model_text(r, model)
        path = write(folder, "random.whet", content)
        nearest = unrolling(model)
        verdicts = [check_engine(folder, path, content, model, e, nearest) for e in ENGINES]
        for v in verdicts:
            counts[v] += 1
        check_shown(folder, path, content, verdicts[0])
    return counts


# ---- models with their verdicts

MODELS = [
    ("a bound that is met", "var x : real = 0\naction go: x < 3.2 -> x := x + 1/2\nsafe p: x < 3.5", "UNSAFE"),
    ("a bound that is not", "var x : real = 0\naction go: x < 3.2 -> x := x + 1/2\nsafe p: x <= 3.5", "SAFE"),
    ("strict is not rounded", "var x : real\ninit x < 1\nsafe p: x <= 0", "UNSAFE"),
    ("strict stays strict", "var x : real\ninit x < 1\naction half: true -> x := (x + 1)/2\nsafe p: x < 1", "SAFE"),
    ("not strict is not strict", "var x : real\ninit x <= 1\nsafe p: x < 1", "UNSAFE"),
    ("halving never comes to 0", "var x : real = 1\naction half: true -> x := x / 2\nsafe p: x > 0", "SAFE"),
    ("an integer beside a real", "var x : real = 0\nvar k : int = 0\naction go: true -> x := x + 1/2, k := k + 1\nsafe p: 2 * x = k", "SAFE"),
    ("between integers there is none", "var k : int\ninit k > 0.5\nsafe p: k >= 1", "SAFE"),
    ("between integers there are reals", "var k : real\ninit k > 0.5\nsafe p: k >= 1", "UNSAFE"),
    ("exact and rounded quotients", "var k : int\ninit k = 7\nsafe p: to_real(k) / 2 = 3.5 && to_real(k / 2) = 3 && 7/2 < 3.6 && k / 2 = 3", "SAFE"),
    ("quotients of numbers where no real is", "const h = 1/2\nconst r : real = 1/2\nsafe p: h = 0 && r > h && 2 * r = 1", "SAFE"),
    ("rounding by an input", "var x : real\nvar i : int = 0\naction down(k : int): k <= x && x < k + 1 -> i := k\nsafe p: i <= x || i = 0", "SAFE"),
    ("an input between bounds", "var x : real = 0\naction pick(r : real): 1/3 < r && r < 1/2 -> x := r\nsafe p: x != 3/8", "UNSAFE"),
    ("any value", "var x : real = 0\naction pick: true -> x := *\nsafe p: x != 22/7", "UNSAFE"),
    ("an array", "var a : real[1..3] = 0.25\nvar i : 1..3\naction add: a[i] < 2 -> a[i] := a[i] + 0.25\naction move: true -> i := *\nsafe p: forall k : 1..3 . a[k] <= 2", "SAFE"),
    ("a parameter", "const K : real\nvar x : real = 0\ninit K > 1\naction go: x < K -> x := x + 1\nsafe p: x < K + 1", "SAFE"),
    ("a process", "process P[i : 1..2] { var t : real = 0; states a, b; a -> b when t >= 1/2; b -> a : t := 0; a -> a (d : real) when 0 < d && d < 1/2 : t := t + d }\nsafe p: P[1].t < 1", "UNSAFE"),
    ("a program", "program { var x : real = 0; while x < 1 { x := x + 1/3 } assert p: x = 1 }", "SAFE"),
    ("a program that misses", "program { var x : real = 0; while x < 1 { x := x + 2/7 } assert p: x < 8/7 }", "UNSAFE"),
    ("a procedure", "procedure f(a : real) returns (r : real) ensures r >= a { if a < 3 { r := f(a + 1/2) } else { r := a } }\nprogram { var x : real; assume x > 1; x := f(x); assert p: x >= 3 }", "SAFE"),
    ("no step left", "var x : real = 0\naction go(d : real): d > x && d < 1 -> x := d\ndeadlockfree p", "SAFE"),
    ("a step that may not be left", "var x : real = 0\naction go(d : real): d > x && d <= 1 -> x := d\ndeadlockfree p", "UNSAFE"),
    ("an array read outside", "var a : real[1..2] = 1\nvar i : int = 1\nvar x : real = 1\naction go: i < 3 -> x := a[i], i := i + 1\nsafe p: x = 1", "SAFE"),
]


@case
def models_have_their_verdicts(folder):
    certificate = os.path.join(folder, "certificate")
    for name, content, expected in MODELS:
        path = write(folder, "a.whet", content + "\n")
        done = whet("verify", "--quiet", "--trace", "off", "--property", "p", "--timeout", "60", "--certificate", certificate, path)
        equal(done.out.strip().split(" (")[0], f"p: {expected}", f"{name}: {done}")
        equal(whet("check", path, certificate).status, 0, name)
        for engine in ENGINES[1:]:
            other = whet("verify", "--quiet", "--trace", "off", "--property", "p", "--work", "300000", "--engine", engine, path).out
            assert re.match(rf"p: ({expected}|UNKNOWN)\b", other), f"{name}, {engine}: {other}"
        if "procedure" in content:
            continue
        shown, lines = shown_lines(path)
        copy = write(folder, "b.whet", shown)
        equal(shown_lines(copy)[1], lines, name)
        assert f"p: {expected}" in whet("verify", "--quiet", "--trace", "off", "--timeout", "60", copy).out, shown


@case
def engines_and_commands_of_integers_say_so(folder):
    path = write(folder, "a.whet", MODELS[0][1])
    for engine in INTEGER_ENGINES:
        done = whet("verify", "--engine", engine, path)
        equal(done.status, 20, engine)
        assert f"engine {engine} does not treat reals" in done.out, done
    for command in ("quotient", "abstract", "invariants"):
        done = whet(command, path)
        equal(done.status, 2, command)
        assert f"whet {command}: the model has reals, which this command does not treat" in done.err, done


@case
def runs_are_simulated(folder):
    """What is computed in fractions from the inputs that the run shows is what the run shows."""
    path = write(folder, "a.whet", """var x, y : real = 0
var n : int = 0
action go(d : real): 0 < d && d <= 1/3 && x < 2 -> x := x + d, y := x - y / 7
action back(k : int): 0 < k && k <= x + 4 && n < 100 -> n := n + k, x := x - k
action stop: x >= 2 -> x := 0
""")
    seen = set()
    for seed in range(8):
        done = whet("simulate", path, "--seed", str(seed), "--steps", "25", "--trace", "full")
        equal(done.status, 0, done)
        x, y, n = Fraction(0), Fraction(0), 0
        for name, value, changes in re.findall(r"^ *[1-9]\d*  (\w+)(?:\(\w = ([\d/]+)\))? +(.*)$", done.out, re.MULTILINE):
            value = Fraction(value or 0)
            if name == "go":
                assert 0 < value <= Fraction(1, 3) and x < 2, done
                x, y = x + value, x - y / 7
            elif name == "back":
                assert 0 < value <= x + 4 and value.denominator == 1, done
                n, x = n + value, x - value
            else:
                assert x >= 2, done
                x = Fraction(0)
            shown = dict(re.findall(r"(\w) = (-?[\d/]+)", changes))
            now = {"x": x, "y": y, "n": n}
            assert all(Fraction(text) == now[v] for v, text in shown.items()), done
            seen.add((name, value))
    assert len(seen) > 3 and ("go", Fraction(1, 3)) in seen, seen


@case
def simulated_time_keeps_invariants(folder):
    path = write(folder, "c.whet", """process P {
  clock x
  states a, b
  invariant a : x <= 5/2
  a -> b when x >= 2 : x := 0
  b -> a when x > 1/3 : x := 0
}
""")
    lengths = set()
    for seed in range(6):
        done = whet("simulate", path, "--seed", str(seed), "--steps", "30", "--trace", "full")
        clock, place = Fraction(0), "a"
        for name, amount, to in re.findall(r"^ *[1-9]\d*  (delay|P\.\w->\w)(?:\(d = ([\d/]+)\))? +(?:P at (\w))?", done.out, re.MULTILINE):
            if amount:
                clock += Fraction(amount)
                lengths.add(Fraction(amount))
            else:
                assert clock >= 2 if place == "a" else clock > Fraction(1, 3), done
                clock, place = Fraction(0), to
            assert Fraction(amount or 1) > 0 and (place == "b" or clock <= Fraction(5, 2)), done
    assert len(lengths) > 3, lengths


@case
def what_always_holds_is_decided(folder):
    """Temporal formulas that say no more: with evidence that is checked again, and the same when shown. Those that say more stay open."""
    model = "var x : real = 0\naction go: x < 1 -> x := x + 1/3\n"
    for formula, verdict in (("ctl p: AG x <= 1", "HOLDS"), ("ctl p: AG x < 1", "FAILS"), ("ltl p: G (x <= 1 && G x >= 0)", "HOLDS"),
                             ("ltl p: G x >= 0 && (forall i : 1..2 . G x * i < 7/4)", "FAILS"), ("ctl p: AG (x < 1/2 => AG x < 2) ", "UNKNOWN"),
                             ("ltl p: x = 0 && G x >= 0", "UNKNOWN"), ("ltl p: G x < 1 || G x > 1", "UNKNOWN"), ("mu p: nu Z . x <= 1 && [] Z", "UNKNOWN")):
        path, certificate = write(folder, "a.whet", model + formula), os.path.join(folder, "c")
        done = whet("verify", "--quiet", "--trace", "off", "--certificate", certificate, path)
        assert done.out.startswith("p: " + verdict), (formula, done)
        if verdict != "UNKNOWN":
            checked = whet("check", path, certificate)
            equal((checked.status, verdict in checked.out), (0, True), checked)
        shown = write(folder, "b.whet", whet("show", path).out)
        assert whet("verify", "--quiet", "--trace", "off", shown).out.startswith("p: " + verdict), (formula, verdict)
        schema().validate(json.loads(whet("verify", "--quiet", "--json", "-", path).out))
    fair = whet("verify", "--quiet", write(folder, "f.whet", model + "fair go\nltl p: G x <= 1"))
    assert fair.out.startswith("p: UNKNOWN"), fair


@case
def temporal_properties_stay_open(folder):
    path = write(folder, "a.whet", "var x : real = 0\naction go: x < 1 -> x := x + 1/3\nctl always: AG x < 2\nltl at_last: F x >= 1\nsafe p: x <= 1")
    done = whet("verify", path)
    equal(done.status, 20, done)
    for line in ("always: HOLDS", "at_last: UNKNOWN (no engine treats this model and property)", "p: SAFE"):
        assert line in done.out, done


@case
def fractions_are_shown(folder):
    path = write(folder, "a.whet", "const D : real = 1/2\nvar x : real = D\naction go(r : real): r = 1/3 -> x := x + r\nsafe p: x < 1")
    done = whet("verify", path)
    assert "x = 1/2" in done.out and "r = 1/3" in done.out and "x = 7/6" in done.out, done
    report = os.path.join(folder, "page.html")
    as_json = whet("verify", "--json", "-", "--report", report, path).out
    schema().validate(json.loads(as_json))
    assert '"7/6"' in as_json, as_json
    with open(report, encoding="utf-8") as f:
        assert "7/6" in f.read()
    assert "x = 2\n" in whet("verify", "-D", "D=2", path).out
    assert "x = 4/3" in whet("verify", "-D", "D=4/3", path).out and "x = 5/4" in whet("verify", "-D", "D=1.25", path).out
    assert "x <= 1" in whet("show", write(folder, "b.whet", "var x : real = 1.25\nsafe p: 4 * x > 4")).out


@case
def files_of_predicates_and_lemmas_know_reals(folder):
    path = write(folder, "a.whet", "const H : real = 3\nvar x : real = 0\naction go: x < H -> x := x + 1/2\nsafe p: x < 4")
    for content, status in (("x <= 7/2", 0), ("x <= H + 0.5", 0), ("x <= H / 2", 0), ("x % 2 = 0", 2), ("x * x > 1", 2)):
        done = whet("verify", "--lemma", write(folder, "lemmas", content), path)
        equal(done.status, status, f"{content}: {done}")


@case
def wrong_evidence_is_rejected(folder):
    path = write(folder, "a.whet", "var x : real\nvar k : int = 0\ninit 0 < x && x < 1\naction go(r : real): 0 < r && r < x -> x := r\nsafe p: x > 0\nsafe q: x >= 1/2 || k != 0")
    function = "; whet certificate 1\n(set-info :whet-property \"p\")\n(define-fun inv ((|x| Real) (|k| Int)) Bool {})\n"
    for formula, is_right in (("(> |x| 0.0)", True), ("(not (<= |x| 0))", True), ("(>= |x| 1)", False), ("(>= |x| 0.0)", False), ("(> |x| 0.001)", False), ("(and (> |x| 0) (< |x| 1))", True)):
        equal(whet("check", path, write(folder, "c", function.format(formula))).status, 0 if is_right else 10, formula)
    equal(whet("check", path, write(folder, "c", function.format("(> |x| 0.0)").replace("Real", "Int"))).status, 2)
    above = write(folder, "b.whet", "var x : real\ninit 2 * x > 7\naction go: true ->\nsafe p: x >= 4")
    other = function.replace(" (|k| Int)", "")
    equal(whet("check", above, write(folder, "c", other.format("(> (* 2.0 |x|) 7.0)"))).status, 10, "there are reals between 7/2 and 4")
    equal(whet("verify", "--quiet", "--trace", "off", above).out, "p: UNSAFE\n")
    certificate = os.path.join(folder, "run")
    whet("verify", "--property", "q", "--certificate", certificate, path)
    with open(certificate, encoding="utf-8") as f:
        run = f.read()
    equal(whet("check", path, certificate).status, 0, run)
    for wrong in ('"k":{"#unserializable":"1/2"}', '"k":0.5', '"k":{"#unserializable":"0"}'):
        done = whet("check", path, write(folder, "c", run.replace('"k":0', wrong)))
        assert done.status in (2, 10), done
    states = json.loads(run)
    for value in ("-1/2", "1", "3/2", "1/0", "x", ""):
        states["states"][0]["x"] = {"#unserializable": value}
        done = whet("check", path, write(folder, "c", json.dumps(states)))
        assert done.status in (2, 10), f"{value}: {done}"


@case
def random_models(folder):
    counts = fuzz(folder, 1, ROUNDS)
    assert counts["SAFE"] and counts["UNSAFE"] and counts["UNKNOWN"] < sum(counts.values()) // 3, counts


if __name__ == "__main__":
    main_or_campaign(lambda place, seed, rounds: fuzz(place, int(seed), rounds))
