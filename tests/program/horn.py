"""Horn clauses through the program: what is read, what it answers, and whether others believe it."""
import os
import re

from harness import SANITIZED, Skip, case, equal, main, whet, write
from clauses import assert_model, check_model, solvers

BENCH = os.environ.get("WHET_BENCH")

COUNTER = """(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int) (x1 Int) (y1 Int))
  (=> (and (inv x y) (< x 10) (= x1 (+ x 1)) (= y1 (+ y 2))) (inv x1 y1))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (not (= y (* 2 x)))) false)))
(check-sat)
"""

# name, clauses, answer
TEXTS = [
    ("counter", COUNTER, "sat"),
    ("counter-wrong", COUNTER.replace("(* 2 x)", "(* 3 x)"), "unsat"),
    ("two predicates", """(declare-fun P (Int) Bool) (declare-fun |Q 2| (Int Int) Bool)
(assert (P 0)) (assert (forall ((x Int)) (=> (P x) (|Q 2| x (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (|Q 2| y x) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))""", "sat"),
    ("terms as arguments of the body", """(declare-fun P (Int Int) Bool) (assert (P 4 2))
(assert (forall ((x Int)) (=> (P (+ x x) x) (P (- x 7) 0))))
(assert (forall ((x Int)) (=> (and (P x 0) (< x (- 5))) false)))""", "sat"),
    ("terms as arguments of the body, wrong", """(declare-fun P (Int Int) Bool) (assert (P 4 2))
(assert (forall ((x Int)) (=> (P (+ x x) x) (P (- x 7) 0))))
(assert (forall ((x Int)) (=> (and (P x 0) (< x (- 4))) false)))""", "unsat"),
    ("repeated variables", """(declare-fun P (Int Int) Bool)
(assert (forall ((x Int)) (P x x))) (assert (forall ((x Int) (y Int)) (=> (P x y) (P (+ x 1) (+ 1 y)))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (distinct x y)) false)))""", "sat"),
    ("repeated variables in the body", """(declare-fun P (Int Int) Bool) (declare-fun Q (Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (> x y) (P x y)))) (assert (forall ((x Int)) (=> (P x x) (Q x))))
(assert (forall ((x Int)) (=> (Q x) false)))""", "sat"),
    ("quantifiers over values that equations fix", """(declare-fun P (Int) Bool) (declare-fun Q (Int Int) Bool) (assert (P 0))
(assert (forall ((x Int)) (=> (and (P x) (< x 5)) (exists ((y Int) (z Int)) (and (= y (+ x 1)) (Q z y) (= z (* 2 y)))))))
(assert (forall ((x Int)) (=> (forall ((y Int)) (=> (= y (* 2 x)) (Q y x))) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (forall ((a Int)) (or (not (= a (+ x 1))) (> a 6)))) false)))""", "sat"),
    ("quantifiers over values that equations fix, wrong", """(declare-fun P (Int) Bool) (declare-fun Q (Int Int) Bool) (assert (P 0))
(assert (forall ((x Int)) (=> (and (P x) (< x 5)) (exists ((y Int) (z Int)) (and (= y (+ x 1)) (Q z y) (= z (* 2 y)))))))
(assert (forall ((x Int)) (=> (forall ((y Int)) (=> (= y (* 2 x)) (Q y x))) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (forall ((a Int)) (or (not (= a (+ x 1))) (> a 5)))) false)))""", "unsat"),
    ("an equation that fixes a truth value", """(declare-fun P (Int Bool) Bool) (assert (P 0 true))
(assert (forall ((x Int) (b Bool)) (=> (P x b) (exists ((c Bool)) (and (= c (not b)) (P (+ x 1) c))))))
(assert (forall ((x Int) (b Bool)) (=> (P x b) (exists ((c Bool)) (and (= (= 0 (mod x 2)) c) (= b c))))))""", "sat"),
    ("let and ite", """(declare-fun P (Int) Bool) (assert (P 0))
(assert (forall ((x Int) (y Int)) (let ((z (ite (< x 5) (+ x 1) 0))) (=> (and (P x) (= y z)) (P y)))))
(assert (forall ((x Int)) (=> (and (P x) (or (< x 0) (> x 5))) false)))""", "sat"),
    ("nested and, or, not, xor, implies", """(declare-fun P (Int Bool) Bool) (assert (P 0 true))
(assert (forall ((x Int) (b Bool) (y Int) (c Bool)) (=> (and (P x b) (and (or (and b (= y (+ x 2))) (and (not b) (= y x))))
  (= c (xor b true)) (=> c (= x x))) (P y c))))
(assert (forall ((x Int) (b Bool)) (=> (and (P x b) (= (mod x 2) 1)) false)))""", "sat"),
    ("div, mod and abs", """(declare-fun P (Int) Bool) (assert (P (- 7)))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (= y (+ (div x 2) (mod x (- 3)) (abs (- x)))) (< (abs x) 100)) (P y))))
(assert (forall ((x Int)) (=> (and (P x) (= x 5)) false)))""", "unsat"),
    ("no variables, no forall", "(declare-fun P () Bool) (assert P) (assert (=> P false))", "unsat"),
    ("unused variables", """(declare-fun P (Int) Bool) (assert (forall ((x Int) (u Int) (v Bool)) (=> (= x 1) (P x))))
(assert (forall ((x Int) (w Int)) (=> (and (P x) (= x 2)) false)))""", "sat"),
    ("queries as negations, several", """(declare-fun P (Int) Bool) (assert (P 1))
(assert (not (exists ((x Int)) (and (P x) (> x 3))))) (assert (forall ((x Int)) (not (and (P x) (< x 1)))))
(assert (forall ((x Int)) (or (not (P x)) (= x 1))))""", "sat"),
    ("several clauses in one assertion", """(declare-fun P (Int) Bool) (declare-fun Q (Int) Bool)
(assert (forall ((x Int)) (and (P 0) (Q 1) (=> (or (P x) (Q x)) (< x 1)))))""", "unsat"),
    ("predicates without facts and without use", """(declare-fun P (Int) Bool) (declare-fun Q (Int Bool) Bool) (declare-fun R () Bool)
(declare-fun S (Int) Bool) (assert (P 1)) (assert (forall ((x Int)) (=> (Q x true) (P x))))
(assert (forall ((x Int)) (=> (P x) (S (+ x 1))))) (assert (forall ((x Int)) (=> (and (P x) (> x 1)) false)))""", "sat"),
    ("no query", "(declare-fun P (Int) Bool) (assert (P 1))", "sat"),
    ("no facts", "(declare-fun P (Int) Bool) (assert (forall ((x Int)) (=> (P x) false)))", "sat"),
    ("constraints only", "(declare-fun P (Int) Bool) (assert (forall ((x Int)) (=> (> x 5) false)))", "unsat"),
    ("inputs", """(declare-fun P (Int) Bool) (assert (forall ((x Int) (k Int)) (=> (= x (* 3 k)) (P x))))
(assert (forall ((x Int) (y Int) (k Int)) (=> (and (P x) (= y (+ x (* 6 k)))) (P y))))
(assert (forall ((x Int) (k Int)) (=> (and (P x) (= x (+ 1 (* 3 k)))) false)))""", None),
    ("nothing but booleans", """(declare-fun P (Bool Bool) Bool) (assert (P false false))
(assert (forall ((a Bool) (b Bool)) (=> (P a b) (P b (not a))))) (assert (forall ((a Bool)) (=> (P a (not a)) (P a a))))
(assert (forall ((a Bool)) (=> (and (P a true) a (P a true)) false)))""", None),
    ("control in arguments", """(declare-fun P (Int Int) Bool) (assert (P 0 0))
(assert (forall ((x Int)) (=> (P 0 x) (P 1 (+ x 1))))) (assert (forall ((x Int)) (=> (and (P 1 x) (< x 9)) (P 0 x))))
(assert (forall ((x Int)) (=> (and (P 1 x) (>= x 9)) (P 2 x)))) (assert (forall ((p Int) (x Int)) (=> (and (P p x) (= p 2) (not (= x 9))) false)))""", "sat"),
    ("division by a variable", """(declare-fun P (Int Int) Bool) (assert (P 12 4))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (> y 0) (= (mod x y) 0) (not (= (div x y) 3))) false)))""", "sat"),
    ("division by zero proves nothing", """(declare-fun P (Int Int) Bool) (assert (P 12 0))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (= (mod x y) 12)) false)))""", "unknown"),
    ("a constant is one value", """(declare-fun c () Int) (declare-fun P (Int) Bool) (assert (=> (= c 5) (P c)))
(assert (forall ((x Int)) (=> (and (P x) (> x 3)) false)))""", "unknown"),
    ("numbers beyond 64 bits", """(declare-fun P (Int) Bool) (assert (P 100000000000000000000))
(assert (forall ((x Int)) (=> (and (P x) (< x 100000000000000000001)) (P (* 2 x)))))
(assert (forall ((x Int)) (=> (and (P x) (= x 200000000000000000000)) false)))""", "unsat"),
    ("rules", """(declare-rel inv (Int)) (declare-rel fail ()) (declare-var x Int) (declare-var y Int)
(rule (=> (= x 0) (inv x)) start) (rule (=> (and (inv x) (= y (+ x 1)) (< x 5)) (inv y)))
(rule (=> (and (inv x) (> x 5)) fail)) (query fail :print-certificate true)""", "sat"),
    ("rules, wrong", """(declare-rel inv (Int)) (declare-rel fail ()) (declare-var x Int) (declare-var y Int)
(rule (inv 0)) (rule (=> (and (inv x) (= y (+ x 1)) (< x 5)) (inv y))) (rule (=> (and (inv x) (> x 4)) fail)) (query fail)""", "unsat"),
    ("a query of a predicate with arguments", "(declare-rel p (Int Bool)) (declare-var x Int) (rule (p 1 true)) (query p)", "unsat"),
    ("definitions", """(define-fun next ((x Int)) Int (+ x 1)) (declare-fun P (Int) Bool) (define-fun two () Int 2) (define-fun holds () Bool (P two))
(assert holds) (assert (forall ((x Int)) (=> (and (P x) (< x 7)) (P (next x))))) (assert (forall ((x Int)) (=> (P x) (<= x 7))))""", "sat"),
    ("a bound variable that hides a declared one", """(declare-rel P (Int)) (declare-var x Int)
(rule (or (<= x 0) (forall ((x Int)) (P x)))) (query (P (- 5)))""", "unsat"),
    ("a bound variable that hides a constant", """(declare-const x Int) (declare-fun P (Int) Bool) (declare-fun Q (Int) Bool)
(assert (or (> x 0) (forall ((x Int)) (P x)))) (assert (or (<= x 0) (forall ((x Int)) (Q x))))
(assert (not (P 5))) (assert (not (Q (- 5))))""", "unknown"),
    ("a bound variable with the name of a constant", """(declare-const x Int) (declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (> x 3) (P x)))) (assert (forall ((x Int)) (=> (P x) (> x 4))))""", "unsat"),
    ("a query of a predicate named as a variable might be", "(declare-rel q0 (Int)) (rule (q0 1)) (query q0)", "unsat"),
    ("no predicates", "(assert (forall ((x Int)) (=> (< x 0) (< x 1))))", "sat"),
    ("no predicates, wrong", "(assert (forall ((x Int)) (=> (< x 2) (< x 1))))", "unsat"),
    ("no clauses", "(set-logic HORN)\n(check-sat)", "sat"),
    ("predicates without clauses", "(declare-fun P (Int Bool) Bool) (declare-const c Int) (declare-fun Q () Bool)", "sat"),
    ("exists in a body", """(declare-fun P (Int) Bool) (assert (P 0))
(assert (forall ((x Int)) (=> (and (P x) (exists ((k Int)) (and (< 0 k) (< k 3) (exists ((j Int)) (= (+ k 1) (* 2 j)))))) (P (+ x 2)))))
(assert (forall ((x Int)) (=> (P x) (= (mod x 2) 0))))""", "sat"),
    ("exists in a body, with its predicate", """(declare-fun P (Int) Bool) (assert (P 0)) (assert (P 5))
(assert (forall ((x Int)) (=> (or (P x) (exists ((y Int)) (and (P y) (= x (+ y 3))))) (or (< x 8) (not (P 5))))))""", "unsat"),
    ("exists in a body that is never so", """(declare-fun P (Int) Bool) (assert (P 0))
(assert (forall ((x Int)) (=> (and (P x) (exists ((k Int)) (and (< x k) (< k (+ x 1))))) (P (+ x 1))))) (assert (forall ((x Int)) (=> (P x) (= x 0))))""", "sat"),
    ("forall in a head", """(declare-fun P (Int Int) Bool) (assert (forall ((x Int)) (=> (= x 1) (forall ((y Int)) (=> (< 0 y 4) (and (P x y) (forall ((z Int)) (=> (= z (+ y 1)) (P y z)))))))))
(assert (forall ((x Int) (y Int)) (=> (P x y) (and (<= 1 x 3) (<= 1 y 4)))))""", "sat"),
    ("forall in a head, wrong", """(declare-fun P (Int Int) Bool)
(assert (forall ((x Int)) (=> (= x 1) (forall ((y Int)) (P x y))))) (assert (forall ((x Int)) (not (P x (- 9)))))""", "unsat"),
    ("an enumeration", """(declare-datatypes ((Light 0)) (((red) (green) (yellow)))) (declare-fun at (Light Int) Bool) (assert (at red 0))
(assert (forall ((l Light) (m Light) (n Int)) (=> (and (at l n) (= m (ite (= l red) green (ite ((_ is green) l) yellow red)))) (at m (+ n 1)))))
(assert (forall ((l Light) (n Int)) (=> (and (at l n) (= (mod n 3) 2)) ((_ is yellow) l))))""", "sat"),
    ("an enumeration, wrong", """(declare-datatype Light ((red) (green) (yellow))) (declare-fun at (Light Int) Bool) (assert (at red 0))
(assert (forall ((l Light) (n Int)) (=> (at l n) (at (ite (= l red) green (ite (= l green) yellow red)) (+ n 1)))))
(assert (forall ((l Light) (n Int)) (=> (and (at l n) (= (mod n 3) 1)) ((_ is yellow) l))))""", "unsat"),
    ("there are no other values", """(declare-datatypes () ((Color red (green)))) (declare-fun P (Color) Bool) (assert (forall ((c Color)) (P c)))
(assert (forall ((c Color)) (=> (and (P c) (distinct c red green)) false))) (assert (forall ((a Color) (b Color) (c Color)) (not (distinct a b c))))""", "sat"),
    ("every value is one", """(declare-datatypes () ((Color red green))) (declare-fun P (Color Bool) Bool) (assert (forall ((c Color) (b Bool)) (P c b)))
(assert (forall ((c Color)) (=> (and (P c true) (distinct c red)) false)))""", "unsat"),
    ("one value", "(declare-datatype Unit ((unit))) (declare-fun P (Unit) Bool) (assert (forall ((u Unit)) (P u))) (assert (forall ((u Unit)) (=> (P u) (= u unit))))", "sat"),
    ("two enumerations", """(declare-datatypes ((A 0) (B 0)) (((a1) (a2)) ((b1) (b2) (|b 3|)))) (declare-fun P (A B) Bool) (declare-fun Q (B Int) Bool)
(assert (P a1 |b 3|)) (assert (forall ((a A) (b B)) (=> (P a b) (P (ite (= a a1) a2 a1) b)))) (assert (forall ((a A) (b B) (n Int)) (=> (and (P a b) (= n (ite (= a a2) 7 8))) (Q b n))))
(assert (forall ((b B) (n Int)) (=> (Q b n) (and (= b |b 3|) (>= n 7) (<= n 8)))))""", "sat"),
    ("an enumeration with bars", """(declare-datatype |a sort| ((|a b|) (|x;y|) (c))) (declare-fun |P Q| (|a sort|) Bool) (assert (|P Q| |a b|))
(assert (forall ((|x y| |a sort|)) (=> (|P Q| |x y|) (not (= |x y| c)))))""", None),
    ("a value with the name of a parameter", """(declare-datatype S ((P.s) (off))) (declare-fun P (S Int) Bool) (assert (P P.s 0)) (assert (forall ((s S) (n Int)) (=> (P s n) (P off (+ n 1)))))
(assert (forall ((s S) (n Int)) (=> (P s n) (= (= s P.s) (= n 0)))))""", "sat"),
    ("definitions with an enumeration", """(declare-datatype S ((on) (off))) (define-fun flip ((s S)) S (ite (= s on) off on)) (define-fun start () S off) (declare-fun P (S Int) Bool)
(assert (P start 0)) (assert (forall ((s S) (n Int)) (=> (P s n) (P (flip s) (+ n 1))))) (assert (forall ((s S) (n Int)) (=> (and (P s n) (= s on)) (= (mod n 2) 1))))""", "sat"),
    ("rules with an enumeration", """(declare-datatypes () ((S on off))) (declare-rel P (S)) (declare-rel Q (S S)) (declare-var s S) (declare-var t S) (rule (P on))
(rule (=> (and (P s) (= t s)) (Q s t))) (rule (=> (and (Q s t) (distinct s t)) (P off))) (query (P off))""", "sat"),
    ("a query of a predicate with an enumeration", "(declare-datatypes () ((S on off))) (declare-rel P (S Int)) (rule (P off 3)) (query P)", "unsat"),
    ("a constant of an enumeration", """(declare-datatype S ((on) (off))) (declare-const s S) (declare-fun P (S) Bool) (assert (P s))
(assert (forall ((t S)) (=> (and (P t) (distinct t on off)) false)))""", "sat"),
    ("exit ends the text", "(declare-fun P (Int) Bool) (assert (P 0)) (exit) (assert (forall ((x Int)) (not (P x))))", "sat"),
]

