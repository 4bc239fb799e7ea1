#!/usr/bin/python3
"""What verify prints, writes and exits with."""
import json
import os
import re
import shutil
import signal
import subprocess
import time

from harness import *

UP = "var x : 0..3 = 0\naction up: x < 3 -> x := x + 1\n"
SAFE, UNSAFE = "safe small: x <= 3\n", "safe tiny: x <= 1\n"
ENDLESS = "var x : int = 0\naction up: true -> x := x + 1\nsafe s: x >= 0\n"


def expectations(path):
    """The lines `// expect NAME: VERDICT` of a model; comments of VMT-LIB start with a semicolon."""
    with open(path, encoding="utf-8") as f:
        return dict(re.findall(r"^(?://|;) expect ([\w-]+): (SAFE|UNSAFE|HOLDS|FAILS)", f.read(), re.MULTILINE))


@case
def a_model_without_initial_states_is_pointed_out(folder):
    model = write(folder, "m.whet", "var x : nat\ninit x < 3\ninit x > 5\naction up: true -> x := x + 1\nsafe s: x < 0\ndeadlockfree\n")
    for engine in ("explicit", "alpha", "cegar"):
        r = whet("verify", model, "--engine", engine)
        equal((r.status, r.out), (0, "s: SAFE\ndeadlockfree: SAFE\n"), r)
        equal(r.err.count("no initial state"), 1, r)
        r = whet("verify", model, "--engine", engine, "--quiet", "--strict", "--json", "-")
        equal((r.status, r.err), (20, "note: the model has no initial state; its properties hold for that reason alone\n"), r)
        equal([(p["vacuous"], p["reason"]) for p in json.loads(r.out)["properties"]], [(True, "the model has no initial state")] * 2, r)
    possible = write(folder, "p.whet", "var x : 0..3\ninit x < 1\naction up: x < 2 -> x := x + 1\nsafe s: x < 3\n")
    assert "initial" not in whet("verify", possible).err


def coverage(folder, content, *options):
    """Exit status under --strict, notes, and of each property what JSON says about it."""
    r = whet("verify", write(folder, "m.whet", content), "--quiet", "--strict", "--json", "-", *options)
    noted = {p["name"]: (p.get("vacuous"), p.get("reason"), p.get("never_enabled")) for p in json.loads(r.out)["properties"]}
    return r.status, r.err.splitlines(), noted


STEPS = "var x : 0..10 = 0\naction inc: x < 5 -> x := x + 1\naction stay: x >= 5 -> x := x\n"


@case
def clauses_without_facts_are_pointed_out(folder):
    clauses = ("(set-logic HORN)\n(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> %s (P x))))\n"
               "(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))\n(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))\n(check-sat)\n")
    note = "note: query is vacuous: no clause is a fact, so that nothing can be derived\n"
    for premise, wanted in (("(and (> x 3) (< x 2))", note), ("(> x 3)", ""), ("(= x 3)", "")):
        r = whet("verify", write(folder, "a.smt2", clauses % premise))
        equal((r.status, r.out, r.err), (0, "sat\n", wanted), premise)
    equal(whet("verify", "--strict", write(folder, "a.smt2", clauses % "(and (> x 3) (< x 2))")).status, 20)
    system = ("(declare-fun x () Int)\n(declare-fun y () Int)\n(define-fun sx () Int (! x :next y))\n(define-fun i () Bool (! %s :init true))\n"
              "(define-fun t () Bool (! (= y (+ x 1)) :trans true))\n(define-fun p () Bool (! (>= x 0) :invar-property 0))\n")
    for start, wanted in (("(and (= x 1) (= x 2))", "note: "), ("(= x 1)", "")):
        r = whet("verify", write(folder, "a.vmt", system % start))
        assert r.out == "invar0: SAFE\n" and r.err.startswith(wanted) and ("no initial state" in r.err) == bool(wanted), r


