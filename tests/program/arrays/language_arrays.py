"""Arrays of any length in whet's language: the examples and their wrong twins, what runs look like, what is refused, and lengths that are given."""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import EXAMPLES, case, equal, main, whet, write

FOLDER = os.path.join(EXAMPLES, "arrays")
MODELS = sorted(os.listdir(FOLDER))
WORK = "60000000"


def verdicts(result):
    return dict(re.findall(r"^([\w.-]+): (SAFE|UNSAFE|HOLDS|FAILS|UNKNOWN)", result.out, re.MULTILINE))


def expected(path):
    with open(path, encoding="utf-8") as f:
        return dict(re.findall(r"^// expect (\S+): (\w+)$", f.read(), re.MULTILINE))


@case
def examples_and_their_wrong_twins(folder):
    """Each piece of evidence is checked again by the program itself, and by z3 if it is there."""
    for name in MODELS:
        path, place = os.path.join(FOLDER, name), os.path.join(folder, name)
        os.makedirs(place)
        wanted = expected(path)
        result = whet("verify", path, "--quiet", "--trace", "off", "--work", WORK, "--certificate", os.path.join(place, "c.smt2"))
        found = verdicts(result)
        equal({p: found.get(p) for p in wanted}, wanted, f"{name} {result}")
        assert ("UNSAFE" in wanted.values()) == name.endswith("-wrong.whet"), name
        assert name.endswith("-wrong.whet") or name.replace(".whet", "-wrong.whet") in MODELS, name
        decided = [v for v in found.values() if v != "UNKNOWN"]
        equal(len(os.listdir(place)), len(decided), f"{name} {result}")
        for certificate in os.listdir(place):
            again = whet("check", path, os.path.join(place, certificate))
            equal(again.status, 0, f"{name} {certificate}: {again}")


@case
def runs_show_what_changes(folder):
    path = write(folder, "m.whet", """const n : nat
var a : array[0..n-1] of {red, green} = red
var ok : array[int] of bool = false
action turn(k : nat): k < n && n = 2 && !ok[k] -> a[k] := green, ok[k] := true
safe p: n < 2 || (exists k : 0..n-1 . a[k] = red)
""")
    result = whet("verify", path, "--engine", "spacer", "--quiet")
    equal(result.status, 10, result)
    assert re.search(r"\n    start    n = 2, a = \[red\], ok = \[false\]\n    turn  \(k = [01]\)    a\[[01]\] = green, ok\[[01]\] = true\n"
                     r"    turn  \(k = [01]\)    a\[[01]\] = green, ok\[[01]\] = true\n    p does not hold\n", result.out), result


@case
def statements_of_a_program_in_their_order(folder):
    path = write(folder, "m.whet", """const n : nat
var a : array[0..n-1] of int
program {
  var i : int = 0
  while i <= n {
    a[i] := 7
    i := i + 1
  }
}
""")
    result = whet("verify", path, "--engine", "spacer", "--quiet")
    assert result.out.startswith("no-runtime-error: UNSAFE\n    start    n = 0"), result
    assert result.out.endswith("    5: while i <= n: yes\n    6: the index of a[i] is outside 0..n-1\n"), result


@case
def elements_are_of_their_type(folder):
    path = write(folder, "m.whet", """const n : nat
var a, b : array[int] of 3..5
var x : int = 4
action read(k : int): true -> x := a[k]
action copy: a != b -> a := b
safe within: 3 <= x && x <= 5
unreachable other: forall k : 0..n . a[k] = 2 || a[k] = 6
""")
    result = whet("verify", path, "--quiet", "--work", WORK)
    equal(verdicts(result), {"within": "SAFE", "other": "SAFE"}, result)
    path = write(folder, "m.whet", "var a : array[int] of 3..5\naction write(k : int): true -> a[k] := k\nsafe p: true\n")
    result = whet("verify", path, "--quiet", "--work", WORK)
    assert "no-runtime-error: UNSAFE" in result.out and "leaves 3..5" in result.out, result
    path = write(folder, "m.whet", "var a, b : array[int] of 1..1\nvar x : bool = false\naction look: a != b -> x := true\nsafe p: !x\n")
    equal(verdicts(whet("verify", path, "--quiet", "--work", WORK)), {"p": "SAFE"})


@case
def quantifiers_inside_of_quantifiers(folder):
    head = "const n : nat\nvar c : array[0..n-1] of bool = false\nvar x : bool = false\n"
    for guard, reached in (
        ("exists k : 0..n-1 . forall l : k..n-1 . c[l]", False),
        ("exists k : 0..n-1 . forall l : k..n-1 . !c[l]", True),
        ("forall k : 0..n-1 . exists l : k..n-1 . c[l]", True),  # if n is 0
        ("n > 0 && (forall k : 0..n-1 . exists l : k..n-1 . c[l])", False),
        ("(forall k : 0..n-1 . c[k]) <=> n > 0", False),
        ("(forall k : 0..n-1 . c[k]) <=> n = 0", True),
    ):
        result = whet("verify", write(folder, "m.whet", head + f"action a: {guard} -> x := true\nsafe p: !x\n"), "--quiet", "--work", WORK)
        equal(verdicts(result), {"p": "UNSAFE" if reached else "SAFE"}, f"{guard} {result}")


