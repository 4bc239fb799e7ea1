"""VMT-LIB through the program."""
import os
import re
from fractions import Fraction

from harness import case, equal, main, whet, write

SYSTEM = """; a counter with an input and a flag
(declare-fun x () Int) (declare-fun |x.next| () Int)
(declare-fun b () Bool) (declare-fun b1 () Bool)
(declare-fun i () Int)
(define-fun .sv0 () Int (! |x| :next x.next))
(define-fun .sv1 () Bool (! b :next b1))
(define-fun .init () Bool (! (and (= x 0) (not b)) :init true))
(define-fun .step () Bool (and (>= i 0) (<= i 3) (= x.next (+ |x| (ite |b| 0 (* 2 i))))))
(define-fun .trans () Bool (! (and .step (= b1 (not b))) :trans true))
(define-fun .p0 () Bool (! (>= x 0) :invar-property 0))
(define-fun .p3 () Bool (! (< x 5) :invar-property 3))
(define-fun .p12 () Bool (! (= (mod x 2) 0) :invar-property 12))
(define-fun .h () Bool (! (> x 2) :predicate true))
"""

ERRORS = [
    ("no init", SYSTEM.replace(":init true", ":other true"), r"no definition has the attribute :init"),
    ("no trans", SYSTEM.replace(":trans true", ":other"), r"no definition has the attribute :trans"),
    ("two inits", SYSTEM.replace(":trans true", ":trans true :init true"), r"error: (there is another :init|only the transition)"),
    ("the same index", SYSTEM.replace(":invar-property 3", ":invar-property 0"), r"11:13: error: there is another property"),
    ("an index with a zero", SYSTEM.replace(":invar-property 3", ":invar-property 03"), r"11:13: error: the value of a property is its index"),
    ("no index", SYSTEM.replace(":invar-property 3", ":invar-property p"), r"11:13: error: the value of a property is its index"),
    ("next of itself", SYSTEM.replace(":next b1", ":next b"), r"6:13: error: a variable cannot be its own"),
    ("two nexts", SYSTEM.replace("(define-fun .init", "(define-fun .sv2 () Bool (! b :next b1))\n(define-fun .init"), r"7:13: error: this variable has a :next"),
    ("unknown next", SYSTEM.replace(":next b1", ":next c"), r"6:\d+: error: unknown constant c"),
    ("next in init", SYSTEM.replace("(and (= x 0)", "(and (= x.next 0)"), r"7:13: error: only the transition"),
    ("assertion", SYSTEM + "(assert true)", r"14:1: error: VMT-LIB has no assertions"),
    ("wrong sort", SYSTEM.replace("(>= x 0)", "(+ x 0)"), r"10:\d+: error: "),
    ("cycle", SYSTEM.replace("(and .step", "(and .trans .step"), r"9:13: error: this definition refers to itself"),
    ("later definition", SYSTEM.replace("(and (>= i 0)", "(and .p0 (>= i 0)"), r"8:\d+: error: unknown constant .p0"),
    ("function", SYSTEM + "(declare-fun f (Int) Bool)", r"14:14: error: `f` is a function"),
]


def answer(path, *options):
    return whet("verify", path, "--quiet", "--timeout", "600", "--trace", "off", *options)


@case
def several_properties_with_indices_of_their_own(folder):
    result = answer(write(folder, "a.vmt", SYSTEM))
    equal(result.out, "invar0: SAFE\ninvar3: UNSAFE\ninvar12: SAFE\n")
    equal(result.status, 10)


@case
def liveness_is_read_and_not_guessed(folder):
    result = answer(write(folder, "a.vmt", SYSTEM + "(define-fun .l () Bool (! b :live-property 1))"), "--property", "live1", "--engine", "cegar")
    assert re.fullmatch(r"live1: UNKNOWN \(.+\)\n", result.out), result
    equal(result.status, 20)


@case
def liveness_does_not_choose_the_value_of_a_division_by_zero(folder):
    # whatever 5 div 0 is, it is the same at each step: b and c agree from the third state on
    result = answer(write(folder, "a.vmt", """(declare-fun z () Int) (declare-fun z1 () Int) (define-fun sz () Int (! z :next z1))
(declare-fun b () Bool) (declare-fun b1 () Bool) (define-fun sb () Bool (! b :next b1))
(declare-fun c () Bool) (declare-fun c1 () Bool) (define-fun sc () Bool (! c :next c1))
(define-fun i () Bool (! (and (= z 0) (not b) (not c)) :init true))
(define-fun t () Bool (! (and (= z1 z) (= c1 b) (= b1 (> (div 5 z) 0))) :trans true))
(define-fun l () Bool (! (= b c) :live-property 0))"""), "--engine", "syntactic")
    assert result.out.startswith("live0: UNKNOWN") and "divide by 0" in result.out, result


@case
def liveness_says_that_divisions_by_variables_are_not_treated(folder):
    system = """(declare-fun x () Int) (declare-fun x1 () Int) (define-fun sx () Int (! x :next x1))
(declare-fun i () Int)
(define-fun s () Bool (! (= x 1) :init true))
(define-fun t () Bool (! (= x1 (+ x (div 7 x))) :trans true))
"""
    for formula, words in (("(> (div 7 x) 0)", "`div` and `mod` by what is no constant"), ("(= (mod 7 (+ x 1)) 1)", "`div` and `mod` by what is no constant"), ("(> x i)", "inputs")):
        result = answer(write(folder, "a.vmt", system + f"(define-fun l () Bool (! {formula} :live-property 0))"))
        equal((result.status, result.out), (2, ""), result)
        assert words in result.err and "a.vmt:5:" in result.err, result
    equal(answer(write(folder, "a.vmt", system + "(define-fun l () Bool (! (> (div x 7) 0) :live-property 0))")).status in (0, 10, 20), True)