@case
def vacuous_properties_are_pointed_out(folder):
    """What a property is about never happens, as the reachable values 0 to 5 show; or it does, and nothing is reported."""
    for text, about in (("safe p: x > 8 => x = 3", "x > 8"), ("safe p: x < 3 => x > 8 => x = 3", None), ("safe p: x >= 0 => (x > 8 => x = 3)", "x > 8"),
                        ("safe p: (x > 8 => x = 3) && (x = 9 => x = 2)", "x > 8"), ("safe p: forall i : 7..8 . x = i => i = 0", None),
                        ("ltl p: G (x = 9 => F x = 0)", "x = 9"), ("ltl p: G (x = 9 => x = 0)", "x = 9"), ("ctl p: AG (x = 9 => AF x = 0)", "x = 9")):
        status, notes, noted = coverage(folder, STEPS + text + "\n", "--engine", "explicit")
        equal((status, noted["p"][0], len(notes)), (20, True, 1), text)
        assert noted["p"][1].startswith("what it is about never happens: ") and notes[0] == "note: p is vacuous: " + noted["p"][1], (text, notes)
        if about:
            assert about in noted["p"][1], (text, noted)
    for text in ("safe p: x = 5 => x > 4", "safe p: (x > 8 => x = 3) && (x = 5 => x > 4)", "safe p: !(x > 8 && x < 3)", "safe p: x <= 5", "unreachable p: x > 8",
                 "safe p: forall i : 5..8 . x = i => i = 5", "ltl p: G (x = 4 => F x = 5)", "ltl p: F x = 5", "ctl p: AG (x = 4 => AF x = 5)", "ctl p: EF (x = 9 => x = 0)", "deadlockfree"):
        for engine in ("explicit", "auto"):
            status, notes, noted = coverage(folder, STEPS + text + "\n", "--engine", engine)
            equal((status, notes, list(noted.values())), (0, [], [(None, None, None)]), (text, engine))


@case
def no_fair_run_is_pointed_out(folder):
    content = "ltl l: G F x = 1\nctl c: AG AF x = 1\n"
    around = "var x : 0..3 = 0\naction up: x < 2 -> x := x + 1\naction back: x = 2 -> x := 0\n"
    status, notes, noted = coverage(folder, around + "fair when x = 3\n" + content)
    equal((status, sorted(notes)), (20, ["note: c is vacuous: no run is fair", "note: l is vacuous: no run is fair"]))
    equal(set(noted.values()), {(True, "no run is fair", None)})
    equal(coverage(folder, around + "fair when x = 2\n" + content)[:2], (0, []))


@case
def actions_never_enabled_are_pointed_out(folder):
    """Once in a run; steps of one name count together; nothing is said of a violated property, or if --strict is not given, by the status."""
    never = STEPS + "action never: x > 7 -> x := 0\nsafe p: x <= 5\nsafe q: x <= 6\n"
    for engine in ("explicit", "auto", "invuni", "cegar"):
        status, notes, noted = coverage(folder, never, "--engine", engine)
        equal((status, notes, noted), (20, ["note: action never is never enabled"], {"p": (None, None, ["never"]), "q": (None, None, ["never"])}), engine)
    r = whet("verify", write(folder, "m.whet", never))
    equal((r.status, r.out), (0, "p: SAFE\nq: SAFE\n"), r)
    equal(coverage(folder, STEPS + "action never: x > 7 -> x := 0\nsafe p: x <= 4\n"), (10, [], {"p": (None, None, None)}))


@case
def a_wrong_lemma_is_reported_as_one(folder):
    """It fails at first or after a step, with a run; the property is decided all the same, by whichever engine."""
    model = write(folder, "m.whet", "var x : 0..10 = 0\naction inc: x < 5 -> x := x + 1\naction stay: x >= 5 -> x := x\nsafe s: x <= 5\nlemma x >= 1\nlemma x <= 5\n")
    more = write(folder, "more.whet", "x <= 3\nx >= 0\n")
    for engine in ((), ("--engine", "invuni"), ("--engine", "explicit")):
        r = whet("verify", model, "--lemma", more, *engine, "--json", os.path.join(folder, "r.json"), "--quiet")
        equal((r.status, r.out), (0, "s: SAFE\n"), r)
        equal(r.err, "note: lemma x > 0 does not hold: an initial state breaks it\n"
              "note: lemma x <= 3 does not hold: after 4 steps, the last of which is inc, a state breaks it\n", r)
        with open(os.path.join(folder, "r.json"), encoding="utf-8") as f:
            failed = json.load(f)["failed_lemmas"]
        equal([(f["lemma"], f["action"], [s["state"]["x"] for s in f["trace"]]) for f in failed], [("x > 0", None, [0]), ("x <= 3", "inc", [0, 1, 2, 3, 4])])
    right = write(folder, "r.whet", "var x : 0..10 = 0\naction inc: x < 5 -> x := x + 1\naction stay: x >= 5 -> x := x\nsafe s: x <= 5\nlemma x <= 5\n")
    r = whet("verify", right, "--json", "-")
    assert "failed_lemmas" not in json.loads(r.out) and "lemma" not in r.err, r


@case
def exit_status_and_lines(folder):
    for content, status, out in (
        (UP + SAFE, 0, "small: SAFE\n"),
        (UP + UNSAFE, 10, "tiny: UNSAFE\n    0  initial  x = 0\n    1  up       x = 1\n    2  up       x = 2\n"),
        (UP + SAFE + UNSAFE, 10, "small: SAFE\ntiny: UNSAFE\n    0  initial  x = 0\n    1  up       x = 1\n    2  up       x = 2\n"),
    ):
        r = whet("verify", write(folder, "m.whet", content))
        equal((r.status, r.out), (status, out), r)


