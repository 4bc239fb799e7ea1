#!/usr/bin/python3
"""Names made of backslashes, bars, quotes, line ends, comment signs and commands, through every reader and every printer.

No such name may become anything but a name in another program: no file appears, no answer is forged. Programs that are not installed are skipped
by name."""
import html.parser
import json
import os
import re
import shutil
import subprocess

from harness import Skip, case, equal, main, whet, write

MARK = "written"  # the file that a name tries to make, in the folder of the case

# Printable names without bars, which whet's own language takes between bars.
NAMES = [
    "\\",
    ") (set-option :regular-output-channel \"written\") (echo \"unsat\") (declare-fun ",
    " () Int) (set-option :regular-output-channel \"written\") (echo \"whet-2\") (exit) (declare-fun \\",
    "*/ c_code { system(\"touch written\"); } /*",
    "\\*/ init { c_code { system(\"touch written\"); } } /*",
    "\"); (echo \"sat\") ;",
    "; (echo \"unsat\")",
    "-- INVARSPEC TRUE",
    "</script><script>alert(1)</script>",
    "\"]; x [label=\"",
    "{5c}",
    "#define int",
    "true",
    "$(touch written)`touch written`",
]


def model(names=NAMES):
    """A counter for each name; the names are those of variables, actions, values and properties."""
    lines = [f"var |{n}| : 0..3" for n in names]
    lines.append("var kind : {" + ", ".join(f"|{n}'|" for n in names) + "}")
    lines.append("init " + " && ".join(f"|{n}| = 0" for n in names) + f" && kind = |{names[0]}'|")
    for i, n in enumerate(names):
        lines.append(f"action |act {n}|: |{n}| < 2 -> |{n}| := |{n}| + 1, kind := |{names[(i + 1) % len(names)]}'|")
    lines += [f"safe |{n}|: |{n}| <= 2" for n in names]
    lines.append(f"safe |low {names[0]}|: |{names[0]}| <= 1")
    return "\n".join(lines) + "\n"


def small(name):
    return f"var |{name}| : int\nvar y : int\ninit |{name}| = 0 && y = 0\naction |{name}|: y < 100000000 -> |{name}| := |{name}| + 1, y := y + 1\n" \
           f"safe |{name}|: |{name}| >= 0\n"


def nothing_written(folder):
    assert not os.path.exists(os.path.join(folder, MARK)), "a name was run as a command"


def installed(*programs):
    for p in programs:
        if not shutil.which(p):
            raise Skip(f"{p} is not installed")


def tell(missing):
    """At the end of a case, which held for the programs that are there."""
    if missing:
        raise Skip(", ".join(sorted(missing)) + " not installed; the rest holds")


def run(folder, *words, timeout=120):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)


INJECTED = ") (set-option :regular-output-channel \"written\") (echo \"sat\") (declare-fun "
HORN_TEXTS = [
    f"(set-logic HORN)\n(declare-fun |\\| () Bool)\n(declare-fun |{INJECTED}| () Bool)\n(assert true)\n(check-sat)\n",
    f"(set-logic HORN)\n(declare-fun |a\\|{INJECTED}|b| () Bool)\n(check-sat)\n",
    "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x #| a | \" |# 1) (p x))))\n"
    "(set-option :regular-output-channel \"written\") (echo \"sat\") (assert true) ; \")(p x))))\n",
    f"(declare-rel |\\| (Int))\n(declare-var |{INJECTED}| Int)\n(rule (|\\| 0))\n(query |\\|)\n",
    f"(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((|\\| Int) (|{INJECTED}| Int)) (p 0)))\n",
    f"(set-logic HORN)\n(define-fun |\\| ((|{INJECTED}| Int)) Bool true)\n",
    "(set-logic HORN)\n(declare-fun |a\x01b| () Bool)\n",
]


@case
def horn_clauses_with_hostile_names_are_refused(folder):
    for i, text in enumerate(HORN_TEXTS):
        path = write(folder, f"h{i}.smt2", text)
        for command in ("verify", "show"):
            r = whet(command, path, cwd=folder)
            equal(r.status, 2, (text, r))
            equal(r.out, "", text)
            assert f"h{i}.smt2:" in r.err and ": error: " in r.err, r
        nothing_written(folder)


