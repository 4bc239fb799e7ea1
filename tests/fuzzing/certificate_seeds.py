#!/usr/bin/python3
"""Seeds for the fuzzer of certificates: certificate_seeds.py WHET FOLDER writes one for each row of certificate_models.def, made by the program WHET."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Kinds that only large models have: a model, a text in the form of such a certificate.
MORE = [
    ("tests/data/models/ticket2.whet", "whet-states 1\nmodel ticket2.whet\nproperty mutex\nvariables 2\nt\ns\nnodes 2\n0 0..3:1\n1 0:0 1:0\nroot 1\n"),
    ("examples/tank-late.smt2", "; whet clause run 1\n(step 1)\n(repeat 3 (step 2))\n(step 3 0)\n"),
    ("examples/tank.smt2", "; whet k-inductive interpretation 1\n(set-info :whet-depth 2)\n(define-fun state ((|state.level| Int) (|state.filled| Int)) Bool (<= |state.level| 10))\n"),
]


def rows():
    with open(os.path.join(HERE, "certificate_models.def"), encoding="utf-8") as f:
        return re.findall(r'^MODEL \("(.*?)", "(.*?)"\)', f.read(), re.MULTILINE)


def main():
    whet, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    for number, (path, options) in enumerate(rows()):
        with tempfile.TemporaryDirectory() as made:
            subprocess.run([whet, "verify", path, *options.split(), "-q", "-t", "60", "--trace", "off", "-c", os.path.join(made, "c")], cwd=ROOT, capture_output=True, timeout=120, check=False)
            for name in os.listdir(made):
                with open(os.path.join(made, name), "rb") as f, open(os.path.join(folder, f"{number:02}-{os.path.basename(path)}-{name}"), "wb") as out:
                    out.write(bytes([ord("a") + number]) + f.read())
    first = {path: number for number, (path, _) in reversed(list(enumerate(rows())))}
    for number, (path, content) in enumerate(MORE):
        with open(os.path.join(folder, f"more-{number}"), "w", encoding="utf-8") as out:
            out.write(chr(ord("a") + first[path]) + content)


main()
