"""Promises: loops that end and do not, things that come in the end and do not. Rankings are given to z3 and cvc5, and changed ones are refused."""
import os
import re
import subprocess

from harness import EXAMPLES, case, equal, main, whet, write
from clauses import SOLVERS, solvers

HOLD = {
    "counts down": "var x : int\nprogram { while x > 0 { x := x - 1 } }\nterminates",
    "Euclid by subtraction": "var a, b : int\ninit a > 0 && b > 0\nprogram { while a != b { if a > b { a := a - b } else { b := b - a } } }\nterminates",
    "two loops, the inner counter is set anew": "var i, j, n : int\nprogram { i := 0\n while i < n { j := 0\n while j < i { j := j + 1 }\n i := i + 1 } }\nterminates",
    "first up, then down": "var x, y : int\nprogram { while x > 0 { x := x + y\n y := y - 1 } }\nterminates",
    "two that take turns": "var x, y : int\nprogram { while x > 0 && y > 0 { if * { x := x - 1 } else { y := y - 1 } } }\nterminates",
    "the second is set when the first falls": "var x, y : int\nprogram { while x > 0 { if y > 0 { y := y - 1 } else { x := x - 1\n havoc y } } }\nterminates",
    "halving the distance": "var low, high, m : int\nprogram { while low < high { m := (low + high) / 2\n if * { low := m + 1 } else { high := m } } }\nterminates",
    "a queue that empties": "var q : nat\nvar on : bool\ninit on\naction put: on -> q := q + 1\naction stop: on -> on := false\naction take: !on && q > 0 -> q := q - 1\nltl drains: G (!on => F q = 0)",
    "writers are served while readers drain": "var r : nat\nvar waits : bool\nvar writes : bool\ninit r = 0 && !waits && !writes\naction enter: !waits && !writes -> r := r + 1\naction leave: r > 0 -> r := r - 1\n"
                                              "action want: !waits && !writes -> waits := true\naction write: waits && r = 0 -> writes := true, waits := false\naction done: writes -> writes := false\nltl served: G (waits => F writes)",
    "in CTL": "var x : int\nprogram { while x > 0 { x := x - 2 } }\nctl ends: AF program at end\nctl falls: AG (x > 10 => AF x <= 10)",
    "two programs": "var x : int\nprogram A { while x > 0 { x := x - 1 } }\nprogram B { while x > 5 { x := x - 1 } }\nterminates",
}
FAIL = {
    "grows": "var x : int\nprogram { while x > 0 { x := x + 1 } }\nterminates",
    "stays": "var x : 0..3\nprogram { while x > 0 { x := x } }\nterminates",
    "comes back": "var x : 0..9\ninit x = 5\nprogram { while x > 0 { if x > 4 { x := x - 1 } else { x := x + 1 } } }\nterminates",
    "one of two does not end": "var x : 0..5\ninit x = 3\nprogram A { while x > 0 { x := x - 1 } }\nprogram B { while true { x := x } }\nterminates",
    "it may be put for ever": "var q : 0..3\ninit q = 0\naction put: q < 3 -> q := q + 1\naction take: q > 0 -> q := q - 1\nltl drains: G F q = 3",
    "grows, by a guard with two numbers": "var x, y : int\ninit y >= 0\nprogram { while x > y { x := x + y + 1 } }\nterminates",
    "stays odd": "var x : int\ninit x = 7\nprogram { while x != 0 { x := x - 2 } }\nterminates",
    "both ways lead on": "var x, y : int\ninit x > 0 && y > 0\nprogram { while x + y > 0 { if * { x := x + 1 } else { y := y + x } } }\nterminates",
    "never served": "var waiting : nat\nvar n : int\ninit waiting = 1\naction come: true -> waiting := waiting + 1\naction count: true -> n := n + 1\nltl served: F waiting = 0",
    "asked again and again": "var x : int\nvar on : bool\ninit !on && x = 0\naction ask: !on -> on := true\naction wait: on -> x := x + 1\nltl answered: G (on => F !on)",
    "ends too soon": "var x : 0..5\ninit x = 5\nprogram { assume x < 5 }\nterminates",
}
# They hold because of fairness alone.
FAIR = {
    "a buffer of any capacity": "const N : nat\nvar put, got : nat = 0\nvar k : nat\ninit N > 0\naction produce: put - got < N -> put := put + 1\naction consume: got < put -> got := got + 1\naction idle: true -> ;\nfair consume\n"
                                "ltl delivered: G (put > k => F got > k)",
    "writers are served while fair readers drain": "var r : nat = 0\nvar waits, writes : bool = false\naction enter: !waits && !writes -> r := r + 1\naction idle: true -> ;\naction leave: r > 0 -> r := r - 1\n"
                                                   "action want: !waits && !writes -> waits := true\naction write: waits && r = 0 -> writes := true, waits := false\naction done: writes -> writes := false\nfair leave\nfair write\nltl served: G (waits => F writes)",
    "a scheduler": "var a, b, c : nat\naction run_a: a > 0 -> a := a - 1\naction run_b: b > 0 -> b := b - 1\naction run_c: c > 0 -> c := c - 1\naction idle: true -> ;\nfair run_a\nfair run_b\nfair run_c\nltl done: F (a = 0 && b = 0 && c = 0)",
    "a lock that another takes again and again": "var lock : 0..2 = 0\nvar n : nat = 0\nvar waits : bool = true\naction other: lock = 0 -> lock := 2, n := n + 1\naction release2: lock = 2 -> lock := 0\n"
                                                 "action mine: lock = 0 && waits -> lock := 1, waits := false\naction release1: lock = 1 -> lock := 0\naction again: !waits && lock != 1 -> waits := true\n"
                                                 "fair strong mine\nfair release2\nfair release1\nltl gets: G (waits => F lock = 1)",
    "it is on again and again": "var x : nat\nvar on : bool = false\naction turn: true -> on := !on\naction down: on && x > 0 -> x := x - 1, on := false\naction stay: true -> ;\nfair strong down\nfair when on\nltl zero: F x = 0",
    "a ring with a token": "var at : 0..2 = 0\nvar c : nat = 0\naction pass0: at = 0 -> at := 1\naction pass1: at = 1 -> at := 2\naction pass2: at = 2 -> at := 0\naction work: true -> c := c + 1\n"
                           "fair pass0\nfair pass1\nfair pass2\nctl again: AG AF at = 0",
}
# Fair protocols that other engines decide too.
PROTOCOLS = {
    "philosophers with tickets": "const N = 3\nvar ticket : nat[0..N-1] = 0\nvar next : nat = 1\nprocess P[i : 0..N-1] {\n  states thinking, hungry, eating\n  ask:  thinking -> hungry : ticket[i] := next, next := next + 1\n"
                                 "  eat:  hungry -> eating when forall j : 0..N-1 . j = i || P[j] at thinking || ticket[i] < ticket[j]\n  stop: eating -> thinking\n}\naction idle: true -> ;\nfair P.eat\nfair P.stop\nltl eats: G (P[0] at hungry => F P[0] at eating)",
    "Chang and Roberts": "const N = 3\nconst id : int[0..N-1]\nvar hops : 0..N[0..N-1] = 0\nvar elected : bool = false\ninit forall i, j : 0..N-1 . i = j || id[i] != id[j]\nprocess M[i : 0..N-1] {\n  states moving, dropped, home\n"
                         "  pass: moving -> moving when hops[i] < N - 1 && id[(i + hops[i] + 1) % N] < id[i] : hops[i] := hops[i] + 1\n  drop: moving -> dropped when hops[i] < N - 1 && id[(i + hops[i] + 1) % N] > id[i]\n"
                         "  win:  moving -> home when hops[i] = N - 1 : elected := true\n}\naction idle: true -> ;\nfair M\nltl elects: F elected",
}


