#!/usr/bin/python3
"""Facts in a folder (--facts): they pass between processes, stay behind for edited models, and whatever stands in the folder no verdict is wrong."""
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import SANITIZED, WHET, case, equal, example, main, whet, write  # noqa: E402

FIRST = "; whet fact 1: this holds in every reachable state\n"
LIMIT = ("-t", "200")
# y follows x; neither has an upper bound.
STEPS = "var x, y : int = 0\naction up: true -> x := x + 1\naction follow: y < x -> y := y + 1\nsafe below: y <= x\nsafe positive: x >= 0 && y >= 0\nsafe small: x <= 2\n"
VERDICTS = {"below": "SAFE", "positive": "SAFE", "small": "UNSAFE"}


def put(folder, assertion, variables=("x", "y"), first=FIRST):
    """A fact as whet writes it, whether it is true or not."""
    content = first + "(set-logic ALL)" + "".join(f"\n(declare-const |{name}| Int)" for name in variables) + f"\n(assert {assertion})\n"
    name = hashlib.sha256(content.encode()).hexdigest() + ".smt2"
    return write(folder, name, content)


def facts_in(folder):
    found = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
            found[name] = f.read()
    return found


def assertions(folder):
    return {re.search(r"\n\(assert (.*)\)\n$", content, re.DOTALL).group(1) for content in facts_in(folder).values()}


def note_of(r):
    found = re.findall(r"^note: (facts: .*)$", r.err, re.MULTILINE)
    return found[0] if found else ""


def verdicts_of(r):
    return dict(re.findall(r"^(\w+): (SAFE|UNSAFE|HOLDS|FAILS|UNKNOWN)", r.out, re.MULTILINE))


@case
def what_one_process_proves_another_uses(folder):
    # The show-piece of the paper of alpha: with every predicate kept everywhere and every step exact it ends on RAX only if it knows e1 >= 0 and e2 >= 0; then it has 65 abstract states.
    model, facts = example("rax.whet"), os.path.join(folder, "facts")
    job = ("verify", model, "--property", "explored", "--engine", "alpha", "--exactness", "full", "--global-predicates", "--max-iterations", "20", "--json", "-", *LIMIT)
    equal(json.loads(whet(*job, "--facts", facts).out)["properties"][0]["reason"], "iteration limit reached")
    r = whet("verify", model, "--engine", "widen", "--property", "counters", "--facts", facts, *LIMIT)
    equal(r.out, "counters: SAFE\n", r)
    assert {"(>= |e1| 0)", "(>= |e2| 0)"} <= assertions(facts), facts_in(facts)
    for name, content in facts_in(facts).items():
        equal(name, hashlib.sha256(content.encode()).hexdigest() + ".smt2")
    r = whet(*job, "--facts", facts)
    explored = json.loads(r.out)["properties"][0]
    equal((explored["verdict"], explored["engine"], explored["statistics"]["abstract_states"]), ("safe", "alpha", 65), r)
    equal({(fact["formula"], fact["engine"]) for fact in explored["facts"]}, {("e1 >= 0", "--facts"), ("e2 >= 0", "--facts")})
    equal(note_of(r), "facts: 2 of 2 kept")


