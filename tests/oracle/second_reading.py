"""A second reading of the whet language, written from its description and sharing nothing with the program: a parser (second_parser.py) and a
breadth-first search in plain Python. Slow, for small finite models without a heap; what whet makes of a text is compared with it.

    second_reading.py MODEL...        one line of JSON for each: states, and for each property the steps to its nearest breach or null
"""
import itertools
import json
import os
import sys

from second_parser import Parser


class Fault(Exception):
    """A run-time error of the model."""


class TooLarge(Exception):
    """More states than were asked for."""


# ---- what operators do ----

def divide(a, b):
    if b == 0:
        raise Fault("division by zero")
    return (a - a % abs(b)) // b


def remainder(a, b):
    if b == 0:
        raise Fault("division by zero")
    return a % abs(b)


def pick(slots, dimensions, *indices):
    """The slot that the indices mean."""
    at = 0
    for (low, count), index in zip(dimensions, indices):
        if not low <= index < low + count:
            raise Fault("index out of range")
        at = at * count + index - low
    return slots[at]


# The same if expressions have a value everywhere: properties, asserts, init.
def total_divide(a, b):
    return divide(a, b) if b else 0


def total_remainder(a, b):
    return remainder(a, b) if b else a


def total_read(state, slots, dimensions, *indices):
    try:
        return state[pick(slots, dimensions, *indices)]
    except Fault:
        return 0


def total_at(state, slots, dimensions, place, *indices):
    try:
        return state[pick(slots, dimensions, *indices)] == place
    except Fault:
        return False


def message_at(queue, room, default, index):
    if not 1 <= index <= room:
        raise Fault("index out of range")
    return queue[index - 1][0] if index <= len(queue) else default


def total_message_at(queue, room, default, index):
    return message_at(queue, room, default, index) if 1 <= index <= room else 0


# ---- trees to a machine ----

