"""Procedures in whet's language: the examples and their wrong twins, what runs look like, and random programs against an interpreter."""
import json
import os
import re

from harness import EXAMPLES, SANITIZED, case, equal, main, schema, whet, write

import procedure_programs

FOLDER = os.path.join(EXAMPLES, "procedures")
MODELS = sorted(os.listdir(FOLDER))
WORK = "2000000"
ROUNDS = int(os.environ.get("WHET_ROUNDS", "1")) * (6 if SANITIZED else 16)
FIRST = int(os.environ.get("WHET_SEED", "1"))


def verdicts(result):
    return dict(re.findall(r"^([\w.-]+): (SAFE|UNSAFE|HOLDS|FAILS|UNKNOWN)", result.out, re.MULTILINE))


def expected(path):
    with open(path, encoding="utf-8") as f:
        return dict(re.findall(r"^// expect (\S+): (\w+)$", f.read(), re.MULTILINE))


def check_evidence(folder, path, count, *options):
    """Decides the model, and has each piece of evidence checked again by the program itself."""
    place = os.path.join(folder, "evidence")
    os.makedirs(place, exist_ok=True)
    for name in os.listdir(place):
        os.unlink(os.path.join(place, name))
    result = whet("verify", path, "--quiet", "--trace", "off", "--certificate", os.path.join(place, "c.smt2"), *options)
    decided = [v for v in verdicts(result).values() if v != "UNKNOWN"]
    equal(len(os.listdir(place)), len(decided), result)
    assert len(decided) >= count, result
    for name in os.listdir(place):
        again = whet("check", path, os.path.join(place, name))
        equal(again.status, 0, f"{path} {name}: {again}")
    return result


@case
def examples_and_their_wrong_twins(folder):
    equal(len(MODELS), 18)
    for name in MODELS:
        path = os.path.join(FOLDER, name)
        wanted = expected(path)
        result = check_evidence(folder, path, len(wanted), "--work", WORK)
        found = verdicts(result)
        equal({p: found.get(p) for p in wanted}, wanted, result)
        assert ("UNSAFE" in wanted.values()) == name.endswith("-wrong.whet"), name


@case
def the_right_ones_hold_whole(folder):
    """All that a right one has is proved, so that no verdict is about a part of the runs only."""
    for name in MODELS:
        if not name.endswith("-wrong.whet"):
            result = whet("verify", os.path.join(FOLDER, name), "--quiet", "--work", WORK)
            equal((result.status, set(re.findall(r": (.*)", result.out))), (0, {"SAFE"} | ({"HOLDS"} if name == "peterson.whet" else set())), result)


@case
def a_run_shows_calls_and_returns(folder):
    path = write(folder, "m.whet", """var count : nat = 0
var mode : {idle, busy} = idle
procedure sum(n : 0..9) returns (r : int, even : bool)
{
  var rest : int
  mode := busy
  if n = 0 { r := 0; even := true }
  else {
    rest, even := sum(n - 1)
    r := rest + n
    even := !even
  }
  count := count + 1
}
program {
  var n : 0..9
  var s : int
  var e : bool
  assume n = 1
  s, e := sum(n)
  assert odd: e || s != 1 || mode = idle || count != 2
}
""")
    result = whet("verify", path, "--property", "odd", "--quiet")
    equal(result.out, """odd: UNSAFE
    start    count = 0, mode = idle, n = 1
    19: assume n = 1
    20: s, e := sum(n)
    sum(n = 1)
      6: mode := busy    mode = busy
      7: [!(n = 0)]
      9: rest, even := sum(n - 1)
      sum(n = 0)
        6: mode := busy    mode = busy
        7: [n = 0]
        7: r := 0    r = 0
        7: even := true    even = true
        13: count := count + 1    count = 1
        returns r = 0, even = true
      even = true, rest = 0
      10: r := rest + n    r = 1
      11: even := !even    even = false
      13: count := count + 1    count = 2
      returns r = 1, even = false
    s = 1, e = false
    21: assert e || s != 1 || mode = idle || count != 2 fails
""", result)


