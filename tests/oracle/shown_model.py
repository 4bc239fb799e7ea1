"""What `whet show` and `whet simulate` print of a C program, read with second_parser.py: edges as Python functions, and runs."""
import re

from second_parser import Parser
from second_reading import total_divide, total_remainder

ERRORS = {"overflow": "no-overflow", "division": "division", "outside": "valid-deref", "error": "unreach-call"}
INPUT = r"((?:any )?[\w.\[\]]+)(?:!\d+)? = (-?\d+)"


def stem(name):
    """Without what whet puts behind a name to make it unique."""
    return re.sub(r"!\d+$", "", name)


def written(tree):
    """The name of a cell as one word: `a[0]`, `s.x`."""
    if tree[0] == "name":
        return tree[1]
    if tree[0] == "field":
        return f"{written(tree[1])}.{tree[2]}"
    if tree[0] == "index" and tree[2][0] == "constant":
        return f"{written(tree[1])}[{tree[2][1]}]"
    raise SyntaxError(f"{tree[0]} is beyond this reading")


def names_in(tree, found):
    if isinstance(tree, tuple) and tree[0] in ("name", "index", "field"):
        found.add(written(tree))
    elif isinstance(tree, (tuple, list)):
        for part in tree:
            names_in(part, found)
    return found


def code(tree):
    """Python for an expression over the dictionary `v`."""
    kind = tree[0]
    if kind == "constant":
        return repr(tree[1])
    if kind in ("name", "index", "field"):
        return f"v[{written(tree)!r}]"
    if kind in ("and", "or"):
        return f"({code(tree[1])} {kind} {code(tree[2])})"
    if kind == "implies":
        return f"(not {code(tree[1])} or {code(tree[2])})"
    if kind == "not":
        return f"(not {code(tree[1])})"
    if kind == "negate":
        return f"(-{code(tree[1])})"
    if kind == "if":
        return f"({code(tree[2])} if {code(tree[1])} else {code(tree[3])})"
    if kind == "strict" and tree[1] in ("/", "%"):
        return f"{'total_divide' if tree[1] == '/' else 'total_remainder'}({code(tree[2])}, {code(tree[3])})"
    if kind == "strict":
        return f"({code(tree[2])} {tree[1]} {code(tree[3])})"
    if kind == "at":
        return f"(v['program'] == {tree[2]!r})"
    if kind == "call":
        return f"{tree[1]}({', '.join(map(code, tree[2]))})"
    if kind == "let":
        return let(tree)
    raise SyntaxError(f"{kind} is beyond this reading")


def let(tree):
    return f"(lambda v: {code(tree[2])})(type(v)(v | {{{', '.join(f'{name!r}: {code(value)}' for name, value in tree[1])}}}))"


class Values(dict):
    """Values of names; those of definitions are computed when they are asked for."""
    definitions = {}

    def __missing__(self, name):
        self[name] = self.definitions[name](self)
        return self[name]


def compiled(tree):
    try:
        return eval("lambda v: " + code(tree), {"total_divide": total_divide, "total_remainder": total_remainder})
    except (RecursionError, MemoryError) as error:
        raise SyntaxError("too deep for Python") from error


class Edge:
    def __init__(self, parts):
        self.start, self.end, inputs, guard, _, updates = parts
        self.inputs = [(name, stem(name)) for name, _ in inputs]
        self.guard, self.updates = compiled(guard), [(written(target), compiled(value)) for target, value in updates]
        own = {name for name, _ in inputs}
        self.reads = names_in([guard, [value for _, value in updates]], set()) - own

    def takes(self, given):
        """Whether the next inputs are those of this edge; None if too few are known."""
        known = given[:len(self.inputs)]
        if any(name != wanted for (_, wanted), (name, _) in zip(self.inputs, known)):
            return False
        return None if len(known) < len(self.inputs) else True