class Machine:
    """State variables as slots; steps and conditions compiled to Python functions of a state `s` and inputs `n`."""

    def __init__(self, source, folder="."):
        self.slots = []     # (low, high) of each; None for no bound
        self.first = []     # the expression of its first value, or None
        self.names = {}     # global names
        self.conditions = []
        self.steps = []     # (values of the inputs, function from state and inputs to the next state, or None if the guard is false, place, guard)
        self.inside = {}    # slot of a process -> places inside of its atomic blocks
        self.ends = {}      # slot of a process -> places where it may stay for ever
        self.has_ends = False
        self.flows = {}     # slot of a program -> its flow
        self.properties = {}  # name -> function of a state, True if broken; a list for asserts
        self.deadlocks = {}  # name -> which states without steps are fine
        self.tables = []
        self.locals = 0  # names that `let` has bound
        declarations = Parser(source, folder).module()
        for d in declarations:
            if d[0] == "constant":
                self.names[d[1]] = ("value", self.constant(d[2]))
            elif d[0] == "define":
                self.names[d[1]] = ("function", d[3], d[2]) if d[3] else ("define", d[2])
            elif d[0] in ("var", "parameter"):
                self.declare(d[1:], self.names)
            elif d[0] == "channel":
                self.declare_channel(*d[1:])
            elif d[0] == "process":
                self.declare_family(d[1], d[2], d[3], d[4])
            elif d[0] == "program":
                self.declare_family(d[1], None, d[2], None)
        self.shakes = []    # parts of steps that wait for a partner
        for d in declarations:
            self.behaviour(d)
        self.shake_hands()

    # declarations

    def constant(self, tree):
        return eval(self.code(tree, self.names, True), self.environment())

    def environment(self):
        return {"divide": divide, "remainder": remainder, "pick": pick, "total_divide": total_divide, "total_remainder": total_remainder,
                "total_read": total_read, "total_at": total_at, "message_at": message_at, "total_message_at": total_message_at, "t": self.tables}

    def bounds(self, kind):
        if kind[0] == "bool":
            return (False, True)
        if kind[0] == "enumeration":
            for i, value in enumerate(kind[1]):
                self.names.setdefault(value, ("value", i))
            return (0, len(kind[1]) - 1)
        if kind[0] == "range":
            return (self.constant(kind[1]), self.constant(kind[2]))
        return (0 if kind[0] == "nat" else None, None)

    def declare(self, variables, scope):
        names, kind, dimensions, first = variables
        ranges = []
        for low, high in dimensions:
            low = self.constant(low)
            ranges.append((low, self.constant(high) - low + 1))
        count = 1
        for _, length in ranges:
            count *= length
        if kind[0] == "record":
            for name in names:
                scope[name] = ("record", self.declare_fields(kind[1], dimensions, scope))
            return
        bounds = self.bounds(kind)
        for name in names:
            scope[name] = ("variable", list(range(len(self.slots), len(self.slots) + count)), ranges)
            self.slots += [bounds] * count
            self.first += [(first, scope)] * count

    def declare_channel(self, word, names, ranges, size, message):
        """A slot holds the queue: a tuple of messages, each a tuple of its parts."""
        limits = [(self.constant(low), self.constant(high)) for low, high in ranges]
        count = 1
        for low, high in limits:
            count *= high - low + 1
        parts = self.message_bounds(*message)
        for name in names:
            slots = list(range(len(self.slots), len(self.slots) + count)) if word != "sync" else []
            self.names[name] = ("channel", slots, [(low, high - low + 1) for low, high in limits], size and self.constant(size), parts, word)
            self.slots += [None] * len(slots)
            self.first += [(("constant", ()), {})] * len(slots)
            for slot in slots if word == "lossy" else []:
                for position in range(self.constant(size) if size else 1):
                    self.add_loss(slot, position)

    def message_bounds(self, kind, dimensions):
        count = 1
        for low, high in dimensions:
            count *= self.constant(high) - self.constant(low) + 1
        if kind[0] != "record":
            return [self.bounds(kind)] * count
        return [bounds for names, inner, more, _ in kind[1] for _ in names for bounds in self.message_bounds(inner, more)] * count

    def add_loss(self, slot, position):
        def run(state, _):
            if len(state[slot]) <= position:
                return None
            after = list(state)
            after[slot] = state[slot][:position] + state[slot][position + 1:]
            return tuple(after)

        self.steps.append(([], run, None, None))

    def channel_code(self, tree, scope, strict):
        """The channel that an access names, and code for its slot; None if it is no channel."""
        indices = []
        while tree[0] == "index":
            indices.insert(0, tree[2])
            tree = tree[1]
        if tree[0] != "name":
            return None, None
        found = self.look_up(tree[1], scope)
        if found[0] != "channel":
            return None, None
        arguments = "".join(", " + self.code(index, scope, strict) for index in indices)
        return found, f"pick({self.table(found[1])}, {self.table(found[2])}{arguments})"

    def message_code(self, tree, scope, strict):
        """c.length and c.at[i]; None if it is none of these."""
        field = tree[1] if tree[0] == "index" else tree
        if field[0] != "field" or field[2] not in ("length", "at"):
            return None
        found, slot = self.channel_code(field[1], scope, strict)
        if not found:
            return None
        if field[2] == "length":
            return f"len(s[{slot}])"
        function = "message_at" if strict else "total_message_at"
        room = found[3] or 1  # of a channel of any length only the first message is seen
        low, high = found[4][0]
        default = low if low is not None else min(0, high) if high is not None else 0
        return f"{function}(s[{slot}], {room}, {default!r}, {self.code(tree[2], scope, strict)})"

    def declare_fields(self, fields, outer, scope):
        """Each field is a variable of its own, with the indices of the record before its own ones."""
        found = {}
        for names, kind, dimensions, first in fields:
            before = dict(scope)
            self.declare((names, kind, outer + dimensions, first), scope)
            for name in names:
                found[name] = scope.pop(name)
                if name in before:
                    scope[name] = before[name]
        return found

    def declare_family(self, name, index, variables, states):
        low, high = (self.constant(index[1]), self.constant(index[2])) if index else (0, 0)
        scopes, places = [], []
        for copy in range(low, high + 1):
            scope = {}
            if index:
                scope[index[0]] = ("value", copy)
            scopes.append(scope)
            places.append(len(self.slots))
            self.slots.append((0, None))
            self.first.append((("constant", 0), scope))
            for v in variables:
                self.declare(v, scope)
            for local, meaning in self.names.items():
                scope.setdefault(local, meaning)
        self.names[name] = ("family", low if index else None, places, scopes, states)
        for scope in scopes:
            scope[name] = self.names[name]
        for place, scope in zip(places, scopes):
            scope["at"] = ("place", place, states)

    # expressions to Python

    def table(self, value):
        self.tables.append(value)
        return f"t[{len(self.tables) - 1}]"

    def family_of(self, tree, scope):
        """The family that `P` or `P[i]` names, and its index."""
        name, index = (tree[1], tree[2]) if tree[0] == "index" else (tree, None)
        family = self.look_up(name[1], scope)
        return family, [(family[1], len(family[2]))] if index else [], [index] if index else []

    def look_up(self, name, scope):
        found = scope.get(name) or self.names.get(name)
        if not found:
            raise SyntaxError(f"unknown name {name}")
        return found

    def resolve(self, tree, scope):
        """Slots, dimensions and index expressions of an access."""
        copies, dimensions, indices = self.variables_of(tree, scope)
        if copies is None or copies[0][0] == "record":
            return None
        return [slot for v in copies for slot in v[1]], dimensions + copies[0][2], indices

    def variables_of(self, tree, scope):
        """What an access names, in each copy of its process; the dimension of the copies; index expressions."""
        if tree[0] == "index":
            copies, dimensions, indices = self.variables_of(tree[1], scope)
            return copies, dimensions, indices + [tree[2]]
        if tree[0] == "name":
            found = self.look_up(tree[1], scope)
            return [found] if found[0] in ("variable", "record") else None, [], []
        base = tree[1][1] if tree[1][0] == "index" else tree[1]
        if base[0] == "name" and self.look_up(base[1], scope)[0] == "family":
            family, dimensions, outer = self.family_of(tree[1], scope)
            return [copy[tree[2]] for copy in family[3]], dimensions, outer
        copies, dimensions, indices = self.variables_of(tree[1], scope)
        return [fields[1][tree[2]] for fields in copies], dimensions, indices

    def parts(self, tree, scope):
        """How a record is taken apart: functions from trees to trees; one that does nothing for a value."""
        if tree[0] not in ("name", "index", "field") or self.message_code(tree, scope, True):
            return [lambda t: t]
        copies, dimensions, indices = self.variables_of(tree, scope)
        if copies is None or copies[0][0] != "record":
            return [lambda t: t]
        found = []
        for name, field in copies[0][1].items():
            inner = ("field", tree, name)
            if field[0] == "record":
                found += [lambda t, f=f, n=name: f(("field", t, n)) for f in self.parts(inner, scope)]
                continue
            left = field[2][len(indices) - len(dimensions):]
            for choice in itertools.product(*[range(low, low + count) for low, count in left]):
                found.append(lambda t, n=name, c=choice: self.indexed(("field", t, n), c))
        return found

    @staticmethod
    def indexed(tree, choice):
        for index in choice:
            tree = ("index", tree, ("constant", index))
        return tree

    def code(self, tree, scope, strict):
        def inner(part):
            return self.code(part, scope, strict)

        kind = tree[0]
        if kind == "constant":
            return repr(tree[1])
        if kind in ("and", "or"):
            return f"({inner(tree[1])} {kind} {inner(tree[2])})"
        if kind == "implies":
            return f"(not {inner(tree[1])} or {inner(tree[2])})"
        if kind == "not":
            return f"(not {inner(tree[1])})"
        if kind == "negate":
            return f"(-{inner(tree[1])})"
        if kind == "strict":
            if tree[1] in "/%":
                function = ("" if strict else "total_") + ("divide" if tree[1] == "/" else "remainder")
                return f"{function}({inner(tree[2])}, {inner(tree[3])})"
            parts = self.parts(tree[2], scope) if tree[1] in ("==", "!=") else []
            if len(parts) > 1:
                same = " and ".join(f"{inner(part(tree[2]))} == {inner(part(tree[3]))}" for part in parts)
                return f"({same})" if tree[1] == "==" else f"(not ({same}))"
            return f"({inner(tree[2])} {tree[1]} {inner(tree[3])})"
        if kind == "if":
            return f"({inner(tree[2])} if {inner(tree[1])} else {inner(tree[3])})"
        if kind == "call" and tree[1] not in ("min", "max", "abs"):
            return self.defined_code(tree, scope, strict)
        if kind == "call":
            return f"{tree[1]}({', '.join(inner(part) for part in tree[2])})"
        if kind in ("forall", "exists", "sum", "min", "max"):
            return self.quantifier_code(tree, scope, strict)
        if kind == "let":
            return self.let_code(tree[1], tree[2], scope, strict)
        if kind == "at":
            return self.place_code(tree, scope, strict)
        return self.access_code(tree, scope, strict)

    def quantifier_code(self, tree, scope, strict):
        ranges = []
        for name, low, high in tree[1]:
            ranges.append([(name, value) for value in range(self.in_scope(low, scope), self.in_scope(high, scope) + 1)])
        parts = []
        for choice in itertools.product(*ranges):
            parts.append(self.code(tree[2], {**scope, **{name: ("value", value) for name, value in choice}}, strict))
        if tree[0] in ("min", "max"):
            return f"{tree[0]}([{', '.join(parts)}])"
        word, empty = {"forall": (" and ", "True"), "exists": (" or ", "False"), "sum": (" + ", "0")}[tree[0]]
        return "(" + (word.join(parts) if parts else empty) + ")"

    def let_code(self, bound, body, scope, strict):
        if not bound:
            return self.code(body, scope, strict)
        (name, value), rest = bound[0], bound[1:]
        self.locals += 1
        local = f"l{self.locals}"
        inside = self.let_code(rest, body, {**scope, name: ("local", local)}, strict)
        return f"(lambda {local}: {inside})({self.code(value, scope, strict)})"

    def defined_code(self, tree, scope, strict):
        _, parameters, body = self.names[tree[1]]
        locals_of = []
        for _ in parameters:
            self.locals += 1
            locals_of.append(f"l{self.locals}")
        inside = self.code(body, {**self.names, **{name: ("local", local) for name, local in zip(parameters, locals_of)}}, strict)
        return f"(lambda {', '.join(locals_of)}: {inside})({', '.join(self.code(part, scope, strict) for part in tree[2])})"

    def in_scope(self, tree, scope):
        return eval(self.code(tree, scope, True), self.environment())

    def place_code(self, tree, scope, strict):
        if tree[1] is None:
            _, slot, states = scope["at"]
            return f"(s[{slot}] == {states.index(tree[2])})"
        family, dimensions, indices = self.family_of(tree[1], scope)
        place = family[4].index(tree[2]) if family[4] else self.flows[family[2][0]].place_called(tree[2])
        arguments = "".join(", " + self.code(index, scope, strict) for index in indices)
        slots = self.table(family[2])
        if strict:
            return f"(s[pick({slots}, {self.table(dimensions)}{arguments})] == {place})"
        return f"total_at(s, {slots}, {self.table(dimensions)}, {place}{arguments})"

    def access_code(self, tree, scope, strict):
        if tree[0] == "name":
            found = self.look_up(tree[1], scope)
            if found[0] == "value":
                return repr(found[1])
            if found[0] == "local":
                return found[1]
            if found[0] == "input":
                return f"n[{found[1]}]"
            if found[0] == "define":
                return self.code(found[1], self.names, strict)
        message = self.message_code(tree, scope, strict)
        if message:
            return message
        slots, dimensions, indices = self.resolve(tree, scope)
        if not indices:
            return f"s[{slots[0]}]"
        arguments = "".join(", " + self.code(index, scope, strict) for index in indices)
        if strict:
            return f"s[pick({self.table(slots)}, {self.table(dimensions)}{arguments})]"
        return f"total_read(s, {self.table(slots)}, {self.table(dimensions)}{arguments})"

    def condition(self, tree, scope, strict=False):
        return eval(f"lambda s, n=(): {self.code(tree, scope, strict)}", self.environment())

    # steps

    def add_step(self, scope, inputs, guard, fails, updates, place=None, target=None):
        part = self.make_part(scope, inputs, guard, fails, updates, place, target)
        if part["shake"]:
            self.shakes.append(part)
            return
        self.steps.append((part["domains"], lambda state, chosen: self.together(state, [(part, chosen)]), place, lambda state: self.is_ready(part, state, ())))

    def make_part(self, scope, inputs, guard, fails, updates, place, target):
        scope = dict(scope)
        domains = []
        for name, kind in inputs:
            scope[name] = ("input", len(domains))
            domains.append(self.bounds(kind))
        targets, messages, shake, split = [], [], None, []
        for to, value in updates:
            if to[0] != "message":
                split += [(part(to), part(value) if value else None) for part in self.parts(to, scope)]
                continue
            made = self.make_message(to[1], to[2], value, scope)
            if made[1] is None:
                shake = made
            else:
                messages.append(made)
        for to, value in split:
            slots, _, _ = self.resolve(to, scope)
            if value is None:
                value_code = f"n[{len(domains)}]"
                domains.append(self.slots[slots[0]])
            else:
                value_code = self.code(value, scope, True)
            targets.append(f"({self.slot_code(to, scope)}, {value_code})")
        lost = None
        if any(sign == "!" and found[3] is None and found[5] == "lossy" for sign, _, found, _ in messages):
            lost = len(domains)  # a message may be lost as it is sent
            domains.append((0, 1))
        return {"place": place, "target": target, "lost": lost, "test": self.condition(guard, scope, True), "messages": messages, "shake": shake,
                "failing": self.condition(fails, scope) if fails != ("constant", False) else None,
                "writes": eval(f"lambda s, n=(): [{', '.join(targets)}]", self.environment()),
                "domains": [range(low, high + 1) for low, high in domains]}

    def slot_code(self, to, scope):
        slots, dimensions, indices = self.resolve(to, scope)
        return f"pick({self.table(slots)}, {self.table(dimensions)}{''.join(', ' + self.code(i, scope, True) for i in indices)})"

    def make_message(self, sign, channel, value, scope):
        """The sign, a function that finds the queue (None of a handshake), the channel, and one for what is sent or the slots of what is received."""
        found, slot = self.channel_code(channel, scope, True)
        parts = self.parts(value, scope)
        codes = [self.code(part(value), scope, True) if sign == "!" else self.slot_code(part(value), scope) for part in parts]
        function = eval(f"lambda s, n=(): ({''.join(code + ', ' for code in codes)})", self.environment())
        where = eval(f"lambda s, n=(): {slot}", self.environment()) if found[1] else None
        return sign, where, found, function

    @staticmethod
    def is_ready(part, state, chosen):
        """The guard holds, and channels have room or a message."""
        if not part["test"](state, chosen):
            return False
        for sign, where, found, _ in part["messages"]:
            length = len(state[where(state, chosen)])
            if not (found[3] is None or length < found[3] if sign == "!" else length > 0):
                return False
        return True

    @staticmethod
    def in_range(values, bounds):
        for value, (low, high) in zip(values, bounds):
            if (low is not None and value < low) or (high is not None and value > high):
                raise Fault("value out of range")
        return values

    def together(self, state, parts):
        """The state after a step of one part, or of a sender and a receiver."""
        can = True
        for part, chosen in parts:
            if part["place"] and state[part["place"][0]] != part["place"][1]:
                can = False
                continue
            if part["failing"] and part["failing"](state, chosen):
                raise Fault("fails")
            can &= self.is_ready(part, state, chosen)
        if not can:
            return None
        after, shaken = list(state), None
        for part, chosen in parts:
            written = part["writes"](state, chosen)
            for sign, where, found, function in part["messages"] + ([part["shake"]] if part["shake"] else []):
                if sign == "!":
                    message = self.in_range(function(state, chosen), found[4])
                    if where and found[3] is None and part["lost"] is not None and chosen[part["lost"]] and found[5] == "lossy":
                        continue
                    if where:
                        after[where(state, chosen)] = state[where(state, chosen)] + (message,)
                    else:
                        shaken = message
                    continue
                queue = state[where(state, chosen)] if where else (shaken,)
                written += zip(function(state, chosen), queue[0])
                if where:
                    after[where(state, chosen)] = queue[1:]
            for slot, value in written:
                self.in_range((value,), (self.slots[slot],))
                after[slot] = value
        for part, _ in parts:
            if part["place"]:
                after[part["place"][0]] = part["target"]
        return tuple(after)

    def shake_hands(self):
        for sender in self.shakes:
            for receiver in self.shakes:
                if (sender["shake"][0], receiver["shake"][0]) != ("!", "?") or sender["shake"][2] is not receiver["shake"][2]:
                    continue
                if sender["place"][0] == receiver["place"][0]:
                    continue

                def run(state, chosen, sender=sender, receiver=receiver):
                    count = len(sender["domains"])
                    return self.together(state, [(sender, chosen[:count]), (receiver, chosen[count:])])

                self.steps.append((sender["domains"] + receiver["domains"], run, None, None))

    def behaviour(self, d):
        if d[0] == "init":
            self.conditions += [self.condition(e, self.names) for e in d[1]]
        elif d[0] == "action":
            self.add_step(self.names, d[2], d[3], d[4], d[5])
        elif d[0] == "process":
            family = self.names[d[1]]
            for place, scope in zip(family[2], family[3]):
                self.inside[place] = {d[4].index(state) for state in d[6]}
                self.mark_ends(place, [d[4].index(state) for state in d[7]])
                for start, end, inputs, guard, fails, updates in d[5]:
                    self.add_step(scope, inputs, guard, fails, updates, (place, d[4].index(start)), d[4].index(end))
        elif d[0] == "program":
            family = self.names[d[1]]
            flow = self.flows[family[2][0]] = Flow(self, family[2][0], family[3][0], d[3])
            self.mark_ends(family[2][0], [flow.labels[label]() for label in d[4]])
            self.ends[family[2][0]].add(flow.end)
        elif d[0] == "unreachable":
            self.properties[d[1]] = [self.condition(d[2], self.names)]
        elif d[0] == "safe":
            self.properties[d[1]] = [self.condition(("not", d[2]), self.names)]
        elif d[0] == "deadlockfree":
            self.deadlocks[d[1]] = self.condition(d[2], self.names)

    def mark_ends(self, slot, places):
        self.ends[slot] = set(places)
        self.has_ends |= bool(places)

    # search

    def busy(self, state):
        """The processes that are inside of an atomic block and can go on."""
        return {place[0] for _, _, place, guard in self.steps
                if place and state[place[0]] == place[1] and place[1] in self.inside.get(place[0], ()) and guard(state)}

    def initial(self):
        choices = []
        for bounds, (first, scope) in zip(self.slots, self.first):
            if first is not None:
                choices.append([self.in_scope(first, {**self.names, **scope})])
            else:
                choices.append(list(range(bounds[0], bounds[1] + 1)))
        seen = 0
        for state in itertools.product(*choices):
            seen += 1
            if seen > 200000:
                raise TooLarge
            if all(condition(state) for condition in self.conditions):
                yield state

    def explore(self, limit):
        depth, queue, found, faults = {}, [], {}, None
        for state in self.initial():
            if state not in depth:
                depth[state] = 0
                queue.append(state)
        for state in queue:
            if len(depth) > limit:
                raise TooLarge
            for name, broken in self.properties.items():
                if name not in found and any(part(state) for part in broken):
                    found[name] = depth[state]
            moves = False
            busy = self.busy(state)
            for domains, run, place, _ in self.steps:
                is_inside = place and place[1] in self.inside.get(place[0], ())
                if not is_inside and busy - {place[0] if place else None}:
                    continue
                for chosen in itertools.product(*domains):
                    try:
                        after = run(state, chosen)
                    except Fault:
                        faults = depth[state] if faults is None else faults
                        continue
                    if after is None:
                        continue
                    moves = True
                    if after not in depth:
                        depth[after] = depth[state] + 1
                        queue.append(after)
            at_ends = self.has_ends and all(state[slot] in places for slot, places in self.ends.items())
            for name, fine in self.deadlocks.items():
                if name not in found and not moves and not at_ends and not fine(state):
                    found[name] = depth[state]
        names = list(self.properties) + list(self.deadlocks)
        result = {name: found.get(name) for name in names}
        return {"states": len(depth), "properties": result, "no-runtime-error": faults}