def solvers_agree(name, content):
    """Each obligation of the certificate is discharged by each solver that is installed."""
    for solver in solvers():
        done = subprocess.run(SOLVERS[solver], input=content, capture_output=True, text=True, check=False)
        equal(set(done.stdout.split()), {"unsat"}, f"{name}: {solver}")


def answer(folder, name, text, *options):
    return whet("verify", "--timeout", "120", "--trace", "off", *options, write(folder, "m.whet", text + "\n"))


@case
def promises_are_kept(folder):
    for name, text in HOLD.items():
        result = answer(folder, name, text)
        words = re.findall(r": (\S+)", result.out)
        assert words and set(words) == {"HOLDS"}, f"{name}: {result}"


@case
def fair_runs_keep_promises(folder):
    for name, text in PROTOCOLS.items():
        assert ": HOLDS" in answer(folder, name, text).out, name
        assert ": FAILS" in answer(folder, name, re.sub(r"\nfair [^\n]*", "", text)).out, name
    for name, text in FAIR.items():
        result = answer(folder, name, text, "--engine", "rank")
        assert ": HOLDS" in result.out, f"{name}: {result}"
        unfair = answer(folder, name, re.sub(r"\nfair [^\n]*", "", text))
        assert ": FAILS" in unfair.out, f"{name}: {unfair}"


