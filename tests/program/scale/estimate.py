#!/usr/bin/python3
"""whet estimate: the true number, which explicit knows, against the interval; what may be infinite; limits, an interrupt, wrong use."""
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, SANITIZED, WHET, case, equal, example, main, whet, write  # noqa: E402

PHILOSOPHERS = os.path.join(ROOT, "bench", "models", "philosophers.whet")
PETERSON = os.path.join(ROOT, "bench", "models", "peterson.whet")
BAKERY = os.path.join(ROOT, "bench", "models", "bakery.whet")


def estimate(model, *words, status=0):
    r = whet("estimate", model, "--to", "json", *words)
    equal(r.status, status, r)
    return json.loads(r.out)


def truth(model, *words):
    r = whet("verify", model, "--engine", "explicit", "--json", "-", *words)
    equal(r.status, 0, r)
    return json.loads(r.out)["properties"][0]["statistics"]["states"]


def look(e, states, model):
    assert e["low"]["states"] <= states, (model, states, e)
    assert e["high"]["states"] is None or states <= e["high"]["states"], (model, states, e)
    assert e["found"] <= states and states <= 1.00001 * e["by_types"], (model, states, e)
    assert e["low"]["states"] <= e["middle"]["states"], e


@case
def small_spaces_are_counted(folder):
    for model, words in ((example("peterson.whet"), ("-p", "mutex")), (PETERSON, ("-D", "N=3")), (PHILOSOPHERS, ("-D", "N=5"))):
        e = estimate(model, *words)
        assert e["exact"] and not e["may_be_infinite"] and e["reason"] is None, e
        states = truth(model, *words)
        equal([e["found"], e["low"]["states"], e["middle"]["states"], e["high"]["states"]], [states] * 4, model)
    # The product of ranges, and a variable that nothing reads, which a property does without.
    model = write(folder, "free.whet", "var a : 0..6\nvar b : 0..4\nvar c : bool = true\naction up: a < 6 -> a := a + 1\naction flip: true -> c := !c\nsafe small: a + b <= 10\n")
    equal((estimate(model)["found"], estimate(model, "-p", "small")["found"]), (70, 35))
    equal(truth(model), 35)


@case
def the_true_number_is_in_the_interval(folder):
    del folder
    for model, name, n, sample in ((PHILOSOPHERS, "N", 7, 4000), (PHILOSOPHERS, "N", 8, 20000), (PETERSON, "N", 4, 1000), (PETERSON, "N", 4, 10000), (BAKERY, "N", 3, 4000)):
        states = truth(model, "-D", f"{name}={n}")
        for seed in range(2 if SANITIZED else 10):
            e = estimate(model, "-D", f"{name}={n}", "--sample", sample, "--seed", seed)
            assert not e["exact"] and e["found"] < states, e
            look(e, states, (model, n, sample, seed))
    # The relations of three variables say it exactly.
    e = estimate(PHILOSOPHERS, "-D", "N=8", "--sample", 20000)
    equal(e["by_triples"], truth(PHILOSOPHERS, "-D", "N=8"))


@case
def a_large_space_takes_a_small_sample(folder):
    del folder
    if SANITIZED:
        return
    e = estimate(PHILOSOPHERS, "-D", "N=13", "--sample", 200000)
    look(e, 141422324, "13 philosophers")  # docs/benchmarks.md
    assert e["high"]["states"] < 10 * 141422324, e
    text = whet("estimate", PHILOSOPHERS, "-D", "N=13", "--sample", 200000).out
    assert re.search(r"^states +[0-9,]+ to 1\.[4-6] \* 10\^8, perhaps", text), text
    assert re.search(r"^in memory  [0-9.]+ MB to [0-9.]+ GB, ", text, re.MULTILINE) and "--disk" in text, text


@case
def many_independent_counters(folder):
    # 11 ^ 12 states: nothing is left out by pairs, and runs do not meet.
    text = "".join(f"var c{i} : 0..10 = 0\naction up{i}: c{i} < 10 -> c{i} := c{i} + 1\naction down{i}: c{i} > 0 -> c{i} := c{i} - 1\n" for i in range(12))
    model = write(folder, "free.whet", text)
    e = estimate(model, "--sample", 20000)
    look(e, 11 ** 12, model)
    assert e["by_types"] == float(f"{11 ** 12:.6g}") or e["by_types"] == 11 ** 12, e
    # Runs of a fair coin for each counter: the bound by meetings must not be above the number of states, for any seed.
    small = write(folder, "small.whet", "".join(text.split("var c4")[0]))
    for seed in range(10):
        look(estimate(small, "--sample", 3000, "--seed", seed), 11 ** 4, (small, seed))