# name, clauses, place and message
ERRORS = [
    ("two heads", "(declare-fun P () Bool)\n(declare-fun Q () Bool)\n(assert (or P Q))", r"3:1: error: .*two heads"),
    ("bit vectors", "(declare-fun P ((_ BitVec 8)) Bool)", r"1:17: error: the sort \(_ BitVec 8\) is not supported; whet supports only Int, Real and Bool"),
    ("variables of another sort", "(declare-fun P () Bool)\n(assert (forall ((x String)) (=> (= x x) P)))", r"2:1: error: the variable `x` is of sort String"),
    ("a quotient of variables", "(declare-fun P (Real) Bool)\n(assert (forall ((x Real) (y Real)) (P (/ x y))))", r"2:1: error: `/` by a term that is no constant is not supported"),
    ("a quotient by 0", "(declare-fun P (Real) Bool)\n(assert (forall ((x Real)) (P (/ x 0.0))))", r"2:1: error: `/` by 0 has no value"),
    ("arrays by reals", "(declare-fun P ((Array Real Int)) Bool)", r"1:17: error: the sort \(Array Real Int\) is not supported"),
    ("a list", "(declare-datatypes () ((L (nil) (cons (head Int) (tail L)))))", r"1:34: error: the constructor `cons` has arguments; whet supports only enumerations"),
    ("a list in SMT-LIB 2.6", "(declare-datatypes ((L 0))\n(((nil) (cons (head Int) (tail L)))))", r"2:10: error: the constructor `cons` has arguments"),
    ("a record", "(declare-datatype R ((r (x Int))))", r"1:23: error: the constructor `r` has arguments"),
    ("datatypes with parameters", "(declare-datatypes ((L 1))\n((par (T) ((nil)))))", r"1:24: error: datatypes with parameters are not supported"),
    ("datatypes with parameters, as of old", "(declare-datatypes (T) ((L (nil))))", r"1:21: error: datatypes with parameters are not supported"),
    ("one datatype with parameters", "(declare-datatype L (par (T) ((nil))))", r"1:22: error: datatypes with parameters are not supported"),
    ("no constructors", "(declare-datatype L ())", r"1:22: error: expected a constructor"),
    ("constructors that are missing", "(declare-datatypes ((A 0) (B 0)) (((a))))", r"1:40: error: expected the constructors of a datatype"),
    ("constructors too many", "(declare-datatypes ((A 0)) (((a)) ((b))))", r"1:35: error: expected a closing parenthesis"),
    ("two constructors of one name", "(declare-datatype A ((a) (b)))\n(declare-datatype B ((c) (a)))", r"2:27: error: `a` is declared twice"),
    ("two sorts of one name", "(declare-datatype A ((a)))\n(declare-datatype A ((b)))", r"2:19: error: the sort `A` is declared twice"),
    ("a sort of SMT-LIB's own", "(declare-datatype Int ((a)))", r"1:19: error: the sort `Int` is declared twice"),
    ("a predicate with the name of a constructor", "(declare-datatype A ((a)))\n(declare-fun a (Int) Bool)", r"2:14: error: `a` is declared twice"),
    ("a predicate with the name of a test", "(declare-datatype A ((a)))\n(declare-fun is-a (A) Bool)", r"2:14: error: `is-a` is declared twice"),
    ("a constructor with the name of a predicate", "(declare-fun a (Int) Bool)\n(declare-datatype A ((a)))", r"2:23: error: `a` is declared twice"),
    ("a constructor of the theory", "(declare-datatype A ((and)))", r"1:23: error: `and` is a symbol of SMT-LIB's own"),
    ("a value of the wrong sort", "(declare-datatype A ((a)))(declare-fun P (Int) Bool)\n(assert (P a))", r"2:\d+: error: "),
    ("an order of values", "(declare-datatype A ((a) (b)))(declare-fun P (A) Bool)\n(assert (forall ((x A)) (=> (< x b) (P x))))", r"2:\d+: error: "),
    ("a sort that Z3 has", "(declare-fun P () Bool)\n(assert (forall ((x (List Int))) (=> (= x x) P)))", r"2:1: error: the variable `x` is of sort "),
    ("functions", "(declare-fun f (Int) Int)", r"1:14: error: `f` is a function"),
    ("two of one name", "(declare-fun P (Int Int) Bool)\n(declare-fun P (Int) Bool)\n(assert (P 0))\n(assert (=> (P 0 0) false))", r"2:14: error: `P` is declared twice"),
    ("two of one name and other sorts", "(declare-fun P (Int) Bool)\n(declare-fun P (Bool) Bool)\n(assert (P 0))", r"2:14: error: `P` is declared twice"),
    ("undefined", "(declare-fun P (Int) Bool)\n(assert (Q 1))", r"2:\d+: error: unknown (constant|function).*Q"),
    ("undefined variable", "(declare-fun P (Int) Bool)\n(assert\n  (P y))", r"3:6: error: unknown constant y"),
    ("wrong arity", "(declare-fun P (Int) Bool)\n(assert (P 1 2))", r"2:\d+: error: .*P"),
    ("wrong sort", "(declare-fun P (Int) Bool)\n(assert (P true))", r"2:\d+: error: "),
    ("defined by itself", "(declare-fun P (Int) Bool)\n(define-fun f () Int (+ f 1))\n(assert (P f))", r"2:\d+: error: this definition refers to itself"),
    ("not closed", "(declare-fun P (Int) Bool)\n(assert (P 1)", r"2:1: error: this parenthesis is never closed|2:\d+: error: expected"),
    ("no string end", '(set-info :source "abc)', r"1:19: error: this string never ends"),
    ("include", '(include "x.smt2")', r"1:2: error: the command include is not supported"),
    ("quantifier inside", "(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> (forall ((y Int)) (P y)) (P x))))", r"2:1: error: `forall` to the left"),
    ("exists in a head", "(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> (P x) (exists ((y Int)) (P (+ x y))))))", r"2:1: error: `exists` to the right of an implication is not supported"),
    ("forall in a body", "(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> (and (P x) (forall ((y Int)) (< y x))) false)))", r"2:1: error: `forall` to the left of an implication is not supported"),
    ("exists in both ways", "(declare-fun P (Bool) Bool)\n(assert (forall ((b Bool) (x Int)) (=> (= b (exists ((y Int)) (< y x))) (P b))))", r"2:1: error: `exists` inside of a constraint is not supported"),
    ("quantified constraint", "(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> (= x (ite (exists ((y Int)) (> y x)) 1 2)) (P x))))", r"2:1: error: `exists` inside"),
    ("a predicate inside of an equality", "(declare-fun P () Bool)\n(declare-fun Q () Bool)\n(assert (= P Q))", r"3:1: error: this is not a Horn clause"),
    ("division by the constant 0", "(declare-fun P (Int) Bool)\n(assert (P (div 1 0)))", r"2:1: error: `div` by 0"),
    ("other operators", "(declare-fun P (Real) Bool)\n(assert (P (sin 1.5)))", r"2:1: error: .*(sin|sort other)"),
    ("a symbol of the theory", "(declare-fun P (Int) Bool)\n(declare-fun |and| (Int) Bool)", r"2:14: error: `and` is a symbol of SMT-LIB's own"),
    ("true again", "(declare-fun |true| (Int) Bool)", r"1:14: error: `true` is a symbol"),
    ("junk", "hello", r"1:1: error: expected a command"),
    ("no clauses", "; nothing\n", r"the file has no clauses"),
    ("empty", "", r"the file is empty"),
]


