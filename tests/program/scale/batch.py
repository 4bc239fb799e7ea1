#!/usr/bin/python3
"""Many problems at once: whet batch. What it answers is compared with `whet verify` of each; it is killed at random moments and goes on.

    tests/program/scale/batch.py --rounds 50 --seed 1          a campaign: killed 50 times
"""
import html.parser
import json
import os
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import FAULTY, MODELS, WHET, case, equal, main_or_campaign, whet, write  # noqa: E402
from problems import COUNTER, columns, problem_list, table_rows  # noqa: E402

TICKET = os.path.join(MODELS, "ticket2.whet")
UNTIMED = ("model", "property", "options", "expected", "verdict", "correct", "engine", "reason", "key")


def untimed(out):
    return columns(out, UNTIMED)


def records(out):
    """Name -> content and time of writing of each file with a result."""
    folder = os.path.join(out, "results")
    found = {}
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        if name.endswith(".json"):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as f:
                found[name] = (f.read(), os.stat(path).st_mtime_ns)
    return found


def batch(listed, out, *options):
    return whet("batch", listed, "--out", out, "--jobs", "2", "-t", "100", *options)


@case
def answers_are_those_of_verify(folder):
    write(folder, "counter.whet", COUNTER)
    out = os.path.join(folder, "out")
    listed = problem_list(folder, ("counter.whet", "", "", ""), (TICKET, "mutex", "--engine 'widen'", "true"), ("counter.whet", "small", "--engine=explicit --order dfs", "true"),
                   ("counter.whet", "tiny", "", "false"))
    r = batch(listed, out)
    equal(r.status, 0, r)
    assert r.out.startswith("5 answers: 3 hold, 2 violated, 0 unknown; 0 wrong\n"), r
    rows = table_rows(out)
    equal([(row["property"], row["verdict"], row["correct"]) for row in rows],
          [("small", "safe", ""), ("tiny", "unsafe", ""), ("mutex", "safe", "yes"), ("small", "safe", "yes"), ("tiny", "unsafe", "yes")])
    equal(rows[2]["engine"], "widen")
    own = json.loads(whet("verify", TICKET, "-e", "widen", "-p", "mutex", "-q", "--json", "-").out)
    kept = json.loads(records(out)[rows[2]["key"] + ".json"][0])["document"]
    equal([p["verdict"] for p in kept["properties"]], [p["verdict"] for p in own["properties"]])
    equal(kept["properties"][0]["certificate"]["text"], own["properties"][0]["certificate"]["text"])
    equal({name + ".html" for name in {row["key"] for row in rows}}, set(os.listdir(os.path.join(out, "reports"))))


class Page(html.parser.HTMLParser):
    """What stands in the page, in order: headings, links, plots."""

    def __init__(self, text):
        super().__init__()
        self.seen, self.open = [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "line", "polyline"):
            self.open.append(tag)
        for name, value in attributes:
            if name == "href":
                self.seen.append(("link", value))
        if tag in ("svg", "circle"):
            self.seen.append((tag, ""))

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        equal(self.open.pop(), tag)

    def handle_data(self, data):
        if self.open and self.open[-1] in ("h1", "h2", "title"):
            self.seen.append((self.open[-1], data))


@case
def wrong_answers_come_first(folder):
    write(folder, "a<b>&.whet", COUNTER)
    out = os.path.join(folder, "out")
    r = batch(problem_list(folder, ("a<b>&.whet", "small", "", "true"), ("a<b>&.whet", "tiny", "--engine explicit", "true"), ("a<b>&.whet", "small", "--engine explicit", "false")), out)
    equal(r.status, 10, r)
    lines = r.out.splitlines()
    assert lines[0].endswith("a<b>&.whet tiny: unsafe, but true is expected (--engine explicit)"), r
    assert lines[1].endswith("small: safe, but false is expected (--engine explicit)"), r
    equal([row["correct"] for row in table_rows(out)], ["yes", "wrong", "wrong"])
    with open(os.path.join(out, "index.html"), encoding="utf-8") as f:
        seen = Page(f.read()).seen
    headings = [words for tag, words in seen if tag == "h2"]
    equal(headings, ["2 wrong against what is expected"])
    equal(sum(tag == "svg" for tag, _ in seen), 2)
    links = [where for tag, where in seen if tag == "link" and where.startswith("reports/")]
    equal(len(links), 5)
    assert all(os.path.exists(os.path.join(out, where)) for where in links), links


