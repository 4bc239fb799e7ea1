"""Runs a C program straight from clang's tree, with given inputs: plain and slow, a second meaning of C that shares nothing with whet's reader.

    run = Run(program, choose); run.outcome() is "end", "cut", "no-overflow", "division", "valid-deref" or "unreach-call"

`choose(name, low, high)` gives each input: results of functions without a body by their names, and `any x` for what a variable without an
initial value holds. `run.watch(lines, look)` calls `look(line, run)` at statements of these lines, at heads of loops and after calls."""
import re
import sys
from collections import Counter, namedtuple

from c_tree import NotRead

sys.setrecursionlimit(20000)

Place = namedtuple("Place", "thing base count index type")  # cell `index` of the `count` ones of `type` that start at byte `base`
Code = namedtuple("Code", "name")                          # a pointer to a function

ENDS = {"abort", "exit", "_exit", "_Exit", "quick_exit"}
ERRORS = {"reach_error", "__VERIFIER_error", "__assert_fail"}
PRINTS = {"printf", "fprintf", "puts", "putchar", "fputs", "fflush", "perror"}


class Thing:
    """A variable or a block of memory: values of its scalars by their byte."""

    def __init__(self, name, type_, size):
        self.name, self.type, self.size, self.cells, self.gone, self.is_constant = name, type_, size, {}, False, False
        self.unset = set()  # bytes of scalars that nobody has given a value


class Stop(Exception):
    """The run is over: why."""


class Jump(Exception):
    """break, continue, or goto the node `target`."""

    def __init__(self, kind, target=None):
        Exception.__init__(self)
        self.kind, self.target = kind, target


class Return(Exception):
    def __init__(self, value):
        Exception.__init__(self)
        self.value = value


def limits(t):
    if t[0] == "bool":
        return 0, 1
    return (-(1 << t[1] - 1), (1 << t[1] - 1) - 1) if t[2] else (0, (1 << t[1]) - 1)


def fit(value, t):
    """Conversion to an integer type."""
    if t[0] == "bool":
        return int(value != 0)
    value &= (1 << t[1]) - 1
    return value - (1 << t[1]) if t[2] and value >> t[1] - 1 else value


def parts(node):
    return [i for i in node.get("inner", []) if i.get("kind") not in (None, "FullComment")]


def inside(node):
    """Ids of all nodes of a tree, kept with it."""
    if "_inside" not in node:
        node["_inside"] = {node.get("id")}
        for inner in node.get("inner", []):
            node["_inside"] |= inside(inner)
    return node["_inside"]


class Memory:
    """Reading and writing at places."""

    def __init__(self, types, choose):
        self.types, self.choose = types, choose
        self.has_read_unset = False

    def make(self, name, t):
        return Thing(name, t, self.types.size(t))

    def whole(self, thing):
        return Place(thing, 0, 1, 0, thing.type)

    def address(self, place):
        """Its byte, if the place is there."""
        if place is None or isinstance(place, Code):
            raise Stop("valid-deref")
        if place.thing.gone or not 0 <= place.index < place.count:
            raise Stop("valid-deref")
        return place.base + place.index * self.types.size(place.type)

    def load(self, place):
        at = self.address(place)
        if place.type[0] == "struct":  # the value is a copy: it stays when the variable changes or is gone
            value = self.whole(self.make("value", place.type))
            self.copy(value, place)
            return value
        if at not in place.thing.cells:
            raise NotRead("memory is read as another type, or a pointer that was never set")
        self.has_read_unset |= at in place.thing.unset
        value, t = place.thing.cells[at]
        if t != place.type and (t[0] != "pointer" or place.type[0] != "pointer"):
            raise NotRead("memory is read as another type")
        return value

    def store(self, place, value):
        at = self.address(place)
        if place.thing.is_constant:  # a text in quotes
            raise Stop("valid-deref")
        if place.type[0] == "struct":
            self.copy(place, value)
        else:
            place.thing.cells[at] = (value, place.type)
            place.thing.unset.discard(at)

    def copy(self, to, source):
        start, end, size = self.address(to), self.address(source), self.types.size(to.type)
        moved = {at - end + start: v for at, v in source.thing.cells.items() if end <= at < end + size}
        unset = {at - end + start for at in source.thing.unset if end <= at < end + size}
        to.thing.cells.update(moved)
        to.thing.unset = {at for at in to.thing.unset if not start <= at < start + size} | unset

    def scalars(self, t, at, name):
        """(byte, type, name) of each scalar of a type."""
        if t[0] == "array":
            if t[2] is None:
                raise NotRead("array of variable length")
            for i in range(t[2]):
                yield from self.scalars(t[1], at + i * self.types.size(t[1]), f"{name}[{i}]")
        elif t[0] == "struct":
            for field, inner, offset in self.types.fields(t[1]):
                yield from self.scalars(inner, at + offset, f"{name}.{field}")
        else:
            yield at, t, name

    def zero(self, place):
        for at, t, _ in self.scalars(place.type, self.address(place), ""):
            place.thing.cells[at] = (0 if t[0] in ("int", "bool") else None, t)

    def anything(self, thing):
        for at, t, _ in self.scalars(thing.type, 0, ""):
            if t[0] in ("int", "bool"):
                thing.cells[at] = (self.choose("any " + thing.name, *limits(t)), t)
                thing.unset.add(at)


