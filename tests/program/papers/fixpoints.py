#!/usr/bin/python3
"""fbar and cgr from outside, in TAP: the values of every round (--values) against the paper and against sets written out here; domains that are closed under intersections only (--moore); who decided a net.

The algorithm below works on sets of states as Python has them and on the domain as a list of its generators; it shares nothing with whet."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from harness import MODELS, WHET
from tap import check

SLOW = bool(os.environ.get("WHET_SANITIZED"))
folder = tempfile.TemporaryDirectory()


def verify(path, *options):
    done = subprocess.run([WHET, "verify", path, "--accelerate", "off", "-q", "--json", "-", *options], capture_output=True, text=True, timeout=600)
    return json.loads(done.stdout)["properties"][0] if done.returncode in (0, 10, 20) else {"verdict": done.stderr, "iterations": []}


def states_of(formula, states):
    """The formula of one variable s, read by Python."""
    text = re.sub(r"(?<![<>!])=", "==", formula.replace("&&", " and ").replace("||", " or "))
    text = re.sub(r"!(?!=)", " not ", text).replace("true", "True").replace("false", "False")
    return frozenset(s for s in states if eval(text, {"s": s}))


def values_of(result, states):
    return [(v["name"], states_of(v["set"], states)) for i in result["iterations"] for v in i["values"]]


def digits(text):
    return frozenset(int(c) for c in text)


# ---- the paper's Example 6.1, value by value ----

TRACE = [("M", "1234567"), ("U", "123456"), ("V", "34567"), ("X", "123456"), ("Y", "7"),
         ("U'", "123456"), ("6", "1234567"), ("M", "1234567"), ("V'", "3567"), ("9", "13567"), ("M", "13567"), ("U", "123456"), ("V", "3567"),
         ("U'", "135"), ("6", "1357"), ("M", "1357"), ("V'", "357"), ("9", "1357"), ("M", "1357"), ("U", "135"), ("V", "357"),
         ("U'", "135"), ("6", "1357"), ("M", "1357"), ("V'", "357"), ("9", "1357"), ("M", "1357"),
         ("X", "135"), ("Y", "7"), ("X", "135"), ("X'", "")]
SEQUENCE = [("Z", "123456"), ("R", "123456"), ("S", "123456"), ("Z", "12346"), ("R", "12346"), ("S", "12346"), ("Z", "124"), ("R", "124"), ("S", "124"), ("Z", "24"), ("R", "24"), ("S", "24")]
short = {"mu(M and (Init or post(U')))": "6", "mu(M and (Bad or pre(V')))": "9"}
example = os.path.join(MODELS, "fixpoint", "ex61.whet")
r = verify(example, "--engine", "fbar", "--values")
seen = [(short.get(n, n), s) for n, s in values_of(r, range(1, 8))]
check("Example 6.1, FBAR: every value of the printed trace", seen == [(n, digits(t)) for n, t in TRACE], seen)
domain = {states_of(b["block"], range(1, 8)): states_of(b["set"], range(1, 8)) for b in r["iterations"][0]["domain"]}
check("its first domain", domain == {digits(a): digits(b) for a, b in (("1", "1"), ("2", "12"), ("3", "3"), ("4", "3456"), ("5", "35"), ("6", "6"), ("7", "7"))}, domain)
r = verify(example, "--engine", "cgr", "--values")
check("CGR: the printed sequence", values_of(r, range(1, 8)) == [(n, digits(t)) for n, t in SEQUENCE] and r["verdict"] == "unsafe", values_of(r, range(1, 8)))

# ---- Moore families ----


class System:
    def __init__(self, r):
        self.n = r.randint(4, 7)
        self.all = frozenset(range(self.n))
        self.steps = {(a, b) for a in self.all for b in self.all if r.random() < 1.3 / self.n}
        self.init, self.bad = frozenset([0]), frozenset([self.n - 1])
        self.sets = [frozenset(s for s in self.all if r.random() < 0.6) for _ in range(r.randint(2, 6))]

    def text(self):
        lines = [f"var s : 0..{self.n - 1} = 0"]
        lines += [f"domain {' || '.join(f's = {s}' for s in sorted(a)) or 'false'}" for a in self.sets]
        lines += [f"action t{a}_{b}: s = {a} -> s := {b}" for a, b in sorted(self.steps)]
        return "\n".join(lines + [f"unreachable good: s = {self.n - 1}"]) + "\n"

    def unsafe(self):
        reached, before = self.init, None
        while reached != before:
            before, reached = reached, reached | {b for a, b in self.steps if a in reached}
        return bool(reached & self.bad)


def cgr(system, dual):
    """The verdict and the values of CGR, on the domain that the sets and Safe generate by intersections."""
    steps = {(b, a) for a, b in system.steps} if dual else system.steps
    init, bad = (system.bad, system.init) if dual else (system.init, system.bad)
    generators = [*system.sets, system.all - bad]

    def mu(x):
        return frozenset.intersection(system.all, *[g for g in generators if x <= g])

    def post(x):
        return frozenset(b for a, b in steps if a in x)

    def stays(x):  # pre~
        return frozenset(a for a in system.all if all(t in x for s, t in steps if s == a))

    def fixpoint(f, x):
        while f(x) != x:
            x = f(x)
        return x

    z, values = system.all - bad, []
    values.append(("Z", z))
    for _ in range(50):
        reached = fixpoint(lambda x: mu(z & (init | post(x))), frozenset())
        values.append(("R", reached))
        if mu(init | post(reached)) <= z:
            return "safe", values
        kept = fixpoint(lambda x: mu(reached & stays(x)), reached)
        values.append(("S", kept))
        if not init <= kept:
            return "unsafe", values
        z = kept & stays(kept)
        values.append(("Z", z))
        generators.append(z)
    return "no end", values


source, wrong, verdicts, differing = random.Random(20), [], set(), 0
for k in range(3 if SLOW else int(14 * float(os.environ.get("WHET_ROUNDS", "1")))):
    system = System(source)
    path = os.path.join(folder.name, "moore.whet")
    with open(path, "w") as f:
        f.write(system.text())
    for engine in ("cgr", "cgr-dual"):
        verdict, values = cgr(system, engine == "cgr-dual")
        r = verify(path, "--engine", engine, "--moore", "--values")
        verdicts.add(verdict)
        differing += len(values) > 3
        if verdict != ("unsafe" if system.unsafe() else "safe") or r["verdict"] != verdict or values_of(r, system.all) != values:
            wrong.append(f"{system.text()}{engine}: {r['verdict']} {values_of(r, system.all)}\nwanted {verdict} {values}")
check("CGR and its dual on random Moore families, set by set", not wrong and (SLOW or (verdicts == {"safe", "unsafe"} and differing > 3)), wrong[:1] or (verdicts, differing))

FAMILY = os.path.join(MODELS, "fixpoint", "moore.whet")
seen = [verify(FAMILY, "--engine", "cgr", *o)["statistics"].get("refinements", 0) for o in ([], ["--moore"])]
check("a family that needs a refinement which its closure under unions does not", seen == [0, 1], seen)

# ---- who decided ----

net = os.path.join(MODELS, "fixpoint", "mesi-bug.whet")
for way, wanted in (("on", 1), ("rounds", 0)):
    r = verify(net, "--engine", "fbar", "--well-structured", way)
    check(f"a net, {way}: decided by {'the search of minimal vectors' if wanted else 'FBAR'}, and it is counted", r["verdict"] == "unsafe" and r["statistics"].get("decided_by_vectors", 0) == wanted, r)
done = subprocess.run([WHET, "verify", net, "--engine", "fbar", "-v"], capture_output=True, text=True)
check("and said", "decided by the search of minimal vectors" in done.stderr, done.stderr)
done = subprocess.run([WHET, "verify", net, "--engine", "fbar", "--moore"], capture_output=True, text=True)
check("FBAR has no Moore families: it needs unions", done.returncode == 2 and "--moore has no effect with --engine fbar" in done.stderr, done)

sys.exit(tap.end())