@case
def helps_are_checked_by_others(folder):
    certificate = os.path.join(folder, "certificate")
    for name, text in FAIR.items():
        assert "HOLDS" in answer(folder, name, text, "--certificate", certificate, "--engine", "rank").out, name
        with open(certificate, encoding="utf-8") as f:
            content = f.read()
        solvers_agree(name, content)
        model = os.path.join(folder, "m.whet")
        check = lambda changed: whet("check", model, write(folder, "changed", changed)).out
        assert "accepted" in check(content), f"{name}: {check(content)}"
        assert ":whet-help" in content, name
        assert "rejected: a measure falls" in check(re.sub(r"\(set-info :whet-help [^\n]*\n", "", content)), name
        helpful = r"(define-fun helpful\d+ \([^\n]*\) Bool\n  )[^\n]*\)\n"
        assert "rejected: a measure falls" in check(re.sub(helpful, r"\1false)\n", content)), name
        assert "accepted" not in check(re.sub(helpful, "", content)), name
        assert "accepted" not in check(re.sub(r'(:whet-help "\d+) \d+', r"\1 99", content)), name
        assert "accepted" not in check(re.sub(r'(:whet-help ")\d+', r"\g<1>99", content)), name
        weaker = whet("check", write(folder, "weaker.whet", re.sub(r"\nfair [^\n]*", "\nfair when true", text) + "\n"), certificate)
        assert "rejected: a measure falls" in weaker.out, f"{name}: {weaker}"


@case
def what_is_fair_enough_if_strong_need_not_be_if_weak(folder):
    """The measure of the lock is kept by steps after which it can be taken again: that is enough for strong fairness only."""
    certificate, text = os.path.join(folder, "certificate"), FAIR["a lock that another takes again and again"]
    assert "HOLDS" in answer(folder, "lock", text, "--certificate", certificate, "--engine", "rank").out
    weak = write(folder, "weak.whet", text.replace("fair strong", "fair") + "\n")
    assert "rejected: a measure falls" in whet("check", weak, certificate).out
    assert ": FAILS" in whet("verify", weak).out


@case
def promises_are_not_kept(folder):
    for name, text in FAIL.items():
        result = answer(folder, name, text)
        assert re.search(r": FAILS", result.out), f"{name}: {result}"


@case
def rankings_are_checked_by_others(folder):
    certificate = os.path.join(folder, "certificate")
    for name in list(HOLD)[:3]:
        result = answer(folder, name, HOLD[name], "--certificate", certificate, "--engine", "rank,widen")
        assert "HOLDS" in result.out, result
        with open(certificate, encoding="utf-8") as f:
            content = f.read()
        assert content.startswith("; whet ranking 1\n"), content[:100]
        solvers_agree(name, content)
        model = os.path.join(folder, "m.whet")
        assert "accepted" in whet("check", model, certificate).out, name
        lost = re.sub(r":whet-measures \d+", ":whet-measures 0", content)
        assert "rejected: a measure falls" in whet("check", model, write(folder, "lost", lost)).out, name
        empty = re.sub(r"(define-fun region \([^\n]*\) Bool\n  )[^\n]*\)\n", r"\1false)\n", content)
        assert "rejected: the region" in whet("check", model, write(folder, "empty", empty)).out, name
        wrong = content.replace(":whet-measures", ":whet-nothing")
        assert "accepted" not in whet("check", model, write(folder, "wrong", wrong)).out, name


