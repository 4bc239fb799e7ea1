"""Clauses with arrays of any length through the program: what is read, what it answers, and whether others believe it."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import EXAMPLES, case, equal, main, whet, write
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

# Of these there is no proof without quantifiers: name, clauses, answer
QUANTIFIED = [
    ("initialisation", """(declare-fun P ((Array Int Int) Int Int) Bool) (declare-fun Q ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (P a 0 n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (j Int) (n Int)) (=> (and (P a i n) (< i n) (= b (store a i 42)) (= j (+ i 1))) (P b j n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (P a i n) (>= i n)) (Q a 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (Q a i n) (< i n)) (Q a (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (Q a i n) (< i n) (distinct (select a i) 42)) false)))""", "sat"),
    ("a copy", """(declare-fun P ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (P a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int)) (=> (and (P a b i n) (< i n)) (P a (store b i (select a i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (k Int)) (=> (and (P a b i n) (>= i n) (<= 0 k) (< k n) (distinct (select a k) (select b k))) false)))""", "sat"),
    ("the largest element", """(declare-fun P ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (P a 1 (select a 0) n))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (n Int)) (=> (and (P a i m n) (< i n)) (P a (+ i 1) (ite (> (select a i) m) (select a i) m) n))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (n Int) (k Int)) (=> (and (P a i m n) (>= i n) (<= 0 k) (< k n) (> (select a k) m)) false)))""", "sat"),
    ("booleans", """(declare-fun P ((Array Int Bool) Int) Bool) (assert (forall ((a (Array Int Bool))) (P a 0)))
(assert (forall ((a (Array Int Bool)) (i Int)) (=> (P a i) (P (store a i true) (+ i 1)))))
(assert (forall ((a (Array Int Bool)) (i Int) (k Int)) (=> (and (P a i) (<= 0 k) (< k i) (not (select a k))) false)))""", "sat"),
    ("reals", """(declare-fun P ((Array Int Real) Int) Bool) (assert (forall ((a (Array Int Real))) (P a 0)))
(assert (forall ((a (Array Int Real)) (i Int) (x Real)) (=> (and (P a i) (< 0.5 x)) (P (store a i x) (+ i 1)))))
(assert (forall ((a (Array Int Real)) (i Int) (k Int)) (=> (and (P a i) (<= 0 k) (< k i) (<= (select a k) 0.5)) false)))""", "sat"),
    ("equal arrays", """(declare-fun P ((Array Int Int) (Array Int Int) Int) Bool) (assert (forall ((a (Array Int Int))) (P a a 0)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (P a b i) (P (store a i (select b (+ i 1))) (store b i (select a (+ i 1))) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (and (P a b i) (not (= a b))) false)))""", "sat"),
    ("ascending, which takes two cells", """(declare-fun P ((Array Int Int) Int Int) Bool) (assert (forall ((a (Array Int Int)) (m Int)) (P a 0 m)))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (x Int)) (=> (and (P a i m) (<= m x)) (P (store a i x) (+ i 1) x))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (j Int) (k Int)) (=> (and (P a i m) (<= 0 j) (< j k) (< k i) (> (select a j) (select a k))) false)))""", "sat"),
    ("initialisation, wrong", """(declare-fun P ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (P a 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (P a i n) (< i n)) (P (store a i 42) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int)) (=> (and (P a i n) (>= i n) (<= 0 k) (<= k n) (distinct (select a k) 42)) false)))""", "unsat"),
    ("a copy, wrong", """(declare-fun P ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (=> (> n 2) (P a b 0 n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int)) (=> (and (P a b i n) (< i n)) (P a (store b i (select a (- n i))) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (k Int)) (=> (and (P a b i n) (>= i n) (<= 0 k) (< k n) (distinct (select a k) (select b k))) false)))""", "unsat"),
]

# name, clauses, place and message
NESTED = [
    ("a matrix row by row", """(declare-fun P ((Array Int (Array Int Int)) Int Int Int) Bool) (declare-fun Q ((Array Int (Array Int Int)) Int Int Int Int) Bool)
(assert (forall ((a (Array Int (Array Int Int))) (n Int) (m Int)) (P a 0 n m)))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (n Int) (m Int)) (=> (and (P a i n m) (< i n)) (Q a i FIRST n m))))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (j Int) (n Int) (m Int)) (=> (and (Q a i j n m) (< j m)) (Q (store a i (store (select a i) j 7)) i (+ j 1) n m))))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (j Int) (n Int) (m Int)) (=> (and (Q a i j n m) (>= j m)) (P a (+ i 1) n m))))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (n Int) (m Int) (r Int) (c Int)) (=> (and (P a i n m) (>= i n) (<= 0 r) (< r n) (<= 0 c) (< c m) (distinct (select (select a r) c) 7)) false)))""", "FIRST", "0", "1"),
    ("rows that are copied", """(declare-fun P ((Array Int (Array Int Real)) (Array Int (Array Int Real)) Int Int) Bool)