@case
def status_of_several_properties(folder):
    temporal = "ctl later: AG EF x = 3\n"
    for content, status in ((SAFE + temporal, 20), (UNSAFE + temporal, 10), (temporal, 20)):
        r = whet("verify", write(folder, "m.whet", UP + content), "--engine", "cegar")
        equal(r.status, status, r)
        assert "later: UNKNOWN (engine cegar does not treat temporal properties)\n" in r.out, r


@case
def temporal_properties(folder):
    model = write(folder, "m.whet", "var x : 0..2 = 0\naction up: x < 2 -> x := x + 1\naction down: x = 1 -> x := 0\n"
                  "ctl can: AG EF x = 2\nltl must: F x = 2\nctl later: AG EF x = 0\n")
    for engine in ("explicit", "alpha"):
        certificate = os.path.join(folder, "c.json")
        r = whet("verify", model, "--engine", engine)
        equal((r.status, r.out), (10, "can: HOLDS\nmust: FAILS\n    0  initial  x = 0\n    1  up       x = 1\n    2  down     x = 0\n"
                                  "   ..  this is state 0 again: from there on for ever\nlater: FAILS\n    0  initial  x = 0\n    1  up       x = 1\n    2  up       x = 2\n"
                                  "   ..  it fails by what cannot be done from a state of this run: that is in the certificate\n"), r)
        for name, shown in (("can", "HOLDS"), ("must", "FAILS"), ("later", "FAILS")):
            whet("verify", model, "--engine", engine, "--property", name, "--certificate", certificate)
            r = whet("check", model, certificate)
            equal(r.status, 0, r)
            assert r.out.startswith(name + ": accepted") and r.out.endswith(f": {shown}\n"), r


@case
def the_engine_that_fits_where_none_is_named(folder):
    for content, engine in ((UP + SAFE, "explicit"), (ENDLESS, "cegar")):
        r = whet("verify", write(folder, "m.whet", content), "--json", "-")
        equal(json.loads(r.out)["properties"][0]["engine"], engine, r)


@case
def only_the_properties_asked_for_in_that_order(folder):
    model = write(folder, "m.whet", UP + SAFE + UNSAFE + "safe natural: x >= 0\n")
    r = whet("verify", model, "--property", "natural,small")
    equal((r.status, r.out), (0, "natural: SAFE\nsmall: SAFE\n"), r)


@case
def how_runs_are_shown(folder):
    model = write(folder, "m.whet", """
var b : bool = false
var c : {red, green} = red
var big : int = 100000000000000000000
process P[i : 1..2] { states idle, busy  go: idle -> busy (n : 0..9) when n = 7 && c = green : b := true }
action turn: c = red -> c := green
safe s: !(P[2] at busy)
""")
    r = whet("verify", model)
    equal(r.status, 10, r)
    equal(r.out, "s: UNSAFE\n"
          "    0  initial         b = false, c = red, big = 100000000000000000000, P[1] at idle, P[2] at idle\n"
          "    1  turn            c = green\n"
          "    2  P[2].go(n = 7)  b = true, P[2] at busy\n", r)
    full = whet("verify", model, "--trace", "full")
    lines = full.out.splitlines()
    equal(len(lines), 4, full)
    assert all("big = 100000000000000000000" in line and "P[1] at idle" in line for line in lines[1:]), full
    off = whet("verify", model, "--trace", "off")
    equal((off.status, off.out), (10, "s: UNSAFE\n"), off)


@case
def run_time_errors_and_deadlocks(folder):
    r = whet("verify", write(folder, "m.whet", "var x : 0..2 = 0\naction up: true -> x := x + 1\nsafe s: x <= 2\n"))
    equal(r.status, 10, r)
    assert r.out.startswith("s: SAFE\nno-runtime-error: UNSAFE\n"), r
    last = r.out.splitlines()[-1]
    assert re.match(r"    !  up +run-time error: .*\(line 2\)$", last), r
    r = whet("verify", write(folder, "d.whet", UP + "deadlockfree\n"))
    equal(r.status, 10, r)
    assert r.out.endswith("    3  up       x = 3\n    !  no action can be taken\n"), r


def without_conditions(out):
    """Of C programs: `SAFE (no-overflow not proved)`."""
    return re.sub(r": SAFE \(.*", ": SAFE", out)


@case
def the_examples_have_the_verdicts_they_expect(folder):
    seen = 0
    for name in examples():
        path = example(name)
        if name.endswith(".smt2"):
            with open(path, encoding="utf-8") as f:
                word = re.search(r"^; expect (sat|unsat)$", f.read(), re.MULTILINE).group(1)
            r = whet("verify", path, "--quiet")
            equal((r.out.splitlines()[0], r.status), (word, {"sat": 0, "unsat": 10}[word]), r)
            seen += 1
        for prop, verdict in expectations(path).items():
            if name == "rax.whet" and verdict == "SAFE":
                continue  # infinite: for other engines
            r = whet("verify", path, "--property", prop, "--quiet")
            equal(without_conditions(r.out).splitlines()[0], f"{prop}: {verdict}", path)
            equal((r.status, r.err), ({"SAFE": 0, "HOLDS": 0, "UNSAFE": 10, "FAILS": 10}[verdict], ""), r)
            seen += 1
    assert seen >= 18, seen


