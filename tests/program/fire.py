"""Budgets that are spent, and memory that ends, at every place: never a crash, never a wrong verdict.

    fire.py stops         fires every stop point (src/base/instruments/fire.h) in turn
    fire.py allocations   lets allocations fail, early and late

The program must have been built with instruments (any build but release); elsewhere everything is skipped.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tap

WHET, WHAT = os.environ["WHET_PROGRAM"], sys.argv[1]
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = os.path.join(os.path.dirname(TESTS), "examples")
MODELS = os.path.join(TESTS, "data", "models")
HEAP = os.path.join(TESTS, "data", "lists")
STOPS = os.path.join(TESTS, "data", "stops")  # models that lead to stop points which no other one reaches
LINES = b"random 3\n\n"  # for commands that read what to do
SECONDS = 240
RUNS_A_POINT = 2
MOST_UNREACHED = 8

MUTEX = {"mutex": "SAFE"}
BAKERY = {"is_served": "HOLDS", "can_be_empty": "HOLDS", "comes_again": "FAILS"}
# A command, its model and options, and the truth about each property; None: the command decides nothing.
RUNS = [
    ("verify", f"{MODELS}/ticket2.whet", "-e auto", MUTEX),
    ("verify", f"{MODELS}/ticket2.whet", "-e alpha", MUTEX),
    ("verify", f"{MODELS}/ticket2.whet", "-e cegar", MUTEX),
    ("verify", f"{MODELS}/ticket2.whet", "-e cegar --cartesian", MUTEX),
    ("verify", f"{MODELS}/ticket2.whet", "-e invuni", MUTEX),
    ("verify", f"{MODELS}/ticket2.whet", "-e fbar", MUTEX),
    ("verify", f"{MODELS}/ticket2.whet", "-e cgr", MUTEX),
    ("verify", f"{MODELS}/ticket2.whet", "-e syntactic", MUTEX),
    ("verify", f"{MODELS}/ticket2.whet", "-e widen", MUTEX),
    ("verify", f"{MODELS}/ticket2.whet", "-e widen,alpha --invariants", MUTEX),
    ("verify", f"{MODELS}/ticket2-err.whet", "-e explicit", {"mutex": "UNSAFE"}),
    ("verify", f"{MODELS}/ticket2-err.whet", "-e cegar", {"mutex": "UNSAFE"}),
    ("verify", f"{MODELS}/ticket2-err.whet", "-e widen", {"mutex": "UNSAFE"}),
    ("verify", f"{EXAMPLES}/bakery-fair.whet", "-e syntactic", BAKERY),
    ("verify", f"{EXAMPLES}/bakery-fair.whet", "-e alpha", BAKERY),
    ("verify", f"{EXAMPLES}/bakery-fair.whet", "-e explicit --max-iterations 5", BAKERY),
    ("verify", f"{MODELS}/predabs/xfer.whet", "-e syntactic", {"arrives": "HOLDS"}),
    ("verify", f"{MODELS}/predabs/inp.whet", "-e syntactic", {"inf": "HOLDS", "once": "HOLDS"}),
    ("verify", f"{HEAP}/append.whet", "-e widen", {"ones": "SAFE", "no-runtime-error": "SAFE"}),
    ("verify", f"{HEAP}/append-bug.whet", "-e widen", {"no-runtime-error": "UNSAFE"}),
    ("verify", f"{HEAP}/walk.whet", "-e alpha -p no-leak", {"no-leak": "SAFE"}),
    ("verify", f"{EXAMPLES}/channels/connect.whet", "-e lossy", {"deadlockfree": "SAFE", "agree": "SAFE"}),
    ("verify", f"{EXAMPLES}/channels/connect-wrong.whet", "-e lossy -p agree", {"agree": "UNSAFE"}),
    ("verify", f"{HEAP}/append-bug.whet", "-e explicit", {"no-runtime-error": "UNSAFE"}),
    ("verify", f"{MODELS}/fixpoint/mesi.whet", "-e fbar", {"coherent": "SAFE"}),
    ("verify", f"{MODELS}/fixpoint/mesi-bug.whet", "-e fbar", {"coherent": "UNSAFE"}),
    ("verify", f"{MODELS}/fixpoint/mesi.whet", "-e fbar --well-structured off", {"coherent": "SAFE"}),
    ("verify", f"{MODELS}/fixpoint/deepbug.whet", "-e cgr", {"good": "UNSAFE"}),
    ("verify", f"{MODELS}/fixpoint/chain-b.whet", "-e fbar --values", {"good": "SAFE"}),
    ("verify", f"{EXAMPLES}/philosophers.whet", "-e explicit -j 2", {"neighbours": "SAFE", "deadlockfree": "UNSAFE"}),
    ("verify", f"{EXAMPLES}/philosophers.whet", "-e explicit --order dfs", {"neighbours": "SAFE", "deadlockfree": "UNSAFE"}),
    ("verify", f"{EXAMPLES}/thermostat.vmt", "", {"invar0": "SAFE", "invar1": "UNSAFE", "live2": "FAILS"}),
    ("verify", f"{EXAMPLES}/tank.smt2", "", {"": "sat"}),
    ("verify", f"{EXAMPLES}/tank-late.smt2", "", {"": "unsat"}),
    ("verify", f"{MODELS}/phases.whet", "-e explicit", {"again": "HOLDS", "always": "HOLDS", "never": "FAILS"}),
    ("verify", f"{MODELS}/counters.whet", "-e explicit -j 2", {"apart": "SAFE"}),
    ("verify", f"{MODELS}/fixpoint/gopan.whet", "-e widen --jobs 2", {"good": "SAFE"}),
    ("verify", f"{MODELS}/fixpoint/deepbug.whet", "-e cegar --max-iterations 4", {"good": "UNSAFE"}),
    ("verify", f"{MODELS}/ticket2.whet", "-e pdr", MUTEX),
    ("verify", f"{MODELS}/fixpoint/gopan.whet", "-e pdr,kind --work 2000000", {"good": "SAFE"}),
    ("verify", f"{MODELS}/ticket2.whet", "-e spacer", MUTEX),
    ("verify", f"{MODELS}/ticket2-err.whet", "-e kind", {"mutex": "UNSAFE"}),
    ("verify", f"{MODELS}/ticket2-err.whet", "-e accelerate", {"mutex": "UNSAFE"}),
    ("verify", f"{MODELS}/ticket2-err.whet", "-e pdr", {"mutex": "UNSAFE"}),
    ("verify", f"{EXAMPLES}/tank.smt2", "-e spacer", {"": "sat"}),
    ("verify", f"{EXAMPLES}/merge-counters-wrong.smt2", "-e spacer", {"": "unsat"}),
    ("verify", f"{EXAMPLES}/merge-counters.smt2", "-e spacer", {"": "sat"}),
    ("verify", f"{EXAMPLES}/merge-counters.smt2", "-e pdr", {"": "sat"}),
    ("verify", f"{EXAMPLES}/mccarthy91.smt2", "-e pdr", {"": "sat"}),
    ("verify", f"{EXAMPLES}/fibonacci-wrong.smt2", "-e pdr", {"": "unsat"}),
    ("verify", f"{EXAMPLES}/leaking-tank.smt2", "-e pdr", {"": "sat"}),
    ("verify", f"{EXAMPLES}/mccarthy91.smt2", "-e widen", {"": "sat"}),
    ("verify", f"{EXAMPLES}/merge-counters.smt2", "-e widen", {"": "sat"}),
    ("verify", f"{EXAMPLES}/even-odd-wrong.smt2", "-e widen", {"": "unsat"}),
    ("verify", f"{EXAMPLES}/timed/leaking-tank.whet", "-e widen", {"bounds": "SAFE"}),
    ("verify", f"{EXAMPLES}/mccarthy91.smt2", "-e cegar", {"": "sat"}),
    ("verify", f"{EXAMPLES}/fibonacci-wrong.smt2", "-e cegar", {"": "unsat"}),
    ("verify", f"{EXAMPLES}/mccarthy91.smt2", "-e derive --work 2000", {"": "sat"}),
    ("verify", f"{EXAMPLES}/even-odd-wrong.smt2", "-e derive", {"": "unsat"}),
    ("verify", f"{EXAMPLES}/fibonacci-wrong.smt2", "-e derive", {"": "unsat"}),
    ("verify", f"{EXAMPLES}/array-fill.smt2", "-e cells", {"": "sat"}),
    ("verify", f"{EXAMPLES}/array-ascending.smt2", "-e cells", {"": "sat"}),
    ("verify", f"{EXAMPLES}/array-ascending-wrong.smt2", "-e cells --work 300000", {"": "unsat"}),
    ("verify", f"{EXAMPLES}/array-copy-wrong.smt2", "-e spacer", {"": "unsat"}),
    ("verify", f"{EXAMPLES}/array-search.smt2", "-e cells", {"": "sat"}),
    ("verify", f"{EXAMPLES}/array-bubble-wrong.smt2", "-e walk", {"": "unsat"}),
    ("verify", f"{STOPS}/premises.smt2", "-e spacer", {"": "unsat"}),
    ("verify", f"{STOPS}/passes.whet", "-e kind", {"level": "SAFE"}),
    ("verify", f"{STOPS}/equal.whet", "-e pdr", {"alike": "SAFE", "below": "UNSAFE"}),
    ("verify", f"{STOPS}/equal.whet", "-e auto", {"alike": "SAFE", "below": "UNSAFE"}),
    ("verify", f"{STOPS}/mixed.whet", "-e syntactic -K 2", {"low": "SAFE"}),
    ("verify", f"{STOPS}/switches.whet", "-e widen --max-iterations 3", {"few": "SAFE"}),
    ("verify", f"{STOPS}/many.whet", "-e explicit", {"low": "SAFE"}),
    ("verify", f"{STOPS}/rotate.whet", "-e kind", {"small": "SAFE"}),
    ("verify", f"{EXAMPLES}/philosophers.whet", "-e explicit --disk DISK", {"neighbours": "SAFE", "deadlockfree": "UNSAFE"}),
    ("verify", f"{STOPS}/wide.whet", "-e explicit --disk DISK --checkpoint", {"low": "UNSAFE", "flat": "SAFE"}),
    ("verify", f"{EXAMPLES}/copies/semaphore.whet", "-e cells -p mutex", MUTEX),
    ("verify", f"{EXAMPLES}/copies/bakery.whet", "-e cells -p mutex", MUTEX),
    ("verify", f"{STOPS}/rotate.whet", "-e kind --facts FACTS", {"small": "SAFE"}),
    ("verify", f"{EXAMPLES}/procedures/fibonacci-wrong.whet", "-e explicit", {"fibonacci.ensures": "UNSAFE"}),
    ("verify", f"{STOPS}/grows.whet", "-e rank", {"terminates": "FAILS"}),
    ("verify", f"{STOPS}/open.whet", "-e rank --work 300000", {"terminates": "HOLDS"}),
    ("verify", f"{EXAMPLES}/live/collatz.whet", "-e rank --work 600000", {"one": "HOLDS"}),
    ("verify", f"{STOPS}/recursion.c", "--property termination -e explicit", {"termination": "FAILS"}),
    ("verify", f"{EXAMPLES}/mccarthy91.c", "--property termination -e rank", {"termination": "HOLDS"}),
    ("verify", f"{STOPS}/fair.whet", "-e explicit", {"back": "HOLDS", "free": "HOLDS", "flips": "FAILS"}),
    ("verify", f"{STOPS}/calls.whet", "-e explicit --order dfs", {"digits": "SAFE", "any": "UNSAFE"}),
    ("simulate", f"{MODELS}/ticket2.whet", "", None),
    ("simulate", f"{MODELS}/ticket2.whet", "-i", None),
    ("simulate", f"{EXAMPLES}/procedures/merge-counters.whet", "", None),
    ("simulate", f"{EXAMPLES}/timed/fischer.whet", "", None),
    ("quotient", f"{EXAMPLES}/peterson.whet", "", None),
    ("abstract", f"{MODELS}/ticket2.whet", "", None),
    ("abstract", f"{MODELS}/ticket2.whet", "--kind must", None),
    ("tests", f"{MODELS}/ticket2.whet", "", None),
    ("invariants", f"{MODELS}/ticket2.whet", "", None),
    ("bounds", f"{EXAMPLES}/live/nested.whet", "", None),
    ("estimate", f"{MODELS}/ticket2.whet", "--sample 200", None),
    ("invariants", f"{MODELS}/predabs/example1.whet", "-e cegar", None),
]


def title(run):
    return " ".join([run[0], os.path.basename(run[1]), run[2]]).strip()


class Result:
    """What came of a run with these settings, and what it noted."""

    def __init__(self, run, settings, folder):
        descriptor, self.notes_file = tempfile.mkstemp(dir=folder)
        os.close(descriptor)
        command = [WHET, run[0], *([run[1]] if run[1] else []), *run[2].split()]
        if "FACTS" in command:  # a copy, for the run adds to it
            command[command.index("FACTS")] = shutil.copytree(os.path.join(STOPS, "facts"), self.notes_file + ".facts")
        if "DISK" in command:
            command[command.index("DISK")] = self.notes_file + ".disk"
        environment = {**os.environ, "WHET_FIRE_POINTS": self.notes_file, **settings}
        self.run, self.settings, self.status, self.output, self.errors = run, settings, None, "", ""
        try:
            done = subprocess.run(command, env=environment, input=LINES, capture_output=True, timeout=SECONDS)
            self.status = done.returncode
            self.output, self.errors = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
        except subprocess.TimeoutExpired:
            pass
        with open(self.notes_file, encoding="utf-8") as f:
            self.notes = [line.split() for line in f]
        os.unlink(self.notes_file)
        for made in (".facts", ".disk"):
            shutil.rmtree(self.notes_file + made, ignore_errors=True)

    def reached(self):
        """How often, to the next smaller power of two, some process reached each point."""
        times = {}
        for note in self.notes:
            if note[0] == "reached":
                times[int(note[1])] = max(times.get(int(note[1]), 0), int(note[2]))
        return times

    def has_fired(self):
        return any(note[0] == "fired" for note in self.notes)

    def verdicts(self):
        """Of each property that a line was printed for."""
        if "" in self.run[3]:
            return [("", word) for word in self.output.split()[:1]]
        lines = (re.match(r"([\w.-]+): (SAFE|UNSAFE|HOLDS|FAILS|UNKNOWN.*)", line) for line in self.output.splitlines())
        return [line.groups() for line in lines if line and line.group(1) in self.run[3]]

    def what_is_wrong(self, statuses):
        if self.status is None:
            return f"ran longer than {SECONDS} s"
        if self.status not in statuses:
            return f"exit status {self.status}"
        if "Sanitizer" in self.errors or "broken:" in self.errors or "crash" in self.output + self.errors:
            return "a process crashed"
        if self.status == 1 and "out of memory" not in self.errors:
            return "exit status 1 without a reason"
        return self.wrong_verdict() if self.run[3] else None

    def wrong_verdict(self):
        verdicts, truth = self.verdicts(), self.run[3]
        for name, verdict in verdicts:
            unknown = verdict == "unknown" or re.fullmatch(r"UNKNOWN \(.+\)", verdict)
            if not unknown and verdict != truth[name]:
                return f"{name}: {verdict}, but it is {truth[name]}"
        decided = [verdict for name, verdict in verdicts if verdict == truth[name]]
        violated = any(verdict in ("UNSAFE", "FAILS", "unsat") for verdict in decided)
        if self.status in (0, 10, 20):
            expected = 10 if violated else 0 if len(decided) == len(truth) else 20
            if len(verdicts) != len(truth) or self.status != expected:
                return f"exit status {self.status} with {verdicts}"
        return None

    def detail(self):
        return f"{title(self.run)} {self.settings}\n{self.output[-600:]}\n{self.errors[-900:]}"


def in_parallel(jobs):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(lambda job: Result(*job), jobs))


def check_unharmed(results):
    """Without faults: the truth, or UNKNOWN if the engine is not made for it."""
    for r in results:
        wrong = r.what_is_wrong((0, 10, 20))
        tap.check(f"without faults: {title(r.run)}", not wrong, f"{wrong}\n{r.detail()}")


def check_point(number, name, results):
    bad = [(r, r.what_is_wrong((0, 10, 20))) for r in results]
    bad = [(r, words) for r, words in bad if words]
    tap.check(f"point {number}, {name}: fired in {sum(r.has_fired() for r in results)} of {len(results)} runs", not bad,
              "\n".join(f"{words}\n{r.detail()}" for r, words in bad))


def fire_stops(folder):
    unharmed = in_parallel([(run, {}, folder) for run in RUNS])
    check_unharmed(unharmed)
    names = {int(note[1]): " ".join(note[2:]) for note in unharmed[0].notes if note[0] == "point"}
    reached_at_all = set().union(*(r.reached() for r in unharmed))
    fired = 0
    for number, name in sorted(names.items()):
        reached = sorted((r for r in unharmed if number in r.reached()), key=lambda r: r.reached()[number])
        # one in which it is reached seldom, and one in which it is reached often
        chosen = (reached[:1] + reached[:0:-1])[:RUNS_A_POINT]
        jobs = {(RUNS.index(r.run), times) for r in chosen for times in (1, (r.reached()[number] + 1) // 2, r.reached()[number])}
        results = in_parallel([(RUNS[i], {"WHET_FIRE_STOP": f"{number}:{times}"}, folder) for i, times in sorted(jobs)])
        fired += any(r.has_fired() for r in results)
        reached_at_all.update(*(r.reached() for r in results))
        if results:
            check_point(number, name, results)
    # Some are asked only once the budget is spent: those are reached when others fire.
    unreached = [number for number in sorted(names) if number not in reached_at_all]
    tap.check(f"of {len(names)} stop points {fired} fire, {len(reached_at_all)} are reached, at most {MOST_UNREACHED} are not",
              len(unreached) <= MOST_UNREACHED)
    print("# stop points that no run reaches:" + "".join(f"\n#   {number} {names[number]}" for number in unreached))


def fail_allocations(folder):
    counts = [1, 2, 7, 40, 150, 500, 1200, 2500, 5000, 9000, 16000, 40000, 100000, 300000]
    for run in RUNS[::2]:
        results = in_parallel([(run, {"WHET_FAIL_ALLOCATION": str(n)}, folder) for n in counts])
        bad = [(r, r.what_is_wrong((0, 1, 2, 10, 20))) for r in results]
        bad = [(r, words) for r, words in bad if words]
        tap.check(f"allocations that fail: {title(run)}: exit statuses {' '.join(str(r.status) for r in results)}", not bad,
                  "\n".join(f"{words}\n{r.detail()}" for r, words in bad))
        tap.check(f"the first allocation fails: {title(run)}: a message and status 1",
                  results[0].status == 1 and "out of memory" in results[0].errors, results[0].detail())


def main():
    with tempfile.TemporaryDirectory() as folder:
        probe = Result(("engines", "", "", None), {}, folder)
        if not any(note[0] == "point" for note in probe.notes):
            tap.skip(WHAT, "this build has no faults on demand")
        elif WHAT == "stops":
            fire_stops(folder)
        else:
            fail_allocations(folder)
    return tap.end()


sys.exit(main())
