#!/usr/bin/python3
"""The language server, by a client that speaks the protocol over pipes."""
import json
import os
import random
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import *  # noqa: E402
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Client, Failed  # noqa: E402

TICKET = """// Two processes take tickets.
const N = 2
var next_ticket, served : int = 0
var mode : {off, on} = off

process P[i : 1..N] {
  var ticket : int = 0
  states idle, waiting, critical
  take:  idle -> waiting : ticket := next_ticket, next_ticket := next_ticket + 1
  enter: waiting -> critical when ticket <= served
  leave: critical -> idle : served := served + 1
}

define busy(k) = served + k > next_ticket
action flip: mode = off && !busy(0) -> mode := on
fair P.take, flip
safe mutex: forall i : 1..N, j : 1..N . i < j => !(P[i] at critical && P[j] at critical)
safe bad: served <= 1
"""
URI = "file:///tmp/ticket.whet"
# Nobody decides this in a short time.
HARD = "var x, y : int = 1\naction a: true -> x := x * x + y, y := x * y + 1\naction b: true -> x := y * y - x\nsafe hard: x * x != 7 * y * y + 3\n"


def server(*words, **more):
    return Client(WHET, *words, **more)


def place(text, words, skip=0):
    """Line and column of the first place of `words` in the text, `skip` characters further."""
    offset = text.index(words) + skip
    line = text.count("\n", 0, offset)
    return line, offset - (text.rfind("\n", 0, offset) + 1)


def cut(text, range):
    lines = text.split("\n")
    start, end = range["start"], range["end"]
    assert start["line"] == end["line"], range
    return lines[start["line"]][start["character"]:end["character"]]