@case
def json_follows_its_schema(folder):
    validator = schema()
    models = [example(n) for n in examples() if n != "rax.whet" and not n.endswith(".smt2")]
    models.append(write(folder, "t.whet", UP + SAFE + UNSAFE + "ctl later: AG EF x = 3\n"))
    models.append(write(folder, "b.whet", "var x : int = 9007199254740992\nvar y : int = -9007199254740991\nvar z : int = 123456789012345678901234567890\n"
                                          "action a(n : 0..1): n = 1 -> x := x + n\nsafe s: x < 9007199254740994\n"))
    models.append(write(folder, "e.whet", "var x : 0..2 = 0\naction up(n : 1..1): true -> x := x + n\nsafe s: x <= 2\n"))
    for model in models:
        lines = whet("verify", model)
        r = whet("verify", model, "--json", "-")
        equal(r.status, lines.status, r)
        document = json.loads(r.out)
        validator.validate(document)
        equal(document["model"], os.path.basename(model))
        words = [f"{p['name']}: {p['verdict'].upper()}" for p in document["properties"]]
        equal(words, [re.sub(r" \(.*", "", line) for line in lines.out.splitlines() if not line.startswith(" ")], r)
        path = os.path.join(folder, "out.json")
        again = whet("verify", model, "--json", path)
        equal(again.out, lines.out, again)
        with open(path, encoding="utf-8") as f:
            written = json.load(f)
        for one in (written, document):
            for p in one["properties"]:
                p.pop("seconds")
                for iteration in p.get("iterations", ()):
                    iteration.pop("seconds", None)
                p["statistics"].pop("memory_bytes")
        equal(written, document)


@case
def json_of_values(folder):
    model = write(folder, "b.whet", "var x : int = 9007199254740992\nvar y : int = -9007199254740991\nvar c : {red, green} = green\nvar b : bool = true\n"
                                    "process P { states here, there go: here -> there : x := x + 1 }\nsafe s: x < 9007199254740993\n")
    steps = json.loads(whet("verify", model, "--json", "-").out)["properties"][0]["trace"]
    equal(len(steps), 2)
    equal(steps[0]["action"], None)
    equal(steps[1]["action"], "P.go")
    first = steps[0]["state"]
    equal((first["x"], first["y"], first["c"], first["b"]), ("9007199254740992", -9007199254740991, "green", True))
    assert "here" in first.values(), first
    equal(steps[1]["state"]["x"], "9007199254740993")


@case
def names_with_quotes_do_not_lose_iterations(folder):
    model = write(folder, "m.whet", 'var |x"| : int = 0\nvar |y\\\\| : int = 0\naction |a"b\\c|: true -> |x"| := |x"| + 1, |y\\\\| := |y\\\\| + |x"|\n'
                  'safe s: |y\\\\| >= 0\n')
    for engine in (("invuni", "--no-abstraction", "--strengthen", "2"), ("cegar", "--no-guards", "--wp-depth", "0", "--max-iterations", "4")):
        r = whet("verify", model, "--engine", *engine, "--json", "-")
        p = json.loads(r.out)["properties"][0]
        equal(len(p["iterations"]), p["statistics"]["iterations"], r)
        assert p["iterations"], r


@case
def the_schema_can_fail(folder):
    validator = schema()
    good = json.loads(whet("verify", write(folder, "m.whet", UP + SAFE + UNSAFE), "--json", "-").out)
    validator.validate(good)
    for change in (lambda p: p.pop("verdict"), lambda p: p.update(verdict="SAFE"), lambda p: p.update(holds=None), lambda p: p.update(checked=False),
                   lambda p: p.update(reason="x"), lambda p: p.pop("certificate"), lambda p: p.update(more=1), lambda p: p["statistics"].update(states=-1)):
        bad = json.loads(json.dumps(good))
        change(bad["properties"][0])
        assert not validator.is_valid(bad), bad["properties"][0]


@case
def same_input_same_output(folder):
    model = example("philosophers.whet")
    runs = [whet("verify", model, "--trace", "full", "--quiet") for _ in range(2)]
    equal(runs[0].out, runs[1].out)
    equal(whet("simulate", model, "--seed", "5").out, whet("simulate", model, "--seed", "5").out)
    others = {whet("simulate", model, "--seed", seed).out for seed in range(4)}
    assert len(others) > 1, others


