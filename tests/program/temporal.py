#!/usr/bin/python3
"""Temporal properties: the facts about the bakery with idling processes and about a counter, and SPIN's word on random finite models."""
import os
import random
import shutil
import subprocess

from harness import *

BAKERY = """
var st1, st2 : {N, W, C} = N
var y1, y2 : nat = 0
action wait1:    st1 = N                         -> st1 := W, y1 := y2 + 1
action enter1:   st1 = W && (y2 = 0 || y1 <= y2) -> st1 := C
action release1: st1 = C                         -> st1 := N, y1 := 0
action wait2:    st2 = N                         -> st2 := W, y2 := y1 + 1
action enter2:   st2 = W && (y1 = 0 || y2 < y1)  -> st2 := C
action release2: st2 = C                         -> st2 := N, y2 := 0
"""
IDLING = "action idle1: st1 = C -> ;\naction idle2: st2 = C -> ;\n"
LIVE1 = "ctl p: AG (st1 = W => AF st1 = C)\n"
LIVE2 = "ctl p: AG (st2 = W => AF st2 = C)\n"
COUNTER = "var x : nat = 0\naction inc: true -> x := x + 1\naction reset: true -> x := 0\nctl p: AG AF x = 0\n"


def verdict(folder, model, engine, *words):
    r = whet("verify", write(folder, "m.whet", model), "--engine", engine, "--trace", "off", *words)
    return [line.split(": ", 1)[1] for line in r.out.splitlines()]


@case
def the_bakery_and_its_fairness(folder):
    table = (
        (BAKERY + "ctl p: AG !(st1 = C && st2 = C)\n", "HOLDS"),
        (BAKERY + LIVE1, "HOLDS"),
        (BAKERY + "ctl p: AG AF st1 = C\n", "FAILS"),
        (BAKERY + "ctl p: AG AF st1 = C\nfair wait1\n", "HOLDS"),
        (BAKERY + IDLING + LIVE1, "FAILS"),
        (BAKERY + IDLING + LIVE1 + "fair release2\n", "HOLDS"),
        (BAKERY + IDLING + LIVE1 + "fair strong release2\n", "HOLDS"),
        (BAKERY + IDLING + LIVE1 + "fair when st2 != C\n", "HOLDS"),
        (BAKERY + IDLING + LIVE1 + "fair when y2 = 0\n", "HOLDS"),
        (BAKERY + IDLING + LIVE1 + "fair when y2 <= y1\n", "FAILS"),
        (BAKERY + IDLING + LIVE2 + "fair release1\n", "HOLDS"),
        (BAKERY + IDLING + LIVE2 + "fair release2\n", "FAILS"),
        (COUNTER, "FAILS"),
        (COUNTER + "fair reset\n", "HOLDS"),
        (COUNTER + "fair strong reset\n", "HOLDS"),
        (COUNTER + "fair when x = 0\n", "HOLDS"),
    )
    for model, wanted in table:
        equal(verdict(folder, model, "alpha"), [wanted], model)
        path = model.replace("ctl p: AG (", "ltl p: G (").replace("AF", "F").replace("ctl p: AG", "ltl p: G")
        equal(verdict(folder, path, "alpha"), [wanted], path)


@case
def ctl_star_on_the_bakery(folder):
    # what a formula of LTL or CTL is called does not matter; engines that treat only those decide them
    falling = "var x : nat = 9\naction down: x > 0 -> x := x - 1\nctlstar p: "
    for formula, engine, wanted in (
        ("A F x = 0", "rank", "HOLDS"),
        ("A G (x = 5 => F x = 0)", "rank", "HOLDS"),
        ("AG (x = 5 => AF x = 0)", "rank", "HOLDS"),
        ("A G O x = 9", "widen", "HOLDS"),
        ("E (G F x = 0 && F x = 3)", "rank", "UNKNOWN (a ranking is about properties of the shapes F p and G (q => F p))"),
    ):
        equal(verdict(folder, falling + formula + "\n", engine), [wanted], formula)
    for formula, wanted in (
        ("AG E (G F st1 = C && G F st2 = C)", "HOLDS"),
        ("E (G F st1 = C && F G st2 = W)", "FAILS"),
        ("E (G F st1 = C && F G st2 = N)", "HOLDS"),
        ("A (G F st2 = C => G F (E[st1 != C U st2 = C]))", "HOLDS"),
        ("A (G F st2 = W => F G (EX st2 = C))", "FAILS"),
        ("E F (st1 = W && H st2 = N && G (O st2 = C => st1 = C))", "HOLDS"),
        ("AG (st1 = W => E (st1 = W W G st2 = W))", "FAILS"),
    ):
        for engine in ("alpha", "syntactic", "auto"):
            equal(verdict(folder, BAKERY + f"ctlstar p: {formula}\n", engine), [wanted], formula)


