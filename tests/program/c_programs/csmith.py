"""Random C programs of csmith through the reader: each is translated, or refused with its place; nothing crashes or hangs.

    csmith.py                    a few programs
    csmith.py --campaign N [S]   N programs from seed S on, and what became of them
"""
import collections
import os
import re
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import WHET, Skip, case, main

HEADERS = ["/usr/include/csmith", "/usr/include/csmith-2.3.0"]
SECONDS = 120

# What `show` says of programs that were translated, into clauses.
NOT_SHOWN = ("whet show: the clauses have several predicates in a body", "whet show: the model has arrays of any length")

# All that csmith can do; and what is nearer to what is read, so that the reader comes further.
MODES = [
    [],
    ["--no-unions", "--no-bitfields", "--no-volatiles", "--no-pointers", "--no-packed-struct", "--no-checksum", "--no-argc", "--no-safe-math", "--max-funcs", "3"],
    ["--no-unions", "--no-bitfields", "--no-volatiles", "--no-packed-struct", "--no-checksum", "--no-argc", "--no-safe-math", "--max-funcs", "2", "--max-block-size", "2", "--max-expr-complexity", "3",
     "--max-pointer-depth", "1", "--no-structs", "--no-longlong"],
    ["--no-unions", "--no-bitfields", "--no-volatiles", "--no-pointers", "--no-structs", "--no-arrays", "--no-checksum", "--no-argc", "--no-safe-math", "--max-funcs", "1", "--max-block-size", "2",
     "--max-expr-complexity", "2", "--no-longlong", "--no-jumps", "--no-math64"],
]


def headers():
    for folder in HEADERS:
        if os.path.exists(os.path.join(folder, "csmith.h")):
            return folder
    return None


def what_became_of(folder, seed):
    """A word, or a failure with what shows it."""
    path = os.path.join(folder, "random.c")
    subprocess.run(["csmith", "--seed", str(seed), "-o", path, *MODES[seed % len(MODES)]], check=True, capture_output=True, timeout=60, cwd=folder)
    try:
        # csmith.h has a volatile variable of its own.
        plain = ["-D", "volatile="] if MODES[seed % len(MODES)] else []
        r = subprocess.run([WHET, "show", path, "-I", headers(), *plain], capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"seed {seed}: no answer within {SECONDS} s", "late"
    if r.returncode == 0 and r.stdout:
        return None, "translated"
    found = re.match(r"\S+random\.c:\d+:\d+: error: (.*)", r.stderr)
    if r.returncode == 2 and found and not r.stdout:
        return None, re.sub(r"`[^`]*`", "`..`", found.group(1))[:70]
    if r.returncode == 2 and r.stderr.startswith(NOT_SHOWN):
        return None, "translated"
    return f"seed {seed}: status {r.returncode}\n{r.stdout[:500]}{r.stderr[:2000]}", "wrong"


def require_csmith():
    if not shutil.which("csmith") or not headers():
        raise Skip("csmith or its headers (libcsmith-dev) are not installed")


@case
def random_programs_are_translated_or_refused(folder):
    require_csmith()
    for seed in range(1, 13):
        wrong, _ = what_became_of(folder, seed)
        assert not wrong, wrong


def campaign(count, first):
    import tempfile
    require_csmith()
    became, failures = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            wrong, word = what_became_of(folder, seed)
            became[word] += 1
            if wrong:
                failures += 1
                print(wrong, flush=True)
    for word, times in became.most_common():
        print(f"{times:6} {word}")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--campaign":
        sys.exit(campaign(int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1))
    main()
