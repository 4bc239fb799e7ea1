"""Random programs with procedures in whet's language, and an interpreter for them that knows nothing of whet: it runs every choice, with Python's own
call stack, and says which properties are broken. Calls get a number that goes down, and loops count, so that every run ends.

Expressions and statements are tuples that begin with what they are."""
import random

MOST_STEPS = 40000
DEPTH = 2


class TooLong(Exception):
    pass


class Fault(Exception):
    pass


# ---- expressions ----

def show(e):
    kind = e[0]
    if kind in ("number", "truth"):
        return str(e[1]).lower()
    if kind == "name":
        return e[1]
    if kind == "element":
        return f"a[{show(e[1])}]"
    if kind == "old":
        return f"old({show(e[1])})"
    if kind == "not":
        return f"!({show(e[1])})"
    if kind == "if":
        return f"(if {show(e[1])} then {show(e[2])} else {show(e[3])})"
    if kind in ("min", "max"):
        return f"{kind}({show(e[1])}, {show(e[2])})"
    return f"({show(e[1])} {kind} {show(e[2])})"


def divide(a, b):
    """Euclidean: the rest is never negative."""
    q = a // abs(b)
    return q if b > 0 else -q


def value(e, env, strict, old=None):
    """Of an expression; with `strict`, a Fault if it has none, else 0, the dividend or false, as in properties."""
    kind = e[0]
    if kind in ("number", "truth"):
        return e[1]
    if kind == "name":
        return env[e[1]]
    if kind == "old":
        return value(e[1], old, strict)
    if kind == "element":
        i = value(e[1], env, strict, old)
        if i not in (1, 2) and strict:
            raise Fault
        return env[f"a[{i}]"] if i in (1, 2) else 0
    if kind == "if":
        return value(e[2] if value(e[1], env, strict, old) else e[3], env, strict, old)
    left = value(e[1], env, strict, old)
    if kind == "not":
        return not left
    if kind == "&&":
        return left and value(e[2], env, strict, old)
    if kind == "||":
        return left or value(e[2], env, strict, old)
    right = value(e[2], env, strict, old)
    if kind in ("/", "%") and right == 0:
        if strict:
            raise Fault
        return 0 if kind == "/" else left
    return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right, "/": lambda: divide(left, right),
            "%": lambda: left - right * divide(left, right), "<": lambda: left < right, "<=": lambda: left <= right, "=": lambda: left == right,
            "!=": lambda: left != right, "min": lambda: min(left, right), "max": lambda: max(left, right)}[kind]()


# ---- random ones ----

