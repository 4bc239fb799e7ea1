"""Random small Horn systems and VMT systems: whet against Spacer and against a bounded unrolling of our own.

The unrolling derives atoms over small integers, clause by clause, as far as it goes: what it derives is derivable. A model is given to
z3 to check, a derivation is computed again here. A disagreement is kept in the build folder.

    WHET_PROGRAM=build/whet python3 tests/program/horn_random.py [--rounds 1000] [--seed 7]      for a campaign
"""
import enum
import itertools
import math
import os
import random
import re
import subprocess
from fractions import Fraction

from harness import BUILD, SANITIZED, WHET, case, main_or_campaign, write
from clauses import check_model, parse, show, solvers

SMALL = range(-2, 4)
HALVES = [Fraction(n, 2) for n in range(-4, 7)]
ENGINES = ["auto", "cegar", "kind", "pdr", "widen", "fbar", "alpha", "syntactic", "invuni", "explicit", "cgr", "cgr-dual", "fbar-sym"]

ROUNDS = 6 if SANITIZED else 24


class Value(enum.IntEnum):
    """The values of the enumeration E; that they have an order is for Python alone."""
    e0 = 0
    e1 = 1
    e2 = 2


# ---- expressions: words, numbers, or tuples (operator, ..) ----


def evaluate(e, env):
    if isinstance(e, (int, bool, Fraction)):
        return e
    if isinstance(e, str):
        return env[e]
    op, *rest = e
    if op == "let":
        return evaluate(rest[2], {**env, rest[0]: evaluate(rest[1], env)})
    v = [evaluate(x, env) for x in rest]
    if op.startswith("is-"):
        return v[0] == Value[op[3:]]
    return {
        "+": lambda: sum(v), "-": lambda: -v[0] if len(v) == 1 else v[0] - sum(v[1:]), "*": lambda: v[0] * v[1],
        "div": lambda: v[0] // v[1] if v[1] > 0 else -(v[0] // -v[1]), "mod": lambda: v[0] % abs(v[1]), "abs": lambda: abs(v[0]),
        "ite": lambda: v[1] if v[0] else v[2], "and": lambda: all(v), "or": lambda: any(v), "not": lambda: not v[0],
        "=>": lambda: not v[0] or v[1], "xor": lambda: v[0] != v[1], "=": lambda: v[0] == v[1], "distinct": lambda: len(set(v)) == len(v),
        "/": lambda: Fraction(v[0]) / v[1], "to_real": lambda: Fraction(v[0]), "to_int": lambda: math.floor(v[0]), "is_int": lambda: v[0] == math.floor(v[0]),
        "<": lambda: v[0] < v[1], "<=": lambda: v[0] <= v[1], ">": lambda: v[0] > v[1], ">=": lambda: v[0] >= v[1],
    }[op]()


def text(e):
    if isinstance(e, Value):
        return e.name
    if isinstance(e, bool):
        return "true" if e else "false"
    if isinstance(e, int):
        return str(e) if e >= 0 else f"(- {-e})"
    if isinstance(e, Fraction):
        plain = f"{abs(e.numerator)}.0" if e.denominator == 1 else f"(/ {abs(e.numerator)}.0 {e.denominator}.0)"
        return plain if e >= 0 else f"(- {plain})"
    if isinstance(e, str):
        return e
    if e[0] == "let":
        return f"(let (({e[1]} {text(e[2])})) {text(e[3])})"
    return "(" + " ".join([e[0]] + [text(x) for x in e[1:]]) + ")"