def answer(path, *options):
    return whet("verify", path, "--quiet", "--work", "5000000", "--timeout", "600", "--trace", "off", *options)


STATUS = {"sat": 0, "unsat": 10, "unknown": 20}


@case
def answers(folder):
    for i, (name, text, expected) in enumerate(TEXTS):
        result = answer(write(folder, f"t{i}.smt2", text))
        word = result.out.strip()
        assert word in STATUS and result.status == STATUS[word], f"{name}: {result}"
        assert expected in (None, word), f"{name}: {word}"


@case
def models_are_believed_by_other_solvers(folder):
    checkers = solvers()
    if not checkers:
        raise Skip("neither z3 nor cvc5 is there")
    for i, (name, text, expected) in enumerate(TEXTS):
        if expected != "sat":
            continue
        result = answer(write(folder, f"t{i}.smt2", text), "--model")
        word, model = result.out.split("\n", 1)
        equal(word, "sat", name)
        for solver in checkers:
            valid, invalid, undecided = check_model(solver, text, model)
            equal(valid, len(re.findall(r"\((?:assert|rule|query) ", text.split("(exit)")[0])), name)
            assert not invalid and not undecided, f"{name}: {solver} does not believe\n{model}"


@case
def certificates_are_checked_again(folder):
    for i, (name, text, _) in enumerate(TEXTS):
        path, certificate = write(folder, f"t{i}.smt2", text), os.path.join(folder, f"c{i}")
        result = answer(path, "--certificate", certificate)
        if result.out.strip() == "unknown":
            continue
        for options in [[], ["--solver", "cvc5 --incremental"]] if "cvc5" in solvers() else [[]]:
            checked = whet("check", path, certificate, *options)
            equal(checked.status, 0, f"{name}: {checked}")