@case
def certificates_are_written_and_checked(folder):
    model = write(folder, "m.whet", UP + SAFE + UNSAFE)
    path = os.path.join(folder, "c.smt2")
    equal(whet("verify", model, "--certificate", path).status, 10)
    equal(sorted(os.listdir(folder)), ["c.small.smt2", "c.tiny.smt2", "m.whet"])
    for name, shown in (("small", "SAFE"), ("tiny", "UNSAFE")):
        r = whet("check", model, os.path.join(folder, f"c.{name}.smt2"))
        equal((r.status, r.err), (0, ""), r)
        assert re.fullmatch(rf"{name}: accepted \(\d+ obligations?\): {shown}\n", r.out), r
    equal(whet("verify", model, "--property", "small", "--certificate", path).status, 0)
    r = whet("check", model, path)
    equal(r.status, 0, r)


@case
def invariants_are_written_as_formulas_and_prove_it_again(folder):
    model = write(folder, "m.whet", "var l : {A, B, C} = A\nvar x, y : int = 0\naction go: l = A -> l := B, x := 1\naction up: l = B -> x := x + 1\n"
                  "action out: l = B && x = y -> l := C\nsafe ok: l != C\nsafe not: x < 2\n")
    path = os.path.join(folder, "inv.whet")
    r = whet("verify", model, "--engine", "cegar", "--formula", path, "--json", "-", "-v")
    equal(r.status, 10, r)
    equal(sorted(os.listdir(folder)), ["inv.ok.whet", "m.whet"])
    with open(os.path.join(folder, "inv.ok.whet"), encoding="utf-8") as f:
        lines = f.read().splitlines()
    equal(lines, ["l = A || l = B", "l = A => x = 0 && y = 0", "l = B => y = 0 && x > 0"])
    shown = {p["name"]: p.get("invariant") for p in json.loads(r.out)["properties"]}
    equal(shown, {"ok": lines, "not": None})
    assert "ok: invariant:\n  " + lines[0] in r.err, r.err
    again = ("verify", model, "--property", "ok", "--engine", "invuni", "--no-abstraction", "--strengthen", "0")
    equal(whet(*again).status, 20)
    equal(whet(*again, "--lemma", os.path.join(folder, "inv.ok.whet")).status, 0)
    write(folder, "inv.ok.whet", "old")
    equal(whet("verify", model, "--property", "not", "--engine", "cegar", "--formula", os.path.join(folder, "inv.ok.whet")).status, 10)
    equal(sorted(os.listdir(folder)), ["m.whet"])


@case
def abstract_states_are_printed_as_formulas(folder):
    model = os.path.join(MODELS, "predabs", "example1.whet")
    ask = ("invariants", model, "--engine", "cegar")
    names = ["a1: y1 = 0", "a2: y2 = 0", "a3: y1 <= y2"]
    nested = whet(*ask)
    equal((nested.status, nested.err), (0, ""), nested)
    lines = nested.out.splitlines()
    equal(lines[:3], ["// " + name for name in names])
    equal(len(lines), 4)
    equal(json.loads(whet(*ask, "--to", "json").out), {"engine": "cegar", "names": names, "invariants": lines[3:]})
    clauses = whet(*ask, "--form", "clauses")
    equal(json.loads(whet(*ask, "--form", "clauses", "--to", "json").out)["invariants"], clauses.out.splitlines())
    lemmas = write(folder, "lemmas", clauses.out)
    again = ("verify", model, "--engine", "invuni", "--no-abstraction", "--strengthen", "0")
    equal(whet(*again).status, 20)
    equal(whet(*again, "--lemma", lemmas).status, 0)


@case
def abstract_states_are_printed_of_properties_that_fail_or_stay_open(folder):
    text = "const K : int\ninit K >= 2\nvar l : {A, B} = A\nvar x, y : int = 0\naction go: l = A -> l := B, x := %s\naction up: l = B -> x := x + y, y := y + %s\nsafe ok: x != %s\n%s"
    cases = [(("7", "1", "7"), "UNSAFE", "3"), (("1", "0", "7"), "SAFE", "3"), (("1", "2", "6"), "UNKNOWN", "1")]
    for numbers, verdict, most in cases:
        model = write(folder, "m.whet", text % (*numbers, ""))
        r = whet("verify", model, "--engine", "cegar", "--max-iterations", most)
        assert f"ok: {verdict}" in r.out, (verdict, r)
        r = whet("invariants", model, "--engine", "cegar", "--form", "clauses", "--max-iterations", most)
        equal((r.status, r.err), (0, ""), r)
        assert r.out.startswith("K > 1\n") and len(r.out.splitlines()) > 1, r
        # what was printed holds in every reachable state
        model = write(folder, "m2.whet", text % (*numbers, "safe all: " + " && ".join(f"({line})" for line in r.out.splitlines()) + "\n"))
        r = whet("verify", model, "--property", "all", "--work", "20000000")
        equal(r.status, 0, r)