(assert (forall ((a (Array Int (Array Int Real))) (b (Array Int (Array Int Real))) (n Int)) (P a b 0 n)))
(assert (forall ((a (Array Int (Array Int Real))) (b (Array Int (Array Int Real))) (row (Array Int Real)) (i Int) (n Int)) (=> (and (P a b i n) (< i n) (= row (select a FROM))) (P a (store b i row) (+ i 1) n))))
(assert (forall ((a (Array Int (Array Int Real))) (b (Array Int (Array Int Real))) (i Int) (n Int) (r Int) (c Int)) (=> (and (P a b i n) (>= i n) (<= 0 r) (< r n) (distinct (select (select a r) c) (select (select b r) c))) false)))""", "FROM", "i", "(- i 1)"),
    ("constant arrays and booleans", """(declare-fun P ((Array Int (Array Int Bool)) Int) Bool)
(assert (P ((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) false)) 0))
(assert (forall ((a (Array Int (Array Int Bool))) (i Int)) (=> (P a i) (P (store a i (store (select a i) COLUMN true)) (+ i 1)))))
(assert (forall ((a (Array Int (Array Int Bool))) (i Int) (r Int)) (=> (and (P a i) (select (select a r) 5)) false)))""", "COLUMN", "(- (- 1) i)", "(+ i 4)"),
    ("three indices", """(declare-fun P ((Array Int (Array Int (Array Int Int))) Int) Bool)
