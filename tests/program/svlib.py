"""Programs in SV-LIB: what they mean, what is refused; random programs against the same programs in whet's own language."""
import os
import random
import re
import sys

from harness import EXAMPLES, ROOT, SANITIZED, case, equal, main, whet, write

import c_programs

PROGRAMS = int(os.environ.get("WHET_ROUNDS", "1")) * (8 if SANITIZED else 40)
FIRST = int(os.environ.get("WHET_SEED", "1"))
LIMIT = ("--quiet", "--work", "3000000", "--timeout", "60")


def verdicts(result):
    return dict(re.findall(r"^([^\s:]+): (SAFE|UNSAFE|UNKNOWN)", result.out, re.MULTILINE))


def script(body, before="", annotations="", local="((x Int) (y Int) (b Bool))", call="main ()"):
    return f"(set-logic LIA)\n{before}\n(define-proc main () () {local}\n  {body})\n{annotations}\n(verify-call {call})\n"


CHECK = "(! (sequence) :tag end :check-true %s)"

# The body of main, what is before it, annotations; the verdicts.
MEANINGS = [
    (f"(sequence (assign (x 1) (y 2)) (assign (x y) (y x)) {CHECK % '(and (= x 2) (= y 1))'})", "", "", "SAFE"),
    (f"(sequence (havoc x) (assume (> x 3)) (if (> x 5) (assign (y 1)) (assign (y 0))) {CHECK % '(= (= y 1) (>= x 6))'})", "", "", "SAFE"),
    (f"(sequence (havoc x) (if (> x 5) (assign (x 5))) {CHECK % '(< x 5)'})", "", "", "UNSAFE"),
    (f"(sequence {CHECK % '(= x 0)'})", "", "", "UNSAFE"),  # variables start with any value
    (f"(sequence (assign (x 0)) (while true (sequence (assign (x (+ x 1))) (if (> x 9) (break)))) {CHECK % '(= x 10)'})", "", "", "SAFE"),
    (f"(sequence (assign (x 0) (y 0)) (while (< x 9) (sequence (assign (x (+ x 1))) (if (= (mod x 2) 0) (continue)) (assign (y (+ y 1))))) {CHECK % '(= y 5)'})",
     "", "", "SAFE"),
    (f"(sequence (assign (x 0)) (label again) (assign (x (+ x 1))) (if (< x 4) (goto again)) {CHECK % '(= x 4)'})", "", "", "SAFE"),
    (f"(sequence (assign (x 0)) (goto out) (assign (x 1)) (label out) {CHECK % '(= x 0)'})", "", "", "SAFE"),
    (f"(sequence (choice (assign (x 1)) (assign (x 2)) (sequence (assign (x 9)) (assume false))) {CHECK % '(< x 3)'})", "", "", "SAFE"),
    (f"(sequence (choice ((assign (x 1)) (assign (x 2)))) {CHECK % '(= x 1)'})", "", "", "UNSAFE"),
    (f"(sequence (assign (x -7)) {CHECK % '(and (= (div x 2) (- 4)) (= (mod x 2) 1) (= (abs x) 7))'})".replace("-7", "(- 7)"), "", "", "SAFE"),
    (f"(sequence (havoc x y) {CHECK % '(= (ite (= y 0) 0 (div x y)) (ite (distinct y 0) (div x y) 0))'})", "", "", "SAFE"),
    (f"(sequence (assign (b (xor true (= 1 1)))) {CHECK % '(=> b false true)'})", "", "", "SAFE"),
    (f"(sequence {CHECK % '(let ((x y) (y x)) (distinct (- x y) (+ 1 (- x y)) (let ((z x)) (+ 2 (- z y)))))'})", "", "", "SAFE"),
    (f"(sequence (assign (x (twice 4))) {CHECK % '(and (= x 8) (= k 3))'})", "(define-fun twice ((n Int)) Int (+ n n)) (define-const k Int 3)", "", "SAFE"),
    (f"(sequence (assign (x c)) {CHECK % '(> x 4)'})", "(declare-const c Int) (assert (> c 4))", "", "SAFE"),
    (f"(sequence (assign (g 1)) (call up (2) (x)) {CHECK % '(and (= g 3) (= x 6))'})",
     "(declare-var g Int) (define-proc up ((n Int)) ((r Int)) () (sequence (assign (g (+ g n))) (assign (r (* 2 g))) (return) (assign (r 0))))", "", "SAFE"),
    (f"(sequence (call down (5) (x)) {CHECK % '(= x 0)'})",
     "(define-procs-rec ((down ((n Int)) ((r Int)) ())) ((if (> n 0) (call down ((- n 1)) (r)) (assign (r n)))))", "", "SAFE"),
    (f"(sequence (havoc x) (call half (x) (y)) {CHECK % '(> x y)'})",
     "(define-proc half ((n Int)) ((r Int)) () (! (assign (r (div n 2))) :tag half :requires (> n 0) :ensures (< r n)))", "", None),
    ("(sequence (assign (x 0)) (! (while (< x 5) (assign (x (+ x 1)))) :tag loop))", "", "(annotate-tag loop :check-true (<= x 5))", "SAFE"),
    ("(sequence (assign (x 0)) (! (while (< x 5) (assign (x (+ x 1)))) :tag loop))", "", "(annotate-tag loop :invariant (< x 5))", "UNSAFE"),
    ("(sequence (havoc x) (! (while (> x 0) (assign (x (- x 1)))) :tag loop))", "", "(annotate-tag loop :decreases x)", "SAFE"),
    ("(sequence (havoc x) (! (while (> x (- 5)) (assign (x (- x 1)))) :tag loop))", "", "(annotate-tag loop :decreases x)", "UNSAFE"),
    ("(sequence (havoc x y) (! (while (and (> x 0) (> y 0)) (choice (assign (y (- y 1))) (sequence (assign (x (- x 1))) (havoc y)))) :tag loop))", "",
     "(annotate-tag loop :decreases-lex (x y))", "SAFE"),
    ("(sequence (havoc x) (! (sequence (assign (x (+ x 1))) (! (assign (x (+ x 1))) :tag inner :ensures (= x (+ 2 (at x outer))))) :tag outer))", "", "", "SAFE"),
    ("(sequence (assign (x 0)) (! (label l) :tag l) (assign (x (+ x 1))) (if (< x 3) (goto l)))", "", "(annotate-tag l :requires (< x 2))", "UNSAFE"),
    ("(sequence (assign (x 0)) (! (label l) :tag l) (assign (x (+ x 1))) (if (< x 3) (goto l)))", "", "(annotate-tag l :requires (< x 3))", "SAFE"),
    ("(! (sequence (havoc x) (if (> x 0) (return)) (assign (x 1))) :tag top)", "", "(annotate-tag top :ensures (> x 0))", "SAFE"),
]

