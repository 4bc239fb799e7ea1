"""Horn clauses with an enumeration: what is printed and read again, and random small systems of mixed sorts.

Random systems are compared with Spacer and with the unrolling of horn_random.py over all values. Models are given to z3 and cvc5, derivations are computed again, and
every certificate is read and checked again.

    WHET_PROGRAM=build/whet python3 tests/program/horn_enumerations.py --rounds 1000 [--seed 7]      for a campaign
"""
from harness import SANITIZED, case, equal, main_or_campaign, whet, write
from horn_random import Maker, Value, check_certificate, fuzz_of, random_mixed_system

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
    return random_mixed_system(ValueMaker(r), ["E", "E", "Int", "Bool"], "E")


fuzz = fuzz_of("enumerations", random_system, ENGINES, check_certificate)

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
