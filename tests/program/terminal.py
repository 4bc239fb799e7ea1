#!/usr/bin/python3
"""On a terminal: colours and a live line. Elsewhere: neither."""
import os
import pty
import re
import select
import signal
import time

from harness import *

MODEL = "var x : 0..3 = 0\naction up: x < 3 -> x := x + 1\nsafe small: x <= 3\nsafe tiny: x <= 0\n"
ENDLESS = "var x : int = 0\naction up: true -> x := x + 1\nsafe s: x >= 0\n"


def on_terminal(words, environment=None, until=None, then=None):
    """Runs whet with a terminal as its three streams; once `until` has been seen, does `then` with its process id. What it printed, and its status."""
    pid, master = pty.fork()
    if pid == 0:
        os.environ.update({"TERM": "xterm", **(environment or {})})
        os.execv(WHET, [WHET, *words])
    seen, deadline = "", time.monotonic() + 600
    while time.monotonic() < deadline:
        ready, _, _ = select.select([master], [], [], 1)
        if not ready:
            continue
        try:
            chunk = os.read(master, 65536)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk.decode("utf-8", "replace")
        if until and re.search(until, seen):
            then(pid, master)
            until = None
    _, status = os.waitpid(pid, 0)
    os.close(master)
    return seen, os.waitstatus_to_exitcode(status)


@case
def colours_on_a_terminal_only(folder):
    model = write(folder, "m.whet", MODEL)
    os.environ.pop("NO_COLOR", None)
    seen, status = on_terminal(["verify", model])
    equal(status, 10, seen)
    assert "small: \033[32mSAFE\033[0m" in seen and "tiny: \033[31mUNSAFE\033[0m" in seen and "\033[1mup\033[0m" in seen, repr(seen)
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        seen, status = on_terminal(["verify", model, "--quiet"], environment)
        assert "\033" not in seen, repr(seen)
    r = whet("verify", model, env={"TERM": "xterm"})
    assert "\033" not in r.out + r.err, r


@case
def a_live_line_and_control_c(folder):
    model = write(folder, "e.whet", ENDLESS)
    seen, status = on_terminal(["verify", model, "--engine", "explicit", "-v"], until=r"\r\033\[K\d+ s; s: explicit: [\d.]+ s", then=lambda pid, master: os.write(master, b"\3"))
    equal(status, 20, seen)
    assert "UNKNOWN\033[0m (interrupted)" in seen, repr(seen)
    last_line = seen.rsplit("\r\033[K", 1)[1]
    assert "UNKNOWN" in last_line and "s: explicit" in last_line, repr(seen)


@case
def the_live_line_says_how_far_the_whole_run_is(folder):
    path = write(folder, "m.whet", "var x : int = 0\naction up: true -> x := x + 1\nsafe wrong: x < 2\nsafe s: x * x * x != 3 * x - 7919\n")
    seen, _ = on_terminal(["verify", "--engine", "explicit", "--timeout", "300", path], until=r"1 of 2 done, [1-9]\d* s of 300 s; s: explicit: ", then=lambda pid, _: os.kill(pid, signal.SIGINT))
    assert re.search(r"1 of 2 done, [1-9]\d* s of 300 s; s: explicit: \d", seen), seen[-500:]


@case
def no_live_line_when_quiet(folder):
    model = write(folder, "e.whet", ENDLESS)
    seen, status = on_terminal(["verify", model, "--engine", "explicit", "--quiet", "--timeout", "0.5"])
    equal(status, 20, seen)
    assert "\033[K" not in seen, repr(seen)


main()
