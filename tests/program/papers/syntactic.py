#!/usr/bin/python3
"""syntactic from outside, in TAP: the facts of Namjoshi, Kurshan 2000 and those that docs/engines/syntactic.md lists, `whet abstract`, SPIN on what it prints, bad requests.

Every text and number here comes from the paper or from programs that share no code with whet; equality programs are counted below."""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import smv_reader
import tap
from harness import MODELS, WHET
from tap import check, skip

folder = tempfile.TemporaryDirectory()


def path_of(model):
    if model.endswith(".whet"):
        return model if os.path.isabs(model) else os.path.join(MODELS, model)
    path = os.path.join(folder.name, "model.whet")
    with open(path, "w") as f:
        f.write(model)
    return path


def whet(*words):
    return subprocess.run([WHET, *words], capture_output=True, text=True, timeout=3000)


def verify(model, *options, property=None):
    words = ["verify", path_of(model), "--engine", "syntactic", "--timeout", "600", "-q", "--json", "-", *options]
    done = whet(*words, *(["--property", property] if property else []))
    if done.returncode not in (0, 10, 20):
        return [{"verdict": f"exit {done.returncode}: {done.stderr}", "iterations": []}]
    return json.loads(done.stdout)["properties"]


def verdicts(model, *options):
    return {p["name"]: p["verdict"] for p in verify(model, *options)}


def expect(name, model, wanted, *options, property=None, **numbers):
    r = verify(model, *options, property=property)[0]
    last = r["iterations"][-1] if r["iterations"] else {}
    seen = {k: last.get(k) for k in numbers}
    good = r["verdict"] == wanted and (wanted == "unknown" or r.get("checked") is True) and seen == numbers
    check(name, good, f"{r['verdict']} {r.get('reason', '')}, wanted {wanted}; {last}, wanted {numbers}")
    return r


def abstract(model, *options):
    done = whet("abstract", path_of(model), *options)
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr}"


# ---- Fig. 1 and Fig. 2 ----

ACTIONS = """
action wait1: st1 = N -> st1, y1 := W, y2 + 1
action enter1: st1 = W && (y2 = 0 || y1 <= y2) -> st1 := C
action release1: st1 = C -> st1, y1 := N, 0
action wait2: st2 = N -> st2, y2 := W, y1 + 1
action enter2: st2 = W && (y1 = 0 || y2 < y1) -> st2 := C
action release2: st2 = C -> st2, y2 := N, 0
"""
FIG1 = "var st1, st2 : {N, W, C}\nvar y1, y2 : nat\ninit st1 = N && y1 = 0 && st2 = N && y2 = 0\n" + ACTIONS
FIG2 = """var st1, st2 : {N, W, C}
var b1, b2, b3 : bool
// b1: y1 = 0
// b2: y2 = 0
// b3: y1 <= y2
init st1 = N && b1 && st2 = N && b2 && b3
action wait1: st1 = N -> st1, b1, b2, b3 := W, false, b2, false
action enter1: st1 = W && (b2 || b3) -> st1, b1, b2, b3 := C, b1, b2, b3
action release1: st1 = C -> st1, b1, b2, b3 := N, true, b2, true
action wait2: st2 = N -> st2, b1, b2, b3 := W, b1, false, true
action enter2: st2 = W && (b1 || !b3) -> st2, b1, b2, b3 := C, b1, b2, b3
action release2: st2 = C -> st2, b1, b2, b3 := N, b1, true, b1
"""
MUTEX = "safe mutex: !(st1 = C && st2 = C)\n"
text = abstract(FIG1 + MUTEX)
check("Fig. 1 becomes Fig. 2, text for text", "".join(text.splitlines(True)[3:]) == FIG2 + "safe mutex: st1 != C || st2 != C\n", text)
check("and says that it is exact", "// exact" in text and "joint" in text, text)
expect("Fig. 1: 3 predicates, one round, 9 states, no question but the one for Psi", FIG1 + MUTEX, "safe", predicates=3, rounds=1, exact=True, abstract_states=9,
       queries=1, defined=0)
literal = FIG1.replace("st2 = C -> st2, y2 := N, 0", "st2 = C -> st1, y2 := N, 0")
expect("release2 as the paper prints it breaks mutual exclusion", literal + MUTEX, "unsafe")
for n, predicates, states in ((3, 6, 31), (4, 10, 129), (5, 15, 651)):
    expect(f"bakery{n}", f"predabs/bakery{n}.whet", "safe", predicates=predicates, new=0, exact=True, abstract_states=states)

