"""The syntax of the whet language for second_reading.py: from text to trees, tuples whose first part says what they are."""
import os
import re

TOKEN = re.compile(r"""\s+|//[^\n]*|/\*.*?\*/|(?P<token>"[^"\n]*"|\|[^|\n]*\||[A-Za-z_][A-Za-z0-9_']*|[0-9]+
    |<=>|=>|:=|->|\.\.|&&|\|\||<=|>=|!=|==|[-+*/%=<>!?.,;:()\[\]{}])""", re.VERBOSE | re.DOTALL)
DECLARATIONS = {"const", "var", "define", "init", "predicates", "lemma", "domain", "action", "process", "program", "safe", "unreachable",
                "deadlockfree", "ctl", "ctlstar", "ltl", "mu", "fair", "channel", "sync", "lossy"}


class Parser:
    def __init__(self, source, folder=".", files=None):
        self.folder, self.files = folder, set() if files is None else files
        self.defined = set()  # definitions with parameters
        self.records = {}     # name -> fields
        self.tokens, self.lines, at, line = [], [], 0, 1
        while at < len(source):
            found = TOKEN.match(source, at)
            if not found:
                raise SyntaxError(f"line {line}: {source[at:at + 20]!r}")
            if found.group("token"):
                self.tokens.append(found.group("token").strip("|") if len(found.group("token")) > 2 else found.group("token"))
                self.lines.append(line)
            line += source.count("\n", at, found.end())
            at = found.end()
        self.tokens.append("")
        self.lines.append(line)
        self.at = 0
        self.plain = False  # names stand alone: in `1..N . e` the dot is no field

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, token):
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def expect(self, token):
        if not self.accept(token):
            raise SyntaxError(f"line {self.lines[self.at]}: expected {token!r}, found {self.peek()!r}")

    def line(self):
        return self.lines[self.at]

    # expressions, loosest first

    def expression(self):
        left = self.implication()
        while self.accept("<=>"):
            left = ("strict", "==", left, self.implication())
        return left

    def implication(self):
        left = self.disjunction()
        return ("implies", left, self.implication()) if self.accept("=>") else left

    def disjunction(self):
        left = self.conjunction()
        while self.accept("||"):
            left = ("or", left, self.conjunction())
        return left

    def conjunction(self):
        left = self.negation()
        while self.accept("&&"):
            left = ("and", left, self.negation())
        return left

    def negation(self):
        return ("not", self.negation()) if self.accept("!") else self.comparison()

    def comparison(self):
        left = self.sum()
        if self.peek() in ("=", "==", "!=", "<", "<=", ">", ">="):
            sign = self.take()
            left = ("strict", "==" if sign == "=" else sign, left, self.sum())
        return left

    def sum(self):
        left = self.product()
        while self.peek() in ("+", "-"):
            left = ("strict", self.take(), left, self.product())
        return left

    def product(self):
        left = self.unary()
        while self.peek() in ("*", "/", "%"):
            left = ("strict", self.take(), left, self.unary())
        return left

    def unary(self):
        if self.accept("-"):
            return ("negate", self.unary())
        if self.accept("!"):
            return ("not", self.unary())
        return self.primary()

    def limits(self):
        """low..high"""
        before, self.plain = self.plain, True
        low = self.sum()
        self.expect("..")
        high = self.sum()
        self.plain = before
        return low, high

    def binders(self):
        bound = []
        while True:
            names = self.names()
            self.expect(":")
            limits = self.limits()
            bound += [(name, *limits) for name in names]
            if not self.accept(","):
                return bound

    def primary(self):
        token = self.take()
        if token == "(":
            before, self.plain = self.plain, False
            inner = self.expression()
            self.plain = before
            self.expect(")")
            return inner
        if token.isdigit():
            return ("constant", int(token))
        if token in ("true", "false"):
            return ("constant", token == "true")
        if token == "if":
            condition = self.expression()
            self.expect("then")
            then = self.expression()
            self.expect("else")
            return ("if", condition, then, self.expression())
        if token in ("forall", "exists", "sum") or (token in ("min", "max") and self.peek(1) in (":", ",")):
            bound = self.binders()
            self.expect(".")
            return (token, bound, self.expression())
        if token == "let" and self.peek(1) == "=":
            return self.let()
        if (token in ("min", "max", "abs") or token in self.defined) and self.peek() == "(":
            self.take()
            arguments = [self.expression()]
            while self.accept(","):
                arguments.append(self.expression())
            self.expect(")")
            return ("call", token, arguments)
        if token == "at":
            return ("at", None, self.take())
        target = self.access(token)
        return ("at", target, self.take()) if self.accept("at") else target

    def let(self):
        bound = []
        while True:
            name = self.take()
            self.expect("=")
            bound.append((name, self.expression()))
            if not self.accept(","):
                self.expect("in")
                return ("let", bound, self.expression())

    def access(self, name):
        result = ("name", name)
        while self.peek() in ("[", ".") and not self.plain:
            if self.take() == ".":
                result = ("field", result, self.take())
            else:
                result = ("index", result, self.expression())
                self.expect("]")
        return result

    # declarations

    def type(self):
        if self.accept("{"):
            values = [self.take()]
            while self.accept(","):
                values.append(self.take())
            self.expect("}")
            base = ("enumeration", tuple(values))
        elif self.peek() in self.records:
            base = ("record", self.records[self.take()])
        elif self.peek() == "real" and self.peek(1) != "..":
            raise SyntaxError(f"line {self.line()}: reals are beyond this reading; tests/program/reals.py has one of its own")
        elif self.peek() in ("bool", "int", "nat") and self.peek(1) != "..":
            base = (self.take(),)
        else:
            base = ("range", *self.limits())
        dimensions = []
        while self.accept("["):
            dimensions.append(self.limits())
            self.expect("]")
        return base, dimensions

    def names(self):
        found = [self.take()]
        while self.accept(","):
            found.append(self.take())
        return found

    def inputs(self):
        found = []
        if self.accept("("):
            while not self.accept(")"):
                names = self.names()
                self.expect(":")
                kind, _ = self.type()
                found += [(name, kind) for name in names]
                self.accept(",")
        return found

    def updates(self):
        found = []
        while True:
            targets = [self.access(self.take())]
            if self.peek() in ("!", "?"):
                sign = self.take()
                found.append((("message", sign, targets[0]), self.expression() if sign == "!" else self.access(self.take())))
                if not self.accept(","):
                    return found
                continue
            while self.accept(","):
                targets.append(self.access(self.take()))
            self.expect(":=")
            for i, target in enumerate(targets):
                if i:
                    self.expect(",")
                found.append((target, None if self.accept("*") else self.expression()))
            if not self.accept(","):
                return found

    def variables(self):
        names = self.names()
        self.expect(":")
        kind, dimensions = self.type()
        return names, kind, dimensions, self.expression() if self.accept("=") else None

    def module(self):
        found = []
        while self.peek():
            if self.accept(";"):
                continue
            if self.peek() == "include" and self.peek(1).startswith('"'):
                self.take()
                found += self.included(self.take().strip('"'))
                continue
            found.append(self.declaration())
        return found

    def included(self, name):
        path = os.path.realpath(os.path.join(self.folder, name))
        if path in self.files:
            return []
        self.files.add(path)
        with open(path, encoding="utf-8") as file:
            inner = Parser(file.read(), os.path.dirname(path), self.files)
        inner.defined, inner.records = self.defined, self.records
        return inner.module()

    def declaration(self):
        word, line = self.take(), self.line()
        if word == "const" and self.peek(1) == "=":
            name = self.take()
            self.take()
            return ("constant", name, self.expression())
        if word == "const":
            return ("parameter", *self.variables())
        if word == "var":
            return ("var", *self.variables())
        if word in ("channel", "sync", "lossy"):
            return self.channel(word)
        if word == "record":
            name, fields = self.take(), []
            self.expect("{")
            while not self.accept("}"):
                if self.peek() in (",", ";"):
                    self.take()
                else:
                    fields.append(self.variables())
            self.records[name] = fields
            return ("record", name)
        if word == "define":
            name, parameters = self.take(), []
            if self.accept("("):
                parameters.append(self.take())
                while self.accept(","):
                    parameters.append(self.take())
                self.expect(")")
                self.defined.add(name)
            self.expect("=")
            return ("define", name, self.expression(), parameters)
        if word in ("init", "predicates", "lemma", "domain"):
            expressions = [self.expression()]
            while self.accept(","):
                expressions.append(self.expression())
            return (word, expressions)
        if word == "action":
            return self.action()
        if word == "process":
            return self.process()
        if word == "program":
            name = "program" if self.peek() == "{" else self.take()
            return ("program", name, *self.program_body())
        if word in ("safe", "unreachable"):
            name = self.take()
            self.expect(":")
            return (word, name, self.expression())
        if word == "deadlockfree":
            name = "deadlockfree" if self.peek() in DECLARATIONS | {"", ";", "unless"} else self.take()
            return (word, name, self.expression() if self.accept("unless") else ("constant", False))
        raise SyntaxError(f"line {line}: {word!r} is beyond this reading")

    def channel(self, word):
        if word != "channel":
            self.expect("channel")
        names, ranges, size = self.names(), [], None
        while self.accept("["):
            if self.accept("]"):  # of any length
                break
            before, self.plain = self.plain, True
            size = self.sum()
            if self.accept(".."):
                ranges.append((size, self.sum()))
                size = None
            self.plain = before
            self.expect("]")
        self.expect("of")
        return ("channel", word, names, ranges, size, self.type())

    def fails(self):
        return self.expression() if self.accept("fails") else ("constant", False)

    def action(self):
        name, inputs = self.take(), self.inputs()
        self.expect(":")
        guard, fails = self.expression(), self.fails()
        self.expect("->")
        updates = [] if self.peek() in DECLARATIONS | {"", ";"} else self.updates()
        return ("action", name, inputs, guard, fails, updates)

    def process(self):
        name, index = self.take(), None
        if self.accept("["):
            (index,) = self.binders()
            self.expect("]")
        self.expect("{")
        variables, states, edges, atomic, ends = [], [], [], [], []
        while not self.accept("}"):
            if self.accept(";"):
                continue
            if self.peek() in ("atomic", "end") and self.peek(1) not in (":", "->"):
                marks = atomic if self.take() == "atomic" else ends
                marks += self.names()
            elif self.accept("var"):
                variables.append(self.variables())
            elif self.accept("states"):
                states = self.names()
            else:
                edges.append(self.edge())
        return ("process", name, index, variables, states, edges, atomic, ends)

    def edge(self):
        start = self.take()
        if self.accept(":"):
            start = self.take()
        self.expect("->")
        end, inputs = self.take(), self.inputs()
        guard = self.expression() if self.accept("when") else ("constant", True)
        fails = self.fails()
        return start, end, inputs, guard, fails, self.updates() if self.accept(":") else []

    # programs

    def program_body(self):
        self.expect("{")
        variables, ends = [], []
        while self.peek() == "var" or (self.peek() == "end" and self.peek(1) != ":="):
            if self.take() == "var":
                variables.append(self.variables())
            else:
                ends += self.names()
            while self.accept(";"):
                pass
        return variables, self.statements(), ends

    def statements(self):
        found = []
        while not self.accept("}"):
            if not self.accept(";"):
                found.append(self.statement())
        return found

    def block(self):
        self.expect("{")
        return self.statements()

    def condition(self):
        return None if self.accept("*") else self.expression()

    def statement(self):
        line = self.line()
        if self.peek(1) == ":" and self.peek() != "assert":
            label = self.take()
            self.take()
            return ("label", label)
        word = self.peek()
        if word == "atomic" and self.peek(1) == "{":
            self.take()
            return ("atomic", self.block())
        if word in ("assume", "skip", "return", "goto", "assert", "if", "while", "choose", "break", "for", "havoc") and self.peek(1) != ":=":
            self.take()
        if word == "havoc":
            targets = [self.access(self.take())]
            while self.accept(","):
                targets.append(self.access(self.take()))
            return ("assign", [(target, None) for target in targets])
        if word == "for":
            counter = ("name", self.take())
            self.expect(":=")
            low, high = self.limits()
            return ("for", counter, low, high, self.block())
        if word == "assume":
            return ("assume", self.expression())
        if word == "assert":
            name = f"assert@{line}"
            if self.peek(1) == ":":
                name = self.take()
                self.take()
            return ("assert", name, self.expression())
        if word in ("skip", "return", "break"):
            return (word,)
        if word == "goto":
            return ("goto", self.take())
        if word == "while":
            condition = self.condition()
            return ("while", condition, self.block())
        if word == "choose":
            arms = [self.block()]
            while self.accept("or"):
                arms.append(self.block())
            return ("choose", arms)
        if word == "if":
            return self.conditional()
        return ("assign", self.updates())

    def conditional(self):
        condition = self.condition()
        then, otherwise = self.block(), []
        if self.accept("else"):
            otherwise = [self.conditional()] if self.accept("if") else self.block()
        return ("if", condition, then, otherwise)