@case
def contracts_end_runs_and_are_relied_on(folder):
    """A call whose result is not as promised does not go on; what is proved about the rest says so."""
    path = write(folder, "m.whet", """procedure down(n : int) returns (r : int)
  requires n >= 0
  ensures r = 1
{
  if n = 0 { r := 0 } else { r := down(n - 2) }
}
program {
  var x : nat
  x := down(4)
  assert after: x = 1
}
""")
    result = whet("verify", path, "--quiet", "--trace", "off")
    equal(result.out, "down.requires: SAFE (down.ensures not proved)\ndown.ensures: UNSAFE\nafter: SAFE (down.ensures not proved)\n"
          "no-runtime-error: SAFE (down.ensures not proved)\n", result)
    result = whet("verify", path, "--property", "after", "--quiet", "--trace", "off")
    equal(result.out, "after: SAFE (down.requires, down.ensures not proved)\n", result)


@case
def what_is_ensured_is_a_summary(folder):
    """That what is returned is the product is given, and is not linear: no engine would find it."""
    path = write(folder, "m.whet", """procedure times(a : nat, b : nat) returns (r : nat)
  ensures r = a * b
{
  var rest : nat
  if a = 0 { r := 0 } else { rest := times(a - 1, b); r := rest + b }
}
program {
  var a, b, p, q : nat
  p := times(a, b)
  q := times(a, b + 1)
  assert more: q >= p
}
""")
    result = whet("verify", path, "--property", "more", "--quiet", "--trace", "off", "--work", WORK)
    equal(result.out, "more: SAFE (times.ensures not proved)\n", result)


WORKERS = """// Workers that add to a counter under a lock.
var lock : bool = false
var total : 0..20 = 0
action noise: lock -> lock := lock
procedure take() { assume !lock; lock := true }
procedure add(n : 1..3) returns (was : 0..20)
  requires n <= 2
  ensures total = was + n
{
  take()
  was := total
  total := total + n
  lock := false
}
program Worker[i : 1..2] {
  var seen : 0..20 = 0
  seen := add(i)
  done: skip
}
safe alone: total <= 3
safe seen: Worker[1].seen + Worker[2].seen <= 2
ltl ends: F (Worker[1] at done)
ctl can: EF (Worker[1] at end && Worker[2] at end)
deadlockfree goes_on
fair Worker[1], Worker[2]
"""


@case
def bodies_that_are_not_recursive_stand_in_for_calls(folder):
    """In several processes, beside actions, with all kinds of properties and all engines."""
    path = write(folder, "m.whet", WORKERS)
    result = whet("verify", path, "--quiet", "--trace", "off")
    wanted = ("add.requires: SAFE (add.ensures not proved)\nadd.ensures: UNSAFE\nalone: SAFE (add.ensures not proved)\nseen: SAFE (add.ensures not proved)\n"
              "ends: FAILS (add.ensures not proved)\ncan: HOLDS (add.ensures not proved)\ngoes_on: UNSAFE\nno-runtime-error: SAFE (add.ensures not proved)\n")
    equal(result.out, wanted, result)
    shown = whet("show", path)
    again = whet("verify", write(folder, "flat.whet", shown.out), "--quiet", "--trace", "off")
    equal(again.out.replace("|", ""), wanted.replace(" (add.ensures not proved)", ""), again)


@case
def a_run_with_bodies_in_place_shows_calls(folder):
    path = write(folder, "m.whet", """procedure twice(n : int) returns (r : int) { r := n + n }
procedure four(n : int) returns (r : int)
  requires n >= 0
{
  var half : int = n
  half := twice(half)
  r := twice(half)
}
program {
  var x : int = 0
  x := four(x)
  assert some: x != 0
}
""")
    result = whet("verify", path, "--quiet", "--property", "some", "--engine", "explicit")
    equal(result.out, """some: UNSAFE
    0  initial                        program at line11, x = 0
    1  line 11: x := four(x)          four.n = 0
    2  line 11: four starts           four.half = 0
    3  line 6:   half := twice(half)  twice.n = 0
    4  line 1:     r := n + n         twice.r = 0
    5  line 6:   twice returns        four.half = 0
    6  line 7:   r := twice(half)     twice.n = 0
    7  line 1:     r := n + n         twice.r = 0
    8  line 7:   twice returns        four.r = 0
    9  line 11: four returns          program at line12
""", result)