# ---- other facts of section 4 ----

expect("lem0 at K = 1", "predabs/lem0.whet", "safe", "-K", "1", abstract_states=2, consistency="joint")
expect("lem0, grouped", "predabs/lem0.whet", "safe", "-K", "1", "--consistency", "grouped")
expect("Fig. 4 of Pasareanu, Pelanek, Visser 2007 at K = 1", "fig4.whet", "safe", "-K", "1")
for k in (1, 3, 5):
    expect(f"with an initialising action never: K = {k}", "predabs/fig4b.whet", "unknown", "-K", str(k))
expect("parity is not refuted", "predabs/parity.whet", "unknown", "-K", "4")

TICKET = """const N = %d
var t, s : int
init s = t
process P[i : 1..N] {
  var a : int
  states idle, waiting, critical
  take:  idle -> waiting : a := t, t := t + 1
  enter: waiting -> critical when a <= s
  leave: critical -> idle : s := s + 1
}
safe mutex: forall i : 1..N, j : 1..N . i < j => !(P[i] at critical && P[j] at critical)
"""
for n in (2, 3):
    expect(f"ticket{n}: not yet at K = {n - 1}", TICKET % n, "unknown", "-K", str(n - 1))
    expect(f"ticket{n}: proved at K = {n}", TICKET % n, "safe", "-K", str(n), exact=False, **({"predicates": 8} if n == 2 else {}))
    check(f"ticket{n}: without -K the same is found", [i["rounds"] for i in verify(TICKET % n)[0]["iterations"]] == list(range(1, n + 1)))
nat = (TICKET % 2).replace("var t, s : int\ninit s = t", "var t, s : nat = 0").replace("a : int", "a : nat = 0")
expect("ticket2 from zero: not at K = 2", nat, "unknown", "-K", "2")
expect("ticket2 from zero at K = 3", nat, "safe", "-K", "3")
for k in (4, 5):
    expect(f"ticket2 from zero at K = {k}: the 25 abstract states that are real", nat, "safe", "-K", str(k), abstract_states=25)
expect("ticket2 that serves two at a time", nat.replace("s := s + 1", "s := s + 2"), "unsafe")
r = verify("rax.whet", "-K", "1", property="nodeadlock")[0]
check("RAX at K = 1: the deadlock is 7 steps away", r["verdict"] == "unsafe" and len(r["trace"]) == 8, r)
expect("BRP at K = 2", "brp/brp.whet", "unknown", "-K", "2")
expect("BRP at K = 3, joint", "brp/brp.whet", "safe", "-K", "3", consistency="joint")
for error, steps in (("e1", 6), ("e2", 6), ("e3", 18)):
    r = verify(f"brp/brp-{error}.whet")[0]
    check(f"BRP {error}: refuted in {steps} steps", r["verdict"] == "unsafe" and len(r["trace"]) == steps + 1, r["verdict"])

# ---- 4.1: variables that the user keeps ----

expect("a counter 0..40 that is kept becomes no boolean (the predicate is x = 0)", "predabs/counter40.whet", "holds", property="returns", predicates=1, abstract_states=41, exact=True)
with open(path_of("predabs/counter40.whet")) as f:
    counter = f.read()
without = counter.replace("control n\n", "")
expect("the same with --keep", without, "holds", "--keep", "n", property="far", predicates=1, abstract_states=41)
r = verify(without, "-K", "3", property="far")[0]["iterations"][-1]
check("and without: predicates about it", r["predicates"] > 3 and not r["exact"], r)
text = abstract(counter)
check("it is a variable of the program", "var n : 0..40\n" in text and "control n\n" in text and "n + 1" in text, text)
again = verdicts(text)
check("what is printed keeps it too", again == {"bound": "safe", "returns": "holds", "far": "holds"}, again)
arrays = """var a : 0..30[1..2]
control a
process P[i : 1..2] {
  var k : 0..20 = 0
  states s
  go: s -> s when k < 20 && a[i] < 30 : k := k + 1, a[i] := a[i] + 1
}
control P.k
init a[1] = 0 && a[2] = 0
safe same: a[1] = P[1].k
"""
shown = whet("show", path_of(arrays)).stdout
check("all elements of an array, and all copies", all(f"control {v}\n" in shown for v in ("a[1]", "a[2]", "P[1].k", "P[2].k")), shown)
check("and a formula about two of them", verdicts(arrays) == {"same": "safe"}, verdicts(arrays))