REFUSED = [
    (script("(assign (z 1))"), ":4:12: error: `z` is not a variable that is known here"),
    (script("(assign (x true))"), "error: this is of sort Bool; Int is wanted"),
    (script("(assign (x 1) (x 2))"), "error: `x` is assigned twice"),
    (script("(assign (x (div x y)))"), "error: this may be 0, and SMT-LIB says nothing of a division by 0"),
    (script("(havoc x)", local="((x (_ BitVec 32)))"), "error: the sort `(_ BitVec 32)` is not read; Int and Bool are"),
    (script("(havoc x)", local="((x Real))"), "error: the sort `Real` is not read"),
    (script("(break)"), "error: there is no loop around this"),
    (script("(goto nowhere)"), "error: there is no label `nowhere` in this procedure"),
    (script("(sequence (label a) (label a))"), "error: there is another label `a`"),
    (script("(sequence (label (a)) (goto (b)))"), "error: this is not the name of a label"),
    (script("(sequence (label a) (goto (a)))"), "error: this is not the name of a label"),
    (script("(call f () ())"), "error: `f` is not a procedure that is known here"),
    (script("(call main () ())"), "error: `main` is not a procedure that is known here"),
    (script("(assign (x 1.5))"), "error: `1.5` is not read"),
    (script("(sequence (! (havoc x) :tag t))", annotations="(annotate-tag t :not-recurring)"), "error: this is :not-recurring, and neither a loop nor a label"),
    (script("(! (havoc x) :tag t)", annotations="(annotate-tag t :recurring)"), "error: `:recurring` is not read"),
    (script("(sequence (! (while (> x 0) (havoc x)) :tag t :not-recurring) (while (> y 0) (havoc y)))"), "is read if all loops of the program"),
    (script("(sequence (call f () ()) (! (while (> x 0) (havoc x)) :tag t :not-recurring))", "(define-proc f () () () (sequence))"), "of programs that call no procedures"),
    (script("(! (havoc x) :tag t)", annotations="(annotate-tag t :invariant true)"), "error: this has an :invariant, and is neither a loop nor a label"),
    (script("(! (havoc x) :tag t :odd 1)"), "error: the attribute `:odd` is not read here"),
    (script("(! (havoc x) :check-true (at x u))"), "error: this is not a value of a variable at a tag"),
    (script("(assume (< x))"), "error: `<` is not known here, or not with one argument"),
    (script("(havoc x)"), "error: nothing is annotated, so nothing is asked"),
    (script("(havoc x)", call="other ()"), "error: there is no procedure `other`"),
    (script("(havoc x)", call="main (1)"), "error: `main` has 0 inputs"),
    (script("(havoc x)", before="(declare-datatype T ((a)))"), "error: the command `declare-datatype` is not read"),
    (script("(havoc x)", before="(declare-var g Int) (assert (> g 0))"), "error: the variable `g` of the program cannot stand here"),
    (script("(havoc x)", before="(declare-fun f (Int) Int)"), "error: functions without a definition are not read"),
    (script("(havoc x)", before="(declare-var x Int) (declare-var x Int)"), "error: `x` is declared twice"),
    (script("(havoc x) (havoc y)"), "error: `define-proc` does not look like this"),
    ("(define-proc main () () () (sequence", "error: this parenthesis is never closed"),
    (")", "error: this parenthesis closes nothing"),
    ("(a |b", "error: this name is never closed"),
    ("(declare-var x Int)", "error: there is no verify-call, so nothing is asked"),
    ("(" * 5000, "error: this is nested too deeply"),
    ("x", "error: this is not a command"),
]