@case
def vmt_with_hostile_names_is_refused(folder):
    text = (f"(declare-fun |\\| () Int)\n(declare-fun |{INJECTED}| () Int)\n(define-fun s () Int (! |\\| :next |{INJECTED}|))\n"
            "(define-fun i () Bool (! (= s 0) :init true))\n(define-fun p () Bool (! (>= s 0) :invar-property 0))\n")
    for other in (text, text.replace("\\", "a\\|b"), text.replace("|\\|", "x").replace(":next", ":next #| | \" |#")):
        r = whet("verify", write(folder, "m.vmt", other), cwd=folder)
        equal(r.status, 2, (other, r))
        equal(r.out, "", other)
        assert "m.vmt:" in r.err, r
        nothing_written(folder)


LEGAL = ["a b", "a\nunsat\nb", "a;b\n(echo \"sat\")", "\") (echo \"sat\") (\"", "#", "(", "{0a}", "é", "x\t*/"]


@case
def legal_quoted_symbols_keep_to_one_line(folder):
    """Line ends and quotes between bars are SMT-LIB's own right; the answer stays the first and only line, and evidence is read again."""
    for i, n in enumerate(LEGAL):
        for bad in (False, True):
            text = (f"(set-logic HORN)\n(declare-fun |{n}| (Int) Bool)\n(assert (forall ((|{n}.1| Int)) (=> (= |{n}.1| 0) (|{n}| |{n}.1|))))\n"
                    f"(assert (forall ((x Int)) (=> (|{n}| x) {'false' if bad else '(= x 0)'})))\n(check-sat)\n")
            path, evidence = write(folder, f"l{i}.smt2", text), os.path.join(folder, "evidence")
            r = whet("verify", path, "--certificate", evidence)
            equal(r.status, 10 if bad else 0, (text, r))
            equal([line for line in r.out.splitlines() if line in ("sat", "unsat")], ["unsat" if bad else "sat"], r)
            equal(whet("check", path, evidence).status, 0, open(evidence, encoding="utf-8").read())


def false_certificate(name):
    """Says that the invariant is false of `small`, with words that would forge a solver's answers if they were read as commands."""
    return ("; whet certificate 1\n(set-info :whet-model \"m\")\n(set-info :whet-property \"0\")\n(set-logic QF_LIA)\n"
            f"(define-fun inv ((|{name}| Int) (|y| Int)) Bool (and (= |{name}| 0) (= |y| 0)))\n")


@case
def a_solver_cannot_be_made_to_accept_a_false_certificate(folder):
    installed("z3")
    missing = set()
    for name in NAMES:
        path = write(folder, "m.whet", small(name).replace(f"safe |{name}|", "safe |0|"))
        right = os.path.join(folder, "right.smt2")
        r = whet("verify", path, "--certificate", right, cwd=folder)
        equal(r.status, 0, r)
        for solver in ("z3 -in", "cvc5 --lang smt2 --incremental"):
            if not shutil.which(solver.split()[0]):
                missing.add(solver.split()[0])
                continue
            equal(whet("check", path, right, "--solver", solver, cwd=folder).status, 0, (name, open(right).read()))
            # The printed name, as the right certificate has it; the invariant of the false one is not inductive.
            printed = open(right).read().split("(define-fun types ((|")[1].split("|")[0]
            wrong = write(folder, "wrong.smt2", false_certificate(printed))
            r = whet("check", path, wrong, "--solver", solver, cwd=folder)
            equal(r.status, 10, (name, r))
        if "\\" in name:
            r = whet("check", path, write(folder, "wrong.smt2", false_certificate(name)), cwd=folder)
            equal(r.status, 2, r)
            assert "wrong.smt2:5:" in r.err or "backslash" in r.err, r
        nothing_written(folder)
    tell(missing)


STRINGS = """import sys
for line in sys.stdin:
    if line.startswith("(echo "):
        print(line[6:-2], flush=True)
    elif line.startswith("(check-sat"):
        print('"unsat"', flush=True)
    elif line.startswith("(get-info :name"):
        print('(:name "Z3")', flush=True)
    elif line.startswith("(exit"):
        break
"""