# ---- inputs ----

INP = "var x : nat = 0\naction a(i : nat): %s -> x := i\npredicates x = 0\n%s"
LOGIC = "ctl eg: EG true\nmu for_ever: nu X . <> X\nctl ax: AX x != 0\nctl stays: AG (x != 0 => AG x != 0)\n"
r = verify(INP % ("x < i", LOGIC))
check("inp: all four hold", [p["verdict"] for p in r] == ["holds"] * 4 and all(p["checked"] for p in r), r)
check("inp: one predicate, two mixed, two states, exact", r[0]["iterations"][-1] | {"queries": 0} == {
    "rounds": 1, "predicates": 1, "new": 0, "mixed": 2, "defined": 0, "consistency": "joint", "exact": True, "abstract_states": 2, "queries": 0}, r[0]["iterations"])
check("inp: F is !(i <= x) & !(i = 0)", "action a(c1 : bool, c2 : bool): c1 && !c2 -> b1 := c2\n" in abstract(INP % ("x < i", LOGIC)), abstract(INP % ("x < i", LOGIC)))
r = verify(INP % ("x <= i", "ctl zero: EG x = 0\nctl more: EF x != 0\n"))
check("inp with x <= i: 2 states, exact", [(p["verdict"], p["iterations"][-1]["abstract_states"], p["iterations"][-1]["exact"]) for p in r] == [("holds", 2, True)] * 2, r)
r = verify(INP % ("x < i && i <= 3", "mu for_ever: nu X . <> X\n"), "-K", "9")
check("inp up to 3: predicates x = 0, x <= 2, x <= 1, 4 states, no infinite run", r[0]["verdict"] == "fails" and r[0]["iterations"][-1]["abstract_states"] == 4
      and sorted(r[0]["predicates"]) == ["x <= 1", "x <= 2", "x = 0"], r)
said = whet("verify", path_of(INP % ("x < i && i <= 3", "ctl idles: AF AG x = 3\n")), "--engine", "syntactic", "-v")
check("a state without a step idles, and that is said", said.stdout == "idles: HOLDS\n" and "idle" in said.stderr, said)
expect("xfer: 6 predicates, 3 mixed, 4 states", "predabs/xfer.whet", "holds", "-K", "9", predicates=6, mixed=3, abstract_states=4, exact=True)
CELL = """var d, r : int
var full, got : bool
var st : {S, R}
init !full && !got && st = S
action put(v : int): st = S && !full -> d, full, st := v, true, R
action get: st = R && full -> r, full, got, st := d, false, true, S
ctl same: AG (got && st = S && !full => r = d)
"""
expect("cell: 1 predicate, 1 mixed, 7 states", CELL, "holds", predicates=1, mixed=1, abstract_states=7, exact=True)

# ---- fairness ----

check("bakery2 as it is in the models", verdicts("bakery2.whet") == {"mutex": "safe", "live1": "holds", "live2": "holds"}, verdicts("bakery2.whet"))
C = "ctl live1: AG (st1 = W => AF st1 = C)\nctl live2: AG (st2 = W => AF st2 = C)\nctl again: AG AF st1 = C\nltl live1': G (st1 = W => F st1 = C)\nltl again': G F st1 = C\n"
check("bakery2 without fairness", verdicts(FIG1 + C) == {"live1": "holds", "live2": "holds", "again": "fails", "live1'": "holds", "again'": "fails"}, verdicts(FIG1 + C))
check("bakery2, weak wait1", verdicts(FIG1 + C + "fair wait1\n")["again"] == "holds")
IDLE = FIG1 + "action idle1: st1 = C -> ;\naction idle2: st2 = C -> ;\n" + "ctl live1: AG (st1 = W => AF st1 = C)\nltl live1': G (st1 = W => F st1 = C)\n"
for fair, wanted in (("", "fails"), ("fair release2", "holds"), ("fair strong release2", "holds"), ("fair when st2 != C", "holds"), ("fair when y2 = 0", "holds"),
                     ("fair when y2 <= y1", "fails")):
    seen = verdicts(IDLE + fair + "\n")
    check(f"bakery2 with idling, {fair or 'no fairness'}: {wanted}", seen == {"live1": wanted, "live1'": wanted}, seen)
