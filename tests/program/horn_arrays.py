"""Clauses with arrays of any length through the program: what is read, what it answers, and whether others believe it."""
import os

from harness import case, equal, main, whet, write
from clauses import assert_model, solvers

# name, clauses, answer
TEXTS = [
    ("one cell", """(declare-fun P ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 3) 7) (P a 0))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a i) (distinct i 3)) (P (store a i 1) (+ i 2)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a i) (distinct (select a 3) 7)) false)))""", "sat"),
    ("one cell, wrong", """(declare-fun P ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 3) 7) (P a 0))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a i) (distinct i 4)) (P (store a i 1) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a i) (distinct (select a 3) 7)) false)))""", "unsat"),
    ("booleans", """(declare-fun P ((Array Int Bool)) Bool) (assert (P ((as const (Array Int Bool)) false)))
(assert (forall ((a (Array Int Bool)) (i Int)) (=> (and (P a) (> i 0)) (P (store a i (not (select a i)))))))
(assert (forall ((a (Array Int Bool))) (=> (and (P a) (select a 0)) false)))""", "sat"),
    ("booleans, wrong", """(declare-fun P ((Array Int Bool)) Bool) (assert (P ((as const (Array Int Bool)) false)))
(assert (forall ((a (Array Int Bool)) (i Int)) (=> (and (P a) (>= i 0)) (P (store a i (not (select a i)))))))
(assert (forall ((a (Array Int Bool))) (=> (and (P a) (select a 0) (select a 5)) false)))""", "unsat"),
    ("reals", """(declare-fun P ((Array Int Real)) Bool) (assert (P ((as const (Array Int Real)) 0.5)))
(assert (forall ((a (Array Int Real)) (x Real)) (=> (and (P a) (> x 0.0)) (P (store a 1 (+ x (select a 1)))))))
(assert (forall ((a (Array Int Real))) (=> (and (P a) (<= (select a 1) 0.25)) false)))""", "sat"),
    ("reals, wrong", """(declare-fun P ((Array Int Real)) Bool) (assert (P ((as const (Array Int Real)) 0.5)))
(assert (forall ((a (Array Int Real)) (x Real)) (=> (and (P a) (> x 0.0)) (P (store a 1 (+ x (select a 1)))))))
(assert (forall ((a (Array Int Real))) (=> (and (P a) (= (select a 1) 0.75)) false)))""", "unsat"),
    ("equal arrays", """(declare-fun P ((Array Int Int) (Array Int Int)) Bool) (assert (forall ((a (Array Int Int))) (P a a)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (P a b) (P (store a i 1) (store b i 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (P a b) (not (= a b))) false)))""", "sat"),
    ("equal arrays, wrong", """(declare-fun P ((Array Int Int) (Array Int Int)) Bool) (assert (forall ((a (Array Int Int))) (P a a)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (P a b) (P (store a i 1) (store b i 2)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (P a b) (not (= a b))) false)))""", "unsat"),
    ("a choice of arrays", """(declare-fun P ((Array Int Int) Bool) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c Bool)) (=> (= (select a 0) 1) (P (ite c a (store b 0 1)) c))))
(assert (forall ((a (Array Int Int)) (c Bool)) (=> (and (P a c) (distinct (select a 0) 1)) false)))""", "sat"),
    ("two predicates in a body", """(declare-fun P ((Array Int Int)) Bool) (declare-fun Q (Int) Bool) (assert (P ((as const (Array Int Int)) 0))) (assert (Q 2))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a) (Q i)) (and (P (store a i i)) (Q (+ i 1))))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a) (distinct (select a 4) 0)) false)))""", "unsat"),
    ("a declared array", """(declare-fun c () (Array Int Int)) (declare-fun P (Int) Bool) (assert (=> (> (select c 0) 3) (P (select c 0))))
(assert (forall ((x Int)) (=> (and (P x) (<= x 3)) false)))""", "sat"),
    ("a declared array, of which nothing follows", """(declare-fun c () (Array Int Int)) (declare-fun P (Int) Bool) (assert (P (select c 0)))
(assert (forall ((x Int)) (=> (and (P x) (distinct x (select c 1))) false)))""", "unknown"),
    ("no query", "(declare-fun P ((Array Int Int)) Bool) (assert (forall ((a (Array Int Int))) (P a)))", "sat"),
    ("rules", """(declare-rel P ((Array Int Int) Int)) (declare-rel bad ()) (declare-var a (Array Int Int)) (declare-var i Int)
(rule (P ((as const (Array Int Int)) 1) 0)) (rule (=> (P a i) (P (store a i 0) (+ i 1)))) (rule (=> (and (P a i) (= (select a 2) 0) (= (select a 3) 1)) bad)) (query bad)""",
     "unsat"),
]