# Of these there is no transition system: name, clauses, answer
TREES = [
    ("arguments that are needless", """(declare-fun P (Int Int Int) Bool) (assert (P 1 1 7))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (e Int) (f Int) (g Int)) (=> (and (P a b c) (P d e f) (= g (+ c f 1))) (P (+ a d) (+ b e) g))))
(assert (forall ((a Int) (b Int) (c Int)) (=> (P a b c) (and (> a 0) (= a b)))))""", "sat"),
    ("arguments that are needless, wrong", """(declare-fun P (Int Int Int) Bool) (assert (P 1 1 7))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (e Int) (f Int) (g Int)) (=> (and (P a b c) (P d e f) (= g (+ c f 1))) (P (+ a d) (+ b e) g))))
(assert (forall ((a Int) (b Int) (c Int)) (=> (P a b c) (< (+ a b) 6))))""", "unsat"),
    ("an enumeration and several predicates in a body", """(declare-datatype T ((leaf) (node))) (declare-fun H (T Int) Bool) (assert (H leaf 0))
(assert (forall ((a T) (b T) (m Int) (n Int)) (=> (and (H a m) (H b n) (<= n m)) (H node (+ m 1))))) (assert (forall ((t T) (n Int)) (=> (H t n) (= (= t leaf) (= n 0)))))""", "sat"),
    ("an enumeration and several predicates in a body, wrong", """(declare-datatype T ((leaf) (node))) (declare-fun H (T Int) Bool) (assert (H leaf 0))
(assert (forall ((a T) (b T) (m Int) (n Int)) (=> (and (H a m) (H b n) (<= n m)) (H node (+ m 1))))) (assert (forall ((t T) (n Int)) (=> (H t n) (or (= t leaf) (< n 2)))))""", "unsat"),
    ("sums", """(declare-fun P (Int) Bool) (assert (P 2)) (assert (P 3))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))
(assert (forall ((x Int)) (=> (P x) (> x 1))))""", "sat"),
    ("sums, wrong", """(declare-fun P (Int) Bool) (assert (P 2)) (assert (P 3))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))
(assert (forall ((x Int)) (=> (P x) (distinct x 13))))""", "unsat"),
    ("booleans only", """(declare-fun P (Bool Bool) Bool) (assert (P true false)) (assert (P false false))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool)) (=> (and (P a b) (P c d)) (P (xor a c) (and b d)))))
(assert (forall ((a Bool)) (=> (P a true) false)))""", "sat"),
    ("several queries", """(declare-fun P (Int) Bool) (assert (P 1))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y) (< (+ x y) 9)) (P (+ x y)))))
(assert (forall ((x Int)) (=> (and (P x) (< x 1)) false))) (assert (forall ((x Int)) (=> (and (P x) (= x 7)) false)))""", "unsat"),
    ("rules", """(declare-rel P (Int)) (declare-rel fail ()) (declare-var x Int) (declare-var y Int)
(rule (P 1)) (rule (=> (and (P x) (P y)) (P (+ x y)))) (rule (=> (and (P x) (P y) (< x 0) (> y 0)) fail)) (query fail)""", "sat"),
]
# Several predicates in a body, but unfolded they are linear.
UNFOLDED = [
    ("a step as a predicate", """(declare-fun step (Int Int) Bool) (declare-fun inv (Int) Bool) (declare-fun init (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (init x)))) (assert (forall ((x Int) (y Int)) (=> (= y (+ x 2)) (step x y))))
(assert (forall ((x Int)) (=> (init x) (inv x)))) (assert (forall ((x Int) (y Int)) (=> (and (inv x) (step x y)) (inv y))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 0)) false)))""", "sat"),
    ("a step as a predicate, wrong", """(declare-fun step (Int Int) Bool) (declare-fun inv (Int) Bool)
(assert (inv 0)) (assert (forall ((x Int) (y Int)) (=> (= y (+ x 2)) (step x y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x) (step x y)) (inv y))))
(assert (forall ((x Int)) (=> (and (inv x) (= x 6)) false)))""", "unsat"),
    ("no facts, no query", """(declare-fun P (Int) Bool) (declare-fun Q (Int) Bool) (declare-fun R (Int) Bool)
(assert (forall ((x Int)) (=> (and (P x) (Q x)) (P (+ x 1))))) (assert (Q 1))
(assert (forall ((x Int)) (=> (and (Q x) (Q (+ x 1))) (R x)))) (assert (forall ((x Int)) (=> (P x) false)))""", "sat"),
]