class Maker:
    def __init__(self, r):
        self.r = r
        self.fresh = 0

    def integer(self, scope, depth):
        r = self.r
        names = [n for n, s in scope.items() if s == "Int"]
        if depth == 0 or r.random() < 0.35:
            return r.choice(names) if names and r.random() < 0.7 else r.randint(-2, 3)
        kind = r.randrange(10)
        if kind < 5:
            return (r.choice("+-"), self.integer(scope, depth - 1), self.integer(scope, depth - 1))
        if kind == 5:
            return ("*", r.randint(-2, 3), self.integer(scope, depth - 1))
        if kind == 6:
            return ("ite", self.boolean(scope, depth - 1), self.integer(scope, depth - 1), self.integer(scope, depth - 1))
        if kind == 7:
            return (r.choice(["div", "mod"]), self.integer(scope, depth - 1), r.choice([-3, -2, 2, 3]))
        if kind == 8:
            return ("abs", self.integer(scope, depth - 1))
        return self.let(scope, depth, self.integer)

    def let(self, scope, depth, inner):
        self.fresh += 1
        name = f"l{self.fresh}"
        return ("let", name, self.integer(scope, depth - 1), inner({**scope, name: "Int"}, depth - 1))

    def boolean(self, scope, depth):
        r = self.r
        names = [n for n, s in scope.items() if s == "Bool"]
        if names and r.random() < 0.3:
            return r.choice(names)
        if depth == 0 or r.random() < 0.6:
            return (r.choice(["<", "<=", ">", ">=", "=", "distinct"]), self.integer(scope, max(0, depth - 1)), self.integer(scope, max(0, depth - 1)))
        kind = r.randrange(6)
        if kind < 2:
            return (r.choice(["and", "or"]), self.boolean(scope, depth - 1), self.boolean(scope, depth - 1))
        if kind == 2:
            return ("not", self.boolean(scope, depth - 1))
        if kind == 3:
            return (r.choice(["=>", "xor", "="]), self.boolean(scope, depth - 1), self.boolean(scope, depth - 1))
        if kind == 4:
            return ("ite", self.boolean(scope, depth - 1), self.boolean(scope, depth - 1), self.boolean(scope, depth - 1))
        return self.let(scope, depth, self.boolean)

    def of_sort(self, sort, scope, depth):
        return self.integer(scope, depth) if sort == "Int" else self.boolean(scope, depth)

    def constant(self, sort):
        return self.r.randint(-1, 2) if sort == "Int" else self.r.random() < 0.5


class Clause:
    def __init__(self, variables, constraints, body, head, hidden=()):
        self.variables, self.constraints, self.head = variables, constraints, head
        atoms = body if isinstance(body, list) else [body] if body else []
        self.body = [a for i, a in enumerate(atoms) if a not in atoms[i + 1:]]  # one that stands twice counts once
        self.hidden = hidden  # bound by `exists` around the body

    def text(self):
        parts = [atom_text(a) for a in self.body] + [text(c) for c in self.constraints]
        left = parts[0] if len(parts) == 1 else "(and " + " ".join(parts) + ")" if parts else "true"
        if self.hidden:
            left = "(exists (" + " ".join(f"({n} {self.variables[n]})" for n in self.hidden) + f") {left})"
        inner = f"(=> {left} {atom_text(self.head) if self.head else 'false'})"
        bound = " ".join(f"({n} {s})" for n, s in self.variables.items() if n not in self.hidden)
        return f"(assert (forall ({bound}) {inner}))" if bound else f"(assert {inner})"


def atom_text(atom):
    name, arguments = atom
    return "(" + " ".join([name] + [text(a) for a in arguments]) + ")" if arguments else name


def random_clause(m, predicates, body, head):
    r = m.r
    variables = {}
    sorts_of = dict(predicates)

    def new(prefix, sort):
        name = f"{prefix}{len(variables)}"
        variables[name] = sort
        return name
    body_atoms, head_atom = [], None
    for one in body:
        arguments = []
        for s in sorts_of[one]:
            old = [v for v, t in variables.items() if t == s]
            arguments.append(r.choice(old) if old and r.random() < 0.08 else r.randint(0, 2) if s == "Int" and r.random() < 0.05 else new("x", s))
        body_atoms.append((one, arguments))
    scope = dict(variables)
    constraints = [m.boolean(scope, 2) for _ in range(r.randint(0, 2))] if scope else []
    if head:
        arguments = []
        for s in sorts_of[head]:
            same = [v for v, t in scope.items() if t == s]
            kind = r.random()
            if kind < 0.25 and same:
                arguments.append(r.choice(same))
            elif kind < 0.45:
                arguments.append(m.of_sort(s, scope, 2) if scope else m.constant(s))
            else:
                name = new("y", s)
                value = m.of_sort(s, scope, 2) if scope else m.constant(s)
                choice = r.random()
                if choice < 0.65:
                    constraints.append(("=", name, value))
                elif choice < 0.8:
                    constraints.append(("or", ("=", name, value), ("=", name, m.of_sort(s, {**scope, name: s} if r.random() < 0.3 else scope or {name: s}, 1))))
                elif s not in ("Bool", "E"):
                    constraints.append(("and", (">=", name, value), ("<=", name, ("+", value, 2))))
                arguments.append(name)
        head_atom = (head, arguments)
    else:
        constraints.append(m.boolean(scope, 2) if scope else True)
    return Clause(variables, constraints, body_atoms, head_atom)