@case
def programs_mean_what_they_say(folder):
    for number, (body, before, annotations, expected) in enumerate(MEANINGS):
        result = whet("verify", write(folder, f"m{number}.svlib", script(body, before, annotations)), *LIMIT)
        found = verdicts(result)
        if expected is None:
            expected_all = {"end.check-true": "SAFE", "half.requires": "UNSAFE", "half.ensures": "SAFE"}
            equal(found, expected_all, body)
        else:
            equal(set(found.values()), {expected}, f"{body}\n{result}")


# Bodies of main whose tags l and k are :not-recurring, and whether all runs end; None: they do not, which is hard to show.
ENDINGS = [
    ("(sequence (havoc x) (! (while (> x 0) (assign (x (- x 1)))) :tag l))", "HOLDS"),
    ("(sequence (assign (x 3) (y 0)) (! (while (> x 0) (assign (x (- x y)))) :tag l))", "FAILS"),
    ("(sequence (havoc x) (! (while (> x 0) (assign (x (- x y)))) :tag l))", None),
    ("(sequence (havoc x) (! (while (distinct x 0) (havoc x)) :tag l))", None),
    ("(sequence (havoc x y) (! (while (> x 0) (sequence (assign (x (- x 1))) (havoc y) (! (while (> y 0) (assign (y (- y 1)))) :tag k))) :tag l))", "HOLDS"),
    ("(sequence (assign (x 5)) (! (label l) :tag l) (if (> x 0) (sequence (assign (x (- x 1))) (goto l))))", "HOLDS"),
    ("(sequence (assign (y 2)) (! (label l) :tag l) (assume (< y 3)) (goto l))", "FAILS"),
    ("(sequence (! (label l) :tag l) (assume (< x 3)) (assign (x (+ x 1))) (goto l))", "HOLDS"),  # an assumption ends runs
    ("(! (sequence) :tag l)", "HOLDS"),
]