@case
def several_properties_and_one_expectation(folder):
    write(folder, "counter.whet", COUNTER)
    write(folder, "good.whet", COUNTER.replace("x <= 3", "x >= 0"))
    out = os.path.join(folder, "out")
    equal(batch(problem_list(folder, ("counter.whet", "", "", "false"), ("counter.whet", "", "", "true"), ("good.whet", "", "", "false")), out).status, 10)
    equal([row["correct"] for row in table_rows(out)], ["", "yes", "yes", "wrong", "wrong", "wrong"])


@case
def only_what_has_changed_is_run_again(folder):
    write(folder, "one.whet", COUNTER)
    write(folder, "two.whet", COUNTER.replace("9", "8"))
    write(folder, "three.whet", COUNTER.replace("9", "8"))
    write(folder, "some.lemma", "x >= 0")
    os.mkdir(os.path.join(folder, "headers"))
    write(folder, "headers/n.h", '#include "m.h"\n')
    write(folder, "headers/m.h", "#define N 3\n")
    write(folder, "p.c", '#include <n.h>\nextern void reach_error(void);\nint main(void) { int i = N; if (i > 3) reach_error(); return 0; }\n')
    out, listed = os.path.join(folder, "out"), problem_list(folder, ("one.whet",), ("two.whet",), ("three.whet",), ("two.whet", "", "--lemma some.lemma"), ("p.c", "unreach-call", "-I headers"))
    equal(batch(listed, out).status, 0)
    before = records(out)
    equal(len(before), 4)  # two and three are the same problem
    equal(batch(listed, out).status, 0)
    equal(records(out), before)
    for name, content, verdict in (("one.whet", COUNTER.replace("9", "7"), "safe"), ("some.lemma", "x >= -1", "safe"), ("headers/m.h", "#define N 4\n", "unsafe")):
        write(folder, name, content)
        equal(batch(listed, out).status, 0)
        after = records(out)
        assert all(after[key] == before[key] for key in before), name
        fresh = set(after) - set(before)
        equal(len(fresh), 1, name)
        equal(json.loads(after[fresh.pop()][0])["answers"][0]["verdict"], verdict)
        before = after
    equal(batch(listed, out, "--options=--seed 4").status, 0)
    equal(len(records(out)), len(before) + 4)


@case
def another_build_trusts_no_results(folder):
    write(folder, "one.whet", COUNTER)
    out, listed = os.path.join(folder, "out"), problem_list(folder, ("one.whet",))
    equal(batch(listed, out).status, 0)
    before = records(out)
    build = json.loads(next(iter(before.values()))[0])["build"]
    with open(WHET, "rb") as f:
        assert bytes.fromhex(build) in f.read(), build  # the note of the linker
    r = whet("batch", listed, "--out", out, "-t", "100", "--collect", program=FAULTY)
    assert r.status == 20 and "1 missing" in r.out, r
    equal(records(out), before)