@case
def what_is_read_before_it_is_set_has_any_value(folder):
    path = write(folder, "m.whet", """procedure f(set : bool) returns (r : 0..3) { if set { r := 1 } }
program {
  var x : 0..3 = 0
  x := f(true)
  assert one: x = 1
  x := f(false)
  assert any: x <= 2
}
""")
    for engine in ("explicit", "cegar", "kind"):
        result = whet("verify", path, "--quiet", "--trace", "off", "--engine", engine)
        equal(result.out, "one: SAFE\nany: UNSAFE\n", result)


@case
def results_follow_the_schema(folder):
    for name in ("even-odd.whet", "merge-counters-wrong.whet"):
        result = whet("verify", os.path.join(FOLDER, name), "--quiet", "--json", "-", "--work", WORK)
        schema().validate(json.loads(result.out))
        page = os.path.join(folder, "page.html")
        whet("verify", os.path.join(FOLDER, name), "--quiet", "--report", page, "--work", WORK)
        assert os.path.getsize(page) > 1000


@case
def names_may_be_anything(folder):
    """Names between bars, words of SMT-LIB, and places that would be called alike."""
    path = write(folder, "m.whet", """var |a!b| : int = 0
procedure |my proc|(|p q| : int) returns (|r!r| : int)
  ensures |r!r| >= 0
{
  var |returns| : int = 0
  returns: |a!b| := |a!b| + 1
  if |p q| <= 0 { |r!r| := 0 } else { |r!r| := |my proc|(|p q| - 1) }
  choose { goto returns } or { skip }
}
procedure not(n : int) returns (and : int)
  ensures and >= 91
{
  if n > 100 { and := n - 10 } else { and := not(n + 11); and := not(and) }
}
procedure |=|(n : int) returns (true' : int) { true' := not(n) }
program |P r| {
  var let : int
  let := |=|(let)
  assert |n n|: let != 95
  let := |my proc|(let)
}
""")
    place = os.path.join(folder, "c.smt2")
    result = whet("verify", path, "--quiet", "--work", WORK, "--certificate", place)
    equal(re.findall(r"^(\S.*)$", result.out, re.MULTILINE), ["my proc.ensures: SAFE", "not.ensures: SAFE", "n n: UNSAFE"], result)
    files = [name for name in os.listdir(folder) if name.startswith("c.")]
    equal([whet("check", path, os.path.join(folder, name)).status for name in files], [0, 0, 0])


@case
def what_would_be_too_large_is_refused(folder):
    path = write(folder, "m.whet", """var a : int[1..50000] = 0
procedure f(i : int) { if i > 0 && i < 50000 { a[i] := i; f(i - 1) } }
program { f(3) assert a[2] = 2 }
""")
    result = whet("verify", path, "--expand-arrays", "100000")
    equal((result.status, result.out), (2, ""), result)
    assert "m.whet:2:11: error: the model becomes too large here" in result.err, result


@case
def engines_that_need_a_system_say_so(folder):
    for engine in ("fbar", "syntactic", "alpha", "kind"):
        result = whet("verify", os.path.join(FOLDER, "mccarthy91.whet"), "--engine", engine, "--quiet", "--trace", "off", "--property", "from_outside")
        equal((result.status, result.out), (20, f"from_outside: UNKNOWN (engine {engine} does not treat recursive procedures)\n"), result)


ACKERMANN = """procedure ack(m : nat, n : nat) returns (r : nat)
{
  var t : nat
  if m = 0 { r := n + 1 }
  else if n = 0 { r := ack(m - 1, 1) }
  else { t := ack(m, n - 1); r := ack(m - 1, t) }
}
program {
  var r : nat
  r := ack(3, 4)
  assert wrong: r != 125
  assert right: r = 125
}
"""


@case
def explicit_runs_procedures(folder):
    """Both ways: a run of some ten thousand steps, and a proof that lists what is called and given back."""
    path = write(folder, "m.whet", ACKERMANN)
    for order in ("bfs", "dfs"):
        result = check_evidence(folder, path, 3, "--engine", "explicit", "--order", order)
        equal(verdicts(result), {"wrong": "UNSAFE", "right": "SAFE", "no-runtime-error": "SAFE"}, result)


