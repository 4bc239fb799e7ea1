"""Horn clauses with reals: examples with their answers, and random small systems of mixed sorts.

Random systems are compared with Spacer and with the unrolling of horn_random.py over small fractions. Models are given to z3 and cvc5, derivations
are computed again with exact fractions, and every certificate is read and checked again with cvc5 as the solver.

    WHET_PROGRAM=build/whet python3 tests/program/horn_reals.py --rounds 1000 [--seed 7]      for a campaign
"""
import os
import re
import subprocess
from fractions import Fraction

from harness import SANITIZED, case, equal, main_or_campaign, whet, write
from clauses import SOLVERS, assert_model, check_model, solvers
from horn_random import Maker, check_again_with_cvc5, fuzz_of, random_mixed_system

ROUNDS = 6 if SANITIZED else 24
ENGINES = ["auto", "spacer", "derive", "kind", "pdr", "widen", "cegar"]


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
    return random_mixed_system(RealMaker(r), ["Real", "Real", "Real", "Int", "Bool"], "Real")


fuzz = fuzz_of("reals", random_system, ENGINES, check_again_with_cvc5)

GROWS = """(declare-fun P (Real Int) Bool) (assert (P 0.0 0))
(assert (forall ((x Real) (k Int)) (=> (and (P x k) (< x 3.2)) (P (+ x (/ 1 2)) (+ k 1)))))"""
EXAMPLES = [
    ("a bound that is met", GROWS + "(assert (forall ((x Real) (k Int)) (=> (P x k) (< x 3.5))))", "unsat"),
    ("a bound that is not met", GROWS + "(assert (forall ((x Real) (k Int)) (=> (P x k) (<= x 3.5))))", "sat"),
    ("an integer and a real", GROWS + "(assert (forall ((x Real) (k Int)) (=> (P x k) (= (to_real k) (* 2.0 x)))))", "sat"),
    ("between integers there are reals", "(declare-fun P (Real) Bool) (assert (forall ((x Real)) (=> (and (< 0.0 x) (< x 1.0)) (P x)))) (assert (forall ((x Real)) (not (P x))))", "unsat"),
    ("between integers there are no integers", "(declare-fun P (Int) Bool) (assert (forall ((x Int)) (=> (and (< 0.0 (to_real x)) (< (to_real x) 1.0)) (P x)))) (assert (forall ((x Int)) (not (P x))))", "sat"),
    ("strict and not strict", "(declare-fun P (Real) Bool) (assert (forall ((x Real)) (=> (< x 1) (P x)))) (assert (forall ((x Real)) (=> (and (P x) (>= x 1)) false)))", "sat"),
    ("strict is not rounded", "(declare-fun P (Real) Bool) (assert (forall ((x Real)) (=> (< x 1) (P x)))) (assert (forall ((x Real)) (=> (and (P x) (> x 0)) false)))", "unsat"),
    ("listed numbers are no range", "(declare-fun Q (Real) Bool) (assert (Q 0.0)) (assert (forall ((x Real)) (=> (and (Q x) (<= x (/ 4.0 3.0))) (Q (+ x 1.0))))) (assert (forall ((x Real)) (=> (Q x) (> x (- 8)))))", "sat"),
    ("halving never comes to 0", "(declare-fun P (Real) Bool) (assert (P 1.0)) (assert (forall ((x Real)) (=> (P x) (P (/ x 2.0))))) (assert (forall ((x Real)) (=> (P x) (> x 0))))", "sat"),
    ("rounding", GROWS + "(assert (forall ((x Real) (k Int)) (=> (and (P x k) (is_int x)) (= (* 2 (to_int (+ x 0.4))) k))))", "sat"),
    ("rounding down, below 0", "(declare-fun P (Real) Bool) (assert (P (- 0.5))) (assert (forall ((x Real)) (=> (P x) (= (to_int x) 0))))", "unsat"),
    ("an integer where a real is wanted", """(declare-fun P (Real) Bool) (declare-fun Q (Int) Bool) (assert (P 0.5)) (assert (P 3.0))
(assert (forall ((k Int)) (=> (P (to_real k)) (Q k)))) (assert (forall ((k Int)) (=> (Q k) (= k 3))))""", "sat"),
    ("an integer as a real", """(declare-fun P (Real) Bool) (assert (P 0.5)) (assert (P 3.0)) (assert (forall ((k Int)) (not (P (to_real k)))))""", "unsat"),
    ("two in a body", """(declare-fun P (Real) Bool) (declare-fun Q (Real) Bool) (assert (P 0.25)) (assert (Q 0.5))
(assert (forall ((x Real) (y Real)) (=> (and (P x) (Q y) (< x y)) (P (+ x y))))) (assert (forall ((x Real) (y Real)) (=> (and (P x) (Q y) (> x (* 2 y))) false)))""", "sat"),
    ("an argument that is a sum and that nobody reads", """(declare-fun P (Int) Bool) (declare-fun Q (Real) Bool) (declare-fun R (Real Real) Bool)
(assert (forall ((y0 Int)) (=> (= y0 (- 1)) (P y0)))) (assert (forall ((y0 Int)) (=> (= y0 0) (P y0)))) (assert (forall ((x00 Int)) (=> (P x00) (P x00))))
(assert (forall ((x00 Real) (x01 Real) (x10 Real) (x11 Real)) (=> (and (R x00 x01) (R x10 x11)) (R x00 (+ x01 x11 (- 1.0))))))
(assert (forall ((x0 Int)) (=> (and (P x0) (not (and (distinct x0 x0) (<= x0 x0)))) false)))""", "unsat"),
]


