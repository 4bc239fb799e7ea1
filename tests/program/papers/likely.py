#!/usr/bin/python3
"""Likely invariants from the states that engines see (Pasareanu, Pelanek, Visser 2007, section 7.3), in TAP.

Random loops are run here a second time, state by state: what is offered must hold in the first states, and what is said to be inductive in all of many more. Sums, products and roots are
proved with what was found in this way, and not without it."""
import functools
import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from harness import MODELS, SANITIZED, whet
from tap import check

SEED = int(os.environ.get("WHET_SEED", "0"))
ROUNDS = int((3 if SANITIZED else 12) * float(os.environ.get("WHET_ROUNDS", "1")))
FIRST, MANY = 60, 3000


@functools.cache
def compiled(text):
    """`(p => a)` is the only nesting that is offered."""
    words = {"=": "==", "&&": "and", "||": "or"}
    left, arrow, right = text.partition(" => ")
    text = f"not ({left}) or ({right})" if arrow else text
    return compile(" ".join(words.get(w, w) for w in text.replace("!(", "not (").split()), "formula", "eval")


def holds(text, state):
    return bool(eval(compiled(text), {}, state))


class Loop:
    """Three counters and linear updates without guards, so that few of its states say what the others are like."""

    def __init__(self, rng):
        self.first = {v: rng.randrange(0, 4) for v in "xyz"}
        self.steps = []
        for _ in range(rng.randrange(1, 3)):
            a, b = rng.randrange(1, 4), rng.randrange(1, 4)
            self.steps.append(rng.choice([
                {"x": f"x + {a}", "y": f"y + {a * b}"},
                {"x": f"x + {2 * a}", "z": f"z + {a}"},
                {"x": f"x + {a}", "y": f"y + {b}", "z": "z + x"},
                {"y": f"y + {2 * a}", "z": f"z + y + {a}"},
                {"z": f"z + {a}", "y": f"y - {b}"},
            ]))

    def text(self):
        lines = [f"var {v} : int = {n}" for v, n in self.first.items()]
        for i, step in enumerate(self.steps):
            lines.append(f"action a{i}: true -> {', '.join(step)} := {', '.join(step.values())}")
        return "\n".join(lines + ["safe far: x * y * z != 1000000007"]) + "\n"

    def states(self, count):
        seen, queue = {tuple(self.first.values())}, [self.first]
        for state in queue:
            for step in self.steps:
                after = {**state, **{v: eval(e, {}, state) for v, e in step.items()}}
                if tuple(after.values()) not in seen:
                    seen.add(tuple(after.values()))
                    queue.append(after)
            if len(queue) >= count:
                break
        return queue


def likely_of(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loop.whet")
        with open(path, "w") as f:
            f.write(text)
        result = whet("verify", path, "--engine", "explicit,widen", "--work", 100000, "--quiet", "--json", "-", *options)
        return json.loads(result.out)["properties"][0].get("likely", {"offered": [], "inductive": []})


def random_loops():
    rng = random.Random(SEED)
    offered = inductive = equations = 0
    for i in range(ROUNDS):
        loop = Loop(rng)
        found, states = likely_of(loop.text()), loop.states(MANY)
        wrong = [f for f in found["offered"] if not all(holds(f, s) for s in states[:FIRST])]
        wrong += [f for f in found["inductive"] if not all(holds(f, s) for s in states)]
        wrong += [f for f in found["inductive"] if f not in found["offered"]]
        if wrong:
            print("#", loop.text(), wrong)
        check(f"random loop {i}: offers hold in the first states, what is inductive in all", not wrong)
        offered += len(found["offered"])
        inductive += len(found["inductive"])
        equations += sum("=" in f.split() for f in found["inductive"])
    check(f"of {offered} offers {inductive} are inductive, {equations} of them equations", offered >= inductive > 0 and equations > 0)


def examples():
    for name, formula in (("sum", "2 * x = y + y * y"), ("root", "2 * a + a * a + 1 = s"), ("product", "x = p * y")):
        path = os.path.join(MODELS, "pasareanu", f"seen-{name}.whet")
        result = whet("verify", path, "--engine", "explicit,widen,spacer", "--json", "-", "-v")
        p = json.loads(result.out[result.out.index("\n{") if not result.out.startswith("{") else 0:])["properties"][0]
        check(f"{name} is proved", p["verdict"] == "safe" and p["checked"])
        check(f"{name}: {formula} is offered and inductive", formula in p["likely"]["offered"] and formula in p["likely"]["inductive"])
        check(f"{name}: a note says so", "the states that explicit saw suggest" in result.err + result.out)
        check(f"{name}: the proof builds on it", formula in [f["formula"] for f in p["facts"]])


random_loops()
if not SANITIZED:
    examples()
tap.end()
