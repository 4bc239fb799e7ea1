"""Clang's tree of a C program for c_interpreter.py: nodes as JSON, lines of the source, and types from how clang writes them.

A type is a tuple: ("int", bits, signed), ("bool",), ("void",), ("pointer", T), ("array", T, count), ("struct", tag), ("function", result)."""
import json
import re
import subprocess

BITS = {"char": 8, "short": 16, "int": 32, "long long": 64, "__int128": 128}
WORD = re.compile(r"\s*(\w+|\(unnamed[^)]*\)|\(anonymous[^)]*\)|\.\.\.|[*()\[\],])")


class NotRead(Exception):
    """What the interpreter does not treat."""


def run_clang(path, machine=64, options=()):
    words = ["clang", "-fsyntax-only", "-w", "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
             "-Xclang", "-ast-dump=json", *options, path]
    words += ["-m32"] if machine == 32 else []
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise NotRead("clang: " + done.stderr[:200])
    return json.loads(done.stdout)


class Types:
    """Resolves names of types: typedefs, structs, enumerations."""

    def __init__(self, machine):
        self.long = machine
        self.typedefs, self.records, self.known = {}, {}, {}
        self.negative = set()  # enumerations with values below 0, which are signed

    def of(self, node):
        return self.named(node["type"]["qualType"])

    def named(self, words):
        if words not in self.known:
            self.known[words] = Declarator(self, words).whole()
        return self.known[words]

    def base(self, words):
        """A type without stars, brackets and parentheses."""
        words = [w for w in words if w not in ("const", "volatile", "restrict", "register", "__restrict")]
        if words and words[0] in ("struct", "union"):
            if words[0] == "union":
                raise NotRead("union")
            return ("struct", " ".join(words[1:]))
        if words and words[0] == "enum":
            return ("int", 32, " ".join(words[1:]) in self.negative)
        if len(words) == 1 and words[0] in self.typedefs:
            return self.named(self.typedefs[words[0]])
        if len(words) == 1 and words[0] in self.records:
            return ("struct", words[0])
        if words == ["void"]:
            return ("void",)
        if words == ["_Bool"]:
            return ("bool",)
        return self.integer(words)

    def integer(self, words):
        signed = "unsigned" not in words
        rest = sorted(w for w in words if w not in ("signed", "unsigned", "int"))
        if rest == ["long"]:
            return ("int", self.long, signed)
        name = " ".join(rest) or "int"
        if name not in BITS or not all(w.isidentifier() for w in words):
            raise NotRead("type " + " ".join(words))
        return ("int", BITS[name], signed)

    def fields(self, tag):
        """(name, type, offset) of each member."""
        if tag not in self.records:
            raise NotRead("struct " + tag)
        found, at = [], 0
        for member in self.records[tag]:
            if member.get("isBitfield"):
                raise NotRead("bit-field")
            t = self.of(member)
            at = (at + self.alignment(t) - 1) // self.alignment(t) * self.alignment(t)
            found.append((member.get("name", ""), t, at))
            at += self.size(t)
        return found

    def alignment(self, t):
        if t[0] == "array":
            return self.alignment(t[1])
        if t[0] == "struct":
            return max([self.alignment(f[1]) for f in self.fields(t[1])] or [1])
        return min(self.size(t), 4) if self.long == 32 else self.size(t)

    def size(self, t):
        """In bytes."""
        if t[0] == "int":
            return t[1] // 8
        if t[0] == "bool":
            return 1
        if t[0] == "pointer":
            return self.long // 8
        if t[0] == "array" and t[2] is not None:
            return t[2] * self.size(t[1])
        if t[0] == "struct":
            fields = self.fields(t[1])
            end = fields[-1][2] + self.size(fields[-1][1]) if fields else 0
            unit = self.alignment(t)
            return (end + unit - 1) // unit * unit
        if t[0] == "void":
            return 1
        raise NotRead(f"size of {t}")