def apply(text, edits):
    """The text after edits of the protocol, from the last to the first. ASCII only."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        start, end = (starts[edit["range"][k]["line"]] + edit["range"][k]["character"] for k in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


@case
def the_beginning_and_the_end(folder):
    with server() as c:
        result = c.initialize()
        equal(result["serverInfo"]["name"], "whet")
        for provider in ("hover", "definition", "references", "rename", "completion", "documentSymbol", "documentFormatting", "codeLens"):
            assert result["capabilities"][provider + "Provider"] not in (None, False), provider
        equal(c.end(), 0)
    with server() as c:
        c.initialize()
        c.process.stdin.close()
        equal(c.process.wait(timeout=60), 1, "the editor is gone")
        c.process.stdin = open(os.devnull, "w")
    with server() as c:
        for method, code in (("textDocument/hover", -32002), ("shutdown", -32002)):
            try:
                c.request(method, {})
                assert False, method
            except Failed as e:
                equal(e.code, code)


@case
def errors_appear_while_typing(folder):
    with server() as c:
        c.initialize()
        c.open(URI, TICKET)
        equal(c.diagnostics(URI), [])
        line, column = place(TICKET, "served <= 1")
        c.change(URI, 2, {"range": {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 6}}, "text": "serve"})
        found = c.diagnostics(URI, 2)
        equal([d["message"] for d in found], ["the name `serve` is not declared\nhint: did you mean `served`?"])
        equal(found[0]["range"], {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 5}})
        # several changes in one message, each about the text that the one before has made
        c.change(URI, 3, {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}, "text": ""},
                 {"range": {"start": {"line": line - 1, "character": column + 5}, "end": {"line": line - 1, "character": column + 5}}, "text": "d"})
        equal(c.diagnostics(URI, 3), [])
        # all errors of a text that is not well-formed, but for names that may be declared in what is not understood
        c.change(URI, 4, {"text": "var x, w : int\nvar y, : int\naction a: x > -> x := 1\nsafe p: x > y\nsafe q: z = 0\nsafe r: w\n"})
        equal([(d["range"]["start"]["line"], d["message"].split("\n")[0]) for d in c.diagnostics(URI, 4)],
              [(1, "expected a name, found `:`"), (2, "expected an expression, found `->`"), (4, "the name `z` is not declared"),
               (5, "`w` is of type int, but a property needs bool")])
        many = "var x : int\n" + "".join(f"safe p{i}: y{i} = 0\n" for i in range(200))
        c.change(URI, 5, {"text": many})
        equal(len(c.diagnostics(URI, 5)), 200)
        c.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        equal(c.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and "version" not in m["params"])["params"]["diagnostics"], [])
        equal(c.end(), 0)


@case
def columns_are_units_of_utf_16_or_bytes(folder):
    text = "/* \U0001F600 é */ var x : int /* ü */ = y\n"
    for encodings, column in ((None, 33), (["utf-16", "utf-8"], 37)):
        with server(encodings=encodings) as c:
            chosen = c.initialize()["capabilities"]["positionEncoding"]
            equal(chosen, "utf-8" if encodings else "utf-16")
            c.open(URI, text)
            equal(c.diagnostics(URI)[0]["range"]["start"], {"line": 0, "character": column}, chosen)
            c.change(URI, 2, {"range": {"start": {"line": 0, "character": column}, "end": {"line": 0, "character": column + 1}}, "text": "1"})
            equal(c.diagnostics(URI, 2), [], chosen)


@case
def names_are_explained_and_found(folder):
    with server() as c:
        c.initialize()
        c.open(URI, TICKET)
        hover = lambda words, skip=0: c.at("hover", URI, *place(TICKET, words, skip))
        assert "var served : int = 0" in hover("served, " if False else "served :")["contents"]["value"].replace("variable", "var")
        value = hover("ticket <= served")["contents"]["value"]
        assert "ticket : int = 0" in value and "of `P`" in value, value
        assert "value `2`" in hover("N . i")["contents"]["value"] and "const N = 2" in hover("N . i")["contents"]["value"]
        equal(c.at("hover", URI, 0, 3), None)
        for use, declaration in (("critical && P", "critical\n"), ("P[j]", "P[i : 1..N] {"), ("next_ticket + 1", "next_ticket, served"), ("off && ", "off, on"),
                                 ("busy(0)", "busy(k)"), ("k > next", "k) ="), ("take, flip", "take:  idle"), ("flip\nsafe", "flip: mode"), ("j => ", "j : 1..N . i")):
            found = c.at("definition", URI, *place(TICKET, use))
            line, column = place(TICKET, declaration)
            equal((found["uri"], found["range"]["start"]), (URI, {"line": line, "character": column}), use)
        for words, count in (("served :", 6), ("ticket :", 3), ("critical\n", 5), ("off, on", 3), ("P[i : 1..N] {", 4), ("take:", 2)):
            word = re.match(r"\w+", words).group()
            found = c.at("references", URI, *place(TICKET, words), context={"includeDeclaration": True})
            equal({cut(TICKET, f["range"]) for f in found}, {word}, words)
            equal(len(found), count, words)
            equal(len(c.at("references", URI, *place(TICKET, words), context={"includeDeclaration": False})), count - 1, words)
            equal(len(c.at("documentHighlight", URI, *place(TICKET, words))), count, words)


@case
def other_names(folder):
    """After a rename the model means the same, and what would mean something else is refused."""
    with server() as c:
        c.initialize()
        c.open(URI, TICKET)
        text = TICKET
        for number, (words, to) in enumerate((("served :", "now_served"), ("ticket : int", "mine"), ("critical\n", "inside"), ("P[i : 1..N] {", "Proc"), ("on}", "enabled"),
                                              ("busy(k)", "is_busy"), ("k) =", "more"), ("i : 1..N, j", "a"), ("take:", "draw"), ("mutex:", "exclusion")), 2):
            edits = c.at("rename", URI, *place(text, words), newName=to)["changes"][URI]
            text = apply(text, edits)
            c.change(URI, number, {"text": text})
            equal(c.diagnostics(URI, number), [], (words, to))
        shown = lambda t: whet("show", write(folder, "m.whet", t)).out
        back = shown(TICKET)
        for a, b in (("served", "now_served"), ("ticket", "mine"), ("critical", "inside"), ("P", "Proc"), ("on", "enabled"), ("take", "draw"), ("mutex", "exclusion")):
            back = re.sub(rf"\b{a}\b", b, back)
        equal(shown(text), back)
        for words, to in (("now_served", "mine"), ("now_served", "2x"), ("now_served", "forall"), ("now_served", ""), ("// Two", "fine")):
            try:
                c.at("rename", URI, *place(text, words), newName=to)
                assert False, (words, to)
            except Failed as e:
                equal(e.code, -32803)
        c.change(URI, 99, {"text": text + "safe wrong: nothing\n"})
        try:
            c.at("prepareRename", URI, *place(text, "now_served"))
            assert False, "the text has errors"
        except Failed as e:
            assert "without errors" in e.words, e.words


@case
def completion_knows_what_may_stand_there(folder):
    def offered(c, text, words):
        """What is offered behind `words`, which is the end of the text up to the place."""
        uri = f"file:///tmp/completion{c.next}.whet"
        c.open(uri, text)
        return {item["label"] for item in c.at("completion", uri, *place(text, words, len(words)))}

    with server() as c:
        c.initialize()
        at_top = offered(c, TICKET + "safe more: ", "safe more: ")
        assert {"served", "mode", "off", "busy", "P", "forall", "N"} <= at_top and not {"ticket", "idle", "mutex"} & at_top, at_top
        equal(offered(c, TICKET + "safe more: P[1].", "P[1]."), {"ticket", "take", "enter", "leave"})
        equal(offered(c, TICKET + "safe more: P[1] at ", "P[1] at "), {"idle", "waiting", "critical"})
        inside = offered(c, TICKET.replace("when ticket <= served", "when ti"), "when ti")
        assert {"ticket", "served", "i"} <= inside, inside
        # what was there before the text was broken is still known
        uri = "file:///tmp/broken.whet"
        c.open(uri, TICKET)
        c.diagnostics(uri)
        broken = TICKET.replace("leave: critical -> idle", "leave: critical ->> idle : ")
        c.change(uri, 2, {"text": broken + "safe s: P[1]."})
        equal({i["label"] for i in c.at("completion", uri, *place(broken + "safe s: P[1].", "s: P[1].", 8))}, {"ticket", "take", "enter", "leave"})


@case
def symbols_and_layout(folder):
    with server() as c:
        c.initialize()
        c.open(URI, TICKET)
        symbols = {s["name"]: s for s in c.about("documentSymbol", URI)}
        equal(sorted(symbols), sorted(["N", "next_ticket", "served", "mode", "P", "busy", "flip", "mutex", "bad"]))
        equal(sorted(s["name"] for s in symbols["P"]["children"]), sorted(["ticket", "idle", "waiting", "critical", "take", "enter", "leave"]))
        for s in symbols.values():
            assert s["range"]["start"]["line"] <= s["selectionRange"]["start"]["line"] <= s["range"]["end"]["line"], s
        equal(c.about("formatting", URI, options={"tabSize": 2, "insertSpaces": True}), [])
        messy = TICKET.replace("  take:", "      take:").replace(" := ", ":=").replace("}\n", "   }  \n\n\n")
        c.change(URI, 2, {"text": messy})
        equal(apply(messy, c.about("formatting", URI, options={})), whet("format", write(folder, "m.whet", messy)).out)


def lenses(c, uri=URI):
    return {lens["command"]["title"]: lens["command"] for lens in c.about("codeLens", uri)}


@case
def properties_are_verified_at_a_click(folder):
    with server("-t", "60") as c:
        c.initialize(workspace={"codeLens": {"refreshSupport": True}}, window={"workDoneProgress": True})
        c.open(URI, TICKET)
        c.diagnostics(URI)
        equal(sorted(lenses(c)), ["bad: verify", "mutex: verify", "verify all"])
        command = lenses(c)["mutex: verify"]
        result = c.request("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})
        equal([(r["property"], r["verdict"]) for r in result], [("mutex", "safe")])
        begun = c.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "begin")["params"]
        equal(c.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")["params"]["token"], begun["token"])
        c.wait(lambda m: m.get("method") == "workspace/codeLens/refresh")
        assert any(re.match(r"mutex: SAFE \(\w+, [\d.e-]+ s\)", title) for title in lenses(c)), lenses(c)
        value = c.at("hover", URI, *place(TICKET, "served :"))["contents"]["value"]
        assert "proved in every reachable state (with mutex)" in value and "served" in value.split("proved")[1], value
        result = c.answer(c.verify(URI))
        equal({r["property"]: r["verdict"] for r in result}, {"mutex": "safe", "bad": "unsafe"})
        run = next(r["run"] for r in result if r["property"] == "bad")
        assert "P[1].take" in run and "served = 2" in run, run
        found = c.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["diagnostics"])["params"]["diagnostics"]
        equal((found[0]["range"]["start"]["line"], found[0]["message"].split("\n")[0]), (place(TICKET, "safe bad")[0], "bad: unsafe"))
        # the results are about the text, not about the next one
        c.change(URI, 2, {"text": TICKET.replace("served <= 1", "served <= 2")})
        equal(c.diagnostics(URI, 2), [])
        assert "bad: verify (UNSAFE before the text was changed)" in lenses(c), lenses(c)
        assert "proved" not in c.at("hover", URI, *place(TICKET, "served :"))["contents"]["value"]
        equal(c.end(), 0)


def processes_of(parent):
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as f:
                if name.isdigit() and int(f.read().rsplit(")", 1)[1].split()[1]) == parent:
                    found.append(int(name))
        except (OSError, IndexError):
            pass
    return found


def gone(numbers):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if not any(os.path.exists(f"/proc/{n}") and open(f"/proc/{n}/stat").read().rsplit(")", 1)[1].split()[0] != "Z" for n in numbers):
            return True
        time.sleep(0.05)
    return False


@case
def runs_end_when_they_are_told_to(folder):
    """By the request's cancellation, by the command, by a change, by the limit, and with the server; meanwhile the server answers."""
    def begin(c):
        number = c.verify(URI)
        deadline = time.monotonic() + 60
        while not processes_of(c.process.pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert c.at("hover", URI, 0, 4) is not None
        children = processes_of(c.process.pid)
        return number, children + [n for child in children for n in processes_of(child)]

    def refused(c, number):
        try:
            c.answer(number)
            assert False, "the run goes on"
        except Failed as e:
            return e

    with server("-t", "600") as c:
        c.initialize()
        c.open(URI, HARD)
        c.diagnostics(URI)
        number, children = begin(c)
        c.notify("$/cancelRequest", {"id": number})
        equal(refused(c, number).code, -32800)
        assert gone(children), children
        number, children = begin(c)
        c.request("workspace/executeCommand", {"command": "whet.stop", "arguments": [URI]})
        equal(refused(c, number).code, -32800)
        number, children = begin(c)
        c.change(URI, 2, {"text": HARD + "// more\n"})
        assert "changed" in refused(c, number).words
        c.diagnostics(URI, 2)
        others = [c.verify(URI), c.verify(URI), c.verify(URI)]
        assert "two runs" in refused(c, others[2]).words
        number, children = others[0], processes_of(c.process.pid)
        c.process.send_signal(signal.SIGKILL)
        assert gone(children), "runs outlive the server"
    with server("-t", "0.3") as c:
        c.initialize()
        c.open(URI, HARD)
        equal([r["verdict"] for r in c.answer(c.verify(URI))], ["unknown"])
        equal(c.end(), 0)


def frame(body):
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


@case
def hostile_messages(folder):
    with server() as c:
        c.send_bytes(frame(b"{"))
        equal(c.read()["error"]["code"], -32700)
        c.send_bytes(frame(b"[" * 100000))
        equal(c.read()["error"]["code"], -32700)
        for body in (b"[]", b"{}", b'{"id":[],"method":"shutdown"}', b'{"method":7}', b'{"id":1}'):
            c.send_bytes(frame(body))
            equal(c.read()["error"]["code"], -32600, body)
        c.initialize()
        for params in (None, [], 7, {}, {"textDocument": 3}, {"textDocument": {"uri": 4, "text": []}}, {"textDocument": {"uri": URI}, "contentChanges": {"a": 1}},
                       {"textDocument": {"uri": URI}, "contentChanges": [3, None, {"range": 3, "text": 3}]}):
            for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest", "window/workDoneProgress/cancel", "$/nonsense"):
                c.notify(method, params)
            for method in ("textDocument/hover", "textDocument/rename", "workspace/executeCommand", "textDocument/nonsense"):
                try:
                    c.request(method, params)
                except Failed:
                    pass
        c.open(URI, TICKET)
        big = 1 << 62
        for line, column in ((big, 0), (0, big), (-1, -1), (-big, big), (1.5, 2), ("a", None)):
            c.at("hover", URI, line, column)
            c.change(URI, 2, {"range": {"start": {"line": line, "character": column}, "end": {"line": line, "character": column}}, "text": ""})
        # an interval from behind to before is no change
        c.change(URI, 3, {"range": {"start": {"line": 3, "character": 0}, "end": {"line": 1, "character": 0}}, "text": "?"})
        equal(c.diagnostics(URI, 3), [])
        c.change(URI, 4, {"text": "var x\0y : int"})
        assert "zero" in c.diagnostics(URI, 4)[0]["message"]
        # larger than a text or a message may be
        c.change(URI, 5, {"text": "// " + "x" * (9 << 20)})
        assert "larger" in c.diagnostics(URI, 5)[0]["message"]
        c.change(URI, 6, {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}, "text": "?"})
        assert "larger" in c.diagnostics(URI, 6)[0]["message"]
        equal(c.about("codeLens", URI), None)
        c.send_bytes(b"Content-Length: 40000000\r\n\r\n" + b" " * 40000000)
        assert "too long" in c.wait(lambda m: "error" in m)["error"]["message"]
        c.change(URI, 7, {"text": TICKET})
        equal(c.diagnostics(URI, 7), [])
        equal(c.end(), 0)
    for header in (b"Content-Length: x\r\n\r\n", b"Content-Length: -1\r\n\r\n", b"Content-Size: 3\r\n\r\nabc", b"x" * 10000):
        with server() as c:
            c.send_bytes(header)
            equal(c.read()["error"]["code"], -32600, header[:30])
            equal(c.read(), None)
            equal(c.process.wait(timeout=60), 1)