expect("state fairness y2 <= y1 adds one predicate", IDLE + "fair when y2 <= y1\n", "fails", property="live1", predicates=4, exact=True)
LIVE2 = IDLE.replace("st1 = W => AF st1 = C", "st2 = W => AF st2 = C")
check("live2: weak release1", verdicts(LIVE2 + "fair release1\n")["live1"] == "holds")
check("live2: weak release2 does not help", verdicts(LIVE2 + "fair release2\n")["live1"] == "fails")
CNT = "var x : nat = 0\naction inc: true -> x := x + 1\naction reset: true -> x := 0\nctl zero: AG AF x = 0\nltl zero': G F x = 0\n%s\n"
for fair, wanted in (("", "fails"), ("fair reset", "holds"), ("fair strong reset", "holds"), ("fair when x = 0", "holds")):
    r = verify(CNT % fair)
    check(f"cnt, {fair or 'no fairness'}: {wanted}", [p["verdict"] for p in r] == [wanted] * 2 and r[0]["iterations"][-1]["predicates"] == 1, r)

# ---- the closure has no end, but what is reached is finite (Theorem 3, repaired) ----

served = nat + "".join(f"fair P[{i}].enter\nfair P[{i}].leave\n" for i in (1, 2)) + (
    "ltl serves: G (P[1] at waiting => F P[1] at critical)\nctl serves2: AG (P[2] at waiting => AF P[2] at critical)\n"
    "ltl again: G F P[1] at critical\nctl possible: AG EF P[1] at critical\nmu stuck: mu Z . P[1] at critical || <> Z\n")
r = verify(served)
check("ticket2 serves everybody, need not serve anybody again, always can", [p["verdict"] for p in r] == ["safe", "holds", "holds", "fails", "holds", "holds"]
      and all(p["checked"] for p in r), [(p["name"], p["verdict"], p.get("reason")) for p in r])
check("by 25 states at K = 4", all(p["iterations"][-1]["abstract_states"] == 25 and p["iterations"][-1]["rounds"] == 4 for p in r[1:5]), [p["iterations"][-1] for p in r])
resting = served.replace("  leave:", "  rest: critical -> critical\n  leave:")
seen = [verify(m, property="serves")[0] for m in (resting, resting.replace("fair P[2].leave\n", ""))]
check("with resting it takes fairness of leave", [(p["verdict"], p["checked"]) for p in seen] == [("holds", True), ("fails", True)], seen)

# ---- evidence: written, checked again, and changed ----

for name, model, property in (("holds", FIG1 + C, "live1"), ("a loop", CNT % "", "zero'"), ("a run without end", IDLE, "live1'"), ("fails, by the quotient", FIG1 + "mu m: [] false\n", "m")):
    certificate = os.path.join(folder.name, "certificate")
    path = path_of(model)
    whet("verify", path, "--engine", "syntactic", "--property", property, "--certificate", certificate, "-q")
    done = whet("check", path, certificate)
    check(f"certificate, {name}: accepted again", done.returncode == 0 and "accepted" in done.stdout, done)
    with open(certificate) as f:
        text = f.read()
    for before, after in (('"claim":"holds"', '"claim":"fails"'), ('"claim":"fails"', '"claim":"holds"'), ('"loop":', '"loops":')):
        if before in text:
            with open(certificate, "w") as f:
                f.write(text.replace(before, after))
            done = whet("check", path, certificate)
            check(f"certificate, {name}: not accepted with {after}", done.returncode in (10, 20) and "accepted" not in done.stdout, done)

nothing = "var x : 0..1\nvar y : int\ninit x > 1\naction a: y > 0 -> y := y - 1\nsafe s: y = 3\nctl c: EF x = 1\nltl l: G F y = 4\nmu m: mu Z . Z\n"
check("everything holds of a model without initial state", list(verdicts(nothing).values()) == ["safe", "holds", "holds", "holds"], verdicts(nothing))

# ---- Theorem 6: equality programs end, with at most n(n-1)/2 predicates, and reach what is real ----


