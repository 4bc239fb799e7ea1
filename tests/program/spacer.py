#!/usr/bin/python3
"""The engine spacer: clauses as read, evidence, and a Spacer that lies, hangs, crashes or eats all memory: never a verdict."""
import json
import os
import re

from harness import *

SPACER = os.environ.get("WHET_SPACER_PROGRAM", os.path.join(ROOT, "build", "tests", "whet-spacer"))
MODEL = """var x, y : int = 0
action up: x < 9 -> x := x + 1, y := y + 2
safe good: y <= 18
safe bad: y != 8
"""
CLAUSES = """(set-logic HORN)
(declare-fun P (Int Bool) Bool)
(declare-fun Q (Int Int) Bool)
(assert (forall ((x Int) (b Bool)) (=> (= x 0) (P x b))))
(assert (forall ((x Int) (b Bool) (y Int)) (=> (and (P x b) (= y (+ x 2))) (Q x y))))
(assert (forall ((x Int) (y Int)) (=> (and (Q x y) (< y 100)) (P y (> y 7)))))
(assert (forall ((x Int) (y Int)) (=> (and (Q x y) %s) false)))
(check-sat)
"""


def verify(folder, *more, model=MODEL, name="m.whet", how=None, **settings):
    program = SPACER if how else WHET
    env = {"TMPDIR": folder, **({"WHET_SPACER": how} if how else {})}
    return whet("verify", write(folder, name, model), "--engine", "spacer", *more, program=program, env=env, **settings)


def both_unknown(r, reason, status):
    lines = r.out.splitlines()
    assert len(lines) == 2 and all(re.fullmatch(rf"(good|bad): UNKNOWN \({reason}\)", line) for line in lines), r
    equal(r.status, status, r)


@case
def if_the_way_back_fails_the_clauses_as_read_are_asked_once(folder):
    result = whet("verify", "-v", "--engine", "spacer", "--work", "20000000", os.path.join(ROOT, "examples", "merge-counters.smt2"))
    equal(result.out, "sat\n", result)
    equal(result.err.count("asking about the clauses as read"), 1, result)


@case
def verdicts_and_evidence(folder):
    r = verify(folder)
    equal([line for line in r.out.splitlines() if line[0] != " "], ["good: SAFE", "bad: UNSAFE"], r)
    equal(r.status, 10, r)
    assert verify(folder, how="true").out == r.out


@case
def clauses_as_read(folder):
    for query, word in (("(< y x)", "sat"), ("(> y 90)", "unsat"), ("(> y 101)", "sat")):
        path = os.path.join(folder, "found.txt")
        r = verify(folder, "--certificate", path, model=CLAUSES % query, name="m.smt2")
        equal(r.out.splitlines()[0], word, r)
        checked = whet("check", os.path.join(folder, "m.smt2"), path)
        equal(checked.status, 0, checked)


@case
def lies(folder):
    for how, prop, reason, status in (("swap", "bad", "evidence rejected: excludes bad states in part 1", 1), ("safe", "bad", "evidence rejected: excludes bad states in part 1", 1),
                                      ("false", "good", "evidence rejected: initial", 1), ("swap", "good", "Z3 gives no derivation", 20),
                                      ("reachable", "good", "Z3 gives no derivation", 20),
                                      ("values", "bad", "a step of Z3's derivation is an instance of no rule", 20)):
        r = verify(folder, "--property", prop, how=how)
        equal((r.out, r.status), (f"{prop}: UNKNOWN ({reason})\n", status), r)


@case
def lies_about_clauses(folder):
    for how, query in (("swap", "(< y x)"), ("swap", "(> y 90)"), ("safe", "(> y 90)"), ("reachable", "(< y x)"), ("false", "(< y x)")):
        r = verify(folder, model=CLAUSES % query, name="m.smt2", how=how)
        equal(r.out, "unknown\n", r)


@case
def answers_that_cannot_be_read(folder):
    for how, reason in (("quantifier", "Z3's answer has quantifiers"), ("integer", "Z3's answer speaks of more than the arguments of a relation")):
        r = verify(folder, "--property", "good", how=how)
        equal((r.out, r.status), (f"good: UNKNOWN ({reason})\n", 20), r)
    r = verify(folder, "--property", "bad", how="no-proof")
    equal((r.out, r.status), ("bad: UNKNOWN (Z3 gives no derivation)\n", 20), r)


@case
def no_answer(folder):
    both_unknown(verify(folder, how="unknown"), "Z3: unknown", 20)
    both_unknown(verify(folder, how="error"), "Z3: bit-vector size .*", 20)
    both_unknown(verify(folder, "--timeout", "0.5", how="hang"), "time limit reached", 20)
    both_unknown(verify(folder, "--memory", "300" if SANITIZED else "100", how="memory"), "memory limit reached", 20)
    both_unknown(verify(folder, how="crash"), "engine crashed: .*", 1)


@case
def the_others_go_on(folder):
    for how in ("swap", "safe", "reachable", "unknown", "hang", "memory", "crash", "false", "quantifier"):
        r = whet("verify", write(folder, "m.whet", MODEL), "--engine", "spacer,cegar", "--memory", "300", "--timeout", "60", program=SPACER,
                 env={"TMPDIR": folder, "WHET_SPACER": how})
        equal([line for line in r.out.splitlines() if line[0] != " "], ["good: SAFE", "bad: UNSAFE"], r)


@case
def turns_are_counted(folder):
    """Work is counted: runs in turns are the same whenever they are done."""
    printed = [whet("verify", write(folder, "m.whet", MODEL), "--engine", "spacer,explicit", "--jobs", "1", "--json", "-").out for _ in range(2)]
    work = [[p["statistics"]["work"] for p in json.loads(text)["properties"]] for text in printed]
    equal(work[0], work[1])
    assert all(work[0]), work


@case
def left_out(folder):
    path = write(folder, "m.whet", MODEL)
    r = whet("verify", path, "--without", "explicit", "--without", "cegar,spacer", "-v")
    order = re.search(r"the order is (.*)", r.err).group(1).split(", ")
    assert not {"explicit", "cegar", "spacer"} & set(order) and "widen" in order, r
    equal([line for line in r.out.splitlines() if line[0] != " "], ["good: SAFE", "bad: UNSAFE"], r)
    r = whet("verify", path, "--without", "nobody")
    assert r.status == 2 and "there is no engine 'nobody'" in r.err, r
    r = whet("verify", path, "--engine", "cegar", "--without", "spacer")
    assert r.status == 2 and "--without" in r.err, r


main()
