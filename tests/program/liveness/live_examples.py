"""The models of examples/live, and random loops over integers: what holds is compared with long runs, and runs of what fails are replayed by
an interpreter of this file.

    live_examples.py campaign SEED COUNT     more random loops"""
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import EXAMPLES, case, equal, main, whet, write

FOLDER = os.path.join(EXAMPLES, "live")
STEPS = 10000


def expected(path):
    with open(path, encoding="utf-8") as f:
        return dict(re.findall(r"^// expect (\S+): (\S+)", f.read(), re.MULTILINE))


@case
def examples_are_decided_as_they_say(folder):
    names = sorted(os.listdir(FOLDER))
    equal(len(names), 38)
    equal(sum("-wrong" in name for name in names), 19)
    for name in names:
        path = os.path.join(FOLDER, name)
        result = whet("verify", path, "--trace", "off", "--timeout", "300", "--quiet")
        found = dict(re.findall(r"^(\S+): (HOLDS|FAILS|UNKNOWN)", result.out, re.MULTILINE))
        wanted = expected(path)
        assert wanted, name
        equal(found, wanted, name)


@case
def a_loop_that_only_an_overflow_ends_is_not_said_to_end(folder):
    path = write(folder, "m.c", "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int w = 0, y = 0;\n  while (__VERIFIER_nondet_int()) {\n    if (y > 10 * w) y = -y;\n    w = w + 1;\n  }\n  return 0;\n}\n")
    result = whet("verify", path, "--property", "termination", "--work", "1000000", "--trace", "off", "--quiet")
    assert "HOLDS" not in result.out, result


# ---- random loops ----

def random_loop(r):
    """while GUARD { choose one of up to two lists of updates }, of x and y."""
    guard = [(r.choice("xy"), r.choice([">", "<", "!="]), r.randint(-2, 3)) for _ in range(r.randint(1, 2))]
    bodies = []
    for _ in range(r.randint(1, 2)):
        bodies.append([(v, r.choice(["x", "y", "0"]), r.randint(-2, 2), r.choice(["", "", "x", "y"])) for v in r.sample("xy", r.randint(1, 2))])
    return guard, bodies


def text_of(loop):
    guard, bodies = loop
    condition = " && ".join(f"{v} {op} {n}" for v, op, n in guard)
    lists = ["; ".join(f"{v} := {a} + ({n}){' + ' + b if b else ''}" for v, a, n, b in body) for body in bodies]
    body = lists[0] if len(lists) == 1 else f"if * {{ {lists[0]} }} else {{ {lists[1]} }}"
    return f"var x, y : int\ninit x >= -5 && x <= 5 && y >= -5 && y <= 5\nprogram {{\n  while {condition} {{\n    {body}\n  }}\n}}\nterminates\n"


def goes_on(guard, state):
    compare = {">": lambda a, b: a > b, "<": lambda a, b: a < b, "!=": lambda a, b: a != b}
    return all(compare[op](state[v], n) for v, op, n in guard)


def after(body, state):
    state = dict(state)
    for v, a, n, b in body:
        state[v] = (state[a] if a in "xy" else 0) + n + (state[b] if b else 0)
    return state


def check_holds(r, loop, about):
    """No run of STEPS rounds is found: some at random, and of one list of updates the one that there is from each start."""
    guard, bodies = loop
    for _ in range(20):
        state = {"x": r.randint(-5, 5), "y": r.randint(-5, 5)}
        rounds = 0
        while goes_on(guard, state) and rounds < STEPS:
            state = after(r.choice(bodies), state)
            rounds += 1
        assert rounds < STEPS, f"{about}: HOLDS, but it goes on for {STEPS} rounds"


def check_fails(loop, result, about):
    """The run that is given begins as it may, takes steps of the loop, and does not come to the end."""
    bodies = loop[1]
    found = [p for p in json.loads(result.out)["properties"] if p["verdict"] == "fails"]
    steps = [step["state"] for step in found[0]["trace"]]
    states = [{v: int(state[v]) for v in "xy"} for state in steps]
    assert states and all(-5 <= states[0][v] <= 5 for v in "xy"), about
    assert all(state["program"] != "end" for state in steps), about
    for before, later in zip(states, states[1:]):
        reached = [before] + [after([update], before) for body in bodies for update in body]
        assert later in reached, f"{about}: {before} -> {later}"


def try_loop(r, folder, number):
    loop = random_loop(r)
    about = f"{number}: {text_of(loop)}"
    result = whet("verify", write(folder, "m.whet", text_of(loop)), "--json", "-", "--work", "200000", "--quiet")
    verdict = re.search(r'"verdict": *"(\w+)"', result.out)
    assert verdict, f"{about}{result}"
    if verdict.group(1) == "holds":
        check_holds(r, loop, about)
    if verdict.group(1) == "fails":
        check_fails(loop, result, about)
    return verdict.group(1)


def loops(folder, seed, count):
    r = random.Random(seed)
    found = {}
    for number in range(count):
        word = try_loop(r, folder, number)
        found[word] = found.get(word, 0) + 1
    return found


@case
def random_loops_are_as_their_runs_are(folder):
    found = loops(folder, int(os.environ.get("WHET_SEED", "1")), 30)
    assert found.get("holds") and found.get("fails"), found


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "campaign":
        import tempfile
        with tempfile.TemporaryDirectory() as made:
            print(loops(made, int(sys.argv[2]), int(sys.argv[3])))
    else:
        main()
