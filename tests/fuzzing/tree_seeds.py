#!/usr/bin/env python3
"""Writes clang's syntax trees of C programs (the examples, those of the tests, random ones), without what the reader does not look at:
tree_seeds.py FOLDER-FOR-TREES FOLDER-FOR-PROGRAMS

A tree of more than 60,000 characters is left out: small ones are changed faster."""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

KEYS = {"kind", "name", "opcode", "value", "castKind", "storageClass", "id", "isPostfix", "isArrow", "isBitfield", "hasElse",
        "targetLabelDeclId", "declId", "referencedMemberDecl"}
TYPES = {"type", "argType", "computeResultType"}
TYPE_KEYS = {"qualType", "desugaredQualType"}
MOST = 60000


class Shortener:
    def __init__(self):
        self.numbers = {}

    def identity(self, text):
        return hex(self.numbers.setdefault(text, len(self.numbers) + 1))

    def place(self, begin):
        begin = begin.get("expansionLoc", begin)
        return {"begin": {"offset": begin["offset"] % 2000, "tokLen": 1, "file": "<stdin>"}} if "offset" in begin else None

    def node(self, node):
        out = {}
        for key, value in node.items():
            if key in ("id", "targetLabelDeclId", "declId", "referencedMemberDecl"):
                out[key] = self.identity(value)
            elif key in KEYS:
                out[key] = value
            elif key in TYPES:
                out[key] = {name: text for name, text in value.items() if name in TYPE_KEYS}
            elif key == "referencedDecl":
                out[key] = {"id": self.identity(value["id"]), "kind": value["kind"], "name": value.get("name", "")}
            elif key in ("inner", "array_filler"):
                out[key] = [self.node(part) for part in value]
            elif key == "range" and self.place(value.get("begin", {})):
                out[key] = self.place(value["begin"])
        return out


def is_used(node):
    """Not one of the hundreds that a header declares."""
    return not (node.get("isImplicit") or "includedFrom" in node.get("loc", {}) or "includedFrom" in node.get("range", {}).get("begin", {}))


def tree_of(path):
    words = ["clang", "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", "-x", "c", path]
    tree = json.loads(subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)
    tree["inner"] = [part for part in tree.get("inner", []) if is_used(part)]
    return Shortener().node(tree)


def texts():
    """Of the examples, the tests and the generator."""
    for folder, _, names in os.walk(os.path.join(ROOT, "examples")):
        for name in sorted(names):
            if name.endswith(".c"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield file.read()
    tests = os.path.join(ROOT, "tests", "program")
    for name in ("c.py", "c_programs/arrays.py", "c_programs/heap.py", "c_programs/memory.py", "c_programs/witness.py"):
        with open(os.path.join(tests, name), encoding="utf-8") as file:
            for text in re.findall(r'"""(.*?)"""', file.read(), re.DOTALL):
                if "main(" in text:
                    yield text
    sys.path.insert(0, os.path.join(ROOT, "tests", "oracle"))
    import c_programs
    for seed in range(1, 21):
        yield c_programs.source(seed, "")
        yield c_programs.source(c_programs.ARRAYS + seed, "")


def main():
    trees, programs = sys.argv[1:]
    for number, text in enumerate(texts()):
        path = os.path.join(programs, f"{number}.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            tree = json.dumps(tree_of(path), separators=(",", ":"))
        except subprocess.CalledProcessError:
            continue
        if len(tree) < MOST:
            with open(os.path.join(trees, f"{number}.json"), "w", encoding="utf-8") as file:
                file.write(tree)


if __name__ == "__main__":
    main()