def random_system(r):
    m = Maker(r)
    predicates = [(n, [r.choice(["Int", "Int", "Int", "Bool"]) for _ in range(r.randint(0 if i else 1, 3))]) for i, n in enumerate(["P", "Q", "R"][:r.randint(1, 3)])]
    names = [n for n, _ in predicates]
    clauses = [random_clause(m, predicates, [], r.choice(names[:2])) for _ in range(r.randint(1, 2))]
    clauses += [random_clause(m, predicates, [r.choice(names)], r.choice(names)) for _ in range(r.randint(1, 4))]
    clauses += [random_clause(m, predicates, [r.choice(names)], None) for _ in range(r.randint(1, 2))]
    return predicates, clauses


def random_trees(r):
    """Up to three atoms in a body, over up to four predicates; some of them are not recursive, or lead nowhere."""
    m = Maker(r)
    predicates = [(n, [r.choice(["Int", "Int", "Int", "Bool"]) for _ in range(r.randint(0 if i else 1, 2))]) for i, n in enumerate(["P", "Q", "R", "S"][:r.randint(1, 4)])]
    names = [n for n, _ in predicates]
    below = {n: names[:i + (r.random() < 0.5)] or names[:1] for i, n in enumerate(names)}  # what its bodies may have
    clauses = [random_clause(m, predicates, [], r.choice(names)) for _ in range(r.randint(1, 2))]
    for _ in range(r.randint(1, 4)):
        head = r.choice(names)
        clauses.append(random_clause(m, predicates, [r.choice(below[head]) for _ in range(r.choice([1, 2, 2, 3]))], head))
    clauses += [random_clause(m, predicates, [r.choice(names) for _ in range(r.randint(1, 2))], None) for _ in range(r.randint(1, 2))]
    return predicates, clauses


def random_mixed_system(m, sorts, first):
    """Of these sorts, the first argument of P of sort `first`. Bodies of up to two atoms; every second system is linear."""
    r = m.r
    predicates = [(n, [r.choice(sorts) for _ in range(r.randint(0, 2))]) for n in ["P", "Q", "R"][:r.randint(1, 3)]]
    predicates[0] = ("P", [first] + predicates[0][1])
    names = [n for n, _ in predicates]
    widest = r.choice([1, 2])
    clauses = [random_clause(m, predicates, [], r.choice(names[:2])) for _ in range(r.randint(1, 2))]
    clauses += [random_clause(m, predicates, [r.choice(names) for _ in range(r.randint(1, widest))], r.choice(names)) for _ in range(r.randint(1, 4))]
    clauses += [random_clause(m, predicates, [r.choice(names)], None) for _ in range(r.randint(1, 2))]
    return predicates, clauses


