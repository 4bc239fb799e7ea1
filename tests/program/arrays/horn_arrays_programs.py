"""Programs with arrays of any length as clauses: all are proved, for any length, and their wrong twins refuted by short derivations."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import SANITIZED, case, equal, main, whet, write
from clauses import check_model, solvers
from programs import PROGRAMS, clauses

RIGHT = [name for name in PROGRAMS if not name.endswith("-wrong")]
# What takes long if all is watched, or if solvers see the quantifiers.
LARGE = {"merge", "ring"}


def verify(folder, name, *options):
    path, certificate = write(folder, name + ".smt2", clauses(name)), os.path.join(folder, name + ".certificate")
    return whet("verify", path, "--quiet", "--trace", "off", "--certificate", certificate, *options), path, certificate


def assert_believed(name, certificate):
    """With the quantifiers, which the checker does not ask about: z3 finds all clauses valid, others none that is not."""
    with open(certificate, encoding="utf-8") as f:
        model = f.read()
    for solver in solvers():
        _, wrong, unknown = check_model(solver, clauses(name), model)
        assert not wrong and (solver != "z3" or not unknown), f"{name}: {solver}\n{model}"


@case
def all_have_a_wrong_twin(folder):
    equal(sorted(PROGRAMS), sorted(RIGHT + [name + "-wrong" for name in RIGHT]))


@case
def proved_for_any_length(folder):
    for name in RIGHT:
        if SANITIZED and name in LARGE:
            continue
        result, path, certificate = verify(folder, name, "--work", "8000000")
        equal(result.out.strip(), "sat", f"{name}: {result}")
        for options in [[], ["--solver", "cvc5 --incremental"]] if "cvc5" in solvers() else [[]]:
            equal(whet("check", path, certificate, *options).status, 0, f"{name} {options}")
        if name not in LARGE:
            assert_believed(name, certificate)
        assert whet("check", write(folder, "twin.smt2", clauses(name + "-wrong")), certificate).status != 0, name


@case
def wrong_twins_have_short_derivations(folder):
    for name in RIGHT:
        result, path, certificate = verify(folder, name + "-wrong", "--work", "1000000")
        equal(result.out.strip(), "unsat", f"{name}: {result}")
        equal(whet("check", path, certificate).status, 0, name)
        with open(certificate, encoding="utf-8") as f:
            steps = f.read().count("(step ")
        assert steps <= 40, f"{name}: {steps} steps"


@case
def guesses_are_shown_as_iterations(folder):
    for name, cells in (("init", [1]), ("find", [1]), ("bubble-sorted", [1, 2]), ("search", [1, 2])):
        result = whet("verify", write(folder, "p.smt2", clauses(name)), "--engine", "cells", "--work", "4000000", "--json", "-")
        iterations = json.loads(result.out)["properties"][0]["iterations"]
        equal([i["cells"] for i in iterations], cells, result)
        equal([i["answer"] for i in iterations], ["more cells"] * (len(cells) - 1) + ["safe"], result)
        for i in iterations:
            assert i["guessed"] >= 1 and i["inductive"] >= 1 and i["refuting_points"] >= 0, result


def long_run(rounds):
    """An array is filled with inputs and copied, but for one element."""
    return f"""(declare-fun P ((Array Int Int) (Array Int Int) Int) Bool) (declare-fun Q ((Array Int Int) (Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (P a b 0)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (x Int)) (=> (and (P a b i) (< i {rounds})) (P (store a i x) b (+ i 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (and (P a b i) (>= i {rounds})) (Q a b 0))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (and (Q a b i) (< i {rounds})) (Q a (store b i (select a i)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (and (Q a b i) (>= i {rounds}) (distinct (select a {rounds}) (select b {rounds}))) false)))"""


@case
def derivations_have_the_length_of_their_runs(folder):
    sizes = []
    for rounds in (48, 190):
        path, certificate = write(folder, "long.smt2", long_run(rounds)), os.path.join(folder, "certificate")
        result = whet("verify", path, "--quiet", "--work", "2000000", "--certificate", certificate)
        equal(result.out.split()[0], "unsat", result)
        assert "and " in result.out and " more]" in result.out and len(result.out) < 400 * rounds, len(result.out)
        equal(whet("check", path, certificate).status, 0)
        sizes.append(os.path.getsize(certificate))
    assert sizes[1] < 6 * sizes[0], sizes
    with open(certificate, encoding="utf-8") as f:
        text = f.read()
    lines = text.split("\n")
    defined = max(i for i, line in enumerate(lines) if line.startswith("(define-const"))
    name = lines[defined].split()[1]
    for changed, status, message in [
            (lines[:defined] + lines[defined + 1:], 2, ""),
            (lines[:defined] + [f"(define-const {name} (Array Int Int) ((as const (Array Int Int)) 0))"] + lines[defined + 1:], 1, ""),
            (lines[:defined] + [f"(define-const {name} (Array Int Int) (store nobody 1 2))"] + lines[defined + 1:], 2, "expected an array"),
            (lines[:defined] + [f"(define-const {name} Int 5)"] + lines[defined + 1:], 2, "expected the sort of an array"),
            (lines[:defined] + [f"(define-const {name} (Array Int Int) (store {name} 1))"] + lines[defined + 1:], 2, "")]:
        result = whet("check", path, write(folder, "changed", "\n".join(changed)))
        assert result.status == status or (status == 1 and result.status not in (0, 2)), result
        assert message in result.out + result.err, result


@case
def long_runs_have_short_evidence(folder):
    """Steps that choose nothing, or the same as before, are one line; each line that is changed makes it no run."""
    path, certificate = write(folder, "long.smt2", long_run(3000)), os.path.join(folder, "certificate")
    result = whet("verify", path, "--quiet", "--work", "4000000", "--certificate", certificate)
    equal(result.out.split()[0], "unsat", result)
    assert "and so on; the run is in the certificate" in result.out, result.out[-300:]
    equal(whet("check", path, certificate).out.split()[1:3], ["accepted", "(6003"])
    with open(certificate, encoding="utf-8") as f:
        lines = f.read().strip().split("\n")
    equal(lines[0], "; whet clause run 1")
    equal(lines[-3:], ["(step 3)", "(repeat 3000 4)", "(step 5)"])
    for changed, message in [
            (lines[:-2] + ["(repeat 2999 4)", lines[-1]], "does not lead on"),
            (lines[:-2] + ["(repeat 3001 4)", lines[-1]], "does not lead on"),
            (lines[:-1], "does not end with a query"),
            (lines + [lines[-1]], "comes after a query"),
            (lines[:1] + lines[2:], "does not lead on"),
            (lines[:1], "does not end with a query"),
            (lines[:-3] + ["(step 3 7)"] + lines[-2:], "has not a value for each of its choices"),
            ([lines[0], "(step 1 5 6)"] + lines[2:], "has not a value for each of its choices")]:
        result = whet("check", path, write(folder, "changed", "\n".join(changed)))
        assert result.status not in (0, 2) and message in result.out + result.err, (message, result)
    for changed, message in [
            (lines[:-1] + ["(step 6)"], "no clause of this number"), (lines[:-1] + ["(step 0)"], "no clause of this number"),
            (lines[:-1] + ["(repeat 0 5)"], "expected a number above 0"), (lines[:-1] + ["(leap 5)"], "expected a step"),
            (lines[:-1] + ["(step 5"], ""), (lines[:-1] + ["(step x)"], "no clause of this number")]:
        result = whet("check", path, write(folder, "changed", "\n".join(changed)))
        assert result.status == 2 and message in result.out + result.err, (message, result)


@case
def steps_that_divide_by_zero_are_no_run(folder):
    """SMT-LIB gives 5 div 0 no value, so that nothing follows from the step."""
    text = """(declare-fun P (Int) Bool) (assert (P 0)) (assert (forall ((x Int)) (=> (and (P x) (= (div 5 x) 0)) false)))"""
    path = write(folder, "zero.smt2", text)
    result = whet("check", path, write(folder, "c", "; whet clause run 1\n(step 1)\n(step 2 0)\n"))
    assert result.status not in (0, 2) and "divides by 0" in result.out + result.err, result


@case
def walk_does_not_prove(folder):
    for name in ("init", "ring-bounds"):
        result = verify(folder, name, "--engine", "walk", "--work", "100000")[0]
        equal(result.out.strip(), "unknown", result)


@case
def the_only_run_there_is_ends(folder):
    """Nothing is left open: a run is all there is, and `walk` says so instead of taking it again."""
    text = """(declare-fun P ((Array Int Int) Int) Bool) (assert (P ((as const (Array Int Int)) 0) 0))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a i) (< i 5)) (P (store a i i) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a i) (= i 5) (distinct (select a 3) 3)) false)))"""
    result = whet("verify", write(folder, "p.smt2", text), "--engine", "walk")
    assert "the only run there is ends without a violation" in result.out + result.err, result


if __name__ == "__main__":
    main()