(assert (forall ((a (Array Int (Array Int (Array Int Int))))) (=> (= (select (select (select a 1) 2) 3) 4) (P a 0))))
(assert (forall ((a (Array Int (Array Int (Array Int Int)))) (i Int)) (=> (P a i) (P (store a i (store (select a i) 2 (store (select (select a i) 2) THIRD 5))) (+ i 1)))))
(assert (forall ((a (Array Int (Array Int (Array Int Int)))) (i Int)) (=> (and (P a i) (distinct (select (select (select a 1) 2) 3) 4)) false)))""", "THIRD", "9", "3"),
]

ERRORS = [
    ("by reals", "(declare-fun P ((Array Real Int)) Bool)", "1:17: error: the sort (Array Real Int) is not supported; whet supports only Int, Real and Bool, and arrays of these by Int"),
    ("five indices", "(declare-fun P ((Array Int (Array Int (Array Int (Array Int (Array Int Int)))))) Bool)", "1:17: error: the sort (Array Int (Array Int (Array Int (Array .. is not supported"),
    ("of arrays by others", "(declare-fun P ((Array Int (Array Bool Int))) Bool)", "1:17: error: the sort (Array Int (Array Bool Int)) is not supported"),
    ("a row of another sort", "(declare-fun P ((Array Int (Array Int Int))) Bool)\n(assert (forall ((a (Array Int Bool))) (P ((as const (Array Int (Array Int Int))) a))))", "error"),
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
    for i, (name, text, expected) in enumerate(TEXTS + QUANTIFIED):
        path, certificate = write(folder, f"t{i}.smt2", text), os.path.join(folder, f"c{i}")
        result = whet("verify", path, "--quiet", "--trace", "off", "--work", "4000000", "--certificate", certificate)
        equal(result.out.strip(), expected, f"{name}: {result}")
        if expected == "unknown":
            continue
        for options in [[], ["--solver", "cvc5 --incremental"]] if "cvc5" in solvers() else [[]]:
            equal(whet("check", path, certificate, *options).status, 0, f"{name} {options}")
        if expected == "sat":
            assert_model(text, certificate, name)
        other = write(folder, f"o{i}.smt2", (TEXTS + QUANTIFIED)[i - 1][1])
        assert whet("check", other, certificate).status != 0, name


@case
def examples_and_their_wrong_twins(folder):
    for name in ("array-fill", "array-copy", "array-largest", "array-ascending", "array-flags", "array-bubble", "array-search", "array-ring"):
        for twin, expected in ((name, "sat"), (name + "-wrong", "unsat")):
            path, certificate = os.path.join(EXAMPLES, twin + ".smt2"), os.path.join(folder, twin)
            result = whet("verify", path, "--quiet", "--trace", "off", "--work", "4000000", "--certificate", certificate)
            equal(result.out.strip(), expected, f"{twin}: {result}")
            equal(whet("check", path, certificate).status, 0, twin)


@case
def proofs_by_cells(folder):
    """Formulas for any index, which others believe, and no verdict if cells do not show enough."""
    for i, (name, text, expected) in enumerate(TEXTS + QUANTIFIED):
        path, certificate = write(folder, f"t{i}.smt2", text), os.path.join(folder, f"c{i}")
        result = whet("verify", path, "--quiet", "--trace", "off", "--engine", "cells", "--work", "2000000", "--certificate", certificate)
        equal(result.out.strip(), expected if expected == "sat" else "unknown", f"{name}: {result}")
        if expected != "sat":
            continue
        equal(whet("check", path, certificate).status, 0, name)
        assert_model(text, certificate, name)
        with open(certificate, encoding="utf-8") as f:
            content = f.read()
        equal("(forall ((" in content, i >= len(TEXTS) or "(forall ((" in content, name)


@case
def more_cells_are_shown_as_iterations(folder):
    text = next(text for name, text, _ in QUANTIFIED if "two cells" in name)
    result = whet("verify", write(folder, "t.smt2", text), "--engine", "cells", "--work", "4000000", "--json", "-")
    answers = [(i["cells"], i["answer"]) for i in json.loads(result.out)["properties"][0]["iterations"]]
    equal(answers, [(1, "more cells"), (2, "safe")], result)


@case
def quantified_models_are_checked(folder):
    """What is read of a formula for any index, and what is not accepted."""
    text = QUANTIFIED[3][1]
    path, head = write(folder, "t.smt2", text), "(define-fun P ((a (Array Int Bool)) (i Int)) Bool "
    for formula, status, message in [
            ("(forall ((k Int)) (=> (and (<= 0 k) (< k i)) (select a k))))", 0, ""),
            ("(forall ((k Int) (l Int)) (or (< k 0) (>= k i) (select a k) (and (select a l) (not (select a l))))))", 0, ""),
            ("(forall ((k Int)) (=> (and (< 0 k) (< k i)) (select a k))))", 20, "not known to be valid"),
            ("(forall ((k Int)) (=> (and (<= 0 k) (<= k i)) (select a k))))", 20, "not known to be valid"),
            ("(forall ((k Bool)) k))", 2, "an index is of sort Int"),
            ("(exists ((k Int)) (select a k)))", 2, "unknown operator exists"),
            ("(and true (forall ((k Int)) (select a k))))", 2, "unknown operator forall"),
            ("(forall ((k Int)) (select a true)))", 2, "wrong sorts for select"),
            ("(forall ((k Int)) (select k a)))", 2, "wrong sorts for select"),
            ("(= a ((as const (Array Int Int)) 0)))", 2, "wrong sorts for ="),
            ("(= a ((as const (Array Int Bool)) 0)))", 2, "wrong sorts for Bool"),
            ("(= a (store a i 1)))", 2, "wrong sorts for store"),
            ("(forall ((k Int)) (select a (div k i))))", 20, "divides by what may be 0"),
            ("(forall ((k Int)) (select b k)))", 2, "unknown symbol b")]:
        result = whet("check", path, write(folder, "c", head + formula))
        equal(result.status, status, f"{formula}: {result}")
        assert message in result.out + result.err, f"{formula}: {result}"
    equal(whet("check", path, write(folder, "c", "(define-fun P ((a (Array Int Int)) (i Int)) Bool true)")).status, 2)


@case
def arrays_of_arrays(folder):
    """They are proved for all indices, wrong twins are refuted; both are checked again from their files."""
    for i, (name, text, word, right, wrong) in enumerate(NESTED):
        for value, expected in ((right, "sat"), (wrong, "unsat")):
            path, certificate = write(folder, f"n{i}{expected}.smt2", text.replace(word, value)), os.path.join(folder, "c")
            result = whet("verify", path, "--quiet", "--certificate", certificate)
            equal(result.out.splitlines()[0], expected, f"{name}: {result}")
            equal(whet("check", path, certificate).status, 0, name)


THREE = """(declare-fun P ((Array Int Int) Int) Bool)
(assert (forall ((x Int)) (P ((as const (Array Int Int)) x) 0)))
(assert (forall ((a (Array Int Int)) (i Int) (k Int)) (=> (P a i) (P (store a i (select a k)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (x Int)) (=> (and (P a i) (<= i 0)) (P (store a 5 x) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (k Int) (l Int)) (=> (and (P a i) (distinct (select a j) (select a k) (select a l))) false)))"""


@case
def three_cells_if_two_are_too_few(folder):
    """An array has at most two values: that takes three cells to say."""
    path, certificate = write(folder, "t.smt2", THREE), os.path.join(folder, "c")
    result = whet("verify", path, "--engine", "cells", "--work", "20000000", "--certificate", certificate, "--json", "-")
    iterations = json.loads(result.out)["properties"][0]["iterations"]
    equal((iterations[-1]["cells"], iterations[-1]["answer"]), (3, "safe"), result)
    assert (2, "more cells") in [(i["cells"], i["answer"]) for i in iterations], result
    equal(whet("check", path, certificate).status, 0)
    equal(whet("verify", write(folder, "w.smt2", THREE.replace(" (select a l))", ")")), "--quiet").out.splitlines()[0], "unsat")


@case
def wrong_definitions_over_two_indices(folder):
    path = write(folder, "t.smt2", NESTED[2][1].replace("COLUMN", NESTED[2][3]))
    head = "(define-fun P ((a (Array Int (Array Int Bool))) (i Int)) Bool "
    for formula, status, message in [
            ("(forall ((r Int) (c Int)) (and (>= i 0) (or (< c 0) (not (select (select a r) c))))))", 0, ""),
            ("(forall ((r Int) (c Int)) (and (>= i 0) (or (> c 5) (not (select (select a r) c))))))", 20, "unsure: the clause at line 3"),
            ("(forall ((r Int) (c Int)) (select a r)))", 2, ""),
            ("(forall ((r Int) (c Int)) (select (select (select a r) c) r)))", 2, "wrong sorts for select"),
            ("(= a ((as const (Array Int (Array Int Bool))) false)))", 2, "wrong sorts for Bool"),
            ("(= a ((as const (Array Int Bool)) false)))", 2, "wrong sorts for =")]:
        result = whet("check", path, write(folder, "c", head + formula))
        equal(result.status, status, f"{formula}: {result}")
        assert message in result.out + result.err, f"{formula}: {result}"
    equal(whet("check", path, write(folder, "c", "(define-fun P ((a (Array Int Bool)) (i Int)) Bool true)")).status, 2)
    path, certificate = write(folder, "w.smt2", NESTED[2][1].replace("COLUMN", NESTED[2][4])), os.path.join(folder, "c")
    equal(whet("verify", path, "--quiet", "--certificate", certificate).out.splitlines()[0], "unsat")
    with open(certificate, encoding="utf-8") as f:
        content = f.read()
    for old, new in (("((as const (Array Int Bool)) false)", "false"), ("((as const (Array Int Bool)) false)", "0"), (" true)", " false)"),
                     ("(as const (Array Int (Array Int Bool)))", "(as const (Array Int Bool))")):
        assert old in content, (old, content)
        result = whet("check", path, write(folder, "w", content.replace(old, new)))
        assert result.status != 0 and "accepted" not in result.out, f"{new}: {result}"


@case
def wrong_derivations_with_arrays(folder):
    path = write(folder, "t.smt2", TEXTS[3][1])
    certificate = os.path.join(folder, "c")
    equal(whet("verify", path, "--quiet", "--certificate", certificate).out.splitlines()[0], "unsat")
    with open(certificate, encoding="utf-8") as f:
        content = f.read()
    equal(whet("check", path, certificate).status, 0)
    for old, new in ((" true)", " false)"), ("(as const (Array Int Bool)) false", "(as const (Array Int Bool)) true"), ("((as const (Array Int Bool)) false)", "7"),
                     ("(as const (Array Int Bool)) false", "(as const (Array Int Bool)) 3"), ("(store ", "(select "), ("const (Array Int", "const (Array Bool"), ("false)", "")):
        assert old in content, (old, content)
        result = whet("check", path, write(folder, "w", content.replace(old, new)))
        assert result.status in (1, 2, 10, 20) and "accepted" not in result.out, f"{new}: {result}"
        assert result.status != 0, f"{new}: {result}"


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
def writes_to_any_depth_are_read(folder):
    times = 30000
    text = ("(declare-fun P ((Array Int Int)) Bool)\n(assert (forall ((a (Array Int Int))) (P " + "(store " * times + "a" + "".join(f" {i} {i % 7})" for i in range(times))
            + ")))\n(assert (forall ((a (Array Int Int))) (=> (and (P a) (= (select a 9) 8)) false)))")
    result = whet("verify", write(folder, "t.smt2", text), "--engine", "spacer")
    equal(result.status, 20, result)
    assert "a formula is too deep for the solver" in result.err, result


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
