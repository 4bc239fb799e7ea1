#!/usr/bin/python3
"""widen on whole folders of benchmarks: no wrong verdict, every verdict checked, and at least as many decided as there were.

What may be spent is a number of iterations, so the result does not depend on the machine. With sanitizers, every fourth file. Skipped if WHET_BENCH does not name the folder of benchmarks."""
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from harness import WHET
from tap import check, skip

BENCH = os.environ.get("WHET_BENCH")
# folder: its files, iterations for each (large nets are left to cheap lanes), how many are decided
FOLDERS = {"sting14": (14, 40, 14), "fst": (64, 40, 56), "mist": (41, 2, 15)}


def verdict(path, iterations):
    command = [WHET, "verify", path, "--engine", "widen", "--jobs", "1", "--max-iterations", str(iterations), "--json", "-", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000)
    return json.loads(done.stdout)["properties"][0]


def look_at(folder, iterations):
    """Wrong verdicts, verdicts without a check, how many were decided."""
    wrong, unchecked, decided = [], [], 0
    files = sorted(glob.glob(os.path.join(BENCH, "whet", folder, "*.whet")))
    for path in files:
        with open(path, encoding="utf-8") as f:
            expected = re.search(r"^// expect good: (\w+)", f.read(), re.M).group(1).lower()
        got = verdict(path, iterations)
        if got["verdict"] == "unknown":
            continue
        decided += 1
        if expected not in ("unknown", got["verdict"]):
            wrong.append((path, got["verdict"]))
        if not got["checked"]:
            unchecked.append(path)
    return files, wrong, unchecked, decided


def main():
    for folder, (size, iterations, least) in FOLDERS.items():
        if not BENCH:
            skip(folder, "WHET_BENCH is not set")
            continue
        files, wrong, unchecked, decided = look_at(folder, iterations)
        checks = (("all files are there", len(files) == size, len(files)), ("no wrong verdict", not wrong, wrong), ("every verdict is checked", not unchecked, unchecked))
        for name, good, detail in (*checks, (f"at least {least} of {size} are decided", decided >= least, decided)):
            check(f"{folder}: {name}", good, detail)
        print(f"# {folder}: {decided} decided", flush=True)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