@case
def runs_end_if_nothing_recurs(folder):
    for body, expected in ENDINGS:
        text = script(body, annotations="(annotate-tag l :not-recurring) (annotate-tag k :not-recurring)")
        result = whet("verify", write(folder, "e.svlib", text), "--work", "3000000" if expected else "100000", "--timeout", "60")
        word = re.search(r"^not-recurring: (\w+)", result.out, re.MULTILINE).group(1)
        assert word == expected or (not expected and word != "HOLDS"), f"{body}\n{result}"
        assert "never enabled" not in result.err, result


@case
def what_is_not_read_is_refused_by_name_and_place(folder):
    for text, words in REFUSED:
        result = whet("verify", write(folder, "r.svlib", text), "--quiet")
        assert result.status == 2 and words in result.err, f"{text[:300]}\n{words}\n{result}"


@case
def the_page_shows_what_happens(folder):
    with open(os.path.join(ROOT, "docs", "svlib.md"), encoding="utf-8") as f:
        shown = re.findall(r"```svlib\n(.*?)```\n\n```verdict\n(.*?)```", f.read(), re.DOTALL)
    assert shown
    for text, answer in shown:
        equal(whet("verify", write(folder, "d.svlib", text), *LIMIT, "--trace", "off").out, answer)


@case
def nested_terms_take_no_time(folder):
    """Each part of a term is looked at once, or this would take 2^150 steps."""
    term = "x"
    for _ in range(150):
        term = f"(ite (= {term} 0) 1 2)"
    result = whet("verify", write(folder, "n.svlib", script(f"(sequence (havoc x) (assign (y {term})) {CHECK % '(<= y 2)'})")), *LIMIT)
    equal(verdicts(result), {"end.check-true": "SAFE"}, result)


@case
def texts_that_are_cut_off_or_mixed_up_are_no_crash(folder):
    r = random.Random(FIRST)
    with open(os.path.join(EXAMPLES, "add.svlib"), encoding="utf-8") as f:
        text = f.read()
    words = re.findall(r"[()]|[^\s()]+|\s+", text)
    for _ in range(PROGRAMS * 3):
        changed = list(words)
        for _ in range(r.randint(1, 4)):
            at = r.randrange(len(changed))
            changed[at] = r.choice(["", "(", ")", r.choice(words), "|", "\"", "#x1", "at", "(let ((a 1)) a)", "99999999999999999999"])
        content = "".join(changed)[:r.choice([10 ** 6, r.randrange(len(text))])]
        result = whet("verify", write(folder, "h.svlib", content or " "), "--quiet", "--work", "200000", "--timeout", "60")
        assert result.status in (0, 2, 10, 20), f"{content}\n{result}"


@case
def names_are_shown_in_visible_characters(folder):
    for tag in ("a\x1b[31mb", "a\nb: SAFE\nc", "a\\b", "\u00e4", "a;b(c"):
        text = script(f"(! (sequence (havoc |{tag}|) (! (sequence) :tag |{tag}| :check-true (> |{tag}| 0))) :tag top)", local=f"((|{tag}| Int))")
        path = write(folder, "n.svlib", text)
        result = whet("verify", path, "--quiet", "--witness", os.path.join(folder, "w.svlib"))
        equal((result.status, len(re.findall(r"^\S.*", result.out, re.MULTILINE))), (10, 1), result)
        assert "\x1b" not in result.out + result.err, result
        shown = whet("show", path, "--to", "svlib")
        equal(whet("verify", write(folder, "again.svlib", shown.out), "--quiet").status, 10, shown)


# ---- what `show --to svlib` writes ----

def worst(found):
    return "UNSAFE" if "UNSAFE" in found.values() else "UNKNOWN" if "UNKNOWN" in found.values() else "SAFE"


def round_trip(folder, path, *options):
    """The verdicts of a program and of what `show` makes of it: all of one kind, or the same violation."""
    shown = whet("show", path, "--to", "svlib", *options)
    if shown.status == 2 and ": error: " in shown.err:
        return "refused"
    equal((shown.status, shown.err), (0, ""), f"{path} {shown}")
    first = worst(verdicts(whet("verify", path, *LIMIT, *options)))
    again = write(folder, "again.svlib", shown.out)
    result = whet("verify", again, *LIMIT)
    if result.status == 2:
        assert "nothing is annotated" in result.err and first == "SAFE", f"{path} {first} {result}"
        return "SAFE"
    second = worst(verdicts(result))
    assert first == second or "UNKNOWN" in (first, second), f"{path}: {first}, as SV-LIB {second}\n{shown.out}"
    assert (whet("show", again, "--to", "svlib").status == 0), again
    return "UNKNOWN" if "UNKNOWN" in (first, second) else first