class Run:
    def __init__(self, program, choose, work=200000):
        self.program, self.types, self.work = program, program.types, work
        self.memory = Memory(program.types, choose)
        self.choose = choose
        self.frames, self.globals = [{}], {}
        self.lines, self.look, self.heads = {}, None, Counter()  # how often which line was at the head of a loop
        self.calls = []  # listener for calls and returns
        self.texts, self.chosen = {}, []  # the variables that texts in quotes are; what stands before `?:`, of those under way
        self.has_errors = any(self.mentions(f, ERRORS - {"__assert_fail"}) for f in program.functions.values())

    def watch(self, lines, look):
        self.lines, self.look = lines, look

    def outcome(self):
        try:
            self.start()
            self.call_body("main", [])
            return "end"
        except Stop as why:
            return str(why)
        except RecursionError:
            return "cut"

    def mentions(self, node, names):
        if node.get("kind") == "DeclRefExpr" and node["referencedDecl"].get("name") in names:
            return True
        return any(self.mentions(i, names) for i in node.get("inner", []))

    def start(self):
        given = {}
        for node in self.program.globals:
            if node.get("inner") or node.get("storageClass") != "extern" or node["name"] not in given:
                given[node["name"]] = node if node.get("inner") or node["name"] not in given else given[node["name"]]
        for node in self.program.globals:  # every declaration of a name is the same variable
            chosen = given[node["name"]]
            if not self.is_used(node["name"]):
                continue
            if node["name"] not in self.globals:
                self.globals[node["name"]] = thing = self.memory.make(node["name"], self.types.of(chosen))
                only_declared = all(n.get("storageClass") == "extern" and not n.get("inner") for n in self.program.globals
                                    if n["name"] == node["name"])
                if only_declared:
                    self.memory.anything(thing)
                else:
                    self.memory.zero(self.memory.whole(thing))
            self.frames[0][node["id"]] = self.globals[node["name"]]
        for function in self.program.functions.values():
            self.make_statics(function)
        for name, node in given.items():
            if node.get("inner") and name in self.globals:
                self.initialise(self.memory.whole(self.globals[name]), parts(node)[0])

    def is_used(self, name):
        return any(self.mentions(f, {name}) for f in [*self.program.functions.values(), *self.program.globals])

    def make_statics(self, node):
        """Static variables of a function are there from the start."""
        if node.get("kind") == "RecordDecl":
            self.program.declare(node)
        if node.get("kind") == "VarDecl" and node.get("storageClass") == "static":
            self.frames[0][node["id"]] = thing = self.memory.make(node["name"], self.types.of(node))
            self.memory.zero(self.memory.whole(thing))
            if parts(node):
                self.initialise(self.memory.whole(thing), parts(node)[0])
        for inner in node.get("inner", []):
            self.make_statics(inner)

    # ---- statements ----

    def spend(self, amount=1):
        self.work -= amount
        if self.work < 0:
            raise Stop("cut")

    def notice(self, node):
        if self.look:
            line = self.program.line(node)
            if line in self.lines:
                self.look(line, self)

    def execute(self, node, seek=None):
        """Runs a statement; with `seek`, from the node of that id on, or nothing if that is not inside it."""
        self.spend()
        if seek and seek not in inside(node):
            return
        if not seek:
            self.notice(node)
        rule = getattr(self, "do_" + node["kind"], None)
        if rule:
            rule(node, seek)
        elif node["kind"].endswith("Stmt"):
            raise NotRead(node["kind"])
        else:
            self.value(node)
        self.notice(node)

    def do_NullStmt(self, node, seek):
        pass

    def do_CompoundStmt(self, node, seek):
        for inner in parts(node):
            if seek and seek not in inside(inner):
                continue
            self.execute(inner, seek)
            seek = None

    def do_DeclStmt(self, node, seek):
        for inner in parts(node):
            if inner["kind"] == "VarDecl":
                self.declare(inner)
            else:
                self.program.declare(inner)

    def do_IfStmt(self, node, seek):
        inner = parts(node)
        if len(inner) > 3 or node.get("hasVar") or node.get("hasInit"):
            raise NotRead("if with a declaration")
        if seek:
            for branch in inner[1:]:
                self.execute(branch, seek)
        elif self.truth(inner[0]):
            self.execute(inner[1])
        elif len(inner) > 2:
            self.execute(inner[2])

    def loop(self, node, condition, body, step, seek, first=True):
        """`first`: whether the condition is evaluated before the first round."""
        while True:
            if not seek:
                self.heads[self.program.line(node)] += 1
                self.notice(node)
                if first and condition and not self.truth(condition):
                    return
            try:
                self.execute(body, seek)
            except Jump as j:
                if j.kind == "break":
                    return
                if j.kind != "continue":
                    raise
            seek = None
            if step:
                self.value(step)
            if not first and condition and not self.truth(condition):
                return

    def do_WhileStmt(self, node, seek):
        condition, body = parts(node)[-2:]
        self.loop(node, condition, body, None, seek)

    def do_DoStmt(self, node, seek):
        body, condition = parts(node)
        self.loop(node, condition, body, None, seek, first=False)

    def do_ForStmt(self, node, seek):
        init, _, condition, step, body = node["inner"]
        if init.get("kind") and not seek:
            self.execute(init)
        self.loop(node, condition if condition.get("kind") else None, body, step if step.get("kind") else None, seek)

    def do_SwitchStmt(self, node, seek):
        condition, body = parts(node)[-2:]
        if not seek:
            seek = self.choose_case(body, self.value(condition), self.types.of(condition))
            if not seek:
                return
        try:
            self.execute(body, seek)
        except Jump as j:
            if j.kind != "break":
                raise

    def choose_case(self, node, value, t):
        """The id of the case of this switch for a value, or of its default."""
        default = None
        stack = [node]
        while stack:
            n = stack.pop()
            if n.get("kind") == "SwitchStmt":
                continue
            if n.get("kind") == "CaseStmt":
                low = fit(self.constant(parts(n)[0]), t)
                high = fit(self.constant(parts(n)[1]), t) if n.get("isGNURange") else low
                if low <= value <= high:
                    return n["id"]
            if n.get("kind") == "DefaultStmt":
                default = n["id"]
            stack += reversed(parts(n))
        return default

    def constant(self, node):
        while node["kind"] in ("ConstantExpr", "ImplicitCastExpr", "ParenExpr") and "value" not in node:
            node = parts(node)[0]
        return int(node["value"]) if node["kind"] == "ConstantExpr" else self.value(node)

    def do_CaseStmt(self, node, seek):
        self.execute(parts(node)[-1], None if seek == node["id"] else seek)

    do_DefaultStmt = do_CaseStmt

    def do_LabelStmt(self, node, seek):
        if node.get("name") == "ERROR" and not self.has_errors and (not seek or seek == node["id"]):
            raise Stop("unreach-call")
        self.notice(node)
        self.execute(parts(node)[0], None if seek in (None, node["id"]) else seek)

    def do_GotoStmt(self, node, seek):
        raise Jump("goto", node["targetLabelDeclId"])

    def do_BreakStmt(self, node, seek):
        raise Jump("break")

    def do_ContinueStmt(self, node, seek):
        raise Jump("continue")

    def do_ReturnStmt(self, node, seek):
        raise Return(self.value(parts(node)[0]) if parts(node) else None)

    def declare(self, node):
        t = self.types.of(node)
        if node.get("storageClass") == "extern":
            self.frames[-1][node["id"]] = self.globals[node["name"]]
            return
        if node.get("storageClass") == "static":
            return
        self.frames[-1][node["id"]] = thing = self.memory.make(node["name"], t)
        if parts(node):
            self.initialise(self.memory.whole(thing), parts(node)[0])
        else:
            self.memory.anything(thing)

    def initialise(self, place, node):
        if node["kind"] == "InitListExpr" and place.type[0] in ("array", "struct"):
            self.initialise_list(place, node)
        elif node["kind"] == "ImplicitValueInitExpr":
            self.memory.zero(place)
        elif place.type[0] == "array":
            self.initialise_text(place, node)
        else:
            self.memory.store(place, self.value(parts(node)[0] if node["kind"] == "InitListExpr" else node))

    def initialise_list(self, place, node):
        base = self.memory.address(place)
        self.memory.zero(place)
        given = node["array_filler"][1:] if "array_filler" in node else node.get("inner", [])  # the first is what the rest is filled with
        if place.type[0] == "array":
            for i, inner in enumerate(given[:place.type[2]]):
                self.initialise(Place(place.thing, base, place.type[2], i, place.type[1]), inner)
            return
        for (_, t, offset), inner in zip(self.types.fields(place.type[1]), given):
            self.initialise(Place(place.thing, base + offset, 1, 0, t), inner)

    def initialise_text(self, place, node):
        while node["kind"] in ("ParenExpr", "InitListExpr", "ImplicitCastExpr"):
            node = parts(node)[0]
        if node["kind"] != "StringLiteral":
            raise NotRead("this initial value: " + node["kind"])
        base, text = self.memory.address(place), self.text(node)
        for i in range(place.type[2]):
            place.thing.cells[base + i] = (fit(text[i] if i < len(text) else 0, place.type[1]), place.type[1])

    def text(self, node):
        import ast
        return ast.literal_eval("b" + node["value"])

    # ---- functions ----

    def call_body(self, name, arguments):
        function = self.program.functions[name]
        if len(self.frames) > 150:
            raise Stop("cut")
        frame = {}
        parameters = [i for i in parts(function) if i["kind"] == "ParmVarDecl"]
        if name == "main" and not arguments:
            arguments = [None] * len(parameters)
            if parameters:
                raise NotRead("main has parameters")
        for parameter, value in zip(parameters, arguments):
            t = self.types.of(parameter)
            frame[parameter["id"]] = thing = self.memory.make(parameter.get("name", ""), t)
            self.memory.store(self.memory.whole(thing), fit(value, t) if t[0] in ("int", "bool") else value)
        self.frames.append(frame)
        try:
            return self.run_body(next(i for i in parts(function) if i["kind"] == "CompoundStmt"))
        finally:
            self.frames.pop()
            for thing in frame.values():
                thing.gone = thing not in self.globals.values()

    def run_body(self, body):
        seek = None
        while True:
            try:
                self.do_CompoundStmt(body, seek)
                return Ellipsis  # nothing was returned
            except Return as r:
                return r.value
            except Jump as j:
                seek = self.label(body, j.target)

    def label(self, node, declaration):
        if node.get("kind") == "LabelStmt" and node.get("declId") == declaration:
            return node["id"]
        for inner in node.get("inner", []):
            found = self.label(inner, declaration)
            if found:
                return found
        return None

    def call(self, node):
        callee, *arguments = parts(node)
        name = self.callee(callee)
        t = self.types.of(node)
        if name in ERRORS:
            raise Stop("unreach-call")
        if name in self.program.functions:
            values = [self.value(a) for a in arguments]
            for hear in self.calls:
                hear("call", name, values)
            result = self.call_body(name, values)
            result = self.anything(t) if result is Ellipsis else result
            for hear in self.calls:
                hear("return", name, result)
            self.notice(node)
            return result
        return self.library(name, node, arguments, t)

    of_CallExpr = call

    def anything(self, t):
        return self.choose("any result", *limits(t)) if t[0] in ("int", "bool") else None

    def callee(self, node):
        while node["kind"] in ("ImplicitCastExpr", "ParenExpr") and node.get("castKind") != "LValueToRValue":
            node = parts(node)[0]
        if node["kind"] == "DeclRefExpr" and node["referencedDecl"]["kind"] == "FunctionDecl":
            return node["referencedDecl"]["name"]
        value = self.value(node)
        if not isinstance(value, Code):
            raise Stop("valid-deref")
        return value.name

    def library(self, name, node, arguments, t):
        if name in ENDS:
            raise Stop("end")
        if name in ("__VERIFIER_assume", "assume", "assume_abort_if_not"):
            if not self.truth(arguments[0]):
                raise Stop("end")
            return None
        if name in ("__VERIFIER_assert", "assert"):
            if not self.truth(arguments[0]):
                raise Stop("unreach-call")
            return None
        if name in PRINTS:
            for a in arguments:
                if self.types.of(a)[0] != "pointer":
                    self.value(a)
            return self.anything(t)
        if name.startswith("__builtin_") and name[10:] in ("memset", "memcpy", "memmove"):
            name = name[10:]
        rule = getattr(self, "library_" + name, None)
        values = [self.value(a) for a in arguments]
        checked = re.fullmatch(r"__builtin_([us]?)(add|sub|mul)(l?l?)_overflow", name)
        if checked:
            return self.overflows(checked.group(2), *values)
        if rule:
            return rule(values, t)
        if t[0] == "void":
            return None
        if t[0] not in ("int", "bool"):
            raise NotRead("the result of " + name)
        return self.choose(name, *limits(t))

    def overflows(self, does, a, b, place):
        exact = {"add": a + b, "sub": a - b, "mul": a * b}[does]
        self.memory.address(place)
        if place.type[0] != "int":
            raise NotRead("a result that is no integer")
        self.memory.store(place, fit(exact, place.type))
        return int(fit(exact, place.type) != exact)

    def library_abs(self, values, t):
        if values[0] == limits(t)[0]:
            raise Stop("no-overflow")
        return abs(values[0])

    library_labs = library_llabs = library_abs

    def library___builtin_expect(self, values, t):
        return values[0]

    def library_rand(self, values, t):
        return self.choose("rand", 0, 2 ** 31 - 1)

    def library_getchar(self, values, t):
        return self.choose("getchar", -1, 255)

    def library_srand(self, values, t):
        return None

    def library_malloc(self, values, t):
        thing = Thing("malloc", ("void",), values[0])
        return Place(thing, 0, values[0], 0, ("void",))

    def library_calloc(self, values, t):
        raise NotRead("calloc")

    def library_realloc(self, values, t):
        raise NotRead("realloc")

    library_alloca = library___builtin_alloca = library_setjmp = library__setjmp = library_pthread_create = library_fork = library_realloc

    def library_free(self, values, t):
        if values[0] is not None:
            if values[0].thing.gone or values[0].thing.name != "malloc" or values[0].base or values[0].index:
                raise Stop("valid-free")
            values[0].thing.gone = True

    def library_memset(self, values, t):
        to, byte, size = values
        byte &= 255
        for at, kind in self.cells_of(to, size):
            if kind[0] != "int":
                raise NotRead("memset of something else than integers")
            to.thing.cells[at] = (fit(int.from_bytes(bytes([byte]) * (kind[1] // 8), "little"), kind), kind)
            to.thing.unset.discard(at)
        return to

    def library_memcpy(self, values, t):
        to, source, size = values
        wanted = self.cells_of(to, size)
        start, end = self.byte(to), self.byte(source)
        given = {at - end: source.thing.cells[at] for at, _ in self.cells_of(source, size)}
        for at, kind in wanted:
            if given.get(at - start, (0, None))[1] != kind:
                raise NotRead("memcpy between types")
        unset = {at - end for at in source.thing.unset}
        for at, _ in wanted:
            to.thing.cells[at] = given[at - start]
            to.thing.unset = to.thing.unset - {at} | ({at} if at - start in unset else set())
        return to

    library_memmove = library_memcpy

    def byte(self, place):
        return place.base + place.index * self.types.size(place.type)

    def cells_of(self, place, size):
        if place is None or place.thing.gone:
            raise Stop("valid-deref")
        start = self.byte(place)
        if place.thing.type == ("void",):
            raise NotRead("memory functions on the heap")
        last = place.base + place.count * self.types.size(place.type)
        if size and not (place.base <= start and start + size <= last):
            raise Stop("valid-deref")
        cells = [(at, t) for at, t, _ in self.memory.scalars(place.thing.type, 0, "") if start <= at < start + size]
        if sum(self.types.size(t) for _, t in cells) > size:
            raise NotRead("part of a number")
        return cells

    # ---- expressions ----

    def truth(self, node):
        value = self.value(node)
        return value is not None and value != 0

    def value(self, node):
        self.spend()
        rule = getattr(self, "of_" + node["kind"], None)
        if not rule:
            raise NotRead(node["kind"])
        return rule(node)

    def of_inner(self, node):
        return self.value(parts(node)[0])

    of_ParenExpr = of_ConstantExpr = of_FullExpr = of_ExprWithCleanups = of_inner

    def of_IntegerLiteral(self, node):
        return int(node["value"])

    def of_CharacterLiteral(self, node):
        return fit(node["value"], self.types.of(node))

    def of_ImplicitValueInitExpr(self, node):
        return 0 if self.types.of(node)[0] in ("int", "bool") else None

    def of_InitListExpr(self, node):
        return self.value(parts(node)[0])

    def of_UnaryExprOrTypeTraitExpr(self, node):
        if node.get("name") != "sizeof":
            raise NotRead(node.get("name", "type trait"))
        return self.types.size(self.types.named(node["argType"]["qualType"]) if "argType" in node else self.types.of(parts(node)[0]))

    def of_StmtExpr(self, node):
        result = None
        for inner in parts(parts(node)[0]):
            result = self.value(inner) if not inner["kind"].endswith("Stmt") or inner["kind"] == "StmtExpr" else self.execute(inner)
        return result

    def of_DeclRefExpr(self, node):
        """A place, or a number of an enumeration."""
        of = node["referencedDecl"]
        if of["kind"] == "EnumConstantDecl":
            return self.program.enumerators[of["id"]]
        if of["kind"] == "FunctionDecl":
            return Code(of["name"])
        for frame in (self.frames[-1], self.frames[0]):
            if of["id"] in frame:
                return self.memory.whole(frame[of["id"]])
        raise NotRead("variable " + of.get("name", "?"))

    def of_BinaryConditionalOperator(self, node):
        """a ?: b. Clang names the value of a twice more; casts may be around the second one."""
        first, _, chosen, other = parts(node)
        value = self.value(first)
        if value is None or value == 0:
            return self.value(other)
        self.chosen.append(value)
        value = self.value(chosen)
        self.chosen.pop()
        return value

    def of_OpaqueValueExpr(self, node):
        return self.chosen[-1]

    def of_StringLiteral(self, node):
        t = self.types.of(node)
        if node["id"] in self.texts:
            return self.memory.whole(self.texts[node["id"]])
        self.texts[node["id"]] = thing = self.memory.make("text", t)
        thing.is_constant = True
        for i, c in enumerate((self.text(node) + b"\0")[:t[2]]):
            thing.cells[i] = (fit(c, t[1]), t[1])
        return self.memory.whole(thing)

    def of_ArraySubscriptExpr(self, node):
        pointer, index = [self.value(i) for i in parts(node)]
        if isinstance(pointer, int):
            pointer, index = index, pointer
        if pointer is None:
            raise Stop("valid-deref")
        return pointer._replace(index=pointer.index + index)

    def of_MemberExpr(self, node):
        place = self.value(parts(node)[0])
        base = self.memory.address(place)
        for name, t, offset in self.types.fields(place.type[1]):
            if name == node["name"]:
                member = Place(place.thing, base + offset, 1, 0, t)
                return self.memory.load(member) if node.get("valueCategory") == "prvalue" and t[0] != "array" else member
        raise NotRead("member " + node["name"])

    def of_ImplicitCastExpr(self, node):
        kind, inner = node["castKind"], parts(node)[0]
        if kind == "ToVoid":
            self.value(inner)
            return None
        value = self.value(inner)
        t = self.types.of(node)
        if kind == "LValueToRValue":
            return self.memory.load(value)
        if kind in ("IntegralCast", "IntegralToBoolean", "BooleanToSignedIntegral"):
            return fit(value, t)
        if kind in ("NoOp", "FunctionToPointerDecay", "BuiltinFnToFnPtr"):
            return value
        if kind == "ArrayToPointerDecay":
            if value.type[0] != "array":
                raise NotRead("array parameter")
            return Place(value.thing, self.memory.address(value), value.type[2], 0, value.type[1])
        if kind == "NullToPointer":
            return None
        if kind == "PointerToBoolean":
            return int(value is not None)
        if kind == "BitCast":
            return self.repoint(value, t)
        if kind == "IntegralToPointer" and value == 0:
            return None
        raise NotRead("conversion " + kind)

    of_CStyleCastExpr = of_ImplicitCastExpr

    def repoint(self, pointer, t):
        if pointer is None or isinstance(pointer, Code) or t[0] != "pointer" or pointer.type == t[1]:
            return pointer
        size, at = self.types.size(t[1]), self.byte(pointer)
        if pointer.thing.type == ("void",) and pointer.base == 0 and at % size == 0:
            return Place(pointer.thing, 0, pointer.thing.size // size, at // size, t[1])
        if t[1] == ("void",) or pointer.type == ("void",):
            if pointer.type == ("void",):
                raise NotRead("void * to a variable")
            return pointer
        raise NotRead("a pointer to another type")

    def of_UnaryOperator(self, node):
        opcode, inner = node["opcode"], parts(node)[0]
        t = self.types.of(node)
        if opcode in ("++", "--"):
            return self.step(node, inner, t)
        if opcode == "&":
            return self.value(inner)
        value = self.value(inner)
        if opcode == "*":
            return value
        if opcode == "!":
            return int(value is None or value == 0)
        if opcode == "-":
            return self.arithmetic(-value, t)
        if opcode == "~":
            return fit(~value, t)
        if opcode in ("+", "__extension__"):
            return value
        raise NotRead("operator " + opcode)

    def step(self, node, inner, t):
        place = self.value(inner)
        old = self.memory.load(place)
        by = 1 if node["opcode"] == "++" else -1
        if t[0] == "pointer":
            new = self.operate_on_pointers("+", old, by)
        elif t[0] == "bool" or t[1] < 32:
            new = fit(old + by, t)  # as int, then cut off
        else:
            new = self.arithmetic(old + by, t)
        self.memory.store(place, new)
        return old if node.get("isPostfix") else new

    def arithmetic(self, value, t):
        low, high = limits(t)
        if t[2] and not low <= value <= high:
            raise Stop("no-overflow")
        return fit(value, t)

    def of_ConditionalOperator(self, node):
        condition, yes, no = parts(node)
        return self.value(yes if self.truth(condition) else no)

    def of_BinaryOperator(self, node):
        opcode = node["opcode"]
        left, right = parts(node)
        if opcode == "=":
            place = self.value(left)
            value = self.value(right)
            if place is not None and place.type[0] == "bool":
                value = int(value)
            self.memory.store(place, value)
            return value
        if opcode == ",":
            self.value(left)
            return self.value(right)
        if opcode == "&&":
            return int(self.truth(left) and self.truth(right))
        if opcode == "||":
            return int(self.truth(left) or self.truth(right))
        return self.operate(opcode, self.value(left), self.value(right), self.types.of(node))

    def of_CompoundAssignOperator(self, node):
        left, right = parts(node)
        place = self.value(left)
        given = self.value(right)
        old = self.memory.load(place)
        t = self.types.of(node)
        if t[0] == "pointer":
            new = self.operate(node["opcode"][:-1], old, given, t)
        else:
            within = self.types.named(node["computeResultType"]["qualType"])
            start = self.types.named(node["computeLHSType"]["qualType"])
            new = fit(self.operate(node["opcode"][:-1], fit(old, start), given, within), t)
        self.memory.store(place, new)
        return new

    def operate(self, opcode, a, b, t):
        if not isinstance(a, int) or not isinstance(b, int):
            return self.operate_on_pointers(opcode, a, b)
        if opcode in ("==", "!=", "<", ">", "<=", ">="):
            return int({"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[opcode])
        if opcode in ("/", "%"):
            return self.divide(opcode, a, b, t)
        if opcode in ("<<", ">>"):
            return self.shift(opcode, a, b, t)
        if opcode in ("&", "|", "^"):
            return fit({"&": a & b, "|": a | b, "^": a ^ b}[opcode], t)
        return self.arithmetic({"+": a + b, "-": a - b, "*": a * b}[opcode], t)

    def divide(self, opcode, a, b, t):
        if b == 0:
            raise Stop("division")
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        whole = self.arithmetic(quotient, t)  # of the least number and -1, the remainder is undefined too
        return whole if opcode == "/" else a - b * quotient

    def shift(self, opcode, a, b, t):
        if not 0 <= b < t[1]:
            raise Stop("no-overflow")
        if opcode == ">>":
            return a >> b
        if t[2] and a < 0:
            raise Stop("no-overflow")
        return self.arithmetic(a << b, t)

    def operate_on_pointers(self, opcode, a, b):
        if isinstance(a, int):
            a, b = b, a
        if isinstance(b, int):
            if not isinstance(a, Place) or opcode not in "+-":
                raise NotRead("pointer arithmetic")
            return a._replace(index=a.index + (b if opcode == "+" else -b))
        if opcode in ("==", "!="):
            return int(self.same(a, b) == (opcode == "=="))
        if not isinstance(a, Place) or not isinstance(b, Place) or a.thing is not b.thing:
            raise NotRead("comparison of pointers into different objects")
        if opcode == "-":
            return (self.byte(a) - self.byte(b)) // self.types.size(a.type)
        return self.operate(opcode, self.byte(a), self.byte(b), ("int", 64, True))

    def same(self, a, b):
        if isinstance(a, Place) and isinstance(b, Place):
            return a.thing is b.thing and self.byte(a) == self.byte(b)
        return a == b

    # ---- what can be seen ----

    def values(self):
        """name -> the values that variables of this name hold now."""
        found = {}
        for frame in self.frames:
            for thing in frame.values():
                if thing.type[0] == "pointer":
                    continue
                for at, t, name in self.memory.scalars(thing.type, 0, thing.name):
                    if t[0] in ("int", "bool") and at in thing.cells:
                        found.setdefault(name, set()).add(thing.cells[at][0])
        return found