STATIONS = """
var x : 0..5 = 0
action up: x < 3 -> x := x + 1
action fin: x = 2 -> x := 5
action on: x = 3 -> x := 4
action back: x = 4 -> x := 3
"""
CANNOT = "   ..  it fails by what cannot be done from a state of this run: that is in the certificate"


@case
def what_cannot_be_done_is_shown_by_the_way_there(folder):
    """The last line of the run, if there is one; the evidence is accepted, and refused for a property that holds."""
    for formula, states, last in (
        ("ctl p: AG EF x = 0", 2, CANNOT),
        ("ctlstar p: AG (x < 5 => E (F G x = 5))", 4, CANNOT),
        ("ctlstar p: A (G F x = 3 => G F EX x = 5)", 6, CANNOT),
        ("ctlstar p: A (G F x = 3 => F G x = 3)", 6, "   ..  this is state 3 again: from there on for ever"),
        ("ctlstar p: E (G F x = 1 && G F x = 2)", 0, "p: FAILS"),
        ("ctl p: EF x = 5 && EF x > 5", 0, "p: FAILS"),
    ):
        model = write(folder, "m.whet", STATIONS + formula + "\nsafe s: x <= 5\nctlstar q: AG E (F G x = 5 || G F x = 4)\n")
        certificate = os.path.join(folder, "c.json")
        for engine in ("explicit", "alpha", "syntactic"):
            r = whet("verify", model, "--engine", engine, "--property", "p", "--certificate", certificate)
            lines = [line for line in r.out.splitlines() if not line.startswith("    ") or line.startswith("   ..")]
            equal(lines[-1].removeprefix("    "), last.removeprefix("    "), formula + engine)
            equal(sum(line[:5].strip().isdigit() for line in r.out.splitlines()), states, formula + engine + r.out)
            with open(certificate) as f:
                text = f.read()
            r = whet("check", model, certificate)
            equal("accepted" in r.out, True, formula + engine + r.out)
            write(folder, "c.json", text.replace('"property":"p"', '"property":"q"'))
            equal("accepted" in whet("check", model, certificate).out, False, formula + engine)


ENDLESS = """
var x : int = 0
var busy : bool = false
action grow: !busy -> x := x + 1
action take: x > 2 -> busy := true
action spin: busy -> busy := true
"""


@case
def a_search_without_end_finds_runs_with_loops(folder):
    table = (
        ("ltl p: G F !busy\n", "FAILS"),
        ("ltl p: F x > 20\n", "FAILS"),
        ("ctl p: AG AF !busy\n", "FAILS"),
        ("ltl p: G F !busy\naction free: busy && x > 5 -> busy := false\nfair free\n", "FAILS"),  # not enabled for ever: x <= 5
        # what leaves the states found says nothing
        ("ltl p: G F !busy\naction free: busy -> busy := false, x := x + 1\nfair free\n", "UNKNOWN (work limit reached)"),
        ("ltl p: F x > 200000\nfair strong grow\naction free: busy -> busy := false\nfair strong free\n", "UNKNOWN (work limit reached)"),
        ("ctl p: AG EF x = 0\n", "UNKNOWN (work limit reached)"),
    )
    for formula, wanted in table:
        equal(verdict(folder, ENDLESS + formula, "explicit", "--work", "3000000"), [wanted], formula)


@case
def states_without_steps_idle(folder):
    model = "var x : 0..2 = 0\naction up: x < 2 -> x := x + 1\n"
    for formula, wanted in (("ctl p: AG EX true", "HOLDS"), ("ctl p: AF AG x = 2", "HOLDS"), ("ltl p: F G x = 2", "HOLDS"),
                            ("ltl p: G F x = 0", "FAILS"), ("mu p: nu Z . <> Z", "FAILS"), ("mu p: mu Z . [] Z", "HOLDS")):
        for engine in ("explicit", "alpha"):
            equal(verdict(folder, model + formula + "\n", engine), [wanted], (formula, engine))
    r = whet("verify", write(folder, "m.whet", model + "ltl p: G F x = 0\n"), "--engine", "explicit", "-v")
    assert "1 states have no step: they idle" in r.err, r
    assert "nothing can be done any more: it stays there for ever" in r.out, r