@case
def what_may_be_infinite_is_said(folder):
    ticket = write(folder, "up.whet", "var x : nat = 0\nvar y : 0..3 = 0\naction a: true -> x := x + 1\naction b: y < 3 -> y := y + 1\n")
    e = estimate(ticket, "--sample", 2000)
    assert e["may_be_infinite"] and not e["exact"] and e["high"]["states"] is None and e["by_types"] is None, e
    assert re.fullmatch(r"x has no bound, and was still growing: 0 to \d+ were seen", e["reason"]), e
    out = whet("estimate", ticket, "--sample", 2000).out
    assert re.search(r"^states +at least [0-9,]+; there may be infinitely many\n +x has no bound", out), out
    # An integer that stays small, in a space larger than its sample: the interval has an end, and says what it rests on.
    text = "var x : int = 0\naction up: x < 5 -> x := x + 1\naction down: x > 0 -> x := x - 1\n" + "".join(f"var b{i} : bool = false\naction f{i}: true -> b{i} := !b{i}\n" for i in range(12))
    e = estimate(write(folder, "small.whet", text), "--sample", 5000)
    look({**e, "by_types": 10 ** 9}, 6 * 2 ** 12, e)
    equal((e["reason"], e["may_be_infinite"]), ("x has no bound: only 0 to 5 were seen", True), e)
    # Whatever the sample, a counter without an end is not given one.
    for sample in (100, 300, 1000, 5000, 20000):
        for seed in range(10):
            assert estimate(ticket, "--sample", sample, "--seed", seed)["high"]["states"] is None, (sample, seed)
    # Parameters and inputs without a bound.
    e = estimate(write(folder, "n.whet", "var n : nat\nvar x : nat = 0\naction a: x < n -> x := x + 1\n"), "--sample", 2000)
    assert e["may_be_infinite"] and not e["exact"], e
    e = estimate(write(folder, "i.whet", "var x : int = 0\naction a(i : int): true -> x := i\n"), "--sample", 2000)
    assert e["may_be_infinite"] and e["reason"].startswith("not all inputs can be tried"), e


@case
def a_finite_space_of_any_size_is_not_called_infinite(folder):
    text = "".join(f"var x{i} : 0..{2 ** 50} = 0\naction a{i}: x{i} < {2 ** 50} -> x{i} := x{i} + 1\n" for i in range(40))
    e = estimate(write(folder, "huge.whet", text), "--sample", 2000)
    assert not e["may_be_infinite"] and not e["exact"] and e["reason"] is None and e["by_types"] == 1e300, e
    out = whet("estimate", os.path.join(folder, "huge.whet"), "--sample", 2000).out
    assert re.match(r"states +[0-9,]+ to more than 10\^300, perhaps ", out) and "infinite" not in out, out
    # Counters that the sample has seen a small part of.
    for values in (2 ** 10, 2 ** 20):
        text = "".join(f"var x{i} : 0..{values - 1} = 0\naction a{i}: x{i} < {values - 1} -> x{i} := x{i} + 1\n" for i in range(4))
        model = write(folder, "counters.whet", text)
        for seed in range(4):
            look(estimate(model, "--sample", 3000, "--seed", seed), values ** 4, values)


@case
def many_initial_states(folder):
    # 2 ^ 40 of them are not counted one by one.
    model = write(folder, "first.whet", "".join(f"var b{i} : bool\naction f{i}: b{i} -> b{i} := false\n" for i in range(40)))
    e = estimate(model, "--sample", 2000)
    assert e["found"] >= 2000 and not e["exact"] and e["by_types"] == float(f"{2 ** 40:.6g}") or e["by_types"] == 2 ** 40, e
    equal((e["reason"], e["may_be_infinite"], e["high"]["states"]), ("not all initial states can be tried: there are too many", False, e["by_types"]))
    model = write(folder, "none.whet", "var x : 0..3\ninit x > 5\naction a: true -> x := 0\n")
    e = estimate(model)
    equal((e["exact"], e["found"]), (True, 0))


@case
def limits_and_an_interrupt(folder):
    del folder
    e = estimate(PETERSON, "-D", "N=5", "--work", 20000, status=20)
    assert e["stopped"] == "work limit reached" and not e["exact"] and e["found"] > 0, e
    look(e, 9372001, e)
    equal(e, {**estimate(PETERSON, "-D", "N=5", "--work", 20000, status=20), **{k: e[k] for k in ("low", "middle", "high")}})
    r = whet("estimate", PETERSON, "-D", "N=5", "--sample", 10 ** 9, "-t", "2")
    assert r.status == 20 and "the sample is smaller than asked for: time limit reached" in r.out, r
    for seconds in (1, 4, 16, 64):  # on a busy machine it may not have begun
        with subprocess.Popen([WHET, "estimate", PETERSON, "-D", "N=6", "--sample", str(10 ** 9)], stdout=subprocess.PIPE, text=True) as p:
            time.sleep(seconds)
            p.send_signal(signal.SIGINT)
            out = p.communicate(timeout=60)[0]
        if "interrupted" in out:
            break
    equal(p.returncode, 20, out)
    assert "the sample is smaller than asked for: interrupted" in out and re.match(r"states +[0-9,.]+( \* 10\^[0-9]+)? to ", out), out


@case
def the_same_seed_gives_the_same_sample(folder):
    del folder
    def fixed(*words):
        e = estimate(PHILOSOPHERS, "-D", "N=8", "--sample", 5000, *words)
        return [e[k] for k in ("found", "meetings", "depth", "by_pairs", "by_meetings")] + [e["low"]["states"], e["high"]["states"]]
    equal(fixed(), fixed("--seed", "0"))
    assert fixed("--seed", "1") != fixed("--seed", "2")


@case
def wrong_use(folder):
    for words, status, message in (
            ((PETERSON, "-p", "mutx"), 2, "there is no property 'mutx'; did you mean 'mutex'?"),
            ((PETERSON, "--to", "xml"), 2, "--to: 'xml' is none of text, json"),
            ((PETERSON, "--sample", "7"), 2, "--sample"),
            ((example("list-sweep.whet"),), 2, "not done for lists on the heap"),
            ((example("timed/fischer.whet"),), 2, "not done for reals"),
            ((example("fibonacci.smt2"),), 2, "not done for models that are Horn clauses"),
            ((os.path.join(folder, "none.whet"),), 2, "there is no such file")):
        r = whet("estimate", *words)
        assert r.status == status and message in r.err and not r.out, (words, r)
    r = whet("estimate", example("middle.c"), "--sample", 1000)
    assert r.status == 0 and r.out.startswith("states"), r


main()