@case
def transition_invariants_are_checked_by_others(folder):
    certificate, model = os.path.join(folder, "certificate"), os.path.join(EXAMPLES, "live", "exchange.whet")
    assert "HOLDS" in whet("verify", model, "--trace", "off", "--timeout", "300", "--certificate", certificate).out
    with open(certificate, encoding="utf-8") as f:
        content = f.read()
    assert content.startswith("; whet transition invariant 1\n"), content[:100]
    solvers_agree("exchange", content)
    check = lambda changed: whet("check", model, write(folder, "changed", changed)).out
    count = int(re.search(r":whet-measures (\d+)", content).group(1))
    body = lambda name, sort: rf"(define-fun {name} \([^\n]*\) {sort}\n  )[^\n]*\)\n"
    used = [i for i in range(1, count + 1) if not re.search(rf"define-fun measure{i} \([^\n]*\) Int\n  0\)", content)]
    assert "accepted" in check(content) and len(used) > 1 and count > len(used), f"{count} {used}"
    assert "rejected: " in check(re.sub(r":whet-measures \d+", ":whet-measures 0", content))
    # One alone may be needless, if others say the same.
    refused = [i for i in used if "rejected: " in check(re.sub(body(f"measure{i}", "Int"), r"\g<1>0)\n", content))]
    lost = [i for i in range(1, count + 1) if "rejected: " in check(re.sub(body(f"relation{i}", "Bool"), r"\g<1>false)\n", content))]
    assert refused and len(lost) > count // 2, f"{refused} {lost} of {count}"
    assert "rejected: " in check(re.sub(body(r"measure\d+", "Int"), r"\g<1>0)\n", content))
    assert "rejected: " in check(re.sub(body(r"relation\d+", "Bool"), r"\g<1>true)\n", content))
    assert "rejected: the region" in check(re.sub(body("region", "Bool"), r"\g<1>false)\n", content))
    assert "rejected: " in check(re.sub(body("cut", "Bool"), r"\g<1>false)\n", content))
    assert "rejected: " in check(re.sub(body("cut", "Bool"), r"\g<1>true)\n", content))
    assert "rejected: " in check(re.sub(body("between", "Int"), r"\g<1>0)\n", content))
    for name, sort in (("cut", "Bool"), ("between", "Int"), ("relation1", "Bool"), (f"measure{count}", "Int")):
        assert "accepted" not in check(re.sub(body(name, sort), "", content)), name
    assert "accepted" not in check(content.replace("(|t!next| Int)", "")), "a parameter is missing"
    for name in ("choice-wrong.whet", "exchange-wrong.whet"):
        assert "accepted" not in whet("check", os.path.join(EXAMPLES, "live", name), certificate).out, name


FAIR_EXCHANGES = {
    "fair {swap, down}": ("t", "y > 0", "", ""),
    "fair {swap}\nfair {down}": ("t", "y > 0", "", ""),
    "fair strong {swap, down}": ("t : int\nvar ready : bool\naction get: !ready -> ready := true\nvar u", "y > 0 && ready", "ready && ", "ready := false, "),
    "fair when turn": ("t : int\nvar turn : bool\nvar u", "y > 0", "", "turn := false, "),
}


def exchange_with_rests(fairness):
    """Swaps and falls as in examples/live/exchange.whet, and rests that only fairness ends."""
    names, guard, wait, ended = FAIR_EXCHANGES[fairness]
    taken = ", turn := true" if "turn" in fairness else ""
    return (f"var x, y, {names} : int\ninit x >= 0 && y >= 0\naction rest: {guard} -> {ended}x := x\naction swap: {wait}y > 0 && x = 0 -> x := y, y := y - 1{taken}\n"
            f"action down: {wait}y > 0 && x > 0 -> y := x - 1, x := y{taken}\naction done: y <= 0 -> x := x\n{fairness}\nltl ends: F y <= 0\n")


