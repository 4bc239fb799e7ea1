"""Runs that break a temporal property are short. Random small graphs, with random formulas and fairness: every run with a loop of few steps is
tried one by one in this file, by the definition of what the formula and the fairness say about it; whet must show one that is as short
as the shortest of them, without steps that change nothing if one of them has none.

    short_lassos.py campaign SEED COUNT     more random graphs"""
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import SANITIZED, case, equal, main, whet, write

LONGEST = 6  # runs of up to that many steps are tried, the loop included
ENGINES = ["explicit", "alpha", "syntactic"]
PLAIN = ["F p", "G F p", "F G p", "p U q", "G (q => F p)", "G (q => X p)", "F p || G q", "p W q", "p R q", "G F p => G F q", "X F p && F q"]
OF_CTL = ["AF p", "AG AF p", "A [p U q]", "AG (q => AF p)", "AX AF p"]
ON_A_RUN = {"AF p": "F p", "AG AF p": "G F p", "A [p U q]": "p U q", "AG (q => AF p)": "G (q => F p)", "AX AF p": "X F p"}


def random_graph(r):
    count = r.randint(2, 5)
    steps = [(r.randrange(count), r.choice("abc"), r.randrange(count)) for _ in range(r.randint(count, count + 3))]
    labels = [{name for name in "pq" if r.random() < 0.5} for _ in range(count)]
    fairness = [(r.choice(["weak", "strong", "when"]), r.choice("abc")) for _ in range(r.choice([0, 0, 1, 2]))]
    formula = r.choice(PLAIN + OF_CTL)
    return {"count": count, "steps": sorted(set(steps)), "labels": labels, "fairness": fairness, "formula": formula, "parity": r.randrange(2)}


def text_of(g):
    lines = [f"var s : 0..{g['count'] - 1} = 0"]
    for name in "pq":
        lines.append(f"define {name} = " + (" || ".join(f"s = {i}" for i in range(g["count"]) if name in g["labels"][i]) or "false"))
    for name in "abc":
        mine = [(f, t) for f, n, t in g["steps"] if n == name]
        guards = " || ".join(f"(s = {f} && to = {t})" for f, t in mine) or "false"
        lines.append(f"action {name}(to : 0..{g['count'] - 1}): {guards} -> s := to")
    for kind, name in g["fairness"]:
        lines.append(f"fair when s % 2 = {g['parity']}" if kind == "when" else f"fair {'strong ' if kind == 'strong' else ''}{name}")
    lines.append(("ctl" if g["formula"] in OF_CTL else "ltl") + f" it: {g['formula']}")
    return "\n".join(lines) + "\n"


# ---- what a run with a loop means: states[i] is left by names[i]; after the last one it is at states[loop] ----

def truths(formula, labels, loop):
    """Of the formula in Python: a list of truth values, one a position."""
    n = len(labels)
    after = [i + 1 if i + 1 < n else loop for i in range(n)]

    def ahead(i):
        seen = []
        while i not in seen:
            seen.append(i)
            i = after[i]
        return seen

    def until(a, b):
        return [any(b[j] and all(a[k] for k in ahead(i)[:at]) for at, j in enumerate(ahead(i))) for i in range(n)]

    def always(a):
        return [all(a[j] for j in ahead(i)) for i in range(n)]

    def either(a, b):
        return [x or y for x, y in zip(a, b)]

    def negated(a):
        return [not x for x in a]

    yes = [True] * n
    p, q = ([name in label for label in labels] for name in "pq")
    sometime = lambda a: until(yes, a)
    following = lambda a: [a[after[i]] for i in range(n)]
    meanings = {
        "F p": lambda: sometime(p), "G F p": lambda: always(sometime(p)), "F G p": lambda: sometime(always(p)), "p U q": lambda: until(p, q),
        "G (q => F p)": lambda: always(either(negated(q), sometime(p))), "G (q => X p)": lambda: always(either(negated(q), following(p))),
        "F p || G q": lambda: either(sometime(p), always(q)), "p W q": lambda: either(until(p, q), always(p)),
        "p R q": lambda: negated(until(negated(p), negated(q))),
        "G F p => G F q": lambda: either(negated(always(sometime(p))), always(sometime(q))),
        "X F p && F q": lambda: [x and y for x, y in zip(following(sometime(p)), sometime(q))], "X F p": lambda: following(sometime(p)),
    }
    return meanings[formula]()