@case
def a_string_is_no_answer(folder):
    """`"unsat"` between quotes is what an `echo` prints, not the answer unsat."""
    path = write(folder, "m.whet", small("x").replace("safe |x|", "safe |0|"))
    wrong = write(folder, "wrong.smt2", false_certificate("x"))
    for text, accepted in ((STRINGS, False), (STRINGS.replace('"unsat"', "unsat"), True)):
        solver = write(folder, "solver.py", text)
        r = whet("check", path, wrong, "--solver", f"python3 {solver}", cwd=folder)
        equal(r.status == 0, accepted, r)  # a solver that always says unsat is believed: so the strings do reach whet


@case
def names_are_escaped_once(folder):
    for raw, printed in (("a\nb", "a{0a}b"), ("a{0a}b", "a{7b}0a}b"), ("a{b", "a{b")):
        text = (f"(set-logic HORN)\n(declare-fun |{raw}| (Int) Bool)\n(assert (forall ((|{raw}.1| Int)) (=> (= |{raw}.1| 0) (|{raw}| |{raw}.1|))))\n"
                f"(assert (forall ((x Int)) (=> (and (|{raw}| x) %s) false)))\n(check-sat)\n")
        for bad, verdict in (("(> x 0)", 0), ("(= x 0)", 10)):
            path, evidence = write(folder, "a.smt2", text % bad), os.path.join(folder, "evidence")
            r = whet("verify", path, "--certificate", evidence)
            equal(r.status, verdict, r)
            said = open(evidence, encoding="utf-8").read()
            wanted = [f"(define-fun |{printed}| ((|{printed}."] if not verdict else [f"(|{printed}| 0)", f"(|{printed}.1| 0)"]
            assert all(w in said for w in wanted) and "{7b}7b}" not in said, (wanted, said)
            equal(whet("check", path, evidence).status, 0, said)


@case
def names_that_exports_make_are_their_own(folder):
    text = ("var can_go, aside_0, aside_1 : 0..3 = 0\naction go: can_go < 3 -> can_go := can_go + 1\naction can_go_: aside_0 < 3 -> aside_0 := aside_0 + 1\n"
            "action swap: true -> aside_0, aside_1 := aside_1, aside_0\nfair go\nsafe s: can_go <= 3\n")
    path = write(folder, "m.whet", text)
    smv = whet("abstract", path, "--to", "smv", cwd=folder).out
    declared = re.findall(r"^  (\w+) :", smv.split("DEFINE")[0], re.MULTILINE)
    defined = re.findall(r"^  (\w+) :=", smv.split("DEFINE")[1], re.MULTILINE)
    values = re.search(r"last_action : \{(.*?)\}", smv).group(1).split(", ")
    made = declared + defined + values
    assert len(defined) == 3 and len(set(made)) == len(made), made
    promela = whet("abstract", path, "--to", "promela", cwd=folder).out
    made = re.findall(r"^(?:hidden )?(?:int|byte|bool|short|bit)\s+(\w+)", promela, re.MULTILINE)
    assert len(set(made)) == len(made) and any(name.startswith("aside_") for name in made), promela
    if not shutil.which("spin"):
        tell({"spin"})
    done = run(folder, "spin", "-a", write(folder, "m.pml", promela))
    assert "error" not in (done.stdout + done.stderr).lower(), done.stdout + done.stderr


@case
def guessed_marks_are_no_answers(folder):
    """A solver that knows how whet's marks once looked, and one that answers before it is asked, are not believed."""
    path = write(folder, "m.whet", small("x").replace("safe |x|", "safe |0|"))
    wrong = write(folder, "wrong.smt2", false_certificate("x"))
    for words in ("unsat whet-1 unsat whet-2 unsat whet-3", "whet-1\nunsat\nwhet-2\nunsat\nwhet-3\nunsat"):
        solver = write(folder, "solver.sh", f"#!/bin/sh\nprintf '%s\\n' '{words}'\ncat >/dev/null\n")
        r = whet("check", path, wrong, "--solver", f"sh {solver}", cwd=folder)
        assert r.status not in (0,), r


@case
def certificates_are_valid_for_other_solvers(folder):
    missing = set()
    for first in range(0, len(NAMES), 3):
        names = NAMES[first:first + 3]
        own = os.path.join(folder, str(first))
        os.mkdir(own)
        path = write(own, "m.whet", model(names))
        r = whet("verify", path, "--certificate", os.path.join(own, "c.smt2"), cwd=own)
        equal(r.status, 10, r)  # the `low` property fails
        found = [name for name in sorted(os.listdir(own)) if name != "m.whet"]
        equal(len(found), len(names) + 1, found)
        for name in found:
            certificate_is_valid(own, path, name, missing)
    tell(missing)