def with_more_arguments(r, system):
    """The same with arguments that clauses can do without, or nearly: one that is always another one, and one that counts for nobody, unless a clause here and there says otherwise."""
    predicates, clauses = system
    extra = {n: (["Int"] if r.random() < 0.8 else []) + ([sorts[0]] if sorts and r.random() < 0.8 else []) for n, sorts in predicates}

    def widen(c):
        variables, constraints = dict(c.variables), list(c.constraints)

        def new(sort):
            name = f"x{100 + len(variables)}"
            variables[name] = sort
            return name

        def more(atom, counts):
            name, arguments = atom
            added = []
            for i, sort in enumerate(extra[name]):
                is_copy = i == len(extra[name]) - 1 and (len(extra[name]) == 2 or dict(predicates)[name][:1] == [sort] and r.random() < 0.5)
                if counts is None:  # in a body
                    added.append(arguments[0] if is_copy and r.random() < 0.3 else new(sort))
                elif is_copy and r.random() < 0.9:
                    added.append(arguments[0])
                elif sort == "Int" and counts and r.random() < 0.6:
                    added.append(new("Int"))
                    constraints.append(("=", added[-1], ("+", r.choice(counts), r.randint(0, 2))))
                else:
                    added.append(r.choice([0, 1, new("Int")]) if sort == "Int" else m.constant(sort))
            return name, arguments + added
        m = Maker(r)
        body = [more(a, None) for a in c.body]
        counts = [a for name, arguments in body for a in arguments[len(dict(predicates)[name]):] if isinstance(a, str) and variables[a] == "Int"]
        if counts and r.random() < 0.08:
            constraints.append(("<", r.choice(counts), 2))
        return Clause(variables, constraints, body, more(c.head, counts) if c.head else None)
    return [(n, sorts + extra[n]) for n, sorts in predicates], [widen(c) for c in clauses]


def random_relation(r):
    """One or two predicates, and steps as translators write them: what is next is given under conditions that many parts share, in any
    nesting, of state, inputs and definitions; sometimes for too few cases, sometimes twice."""
    m = Maker(r)
    sorts = ["Bool"] * r.randint(1, 3) + ["Int"] * r.randint(1, 2)
    predicates = [("state", sorts)] + ([("other", sorts)] if r.random() < 0.3 else [])
    names = [f"x{i}" for i in range(len(sorts))]
    now, following = dict(zip(names, sorts)), {f"y{i}": s for i, s in enumerate(sorts)}

    def step(source, target):
        inputs = {f"x{10 + i}": r.choice(["Bool", "Bool", "Int"]) for i in range(r.randint(0, 2))}
        defined = {f"x{20 + i}": r.choice(["Bool", "Int"]) for i in range(r.randint(0, 2))}
        scope = {**now, **inputs}
        parts = [("=", n, m.of_sort(s, scope, 1)) for n, s in defined.items()]
        scope.update(defined)
        shared = [n for n, s in scope.items() if s == "Bool"] + [m.boolean(scope, 1) for _ in range(2)]

        def given(n, s, depth):
            c = r.choice(shared)
            if depth == 0 or r.random() < 0.25:
                return ("=", n, m.of_sort(s, scope, 1)) if s == "Int" or r.random() < 0.6 else n if r.random() < 0.5 else ("not", n)
            kind = r.randrange(5)
            if kind == 0:
                return ("ite", c, given(n, s, depth - 1), given(n, s, depth - 1))
            if kind == 1:
                return ("or", ("and", c, given(n, s, depth - 1)), ("and", ("not", c), given(n, s, depth - 1)))
            if kind == 2:
                return ("or", ("not", ("=", c, True)), given(n, s, depth - 1))
            return ("and", ("or", ("not", c), given(n, s, depth - 1)), ("or", c, given(n, s, depth - 1)))
        for n, s in following.items():
            parts += [given(n, s, 3) for _ in range(2 if r.random() < 0.15 else 1)]
        if r.random() < 0.4:  # a counter in bits: this place and the next
            c = r.choice(shared)
            parts.append(("=>", ("and", "x0", c), ("and", "y0" if r.random() < 0.5 else ("not", "y0"), ("=", f"y{len(sorts) - 1}", f"x{len(sorts) - 1}"))))
        r.shuffle(parts)
        hidden = [n for n in {**inputs, **defined} if r.random() < 0.3]
        return Clause({**scope, **following}, parts, (source, names), (target, list(following)), hidden)
    start = [("=", n, 0 if s == "Int" else r.random() < 0.5) for n, s in now.items() if r.random() < 0.9]
    clauses = [Clause(dict(now), start, None, ("state", names))]
    clauses += [step(r.choice(predicates)[0], r.choice(predicates)[0]) for _ in range(r.randint(1, 2))]
    clauses += [Clause(dict(now), [m.boolean(now, 2)], (r.choice(predicates)[0], names), None) for _ in range(r.randint(1, 2))]
    return predicates, clauses


