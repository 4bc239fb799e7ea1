#!/usr/bin/python3
"""The engine for lossy channels of any length: random systems against the same with channels that have a length, listed by the second way to
read them; certificates that were tampered with; the examples; what is refused.

    lossy.py                     the test
    lossy.py random FIRST COUNT  other seeds
"""
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import *  # noqa: E402

CHANNELS = os.path.join(EXAMPLES, "channels")


class Writer:
    """A random system of processes with few places that talk by lossy channels; `room` is what stands between the brackets."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = self.random.choice([1, 1, 2])
        self.kinds = [self.random.choice(["lossy", "lossy", "lossy", ""]) for _ in range(self.count)]
        self.messages = self.random.choice(["0..1", "0..2"])
        self.processes = [self.process(number) for number in range(self.random.choice([1, 2, 2]))]
        self.properties = self.properties_of()

    def one_of(self, *choices):
        return self.random.choice(choices)

    def queue(self):
        return f"c{self.random.randrange(self.count)}"

    def edge(self, places):
        queue, kind = self.queue(), self.random.random()
        head = f"{queue}.length > 0 && {queue}.at[1] = {self.one_of(0, 1, 'v')}"
        guard, act = "", ""
        if kind < 0.45:
            act = f"{queue} ! {self.one_of('0', '1', 'v', 'x')}"
        elif kind < 0.8:
            act = f"{queue} ? {self.one_of('v', 'x')}"
            guard = self.one_of("", "", head)
        elif kind < 0.9:
            act = self.one_of("v := 1 - v", "x := v")
        if not guard:
            guard = self.one_of("", "", "", "v = 1", "x != v", f"{queue}.length = 0", head)
        more = f", {self.one_of('x := 1 - x', 'v := 1')}" if act and "?" not in act and ":=" not in act and self.random.random() < 0.2 else ""
        return f"{self.one_of(*places)} -> {self.one_of(*places)}{f' when {guard}' if guard else ''}{f' : {act}{more}' if act else ''}"

    def process(self, number):
        places = "abcd"[:self.random.randint(2, 4)]
        edges = "\n  ".join(self.edge(places) for _ in range(self.random.randint(3, 6)))
        bound = self.messages if self.random.random() < 0.8 else "0..1"
        return f"process P{number} {{\n  var v : {bound} = 0\n  states {', '.join(places)}\n  {edges}\n}}"

    def properties_of(self):
        lines = []
        for number in range(3):
            parts = [f"P{n} at {self.one_of('a', 'b')}" for n in range(len(self.processes)) if self.random.random() < 0.8] + [self.one_of("x = 1", "P0.v = 1")]
            if self.random.random() < 0.3:
                parts.append(f"{self.queue()}.{self.one_of('length = 0', 'at[1] = 1')}")
            lines.append(f"unreachable u{number}: {' && '.join(parts)}")
        return lines + ["deadlockfree", "safe fine: x >= 0"]

    def model(self, room):
        channels = [f"{kind} channel c{number}[{room}] of {self.messages}" for number, kind in enumerate(self.kinds)]
        return "\n".join(channels + [f"var x : {self.messages} = 0"] + self.processes + self.properties) + "\n"


def explored(paths):
    output = subprocess.run([REPRODUCE, "explore-file", *paths], stdout=subprocess.PIPE, text=True, check=False)
    return [json.loads(line) for line in output.stdout.splitlines()]


def verdicts(folder, text, *more):
    r = whet("verify", write(folder, "m.whet", text), "--engine", "lossy", "--json", "-", "-q", *more)
    assert r.status in (0, 10, 20), r
    return {p["name"]: p for p in json.loads(r.out)["properties"]}


def longest(p):
    """The most messages that a channel has in the run."""
    return max(int(str(value)) for state in p["trace"] for name, value in state["state"].items() if name.endswith(".length"))


def compare(folder, first, count):
    """What is reached with a channel of some length is reached with one of any, and what is reached is so with some length."""
    seen = {"safe": 0, "unsafe": 0, "unknown": 0}
    for seed in range(first, first + count):
        writer = Writer(seed)
        is_lossy = all(writer.kinds)
        got = verdicts(folder, writer.model(""))
        rooms = [1, 2, 3]
        for room, listed in zip(rooms, explored([write(folder, f"b{room}.whet", writer.model(room)) for room in rooms])):
            assert "states" in listed, listed
            for name, p in got.items():
                about = f"seed {seed}, {name}, room for {room}\n{writer.model('')}"
                depth = listed["properties"].get(name)
                if name == "deadlockfree":  # a full channel can be what nobody gets on with
                    continue
                assert depth is None or p["verdict"] != "safe", about
                assert depth is None or p["verdict"] == "unsafe" or not is_lossy, about
                if p["verdict"] == "unsafe" and room == rooms[-1] and longest(p) <= room:
                    assert depth is not None, about
        for p in got.values():
            assert p["verdict"] != "unknown" or not is_lossy, (seed, p)
            seen[p["verdict"]] += 1
    assert seen["safe"] > count // 2 and seen["unsafe"] > count // 2, seen
    return seen


@case
def random_systems_against_lengths(folder):
    compare(folder, 1, 25 if SANITIZED else 80)


@case
def false_lists_are_rejected(folder):
    """Of properties that do not hold no list is accepted, whatever is in it."""
    chosen, tried = random.Random(5), 0
    for seed in range(1, 30):
        writer = Writer(seed)
        if not all(writer.kinds):
            continue
        text = writer.model("")
        path = write(folder, "m.whet", text)
        wrong = [name for name, p in verdicts(folder, text).items() if p["verdict"] == "unsafe" and name != "no-runtime-error"]
        made = os.path.join(folder, "fine.cert")
        whet("verify", path, "--engine", "lossy", "-p", "fine", "-q", "-c", made)
        if not wrong or not os.path.exists(made):
            continue
        head = open(made).read()
        assert head.endswith("states 0\n"), head
        width, channels = (int(re.search(rf"{word} (\d+)", head).group(1)) for word in ("variables", "channels"))
        for _ in range(2):
            def line():
                values = " ".join(str(chosen.randint(0, 2)) for _ in range(width))
                return values + "".join(" |" + "".join(f" {chosen.randint(0, 1)}" for _ in range(chosen.choice([0, 0, 1, 2]))) for _ in range(channels)) + "\n"
            count = chosen.choice([0, 5, 200, 600])
            name = chosen.choice(wrong)
            false = write(folder, "false.cert", head.replace("property fine", f"property {name}").replace("states 0\n", f"states {count}\n") + "".join(line() for _ in range(count)))
            r = whet("check", path, false)
            assert f"{name}: rejected" in r.out and r.status == 10, (seed, r, text)
            tried += 1
    assert tried > 10, tried


@case
def lists_that_say_less_are_rejected(folder):
    path, made = os.path.join(CHANNELS, "sliding_window.whet"), os.path.join(folder, "c")
    equal(whet("verify", path, "--engine", "lossy", "-p", "fresh", "-c", made).out, "fresh: SAFE\n")
    content = open(made).read()
    head, lines = content.split("states ")[0], content.split("states ")[1].splitlines()[1:]
    assert len(lines) > 10, content
    rejected = 0
    for i in random.Random(1).sample(range(len(lines)), 8):
        less = lines[:i] + lines[i + 1:]
        r = whet("check", path, write(folder, "less", f"{head}states {len(less)}\n" + "".join(line + "\n" for line in less)))
        rejected += "fresh: rejected: " in r.out
    assert rejected >= 6, rejected
    more = lines + [re.sub(r"\|.*\|.*", "| |", lines[0])]  # whatever is in the channels: too much, or what follows is missing
    r = whet("check", path, write(folder, "more", f"{head}states {len(more)}\n" + "".join(line + "\n" for line in more)))
    assert "accepted" not in r.out or "SAFE" in r.out, r
    r = whet("check", path, write(folder, "first", f"{head}states 1\n" + "0 0 0 0 0 0 0 0 | |\n"))
    equal(r.out, "fresh: rejected: initial: an initial state is above one of the list\n")
    r = whet("check", os.path.join(CHANNELS, "sliding_window-wrong.whet"), made)
    assert "accepted" not in r.out, r
    for text, message in [
        ("whet-above 2\n", "this certificate is of another version"),
        (head.replace("\nopen\n", "\nclosed\n") + "states 0\n", "expected the name open"),
        (head.replace("channels 2", "channels 1") + "states 0\n", "the model has 2 channels of any length"),
        (head.replace("property fresh", "property stale") + "states 0\n", "no property called stale"),
        (head + "states 1\n0 0 0 0 0 0 0 0 | 3 |\n", "expected a number from 0 to 2"),
        (head + "states 1\n0 0 0 0 0 0 0 0 |\n", "expected ' '"),
        (head + "states 1\n0 0 0 0 0 0 0 | |\n", "expected a number from"),
        (head + "states 4000000000\n", "expected a number"),
        (head + "states 0\n0\n", "expected the end of the file"),
        (head, "expected 'states '"),
    ]:
        r = whet("check", path, write(folder, "bad", text))
        equal((r.status, r.out), (2, ""), (text, r))
        assert message in r.err, (message, r.err)


@case
def the_examples(folder):
    for name, wanted in [
        ("alternating_bit_any", "order: SAFE\nonce: SAFE\ndeadlockfree: SAFE\n"),
        ("alternating_bit_any-wrong", "order: SAFE\nonce: UNSAFE\ndeadlockfree: SAFE\n"),
        ("sliding_window", "fresh: SAFE\nwindow: SAFE\nno-runtime-error: SAFE\n"),
        ("sliding_window-wrong", "fresh: UNSAFE\nwindow: UNSAFE\nno-runtime-error: UNSAFE\n"),
        ("connect", "deadlockfree: SAFE\nagree: SAFE\n"),
        ("connect-wrong", "deadlockfree: SAFE\nagree: UNSAFE\n"),
    ]:
        path = os.path.join(CHANNELS, name + ".whet")
        for options in (["--engine", "lossy"], []):
            equal(whet("verify", path, "--trace", "off", *options).out, wanted, (name, options))


@case
def what_it_does_not_treat(folder):
    def unknown(text, *words):
        r = whet("verify", write(folder, "m.whet", text), "--engine", "lossy")
        for part in words:
            assert f"UNKNOWN ({part}" in r.out, (part, r)

    unknown("var x : 0..1 = 0\nsafe p: x = 0\n", "the model has no channels of any length)")
    unknown("lossy channel c[] of bool\nvar n : int = 0\naction a: true -> c ! true, n := n + 1\nsafe p: n < 9\n", "n has infinitely many values, and only channels may)")
    unknown("lossy channel c[] of bool\nvar n : 0..9 = 0\naction a: c.length < 3 -> c ! true\nsafe p: n < 9\n", "step a counts the messages of a channel; only whether it is empty may be asked)")
    unknown("lossy channel c[] of bool\naction a: true -> c ! true\nsafe p: c.length < 3\n", "the property counts the messages of a channel; only whether it is empty may be asked)")
    unknown("lossy channel c[] of bool\naction a(i : int): i > 3 -> c ! true\nsafe p: c.length = 0\n", "step a has an input of infinitely many values)")
    # channels that are chosen by variables
    text = "lossy channel c[1..2][] of {ping, pong}\nvar k : 1..2 = 1\nvar n : 0..3 = 0\nvar g : {ping, pong} = ping\naction s(i : 1..2, m : {ping, pong}): n < 3 -> c[i] ! m, n := n + 1\naction r: true -> c[k] ? g, n := 0\naction f: c[k].length = 0 -> k := 3 - k\n"
    r = whet("verify", write(folder, "m.whet", text + "unreachable one: g = pong && k = 2 && n = 3 && c[2].length > 0 && c[2].at[1] = ping\nsafe three: n <= 3\n"), "--engine", "lossy", "--trace", "off")
    equal(r.out, "one: UNSAFE\nthree: SAFE\n")
    # a channel that loses nothing: what is safe with loss is safe, what is not is left open
    text = "channel c[] of bool\nvar x, y : bool = false\naction one: !x -> c ! true, x := true\naction two: x -> c ! false\naction get: true -> c ? y\n"
    r = whet("verify", write(folder, "m.whet", text + "unreachable first: y && !x\nunreachable got: y\n"), "--engine", "lossy", "--trace", "off")
    equal(r.out, "first: SAFE\ngot: UNSAFE\n")
    text = "channel c[] of 0..2\nvar x : 0..2 = 0\nvar n : 0..2 = 0\naction one: n = 0 -> c ! 1, n := 1\naction two: n = 1 -> c ! 2, n := 2\naction get: x = 0 -> c ? x\nunreachable late: x = 2\n"
    unknown(text, "the property is violated if c may lose messages at any moment, and it may not)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["random"]:
        with tempfile.TemporaryDirectory() as place:
            print(compare(place, int(sys.argv[2]), int(sys.argv[3])))
    else:
        main()