def equality_program(r):
    n, places = r.randint(2, 4), 3
    names = [f"x{i}" for i in range(n)]
    actions = []
    for _ in range(r.randint(2, 5)):
        guard = None if r.random() < 0.4 else (r.sample(range(n), 2), r.random() < 0.5)
        assigned = r.sample(range(n), r.randint(0, n))
        actions.append((r.randrange(places), guard, {v: r.randrange(n) for v in assigned}, r.randrange(places)))
    kept = r.sample(range(n), 2)
    lines = [f"var {', '.join(names)} : int", "var pc : {L0, L1, L2} = L0"]
    for i, (at, guard, assigned, to) in enumerate(actions):
        test = f" && {names[guard[0][0]]} {'=' if guard[1] else '!='} {names[guard[0][1]]}" if guard else ""
        updates = [f"pc := L{to}"] + [f"{names[v]} := {names[w]}" for v, w in assigned.items()]
        lines.append(f"action a{i}: pc = L{at}{test} -> {', '.join(updates)}")
    lines.append(f"safe never: !(pc = L2 && {names[kept[0]]} = {names[kept[1]]})")
    return n, actions, kept, "\n".join(lines) + "\n"


def reach(n, actions, predicates):
    """Concrete states over values 0..n-1, which is as many as can differ, seen through the predicates."""
    unexplored = [(0, *values) for values in itertools.product(range(n), repeat=n)]
    seen = set(unexplored)
    while unexplored:
        pc, *x = unexplored.pop()
        for at, guard, assigned, to in actions:
            if pc != at or (guard and (x[guard[0][0]] == x[guard[0][1]]) != guard[1]):
                continue
            after = (to, *(x[assigned[v]] if v in assigned else x[v] for v in range(n)))
            if after not in seen:
                seen.add(after)
                unexplored.append(after)
    return seen, len({(s[0], *(s[1 + a] == s[1 + b] for a, b in predicates)) for s in seen})


source = random.Random(6)
wrong, many = [], 0
for k in range(int(20 * float(os.environ.get("WHET_ROUNDS", "1")))):
    n, actions, kept, model = equality_program(source)
    r = verify(model, "-K", "40")[0]
    last = r["iterations"][-1]
    pairs = [tuple(int(v[1:]) for v in p.split(" = ")) for p in r["predicates"]]
    states, abstract_states = reach(n, actions, pairs)
    bad = any(s[0] == 2 and s[1 + kept[0]] == s[1 + kept[1]] for s in states)
    good = last["exact"] and last["predicates"] <= n * (n - 1) // 2 and last["rounds"] <= 6 and r["verdict"] == ("unsafe" if bad else "safe")
    good = good and (bad or last["abstract_states"] == abstract_states)
    many += bad
    if not good:
        wrong.append((model, r["verdict"], last, abstract_states))
check("Theorem 6 on random equality programs", not wrong and many, wrong[:1])

# ---- SPIN ----

PROCESSES = "fair {wait1, enter1, release1%s}\nfair {wait2, enter2, release2%s}\n"
LTL = "ltl live1: G (st1 = W => F st1 = C)\nltl gf1: G F st1 = C\nltl live2: G (st2 = W => F st2 = C)\nltl gf2: G F st2 = C\nltl excl: G !(st1 = C && st2 = C)\n"


def spin(model, fair, names=("live1", "gf1", "live2", "gf2", "excl")):
    """The verdicts of SPIN on the exported text, with weak fairness of processes or without."""
    where = os.path.join(folder.name, "spin")
    os.makedirs(where, exist_ok=True)
    with open(os.path.join(where, "m.pml"), "w") as f:
        f.write(abstract(model, "--to", "promela"))
    made = subprocess.run(["spin", "-a", "m.pml"], cwd=where, capture_output=True, text=True)
    built = subprocess.run(["cc", "-w", "-DNFAIR=3", "-DNOREDUCE", "-o", "pan", "pan.c"], cwd=where, capture_output=True, text=True)
    if made.returncode or built.returncode:
        return {"error": made.stdout + made.stderr + built.stderr}
    seen = {}
    for name in names:
        run = subprocess.run(["./pan", "-a", "-N", name, *(["-f"] if fair else [])], cwd=where, capture_output=True, text=True)
        seen[name] = "holds" if "errors: 0" in run.stdout else "fails" if "errors: 1" in run.stdout else run.stdout + run.stderr
    return seen


def random_formula(r, depth):
    """Without X, which SPIN knows only if it was built so."""
    if depth == 0 or r.random() < 0.15:
        return r.choice(("s = A", "s = B", "s != C", "x = y", "x <= 1", "t"))
    kind = r.choice(("G", "F", "U", "R", "W", "&&", "||", "!"))
    left = random_formula(r, depth - 1)
    if kind in "GF!":
        return f"{kind} ({left})"
    return f"(({left}) {kind} ({random_formula(r, depth - 1)}))"