@case
def trees(folder):
    for i, (name, text, expected) in enumerate(TREES + UNFOLDED):
        path, certificate = write(folder, f"t{i}.smt2", text), os.path.join(folder, f"c{i}")
        result = answer(path, "--certificate", certificate)
        equal(result.out.strip(), expected, f"{name}: {result}")
        equal(whet("check", path, certificate).status, 0, name)
        if expected == "sat":
            assert_model(text, certificate, name)
        equal(whet("show", path).status, 2 if (name, text, expected) in TREES else 0, name)


@case
def trees_by_each_engine(folder):
    for i, (name, text, expected) in enumerate(TREES):
        path = write(folder, f"t{i}.smt2", text)
        for engine in ("spacer", "pdr", "derive", "widen", "cegar"):
            result = answer(path, "--engine", engine)
            assert result.out.strip() in (expected, "unknown" if (engine, expected) == ("derive", "sat") else expected), f"{name}, {engine}: {result}"
        for engine in ("explicit", "fbar", "alpha"):
            result = whet("verify", path, "--engine", engine)
            equal(result.status, 20, name)
            assert f"engine {engine} does not treat clauses with several predicates in a body" in result.err, result
    for i, (name, text, expected) in enumerate(UNFOLDED):
        for engine in ("cegar", "derive", "spacer") if expected == "unsat" else ("cegar", "widen", "spacer"):
            result = answer(write(folder, f"u{i}.smt2", text), "--engine", engine)
            equal(result.out.strip(), expected, f"{name}, {engine}: {result}")
    counter = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "counter.whet")
    result = whet("verify", counter, "--engine", "derive")
    assert "engine derive does not treat anything but Horn clauses" in result.out + result.err, result