@case
def damaged_results_are_none(folder):
    write(folder, "one.whet", COUNTER)
    out, listed = os.path.join(folder, "out"), problem_list(folder, ("one.whet",))
    batch(listed, out)
    name, (good, _) = next(iter(records(out).items()))
    rows = untimed(out)
    for bad in ("", good[:len(good) // 2], good.replace(name[:64], "0" * 64), "[]", "{}", good + "x", good.replace('"end":"done"', '"end":"failed"'), '{"key":"%s","end":"done"}' % name[:64], "\0" * 50):
        write(folder, os.path.join("out", "results", name), bad)
        equal(batch(listed, out).status, 0, bad[:100])
        equal(untimed(out), rows)
        assert json.loads(records(out)[name][0])["key"] == name[:64]


@case
def folders_and_task_definitions(folder):
    models = os.path.join(folder, "models")
    os.makedirs(os.path.join(models, "deeper"))
    write(models, "b.whet", COUNTER)
    write(models, "deeper/a.smt2", "(set-logic HORN)\n(declare-fun P (Int) Bool)\n(assert (P 0))\n(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))\n(check-sat)\n")
    write(models, ".hidden.whet", COUNTER)
    write(models, "notes.txt", "nothing")
    write(models, "p.c", "extern void reach_error(void);\nint main(void) { int i = 2147483647; i++; reach_error(); return 0; }\n")
    write(models, "reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    task = write(models, "p.yml", "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: reach.prp\n    expected_verdict: true\n  - property_file: no-overflow.prp\n    expected_verdict: false\n"
                 "  - property_file: no-data-race.prp\noptions:\n  language: C\n  data_model: ILP32\n")
    write(models, "witness.yml", "- entry_type: invariant_set\n")
    out = os.path.join(folder, "out")
    r = batch(models + "/", out)
    equal(r.status, 0, r)
    equal([(os.path.relpath(row["model"], models), row["property"], row["verdict"], row["correct"]) for row in table_rows(out)],
          [("p.c", "unreach-call", "safe", "yes"), ("p.c", "no-overflow", "unsafe", "yes"), ("b.whet", "small", "safe", ""), ("b.whet", "tiny", "unsafe", ""), ("deeper/a.smt2", "query", "safe", "")])
    assert "witness.yml is left out" in r.err and "no-data-race.prp is left out" in r.err, r
    again = os.path.join(folder, "again")
    equal(batch(task, again).status, 0)
    equal([row["key"] for row in table_rows(again)], [row["key"] for row in table_rows(out)][:2])


@case
def what_is_wrong_with_a_list_is_told_with_its_place(folder):
    write(folder, "one.whet", COUNTER)
    out = os.path.join(folder, "out")
    for content, place, words in (("modle\none.whet\n", ":1:", "modle"), ("property\nx\n", ":1:", "model"), ("", ":1:", "model"), ("model,model\n", ":1:", "twice"),
                                  ('model,options\none.whet,"--engine\n', ":2:", "quote"), ("model,options\none.whet,--nosuch\n", ":2:", "nosuch"), ("model,options\n\none.whet,--json x\n", ":3:", "--json"),
                                  ("model,options\none.whet,--seed x\n", ":2:", "seed"), ("model,options\none.whet,--seed\n", ":2:", "seed"), ("model,options\none.whet,-t 3 -t 4\n", ":2:", "twice"),
                                  ("model,options\none.whet,other\n", ":2:", "other"), ("model,options\none.whet,--steps 3\n", ":2:", "steps"), ("model,expected\none.whet,perhaps\n", ":2:", "perhaps"),
                                  ("model\none.whet,x\n", ":2:", "more fields"), ("model,options\none.whet,'--seed 3\n", ":2:", "quote"), ("model\n-\n", ":2:", "standard input"), ('model\n"one".whet\n', ":2:", "quote")):
        r = batch(write(folder, "list.csv", content), out)
        equal(r.status, 2, (content, r))
        assert f"list.csv{place}" in r.err and words in r.err, (content, r)
    for listed, words in ((os.path.join(folder, "none.csv"), "none.csv"), (os.path.join(folder, "one.whet"), "is no list"), (os.path.join(folder, "empty"), "no problem")):
        os.makedirs(os.path.join(folder, "empty"), exist_ok=True)
        r = batch(listed, out)
        assert r.status == 2 and words in r.err, r
    assert not os.path.exists(out)
    listed = problem_list(folder, ("one.whet",))
    r = whet("batch", listed)
    assert r.status == 2 and "--out" in r.err, r
    r = batch(listed, os.path.join(folder, "one.whet"))
    assert r.status == 2 and "one.whet" in r.err, r
    r = batch(listed, out, "--options=--report x")
    assert r.status == 2 and "--report" in r.err, r


@case
def what_cannot_be_read_is_a_row(folder):
    write(folder, "bad.whet", "var x : 0..3 = 0\nsafe s: y = 1\n")
    write(folder, "one.whet", COUNTER)
    out = os.path.join(folder, "out")
    r = batch(problem_list(folder, ("bad.whet",), ("none.whet",), ("one.whet", "nosuch")), out)
    equal(r.status, 20, r)
    rows = table_rows(out)
    equal([row["verdict"] for row in rows], ["refused"] * 3)
    assert "bad.whet:2:" in rows[0]["reason"] and "no such file" in rows[1]["reason"] and "nosuch" in rows[2]["reason"], rows
    before = records(out)
    write(folder, "bad.whet", COUNTER)
    equal(batch(problem_list(folder, ("bad.whet",)), out).status, 0)
    assert all(records(out)[name] == before[name] for name in before)


def problems(folder, count):
    """Small ones, each with a content of its own, and a few that take a moment."""
    rows = []
    for i in range(count):
        name = f"m{i}.whet"
        write(folder, name, COUNTER.replace("9", str(10 + i)))
        rows.append((name, "", "--engine explicit" if i % 2 else "", ""))
    return problem_list(folder, *rows)


def processes_of(folder):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                words = f.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(word.startswith(folder) for word in words) and "verify" in words:
            found.append(words)
    return found


def killed_and_resumed(folder, random_numbers, kills, count):
    """Kills a batch again and again and lets it go on. Returns how often something was running, and how many results were there at the kills."""
    listed, out, whole = problems(folder, count), os.path.join(folder, "out"), os.path.join(folder, "whole")
    started = time.monotonic()
    equal(batch(listed, whole).status, 0)
    lasts = time.monotonic() - started
    caught, there = 0, []
    for kill in range(kills):
        before = records(out)
        process = subprocess.Popen([WHET, "batch", listed, "--out", out, "--jobs", "2", "-t", "100", "-q"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random_numbers.uniform(0, 4 * lasts / count))  # up to twice what a problem takes
        caught += process.poll() is None
        process.send_signal((signal.SIGKILL, signal.SIGINT, signal.SIGTERM)[kill % 3])
        process.wait(60)
        after = records(out)
        assert all(after[name] == before[name] for name in before), "a result was written again"
        there.append(len(after))
        for _ in range(200):
            left = processes_of(folder)
            if not left:
                break
            time.sleep(0.05)
        assert not left, left
    before = records(out)
    r = batch(listed, out)
    equal(r.status, 0, r)
    after = records(out)
    assert all(after[name] == before[name] for name in before), "a result was written again"
    equal(untimed(out), untimed(whole))
    equal(set(after), set(records(whole)))
    assert not [name for name in os.listdir(out) if name.startswith("work-")], os.listdir(out)
    equal(batch(listed, out).status, 0)
    equal(records(out), after)
    return caught, there


@case
def killed_at_random_moments_it_goes_on(folder):
    caught, there = killed_and_resumed(folder, random.Random(5), 3, 8)
    assert caught, there


@case
def one_batch_at_a_time_works_in_a_folder(folder):
    write(folder, "long.whet", "var x : int = 0\naction a: true -> x := x + 1\nsafe never: x != -1\n")
    listed, out = problem_list(folder, ("long.whet", "", "--engine explicit")), os.path.join(folder, "out")
    process = subprocess.Popen([WHET, "batch", listed, "--out", out, "-q"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not processes_of(folder):
        time.sleep(0.02)
        equal(process.poll(), None)
    r = batch(listed, out)
    assert r.status == 2 and "another batch" in r.err, r
    process.send_signal(signal.SIGINT)
    words, _ = process.communicate(timeout=60)
    equal(process.returncode, 20)
    assert words.startswith("1 answers: 0 hold, 0 violated, 0 unknown, 1 missing; 0 wrong\n"), words
    equal([row["verdict"] for row in table_rows(out)], ["missing"])


@case
def parts_together_are_the_whole(folder):
    listed, out, whole = problems(folder, 7), os.path.join(folder, "out"), os.path.join(folder, "whole")
    with open(listed, "a", encoding="utf-8") as f:
        f.write("m0.whet\n")  # the same key as the first: in one part only
    equal(batch(listed, whole).status, 0)
    parts = [subprocess.Popen([WHET, "batch", listed, "--out", out, "--jobs", "1", "-t", "100", "-q", "--part", f"{k}/3"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) for k in (1, 2, 3)]
    answers = [int(part.communicate(timeout=300)[0].split()[0]) for part in parts]
    equal(([part.returncode for part in parts], sum(answers)), ([0, 0, 0], 16))
    assert not os.path.exists(os.path.join(out, "table.csv"))
    before = records(out)
    equal(len(before), 7)
    r = batch(listed, out, "--collect")
    equal((r.status, untimed(out), records(out)), (0, untimed(whole), before), r)
    os.remove(os.path.join(out, "results", sorted(before)[0]))
    r = batch(listed, out, "--collect")
    assert r.status == 20 and " missing; 0 wrong" in r.out, r
    for wrong in ("0/3", "4/3", "x", "1/3x", "1"):
        r = batch(listed, out, "--part", wrong)
        assert r.status == 2 and "--part" in r.err, r
    assert batch(listed, out, "--part", "1/2", "--collect").status == 2


def campaign(place, seed, rounds):
    folder = os.path.join(place, f"batch-{seed}")
    os.makedirs(folder)
    caught, there = killed_and_resumed(folder, random.Random(seed), rounds, 43)
    return f"killed {rounds} times, {caught} of them while it worked; results at each kill: {there}; the table is the same, and nothing was repeated"


if __name__ == "__main__":
    main_or_campaign(campaign)