@case
def what_show_writes_means_the_same(folder):
    names = ["counter.whet", "peterson.whet", "procedures/mccarthy91.whet", "procedures/gcd-wrong.whet", "procedures/peterson.whet", "middle.c", "mccarthy91.c", "add.svlib", "thermostat.vmt",
             "ticket-error.whet"]
    found = {name: round_trip(folder, os.path.join(EXAMPLES, name)) for name in names}
    assert "refused" not in found.values() and list(found.values()).count("UNKNOWN") <= 2, found


@case
def random_c_programs_mean_the_same_as_svlib(folder):
    count = 4 if SANITIZED else 15
    found = [round_trip(folder, write(folder, f"p{seed}.c", c_programs.reached(seed))) for seed in range(FIRST, FIRST + count)]
    assert found.count("UNSAFE") and sum(found.count(word) for word in ("SAFE", "UNSAFE")) * 2 > count, found


@case
def lists_are_not_written_as_svlib(folder):
    result = whet("show", os.path.join(EXAMPLES, "list-sweep.whet"), "--to", "svlib")
    assert result.status == 2 and "are not written as SV-LIB" in result.err, result
    result = whet("show", os.path.join(EXAMPLES, "counter.whet"), "--to", "c")
    assert result.status == 2 and "--to: 'c' is none of whet|svlib" in result.err, result


# ---- witnesses ----

def witnesses(folder, path):
    """Verifies a script; its verdicts, and the file of the witness of each."""
    base = os.path.join(folder, "w")
    found = verdicts(whet("verify", path, "--witness", base + ".svlib", "--trace", "off", *LIMIT))
    return {name: (verdict, base + ("" if len(found) == 1 else "." + name) + ".svlib") for name, verdict in found.items()}


def check_witnesses(folder, path):
    """Each witness that is written is accepted; how many there were of each verdict."""
    count = {"SAFE": 0, "UNSAFE": 0, "UNKNOWN": 0}
    found = witnesses(folder, path)
    all_safe = {verdict for verdict, _ in found.values()} == {"SAFE"}
    for name, (verdict, witness) in found.items():
        if not os.path.exists(witness) or verdict == "UNKNOWN":
            continue
        result = whet("check", path, witness, "--timeout", "120")
        if verdict == "UNSAFE" or all_safe:
            accepted = result.status == 0 and f"{name}: accepted: {verdict}" in result.out
            assert accepted or "unsure" in result.out, f"{path} {result} {open(witness, encoding='utf-8').read()}"
            count[verdict] += accepted
        os.remove(witness)
    return count


@case
def witnesses_are_accepted(folder):
    total = {"SAFE": 0, "UNSAFE": 0}
    for number, (body, before, annotations, _) in enumerate(MEANINGS):
        count = check_witnesses(folder, write(folder, f"m{number}.svlib", script(body, before, annotations)))
        total = {word: total[word] + count[word] for word in total}
    assert total["SAFE"] > 15 and total["UNSAFE"] > 4, total


