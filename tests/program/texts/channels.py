#!/usr/bin/python3
"""Channels, handshakes and loss: random models against a second reading, in which a channel is a queue; what whet prints, runs, messages.

    channels.py                   the test
    channels.py random FIRST COUNT   other seeds
"""
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import *  # noqa: E402
import second_reading  # noqa: E402


class Writer:
    """A random model: some channels, and processes, programs and actions that use them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.channels, self.syncs = [], [], []

    def one_of(self, *choices):
        return self.random.choice(choices)

    def channel(self, number):
        kind = self.one_of("", "", "lossy ", "sync ")
        name, copies, room = f"c{number}", "", ""
        if kind != "sync ":
            copies, room = self.one_of("", "", "[1..2]"), f"[{self.one_of(1, 2, 2, '')}]"
        elif self.random.random() < 0.3:
            kind = "sync "
        self.lines.append(f"{kind}channel {name}{copies}{room} of {self.one_of('0..2', '0..1', '-1..1')}")
        (self.syncs if kind == "sync " else self.channels).append((name, bool(copies)))

    def queue(self, index):
        name, has_copies = self.random.choice(self.channels)
        return name + (f"[{self.one_of(1, 2, index)}]" if has_copies else "")

    def value(self, own):
        return self.one_of("0", "1", "x", "y", own, "1 - x", "x + 1")

    def message(self, own, may_shake, index):
        sign = self.one_of("!", "?")
        use_sync = self.syncs and (not self.channels or (may_shake and self.random.random() < 0.5))
        if use_sync and not may_shake:
            return "x := y"
        channel = self.random.choice(self.syncs)[0] if use_sync else self.queue(index)
        return f"{channel} {sign} {self.value(own) if sign == '!' else own}"

    def test(self, own, index):
        choices = ["x = 0", "y < 1", f"{own} != x"]
        if self.channels:
            queue = self.queue(index)
            choices += [f"{queue}.length < 2", f"{queue}.length > 0 && {queue}.at[1] = y"]
        return self.one_of(*choices)

    def process(self, number):
        copies = self.one_of("", "[i : 1..2]")
        index = "i" if copies else "1"
        self.lines.append(f"process P{number}{copies} {{\n  var v : 0..1 = 0\n  states a, b")
        if self.random.random() < 0.2:
            self.lines.append("  end a")
        for _ in range(self.random.randint(2, 3)):
            guard = f" when {self.test('v', index)}" if self.random.random() < 0.4 else ""
            more = self.one_of("", "", ", x := 1 - x" if "x :=" not in guard else "")
            self.lines.append(f"  {self.one_of('a', 'b')} -> {self.one_of('a', 'b')}{guard} : {self.message('v', True, index)}{more if '? x' not in more else ''}")
        self.lines.append("}")

    def program(self, number):
        self.lines.append(f"program Q{number} {{\n  var w : 0..2 = 0\n  while x < 2 {{")
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if kind < 0.25 and self.channels:
                self.lines.append(f"    atomic {{ {self.message('w', False, '1')}; {self.message('w', False, '1')} }}")
            elif kind < 0.5:
                self.lines.append(f"    choose {{ {self.message('w', True, '1')} }} or {{ x := w }}")
            else:
                self.lines.append(f"    {self.message('w', True, '1')}")
        self.lines.append("    assert w < 2\n  }\n}")

    def model(self):
        self.lines.append("var x : 0..2 = 0\nvar y : 0..1 = 1")
        for number in range(self.random.randint(1, 2)):
            self.channel(number)
        for number in range(2):
            self.one_of(self.process, self.process, self.program)(number)
        if self.channels:
            self.lines.append(f"action act: {self.test('y', '1')} -> {self.message('y', False, '1')}")
            self.lines.append(f"safe room: {self.queue('1')}.length < 2\nunreachable first: {self.queue('1')}.at[1] = 1 && x = 1")
        self.lines.append("safe low: x < 2\ndeadlockfree")
        return "\n".join(self.lines) + "\n"


def explored(paths):
    output = subprocess.run([REPRODUCE, "explore-file", *paths], stdout=subprocess.PIPE, text=True, check=False)
    return [json.loads(line) for line in output.stdout.splitlines()]


def compare(folder, first, count):
    """Both readings of each text agree, and so does what `whet show` prints of it."""
    paths = [write(folder, f"m{seed}.whet", Writer(seed).model()) for seed in range(first, first + count)]
    shown = [write(folder, f"s{seed}.whet", whet("show", path).out) for seed, path in zip(range(first, first + count), paths)]
    seen = breached = 0
    for path, got, again in zip(paths, explored(paths), explored(shown)):
        about = f"{path}\n{got['source']}"
        if "error" in got:
            assert "assigned twice in one step" in got["error"], about + got["error"]
            continue
        read = second_reading.read(got["source"], limit=3000)
        if read is None or "states" not in got:
            continue
        seen += 1
        wanted = {**read["properties"], "no-runtime-error": read["no-runtime-error"]}
        breached += sum(depth is not None for depth in wanted.values())
        equal((got["states"], {"no-runtime-error": None, **got["properties"]}), (read["states"], wanted), about)
        equal((again.get("states"), again.get("properties")), (got["states"], got["properties"]), about + again["source"])
    assert seen >= count // 2 and breached >= count // 4, (seen, breached)


@case
def two_readings_of_random_models_agree(folder):
    compare(folder, 1, 40 if SANITIZED else 150)


@case
def the_program_agrees(folder):
    """Verdicts and the length of runs, as a user gets them."""
    for seed in range(1001, 1007 if SANITIZED else 1013):
        text = Writer(seed).model()
        read = second_reading.read(text, limit=400)
        if read is None:  # too many states, or infinitely many
            continue
        r = whet("verify", write(folder, "m.whet", text), "--json", "-", "-q", "--jobs", "1")
        if r.status == 2:
            continue
        wanted = {**read["properties"], "no-runtime-error": read["no-runtime-error"]}
        for p in json.loads(r.out)["properties"]:
            depth = wanted[p["name"]]
            equal((p["verdict"], len(p["trace"]) - 1 if p.get("trace") else None), ("safe" if depth is None else "unsafe", depth), text + p["name"])


@case
def runs_name_both_sides_of_a_handshake(folder):
    text = "sync channel c of int\nprocess P {\n  states a, b\n  put: a -> b : c ! 7\n}\nprogram Q {\n  var y : int = 0\n  c ? y\n  assert y != 7\n}\nprogram R {\n  c ! 1\n}\n"
    out = whet("verify", write(folder, "m.whet", text), "-p", "assert@9").out
    assert "1  line 4: P.put + Q line 8: c ? y  P at b, Q at line9, Q.y = 7" in out, out
    out = whet("verify", write(folder, "m.whet", text.replace("y != 7", "y != 1"))).out
    assert "1  line 12: c ! 1 by R + Q line 8: c ? y  Q at line9, Q.y = 1, R at end" in out, out
    out = whet("simulate", write(folder, "m.whet", text), "--seed", "1").out
    assert "c ? y" in out, out


@case
def channels_of_any_length(folder):
    """What can be in them is exact: a search ends if that is finite; runs show what is in them; records, copies, a loss of each kind."""
    text = """record Word { key : 3..5 = 3, is_last : bool = true }