class Declarator:
    """`int (*)(int)`, `struct s *[3]`: base words, then stars, brackets and parentheses from inside out."""

    def __init__(self, types, words):
        self.types, self.tokens = types, WORD.findall(words)
        if "".join(self.tokens).replace(" ", "") != re.sub(r"\s", "", words):
            raise NotRead("type " + words)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def whole(self):
        words = []
        while self.peek() and (self.peek()[0].isalnum() or self.peek()[0] == "_" or self.peek().startswith(("(un", "(anon"))):
            words.append(self.take())
        return self.rest(self.types.base(words))

    def rest(self, t):
        while self.peek() == "*":
            self.take()
            t = ("pointer", t)
            while self.peek() in ("const", "volatile", "restrict"):
                self.take()
        inner = None
        if self.peek() == "(" and self.tokens[self.at + 1:self.at + 2] and self.tokens[self.at + 1] in "*(":
            start = self.at + 1
            self.skip("(", ")")
            inner = (start, self.at - 1)
        t = self.suffix(t)
        if not inner:
            return t
        part = Declarator(self.types, "")
        part.tokens = self.tokens[inner[0]:inner[1]]
        return part.rest(t)

    def skip(self, opening, closing):
        depth = 0
        while True:
            token = self.take()
            depth += (token == opening) - (token == closing)
            if not depth:
                return

    def suffix(self, t):
        if self.peek() == "(":
            self.skip("(", ")")
            return ("function", t)
        if self.peek() == "[":
            self.take()
            count = None
            if self.peek() != "]":
                word = self.take()
                if not word.isdigit():
                    raise NotRead("array of variable length")
                count = int(word)
            if self.take() != "]":
                raise NotRead("array of variable length")
            return ("array", self.suffix(t), count)
        if self.peek() in ("*", ","):
            raise NotRead("type")
        return t


class Program:
    """Functions, globals in their order, types and lines of one file."""

    def __init__(self, path, machine=64, options=()):
        self.types = Types(machine)
        self.functions, self.globals, self.declared, self.enumerators = {}, [], set(), {}
        with open(path, "rb") as f:
            text = f.read()
        self.starts = [0] + [i + 1 for i, c in enumerate(text) if c == 10]
        tree = run_clang(path, machine, options)
        for node in tree["inner"]:
            self.declare(node)

    def declare(self, node):
        kind = node["kind"]
        if kind == "TypedefDecl":
            self.types.typedefs[node["name"]] = node["type"].get("desugaredQualType", node["type"]["qualType"])
            tag = self.types.typedefs[node["name"]]
            if tag == node["name"]:  # a struct without a name of its own
                del self.types.typedefs[node["name"]]
            self.name_record(node)
        elif kind == "RecordDecl":
            self.declare_record(node)
        elif kind == "EnumDecl":
            self.declare_enumeration(node)
        elif kind == "VarDecl":
            self.globals.append(node)
        elif kind == "FunctionDecl":
            self.declared.add(node["name"])
            if any(i["kind"] == "CompoundStmt" for i in node.get("inner", [])):
                self.functions[node["name"]] = node

    def name_record(self, node):
        """`typedef struct {..} T;`: the struct is known by T too."""
        for inner in node.get("inner", []):
            tag = inner.get("ownedTagDecl")
            if tag and tag.get("kind") == "RecordDecl" and tag["id"] in self.types.records:
                self.types.records[node["name"]] = self.types.records[tag["id"]]

    def declare_record(self, node):
        for inner in node.get("inner", []):
            if inner["kind"] == "RecordDecl":
                self.declare_record(inner)
        if not node.get("completeDefinition"):
            return
        members = [i for i in node.get("inner", []) if i["kind"] == "FieldDecl"]
        if node.get("tagUsed") == "struct":
            self.types.records[node["id"]] = members
            if node.get("name"):
                self.types.records[node["name"]] = members

    def declare_enumeration(self, node):
        value = -1
        for inner in node.get("inner", []):
            if inner["kind"] != "EnumConstantDecl":
                continue
            value += 1
            for given in inner.get("inner", []):
                if "value" in given:
                    value = int(given["value"])
            self.enumerators[inner["id"]] = value
            if value < 0:
                self.types.negative.add(node.get("name", ""))

    def line(self, node):
        """Of its first character in the file itself; None if it is in another one."""
        begin = node.get("range", {}).get("begin", {})
        begin = begin.get("expansionLoc", begin)
        if "offset" not in begin or "includedFrom" in begin:
            return None
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= begin["offset"] else (low, middle)
        return low + 1
