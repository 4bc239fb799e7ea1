#!/usr/bin/python3
"""`whet abstract --kind may|must|must-minus|search` (Pasareanu, Pelanek, Visser 2007, sections 3.3 and 6.3), in TAP.

Random models with few states are read and run here a second time, state by state: what each kind says is compared with the definitions, and the kinds with each other. Lemma 9
(the search sees all that must steps reach) must hold of every model, and some model must show each half of Fig. 6: the search and must- steps are not comparable."""
import functools
import itertools
import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from harness import MODELS, SANITIZED, whet
from tap import check

KINDS = ("may", "must", "must-minus", "search")
HIGH = 16  # a range of more than 16 values is data
SPACE = [{"p": p, "x": x, "y": y} for p in range(3) for x in range(HIGH + 1) for y in range(HIGH + 1)]
SEED = int(os.environ.get("WHET_SEED", "0"))
ROUNDS = int((10 if SANITIZED else 40) * float(os.environ.get("WHET_ROUNDS", "1")))


@functools.cache
def compiled(text):
    """The language writes equality and its connectives differently."""
    words = {"=": "==", "&&": "and"}
    return compile(" ".join(words.get(w, w) for w in text.split()), "formula", "eval")


def holds(text, state):
    return bool(eval(compiled(text), {}, state))


class Model:
    """Actions are (name, place, guard, updates, next place)."""

    def __init__(self, rng):
        def atom():
            return rng.choice([f"x <= {rng.randrange(HIGH)}", f"y <= {rng.randrange(HIGH)}", "x <= y", "x = y", f"x + y <= {rng.randrange(3, 2 * HIGH)}"])

        def value(v):
            w = "y" if v == "x" else "x"
            return rng.choice([f"{v} + {rng.randrange(1, 4)}", f"{v} - {rng.randrange(1, 4)}", str(rng.randrange(HIGH + 1)), w, f"{HIGH} - {v}", v])

        self.predicates = [atom() for _ in range(rng.randrange(1, 3))]
        self.actions = []
        for i in range(rng.randrange(3, 6)):
            guard = atom() if rng.random() < 0.4 else "true"
            updates = {v: value(v) for v in "xy" if rng.random() < 0.5}
            self.actions.append((f"a{i}", rng.choice([0, 0, 1, 2]), guard, updates, rng.randrange(3)))
        self.init = rng.choice(["x = 0 && y = 0", f"x <= {rng.randrange(HIGH)}", self.predicates[0], f"x = {rng.randrange(HIGH)}"])
        self.atoms, self.blocks = [], {}

    def text(self):
        lines = ["var p : 0..2 = 0", f"var x, y : 0..{HIGH}", f"init {self.init}"] + [f"predicates {p}" for p in self.predicates]
        for name, place, guard, updates, to in self.actions:
            assigned = ", ".join([f"{v} := {e}" for v, e in updates.items()] + [f"p := {to}"])
            lines.append(f"action {name}: p = {place} && {guard} -> {assigned}")
        return "\n".join(lines + ["safe all: true", ""])

    def first(self):
        return [s for s in SPACE if s["p"] == 0 and holds(self.init, s)]

    def steps(self, s):
        """Assignments that leave the range are errors: the step is not there."""
        for name, place, guard, updates, to in self.actions:
            if s["p"] != place or (guard != "true" and not holds(guard, s)):
                continue
            after = {**s, **{v: eval(compiled(e), {}, s) for v, e in updates.items()}, "p": to}
            if all(0 <= after[v] <= HIGH for v in "xy"):
                yield name, after

    def take_atoms(self, states):
        """Which predicates there are is told by the output; all that guards and the text ask for must be decided by them."""
        self.atoms = [t for t in states[0]["holds"] if not t.startswith("p = ")]
        own = self.predicates + [a[2] for a in self.actions if a[2] != "true"]
        self.blocks = {key(s): (s["p"],) + tuple(holds(a, s) for a in self.atoms) for s in SPACE}
        truth = {}
        for s in SPACE:
            truth.setdefault(self.blocks[key(s)], set()).add(tuple(holds(a, s) for a in own))
        return all(len(found) == 1 for found in truth.values())

    def block(self, s):
        return self.blocks[key(s)]