# name, clauses, place and message
ERRORS = [
    ("by reals", "(declare-fun P ((Array Real Int)) Bool)", "1:17: error: the sort (Array Real Int) is not supported; whet supports only Int, Real and Bool, and arrays of these by Int"),
    ("of arrays", "(declare-fun P ((Array Int (Array Int Int))) Bool)", "1:17: error: the sort (Array Int (Array Int Int)) is not supported"),
    ("a variable", "(declare-fun P (Int) Bool)\n(assert (forall ((a (Array Bool Int))) (P (select a true))))", "2:1: error: the variable `a` is of sort (Array Bool Int)"),
    ("a constant", "(declare-fun P (Int) Bool)\n(assert (P (select ((as const (Array Bool Int)) 0) true)))", "2:1: error: an expression of a sort other than Int, Real, Bool and arrays"),
    ("several indices", "(declare-fun P ((Array Int Int Int)) Bool)", "1:17: error: the sort (Array Int Int Int) is not supported"),
    ("functions", "(declare-fun f (Int) (Array Int Int))", "1:14: error: `f` is a function"),
    ("of another value", "(declare-fun P ((Array Int Int)) Bool)\n(assert (P ((as const (Array Int Int)) true)))", "error"),
    ("select declared", "(declare-fun select (Int) Bool)", "1:14: error: `select` is a symbol of SMT-LIB's own"),
    ("map", "(declare-fun P ((Array Int Int)) Bool)\n(assert (forall ((a (Array Int Int))) (P ((_ map (- (Int Int) Int)) a a))))", "2:1: error: "),
    ("a quantifier in a body", "(declare-fun P ((Array Int Int)) Bool)\n(assert (forall ((a (Array Int Int))) (=> (forall ((i Int)) (= (select a i) 0)) (P a))))", "2:1: error: `forall` to the left of an implication is not supported"),
]


@case
def answers(folder):
    for i, (name, text, expected) in enumerate(TEXTS):
        path, certificate = write(folder, f"t{i}.smt2", text), os.path.join(folder, f"c{i}")
        result = whet("verify", path, "--quiet", "--trace", "off", "--certificate", certificate)
        equal(result.out.strip(), expected, f"{name}: {result}")
        if expected == "unknown":
            continue
        for options in [[], ["--solver", "cvc5 --incremental"]] if "cvc5" in solvers() else [[]]:
            equal(whet("check", path, certificate, *options).status, 0, f"{name} {options}")
        if expected == "sat":
            assert_model(text, certificate, name)
        other = write(folder, f"o{i}.smt2", TEXTS[i - 1][1])
        assert whet("check", other, certificate).status != 0, name


@case
def refused_by_name_and_place(folder):
    for i, (name, text, message) in enumerate(ERRORS):
        result = whet("verify", write(folder, f"e{i}.smt2", text))
        equal(result.status, 2, name)
        assert message in result.err, f"{name}: {result.err}"
    result = whet("verify", write(folder, "a.vmt", "(declare-fun a () (Array Int Int))"))
    equal(result.status, 2)
    assert "the sort (Array Int Int) is not supported" in result.err, result


@case
def engines_that_do_not_treat_them(folder):
    path = write(folder, "t.smt2", TEXTS[0][1])
    for engine in ("pdr", "derive", "cegar", "kind", "explicit"):
        result = whet("verify", path, "--engine", engine)
        equal(result.status, 20, result)
        assert f"engine {engine} does not treat arrays of any length" in result.err, result
    for command in ("show", "simulate", "quotient", "abstract", "invariants"):
        equal(whet(command, path).status, 2, command)


@case
def arrays_of_a_derivation_are_shown_as_maps(folder):
    result = whet("verify", write(folder, "t.smt2", TEXTS[-1][1]), "--quiet")
    equal(result.out.splitlines()[0], "unsat")
    assert "[0: 0, else 1]" in result.out and "[0: 0, 1: 0, 2: 0, else 1]" in result.out, result


if __name__ == "__main__":
    main()