def system_text(predicates, clauses):
    lines = ["(set-logic HORN)"]
    if any("E" in [*sorts] for _, sorts in predicates) or any("E" in c.variables.values() for c in clauses):
        lines.append("(declare-datatypes ((E 0)) ((" + " ".join(f"({v.name})" for v in Value) + ")))")
    lines += [f"(declare-fun {n} ({' '.join(s)}) Bool)" for n, s in predicates]
    return "\n".join(lines + [c.text() for c in clauses] + ["(check-sat)"]) + "\n"


def rules_text(predicates, clauses):
    """The same in Z3's rule dialect; variables are told apart by sort."""
    lines = [f"(declare-rel {n} ({' '.join(s)}))" for n, s in predicates] + ["(declare-rel fail ())"]
    rules, declared = [], {}
    for c in clauses:
        rename = {n: f"{n}_{s[0]}" for n, s in c.variables.items()}
        declared.update({rename[n]: s for n, s in c.variables.items()})
        inner = Clause(c.variables, c.constraints, c.body, c.head).text()
        inner = re.sub(r"^\(assert (?:\(forall \(.*?\)\) )?", "", inner) if c.variables else inner[len("(assert "):]
        inner = inner[:-2] if c.variables else inner[:-1]
        if not c.head:
            inner = inner[:-len("false)")] + "fail)"
        rules.append("(rule " + re.sub(r"\b[xy]\d+\b", lambda f, rename=rename: rename.get(f.group(0), f.group(0)), inner) + ")")
    return "\n".join(lines + [f"(declare-var {n} {s})" for n, s in declared.items()] + rules + ["(query fail)"]) + "\n"


def values_of(sort):
    return {"Int": SMALL, "Real": HALVES, "E": list(Value), "Bool": (False, True)}[sort]


def unrolling_refutes(clauses, most_work=60000):
    """True if a query is derived from small values."""
    known, new, work = set(), True, 0
    while new:
        new = False
        for c in clauses:
            spaces = [values_of(s) for s in c.variables.values()]
            bodies = itertools.product(*[sorted(k for k in known if k[0] == a[0]) for a in c.body])
            for body in bodies:
                fixed = {a: v for atom, k in zip(c.body, body) for a, v in zip(atom[1], k[1]) if isinstance(a, str)}
                free = [[fixed[n]] if n in fixed else space for n, space in zip(c.variables, spaces)]
                for choice in itertools.product(*free):
                    work += 1
                    if work > most_work:
                        return False
                    env = dict(zip(c.variables, choice))
                    if any(evaluate(a, env) != v for atom, k in zip(c.body, body) for a, v in zip(atom[1], k[1])):
                        continue
                    if not all(evaluate(x, env) for x in c.constraints):
                        continue
                    if not c.head:
                        return True
                    atom = (c.head[0], tuple(evaluate(a, env) for a in c.head[1]))
                    if atom not in known and all(isinstance(v, bool) or abs(v) < 50 for v in atom[1]):
                        known.add(atom)
                        new = True
    return False


def value(word):
    if isinstance(word, list):
        return -value(word[1]) if word[0] == "-" else value(word[1]) / value(word[2])
    if word in Value.__members__:
        return Value[word]
    return word == "true" if word in ("true", "false") else Fraction(word) if "." in word else int(word)


def derivation_holds(clauses, certificate):
    """The steps, computed by the evaluator of this file."""
    derived = []
    for step in parse(certificate):
        _, number, _, premises, values = step
        c = clauses[int(number) - 1]
        env = {n: False if s == "Bool" else 0 for n, s in c.variables.items()}
        env.update({n: value(v) for n, v in values})
        body = [(name, [evaluate(a, env) for a in arguments]) for name, arguments in c.body]
        if any(int(p) >= len(derived) for p in premises) or body != [derived[int(p)] for p in premises]:
            return False
        if not all(evaluate(x, env) for x in c.constraints):
            return False
        derived.append((c.head[0], [evaluate(a, env) for a in c.head[1]]) if c.head else "false")
    return derived[-1:] == ["false"]


