#!/usr/bin/python3
"""Runs as people read them: statements, repeated blocks, the parts of a property that fail."""
import json
import os

from harness import case, equal, main, schema, whet, write

COUNTING = """var x, y : int = 0
program p {
  while (x < 30) {
    x := x + 1;
    if (x = 2) { y := y + 1; }
    else if (x > 40) { choose { skip; } or { havoc y; } }
  }
  assert y = 0 && x < 30;
}
"""


def run_of(folder, text, *words):
    r = whet("verify", write(folder, "m.whet", text), "--engine", "explicit", *words)
    equal(r.status, 10, r)
    return r.out.splitlines()


LONG = """var x, y : int = 0
process p {
  states a, b, c
  up : a -> b : x := x + 1
  back : b -> a : y := y + 2
  done : a -> c when x > 1000000
}
safe few: !(p at c && y = 3000002)
"""


@case
def many_rounds_are_one_step(folder):
    file, certificate = write(folder, "m.whet", LONG), os.path.join(folder, "c.json")
    r = whet("verify", file, "--engine", "accelerate", "--certificate", certificate, "--json", "-")
    equal(r.status, 10, r)
    steps = json.loads(r.out)["properties"][0]["trace"]
    schema().validate(json.loads(r.out))
    equal([(s.get("round"), s.get("times")) for s in steps], [(None, None)] * 3 + [(2, 1500000), (None, None)])
    equal(steps[3]["state"]["y"], 3000002)
    r = whet("verify", file, "--engine", "accelerate")
    assert "3  the last 2 steps 1500000 times more  x = 1500001, y = 3000002" in r.out, r
    equal(whet("check", file, certificate).status, 0)


@case
def rounds_that_cannot_be_taken_are_refused(folder):
    file = write(folder, "m.whet", LONG.replace("back : b -> a", "back : b -> a when y != 2000").replace("when x > 1000000", "when x > 10"))
    certificate = os.path.join(folder, "c.json")

    def checked(times, x, y, length=2):
        state = lambda i, meta, x, y, p: json.dumps({"#meta": {"index": i, **meta}, "x": x, "y": y, "p": p})
        states = [state(0, {}, 0, 0, "a"), state(1, {"action": "p.up"}, 1, 0, "b"), state(2, {"action": "p.back"}, 1, 2, "a"),
                  state(3, {"round": length, "times": times}, x, y, "a"), state(4, {"action": "p.done"}, x, y, "c")]
        write(folder, "c.json", '{"#meta": {"whet-certificate": 1, "property": "few"}, "states": [' + ", ".join(states) + "]}")
        return whet("check", file, certificate)

    write(folder, "m.whet", open(file).read().replace("y = 3000002", "y > 100"))
    equal(checked(999, 1000, 2000).status, 0)
    for times, x, y, length, why in ((1000, 1001, 2002, 2, "each of the rounds can be taken"), (998, 1000, 2000, 2, "wrong value of x"), (0, 1, 2, 2, "no such round"), (-1, 0, 0, 2, "no such round"),
                                     (999, 1000, 2000, 3, "no such round"), (999, 1000, 2, 1, "each of the rounds can be taken"), (999, 1000, 2000, 4000000000, "no such round")):
        r = checked(times, x, y, length)
        assert r.status == 10 and why in r.out + r.err, (times, r)


@case
def statements_and_lines_are_shown(folder):
    lines = run_of(folder, COUNTING)
    equal(lines[2].split(), "1 line 3: while (x < 30): yes".split())
    equal(lines[3].split(), "2 line 4: x := x + 1 x = 1".split())
    equal(lines[4].split(), "3 line 5: if (x = 2): no".split())
    equal(lines[5].split(), "4 line 6: if (x > 40): no".split())
    assert not any("p at" in line for line in lines[2:-3]), lines


@case
def repeated_steps_are_left_out(folder):
    lines = run_of(folder, COUNTING)
    folds = [i for i, line in enumerate(lines) if "the same steps" in line]
    equal(len(folds), 1, lines)
    equal(lines[folds[0]].strip(), "..  the same steps 26 times more, then once again:")
    # The first line after it shows all that has changed meanwhile.
    assert lines[folds[0] + 1].endswith("x = 29"), lines
    full = run_of(folder, COUNTING, "--trace", "full")
    steps = [line for line in full if line.strip()[:1].isdigit()]
    equal([int(line.split()[0]) for line in steps], list(range(len(steps))))
    equal(int([line for line in lines if line.strip()[:1].isdigit()][-1].split()[0]), len(steps) - 1)


@case
def steps_with_other_inputs_are_shown(folder):
    text = "var x : 0..40 = 0\naction add(i : 1..2): x < 30 -> x := x + i\nsafe s: x < 12\n"
    lines = run_of(folder, text)
    assert any("the same step" in line for line in lines), lines
    mixed = "var x, n : 0..99 = 0\naction add(i : 0..9): i = n % 10 -> x := x + 1, n := n + 3\nsafe s: x < 12\n"
    assert not any("the same" in line for line in run_of(folder, mixed)), mixed


@case
def parts_that_fail_are_named(folder):
    lines = run_of(folder, COUNTING)
    equal([line.strip() for line in lines[-2:]], ["!  this fails: y = 0", "!  this fails: x <= 29"])
    text = "var a : int[1..4] = 0\naction up: a[3] < 3 -> a[3] := a[3] + 1\nsafe s: forall i : 1..4 . a[i] < 2\n"
    equal(run_of(folder, text)[-1].strip(), "!  this fails: a[3] <= 1")
    many = "var x : int = 0\nvar a : int[1..5] = 0\naction up: x = 0 -> x := 9\nsafe s: forall i : 1..5 . x < 9 - a[i]\n"
    lines = run_of(folder, many)
    equal([line.strip()[:14] for line in lines[-4:]], 3 * ["!  this fails:"] + ["!  and 2 more "], lines)
    promises = """var a, b : bool = false
action ask: !a && !b -> a := true, b := true
action give: a -> a := false
action again: !a && b -> a := true
ltl both: G ((a => F !a) && (b => F !b))
fair give
"""
    equal([line.strip() for line in run_of(folder, promises) if "fails" in line], ["!  this fails: G (((b) => F ((!b))))"])
    single = run_of(folder, "var x : int = 0\naction up: x < 9 -> x := x + 1\nsafe s: x < 3\n")
    assert not any("fails" in line for line in single), single


@case
def processes_are_named(folder):
    text = "var x : int = 0\nprogram a {\n  x := x + 1;\n}\nprogram b {\n  x := x + 2;\n}\nsafe s: x < 3\n"
    lines = run_of(folder, text)
    assert any("a line 3: x := x + 1" in line for line in lines) and any("b line 6: x := x + 2" in line for line in lines), lines


@case
def json_has_statements(folder):
    path = os.path.join(folder, "out.json")
    run_of(folder, COUNTING, "--json", path)
    with open(path, encoding="utf-8") as f:
        document = json.load(f)
    schema().validate(document)
    trace = document["properties"][0]["trace"]
    equal(trace[2]["statement"], "line 4: x := x + 1")
    equal(trace[2]["action"], "p.line4")
    assert "statement" not in trace[0], trace[0]


if __name__ == "__main__":
    main()
