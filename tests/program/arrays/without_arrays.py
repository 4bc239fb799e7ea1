"""`--without-arrays`: models with arrays of any length as transition systems without.

The truth is what `explicit` says of the same model with two elements in each array and six values of data: more than there can be different origins of data in it,
so that all of them can be different. What is decided without arrays must be the same. Models in which something else than a property depends on data are refused.

    WHET_PROGRAM=build/whet python3 tests/program/arrays/without_arrays.py [--rounds 1000] [--seed 7]      for a campaign
"""
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import EXAMPLES, MODELS, SANITIZED, case, equal, main_or_campaign, whet, write

ROUNDS = 5 if SANITIZED else 20
FILE = os.path.join(MODELS, "brp", "brp-file.whet")


def verdicts(path, *words):
    r = whet("verify", path, "--quiet", *words)
    assert r.status in (0, 10, 20), r
    return dict(re.findall(r"^(\S+): (\w+)", r.out, re.M))


class Maker:
    """A file that is copied by steps in any order; `depends` says whether a guard looks into data."""

    def __init__(self, r):
        self.r = r
        self.depends = r.random() < 0.15

    def number(self):
        return self.r.choice(["i", "j", "0", "1"])

    def condition(self):
        r = self.r
        return r.choice(["true", "i < 2", "i > j", "b", "!b", "i = j", "a[m] = 0", "a[m] < i", "j = 1"])

    def datum(self):
        r = self.r
        return r.choice(["d", f"file[{self.number()}]", "(if b then d else file[j])"])

    def action(self, number):
        r = self.r
        effect = r.choice([f"d := {self.datum()}", f"received[{self.number()}] := {self.datum()}", f"received[i], i := {self.datum()}, i + 1", "i := 2 - i", "j := 1 - j", "b := !b",
                           f"ok := ok && {self.datum()} = {self.datum()}", f"wrong := wrong || {self.datum()} != {self.datum()}", f"a[{self.number()}] := {r.randrange(3)}", "i := 0, d := file[j]",
                           f"ok := ok && !wrong, received[j] := {self.datum()}", "x"])
        effect = effect.replace("i := 0, d := file[j]", "i, d := 0, file[j]").replace("ok := ok && !wrong, received[j] :=", "ok, received[j] := ok && !wrong,")
        inputs = "(v : Data)" if effect == "x" else ""
        effect = "d := v" if effect == "x" else effect
        guards = [self.condition(), self.condition()]
        if "i + 1" in effect or "[i]" in effect:
            guards.append("i < 2")
        if self.depends and number == 0:
            guards.append("d = file[j]")
        return f"action s{number}{inputs}: {' && '.join(guards)} -> {effect}"

    def properties(self):
        r = self.r
        return "\n".join([
            f"safe p: forall k : {r.choice(['0', 'j'])}..{r.choice(['i-1', 'n-1', 'i'])} . {r.choice(['received[k] = file[k]', 'received[k] = d', 'file[k] = d || k > j', 'received[k] = file[j]'])}",
            f"safe q: {r.choice(['ok', '!wrong', 'ok && !wrong', 'b => ok', 'i <= 1'])}",
            f"unreachable u: {r.choice(['exists k : 0..i-1 . a[k] = 2', 'b && a[m] = 1', 'd != file[m] && i = 1', 'exists k, l : 0..n-1 . k < l && received[k] != received[l]'])}"])

    def model(self, data, n, arrays):
        r = self.r
        actions = "\n".join(self.action(i) for i in range(r.randrange(2, 5)))
        start = r.randrange(3)
        text = f"""{data}
{n}
const m : 0..1
var file, received : {arrays} of Data
var a : {arrays} of 0..2 = {start}
var d : Data
var i : 0..2 = {r.randrange(3)}
var j : 0..1 = 0
var b, wrong : bool = false
var ok : bool = true
{actions}
{self.properties()}
"""
        return text


def texts(seed):
    """With arrays of any length, and for `explicit`."""
    any_length = Maker(random.Random(seed)).model("type Data", "const n : nat\ninit n = 2", "array[0..n-1]")
    maker = Maker(random.Random(seed))
    few = maker.model("", "const n = 2", "array[0..1]").replace(" of Data", " of 0..5").replace(": Data", ": 0..5")
    return any_length, few


def look_at(folder, seed):
    """How many properties were decided."""
    any_length, few = texts(seed)
    path, truth_path = write(folder, "any.whet", any_length), write(folder, "few.whet", few)
    r = whet("verify", path, "--without-arrays", "--work", "100", "--quiet")
    if r.status == 2:
        refusals = "only properties can depend|must not hold because data are different|must not become true because data are equal, and false"
        assert re.search(refusals, r.err), f"{r}\n{any_length}"
        return 0
    truth = verdicts(truth_path, "--engine", "explicit")
    assert all(v in ("SAFE", "UNSAFE") for v in truth.values()), f"{truth}\n{few}"
    said = verdicts(path, "--without-arrays", "--work", "300000")
    for name, verdict in said.items():
        assert verdict in ("UNKNOWN", truth.get(name, "SAFE")), f"{name}: {verdict}, but {truth}\n{any_length}"
    return sum(v != "UNKNOWN" for v in said.values())


def fuzz(folder, seed, rounds):
    return sum(look_at(folder, f"{seed}/{i}") for i in range(rounds))


@case
def random_models_have_the_answers_that_few_elements_have(folder):
    decided = fuzz(folder, 3, ROUNDS)
    assert decided >= ROUNDS, decided


