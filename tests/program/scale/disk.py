#!/usr/bin/python3
"""Searches on disk (--disk): the same answers as in memory, kept over a stop (--checkpoint, --resume), and refused by name if what was kept is damaged."""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import ROOT, SANITIZED, WHET, case, equal, example, main, whet, write  # noqa: E402

LIMIT = ("-t", "300")
PETERSON = os.path.join(ROOT, "bench", "models", "peterson.whet")
# 4 ^ 6 states, in levels of all sizes, and a state that is far away.
CLOCKS = ("".join(f"var c{i} : 0..3 = 0\n" for i in range(6)) +
          "".join(f"action up{i}: c{i} < 3 -> c{i} := c{i} + 1\naction down{i}: c{i} > 0 -> c{i} := c{i} - 1\n" for i in range(6)) +
          "safe some: !(c0 = 3 && c1 = 3 && c2 = 3 && c3 = 3 && c4 = 3 && c5 = 2)\nsafe small: c0 + c1 <= 6\n")


def search(model, *words):
    """Result, and for each property its verdict, the number of states and the length of its run."""
    r = whet("verify", model, "--engine", "explicit", "--json", "-", *LIMIT, *words)
    assert r.status in (0, 10, 20), r
    found = {}
    for p in json.loads(r.out)["properties"]:
        found[p["name"]] = (p["verdict"], p["statistics"].get("states"), len(p.get("trace", [])) or p.get("reason"))
    return r, found


def same(wanted, found, about):
    """Where a violation is noticed within its level differs; its depth does not."""
    wanted, found = ({n: (v, s if v == "safe" else None, t) for n, (v, s, t) in some.items()} for some in (wanted, found))
    equal(found, wanted, about)


@case
def memory_and_disk_say_the_same(folder):
    where = os.path.join(folder, "files")
    for model in (write(folder, "clocks.whet", CLOCKS), example("philosophers.whet"), example("peterson.whet")):
        _, wanted = search(model)
        for words in ((), ("--threads", "3"), ("--memory", "1G")):
            _, found = search(model, "--disk", where, *words)
            same(wanted, found, model)
    equal(os.listdir(where), [])


@case
def many_initial_states(folder):
    where, n = os.path.join(folder, "files"), 12 if SANITIZED else 20
    text = "".join(f"var b{i} : 0..1\n" for i in range(n)) + "var x : 0..1 = 0\naction flip: x = 0 && b0 + b1 = 2 -> x := 1\n"
    total = " + ".join(f"b{i}" for i in range(n))
    model = write(folder, "first.whet", text + f"safe two: x = 0 || {total} >= 2\nsafe few: {total} < {n}\nsafe late: x = 0 || {total} < {n}\n")
    _, wanted = search(model)
    equal({name: found[0] for name, found in wanted.items()}, {"two": "safe", "few": "unsafe", "late": "unsafe"})
    equal(wanted["two"][1], 2 ** n + 2 ** (n - 2))
    same(wanted, search(model, "--disk", where)[1], model)
    # They are sorted in files, too.
    sizes = [json.loads(whet("verify", model, "-e", "explicit", "-p", "two", "--json", "-", *LIMIT, *words).out)["properties"][0]["statistics"]["memory_bytes"] for words in ((), ("--disk", where, "--memory", "60"))]
    assert SANITIZED or sizes[1] < 0.7 * sizes[0], sizes
    # Values that do not fit the first fields.
    wide = write(folder, "wide.whet", "var x : int\nvar y : 0..1 = 0\ninit x >= 0 && x <= 5000\naction a: y = 0 -> y := 1, x := x + 70000\nsafe s: x != 74999 || y = 0\nsafe t: x <= 75000\n")
    same(search(wide)[1], search(wide, "--disk", where)[1], wide)
    # Stopped among them: nothing is kept, and nothing is decided.
    r, found = search(model, "-p", "two", "--disk", where, "--resume", "--work", "1000")
    equal(found["two"][::2], ("unknown", "work limit reached"), r)
    assert not any(name.startswith("search-") for name in os.listdir(where)), os.listdir(where)
    equal(search(model, "-p", "two", "--disk", where, "--resume")[1]["two"][:2], wanted["two"][:2])
    equal(os.listdir(where), [])