@case
def trees_are_shown_with_their_premises(folder):
    path = write(folder, "t.smt2", TREES[1][1])
    result = whet("verify", path, "--quiet", "--engine", "derive")
    lines = result.out.splitlines()
    equal(lines[0], "unsat")
    assert any(re.search(r"from \d+, \d+$", line) for line in lines), result
    with open(os.path.join(folder, "c"), "w", encoding="utf-8") as f:
        f.write(whet("verify", path, "--quiet", "--trace", "off", "--engine", "derive", "--certificate", "-").out.split("\n", 1)[1])
    equal(whet("check", path, os.path.join(folder, "c")).status, 0)


@case
def examples_and_their_wrong_twins(folder):
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
    for name in ("mccarthy91", "fibonacci", "even-odd", "merge-counters", "crossing", "ackermann", "takeuchi", "list-length", "gcd"):
        for twin, expected in ((name, "sat"), (name + "-wrong", "unsat")):
            path, certificate = os.path.join(here, twin + ".smt2"), os.path.join(folder, twin)
            result = answer(path, "--certificate", certificate)
            equal(result.out.strip(), expected, f"{twin}: {result}")
            equal(whet("check", path, certificate).status, 0, twin)
            equal(answer(path, "--without", "spacer").out.strip(), expected, twin)


QUOTIENT = """(declare-fun P (Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (= z (div x y)) (= z (mod x 5)) (> x 10)) (P z))))
(assert (forall ((z Int)) (=> (and (P z) (= z 3)) false)))"""


@case
def divisors_that_are_free_need_not_be_zero(folder):
    """A division by 0 derives nothing that SMT-LIB fixes; if another divisor does it, that one is found. With 0 alone the answer is open."""
    path, certificate = write(folder, "a.smt2", QUOTIENT), os.path.join(folder, "c")
    for engine in ("auto", "derive"):
        result = answer(path, "--engine", engine, "--certificate", certificate)
        equal(result.out.strip(), "unsat", result)
        equal(whet("check", path, certificate).status, 0)
    trees = QUOTIENT.replace("(= z 3)", "(P (+ z 1)) (= z 3)")
    equal(answer(write(folder, "t.smt2", trees)).out.strip(), "unsat")
    only_zero = write(folder, "z.smt2", QUOTIENT.replace("(> x 10)", "(= y 0) (> x 10)"))
    for engine in ("auto", "derive", "spacer"):
        equal(answer(only_zero, "--engine", engine).out.strip(), "unknown", engine)
    never = write(folder, "n.smt2", QUOTIENT.replace("(> x 10)", "(> y x 10)"))
    for engine in ("auto", "spacer"):
        equal(answer(never, "--engine", engine).out.strip(), "sat", engine)