@case
def runs_that_only_the_abstraction_takes_to_be_fair_are_no_counterexamples(folder):
    """Whether `dec` can be taken depends on its unbounded input, so the first abstract programs do not have it surely enabled."""
    model = ("var x : nat = 4\nvar b : bool = false\naction dec(n : nat): n > 0 && n <= x -> x := x - n\n"
             "action turn: true -> b := !b\nltl p: F x = 0\n")
    equal(verdict(folder, model, "syntactic"), ["FAILS"], model)
    for fair in ("fair dec\n", "fair strong dec\n"):
        equal(verdict(folder, model + fair, "syntactic"), ["HOLDS"], fair)


# ---- SPIN ----

ACTIONS, FORMULAS = 3, 8


class Model:
    """Two variables of three values, and actions with a guard and assignments of constants or of the other variable."""

    def __init__(self, source):
        choose = source.choice
        self.actions = []
        for _ in range(ACTIONS):
            guard = [(choose("ab"), choose(("=", "!=")), source.randrange(3)) for _ in range(source.randrange(1, 3))]
            self.actions.append((guard, {v: choose(("0", "1", "2", "ab".replace(v, ""))) for v in source.sample("ab", source.randrange(1, 3))}))
        self.formulas = [self.formula(source, 3) for _ in range(FORMULAS)]

    def formula(self, source, depth):
        """A tree: (operator, operands) or an atom."""
        if not depth or source.random() < 0.15:
            return (source.choice("ab"), source.choice(("=", "!=")), source.randrange(3))
        operator = source.choice(("G", "F", "G", "F", "U", "&&", "||", "=>", "!"))
        return (operator, [self.formula(source, depth - 1) for _ in range(1 if operator in "GF!" else 2)])

    def has_deadlock(self):
        """In a reachable state; nine can be."""
        found, order = {(0, 0)}, [(0, 0)]
        for a, b in order:
            state, moves = {"a": a, "b": b}, 0
            for guard, updates in self.actions:
                if not all((state[v] == c) == (o == "=") for v, o, c in guard):
                    continue
                moves += 1
                after = {**state, **{v: state[e] if e in state else int(e) for v, e in updates.items()}}
                if (after["a"], after["b"]) not in found:
                    found.add((after["a"], after["b"]))
                    order.append((after["a"], after["b"]))
            if not moves:
                return True
        return False

    def whet(self):
        lines = ["var a, b : 0..2 = 0"]
        for i, (guard, updates) in enumerate(self.actions):
            lines.append(f"action act{i}: {' && '.join(f'{v} {o} {c}' for v, o, c in guard)} -> {', '.join(f'{v} := {e}' for v, e in updates.items())}")
        for i, f in enumerate(self.formulas):
            lines.append(f"ltl f{i}: {self.show(f, {})}")
        return "\n".join(lines) + "\n"

    def promela(self):
        lines = ["byte a = 0, b = 0, t;"]
        for i, (guard, updates) in enumerate(self.actions):
            test = " && ".join(f"{v} {'==' if o == '=' else o} {c}" for v, o, c in guard)
            if len(updates) == 2:
                x, y = updates
                body = f"t = {updates[y]}; {x} = {updates[x]}; {y} = t; t = 0"
            else:
                body = "; ".join(f"{v} = {e}" for v, e in updates.items())
            lines.append(f"active proctype P{i}() {{ do :: d_step {{ {test} -> {body} }} od }}")
        words = {"G": "[]", "F": "<>", "=>": "->", "=": "=="}
        for i, f in enumerate(self.formulas):
            lines.append(f"ltl f{i} {{ {self.show(f, words)} }}")
        return "\n".join(lines) + "\n"

    def show(self, f, words):
        if len(f) == 3:
            return f"({f[0]} {words.get(f[1], f[1])} {f[2]})"
        word, parts = words.get(f[0], f[0]), [self.show(p, words) for p in f[1]]
        return f"({word} {parts[0]})" if len(parts) == 1 else f"({parts[0]} {word} {parts[1]})"


def spin_verdicts(folder, model, fair):
    """One verdict a formula."""
    verdicts = []
    for i in range(FORMULAS):
        words = ["./pan", "-a", "-m20000", "-N", f"f{i}"] + (["-f"] if fair else [])
        out = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600).stdout
        assert "errors: " in out and "max search depth too small" not in out, out
        verdicts.append("HOLDS" if "errors: 0" in out else "FAILS")
    return verdicts


