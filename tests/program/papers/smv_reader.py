"""A reader of the part of NuSMV's language that `whet abstract --to smv` writes. It knows the grammar (NuSMV 2.6 user manual, chapter 2: binding strengths of 2.2.3) and nothing of whet; `as_whet` says what it has read as a model of whet's language.

read(text) gives a Module: variables, definitions, initial condition, steps, fairness, specifications, all as nested tuples. Errors are ValueError."""
import re

TOKEN = re.compile(r"\s*(--[^\n]*|\d+|[A-Za-z_][A-Za-z0-9_$#-]*|\.\.|:=|<->|->|!=|<=|>=|[-!&|?:;,=<>+*(){}\[\]])")
SECTIONS = ("VAR", "DEFINE", "INIT", "TRANS", "JUSTICE", "COMPASSION", "INVARSPEC", "CTLSPEC", "LTLSPEC")
PATHS = ("AX", "EX", "AF", "EF", "AG", "EG")


class Module:
    def __init__(self):
        self.variables, self.definitions, self.fair, self.specifications = {}, {}, [], []
        self.init, self.trans = [], []


def tokens_of(text):
    at, tokens = 0, []
    while at < len(text):
        if not text[at:].strip():
            break
        found = TOKEN.match(text, at)
        if not found:
            raise ValueError(f"no token at {text[at:at + 20]!r}")
        at = found.end()
        if not found[1].startswith("--"):
            tokens.append(found[1])
    return tokens


class Parser:
    def __init__(self, text):
        self.tokens, self.at, self.logic = tokens_of(text), 0, ""

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise ValueError(f"expected {wanted or 'something'}, found {token or 'the end'}: {' '.join(self.tokens[self.at - 8:self.at + 3])}")
        self.at += 1
        return token

    def accept(self, token):
        if self.peek() == token:
            return self.take()
        return ""

    def name(self):
        token = self.take()
        if not re.match(r"[A-Za-z_]", token) or token in SECTIONS:
            raise ValueError(f"expected a name, found {token}")
        return token

    # from loose to tight: -> (to the right), <->, ? :, |, &, U V, = != <= .., + -, ! and temporal operators
    def expression(self):
        left = self.iff()
        return ("->", left, self.expression()) if self.accept("->") else left

    def iff(self):
        left = self.choice()
        while self.accept("<->"):
            left = ("<->", left, self.choice())
        return left

    def choice(self):
        test = self.chain(("|",), lambda: self.chain(("&",), self.until))
        if not self.accept("?"):
            return test
        yes = self.choice()
        self.take(":")
        return ("?", test, yes, self.choice())

    def chain(self, operators, inner):
        left = inner()
        while self.peek() in operators:
            left = (self.take(), left, inner())
        return left

    def until(self):
        return self.chain(("U", "V"), self.comparison) if self.logic == "LTLSPEC" else self.comparison()

    def comparison(self):
        left = self.sum()
        if self.peek() in ("=", "!=", "<", "<=", ">", ">="):
            left = (self.take(), left, self.sum())
        return left

    def sum(self):
        return self.chain(("+", "-"), lambda: self.chain(("*",), self.unary))

    def unary(self):
        token = self.peek()
        if token in ("!", "-"):
            return (self.take() + "1", self.unary())
        if (self.logic == "CTLSPEC" and token in PATHS) or (self.logic == "LTLSPEC" and token in ("X", "F", "G")):
            return (self.take(), self.unary())
        if self.logic == "CTLSPEC" and token in ("E", "A"):
            self.take()
            self.take("[")
            left = self.expression()
            self.take("U")
            right = self.expression()
            self.take("]")
            return (token + "U", left, right)
        if self.accept("("):
            inside = self.expression()
            self.take(")")
            return inside
        if token == "next":
            self.take()
            self.take("(")
            name = self.name()
            self.take(")")
            return ("next", name)
        return ("number", self.take()) if token.isdigit() else ("name", self.name())

    def type(self):
        if self.accept("boolean"):
            return ("boolean",)
        if self.accept("{"):
            values = [self.name()]
            while self.accept(","):
                values.append(self.name())
            self.take("}")
            return ("values", values)
        low = self.accept("-") + self.take()
        self.take("..")
        return ("range", low, self.accept("-") + self.take())

    def section(self, module):
        word = self.take()
        if word == "VAR":
            while self.peek() and self.peek() not in SECTIONS:
                name = self.name()
                self.take(":")
                if name in module.variables:
                    raise ValueError(f"two variables {name}")
                module.variables[name] = self.type()
                self.take(";")
        elif word == "DEFINE":
            while self.peek() and self.peek() not in SECTIONS:
                name = self.name()
                self.take(":=")
                module.definitions[name] = self.expression()
                self.take(";")
        elif word == "INIT":
            module.init.append(self.expression())
        elif word == "TRANS":
            module.trans.append(self.expression())
        elif word == "JUSTICE":
            module.fair.append((self.expression(),))
            self.take(";")
        elif word == "COMPASSION":
            self.take("(")
            first = self.expression()
            self.take(",")
            module.fair.append((first, self.expression()))
            self.take(")")
            self.take(";")
        elif word in SECTIONS:
            self.logic = word
            module.specifications.append((word, self.expression()))
            self.logic = ""
            self.take(";")
        else:
            raise ValueError(f"no section: {word}")


