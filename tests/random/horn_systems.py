"""Random Horn clauses of every kind that the engines for clauses treat: several predicates in a body, reals, mixed sorts.

Each system is given to one engine and, if that is another one, to `derive`, which enumerates ground facts. Their answers are compared with each other, with Spacer (z3 as
a program) and with the enumeration of small facts in horn_random.py. Models are given to cvc5, derivations are computed again with exact fractions, and every
certificate is read and checked again with cvc5 as the solver. What an engine may spend is counted work, so that a seed gives the same answers on every machine.

    WHET_PROGRAM=build/whet python3 tests/random/horn_systems.py campaign KIND SEED FIRST COUNT      so many systems, from number FIRST on; KIND may be `all`
    WHET_PROGRAM=build/whet python3 tests/random/horn_systems.py print KIND SEED NUMBER              the text of one
"""
import collections
import os
import random
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from harness import SANITIZED, case, main  # noqa: E402
from clauses import solvers  # noqa: E402
from horn_random import Clause, Maker, ask, check_again_with_cvc5, random_clause, system_text  # noqa: E402
from horn_reals import RealMaker  # noqa: E402

ENGINES = ["auto", "spacer", "pdr", "cegar", "widen"]
LIMIT = ("--work", "100000")
ROUNDS = 8 if SANITIZED else 20
# Of each kind: who makes expressions, and the sorts of arguments.
KINDS = {"trees": (Maker, ["Int", "Int", "Int", "Bool"]), "reals": (RealMaker, ["Real"]), "mixed": (RealMaker, ["Real", "Real", "Int", "Int", "Bool"])}


def sum_clause(m, predicate):
    """What programs with calls have: the head is a sum of what several atoms of one predicate say, within a bound or without one."""
    r = m.r
    name, sorts = predicate
    rows = [[f"x{k}{i}" for i in range(len(sorts))] for k in range(r.choice([1, 2, 2, 3]))]
    head, constraints = [], []
    for i, s in enumerate(sorts):
        column = [row[i] for row in rows]
        head.append(("+", *column, m.constant(s)) if s != "Bool" and r.random() < 0.6 else r.choice(column))
    bounded = [v for v, s in zip(rows[0], sorts) if s != "Bool"]
    if bounded and r.random() < 0.5:
        v = r.choice(bounded)
        constraints.append((r.choice(["<=", ">=", "<"]), v, m.constant(sorts[rows[0].index(v)])))
    return Clause({v: s for row in rows for v, s in zip(row, sorts)}, constraints, [(name, row) for row in rows], (name, head))


def any_clauses(m, predicates):
    """Conditions of every shape; few of these systems have many facts."""
    r = m.r
    names = [n for n, _ in predicates]
    clauses = [random_clause(m, predicates, [], names[0])]
    clauses += [random_clause(m, predicates, [], r.choice(names)) for _ in range(r.randint(0, 1))]
    sums = r.choice([0, 1, 1, 2])
    clauses += [sum_clause(m, r.choice(predicates)) for _ in range(sums)]
    for _ in range(r.randint(not sums, 3 - sums)):
        clauses.append(random_clause(m, predicates, [r.choice(names) for _ in range(r.choice([1, 2, 2, 3]))], r.choice(names)))
    return clauses + [random_clause(m, predicates, [r.choice(names) for _ in range(r.choice([1, 1, 2]))], None) for _ in range(r.randint(1, 2))]


def growing_clauses(m, predicates):
    """Sums of sums, from small facts, so that there are facts without end; the query is about a linear form of one or two atoms, beyond what facts say."""
    r = m.r
    clauses = [Clause({}, [], [], (n, [m.constant(s) for s in sorts])) for n, sorts in predicates for _ in range(r.randint(1, 2))]
    clauses += [sum_clause(m, p) for p in predicates]
    for _ in range(r.randint(0, 1)):
        clauses.append(random_clause(m, predicates, [r.choice(predicates)[0] for _ in range(2)], r.choice(predicates)[0]))
    body, scope = [], {}
    for k in range(r.choice([1, 1, 2])):
        name, sorts = r.choice(predicates)
        row = {f"x{k}{i}": s for i, s in enumerate(sorts)}
        scope.update(row)
        body.append((name, list(row)))
    numbers = [v for v, s in scope.items() if s != "Bool"]
    form = [("*", r.choice([-2, -1, 1, 1, 2]), ("to_real", v) if scope[v] == "Int" and "Real" in scope.values() else v) for v in r.sample(numbers, min(len(numbers), 2))]
    bound = r.choice([r.randint(-9, -1), r.randint(-4, 12)])
    condition = (r.choice(["<=", "<", "=", ">="]), ("+", *form, 0), bound) if form else m.boolean(scope, 1) if scope else True
    return clauses + [Clause(scope, [condition], body, None)]


def random_system(r, kind):
    """One to three predicates, up to three atoms in a body."""
    maker, sorts = KINDS[kind]
    m = maker(r)
    predicates = [(n, [r.choice(sorts) for _ in range(r.randint(0 if i else 1, 2))]) for i, n in enumerate(["P", "Q", "R"][:r.randint(1, 3)])]
    return predicates, r.choice([any_clauses, growing_clauses])(m, predicates)


def system_of(kind, seed, number):
    return random_system(random.Random(f"{kind} {seed} {number}"), kind)


def fuzz(folder, kind, seed, first, count):
    """How often each engine gave each answer."""
    counts, others = collections.Counter(), [s for s in solvers() if s == "cvc5"]
    for i in range(first, first + count):
        engines = sorted({ENGINES[i % len(ENGINES)], "derive"})
        counts.update(ask(folder, f"{kind}-{seed}-{i}", system_of(kind, seed, i), engines, LIMIT, check_again_with_cvc5, others, 5000).items())
    return counts


def campaign(kind, seed, first, count):
    with tempfile.TemporaryDirectory() as folder:
        for one in KINDS if kind == "all" else [kind]:
            counts = fuzz(folder, one, seed, first, count)
            print(f"{one} {seed} {first} {count}: " + ", ".join(f"{engine} {word} {n}" for (engine, word), n in sorted(counts.items())), flush=True)


def answers(counts):
    return {word for _, word in counts}


@case
def random_trees(folder):
    assert answers(fuzz(folder, "trees", 1, 0, ROUNDS)) >= {"sat", "unsat"}


@case
def random_clauses_of_reals(folder):
    assert answers(fuzz(folder, "reals", 1, 0, ROUNDS)) >= {"sat", "unsat"}


@case
def random_clauses_of_mixed_sorts(folder):
    assert answers(fuzz(folder, "mixed", 1, 0, ROUNDS)) >= {"sat", "unsat"}


if __name__ == "__main__":
    if sys.argv[1:2] == ["campaign"] and len(sys.argv) == 6:
        campaign(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    elif sys.argv[1:2] == ["print"] and len(sys.argv) == 5:
        print(system_text(*system_of(sys.argv[2], sys.argv[3], int(sys.argv[4]))), end="")
    else:
        main()
