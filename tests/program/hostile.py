#!/usr/bin/python3
"""Models that are small as text and large as anything else, and names that try to be lines of their own. Limits are generous and one-sided: what is
tested ran for minutes, or for ever, when it was wrong."""
import json
import time

from harness import SANITIZED, case, equal, main, whet, write

FORGED = "x\ninvar1: SAFE\ny"
LIMIT = 4
MOST = 300 if SANITIZED else 120  # seconds, on a machine that has much else to do


def in_time(*words):
    began = time.monotonic()
    result = whet("verify", "-t", LIMIT, *words, timeout=2 * MOST)
    took = time.monotonic() - began
    assert took < MOST, f"{took} s under a limit of {LIMIT} s"
    return result


@case
def array_whose_elements_share_an_index(folder):
    n = 2000 if SANITIZED else 12000
    path = write(folder, "array.whet", f"var a : int[1..{n}]\nvar i : 1..{n} = 1\n"
                 f"action set: true -> a[i] := a[i] + 1, i := if i < {n} then i + 1 else 1\nsafe ok: a[i] >= 1\n")
    assert "ok: " in in_time("--property", "ok", path).out


@case
def squares_of_a_constant(folder):
    lines = ["var x : int = 3", "var y : int = 0", "define d0 = x"] + [f"define d{i} = d{i - 1} + d{i - 1} * d{i - 1}" for i in range(1, 31)]
    lines.append("action go: y < 10 -> y := y + 1")
    path = write(folder, "squares.whet", "\n".join(lines + ["safe ok: y <= 10 || d30 < 0"]) + "\n")
    equal(in_time(path).out, "ok: SAFE\n")
    path = write(folder, "squares.whet", "\n".join(lines + ["safe ok: d30 > 0"]) + "\n")
    assert in_time(path).out.split()[1] in ("SAFE", "UNKNOWN")


def lines_of(name):
    """The lines of every text that whet writes about a model of this name."""
    for words in (["verify"], ["verify", "--trace", "full"], ["verify", "-v"], ["verify", "--engine", "explicit"], ["show"]):
        result = whet(*words, name)
        yield from result.out.split("\n")
        yield from result.err.split("\n")


def check(path, verdict):
    for line in lines_of(path):
        assert not line.startswith("invar1: SAFE"), line
        assert "\x1b" not in line, line
    report = whet("verify", "--json", "-", path).out
    assert "\x1b" not in report
    assert json.loads(report)["properties"][0]["verdict"] == verdict


@case
def name_in_a_vmt_system(folder):
    x = f"|{FORGED}|"
    check(write(folder, "names.vmt", f"(declare-fun {x} () Int)\n(declare-fun xn () Int)\n(define-fun s () Int (! {x} :next xn))\n"
                f"(define-fun i () Bool (! (= {x} 0) :init true))\n(define-fun t () Bool (! (= xn (+ 1 {x})) :trans true))\n"
                f"(define-fun p () Bool (! (< {x} 2) :invar-property 1))\n"), "unsafe")


@case
def names_in_horn_clauses(folder):
    x, p, q = f"|{FORGED}|", f"|P{FORGED}|", f"|Q{FORGED}|"
    check(write(folder, "names.smt2", f"(set-logic HORN)\n(declare-fun {p} (Int) Bool)\n(declare-fun {q} (Int) Bool)\n"
                f"(assert (forall (({x} Int)) (=> (= {x} 0) ({p} {x}))))\n"
                f"(assert (forall (({x} Int)) (=> (and ({p} {x}) (< {x} 5)) ({p} (+ {x} 1)))))\n"
                f"(assert (forall (({x} Int)) (=> ({p} {x}) ({q} {x}))))\n"
                f"(assert (forall (({x} Int)) (=> (and ({q} {x}) (= {x} 3)) false)))\n(check-sat)\n"), "unsafe")


@case
def what_steers_a_terminal_is_refused(folder):
    path = write(folder, "steers.smt2", "(set-logic HORN)\n(declare-fun |P\x1b[32m| (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (|P\x1b[32m| x))))\n")
    result = whet("verify", path)
    equal(result.status, 2, result)
    assert "steers.smt2:2:" in result.err and "\x1b" not in result.out + result.err, result


main()
