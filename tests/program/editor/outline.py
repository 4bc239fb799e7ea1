#!/usr/bin/python3
"""whet outline and whet format, on every model of the project."""
import glob
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import *  # noqa: E402

ALL = sorted(glob.glob(os.path.join(EXAMPLES, "**", "*.whet"), recursive=True) + glob.glob(os.path.join(MODELS, "*.whet")))
SOME = ALL[::6] if SANITIZED else ALL[::2]


def text_of(path):
    with open(path, encoding="utf-8", newline="") as f:
        return f.read()


def outline(path):
    r = whet("outline", path)
    equal((r.status, r.err), (0, ""), path)
    return json.loads(r.out)


@case
def names_are_spelled_where_they_are_said_to_stand(folder):
    assert len(SOME) > 10, SOME
    for path in SOME:
        found, text = outline(path), text_of(path).encode()
        assert found["model"] and not found["errors"], path
        spelled = lambda start, end: text[start:end].decode().strip("|")
        for name in found["names"]:
            other = text_of(os.path.join(os.path.dirname(path), name["file"])).encode() if "file" in name else text
            equal(other[name["start"]:name["end"]].decode().strip("|"), name["name"], path)
            assert name["from"] <= name["start"] < name["end"] <= name["to"], (path, name)
        for start, end, which in found["uses"]:
            equal(spelled(start, end), found["names"][which]["name"], path)
        places = [n["start"] for n in found["names"] if "file" not in n] + [u[0] for u in found["uses"]]
        equal(len(places), len(set(places)), f"{path}: a place has two meanings")
        shown = [p["name"] for p in found["properties"]]
        assert all(n["name"] in shown for n in found["names"] if n["kind"] == "property"), path


@case
def every_variable_that_is_used_is_known(folder):
    """Words of the text that are names of the model are all declarations or uses, if no comment has them."""
    for path in SOME:
        text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: " " * len(m.group().encode()), text_of(path), flags=re.DOTALL)
        if "|" in text.replace("||", ""):
            continue
        found = outline(path)
        known = {n["start"] for n in found["names"] if "file" not in n} | {u[0] for u in found["uses"]}
        for name in found["names"]:
            if name["kind"] not in ("variable", "constant", "parameter", "state", "process") or name["name"] in found["words"]:
                continue
            for place in re.finditer(rf"(?<![\w'.]){re.escape(name['name'])}(?![\w'])", text):
                assert place.start() in known, f"{path}: {name['name']} at {place.start()}"


@case
def the_layout_changes_blanks_only(folder):
    bare = lambda t: re.sub(r"\s", "", t)
    chance = random.Random(3)
    for path in SOME:
        text = text_of(path)
        # indentation by chance, but for comments over several lines, which stay as they are
        mixed = text if "/*" in text else re.sub(r"(?m)^[ \t]*", lambda m: " " * chance.randrange(4), text)
        for number, content in enumerate((text, mixed)):
            made = whet("format", write(folder, "m.whet", content))
            equal((made.status, made.err), (0, ""), path)
            equal(bare(made.out), bare(text), path)
            equal(whet("format", write(folder, "again.whet", made.out)).out, made.out, f"{path}: laid out twice")
            assert not re.search(r"[ \t]\n|\n\n\n", made.out), path
        if "include " not in text:  # else other files would have to be beside it
            equal(whet("show", write(folder, os.path.basename(path), made.out)).out, whet("show", path).out, path)


@case
def the_layout_as_it_should_be(folder):
    messy = ("  const N=2\t \nvar x:0..N=0  // a\n              // b\n\n\n\naction up:x<N&&true->x:=x+1,y:=2\naction d: true->\n   process P {\nstates a,b\n"
             "     go:a->b when x=1\n            && true : x:=0\n        // note\n}\nltl p: G (x=0=>\nF x=1)\nvar y:int")
    wanted = ("const N=2\nvar x:0..N=0  // a\n              // b\n\naction up:x<N && true -> x := x+1, y := 2\naction d: true ->\nprocess P {\n  states a, b\n"
              "  go:a -> b when x=1\n            && true : x := 0\n  // note\n}\nltl p: G (x=0 =>\n  F x=1)\nvar y:int\n")
    equal(whet("format", write(folder, "m.whet", messy)).out, wanted)
    equal(json.loads(whet("outline", os.path.join(folder, "m.whet")).out)["layout"], wanted)
    strange = "var  x : int   \n  € what\n"
    equal(whet("format", write(folder, "s.whet", strange)).out, strange, "what is no token would be lost")


@case
def other_languages_and_what_is_no_text(folder):
    for command in ("outline", "format"):
        for path, words in ((write(folder, "m.smt2", "(check-sat)"), "end with .whet"), (write(folder, "z.whet", "var \0"), "byte 5 is zero"),
                            (os.path.join(folder, "none.whet"), "cannot read")):
            r = whet(command, path)
            equal((r.status, r.out), (2, ""), r)
            assert words in r.err, r
    equal(json.loads(whet("outline", write(folder, "e.whet", "")).out)["errors"][0]["message"], "the file declares nothing")


if __name__ == "__main__":
    main()
