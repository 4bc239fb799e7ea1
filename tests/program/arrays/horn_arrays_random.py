"""Random Horn systems with arrays that are read and written within a small range, against the same systems with a number for each cell.

Models are given to z3 and cvc5, which have to believe them or say nothing; derivations are computed again here, with arrays as maps.

    WHET_PROGRAM=build/whet python3 tests/program/arrays/horn_arrays_random.py [--rounds 1000] [--seed 7]      for a campaign
"""
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import SANITIZED, WHET, case, main_or_campaign, whet, write
from clauses import check_model, parse, solvers
from horn_random import complain, run, spacer

CELLS = 3
ROUNDS = 6 if SANITIZED else 24
ENGINES = ["auto", "spacer", "cells", "walk"]
ELEMENT = {"A": "Int", "B": "Bool"}
SORT = {"A": "(Array Int Int)", "B": "(Array Int Bool)", "Int": "Int", "Bool": "Bool"}


class Maker:
    """Expressions: words, numbers, truth values or tuples (operator, ..); indices are numbers, or variables that the clause keeps within range."""

    def __init__(self, r, variables):
        self.r, self.variables, self.indices = r, variables, set()

    def names(self, sort):
        return [n for n, s in self.variables.items() if s == sort]

    def index(self):
        names = self.names("Int")
        if not names or self.r.random() < 0.4:
            return self.r.randrange(CELLS)
        self.indices.add(self.r.choice(names))
        return sorted(self.indices)[self.r.randrange(len(self.indices))]

    def array(self, sort, depth):
        r, names = self.r, self.names(sort)
        kind = r.random()
        if depth and kind < 0.6:
            return ("store", self.array(sort, depth - 1), self.index(), self.of_sort(ELEMENT[sort], depth - 1))
        if depth and kind < 0.7:
            return ("ite", self.boolean(depth - 1), self.array(sort, depth - 1), self.array(sort, depth - 1))
        if names and kind < 0.95:
            return r.choice(names)
        return ("const", sort, r.randint(-1, 2) if sort == "A" else r.random() < 0.5)

    def integer(self, depth):
        r, names = self.r, self.names("Int")
        kind = r.random()
        if depth and kind < 0.35 and (self.names("A") or kind < 0.05):
            return ("select", self.array("A", depth - 1), self.index())
        if depth and kind < 0.6:
            return (r.choice("+-"), self.integer(depth - 1), self.integer(depth - 1))
        return r.choice(names) if names and r.random() < 0.7 else r.randint(-1, 3)

    def boolean(self, depth):
        r, names = self.r, self.names("Bool")
        kind = r.random()
        if depth and kind < 0.2 and self.names("B"):
            return ("select", self.array("B", depth - 1), self.index())
        if depth and kind < 0.4:
            return (r.choice(["and", "or", "xor"]), self.boolean(depth - 1), self.boolean(depth - 1))
        if names and kind < 0.6:
            return r.choice(names)
        return (r.choice(["<", "<=", "=", "distinct"]), self.integer(depth), self.integer(depth))

    def of_sort(self, sort, depth):
        return self.array(sort, depth) if sort in ELEMENT else self.integer(depth) if sort == "Int" else self.boolean(depth)


class Clause:
    def __init__(self, variables, constraints, body, head):
        self.variables, self.constraints, self.body, self.head = variables, constraints, body, head


def random_clause(r, predicates, body, head):
    variables, constraints, atoms = {}, [], []
    for one in body:
        arguments = []
        for sort in predicates[one]:
            arguments.append(f"x{len(variables)}")
            variables[arguments[-1]] = sort
        atoms.append((one, arguments))
    if not body or r.random() < 0.3:
        variables[f"x{len(variables)}"] = r.choice(["Int", "A", "Int", "B"])
    m = Maker(r, dict(variables))
    constraints += [m.boolean(2) for _ in range(r.randint(0 if head else 1, 2))]
    arguments = []
    for sort in predicates[head] if head else []:
        value = m.of_sort(sort, 2)
        if r.random() < 0.5:
            name = f"y{len(variables)}"
            variables[name] = sort
            constraints.append(("=", name, value))
            value = name
        arguments.append(value)
    constraints += [part for i in sorted(m.indices) for part in (("<=", 0, i), ("<", i, CELLS))]
    r.shuffle(constraints)
    return Clause(variables, constraints, atoms, (head, arguments) if head else None)