@case
def spin_agrees_on_random_models(folder):
    if not shutil.which("spin") or not shutil.which("gcc"):
        raise Skip("spin or gcc is not installed")
    seen = []
    for seed in (0, 3) if SANITIZED else (0, 1, 2, 3, 11):
        model = Model(random.Random(seed))
        write(folder, "m.pml", model.promela())
        subprocess.run(["spin", "-a", "m.pml"], cwd=folder, capture_output=True, check=True, timeout=600)
        subprocess.run(["gcc", "-O0", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"], cwd=folder, check=True, timeout=1200)
        for fair in (False, True):
            if fair and model.has_deadlock():  # under -f SPIN takes no run that ends to go on idling
                continue
            text = model.whet() + (f"fair {', '.join(f'act{i}' for i in range(ACTIONS))}\n" if fair else "")
            wanted = spin_verdicts(folder, model, fair)
            for engine in ("explicit", "alpha"):
                equal(verdict(folder, text, engine), wanted, (seed, engine, text, model.promela()))
            seen += wanted
    assert min(seen.count("HOLDS"), seen.count("FAILS")) > 5, seen


def past_at(formula, labels, i):
    """From the definition: the truth of a formula at position i of a path."""
    word = formula[0]
    if word in "pq":
        return word in labels[i]
    if word == "!":
        return not past_at(formula[1], labels, i)
    if word in ("&&", "||"):
        both = past_at(formula[1], labels, i), past_at(formula[2], labels, i)
        return all(both) if word == "&&" else any(both)
    if word == "Y":
        return i > 0 and past_at(formula[1], labels, i - 1)
    if word == "O":
        return any(past_at(formula[1], labels, j) for j in range(i + 1))
    if word == "H":
        return all(past_at(formula[1], labels, j) for j in range(i + 1))
    return any(past_at(formula[2], labels, j) and all(past_at(formula[1], labels, k) for k in range(j + 1, i + 1)) for j in range(i + 1))


def past_text(formula):
    if formula[0] in "pq":
        return formula[0]
    if len(formula) == 2:
        return f"{formula[0]} ({past_text(formula[1])})"
    return f"(({past_text(formula[1])}) {formula[0]} ({past_text(formula[2])}))"


def past_random(r, operators):
    """Formulas with so many operators of the past: a path of 3 nodes repeats itself after at most 3 * 2^operators steps."""
    if not operators:
        return r.choice(("p", "q", ("!", "p"), ("&&", "p", "q"), ("||", "q", ("!", "p"))))
    word = r.choice("YOHS")
    left = past_random(r, operators - 1)
    made = ("S", left, r.choice("pq")) if word == "S" else (word, left)
    return ("!", made) if r.random() < 0.3 else made


def past_stays_false(after, truth, formula, bound, path):
    """A path that goes on with the formula false at each position, until it repeats itself or ends."""
    if past_at(formula, [truth[n] for n in path], len(path) - 1):
        return False
    return len(path) > bound or not after[path[-1]] or any(past_stays_false(after, truth, formula, bound, path + [n]) for n in after[path[-1]])


def past_gets_false(after, truth, formula, bound, path):
    """A path that goes on to a position at which the formula is false."""
    if not past_at(formula, [truth[n] for n in path], len(path) - 1):
        return True
    return len(path) <= bound and any(past_gets_false(after, truth, formula, bound, path + [n]) for n in after[path[-1]])


@case
def the_past_is_as_defined(folder):
    r, seen = random.Random(41), set()
    for _ in range(24):
        after = [r.sample(range(3), r.choice((0, 1, 1, 2))) for _ in range(3)]
        truth = ["".join(c for c in "pq" if r.random() < 0.5) for _ in range(3)]
        operators = r.randint(1, 2)
        formula, bound = past_random(r, operators), 3 * 2**operators
        text = "var s : 0..2 = 0\n" + "".join(f"action a{n}{m}: s = {n} -> s := {m}\n" for n in range(3) for m in after[n])
        for c in "pq":
            text += f"define {c} = " + " || ".join(["false"] + [f"s = {n}" for n in range(3) if c in truth[n]]) + "\n"
        text += "".join(f"ltl {name}: {word} ({past_text(formula)})\n" for name, word in (("always", "G"), ("once", "F"), ("late", "X")))
        second = [[0, n] for n in after[0]] or [[0]]  # idling adds nothing to the past
        wanted = [
            not past_gets_false(after, truth, formula, bound, [0]),
            not past_stays_false(after, truth, formula, bound, [0]),
            all(past_at(formula, [truth[n] for n in path], len(path) - 1) for path in second),
        ]
        equal(verdict(folder, text, r.choice(("explicit", "alpha", "syntactic", "auto"))), ["HOLDS" if w else "FAILS" for w in wanted], text)
        seen.update(enumerate(wanted))
    equal(len(seen), 6)


main()