@case
def requests_for_abstract_states_that_make_no_sense(folder):
    model = os.path.join(MODELS, "bakery2.whet")
    for words, message in ((("--engine", "kind"), "'kind' is none of widen|cegar"), (("--form", "nested"), "--form is an option of --engine cegar"),
                           (("--property", "mutex"), "--property is an option of --engine cegar"), (("--engine", "cegar", "-p", "mutx"), "did you mean 'mutex'?"),
                           (("--to", "xml"), "'xml' is none of text|json"), (("--engine", "cegar", "--form", "flat"), "flat")):
        r = whet("invariants", model, *words)
        equal((r.status, r.out), (2, ""), r)
        assert message in r.err, r
    r = whet("invariants", os.path.join(MODELS, "brp", "brp.whet"), "--engine", "cegar", "--work", "1000")
    equal((r.status, r.out), (20, ""), r)


@case
def certificates_of_other_models_are_rejected(folder):
    good = write(folder, "good.whet", UP + SAFE)
    bad = write(folder, "bad.whet", UP.replace("x < 3", "x < 4").replace("0..3", "0..4") + SAFE)
    path = os.path.join(folder, "c.smt2")
    equal(whet("verify", good, "--certificate", path).status, 0)
    r = whet("check", bad, path)
    equal(r.status, 10, r)
    assert r.out.startswith("small: rejected: "), r
    with open(path, encoding="utf-8") as f:
        content = f.read()
    for broken in (content[: content.index("(define-fun inv") + 20], "(" * 1000, "\0\1\2", content.replace("small", "smoll")):
        path = write(folder, "broken.smt2", broken)
        r = whet("check", good, path)
        equal((r.status, r.out), (2, ""), r)
        assert re.match(re.escape(path) + r":\d+:\d+: ", r.err), r


@case
def other_solvers_check_too(folder):
    model = write(folder, "m.whet", UP + SAFE)
    path = os.path.join(folder, "c.smt2")
    equal(whet("verify", model, "--certificate", path).status, 0)
    tried = 0
    for program, command in (("cvc5", "cvc5 --incremental"), ("z3", "z3 -in")):
        if not shutil.which(program):
            continue
        tried += 1
        r = whet("check", model, path, "--solver", command)
        equal(r.status, 0, r)
        direct = subprocess.run([program, "--incremental", path] if program == "cvc5" else [program, path], capture_output=True, text=True)
        answers = [line for line in direct.stdout.splitlines() if line in ("sat", "unsat", "unknown")]
        assert answers and set(answers) == {"unsat"}, (program, direct)
        equal(whet("check", model, path, "--solver", program).status, 0, program)  # gets the words it needs
        equal(whet("verify", model, "--solver", program).status, 0, program)
    if not tried:
        raise Skip("neither cvc5 nor z3 is installed")


@case
def an_old_certificate_does_not_outlive_an_undecided_run(folder):
    model = write(folder, "m.whet", UP + "ctl later: AG EF x = 3\n")
    path = write(folder, "c.smt2", "old")
    equal(whet("verify", model, "--engine", "cegar", "--certificate", path).status, 20)
    assert not os.path.exists(path)


@case
def quiet_and_verbose(folder):
    model = write(folder, "m.whet", UP + SAFE + "ctl later: AG EF x = 3\n")
    equal(whet("verify", model, "--quiet").err, "")
    assert "states stored: 4" in whet("verify", model, "-v").err
    undecided = whet("verify", model, "--engine", "cegar")
    assert "later: try: " in undecided.err and "later: cegar" not in undecided.err and "small" not in undecided.err, undecided
    assert "later: cegar" in whet("verify", model, "--engine", "cegar", "-v").err


@case
def the_work_limit_ends_a_run_at_the_same_point(folder):
    model = write(folder, "m.whet", "var k, s : int = 0\naction up: true -> k := k + 1, s := s + k\nsafe far: s != 1234567890123\n")
    for engine in ("explicit", "cegar"):
        ends = []
        for _ in range(2):
            r = whet("verify", model, "--engine", engine, "--work", "20000", "--json", "-")
            found = json.loads(r.out)["properties"][0]
            equal((r.status, found["reason"]), (20, "work limit reached"), r)
            ends.append((found["statistics"]["work"], found["statistics"]["states"], found["statistics"]["queries"]))
        equal(ends[0], ends[1], engine)
        assert 20000 <= ends[0][0] < 40000, ends