def random_system(r):
    names = ["P", "Q"][:r.randint(1, 2)]
    predicates = {n: [r.choice(["A", "A", "B"])] + [r.choice(["Int", "Int", "A", "B", "Bool"]) for _ in range(r.randint(0, 2))] for n in names}
    clauses = [random_clause(r, predicates, [], r.choice(names)) for _ in range(r.randint(1, 2))]
    clauses += [random_clause(r, predicates, [r.choice(names) for _ in range(r.choice([1, 1, 1, 2]))], r.choice(names)) for _ in range(r.randint(1, 3))]
    return predicates, clauses + [random_clause(r, predicates, [r.choice(names)], None) for _ in range(r.randint(1, 2))]


# ---- with arrays ----


def text(e):
    if isinstance(e, bool):
        return "true" if e else "false"
    if isinstance(e, int):
        return str(e) if e >= 0 else f"(- {-e})"
    if isinstance(e, str):
        return e
    if e[0] == "const":
        return f"((as const {SORT[e[1]]}) {text(e[2])})"
    return "(" + " ".join([e[0]] + [text(x) for x in e[1:]]) + ")"


def clause_text(c, variables, say):
    parts = [f"({n} {' '.join(y for a in arguments for y in say(a))})" for n, arguments in c.body] + [y for x in c.constraints for y in say(x)]
    head = f"({c.head[0]} {' '.join(y for a in c.head[1] for y in say(a))})" if c.head else "false"
    inner = f"(=> (and true {' '.join(parts)}) {head})"
    return f"(assert (forall ({' '.join(f'({n} {s})' for n, s in variables)}) {inner}))" if variables else f"(assert {inner})"


def system_text(predicates, clauses):
    lines = ["(set-logic HORN)"] + [f"(declare-fun {n} ({' '.join(SORT[s] for s in sorts)}) Bool)" for n, sorts in predicates.items()]
    return "\n".join(lines + [clause_text(c, [(n, SORT[s]) for n, s in c.variables.items()], lambda e: [text(e)]) for c in clauses] + ["(check-sat)"]) + "\n"


# ---- the same without ----


def cell(array, index):
    """The element of an array, which is a list of expressions, at an index."""
    if isinstance(index, int):
        return array[index]
    value = array[-1]
    for i in range(CELLS - 2, -1, -1):
        value = ("ite", ("=", index, i), array[i], value)
    return value


def expanded(e, variables):
    """The expression without arrays; of an array the list of its cells."""
    if isinstance(e, str):
        return [f"{e}_{i}" for i in range(CELLS)] if variables[e] in ELEMENT else e
    if not isinstance(e, tuple):
        return e
    if e[0] == "const":
        return [e[2]] * CELLS
    v = [expanded(x, variables) for x in e[1:]]
    if e[0] == "select":
        return cell(v[0], v[1])
    if e[0] == "store":
        return [(v[2] if v[1] == i else x) if isinstance(v[1], int) else ("ite", ("=", v[1], i), v[2], x) for i, x in enumerate(v[0])]
    if e[0] == "ite" and isinstance(v[1], list):
        return [("ite", v[0], a, b) for a, b in zip(v[1], v[2])]
    if e[0] == "=" and isinstance(v[0], list):
        return ("and", *[("=", a, b) for a, b in zip(v[0], v[1])])
    return (e[0], *v)


def expanded_text(predicates, clauses):
    lines = ["(set-logic HORN)"]
    for n, sorts in predicates.items():
        lines.append(f"(declare-fun {n} ({' '.join(s for sort in sorts for s in ([ELEMENT[sort]] * CELLS if sort in ELEMENT else [sort]))}) Bool)")
    for c in clauses:
        def say(e, c=c):
            e = expanded(e, c.variables)
            return [text(x) for x in e] if isinstance(e, list) else [text(e)]
        variables = [(v, ELEMENT.get(s, s)) for n, s in c.variables.items() for v in ([f"{n}_{i}" for i in range(CELLS)] if s in ELEMENT else [n])]
        lines.append(clause_text(c, variables, say))
    return "\n".join(lines + ["(check-sat)"]) + "\n"


# ---- derivations ----