def key(s):
    return (s["p"], s["x"], s["y"])


def closed(first, edges):
    """What the edges, of the form (from, action, to), lead to."""
    seen, waiting = set(first), list(first)
    while waiting:
        at = waiting.pop()
        for source, _, target in edges:
            if source == at and target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


class Meaning:
    """By the definitions, from all states that there are."""

    def __init__(self, m):
        blocks, pairs = {}, {}
        for s in SPACE:
            blocks.setdefault(m.block(s), []).append(s)
        for s in SPACE:
            for name, after in m.steps(s):
                pairs.setdefault((m.block(s), name, m.block(after)), []).append((key(s), key(after)))
        first = [m.block(s) for s in m.first()]
        whole_first = [b for b in set(first) if first.count(b) == len(blocks[b])]
        may = set(pairs)
        must = {e for e, found in pairs.items() if len({s for s, _ in found}) == len(blocks[e[0]])}
        onto = {e for e, found in pairs.items() if len({t for _, t in found}) == len(blocks[e[2]])}
        whole = closed(whole_first, onto)
        self.states = {"may": closed(first, may), "must": closed(first, must), "must-minus": closed(whole | set(first), must)}
        self.edges = {kind: {e for e in edges if e[0] in self.states[kind]} for kind, edges in (("may", may), ("must", must))}
        self.edges["must-minus"] = {e for e in must if e[0] in self.states["must-minus"]} | {e for e in onto if e[0] in whole}
        self.whole = whole
        seen, waiting = {key(s) for s in m.first()}, m.first()
        while waiting:
            for _, after in m.steps(waiting.pop()):
                if key(after) not in seen:
                    seen.add(key(after))
                    waiting.append(after)
        self.reachable = {m.block({"p": p, "x": x, "y": y}) for p, x, y in seen}

    @staticmethod
    def search(m):
        """Breadth first from one first state, matched on blocks (Fig. 2)."""
        waiting = m.first()[:1]
        seen = {m.block(s) for s in waiting}
        for s in waiting:
            for _, after in m.steps(s):
                if m.block(after) not in seen:
                    seen.add(m.block(after))
                    waiting.append(after)
        return seen


def graph_of(path, kind):
    done = whet("abstract", path, "--kind", kind, "--to", "json", "-t", "60")
    return done.err if done.status else json.loads(done.out)


def printed(path, kind, m):
    """States and edges of the output, as blocks; each of its states must be all of a block."""
    graph = graph_of(path, kind)
    if isinstance(graph, str):
        return None, None, None, graph
    blocks = []
    for state in graph["states"]:
        inside = {m.block(s) for s in SPACE if all(holds(t, s) for t in state["holds"])}
        if len(inside) != 1:
            return None, None, None, f"{state} is {len(inside)} blocks"
        blocks.append(inside.pop())
    edges = {(blocks[t["from"]], t["action"], blocks[t["to"]]) for t in graph["transitions"]}
    whole = {b for b, state in zip(blocks, graph["states"]) if state.get("whole")}
    return set(blocks), edges, whole, ""