@case
def texts_cut_and_mixed_at_random(folder):
    """Whatever the text, the server answers everything and stays."""
    chance = random.Random(7)
    texts = [TICKET, HARD] + [open(os.path.join(MODELS, n), encoding="utf-8").read() for n in sorted(os.listdir(MODELS)) if n.endswith(".whet")][:6]
    with server() as c:
        c.initialize()
        c.open(URI, TICKET)
        for version in range(2, 12 if SANITIZED else 30):
            a, b = chance.choice(texts), chance.choice(texts)
            text = a[:chance.randrange(len(a) + 1)] + chance.choice(["", "{", "(", "|", "/*", "é", "P[1].", " at "]) + b[chance.randrange(len(b) + 1):]
            c.change(URI, version, {"text": text})
            line = chance.randrange(text.count("\n") + 1)
            for method in ("hover", "definition", "references", "completion", "prepareRename"):
                try:
                    c.at(method, URI, line, chance.randrange(60), context={})
                except Failed as e:
                    equal(e.code, -32803)
            for method in ("documentSymbol", "codeLens", "formatting"):
                c.about(method, URI)
            assert not [d for d in c.diagnostics(URI, version) if "not understood" in d["message"]]
        equal(c.end(), 0)


if __name__ == "__main__":
    main()