@case
def two_processes_at_the_same_time(folder):
    # alpha, which would never end by itself, gets what widen finds while it works.
    with open(example("rax.whet"), encoding="utf-8") as f:
        model = write(folder, "rax.whet", f.read() + "ctl goes_on: AG (A at s2 => EF (A at s3 || A at s5))\n")
    facts = os.path.join(folder, "facts")
    alpha = subprocess.Popen([WHET, "verify", model, "-p", "goes_on", "-e", "alpha", "--global-predicates", "--facts", facts, "-v", *LIMIT],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not os.path.isdir(facts):
        time.sleep(0.02)
        equal(alpha.poll(), None)
    time.sleep(0.2)
    r = whet("verify", model, "-p", "goes_on", "-e", "widen", "--facts", facts, *LIMIT)
    equal(r.status, 20, r)
    out, err = alpha.communicate(timeout=300)
    equal(out, "goes_on: HOLDS\n", err)
    assert "facts of other processes were checked" in err and "builds on" in err, err


@case
def an_edited_model_starts_from_what_still_holds(folder):
    facts = os.path.join(folder, "facts")
    model = write(folder, "m.whet", STEPS)
    r = whet("verify", model, "--facts", facts, *LIMIT)
    equal((verdicts_of(r), note_of(r)), (VERDICTS, ""), r)
    known = assertions(facts)
    assert len(known) >= 2, known
    r = whet("verify", model, "--facts", facts, *LIMIT)
    equal((verdicts_of(r), note_of(r)), (VERDICTS, f"facts: {len(facts_in(facts))} of {len(facts_in(facts))} kept"), r)
    # y may now pass x: what says y <= x goes, the bounds below stay.
    put(facts, "(<= |y| |x|)")
    put(facts, "(>= |y| 0)")
    put(facts, "(>= |z| 0)", ("z",))
    before = len(facts_in(facts))
    write(folder, "m.whet", STEPS.replace("y < x ->", "y <= x ->"))
    r = whet("verify", model, "--facts", facts, *LIMIT)
    equal(verdicts_of(r), {**VERDICTS, "below": "UNSAFE"}, r)
    kept, found = map(int, re.match(r"facts: (\d+) of (\d+) kept, 1 about other variables$", note_of(r)).groups())
    assert 1 <= kept < found == before - 1, note_of(r)


@case
def facts_that_need_each_other_are_kept_together(folder):
    # Neither is inductive alone.
    model = write(folder, "m.whet", "var x, y : int = 0\naction a: true -> x := y\naction b: true -> y := x\nsafe s: x <= 3\n")
    facts = os.path.join(folder, "facts")
    os.mkdir(facts)
    put(facts, "(<= |x| 3)")
    equal(note_of(whet("verify", model, "--facts", facts, "-e", "kind", *LIMIT)), "facts: 0 of 1 kept")
    put(facts, "(<= |y| 3)")
    r = whet("verify", model, "--facts", facts, "-e", "kind", *LIMIT)
    assert note_of(r) in ("facts: 2 of 2 kept", "facts: 3 of 3 kept"), r


def lies(numbers):
    """An assertion that is false, or not inductive, or no formula."""
    a, b, n = numbers.choice("xy"), numbers.choice("xy"), numbers.randrange(-3, 4)
    return numbers.choice((f"(<= |{a}| {n + 3})", f"(= |{a}| {n if n >= 0 else f'(- {-n})'})", "false", f"(< |{a}| |{b}|)", f"(not (= |{a}| {n + 4}))", f"(and (>= |{a}| 0) (<= |x| |y|))",
                           f"(>= |{a}|", f"|{a}|", f"(>= |{a}| 0) (<= |{b}| 1", "(" * 50 + ")" * 50, f"(let ((z |{a}|)) (<= z 1))", f"(exists ((x Int)) (> x |{a}|))", "(>= |nobody| 0)", f"(<= (* |{a}| |{b}|) 5)",
                           f"(>= |{a}| 99999999999999999999999999)", "", "true", "(assert true)", f"(=> (> |{a}| 2) (< |{b}| 2))"))


def damage(numbers, content):
    at = numbers.randrange(len(content))
    return numbers.choice((content[:at], content[:at] + chr(numbers.randrange(1, 256)) + content[at + 1:], content + content[at:], content[:at] + content[at + 1:], "\0" * at, "", content[:at] + "\0" + content[at:]))


def fill(facts, numbers, count):
    """Half of the files lie under the right name, half are damaged."""
    for i in range(count):
        path = put(facts, lies(numbers), first=FIRST if numbers.random() < 0.9 else "; something else\n")
        if i % 2:
            with open(path, encoding="utf-8") as f:
                content = f.read()
            os.remove(path)
            write(facts, hashlib.sha256(str(i).encode()).hexdigest() + ".smt2" if numbers.random() < 0.5 else os.path.basename(path), damage(numbers, content))


@case
def a_thousand_damaged_files_change_no_verdict(folder):
    numbers, model = random.Random(11), write(folder, "m.whet", STEPS)
    files, runs = 0, (("--engine", "kind"), ("--engine", "pdr,widen"), ("--engine", "alpha,explicit", "--work", "300000"), ())
    for i, engines in enumerate(runs):
        facts = os.path.join(folder, f"facts{i}")
        os.mkdir(facts)
        fill(facts, numbers, 250)
        write(facts, "notes.txt", "no fact")
        os.mkdir(os.path.join(facts, "0" * 64 + ".smt2"))
        files += 250
        r = whet("verify", model, "--facts", facts, *engines, *LIMIT)
        assert all(word in (VERDICTS[name], "UNKNOWN") for name, word in verdicts_of(r).items()) and len(verdicts_of(r)) == 3, r
        assert not engines or verdicts_of(r)["small"] == "UNSAFE" or "alpha" in engines[1], r
        equal(r.status in (10, 20), True, r)
        assert "damaged" in note_of(r), r
    equal(files, 1000)


@case
def damaged_facts_are_written_again(folder):
    facts, model = os.path.join(folder, "facts"), write(folder, "m.whet", STEPS)
    whet("verify", model, "-p", "positive", "--facts", facts, *LIMIT)
    good = facts_in(facts)
    assert good
    for name in good:
        write(facts, name, "damaged")
    r = whet("verify", model, "-p", "positive", "--facts", facts, *LIMIT)
    equal(note_of(r), f"facts: 0 of 0 kept, {len(good)} damaged")
    equal({name: facts_in(facts)[name] for name in good}, good)


@case
def models_without_facts_say_so(folder):
    facts = os.path.join(folder, "facts")
    model = write(folder, "m.whet", "var x : real = 0\naction up: true -> x := x + 1/2\nsafe s: x >= 0\n")
    r = whet("verify", model, "--facts", facts, *LIMIT)
    equal(r.out, "s: SAFE\n", r)
    assert "--facts has no effect" in r.err and not os.path.exists(facts), r
    r = whet("verify", write(folder, "n.whet", STEPS), "--facts", model, *LIMIT)
    assert r.status == 2 and "m.whet" in r.err, r


main()