@case
def the_file_of_the_protocol_is_proved_by_predicates_about_positions(folder):
    r = whet("verify", FILE, "--without-arrays", "--engine", "cegar", "--property", "ok", "--certificate", os.path.join(folder, "c"))
    equal((r.status, r.out), (0, "ok: SAFE\n"))
    assert "values of `Data` are shown as positions in `file`" in r.err, r
    equal(whet("check", FILE, os.path.join(folder, "c"), "--without-arrays").status, 0)
    assert whet("check", FILE, os.path.join(folder, "c")).status != 0
    text = open(os.path.join(folder, "c"), encoding="utf-8").read()
    assert "(= head ahead)" in text or "head" in text
    wrong = open(FILE, encoding="utf-8").read().replace("mtog, mdata := SM, sfirst, head = last, stog, file[head]", "mtog, mdata := SM, sfirst, head = last, stog, file[ahead]")
    path = write(folder, "wrong.whet", wrong)
    assert whet("check", path, os.path.join(folder, "c"), "--without-arrays").status != 0, "of another model"
    equal(verdicts(path, "--without-arrays", "--engine", "cegar", "--property", "ok")["ok"], "UNSAFE")


REFUSED = [
    ("var a : array[0..n-1] of int\nvar i : nat = 0\naction s: i < n && a[i] = 0 -> i := i + 1\nsafe p: i <= n",
     "2:5: error: the array `a` is read at an index that changes, and it does not hold data of a `type` that no step writes"),
    ("type Data\nvar f, g : array[0..n-1] of Data\nvar i : nat = 0\nvar d : Data\naction s: i < n -> i, d := i + 1, f[i]\naction t: i < n -> i, d := i + 1, g[i]\nsafe p: i = 0 || d = f[0]",
     "one array of `Data` can be read at indices that change, and `f` is one already"),
    ("type Data\nvar f : array[0..n-1] of Data\nvar i : nat = 0\nvar d : Data\naction s: i < n && d = f[i] -> i := i + 1\nsafe p: i <= n",
     "6:1: error: with --without-arrays only properties can depend on whether data are equal, not `s`"),
    ("type Data\nvar f : array[0..n-1] of Data\nvar i : nat = 0\nvar d : Data\naction s: i < n -> i, d := i + 1, f[i]\nsafe p: i > 0 => d != f[0]",
     "7:1: error: with --without-arrays `p` must not hold because data are different"),
    ("type Data\nvar f : array[0..n-1] of Data\nvar i, c : nat = 0\nvar d : Data\naction s: i < n -> i, d, c := i + 1, f[i], (if d = f[i] then 1 else 0)\nsafe p: i <= n",
     "4:8: error: with --without-arrays `c` must not depend on whether data are equal (in `s`)"),
    ("var a : array[0..n-1] of int\naction s: forall k : 0..n-1 . a[k] = 0 -> a[0] := 1\nsafe p: n >= 0", "only properties have quantifiers over ranges that are not constant"),
    ("var a : array[0..n-1] of int\naction s: n > 0 -> a[0] := 1\nsafe p: exists k : 0..n-1 . a[k] = 0", "a property can say `forall`, and not `exists` or `forall` inside of it"),
    ("var a : array[0..n-1] of int\naction s: n > 0 -> a := *\nsafe p: a[0] = 0", "no step gives all elements of an array any values"),
    ("type Data\nvar a : array[0..n-1] of Data\nvar d : Data\nvar i : nat = 0\naction s: i < n -> a := *, d := a[i], i := i + 1\nsafe p: a[0] = d", "is read at an index that changes"),
    ("var a : array[0..n-1] of int\ninit forall k : 0..n-1 . a[k] = 0\nsafe p: a[0] = 0", "only properties have quantifiers over ranges"),
    ("var a, b : array[int] of int\naction s: n > 0 -> a[0] := 1\nsafe p: a = b", "arrays are not compared as a whole: `p`"),
    ("var a : array[int] of array[int] of int\naction s: n > 0 -> a[0][n] := 1\nsafe p: a[0][0] = 0", "there are no arrays of arrays: `s`"),
]


@case
def what_does_not_fit_is_refused_by_name_and_place(folder):
    for text, message in REFUSED:
        path = write(folder, "m.whet", "const n : nat\n" + text + "\n")
        r = whet("verify", path, "--without-arrays")
        assert r.status == 2 and message in r.err and "becomes Horn clauses" in r.err, f"{message}\n{text}\n{r}"


@case
def other_commands_see_the_system(folder):
    path = os.path.join(EXAMPLES, "arrays", "brp.whet")
    shown = whet("show", path, "--without-arrays")
    assert shown.status == 0 and "|received[content.k]|" in shown.out and "chunk := sent" in shown.out, shown
    equal(whet("verify", path, "--engine", "cegar", "--property", "counts").status, 20)
    equal(whet("verify", path, "--engine", "cegar", "--property", "counts", "--without-arrays").out, "counts: SAFE\n")
    run = whet("verify", os.path.join(EXAMPLES, "arrays", "brp-wrong.whet"), "--without-arrays", "--property", "content")
    assert "content: UNSAFE" in run.out and "content.k" in run.out, run
    again = write(folder, "again.whet", shown.out)
    equal(whet("verify", again, "--engine", "cegar", "--property", "counts").out, "counts: SAFE\n")


main_or_campaign(fuzz)