channel c[] of Word
lossy channel d[1..2][] of {p, q, r}
var n : 0..4 = 0
var w : Word
var x : {p, q, r} = p
action fill(k : 3..5, l : bool): n < 3 -> w.key := k, w.is_last := l, n := n + 1, c ! w
action copy: c.length > 1 && c.at[1].key = 3 -> c ? w
action out(i : 1..2): n < 4 -> d[i] ! r, n := n + 1
action in: true -> d[2] ? x
unreachable fifo: w.key = 3 && w.is_last && c.length = 2 && !c.at[1].is_last && c.at[1].key = 4
unreachable lost: n = 4 && c.length = 3 && d[1].length = 0 && d[2].length = 0 && x = p
safe order: d[2].length <= 4
safe sum: c.length + d[1].length + d[2].length <= n
unreachable got: x = r && d[2].length = 2
"""
    path = write(folder, "m.whet", text)
    r = whet("verify", path, "--engine", "explicit", "--json", os.path.join(folder, "r.json"))
    equal([line for line in r.out.splitlines() if ":" in line and line[0] != " "],
          ["fifo: UNSAFE", "lost: UNSAFE", "order: SAFE", "sum: SAFE", "got: UNSAFE"], r.out)
    assert "c = [{key = 3, is_last = true}, {key = 4, is_last = false}" in r.out and "d[2] = [r, r]" in r.out, r.out
    assert "out(i = 1, lost = true)" in r.out, r.out
    for p in json.load(open(os.path.join(folder, "r.json")))["properties"]:
        assert p["verdict"] in ("safe", "unsafe"), p
    out = whet("simulate", path, "--seed", "3").out
    assert "c = [" in out and "c.rest" not in out, out
    text = "channel c[] of bool\nprogram A { while true { c ! true; c ! false } }\nprogram B {\n  var x : bool = false\n  while true {\n    c ? x; assert x; c ? x; assert x }\n}\n"
    r = whet("verify", write(folder, "m.whet", text), "-p", "assert@6")
    assert "assert@6: UNSAFE" in r.out and "line 6: c ? x" in r.out, r.out
    # more messages than fit into 64 bits: a search of states gives up by name, exact runs do not
    text = "channel c[] of 0..65535\nvar n : 0..6 = 0\nvar x : 0..65535 = 0\naction a: n < 6 -> c ! 65535, n := n + 1\naction b: n = 6 -> c ? x\nsafe few: x = 0 || c.length > 4\n"
    path = write(folder, "m.whet", text)
    equal(whet("verify", path, "--engine", "explicit").out, "few: UNKNOWN (values beyond 64 bits)\n")
    r = whet("verify", path, "--engine", "kind")
    assert "few: UNSAFE" in r.out and "[65535, 65535, 65535, 65535, 65535, 65535]" in r.out, r.out


@case
def what_is_refused(folder):
    def wrong(text, *words):
        r = whet("verify", write(folder, "m.whet", text + "\nsafe p: true\n"))
        equal((r.status, r.out), (2, ""), r)
        for part in words:
            assert part in r.err, (part, r.err)

    wrong("channel c of int", "m.whet:1:9: error: the channel has no length", "`channel c[] of bool` for any number")
    wrong("lossy channel c of bool", "m.whet:1:15: error: the channel has no length")
    wrong("channel c[0] of int", "m.whet:1:11: error: a channel has room for one message at least", "sync channel c of int")
    wrong("sync channel c[1] of int", "a handshake has no length and no copies")
    wrong("sync channel c[] of int", "a handshake has no length and no copies")
    wrong("channel c[] of int", "m.whet:1:16: error: the messages of a channel of any length have at most 2^32 values", "`channel c[4] of int`, any number")
    wrong("record R { a, b : 0..65535; c : bool }\nlossy channel c[1..2][] of R", "m.whet:2:28: error: the messages of a channel of any length")
    wrong("channel c[] of bool\naction a: true -> c.rest := 1", "a channel changes by")
    wrong("channel c[] of bool\nprocedure f() { c ! true; f() }\nprogram { f() }", "channels of any length are not in models with recursive procedures")
    wrong("channel c[2] of node", "messages are numbers")
    wrong("type D\nchannel c[2] of D", "messages are numbers")
    wrong("record R { x : int }\nsync channel c of R", "the message of a handshake is a number")
    wrong("channel c[-1] of int", "this range is empty")
    wrong("channel c[2] of bool\naction a: true -> c ! 1", "m.whet:2:23: error:", "bool")
    wrong("channel c[2] of bool\nvar x : int\naction a: true -> c ? x", "a message of the channel")
    wrong("channel c[2] of bool\naction a: true -> c.length := 1", "a channel changes by `c ! EXPRESSION` and `c ? VARIABLE` only")
    wrong("channel c, d[2] of bool\naction a: true -> c := d", "a channel changes by")
    wrong("channel c[2] of bool\naction a: true -> c ! true, c ! false", "`c.length` is assigned twice in one step")
    wrong("var x : int\naction a: true -> x ! 1", "m.whet:2:19: error: `x` is of type int, and only channels have messages")
    wrong("sync channel c of int\naction a: true -> c ! 1", "a handshake is a step of two processes or programs, not of an action")
    wrong("sync channel c of int\nprogram P { atomic { skip; c ! 1 } }", "not stand inside of one")
    wrong("sync channel c of int\nprocess P { states a\n atomic a\n e: a -> a : c ! 1 }\nfair P", "not stand inside of one", "`fair when E`")
    wrong("sync channel c of int\nprocedure f() { c ! 1; f() }\nprogram { f() }", "a model with recursive procedures has no handshakes")
    wrong("chan c : int", "hint: a channel is `channel c[4] of int`")
    wrong("channel c[3]", "expected `of` and the type of the messages", "channel NAME[LENGTH] of TYPE")


@case
def channels_beside_other_things(folder):
    """Names that are words elsewhere, negations after words, recursive procedures, clocks."""
    text = "channel sync[2] of bool\nvar channel : bool = false\nprogram {\n  sync ! channel\n  assume !channel\n  sync ? channel\n  if !channel { skip }\n  assert !channel\n}\n"
    equal(whet("verify", write(folder, "m.whet", text)).out, "assert@8: SAFE\n")
    text = "channel c[2] of 0..9\nvar x : 0..9 = 0\nprocedure f(n : 0..3) {\n  if n > 0 { c ! n; f(n - 1); c ? x }\n}\nprogram {\n  f(2)\n  assert last: x = 1\n  f(3)\n  assert never: false\n}\n"
    r = whet("verify", write(folder, "m.whet", text))
    assert "last: SAFE" in r.out and "never: SAFE" in r.out, r.out
    text = "channel c[1] of int\nclock t\nprocess P { states a, b\n invariant a : t <= 2\n e: a -> b when t >= 1 : c ! 3 }\nsafe early: c.length = 1 => t >= 1\nsafe late: c.length = 0\n"
    r = whet("verify", write(folder, "m.whet", text))
    assert "early: SAFE" in r.out and "late: UNSAFE" in r.out, r.out


if __name__ == "__main__":
    if sys.argv[1:2] == ["random"]:
        with tempfile.TemporaryDirectory() as place:
            compare(place, int(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