class Maker:
    """`layered`: a procedure calls only those declared before it, so that nothing is recursive."""

    def __init__(self, seed, layered):
        self.random = random.Random(seed)
        self.layered = layered
        self.lines = []
        self.asserts = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def number(self, names, depth=2):
        if depth == 0 or self.chance(35):
            return self.pick(("number", self.random.randrange(0, 4)), ("name", self.pick(*names)), ("name", self.pick(*names)))
        kind = self.pick("+", "-", "+", "-", "if", "min", "max", "/", "%", "*", "element")
        if kind == "element":
            return self.element(names)
        if kind == "if":
            return ("if", self.truth(names, depth - 1), self.number(names, depth - 1), self.number(names, depth - 1))
        if kind == "*":
            return ("*", ("number", self.random.randrange(0, 3)), self.number(names, depth - 1))
        if kind in ("/", "%") and self.chance(70):
            return (kind, self.number(names, depth - 1), ("number", self.random.randrange(1, 4)))
        right = ("name", self.pick(*names)) if kind in ("/", "%") else self.number(names, depth - 1)
        return (kind, self.number(names, depth - 1), right)

    def element(self, names):
        """A constant index outside the array would be refused."""
        return ("element", self.pick(("number", 1), ("number", 2), ("name", self.pick(*names))))

    def truth(self, names, depth=2):
        if depth and self.chance(25):
            return (self.pick("&&", "||"), self.truth(names, depth - 1), self.truth(names, depth - 1))
        if self.chance(15):
            return self.pick(("name", "flag"), ("not", ("name", "flag")))
        return (self.pick("<", "<=", "=", "!="), self.number(names, 1), self.number(names, 1))

    # Statements: text goes to `lines`, the tuple is what is run.

    def assignment(self, reads, writes, indent):
        target = self.pick(*writes, "flag", "a[..]")
        if target == "flag":
            made = ("assign", [(("name", "flag"), self.truth(reads))])
        elif target == "a[..]":
            made = ("assign", [(self.element(reads), self.number(reads))])
        elif self.chance(20) and len(writes) > 1:
            first, second = self.random.sample(writes, 2)
            made = ("assign", [(("name", first), self.number(reads)), (("name", second), self.number(reads))])
        else:
            made = ("assign", [(("name", target), self.number(reads))])
        self.line(indent, ", ".join(show(t) for t, _ in made[1]) + " := " + ", ".join(show(v) for _, v in made[1]))
        return made

    def call(self, reads, writes, indent, fuel, procedures):
        name = self.pick(*procedures)
        arguments = [fuel, self.number(reads, 1)]
        if self.chance(25):
            made = ("call", name, arguments, None)
            self.line(indent, f"{name}({', '.join(map(show, arguments))})")
        else:
            target = self.element(reads) if self.chance(15) else ("name", self.pick(*writes))
            made = ("call", name, arguments, target)
            self.line(indent, f"{show(target)} := {name}({', '.join(map(show, arguments))})")
        return made

    def assertion(self, reads, indent):
        self.asserts += 1
        made = ("assert", f"p{self.asserts}", self.truth(reads))
        self.line(indent, f"assert {made[1]}: {show(made[2])}")
        return made

    def line(self, indent, text):
        self.lines.append("  " * indent + text)

    def block(self, reads, writes, indent, depth, fuel, procedures, counter=None):
        return [self.statement(reads, writes, indent, depth, fuel, procedures, counter) for _ in range(self.random.randrange(1, 3))]

    def arms(self, kind, head, reads, writes, indent, depth, fuel, procedures, counter, between):
        self.line(indent, head + " {")
        first = self.block(reads, writes, indent + 1, depth - 1, fuel, procedures, counter)
        self.line(indent, "} " + between + " {")
        second = self.block(reads, writes, indent + 1, depth - 1, fuel, procedures, counter)
        self.line(indent, "}")
        return (kind, first, second)

    def statement(self, reads, writes, indent, depth, fuel, procedures, counter):
        kind = self.pick("assign", "assign", "assign", "assert", "if", "choose", "call", "call", "while", "assume", "return") if depth else "assign"
        if kind == "assert":
            return self.assertion(reads, indent)
        if kind == "if":
            condition = self.truth(reads)
            return ("if", condition) + self.arms("if", f"if {show(condition)}", reads, writes, indent, depth, fuel, procedures, counter, "else")[1:]
        if kind == "choose":
            return self.arms("choose", "choose", reads, writes, indent, depth, fuel, procedures, counter, "or")
        if kind == "assume" and self.chance(50):
            made = ("assume", self.truth(reads))
            self.line(indent, f"assume {show(made[1])}")
            return made
        if kind == "return" and self.chance(30):
            self.line(indent, "return")
            return ("return",)
        if kind == "call" and procedures:
            return self.guarded_call(reads, writes, indent, fuel, procedures)
        if kind == "while" and counter:
            return self.loop(reads, writes, indent, depth, fuel, procedures, counter)
        return self.assignment(reads, writes, indent)

    def guarded_call(self, reads, writes, indent, fuel, procedures):
        """Inside a procedure only with less fuel."""
        if fuel[0] == "number":
            return self.call(reads, writes, indent, fuel, procedures)
        self.line(indent, "if n > 0 {")
        made = self.call(reads, writes, indent + 1, ("-", ("name", "n"), ("number", 1)), procedures)
        self.line(indent, "}")
        return ("if", ("<", ("number", 0), ("name", "n")), [made], [])

    def loop(self, reads, writes, indent, depth, fuel, procedures, counter):
        self.line(indent, f"{counter} := 0")
        self.line(indent, f"while {counter} < 2 {{")
        self.line(indent + 1, f"{counter} := {counter} + 1")
        body = self.block(reads, writes, indent + 1, depth - 1, fuel, procedures)
        self.line(indent, "}")
        return ("loop", counter, body)

    # The parts of a model.

    def procedure(self, name, names):
        self.line(0, f"procedure {name}(n : 0..{DEPTH}, x : {self.types[name]}) returns (r : int)")
        reads, shared = ["n", "x", "r", "v", "g", "h"], ["n", "x", "g", "h"]
        made = {"requires": [], "ensures": [], "type": self.types[name]}
        if self.chance(30):
            made["requires"].append((self.pick("<", "<="), ("number", -2), self.number(shared, 1)))
        if self.chance(60):
            made["ensures"].append((self.pick("<", "<=", "="), self.pick(("old", ("name", "g")), ("name", "x"), ("number", 0)), self.number(["r", "x", "g"], 1)))
        for word in ("requires", "ensures"):
            for e in made[word]:
                self.line(1, f"{word} {show(e)}")
        made["first"] = self.number(shared, 1)
        self.line(0, "{")
        self.line(1, f"var v : int = {show(made['first'])}")
        self.line(1, "var i : int = 0")
        self.line(1, "r := x")
        self.line(1, "v := v")
        made["body"] = self.block(reads, ["r", "v", "g", "h"], 1, 2, ("name", "n"), names, "i")
        made["body"] += self.block(reads, ["r", "v", "g", "h"], 1, 2, ("name", "n"), names, "i")
        self.line(0, "}")
        return made

    def model(self):
        names = ["f", "k", "m"][:self.random.randrange(2, 4)] if self.layered else ["f", "k"][:self.random.randrange(1, 3)]
        self.types = {name: self.pick("int", "int", "0..3", "nat") for name in names}
        self.range = self.pick("int", "-3..3", "0..4")
        self.line(0, f"var g : {self.range} = {self.random.randrange(0, 3)}")
        self.line(0, "var h : int = 0")
        self.line(0, "var flag : bool")
        self.line(0, "var a : int[1..2] = 1")
        made = {"procedures": {name: self.procedure(name, names[:i] if self.layered else names) for i, name in enumerate(names)}}
        self.line(0, "program {")
        self.line(1, "var y : 0..2")
        self.line(1, "var j : int = 0")
        made["program"] = self.block(["y", "g", "h"], ["g", "h"], 1, 2, ("number", DEPTH), names, "j")
        made["program"].append(self.call(["y", "g", "h"], ["g", "h"], 1, ("number", DEPTH), names))
        made["program"].append(self.assertion(["y", "g", "h"], 1))
        self.line(0, "}")
        made["safe"] = self.truth(["g", "h"], 1) if self.chance(50) else None
        if made["safe"]:
            self.line(0, f"safe s: {show(made['safe'])}")
        made["text"] = "\n".join(self.lines) + "\n"
        made["range"], made["types"] = self.range, self.types
        made["first g"] = int(self.lines[0].split()[-1])
        return made