@case
def witnesses_of_random_programs_are_accepted(folder):
    total = {"SAFE": 0, "UNSAFE": 0}
    for seed in range(FIRST + 500, FIRST + 500 + max(12, PROGRAMS // 3)):
        count = check_witnesses(folder, write(folder, "r.svlib", Writer(seed).programs()[0]))
        total = {word: total[word] + count[word] for word in total}
    assert total["SAFE"] and total["UNSAFE"], total


TRACE = """((select-trace (model (define-fun x1 () Int %s) (define-fun y1 () Int 1)) (init-global-vars) (entry-proc add)
  (steps (init-proc-vars add%s)) (incorrect-annotation proc-add :ensures (= x (+ x0 y0)))))"""


@case
def witnesses_of_others_are_checked(folder):
    with open(os.path.join(EXAMPLES, "add.svlib"), encoding="utf-8") as f:
        right = f.read()
    wrong = right.replace("(< 0 y)", "(<= 0 y)")
    programs = {"right": write(folder, "right.svlib", right), "wrong": write(folder, "wrong.svlib", wrong)}
    tests = [
        ("wrong", TRACE % (1, ""), 0, "proc-add.ensures: accepted: UNSAFE"),
        ("wrong", TRACE % (-7, " (y -3)"), 0, "proc-add.ensures: accepted: UNSAFE"),
        ("right", TRACE % (1, ""), 10, "rejected: no run that makes the choices"),
        ("wrong", TRACE % (1, " (z 1)"), 10, "rejected: no run that makes the choices"),
        ("wrong", (TRACE % (1, "")).replace("vars add", "vars sub"), 10, "rejected: no run that makes the choices"),
        ("right", "((annotate-tag while-loop :invariant (and (<= 0 y) (= (+ x y) (+ x0 y0)))))", 0, "accepted: SAFE"),
        ("right", "((define-fun p ((n Int)) Bool (>= n 0)) (annotate-tag while-loop :invariant (p y)))", 0, "accepted: SAFE"),
        ("right", "((annotate-tag while-loop :invariant (< 0 y)))", 10, "while-loop.invariant: rejected: it does not hold at the end of this run"),
        ("right", "((annotate-tag nowhere :invariant (< 0 y)))", 0, "accepted: SAFE"),
        ("wrong", "()", 10, "proc-add.ensures: rejected"),
        ("wrong", "((annotate-tag proc-add :requires false))", 2, "a witness cannot say what the procedure that is verified requires"),
        ("wrong", "((define-fun + ((a Int) (b Int)) Int a))", 2, "`+` has a meaning already"),
        ("wrong", "((define-const true Bool false))", 2, "`true` has a meaning already"),
        ("wrong", "((assert false))", 2, "this command cannot stand in a witness"),
        ("wrong", "((annotate-tag while-loop :invariant (at x while-loop 1)))", 2, "error: this is not a value of a variable at a tag"),
        ("wrong", "(annotate-tag while-loop :invariant true)", 2, "this is not a witness"),
        ("wrong", "", 2, "this is not a witness"),
        ("wrong", "((", 2, "this parenthesis is never closed"),
        ("wrong", (TRACE % (1, "")).replace("(steps (init-proc-vars add))", "(steps (leap while-loop (x 1)))"), 2, "this step of a trace is not read"),
        ("wrong", (TRACE % (1, "")).replace("(incorrect-annotation proc-add :ensures (= x (+ x0 y0)))", ""), 2, "this trace does not say what it violates"),
        ("wrong", (TRACE % (1, "")).replace("x1 ()", "x9 ()"), 2, "this is not a constant or global variable"),
    ]
    for program, text, status, words in tests:
        result = whet("check", programs[program], write(folder, "w.svlib", text))
        assert result.status == status and words in result.out + result.err, f"{text}\n{words}\n{result}"


# ---- random programs, in both languages ----

class Writer:
    """A random program, as SV-LIB and in whet's own language."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.loops = 0

    def term(self, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.3:
            name = r.choice(["x", "y", "z", None])
            value = r.randint(0, 4)
            return (name, name) if name else (str(value), str(value))
        (a, b), (c, d) = self.term(depth - 1), self.term(depth - 1)
        form = r.choice(["+", "-", "mod", "ite"])
        if form == "mod":
            return f"(mod {a} 3)", f"(({b}) % 3)"
        if form == "ite":
            p, q = self.condition(0)
            return f"(ite {p} {a} {c})", f"(if {q} then {b} else {d})"
        return f"({form} {a} {c})", f"(({b}) {form} ({d}))"

    def condition(self, depth=1):
        r = self.r
        if depth and r.random() < 0.4:
            (a, b), (c, d) = self.condition(depth - 1), self.condition(depth - 1)
            form, sign = r.choice([("and", "&&"), ("or", "||"), ("=>", "=>")])
            return f"({form} {a} {c})", f"(({b}) {sign} ({d}))"
        (a, b), (c, d) = self.term(1), self.term(1)
        form = r.choice(["<", "<=", "=", ">"])
        return f"({form} {a} {c})", f"(({b}) {form} ({d}))"

    def block(self, depth):
        parts = [self.statement(depth) for _ in range(self.r.randint(1, 3))]
        return "(sequence " + " ".join(a for a, _ in parts) + ")", "{ " + " ".join(b for _, b in parts) + " }"

    def statement(self, depth):
        r = self.r
        name = r.choice(["x", "y", "z"])
        form = r.choice(["assign", "assign", "two", "havoc", "if", "while", "choice", "call"] if depth else ["assign", "two", "call"])
        if form == "assign":
            a, b = self.term()
            return f"(assign ({name} {a}))", f"{name} := {b};"
        if form == "two":
            (a, b), (c, d) = self.term(1), self.term(1)
            return f"(assign (x {a}) (y {c}))", f"x, y := {b}, {d};"
        if form == "havoc":
            a, b = self.condition(0)
            return f"(sequence (havoc {name}) (assume {a}))", f"havoc {name}; assume {b};"
        if form == "call":  # f(n) = if n > 2 then n - 2 else g, and g grows
            a, b = self.term(1)
            return f"(call f ({a}) ({name}))", f"n := {b}; g := g + 1; if n > 2 {{ {name} := n - 2; }} else {{ {name} := g; }}"
        if form == "if":
            (p, q), (a, b), (c, d) = self.condition(), self.block(depth - 1), self.block(depth - 1)
            return f"(if {p} {a} {c})", f"if {q} {b} else {d}"
        if form == "choice":
            (a, b), (c, d) = self.block(depth - 1), self.block(depth - 1)
            return f"(choice {a} {c})", f"choose {b} or {d}"
        self.loops += 1
        i, (p, q), (a, b), rounds = f"i{self.loops}", self.condition(0), self.block(depth - 1), r.randint(1, 3)
        return (f"(sequence (assign ({i} 0)) (while (and (< {i} {rounds}) {p}) (sequence (assign ({i} (+ {i} 1))) {a})))",
                f"{i} := 0; while {i} < {rounds} && {q} {{ {i} := {i} + 1; {b[2:-2]} }}")

    def programs(self):
        (a, b), (p, q) = self.block(3), self.condition()
        names = ["x", "y", "z", *(f"i{n + 1}" for n in range(self.loops))]
        f = "(define-proc f ((n Int)) ((r Int)) () (sequence (assign (g (+ g 1))) (if (> n 2) (assign (r (- n 2))) (assign (r g)))))"
        first = "(assign (x 0) (y 1) (z 2) (g 0))"
        return (script(f"(sequence {first} {a} {CHECK % p})", "(declare-var g Int)" + f, local="(" + " ".join(f"({n} Int)" for n in names) + ")"),
                "program {\n" + "".join(f"  var {n} : int\n" for n in [*names, "n", "g"]) + f"  x := 0; y := 1; z := 2; g := 0; {b[2:-2]} assert end: {q};\n}}\n")


def compare(folder, seed):
    one, two = Writer(seed).programs()
    first = whet("verify", write(folder, "r.svlib", one), *LIMIT)
    second = whet("verify", write(folder, "r.whet", two), *LIMIT)
    a, b = verdicts(first).get("end.check-true"), verdicts(second).get("end")
    assert a and b, f"seed {seed}\n{one}\n{two}\n{first}\n{second}"
    assert a == b or "UNKNOWN" in (a, b), f"seed {seed}: SV-LIB {a}, whet {b}\n{one}\n{two}"
    return "UNKNOWN" if "UNKNOWN" in (a, b) else a


@case
def random_programs_have_the_verdict_of_the_same_in_whet(folder):
    found = [compare(folder, seed) for seed in range(FIRST, FIRST + PROGRAMS)]
    assert found.count("UNKNOWN") * 5 < len(found) and found.count("UNSAFE") and found.count("SAFE"), found


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        print(compare("/tmp", int(sys.argv[1])), *Writer(int(sys.argv[1])).programs(), sep="\n")
    else:
        main()
