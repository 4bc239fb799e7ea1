"""whet bounds: the page's examples, other loops and actions, and random loops of which every run is counted."""
import itertools
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import ROOT, case, equal, main, whet, write

LIMIT = ("--timeout", "300")

# What is printed of each; the last is the exit status.
SHOWN = {
    "counts down by 2": ("var x : int\nprogram { while x > 0 { x := x - 2 } }", ["loop at line 2: at most (max(0, x + 1)) / 2"], 0),
    "two loops after each other": ("const n, m : int\nvar i : int\ninit i = 0 && n >= 0 && m >= 0\nprogram {\nwhile i < n { i := i + 1 }\ni := 0\nwhile i < m { i := i + 1 } }",
                                   ["loop at line 5: at most n", "loop at line 7: at most m"], 0),
    "the second is set when the first falls": ("const m : int\nvar x, y : int\ninit m >= 0 && x >= 0 && y = 0\naction inner: y > 0 -> y := y - 1\naction outer: y = 0 && x > 0 -> x := x - 1, y := m",
                                               ["action inner: at most x * m", "action outer: at most x"], 0),
    "never taken": ("var x : nat = 0\naction no: x < 0 -> x := 1\naction up: true -> x := x + 1", ["action no: at most 0", "action up: can be taken for ever"], 0),
    "any number is chosen": ("var x : int = 0\nprogram { while true { havoc x\nwhile x > 0 { x := x - 1 } } }", ["loop at line 2: can be taken for ever", "loop at line 3: can be taken for ever"], 0),
}


@case
def examples_of_the_page_are_as_it_says(folder):
    with open(os.path.join(ROOT, "docs", "bounds.md"), encoding="utf-8") as f:
        blocks = re.findall(r"^```(whet|c)\n(.*?)^```\n```\n(.*?)^```", f.read(), re.MULTILINE | re.DOTALL)
    equal(len(blocks), 3)
    for ending, text, shown in blocks:
        equal(whet("bounds", write(folder, "m." + ending, text), *LIMIT).out, shown, text)


@case
def bounds_are_printed(folder):
    for name, (text, lines, status) in SHOWN.items():
        result = whet("bounds", write(folder, "m.whet", text + "\n"), *LIMIT)
        equal((result.out.splitlines(), result.status), (lines, status), name)


@case
def json_says_the_same(folder):
    path = write(folder, "m.c", "extern int f(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  while (n > 0) n--;\n  return 0;\n}\n")
    found = json.loads(whet("bounds", path, "--to", "json", *LIMIT).out)["bounds"]
    equal([(b["kind"], b["line"], b["status"], b["bound"], b["inputs"]) for b in found], [("loop", 5, "bounded", "max(0, n)", [{"name": "n", "line": 4}])])


@case
def bad_use_is_told(folder):
    model = write(folder, "m.whet", "var x : int\naction a: x > 0 -> x := x - 1\n")
    equal(whet("bounds", model, "--to", "xml").status, 2)
    reals = whet("bounds", write(folder, "r.whet", "var x : real\naction a: x > 0 -> x := x - 1\n"))
    assert reals.status == 2 and "reals" in reals.err, reals
    equal(whet("bounds", os.path.join(folder, "none.whet")).status, 2)
    equal(whet("bounds", model, "--work", "1").status, 20)


def random_actions(r):
    """Actions over x, y, z that start within 0..3: guards compare a variable with a number, updates add or set."""
    actions = []
    for _ in range(r.randint(1, 3)):
        guard = [(r.choice("xyz"), r.choice([">", "<"]), r.randint(0, 3)) for _ in range(r.randint(1, 2))]
        updates = {v: (r.choice(["add", "add", "set"]), r.choice([-2, -1, -1, 0, 1, 2])) for v in r.sample("xyz", r.randint(1, 3))}
        actions.append((guard, updates))
    return actions


def text_of(actions):
    lines = ["var x, y, z : int", "init " + " && ".join(f"{v} >= 0 && {v} <= 3" for v in "xyz")]
    for i, (guard, updates) in enumerate(actions):
        does = ", ".join(f"{v} := {n}" if how == "set" else f"{v} := {v} + ({n})" for v, (how, n) in updates.items())
        lines.append(f"action a{i}: {' && '.join(f'{v} {op} {n}' for v, op, n in guard)} -> {does}")
    return "\n".join(lines) + "\n"


def step(action, state):
    guard, updates = action
    if not all(state["xyz".index(v)] > n if op == ">" else state["xyz".index(v)] < n for v, op, n in guard):
        return None
    after = dict(zip("xyz", state))
    for v, (how, n) in updates.items():
        after[v] = n if how == "set" else after[v] + n
    return tuple(after[v] for v in "xyz")


def is_broken(actions, first, which, bound, depth=40, most=3000):
    """A run from `first`, of up to `depth` steps, takes action `which` more often than `bound`."""
    seen = {(first, 0)}
    for _ in range(depth):
        new = set()
        for state, count in seen:
            for i, action in enumerate(actions):
                after = step(action, state)
                if after is not None:
                    new.add((after, count + (i == which)))
        if any(count > bound for _, count in new):
            return True
        seen = set(sorted(new, key=lambda s: -s[1])[:most])
    return False


@case
def random_bounds_hold_of_all_short_runs(folder):
    r = random.Random(int(os.environ.get("WHET_SEED", "7")))
    bounded = 0
    for number in range(int(os.environ.get("WHET_BOUNDS", "12"))):
        actions = random_actions(r)
        result = whet("bounds", write(folder, "m.whet", text_of(actions)), "--to", "json", "--work", "300000")
        assert result.status in (0, 20), f"{number}: {result}\n{text_of(actions)}"
        for b in json.loads(result.out)["bounds"]:
            if b["status"] != "bounded":
                continue
            bounded += 1
            for first in itertools.product(range(4), repeat=3):
                names = dict(zip("xyz", first), max=max)
                most = eval(b["bound"].replace("/", "//"), {"__builtins__": {}}, names)  # pylint: disable=eval-used
                assert not is_broken(actions, first, int(b["name"][1:]), most, depth=most + 6), f"{number}: {b} from {first}\n{text_of(actions)}"
    assert bounded, "none was found"


if __name__ == "__main__":
    main()