@case
def transition_invariants_wait_for_fairness(folder):
    certificate = os.path.join(folder, "certificate")
    for fairness in FAIR_EXCHANGES:
        text = exchange_with_rests(fairness)
        model = write(folder, "m.whet", text)
        assert "ends: HOLDS" in whet("verify", model, "--trace", "off", "--without", "explicit", "--timeout", "120", "--certificate", certificate).out, fairness
        with open(certificate, encoding="utf-8") as f:
            content = f.read()
        assert content.startswith("; whet transition invariant 1\n"), content[:100]
        solvers_agree(fairness, content)
        check = lambda changed, of=model: whet("check", of, write(folder, "changed", changed)).out
        waits = re.findall(r'\(set-info :whet-waits "(\d+) (\d+) ([01])"\)\n', content)
        assert "accepted" in check(content) and any(last == "1" for _, _, last in waits), f"{fairness}: {waits}"
        assert "rejected: " in check(re.sub(r'\(set-info :whet-waits "\d+ \d+ 1"\)\n', "", content)), fairness
        assert "rejected: relations wait" in check(re.sub(r'(:whet-waits ")\d+', r"\g<1>999", content)), fairness
        assert "accepted" not in check(re.sub(r'(:whet-waits "\d+) \d+', r"\1 9", content)), fairness
        assert "accepted" not in check(re.sub(r'(:whet-waits "\d+ \d+) [01]', r"\1 2", content)), fairness
        weaker = check(re.sub(r'(:whet-waits "\d+ \d+) 1', r"\1 0", content))
        assert "rejected: " in weaker and ("strong" in fairness or "rejected: relations wait" in weaker), fairness
        everywhere = "".join(f'(set-info :whet-waits "{i} 0 1")\n' for i in range(1, content.count("define-fun relation") + 1))
        every = re.sub(r'(\(set-info :whet-waits [^\n]*\n)+', everywhere, content)
        assert "rejected: " in check(every), fairness
        # Of what fails: other fairness.
        for other in ("", "fair done"):
            wrong = write(folder, "wrong.whet", text.replace(fairness, other))
            assert "accepted" not in check(content, wrong), f"{fairness}: {other}"
    for kind in ("fair swap", "fair strong {swap}"):  # of another constraint of the same number
        wrong = write(folder, "wrong.whet", exchange_with_rests("fair {swap, down}").replace("fair {swap, down}", kind))
        assert "accepted" not in whet("check", wrong, certificate).out, kind


@case
def rank_alone_finds_the_facts_it_needs(folder):
    """Without them a number may be negative, at which these loops do not end as they should; what is no fact is in no certificate."""
    certificate = os.path.join(folder, "certificate")
    for name in ("exchange", "fair-exchange", "mccarthy", "binary-search"):
        model = os.path.join(EXAMPLES, "live", f"{name}.whet")
        assert "HOLDS" in whet("verify", model, "--engine", "rank", "--trace", "off", "--work", "10000000", "--certificate", certificate).out, name
        with open(certificate, encoding="utf-8") as f:
            content = f.read()
        solvers_agree(name, content)
        assert "accepted" in whet("check", model, certificate).out, name
        lost = re.sub(r"(define-fun inv \([^\n]*\) Bool\n  )(?:[^\n]+\n)+", r"\1true)\n", content, count=1)
        refused = whet("check", model, write(folder, "lost", lost)).out
        assert lost != content and (name == "binary-search" or "rejected: " in refused), f"{name}: {refused}"
    for name in ("exchange-wrong", "fair-exchange-wrong"):
        assert "HOLDS" not in whet("verify", os.path.join(EXAMPLES, "live", f"{name}.whet"), "--engine", "rank", "--trace", "off", "--work", "200000").out, name


@case
def recurrences_are_checked_by_others(folder):
    certificate = os.path.join(folder, "certificate")
    for name in ("grows", "grows, by a guard with two numbers", "stays odd", "never served", "asked again and again"):
        result = answer(folder, name, FAIL[name], "--certificate", certificate, "--engine", "rank")
        assert "FAILS" in result.out, f"{name}: {result}"
        with open(certificate, encoding="utf-8") as f:
            content = f.read()
        assert content.startswith("; whet recurrence 1\n"), content[:100]
        solvers_agree(name, content)
        model = os.path.join(folder, "m.whet")
        check = lambda changed: whet("check", model, write(folder, "changed", changed)).out
        assert "accepted" in check(content), f"{name}: {check(content)}"
        for obligation in ("the run is within the types, in its state 0", "the promise is made on the run", "the promise stays open on the run, in its state "):
            assert f"\n; {obligation}" in content, f"{name}: {obligation}"
        assert "define-fun inv" not in content, name
        region = r"(define-fun region \([^\n]*\) Bool\n  )[^\n]*\)\n"
        assert "rejected: the run ends in the region" in check(re.sub(region, r"\1false)\n", content)), name
        assert "rejected: " in check(re.sub(region, r"\1true)\n", content)), name
        assert "rejected: a choice stays" in check(re.sub(r"\(set-info :whet-choice [^\n]*\n", "", content)), name
        assert "accepted" not in check(re.sub(r'(:whet-choice "\d+)', r"\1 5", content)), name
        assert "accepted" not in check(re.sub(r'(:whet-choice ")\d+', r"\g<1>999", content)), name
        assert "accepted" not in check(re.sub(r"\(set-info :whet-run \"([^\"]|\"\")*\"\)\n", "", content)), name