def run(*words, seconds=20):
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None


def spacer(path):
    done = run("z3", "-T:2", path)
    word = done.stdout.split("\n")[0] if done else ""
    return word if word in ("sat", "unsat") else "unknown"


def complain(folder, name, content, why):
    os.makedirs(os.path.join(BUILD, "findings"), exist_ok=True)
    kept = write(os.path.join(BUILD, "findings"), name, content)
    raise AssertionError(f"{why}; kept in {kept}\n{content}")


def check_answer(folder, path, content, clauses, engine, limit, checkers):
    """What the engine says within the limit (an option and its value), once it is believed: models by these solvers, derivations by our own evaluator."""
    certificate = os.path.join(folder, "certificate")
    done = run(WHET, "verify", "--quiet", "--trace", "off", "--engine", engine, *limit, "--certificate", certificate, path, seconds=600)
    word = done.stdout.strip() if done else "none"
    if word not in ("sat", "unsat", "unknown") or done.returncode not in (0, 10, 20):
        complain(folder, "fuzz-crash.smt2", content, f"{engine}: {word!r} {done and done.returncode} {done and done.stderr}")
    if word == "sat":
        with open(certificate, encoding="utf-8") as f:
            model = f.read()
        for solver in checkers:
            if check_model(solver, content, model)[1]:
                complain(folder, "fuzz-model.smt2", content, f"{engine}: {solver} does not believe the model\n{model}")
    if word == "unsat":
        with open(certificate, encoding="utf-8") as f:
            derivation = f.read()
        if not derivation_holds(clauses, derivation):
            complain(folder, "fuzz-derivation.smt2", content, f"{engine}: the derivation does not hold\n{derivation}")
    return word


def check_certificate(path, certificate, word, *options):
    """What is wrong with it, or nothing: it is read and checked again. Another solver may not know, but must not find it wrong."""
    again = run(WHET, "check", *options, path, certificate, seconds=600)
    fine = again and (again.returncode == 0 and f": {word}" in again.stdout or options and again.returncode == 20)
    return None if fine else again


def check_again_with_cvc5(path, certificate, word):
    return check_certificate(path, certificate, word, "--solver", "cvc5") if "cvc5" in solvers() else None


def ask(folder, name, system, engines, limit, check_again, checkers=None, most_work=20000):
    """The answers of these engines, by engine, once they agree with each other and with all else that is known of the system; `name` is that of a finding. Models are
    given to `checkers`, or to all solvers that there are."""
    predicates, clauses = system
    content = system_text(predicates, clauses)
    path = write(folder, "a.smt2", content)
    refuted = unrolling_refutes(clauses, most_work)
    words = {"oracle": "unsat" if refuted else spacer(path) if "z3" in solvers() else "unknown"}
    for engine in engines:
        word = words[engine] = check_answer(folder, path, content, clauses, engine, limit, solvers() if checkers is None else checkers)
        if {"sat", "unsat"} <= set(words.values()):
            complain(folder, f"fuzz-{name}.smt2", content, f"{words}; the oracle is spacer, or the unrolling")
        wrong = check_again(path, os.path.join(folder, "certificate"), word) if word != "unknown" else None
        if wrong:
            complain(folder, f"fuzz-{name}-check.smt2", content, f"{engine}: checked again: {wrong}")
    return {engine: words[engine] for engine in engines}


def fuzz_of(name, make_system, engines, check_again):
    """A function that asks about random systems, one engine after the other. `make_system(random)` gives predicates and clauses;
    `check_again(path, certificate, word)` says what is wrong with the certificate, or nothing. It returns how often each answer was given."""
    def fuzz(folder, seed, rounds, limit=("--timeout", "1")):
        counts = {"sat": 0, "unsat": 0, "unknown": 0}
        for i in range(rounds):
            engine = engines[i % len(engines)]
            counts[ask(folder, f"{name}-{i}", make_system(random.Random(f"{name} {seed} {i}")), [engine], limit, check_again)[engine]] += 1
        return counts
    return fuzz