def certificate_is_valid(folder, path, name, missing):
    equal(whet("check", path, os.path.join(folder, name), cwd=folder).status, 0, name)
    text = open(os.path.join(folder, name), encoding="utf-8").read()
    if not text.startswith("; whet certificate"):
        return
    assert "\\" not in text, text
    for solver in (["z3"], ["cvc5", "--incremental"]):
        if not shutil.which(solver[0]):
            missing.add(solver[0])
            continue
        done = run(folder, *solver, write(folder, "plain.smt2", text))
        equal(set(done.stdout.split()), {"unsat"}, (name, solver, done.stdout[:500]))
        nothing_written(folder)


@case
def promela_runs_nothing(folder):
    names = NAMES[:5]
    path = write(folder, "m.whet", model(names) + f"ctl |x{names[3]}|: AG true\nfair |act {names[3]}|, |act {names[0]}|\n")
    r = whet("abstract", path, "--to", "promela", cwd=folder)
    equal(r.status, 0, r)
    code = "".join(part.split("*/", 1)[-1] for part in r.out.split("/*"))
    assert not re.search(r"\b(c_code|system|touch)\b|[\\\\\"`$]", code), code
    write(folder, "m.pml", r.out)
    if not shutil.which("spin"):
        tell({"spin"})
    done = run(folder, "spin", "-a", "m.pml")
    assert "syntax error" not in done.stdout + done.stderr, done.stdout + done.stderr
    for made in os.listdir(folder):
        if made.startswith("pan."):
            assert "touch written\");" not in open(os.path.join(folder, made)).read().replace("/*", "\n"), made
    nothing_written(folder)


@case
def smv_and_whet_keep_to_their_lines(folder):
    path = write(folder, "m.whet", model(NAMES[:4] + NAMES[7:8]))
    r = whet("abstract", path, "--to", "smv", cwd=folder)
    equal(r.status, 0, r)
    for line in r.out.splitlines():
        code = line.split("--", 1)[0]
        assert not any(c in code for c in "\\\"`$#"), line
    again = whet("abstract", path, "--to", "whet", cwd=folder)
    equal(again.status, 0, again)
    for text in (again.out, whet("show", path, cwd=folder).out):
        r = whet("show", write(folder, "again.whet", text), cwd=folder)
        equal(r.status, 0, (text, r))


class Scripts(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.inside = [], False

    def handle_starttag(self, tag, attributes):
        self.inside = tag == "script"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.found.append(data.strip())


@case
def reports_and_quotients_are_well_formed(folder):
    path = write(folder, "m.whet", model(NAMES[:2] + NAMES[8:10]))
    report = os.path.join(folder, "r.html")
    r = whet("verify", path, "--report", report, "--json", os.path.join(folder, "r.json"), cwd=folder)
    equal(r.status, 10, r)
    json.load(open(os.path.join(folder, "r.json"), encoding="utf-8"))
    page = Scripts()
    page.feed(open(report, encoding="utf-8").read())
    assert "alert(1)" not in page.found, page.found
    tiny = write(folder, "tiny.whet", model(NAMES[:1] + NAMES[9:10]))
    for to in ("aut", "dot", "json"):
        r = whet("quotient", tiny, "--to", to, cwd=folder)
        equal(r.status, 0, r)
        if to == "json":
            json.loads(r.out)
        if to == "aut":
            for line in r.out.splitlines()[1:]:
                json.loads("[" + line[1:-1] + "]")
        if to == "dot" and not shutil.which("dot"):
            tell({"dot"})
        if to == "dot":
            done = run(folder, "dot", "-Tplain", write(folder, "q.dot", r.out))
            equal(done.returncode, 0, done.stderr)
    nothing_written(folder)


@case
def the_parser_has_no_output(folder):
    """What is not recognised as a command is reported by whet alone: nothing of Z3's parser comes to the standard output."""
    path = write(folder, "w.smt2", "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x y) (p x))))\n")
    r = whet("verify", path, cwd=folder)
    equal(r.status, 2, r)
    equal(r.out, "", r)


main()