class Shown:
    """The transition system that `whet show` prints."""

    def __init__(self, text):
        lines = [re.sub(r"^  \|.*\|: (\w+ -> \w+)", r"  \1", line) for line in text.split("\n") if line != "flat"]  # without names of steps
        module = Parser("\n".join(lines)).module()
        self.names = [name for d in module if d[0] == "var" for name in d[1]]
        defined = {d[1]: d[2] for d in module if d[0] == "define"}
        self.values = type("Own", (Values,), {"definitions": {name: compiled(tree) for name, tree in defined.items()}})
        self.defined = {}
        for name, tree in defined.items():  # each after those that it uses
            self.defined[name] = set().union(*[self.defined.get(n, {n}) for n in names_in(tree, set())])
        process = next((d for d in module if d[0] == "process"), None)
        if not process or process[1] != "program":
            raise SyntaxError("clauses that have become a transition system")
        self.states = process[4]
        self.leaving = {state: [] for state in self.states}
        for parts in process[5]:
            edge = Edge(parts)
            self.leaving[edge.start].append(edge)
        self.first = {name: 0 for name in self.names} | {"program": "start"}
        for init in (e for d in module if d[0] == "init" for e in d[1]):
            assert compiled(init)(self.values(self.first)), "the first state is not all zero"

    def reads(self, place):
        """Variables that a step from there looks at."""
        return {n for e in self.leaving[place] for name in e.reads for n in self.defined.get(name, {name})}

    def follow(self, given):
        """The run with these inputs, (name, value): its states, each with the number of inputs before it; and the error it comes to, "stuck" if no
        edge can be taken, None if more inputs would be needed."""
        state, taken, states = dict(self.first), 0, []
        while True:
            states.append((taken, state))
            if state["program"] in ERRORS:
                return states, ERRORS[state["program"]]
            edges, short = self.enabled(state, given[taken:])
            assert len(edges) <= 1, f"several steps with the same inputs from {state}: {[e.end for e in edges]}"
            if not edges:
                return states, None if short else "stuck"
            edge = edges[0]
            values = self.with_inputs(state, edge, given[taken:])
            state = state | {name: value(values) for name, value in edge.updates} | {"program": edge.end}
            taken += len(edge.inputs)
            if len(states) > 2000:
                return states, None

    def with_inputs(self, state, edge, given):
        return self.values(state | {name: value for (name, _), (_, value) in zip(edge.inputs, given)})

    def enabled(self, state, given):
        """The edges that can be taken, and whether more inputs could enable another one."""
        found, short = [], False
        for edge in self.leaving[state["program"]]:
            takes = edge.takes(given)
            short |= takes is None
            if takes and edge.guard(self.with_inputs(state, edge, given)):
                found.append(edge)
        return found, short


class Simulated:
    """A run that `whet simulate --trace full` prints: inputs, states, and how it ended: an error, "stuck" or None."""

    def __init__(self, result):
        self.inputs, self.states, self.end = [], [], None
        for line in result.out.split("\n"):
            found = re.match(r"\s+\d+  (.*?)\s{2,}(program at [^ ]*(?:, .*)?)$", line)
            assert found or not line.strip(), line
            if found:
                self.add(found.group(1), found.group(2))
        last = self.states[-1][1]["program"]
        if last in ERRORS:
            self.end = ERRORS[last]
        elif "deadlock" in result.err:
            self.end = "stuck"

    def add(self, words, state):
        inputs = re.search(rf"\(({INPUT}(?:, {INPUT})*)\)$", words)
        if inputs:
            self.inputs += [(name, int(value)) for name, value in re.findall(INPUT, inputs.group(1))]
        place, *values = state[len("program at "):].split(", ")
        known = {"program": place}
        for value in values:
            name, number = value.split(" = ")
            known[name] = int(number)
        self.states.append((len(self.inputs), known))


class SimulatedCalls:
    """A run of a program with procedures: ("input", name, value), ("call", name, {parameter: value}), ("return", value); and whether it ended in
    an error, was "stuck", or None."""

    def __init__(self, result):
        self.events = []
        for line in result.out.split("\n"):
            self.add(line.strip())
        ended = re.search(r"the run ended: (.*)", result.err)
        self.end = None if not ended else "stuck" if ended.group(1) == "no step can be taken" else "error"

    def add(self, line):
        call = re.fullmatch(r"(\w+)\((|[\w.\[\]!]+ = -?\d+(?:, [\w.\[\]!]+ = -?\d+)*)\)", line)
        inputs = re.search(rf"  \(({INPUT}(?:, {INPUT})*)\)$", line)
        if call:
            self.events.append(("call", call.group(1), {stem(n): int(v) for n, v in re.findall(r"([\w.\[\]!]+) = (-?\d+)", call.group(2))}))
        elif re.match(r"returns\b", line):
            value = re.match(r"returns (-?\d+)", line)
            self.events.append(("return", int(value.group(1)) if value else None))
        elif inputs:
            self.events += [("input", name, int(value)) for name, value in re.findall(INPUT, inputs.group(1))]