def is_fair(g, states, names, loop):
    around = list(zip(states[loop:], names[loop:]))
    can = lambda state, name: any(f == state and n == name for f, n, _ in g["steps"])
    for kind, name in g["fairness"]:
        taken = any(n == name for _, n in around)
        if kind == "when" and not any(s % 2 == g["parity"] for s, _ in around):
            return False
        if kind == "weak" and not taken and all(can(s, name) for s, _ in around):
            return False
        if kind == "strong" and not taken and any(can(s, name) for s, _ in around):
            return False
    return True


def breaks(g, states, names, loop):
    formula = ON_A_RUN.get(g["formula"], g["formula"])
    return is_fair(g, states, names, loop) and not truths(formula, [g["labels"][s] for s in states], loop)[0]


def shortest(g, with_stays):
    """How many steps a run has that breaks it, at least; None if none of up to LONGEST does."""
    ways = [([0], [])]
    for length in range(1, LONGEST + 1):
        longer = []
        for states, names in ways:
            last = states[-1]
            steps = [(n, t) for f, n, t in g["steps"] if f == last and (with_stays or t != last)]
            if not any(f == last for f, _, _ in g["steps"]):
                steps = [("idle", last)]
            for name, to in steps:
                for loop, state in enumerate(states):
                    if state == to and breaks(g, states, names + [name], loop):
                        return length
                if name != "idle":
                    longer.append((states + [to], names + [name]))
        ways = longer
    return None


# ---- whet's ----

def shown(g, it):
    states = [step["state"]["s"] for step in it["trace"]]
    names = [step["action"] for step in it["trace"][1:]]
    loop = it["loop"]
    if loop == len(states) - 1:
        names.append("idle")
        assert not any(f == states[-1] for f, _, _ in g["steps"]), "it can go on"
    else:
        assert states[loop] == states[-1], "the loop is not closed"
        states.pop()
    for i, name in enumerate(names):
        to = states[i + 1] if i + 1 < len(states) else states[loop]
        assert name == "idle" or (states[i], name, to) in g["steps"], "no such step"
    return states, names, loop


def compare(folder, seed, engine):
    """1 if a run was compared."""
    g = random_graph(random.Random(seed))
    path = write(folder, f"{seed}.whet", text_of(g))
    result = whet("verify", path, "--engine", engine, "--json", "-", "--quiet", "--work", "30000000")
    it = json.loads(result.out)["properties"][0]
    if it["verdict"] != "fails":
        assert shortest(g, True) is None or it["verdict"] == "unknown", f"seed {seed}: a run breaks it\n{text_of(g)}"
        return 0
    if "loop" not in it or it.get("certificate"):  # a graph is the evidence
        return 0
    states, names, loop = shown(g, it)
    where = f"seed {seed}, {engine}: {states} {names} {loop}\n{text_of(g)}"
    assert breaks(g, states, names, loop), where
    best = shortest(g, False)
    stays = any(s == (states[i + 1] if i + 1 < len(states) else states[loop]) and names[i] != "idle" for i, s in enumerate(states))
    assert not (best and stays), f"one without steps that change nothing has {best} steps; {where}"
    best = best or shortest(g, True)
    assert best is None or len(names) <= best, f"one of {best} steps was expected; {where}"
    return 1


@case
def runs_are_as_short_as_can_be(folder):
    compared = sum(compare(folder, 1000 + i, ENGINES[i % 3]) for i in range(18 if SANITIZED else 60))
    assert compared >= (3 if SANITIZED else 10), compared


@case
def a_long_run_of_values_is_cut(folder):
    """A way of 9 steps and one of 2; a loop with a step that changes nothing and one without."""
    path = write(folder, "m.whet", "var x : 0..20 = 0\nvar y : bool = false\naction up: x < 10 -> x := x + 1\naction jump: x = 1 -> x := 10\n"
                 "action stay: x = 10 -> ;\naction turn: x = 10 -> y := !y\nltl never: G x != 10 || F x = 20\n")
    result = whet("verify", path, "--json", "-", "--quiet")
    it = json.loads(result.out)["properties"][0]
    equal([s["action"] for s in it["trace"][1:]], ["up", "jump", "turn", "turn"])
    equal(it["loop"], 2)


if __name__ == "__main__" and sys.argv[1:2] == ["campaign"]:
    import tempfile
    with tempfile.TemporaryDirectory() as made:
        first, count = int(sys.argv[2]), int(sys.argv[3])
        print(sum(compare(made, first + i, ENGINES[i % 3]) for i in range(count)), "runs compared of", count)
    sys.exit(0)
if __name__ == "__main__":
    main()