@case
def the_time_limit(folder):
    model = write(folder, "m.whet", ENDLESS + "safe s2: x >= -1\n")
    r = whet("verify", model, "--engine", "explicit", "--timeout", "5")
    equal((r.status, r.out), (20, "s: UNKNOWN (time limit reached)\ns2: UNKNOWN (time limit reached)\n"), r)
    assert "states stored: " not in r.err, r
    assert re.search(r"^s: try: give it more time: --timeout 20 \(nothing is violated within \d+ steps\)$", r.err, re.MULTILINE), r
    assert "s: try: let all engines that suit the model work: leave out --engine explicit\n" in r.err, r
    assert "s: try: if they stay within bounds, say so in their types, as in 0..100: x" in r.err, r
    equal(r.err.count(" try: "), 3, r)
    r = whet("verify", model, "--engine", "explicit", "--timeout", "2", "-v", "-p", "s")
    assert "states stored: " in r.err, r


@case
def the_time_limit_bounds_reading(folder):
    path = os.path.join(folder, "m.whet")
    os.mkfifo(path)  # nobody ever writes to it
    for command in ("verify", "simulate", "quotient", "abstract", "invariants"):
        r = whet(command, path, "--timeout", "0.2")
        equal((r.status, r.out, r.err), (20, "", f"{path}: time limit reached while it was read\n"), command)
    clauses = os.path.join(folder, "c.smt2")
    os.mkfifo(clauses)
    r = whet("verify", clauses, "--timeout", "0.2")
    equal((r.status, r.out), (20, "unknown\n"), r)


@case
def what_reading_leaves_of_the_time_is_for_the_engines(folder):
    path = os.path.join(folder, "m.whet")
    os.mkfifo(path)
    process = subprocess.Popen([WHET, "verify", path, "--timeout", "8", "--engine", "explicit", "--json", "-"], stdout=subprocess.PIPE, text=True)
    with open(path, "w") as f:
        time.sleep(4)
        f.write(ENDLESS)
    took = json.loads(process.communicate(timeout=600)[0])["properties"][0]
    equal((took["verdict"], took["reason"]), ("unknown", "time limit reached"), took)
    assert took["seconds"] < 7, took


@case
def standard_streams_are_files_too(folder):
    content = UP + SAFE
    model = write(folder, "m.whet", content)

    def through(text, *words):
        r = subprocess.run([WHET, *words], input=text, capture_output=True, text=True, cwd=folder, timeout=1200)
        return Result(r, r.stdout, r.stderr)

    equal(through(content, "verify", "-").out, "small: SAFE\n")
    r = through("var x : int\nsafe s: y\n", "verify", "-")
    equal(r.status, 2, r)
    assert r.err.startswith("<stdin>:2:9: error:"), r
    for option, ends in (("--certificate", "(pop 1)\n"), ("--formula", "\n"), ("--save-predicates", ""), ("--report", "</html>\n"), ("--json", "}\n")):
        r = whet("verify", model, "--engine", "cegar", option, "-", cwd=folder)
        equal(r.status, 0, r)
        assert r.out.startswith("small: SAFE\n") == (option not in ("--report", "--json")) and r.out.endswith(ends), (option, r.out)
    certificate = whet("verify", model, "--certificate", "-").out.split("\n", 1)[1]
    equal(through(certificate, "check", model, "-").status, 0)
    equal(through("x >= 2", "verify", model, "--engine", "cegar", "--predicates", "-", "-q").status, 0)
    for options in (("--predicates", "-", "--lemma", "-"), ("--json", "-", "--certificate", "-"), ("--formula", "-", "--report", "-")):
        r = through("", "verify", model, *options)
        equal((r.status, r.out), (2, ""), r)
        assert "(-)" in r.err, r
    equal(through(content, "verify", "-", "--lemma", "-").status, 2)
    equal(os.listdir(folder), ["m.whet"])


@case
def the_time_limit_holds_inside_the_solver(folder):
    # Whether 114 is a sum of three cubes nobody knows, and Z3 does not give up either.
    model = write(folder, "m.whet", "var x, y, z : int\naction step(i : int): true -> x := i\nsafe s: x*x*x + y*y*y + z*z*z != 114\n")
    certificate = write(folder, "c.smt2", "; whet certificate 1\n(set-info :whet-model \"m.whet\")\n(set-info :whet-property \"s\")\n(set-logic QF_NIA)\n"
                                          "(define-fun inv ((|x| Int) (|y| Int) (|z| Int)) Bool\n  true)\n")
    r = whet("check", model, certificate, "--timeout", "5")
    equal((r.status, r.err), (20, ""), r)
    assert re.fullmatch(r"s: unsure: .*time limit reached\n", r.out), r


@case
def a_solver_that_is_not_there(folder):
    model, path = write(folder, "m.whet", UP + SAFE), os.path.join(folder, "c.smt2")
    equal(whet("verify", model, "--certificate", path).status, 0)
    not_executable = write(folder, "solver", "")
    for command in ("no-such-solver-at-all", "no-such-solver-at-all --incremental", "/no/such/solver -q", not_executable):
        for words in (("check", model, path), ("verify", model)):
            r = whet(*words, "--solver", command)
            equal((r.status, r.out, r.err.count("\n")), (2, "", 1), r)
            assert command.split()[0] in r.err, r
    r = whet("check", model, path, "--solver", "(exit 3)")  # for the shell to understand
    equal(r.status, 20, r)
    assert r.out.startswith("small: unsure: "), r