# ---- running them ----

SHARED = ("g", "h", "flag", "a[1]", "a[2]")


def fits(kind, number):
    if kind == "int":
        return True
    if kind == "nat":
        return number >= 0
    low, high = kind.split("..")
    return int(low) <= number <= int(high)


class Run:
    """All runs of a model: `broken` are the properties that one of them breaks."""

    def __init__(self, model):
        self.model, self.broken, self.steps = model, set(), 0
        self.can_fail = False

    def spend(self):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong

    def look(self, env):
        """A state that is reached."""
        self.spend()
        if self.model["safe"] and not value(self.model["safe"], env, False):
            self.broken.add("s")

    def type_of(self, name):
        return self.model["range"] if name == "g" else "int"

    def store(self, env, target, new):
        if target[0] == "element":
            i = value(target[1], env, True)
            if i not in (1, 2):
                raise Fault
            return f"a[{i}]", new
        if not isinstance(new, bool) and not fits(self.type_of(target[1]), new):
            raise Fault
        return target[1], new

    def assign(self, env, pairs):
        """The state after an assignment; no state if it fails."""
        try:
            stored = [self.store(env, target, value(e, env, True)) for target, e in pairs]
        except Fault:
            self.broken.add("no-runtime-error")
            return []
        after = dict(env)
        for name, new in stored:
            after[name] = new
        self.look(after)
        return [after]

    def test(self, env, e):
        try:
            return value(e, env, True)
        except Fault:
            self.broken.add("no-runtime-error")
            return None

    def statement(self, s, env):
        """Pairs: whether it returns, and the state after."""
        self.spend()
        kind = s[0]
        if kind == "assign":
            return [(False, after) for after in self.assign(env, s[1])]
        if kind == "return":
            return [(True, env)]
        if kind == "assume":
            return [(False, env)] if self.test(env, s[1]) else []
        if kind == "assert":
            if not value(s[2], env, False):
                self.broken.add(s[1])
            return [] if self.test(env, s[2]) is None else [(False, env)]
        if kind == "choose":
            return self.block(s[1], env) + self.block(s[2], env)
        if kind == "if":
            way = self.test(env, s[1])
            return [] if way is None else self.block(s[2] if way else s[3], env)
        if kind == "loop":
            return self.loop(s, env)
        return [(False, after) for after in self.call(s, env)]

    def loop(self, s, env):
        ends, states = [], [dict(env, **{s[1]: 0})]
        for turn in (1, 2):
            following = []
            for state in states:
                for returns, after in self.block(s[2], dict(state, **{s[1]: turn})):
                    (ends if returns else following).append((returns, after) if returns else after)
            states = following
        return ends + [(False, state) for state in states]

    def block(self, statements, env):
        states, ends = [env], []
        for s in statements:
            following = []
            for state in states:
                for returns, after in self.statement(s, state):
                    if returns:
                        ends.append((True, after))
                    else:
                        following.append(after)
            states = following
        return ends + [(False, state) for state in states]

    def call(self, s, env):
        _, name, arguments, target = s
        p = self.model["procedures"][name]
        try:
            n, x = (value(e, env, True) for e in arguments)
            if not fits(f"0..{DEPTH}", n) or not fits(p["type"], x):
                raise Fault
        except Fault:
            self.broken.add("no-runtime-error")
            return []
        results = []
        for after in self.activation(name, p, dict({v: env[v] for v in SHARED}, n=n, x=x)):
            back = dict(env, **{v: after[v] for v in SHARED})
            results += [back] if target is None else self.assign(back, [(target, ("number", after["r"]))])
        return results

    def activation(self, name, p, env):
        for e in p["requires"]:
            if not value(e, env, False):
                self.broken.add(f"{name}.requires")
        if not all(value(e, env, False) for e in p["requires"]):
            return []
        first = self.test(env, p["first"])
        if first is None:
            return []
        ends = []
        for _, after in self.block(p["body"], dict(env, v=first, i=0, r=env["x"])):
            good = [value(e, after, False, env) for e in p["ensures"]]
            if not all(good):
                self.broken.add(f"{name}.ensures")
            else:
                ends.append(after)
        return ends


def outcome(model):
    """The properties that are broken; None if there are too many runs to say."""
    run = Run(model)
    try:
        for flag in (False, True):
            for y in (0, 1, 2):
                env = {"g": model["first g"], "h": 0, "flag": flag, "a[1]": 1, "a[2]": 1, "y": y, "j": 0}
                run.look(env)
                run.block(model["program"], env)
    except TooLong:
        return None
    return run.broken


def model(seed, layered=False):
    return Maker(seed, layered).model()