class Flow:
    """A program as steps between places: one for each simple statement and each test."""

    def __init__(self, machine, slot, scope, body):
        self.machine, self.slot, self.scope, self.places, self.labels, self.later = machine, slot, scope, 0, {}, []
        self.inside = machine.inside.setdefault(slot, set())
        self.is_atomic = False
        self.breaks = []  # where control goes from `break`, for each loop that is open
        self.end = self.new_place()
        entry = self.block(body, lambda: self.end)
        for later in self.later:
            later()
        self.machine.first[slot] = (("constant", entry()), {})

    def place_called(self, label):
        return self.end if label == "end" else self.labels[label]()

    def new_place(self):
        self.places += 1
        return self.places - 1

    def step(self, place, target, guard=("constant", True), updates=()):
        self.machine.add_step(self.scope, [], guard, ("constant", False), updates, (self.slot, place), target)

    def block(self, statements, after):
        """Makes the steps of the statements; returns a function that says, once all labels are known, where control enters."""
        for statement in reversed(statements):
            after = self.statement(statement, after)
        return after

    def goto(self, label):
        busy = []

        def entry():
            if busy:  # labels that only lead to each other: control goes round for ever
                place = self.new_place()
                self.step(place, place)
                self.labels[label] = lambda: place
                return place
            busy.append(True)
            place = self.labels[label]()
            busy.pop()
            return place

        return entry

    def counted(self, statement, start, after):
        """Three kinds of steps: the counter starts, is compared, and goes on by one."""
        _, counter, low, high, body = statement
        test, more = self.new_place(), self.new_place()
        self.breaks.append(after)
        entry = self.block(body, lambda: more)
        self.breaks.pop()
        fits = ("strict", "<=", counter, high)
        self.later.append(lambda: self.step(start, test, updates=[(counter, low)]))
        self.later.append(lambda: self.step(test, entry(), fits))
        self.later.append(lambda: self.step(test, after(), ("not", fits)))
        self.later.append(lambda: self.step(more, test, updates=[(counter, ("strict", "+", counter, ("constant", 1)))]))
        return lambda: start

    def atomic(self, body, after):
        """All places of the block are inside but the one where it begins; blocks in blocks change nothing."""
        before, outermost = self.places, not self.is_atomic
        self.is_atomic = True
        entry = self.block(body, after)
        self.is_atomic = not outermost
        made = set(range(before, self.places))
        returns = bool(body) and body[0][0] in ("while", "label")
        if returns:
            place = self.new_place()
            self.later.append(lambda: self.step(place, entry()))
            if not outermost:
                self.inside.add(place)
        if outermost:
            self.inside |= made
            self.later.append(lambda: None if returns else self.inside.discard(entry()))
        return (lambda: place) if returns else entry

    def statement(self, statement, after):
        kind, machine = statement[0], self.machine
        if kind == "label":
            self.labels[statement[1]] = after
            return after
        if kind == "goto":
            return self.goto(statement[1])
        if kind == "return":
            return lambda: self.end
        if kind == "break":
            return self.breaks[-1]
        if kind == "atomic":
            return self.atomic(statement[1], after)
        place = self.new_place()
        if kind == "for":
            return self.counted(statement, place, after)
        if kind == "assign":
            self.later.append(lambda: self.step(place, after(), updates=statement[1]))
        elif kind == "skip":
            self.later.append(lambda: self.step(place, after()))
        elif kind == "assume":
            self.later.append(lambda: self.step(place, after(), statement[1]))
        elif kind == "assert":
            wrong = machine.condition(("not", statement[2]), self.scope)
            machine.properties.setdefault(statement[1], []).append(lambda s: s[self.slot] == place and wrong(s))
            always = ("or", statement[2], ("constant", True))  # evaluated for its run-time errors
            self.later.append(lambda: self.step(place, after(), always))
        elif kind == "choose":
            for arm in statement[1]:
                entry = self.block(arm, after)
                self.later.append(lambda entry=entry: self.step(place, entry()))
        elif kind in ("if", "while"):
            condition = statement[1]
            if kind == "while":
                self.breaks.append(after)
            yes = self.block(statement[2], (lambda: place) if kind == "while" else after)
            if kind == "while":
                self.breaks.pop()
            no = after if kind == "while" else self.block(statement[3], after)
            true = ("constant", True)
            self.later.append(lambda: self.step(place, yes(), condition or true))
            self.later.append(lambda: self.step(place, no(), ("not", condition) if condition else true))
        return lambda: place


def read(source, limit=5000, folder="."):
    try:
        return Machine(source, folder).explore(limit)
    except TooLarge:
        return None


if __name__ == "__main__":
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            print(json.dumps({"model": path, **(read(file.read(), folder=os.path.dirname(path)) or {"states": None})}))
