"""A small client of the language server: JSON-RPC with headers over pipes."""
import json
import os
import select
import subprocess
import time


class Failed(Exception):
    """The server answered a request with an error."""

    def __init__(self, error):
        super().__init__(error)
        self.code, self.words = error["code"], error["message"]


class Client:
    """`messages` are all that came and were not waited for, in their order."""

    def __init__(self, program, *words, patience=60, encodings=None, cwd=None):
        self.process = subprocess.Popen([program, "lsp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)
        self.buffer, self.messages, self.patience, self.next, self.encodings = b"", [], patience, 0, encodings

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    # ---- messages

    def send_bytes(self, content):
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.next += 1
        self.send({"id": self.next, "method": method, "params": params})
        return self.next

    def read(self):
        """The next message; None if the server has ended."""
        deadline = time.monotonic() + self.patience
        while True:
            header, blank, rest = self.buffer.partition(b"\r\n\r\n")
            if blank:
                length = int(header.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError(f"the server says nothing; so far: {self.messages[-3:]}")
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                return None
            self.buffer += piece

    def wait(self, wanted):
        """The first message that `wanted` likes; the others are kept."""
        for i, message in enumerate(self.messages):
            if wanted(message):
                return self.messages.pop(i)
        while True:
            message = self.read()
            if message is None:
                raise EOFError("the server has ended")
            if wanted(message):
                return message
            self.messages.append(message)

    def answer(self, number):
        message = self.wait(lambda m: m.get("id") == number and "method" not in m)
        if "error" in message:
            raise Failed(message["error"])
        return message["result"]

    def request(self, method, params):
        return self.answer(self.ask(method, params))

    # ---- the protocol

    def initialize(self, **capabilities):
        general = {"general": {"positionEncodings": self.encodings}} if self.encodings else {}
        result = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {**general, **capabilities}})
        self.notify("initialized", {})
        return result

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "whet", "version": version, "text": text}})

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)})

    def diagnostics(self, uri, version=None):
        wanted = lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri and version in (None, m["params"].get("version"))
        return self.wait(wanted)["params"]["diagnostics"]

    def at(self, method, uri, line, character, **more):
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}, **more})

    def about(self, method, uri, **more):
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})

    def verify(self, uri, *property):
        return self.ask("workspace/executeCommand", {"command": "whet.verify", "arguments": [uri, *property]})

    def end(self):
        """The exit status after an orderly end."""
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        status = self.process.wait(timeout=self.patience)
        self.process.stdin = open(os.devnull, "w")
        return status