@case
def reasons_of_z3_are_one_line(folder):
    """Also if Z3 says which rules it does not like."""
    path = write(folder, "a.smt2", QUOTIENT)
    result = whet("verify", path, "--engine", "spacer", "--work", "2000000")
    equal(result.out.strip(), "unknown", result)
    lines = [line for line in result.err.splitlines() if line.startswith("unknown:")]
    assert len(lines) == 1 and "divi" in lines[0] or "quotient" in lines[0], result
    assert all(re.match(r"unknown: |query: ", line) for line in result.err.splitlines()), result


@case
def long_derivations_are_checked_in_seconds(folder):
    text = """(declare-fun P (Int) Bool) (assert (P 0))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y) (<= y x)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (P x) (< x 100000))))"""
    steps = ["; whet derivation 2", "(step 1 (P 0) () ())"]
    steps += [f"(step 2 (P {i}) ({i - 1} {i // 2}) ((x {i - 1}) (y {i // 2})))" for i in range(1, 100001)]
    steps.append("(step 3 false (100000) ((x 100000)))")
    path, certificate = write(folder, "long.smt2", text), write(folder, "long", "\n".join(steps) + "\n")
    result = whet("check", path, certificate)
    equal(result.status, 0, result.out + result.err)
    damaged = steps[:50000] + [steps[50000].replace("(x 49998)", "(x 49999)")] + steps[50001:]
    assert damaged != steps
    equal(whet("check", path, write(folder, "damaged", "\n".join(damaged))).status, 10)


@case
def wrong_certificates_are_rejected(folder):
    path = write(folder, "counter.smt2", COUNTER)
    wrong = write(folder, "wrong.smt2", COUNTER.replace("(* 2 x)", "(* 3 x)"))
    derivation = os.path.join(folder, "derivation")
    equal(answer(wrong, "--certificate", derivation).status, 10)
    with open(derivation, encoding="utf-8") as f:
        good = f.read()
    bad = {
        "too weak": "(define-fun inv ((a Int) (b Int)) Bool (>= b 0))",
        "not initial": "(define-fun inv ((a Int) (b Int)) Bool (and (> a 0) (= b (* 2 a))))",
        "not inductive": "(define-fun inv ((a Int) (b Int)) Bool (and (= b (* 2 a)) (< a 5)))",
        "missing": "",
        "another name": "(define-fun in ((a Int) (b Int)) Bool true)",
        "fewer arguments": "(define-fun inv ((a Int)) Bool true)",
        "another sort": "(define-fun inv ((a Int) (b Bool)) Bool true)",
        "twice": "(define-fun inv ((a Int) (b Int)) Bool false)" * 2,
        "another file's": good,
        "junk": ")(",
    }
    refuted = {"too weak", "not initial", "not inductive", "another file's"}  # the others are no certificates of these clauses
    for name, content in bad.items():
        if content:
            equal(whet("check", path, write(folder, "bad", content)).status, 10 if name in refuted else 2, name)
    fine = "( (define-fun inv ((a Int) (b Int)) Bool (= b (* 2 a))) )"
    equal(whet("check", path, write(folder, "fine", fine)).status, 0)
    changed = {"a value": re.sub(r"\(x 1\)", "(x 2)", good), "a clause": good.replace("(step 3", "(step 2"),
               "the end": "\n".join(good.splitlines()[:-1]), "the start": "\n".join(good.splitlines()[:1] + good.splitlines()[2:]),
               "a value too many": good.replace("))) ;", ") (z 1))) ;", 1), "no clause": good.replace("(step 3", "(step 4")}
    for name, content in changed.items():
        assert content != good, name
        wanted = 2 if name in ("no clause", "the start") else 10  # its premises would be later steps
        equal(whet("check", wrong, write(folder, "bad", content)).status, wanted, name + "\n" + content)


@case
def divisions_by_zero_in_models_have_any_value(folder):
    def status(clauses, definition):
        text = "(declare-fun P (Int Int) Bool)\n" + clauses
        return whet("check", write(folder, "d.smt2", text), write(folder, "d.txt", "(define-fun P ((a Int) (b Int)) Bool " + definition + ")")).status
    start = "(assert (P 7 0))"
    step = "(assert (forall ((x Int) (y Int)) (=> (P x y) (P (+ 2 (- x 2)) y))))"
    query = "(assert (forall ((x Int) (y Int)) (=> (and (P x y) (= x 8)) false)))"
    for definition, expected in (
            ("(and (= a 7) (= (div a b) 0))", 20),  # true only of whet's own division
            ("(and (= a 7) (= (mod a b) a))", 20),
            ("(and (= a 7) (= (div a 0) 3))", 20),
            ("(and (= a 7) (= (div a 2 b) 0))", 20),
            ("(and (= a 7) (= (ite (= b 0) 0 (div a b)) 0))", 0),
            ("(and (= a 7) (= (ite (= b 0) 1 (mod a b)) 1))", 0),
            ("(and (= a 7) (or (= b 0) (= (div a b) 2)))", 0),
            ("(and (= a 7) (or (= (div a b) 2) (not (= (div a b) 2))))", 0),
            ("(and (= a 7) (= b 0) (= (mod a 3) 1))", 0)):
        equal(status(start + step + query, definition), expected, definition)
    # what is not known of the start is passed on: the same dividend has the same value
    passed = "(assert (forall ((x Int) (y Int)) (=> (and (= x 7) (= y 0) false) (P x y))))" + step + query
    equal(status(passed, "(and (= a 7) (= (div a b) 5))"), 0)
    equal(status(passed.replace("(+ 2 (- x 2))", "(+ x 1)"), "(and (< a 8) (= (div a b) 5))"), 20)


