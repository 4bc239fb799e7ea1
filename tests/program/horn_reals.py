"""Horn clauses with reals: examples with their answers, and random small systems of mixed sorts.

Random systems are compared with Spacer and with the unrolling of horn_random.py over small fractions. Models are given to z3 and cvc5, derivations
are computed again with exact fractions, and every certificate is read and checked again with cvc5 as the solver.

    WHET_PROGRAM=build/whet python3 tests/program/horn_reals.py --rounds 1000 [--seed 7]      for a campaign
"""
import argparse
import os
import random
import sys
from fractions import Fraction

from harness import BUILD, SANITIZED, case, equal, main, whet, write
from clauses import judge, solvers
from horn_random import Maker, check_answer, complain, random_clause, spacer, system_text, unrolling_refutes

ROUNDS = 6 if SANITIZED else 24
ENGINES = ["auto", "spacer", "derive", "kind", "pdr"]


class RealMaker(Maker):
    def fraction(self):
        return Fraction(self.r.randint(-4, 6), self.r.choice([1, 1, 2, 2, 3]))

    def real(self, scope, depth):
        r = self.r
        names = [n for n, s in scope.items() if s == "Real"]
        if depth == 0 or r.random() < 0.35:
            return r.choice(names) if names and r.random() < 0.7 else self.fraction()
        kind = r.randrange(8)
        if kind < 4:
            return (r.choice("+-"), self.real(scope, depth - 1), self.real(scope, depth - 1))
        if kind == 4:
            return ("*", self.fraction(), self.real(scope, depth - 1))
        if kind == 5:
            return ("ite", self.boolean(scope, depth - 1), self.real(scope, depth - 1), self.real(scope, depth - 1))
        if kind == 6:
            return ("/", self.real(scope, depth - 1), r.choice([Fraction(2), Fraction(-3, 2)]))
        return ("to_real", self.integer(scope, depth - 1))

    def integer(self, scope, depth):
        if depth and self.r.random() < 0.12 and "Real" in scope.values():
            return ("to_int", self.real(scope, depth - 1))
        return super().integer(scope, depth)

    def boolean(self, scope, depth):
        r = self.r
        if "Real" in scope.values() and r.random() < 0.45:
            if depth and r.random() < 0.06:
                return ("is_int", self.real(scope, depth - 1))
            deeper = max(0, depth - 1)
            return (r.choice(["<", "<=", ">", ">=", "=", "distinct"]), self.real(scope, deeper), self.real(scope, deeper))
        return super().boolean(scope, depth)

    def of_sort(self, sort, scope, depth):
        return self.real(scope, depth) if sort == "Real" else super().of_sort(sort, scope, depth)

    def constant(self, sort):
        return self.fraction() if sort == "Real" else super().constant(sort)


def random_system(r):
    """Bodies of up to two atoms; every second system is linear."""
    m = RealMaker(r)
    sorts = ["Real", "Real", "Real", "Int", "Bool"]
    predicates = [(n, [r.choice(sorts) for _ in range(r.randint(0, 2))]) for n in ["P", "Q", "R"][:r.randint(1, 3)]]
    predicates[0] = ("P", ["Real"] + predicates[0][1])
    names = [n for n, _ in predicates]
    widest = r.choice([1, 2])
    clauses = [random_clause(m, predicates, [], r.choice(names[:2])) for _ in range(r.randint(1, 2))]
    clauses += [random_clause(m, predicates, [r.choice(names) for _ in range(r.randint(1, widest))], r.choice(names)) for _ in range(r.randint(1, 4))]
    clauses += [random_clause(m, predicates, [r.choice(names)], None) for _ in range(r.randint(1, 2))]
    return predicates, clauses


def fuzz(folder, seed, rounds, seconds=1):
    counts = {"sat": 0, "unsat": 0, "unknown": 0}
    certificate = os.path.join(folder, "certificate")
    for i in range(rounds):
        predicates, clauses = random_system(random.Random(f"reals {seed} {i}"))
        content, engine = system_text(predicates, clauses), ENGINES[i % len(ENGINES)]
        path = write(folder, "a.smt2", content)
        refuted = unrolling_refutes(clauses, 20000)
        word = check_answer(folder, path, content, clauses, engine, seconds, solvers())
        oracle = "unsat" if refuted else spacer(path) if "z3" in solvers() else "unknown"
        if {word, oracle} == {"sat", "unsat"}:
            complain(folder, f"fuzz-reals-{i}.smt2", content, f"{engine}: {word}, spacer and unrolling {oracle}")
        if word != "unknown" and "cvc5" in solvers():
            again = whet("check", "--solver", "cvc5", path, certificate)
            if f": {word}" not in again.out and again.status != 20:
                complain(folder, f"fuzz-reals-check-{i}.smt2", content, f"{engine}: checked again with cvc5: {again}")
        counts[word] += 1
    return counts


@case
def random_clauses_of_mixed_sorts(folder):
    counts = fuzz(folder, 1, ROUNDS)
    assert counts["sat"] and counts["unsat"], counts


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].startswith("--"):
        parser = argparse.ArgumentParser()
        parser.add_argument("--rounds", type=int, default=100)
        parser.add_argument("--seed", default="1")
        given = parser.parse_args()
        place = os.path.join(BUILD, "findings")
        os.makedirs(place, exist_ok=True)
        print(fuzz(place, given.seed, given.rounds))
    else:
        main()
