#!/usr/bin/python3
"""Engines that crash, hang, lie or eat all memory: never a verdict, always in time, no process left, and no result of another property lost."""
import json
import os
import re
import signal
import subprocess
import time

from harness import *

MODEL = """var x : 0..3 = 0
action up: x < 2 -> x := x + 1
safe good: x <= 2
safe bad: x <= 1
"""
ENDLESS = "var x, y : int = 0\naction up: true -> x := x + 1\naction upy: true -> y := y + 1\nsafe s: x >= 0\nsafe t: x >= -1\n"


def faulty(*words, **more):
    return whet(*words, program=FAULTY, **more)


def verify(folder, engine, *more, **settings):
    return faulty("verify", write(folder, "m.whet", MODEL), "--engine", engine, *more, **settings)


def reason_is(r, reason, status):
    equal(r.out, f"good: UNKNOWN ({reason})\nbad: UNKNOWN ({reason})\n", r)
    equal(r.status, status, r)


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return [int(word) for word in f.read().split()]
    except FileNotFoundError:
        return []


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(condition):
    for _ in range(3000):
        if condition():
            return True
        time.sleep(0.01)
    return False


@case
def crashes(folder):
    reason_is(verify(folder, "faulty-crash"), "engine crashed: Segmentation fault", 1)
    reason_is(verify(folder, "faulty-silent"), "engine gave no answer", 1)
    r = verify(folder, "faulty-misuse")
    equal(r.status, 1, r)
    assert "good: UNKNOWN (engine crashed: " in r.out, r


@case
def a_crash_does_not_take_the_others_with_it(folder):
    r = verify(folder, "faulty-crash,explicit")
    equal(r.out.splitlines()[:2], ["good: SAFE", "bad: UNSAFE"], r)
    equal(r.status, 10, r)
    r = verify(folder, "faulty-crash,faulty-silent")
    equal(r.status, 1, r)
    assert "good: UNKNOWN (faulty-crash: engine crashed: Segmentation fault; faulty-silent: engine gave no answer)" in r.out, r


@case
def engines_that_do_not_listen(folder):
    for engine in ("faulty-hang", "faulty-never-done"):
        r = verify(folder, engine, "--timeout", "4")
        reason_is(r, "time limit reached", 20)
    assert "states stored: 77" in verify(folder, "faulty-hang", "--timeout", "4", "-v").err


@case
def memory_without_end(folder):
    reason_is(verify(folder, "faulty-memory", "--memory", "250" if SANITIZED else "80"), "memory limit reached", 20)
    reason_is(verify(folder, "faulty-too-much"), "memory limit reached", 20)


@case
def garbage(folder):
    r = verify(folder, "faulty-garbage", "--timeout", "600")
    reason_is(r, "engine sent what cannot be read", 1)


@case
def claims_that_do_not_hold(folder):
    for engine, prop, obligation in (("faulty-everything", "good", ""), ("faulty-nothing", "good", "initial"), ("faulty-first", "good", ""),
                                     ("faulty-trace", "bad", ""), ("faulty-everything", "bad", "")):
        r = verify(folder, engine, "--property", prop, env={"TMPDIR": folder})
        equal(r.status, 1, r)
        found = re.fullmatch(rf"{prop}: UNKNOWN \(evidence rejected: (.*)\)\n", r.out)
        assert found and obligation in found.group(1), r
        kept = re.search(r"kept in (\S+)", r.err)
        assert kept and os.path.dirname(kept.group(1)) == folder, r
        with open(kept.group(1), encoding="utf-8") as f:
            content = f.read()
        for part in (engine, prop, "m.whet", "whet verify ", "==== model ====", "==== certificate ===="):
            assert part in content, content


@case
def traces_beyond_the_model(folder):
    r = verify(folder, "faulty-far-trace", "--property", "bad", env={"TMPDIR": folder})
    equal(r.status, 1, r)
    assert r.out.startswith("bad: UNKNOWN ("), r


