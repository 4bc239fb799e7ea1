#!/usr/bin/python3
"""The pages docs/papers/*.md: every command in their tables is repeated, and what they say it shows is looked for in what it prints.

A table with a column `command` and a column `shows` is such a table. In `command`, each text in backquotes is a command line, run in the project's root; its first word is
`whet`, or `reproduce` for build/tests/reproduce. In `shows`, each text in backquotes must occur in the output, standard error included, as whole words (9 does not occur in 129); white
space counts as one blank, and `\\|` is a bar. A row without a command begins that cell with "gap" and says why. `$WHET_BENCH` is the folder of benchmarks: such rows are skipped if it
is not set.

    pages.py [WORD]     only pages and rows that mention the word"""
import glob
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from harness import REPRODUCE, ROOT, WHET
from tap import check, skip

PROGRAMS = {"whet": WHET, "reproduce": REPRODUCE}
FINE = (0, 10, 20)  # whet's exit statuses for verdicts and for UNKNOWN


def cells_of(line):
    """The cells of a row. A bar after a backslash is part of a cell."""
    inside = line.strip().removeprefix("|").removesuffix("|")
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inside)]


def rows_of(content):
    """Line number, and the row as a dictionary from heads to cells, of all tables with a column `command`."""
    rows, heads = [], None
    lines = content.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.startswith("|"):
            heads = None
        elif heads is None:
            heads = cells_of(line)
        elif not re.fullmatch(r"[|\s:-]+", line) and "command" in heads:
            cells = cells_of(line)
            rows.append((number, dict(zip(heads, cells)) if len(cells) == len(heads) else None))
    return rows


def quoted(cell):
    return [a or b for a, b in re.findall(r"``(.+?)``|`([^`]+)`", cell)]


def occurs(wanted, output):
    """As whole words, with any white space between them."""
    words = [re.escape(word) for word in wanted.split()]
    before = r"(?<![\w.])" if wanted[0].isalnum() else ""
    after = r"(?!\w|\.\d)" if wanted[-1].isalnum() else ""
    return re.search(before + r"\s+".join(words) + after, output) is not None


def run(command):
    words = [os.path.expandvars(word) for word in shlex.split(command)]
    if words[0] not in PROGRAMS:
        return None, f"no command of this project: {command}"
    done = subprocess.run([PROGRAMS[words[0]], *words[1:]], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def repeat(name, row):
    commands, wanted = quoted(row["command"]), quoted(row.get("shows", ""))
    if not commands:
        check(f"{name}: no command, and says so", re.match(r"\W*gap\b.{10,}", row["command"]), row["command"])
        return
    if any("$WHET_BENCH" in c for c in commands) and not os.environ.get("WHET_BENCH"):
        skip(name, "WHET_BENCH is not set")
        return
    results = [run(c) for c in commands]
    output = "\n".join(text for _, text in results)
    missing = [w for w in wanted if not occurs(w, output)]
    fine = wanted and not missing and all(status in FINE for status, _ in results)
    check(name, fine, f"{commands}: status {[s for s, _ in results]}; missing: {missing if wanted else 'anything to compare'}\n{output}")


def check_this_script():
    table = "| what | command | shows |\n| --- | --- | --- |\n| a \\| b | `whet x` | `9`, ``a`b`` |\n\n| what |\n| --- |\n| no row of ours |\n"
    check("rows are found", rows_of(table) == [(3, {"what": "a | b", "command": "`whet x`", "shows": "`9`, ``a`b``"})], rows_of(table))
    check("texts in backquotes are found", quoted("`9`, ``a`b``") == ["9", "a`b"], quoted("`9`, ``a`b``"))
    good = [("9", "in 9 steps"), ("a b", "x a\n  b"), ("!a", "x!a"), ('"n": 9', '"n": 9,'), ("9", "9.")]
    bad = [("9", "129"), ("9", "9.5"), ("9", "1.9"), ("a b", "ab"), ("safe", "unsafe")]
    check("what occurs", all(occurs(*pair) for pair in good) and not any(occurs(*pair) for pair in bad), [(g, occurs(*g)) for g in good + bad])


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    pages = sorted(glob.glob(os.path.join(ROOT, "docs", "papers", "*.md")))
    check_this_script()
    check("there are pages", len(pages) > 0, pages)
    for path in pages:
        with open(path, encoding="utf-8") as f:
            rows = rows_of(f.read())
        page = os.path.basename(path)
        check(f"{page} has rows of whole cells", rows and all(row for _, row in rows), [number for number, row in rows if not row])
        for number, row in rows:
            what = next(iter(row.values())) if row else ""
            if row and (only in page or only in " ".join(row.values())):
                repeat(f"{page}:{number} {what[:70]}".replace("#", ""), row)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
