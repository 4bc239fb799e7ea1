"""`whet simulate -i`: lines on standard input lead a run; what is shown, taken, undone, saved and refused."""
import json
import os
import subprocess

from harness import ROOT, Result, WHET, case, equal, main, whet, write

COUNTER = """var x : 0..9
var on : bool
init x = 0 && !on
action up: x < 9 -> x := x + 1
action pick(k : 0..3): !on && k > x -> x := k, on := true
action jump(k : int): on && k > 100 -> on := false
action bad: on -> x := 10 / (x - x)
safe small: x < 3
"""


def explore(path, *lines, options=()):
    process = subprocess.run([WHET, "simulate", "-i", *options, path], input="".join(line + "\n" for line in lines), capture_output=True, text=True, timeout=300, check=False)
    return Result(process, process.stdout, process.stderr)


@case
def choices_are_listed_and_taken(folder):
    path = write(folder, "m.whet", COUNTER)
    r = explore(path, "1", "3", "state")
    lines = r.out.splitlines()
    equal(lines[0], "state 0, after the start: x = 0, on = false")
    equal([line.split()[:2] for line in lines[1:5]], [["1", "up"], ["2", "pick(k"], ["3", "pick(k"], ["4", "pick(k"]])
    assert "state 1, after up: x = 1" in r.out, r
    assert "state 2, after pick(k = 3): x = 3, on = true" in r.out, r
    equal(lines[-1], "x = 3, on = true")
    equal(r.status, 0)


@case
def inputs_are_given(folder):
    path = write(folder, "m.whet", COUNTER)
    r = explore(path, "2", "2 k=1000", "run")
    assert "(other inputs too: 2 NAME=VALUE ..)" in r.out and "state 2, after jump(k = 1000): on = false" in r.out, r
    for words, message in (("2 k=5", "it cannot be taken with these inputs"), ("2 k=x", "x is no value of k"), ("2 j=1", "jump has no input called j"), ("2 k", "expected NAME=VALUE, not k")):
        assert message in explore(path, "2", words).out, words
    assert "it cannot be taken with these inputs" in explore(path, "2 k=4").out, "beyond the type"


@case
def errors_at_run_time_are_choices(folder):
    r = explore(write(folder, "m.whet", COUNTER), "2", "3", "state")
    assert "bad  run-time error: division by zero" in r.out and "run-time error in bad: division by zero" in r.out, r
    equal(r.out.splitlines()[-1], "x = 1, on = true")


@case
def steps_are_undone_and_repeated(folder):
    path = write(folder, "m.whet", COUNTER)
    r = explore(path, "1", "1", "1", "undo 2", "go", "undo 99", "2", "go 3")
    states = [line for line in r.out.splitlines() if line.startswith("state")]
    equal([line.split(",")[0] for line in states], [f"state {n}" for n in (0, 1, 2, 3, 1, 3, 0, 1)])
    equal(r.out.splitlines()[-1], "the run has the states 0 to 1")


@case
def random_steps_stop_at_a_condition(folder):
    path = write(folder, "m.whet", "var x : nat\ninit x = 0\naction up: true -> x := x + 1\n")
    r = explore(path, "break x = 17", "random 1000", "break", "random 3", "break y > 0", "random x")
    assert "after 17 steps: the condition of `break` holds" in r.out or "the condition of `break` holds\nstate 17" in r.out, r
    assert "state 20, after up: x = 20" in r.out, r
    assert "break:1:1: error: the name `y` is not declared" in r.out and "expected a number, not x" in r.out, r
    ends = explore(write(folder, "e.whet", "var x : 0..2\ninit x = 0\naction up: x < 2 -> x := x + 1\n"), "random 9")
    assert "deadlock: no action can be taken" in ends.out and "no action can be taken here" in ends.out, ends


@case
def runs_are_saved_and_loaded(folder):
    path, saved = write(folder, "m.whet", COUNTER), os.path.join(folder, "run.json")
    r = explore(path, "1", "2", f"save {saved}")
    with open(saved, encoding="utf-8") as f:
        content = json.load(f)
    equal([(s["x"], s["on"]) for s in content["states"]], [(0, False), (1, False), (2, True)], r)
    again = explore(path, "undo", options=("--from", saved))
    assert "state 2, after pick(k = 2): x = 2, on = true" in again.out and again.out.count("state 1,") == 1, again
    # Values that the steps do not lead to are computed again; a first state that is none is refused.
    content["states"][0]["x"] = 4
    wrong = explore(path, f"load {write(folder, 'wrong.json', json.dumps(content))}", "state")
    assert "these steps are no run of the model from an initial state" in wrong.out and wrong.out.splitlines()[-1] == "x = 0, on = false", wrong
    content["states"][0]["x"] = 70
    assert "no run of the model" in explore(path, f"load {write(folder, 'wrong.json', json.dumps(content))}").out
    assert "1:1: " in explore(path, f"load {write(folder, 'wrong.json', 'none')}").out
    assert "cannot read" in explore(path, "load /nonexistent").out and "name of a file is missing" in explore(path, "save").out


@case
def counterexamples_are_gone_on_from(folder):
    path, certificate = write(folder, "m.whet", COUNTER), os.path.join(folder, "run.json")
    equal(whet("verify", path, "-p", "small", "--certificate", certificate, "--quiet").status, 10)
    r = explore(path, options=("--from", certificate))
    last = [line for line in r.out.splitlines() if line.startswith("state")][-1]
    assert "x = 3" in last, r


@case
def lists_of_the_heap_are_shown(folder):
    path = os.path.join(ROOT, "tests/data/models/heap/reverse.whet")
    r = explore(path, *["1"] * 8, "state", "undo 8", "go 8", "state")
    shown = [line for line in r.out.splitlines() if line.startswith("program at") and "null" in line]
    assert len(shown) == 2 and shown[0] == shown[1] and "] -> " in shown[0], r


@case
def other_models_and_words_are_refused(folder):
    real = write(folder, "r.whet", "var x : real\ninit x = 0.5\naction up: true -> x := x + 0.5\n")
    r = explore(real)
    assert r.status == 2 and "reals" in r.err, r
    r = whet("simulate", "--from", "x.json", write(folder, "m.whet", COUNTER))
    assert r.status == 2 and "with -i" in r.err, r
    r = explore(write(folder, "n.whet", "var x : 0..1\ninit x = 0 && x = 1\naction a: true -> x := x\n"), "1", "run", "random")
    assert "there is no initial state" in r.out and "there is no run yet" in r.out, r
    r = explore(write(folder, "m.whet", COUNTER), "frob", "99", "?", "quit", "state")
    assert "there is no command frob; ? lists them" in r.out and "there is no step 99; there are 1 to 4" in r.out and "break [CONDITION]" in r.out, r
    assert not r.out.endswith("on = false\n"), "nothing is done after quit"


main()