@case
def examples_have_their_answers(folder):
    certificate = os.path.join(folder, "certificate")
    for name, content, expected in EXAMPLES:
        path = write(folder, "a.smt2", content + "\n")
        result = whet("verify", "--quiet", "--trace", "off", "--timeout", "60", "--certificate", certificate, path)
        equal(result.out.strip(), expected, f"{name}: {result}")
        listed = whet("verify", "--quiet", "--trace", "off", "--engine", "derive", "--work", "200000", path)
        assert listed.out.strip() in (expected, "unknown") and listed.status != 1, f"{name}: {listed}"
        equal(whet("check", path, certificate).status, 0, name)
        if expected == "sat":
            assert_model(content, certificate, name)
        for engine in ("spacer", "kind", "pdr", "derive", "cegar"):
            word = whet("verify", "--quiet", "--trace", "off", "--work", "60000", "--engine", engine, path).out.strip()
            assert word in (expected, "unknown"), f"{name}, {engine}: {word}"


@case
def induction_over_several_steps_is_a_model(folder):
    """The property alone is inductive only over two steps: what is printed says from where no bad state is a step away, also for steps with a choice."""
    content = """(declare-fun P (Int Int {sort}) Bool) (assert (P 0 1 {zero}))
(assert (forall ((a Int) (b Int) (x {sort})) (=> (P a b x) (P b a (- {one} x)))))
(assert (forall ((a Int) (b Int) (x {sort}) (i Int)) (=> (and (P a b x) (< 3 i) (distinct i b)) (P b i x))))
(assert (forall ((a Int) (b Int) (x {sort})) (=> (and (P a b x) (= a 2)) false)))"""
    for sort, zero, one in (("Int", "0", "1"), ("Real", "0.0", "1.0")):
        text = content.format(sort=sort, zero=zero, one=one)
        result = whet("verify", "--quiet", "--engine", "kind", "--model", write(folder, "a.smt2", text))
        equal(result.out.split("\n")[0], "sat", result)
        for solver in solvers():
            equal(check_model(solver, text, result.out.split("\n", 1)[1])[1:], (0, 0), f"{solver}\n{result}")


@case
def engines_of_integers_say_so(folder):
    path = write(folder, "a.smt2", EXAMPLES[0][1])
    for engine in ("explicit", "alpha", "fbar", "fbar-sym", "invuni", "syntactic", "cgr", "cgr-dual"):
        result = whet("verify", "--engine", engine, path)
        equal(result.status, 20, engine)
        assert f"engine {engine} does not treat reals" in result.err, result
    for command in ("quotient", "abstract", "invariants"):
        equal(whet(command, path).status, 2, command)


@case
def systems_are_shown_and_read_again(folder):
    def shown_lines(of):
        """Conjuncts of `init` in one order: the bounds of types move when they are read."""
        return [" && ".join(sorted(line[5:].split(" && "))) if line.startswith("init ") else line for line in whet("show", of).out.split("\n")[1:]]
    for name, content, expected in EXAMPLES:
        path = write(folder, "a.smt2", content + "\n")
        shown = whet("show", path)
        if "several predicates" in shown.err:
            equal(shown.status, 2, name)
            continue
        copy = write(folder, "a.whet", shown.out)
        equal(shown_lines(copy), shown_lines(path), name)
        verdict = whet("verify", "--quiet", "--trace", "off", "--timeout", "60", copy)
        assert f": {'SAFE' if expected == 'sat' else 'UNSAFE'}" in verdict.out, f"{name}: {verdict}\n{shown.out}"


@case
def spacer_is_first_on_clauses(folder):
    """Also if passes have made the system smaller, which is then made from no clauses."""
    for _, content, _ in EXAMPLES[:3]:
        done = whet("verify", "-v", "--timeout", "60", write(folder, "a.smt2", content))
        assert "there are reals, so the order is spacer" in done.err, done