def stored(array, index, value):
    default, cells = array
    cells = {**dict(cells), index: value}
    return default, frozenset((i, v) for i, v in cells.items() if v != default)


def evaluate(e, env):
    if not isinstance(e, (str, tuple)):
        return e
    if isinstance(e, str):
        return env[e]
    if e[0] == "const":
        return e[2], frozenset()
    v = [evaluate(x, env) for x in e[1:]]
    return {"select": lambda: dict(v[0][1]).get(v[1], v[0][0]), "store": lambda: stored(*v), "ite": lambda: v[1] if v[0] else v[2],
            "+": lambda: v[0] + v[1], "-": lambda: v[0] - v[1], "and": lambda: v[0] and v[1], "or": lambda: v[0] or v[1], "xor": lambda: v[0] != v[1],
            "<": lambda: v[0] < v[1], "<=": lambda: v[0] <= v[1], "=": lambda: v[0] == v[1], "distinct": lambda: v[0] != v[1]}[e[0]]()


def value(word):
    if isinstance(word, list) and word[0] == "store":
        return stored(value(word[1]), value(word[2]), value(word[3]))
    if isinstance(word, list):
        return -value(word[1]) if word[0] == "-" else (value(word[1]), frozenset())
    return word == "true" if word in ("true", "false") else int(word)


def derivation_holds(clauses, certificate):
    derived = []
    for _, number, _, premises, values in parse(certificate):
        c = clauses[int(number) - 1]
        env = {n: (False if s == "B" else 0, frozenset()) if s in ELEMENT else False if s == "Bool" else 0 for n, s in c.variables.items()}
        env.update({n: value(v) for n, v in values})
        if [(n, [env[a] for a in arguments]) for n, arguments in c.body] != [derived[int(p)] for p in premises if int(p) < len(derived)]:
            return False
        if not all(evaluate(x, env) for x in c.constraints):
            return False
        derived.append((c.head[0], [evaluate(a, env) for a in c.head[1]]) if c.head else "false")
    return derived[-1:] == ["false"]


# ---- the campaign ----


def check_evidence(folder, content, clauses, path, certificate, word):
    with open(certificate, encoding="utf-8") as f:
        evidence = f.read()
    if whet("check", path, certificate).status != 0:
        complain(folder, "arrays-check.smt2", content, f"not accepted again\n{evidence}")
    for solver in solvers() if word == "sat" else []:
        if check_model(solver, content, evidence)[1]:
            complain(folder, "arrays-model.smt2", content, f"{solver} does not believe the model\n{evidence}")
    if word == "unsat" and not derivation_holds(clauses, evidence):
        complain(folder, "arrays-derivation.smt2", content, f"the derivation does not hold\n{evidence}")


def fuzz(folder, seed, rounds, work=400000):
    counts = {"sat": 0, "unsat": 0, "unknown": 0}
    for i in range(rounds):
        predicates, clauses = random_system(random.Random(f"arrays {seed} {i}"))
        content, engine, certificate = system_text(predicates, clauses), ENGINES[i % len(ENGINES)], os.path.join(folder, "certificate")
        path, other = write(folder, "a.smt2", content), write(folder, "e.smt2", expanded_text(predicates, clauses))
        done = run(WHET, "verify", "--quiet", "--trace", "off", "--engine", engine, "--work", str(work), "--certificate", certificate, path, seconds=600)
        word = done.stdout.strip() if done else "none"
        if word not in counts or done.returncode not in (0, 10, 20):
            complain(folder, "arrays-crash.smt2", content, f"{engine}: {word!r} {done and done.returncode} {done and done.stderr}")
        expected = run(WHET, "verify", "--quiet", "--trace", "off", "--work", str(work), other, seconds=600)
        oracles = [expected.stdout.strip() if expected else "none"] + ([spacer(other)] if "z3" in solvers() else [])
        if any({word, oracle} == {"sat", "unsat"} for oracle in oracles):
            complain(folder, f"arrays-{i}.smt2", content, f"{engine}: {word}, cell by cell {oracles}")
        if word != "unknown":
            check_evidence(folder, content, clauses, path, certificate, word)
        counts[word] += 1
    return counts


@case
def against_cell_by_cell(folder):
    counts = fuzz(folder, 3, ROUNDS)
    assert counts["sat"] and counts["unsat"], counts


if __name__ == "__main__":
    main_or_campaign(fuzz)