RECURSIVE = {
    "counts down": ("HOLDS", "var x, y : int\nprocedure f(n : int) returns (r : int) { if n > 0 { r := f(n - 1)\n r := r + 1 } else { r := 0 } }\nprogram { y := f(x) }\nterminates"),
    "Ackermann": ("HOLDS", "var x, y : int\ninit x >= 0 && y >= 0\nprocedure a(m : int, n : int) returns (r : int)\n  requires m >= 0 && n >= 0\n  ensures r >= 0\n{ if m = 0 { r := n + 1 } else if n = 0 { r := a(m - 1, 1) }\n"
                           " else { r := a(m, n - 1)\n r := a(m - 1, r) } }\nprogram { y := a(x, y) }\nterminates"),
    "two that call each other with the same": ("FAILS", "var x, y : int\nprocedure ping(n : int) returns (r : int) { if n > 0 { r := pong(n) } }\nprocedure pong(n : int) returns (r : int) { if n > 3 { r := ping(n) } else { r := ping(n - 1) } }\n"
                                                        "program { y := ping(x) }\nterminates"),
    "a loop after the call": ("FAILS", "var x, y : int\nprocedure f(n : int) returns (r : int) { if n > 0 { r := f(n - 1) } else { r := 1 } }\nprogram { y := f(x)\n while y > 0 { skip } }\nterminates"),
}


@case
def recursive_procedures_end_or_do_not(folder):
    certificate = os.path.join(folder, "certificate")
    for name, (verdict, text) in RECURSIVE.items():
        model = write(folder, "m.whet", text + "\n")
        result = whet("verify", "--trace", "off", "--timeout", "120", "--property", "terminates", "--certificate", certificate, model)
        assert f"terminates: {verdict}" in result.out, f"{name}: {result}"
        assert "accepted" in whet("check", model, certificate).out, name
    refused = whet("verify", write(folder, "m.whet", RECURSIVE["counts down"][1].replace("{ y :=", "{ assume x > 0\n y :=") + "\n"))
    equal(refused.status, 2)
    assert "m.whet:4:11: error: a model with recursive procedures and the property `terminates` cannot have `assume`" in refused.err, refused


@case
def alpha_finds_runs_before_it_is_exact(folder):
    """The numbers grow so that no predicates do; the loop is near the start."""
    text = ("var x, y, z : int = 0\naction step: x = 0 -> y := 2*y + z + 1, z := z + y\naction back: x = 0 -> x := 1\naction loop: x = 1 -> x := 2\naction loop2: x = 2 && y <= z + 3 -> x := 1\n"
            "action out: x = 2 -> x := 3\naction stay: x = 3 -> z := z + 2*y\n%s\nltl gets: G (x = 1 => F x = 3)\n")
    model = write(folder, "m.whet", text % "fair out")
    result = whet("verify", "--engine", "alpha", model)
    assert "gets: FAILS" in result.out and "this is state 1 again" in result.out, result
    result = whet("verify", "--engine", "alpha", "--work", "300000", write(folder, "m.whet", text % "fair strong out"))
    assert "gets: UNKNOWN" in result.out, result


@case
def too_many_atoms_are_no_error(folder):
    """More atoms than `syntactic` begins with: it gives up, and says so."""
    count = 300
    content = f"var x : int[0..{count - 1}]\nvar y : int\ninit " + " && ".join(f"x[{i}] > {i}" for i in range(count)) + "\naction down: y > 0 -> y := y - 1\nltl ends: F y <= 0"
    result = whet("verify", write(folder, "many.whet", content), "--engine", "syntactic", "--timeout", "60")
    assert "UNKNOWN (the predicates become too many" in result.out and "error of whet" not in result.err, result


@case
def what_is_no_program_does_not_end(folder):
    result = whet("verify", write(folder, "m.whet", "var x : int\naction a: true -> x := x\nterminates\n"))
    equal(result.status, 2)
    assert "m.whet:3:1: error: `terminates` is about programs" in result.err, result


if __name__ == "__main__":
    main()