def read(text):
    p, module = Parser(text), Module()
    p.take("MODULE")
    p.take("main")
    while p.peek():
        p.section(module)
    known = set(module.variables) | set(module.definitions) | {"TRUE", "FALSE"} | {v for t in module.variables.values() if t[0] == "values" for v in t[1]}
    for e in names_in([module.init, module.trans, module.definitions, module.fair, module.specifications]):
        if e not in known:
            raise ValueError(f"unknown name {e}")
    return module


def names_in(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, tuple) and len(tree) == 2 and tree[0] in ("name", "next"):
        return {tree[1]}
    return set().union(*(names_in(t) for t in tree)) if isinstance(tree, (list, tuple)) else set()


SAME = {"|": "||", "&": "&&", "->": "=>", "<->": "<=>", "V": "R"}


def as_formula(e):
    kind = e[0]
    if kind in ("name", "number"):
        return {"TRUE": "true", "FALSE": "false"}.get(e[1], e[1])
    if kind in ("!1", "-1"):
        return f"({kind[0]} {as_formula(e[1])})"
    if kind == "?":
        return f"(if {as_formula(e[1])} then {as_formula(e[2])} else {as_formula(e[3])})"
    if kind in ("EU", "AU"):
        return f"{kind[0]} [{as_formula(e[1])} U {as_formula(e[2])}]"
    if len(e) == 2:
        return f"({kind} {as_formula(e[1])})"
    return f"({as_formula(e[1])} {SAME.get(kind, kind)} {as_formula(e[2])})"


def parts(e, operator):
    return parts(e[1], operator) + parts(e[2], operator) if e[0] == operator else [e]


def as_whet(module):
    """A step of TRANS is a disjunct; `next(x) = e` are its updates, all else its guard."""
    lines = []
    for name, t in module.variables.items():
        lines.append(f"var {name} : " + ("bool" if t[0] == "boolean" else f"{{{', '.join(t[1])}}}" if t[0] == "values" else f"{t[1]}..{t[2]}"))
    lines += [f"define {name} = {as_formula(e)}" for name, e in module.definitions.items()]
    lines += [f"init {as_formula(e)}" for e in module.init]
    for relation in module.trans:
        for number, step in enumerate(parts(relation, "|")):
            conjuncts = parts(step, "&")
            updates = [(c[1][1], c[2]) for c in conjuncts if c[0] == "=" and c[1][0] == "next"]
            guard = [as_formula(c) for c in conjuncts if not (c[0] == "=" and c[1][0] == "next")]
            if {name for name, _ in updates} != set(module.variables) or len(updates) != len(module.variables):
                raise ValueError(f"a step does not set every variable once: {step}")
            lines.append(f"action step{number}: {' && '.join(guard) or 'true'} -> {', '.join(f'{n} := {as_formula(e)}' for n, e in updates)}")
    lines += [f"fair when {as_formula(f[0])}" for f in module.fair if len(f) == 1]
    pairs = [f"(G F {as_formula(f[0])} => G F {as_formula(f[1])})" for f in module.fair if len(f) == 2]
    words = {"INVARSPEC": "safe", "CTLSPEC": "ctl", "LTLSPEC": "ltl"}
    for i, (kind, e) in enumerate(module.specifications):
        if kind == "CTLSPEC" and pairs:  # NuSMV has compassion in LTL only
            continue
        before = f"{' && '.join(pairs)} => " if kind == "LTLSPEC" and pairs else ""
        lines.append(f"{words[kind]} q{i}: {before}{as_formula(e)}")
    return "\n".join(lines) + "\n"