@case
def wrong_evidence_is_rejected(folder):
    content = "(declare-fun P (Real) Bool) (assert (forall ((x Real)) (=> (< x 1.0) (P x)))) (assert (forall ((x Real)) (=> (and (P x) (>= x 1.0)) false)))"
    path = write(folder, "a.smt2", content)
    for formula, is_right in (("(< x 1.0)", True), ("(not (<= 1 x))", True), ("(< (* 3.0 x) 3)", True), ("(<= x 0.0)", False), ("(<= x 1.0)", False), ("(<= x (/ 999 1000))", False)):
        model = write(folder, "model", f"(define-fun P ((x Real)) Bool {formula})")
        equal(whet("check", path, model).status, 0 if is_right else 10, formula)
    integers = write(folder, "b.smt2", "(declare-fun P (Int) Bool) (declare-fun R (Real) Bool)\n(assert (forall ((k Int)) (=> (and (< 0 k) (< k 3)) (P k))))\n(assert (forall ((k Int)) (=> (and (P k) (distinct k 1) (distinct k 2)) false)))")
    for value, word in (("(/ 3.0 2.0)", "rejected"), ("1.5", "rejected"), ("2", "rejected"), ("(/ 1 0)", "division by 0")):
        derivation = write(folder, "derivation", f"; whet derivation 2\n(step 1 (P {value}) () ((k {value})))\n(step 2 false (0) ((k {value})))\n")
        result = whet("check", integers, derivation)
        assert result.status != 0 and word in result.out + result.err, f"{value}: {result}"


def votes(relays, tolerated):
    """A value goes to relays, some of which are wrong, and from them to one that takes what most of them say."""
    names = [f"v{i}" for i in range(relays)]
    bits = [f"b{i}" for i in range(relays)]
    declared = "(n Int) (s Real) " + " ".join(f"({v} Real)" for v in names) + " " + " ".join(f"({b} Bool)" for b in bits) + " (r Real)"
    wrong = "(+ " + " ".join(f"(ite {b} 1 0)" for b in bits) + ")"
    says = lambda w: "(+ " + " ".join(f"(ite (= {v} {w}) 1 0)" for v in names) + ")"
    most = "(or " + " ".join(f"(and (= r {v}) (> (* 2 {says(v)}) {relays}))" for v in names) + ")"
    p = f"(P {{}} s {' '.join(names)} {' '.join(bits)} {{}})"
    sent = "(and " + " ".join(f"(or {b} (= {v} s))" for v, b in zip(names, bits)) + ")"
    return f"""(declare-fun P (Int Real {'Real ' * relays}{'Bool ' * relays}Real) Bool)
(assert (forall ({declared}) (=> (<= {wrong} {tolerated}) {p.format(0, 'r')})))
(assert (forall ({declared} {' '.join(f'(o{v} Real)' for v in names)}) (=> (and (P 0 s {' '.join('o' + v for v in names)} {' '.join(bits)} r) {sent}) {p.format(1, 'r')})))
(assert (forall ({declared} (o Real)) (=> (and {p.format(1, 'o')} {most}) {p.format(2, 'r')})))
(assert (forall ({declared}) (=> (and {p.format(2, 'r')} (<= {wrong} {tolerated}) (distinct r s)) false)))
"""


@case
def induction_over_steps_is_evidence(folder):
    path, certificate = write(folder, "votes.smt2", votes(5, 2)), os.path.join(folder, "certificate")
    result = whet("verify", "--engine", "kind", "--certificate", certificate, path)
    equal(result.out.strip(), "sat", result)
    with open(certificate, encoding="utf-8") as f:
        content = f.read()
    assert content.startswith("; whet k-inductive interpretation 1\n"), content[:200]
    for solver in solvers():
        done = subprocess.run(SOLVERS[solver], input="(set-logic ALL)\n" + content, capture_output=True, text=True, check=False)
        words = set(done.stdout.split())
        equal(words, {"unsat"}, solver)
    assert "accepted" in whet("check", path, certificate).out
    of_depth = lambda depth: write(folder, "other", re.sub(":whet-depth [0-9]+", f":whet-depth {depth}", content))
    equal(whet("check", path, of_depth(4)).status, 0)
    assert "rejected: holds of what is derived" in whet("check", path, of_depth(1)).out
    too_many = whet("verify", "--engine", "kind", write(folder, "many.smt2", votes(3, 2)))
    assert too_many.out.startswith("unsat"), too_many


@case
def fractions_are_shown(folder):
    result = whet("verify", write(folder, "a.smt2", EXAMPLES[0][1]))
    assert "(P 7/2 7)" in result.out, result
    assert '"7/2"' in whet("verify", "--json", "-", write(folder, "a.smt2", EXAMPLES[0][1])).out


@case
def random_clauses_of_mixed_sorts(folder):
    counts = fuzz(folder, 1, ROUNDS)
    assert counts["sat"] and counts["unsat"], counts


if __name__ == "__main__":
    main_or_campaign(fuzz)