@case
def a_verdict_without_evidence_is_none(folder):
    reason_is(verify(folder, "faulty-no-evidence"), "the engine gave a verdict without evidence", 20)


@case
def limits_of_engines(folder):
    model = write(folder, "t.whet", MODEL + "ctl later: AG EF x = 2\n")
    r = faulty("verify", model, "--engine", "faulty-limits", "--property", "later")
    equal((r.status, r.out), (20, "later: UNKNOWN (engine faulty-limits does not treat temporal properties)\n"), r)


@case
def iterations_predicates_and_notes_arrive(folder):
    path = os.path.join(folder, "p")
    r = verify(folder, "faulty-iterate", "--max-iterations", "3", "-v", "--json", "-", "--save-predicates", path, "--property", "good")
    equal(r.status, 20, r)
    result = json.loads(r.out)["properties"][0]
    equal(result["reason"], "iteration limit reached")
    equal(result["iterations"], [{"round": 1}] * 3)
    equal(result["predicates"], ["x = 1"] * 3)
    equal(result["statistics"]["iterations"], 3)
    equal(r.err.count("one more round"), 3, r)
    with open(path) as f:
        equal(f.read(), "x = 1\n")


def start_endless(folder, *more):
    model = write(folder, "e.whet", ENDLESS)
    process = subprocess.Popen([WHET, "verify", model, "--engine", "explicit", *more], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert wait_until(lambda: children_of(process.pid)), "no worker was started"
    return process


@case
def interrupts(folder):
    for number in (signal.SIGINT, signal.SIGTERM):
        process = start_endless(folder, "-v")
        worker = children_of(process.pid)[0]
        process.send_signal(number)
        out, err = process.communicate(timeout=600)
        equal(out, "s: UNKNOWN (interrupted)\nt: UNKNOWN (interrupted)\n", err)
        equal(process.returncode, 20)
        assert not is_running(worker)
        assert "s: explicit" in err, err


@case
def an_interrupt_keeps_what_was_decided(folder):
    model = write(folder, "e.whet", ENDLESS.replace("safe s:", "safe wrong: x < 3\nsafe s:"))
    process = subprocess.Popen([WHET, "verify", model, "--engine", "explicit", "--json", os.path.join(folder, "j"), "--trace", "off"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                               stderr=subprocess.DEVNULL)
    equal(process.stdout.readline(), "wrong: UNSAFE\n")
    process.send_signal(signal.SIGINT)
    equal(process.stdout.read(), "s: UNKNOWN (interrupted)\nt: UNKNOWN (interrupted)\n")
    equal(process.wait(timeout=600), 10)
    with open(os.path.join(folder, "j")) as f:
        equal([p["verdict"] for p in json.load(f)["properties"]], ["unsafe", "unknown", "unknown"])


@case
def an_engine_that_ignores_an_interrupt_is_killed(folder):
    model = write(folder, "m.whet", MODEL)
    process = subprocess.Popen([FAULTY, "verify", model, "--engine", "faulty-hang"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert wait_until(lambda: children_of(process.pid))
    worker = children_of(process.pid)[0]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    equal(out, "good: UNKNOWN (interrupted)\nbad: UNKNOWN (interrupted)\n", err)
    equal(process.returncode, 20)
    assert not is_running(worker)


@case
def workers_die_with_the_program(folder):
    process = start_endless(folder)
    worker = children_of(process.pid)[0]
    process.kill()
    process.communicate()
    assert wait_until(lambda: not is_running(worker)), "the worker lives on"


@case
def a_second_interrupt_ends_at_once(folder):
    model = write(folder, "m.whet", MODEL)
    process = subprocess.Popen([FAULTY, "verify", model, "--engine", "faulty-hang"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert wait_until(lambda: children_of(process.pid))
    worker = children_of(process.pid)[0]
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode in (-signal.SIGINT, 20), process.returncode
    assert wait_until(lambda: not is_running(worker)), "the worker lives on"


main()