def random_program(r, formulas):
    """Copies, tests for equality and with small numbers: the closure ends, and dead ends are frequent."""
    lines = ["var s : {A, B, C} = A", "var t : bool = false", "var x, y : int = 0"]
    for i in range(r.randint(3, 6)):
        tests = [f"s = {r.choice('ABC')}"] + r.sample(["t", "!t", "x = y", "x != y", "x <= 1", "y > 1"], r.randint(0, 2))
        sets = [f"s := {r.choice('ABC')}"] + r.sample(["t := !t", "t := x = y", "x := y", "x := 2", "y := 1"], r.randint(0, 2))
        if sum(u.startswith("t ") for u in sets) < 2 and sum(u.startswith("x ") for u in sets) < 2:
            lines.append(f"action a{i}: {' && '.join(tests)} -> {', '.join(sets)}")
    lines += [f"ltl f{i}: {random_formula(r, 3)}" for i in range(formulas)]
    return "\n".join(lines) + "\n"


if shutil.which("spin") and shutil.which("cc"):
    source, seen, wrong = random.Random(12), set(), []
    for k in range(3):
        model = random_program(source, 8)
        ours, theirs = verdicts(model), spin(model, False, [f"f{i}" for i in range(8)])
        seen |= set(ours.values())
        if ours != theirs:
            wrong.append(f"{model}\n{ours}\n{theirs}")
    check("SPIN agrees on random formulas of random programs", not wrong and seen == {"holds", "fails"}, wrong[:1] or seen)
    for fair in (False, True):
        ours = verdicts(FIG1 + LTL + (PROCESSES % ("", "") if fair else ""))
        theirs = spin(FIG1 + LTL, fair)
        check(f"SPIN agrees on five properties of bakery2 {'with' if fair else 'without'} fair processes", ours == theirs, f"{ours}\n{theirs}")
    idling = FIG1 + LTL + "action rest1: st1 = C -> st1 := C\naction rest2: st2 = C -> st2 := C\naction wait_on1: st1 = N -> st1 := N\naction wait_on2: st2 = N -> st2 := N\n"
    ours = verdicts(idling)
    theirs = spin(idling, False)
    check("SPIN agrees if processes may idle", ours == theirs and ours["live1"] == "fails" and ours["excl"] == "holds", f"{ours}\n{theirs}")
    check("a program with several initial states runs in SPIN", spin(FIG1.replace("st1 = N && y1 = 0", "st1 != C && (st1 = N <=> y1 = 0)") + LTL, False)
          == verdicts(FIG1.replace("st1 = N && y1 = 0", "st1 != C && (st1 = N <=> y1 = 0)") + LTL))
else:
    for what in ("random programs", "five properties", "five more", "idling", "several initial states"):
        skip(f"SPIN, {what}", "there is no spin or cc")

# ---- what is printed can be read ----

for name, model, options in (("bakery2", "bakery2.whet", []), ("xfer", "predabs/xfer.whet", []), ("ticket2", TICKET % 2, ["-K", "2"]), ("bakery4", "predabs/bakery4.whet", [])):
    text = abstract(model, *options)
    path = os.path.join(folder.name, "again.whet")
    with open(path, "w") as f:
        f.write(text)
    done = json.loads(whet("verify", path, "--engine", "explicit", "-q", "--json", "-").stdout or "{}")
    ours = {p["name"]: p["verdict"] for p in done.get("properties", [])}
    wanted = verdicts(model, *options)
    agree = ours.keys() == wanted.keys() and all(ours[k] in (wanted[k], "unknown") for k in wanted)
    check(f"the text of {name} parses, and explicit says of it what syntactic says of the model", agree, f"{ours} {wanted}\n{text}")
smv = abstract("bakery2.whet", "--to", "smv")
check("NuSMV: modules, steps, fairness and properties", all(w in smv for w in (
    "MODULE main", "next(last_action) = wait1 & (st1 = st1_N)", "idle_step", "JUSTICE !(can_enter1) | (last_action = enter1);", "INVARSPEC", "CTLSPEC AG", "LTLSPEC G")), smv)

# ---- the text for NuSMV, read by a reader of its grammar, means the same ----


