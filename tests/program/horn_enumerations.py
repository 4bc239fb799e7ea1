"""Horn clauses with an enumeration: what is printed and read again, and random small systems of mixed sorts.

Random systems are compared with Spacer and with the unrolling of horn_random.py over all values. Models are given to z3 and cvc5, derivations are computed again, and
every certificate is read and checked again.

    WHET_PROGRAM=build/whet python3 tests/program/horn_enumerations.py --rounds 1000 [--seed 7]      for a campaign
"""
import os
import random

from harness import SANITIZED, case, equal, whet, write
from clauses import solvers
from horn_random import Maker, Value, check_answer, complain, random_clause, main_or_campaign, spacer, system_text, unrolling_refutes

ROUNDS = 8 if SANITIZED else 30
ENGINES = ["auto", "spacer", "derive", "kind", "pdr", "cegar", "explicit", "widen", "alpha", "syntactic"]


class ValueMaker(Maker):
    def value(self, scope, depth):
        r = self.r
        names = [n for n, s in scope.items() if s == "E"]
        if depth and r.random() < 0.3:
            return ("ite", self.boolean(scope, depth - 1), self.value(scope, depth - 1), self.value(scope, depth - 1))
        return r.choice(names) if names and r.random() < 0.6 else r.choice(list(Value))

    def boolean(self, scope, depth):
        r = self.r
        if "E" in scope.values() and r.random() < 0.5:
            deeper = max(0, depth - 1)
            kind = r.randrange(4)
            if kind == 0:
                return ("is-" + r.choice(list(Value)).name, self.value(scope, deeper))
            return ("distinct" if kind == 1 else "=", *(self.value(scope, deeper) for _ in range(r.choice([2, 2, 3]) if kind == 1 else 2)))
        return super().boolean(scope, depth)

    def of_sort(self, sort, scope, depth):
        return self.value(scope, depth) if sort == "E" else super().of_sort(sort, scope, depth)

    def constant(self, sort):
        return self.r.choice(list(Value)) if sort == "E" else super().constant(sort)


def random_system(r):
    """Bodies of up to two atoms; every second system is linear."""
    m = ValueMaker(r)
    predicates = [(n, [r.choice(["E", "E", "Int", "Bool"]) for _ in range(r.randint(0, 2))]) for n in ["P", "Q", "R"][:r.randint(1, 3)]]
    predicates[0] = ("P", ["E"] + predicates[0][1])
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
        predicates, clauses = random_system(random.Random(f"enumerations {seed} {i}"))
        content, engine = system_text(predicates, clauses), ENGINES[i % len(ENGINES)]
        path = write(folder, "a.smt2", content)
        refuted = unrolling_refutes(clauses, 20000)
        word = check_answer(folder, path, content, clauses, engine, seconds, solvers())
        oracle = "unsat" if refuted else spacer(path) if "z3" in solvers() else "unknown"
        if {word, oracle} == {"sat", "unsat"}:
            complain(folder, f"fuzz-enumerations-{i}.smt2", content, f"{engine}: {word}, spacer and unrolling {oracle}")
        if word != "unknown":
            again = whet("check", path, certificate)
            if again.status != 0 or f": {word}" not in again.out:
                complain(folder, f"fuzz-enumerations-check-{i}.smt2", content, f"{engine}: checked again: {again}")
        counts[word] += 1
    return counts


SWITCH = """(declare-datatypes ((Switch 0)) (((off) (|half on|) (on))))
(declare-fun at (Switch Int) Bool)
(assert (at off 0))
(assert (forall ((s Switch) (n Int)) (=> (at s n) (at (ite (= s off) |half on| on) (+ n 1)))))
"""


@case
def derivations_have_the_names(folder):
    path = write(folder, "a.smt2", SWITCH + "(assert (forall ((s Switch) (n Int)) (=> (at s n) (not (= s on)))))\n")
    result = whet("verify", path)
    equal([line.split("  line")[0].split()[1:] for line in result.out.splitlines()[1:-1]], [["(at", "off", "0)"], ["(at", "|half", "on|", "1)"], ["(at", "on", "2)"]], result)


@case
def models_have_the_sorts(folder):
    path = write(folder, "a.smt2", SWITCH + "(assert (forall ((s Switch) (n Int)) (=> (at s n) (or (= s on) (< n 2)))))\n")
    result = whet("verify", path, "--model")
    assert result.out.startswith("sat\n(define-fun at ((|at.s| Switch) (|at.n| Int)) Bool") and "(= |at.s| |half on|)" in result.out, result


@case
def models_of_others_are_read(folder):
    path = write(folder, "a.smt2", SWITCH + "(assert (forall ((s Switch) (n Int)) (=> (at s n) (or (= s on) (< n 2)))))\n")
    right = "(define-fun at ((s Switch) (n Int)) Bool (and (>= n 0) (=> ((_ is off) s) (= n 0)) (=> (is-|half on| s) (= n 1))))"
    for model, status in ((right.replace("(is-|half on| s)", "((_ is |half on|) s)"), 0), (right.replace("(is-|half on| s)", "(= s off)"), 10)):
        result = whet("check", path, write(folder, "m", model))
        assert (result.status == 0) == (status == 0) and result.status != 2, result


@case
def random_systems(folder):
    counts = fuzz(folder, 1, ROUNDS)
    assert counts["sat"] and counts["unsat"], counts


if __name__ == "__main__":
    main_or_campaign(fuzz)