@case
def explicit_ends_if_values_are_few(folder):
    """However deep calls go: what is called with the same values again gives back the same."""
    path = write(folder, "m.whet", """var g : 0..9 = 0
procedure f(n : 0..9) returns (r : 0..9) {
  while * { g := (g + n) % 10 }
  if * { r := f((n + g) % 10) } else { r := n }
}
procedure never() { never() }
program {
  var r : 0..9
  r := f(3)
  assert any: r != 8
  assert digits: r >= 0
  never()
  assert not_here: false
}
safe within: g < 10
""")
    result = check_evidence(folder, path, 4, "--engine", "explicit", "--property", "any,digits,not_here,within")
    equal(verdicts(result), {"any": "UNSAFE", "digits": "SAFE", "not_here": "SAFE", "within": "SAFE"}, result)


@case
def explicit_finds_a_shortest_run(folder):
    """The way without the loop, though the call that leads to it comes later in the text; the same run as others show."""
    path = write(folder, "m.whet", """procedure slow(n : 0..9) returns (r : bool) { if n = 0 { r := true } else { r := slow(n - 1) } }
procedure quick() returns (r : bool) { r := slow(0) }
program {
  var done : bool = false
  choose { done := slow(9) } or { skip; done := quick() }
  assert not_yet: !done
}
""")
    wanted = """not_yet: UNSAFE
    start
    5: choose 2
    5: skip
    5: done := quick()
    quick()
      2: r := slow(0)
      slow(n = 0)
        1: [n = 0]
        1: r := true    r = true
        returns r = true
      r = true
      returns r = true
    done = true
    6: assert !done fails
"""
    result = whet("verify", path, "--property", "not_yet", "--engine", "explicit", "--quiet")
    equal(result.out, wanted, result)
    others = whet("verify", path, "--property", "not_yet", "--engine", "pdr", "--quiet")
    assert {line.strip() for line in others.out.splitlines()} >= {"start", "done = true", "6: assert !done fails"}, others


@case
def explicit_says_what_was_not_tried(folder):
    path = write(folder, "m.whet", """procedure down(n : nat) returns (r : nat) { if n = 0 { r := 0 } else { r := down(n - 1) } }
program { var n, r : nat; r := down(n); assert zero: r = 0 }
""")
    result = whet("verify", path, "--property", "zero", "--engine", "explicit", "--quiet", "--trace", "off")
    equal((result.status, result.out), (20, "zero: UNKNOWN (not all values of n can be tried: it has no bound)\n"), result)
    path = write(folder, "d.whet", """procedure down(n : int) returns (r : int) { if n = 1 { r := 0 } else { r := down(n - 1) } }
program { var r : int; r := down(0); assert never: false }
""")
    result = whet("verify", path, "--engine", "explicit", "--quiet", "--trace", "off", "--work", "20000")
    equal((result.status, result.out), (20, "never: UNKNOWN (work limit reached)\n"), result)


@case
def divisions_by_variables(folder):
    """What is not evaluated divides by nothing; what is, and fails, ends the run. A quotient is known if numbers are."""
    path = write(folder, "m.whet", """procedure f(a : int, b : int) returns (r : int)
{
  r := if b = 0 then -1 else a / b * 100 + a % b
  if a > 9 { r := f(a - 10, b) }
}
program {
  var x, d : int
  choose { x := f(17, 0) } or { x := f(-7, 2) } or { x := f(7, -2) } or { x := f(-7, -2) }
  assert first: x != -1
  assert second: x != -399
  assert third: x != -299
  assert fourth: x != 401
  assert others: x = -1 || x = -399 || x = -299 || x = 401
  assert skipped: x != -1 || x = -1 || 5 / (x + 1) > 0
  d := x + 1
  x := f(7, d)
  d := 8 / d
}
""")
    wanted = {"first": "UNSAFE", "second": "UNSAFE", "third": "UNSAFE", "fourth": "UNSAFE", "others": "SAFE", "skipped": "SAFE", "no-runtime-error": "UNSAFE"}
    for engine in ("explicit", "derive", "auto"):
        equal(verdicts(check_evidence(folder, path, 7, "--engine", engine, "--work", WORK)), wanted, engine)
    found = verdicts(check_evidence(folder, path, 0, "--engine", "spacer,pdr", "--work", WORK))
    assert all(verdict in ("UNKNOWN", wanted[name]) for name, verdict in found.items()), found