@case
def liveness_is_about_infinite_runs(folder):
    for formula, expected in (("b", "FAILS"), ("(>= x 0)", "HOLDS")):
        text = SYSTEM + f"(define-fun .l () Bool (! {formula} :live-property 1))"
        equal(answer(write(folder, "a.vmt", text), "--property", "live1").out, f"live1: {expected}\n")
    ends = """(declare-fun x () Int) (declare-fun y () Int) (define-fun s () Int (! x :next y)) (define-fun i () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (and (< x 3) (= y (+ x 1))) :trans true)) (define-fun l () Bool (! (< x 0) :live-property 0))"""
    result = answer(write(folder, "ends.vmt", ends))
    assert result.out.startswith("live0: UNKNOWN") and "run that ends" in result.out, result


@case
def hints_are_predicates(folder):
    assert "predicates x > 2" in whet("show", write(folder, "a.vmt", SYSTEM)).out


@case
def evidence_is_checked_again(folder):
    path = write(folder, "a.vmt", SYSTEM)
    answer(path, "--certificate", os.path.join(folder, "c.txt"))
    for name in ("invar0", "invar3", "invar12"):
        equal(whet("check", path, os.path.join(folder, f"c.{name}.txt")).status, 0, name)
    with open(os.path.join(folder, "c.invar0.txt"), encoding="utf-8") as f:
        other = f.read().replace("invar0", "invar3")
    equal(whet("check", path, write(folder, "bad", other)).status, 10)


@case
def runs_show_the_variables(folder):
    result = whet("verify", write(folder, "a.vmt", SYSTEM), "--quiet", "--timeout", "600", "--property", "invar3")
    lines = result.out.splitlines()
    equal(lines[0], "invar3: UNSAFE")
    assert re.fullmatch(r" +0  x = 0, b = false +line 7", lines[1]), result
    assert re.fullmatch(r" +!  false +line 11", lines[-1]), result


@case
def shown_systems_have_the_same_verdict(folder):
    shown = whet("show", write(folder, "a.vmt", SYSTEM))
    equal(answer(write(folder, "a.whet", shown.out)).out, "invar0: SAFE\ninvar3: UNSAFE\ninvar12: SAFE\n")


TANK = """; a tank that is filled by any amount up to a third
(declare-fun x () Real) (declare-fun x1 () Real) (declare-fun d () Real)
(declare-fun n () Int) (declare-fun n1 () Int)
(define-fun .x () Real (! x :next x1))
(define-fun .n () Int (! n :next n1))
(define-fun .init () Bool (! (and (= x 0.0) (= n 0)) :init true))
(define-fun .trans () Bool (! (and (> d 0.0) (< d (/ 1 3)) (= x1 (+ x d)) (= n1 (to_int x1)) (<= x1 10.0)) :trans true))
(define-fun .p0 () Bool (! (<= (to_real n) x) :invar-property 0))
(define-fun .p1 () Bool (! (< n 2) :invar-property 1))
"""


@case
def reals_are_read(folder):
    path, certificate = write(folder, "tank.vmt", TANK), os.path.join(folder, "tank")
    r = whet("verify", path, "--certificate", certificate, "--work", "20000000")
    assert "invar0: SAFE" in r.out and "invar1: UNSAFE" in r.out, r
    steps = re.findall(r"x = ([0-9/]+), n = (\d+)", r.out)
    values = [(Fraction(x), int(n)) for x, n in steps]
    equal(values[0], (0, 0), r)
    assert values[-1][1] >= 2 and all(n == x // 1 for x, n in values), values
    assert all(0 < b - a < Fraction(1, 3) for (a, _), (b, _) in zip(values, values[1:])), values
    for name in os.listdir(folder):
        if name != "tank.vmt":
            equal(whet("check", path, os.path.join(folder, name)).status, 0, name)
    live = TANK + "(define-fun .l () Bool (! (is_int x) :live-property 2))\n"
    r = whet("verify", write(folder, "live.vmt", live))
    equal(r.status, 2, r)
    assert "`to_int` and `is_int` are not treated in a :live-property" in r.err, r


@case
def errors_have_their_place(folder):
    for name, text, message in ERRORS:
        result = answer(write(folder, "e.vmt", text))
        equal(result.status, 2, f"{name}: {result}")
        assert re.search(message, result.err), f"{name}: {result}"


@case
def definitions_thousands_deep(folder):
    deep = 20000
    text = ("(declare-fun x () Int)(declare-fun y () Int)(define-fun s () Int (! x :next y))\n(define-fun d0 () Int x)\n(define-fun e0 () Bool true)\n"
            + "".join(f"(define-fun d{i + 1} () Int (+ d{i} 1))\n(define-fun e{i + 1} () Bool (and e{i} (> d{i} {i - 1})))\n" for i in range(deep))
            + f"(define-fun i () Bool (! (= x 0) :init true))(define-fun t () Bool (! (and (= y d{deep}) e{deep}) :trans true))\n"
            + "(define-fun p () Bool (! (= (mod x 20000) 0) :invar-property 0))")
    equal(answer(write(folder, "deep.vmt", text)).out, "invar0: SAFE\n")


if __name__ == "__main__":
    main()
