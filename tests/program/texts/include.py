#!/usr/bin/python3
"""include: declarations of other files. Places in messages, what is refused, editors, and what answers depend on."""
import json
import os
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), name) for name in ("", "editor")]
from harness import *  # noqa: E402
from client import Client, Failed  # noqa: E402

LOCK = "include \"free.whet\"\nprocess P[i : 1..2] {\n  states idle, in\n  enter: idle -> in when free : free := false\n  leave: in -> idle : free := true\n}\n"
MAIN = "include \"lib/lock.whet\"\nsafe mutex: !(P[1] at in && P[2] at in)\nunreachable never: !free\n"


def parts(folder, free="var free : bool = true\n"):
    os.mkdir(os.path.join(folder, "lib"))
    write(folder, "lib/free.whet", free)
    write(folder, "lib/lock.whet", LOCK)
    return write(folder, "m.whet", MAIN)


def error(path):
    r = whet("verify", path)
    equal((r.status, r.out), (2, ""), r)
    return r.err


@case
def several_files_are_one_model(folder):
    path = parts(folder)
    whole = write(folder, "whole.whet", "var free : bool = true\n" + LOCK.split("\n", 1)[1] + MAIN.split("\n", 1)[1])
    equal(whet("show", path).out.replace("m.whet", ""), whet("show", whole).out.replace("whole.whet", ""))
    equal(whet("verify", path).out, whet("verify", whole).out)
    equal(whet("verify", "m.whet", cwd=folder).out, whet("verify", path, cwd="/").out)


@case
def runs_say_which_file_a_line_is_of(folder):
    os.mkdir(os.path.join(folder, "lib"))
    write(folder, "lib/p.whet", "program P {\n  x := x + 1\n  assert x < 1\n  x := x + 1\n}\n")
    path = write(folder, "m.whet", "var x : 0..1 = 0\n\ninclude \"lib/p.whet\"\nprogram Q {\n  assert x < 1\n}\n")
    r = whet("verify", "m.whet", "--json", "o.json", "--sarif", "o.sarif", cwd=folder)
    assert "P lib/p.whet, line 2: x := x + 1" in r.out and "(lib/p.whet, line 4)" in r.out, r.out
    with open(os.path.join(folder, "o.json"), encoding="utf-8") as f:
        properties = {p["name"]: p for p in json.load(f)["properties"]}
    equal(sorted(properties), ["assert@5", "assert@lib/p.whet:3", "no-runtime-error"])
    equal({(s["file"], s["line"]) for s in properties["assert@lib/p.whet:3"]["trace"] if s["action"]}, {("lib/p.whet", 2)})
    with open(os.path.join(folder, "o.sarif"), encoding="utf-8") as f:
        found = {r["ruleId"]: r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in json.load(f)["runs"][0]["results"]}
    equal((found["assert@5"], found["assert@lib/p.whet:3"]), ("m.whet", "lib/p.whet"))
    assert os.path.exists(path)


@case
def messages_have_the_place_in_the_file(folder):
    path = parts(folder, "// ü\nvar free : bol = true\n")
    assert error(path).startswith(f"{folder}/lib/free.whet:2:12: error: `bol` is not a type\n    var free : bol = true\n               ^\n"), error(path)
    write(folder, "lib/free.whet", "var free : bool = true\nvar N, in : int\n")
    write(folder, "m.whet", MAIN + "var N : int\nsafe wrong: conter > 1")
    words = error(path)
    assert f"{path}:4:5: error: `N` is declared twice" in words, words
    assert f"hint: first declared at {folder}/lib/free.whet:2:5" in words, words


@case
def what_is_refused(folder):
    def wrong(name, *words):
        said = error(write(folder, "m.whet", f"var x : int\ninclude {name}\nsafe p: x = y\n"))
        for part in words:
            assert part in said, (part, said)

    os.mkdir(os.path.join(folder, "d.whet"))
    os.mkfifo(os.path.join(folder, "f.whet"))
    write(folder, "zero.whet", "var \0")
    write(folder, "flat.whet", "flat\nvar z : int\n")
    write(folder, "a.whet", "include \"b.whet\"\n")
    write(folder, "b.whet", "include \"m.whet\"\n")
    wrong('"none.whet"', f"m.whet:2:9: error: there is no file `{folder}/none.whet`")
    wrong('"m.txt"', "ends with .whet")
    wrong("m", "expected the name of a file in quotes", "hint: another file is included by")
    wrong('"d.whet"', "is no regular file")
    wrong('"f.whet"', "is no regular file")
    wrong('"zero.whet"', "not a text file")
    wrong('"flat.whet"', f"{folder}/flat.whet:1:1: error: `flat` is about a whole text")
    wrong('"a.whet"', f"{folder}/b.whet:1:9: error: the file includes itself: {folder}/m.whet, {folder}/a.whet, {folder}/b.whet, {folder}/m.whet")
    wrong('"m.whet"', "m.whet:2:9: error: the file includes itself")
    for i in range(20):
        write(folder, f"n{i}.whet", f"include \"n{i + 1}.whet\"\n")
    wrong('"n0.whet"', f"{folder}/n15.whet:1:9: error: files are included more than 16 deep")
    write(folder, "large.whet", "/*" + "x" * (33 << 20) + "*/")
    wrong('"large.whet"', "larger than 32 MB")


@case
def a_batch_runs_again_what_has_another_part(folder):
    parts(folder)
    listed = write(folder, "list.csv", "model\nm.whet\n")

    def run():
        r = whet("batch", listed, "--out", os.path.join(folder, "out"), "--jobs", "1", "-t", "100")
        with open(os.path.join(folder, "out", "table.csv"), encoding="utf-8") as f:
            return f.read(), r

    before, _ = run()
    equal(run()[0], before)
    write(folder, "lib/free.whet", "var free : bool = false\n")
    after, _ = run()
    assert after != before, after


@case
def editors_see_other_files(folder):
    path = parts(folder)
    uri = "file://" + path
    with Client(WHET) as c:
        c.initialize()
        c.open(uri, MAIN)
        equal(c.diagnostics(uri, 1), [])
        found = c.at("definition", uri, 2, 20)
        equal((found["uri"], found["range"]["start"]), (f"file://{folder}/lib/free.whet", {"line": 0, "character": 4}))
        try:
            c.at("rename", uri, 2, 20, newName="other")
            raise AssertionError("renamed")
        except Failed:
            pass
        write(folder, "lib/free.whet", "var free : bol\n")
        c.change(uri, 2, {"text": MAIN + "\n"})
        (found,) = c.diagnostics(uri, 2)
        equal(found["message"].split("\n")[0], "lib/free.whet:1:12: `bol` is not a type")
        equal(found["range"]["start"], {"line": 0, "character": 8})
        equal([s["name"] for s in c.about("documentSymbol", uri)], ["mutex", "never"])


if __name__ == "__main__":
    main()
