"""Procedures in whet's language: the examples and their wrong twins, what runs look like, and random programs against an interpreter."""
import json
import os
import re

from harness import EXAMPLES, SANITIZED, case, equal, main, schema, whet, write

import procedure_programs

FOLDER = os.path.join(EXAMPLES, "procedures")
MODELS = sorted(os.listdir(FOLDER))
WORK = "2000000"
ROUNDS = int(os.environ.get("WHET_ROUNDS", "1")) * (8 if SANITIZED else 40)
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
    equal(len(MODELS), 16)
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
    result = whet("verify", path)
    equal((result.status, result.out), (2, ""), result)
    assert "m.whet:2:11: error: the model becomes too large here" in result.err, result


@case
def engines_that_need_a_system_say_so(folder):
    result = whet("verify", os.path.join(FOLDER, "mccarthy91.whet"), "--engine", "explicit", "--quiet", "--trace", "off", "--property", "from_outside")
    equal((result.status, result.out), (20, "from_outside: UNKNOWN (engine explicit does not treat clauses with several predicates in a body)\n"), result)


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
def an_interpreter_agrees_on_bodies_in_place(folder):
    compare_with_interpreter(folder, True)


@case
def an_interpreter_agrees_with_explicit(folder):
    """Which treats no clauses: the bodies are in place."""
    compare_with_interpreter(folder, True, "--engine", "explicit")


main()
