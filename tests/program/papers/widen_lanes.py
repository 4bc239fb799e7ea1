#!/usr/bin/python3
"""Lanes of widen at the same time: the same answers with any number of processes; what becomes of lanes that are killed, of interrupts and limits."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap
from harness import MODELS, WHET
from tap import check

# Undecided for minutes: every step is repaired, one after the other.
LONG = "var x : int = 0\naction up: x < 5000 -> x := x + 1\nunreachable good: x = 4000\n"
# An error over the rationals only; divisibility, which is looked for then, is enough.
RATIONAL = "program { var x, y : int\n x := 0, y := 0;\n while * { if * { x := x + 2, y := y + 4 } else { y := y + 6 } }\n assert good: x + y != 7 && 2 * x - y <= 0 }\n"


def write(folder, name, source):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(source)
    return path


# ---- the same answers ----


def answers(path, jobs, *options):
    """All that may not depend on the number of processes."""
    command = [WHET, "verify", path, "--engine", "widen", "--jobs", str(jobs), "--json", "-", "--quiet", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000)
    properties = json.loads(done.stdout)["properties"]
    return [{key: p.get(key) for key in ("name", "verdict", "reason", "checked", "iterations", "certificate", "trace", "lemmas")} for p in properties]


def without_order(answer):
    """Formulas are sums and conjunctions in the order in which a process first met their parts."""
    certificate = answer["certificate"] or {}
    return {**answer, "certificate": {k: sorted(v) if isinstance(v, str) else v for k, v in certificate.items()}}


def lanes_of(answer):
    return {i["lane"] for p in answer for i in p["iterations"]}


def same_answers(folder):
    fixpoint = os.path.join(MODELS, "fixpoint")
    rational = write(folder, "rational.whet", RATIONAL)
    cases = [
        ("SAFE by the third lane", os.path.join(fixpoint, "gopan.whet"), "safe", {"limits", "joint", "guards"}, []),
        ("UNSAFE", os.path.join(fixpoint, "mesi-bug.whet"), "unsafe", {"limits"}, []),
        ("UNKNOWN after some iterations", os.path.join(fixpoint, "deepbug.whet"), "unknown", {"limits", "joint", "guards", "capped"}, ["--max-iterations", "34"]),
        ("over the integers", rational, "safe", {"limits"}, []),
    ]
    for name, path, verdict, lanes, options in cases:
        one = answers(path, 1, *options)
        check(f"{name}: the verdict, and lanes have their names", one[0]["verdict"] == verdict and lanes <= lanes_of(one), one)
        several = [answers(path, jobs, *options) for jobs in (2, 2, 5)]
        check(f"{name}: the same with any number of processes", all(o == several[0] for o in several), several)
        check(f"{name}: and with one", [without_order(p) for p in one] == [without_order(p) for p in several[0]], (one, several[0]))


# ---- processes ----


def processes():
    """Parents by process: those that are not dead."""
    parents = {}
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8") as f:
                rest = f.read().rpartition(")")[2].split()
            if entry.isdigit() and rest[0] not in "ZX":
                parents[int(entry)] = int(rest[1])
        except (OSError, IndexError):
            pass
    return parents


def children(pid):
    return sorted(p for p, parent in processes().items() if parent == pid)


def wait_until(condition, seconds=600):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


class Run:
    """whet on the long model, once two of its lanes are there."""

    def __init__(self, path, *options):
        command = [WHET, "verify", path, "--engine", "widen", "--jobs", "2", "-v", *options]
        self.main = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.engine, self.lanes = None, []
        wait_until(self.look)

    def look(self):
        engines = children(self.main.pid)
        self.engine = engines[0] if engines else None
        self.lanes = children(self.engine) if engines else []
        return len(self.lanes) >= 2

    def end(self):
        """What it said, its exit status, and whether all are gone."""
        everybody = [self.engine, *self.lanes] if self.engine else []
        said = self.main.communicate(timeout=1200)[0]
        gone = wait_until(lambda: not set(everybody) & set(processes()), 10)
        return said, self.main.returncode, gone


def crashes(path):
    for name, number in (("crashes", signal.SIGABRT), ("is killed", signal.SIGKILL)):
        run = Run(path, "--max-iterations", "130")
        os.kill(run.lanes[1], number)
        said, status, gone = run.end()
        named = "joint: crashed: Aborted" in said or "joint: killed by the system" in said
        check(f"a lane that {name} costs that lane only", status == 20 and named and "iteration limit reached" in said, (status, said[-2000:]))
        check(f"a lane that {name}: no process is left", gone, run.lanes)
    run = Run(path, "--timeout", "600")
    while True:
        wait_until(run.look, 1)
        for lane in run.lanes:
            try:
                os.kill(lane, signal.SIGABRT)
            except ProcessLookupError:
                pass
        if run.main.poll() is not None or not run.engine or run.engine not in processes():
            break
    said, status, gone = run.end()
    check("lanes that all crash leave no verdict", status == 20 and "UNKNOWN (crashed: Aborted)" in said and gone, (status, said[-2000:]))


def ends(path):
    run = Run(path)
    run.main.send_signal(signal.SIGINT)
    said, status, gone = run.end()
    check("an interrupt ends all lanes", "UNKNOWN (interrupted)" in said and gone, (status, said[-2000:]))
    run = Run(path, "--timeout", "10")
    said, status, gone = run.end()
    check("a time limit ends all lanes", status == 20 and "UNKNOWN (time limit reached)" in said and gone, (status, said[-2000:]))
    run = Run(path)
    os.kill(run.engine, signal.SIGKILL)
    said, status, gone = run.end()
    check("an engine that is killed takes its lanes with it", "UNKNOWN" in said and gone, (status, said[-2000:]))
    run = Run(path)
    run.main.kill()
    said, status, gone = run.end()
    check("whet that is killed takes all with it", gone, run.lanes)
    done = subprocess.run([WHET, "verify", path, "--engine", "widen", "--jobs", "2", "--memory", "500", "--max-iterations", "30", "-q"], capture_output=True, text=True, timeout=1000)
    check("with little memory lanes take turns in one process", done.returncode == 20 and "iteration limit" in done.stdout, done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, "long.whet", LONG)
        same_answers(folder)
        crashes(path)
        ends(path)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