@case
def programs_are_simulated(folder):
    path = write(folder, "m.whet", """procedure gcd(a : nat, b : nat) returns (r : nat) { if b = 0 { r := a } else { r := gcd(b, a % b) } }
program { var d : nat; d := gcd(21, 14); assert seven: d = 7 }
""")
    wanted = """    start
    2: d := gcd(21, 14)
    gcd(a = 21, b = 14)
      1: [!(b = 0)]
      1: r := gcd(b, a % b)
      gcd(a = 14, b = 7)
        1: [!(b = 0)]
        1: r := gcd(b, a % b)
        gcd(a = 7, b = 0)
          1: [b = 0]
          1: r := a    r = 7
          returns r = 7
        r = 7
        returns r = 7
      r = 7
      returns r = 7
    d = 7
    2: assert seven: d = 7
"""
    for seed in ("1", "2"):
        result = whet("simulate", path, "--seed", seed, "--steps", "40")
        equal((result.status, result.out), (0, wanted), result)
        assert "the run ended: no step can be taken" in result.err, result
    short = whet("simulate", path, "--steps", "3")
    equal(short.out.splitlines(), wanted.splitlines()[:4], short)


@case
def simulated_runs_are_random_and_end_at_contracts(folder):
    path = write(folder, "m.whet", """var g : int = 0
procedure walk(n : 0..20) returns (r : 0..20)
  requires n < 3
{
  choose { g := g + n } or { g := g - 1 }
  if * { r := walk(n + 1) } else { r := n }
}
program { var r : 0..20; while true { r := walk(r) } }
init g = 0
""")
    runs = {whet("simulate", path, "--seed", str(seed), "--steps", "60").out for seed in range(6)}
    assert len(runs) > 3, runs
    equal(whet("simulate", path, "--seed", "3").out, whet("simulate", path, "--seed", "3").out)
    endings = [whet("simulate", path, "--seed", str(seed), "--steps", "500").err for seed in range(6)]
    assert any("the run ended: 3: requires n < 3 fails" in ending for ending in endings), endings
    for run in runs:  # g as the statements say
        g = 0
        for n, line in re.findall(r"walk\(n = (\d+)\)\n +5: choose \d\n +(5: g := .*)", run):
            words = re.fullmatch(r"5: g := g (\+ n|- 1)(?:    g = (-?\d+))?", line)
            g += int(n) if words[1] == "+ n" else -1
            equal(int(words[2]) if words[2] else g, g, run)


def compare_with_interpreter(folder, layered, *options):
    compared = unknown = broken = 0
    for seed in range(FIRST, FIRST + ROUNDS):
        model = procedure_programs.model(seed, layered)
        outcome = procedure_programs.outcome(model)
        if outcome is None:
            continue
        path = write(folder, "r.whet", model["text"])
        result = check_evidence(folder, path, 0, "--work", "300000", *options)
        found = verdicts(result)
        assert found and result.status in (0, 10, 20) and outcome <= set(found), f"seed {seed}: {sorted(outcome)} {result}\n{model['text']}"
        for name, verdict in found.items():
            compared += verdict != "UNKNOWN"
            unknown += verdict == "UNKNOWN"
            broken += verdict == "UNSAFE"
            assert verdict == "UNKNOWN" or (verdict == "UNSAFE") == (name in outcome), f"seed {seed}: {name} is {verdict}, broken: {sorted(outcome)}\n{model['text']}"
    assert compared > 2 * ROUNDS and unknown * 5 < compared and broken * 8 > compared, (compared, unknown, broken)


@case
def an_interpreter_agrees(folder):
    compare_with_interpreter(folder, False)


@case
def an_interpreter_agrees_with_explicit_on_calls(folder):
    compare_with_interpreter(folder, False, "--engine", "explicit")


@case
def an_interpreter_agrees_on_bodies_in_place(folder):
    compare_with_interpreter(folder, True)


@case
def an_interpreter_agrees_with_explicit(folder):
    """Where the bodies are in place."""
    compare_with_interpreter(folder, True, "--engine", "explicit")


main()