@case
def solvers_do_not_stay_behind(folder):
    model, path = write(folder, "m.whet", UP + SAFE), os.path.join(folder, "c.smt2")
    equal(whet("verify", model, "--certificate", path).status, 0)
    mark = f"{os.getpid()}.25"  # so many seconds: nobody else sleeps that long
    r = whet("check", model, path, "--solver", f"sleep {mark}; cat", "--timeout", "0.5")
    equal(r.status, 20, r)
    assert not sleepers(mark)


def sleepers(mark):
    everybody = subprocess.run(["ps", "-eo", "stat,args"], capture_output=True, text=True).stdout
    return [line for line in everybody.splitlines() if f"sleep {mark}" in line and not line.startswith("Z") and "ps " not in line]


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def heed_signals():
    """Also if whoever runs the tests ignores them: in the background, or under nohup."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@case
def solvers_end_with_a_program_that_is_stopped(folder):
    model, path = write(folder, "m.whet", UP + SAFE), os.path.join(folder, "c.smt2")
    equal(whet("verify", model, "--certificate", path).status, 0)
    mark = f"{os.getpid()}.75"
    script = write(folder, "solver", f"#!/bin/sh\ntrap '' INT TERM HUP\nsleep {mark} &\nsleep {mark}\nwait\n")  # with children, that it does not end
    os.chmod(script, 0o755)
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGHUP):
        with subprocess.Popen([WHET, "check", model, path, "--solver", script], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              preexec_fn=heed_signals) as p:
            assert wait_for(lambda: len(sleepers(mark)) == 2), "the solver did not start"
            p.send_signal(number)
            p.wait(30)
            assert wait_for(lambda: not sleepers(mark)), (number, sleepers(mark))


@case
def the_memory_limit(folder):
    model = write(folder, "m.whet", "var x, y, z : int = 0\naction a: true -> x := x + 1\naction b: true -> y := y + 1\naction c: true -> z := z + 1\nsafe s: x >= 0\n")
    r = whet("verify", model, "--engine", "explicit", "--memory", "100", "--timeout", "1000", timeout=1200)
    equal((r.status, r.out), (20, "s: UNKNOWN (memory limit reached)\n"), r)


@case
def the_iteration_limit_is_no_crash(folder):
    equal(whet("verify", write(folder, "m.whet", UP + SAFE), "--max-iterations", "1").status in (0, 20), True)


@case
def show_prints_a_model_that_means_the_same(folder):
    for name in examples():
        shown = whet("show", example(name))
        if "several predicates in a body" in shown.err:  # no transition system stands for these clauses
            equal(shown.status, 2, shown)
            continue
        equal((shown.status, shown.err), (0, ""), shown)
        path = write(folder, name + ".whet", shown.out)
        again = whet("show", path)
        equal((again.status, again.err), (0, ""), again)
        if name != "rax.whet":
            first, second = (whet("verify", path, "--trace", "off") for path in (example(name), path))
            equal(first.status, second.status, name)
            if not name.endswith(".smt2"):
                equal(without_conditions(first.out), second.out, name)


@case
def simulation(folder):
    r = whet("simulate", example("philosophers.whet"), "--steps", "8", "--seed", "1")
    equal(r.status, 0, r)
    assert r.out.startswith("    0  initial"), r
    r = whet("simulate", write(folder, "m.whet", UP), "--steps", "10")
    equal(r.status, 0, r)
    equal(r.out, "    0  initial  x = 0\n    1  up       x = 1\n    2  up       x = 2\n    3  up       x = 3\n", r)
    assert "deadlock" in r.err, r
    r = whet("simulate", write(folder, "i.whet", "var x : int\ninit x > 1000\naction pick(i : int): i > 2 * x && i < 2 * x + 5 -> x := i\n"), "--steps", "3")
    equal(r.status, 0, r)
    values = [int(v) for v in re.findall(r" x = (\d+)$", r.out, re.MULTILINE)]
    equal(len(values), 4, r)
    assert values[0] > 1000 and all(2 * a < b < 2 * a + 5 for a, b in zip(values, values[1:])), r
    r = whet("simulate", write(folder, "n.whet", "var x : int\ninit x > 3 && x < 4\naction up: true -> x := x + 1\n"))
    equal((r.status, r.out), (20, ""), r)
    assert "no initial state" in r.err, r
    r = whet("simulate", write(folder, "f.whet", "var x : 0..2 = 0\naction up: true -> x := x + 1\n"))
    assert "run-time error" in r.err, r


main()
