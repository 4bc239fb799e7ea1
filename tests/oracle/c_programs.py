"""Random C programs and what the system's compiler makes of them.

A program has inputs that are pinned to one value each, so it has one run. c_batches.py compiles it with a last part that writes every variable, also with
checks, and runs it: the values at the end, or that it did something undefined. `checked` is the same program with a comparison of every
variable with its value at the end: all must be as the compiler says."""
import random
import re

TYPES = ["_Bool", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long"]
NARROW = TYPES[:-3]
RANGES = {"_Bool": (0, 1), "signed char": (-128, 127), "unsigned char": (0, 255), "short": (-32768, 32767), "unsigned short": (0, 65535),
          "int": (-2**31, 2**31 - 1), "unsigned int": (0, 2**32 - 1), "long": (-2**63, 2**63 - 1), "unsigned long": (0, 2**64 - 1)}
NONDET = {"_Bool": "bool", "signed char": "char", "unsigned char": "uchar", "short": "short", "unsigned short": "ushort", "int": "int",
          "unsigned int": "uint", "long": "long", "unsigned long": "ulong"}
CELLS = 4


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.types = TYPES if seed % 4 == 0 else NARROW  # values beyond 64 bits are for engines that are slower here
        self.globals = [(f"g{i}", self.r.choice(self.types)) for i in range(self.r.randint(2, 4))]
        self.locals = [(f"x{i}", self.r.choice(self.types)) for i in range(self.r.randint(2, 4))]
        self.arrays = [("a", self.r.choice(self.types))] if self.r.random() < 0.5 else []
        self.has_struct = self.r.random() < 0.4
        self.is_recursive = seed % 3 == 1
        self.functions = []
        self.loops = 0
        self.labels = 0
        self.scope = []
        self.in_loop = 0

    # ---- values ----

    def constant(self, t=None):
        if t is None:
            t = self.r.choice(self.types)
        low, high = RANGES[t]
        n = self.r.choice([0, 1, -1, 2, 3, 7, 8, low, high, high - 1, self.r.randint(-20, 20), self.r.randint(low, high)])
        n = min(max(n, low), high)
        if n == -2**63:
            return "(-9223372036854775807L - 1)"
        return f"({n}{'UL' if n > 2**63 - 1 else 'L' if abs(n) > 2**31 - 1 else ''})"

    def place(self):
        choices = [name for name, _ in self.scope]
        if self.arrays and self.r.random() < 0.3:
            return f"a[{self.index()}]"
        if self.has_struct and self.r.random() < 0.3:
            return self.r.choice(["s.p", f"s.q[{self.index(2)}]"])
        return self.r.choice(choices)

    def index(self, size=CELLS):
        if self.r.random() < 0.03:
            return f"{self.r.choice(self.scope)[0]} & {2 * size - 1}"
        return self.r.choice([str(self.r.randrange(size)), f"({self.r.choice(self.scope)[0]} & {size - 1})"])

    def expression(self, depth):
        r = self.r
        if depth <= 0 or r.random() < 0.15:
            return self.constant() if r.random() < 0.35 else self.place()
        a, b = (lambda: self.expression(depth - 1)), (lambda: self.expression(depth - 1))
        kind = r.randrange(17)
        if kind < 4:
            return f"({a()} {r.choice(['+', '-', '*'])} {b()})"
        if kind < 6:
            return f"({a()} {r.choice(['/', '%'])} {r.choice([self.constant(), b()])})"
        if kind < 8:
            return f"({a()} {r.choice(['<', '<=', '>', '>=', '==', '!='])} {b()})"
        if kind == 8:
            return f"({a()} {r.choice(['&&', '||'])} {b()})"
        if kind == 9:
            return f"({a()} ? {b()} : {a()})"
        if kind == 10:
            return f"({r.choice(['-', '~', '!', '+'])}{a()})"
        if kind < 13:
            return f"(({r.choice(self.types)}){a()})"
        if kind == 13:
            return f"({self.not_constant(a())} {r.choice(['<<', '>>'])} {r.choice([str(r.randrange(9)), '(' + b() + ' & 7)'])})"
        if kind == 14:
            return f"({a()} {r.choice(['&', '|', '^'])} {self.constant()})"
        if kind == 15:
            return f"((unsigned char){a()} {r.choice(['&', '|', '^'])} (unsigned char){b()})"
        return f"({a()}, {b()})"

    def not_constant(self, text):
        """Compilers compute a shift of constants without looking whether it is defined."""
        return text if any(re.search(rf"\b{re.escape(name.strip('(*)'))}\b", text) for name in [n for n, _ in self.scope] + ["a", "s"]) else self.place()

    # ---- statements ----

    def assignment(self):
        r = self.r
        kind = r.randrange(5)
        if kind < 2:
            return f"{self.place()} = {self.expression(2)};"
        if kind == 2:
            name = r.choice(self.scope)[0]
            return r.choice([f"{name}++;", f"--{name};", f"{self.place()}--;", f"++{self.place()};"])
        if kind == 3:
            return f"{r.choice(self.scope)[0]} {r.choice(['+', '-', '*', '&', '|', '^'])}= {self.constant()};"
        return f"{r.choice(self.scope)[0]} {r.choice(['+', '-', '/', '%', '<<', '>>'])}= {r.choice([self.constant('signed char'), self.expression(1)])};"

    def call(self):
        fitting = [(n, p) for n, p in self.functions if all(not pointer or any(t == of for _, t in self.scope) for pointer, of in p)]
        if not fitting:
            return self.assignment()
        name, parameters = self.r.choice(fitting)
        arguments = [f"&{self.r.choice([n for n, t in self.scope if t == of])}" if pointer else self.expression(1) for pointer, of in parameters]
        call = f"{name}({', '.join(arguments)})"
        return self.r.choice([f"{call};", f"{self.r.choice(self.scope)[0]} = {call};", f"{self.r.choice(self.scope)[0]} = {call} + {self.expression(1)};",
                              f"if ({call}) {{ {self.assignment()} }}"])

    def block(self, depth):
        return "{ " + " ".join(self.statement(depth) for _ in range(self.r.randint(1, 3))) + " }"

    def loop(self, depth):
        i = f"i{self.loops}"
        self.loops += 1
        times = self.r.randint(0, 4)
        self.in_loop += 1
        body = self.block(depth - 1)
        self.in_loop -= 1
        kind = self.r.randrange(3)
        if kind == 0:
            return f"for (int {i} = 0; {i} < {times}; {i}++) {body}"
        if kind == 1:
            return f"{{ unsigned {i} = {times}; while ({i}-- > 0) {body} }}"
        return f"{{ int {i} = 0; do {body} while (++{i} < {times}); }}"

    def switch(self, depth):
        body = ""
        for n in self.r.sample(range(-1, 5), self.r.randint(1, 3)):
            body += f"case {n}: {self.statement(depth - 1)} " + self.r.choice(["break; ", ""])
        if self.r.random() < 0.6:
            body += f"default: {self.statement(depth - 1)} "
        return f"switch ({self.expression(1)} & 3) {{ {body}}}"

    def jump(self, depth):
        label = f"l{self.labels}"
        self.labels += 1
        return f"if ({self.expression(1)}) goto {label}; {self.statement(depth - 1)} {label}: ;"

    def statement(self, depth):
        r = self.r
        kind = r.randrange(14) if depth > 0 else 0
        if kind < 5:
            return self.assignment()
        if kind < 8:
            return f"if ({self.expression(2)}) {self.block(depth - 1)}" + (f" else {self.block(depth - 1)}" if r.random() < 0.5 else "")
        if kind < 10:
            return self.loop(depth)
        if kind == 10:
            return self.switch(depth)
        if kind == 11:
            return self.jump(depth)
        if kind == 12 and self.functions:
            return self.call()
        if kind == 13 and self.in_loop:
            return f"if ({self.expression(1)}) {r.choice(['break', 'continue'])};"
        return self.assignment()

    # ---- programs ----

    def function(self, number):
        parameters = [(self.r.random() < 0.4, self.r.choice(self.types)) for _ in range(self.r.randint(0, 2))]
        parameters = [(pointer and any(t == of for _, t in self.globals + self.locals), of) for pointer, of in parameters]
        self.scope = [(f"(*p{i})" if pointer else f"p{i}", of) for i, (pointer, of) in enumerate(parameters)] + self.globals
        heads = ", ".join(f"{of} {'*' if pointer else ''}p{i}" for i, (pointer, of) in enumerate(parameters)) or "void"
        body = " ".join(self.statement(2) for _ in range(self.r.randint(1, 3)))
        result = self.r.choice(self.types)
        text = f"{result} f{number}({heads}) {{ static {self.r.choice(self.types)} kept = 1; kept += 1; {body} return {self.expression(2)}; }}\n"
        self.functions.append((f"f{number}", parameters))
        return text

    def recursive_call(self, name, depth):
        """A statement that calls it; the depth is no variable that statements change."""
        target = self.r.choice(self.scope)[0]
        call = f"{name}({depth}, {self.expression(1)})"
        return self.r.choice([f"{call};", f"{target} = {call};", f"{target} = {call} + {self.constant('signed char')};", f"if ({call} > {self.constant()}) {{ {self.assignment()} }}",
                              f"for (int k = 0; k < 2; k++) {{ {target} = {call}; {self.assignment()} }}"])

    def recursion(self):
        """One function that calls itself, or two that call each other; what they call has a smaller depth."""
        names = [f"r{i}" for i in range(self.r.randint(1, 2))]
        types = {name: self.r.choice(self.types) for name in names}
        of = {name: self.r.choice(self.types) for name in names}
        text = "".join(f"{types[name]} {name}(int d, {of[name]} p0);\n" for name in names)
        for i, name in enumerate(names):
            self.scope = [("p0", of[name])] + self.globals
            called = names[(i + 1) % len(names)]
            parts = [self.statement(1) for _ in range(self.r.randint(0, 2))]
            parts.insert(self.r.randint(0, len(parts)), self.recursive_call(called, "d - 1"))
            if self.r.random() < 0.4:
                parts.append(self.recursive_call(self.r.choice(names), "d - 1"))
            static = f"static {self.r.choice(self.types)} kept = 1; kept += 1; " if self.r.random() < 0.3 else ""
            text += f"{types[name]} {name}(int d, {of[name]} p0) {{ {static}if (d <= 0) return {self.expression(1)}; {' '.join(parts)} return {self.expression(2)}; }}\n"
        return text, names[0]

    def program(self):
        """The parts: declarations, main without its last lines, the places to look at in the end."""
        head = "".join(f"extern {t} __VERIFIER_nondet_{NONDET[t]}(void);\n" for t in TYPES) + "extern void reach_error(void);\nextern void abort(void);\n"
        head += "".join(f"{t} {name} = {self.constant(t)};\n" for name, t in self.globals)
        for name, t in self.arrays:
            head += f"{t} {name}[{CELLS}] = {{{', '.join(self.constant(t) for _ in range(self.r.randint(1, CELLS)))}}};\n"
        if self.has_struct:
            head += f"struct s {{ {self.r.choice(self.types)} p; {self.r.choice(self.types)} q[2]; }} s = {{{self.constant('signed char')}}};\n"
        for i in range(self.r.randint(0, 2)):
            head += self.function(i)
        recursive = None
        if self.is_recursive:
            text, recursive = self.recursion()
            head += text
        self.scope = self.globals + self.locals
        body = ""
        for name, t in self.locals:
            if self.r.random() < 0.4:
                body += f"  {t} {name} = __VERIFIER_nondet_{NONDET[t]}();\n  if ({name} != {self.constant(t)}) abort();\n".replace("if (", "/*in*/ if (")
            else:
                body += f"  {t} {name} = {self.constant(t)};\n"
        body += "".join(f"  {self.statement(3)}\n" for _ in range(self.r.randint(2, 5)))
        if recursive:
            body += "".join(f"  {self.recursive_call(recursive, self.r.randint(0, 3))}\n" for _ in range(self.r.randint(1, 2)))
        looked = [n for n, _ in self.globals + self.locals] + [f"a[{i}]" for _ in self.arrays for i in range(CELLS)]
        looked += ["s.p", "s.q[0]", "s.q[1]"] if self.has_struct else []
        return head, body, looked


class ArrayGenerator(Generator):
    """Programs with one array `b` whose length may not be constant, a pointer `q` into it, and functions that get both."""

    def __init__(self, seed):
        super().__init__(seed)
        self.types = NARROW
        self.is_recursive = False
        self.has_struct = False
        self.in_main = False
        self.of = self.r.choice(["signed char", "unsigned char", "short", "int", "unsigned int"])

    def place(self):
        if self.in_main and self.r.random() < 0.4:
            return self.r.choice([f"b[{self.index()}]", f"b[{self.index()}]", "(*q)", f"q[{self.index(2)}]"])
        return super().place()

    def moved(self):
        return self.r.choice(["q++;", "q--;", "q = b;", f"q = b + ({self.index()});", f"q = &b[{self.index()}];", f"q += {self.r.randrange(3)};", f"if (q > b) {{ {self.assignment()} }}",
                              f"{self.place()} = q - b;", "while (q > b) q--;", f"while (q < b + {self.r.randrange(CELLS)}) *q++ = {self.constant(self.of)};"])

    def statement(self, depth):
        if self.in_main and self.r.random() < 0.25:
            return self.r.choice([self.moved(), f"fill(b, {self.r.randrange(CELLS + 1)}, {self.expression(1)});", f"{self.place()} = find(b, {self.expression(1)});"])
        return super().statement(depth)

    def declared(self):
        way = self.r.randrange(4)
        if way == 0:
            return f"  {self.of} b[{CELLS}];\n"
        if way == 1:
            return f"  int m = {CELLS - 1}; {self.of} b[m + 1];\n"
        if way == 2:
            return f"  int m = {CELLS}; {self.of} *b = malloc(m * sizeof({self.of}));\n"
        return f"  {self.of} *b = calloc({CELLS}, sizeof({self.of}));\n"

    def program(self):
        head = "".join(f"extern {t} __VERIFIER_nondet_{NONDET[t]}(void);\n" for t in TYPES) + "extern void reach_error(void);\nextern void abort(void);\n"
        head += "extern void *malloc(unsigned long);\nextern void *calloc(unsigned long, unsigned long);\n"
        head += "".join(f"{t} {name} = {self.constant(t)};\n" for name, t in self.globals)
        for name, t in self.arrays:
            head += f"{t} {name}[{CELLS}] = {{{', '.join(self.constant(t) for _ in range(self.r.randint(1, CELLS)))}}};\n"
        head += f"void fill({self.of} *p, int n, {self.of} v) {{ for (; n > 0; n--) *p++ = v; }}\n"
        head += f"int find({self.of} p[], int v) {{ int i = 0; while (i < {CELLS} && p[i] != v) i++; return i; }}\n"
        self.scope = self.globals + self.locals
        body = "".join(f"  {t} {name} = {self.constant(t)};\n" for name, t in self.locals)
        body += self.declared() + f"  {self.of} *q = b;\n  for (int i = 0; i < {CELLS}; i++) b[i] = {self.constant(self.of)};\n"
        self.in_main = True
        body += "".join(f"  {self.statement(2)}\n" for _ in range(self.r.randint(2, 5)))
        return head, body, [n for n, _ in self.globals + self.locals] + [f"a[{i}]" for _ in self.arrays for i in range(CELLS)] + [f"b[{i}]" for i in range(CELLS)]


class CornerGenerator(Generator):
    """Programs with what the others do not draw: structs as values, nested and in arrays; enumerations; pointers to functions; rows of rows; switches in switches,
    with cases inside loops; jumps back; variables that hide others; comments and attributes that clang's tree shows."""

    def __init__(self, seed):
        super().__init__(seed)
        self.has_struct = True
        self.is_recursive = False
        self.of = [self.r.choice(self.types) for _ in range(6)]

    def place(self):
        if self.r.random() < 0.45:
            return self.r.choice(["u.k.x", "u.k.y", f"u.r[{self.index(2)}].x", f"u.r[{self.index(2)}].y", f"m[{self.index(2)}][{self.index(2)}]", "v.k.y", "u.t", "e", "w->x", "(*pe)"])
        return super().place()

    def expression(self, depth):
        r = self.r
        if depth <= 0 or r.random() < 0.8:
            return super().expression(depth)
        a = lambda: super(CornerGenerator, self).expression(depth - 1)
        return r.choice([lambda: f"two({a()}, {a()}).x", lambda: f"turned(two({a()}, {a()})).y", lambda: "turned(u.k).x", lambda: f"way[{self.index(2)}]({a()})", lambda: f"now({a()})",
                         lambda: r.choice(["A", "B", "C"]), lambda: f"({{ int z = {a()} & 7; z + 1; }})", lambda: f"(sizeof({a()}) + sizeof(u.r))", lambda: "(now == up)",
                         lambda: f"sum(u.k, {a()})", lambda: f"({a()} ?: {a()})", lambda: f"({a()} {r.choice(['&', '|', '^'])} {a()})", lambda: f'"k\\377_"[{self.index(4)}]',
                         lambda: f"words[{self.index(4)}]", lambda: f"({a()} ? words : &words[1])[{self.index(2)}]", lambda: "kept0", lambda: "kept1", lambda: "(said[0] + said[1])"])()

    def assignment(self):
        if self.r.random() < 0.7:
            return super().assignment()
        return self.r.choice(["u.k = two({0}, {1});", "u.r[0] = u.k;", "u.k = u.r[1];", "u.r[1] = turned(u.r[0]);", "v = u;", "u = v;", "now = {0} ? up : down;", "now = way[{2}];", "way[{2}] = now;",
                              "w = &u.k;", "e = {0} ? C : e;", "*w = u.k;", "w->x += 3;", "{{ struct in u = {{1, 2}}; g0 = u.x + {3}; }}",
                              "{{ int g0 = {3} & 3; e = g0; }}", "m[{2}][1] = m[1][{2}];", "said = {0} ? \"no\" : words;", "said = &words[{2}];",
                              "e = B + __builtin_add_overflow({0}, {1}, &kept0);", "g0 = __builtin_sub_overflow({0}, {1}, &kept1);", "g0 = __builtin_mul_overflow({0}, {1}, &kept0);",
                              "g0 = __builtin_saddl_overflow({0}, {1}, &kept1);"]).format(self.expression(1), self.expression(1), self.index(2), self.constant())

    def switch(self, depth):
        r = self.r
        if r.random() < 0.5:
            return super().switch(depth)
        i = f"i{self.loops}"
        self.loops += 1
        one, other, third = (self.assignment() for _ in range(3))
        return r.choice([f"switch ({self.expression(1)} & 1) switch ({self.expression(1)} & 1) {{ case 0: {one} break; case 1: {other} }}",
                         f"{{ int {i} = 0; switch ({self.expression(1)} & 3) {{ case 0: do {{ {one} case 1: {other} case 3: {third} }} while (++{i} < 3); }} }}",
                         f"switch ({self.expression(1)} & 7) {{ {one} case 2 ... 4: {other} if (e) {{ default: {third} break; }} case 0: {one} }}"])

    def jump(self, depth):
        if self.r.random() < 0.5:
            return super().jump(depth)
        label = f"l{self.labels}"
        self.labels += 1
        return f"{{ int c{label} = 0; {label}: {self.assignment()} if (++c{label} < {self.r.randint(1, 3)}) goto {label}; }}"

    def program(self):
        p = self.of
        before = (f"/** A pair. */ struct in {{ {p[0]} x; {p[1]} y; }}; /** Both. */ struct out {{ struct in k, r[2]; {p[2]} t; }} u = {{ {{1, 2}}, {{ {{3}} }}, 4}}, v;\n"
                  f"{p[3]} m[2][2] = {{ {{1}}, {{2, 3}} }}; enum e {{ A, B = {self.r.randint(-2, 9)}, C /**< The last. */ }} e = B; enum e *pe = &e; struct in *w = &u.k;\n"
                  f"/** Makes one. */ struct in two({p[4]} x, int y) {{ struct in r = {{x, y}}; return r; }}\n"
                  "/** Turns\n * it. */ __attribute__((unused)) struct in turned(struct in a) { struct in r = a; r.x = a.y; r.y = a.x; if (a.x == a.y) return two(1, 2); return r; }\n"
                  f"int sum(struct in a, {p[5]} b) {{ a.x &= 3; return a.x + (a.y & 3) + (b & 3); }}\n"
                  f"int up(int n) {{ return (n & 15) + 1; }} int down(int n) {{ return (n & 15) - 1; }} int (*way[2])(int) = {{up, down}}, (*now)(int) = down;\n"
                  f"{self.r.choice(TYPES[1:])} kept0 = 1; long kept1; const char *const words = \"word\", *said = \"yes\";\n")
        head, body, looked = super().program()
        at = head.index("extern void abort(void);\n") + len("extern void abort(void);\n")
        return head[:at] + before + head[at:], body, looked + ["u.k.x", "u.k.y", "u.r[0].y", "u.r[1].x", "u.r[1].y", "u.t", "v.k.x", "v.t", "e", "kept0", "kept1", "m[0][1]", "m[1][0]", "m[1][1]"]


class PointerGenerator(Generator):
    """Programs with two arrays `b` and `c`, a variable `h`, and pointers `q` and `t` into any of them, which loops move and change, and functions that get them."""

    def __init__(self, seed):
        super().__init__(seed)
        self.types = NARROW
        self.is_recursive = False
        self.in_main = False
        self.of = self.r.choice(["signed char", "unsigned char", "short", "int", "unsigned int"])

    def place(self):
        if self.in_main and self.r.random() < 0.5:
            return self.r.choice(["(*q)", "(*t)", f"q[{self.index(2)}]", f"t[{self.r.randrange(2)}]", f"b[{self.index()}]", f"c[{self.r.randrange(3)}]", "h"])
        return super().place()

    def target(self):
        return self.r.choice(["b", "c", "&h", f"b + {self.r.randrange(3)}", f"&c[{self.r.randrange(2)}]", "q", "t", f"({self.expression(1)} ? b : c)", f"one({self.expression(1)})"])

    def moved(self):
        name, other = self.r.sample(["q", "t"], 2)
        return self.r.choice([f"{name} = {self.target()};", f"{name} = {self.target()};", f"if ({name}) {name}++;", f"{name} = {other};", "{ " + f"{self.of} *z = q; q = t; t = z;" + " }",
                              f"if ({name}) {{ {self.assignment()} }} else {name} = b;", f"for (int i = 0; i < {self.r.randrange(3)}; i++) {{ *{name} = i; {name} = {self.target()}; }}",
                              f"fill({name}, {self.r.randrange(3)}, {self.expression(1)});", f"{self.place()} = find({self.target()}, {self.expression(1)});",
                              f"if ({name} != b) {name} = {self.r.choice(['b', 'c'])};", f"if ({name} == 0) {name} = c;"])

    def statement(self, depth):
        return self.moved() if self.in_main and self.r.random() < 0.4 else super().statement(depth)

    def program(self):
        head, body, looked = super().program()
        at = head.index("extern void abort(void);\n") + len("extern void abort(void);\n")
        head = head[:at] + (f"{self.of} c[3] = {{4, 5}};\n{self.of} *one(int n) {{ return n & 1 ? c : c + 1; }}\n"
                            f"void fill({self.of} *p, int n, {self.of} v) {{ for (; n > 0; n--) *p++ = v; }}\n"
                            f"int find({self.of} *p, int v) {{ int i = 0; while (i < 2 && p[i] != v) i++; return i; }}\n") + head[at:]
        self.in_main = True
        body += f"  {self.of} b[{CELLS}] = {{1, 2, 3}}, h = 9, *q = {self.r.choice(['b', 'c'])}, *t = {self.r.choice(['c', '&h', '0'])};\n"
        body += "".join(f"  {self.statement(2)}\n" for _ in range(self.r.randint(3, 6)))
        return head, body, looked + [f"b[{i}]" for i in range(CELLS)] + ["c[0]", "c[1]", "c[2]", "h"]


ARRAYS = 10**6  # seeds from here on make programs with arrays of any length
CORNERS = 2 * 10**6  # and from here on with corners of the language
POINTERS = 3 * 10**6  # and from here on with pointers into several arrays


def parts(seed):
    return (PointerGenerator if seed >= POINTERS else CornerGenerator if seed >= CORNERS else ArrayGenerator if seed >= ARRAYS else Generator)(seed).program()


def source(seed, tail):
    head, body, _ = parts(seed)
    return f"{head}int main(void) {{\n{body}{tail}  return 0;\n}}\n"


def is_array(seed):
    return ARRAYS <= seed < CORNERS


def follows_pointers(seed):
    """Clang sees with more checks only what is wrong with them."""
    return is_array(seed) or seed >= POINTERS


def without_inputs(text):
    """Inputs are the values to which they are pinned."""
    return re.sub(r"= __VERIFIER_nondet_\w+\(\);\n  /\*in\*/ if \((\w+) != (.*)\) abort\(\);", r"= \2;", text)


def pinned(text):
    """For the compiler, after the headers that declare what is left out here."""
    return re.sub(r"extern void (abort|reach_error|\*malloc|\*calloc)\(.*\);\n", "", without_inputs(text))


def number(n):
    return "(-9223372036854775807L - 1)" if n == -2**63 else f"({n}{'UL' if n > 2**63 - 1 else 'L'})"


def checked(seed, values):
    """reach_error is called if, and only if, some variable differs from what the compiler says; then in the last line, if none does."""
    _, _, looked = parts(seed)
    if values is None:
        return source(seed, "")
    differs = "".join(f"  if ({name} != {number(n)}) reach_error();\n" for name, n in zip(looked, values))
    return source(seed, differs)


def agreed(seed, values):
    """reach_error is called if, and only if, every variable is what the compiler says."""
    _, _, looked = parts(seed)
    return source(seed, "  if (" + " && ".join(f"{name} == {number(n)}" for name, n in zip(looked, values)) + ") reach_error();\n")


def reached(seed):
    """The end of the program is an error: it must be found."""
    return source(seed, "  reach_error();\n")