@case
def a_search_goes_on_where_it_was_stopped(folder):
    model, where = write(folder, "clocks.whet", CLOCKS), os.path.join(folder, "files")
    _, wanted = search(model, "-p", "small")
    stops = 0
    for work in range(2000, 10 ** 9, 2000):
        r, found = search(model, "-p", "small", "--disk", where, "--resume", "--work", str(work))
        if found["small"][0] != "unknown":
            break
        equal(found["small"][2], "work limit reached", r)
        assert any(name.startswith("search-") for name in os.listdir(where)), os.listdir(where)
        stops += 1
        assert stops < 200
    equal(found["small"][:2], wanted["small"][:2])
    assert stops > 2, stops
    equal(os.listdir(where), [])  # it is decided


@case
def killed_at_any_moment_it_goes_on(folder):
    text = CLOCKS.replace("0..3", "0..5").replace("< 3", "< 5").replace("c0 + c1 <= 6", "c0 + c1 <= 10")
    model, where = write(folder, "clocks.whet", text), os.path.join(folder, "files")
    rounds = random.Random(5)
    for _ in range(3 if SANITIZED else 8):
        process = subprocess.Popen([WHET, "verify", model, "-p", "small", "--engine", "explicit", "--disk", where, "--resume", "-q"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(rounds.uniform(0.02, 0.4))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    _, found = search(model, "-p", "small", "--disk", where, "--resume")
    equal(found["small"][:2], ("safe", 6 ** 6))


def stopped(folder, name):
    """A folder with a search that was stopped."""
    model, where = write(folder, "clocks.whet", CLOCKS), os.path.join(folder, name)
    _, found = search(model, "-p", "small", "--disk", where, "--checkpoint", "--work", "9000")
    equal(found["small"][2], "work limit reached")
    return model, where, {f: os.path.join(where, f) for f in os.listdir(where)}


def resume(model, where, *words):
    _, found = search(model, "-p", "small", "--disk", where, "--resume", *words)
    return found["small"]


@case
def what_is_damaged_is_refused_by_name(folder):
    model, where, files = stopped(folder, "whole")
    equal(sorted(files), ["levels-2-0", "search-2"])
    chance = random.Random(9)
    with open(files["search-2"], encoding="utf-8") as f:
        record = f.read()
    # What the file of levels has beyond the end that the record names is not used.
    used = {"search-2": len(record), "levels-2-0": int(record.split("\nend ")[1].split("\n")[0])}
    for name in files:
        for i in range(6):
            copy = os.path.join(folder, f"{name}-{i}")
            shutil.copytree(where, copy)
            with open(os.path.join(copy, name), "r+b") as f:
                content = bytearray(f.read())
                at = chance.randrange(used[name])
                if i == 5:
                    del content[used[name] // 2:]
                else:
                    content[at] ^= 1 << chance.randrange(8)
                f.seek(0)
                f.truncate()
                f.write(content)
            verdict, _, reason = resume(model, copy)
            equal(verdict, "unknown", (name, at))
            assert copy in reason and any(word in reason for word in ("is damaged", "are not those", "ends too early")), reason
    equal(resume(model, where)[0], "safe")


@case
def another_search_is_refused(folder):
    model, where, _ = stopped(folder, "files")
    _, found = search(model, "-p", "small", "--disk", where, "--checkpoint")
    assert "is of an earlier search: --resume goes on with it" in found["small"][2], found
    other = write(folder, "other.whet", CLOCKS.replace("c0 + c1 <= 6", "c0 + c1 <= 7"))
    assert "is of another model" in resume(other, where)[2]
    equal(resume(model, where)[0], "safe")


@case
def what_cannot_be_searched_on_disk_is_refused(folder):
    where = os.path.join(folder, "files")
    temporal = write(folder, "temporal.whet", "var x : bool = false\naction a: true -> x := !x\nltl often: G F x\n")
    for words, model, reason in ((("--disk", where), temporal, "temporal properties are searched in memory only"),
                                 (("--disk", where), example("list-sweep.whet"), "lists and recursive procedures are searched in memory only"),
                                 (("--disk", where, "--order", "dfs"), PETERSON, "--disk searches breadth first"),
                                 (("--checkpoint",), PETERSON, "--checkpoint and --resume are for a search with --disk"),
                                 (("--disk", os.path.join(folder, "no", "such")), PETERSON, "cannot make the folder")):
        r, found = search(model, *words)
        assert all(reason in str(f[2]) for f in found.values()) and found, (r, reason)


@case
def memory_has_units(folder):
    model = write(folder, "m.whet", "var x : bool = false\nsafe p: !x\n")
    equal(whet("verify", model, "--memory", "1G").status, 0)
    equal(whet("verify", model, "-m", "900M").status, 0)
    for wrong in ("1GB", "G", "1T", "99999999G"):
        r = whet("verify", model, "--memory", wrong)
        equal(r.status, 2, r)
        assert f"--memory: '{wrong}' is not" in r.err, r


main()