def compare(seed, tally):
    m = Model(random.Random(seed))
    wrong, got = [], {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.whet")
        with open(path, "w") as f:
            f.write(m.text())
        if not m.take_atoms(graph_of(path, "search")["states"]):
            wrong.append("predicates are missing")
        wanted = Meaning(m)
        for kind in KINDS:
            states, edges, whole, trouble = printed(path, kind, m)
            got[kind] = states if states is not None else set()
            if trouble:
                wrong.append(f"{kind}: {trouble}")
            elif kind != "search" and (states != wanted.states[kind] or edges != wanted.edges[kind]):
                wrong.append(f"{kind}: {states} instead of {wanted.states[kind]}; {edges ^ wanted.edges[kind]}")
            if kind == "must-minus" and whole != wanted.whole:
                wrong.append(f"whole: {whole} instead of {wanted.whole}")
    if len(m.first()) == 1 and got["search"] != Meaning.search(m):
        wrong.append(f"search: {got['search']} instead of {Meaning.search(m)}")
    for less, more in itertools.pairwise([got["must"], got["must-minus"], wanted.reachable, got["may"]]):
        if not less <= more:
            wrong.append(f"{less} is not within {more}")
    if not got["must"] <= got["search"] <= wanted.reachable:
        wrong.append("Lemma 9, or Lemma 2")
    tally["search sees more"] += not got["search"] <= got["must-minus"]
    tally["must- sees more"] += not got["must-minus"] <= got["search"]
    tally["must- sees more than must"] += got["must-minus"] != got["must"]
    return [f"seed {seed}: {w}\n{m.text()}" for w in wrong]


def random_models():
    tally = {"search sees more": 0, "must- sees more": 0, "must- sees more than must": 0}
    wrong = [w for i in range(ROUNDS) for w in compare(1000 * SEED + i, tally)]
    check(f"{ROUNDS} random models: may, must, must- and the search are as defined, and Lemma 9 holds", not wrong, "\n".join(wrong[:3]))
    print(f"# {tally}")
    check("each of the search and must- sees what the other does not, of some model", SANITIZED or ROUNDS < 40 or all(tally.values()), tally)


def figure(name, kind, *options):
    path = os.path.join(MODELS, "pasareanu", name + ".whet")
    done = whet("abstract", path, "--kind", kind, "--to", "json", "-t", "60", *options)
    return {" ".join(s["holds"]) for s in json.loads(done.out)["states"]} if done.status == 0 else done


def figures():
    places = {f"P at {p} x <= 1" for p in "ABCD"}
    wanted = {"may": places | {"P at E x <= 1", "P at E x > 1"}, "must": places, "search": places | {"P at E x > 1"}}
    for kind, states in wanted.items():
        check(f"Fig. 1: {kind}", figure("fig1", kind) == states, figure("fig1", kind))
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "q"), "w") as f:
            f.write("x < 1\n")
        seen = figure("fig1", "search", "--predicates", os.path.join(folder, "q"))
        exact = figure("fig1", "may", "--predicates", os.path.join(folder, "q"))
        check("Fig. 1 (e): with x < 1 all that is reachable is seen", {"P at E x <= 1 x > 0", "P at E x > 1 x > 0"} < seen and seen < exact, (seen, exact))
    check("Fig. 6 (a): the search sees x < 0, must- steps do not", figure("fig6a", "search") == {"x >= 0", "x < 0"} and figure("fig6a", "must-minus") == {"x >= 0"})
    seen, onto = figure("onto", "search"), figure("onto", "must-minus")
    check("must- steps see what the search does not", seen - onto == {"P at p2 x > 2"} and onto - seen == {"P at p2 x <= 2"}, (seen, onto))


def refusals(folder):
    def refused(text, *words):
        path = os.path.join(folder, "refused.whet")
        with open(path, "w") as f:
            f.write(text)
        return whet("abstract", path, *words)

    product = "var x, y : int = 1\naction a: true -> x := x * y, y := x\nsafe all: true\n"
    done = refused(product, "--kind", "must")
    check("an action that is not linear is refused", done.status == 20 and "not linear" in done.err and not done.out, done)
    line = "var x : int = 1\naction a: x > 0 -> x := x + 1\nsafe all: true\n"
    for words, what in ((("--kind", "may", "--to", "smv"), "none of aut|dot|json"), (("--to", "aut"), "none of whet|smv|promela"), (("--kind", "may", "-K", "2"), "--closure")):
        done = refused(line, *words)
        check(f"{' '.join(words)} is refused", done.status == 2 and what in done.err, done)
    done = refused(line, "--kind", "may", "--predicates", os.path.join(folder, "refused.whet"))
    check("predicates that cannot be read are refused", done.status == 2 and "refused.whet:1" in done.err, done)
    done = refused(line, "--kind", "must", "--work", "1")
    check("a limit ends it", done.status == 20 and "work limit" in done.err, done)
    done = refused("var x : int = 0\naction a(i : int): i > x -> x := i\nunreachable far: x > 9\n", "--kind", "must", "--to", "json")
    check("inputs of infinite type are read `for some`", done.status == 0 and len(json.loads(done.out)["states"]) == 2, done)


figures()
with tempfile.TemporaryDirectory() as scratch:
    refusals(scratch)
random_models()
sys.exit(tap.end())