@case
def updates_for_all_indices(folder):
    path = write(folder, "m.whet", """const n : nat
var a, b : array[0..n-1] of int
program {
  forall i : 0..n-1 . a[i], b[i] := 3 * i, a[i]
  assert set: forall k : 0..n-1 . a[k] = 3 * k
  assert old: forall k : 0..n-1 . b[k] = 3 * k
}
""")
    result = whet("verify", path, "--quiet", "--work", WORK)
    equal(verdicts(result), {"set": "SAFE", "old": "UNSAFE"}, result)
    path = write(folder, "m.whet", "const n : nat\nvar a : array[0..n-1] of nat\naction x: true -> forall i : 0..n . a[i] := 1\naction y: n > 0 -> forall i : 0..n-1 . a[i] := i - 1\nsafe p: true\n")
    result = whet("verify", path, "--quiet", "--work", WORK)
    assert "no-runtime-error: UNSAFE" in result.out, result
    for text, message in (
        ("forall i : 0..n-1 . a[i+1] := 1", "an update for all indices is `forall i : 0..n-1 . a[i] := ..`"),
        ("forall i : int . a[i] := 1", "an update for all indices has a range"),
        ("forall i : 0..n-1 . a[i] := 1, forall i : 0..n-1 . a[i] := 2", "`a` is assigned twice in one step"),
    ):
        result = whet("verify", write(folder, "m.whet", f"const n : nat\nvar a : array[0..n-1] of int\naction x: true -> {text}\nsafe p: true\n"))
        assert result.status == 2 and message in result.err, f"{text}\n{result}"


@case
def a_given_length_makes_the_model_finite(folder):
    path = os.path.join(FOLDER, "bubble-sort-wrong.whet")
    result = whet("verify", path, "--quiet", "--trace", "off", "-D", "n=2", "--engine", "widen,kind", "--work", WORK)
    equal(verdicts(result)["sorted"], "SAFE", result)
    result = whet("simulate", path, "-D", "n=3", "--seed", "1")
    assert result.status == 0 and "a[2]" in result.out, result
    assert whet("show", path, "-D", "n=2").status == 0
    for command in ("show", "quotient", "invariants"):
        result = whet(command, path)
        assert result.status == 2 and "arrays of any length, which this command does not treat" in result.err, result
    result = whet("simulate", path)
    assert result.status == 2 and "arrays of any length, which are not simulated" in result.err, result


@case
def what_is_refused_is_named(folder):
    head = "const n : nat\nvar a : array[0..n-1] of int\nvar b : array[0..n] of int\nvar i : int\n"
    for text, message in (
        ("ltl p: F a[0] = 1", "5:1: error: a model with arrays of any length cannot have LTL properties"),
        ("ctl p: AF a[0] = 1", "cannot have CTL properties"),
        ("mu p: nu Z . <> Z", "cannot have mu-calculus properties"),
        ("deadlockfree", "cannot have the property `deadlockfree`"),
        ("safe p: true fair when a[0] = 1", "cannot have fairness"),
        ("safe p: true clock x", "cannot have clocks"),
        ("safe p: true lemma a[0] = 1", "cannot have `lemma`"),
        ("safe p: true var p : node", "lists on the heap"),
        ("program { terminates: skip } terminates", "cannot have the property `terminates`"),
        ("safe p: a = b", "the two arrays do not have the same indices"),
        ("safe p: a", "`a` is of type array[..] of int, but a property needs bool"),
        ("var c : array[int] of array[int] of array[int] of array[int] of array[int] of int safe p: true", "at most 4 indices of an array can be of any length"),
        ("safe p: (sum k : 0..n-1 . a[k]) = 0", "the range of a quantifier must be constant"),
        ("action x: forall k : int . a[k] = 0 -> i := 1\nsafe p: true", "something can fail here for some of all integers"),
        ("var c : array[int] of int action x: forall k : int . c[k] = 0 -> i := 1\nsafe p: true", "whether this holds for all integers cannot be found out by a step"),
        ("type Data\nvar d, e : Data\nsafe p: d < e", "`d` is of type Data, but `<` needs int"),
        ("type Data\nvar d : Data\nsafe p: d = 1", "`=` compares `d` of type Data with `1` of type int"),
        ("type Data\nsafe p: Data = 1", "`Data` is a type, not a value"),
        ("action x: true -> a := 3\nsafe p: true", "`a` is an array and is assigned element by element"),
    ):
        result = whet("verify", write(folder, "m.whet", head + text + "\n"))
        assert result.status == 2 and message in result.err, f"{text}\n{result}"
    path = write(folder, "m.whet", head + "safe p: true\n")
    for engine in ("pdr", "explicit", "kind"):
        assert f"engine {engine} does not treat arrays of any length" in whet("verify", path, "--engine", engine, "--quiet").out, engine


@case
def large_fixed_arrays_are_kept(folder):
    path = write(folder, "m.whet", """var a : 0..100[0..19999] = 0
var i : 0..20000 = 0
action step: i < 20000 -> a[i] := 42, i := i + 1
action again: i = 20000 -> i := 0
safe filled: forall k : 0..19999 . k < i => a[k] = 42
""")
    result = whet("verify", path, "--quiet", "--work", WORK)
    equal(verdicts(result), {"filled": "SAFE"}, result)
    result = whet("verify", write(folder, "w.whet", open(path, encoding="utf-8").read().replace("k < i", "k <= i")), "--quiet", "--work", WORK)
    equal(verdicts(result), {"filled": "UNSAFE"}, result)


@case
def what_is_left_out_is_not_vacuous(folder):
    """Nothing that is asked for depends on the first values of the array: there is a first state all the same."""
    r = whet("verify", write(folder, "m.whet", "var a : int[1..2000]\nsafe p: true\n"))
    assert r.out == "p: SAFE\n" and "initial state" not in r.err, r


if __name__ == "__main__":
    main()