def read_back(model, *options):
    """What explicit says of the NuSMV text, read and written as a model; by the number of the property."""
    path = os.path.join(folder.name, "back.whet")
    with open(path, "w") as f:
        f.write(smv_reader.as_whet(smv_reader.read(abstract(model, "--to", "smv", *options))))
    done = whet("verify", path, "--engine", "explicit", "-q", "--json", "-")
    return {p["name"]: p["verdict"] for p in json.loads(done.stdout or "{}").get("properties", [])} or done.stderr


MIXED = random_program(random.Random(3), 4) + """fair strong a0
ltl weak: (s = A) W (t => X x = y)
ltl released: (s = A) R (t <=> x = y)
"""
BRANCHING = random_program(random.Random(4), 2) + """fair a0
ctl until: E [(s = A) U t]
ctl all: A [(s != C) U t] || EX (s = B) || AX EG s = A
deadlockfree
"""
for name, model in (("bakery2", "bakery2.whet"), ("xfer", "predabs/xfer.whet"), ("a counter that is kept", counter), ("bakery2 with idling", IDLE + "fair strong release2\n"),
                    ("strong fairness", MIXED), ("branching time", BRANCHING)):
    try:
        seen = read_back(model)
    except ValueError as e:
        seen = str(e)
    wanted = {f"q{i}": v for i, v in enumerate(verdicts(model).values())}
    same = isinstance(seen, dict) and seen and all(wanted[k] == v or {wanted[k], v} == {"safe", "holds"} or {wanted[k], v} == {"unsafe", "fails"} for k, v in seen.items())
    check(f"NuSMV text of {name}: it parses, and means the same", same, f"{seen} {wanted}")
for wrong in ("MODULE main VAR a : boolean; INIT a & TRANS a", "MODULE main VAR a : boolean; INIT b", "MODULE main VAR a : boolean; a : boolean;", "MODULE main CTLSPEC A [TRUE];"):
    try:
        smv_reader.read(wrong)
        check(f"the reader refuses: {wrong}", False)
    except ValueError as e:
        check(f"the reader refuses: {wrong}", True, e)

# ---- bad requests ----


def refused(name, done, status, *words):
    check(name, done.returncode == status and all(w in done.stderr + done.stdout for w in words), done)


refused("a formula that names an unknown variable", whet("verify", path_of(FIG1 + "ltl l: G st3 = N\n"), "--engine", "syntactic"), 2, "st3", "did you mean", ":11:10:")
refused("a variable to keep that is not there", whet("verify", path_of(without), "--keep", "m"), 2, "no variable `m`")
refused("one without a finite range", whet("verify", path_of(without.replace("control n", "") + "control x\n")), 2, "`x` has no finite range", ":9:9:")
refused("one with too many values", whet("verify", path_of("var n : 0..9999\ncontrol n\nsafe s: n >= 0\n")), 2, "more than 4096 values", ":2:9:")
refused("one that meets data", whet("verify", path_of(counter.replace("n < 40 ->", "n < 40 && n <= x ->")), "--engine", "syntactic", "-q"), 20, "n cannot be kept: n <= x compares it with data")
refused("--keep for engines that have no control", whet("verify", path_of(without), "--keep", "n", "--engine", "widen"), 2, "--keep has no effect")
refused("a format that is not there", whet("abstract", path_of(FIG1), "--to", "pdf"), 2, "whet|smv|promela")
refused("rounds that are no number", whet("abstract", path_of(FIG1), "-K", "many"), 2, "many")
refused("a model that is not there", whet("abstract", "nowhere.whet"), 2, "nowhere.whet")
refused("a closure without end", whet("abstract", path_of(TICKET % 2)), 20, "-K")
refused("K too small", whet("verify", path_of(TICKET % 2), "--engine", "syntactic", "-K", "1", "-q"), 20, "raise -K")
refused("K too small for a temporal property", whet("verify", path_of(TICKET % 2 + "ltl serves: G (P[1] at waiting => F P[1] at critical)\nfair P[1].enter, P[1].leave, P[2].enter, P[2].leave\n"),
                                                    "--engine", "syntactic", "-K", "1", "-q", "--property", "serves"), 20, "raise -K", "not exact")
refused("inputs that cannot be projected", whet("verify", path_of("var x : nat = 16\naction a(i : nat): i * i = x -> x := i\nctl l: EF x = 2\n"), "--engine", "syntactic", "-K", "2", "-q"), 20,
        "inputs of a cannot be projected")

sys.exit(tap.end())