def fuzz_horn(folder, seed, rounds, seconds=1):
    counts = {"sat": 0, "unsat": 0, "unknown": 0}
    checkers = solvers() if rounds > ROUNDS else [s for s in solvers() if s == "z3"]
    for i in range(rounds):
        r = random.Random(f"{seed} {i}")
        predicates, clauses = (random_relation if i % 2 else random_system)(r)
        content = system_text(predicates, clauses)
        path = write(folder, "a.smt2", content)
        oracle = spacer(path) if checkers else "unknown"
        refuted = unrolling_refutes(clauses)
        if refuted and oracle == "sat":
            oracle = "unknown"
        word = check_answer(folder, path, content, clauses, ENGINES[i % len(ENGINES)], ("--timeout", str(seconds)), checkers)
        if refuted and word == "sat" or {word, oracle} == {"sat", "unsat"}:
            complain(folder, f"fuzz-{i}.smt2", content, f"{ENGINES[i % len(ENGINES)]}: {word}, spacer {oracle}, unrolling {refuted}")
        counts[word] += 1
        if i % 3 == 0:
            rules = rules_text(predicates, clauses)
            done = run(WHET, "verify", "--quiet", "--trace", "off", "--engine", "cegar", "--timeout", str(seconds), write(folder, "r.smt2", rules), seconds=600)
            other = done.stdout.strip() if done else "none"
            if other not in counts or {word, other} == {"sat", "unsat"}:
                complain(folder, f"fuzz-rules-{i}.smt2", rules, f"as rules {other}, as clauses {word}: {done and done.stderr}")
    return counts


TREE_ENGINES = ["auto", "spacer", "derive", "pdr", "cegar", "widen"]


def fuzz_trees(folder, seed, rounds, seconds=1, with_more=False):
    counts = {"sat": 0, "unsat": 0, "unknown": 0}
    checkers = [s for s in solvers() if s == "z3"]
    for i in range(rounds):
        r = random.Random(f"trees {seed} {i}")
        predicates, clauses = random_trees(r)
        if with_more:
            predicates, clauses = with_more_arguments(r, (predicates, clauses) if i % 2 else random_system(r))
        content, engine = system_text(predicates, clauses), TREE_ENGINES[i % len(TREE_ENGINES)]
        path = write(folder, "a.smt2", content)
        refuted = unrolling_refutes(clauses, 20000)
        word = check_answer(folder, path, content, clauses, engine, ("--timeout", str(seconds)), checkers)
        oracle = "unsat" if refuted else spacer(path) if checkers else "unknown"
        if {word, oracle} == {"sat", "unsat"}:
            complain(folder, f"fuzz-trees-{i}.smt2", content, f"{engine}: {word}, spacer and unrolling {oracle}")
        counts[word] += 1
    return counts


def random_vmt(r):
    """A system, and the same as clauses."""
    m = Maker(r)
    now = {f"x{i}": r.choice(["Int", "Int", "Bool"]) for i in range(r.randint(1, 3))}
    inputs = {"i0": "Int"} if r.random() < 0.5 else {}
    following = {n + "n": s for n, s in now.items()}
    init = [("=", n, r.randint(-1, 2) if s == "Int" else r.random() < 0.5) for n, s in now.items() if r.random() < 0.85]
    trans = [m.boolean({**now, **inputs}, 2) for _ in range(r.randint(0, 1))]
    trans += [(">=", "i0", -1), ("<=", "i0", 2)] if inputs else []
    for n, s in now.items():
        def one(n=n, s=s):
            return ("=", n + "n", m.of_sort(s, {**now, **inputs}, 2))
        trans.append(one() if r.random() < 0.7 else ("or", one(), ("and", m.boolean(now, 1), one())))
    properties = [m.boolean(now, 2) for _ in range(r.randint(1, 2))]
    lines = [f"(declare-fun {n} () {s})" for n, s in {**now, **following, **inputs}.items()]
    lines += [f"(define-fun .sv{i} () {s} (! {n} :next |{n}n|))" for i, (n, s) in enumerate(now.items())]
    join = lambda parts: "(and true " + " ".join(map(text, parts)) + ")"  # noqa: E731
    lines += [f"(define-fun .init () Bool (! {join(init)} :init true))", f"(define-fun .trans () Bool (! {join(trans)} :trans true))"]
    lines += [f"(define-fun .p{i} () Bool (! {text(p)} :invar-property {3 * i}))" for i, p in enumerate(properties)]
    state = ("state", list(now))
    clauses = [Clause(dict(now), init, None, state), Clause({**now, **following, **inputs}, trans, state, ("state", list(following)))]
    return "\n".join(lines) + "\n", list(now.values()), clauses, [Clause(dict(now), [("not", p)], state, None) for p in properties]