@case
def damaged_atoms_are_rejected(folder):
    wrong = write(folder, "wrong.smt2", COUNTER.replace("(* 2 x)", "(* 3 x)"))
    derivation = os.path.join(folder, "derivation")
    equal(answer(wrong, "--certificate", derivation).status, 10)
    with open(derivation, encoding="utf-8") as f:
        good = f.read()
    equal(whet("check", wrong, derivation).status, 0)
    for old, new in (("(inv 0 0)", "(inv 0 1)"), ("(inv 0 0)", "(inv 0)"), ("(inv 0 0)", "(inv 0 0 0)"), ("(inv 1 2)", "false"), ("(inv 1 2)", "inv"),
                     ("(inv 1 2)", "(other 1 2)"), ("(inv 1 2)", "()"), ("false", "(inv 1 2)"), ("(inv 1 2)", "(inv 1 (- 2))")):
        assert old in good, good
        status = whet("check", wrong, write(folder, "bad", good.replace(old, new, 1))).status
        equal(status, 2 if new in ("(other 1 2)", "()") else 10, new)


NAMES = ["par", "a b", "", "assert", "exit", "define-fun", "Int", "Bool", "is", "0a", ":k", "sat", "model", "if", "\u00e9", "BINARY",
         "check-sat", "rule", "P!0", "set-info", "=>x", "(a", ";", '"', "inv", "types"]


@case
def names_are_printed_as_they_can_be_read(folder):
    for name in NAMES:
        text = (f"(declare-fun |{name}| (Int Bool) Bool)\n(assert (|{name}| 0 true))\n"
                f"(assert (forall ((x Int) (b Bool)) (=> (and (|{name}| x b) (< x 5)) (|{name}| (+ x 1) (not b)))))\n"
                f"(assert (forall ((x Int) (b Bool)) (=> (|{name}| x b) (<= x 5))))\n")
        path, certificate = write(folder, "n.smt2", text), os.path.join(folder, "n.txt")
        result = answer(path, "--model", "--certificate", certificate)
        word, model = result.out.split("\n", 1)
        equal(word, "sat", name)
        equal(whet("check", path, certificate).status, 0, name)
        for solver in solvers():
            valid, invalid, undecided = check_model(solver, text, model)
            equal((valid, invalid, undecided), (3, 0, 0), f"{name}: {solver}\n{model}")
        equal(answer(write(folder, "m.smt2", text.replace("<= x 5", "<= x 4")), "--certificate", certificate).status, 10, name)
        equal(whet("check", os.path.join(folder, "m.smt2"), certificate).status, 0, name)


@case
def derivations_are_shown(folder):
    path = write(folder, "wrong.smt2", COUNTER.replace("(* 2 x)", "(* 3 x)"))
    result = whet("verify", path, "--quiet", "--work", "5000000", "--timeout", "600")
    lines = result.out.splitlines()
    equal(lines[0], "unsat")
    assert re.fullmatch(r" +0  \(inv 0 0\) +line 3", lines[1]), result
    assert re.fullmatch(r" +1  \(inv 1 2\) +line 4", lines[2]), result
    assert re.fullmatch(r" +!  false +line 6", lines[-1]), result


@case
def shown_models_have_the_same_verdict(folder):
    word_of = {"SAFE": "sat", "UNSAFE": "unsat"}
    for i, (name, text, expected) in enumerate(TEXTS):
        if expected in (None, "unknown"):
            continue
        shown = whet("show", write(folder, f"t{i}.smt2", text))
        equal(shown.status, 0, name)
        result = answer(write(folder, f"t{i}.whet", shown.out))
        equal(word_of.get((result.out.split() or [""])[-1]), expected, f"{name}: {result}\n{shown.out}")


@case
def errors_have_their_place(folder):
    for i, (name, text, message) in enumerate(ERRORS):
        result = answer(write(folder, f"e{i}.smt2", text))
        equal(result.status, 2, f"{name}: {result}")
        equal(result.out, "", name)
        assert re.search(message, result.err), f"{name}: {result}"


def deep(inner, opening, closing, times):
    return "(declare-fun P (Int) Bool)\n(assert (P 1))\n(assert (forall ((x Int)) (=> (and (P x) " + opening * times + inner + closing * times + ") false)))"


@case
def deep_and_large_texts(folder):
    times = 100000
    lets = "".join(f"(let ((a{i + 1} (+ a{i} 1))) " for i in range(times))
    text = ("(declare-fun P (Int) Bool)\n(assert (P 1))\n(assert (forall ((a0 Int)) (=> (and (P a0) " + lets + f"(< a{times} 0)" + ")" * times
            + ") false)))")
    equal(answer(write(folder, "lets.smt2", text)).out.strip(), "sat")
    equal(answer(write(folder, "nots.smt2", deep("(> x 1)", "(not ", ")", times))).out.strip(), "sat")
    for name, content in {"open": "(" * times, "close": ")" * times, "deep sort": "(declare-fun P (" + "(Array Int " * times + "Int" + ")" * times + ") Bool)",
                          "quantifiers": "(declare-fun P (Int) Bool)(assert " + "(forall ((x Int)) " * times + "(P x)" + ")" * times + ")",
                          "bytes": "\x01\x02\x7f" * 100, "quote": "(declare-fun |P (Int) Bool)"}.items():
        result = answer(write(folder, "bad.smt2", content))
        equal(result.status, 2, f"{name}: {result.err[:300]}")


@case
def twenty_megabytes(folder):
    line = "(assert (forall ((x Int)) (=> (and (P x) (= x {0})) (P (+ x {0})))))\n"
    count = 20000 if SANITIZED else 280000
    text = "(declare-fun P (Int) Bool)\n" + "".join(line.format(i) for i in range(count))
    assert count < 280000 or len(text) > 20000000
    result = whet("show", write(folder, "big.smt2", text), timeout=600)
    equal(result.status, 0, result.err[:300])


@case
def every_benchmark_is_read(folder):
    if not BENCH:
        raise Skip("WHET_BENCH is not set")
    root = os.path.join(BENCH, "chc")
    read = 0
    for place, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            if name.endswith(".smt2"):
                result = whet("show", os.path.join(place, name))
                equal(result.status, 0, f"{name}: {result.err}")
                read += 1
    assert read > 200, read


if __name__ == "__main__":
    main()