def fuzz_vmt(folder, seed, rounds, seconds=1):
    counts = {"SAFE": 0, "UNSAFE": 0, "UNKNOWN": 0}
    for i in range(rounds):
        r = random.Random(f"vmt {seed} {i}")
        content, sorts, steps, queries = random_vmt(r)
        done = run(WHET, "verify", "--quiet", "--trace", "off", "--engine", ENGINES[i % len(ENGINES)], "--timeout", str(seconds * len(queries)),
                   write(folder, "a.vmt", content), seconds=600)
        words = re.findall(r"^invar\d+: (SAFE|UNSAFE|UNKNOWN)", done.stdout if done else "", re.MULTILINE)
        if len(words) != len(queries):
            complain(folder, "fuzz-crash.vmt", content, f"{done and done.returncode} {done and done.stdout} {done and done.stderr}")
        for word, query in zip(words, queries):
            clauses = steps + [query]
            refuted = unrolling_refutes(clauses)
            oracle = spacer(write(folder, "b.smt2", system_text([("state", sorts)], clauses)))
            expected = "UNSAFE" if refuted or oracle == "unsat" else "SAFE" if oracle == "sat" else "UNKNOWN"
            if {word, expected} == {"SAFE", "UNSAFE"}:
                complain(folder, f"fuzz-{i}.vmt", content, f"{ENGINES[i % len(ENGINES)]}: {word}, spacer {oracle}, unrolling {refuted}")
            counts[word] += 1
    return counts


@case
def random_clauses(folder):
    counts = fuzz_horn(folder, 1, ROUNDS)
    assert counts["sat"] and counts["unsat"], counts


@case
def random_trees_of_clauses(folder):
    counts = fuzz_trees(folder, 1, max(ROUNDS, 2 * len(TREE_ENGINES)))  # each engine twice at least
    assert counts["sat"] and counts["unsat"], counts


@case
def random_clauses_with_needless_arguments(folder):
    counts = fuzz_trees(folder, 1, ROUNDS, with_more=True)
    assert counts["sat"] and counts["unsat"], counts


@case
def random_vmt_systems(folder):
    counts = fuzz_vmt(folder, 1, ROUNDS // 2)
    assert counts["SAFE"] and counts["UNSAFE"], counts


@case
def the_evaluator_agrees_with_z3(folder):
    """The oracle itself: random expressions have the value that z3 gives them."""
    if "z3" not in solvers():
        return
    r = random.Random(5)
    m = Maker(r)
    lines = []
    for _ in range(200):
        env = {"a": r.randint(-9, 9), "b": r.randint(-9, 9), "c": r.random() < 0.5}
        e = m.boolean({"a": "Int", "b": "Int", "c": "Bool"}, 3)
        bound = " ".join(f"({n} {text(v)})" for n, v in env.items())
        lines.append(f"(push)(assert (not (= {text(evaluate(e, env))} (let ({bound}) {text(e)}))))(check-sat)(pop)")
    done = subprocess.run(["z3", "-in"], input="\n".join(lines), capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["unsat"] * 200, done.stdout


if __name__ == "__main__":
    main_or_campaign(lambda place, seed, rounds: (fuzz_horn(place, seed, rounds), fuzz_vmt(place, seed, rounds // 2)))
